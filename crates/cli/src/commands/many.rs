//! `crowdloom run SCENE --seeds 1..100`.

use super::running::{INTERRUPTED, Running, interrupt_flag};
use crowdloom_output::many::{Band, ManyRuns, run_many};
use crowdloom_scene::{SceneError, Simulation};
use indicatif::{ProgressBar, ProgressStyle};
use miette::{IntoDiagnostic, miette};
use std::path::Path;
use std::str::FromStr;

/// The most seeds at once.
const MOST_SEEDS: usize = 1_000_000;

/// Seeds of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Seeds(pub Vec<u64>);

impl FromStr for Seeds {
    type Err = String;

    /// Reads `1..100`, both included, or `3,5,8`, or both mixed.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "seeds are given as 1..100 (both included) or as 3,5,8".to_owned();
        let mut seeds = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let number = |text: &str| text.trim().trim_start_matches('=').parse::<u64>().map_err(|_| wrong());
            let (first, last) = (number(first)?, number(last)?);
            if last < first || last - first >= MOST_SEEDS as u64 {
                return Err(wrong());
            }
            seeds.extend(first..=last);
        }
        if seeds.len() > MOST_SEEDS {
            return Err(format!("at most {MOST_SEEDS} seeds"));
        }
        seeds.sort_unstable();
        seeds.dedup();
        Ok(Self(seeds))
    }
}

/// Runs a scene with many seeds and writes one summary.
pub fn run(
    load: &(dyn Fn(u64) -> Result<Simulation, SceneError> + Sync),
    seeds: &Seeds,
    seconds: Option<f32>,
    jobs: Option<usize>,
    folder: &Path,
    running: &Running,
) -> miette::Result<()> {
    let jobs = match jobs {
        Some(0) => return Err(miette!("--jobs must be at least 1")),
        Some(jobs) => jobs,
        None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    };
    let interrupt = interrupt_flag();
    let bar = match running.is_silent() {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(seeds.0.len() as u64),
    };
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} runs · {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let note = |done: usize| bar.set_position(done as u64);
    let found = run_many(load, &seeds.0, seconds, jobs, &interrupt, &note);
    bar.finish_and_clear();
    let found = found.map_err(|error| miette!("{error}"))?;
    let files = found.write(folder).into_diagnostic()?;
    if running.json {
        say!("{}", serde_json::to_string_pretty(&found).into_diagnostic()?);
    } else if !running.is_silent() {
        print(&found);
        files.iter().for_each(|file| say!("  {}", file.display()));
    }
    if found.interrupted {
        std::process::exit(INTERRUPTED);
    }
    Ok(())
}

fn print(found: &ManyRuns) {
    say!(
        "{} runs of {:.1} s; means, and what nine of ten runs lie between:",
        found.runs.len(),
        found.seconds
    );
    for (name, Band { mean, p5, p95 }) in &found.bands {
        say!("  {name:<16} {mean:>9.2}   {p5:>9.2} to {p95:.2}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read() {
        assert_eq!("1..4".parse(), Ok(Seeds(vec![1, 2, 3, 4])));
        assert_eq!("7, 3,3..=4".parse(), Ok(Seeds(vec![3, 4, 7])));
        for wrong in ["", "4..1", "a..b", "1..", "0..18446744073709551615", "-1..3"] {
            assert!(wrong.parse::<Seeds>().is_err(), "{wrong}");
        }
    }
}
