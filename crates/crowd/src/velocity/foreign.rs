//! Discs on a straight way: how velocity agents and clip agents see each other.

use crate::commitment::Commitment;
use crate::moves::MoveBook;
use glam::Vec2;

/// Frames in a second.
const FRAME_RATE: f32 = 30.0;

/// A disc that moves straight on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingDisc {
    /// Where it is now, in metres.
    pub centre: Vec2,
    /// Where it is going, in metres per second.
    pub velocity: Vec2,
    /// Its radius in metres.
    pub radius: f32,
}

impl MovingDisc {
    /// What a clip agent does in `frame`, for velocity agents to avoid: its disc, and its velocity over the next half
    /// second of its commitment, which evens out the sway of its steps.
    pub fn of_commitment(commitment: &Commitment, book: &MoveBook, frame: u32) -> Self {
        const AHEAD: u32 = 15;
        let centre = commitment.position(book, frame);
        let velocity = (commitment.position(book, frame + AHEAD) - centre) * (FRAME_RATE / AHEAD as f32);
        Self { centre, velocity, radius: commitment.radius(book) }
    }
}
