//! The nearest point where a disc is free.
//!
//! The border of the free places of a disc of radius r consists of the walls moved inwards by r, and of arcs of
//! radius r around corners. The nearest free point is a foot on one of these, or a point where two of them meet.

use crate::ground::Ground;
use crate::walls::Wall;
use glam::Vec2;

/// Walls that are looked at together; with more nearby the search box stays small.
const MAX_WALLS: usize = 48;
/// How much room, relative to the radius, a candidate gets beyond touching, so that rounding leaves it free.
const ROOM: f32 = 2e-6;

impl Ground {
    /// The point nearest to `point` where a disc of `radius` metres is free; none when there is no such point.
    ///
    /// Exact where at most 48 walls border the neighbourhood; otherwise a free point near the nearest.
    pub fn nearest_free(&self, point: Vec2, radius: f32) -> Option<Vec2> {
        if self.is_free(point, radius) {
            return Some(point);
        }
        let wall = self.nearest_wall(point)?;
        let size = self.bounds().size().max_element() as f32;
        let mut reach = (wall.distance.abs() + radius).max(self.walls().cell_size()) * 1.5;
        // The answer is at most a map's width beyond the map.
        let limit = 2.0 * (size + wall.distance.abs() + radius);
        while reach < 2.0 * limit {
            let (found, complete) = self.nearest_free_within(point, radius, reach);
            if !complete {
                return found.or_else(|| self.free_by_rings(point, radius, reach, limit));
            }
            if let Some(found) = found
                && found.distance(point) <= reach
            {
                return Some(found);
            }
            reach *= 2.0;
        }
        None
    }

    /// The best candidate from walls that touch the square of half side `reach + radius`, and whether all of these
    /// were looked at.
    fn nearest_free_within(&self, point: Vec2, radius: f32, reach: f32) -> (Option<Vec2>, bool) {
        let all = self.walls().all();
        let mut near = [0u32; MAX_WALLS];
        let mut count = 0;
        let complete = self.walls().tree().near_box(point, point, reach + radius, all.len(), &mut |wall| {
            if count == MAX_WALLS {
                return false;
            }
            near[count] = wall;
            count += 1;
            true
        });
        let near = &near[..count];
        let room = radius + (point.abs().max_element() + radius) * ROOM;
        let mut best: Option<Vec2> = None;
        let mut consider = |candidate: Vec2| {
            let nearer = best.is_none_or(|b| candidate.distance_squared(point) < b.distance_squared(point));
            if nearer && self.is_free(candidate, radius) {
                best = Some(candidate);
            }
        };
        for (i, &first) in near.iter().enumerate() {
            let first = Border::of(&all[first as usize], room);
            first.feet(point).into_iter().flatten().for_each(&mut consider);
            for &second in &near[i + 1..] {
                let second = Border::of(&all[second as usize], room);
                first.meets(&second, &mut consider);
            }
        }
        (best, complete)
    }

    /// A free point found by looking along widening rings.
    fn free_by_rings(&self, point: Vec2, radius: f32, start: f32, limit: f32) -> Option<Vec2> {
        let mut distance = self.walls().cell_size().min(start) * 0.25;
        while distance < limit {
            for i in 0..64 {
                let (sin, cos) = libm::sincosf(std::f32::consts::TAU * i as f32 / 64.0);
                let candidate = point + Vec2::new(cos, sin) * distance;
                if self.is_free(candidate, radius) {
                    return Some(candidate);
                }
            }
            distance *= 1.1;
        }
        None
    }
}

/// The curve on which a disc touches a wall: the wall moved inwards, and a circle around its end.
struct Border {
    start: Vec2,
    end: Vec2,
    corner: Vec2,
    radius: f32,
}

impl Border {
    fn of(wall: &Wall, radius: f32) -> Self {
        let inwards = (wall.end - wall.start).perp().normalize_or_zero() * radius;
        Self { start: wall.start + inwards, end: wall.end + inwards, corner: wall.end, radius }
    }

    /// The points of the curve nearest to `point`.
    fn feet(&self, point: Vec2) -> [Option<Vec2>; 2] {
        let along = self.end - self.start;
        let t = ((point - self.start).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let outward = (point - self.corner).normalize_or(Vec2::X);
        [Some(self.start + along * t), Some(self.corner + outward * self.radius)]
    }

    /// Calls `visit` where two curves meet.
    fn meets(&self, other: &Self, visit: &mut impl FnMut(Vec2)) {
        let (d, e) = (self.end - self.start, other.end - other.start);
        let across = d.perp_dot(e);
        if across != 0.0 {
            let t = (other.start - self.start).perp_dot(e) / across;
            let s = (other.start - self.start).perp_dot(d) / across;
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s) {
                visit(self.start + d * t);
            }
        }
        line_meets_circle(self.start, d, other.corner, other.radius, visit);
        line_meets_circle(other.start, e, self.corner, self.radius, visit);
        let between = other.corner - self.corner;
        let half = between.length() / 2.0;
        if half > 0.0 && half <= self.radius {
            let height = (self.radius * self.radius - half * half).sqrt();
            let aside = between.perp().normalize_or_zero() * height;
            visit(self.corner + between / 2.0 + aside);
            visit(self.corner + between / 2.0 - aside);
        }
    }
}

fn line_meets_circle(start: Vec2, along: Vec2, centre: Vec2, radius: f32, visit: &mut impl FnMut(Vec2)) {
    let length = along.length();
    if length == 0.0 {
        return;
    }
    let unit = along / length;
    let middle = (centre - start).dot(unit);
    let height_squared = (start + unit * middle).distance_squared(centre);
    if height_squared > radius * radius {
        return;
    }
    let half = (radius * radius - height_squared).sqrt();
    for t in [middle - half, middle + half] {
        if (0.0..=length).contains(&t) {
            visit(start + unit * t);
        }
    }
}
