//! `crowdloom bench NAME`.

use super::report;
use crowdloom_lab::bench;

/// Arguments of `crowdloom bench`.
#[derive(clap::Args)]
pub struct Bench {
    /// Which hot path to time.
    name: Name,
    /// City only: simulated seconds.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// City and steering only: this number of agents.
    #[arg(long)]
    agents: Option<usize>,
    /// Steering only: this model.
    #[arg(long)]
    model: Option<String>,
    /// Steering only: this scene.
    #[arg(long)]
    scene: Option<String>,
    /// Steering only: this number of threads.
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// A crowd in a city of blocks (thesis section 6.1).
    City,
    /// Collision tests of placed motions (thesis section 4.4).
    Mobb,
    /// Velocity movers in the scenes that others are timed in.
    Steering,
    /// Ground queries and routes.
    World,
}

impl Bench {
    /// Runs the benchmark and prints its report.
    pub fn run(self) -> miette::Result<()> {
        match self.name {
            Name::City => {
                report(&bench::city::run(self.agents.unwrap_or(10_000), self.seconds.max(1)), self.json)
            }
            Name::Mobb => report(&bench::mobb::run(), self.json),
            Name::Steering => {
                let Self { agents, model, scene, threads, .. } = self;
                let filter = bench::steering::Filter { agents, model, scene, threads };
                report(&bench::steering::run(&filter), self.json)
            }
            Name::World => report(&bench::world::run(), self.json),
        }
    }
}
