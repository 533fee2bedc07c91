//! `crowdloom demo [NAME] [-o DIR]`.

use super::running::{Running, run_and_write};
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::{Crowd, Mind, Setting};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_output::run::{CrowdRecording, Line, RunInfo};
use crowdloom_world::{City, MeshRouter};
use miette::{IntoDiagnostic, miette};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `crowdloom demo`.
#[derive(clap::Args)]
pub struct Demo {
    /// Which demo to run.
    #[arg(default_value = "city")]
    name: Name,
    /// The folder to write the run, its replay page and its report to.
    #[arg(short, long, default_value = "out/demo")]
    output: PathBuf,
    /// How many people.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    people: u32,
    /// Seconds to simulate.
    #[arg(long, default_value_t = 60.0)]
    seconds: f32,
    /// The seed that everything random follows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    running: Running,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// People wandering through a generated city.
    City,
}

impl Demo {
    /// Runs the demo and tells where its files are.
    pub fn run(self) -> miette::Result<()> {
        if !(self.seconds.is_finite() && self.seconds >= 0.0) {
            return Err(miette!("--seconds must be a number of seconds, not {}", self.seconds));
        }
        let Name::City = self.name;
        let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).into_diagnostic()?;
        let book = Arc::new(MoveBook::new(Arc::new(graph), BookOptions::default()).into_diagnostic()?);
        let city = City::default();
        let ground = Arc::new(city.build().into_diagnostic()?);
        let router = Arc::new(MeshRouter::new(ground.clone()));
        let mut crowd = Crowd::new(Setting { book, ground, router, seed: self.seed });
        crowd.scatter(self.people as usize, None, |random| Mind {
            speed: random.between(1.0, 1.6),
            wanders: true,
            ..Mind::default()
        });
        let scene = format!("# demo city: {} wanderers, {} s, seed {}", self.people, self.seconds, self.seed);
        let info = RunInfo { name: "city".into(), seed: self.seed, scene, stride: 1 };
        let mut recording = CrowdRecording::new(&mut crowd).with_lines(street_ends(&city));
        run_and_write(&mut recording, &info, self.seconds, &self.output, &self.running)
    }
}

/// Lines across the four streets where they enter the square in the middle of the city.
fn street_ends(city: &City) -> Vec<Line> {
    let pitch = (city.block + city.street) as f32;
    let (street, block) = (city.street as f32, city.block as f32);
    let low = street + (city.blocks / 2) as f32 * pitch;
    let high = low + block;
    let line = |name: &str, from: [f32; 2], to: [f32; 2]| Line { name: name.into(), from, to };
    vec![
        line("west side of the square", [low, low], [low, high]),
        line("east side of the square", [high, low], [high, high]),
        line("south side of the square", [low, low], [high, low]),
        line("north side of the square", [low, high], [high, high]),
    ]
}
