//! Fighting: a guard stance with one foot forward, and moves from it back to it.

use super::Maker;
use super::body::{Channels, SIDES, channel::*};
use super::keys::{Act, L, R, hand, hands, with};
use super::stand;
use crate::Placement;

/// Where the feet stand in guard.
fn prints() -> [Placement; 2] {
    [Placement::new(0.17, 0.11, 0.05), Placement::new(-0.24, -0.13, -0.75)]
}

/// Fists up, left foot forward, knees bent, chin down.
fn guard() -> Channels {
    let base = stand::pose();
    let mut c = with(
        &base,
        &[(Z, -0.085), (X, -0.02), (YAW, -28.0), (PITCH, 5.0), (SPINE_PITCH, 10.0), (SPINE_YAW, -4.0)],
    );
    c = with(&c, &[(NECK_YAW, 30.0), (NECK_PITCH, 2.0)]);
    c = with(&c, &hand(L, [0.31, 0.07, 0.14]));
    c = with(&c, &hand(R, [0.19, -0.07, 0.14]));
    for side in SIDES {
        c.turn(arm(side, SHRUG), 5.0);
        c.turn(leg(side, HIP), 16.0);
        c.turn(leg(side, KNEE), 22.0);
    }
    c
}

fn fight(name: &str, seconds: f32) -> Act {
    let mut act = Act::new(&format!("fight-{name}"), &["fight"], "guard", &guard(), seconds);
    act.prints = prints();
    act
}

fn enter() -> Act {
    let [left, right] = prints();
    Act::new("fight-enter", &["fight", "enter"], "stand", &stand::pose(), 1.1)
        .pose(0.6, with(&stand::pose().lerp(&guard(), 0.75), &[(SPINE_PITCH, 3.0)]))
        .pose(1.1, guard())
        .step(R, 0.12, 0.42, right, 0.05)
        .step(L, 0.48, 0.78, left, 0.05)
        .to("guard")
}

fn leave() -> Act {
    let place = Placement::IDENTITY;
    fight("leave", 1.2)
        .pose(0.6, stand::pose().lerp(&guard(), 0.35))
        .pose(1.2, stand::pose())
        .step(L, 0.14, 0.46, stand::print(place, L), 0.05)
        .step(R, 0.54, 0.88, stand::print(place, R), 0.05)
        .to("stand")
}

fn ready() -> Act {
    fight("ready", 1.6)
        .key(0.4, &[(Z, -0.02), (X, 0.02), (arm(L, HAND_X), 0.33), (arm(R, HAND_X), 0.2)])
        .key(0.8, &[(Z, 0.01), (X, -0.015), (Y, 0.015), (SPINE_YAW, 4.0)])
        .key(1.2, &[(Z, -0.02), (X, 0.015), (Y, -0.01)])
        .key(1.6, &[])
}

fn jab() -> Act {
    fight("jab", 0.9)
        .key(0.16, &[(X, -0.01), (SPINE_YAW, 5.0)])
        .key(
            0.34,
            &[
                (X, 0.07),
                (YAW, -12.0),
                (SPINE_YAW, -16.0),
                (NECK_YAW, 24.0),
                (arm(L, HAND_X), 0.56),
                (arm(L, HAND_Y), 0.3),
                (arm(L, HAND_Z), 0.19),
                (arm(L, FORWARD), 14.0),
            ],
        )
        .key(
            0.42,
            &[
                (X, 0.07),
                (YAW, -12.0),
                (SPINE_YAW, -16.0),
                (NECK_YAW, 24.0),
                (arm(L, HAND_X), 0.56),
                (arm(L, HAND_Y), 0.3),
                (arm(L, HAND_Z), 0.19),
                (arm(L, FORWARD), 14.0),
            ],
        )
        .key(0.9, &[])
}

fn cross() -> Act {
    let hit = [
        (X, 0.1),
        (YAW, 34.0),
        (SPINE_YAW, 26.0),
        (NECK_YAW, -48.0),
        (SPINE_PITCH, 6.0),
        (arm(R, HAND_X), 0.56),
        (arm(R, HAND_Y), -0.22),
        (arm(R, HAND_Z), 0.17),
        (arm(R, FORWARD), 18.0),
        (arm(L, HAND_X), 0.2),
        (leg(R, FOOT), -24.0),
    ];
    fight("cross", 1.0)
        .key(0.2, &[(X, -0.02), (SPINE_YAW, -8.0)])
        .key(0.42, &hit)
        .key(0.5, &hit)
        .key(1.0, &[])
}

fn hook() -> Act {
    let hit = [
        (YAW, -24.0),
        (SPINE_YAW, -30.0),
        (NECK_YAW, 48.0),
        (arm(L, HAND_X), 0.36),
        (arm(L, HAND_Y), -0.04),
        (arm(L, HAND_Z), 0.18),
        (arm(L, ABDUCT), 70.0),
        (leg(L, FOOT), -14.0),
        (X, 0.04),
    ];
    fight("hook", 1.0)
        .key(
            0.24,
            &[
                (SPINE_YAW, 16.0),
                (YAW, 8.0),
                (NECK_YAW, -20.0),
                (arm(L, HAND_Y), 0.3),
                (arm(L, HAND_X), 0.26),
                (arm(L, ABDUCT), 50.0),
            ],
        )
        .key(0.46, &hit)
        .key(1.0, &[])
}

fn uppercut() -> Act {
    fight("uppercut", 1.0)
        .key(
            0.26,
            &[
                (Z, -0.09),
                (SPINE_PITCH, 12.0),
                (SPINE_YAW, -12.0),
                (arm(R, HAND_X), 0.2),
                (arm(R, HAND_Y), -0.18),
                (arm(R, HAND_Z), -0.2),
                (NECK_PITCH, -8.0),
            ],
        )
        .key(
            0.5,
            &[
                (Z, 0.05),
                (X, 0.06),
                (YAW, 30.0),
                (SPINE_YAW, 20.0),
                (NECK_YAW, -42.0),
                (SPINE_PITCH, -12.0),
                (arm(R, HAND_X), 0.36),
                (arm(R, HAND_Y), -0.06),
                (arm(R, HAND_Z), 0.36),
                (leg(R, FOOT), -28.0),
            ],
        )
        .key(1.0, &[])
}

fn front_kick() -> Act {
    let chamber = [
        (X, 0.08),
        (Y, 0.06),
        (Z, 0.05),
        (YAW, 26.0),
        (NECK_YAW, -26.0),
        (PITCH, -12.0),
        (SPINE_PITCH, 6.0),
        (leg(R, HIP), 72.0),
        (leg(R, KNEE), 88.0),
        (leg(R, ANKLE), 12.0),
        (leg(R, HIP_TWIST), -6.0),
    ];
    let out = [
        (X, 0.14),
        (Y, 0.07),
        (Z, 0.06),
        (YAW, 30.0),
        (NECK_YAW, -30.0),
        (PITCH, -24.0),
        (SPINE_PITCH, 6.0),
        (leg(R, HIP), 62.0),
        (leg(R, KNEE), -12.0),
        (leg(R, ANKLE), -10.0),
        (leg(R, HIP_TWIST), -6.0),
    ];
    let mut act = fight("front-kick", 1.3)
        .key(0.22, &[(X, 0.06), (Y, 0.06), (leg(R, FOOT), -26.0)])
        .key(0.45, &chamber)
        .key(0.62, &out)
        .key(0.78, &chamber)
        .key(1.05, &[(X, 0.03), (Y, 0.03), (leg(R, KNEE), 10.0)])
        .key(1.3, &[]);
    act.kicks.push((R, 0.26, 1.08));
    act
}

fn round_kick() -> Act {
    let chamber = [
        (X, 0.06),
        (Y, 0.07),
        (Z, 0.06),
        (YAW, 50.0),
        (NECK_YAW, -46.0),
        (ROLL, -14.0),
        (SPINE_ROLL, -8.0),
        (leg(R, HIP), 50.0),
        (leg(R, HIP_ABDUCT), 30.0),
        (leg(R, KNEE), 80.0),
        (leg(R, HIP_TWIST), -20.0),
    ];
    let out = [
        (X, 0.08),
        (Y, 0.08),
        (Z, 0.06),
        (YAW, 78.0),
        (NECK_YAW, -60.0),
        (ROLL, -24.0),
        (SPINE_ROLL, -8.0),
        (leg(R, HIP), 48.0),
        (leg(R, HIP_ABDUCT), 36.0),
        (leg(R, KNEE), 0.0),
        (leg(R, ANKLE), -24.0),
        (leg(R, HIP_TWIST), -22.0),
    ];
    let mut act = fight("round-kick", 1.4)
        .key(0.22, &[(X, 0.04), (Y, 0.06), (leg(R, FOOT), -26.0)])
        .key(0.48, &chamber)
        .key(0.66, &out)
        .key(0.84, &chamber)
        .key(1.15, &[(Y, 0.03), (leg(R, KNEE), 10.0)])
        .key(1.4, &[]);
    act.kicks.push((R, 0.26, 1.16));
    act
}

fn block() -> Act {
    let up = [
        (Z, -0.03),
        (X, -0.03),
        (arm(L, HAND_X), 0.26),
        (arm(L, HAND_Y), 0.0),
        (arm(L, HAND_Z), 0.36),
        (arm(L, ABDUCT), 50.0),
        (SPINE_PITCH, -4.0),
        (NECK_PITCH, 10.0),
    ];
    fight("block-high", 0.9).key(0.26, &up).key(0.44, &up).key(0.9, &[])
}

fn slip() -> Act {
    fight("slip", 0.9)
        .key(
            0.3,
            &[
                (Z, -0.05),
                (Y, -0.07),
                (ROLL, 4.0),
                (SPINE_ROLL, 24.0),
                (SPINE_PITCH, 8.0),
                (NECK_ROLL, -12.0),
                (SPINE_YAW, -8.0),
            ],
        )
        .key(
            0.45,
            &[
                (Z, -0.05),
                (Y, -0.07),
                (ROLL, 4.0),
                (SPINE_ROLL, 22.0),
                (SPINE_PITCH, 8.0),
                (NECK_ROLL, -12.0),
                (SPINE_YAW, -8.0),
            ],
        )
        .key(0.9, &[])
}

fn duck() -> Act {
    let low = [
        (Z, -0.26),
        (X, -0.04),
        (PITCH, 12.0),
        (SPINE_PITCH, 16.0),
        (NECK_PITCH, -16.0),
        (leg(R, FOOT), -24.0),
    ];
    fight("duck", 1.1).key(0.36, &low).key(0.56, &low).key(1.1, &[])
}

fn push() -> Act {
    let out = [
        hands(0.5, 0.15, 0.1),
        vec![(X, 0.12), (YAW, 20.0), (NECK_YAW, -18.0), (SPINE_PITCH, 8.0), (leg(R, FOOT), -22.0)],
    ]
    .concat();
    fight("push", 1.1)
        .key(0.28, &[hands(0.17, 0.14, 0.06), vec![(X, -0.03), (YAW, 14.0), (NECK_YAW, -14.0)]].concat())
        .key(0.5, &out)
        .key(0.62, &out)
        .key(1.1, &[])
}

fn hit_reaction() -> Act {
    fight("take-hit", 1.1)
        .key(
            0.16,
            &[(X, -0.05), (NECK_PITCH, -24.0), (NECK_YAW, -22.0), (SPINE_PITCH, -16.0), (SPINE_YAW, -14.0)],
        )
        .key(
            0.4,
            &[
                (X, -0.09),
                (Z, -0.04),
                (NECK_PITCH, 6.0),
                (SPINE_PITCH, 6.0),
                (SPINE_YAW, -10.0),
                (arm(L, HAND_Z), 0.02),
            ],
        )
        .key(0.7, &[(X, -0.04), (Z, -0.03), (SPINE_PITCH, 5.0)])
        .key(1.1, &[])
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    let acts: [fn() -> Act; 14] = [
        enter,
        leave,
        ready,
        jab,
        cross,
        hook,
        uppercut,
        front_kick,
        round_kick,
        block,
        slip,
        duck,
        push,
        hit_reaction,
    ];
    for act in acts {
        makers.push(Box::new(move || act().piece()));
    }
}
