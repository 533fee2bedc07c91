//! Clips on other bodies, and in the mirror.

mod common;

use common::data;
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::import::{ImportOptions, Imported, Preset, import_capture, read_bvh, read_capture};
use crowdloom_motion::retarget::{JointMap, RetargetError, retarget};
use crowdloom_motion::{Clip, Placement, Skeleton};

fn imported(name: &str) -> Option<Imported> {
    let path = data("mocap/cmu_bvh")?.join(name).with_extension("bvh");
    Some(import_capture(name, &read_bvh(&path).unwrap(), &Preset::Cmu.options(&path)).unwrap())
}

/// Largest distance between joints of the same name in two clips, in metres.
fn largest_gap(skeleton: &Skeleton, a: &Clip, b: &Clip) -> f32 {
    let frames = 0..a.frames();
    let gaps = frames.flat_map(|frame| {
        let (a, b) =
            (a.joints(skeleton, frame, Placement::IDENTITY), b.joints(skeleton, frame, Placement::IDENTITY));
        a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).collect::<Vec<_>>()
    });
    gaps.fold(0.0, f32::max)
}

#[test]
fn the_same_body_keeps_its_motion() {
    let Some(walk) = imported("16_15") else { return };
    let map = JointMap::guess(&walk.skeleton, &walk.skeleton);
    let again = retarget(&walk.skeleton, &walk.skeleton, &map, &walk.clip).unwrap();
    let gap = largest_gap(&walk.skeleton, &walk.clip, &again);
    // Feet are held anew, where straight legs are spared by up to 8 mm.
    assert!(gap < 0.012, "moved by {gap} m");
}

#[test]
fn a_mirror_of_a_mirror_is_the_motion() {
    let Some(walk) = imported("16_17") else { return };
    let mirrored = walk.clip.mirrored(&walk.skeleton);
    assert!((mirrored.displacement().heading + walk.clip.displacement().heading).abs() < 1e-5);
    let back = mirrored.mirrored(&walk.skeleton);
    assert!(largest_gap(&walk.skeleton, &walk.clip, &back) < 1e-5);
}

#[test]
fn another_body_walks_in_proportion() {
    let Some(walk) = imported("16_15") else { return };
    let Some(folder) = data("mocap") else { return };
    let pirouette = read_capture(&folder.join("bvh_variants/threejs_pirouette.bvh")).unwrap();
    let other = import_capture("other", &pirouette, &ImportOptions::default()).unwrap().skeleton;
    let acclaim = read_capture(&folder.join("asf_amc/07_05-walk.amc")).unwrap();
    let options = Preset::Cmu.options("07_05.amc".as_ref());
    let acclaim = import_capture("acclaim", &acclaim, &options).unwrap().skeleton;
    for target in [other, acclaim] {
        let map = JointMap::guess(&walk.skeleton, &target);
        let moved = retarget(&walk.skeleton, &target, &map, &walk.clip).unwrap();
        let length = |skeleton| Body::guess(skeleton).leg_length(skeleton).unwrap();
        let scale = length(&target) / length(&walk.skeleton);
        let ratio = moved.displacement().position.x / walk.clip.displacement().position.x;
        assert!((ratio - scale).abs() < 1e-3);
        // Feet stay near the ground through the stance, and the head stays on top.
        let body = Body::guess(&target);
        for frame in 0..moved.frames() {
            let joints = moved.joints(&target, frame, Placement::IDENTITY);
            let lowest = Side::BOTH.iter().map(|&side| joints.positions[body.leg(side).unwrap().ball].z);
            let lowest = lowest.fold(f32::INFINITY, f32::min);
            assert!((-0.08..0.12).contains(&lowest), "frame {frame}: lowest foot at {lowest} m");
            let head = joints.positions[body.head.unwrap()].z;
            assert!(head > 1.5 * joints.positions[body.hips].z, "frame {frame}: head at {head} m");
        }
    }
}

#[test]
fn a_stranger_is_refused() {
    let Some(walk) = imported("16_15") else { return };
    let Some(folder) = data("mocap/bvh_variants") else { return };
    let tiny = read_capture(&folder.join("fairmotion_sinusoidal.bvh")).unwrap();
    let tiny = import_capture("tiny", &tiny, &ImportOptions::default()).unwrap().skeleton;
    let map = JointMap::guess(&walk.skeleton, &tiny);
    assert_eq!(
        retarget(&walk.skeleton, &tiny, &map, &walk.clip).unwrap_err(),
        RetargetError::UnknownLegs("target")
    );
}
