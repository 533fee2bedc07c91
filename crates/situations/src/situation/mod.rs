//! Situations: a region, a group or a moment that lends its members actions, behaviour functions and rules.
//!
//! Thesis section 3.3. An agent that enters gets all that a situation has; leaving removes every trace. Agents in
//! several situations at once follow the union of them.

mod activity;
mod influence;
mod kind;

pub use activity::{Activity, Exact, Scenery, Spot};
pub use activity::{MISSED, WAITED};
pub use influence::{Defaults, Influence, RegionSet};
pub use kind::SituationKind;

use crate::rule::{Notes, RuleError, Script};
use crate::signal::SignalId;
use crowdloom_base::Mover;
use crowdloom_base::labels::LabelSet;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::ActionId;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// In a region of the ground, by its index.
    Region(usize),
    /// Wherever its members are; they are added and removed by hand or by rules.
    Members,
    /// In a vehicle, by its index, wherever that is.
    Vehicle(usize),
}

/// What a situation lends to those who are in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Situation {
    /// The situation's name.
    pub name: String,
    /// Where it is in force.
    pub place: Place,
    /// Whether it is in force at all.
    pub enabled: bool,
    /// The frames, first and one after the last, between which it is in force; `None` for always.
    pub during: Option<(u32, u32)>,
    /// How many may be in it at once; `None` for any number.
    pub capacity: Option<u32>,
    /// The share of those who come by that it concerns, from 0 to 1.
    pub share: f32,
    /// Where situations disagree on where to go, whether to stand or how fast to go, the highest has its way.
    pub priority: i32,
    /// Labels of actions that its members may do.
    pub grants: LabelSet,
    /// Actions of the graph that its members may do besides: a sub-graph of its own, in order.
    pub actions: Vec<ActionId>,
    /// Default behaviours that its members do without.
    pub removes: Defaults,
    /// Behaviour functions of the program that its members weigh with besides, by their numbers.
    pub behaviours: Vec<u16>,
    /// What moves its members instead of their own mover.
    pub mover: Option<Mover>,
    /// What its members do.
    pub activity: Activity,
    /// Sensors, memory and rules.
    #[serde(with = "crate::rule::recipe")]
    pub script: Option<Arc<Script>>,
}

impl Situation {
    /// A situation in which nothing happens, for any number of people and all of them.
    pub fn new(name: impl Into<String>, place: Place, activity: Activity) -> Self {
        Self {
            name: name.into(),
            place,
            enabled: true,
            during: None,
            capacity: None,
            share: 1.0,
            priority: 0,
            grants: LabelSet::NONE,
            actions: Vec::new(),
            removes: Defaults::default(),
            behaviours: Vec::new(),
            mover: None,
            activity,
            script: None,
        }
    }

    /// What it keeps about visitors before there are any.
    pub fn empty_roll(&self) -> Roll {
        let spots = match self.activity {
            Activity::Exclusive { .. } => self.capacity.unwrap_or(1) as usize,
            _ => self.activity.spots().len(),
        };
        Roll { holders: vec![None; spots], ..Roll::default() }
    }

    /// Whether it is in force in `frame`.
    pub fn in_force(&self, frame: u32) -> bool {
        self.enabled && self.during.is_none_or(|(first, end)| (first..end).contains(&frame))
    }
}

/// What an agent remembers of a situation while it is in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The situation.
    pub situation: SituationId,
    /// The frame in which the agent entered.
    pub since: u32,
    /// The frame in which it was last on its way to its spot; zero until it sets out.
    pub arrived: u32,
    /// The frame until which it is busy; zero until that is settled.
    pub until: u32,
    /// The spot that it holds.
    pub spot: Option<u16>,
    /// Motions onto the spot that could not be found.
    pub misses: u8,
    /// Whether it takes part, or only passes through.
    pub takes_part: bool,
    /// Whether it is through with what the situation asks.
    pub done: bool,
    /// Whether it has asked to come in and waits for the answer: there may be no room.
    pub asks: bool,
    /// What rules keep of the visit.
    pub notes: Option<Box<Notes>>,
}

impl Visit {
    /// A visit that begins in `frame`.
    pub fn new(situation: SituationId, frame: u32, takes_part: bool) -> Self {
        Self {
            situation,
            since: frame,
            arrived: 0,
            until: 0,
            spot: None,
            misses: 0,
            takes_part,
            done: false,
            asks: false,
            notes: None,
        }
    }
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
    /// Where the first of those present is, as of the last frame.
    pub leader: Placement,
}

/// A change that a decision asks for; carried out after all decisions of a group, in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The agent entered.
    Enter(SituationId),
    /// The agent left.
    Leave(SituationId),
    /// The agent wants a spot.
    Claim(SituationId, u16),
    /// The agent gives its spot up.
    Release(SituationId, u16),
    /// The agent wants a motion that ends exactly on its spot.
    Arrive(SituationId, u16),
    /// A signal is switched, or given back to its timer.
    Switch(SignalId, Option<bool>),
    /// The agent becomes a member of the groups of that name.
    Join(String),
    /// The agent is no member of the groups of that name any longer.
    Part(String),
    /// The agent wants a place in a vehicle.
    Board(usize),
    /// The agent gives its place in a vehicle up.
    Alight(usize),
    /// A rule of the situation failed for the agent.
    Failed(SituationId, RuleError),
}
