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
const ROUNDS: usize = 15;

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
    let queries = workload.len();
    let measured = METHODS.into_iter().zip(seconds).map(|(method, seconds)| {
        let (work, positives) = workload.work(method);
        Measured::new(method, seconds, work, positives, queries)
    });
    Experiment::new(queries, measured.collect())
}
