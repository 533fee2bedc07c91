//! Testing two placed, time-shifted motions (thesis section 4.2.2).

use super::box2::LANES;
use super::samples::Meeting;
use super::tree::{first_child, level_bits, nodes_for};
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

/// The index of the root among a tree's boxes.
const ROOT: usize = 0;

/// Most nodes of the level at which the descent starts: a run of so many is tested faster than the levels above it.
const MOST_TOP_NODES: i32 = 32;

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
        self.overlaps::<KIND>(ROOT, ROOT, 1, tally) != 0
    }

    /// Which of the four pairs of boxes from `i` and `j` on, as bits, overlap; only those of `wanted` count.
    #[inline(always)]
    fn overlaps<const KIND: bool>(&self, i: usize, j: usize, wanted: u32, tally: &mut impl Tally) -> u32 {
        let (a, b, at) = (self.a, self.b, self.meeting.b_from_a);
        if KIND == FLAT {
            tally.boxes_2d(wanted.count_ones());
            return a.flat.overlaps(i, &b.flat, j, at, wanted);
        }
        let aligned = a.tilted.aligned(i, &b.tilted, j) & wanted;
        tally.boxes_2d(aligned.count_ones());
        tally.boxes_3d((wanted & !aligned).count_ones());
        if aligned == wanted {
            a.flat.overlaps(i, &b.flat, j, at, wanted)
        } else {
            a.tilted.overlaps(i, &b.tilted, j, at, self.meeting.shift, wanted)
        }
    }

    /// Whether the motions meet, given that their roots do.
    fn descend<const KIND: bool>(&self, tally: &mut impl Tally) -> bool {
        let frames = self.meeting.overlap();
        let mut level = 0;
        while frames.end - frames.start > MOST_TOP_NODES << level_bits(level) {
            level += 1;
        }
        let nodes = |frames: Range<i32>| frames.start >> level_bits(level)..nodes_for(frames.end, level);
        let shift = self.meeting.shift;
        self.descend_level::<KIND>(
            level,
            nodes(frames.clone()),
            nodes(frames.start - shift..frames.end - shift),
            tally,
        )
    }

    /// Whether the motions meet in the nodes `a` and `b` of one level.
    ///
    /// A node of one tree shares frames with one or two nodes of the other, so all pairs lie on two diagonals.
    fn descend_level<const KIND: bool>(
        &self,
        level: usize,
        a: Range<i32>,
        b: Range<i32>,
        tally: &mut impl Tally,
    ) -> bool {
        let bits = level_bits(level);
        let shift = self.meeting.shift;
        let last = (shift + (1 << bits) - 1) >> bits;
        for diagonal in shift >> bits..=last {
            let mut node = a.start.max(b.start + diagonal);
            let end = a.end.min(b.end + diagonal);
            while node < end {
                let wanted = if end - node >= LANES as i32 { 0b1111 } else { (1 << (end - node)) - 1 };
                let (i, j) = (self.a.index(level, node), self.b.index(level, node - diagonal));
                let mut hits = self.overlaps::<KIND>(i, j, wanted, tally);
                while hits != 0 {
                    let node = node + hits.trailing_zeros() as i32;
                    hits &= hits - 1;
                    if self.descend_pair::<KIND>(level, node, node - diagonal, tally) {
                        return true;
                    }
                }
                node += LANES as i32;
            }
        }
        false
    }

    /// Whether the motions meet in node `i` of one and node `j` of the other, whose boxes overlap.
    #[inline]
    fn descend_pair<const KIND: bool>(&self, level: usize, i: i32, j: i32, tally: &mut impl Tally) -> bool {
        if level > 0 {
            let below = level - 1;
            let children = |node: i32, tree: &MotionTree| {
                let end = nodes_for(tree.duration() as i32, below);
                first_child(node)..first_child(node + 1).min(end)
            };
            return self.descend_level::<KIND>(below, children(i, self.a), children(j, self.b), tally);
        }
        let (bits, shift) = (level_bits(0), self.meeting.shift);
        let overlap = self.meeting.overlap();
        let start = (i << bits).max((j << bits) + shift).max(overlap.start);
        let end = ((i + 1) << bits).min(((j + 1) << bits) + shift).min(overlap.end);
        start < end && self.meeting.sweep(start..end, tally)
    }
}
