//! The base mesh, its shape targets, its joints and what moves it.

use crate::archive::{Archive, PackageError};
use crowdloom_shapes::rig::RIG;
use glam::Vec3;
use serde::Deserialize;
use std::collections::BTreeMap;

const BASE: &str = "3dobjs/base.obj";
const RIG_FILE: &str = "rigs/standard/rig.cmu_mb.json";
const WEIGHTS: &str = "rigs/standard/weights.cmu_mb.json";

/// The base mesh with all helpers, in metres and in our axes: x ahead, y to the left, z up.
pub struct Base {
    /// All points.
    pub points: Vec<Vec3>,
    /// Triangles of each group.
    pub groups: BTreeMap<String, Vec<[u32; 3]>>,
    /// For each joint of our rig the points whose mean it is.
    pub joints: Vec<Vec<u32>>,
    /// How much each joint of our rig moves each point.
    pub shares: Vec<[f32; RIG.len()]>,
}

/// The package's axes are y up and z ahead, its unit the decimetre.
fn ours(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(z, x, y) * 0.1
}

fn unusable(file: &str, problem: impl Into<String>) -> PackageError {
    PackageError::Unusable { file: file.into(), problem: problem.into() }
}

#[derive(Deserialize)]
struct Bone {
    head: End,
}

#[derive(Deserialize)]
struct End {
    strategy: String,
    #[serde(default)]
    cube_name: Option<String>,
    #[serde(default)]
    vertex_indices: Option<Vec<u32>>,
}

#[derive(Deserialize)]
struct Weights {
    weights: BTreeMap<String, Vec<(u32, f32)>>,
}

impl Base {
    /// Reads mesh, rig and weights.
    pub fn read(archive: &Archive) -> Result<Self, PackageError> {
        let (points, groups) = read_obj(&archive.text(BASE)?)?;
        for group in ["body", "helper-tights", "helper-skirt", "helper-hair", "helper-l-eye", "helper-r-eye"]
        {
            if groups.get(group).is_none_or(Vec::is_empty) {
                return Err(unusable(BASE, format!("it has no group `{group}`")));
            }
        }
        let mut base = Self { points, groups, joints: Vec::new(), shares: Vec::new() };
        base.read_rig(&archive.text(RIG_FILE)?)?;
        base.read_weights(&archive.text(WEIGHTS)?)?;
        Ok(base)
    }

    /// The points of a group, each once.
    pub fn points_of(&self, group: &str) -> Vec<u32> {
        let mut all: Vec<u32> = self.groups.get(group).into_iter().flatten().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn read_rig(&mut self, text: &str) -> Result<(), PackageError> {
        let bones: BTreeMap<String, Bone> =
            serde_json::from_str(text).map_err(|error| unusable(RIG_FILE, error.to_string()))?;
        for joint in &RIG {
            let bone =
                bones.get(joint.name).ok_or_else(|| unusable(RIG_FILE, format!("no {}", joint.name)))?;
            let points = match (&*bone.head.strategy, &bone.head.cube_name, &bone.head.vertex_indices) {
                ("CUBE", Some(cube), _) => self.points_of(cube),
                (_, _, Some(points)) => points.clone(),
                _ => Vec::new(),
            };
            if points.is_empty() || points.iter().any(|&point| point as usize >= self.points.len()) {
                return Err(unusable(RIG_FILE, format!("nothing tells where {} is", joint.name)));
            }
            self.joints.push(points);
        }
        Ok(())
    }

    fn read_weights(&mut self, text: &str) -> Result<(), PackageError> {
        let all: Weights =
            serde_json::from_str(text).map_err(|error| unusable(WEIGHTS, error.to_string()))?;
        self.shares = vec![[0.0; RIG.len()]; self.points.len()];
        for (bone, weights) in all.weights {
            let Some(joint) = our_joint(&bone) else { continue };
            for (point, weight) in weights {
                let share = self.shares.get_mut(point as usize);
                let share = share.ok_or_else(|| unusable(WEIGHTS, format!("there is no point {point}")))?;
                share[joint] += if weight.is_finite() { weight.max(0.0) } else { 0.0 };
            }
        }
        for shares in &mut self.shares {
            let sum: f32 = shares.iter().sum();
            match sum > 1e-6 {
                true => shares.iter_mut().for_each(|share| *share /= sum),
                false => shares[0] = 1.0,
            }
        }
        Ok(())
    }

    /// Adds a shape target to points.
    pub fn add_target(
        archive: &Archive,
        name: &str,
        share: f32,
        points: &mut [Vec3],
    ) -> Result<(), PackageError> {
        for line in archive.text(name)?.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let values: Vec<f32> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
            let [index, x, y, z] = values[..] else { return Err(unusable(name, format!("`{line}`"))) };
            let moved = points.get_mut(index as usize).filter(|_| index >= 0.0 && (x + y + z).is_finite());
            *moved.ok_or_else(|| unusable(name, format!("there is no point {index}")))? +=
                ours(x, y, z) * share;
        }
        Ok(())
    }
}

/// The joint of our rig that a bone of `cmu_mb` moves with.
fn our_joint(bone: &str) -> Option<usize> {
    let name = match bone {
        "LHipJoint" | "RHipJoint" => "Hips",
        "Neck1" => "Neck",
        "LThumb" | "LeftFingerBase" | "LeftHandFinger1" => "LeftHand",
        "RThumb" | "RightFingerBase" | "RightHandFinger1" => "RightHand",
        other => other,
    };
    RIG.iter().position(|joint| joint.name == name)
}

type Groups = BTreeMap<String, Vec<[u32; 3]>>;

fn read_obj(text: &str) -> Result<(Vec<Vec3>, Groups), PackageError> {
    let mut points = Vec::new();
    let mut groups = Groups::new();
    let mut group = String::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let values: Vec<f32> = words.map_while(|word| word.parse().ok()).collect();
                let [x, y, z] = values[..] else { return Err(unusable(BASE, format!("`{line}`"))) };
                let point = ours(x, y, z);
                if !point.is_finite() {
                    return Err(unusable(BASE, format!("`{line}`")));
                }
                points.push(point);
            }
            Some("g") => group = words.next().unwrap_or("").to_owned(),
            Some("f") => {
                let index = |word: &str| word.split('/').next()?.parse::<u32>().ok()?.checked_sub(1);
                let corners: Option<Vec<u32>> = words.map(index).collect();
                let corners = corners.filter(|corners| corners.len() >= 3);
                let corners = corners.ok_or_else(|| unusable(BASE, format!("`{line}`")))?;
                let triangles = groups.entry(group.clone()).or_default();
                triangles.extend((1..corners.len() - 1).map(|at| [corners[0], corners[at], corners[at + 1]]));
            }
            _ => {}
        }
    }
    let most = groups.values().flatten().flatten().max();
    match most.is_none_or(|&most| most as usize >= points.len()) {
        true => Err(unusable(BASE, "its faces speak of points that are not there")),
        false => Ok((points, groups)),
    }
}
