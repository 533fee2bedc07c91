//! Distance to a shared goal, for crowds: built once, then a few nanoseconds a question.
//!
//! One flood of the navigation mesh finds, for every node of a grid, the exact distance to the nearest goal and the
//! first turning point on the way there. A question at p looks at the four nodes around it, and answers with the
//! turning point T of a node that p sees: |p − T| plus T's own distance. Where p sees that turning point too, the
//! answer is exact. Otherwise, at the border of what the turning point sees, it is too short or too long by at most
//! twice the distance from p to the node, that is 2√2 cells.

use super::mesh_router::MeshRouter;
use super::search::{Workspace, flood};
use super::{NoWay, Router};
use crate::area::Bounds;
use crate::ground::Ground;
use glam::{DVec2, Vec2};

const NONE: u32 = u32::MAX;
/// No field has more nodes than this; the cells become larger instead.
const MAX_NODES: f64 = 4e6;

/// The answer of a field at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSample {
    /// Length of the shortest way to the nearest goal in metres.
    pub distance: f32,
    /// The unit vector along which it starts; zero at the goal.
    pub direction: Vec2,
    /// The next turning point, or the goal.
    pub towards: Vec2,
}

#[derive(Clone, Copy, Debug)]
struct TurningPoint {
    position: Vec2,
    distance: f32,
    next: u32,
}

/// The distance to the nearest of several goals, from everywhere.
#[derive(Clone, Debug)]
pub struct DistanceField {
    min: Vec2,
    cell_size: f32,
    columns: usize,
    rows: usize,
    /// The turning point of each node.
    turning: Vec<u32>,
    /// Whether a wall passes through the cell north-east of each node.
    has_wall: Vec<bool>,
    points: Vec<TurningPoint>,
}

impl DistanceField {
    /// The field of the ways to the nearest of `goals` for discs of `radius` metres, on a grid of `cell_size` metres
    /// (larger on very large grounds).
    pub fn new(router: &MeshRouter, goals: &[Vec2], radius: f32, cell_size: f32) -> Result<Self, NoWay> {
        let ground = router.ground();
        let mesh = router.mesh(radius);
        let starts: Vec<DVec2> = goals.iter().filter_map(|goal| router.enter(&mesh, *goal, radius)).collect();
        if starts.is_empty() {
            let nearest = goals.first().and_then(|goal| ground.nearest_free(*goal, radius));
            return Err(NoWay::GoalBlocked { nearest });
        }
        let Bounds { min, max } = ground.bounds();
        let extent = max - min;
        let finest = (extent.x * extent.y / MAX_NODES).sqrt().max(extent.max_element() / MAX_NODES);
        let cell = f64::from(cell_size).max(finest).max(1e-3);
        let (columns, rows) = ((extent.x / cell) as usize + 2, (extent.y / cell) as usize + 2);
        let position =
            |node: usize| min + DVec2::new((node % columns) as f64, (node / columns) as f64) * cell;

        // Which nodes each mesh cell holds.
        let mut held: Vec<Vec<u32>> = vec![Vec::new(); mesh.cell_count()];
        for node in 0..columns * rows {
            mesh.locate(position(node), |cell| held[cell as usize].push(node as u32));
        }
        let corners = mesh.cells.corners.len();
        let mut turning = vec![NONE; columns * rows];
        let mut distance = vec![f64::INFINITY; columns * rows];
        for (i, start) in starts.iter().enumerate() {
            mesh.locate(*start, |cell| {
                for &node in &held[cell as usize] {
                    let length = start.distance(position(node as usize));
                    if length < distance[node as usize] {
                        distance[node as usize] = length;
                        turning[node as usize] = (corners + i) as u32;
                    }
                }
            });
        }
        let mut work = Workspace::default();
        flood(&mesh, &starts, &mut work, |view, node| {
            let root = view.point(node.root);
            for &held in &held[view.cells.cell[node.side as usize] as usize] {
                let at = position(held as usize);
                let length = node.length + root.distance(at);
                if length < distance[held as usize] && view.sees(node, at) {
                    distance[held as usize] = length;
                    turning[held as usize] = node.root;
                }
            }
        });
        let mut points: Vec<TurningPoint> = (0..corners)
            .map(|corner| {
                let (length, next) = work.reached(corner).unwrap_or((f64::INFINITY, NONE));
                let position = mesh.cells.corners[corner].as_vec2();
                TurningPoint { position, distance: length as f32, next }
            })
            .collect();
        points.extend(starts.iter().map(|s| TurningPoint {
            position: s.as_vec2(),
            distance: 0.0,
            next: NONE,
        }));
        let has_wall = (0..columns * rows)
            .map(|node| {
                let centre = (position(node) + DVec2::splat(cell / 2.0)).as_vec2();
                !ground.is_free(centre, cell as f32 * 0.71)
            })
            .collect();
        let mut field =
            Self { min: min.as_vec2(), cell_size: cell as f32, columns, rows, turning, has_wall, points };
        field.reach_rim(ground);
        field.reach_rim(ground);
        Ok(field)
    }

    /// Gives nodes too near to a wall for the radius, but on the ground, the way through a neighbour.
    fn reach_rim(&mut self, ground: &Ground) {
        let before = self.turning.clone();
        for node in 0..before.len() {
            let here = self.node_position(node);
            if before[node] != NONE || !ground.is_free(here, 0.0) {
                continue;
            }
            let (column, row) = (node % self.columns, node / self.columns);
            let mut best: Option<(f32, usize)> = None;
            for y in row.saturating_sub(1)..=(row + 1).min(self.rows - 1) {
                for x in column.saturating_sub(1)..=(column + 1).min(self.columns - 1) {
                    let other = y * self.columns + x;
                    let Some(point) = self.points.get(before[other] as usize) else { continue };
                    let there = self.node_position(other);
                    let length = here.distance(there) + there.distance(point.position) + point.distance;
                    if best.is_none_or(|(known, _)| length < known)
                        && ground.straight_is_free(here, there, 0.0)
                    {
                        best = Some((length, other));
                    }
                }
            }
            if let Some((length, other)) = best {
                let there = self.node_position(other);
                let distance = length - here.distance(there);
                self.turning[node] = self.points.len() as u32;
                self.points.push(TurningPoint { position: there, distance, next: before[other] });
            }
        }
    }

    fn node_position(&self, node: usize) -> Vec2 {
        self.min + Vec2::new((node % self.columns) as f32, (node / self.columns) as f32) * self.cell_size
    }

    /// The side of a grid cell in metres.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Distance and direction to the nearest goal; none where no goal can be reached. `ground` is the one the field
    /// was made for.
    pub fn sample(&self, ground: &Ground, point: Vec2) -> Option<FieldSample> {
        let at = (point - self.min) / self.cell_size;
        if !(at.x >= 0.0 && at.y >= 0.0) {
            return None;
        }
        let (column, row) = (at.x as usize, at.y as usize);
        if column + 1 >= self.columns || row + 1 >= self.rows {
            return None;
        }
        let first = row * self.columns + column;
        let mut best: Option<(f32, TurningPoint)> = None;
        for node in [first, first + 1, first + self.columns, first + self.columns + 1] {
            let Some(&turning) = self.points.get(self.turning[node] as usize) else { continue };
            let distance = point.distance(turning.position) + turning.distance;
            if best.is_none_or(|(known, _)| distance < known)
                && (!self.has_wall[first] || ground.straight_is_free(point, self.node_position(node), 0.0))
            {
                best = Some((distance, turning));
            }
        }
        let (distance, mut turning) = best?;
        // Somebody who stands at a turning point goes on to the next.
        if point.distance(turning.position) < 0.1 * self.cell_size
            && let Some(&next) = self.points.get(turning.next as usize)
        {
            turning = next;
        }
        let towards = turning.position;
        Some(FieldSample { distance, direction: (towards - point).normalize_or_zero(), towards })
    }
}
