//! What all situations of an agent ask of it together.

use crate::behaviour::Behaviour;
use crowdloom_base::Mover;
use crowdloom_base::labels::LabelSet;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A set of default behaviours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defaults(pub u8);

impl Defaults {
    /// Find the target along a route.
    pub const TARGET_FIND: Self = Self(1);
    /// Do not turn without need.
    pub const DONT_TURN: Self = Self(2);
    /// Keep to the places that the ground says are likely.
    pub const IMAGE_LOOKUP: Self = Self(4);
    /// Keep one's own pace.
    pub const PACE: Self = Self(8);

    /// All of them by name.
    pub const NAMES: [(&str, Self); 4] = [
        ("find-target", Self::TARGET_FIND),
        ("dont-turn", Self::DONT_TURN),
        ("image-lookup", Self::IMAGE_LOOKUP),
        ("pace", Self::PACE),
    ];

    /// The default called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(own, _)| *own == name).map(|(_, default)| *default)
    }

    /// Whether `other` is part of this set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The most behaviour functions that situations may add for one decision.
pub const MAX_ADDED: usize = 8;

/// The most rooms that an agent is kept out of at once.
const MAX_KEPT_OUT: usize = 4;

/// The union of what an agent's situations ask.
#[derive(Clone, Copy, Debug)]
pub struct Influence {
    /// Where to go instead of the agent's own goal, in metres.
    pub target: Option<Vec2>,
    /// Stay where one is.
    pub stand: bool,
    /// Standing, take small steps to where one should be.
    pub settles: bool,
    /// Start nothing new: come to rest.
    pub hold: bool,
    /// Speed to go at, in metres a second.
    pub pace: Option<f32>,
    /// What moves the agent instead of its own mover.
    pub mover: Option<Mover>,
    /// Labels of actions that are allowed in addition.
    pub grants: LabelSet,
    /// Labels of actions that are wanted now, if any.
    pub wants: LabelSet,
    /// Defaults that are left out.
    pub removes: Defaults,
    /// A region of the ground that must not be left, by its index.
    pub stay_in: Option<usize>,
    /// Whether a situation lends actions of its own.
    pub grafts: bool,
    keep_out: [Option<u16>; MAX_KEPT_OUT],
    powers: [f32; Defaults::NAMES.len()],
    added: [Option<(Behaviour, f32)>; MAX_ADDED],
}

impl Default for Influence {
    fn default() -> Self {
        Self {
            target: None,
            stand: false,
            settles: false,
            hold: false,
            pace: None,
            mover: None,
            grants: LabelSet::NONE,
            wants: LabelSet::NONE,
            removes: Defaults::default(),
            stay_in: None,
            grafts: false,
            keep_out: [None; MAX_KEPT_OUT],
            powers: [1.0; Defaults::NAMES.len()],
            added: [None; MAX_ADDED],
        }
    }
}

impl Influence {
    /// Adds a behaviour function; more than [`MAX_ADDED`] are ignored.
    pub fn add(&mut self, behaviour: Behaviour) {
        self.add_scaled(behaviour, 1.0);
    }

    /// Adds a behaviour function whose weight is raised to `power`: 0 silences it, 2 doubles its say.
    pub fn add_scaled(&mut self, behaviour: Behaviour, power: f32) {
        if let Some(slot) = self.added.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some((behaviour, power));
        }
    }

    /// The behaviour functions that were added, each with the power that its weight is raised to.
    pub fn added(&self) -> impl Iterator<Item = &(Behaviour, f32)> {
        self.added.iter().flatten()
    }

    /// Raises the weights of defaults to `power`, on top of what was asked before.
    pub fn scale(&mut self, defaults: Defaults, power: f32) {
        for ((_, default), own) in Defaults::NAMES.iter().zip(&mut self.powers) {
            if defaults.has(*default) {
                *own *= power;
            }
        }
    }

    /// The power that the weight of a default is raised to; zero where it is left out.
    pub fn power(&self, default: Defaults) -> f32 {
        if self.removes.has(default) {
            return 0.0;
        }
        let mut powers = Defaults::NAMES.iter().zip(self.powers);
        powers.find(|((_, own), _)| *own == default).map_or(1.0, |(_, power)| power)
    }

    /// Keeps the agent out of a region, by its index; more than a few at once are ignored.
    pub fn keep_out_of(&mut self, region: usize) {
        if let Some(slot) = self.keep_out.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(region as u16);
        }
    }

    /// The regions that the agent is kept out of.
    pub fn kept_out_of(&self) -> impl Iterator<Item = usize> + '_ {
        self.keep_out.iter().flatten().map(|region| usize::from(*region))
    }
}
