//! Recording a simulation while Python can interrupt it.

use crate::errors::run_error;
use crate::guarded::Guarded;
use crate::model::Trouble;
use crate::threads::pool;
use crowdloom_output::report;
use crowdloom_output::run::{CrowdRecording, Progress, Run, RunInfo, record};
use crowdloom_scene::Simulation;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What to write, and where.
pub struct Recorded {
    /// The folder.
    pub folder: PathBuf,
    /// Seconds to run.
    pub seconds: f32,
    /// Frames from one recorded frame to the next.
    pub stride: u32,
    /// Whether to write the replay page.
    pub page: bool,
    /// Whether to write the report.
    pub report: bool,
    /// Frames after which all that is needed to go on is put beside the run, over and over; 0 never.
    pub save_every: u32,
}

/// Progress is shown and signals are looked at so often.
const LOOKS_UP: Duration = Duration::from_millis(50);

/// Records on another thread while this one, which may be the main one, looks after signals and shows progress; a run that
/// is interrupted is written up to then. Returns the summary as JSON.
pub fn record_guarded(
    py: Python<'_>,
    simulation: &Guarded<Simulation>,
    recorded: &Recorded,
    show: Option<&Py<PyAny>>,
    trouble: &Trouble,
) -> PyResult<String> {
    let pool = pool()?;
    let interrupt = AtomicBool::new(false);
    let progress = Mutex::new(0.0f32);
    let ended = AtomicBool::new(false);
    let outcome = simulation.with_here(py, |simulation| {
        std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let ends = || interrupt.load(Ordering::Relaxed) || trouble.is_there();
                let outcome = pool.install(|| write(simulation, recorded, &progress, &ends));
                ended.store(true, Ordering::Release);
                outcome
            });
            let mut raised = None;
            let look_up = |raised: &mut Option<PyErr>| {
                let simulated = *progress.lock().unwrap_or_else(PoisonError::into_inner);
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    show.map_or(Ok(()), |show| show.call1(py, (simulated,)).map(|_| ()))
                });
                if let Err(error) = looked {
                    interrupt.store(true, Ordering::Relaxed);
                    raised.get_or_insert(error);
                }
            };
            while !ended.load(Ordering::Acquire) && !work.is_finished() {
                std::thread::sleep(LOOKS_UP);
                look_up(&mut raised);
            }
            let outcome = work.join();
            (outcome, raised)
        })
    })?;
    trouble.raised()?;
    match outcome {
        (_, Some(raised)) => Err(raised),
        (Ok(Ok(summary)), None) => Ok(summary),
        (Ok(Err(error)), None) => Err(run_error(py, &*error)),
        (Err(panic), None) => std::panic::resume_unwind(panic),
    }
}

type AnyError = Box<dyn std::error::Error + Send + Sync>;

fn write(
    simulation: &mut Simulation,
    recorded: &Recorded,
    progress: &Mutex<f32>,
    interrupt: &dyn Fn() -> bool,
) -> Result<String, AnyError> {
    let Recorded { folder, seconds, stride, page, report, save_every } = recorded;
    let info = RunInfo { stride: *stride, save_every: *save_every, ..RunInfo::of_scene(simulation) };
    let mut recording = CrowdRecording::of_scene(simulation);
    let mut note = |now: &Progress| {
        *progress.lock().unwrap_or_else(PoisonError::into_inner) = now.simulated;
    };
    let summary = record(&mut recording, &info, *seconds, folder, &mut note, interrupt)?;
    if *page || *report {
        let run = Run::open(folder)?;
        if *page {
            crowdloom_replay::write_page(&run, folder)?;
        }
        if *report {
            report::write(&run, &summary, folder)?;
        }
    }
    Ok(serde_json::to_string(&summary)?)
}
