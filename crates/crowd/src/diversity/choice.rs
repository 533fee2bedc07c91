//! The terms of equation 2 for the candidates of one agent, multiplied out as far as they can be known beforehand.

use super::book::StyleBook;
use super::weights::StyleWeights;
use crowdloom_motion::styles::MotionType;

/// The most candidates that are weighed: the nearest of the consistency table.
pub(super) const MOST_CANDIDATES: usize = 16;

/// One number for each candidate, in the order of the consistency table.
pub(super) type Scores = [f32; MOST_CANDIDATES];

/// Playing a style this many times faster or slower than it was captured is not noticed (ours).
const TOLERATED_RATE: f32 = 1.25;

/// Two agents nearer than this, in metres, count as this far apart.
const NEAREST: f32 = 0.1;

/// Nobody is slower than this share of a style's own speed when rates are compared.
const SLOWEST_RATE: f32 = 0.05;

/// Candidates that are weighed at once where there are no more.
const FEW: usize = 8;

/// A neighbour of the same motion type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Near {
    /// Its style within the type.
    pub(super) style: u8,
    /// Its distance in metres, squared.
    pub(super) squared: f32,
}

/// What one agent's choice depends on besides how often styles are used.
pub(super) struct Circumstances<'a> {
    /// α of equation 8.
    pub(super) alpha: f32,
    /// Metres a second.
    pub(super) speed: f32,
    pub(super) neighbours: &'a [Near],
}

/// What all choices of one motion type look up. What one choice needs lies side by side, because a choice is rare and
/// finds nothing in the cache.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    /// The type's first style.
    first: u16,
    /// Candidates of every style, and the numbers kept for them.
    count: usize,
    lanes: usize,
    /// By the style that an agent comes from.
    origins: Vec<Origin>,
    /// By the style that an agent comes from and the neighbour's: w_d times the difference of the neighbour's style from
    /// each candidate, less the cost of a clone.
    differences: Vec<f32>,
    /// How much a style of another speed is avoided; 0 where nobody goes anywhere.
    speed_weight: f32,
    /// What it costs to do the same again on the spot.
    repetition: f32,
}

/// What is known of the candidates of one style.
#[derive(Clone, Debug)]
struct Origin {
    candidates: [u16; MOST_CANDIDATES],
    /// w_c (1 − StyleTable / maxDistance) of equation 7.
    consistency: Scores,
    /// The candidates' own speeds in metres a second.
    speeds: Scores,
}

impl Choices {
    /// For one type, with weights and with the costs of a clone beside one and of doing the same again.
    ///
    /// D and C are taken relative to the mean difference of two styles and to `maxDistance`, so that weights mean the
    /// same in every type.
    pub(super) fn new(
        book: &StyleBook,
        kind: MotionType,
        weights: &StyleWeights,
        clone_cost: f32,
        repetition_cost: f32,
    ) -> Self {
        let (table, first) = (book.table(kind), book.first(kind));
        let count = table.candidate_count().min(MOST_CANDIDATES);
        let scale = book.scale(kind);
        // Where neighbours count at all, a clone is seen whatever else counts more: its cost is on the scale of all weights.
        let clone_weight = if weights.local > 0.0 { weights.local.max(weights.mean()) } else { 0.0 };
        let mut choices = Self {
            first,
            count,
            lanes: if count <= FEW { FEW } else { MOST_CANDIDATES },
            origins: Vec::with_capacity(table.len()),
            differences: Vec::new(),
            speed_weight: if kind.is_cyclic() { weights.speed } else { 0.0 },
            repetition: if kind.is_cyclic() { 0.0 } else { weights.local * repetition_cost },
        };
        for style in 0..table.len() {
            let candidates = &table.candidates(style)[..count];
            let of_each = |value: &dyn Fn(u16) -> f32| -> Scores {
                std::array::from_fn(|index| candidates.get(index).map_or(0.0, |&candidate| value(candidate)))
            };
            let reach = table.reach(style).max(1e-6);
            choices.origins.push(Origin {
                candidates: std::array::from_fn(|index| candidates.get(index).copied().unwrap_or_default()),
                consistency: of_each(&|candidate| {
                    weights.consistency * (1.0 - table.variation(style, usize::from(candidate)) / reach)
                }),
                speeds: of_each(&|candidate| book.speed(first + candidate)),
            });
            for neighbour in 0..table.len() {
                let differences = of_each(&|candidate| {
                    let clone =
                        if usize::from(candidate) == neighbour { clone_weight * clone_cost } else { 0.0 };
                    scale * (weights.local * table.variation(neighbour, usize::from(candidate)) - clone)
                });
                choices.differences.extend_from_slice(&differences[..choices.lanes]);
            }
        }
        choices
    }

    /// The type's first style.
    #[inline]
    pub(super) fn first(&self) -> u16 {
        self.first
    }

    /// The number of the type's styles.
    #[inline]
    pub(super) fn styles(&self) -> usize {
        self.origins.len()
    }

    /// The candidates of somebody who comes from a style of the type.
    #[inline]
    pub(super) fn candidates(&self, style: usize) -> &[u16] {
        &self.origins[style].candidates[..self.count]
    }

    /// w_d D(S) + w_c C(S) and the preference for a fitting speed, for somebody who comes from a style of the type.
    #[inline]
    pub(super) fn scores(&self, style: usize, at: &Circumstances) -> Scores {
        // Most types have few candidates.
        if self.lanes == FEW {
            self.weigh::<FEW>(style, at)
        } else {
            self.weigh::<MOST_CANDIDATES>(style, at)
        }
    }

    #[inline]
    fn weigh<const LANES: usize>(&self, style: usize, at: &Circumstances) -> Scores {
        let all = self.styles() * LANES;
        let (rows, _) = self.differences[style * all..(style + 1) * all].as_chunks::<LANES>();
        let (mut sums, mut distances) = ([0.0; LANES], 0.0);
        for near in at.neighbours {
            let distance = near.squared.sqrt().max(NEAREST);
            let nearness = 1.0 / distance;
            distances += distance;
            for (sum, difference) in sums.iter_mut().zip(&rows[usize::from(near.style)]) {
                *sum += nearness * difference;
            }
        }
        // Equations 3 and 4: the mean of all over the distances, which are relative to their own mean.
        let share = 1.0 / (at.neighbours.len() as f32).max(1.0);
        let scale = distances * share * share;
        let Origin { consistency, speeds, .. } = &self.origins[style];
        let mut scores = [0.0; MOST_CANDIDATES];
        for lane in 0..LANES {
            scores[lane] = sums[lane] * scale + at.alpha * consistency[lane];
        }
        // The agent's own style is its first candidate; whom nobody sees may repeat itself.
        scores[0] -= if at.alpha > 0.0 { self.repetition } else { 0.0 };
        if self.speed_weight > 0.0 {
            for lane in 0..LANES {
                let (own, speed) = (speeds[lane], at.speed);
                let off = speed.max(own) / speed.min(own).max(SLOWEST_RATE * own).max(1e-6) - TOLERATED_RATE;
                scores[lane] -= self.speed_weight * off.max(0.0);
            }
        }
        scores
    }
}
