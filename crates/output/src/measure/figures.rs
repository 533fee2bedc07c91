//! What the bodies of a run look like in every frame of every clip, seen from where the clip's body stands.

use super::tracks::Shown;
use crate::body::stature;
use crate::export::Poser;
use crate::run::{Run, Sample};
use crowdloom_motion::body::{Body, Leg, LimbPart, Side};
use crowdloom_motion::{Clip, Contacts, JointFrames, Placement, Skeleton, heel_offset};
use glam::{Quat, Vec2, Vec3};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Parts of a clip's frame that a phase tells apart.
const PHASES: f32 = 64.0;
/// A joint that turns less than this from one frame to the next, in radians, does not move (0.6° a second).
const STILL_TURN: f32 = 3.5e-4;
/// A root that rises less than this from one frame to the next, in metres, does not move.
const STILL_RISE: f32 = 1e-4;

/// Bodies that differ from the skeleton by less than this, in parts of its size, stand as it does.
const AS_LARGE: f32 = 0.004;

/// A rod with round ends, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Capsule {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) radius: f32,
}

/// Heel and ball of the left foot, then of the right.
pub(super) type Feet = [Vec3; 4];
const FOOT_PARTS: [Contacts; 4] =
    [Contacts::LEFT_HEEL, Contacts::LEFT_TOE, Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE];

/// One clip as seen from its placements.
struct Figure {
    heights: Vec<f32>,
    feet: Option<Vec<Feet>>,
    contacts: Vec<Contacts>,
    /// Where the body is in each frame, seen from the first.
    track: Vec<Placement>,
    /// Frame after frame the same number of them.
    capsules: Vec<Capsule>,
    /// Whether any joint moves from a frame to the next.
    moves: Vec<bool>,
}

/// All clips that were shown.
pub(super) struct Figures<'a> {
    figures: BTreeMap<u16, Figure>,
    each: usize,
    run: &'a Run,
    poser: Poser,
    legs: Option<[Leg; 2]>,
    /// Height of the skeleton in metres.
    stature: f32,
}

/// A body on its own feet.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Heels and balls in the world, in metres, and which of them bear weight.
    pub(super) feet: Feet,
    pub(super) touches: [bool; 4],
    /// The hips in the world, in metres.
    pub(super) hips: Vec3,
    /// Local rotations of the joints.
    pub(super) rotations: Vec<Quat>,
    joints: JointFrames,
}

/// Radius of each rod in metres: lean adults without clothes, so that what touches does touch.
const RODS: [(LimbPart, f32); 4] =
    [(LimbPart::UpLeg, 0.07), (LimbPart::Leg, 0.045), (LimbPart::Arm, 0.04), (LimbPart::ForeArm, 0.035)];
const TRUNK: f32 = 0.11;
const HEAD: f32 = 0.09;

impl<'a> Figures<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        let skeleton = &run.header().skeleton;
        let body = Body::guess(skeleton);
        let rods = rods(skeleton, &body);
        let clips: Vec<(&u16, &Clip)> = run.clips().iter().collect();
        let figures =
            clips.into_par_iter().map(|(number, clip)| (*number, Figure::of(skeleton, &body, clip, &rods)));
        let legs = body.leg(Side::Left).zip(body.leg(Side::Right)).map(|(left, right)| [left, right]);
        Self {
            figures: figures.collect(),
            each: rods.len(),
            run,
            poser: Poser::new(skeleton),
            legs,
            stature: stature(skeleton),
        }
    }

    /// How many times as large as the skeleton somebody walks.
    pub(super) fn size(&self, id: u32) -> f32 {
        self.run.walks_as(id, self.stature)
    }

    /// Poses a body that stands on its own feet, `size` times as large as the skeleton; whether it does.
    pub(super) fn stand(&self, sample: &Sample, size: f32, into: &mut Standing) -> bool {
        let (Some(stance), Some(legs), Some(figure)) =
            (sample.stance(), self.legs, self.figures.get(&sample.clip))
        else {
            return false;
        };
        self.pose(sample, size, &legs, into);
        let touches = figure.touches(sample.phase);
        for side in [0, 1] {
            let (flags, planted) = ([touches[side * 2], touches[side * 2 + 1]], stance.feet[side].planted);
            // A foot that stands whatever its clip does stands on its ball.
            into.touches[side * 2] = planted && flags[0];
            into.touches[side * 2 + 1] = planted && (flags[1] || !flags[0]);
        }
        true
    }

    /// Poses a body `size` times as large as the skeleton: hips and feet.
    fn pose(&self, sample: &Sample, size: f32, legs: &[Leg; 2], into: &mut Standing) {
        let skeleton = &self.run.header().skeleton;
        let height = self.poser.pose_sized(self.run, sample, size, &mut into.rotations);
        into.joints.compute(skeleton, Vec3::Z * height, &into.rotations);
        let (joints, placement) = (&into.joints, sample.placement());
        let there = |point: Vec3| placement.transform_point(point.truncate() * size).extend(point.z * size);
        into.hips = there(Vec3::Z * height);
        for (side, leg) in legs.iter().enumerate() {
            let heel = joints.positions[leg.ankle]
                + joints.orientations[leg.ankle] * heel_offset(skeleton, leg.ankle);
            into.feet[side * 2] = there(heel);
            into.feet[side * 2 + 1] = there(joints.positions[leg.ball]);
        }
    }

    /// Height of the hips, in metres.
    pub(super) fn height(&self, shown: Shown) -> Option<f32> {
        let figure = self.figures.get(&shown.clip)?;
        let (before, after, t) = figure.between(shown.phase);
        Some(figure.heights[before] * (1.0 - t) + figure.heights[after] * t)
    }

    /// Feet of a body `size` times as large as the skeleton as seen from the placement, and which of the four parts touch the
    /// ground; `into` is working memory.
    pub(super) fn feet(&self, shown: Shown, size: f32, into: &mut Standing) -> Option<(Feet, [bool; 4])> {
        let figure = self.figures.get(&shown.clip)?;
        let feet = figure.feet.as_ref()?;
        let touches = figure.touches(shown.phase);
        if (size - 1.0).abs() < AS_LARGE {
            // Between two frames feet are on the straight line between where they are in both, as poses have them.
            let (before, after, t) = figure.between(shown.phase);
            let [from, to] = [before, after].map(|frame| figure.track[frame]);
            let here = from.lerp(to, t);
            let there = |on: Placement, foot: Vec3| on.transform_point(foot.truncate()).extend(foot.z);
            let between = |part: usize| {
                let point = there(from, feet[before][part]).lerp(there(to, feet[after][part]), t);
                here.inverse().transform_point(point.truncate()).extend(point.z)
            };
            return Some((std::array::from_fn(between), touches));
        }
        let sample = Sample { clip: shown.clip, phase: shown.phase, ..Sample::default() };
        self.pose(&sample, size, &self.legs?, into);
        Some((into.feet, touches))
    }

    /// Whether a body moves within itself from one moment to the next.
    pub(super) fn moves(&self, from: Shown, to: Shown) -> bool {
        if from == to {
            return false;
        }
        let (Some(figure), true) = (self.figures.get(&from.clip), from.clip == to.clip) else {
            return from.clip != to.clip && !self.same_pose(from, to);
        };
        let (low, high) = (from.phase.min(to.phase), from.phase.max(to.phase));
        let first = (low as f32 / PHASES) as usize;
        let last = (high as f32 / PHASES).ceil() as usize;
        (first..last).any(|frame| figure.moves.get(frame).copied().unwrap_or(false))
    }

    /// Whether two clips show the same rods at two moments: one still pose follows another.
    fn same_pose(&self, a: Shown, b: Shown) -> bool {
        let (Some(one), Some(other)) = (self.capsules(a), self.capsules(b)) else { return false };
        one.iter()
            .zip(other)
            .all(|(a, b)| a.to.distance(b.to) < STILL_RISE && a.from.distance(b.from) < STILL_RISE)
    }

    /// The rods of a body as seen from its placement, in the nearest frame.
    pub(super) fn capsules(&self, shown: Shown) -> Option<&[Capsule]> {
        let figure = self.figures.get(&shown.clip)?;
        let frame = ((shown.phase as f32 / PHASES + 0.5) as usize).min(figure.heights.len() - 1);
        figure.capsules.get(frame * self.each..(frame + 1) * self.each).filter(|rods| !rods.is_empty())
    }
}

impl Figure {
    fn of(skeleton: &Skeleton, body: &Body, clip: &Clip, rods: &[(usize, usize, f32)]) -> Self {
        let mut joints = JointFrames::default();
        let legs = [body.leg(Side::Left), body.leg(Side::Right)];
        let mut feet = Vec::new();
        let mut capsules = Vec::with_capacity(clip.frames() * rods.len());
        for frame in 0..clip.frames() {
            joints.compute(skeleton, Vec3::Z * clip.root_heights[frame], clip.frame_rotations(frame));
            if let [Some(left), Some(right)] = legs {
                let heel = |ankle: usize| {
                    joints.positions[ankle] + joints.orientations[ankle] * heel_offset(skeleton, ankle)
                };
                feet.push([
                    heel(left.ankle),
                    joints.positions[left.ball],
                    heel(right.ankle),
                    joints.positions[right.ball],
                ]);
            }
            for &(from, to, radius) in rods {
                let end = if from == to { joints.tip(skeleton, to) } else { joints.positions[to] };
                capsules.push(Capsule { from: joints.positions[from], to: end, radius });
            }
        }
        let turned = |a: &Quat, b: &Quat| 2.0 * (a.inverse() * *b).xyz().length() > STILL_TURN;
        let moves = (1..clip.frames()).map(|frame| {
            let (a, b) = (clip.frame_rotations(frame - 1), clip.frame_rotations(frame));
            (clip.root_heights[frame] - clip.root_heights[frame - 1]).abs() > STILL_RISE
                || a.iter().zip(b).any(|(a, b)| turned(a, b))
        });
        Self {
            heights: clip.root_heights.clone(),
            moves: moves.collect(),
            feet: (feet.len() == clip.frames()).then_some(feet),
            contacts: clip.contacts.clone(),
            track: clip.track.clone(),
            capsules,
        }
    }

    /// Which of the four parts of feet touch the ground at a phase.
    fn touches(&self, phase: u32) -> [bool; 4] {
        let (before, after, t) = self.between(phase);
        FOOT_PARTS.map(|part| {
            self.contacts[before].touches(part) && (t < 0.02 || self.contacts[after].touches(part))
        })
    }

    /// The frames before and after a phase, and how far it is between them.
    fn between(&self, phase: u32) -> (usize, usize, f32) {
        let last = self.heights.len() - 1;
        let at = (phase as f32 / PHASES).min(last as f32);
        let before = at as usize;
        (before, (before + 1).min(last), at - before as f32)
    }
}

/// The joints that each rod of a body joins, and its radius; a rod from a joint to itself ends at the joint's tip.
fn rods(skeleton: &Skeleton, body: &Body) -> Vec<(usize, usize, f32)> {
    let mut rods = Vec::new();
    let ends = [LimbPart::Leg, LimbPart::Foot, LimbPart::ForeArm, LimbPart::Hand];
    for side in Side::BOTH {
        for ((part, radius), end) in RODS.into_iter().zip(ends) {
            if let (Some(from), Some(to)) = (body.limb(side, part), body.limb(side, end)) {
                rods.push((from, to, radius));
            }
        }
    }
    if let Some(neck) = body.neck {
        rods.push((body.hips, neck, TRUNK));
    }
    if let Some(head) = body.head.filter(|head| skeleton.joints()[*head].tip.is_some()) {
        rods.push((head, head, HEAD));
    }
    rods
}

/// A point of a body in the world, in metres.
pub(super) fn placed(point: Vec3, position: Vec2, facing: Vec2) -> Vec3 {
    (facing.rotate(point.truncate()) + position).extend(point.z)
}
