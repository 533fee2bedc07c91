//! Behaviour functions: each weighs every candidate action with a number in [0, 1]; the product decides.
//!
//! Thesis section 3.2.1 and appendix. Most turn an evaluation x into a weight by a sigmoid of slope α (equation 3.1);
//! a weight of zero is a veto.

use crate::labels::LabelSet;
use glam::Vec2;

/// Where an agent would be, and what it would have shown, after a candidate action.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Position at the end in metres.
    pub position: Vec2,
    /// Facing at the end.
    pub facing: Vec2,
    /// Change of heading in radians.
    pub turn: f32,
    /// Distance from start to end in metres.
    pub distance: f32,
    /// Mean speed in metres a second.
    pub speed: f32,
    /// Seconds that the action lasts.
    pub seconds: f32,
    /// What the action shows.
    pub labels: LabelSet,
}

/// Where the agent is when it decides.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// Position in metres.
    pub position: Vec2,
    /// Facing.
    pub facing: Vec2,
}

/// One influence on an agent's choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    /// Walk as straight as possible (appendix A.1): x is how straight the action is, in half turns from -1 to 1.
    DontTurn {
        /// Slope of the sigmoid.
        alpha: f32,
    },
    /// Come nearer to a point (appendix A.4): x is the progress in metres a second.
    ComeNearer {
        /// The point, in metres.
        to: Vec2,
        /// Slope of the sigmoid.
        alpha: f32,
    },
    /// Go at some speed: a bell around it.
    Pace {
        /// The speed in metres a second.
        speed: f32,
        /// How far off, in metres a second, the weight falls to 60 %.
        tolerance: f32,
    },
    /// Stay where one is (appendix A.5): actions that go less than `within` metres are likely, others are not.
    Stop {
        /// The largest distance, in metres, that still is no walking.
        within: f32,
        /// The weight of what goes farther.
        otherwise: f32,
    },
    /// Prefer actions with any of some labels.
    Prefer {
        /// The labels.
        labels: LabelSet,
        /// The weight of actions without any of them.
        otherwise: f32,
    },
    /// Face a point: x is the cosine of the angle to it at the end.
    Face {
        /// The point, in metres.
        toward: Vec2,
        /// Slope of the sigmoid.
        alpha: f32,
    },
    /// Keep a distance to a point: x is by how much the end is farther than `distance`.
    KeepAway {
        /// The point, in metres.
        from: Vec2,
        /// The distance in metres.
        distance: f32,
        /// Slope of the sigmoid.
        alpha: f32,
    },
}

/// The sigmoid of equation 3.1.
pub fn sigmoid(x: f32, alpha: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-alpha * x))
}

impl Behaviour {
    /// The weight of a candidate, from 0 to 1.
    pub fn weight(&self, here: Here, candidate: &Candidate) -> f32 {
        match *self {
            Self::DontTurn { alpha } => {
                let straightness = 1.0 - 2.0 * candidate.turn.abs() / std::f32::consts::PI;
                sigmoid(straightness, alpha)
            }
            Self::ComeNearer { to, alpha } => {
                // Looking ahead along the final facing: ending turned away is no progress.
                const LOOK_AHEAD: f32 = 0.6;
                let gap = to.distance(candidate.position);
                let ahead = candidate.position + candidate.facing * LOOK_AHEAD.min(gap);
                let before = here.position + here.facing * LOOK_AHEAD.min(to.distance(here.position));
                let progress = to.distance(before) - to.distance(ahead);
                sigmoid(progress / candidate.seconds.max(0.5), alpha)
            }
            Self::Pace { speed, tolerance } => {
                let off = (candidate.speed - speed) / tolerance;
                libm::expf(-0.5 * off * off)
            }
            Self::Stop { within, otherwise } => {
                if candidate.distance < within {
                    1.0
                } else {
                    otherwise
                }
            }
            Self::Prefer { labels, otherwise } => {
                if candidate.labels.meets(labels) {
                    1.0
                } else {
                    otherwise
                }
            }
            Self::Face { toward, alpha } => {
                let direction = (toward - candidate.position).normalize_or_zero();
                sigmoid(candidate.facing.dot(direction), alpha)
            }
            Self::KeepAway { from, distance, alpha } => {
                sigmoid(candidate.position.distance(from) - distance, alpha)
            }
        }
    }
}
