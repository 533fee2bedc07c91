//! A body at one moment, with how fast it moves: what all clips share at a node.

use crate::{Clip, FRAME_RATE, Placement, Pose, wrap_angle};
use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// How a body moves at one moment, seen from its own placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyVelocity {
    /// Velocity of the root over the ground in metres a second, x being forward.
    pub ground: Vec2,
    /// Rate of turning in radians a second.
    pub turn: f32,
    /// Vertical velocity of the root in metres a second.
    pub rise: f32,
    /// Angular velocity of each joint in its parent's frame, in radians a second.
    pub joints: Vec<Vec3>,
}

/// Pose and velocity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// The pose.
    pub pose: Pose,
    /// How it changes.
    pub velocity: BodyVelocity,
}

/// The rotation vector that takes `from` to `to`, the short way round.
pub fn rotation_between(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    turn.to_scaled_axis()
}

impl BodyState {
    /// The state of a clip at `frame`, its velocity from the frames around it (second order at the clip's ends).
    pub fn of_clip(clip: &Clip, frame: usize) -> Self {
        let last = clip.frames() - 1;
        // Samples and weights of the derivative: central inside, three points one-sided at the ends.
        let samples: [(usize, f32); 3] = match frame {
            _ if last < 2 => [(0, -1.0), (last, 1.0), (0, 0.0)],
            0 => [(0, -1.5), (1, 2.0), (2, -0.5)],
            _ if frame == last => [(last, 1.5), (last - 1, -2.0), (last - 2, 0.5)],
            _ => [(frame - 1, -0.5), (frame + 1, 0.5), (frame, 0.0)],
        };
        let here = clip.track[frame];
        let derivative = |value: &dyn Fn(usize) -> Vec3| -> Vec3 {
            samples.iter().map(|&(at, weight)| value(at) * weight).sum::<Vec3>() * FRAME_RATE
        };
        let ground = derivative(&|at| clip.track[at].relative_to(here).position.extend(0.0)).truncate();
        let turn = derivative(&|at| Vec3::X * wrap_angle(clip.track[at].heading - here.heading)).x;
        let rise = derivative(&|at| Vec3::X * clip.root_heights[at]).x;
        let own = clip.frame_rotations(frame);
        let joints = (0..own.len())
            .map(|joint| derivative(&|at| rotation_between(own[joint], clip.frame_rotations(at)[joint])))
            .collect();
        Self { pose: clip.pose(frame), velocity: BodyVelocity { ground, turn, rise, joints } }
    }

    /// The same pose without any motion.
    pub fn at_rest(mut self) -> Self {
        let joints = vec![Vec3::ZERO; self.velocity.joints.len()];
        self.velocity = BodyVelocity { ground: Vec2::ZERO, turn: 0.0, rise: 0.0, joints };
        self
    }

    /// The largest angle between a joint of this state and of another, in radians.
    pub fn pose_difference(&self, other: &Self) -> f32 {
        let pairs = self.pose.rotations.iter().zip(&other.pose.rotations);
        pairs.map(|(&a, &b)| rotation_between(a, b).length()).fold(0.0, f32::max)
    }

    /// The largest difference between a joint's angular velocity here and in another state, in radians a second.
    pub fn velocity_difference(&self, other: &Self) -> f32 {
        let pairs = self.velocity.joints.iter().zip(&other.velocity.joints);
        pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    }

    /// The mean angular speed of the joints in radians a second.
    pub fn mean_joint_speed(&self) -> f32 {
        let joints = &self.velocity.joints;
        joints.iter().map(|velocity| velocity.length()).sum::<f32>() / joints.len().max(1) as f32
    }
}

impl Clip {
    /// The stretch of frames `first ..= last` as a clip of its own.
    pub fn piece(&self, first: usize, last: usize) -> Self {
        let joints = self.joint_count();
        let start = self.track[first];
        let mut track: Vec<Placement> =
            self.track[first..=last].iter().map(|p| p.relative_to(start)).collect();
        track[0] = Placement::IDENTITY;
        Self {
            name: self.name.clone(),
            labels: self.labels.clone(),
            ends: None,
            track,
            root_heights: self.root_heights[first..=last].to_vec(),
            rotations: self.rotations[first * joints..(last + 1) * joints].to_vec(),
            contacts: self.contacts[first..=last].to_vec(),
            radii: self.radii[first..=last].to_vec(),
        }
    }

    /// Whether every array has one entry for each frame and `joints` rotations in each, all finite.
    pub fn is_consistent(&self, joints: usize) -> bool {
        let frames = self.frames();
        frames > 0
            && self.root_heights.len() == frames
            && self.contacts.len() == frames
            && self.radii.len() == frames
            && self.rotations.len() == frames * joints
            && self.track.iter().all(|p| p.position.is_finite() && p.heading.is_finite())
            && self.rotations.iter().all(|rotation| rotation.is_finite())
            && self.root_heights.iter().chain(&self.radii).all(|value| value.is_finite())
    }
}
