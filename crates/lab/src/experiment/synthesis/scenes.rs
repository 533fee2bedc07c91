//! The experiments of table 1, from the embedded scenes.

use crowdloom_motion::graph::MotionGraph;
use crowdloom_scene::{Stage, embedded, stage};
use std::path::Path;

/// People with goals on a ground.
pub struct Scene {
    /// Its name in the table.
    pub name: String,
    /// Who goes where.
    pub stage: Stage,
    /// Table 1: seconds for each agent.
    pub paper: Option<f64>,
}

/// Table 1: seconds for each agent.
const PAPER: [(&str, f64); 7] =
    [("1", 0.21), ("2", 0.18), ("3", 0.01), ("4", 0.35), ("5", 0.15), ("6a", 0.034), ("6b", 0.035)];

fn read(name: &str, text: &str, graph: &MotionGraph) -> Scene {
    let stage = stage(Path::new(name), text, graph).unwrap_or_else(|error| panic!("{error}"));
    let paper = PAPER.iter().find(|(own, _)| *own == name).map(|(_, seconds)| *seconds);
    Scene { name: name.to_owned(), stage, paper }
}

/// All experiments.
pub fn table_1(graph: &MotionGraph) -> Vec<Scene> {
    embedded::EXPERIMENTS.iter().map(|(name, _, text)| read(name, text, graph)).collect()
}

/// Those experiments whose poses captured clips have: without seats, and without the box that is lifted in the third.
pub fn without_seats_and_boxes(graph: &MotionGraph) -> Vec<Scene> {
    let scenes = embedded::EXPERIMENTS.iter().filter(|(name, _, _)| !matches!(*name, "4" | "5"));
    scenes.map(|(name, _, text)| read(name, &text.replace("carry-stand", "stand"), graph)).collect()
}

/// Experiment 6 with so many rows of ten people, `spacing` metres apart.
pub fn crossing_grids(name: &str, rows: usize, spacing: f64, graph: &MotionGraph) -> Scene {
    read(name, &embedded::crossing_grids(rows, spacing), graph)
}
