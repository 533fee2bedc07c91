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
    let discriminant = along * along + max_speed * max_speed - line.point.length_squared();
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
            let determinant = plane.direction.perp_dot(other.direction);
            let point = if determinant.abs() <= PARALLEL {
                if plane.direction.dot(other.direction) > 0.0 {
                    continue;
                }
                0.5 * (plane.point + other.point)
            } else {
                let t = other.direction.perp_dot(plane.point - other.point) / determinant;
                plane.point + plane.direction * t
            };
            let direction = (other.direction - plane.direction).normalize_or(Vec2::X);
            projected[count] = HalfPlane { point, direction };
            count += 1;
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
                }
            }
        }
    }
}
