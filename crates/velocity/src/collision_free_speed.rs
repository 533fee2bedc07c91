//! Collision-free speed: Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model for pedestrian dynamics" (TGF '15).
//!
//! Speed and direction are chosen apart. e = norm(e0 + Σ a exp((ℓ − s_ij) / D) e_ji), the same for walls; then
//! V = min(v0, max(0, (s − ℓ) / T)) with s the distance to the nearest person ahead whose disc reaches into one's lane, and
//! ℓ the sum of both radii. Nobody ever walks into somebody ahead.

use super::social_force::exponential;
use super::{Decided, Neighbour, Role, View};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of the collision-free speed model; the defaults are the usual ones of JuPedSim.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CollisionFreeSpeed {
    /// T, the time that a person keeps to whoever is ahead, in seconds.
    pub time_gap: f32,
    /// a, how much others bend the direction.
    pub repulsion: f32,
    /// D, the length over which that fades, in metres.
    pub repulsion_range: f32,
    /// How much walls bend the direction.
    pub wall_repulsion: f32,
    /// The length over which that fades, in metres.
    pub wall_repulsion_range: f32,
}

impl Default for CollisionFreeSpeed {
    fn default() -> Self {
        Self {
            time_gap: 1.0,
            repulsion: 8.0,
            repulsion_range: 0.1,
            wall_repulsion: 5.0,
            wall_repulsion_range: 0.02,
        }
    }
}

/// Lengths in metres and times in seconds that are divided by are at least this.
pub(super) const LEAST: f32 = 1e-3;

impl CollisionFreeSpeed {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let speed = view.preferred.length();
        if speed < 1e-6 {
            return Decided { velocity: Vec2::ZERO, memory: view.memory };
        }
        let mut direction = view.preferred / speed;
        for neighbour in standing(view) {
            let distance = neighbour.distance_squared.sqrt();
            let gap = distance - view.radius - neighbour.radius;
            let push = self.repulsion * exponential(-gap / self.repulsion_range.max(LEAST));
            direction -= neighbour.offset * (push / distance.max(1e-6));
        }
        for wall in view.walls {
            let distance = wall.length();
            let push = self.wall_repulsion
                * exponential((view.radius - distance) / self.wall_repulsion_range.max(LEAST));
            direction -= *wall * (push / distance.max(1e-6));
        }
        let direction = direction.normalize_or_zero();
        let room = room_ahead(view, direction);
        let velocity = direction * speed.min(room.max(0.0) / self.time_gap.max(LEAST));
        Decided { velocity, memory: view.memory }
    }

    /// How far others matter at some speed, in metres from edge to edge.
    #[inline]
    pub(super) fn reach(&self, max_speed: f32) -> f32 {
        (self.time_gap * max_speed).max(8.0 * self.repulsion_range)
    }

    /// How far walls matter, in metres from the body's edge.
    #[inline]
    pub(super) fn wall_reach(&self) -> f32 {
        8.0 * self.wall_repulsion_range
    }
}

/// Everybody near who is on their feet.
pub(super) fn standing<'a>(view: &'a View<'_>) -> impl Iterator<Item = &'a Neighbour> {
    view.neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen)
}

/// The room from edge to edge, in metres, to the nearest person whose disc reaches into the lane of one who goes that way.
pub(super) fn room_ahead(view: &View, direction: Vec2) -> f32 {
    let room = |neighbour: &Neighbour| {
        let width = view.radius + neighbour.radius;
        let is_ahead = direction.dot(neighbour.offset) > 0.0;
        let is_in_the_lane = direction.perp_dot(neighbour.offset).abs() < width;
        (is_ahead && is_in_the_lane).then(|| neighbour.distance_squared.sqrt() - width)
    };
    standing(view).filter_map(room).fold(f32::INFINITY, f32::min)
}
