//! Manners that any mover may have: room to step behind others, and giving way to the right.
//!
//! People slow down behind each other long before they touch. Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model
//! for pedestrian dynamics": V(s) = min(v0, (s − ℓ) / T), with s the distance to the nearest person ahead. It makes any
//! mover follow the fundamental diagram. Two things keep it from freezing: nobody wishes to stand still entirely, and
//! who comes towards one is left to the mover to avoid.

use super::{Model, Neighbour, Role};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// How somebody treats others, whatever moves it. The default is like people; [`Manners::none`] is the bare model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manners {
    /// T: the time that it keeps to those who walk ahead, in seconds; 0 leaves its preferred speed alone.
    pub headway: f32,
    /// ℓ: the distance from middle to middle, in metres, at which it would stand behind somebody.
    pub spacing: f32,
    /// How far aside of its way, in metres from middle to middle, somebody is still ahead of it.
    pub breadth: f32,
    /// The part of its preferred speed that is left when somebody is right ahead: who waits still presses on a little.
    pub creep: f32,
    /// How much it gives way to the right to those who come towards it; 0 not at all, 1 by up to 45°.
    pub keep_right: f32,
    /// How far ahead somebody who comes towards it matters, in metres.
    pub oncoming_reach: f32,
}

impl Default for Manners {
    /// As people are: speeds against density as in the HERMES corridor experiments (Jülich 2009), found with social forces.
    fn default() -> Self {
        Self { headway: 0.55, spacing: 0.3, breadth: 0.3, creep: 0.25, keep_right: 1.0, oncoming_reach: 3.0 }
    }
}

impl Manners {
    /// The bare published model.
    pub fn none() -> Self {
        Self { headway: 0.0, keep_right: 0.0, spacing: 0.0, breadth: 0.0, creep: 0.0, oncoming_reach: 0.0 }
    }

    /// The usual manners of those whom a model moves: what makes the model's speeds fall with density as people's do. Flocks
    /// are no people and have none, and a program says itself what the people of its models have.
    pub fn of(model: &Model) -> Self {
        let like_people = Self::default();
        match model {
            Model::Boids(_) | Model::Added(_) => Self::none(),
            // These keep off those ahead by themselves.
            Model::CollisionFreeSpeed(_) | Model::Anticipation(_) | Model::CentrifugalForce(_) => {
                Self::none()
            }
            Model::Rvo(_) | Model::SocialForce(_) => like_people,
            // Nothing pushes ORCA's agents apart before they would touch: they keep off more.
            Model::Orca(_) => Self { headway: 0.45, spacing: 0.36, breadth: 0.4, creep: 0.3, ..like_people },
            // HiDAC waits behind others by itself.
            Model::Hidac(_) => Self { headway: 0.15, creep: 0.4, ..like_people },
        }
    }

    /// Whether all numbers can be used.
    pub fn is_sound(&self) -> bool {
        let Self { headway, spacing, breadth, creep, keep_right, oncoming_reach } = *self;
        let numbers = [headway, spacing, breadth, creep, keep_right, oncoming_reach];
        numbers.iter().all(|number| number.is_finite() && *number >= 0.0)
    }

    /// Whether there are any.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.keep_right > 0.0 || self.headway > 0.0
    }

    /// The preferred velocity that is left of `preferred` among others.
    pub(super) fn temper(&self, mut preferred: Vec2, radius: f32, neighbours: &[Neighbour]) -> Vec2 {
        if self.keep_right > 0.0 {
            preferred = self.give_way(preferred, radius, neighbours);
        }
        if self.headway > 0.0 {
            preferred = self.hold_back(preferred, neighbours);
        }
        preferred
    }

    /// The preferred velocity of somebody who gives way to the right to those who want to come towards it, by up to 45°:
    /// so lanes form before anybody has to stop.
    fn give_way(&self, preferred: Vec2, radius: f32, neighbours: &[Neighbour]) -> Vec2 {
        let speed = preferred.length();
        if speed < 1e-6 {
            return preferred;
        }
        let forward = preferred / speed;
        let mut urge = 0.0f32;
        for neighbour in neighbours.iter().filter(|neighbour| neighbour.intent.dot(forward) < 0.0) {
            let along = neighbour.offset.dot(forward);
            let to_the_left = forward.perp_dot(neighbour.offset);
            if along > 0.0 && along < self.oncoming_reach && to_the_left < radius + neighbour.radius {
                urge = urge.max(1.0 - along / self.oncoming_reach);
            }
        }
        let right = Vec2::new(forward.y, -forward.x);
        (forward + right * (self.keep_right * urge)).normalize_or(forward) * speed
    }

    /// The preferred velocity of somebody who keeps its headway to those ahead.
    fn hold_back(&self, preferred: Vec2, neighbours: &[Neighbour]) -> Vec2 {
        let speed = preferred.length();
        if speed < 1e-6 {
            return preferred;
        }
        let forward = preferred / speed;
        let mut allowed = speed;
        for neighbour in neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen) {
            let along = neighbour.offset.dot(forward);
            let across = forward.perp_dot(neighbour.offset);
            if along > 0.0 && across.abs() < self.breadth && neighbour.intent.dot(forward) >= 0.0 {
                allowed = allowed.min((neighbour.distance_squared.sqrt() - self.spacing) / self.headway);
            }
        }
        forward * allowed.max(self.creep * speed)
    }
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
        let manners = Manners { headway: 0.5, spacing: 0.4, breadth: 0.4, creep: 0.1, ..Manners::none() };
        let speed = |distance| manners.temper(Vec2::X * 1.3, 0.2, &[ahead(distance)]).x;
        assert!((speed(5.0) - 1.3).abs() < 1e-6);
        assert!((speed(0.7) - 0.6).abs() < 1e-5);
        assert!((speed(0.4) - 0.13).abs() < 1e-5);
        assert!((speed(-0.5) - 1.3).abs() < 1e-6);
        assert!((Manners::none().temper(Vec2::X * 1.3, 0.2, &[ahead(0.4)]).x - 1.3).abs() < 1e-6);
    }
}
