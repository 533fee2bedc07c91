//! `crowdloom check SCENE` and `crowdloom schema`.

use miette::{IntoDiagnostic, miette};
use std::path::PathBuf;

/// Arguments of `crowdloom check`.
#[derive(clap::Args)]
pub struct Check {
    /// The scene file.
    scene: PathBuf,
}

impl Check {
    /// Prints every mistake.
    pub fn run(self) -> miette::Result<()> {
        let problems = crowdloom_scene::check(&self.scene);
        for problem in &problems {
            say!("{}: {problem}", self.scene.display());
        }
        match problems.iter().filter(|problem| !problem.harmless).count() {
            0 => {
                say!("{}: can run", self.scene.display());
                Ok(())
            }
            count => Err(miette!("{count} mistake(s) keep the scene from running")),
        }
    }
}

/// Prints the JSON Schema of the scene file.
pub fn print_schema() -> miette::Result<()> {
    say!("{}", serde_json::to_string_pretty(&crowdloom_scene::schema()).into_diagnostic()?);
    Ok(())
}
