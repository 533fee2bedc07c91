//! Moving discs and rays against walls.
//!
//! A disc of radius r(t) moves along p(t), both linear in t. It stays free if dist(p(t), w) ≥ r(t) for each wall w.
//! With f(t) = dist(p(t), w) − r(t), the least value over a straight wall is reached at an end of the motion, or
//! where the wall's end point v makes dist(p(t), v) − r(t) stationary, or the motion crosses the wall; all three have
//! closed forms, so no sampling is needed.

use crate::area::turn;
use crate::walls::{Wall, Walls};
use glam::Vec2;

/// A disc that moves in a straight line while its radius changes evenly.
#[derive(Clone, Copy)]
struct Motion {
    from: Vec2,
    along: Vec2,
    radius: f32,
    growth: f32,
}

impl Motion {
    fn position(&self, t: f32) -> Vec2 {
        self.from + self.along * t
    }

    fn radius(&self, t: f32) -> f32 {
        self.radius + self.growth * t
    }

    /// The part between `t0` and `t1`.
    fn part(&self, t0: f32, t1: f32) -> Self {
        Self {
            from: self.position(t0),
            along: self.along * (t1 - t0),
            radius: self.radius(t0),
            growth: self.growth * (t1 - t0),
        }
    }

    /// The least of dist(p(t), v) − r(t) over t in [0, 1].
    fn slack_to_point(&self, v: Vec2) -> f32 {
        let length_squared = self.along.length_squared();
        let growth = self.growth;
        let mut least =
            (self.from.distance(v) - self.radius).min(self.position(1.0).distance(v) - self.radius(1.0));
        // L²(t − t₀) / √(L²(t − t₀)² + h²) = k has a solution only if the disc moves faster than it grows.
        if length_squared > growth * growth {
            let middle = (v - self.from).dot(self.along) / length_squared;
            let height = self.position(middle).distance(v);
            let offset = growth * height / (length_squared * (length_squared - growth * growth)).sqrt();
            let t = middle + offset;
            if t > 0.0 && t < 1.0 {
                least = least.min(self.position(t).distance(v) - self.radius(t));
            }
        }
        least
    }

    fn hits(&self, walls: &[Wall], index: u32) -> bool {
        let wall = &walls[index as usize];
        let to = self.position(1.0);
        if self.radius <= 0.0 && self.radius(1.0) <= 0.0 {
            return leaves_area(walls, wall, self.from, to);
        }
        let slack = |p: Vec2, radius: f32| wall.nearest(p).distance(p) - radius;
        slack(self.from, self.radius) < 0.0
            || slack(to, self.radius(1.0)) < 0.0
            || self.slack_to_point(wall.start) < 0.0
            || self.slack_to_point(wall.end) < 0.0
            || crosses(wall, self.from, to)
    }
}

fn exact_turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    turn(a.as_dvec2(), b.as_dvec2(), c.as_dvec2())
}

/// Whether the segment and the wall cross in a point that is an end of neither.
fn crosses(wall: &Wall, a: Vec2, b: Vec2) -> bool {
    exact_turn(wall.start, wall.end, a) * exact_turn(wall.start, wall.end, b) < 0.0
        && exact_turn(a, b, wall.start) * exact_turn(a, b, wall.end) < 0.0
}

/// Whether `p` is between `a` and `b`, given that the three are in line.
fn between(p: Vec2, a: Vec2, b: Vec2) -> bool {
    p.cmpge(a.min(b)).all() && p.cmple(a.max(b)).all()
}

/// Whether the segment a-b leaves the closed area at this wall or at the corner where it ends. Touching is allowed.
/// Exact for the given coordinates.
fn leaves_area(walls: &[Wall], wall: &Wall, a: Vec2, b: Vec2) -> bool {
    if crosses(wall, a, b) {
        return true;
    }
    let (side_a, side_b) = (exact_turn(wall.start, wall.end, a), exact_turn(wall.start, wall.end, b));
    let on_wall = |p: Vec2, side: f64| {
        side == 0.0 && p != wall.start && p != wall.end && between(p, wall.start, wall.end)
    };
    if (on_wall(a, side_a) && side_b < 0.0) || (on_wall(b, side_b) && side_a < 0.0) {
        return true;
    }
    let corner = wall.end;
    if exact_turn(a, b, corner) != 0.0 || !between(corner, a, b) {
        return false;
    }
    let onward = walls[wall.next as usize].end;
    let convex = exact_turn(wall.start, corner, onward) > 0.0;
    [(a, side_a), (b, side_b)].into_iter().filter(|(p, _)| *p != corner).any(|(p, side)| {
        let (first, second) = (side < 0.0, exact_turn(corner, onward, p) < 0.0);
        if convex { first || second } else { first && second }
    })
}

impl Walls {
    /// Whether a disc stays in the area while it moves straight from `from` to `to` and its radius changes evenly
    /// from `start_radius` to `end_radius`; metres.
    pub fn hold_straight_sweep(&self, from: Vec2, to: Vec2, start_radius: f32, end_radius: f32) -> bool {
        let whole =
            Motion { from, along: to - from, radius: start_radius, growth: end_radius - start_radius };
        if !self.holds_disc(to, end_radius) {
            return false;
        }
        let length = whole.along.length();
        let least_step = if length > 0.0 { self.cell_size() * 2.0 / length } else { 1.0 };
        let mut t = 0.0f32;
        while t < 1.0 {
            let position = whole.position(t);
            let Some(nearest) = self.nearest(position) else { return false };
            let slack = nearest.distance - whole.radius(t);
            if slack < 0.0 && (t == 0.0 || whole.radius(t) > 0.0) {
                return false;
            }
            // While the moving disc stays inside the disc up to the nearest wall, it is free.
            let free_step = slack / (length + whole.growth.max(0.0)).max(f32::MIN_POSITIVE);
            if free_step >= least_step {
                t += free_step;
                continue;
            }
            let end = (t + least_step).min(1.0);
            // The whole motion is as straight as its part, and has the coordinates the caller gave: at radius 0 the
            // exact test needs those.
            let tested = if whole.radius <= 0.0 { whole } else { whole.part(t, end) };
            let part = whole.part(t, end);
            let (a, b) = (part.from, part.position(1.0));
            let reach =
                part.radius.max(part.radius(1.0)).max(0.0) + self.bounds().1.abs().max_element() * 1e-6;
            // Where the disc first meets a wall, none is nearer.
            let free =
                self.visit_nearest_in_box(a.min(b), a.max(b), reach, |wall| !tested.hits(self.all(), wall));
            if !free {
                return false;
            }
            t = end;
        }
        true
    }

    /// Whether a disc stays in the area while it moves along `path` with the radii `radii` at its points, after the
    /// path is turned by `facing` (a unit vector, the image of +x) and moved to `position`. Metres.
    ///
    /// A missing radius repeats the last one; an empty path is free.
    pub fn hold_sweep(&self, path: &[Vec2], radii: &[f32], position: Vec2, facing: Vec2) -> bool {
        let place = |i: usize| position + facing.rotate(path[i]);
        let last_radius = radii.last().copied().unwrap_or(0.0);
        let radius = |i: usize| radii.get(i).copied().unwrap_or(last_radius);
        let mut i = 0;
        while i < path.len() {
            let here = place(i);
            let Some(nearest) = self.nearest(here) else { return false };
            if nearest.distance < radius(i) {
                return false;
            }
            // A disc is convex: if it holds the moving disc at two points, it holds the sweep between them.
            let mut next = i + 1;
            while next < path.len() && here.distance(place(next)) + radius(next) <= nearest.distance {
                next += 1;
            }
            if next > i + 1 {
                // Go on from the last point that was inside, unless that was the end.
                i = if next < path.len() { next - 1 } else { next };
                continue;
            }
            if next < path.len() && !self.hold_straight_sweep(here, place(next), radius(i), radius(next)) {
                return false;
            }
            i = next;
        }
        true
    }

    /// How far one can go from `from` in the unit direction `direction` before meeting a wall, at most `limit`
    /// metres; 0 when `from` is outside.
    pub fn cast(&self, from: Vec2, direction: Vec2, limit: f32) -> f32 {
        let mut travelled = 0.0f32;
        let least_step = self.cell_size() * 2.0;
        while travelled < limit {
            let here = from + direction * travelled;
            let Some(nearest) = self.nearest(here) else { return 0.0 };
            if nearest.distance < 0.0 {
                return travelled;
            }
            if nearest.distance >= least_step {
                travelled += nearest.distance;
                continue;
            }
            let there = here + direction * least_step;
            let mut hit = f32::INFINITY;
            self.visit_nearest_in_box(here.min(there), here.max(there), 0.0, |index| {
                let wall = &self.all()[index as usize];
                let along = wall.end - wall.start;
                let across = direction.perp_dot(along);
                // Only a wall whose area side faces the ray can stop it.
                if across > 0.0 {
                    let to = wall.start - here;
                    let (t, s) = (to.perp_dot(along) / across, to.perp_dot(direction) / across);
                    if t >= 0.0 && (0.0..=1.0).contains(&s) {
                        hit = hit.min(t);
                    }
                }
                true
            });
            if hit <= least_step {
                return (travelled + hit).min(limit);
            }
            travelled += least_step;
        }
        limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{Area, sides};
    use glam::DVec2;
    use proptest::prelude::*;

    /// A 10 × 10 m room with a 2 × 2 m pillar in the middle.
    fn room() -> Walls {
        let square = |low: f64, high: f64| {
            vec![DVec2::new(low, low), DVec2::new(high, low), DVec2::new(high, high), DVec2::new(low, high)]
        };
        let mut area = Area::solid(square(0.0, 10.0));
        area.holes.push(square(4.0, 6.0).into_iter().rev().collect());
        Walls::new(sides(&[area]))
    }

    #[test]
    fn touching_is_free_and_crossing_is_not() {
        let walls = room();
        let free = |a: (f32, f32), b: (f32, f32)| walls.hold_straight_sweep(a.into(), b.into(), 0.0, 0.0);
        assert!(free((4.0, 1.0), (4.0, 9.0)), "along the pillar's side");
        assert!(free((3.0, 5.0), (5.0, 3.0)), "through the pillar's corner, outside");
        assert!(free((0.0, 0.0), (10.0, 0.0)), "along the outline");
        assert!(!free((3.0, 3.0), (7.0, 7.0)), "corner to corner through the pillar");
        assert!(!free((4.0, 4.0), (6.0, 6.0)), "from corner to corner of the pillar");
        assert!(!free((4.0, 5.0), (6.0, 5.0)), "from side to side of the pillar");
        assert!(!free((1.0, 5.0), (9.0, 5.0)));
        assert!(!free((1.0, 5.0), (11.0, 5.0)), "out of the room");
        assert!(!free((f32::NAN, 5.0), (1.0, 5.0)));
    }

    #[test]
    fn a_growing_disc_is_tested_exactly() {
        let walls = room();
        // At x the disc has radius 1 + (x − 1) / 4 and touches y = 0 when y = that.
        assert!(walls.hold_straight_sweep(Vec2::new(1.0, 1.0), Vec2::new(3.0, 1.5), 0.999, 1.499));
        assert!(!walls.hold_straight_sweep(Vec2::new(1.0, 1.0), Vec2::new(3.0, 1.5), 0.999, 1.501));
    }

    #[test]
    fn rays_stop_at_walls() {
        let walls = room();
        assert!((walls.cast(Vec2::new(1.0, 5.0), Vec2::X, 100.0) - 3.0).abs() < 1e-5);
        assert!((walls.cast(Vec2::new(1.0, 1.0), Vec2::X, 100.0) - 9.0).abs() < 1e-5);
        assert_eq!(walls.cast(Vec2::new(1.0, 1.0), Vec2::X, 2.0), 2.0);
        assert_eq!(walls.cast(Vec2::new(5.0, 5.0), Vec2::X, 2.0), 0.0);
    }

    proptest! {
        #[test]
        fn sweeps_agree_with_dense_sampling(
            points in prop::collection::vec((0.5f32..9.5, 0.5f32..9.5), 2..5),
            radii in prop::collection::vec(0.05f32..0.6, 5),
            heading in -3.0f32..3.0,
        ) {
            let walls = room();
            let (sin, cos) = libm::sincosf(heading);
            let (facing, position) = (Vec2::new(cos, sin), Vec2::new(5.0, 5.0));
            let path: Vec<Vec2> = points.iter().map(|&(x, y)| Vec2::new(x, y) - position).collect();
            let mut least = f32::INFINITY;
            for i in 0..path.len() - 1 {
                for step in 0..=200 {
                    let t = step as f32 / 200.0;
                    let p = position + facing.rotate(path[i].lerp(path[i + 1], t));
                    let radius = radii[i] + (radii[i + 1] - radii[i]) * t;
                    least = least.min(walls.nearest(p).unwrap().distance - radius);
                }
            }
            let free = walls.hold_sweep(&path, &radii, position, facing);
            // Samples 0.05 m apart overestimate the slack by at most that.
            if least < -1e-4 {
                prop_assert!(!free);
            } else if least > 0.05 {
                prop_assert!(free);
            }
        }
    }
}
