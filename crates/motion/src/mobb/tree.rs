//! Trees of boxes over a motion.

use super::box2::{Box2, FlatBoxes};
use super::box3::{Box3, TiltedBoxes};
use super::{Disc, DiscTrack};
use std::ops::Range;

/// Halvings from a leaf's frames down to one frame: a leaf has 8 samples.
///
/// The thesis stops halving at 10 samples (section 4.2.1, best of 1 to 50), which leaves 5 to 10 in a leaf.
const LEAF_BITS: u32 = 3;

/// Halvings from one level that a query looks at to the next: a node has 8 children.
const FAN_BITS: u32 = 3;

/// Most levels below the root: enough for the longest track.
const MAX_LEVELS: usize = ((DiscTrack::MAX_FRAMES.ilog2() - LEAF_BITS) / FAN_BITS + 1) as usize;

/// Boxes are grown by this many metres, and by this fraction of the motion's largest coordinate, so that rounding never
/// lets a box miss a sample of its own.
const PAD: (f32, f32) = (1e-4, 4e-6);

/// The index of the root among a tree's boxes.
pub(super) const ROOT: usize = 0;

/// A motion with the boxes of its MOBB and UMOBB trees, which share one hierarchy in time.
///
/// Time is halved at powers of two, so that nodes of one level have the same number of frames in every tree and pair up in
/// runs, which are tested four at once. Between the root and the leaves, a query looks at every third halving.
#[derive(Clone, Debug)]
pub struct MotionTree {
    pub(super) track: DiscTrack,
    pub(super) root: Box2,
    /// The root, then level after level from the leaves up.
    pub(super) flat: FlatBoxes,
    /// Their boxes in space-time, kept apart because MOBB trees never look at them.
    pub(super) tilted: TiltedBoxes,
    /// Where each level starts among the boxes.
    level_starts: [i32; MAX_LEVELS],
    bounds: Disc,
}

/// Halvings from the frames of a node at `level` (0 is a leaf) down to one frame.
#[inline(always)]
pub(super) const fn level_bits(level: usize) -> u32 {
    LEAF_BITS + FAN_BITS * level as u32
}

/// The index of the first child of a node in the level below.
#[inline(always)]
pub(super) const fn first_child(node: i32) -> i32 {
    node << FAN_BITS
}

/// How many nodes of `level` hold `frames` frames.
#[inline(always)]
pub(super) const fn nodes_for(frames: i32, level: usize) -> i32 {
    let bits = level_bits(level);
    (frames + (1 << bits) - 1) >> bits
}

impl MotionTree {
    /// The trees of `track`.
    pub fn new(track: DiscTrack) -> Self {
        let duration = track.duration();
        // A motion of one frame fills no time; its root still bounds that frame.
        let root = 0..duration.max(1);
        let mut nodes = vec![root];
        let mut level_starts = [0; MAX_LEVELS];
        for (level, start) in level_starts.iter_mut().enumerate() {
            *start = nodes.len() as i32;
            let size = 1 << level_bits(level);
            if level > 0 && size >= duration {
                break;
            }
            nodes.extend((0..duration).step_by(size).map(|from| from..(from + size).min(duration)));
        }
        let pad = PAD.0 + PAD.1 * track.extent();
        let flat: Vec<Box2> = nodes.iter().map(|frames| Box2::fit(&track, frames.clone(), pad)).collect();
        let tilted: Vec<Box3> = nodes.into_iter().map(|frames| Box3::fit(&track, frames, pad)).collect();
        let bounds = Box2::fit(&track, 0..duration + 1, pad);
        Self {
            root: flat[ROOT],
            flat: FlatBoxes::new(&flat),
            tilted: TiltedBoxes::new(&tilted),
            level_starts,
            bounds: Disc::new(bounds.centre, bounds.radius),
            track,
        }
    }

    /// The discs of the motion.
    pub fn track(&self) -> &DiscTrack {
        &self.track
    }

    /// How many frames the motion lasts.
    pub fn duration(&self) -> usize {
        self.track.duration()
    }

    /// A disc in the motion's own frame that holds all its discs, the last one too.
    pub fn bounds(&self) -> Disc {
        self.bounds
    }

    /// Whether the motion overlaps `disc`, given in its own frame of reference, in some of `frames` (within its duration).
    pub fn meets_disc(&self, disc: Disc, frames: Range<i32>) -> bool {
        let bits = level_bits(0);
        let (from, to) = (frames.start.max(0), frames.end.min(self.duration() as i32));
        (from >> bits..nodes_for(to, 0)).any(|leaf| {
            let node = self.index(0, leaf);
            self.flat.disc(node).meets(disc) && {
                let start = (leaf << bits).max(from) as usize;
                let end = ((leaf + 1) << bits).min(to) as usize;
                (start..end).any(|frame| self.track.disc(frame).meets(disc))
            }
        })
    }

    /// Where the box of a node is among the boxes. There is one before the first node, too, of no meaning to the level.
    #[inline(always)]
    pub(super) fn index(&self, level: usize, node: i32) -> usize {
        (self.level_starts[level] + node) as usize
    }
}
