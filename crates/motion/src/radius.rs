//! How far a body reaches from its root over the ground.

use crate::{JointFrames, Skeleton};
use glam::{Quat, Vec3};

/// Radius in each frame, in metres, of the vertical cylinder around the root that holds every joint and bone tip.
///
/// `rotations` are the joint rotations, frame after frame; the heading of the root does not matter.
pub fn measure_radii(skeleton: &Skeleton, rotations: &[Quat]) -> Vec<f32> {
    let mut frames = JointFrames::default();
    rotations
        .chunks_exact(skeleton.len())
        .map(|rotations| {
            frames.compute(skeleton, Vec3::ZERO, rotations);
            (0..skeleton.len())
                .flat_map(|joint| [frames.positions[joint], frames.tip(skeleton, joint)])
                .map(|point| point.truncate().length())
                .fold(0.0, f32::max)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;

    #[test]
    fn the_radius_reaches_the_farthest_tip() {
        let joint = |name: &str, parent, offset, tip| Joint { name: name.into(), parent, offset, tip };
        let skeleton = Skeleton::new(vec![
            joint("Hips", None, Vec3::Z, None),
            joint("Arm", Some(0), Vec3::new(0.0, 0.2, 0.5), Some(Vec3::new(0.0, 0.6, 0.0))),
        ])
        .unwrap();
        let down = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let radii = measure_radii(&skeleton, &[Quat::IDENTITY, Quat::IDENTITY, Quat::IDENTITY, down]);
        assert!((radii[0] - 0.8).abs() < 1e-5 && (radii[1] - 0.2).abs() < 1e-5, "{radii:?}");
    }
}
