//! One moment of a body, and where its joints are.

use crate::{Placement, Skeleton};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A body's configuration relative to its ground placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Height of the root joint above the ground in metres.
    pub root_height: f32,
    /// Rotation of each joint in its parent's frame; the root's has its heading removed.
    pub rotations: Vec<Quat>,
}

/// Joint positions and orientations in space, from forward kinematics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointFrames {
    /// Position of each joint in metres.
    pub positions: Vec<Vec3>,
    /// Orientation of each joint's frame.
    pub orientations: Vec<Quat>,
}

impl JointFrames {
    /// The end of `joint`'s bone in space, in metres, or the joint itself where it has no tip.
    pub fn tip(&self, skeleton: &Skeleton, joint: usize) -> Vec3 {
        let tip = skeleton.joints()[joint].tip.unwrap_or(Vec3::ZERO);
        self.positions[joint] + self.orientations[joint] * tip
    }

    /// Poses a skeleton: root at `root` (metres) and each joint turned by its local rotation.
    pub fn compute(&mut self, skeleton: &Skeleton, root: Vec3, rotations: &[Quat]) {
        self.positions.clear();
        self.orientations.clear();
        for (joint, &rotation) in skeleton.joints().iter().zip(rotations) {
            let (position, orientation) = match joint.parent {
                None => (root, rotation),
                Some(parent) => {
                    let parent = usize::from(parent);
                    let turn = self.orientations[parent];
                    (self.positions[parent] + turn * joint.offset, turn * rotation)
                }
            };
            self.positions.push(position);
            self.orientations.push(orientation);
        }
    }
}

impl Pose {
    /// Where the joints are when the body stands at `placement`.
    pub fn joints(&self, skeleton: &Skeleton, placement: Placement) -> JointFrames {
        let mut frames = JointFrames::default();
        let mut rotations = self.rotations.clone();
        rotations[0] = placement.rotation() * rotations[0];
        frames.compute(skeleton, placement.position.extend(self.root_height), &rotations);
        frames
    }
}

/// The rotation about the vertical axis in `rotation` (its swing-twist decomposition), in radians.
pub fn heading_of(rotation: Quat) -> f32 {
    2.0 * libm::atan2f(rotation.z, rotation.w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrap_angle;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn heading_is_the_twist_about_the_vertical(heading in -3.0f32..3.0, tilt in -1.0f32..1.0, roll in -1.0f32..1.0) {
            let swing = Quat::from_scaled_axis(Vec3::new(roll, tilt, 0.0));
            let whole = Quat::from_rotation_z(heading) * swing;
            prop_assert!(wrap_angle(heading_of(whole) - heading).abs() < 1e-4);
        }
    }
}
