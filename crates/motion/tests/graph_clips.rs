//! Quality of the built-in clips as people show them: displaced to the nodes of their graph, feet held.

use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Placement, builtin, heel_offset};
use glam::Vec3;
use std::sync::LazyLock;

static GRAPH: LazyLock<MotionGraph> =
    LazyLock::new(|| build_graph(&builtin::library(), &BuildOptions::default()).unwrap().0);

/// The fastest that a part of a foot moves over the ground from frame to frame while it bears weight, in metres a second, of all
/// frames and parts.
fn foot_speeds(clip: &Clip) -> Vec<f32> {
    let skeleton = GRAPH.skeleton();
    let body = Body::guess(skeleton);
    let parts = [Contacts::LEFT_HEEL, Contacts::LEFT_TOE, Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE];
    let places = |frame: usize| -> Vec<Vec3> {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let legs = Side::BOTH.into_iter().filter_map(|side| body.leg(side));
        let both = legs.flat_map(|leg| {
            let heel = joints.orientations[leg.ankle] * heel_offset(skeleton, leg.ankle);
            [joints.positions[leg.ankle] + heel, joints.positions[leg.ball]]
        });
        both.collect()
    };
    let mut speeds = Vec::new();
    for frame in 1..clip.frames() {
        for ((part, now), before) in parts.into_iter().zip(places(frame)).zip(places(frame - 1)) {
            if clip.contacts[frame].touches(part) && clip.contacts[frame - 1].touches(part) {
                speeds.push((now - before).truncate().length() * FRAME_RATE);
            }
        }
    }
    speeds
}

/// The most that the velocity of the hips changes from a frame to the next, in metres a second.
fn worst_jolt(clip: &Clip) -> f32 {
    let hips = |frame: usize| clip.track[frame].position.extend(clip.root_heights[frame]);
    let jolts =
        (2..clip.frames()).map(|frame| (hips(frame) - 2.0 * hips(frame - 1) + hips(frame - 2)).length());
    jolts.fold(0.0, f32::max) * FRAME_RATE
}

#[test]
fn heels_and_balls_stand_in_every_clip() {
    let clips = || GRAPH.actions().iter().map(|action| &action.clip);
    let mut all: Vec<f32> = clips().flat_map(foot_speeds).collect();
    all.sort_by(f32::total_cmp);
    assert!(all.len() > 50_000);
    let most_of = all[all.len() * 99 / 100];
    assert!(most_of < 0.06, "99 % are below {most_of} m/s");
    let worst = all.last().unwrap();
    assert!(*worst < 0.15, "{worst} m/s");
}

#[test]
fn hips_do_not_jolt_however_sharply_one_turns_or_stops() {
    let on_foot = |clip: &&Clip| clip.has_label("single") || clip.has_label("turn-in-place");
    for clip in GRAPH.actions().iter().map(|action| &action.clip).filter(on_foot) {
        // Who runs at 5 m/s bobs by more.
        let fast = clip.displacement().position.length() > 3.0 * clip.seconds();
        let (jolt, most) = (worst_jolt(clip), if fast { 0.72 } else { 0.5 });
        let stops_fast = clip.has_label("stop") && clip.has_label("run");
        assert!(jolt < if stops_fast { 0.66 } else { most }, "{}: {jolt} m/s", clip.name);
    }
}
