//! 250 people leave a room through a door of one metre: does anybody stay behind?
//!
//! Room 15 m × 10 m, door 1.0 m wide in the middle of the short wall, into a passage of the same width and 2 m length.

use crate::pedestrians::{self, Pedestrians};
use crowdloom_crowd::velocity::Model;
use crowdloom_world::{DistanceField, Ground, Stream};
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

const PEOPLE: usize = 250;
const ROOM: Vec2 = Vec2::new(15.0, 10.0);
const DOOR: f32 = 1.0;
const PASSAGE: f32 = 2.0;
/// Specific flows that were observed, in people per metre and second.
const FLOWS: std::ops::RangeInclusive<f32> = 1.0..=1.9;

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each model and seed.
    pub runs: Vec<Run>,
}

/// One crowd.
#[derive(Debug, Serialize)]
pub struct Run {
    /// What moved it.
    pub model: &'static str,
    /// What it was drawn from.
    pub seed: u64,
    /// How many never came through.
    pub left_behind: usize,
    /// People per metre of door and second, from the first to the last who came through.
    pub flow_per_m_s: f32,
    /// Seconds until the last one was through.
    pub seconds: f32,
}

/// Runs each model with `seeds` seeds and `people` people.
pub fn run_with(models: &[Model], seeds: u64, people: usize) -> Report {
    let Some((ground, field)) = scene() else { return Report { runs: Vec::new() } };
    let cases: Vec<(Model, u64)> =
        models.iter().flat_map(|&model| (1..=seeds).map(move |seed| (model, seed))).collect();
    let runs = cases
        .into_par_iter()
        .map(|(model, seed)| {
            let mut crowd = Pedestrians::new(&ground, vec![Arc::clone(&field)], seed);
            let mut stream = Stream::new(seed, 1);
            for place in pedestrians::scatter(people, Vec2::ZERO, ROOM, seed) {
                crowd.add(place, model, pedestrians::preferred_speed(&mut stream), 0);
            }
            let missing = people - crowd.crowd.len();
            let end = ROOM.x + PASSAGE;
            let outcome = crowd.walk(|p| p.x > ROOM.x, |_, p| p.x > end + 0.5);
            Run {
                model: model.name(),
                seed,
                left_behind: outcome.left_behind + missing,
                flow_per_m_s: outcome.flow() / DOOR,
                seconds: outcome.end(),
            }
        })
        .collect();
    Report { runs }
}

/// Runs the experiment: 20 seeds, 250 people.
pub fn run() -> Report {
    run_with(&pedestrians::models(), 20, PEOPLE)
}

fn scene() -> Option<(Arc<Ground>, Arc<DistanceField>)> {
    let (room, middle, half) = (ROOM.as_dvec2(), f64::from(ROOM.y) / 2.0, f64::from(DOOR) / 2.0);
    let end = room.x + f64::from(PASSAGE);
    let outside = [end, middle - 3.0, end + 4.0, middle + 3.0];
    let ground = pedestrians::plan(&[
        [0.0, 0.0, room.x, room.y],
        [room.x, middle - half, end, middle + half],
        outside,
    ])
    .ok()?;
    let goal = Vec2::new(end as f32 + 3.0, middle as f32);
    let field = pedestrians::ways(&ground, &[goal]).ok()?;
    Some((ground, field))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
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
        for run in run_with(&pedestrians::models(), 1, 60).runs {
            assert_eq!(run.left_behind, 0, "{run:?}");
        }
    }
}
