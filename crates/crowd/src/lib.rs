//! Who does what next: agents, movers, behaviour functions and situations.
//!
//! Metres, seconds, radians; time is a frame number at 30 frames/s. Same seed, same bits, on any number of threads.

mod arrival;
pub mod behaviour;
mod bystanders;
pub mod cell_marking;
pub mod commitment;
mod consult;
mod crowd;
mod decision;
pub mod direct;
mod directed;
pub mod diversity;
pub mod grid;
pub mod labels;
mod mind;
mod movers;
pub mod moves;
mod outlook;
mod population;
pub mod random;
mod ride;
pub mod rule;
mod save;
pub mod scenario;
pub mod sensor;
mod shared;
pub mod signal;
pub mod situation;
pub mod vehicle;
pub mod velocity;
mod wayfinding;

pub use arrival::Brought;
pub use crowd::{Crowd, Setting, Steps};
pub use directed::Directed;
pub use mind::Mind;
pub use movers::{Movers, SavedMovers};
pub use save::{ResumeError, SavedCrowd};
pub use shared::{KnownLabels, Shared, Warning};
