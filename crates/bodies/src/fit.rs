//! Skeletons of other proportions, and pieces on skeletons that are not the one they were made on.

use crate::Proportions;
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{Joint, JointFrames, Skeleton};
use crowdloom_shapes::rig::RIG;
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

/// How the rig that pieces were made on lies on a skeleton.
pub(crate) struct OnSkeleton {
    /// For each joint of the rig the skeleton's.
    pub joint: [usize; RIG.len()],
    /// For each joint of the rig: how lengths grow across and along the bone, the bone's direction, its turn, its new place.
    bones: [Bone; RIG.len()],
}

#[derive(Clone, Copy)]
struct Bone {
    across: f32,
    along: f32,
    direction: Vec3,
    turn: Quat,
    place: Vec3,
}

/// The joint of the rig at the far end of each bone; without one the bone just grows with the body.
const ENDS: [Option<usize>; RIG.len()] = [
    None,
    Some(2),
    Some(3),
    Some(4),
    Some(5),
    None,
    Some(7),
    Some(8),
    Some(9),
    None,
    Some(11),
    Some(12),
    Some(13),
    None,
    Some(15),
    Some(16),
    Some(17),
    None,
    Some(19),
    Some(20),
    Some(21),
    None,
];

/// The height of the rig in metres.
const RIG_HEIGHT: f32 = 1.75;

impl OnSkeleton {
    pub fn new(skeleton: &Skeleton) -> Self {
        let body = Body::guess(skeleton);
        let rest = rest_positions(skeleton);
        let spine = |share: f32| match body.spine.len() {
            0 => body.hips,
            count => body.spine[((count as f32 * share) as usize).min(count - 1)],
        };
        let limb = |side: Side, part: LimbPart| body.limb(side, part);
        let mut joint = [body.hips; RIG.len()];
        joint[1] = spine(0.0);
        joint[2] = spine(0.34);
        joint[3] = spine(0.99);
        joint[4] = body.neck.unwrap_or(joint[3]);
        joint[5] = body.head.unwrap_or(joint[4]);
        for (side, leg, arm) in [(Side::Left, 6, 14), (Side::Right, 10, 18)] {
            joint[leg] = limb(side, LimbPart::UpLeg).unwrap_or(body.hips);
            joint[leg + 1] = limb(side, LimbPart::Leg).unwrap_or(joint[leg]);
            joint[leg + 2] = limb(side, LimbPart::Foot).unwrap_or(joint[leg + 1]);
            joint[leg + 3] = limb(side, LimbPart::Toe).unwrap_or(joint[leg + 2]);
            joint[arm + 1] = limb(side, LimbPart::Arm).unwrap_or(joint[3]);
            joint[arm] = limb(side, LimbPart::Shoulder).unwrap_or(joint[3]);
            joint[arm + 2] = limb(side, LimbPart::ForeArm).unwrap_or(joint[arm + 1]);
            joint[arm + 3] = limb(side, LimbPart::Hand).unwrap_or(joint[arm + 2]);
        }
        let across = stature(skeleton) / RIG_HEIGHT;
        let mut bones: [Bone; RIG.len()] = std::array::from_fn(|number| {
            let place = rest[joint[number]];
            let plain = Bone { across, along: across, direction: Vec3::Z, turn: Quat::IDENTITY, place };
            let Some(end) = ENDS[number].filter(|&end| joint[end] != joint[number]) else { return plain };
            let (own, new) = (RIG[end].at - RIG[number].at, rest[joint[end]] - place);
            let (Some(direction), Some(to)) = (own.try_normalize(), new.try_normalize()) else {
                return plain;
            };
            // Small differences of the spine's bend are the skeleton's habit, not the body's.
            let turn = if direction.dot(to) > 0.96 {
                Quat::IDENTITY
            } else {
                Quat::from_rotation_arc(direction, to)
            };
            Bone { across, along: (new.length() / own.length()).clamp(0.3, 3.0), direction, turn, place }
        });
        // Hands and toes go on where forearms and feet point.
        for number in [9, 13, 17, 21] {
            bones[number].turn = bones[number - 1].turn;
        }
        Self { joint, bones }
    }

    /// How a joint of the rig is turned on the skeleton at rest.
    pub fn turn_of(&self, joint: usize) -> Quat {
        self.bones[joint].turn
    }

    /// A point of a piece, and a direction at it, on the skeleton.
    pub fn place(&self, p: Vec3, n: Vec3, joints: [u8; 4], weights: [u8; 4]) -> (Vec3, Vec3) {
        let (mut point, mut normal) = (Vec3::ZERO, Vec3::ZERO);
        for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0) {
            let (bone, share) = (&self.bones[usize::from(joint)], f32::from(weight) / 255.0);
            let from = p - RIG[usize::from(joint)].at;
            let along = bone.direction * from.dot(bone.direction);
            let grown = (from - along) * bone.across + along * bone.along;
            point += (bone.place + bone.turn * grown) * share;
            normal += bone.turn * n * share;
        }
        (point, normal.normalize_or(n))
    }
}
