//! Analytic inverse kinematics of a limb of two bones (thigh and shank, upper arm and forearm).

use crate::{JointFrames, Skeleton};
use glam::{Mat3, Quat, Vec3};

/// The three joints of a limb: each is a descendant of the one before it, with no rotation needed in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limb {
    /// Hip or shoulder.
    pub upper: usize,
    /// Knee or elbow.
    pub middle: usize,
    /// Ankle or wrist.
    pub end: usize,
}

/// Where a limb's joints go so that its end reaches a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Position of the knee or elbow in metres.
    pub middle: Vec3,
    /// Position of the ankle or wrist in metres: the target, or short of it where the limb would be overstretched.
    pub end: Vec3,
}

/// How a limb slows down as it straightens, so that a knee never snaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftLimit {
    /// Fraction of the full length from which on the reach falls behind the target.
    pub from: f32,
    /// Fraction of the full length that is approached but never passed.
    pub to: f32,
}

impl Default for SoftLimit {
    fn default() -> Self {
        Self { from: 0.985, to: 0.9995 }
    }
}

impl SoftLimit {
    /// The distance reached, in metres, when `wanted` metres are asked of a limb of `length` metres.
    pub fn reach(self, wanted: f32, length: f32) -> f32 {
        let start = self.from * length;
        let room = (self.to - self.from) * length;
        if wanted <= start || room <= 0.0 {
            return wanted.min(self.to * length);
        }
        // Slope 1 at `start`, then exponentially towards the limit.
        start + room * (1.0 - libm::expf(-(wanted - start) / room))
    }
}

/// Solves a limb that starts at `root`: bone lengths in metres, and `bend`, the way its knee or elbow points.
///
/// `bend` need not be a unit vector nor at right angles to the limb.
pub fn reach(root: Vec3, upper: f32, lower: f32, target: Vec3, bend: Vec3, limit: SoftLimit) -> Reach {
    let to_target = target - root;
    let axis = to_target.try_normalize().unwrap_or(Vec3::NEG_Z);
    let shortest = (upper - lower).abs() + 1e-4;
    let distance = limit.reach(to_target.length(), upper + lower).max(shortest);
    // Law of cosines, for the angle at `root` between the limb's axis and its upper bone.
    let cosine = (upper * upper + distance * distance - lower * lower) / (2.0 * upper * distance);
    let cosine = cosine.clamp(-1.0, 1.0);
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    let side = bend.reject_from_normalized(axis).try_normalize();
    let side = side.unwrap_or_else(|| axis.any_orthonormal_vector());
    Reach { middle: root + (axis * cosine + side * sine) * upper, end: root + axis * distance }
}

/// The way the limb's knee or elbow points in a pose; where the limb is straight, `straight` (metres, in space).
pub fn bend_direction(frames: &JointFrames, limb: Limb, straight: Vec3) -> Vec3 {
    let root = frames.positions[limb.upper];
    let middle = frames.positions[limb.middle] - root;
    let axis = (frames.positions[limb.end] - root).try_normalize().unwrap_or(Vec3::NEG_Z);
    let out = middle.reject_from_normalized(axis);
    // Within about one degree of straight the plane is noise: fade to the given direction.
    let trust = (out.length() / (0.02 * middle.length().max(1e-6))).min(1.0);
    let fallback = straight.reject_from_normalized(axis).normalize_or_zero();
    (out.normalize_or_zero() * trust + fallback * (1.0 - trust)).try_normalize().unwrap_or(straight)
}

/// Turns a posed limb so that its end joint reaches `target` (metres), its knee or elbow pointing along `bend`.
///
/// Changes the local rotations of the upper and middle joint, and of the end joint so that its orientation in
/// space stays. `frames` is the pose before and is brought up to date for the three joints only: compute it again
/// if joints below the end matter.
pub fn bend_limb(
    skeleton: &Skeleton,
    frames: &mut JointFrames,
    rotations: &mut [Quat],
    limb: Limb,
    target: Vec3,
    bend: Vec3,
    limit: SoftLimit,
) {
    let root = frames.positions[limb.upper];
    let old_middle = frames.positions[limb.middle];
    let old_end = frames.positions[limb.end];
    let lengths = (root.distance(old_middle), old_middle.distance(old_end));
    let old_bend = bend_direction(frames, limb, bend);
    let solved = reach(root, lengths.0, lengths.1, target, bend, limit);

    // Each bone is carried with its plane from the old triangle to the new one, so twist follows the knee.
    let new_axis = (solved.end - root).normalize_or(Vec3::NEG_Z);
    let new_normal = new_axis.cross(solved.middle - root).try_normalize();
    let old_axis = (old_end - root).normalize_or(Vec3::NEG_Z);
    let old_normal = old_axis.cross(old_bend).try_normalize();
    let (Some(new_normal), Some(old_normal)) = (new_normal.or(old_normal), old_normal) else { return };
    let upper_turn = turn_between(old_middle - root, old_normal, solved.middle - root, new_normal);
    let lower_turn = turn_between(old_end - old_middle, old_normal, solved.end - solved.middle, new_normal);

    let end_orientation = frames.orientations[limb.end];
    let upper_orientation = (upper_turn * frames.orientations[limb.upper]).normalize();
    let lower_orientation = (lower_turn * frames.orientations[limb.middle]).normalize();
    let above = skeleton.parent(limb.upper).map_or(Quat::IDENTITY, |parent| frames.orientations[parent]);
    rotations[limb.upper] = (above.inverse() * upper_orientation).normalize();
    rotations[limb.middle] = (upper_orientation.inverse() * lower_orientation).normalize();
    rotations[limb.end] = (lower_orientation.inverse() * end_orientation).normalize();
    frames.orientations[limb.upper] = upper_orientation;
    frames.orientations[limb.middle] = lower_orientation;
    frames.positions[limb.middle] = solved.middle;
    frames.positions[limb.end] = solved.end;
}

/// The rotation that takes one bone and the normal of its bending plane to another bone and normal.
fn turn_between(old_bone: Vec3, old_normal: Vec3, new_bone: Vec3, new_normal: Vec3) -> Quat {
    let basis = |bone: Vec3, normal: Vec3| {
        let x = bone.normalize_or(Vec3::NEG_Z);
        let z = normal.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
        Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z))
    };
    basis(new_bone, new_normal) * basis(old_bone, old_normal).inverse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;
    use proptest::prelude::*;

    fn leg() -> Skeleton {
        let joint = |name: &str, parent, offset| Joint { name: name.into(), parent, offset, tip: None };
        Skeleton::new(vec![
            joint("Hips", None, Vec3::ZERO),
            joint("UpLeg", Some(0), Vec3::new(0.0, 0.1, -0.05)),
            joint("Leg", Some(1), Vec3::new(0.0, 0.0, -0.43)),
            joint("Foot", Some(2), Vec3::new(0.0, 0.0, -0.42)),
        ])
        .unwrap()
    }

    const LIMB: Limb = Limb { upper: 1, middle: 2, end: 3 };

    fn unit(x: f32, y: f32, z: f32) -> Quat {
        Quat::from_scaled_axis(Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn reaches_what_is_in_reach_and_keeps_the_rest(
            hip in -1.0f32..1.0, knee in 0.1f32..2.0, twist in -0.5f32..0.5,
            x in -0.4f32..0.4, y in -0.3f32..0.4, z in -0.75f32..-0.4,
        ) {
            let skeleton = leg();
            let mut rotations = vec![unit(0.1, 0.2, 0.3), unit(0.1, -hip, twist), unit(0.0, knee, 0.0), unit(0.0, 0.2, 0.1)];
            let mut frames = JointFrames::default();
            frames.compute(&skeleton, Vec3::Z, &rotations);
            let foot = frames.orientations[3];
            let target = Vec3::new(x, y, 1.0 + z);
            prop_assume!(target.distance(frames.positions[1]) < 0.98 * 0.85);
            let bend = bend_direction(&frames, LIMB, Vec3::X);
            bend_limb(&skeleton, &mut frames, &mut rotations, LIMB, target, bend, SoftLimit::default());
            let told = frames.clone();
            frames.compute(&skeleton, Vec3::Z, &rotations);
            for joint in 0..4 {
                prop_assert!(frames.positions[joint].distance(told.positions[joint]) < 1e-4);
            }
            prop_assert!(frames.positions[3].distance(target) < 1e-3);
            prop_assert!(frames.orientations[3].angle_between(foot) < 2e-3);
            prop_assert!((frames.positions[2] - frames.positions[1]).dot(bend) > -0.3);
        }

        #[test]
        fn never_stretches_beyond_its_length(distance in 0.0f32..3.0, upper in 0.2f32..0.5, lower in 0.2f32..0.5) {
            let solved = reach(Vec3::ZERO, upper, lower, Vec3::X * distance, Vec3::Z, SoftLimit::default());
            prop_assert!(solved.end.length() < upper + lower);
            prop_assert!((solved.middle.length() - upper).abs() < 1e-4);
            prop_assert!((solved.middle.distance(solved.end) - lower).abs() < 1e-3);
        }
    }

    #[test]
    fn a_pose_that_already_reaches_is_left_alone() {
        let skeleton = leg();
        let mut rotations =
            vec![Quat::IDENTITY, unit(0.0, -0.4, 0.1), unit(0.0, 0.7, 0.0), unit(0.0, 0.1, 0.0)];
        let before = rotations.clone();
        let mut frames = JointFrames::default();
        frames.compute(&skeleton, Vec3::Z, &rotations);
        let (target, bend) = (frames.positions[3], bend_direction(&frames, LIMB, Vec3::X));
        bend_limb(&skeleton, &mut frames, &mut rotations, LIMB, target, bend, SoftLimit::default());
        for (a, b) in before.iter().zip(&rotations) {
            assert!(a.angle_between(*b) < 2e-3);
        }
    }
}
