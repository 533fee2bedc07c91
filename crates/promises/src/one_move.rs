//! One move: what somebody does next and its way to rest, ready to be promised and tested.

use crate::commitment::SKIN;
use crowdloom_base::labels::LabelSet;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::{DiscTrack, MotionTree};
use glam::Vec2;

/// Index of a move in its book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveId(pub u32);

impl MoveId {
    /// The move's place in the book.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An action played at some speed, as part of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The action; `None` stands in the pose of the node that the part ends in.
    pub action: Option<ActionId>,
    /// First frame of the part within the move.
    pub first: u32,
    /// Frames that the part lasts.
    pub frames: u32,
    /// The node in which the part ends.
    pub to: NodeId,
}

/// An action at some speed, then the quickest way to rest.
///
/// This is what an agent promises when it chooses the action: if nothing better is possible later, it stops.
#[derive(Clone, Debug)]
pub struct Move {
    /// The chosen action, then the actions of its way to rest.
    pub parts: Vec<Part>,
    /// Frames after which one chooses again.
    pub chosen_frames: u32,
    /// The same with one more step, straight on at the same speed, for those who are alone.
    pub farther: Option<MoveId>,
    /// Playback speed of the first part relative to its clip.
    pub rate: f32,
    /// Discs of the whole move, for collision tests.
    pub tree: MotionTree,
    /// Ground placement in each frame of the whole move, from its start.
    pub track: Vec<Placement>,
    /// A polygon line along the whole move, for quick tests against walls.
    pub path: Vec<Vec2>,
    /// A polygon line through every frame of the move, for exact tests near walls.
    pub fine_path: Vec<Vec2>,
    /// Where the chosen action ends, seen from its start.
    pub displacement: Placement,
    /// Mean speed of the chosen action in metres a second.
    pub speed: f32,
    /// What the chosen action shows.
    pub labels: LabelSet,
    /// Whether it was planned for one occasion: its track is bent, so that its clips' own tracks do not tell it.
    pub bent: bool,
    /// Whether one stands where it ends for ever; else one is gone then.
    pub stays: bool,
    /// The radius of its discs in metres.
    pub radius: f32,
}

impl Move {
    /// A move of these parts, the first few of them chosen, on this track, with discs of `radius` metres; `None` where a
    /// placement is no number.
    pub(crate) fn new(
        parts: Vec<Part>,
        chosen: usize,
        track: Vec<Placement>,
        rate: f32,
        radius: f32,
        labels: LabelSet,
    ) -> Option<Self> {
        let positions: Vec<Vec2> = track.iter().map(|placement| placement.position).collect();
        let discs = DiscTrack::with_radius(&positions, radius + SKIN).ok()?;
        let frames = parts.iter().take(chosen).map(|part| part.frames).sum::<u32>() as usize;
        let walked: f32 = positions.get(..=frames)?.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        Some(Self {
            rate,
            chosen_frames: frames as u32,
            farther: None,
            tree: MotionTree::new(discs),
            path: thin_out(&positions),
            displacement: track[frames],
            speed: walked / (frames.max(1) as f32 * crowdloom_motion::FRAME_TIME),
            labels,
            bent: false,
            stays: true,
            radius,
            fine_path: positions,
            parts,
            track,
        })
    }

    /// Frames until the agent is at rest.
    pub fn total_frames(&self) -> u32 {
        self.track.len() as u32 - 1
    }

    /// The part that plays in `frame` of the move; the last one for ever after.
    pub fn part_at(&self, frame: u32) -> &Part {
        let index = self.parts.partition_point(|part| part.first + part.frames <= frame);
        &self.parts[index.min(self.parts.len() - 1)]
    }
}

/// How far a move strays from its path at most, in metres.
pub(crate) const STRAY: f32 = 0.006;

/// As few points as keep within [`STRAY`] of all frames: every third, every other or every one, and the last.
fn thin_out(positions: &[Vec2]) -> Vec<Vec2> {
    let every = |step: usize| {
        let mut path: Vec<Vec2> = positions.iter().copied().step_by(step).collect();
        if !(positions.len() - 1).is_multiple_of(step) {
            path.extend(positions.last());
        }
        path
    };
    let step = [3, 2].into_iter().find(|&step| stray(positions, &every(step), step) < STRAY).unwrap_or(1);
    every(step)
}

/// How far in metres a path through every so many positions is from all of them at most.
fn stray(positions: &[Vec2], path: &[Vec2], step: usize) -> f32 {
    let offs = positions.iter().enumerate().map(|(frame, position)| {
        let (from, to) = (frame / step, (frame / step + 1).min(path.len() - 1));
        let (start, along) = (path[from], path[to] - path[from]);
        let t = ((position - start).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
        position.distance(start + along * t)
    });
    offs.fold(0.0, f32::max)
}
