//! The built-in body: its skeleton, and the named channels that pose it.
//!
//! Channels are angles as a clinician names them. They are posed on a skeleton whose arms hang; the library's
//! skeleton stands with its arms held out to the sides, as captured ones do, and [`to_rest`] goes between the two.

use crate::{Joint, JointFrames, Skeleton};
use glam::{Quat, Vec3};
use std::f32::consts::FRAC_PI_2;

/// Left and right, in this order, wherever a body has two of something.
pub const SIDES: [usize; COUNT_SIDES] = [0, 1];
/// How many sides a body has.
pub const COUNT_SIDES: usize = 2;

/// Channel numbers. Angles are radians, positions metres.
pub mod channel {
    /// Root position over the ground and its height.
    pub const X: usize = 0;
    pub const Y: usize = 1;
    pub const Z: usize = 2;
    /// Pelvis: turned left, tilted forward, right side down.
    pub const YAW: usize = 3;
    pub const PITCH: usize = 4;
    pub const ROLL: usize = 5;
    /// Trunk above the pelvis: bent forward, to the right, turned left.
    pub const SPINE_PITCH: usize = 6;
    pub const SPINE_ROLL: usize = 7;
    pub const SPINE_YAW: usize = 8;
    /// Head and neck, likewise.
    pub const NECK_PITCH: usize = 9;
    pub const NECK_ROLL: usize = 10;
    pub const NECK_YAW: usize = 11;
    /// First arm channel; the right arm's follow the left's.
    pub const ARMS: usize = 12;
    pub const ARM_SIZE: usize = 12;
    /// First leg channel; the right leg's follow the left's.
    pub const LEGS: usize = ARMS + 2 * ARM_SIZE;
    pub const LEG_SIZE: usize = 6;
    /// Number of channels.
    pub const COUNT: usize = LEGS + 2 * LEG_SIZE;

    /// Arm channels, from [`arm`].
    pub const SHRUG: usize = 0;
    pub const FORWARD: usize = 1;
    pub const FLEX: usize = 2;
    pub const ABDUCT: usize = 3;
    pub const TWIST: usize = 4;
    pub const ELBOW: usize = 5;
    pub const PRONATE: usize = 6;
    pub const WRIST: usize = 7;
    /// Wrist position in the frame of the chest (Spine1), used with weight `GRASP`.
    pub const HAND_X: usize = 8;
    pub const HAND_Y: usize = 9;
    pub const HAND_Z: usize = 10;
    pub const GRASP: usize = 11;

    /// Leg channels, from [`leg`]; `FOOT` is the pitch (toes up) of the foot while planted.
    pub const HIP: usize = 0;
    pub const HIP_ABDUCT: usize = 1;
    pub const HIP_TWIST: usize = 2;
    pub const KNEE: usize = 3;
    pub const ANKLE: usize = 4;
    pub const FOOT: usize = 5;

    /// The number of an arm channel of a side.
    pub const fn arm(side: usize, of: usize) -> usize {
        ARMS + side * ARM_SIZE + of
    }

    /// The number of a leg channel of a side.
    pub const fn leg(side: usize, of: usize) -> usize {
        LEGS + side * LEG_SIZE + of
    }
}

use channel::*;

/// One moment of the body, channel by channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channels(pub [f32; COUNT]);

impl std::ops::Index<usize> for Channels {
    type Output = f32;
    fn index(&self, channel: usize) -> &f32 {
        &self.0[channel]
    }
}

impl std::ops::IndexMut<usize> for Channels {
    fn index_mut(&mut self, channel: usize) -> &mut f32 {
        &mut self.0[channel]
    }
}

impl Channels {
    /// Every channel a fraction `t` of the way to `other`.
    pub fn lerp(&self, other: &Self, t: f32) -> Self {
        let mut mixed = *self;
        for (value, other) in mixed.0.iter_mut().zip(other.0) {
            *value += (other - *value) * t;
        }
        mixed
    }

    /// Adds `angle` degrees to a channel.
    pub fn turn(&mut self, channel: usize, angle: f32) {
        self.0[channel] += angle.to_radians();
    }
}

/// Lengths in metres for a stature of 1.75 m (Drillis and Contini 1966, in Winter 2009, figure 4.1).
pub mod size {
    /// Root above the hip joints.
    pub const HIP_DROP: f32 = 0.045;
    /// Hip joint from the middle.
    pub const HIP_HALF: f32 = 0.088;
    pub const THIGH: f32 = 0.429;
    pub const SHANK: f32 = 0.419;
    /// Ankle above the sole.
    pub const ANKLE: f32 = 0.08;
    /// Ball of the foot before and below the ankle.
    pub const BALL: (f32, f32) = (0.135, -0.06);
    /// Heel behind the ankle.
    pub const HEEL: f32 = 0.38 * BALL.0;
    pub const TOE: f32 = 0.07;
    pub const UPPER_ARM: f32 = 0.30;
    pub const FOREARM: f32 = 0.255;
    pub const HAND: f32 = 0.18;
    /// The whole leg from hip to ankle.
    pub const LEG: f32 = THIGH + SHANK;
}

/// Joint numbers of the built-in skeleton.
pub mod joint {
    pub const HIPS: usize = 0;
    /// First joint of a leg (hip joint, thigh, shank, foot, toes); the right leg's follow the left's.
    pub const fn leg(side: usize, of: usize) -> usize {
        1 + side * 5 + of
    }
    pub const LOWER_BACK: usize = 11;
    pub const CHEST: usize = 13;
    pub const NECK: usize = 14;
    /// First joint of an arm (collar bone, upper arm, forearm, hand).
    pub const fn arm(side: usize, of: usize) -> usize {
        17 + side * 4 + of
    }
    pub const COUNT: usize = 25;
}

/// The skeleton with hanging arms on which channels are posed.
pub fn hanging_skeleton() -> Skeleton {
    skeleton(false)
}

/// The library's skeleton: arms held out to the sides.
pub fn rest_skeleton() -> Skeleton {
    skeleton(true)
}

fn skeleton(arms_out: bool) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::with_capacity(joint::COUNT);
    let mut add = |name: &str, parent: Option<usize>, offset: Vec3, tip: Option<Vec3>| {
        joints.push(Joint { name: name.into(), parent: parent.map(|p| p as u16), offset, tip });
        joints.len() - 1
    };
    let root = size::HIP_DROP + size::LEG + size::ANKLE;
    let hips = add("Hips", None, Vec3::Z * root, None);
    for (name, initial, sign) in [("Left", "L", 1.0), ("Right", "R", -1.0)] {
        let hip = add(&format!("{initial}HipJoint"), Some(hips), Vec3::ZERO, None);
        let offset = Vec3::new(0.0, sign * size::HIP_HALF, -size::HIP_DROP);
        let thigh = add(&format!("{name}UpLeg"), Some(hip), offset, None);
        let shank = add(&format!("{name}Leg"), Some(thigh), Vec3::NEG_Z * size::THIGH, None);
        let foot = add(&format!("{name}Foot"), Some(shank), Vec3::NEG_Z * size::SHANK, None);
        let ball = Vec3::new(size::BALL.0, 0.0, size::BALL.1);
        add(&format!("{name}ToeBase"), Some(foot), ball, Some(Vec3::X * size::TOE));
    }
    let back = add("LowerBack", Some(hips), Vec3::new(-0.01, 0.0, 0.05), None);
    let spine = add("Spine", Some(back), Vec3::new(-0.012, 0.0, 0.11), None);
    let chest = add("Spine1", Some(spine), Vec3::new(-0.005, 0.0, 0.13), None);
    let neck = add("Neck", Some(chest), Vec3::new(-0.004, 0.0, 0.205), None);
    let neck = add("Neck1", Some(neck), Vec3::new(0.01, 0.0, 0.052), None);
    add("Head", Some(neck), Vec3::new(0.012, 0.0, 0.05), Some(Vec3::Z * 0.18));
    for (name, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let along = |length: f32| if arms_out { Vec3::Y * (sign * length) } else { Vec3::NEG_Z * length };
        let collar = add(&format!("{name}Shoulder"), Some(chest), Vec3::new(0.012, sign * 0.03, 0.165), None);
        let upper = add(&format!("{name}Arm"), Some(collar), Vec3::new(-0.012, sign * 0.155, 0.0), None);
        let fore = add(&format!("{name}ForeArm"), Some(upper), along(size::UPPER_ARM), None);
        let tip = Some(along(size::HAND));
        add(&format!("{name}Hand"), Some(fore), along(size::FOREARM), tip);
    }
    Skeleton::new(joints).expect("the built-in hierarchy is sound")
}

/// Turns rotations of the hanging skeleton into those of the rest skeleton, for the same pose in space.
pub fn to_rest(rotations: &mut [Quat]) {
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let hang = Quat::from_rotation_x(-sign * FRAC_PI_2);
        let upper = joint::arm(side, 1);
        rotations[upper] *= hang;
        for joint in [upper + 1, upper + 2] {
            rotations[joint] = hang.inverse() * rotations[joint] * hang;
        }
    }
}

/// Joint rotations on the hanging skeleton, legs and arms by their angles alone; the toes stay straight.
pub fn rotations(c: &Channels) -> [Quat; joint::COUNT] {
    let (rx, ry, rz) = (Quat::from_rotation_x, Quat::from_rotation_y, Quat::from_rotation_z);
    let mut q = [Quat::IDENTITY; joint::COUNT];
    q[joint::HIPS] = rz(c[YAW]) * ry(c[PITCH]) * rx(c[ROLL]);
    for side in SIDES {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let l = |of| c[channel::leg(side, of)];
        q[joint::leg(side, 1)] = ry(-l(HIP)) * rx(sign * l(HIP_ABDUCT)) * rz(sign * l(HIP_TWIST));
        q[joint::leg(side, 2)] = ry(l(KNEE));
        q[joint::leg(side, 3)] = ry(-l(ANKLE));
        let a = |of| c[channel::arm(side, of)];
        q[joint::arm(side, 0)] = rz(-sign * a(FORWARD)) * rx(sign * a(SHRUG));
        q[joint::arm(side, 1)] = ry(-a(FLEX)) * rx(sign * a(ABDUCT)) * rz(sign * a(TWIST));
        q[joint::arm(side, 2)] = ry(-a(ELBOW)) * rz(-sign * a(PRONATE));
        q[joint::arm(side, 3)] = rx(-sign * a(WRIST));
    }
    // The lumbar spine bends most, the chest turns most (White and Panjabi 1990, chapter 2).
    let (bend, turn) = ([0.4, 0.35, 0.25], [0.2, 0.35, 0.45]);
    for (index, (bend, turn)) in bend.into_iter().zip(turn).enumerate() {
        q[joint::LOWER_BACK + index] =
            rz(c[SPINE_YAW] * turn) * ry(c[SPINE_PITCH] * bend) * rx(c[SPINE_ROLL] * bend);
    }
    let (bend, turn) = ([0.3, 0.3, 0.4], [0.25, 0.35, 0.4]);
    for (index, (bend, turn)) in bend.into_iter().zip(turn).enumerate() {
        q[joint::NECK + index] = rz(c[NECK_YAW] * turn) * ry(c[NECK_PITCH] * bend) * rx(c[NECK_ROLL] * bend);
    }
    q
}

/// Where the joints of the hanging skeleton are for these channels, by their angles alone.
pub fn posed(skeleton: &Skeleton, c: &Channels) -> JointFrames {
    let mut frames = JointFrames::default();
    frames.compute(skeleton, Vec3::new(c[X], c[Y], c[Z]), &rotations(c));
    frames
}
