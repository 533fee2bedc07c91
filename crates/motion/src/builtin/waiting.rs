//! Standing about: ten ways of waiting, and stepping on the spot.

use super::Maker;
use super::body::channel::*;
use super::keys::{Act, L, R, hand, hands};
use super::stand;
use crate::Placement;

fn wait(name: &str, seconds: f32) -> Act {
    Act::new(&format!("stand-{name}"), &["stand", "wait"], "stand", &stand::pose(), seconds)
}

/// Weight over one leg, the other knee loose.
fn lean_left(amount: f32) -> Vec<(usize, f32)> {
    vec![
        (Y, 0.055 * amount),
        (X, 0.005),
        (Z, -0.006),
        (ROLL, 5.0 * amount),
        (SPINE_ROLL, -7.0 * amount),
        (NECK_ROLL, 3.0 * amount),
        (YAW, -3.0 * amount),
        (SPINE_YAW, 2.0 * amount),
    ]
}

fn joined(parts: &[&[(usize, f32)]]) -> Vec<(usize, f32)> {
    parts.concat()
}

/// Standing quietly.
fn relaxed() -> Act {
    wait("relaxed", 3.6)
        .key(1.6, &[(NECK_YAW, 7.0), (Y, 0.012), (ROLL, 0.8)])
        .key(2.6, &[(NECK_YAW, -3.0), (NECK_PITCH, 3.0), (Y, -0.004)])
        .key(3.6, &[])
}

fn shift() -> Act {
    // Slowly: who goes faster than this steps aside.
    wait("shift-weight", 5.0)
        .key(1.1, &lean_left(0.85))
        .key(1.9, &joined(&[&lean_left(0.75), &[(NECK_YAW, 12.0)]]))
        .key(3.4, &lean_left(-0.75))
        .key(4.0, &joined(&[&lean_left(-0.7), &[(NECK_YAW, -8.0), (NECK_PITCH, 4.0)]]))
        .key(5.0, &[])
}

fn arms_crossed() -> Act {
    let crossed = joined(&[
        &hand(L, [0.17, -0.02, -0.08]),
        &hand(R, [0.21, 0.03, -0.04]),
        &[(arm(L, WRIST), 30.0), (arm(R, WRIST), 30.0)],
        &lean_left(0.6),
        &[(arm(L, ABDUCT), 14.0), (arm(R, ABDUCT), 14.0), (SPINE_PITCH, -3.0)],
    ]);
    wait("arms-crossed", 4.6)
        .key(0.9, &crossed)
        .key(2.2, &joined(&[&crossed, &[(NECK_YAW, 18.0), (NECK_PITCH, 2.0)]]))
        .key(3.4, &joined(&[&crossed, &[(NECK_YAW, -6.0)]]))
        .key(4.6, &[])
}

fn hands_on_hips() -> Act {
    let akimbo = joined(&[
        &hands(-0.045, 0.215, -0.25),
        &[(arm(L, ABDUCT), 60.0), (arm(R, ABDUCT), 60.0), (arm(L, WRIST), -25.0), (arm(R, WRIST), -25.0)],
        &[(SPINE_PITCH, -4.0), (PITCH, 2.0)],
    ]);
    wait("hands-on-hips", 4.2)
        .key(0.9, &joined(&[&akimbo, &lean_left(-0.5)]))
        .key(2.2, &joined(&[&akimbo, &lean_left(-0.6), &[(NECK_YAW, -15.0)]]))
        .key(3.2, &joined(&[&akimbo, &lean_left(-0.3), &[(NECK_YAW, 8.0)]]))
        .key(4.2, &[])
}

fn hands_behind() -> Act {
    let behind = joined(&[
        &hands(-0.17, 0.045, -0.26),
        &[(SPINE_PITCH, -3.0), (arm(L, FORWARD), -6.0), (arm(R, FORWARD), -6.0)],
    ]);
    wait("hands-behind-back", 4.4)
        .key(0.9, &behind)
        .key(1.7, &joined(&[&behind, &[(X, 0.025), (NECK_PITCH, -5.0)]]))
        .key(2.4, &joined(&[&behind, &[(X, -0.02), (NECK_YAW, 10.0)]]))
        .key(3.3, &joined(&[&behind, &[(X, 0.01), (NECK_YAW, -6.0)]]))
        .key(4.4, &[])
}

fn look_at_watch() -> Act {
    let look = joined(&[
        &hand(L, [0.27, 0.04, 0.04]),
        &[(arm(L, ABDUCT), 18.0), (NECK_PITCH, 24.0), (NECK_YAW, 12.0), (SPINE_PITCH, 4.0)],
    ]);
    wait("look-at-watch", 3.4)
        .key(0.8, &look)
        .key(1.6, &joined(&[&look, &[(NECK_PITCH, 2.0)]]))
        .key(2.4, &[(NECK_YAW, -20.0), (Y, 0.02), (ROLL, 2.0), (SPINE_YAW, -6.0)])
        .key(3.4, &[])
}

fn scratch_head() -> Act {
    let scratch = joined(&[
        &hand(R, [0.12, -0.23, 0.33]),
        &[(arm(R, ABDUCT), 35.0), (arm(R, SHRUG), 8.0), (NECK_ROLL, 7.0), (NECK_PITCH, 9.0)],
    ]);
    wait("scratch-head", 3.2)
        .key(0.75, &scratch)
        .key(2.2, &scratch)
        .key(3.2, &[])
        .beat(arm(R, HAND_Z), 0.012, 4.0, 0.9, 2.2)
        .beat(arm(R, HAND_X), 0.02, 4.0, 0.95, 2.15)
}

fn pockets() -> Act {
    let pockets = joined(&[
        &hands(0.03, 0.205, -0.36),
        &[(arm(L, ABDUCT), 16.0), (arm(R, ABDUCT), 16.0), (arm(L, SHRUG), 4.0), (arm(R, SHRUG), 4.0)],
        &[(SPINE_PITCH, 4.0)],
    ]);
    wait("hands-in-pockets", 4.6)
        .key(0.9, &joined(&[&pockets, &lean_left(0.7)]))
        .key(2.2, &joined(&[&pockets, &lean_left(0.8), &[(NECK_PITCH, 12.0)]]))
        .key(3.4, &joined(&[&pockets, &lean_left(-0.4), &[(NECK_YAW, -14.0)]]))
        .key(4.6, &[])
}

fn stretch() -> Act {
    let up = [
        (arm(L, FLEX), 150.0),
        (arm(R, FLEX), 158.0),
        (arm(L, ABDUCT), 10.0),
        (arm(R, ABDUCT), 6.0),
        (arm(L, SHRUG), 16.0),
        (arm(R, SHRUG), 18.0),
        (arm(L, ELBOW), 18.0),
        (arm(R, ELBOW), 10.0),
        (SPINE_PITCH, -12.0),
        (NECK_PITCH, -14.0),
        (X, 0.015),
    ];
    wait("stretch", 3.6)
        .key(1.1, &up)
        .key(1.9, &joined(&[&up, &[(SPINE_ROLL, 9.0), (Y, 0.02)]]))
        .key(2.7, &[(arm(L, ABDUCT), 30.0), (arm(R, ABDUCT), 30.0), (SPINE_PITCH, 3.0), (NECK_PITCH, 4.0)])
        .key(3.6, &[])
}

fn rock() -> Act {
    wait("rock-on-feet", 4.0)
        .key(0.7, &[(X, 0.016), (SPINE_PITCH, -2.0), (Y, 0.016), (ROLL, 2.5), (SPINE_ROLL, -3.0)])
        .key(1.4, &[(X, -0.014), (SPINE_PITCH, 3.0), (Y, -0.016), (ROLL, -2.5), (SPINE_ROLL, 3.0)])
        .key(
            2.1,
            &[(X, 0.016), (SPINE_PITCH, -2.0), (Y, 0.018), (ROLL, 2.5), (SPINE_ROLL, -3.0), (NECK_YAW, 14.0)],
        )
        .key(2.9, &[(X, -0.012), (SPINE_PITCH, 2.0), (Y, -0.012), (ROLL, -2.0), (NECK_YAW, 5.0)])
        .key(4.0, &[])
        .beat(arm(L, FLEX), 7.0, 0.7, 0.3, 3.6)
        .beat(arm(R, FLEX), 7.0, 0.7, 0.4, 3.7)
}

/// A short look aside, or the weight shifted to one leg, by who waits for room to get on.
fn glance(name: &str, changes: &[(usize, f32)]) -> Act {
    Act::new(&format!("glance-{name}"), &["stand", "wait", "glance"], "stand", &stand::pose(), 1.3)
        .key(0.55, changes)
        .key(0.8, changes)
        .key(1.3, &[])
}

fn glances() -> [Act; 5] {
    let look = |sign: f32| [(NECK_YAW, 32.0 * sign), (SPINE_YAW, 6.0 * sign), (NECK_PITCH, 2.0)];
    [
        glance("left", &look(1.0)),
        glance("right", &look(-1.0)),
        glance("ahead", &[(NECK_PITCH, -7.0), (SPINE_PITCH, -3.0), (Z, 0.004)]),
        glance("shift-left", &lean_left(0.45)),
        glance("shift-right", &lean_left(-0.45)),
    ]
}

/// A stir of the body between two looks for room: so short that nobody comes too late by it.
fn stir(name: &str, changes: &[(usize, f32)]) -> Act {
    Act::new(&format!("stir-{name}"), &["stand", "wait", "stir"], "stand", &stand::pose(), 0.4)
        .key(0.2, changes)
        .key(0.4, &[])
}

fn stirs() -> [Act; 4] {
    let look = |sign: f32| [(NECK_YAW, 5.0 * sign), (SPINE_YAW, 1.0 * sign), (NECK_PITCH, 1.0)];
    [
        stir("left", &look(1.0)),
        stir("right", &look(-1.0)),
        stir("up", &[(NECK_PITCH, -3.0), (SPINE_PITCH, -1.5)]),
        stir("down", &[(NECK_PITCH, 3.0), (SPINE_PITCH, 1.0)]),
    ]
}

/// Small quick steps turn the body over its middle: who stands among others has room for that.
const SWAY_OF_TURNING: f32 = 0.08;

/// Turns on the spot by `degrees` to the left.
fn turn_in_place(degrees: i32) -> super::Piece {
    let side = if degrees > 0 { "left" } else { "right" };
    let sign = degrees.signum() as f32;
    let lead = if degrees > 0 { L } else { R };
    let angle = (degrees as f32).to_radians();
    // Pairs of steps of at most 60 degrees, the foot on the inside first.
    let pairs = (degrees.unsigned_abs() as usize).div_ceil(60);
    let pace = 0.28;
    let seconds = 0.14 + pairs as f32 * 2.0 * pace + 0.1;
    let name = format!("turn-in-place-{side}-{}", degrees.abs());
    let mut act = Act::new(&name, &["turn", "turn-in-place", "stand"], "stand", &stand::pose(), seconds);
    for pair in 0..pairs {
        let heading = angle * (pair + 1) as f32 / pairs as f32;
        let start = 0.12 + pair as f32 * 2.0 * pace;
        let place = Placement::new(0.0, 0.0, heading);
        act = act.step(lead, start, start + pace * 0.85, stand::print(place, lead), 0.06);
        act = act.step(1 - lead, start + pace, start + pace * 1.85, stand::print(place, 1 - lead), 0.06);
    }
    act.path = Some((Placement::new(0.0, 0.0, angle), 0.04, seconds - 0.06));
    act.sway = SWAY_OF_TURNING;
    let middle = seconds * 0.4;
    act.key(0.3 * seconds, &[(NECK_YAW, 22.0 * sign), (SPINE_YAW, 10.0 * sign), (SPINE_PITCH, 2.0)])
        .key(middle + 0.2 * seconds, &[(NECK_YAW, 10.0 * sign), (SPINE_YAW, 3.0 * sign)])
        .key(seconds, &[])
        .piece()
}

/// Steps sideways or back and stands again; who goes a hand's breadth only does so quicker, over its middle.
fn step_to(name: &str, label: &str, x: f32, y: f32, lead: usize) -> super::Piece {
    let to = Placement::new(x, y, 0.0);
    let small = to.position.length() < 0.3;
    let seconds = if small { 0.9 } else { 1.1 };
    let at = |time: f32| time * seconds / 1.1;
    let height = if small { 0.035 } else { 0.055 };
    let mut act = Act::new(name, &["step", label], "stand", &stand::pose(), seconds)
        .step(lead, at(0.14), at(0.46), stand::print(to, lead), height)
        .step(1 - lead, at(0.54), at(0.9), stand::print(to, 1 - lead), height);
    act.path = Some((to, at(0.06), at(0.96)));
    act.sway = if small { SWAY_OF_TURNING } else { act.sway };
    let look = if y == 0.0 { 0.0 } else { 14.0 * y.signum() };
    act.key(
        at(0.35),
        &[
            (SPINE_PITCH, if x < 0.0 { 5.0 } else { 2.0 }),
            (NECK_YAW, look),
            (arm(L, ABDUCT), 6.0),
            (arm(R, ABDUCT), 6.0),
        ],
    )
    .key(seconds, &[])
    .piece()
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    let waits: [fn() -> Act; 10] = [
        relaxed,
        shift,
        arms_crossed,
        hands_on_hips,
        hands_behind,
        look_at_watch,
        scratch_head,
        pockets,
        stretch,
        rock,
    ];
    for wait in waits {
        makers.push(Box::new(move || wait().piece()));
    }
    for stir in stirs() {
        makers.push(Box::new(move || stir.clone().piece()));
    }
    for glance in glances() {
        makers.push(Box::new(move || glance.clone().piece()));
    }
    for degrees in [20, -20, 45, -45, 90, -90, 180, -180] {
        makers.push(Box::new(move || turn_in_place(degrees)));
    }
    makers.push(Box::new(|| step_to("side-step-left", "side-step", 0.0, 0.35, L)));
    makers.push(Box::new(|| step_to("side-step-right", "side-step", 0.0, -0.35, R)));
    makers.push(Box::new(|| step_to("step-back", "step-back", -0.4, 0.0, L)));
    makers.push(Box::new(|| step_to("small-side-step-left", "side-step", 0.0, 0.15, L)));
    makers.push(Box::new(|| step_to("small-side-step-right", "side-step", 0.0, -0.15, R)));
    makers.push(Box::new(|| step_to("small-step-back", "step-back", -0.15, 0.0, L)));
}
