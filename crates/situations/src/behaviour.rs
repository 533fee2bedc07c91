//! Behaviour functions: each weighs every candidate action with a number in [0, 1]; the product decides.
//!
//! Thesis section 3.2.1 and appendix. Most turn an evaluation x into a weight by a sigmoid of slope α (equation 3.1);
//! a weight of zero is a veto.

use crowdloom_base::labels::LabelSet;
use glam::Vec2;
use std::sync::LazyLock;

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

impl Candidate {
    /// Staying as one is.
    pub fn staying(here: Here) -> Self {
        Self {
            position: here.position,
            facing: here.facing,
            turn: 0.0,
            distance: 0.0,
            speed: 0.0,
            seconds: 0.5,
            labels: LabelSet::NONE,
        }
    }
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
    /// Walk as straight as possible (appendix A.1): x falls with the angle turned, in radians; going straight weighs 1.
    DontTurn {
        /// Slope of the sigmoid.
        alpha: f32,
    },
    /// Come nearer to a point (appendix A.4): x is the progress as a share of what the agent's pace allows, less what the
    /// final facing is off.
    ComeNearer {
        /// The point, in metres.
        to: Vec2,
        /// The agent's pace in metres a second.
        pace: f32,
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
    /// Get to a spot and face the right way, by small steps and turns: x is by how many metres the end is better than now,
    /// a radian of facing astray counting as [`ASTRAY_METRES`].
    Settle {
        /// The spot, in metres.
        at: Vec2,
        /// Which way to face, as a unit vector.
        facing: Vec2,
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
    /// A function that the program has added, by its number; it weighs all candidates of a decision together.
    Added(u16),
}

/// Good progress is this share of the pace: what does better than it is likely.
pub const GOOD: f32 = 0.8;

/// What a radian of facing away costs, as a share of the pace.
pub const ASTRAY: f32 = 0.6;

/// What lasts less than this, in seconds, is judged as if it lasted so long …
pub const LEAST_SECONDS: f32 = 0.3;

/// … and who is slower than this, in metres a second, as if it were as fast.
pub const LEAST_PACE: f32 = 0.3;

/// Metres that a radian of facing astray is worth where somebody settles on a spot.
pub const ASTRAY_METRES: f32 = 0.25;

/// How far from settled on a spot somebody is, in metres.
pub fn unsettled(position: Vec2, facing: Vec2, at: Vec2, toward: Vec2) -> f32 {
    position.distance(at) + ASTRAY_METRES * facing.angle_to(toward).abs()
}

/// The logarithm of the sigmoid of equation 3.1, also where that is too small for a number.
fn log_sigmoid(x: f32, alpha: f32) -> f32 {
    let exponent = alpha * x;
    exponent.min(0.0) - softness(exponent.abs())
}

/// ln(1 + exp(-u)) for u from 0 on, between steps of a table: decisions need it dozens of times.
fn softness(u: f32) -> f32 {
    const STEPS: usize = 64;
    const MOST: usize = 16;
    static TABLE: LazyLock<[f32; STEPS * MOST + 2]> =
        LazyLock::new(|| std::array::from_fn(|step| libm::log1pf(libm::expf(-(step as f32) / STEPS as f32))));
    let at = u.min(MOST as f32) * STEPS as f32;
    let step = at as usize;
    let table = &*TABLE;
    table[step] + (at - step as f32) * (table[step + 1] - table[step])
}

impl Behaviour {
    /// The weight of a candidate, from 0 to 1.
    pub fn weight(&self, here: Here, candidate: &Candidate) -> f32 {
        libm::expf(self.log_weight(here, candidate))
    }

    /// The logarithm of the weight of a turn of so many radians, with a sigmoid of slope `alpha`.
    pub fn straight(turn: f32, alpha: f32) -> f32 {
        std::f32::consts::LN_2 + log_sigmoid(-turn.abs(), alpha)
    }

    /// What it is, in a few words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DontTurn { .. } => "do not turn",
            Self::ComeNearer { .. } => "come nearer",
            Self::Pace { .. } => "keep the pace",
            Self::Stop { .. } => "stop",
            Self::Prefer { .. } => "do what the place is for",
            Self::Face { .. } => "face it",
            Self::Settle { .. } => "settle on the spot",
            Self::KeepAway { .. } => "keep away",
            Self::Added(_) => "what the program adds",
        }
    }

    /// The logarithm of the weight of a candidate; minus infinity is a veto.
    pub fn log_weight(&self, here: Here, candidate: &Candidate) -> f32 {
        match *self {
            Self::DontTurn { alpha } => Self::straight(candidate.turn, alpha),
            Self::ComeNearer { to, pace, alpha } => {
                let gap = to - candidate.position;
                let left = gap.length();
                let progress = (to.distance(here.position) - left)
                    / (candidate.seconds.max(LEAST_SECONDS) * pace.max(LEAST_PACE));
                // Near the point it does not matter any more which way one faces.
                let astray = candidate.facing.angle_to(gap).abs() * left.min(1.0);
                log_sigmoid(progress - GOOD - ASTRAY * astray, alpha)
            }
            Self::Pace { speed, tolerance } => {
                let off = (candidate.speed - speed) / tolerance;
                -0.5 * off * off
            }
            Self::Stop { within, otherwise } => {
                if candidate.distance < within {
                    0.0
                } else {
                    libm::logf(otherwise)
                }
            }
            Self::Prefer { labels, otherwise } => {
                if candidate.labels.meets(labels) {
                    0.0
                } else {
                    libm::logf(otherwise)
                }
            }
            Self::Face { toward, alpha } => {
                let direction = (toward - candidate.position).normalize_or_zero();
                log_sigmoid(candidate.facing.dot(direction), alpha)
            }
            Self::Settle { at, facing, alpha } => {
                let now = unsettled(here.position, here.facing, at, facing);
                let then = unsettled(candidate.position, candidate.facing, at, facing);
                log_sigmoid(now - then - 0.05, alpha)
            }
            Self::KeepAway { from, distance, alpha } => {
                log_sigmoid(candidate.position.distance(from) - distance, alpha)
            }
            Self::Added(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(turn_degrees: f32) -> Candidate {
        let turn = turn_degrees.to_radians();
        let facing = Vec2::new(libm::cosf(turn), libm::sinf(turn));
        let half = Vec2::new(libm::cosf(turn / 2.0), libm::sinf(turn / 2.0));
        Candidate {
            position: half * 1.4,
            facing,
            turn,
            distance: 1.4,
            speed: 1.35,
            seconds: 1.07,
            labels: LabelSet::NONE,
        }
    }

    fn best_turn(to: Vec2) -> i32 {
        let here = Here { position: Vec2::ZERO, facing: Vec2::X };
        let weight = |degrees: i32| {
            let candidate = walk(degrees as f32);
            Behaviour::ComeNearer { to, pace: 1.35, alpha: 12.0 }.weight(here, &candidate)
                * Behaviour::DontTurn { alpha: 6.0 }.weight(here, &candidate)
        };
        [-60, -30, -15, 0, 15, 30, 60].into_iter().max_by(|a, b| weight(*a).total_cmp(&weight(*b))).unwrap()
    }

    #[test]
    fn people_walk_straight_and_turn_where_they_must() {
        assert_eq!(best_turn(Vec2::new(30.0, 0.0)), 0);
        assert!(best_turn(Vec2::new(20.0, 20.0)) > 0);
        assert!(best_turn(Vec2::new(0.0, -30.0)) < 0);
    }

    #[test]
    fn weights_stay_between_zero_and_one() {
        let here = Here { position: Vec2::ZERO, facing: Vec2::X };
        for behaviour in [
            Behaviour::DontTurn { alpha: 6.0 },
            Behaviour::ComeNearer { to: Vec2::new(3.0, 1.0), pace: 1.3, alpha: 12.0 },
            Behaviour::Pace { speed: 1.3, tolerance: 0.25 },
            Behaviour::Stop { within: 0.5, otherwise: 0.1 },
            Behaviour::Face { toward: Vec2::Y, alpha: 6.0 },
            Behaviour::Settle { at: Vec2::X, facing: Vec2::Y, alpha: 10.0 },
            Behaviour::KeepAway { from: Vec2::ZERO, distance: 1.0, alpha: 3.0 },
        ] {
            for turn in [-90.0, -15.0, 0.0, 45.0, 180.0] {
                let weight = behaviour.weight(here, &walk(turn));
                assert!((0.0..=1.0).contains(&weight), "{behaviour:?}: {weight}");
            }
        }
    }
}
