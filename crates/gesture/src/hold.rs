//! Arms at run time: a gesture, or a thing in the hand, as a place that a wrist keeps in any pose.
//!
//! What the solver of priorities finds once is kept as where the wrist is, how the hand is turned and which way the elbow points
//! beside another part of the body. In any pose the arm then takes one step of two bones, so that whole crowds can do it.

use crate::arm::Arm;
use crate::description::{Gesture, GestureError};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::ik::{SoftLimit, reach};
use crowdloom_motion::{JointFrames, Pose, Skeleton};
use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// An arm that keeps its place beside another part of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// What it is called.
    pub name: String,
    /// Whether it is the left arm; otherwise the right.
    pub left: bool,
    /// The joint beside which the wrist stays; none for the ground under the root.
    pub joint: Option<u16>,
    /// Where the wrist is when that joint is at rest, in metres.
    pub wrist: Vec3,
    /// How the hand is turned when that joint is at rest.
    pub turn: Quat,
    /// Which way the elbow points when that joint is at rest.
    pub elbow: Vec3,
    /// How far the wrist swings to both sides, in metres.
    pub swing: Vec3,
    /// Swings in a second.
    pub rate: f32,
    /// It counts only where the pose has the wrist higher than this, in metres over the ground, and in full [`WHOLLY`] above that: a bag hangs in a hand
    /// that would be raised. 0 where it always counts.
    #[serde(default)]
    pub above: f32,
}

/// How much higher a wrist has to be for a hold to count in full that counts only above some height, in metres.
pub const WHOLLY: f32 = 0.16;

/// How near to straight an arm gets.
const STRAIGHT: SoftLimit = SoftLimit { from: 0.97, to: 0.998 };

/// The joints of both arms, and where all joints are at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Arms {
    /// Shoulder, elbow and wrist of the left arm, then of the right.
    joints: [[usize; 3]; 2],
    rest: Vec<Vec3>,
}

/// Axes of a bone: along it, and at right angles to the plane that the elbow bends in.
fn axes(bone: Vec3, normal: Vec3) -> Mat3 {
    let along = bone.normalize_or(Vec3::Y);
    let across = normal.reject_from_normalized(along).try_normalize();
    let across = across.unwrap_or_else(|| along.any_orthonormal_vector());
    Mat3::from_cols(along, across.cross(along), across)
}

impl Arms {
    /// For a skeleton whose arms are known.
    pub fn of(skeleton: &Skeleton) -> Option<Self> {
        let body = Body::guess(skeleton);
        let arm = |side: Side| {
            let [upper, fore, hand] =
                [LimbPart::Arm, LimbPart::ForeArm, LimbPart::Hand].map(|part| body.limb(side, part));
            Some([upper?, fore?, hand?])
        };
        let mut frames = JointFrames::default();
        frames.compute(skeleton, skeleton.joints()[0].offset, &vec![Quat::IDENTITY; skeleton.len()]);
        Some(Self { joints: [arm(Side::Left)?, arm(Side::Right)?], rest: frames.positions })
    }

    /// Shoulder, elbow and wrist of the left arm, then of the right.
    pub fn joints(&self) -> &[[usize; 3]; 2] {
        &self.joints
    }

    /// Where joints are at rest, in metres.
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// Puts an arm where it is held, `seconds` after the start; `frames` is the pose before, without its heading, and is brought
    /// up to date for the arm.
    pub fn hold(
        &self,
        skeleton: &Skeleton,
        hold: &Hold,
        seconds: f32,
        rotations: &mut [Quat],
        frames: &mut JointFrames,
    ) {
        let joints @ [upper, fore, hand] = self.joints[usize::from(!hold.left)];
        let (place, turned, rest) = match hold.joint.map(usize::from).filter(|&joint| joint < self.rest.len())
        {
            Some(joint) => (frames.positions[joint], frames.orientations[joint], self.rest[joint]),
            None => (Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO),
        };
        let swing = hold.swing * libm::sinf(std::f32::consts::TAU * hold.rate * seconds);
        let mut target = place + turned * (hold.wrist + swing - rest);
        let (mut elbow, mut own) = (turned * hold.elbow, turned * hold.turn);
        if hold.above > 0.0 {
            let high = ((frames.positions[hand].z - hold.above) / WHOLLY).clamp(0.0, 1.0);
            if high == 0.0 {
                return;
            }
            let share = high * high * (3.0 - 2.0 * high);
            target = frames.positions[hand].lerp(target, share);
            elbow = (frames.positions[fore] - frames.positions[upper]).normalize_or(elbow).lerp(elbow, share);
            own = frames.orientations[hand].slerp(own, share);
        }
        let [bone, second] = [[upper, fore], [fore, hand]].map(|[from, to]| self.rest[to] - self.rest[from]);
        let shoulder = frames.positions[upper];
        let there = reach(shoulder, bone.length(), second.length(), target, elbow, STRAIGHT);
        // At rest palms face down and elbows bend ahead: that is the plane that the arm's twist is counted from.
        let normal = |along: Vec3, side: Vec3| along.cross(side);
        let at_rest = normal(self.rest[hand] - self.rest[upper], Vec3::NEG_X);
        let (axis, side) = (there.end - shoulder, there.middle - shoulder);
        let bent = normal(axis, side);
        let turn =
            |from: Vec3, to: Vec3| Quat::from_mat3(&(axes(to, bent) * axes(from, at_rest).transpose()));
        let new = [turn(bone, there.middle - shoulder), turn(second, there.end - there.middle), own];
        let [_, forearm, wrist] = new;
        // Half of a hand's twist is the forearm's.
        let along = (there.end - there.middle).normalize_or(Vec3::Z);
        let forearm = half_twist(wrist * forearm.inverse(), along) * forearm;
        let new = [new[0], forearm, wrist];
        for (&joint, &turned) in joints.iter().zip(&new) {
            let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |above| frames.orientations[above]);
            rotations[joint] = (above.inverse() * turned).normalize();
            frames.orientations[joint] = turned;
        }
        frames.positions[fore] = there.middle;
        frames.positions[hand] = there.end;
    }
}

/// Half of what a rotation turns about an axis.
fn half_twist(turn: Quat, axis: Vec3) -> Quat {
    let about = turn.xyz().dot(axis);
    let angle = 2.0 * libm::atan2f(about, turn.w);
    let angle = crowdloom_motion::wrap_angle(angle);
    Quat::from_axis_angle(axis, 0.5 * angle)
}

impl Gesture {
    /// The arm as the gesture has it on somebody who stands, to be kept in any pose.
    pub fn held(&self, skeleton: &Skeleton, standing: &Pose) -> Result<Hold, GestureError> {
        let arm = Arm::of(skeleton, self.left).ok_or(GestureError::NoArms)?;
        let arms = Arms::of(skeleton).ok_or(GestureError::NoArms)?;
        let posed = self.posed(skeleton, &arm, standing);
        let mut frames = JointFrames::default();
        frames.compute(skeleton, Vec3::Z * posed.root_height, &posed.rotations);
        let mut order: Vec<_> = self.tasks.iter().collect();
        order.sort_by_key(|task| task.priority);
        let nobody = || GestureError::NobodyElse { name: self.name.clone() };
        let joint = arm.part(order[0].frame).ok_or_else(nobody)?;
        let [upper, fore, hand] = arms.joints[usize::from(!self.left)];
        let back = frames.orientations[joint].inverse();
        let at = |place: Vec3| back * (place - frames.positions[joint]) + arms.rest[joint];
        let axis = (frames.positions[hand] - frames.positions[upper]).normalize_or(Vec3::NEG_Z);
        let elbow = (frames.positions[fore] - frames.positions[upper]).reject_from_normalized(axis);
        Ok(Hold {
            name: self.name.clone(),
            left: self.left,
            joint: Some(joint as u16),
            wrist: at(frames.positions[hand]),
            turn: back * frames.orientations[hand],
            elbow: back * elbow.normalize_or(Vec3::NEG_X),
            swing: arm.axes(order[0].swing) * arm.size,
            rate: order[0].rate,
            above: 0.0,
        })
    }
}
