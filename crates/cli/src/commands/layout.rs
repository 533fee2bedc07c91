//! `crowdloom layout RUN --edits fixes.toml -o RUN2`.

use crowdloom_output::layout::{Fixes, lay_out};
use crowdloom_output::run::Run;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::PathBuf;

/// Arguments of `crowdloom layout`.
#[derive(clap::Args)]
pub struct Layout {
    /// The folder of a run, or a run file.
    folder: PathBuf,
    /// The fixes, in TOML.
    #[arg(long)]
    edits: PathBuf,
    /// The folder for the new run.
    #[arg(short, long)]
    output: PathBuf,
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

/// So many touches are told one by one.
const TOLD: usize = 20;

impl Layout {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        let text = std::fs::read_to_string(&self.edits)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot read {}", self.edits.display()))?;
        let fixes: Fixes =
            toml::from_str(&text).map_err(|error| miette!("{}: {error}", self.edits.display()))?;
        let run = Run::open(&self.folder).into_diagnostic()?;
        let own = run.path().parent().and_then(|folder| folder.canonicalize().ok());
        if own.is_some() && own == self.output.canonicalize().ok() {
            return Err(miette!(
                "the new run needs a folder of its own: {} holds the old one",
                self.output.display()
            ));
        }
        let laid = lay_out(&run, &fixes, &self.output).into_diagnostic()?;
        let new = Run::open(&self.output).into_diagnostic()?;
        crowdloom_replay::write_page(&new, &self.output).into_diagnostic()?;
        if self.json {
            say!("{}", serde_json::to_string_pretty(&laid).into_diagnostic()?);
            return Ok(());
        }
        say!("{}: {} changed, {} of them removed", self.output.display(), laid.changed, laid.removed);
        for touch in laid.touches.iter().take(TOLD) {
            let [a, b] = touch.agents;
            tell!("{a} and {b} touch at {:.1} s, by up to {:.2} m", touch.time, touch.depth);
        }
        if laid.touches.len() > TOLD {
            tell!("and {} more pairs touch", laid.touches.len() - TOLD);
        }
        Ok(())
    }
}
