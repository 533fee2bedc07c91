//! What a body does that does nothing else: it breathes and sways.

use crate::body::{Body, LimbPart, Side};
use crate::{Clip, Contacts, Placement, Pose, Skeleton};
use glam::Quat;
use std::f32::consts::TAU;

/// Frames of the crowd's clock that pass between two frames of a breathing clip: so slow is it.
pub const BREATH_STRIDE: u32 = 6;

/// Frames of a breathing clip from its first to its last, which is the first again.
const KEYS: u32 = 40;

/// Breaths in that time, eight seconds (15 a minute; the body sways once).
const BREATHS: f32 = 2.0;

/// How far joints turn, in radians: the top of the spine, the neck, the arms, and the spine's lowest joint from side to side.
const CHEST: f32 = 0.018;
const NECK: f32 = 0.012;
const ARMS: f32 = 0.02;
const SWAY: f32 = 0.008;

/// The frame of a breathing clip that is shown so many frames of the crowd's clock after the body came to rest.
pub fn breath_at(elapsed: u32) -> f32 {
    (elapsed % (KEYS * BREATH_STRIDE)) as f32 / BREATH_STRIDE as f32
}

/// The pose in which somebody rests, at a frame of its breathing clip.
pub fn breathe(pose: &mut Pose, body: &Body, frame: f32) {
    let share = frame / KEYS as f32;
    let lifted = 0.5 - 0.5 * libm::cosf(TAU * BREATHS * share);
    let sway = libm::sinf(TAU * share);
    let mut turn = |joint: Option<usize>, by: Quat| {
        if let Some(rotation) = joint.and_then(|joint| pose.rotations.get_mut(joint)) {
            *rotation = by * *rotation;
        }
    };
    turn(body.spine.first().copied(), Quat::from_rotation_x(SWAY * sway));
    turn(body.spine.last().copied(), Quat::from_rotation_y(-CHEST * lifted));
    turn(body.neck, Quat::from_rotation_y(NECK * lifted) * Quat::from_rotation_x(-SWAY * sway));
    for (side, out) in Side::BOTH.into_iter().zip([ARMS, -ARMS]) {
        turn(body.limb(side, LimbPart::Arm), Quat::from_rotation_x(out * lifted));
    }
}

/// The clip of somebody who rests in a pose; it goes round, one of its frames every [`BREATH_STRIDE`] of the crowd's.
/// `radius` is that of the body's disc in metres.
pub fn breathing(name: &str, pose: &Pose, skeleton: &Skeleton, radius: f32) -> Clip {
    let body = Body::guess(skeleton);
    let frames = KEYS as usize + 1;
    let rotations = (0..frames).flat_map(|frame| {
        let mut breathed = pose.clone();
        breathe(&mut breathed, &body, frame as f32);
        breathed.rotations
    });
    Clip {
        name: name.to_string(),
        labels: Vec::new(),
        ends: None,
        track: vec![Placement::IDENTITY; frames],
        root_heights: vec![pose.root_height; frames],
        rotations: rotations.collect(),
        contacts: vec![Contacts::LEFT.with(Contacts::RIGHT); frames],
        radii: vec![radius; frames],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::graph::{BuildOptions, build_graph};

    #[test]
    fn who_rests_moves_all_the_time_a_little_and_comes_round() {
        let graph = build_graph(&builtin::library(), &BuildOptions::default()).unwrap().0;
        let skeleton = graph.skeleton();
        for node in graph.nodes().iter().filter(|node| node.rest) {
            let clip = breathing(&node.name, &node.state.pose, skeleton, 0.2);
            let joints = skeleton.joints().len();
            assert_eq!(clip.rotations.len(), clip.frames() * joints);
            let frame = |frame: usize| &clip.rotations[frame * joints..(frame + 1) * joints];
            let farthest = |a: usize, b: usize| {
                let angle = |(a, b): (&Quat, &Quat)| 2.0 * (a.inverse() * *b).xyz().length().asin();
                let turned = frame(a).iter().zip(frame(b)).map(angle);
                turned.fold(0.0, f32::max)
            };
            assert!(farthest(0, clip.frames() - 1) < 1e-3);
            for at in 1..clip.frames() {
                assert!(
                    (1e-4..0.02).contains(&farthest(at - 1, at)),
                    "{}: {}",
                    node.name,
                    farthest(at - 1, at)
                );
                assert!(farthest(0, at) < 0.03);
            }
        }
    }
}
