//! The vertical cylinder around a body.

use crate::{Clip, Placement, Skeleton};

/// Radius in metres, for each frame, of the vertical cylinder around the root that holds every joint and tip
/// (thesis section 4.2).
pub fn measure_radii(skeleton: &Skeleton, clip: &Clip) -> Vec<f32> {
    (0..clip.frames())
        .map(|frame| {
            let joints = clip.pose(frame).joints(skeleton, Placement::IDENTITY);
            let tips = (0..skeleton.len()).map(|joint| joints.tip(skeleton, joint));
            let reach = joints.positions.iter().copied().chain(tips).map(|point| point.truncate().length());
            reach.fold(0.0, f32::max)
        })
        .collect()
}
