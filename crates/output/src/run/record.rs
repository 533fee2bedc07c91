//! Runs a crowd and writes down what happens.

use super::appearances::appearances;
use super::edits::EditEntry;
use super::followers::Watcher;
use super::frames::{Chunk, Sample, SignalChange};
use super::header::{End, Header};
use super::parcels::Keeper;
use super::recordable::{Moment, Recordable};
use super::vehicles::VehicleMoment;
use super::writer::{Gathered, Record, RunWriter, WriteError};
use crowdloom_bodies::Told;
use crowdloom_motion::draft::write_whole;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The run file's name in its folder.
pub const RUN_NAME: &str = "run.loom";
/// Its name until it is whole.
pub const PARTIAL_NAME: &str = "run.loom.part";
/// The name in its folder of what is needed to go on with a run.
pub const SNAPSHOT_NAME: &str = "run.snapshot";

/// Seconds of a chunk.
const CHUNK_SECONDS: u32 = 2;
/// Overlaps are counted every so many frames.
pub const OVERLAP_FRAMES: u32 = 15;

/// What to write about a run besides what happens.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// The run's name.
    pub name: String,
    /// The seed that everything random followed from.
    pub seed: u64,
    /// The scene's text.
    pub scene: String,
    /// Frames from one recorded frame to the next; 1 records all.
    pub stride: u32,
    /// Frames after which all that is needed to go on is put beside the run, over and over; 0 never.
    pub save_every: u32,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Agents that are there.
    pub agents: usize,
    /// Seconds simulated.
    pub simulated: f32,
    /// Seconds to simulate.
    pub seconds: f32,
    /// Seconds since the run was started.
    pub elapsed: f64,
}

/// What a run came to.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The run's name.
    pub name: String,
    /// Different agents seen.
    pub agents: u32,
    /// Seconds simulated.
    pub seconds: f32,
    /// Goals reached.
    pub arrivals: u64,
    /// Pairs of overlapping agents seen, where that was counted.
    pub overlaps: Option<u64>,
    /// How deep the deepest overlap was, in metres.
    pub deepest_overlap: f32,
    /// Whether it was stopped before its time.
    pub interrupted: bool,
    /// Seconds that it took.
    pub elapsed: f64,
    /// Simulated seconds in a second.
    pub real_time_factor: f64,
    /// Agents in a frame, summed over all recorded frames.
    pub agent_frames: u64,
    /// Bytes of the run file.
    pub bytes: u64,
    /// Bytes of the run file for each agent and frame.
    pub bytes_per_agent_frame: f64,
    /// Seconds of work by stage.
    pub stages: Vec<(String, f64)>,
    /// What was asked of planned people, and what came of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<crowdloom_synthesis::Outcome>,
    /// The run file.
    pub path: PathBuf,
}

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The folder cannot be made.
    #[error("cannot make the folder {}: {cause}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What went wrong.
        cause: std::io::Error,
    },
    /// What is needed to go on cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        cause: std::io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Runs `crowd` for `seconds` and writes `folder/run.loom`.
///
/// As soon as `interrupt` says so the run ends after the frame it is in, and what there is is written.
pub fn record(
    crowd: &mut impl Recordable,
    info: &RunInfo,
    seconds: f32,
    folder: &Path,
    progress: &mut dyn FnMut(&Progress),
    interrupt: &dyn Fn() -> bool,
) -> Result<Summary, RecordError> {
    std::fs::create_dir_all(folder)
        .map_err(|cause| RecordError::Folder { path: folder.to_owned(), cause })?;
    let path = folder.join(RUN_NAME);
    let mut header = header(crowd, info);
    let keeps = !crowd.has_plans() || header.props.iter().any(|prop| prop.kind == "box");
    let mut keeper = keeps.then(|| Keeper::new(&mut header.props, crowd.frame(), header.frame_rate));
    let mut writer = RunWriter::create(&path, &folder.join(PARTIAL_NAME), &header)?;
    let first_frame = crowd.frame();
    let mut recorder = Recorder::new(&header, first_frame, crowd.has_plans());
    let started = Instant::now();
    let (mut stepping, mut recording, mut checking) = (0.0, 0.0, 0.0);
    let total = (seconds * header.frame_rate).round().max(0.0) as u32;
    let (mut overlaps, mut deepest_overlap, mut done) = (None, 0.0f32, 0);
    let clock = |sum: &mut f64, since: Instant| *sum += since.elapsed().as_secs_f64();
    let interrupted = loop {
        let since = Instant::now();
        if done % header.stride == 0 {
            recorder.take(crowd, &mut writer)?;
            if let Some(keeper) = &mut keeper {
                keeper.watch(crowd);
            }
        }
        clock(&mut recording, since);
        if done % OVERLAP_FRAMES == 0 {
            let since = Instant::now();
            if let Some((now, depth)) = crowd.overlaps() {
                overlaps = Some(overlaps.unwrap_or(0) + now as u64);
                deepest_overlap = deepest_overlap.max(depth);
            }
            clock(&mut checking, since);
            progress(&Progress {
                agents: crowd.count(),
                simulated: done as f32 / header.frame_rate,
                seconds,
                elapsed: started.elapsed().as_secs_f64(),
            });
        }
        let saves = info.save_every > 0 && done > 0 && done % info.save_every == 0;
        if saves && let Some(snapshot) = crowd.snapshot() {
            let file = folder.join(SNAPSHOT_NAME);
            write_whole(&file, snapshot).map_err(|cause| RecordError::Snapshot { path: file, cause })?;
        }
        if done >= total {
            break false;
        }
        if interrupt() {
            break true;
        }
        let since = Instant::now();
        crowd.step();
        clock(&mut stepping, since);
        done += 1;
    };
    let since = Instant::now();
    recorder.flush(crowd, &mut writer)?;
    let arrivals = crowd.arrivals();
    let agents = recorder.abouts.len() as u32;
    let agent_frames = recorder.agent_frames;
    let stages = [("simulate", stepping), ("record", recording), ("check overlaps", checking)];
    let mut stages: Vec<(String, f64)> = stages.map(|(name, time)| (name.to_owned(), time)).to_vec();
    let parcels = keeper.map(Keeper::finish).unwrap_or_default();
    for holder in parcels.iter().flat_map(|parcel| &parcel.stages).filter_map(|stage| stage.holder) {
        recorder.people.entry(holder).or_default().empty_handed = true;
    }
    let appearances = appearances(crowd.edits(), &mut recorder.people, first_frame);
    let written = writer.finish(End {
        appearances,
        interrupted,
        agents,
        arrivals,
        overlaps,
        deepest_overlap,
        edits: crowd.edits().iter().filter_map(EditEntry::of).collect(),
        last: recorder.abouts.keys().copied().max().unwrap_or(0),
        looks: recorder.looks,
        sizes: recorder.sizes,
        people: recorder.people,
        parcels,
    })?;
    stages.push(("finish writing".into(), since.elapsed().as_secs_f64()));
    stages.push(("compress and write, meanwhile".into(), written.seconds));
    let elapsed = started.elapsed().as_secs_f64();
    let simulated = done as f32 / header.frame_rate;
    Ok(Summary {
        name: info.name.clone(),
        agents,
        seconds: simulated,
        arrivals,
        overlaps,
        deepest_overlap,
        interrupted,
        elapsed,
        real_time_factor: f64::from(simulated) / elapsed.max(1e-9),
        agent_frames,
        bytes: written.bytes,
        bytes_per_agent_frame: written.bytes as f64 / agent_frames.max(1) as f64,
        stages,
        constraints: crowd.constraints(),
        path,
    })
}

fn header(crowd: &impl Recordable, info: &RunInfo) -> Header {
    let mut header = Header::new(&info.name, info.seed, crowd.skeleton().clone(), crowd.ground());
    header.scene.clone_from(&info.scene);
    header.stride = info.stride.clamp(1, 30);
    header.radius = crowd.radius();
    header.clips = crowd.clips();
    header.styles = crowd.styles();
    header.states = crowd.states();
    header.lines = crowd.lines();
    header.signals = crowd.signals();
    header.vehicles = crowd.vehicles();
    header.props = crowd.props();
    header.walls = crowd.walls();
    header.floor = crowd.floor();
    header.cameras = crowd.cameras();
    header.staging = crowd.staging();
    header
}

/// Gathers frames until a chunk is full.
struct Recorder {
    stride: u32,
    records_a_chunk: u32,
    chunk: Chunk,
    /// Everybody in each record of the chunk.
    records: Vec<Record>,
    /// Watches what people settle on, in a crowd with plans.
    watcher: Option<Watcher>,
    /// The mark of what was last written about each agent; none of one that has yet to be described.
    abouts: HashMap<u32, Option<u64>>,
    /// What those are drawn by who look otherwise than by their own numbers.
    looks: BTreeMap<u32, u32>,
    sizes: BTreeMap<u32, f32>,
    people: BTreeMap<u32, Told>,
    seen_clips: Vec<bool>,
    new_clips: Vec<u16>,
    last_signals: Vec<u8>,
    agent_frames: u64,
}

impl Recorder {
    fn new(header: &Header, frame: u32, has_plans: bool) -> Self {
        let records_a_chunk = ((header.frame_rate as u32 * CHUNK_SECONDS) / header.stride).max(1);
        Self {
            stride: header.stride,
            records_a_chunk,
            chunk: Chunk { first_frame: frame, stride: header.stride, ..Chunk::default() },
            records: Vec::new(),
            watcher: has_plans.then(Watcher::default),
            abouts: HashMap::new(),
            looks: BTreeMap::new(),
            sizes: BTreeMap::new(),
            people: BTreeMap::new(),
            seen_clips: vec![false; header.clips.len()],
            new_clips: Vec::new(),
            last_signals: vec![0; header.signals.len()],
            agent_frames: 0,
        }
    }

    /// Writes down the current frame.
    fn take(&mut self, crowd: &impl Recordable, writer: &mut RunWriter) -> Result<(), WriteError> {
        if self.chunk.records == self.records_a_chunk {
            self.flush(crowd, writer)?;
        }
        let record = self.chunk.records;
        if record == 0 {
            self.chunk.first_frame = crowd.frame();
            self.note(crowd);
        }
        for signal in 0..self.last_signals.len() {
            let value = crowd.signal(signal);
            if record == 0 || value != self.last_signals[signal] {
                self.last_signals[signal] = value;
                self.chunk.signals.push(SignalChange { record, signal: signal as u16, value });
            }
        }
        crowd.vehicle_moments(&mut |vehicle, placement, open| {
            self.chunk.vehicles.push(VehicleMoment { record, vehicle, placement, open });
        });
        match self.watcher.take() {
            Some(watcher) => self.watch(crowd, watcher),
            None => self.take_samples(crowd, writer),
        }
        self.agent_frames += crowd.count() as u64;
        self.chunk.records += 1;
        Ok(())
    }

    /// Writes down who settled on what.
    fn watch(&mut self, crowd: &impl Recordable, mut watcher: Watcher) {
        if watcher.take(crowd, |clip| self.see(clip)) {
            for id in watcher.ids() {
                self.abouts.entry(*id).or_default();
            }
        }
        self.watcher = Some(watcher);
    }

    /// Writes down where everybody is.
    fn take_samples(&mut self, crowd: &impl Recordable, writer: &mut RunWriter) {
        let mut now = writer.spare();
        let sample = |index: usize| {
            let Moment { placement, speed, clip, clip_frame, style, state, under, stance } =
                crowd.moment(index);
            let sample = Sample::new(placement, speed, clip, clip_frame, (style, state));
            (crowd.id(index), sample.over(under).standing(stance))
        };
        (0..crowd.count()).into_par_iter().with_min_len(1024).map(sample).collect_into_vec(&mut now);
        for (_, sample) in &now {
            self.see(sample.clip);
            if let Some((clip, ..)) = sample.under() {
                self.see(clip);
            }
        }
        self.records.push(now);
    }

    /// Notes that a clip is shown.
    fn see(&mut self, clip: u16) {
        if let Some(seen @ false) = self.seen_clips.get_mut(usize::from(clip)) {
            *seen = true;
            self.new_clips.push(clip);
        }
    }

    /// Notes what has changed about agents.
    fn note(&mut self, crowd: &impl Recordable) {
        let abouts = &self.abouts;
        let told = |index: usize| {
            let (id, mark) = (crowd.id(index), crowd.about_mark(index));
            let known = abouts.get(&id) == Some(&Some(mark));
            (!known).then(|| (id, mark, crowd.about(index)))
        };
        let news: Vec<(u32, u64, String)> =
            (0..crowd.count()).into_par_iter().with_min_len(256).filter_map(told).collect();
        let looks = (0..crowd.count()).filter_map(|index| Some((crowd.id(index), crowd.looks(index)?)));
        self.looks.extend(looks);
        for index in 0..crowd.count() {
            let (id, size) = (crowd.id(index), crowd.size(index));
            if size != 1.0 || self.sizes.contains_key(&id) {
                self.sizes.insert(id, size);
            }
        }
        // Bodies stay as they are: who is known is not asked again.
        let new = (0..crowd.count()).filter(|&index| !self.abouts.contains_key(&crowd.id(index)));
        let told: Vec<(u32, Told)> =
            new.filter_map(|index| Some((crowd.id(index), crowd.told(index)?))).collect();
        self.people.extend(told);
        for (id, mark, about) in news {
            self.chunk.notes.push((id, about));
            self.abouts.insert(id, Some(mark));
        }
    }

    /// Sends the chunk to be written, and before it the clips that it is the first to show.
    fn flush(&mut self, crowd: &impl Recordable, writer: &mut RunWriter) -> Result<(), WriteError> {
        if self.chunk.records == 0 {
            return Ok(());
        }
        // Newcomers in the middle of a chunk: known to be there, described from the next chunk on.
        for pair in self.records.windows(2) {
            if !pair[0].iter().map(|(id, _)| id).eq(pair[1].iter().map(|(id, _)| id)) {
                for (id, _) in &pair[1] {
                    self.abouts.entry(*id).or_default();
                }
            }
        }
        if !self.new_clips.is_empty() {
            self.new_clips.sort_unstable();
            writer.clips(self.new_clips.drain(..).map(|number| (number, crowd.clip(number))).collect())?;
        }
        let next = Chunk { stride: self.stride, ..Chunk::default() };
        let gathered = match &mut self.watcher {
            Some(watcher) => Gathered::Log(watcher.hand_over()),
            None => Gathered::Records(std::mem::take(&mut self.records)),
        };
        writer.chunk(std::mem::replace(&mut self.chunk, next), gathered)
    }
}
