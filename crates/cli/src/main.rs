//! The `crowdloom` command line: parses arguments, calls the libraries, prints what they return.

mod commands;
mod progress;

use clap::Parser;

/// Weaves crowds out of human motion.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> miette::Result<()> {
    Arguments::parse().command.run()
}
