//! RVO: van den Berg, Lin, Manocha 2008, "Reciprocal velocity obstacles", as Brunner 2014 uses it.
//!
//! Sampled velocities are scored with the penalty of Brunner's equation 5.1,
//! penalty(v') = w / tc(v') + |v' − v_pref|; the least wins. tc is the time until the first collision of discs, where
//! each of two agents does half of the avoiding: it is found for the relative velocity 2v' − v − v_other. Walls are whole
//! segments, which a disc may meet anywhere along them. Only velocities are scored that can be had within the step:
//! those with |v'| ≤ v_max and |v' − v| ≤ a_max dt (the paper's set of admissible velocities).

use super::{Decided, Neighbour, Role, View, clamp_speed};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of RVO.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rvo {
    /// w, in metres: how much an agent minds collisions (Brunner's "aggressiveness", the larger the more timid).
    pub safety: f32,
    /// Collisions later than this many seconds do not count.
    pub horizon: f32,
    /// Directions in which velocities are sampled.
    pub directions: u8,
    /// Speeds sampled in each direction, up to the maximum.
    pub speeds: u8,
    /// The greatest acceleration in m/s² (the paper bounds it and gives no number).
    pub acceleration: f32,
}

impl Default for Rvo {
    fn default() -> Self {
        Self { safety: 1.0, horizon: 2.0, directions: 16, speeds: 4, acceleration: 10.0 }
    }
}

impl Rvo {
    /// The velocity with the least penalty of those that are sampled and can be had within the step.
    pub fn choose(&self, view: &View) -> Decided {
        let preferred = clamp_speed(view.preferred, view.max_speed);
        let most = self.acceleration * view.seconds;
        let admissible = |velocity: Vec2| view.velocity + clamp_speed(velocity - view.velocity, most);
        let first = admissible(preferred);
        let mut best = (self.penalty(view, first, preferred, f32::INFINITY), first);
        let mut consider = |velocity: Vec2| {
            let velocity = admissible(velocity);
            let penalty = self.penalty(view, velocity, preferred, best.0);
            if penalty < best.0 {
                best = (penalty, velocity);
            }
        };
        consider(view.velocity);
        consider(Vec2::ZERO);
        // The samples turn with a random angle from step to step, so that no direction is never looked at.
        let mut random = view.random.clone();
        let turn = std::f32::consts::TAU / f32::from(self.directions.max(1));
        let (sin, cos) = libm::sincosf(random.unit() * turn);
        let mut direction = Vec2::new(cos, sin);
        let (sin, cos) = libm::sincosf(turn);
        let step = Vec2::new(cos, sin);
        for _ in 0..self.directions {
            for speed in 1..=self.speeds {
                consider(direction * (view.max_speed * f32::from(speed) / f32::from(self.speeds)));
            }
            direction = step.rotate(direction);
        }
        Decided { velocity: best.1, memory: view.memory }
    }

    /// Equation 5.1; any number above `enough` where the penalty is above it.
    fn penalty(&self, view: &View, velocity: Vec2, preferred: Vec2, enough: f32) -> f32 {
        let detour = velocity.distance(preferred);
        // The shortest time that still improves on `enough`.
        let floor = if enough > detour { self.safety / (enough - detour) } else { return f32::INFINITY };
        let mut time = self.horizon;
        for &ends in view.wall_ends {
            time = time.min(time_to_wall(view, ends, velocity));
        }
        if time <= floor {
            return f32::INFINITY;
        }
        for neighbour in view.neighbours {
            let relative = match neighbour.role {
                Role::Peer => 2.0 * velocity - view.velocity - neighbour.velocity,
                Role::Foreign | Role::Fallen => velocity - neighbour.velocity,
            };
            time = time.min(time_to_collision(view, neighbour, relative));
            if time <= floor {
                return f32::INFINITY;
            }
        }
        match time < self.horizon {
            true => self.safety / time.max(1e-3) + detour,
            false => detour,
        }
    }
}

/// Seconds until discs touch that approach with velocity `relative`; those that overlap already collide the sooner the
/// faster they go on into each other.
fn time_to_collision(view: &View, neighbour: &Neighbour, relative: Vec2) -> f32 {
    let sum = view.radius + neighbour.radius;
    let approach = relative.dot(neighbour.offset);
    let gap = neighbour.distance_squared - sum * sum;
    if approach <= 0.0 {
        return f32::INFINITY;
    }
    if gap <= 0.0 {
        return view.seconds * 0.1 / approach.max(1e-3);
    }
    let squared = relative.length_squared();
    let discriminant = approach * approach - squared * gap;
    if discriminant < 0.0 { f32::INFINITY } else { gap / (approach + discriminant.sqrt()) }
}

/// Seconds until the agent's disc touches a wall between two offsets; as with discs where it touches already.
fn time_to_wall(view: &View, [start, end]: [Vec2; 2], velocity: Vec2) -> f32 {
    let along = end - start;
    let squared = along.length_squared();
    let part = if squared > 0.0 { (-start.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let nearest = start + along * part;
    // A wall is convex: who does not come nearer to its nearest point never meets it.
    let approach = velocity.dot(nearest);
    if approach <= 0.0 {
        return f32::INFINITY;
    }
    if nearest.length_squared() <= view.radius * view.radius {
        return view.seconds * 0.1 / approach.max(1e-3);
    }
    let point = |offset: Vec2| {
        let end = Neighbour { offset, distance_squared: offset.length_squared(), ..Neighbour::default() };
        time_to_collision(view, &end, velocity)
    };
    let mut time = point(start).min(point(end));
    let length = squared.sqrt();
    if length > 1e-6 {
        // The flank that faces the agent.
        let normal = along.perp() / length;
        let normal = if normal.dot(start) < 0.0 { -normal } else { normal };
        let (gap, speed) = (normal.dot(start) - view.radius, velocity.dot(normal));
        if gap > 0.0 && speed > 0.0 {
            let met = (velocity * (gap / speed) - start).dot(along);
            if (0.0..=squared).contains(&met) {
                time = time.min(gap / speed);
            }
        }
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(velocity: Vec2, wall_ends: &[[Vec2; 2]]) -> View<'_> {
        View { velocity, wall_ends, ..View::alone() }
    }

    #[test]
    fn nobody_starts_faster_than_the_bound() {
        let start = view(Vec2::ZERO, &[]);
        let speed = |acceleration| Rvo { acceleration, ..Rvo::default() }.choose(&start).velocity.length();
        assert!((speed(5.0) - 0.5).abs() < 1e-5 && (speed(50.0) - 1.3).abs() < 1e-5);
    }

    /// A wall is right ahead: the best of all velocities would be to stop or to turn at once, which cannot be had. What is
    /// chosen is the best of those that can.
    #[test]
    fn what_is_chosen_is_what_was_scored() {
        let wall = [[Vec2::new(1.0, -5.0), Vec2::new(1.0, 5.0)]];
        let running = view(Vec2::X * 1.3, &wall);
        let rvo = Rvo { acceleration: 2.0, ..Rvo::default() };
        let chosen = rvo.choose(&running).velocity;
        assert!(chosen.distance(running.velocity) <= 0.2 + 1e-5, "{chosen}");
        let penalty = |velocity| rvo.penalty(&running, velocity, running.preferred, f32::INFINITY);
        assert!(penalty(chosen) <= penalty(running.velocity - Vec2::X * 0.2) + 1e-4, "{chosen}");
        assert!(chosen.x < 1.15, "{chosen}");
    }

    #[test]
    fn walls_are_met_anywhere_along_them() {
        // The nearest point of this wall is behind; where one is going it is 1.75 m off the disc's edge.
        let wall = [Vec2::new(-1.0, 0.5), Vec2::new(3.0, 0.5)];
        let at = view(Vec2::ZERO, &[]);
        let time = time_to_wall(&at, wall, Vec2::new(0.7, 0.1));
        assert!((time - 2.5).abs() < 1e-4, "{time}");
        // Past its end, onto its end, away from it, along it.
        assert_eq!(time_to_wall(&at, wall, Vec2::new(4.0, 0.2)), f32::INFINITY);
        let end = time_to_wall(&at, [Vec2::new(2.0, 0.1), Vec2::new(4.0, 3.0)], Vec2::X);
        assert!((end - (2.0 - (0.0625f32 - 0.01).sqrt())).abs() < 1e-4, "{end}");
        assert_eq!(time_to_wall(&at, wall, Vec2::new(1.0, -0.1)), f32::INFINITY);
        assert_eq!(time_to_wall(&at, wall, Vec2::X), f32::INFINITY);
    }

    #[test]
    fn discs_two_metres_apart_touch_in_time() {
        let view = View { preferred: Vec2::X, ..View::alone() };
        let ahead = Neighbour {
            offset: Vec2::new(2.0, 0.0),
            radius: 0.25,
            distance_squared: 4.0,
            ..Neighbour::default()
        };
        assert!((time_to_collision(&view, &ahead, Vec2::X) - 1.5).abs() < 1e-5);
        assert_eq!(time_to_collision(&view, &ahead, Vec2::Y), f32::INFINITY);
        assert_eq!(time_to_collision(&view, &ahead, -Vec2::X), f32::INFINITY);
    }
}
