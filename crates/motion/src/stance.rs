//! Where a body's feet really are and where it looks, whatever its clip says: what turns a clip into somebody's own motion.

use crate::body::{Body, Leg, Side};
use crate::ik::{Limb, SoftLimit, bend_direction, bend_limb};
use crate::{JointFrames, Placement, Skeleton, wrap_angle};
use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Where one foot is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sole {
    /// The ball of the foot on the ground, in metres.
    pub ball: Vec2,
    /// The heading of a body that this foot would be straight under, in radians.
    pub heading: f32,
    /// Metres that the foot is higher than its clip has it.
    pub lift: f32,
    /// Whether it bears weight.
    pub planted: bool,
}

impl Sole {
    /// The place a fraction `t` of the way to another; a foot on its way bears no weight.
    pub fn lerp(self, other: Self, t: f32) -> Self {
        Self {
            ball: self.ball.lerp(other.ball, t),
            heading: wrap_angle(self.heading + wrap_angle(other.heading - self.heading) * t),
            lift: self.lift + (other.lift - self.lift) * t,
            planted: if t < 1.0 { self.planted && t <= 0.0 } else { other.planted },
        }
    }
}

/// Where both feet are, how far the hips sink, and where the head turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// The left foot, then the right.
    pub feet: [Sole; 2],
    /// Metres that the root is lower than its clip has it.
    pub drop: f32,
    /// Radians that the head is turned to the left of where its clip has it.
    pub look: f32,
}

/// The share of a turn of the head that the neck takes over.
pub const NECK_SHARE: f32 = 0.4;
/// How near to straight a leg gets.
const STRAIGHT: SoftLimit = SoftLimit { from: 0.98, to: 0.9985 };
/// The same of a leg that stands: its foot does not move for the sake of its knee.
const STANDING: SoftLimit = SoftLimit { from: 0.996, to: 0.9999 };

/// Puts poses of one skeleton into stances.
#[derive(Clone, Debug, PartialEq)]
pub struct StanceSolver {
    legs: [Leg; 2],
    neck: Option<usize>,
    head: Option<usize>,
}

impl StanceSolver {
    /// For a skeleton whose legs are known.
    pub fn of(skeleton: &Skeleton) -> Option<Self> {
        let body = Body::guess(skeleton);
        let legs = [body.leg(Side::Left)?, body.leg(Side::Right)?];
        Some(Self { legs, neck: body.neck.filter(|neck| body.head != Some(*neck)), head: body.head })
    }

    /// Left and right leg.
    pub fn legs(&self) -> &[Leg; 2] {
        &self.legs
    }

    /// The neck, where there is one besides the head, and the head.
    pub fn neck_and_head(&self) -> [Option<usize>; 2] {
        [self.neck, self.head]
    }

    /// Changes a pose, whose root stands at `placement` with its heading left out of `rotations`, to a stance.
    ///
    /// `root_height` is in metres; `frames` is working memory.
    pub fn solve(
        &self,
        skeleton: &Skeleton,
        placement: Placement,
        stance: &Stance,
        root_height: &mut f32,
        rotations: &mut [Quat],
        frames: &mut JointFrames,
    ) {
        frames.compute(skeleton, Vec3::Z * *root_height, rotations);
        *root_height -= stance.drop;
        let back = Placement { position: Vec2::ZERO, heading: -placement.heading };
        for (leg, sole) in self.legs.iter().zip(&stance.feet) {
            let turned = wrap_angle(sole.heading - placement.heading);
            let turn = Quat::from_rotation_z(turned);
            let (ankle, ball) = (frames.positions[leg.ankle], frames.positions[leg.ball]);
            let foot = turn * frames.orientations[leg.ankle];
            let there = back.transform_point(sole.ball - placement.position).extend(ball.z + sole.lift);
            let limb = Limb { upper: leg.hip, middle: leg.knee, end: leg.ankle };
            let bend = Quat::from_rotation_z(turned * 0.5) * bend_direction(frames, limb, Vec3::X);
            for joint in [leg.hip, leg.knee, leg.ankle] {
                frames.positions[joint].z -= stance.drop;
            }
            let limit = if sole.planted { STANDING } else { STRAIGHT };
            bend_limb(skeleton, frames, rotations, limb, there + turn * (ankle - ball), bend, limit);
            let above =
                skeleton.parent(leg.ankle).map_or(Quat::IDENTITY, |parent| frames.orientations[parent]);
            rotations[leg.ankle] = (above.inverse() * foot).normalize();
        }
        if stance.look == 0.0 {
            return;
        }
        let shares = match self.neck {
            Some(_) => [NECK_SHARE, 1.0 - NECK_SHARE],
            None => [0.0, 1.0],
        };
        for (joint, share) in self.neck_and_head().into_iter().zip(shares) {
            let Some(joint) = joint else { continue };
            let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| frames.orientations[parent]);
            let turn = Quat::from_rotation_z(stance.look * share);
            rotations[joint] = (above.inverse() * turn * above * rotations[joint]).normalize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn feet_get_where_they_are_asked_to_be() {
        let library = builtin::library();
        let skeleton = &library.skeleton;
        let solver = StanceSolver::of(skeleton).unwrap();
        let clip = library.clips.iter().find(|clip| clip.displacement().position.x > 1.0).unwrap();
        let placement = Placement::new(3.0, -2.0, 0.7);
        for frame in 0..clip.frames() {
            let pose = clip.pose(frame);
            let before = pose.joints(skeleton, placement);
            let sole = |leg: &Leg, aside: Vec2, turn: f32| Sole {
                ball: before.positions[leg.ball].truncate() + aside,
                heading: placement.heading + turn,
                lift: 0.01,
                planted: true,
            };
            let [left, right] = solver.legs();
            let feet = [sole(left, Vec2::new(0.05, 0.08), 0.3), sole(right, Vec2::new(-0.06, 0.02), -0.2)];
            let stance = Stance { feet, drop: 0.07, look: 0.5 };
            let mut after = pose.clone();
            solver.solve(
                skeleton,
                placement,
                &stance,
                &mut after.root_height,
                &mut after.rotations,
                &mut JointFrames::default(),
            );
            let there = after.joints(skeleton, placement);
            for (leg, sole) in solver.legs().iter().zip(&stance.feet) {
                let off = there.positions[leg.ball].truncate().distance(sole.ball);
                assert!(off < 4e-3, "{off} m in frame {frame}");
                let rise = there.positions[leg.ball].z - before.positions[leg.ball].z;
                assert!((rise - 0.01).abs() < 4e-3, "{rise} m in frame {frame}");
            }
            assert!((after.root_height - pose.root_height + 0.07).abs() < 1e-6);
        }
    }

    #[test]
    fn a_stance_like_the_clips_changes_nothing() {
        let library = builtin::library();
        let skeleton = &library.skeleton;
        let solver = StanceSolver::of(skeleton).unwrap();
        let clip = library.clips.iter().find(|clip| clip.displacement().position.x > 1.0).unwrap();
        let pose = clip.pose(clip.frames() / 3);
        let placement = Placement::new(1.0, 2.0, -2.0);
        let joints = pose.joints(skeleton, placement);
        let sole = |leg: &Leg| Sole {
            ball: joints.positions[leg.ball].truncate(),
            heading: placement.heading,
            ..Sole::default()
        };
        let stance = Stance { feet: [sole(&solver.legs()[0]), sole(&solver.legs()[1])], ..Stance::default() };
        let mut after = pose.clone();
        let height = &mut after.root_height;
        solver.solve(skeleton, placement, &stance, height, &mut after.rotations, &mut JointFrames::default());
        let there = after.joints(skeleton, placement);
        for (a, b) in joints.positions.iter().zip(&there.positions) {
            assert!(a.distance(*b) < 6e-3, "{}", a.distance(*b));
        }
    }
}
