//! Measures a run from its file.

use crate::measure::flows::crosses;
use crate::measure::{Measures, measure_run};
use crate::run::{ReadError, Run, Sample, Summary, Track};
use crowdloom_motion::quality::contact_speed;
use glam::Vec2;
use serde::Serialize;
use std::collections::BTreeMap;

/// Slower than this, in metres a second, somebody waits.
const WAITING_SPEED: f32 = 0.1;
/// The state whose name promises that one gets on; who does not is counted apart.
const UNDER_WAY: &str = "under way";
const HELD_UP: &str = "under way, not getting on";
/// Width of a class of speeds in metres a second, and how many there are.
const SPEED_CLASS: f32 = 0.1;
const SPEED_CLASSES: usize = 30;
/// The side of a cell of the density map in metres, unless the ground is large.
const CELL: f32 = 1.0;
const MOST_CELLS: f32 = 160.0;

/// How many went through a line.
#[derive(Clone, Debug, Serialize)]
pub struct LineFlow {
    /// The line's name.
    pub name: String,
    /// Length in metres.
    pub length: f32,
    /// Crossings from the right of the line, seen from its start to its end, to the left.
    pub to_left: u32,
    /// Crossings the other way.
    pub to_right: u32,
    /// Seconds from the first crossing to the last, in which the line was in use.
    pub in_use: f32,
    /// Crossings for each second in use and metre of the line, both ways: one less than crossings, by the time.
    pub specific_flow: f32,
}

/// People for each square metre, on average over the run.
#[derive(Clone, Debug, Serialize)]
pub struct DensityMap {
    /// Side of a cell in metres.
    pub cell: f32,
    /// Lower left corner in metres.
    pub corner: [f32; 2],
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from south to north.
    pub rows: usize,
    /// Row after row from the south.
    pub values: Vec<f32>,
    /// The most people in one cell in one recorded second, for each square metre.
    pub peak: f32,
}

/// What a run came to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The program's version.
    pub version: String,
    /// The run's name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The scene's text.
    pub scene: String,
    /// Seconds simulated.
    pub seconds: f32,
    /// Different agents.
    pub agents: u32,
    /// Goals reached.
    pub arrivals: u64,
    /// Mean speed of all in metres a second.
    pub mean_speed: f32,
    /// Mean seconds that an agent waited.
    pub mean_waiting: f32,
    /// The longest that one waited in all, in seconds.
    pub longest_waiting: f32,
    /// Pairs that overlapped, where that was counted.
    pub overlaps: Option<u64>,
    /// How deep the deepest overlap was, in metres.
    pub deepest_overlap: f32,
    /// Mean speed of feet on the ground in metres a second, over the clips as often as they were shown.
    pub foot_skate: Option<f32>,
    /// What was asked of planned people, and what came of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<crowdloom_synthesis::Outcome>,
    /// Flow through named lines.
    pub lines: Vec<LineFlow>,
    /// Shares of all agent-frames in classes of 0.1 m/s.
    pub speeds: Vec<f32>,
    /// For each second: time, agents there, mean speed.
    pub course: Vec<(f32, u32, f32)>,
    /// Shares of agent-frames by state.
    pub states: Vec<(String, f32)>,
    /// Where people were.
    pub density: DensityMap,
    /// How people behaved, as `crowdloom measure` tells it; none for runs too large to look at everybody in passing.
    pub behaviour: Option<Measures>,
    /// Seconds of work by stage.
    pub stages: Vec<(String, f64)>,
    /// Simulated seconds in a second.
    pub real_time_factor: f64,
    /// Whether the run was stopped before its time.
    pub interrupted: bool,
}

#[derive(Default)]
struct Sums {
    frames: u64,
    distance: f64,
    waiting: BTreeMap<u32, u32>,
    speeds: Vec<u64>,
    seconds: BTreeMap<u32, (u32, f64, u64)>,
    states: Vec<u64>,
    clips: BTreeMap<u16, u64>,
    crossings: Vec<Crossings>,
    /// The state in which people are under way, and records in it in which they do not get on.
    under_way: Option<u8>,
    held_up: u64,
    peak: u32,
}

/// Crossings of a line, and the records of the first and the last.
#[derive(Clone, Copy, Default)]
struct Crossings {
    to_left: u32,
    to_right: u32,
    used: Option<(u32, u32)>,
}

/// Records of all people up to which a report looks at how everybody behaves.
const MOST_RECORDS: u64 = 20_000_000;

/// Measures a run.
pub fn measure(run: &Run, summary: &Summary) -> Result<Report, ReadError> {
    let header = run.header();
    let step = header.record_time();
    let (low, high) = header.ground.bounds();
    let low = Vec2::new(low[0] as f32, low[1] as f32);
    let extent = Vec2::new(high[0] as f32, high[1] as f32) - low;
    let cell = (extent.max_element() / MOST_CELLS).max(CELL);
    let (columns, rows) =
        ((extent.x / cell).ceil().max(1.0) as usize, (extent.y / cell).ceil().max(1.0) as usize);
    let mut counts = vec![0u64; columns * rows];
    let mut sums = Sums {
        speeds: vec![0; SPEED_CLASSES],
        states: vec![0; 256],
        crossings: vec![Crossings::default(); header.lines.len()],
        under_way: header.states.iter().position(|state| state == UNDER_WAY).map(|at| at as u8),
        ..Sums::default()
    };
    let records_a_second = (1.0 / step).round().max(1.0) as u32;
    let mut last: BTreeMap<u32, (u32, Sample)> = BTreeMap::new();
    for chunk in run.chunks_of(run.frames()) {
        let chunk = chunk?;
        let base = (chunk.first_frame - run.frames().start) / chunk.stride.max(1);
        let mut now: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        for track in &chunk.tracks {
            let before = last.get(&track.id).copied();
            walk(track, base, before, step, &mut sums, &header.lines);
            for (index, sample) in track.samples.iter().enumerate() {
                let place = ((sample.position() - low) / cell).floor();
                let column = (place.x.max(0.0) as usize).min(columns - 1);
                let row = (place.y.max(0.0) as usize).min(rows - 1);
                counts[row * columns + column] += 1;
                let record = base + track.first + index as u32;
                if record.is_multiple_of(records_a_second) {
                    *now.entry((record, row * columns + column)).or_default() += 1;
                }
            }
            if let Some(sample) = track.samples.last() {
                last.insert(track.id, (base + track.first + track.samples.len() as u32 - 1, *sample));
            }
        }
        sums.peak = sums.peak.max(now.values().copied().max().unwrap_or(0));
    }
    let records = (run.frames().len() as f32 / header.stride as f32).max(1.0);
    let values = counts.iter().map(|&count| count as f32 / records / (cell * cell)).collect();
    let density = DensityMap {
        cell,
        corner: low.to_array(),
        columns,
        rows,
        values,
        peak: sums.peak as f32 / (cell * cell),
    };
    let few = sums.frames <= MOST_RECORDS;
    let behaviour = few.then(|| measure_run(run, Vec::new())).transpose()?;
    Ok(finish(run, summary, &sums, density, step, behaviour))
}

/// Adds one agent's stretch to the sums; `before` is where it was at the end of the chunk before.
fn walk(
    track: &Track,
    base: u32,
    before: Option<(u32, Sample)>,
    step: f32,
    sums: &mut Sums,
    lines: &[crate::run::Line],
) {
    let mut previous =
        before.filter(|(record, _)| record + 1 == base + track.first).map(|(_, sample)| sample);
    for (index, sample) in track.samples.iter().enumerate() {
        let record = base + track.first + index as u32;
        sums.states[usize::from(sample.state)] += 1;
        *sums.clips.entry(sample.clip).or_default() += 1;
        let entry = sums.seconds.entry((record as f32 * step) as u32).or_default();
        if ((record as f32 * step) % 1.0) < step {
            entry.0 += 1;
        }
        if let Some(previous) = previous {
            let (a, b) = (previous.position(), sample.position());
            let distance = a.distance(b);
            let speed = distance / step;
            sums.frames += 1;
            sums.distance += f64::from(distance);
            entry.1 += f64::from(speed);
            entry.2 += 1;
            sums.speeds[((speed / SPEED_CLASS) as usize).min(SPEED_CLASSES - 1)] += 1;
            sums.held_up += u64::from(speed < WAITING_SPEED && Some(sample.state) == sums.under_way);
            if speed < WAITING_SPEED {
                *sums.waiting.entry(track.id).or_default() += 1;
            }
            for (line, crossings) in lines.iter().zip(&mut sums.crossings) {
                if let Some(to_left) = crosses(Vec2::from(line.from), Vec2::from(line.to), a, b) {
                    *(if to_left { &mut crossings.to_left } else { &mut crossings.to_right }) += 1;
                    let (first, last) = crossings.used.unwrap_or((record, record));
                    crossings.used = Some((first.min(record), last.max(record)));
                }
            }
        }
        previous = Some(*sample);
    }
}

fn finish(
    run: &Run,
    summary: &Summary,
    sums: &Sums,
    density: DensityMap,
    step: f32,
    behaviour: Option<Measures>,
) -> Report {
    let header = run.header();
    let frames = sums.frames.max(1) as f32;
    let waits = |records: u32| records as f32 * step;
    let agents = summary.agents.max(1) as f32;
    let all_states: u64 = sums.states.iter().sum::<u64>().max(1);
    let skates: Vec<(f32, u64)> = sums
        .clips
        .iter()
        .filter_map(|(number, &count)| {
            Some((contact_speed(&header.skeleton, run.clips().get(number)?)?, count))
        })
        .collect();
    let shown: u64 = skates.iter().map(|(_, count)| count).sum();
    let lines = header.lines.iter().zip(&sums.crossings).map(|(line, crossings)| {
        let &Crossings { to_left, to_right, used } = crossings;
        let length = Vec2::from(line.from).distance(Vec2::from(line.to));
        let in_use = used.map_or(0.0, |(first, last)| (last - first) as f32 * step);
        let between = (to_left + to_right).saturating_sub(1) as f32;
        let specific_flow = if in_use > 0.0 { between / (in_use * length.max(1e-6)) } else { 0.0 };
        LineFlow { name: line.name.clone(), length, to_left, to_right, in_use, specific_flow }
    });
    let shares = header.states.iter().enumerate().map(|(index, name)| {
        let held_up = if Some(index as u8) == sums.under_way { sums.held_up } else { 0 };
        (name.clone(), sums.states[index.min(255)] - held_up)
    });
    let held_up = sums.under_way.map(|_| (HELD_UP.to_owned(), sums.held_up));
    let states = shares.chain(held_up).map(|(name, count)| (name, count as f32 / all_states as f32));
    Report {
        version: header.program.clone(),
        name: header.name.clone(),
        seed: header.seed,
        scene: header.scene.clone(),
        seconds: summary.seconds,
        agents: summary.agents,
        arrivals: summary.arrivals,
        mean_speed: (sums.distance / f64::from(frames * step)) as f32,
        mean_waiting: sums.waiting.values().map(|&records| waits(records)).sum::<f32>() / agents,
        longest_waiting: sums.waiting.values().map(|&records| waits(records)).fold(0.0, f32::max),
        overlaps: summary.overlaps,
        deepest_overlap: summary.deepest_overlap,
        foot_skate: (shown > 0)
            .then(|| skates.iter().map(|&(speed, count)| speed * count as f32).sum::<f32>() / shown as f32),
        constraints: summary.constraints.clone(),
        lines: lines.collect(),
        speeds: sums.speeds.iter().map(|&count| count as f32 / frames).collect(),
        course: sums
            .seconds
            .iter()
            .map(|(&second, &(there, speed, count))| {
                (second as f32, there, (speed / count.max(1) as f64) as f32)
            })
            .collect(),
        states: states.collect(),
        density,
        behaviour,
        stages: summary.stages.clone(),
        real_time_factor: summary.real_time_factor,
        interrupted: summary.interrupted,
    }
}
