//! Testing two placed, time-shifted motions (thesis section 4.2.2).

use super::box3::Tilted4;
use super::samples::Meeting;
use super::tree::{MAX_HALVINGS, Quad};
use super::{Anchor, MotionTree, Tally};
use glam::Vec4;
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

/// A stack entry is a pair of nodes; a visit takes one and leaves at most seven, since quarters overlap in a chain.
const STACK: usize = 6 * (MAX_HALVINGS as usize).div_ceil(2) + 1;

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
    #[inline(always)]
    fn roots<const KIND: bool>(&self, tally: &mut impl Tally) -> bool {
        let (a, b) = (&self.a.root, &self.b.root);
        if KIND == FLAT {
            self.flat_overlaps(a, b, 1, tally) != 0
        } else {
            let tilted = (&self.a.tilted_root, &self.b.tilted_root);
            self.tilted_overlaps((a, b), tilted, 1, tally) != 0
        }
    }

    /// Which `candidates` among the 4 × 4 pairs overlap in space; bit `4·row + column` is child `row` of `a` and child
    /// `column` of `b`.
    #[inline(always)]
    fn flat_overlaps(&self, a: &Quad, b: &Quad, candidates: u32, tally: &mut impl Tally) -> u32 {
        tally.boxes_2d(candidates.count_ones());
        let at = self.meeting.b_from_a;
        let seen = b.flat.seen_from(at);
        let near = rows(candidates, |row| a.flat.discs_overlap(row, &b.flat, seen));
        refine(near, |row, _| a.flat.boxes_overlap(row, &b.flat, seen, at))
    }

    /// Which `candidates` among the 4 × 4 pairs overlap in space-time; where all are aligned with time, space says it.
    #[inline(always)]
    fn tilted_overlaps(
        &self,
        flat: (&Quad, &Quad),
        (a, b): (&Tilted4, &Tilted4),
        candidates: u32,
        tally: &mut impl Tally,
    ) -> u32 {
        let aligned = rows(candidates, |row| a.aligned_pairs(row, b));
        if aligned == candidates {
            return self.flat_overlaps(flat.0, flat.1, candidates, tally);
        }
        tally.boxes_2d(aligned.count_ones());
        tally.boxes_3d((candidates & !aligned).count_ones());
        let at = self.meeting.b_from_a;
        let seen = b.seen_from(at, self.meeting.shift);
        let near = rows(candidates, |row| a.balls_overlap(row, b, seen));
        refine(near, |row, wanted| a.boxes_overlap(row, b, seen, at, wanted))
    }

    /// Whether the motions meet, given that their roots do.
    #[inline(never)]
    fn descend<const KIND: bool>(&self, tally: &mut impl Tally) -> bool {
        let shift = Vec4::splat(self.meeting.shift as f32);
        let mut stack = [(0u16, 0u16); STACK];
        let mut top = 0;
        let (mut i, mut j) = (0, 0);
        loop {
            match (self.a.children.get(i), self.b.children.get(j)) {
                (Some(a), Some(b)) => {
                    let in_time = rows(u32::MAX, |row| a.overlaps_in_time(row, b, shift));
                    let mut hits = if KIND == FLAT {
                        self.flat_overlaps(a, b, in_time, tally)
                    } else {
                        let tilted = (&self.a.tilted_children[i], &self.b.tilted_children[j]);
                        self.tilted_overlaps((a, b), tilted, in_time, tally)
                    };
                    while hits != 0 {
                        let lane = hits.trailing_zeros() as usize;
                        hits &= hits - 1;
                        stack[top] = ((4 * i + 1 + (lane >> 2)) as u16, (4 * j + 1 + (lane & 3)) as u16);
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
            (i, j) = (usize::from(stack[top].0), usize::from(stack[top].1));
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

/// The bits of `candidates` that `test` confirms, row by row; it says which of a row's four pairs pass.
#[inline(always)]
fn rows(candidates: u32, test: impl Fn(usize) -> u32) -> u32 {
    (test(0) | test(1) << 4 | test(2) << 8 | test(3) << 12) & candidates
}

/// The bits of `near` that `test` confirms, asking only for rows that have some.
#[inline(always)]
fn refine(mut near: u32, test: impl Fn(usize, u32) -> u32) -> u32 {
    let mut confirmed = 0;
    while near != 0 {
        let row = near.trailing_zeros() as usize / 4;
        let row_bits = 0b1111 << (4 * row);
        confirmed |= test(row, near >> (4 * row) & 0b1111) << (4 * row) & near & row_bits;
        near &= !row_bits;
    }
    confirmed
}
