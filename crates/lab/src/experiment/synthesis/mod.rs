//! Constrained motion synthesis (Sung, Kovar and Gleicher 2005, table 1, figures 11 and 12).

mod captured;
mod measure;
mod paths;
mod quality;
mod scenes;

pub use measure::{Row, run_scene};
pub use paths::PathPoint;
pub use quality::Quality;
pub use scenes::{Paper, Scene};

use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_output::curves::{Curves, plot_curves};
use crowdloom_output::fundamental_diagram::Series;
use crowdloom_synthesis::{Options, Planned, Repertoire, Routes};
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
    /// The same as published: along a roadmap, the random search alone, nobody waits before setting out.
    pub published: Vec<Row>,
    /// Goals that are not met, by experiment, and why.
    pub failures: Vec<String>,
    /// Poses and feet of the planned motions.
    pub quality: Vec<Quality>,
    /// Figure 11: 300 agents of experiment 6 by the spacing of the grid.
    pub figure_11: Vec<Point>,
    /// Figure 12: the 70 agents of experiment 2 by ε.
    pub figure_12: Vec<Point>,
    /// Figure 5.13 of the thesis: finding collisions of whole ways.
    pub figure_5_13: Vec<PathPoint>,
    /// 5,000 agents of experiment 6.
    pub five_thousand: Option<Many>,
    /// All experiments on a graph of captured clips, where they are at hand.
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
        published: Vec::new(),
        failures: Vec::new(),
        quality: Vec::new(),
        figure_11: Vec::new(),
        figure_12: Vec::new(),
        figure_5_13: Vec::new(),
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
    let as_published =
        Options { routes: Routes::Roadmap, polishing: 0, waiting: false, limbs: false, ..options.clone() };
    for scene in &scenes {
        let (row, planned) = run_scene(scene, &repertoire, &as_published, 1);
        report.published.push(row);
        report.failures.extend(failures(&format!("{} as published", scene.name), &planned));
    }
    for spacing in [0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0] {
        let scene = scenes::crossing_grids("11", 30, spacing, graph);
        let (row, _) = run_scene(&scene, &repertoire, &options, 3);
        report.figure_11.push(Point::new(spacing, &row));
    }
    for centimetres in [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0] {
        let options = Options { tolerance: centimetres / 100.0, ..options.clone() };
        let (row, _) = run_scene(&scenes[1], &repertoire, &options, 3);
        report.figure_12.push(Point::new(f64::from(centimetres), &row));
    }
    report.figure_5_13 = paths::run(&repertoire);
    let scene = scenes::crossing_grids("6, 5000", 500, 3.0, graph);
    let (row, planned) = run_scene(&scene, &repertoire, &options, 3);
    let plays = planned.iter().map(|planned| planned.motion.last_frame()).max().unwrap_or(0);
    let of_500 = report.experiments.last().map_or(1.0, |row| row.average_s);
    report.five_thousand =
        Some(Many { times_500: row.average_s / of_500, plays_s: measure::seconds(plays), row });
    if let Some(captured) = captured::graph(graph).and_then(|graph| prepare(graph, &options)) {
        for scene in &scenes::table_1(captured.graph()) {
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

impl Report {
    /// Figures 11 and 12.
    pub fn plot(&self) -> String {
        let curve = |points: &[Point]| {
            let points = points.iter().map(|point| (point.x as f32, point.average_s as f32 * 1e3)).collect();
            vec![Series { name: "ms for each".into(), points }]
        };
        plot_curves(&[
            Curves {
                title: "figure 11: 300 people of experiment 6",
                across: "metres between them",
                up: "ms",
                series: curve(&self.figure_11),
            },
            Curves {
                title: "figure 12: 70 people of experiment 2",
                across: "tolerance in cm/s",
                up: "ms",
                series: curve(&self.figure_12),
            },
        ])
    }
}

impl Point {
    fn new(x: f64, row: &Row) -> Self {
        Self { x, average_s: row.average_s, solved: row.solved, agents: row.agents }
    }
}

fn table(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    writeln!(
        f,
        "{:<8}{:>7}{:>8}{:>19}{:>21}{:>19}{:>11}{:>9}{:>9}{:>9}{:>9}{:>12}{:>14}{:>14}",
        "",
        "agents",
        "solved",
        "duration s",
        "average ms",
        "total s",
        "set-up s",
        "off m",
        "off deg",
        "overlaps",
        "adjusted",
        "limbs touch",
        "density",
        "complexity"
    )?;
    for row in rows {
        let printed =
            |of: &dyn Fn(&Paper) -> f64| row.paper.map_or(String::new(), |paper| format!("({})", of(&paper)));
        writeln!(
            f,
            "{:<8}{:>7}{:>8}{:>11.1}{:>8}{:>13.3}{:>8}{:>11.4}{:>8}{:>11.3}{:>9.0e}{:>9.0e}{:>9}{:>9.2}{:>12}{:>7.1}{:>7}{:>7.1}{:>7}",
            row.name,
            row.agents,
            row.solved,
            row.mean_duration_s,
            printed(&|paper| paper.duration_s),
            row.average_s * 1e3,
            printed(&|paper| paper.average_s * 1e3),
            row.total_s,
            printed(&|paper| paper.total_s),
            row.setup_s,
            row.max_position_error_m,
            row.max_heading_error_deg,
            row.overlaps,
            row.mean_adjustment,
            row.limbs_touch,
            row.density,
            printed(&|paper| paper.density),
            row.complexity,
            printed(&|paper| paper.complexity)
        )?;
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "in brackets what the paper prints (table 1) and the thesis (table 5.2)")?;
        table(f, &self.experiments)?;
        writeln!(
            f,
            "the paper's totals of 6a and 6b (0.86 and 0.90 s) are not its averages times its agents (10.2 and 17.5 s)"
        )?;
        if !self.published.is_empty() {
            writeln!(
                f,
                "as published: along a roadmap, the random search alone, nobody waits before setting out"
            )?;
            table(f, &self.published)?;
        }
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
        if !self.figure_5_13.is_empty() {
            writeln!(
                f,
                "figure 5.13: collisions of whole ways on 30 m x 40 m, microseconds for one with all others"
            )?;
        }
        for point in &self.figure_5_13 {
            writeln!(
                f,
                "{:>8} people{:>10.2} frame by frame{:>10.2} MOBB{:>10.2} fastest; {} pairs meet",
                point.agents, point.frame_by_frame_us, point.mobb_us, point.best_us, point.meeting
            )?;
        }
        if let Some(many) = &self.five_thousand {
            table(f, std::slice::from_ref(&many.row))?;
            writeln!(f, "plays {:.1} s; {:.2} times as long for each as 500", many.plays_s, many.times_500)?;
        }
        if self.captured.is_empty() && self.five_thousand.is_some() {
            writeln!(f, "captured clips are not at hand (CROWDLOOM_DATA): nothing was planned with them")?;
        }
        if !self.captured.is_empty() {
            writeln!(f, "on captured clips; sitting and carrying, which they lack, are the built-in ones")?;
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
            // Bones of different people keep 8 cm apart; where 40 crowd into rows of seats and 500 cross, nearly always.
            let most = if ["4", "6a", "6b"].contains(&row.name.as_str()) { 25 } else { 0 };
            assert!(row.limbs_touch <= most, "{}: {}", row.name, row.limbs_touch);
        }
        for quality in &report.quality {
            assert!(quality.foot_skate_m_s < 0.021, "{}: {} m/s", quality.name, quality.foot_skate_m_s);
            assert!(quality.pose_jump_deg < 1.0, "{}: {} degrees", quality.name, quality.pose_jump_deg);
        }
    }
}
