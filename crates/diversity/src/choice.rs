//! The terms of equation 2 for the candidates of one agent, multiplied out as far as they can be known beforehand.
//!
//! A choice is rare and finds little in the cache, so what counts is how few lines of memory it touches: neighbours are
//! summed up by style, and each candidate's differences from all styles lie side by side.

use super::book::StyleBook;
use super::weights::{StyleAdditions, StyleWeights};
use crowdloom_motion::styles::MotionType;

/// The most candidates that are weighed: the nearest of the consistency table.
pub(super) const MOST_CANDIDATES: usize = 16;

/// One number for each candidate, in the order of the consistency table.
pub(super) type Scores = [f32; MOST_CANDIDATES];

/// Playing a style this many times faster or slower than it was captured is not noticed (ours).
const TOLERATED_RATE: f32 = 1.25;

/// Somebody more than this many times as fast as its style would have to hurry its steps (ours): steps a tenth longer and a
/// quarter quicker would not do …
const FASTEST: f32 = 1.375;

/// … and what each time more costs, in misfits: more would leave slow styles to nobody where all go fast.
const HURRY: f32 = 4.0;

/// Two agents nearer than this, in metres, count as this far apart.
const NEAREST: f32 = 0.1;

/// Nobody is slower than this share of a style's own speed when rates are compared.
const SLOWEST_RATE: f32 = 0.05;

/// Styles of a type where there are few, as usual …
pub(super) const FEW: usize = 32;
/// … and the most.
pub(super) const MANY: usize = 256;
/// Numbers that are added up at once.
const LANES: usize = 8;

/// The neighbours of one agent, summed up by their styles within one type.
pub(super) struct Nearby<const STYLES: usize> {
    /// One over the distance in metres, of all neighbours of each style.
    nearness: [f32; STYLES],
    /// Of all neighbours, in metres.
    distances: f32,
    count: f32,
}

impl<const STYLES: usize> Nearby<STYLES> {
    pub(super) fn nobody() -> Self {
        Self { nearness: [0.0; STYLES], distances: 0.0, count: 0.0 }
    }

    /// Meets somebody of a style within the type, so many metres squared away. Who does not count changes nothing, and
    /// there is no branch to guess.
    #[inline]
    pub(super) fn meet(&mut self, style: u8, squared: f32, counts: bool) {
        let (distance, counts) = (squared.sqrt().max(NEAREST), f32::from(u8::from(counts)));
        self.nearness[usize::from(style) % STYLES] += counts / distance;
        self.distances += counts * distance;
        self.count += counts;
    }
}

/// What one agent's choice depends on besides its neighbours and how often styles are used.
#[derive(Clone, Copy)]
pub(super) struct Circumstances {
    /// The style within the type that it comes from.
    pub(super) style: usize,
    /// α of equation 8.
    pub(super) alpha: f32,
    /// Metres a second.
    pub(super) speed: f32,
}

/// A style that one may change to.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Its number within the type.
    style: u16,
    /// w_c times (maxDistance − StyleTable) of equation 7, or times (1 − StyleTable / reach of the candidates).
    consistency: f32,
    /// Its own speed in metres a second.
    speed: f32,
}

/// What all choices of one motion type look up.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    /// The type's first style.
    first: u16,
    /// The number of its styles.
    styles: usize,
    /// The candidates of each style that an agent may come from.
    candidates: Vec<Candidate>,
    /// Where those of each style end.
    ends: Vec<u32>,
    /// A row for each style, of w_d times its difference from each that a neighbour may have; padded to [`FEW`] or [`MANY`].
    differences: Vec<f32>,
    /// What a neighbour of the same style costs.
    clone_cost: f32,
    /// How much a style of another speed is avoided; 0 where nobody goes anywhere.
    speed_weight: f32,
    /// What hurrying costs besides.
    hurry: f32,
    /// What it costs to do the same again on the spot.
    repetition: f32,
}

impl Choices {
    /// For one type.
    pub(super) fn new(
        book: &StyleBook,
        kind: MotionType,
        weights: &StyleWeights,
        additions: &StyleAdditions,
    ) -> Self {
        let (table, first) = (book.table(kind), book.first(kind));
        let scale = book.scale(kind);
        let difference_scale = if additions.relative { scale } else { 1.0 };
        let width = if table.len() <= FEW { FEW } else { MANY };
        let farthest = (0..table.len()).flat_map(|style| table.row(style)).copied().fold(0.0, f32::max);
        let consistency = |style: usize, candidate: usize| {
            let variation = table.variation(style, candidate);
            match additions.relative {
                true => 1.0 - variation / table.reach(style).max(1e-6),
                false => farthest - variation,
            }
        };
        // Where neighbours count at all, a clone is seen whatever else counts: it weighs as much as what weighs most.
        let clone_weight = if weights.local > 0.0 { weights.most() } else { 0.0 };
        let (mut all, mut ends, mut differences) = (Vec::new(), Vec::new(), Vec::new());
        for style in 0..table.len() {
            let nearest = table.candidates(style).iter().take(MOST_CANDIDATES);
            all.extend(nearest.map(|&candidate| Candidate {
                style: candidate,
                consistency: weights.consistency * consistency(style, usize::from(candidate)),
                speed: book.speed(first + candidate),
            }));
            ends.push(all.len() as u32);
            differences.extend((0..width).map(|neighbour| {
                let variation = if neighbour < table.len() { table.variation(style, neighbour) } else { 0.0 };
                difference_scale * weights.local * variation
            }));
        }
        Self {
            first,
            styles: table.len(),
            candidates: all,
            ends,
            differences,
            clone_cost: scale * clone_weight * additions.clone_cost,
            speed_weight: if kind.is_cyclic() { additions.speed } else { 0.0 },
            hurry: if kind.is_cyclic() { additions.speed * HURRY } else { 0.0 },
            repetition: if kind.is_cyclic() { 0.0 } else { weights.local * additions.repetition_cost },
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
    pub(super) fn candidates(&self, style: usize) -> impl Iterator<Item = u16> + '_ {
        self.of(style).iter().map(|candidate| candidate.style)
    }

    #[inline]
    fn of(&self, style: usize) -> &[Candidate] {
        let start = if style == 0 { 0 } else { self.ends[style - 1] };
        &self.candidates[start as usize..self.ends[style] as usize]
    }

    /// w_d D(S) + w_c C(S) and what we add to it, for each candidate; `favoured` styles of the type may be as many side by
    /// side as like.
    ///
    /// `STYLES` is [`FEW`] where the type has no more, else [`MANY`].
    #[inline]
    pub(super) fn scores<const STYLES: usize>(
        &self,
        at: &Circumstances,
        nearby: &Nearby<STYLES>,
        favoured: &[bool],
    ) -> Scores {
        let (rows, _) = self.differences.as_chunks::<STYLES>();
        // Equations 3 and 4: the mean of all over the distances, which are relative to their own mean.
        let share = 1.0 / nearby.count.max(1.0);
        let scale = nearby.distances * share * share;
        let mut scores = [0.0; MOST_CANDIDATES];
        for (score, candidate) in scores.iter_mut().zip(self.of(at.style)) {
            let style = usize::from(candidate.style);
            let clones = if favoured[style] { 0.0 } else { self.clone_cost * nearby.nearness[style] };
            let difference = product(&nearby.nearness, &rows[style]) - clones;
            let (own, speed) = (candidate.speed, at.speed);
            let off = speed.max(own) / speed.min(own).max(SLOWEST_RATE * own).max(1e-6) - TOLERATED_RATE;
            let misfit =
                self.speed_weight * off.max(0.0) + self.hurry * (speed / own.max(0.1) - FASTEST).max(0.0);
            *score = difference * scale + at.alpha * candidate.consistency - misfit;
        }
        // The agent's own style is its first candidate; whom nobody sees may repeat itself.
        scores[0] -= if at.alpha > 0.0 { self.repetition } else { 0.0 };
        scores
    }
}

/// The sum of the products of two rows, always in the same order.
#[inline]
fn product<const STYLES: usize>(a: &[f32; STYLES], b: &[f32; STYLES]) -> f32 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}
