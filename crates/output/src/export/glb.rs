//! glTF 2.0 in one binary file: skinned bodies that move.
//!
//! Everybody has a skeleton, and one animation moves all of them: any viewer plays it. Or everybody has an animation of
//! its own; or, in the compact form, there are one character, one animation for each clip, and a moving node for every
//! agent that says which clip it shows when.
//!
//! Places are those of every other export: x and y of the ground are glTF's x and -z, so that programs with z up, which
//! turn glTF upright, have them back.

use super::acts::{acts, name_of_act};
use super::animation::{Animations, Fineness, Motion, brief, keys, reaches};
use super::character::Character;
use super::dressed::Wardrobe;
use super::fitting::Fitted;
use super::gltf_buffer::Buffer;
use super::pose::Poser;
use super::{Draft, ExportError, Selection};
use crate::body::{Detail, Person};
use crate::run::{Run, Sample, VehicleMoment};
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::{Clip, Skeleton};
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
    /// What animations there are.
    pub form: GlbForm,
    /// Characters that people wear instead of the generated bodies, with how often each is worn relative to the others.
    pub characters: Vec<(Character, f32)>,
    /// Whether floors, walls, things, vehicles and the user's own set are in the file, too.
    pub set: bool,
}

/// What animations a glTF file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlbForm {
    /// One that moves everybody.
    #[default]
    Together,
    /// One for each agent.
    PerPerson,
    /// One for each clip; agents say in their extras which they show when.
    Compact,
}

impl Default for GlbOptions {
    fn default() -> Self {
        Self { detail: Detail::Middle, every: 1, form: GlbForm::Together, characters: Vec::new(), set: false }
    }
}

/// Our axes to those of glTF, where y is up: (x, y, z) becomes (x, z, -y).
pub(super) fn turned(v: Vec3) -> Vec3 {
    Vec3::new(v.x, v.z, -v.y)
}

/// The same of a rotation.
pub(super) fn turned_rotation(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, q.z, -q.y, q.w)
}

/// How far a body reaches from where it stands, in metres.
pub(super) const BODY_REACH: f32 = 0.5;

/// What each agent does, frame by frame.
pub(super) type Agents = BTreeMap<u32, Vec<(u32, Sample)>>;

#[derive(Default)]
pub(super) struct Document {
    pub buffer: Buffer,
    pub nodes: Vec<Value>,
    pub roots: Vec<usize>,
    pub meshes: Vec<Value>,
    pub materials: Vec<Value>,
    pub cameras: Vec<Value>,
    pub skins: Vec<Value>,
    pub animations: Animations,
    /// Names and motions of cameras, until they are in an animation.
    moving_cameras: Vec<(String, Motion)>,
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
    let film = Film::new(run, selection, options.every.max(1), agents.len());
    let mut document = Document::default();
    document.moving_cameras = document.add_cameras(&film)?;
    match (&options.characters[..], options.form) {
        (characters @ [_, ..], form) => {
            let own: Vec<(Character, f32)> = characters
                .iter()
                .map(|(character, share)| (document.take_in_character(character), *share))
                .collect();
            let fitted = own.iter().map(|(character, share)| Ok((Fitted::new(character, run)?, *share)));
            let fitted: Vec<(Fitted<'_>, f32)> = fitted.collect::<Result<_, ExportError>>()?;
            match form {
                GlbForm::Compact => document.add_worn_clips(run, &fitted[0].0),
                _ => document.add_wearers(&film, &fitted, &agents, form),
            }
        }
        ([], form) => {
            let mut wardrobe = Wardrobe::new(&run.header().skeleton, options.detail);
            match form {
                GlbForm::Compact => document.add_clips(run, &mut wardrobe, &agents),
                _ => document.add_agents(&film, &mut wardrobe, &agents, form),
            }
        }
    }
    if options.form == GlbForm::Compact {
        document.add_walkers(&film, &agents);
    }
    for (name, motion) in std::mem::take(&mut document.moving_cameras) {
        document.add_animation(&name, motion);
    }
    if options.set {
        document.add_set(&film, &agents)?;
    }
    document.write(&run.header().name, &run.header().program, path)
}

/// What of a run is shown when.
pub(super) struct Film<'a> {
    pub run: &'a Run,
    /// The recorded frame that is at second 0.
    start: u32,
    /// Recorded frames from one sample to the next.
    every: u32,
    /// How long it is, in seconds.
    seconds: f32,
    /// How exactly it shows people.
    fineness: Fineness,
}

impl<'a> Film<'a> {
    fn new(run: &'a Run, selection: &Selection, every: u32, people: usize) -> Self {
        let (frames, first, stride) = (selection.frames(run), run.frames().start, run.header().stride);
        let start = (frames.start - first) / stride;
        let last = (frames.end.max(first + 1) - 1 - first) / stride;
        let seconds = last.saturating_sub(start) as f32 * run.header().record_time();
        Self { run, start, every, seconds, fineness: Fineness::of(people) }
    }

    /// The recorded frames that are shown.
    pub(super) fn records(&self) -> std::ops::RangeInclusive<u32> {
        self.start..=self.start + (self.seconds / self.run.header().record_time()).round() as u32
    }

    /// Recorded frames from one sample to the next.
    pub(super) fn every(&self) -> u32 {
        self.every
    }

    /// When a recorded frame is shown, in seconds.
    pub(super) fn seconds_of(&self, record: u32) -> f32 {
        record.saturating_sub(self.start) as f32 * self.run.header().record_time()
    }

    /// Where vehicles are, and when in seconds.
    pub(super) fn vehicles(&self) -> Result<Vec<(f32, VehicleMoment)>, ExportError> {
        let (mut all, mut record) = (Vec::new(), 0);
        for chunk in self.run.chunks_of(self.run.frames()) {
            let chunk = chunk?;
            for moment in &chunk.vehicles {
                let at = record + moment.record;
                let time = at.saturating_sub(self.start) as f32 * self.run.header().record_time();
                if at >= self.start && time <= self.seconds {
                    all.push((time, *moment));
                }
            }
            record += chunk.records;
        }
        Ok(all)
    }

    /// What is shown of an agent, and a motion with the times of that.
    pub(super) fn samples<'b>(&self, samples: &'b [(u32, Sample)]) -> (Vec<&'b Sample>, Motion) {
        let step = self.run.header().record_time();
        let (frames, samples): (Vec<u32>, Vec<_>) = keys(samples, self.every).into_iter().unzip();
        let times = frames.into_iter().map(|frame| (frame - self.start) as f32 * step).collect();
        (samples, Motion::finely(times, self.fineness))
    }

    /// A node of that agent, which is `scale` times its own size, is to be seen only while the agent is there, or until the
    /// recorded frame in which it comes to look otherwise.
    pub(super) fn seen_only_meanwhile(
        &self,
        motion: &mut Motion,
        node: usize,
        scale: f32,
        until: Option<u32>,
    ) {
        motion.seen_only_meanwhile(node, self.seconds, scale, until.map(|record| self.seconds_of(record)));
    }
}

impl Document {
    /// A node that is placed with a skeleton's nodes below, a skin and a body for it; returns the placed node, which the
    /// first joint follows.
    pub(super) fn add_character(
        &mut self,
        skeleton: &Skeleton,
        wardrobe: &mut Wardrobe,
        name: &str,
        person: &Person,
    ) -> usize {
        let mesh = self.add_dressed(wardrobe, name, person);
        let bindings = self.add_bindings(wardrobe, person);
        let (placed, first) = (self.nodes.len(), self.nodes.len() + 1);
        let scale = wardrobe.scale(person);
        self.nodes.push(json!({ "name": name, "children": [first], "scale": [scale, scale, scale] }));
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let place = turned(joint.offset).to_array().map(brief);
            let mut node = json!({ "name": joint.name, "translation": place });
            let children: Vec<usize> = skeleton.children(index).map(|child| first + child).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            self.nodes.push(node);
        }
        let all: Vec<usize> = (first..first + skeleton.len()).collect();
        self.skins.push(json!({ "inverseBindMatrices": bindings, "joints": all, "skeleton": first }));
        // Only joints move a skinned body: it belongs into the scene itself.
        self.nodes
            .push(json!({ "name": format!("{name} body"), "mesh": mesh, "skin": self.skins.len() - 1 }));
        self.roots.extend([placed, self.nodes.len() - 1]);
        placed
    }

    /// Every agent with a skeleton, moved by one animation or each by its own.
    fn add_agents(&mut self, film: &Film<'_>, wardrobe: &mut Wardrobe, agents: &Agents, form: GlbForm) {
        let run = film.run;
        let (outfits, carriage) = (run.outfits(), run.carriage());
        let mut placed = Vec::new();
        for (&id, samples) in agents {
            for (number, act) in acts(run, id, samples, &outfits).into_iter().enumerate() {
                let name = name_of_act(&format!("agent {id}"), number, ' ');
                let node = self.add_character(&run.header().skeleton, wardrobe, &name, &act.person);
                placed.push((name, node, wardrobe.scale(&act.person), &samples[act.samples.clone()], act));
            }
        }
        let reaches = reaches(&run.header().skeleton);
        let under_feet = under_feet(&run.header().skeleton);
        let poser = Poser::new(&run.header().skeleton);
        let motions = placed.into_par_iter().map(|(name, node, scale, samples, act)| {
            let (samples, mut motion) = film.samples(samples);
            let times = motion.times().to_vec();
            place(&mut motion, node, &samples, Quat::IDENTITY);
            film.seen_only_meanwhile(&mut motion, node, scale, act.until);
            let first = node + 1;
            let mut rotations = Vec::new();
            let mut turns = vec![Vec::with_capacity(samples.len()); run.header().skeleton.len()];
            let mut heights = Vec::with_capacity(samples.len());
            for (sample, seconds) in samples.into_iter().zip(times) {
                let mut height = poser.pose_sized(run, sample, scale, &mut rotations);
                if let Some(carriage) = &carriage {
                    let skeleton = &run.header().skeleton;
                    carriage.carry(skeleton, &act.person, seconds, &mut height, &mut rotations);
                }
                heights.push(Vec3::Y * height);
                turns.iter_mut().zip(&rotations).for_each(|(turns, &turn)| turns.push(turned_rotation(turn)));
            }
            motion.heights(first, heights);
            for (joint, turns) in turns.into_iter().enumerate() {
                // Joints that never turn need no keys.
                if turns.iter().all(|turn| turn.xyz().length_squared() <= 1e-8) {
                    continue;
                }
                match under_feet[joint] {
                    true => motion.turns(first + joint, reaches[joint], turns),
                    false => motion.turns_loosely(first + joint, reaches[joint], turns),
                }
            }
            (name, motion)
        });
        let motions = motions.collect();
        self.add_motions(run, motions, form);
    }

    /// One animation of everybody's motions, or one for each.
    pub(super) fn add_motions(&mut self, run: &Run, motions: Vec<(String, Motion)>, form: GlbForm) {
        match form {
            GlbForm::Together => {
                let cameras = std::mem::take(&mut self.moving_cameras).into_iter().map(|(_, motion)| motion);
                let all = motions.into_iter().map(|(_, motion)| motion).chain(cameras).collect();
                self.animations.add(&mut self.buffer, &run.header().name, all);
            }
            _ => {
                for (name, motion) in motions {
                    self.add_animation(&name, motion);
                }
            }
        }
    }

    pub(super) fn add_animation(&mut self, name: &str, motion: Motion) {
        self.animations.add(&mut self.buffer, name, vec![motion]);
    }

    /// One character and an animation for each clip that is shown; a mesh for everybody's looks.
    fn add_clips(&mut self, run: &Run, wardrobe: &mut Wardrobe, agents: &Agents) {
        let outfits = run.outfits();
        let mut people = agents.iter().flat_map(|(id, samples)| {
            let name = move |number: usize| name_of_act(&format!("agent {id}"), number, ' ');
            let acts = acts(run, *id, samples, &outfits).into_iter().enumerate();
            acts.map(move |(number, act)| (name(number), act.person))
        });
        let Some((name, one)) = people.next() else { return };
        let first = self.add_character(&run.header().skeleton, wardrobe, "character", &one) + 1;
        if let Some(mesh) = self.meshes.last_mut() {
            mesh["name"] = name.into();
        }
        for (name, person) in people {
            self.add_dressed(wardrobe, &name, &person);
        }
        let skeleton = &run.header().skeleton;
        let reaches = reaches(skeleton);
        for (number, clip) in run.clips() {
            let motion = clip_motion(clip, first, &reaches, run.header().frame_rate);
            self.add_animation(&format!("clip {number}: {}", clip.name), motion);
        }
    }

    /// A moving node for every agent, which says in its extras which clip it shows when, and which body from when on.
    fn add_walkers(&mut self, film: &Film<'_>, agents: &Agents) {
        let (run, outfits) = (film.run, film.run.outfits());
        let step = run.header().record_time();
        for (&id, samples) in agents {
            let mut shows: Vec<Value> = Vec::new();
            let mut last = None;
            for (frame, sample) in samples {
                let again = last.is_some_and(|(clip, phase)| clip == sample.clip && phase <= sample.phase);
                if !again {
                    let time = (frame - film.start) as f32 * step;
                    shows.push(json!({ "clip": sample.clip, "time": time, "frame": sample.clip_frame() }));
                }
                last = Some((sample.clip, sample.phase));
            }
            let (node, name) = (self.nodes.len(), format!("agent {id}"));
            let mut extras = json!({ "body": name, "shows": shows });
            let acts = acts(run, id, samples, &outfits);
            if acts.len() > 1 {
                let looks = acts.iter().enumerate().map(|(number, act)| {
                    let time = film.seconds_of(samples[act.samples.start].0);
                    json!({ "body": name_of_act(&name, number, ' '), "time": time })
                });
                extras["looks"] = looks.collect();
            }
            self.nodes.push(json!({ "name": name, "extras": extras }));
            self.roots.push(node);
            let (samples, mut motion) = film.samples(samples);
            place(&mut motion, node, &samples, Quat::IDENTITY);
            film.seen_only_meanwhile(&mut motion, node, 1.0, None);
            self.add_animation(&format!("agent {id}"), motion);
        }
    }

    /// Writes all of it down, with the name of the scene and the version of this program.
    pub(super) fn write(self, name: &str, program: &str, path: &Path) -> Result<(), ExportError> {
        let mut bytes = self.buffer.bytes;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut document = self.others;
        let mut asset = json!({ "version": "2.0", "generator": format!("Crowdloom {program}") });
        if let Some(owner) = document.get("asset").and_then(|asset| asset.get("copyright")) {
            asset["copyright"] = owner.clone();
        }
        document.insert("asset".into(), asset);
        document.insert("scene".into(), 0.into());
        document.insert("scenes".into(), json!([{ "name": name, "nodes": self.roots }]));
        document.insert("buffers".into(), json!([{ "byteLength": bytes.len() }]));
        let lists = [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("cameras", self.cameras),
            ("skins", self.skins),
            ("animations", self.animations.into_list()),
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

/// The poses of a clip, for a skeleton whose nodes begin at `first`.
pub(super) fn clip_motion(clip: &Clip, first: usize, reaches: &[f32], frame_rate: f32) -> Motion {
    let frames = 0..clip.frames();
    let mut motion = Motion::at(frames.clone().map(|frame| frame as f32 / frame_rate).collect());
    motion.places(first, clip.root_heights.iter().map(|&height| Vec3::Y * height).collect());
    for (joint, &reach) in reaches.iter().enumerate() {
        let turns = frames.clone().map(|frame| turned_rotation(clip.frame_rotations(frame)[joint]));
        motion.turns(first + joint, reach, turns.collect());
    }
    motion
}

/// Which joints carry feet.
fn under_feet(skeleton: &Skeleton) -> Vec<bool> {
    let body = Body::guess(skeleton);
    let mut carries = vec![false; skeleton.len()];
    for leg in Side::BOTH.into_iter().filter_map(|side| body.leg(side)) {
        let mut joint = Some(leg.ball);
        while let Some(own) = joint {
            carries[own] = true;
            joint = skeleton.parent(own);
        }
    }
    carries
}

/// A node goes where samples are and faces as they do, after a turn of its own.
pub(super) fn place(motion: &mut Motion, node: usize, samples: &[&Sample], turn: Quat) {
    motion.places(node, samples.iter().map(|sample| turned(sample.position().extend(0.0))).collect());
    let turns = samples.iter().map(|sample| turned_rotation(sample.placement().rotation()) * turn);
    motion.turns(node, BODY_REACH, turns.collect());
}
