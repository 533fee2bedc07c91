//! A motion graph of captured clips, where they are at hand.

use crowdloom_motion::Library;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_motion::import::{Preset, import_capture, read_bvh};
use std::path::PathBuf;

/// The graph of CMU's subject 16, from `CROWDLOOM_DATA` or `../shared/data`, with what it lacks from the built-in one: seats and
/// boxes. `None` where the clips are not there.
pub fn graph(builtin: &MotionGraph) -> Option<MotionGraph> {
    let data =
        std::env::var_os("CROWDLOOM_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let folder = std::fs::read_dir(data.join("mocap/cmu_bvh")).ok()?;
    let mut files: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("16_")));
    files.sort();
    let mut skeleton = None;
    let mut clips = Vec::new();
    for path in &files {
        let name = path.file_stem()?.to_string_lossy();
        let imported = import_capture(&name, &read_bvh(path).ok()?, &Preset::Cmu.options(path)).ok()?;
        skeleton.get_or_insert(imported.skeleton);
        clips.push(imported.clip);
    }
    let library = Library { skeleton: skeleton?, clips };
    // Mirrored, because every turn is needed to both sides.
    let options = BuildOptions { mirror: true, ..BuildOptions::default() };
    let (captured, _) = build_graph(&library, &options).ok()?;
    captured.filled_from(builtin).ok()
}
