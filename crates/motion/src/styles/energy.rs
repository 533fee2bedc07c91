//! Instant kinetic energy of a body from the angular velocities of its joints and their moments of inertia (Onuma,
//! Faloutsos and Hodgins 2008, "FMDistance").

use crate::body::{Body, LimbPart, Side};
use crate::graph::BodyState;
use crate::{Clip, JointFrames, Skeleton};
use glam::{Quat, Vec3};

/// Mass of the body in kilograms: that of an average adult.
const BODY_MASS: f32 = 75.0;

/// Shares of the body's mass (Dempster 1955, in Winter 2009, table 4.1).
const LIMB_SHARES: [(LimbPart, f32); 6] = [
    (LimbPart::UpLeg, 0.1),
    (LimbPart::Leg, 0.0465),
    (LimbPart::Foot, 0.0145),
    (LimbPart::Arm, 0.028),
    (LimbPart::ForeArm, 0.016),
    (LimbPart::Hand, 0.006),
];
const TRUNK_SHARE: f32 = 0.355;
const PELVIS_SHARE: f32 = 0.142;
const HEAD_SHARE: f32 = 0.081;

/// Where a joint's energy counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The whole body's own turning and tilting: no style, but the sign of a sharp turn.
    Root,
    Upper,
    Lower,
}

/// What turns a body's joint velocities into energies.
struct Inertia {
    /// Part and moment of inertia in kg m² of each joint: of all that hangs on it, at rest.
    joints: Vec<(Part, f32)>,
}

impl Inertia {
    fn new(skeleton: &Skeleton) -> Self {
        let body = Body::guess(skeleton);
        let mut shares = vec![0.0; skeleton.len()];
        shares[body.hips] += PELVIS_SHARE;
        for &joint in &body.spine {
            shares[joint] += TRUNK_SHARE / body.spine.len() as f32;
        }
        if let Some(head) = body.head.or(body.neck) {
            shares[head] += HEAD_SHARE;
        }
        for side in Side::BOTH {
            for (part, share) in LIMB_SHARES {
                if let Some(joint) = body.limb(side, part) {
                    shares[joint] += share;
                }
            }
        }
        let mut rest = JointFrames::default();
        rest.compute(skeleton, Vec3::ZERO, &vec![Quat::IDENTITY; skeleton.len()]);
        // Each bone is a rod from its joint to the first child that is not in the same place, or to its tip.
        let end = |joint: usize| {
            let far = |child: &usize| skeleton.joints()[*child].offset.length() > 0.02;
            let child = skeleton.children(joint).find(far);
            child.map_or_else(|| rest.tip(skeleton, joint), |child| rest.positions[child])
        };
        let rods: Vec<(Vec3, f32)> = (0..skeleton.len())
            .map(|joint| {
                let (from, to) = (rest.positions[joint], end(joint));
                ((from + to) * 0.5, from.distance(to))
            })
            .collect();
        let legs: Vec<usize> =
            Side::BOTH.iter().filter_map(|&side| body.limb(side, LimbPart::UpLeg)).collect();
        let hangs_on = |bone: usize, joint: usize| {
            std::iter::successors(Some(bone), |&bone| skeleton.parent(bone)).any(|bone| bone == joint)
        };
        let joints = (0..skeleton.len()).map(|joint| {
            let part = if joint == 0 || joint == body.hips {
                Part::Root
            } else if legs.iter().any(|&leg| hangs_on(joint, leg) || hangs_on(leg, joint)) {
                Part::Lower
            } else {
                Part::Upper
            };
            let inertia = (0..skeleton.len()).filter(|&bone| hangs_on(bone, joint)).map(|bone| {
                let (middle, length) = rods[bone];
                let lever = middle.distance_squared(rest.positions[joint]);
                BODY_MASS * shares[bone] * (lever + length * length / 12.0)
            });
            (part, inertia.sum())
        });
        Self { joints: joints.collect() }
    }
}

/// The kinetic energy of a clip's frames in joules.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyEnergy {
    /// Of trunk, head and arms.
    pub upper: Vec<f32>,
    /// Of the legs.
    pub lower: Vec<f32>,
    /// Of all, the turning and tilting of the whole body included.
    pub total: Vec<f32>,
}

impl BodyEnergy {
    /// Computes ½ I ω² of every joint in every frame.
    pub fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        let inertia = Inertia::new(skeleton);
        let mut energy = Self { upper: Vec::new(), lower: Vec::new(), total: Vec::new() };
        for frame in 0..clip.frames() {
            let velocity = BodyState::of_clip(clip, frame).velocity;
            let (mut upper, mut lower, mut root) = (0.0, 0.0, 0.0);
            for (joint, &(part, inertia)) in inertia.joints.iter().enumerate() {
                let turning = if joint == 0 { Vec3::Z * velocity.turn } else { Vec3::ZERO };
                let own = 0.5 * inertia * (velocity.joints[joint] + turning).length_squared();
                match part {
                    Part::Root => root += own,
                    Part::Upper => upper += own,
                    Part::Lower => lower += own,
                }
            }
            energy.upper.push(upper);
            energy.lower.push(lower);
            energy.total.push(upper + lower + root);
        }
        energy
    }

    /// The feature of a motion (equation 1): (log(E_upper + 1), log(E_lower + 1)) of the mean energies.
    pub fn feature(&self) -> [f32; 2] {
        let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len().max(1) as f32;
        [libm::logf(mean(&self.upper) + 1.0), libm::logf(mean(&self.lower) + 1.0)]
    }

    /// The most energy of arms and trunk, or of the legs, in any frame, in joules, smoothed over a frame.
    pub fn peak(&self) -> f32 {
        let highest = |values: &[f32]| low_pass(values, 1.0).into_iter().fold(0.0, f32::max);
        highest(&self.upper).max(highest(&self.lower))
    }
}

/// Smooths by a Gaussian of deviation `frames`, in both directions at once, so that nothing is delayed.
pub fn low_pass(values: &[f32], frames: f32) -> Vec<f32> {
    let reach = (3.0 * frames).ceil() as isize;
    let weight = |step: isize| libm::expf(-0.5 * (step as f32 / frames).powi(2));
    let last = values.len() as isize - 1;
    (0..=last)
        .map(|at| {
            let near = (-reach..=reach).map(|step| {
                // Beyond an end the curve is mirrored.
                let mirrored = (at + step).abs();
                let inside = if mirrored > last { (2 * last - mirrored).max(0) } else { mirrored };
                (values[inside as usize], weight(step))
            });
            let (sum, total) = near.fold((0.0, 0.0), |(sum, total), (v, w)| (sum + v * w, total + w));
            sum / total
        })
        .collect()
}

/// Frames in which a curve is lower than before and not higher than after.
pub fn valleys(curve: &[f32]) -> Vec<usize> {
    let inner = 1..curve.len().saturating_sub(1);
    inner.filter(|&at| curve[at] < curve[at - 1] && curve[at] <= curve[at + 1]).collect()
}
