//! The motion graph of one captured person, with no hand-made cuts.

mod common;

use common::data;
use crowdloom_motion::Library;
use crowdloom_motion::graph::{BodyState, BuildOptions, build_graph};
use crowdloom_motion::import::{Preset, import_capture, read_bvh};

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
    assert!(report.seconds_kept >= 0.8 * report.seconds_in, "{report}");
    assert!(report.restless_nodes.is_empty());

    let main = graph.main_node("walk").unwrap();
    let turns = |sign: f32| {
        let turning = |action| sign * graph.action(action).clip.displacement().heading > 10f32.to_radians();
        graph.outgoing(main).filter(|&action| turning(action)).count()
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
