//! What writing a run costs: the same city with and without being recorded, in turn.

use super::city::{blocks_for, city};
use crowdloom_output::run::{
    CrowdRecording, OVERLAP_FRAMES, RecordError, Recordable, RunInfo, Summary, record,
};
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Instant;

/// Times that both are run, one right after the other, each first in every other round.
const ROUNDS: usize = 15;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Agents in the city.
    pub agents: usize,
    /// Simulated seconds.
    pub seconds: u32,
    /// Threads that decide.
    pub threads: usize,
    /// Seconds that the run takes without being recorded, in the middle round of all sorted by it.
    pub plain_s: f64,
    /// Seconds that it takes with `run.loom` written, from the first frame to the file's final name, likewise.
    pub recorded_s: f64,
    /// How much longer that is than the plain run beside it, as a share, in the middle round of all sorted by it.
    pub cost: f64,
    /// That share in every round.
    pub costs: Vec<f64>,
    /// Bytes of the file for each agent and frame.
    pub bytes_per_agent_frame: f64,
}

/// Why the benchmark could not be run.
#[derive(Debug, thiserror::Error)]
pub enum WritingError {
    /// There is no room for files.
    #[error("cannot make a temporary folder: {0}")]
    Folder(#[from] std::io::Error),
    /// The run cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Runs a city of `agents` for `seconds` simulated seconds, plain and recorded.
pub fn run(agents: usize, seconds: u32) -> Result<Report, WritingError> {
    let folder = tempfile::tempdir()?;
    let (mut plain_s, mut recorded_s, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes = 0.0;
    for round in 0..ROUNDS {
        let mut plain = 0.0;
        if round % 2 == 0 {
            plain = run_plain(agents, seconds);
        }
        let (recorded, summary) = run_recorded(agents, seconds, folder.path())?;
        if round % 2 == 1 {
            plain = run_plain(agents, seconds);
        }
        plain_s.push(plain);
        recorded_s.push(recorded);
        costs.push(recorded / plain - 1.0);
        bytes = summary.bytes_per_agent_frame;
    }
    Ok(Report {
        agents,
        seconds,
        threads: rayon::current_num_threads(),
        plain_s: middle(&plain_s),
        recorded_s: middle(&recorded_s),
        cost: middle(&costs),
        costs,
        bytes_per_agent_frame: bytes,
    })
}

/// Seconds of a run that nobody records; overlaps are counted as in one that is recorded.
fn run_plain(agents: usize, seconds: u32) -> f64 {
    let mut crowd = city(blocks_for(agents), agents, 1);
    let mut plain = CrowdRecording::new(&mut crowd);
    let started = Instant::now();
    for frame in 0..seconds * 30 {
        plain.step();
        if frame % OVERLAP_FRAMES == 0 {
            plain.overlaps();
        }
    }
    started.elapsed().as_secs_f64()
}

/// Seconds of a run that is recorded into `folder`.
fn run_recorded(agents: usize, seconds: u32, folder: &Path) -> Result<(f64, Summary), RecordError> {
    let mut crowd = city(blocks_for(agents), agents, 1);
    let mut recording = CrowdRecording::new(&mut crowd);
    let info = RunInfo { name: "writing".into(), stride: 1, ..RunInfo::default() };
    let started = Instant::now();
    let summary = record(&mut recording, &info, seconds as f32, folder, &mut |_| {}, &|| false)?;
    Ok((started.elapsed().as_secs_f64(), summary))
}

/// The middle one of all values.
fn middle(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} people for {} s on {} threads", self.agents, self.seconds, self.threads)?;
        writeln!(
            f,
            "{:.2} s plain, {:.2} s recorded: writing costs {:.1} % ({:.2} bytes an agent and frame)",
            self.plain_s,
            self.recorded_s,
            100.0 * self.cost,
            self.bytes_per_agent_frame
        )
    }
}
