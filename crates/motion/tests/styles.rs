//! Styles found in real captures.

mod common;

use common::data;
use crowdloom_motion::import::{OptionSource, Preset, import_files_onto};
use crowdloom_motion::styles::{MotionType, StyleLibrary, StyleOptions};
use crowdloom_motion::{Library, builtin};
use std::path::PathBuf;

#[test]
fn captures_have_styles_of_every_type() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "bvh")).collect();
    files.sort();
    // On the body of the first file, and on the built-in one that all replay pages dress.
    for body in [None, Some(builtin::library().skeleton)] {
        let (library, _) =
            import_files_onto(body.as_ref(), &files, &OptionSource::Preset(Preset::Cmu), || ());
        has_enough_styles(&library.unwrap());
    }
}

fn has_enough_styles(library: &Library) {
    let (styles, report) = StyleLibrary::build(library, &StyleOptions::default()).unwrap();
    println!("{report}");
    let count = |kind| styles.table(kind).len();
    assert!(count(MotionType::Walking) >= 15, "{report}");
    assert!(count(MotionType::Running) >= 8, "{report}");
    assert!(count(MotionType::Waiting) >= 6, "{report}");
    assert!(count(MotionType::Fighting) >= 6, "{report}");
    // What the database calls these: a brisk, a stern and a drunk walk.
    for (capture, wrong) in
        [("07_12", MotionType::Running), ("104_28", MotionType::Running), ("137_16", MotionType::Fighting)]
    {
        let mut own = styles.primitives().iter().filter(|primitive| primitive.clip.name == capture);
        assert!(own.all(|primitive| primitive.kind != wrong), "{capture} is no {}", wrong.name());
    }
    for primitive in styles.primitives() {
        let closing = primitive.closing(styles.skeleton());
        assert!(
            closing.position < 0.03 && closing.angle.to_degrees() < 5.0,
            "{}: {closing:?}",
            primitive.name
        );
        // What was bent away is little: the captured ends were alike before.
        let captured = primitive.captured_closing;
        assert!(
            captured.position < 0.16 && captured.angle.to_degrees() < 30.0,
            "{}: {captured:?}",
            primitive.name
        );
        match primitive.kind {
            MotionType::Walking => assert!(primitive.speed < 2.1, "{} {}", primitive.name, primitive.speed),
            MotionType::Running => assert!(primitive.speed > 1.9, "{} {}", primitive.name, primitive.speed),
            _ => assert_eq!(primitive.speed, 0.0),
        }
    }
}
