//! How far human joints go, and how far past that a clip is.

use crate::{Clip, Skeleton};
use glam::{EulerRot, Quat};
use std::f32::consts::FRAC_PI_2;

/// Least and greatest angle in degrees.
pub type Range = (f32, f32);

/// What a joint can do, in degrees: flexion (or bend forward), abduction (or bend to its side), outward rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// End of the joint names it holds for, without `Left` or `Right`.
    pub joint: &'static str,
    /// Flexion positive: thigh and arm forward, knee and elbow closed, foot and toes up, trunk forward.
    pub flexion: Range,
    /// Away from the middle positive; sideways for the trunk.
    pub abduction: Range,
    /// Outwards positive; to either side for the trunk.
    pub rotation: Range,
}

const fn limit(joint: &'static str, flexion: Range, abduction: Range, rotation: Range) -> JointLimit {
    JointLimit { joint, flexion, abduction, rotation }
}

/// Ranges of healthy adults, rounded outwards to the most that single persons reach: Boone and Azen (1979) and Roaas and Andersson (1982) for the limbs, with squatting
/// ranges of hip, knee and loaded ankle after Hemmerich et al. (2006) and Rabin and Kozol (2012); White and Panjabi
/// (1990) for the spine, shared out over its joints; Ludewig et al. (2009) for the collar bone. Knees and elbows
/// turn a little about their long axis (Kapandji 1987).
pub const LIMITS: &[JointLimit] = &[
    limit("UpLeg", (-30.0, 135.0), (-35.0, 50.0), (-45.0, 55.0)),
    limit("Leg", (-3.0, 155.0), (-8.0, 8.0), (-15.0, 25.0)),
    limit("Foot", (-60.0, 45.0), (-35.0, 30.0), (-30.0, 30.0)),
    limit("ToeBase", (-40.0, 90.0), (-10.0, 10.0), (-10.0, 10.0)),
    limit("LowerBack", (-20.0, 35.0), (-20.0, 20.0), (-15.0, 15.0)),
    limit("Spine", (-20.0, 30.0), (-20.0, 20.0), (-20.0, 20.0)),
    limit("Spine1", (-15.0, 25.0), (-20.0, 20.0), (-25.0, 25.0)),
    limit("Neck", (-25.0, 20.0), (-20.0, 20.0), (-25.0, 25.0)),
    limit("Neck1", (-25.0, 20.0), (-20.0, 20.0), (-30.0, 30.0)),
    limit("Head", (-25.0, 20.0), (-20.0, 20.0), (-40.0, 40.0)),
    limit("Shoulder", (-15.0, 15.0), (-12.0, 45.0), (-35.0, 35.0)),
    limit("Arm", (-65.0, 185.0), (-60.0, 90.0), (-110.0, 110.0)),
    limit("ForeArm", (-5.0, 152.0), (-15.0, 15.0), (-95.0, 95.0)),
    limit("Hand", (-85.0, 85.0), (-90.0, 90.0), (-40.0, 40.0)),
];

/// A joint past its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    /// The joint's name.
    pub joint: String,
    /// The frame.
    pub frame: usize,
    /// Which of flexion, abduction and rotation.
    pub motion: &'static str,
    /// The angle in degrees.
    pub angle: f32,
    /// How far past the limit it is, in degrees.
    pub past: f32,
}

/// Flexion, abduction and rotation of a joint in degrees, for a skeleton that rests with its arms held out.
pub fn joint_angles(name: &str, rotation: Quat) -> [f32; 3] {
    let sign = if name.starts_with("Right") { -1.0 } else { 1.0 };
    let hang = Quat::from_rotation_x(-sign * FRAC_PI_2);
    // Arms are measured from hanging, as clinicians do.
    let rotation = match name.trim_start_matches("Left").trim_start_matches("Right") {
        "Arm" => rotation * hang.inverse(),
        "ForeArm" | "Hand" => hang * rotation * hang.inverse(),
        _ => rotation,
    };
    let (y, x, z) = rotation.to_euler(EulerRot::YXZ);
    let forward = match name.trim_start_matches("Left").trim_start_matches("Right") {
        "Leg" | "LowerBack" | "Spine" | "Spine1" | "Neck" | "Neck1" | "Head" => 1.0,
        _ => -1.0,
    };
    // An arm raised past straight up has gone there forwards, not backwards.
    let raised = if name.ends_with("Arm") && forward * y < -2.0 { std::f32::consts::TAU } else { 0.0 };
    [forward * y + raised, sign * x, sign * z].map(f32::to_degrees)
}

/// The worst excess of each joint over its limit; empty for a clip that a human can do.
pub fn excesses(skeleton: &Skeleton, clip: &Clip) -> Vec<Excess> {
    let mut found: Vec<Excess> = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let plain = joint.name.trim_start_matches("Left").trim_start_matches("Right");
        let Some(limit) = LIMITS.iter().find(|limit| limit.joint == plain) else { continue };
        let mut worst: Option<Excess> = None;
        for frame in 0..clip.frames() {
            let angles = joint_angles(&joint.name, clip.frame_rotations(frame)[index]);
            let ranges = [limit.flexion, limit.abduction, limit.rotation];
            for ((angle, range), motion) in
                angles.into_iter().zip(ranges).zip(["flexion", "abduction", "rotation"])
            {
                let past = (range.0 - angle).max(angle - range.1);
                if past > 0.0 && worst.as_ref().is_none_or(|worst| past > worst.past) {
                    worst = Some(Excess { joint: joint.name.clone(), frame, motion, angle, past });
                }
            }
        }
        found.extend(worst);
    }
    found
}
