//! Memory and time against the number of situations and of people (thesis section 3.5.4, figure 3.11).
//!
//! An empty room (complexity 0) with situations of random kinds at random places, at the thesis' density of 10.

use super::density::{Crowding, SIZE_IN_CHAPTER_4};
use crate::memory;
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::situation::{Activity, Place, Situation, Spot};
use crowdloom_crowd::{Crowd, Mind, Setting, Spread};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_output::curves::{Curves, plot_curves};
use crowdloom_output::fundamental_diagram::Series;
use crowdloom_world::{Ground, MeshRouter, Outline, Stream, rectangle};
use glam::{DVec2, Vec2};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Numbers of situations, with [`PEOPLE`] people.
const SITUATIONS: [usize; 7] = [1, 10, 25, 50, 100, 150, 200];
/// People in the room while situations are added.
const PEOPLE: usize = 500;
/// Numbers of people, with [`FIXED_SITUATIONS`] situations.
const CROWDS: [usize; 6] = [50, 100, 200, 300, 400, 500];
/// Situations in the room while people are added.
const FIXED_SITUATIONS: usize = 10;
/// The share of the room that people of the thesis' size cover.
const DENSITY: f64 = 0.10;
/// What the thesis needs for a frame of 500 people, in milliseconds.
const THESIS_MS: f64 = 2.5;

/// One case.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Case {
    /// Situations in the room.
    pub situations: usize,
    /// People in it.
    pub agents: usize,
    /// Density and complexity.
    #[serde(flatten)]
    pub crowding: Crowding,
    /// Mean bytes of memory for each agent.
    pub bytes_per_agent: f32,
    /// Mean milliseconds that a frame takes.
    pub ms_per_frame: f64,
    /// Milliseconds that every other frame stays below; others may use the machine, too.
    pub median_ms_per_frame: f64,
    /// Microseconds that a frame takes for each agent, by the median.
    pub us_per_agent_frame: f64,
    /// Overlapping pairs, over all frames.
    pub overlaps: usize,
    /// Mean number of agents that take part in a situation.
    pub busy: f32,
}

/// What the experiment measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Frames of each case.
    pub steps: u32,
    /// Threads that decide.
    pub threads: usize,
    /// 500 people among more and more situations.
    pub by_situations: Vec<Case>,
    /// More and more people among 10 situations.
    pub by_agents: Vec<Case>,
    /// Growth of memory per agent from the fewest to the most situations, as a share.
    pub memory_growth: f32,
    /// Bytes that each situation adds, its region included.
    pub bytes_per_situation: f32,
    /// The most overlaps of any case.
    pub overlaps: usize,
    /// What the thesis needs for a frame of 500 people, in milliseconds.
    pub thesis_ms_per_frame: f64,
}

/// Runs all cases for `steps` frames.
pub fn run(steps: u32) -> Report {
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default())
        .expect("the built-in library makes a graph");
    let book =
        MoveBook::new(Arc::new(graph), BookOptions::default()).expect("the built-in graph makes moves");
    let book = Arc::new(book);
    let case = |situations: usize, agents: usize| {
        measure(|| room(&book, situations, agents), steps, SIZE_IN_CHAPTER_4)
    };
    let by_situations: Vec<Case> = SITUATIONS.iter().map(|&count| case(count, PEOPLE)).collect();
    let by_agents: Vec<Case> = CROWDS.iter().map(|&people| case(FIXED_SITUATIONS, people)).collect();
    let bytes = |case: Option<&Case>| case.map_or(1.0, |case| case.bytes_per_agent);
    let (fewest, most) = (bytes(by_situations.first()), bytes(by_situations.last()));
    let more = (SITUATIONS[SITUATIONS.len() - 1] - SITUATIONS[0]) as f32;
    Report {
        steps,
        threads: rayon::current_num_threads(),
        memory_growth: most / fewest - 1.0,
        bytes_per_situation: (most - fewest) * PEOPLE as f32 / more,
        overlaps: by_situations.iter().chain(&by_agents).map(|case| case.overlaps).sum(),
        by_situations,
        by_agents,
        thesis_ms_per_frame: THESIS_MS,
    }
}

/// A room with situations of random kinds at random places.
fn room(book: &Arc<MoveBook>, situations: usize, agents: usize) -> Crowd {
    let side = (agents as f64 * SIZE_IN_CHAPTER_4 / DENSITY).sqrt();
    let mut stream = Stream::new(11, situations as u64);
    let mut places = Vec::new();
    let floor = Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::splat(side)));
    let mut builder = Ground::builder().floor(floor);
    for index in 0..situations {
        let half = 1.5 + 1.5 * stream.unit();
        let middle = DVec2::new(stream.unit(), stream.unit()) * (side - 8.0) + 4.0;
        let ring = rectangle(middle - half, middle + half);
        builder = builder.region(format!("place {index}"), Outline::solid("place", ring));
        places.push(middle.as_vec2());
    }
    let ground = Arc::new(builder.build().expect("a plain room can be built"));
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let mut crowd = Crowd::new(Setting { book: book.clone(), ground, router, seed: 5 });
    let labels = book.labels().clone();
    for (index, middle) in places.into_iter().enumerate() {
        let spots = |facing: Vec2| -> Vec<Spot> {
            (0..3).map(|n| Spot { at: middle + Vec2::new(n as f32 - 1.0, 0.0), facing }).collect()
        };
        let stay = Spread::Uniform { least: 4.0, most: 12.0 };
        let activity = match stream.below(5) {
            0 => Activity::Spend { spots: spots(Vec2::Y), stay, show: labels.set(["sit"]), exact: None },
            1 => {
                Activity::Queue { line: spots(-Vec2::X), service: Spread::Uniform { least: 2.0, most: 4.0 } }
            }
            2 => Activity::Approach { at: middle, within: 1.5, stay, show: labels.set(["talk"]) },
            3 => Activity::Show { labels: labels.set(["talk", "listen"]), chance: 0.5 },
            _ => Activity::Hurry { speed: 2.6 },
        };
        let mut situation = Situation::new(format!("situation {index}"), Place::Region(index), activity);
        situation.share = 0.5;
        crowd.add_situation(situation);
    }
    crowd.scatter(agents, None, |random| Mind {
        speed: random.between(1.0, 1.6),
        wanders: true,
        ..Mind::default()
    });
    crowd
}

/// Makes a crowd, steps it and averages what it takes; its memory is all that is in use since, the ground included.
///
/// Of the thesis' people each takes `size` square metres.
pub(super) fn measure(make: impl FnOnce() -> Crowd, steps: u32, size: f64) -> Case {
    let without = memory::in_use();
    let mut crowd = make();
    let (mut bytes, mut overlaps, mut busy, mut samples) = (0.0, 0, 0, 0u32);
    let mut frames = Vec::with_capacity(steps as usize);
    for frame in 0..steps {
        let started = Instant::now();
        crowd.step();
        frames.push(1e3 * started.elapsed().as_secs_f64());
        if frame % 20 == 0 {
            bytes += memory::in_use().saturating_sub(without) as f64 / crowd.len().max(1) as f64;
            busy += crate::bench::city::busy(&crowd);
            samples += 1;
        }
        overlaps += crowd.overlaps().0;
    }
    let agents = crowd.len();
    let ms_per_frame = frames.iter().sum::<f64>() / f64::from(steps.max(1));
    frames.sort_unstable_by(f64::total_cmp);
    let median_ms_per_frame = frames.get(frames.len() / 2).copied().unwrap_or_default();
    Case {
        crowding: Crowding::of(&crowd, size),
        situations: crowd.shared().situations.len(),
        agents,
        bytes_per_agent: (bytes / f64::from(samples.max(1))) as f32,
        ms_per_frame,
        median_ms_per_frame,
        us_per_agent_frame: 1e3 * median_ms_per_frame / agents.max(1) as f64,
        overlaps,
        busy: busy as f32 / samples.max(1) as f32,
    }
}

impl Report {
    /// Figure 3.11: its three charts.
    pub fn plot(&self) -> String {
        plot_curves(&[
            curves(
                "figure 3.11, top: 500 people",
                "situations",
                "bytes for each",
                &self.by_situations,
                |case| (case.situations as f32, case.bytes_per_agent),
            ),
            curves(
                "figure 3.11, middle: 500 people",
                "situations",
                "ms a frame",
                &self.by_situations,
                |case| (case.situations as f32, case.median_ms_per_frame as f32),
            ),
            curves("figure 3.11, bottom: 10 situations", "people", "ms a frame", &self.by_agents, |case| {
                (case.agents as f32, case.median_ms_per_frame as f32)
            }),
        ])
    }
}

/// One curve of cases.
pub(super) fn curves<'a>(
    title: &'a str,
    across: &'a str,
    up: &'a str,
    cases: &[Case],
    point: fn(&Case) -> (f32, f32),
) -> Curves<'a> {
    let first = cases.first().map_or(Crowding::default(), |case| case.crowding);
    let last = cases.last().map_or(Crowding::default(), |case| case.crowding);
    let name =
        format!("density {:.1} to {:.1}, complexity {:.1}", first.density, last.density, last.complexity);
    Curves { title, across, up, series: vec![Series { name, points: cases.iter().map(point).collect() }] }
}

/// Writes cases as lines of a table.
pub(super) fn table(f: &mut fmt::Formatter<'_>, title: &str, cases: &[Case]) -> fmt::Result {
    writeln!(
        f,
        "{title}\n  situations  people  density  of discs  complexity   busy   bytes/agent  ms/frame   median  µs/agent·frame  overlaps"
    )?;
    for case in cases {
        writeln!(
            f,
            "  {:>10} {:>7} {:>8.1} {:>9.2} {:>11.1} {:>6.0} {:>13.0} {:>9.3} {:>8.3} {:>15.3} {:>9}",
            case.situations,
            case.agents,
            case.crowding.density,
            case.crowding.density_of_discs,
            case.crowding.complexity,
            case.busy,
            case.bytes_per_agent,
            case.ms_per_frame,
            case.median_ms_per_frame,
            case.us_per_agent_frame,
            case.overlaps
        )?;
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table(f, "Figure 3.11, top and middle: more situations", &self.by_situations)?;
        table(f, "Figure 3.11, bottom: more people", &self.by_agents)?;
        writeln!(
            f,
            "a situation takes {:.0} bytes with its region; the thesis takes {} ms for 500 people",
            self.bytes_per_situation, self.thesis_ms_per_frame
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_has_no_overlaps() {
        let report = run(30);
        assert_eq!(report.overlaps, 0);
        for case in report.by_situations.iter().chain(&report.by_agents) {
            let Crowding { density, complexity, .. } = case.crowding;
            assert!((density - 10.0).abs() < 0.1 && complexity.abs() < 1e-3, "{density} and {complexity}");
        }
        assert_eq!(report.plot().matches("<circle").count(), 7 + 7 + 6);
    }
}
