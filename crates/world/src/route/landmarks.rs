//! Distances to a few landmarks, which tell a search that a way leads the wrong way round (Goldberg and Harrelson,
//! "Computing the shortest path: A* search meets graph theory", SODA 2005).
//!
//! For a landmark L, the triangle inequality bounds the distance between x and the goal t from below:
//! d(x, t) ≥ d(L, t) − d(L, x) and d(x, t) ≥ d(L, x) − d(L, t).

use super::nav_mesh::NavMesh;
use super::search::{Workspace, flood};
use glam::DVec2;

/// How many landmarks there are.
pub(crate) const COUNT: usize = 10;
/// Meshes with more corners go without: the floods would take longer than the searches save.
const MAX_CORNERS: usize = 30_000;
/// Bounds are made smaller by this much, in metres, so that rounding never makes one too large.
pub(crate) const SAFETY: f64 = 1e-7;

/// The distance from every landmark to every corner, in metres; infinite where there is no way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    distances: Vec<[f64; COUNT]>,
}

/// The least and the greatest distance that the goal can have from each landmark.
pub(crate) type GoalBounds = [(f64, f64); COUNT];

impl Landmarks {
    /// Landmarks far from each other, in the largest part of the mesh.
    pub(crate) fn new(mesh: &NavMesh) -> Self {
        let cells = &mesh.cells;
        if cells.corners.len() > MAX_CORNERS || cells.count() < 8 {
            return Self::default();
        }
        let mut sizes = vec![0usize; mesh.component_count()];
        mesh.component.iter().for_each(|component| sizes[*component as usize] += 1);
        let largest = (0..sizes.len()).max_by_key(|i| sizes[*i]).unwrap_or(0) as u32;
        let Some(first) = mesh.component.iter().position(|component| *component == largest) else {
            return Self::default();
        };
        let mut work = Workspace::default();
        let seed = cells.from[cells.first_side[first] as usize];
        let mut nearest = distances_from(mesh, seed, &mut work);
        let mut distances = vec![[f64::INFINITY; COUNT]; cells.corners.len()];
        for landmark in 0..COUNT {
            let finite = |i: &usize| nearest[*i].is_finite();
            let farthest =
                (0..nearest.len()).filter(finite).max_by(|a, b| nearest[*a].total_cmp(&nearest[*b]));
            let Some(farthest) = farthest else { break };
            let found = distances_from(mesh, farthest as u32, &mut work);
            for ((known, nearest), distance) in distances.iter_mut().zip(&mut nearest).zip(found) {
                known[landmark] = distance;
                // The seed was only there to find the first landmark.
                *nearest = if landmark == 0 { distance } else { nearest.min(distance) };
            }
        }
        Self { distances }
    }

    /// What is known about the goal from the corners of a cell that holds it: all of them see it.
    pub(crate) fn goal_bounds(&self, mesh: &NavMesh, cells: &[u32], goal: DVec2) -> GoalBounds {
        let mut bounds = [(0.0, f64::INFINITY); COUNT];
        for side in cells.iter().flat_map(|cell| mesh.cells.sides(*cell)) {
            let corner = mesh.cells.from[side as usize] as usize;
            let Some(distances) = self.distances.get(corner) else { break };
            let apart = goal.distance(mesh.cells.corners[corner]);
            for (bound, distance) in bounds.iter_mut().zip(distances) {
                if distance.is_finite() {
                    bound.0 = f64::max(bound.0, distance - apart);
                    bound.1 = f64::min(bound.1, distance + apart);
                }
            }
        }
        bounds
    }

    /// A lower bound on the distance to the goal from `corner` in metres, but for [`SAFETY`]; from any point that sees it at least
    /// as much is left, less what is in between.
    #[inline]
    pub(crate) fn rest(&self, corner: u32, goal: &GoalBounds) -> f64 {
        let Some(distances) = self.distances.get(corner as usize) else { return 0.0 };
        let mut best = 0.0f64;
        for ((low, high), distance) in goal.iter().zip(distances) {
            if distance.is_finite() && high.is_finite() {
                best = best.max(low - distance).max(distance - high);
            }
        }
        best
    }
}

/// The distance from one corner to every corner.
fn distances_from(mesh: &NavMesh, corner: u32, work: &mut Workspace) -> Vec<f64> {
    let cells = &mesh.cells;
    let start = cells.corners[corner as usize];
    let mut distances = vec![f64::INFINITY; cells.corners.len()];
    let mut improve = |corner: u32, distance: f64| {
        let known = &mut distances[corner as usize];
        *known = known.min(distance);
    };
    mesh.locate(start, |cell| {
        for side in cells.sides(cell) {
            let corner = cells.from[side as usize];
            improve(corner, start.distance(cells.corners[corner as usize]));
        }
    });
    flood(mesh, &[start], work, |view, node| {
        let root = view.point(node.root);
        for side in cells.sides(cells.cell[node.side as usize]) {
            let corner = cells.from[side as usize];
            let at = cells.corners[corner as usize];
            if view.sees(node, at) {
                improve(corner, node.length + root.distance(at));
            }
        }
    });
    distances
}
