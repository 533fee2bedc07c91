//! Where motions are placed, ready for many tests.

use super::Disc;
use crate::Placement;
use glam::Vec2;

/// A placement with its rotation worked out, so that a test needs no trigonometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Ground position in metres.
    pub position: Vec2,
    /// The unit vector it faces, which is its rotation as a complex number.
    pub facing: Vec2,
}

impl From<Placement> for Anchor {
    fn from(placement: Placement) -> Self {
        Self { position: placement.position, facing: placement.facing() }
    }
}

impl Anchor {
    /// Takes a ground point from this anchor's frame to the world's.
    #[inline]
    pub fn transform_point(self, point: Vec2) -> Vec2 {
        self.position + self.facing.rotate(point)
    }

    /// Takes a ground point from the world's frame to this anchor's.
    #[inline]
    pub fn inverse_transform_point(self, point: Vec2) -> Vec2 {
        unrotate(self.facing, point - self.position)
    }

    /// Takes a disc from this anchor's frame to the world's.
    #[inline]
    pub fn transform_disc(self, disc: Disc) -> Disc {
        Disc::new(self.transform_point(disc.centre), disc.radius)
    }

    /// The world as seen from this anchor.
    #[inline]
    pub(super) fn inverse(self) -> Self {
        Self {
            position: -unrotate(self.facing, self.position),
            facing: Vec2::new(self.facing.x, -self.facing.y),
        }
    }

    /// `other` as seen from this anchor.
    #[inline]
    pub(super) fn see(self, other: Self) -> Self {
        Self {
            position: self.inverse_transform_point(other.position),
            facing: unrotate(self.facing, other.facing),
        }
    }
}

/// `vector` turned back by the unit vector `facing`.
#[inline]
fn unrotate(facing: Vec2, vector: Vec2) -> Vec2 {
    Vec2::new(facing.x * vector.x + facing.y * vector.y, facing.x * vector.y - facing.y * vector.x)
}
