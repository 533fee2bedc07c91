//! Collision tests of placed motions: both experiments of the thesis' section 4.4.

mod motions;
mod random;
mod report;
mod workload;

pub use motions::{Motions, Track, motions};
pub use report::{Experiment, Measured, Report};
pub use workload::{Crowd, Query, Workload};

use crowdloom_motion::mobb::Method;
use std::hint::black_box;
use std::time::Instant;

/// Queries of the long experiment (thesis section 4.4).
const LONG_QUERIES: usize = 100_000;

/// Of the many queries of the short experiment, one in so many is kept.
const SHORT_EVERY: usize = 10;

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
    Report {
        disagreements: short.disagreements(&METHODS) + long.disagreements(&METHODS),
        field_metres: 2.0 * field,
        short: measure(&short, ROUNDS),
        long: measure(&long, ROUNDS),
    }
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
    Experiment::new(queries, measured.collect())
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
        let crowd = Crowd { people: 30, half_field: [8.0, 11.0], frames: 600, candidates: 4 };
        let short = crowd.play(&motions().short, 1);
        assert!(short.query_count() > 5_000, "{} queries", short.query_count());
        assert_eq!(short.disagreements(&METHODS), 0);

        let (_, positives) = short.work(Method::FrameByFrame);
        assert!(positives > 100 && positives < short.query_count() / 2, "{positives} positives");
        let [frame_by_frame, one_level, mobb] =
            [Method::FrameByFrame, Method::OneLevel, Method::Mobb].map(|method| per_query(&short, method)[2]);
        assert!(mobb < one_level && one_level < frame_by_frame, "{mobb} {one_level} {frame_by_frame}");
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
