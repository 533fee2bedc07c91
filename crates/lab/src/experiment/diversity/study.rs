//! The user study of section VI-C as numbers: 16 agents on a grid with 2 to 10 styles; how near is the nearest clone?

use crowdloom_crowd::diversity::{Demand, Scheme, StyleBook, StyleControl, StyleOptions, StyleWeights};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_motion::styles::{MotionType, StyleLibrary};
use crowdloom_world::Stream;
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;

/// One number of styles of one motion type.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Row {
    /// The motion type.
    pub kind: MotionType,
    /// Styles to choose from.
    pub styles: usize,
    /// Mean distance from an agent to the nearest one of the same style in metres, by lot.
    pub random_clone_m: f64,
    /// The same by the scheme.
    pub scheme_clone_m: f64,
    /// Mean over trials of the smallest distance of two agents of the same style in metres, by lot.
    pub random_nearest_pair_m: f64,
    /// The same by the scheme.
    pub scheme_nearest_pair_m: f64,
}

const SIDE: usize = 4;
const SPACING: f32 = 2.0;
const OFFSET: f32 = 0.3;
pub(super) const STYLES: [usize; 5] = [2, 4, 6, 8, 10];
const FRAMES: u32 = 900;
/// The trial looks at so many moments, so many frames apart, after half of its frames.
const MOMENTS: u32 = 45;
/// Who has no clone is as far from one as the grid is wide, in metres.
const NO_CLONE: f32 = SIDE as f32 * SPACING;

/// Runs `trials` trials of each condition.
pub fn run(library: &StyleLibrary, trials: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in [MotionType::Walking, MotionType::Fighting] {
        for styles in STYLES.into_iter().filter(|&styles| styles <= library.table(kind).len()) {
            let of = |scheme: Scheme| {
                let all: Vec<[f64; 2]> = (1..=trials)
                    .into_par_iter()
                    .map(|seed| trial(library, kind, styles, scheme, seed))
                    .collect();
                let sum = all.iter().fold([0.0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
                sum.map(|value| value / trials as f64)
            };
            let (random, scheme) = (of(Scheme::Random), of(Scheme::Diverse));
            rows.push(Row {
                kind,
                styles,
                random_clone_m: random[0],
                scheme_clone_m: scheme[0],
                random_nearest_pair_m: random[1],
                scheme_nearest_pair_m: scheme[1],
            });
        }
    }
    rows
}

/// Agents who stay where they are, and what they show.
pub(super) struct Stage {
    pub(super) control: StyleControl,
    pub(super) positions: Vec<Vec2>,
    grid: NeighbourGrid,
    demand: Demand,
}

impl Stage {
    /// 16 agents with so many styles of a type, drawn by the seed; `rate` is how fast they play, if not by their speed.
    pub(super) fn new(
        library: &StyleLibrary,
        kind: MotionType,
        styles: usize,
        scheme: Scheme,
        seed: u64,
        rate: Option<f32>,
    ) -> Self {
        let mut stream = Stream::new(seed, 0x57d7);
        let mut pool: Vec<usize> = library.styles(kind).collect();
        for index in 0..styles {
            let other = index + (stream.unit() * (pool.len() - index) as f64) as usize;
            pool.swap(index, other);
        }
        let part = library.subset(&pool[..styles], styles);
        let book = Arc::new(StyleBook::new(Arc::new(part)));
        let mut unit = || stream.unit() as f32;
        let positions: Vec<Vec2> = (0..SIDE * SIDE)
            .map(|agent| {
                let cell = Vec2::new((agent % SIDE) as f32, (agent / SIDE) as f32) * SPACING;
                cell + (Vec2::new(unit(), unit()) * 2.0 - 1.0) * OFFSET
            })
            .collect();
        // Nobody moves on, so no speed has to fit.
        let weights = StyleWeights { local: 10.0, utilisation: 5.0, consistency: 1.0 };
        let options = StyleOptions { scheme, weights, ..StyleOptions::default() };
        let mut control = StyleControl::new(book, options, Vec::new(), seed);
        let demand = Demand { kind, speed: 1.2, rate };
        positions.iter().for_each(|_| control.add(0, demand));
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&positions, SPACING);
        Self { control, positions, grid, demand }
    }

    /// Goes on by a frame.
    pub(super) fn step(&mut self) {
        let demand = self.demand;
        self.control.step(&self.grid, &self.positions, |_, _| demand);
    }
}

fn trial(library: &StyleLibrary, kind: MotionType, styles: usize, scheme: Scheme, seed: u64) -> [f64; 2] {
    let mut stage = Stage::new(library, kind, styles, scheme, seed, None);
    let mut sum = [0.0; 2];
    for frame in 0..FRAMES {
        stage.step();
        if frame >= FRAMES / 2 && (frame - FRAMES / 2).is_multiple_of(FRAMES / 2 / MOMENTS) {
            let seen = clones(&stage.control, &stage.positions);
            sum = [sum[0] + seen[0], sum[1] + seen[1]];
        }
    }
    sum.map(|value| value / f64::from(MOMENTS))
}

/// The mean distance to the nearest clone, and the smallest of all, in metres.
fn clones(control: &StyleControl, positions: &[Vec2]) -> [f64; 2] {
    let style = |agent: usize| control.playing()[agent].style;
    let nearest = (0..positions.len()).map(|agent| {
        (0..positions.len())
            .filter(|&other| other != agent && style(other) == style(agent))
            .map(|other| positions[agent].distance(positions[other]))
            .fold(NO_CLONE, f32::min)
    });
    let (sum, least) = nearest.fold((0.0, NO_CLONE), |(sum, least), one| (sum + one, least.min(one)));
    [f64::from(sum) / positions.len() as f64, f64::from(least)]
}
