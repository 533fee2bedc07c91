//! Scenes: one TOML file that says world, people, situations and scenario; read, checked and brought to life.

mod apart;
mod bounds;
mod boxes;
mod build;
mod by_hand;
pub mod camera;
mod constraints;
pub mod embedded;
pub mod events;
pub mod file;
pub mod formation;
mod ground;
mod happenings;
mod history;
mod letters;
mod motion;
pub mod mover;
pub mod output;
pub mod painted;
pub mod people;
pub mod places;
mod problem;
pub mod prop;
mod recording;
mod rules;
mod scheme;
mod simulation;
mod situations;
mod snapshot;
pub mod spread;
pub mod staging;
pub mod steers;
mod styles;
mod synthesis;
mod template;
pub mod term;
mod vehicles;
mod wide;

pub use build::{Overrides, SceneError, check, load, load_with, parse, parse_styled, parse_with, stage};
pub use by_hand::Enacted;
pub use constraints::Stage;
pub use history::Refused;
pub use problem::Problem;
pub use simulation::{SavedSimulation, Simulation};
pub use snapshot::SnapshotError;
pub use styles::OtherStyles;

/// The JSON Schema of the scene file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::SceneFile).to_value()
}
