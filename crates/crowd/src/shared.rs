//! What agents share: situations, signals, scenario.

use crate::PAST_STATES;
use crate::additions::Additions;
use crate::labels::{LabelSet, Labels};
use crate::scenario::Scenario;
use crate::scheme::{Scheme, StraightFrom};
use crate::signal::Signal;
use crate::situation::{Activity, Change, Place, Roll, Situation, SituationId};
use crate::vehicle::Vehicle;
use crowdloom_world::Region;
use glam::Vec2;

/// Labels that decisions treat in a way of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownLabels {
    /// Actions that only situations allow.
    pub special: LabelSet,
    /// Ways of waiting.
    pub waiting: LabelSet,
    /// Steps aside and back.
    pub stepping: LabelSet,
    /// Running.
    pub running: LabelSet,
    /// Ways of walking and running with a node of their own.
    pub styled: LabelSet,
}

impl KnownLabels {
    /// Finds the labels among those of a graph.
    pub fn new(names: &Labels) -> Self {
        Self {
            special: names.set([
                "run", "style", "carry", "sit", "fight", "fall", "talk", "listen", "look", "phone", "wave",
                "applaud", "shout",
            ]),
            waiting: names.set(["wait"]),
            stepping: names.set(["step"]),
            running: names.set(["run"]),
            styled: names.set(["style"]),
        }
    }
}

/// What agents share and what may change between two steps.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// The situations.
    pub situations: Vec<Situation>,
    /// What each situation keeps about its visitors.
    pub rolls: Vec<Roll>,
    /// The signals.
    pub signals: Vec<Signal>,
    /// Where people go.
    pub scenario: Scenario,
    /// How behaviour functions weigh.
    pub(crate) scheme: Scheme,
    /// Labels of the graph that matter.
    pub labels: KnownLabels,
    /// The vehicles.
    pub vehicles: Vec<Vehicle>,
    /// What the program has added.
    pub(crate) additions: Additions,
    /// Rules that failed, each line once.
    pub warnings: Vec<Warning>,
    /// Whether ways may open that are closed: obstacles come and go.
    pub(crate) ways_may_open: bool,
    /// How many are on the way to each region, where anybody looks at that.
    pub(crate) bound: Vec<u32>,
    /// Where everybody is and wants to be, in metres, where anybody looks at that.
    pub(crate) goals: Vec<(Vec2, Vec2)>,
    /// Those who have a name, by its number, and their indices, where anybody looks at that.
    pub(crate) named: Vec<(u16, u32)>,
    /// Situations of each region.
    pub(crate) by_region: Vec<Vec<SituationId>>,
    /// Situations of each vehicle.
    pub(crate) by_vehicle: Vec<Vec<SituationId>>,
    /// Rooms that people have to themselves.
    pub(crate) rooms: Vec<SituationId>,
}

/// A rule that failed for somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line of the scene file, counted from 1; zero where it is not known.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// The situation's name.
    pub situation: String,
    /// The frame in which it happened first.
    pub frame: u32,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "line {}: a rule of `{}` failed and is off for whom it failed: {}",
            self.line, self.situation, self.what
        )
    }
}

impl Shared {
    /// How behaviour functions weigh.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// So many past states are kept of everybody.
    pub(crate) fn remembers(&self) -> usize {
        match self.scheme.straight_from {
            _ if !self.additions.behaviours().is_empty() => PAST_STATES,
            StraightFrom::PreviousPosition => 1,
            StraightFrom::Facing => 0,
        }
    }

    /// How many are on their way to a region, and not there yet.
    pub(crate) fn under_way_to(&self, region: &Region) -> usize {
        let is = |(at, goal): &&(Vec2, Vec2)| region.contains(*goal) && !region.contains(*at);
        self.goals.iter().filter(is).count()
    }

    /// The situations that are in force in a region, by its index.
    pub fn in_region(&self, region: usize) -> &[SituationId] {
        self.by_region.get(region).map_or(&[], Vec::as_slice)
    }

    /// The situations that are in force in a vehicle, by its index.
    pub fn in_vehicle(&self, vehicle: usize) -> &[SituationId] {
        self.by_vehicle.get(vehicle).map_or(&[], Vec::as_slice)
    }

    /// Makes a situation known where it is in force.
    pub(crate) fn index(&mut self, id: SituationId) {
        let situation = &self.situations[id.index()];
        let (index, place) = match situation.place {
            Place::Region(region) => (&mut self.by_region, region),
            Place::Vehicle(vehicle) => (&mut self.by_vehicle, vehicle),
            Place::Members => return,
        };
        index.resize_with(index.len().max(place + 1), Vec::new);
        index[place].push(id);
        if matches!(situation.activity, Activity::Exclusive { .. }) {
            self.rooms.push(id);
        }
    }

    /// Makes a situation unknown.
    pub(crate) fn forget(&mut self, id: SituationId) {
        for ids in self.by_region.iter_mut().chain(&mut self.by_vehicle).chain([&mut self.rooms]) {
            ids.retain(|own| *own != id);
        }
    }

    /// Carries out what an agent, by its number, asked for; a spot goes to whoever asks first.
    pub(crate) fn apply(&mut self, agent: u32, change: Change, frame: u32) {
        let rolls = &mut self.rolls;
        match change {
            Change::Enter(id) => {
                let present = &mut rolls[id.index()].present;
                let most = self.situations[id.index()].capacity.map_or(usize::MAX, |most| most as usize);
                if present.len() < most {
                    present.push(agent);
                }
            }
            Change::Leave(id) => rolls[id.index()].present.retain(|other| *other != agent),
            Change::Claim(id, spot) => {
                let holders = &mut rolls[id.index()].holders;
                let holds_one = holders.contains(&Some(agent));
                if let Some(holder) = holders.get_mut(usize::from(spot)).filter(|_| !holds_one) {
                    holder.get_or_insert(agent);
                }
            }
            Change::Release(id, spot) => {
                if let Some(holder) = rolls[id.index()].holders.get_mut(usize::from(spot))
                    && *holder == Some(agent)
                {
                    *holder = None;
                }
            }
            Change::Switch(signal, to) => {
                if let Some(signal) = self.signals.get_mut(usize::from(signal.0)) {
                    signal.by_hand = to;
                }
            }
            Change::Board(vehicle) => {
                let Some(vehicle) = self.vehicles.get_mut(vehicle) else { return };
                let seats = &mut vehicle.state.seats;
                if !seats.contains(&Some(agent))
                    && let Some(seat) = seats.iter_mut().find(|seat| seat.is_none())
                {
                    *seat = Some(agent);
                }
            }
            Change::Alight(vehicle) => {
                let Some(vehicle) = self.vehicles.get_mut(vehicle) else { return };
                vehicle
                    .state
                    .seats
                    .iter_mut()
                    .filter(|seat| **seat == Some(agent))
                    .for_each(|seat| *seat = None);
            }
            Change::Failed(id, error) => {
                if self
                    .warnings
                    .iter()
                    .all(|warning| warning.line != error.line || warning.what != error.what)
                {
                    let situation = self.situations[id.index()].name.clone();
                    self.warnings.push(Warning { line: error.line, what: error.what, situation, frame });
                }
            }
            // The crowd does these: they change minds.
            Change::Join(_) | Change::Part(_) | Change::Arrive(..) => {}
        }
    }
}
