//! Motions one after another, tested without building new trees.

use super::{Anchor, Disc, Method, MotionTree, Placed};
use crate::Placement;
use std::ops::Range;

/// Which tree of a [`Forest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeId(u32);

/// The trees of all motions that sequences are made of.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    trees: Vec<MotionTree>,
}

/// A motion of a forest at some place and time, with what rejects most tests at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    tree: TreeId,
    anchor: Anchor,
    frames: (i32, i32),
    bounds: Disc,
}

/// Somebody who stands still from a frame on, for ever.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The first frame.
    pub from_frame: i32,
    /// Where, in the world.
    pub disc: Disc,
}

/// A commitment: motions in the order of time, none starting before the one before has ended, and perhaps standing after.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequence<'a> {
    /// The motions.
    pub segments: &'a [Segment],
    /// What follows them.
    pub standing: Option<Standing>,
}

/// A segment's bounds grow by this fraction of their coordinates, which the rounding of world coordinates stays below.
const WORLD_PAD: f32 = 1e-6;

impl Segment {
    /// The motion's tree.
    pub fn tree(&self) -> TreeId {
        self.tree
    }

    /// Where the motion's own frame of reference is.
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The frames that the motion fills.
    pub fn frames(&self) -> Range<i32> {
        self.frames.0..self.frames.1
    }

    /// A disc in the world that holds the motion's discs, the last one too.
    pub fn bounds(&self) -> Disc {
        self.bounds
    }
}

impl Forest {
    /// Adds a tree.
    pub fn push(&mut self, tree: MotionTree) -> TreeId {
        self.trees.push(tree);
        TreeId(self.trees.len() as u32 - 1)
    }

    /// A tree of this forest.
    pub fn tree(&self, id: TreeId) -> &MotionTree {
        &self.trees[id.0 as usize]
    }

    /// The motion of `tree`, from `start_frame` on, at `placement`.
    pub fn segment(&self, tree: TreeId, placement: Placement, start_frame: i32) -> Segment {
        let anchor = Anchor::from(placement);
        let motion = self.tree(tree);
        let mut bounds = anchor.transform_disc(motion.bounds());
        bounds.radius += WORLD_PAD * (bounds.centre.abs().max_element() + bounds.radius);
        Segment { tree, anchor, frames: (start_frame, start_frame + motion.duration() as i32), bounds }
    }

    /// Standing still where `segment` ends, from its end on.
    pub fn standing_after(&self, segment: &Segment) -> Standing {
        let end = self.tree(segment.tree).track().end();
        Standing { from_frame: segment.frames.1, disc: segment.anchor.transform_disc(end) }
    }

    /// Where `sequence` is at `frame`, if it is there then.
    pub fn disc_at(&self, sequence: Sequence<'_>, frame: i32) -> Option<Disc> {
        let standing = sequence.standing.filter(|standing| frame >= standing.from_frame);
        standing.map(|standing| standing.disc).or_else(|| {
            let segment = sequence.segments.iter().find(|segment| segment.frames().contains(&frame))?;
            let track = self.tree(segment.tree).track();
            Some(segment.anchor.transform_disc(track.disc((frame - segment.frames.0) as usize)))
        })
    }

    /// Whether two segments ever overlap (equation 4.1).
    #[inline]
    pub fn segments_meet(&self, a: &Segment, b: &Segment) -> bool {
        a.frames.0 < b.frames.1
            && b.frames.0 < a.frames.1
            && a.bounds.meets(b.bounds)
            && self.placed(a).meets(&self.placed(b), Method::Best)
    }

    /// Whether two sequences ever overlap; two that stand for ever are compared for ever.
    #[inline]
    pub fn meet(&self, a: Sequence<'_>, b: Sequence<'_>) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(x), Some(y)) = (a.segments.get(i), b.segments.get(j)) {
            if self.segments_meet(x, y) {
                return true;
            }
            // Whichever ends first has met all it can.
            if x.frames.1 <= y.frames.1 { i += 1 } else { j += 1 }
        }
        self.standing_meets(a.standing, b) || self.standing_meets(b.standing, a) || {
            match (a.standing, b.standing) {
                (Some(a), Some(b)) => a.disc.meets(b.disc),
                _ => false,
            }
        }
    }

    /// Whether `sequence` ever overlaps a `disc` that is there in `frames` only.
    pub fn meets_disc(&self, sequence: Sequence<'_>, disc: Disc, frames: Range<i32>) -> bool {
        let standing = |standing: Standing| {
            frames.start.max(standing.from_frame) < frames.end && disc.meets(standing.disc)
        };
        sequence.segments.iter().any(|segment| self.segment_meets_disc(segment, disc, frames.clone()))
            || sequence.standing.is_some_and(standing)
    }

    #[inline]
    fn standing_meets(&self, standing: Option<Standing>, other: Sequence<'_>) -> bool {
        standing.is_some_and(|Standing { from_frame, disc }| {
            let mut later = other.segments.iter().rev().take_while(|segment| segment.frames.1 > from_frame);
            later.any(|segment| self.segment_meets_disc(segment, disc, from_frame..i32::MAX))
        })
    }

    #[inline]
    fn segment_meets_disc(&self, segment: &Segment, disc: Disc, frames: Range<i32>) -> bool {
        let start = frames.start.max(segment.frames.0);
        let end = frames.end.min(segment.frames.1);
        if start >= end || !segment.bounds.meets(disc) {
            return false;
        }
        let local = Disc::new(segment.anchor.inverse_transform_point(disc.centre), disc.radius);
        self.tree(segment.tree).meets_disc(local, start - segment.frames.0..end - segment.frames.0)
    }

    #[inline]
    fn placed(&self, segment: &Segment) -> Placed<'_> {
        Placed { tree: self.tree(segment.tree), anchor: segment.anchor, start_frame: segment.frames.0 }
    }
}
