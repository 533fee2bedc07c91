//! Motion styles: primitive motions cut from long captures and told apart by their kinetic energy (Gu and Deng 2010,
//! "Context-aware motion diversification for crowd simulation", section IV).
//!
//! [`find_primitives`] cuts cycles of walking and running, and stretches of waiting and fighting, out of clips;
//! [`StyleLibrary::build`] sorts them into types, removes redundant and outlying ones and makes the tables that crowds
//! choose from; [`Transition`] leads from one primitive over to another.

mod cluster;
mod cycles;
mod energy;
mod left_out;
mod library;
mod poses;
mod primitive;
mod prune;
mod stances;
mod table;
mod transition;

pub use cycles::CycleRule;
pub use energy::{BodyEnergy, low_pass, valleys};
pub use left_out::LeftOut;
pub use library::{BuildReport, StyleError, StyleLibrary, StyleOptions, TypeReport, find_primitives};
pub use primitive::{Closing, MotionType, Primitive};
pub use prune::PruneRule;
pub use stances::StanceRule;
pub use table::StyleTable;
pub use transition::{BLEND_FRAMES, Pace, Start, Transition};

#[cfg(test)]
mod tests;
