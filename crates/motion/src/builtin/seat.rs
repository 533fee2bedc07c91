//! Sitting on a seat 0.45 m high behind the feet, and drawn up to a table.

use super::Maker;
use super::body::{Channels, SIDES, channel::*, size};
use super::keys::{Act, L, R, hands, with};
use super::stand;

/// Height of the seat in metres, and of the hip joint above it (half the thigh and the flesh below).
const SEAT: f32 = 0.45;
const FLESH: f32 = 0.085;

/// Sitting upright, hands on the thighs; the body's origin is where it stood.
fn pose() -> Channels {
    let base = stand::pose();
    let height = SEAT + FLESH + size::HIP_DROP;
    let mut c = with(&base, &[(X, -0.4), (PITCH, -8.0), (SPINE_PITCH, 12.0), (NECK_PITCH, -1.0)]);
    c[Z] = height;
    c = with(&c, &hands(0.3, 0.14, -0.24));
    for side in SIDES {
        c.turn(leg(side, HIP), 80.0);
        c.turn(leg(side, KNEE), 75.0);
        c.turn(arm(side, ABDUCT), 6.0);
    }
    c
}

fn sitting(name: &str, seconds: f32) -> Act {
    Act::new(name, &["sit"], "sit", &pose(), seconds)
}

fn sit_down() -> Act {
    let base = stand::pose();
    let seat = pose();
    let halfway = |part: f32, changes: &[(usize, f32)]| with(&base.lerp(&seat, part), changes);
    Act::new("sit-down", &["sit", "sit-down"], "stand", &base, 1.8)
        .pose(0.35, halfway(0.06, &[(X, -0.05), (PITCH, 10.0), (SPINE_PITCH, 10.0), (NECK_PITCH, 6.0)]))
        .pose(
            0.8,
            halfway(0.5, &[(X, -0.05), (Z, 0.03), (PITCH, 30.0), (SPINE_PITCH, 16.0), (NECK_PITCH, -22.0)]),
        )
        .pose(1.2, halfway(0.97, &[(PITCH, 26.0), (SPINE_PITCH, 12.0), (NECK_PITCH, -20.0), (Z, 0.01)]))
        .pose(1.5, halfway(1.0, &[(PITCH, 5.0), (SPINE_PITCH, 2.0), (NECK_PITCH, -4.0)]))
        .pose(1.8, seat)
        .to("sit")
}

fn stand_up() -> Act {
    let base = stand::pose();
    let seat = pose();
    let halfway = |part: f32, changes: &[(usize, f32)]| with(&seat.lerp(&base, part), changes);
    Act::new("stand-up", &["sit", "stand-up"], "sit", &seat, 1.7)
        .pose(0.45, halfway(0.0, &[(PITCH, 26.0), (SPINE_PITCH, 20.0), (NECK_PITCH, -18.0)]))
        .pose(0.75, halfway(0.12, &[(PITCH, 34.0), (SPINE_PITCH, 18.0), (NECK_PITCH, -24.0), (X, 0.03)]))
        .pose(1.1, halfway(0.62, &[(PITCH, 22.0), (SPINE_PITCH, 10.0), (NECK_PITCH, -14.0), (X, 0.0)]))
        .pose(1.4, halfway(0.96, &[(PITCH, 4.0), (SPINE_PITCH, 3.0), (X, 0.01)]))
        .pose(1.7, base)
        .to("stand")
}

fn wait() -> Act {
    sitting("sit-wait", 4.0)
        .key(1.5, &[(SPINE_ROLL, 2.5), (NECK_YAW, 14.0), (NECK_PITCH, 2.0)])
        .key(2.7, &[(SPINE_ROLL, -1.5), (NECK_YAW, -10.0)])
        .key(4.0, &[])
}

fn lean_forward() -> Act {
    let lean =
        [hands(0.33, 0.1, -0.2), vec![(PITCH, 14.0), (SPINE_PITCH, 22.0), (NECK_PITCH, -14.0)]].concat();
    sitting("sit-lean-forward", 4.4)
        .key(1.0, &lean)
        .key(2.3, &[lean.clone(), vec![(NECK_YAW, 16.0)]].concat())
        .key(3.3, &[lean, vec![(NECK_PITCH, 8.0)]].concat())
        .key(4.4, &[])
}

fn lean_back() -> Act {
    let back =
        [hands(0.2, 0.05, -0.24), vec![(PITCH, -9.0), (SPINE_PITCH, -6.0), (NECK_PITCH, 6.0)]].concat();
    sitting("sit-lean-back", 4.2)
        .key(1.0, &back)
        .key(2.2, &[back.clone(), vec![(NECK_YAW, -20.0), (NECK_ROLL, -3.0)]].concat())
        .key(3.2, &back)
        .key(4.2, &[])
}

fn talk() -> Act {
    let gesture = |y: f32, z: f32| hands(0.31, y, z);
    sitting("sit-talk", 4.0)
        .key(0.7, &[gesture(0.14, -0.1), vec![(SPINE_PITCH, 4.0), (NECK_YAW, 16.0)]].concat())
        .key(1.3, &[gesture(0.28, -0.04), vec![(NECK_YAW, 20.0), (SPINE_YAW, 6.0)]].concat())
        .key(2.1, &[gesture(0.12, -0.12), vec![(NECK_YAW, 12.0), (NECK_PITCH, 5.0)]].concat())
        .key(2.9, &[gesture(0.24, -0.14), vec![(NECK_YAW, 8.0)]].concat())
        .key(4.0, &[])
        .beat(NECK_PITCH, 2.5, 1.6, 0.4, 3.5)
}

fn tap() -> Act {
    sitting("sit-restless", 3.6)
        .key(1.2, &[(SPINE_PITCH, 5.0), (NECK_PITCH, 9.0), (NECK_YAW, -6.0)])
        .key(2.4, &[(SPINE_PITCH, 3.0), (NECK_YAW, 22.0)])
        .key(3.6, &[])
        .beat(arm(L, HAND_Z), 0.012, 3.5, 0.5, 3.0)
        .beat(arm(R, HAND_Z), -0.012, 3.5, 0.6, 3.1)
}

/// How far one draws up to a table on the seat, in metres.
const DRAWN_UP: f32 = 0.18;
/// Where wrists lie on a table, from the chest.
const ON_TABLE: [f32; 3] = [0.36, 0.15, -0.13];

/// Sitting close to a table, forearms on it.
fn at_table() -> Channels {
    let c = with(&pose(), &[(X, DRAWN_UP), (PITCH, 6.0), (SPINE_PITCH, 4.0)]);
    with(&c, &hands(ON_TABLE[0], ON_TABLE[1], ON_TABLE[2]))
}

/// Drawing up to a table: hips come forward over feet that stay.
fn draw_up() -> Act {
    let (seat, table) = (pose(), at_table());
    let halfway = with(&seat.lerp(&table, 0.5), &[(PITCH, 10.0), (SPINE_PITCH, 6.0), (Z, 0.015)]);
    Act::new("sit-draw-up", &["sit", "draw-up"], "sit", &seat, 1.4)
        .pose(0.6, halfway)
        .pose(1.4, table)
        .to("sit-at-table")
}

fn push_back() -> Act {
    let (seat, table) = (pose(), at_table());
    let halfway = with(&table.lerp(&seat, 0.5), &[(PITCH, 8.0), (SPINE_PITCH, 5.0), (Z, 0.015)]);
    Act::new("sit-push-back", &["sit", "push-back"], "sit-at-table", &table, 1.4)
        .pose(0.7, halfway)
        .pose(1.4, seat)
        .to("sit")
}

fn wait_at_table() -> Act {
    let talks = hands(ON_TABLE[0] + 0.02, ON_TABLE[1] - 0.05, ON_TABLE[2] + 0.04);
    Act::new("sit-at-table-wait", &["sit", "at-table"], "sit-at-table", &at_table(), 4.0)
        .key(1.2, &[(SPINE_ROLL, 2.0), (NECK_YAW, 16.0)])
        .key(2.2, &[talks, vec![(SPINE_PITCH, 3.0), (NECK_YAW, -12.0)]].concat())
        .key(3.0, &[(NECK_PITCH, 8.0)])
        .key(4.0, &[])
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    debug_assert_eq!([L, R], SIDES);
    let acts: [fn() -> Act; 10] =
        [sit_down, stand_up, wait, lean_forward, lean_back, talk, tap, draw_up, push_back, wait_at_table];
    for act in acts {
        makers.push(Box::new(move || act().piece()));
    }
}
