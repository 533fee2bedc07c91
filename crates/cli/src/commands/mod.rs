//! One file for each command.

mod bench;
mod demo;
mod export;
mod motion;
pub mod running;
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
    /// Run an embedded scene and write its replay page and report.
    Demo(demo::Demo),
    /// Write a run in a format that other programs read.
    Export(export::Export),
    /// Look at motions and prepare them.
    #[command(subcommand)]
    Motion(motion::Motion),
    /// Replay a run in the browser, streaming it.
    View(view::View),
    /// Look at maps.
    World(world::World),
}

impl Command {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Bench(bench) => bench.run(),
            Self::Demo(demo) => demo.run(),
            Self::Export(export) => export.run(),
            Self::Motion(motion) => motion.run(),
            Self::View(view) => view.run(),
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
