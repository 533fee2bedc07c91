//! One file for each command.

mod bench;
mod motion;
mod scene;
mod world;

use miette::IntoDiagnostic;
use serde::Serialize;
use std::fmt::Display;

/// What to do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Time a hot path.
    Bench(bench::Bench),
    /// Tell every mistake in a scene file.
    Check(scene::Check),
    /// Print the JSON Schema of the scene file.
    Schema,
    /// Look at motions and prepare them.
    #[command(subcommand)]
    Motion(motion::Motion),
    /// Look at maps.
    World(world::World),
}

impl Command {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Bench(bench) => bench.run(),
            Self::Check(check) => check.run(),
            Self::Schema => scene::print_schema(),
            Self::Motion(motion) => motion.run(),
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
