//! The navigation mesh: convex cells that cover the places where a disc is free.

use super::cells::{Cells, NONE};
use super::landmarks::Landmarks;
use crate::area::{Area, Bounds};
use crate::triangles::Triangles;
use glam::DVec2;

/// Convex cells with what a search needs to know about them.
#[derive(Clone, Debug)]
pub struct NavMesh {
    pub(crate) cells: Cells,
    /// Which connected part of the mesh each cell belongs to.
    pub(crate) component: Vec<u32>,
    /// For a cell on a branch that leads nowhere else, the cell towards the rest of the mesh; otherwise [`NONE`].
    pub(crate) trunk: Vec<u32>,
    pub(crate) landmarks: Landmarks,
    buckets: Buckets,
}

impl NavMesh {
    /// The mesh of areas.
    pub fn new(areas: &[Area]) -> Self {
        let cells = Cells::new(&Triangles::new(areas));
        let component = components(&cells);
        let trunk = trunks(&cells);
        let buckets = Buckets::new(&cells);
        let mut mesh = Self { cells, component, trunk, landmarks: Landmarks::default(), buckets };
        mesh.landmarks = Landmarks::new(&mesh);
        mesh
    }

    /// How many convex cells there are.
    pub fn cell_count(&self) -> usize {
        self.cells.count()
    }

    /// How many parts there are that nothing joins.
    pub fn component_count(&self) -> usize {
        self.component.iter().max().map_or(0, |last| *last as usize + 1)
    }

    /// The corners of each cell, counter-clockwise; metres.
    pub fn cell_outlines(&self) -> impl Iterator<Item = Vec<DVec2>> + '_ {
        (0..self.cells.count() as u32).map(|cell| {
            self.cells
                .sides(cell)
                .map(|side| self.cells.corners[self.cells.from[side as usize] as usize])
                .collect()
        })
    }

    /// Calls `visit` with every cell that holds the point; several do where cells touch.
    pub(crate) fn locate(&self, point: DVec2, mut visit: impl FnMut(u32)) {
        for &cell in self.buckets.at(point) {
            if self.cells.contains(cell, point) {
                visit(cell);
            }
        }
    }

    /// The point of the mesh that is nearest to `point`, if it is at most `reach` metres away.
    pub(crate) fn nearest_point(&self, point: DVec2, reach: f64) -> Option<DVec2> {
        let mut best: Option<(f64, DVec2)> = None;
        for step_x in -1..=1 {
            for step_y in -1..=1 {
                let near = point + DVec2::new(f64::from(step_x), f64::from(step_y)) * reach;
                for &cell in self.buckets.at(near) {
                    for side in self.cells.sides(cell) {
                        let (a, b) = self.cells.ends(side);
                        let (a, b) = (self.cells.corners[a as usize], self.cells.corners[b as usize]);
                        let t = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                        let candidate = a + (b - a) * t;
                        let distance = candidate.distance(point);
                        if distance <= reach && best.is_none_or(|(d, _)| distance < d) {
                            best = Some((distance, candidate));
                        }
                    }
                }
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

fn components(cells: &Cells) -> Vec<u32> {
    let mut component = vec![NONE; cells.count()];
    let mut stack = Vec::new();
    let mut count = 0;
    for start in 0..cells.count() as u32 {
        if component[start as usize] != NONE {
            continue;
        }
        component[start as usize] = count;
        stack.push(start);
        while let Some(cell) = stack.pop() {
            for twin in cells.sides(cell).map(|side| cells.twin[side as usize]).filter(|twin| *twin != NONE) {
                let other = cells.cell[twin as usize];
                if component[other as usize] == NONE {
                    component[other as usize] = count;
                    stack.push(other);
                }
            }
        }
        count += 1;
    }
    component
}

/// Peels off cells with a single neighbour, again and again.
fn trunks(cells: &Cells) -> Vec<u32> {
    let mut trunk = vec![NONE; cells.count()];
    let mut peeled = vec![false; cells.count()];
    let neighbours = |cell: u32| {
        cells.sides(cell).filter_map(|side| match cells.twin[side as usize] {
            NONE => None,
            twin => Some(cells.cell[twin as usize]),
        })
    };
    let mut ways: Vec<usize> = (0..cells.count() as u32)
        .map(|cell| {
            let mut others: Vec<u32> = neighbours(cell).collect();
            others.sort_unstable();
            others.dedup();
            others.len()
        })
        .collect();
    let mut leaves: Vec<u32> = (0..cells.count() as u32).filter(|cell| ways[*cell as usize] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        let Some(parent) = neighbours(leaf).find(|other| !peeled[*other as usize]) else { continue };
        peeled[leaf as usize] = true;
        trunk[leaf as usize] = parent;
        ways[parent as usize] -= 1;
        if ways[parent as usize] == 1 {
            leaves.push(parent);
        }
    }
    trunk
}

/// Cells by place: a uniform grid of lists.
#[derive(Clone, Debug)]
struct Buckets {
    bounds: Bounds,
    size: f64,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    cells: Vec<u32>,
}

impl Buckets {
    fn new(cells: &Cells) -> Self {
        let nothing = Bounds { min: DVec2::ZERO, max: DVec2::ZERO };
        let bounds = Bounds::of(cells.from.iter().map(|c| cells.corners[*c as usize])).unwrap_or(nothing);
        let extent = bounds.size().max(DVec2::splat(1e-3));
        let wanted = (cells.count() * 4).clamp(16, 1 << 18) as f64;
        let size = (extent.x * extent.y / wanted).sqrt().max(extent.max_element() / 2000.0);
        let (columns, rows) = ((extent.x / size) as usize + 1, (extent.y / size) as usize + 1);
        let mut buckets = Self { bounds, size, columns, rows, first: Vec::new(), cells: Vec::new() };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for cell in 0..cells.count() as u32 {
            let corner = |side: u32| cells.corners[cells.from[side as usize] as usize];
            let Some(b) = Bounds::of(cells.sides(cell).map(corner)) else { continue };
            let ((x0, y0), (x1, y1)) = (buckets.index(b.min), buckets.index(b.max));
            for y in y0..=y1 {
                for x in x0..=x1 {
                    let low = bounds.min + DVec2::new(x as f64, y as f64) * size;
                    if touches_box(cells, cell, low, low + DVec2::splat(size), size * 1e-6) {
                        pairs.push(((y * columns + x) as u32, cell));
                    }
                }
            }
        }
        pairs.sort_unstable();
        buckets.first = vec![0; columns * rows + 1];
        for (bucket, _) in &pairs {
            buckets.first[*bucket as usize + 1] += 1;
        }
        for i in 1..buckets.first.len() {
            buckets.first[i] += buckets.first[i - 1];
        }
        buckets.cells = pairs.into_iter().map(|(_, cell)| cell).collect();
        buckets
    }

    fn index(&self, point: DVec2) -> (usize, usize) {
        let at = (point - self.bounds.min) / self.size;
        ((at.x.max(0.0) as usize).min(self.columns - 1), (at.y.max(0.0) as usize).min(self.rows - 1))
    }

    fn at(&self, point: DVec2) -> &[u32] {
        let margin = DVec2::splat(self.size);
        if !(point.cmpge(self.bounds.min - margin).all() && point.cmple(self.bounds.max + margin).all()) {
            return &[];
        }
        let (x, y) = self.index(point);
        let bucket = y * self.columns + x;
        &self.cells[self.first[bucket] as usize..self.first[bucket + 1] as usize]
    }
}

/// Whether a convex cell comes near a box: no side of the cell has the whole box on its outer side.
fn touches_box(cells: &Cells, cell: u32, low: DVec2, high: DVec2, margin: f64) -> bool {
    cells.sides(cell).all(|side| {
        let (a, b) = cells.ends(side);
        let (a, b) = (cells.corners[a as usize], cells.corners[b as usize]);
        let inwards = (b - a).perp().normalize_or_zero();
        // The corner of the box farthest inwards.
        let far = DVec2::new(
            if inwards.x > 0.0 { high.x } else { low.x },
            if inwards.y > 0.0 { high.y } else { low.y },
        );
        inwards.dot(far - a) >= -margin
    })
}
