//! What an agent promises: where its disc is in each of the next frames, and where it then stands for ever.

use glam::Vec2;

/// Frames of a segment: one second.
pub const SEGMENT_FRAMES: usize = 30;
/// Frames of a stop.
pub const STOP_FRAMES: usize = 36;
/// Frames of a plan, a segment and a stop: the length of the ring that cells keep (Brunner 2014, section 4.1).
pub const PLAN_FRAMES: usize = SEGMENT_FRAMES + STOP_FRAMES;
/// Frames over which one segment goes over into the next (section 3.4).
pub(super) const BLEND_FRAMES: usize = 10;

/// Positions in each frame from the first on; the last one holds for ever.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The frame of the first position.
    pub start_frame: u32,
    /// Positions in metres.
    pub positions: [Vec2; PLAN_FRAMES + 1],
}

impl Plan {
    /// Standing still.
    pub fn standing(position: Vec2, start_frame: u32) -> Self {
        Self { start_frame, positions: [position; PLAN_FRAMES + 1] }
    }

    /// The position in `frame`, in metres.
    #[inline]
    pub fn position(&self, frame: u32) -> Vec2 {
        self.positions[(frame.saturating_sub(self.start_frame) as usize).min(PLAN_FRAMES)]
    }

    /// The first index from which on the position stays the same.
    pub fn rest_index(&self) -> usize {
        let last = self.positions[PLAN_FRAMES];
        self.positions.iter().rposition(|position| *position != last).map_or(0, |index| index + 1)
    }
}

/// How promises are kept apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promises {
    /// By the cells that discs touch, as published; the side of a cell in metres.
    Cells(f32),
    /// By the discs themselves: quicker, and nothing is refused that is free.
    Discs,
}
