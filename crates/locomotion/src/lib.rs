//! Walking and running at any speed, by people of any kind, learnt from cycles: hierarchical principal components
//! (Glardon, Boulic and Thalmann 2004, as told in chapter 4 of Thalmann and Musse, "Crowd Simulation").
//!
//! A [`Cycle`] is a vector of a hundred frames. All cycles span the main space; each person's cycles a space in it, and each
//! person's walks and runs a line in that, along which speed grows. An [`Engine`] makes cycles, poses and clips of any speed,
//! between walking and running, of any mixture of people.

mod captured;
mod clip;
mod cycle;
mod engine;
mod kits;
mod pca;
mod personal;
mod transition;
mod walk;

pub use clip::CYCLE_FRAMES;
pub use cycle::{Cycle, FRAMES, Gait, exponential, rotation};
pub use engine::{Engine, Quality, Wish};
pub use kits::{Action, KitWish, Kits, MotionKit};
pub use pca::Pca;
pub use personal::PersonalWalk;
pub use transition::Transition;
pub use walk::{Pace, Terrain, Walk};
