//! Counting the work of a query.

/// Receives the work of a query; `()` ignores it, and then the counting compiles to nothing.
pub trait Tally {
    /// Whether it wants to know.
    const COUNTS: bool;

    /// `count` pairs of boxes aligned with time were tested.
    #[inline]
    fn boxes_2d(&mut self, count: u32) {
        let _ = count;
    }

    /// `count` pairs of boxes tilted in space-time were tested.
    #[inline]
    fn boxes_3d(&mut self, count: u32) {
        let _ = count;
    }

    /// `count` pairs of samples were tested.
    #[inline]
    fn samples(&mut self, count: u32) {
        let _ = count;
    }
}

impl Tally for () {
    const COUNTS: bool = false;
}

/// How much work queries did, in the units of the thesis' tables 4.1 and 4.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Pairs of boxes aligned with time that were tested in space, whichever of their bounds decided.
    pub boxes_2d: u64,
    /// Pairs of boxes of which at least one is tilted in space-time that were tested.
    pub boxes_3d: u64,
    /// Pairs of samples whose distance was tested.
    pub samples: u64,
}

impl Tally for Work {
    const COUNTS: bool = true;

    fn boxes_2d(&mut self, count: u32) {
        self.boxes_2d += u64::from(count);
    }

    fn boxes_3d(&mut self, count: u32) {
        self.boxes_3d += u64::from(count);
    }

    fn samples(&mut self, count: u32) {
        self.samples += u64::from(count);
    }
}
