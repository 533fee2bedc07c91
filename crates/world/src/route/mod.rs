//! Ways from one place to another for a disc of a given radius.

mod cells;
mod exits;
mod field;
mod inflate;
mod landmarks;
mod mesh_router;
mod nav_mesh;
mod roadmap;
mod roadmap_search;
mod search;

pub use exits::nearest_exit;
pub use field::{DistanceField, FieldSample};
pub use mesh_router::MeshRouter;
pub use nav_mesh::NavMesh;
pub use roadmap::{Roadmap, RoadmapOptions};

use crate::ground::Ground;
use glam::Vec2;
use rayon::prelude::*;

/// A way: straight from way point to way point.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The start, the turning points, the goal; metres.
    pub way_points: Vec<Vec2>,
    /// Length in metres.
    pub length: f64,
}

/// A line across the way at a turning point: crossing it anywhere is as good as passing through the way point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// The end on the left of the walker.
    pub left: Vec2,
    /// The end on the right of the walker.
    pub right: Vec2,
}

/// A question to a router.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteQuery {
    /// Where the way starts.
    pub from: Vec2,
    /// Where it ends.
    pub to: Vec2,
    /// The radius of the walker in metres.
    pub radius: f32,
}

/// Why there is no way.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoWay {
    /// The walker does not fit where it starts.
    #[error("the start is inside a wall or too near to one{}", hint(*nearest))]
    StartBlocked {
        /// The nearest place where it fits.
        nearest: Option<Vec2>,
    },
    /// The walker does not fit where it wants to go.
    #[error("the goal is inside a wall or too near to one{}", hint(*nearest))]
    GoalBlocked {
        /// The nearest place where it fits.
        nearest: Option<Vec2>,
    },
    /// Nothing wide enough joins start and goal.
    #[error("nothing wide enough for a radius of {radius} m joins the start and the goal")]
    NotConnected {
        /// The radius of the walker in metres.
        radius: f32,
    },
}

fn hint(nearest: Option<Vec2>) -> String {
    nearest.map_or_else(String::new, |p| format!("; the nearest free place is ({:.2}, {:.2})", p.x, p.y))
}

/// Finds ways over a ground.
pub trait Router: Sync {
    /// The ground it finds ways over.
    fn ground(&self) -> &Ground;

    /// A way for a disc of `radius` metres, or why there is none.
    fn route(&self, from: Vec2, to: Vec2, radius: f32) -> Result<Route, NoWay>;

    /// Many ways at once, on all cores; the answers are in the order of the questions.
    fn routes(&self, queries: &[RouteQuery]) -> Vec<Result<Route, NoWay>> {
        queries
            .par_iter()
            .with_min_len(16)
            .map(|query| self.route(query.from, query.to, query.radius))
            .collect()
    }

    /// The lengths of many ways at once in metres, infinite where there is none.
    fn lengths(&self, queries: &[RouteQuery]) -> Vec<f64> {
        let length = |query: &RouteQuery| {
            self.route(query.from, query.to, query.radius).map_or(f64::INFINITY, |route| route.length)
        };
        queries.par_iter().with_min_len(16).map(length).collect()
    }
}

impl Route {
    /// The route through these way points.
    pub fn new(way_points: Vec<Vec2>) -> Self {
        let length = way_points.windows(2).map(|pair| pair[0].as_dvec2().distance(pair[1].as_dvec2())).sum();
        Self { way_points, length }
    }

    /// The gate at every turning point: across the way, as wide as the ground allows a disc of `radius` metres,
    /// and at most `limit` metres to either side.
    pub fn gates(&self, ground: &Ground, radius: f32, limit: f32) -> Vec<Gate> {
        self.way_points
            .windows(3)
            .map(|triple| {
                let here = triple[1];
                let along = (here - triple[0]).normalize_or_zero() + (triple[2] - here).normalize_or_zero();
                let left = along.normalize_or(triple[2] - triple[0]).perp();
                let reach = |direction: Vec2| {
                    // The way point itself may touch a wall: forgive a hair.
                    let fits = |length: f32| {
                        ground.straight_is_free(here, here + direction * length, radius * 0.999 - 1e-4)
                    };
                    let (mut free, mut blocked) = (0.0, limit);
                    if fits(limit) {
                        return here + direction * limit;
                    }
                    for _ in 0..10 {
                        let middle = (free + blocked) / 2.0;
                        if fits(middle) { free = middle } else { blocked = middle }
                    }
                    here + direction * free
                };
                Gate { left: reach(left), right: reach(-left) }
            })
            .collect()
    }
}
