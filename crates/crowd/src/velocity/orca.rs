//! ORCA: van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance".
//!
//! Each neighbour takes away a half-plane of velocities; a linear program finds the velocity nearest to the preferred
//! one. Where a crowd is so dense that nothing is left, the published answer goes least against the worst half-plane,
//! whether that collision is a step or a horizon away. Here the horizon shrinks first: avoiding in time what comes soon
//! counts more than what may come later. So fewer people stand, and fewer touch.

use super::linear_program::{HalfPlane, least_violation, nearest_velocity};
use super::{Choice, Neighbour, Role, View, clamp_speed};
use crate::grid::Nearest;
use glam::Vec2;

/// Parameters of ORCA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orca {
    /// How long ahead agents avoid each other, in seconds.
    pub horizon: f32,
    /// How long ahead agents avoid walls, in seconds.
    pub wall_horizon: f32,
    /// How many times the horizon is shrunk before the least violation is taken.
    pub retries: u32,
    /// What is left of the horizon each time it is shrunk.
    pub shrink: f32,
    /// The part of an overlap that one step undoes.
    pub relaxation: f32,
    /// The largest random deviation, in metres per second, from the preferred velocity of an agent that is held up: it
    /// breaks the symmetry of jams.
    pub noise: f32,
}

impl Default for Orca {
    fn default() -> Self {
        Self { horizon: 2.0, wall_horizon: 0.2, retries: 3, shrink: 0.3, relaxation: 0.3, noise: 0.5 }
    }
}

/// Walls that one agent heeds at most.
pub(crate) const MAX_WALLS: usize = 16;
const MAX_PLANES: usize = MAX_WALLS + Nearest::CAPACITY;

impl Orca {
    pub(super) fn choose(&self, view: &View) -> Choice {
        let mut planes = [HalfPlane::default(); MAX_PLANES];
        let mut hard = 0;
        for &wall in view.walls {
            planes[hard] = wall_plane(view, wall, self.wall_horizon);
            hard += 1;
        }
        let mut preferred = view.preferred;
        // Only who is held up tries something else; a free walker walks straight.
        let held_up = preferred.length_squared() - view.velocity.length_squared();
        if held_up > 0.0 && self.noise > 0.0 {
            let mut random = view.random.clone();
            let noise = self.noise * (held_up / preferred.length_squared()).min(1.0);
            preferred += Vec2::new(random.unit() - 0.5, random.unit() - 0.5) * (2.0 * noise);
        }
        let count = hard + view.neighbours.len();
        let mut horizon = self.horizon;
        let mut tries = 0;
        let velocity = loop {
            for (plane, neighbour) in planes[hard..count].iter_mut().zip(view.neighbours) {
                *plane = self.neighbour_plane(view, neighbour, horizon);
            }
            match nearest_velocity(&planes[..count], view.max_speed, preferred) {
                Ok(velocity) => break velocity,
                Err((failed, best)) if tries >= self.retries => {
                    break least_violation::<MAX_PLANES>(
                        &planes[..count],
                        hard,
                        failed,
                        view.max_speed,
                        best,
                    );
                }
                Err(_) => {
                    tries += 1;
                    horizon *= self.shrink;
                }
            }
        };
        Choice { velocity: clamp_speed(velocity, view.max_speed), memory: view.memory }
    }

    /// The velocities that avoid a neighbour for `horizon` seconds, if it does its part (section 4 of the paper).
    #[inline]
    fn neighbour_plane(&self, view: &View, neighbour: &Neighbour, horizon: f32) -> HalfPlane {
        let share = if neighbour.role == Role::Peer { 0.5 } else { 1.0 };
        let sum = view.radius + neighbour.radius;
        let relative = view.velocity - neighbour.velocity;
        let squared = neighbour.distance_squared;
        if squared <= sum * sum {
            // They touch: part at a speed that undoes a share of the overlap in this step.
            let distance = squared.sqrt();
            let away = if distance > 1e-6 { -neighbour.offset / distance } else { Vec2::X };
            let speed = (sum - distance) * self.relaxation / view.seconds;
            let change = (speed - relative.dot(away)) * away;
            return HalfPlane {
                point: view.velocity + share * change,
                direction: Vec2::new(away.y, -away.x),
            };
        }
        let inverse_horizon = 1.0 / horizon;
        let w = relative - neighbour.offset * inverse_horizon;
        let along = w.dot(neighbour.offset);
        let w_squared = w.length_squared();
        let (direction, change) = if along < 0.0 && along * along > sum * sum * w_squared {
            // Nearest is the round end of the cone.
            let length = w_squared.sqrt();
            let unit = w / length;
            (Vec2::new(unit.y, -unit.x), (sum * inverse_horizon - length) * unit)
        } else {
            let leg = (squared - sum * sum).sqrt();
            let offset = neighbour.offset;
            let direction = if offset.perp_dot(w) > 0.0 {
                Vec2::new(offset.x * leg - offset.y * sum, offset.x * sum + offset.y * leg) / squared
            } else {
                -Vec2::new(offset.x * leg + offset.y * sum, -offset.x * sum + offset.y * leg) / squared
            };
            (direction, direction * relative.dot(direction) - relative)
        };
        HalfPlane { point: view.velocity + share * change, direction }
    }
}

/// The velocities that do not reach a wall for `horizon` seconds: those that stay on this side of the tangent to the
/// agent's disc at the wall's nearest point. Safe, because a wall is convex and the tangent separates.
pub(super) fn wall_plane(view: &View, wall: Vec2, horizon: f32) -> HalfPlane {
    let distance = wall.length();
    let away = if distance > 1e-6 { -wall / distance } else { Vec2::X };
    let gap = distance - view.radius;
    // An agent that touches is not thrown back: it only must not go on.
    let speed = if gap > 0.0 { -gap / horizon } else { 0.0 };
    HalfPlane { point: away * speed, direction: Vec2::new(away.y, -away.x) }
}
