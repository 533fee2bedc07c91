//! Falling down, lying, and getting up again; the feet keep their place on the ground all the while.

use super::Maker;
use super::body::{Channels, SIDES, channel::*};
use super::keys::{Act, L, R, hands, reach, with};
use super::stand;
use glam::Vec3;

/// A pose with the heels lifted and legs roughly as asked, so that knees know where to bend.
fn low(x: f32, z: f32, pitch: f32, spine: f32, heels: f32, hip: f32, knee: f32) -> Channels {
    let base = stand::pose();
    let mut c = with(&base, &[(X, x), (PITCH, pitch), (SPINE_PITCH, spine)]);
    c[Z] = z;
    for side in SIDES {
        c.turn(leg(side, FOOT), -heels);
        c.turn(leg(side, HIP), hip);
        c.turn(leg(side, KNEE), knee);
    }
    c
}

/// Wrists on the ground before the body.
fn hands_down(pose: Channels, x: f32, y: f32) -> Channels {
    reach(&reach(&pose, L, Vec3::new(x, y, 0.08)), R, Vec3::new(x, -y, 0.08))
}

/// On the knees, toes tucked under.
fn kneeling() -> Channels {
    let pose = low(0.42, 0.525, 4.0, 14.0, 62.0, 4.0, 70.0);
    with(&pose, &[(NECK_PITCH, 10.0)])
}

/// On hands and knees.
fn crawling() -> Channels {
    let pose = low(0.55, 0.52, 62.0, 12.0, 72.0, 80.0, 80.0);
    hands_down(with(&pose, &[(NECK_PITCH, -22.0)]), 1.1, 0.17)
}

/// Between hands and knees and face down.
fn sinking() -> Channels {
    let pose = low(0.86, 0.34, 74.0, 4.0, 80.0, 30.0, 50.0);
    hands_down(with(&pose, &[(NECK_PITCH, -20.0)]), 1.4, 0.22)
}

/// Face down, hands beside the head.
fn prone() -> Channels {
    let pose = low(0.965, 0.165, 86.0, 3.0, 78.0, 0.0, 3.0);
    hands_down(with(&pose, &[(NECK_PITCH, -12.0), (NECK_YAW, 35.0)]), 1.5, 0.28)
}

/// Sitting back on the heels over bent toes, then squatting.
fn squatting() -> Channels {
    let pose = low(0.0, 0.46, 32.0, 26.0, 30.0, 95.0, 110.0);
    hands_down(with(&pose, &[(NECK_PITCH, -20.0)]), 0.42, 0.16)
}

/// Seated on the ground, knees up.
fn seated() -> Channels {
    let pose = low(-0.5, 0.16, -14.0, 22.0, 0.0, 70.0, 60.0);
    with(&with(&pose, &[(NECK_PITCH, 4.0)]), &hands(-0.1, 0.28, -0.33))
}

/// On the back, knees bent, feet on the ground.
fn supine() -> Channels {
    let pose = low(-0.56, 0.135, -82.0, -2.0, 0.0, 50.0, 75.0);
    let mut c = with(&pose, &[(NECK_PITCH, 4.0)]);
    for side in SIDES {
        c.turn(arm(side, ABDUCT), 30.0);
        c.turn(arm(side, FLEX), -4.0);
    }
    c
}

fn fall_forward() -> Act {
    let stagger = low(0.1, 0.9, 10.0, 18.0, 20.0, 10.0, 20.0);
    Act::new("fall-forward", &["fall"], "stand", &stand::pose(), 1.7)
        .pose(0.3, with(&stagger, &[(arm(L, FLEX), 40.0), (arm(R, FLEX), 55.0), (NECK_PITCH, 10.0)]))
        .pose(
            0.62,
            with(&kneeling(), &[(SPINE_PITCH, 12.0), (arm(L, FLEX), 60.0), (arm(R, FLEX), 65.0), (Z, 0.06)]),
        )
        .pose(0.9, crawling())
        .pose(1.08, sinking())
        .pose(1.3, prone())
        .pose(1.7, prone())
        .to("lie-prone")
}

fn rise_from_prone() -> Act {
    Act::new("get-up-from-prone", &["fall", "get-up"], "lie-prone", &prone(), 3.2)
        .pose(0.35, with(&prone(), &[(NECK_YAW, -30.0), (NECK_PITCH, -12.0)]))
        .pose(0.7, sinking())
        .pose(1.05, crawling())
        .pose(1.5, with(&kneeling(), &[(SPINE_PITCH, 20.0), (X, -0.06)]))
        .pose(2.1, squatting())
        .pose(2.75, with(&stand::pose(), &[(Z, -0.16), (X, -0.04), (PITCH, 16.0), (SPINE_PITCH, 20.0)]))
        .pose(3.2, stand::pose())
        .to("stand")
}

fn fall_back() -> Act {
    let stagger = low(-0.14, 0.86, 8.0, 8.0, 0.0, 25.0, 35.0);
    Act::new("fall-backward", &["fall"], "stand", &stand::pose(), 1.6)
        .pose(
            0.3,
            with(
                &stagger,
                &[(arm(L, FLEX), 45.0), (arm(R, FLEX), 50.0), (arm(L, ABDUCT), 25.0), (arm(R, ABDUCT), 25.0)],
            ),
        )
        .pose(0.75, with(&seated(), &[(PITCH, 6.0), (SPINE_PITCH, 6.0), (Z, 0.05)]))
        .pose(1.15, with(&supine(), &[(SPINE_PITCH, 6.0), (NECK_PITCH, 14.0)]))
        .pose(1.6, supine())
        .to("lie-supine")
}

fn rise_from_supine() -> Act {
    Act::new("get-up-from-supine", &["fall", "get-up"], "lie-supine", &supine(), 3.0)
        .pose(0.8, with(&seated(), &[(SPINE_PITCH, 12.0)]))
        .pose(1.2, with(&seated(), &[(PITCH, 6.0), (SPINE_PITCH, 14.0), (X, 0.14), (Z, 0.07)]))
        .pose(1.8, squatting())
        .pose(2.5, with(&stand::pose(), &[(Z, -0.16), (X, -0.04), (PITCH, 16.0), (SPINE_PITCH, 20.0)]))
        .pose(3.0, stand::pose())
        .to("stand")
}

fn lie_prone() -> Act {
    Act::new("lie-prone-still", &["fall", "lie"], "lie-prone", &prone(), 3.0)
        .key(1.5, &[(NECK_YAW, -8.0), (SPINE_ROLL, 2.0)])
        .key(3.0, &[])
}

fn lie_supine() -> Act {
    Act::new("lie-supine-still", &["fall", "lie"], "lie-supine", &supine(), 3.0)
        .key(1.5, &[(NECK_YAW, 12.0), (SPINE_ROLL, 2.0)])
        .key(3.0, &[])
}

/// All of them.
pub fn add(makers: &mut Vec<Maker>) {
    let acts: [fn() -> Act; 6] =
        [fall_forward, lie_prone, rise_from_prone, fall_back, lie_supine, rise_from_supine];
    for act in acts {
        makers.push(Box::new(move || act().piece()));
    }
}
