//! Scenes: one TOML file that says world, people, situations and scenario; read, checked and brought to life.

mod bounds;
mod build;
mod constraints;
pub mod embedded;
pub mod file;
mod ground;
mod letters;
mod motion;
mod mover;
pub mod output;
pub mod places;
mod problem;
mod rules;
mod simulation;
mod situations;
mod styles;
mod vehicles;
mod walkers;

pub use build::{Overrides, SceneError, check, load, parse, parse_styled, parse_walkers, stage};
pub use constraints::{Cast, Stage};
pub use problem::Problem;
pub use simulation::{SavedSimulation, Simulation};
pub use styles::OtherStyles;

/// The JSON Schema of the scene file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::SceneFile).to_value()
}
