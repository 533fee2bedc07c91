//! Rotational steering: the third version of JuPedSim's collision-free speed model, from the equations of its documentation.
//!
//! The wish, bent by walls, turns away from one person only: whoever is ahead and weighs most,
//! w = exp(−x / r_x) exp(−y / r_y) with x along and y across the way. θ follows θ_max tanh(∓w) within τ. The speed is
//! V = min(v0, max(v_min, (s − b) / T)), s mostly the room where one goes and a little the room where one wants to go. Whoever is
//! behind a wall does not count.

use super::anticipation::direction_of;
use super::collision_free_speed::{LEAST, room_ahead, standing};
use super::social_force::exponential;
use super::{Decided, Memory, View};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of rotational steering; the defaults are those of JuPedSim.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RotationalSteering {
    /// T, the time that a person keeps to whoever is ahead, in seconds.
    pub time_gap: f32,
    /// b, the room that a person keeps besides, in metres.
    pub buffer: f32,
    /// θ_max, how far a person turns off its way for others at most, in radians.
    pub most_turn: f32,
    /// r_x, the length along the way over which others lose weight, in metres.
    pub range_ahead: f32,
    /// r_y, the same across the way.
    pub range_aside: f32,
    /// How much walls bend the direction.
    pub wall_repulsion: f32,
    /// The length over which that fades, in metres.
    pub wall_repulsion_range: f32,
}

impl Default for RotationalSteering {
    fn default() -> Self {
        Self {
            time_gap: 1.0,
            buffer: 0.0,
            most_turn: 1.57,
            range_ahead: 2.0,
            range_aside: 0.8,
            wall_repulsion: 5.0,
            wall_repulsion_range: 0.02,
        }
    }
}

/// τ, the time in which people turn, in seconds.
const TURNS_IN: f32 = 0.3;
/// ε, how far aside, in metres, others are clearly on one side.
const CLEARLY_ASIDE: f32 = 0.05;
/// The weight of the room where one wants to go.
const WISH_WEIGHT: f32 = 0.15;
/// v_min: who is blocked goes back a little, in metres a second, so that two do not block each other for ever.
const BACKWARDS: f32 = -0.01;

impl RotationalSteering {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let speed = view.preferred.length();
        if speed < 1e-6 {
            return Decided { velocity: Vec2::ZERO, memory: Memory { turn: 0.0, ..view.memory } };
        }
        let wish = view.preferred / speed;
        let mut bent = wish;
        for wall in view.walls {
            let distance = wall.length();
            let push = self.wall_repulsion
                * exponential((view.radius - distance) / self.wall_repulsion_range.max(LEAST));
            bent -= *wall * (push / distance.max(1e-6));
        }
        let reference = bent.normalize_or(direction_of(view.velocity, wish));
        let share = (view.seconds / TURNS_IN).min(1.0);
        let turn = view.memory.turn + share * (self.wanted_turn(view, reference) - view.memory.turn);
        let direction = Vec2::new(libm::cosf(turn), libm::sinf(turn)).rotate(reference);
        let room = (1.0 - WISH_WEIGHT) * room_ahead(view, direction) + WISH_WEIGHT * room_ahead(view, wish);
        let pace = ((room - self.buffer) / self.time_gap.max(LEAST)).max(BACKWARDS).min(speed);
        Decided { velocity: direction * pace, memory: Memory { turn, ..view.memory } }
    }

    /// How far, in radians to the left, somebody should turn for the one person who weighs most.
    fn wanted_turn(&self, view: &View, reference: Vec2) -> f32 {
        let (ahead, across) = (1.0 / self.range_ahead.max(LEAST), 1.0 / self.range_aside.max(LEAST));
        // Who weighs most is least far, in these lengths.
        let (mut least, mut aside) = (f32::INFINITY, 0.0);
        for neighbour in standing(view) {
            let (x, y) = (reference.dot(neighbour.offset), reference.perp_dot(neighbour.offset));
            let far = x * ahead + y.abs() * across;
            if x > 0.0 && far < least {
                (least, aside) = (far, y);
            }
        }
        if least == f32::INFINITY {
            return 0.0;
        }
        let most = exponential(-least);
        -self.most_turn * libm::tanhf(most * aside / (aside.abs() + CLEARLY_ASIDE))
    }

    /// How far walls matter, in metres from the body's edge.
    #[inline]
    pub(super) fn wall_reach(&self) -> f32 {
        8.0 * self.wall_repulsion_range
    }
}
