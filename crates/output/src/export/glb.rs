//! glTF 2.0 in one binary file: skinned bodies that move.
//!
//! The full form gives every agent a skeleton and an animation of its own: any viewer plays it. The compact form has
//! one character, one animation for each clip, and a moving node for every agent that says which clip it shows when.

use super::character::Character;
use super::fitting::Fitted;
use super::gltf_buffer::{Buffer, FLOAT, Layout, SHORT, UNSIGNED_BYTE, UNSIGNED_SHORT, floats};
use super::pose::Poser;
use super::{Draft, ExportError, Selection};
use crate::body::{Detail, Figure, Part, Proportions, figure, rest_positions};
use crate::run::{Run, Sample};
use glam::{Quat, Vec3};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// How to write glTF.
#[derive(Clone, Debug)]
pub struct GlbOptions {
    /// How fine bodies are.
    pub detail: Detail,
    /// Recorded frames from one key of an animation to the next.
    pub every: u32,
    /// Whether clips are shared.
    pub compact: bool,
    /// The character that everybody wears instead of the generated bodies.
    pub character: Option<Character>,
}

impl Default for GlbOptions {
    fn default() -> Self {
        Self { detail: Detail::Middle, every: 2, compact: false, character: None }
    }
}

/// (forward, left, up) = (x, y, z) becomes (z, x, y): y up, facing +z.
pub(super) fn turned(v: Vec3) -> [f32; 3] {
    [v.y, v.z, v.x]
}

pub(super) fn turned_rotation(q: Quat) -> [f32; 4] {
    [q.y, q.z, q.x, q.w]
}

/// Colours of a few outfits: skin, hair, shirt, trousers, shoes; linear.
const OUTFITS: [[[f32; 3]; 5]; 6] = [
    [[0.76, 0.45, 0.28], [0.02, 0.012, 0.01], [0.03, 0.07, 0.16], [0.02, 0.03, 0.06], [0.01, 0.01, 0.01]],
    [[0.88, 0.62, 0.45], [0.16, 0.08, 0.03], [0.48, 0.07, 0.05], [0.05, 0.05, 0.06], [0.02, 0.01, 0.01]],
    [[0.30, 0.15, 0.08], [0.01, 0.008, 0.008], [0.70, 0.53, 0.16], [0.02, 0.05, 0.12], [0.02, 0.02, 0.02]],
    [[0.58, 0.28, 0.13], [0.02, 0.015, 0.01], [0.04, 0.12, 0.10], [0.20, 0.15, 0.10], [0.05, 0.03, 0.02]],
    [[0.84, 0.55, 0.40], [0.36, 0.20, 0.07], [0.65, 0.64, 0.60], [0.03, 0.05, 0.11], [0.01, 0.01, 0.01]],
    [[0.80, 0.50, 0.34], [0.28, 0.26, 0.24], [0.20, 0.10, 0.22], [0.09, 0.08, 0.07], [0.03, 0.02, 0.02]],
];

/// What each agent does, frame by frame.
pub(super) type Agents = BTreeMap<u32, Vec<(u32, Sample)>>;

#[derive(Default)]
pub(super) struct Document {
    pub buffer: Buffer,
    pub nodes: Vec<Value>,
    pub roots: Vec<usize>,
    pub meshes: Vec<Value>,
    pub materials: Vec<Value>,
    pub skins: Vec<Value>,
    pub animations: Vec<Value>,
    pub inverse_binds: usize,
    /// What else there is at the top: textures and the like of a character.
    pub others: Map<String, Value>,
}

/// Writes the run as a binary glTF file.
pub fn write_glb(
    run: &Run,
    selection: &Selection,
    options: &GlbOptions,
    path: &Path,
) -> Result<(), ExportError> {
    let agents = selection.by_agent(run)?;
    if agents.is_empty() {
        return Err(ExportError::Nobody);
    }
    let start = selection.frames(run).start - run.frames().start;
    let (start, every) = (start / run.header().stride, options.every.max(1));
    let mut document;
    match &options.character {
        Some(character) => {
            let fitted = Fitted::new(character, run)?;
            document = Document::of(character);
            match options.compact {
                true => document.add_worn_clips(run, &fitted),
                false => document.add_wearers(run, &fitted, &agents, start, every),
            }
        }
        None => {
            document = Document::new(run, options.detail);
            match options.compact {
                true => document.add_clips(run),
                false => document.add_agents(run, &agents, start, every),
            }
        }
    }
    if options.compact {
        document.add_walkers(run, &agents, start, every);
    }
    document.write(run, path)
}

/// One channel of an animation that is still to be stored.
pub(super) struct Channel {
    pub node: usize,
    pub path: &'static str,
    pub bytes: Vec<u8>,
}

/// An agent's animation that is still to be stored.
pub(super) struct Motion {
    pub times: Vec<f32>,
    pub channels: Vec<Channel>,
}

impl Document {
    /// Materials, bodies and what binds them to joints.
    fn new(run: &Run, detail: Detail) -> Self {
        let mut document = Self::default();
        let skeleton = &run.header().skeleton;
        for (number, outfit) in OUTFITS.iter().enumerate() {
            for (part, [r, g, b]) in Part::ALL.iter().zip(outfit) {
                document.materials.push(json!({
                    "name": format!("{} {}", part.name(), number + 1),
                    "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.85 },
                }));
            }
        }
        for (sex, name) in [(0.0, "woman"), (1.0, "man")] {
            let made = figure(skeleton, &Proportions { sex, ..Proportions::default() }, detail);
            document.add_bodies(&made, name);
        }
        let matrices = rest_positions(skeleton).into_iter().flat_map(|rest| {
            let [x, y, z] = turned(-rest);
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
        });
        let layout = Layout { component: FLOAT, kind: "MAT4", count: skeleton.len(), normalized: false };
        document.inverse_binds = document.buffer.single(None, &floats(matrices), layout, None);
        document
    }

    /// The same body in all outfits.
    fn add_bodies(&mut self, figure: &Figure, name: &str) {
        let mesh = &figure.mesh;
        let count = mesh.vertices.len();
        let layout = |component, kind, normalized| Layout { component, kind, count, normalized };
        let points: Vec<[f32; 3]> = mesh.vertices.iter().map(|vertex| turned(vertex.position)).collect();
        let extreme = |pick: fn(f32, f32) -> f32, first: f32| -> Value {
            let fold = |axis: usize| points.iter().map(|point| point[axis]).fold(first, pick);
            json!([fold(0), fold(1), fold(2)])
        };
        let range = (extreme(f32::min, f32::INFINITY), extreme(f32::max, f32::NEG_INFINITY));
        let points_target = Some(34962);
        let buffer = &mut self.buffer;
        let position = floats(points.iter().flatten().copied());
        let position = buffer.single(points_target, &position, layout(FLOAT, "VEC3", false), Some(range));
        let normals = floats(mesh.vertices.iter().flat_map(|vertex| turned(vertex.normal)));
        let normal = buffer.single(points_target, &normals, layout(FLOAT, "VEC3", false), None);
        let joints: Vec<u8> =
            mesh.vertices.iter().flat_map(|v| v.joints.map(|joint| joint.min(255) as u8)).collect();
        let joints = buffer.single(points_target, &joints, layout(UNSIGNED_BYTE, "VEC4", false), None);
        let weights = floats(mesh.vertices.iter().flat_map(|vertex| vertex.weights));
        let weights = buffer.single(points_target, &weights, layout(FLOAT, "VEC4", false), None);
        let indices = Part::ALL.map(|part| {
            let triangles = &mesh.triangles[mesh.part(part)];
            let bytes: Vec<u8> =
                triangles.iter().flatten().flat_map(|&index| (index as u16).to_le_bytes()).collect();
            let layout = Layout {
                component: UNSIGNED_SHORT,
                kind: "SCALAR",
                count: triangles.len() * 3,
                normalized: false,
            };
            buffer.single(Some(34963), &bytes, layout, None)
        });
        for outfit in 0..OUTFITS.len() {
            let primitives: Vec<Value> = indices
                .iter()
                .enumerate()
                .map(|(part, index)| {
                    json!({
                        "attributes": { "POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights },
                        "indices": index, "material": outfit * Part::ALL.len() + part,
                    })
                })
                .collect();
            self.meshes.push(json!({ "name": format!("{name} {}", outfit + 1), "primitives": primitives }));
        }
    }

    /// A skeleton's nodes, a skin and a body for it; returns the node of the first joint.
    fn add_character(&mut self, run: &Run, name: &str, mesh: usize) -> usize {
        let joints = run.header().skeleton.joints();
        let first = self.nodes.len();
        for (index, joint) in joints.iter().enumerate() {
            let mut node = json!({ "name": joint.name, "translation": turned(joint.offset) });
            let children: Vec<usize> =
                run.header().skeleton.children(index).map(|child| first + child).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            self.nodes.push(node);
        }
        self.nodes[first]["name"] = format!("{name} {}", joints[0].name).into();
        let all: Vec<usize> = (first..first + joints.len()).collect();
        self.skins
            .push(json!({ "inverseBindMatrices": self.inverse_binds, "joints": all, "skeleton": first }));
        self.nodes.push(json!({ "name": name, "mesh": mesh, "skin": self.skins.len() - 1 }));
        self.roots.extend([first, self.nodes.len() - 1]);
        first
    }

    /// Every agent with a skeleton and an animation of its own.
    fn add_agents(&mut self, run: &Run, agents: &Agents, start: u32, every: u32) {
        let placed: Vec<_> = agents
            .iter()
            .map(|(&id, samples)| {
                (
                    id,
                    self.add_character(run, &format!("agent {id}"), self.outfit(run.looks_of(id))),
                    &samples[..],
                )
            })
            .collect();
        let step = run.header().record_time();
        let poser = Poser::new(&run.header().skeleton);
        let motions: Vec<Motion> = placed
            .par_iter()
            .map(|&(_, first, samples)| {
                let mut rotations = Vec::new();
                let joints = run.header().skeleton.len();
                let keys = keys(samples, every);
                let mut turns: Vec<Vec<Quat>> = vec![Vec::with_capacity(keys.len()); joints];
                let (mut places, mut times) = (Vec::new(), Vec::with_capacity(keys.len()));
                for &(frame, sample) in &keys {
                    let height = poser.pose_of(run, sample, &mut rotations);
                    let placement = sample.placement();
                    rotations[0] = placement.rotation() * rotations[0];
                    turns.iter_mut().zip(&rotations).for_each(|(turns, &turn)| turns.push(turn));
                    places.extend(floats(turned(placement.position.extend(height))));
                    times.push((frame - start) as f32 * step);
                }
                let mut channels = vec![Channel { node: first, path: "translation", bytes: places }];
                for (joint, turns) in turns.into_iter().enumerate() {
                    // Joints that never turn need no keys.
                    if turns.iter().any(|turn| turn.xyz().length_squared() > 1e-8) {
                        channels.push(Channel {
                            node: first + joint,
                            path: "rotation",
                            bytes: shorts(&turns),
                        });
                    }
                }
                Motion { times, channels }
            })
            .collect();
        for ((id, _, _), motion) in placed.iter().zip(motions) {
            self.add_animation(&format!("agent {id}"), motion);
        }
    }

    /// The body and the outfit of an agent, by the number that it is drawn by.
    fn outfit(&self, id: u32) -> usize {
        (id.wrapping_mul(0x9e37_79b1) >> 16) as usize % self.meshes.len()
    }

    pub(super) fn add_animation(&mut self, name: &str, motion: Motion) {
        let count = motion.times.len();
        let range = (json!([motion.times[0]]), json!([motion.times[count - 1]]));
        let view = self.buffer.view(None, None);
        let layout = |component, kind, normalized| Layout { component, kind, count, normalized };
        let times = floats(motion.times.iter().copied());
        let input = self.buffer.accessor(view, &times, layout(FLOAT, "SCALAR", false), Some(range));
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for channel in motion.channels {
            let layout = match channel.path {
                "translation" => layout(FLOAT, "VEC3", false),
                _ => layout(SHORT, "VEC4", true),
            };
            let output = self.buffer.accessor(view, &channel.bytes, layout, None);
            channels.push(json!({
                "sampler": samplers.len(), "target": { "node": channel.node, "path": channel.path },
            }));
            samplers.push(json!({ "input": input, "output": output }));
        }
        self.animations.push(json!({ "name": name, "samplers": samplers, "channels": channels }));
    }

    /// One character and an animation for each clip that is shown.
    fn add_clips(&mut self, run: &Run) {
        let first = self.add_character(run, "character", 0);
        let skeleton = &run.header().skeleton;
        for (number, clip) in run.clips() {
            let times = (0..clip.frames()).map(|frame| frame as f32 / run.header().frame_rate).collect();
            let heights = floats(clip.root_heights.iter().flat_map(|&height| [0.0, height, 0.0]));
            let mut channels = vec![Channel { node: first, path: "translation", bytes: heights }];
            for joint in 0..skeleton.len() {
                let turns: Vec<Quat> =
                    (0..clip.frames()).map(|frame| clip.frame_rotations(frame)[joint]).collect();
                channels.push(Channel { node: first + joint, path: "rotation", bytes: shorts(&turns) });
            }
            self.add_animation(&format!("clip {number}: {}", clip.name), Motion { times, channels });
        }
    }

    /// A moving node for every agent, which says in its extras which clip it shows when.
    fn add_walkers(&mut self, run: &Run, agents: &Agents, start: u32, every: u32) {
        let step = run.header().record_time();
        for (&id, samples) in agents {
            let mut shows: Vec<Value> = Vec::new();
            let mut last = None;
            for (frame, sample) in samples {
                let again = last.is_some_and(|(clip, phase)| clip == sample.clip && phase <= sample.phase);
                if !again {
                    let time = (frame - start) as f32 * step;
                    shows.push(json!({ "clip": sample.clip, "time": time, "frame": sample.clip_frame() }));
                }
                last = Some((sample.clip, sample.phase));
            }
            let node = self.nodes.len();
            self.nodes.push(json!({
                "name": format!("agent {id}"),
                "extras": { "body": self.meshes[self.outfit(run.looks_of(id))]["name"], "shows": shows },
            }));
            self.roots.push(node);
            let keys = keys(samples, every);
            let times = keys.iter().map(|(frame, _)| (frame - start) as f32 * step).collect();
            let places = floats(keys.iter().flat_map(|(_, sample)| turned(sample.position().extend(0.0))));
            let turns: Vec<Quat> = keys.iter().map(|(_, sample)| sample.placement().rotation()).collect();
            let channels = vec![
                Channel { node, path: "translation", bytes: places },
                Channel { node, path: "rotation", bytes: shorts(&turns) },
            ];
            self.add_animation(&format!("agent {id}"), Motion { times, channels });
        }
    }

    fn write(self, run: &Run, path: &Path) -> Result<(), ExportError> {
        let mut bytes = self.buffer.bytes;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut document = self.others;
        let mut asset =
            json!({ "version": "2.0", "generator": format!("Crowdloom {}", run.header().program) });
        if let Some(owner) = document.get("asset").and_then(|asset| asset.get("copyright")) {
            asset["copyright"] = owner.clone();
        }
        document.insert("asset".into(), asset);
        document.insert("scene".into(), 0.into());
        document.insert("scenes".into(), json!([{ "name": run.header().name, "nodes": self.roots }]));
        document.insert("buffers".into(), json!([{ "byteLength": bytes.len() }]));
        let lists = [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("skins", self.skins),
            ("animations", self.animations),
            ("accessors", self.buffer.accessors),
            ("bufferViews", self.buffer.views),
        ];
        // The format allows no empty lists.
        let there = lists.into_iter().filter(|(_, list)| !list.is_empty());
        document.extend(there.map(|(name, list)| (name.to_owned(), list.into())));
        let mut text = Value::Object(document).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + bytes.len();
        let Ok(length) = u32::try_from(total) else {
            return Err(ExportError::TooLarge(
                "a .glb file holds 4 GB at most: choose fewer --agents, less time, a larger --every, or --compact".into(),
            ));
        };
        let draft = Draft::new(path)?;
        let write = || -> std::io::Result<()> {
            let mut file = std::io::BufWriter::new(std::fs::File::create(draft.partial())?);
            file.write_all(b"glTF\x02\0\0\0")?;
            file.write_all(&length.to_le_bytes())?;
            for (kind, contents) in [(b"JSON", &text), (b"BIN\0", &bytes)] {
                file.write_all(&(contents.len() as u32).to_le_bytes())?;
                file.write_all(kind)?;
                file.write_all(contents)?;
            }
            file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
        };
        write().map_err(|error| draft.fail(error))?;
        Ok(draft.finish()?)
    }
}

/// Every so many samples, and the last.
pub(super) fn keys(samples: &[(u32, Sample)], every: u32) -> Vec<(u32, &Sample)> {
    let last = samples.len() - 1;
    let wanted = |index: usize| index == last || index.is_multiple_of(every as usize);
    (0..samples.len())
        .filter(|&index| wanted(index))
        .map(|index| (samples[index].0, &samples[index].1))
        .collect()
}

/// Rotations in our axes as [`stored_rotations`].
fn shorts(turns: &[Quat]) -> Vec<u8> {
    stored_rotations(turns.iter().map(|&turn| Quat::from_array(turned_rotation(turn))))
}

/// Rotations as normalized 16-bit numbers, neighbours with the same sign.
pub(super) fn stored_rotations(turns: impl ExactSizeIterator<Item = Quat>) -> Vec<u8> {
    let mut before = Quat::IDENTITY;
    let mut bytes = Vec::with_capacity(turns.len() * 8);
    for turn in turns {
        let turn = if before.dot(turn) < 0.0 { -turn } else { turn };
        before = turn;
        for value in turn.normalize().to_array() {
            bytes.extend(((value * 32767.0).round() as i16).to_le_bytes());
        }
    }
    bytes
}
