//! `crowdloom experiment NAME`.

use super::report;
use crowdloom_lab::experiment;

/// Arguments of `crowdloom experiment`.
#[derive(clap::Args)]
pub struct Experiment {
    /// Which experiment to reproduce.
    name: Name,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// Captured motion in the planning step beside RVO (Brunner 2014, tables 5.1 and 5.2).
    CellMarking,
    /// 250 people leave a room through a door of one metre.
    Door,
    /// Constrained motion synthesis (Sung, Kovar and Gleicher 2005, table 1, figures 11 and 12).
    Synthesis,
}

impl Experiment {
    /// Runs the experiment and prints its report.
    pub fn run(self) -> miette::Result<()> {
        match self.name {
            Name::CellMarking => report(&experiment::cell_marking::run(20), self.json),
            Name::Door => report(&experiment::door::run(), self.json),
            Name::Synthesis => report(&experiment::synthesis::run(), self.json),
        }
    }
}
