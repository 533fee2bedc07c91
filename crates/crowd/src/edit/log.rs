//! What was changed, when and why: enough to make a run with edits again, bit for bit.

use super::Edit;
use crate::directing::Direction;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a change was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Somebody made it between two frames.
    Hand,
    /// Somebody asked for it as soon as promises allow it; it was not made yet.
    Asked,
    /// Promises allowed what was asked for.
    Granted,
    /// An event of the scene made it.
    Event,
    /// It took the last change back.
    Undo,
    /// It made again what was taken back.
    Redo,
}

/// A change to a running crowd that was made, or asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// The frame after which it was made.
    pub frame: u32,
    /// What was changed.
    pub edit: Edit,
    /// Why.
    pub cause: Cause,
}

impl Happened {
    /// Whether a run that repeats another has to be told: the rest follows from that and from the scene.
    pub fn is_from_outside(&self) -> bool {
        !matches!(self.cause, Cause::Granted | Cause::Event)
    }
}

impl fmt::Display for Happened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.cause {
            Cause::Hand => "by hand",
            Cause::Asked => "asked for",
            Cause::Granted => "granted",
            Cause::Event => "by an event",
            Cause::Undo => "taken back",
            Cause::Redo => "made again",
        };
        write!(f, "{} ({why})", self.edit)
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(at, _) => write!(f, "somebody comes to ({:.2}, {:.2})", at.position.x, at.position.y),
            Self::Remove(id) => write!(f, "person {id} goes"),
            Self::Move(id, to) => {
                write!(f, "person {id} is moved to ({:.2}, {:.2})", to.position.x, to.position.y)
            }
            Self::Goal(id, Some(goal)) => write!(f, "person {id} goes to ({:.2}, {:.2})", goal.x, goal.y),
            Self::Goal(id, None) => write!(f, "person {id} goes nowhere"),
            Self::Stop(id, Some(stop)) => write!(f, "person {id} goes to stop {stop}"),
            Self::Stop(id, None) => write!(f, "person {id} goes to no stop"),
            Self::Speed(id, speed) => write!(f, "person {id} likes {speed:.2} m/s"),
            Self::Mover(id, mover) => write!(f, "person {id} is moved by {mover:?}"),
            Self::Style(id, Some(style)) => write!(f, "person {id} walks in style {style}"),
            Self::Style(id, None) => write!(f, "person {id} walks plainly"),
            Self::Favours(id, group) => write!(f, "person {id} favours the styles of group {group}"),
            Self::Looks(id, Some(looks)) => write!(f, "person {id} looks like number {looks}"),
            Self::Size(id, size) => write!(f, "person {id} is drawn {size} times as large"),
            Self::Dress(id, Some(dress)) => {
                let all: Vec<&str> = dress.words().collect();
                let all = if all.is_empty() { "nothing besides".into() } else { all.join(", ") };
                write!(f, "person {id} wears {all}")
            }
            Self::Dress(id, None) => write!(f, "person {id} wears what it wore at first"),
            Self::Looks(id, None) => write!(f, "person {id} looks as before"),
            Self::Direct(id, Direction { at, .. }) => {
                write!(f, "person {id} is directed to ({:.2}, {:.2})", at.x, at.y)
            }
            Self::LetGo(id, _) => write!(f, "person {id} is let go"),
            Self::Join(id, situation) => write!(f, "person {id} joins situation {}", situation.0),
            Self::Part(id, situation) => write!(f, "person {id} parts from situation {}", situation.0),
            Self::Radius(id, radius) => write!(f, "person {id} has a radius of {radius:.2} m"),
            Self::Velocity(id, to) => write!(f, "person {id} moves at ({:.2}, {:.2}) m/s", to.x, to.y),
            Self::Signal(signal, Some(on)) => {
                write!(f, "signal {signal} is switched {}", if *on { "on" } else { "off" })
            }
            Self::Signal(signal, None) => write!(f, "signal {signal} is given back to its timer"),
            Self::AddSignal(signal) => write!(f, "signal `{}` is added", signal.name),
            Self::ChangeSignal(number, _) => write!(f, "signal {number} is changed"),
            Self::Situation(id, on) => {
                write!(f, "situation {} is {} force", id.0, if *on { "in" } else { "out of" })
            }
            Self::AddSituation(situation) => write!(f, "situation `{}` is added", situation.name),
            Self::ChangeSituation(id, _) => write!(f, "situation {} is changed", id.0),
            Self::Rules(id, _) => write!(f, "the rules of situation {} are replaced", id.0),
            Self::AddStop(stop) => write!(f, "stop `{}` is added", stop.name),
            Self::ChangeStop(number, stop) if stop.closed => write!(f, "stop {number} is closed"),
            Self::ChangeStop(number, _) => write!(f, "stop {number} is changed"),
            Self::Obstacle(number, true) => write!(f, "obstacle {number} closes"),
            Self::Obstacle(number, false) => write!(f, "obstacle {number} opens"),
            Self::AddObstacle(name, _) => write!(f, "obstacle `{name}` is added"),
            Self::ChangeObstacle(number, _) => write!(f, "obstacle {number} has another shape"),
            Self::AddRegion(name, _) => write!(f, "region `{name}` is added"),
            Self::ChangeRegion(number, _) => write!(f, "region {number} is drawn anew"),
            Self::Several(all) => match &all[..] {
                [] => write!(f, "nothing"),
                [first, others @ ..] => write!(f, "{first} and {} changes more", others.len()),
            },
        }
    }
}
