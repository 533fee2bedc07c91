//! glTF of agents that wear a character of the user's own.

use super::character::Character;
use super::fitting::{Fitted, WornPose};
use super::glb::{Agents, Channel, Document, Motion, keys, stored_rotations, turned, turned_rotation};
use super::gltf_buffer::{Buffer, floats};
use crate::run::{Run, Sample};
use crowdloom_motion::Placement;
use glam::{Quat, Vec3};
use rayon::prelude::*;
use serde_json::{Value, json};

/// The nodes of one agent: the one that is placed, and its joints.
struct Wearer {
    placed: usize,
    joints: Vec<usize>,
}

impl Document {
    /// A document with all that the character's bodies are made of, and nobody in it yet.
    pub(super) fn of(character: &Character) -> Self {
        let mut others = character.properties.clone();
        let mut list = |name: &str| match others.remove(name) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        };
        let (views, accessors, meshes) = (list("bufferViews"), list("accessors"), list("meshes"));
        let buffer = Buffer { bytes: character.bytes.clone(), views, accessors };
        Self { buffer, meshes, others, ..Self::default() }
    }

    /// Every agent in a copy of the character, with an animation of its own.
    pub(super) fn add_wearers(
        &mut self,
        run: &Run,
        fitted: &Fitted,
        agents: &Agents,
        start: u32,
        every: u32,
    ) {
        let placed: Vec<_> = agents
            .iter()
            .map(|(&id, samples)| (id, self.add_wearer(fitted, &format!("agent {id}")), &samples[..]))
            .collect();
        let step = run.header().record_time();
        let motions: Vec<Motion> = placed
            .par_iter()
            .map(|(_, wearer, samples)| {
                let keys = keys(samples, every);
                let times = keys.iter().map(|(frame, _)| (frame - start) as f32 * step).collect();
                let poses: Vec<WornPose> = keys.iter().map(|(_, sample)| fitted.pose(sample)).collect();
                let places = keys.iter().flat_map(|(_, sample)| turned(sample.position().extend(0.0)));
                let turns = keys.iter().map(|(_, sample)| {
                    Quat::from_array(turned_rotation(sample.placement().rotation())) * fitted.facing()
                });
                let node = wearer.placed;
                let mut channels = vec![
                    Channel { node, path: "translation", bytes: floats(places) },
                    Channel { node, path: "rotation", bytes: stored_rotations(turns) },
                ];
                channels.extend(pose_channels(&wearer.joints, &poses));
                Motion { times, channels }
            })
            .collect();
        for ((id, ..), motion) in placed.iter().zip(motions) {
            self.add_animation(&format!("agent {id}"), motion);
        }
    }

    /// One character and an animation for each clip that is shown.
    pub(super) fn add_worn_clips(&mut self, run: &Run, fitted: &Fitted) {
        let wearer = self.add_wearer(fitted, "character");
        for (&clip, motion) in fitted.clips() {
            let frames = 0..motion.frames();
            let poses: Vec<WornPose> = frames
                .clone()
                .map(|frame| fitted.pose(&Sample::new(Placement::IDENTITY, 0.0, clip, frame as f32, (0, 0))))
                .collect();
            let times = frames.map(|frame| frame as f32 / run.header().frame_rate).collect();
            let channels = pose_channels(&wearer.joints, &poses);
            self.add_animation(&format!("clip {clip}: {}", motion.name), Motion { times, channels });
        }
    }

    /// A copy of the character under a node that can be placed.
    fn add_wearer(&mut self, fitted: &Fitted, name: &str) -> Wearer {
        let placed = self.nodes.len();
        let copied = fitted.copy(placed + 1, self.skins.len());
        let scale = Vec3::splat(fitted.scale).to_array();
        self.nodes.push(json!({ "name": name, "children": copied.roots, "scale": scale }));
        self.nodes.extend(copied.nodes);
        self.skins.extend(copied.skins);
        self.roots.push(placed);
        self.roots.extend(copied.bodies);
        Wearer { placed, joints: copied.joints }
    }
}

/// The hips' translation and all joints' rotations.
fn pose_channels(joints: &[usize], poses: &[WornPose]) -> Vec<Channel> {
    let hips = floats(poses.iter().flat_map(|pose| pose.hips.to_array()));
    let mut channels = vec![Channel { node: joints[0], path: "translation", bytes: hips }];
    channels.extend(joints.iter().enumerate().map(|(joint, &node)| {
        let turns = poses.iter().map(|pose| pose.rotations[joint]);
        Channel { node, path: "rotation", bytes: stored_rotations(turns) }
    }));
    channels
}
