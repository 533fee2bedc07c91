//! Removal of redundant and outlying primitives, so that styles are spread evenly (section V-C).

use super::cluster::distance;
use super::left_out::LeftOut;
use super::poses::Poses;
use super::primitive::Primitive;
use crate::Skeleton;
use serde::{Deserialize, Serialize};

/// What is too near to others or too far from them. The source gives no numbers: all are ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PruneRule {
    /// Two styles nearer than this share of the largest distance of two in their type are one …
    pub redundant: f32,
    /// … if the joint that differs most is nearer than this, in metres, too: as much energy may look quite different.
    pub alike: f32,
    /// Two styles whose joints are all nearer than this, in metres, are one whatever their energy.
    pub same: f32,
    /// A type of captured motions on the spot with fewer styles than this has mirror images of its own, too, of those that look
    /// different in the mirror (ours): who leans on the left leg may lean on the right.
    pub mirror_below: usize,
    /// … by so many metres in the joint that differs most.
    pub mirrored: f32,
    /// A style farther than this from its nearest neighbour, over the mean of all such distances, is an outlier.
    pub outlying: f32,
}

impl Default for PruneRule {
    fn default() -> Self {
        Self { redundant: 0.03, alike: 0.15, same: 0.075, mirror_below: 10, mirrored: 0.1, outlying: 6.0 }
    }
}

/// Of fewer styles than this none is an outlier.
const FEW: usize = 4;

/// Keeps, of the primitives of one type given best first, those that differ and are not alone; returns the others with what is
/// wrong with them, too.
pub(super) fn prune(
    skeleton: &Skeleton,
    primitives: Vec<Primitive>,
    rule: &PruneRule,
) -> (Vec<Primitive>, Vec<(String, LeftOut)>) {
    let pairs =
        primitives.iter().flat_map(|a| primitives.iter().map(move |b| distance(a.feature, b.feature)));
    let least = rule.redundant * pairs.fold(0.0, f32::max);
    let mut kept: Vec<(Primitive, Poses)> = Vec::new();
    let mut left_out = Vec::new();
    for primitive in primitives {
        let poses = Poses::of(skeleton, &primitive);
        let is_new = |(other, others): &(Primitive, Poses)| {
            let near = distance(other.feature, primitive.feature) < least;
            let apart = poses.difference(others, primitive.kind.is_cyclic());
            // What somebody has told apart by labels is one only where energies are alike.
            match primitive.clip.labels.is_empty() {
                true => apart >= if near { rule.alike } else { rule.same },
                false => !near,
            }
        };
        match kept.iter().all(is_new) {
            true => kept.push((primitive, poses)),
            false => left_out.push((primitive.clip.name, LeftOut::Redundant)),
        }
    }
    let mut kept: Vec<Primitive> = kept.into_iter().map(|(primitive, _)| primitive).collect();
    let nearest: Vec<f32> = kept
        .iter()
        .enumerate()
        .map(|(index, own)| {
            let others = kept.iter().enumerate().filter(|(other, _)| *other != index);
            others.map(|(_, other)| distance(own.feature, other.feature)).fold(f32::INFINITY, f32::min)
        })
        .collect();
    let usual = nearest.iter().sum::<f32>() / nearest.len().max(1) as f32;
    let count = kept.len();
    let mut apart = nearest.into_iter();
    kept.retain(|primitive| {
        let far = apart.next().is_some_and(|apart| count >= FEW && apart > rule.outlying * usual);
        if far {
            left_out.push((primitive.clip.name.clone(), LeftOut::Outlying));
        }
        !far
    });
    add_mirrored(skeleton, &mut kept, rule);
    (kept, left_out)
}

/// Adds mirror images of captured motions on the spot that look different from all others, where there are few.
fn add_mirrored(skeleton: &Skeleton, kept: &mut Vec<Primitive>, rule: &PruneRule) {
    let mut poses: Vec<Poses> = kept.iter().map(|primitive| Poses::of(skeleton, primitive)).collect();
    // Those of captures that have the fewest styles first.
    let of_clip = |index: usize| kept.iter().filter(|other| other.clip.name == kept[index].clip.name).count();
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|&index| of_clip(index));
    for index in order {
        let own = &kept[index];
        // What has labels was made, both sides of it where both are wanted.
        if kept.len() >= rule.mirror_below || own.kind.is_cyclic() || !own.clip.labels.is_empty() {
            continue;
        }
        let mirrored = own.mirrored(skeleton);
        let own = Poses::of(skeleton, &mirrored);
        if poses.iter().all(|other| own.difference(other, false) >= rule.mirrored) {
            kept.push(mirrored);
            poses.push(own);
        }
    }
}
