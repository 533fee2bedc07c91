//! `crowdloom demo [NAME]` and `crowdloom run SCENE`.

use super::running::{Running, run_and_write};
use crowdloom_crowd::Steps;
use crowdloom_motion::FRAME_RATE;
use crowdloom_output::run::{CastRecording, CrowdRecording, RunInfo};
use crowdloom_scene::{Cast, Overrides, Problem, SceneError, Simulation, embedded};
use miette::miette;
use std::path::{Path, PathBuf};

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
    /// The scene file.
    scene: PathBuf,
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
            let known: Vec<String> =
                embedded::SCENES.iter().map(|(name, about, _)| format!("{name}: {about}")).collect();
            return Err(miette!(help = known.join("\n"), "there is no demo called `{}`", self.name));
        };
        run(
            crowdloom_scene::parse(Path::new(&self.name), text, self.options.overrides()),
            &self.output,
            self.options,
        )
    }
}

impl Run {
    /// Runs the scene and tells where its files are.
    pub fn run(self) -> miette::Result<()> {
        run(crowdloom_scene::load(&self.scene, self.options.overrides()), &self.output, self.options)
    }
}

fn run(
    loaded: Result<(Simulation, Vec<Problem>), SceneError>,
    output: &Path,
    options: RunOptions,
) -> miette::Result<()> {
    let (mut simulation, problems) = loaded.map_err(|error| miette!("{error}"))?;
    for problem in problems {
        eprintln!("{}: {problem}", simulation.name());
    }
    if simulation.refused() > 0 {
        eprintln!("{} people found no room and are left out", simulation.refused());
    }
    let seconds = options.seconds.unwrap_or(simulation.frames() as f32 / FRAME_RATE);
    if !(seconds.is_finite() && (0.0..=86_400.0).contains(&seconds)) {
        return Err(miette!("--seconds must be between 0 and 86400, not {seconds}"));
    }
    let seed = simulation.crowd().setting().seed;
    let info =
        RunInfo { name: simulation.name().to_owned(), seed, scene: simulation.text().to_owned(), stride: 1 };
    let cast = simulation.take_cast();
    let work = || {
        let mut recording = CrowdRecording::new(&mut simulation);
        match cast {
            None => run_and_write(&mut recording, &info, seconds, output, &options.running),
            Some(Cast { repertoire, members, outcomes }) => {
                let mut recording = CastRecording::new(recording, repertoire, members, outcomes);
                run_and_write(&mut recording, &info, seconds, output, &options.running)
            }
        }
    };
    match options.threads {
        None => work(),
        Some(0) => Err(miette!("--threads must be at least 1")),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(|error| miette!("{threads} threads cannot be started: {error}"))?.install(work)
        }
    }
}
