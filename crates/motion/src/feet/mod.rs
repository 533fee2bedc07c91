//! Feet that bear weight are held where they stand, by inverse kinematics.
//!
//! Three things move feet that stood still when they were captured, and each has its own way of saying where they have to
//! be: captures themselves skate ([`clean_feet`]), displaced clips drift ([`hold_feet`]), and motions that are blended as
//! they are played slide ([`HeldFeet`]). [`Stance`] puts them there.

mod drift;
mod held;
mod skate;

pub use drift::{Drift, hold_feet};
pub use held::HeldFeet;
pub use skate::{KeepEnds, clean_feet, clean_feet_keeping};

use crate::ik::{Limb, SoftLimit, bend_direction, bend_limb};
use crate::{JointFrames, Placement, Skeleton};
use glam::{Quat, Vec3};

/// A body in one frame, in space, whose legs can be bent; [`Self::finish`] takes its heading out of its pose again.
struct Stance<'a> {
    skeleton: &'a Skeleton,
    joints: &'a mut JointFrames,
    rotations: &'a mut [Quat],
    heading: Quat,
}

impl<'a> Stance<'a> {
    /// A body at `placement` with its root at `height` metres and these rotations, which have no heading.
    fn new(
        skeleton: &'a Skeleton,
        joints: &'a mut JointFrames,
        (placement, height): (Placement, f32),
        rotations: &'a mut [Quat],
    ) -> Self {
        let heading = placement.rotation();
        rotations[0] = heading * rotations[0];
        joints.compute(skeleton, placement.position.extend(height), rotations);
        Self { skeleton, joints, rotations, heading }
    }

    /// Bends a leg so that its ankle comes to `target`; the foot keeps its direction, and the knee bends as it did.
    fn put(&mut self, leg: Limb, target: Vec3, limit: SoftLimit) {
        let bend = bend_direction(self.joints, leg, self.joints.orientations[0] * Vec3::X);
        bend_limb(self.skeleton, self.joints, self.rotations, leg, target, bend, limit);
    }

    /// Takes the heading out of the rotations.
    fn finish(self) {
        self.rotations[0] = (self.heading.inverse() * self.rotations[0]).normalize();
    }
}
