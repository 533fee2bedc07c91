//! Bodies are solid: after a step, those who touch part, and nobody stands in a wall.

use super::Role;
use crowdloom_base::grid::NeighbourGrid;
use crowdloom_world::Ground;
use glam::Vec2;

/// What others need to know of somebody, in the order of the grid's slots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) velocity: Vec2,
    pub(super) intent: Vec2,
    pub(super) radius: f32,
    pub(super) panic: f32,
    pub(super) role: Role,
    /// How deep it lets others come, as a part of the sum of both radii, before the two are parted.
    pub(super) touching: f32,
}

/// How far one moves to part from all who overlap with one: half of each overlap, all of it where the other does not
/// give way. The grid knows where everybody was before the step; nobody who overlaps now was farther than `reach`.
pub(super) fn parting(
    grid: &NeighbourGrid,
    bodies: &[Body],
    moved: &[Vec2],
    slot: usize,
    reach: f32,
) -> Vec2 {
    let (here, radius) = (moved[slot], bodies[slot].radius);
    let mut parting = Vec2::ZERO;
    grid.for_each_slot_around(grid.sorted_positions()[slot], reach, |other| {
        let offset = here - moved[other];
        let sum = radius + bodies[other].radius;
        let squared = offset.length_squared();
        if squared < sum * sum && other != slot {
            let distance = squared.sqrt();
            // Two in one point part along x, each to its side.
            let away = match distance > 1e-6 {
                true => offset / distance,
                false if slot < other => Vec2::X,
                false => Vec2::NEG_X,
            };
            let share = match bodies[other].role {
                Role::Peer => 0.5,
                Role::Foreign => 1.0,
                // One steps over who lies.
                Role::Fallen => 0.0,
            };
            let leeway = bodies[slot].touching.min(bodies[other].touching) * sum;
            parting += away * (share * (sum - leeway - distance).max(0.0));
        }
    });
    // Pressed from many sides one does not jump farther than one's own radius.
    super::clamp_speed(parting, radius)
}

/// The place nearest to `to` that a disc can take without touching a wall; `from` where it would have to pass one.
pub(super) fn keep_off_walls(ground: &Ground, from: Vec2, to: Vec2, radius: f32) -> Vec2 {
    let long = from.distance_squared(to) > radius * radius;
    if ground.is_free(to, radius) && !long {
        return to;
    }
    let mut place = to;
    if long && !ground.straight_is_free(from, to, 0.0) {
        place = from + super::clamp_speed(to - from, 0.5 * radius);
    }
    // One push for each wall of a corner, and one more.
    for _ in 0..3 {
        let Some(wall) = ground.nearest_wall(place) else { return from };
        if wall.distance >= radius {
            break;
        }
        let away = (place - wall.point) * wall.distance.signum();
        place = wall.point + away.normalize_or_zero() * (radius * 1.0001);
    }
    if ground.is_free(place, 0.0) && ground.straight_is_free(from, place, 0.0) { place } else { from }
}
