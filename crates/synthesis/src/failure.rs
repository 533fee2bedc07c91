//! Why a goal is not met, and how near the best motion comes.

use crate::search::Effort;
use crowdloom_world::NoWay;
use glam::Vec2;
use std::fmt;
use thiserror::Error;

/// Why a goal is not met.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Reason {
    /// A number of the goal is not finite, or its times are the wrong way round.
    #[error("the goal is not possible: {0}")]
    Senseless(&'static str),
    /// The place is in a wall or outside.
    #[error("the place is inside a wall or too near to one{}", hint(*place, *nearest))]
    InWall {
        /// The place, in metres.
        place: Vec2,
        /// The nearest place where a body fits.
        nearest: Option<Vec2>,
    },
    /// The place is free, but not what is needed before it to get into the pose.
    #[error(
        "there is no room to get into the pose `{pose}` there: {missing:.2} m are missing between it and a wall"
    )]
    NoRoom {
        /// The pose asked for.
        pose: String,
        /// By how many metres the wall would have to be farther away.
        missing: f32,
    },
    /// The agent starts in a wall, or in somebody else.
    #[error("{0} is in the way at the start")]
    StartBlocked(String),
    /// There is no way.
    #[error("{0}")]
    NoWay(NoWay),
    /// The motion graph does not lead there.
    #[error("no clips lead from the pose `{from}` to the pose `{to}`")]
    NoClips {
        /// The pose it starts in.
        from: String,
        /// The pose asked for.
        to: String,
    },
    /// Somebody else is there for good.
    #[error("{0} is in that place")]
    Occupied(String),
    /// There is too little time.
    #[error("{given:.1} s are too little: the way is {length:.1} m, which takes {needed:.1} s at least")]
    TooLittleTime {
        /// Seconds there are.
        given: f32,
        /// Seconds it takes at least.
        needed: f32,
        /// Length of the way in metres.
        length: f32,
    },
    /// Whoever is awaited does not arrive.
    #[error("{0} never arrives")]
    AwaitedFails(String),
    /// Every motion found meets somebody or something.
    #[error("every motion found meets {0}")]
    Blocked(String),
    /// No motion comes near enough.
    #[error("no motion within the tolerance was found")]
    TooFar,
}

impl Reason {
    /// What is in the way where it is nobody.
    pub const WALL: &'static str = "a wall";
}

fn hint(place: Vec2, nearest: Option<Vec2>) -> String {
    nearest.map_or_else(String::new, |p| {
        let missing = p.distance(place);
        format!(": {missing:.2} m of room are missing; the nearest free place is ({:.2}, {:.2})", p.x, p.y)
    })
}

/// By how much a motion misses a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Miss {
    /// Metres.
    pub metres: f32,
    /// Radians of heading.
    pub radians: f32,
    /// Seconds outside the time that is asked for.
    pub seconds: f32,
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} m", self.metres)?;
        if self.radians > 1e-3 {
            write!(f, ", {:.0} degrees", self.radians.to_degrees())?;
        }
        if self.seconds > 1e-3 {
            write!(f, ", {:.1} s", self.seconds)?;
        }
        Ok(())
    }
}

/// A goal that is not met.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Who, by its place in the list.
    pub agent: usize,
    /// Its name.
    pub name: String,
    /// Which of its goals, from 0.
    pub goal: usize,
    /// By how much the best motion misses it; `None` where there is none.
    pub miss: Option<Miss>,
    /// Why.
    pub reason: Reason,
    /// How much was tried.
    pub effort: Effort,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, goal {}: {}", self.name, self.goal + 1, self.reason)?;
        match self.miss {
            Some(miss) => write!(f, " (the best motion misses it by {miss})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
