//! Skeletons of other proportions.

use super::Proportions;
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{Joint, JointFrames, Skeleton};
use glam::{Quat, Vec3};

/// Where the joints are in the rest pose, the lowest point of the body at height 0.
pub fn rest_positions(skeleton: &Skeleton) -> Vec<Vec3> {
    let mut frames = JointFrames::default();
    frames.compute(skeleton, skeleton.joints()[0].offset, &vec![Quat::IDENTITY; skeleton.len()]);
    frames.positions
}

/// Height of the skeleton at rest in metres, from its lowest joint or tip to its highest.
pub fn stature(skeleton: &Skeleton) -> f32 {
    let positions = rest_positions(skeleton);
    let tips =
        skeleton.joints().iter().zip(&positions).map(|(joint, p)| (*p + joint.tip.unwrap_or(Vec3::ZERO)).z);
    let heights = positions.iter().map(|p| p.z).chain(tips);
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
    (high - low).max(0.1)
}

/// The skeleton with the height and the legs of `proportions`: what is lost in the legs is gained in the trunk.
pub fn fit(skeleton: &Skeleton, proportions: &Proportions) -> Skeleton {
    let body = Body::guess(skeleton);
    let scale = proportions.height.map_or(1.0, |height| height.clamp(0.4, 2.5) / stature(skeleton));
    let legs = proportions.legs.clamp(0.7, 1.3);
    let leg_joints: Vec<usize> = Side::BOTH
        .into_iter()
        .flat_map(|side| [LimbPart::Leg, LimbPart::Foot].map(|part| body.limb(side, part)))
        .flatten()
        .collect();
    let positions = rest_positions(skeleton);
    let hip = body.limb(Side::Left, LimbPart::UpLeg).map_or(0.0, |joint| positions[joint].z);
    let ankle = body.limb(Side::Left, LimbPart::Foot).map_or(0.0, |joint| positions[joint].z);
    let neck = body.neck.map_or(hip + 0.5, |joint| positions[joint].z);
    let leg = (hip - ankle).max(0.1);
    let trunk = ((neck - hip - leg * (legs - 1.0)) / (neck - hip).max(0.1)).clamp(0.6, 1.5);
    let joints = skeleton.joints().iter().enumerate().map(|(index, joint)| {
        let mut offset = joint.offset * scale;
        if leg_joints.contains(&index) {
            offset *= legs;
        } else if body.spine.contains(&index) || body.neck == Some(index) {
            offset.z *= trunk;
        } else if joint.parent.is_none() {
            offset.z += leg * scale * (legs - 1.0);
        }
        Joint { offset, tip: joint.tip.map(|tip| tip * scale), ..joint.clone() }
    });
    // Only lengths have changed: the hierarchy is as sound as it was.
    Skeleton::new(joints.collect()).unwrap_or_else(|_| skeleton.clone())
}
