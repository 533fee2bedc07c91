//! Sensors: what a situation lets its visitors notice (thesis section 3.3.1).
//!
//! A sensor is data of a situation. Rules see what it reads under its name; nothing is read where no rule asks.

use crate::signal::SignalId;
use crowdloom_base::labels::LabelSet;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Whom an agent sensor looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whom {
    /// The nearest other agent within [`Sensor::SIGHT`].
    Nearest,
    /// The member who has been in the situation for longest.
    First,
    /// The nearest of those called by a name, wherever it is, by the name's number.
    Named(u16),
}

/// Something that a visitor can notice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Sensor {
    /// Whether nobody else is at a place.
    Empty {
        /// The place, in metres.
        at: Vec2,
        /// Its radius in metres.
        within: f32,
    },
    /// The distance to a place in metres.
    Proximity {
        /// The place, in metres.
        to: Vec2,
    },
    /// Whether a signal is on.
    Signal(SignalId),
    /// Where another agent is and what it does.
    Agent(Whom),
    /// People per square metre around a place, or among all who are in the situation.
    Density {
        /// The place, in metres.
        at: Vec2,
        /// Its radius in metres.
        within: f32,
    },
}

impl Sensor {
    /// How far an agent sees another, in metres.
    pub const SIGHT: f32 = 10.0;

    /// The place that the sensor looks at, in metres.
    pub fn place(&self) -> Option<Vec2> {
        match *self {
            Self::Empty { at, .. } | Self::Density { at, .. } => Some(at),
            Self::Proximity { to } => Some(to),
            Self::Signal(_) | Self::Agent(_) => None,
        }
    }
}

/// Another agent as it is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Whether there is anybody to be seen; all else is zero where not.
    pub there: bool,
    /// Its position in metres.
    pub position: Vec2,
    /// Its heading in radians.
    pub heading: f32,
    /// Its distance in metres.
    pub distance: f32,
    /// Its speed in metres a second.
    pub speed: f32,
    /// What it shows.
    pub shows: LabelSet,
}

/// What a sensor reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f32),
    /// Another agent.
    Agent(Seen),
}
