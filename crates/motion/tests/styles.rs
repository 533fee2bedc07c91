//! Styles found in real captures.

mod common;

use common::data;
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::import::{OptionSource, Preset, import_capture, import_files_onto, read_bvh};
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::styles::{MotionType, Primitive, StyleLibrary, StyleOptions, find_primitives};
use crowdloom_motion::{Clip, FRAME_RATE, Library, Placement, Skeleton, builtin};
use std::path::{Path, PathBuf};

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "bvh")).collect();
    files.sort();
    files
}

/// Flexion of both knees in all frames in which somebody goes on at `least` metres a second, in degrees.
fn knees(skeleton: &Skeleton, clip: &Clip, least: f32) -> Vec<f32> {
    let body = Body::guess(skeleton);
    let mut angles = Vec::new();
    for frame in 1..clip.frames() {
        let step = clip.track[frame].position.distance(clip.track[frame - 1].position);
        if step * FRAME_RATE < least {
            continue;
        }
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        for leg in Side::BOTH.into_iter().filter_map(|side| body.leg(side)) {
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| joints.positions[joint]);
            angles.push((knee - hip).angle_between(ankle - knee).to_degrees());
        }
    }
    angles
}

fn fifth_percentile(mut angles: Vec<f32>) -> f32 {
    angles.sort_by(f32::total_cmp);
    angles[angles.len() / 20]
}

/// Styles walk as upright as the captures that they come from, and their feet stand as still as before.
#[test]
fn styles_of_captures_walk_upright() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    let body = builtin::library().skeleton;
    let source = OptionSource::Preset(Preset::Cmu);
    let (library, _) = import_files_onto(Some(&body), &files_of(&folder), &source, || ());
    let library = library.unwrap();
    let (styles, _) = StyleLibrary::build(&library, &StyleOptions::default()).unwrap();
    // Captures also stand about, with straight legs: they are compared while they walk.
    let least = StyleOptions::default().cycles.speed;
    let (mut shown, mut captured, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
    let mut standing_too = Vec::new();
    for style in styles.styles(MotionType::Walking) {
        let clip = &styles.primitives()[style].clip;
        let own = knees(styles.skeleton(), clip, least);
        let file = folder.join(&clip.name).with_extension("bvh");
        let mut options = Preset::Cmu.options(&file);
        options.clean_feet = false;
        let raw = import_capture(&clip.name, &read_bvh(&file).unwrap(), &options).unwrap();
        let theirs = knees(&raw.skeleton, &raw.clip, least);
        standing_too.extend(knees(&raw.skeleton, &raw.clip, 0.0));
        let imported = library.clips.iter().find(|other| other.name == clip.name).unwrap();
        let imported = knees(&library.skeleton, imported, least);
        println!(
            "{}: knees bent by {:.1} degrees, {:.1} when imported, {:.1} in the capture",
            clip.name,
            fifth_percentile(own.clone()),
            fifth_percentile(imported),
            fifth_percentile(theirs.clone())
        );
        shown.extend(own);
        captured.extend(theirs);
        speeds.push(contact_speed(styles.skeleton(), clip));
    }
    let (shown, captured) = (fifth_percentile(shown), fifth_percentile(captured));
    let whole = fifth_percentile(standing_too);
    println!(
        "knees bent by {shown:.1} degrees, {captured:.1} in the captures, {whole:.1} with where they stand"
    );
    println!("feet in contact move by {speeds:?} m/s");
    assert!((shown - captured).abs() < 3.0, "knees bent by {shown} degrees, {captured} in the captures");
    let mut speeds: Vec<f32> = speeds.into_iter().flatten().collect();
    speeds.sort_by(f32::total_cmp);
    let share = |share: f32| speeds[(speeds.len() as f32 * share) as usize];
    assert!(share(0.5) < 0.055 && share(0.95) < 0.1 && share(0.999) < 0.15, "{speeds:?}");
}

#[test]
fn captures_have_styles_of_every_type() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    let files = files_of(&folder);
    // On the body of the first file, and on the built-in one that all replay pages dress.
    for body in [None, Some(builtin::library().skeleton)] {
        let (library, _) =
            import_files_onto(body.as_ref(), &files, &OptionSource::Preset(Preset::Cmu), || ());
        has_enough_styles(&library.unwrap());
    }
}

/// How far the joint that differs most is off in two loops on the spot, on average over twelve moments, in metres, begun at
/// whatever moments fit best.
fn apart(library: &Library, one: &Primitive, other: &Primitive) -> f32 {
    let joints = |style: &Primitive, moment: usize| {
        let pose = style.clip.pose(style.frame_of(moment as f32 / 12.0) as usize);
        let joints = pose.joints(&library.skeleton, Placement::IDENTITY).positions;
        joints.iter().map(|joint| *joint - joints[0]).collect::<Vec<_>>()
    };
    let all = |style: &Primitive| (0..12).map(|moment| joints(style, moment)).collect::<Vec<_>>();
    let (one, other) = (all(one), all(other));
    let off = |shift: usize| {
        let moments = (0..12).map(|moment| {
            let pairs = one[moment].iter().zip(&other[(moment + shift) % 12]);
            pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        });
        moments.sum::<f32>() / 12.0
    };
    (0..12).map(off).fold(f32::INFINITY, f32::min)
}

fn has_enough_styles(library: &Library) {
    let (styles, report) = StyleLibrary::build(library, &StyleOptions::default()).unwrap();
    println!("{report}");
    let count = |kind| styles.table(kind).len();
    assert!(count(MotionType::Walking) >= 15, "{report}");
    assert!(count(MotionType::Running) >= 10, "{report}");
    assert!(count(MotionType::Waiting) >= 10, "{report}");
    assert!(count(MotionType::Fighting) >= 10, "{report}");
    // Any two of a type look different: some joint is 7.5 cm off on average. The report tells the least …
    for row in &report.types {
        let apart = styles.poses_apart(row.kind);
        let pairs = apart.iter().enumerate().flat_map(|(index, row)| row[..index].iter().copied());
        let least = pairs.fold(f32::INFINITY, f32::min);
        assert!(least >= 0.075 && row.least_apart == Some(least), "{report}");
    }
    // … none is another in a mirror, and they come from as many captures as there are of people who wait and who fight.
    for (kind, captures) in [(MotionType::Waiting, 8), (MotionType::Fighting, 3)] {
        let row = &report.types[kind as usize];
        assert!(row.mirrored == 0 && row.clips >= captures, "{report}");
        let (own, told) = (&styles.primitives()[styles.styles(kind)], styles.poses_apart(kind));
        for (index, one) in own.iter().enumerate() {
            for (other, told) in own.iter().zip(&told[index]) {
                let apart = apart(library, one, other);
                assert!((apart - told).abs() < 1e-4, "{} and {}: {apart} m", one.name, other.name);
            }
        }
    }
    // Fights come from several captures, and a curve is no reason to lose a style.
    let has = |kind: MotionType, capture: &str| {
        styles.styles(kind).any(|style| styles.primitives()[style].clip.name == capture)
    };
    assert!(
        ["143_23", "22_20", "141_14"].iter().all(|capture| has(MotionType::Fighting, capture)),
        "{report}"
    );
    // A punch and a kick of one capture are two styles, and who walks somewhere does not fight there.
    let many = |capture: &str| {
        let own = styles.styles(MotionType::Fighting).map(|style| &styles.primitives()[style].clip.name);
        own.filter(|name| *name == capture).count()
    };
    assert!(many("141_14") >= 2, "{report}");
    for style in styles.styles(MotionType::Fighting) {
        let name = &styles.primitives()[style].clip.name;
        let capture = name.strip_suffix("-mirrored").unwrap_or(name);
        assert!(["143_23", "22_20", "141_14"].contains(&capture), "{name} is no fight");
    }
    // A curve's walk is found; where it has no style, it is because others walk like that.
    let found = find_primitives(library, &StyleOptions::default());
    let walks = |one: &Primitive| one.kind == MotionType::Walking && one.clip.name == "137_29";
    assert!(found.iter().any(walks), "{report}");
    // Every capture has a style or a reason.
    for clip in &library.clips {
        let styled = styles.primitives().iter().any(|style| style.clip.name == clip.name);
        let told = report.left_out.iter().any(|(name, _)| *name == clip.name);
        assert!(styled != told, "{}: {report}", clip.name);
    }
    // What the database calls these: a brisk, a stern and a drunk walk.
    for (capture, wrong) in
        [("07_12", MotionType::Running), ("104_28", MotionType::Running), ("137_16", MotionType::Fighting)]
    {
        let mut own = styles.primitives().iter().filter(|primitive| primitive.clip.name == capture);
        assert!(own.all(|primitive| primitive.kind != wrong), "{capture} is no {}", wrong.name());
    }
    let mut far = 0;
    for primitive in styles.primitives() {
        let closing = primitive.closing(styles.skeleton());
        assert!(
            closing.position < 0.03 && closing.angle.to_degrees() < 5.0,
            "{}: {closing:?}",
            primitive.name
        );
        // What was bent away is little: the captured ends were alike before.
        let captured = primitive.captured_closing;
        // Who strikes is not quite back in guard, and who waits for a second not quite as before.
        let mut most = match primitive.kind {
            MotionType::Fighting => 1.6,
            MotionType::Waiting => 1.07,
            _ => 1.0,
        };
        // The feet stand otherwise after a second kick.
        if primitive.kind == MotionType::Fighting && captured.position > 0.25 {
            (most, far) = (2.2, far + 1);
        }
        assert!(
            captured.position < most * 0.16 && captured.angle.to_degrees() < most * 30.0,
            "{}: {captured:?}",
            primitive.name
        );
        match primitive.kind {
            MotionType::Walking => assert!(primitive.speed < 2.1, "{} {}", primitive.name, primitive.speed),
            MotionType::Running => assert!(primitive.speed > 1.9, "{} {}", primitive.name, primitive.speed),
            _ => assert_eq!(primitive.speed, 0.0),
        }
    }
    assert!(far <= 2, "{far} fights were bent far");
}
