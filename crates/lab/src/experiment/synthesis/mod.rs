//! Constrained motion synthesis (Sung, Kovar and Gleicher 2005, table 1, figures 11 and 12).

mod measure;
mod scenes;

pub use measure::{Row, run_scene};
pub use scenes::Scene;

use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_synthesis::{Options, Repertoire};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// The whole experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Table 1.
    pub experiments: Vec<Row>,
}

/// Prepares the built-in library.
fn prepare(graph: MotionGraph, options: &Options) -> Arc<Repertoire> {
    let repertoire = Repertoire::new(Arc::new(graph), &options.locomotion, options.weights);
    Arc::new(repertoire.expect("the graph has clips to walk with"))
}

/// Repeats all experiments.
pub fn run() -> Report {
    run_only(None)
}

/// Repeats one experiment, or all.
pub fn run_only(only: Option<&str>) -> Report {
    let options = Options::default();
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).expect("the built-in clips connect");
    let repertoire = prepare(graph, &options);
    let graph = repertoire.graph();
    let scenes = [
        scenes::arrive_at_once(graph),
        scenes::spell_a_word(graph),
        scenes::through_rooms(graph, true),
        scenes::theatre(graph),
        scenes::carry_boxes(graph),
        scenes::crossing_grid(graph, 300, 3.0, "6a"),
        scenes::crossing_grid(graph, 500, 3.0, "6b"),
    ];
    Report { experiments: scenes.iter().filter(|scene| only.is_none_or(|only| scene.name == only)).map(|scene| run_scene(scene, &repertoire, &options)).collect() }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.experiments {
            writeln!(f, "{row:?}")?;
        }
        Ok(())
    }
}
