//! Manners that any mover may have: room to step behind others, and giving way to the right.
//!
//! People slow down behind each other long before they touch.
//!
//! Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model for pedestrian dynamics": V(s) = min(v0, (s − ℓ) / T),
//! with s the distance to the nearest person ahead and ℓ the sum of radii. It makes any mover follow the fundamental
//! diagram: with people 1/√ρ apart, T = 0.5 s and ℓ = 0.4 m give Weidmann's speeds to within 0.15 m/s up to 5 people a
//! square metre. Two things keep it from freezing: nobody wishes to stand still entirely, and who comes towards one is
//! left to the mover to avoid.

use super::{Neighbour, Role};
use glam::Vec2;

/// How far ahead somebody who comes towards one matters, in metres.
const ONCOMING: f32 = 3.0;

/// The preferred velocity of somebody who gives way to the right to those who want to come towards them, by up to
/// 45° times `side`: so lanes form before anybody has to stop.
pub(super) fn keep_right(preferred: Vec2, radius: f32, side: f32, neighbours: &[Neighbour]) -> Vec2 {
    let speed = preferred.length();
    if speed < 1e-6 {
        return preferred;
    }
    let forward = preferred / speed;
    let mut urge = 0.0f32;
    for neighbour in neighbours.iter().filter(|neighbour| neighbour.intent.dot(forward) < 0.0) {
        let along = neighbour.offset.dot(forward);
        let to_the_left = forward.perp_dot(neighbour.offset);
        if along > 0.0 && along < ONCOMING && to_the_left < radius + neighbour.radius {
            urge = urge.max(1.0 - along / ONCOMING);
        }
    }
    let right = Vec2::new(forward.y, -forward.x);
    (forward + right * (side * urge)).normalize_or(forward) * speed
}

/// The part of the preferred speed that is left when somebody is right ahead.
const CREEP: f32 = 0.1;

/// The preferred velocity of somebody who keeps `headway` seconds to those ahead.
pub(super) fn hold_back(preferred: Vec2, radius: f32, headway: f32, neighbours: &[Neighbour]) -> Vec2 {
    let speed = preferred.length();
    if speed < 1e-6 {
        return preferred;
    }
    let forward = preferred / speed;
    let mut allowed = speed;
    for neighbour in neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen) {
        let sum = radius + neighbour.radius;
        let along = neighbour.offset.dot(forward);
        let across = forward.perp_dot(neighbour.offset);
        if along > 0.0 && across.abs() < sum && neighbour.intent.dot(forward) >= 0.0 {
            allowed = allowed.min((neighbour.distance_squared.sqrt() - sum) / headway);
        }
    }
    forward * allowed.max(CREEP * speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_sets_the_speed() {
        let ahead = |distance: f32| Neighbour {
            offset: Vec2::X * distance,
            radius: 0.2,
            distance_squared: distance * distance,
            ..Neighbour::default()
        };
        let speed = |distance| hold_back(Vec2::X * 1.3, 0.2, 0.5, &[ahead(distance)]).x;
        assert!((speed(5.0) - 1.3).abs() < 1e-6);
        assert!((speed(0.7) - 0.6).abs() < 1e-5);
        assert!((speed(0.4) - 0.13).abs() < 1e-5);
        assert!((speed(-0.5) - 1.3).abs() < 1e-6);
    }
}
