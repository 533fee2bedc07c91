//! Merges triangles into larger convex cells, which makes searches shorter (Hertel and Mehlhorn 1983).

use crate::area::turn;
use crate::triangles::Triangles;
use glam::DVec2;

/// No neighbour: a wall.
pub(crate) const NONE: u32 = u32::MAX;

/// Convex cells, each a run of sides in counter-clockwise order. Side `i` starts at corner `from[i]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) corners: Vec<DVec2>,
    /// Whether a shortest way may turn at the corner: the ground takes up more than a half turn around it.
    pub(crate) is_turning_point: Vec<bool>,
    /// The first side of each cell, and the end.
    pub(crate) first_side: Vec<u32>,
    /// Per side: the corner it starts at, the same side in the cell across or [`NONE`], the next side around the
    /// cell, and the cell.
    pub(crate) from: Vec<u32>,
    pub(crate) twin: Vec<u32>,
    pub(crate) next: Vec<u32>,
    pub(crate) cell: Vec<u32>,
}

impl Cells {
    pub(crate) fn new(triangles: &Triangles) -> Self {
        let mut edges = HalfEdges::new(triangles);
        let is_turning_point = edges.turning_points(&triangles.corners);
        edges.merge(&triangles.corners);
        edges.into_cells(triangles.corners.clone(), is_turning_point)
    }

    pub(crate) fn count(&self) -> usize {
        self.first_side.len().saturating_sub(1)
    }

    /// The sides of a cell.
    pub(crate) fn sides(&self, cell: u32) -> std::ops::Range<u32> {
        self.first_side[cell as usize]..self.first_side[cell as usize + 1]
    }

    /// The corners where a side starts and ends.
    pub(crate) fn ends(&self, side: u32) -> (u32, u32) {
        (self.from[side as usize], self.from[self.next[side as usize] as usize])
    }

    /// Whether the closed cell holds the point.
    pub(crate) fn contains(&self, cell: u32, point: DVec2) -> bool {
        self.sides(cell).all(|side| {
            let (a, b) = self.ends(side);
            turn(self.corners[a as usize], self.corners[b as usize], point) >= 0.0
        })
    }
}

/// Sides of triangles, linked; side 3t + i of triangle t starts at its corner i.
struct HalfEdges {
    from: Vec<u32>,
    twin: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    removed: Vec<bool>,
}

impl HalfEdges {
    fn new(triangles: &Triangles) -> Self {
        let count = triangles.triangles.len();
        let from: Vec<u32> = triangles.triangles.iter().flatten().copied().collect();
        let mut twin = vec![NONE; 3 * count];
        for (t, neighbours) in triangles.neighbours.iter().enumerate() {
            for (i, &n) in neighbours.iter().enumerate().filter(|(_, n)| **n != NONE) {
                // The same side seen from the neighbour starts where this one ends.
                let end = triangles.triangles[t][(i + 1) % 3];
                if let Some(j) = triangles.triangles[n as usize].iter().position(|corner| *corner == end) {
                    twin[3 * t + i] = 3 * n + j as u32;
                }
            }
        }
        let around =
            |shift: usize| (0..3 * count).map(|h| (h - h % 3 + (h % 3 + shift) % 3) as u32).collect();
        Self { from, twin, next: around(1), previous: around(2), removed: vec![false; 3 * count] }
    }

    fn end(&self, side: u32) -> u32 {
        self.from[self.next[side as usize] as usize]
    }

    fn turning_points(&self, corners: &[DVec2]) -> Vec<bool> {
        let mut is_turning_point = vec![false; corners.len()];
        let at = |corner: u32| corners[corner as usize];
        for side in (0..self.from.len() as u32).filter(|side| self.twin[*side as usize] == NONE) {
            let corner = self.end(side);
            // Around the corner, through the ground, to the wall that leaves it.
            let mut onward = self.next[side as usize];
            while self.twin[onward as usize] != NONE {
                onward = self.next[self.twin[onward as usize] as usize];
            }
            if turn(at(self.from[side as usize]), at(corner), at(self.end(onward))) < 0.0 {
                is_turning_point[corner as usize] = true;
            }
        }
        is_turning_point
    }

    /// Removes sides, longest first, as long as the cells stay convex.
    fn merge(&mut self, corners: &[DVec2]) {
        let length = |side: u32| {
            corners[self.from[side as usize] as usize].distance_squared(corners[self.end(side) as usize])
        };
        let mut sides: Vec<u32> = (0..self.from.len() as u32)
            .filter(|side| self.twin[*side as usize] != NONE && *side < self.twin[*side as usize])
            .collect();
        sides.sort_by(|a, b| length(*b).total_cmp(&length(*a)).then(a.cmp(b)));
        for side in sides {
            if !self.removed[side as usize] {
                self.try_remove(side, corners);
            }
        }
    }

    fn try_remove(&mut self, side: u32, corners: &[DVec2]) {
        let twin = |edges: &Self, side: u32| edges.twin[side as usize];
        let next = |edges: &Self, side: u32| edges.next[side as usize];
        let previous = |edges: &Self, side: u32| edges.previous[side as usize];
        // Two cells may share several sides in a row, all in line: these go together.
        let (mut first, mut last) = (side, side);
        while twin(self, next(self, last)) == previous(self, twin(self, last)) {
            last = next(self, last);
        }
        while twin(self, previous(self, first)) == next(self, twin(self, first)) {
            first = previous(self, first);
        }
        let at = |corner: u32| corners[corner as usize];
        let (before, after) = (previous(self, first), next(self, last));
        let (twin_before, twin_after) = (previous(self, twin(self, last)), next(self, twin(self, first)));
        let is_convex = |edges: &Self, into: u32, out: u32| {
            turn(at(edges.from[into as usize]), at(edges.from[out as usize]), at(edges.end(out))) >= 0.0
        };
        if !is_convex(self, twin_before, after) || !is_convex(self, before, twin_after) {
            return;
        }
        let mut gone = first;
        loop {
            let other = twin(self, gone);
            self.removed[gone as usize] = true;
            self.removed[other as usize] = true;
            if gone == last {
                break;
            }
            gone = next(self, gone);
        }
        self.next[twin_before as usize] = after;
        self.previous[after as usize] = twin_before;
        self.next[before as usize] = twin_after;
        self.previous[twin_after as usize] = before;
    }

    fn into_cells(self, corners: Vec<DVec2>, is_turning_point: Vec<bool>) -> Cells {
        let mut number = vec![NONE; self.from.len()];
        let mut cells = Cells { corners, is_turning_point, first_side: vec![0], ..Cells::default() };
        let mut order = Vec::new();
        for start in 0..self.from.len() as u32 {
            if self.removed[start as usize] || number[start as usize] != NONE {
                continue;
            }
            let cell = cells.count() as u32;
            let first = order.len() as u32;
            let mut side = start;
            while number[side as usize] == NONE {
                number[side as usize] = order.len() as u32;
                order.push(side);
                cells.cell.push(cell);
                cells.next.push(order.len() as u32);
                side = self.next[side as usize];
            }
            if let Some(last) = cells.next.last_mut() {
                *last = first;
            }
            cells.first_side.push(order.len() as u32);
        }
        cells.from = order.iter().map(|side| self.from[*side as usize]).collect();
        cells.twin = order
            .iter()
            .map(|side| match self.twin[*side as usize] {
                NONE => NONE,
                twin => number[twin as usize],
            })
            .collect();
        cells
    }
}
