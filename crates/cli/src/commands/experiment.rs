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
    /// Frames that each case of `city` and `situations` is run for.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// Captured motion in the planning step beside RVO (Brunner 2014, tables 5.1 and 5.2).
    CellMarking,
    /// The virtual city: memory, time and collision tests (Sung 2005, table 6.1, figures 6.4 to 6.6).
    City,
    /// 250 people leave a room through a door of one metre.
    Door,
    /// Memory and time against the number of situations and of people (Sung 2005, figure 3.11).
    Situations,
}

impl Experiment {
    /// Runs the experiment and prints its report.
    pub fn run(self) -> miette::Result<()> {
        match self.name {
            Name::CellMarking => report(&experiment::cell_marking::run(20), self.json),
            Name::City => report(&experiment::city::run(self.steps), self.json),
            Name::Situations => report(&experiment::situations::run(self.steps), self.json),
            Name::Door => report(&experiment::door::run(), self.json),
        }
    }
}
