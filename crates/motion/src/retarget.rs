//! Moving a clip from one skeleton to another with other joint names, rest pose and bone lengths.

use crate::body::{Body, LimbPart, Side};
use crate::feet::clean_captured_feet;
use crate::measure_radii;
use crate::{Clip, JointFrames, Placement, Skeleton};
use glam::{Quat, Vec3};
use thiserror::Error;

/// For each joint of a target skeleton the joint of a source skeleton that drives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointMap {
    /// Source joint of each target joint; `None` keeps the joint's rest rotation.
    pub sources: Vec<Option<usize>>,
}

/// Why a clip cannot be moved to another skeleton.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RetargetError {
    /// The legs of a skeleton are not known, so the root motion cannot be scaled.
    #[error("the legs of the {0} skeleton are not recognised by their names; give a joint map")]
    UnknownLegs(&'static str),
    /// A joint map names a joint that its skeleton does not have.
    #[error("the {skeleton} skeleton has no joint `{joint}`")]
    UnknownJoint {
        /// Which skeleton.
        skeleton: &'static str,
        /// The name that was not found.
        joint: String,
    },
}

impl JointMap {
    /// Guesses the map from the names of both skeletons: equal names first, then parts of the body.
    pub fn guess(source: &Skeleton, target: &Skeleton) -> Self {
        let mut sources: Vec<Option<usize>> = vec![None; target.len()];
        let (from, to) = (Body::guess(source), Body::guess(target));
        let mut link = |to: Option<usize>, from: Option<usize>| {
            if let (Some(to), Some(from)) = (to, from) {
                sources[to].get_or_insert(from);
            }
        };
        link(Some(0), Some(0));
        link(Some(to.hips), Some(from.hips));
        for side in Side::BOTH {
            use LimbPart::*;
            for part in [UpLeg, Leg, Foot, Toe, Shoulder, Arm, ForeArm, Hand] {
                link(to.limb(side, part), from.limb(side, part));
            }
        }
        link(to.head, from.head);
        link(to.neck, from.neck);
        // Trunks differ in their number of joints: the first drives the first, the last the last.
        for (index, &joint) in to.spine.iter().enumerate() {
            let steps = to.spine.len().saturating_sub(1).max(1);
            let last = from.spine.len().saturating_sub(1);
            let nearest = (index * last + steps / 2) / steps;
            link(Some(joint), from.spine.get(nearest).copied());
        }
        for (index, joint) in target.joints().iter().enumerate() {
            link(Some(index), source.find(&joint.name));
        }
        Self { sources }
    }

    /// Makes a map from pairs of names, `(source, target)`.
    pub fn from_names<'a>(
        source: &Skeleton,
        target: &Skeleton,
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, RetargetError> {
        let find = |skeleton: &Skeleton, which, name: &str| {
            skeleton
                .find(name)
                .ok_or_else(|| RetargetError::UnknownJoint { skeleton: which, joint: name.to_owned() })
        };
        let mut sources = vec![None; target.len()];
        for (from, to) in pairs {
            sources[find(target, "target", to)?] = Some(find(source, "source", from)?);
        }
        Ok(Self { sources })
    }
}

/// Plays `clip` of the skeleton `source` on the skeleton `target`.
///
/// Every mapped bone points where the source's bone points; the root moves in proportion to the leg lengths; feet
/// that were in contact are held still again.
pub fn retarget(
    source: &Skeleton,
    target: &Skeleton,
    map: &JointMap,
    clip: &Clip,
) -> Result<Clip, RetargetError> {
    let leg_length = |skeleton, which| {
        Body::guess(skeleton)
            .leg_length(skeleton)
            .filter(|length| *length > 1e-3)
            .ok_or(RetargetError::UnknownLegs(which))
    };
    let scale = leg_length(target, "target")? / leg_length(source, "source")?;
    let sole_drop = sole_depth(target) - sole_depth(source) * scale;
    let alignments = bone_alignments(source, target, map);

    let mut rotations = Vec::with_capacity(clip.frames() * target.len());
    let mut orientations: Vec<Quat> = Vec::with_capacity(target.len());
    for frame in 0..clip.frames() {
        let posed = clip.pose(frame).joints(source, Placement::IDENTITY);
        orientations.clear();
        for (joint, &alignment) in alignments.iter().enumerate() {
            let above = target.parent(joint).map_or(Quat::IDENTITY, |parent| orientations[parent]);
            let local = match map.sources[joint] {
                Some(driver) => (above.inverse() * posed.orientations[driver] * alignment).normalize(),
                None => Quat::IDENTITY,
            };
            orientations.push(above * local);
            rotations.push(local);
        }
    }
    let mut moved = Clip {
        name: clip.name.clone(),
        labels: clip.labels.clone(),
        ends: clip.ends.clone(),
        track: clip.track.iter().map(|p| Placement { position: p.position * scale, ..*p }).collect(),
        root_heights: clip.root_heights.iter().map(|height| height * scale + sole_drop).collect(),
        rotations,
        contacts: clip.contacts.clone(),
        radii: Vec::new(),
    };
    clean_captured_feet(target, &mut moved);
    moved.radii = measure_radii(target, &moved.rotations);
    Ok(moved)
}

/// How far the ball of the foot is under the ankle at rest, plus how far the hip is under the root: what leg
/// length leaves out of the root's height, in metres.
fn sole_depth(skeleton: &Skeleton) -> f32 {
    let body = Body::guess(skeleton);
    let mut rest = JointFrames::default();
    rest.compute(skeleton, Vec3::ZERO, &vec![Quat::IDENTITY; skeleton.len()]);
    let depth = |side| {
        let leg = body.leg(side)?;
        let z = |joint: usize| rest.positions[joint].z;
        Some(z(leg.ankle) - z(leg.ball) - z(leg.hip))
    };
    let depths: Vec<f32> = Side::BOTH.into_iter().filter_map(depth).collect();
    depths.iter().sum::<f32>() / depths.len().max(1) as f32
}

/// For each target joint the rotation that lays its bone at rest along the source's bone at rest.
fn bone_alignments(source: &Skeleton, target: &Skeleton, map: &JointMap) -> Vec<Quat> {
    let target_body = Body::guess(target);
    (0..target.len())
        .map(|joint| {
            let Some(driver) = map.sources[joint] else { return Quat::IDENTITY };
            // Pelvis and root have many bones: their frames are taken as they are.
            if joint == 0 || joint == target_body.hips {
                return Quat::IDENTITY;
            }
            // The bone's end must be the same part on both sides, or the two directions mean different things.
            let child = target
                .children(joint)
                .find(|&child| map.sources[child].is_some_and(|s| descends(source, s, driver)));
            let (own, other) = match child {
                Some(child) => {
                    let driven = map.sources[child].unwrap_or(driver);
                    (target.joints()[child].offset, offset_between(source, driver, driven))
                }
                None => return Quat::IDENTITY,
            };
            match (own.try_normalize(), other.try_normalize()) {
                (Some(own), Some(other)) => Quat::from_rotation_arc(own, other),
                _ => Quat::IDENTITY,
            }
        })
        .collect()
}

fn descends(skeleton: &Skeleton, joint: usize, ancestor: usize) -> bool {
    std::iter::successors(skeleton.parent(joint), |&joint| skeleton.parent(joint))
        .any(|joint| joint == ancestor)
}

/// From `ancestor` to `joint` at rest, in metres.
fn offset_between(skeleton: &Skeleton, ancestor: usize, joint: usize) -> Vec3 {
    std::iter::successors(Some(joint), |&joint| skeleton.parent(joint))
        .take_while(|&joint| joint != ancestor)
        .map(|joint| skeleton.joints()[joint].offset)
        .sum()
}
