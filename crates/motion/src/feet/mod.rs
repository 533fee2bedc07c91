//! Feet that bear weight are held where they stand, by inverse kinematics.
//!
//! Four things move feet that stood still when they were captured, and each has its own way of saying where they have to
//! be: captures themselves skate ([`clean_captured_feet`], and [`clean_feet`] for motions that are made), displaced clips drift ([`hold_feet`]), motions that are blended as
//! they are played slide ([`HeldFeet`]), and clips that are shown between their frames sway ([`FeetBetween`]). [`Stance`] puts them there.

mod between;
mod drift;
mod held;
mod skate;

pub use between::FeetBetween;
pub use drift::{Drift, hold_feet};
pub use held::HeldFeet;
pub use skate::{KeepEnds, clean_captured_feet, clean_captured_feet_keeping, clean_feet, clean_feet_keeping};

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

/// Which legs are spared: a few millimetres would bend the knee of a straight one by many degrees.
struct Spared {
    /// From this share of its length on a leg changes its reach less, …
    from: f32,
    /// … up to the share where it keeps it.
    to: f32,
    /// Metres that feet may be off for that.
    most: f32,
}

impl Spared {
    /// A target near `target` that does not ask a straight leg to grow or shrink.
    fn target(&self, pose: &JointFrames, limb: Limb, target: Vec3) -> Vec3 {
        let [hip, knee, ankle] = [limb.upper, limb.middle, limb.end].map(|joint| pose.positions[joint]);
        let (length, reach) = (hip.distance(knee) + knee.distance(ankle), hip.distance(ankle));
        let bent = ((self.to - reach / length) / (self.to - self.from)).clamp(0.0, 1.0);
        let wanted = hip.distance(target);
        let kept = wanted + ((reach - wanted) * (1.0 - bent)).clamp(-self.most, self.most);
        hip + (target - hip) * (kept / wanted.max(1e-6))
    }
}
