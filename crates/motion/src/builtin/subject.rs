//! Cycles of walking and running of a few people who differ as people do, at any speed: what learnt engines learn from.

use super::gait::{Gait, Manner};
use super::locomotion::{self, Node};
use crate::Clip;

/// The number of people.
pub const SUBJECTS: usize = 5;

/// How each person differs from the mean: cadence, step width, toes, knees, sway, pelvis, lean, arms and elbows.
fn vary(subject: usize, manner: Manner) -> Manner {
    let arms = |left: f32, right: f32| [manner.x_arms[0] * left, manner.x_arms[1] * right];
    let elbow = |more: f32| manner.elbow.map(|elbow| elbow + more);
    match subject % SUBJECTS {
        0 => manner,
        1 => Manner {
            x_cadence: manner.x_cadence * 1.05,
            step_width: manner.step_width * 0.75,
            toe_out: manner.toe_out - 3.0,
            x_pelvis: manner.x_pelvis * 1.35,
            x_sway: manner.x_sway * 1.2,
            x_arms: arms(1.15, 1.1),
            elbow: elbow(9.0),
            arm_out: manner.arm_out.map(|out| out + 3.0),
            ..manner
        },
        2 => Manner {
            x_cadence: manner.x_cadence * 0.96,
            step_width: manner.step_width * 1.3,
            toe_out: manner.toe_out + 6.0,
            lean: manner.lean - 2.0,
            shoulders_forward: 3.0,
            x_arms: arms(0.8, 0.9),
            arm_out: manner.arm_out.map(|out| out + 5.0),
            trunk_roll: manner.trunk_roll * 1.5,
            ..manner
        },
        3 => Manner {
            crouch: 4.0,
            lean: manner.lean + 4.0,
            head: 5.0,
            x_bob: manner.x_bob * 0.8,
            x_foot: manner.x_foot * 0.85,
            x_arms: arms(0.65, 0.7),
            elbow: elbow(-5.0),
            ..manner
        },
        _ => Manner {
            x_cadence: manner.x_cadence * 1.03,
            x_swing_knee: manner.x_swing_knee.map(|knee| knee * 1.07),
            x_bob: manner.x_bob * 1.15,
            x_thorax: manner.x_thorax * 1.25,
            x_arms: arms(1.3, 1.2),
            elbow: elbow(14.0),
            lean: manner.lean + 1.0,
            ..manner
        },
    }
}

/// One cycle of two steps of a person at a speed in metres a second; people after the last are the first ones again.
pub fn subject_cycle(subject: usize, run: bool, speed: f32) -> Clip {
    let manner = if run { Manner::running(speed) } else { Manner::walk(speed) };
    let (label, name) = if run { ("run", "runs") } else { ("walk", "walks") };
    let node = Node {
        node: "cycle".into(),
        name: format!("subject {subject} {name} at {speed:.2} m/s"),
        label,
        gait: Gait::new(vary(subject, manner)),
    };
    locomotion::cycle(&node, 0, &[]).0
}
