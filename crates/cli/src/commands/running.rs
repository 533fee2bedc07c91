//! What every command that runs a crowd shares: progress, interruption, the files and the summary.

use crowdloom_output::run::{Progress, Recordable, Run, RunInfo, Summary, record};
use indicatif::{ProgressBar, ProgressStyle};
use miette::{IntoDiagnostic, WrapErr};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Options of every command that runs a crowd.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Running {
    /// Print nothing but errors.
    #[arg(short, long)]
    quiet: bool,
    /// Print one JSON object instead of a summary.
    #[arg(long)]
    pub json: bool,
}

impl Running {
    /// Whether nobody is told how far it is.
    pub fn is_silent(&self) -> bool {
        self.quiet || self.json
    }

    /// Nothing is printed but errors.
    pub fn quiet() -> Self {
        Self { quiet: true, json: false }
    }
}

/// The exit code of a run that was interrupted once: what there was is written.
pub const INTERRUPTED: i32 = 3;
/// The exit code of a run that was interrupted twice, as shells have it.
pub const STOPPED: i32 = 130;

/// What was written, and how the run went.
#[derive(Serialize)]
struct Outcome {
    #[serde(flatten)]
    summary: Summary,
    files: Vec<PathBuf>,
}

/// Runs a crowd and writes all files of its folder; leaves the program with [`INTERRUPTED`] where it was interrupted.
pub fn run_and_write(
    crowd: &mut impl Recordable,
    info: &RunInfo,
    seconds: f32,
    folder: &Path,
    running: &Running,
) -> miette::Result<()> {
    let interrupt = interrupt_flag();
    let bar = if running.is_silent() { ProgressBar::hidden() } else { bar(seconds) };
    let mut show = |progress: &Progress| {
        let factor = f64::from(progress.simulated) / progress.elapsed.max(1e-9);
        bar.set_position((progress.simulated * 10.0) as u64);
        bar.set_message(format!(
            "{:.1} of {:.0} s · {} people · {factor:.1} × real time",
            progress.simulated, progress.seconds, progress.agents
        ));
    };
    let mut summary = record(crowd, info, seconds, folder, &mut show, &|| interrupt.load(Ordering::Relaxed))
        .into_diagnostic()?;
    let mut files = vec![summary.path.clone()];
    let run = Run::open(folder).into_diagnostic()?;
    bar.set_message("writing the replay page");
    let started = Instant::now();
    files.push(crowdloom_replay::write_page(&run, folder).into_diagnostic()?);
    summary.stages.push(("replay page".into(), started.elapsed().as_secs_f64()));
    bar.set_message("writing the report");
    files.extend(crowdloom_output::report::write(&run, &summary, folder).into_diagnostic()?);
    bar.finish_and_clear();
    let outcome = Outcome { summary, files };
    if running.json {
        say!("{}", serde_json::to_string_pretty(&outcome).into_diagnostic()?);
    } else if !running.quiet {
        print_summary(&outcome)?;
    }
    if outcome.summary.interrupted {
        std::process::exit(INTERRUPTED);
    }
    Ok(())
}

fn print_summary(Outcome { summary, files }: &Outcome) -> miette::Result<()> {
    if summary.interrupted {
        say!("Interrupted; what there was is written.");
    }
    say!(
        "{} people for {:.1} s in {:.1} s ({:.1} × real time); {} goals reached; {} overlaps{}",
        summary.agents,
        summary.seconds,
        summary.elapsed,
        summary.real_time_factor,
        summary.arrivals,
        summary.overlaps.map_or("uncounted".into(), |count| count.to_string()),
        match summary.deepest_overlap {
            0.0 => String::new(),
            depth => format!(", the deepest {:.1} cm", 100.0 * depth),
        },
    );
    for path in files {
        let size = std::fs::metadata(path).into_diagnostic().wrap_err("a file has gone")?.len();
        say!("  {:>8.1} MB  {}", size as f64 / 1e6, path.display());
    }
    Ok(())
}

fn bar(seconds: f32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {msg} · {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new((seconds * 10.0) as u64).with_style(style)
}

/// A flag that the first interrupt sets; the second stops the program.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    // Where no handler can be set, an interrupt stops at once: the run file is then readable up to its last chunk.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(STOPPED);
        }
        tell!("Stopping; interrupt again to stop at once.");
    });
    flag
}
