//! How far bodies reach over the ground: what a disc leaves out of arms and strides.

use crate::fan::fast_atan2;
use crate::leg::Showing;
use crate::repertoire::Repertoire;
use crowdloom_motion::graph::{ActionId, MotionGraph, NodeId};
use crowdloom_motion::{JointFrames, Placement, Skeleton};
use glam::{Quat, Vec2, Vec3};
use std::array;
use std::f32::consts::TAU;

/// Directions of a body's own frame in which its reach is known.
const DIRECTIONS: usize = 16;
/// Reach is kept in these steps, in metres, rounded up.
const STEP: f32 = 0.005;
/// Frames of a clip that share an outline.
const FRAMES: usize = 2;
/// Bones of two people are this far apart at least, in metres: about what two arms are thick.
const LIMBS: f32 = 0.08;
/// Axes that may keep two outlines apart, turned by so many radians from the line between them.
const AXES: [f32; 5] = [0.0, 0.45, -0.45, 0.9, -0.9];

/// A body seen from above, its root in the middle: a polygon that holds all joints and tips.
#[derive(Clone, Copy, Debug)]
struct Outline {
    /// How far it reaches in each direction, in steps.
    reach: [u8; DIRECTIONS],
    /// How far it reaches at most, in metres.
    radius: f32,
}

/// What a body looks like from above in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stance {
    pub heading: f32,
    outline: u32,
}

impl Stance {
    /// Of somebody of whom nothing but the disc is known.
    pub const DISC: Self = Self { heading: 0.0, outline: u32::MAX };

    /// Of a body that shows something somewhere.
    pub fn of(repertoire: &Repertoire, (at, showing): (Placement, Showing)) -> Self {
        match showing {
            Showing::Clip(action, frame) => repertoire.outlines.of_clip(action, frame, at.heading),
            Showing::Still(node) => repertoire.outlines.of_node(node, at.heading),
        }
    }
}

/// Somebody somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    pub at: Vec2,
    pub stance: Stance,
}

/// Outlines of all clips and of all poses of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlines {
    all: Vec<Outline>,
    /// Where those of a clip begin.
    clips: Vec<u32>,
    /// Where those of nodes begin.
    nodes: u32,
    /// How far anybody reaches at most, in metres.
    widest: f32,
}

/// The direction of a number.
fn direction(index: usize) -> Vec2 {
    let (sine, cosine) = libm::sincosf(TAU * index as f32 / DIRECTIONS as f32);
    Vec2::new(cosine, sine)
}

impl Outlines {
    pub fn new(graph: &MotionGraph) -> Self {
        let (skeleton, mut frames) = (graph.skeleton(), JointFrames::default());
        let directions = array::from_fn(direction);
        let mut this = Self::default();
        for action in graph.actions() {
            let clip = &action.clip;
            this.clips.push(this.all.len() as u32);
            let last = clip.frames() - 1;
            let mut looks = (0..=last / FRAMES + 1).map(|look| (look * FRAMES).min(last)).map(|frame| {
                Outline::new(
                    skeleton,
                    clip.frame_rotations(frame),
                    clip.radii[frame],
                    &directions,
                    &mut frames,
                )
            });
            let Some(mut before) = looks.next() else { continue };
            for after in looks {
                // What is between two looks is within both, nearly.
                this.all.push(before.joined(&after));
                before = after;
            }
        }
        this.nodes = this.all.len() as u32;
        for node in graph.nodes() {
            let rotations = &node.state.pose.rotations;
            this.all.push(Outline::new(skeleton, rotations, f32::INFINITY, &directions, &mut frames));
        }
        this.widest = this.all.iter().map(|outline| outline.radius).fold(0.0, f32::max);
        this
    }

    /// What a clip looks like at a frame with its fraction.
    pub fn of_clip(&self, action: ActionId, frame: f32, heading: f32) -> Stance {
        Stance { heading, outline: self.clips[action.index()] + frame as u32 / FRAMES as u32 }
    }

    /// What the pose of a node looks like.
    pub fn of_node(&self, node: NodeId, heading: f32) -> Stance {
        Stance { heading, outline: self.nodes + node.index() as u32 }
    }

    /// Roots farther apart than this, in metres, are of people who cannot touch each other.
    pub fn farthest(&self) -> f32 {
        2.0 * self.widest + LIMBS
    }

    /// Whether anybody in a disc, whatever it shows, could touch somebody, as far as its limbs are known.
    #[inline]
    pub fn may_touch(&self, (centre, radius): (Vec2, f32), other: Figure) -> bool {
        let outline = self.all.get(other.stance.outline as usize);
        outline.is_some_and(|outline| {
            let reach = radius + self.widest + outline.radius + LIMBS;
            centre.distance_squared(other.at) < reach * reach
        })
    }

    /// Whether limbs of two people may touch: no line that was tried keeps one from the other.
    pub fn touch(&self, one: Figure, other: Figure) -> bool {
        let outline = |figure: Figure| self.all.get(figure.stance.outline as usize);
        // Of whom only the disc is known, discs tell all there is to know.
        let (Some(own), Some(others)) = (outline(one), outline(other)) else { return false };
        let between = other.at - one.at;
        let reach = own.radius + others.radius + LIMBS;
        if between.length_squared() >= reach * reach {
            return false;
        }
        let straight = between.normalize_or(Vec2::X);
        !AXES.iter().any(|&turn| {
            let axis = if turn == 0.0 { straight } else { Vec2::from_angle(turn).rotate(straight) };
            between.dot(axis) >= own.reach(one.stance, axis) + others.reach(other.stance, -axis) + LIMBS
        })
    }
}

/// How much farther than in between two directions a polygon reaches at most, as a factor: 1 / cos of half an angle.
const CORNER: f32 = 1.02;

impl Outline {
    /// The outline of a pose that reaches `most` metres, if that is known.
    fn new(
        skeleton: &Skeleton,
        rotations: &[Quat],
        most: f32,
        directions: &[Vec2; DIRECTIONS],
        frames: &mut JointFrames,
    ) -> Self {
        frames.compute(skeleton, Vec3::ZERO, rotations);
        let mut reach = [0.0f32; DIRECTIONS];
        let mut farthest = 0.0f32;
        for joint in 0..skeleton.len() {
            for point in [frames.positions[joint], frames.tip(skeleton, joint)] {
                let point = point.truncate();
                farthest = farthest.max(point.length_squared());
                for (reach, direction) in reach.iter_mut().zip(directions) {
                    *reach = reach.max(direction.dot(point));
                }
            }
        }
        let reach = reach.map(|metres| libm::ceilf(metres / STEP).min(255.0) as u8);
        Self { reach, radius: most.min(farthest.sqrt()) }
    }

    /// How far it reaches in a direction of the world, in metres.
    fn reach(&self, stance: Stance, axis: Vec2) -> f32 {
        let angle = fast_atan2(axis.y, axis.x) - stance.heading;
        let place = (angle / TAU - (angle / TAU).floor()) * DIRECTIONS as f32;
        let (before, part) = (place as usize, place - place.floor());
        let [low, high] = [before, before + 1].map(|index| f32::from(self.reach[index % DIRECTIONS]));
        // The corner of the polygon between two of its sides reaches farther than in between.
        STEP * (low + (high - low) * part) * CORNER
    }

    /// The outline of both.
    fn joined(&self, other: &Self) -> Self {
        let reach = array::from_fn(|index| self.reach[index].max(other.reach[index]));
        Self { reach, radius: self.radius.max(other.radius) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::builtin;
    use crowdloom_motion::graph::{BuildOptions, build_graph};

    #[test]
    fn who_does_not_touch_has_no_joint_near_another_and_neighbours_do_not_touch() {
        let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
        let outlines = Outlines::new(&graph);
        let skeleton = graph.skeleton();
        let (mut apart, mut touching) = (0, 0);
        for (index, action) in graph.actions().iter().enumerate().step_by(37) {
            let other_index = (index * 7 + 11) % graph.actions().len();
            let other = &graph.actions()[other_index];
            let (frame, other_frame) = (action.clip.frames() / 3, other.clip.frames() / 2);
            let here = Placement { position: Vec2::ZERO, heading: index as f32 };
            let away = Vec2::from_angle(index as f32 * 1.7) * (0.5 + 0.01 * (index % 60) as f32);
            let there = Placement { position: away, heading: other_index as f32 * 0.3 };
            let one = Figure {
                at: here.position,
                stance: outlines.of_clip(ActionId(index as u16), frame as f32, here.heading),
            };
            let two = Figure {
                at: there.position,
                stance: outlines.of_clip(ActionId(other_index as u16), other_frame as f32, there.heading),
            };
            assert_eq!(outlines.touch(one, two), outlines.touch(two, one));
            let joints = action.clip.pose(frame).joints(skeleton, here);
            let others = other.clip.pose(other_frame).joints(skeleton, there);
            let pairs =
                joints.positions.iter().flat_map(|a| others.positions.iter().map(move |b| a.distance(*b)));
            let least = pairs.fold(f32::INFINITY, f32::min);
            match outlines.touch(one, two) {
                true => touching += 1,
                false => {
                    apart += 1;
                    assert!(least > LIMBS - 1e-3, "{} and {}: {least} m", action.clip.name, other.clip.name);
                }
            }
        }
        assert!(apart > 10 && touching > 10, "{apart} apart, {touching} touching");
        // Who stands as usual leaves 0.8 m to each side free, and of whom only the disc is known nothing is told.
        let rest = graph.nodes().iter().position(|node| node.rest).unwrap();
        let stands = |x: f32, y: f32| Figure {
            at: Vec2::new(x, y),
            stance: outlines.of_node(NodeId(rest as u16), 0.3),
        };
        assert!(!outlines.touch(stands(0.0, 0.0), stands(-0.8 * 0.2955, 0.8 * 0.9553)));
        assert!(outlines.touch(stands(0.0, 0.0), stands(0.3, 0.2)));
        let disc = Figure { at: Vec2::new(0.3, 0.2), stance: Stance::DISC };
        assert!(!outlines.touch(stands(0.0, 0.0), disc) && !outlines.may_touch((Vec2::ZERO, 0.0), disc));
    }
}
