//! Feet stay where they stand although motions go over into each other: inverse kinematics takes back what blends move.
//!
//! The motions themselves have their feet in place. While a part of a foot bears weight, it is held where it was when
//! it began to; in the air the correction fades.

use super::Stance;
use crate::body::{Body, Side};
use crate::ik::{Limb, SoftLimit};
use crate::{Contacts, JointFrames, Placement, Pose, Skeleton, heel_offset};
use glam::{Vec2, Vec3};

/// Holds the feet of some agents, frame after frame.
pub struct HeldFeet {
    skeleton: Skeleton,
    legs: Vec<Leg>,
    /// For each agent and leg.
    feet: Vec<Foot>,
    /// How far the pelvis of each agent sinks so that its legs reach, in metres.
    sunk: Vec<f32>,
    joints: JointFrames,
}

/// A leg and what of its foot stands.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) limb: Limb,
    /// Joint, point in its frame, and the contact that pins it: heel and ball.
    pub(super) points: [(usize, Vec3, Contacts); 2],
    /// Thigh and shank in metres.
    length: f32,
}

/// A foot as it was shown last.
#[derive(Clone, Copy, Default)]
struct Foot {
    /// How far its ankle is from where its motion has it, in metres.
    shift: Vec2,
    /// How far it is turned from where its motion has it, in radians.
    turn: f32,
    /// Where heel and ball stand, in metres.
    stands: [Option<Vec2>; 2],
}

/// What is left of a correction after a frame in the air.
const FADE: f32 = 0.7;
/// A foot is held no farther than this from where its motion has it, in metres …
const FARTHEST: f32 = 0.15;
/// … and turned no farther, in radians.
const MOST_TURNED: f32 = 0.8;
/// A pelvis sinks no deeper than this, in metres …
const DEEPEST: f32 = 0.04;
/// … and comes up again so that this much of its depth is left after a frame.
const RISES: f32 = 0.85;
/// A leg gives way only when it is as good as straight.
const LIMIT: SoftLimit = SoftLimit { from: 0.999, to: 0.9998 };

impl HeldFeet {
    /// For `agents` bodies with one skeleton.
    pub fn new(skeleton: &Skeleton, agents: usize) -> Self {
        let legs = Leg::all_of(skeleton);
        let feet = vec![Foot::default(); agents * legs.len()];
        let sunk = vec![0.0; agents];
        Self { skeleton: skeleton.clone(), legs, feet, sunk, joints: JointFrames::default() }
    }

    /// Changes the next pose of an agent, who is at `placement`, so that feet on the ground stay where they are.
    pub fn hold(&mut self, agent: usize, placement: Placement, pose: &mut Pose, contacts: Contacts) {
        let Self { skeleton, legs, feet, sunk, joints } = self;
        let feet = &mut feet[agent * legs.len()..(agent + 1) * legs.len()];
        let at = (placement, pose.root_height);
        let mut stance = Stance::new(skeleton, joints, at, &mut pose.rotations);
        let mut lacking = 0.0_f32;
        for (leg, foot) in legs.iter().zip(&mut *feet) {
            let joints = &*stance.joints;
            let ankle = joints.positions[leg.limb.end];
            let own = leg.points.map(|(joint, offset, _)| {
                (joints.positions[joint] + joints.orientations[joint] * offset - ankle).truncate()
            });
            let touch = leg.points.map(|(_, _, part)| contacts.touches(part));
            foot.correct(ankle.truncate(), own, touch);
            lacking = lacking.max(leg.lacks(joints, foot.shift));
        }
        let depth = lacking.min(DEEPEST).max(sunk[agent] * RISES);
        sunk[agent] = depth;
        pose.root_height -= depth;
        stance.joints.positions.iter_mut().for_each(|position| position.z -= depth);
        for (leg, foot) in legs.iter().zip(feet) {
            if foot.shift.length() < 1e-5 && foot.turn.abs() < 1e-5 && depth < 1e-5 {
                continue;
            }
            let ankle = leg.limb.end;
            let target = stance.joints.positions[ankle] + foot.shift.extend(depth);
            stance.joints.orientations[ankle] =
                turn_by(foot.turn).rotation() * stance.joints.orientations[ankle];
            stance.put(leg.limb, target, LIMIT);
        }
        stance.finish();
    }
}

fn turn_by(angle: f32) -> Placement {
    Placement { position: Vec2::ZERO, heading: angle }
}

impl Leg {
    /// The left leg and the right one, where they are known.
    pub(super) fn all_of(skeleton: &Skeleton) -> Vec<Self> {
        let body = Body::guess(skeleton);
        let legs = Side::BOTH.into_iter().filter_map(|side| Some((side, body.leg(side)?)));
        let legs = legs.map(|(side, leg)| {
            let (heel, ball) = match side {
                Side::Left => (Contacts::LEFT_HEEL, Contacts::LEFT_TOE),
                Side::Right => (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE),
            };
            let bone = |joint: usize| skeleton.joints()[joint].offset.length();
            Self {
                limb: Limb { upper: leg.hip, middle: leg.knee, end: leg.ankle },
                points: [(leg.ankle, heel_offset(skeleton, leg.ankle), heel), (leg.ball, Vec3::ZERO, ball)],
                length: bone(leg.knee) + bone(leg.ankle),
            }
        });
        legs.collect()
    }

    /// How many metres a hip has to come down for its leg to reach a foot that is shifted.
    fn lacks(&self, joints: &JointFrames, shift: Vec2) -> f32 {
        let (hip, ankle) = (joints.positions[self.limb.upper], joints.positions[self.limb.end]);
        // Only what the shift asks for beyond what the motion has anyway.
        let reach = (LIMIT.from * self.length).max(hip.distance(ankle));
        let flat = (ankle.truncate() + shift - hip.truncate()).length_squared();
        (hip.z - ankle.z - (reach * reach - flat).max(0.0).sqrt()).max(0.0)
    }
}

impl Foot {
    /// Finds the correction for a frame in which the ankle would be at `ankle`, heel and ball at `own` from it, and
    /// `touch` the ground or not.
    fn correct(&mut self, ankle: Vec2, own: [Vec2; 2], touch: [bool; 2]) {
        let held = [0, 1].map(|part| self.stands[part].filter(|_| touch[part]));
        let bears = touch[0] || touch[1];
        self.turn = match held {
            // The sole lies on the ground: its direction is where it came to lie.
            [Some(heel), Some(ball)] => {
                let (own, held) = (own[1] - own[0], ball - heel);
                libm::atan2f(own.perp_dot(held), own.dot(held)).clamp(-MOST_TURNED, MOST_TURNED)
            }
            _ if bears => self.turn,
            _ => self.turn * FADE,
        };
        let turned = own.map(|point| turn_by(self.turn).transform_point(point));
        let (mut sum, mut count) = (Vec2::ZERO, 0.0);
        for part in 0..2 {
            if let Some(stand) = held[part] {
                sum += stand - ankle - turned[part];
                count += 1.0;
            }
        }
        self.shift = match (count > 0.0, bears) {
            (true, _) => (sum / count).clamp_length_max(FARTHEST),
            (false, true) => self.shift,
            (false, false) => self.shift * FADE,
        };
        for part in 0..2 {
            self.stands[part] = touch[part].then_some(ankle + self.shift + turned[part]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_is_held_while_it_bears_weight() {
        let mut foot = Foot::default();
        // The motion slides and turns the foot, which comes down on its heel and leaves the ground on its ball.
        let step = |foot: &mut Foot, frame: usize, touch: [bool; 2]| {
            let ankle = Vec2::new(0.004 * frame as f32, 0.0);
            let own = [-0.05, 0.15].map(|x| turn_by(0.02 * frame as f32).transform_point(Vec2::new(x, 0.0)));
            foot.correct(ankle, own, touch);
            own.map(|point| ankle + foot.shift + turn_by(foot.turn).transform_point(point))
        };
        let mut before: [Option<Vec2>; 2] = [None; 2];
        for frame in 0..12 {
            let touch = [frame < 8, frame > 2];
            let places = step(&mut foot, frame, touch);
            for part in 0..2 {
                if let Some(before) = before[part].filter(|_| touch[part]) {
                    assert!(before.distance(places[part]) < 1e-6, "part {part} moves in frame {frame}");
                }
                before[part] = touch[part].then_some(places[part]);
            }
        }
        (12..60).for_each(|frame| {
            step(&mut foot, frame, [false, false]);
        });
        assert!(foot.shift.length() < 1e-5 && foot.turn.abs() < 1e-5);
    }
}
