//! Collision tests of placed motions: both experiments of the thesis' section 4.4.

mod motions;
mod published;
mod random;
mod report;
mod workload;

pub use motions::{Motions, Track, motions};
pub use published::{Axes, Bound, N_MIN, Plain, PlainTree, meets};
pub use report::{Experiment, Leaf, Measured, PlainRow, Report};
pub use workload::{Crowd, Query, Workload};

use crowdloom_motion::mobb::{Method, Work};
use std::hint::black_box;
use std::time::Instant;

/// Queries of the long experiment (thesis section 4.4).
const LONG_QUERIES: usize = 100_000;

/// Of the many queries of the short experiment, one in so many is kept.
const SHORT_EVERY: usize = 4;

/// Samples in a leaf that are tried (section 4.2.1: from 1 to 50).
const LEAVES: [usize; 8] = [1, 2, 5, 10, 15, 20, 30, 50];

/// Queries of the long experiment that are timed with each size of leaf.
const LEAF_QUERIES: usize = 20_000;

/// Rounds over all methods; the fastest counts.
const ROUNDS: usize = 25;

/// The methods in the order of the report.
pub const METHODS: [Method; 8] = [
    Method::FrameByFrame,
    Method::OneLevel,
    Method::Mobb,
    Method::Umobb,
    Method::Hybrid1,
    Method::Hybrid2,
    Method::WideSweep,
    Method::Best,
];

/// Runs both experiments.
pub fn run() -> Report {
    let motions = motions();
    let short = Crowd::default().play(&motions.short, SHORT_EVERY);
    let field = Workload::calibrated_field(&motions.long);
    let long = Workload::random(&motions.long, LONG_QUERIES, field);
    let mobb = Plain::Tree { root: Bound::Flat, below: Bound::Flat };
    let some = Workload::random(&motions.long, LEAF_QUERIES, field);
    let leaf = |&n_min: &usize| {
        let us = |workload: &Workload| {
            let trees = workload.plain_trees(n_min, Axes::FirstToLast);
            time_plain(workload, &trees, mobb, ROUNDS / 5)
        };
        Leaf { n_min, short_us: us(&short), long_us: us(&some) }
    };
    let area = |axes| long.plain_trees(N_MIN, axes).iter().map(PlainTree::area).sum::<f64>();
    let sparse = Crowd { people: 35, density: workload::SPARSE, ..Crowd::default() };
    let sparse = sparse.play(&motions.short, 1);
    let trees = sparse.plain_trees(N_MIN, Axes::FirstToLast);
    Report {
        disagreements: short.disagreements(&METHODS)
            + long.disagreements(&METHODS)
            + plain_disagreements(&short)
            + plain_disagreements(&some)
            + plain_disagreements(&sparse),
        field_metres: 2.0 * field,
        short_radius_metres: short.radius(),
        leaves: LEAVES.iter().map(leaf).collect(),
        areas_first_to_last_by_second_order: area(Axes::FirstToLast) / area(Axes::SecondOrder),
        figure_4_10: [
            time_plain(&sparse, &trees, mobb, ROUNDS),
            time_frames(&sparse, ROUNDS),
            time_plain(&sparse, &trees, Plain::SweepObbTree, ROUNDS),
        ],
        short: measure(&short, ROUNDS),
        long: measure(&long, ROUNDS),
    }
}

/// Microseconds for a query with plain trees: the best of some rounds.
fn time_plain(workload: &Workload, trees: &[PlainTree], method: Plain, rounds: usize) -> f64 {
    time(workload, rounds, || {
        workload.queries().iter().filter(|query| meets(trees, query, method, &mut ())).count()
    })
}

/// The same frame by frame.
fn time_frames(workload: &Workload, rounds: usize) -> f64 {
    time(workload, rounds, || workload.pairs().filter(|[a, b]| a.meets(b, Method::FrameByFrame)).count())
}

fn time(workload: &Workload, rounds: usize, all: impl Fn() -> usize) -> f64 {
    let round = || {
        let started = Instant::now();
        black_box(all());
        started.elapsed().as_secs_f64()
    };
    let best = (0..rounds.max(1)).map(|_| round()).fold(f64::INFINITY, f64::min);
    1e6 * best / workload.query_count().max(1) as f64
}

/// Queries that plain trees answer otherwise than frame by frame.
fn plain_disagreements(workload: &Workload) -> usize {
    let trees = workload.plain_trees(N_MIN, Axes::FirstToLast);
    let methods = || Plain::ROWS.iter().map(|(_, method)| *method).chain([Plain::SweepObbTree]);
    let pairs = workload.pairs().zip(workload.queries());
    pairs
        .filter(|([a, b], query)| {
            let answer = a.meets(b, Method::FrameByFrame);
            methods().any(|method| meets(&trees, query, method, &mut ()) != answer)
        })
        .count()
}

/// The rows of the thesis' table, and the share of queries that end at the roots.
fn published(workload: &Workload, rounds: usize) -> (Vec<PlainRow>, f64) {
    let trees = workload.plain_trees(N_MIN, Axes::FirstToLast);
    let queries = workload.query_count().max(1) as f64;
    let mut past_roots = 0;
    let row = |(name, method): (&'static str, Plain)| {
        let mut work = Work::default();
        for query in workload.queries() {
            meets(&trees, query, method, &mut work);
        }
        PlainRow {
            name,
            us: time_plain(workload, &trees, method, rounds),
            boxes_2d: work.boxes_2d as f64 / queries,
            boxes_3d: work.boxes_3d as f64 / queries,
            samples: work.samples as f64 / queries,
        }
    };
    let rows = Plain::ROWS.map(row).to_vec();
    for query in workload.queries() {
        let mut work = Work::default();
        meets(&trees, query, Plain::OneLevel(Bound::Flat), &mut work);
        past_roots += usize::from(work.samples > 0);
    }
    (rows, 1.0 - past_roots as f64 / queries)
}

/// Times every method on the same queries, round after round, and counts its work.
fn measure(workload: &Workload, rounds: usize) -> Experiment {
    let mut seconds = [f64::INFINITY; METHODS.len()];
    for _ in 0..rounds {
        for (method, best) in METHODS.into_iter().zip(&mut seconds) {
            let start = Instant::now();
            let positives = workload.pairs().filter(|[a, b]| a.meets(b, method)).count();
            black_box(positives);
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let queries = workload.query_count();
    let measured = METHODS.into_iter().zip(seconds).map(|(method, seconds)| {
        let (work, positives) = workload.work(method);
        Measured::new(method, seconds, work, positives, queries)
    });
    let (rows, root_negatives) = published(workload, (rounds / 5).max(1));
    Experiment::new(queries, measured.collect(), rows, root_negatives)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn per_query(workload: &Workload, method: Method) -> [f64; 3] {
        let (work, _) = workload.work(method);
        [work.boxes_2d, work.boxes_3d, work.samples].map(|total| total as f64 / workload.query_count() as f64)
    }

    #[test]
    fn long_motions_take_no_more_work_than_in_the_thesis() {
        let motions = motions();
        let long = Workload::random(&motions.long, 5_000, Workload::calibrated_field(&motions.long));
        assert_eq!(long.disagreements(&METHODS), 0);

        let [roots, _, samples] = per_query(&long, Method::OneLevel);
        assert!((0.80..0.86).contains(&roots), "the thesis' 0.83 roots, not {roots}");
        assert!((290.0..320.0).contains(&samples), "the thesis' 306 samples, not {samples}");

        let [flat, tilted, samples] = per_query(&long, Method::Mobb);
        assert!(flat <= 30.0 && tilted == 0.0 && samples <= 5.0, "{flat} {tilted} {samples}");
        let [flat, tilted, samples] = per_query(&long, Method::Umobb);
        assert!(flat + tilted <= 30.0 && samples <= 5.0, "{flat} {tilted} {samples}");
    }

    #[test]
    fn a_small_crowd_gets_the_same_answers_with_less_work() {
        let (people, half_field, frames) = (30, [8.0, 11.0], 600);
        let crowd = Crowd { people, half_field, frames, candidates: 4, sight: 3.5, density: 0.3 };
        let short = crowd.play(&motions().short, 1);
        assert!(short.query_count() > 1_000, "{} queries", short.query_count());
        assert_eq!(short.disagreements(&METHODS), 0);

        let (_, positives) = short.work(Method::FrameByFrame);
        assert!(
            positives > 100 && positives < short.query_count() * 3 / 4,
            "{positives} positives of {}",
            short.query_count()
        );
        let [frame_by_frame, one_level, mobb] =
            [Method::FrameByFrame, Method::OneLevel, Method::Mobb].map(|method| per_query(&short, method)[2]);
        assert!(mobb < one_level && one_level < frame_by_frame, "{mobb} {one_level} {frame_by_frame}");
    }

    #[test]
    fn plain_trees_say_what_frames_say_and_take_the_work_that_is_published() {
        let motions = motions();
        let crowd = Crowd { frames: 900, ..Crowd::default() };
        assert!((crowd.radius() - 0.602).abs() < 0.002, "{} m", crowd.radius());
        let short = crowd.play(&motions.short, 1);
        let long = Workload::random(&motions.long, 3_000, Workload::calibrated_field(&motions.long));
        assert_eq!(plain_disagreements(&short) + plain_disagreements(&long), 0);
        let levels: Vec<usize> =
            short.plain_trees(N_MIN, Axes::FirstToLast).iter().map(PlainTree::levels).collect();
        let mean = levels.iter().sum::<usize>() as f64 / levels.len() as f64;
        assert!((3.0..4.5).contains(&mean), "the thesis' trees have 3 levels on average, these {mean}");
        // A tree tests fewer samples than one level, and a tilted box is no looser than a flat one.
        for workload in [&short, &long] {
            let (rows, _) = published(workload, 1);
            let [one, tilted_one, mobb, umobb, ..] = &rows[..] else { panic!("{rows:?}") };
            assert!(one.boxes_3d == 0.0 && tilted_one.boxes_3d > 0.0 && mobb.boxes_3d == 0.0, "{rows:?}");
            assert!(mobb.samples * 2.0 < one.samples && umobb.samples <= mobb.samples, "{rows:?}");
        }
        let area = |axes| long.plain_trees(N_MIN, axes).iter().map(PlainTree::area).sum::<f64>();
        let ratio = area(Axes::FirstToLast) / area(Axes::SecondOrder);
        assert!((0.8..1.25).contains(&ratio), "figure 4.3: {ratio}");
    }

    #[test]
    fn the_motions_are_as_long_as_the_thesis_says() {
        let Motions { short, long } = motions();
        let average =
            |tracks: &[Track]| tracks.iter().map(Vec::len).sum::<usize>() as f64 / tracks.len() as f64;
        assert_eq!((short.len(), long.len()), (51, 14));
        assert!((average(&short) - 63.0).abs() < 6.0, "{}", average(&short));
        assert!((average(&long) - 1260.0).abs() < 20.0, "{}", average(&long));
    }
}
