//! Position and heading on the ground, and how they compose.

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};
use std::f32::consts::{PI, TAU};

/// Where something stands on the ground and which way it faces.
///
/// Heading 0 faces +x; positive headings turn left (towards +y). Composing clips composes placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Ground position in metres.
    pub position: Vec2,
    /// Heading in radians, counter-clockwise from +x.
    pub heading: f32,
}

impl Placement {
    /// The origin, facing +x.
    pub const IDENTITY: Self = Self { position: Vec2::ZERO, heading: 0.0 };

    /// A placement at `(x, y)` metres, facing `heading` radians.
    pub const fn new(x: f32, y: f32, heading: f32) -> Self {
        Self { position: Vec2::new(x, y), heading }
    }

    /// The unit vector that this placement faces, which is also its rotation as a complex number.
    pub fn facing(self) -> Vec2 {
        let (sin, cos) = libm::sincosf(self.heading);
        Vec2::new(cos, sin)
    }

    /// The rotation about the vertical axis that turns +x into the facing direction.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_z(self.heading)
    }

    /// Takes a ground point from this placement's own frame to the world's.
    pub fn transform_point(self, point: Vec2) -> Vec2 {
        self.position + self.facing().rotate(point)
    }

    /// Takes a point in space from this placement's own frame to the world's.
    pub fn transform_point3(self, point: Vec3) -> Vec3 {
        self.transform_point(point.truncate()).extend(point.z)
    }

    /// `self` followed by `next`, where `next` is given in the frame of `self`; the heading stays in (-π, π].
    pub fn then(self, next: Self) -> Self {
        Self {
            position: self.transform_point(next.position),
            heading: wrap_angle(self.heading + next.heading),
        }
    }

    /// The placement that undoes this one: `p.then(p.inverse())` is the identity.
    pub fn inverse(self) -> Self {
        let back = Self { position: Vec2::ZERO, heading: -self.heading };
        Self { position: -back.transform_point(self.position), heading: wrap_angle(-self.heading) }
    }

    /// `self` as seen from `origin`: `origin.then(p.relative_to(origin))` is `p`.
    pub fn relative_to(self, origin: Self) -> Self {
        origin.inverse().then(self)
    }

    /// The placement a fraction `t` of the way to `other`, turning the short way round.
    pub fn lerp(self, other: Self, t: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, t),
            heading: wrap_angle(self.heading + wrap_angle(other.heading - self.heading) * t),
        }
    }
}

/// The same angle in radians, brought into (-π, π].
pub fn wrap_angle(angle: f32) -> f32 {
    if angle > -PI && angle <= PI {
        return angle;
    }
    let wrapped = angle - TAU * ((angle + PI) / TAU).floor();
    if wrapped <= -PI { PI } else { wrapped.min(PI) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn placement() -> impl Strategy<Value = Placement> {
        (-50.0f32..50.0, -50.0f32..50.0, -10.0f32..10.0).prop_map(|(x, y, h)| Placement::new(x, y, h))
    }

    fn assert_close(a: Placement, b: Placement) {
        assert!(a.position.distance(b.position) < 1e-3, "{a:?} {b:?}");
        assert!(wrap_angle(a.heading - b.heading).abs() < 1e-4, "{a:?} {b:?}");
    }

    proptest! {
        #[test]
        fn inverse_undoes(p in placement()) {
            assert_close(p.then(p.inverse()), Placement::IDENTITY);
        }

        #[test]
        fn composition_is_associative(a in placement(), b in placement(), c in placement()) {
            assert_close(a.then(b).then(c), a.then(b.then(c)));
        }

        #[test]
        fn relative_to_is_the_inverse_of_then(a in placement(), b in placement()) {
            assert_close(a.then(b.relative_to(a)), b);
        }

        #[test]
        fn wrapped_angles_stay_in_range(angle in -1000.0f32..1000.0) {
            let wrapped = wrap_angle(angle);
            prop_assert!(wrapped > -PI && wrapped <= PI);
            prop_assert!((libm::cosf(angle) - libm::cosf(wrapped)).abs() < 1e-3);
        }
    }
}
