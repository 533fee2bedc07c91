//! Floors that slope: capture volumes are often calibrated a degree or two off, so that people walk uphill.

use super::glitch::Frames;
use crate::body::{Body, Side};
use crate::{FRAME_RATE, JointFrames, Skeleton};
use glam::{DQuat, DVec3, Quat, Vec3};

/// A foot slower than this, in metres a second, for so many samples stands.
const STANDS: f32 = 0.40;
const LEAST_SAMPLES: usize = 3;
/// Fewer standing feet, or all within so many metres, tell nothing of a floor.
const LEAST_FEET: usize = 5;
const LEAST_REACH: f32 = 1.2;
/// A floor that rises by less than so many metres over the way is level …
const LEAST_RISE: f32 = 0.02;
/// … and one that is steeper than this is a ramp, or stairs.
const STEEPEST: f32 = 0.09;
/// Standing feet lie on the floor to so many metres, or it is none.
const ROUGHEST: f32 = 0.025;

/// Turns a capture so that its floor is level; tells how steep it was, in degrees.
pub(super) fn level(skeleton: &Skeleton, frames: &mut Frames) -> Option<f32> {
    let feet = standing_feet(skeleton, frames);
    let slope = slope_under(&feet)?;
    let normal = DVec3::new(f64::from(-slope.x), f64::from(-slope.y), 1.0).normalize();
    let turn = DQuat::from_rotation_arc(normal, DVec3::Z);
    let origin = frames.roots[0];
    for root in &mut frames.roots {
        *root = origin + turn * (*root - origin);
    }
    let joints = frames.joints;
    for rotation in frames.rotations.iter_mut().step_by(joints) {
        *rotation = (turn * *rotation).normalize();
    }
    Some(libm::atanf(slope.truncate().length()).to_degrees())
}

/// Where feet stand for a while: the lowest point of each.
fn standing_feet(skeleton: &Skeleton, frames: &Frames) -> Vec<Vec3> {
    let body = Body::guess(skeleton);
    let legs: Vec<_> = Side::BOTH.iter().filter_map(|&side| body.leg(side)).collect();
    let step = (1.0 / (f64::from(FRAME_RATE) * frames.frame_time)).round().max(1.0) as usize;
    let seconds = (step as f64 * frames.frame_time) as f32;
    let mut posed = JointFrames::default();
    let mut paths: Vec<Vec<Vec3>> = vec![Vec::new(); legs.len()];
    for frame in (0..frames.roots.len()).step_by(step) {
        let rotations: Vec<Quat> =
            frames.rotations[frame * frames.joints..][..frames.joints].iter().map(|q| q.as_quat()).collect();
        posed.compute(skeleton, frames.roots[frame].as_vec3(), &rotations);
        for (path, leg) in paths.iter_mut().zip(&legs) {
            let (ball, tip) = (posed.positions[leg.ball], posed.tip(skeleton, leg.ball));
            path.push(ball.with_z(ball.z.min(tip.z)));
        }
    }
    let mut feet = Vec::new();
    for path in &paths {
        let mut run: Vec<Vec3> = Vec::new();
        for pair in path.windows(2) {
            if pair[1].distance(pair[0]) / seconds < STANDS {
                run.push(pair[1]);
                continue;
            }
            feet.extend(middle(&run));
            run.clear();
        }
        feet.extend(middle(&run));
    }
    feet
}

/// The middle of a run that is long enough.
fn middle(run: &[Vec3]) -> Option<Vec3> {
    (run.len() >= LEAST_SAMPLES).then(|| run.iter().sum::<Vec3>() / run.len() as f32)
}

/// How much the floor rises along x and y under standing feet, where that can be told and is to be mended; z is its height.
fn slope_under(feet: &[Vec3]) -> Option<Vec3> {
    if feet.len() < LEAST_FEET {
        return None;
    }
    let mut trusted = vec![1.0f32; feet.len()];
    let mut plane = Vec3::ZERO;
    let centre = feet.iter().sum::<Vec3>() / feet.len() as f32;
    for _ in 0..8 {
        plane = fitted(feet, &trusted, centre);
        // What lies far off the floor, as a foot on a chair does, counts less and less (Huber 1964).
        for (trust, foot) in trusted.iter_mut().zip(feet) {
            let off = (foot.z - height(plane, centre, *foot)).abs();
            *trust = (0.01 / off.max(0.01)).min(1.0);
        }
    }
    let mut off: Vec<f32> = feet.iter().map(|foot| (foot.z - height(plane, centre, *foot)).abs()).collect();
    off.sort_by(f32::total_cmp);
    let steep = plane.truncate().length();
    let along = plane.truncate().normalize_or_zero();
    let reach = feet.iter().map(|foot| (*foot - centre).truncate().dot(along));
    let (low, high) = reach.fold((0.0f32, 0.0f32), |(low, high), at| (low.min(at), high.max(at)));
    let told = high - low >= LEAST_REACH && steep * (high - low) >= LEAST_RISE;
    (told && steep <= STEEPEST && off[off.len() * 3 / 4] <= ROUGHEST).then_some(plane)
}

fn height(plane: Vec3, centre: Vec3, at: Vec3) -> f32 {
    plane.z + plane.truncate().dot((at - centre).truncate())
}

/// The plane of least squares, kept from leaning where feet are in one line.
fn fitted(feet: &[Vec3], trusted: &[f32], centre: Vec3) -> Vec3 {
    const RIDGE: f32 = 0.5;
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (RIDGE, 0.0, RIDGE, 0.0, 0.0);
    let (mut sum, mut heights, mut middle) = (0.0, 0.0, Vec3::ZERO);
    for (foot, trust) in feet.iter().zip(trusted) {
        sum += trust;
        heights += trust * foot.z;
        middle += (*foot - centre) * *trust;
    }
    let (mean, middle) = (heights / sum, middle / sum);
    for (foot, trust) in feet.iter().zip(trusted) {
        let p = *foot - centre - middle;
        let z = foot.z - mean;
        xx += trust * p.x * p.x;
        xy += trust * p.x * p.y;
        yy += trust * p.y * p.y;
        xz += trust * p.x * z;
        yz += trust * p.y * z;
    }
    let det = xx * yy - xy * xy;
    let (a, b) = ((xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det);
    Vec3::new(a, b, mean - a * middle.x - b * middle.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sloping_floor_is_told_and_stairs_are_left_alone() {
        let walk = |rise: f32| -> Vec<Vec3> {
            (0..12)
                .map(|step| {
                    let x = step as f32 * 0.6;
                    Vec3::new(x, if step % 2 == 0 { 0.1 } else { -0.1 }, 0.02 + x * rise)
                })
                .collect()
        };
        let slope = slope_under(&walk(0.02)).expect("13 cm over the walk");
        assert!((slope.x - 0.02).abs() < 0.002 && slope.y.abs() < 0.002, "{slope}");
        assert_eq!(slope_under(&walk(0.0005)), None);
        assert_eq!(slope_under(&walk(0.4)), None);
        // One foot on a box changes nothing.
        let mut boxed = walk(0.02);
        boxed[4].z += 0.4;
        assert!((slope_under(&boxed).unwrap().x - 0.02).abs() < 0.004);
    }
}
