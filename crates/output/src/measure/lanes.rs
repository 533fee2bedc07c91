//! Lanes: whether people who meet others sort themselves behind their like.
//!
//! For each person who walks, those ahead and behind within a strip are counted who go the same way and who come
//! against; the order is ((same − against) / (same + against))², 1 where the strip is all of one kind (the order
//! parameter of Rex and Löwen 2007, "Lane formation in oppositely charged colloids", with a strip of finite length).

use super::conduct::velocity;
use super::tracks::Tracks;
use crowdloom_crowd::grid::NeighbourGrid;
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;

/// Half the width and half the length of a strip in metres.
const BESIDE: f32 = 0.4;
const ALONG: f32 = 4.0;
/// People within this many metres who come against one make it matter.
const MEETS: f32 = 4.0;
const LOOKS: f32 = 1.0;
const WALKS: f32 = 0.2;

/// How much people walk in lanes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Lanes {
    /// Mean order of all who have others against them within 4 m, from 0 (mixed) to 1 (lanes); none where nobody has.
    pub order: Option<f32>,
    /// Seconds that all people had others against them, added up.
    pub person_seconds: f32,
}

pub(super) fn lanes(tracks: &Tracks) -> Lanes {
    let every = tracks.span(LOOKS) as u32;
    let around = tracks.span(0.25);
    let sums: Vec<(f64, u64)> = tracks
        .moments(every)
        .par_iter()
        .map(|(_, there)| {
            let get = |&(piece, at): &(u32, u32)| (&tracks.pieces[piece as usize], at as usize);
            let places: Vec<Vec2> = there.iter().map(|one| get(one).0.positions[get(one).1]).collect();
            let ways: Vec<Vec2> =
                there.iter().map(|one| velocity(get(one).0, get(one).1, around, tracks.step)).collect();
            let mut grid = NeighbourGrid::default();
            grid.rebuild(&places, 2.0);
            let (mut sum, mut count) = (0.0f64, 0u64);
            for (at, &way) in ways.iter().enumerate().filter(|(_, way)| way.length() > WALKS) {
                let forward = way.normalize_or_zero();
                let (mut same, mut against, mut meets) = (0.0f32, 0.0f32, false);
                grid.for_each_within(places[at], ALONG.max(MEETS), |other, _, _| {
                    let other_way = ways[other as usize];
                    if other as usize == at || other_way.length() <= WALKS {
                        return;
                    }
                    let along = other_way.normalize_or_zero().dot(forward);
                    meets |= along < -0.5;
                    let beside = forward.perp_dot(places[other as usize] - places[at]).abs() <= BESIDE;
                    if beside && along > 0.5 {
                        same += 1.0;
                    } else if beside && along < -0.5 {
                        against += 1.0;
                    }
                });
                if meets && same + against > 0.0 {
                    let order = (same - against) / (same + against);
                    sum += f64::from(order * order);
                    count += 1;
                }
            }
            (sum, count)
        })
        .collect();
    let (sum, count) = sums.iter().fold((0.0, 0), |total, one| (total.0 + one.0, total.1 + one.1));
    Lanes {
        order: (count > 0).then(|| (sum / count as f64) as f32),
        person_seconds: count as f32 * every as f32 * tracks.step,
    }
}
