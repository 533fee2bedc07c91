//! `crowdloom bench NAME`.

use super::report;
use crowdloom_lab::bench;

/// Arguments of `crowdloom bench`.
#[derive(clap::Args)]
pub struct Bench {
    /// Which hot path to time.
    name: Name,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// Collision tests of placed motions (thesis section 4.4).
    Mobb,
    /// Ground queries and routes.
    World,
}

impl Bench {
    /// Runs the benchmark and prints its report.
    pub fn run(self) -> miette::Result<()> {
        match self.name {
            Name::Mobb => report(&bench::mobb::run(), self.json),
            Name::World => report(&bench::world::run(), self.json),
        }
    }
}
