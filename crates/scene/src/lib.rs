//! Scenes: one TOML file that says world, people, situations and scenario; read, checked and brought to life.

mod build;
mod constraints;
pub mod embedded;
pub mod file;
mod ground;
mod mover;
pub mod output;
mod problem;
mod rules;
mod simulation;
mod situations;
mod vehicles;

pub use build::{Overrides, SceneError, check, load, parse};
pub use constraints::Cast;
pub use problem::Problem;
pub use simulation::{SavedSimulation, Simulation};

/// The JSON Schema of the scene file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::SceneFile).to_value()
}
