//! The experiments of table 1, from the embedded scenes.

use crowdloom_motion::graph::MotionGraph;
use crowdloom_scene::{Stage, embedded, stage};
use serde::Serialize;
use std::path::Path;

/// People with goals on a ground.
pub struct Scene {
    /// Its name in the table.
    pub name: String,
    /// Who goes where.
    pub stage: Stage,
    /// Table 1.
    pub paper: Option<Paper>,
}

/// What the paper prints of an experiment: table 1, and the thesis' table 5.2.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Paper {
    /// Mean seconds of a motion.
    pub duration_s: f64,
    /// Seconds of planning for each agent.
    pub average_s: f64,
    /// Seconds of planning altogether. For 6a and 6b it is not the average times the agents.
    pub total_s: f64,
    /// Density of the crowd, in per cent.
    pub density: f64,
    /// Physical complexity of the ground, in per cent.
    pub complexity: f64,
}

/// Duration, average and total of table 1; density and complexity of table 5.2.
const PAPER: [(&str, [f64; 5]); 7] = [
    ("1", [14.8, 0.21, 4.2, 5.6, 0.0]),
    ("2", [21.3, 0.18, 12.6, 5.3, 5.3]),
    ("3", [83.3, 0.01, 0.01, 5.6, 0.0]),
    ("4", [30.2, 0.35, 14.0, 10.5, 27.2]),
    ("5", [23.6, 0.15, 3.0, 8.2, 8.2]),
    ("6a", [25.3, 0.034, 0.86, 3.4, 3.4]),
    ("6b", [25.6, 0.035, 0.90, 5.6, 5.6]),
];

fn read(name: &str, text: &str, graph: &MotionGraph) -> Scene {
    let stage = stage(Path::new(name), text, graph).unwrap_or_else(|error| panic!("{error}"));
    let paper = PAPER.iter().find(|(own, _)| *own == name);
    let paper = paper.map(|&(_, [duration_s, average_s, total_s, density, complexity])| Paper {
        duration_s,
        average_s,
        total_s,
        density,
        complexity,
    });
    Scene { name: name.to_owned(), stage, paper }
}

/// All experiments.
pub fn table_1(graph: &MotionGraph) -> Vec<Scene> {
    embedded::EXPERIMENTS.iter().map(|(name, _, text)| read(name, text, graph)).collect()
}

/// Experiment 6 with so many rows of ten people, `spacing` metres apart.
pub fn crossing_grids(name: &str, rows: usize, spacing: f64, graph: &MotionGraph) -> Scene {
    read(name, &embedded::crossing_grids(rows, spacing), graph)
}
