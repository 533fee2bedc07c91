//! Measures of how good a clip is.

use crate::Skeleton;
use glam::Vec3;

/// The lowest point of the heel in the frame of the ankle joint `foot`, in metres.
///
/// Skeletons end the heel at the ankle; the sole is as far below it as the toes, the heel a little behind.
pub fn heel_offset(skeleton: &Skeleton, foot: usize) -> Vec3 {
    let Some(toe) = skeleton.children(foot).next() else { return Vec3::ZERO };
    let toe = skeleton.joints()[toe].offset;
    Vec3::new(-0.38 * toe.x, -0.38 * toe.y, toe.z * 4.0 / 3.0)
}
