//! Picking up a box from the floor, carrying it, handing it over and putting it down.

use super::Maker;
use super::body::{Channels, SIDES, channel::*};
use super::gait::{Gait, Manner};
use super::keys::{Act, L, R, hands, reach, with};
use super::locomotion::{self, Node, TURNS};
use super::stand;
use glam::Vec3;
use std::sync::Arc;

/// Where the wrists hold the box, before the chest.
const HOLD: [f32; 3] = [0.29, 0.17, -0.14];

/// Standing with the box.
pub fn pose() -> Channels {
    let base = with(&stand::pose(), &[(SPINE_PITCH, -5.0), (PITCH, 1.0), (X, -0.012), (NECK_PITCH, 3.0)]);
    let mut c = with(&base, &hands(HOLD[0], HOLD[1], HOLD[2]));
    for side in SIDES {
        c.turn(arm(side, FORWARD), 6.0);
        c.turn(arm(side, PRONATE), -20.0);
    }
    c
}

/// Bent down to a box on the floor before the feet, knees bent, back fairly straight.
fn crouched() -> Channels {
    let base = stand::pose();
    let mut c =
        with(&base, &[(Z, -0.41), (X, -0.17), (PITCH, 42.0), (SPINE_PITCH, 34.0), (NECK_PITCH, -26.0)]);
    for side in SIDES {
        c.turn(leg(side, HIP), 60.0);
        c.turn(leg(side, KNEE), 60.0);
        c.turn(arm(side, FORWARD), 14.0);
    }
    let place = |y: f32| Vec3::new(0.34, y, 0.29);
    reach(&reach(&c, L, place(0.17)), R, place(-0.17))
}

fn pick_up() -> Act {
    let down = crouched();
    let carry = pose();
    let halfway = with(&down.lerp(&carry, 0.45), &[(X, -0.02), (SPINE_PITCH, 4.0)]);
    Act::new("box-pick-up", &["carry", "pick-up"], "stand", &stand::pose(), 2.2)
        .pose(0.8, down)
        .pose(1.15, with(&down, &[(Z, -0.012), (SPINE_PITCH, -2.0)]))
        .pose(1.65, halfway)
        .pose(2.2, carry)
        .to("carry-stand")
}

fn put_down() -> Act {
    let down = crouched();
    let carry = pose();
    let halfway = with(&carry.lerp(&down, 0.5), &[(SPINE_PITCH, 3.0)]);
    Act::new("box-put-down", &["carry", "put-down"], "carry-stand", &carry, 2.2)
        .pose(0.6, halfway)
        .pose(1.1, down)
        .pose(1.35, with(&down, &[(arm(L, HAND_Y), 0.22), (arm(R, HAND_Y), -0.22)]))
        .pose(2.2, stand::pose())
        .to("stand")
}

fn wait() -> Act {
    Act::new("box-hold", &["carry", "wait"], "carry-stand", &pose(), 3.0)
        .key(1.0, &[(Y, 0.03), (ROLL, 2.5), (SPINE_ROLL, -3.0), (NECK_YAW, 10.0)])
        .key(
            1.5,
            &[(Y, 0.02), (Z, -0.008), (arm(L, HAND_Z), HOLD[2] + 0.03), (arm(R, HAND_Z), HOLD[2] + 0.03)],
        )
        .key(2.1, &[(Y, -0.02), (ROLL, -2.0), (NECK_YAW, -10.0)])
        .key(3.0, &[])
}

/// Both arms held out with the box between two people, or to take it.
fn held_out() -> Channels {
    let leaning = with(&pose(), &[(SPINE_PITCH, 9.0), (PITCH, 3.0), (X, 0.015), (NECK_PITCH, 3.0)]);
    with(&leaning, &hands(HOLD[0] + 0.14, HOLD[1], HOLD[2] - 0.03))
}

/// From holding the box to holding it out: then the other one takes it.
fn hold_out() -> Act {
    Act::new("box-hold-out", &["carry", "hold-out"], "carry-stand", &pose(), 1.2)
        .pose(1.05, held_out())
        .pose(1.2, held_out())
        .to("box-give")
}

/// From holding it out to standing with empty hands.
fn let_go() -> Act {
    let open = with(&held_out(), &[(arm(L, HAND_Y), 0.22), (arm(R, HAND_Y), -0.22)]);
    Act::new("box-let-go", &["carry", "let-go"], "box-give", &held_out(), 1.3)
        .pose(0.35, open)
        .pose(1.3, stand::pose())
        .to("stand")
}

/// From standing to hands that wait for the box.
fn reach_out() -> Act {
    let open = with(&held_out(), &[(arm(L, HAND_Y), 0.21), (arm(R, HAND_Y), -0.21)]);
    Act::new("box-reach-out", &["carry", "reach-out"], "stand", &stand::pose(), 1.2)
        .pose(0.85, open)
        .pose(1.2, held_out())
        .to("box-take")
}

/// From having it between the hands to holding it.
fn draw_in() -> Act {
    Act::new("box-draw-in", &["carry", "draw-in"], "box-take", &held_out(), 1.3)
        .pose(0.3, held_out())
        .pose(1.3, pose())
        .to("carry-stand")
}

/// Walking with the box: slower, leaning back, arms still.
fn node() -> Arc<Node> {
    let [x, y, z] = HOLD;
    let manner = Manner {
        lean: -4.0,
        x_thorax: 0.35,
        crouch: 3.0,
        shoulders_forward: 6.0,
        step_width: 0.14,
        x_arms: [0.0; 2],
        head: 4.0,
        hands: Some([[x, y, z], [x, -y, z]]),
        ..Manner::walk(1.1)
    };
    let name = "carry-walk".to_string();
    Arc::new(Node { node: name.clone(), name, label: "carry", gait: Gait::new(manner) })
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    let acts: [fn() -> Act; 7] = [pick_up, put_down, wait, hold_out, let_go, reach_out, draw_in];
    for act in acts {
        makers.push(Box::new(move || act().piece()));
    }
    let node = node();
    let turns = TURNS.iter().flat_map(|&angle| [angle, -angle]);
    for degrees in [0].into_iter().chain(turns) {
        let node = Arc::clone(&node);
        makers.push(Box::new(move || locomotion::cycle(&node, degrees, &["walk"])));
    }
    let starter = Arc::clone(&node);
    makers.push(Box::new(move || locomotion::start(&starter, ("carry-stand", &pose()), &["walk"])));
    makers.push(Box::new(move || locomotion::stop(&node, ("carry-stand", &pose()), &["walk"])));
}
