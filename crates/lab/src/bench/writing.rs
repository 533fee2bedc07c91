//! What writing a run costs: the same city with and without being recorded, in turn.

use super::city::{blocks_for, city};
use crowdloom_output::run::{CrowdRecording, OVERLAP_FRAMES, Recordable, RunInfo, record};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Times that both are run; the quickest of each counts.
const ROUNDS: usize = 7;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Agents in the city.
    pub agents: usize,
    /// Simulated seconds.
    pub seconds: u32,
    /// Threads that decide.
    pub threads: usize,
    /// Seconds that the run takes without being recorded.
    pub plain_s: f64,
    /// Seconds that it takes with `run.loom` written, from the first frame to the file's final name.
    pub recorded_s: f64,
    /// How much longer that is, as a share.
    pub cost: f64,
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
    Record(#[from] crowdloom_output::run::RecordError),
}

/// Runs a city of `agents` for `seconds` simulated seconds, plain and recorded.
pub fn run(agents: usize, seconds: u32) -> Result<Report, WritingError> {
    let folder = tempfile::tempdir()?;
    let (mut plain_s, mut recorded_s, mut bytes) = (f64::INFINITY, f64::INFINITY, 0.0);
    for _ in 0..ROUNDS {
        let mut crowd = city(blocks_for(agents), agents, 1);
        let mut plain = CrowdRecording::new(&mut crowd);
        let started = Instant::now();
        for frame in 0..seconds * 30 {
            plain.step();
            // Overlaps are counted in both.
            if frame % OVERLAP_FRAMES == 0 {
                plain.overlaps();
            }
        }
        plain_s = started.elapsed().as_secs_f64().min(plain_s);

        let mut crowd = city(blocks_for(agents), agents, 1);
        let mut recording = CrowdRecording::new(&mut crowd);
        let info = RunInfo { name: "writing".into(), stride: 1, ..RunInfo::default() };
        let (mut silent, never) = (|_: &_| (), AtomicBool::new(false));
        let started = Instant::now();
        let summary = record(&mut recording, &info, seconds as f32, folder.path(), &mut silent, &never)?;
        recorded_s = started.elapsed().as_secs_f64().min(recorded_s);
        bytes = summary.bytes_per_agent_frame;
    }
    Ok(Report {
        agents,
        seconds,
        threads: rayon::current_num_threads(),
        plain_s,
        recorded_s,
        cost: recorded_s / plain_s - 1.0,
        bytes_per_agent_frame: bytes,
    })
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
