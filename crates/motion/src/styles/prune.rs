//! Removal of redundant and outlying primitives, so that styles are spread evenly (section V-C).

use super::cluster::distance;
use super::primitive::Primitive;
use serde::{Deserialize, Serialize};

/// What is too near to others or too far from them. The source gives no numbers: both are ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PruneRule {
    /// Two styles nearer than this share of the largest distance of two in their type are one.
    pub redundant: f32,
    /// A style farther than this from its nearest neighbour, over the mean of all such distances, is an outlier.
    pub outlying: f32,
}

impl Default for PruneRule {
    fn default() -> Self {
        Self { redundant: 0.03, outlying: 6.0 }
    }
}

/// Of fewer styles than this none is an outlier.
const FEW: usize = 4;

/// Keeps, of the primitives of one type given best first, those that differ and are not alone; returns how many were
/// redundant and how many outlying.
pub(super) fn prune(primitives: Vec<Primitive>, rule: &PruneRule) -> (Vec<Primitive>, usize, usize) {
    let before = primitives.len();
    let pairs =
        primitives.iter().flat_map(|a| primitives.iter().map(move |b| distance(a.feature, b.feature)));
    let least = rule.redundant * pairs.fold(0.0, f32::max);
    let mut kept: Vec<Primitive> = Vec::new();
    for primitive in primitives {
        if kept.iter().all(|other| distance(other.feature, primitive.feature) >= least) {
            kept.push(primitive);
        }
    }
    let redundant = before - kept.len();
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
    let mut near = nearest.iter().map(|apart| count < FEW || *apart <= rule.outlying * usual);
    kept.retain(|_| near.next().unwrap_or(true));
    let outlying = count - kept.len();
    (kept, redundant, outlying)
}
