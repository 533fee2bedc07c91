//! The readers against real motion capture.

mod common;

use common::data;
use crowdloom_motion::Clip;
use crowdloom_motion::graph::labels_from_motion;
use crowdloom_motion::import::{
    Capture, GlitchKind, ImportOptions, Imported, Preset, find_asf, import_capture, parse_bvh, read_amc,
    read_asf, read_bvh, write_bvh,
};
use crowdloom_motion::quality::contact_speed;
use std::path::Path;

/// Motions that exist in both formats, and the joints that the BVH kept: `(BVH name, ASF name)`.
const PAIRS: [(&str, &str); 6] = [
    ("07_05", "07_05-walk"),
    ("09_06", "09_06-run"),
    ("11_01", "11_01"),
    ("16_24", "16_24"),
    ("16_25", "16_25"),
    ("131_04", "131_04-dance"),
];
const JOINTS: [(&str, &str); 13] = [
    ("Hips", "root"),
    ("LeftUpLeg", "lfemur"),
    ("LeftLeg", "ltibia"),
    ("LeftFoot", "lfoot"),
    ("LeftToeBase", "ltoes"),
    ("RightUpLeg", "rfemur"),
    ("RightLeg", "rtibia"),
    ("RightFoot", "rfoot"),
    ("RightToeBase", "rtoes"),
    ("LowerBack", "lowerback"),
    ("Spine", "upperback"),
    ("Spine1", "thorax"),
    ("LHipJoint", "lhipjoint"),
];

#[test]
fn both_formats_of_a_motion_agree() {
    let Some(folder) = data("mocap") else { return };
    for (bvh, amc) in PAIRS {
        let bvh = read_bvh(&folder.join("cmu_bvh").join(bvh).with_extension("bvh")).unwrap();
        let amc_path = folder.join("asf_amc").join(amc).with_extension("amc");
        let asf = read_asf(&find_asf(&amc_path).unwrap()).unwrap();
        let amc = read_amc(&amc_path, &asf).unwrap();
        assert_eq!(bvh.frames(), amc.frames() + 1, "the BVH has an added T-pose");
        for frame in 0..amc.frames() {
            let (left, right) = (bvh.joint_positions(frame + 1), amc.joint_positions(frame));
            for (a, b) in JOINTS {
                let (a, b) = (bvh.find(a).unwrap(), amc.find(b).unwrap());
                let distance = left[a].distance(right[b]);
                assert!(distance < 1e-3, "{} frame {frame}: {distance} units apart", bvh.joints[a].name);
            }
        }
    }
}

fn assert_round_trip(path: &Path) {
    let read = read_bvh(path).unwrap();
    let again = parse_bvh(path, &write_bvh(&read)).unwrap();
    assert_eq!(read.frames(), again.frames());
    for frame in 0..read.frames() {
        let (before, after) = (read.joint_positions(frame), again.joint_positions(frame));
        for (index, joint) in read.joints.iter().enumerate() {
            let distance = before[index].distance(after[again.find(&joint.name).unwrap()]);
            assert!(distance < 1e-4, "{} in {} moved by {distance}", joint.name, path.display());
        }
    }
}

#[test]
fn writing_and_reading_changes_nothing() {
    let Some(folder) = data("mocap") else { return };
    for name in ["cmu_bvh/16_15.bvh", "cmu_bvh/90_17.bvh", "cmu_bvh/09_12.bvh"] {
        assert_round_trip(&folder.join(name));
    }
    for name in ["fairmotion_sinusoidal", "makehuman_tpose", "threejs_pirouette"] {
        assert_round_trip(&folder.join("bvh_variants").join(name).with_extension("bvh"));
    }
}

#[test]
fn known_glitches_are_trimmed() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    for (name, frames) in [("07_12", 1), ("09_10", 4)] {
        let path = folder.join(name).with_extension("bvh");
        let imported = import_capture(name, &read_bvh(&path).unwrap(), &Preset::Cmu.options(&path)).unwrap();
        let glitch = imported.glitches.first().unwrap_or_else(|| panic!("{name} has no glitch"));
        assert_eq!((glitch.kind, glitch.first, glitch.count), (GlitchKind::RootJump, 0, frames));
        let steps = imported.clip.track.windows(2).map(|pair| pair[0].position.distance(pair[1].position));
        assert!(steps.fold(0.0, f32::max) < 0.25, "{name} still jumps");
    }
}

#[test]
fn imported_walks_have_human_measures() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    for name in ["16_15", "07_01", "35_01", "143_29", "75_17"] {
        let path = folder.join(name).with_extension("bvh");
        let imported = import_capture(name, &read_bvh(&path).unwrap(), &Preset::Cmu.options(&path)).unwrap();
        let clip = imported.clip;
        assert!(clip.root_heights.iter().all(|height| (0.3..1.2).contains(height)), "{name}");
        assert!(clip.radii.iter().all(|radius| (0.15..1.2).contains(radius)), "{name}");
        assert!(imported.skeleton.find("LeftUpLeg").is_some());
    }
    // A walk goes where the body faces, touches the ground with each foot, and never with a foot in the air.
    let path = folder.join("16_15.bvh");
    let walk = import_capture("walk", &read_bvh(&path).unwrap(), &Preset::Cmu.options(&path)).unwrap().clip;
    assert!(walk.displacement().position.x > 3.5, "{:?}", walk.displacement());
    let share = |part| {
        walk.contacts.iter().filter(|contact| contact.touches(part)).count() as f32 / walk.frames() as f32
    };
    for part in [crowdloom_motion::Contacts::LEFT, crowdloom_motion::Contacts::RIGHT] {
        assert!((0.45..0.85).contains(&share(part)), "{}", share(part));
    }
}

#[test]
fn unknown_units_are_guessed() {
    let Some(folder) = data("mocap") else { return };
    let options = ImportOptions { drop_first_frame: true, ..ImportOptions::default() };
    for name in ["cmu_bvh/16_15.bvh", "bvh_variants/threejs_pirouette.bvh"] {
        let capture: Capture = read_bvh(&folder.join(name)).unwrap();
        let imported = import_capture(name, &capture, &options).unwrap();
        let height = imported.clip.root_heights[0];
        assert!((0.6..1.3).contains(&height), "{name}: hips at {height} m; {:?}", imported.notes);
    }
}

#[test]
fn cleaned_feet_stand_still() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    for name in ["16_15", "16_22", "07_05", "35_01", "09_06"] {
        let path = folder.join(name).with_extension("bvh");
        let capture = read_bvh(&path).unwrap();
        let options = Preset::Cmu.options(&path);
        let clean = import_capture(name, &capture, &options).unwrap();
        let raw = import_capture(name, &capture, &ImportOptions { clean_feet: false, ..options }).unwrap();
        let sliding = |imported: &Imported| contact_speed(&imported.skeleton, &imported.clip).unwrap();
        println!("{name}: {:.3} m/s before, {:.3} m/s after", sliding(&raw), sliding(&clean));
        assert!(sliding(&clean) < 0.75 * sliding(&raw), "{name}");
    }
}

/// Frames of junk before a capture and in it: the root at the origin, the body as at rest.
fn with_junk(capture: &Capture, at: usize, count: usize) -> Capture {
    let joints = capture.joints.len();
    let mut junk = capture.clone();
    let roots = std::iter::repeat_n(glam::DVec3::ZERO, count);
    junk.root_positions.splice(at..at, roots);
    let rotations = std::iter::repeat_n(glam::DQuat::IDENTITY, count * joints);
    junk.rotations.splice(at * joints..at * joints, rotations);
    junk
}

#[test]
fn junk_that_is_cut_leaves_no_trace() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    for name in ["16_15", "07_01", "35_01", "08_01"] {
        let path = folder.join(name).with_extension("bvh");
        let (capture, options) = (read_bvh(&path).unwrap(), Preset::Cmu.options(&path));
        let clean = import_capture(name, &capture, &options).unwrap().clip;
        // A tenth of a second before the motion, and, late in it, half a second that parts it.
        let late = capture.frames() * 9 / 10;
        for (at, count) in [(1, 12), (late, 60)] {
            let mended = import_capture(name, &with_junk(&capture, at, count), &options).unwrap();
            assert!(mended.glitches.iter().any(|glitch| glitch.kind == GlitchKind::RootJump), "{name}");
            let clip = mended.clip;
            assert!(clip.frames() as f32 > 0.85 * clean.frames() as f32, "{name}: {} frames", clip.frames());
            // As high above the ground as without junk: nobody floats.
            let height = |clip: &Clip| clip.root_heights.iter().sum::<f32>() / clip.frames() as f32;
            assert!(
                (height(&clip) - height(&clean)).abs() < 0.015,
                "{name} floats: {} {}",
                height(&clip),
                height(&clean)
            );
            // No joint is faster than in the clean capture.
            let fastest = |clip: &Clip| {
                let turns = (1..clip.frames()).flat_map(|frame| {
                    let (a, b) = (clip.frame_rotations(frame - 1), clip.frame_rotations(frame));
                    a.iter().zip(b).map(|(a, b)| a.angle_between(*b)).collect::<Vec<_>>()
                });
                turns.fold(0.0, f32::max)
            };
            assert!(
                fastest(&clip) < 1.3 * fastest(&clean) + 0.02,
                "{name}: {} {}",
                fastest(&clip),
                fastest(&clean)
            );
        }
    }
}

/// The share of pieces of a second and a half of a capture that are told to show something.
fn share_of(folder: &Path, name: &str, label: &str) -> f32 {
    let path = folder.join(name).with_extension("bvh");
    let imported = import_capture(name, &read_bvh(&path).unwrap(), &Preset::Cmu.options(&path)).unwrap();
    let last = imported.clip.frames() - 1;
    let length = 45.min(last);
    let pieces: Vec<Clip> =
        (0..=last - length).step_by(15).map(|from| imported.clip.piece(from, from + length)).collect();
    let told = |piece: &&Clip| labels_from_motion(&imported.skeleton, piece).iter().any(|own| own == label);
    pieces.iter().filter(told).count() as f32 / pieces.len() as f32
}

#[test]
fn other_captures_tell_what_they_show_too() {
    // None of these was looked at when the thresholds were settled, on the captures of the next test. Runs and turns are told
    // as well there; of waiting, fights and carrying nearly nothing is told (`told` is 0), and nothing is told that is not so.
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    let others: [(&str, &[&str], f32); 5] = [
        ("run", &["16_35", "16_36", "16_46", "16_55", "16_56"], 0.9),
        ("turn", &["16_18", "16_19", "69_20", "69_24"], 0.6),
        ("wait", &["143_29", "141_20", "19_07"], 0.0),
        ("fight", &["22_20", "23_20"], 0.0),
        ("carry", &["137_27", "143_10"], 0.0),
    ];
    let walks = ["02_01", "07_05", "39_01", "136_21", "16_16", "16_21", "16_31", "16_32", "16_47", "16_58"];
    for (label, names, told) in others {
        let shares: Vec<f32> = names.iter().map(|name| share_of(&folder, name, label)).collect();
        println!("{label}: {names:?} {shares:.2?}");
        assert!(shares.iter().all(|share| *share >= told), "{label}: {names:?} {shares:?}");
        for walk in walks {
            assert_eq!(share_of(&folder, walk, label), 0.0, "{walk} is told to be {label}");
        }
    }
}

#[test]
fn captures_tell_what_they_show() {
    let Some(folder) = data("mocap/cmu_bvh") else { return };
    // What the database says they are, and the least share of pieces of a second and a half that have to say so.
    let said: [(&str, &[&str], f32); 6] = [
        ("sit", &["75_17", "143_18"], 0.25),
        ("carry", &["143_11"], 0.15),
        ("fight", &["141_14", "143_23"], 0.15),
        ("wait", &["139_02"], 0.9),
        ("run", &["02_03", "09_06", "35_17", "16_45"], 0.6),
        ("turn", &["16_17", "69_16", "69_18"], 0.25),
    ];
    let shares = |name: &str, label: &str| share_of(&folder, name, label);
    let mut mistakes = Vec::new();
    for (label, names, least) in said {
        for name in names {
            let share = shares(name, label);
            println!("{name}: {:.0} % {label}", 100.0 * share);
            if share < least {
                mistakes.push(format!("{name}: {share} {label}"));
            }
        }
        // Plain walks are none of it.
        for name in ["16_15", "07_01", "35_01", "08_01"].iter().filter(|_| label != "turn") {
            if shares(name, label) > 0.0 {
                mistakes.push(format!("{name} is told to be {label}"));
            }
        }
    }
    assert!(mistakes.is_empty(), "{mistakes:?}");
}
