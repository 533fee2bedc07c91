//! What people do with each other while they stand: talk, listen, look, wave, applaud, phone, shout.

use super::Maker;
use super::body::channel::*;
use super::keys::{Act, L, R, hand, hands};
use super::stand;

fn act(name: &str, label: &str, seconds: f32) -> Act {
    Act::new(name, &["stand", label], "stand", &stand::pose(), seconds)
}

fn joined(parts: &[&[(usize, f32)]]) -> Vec<(usize, f32)> {
    parts.concat()
}

fn talk_calm() -> Act {
    let right = |x: f32, y: f32, z: f32| hand(R, [x, y, z]);
    let side = [(Y, -0.035), (ROLL, -3.0), (SPINE_ROLL, 4.0)];
    act("talk-calm", "talk", 4.4)
        .key(
            0.7,
            &joined(&[&right(0.27, -0.16, -0.08), &side, &[(arm(R, WRIST), -18.0), (NECK_PITCH, -3.0)]]),
        )
        .key(1.2, &joined(&[&right(0.32, -0.24, -0.02), &side, &[(NECK_YAW, 5.0), (NECK_PITCH, 5.0)]]))
        .key(1.8, &joined(&[&right(0.26, -0.12, -0.06), &side, &[(NECK_PITCH, -2.0), (SPINE_PITCH, 2.0)]]))
        .key(
            2.5,
            &joined(&[&right(0.33, -0.27, 0.02), &[(NECK_YAW, -6.0), (NECK_PITCH, 4.0), (SPINE_YAW, -4.0)]]),
        )
        .key(3.2, &joined(&[&right(0.25, -0.18, -0.12), &[(NECK_PITCH, 6.0)]]))
        .key(4.4, &[])
        .beat(NECK_PITCH, 2.2, 1.6, 0.4, 4.0)
}

fn talk_lively() -> Act {
    let both = |x: f32, y: f32, z: f32| hands(x, y, z);
    act("talk-lively", "talk", 4.0)
        .key(0.55, &joined(&[&both(0.29, 0.12, -0.05), &[(SPINE_PITCH, 3.0), (NECK_PITCH, -4.0)]]))
        .key(1.0, &joined(&[&both(0.34, 0.32, 0.05), &[(SPINE_PITCH, -2.0), (NECK_PITCH, -6.0), (Y, 0.02)]]))
        .key(
            1.5,
            &joined(&[&both(0.27, 0.10, -0.02), &[(SPINE_PITCH, 5.0), (NECK_PITCH, 5.0), (NECK_YAW, 8.0)]]),
        )
        .key(
            2.0,
            &joined(&[
                &hand(L, [0.24, 0.2, -0.18]),
                &hand(R, [0.36, -0.22, 0.12]),
                &[(SPINE_YAW, 8.0), (Y, -0.02)],
            ]),
        )
        .key(
            2.6,
            &joined(&[
                &both(0.3, 0.3, -0.06),
                &[(SPINE_PITCH, 2.0), (NECK_YAW, -7.0), (arm(L, SHRUG), 9.0), (arm(R, SHRUG), 9.0)],
            ]),
        )
        .key(3.1, &joined(&[&both(0.24, 0.14, -0.14), &[(NECK_PITCH, 4.0)]]))
        .key(4.0, &[])
        .beat(NECK_PITCH, 3.0, 1.9, 0.3, 3.7)
        .beat(NECK_ROLL, 2.0, 0.9, 0.3, 3.7)
}

fn talk_point() -> Act {
    let point = [
        (arm(R, FLEX), 74.0),
        (arm(R, ABDUCT), 16.0),
        (arm(R, ELBOW), -4.0),
        (SPINE_YAW, -8.0),
        (NECK_YAW, -14.0),
        (SPINE_PITCH, 2.0),
        (Y, -0.02),
    ];
    act("talk-point", "talk", 3.2)
        .key(0.7, &point)
        .key(1.3, &joined(&[&point, &[(NECK_YAW, 22.0), (arm(R, FLEX), -6.0)]]))
        .key(1.9, &joined(&[&point, &[(arm(R, FLEX), 5.0)]]))
        .key(3.2, &[])
        .beat(NECK_PITCH, 2.5, 1.5, 0.4, 2.8)
}

fn listen_nod() -> Act {
    act("listen-nod", "listen", 4.0)
        .key(0.9, &[(Y, 0.045), (ROLL, 4.0), (SPINE_ROLL, -5.0), (NECK_ROLL, -5.0), (SPINE_PITCH, 3.0)])
        .key(
            2.9,
            &[
                (Y, 0.05),
                (ROLL, 4.5),
                (SPINE_ROLL, -5.5),
                (NECK_ROLL, -6.0),
                (NECK_YAW, 4.0),
                (SPINE_PITCH, 4.0),
            ],
        )
        .key(4.0, &[])
        .beat(NECK_PITCH, 6.0, 1.5, 0.9, 1.9)
        .beat(NECK_PITCH, 5.0, 1.5, 2.5, 3.3)
}

fn listen_chin() -> Act {
    let think = joined(&[
        &hand(R, [0.17, -0.02, 0.19]),
        &hand(L, [0.19, -0.08, -0.08]),
        &[(NECK_PITCH, 7.0), (NECK_ROLL, 5.0), (SPINE_PITCH, 3.0), (arm(R, ABDUCT), -4.0)],
    ]);
    act("listen-think", "listen", 4.4)
        .key(1.0, &think)
        .key(2.2, &joined(&[&think, &[(NECK_YAW, 8.0), (NECK_PITCH, -4.0)]]))
        .key(3.3, &think)
        .key(4.4, &[])
}

fn look_around() -> Act {
    act("look-around", "look", 4.2)
        .key(0.8, &[(NECK_YAW, 48.0), (SPINE_YAW, 16.0), (YAW, 5.0), (NECK_PITCH, -3.0), (Y, 0.015)])
        .key(1.3, &[(NECK_YAW, 52.0), (SPINE_YAW, 18.0), (YAW, 5.0), (NECK_PITCH, 2.0), (Y, 0.015)])
        .key(2.4, &[(NECK_YAW, -46.0), (SPINE_YAW, -18.0), (YAW, -5.0), (NECK_PITCH, -5.0), (Y, -0.02)])
        .key(3.0, &[(NECK_YAW, -50.0), (SPINE_YAW, -20.0), (YAW, -6.0), (NECK_PITCH, 3.0), (Y, -0.02)])
        .key(4.2, &[])
}

fn look_up() -> Act {
    act("look-up", "look", 3.2)
        .key(0.9, &[(NECK_PITCH, -32.0), (SPINE_PITCH, -7.0), (NECK_YAW, 12.0), (X, 0.012)])
        .key(1.9, &[(NECK_PITCH, -30.0), (SPINE_PITCH, -8.0), (NECK_YAW, -22.0), (X, 0.012)])
        .key(3.2, &[])
}

fn wave() -> Act {
    let up = joined(&[
        &hand(R, [0.2, -0.4, 0.34]),
        &[
            (arm(R, ABDUCT), -4.0),
            (arm(R, SHRUG), 8.0),
            (arm(R, PRONATE), 45.0),
            (SPINE_ROLL, -3.0),
            (NECK_PITCH, -4.0),
        ],
    ]);
    act("wave", "wave", 2.8)
        .key(0.65, &up)
        .key(1.9, &up)
        .key(2.8, &[])
        .beat(arm(R, HAND_Y), 0.1, 2.1, 0.45, 2.05)
        .beat(arm(R, WRIST), 16.0, 2.1, 0.55, 2.05)
}

fn wave_big() -> Act {
    let up = [
        (arm(L, FLEX), 150.0),
        (arm(R, FLEX), 150.0),
        (arm(L, ABDUCT), 14.0),
        (arm(R, ABDUCT), 14.0),
        (arm(L, SHRUG), 14.0),
        (arm(R, SHRUG), 14.0),
        (SPINE_PITCH, -6.0),
        (NECK_PITCH, -4.0),
    ];
    act("wave-both-arms", "wave", 2.8)
        .key(0.65, &up)
        .key(2.0, &up)
        .key(2.8, &[])
        .beat(arm(L, ABDUCT), 18.0, 1.6, 0.5, 2.2)
        .beat(arm(R, ABDUCT), 18.0, 1.6, 0.5, 2.2)
        .beat(SPINE_ROLL, 4.0, 0.8, 0.5, 2.2)
}

fn applaud() -> Act {
    let ready = joined(&[&hands(0.27, 0.1, 0.0), &[(SPINE_PITCH, 3.0), (NECK_PITCH, -3.0)]]);
    act("applaud", "applaud", 3.2)
        .key(0.55, &ready)
        .key(2.5, &ready)
        .key(3.2, &[])
        .beat(arm(L, HAND_Y), 0.07, 3.2, 0.35, 2.75)
        .beat(arm(R, HAND_Y), -0.07, 3.2, 0.35, 2.75)
        .beat(arm(L, HAND_Z), 0.015, 3.2, 0.4, 2.7)
        .beat(SPINE_PITCH, 0.8, 3.2, 0.4, 2.7)
}

fn applaud_high() -> Act {
    let ready = joined(&[
        &hands(0.24, 0.11, 0.38),
        &[(SPINE_PITCH, -4.0), (NECK_PITCH, -8.0), (arm(L, SHRUG), 8.0), (arm(R, SHRUG), 8.0)],
    ]);
    act("applaud-high", "applaud", 3.0)
        .key(0.6, &ready)
        .key(2.3, &ready)
        .key(3.0, &[])
        .beat(arm(L, HAND_Y), 0.085, 2.6, 0.4, 2.5)
        .beat(arm(R, HAND_Y), -0.085, 2.6, 0.4, 2.5)
        .beat(Z, -0.012, 2.6, 0.4, 2.5)
}

fn phone() -> Act {
    let ear = joined(&[
        &hand(R, [0.145, -0.15, 0.24]),
        &[(arm(R, ABDUCT), 14.0), (arm(R, SHRUG), 4.0), (NECK_ROLL, 6.0), (NECK_PITCH, 4.0)],
    ]);
    let lean = [(Y, 0.04), (ROLL, 3.5), (SPINE_ROLL, -4.0)];
    act("phone", "phone", 5.0)
        .key(0.8, &ear)
        .key(1.7, &joined(&[&ear, &lean, &[(NECK_YAW, 10.0)]]))
        .key(
            2.7,
            &joined(&[&ear, &lean, &[(NECK_YAW, -8.0), (NECK_PITCH, 8.0)], &hand(L, [0.26, 0.22, -0.12])]),
        )
        .key(3.4, &joined(&[&ear, &lean, &[(NECK_YAW, 4.0)], &hand(L, [0.3, 0.3, -0.06])]))
        .key(4.1, &joined(&[&ear, &[(NECK_PITCH, 3.0)]]))
        .key(5.0, &[])
        .beat(NECK_PITCH, 2.0, 1.4, 0.8, 4.2)
}

fn shout() -> Act {
    let mouth = joined(&[
        &hands(0.2, 0.115, 0.2),
        &[(arm(L, ABDUCT), 25.0), (arm(R, ABDUCT), 25.0), (SPINE_PITCH, 6.0), (NECK_PITCH, -12.0), (X, 0.03)],
    ]);
    act("shout", "shout", 2.8)
        .key(0.45, &joined(&[&mouth, &[(SPINE_PITCH, -12.0), (X, -0.035)]]))
        .key(0.9, &mouth)
        .key(1.7, &joined(&[&mouth, &[(SPINE_PITCH, 3.0), (NECK_PITCH, -2.0)]]))
        .key(2.8, &[])
        .beat(SPINE_PITCH, 1.2, 5.0, 0.85, 1.8)
}

fn shout_fists() -> Act {
    let angry = joined(&[
        &[(arm(R, FLEX), 105.0), (arm(R, ABDUCT), 22.0), (arm(R, ELBOW), 55.0), (arm(L, FLEX), -12.0)],
        &[(arm(L, ELBOW), 35.0), (SPINE_PITCH, 9.0), (NECK_PITCH, -10.0), (X, 0.04)],
    ]);
    act("shout-angry", "shout", 2.6)
        .key(0.55, &angry)
        .key(0.95, &joined(&[&angry, &[(arm(R, FLEX), -35.0), (SPINE_PITCH, 4.0)]]))
        .key(1.3, &angry)
        .key(1.65, &joined(&[&angry, &[(arm(R, FLEX), -35.0), (SPINE_PITCH, 4.0)]]))
        .key(2.6, &[])
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    let acts: [fn() -> Act; 14] = [
        talk_calm,
        talk_lively,
        talk_point,
        listen_nod,
        listen_chin,
        look_around,
        look_up,
        wave,
        wave_big,
        applaud,
        applaud_high,
        phone,
        shout,
        shout_fists,
    ];
    for act in acts {
        makers.push(Box::new(move || act().piece()));
    }
}
