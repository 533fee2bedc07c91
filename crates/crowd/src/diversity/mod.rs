//! Motion diversity: no two neighbours walk alike (Gu and Deng 2010, "Context-aware motion diversification for crowd
//! simulation", section V).
//!
//! A layer over any mover: it needs of each agent only its motion type, speed and place. Whenever an agent's primitive
//! motion ends, [`StyleControl`] chooses its next style by equations 2 to 8. [`StyledCrowd`] is a velocity crowd with
//! the bodies that the layer gives it; [`GraphStyles`] leads the agents of a motion graph to their styles.

mod bodies;
mod book;
mod camera;
mod choice;
mod control;
mod errands;
mod graph;
mod population;
mod weights;

pub use bodies::{StyledCrowd, StyledWalker, Wishes};
pub use book::{Loop, StyleBook};
pub use camera::Camera;
pub use control::{Demand, Playing, Scheme, StyleControl, StyleOptions, Switches, gait};
pub use errands::{Destination, Errand, Errands};
pub use graph::GraphStyles;
pub use population::Priorities;
pub use weights::StyleWeights;
