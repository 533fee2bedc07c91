//! Changes to a running crowd as values: checked, made between two frames, refused with a reason, and taken back.

use crate::crowd::Crowd;
use crate::person::Mover;
use crate::population::Newcomer;
use crate::situation::SituationId;
use crowdloom_motion::Placement;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A change to a running crowd; people are told by their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Edit {
    /// Somebody comes who stands at a place.
    Add(Placement, Box<Newcomer>),
    /// Somebody goes.
    Remove(u32),
    /// Somebody stands elsewhere.
    Move(u32, Placement),
    /// Somebody wants to be at a place, in metres, or nowhere any more.
    Goal(u32, Option<Vec2>),
    /// Somebody goes to a stop of the scenario, by its number, or to none any more.
    Stop(u32, Option<u16>),
    /// Somebody likes another speed, in metres a second.
    Speed(u32, f32),
    /// Something else moves somebody.
    Mover(u32, Mover),
    /// A signal, by its number, is switched by hand, or given back to its timer.
    Signal(u16, Option<bool>),
    /// A situation is in force, or not.
    Situation(SituationId, bool),
}

/// Why a change cannot be made, or not now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nobody of that number.
    #[error("there is no person {0}")]
    Nobody(u32),
    /// There is no such signal, situation, stop or way of being steered.
    #[error("there is no such {0}")]
    Unknown(&'static str),
    /// A number is none, or not possible.
    #[error("{0} is not possible")]
    Senseless(&'static str),
    /// A wall is there, or somebody has promised to be: perhaps later.
    #[error("somebody has promised to be there, or there is a wall")]
    NoRoom,
}

impl Refusal {
    /// Whether the same change may be possible later.
    pub fn is_for_now(&self) -> bool {
        *self == Self::NoRoom
    }
}

/// The fastest that anybody may be asked to go, in metres a second.
const FASTEST: f32 = 12.0;

impl Crowd {
    /// Makes a change between two frames; returns the change that takes it back.
    pub fn edit(&mut self, edit: Edit) -> Result<Edit, Refusal> {
        match edit {
            Edit::Add(placement, newcomer) => {
                let sound = placement.position.is_finite() && placement.heading.is_finite();
                if !sound || !(0.0..=FASTEST).contains(&newcomer.mind.speed) {
                    return Err(Refusal::Senseless("that place or speed"));
                }
                self.check_mover(newcomer.mover)?;
                let index = self.add(placement, *newcomer).ok_or(Refusal::NoRoom)?;
                Ok(Edit::Remove(self.id(index)))
            }
            Edit::Remove(id) => {
                let index = self.find(id)?;
                let placement = self.placement(index);
                let mover = match self.usual_movers[index] {
                    Mover::Planned | Mover::Recorded => Mover::Graph,
                    usual => usual,
                };
                let (profile, mut mind) = (self.profiles[index], self.minds[index].clone());
                mind.visits.clear();
                mind.ride = None;
                self.remove(index);
                Ok(Edit::Add(placement, Box::new(Newcomer { mover, profile, mind })))
            }
            Edit::Move(id, to) => {
                let index = self.find(id)?;
                if !(to.position.is_finite() && to.heading.is_finite()) {
                    return Err(Refusal::Senseless("that place"));
                }
                let before = self.placement(index);
                if !self.put(index, to) {
                    return Err(Refusal::NoRoom);
                }
                Ok(Edit::Move(id, before))
            }
            Edit::Goal(id, goal) => {
                let index = self.find(id)?;
                if goal.is_some_and(|goal| !goal.is_finite()) {
                    return Err(Refusal::Senseless("that goal"));
                }
                let mind = self.mind_mut(index);
                let before = mind.wish();
                mind.wanders &= goal.is_none();
                match goal {
                    Some(goal) => mind.head_for(goal),
                    None => mind.goal = None,
                }
                Ok(Edit::Goal(id, before))
            }
            Edit::Stop(id, stop) => {
                let index = self.find(id)?;
                if stop.is_some_and(|stop| usize::from(stop) >= self.shared.scenario.stops.len()) {
                    return Err(Refusal::Unknown("stop"));
                }
                let mind = self.mind_mut(index);
                let before = mind.bound_for.or(mind.stop);
                (mind.bound_for, mind.stop, mind.goal, mind.stays_until) = (stop, None, None, 0);
                Ok(Edit::Stop(id, before))
            }
            Edit::Speed(id, speed) => {
                let index = self.find(id)?;
                if !(0.0..=FASTEST).contains(&speed) {
                    return Err(Refusal::Senseless("that speed"));
                }
                let before = std::mem::replace(&mut self.mind_mut(index).speed, speed);
                Ok(Edit::Speed(id, before))
            }
            Edit::Mover(id, mover) => {
                let index = self.find(id)?;
                self.check_mover(mover)?;
                let before = self.usual_movers[index];
                if !self.set_mover(index, mover) {
                    return Err(Refusal::NoRoom);
                }
                Ok(Edit::Mover(id, before))
            }
            Edit::Signal(signal, by_hand) => {
                let own = self.shared.signals.get_mut(usize::from(signal));
                let own = own.ok_or(Refusal::Unknown("signal"))?;
                Ok(Edit::Signal(signal, std::mem::replace(&mut own.by_hand, by_hand)))
            }
            Edit::Situation(situation, enabled) => {
                let own = self.shared.situations.get_mut(situation.index());
                let own = own.ok_or(Refusal::Unknown("situation"))?;
                Ok(Edit::Situation(situation, std::mem::replace(&mut own.enabled, enabled)))
            }
        }
    }

    fn find(&self, id: u32) -> Result<usize, Refusal> {
        self.index_of(id).ok_or(Refusal::Nobody(id))
    }

    fn check_mover(&self, mover: Mover) -> Result<(), Refusal> {
        match mover {
            Mover::Steered(number) if usize::from(number) >= self.steerings.len() => {
                Err(Refusal::Unknown("way of being steered"))
            }
            Mover::CellMarking(number) if usize::from(number) >= self.markings.len() => {
                Err(Refusal::Unknown("way of planning captured motion"))
            }
            // These need a way to follow.
            Mover::Planned | Mover::Recorded => Err(Refusal::Unknown("mover of edits")),
            Mover::Graph | Mover::Steered(_) | Mover::CellMarking(_) => Ok(()),
        }
    }
}
