//! Testing two placed, time-shifted motions (thesis section 4.2.2).

use super::samples::Meeting;
use super::tree::{MAX_DEPTH, Siblings};
use super::{Anchor, MotionTree, Tally};
use std::ops::Range;

/// How to test two motions; every method gives the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Every frame in which both are there, one after the other.
    FrameByFrame,
    /// As frame by frame, if the boxes of the whole motions overlap.
    OneLevel,
    /// Boxes oriented in the plane, halved in time.
    Mobb,
    /// Boxes oriented in space-time, halved in time.
    Umobb,
    /// A MOBB root with UMOBB nodes below.
    Hybrid1,
    /// A UMOBB root with MOBB nodes below.
    Hybrid2,
    /// Every frame in which both are there, eight at a time.
    WideSweep,
    /// Whichever is fastest for the frames that the motions share.
    Best,
}

/// A motion somewhere in the world at some time.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The motion.
    pub tree: &'a MotionTree,
    /// Where its own frame of reference is.
    pub anchor: Anchor,
    /// The frame of its first sample.
    pub start_frame: i32,
}

/// Which boxes a level of the hierarchy uses.
const FLAT: bool = false;
const TILTED: bool = true;

/// A stack entry is a pair of nodes; a visit takes one and leaves at most three, since halves overlap in a chain.
const STACK: usize = 2 * MAX_DEPTH as usize + 2;

impl Placed<'_> {
    /// Whether the two motions ever overlap: in some frame in which both are there, the distance of their positions is
    /// less than the sum of their radii (equation 4.1).
    #[inline]
    pub fn meets(&self, other: &Self, method: Method) -> bool {
        self.meets_counting(other, method, &mut ())
    }

    /// As [`meets`](Self::meets), telling `tally` the work it takes.
    #[inline]
    pub fn meets_counting(&self, other: &Self, method: Method, tally: &mut impl Tally) -> bool {
        let shift = other.start_frame.saturating_sub(self.start_frame);
        let (a, b) = (self.tree.duration() as i32, other.tree.duration() as i32);
        if shift >= a || shift <= -b {
            return false;
        }
        let meeting = Meeting {
            a: &self.tree.track,
            b: &other.tree.track,
            b_from_a: self.anchor.see(other.anchor),
            shift,
        };
        let pair = Pair { a: self.tree, b: other.tree, meeting };
        match method {
            Method::FrameByFrame => meeting.sweep(meeting.overlap(), tally),
            Method::WideSweep => meeting.wide_sweep(meeting.overlap(), tally),
            Method::OneLevel => pair.roots::<FLAT>(tally) && meeting.sweep(meeting.overlap(), tally),
            Method::Mobb => pair.roots::<FLAT>(tally) && pair.descend::<FLAT>(tally),
            Method::Umobb => pair.roots::<TILTED>(tally) && pair.descend::<TILTED>(tally),
            Method::Hybrid1 => pair.roots::<FLAT>(tally) && pair.descend::<TILTED>(tally),
            Method::Hybrid2 => pair.roots::<TILTED>(tally) && pair.descend::<FLAT>(tally),
            Method::Best => {
                let overlap = meeting.overlap();
                pair.roots::<FLAT>(tally)
                    && if overlap.len() <= LONGEST_SWEEP {
                        meeting.wide_sweep(overlap, tally)
                    } else {
                        pair.descend::<FLAT>(tally)
                    }
            }
        }
    }
}

/// Frames in common up to which a wide sweep beats the descent.
const LONGEST_SWEEP: usize = 64;

/// Two trees in a common frame of reference.
struct Pair<'a> {
    a: &'a MotionTree,
    b: &'a MotionTree,
    meeting: Meeting<'a>,
}

impl Pair<'_> {
    /// Whether the boxes of the whole motions overlap.
    #[inline]
    fn roots<const KIND: bool>(&self, tally: &mut impl Tally) -> bool {
        self.overlaps::<KIND>(&self.a.root, &self.b.root, 1, tally) != 0
    }

    /// Which `candidates` among the 2 × 2 pairs of siblings have overlapping boxes.
    #[inline(always)]
    fn overlaps<const KIND: bool>(
        &self,
        a: &Siblings,
        b: &Siblings,
        candidates: u32,
        tally: &mut impl Tally,
    ) -> u32 {
        let at = self.meeting.b_from_a;
        if KIND == FLAT {
            tally.boxes_2d(candidates.count_ones());
            return a.flat.overlaps(&b.flat, at, candidates);
        }
        let aligned = a.tilted.aligned_pairs(&b.tilted) & candidates;
        tally.boxes_2d(aligned.count_ones());
        tally.boxes_3d((candidates & !aligned).count_ones());
        if aligned == candidates {
            a.flat.overlaps(&b.flat, at, candidates)
        } else {
            a.tilted.overlaps(&b.tilted, at, self.meeting.shift, candidates)
        }
    }

    /// Whether the motions meet, given that their roots do.
    fn descend<const KIND: bool>(&self, tally: &mut impl Tally) -> bool {
        let shift = self.meeting.shift as f32;
        let mut stack = [(0u32, 0u32); STACK];
        let mut top = 0;
        let (mut i, mut j) = (0, 0);
        loop {
            match (self.a.children.get(i), self.b.children.get(j)) {
                (Some(a), Some(b)) => {
                    let in_time = a.overlaps_in_time(b, shift);
                    let mut hits = self.overlaps::<KIND>(a, b, in_time, tally);
                    while hits != 0 {
                        let lane = hits.trailing_zeros();
                        hits &= hits - 1;
                        stack[top] = (2 * i as u32 + 1 + (lane >> 1), 2 * j as u32 + 1 + (lane & 1));
                        top += 1;
                    }
                }
                _ => {
                    if self.meeting.sweep(self.common_frames(i, j), tally) {
                        return true;
                    }
                }
            }
            if top == 0 {
                return false;
            }
            top -= 1;
            (i, j) = (stack[top].0 as usize, stack[top].1 as usize);
        }
    }

    /// The frames, counted from the start of `a`, that node `i` of `a` and node `j` of `b` share.
    ///
    /// Where one is a leaf, the thesis descends the other by time alone; that reaches exactly these samples.
    #[inline]
    fn common_frames(&self, i: usize, j: usize) -> Range<i32> {
        let (a, b) = (self.a.node_frames(i), self.b.node_frames(j));
        let shift = self.meeting.shift;
        a.start.max(b.start + shift)..a.end.min(b.end + shift)
    }
}
