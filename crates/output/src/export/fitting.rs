//! A character fitted to a run: every clip moved to its skeleton, by the names of the joints.

use super::character::{Character, CharacterError};
use super::pose::Poser;
use crate::run::{Run, Sample};
use crowdloom_motion::body::Body;
use crowdloom_motion::retarget::{JointMap, retarget};
use crowdloom_motion::{Clip, Joint, Skeleton};
use glam::{Mat4, Quat, Vec3};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// A character that can play the clips of a run.
pub struct Fitted<'a> {
    character: &'a Character,
    /// Its skeleton in the run's size: with legs as long, its feet stay where they are set down.
    skeleton: Skeleton,
    clips: BTreeMap<u16, Clip>,
    poser: Poser,
    /// By how much the character grows.
    pub scale: f32,
    /// For each joint what turns a rotation in rest axes into one in the node's own frame: from the left and right.
    frames: Vec<(Quat, Quat)>,
    /// From the scene of the character to the space that its hips are in.
    to_hips: Mat4,
}

/// A character in its pose of one moment, as its nodes have it.
pub struct WornPose {
    /// Translation of the hips' node.
    pub hips: Vec3,
    /// Rotation of the node of each joint.
    pub rotations: Vec<Quat>,
}

/// Axes as ours, to those of glTF.
fn turned(q: Quat) -> Quat {
    Quat::from_xyzw(q.y, q.z, q.x, q.w)
}

impl<'a> Fitted<'a> {
    /// Moves all clips that `run` shows to the skeleton of `character`.
    pub fn new(character: &'a Character, run: &Run) -> Result<Self, CharacterError> {
        let source = &run.header().skeleton;
        let unknown = || character.fails("the lengths of its legs cannot be told from its joints".into());
        let leg = |skeleton: &Skeleton| Body::guess(skeleton).leg_length(skeleton).filter(|l| *l > 1e-6);
        let own = leg(&character.skeleton).ok_or_else(unknown)?;
        let scale = leg(source).unwrap_or(own) / own;
        let joints = character.skeleton.joints().iter();
        let scaled = joints.map(|joint| Joint { offset: joint.offset * scale, ..joint.clone() }).collect();
        let skeleton = Skeleton::new(scaled).map_err(|error| character.fails(error.to_string()))?;
        let map = JointMap::guess(source, &skeleton);
        let clips = run
            .clips()
            .par_iter()
            .map(|(&number, clip)| {
                let moved = retarget(source, &skeleton, &map, clip);
                Ok((number, moved.map_err(|error| character.fails(error.to_string()))?))
            })
            .collect::<Result<_, CharacterError>>()?;
        let nodes = &character.nodes;
        let rotation = |node: usize| nodes[node].rest.to_scale_rotation_translation().1;
        let facing = character.facing;
        let frames = character.joints.iter().map(|&node| {
            let above = nodes[node].parent.map_or(Quat::IDENTITY, rotation);
            (above.inverse() * facing.inverse(), facing * rotation(node))
        });
        let above = nodes[character.joints[0]].parent;
        let to_hips = above.map_or(Mat4::IDENTITY, |above| nodes[above].rest).inverse();
        if !to_hips.is_finite() {
            return Err(character.fails("a node above its hips is flat (a scale of 0)".into()));
        }
        let poser = Poser::new(&skeleton);
        Ok(Self { frames: frames.collect(), character, poser, skeleton, clips, scale, to_hips })
    }

    /// The clips, on the character's skeleton.
    pub fn clips(&self) -> &BTreeMap<u16, Clip> {
        &self.clips
    }

    /// The turn about the vertical that makes the character face where its placement does.
    pub fn facing(&self) -> Quat {
        self.character.facing
    }

    /// How far what hangs on each joint reaches, in metres.
    pub fn reaches(&self) -> Vec<f32> {
        super::animation::reaches(&self.skeleton)
    }

    /// The pose of a sample.
    pub fn pose(&self, sample: &Sample) -> WornPose {
        let mut rotations = Vec::with_capacity(self.skeleton.len());
        let height = self.poser.pose_in(&self.clips, &self.skeleton, sample, &mut rotations);
        for (rotation, &(left, right)) in rotations.iter_mut().zip(&self.frames) {
            *rotation = left * turned(rotation.normalize()) * right;
        }
        WornPose { hips: self.to_hips.transform_point3(Vec3::Y * (height / self.scale)), rotations }
    }

    /// A copy of the character whose nodes start at number `first`: its nodes with those of its roots, and its
    /// skins. Skinned meshes come last, as nodes of their own without a parent: only joints move them.
    pub fn copy(&self, first: usize, first_skin: usize) -> Copied {
        let character = self.character;
        let mut nodes: Vec<Value> =
            character.nodes.iter().map(|node| Value::Object(node.json.clone())).collect();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut roots = Vec::new();
        for (index, node) in character.nodes.iter().enumerate() {
            match node.parent {
                Some(parent) => children[parent].push(first + index),
                None => roots.push(first + index),
            }
        }
        for (node, children) in nodes.iter_mut().zip(children) {
            if !children.is_empty() {
                node["children"] = children.into();
            }
        }
        let joints = character.joints.iter().map(|&joint| first + joint).collect();
        // An animated node says where it is in parts, not by a matrix.
        for &joint in &character.joints {
            let node = &character.nodes[joint];
            if let Some(json) = nodes[joint].as_object_mut()
                && json.remove("matrix").is_some()
            {
                let above = node.parent.map_or(Mat4::IDENTITY, |parent| character.nodes[parent].rest);
                let (scale, rotation, translation) =
                    (above.inverse() * node.rest).to_scale_rotation_translation();
                json.insert("scale".into(), scale.to_array().to_vec().into());
                json.insert("rotation".into(), rotation.to_array().to_vec().into());
                json.insert("translation".into(), translation.to_array().to_vec().into());
            }
        }
        let mut bodies = Vec::new();
        for node in &character.nodes {
            if let Some((mesh, weights, skin)) = &node.skinned {
                bodies.push(first + nodes.len());
                let mut body = serde_json::json!({ "mesh": mesh, "skin": first_skin + skin });
                if let Some(weights) = weights {
                    body["weights"] = weights.clone();
                }
                if let Some(name) = node.json.get("name") {
                    body["name"] = name.clone();
                }
                nodes.push(body);
            }
        }
        let skins = character.skins.iter().cloned().map(|mut skin| {
            for joint in skin["joints"].as_array_mut().into_iter().flatten() {
                *joint = (first as u64 + joint.as_u64().unwrap_or(0)).into();
            }
            skin
        });
        Copied { skins: skins.collect(), nodes, roots, bodies, joints }
    }
}

/// A copy of a character for one agent.
pub struct Copied {
    /// All nodes.
    pub nodes: Vec<Value>,
    /// The numbers of those that a placed node is to carry.
    pub roots: Vec<usize>,
    /// The numbers of those that carry skinned meshes and belong into the scene itself.
    pub bodies: Vec<usize>,
    /// The numbers of those that are joints, hips first.
    pub joints: Vec<usize>,
    /// All skins.
    pub skins: Vec<Value>,
}
