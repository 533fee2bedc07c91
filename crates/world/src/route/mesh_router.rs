//! Exact shortest ways on navigation meshes, one mesh for each radius.

use super::inflate::free_areas;
use super::nav_mesh::NavMesh;
use super::search::{Workspace, shortest};
use super::{NoWay, Route, Router};
use crate::ground::Ground;
use glam::{DVec2, Vec2};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Radii are rounded up to whole centimetres, so that a varied crowd needs few meshes.
const RADIUS_STEP: f64 = 0.01;
/// No more meshes than this are kept.
const MAX_MESHES: usize = 64;

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// A router that finds the shortest way there is.
#[derive(Debug)]
pub struct MeshRouter {
    ground: Arc<Ground>,
    /// By radius in steps.
    meshes: RwLock<BTreeMap<u32, Arc<NavMesh>>>,
    /// The same for people who keep off roads; `None` where there are none.
    off_roads: Option<Box<MeshRouter>>,
}

impl MeshRouter {
    /// A router over the ground; the mesh of a radius is built when it is first asked for.
    pub fn new(ground: Arc<Ground>) -> Self {
        let off_roads = ground.shared_walkways().map(|walkways| Box::new(Self::new(walkways)));
        Self { ground, meshes: RwLock::default(), off_roads }
    }

    /// Ways that keep off roads; the same router where there are none.
    pub fn off_roads(&self) -> &Self {
        self.off_roads.as_deref().unwrap_or(self)
    }

    /// The mesh for discs of `radius` metres, rounded up to a centimetre.
    pub fn mesh(&self, radius: f32) -> Arc<NavMesh> {
        // A hundredth of a step less, because 0.3 is not quite 30 steps in binary.
        let steps = (f64::from(radius.max(0.0)) / RADIUS_STEP - 0.01).ceil().min(f64::from(u32::MAX)) as u32;
        // A thread that panics while it holds the lock leaves the map as it was.
        if let Some(mesh) = self.meshes.read().unwrap_or_else(PoisonError::into_inner).get(&steps) {
            return Arc::clone(mesh);
        }
        let mesh = Arc::new(NavMesh::new(&free_areas(&self.ground, f64::from(steps) * RADIUS_STEP)));
        let mut meshes = self.meshes.write().unwrap_or_else(PoisonError::into_inner);
        if meshes.len() < MAX_MESHES {
            meshes.insert(steps, Arc::clone(&mesh));
        }
        mesh
    }

    /// Where the search may start for somebody at `point`: there, or a hair away where the mesh cuts off the round
    /// of a corner or rounds the radius up.
    pub(crate) fn enter(&self, mesh: &NavMesh, point: Vec2, radius: f32) -> Option<DVec2> {
        let exact = point.as_dvec2();
        let mut inside = false;
        mesh.locate(exact, |_| inside = true);
        if inside {
            return Some(exact);
        }
        if !self.ground.is_free(point, radius) {
            return None;
        }
        let hair = 0.1 * f64::from(radius) + 3.0 * RADIUS_STEP;
        let entry = mesh.nearest_point(exact, hair)?;
        self.ground.straight_is_free(point, entry.as_vec2(), radius * 0.98 - 1e-4).then_some(entry)
    }
}

impl Router for MeshRouter {
    fn ground(&self) -> &Ground {
        &self.ground
    }

    fn route(&self, from: Vec2, to: Vec2, radius: f32) -> Result<Route, NoWay> {
        let mesh = self.mesh(radius);
        let start = self
            .enter(&mesh, from, radius)
            .ok_or_else(|| NoWay::StartBlocked { nearest: self.ground.nearest_free(from, radius) })?;
        let goal = self
            .enter(&mesh, to, radius)
            .ok_or_else(|| NoWay::GoalBlocked { nearest: self.ground.nearest_free(to, radius) })?;
        let way = WORKSPACE
            .with_borrow_mut(|work| shortest(&mesh, start, goal, work))
            .ok_or(NoWay::NotConnected { radius })?;
        let mut points: Vec<Vec2> = Vec::with_capacity(way.len() + 2);
        points.push(from);
        points.extend(way.iter().map(|p| p.as_vec2()));
        points.push(to);
        points.dedup();
        if points.len() == 1 {
            points.push(to);
        }
        Ok(Route::new(points))
    }
}
