//! `crowdloom demo [NAME]` and `crowdloom run SCENE`.

use super::many::{self, Seeds};
use super::running::{Running, run_and_write};
use crowdloom_crowd::Steps;
use crowdloom_motion::FRAME_RATE;
use crowdloom_output::export::{self, GlbOptions, Selection, UsdForm};
use crowdloom_output::run::{CrowdRecording, RunInfo, SNAPSHOT_NAME};
use crowdloom_scene::output::Format;
use crowdloom_scene::{Overrides, Problem, SceneError, Simulation, embedded};
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Options of a run of a scene.
#[derive(clap::Args)]
struct RunOptions {
    /// Seconds to simulate [default: what the scene says].
    #[arg(long)]
    seconds: Option<f32>,
    /// The seed that everything random follows from [default: what the scene says].
    #[arg(long)]
    seed: Option<u64>,
    /// How many people, in the proportions of the scene [default: what the scene says].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    people: Option<u32>,
    /// Threads to use [default: all cores]; the result is the same on any number.
    #[arg(long)]
    threads: Option<usize>,
    /// Seconds of the simulation after which the run is put away, over and over, so that it can be gone on with.
    #[arg(long, value_name = "SECONDS")]
    save_every: Option<f32>,
    #[command(flatten)]
    running: Running,
}

impl RunOptions {
    fn overrides(&self) -> Overrides {
        Overrides { seed: self.seed, people: self.people.map(|people| people as usize) }
    }
}

/// Arguments of `crowdloom demo`.
#[derive(clap::Args)]
pub struct Demo {
    /// Which embedded scene to run.
    #[arg(default_value = "city")]
    name: String,
    /// The folder to write the run, its replay page and its report to.
    #[arg(short, long, default_value = "out/demo")]
    output: PathBuf,
    #[command(flatten)]
    options: RunOptions,
}

/// Arguments of `crowdloom run`.
#[derive(clap::Args)]
pub struct Run {
    /// The scene file, or an embedded scene such as `street`, `situation:bench` or `experiment:4`.
    #[arg(required_unless_present = "resume")]
    scene: Option<PathBuf>,
    /// Goes on with a run that was put away by `--save-every`: its folder, or its snapshot. What comes from there on is
    /// written as a run of its own.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["scene", "seed", "people"])]
    resume: Option<PathBuf>,
    /// Makes the changes again that were made while another run of the same scene went on: its folder, or its run file.
    #[arg(long, value_name = "RUN", conflicts_with = "resume")]
    repeat_edits: Option<PathBuf>,
    /// Runs the scene with many seeds, `1..100` (both included) or `3,5,8`, and writes one summary: means, and the band of nine
    /// of ten runs, in `runs.html` and `runs.json`.
    #[arg(long, conflicts_with_all = ["resume", "repeat_edits", "seed", "save_every", "threads"])]
    seeds: Option<Seeds>,
    /// How many of these runs go on side by side [default: as many as there are cores]; the result is the same on any number.
    #[arg(long, requires = "seeds")]
    jobs: Option<usize>,
    /// The folder to write the run, its replay page and its report to.
    #[arg(short, long, default_value = "out/run")]
    output: PathBuf,
    #[command(flatten)]
    options: RunOptions,
}

impl Demo {
    /// Runs the demo and tells where its files are.
    pub fn run(self) -> miette::Result<()> {
        let Some(text) = embedded::scene(&self.name) else {
            let scenes = embedded::SCENES.iter().map(|(name, about, _)| format!("{name}: {about}"));
            let examples = embedded::SITUATIONS.iter();
            let examples = examples.map(|example| format!("{}{}", embedded::SITUATION, example.name));
            let experiments = embedded::EXPERIMENTS.iter();
            let experiments =
                experiments.map(|(number, about, _)| format!("{}{number}: {about}", embedded::EXPERIMENT));
            let known: Vec<String> = scenes.chain(experiments).chain(examples).collect();
            return Err(miette!(help = known.join("\n"), "there is no demo called `{}`", self.name));
        };
        run(
            crowdloom_scene::parse(Path::new(&self.name), text, self.options.overrides()),
            &self.output,
            self.options,
        )
    }
}

/// Reads a scene file; where there is none, an embedded scene of that name.
pub fn load(scene: &Path, overrides: Overrides) -> Result<(Simulation, Vec<Problem>), SceneError> {
    match scene.to_str().and_then(embedded::scene) {
        Some(text) if !scene.exists() => crowdloom_scene::parse(scene, text, overrides),
        _ => crowdloom_scene::load(scene, overrides),
    }
}

/// Runs a scene into a folder without a word but warnings.
pub fn run_quietly(scene: &Path, output: &Path) -> miette::Result<()> {
    let running = Running::quiet();
    let options =
        RunOptions { seconds: None, seed: None, people: None, threads: None, save_every: None, running };
    run(load(scene, options.overrides()), output, options)
}

impl Run {
    /// Runs the scene and tells where its files are.
    pub fn run(self) -> miette::Result<()> {
        if let Some(place) = &self.resume {
            let file = if place.is_dir() { place.join(SNAPSHOT_NAME) } else { place.clone() };
            let bytes = std::fs::read(&file)
                .into_diagnostic()
                .wrap_err_with(|| format!("cannot read {}", file.display()))?;
            let simulation = Simulation::from_snapshot(&bytes).into_diagnostic()?;
            return run_on(simulation, &self.output, self.options);
        }
        let scene = self.scene.as_deref().unwrap_or(Path::new(""));
        if let Some(seeds) = &self.seeds {
            let is_told = AtomicBool::new(false);
            let load = |seed: u64| {
                let overrides = Overrides { seed: Some(seed), ..self.options.overrides() };
                let (simulation, problems) = load(scene, overrides)?;
                if !is_told.swap(true, Ordering::Relaxed) {
                    problems.iter().for_each(|problem| tell!("{}: {problem}", simulation.name()));
                }
                Ok(simulation)
            };
            let seconds = checked(self.options.seconds)?;
            return many::run(&load, seeds, seconds, self.jobs, &self.output, &self.options.running);
        }
        let mut loaded = load(scene, self.options.overrides());
        if let (Some(other), Ok((simulation, _))) = (&self.repeat_edits, &mut loaded) {
            let other = crowdloom_output::run::Run::open(other).into_diagnostic()?;
            let (header, own) = (other.header(), simulation.crowd().setting().seed);
            if header.scene != simulation.text() || header.seed != own {
                tell!(
                    "{}: the other run is of another scene or seed; this one will differ",
                    simulation.name()
                );
            }
            simulation.repeat(&other.edits().into_diagnostic()?);
        }
        run(loaded, &self.output, self.options)
    }
}

fn run(
    loaded: Result<(Simulation, Vec<Problem>), SceneError>,
    output: &Path,
    options: RunOptions,
) -> miette::Result<()> {
    let (simulation, problems) = loaded.map_err(|error| miette!("{error}"))?;
    for problem in problems {
        tell!("{}: {problem}", simulation.name());
    }
    run_on(simulation, output, options)
}

/// A time that a run can last, in seconds.
fn checked(seconds: Option<f32>) -> miette::Result<Option<f32>> {
    match seconds.filter(|seconds| !(0.0..=86_400.0).contains(seconds)) {
        Some(seconds) => Err(miette!("--seconds must be between 0 and 86400, not {seconds}")),
        None => Ok(seconds),
    }
}

/// As many changes that were refused are told one by one.
const MOST_TOLD: usize = 8;

/// Runs a simulation from the frame that it is in to its end.
fn run_on(mut simulation: Simulation, output: &Path, options: RunOptions) -> miette::Result<()> {
    let left = simulation.frames().saturating_sub(simulation.crowd().frame());
    let seconds = checked(options.seconds)?.unwrap_or(left as f32 / FRAME_RATE);
    let wanted = simulation.output().clone();
    let save_every = match options.save_every {
        Some(seconds) if (0.1..=86_400.0).contains(&seconds) => (seconds * FRAME_RATE) as u32,
        Some(seconds) => return Err(miette!("--save-every must be between 0.1 and 86400, not {seconds}")),
        None => 0,
    };
    let info = RunInfo { save_every, ..RunInfo::of_scene(&simulation) };
    let mut work = || {
        let mut recording = CrowdRecording::of_scene(&mut simulation);
        run_and_write(&mut recording, &info, seconds, output, &options.running)?;
        export(&wanted.export, output)
    };
    let outcome = match options.threads {
        None => work(),
        Some(0) => Err(miette!("--threads must be at least 1")),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(|error| miette!("{threads} threads cannot be started: {error}"))?.install(work)
        }
    };
    for warning in &simulation.crowd().shared().warnings {
        tell!("{}: {warning}", simulation.name());
    }
    let refused = simulation.refused();
    for one in refused.iter().take(MOST_TOLD) {
        let seconds = one.frame as f32 / FRAME_RATE;
        tell!("{}: at {seconds:.1} s not done: {}: {}", simulation.name(), one.edit, one.why);
    }
    if refused.len() > MOST_TOLD {
        tell!("{}: … and {} more changes were not done", simulation.name(), refused.len() - MOST_TOLD);
    }
    if simulation.waiting() > 0 {
        tell!("{} people found no room to appear until the end", simulation.waiting());
    }
    outcome
}

/// Exports a run into its folder as its scene wants.
fn export(formats: &[Format], folder: &Path) -> miette::Result<()> {
    if formats.is_empty() {
        return Ok(());
    }
    let run = crowdloom_output::run::Run::open(folder).into_diagnostic()?;
    let everybody = Selection::default();
    for format in formats {
        let file = folder.join(format.file_name());
        match format {
            Format::Text => export::write_text(&run, &everybody, &file),
            Format::Csv => export::write_csv(&run, &everybody, &file),
            Format::Glb => export::write_glb(&run, &everybody, &GlbOptions::default(), &file),
            Format::Usda => export::write_usd(&run, &everybody, 1, UsdForm::Text, &file),
            Format::Usdc => export::write_usd(&run, &everybody, 1, UsdForm::Binary, &file),
        }
        .into_diagnostic()?;
    }
    Ok(())
}
