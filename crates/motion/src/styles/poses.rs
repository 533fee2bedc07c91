//! How far apart the poses of two loops are: what eyes see of styles, where energy is not all.

use super::primitive::Primitive;
use crate::{Placement, Skeleton};
use glam::Vec3;

/// Moments of a loop at which poses are compared.
const MOMENTS: usize = 12;

/// The joints of a primitive as seen from its hips at some moments of its loop, in metres.
pub(super) struct Poses(Vec<Vec<Vec3>>);

impl Poses {
    pub(super) fn of(skeleton: &Skeleton, primitive: &Primitive) -> Self {
        let moment = |moment: usize| {
            let frame = primitive.frame_of(moment as f32 / MOMENTS as f32) as usize;
            let joints = primitive.clip.pose(frame).joints(skeleton, Placement::IDENTITY).positions;
            let hips = joints[0];
            joints.into_iter().map(|joint| joint - hips).collect()
        };
        Self((0..MOMENTS).map(moment).collect())
    }

    /// How far the joint that differs most is off, on average over the loop, in metres: step by step of a cycle, else begun at whatever
    /// moments fit best.
    pub(super) fn difference(&self, other: &Self, in_step: bool) -> f32 {
        let shifted = |shift: usize| -> f32 {
            let moments = (0..MOMENTS).map(|moment| {
                let (a, b) = (&self.0[moment], &other.0[(moment + shift) % MOMENTS]);
                a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
            });
            moments.sum::<f32>() / MOMENTS as f32
        };
        (0..if in_step { 1 } else { MOMENTS }).map(shifted).fold(f32::INFINITY, f32::min)
    }
}

/// How far apart the poses of all loops of one type are, a row for each, in metres.
pub(super) fn apart(skeleton: &Skeleton, primitives: &[Primitive]) -> Vec<Vec<f32>> {
    let poses: Vec<Poses> = primitives.iter().map(|primitive| Poses::of(skeleton, primitive)).collect();
    let row = |(own, primitive): (&Poses, &Primitive)| {
        poses.iter().map(|other| own.difference(other, primitive.kind.is_cyclic())).collect()
    };
    poses.iter().zip(primitives).map(row).collect()
}
