//! Scenes: one TOML file that says world, people, situations and scenario; read, checked and brought to life.

mod build;
mod constraints;
pub mod embedded;
pub mod file;
mod ground;
mod problem;
mod simulation;
mod situations;

pub use build::{Overrides, SceneError, check, load, parse};
pub use constraints::Cast;
pub use problem::Problem;
pub use simulation::Simulation;

/// The JSON Schema of the scene file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::SceneFile).to_value()
}
