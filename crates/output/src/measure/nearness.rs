//! Bodies that are too near: pairs nearer than 25 cm, and limbs inside each other.

use super::figures::{Capsule, Figures, placed};
use super::tracks::{Piece, Tracks};
use crowdloom_crowd::grid::NeighbourGrid;
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// Middles of bodies nearer than this, in metres, are too near.
const TOO_NEAR: f32 = 0.25;
/// Bodies farther apart than this, in metres, cannot touch: outstretched arms, twice.
const REACH: f32 = 1.6;
/// Seconds from one look at limbs to the next.
const LOOKS: f32 = 0.2;
/// Limbs that are less deep in each other than this, in metres, only touch.
const TOUCH: f32 = 0.01;

/// Pairs that are too near.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Nearness {
    /// Different pairs that ever were.
    pub pairs: usize,
    /// People who ever were in such a pair.
    pub people: usize,
    /// Seconds that all pairs were, added up.
    pub pair_seconds: f32,
    /// The worst: the least distance for pairs that are near, the greatest depth for limbs, in metres.
    pub worst_m: f32,
}

/// Sums over moments; the pair by numbers of people.
#[derive(Default)]
struct Sum {
    looks: BTreeMap<(u32, u32), u32>,
    worst: Option<f32>,
}

impl Sum {
    fn join(mut self, other: Self, worse: fn(f32, f32) -> f32) -> Self {
        for (pair, count) in other.looks {
            *self.looks.entry(pair).or_default() += count;
        }
        self.worst = match (self.worst, other.worst) {
            (Some(a), Some(b)) => Some(worse(a, b)),
            (a, b) => a.or(b),
        };
        self
    }

    fn finish(self, seconds: f32) -> Nearness {
        let mut people: Vec<u32> = self.looks.keys().flat_map(|pair| [pair.0, pair.1]).collect();
        people.sort_unstable();
        people.dedup();
        Nearness {
            pairs: self.looks.len(),
            people: people.len(),
            pair_seconds: self.looks.values().sum::<u32>() as f32 * seconds,
            worst_m: self.worst.unwrap_or(0.0),
        }
    }
}

/// Pairs of bodies nearer than 25 cm, in every record.
pub(super) fn too_near(tracks: &Tracks) -> Nearness {
    let sum = over_pairs(tracks, 1, TOO_NEAR, f32::min, |a, b| {
        Some(a.0.positions[a.1].distance(b.0.positions[b.1]))
    });
    sum.finish(tracks.step)
}

/// Pairs of bodies with limbs in each other, five times a second.
pub(super) fn limbs(tracks: &Tracks, figures: &Figures) -> Nearness {
    let every = tracks.span(LOOKS) as u32;
    let sum = over_pairs(tracks, every, REACH, f32::max, |a, b| {
        let (own, other) = (figures.capsules(a.0.shown[a.1])?, figures.capsules(b.0.shown[b.1])?);
        let depth = deepest(a, own, b, other);
        (depth > TOUCH).then_some(depth)
    });
    sum.finish(every as f32 * tracks.step)
}

/// Looks at all pairs nearer than `reach` in every so many records.
fn over_pairs(
    tracks: &Tracks,
    every: u32,
    reach: f32,
    worse: fn(f32, f32) -> f32,
    look: impl Fn((&Piece, usize), (&Piece, usize)) -> Option<f32> + Sync,
) -> Sum {
    let moments = tracks.moments(every);
    moments
        .par_chunks(64)
        .map(|moments| {
            let mut sum = Sum::default();
            let mut grid = NeighbourGrid::default();
            for (_, there) in moments.iter().filter(|(_, there)| there.len() > 1) {
                let get = |at: usize| {
                    let (piece, index) = there[at];
                    (&tracks.pieces[piece as usize], index as usize)
                };
                let places: Vec<Vec2> = (0..there.len()).map(|at| get(at).0.positions[get(at).1]).collect();
                grid.rebuild(&places, reach.max(0.5));
                for (at, &place) in places.iter().enumerate() {
                    grid.for_each_within(place, reach, |other, _, _| {
                        let other = other as usize;
                        if other <= at {
                            return;
                        }
                        let (a, b) = (get(at), get(other));
                        if let Some(found) = look(a, b) {
                            *sum.looks.entry((a.0.id, b.0.id)).or_default() += 1;
                            sum.worst = Some(sum.worst.map_or(found, |worst| worse(worst, found)));
                        }
                    });
                }
            }
            sum
        })
        .reduce(Sum::default, |a, b| a.join(b, worse))
}

/// How deep the rods of two bodies are in each other, in metres.
fn deepest(a: (&Piece, usize), own: &[Capsule], b: (&Piece, usize), other: &[Capsule]) -> f32 {
    let place = |(piece, at): (&Piece, usize), rod: &Capsule| {
        let facing = Vec2::from_angle(piece.headings[at]);
        let position = piece.positions[at];
        Capsule {
            from: placed(rod.from, position, facing),
            to: placed(rod.to, position, facing),
            radius: rod.radius,
        }
    };
    let theirs: Vec<Capsule> = other.iter().map(|rod| place(b, rod)).collect();
    let mut deepest = 0.0f32;
    for mine in own.iter().map(|rod| place(a, rod)) {
        for their in &theirs {
            let near = mine.radius + their.radius;
            // Middles farther apart than both rods are long cannot meet.
            let middles = (mine.from + mine.to - their.from - their.to).length() * 0.5;
            let lengths = (mine.from.distance(mine.to) + their.from.distance(their.to)) * 0.5;
            if middles < near + lengths {
                deepest = deepest.max(near - segment_distance(mine.from, mine.to, their.from, their.to));
            }
        }
    }
    deepest
}

/// The distance of two straight lines between points, in metres (Ericson 2005, "Real-time collision detection", 5.1.9).
fn segment_distance(p1: Vec3, q1: Vec3, p2: Vec3, q2: Vec3) -> f32 {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.length_squared().max(1e-9), d2.length_squared().max(1e-9), d2.dot(r));
    let (b, c) = (d1.dot(d2), d1.dot(r));
    let denominator = a * e - b * b;
    let s = if denominator > 1e-9 { ((b * f - c * e) / denominator).clamp(0.0, 1.0) } else { 0.0 };
    let t = (b * s + f) / e;
    let (s, t) = match t {
        t if t < 0.0 => ((-c / a).clamp(0.0, 1.0), 0.0),
        t if t > 1.0 => (((b - c) / a).clamp(0.0, 1.0), 1.0),
        t => (s, t),
    };
    (p1 + d1 * s).distance(p2 + d2 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_as_far_as_they_are() {
        let x = |a: f32, b: f32| (Vec3::new(a, 0.0, 0.0), Vec3::new(b, 0.0, 0.0));
        let (a, b) = x(0.0, 1.0);
        assert!(
            (segment_distance(a, b, Vec3::new(0.5, -1.0, 0.3), Vec3::new(0.5, 1.0, 0.3)) - 0.3).abs() < 1e-6
        );
        assert!(
            (segment_distance(a, b, Vec3::new(2.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.0)) - 1.0).abs() < 1e-6
        );
        assert!(
            (segment_distance(a, b, Vec3::new(0.2, 0.5, 0.0), Vec3::new(0.8, 0.5, 0.0)) - 0.5).abs() < 1e-6
        );
    }

    #[test]
    fn near_pairs_are_counted_once_with_their_time() {
        let piece =
            |id: u32, x: f32| Piece { id, positions: vec![Vec2::new(x, 0.0); 30], ..Piece::default() };
        let pieces = vec![piece(1, 0.0), piece(2, 0.2), piece(3, 0.5)];
        let tracks = Tracks { step: 0.1, records: 30, pieces, ..Tracks::default() };
        let near = too_near(&tracks);
        assert_eq!((near.pairs, near.people), (1, 2));
        assert!((near.pair_seconds - 3.0).abs() < 1e-4 && (near.worst_m - 0.2).abs() < 1e-6);
    }
}
