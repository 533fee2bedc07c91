//! Constrained motion synthesis (Sung, Kovar and Gleicher 2005, table 1, figures 11 and 12).

mod captured;
mod measure;
mod quality;
mod scenes;

pub use measure::{Row, run_scene};
pub use quality::Quality;
pub use scenes::Scene;

use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_synthesis::{Options, Planned, Repertoire};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// A point of a figure.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// Metres between people (figure 11), or ε in centimetres a second (figure 12).
    pub x: f64,
    /// Seconds of planning for each agent.
    pub average_s: f64,
    /// Those whose goals are all met.
    pub solved: usize,
    /// How many there are.
    pub agents: usize,
}

/// Five thousand in experiment 6.
#[derive(Clone, Debug, Serialize)]
pub struct Many {
    /// The same figures as for the others.
    #[serde(flatten)]
    pub row: Row,
    /// Seconds that their motions take to play.
    pub plays_s: f64,
    /// Planning time for each, over that of 500.
    pub times_500: f64,
}

/// The whole experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Table 1.
    pub experiments: Vec<Row>,
    /// Goals that are not met, by experiment, and why.
    pub failures: Vec<String>,
    /// Poses and feet of the planned motions.
    pub quality: Vec<Quality>,
    /// Figure 11: 300 agents of experiment 6 by the spacing of the grid.
    pub figure_11: Vec<Point>,
    /// Figure 12: the 70 agents of experiment 2 by ε.
    pub figure_12: Vec<Point>,
    /// 5,000 agents of experiment 6.
    pub five_thousand: Option<Many>,
    /// The same on a graph of captured clips, where they are at hand.
    pub captured: Vec<Row>,
}

fn prepare(graph: MotionGraph, options: &Options) -> Option<Arc<Repertoire>> {
    Repertoire::new(Arc::new(graph), &options.locomotion, options.weights).ok().map(Arc::new)
}

/// What to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Table 1 only, each scene timed once.
    Table,
    /// All of it.
    All,
}

/// Repeats all experiments.
pub fn run() -> Report {
    run_parts(Parts::All)
}

/// Repeats some of the experiments.
pub fn run_parts(parts: Parts) -> Report {
    let options = Options::default();
    let (graph, _) =
        build_graph(&builtin::library(), &BuildOptions::default()).expect("the built-in clips connect");
    let repertoire = prepare(graph, &options).expect("the built-in clips walk");
    let graph = repertoire.graph();
    let scenes = scenes::table_1(graph);
    let all = parts == Parts::All;
    let repeats = if all { 7 } else { 1 };
    let mut report = Report {
        experiments: Vec::new(),
        failures: Vec::new(),
        quality: Vec::new(),
        figure_11: Vec::new(),
        figure_12: Vec::new(),
        five_thousand: None,
        captured: Vec::new(),
    };
    for scene in &scenes {
        let (row, planned) = run_scene(scene, &repertoire, &options, repeats);
        report.experiments.push(row);
        report.failures.extend(failures(&scene.name, &planned));
        report.quality.push(quality::measure(&scene.name, &repertoire, &planned));
    }
    if !all {
        return report;
    }
    for spacing in [1.5, 2.0, 2.5, 3.0, 4.0, 5.0] {
        let scene = scenes::crossing_grids("11", 30, spacing, graph);
        let (row, _) = run_scene(&scene, &repertoire, &options, 3);
        report.figure_11.push(Point::new(spacing, &row));
    }
    for centimetres in [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0] {
        let options = Options { tolerance: centimetres / 100.0, ..options.clone() };
        let (row, _) = run_scene(&scenes[1], &repertoire, &options, 3);
        report.figure_12.push(Point::new(f64::from(centimetres), &row));
    }
    let scene = scenes::crossing_grids("6, 5000", 500, 3.0, graph);
    let (row, planned) = run_scene(&scene, &repertoire, &options, 3);
    let plays = planned.iter().map(|planned| planned.motion.last_frame()).max().unwrap_or(0);
    let of_500 = report.experiments.last().map_or(1.0, |row| row.average_s);
    report.five_thousand =
        Some(Many { times_500: row.average_s / of_500, plays_s: measure::seconds(plays), row });
    if let Some(captured) = captured::graph().and_then(|graph| prepare(graph, &options)) {
        for scene in &scenes::without_seats_and_boxes(captured.graph()) {
            let (row, planned) = run_scene(scene, &captured, &options, 1);
            report.captured.push(row);
            report.failures.extend(failures(&format!("{} on captured clips", scene.name), &planned));
        }
    }
    report
}

fn failures(scene: &str, planned: &[Planned]) -> Vec<String> {
    let failures = planned.iter().filter_map(|planned| planned.failure.as_ref());
    failures.map(|failure| format!("{scene}: {failure}")).collect()
}

impl Point {
    fn new(x: f64, row: &Row) -> Self {
        Self { x, average_s: row.average_s, solved: row.solved, agents: row.agents }
    }
}

fn table(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    writeln!(
        f,
        "{:<8}{:>7}{:>9}{:>12}{:>11}{:>9}{:>12}{:>10}{:>10}{:>10}{:>10}",
        "",
        "agents",
        "solved",
        "duration s",
        "average ms",
        "paper ms",
        "total s",
        "off m",
        "off deg",
        "overlaps",
        "adjusted"
    )?;
    for row in rows {
        writeln!(
            f,
            "{:<8}{:>7}{:>9}{:>12.1}{:>11.3}{:>9}{:>12.4}{:>10.1e}{:>10.1e}{:>10}{:>10.2}",
            row.name,
            row.agents,
            row.solved,
            row.mean_duration_s,
            row.average_s * 1e3,
            row.paper_average_s.map_or("-".into(), |paper| format!("{:.0}", paper * 1e3)),
            row.total_s,
            row.max_position_error_m,
            row.max_heading_error_deg,
            row.overlaps,
            row.mean_adjustment
        )?;
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table(f, &self.experiments)?;
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        for quality in &self.quality {
            writeln!(
                f,
                "{}: feet slide {:.1} mm/s; poses jump by {:.2} degrees at most beyond their clips",
                quality.name,
                quality.foot_skate_m_s * 1e3,
                quality.pose_jump_deg
            )?;
        }
        let figure = |f: &mut fmt::Formatter<'_>, title: &str, points: &[Point]| -> fmt::Result {
            if !points.is_empty() {
                writeln!(f, "{title}")?;
            }
            for point in points {
                writeln!(
                    f,
                    "{:>8.1}{:>10.3} ms  {} of {}",
                    point.x,
                    point.average_s * 1e3,
                    point.solved,
                    point.agents
                )?;
            }
            Ok(())
        };
        figure(f, "figure 11: spacing in metres, time for each agent", &self.figure_11)?;
        figure(f, "figure 12: tolerance in cm/s, time for each agent", &self.figure_12)?;
        if let Some(many) = &self.five_thousand {
            table(f, std::slice::from_ref(&many.row))?;
            writeln!(f, "plays {:.1} s; {:.2} times as long for each as 500", many.plays_s, many.times_500)?;
        }
        if !self.captured.is_empty() {
            writeln!(f, "on captured clips")?;
            table(f, &self.captured)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_of_every_experiment_is_solved() {
        let report = run_parts(Parts::Table);
        assert_eq!(report.experiments.len(), 7);
        for row in &report.experiments {
            assert_eq!(row.solved, row.agents, "{}", row.name);
            assert_eq!(row.overlaps, 0, "{}", row.name);
            assert!(row.max_position_error_m < 1e-4 && row.max_heading_error_deg < 1e-3, "{}", row.name);
            assert!(row.max_time_error_s < 0.5 / 30.0, "{}", row.name);
            assert!(row.mean_adjustment <= 2.0, "{}", row.name);
        }
        for quality in &report.quality {
            assert!(quality.foot_skate_m_s < 0.021, "{}: {} m/s", quality.name, quality.foot_skate_m_s);
            assert!(quality.pose_jump_deg < 1.0, "{}: {} degrees", quality.name, quality.pose_jump_deg);
        }
    }
}
