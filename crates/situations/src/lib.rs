//! What places, groups and moments lend to people, and what decisions weigh.
//!
//! A [`behaviour`] function weighs the moves that somebody may choose from. A [`situation`] lends its members behaviour
//! functions, actions and [`rule`]s, which look through [`sensor`]s; a [`scheme`] says how much functions count, a [`signal`] says when, the [`scenario`] where people
//! go. A [`vehicle`] is a region that moves. A program may add behaviour functions ([`BehaviourFunction`]) and kinds of
//! situations ([`situation::SituationKind`]) of its own.

pub mod behaviour;
mod behaviour_function;
pub mod rule;
pub mod scenario;
pub mod scheme;
pub mod sensor;
pub mod signal;
pub mod situation;
pub mod vehicle;

pub use behaviour_function::{BehaviourFunction, Candidates, Deciding, PAST_STATES, PastState};
