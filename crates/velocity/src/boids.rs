//! Boids: Reynolds 1987, "Flocks, herds, and schools": separation, alignment, cohesion.

use super::{Decided, View, clamp_speed};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of flocking. Weights are accelerations in m/s² at full urge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Boids {
    /// Urge away from those nearer than [`Self::separation_distance`].
    pub separation: f32,
    /// Edge to edge, in metres.
    pub separation_distance: f32,
    /// Urge towards the mean velocity of those near.
    pub alignment: f32,
    /// Urge towards the middle of those near.
    pub cohesion: f32,
    /// Urge towards the preferred velocity.
    pub steering: f32,
    /// Walls nearer than this, in metres, are steered away from.
    pub wall_reach: f32,
}

impl Default for Boids {
    fn default() -> Self {
        Self {
            separation: 4.0,
            separation_distance: 0.5,
            alignment: 0.5,
            cohesion: 0.2,
            steering: 2.0,
            wall_reach: 0.5,
        }
    }
}

impl Boids {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let mut acceleration = (view.preferred - view.velocity) * self.steering;
        let (mut middle, mut flow) = (Vec2::ZERO, Vec2::ZERO);
        for neighbour in view.neighbours {
            middle += neighbour.offset;
            flow += neighbour.velocity;
            let distance = neighbour.distance_squared.sqrt();
            let gap = distance - view.radius - neighbour.radius;
            acceleration += self.away(neighbour.offset, distance, gap, self.separation_distance);
        }
        if !view.neighbours.is_empty() {
            let share = 1.0 / view.neighbours.len() as f32;
            acceleration += (flow * share - view.velocity) * self.alignment;
            acceleration += (middle * share).normalize_or_zero() * self.cohesion;
        }
        for &wall in view.walls {
            let distance = wall.length();
            acceleration += self.away(wall, distance, distance - view.radius, self.wall_reach);
        }
        let velocity = clamp_speed(view.velocity + acceleration * view.seconds, view.max_speed);
        Decided { velocity, memory: view.memory }
    }

    fn away(&self, offset: Vec2, distance: f32, gap: f32, reach: f32) -> Vec2 {
        if gap >= reach || distance < 1e-6 {
            return Vec2::ZERO;
        }
        offset * (-self.separation * (1.0 - gap / reach) / distance)
    }
}
