//! ORCA: van den Berg, Guy, Lin, Manocha 2011, "Reciprocal n-body collision avoidance".
//!
//! Each neighbour takes away a half-plane of velocities; a linear program finds the velocity nearest to the preferred
//! one. Where a crowd is so dense that nothing is left, the published answer goes least against the worst half-plane,
//! whether that collision is a step or a horizon away. Here the horizon shrinks first: avoiding in time what comes soon
//! counts more than what may come later. So fewer people stand, and fewer touch.

use super::linear_program::{HalfPlane, least_violation, nearest_velocity};
use super::{Decided, Neighbour, Role, View, clamp_speed};
use crowdloom_base::grid::Nearest;
use glam::{Vec2, Vec4};
use serde::{Deserialize, Serialize};

/// Parameters of ORCA.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Orca {
    /// How long ahead agents avoid each other, in seconds.
    pub horizon: f32,
    /// How long ahead agents avoid walls, in seconds (ours; the paper has one horizon).
    pub wall_horizon: f32,
    /// How many times the horizon is shrunk before the least violation is taken (ours; 0 is the paper).
    pub retries: u32,
    /// What is left of the horizon each time it is shrunk.
    pub shrink: f32,
    /// The part of an overlap that one step undoes (ours; 1 is the paper).
    pub relaxation: f32,
    /// The largest random deviation, in metres per second, from the preferred velocity of an agent that is held up: it
    /// breaks the symmetry of jams (ours; 0 is the paper).
    pub noise: f32,
}

impl Orca {
    /// The paper's: one horizon, no second tries, overlaps undone at once, no noise.
    pub fn published() -> Self {
        Self { horizon: 2.0, wall_horizon: 2.0, retries: 0, shrink: 1.0, relaxation: 1.0, noise: 0.0 }
    }
}

impl Default for Orca {
    fn default() -> Self {
        Self { horizon: 2.0, wall_horizon: 0.2, retries: 3, shrink: 0.3, relaxation: 0.3, noise: 0.5 }
    }
}

/// Walls that one agent heeds at most.
pub const MAX_WALLS: usize = 16;
const MAX_PLANES: usize = MAX_WALLS + Nearest::CAPACITY;

impl Orca {
    pub(super) fn choose(&self, view: &View) -> Decided {
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
            self.neighbour_planes(view, horizon, &mut planes[hard..count]);
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
        Decided { velocity: clamp_speed(velocity, view.max_speed), memory: view.memory }
    }

    /// For each neighbour the velocities that avoid it for `horizon` seconds, if it does its part (section 4 of the
    /// paper), for four neighbours at a time.
    ///
    /// All three candidates for the nearest point of the velocity obstacle are computed and one is taken by a mask: which
    /// one it is cannot be guessed, and a wrong guess costs more than the arithmetic.
    #[inline]
    fn neighbour_planes(&self, view: &View, horizon: f32, planes: &mut [HalfPlane]) {
        let inverse_horizon = Vec4::splat(1.0 / horizon);
        let parting = Vec4::splat(self.relaxation / view.seconds);
        for (four, planes) in view.neighbours.chunks(4).zip(planes.chunks_mut(4)) {
            let one = |lane: usize| &four[lane.min(four.len() - 1)];
            let gather = |part: fn(&Neighbour) -> f32| {
                Vec4::new(part(one(0)), part(one(1)), part(one(2)), part(one(3)))
            };
            let (x, y) = (gather(|n| n.offset.x), gather(|n| n.offset.y));
            let relative_x = Vec4::splat(view.velocity.x) - gather(|n| n.velocity.x);
            let relative_y = Vec4::splat(view.velocity.y) - gather(|n| n.velocity.y);
            let sum = Vec4::splat(view.radius) + gather(|n| n.radius);
            let squared = gather(|n| n.distance_squared);
            let share = gather(|n| if n.role == Role::Peer { 0.5 } else { 1.0 });

            // The round end of the cone.
            let (w_x, w_y) = (relative_x - x * inverse_horizon, relative_y - y * inverse_horizon);
            let along = w_x * x + w_y * y;
            let w_squared = w_x * w_x + w_y * w_y;
            let length = square_root(w_squared).max(Vec4::splat(1e-9));
            let (unit_x, unit_y) = (w_x / length, w_y / length);
            let end = sum * inverse_horizon - length;

            // The leg on the side of w.
            let gap = squared - sum * sum;
            let leg = square_root(gap.max(Vec4::ZERO)) * Vec4::ONE.copysign(x * w_y - y * w_x);
            let inverse_squared = Vec4::ONE / squared.max(Vec4::splat(1e-12));
            let leg_x = (x * leg - y * sum) * inverse_squared;
            let leg_y = (y * leg + x * sum) * inverse_squared;
            let leg_speed = relative_x * leg_x + relative_y * leg_y;

            let is_end = (-along).min(along * along - sum * sum * w_squared).cmpgt(Vec4::ZERO);
            let pick = |round: Vec4, straight: Vec4| Vec4::select(is_end, round, straight);
            let mut direction_x = pick(unit_y, leg_x);
            let mut direction_y = pick(-unit_x, leg_y);
            let mut change_x = pick(end * unit_x, leg_x * leg_speed - relative_x);
            let mut change_y = pick(end * unit_y, leg_y * leg_speed - relative_y);

            let touching = gap.cmple(Vec4::ZERO);
            if touching.any() {
                // Part at a speed that undoes a share of the overlap in this step.
                let distance = square_root(squared).max(Vec4::splat(1e-6));
                let (away_x, away_y) = (-x / distance, -y / distance);
                let speed = (sum - distance) * parting - (relative_x * away_x + relative_y * away_y);
                direction_x = Vec4::select(touching, away_y, direction_x);
                direction_y = Vec4::select(touching, -away_x, direction_y);
                change_x = Vec4::select(touching, speed * away_x, change_x);
                change_y = Vec4::select(touching, speed * away_y, change_y);
            }
            let point_x = (Vec4::splat(view.velocity.x) + share * change_x).to_array();
            let point_y = (Vec4::splat(view.velocity.y) + share * change_y).to_array();
            let (direction_x, direction_y) = (direction_x.to_array(), direction_y.to_array());
            for (lane, plane) in planes.iter_mut().enumerate() {
                plane.point = Vec2::new(point_x[lane], point_y[lane]);
                plane.direction = Vec2::new(direction_x[lane], direction_y[lane]);
            }
        }
    }
}

/// The square roots of four numbers; the machine's own instruction is exactly rounded everywhere.
#[inline]
fn square_root(numbers: Vec4) -> Vec4 {
    Vec4::from_array(numbers.to_array().map(f32::sqrt))
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
