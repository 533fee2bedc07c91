//! The `crowdloom` command line: parses arguments, calls the libraries, prints what they return.

/// Prints a line on standard output; see [`printing::print`].
macro_rules! say {
    ($($argument:tt)*) => { crate::printing::print(format_args!("{}\n", format_args!($($argument)*))) };
}

/// Prints on standard output without ending the line.
macro_rules! say_on {
    ($($argument:tt)*) => { crate::printing::print(format_args!($($argument)*)) };
}

/// Prints a line on standard error, where somebody listens.
macro_rules! tell {
    ($($argument:tt)*) => { crate::printing::tell(format_args!($($argument)*)) };
}

mod commands;
mod printing;
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
    let arguments = Arguments::parse();
    // Broken bodies are no reason not to run: the built-in ones are there.
    if let Err(error) = crowdloom_bodies::installed::wear_installed() {
        tell!("{error}; bodies are the built-in ones");
    }
    arguments.command.run()
}
