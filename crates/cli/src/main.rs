//! The `crowdloom` command line: parses arguments, calls the libraries, prints what they return.

mod commands;
mod progress;

use clap::Parser;

/// What the program leaves behind for scripts.
const EXIT_CODES: &str = "Exit codes: 0 done; 1 an error, told on standard error; 2 wrong arguments; \
3 interrupted once, what there was is written; 130 interrupted twice, stopped at once.";

/// Weaves crowds out of human motion.
#[derive(Parser)]
#[command(version, about, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> miette::Result<()> {
    Arguments::parse().command.run()
}
