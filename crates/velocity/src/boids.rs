//! Boids: Reynolds 1987, "Flocks, herds, and schools": separation, alignment, cohesion. What it wants besides comes from
//! the steering set of Reynolds 1999 ([`crate::steering_set`]) as the velocity that it prefers.
//!
//! Urges come in the order of their importance, as the paper's prioritised allocation has it: each takes what it asks for of
//! one greatest acceleration, and the next gets what is left.

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
    /// The greatest acceleration in m/s² (ours; the paper gives no number).
    pub greatest_acceleration: f32,
    /// Half the angle in which it sees others, in radians; at rest it sees all around (ours).
    pub field_of_view: f32,
    /// Walls nearer than this, in metres, are steered away from.
    pub wall_reach: f32,
    /// Half the width in metres of the path that the way to its goal is for it (Reynolds 1999, path following): inside it goes on as it
    /// does, and comes back where it would leave it; 0 heads for the next corner instead.
    pub path_radius: f32,
}

impl Default for Boids {
    fn default() -> Self {
        Self {
            separation: 4.0,
            separation_distance: 0.5,
            alignment: 0.5,
            cohesion: 0.2,
            steering: 2.0,
            greatest_acceleration: 8.0,
            field_of_view: 2.4,
            wall_reach: 0.5,
            path_radius: 0.0,
        }
    }
}

impl Boids {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let (mut apart, mut middle, mut flow, mut seen) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, 0.0);
        let facing = view.velocity.normalize_or_zero();
        let narrowest = libm::cosf(self.field_of_view);
        for neighbour in view.neighbours {
            let distance = neighbour.distance_squared.sqrt();
            if facing != Vec2::ZERO && neighbour.offset.dot(facing) < narrowest * distance {
                continue;
            }
            seen += 1.0;
            middle += neighbour.offset;
            flow += neighbour.velocity;
            let gap = distance - view.radius - neighbour.radius;
            apart += self.away(neighbour.offset, distance, gap, self.separation_distance);
        }
        for &wall in view.walls {
            let distance = wall.length();
            apart += self.away(wall, distance, distance - view.radius, self.wall_reach);
        }
        let (mut along, mut together) = (Vec2::ZERO, Vec2::ZERO);
        if seen > 0.0 {
            along = (flow / seen - view.velocity) * self.alignment;
            together = (middle / seen).normalize_or_zero() * self.cohesion;
        }
        let onwards = (view.preferred - view.velocity) * self.steering;
        let acceleration = allocate([apart, along, together, onwards], self.greatest_acceleration);
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

/// The sum of urges in the order of their importance, until `most` is used up, in m/s².
fn allocate(urges: [Vec2; 4], most: f32) -> Vec2 {
    let (mut sum, mut left) = (Vec2::ZERO, most);
    for urge in urges {
        let part = clamp_speed(urge, left);
        sum += part;
        left = (left - part.length()).max(0.0);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighbour;

    #[test]
    fn what_matters_more_comes_first() {
        let urges = [Vec2::X * 3.0, Vec2::Y * 4.0, Vec2::Y * 9.0, Vec2::NEG_X];
        assert_eq!(allocate(urges, 5.0), Vec2::new(3.0, 2.0));
        assert_eq!(allocate(urges, 100.0), Vec2::new(2.0, 13.0));
    }

    #[test]
    fn nobody_is_seen_from_behind() {
        let at = |offset: Vec2| Neighbour {
            offset,
            velocity: Vec2::Y,
            radius: 0.25,
            distance_squared: offset.length_squared(),
            ..Neighbour::default()
        };
        let change = |offset: Vec2| {
            let velocity = Boids::default().choose(&View {
                preferred: Vec2::X,
                neighbours: &[at(offset)],
                ..View::alone()
            });
            velocity.velocity - Vec2::X
        };
        assert_eq!(change(Vec2::NEG_X * 2.0), Vec2::ZERO);
        assert!(change(Vec2::X * 2.0).y > 0.0);
    }
}
