//! Motion diversity: no two neighbours walk alike (Gu and Deng 2010, "Context-aware motion diversification for crowd
//! simulation", section V).
//!
//! A layer over any mover: it needs of each agent only its motion type, speed and place. Whenever an agent's primitive
//! motion ends, [`StyleControl`] chooses its next style by equations 2 to 8.

mod book;
mod camera;
mod choice;
mod control;
mod population;
mod saved;
mod weights;

pub use book::{FootMoment, Loop, StyleBook};
pub use camera::{Camera, CameraPath};
pub use control::{Demand, Playing, Scheme, StyleControl, StyleOptions, Switches, gait};
pub use population::Priorities;
pub use saved::SavedStyles;
pub use weights::{StyleAdditions, StyleWeights};
