//! Styles of the library that needs no files.

use super::*;
use crate::builtin;
use std::sync::LazyLock;

static BUILT: LazyLock<(StyleLibrary, BuildReport)> =
    LazyLock::new(|| StyleLibrary::build(&builtin::library(), &StyleOptions::default()).unwrap());

#[test]
fn scratch() {
    println!("{}", BUILT.1);
    for p in BUILT.0.primitives() {
        println!("{:<40} v={:.2} n={} half={} f={:.3} {:.3} cap {:.1}cm {:.1}deg labels {:?}", p.name, p.speed, p.clip.frames(), p.half, p.feature[0], p.feature[1], p.captured_closing.position*100.0, p.captured_closing.angle.to_degrees(), p.clip.labels);
    }
}

#[test]
fn scratch_cmu() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/mocap/cmu_bvh");
    let mut files: Vec<_> = std::fs::read_dir(root).unwrap().flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "bvh")).collect();
    files.sort();
    let (lib, _) = crate::import::import_files(&files, &crate::import::OptionSource::Preset(crate::import::Preset::Cmu), || ());
    let lib = lib.unwrap();
    let (built, report) = StyleLibrary::build(&lib, &StyleOptions::default()).unwrap();
    println!("{report}");
    for p in built.primitives() {
        println!("{:<40} v={:.2} n={} half={} f={:.3} {:.3} cap {:.1}cm {:.1}deg", p.name, p.speed, p.clip.frames(), p.half, p.feature[0], p.feature[1], p.captured_closing.position*100.0, p.captured_closing.angle.to_degrees());
    }
}
