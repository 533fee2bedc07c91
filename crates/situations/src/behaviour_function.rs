//! Behaviour functions that a program adds: each weighs all that somebody could do next at once.

use crowdloom_base::MovingDisc;
use crowdloom_base::labels::LabelSet;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::ActionId;
use crowdloom_world::Ground;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A behaviour function of one's own.
///
/// It is asked for those who are in a situation that lends it, whenever one of them decides which clip of the motion graph
/// comes next. The weights of all behaviours are multiplied; what breaks a promise is not done whatever it weighs.
pub trait BehaviourFunction: Send + Sync {
    /// Gives every candidate a weight from 0, never, to 1, gladly; at first all weigh 1. What is no number counts as 1.
    ///
    /// The last candidate is staying where one is: what weighs far less than it is not done.
    fn weigh(&self, deciding: &Deciding<'_>, candidates: &Candidates<'_>, weights: &mut [f32]);
}

/// What somebody did before (`s⁻` of thesis section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastState {
    /// The frame in which it decided so.
    pub frame: u32,
    /// Where it was then.
    pub placement: Placement,
    /// What it began to do, an action of its motion graph.
    pub action: Option<ActionId>,
}

/// So many past states are kept of everybody where a behaviour function may look at them.
pub const PAST_STATES: usize = 8;

/// Somebody who decides what to do next.
#[derive(Clone, Copy)]
pub struct Deciding<'a> {
    /// Its number, which stays its own for ever.
    pub agent: u32,
    /// The frame.
    pub frame: u32,
    /// Where it is, in metres.
    pub position: Vec2,
    /// Where it faces, as a unit vector.
    pub facing: Vec2,
    /// Where it wants to be in the end, in metres.
    pub goal: Option<Vec2>,
    /// The speed that it likes, in metres a second.
    pub likes: f32,
    /// What it did before, at most [`PAST_STATES`], the last one last.
    pub past: &'a [PastState],
    /// Those whose promises come near: where they are and go.
    pub others: &'a [MovingDisc],
    /// The ground.
    pub ground: &'a Ground,
}

/// What somebody could do next; the same place in every list is the same candidate.
#[derive(Clone, Copy)]
pub struct Candidates<'a> {
    /// Where one is afterwards, in metres.
    pub positions: &'a [Vec2],
    /// Where one faces afterwards, as unit vectors.
    pub facings: &'a [Vec2],
    /// How far one turns, in radians.
    pub turns: &'a [f32],
    /// How far one goes, in metres.
    pub distances: &'a [f32],
    /// How fast one goes on afterwards, in metres a second.
    pub speeds: &'a [f32],
    /// How long it takes, in seconds.
    pub seconds: &'a [f32],
    /// What one shows.
    pub labels: &'a [LabelSet],
}

impl Candidates<'_> {
    /// How many there are, staying included.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none; there always is one.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}
