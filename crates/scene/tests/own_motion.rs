//! Scenes whose people move with captured clips.

use crowdloom_crowd::Steps;
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_motion::import::{OptionSource, Preset, import_files};
use crowdloom_scene::{Overrides, Problem, Simulation, embedded, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The motion graph of the captured clips whose names begin so; `None` with a message where there is no data.
fn captured(start: &str) -> Option<MotionGraph> {
    let root = std::env::var_os("CROWDLOOM_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let folder = root.join("mocap/cmu_bvh");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not here; set CROWDLOOM_DATA to the data folder", folder.display());
        return None;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(start) && name.ends_with(".bvh")
    });
    files.sort();
    let (library, summary) = import_files(&files, &OptionSource::Preset(Preset::Cmu), || ());
    println!("{summary}");
    let (graph, report) = build_graph(&library?, &BuildOptions::default()).unwrap();
    println!("{} nodes, {} actions\n{report}", graph.nodes().len(), graph.actions().len());
    Some(graph)
}

/// An embedded scene with this graph, beside which it is put.
fn scene(name: &str, graph: &MotionGraph, more: &str) -> (Simulation, Vec<Problem>) {
    let folder = tempfile::tempdir().unwrap();
    graph.save(&folder.path().join("my.graph")).unwrap();
    let text = format!("{}\n[motion]\ngraph = 'my.graph'\n{more}", embedded::scene(name).unwrap());
    let few = Overrides { people: Some(40), ..Overrides::default() };
    parse(&folder.path().join("scene.toml"), &text, few).unwrap_or_else(|error| panic!("{error}"))
}

/// What a crowd did: metres gone by somebody on average, agents seen in a pose of sitting, and shares of the time spent
/// in captured clips and in place.
#[derive(Debug)]
struct Deeds {
    metres: f32,
    sat: usize,
    captured: f32,
    still: f32,
}

fn watch(simulation: &mut Simulation, seconds: u32) -> Deeds {
    let graph = simulation.crowd().setting().book.graph().clone();
    let (mut metres, mut seen, mut own, mut still) = (0.0, 0usize, 0usize, 0usize);
    let mut sat = BTreeSet::new();
    let mut before: BTreeMap<u32, glam::Vec2> = BTreeMap::new();
    for frame in 0..seconds * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        if frame % 30 == 0 {
            assert_eq!(crowd.overlaps(), (0, 0.0));
        }
        let mut now = BTreeMap::new();
        for (index, &position) in crowd.positions().iter().enumerate() {
            let id = crowd.id(index);
            let gone = before.get(&id).map_or(0.0, |before| before.distance(position));
            metres += gone;
            still += usize::from(gone < 1e-4);
            seen += 1;
            if let Some(action) = crowd.showing(index).map(|(action, _)| graph.action(action)) {
                own += usize::from(action.clip.name.contains('@'));
                if action.clip.has_label("sit") {
                    sat.insert(id);
                }
            }
            now.insert(id, position);
        }
        before = now;
    }
    let people = seen as f32 / (seconds * 30) as f32;
    let share = |count: usize| count as f32 / seen as f32;
    Deeds { metres: metres / people, sat: sat.len(), captured: share(own), still: share(still) }
}

#[test]
fn one_captured_person_walks_the_street() {
    let Some(graph) = captured("16_") else { return };
    let (mut simulation, problems) = scene("street", &graph, "");
    println!("{problems:?}");
    let deeds = watch(&mut simulation, 60);
    println!("{deeds:?}");
    // Everybody goes by captured clips, and gets somewhere.
    assert!(deeds.captured > 0.5 && deeds.metres > 10.0, "{deeds:?}");
}

#[test]
fn captured_people_walk_sit_and_wait_with_what_they_lack() {
    let Some(graph) = captured("") else { return };
    let (_, problems) = scene("theater", &graph, "");
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.contains("needs clips with the label `talk`")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("`fill = true` in [motion]")), "{told:?}");

    let (mut street, problems) = scene("street", &graph, "fill = true\n");
    assert!(problems.iter().all(|problem| problem.harmless), "{problems:?}");
    let deeds = watch(&mut street, 60);
    println!("street: {deeds:?}");
    assert!(deeds.captured > 0.2 && deeds.metres > 15.0, "{deeds:?}");
    let (mut theater, problems) = scene("theater", &graph, "fill = true\n");
    assert!(!problems.iter().any(|problem| problem.what.contains("needs clips")), "{problems:?}");
    let deeds = watch(&mut theater, 120);
    println!("theater: {deeds:?}");
    assert!(deeds.captured > 0.1 && deeds.sat > 0 && deeds.still > 0.05, "{deeds:?}");
}

/// The built-in walks alone, as a graph that somebody made.
fn walks_only() -> MotionGraph {
    let mut library = builtin::library();
    let plain = ["walk", "stand", "turn", "start", "stop"];
    library.clips.retain(|clip| clip.labels.iter().all(|label| plain.contains(&label.as_str())));
    library.clips.iter_mut().for_each(|clip| clip.name = format!("mine@{}", clip.name));
    build_graph(&library, &BuildOptions::default()).unwrap().0
}

#[test]
fn what_a_graph_lacks_is_told_and_filled() {
    let graph = walks_only();
    let (_, problems) = scene("situation:bench", &graph, "");
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(
        told.iter()
            .any(|told| told.contains("needs clips with the label `sit`, which the motion graph has not")),
        "{told:?}"
    );
    let (mut simulation, problems) = scene("situation:bench", &graph, "fill = true\n");
    assert!(problems.iter().all(|problem| !problem.what.contains("needs clips")), "{problems:?}");
    let deeds = watch(&mut simulation, 40);
    assert!(deeds.sat > 0 && deeds.captured > 0.2 && deeds.metres > 5.0, "{deeds:?}");
}

const TWO_KINDS: &str = "
name = 'two kinds'
seconds = 60
[world]
floor = [[0, 0], [20, 0], [20, 20], [0, 20]]
[motion]
fill = true
graphs = { mine = 'my.graph' }
[[people]]
count = 20
[[people]]
count = 20
motion = 'mine'
[[people]]
count = 10
motion = 'mine'
mover = 'orca'
[[region]]
name = 'park'
rectangle = [4, 4, 16, 16]
[[situation]]
name = 'bench'
kind = 'bench'
region = 'park'
spots = [[8, 8, 90], [12, 8, 90], [8, 12, 90], [12, 12, 90]]
stay = [5, 10]
";

fn two_kinds(text: &str) -> Result<(Simulation, Vec<Problem>), crowdloom_scene::SceneError> {
    let folder = tempfile::tempdir().unwrap();
    walks_only().save(&folder.path().join("my.graph")).unwrap();
    parse(&folder.path().join("scene.toml"), text, Overrides::default())
}

#[test]
fn each_has_the_motions_that_its_table_names() {
    let (mut simulation, problems) = two_kinds(TWO_KINDS).unwrap();
    assert!(problems.iter().all(|problem| problem.harmless), "{problems:?}");
    let graph = simulation.crowd().setting().book.graph().clone();
    let mut sat = BTreeSet::new();
    let mut seen = [0; 2];
    for _ in 0..60 * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        for index in 0..crowd.len() {
            let Some((action, _)) = crowd.showing(index) else { continue };
            let (clip, motion) = (&graph.action(action).clip, crowd.profile(index).motion);
            assert_eq!(clip.name.starts_with("mine: "), motion == 1, "{} of {motion}", clip.name);
            seen[usize::from(motion)] += usize::from(clip.has_label("walk"));
            if clip.has_label("sit") {
                sat.insert(motion);
            }
        }
    }
    assert_eq!(simulation.crowd().overlaps(), (0, 0.0));
    assert!(seen.iter().all(|&frames| frames > 1000), "{seen:?}");
    // Those whose own clips cannot sit were given what they lack.
    assert_eq!(sat, BTreeSet::from([0, 1]));
}

#[test]
fn motions_that_nobody_named_are_told_at_their_line() {
    let told = |from: &str, to: &str| {
        let Err(error) = two_kinds(&TWO_KINDS.replacen(from, to, 1)) else { panic!("it runs") };
        error.to_string()
    };
    assert!(told("motion = 'mine'", "motion = 'mind'").contains("mine"));
    assert!(told("mover = 'orca'", "mover = 'cell-marking'").contains("have the graph of `[motion]`"));
    assert!(told("'my.graph'", "'no.graph'").contains("no.graph"));
    let (_, problems) = two_kinds(&TWO_KINDS.replacen("fill = true", "", 1)).unwrap();
    let lacks = |problem: &Problem| problem.what.contains("which the motion graph `mine` has not");
    assert_eq!(problems.iter().filter(|problem| lacks(problem)).count(), 1, "{problems:?}");
}

#[test]
fn a_graph_that_is_not_there_is_told_at_its_line() {
    let text = "name = 'a'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9]]\n[motion]\ngraph = 'none.graph'\n";
    let Err(error) = parse(std::path::Path::new("scene.toml"), text, Overrides::default()) else {
        panic!("it runs")
    };
    assert_eq!(error.problems[0].line, Some(5));
    assert!(error.problems[0].fix.contains("crowdloom motion graph"), "{error}");
}
