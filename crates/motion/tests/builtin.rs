//! Quality of the built-in library, clip by clip.

use crowdloom_motion::{Clip, Library, Placement, builtin, limits, quality};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(builtin::library);

fn with_label(label: &str) -> Vec<&'static Clip> {
    LIBRARY.clips.iter().filter(|clip| clip.has_label(label)).collect()
}

#[test]
fn feet_in_contact_do_not_slide() {
    let mut worst = (0.0, "");
    let mut bad = Vec::new();
    for clip in &LIBRARY.clips {
        let speed =
            quality::contact_speed(&LIBRARY.skeleton, clip).unwrap_or_else(|| panic!("{}", clip.name));
        if speed > worst.0 {
            worst = (speed, &clip.name);
        }
        if speed >= 0.02 {
            bad.push(format!("{} {speed:.4}", clip.name));
        }
    }
    println!("worst mean foot speed in contact: {:.4} m/s ({})", worst.0, worst.1);
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn no_joint_goes_past_its_limit() {
    let mut bad = Vec::new();
    for clip in &LIBRARY.clips {
        for e in limits::excesses(&LIBRARY.skeleton, clip) {
            bad.push(format!(
                "{} {} {} {:.1} ({:.1} past, frame {})",
                clip.name, e.joint, e.motion, e.angle, e.past, e.frame
            ));
        }
    }
    assert!(bad.is_empty(), "{} excesses: {bad:#?}", bad.len());
}

#[test]
fn clips_match_at_their_nodes() {
    let all = quality::node_mismatches(&LIBRARY);
    let most = |of: fn(&quality::NodeMismatch) -> f32| all.iter().map(of).fold(0.0, f32::max);
    let (pose, velocity) = (most(|m| m.pose), most(|m| m.velocity));
    println!("worst mismatch at a node: {pose:.4} degrees, {velocity:.3} degrees/s");
    let fine = |m: &quality::NodeMismatch| {
        m.pose < 0.1 && m.velocity < 2.0 && m.height < 1e-3 && m.ground_velocity < 0.01 && m.turning < 2.0
    };
    let bad: Vec<_> = all.iter().filter(|m| !fine(m)).collect();
    assert!(bad.is_empty(), "{} {bad:#?}", bad.len());
}

#[test]
fn joins_are_as_smooth_as_clips() {
    let mut worst = (0.0, String::new());
    for before in &LIBRARY.clips {
        let Some(end) = &before.ends else { continue };
        for after in
            LIBRARY.clips.iter().filter(|after| after.ends.as_ref().is_some_and(|e| e.from == end.to))
        {
            let sharpness = quality::join_sharpness(before, after);
            if sharpness > worst.0 {
                worst = (sharpness, format!("{} > {}", before.name, after.name));
            }
        }
    }
    println!("sharpest join: {:.2} times the sharpest moment within ({})", worst.0, worst.1);
    assert!(worst.0 < 1.5, "{worst:?}");
}

#[test]
fn everything_the_issue_lists_is_there() {
    let waits = LIBRARY.clips.iter().filter(|c| c.has_label("wait") && c.has_label("stand"));
    assert!(waits.count() >= 10);
    let mut expected = Vec::new();
    for gait in ["walk-slow", "walk-easy", "walk-normal", "walk-brisk", "run", "sprint", "carry-walk"] {
        expected.extend(["start", "stop", "straight"].map(|what| format!("{gait}-{what}")));
        for degrees in [15, 30, 45, 60, 90] {
            expected.push(format!("{gait}-turn-left-{degrees}"));
            expected.push(format!("{gait}-turn-right-{degrees}"));
        }
    }
    let others = "side-step-left side-step-right step-back sit-down sit-wait stand-up box-pick-up box-put-down \
                  look-around wave applaud phone shout fall-forward get-up-from-prone";
    expected.extend(others.split_whitespace().map(str::to_string));
    for name in expected {
        assert!(LIBRARY.clip(&name).is_some(), "{name} is missing");
    }
    assert_eq!(with_label("turn-in-place").len(), 8);
    for label in ["talk", "listen"] {
        assert!(with_label(label).len() >= 2, "{label}");
    }
    let moves = with_label("fight");
    assert!(moves.iter().filter(|c| c.ends.as_ref().is_some_and(|e| e.from == e.to)).count() >= 10);
    for (kind, count) in [("walk", 15), ("run", 10)] {
        let styles: BTreeSet<&str> = with_label(kind)
            .iter()
            .flat_map(|clip| clip.labels.iter())
            .filter_map(|label| label.strip_prefix("style:"))
            .collect();
        assert!(styles.len() >= count, "{kind}: {styles:?}");
    }
}

#[test]
fn turning_clips_turn_as_named_and_others_keep_their_heading() {
    for clip in &LIBRARY.clips {
        let Some((_, turn)) = clip.name.split_once("turn-") else { continue };
        let turn = turn.trim_start_matches("in-place-");
        let (side, degrees) = turn.split_once('-').unwrap();
        let wanted = degrees.parse::<f32>().unwrap() * if side == "left" { 1.0 } else { -1.0 };
        let turned = crowdloom_motion::wrap_angle(clip.displacement().heading - wanted.to_radians());
        assert!(turned.abs() < 0.01, "{} turns {}", clip.name, clip.displacement().heading.to_degrees());
    }
}

#[test]
fn every_node_has_a_way_to_rest_and_from_it() {
    let edges: Vec<(&str, &str)> =
        LIBRARY.clips.iter().filter_map(|clip| clip.ends.as_ref()).map(|e| (&*e.from, &*e.to)).collect();
    let reach = |forward: bool| {
        let mut reached = BTreeSet::from(["stand"]);
        loop {
            let before = reached.len();
            for &(from, to) in &edges {
                let (a, b) = if forward { (from, to) } else { (to, from) };
                if reached.contains(a) {
                    reached.insert(b);
                }
            }
            if reached.len() == before {
                return reached;
            }
        }
    };
    let nodes: BTreeSet<&str> = edges.iter().flat_map(|edge| [edge.0, edge.1]).collect();
    assert_eq!(reach(true), nodes);
    assert_eq!(reach(false), nodes);
}

#[test]
fn clips_are_well_formed_and_alike_each_time() {
    let start = std::time::Instant::now();
    let again = builtin::library();
    println!("{} clips made in {:.2} s", again.clips.len(), start.elapsed().as_secs_f32());
    assert_eq!(*LIBRARY, again);
    let mut names = BTreeSet::new();
    for clip in &LIBRARY.clips {
        assert!(names.insert(&clip.name), "{} twice", clip.name);
        assert_eq!(clip.track[0], Placement::IDENTITY);
        let frames = clip.frames();
        assert_eq!(clip.joint_count(), LIBRARY.skeleton.len());
        assert!(
            [clip.root_heights.len(), clip.contacts.len(), clip.radii.len()].iter().all(|n| *n == frames)
        );
        assert!(clip.rotations.iter().all(|q| q.is_normalized() && q.is_finite()), "{}", clip.name);
        assert!(clip.radii.iter().all(|r| *r > 0.1 && *r < 1.6), "{}", clip.name);
        assert!(clip.seconds() >= 0.25 && clip.seconds() <= 5.1, "{} {}", clip.name, clip.seconds());
    }
}

#[test]
fn stops_are_short() {
    for clip in with_label("stop").iter().filter(|clip| clip.has_label("walk")) {
        assert!(clip.seconds() <= 1.05, "{} {}", clip.name, clip.seconds());
    }
}

#[test]
fn running_flies_and_walking_does_not() {
    for name in ["run-straight", "sprint-straight"] {
        let clip = LIBRARY.clip(name).unwrap();
        assert!(clip.contacts.iter().filter(|contacts| contacts.0 == 0).count() >= 4, "{name}");
    }
    let walk = LIBRARY.clip("walk-normal-straight").unwrap();
    assert!(walk.contacts.iter().all(|contacts| contacts.0 != 0));
}

/// Knee flexion through a cycle of normal walking against the curve it is made from: planting the feet may bend it,
/// but it must stay recognisable.
#[test]
fn knees_follow_the_normal_curve() {
    let clip = LIBRARY.clip("walk-normal-straight").unwrap();
    let knee = LIBRARY.skeleton.find("LeftLeg").unwrap();
    let last = clip.frames() - 1;
    let angles: Vec<f32> = (0..last)
        .map(|frame| limits::joint_angles("LeftLeg", clip.frame_rotations(frame)[knee])[0])
        .collect();
    // The clip starts at 29 percent of the cycle.
    let at = |percent: f32| {
        let frame = (percent / 100.0 + 1.0 - 0.2925).fract() * last as f32;
        let (a, b) = (angles[frame as usize % last], angles[(frame as usize + 1) % last]);
        a + (b - a) * frame.fract()
    };
    for (percent, normal) in [(0.0, 5.0), (13.0, 18.0), (40.0, 6.0), (62.0, 43.0), (72.0, 62.0), (90.0, 18.0)]
    {
        println!("{percent}%: {:.1}, normal {normal}", at(percent));
        assert!((at(percent) - normal).abs() < 12.0, "{percent}%: {} instead of {normal}", at(percent));
    }
}

#[test]
fn styles_differ_in_energy() {
    for (kind, spread) in [("walk", 4.0), ("run", 2.5)] {
        let mut energies = BTreeMap::new();
        for clip in with_label("style").iter().filter(|c| c.has_label(kind) && c.name.ends_with("-straight"))
        {
            let energy = quality::kinetic_energy(&LIBRARY.skeleton, clip);
            println!("{:24} {energy:.3} J/kg", clip.name);
            energies.insert((energy * 1e6) as u64, &clip.name);
        }
        let all: Vec<u64> = energies.keys().copied().collect();
        assert!(all[all.len() - 1] as f32 / all[0] as f32 > spread, "{kind} {energies:?}");
    }
}

#[test]
fn nothing_sinks_into_the_ground() {
    let skeleton = &LIBRARY.skeleton;
    let feet = ["LeftFoot", "RightFoot"].map(|name| skeleton.find(name).unwrap());
    let mut bad = Vec::new();
    for clip in &LIBRARY.clips {
        let mut lowest = (f32::MAX, 0, String::new());
        for frame in 0..clip.frames() {
            let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
            let heels = feet.map(|foot| {
                let heel =
                    joints.positions[foot] + joints.orientations[foot] * quality::heel_offset(skeleton, foot);
                (heel.z, "heel")
            });
            let all =
                (0..skeleton.len()).map(|j| (joints.positions[j].z, skeleton.joints()[j].name.as_str()));
            for (height, name) in all.chain(heels) {
                if height < lowest.0 {
                    lowest = (height, frame, name.to_string());
                }
            }
        }
        if lowest.0 < -0.02 {
            bad.push(format!("{}: {:?}", clip.name, lowest));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Joints turn at most at 1800 degrees a second (a punch is the fastest thing here), and in no clip do they jerk from one
/// frame to the next: pops would show here.
#[test]
fn joints_do_not_pop() {
    let mut worst = (0.0, String::new());
    let mut bad = Vec::new();
    for clip in &LIBRARY.clips {
        for joint in 0..clip.joint_count() {
            let turn = |frame: usize| {
                let (a, b) = (clip.frame_rotations(frame)[joint], clip.frame_rotations(frame + 1)[joint]);
                a.angle_between(b).to_degrees() * crowdloom_motion::FRAME_RATE
            };
            let (speed, frame) = (0..clip.frames() - 1)
                .map(|frame| (turn(frame), frame))
                .fold((0.0, 0), |most, next| if next.0 > most.0 { next } else { most });
            let name =
                format!("{} {} at {frame}: {speed:.0}", clip.name, LIBRARY.skeleton.joints()[joint].name);
            if speed > 1800.0 {
                bad.push(name.clone());
            }
            if speed > worst.0 {
                worst = (speed, name);
            }
        }
    }
    println!("fastest joint: {worst:?} degrees/s");
    assert!(bad.is_empty(), "{bad:#?}");
}
