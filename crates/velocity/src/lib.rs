//! Velocity movers: models that give each agent its next velocity from a frozen current state.
//!
//! One file a model. A model sees a [`View`]: itself, its nearest neighbours and the walls near it, as offsets from
//! where it is; it answers with a [`Decided`]. [`VelocityCrowd`] keeps the agents, builds the views, asks all models in
//! parallel and moves everybody at once. A program may add models of its own: a [`VelocityModel`] is asked once a step for
//! all of its people. Agents of different models share one crowd, and [`MovingDisc`]s stand for
//! everybody who is moved by something else.

mod added;
pub mod anticipation;
pub mod boids;
pub mod centrifugal_force;
pub mod collision_free_speed;
mod contact;
mod crowd;
pub mod funnel;
pub mod hidac;
mod linear_program;
mod manners;
pub mod orca;
pub mod rotational_steering;
pub mod rvo;
pub mod social_force;
pub mod steering_set;
pub mod warp_driver;

pub use added::{Batch, Others, VelocityModel};
pub use anticipation::Anticipation;
pub use boids::Boids;
pub use centrifugal_force::CentrifugalForce;
pub use collision_free_speed::CollisionFreeSpeed;
pub use crowd::{Surroundings, VelocityCrowd, Walker, wall_ends_around};
pub use crowdloom_base::MovingDisc;
pub use funnel::{Aim, Funnel};
pub use hidac::Hidac;
pub use manners::Manners;
pub use orca::{MAX_WALLS, Orca};
pub use rotational_steering::RotationalSteering;
pub use rvo::Rvo;
pub use social_force::SocialForce;
pub use warp_driver::WarpDriver;

use crowdloom_base::random::Random;
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
    /// Speed and direction apart.
    CollisionFreeSpeed(CollisionFreeSpeed),
    /// The same, looking ahead.
    Anticipation(Anticipation),
    /// Forces between ellipses.
    CentrifugalForce(CentrifugalForce),
    /// Turning away from one person.
    RotationalSteering(RotationalSteering),
    /// Chances to meet.
    WarpDriver(WarpDriver),
    /// Turning towards a goal, and arriving there in a direction.
    Funnel(Funnel),
    /// A model that the program has added, by its number among those of [`Surroundings::models`].
    Added(u16),
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
            Self::CollisionFreeSpeed(_) => "collision-free-speed",
            Self::Anticipation(_) => "anticipation",
            Self::CentrifugalForce(_) => "centrifugal-force",
            Self::RotationalSteering(_) => "rotational-steering",
            Self::WarpDriver(_) => "warp-driver",
            Self::Funnel(_) => "funnel",
            Self::Added(_) => "added",
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
            Self::CollisionFreeSpeed(model) => model.choose(view),
            Self::Anticipation(model) => model.choose(view),
            Self::CentrifugalForce(model) => model.choose(view),
            Self::RotationalSteering(model) => model.choose(view),
            Self::WarpDriver(model) => model.choose(view),
            Self::Funnel(model) => model.choose(view),
            // Asked for all of its people together; who is not there leaves them standing.
            Self::Added(_) => Decided { velocity: Vec2::ZERO, memory: view.memory },
        }
    }

    /// How far others matter to the model, in metres from edge to edge.
    fn heeds(&self, max_speed: f32) -> f32 {
        match self {
            Self::SocialForce(model) => model.reach(),
            Self::CollisionFreeSpeed(model) => model.reach(max_speed),
            Self::Anticipation(model) => model.reach(max_speed),
            // Ellipses reach farther than discs.
            Self::CentrifugalForce(model) => model.cut_off + 2.0 * model.stretch * max_speed,
            Self::Rvo(_) | Self::Orca(_) | Self::Boids(_) | Self::Hidac(_) | Self::Added(_) => f32::INFINITY,
            Self::RotationalSteering(_) | Self::WarpDriver(_) | Self::Funnel(_) => f32::INFINITY,
        }
    }

    /// Whether the model looks at whole walls and not at their nearest points alone.
    fn sees_whole_walls(&self) -> bool {
        matches!(self, Self::Rvo(_))
    }

    /// Whether those behind walls do not matter to the model.
    fn looks(&self) -> bool {
        matches!(self, Self::RotationalSteering(_))
    }

    /// How far walls matter to the model, in metres from the edge of an agent of some greatest speed and radius.
    fn wall_reach(&self, max_speed: f32, radius: f32) -> f32 {
        match self {
            Self::Rvo(model) => model.horizon * max_speed,
            Self::Orca(model) => model.wall_horizon * max_speed,
            Self::SocialForce(model) => model.wall_reach,
            Self::Boids(model) => model.wall_reach,
            Self::Hidac(model) => model.wall_reach,
            Self::CollisionFreeSpeed(model) => model.wall_reach(),
            Self::Anticipation(model) => model.wall_buffer,
            Self::CentrifugalForce(model) => model.wall_cut_off + model.stretch * max_speed,
            Self::RotationalSteering(model) => model.wall_reach(),
            Self::WarpDriver(_) => WarpDriver::wall_reach(radius),
            Self::Funnel(model) => Orca::default().wall_horizon.min(model.horizon) * max_speed,
            Self::Added(_) => 0.0,
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
    /// Seconds for which it has been lying.
    pub lain: f32,
    /// How narrow it makes itself between others' shoulders, from 0 to 1.
    pub squeezed: f32,
    /// How far it has turned off its way for somebody, in radians to the left.
    pub turn: f32,
    /// Which way it last wanted to go, a unit vector, where its model does not let it change its mind at once.
    pub direction: Vec2,
    /// Which way it faces, in radians, where its model does not let it go any other way.
    pub heading: f32,
    /// How fast it turns there, in radians a second to the left.
    pub spin: f32,
}

/// Somebody near.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbour {
    /// From the agent to the neighbour, in metres.
    pub offset: Vec2,
    /// How it moves, in metres per second.
    pub velocity: Vec2,
    /// The velocity that the neighbour would like to have: one sees where somebody faces.
    pub intent: Vec2,
    /// Its radius in metres.
    pub radius: f32,
    /// The square of its distance, from middle to middle, in square metres.
    pub distance_squared: f32,
    /// Its panic from 0 to 1.
    pub panic: f32,
    /// How it takes part in avoidance.
    pub role: Role,
}

/// The frozen state as one agent sees it; neighbours come nearest first.
#[derive(Clone)]
pub struct View<'a> {
    /// How it moves, in metres per second.
    pub velocity: Vec2,
    /// How it would like to move, in metres per second.
    pub preferred: Vec2,
    /// Where it is going, from where it is; nobody says so to models that only know a wish.
    pub aim: Option<Aim>,
    /// Its radius in metres.
    pub radius: f32,
    /// The highest speed it ever takes, in metres per second.
    pub max_speed: f32,
    /// What lasts of it besides position and velocity.
    pub memory: Memory,
    /// Who is near.
    pub neighbours: &'a [Neighbour],
    /// From the agent to the nearest point of each wall in reach, in metres.
    pub walls: &'a [Vec2],
    /// From the agent to both ends of each wall in reach, in metres, for models that look at whole walls.
    pub wall_ends: &'a [[Vec2; 2]],
    /// The length of the step in seconds.
    pub seconds: f32,
    /// The random numbers of the agent in this step.
    pub random: Random,
}

#[cfg(test)]
impl View<'_> {
    /// Somebody alone who goes to the east at 1 m/s and would like to go at 1.3, for tests.
    pub(crate) fn alone() -> Self {
        Self {
            velocity: Vec2::X,
            preferred: Vec2::X * 1.3,
            aim: None,
            radius: 0.25,
            max_speed: 1.8,
            memory: Memory::default(),
            neighbours: &[],
            walls: &[],
            wall_ends: &[],
            seconds: 0.1,
            random: Random::new(0, 0, 0, crowdloom_base::random::Purpose::STEERING),
        }
    }
}

/// What a model answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decided {
    /// How to move, in metres per second.
    pub velocity: Vec2,
    /// What lasts of the agent besides.
    pub memory: Memory,
}

/// A velocity no faster than `limit`.
#[inline]
pub fn clamp_speed(velocity: Vec2, limit: f32) -> Vec2 {
    let squared = velocity.length_squared();
    if squared > limit * limit { velocity * (limit / squared.sqrt()) } else { velocity }
}
