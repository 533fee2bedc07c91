//! The experiments of constrained synthesis: everybody gets there.

use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_scene::{embedded, stage};
use crowdloom_synthesis::{Options, Repertoire};
use std::path::Path;
use std::sync::Arc;

fn repertoire() -> Arc<Repertoire> {
    let options = Options::default();
    let (graph, _) =
        build_graph(&builtin::library(), &BuildOptions::default()).expect("the built-in clips connect");
    Arc::new(Repertoire::new(Arc::new(graph), &options.locomotion, options.weights).expect("it walks"))
}

/// Who does not get there, and why.
fn failures(name: &str, text: &str, repertoire: &Arc<Repertoire>) -> Vec<String> {
    let scene = stage(Path::new(name), text, repertoire.graph()).unwrap_or_else(|error| panic!("{error}"));
    let mut planner = scene.planner(repertoire, Options::default());
    let planned = planner.plan(&scene.tasks).expect("nobody waits in a ring");
    planned.iter().filter_map(|one| Some(one.failure.as_ref()?.to_string())).collect()
}

#[test]
fn every_experiment_is_solved() {
    let repertoire = repertoire();
    for (name, _, text) in embedded::EXPERIMENTS {
        let failures = failures(name, text, &repertoire);
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}

#[test]
fn a_wide_window_of_time_keeps_nobody_from_a_seat() {
    // Through one door instead of two, too.
    let two_doors = embedded::scene("experiment:4").expect("an experiment");
    let one_door = two_doors.replace("[2.6, -0.3, 14.4, 0.0]", "[2.6, -0.3, 17.0, 0.0]");
    let repertoire = repertoire();
    for text in [two_doors.to_owned(), one_door] {
        let timed = text.replace("person = \"agent\"\n", "person = \"agent\"\ntime = [0, 90]\n");
        assert_ne!(timed, text);
        let (at_any_time, in_time) = (failures("4", &text, &repertoire), failures("4", &timed, &repertoire));
        println!("{at_any_time:?}, {in_time:?}");
        assert!(in_time.len() <= at_any_time.len() + 1, "{at_any_time:?} but with a time {in_time:?}");
        assert!(in_time.len() <= 2, "{in_time:?}");
    }
}
