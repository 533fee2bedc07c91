//! One file for each command.

mod bench;
mod bodies;
mod demo;
mod experiment;
mod export;
mod film;
mod layout;
mod many;
mod measure;
mod motion;
mod picture;
pub mod running;
mod scene;
#[cfg(feature = "studio")]
mod studio;
mod verify;
#[cfg(feature = "studio")]
mod view;
mod world;

use miette::IntoDiagnostic;
use serde::Serialize;
use std::fmt::Display;

/// What to do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Time a hot path.
    Bench(bench::Bench),
    /// Look at bodies, clothes and outfits.
    #[command(subcommand)]
    Bodies(bodies::Bodies),
    /// Tell every mistake in a scene file.
    Check(scene::Check),
    /// Print the JSON Schema of the scene file.
    Schema,
    /// Run an embedded scene and write its replay page and report.
    Demo(demo::Demo),
    /// Run a scene file and write its run, replay page and report.
    Run(demo::Run),
    /// Write a run in a format that other programs read.
    Export(export::Export),
    /// Film a run, or a scene, without a window, as the page shows it.
    Film(film::Film),
    /// Fix a finished run: remove, move, turn or retime people, or give them other bodies.
    Layout(layout::Layout),
    /// Measure how the people of a run, or of a file of trajectories, behave.
    Measure(measure::Measure),
    /// Look at motions and prepare them.
    #[command(subcommand)]
    Motion(motion::Motion),
    /// Draw a scene from above at one moment.
    Picture(picture::Picture),
    /// Paint and direct a live crowd in the browser.
    #[cfg(feature = "studio")]
    Studio(studio::Studio),
    /// Replay a run in the browser, streaming it.
    #[cfg(feature = "studio")]
    View(view::View),
    /// Reproduce an experiment of the literature.
    Experiment(experiment::Experiment),
    /// Run the field's standard verification tests.
    Verify(verify::Verify),
    /// Look at maps.
    World(world::World),
}

impl Command {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Bench(bench) => bench.run(),
            Self::Bodies(command) => command.run(),
            Self::Check(check) => check.run(),
            Self::Schema => scene::print_schema(),
            Self::Demo(demo) => demo.run(),
            Self::Run(run) => run.run(),
            Self::Export(export) => export.run(),
            Self::Film(film) => film.run(),
            Self::Layout(layout) => layout.run(),
            Self::Measure(measure) => measure.run(),
            Self::Motion(motion) => motion.run(),
            Self::Picture(picture) => picture.run(),
            #[cfg(feature = "studio")]
            Self::Studio(studio) => studio.run(),
            #[cfg(feature = "studio")]
            Self::View(view) => view.run(),
            Self::Experiment(experiment) => experiment.run(),
            Self::Verify(verify) => verify.run(),
            Self::World(world) => world.run(),
        }
    }
}

/// Prints a report as a table, or as one JSON object.
fn report(report: &(impl Serialize + Display), json: bool) -> miette::Result<()> {
    let text = if json {
        serde_json::to_string_pretty(report).into_diagnostic()? + "\n"
    } else {
        report.to_string()
    };
    say_on!("{text}");
    Ok(())
}
