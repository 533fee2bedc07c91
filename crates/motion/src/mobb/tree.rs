//! Trees of boxes over a motion.

use super::box2::{Box2, Siblings2};
use super::box3::{Box3, Siblings3};
use super::{Disc, DiscTrack};
use glam::{Vec4, Vec4Swizzles};
use std::ops::Range;

/// The thesis' number of samples in a leaf (section 4.2.1: best of 1 to 50).
pub const SAMPLES_PER_LEAF: usize = 10;

/// Deepest tree, so that a query's stack has a fixed size; deeper motions get larger leaves.
pub(super) const MAX_DEPTH: u32 = 20;

/// Boxes are grown by this many metres, and by this fraction of the motion's largest coordinate, so that rounding never
/// lets a box miss a sample of its own.
const PAD: (f32, f32) = (1e-4, 4e-6);

/// A motion with the boxes of its MOBB and UMOBB trees, which share one hierarchy in time.
///
/// Node `i` has the children `2i + 1` and `2i + 2`; all leaves have the same depth. Siblings are stored together.
#[derive(Clone, Debug)]
pub struct MotionTree {
    pub(super) track: DiscTrack,
    /// The frames of each node.
    pub(super) frames: Vec<(i32, i32)>,
    /// The root, twice.
    pub(super) root: Siblings,
    /// The children of each inner node.
    pub(super) children: Vec<Siblings>,
    bounds: Disc,
}

/// The boxes of two sibling nodes and the frames they fill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Siblings {
    pub flat: Siblings2,
    /// First frames of both, ends (exclusive) of both.
    frames: Vec4,
    pub tilted: Siblings3,
}

impl Siblings {
    fn fit(track: &DiscTrack, first: (i32, i32), second: (i32, i32), pad: f32) -> Self {
        let range = |(start, end): (i32, i32)| start as usize..end as usize;
        let flat = |frames| Box2::fit(track, range(frames), pad);
        let tilted = |frames| Box3::fit(track, range(frames), pad);
        Self {
            flat: Siblings2::new(&flat(first), &flat(second)),
            frames: Vec4::new(first.0 as f32, second.0 as f32, first.1 as f32, second.1 as f32),
            tilted: Siblings3::new(&tilted(first), &tilted(second)),
        }
    }

    /// Which of the pairs (0,0), (0,1), (1,0), (1,1) of a node of `self` and one of `other`, which starts `shift` frames
    /// later, share a frame, as bits 0 to 3.
    #[inline(always)]
    pub fn overlaps_in_time(&self, other: &Self, shift: f32) -> u32 {
        let later = other.frames + Vec4::splat(shift);
        let starts_in_time = self.frames.xxyy().cmplt(later.zwzw());
        let ends_in_time = later.xyxy().cmplt(self.frames.zzww());
        (starts_in_time & ends_in_time).bitmask()
    }
}

impl MotionTree {
    /// The trees of `track` with the thesis' leaves.
    pub fn new(track: DiscTrack) -> Self {
        Self::with_leaves(track, SAMPLES_PER_LEAF)
    }

    /// The trees of `track` with at most `samples_per_leaf` samples in a leaf, where halving in whole frames allows.
    pub fn with_leaves(track: DiscTrack, samples_per_leaf: usize) -> Self {
        let duration = track.duration();
        let mut depth = 0;
        // No node is left without a frame.
        while duration.div_ceil(1 << depth) > samples_per_leaf
            && duration >> (depth + 1) > 0
            && depth < MAX_DEPTH
        {
            depth += 1;
        }
        let frames: Vec<(i32, i32)> = (0..=depth)
            .flat_map(|level| {
                let start = move |node: usize| ((duration * node) >> level) as i32;
                (0..1usize << level).map(move |node| (start(node), start(node + 1)))
            })
            .collect();
        // A motion of one frame fills no time; its root still bounds that frame.
        let whole = (0, (duration as i32).max(1));
        let pad = PAD.0 + PAD.1 * track.extent();
        let bounds = Box2::fit(&track, 0..duration + 1, pad);
        Self {
            root: Siblings::fit(&track, whole, whole, pad),
            children: (0..(1usize << depth) - 1)
                .map(|node| Siblings::fit(&track, frames[2 * node + 1], frames[2 * node + 2], pad))
                .collect(),
            bounds: Disc::new(bounds.centre, bounds.radius),
            frames,
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

    /// How many levels of boxes there are: 1 for a root alone.
    pub fn levels(&self) -> u32 {
        self.frames.len().ilog2() + 1
    }

    /// The frames of a node.
    #[inline]
    pub(super) fn node_frames(&self, node: usize) -> Range<i32> {
        let (start, end) = self.frames[node];
        start..end
    }
}
