//! The terms of equation 2 for the candidates of one agent.

use super::book::StyleBook;
use super::weights::StyleWeights;
use crowdloom_motion::styles::MotionType;

/// The most candidates that are weighed: the nearest of the consistency table.
pub(super) const MOST_CANDIDATES: usize = 16;

/// Playing a style this many times faster or slower than it was captured is not noticed (ours).
const TOLERATED_RATE: f32 = 1.25;

/// A neighbour of the same motion type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Near {
    pub(super) style: u16,
    /// Metres from the agent.
    pub(super) distance: f32,
}

/// Two agents nearer than this, in metres, count as this far apart.
const NEAREST: f32 = 0.1;

/// What one agent's choice depends on besides how often styles are used.
pub(super) struct Circumstances<'a> {
    pub(super) kind: MotionType,
    /// The style within its type that candidates are near to.
    pub(super) style: usize,
    /// α of equation 8.
    pub(super) alpha: f32,
    /// Metres a second.
    pub(super) speed: f32,
    pub(super) neighbours: &'a [Near],
    /// What a neighbour of the very same style costs beyond equation 3.
    pub(super) clone_cost: f32,
    /// What it costs to do the same again on the spot.
    pub(super) repetition_cost: f32,
}

/// Writes w_d D(S) + w_c C(S) and the preference for a fitting speed of every candidate.
///
/// D and C are taken relative to the mean difference of two styles and to `maxDistance`, so that weights mean the same
/// in every type.
pub(super) fn local_scores(
    book: &StyleBook,
    weights: &StyleWeights,
    at: &Circumstances,
    scores: &mut [f32; MOST_CANDIDATES],
) {
    let table = book.table(at.kind);
    let first = book.first(at.kind);
    let candidates = table.candidates(at.style);
    let candidates = &candidates[..candidates.len().min(MOST_CANDIDATES)];
    let own = table.row(at.style);
    let reach = table.reach(at.style).max(1e-6);
    let cyclic = at.kind.is_cyclic();
    for (score, &candidate) in scores.iter_mut().zip(candidates) {
        // Equation 7.
        *score = weights.consistency * at.alpha * (1.0 - own[usize::from(candidate)] / reach);
        if cyclic {
            let rate = at.speed / book.speed(first + candidate);
            let off = rate.max(1.0 / rate.max(0.05)) - TOLERATED_RATE;
            *score -= weights.speed * off.max(0.0);
        }
    }
    if !cyclic && at.alpha > 0.0 {
        // The agent's own style is its first candidate.
        scores[0] -= weights.local * at.repetition_cost;
    }
    // Equations 3 and 4.
    let count = at.neighbours.len() as f32;
    let mean = at.neighbours.iter().map(|near| near.distance.max(NEAREST)).sum::<f32>() / count.max(1.0);
    let scale = weights.local * book.scale(at.kind) / count.max(1.0);
    for near in at.neighbours {
        let nearness = scale * mean / near.distance.max(NEAREST);
        let other = near.style - first;
        let row = table.row(usize::from(other));
        for (score, &candidate) in scores.iter_mut().zip(candidates) {
            *score += nearness * row[usize::from(candidate)];
            if candidate == other {
                *score -= nearness * at.clone_cost;
            }
        }
    }
}
