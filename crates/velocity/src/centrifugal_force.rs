//! Generalised centrifugal force: Chraibi, Seyfried, Schadschneider 2010, "Generalized centrifugal-force model for pedestrian
//! dynamics", Physical Review E 82.
//!
//! dv/dt = (v0 e0 − v) / τ + Σ f_ij + Σ f_iW with f_ij = −k_ij (η v0 + v_ij)² / d_ij e_ij: v_ij is by how much i comes nearer,
//! k_ij the cosine of the angle at which i sees j, none for those behind, and d_ij the room between their ellipses, whose axes
//! are a = a_min + τ_a v along the way and b = b_max − (b_max − b_min) v / v0 across it. From touching on the force has its
//! greatest value, and at the cut-off it fades to nothing (section IV).

use super::collision_free_speed::{LEAST, standing};
use super::{Decided, View, clamp_speed};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of the generalised centrifugal force model; the axes are those of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CentrifugalForce {
    /// τ, the time in which a person takes up the preferred velocity, in seconds.
    pub reaction_time: f32,
    /// η, how much others repel.
    pub repulsion: f32,
    /// How much walls repel.
    pub wall_repulsion: f32,
    /// a_min, the half axis along the way of one who stands, in metres.
    pub length: f32,
    /// τ_a, by how much it grows with speed, in seconds.
    pub stretch: f32,
    /// b_min, the half axis across the way at the preferred speed, in metres.
    pub least_width: f32,
    /// b_max, the half axis across the way of one who stands, in metres.
    pub most_width: f32,
    /// The room from which on nobody is felt, in metres.
    pub cut_off: f32,
    /// The room from which on walls are not felt, in metres.
    pub wall_cut_off: f32,
    /// Over this length, in metres, the force grows to its greatest when bodies meet, and fades at the cut-off.
    pub transition: f32,
    /// The same of walls.
    pub wall_transition: f32,
    /// The greatest acceleration by somebody, in m/s².
    pub most: f32,
    /// The greatest acceleration by a wall, in m/s².
    pub most_of_walls: f32,
}

impl Default for CentrifugalForce {
    fn default() -> Self {
        Self {
            reaction_time: 0.5,
            repulsion: 0.3,
            wall_repulsion: 0.2,
            length: 0.18,
            stretch: 0.53,
            least_width: 0.2,
            most_width: 0.25,
            cut_off: 2.0,
            wall_cut_off: 2.0,
            transition: 0.1,
            wall_transition: 0.1,
            most: 9.0,
            most_of_walls: 3.0,
        }
    }
}

impl CentrifugalForce {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let (speed, likes) = (view.velocity.length(), view.preferred.length());
        let mut acceleration = (view.preferred - view.velocity) / self.reaction_time.max(LEAST);
        for neighbour in standing(view) {
            let distance = neighbour.distance_squared.sqrt().max(1e-6);
            let towards = neighbour.offset / distance;
            let room = distance
                - self.radius(view.velocity, likes, towards)
                - self.radius(neighbour.velocity, neighbour.intent.length(), towards);
            let nearing = (view.velocity - neighbour.velocity).dot(towards).max(0.0);
            let force =
                force(self.repulsion * likes + nearing, room, self.cut_off, self.transition, self.most);
            acceleration -= towards * (force * seen(view.velocity, speed, towards));
        }
        for wall in view.walls {
            let distance = wall.length().max(1e-6);
            let towards = *wall / distance;
            let room = distance - self.radius(view.velocity, likes, towards);
            let eager = self.wall_repulsion * likes + view.velocity.dot(towards).max(0.0);
            let force = force(eager, room, self.wall_cut_off, self.wall_transition, self.most_of_walls);
            acceleration -= towards * (force * seen(view.velocity, speed, towards));
        }
        let velocity = clamp_speed(view.velocity + acceleration * view.seconds, view.max_speed);
        Decided { velocity, memory: view.memory }
    }

    /// How far from its middle the ellipse of one who moves like that reaches in a direction, in metres.
    fn radius(&self, velocity: Vec2, likes: f32, direction: Vec2) -> f32 {
        let speed = velocity.length();
        let share = if likes > 1e-6 { (speed / likes).min(1.0) } else { 0.0 };
        let along = (self.length + self.stretch * speed).max(LEAST);
        let across = (self.most_width - (self.most_width - self.least_width) * share).max(LEAST);
        if speed < 1e-6 {
            return along.max(across);
        }
        let cosine = (velocity.dot(direction) / speed).clamp(-1.0, 1.0);
        let (x, y) = (cosine / along, (1.0 - cosine * cosine).sqrt() / across);
        1.0 / (x * x + y * y).sqrt()
    }
}

/// The acceleration over some room in metres, at most `most`.
fn force(eager: f32, room: f32, cut_off: f32, transition: f32, most: f32) -> f32 {
    let transition = transition.max(LEAST);
    let strength = (eager * eager / room.max(transition)).min(most);
    if room < transition {
        // From here on it grows to its greatest, which it has where bodies touch.
        let depth = 1.0 - room.max(0.0) / transition;
        return strength + (most - strength) * smooth(depth);
    }
    strength * smooth((cut_off - room) / transition)
}

/// How much one sees of another: the cosine of the angle to it; nothing behind one.
fn seen(velocity: Vec2, speed: f32, towards: Vec2) -> f32 {
    if speed > 1e-6 { (velocity.dot(towards) / speed).max(0.0) } else { 0.0 }
}

/// From 0 to 1 with no slope at either end (Hermite's cubic).
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
