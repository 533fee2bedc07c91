//! RVO: van den Berg, Lin, Manocha 2008, "Reciprocal velocity obstacles", as Brunner 2014 uses it.
//!
//! Sampled velocities are scored with the penalty of Brunner's equation 5.1,
//! penalty(v') = w / tc(v') + |v' − v_pref|; the least wins. tc is the time until the first collision of discs, where
//! each of two agents does half of the avoiding: it is found for the relative velocity 2v' − v − v_other.

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
    /// The velocity with the least penalty of those that are sampled.
    pub fn choose(&self, view: &View) -> Decided {
        let preferred = clamp_speed(view.preferred, view.max_speed);
        let mut best = (self.penalty(view, preferred, preferred, f32::INFINITY), preferred);
        let mut consider = |velocity: Vec2| {
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
        let change = clamp_speed(best.1 - view.velocity, self.acceleration * view.seconds);
        Decided { velocity: view.velocity + change, memory: view.memory }
    }

    /// Equation 5.1; any number above `enough` where the penalty is above it.
    fn penalty(&self, view: &View, velocity: Vec2, preferred: Vec2, enough: f32) -> f32 {
        let detour = velocity.distance(preferred);
        // The shortest time that still improves on `enough`.
        let floor = if enough > detour { self.safety / (enough - detour) } else { return f32::INFINITY };
        let mut time = self.horizon;
        for &wall in view.walls {
            let obstacle =
                Neighbour { offset: wall, distance_squared: wall.length_squared(), ..Neighbour::default() };
            time = time.min(time_to_collision(view, &obstacle, velocity));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_starts_faster_than_the_bound() {
        let view = View {
            velocity: Vec2::ZERO,
            preferred: Vec2::X * 1.3,
            aim: None,
            radius: 0.25,
            max_speed: 1.8,
            memory: Default::default(),
            neighbours: &[],
            walls: &[],
            seconds: 0.1,
            random: crowdloom_base::random::Random::new(0, 0, 0, crowdloom_base::random::Purpose::STEERING),
        };
        let speed = |acceleration| Rvo { acceleration, ..Rvo::default() }.choose(&view).velocity.length();
        assert!((speed(5.0) - 0.5).abs() < 1e-5 && (speed(50.0) - 1.3).abs() < 1e-5);
    }

    #[test]
    fn discs_two_metres_apart_touch_in_time() {
        let view = View {
            velocity: Vec2::X,
            preferred: Vec2::X,
            aim: None,
            radius: 0.25,
            max_speed: 1.8,
            memory: Default::default(),
            neighbours: &[],
            walls: &[],
            seconds: 0.1,
            random: crowdloom_base::random::Random::new(0, 0, 0, crowdloom_base::random::Purpose::STEERING),
        };
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
