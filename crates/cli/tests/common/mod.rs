//! Running the program.

use std::process::{Command, Output};

/// Runs the program; whatever bodies the user has installed, tests are about the built-in ones.
pub fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdloom"))
        .args(arguments)
        .env("CROWDLOOM_DATA", "/none")
        .output()
        .unwrap()
}
