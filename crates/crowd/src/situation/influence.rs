//! What all situations of an agent ask of it together.

use crate::behaviour::Behaviour;
use crate::labels::LabelSet;
use glam::Vec2;

/// A set of default behaviours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// The union of what an agent's situations ask.
#[derive(Clone, Copy, Debug)]
pub struct Influence {
    /// Where to go instead of the agent's own goal, in metres.
    pub target: Option<Vec2>,
    /// Stay where one is.
    pub stand: bool,
    /// Speed to go at, in metres a second.
    pub pace: Option<f32>,
    /// Labels of actions that are allowed in addition.
    pub grants: LabelSet,
    /// Labels of actions that are wanted now, if any.
    pub wants: LabelSet,
    /// Defaults that are left out.
    pub removes: Defaults,
    /// A region of the ground that must not be left, by its index.
    pub stay_in: Option<usize>,
    added: [Option<Behaviour>; MAX_ADDED],
}

impl Default for Influence {
    fn default() -> Self {
        Self {
            target: None,
            stand: false,
            pace: None,
            grants: LabelSet::NONE,
            wants: LabelSet::NONE,
            removes: Defaults::default(),
            stay_in: None,
            added: [None; MAX_ADDED],
        }
    }
}

impl Influence {
    /// Adds a behaviour function; more than [`MAX_ADDED`] are ignored.
    pub fn add(&mut self, behaviour: Behaviour) {
        if let Some(slot) = self.added.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(behaviour);
        }
    }

    /// The behaviour functions that were added.
    pub fn added(&self) -> impl Iterator<Item = &Behaviour> {
        self.added.iter().flatten()
    }
}
