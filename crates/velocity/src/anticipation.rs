//! Anticipation velocity: Xu, Chraibi, Seyfried 2021, "Anticipation in a velocity-based model for pedestrian dynamics",
//! Transportation Research Part C 133.
//!
//! Like the collision-free speed model, but people look ahead by tᵃ: whoever is within their view (before them as they want to
//! go or as they go) pushes them aside, square to the way they want, away from where it will be. The push is
//! R_ij = a (1 + (1 − e0_i · e_j) / 2) exp(−s_ij / D) with s_ij = max(0, room − closing speed · tᵃ): those who come towards one
//! count twice. The direction turns to what that gives within τ.

use super::collision_free_speed::{LEAST, room_ahead, standing};
use super::social_force::exponential;
use super::{Decided, View};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of the anticipation velocity model; the defaults are those of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Anticipation {
    /// T, the time that a person keeps to whoever is ahead, in seconds.
    pub time_gap: f32,
    /// a, how much others push aside.
    pub repulsion: f32,
    /// D, the length over which that fades, in metres.
    pub repulsion_range: f32,
    /// tᵃ, how far ahead people look, in seconds.
    pub anticipation_time: f32,
    /// τ, the time in which the direction turns, in seconds.
    pub reaction_time: f32,
    /// The room to walls, in metres from the body's edge, within which people turn along them.
    pub wall_buffer: f32,
}

impl Default for Anticipation {
    fn default() -> Self {
        Self {
            time_gap: 1.06,
            repulsion: 8.0,
            repulsion_range: 0.1,
            anticipation_time: 1.0,
            reaction_time: 0.3,
            wall_buffer: 0.1,
        }
    }
}

impl Anticipation {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let speed = view.preferred.length();
        if speed < 1e-6 {
            return Decided { velocity: Vec2::ZERO, memory: view.memory };
        }
        let wish = view.preferred / speed;
        let going = direction_of(view.velocity, wish);
        let aside = wish.perp();
        let mut direction = wish;
        for neighbour in standing(view) {
            let distance = neighbour.distance_squared.sqrt().max(1e-6);
            let towards = neighbour.offset / distance;
            if wish.dot(towards) < 0.0 && going.dot(towards) < 0.0 {
                continue;
            }
            let closing = (view.velocity - neighbour.velocity).dot(towards) * self.anticipation_time;
            let room = (distance - view.radius - neighbour.radius - closing).max(0.0);
            let theirs = direction_of(neighbour.velocity, neighbour.intent.normalize_or_zero());
            let strength = self.repulsion * (1.0 + 0.5 * (1.0 - wish.dot(theirs)));
            let will_be = neighbour.offset + neighbour.velocity * self.anticipation_time;
            // Who will be straight ahead is passed on the right.
            let side = if aside.dot(will_be) >= 0.0 { -1.0 } else { 1.0 };
            direction += aside * (side * strength * exponential(-room / self.repulsion_range.max(LEAST)));
        }
        // As fast as the reaction allows, from how one goes.
        let share = (view.seconds / self.reaction_time.max(LEAST)).min(1.0);
        let direction = (going + (direction.normalize_or_zero() - going) * share).normalize_or(wish);
        let direction = along_walls(direction, view, self.wall_buffer);
        let room = room_ahead(view, direction);
        let velocity = direction * speed.min(room.max(0.0) / self.time_gap.max(LEAST));
        Decided { velocity, memory: view.memory }
    }

    /// How far others matter at some speed, in metres from edge to edge: two may come towards each other.
    #[inline]
    pub(super) fn reach(&self, max_speed: f32) -> f32 {
        (self.time_gap * max_speed).max(2.0 * self.anticipation_time * max_speed + 8.0 * self.repulsion_range)
    }
}

/// A direction turned along walls that are nearer than `buffer` metres to the body's edge.
pub(super) fn along_walls(mut direction: Vec2, view: &View, buffer: f32) -> Vec2 {
    for wall in view.walls {
        let distance = wall.length().max(1e-6);
        let into = wall / distance;
        if distance - view.radius < buffer && direction.dot(into) > 0.0 {
            direction = (direction - into * direction.dot(into)).normalize_or_zero();
        }
    }
    direction
}

/// Which way somebody goes; who stands is about to go as it wants.
pub(super) fn direction_of(velocity: Vec2, wish: Vec2) -> Vec2 {
    let speed = velocity.length();
    if speed > 0.01 { velocity / speed } else { wish }
}
