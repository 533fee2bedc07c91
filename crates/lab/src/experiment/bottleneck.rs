//! Doors of several widths, two streams in a corridor, a crossing and a T junction: flow, and who is left.
//!
//! Every scene is run as anybody's scene, with its defaults. Everybody whom a scene asks for counts, also those who find
//! no room to come in.

use super::fundamental_diagram::apart;
use crate::staged::{SceneText, run_out};
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each mover, scene, width and seed.
    pub runs: Vec<Run>,
    /// Runs that could not be made, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// One scene.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// What moved people.
    pub mover: String,
    /// `door`, `streams-1`, `streams-1.5` (people a second from each end), `crossing` or `t-junction`.
    pub scene: &'static str,
    /// Width of the door or the corridor in metres.
    pub width: f32,
    /// The seed.
    pub seed: u64,
    /// People per metre and second through the door or the middle of the corridor, from the first to the last.
    pub flow_per_m_s: f32,
    /// How many of those asked for had not left in the end.
    pub left: usize,
    /// How many were asked for.
    pub asked: usize,
    /// When the last one left, in seconds.
    pub seconds: f32,
}

/// How much is run.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Movers, as scenes call them; `graph` is none.
    pub movers: Vec<String>,
    /// Seeds.
    pub seeds: std::ops::Range<u64>,
    /// Only these scenes, by name; all where there is none.
    pub only: Vec<String>,
    /// Whether only two doors and one stream of fewer people are run, for tests.
    pub reduced: bool,
}

/// Widths of doors in metres.
pub const WIDTHS: [f32; 5] = [0.8, 1.0, 1.2, 1.5, 2.0];
/// The widths of doors through which people go both ways, in metres.
const WIDTHS_BOTH_WAYS: [f32; 3] = [0.9, 1.2, 2.0];
const AT_THE_DOOR: usize = 120;
const DOOR_SECONDS: f32 = 240.0;
const BOTH_WAYS_SECONDS: f32 = 360.0;
const IN_STREAMS: usize = 240;
const CORRIDOR: f64 = 4.0;
/// People may still be inside so many seconds after the last came in.
const AFTER: f32 = 60.0;

#[derive(Clone, Copy)]
enum Case {
    Door(f32),
    BothWays(f32),
    Streams(&'static str, f32),
    Crossing,
    Junction,
}

/// Runs the experiment.
pub fn run(extent: &Extent) -> Report {
    let mut cases: Vec<Case> = WIDTHS.map(Case::Door).to_vec();
    cases.extend(WIDTHS_BOTH_WAYS.map(Case::BothWays));
    cases.extend([
        Case::Streams("streams-1", 1.0),
        Case::Streams("streams-1.5", 1.5),
        Case::Crossing,
        Case::Junction,
    ]);
    if extent.reduced {
        cases = vec![Case::Door(1.0), Case::Door(2.0), Case::BothWays(1.0), Case::Streams("streams-1", 1.0)];
    }
    cases.retain(|case| extent.only.is_empty() || extent.only.iter().any(|name| name == case.name()));
    let all: Vec<(&String, Case, u64)> = extent
        .movers
        .iter()
        .flat_map(|mover| {
            cases.iter().flat_map(move |&case| extent.seeds.clone().map(move |seed| (mover, case, seed)))
        })
        .collect();
    let share = if extent.reduced { 4 } else { 1 };
    let results: Vec<Result<Run, String>> =
        all.into_par_iter().map(|(mover, case, seed)| case.run(mover, seed, share)).collect();
    let (runs, failed) = apart(results);
    Report { runs, failed }
}

/// The scenes, as reports call them.
pub const SCENES: [&str; 6] = ["door", "both-ways", "streams-1", "streams-1.5", "crossing", "t-junction"];

impl Case {
    fn name(self) -> &'static str {
        match self {
            Self::Door(_) => "door",
            Self::BothWays(_) => "both-ways",
            Self::Streams(name, _) => name,
            Self::Crossing => "crossing",
            Self::Junction => "t-junction",
        }
    }

    fn run(self, mover: &str, seed: u64, share: usize) -> Result<Run, String> {
        let (people, half) = (IN_STREAMS / share, CORRIDOR / 2.0);
        // So long people come in, at one a second from each side.
        let coming = people as f32 / 2.0;
        let ends = ("west", "east", "north", "south");
        let wide = Vec2::new(0.0, half as f32);
        let (scene, width, seconds, line) = match self {
            Self::Door(width) => (
                door(mover, f64::from(width), AT_THE_DOOR / share),
                width,
                DOOR_SECONDS,
                (Vec2::new(12.1, 5.0 - width / 2.0 - 0.2), Vec2::new(12.1, 5.0 + width / 2.0 + 0.2)),
            ),
            Self::BothWays(width) => (
                both_ways(mover, f64::from(width), AT_THE_DOOR / share),
                width,
                BOTH_WAYS_SECONDS,
                (Vec2::new(10.1, 5.0 - width / 2.0 - 0.2), Vec2::new(10.1, 5.0 + width / 2.0 + 0.2)),
            ),
            Self::Streams(_, rate) => {
                let scene = SceneText::new(&box_of(-20.0, -half, 20.0, half), mover)
                    .place(ends.0, [-20.0, -half, -17.0, half])
                    .place(ends.1, [17.0, -half, 20.0, half])
                    .exit(ends.0)
                    .exit(ends.1)
                    .people(people / 2, (ends.0, ends.1), [0.0, coming / rate], None)
                    .people(people / 2, (ends.1, ends.0), [0.0, coming / rate], None);
                (scene, CORRIDOR as f32, coming / rate + AFTER, (-wide, wide))
            }
            Self::Crossing => {
                let scene = cross(mover, true)
                    .exit(ends.1)
                    .exit(ends.2)
                    .people(people / 2, (ends.0, ends.1), [0.0, coming], None)
                    .people(people / 2, (ends.3, ends.2), [0.0, coming], None);
                (scene, CORRIDOR as f32, coming + AFTER, (-wide, wide))
            }
            Self::Junction => {
                let scene = cross(mover, false)
                    .exit(ends.2)
                    .people(people / 2, (ends.0, ends.2), [0.0, coming], None)
                    .people(people / 2, (ends.1, ends.2), [0.0, coming], None);
                let (from, to) = (Vec2::new(-wide.y, 6.0), Vec2::new(wide.y, 6.0));
                (scene, CORRIDOR as f32, coming + AFTER, (from, to))
            }
        };
        let outcome = run_out(&scene, seed, seconds, line)?;
        Ok(Run {
            mover: mover.into(),
            scene: self.name(),
            width,
            seed,
            flow_per_m_s: outcome.flow() / width,
            left: outcome.left,
            asked: outcome.left + outcome.gone.len(),
            seconds: outcome.end(),
        })
    }
}

fn box_of(x0: f64, y0: f64, x1: f64, y1: f64) -> [[f64; 2]; 4] {
    [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

/// A room of 12 m × 10 m with a door in a wall 0.2 m thick.
fn door(mover: &str, width: f64, people: usize) -> SceneText {
    SceneText::new(&box_of(0.0, 0.0, 18.0, 10.0), mover)
        .wall([12.0, 0.0, 12.2, 5.0 - width / 2.0])
        .wall([12.0, 5.0 + width / 2.0, 12.2, 10.0])
        .place("room", [0.2, 0.2, 11.5, 9.8])
        .place("out", [16.0, 1.0, 18.0, 9.0])
        .exit("out")
        .people(people, ("room", "out"), [0.0, 0.0], None)
}

/// Two rooms of 10 m × 10 m with a door between them, through which as many go one way as the other.
fn both_ways(mover: &str, width: f64, people: usize) -> SceneText {
    SceneText::new(&box_of(0.0, 0.0, 20.2, 10.0), mover)
        .wall([10.0, 0.0, 10.2, 5.0 - width / 2.0])
        .wall([10.0, 5.0 + width / 2.0, 10.2, 10.0])
        .place("west", [0.2, 0.2, 8.0, 9.8])
        .place("east", [12.2, 0.2, 20.0, 9.8])
        .exit("west")
        .exit("east")
        .people(people / 2, ("west", "east"), [0.0, 0.0], None)
        .people(people / 2, ("east", "west"), [0.0, 0.0], None)
}

/// Corridors 4 m wide: from west to east, and from south to north, or to the north alone.
fn cross(mover: &str, south: bool) -> SceneText {
    let half = CORRIDOR / 2.0;
    let mut floor = vec![[-half, half], [-20.0, half], [-20.0, -half], [-half, -half]];
    if south {
        floor.extend([[-half, -20.0], [half, -20.0]]);
    }
    floor.extend([[half, -half], [20.0, -half], [20.0, half], [half, half], [half, 20.0], [-half, 20.0]]);
    let scene = SceneText::new(&floor, mover)
        .place("west", [-20.0, -half, -17.0, half])
        .place("east", [17.0, -half, 20.0, half])
        .place("north", [-half, 17.0, half, 20.0]);
    if south { scene.place("south", [-half, -20.0, half, -17.0]) } else { scene }
}

impl Report {
    /// For each mover, width in metres and mean flow per metre and second of all doors: what a plot shows.
    pub fn curves(&self) -> Vec<(String, Vec<(f32, f32)>)> {
        let mut curves: Vec<(String, Vec<(f32, f32)>)> = Vec::new();
        for runs in self.runs.chunk_by(|a, b| (&a.mover, a.scene, a.width) == (&b.mover, b.scene, b.width)) {
            if runs[0].scene != "door" {
                continue;
            }
            let flow = runs.iter().map(|run| run.flow_per_m_s).sum::<f32>() / runs.len() as f32;
            match curves.iter_mut().find(|curve| curve.0 == runs[0].mover) {
                Some(curve) => curve.1.push((runs[0].width, flow)),
                None => curves.push((runs[0].mover.clone(), vec![(runs[0].width, flow)])),
            }
        }
        curves
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for why in &self.failed {
            writeln!(f, "a run failed: {why}")?;
        }
        writeln!(
            f,
            "{:<13} {:<12} {:>6} {:>5} {:>22} {:>6} {:>8} {:>9}",
            "mover", "scene", "width", "runs", "flow /(m s)", "left", "of", "seconds"
        )?;
        for runs in self.runs.chunk_by(|a, b| (&a.mover, a.scene, a.width) == (&b.mover, b.scene, b.width)) {
            let flows = || runs.iter().map(|run| run.flow_per_m_s);
            writeln!(
                f,
                "{:<13} {:<12} {:>6.1} {:>5} {:>8.2} ({:.2} to {:.2}) {:>6} {:>8} {:>9.0}",
                runs[0].mover,
                runs[0].scene,
                runs[0].width,
                runs.len(),
                flows().sum::<f32>() / runs.len() as f32,
                flows().fold(f32::INFINITY, f32::min),
                flows().fold(f32::NEG_INFINITY, f32::max),
                runs.iter().map(|run| run.left).sum::<usize>(),
                runs.iter().map(|run| run.asked).sum::<usize>(),
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
    fn a_wider_door_lets_more_people_out() {
        let movers = vec!["social-force".to_owned(), "hidac".to_owned()];
        let report = run(&Extent { movers, seeds: 1..2, only: Vec::new(), reduced: true });
        assert_eq!(report.runs.len(), 8, "{report}");
        for doors in report.runs.chunks(4) {
            assert_eq!(doors.iter().map(|run| run.left).sum::<usize>(), 0, "{report}");
            assert!(doors[1].flow_per_m_s * 2.0 > doors[0].flow_per_m_s, "{report}");
        }
    }

    #[test]
    fn clip_people_pass_each_other_at_doors() {
        let only = vec!["both-ways".to_owned()];
        let report = run(&Extent { movers: vec!["graph".to_owned()], seeds: 1..3, only, reduced: false });
        assert_eq!(report.runs.len(), 6, "{report}");
        // Two crowds of 60 are still stuck at a door of 0.9 m in about one run of eight.
        let (narrow, wide): (Vec<_>, Vec<_>) = report.runs.iter().partition(|run| run.width < 1.0);
        assert_eq!(wide.iter().map(|run| run.left).sum::<usize>(), 0, "{report}");
        assert!(narrow.iter().any(|run| run.left == 0), "{report}");
    }
}
