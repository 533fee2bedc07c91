//! Velocity movers: models that give each agent its next velocity from a frozen current state.
//!
//! One file a model. A model sees a [`View`]: itself, its nearest neighbours and the walls near it, as offsets from
//! where it is; it answers with a [`Decided`]. [`VelocityCrowd`] keeps the agents, builds the views, asks all models in
//! parallel and moves everybody at once. Agents of different models share one crowd, and [`MovingDisc`]s stand for
//! everybody who is moved by something else.

pub mod boids;
mod contact;
mod crowd;
mod foreign;
pub mod hidac;
mod linear_program;
mod manners;
pub mod orca;
pub mod rvo;
pub mod social_force;

pub use boids::Boids;
pub(crate) use crowd::walls_around;
pub use crowd::{Surroundings, VelocityCrowd, Walker};
pub use foreign::MovingDisc;
pub use hidac::Hidac;
pub use manners::Manners;
pub(crate) use orca::MAX_WALLS;
pub use orca::Orca;
pub use rvo::Rvo;
pub use social_force::SocialForce;

use crate::random::Random;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// The model that moves an agent, with the agent's own parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Model {
    /// Sampled reciprocal velocity obstacles.
    Rvo(Rvo),
    /// Optimal reciprocal collision avoidance.
    Orca(Orca),
    /// Social forces.
    SocialForce(SocialForce),
    /// Flocking.
    Boids(Boids),
    /// Pushing, waiting and panic.
    Hidac(Hidac),
}

impl Model {
    /// The model's short name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rvo(_) => "rvo",
            Self::Orca(_) => "orca",
            Self::SocialForce(_) => "social-force",
            Self::Boids(_) => "boids",
            Self::Hidac(_) => "hidac",
        }
    }

    #[inline]
    fn choose(&self, view: &View) -> Decided {
        match self {
            Self::Rvo(model) => model.choose(view),
            Self::Orca(model) => model.choose(view),
            Self::SocialForce(model) => model.choose(view),
            Self::Boids(model) => model.choose(view),
            Self::Hidac(model) => model.choose(view),
        }
    }

    /// How far others matter to the model, in metres from edge to edge.
    fn heeds(&self) -> f32 {
        match self {
            Self::SocialForce(model) => model.reach(),
            Self::Rvo(_) | Self::Orca(_) | Self::Boids(_) | Self::Hidac(_) => f32::INFINITY,
        }
    }

    /// How far walls matter to the model, in metres from an agent's edge.
    fn wall_reach(&self, max_speed: f32) -> f32 {
        match self {
            Self::Rvo(model) => model.horizon * max_speed,
            Self::Orca(model) => model.wall_horizon * max_speed,
            Self::SocialForce(model) => model.wall_reach,
            Self::Boids(model) => model.wall_reach,
            Self::Hidac(model) => model.wall_reach,
        }
    }
}

/// How a neighbour takes part in avoidance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// It avoids too: each does half.
    #[default]
    Peer,
    /// It keeps its way whatever happens: others do all.
    Foreign,
    /// It lies on the ground: walked around, or stepped over under pressure.
    Fallen,
}

/// What lasts from one step to the next besides position and velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Panic from 0 to 1.
    pub panic: f32,
    /// Seconds for which the agent still stands and waits.
    pub waiting: f32,
    /// Whether the agent has fallen.
    pub fallen: bool,
}

/// Somebody near.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Neighbour {
    /// From the agent to the neighbour, in metres.
    pub(crate) offset: Vec2,
    pub(crate) velocity: Vec2,
    /// The velocity that the neighbour would like to have: one sees where somebody faces.
    pub(crate) intent: Vec2,
    pub(crate) radius: f32,
    pub(crate) distance_squared: f32,
    pub(crate) panic: f32,
    pub(crate) role: Role,
}

/// The frozen state as one agent sees it; neighbours come nearest first.
pub(crate) struct View<'a> {
    pub(crate) velocity: Vec2,
    pub(crate) preferred: Vec2,
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    pub(crate) memory: Memory,
    pub(crate) neighbours: &'a [Neighbour],
    /// From the agent to the nearest point of each wall in reach, in metres.
    pub(crate) walls: &'a [Vec2],
    /// The length of the step.
    pub(crate) seconds: f32,
    pub(crate) random: Random,
}

/// What a model answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Decided {
    pub(crate) velocity: Vec2,
    pub(crate) memory: Memory,
}

/// A velocity no faster than `limit`.
#[inline]
pub(crate) fn clamp_speed(velocity: Vec2, limit: f32) -> Vec2 {
    let squared = velocity.length_squared();
    if squared > limit * limit { velocity * (limit / squared.sqrt()) } else { velocity }
}
