//! Changes to a running crowd as values: checked, made between two frames, refused with a reason, and taken back.

mod log;
mod people;
mod places;

pub use log::{Cause, Happened};
pub(crate) use places::Changes;

use crate::crowd::Crowd;
use crate::directing::Direction;
use crate::person::{Dress, Mover};
use crate::population::Newcomer;
use crate::rule::Script;
use crate::scenario::Stop;
use crate::signal::Signal;
use crate::situation::{Situation, SituationId};
use crowdloom_motion::Placement;
use crowdloom_world::Ring;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A change to a running crowd. People and places are told by their numbers, which stay their own for ever; what is taken
/// away can be put back. Outlines are in metres of the ground's local frame.
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
    /// Somebody walks in the style of a node of the motion graph, by its number, or plainly.
    Style(u32, Option<u16>),
    /// Somebody has the favourite styles of a group, by its number.
    Favours(u32, u8),
    /// Somebody looks otherwise: the number that its body and its clothes are drawn by, or its own.
    Looks(u32, Option<u32>),
    /// Somebody is drawn so many times as large as its looks say, 0.3 to 3; the disc that it claims stays.
    Size(u32, f32),
    /// Somebody performs a motion that gets it exactly somewhere.
    Direct(u32, Direction),
    /// Somebody who was directed so does again what it likes.
    LetGo(u32, Direction),
    /// Somebody becomes a member of a situation that has members.
    Join(u32, SituationId),
    /// Somebody is no member of a situation any longer.
    Part(u32, SituationId),
    /// A signal is switched by hand, or given back to its timer.
    Signal(u16, Option<bool>),
    /// There is one more signal.
    AddSignal(Signal),
    /// A signal becomes another.
    ChangeSignal(u16, Signal),
    /// A situation is in force, or not.
    Situation(SituationId, bool),
    /// There is one more situation.
    AddSituation(Box<Situation>),
    /// A situation becomes another; whoever was in it comes in anew.
    ChangeSituation(SituationId, Box<Situation>),
    /// A situation has other sensors, memory and rules, or none.
    Rules(SituationId, #[serde(with = "crate::rule::recipe")] Option<Arc<Script>>),
    /// There is one more stop.
    AddStop(Stop),
    /// A stop becomes another; whoever was on the way there goes to what it is now, and waits while it is closed.
    ChangeStop(u16, Stop),
    /// An obstacle is there, or not: a door closes or opens, a wall comes or goes.
    Obstacle(u16, bool),
    /// There is one more obstacle, of that name and of these solid polygons.
    AddObstacle(String, Vec<Ring>),
    /// An obstacle has another shape.
    ChangeObstacle(u16, Vec<Ring>),
    /// There is one more region, of that name and of these polygons, each an outline and its holes.
    AddRegion(String, Vec<Vec<Ring>>),
    /// A region is drawn anew; without polygons it is nowhere.
    ChangeRegion(u32, Vec<Vec<Ring>>),
    /// Several changes as one, in order; those that cannot be made are left out, and where none can it is refused.
    Several(Vec<Edit>),
    /// Somebody who is steered has a disc of another radius, in metres.
    Radius(u32, f32),
    /// Somebody who is steered moves otherwise all at once, in metres a second.
    Velocity(u32, Vec2),
    /// Somebody wears something else from then on, or what it wore at first.
    Dress(u32, Option<Dress>),
}

/// Why a change cannot be made, or not now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nobody of that number.
    #[error("there is no person {0}")]
    Nobody(u32),
    /// There is no such signal, situation, stop, obstacle, region or way of being steered.
    #[error("there is no such {0}")]
    Unknown(&'static str),
    /// A number is none, or not possible.
    #[error("{0} is not possible")]
    Senseless(&'static str),
    /// A wall is there, or somebody has promised to be: perhaps later.
    #[error("somebody has promised to be there, or there is a wall")]
    NoRoom,
    /// Somebody, by number, has promised to be there: perhaps later.
    #[error("person {0} has promised to be there")]
    Promised(u32),
    /// A vehicle, by number, has claimed that ground: perhaps later.
    #[error("vehicle {0} has claimed that ground")]
    Claimed(u16),
    /// Others are where somebody is told to be, or in its way; who, in words: perhaps later.
    #[error("{0}")]
    InTheWay(String),
    /// No motion was found yet that gets somebody where it is told to be; the way of doing it of this number is tried next.
    #[error("its motion is still being planned")]
    Unfinished(u32),
    /// There is no motion that gets somebody where it is told to be; why.
    #[error("{0}")]
    Undirected(String),
    /// There is nothing to take back, or to make again.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
}

impl Refusal {
    /// Whether the same change may be possible later.
    pub fn is_for_now(&self) -> bool {
        let is_planned = matches!(self, Self::InTheWay(_) | Self::Unfinished(_));
        is_planned || matches!(self, Self::NoRoom | Self::Promised(_) | Self::Claimed(_))
    }
}

impl Edit {
    /// Whether it may bring an obstacle where people are.
    pub fn brings_obstacles(&self) -> bool {
        let brings = |edit: &Self| {
            matches!(edit, Self::AddObstacle(..) | Self::Obstacle(_, true) | Self::ChangeObstacle(..))
        };
        self.parts().iter().any(brings)
    }

    /// Whether it directs somebody, which takes planning.
    pub fn directs(&self) -> bool {
        self.parts().iter().any(|edit| matches!(edit, Self::Direct(..)))
    }

    /// The same change as it is tried next after a refusal for now: planning goes on where it was, or begins anew.
    #[must_use]
    pub fn after(mut self, refusal: &Refusal) -> Self {
        if let Self::Direct(_, direction) = &mut self {
            direction.round = if let Refusal::Unfinished(round) = refusal { *round } else { 0 };
        }
        self
    }

    /// Lets the numbers of all whom it concerns be replaced.
    pub fn for_each_person(&mut self, replace: &mut dyn FnMut(&mut u32)) {
        match self {
            Self::Several(all) => all.iter_mut().for_each(|edit| edit.for_each_person(replace)),
            one => one.person_mut().into_iter().for_each(replace),
        }
    }

    /// Several changes as one; the change itself where it is alone.
    pub fn together(mut all: Vec<Self>) -> Self {
        match all.len() {
            1 => all.remove(0),
            _ => Self::Several(all),
        }
    }

    /// The changes that it consists of.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Several(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// The number of whom it concerns, to be replaced.
    pub fn person_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Remove(id)
            | Self::Move(id, _)
            | Self::Goal(id, _)
            | Self::Stop(id, _)
            | Self::Speed(id, _)
            | Self::Mover(id, _)
            | Self::Style(id, _)
            | Self::Favours(id, _)
            | Self::Looks(id, _)
            | Self::Size(id, _)
            | Self::Direct(id, _)
            | Self::LetGo(id, _)
            | Self::Join(id, _)
            | Self::Part(id, _)
            | Self::Radius(id, _)
            | Self::Velocity(id, _)
            | Self::Dress(id, _) => Some(id),
            _ => None,
        }
    }
}

impl Crowd {
    /// Makes a change between two frames; returns the change that takes it back.
    pub fn edit(&mut self, edit: Edit) -> Result<Edit, Refusal> {
        match edit {
            Edit::Add(..)
            | Edit::Remove(_)
            | Edit::Move(..)
            | Edit::Goal(..)
            | Edit::Stop(..)
            | Edit::Speed(..)
            | Edit::Mover(..)
            | Edit::Style(..)
            | Edit::Favours(..)
            | Edit::Looks(..)
            | Edit::Size(..)
            | Edit::Direct(..)
            | Edit::LetGo(..)
            | Edit::Join(..)
            | Edit::Part(..)
            | Edit::Radius(..)
            | Edit::Velocity(..)
            | Edit::Dress(..) => self.edit_people(edit),
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
            Edit::Several(all) => self.edit_several(all),
            place => self.edit_places(place),
        }
    }

    fn edit_several(&mut self, all: Vec<Edit>) -> Result<Edit, Refusal> {
        let (mut backs, mut refusal) = (Vec::new(), None);
        for edit in all {
            match self.edit(edit) {
                Ok(back) => backs.push(back),
                Err(refused) => refusal = refusal.or(Some(refused)),
            }
        }
        match refusal {
            Some(refusal) if backs.is_empty() => Err(refusal),
            // What was made last is taken back first.
            _ => Ok(Edit::together(backs.into_iter().rev().collect())),
        }
    }
}
