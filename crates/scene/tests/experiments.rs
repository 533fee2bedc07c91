//! The experiments of constrained synthesis: everybody gets there.

use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_scene::{embedded, stage};
use crowdloom_synthesis::{Options, Repertoire};
use std::path::Path;
use std::sync::Arc;

#[test]
fn every_experiment_is_solved() {
    let options = Options::default();
    let (graph, _) =
        build_graph(&builtin::library(), &BuildOptions::default()).expect("the built-in clips connect");
    let repertoire =
        Repertoire::new(Arc::new(graph), &options.locomotion, options.weights).expect("it walks");
    let repertoire = Arc::new(repertoire);
    for (name, _, text) in embedded::EXPERIMENTS {
        let scene =
            stage(Path::new(name), text, repertoire.graph()).unwrap_or_else(|error| panic!("{error}"));
        let mut planner = scene.planner(&repertoire, options.clone());
        let planned = planner.plan(&scene.tasks).expect("nobody waits in a ring");
        let failures: Vec<String> =
            planned.iter().filter_map(|one| Some(one.failure.as_ref()?.to_string())).collect();
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}
