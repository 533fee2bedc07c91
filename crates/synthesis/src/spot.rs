//! Placements that compose without trigonometry.

use crowdloom_motion::{Placement, wrap_angle};
use glam::Vec2;

/// A placement with its facing worked out; headings add up and are not wrapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub position: Vec2,
    pub facing: Vec2,
    pub heading: f32,
}

impl Default for Spot {
    fn default() -> Self {
        Placement::IDENTITY.into()
    }
}

impl From<Placement> for Spot {
    fn from(placement: Placement) -> Self {
        Self { position: placement.position, facing: placement.facing(), heading: placement.heading }
    }
}

impl Spot {
    /// The same as a placement.
    pub fn placement(self) -> Placement {
        Placement { position: self.position, heading: wrap_angle(self.heading) }
    }

    /// A point of this spot's frame in the world.
    #[inline]
    pub fn point(self, point: Vec2) -> Vec2 {
        self.position + self.facing.rotate(point)
    }

    /// `self` followed by `next`.
    #[inline]
    pub fn then(self, next: Self) -> Self {
        Self {
            position: self.point(next.position),
            facing: self.facing.rotate(next.facing),
            heading: self.heading + next.heading,
        }
    }

    /// What undoes this spot.
    pub fn inverse(self) -> Self {
        let back = Vec2::new(self.facing.x, -self.facing.y);
        Self { position: -back.rotate(self.position), facing: back, heading: -self.heading }
    }
}
