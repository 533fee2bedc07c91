//! 250 people leave a room through a door of one metre: does anybody stay behind?
//!
//! Room 15 m × 10 m, door 1.0 m wide in the middle of the short wall, into a passage of the same width and 2 m length; run
//! as anybody's scene, with its defaults.

use super::fundamental_diagram::apart;
use crate::staged::{SceneText, run_out};
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;

const PEOPLE: usize = 250;
const DOOR: f32 = 1.0;
/// Who is not out after so many seconds stays behind.
const SECONDS: f32 = 600.0;
/// Specific flows that were observed, in people per metre and second.
const FLOWS: std::ops::RangeInclusive<f32> = 1.0..=1.9;

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each model and seed.
    pub runs: Vec<Run>,
    /// Runs that could not be made, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// One crowd.
#[derive(Debug, Serialize)]
pub struct Run {
    /// What moved it.
    pub model: String,
    /// What it was drawn from.
    pub seed: u64,
    /// How many never came through, those included who found no room.
    pub left_behind: usize,
    /// People per metre of door and second, from the first to the last who came through.
    pub flow_per_m_s: f32,
    /// Seconds until the last one was through.
    pub seconds: f32,
}

/// Runs each mover with `seeds` seeds and `people` people.
pub fn run_with(movers: &[&str], seeds: u64, people: usize) -> Report {
    let cases: Vec<(&str, u64)> =
        movers.iter().flat_map(|&mover| (1..=seeds).map(move |seed| (mover, seed))).collect();
    let line = (Vec2::new(15.0, 4.0), Vec2::new(15.0, 6.0));
    let runs = cases.into_par_iter().map(|(mover, seed)| {
        let outcome = run_out(&scene(mover, people), seed, SECONDS, line)?;
        Ok(Run {
            model: mover.into(),
            seed,
            left_behind: outcome.left,
            flow_per_m_s: outcome.flow() / DOOR,
            seconds: outcome.end(),
        })
    });
    let (runs, failed) = apart(runs.collect());
    Report { runs, failed }
}

/// Runs the experiment: 20 seeds, 250 people.
pub fn run() -> Report {
    run_with(&["graph", "social-force", "hidac", "orca"], 20, PEOPLE)
}

fn scene(mover: &str, people: usize) -> SceneText {
    SceneText::new(&[[0.0, 0.0], [21.0, 0.0], [21.0, 10.0], [0.0, 10.0]], mover)
        .wall([15.0, 0.0, 17.0, 4.5])
        .wall([15.0, 5.5, 17.0, 10.0])
        .place("room", [0.1, 0.1, 14.5, 9.9])
        .place("out", [18.5, 2.0, 21.0, 8.0])
        .exit("out")
        .people(people, ("room", "out"), [0.0, 0.0], None)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for why in &self.failed {
            writeln!(f, "a run failed: {why}")?;
        }
        writeln!(f, "250 people, room 15 m × 10 m, door 1.0 m, passage 2 m")?;
        writeln!(
            f,
            "{:<13} {:>5} {:>12} {:>18} {:>18} {:>9}",
            "model", "runs", "left behind", "flow /(m s)", "in 1.0 to 1.9", "seconds"
        )?;
        for runs in self.runs.chunk_by(|a, b| a.model == b.model) {
            let flows = || runs.iter().map(|run| run.flow_per_m_s);
            let (low, high) =
                (flows().fold(f32::INFINITY, f32::min), flows().fold(f32::NEG_INFINITY, f32::max));
            writeln!(
                f,
                "{:<13} {:>5} {:>12} {:>10.2} to {:>4.2} {:>18} {:>9.0}",
                runs[0].model,
                runs.len(),
                runs.iter().map(|run| run.left_behind).sum::<usize>(),
                low,
                high,
                flows().filter(|flow| FLOWS.contains(flow)).count(),
                runs.iter().map(|run| run.seconds).sum::<f32>() / runs.len() as f32,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_crowd_comes_through() {
        let runs = run_with(&["social-force", "hidac", "orca"], 1, 60).runs;
        assert_eq!(runs.len(), 3);
        for run in runs {
            assert_eq!(run.left_behind, 0, "{run:?}");
        }
    }
}
