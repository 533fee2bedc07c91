//! The motion graph of one captured person, with no hand-made cuts.

mod common;

use common::data;
use crowdloom_motion::graph::{Action, BodyState, BuildOptions, build_graph};
use crowdloom_motion::import::{OptionSource, Preset, import_capture, import_files, read_bvh};
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Library};

fn subject_16() -> Option<Library> {
    let folder = data("mocap/cmu_bvh")?;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("16_")));
    files.sort();
    let clips: Vec<_> = files
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy();
            import_capture(&name, &read_bvh(path).unwrap(), &Preset::Cmu.options(path)).unwrap()
        })
        .collect();
    let skeleton = clips[0].skeleton.clone();
    Some(Library { skeleton, clips: clips.into_iter().map(|imported| imported.clip).collect() })
}

#[test]
fn subject_16_walks() {
    let Some(library) = subject_16() else { return };
    assert_eq!(library.clips.len(), 49);
    let (graph, report) = build_graph(&library, &BuildOptions::default()).unwrap();
    // Cuts are at steps only, and a few of the fastest runs are like no others there.
    assert!(report.seconds_kept >= 0.7 * report.seconds_in, "{report}");
    assert!(report.restless_nodes.is_empty());

    // Nodes are steps of one foot, and a turn begins with the foot of its side.
    let walks = |action: &&Action| graph.node(action.from).name.starts_with("walk");
    let turns = |sign: f32| {
        let turning = |action: &&Action| sign * action.clip.displacement().heading > 10f32.to_radians();
        graph.actions().iter().filter(walks).filter(turning).count()
    };
    assert!(turns(1.0) >= 3 && turns(-1.0) >= 3, "{} left, {} right", turns(1.0), turns(-1.0));

    for action in graph.actions() {
        let last = action.clip.frames() - 1;
        for (frame, node) in [(0, action.from), (last, action.to)] {
            let jump = BodyState::of_clip(&action.clip, frame).pose_difference(&graph.node(node).state);
            assert!(jump < 1f32.to_radians(), "{} jumps by {jump} rad", action.clip.name);
        }
        assert!(action.clip.is_consistent(graph.skeleton().len()));
    }
}

/// What `motion graph` asks for by default.
fn as_asked() -> BuildOptions {
    BuildOptions { mirror: true, most_seconds: 1.5, ..BuildOptions::default() }
}

/// Captures by name on the body of the first.
fn captures(names: &[&str]) -> Option<Library> {
    let folder = data("mocap/cmu_bvh")?;
    let files: Vec<_> = names.iter().map(|name| folder.join(name).with_extension("bvh")).collect();
    import_files(&files, &OptionSource::Preset(Preset::Cmu), || ()).0
}

/// Frames from the nearest frame of a clip in which a foot is set down, or in which nobody gets on.
fn frames_from_a_step(clip: &Clip, frame: usize) -> usize {
    let set_down = |at: usize| {
        [Contacts::LEFT, Contacts::RIGHT]
            .into_iter()
            .any(|side| clip.contacts[at].touches(side) && !clip.contacts[at - 1].touches(side))
    };
    let slow = |at: usize| clip.track[at].position.distance(clip.track[at - 1].position) * FRAME_RATE < 0.35;
    let steps = (1..clip.frames()).filter(|&at| set_down(at) || slow(at));
    steps.map(|at| at.abs_diff(frame)).min().unwrap_or(usize::MAX)
}

fn check(name: &str, library: &Library, least_share: f32) {
    let (graph, report) = build_graph(library, &as_asked()).unwrap();
    let seconds: Vec<f32> = graph.actions().iter().map(|action| action.clip.seconds()).collect();
    let longest = seconds.iter().copied().fold(0.0, f32::max);
    println!(
        "{name}: {} nodes, {} actions, longest {longest:.2} s\n{report}",
        graph.nodes().len(),
        seconds.len()
    );
    let mirrored: Vec<Clip> =
        library.clips.iter().flat_map(|clip| [clip.clone(), clip.mirrored(&library.skeleton)]).collect();
    let (mut off, mut ends) = (Vec::new(), 0);
    for action in graph.actions() {
        let (source, times) = action.clip.name.rsplit_once('@').unwrap();
        let clip = mirrored.iter().find(|clip| clip.name == source).unwrap();
        for time in times.split('-') {
            let frame = (time.parse::<f32>().unwrap() * FRAME_RATE).round() as usize;
            ends += 1;
            off.push(frames_from_a_step(clip, frame));
        }
    }
    let near = off.iter().filter(|off| **off <= 3).count();
    println!("{near} of {ends} cuts at steps");
    let turns = |sign: f32| {
        let turned = |clip: &Clip| sign * clip.displacement().heading > 10f32.to_radians();
        graph.actions().iter().filter(|action| turned(&action.clip)).count()
    };
    println!("{} turns to the left, {} to the right", turns(1.0), turns(-1.0));
    assert!(report.restless_nodes.is_empty(), "{name}: {report}");
    assert!(report.given_up_for_rest.is_none() && longest <= 1.5 + 1e-3, "{name}: {longest} s\n{report}");
    assert!(near as f32 >= 0.95 * ends as f32, "{name}: {near} of {ends} cuts are at steps");
    assert!(turns(1.0) >= 2 && turns(-1.0) >= 2, "{name}: {} {}", turns(1.0), turns(-1.0));
    assert!(report.largest_snap <= as_asked().bridge_threshold, "{name}: {report}");
    assert!(report.seconds_kept >= least_share * report.seconds_in, "{name}: {report}");
}

#[test]
fn graphs_are_cut_at_steps() {
    let Some(library) = subject_16() else { return };
    check("one person", &library, 0.5);
}

#[test]
fn people_share_a_graph() {
    let walks = [
        "02_01", "07_01", "07_05", "08_01", "35_01", "39_01", "136_21", "69_16", "69_18", "09_12", "133_11",
        "143_29", "139_02",
    ];
    let Some(library) = captures(&walks) else { return };
    check("many people", &library, 0.2);
}

#[test]
fn six_clips_are_enough() {
    let Some(library) = captures(&["16_15", "16_17", "16_19", "16_31", "16_33", "16_34"]) else { return };
    check("six clips", &library, 0.2);
}

#[test]
fn what_is_missing_for_a_rest_is_told() {
    let Some(mut library) = captures(&["16_15", "16_21", "16_22"]) else { return };
    // Nobody comes to stand in the midst of a walk.
    for clip in &mut library.clips {
        let goes = |frame: &usize| {
            clip.track[*frame].position.distance(clip.track[frame - 1].position) * FRAME_RATE > 0.8
        };
        let frames: Vec<usize> = (1..clip.frames()).filter(goes).collect();
        *clip = clip.piece(frames[0], frames[frames.len() - 1]);
    }
    let (graph, report) = build_graph(&library, &as_asked()).unwrap();
    assert_eq!(report.restless_nodes.len(), graph.nodes().len(), "{report}");
    let told = report.to_string();
    assert!(
        told.contains("no way to rest from")
            && told.contains("add captures in which somebody comes to stand"),
        "{told}"
    );
}
