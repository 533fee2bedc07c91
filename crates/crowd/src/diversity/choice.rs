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
    /// The number of its styles.
    styles: usize,
    /// Candidates of every style, and the numbers kept for them.
    count: usize,
    lanes: usize,
    /// The candidates of each style that an agent may come from.
    candidates: Vec<u16>,
    /// A block for each style that an agent may come from, of rows with a number for each candidate: w_c times (1 −
    /// StyleTable / maxDistance) of equation 7; its own speed in metres a second; and for each style that a neighbour may
    /// have, w_d times the difference, less the cost of a clone.
    blocks: Vec<f32>,
    /// How much a style of another speed is avoided; 0 where nobody goes anywhere.
    speed_weight: f32,
    /// What it costs to do the same again on the spot.
    repetition: f32,
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
        let (table, first, scale) = (book.table(kind), book.first(kind), book.scale(kind));
        let count = table.candidate_count().min(MOST_CANDIDATES);
        let lanes = if count <= FEW { FEW } else { MOST_CANDIDATES };
        // Where neighbours count at all, a clone is seen whatever else counts: it weighs as much as what weighs most.
        let clone_weight = if weights.local > 0.0 { weights.most() } else { 0.0 };
        let (mut all, mut blocks) = (Vec::new(), Vec::new());
        for style in 0..table.len() {
            let candidates = &table.candidates(style)[..count];
            all.extend_from_slice(candidates);
            let mut row = |value: &dyn Fn(usize) -> f32| {
                blocks.extend(candidates.iter().map(|&candidate| value(usize::from(candidate))));
                blocks.resize(blocks.len() + lanes - count, 0.0);
            };
            let reach = table.reach(style).max(1e-6);
            row(&|candidate| weights.consistency * (1.0 - table.variation(style, candidate) / reach));
            row(&|candidate| book.speed(first + candidate as u16));
            for neighbour in 0..table.len() {
                row(&|candidate| {
                    let clone = if candidate == neighbour { clone_weight * clone_cost } else { 0.0 };
                    scale * (weights.local * table.variation(neighbour, candidate) - clone)
                });
            }
        }
        Self {
            first,
            styles: table.len(),
            count,
            lanes,
            candidates: all,
            blocks,
            speed_weight: if kind.is_cyclic() { weights.speed } else { 0.0 },
            repetition: if kind.is_cyclic() { 0.0 } else { weights.local * repetition_cost },
        }
    }

    /// The type's first style.
    #[inline]
    pub(super) fn first(&self) -> u16 {
        self.first
    }

    /// The number of the type's styles.
    #[inline]
    pub(super) fn styles(&self) -> usize {
        self.styles
    }

    /// The candidates of somebody who comes from a style of the type.
    #[inline]
    pub(super) fn candidates(&self, style: usize) -> &[u16] {
        &self.candidates[style * self.count..(style + 1) * self.count]
    }

    /// w_d D(S) + w_c C(S) and the preference for a fitting speed, for somebody who comes from a style of the type.
    #[inline]
    pub(super) fn scores(&self, style: usize, at: &Circumstances) -> Scores {
        // Most types have few candidates.
        match self.lanes {
            FEW => self.weigh::<FEW>(style, at),
            _ => self.weigh::<MOST_CANDIDATES>(style, at),
        }
    }

    #[inline]
    fn weigh<const LANES: usize>(&self, style: usize, at: &Circumstances) -> Scores {
        let block = (self.styles + 2) * LANES;
        let (rows, _) = self.blocks[style * block..(style + 1) * block].as_chunks::<LANES>();
        let (consistency, speeds, differences) = (&rows[0], &rows[1], &rows[2..]);
        let (mut sums, mut distances) = ([0.0; LANES], 0.0);
        for near in at.neighbours {
            let distance = near.squared.sqrt().max(NEAREST);
            let nearness = 1.0 / distance;
            distances += distance;
            for (sum, difference) in sums.iter_mut().zip(&differences[usize::from(near.style)]) {
                *sum += nearness * difference;
            }
        }
        // Equations 3 and 4: the mean of all over the distances, which are relative to their own mean.
        let share = 1.0 / (at.neighbours.len() as f32).max(1.0);
        let scale = distances * share * share;
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
