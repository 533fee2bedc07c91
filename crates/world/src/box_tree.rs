//! A tree of boxes over walls, for the nearest wall where the grid has no short list.

use crate::walls::{Best, Wall};
use glam::Vec2;

/// Walls in one leaf. Rings keep neighbouring walls together, so runs of walls make tight boxes.
const LEAF: usize = 4;

/// An implicit binary tree: node `i` has children `2i + 1` and `2i + 2`; the leaves are runs of [`LEAF`] walls.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxTree {
    boxes: Vec<(Vec2, Vec2)>,
    first_leaf: usize,
}

impl BoxTree {
    pub(crate) fn new(walls: &[Wall]) -> Self {
        let leaves = walls.len().div_ceil(LEAF).next_power_of_two();
        let first_leaf = leaves - 1;
        let nothing = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let mut boxes = vec![nothing; first_leaf + leaves];
        for (i, run) in walls.chunks(LEAF).enumerate() {
            boxes[first_leaf + i] = run.iter().fold(nothing, |(low, high), wall| {
                (low.min(wall.start).min(wall.end), high.max(wall.start).max(wall.end))
            });
        }
        for i in (0..first_leaf).rev() {
            let ((a, b), (c, d)) = (boxes[2 * i + 1], boxes[2 * i + 2]);
            boxes[i] = (a.min(c), b.max(d));
        }
        Self { boxes, first_leaf }
    }

    /// The corners of the box around everything; the origin when there is nothing.
    pub(crate) fn bounds(&self) -> (Vec2, Vec2) {
        match self.boxes.first() {
            Some(&(low, high)) if low.is_finite() => (low, high),
            _ => (Vec2::ZERO, Vec2::ZERO),
        }
    }

    /// Improves `best` to the wall nearest to `point`.
    pub(crate) fn nearest(&self, walls: &[Wall], point: Vec2, best: &mut Best) {
        self.descend(0, walls, point, best);
    }

    fn descend(&self, node: usize, walls: &[Wall], point: Vec2, best: &mut Best) {
        // A little more: walls that tie at a corner must all be seen, and boxes are measured in single precision.
        let bound = best.distance_squared * (1.0 + 1e-5);
        if f64::from(self.box_distance_squared(node, point)) > bound {
            return;
        }
        if node >= self.first_leaf {
            let start = (node - self.first_leaf) * LEAF;
            for wall in start..(start + LEAF).min(walls.len()) {
                best.consider(walls, wall as u32, point);
            }
            return;
        }
        let (mut near, mut far) = (2 * node + 1, 2 * node + 2);
        if self.box_distance_squared(far, point) < self.box_distance_squared(near, point) {
            std::mem::swap(&mut near, &mut far);
        }
        self.descend(near, walls, point, best);
        self.descend(far, walls, point, best);
    }

    fn box_distance_squared(&self, node: usize, point: Vec2) -> f32 {
        let (low, high) = self.boxes[node];
        // Not `clamp`: the box of an empty leaf is turned inside out, and infinitely far away.
        point.max(low).min(high).distance_squared(point)
    }

    /// Calls `visit` with every wall whose box comes within `reach` metres of the box `low`..`high`, until it
    /// returns false. Returns whether it was never false.
    pub(crate) fn near_box(
        &self,
        low: Vec2,
        high: Vec2,
        reach: f32,
        count: usize,
        visit: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        let (low, high) = (low - Vec2::splat(reach), high + Vec2::splat(reach));
        self.boxes.is_empty() || self.visit_box(0, low, high, count, visit)
    }

    fn visit_box(
        &self,
        node: usize,
        low: Vec2,
        high: Vec2,
        count: usize,
        visit: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        let (a, b) = self.boxes[node];
        if a.cmpgt(high).any() || b.cmplt(low).any() {
            return true;
        }
        if node >= self.first_leaf {
            let start = (node - self.first_leaf) * LEAF;
            return (start..(start + LEAF).min(count)).all(|wall| visit(wall as u32));
        }
        self.visit_box(2 * node + 1, low, high, count, visit)
            && self.visit_box(2 * node + 2, low, high, count, visit)
    }
}
