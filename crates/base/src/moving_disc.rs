//! Discs on a straight way: how people who are moved by different things see each other.

use glam::Vec2;

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
