//! Feet stay where they stand although segments go over into each other: inverse kinematics takes back what blends move.
//!
//! The segments themselves have their feet in place. While a part of a foot bears weight, it is held where it was when
//! it began to; in the air the correction fades.

use super::playing::Shown;
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::ik::{Limb, SoftLimit, bend_direction, bend_limb};
use crowdloom_motion::{Contacts, JointFrames, Skeleton, heel_offset};
use glam::{Vec2, Vec3};

/// Holds the feet of some agents, frame after frame.
pub struct HeldFeet {
    skeleton: Skeleton,
    legs: Vec<Leg>,
    /// For each agent and leg.
    feet: Vec<Foot>,
    joints: JointFrames,
}

struct Leg {
    limb: Limb,
    /// Joint, point in its frame, and the contact that pins it: heel and ball.
    points: [(usize, Vec3, Contacts); 2],
}

/// A foot as it was shown last.
#[derive(Clone, Copy, Default)]
struct Foot {
    /// How far it is from where its motion has it, in metres.
    correction: Vec2,
    /// Where heel and ball stand, in metres.
    stands: [Option<Vec2>; 2],
}

/// What is left of a correction after a frame in the air.
const FADE: f32 = 0.7;
/// A foot is held no farther than this from where its motion has it, in metres.
const FARTHEST: f32 = 0.15;
/// A leg gives way only when it is as good as straight.
const LIMIT: SoftLimit = SoftLimit { from: 0.999, to: 0.9998 };

impl HeldFeet {
    /// For `agents` bodies with one skeleton.
    pub fn new(skeleton: &Skeleton, agents: usize) -> Self {
        let body = Body::guess(skeleton);
        let legs = Side::BOTH.into_iter().filter_map(|side| Some((side, body.leg(side)?)));
        let legs = legs.map(|(side, leg)| {
            let (heel, ball) = match side {
                Side::Left => (Contacts::LEFT_HEEL, Contacts::LEFT_TOE),
                Side::Right => (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE),
            };
            Leg {
                limb: Limb { upper: leg.hip, middle: leg.knee, end: leg.ankle },
                points: [(leg.ankle, heel_offset(skeleton, leg.ankle), heel), (leg.ball, Vec3::ZERO, ball)],
            }
        });
        let legs: Vec<Leg> = legs.collect();
        let feet = vec![Foot::default(); agents * legs.len()];
        Self { skeleton: skeleton.clone(), legs, feet, joints: JointFrames::default() }
    }

    /// Changes the next frame of an agent so that feet on the ground stay where they are.
    pub fn hold(&mut self, agent: usize, shown: &mut Shown) {
        let Self { skeleton, legs, feet, joints } = self;
        let feet = &mut feet[agent * legs.len()..(agent + 1) * legs.len()];
        let heading = shown.placement.rotation();
        let rotations = &mut shown.pose.rotations;
        rotations[0] = heading * rotations[0];
        let root = shown.placement.position.extend(shown.pose.root_height);
        joints.compute(skeleton, root, rotations);
        for (leg, foot) in legs.iter().zip(feet) {
            let own = leg.points.map(|(joint, offset, _)| {
                (joints.positions[joint] + joints.orientations[joint] * offset).truncate()
            });
            foot.correct(own, leg.points.map(|point| shown.contacts.touches(point.2)));
            if foot.correction.length() < 1e-5 {
                continue;
            }
            let target = joints.positions[leg.limb.end] + foot.correction.extend(0.0);
            let bend = bend_direction(joints, leg.limb, joints.orientations[0] * Vec3::X);
            bend_limb(skeleton, joints, rotations, leg.limb, target, bend, LIMIT);
        }
        rotations[0] = (heading.inverse() * rotations[0]).normalize();
    }
}

impl Foot {
    /// Finds the correction for a frame in which heel and ball would be at `own` and `touch` the ground or not.
    fn correct(&mut self, own: [Vec2; 2], touch: [bool; 2]) {
        let (mut sum, mut count) = (Vec2::ZERO, 0.0);
        for part in (0..2).filter(|part| touch[*part]) {
            if let Some(stand) = self.stands[part] {
                sum += stand - own[part];
                count += 1.0;
            }
        }
        let bears = touch[0] || touch[1];
        self.correction = match (count > 0.0, bears) {
            (true, _) => (sum / count).clamp_length_max(FARTHEST),
            (false, true) => self.correction,
            (false, false) => self.correction * FADE,
        };
        for part in 0..2 {
            self.stands[part] = touch[part].then_some(own[part] + self.correction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_is_held_while_it_bears_weight() {
        let mut foot = Foot::default();
        let place = |frame: usize| Vec2::new(0.004 * frame as f32, 0.0);
        let at = |frame: usize| [place(frame), place(frame) + Vec2::X * 0.15];
        for frame in 0..10 {
            // It comes down on its heel and leaves the ground on its ball.
            foot.correct(at(frame), [frame < 7, frame > 2]);
            let shown = place(frame) + foot.correction;
            assert!(shown.length() < 1e-6, "{shown} in frame {frame}");
        }
        (10..40).for_each(|frame| foot.correct(at(frame), [false, false]));
        assert!(foot.correction.length() < 1e-5);
    }
}
