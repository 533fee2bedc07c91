//! glTF of agents that wear a character of the user's own.

use super::animation::Motion;
use super::character::Character;
use super::fitting::{Fitted, WornPose};
use super::glb::{Agents, Document, Film, GlbForm, place};
use super::gltf_buffer::Buffer;
use crate::run::{Run, Sample};
use crowdloom_motion::Placement;
use glam::{Quat, Vec3};
use rayon::prelude::*;
use serde_json::{Value, json};

/// The nodes of one agent: the one that is placed, the one below that vanishes with it, and its joints.
struct Wearer {
    placed: usize,
    scaled: usize,
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

    /// Every agent in a copy of the character, moved by one animation or each by its own.
    pub(super) fn add_wearers(&mut self, film: &Film<'_>, fitted: &Fitted, agents: &Agents, form: GlbForm) {
        let placed: Vec<_> = agents
            .iter()
            .map(|(&id, samples)| (id, self.add_wearer(fitted, &format!("agent {id}")), &samples[..]))
            .collect();
        // Characters face +z, people at heading 0 face +x.
        let facing = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2) * fitted.facing();
        let motions = placed.par_iter().map(|(id, wearer, samples)| {
            let (samples, mut motion) = film.samples(samples);
            place(&mut motion, wearer.placed, &samples, facing);
            let poses: Vec<WornPose> = samples.iter().map(|sample| fitted.pose(sample)).collect();
            add_poses(&mut motion, fitted, &wearer.joints, &poses);
            film.seen_only_meanwhile(&mut motion, wearer.scaled, 1.0);
            (*id, motion)
        });
        let motions = motions.collect();
        self.add_motions(film.run, motions, form);
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
            let mut shown = Motion::at(times);
            add_poses(&mut shown, fitted, &wearer.joints, &poses);
            self.add_animation(&format!("clip {clip}: {}", motion.name), shown);
        }
    }

    /// A copy of the character under a node that can be placed.
    fn add_wearer(&mut self, fitted: &Fitted, name: &str) -> Wearer {
        let (placed, scaled) = (self.nodes.len(), self.nodes.len() + 1);
        let copied = fitted.copy(scaled + 1, self.skins.len());
        let scale = Vec3::splat(fitted.scale).to_array();
        self.nodes.push(json!({ "name": name, "children": [scaled], "scale": scale }));
        self.nodes.push(json!({ "name": format!("{name} body"), "children": copied.roots }));
        self.nodes.extend(copied.nodes);
        self.skins.extend(copied.skins);
        self.roots.push(placed);
        self.roots.extend(copied.bodies);
        Wearer { placed, scaled, joints: copied.joints }
    }
}

/// Moves the hips and turns all joints.
fn add_poses(motion: &mut Motion, fitted: &Fitted, joints: &[usize], poses: &[WornPose]) {
    let reaches = fitted.reaches();
    motion.places(joints[0], poses.iter().map(|pose| pose.hips).collect());
    for (joint, &node) in joints.iter().enumerate() {
        motion.turns(node, reaches[joint], poses.iter().map(|pose| pose.rotations[joint]).collect());
    }
}
