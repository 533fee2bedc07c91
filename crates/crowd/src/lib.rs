//! Who does what next: agents, movers, behaviour functions and situations.
//!
//! Metres, seconds, radians; time is a frame number at 30 frames/s. Same seed, same bits, on any number of threads.

mod arrival;
pub mod behaviour;
mod bodies;
pub mod cell_marking;
mod changing;
pub mod commitment;
mod consult;
mod courtesy;
mod crowd;
mod decision;
pub mod direct;
pub mod diversity;
mod edit;
mod follower;
pub mod grid;
mod heading;
pub mod labels;
mod lanes;
mod ledger;
mod mind;
pub mod moves;
mod one_move;
mod outlook;
mod performing;
mod person;
mod population;
pub mod random;
mod ride;
pub mod rule;
mod save;
pub mod scenario;
pub mod sensor;
mod shared;
mod shown;
pub mod signal;
pub mod situation;
mod spread;
mod steering;
pub mod vehicle;
pub mod velocity;
mod wayfinding;
mod weighing;

pub use arrival::Brought;
pub use bodies::Bodies;
pub use crowd::{Crowd, Setting, Steps};
pub use edit::{Edit, Refusal};
pub use mind::Mind;
pub use person::{Errand, Mover, Profile, Sex};
pub use population::Newcomer;
pub use save::{ResumeError, SavedCrowd};
pub use shared::{KnownLabels, Shared, Warning};
pub use shown::{Body, Shows};
pub use spread::Spread;
pub use steering::Steering;
