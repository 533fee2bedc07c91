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

    /// The centre after `seconds`.
    pub fn at(&self, seconds: f32) -> Vec2 {
        self.centre + self.velocity * seconds
    }

    /// A disc that holds this one for all of the next `seconds`.
    pub fn bounds(&self, seconds: f32) -> (Vec2, f32) {
        (self.at(seconds / 2.0), self.radius + self.velocity.length() * seconds / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_the_way() {
        let disc = MovingDisc { centre: Vec2::new(1.0, 2.0), velocity: Vec2::new(1.5, -0.5), radius: 0.3 };
        let (centre, radius) = disc.bounds(2.0);
        for step in 0..=20 {
            let at = disc.at(step as f32 * 0.1);
            assert!(at.distance(centre) + disc.radius <= radius + 1e-5);
        }
    }
}
