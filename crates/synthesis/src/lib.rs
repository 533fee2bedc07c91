//! Constrained motion synthesis: be there, then, facing that way, in that pose, exactly.
//!
//! Sung, Kovar and Gleicher 2005: a route, two greedy motions along it (one from the start, one back from the goal), a
//! randomised search for clips that make them nearly meet, and small displacements and retiming that make them meet
//! exactly. Agents are planned one after the other; those before are moving obstacles to those after.
//!
//! Metres, seconds, radians; frames at 30 frames/s. Same seed, same bits.

mod attempt;
mod failure;
mod fan;
mod goal;
mod join;
mod leg;
mod motion;
mod nearby;
mod options;
mod order;
mod outcome;
mod outline;
mod planner;
mod polish;
mod repertoire;
mod route;
mod search;
mod seed;
mod spot;
mod surroundings;
mod traffic;
mod walk;

pub use attempt::{Attempt, Status};
pub use failure::{Failure, Miss, Reason};
pub use goal::{Arrivals, EndPose, Goal, Task, When};
pub use leg::{Adjustment, Leg, Showing};
pub use motion::Motion;
pub use options::{Locomotion, Options, Routes, Weights};
pub use order::{OrderError, order};
pub use outcome::{Outcome, outcomes};
pub use planner::{Planned, Planner};
pub use repertoire::{Repertoire, RepertoireError};
pub use search::Effort;
pub use traffic::{Owner, Traffic};
