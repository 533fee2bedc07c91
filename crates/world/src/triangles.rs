//! Triangulation of areas: the start of the navigation mesh, and of even random points.

use crate::area::{Area, ring_sides};
use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::collections::VecDeque;

/// The triangles of an area, each counter-clockwise; they meet in whole sides.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    /// The corners, in metres.
    pub corners: Vec<DVec2>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
    /// The triangle across the side from corner i to corner i + 1, or `u32::MAX` where there is a wall.
    pub neighbours: Vec<[u32; 3]>,
}

impl Triangles {
    /// Triangulates areas (constrained Delaunay).
    pub fn new(areas: &[Area]) -> Self {
        Self::triangulate(areas).unwrap_or_default()
    }

    fn triangulate(areas: &[Area]) -> Result<Self, spade::InsertionError> {
        let rings = || areas.iter().flat_map(Area::rings);
        let points: Vec<Point2<f64>> = rings().flatten().map(|p| Point2::new(p.x, p.y)).collect();
        let mut edges = Vec::with_capacity(points.len());
        let mut first = 0;
        for ring in rings() {
            edges.extend((0..ring.len()).map(|i| [first + i, first + (i + 1) % ring.len()]));
            first += ring.len();
        }
        let mut crossed = false;
        let mut mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(
            points.clone(),
            edges,
            |_| crossed = true,
        )?;
        if crossed {
            // Rounding can make rings cross by the last bit; then the sides are split where they cross.
            mesh = ConstrainedDelaunayTriangulation::new();
            for ring in rings() {
                for (a, b) in ring_sides(ring) {
                    let a = mesh.insert(Point2::new(a.x, a.y))?;
                    let b = mesh.insert(Point2::new(b.x, b.y))?;
                    mesh.add_constraint_and_split(a, b, |p| p);
                }
            }
        }
        // Every wall separates inside from outside: count walls from the outer face, modulo 2.
        let mut inside: Vec<Option<bool>> = vec![None; mesh.num_all_faces()];
        let mut queue = VecDeque::from([mesh.outer_face().fix()]);
        inside[mesh.outer_face().fix().index()] = Some(false);
        // The outer face touches the hull's edges only; those are reached through their twins.
        for edge in mesh.convex_hull() {
            let face = edge.rev().face();
            let face = if face.is_outer() { edge.face() } else { face };
            if inside[face.index()].is_none() {
                inside[face.index()] = Some(edge.is_constraint_edge());
                queue.push_back(face.fix());
            }
        }
        while let Some(face) = queue.pop_front() {
            let Some(face) = mesh.face(face).as_inner() else { continue };
            let here = inside[face.index()] == Some(true);
            for edge in face.adjacent_edges() {
                let other = edge.rev().face();
                if inside[other.index()].is_none() {
                    inside[other.index()] = Some(here != edge.is_constraint_edge());
                    queue.push_back(other.fix());
                }
            }
        }
        let mut number = vec![u32::MAX; mesh.num_all_faces()];
        let mut count = 0;
        for face in mesh.inner_faces() {
            if inside[face.index()] == Some(true) {
                number[face.index()] = count;
                count += 1;
            }
        }
        let mut result = Self {
            corners: mesh.vertices().map(|v| DVec2::new(v.position().x, v.position().y)).collect(),
            ..Self::default()
        };
        for face in mesh.inner_faces().filter(|face| number[face.index()] != u32::MAX) {
            let edges = face.adjacent_edges();
            result.triangles.push(edges.map(|edge| edge.from().index() as u32));
            result.neighbours.push(edges.map(|edge| {
                if edge.is_constraint_edge() { u32::MAX } else { number[edge.rev().face().index()] }
            }));
        }
        Ok(result)
    }

    /// The corners of triangle `index`.
    pub fn triangle(&self, index: usize) -> [DVec2; 3] {
        self.triangles[index].map(|corner| self.corners[corner as usize])
    }

    /// The size of triangle `index` in square metres.
    pub fn size(&self, index: usize) -> f64 {
        let [a, b, c] = self.triangle(index);
        (b - a).perp_dot(c - a) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::oriented;

    #[test]
    fn triangles_cover_the_area_and_no_hole() {
        let square = |x: f64, s: f64| {
            vec![DVec2::new(x, x), DVec2::new(x + s, x), DVec2::new(x + s, x + s), DVec2::new(x, x + s)]
        };
        let mut area = Area::solid(square(0.0, 10.0));
        area.holes.push(oriented(square(2.0, 3.0), false));
        area.holes.push(oriented(square(5.0, 2.0), false)); // touches the first in a corner
        let triangles = Triangles::new(&[area.clone(), Area::solid(square(20.0, 1.0))]);
        let size: f64 = (0..triangles.triangles.len()).map(|i| triangles.size(i)).sum();
        assert!((size - (100.0 - 9.0 - 4.0 + 1.0)).abs() < 1e-9, "{size}");
        for (i, neighbours) in triangles.neighbours.iter().enumerate() {
            for n in neighbours.iter().filter(|n| **n != u32::MAX) {
                assert!(triangles.neighbours[*n as usize].contains(&(i as u32)));
            }
        }
    }
}
