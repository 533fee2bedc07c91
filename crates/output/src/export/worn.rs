//! glTF of agents that wear a character of the user's own.

use super::acts::{Act, acts, name_of_act};
use super::animation::Motion;
use super::character::Character;
use super::fitting::{Fitted, WornPose};
use super::glb::{Agents, Document, Film, GlbForm, place};
use crate::body::Chance;
use crate::run::{Run, Sample};
use crowdloom_motion::Placement;
use glam::{Quat, Vec3};
use rayon::prelude::*;
use serde_json::json;

/// The nodes of one agent: the one that is placed, the one below that vanishes with it, and its joints.
struct Wearer {
    placed: usize,
    scaled: usize,
    joints: Vec<usize>,
}

impl Document {
    /// Takes in all that a character's bodies are made of, and tells the character as it is then.
    pub(super) fn take_in_character(&mut self, character: &Character) -> Character {
        let by = self.take_in(character.properties.clone(), &character.bytes);
        character.moved(&by)
    }

    /// Every agent in a copy of one of the characters, moved by one animation or each by its own.
    pub(super) fn add_wearers(
        &mut self,
        film: &Film<'_>,
        all: &[(Fitted<'_>, f32)],
        agents: &Agents,
        form: GlbForm,
    ) {
        let outfits = film.run.outfits();
        let mut placed = Vec::new();
        for (&id, samples) in agents {
            // Acts in the same character are one.
            let mut worn: Vec<(usize, Act)> = Vec::new();
            for act in acts(film.run, id, samples, &outfits) {
                let character = chosen(all, act.number);
                match worn.last_mut().filter(|(last, _)| *last == character) {
                    Some((_, last)) => (last.samples.end, last.until) = (act.samples.end, act.until),
                    None => worn.push((character, act)),
                }
            }
            for (number, (character, act)) in worn.into_iter().enumerate() {
                let (fitted, name) = (&all[character].0, name_of_act(&format!("agent {id}"), number, ' '));
                let wearer = self.add_wearer(fitted, &name);
                placed.push((name, fitted, wearer, &samples[act.samples], act.until));
            }
        }
        let motions = placed.into_par_iter().map(|(name, fitted, wearer, samples, until)| {
            // Characters face +z, people at heading 0 face +x.
            let facing = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2) * fitted.facing();
            let (samples, mut motion) = film.samples(samples);
            place(&mut motion, wearer.placed, &samples, facing);
            let poses: Vec<WornPose> = samples.iter().map(|sample| fitted.pose(sample)).collect();
            add_poses(&mut motion, fitted, &wearer.joints, &poses);
            film.seen_only_meanwhile(&mut motion, wearer.scaled, 1.0, until);
            (name, motion)
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

/// The number of the character that somebody wears who is drawn by `number`, as often as the shares say.
fn chosen(all: &[(Fitted<'_>, f32)], number: u32) -> usize {
    let shares: Vec<(usize, f32)> = all.iter().enumerate().map(|(at, (_, share))| (at, *share)).collect();
    Chance::of(number).pick(CHARACTER, &shares).copied().unwrap_or(0)
}

/// What the choice of a character is drawn by, apart from all other choices.
const CHARACTER: u32 = 9100;

/// Moves the hips and turns all joints.
fn add_poses(motion: &mut Motion, fitted: &Fitted, joints: &[usize], poses: &[WornPose]) {
    let reaches = fitted.reaches();
    motion.places(joints[0], poses.iter().map(|pose| pose.hips).collect());
    for (joint, &node) in joints.iter().enumerate() {
        motion.turns(node, reaches[joint], poses.iter().map(|pose| pose.rotations[joint]).collect());
    }
}
