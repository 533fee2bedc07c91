//! Ways of walking and running that differ in energy and posture, each a node of its own.

use super::Maker;
use super::gait::{Gait, Manner};
use super::locomotion::{self, Node};
use super::stand;
use std::sync::Arc;

/// Turns, in degrees, that each style can make.
const TURNS: [i32; 5] = [0, 30, -30, 60, -60];

/// Fifteen ways of walking.
fn walks() -> Vec<(&'static str, Manner)> {
    let at = Manner::walk;
    vec![
        (
            "old",
            Manner {
                x_cadence: 1.12,
                lean: 27.0,
                shoulders_forward: 8.0,
                crouch: 14.0,
                x_swing_knee: [0.75; 2],
                x_foot: 0.45,
                x_bob: 0.5,
                step_width: 0.15,
                head: 2.0,
                x_arms: [0.5; 2],
                arm_flex: 8.0,
                elbow: [38.0; 2],
                x_pelvis: 0.4,
                toe_out: 12.0,
                ..at(0.65)
            },
        ),
        (
            "tired",
            Manner {
                x_cadence: 0.94,
                lean: 15.0,
                head: 16.0,
                shoulders_forward: 10.0,
                shrug: -3.0,
                x_arms: [0.55; 2],
                arm_flex: 6.0,
                elbow: [8.0; 2],
                x_foot: 0.55,
                x_swing_knee: [0.8; 2],
                x_sway: 1.9,
                crouch: 4.0,
                trunk_roll: 1.9,
                ..at(0.85)
            },
        ),
        (
            "sad",
            Manner {
                x_cadence: 0.92,
                lean: 12.0,
                head: 28.0,
                shoulders_forward: 12.0,
                x_arms: [0.25; 2],
                arm_flex: 2.0,
                arm_out: [3.0; 2],
                elbow: [8.0; 2],
                x_bob: 0.6,
                x_pelvis: 0.5,
                x_thorax: 0.5,
                ..at(0.95)
            },
        ),
        (
            "proud",
            Manner {
                lean: -9.0,
                head: -4.0,
                shoulders_forward: -10.0,
                x_arms: [1.1; 2],
                arm_out: [13.0; 2],
                x_bob: 1.25,
                x_thorax: 1.2,
                high_knee: 4.0,
                pelvis_tilt: 5.0,
                ..at(1.3)
            },
        ),
        (
            "strut",
            Manner {
                lean: -9.0,
                head: -6.0,
                shoulders_forward: -8.0,
                x_pelvis: 2.0,
                x_thorax: 1.4,
                x_sway: 1.8,
                x_bob: 1.5,
                trunk_roll: 2.8,
                x_arms: [1.5, 1.0],
                arm_out: [16.0; 2],
                elbow: [28.0; 2],
                x_cadence: 0.9,
                ..at(1.15)
            },
        ),
        (
            "hurried",
            Manner {
                lean: 15.0,
                x_cadence: 1.1,
                x_arms: [1.35; 2],
                elbow: [72.0; 2],
                x_elbow: 1.2,
                x_bob: 0.8,
                x_thorax: 1.3,
                head: -3.0,
                ..at(2.0)
            },
        ),
        (
            "sneak",
            Manner {
                crouch: 28.0,
                lean: 22.0,
                head: -6.0,
                x_cadence: 0.88,
                high_knee: 14.0,
                x_foot: 0.5,
                x_bob: 0.5,
                x_arms: [0.45; 2],
                arm_flex: 38.0,
                elbow: [70.0; 2],
                shoulders_forward: 10.0,
                shrug: 6.0,
                head_turn: 24.0,
                step_width: 0.1,
                ..at(0.7)
            },
        ),
        (
            "drunk",
            Manner {
                stray: 0.2,
                x_sway: 3.0,
                trunk_roll: 3.6,
                step_width: 0.22,
                x_cadence: 0.94,
                x_arms: [0.8, 0.5],
                arm_out: [24.0, 17.0],
                elbow: [20.0, 34.0],
                x_foot: 0.8,
                crouch: 7.0,
                lean: 9.0,
                head: 9.0,
                head_turn: 16.0,
                head_nod: 5.0,
                toe_out: 14.0,
                ..at(0.85)
            },
        ),
        (
            "limp",
            Manner {
                lurch: 19.0,
                x_swing_knee: [0.45, 1.0],
                x_sway: 2.2,
                x_foot: 0.6,
                x_arms: [0.5, 0.9],
                x_bob: 1.3,
                lean: 7.0,
                head: 6.0,
                arm_out: [10.0, 14.0],
                ..at(0.85)
            },
        ),
        (
            "childlike",
            Manner {
                x_bob: 2.4,
                x_cadence: 1.12,
                high_knee: 16.0,
                x_arms: [1.9; 2],
                arm_out: [14.0; 2],
                elbow: [14.0; 2],
                head_turn: 10.0,
                trunk_roll: 2.4,
                x_foot: 1.15,
                head: -4.0,
                x_thorax: 1.4,
                ..at(1.35)
            },
        ),
        (
            "march",
            Manner {
                high_knee: 34.0,
                lean: -2.0,
                head: -2.0,
                x_arms: [1.9; 2],
                elbow: [8.0; 2],
                x_elbow: 0.2,
                arm_out: [4.0; 2],
                x_pelvis: 0.5,
                x_thorax: 0.7,
                x_sway: 0.6,
                x_foot: 1.1,
                shoulders_forward: -6.0,
                x_cadence: 1.04,
                ..at(1.45)
            },
        ),
        (
            "cautious",
            Manner {
                crouch: 12.0,
                lean: 6.0,
                x_foot: 0.3,
                step_width: 0.17,
                x_cadence: 1.0,
                arm_flex: 26.0,
                arm_out: [26.0; 2],
                elbow: [48.0; 2],
                x_arms: [0.2; 2],
                x_bob: 0.4,
                head: 16.0,
                x_pelvis: 0.4,
                ..at(0.6)
            },
        ),
        (
            "angry",
            Manner {
                lean: 17.0,
                head: -6.0,
                shrug: 7.0,
                shoulders_forward: 6.0,
                x_arms: [1.5; 2],
                elbow: [36.0; 2],
                arm_out: [16.0; 2],
                x_cadence: 1.05,
                x_bob: 1.4,
                x_foot: 1.15,
                x_thorax: 1.5,
                x_stance_knee: 1.3,
                ..at(1.8)
            },
        ),
        (
            "stroll",
            Manner {
                lean: -4.0,
                x_cadence: 0.9,
                hands: Some([[-0.17, 0.045, -0.26], [-0.17, -0.045, -0.26]]),
                shoulders_forward: -5.0,
                head: -2.0,
                head_turn: 12.0,
                x_sway: 1.5,
                x_foot: 0.9,
                ..at(0.95)
            },
        ),
        (
            "tiptoe",
            Manner {
                tiptoe: 27.0,
                crouch: 8.0,
                lean: 4.0,
                shrug: 9.0,
                x_arms: [0.3; 2],
                arm_flex: 16.0,
                arm_out: [30.0; 2],
                elbow: [56.0; 2],
                x_bob: 0.5,
                x_cadence: 1.1,
                step_width: 0.08,
                head_turn: 14.0,
                ..at(0.7)
            },
        ),
    ]
}

/// Ten ways of running.
fn runs() -> Vec<(&'static str, Manner)> {
    let at = Manner::running;
    vec![
        ("jog", Manner { x_bob: 0.8, x_arms: [0.9; 2], lean: 2.0, x_swing_knee: [0.72; 2], ..at(2.1) }),
        (
            "tired",
            Manner {
                lean: 19.0,
                head: 6.0,
                shoulders_forward: 8.0,
                x_arms: [0.8; 2],
                elbow: [70.0; 2],
                x_swing_knee: [0.66; 2],
                trunk_roll: 2.6,
                x_cadence: 0.95,
                x_sway: 1.4,
                ..at(2.1)
            },
        ),
        (
            "panic",
            Manner {
                lean: 15.0,
                head: -12.0,
                x_arms: [2.1; 2],
                arm_flex: 22.0,
                arm_out: [30.0; 2],
                elbow: [70.0; 2],
                shrug: 9.0,
                head_turn: 26.0,
                x_cadence: 1.08,
                high_knee: 8.0,
                x_thorax: 1.3,
                ..at(4.0)
            },
        ),
        (
            "heavy",
            Manner {
                x_bob: 1.5,
                step_width: 0.14,
                x_stance_knee: 1.2,
                trunk_roll: 2.6,
                x_arms: [0.9; 2],
                arm_out: [24.0; 2],
                lean: 3.0,
                x_swing_knee: [0.78; 2],
                x_cadence: 0.94,
                x_sway: 1.5,
                ..at(2.3)
            },
        ),
        (
            "light",
            Manner {
                x_bob: 1.35,
                tiptoe: 12.0,
                x_cadence: 1.08,
                high_knee: 6.0,
                x_arms: [1.2; 2],
                lean: 3.0,
                ..at(2.8)
            },
        ),
        (
            "childlike",
            Manner {
                x_bob: 1.7,
                high_knee: 14.0,
                x_arms: [2.0; 2],
                elbow: [58.0; 2],
                arm_out: [26.0; 2],
                head_turn: 12.0,
                trunk_roll: 2.5,
                x_cadence: 1.1,
                head: -4.0,
                ..at(2.6)
            },
        ),
        (
            "late",
            Manner {
                lean: 10.0,
                x_arms: [0.8, 1.7],
                arm_flex: -4.0,
                x_cadence: 1.1,
                x_swing_knee: [0.8; 2],
                head: -6.0,
                x_bob: 0.75,
                ..at(2.9)
            },
        ),
        (
            "crouched",
            Manner {
                crouch: 20.0,
                lean: 36.0,
                head: -16.0,
                x_arms: [0.8; 2],
                elbow: [70.0; 2],
                shoulders_forward: 8.0,
                x_bob: 0.5,
                x_cadence: 1.1,
                ..at(2.4)
            },
        ),
        (
            "proud",
            Manner {
                lean: -3.0,
                head: -6.0,
                shoulders_forward: -9.0,
                high_knee: 16.0,
                x_arms: [1.7; 2],
                x_bob: 1.3,
                arm_out: [8.0; 2],
                ..at(2.9)
            },
        ),
        (
            "limp",
            Manner {
                lurch: 16.0,
                x_swing_knee: [0.5, 0.95],
                x_bob: 1.2,
                x_arms: [0.7, 1.2],
                lean: 8.0,
                x_sway: 1.6,
                arm_out: [14.0, 20.0],
                ..at(2.1)
            },
        ),
    ]
}

fn add_style(makers: &mut Vec<Maker>, kind: &'static str, base: &Arc<Node>, style: &str, manner: Manner) {
    let name = format!("{kind}-{style}");
    let label: Arc<str> = format!("style:{style}").into();
    let node = Arc::new(Node { node: name.clone(), name, label: kind, gait: Gait::new(manner) });
    for degrees in TURNS {
        let (node, label) = (Arc::clone(&node), Arc::clone(&label));
        makers.push(Box::new(move || locomotion::cycle(&node, degrees, &["style", &label])));
    }
    type Make = fn(&Node, &Node, &[&str]) -> super::Piece;
    let makes: [Make; 4] = [
        |node, _, labels| locomotion::start(node, ("stand", &stand::pose()), labels),
        |node, _, labels| locomotion::stop(node, ("stand", &stand::pose()), labels),
        |node, base, labels| locomotion::change(base, node, labels),
        |node, base, labels| locomotion::change(node, base, labels),
    ];
    for make in makes {
        let (node, base, label) = (Arc::clone(&node), Arc::clone(base), Arc::clone(&label));
        makers.push(Box::new(move || make(&node, &base, &["style", &label])));
    }
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    let plain = locomotion::plain();
    let find = |name: &str| plain.iter().find(|node| node.node == name).map(Arc::clone);
    if let (Some(walk), Some(run)) = (find("walk"), find("run")) {
        for (style, manner) in walks() {
            add_style(makers, "walk", &walk, style, manner);
        }
        for (style, manner) in runs() {
            add_style(makers, "run", &run, style, manner);
        }
    }
}
