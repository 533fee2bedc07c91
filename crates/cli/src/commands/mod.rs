//! One file for each command.

mod bench;
mod experiment;
mod motion;
mod verify;
mod world;

use miette::IntoDiagnostic;
use serde::Serialize;
use std::fmt::Display;

/// What to do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Time a hot path.
    Bench(bench::Bench),
    /// Reproduce an experiment of the literature.
    Experiment(experiment::Experiment),
    /// Look at motions and prepare them.
    #[command(subcommand)]
    Motion(motion::Motion),
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
            Self::Experiment(experiment) => experiment.run(),
            Self::Motion(motion) => motion.run(),
            Self::Verify(verify) => verify.run(),
            Self::World(world) => world.run(),
        }
    }
}

/// Prints a report as a table, or as one JSON object.
fn report(report: &(impl Serialize + Display), json: bool) -> miette::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report).into_diagnostic()?);
    } else {
        print!("{report}");
    }
    Ok(())
}
