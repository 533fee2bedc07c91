//! What single numbers of Cell Marking do, and what each of our additions is worth.

use super::{CELL_SIDE, Method, Run, Scenario, Setup, TIME_LIMIT};
use crowdloom_crowd::cell_marking::{Marking, Options, SegmentOptions};
use crowdloom_motion::FRAME_RATE;
use serde::Serialize;

/// One value of one parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// The parameter.
    pub parameter: &'static str,
    /// Its value.
    pub value: f32,
    /// Mean seconds until all have arrived, as in [`Row::seconds`].
    pub seconds: f64,
    /// Seeds in which somebody had not arrived when time was up, of [`SWEEP_SEEDS`].
    pub deadlocks: usize,
    /// Segments that agents choose from.
    pub segments: usize,
    /// Milliseconds that a frame of a hundred agents takes.
    pub ms_per_frame: f64,
}

/// Seeds of a value.
pub const SWEEP_SEEDS: u64 = 2;

/// Our additions but for one of them.
#[derive(Clone, Debug, Serialize)]
pub struct Without {
    /// What is missing.
    pub addition: &'static str,
    /// The scenario.
    pub scenario: Scenario,
    /// Mean seconds until all have arrived, as in [`super::Row::seconds`].
    pub seconds: f64,
    /// Seeds in which somebody had not arrived when time was up, of [`SWEEP_SEEDS`].
    pub deadlocks: usize,
}

/// Varies one parameter at a time in the line swap.
pub fn sweep() -> Vec<Sweep> {
    let usual = Setup::new(&SegmentOptions::default());
    let one = |parameter: &'static str, value: f32, setup: &Setup| {
        let started = std::time::Instant::now();
        let runs: Vec<Run> = (1..=SWEEP_SEEDS)
            .map(|seed| setup.run(Method::CellMarking, Scenario::LineSwap, seed, false))
            .collect();
        let times = runs.iter().map(|run| run.seconds.unwrap_or(TIME_LIMIT));
        let total: f64 = times.sum();
        Sweep {
            parameter,
            value,
            seconds: total / runs.len() as f64,
            deadlocks: runs.iter().filter(|run| run.seconds.is_none()).count(),
            segments: setup.book.len(),
            ms_per_frame: 1e3 * started.elapsed().as_secs_f64() / (total * f64::from(FRAME_RATE)),
        }
    };
    let with = |options: Options, cell_side: f32| {
        let (library, book) = (usual.library.clone(), usual.book.clone());
        Setup { library, book, options, cell_side }
    };
    let mut sweeps = Vec::new();
    for side in [0.05, 0.1, 0.2, 0.4] {
        sweeps.push(one("cell side in metres", side, &with(usual.options, side)));
    }
    for threshold in [5.0, 10.0, 15.0, 25.0] {
        let segments = SegmentOptions { threshold, ..SegmentOptions::default() };
        sweeps.push(one("delta in metres", threshold, &Setup::new(&segments)));
    }
    for orientation in [0.0, 0.4, 1.2, 3.6] {
        let marking = Marking { orientation, ..usual.options.marking };
        sweeps.push(one("w_theta", orientation, &with(Options { marking, ..usual.options }, CELL_SIDE)));
    }
    sweeps
}

/// What we add to the source, each with the options in which it alone is as published.
pub(super) fn additions(ours: Options) -> [(&'static str, Options); 7] {
    let published = Marking::published();
    let with = |marking: Marking| Options { marking, ..ours };
    let own = ours.marking;
    [
        ("nothing", ours),
        ("keeping right", with(Marking { give_way: published.give_way, ..own })),
        ("ways around", with(Marking { goes_around: published.goes_around, ..own })),
        ("detours", with(Marking { patience: published.patience, ..own })),
        ("making room", Options { make_room: Options::published().make_room, ..ours }),
        ("deciding early", with(Marking { decides_after: published.decides_after, ..own })),
        (
            "room to step",
            with(Marking { personal_radius: published.personal_radius, tests: published.tests, ..own }),
        ),
    ]
}

/// Takes our additions away one at a time, where two lines and where two close groups change places.
pub fn without() -> Vec<Without> {
    let usual = Setup::new(&SegmentOptions::default());
    let mut all = Vec::new();
    for scenario in [Scenario::LineSwap, Scenario::CloseSwap] {
        for (addition, options) in additions(usual.options) {
            let (library, book) = (usual.library.clone(), usual.book.clone());
            let setup = Setup { library, book, options, cell_side: usual.cell_side };
            let runs: Vec<Run> =
                (1..=SWEEP_SEEDS).map(|seed| setup.run(Method::CellMarking, scenario, seed, false)).collect();
            let total: f64 = runs.iter().map(|run| run.seconds.unwrap_or(TIME_LIMIT)).sum();
            let deadlocks = runs.iter().filter(|run| run.seconds.is_none()).count();
            all.push(Without { addition, scenario, seconds: total / runs.len() as f64, deadlocks });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_additions_taken_away_leave_what_is_published() {
        let ours = Options::default();
        let mut left = ours;
        for (name, without) in additions(ours) {
            let own = without.marking;
            match name {
                "keeping right" => left.marking.give_way = own.give_way,
                "ways around" => left.marking.goes_around = own.goes_around,
                "detours" => left.marking.patience = own.patience,
                "making room" => left.make_room = without.make_room,
                "deciding early" => left.marking.decides_after = own.decides_after,
                "room to step" => {
                    (left.marking.personal_radius, left.marking.tests) = (own.personal_radius, own.tests);
                }
                _ => assert_eq!(without, ours),
            }
        }
        assert_eq!(left, Options::published());
    }
}
