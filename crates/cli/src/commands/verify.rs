//! `crowdloom verify`.

use super::report;
use crowdloom_lab::verify;
use crowdloom_motion::draft::write_whole;
use crowdloom_output::fundamental_diagram::{Series, plot_fundamental_diagram};
use miette::{Context, IntoDiagnostic};
use std::path::PathBuf;

/// Arguments of `crowdloom verify`.
#[derive(clap::Args)]
pub struct Verify {
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// Where to draw the fundamental diagram, as SVG.
    #[arg(short, long, default_value = "fundamental-diagram.svg")]
    output: PathBuf,
}

impl Verify {
    /// Runs all tests, prints the table and draws the diagram.
    pub fn run(self) -> miette::Result<()> {
        let found = verify::run();
        let series: Vec<Series> = found
            .fundamental_diagrams
            .iter()
            .map(|curve| Series {
                name: curve.model.clone(),
                points: curve.points.iter().map(|point| (point.measured_density, point.speed)).collect(),
            })
            .collect();
        let svg = plot_fundamental_diagram(&series, verify::fundamental_diagram::weidmann);
        write_whole(&self.output, svg)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot write {}", self.output.display()))?;
        report(&found, self.json)?;
        if !self.json {
            say!("{}", self.output.display());
        }
        Ok(())
    }
}
