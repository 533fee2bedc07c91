//! Testing two placed, time-shifted motions (thesis section 4.2.2).

use super::box2::LANES;
use super::samples::Meeting;
use super::tree::{ROOT, first_child, level_bits, nodes_for};
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
    /// Whichever is fastest for the frames that the motions share: if the roots overlap, a wide sweep over few frames, or a
    /// descent by discs and wide sweeps over many.
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

/// A bound of the nodes: boxes oriented in the plane.
const FLAT: u8 = 0;
/// A bound of the nodes: boxes oriented in space-time.
const TILTED: u8 = 1;
/// A bound of the nodes: only the discs that come before either kind of box.
const DISCS: u8 = 2;

/// Most nodes of the level at which the descent starts: a run of so many is tested faster than the levels above it.
const MOST_TOP_NODES: i32 = 28;

/// Bits for the pairs of one diagonal, of which there are no more than this.
const DIAGONAL_BITS: i32 = 32;

/// Frames in common fill one node more than whole ones, and nodes of the other motion lie across two.
const _: () = assert!(MOST_TOP_NODES + 3 <= DIAGONAL_BITS);

/// One bit for each box that is tested at once.
const ALL_LANES: u32 = (1 << LANES) - 1;

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
        let pair = Meeting { a: self.tree, b: other.tree, b_from_a: self.anchor.see(other.anchor), shift };
        match method {
            Method::FrameByFrame => pair.sweep(pair.overlap(), tally),
            Method::WideSweep => pair.wide_sweep(pair.overlap(), tally),
            Method::OneLevel => pair.roots::<FLAT>(tally) && pair.sweep(pair.overlap(), tally),
            Method::Mobb => pair.roots::<FLAT>(tally) && pair.descend::<FLAT>(tally),
            Method::Umobb => pair.roots::<TILTED>(tally) && pair.descend::<TILTED>(tally),
            Method::Hybrid1 => pair.roots::<FLAT>(tally) && pair.descend::<TILTED>(tally),
            Method::Hybrid2 => pair.roots::<TILTED>(tally) && pair.descend::<FLAT>(tally),
            Method::Best => {
                let overlap = pair.overlap();
                pair.roots::<FLAT>(tally)
                    && if overlap.len() <= LONGEST_SWEEP {
                        pair.wide_sweep(overlap, tally)
                    } else {
                        pair.descend::<DISCS>(tally)
                    }
            }
        }
    }
}

/// Frames in common up to which a wide sweep beats the descent.
const LONGEST_SWEEP: usize = 64;

impl Meeting<'_> {
    /// Whether the boxes of the whole motions overlap.
    #[inline(always)]
    fn roots<const KIND: u8>(&self, tally: &mut impl Tally) -> bool {
        self.count_box::<KIND>(ROOT, ROOT, tally);
        let (a, b, at) = (&self.a.root, &self.b.root, self.b_from_a);
        a.near(b, at)
            && if KIND == FLAT { a.overlaps(b, at) } else { self.overlaps::<KIND>(ROOT, ROOT, 1) != 0 }
    }

    /// Which of the four pairs of boxes from `i` and `j` on, as bits, overlap; only those of `near` count.
    #[inline(always)]
    fn overlaps<const KIND: u8>(&self, i: usize, j: usize, near: u32) -> u32 {
        let (a, b, at) = (self.a, self.b, self.b_from_a);
        if KIND == DISCS {
            return near;
        }
        // Boxes aligned with time are treated as flat (thesis table 4.1).
        if KIND == FLAT || a.tilted.aligned(i, &b.tilted, j) & near == near {
            a.flat.overlaps(i, &b.flat, j, at) & near
        } else {
            a.tilted.overlaps(i, &b.tilted, j, at, self.shift, near)
        }
    }

    /// Tells the tally of the pairs of `nodes` of `a` with the nodes `diagonal` before them of `b`.
    #[inline(always)]
    fn count_boxes<const KIND: u8, T: Tally>(
        &self,
        level: usize,
        nodes: Range<i32>,
        diagonal: i32,
        tally: &mut T,
    ) {
        if !T::COUNTS {
            return;
        }
        for node in nodes {
            let (i, j) = (self.a.index(level, node), self.b.index(level, node - diagonal));
            self.count_box::<KIND>(i, j, tally);
        }
    }

    /// Tells the tally of the pair of boxes `i` and `j`.
    #[inline(always)]
    fn count_box<const KIND: u8>(&self, i: usize, j: usize, tally: &mut impl Tally) {
        if KIND != TILTED || self.a.tilted.aligned(i, &self.b.tilted, j) & 1 == 1 {
            tally.boxes_2d(1);
        } else {
            tally.boxes_3d(1);
        }
    }

    /// Whether the motions meet, given that their roots do.
    fn descend<const KIND: u8>(&self, tally: &mut impl Tally) -> bool {
        let frames = self.overlap();
        let mut level = 0;
        while frames.end - frames.start > MOST_TOP_NODES << level_bits(level) {
            level += 1;
        }
        let nodes = |frames: Range<i32>| frames.start >> level_bits(level)..nodes_for(frames.end, level);
        let (a, b) = (nodes(frames.clone()), nodes(frames.start - self.shift..frames.end - self.shift));
        self.descend_level::<KIND>(level, a, b, self.b_from_a.inverse(), tally)
    }

    /// Whether the motions meet in the nodes `a` and `b` of one level.
    ///
    /// A node of one tree shares frames with one or two nodes of the other, so all pairs lie on two diagonals.
    fn descend_level<const KIND: u8>(
        &self,
        level: usize,
        a: Range<i32>,
        b: Range<i32>,
        a_from_b: Anchor,
        tally: &mut impl Tally,
    ) -> bool {
        let bits = level_bits(level);
        let shift = self.shift;
        let first = shift >> bits;
        let last = (shift + (1 << bits) - 1) >> bits;
        let range = |diagonal: i32| a.start.max(b.start + diagonal)..a.end.min(b.end + diagonal);
        let nodes = range(first).start..range(last).end;
        if nodes.is_empty() {
            return false;
        }
        // Discs first, all of them, without a branch in between: bit `n` is the n-th pair of its diagonal.
        let (i, j) = (self.a.index(level, nodes.start), self.b.index(level, nodes.start - first));
        let (on_first, on_last) = self.a.flat.near(i, &self.b.flat, j, nodes.len().div_ceil(LANES), a_from_b);
        let wanted = |diagonal: i32| {
            let range = range(diagonal);
            bits_below(range.end - nodes.start) & !bits_below(range.start - nodes.start)
        };
        let mut near = u64::from(on_first & wanted(first));
        if last > first {
            near |= u64::from(on_last & wanted(last)) << DIAGONAL_BITS;
        }
        for diagonal in first..=last {
            self.count_boxes::<KIND, _>(level, range(diagonal), diagonal, tally);
        }
        while near != 0 {
            let four = near.trailing_zeros() & !(LANES as u32 - 1);
            let diagonal = first + four as i32 / DIAGONAL_BITS;
            let node = nodes.start + four as i32 % DIAGONAL_BITS;
            let (i, j) = (self.a.index(level, node), self.b.index(level, node - diagonal));
            let mut hits = self.overlaps::<KIND>(i, j, (near >> four) as u32 & ALL_LANES);
            near &= !(u64::from(ALL_LANES) << four);
            while hits != 0 {
                let node = node + hits.trailing_zeros() as i32;
                hits &= hits - 1;
                if self.descend_pair::<KIND>(level, node, node - diagonal, a_from_b, tally) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the motions meet in node `i` of one and node `j` of the other, whose boxes overlap.
    #[inline]
    fn descend_pair<const KIND: u8>(
        &self,
        level: usize,
        i: i32,
        j: i32,
        a_from_b: Anchor,
        tally: &mut impl Tally,
    ) -> bool {
        if level > 0 {
            let below = level - 1;
            let children = |node: i32, tree: &MotionTree| {
                let end = nodes_for(tree.duration() as i32, below);
                first_child(node)..first_child(node + 1).min(end)
            };
            return self.descend_level::<KIND>(
                below,
                children(i, self.a),
                children(j, self.b),
                a_from_b,
                tally,
            );
        }
        let (bits, shift) = (level_bits(0), self.shift);
        let overlap = self.overlap();
        let start = (i << bits).max((j << bits) + shift).max(overlap.start);
        let end = ((i + 1) << bits).min(((j + 1) << bits) + shift).min(overlap.end);
        start < end
            && if KIND == DISCS { self.wide_sweep(start..end, tally) } else { self.sweep(start..end, tally) }
    }
}

/// The lowest `count` bits, where `count` is less than 32 and negative counts as none.
#[inline(always)]
fn bits_below(count: i32) -> u32 {
    (1u32 << count.max(0)) - 1
}
