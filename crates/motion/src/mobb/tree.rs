//! Trees of boxes over a motion.

use super::box2::{Box2, Flat4};
use super::box3::{Box3, Tilted4};
use super::{Disc, DiscTrack};
use glam::Vec4;
use std::ops::Range;

/// The thesis' number of samples in a leaf (section 4.2.1: best of 1 to 50).
pub const SAMPLES_PER_LEAF: usize = 10;

/// Most halvings in time, so that a query's stack is small and of fixed size; motions of more than 20 minutes get
/// larger leaves.
pub(super) const MAX_HALVINGS: u32 = 12;

/// Boxes are grown by this many metres, and by this fraction of the motion's largest coordinate, so that rounding never
/// lets a box miss a sample of its own.
const PAD: (f32, f32) = (1e-4, 4e-6);

/// A motion with the boxes of its MOBB and UMOBB trees, which share one hierarchy in time.
///
/// A node's frames are halved twice at a time: the four quarters lie side by side, so that one of them is tested against
/// four of another tree at once. Node `i` has the children `4i + 1` to `4i + 4`, and all leaves have the same depth. When
/// the number of halvings is odd, the lowest children are two halves, and the other two have no frames.
#[derive(Clone, Debug)]
pub struct MotionTree {
    pub(super) track: DiscTrack,
    /// The frames of each node, from the first to the one after the last.
    frames: Vec<(i32, i32)>,
    /// The root as the first of four; the others have no frames.
    pub(super) root: Quad,
    pub(super) tilted_root: Tilted4,
    /// The children of each inner node.
    pub(super) children: Vec<Quad>,
    /// Their boxes in space-time, kept apart because MOBB trees never look at them.
    pub(super) tilted_children: Vec<Tilted4>,
    bounds: Disc,
    halvings: u32,
}

/// The boxes of four sibling nodes and the frames they fill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    start: Vec4,
    end: Vec4,
    pub flat: Flat4,
}

impl Quad {
    fn fit(track: &DiscTrack, nodes: [(i32, i32); 4], pad: f32) -> Self {
        Self {
            start: Vec4::from_array(nodes.map(|(start, _)| start as f32)),
            end: Vec4::from_array(nodes.map(|(_, end)| end as f32)),
            flat: Flat4::new(nodes.map(|node| Box2::fit(track, fitted_frames(node), pad))),
        }
    }

    /// Which of the four nodes of `other`, which starts `shift` frames later, share a frame with node `row`, as bits.
    #[inline(always)]
    pub fn overlaps_in_time(&self, row: usize, other: &Self, shift: Vec4) -> u32 {
        let starts = other.start + shift;
        let ends = other.end + shift;
        // A node without frames starts where it ends, and must not count inside a longer one.
        let there = starts.max(Vec4::splat(self.start[row])).cmplt(ends.min(Vec4::splat(self.end[row])));
        there.bitmask()
    }
}

/// The frames to fit a box to: those of the node, or one frame where it has none (no query asks for such a box).
fn fitted_frames((start, end): (i32, i32)) -> Range<usize> {
    let start = start as usize;
    start..(end as usize).max(start + 1)
}

fn fit_tilted(track: &DiscTrack, nodes: [(i32, i32); 4], pad: f32) -> Tilted4 {
    Tilted4::new(nodes.map(|node| Box3::fit(track, fitted_frames(node), pad)))
}

impl MotionTree {
    /// The trees of `track` with the thesis' leaves.
    pub fn new(track: DiscTrack) -> Self {
        Self::with_leaves(track, SAMPLES_PER_LEAF)
    }

    /// The trees of `track` with at most `samples_per_leaf` samples in a leaf, where halving in whole frames allows.
    pub fn with_leaves(track: DiscTrack, samples_per_leaf: usize) -> Self {
        let duration = track.duration();
        let mut halvings = 0;
        while duration.div_ceil(1 << halvings) > samples_per_leaf
            && duration >> (halvings + 1) > 0
            && halvings < MAX_HALVINGS
        {
            halvings += 1;
        }
        let levels = halvings.div_ceil(2);
        let frames: Vec<(i32, i32)> = (0..=levels)
            .flat_map(|level| {
                let halved = (2 * level).min(halvings);
                let start = move |node: usize| ((duration * node) >> halved) as i32;
                (0..1usize << (2 * level)).map(move |node| {
                    if 2 * level == halved {
                        return (start(node), start(node + 1));
                    }
                    // Two halves and two without frames.
                    let half = node / 4 * 2 + (node % 4).min(1);
                    if node % 4 < 2 { (start(half), start(half + 1)) } else { (start(half), start(half)) }
                })
            })
            .collect();
        // A motion of one frame fills no time; its root still bounds that frame.
        let root = [(0, duration as i32), (0, 0), (0, 0), (0, 0)];
        let pad = PAD.0 + PAD.1 * track.extent();
        let bounds = Box2::fit(&track, 0..duration + 1, pad);
        let children = |node: usize| [1, 2, 3, 4].map(|child| frames[4 * node + child]);
        let inner = 0..frames.len() / 4;
        Self {
            root: Quad::fit(&track, root, pad),
            tilted_root: fit_tilted(&track, root, pad),
            children: inner.clone().map(|node| Quad::fit(&track, children(node), pad)).collect(),
            tilted_children: inner.map(|node| fit_tilted(&track, children(node), pad)).collect(),
            bounds: Disc::new(bounds.centre, bounds.radius),
            halvings,
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

    /// How often the motion is halved in time down to a leaf.
    pub fn halvings(&self) -> u32 {
        self.halvings
    }

    /// The frames of a node.
    #[inline]
    pub(super) fn node_frames(&self, node: usize) -> Range<i32> {
        let (start, end) = self.frames[node];
        start..end
    }
}
