//! The sides of an area, indexed for questions about distance: the hot path of the world.
//!
//! A uniform grid covers the area. Each cell lists every wall that is nearest to *some* point of the cell, so one
//! list answers the question for any point in it. For a cell with centre c and half diagonal h, these are the walls
//! no farther from c than the nearest wall's distance plus 2h (triangle inequality). Neighbouring cells with short
//! lists share one. Where a list would be long (the middle of a round hall) a box tree answers instead, which bounds
//! the memory.

use crate::box_tree::BoxTree;
use crate::gates::Gates;
use glam::{DVec2, Vec2};

/// A straight piece of wall; the area is on the left of `start` → `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Where it starts, in metres.
    pub start: Vec2,
    /// Where it ends, in metres.
    pub end: Vec2,
    inverse_length_squared: f64,
    /// The wall that goes on where this one ends.
    pub(crate) next: u32,
}

impl Wall {
    pub(crate) fn new(start: Vec2, end: Vec2) -> Self {
        let inverse_length_squared = 1.0 / start.as_dvec2().distance_squared(end.as_dvec2());
        Self { start, end, inverse_length_squared, next: 0 }
    }

    /// The way from `point` to the nearest point of the wall. In double precision, so that an end point is found to be
    /// nearest whenever it is: two walls that share a corner then agree to the bit, and beyond the tip of a spike the
    /// right one of the two decides on which side the point is.
    #[inline]
    fn way_from(&self, point: Vec2) -> DVec2 {
        let (start, end, point) = (self.start.as_dvec2(), self.end.as_dvec2(), point.as_dvec2());
        let along = end - start;
        let t = (point - start).dot(along) * self.inverse_length_squared;
        if t <= 0.0 {
            start - point
        } else if t >= 1.0 {
            end - point
        } else {
            start - point + along * t
        }
    }

    /// The point of the wall that is nearest to `point`.
    #[inline]
    pub(crate) fn nearest(&self, point: Vec2) -> Vec2 {
        (point.as_dvec2() + self.way_from(point)).as_vec2()
    }

    /// Positive on the side of the area, in metres from the wall's line.
    #[inline]
    fn side(&self, point: Vec2) -> f64 {
        let along = (self.end - self.start).as_dvec2();
        let to = point.as_dvec2() - self.start.as_dvec2();
        along.perp_dot(to) * self.inverse_length_squared.sqrt()
    }
}

/// The wall nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// Distance in metres: positive inside the area, negative outside.
    pub distance: f32,
    /// The nearest point of the wall.
    pub point: Vec2,
    /// Which wall, as an index into [`Walls::all`].
    pub wall: u32,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    start: u32,
    /// How many walls the list has, or [`BY_TREE`].
    count: u32,
    /// Every point of the cell is at least this far inside, in metres; negative when unknown.
    clearance: f32,
}

const BY_TREE: u32 = u32::MAX;
/// A list this short is not worth splitting further.
const SHORT_LIST: usize = 3;
/// A list this long goes to the tree.
const LONG_LIST: usize = 32;
/// Limits the time to build the grid: so many distances are computed, then the tree answers.
const BUILD_BUDGET: usize = 40_000_000;
/// The ground has at least so many cells …
const CELLS_OF_GROUND: usize = 1024;
/// … and a region has.
const CELLS_OF_REGION: usize = 16;
/// No more cells than this.
const MAX_CELLS: usize = 1 << 20;

/// All walls of an area, and the index that finds the nearest.
#[derive(Clone, Debug)]
pub struct Walls {
    walls: Vec<Wall>,
    min: Vec2,
    max: Vec2,
    cell_size: f32,
    cells_per_metre: f32,
    columns: u32,
    rows: u32,
    cells: Vec<Cell>,
    lists: Vec<u32>,
    tree: BoxTree,
    gates: Gates,
}

impl Walls {
    /// Indexes the sides of an area, which is on the left of each.
    pub fn new(sides: impl IntoIterator<Item = (DVec2, DVec2)>) -> Self {
        let mut walls = Self::with_cells(sides, CELLS_OF_GROUND);
        walls.gates = Gates::new(&walls);
        walls
    }

    /// The border of a part of the ground: small, since there may be many, and without gates.
    pub(crate) fn around_region(sides: impl IntoIterator<Item = (DVec2, DVec2)>) -> Self {
        Self::with_cells(sides, CELLS_OF_REGION)
    }

    /// Indexes walls in a grid of at least so many cells, without gates.
    fn with_cells(sides: impl IntoIterator<Item = (DVec2, DVec2)>, least: usize) -> Self {
        let mut walls: Vec<Wall> = sides
            .into_iter()
            .map(|(a, b)| (a.as_vec2(), b.as_vec2()))
            .filter(|(a, b)| a != b && a.is_finite() && b.is_finite())
            .map(|(a, b)| Wall::new(a, b))
            .collect();
        let mut ring_start = 0;
        for i in 0..walls.len() {
            let goes_on = walls.get(i + 1).is_some_and(|wall| wall.start == walls[i].end);
            walls[i].next = if goes_on { i as u32 + 1 } else { ring_start };
            if !goes_on {
                ring_start = i as u32 + 1;
            }
        }
        let tree = BoxTree::new(&walls);
        let (low, high) = tree.bounds();
        let size = (high - low).max(Vec2::splat(1e-3));
        let wanted = (walls.len() * 24).clamp(least, MAX_CELLS) as f32;
        let cell_size = (size.x * size.y / wanted).sqrt().max(size.max_element() / 2000.0);
        let columns = (size.x / cell_size).ceil().max(1.0) as u32;
        let rows = (size.y / cell_size).ceil().max(1.0) as u32;
        let mut grid = Self {
            walls,
            min: low,
            max: high,
            cell_size,
            cells_per_metre: 1.0 / cell_size,
            columns,
            rows,
            cells: vec![Cell { start: 0, count: 0, clearance: -1.0 }; columns as usize * rows as usize],
            lists: Vec::new(),
            tree,
            gates: Gates::default(),
        };
        let candidates: Vec<u32> = (0..grid.walls.len() as u32).collect();
        let blocks = columns.max(rows).next_power_of_two();
        let mut budget = BUILD_BUDGET;
        grid.fill(0, 0, blocks, &candidates, &mut budget);
        for index in 0..grid.cells.len() {
            grid.cells[index].clearance = grid.cell_clearance(index);
        }
        grid
    }

    /// Every wall, in the order of the area's rings.
    pub fn all(&self) -> &[Wall] {
        &self.walls
    }

    /// The corners of the box around all walls.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (self.min, self.max)
    }

    /// Gives the cells of a square block their lists of walls.
    fn fill(&mut self, x: u32, y: u32, blocks: u32, candidates: &[u32], budget: &mut usize) {
        if x >= self.columns || y >= self.rows {
            return;
        }
        let half = 0.5 * blocks as f32 * self.cell_size;
        let centre = self.min + Vec2::new(x as f32, y as f32) * self.cell_size + Vec2::splat(half);
        let distances: Vec<f32> = candidates
            .iter()
            .map(|&wall| self.walls[wall as usize].nearest(centre).distance(centre))
            .collect();
        *budget = budget.saturating_sub(candidates.len());
        let nearest = distances.iter().copied().fold(f32::INFINITY, f32::min);
        // The factor and the last term cover the rounding of the distances.
        let reach =
            nearest + 2.0 * half * std::f32::consts::SQRT_2 * 1.001 + self.max.abs().max_element() * 1e-6;
        let kept: Vec<u32> =
            candidates.iter().zip(&distances).filter(|(_, d)| **d <= reach).map(|(&wall, _)| wall).collect();
        let out_of_budget = *budget == 0 && kept.len() > LONG_LIST;
        if blocks > 1 && kept.len() > SHORT_LIST && !out_of_budget {
            let half = blocks / 2;
            for (dx, dy) in [(0, 0), (half, 0), (0, half), (half, half)] {
                self.fill(x + dx, y + dy, half, &kept, budget);
            }
            return;
        }
        let (start, count) = if kept.len() > LONG_LIST {
            (0, BY_TREE)
        } else {
            let start = self.lists.len() as u32;
            self.lists.extend_from_slice(&kept);
            (start, kept.len() as u32)
        };
        for row in y..(y + blocks).min(self.rows) {
            for column in x..(x + blocks).min(self.columns) {
                self.cells[(row * self.columns + column) as usize] = Cell { start, count, clearance: -1.0 };
            }
        }
    }

    fn cell_clearance(&self, index: usize) -> f32 {
        let (row, column) = (index as u32 / self.columns, index as u32 % self.columns);
        let centre = self.min + Vec2::new(column as f32 + 0.5, row as f32 + 0.5) * self.cell_size;
        let half_diagonal = self.cell_size * std::f32::consts::FRAC_1_SQRT_2;
        self.nearest_in(self.cells[index], centre).map_or(-1.0, |found| {
            found.distance - half_diagonal * 1.001 - self.max.abs().max_element() * 1e-6
        })
    }

    #[inline]
    fn cell_index(&self, point: Vec2) -> Option<usize> {
        // The comparison is false for NaN.
        if !(point.cmpge(self.min).all() && point.cmple(self.max).all()) {
            return None;
        }
        let at = (point - self.min) * self.cells_per_metre;
        let column = (at.x as u32).min(self.columns - 1);
        let row = (at.y as u32).min(self.rows - 1);
        Some((row * self.columns + column) as usize)
    }

    /// The narrow places between them.
    pub(crate) fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The side of a grid cell in metres.
    pub(crate) fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Calls `visit` with walls that come within `reach` metres of the box `low`..`high`, until it returns false: with every one
    /// that is nearest to some point of the box, with some of the others, and with some of them several times. Returns whether
    /// it was never false.
    #[inline]
    pub(crate) fn visit_nearest_in_box(
        &self,
        low: Vec2,
        high: Vec2,
        reach: f32,
        mut visit: impl FnMut(u32) -> bool,
    ) -> bool {
        let by_tree = |visit| self.tree.near_box(low, high, reach, self.walls.len(), visit);
        let (Some(first), Some(last)) = (self.cell_index(low), self.cell_index(high)) else {
            return by_tree(&mut visit);
        };
        let columns = self.columns as usize;
        let rows = (first / columns..=last / columns).map(|row| row * columns);
        let mut cells = rows.flat_map(|row| &self.cells[row + first % columns..=row + last % columns]);
        if cells.clone().any(|cell| cell.count == BY_TREE) {
            return by_tree(&mut visit);
        }
        let (low, high) = (low - Vec2::splat(reach), high + Vec2::splat(reach));
        let mut seen = u32::MAX;
        cells.all(|cell| {
            // Neighbours often share a list.
            if std::mem::replace(&mut seen, cell.start) == cell.start {
                return true;
            }
            self.lists[cell.start as usize..(cell.start + cell.count) as usize].iter().all(|&index| {
                let wall = &self.walls[index as usize];
                let apart =
                    wall.start.min(wall.end).cmpgt(high).any() || wall.start.max(wall.end).cmplt(low).any();
                apart || visit(index)
            })
        })
    }

    /// The tree over all walls, for questions that no single cell answers.
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    #[inline]
    fn nearest_in(&self, cell: Cell, point: Vec2) -> Option<NearestWall> {
        let mut best = Best::NONE;
        if cell.count == BY_TREE {
            self.tree.nearest(&self.walls, point, &mut best);
        } else {
            for &wall in &self.lists[cell.start as usize..(cell.start + cell.count) as usize] {
                best.consider(&self.walls, wall, point);
            }
        }
        best.finish(&self.walls, point)
    }

    /// The nearest wall, with the distance negative outside the area; none when there are no walls or `point` is not
    /// a number.
    #[inline]
    pub fn nearest(&self, point: Vec2) -> Option<NearestWall> {
        match self.cell_index(point) {
            Some(index) => self.nearest_in(self.cells[index], point),
            None if point.is_finite() => {
                let mut best = Best::NONE;
                self.tree.nearest(&self.walls, point, &mut best);
                best.finish(&self.walls, point)
            }
            None => None,
        }
    }

    /// Calls `visit` with the nearest point of every wall within `radius` metres of `point`, in the order of the walls.
    pub fn for_each_within(&self, point: Vec2, radius: f32, mut visit: impl FnMut(u32, Vec2)) {
        self.tree.near_box(point, point, radius, self.walls.len(), &mut |index| {
            let nearest = self.walls[index as usize].nearest(point);
            if nearest.distance_squared(point) <= radius * radius {
                visit(index, nearest);
            }
            true
        });
    }

    /// Whether the disc of `radius` metres around `point` lies in the area.
    #[inline]
    pub fn holds_disc(&self, point: Vec2, radius: f32) -> bool {
        let Some(index) = self.cell_index(point) else { return false };
        let cell = self.cells[index];
        if cell.clearance >= radius {
            return true;
        }
        self.nearest_in(cell, point).is_some_and(|found| found.distance >= radius)
    }
}

/// The nearest wall so far.
#[derive(Clone, Copy)]
pub(crate) struct Best {
    pub(crate) distance_squared: f64,
    way: DVec2,
    wall: u32,
}

impl Best {
    pub(crate) const NONE: Self = Self { distance_squared: f64::INFINITY, way: DVec2::ZERO, wall: u32::MAX };

    #[inline]
    pub(crate) fn consider(&mut self, walls: &[Wall], index: u32, point: Vec2) {
        let wall = &walls[index as usize];
        let way = wall.way_from(point);
        let distance_squared = way.length_squared();
        // Two walls tie at the corner they share. The one whose line is farther from the point faces it, and tells
        // inside from outside.
        if distance_squared < self.distance_squared
            || (distance_squared == self.distance_squared
                && self.wall != u32::MAX
                && wall.side(point).abs() > walls[self.wall as usize].side(point).abs())
        {
            *self = Self { distance_squared, way, wall: index };
        }
    }

    #[inline]
    fn finish(self, walls: &[Wall], point: Vec2) -> Option<NearestWall> {
        let wall = walls.get(self.wall as usize)?;
        let distance = self.distance_squared.sqrt() as f32;
        let distance = if wall.side(point) >= 0.0 { distance } else { -distance };
        Some(NearestWall { distance, point: (point.as_dvec2() + self.way).as_vec2(), wall: self.wall })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{Area, sides};
    use proptest::prelude::*;

    /// A star of random spikes with a hole: reflex and convex corners of every kind.
    fn star(spikes: &[f64]) -> Area {
        let at = |i: usize, r: f64| {
            let angle = std::f64::consts::TAU * i as f64 / spikes.len() as f64;
            DVec2::new(r * libm::cos(angle), r * libm::sin(angle))
        };
        let mut area = Area::solid(spikes.iter().enumerate().map(|(i, r)| at(i, *r)).collect());
        area.holes.push(spikes.iter().enumerate().rev().map(|(i, r)| at(i, r * 0.3)).collect());
        area
    }

    fn even_odd(areas: &[Area], p: DVec2) -> bool {
        let mut inside = false;
        for (a, b) in sides(areas) {
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
        inside
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]
        #[test]
        fn the_grid_agrees_with_brute_force(
            spikes in prop::collection::vec(2.0f64..10.0, 3..60),
            points in prop::collection::vec((-11.0f32..11.0, -11.0f32..11.0), 50),
        ) {
            let areas = [star(&spikes)];
            let walls = Walls::new(sides(&areas));
            for (x, y) in points {
                let p = Vec2::new(x, y);
                let found = walls.nearest(p).unwrap();
                let brute = walls.all().iter().map(|w| w.nearest(p).distance(p)).fold(f32::INFINITY, f32::min);
                prop_assert!((found.distance.abs() - brute).abs() < 1e-5);
                if brute > 1e-3 {
                    prop_assert_eq!(found.distance > 0.0, even_odd(&areas, p.as_dvec2()), "{}", p);
                    prop_assert_eq!(walls.holds_disc(p, brute * 0.999), found.distance > 0.0);
                    prop_assert!(!walls.holds_disc(p, brute * 1.001));
                }
            }
        }
    }

    #[test]
    fn a_round_hall_of_many_walls_is_bounded_and_exact() {
        let hall = star(&vec![50.0; 20_000]);
        let walls = Walls::new(sides(std::slice::from_ref(&hall)));
        assert!(walls.lists.len() < 4_000_000, "{}", walls.lists.len());
        for i in 0..100 {
            let p = Vec2::new(20.0 + i as f32 * 0.25, 3.0);
            let expected = (p.length() - 15.0).min(50.0 - p.length());
            assert!((walls.nearest(p).unwrap().distance - expected).abs() < 1e-3);
        }
    }

    #[test]
    fn not_a_number_is_nowhere() {
        let walls = Walls::new(sides(&[star(&[5.0; 8])]));
        assert!(!walls.holds_disc(Vec2::NAN, 0.0));
        assert!(walls.nearest(Vec2::new(f32::NAN, 0.0)).is_none());
        assert!(walls.nearest(Vec2::splat(1e15)).is_some());
    }
}
