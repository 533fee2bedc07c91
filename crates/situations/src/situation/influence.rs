//! What all situations of an agent ask of it together.

use crate::behaviour::Behaviour;
use crowdloom_base::Mover;
use crowdloom_base::labels::LabelSet;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

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

/// Regions of the ground by their indices; a few need no memory of their own.
pub type RegionSet = SmallVec<[u32; 2]>;

/// The union of what an agent's situations ask.
///
/// Behaviour functions, labels, and regions to stay in and to keep out of all hold together. Where to go, whether to stand and
/// how fast to go cannot: there the situation of the highest priority has its way, and of equal ones the last that was entered.
#[derive(Clone, Debug)]
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
    /// Whether a situation lends actions of its own.
    pub grafts: bool,
    stay_in: RegionSet,
    keep_out: RegionSet,
    powers: [f32; Defaults::NAMES.len()],
    added: SmallVec<[(Behaviour, f32); 4]>,
}

/// What only one situation can decide: see [`Influence`].
#[derive(Clone, Copy, Debug)]
pub struct Course {
    target: Option<Vec2>,
    stand: bool,
    settles: bool,
    hold: bool,
    pace: Option<f32>,
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
            grafts: false,
            stay_in: RegionSet::new(),
            keep_out: RegionSet::new(),
            powers: [1.0; Defaults::NAMES.len()],
            added: SmallVec::new(),
        }
    }
}

impl Influence {
    /// Takes out where to go, whether to stand and how fast to go, so that another situation can say so.
    pub fn take_course(&mut self) -> Course {
        let course = Course {
            target: self.target,
            stand: self.stand,
            settles: self.settles,
            hold: self.hold,
            pace: self.pace,
        };
        (self.target, self.stand, self.settles, self.hold, self.pace) = (None, false, false, false, None);
        course
    }

    /// Puts back what was taken out, as far as nothing more important was said since; `outranked` is whether what was said
    /// since comes from a situation of a higher priority.
    pub fn put_back(&mut self, course: Course, outranked: bool) {
        let says_where = self.target.is_some() || self.stand || self.hold;
        if !(outranked && says_where) {
            self.target = self.target.or(course.target);
            self.stand |= course.stand;
            self.settles |= course.settles;
            self.hold |= course.hold;
        }
        self.pace = self.pace.or(course.pace);
    }

    /// Adds a behaviour function.
    pub fn add(&mut self, behaviour: Behaviour) {
        self.add_scaled(behaviour, 1.0);
    }

    /// Adds a behaviour function whose weight is raised to `power`: 0 silences it, 2 doubles its say.
    pub fn add_scaled(&mut self, behaviour: Behaviour, power: f32) {
        self.added.push((behaviour, power));
    }

    /// The behaviour functions that were added, each with the power that its weight is raised to.
    pub fn added(&self) -> impl Iterator<Item = &(Behaviour, f32)> {
        self.added.iter()
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

    /// Keeps the agent in a region, by its index.
    pub fn stay_in(&mut self, region: usize) {
        self.stay_in.push(region as u32);
    }

    /// The regions that the agent must not leave.
    pub fn stays_in(&self) -> &RegionSet {
        &self.stay_in
    }

    /// Keeps the agent out of a region, by its index.
    pub fn keep_out_of(&mut self, region: usize) {
        self.keep_out.push(region as u32);
    }

    /// The regions that the agent is kept out of.
    pub fn keeps_out_of(&self) -> &RegionSet {
        &self.keep_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_dropped() {
        let mut influence = Influence::default();
        (0..30).for_each(|_| influence.add(Behaviour::DontTurn { alpha: 1.0 }));
        (0..9).for_each(|region| influence.keep_out_of(region));
        (0..5).for_each(|region| influence.stay_in(region));
        assert_eq!(influence.added().count(), 30);
        assert_eq!((influence.keeps_out_of().len(), influence.stays_in().len()), (9, 5));
    }

    #[test]
    fn the_highest_priority_has_its_way() {
        let said =
            |target: Option<Vec2>, pace: Option<f32>| Influence { target, pace, ..Influence::default() };
        let (here, there) = (Some(Vec2::X), Some(Vec2::Y));
        let below = Influence { stand: true, ..said(here, Some(1.0)) };
        let mut above = said(there, None);
        above.put_back(below.clone().take_course(), true);
        assert_eq!((above.target, above.stand, above.pace), (there, false, Some(1.0)));
        let mut equal = said(there, Some(2.0));
        equal.put_back(below.clone().take_course(), false);
        assert_eq!((equal.target, equal.stand, equal.pace), (there, true, Some(2.0)));
        let mut silent = Influence::default();
        silent.put_back(below.clone().take_course(), true);
        assert_eq!((silent.target, silent.stand, silent.pace), (here, true, Some(1.0)));
    }
}
