//! Situations: a region, a group or a moment that lends its members actions, behaviour functions and rules.
//!
//! Thesis section 3.3. An agent that enters gets all that a situation has; leaving removes every trace. Agents in
//! several situations at once follow the union of them.

mod activity;
mod influence;

pub use activity::{Activity, Scenery, Spot, Stay};
pub use influence::{Defaults, Influence};

use crate::labels::LabelSet;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Index of a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SituationId(pub u16);

impl SituationId {
    /// The situation's place in its list.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// Where a situation is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a region of the ground, by its index.
    Region(usize),
    /// Wherever its members are; they are added and removed by hand.
    Members,
}

/// What a situation lends to those who are in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// The situation's name.
    pub name: String,
    /// Where it is in force.
    pub place: Place,
    /// Whether it is in force at all.
    pub enabled: bool,
    /// How many may be in it at once; `None` for any number.
    pub capacity: Option<u32>,
    /// The share of those who come by that it concerns, from 0 to 1.
    pub share: f32,
    /// Labels of actions that its members may do.
    pub grants: LabelSet,
    /// Default behaviours that its members do without.
    pub removes: Defaults,
    /// What its members do.
    pub activity: Activity,
}

/// What an agent remembers of a situation while it is in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The situation.
    pub situation: SituationId,
    /// The frame in which the agent entered.
    pub since: u32,
    /// The frame until which it is busy; zero until that is settled.
    pub until: u32,
    /// The spot that it holds.
    pub spot: Option<u16>,
    /// Whether it takes part, or only passes through.
    pub takes_part: bool,
    /// Whether it is through with what the situation asks.
    pub done: bool,
}

/// What situations keep about all their visitors together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Roll {
    /// Agents, by their number, that are in the situation, in order.
    pub present: Vec<u32>,
    /// Who holds each spot.
    pub holders: Vec<Option<u32>>,
    /// Mean position of those present in metres, as of the last frame.
    pub centre: Vec2,
}

/// A change that a decision asks for; carried out after all decisions of a group, in their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The agent entered.
    Enter(SituationId),
    /// The agent left.
    Leave(SituationId),
    /// The agent wants a spot.
    Claim(SituationId, u16),
    /// The agent gives its spot up.
    Release(SituationId, u16),
}
