//! Directing: somebody is told to be somewhere exactly, and its motion there is planned at once.
//!
//! Planning happens between two frames, in bounded work, against what everybody has promised; where that is not enough, it
//! goes on after the next frame with the ways of doing it that were not tried yet. So a direction is a change like any other,
//! which is kept, put off or refused, taken back, saved and made again to the same bits, and nobody waits long for a frame.

use crate::crowd::Crowd;
use crate::director::{Director, Unplanned};
use crate::edit::Refusal;
use crate::person::Mover;
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::NodeId;
use crowdloom_synthesis::{Goal, Options, Reason, Repertoire, RepertoireError, When};
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where, how and when somebody is to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// Where, in metres.
    pub at: Vec2,
    /// Which way the body faces there, in radians; any without.
    pub facing: Option<f32>,
    /// The pose it is in there, a node of the motion graph by its number; standing without.
    pub pose: Option<u16>,
    /// The frame in which it is there; as soon as it can without.
    pub frame: Option<u32>,
    /// For how many frames it stays there.
    pub stay: u32,
    /// The way of getting there that is tried first, by its number: those before were tried in earlier frames.
    #[serde(default)]
    pub round: u32,
}

/// A director that is being made.
pub(crate) type NextDirector = std::thread::JoinHandle<Box<Director>>;

/// Work between two frames after which a motion is looked for no longer, in units of the search (about a microsecond): at first,
/// so that most who are directed while time stands still are planned at once, and later.
const FIRST_PATIENCE: u64 = 30_000;
const PATIENCE: u64 = 12_000;

impl Crowd {
    fn directing_options(&self) -> Options {
        Options { seed: self.setting.seed, ..Options::default() }
    }

    /// What motions can be made of: made once, as that takes a moment.
    fn learn(&mut self) -> Result<Arc<Repertoire>, RepertoireError> {
        if let Some(known) = &self.repertoire {
            return Ok(known.clone());
        }
        let (graph, options) = (self.setting.book.graph().clone(), self.directing_options());
        let made = Arc::new(Repertoire::new(graph, &options.locomotion, options.weights)?);
        self.repertoire = Some(made.clone());
        Ok(made)
    }

    /// Gets ready to direct people, now and on every other ground, so that the first who is directed lets nobody wait.
    pub fn prepare_directing(&mut self) {
        self.prepares_directing = true;
        self.renew_director();
    }

    /// Lets go of what knows the ground as it was; where people are to be directed at once, what knows the new one is made
    /// meanwhile: its ways take a quarter of a second.
    pub(crate) fn renew_director(&mut self) {
        (self.director, self.next_director) = (None, None);
        if !self.prepares_directing {
            return;
        }
        // Who cannot be directed is told so when it is.
        let Ok(repertoire) = self.learn() else { return };
        let radius = self.setting.book.options().radius;
        let options = Options { radius, ..self.directing_options() };
        let ground = Arc::clone(&self.setting.ground);
        let make = move || Box::new(Director::on(ground, options, repertoire));
        self.next_director = std::thread::Builder::new().name("director".into()).spawn(make).ok();
    }

    /// What plans motions on the present ground.
    fn take_director(&mut self) -> Result<Box<Director>, Refusal> {
        let next = self.next_director.take().and_then(|next| next.join().ok());
        if let Some(known) = self.director.take().or(next) {
            return Ok(known);
        }
        let repertoire = self.learn().map_err(|error| Refusal::Undirected(error.to_string()))?;
        Ok(Box::new(Director::knowing(self, self.directing_options(), repertoire)))
    }

    /// Lets a person perform a motion that gets it where it is told to be.
    pub(crate) fn direct(&mut self, index: usize, direction: &Direction) -> Result<(), Refusal> {
        let Direction { at, facing, pose, frame, stay, round } = *direction;
        if !at.is_finite() || facing.is_some_and(|facing| !facing.is_finite()) {
            return Err(Refusal::Senseless("that place"));
        }
        if pose.is_some_and(|pose| usize::from(pose) >= self.setting.book.graph().nodes().len()) {
            return Err(Refusal::Unknown("pose"));
        }
        if frame.is_some_and(|frame| frame <= self.frame) {
            return Err(Refusal::Senseless("being somewhere in the past"));
        }
        // Nobody changes its mind before its next decision.
        let decides = self.due[index].max(self.frame);
        if frame.is_some_and(|frame| frame < decides) {
            let wait = (decides - self.frame) as f32 / FRAME_RATE;
            let why = format!("there is too little time: what it does now takes another {wait:.1} s");
            return Err(Refusal::Undirected(why));
        }
        let own_mover = self.movers[index];
        if self.minds[index].ride.is_some() || matches!(own_mover, Mover::Recorded | Mover::CellMarking(_)) {
            return Err(Refusal::Senseless("directing somebody who rides, or is recorded or captured"));
        }
        let mut director = self.take_director()?;
        let goal = Goal {
            at: Some(at),
            facing,
            pose: pose.map(NodeId).into(),
            time: frame.map(|frame| When::at(frame as f32 / FRAME_RATE)),
        };
        let due = self.due[index];
        let planned =
            director.plan(self, index, vec![goal], round, if round == 0 { FIRST_PATIENCE } else { PATIENCE });
        self.director = Some(director);
        let arrival = planned.map_err(|unplanned| {
            self.due[index] = due;
            let reason = match unplanned {
                Unplanned::Yet(round) => return Refusal::Unfinished(round),
                Unplanned::For(reason) => reason,
            };
            match reason {
                // Walls do not go away.
                Reason::Blocked(what) | Reason::StartBlocked(what) if what == Reason::WALL => {
                    Refusal::Undirected(Reason::Blocked(what).to_string())
                }
                Reason::Occupied(_) | Reason::Blocked(_) | Reason::StartBlocked(_) => {
                    Refusal::InTheWay(reason.to_string())
                }
                reason => Refusal::Undirected(reason.to_string()),
            }
        })?;
        let stays_until = arrival.saturating_add(stay);
        if pose.is_some() {
            // Who decided would get up: sitting is for those who hold a seat.
            self.due[index] = self.due[index].max(stays_until);
        }
        let mind = &mut self.minds[index];
        // Who was on the way to a stop goes on there later.
        mind.bound_for = mind.bound_for.or(mind.stop.filter(|_| mind.goal.is_some()));
        (mind.goal, mind.own_goal, mind.diverted) = (None, None, false);
        mind.way_points.clear();
        mind.stays_until = stays_until;
        Ok(())
    }

    /// Lets a person who was directed do again what it likes, from where it is; returns whether promises allow it now.
    pub(crate) fn let_go(&mut self, index: usize) -> bool {
        if self.movers[index] == Mover::Planned && self.usual_movers[index] != Mover::Planned {
            let usual = self.usual_movers[index];
            if !self.take_up(index, usual) {
                return false;
            }
        }
        self.minds[index].stays_until = 0;
        true
    }
}
