//! `crowdloom bench NAME`.

use super::report;
use crowdloom_lab::bench;
use miette::IntoDiagnostic;

/// Arguments of `crowdloom bench`.
#[derive(clap::Args)]
pub struct Bench {
    /// Which hot path to time.
    name: Name,
    /// How many agents (`city`, `follow`, `mixed`, `studio` and `writing` 10,000 and `cell-marking` 20,000 without it; `steering` and `diversity`
    /// several numbers).
    #[arg(long)]
    agents: Option<usize>,
    /// Simulated seconds (for `city`, `mixed`, `cell-marking` and `writing`), or rounds of a second (for `studio`).
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
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
    /// Bodies of a population (`--agents`: 1,000 without it).
    Bodies,
    /// Captured motion in the planning step, among many.
    CellMarking,
    /// A crowd in a city of blocks (thesis section 6.1).
    City,
    /// What the choice of motion styles adds to a frame (Gu and Deng 2010, table II).
    Diversity,
    /// Bodies that follow discs on their own feet, without poses.
    Follow,
    /// People of all movers, a bus, planned and recorded people in one city, and whether promises are kept.
    Mixed,
    /// Collision tests of placed motions (thesis section 4.4).
    Mobb,
    /// A body posed from a clip between two frames.
    Pose,
    /// Velocity movers in the scenes that others are timed in.
    Steering,
    /// A city in the studio, with and without a page that watches it.
    #[cfg(feature = "studio")]
    Studio,
    /// Ground queries and routes.
    World,
    /// A city with and without its run being written.
    Writing,
}

impl Bench {
    /// Runs the benchmark and prints its report.
    pub fn run(self) -> miette::Result<()> {
        match self.name {
            Name::Bodies => report(&bench::bodies::run(self.agents.unwrap_or(1_000)), self.json),
            Name::CellMarking => {
                let agents = self.agents.unwrap_or(20_000);
                report(&bench::cell_marking::run(agents, self.seconds.max(1)), self.json)
            }
            Name::City => {
                report(&bench::city::run(self.agents.unwrap_or(10_000), self.seconds.max(1)), self.json)
            }
            Name::Diversity => report(&bench::diversity::run(self.agents), self.json),
            Name::Follow => report(&bench::follow::run(self.agents.unwrap_or(10_000)), self.json),
            Name::Pose => report(&bench::pose::run(), self.json),
            Name::Mixed => {
                let people = self.agents.unwrap_or(10_000);
                report(&bench::mixed::run(people, self.seconds.max(1)).into_diagnostic()?, self.json)
            }
            Name::Mobb => report(&bench::mobb::run(), self.json),
            Name::Steering => {
                let Self { agents, model, scene, threads, .. } = self;
                let filter = bench::steering::Filter { agents, model, scene, threads };
                report(&bench::steering::run(&filter), self.json)
            }
            #[cfg(feature = "studio")]
            Name::Studio => {
                let people = self.agents.unwrap_or(10_000);
                let rounds = self.seconds.clamp(1, 200);
                report(&crowdloom_studio::bench::run(people, rounds).into_diagnostic()?, self.json)
            }
            Name::World => report(&bench::world::run(), self.json),
            Name::Writing => {
                let agents = self.agents.unwrap_or(10_000);
                report(&bench::writing::run(agents, self.seconds.max(1)).into_diagnostic()?, self.json)
            }
        }
    }
}
