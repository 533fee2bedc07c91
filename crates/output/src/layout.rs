//! Fixing after the run: people are removed, moved, turned, retimed or given another body or clip, and all others stay as they are.

use crate::run::{
    Chunk, Gathered, PARTIAL_NAME, RUN_NAME, ReadError, Run, RunWriter, Sample, Track, WriteError,
};
use crowdloom_bodies::Told;
use crowdloom_motion::{Clip, Placement};
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Fixes as a file has them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixes {
    /// All of them, in the order in which they are made.
    #[serde(default)]
    pub fix: Vec<Fix>,
}

/// A change of some people.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fix {
    /// Numbers of people, and ranges such as `"10-20"`.
    pub agents: Vec<Who>,
    /// Whether they are taken away.
    #[serde(default)]
    pub remove: bool,
    /// Metres that they go along x and y.
    #[serde(default, rename = "move")]
    pub shift: [f32; 2],
    /// Degrees that their ways turn to the left, about where each begins or about `about`.
    #[serde(default)]
    pub turn: f32,
    /// The point in metres about which ways turn.
    pub about: Option<[f32; 2]>,
    /// Seconds that they are later; earlier below 0.
    #[serde(default)]
    pub later: f32,
    /// The number that they are drawn by: another body with other clothes.
    pub looks: Option<u32>,
    /// What is known about their bodies from now on, in place of what was.
    pub body: Option<Told>,
    /// Another clip that they show in place of some.
    pub clip: Option<Swap>,
}

/// Shows a clip in place of others, where they are: feet of another gait go with its steps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swap {
    /// The name of what is shown no longer, or its beginning and `*`.
    pub of: String,
    /// The name of what is shown instead: a clip of the run's motion graph, or a built-in one.
    pub with: String,
}

/// People of a fix.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Who {
    /// One.
    One(u32),
    /// A range, both ends included.
    Range(String),
}

/// Two people who touch and did not before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Touch {
    /// Seconds from the start of the run at which they touch first.
    pub time: f32,
    /// The two.
    pub agents: [u32; 2],
    /// How far into one another they are at most, in metres.
    pub depth: f32,
}

/// What fixes did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Laid {
    /// People who were changed.
    pub changed: usize,
    /// People who are gone.
    pub removed: usize,
    /// Who touches whom because of it, the first first.
    pub touches: Vec<Touch>,
}

/// Why fixes cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The new run cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A fix speaks of what is not there.
    #[error("fix {number}: {problem}")]
    Fix {
        /// Which one, from 1.
        number: usize,
        /// What is the matter.
        problem: String,
    },
    /// The folder cannot be made.
    #[error("{0}")]
    Folder(#[from] std::io::Error),
}

/// Metres that a clip gets on at least to be a gait.
const GAIT: f32 = 0.2;

/// A swap with all that it speaks of found.
struct Swapping {
    /// Whether each clip of the run is shown no longer.
    gone: Vec<bool>,
    number: u16,
    clip: Clip,
    /// Frames of the run from one record to the next.
    stride: u32,
}

impl Swapping {
    fn of(swap: &Swap, run: &Run, clips: &BTreeMap<u16, Clip>) -> Result<Self, String> {
        let header = run.header();
        let matches = |name: &str| match swap.of.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == swap.of,
        };
        let gone: Vec<bool> = header.clips.iter().map(|entry| matches(&entry.name)).collect();
        if !gone.contains(&true) {
            return Err(format!("no clip of the run is called `{}`", swap.of));
        }
        let number = header.clips.iter().position(|entry| entry.name == swap.with);
        let number = number.and_then(|number| u16::try_from(number).ok());
        let number = number.ok_or_else(|| format!("no clip of the run is called `{}`", swap.with))?;
        let recorded = clips.get(&number).cloned();
        // Of what nobody showed the run has the name alone.
        let clip = recorded.or_else(|| {
            let library = crowdloom_motion::builtin::library();
            let same = library.skeleton == header.skeleton;
            library.clips.iter().find(|clip| same && clip.name == swap.with).cloned()
        });
        let clip = clip.ok_or_else(|| format!("the run does not hold the motion of `{}`", swap.with))?;
        Ok(Self { gone, number, clip, stride: header.stride })
    }

    /// Swaps what somebody shows.
    fn swap(&self, own: &mut BTreeMap<u32, Sample>, clips: &BTreeMap<u16, Clip>) {
        let goes = |clip: &Clip| clip.displacement().position.length() > GAIT;
        let last = self.clip.frames().saturating_sub(1).max(1) as f32;
        let mut began = None;
        for (&record, sample) in own {
            if !self.gone.get(usize::from(sample.clip)).copied().unwrap_or(false) {
                began = None;
                continue;
            }
            let since = *began.get_or_insert(record);
            let was =
                clips.get(&sample.clip).filter(|clip| goes(clip) && goes(&self.clip) && clip.frames() > 1);
            let frame = match was {
                Some(was) => sample.clip_frame() / (was.frames() - 1) as f32 * last,
                None => ((record - since) * self.stride) as f32 % last,
            };
            let stance = sample.stance();
            *sample = Sample::new(
                sample.placement(),
                sample.metres_a_second(),
                self.number,
                frame,
                (sample.style, sample.state),
            )
            .standing(stance);
        }
    }
}

/// Recorded frames and samples of everybody.
type Agents = BTreeMap<u32, BTreeMap<u32, Sample>>;

impl Fix {
    /// Who is meant, of those who are there.
    fn who(&self, there: &Agents) -> Result<BTreeSet<u32>, String> {
        let mut meant = BTreeSet::new();
        for who in &self.agents {
            let range = match who {
                Who::One(id) => (*id, *id),
                Who::Range(text) => {
                    let ends = text.split_once('-').unwrap_or((text, text));
                    let number = |text: &str| text.trim().parse::<u32>().ok();
                    number(ends.0)
                        .zip(number(ends.1))
                        .filter(|(from, to)| from <= to)
                        .ok_or_else(|| format!("`{text}` is no range of people, such as \"10-20\""))?
                }
            };
            let found: Vec<u32> = there.range(range.0..=range.1).map(|(&id, _)| id).collect();
            if found.is_empty() {
                return Err(format!("nobody of {}-{} is in the run", range.0, range.1));
            }
            meant.extend(found);
        }
        match meant.is_empty() {
            true => Err("it names nobody".into()),
            false => Ok(meant),
        }
    }

    fn check(&self) -> Result<(), String> {
        let numbers = [self.shift[0], self.shift[1], self.turn, self.later];
        let about = self.about.unwrap_or_default();
        let sound = numbers.iter().chain(&about).all(|number| number.is_finite() && number.abs() < 1e6);
        sound.then_some(()).ok_or_else(|| "it holds what is no number of metres, degrees or seconds".into())
    }

    /// A sample after the fix; `pivot` is what its way turns about.
    fn moved(&self, sample: Sample, pivot: Vec2) -> Sample {
        let turn = Placement { position: Vec2::ZERO, heading: self.turn.to_radians() };
        let place = |p: Vec2| pivot + turn.transform_point(p - pivot) + Vec2::from(self.shift);
        let heading = |angle: f32| crowdloom_motion::wrap_angle(angle + turn.heading);
        let was = sample.placement();
        let now = Placement { position: place(was.position), heading: heading(was.heading) };
        let plain = Sample::new(
            now,
            sample.metres_a_second(),
            sample.clip,
            sample.clip_frame(),
            (sample.style, sample.state),
        );
        let stance = sample.stance().map(|mut stance| {
            for foot in &mut stance.feet {
                foot.ball = place(foot.ball);
                foot.heading = heading(foot.heading);
            }
            stance
        });
        plain.over(sample.under()).standing(stance)
    }
}

/// Everybody of a run.
fn everybody(run: &Run) -> Result<Agents, ReadError> {
    let (first, stride) = (run.frames().start, run.header().stride);
    let mut agents = Agents::new();
    for chunk in run.chunks_of(run.frames()) {
        let chunk = chunk?;
        let begin = (chunk.first_frame - first) / stride;
        for Track { id, first, samples } in chunk.tracks {
            let own = agents.entry(id).or_default();
            own.extend(
                samples.into_iter().enumerate().map(|(at, sample)| (begin + first + at as u32, sample)),
            );
        }
    }
    Ok(agents)
}

/// Writes the run with all fixes made into `folder` as a run of its own.
pub fn lay_out(run: &Run, fixes: &Fixes, folder: &Path) -> Result<Laid, LayoutError> {
    let before = everybody(run)?;
    let mut agents = before.clone();
    let mut end = run.end().cloned().unwrap_or_default();
    let mut changed = BTreeSet::new();
    let mut clips = run.clips().clone();
    let records = (run.frames().end.saturating_sub(run.frames().start)).div_ceil(run.header().stride);
    for (index, fix) in fixes.fix.iter().enumerate() {
        let fail = |problem| LayoutError::Fix { number: index + 1, problem };
        fix.check().map_err(fail)?;
        let swapping =
            fix.clip.as_ref().map(|swap| Swapping::of(swap, run, &clips)).transpose().map_err(fail)?;
        for id in fix.who(&agents).map_err(fail)? {
            changed.insert(id);
            if fix.remove {
                agents.remove(&id);
                continue;
            }
            if let Some(looks) = fix.looks {
                end.looks.insert(id, looks);
            }
            if let Some(body) = &fix.body {
                end.people.insert(id, body.clone());
            }
            let Some(own) = agents.get_mut(&id) else { continue };
            let later = (fix.later / run.header().record_time()).round() as i64;
            let pivot = fix.about.map(Vec2::from);
            let pivot = pivot.or(own.values().next().map(Sample::position)).unwrap_or_default();
            let moved = own.iter().filter_map(|(&record, &sample)| {
                let record =
                    u32::try_from(i64::from(record) + later).ok().filter(|record| *record < records)?;
                Some((record, fix.moved(sample, pivot)))
            });
            *own = moved.collect();
            if let Some(swapping) = &swapping {
                swapping.swap(own, &clips);
            }
        }
        if let Some(Swapping { number, clip, .. }) = swapping {
            clips.insert(number, clip);
        }
    }
    agents.retain(|_, own| !own.is_empty());
    let touches = touches(run, &before, &agents, &changed);
    end.agents = agents.len() as u32;
    // What was counted and changed while it ran is about another run.
    (end.overlaps, end.edits) = (None, Vec::new());
    write(run, &agents, &clips, end, folder)?;
    let removed = before.len() - agents.len();
    Ok(Laid { changed: changed.len(), removed, touches })
}

fn write(
    run: &Run,
    agents: &Agents,
    clips: &BTreeMap<u16, Clip>,
    end: crate::run::End,
    folder: &Path,
) -> Result<(), LayoutError> {
    std::fs::create_dir_all(folder)?;
    let mut writer = RunWriter::create(&folder.join(RUN_NAME), &folder.join(PARTIAL_NAME), run.header())?;
    writer.clips(clips.iter().map(|(&number, clip)| (number, clip.clone())).collect())?;
    let (first, stride) = (run.frames().start, run.header().stride);
    for chunk in run.chunks_of(run.frames()) {
        let chunk = chunk?;
        let begin = (chunk.first_frame - first) / stride;
        let mut there: Vec<Vec<(u32, Sample)>> = vec![Vec::new(); chunk.records as usize];
        for (&id, own) in agents {
            for (&record, &sample) in own.range(begin..begin + chunk.records) {
                there[(record - begin) as usize].push((id, sample));
            }
        }
        let notes = chunk.notes.into_iter().filter(|(id, _)| agents.contains_key(id)).collect();
        let rest = Chunk { tracks: Vec::new(), following: Vec::new(), notes, ..chunk };
        writer.chunk(rest, Gathered::Records(there))?;
    }
    writer.finish(end)?;
    Ok(())
}

/// Who touches because of the fixes: discs that meet and did not meet before.
fn touches(run: &Run, before: &Agents, after: &Agents, changed: &BTreeSet<u32>) -> Vec<Touch> {
    let reach = run.header().radius * 2.0;
    let mut found: BTreeMap<[u32; 2], Touch> = BTreeMap::new();
    let apart = |agents: &Agents, record: u32, [a, b]: [u32; 2]| {
        let at = |id: u32| agents.get(&id)?.get(&record).map(Sample::position);
        at(a).zip(at(b)).map_or(f32::INFINITY, |(a, b)| a.distance(b))
    };
    for &id in changed {
        let Some(own) = after.get(&id) else { continue };
        for (&other, theirs) in after.iter().filter(|(other, _)| **other != id) {
            let pair = [id.min(other), id.max(other)];
            if found.contains_key(&pair) {
                continue;
            }
            for (&record, sample) in own {
                let Some(their) = theirs.get(&record) else { continue };
                let gap = sample.position().distance(their.position());
                // A millimetre is what places are rounded to.
                if gap < reach - 0.002 && apart(before, record, pair) >= reach - 0.002 {
                    let time = record as f32 * run.header().record_time();
                    let touch = found.entry(pair).or_insert(Touch { time, agents: pair, depth: 0.0 });
                    touch.depth = touch.depth.max(reach - gap);
                }
            }
        }
    }
    let mut all: Vec<Touch> = found.into_values().collect();
    all.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.agents.cmp(&b.agents)));
    all
}
