//! Small linear programs in the plane of velocities (de Berg et al., Computational Geometry, chapter 4; van den Berg
//! et al. 2011, section 5).

use glam::Vec2;

/// The half-plane of velocities on the left of a directed line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HalfPlane {
    pub(crate) point: Vec2,
    /// A unit vector.
    pub(crate) direction: Vec2,
}

impl HalfPlane {
    /// How far a velocity is on the wrong side, in metres per second; negative on the right one.
    #[inline]
    pub(crate) fn violation(&self, velocity: Vec2) -> f32 {
        self.direction.perp_dot(self.point - velocity)
    }
}

/// Lines with directions closer to each other than this are parallel.
const PARALLEL: f32 = 1e-5;

/// The part of a line, as parameters along it, inside of the disc of speeds and of all half-planes before it.
#[inline]
fn allowed_part(planes: &[HalfPlane], line: HalfPlane, max_speed: f32) -> Option<(f32, f32)> {
    let along = line.point.dot(line.direction);
    let off = line.direction.perp_dot(line.point);
    let discriminant = max_speed * max_speed - off * off;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let (mut left, mut right) = (-along - root, -along + root);
    for plane in planes {
        let denominator = line.direction.perp_dot(plane.direction);
        let numerator = plane.direction.perp_dot(line.point - plane.point);
        if denominator.abs() <= PARALLEL {
            if numerator < 0.0 {
                return None;
            }
            continue;
        }
        let t = numerator / denominator;
        if denominator >= 0.0 {
            right = right.min(t);
        } else {
            left = left.max(t);
        }
        if left > right {
            return None;
        }
    }
    Some((left, right))
}

/// The velocity nearest to `preferred` in all half-planes and not faster than `max_speed`; or the number of the first
/// half-plane that cannot be met, and the best velocity for those before.
#[inline]
pub(crate) fn nearest_velocity(
    planes: &[HalfPlane],
    max_speed: f32,
    preferred: Vec2,
) -> Result<Vec2, (usize, Vec2)> {
    let mut best = super::clamp_speed(preferred, max_speed);
    for (number, plane) in planes.iter().enumerate() {
        if plane.violation(best) > 0.0 {
            let Some((left, right)) = allowed_part(&planes[..number], *plane, max_speed) else {
                return Err((number, best));
            };
            let t = plane.direction.dot(preferred - plane.point).clamp(left, right);
            best = plane.point + plane.direction * t;
        }
    }
    Ok(best)
}

/// The velocity farthest along `direction` in all half-planes, or `None`.
#[inline]
fn farthest_velocity(planes: &[HalfPlane], max_speed: f32, direction: Vec2) -> Option<Vec2> {
    let mut best = direction * max_speed;
    for (number, plane) in planes.iter().enumerate() {
        if plane.violation(best) > 0.0 {
            let (left, right) = allowed_part(&planes[..number], *plane, max_speed)?;
            let t = if direction.dot(plane.direction) > 0.0 { right } else { left };
            best = plane.point + plane.direction * t;
        }
    }
    Some(best)
}

/// The velocities that go no more against `other` than against `plane`; `None` where the two face the same way.
///
/// d × (p − v) is equal for both on the line (d' − d) × v = d' × p' − d × p. Its point nearest to standing still is
/// found without cutting the two lines: where they are nearly parallel they cut far off, and rounding there is large.
#[inline]
fn equal_violation(plane: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let normal = other.direction - plane.direction;
    let length = normal.length();
    if length <= PARALLEL {
        return None;
    }
    let direction = normal / length;
    let off = other.direction.perp_dot(other.point) - plane.direction.perp_dot(plane.point);
    Some(HalfPlane { point: direction.perp() * (off / length), direction })
}

/// Where the half-planes have no velocity in common: the velocity that goes least against the worst of them. The first
/// `hard` half-planes are kept in any case. `failed` and `best` come from [`nearest_velocity`].
pub(crate) fn least_violation<const N: usize>(
    planes: &[HalfPlane],
    hard: usize,
    failed: usize,
    max_speed: f32,
    mut best: Vec2,
) -> Vec2 {
    let mut worst = 0.0;
    let mut projected = [HalfPlane::default(); N];
    for (number, plane) in planes.iter().enumerate().skip(failed) {
        if plane.violation(best) <= worst {
            continue;
        }
        projected[..hard].copy_from_slice(&planes[..hard]);
        let mut count = hard;
        for other in &planes[hard.min(number)..number] {
            if let Some(equal) = equal_violation(plane, other) {
                projected[count] = equal;
                count += 1;
            }
        }
        // Without an answer (rounding) the last one stays.
        if let Some(found) = farthest_velocity(&projected[..count], max_speed, plane.direction.perp()) {
            best = found;
        }
        worst = plane.violation(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plane(angle: f32, distance: f32) -> HalfPlane {
        let direction = Vec2::new(libm::cosf(angle), libm::sinf(angle));
        HalfPlane { point: -direction.perp() * distance, direction }
    }

    /// The least that any velocity of a fine grid goes against the worst of some half-planes.
    fn least_sampled(planes: &[HalfPlane]) -> f32 {
        let samples = (-60..=60).flat_map(|x| (-60..=60).map(move |y| Vec2::new(x as f32, y as f32) * 0.03));
        samples.filter(|v| v.length() <= 1.8).map(|v| worst(planes, v)).fold(f32::INFINITY, f32::min)
    }

    fn worst(planes: &[HalfPlane], velocity: Vec2) -> f32 {
        planes.iter().map(|plane| plane.violation(velocity)).fold(f32::NEG_INFINITY, f32::max)
    }

    /// Lines that cut hundreds or thousands of metres a second away.
    #[test]
    fn nearly_parallel_sides_give_a_speed_that_is_allowed() {
        let pairs = [
            [(6.247_853_3, 0.0), (3.106_497, -0.102_284_61)],
            [(3.621_508_4, 0.0), (0.479_791_67, -0.504_716_9)],
        ];
        for sides in pairs {
            let planes = sides.map(|(angle, distance)| plane(angle, distance));
            let (failed, best) = nearest_velocity(&planes, 1.8, Vec2::ZERO).unwrap_err();
            let velocity = least_violation::<2>(&planes, 0, failed, 1.8, best);
            assert!(velocity.length() <= 1.8001, "{velocity} for {sides:?}");
            assert!(worst(&planes, velocity) <= least_sampled(&planes) + 1e-3, "{velocity} for {sides:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_sampled_is_nearer(
            sides in prop::collection::vec((0.0f32..6.3, -0.8f32..1.5), 1..10),
            x in -2.0f32..2.0, y in -2.0f32..2.0,
        ) {
            let planes: Vec<HalfPlane> = sides.into_iter().map(|(angle, d)| plane(angle, d)).collect();
            let preferred = Vec2::new(x, y);
            let samples = (-30..=30).flat_map(|x| (-30..=30).map(move |y| Vec2::new(x as f32, y as f32) * 0.06));
            let allowed = samples.filter(|v| v.length() <= 1.8 && planes.iter().all(|p| p.violation(*v) <= 0.0));
            match nearest_velocity(&planes, 1.8, preferred) {
                Ok(best) => {
                    prop_assert!(best.length() < 1.801);
                    prop_assert!(planes.iter().all(|p| p.violation(best) < 1e-3));
                    for sample in allowed {
                        prop_assert!(best.distance(preferred) <= sample.distance(preferred) + 1e-3);
                    }
                }
                Err((failed, best)) => {
                    prop_assert_eq!(allowed.count(), 0);
                    let velocity = least_violation::<10>(&planes, 0, failed, 1.8, best);
                    prop_assert!(velocity.is_finite() && velocity.length() < 1.801);
                    prop_assert!(worst(&planes, velocity) <= least_sampled(&planes) + 1e-3);
                }
            }
        }
    }
}
