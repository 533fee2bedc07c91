//! Who does what next: agents, movers, behaviour functions and situations.
//!
//! Metres, seconds, radians; time is a frame number at 30 frames/s. Same seed, same bits, on any number of threads.

mod additions;
mod arrival;
mod asking;
mod bodies;
mod captured;
mod changing;
mod choosing;
mod consult;
mod courtesy;
mod crowd;
mod decision;
mod directing;
pub mod director;
mod edit;
mod explaining;
mod following;
mod heading;
mod leaving;
mod mind;
mod outlook;
mod performing;
mod person;
mod planned_bodies;
mod population;
mod reacting;
mod ride;
mod save;
mod shared;
mod shown;
mod steering;
mod terrain;
mod two_way;
mod warm_up;
mod wayfinding;
mod weighing;

pub use crowdloom_base::{Spread, grid, labels, random};
pub use crowdloom_cell_marking as cell_marking;
pub use crowdloom_diversity as diversity;
pub use crowdloom_promises::{commitment, moves};
use crowdloom_promises::{lanes, ledger};
pub use crowdloom_situations::{BehaviourFunction, Candidates, Deciding, PAST_STATES, PastState};
pub use crowdloom_situations::{behaviour, rule, scenario, scheme, sensor, signal, situation, vehicle};
pub use crowdloom_velocity as velocity;

pub use additions::Additions;
pub use arrival::ArrivalTally;
pub use bodies::{Bodies, needs_own_strides};
pub use crowd::{Crowd, Setting, Steps};
pub use directing::Direction;
pub use edit::{Cause, Edit, Happened, Refusal};
pub use explaining::{Explained, ExplainedMove, Fate};
pub use mind::Mind;
pub use person::{Dress, Errand, Mover, Profile, Sex};
pub use population::Newcomer;
pub use reacting::Reaction;
pub use save::{ResumeError, SavedCrowd};
pub use shared::{KnownLabels, Shared, Warning};
pub use shown::{Body, Shows};
pub use steering::Steering;
