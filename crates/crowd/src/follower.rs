//! A body that walks where its disc goes, on its own feet.
//!
//! It covers the ground that its steps cover, in the direction that it faces, and hurries or turns to keep up. What a
//! mover does besides, such as shoving discs about, a body does not follow before it is [`LEASH`] away.

use crowdloom_motion::{FRAME_RATE, FRAME_TIME, Placement, wrap_angle};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Where a body is, and how it follows its disc.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Follower {
    place: Vec2,
    heading: f32,
    /// The disc's place and velocity, smoothed.
    disc: Vec2,
    velocity: Vec2,
    /// The velocity that brings the body to where the disc is going.
    wish: Vec2,
}

/// The farthest that a body is from its disc, in metres: the radius of a usual disc.
const LEASH: f32 = 0.25;
/// Shares of what a disc's place is off that smoothing takes over in a frame into place and velocity: a critically damped
/// α-β filter (Benedict and Bordner 1962), which does not lag behind steady motion.
const SMOOTHING: [f32; 2] = [0.3, 0.053];
/// The share of what a body is off its disc that it makes good in a second.
const CATCHING_UP: f32 = 2.0;
/// Slower than this, in metres a second, nobody turns.
const TURNS: f32 = 0.2;
/// The share of the way to the direction of motion that a body turns in a frame …
const TURNING: f32 = 0.12;
/// … and the most, in radians.
const MOST_TURNING: f32 = 4.0 * FRAME_TIME;

impl Follower {
    /// A body at `at`, whose disc moves at `velocity` metres a second.
    pub(crate) fn new(at: Placement, velocity: Vec2) -> Self {
        Self { place: at.position, heading: at.heading, disc: at.position, velocity, wish: velocity }
    }

    /// Where the body is, but for the sway of its steps.
    pub(crate) fn placement(&self) -> Placement {
        Placement { position: self.place, heading: self.heading }
    }

    /// How fast the disc goes, in metres a second.
    pub(crate) fn disc_speed(&self) -> f32 {
        self.velocity.length()
    }

    /// How fast the body would have to go, in metres a second.
    pub(crate) fn wished_speed(&self) -> f32 {
        self.wish.length()
    }

    /// How fast its feet have to carry it in the direction that it faces, in metres a second.
    pub(crate) fn speed(&self) -> f32 {
        self.wish.dot(self.facing()).max(0.0)
    }

    /// Whether all of it is a number.
    pub(crate) fn is_finite(&self) -> bool {
        [self.place, self.disc, self.velocity, self.wish].iter().all(|vector| vector.is_finite())
            && self.heading.is_finite()
    }

    fn facing(&self) -> Vec2 {
        let (sin, cos) = libm::sincosf(self.heading);
        Vec2::new(cos, sin)
    }

    /// Sees where its disc is now.
    pub(crate) fn watch(&mut self, disc: Vec2) {
        let expected = self.disc + self.velocity * FRAME_TIME;
        let off = disc - expected;
        self.disc = expected + off * SMOOTHING[0];
        self.velocity += off * (SMOOTHING[1] * FRAME_RATE);
        self.wish = self.velocity + (self.disc - self.place) * CATCHING_UP;
    }

    /// Turns to where it has to go, about the foot that it stands on: `pivot` metres from its place, as the body sees it.
    pub(crate) fn turn(&mut self, pivot: Vec2) {
        if self.wish.length_squared() < TURNS * TURNS {
            return;
        }
        let turn = wrap_angle(libm::atan2f(self.wish.y, self.wish.x) - self.heading);
        let turn = (turn * TURNING).clamp(-MOST_TURNING, MOST_TURNING);
        let before = self.facing().rotate(pivot);
        self.heading = wrap_angle(self.heading + turn);
        self.place += before - self.facing().rotate(pivot);
    }

    /// Goes as far as its feet carry it, but not out of the disc's reach.
    pub(crate) fn go(&mut self, stride: f32, disc: Vec2) {
        let place = self.place + self.facing() * stride;
        self.place = disc + (place - disc).clamp_length_max(LEASH);
    }
}
