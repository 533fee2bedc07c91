//! The test of samples at equal times (equation 4.1), which decides every query of every method.

use super::{Anchor, MotionTree, Tally};
use std::ops::Range;

/// Samples that are tested together before asking whether one of them hit.
const LANES: usize = 8;

/// Two motions in a common frame of reference: frame `i` is sample `i` of `a` and sample `i - shift` of `b`.
pub(super) struct Meeting<'a> {
    pub a: &'a MotionTree,
    pub b: &'a MotionTree,
    /// Where `b` is, as seen from `a`.
    pub b_from_a: Anchor,
    /// Frames from the start of `a` to the start of `b`.
    pub shift: i32,
}

/// Equal stretches of the six arrays.
struct Stretch<'a> {
    a: [&'a [f32]; 3],
    b: [&'a [f32]; 3],
}

impl<'a> Meeting<'a> {
    /// The frames (counted from the start of `a`) in which both motions are there; empty when it ends before it starts.
    #[inline]
    pub fn overlap(&self) -> Range<i32> {
        self.shift.max(0)..(self.a.duration() as i32).min(self.shift + self.b.duration() as i32)
    }

    #[inline]
    fn stretch(&self, frames: Range<i32>) -> Stretch<'a> {
        let a = frames.start as usize..frames.end as usize;
        let b = (frames.start - self.shift) as usize..(frames.end - self.shift) as usize;
        let (track_a, track_b) = (&self.a.track, &self.b.track);
        Stretch {
            a: [&track_a.x[a.clone()], &track_a.y[a.clone()], &track_a.radius[a]],
            b: [&track_b.x[b.clone()], &track_b.y[b.clone()], &track_b.radius[b]],
        }
    }

    /// Equation 4.1 in the frame of `a`. Every method ends here, so all round alike and agree on every query.
    #[inline(always)]
    fn hits(&self, [ax, ay, ar]: [f32; 3], [bx, by, br]: [f32; 3]) -> bool {
        let Anchor { position, facing } = self.b_from_a;
        let dx = facing.x * bx - facing.y * by + (position.x - ax);
        let dy = facing.y * bx + facing.x * by + (position.y - ay);
        let reach = ar + br;
        dx * dx + dy * dy < reach * reach
    }

    /// Tests one frame after the other and stops at the first hit.
    #[inline]
    pub fn sweep(&self, frames: Range<i32>, tally: &mut impl Tally) -> bool {
        let Stretch { a: [ax, ay, ar], b: [bx, by, br] } = self.stretch(frames);
        let a = ax.iter().zip(ay).zip(ar);
        let b = bx.iter().zip(by).zip(br);
        for (((&ax, &ay), &ar), ((&bx, &by), &br)) in a.zip(b) {
            tally.samples(1);
            if self.hits([ax, ay, ar], [bx, by, br]) {
                return true;
            }
        }
        false
    }

    /// Tests eight frames at once and stops after the first eight with a hit.
    #[inline]
    pub fn wide_sweep(&self, frames: Range<i32>, tally: &mut impl Tally) -> bool {
        let Stretch { a: [ax, ay, ar], b: [bx, by, br] } = self.stretch(frames);
        let (ax, ax_rest) = ax.as_chunks::<LANES>();
        let (ay, ay_rest) = ay.as_chunks::<LANES>();
        let (ar, ar_rest) = ar.as_chunks::<LANES>();
        let (bx, bx_rest) = bx.as_chunks::<LANES>();
        let (by, by_rest) = by.as_chunks::<LANES>();
        let (br, br_rest) = br.as_chunks::<LANES>();
        let a = ax.iter().zip(ay).zip(ar);
        let b = bx.iter().zip(by).zip(br);
        for (((ax, ay), ar), ((bx, by), br)) in a.zip(b) {
            tally.samples(LANES as u32);
            let mut any = false;
            for i in 0..LANES {
                any |= self.hits([ax[i], ay[i], ar[i]], [bx[i], by[i], br[i]]);
            }
            if any {
                return true;
            }
        }
        tally.samples(ax_rest.len() as u32);
        let a = ax_rest.iter().zip(ay_rest).zip(ar_rest);
        let b = bx_rest.iter().zip(by_rest).zip(br_rest);
        a.zip(b).fold(false, |any, (((&ax, &ay), &ar), ((&bx, &by), &br))| {
            any | self.hits([ax, ay, ar], [bx, by, br])
        })
    }
}
