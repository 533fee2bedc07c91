//! Shortest ways along a roadmap.

use super::roadmap::Roadmap;
use super::{NoWay, Route, Router};
use crate::ground::Ground;
use glam::Vec2;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Somebody looks for at most so many visible nodes to join and leave the roadmap.
const DOORS: usize = 16;

#[derive(Clone, Copy, PartialEq)]
struct Open {
    estimate: f32,
    node: u32,
}
impl Eq for Open {}
impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Open {
    /// The heap gives the greatest first: the shortest estimate, then the lowest node.
    fn cmp(&self, other: &Self) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(other.node.cmp(&self.node))
    }
}

#[derive(Default)]
struct Workspace {
    length: Vec<f32>,
    from: Vec<u32>,
    /// The way from each node to the goal, where the goal is visible.
    to_goal: Vec<f32>,
    touched: Vec<u32>,
    open: BinaryHeap<Open>,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Roadmap {
    /// The nearest visible nodes; looks farther away until there is one.
    fn doors(&self, point: Vec2, radius: f32) -> Vec<u32> {
        let mut rings = 1;
        loop {
            let mut near = Vec::new();
            self.buckets.near(point, rings, |node| {
                near.push((self.nodes[node as usize].distance_squared(point), node));
            });
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let visible: Vec<u32> = near
                .into_iter()
                .map(|(_, node)| node)
                .filter(|node| self.ground.straight_is_free(point, self.nodes[*node as usize], radius))
                .take(DOORS)
                .collect();
            if visible.len() >= DOORS / 2 || rings >= self.buckets.all_rings() {
                return visible;
            }
            rings = if visible.is_empty() { rings * 2 } else { self.buckets.all_rings().min(rings * 2) };
        }
    }

    /// A* from the start's doors to the goal's; the nodes on the way.
    fn along(&self, from: Vec2, to: Vec2, radius: f32, work: &mut Workspace) -> Option<Vec<Vec2>> {
        for node in work.touched.drain(..) {
            work.length[node as usize] = f32::INFINITY;
            work.to_goal[node as usize] = f32::INFINITY;
        }
        if work.length.len() < self.nodes.len() {
            work.length.resize(self.nodes.len(), f32::INFINITY);
            work.to_goal.resize(self.nodes.len(), f32::INFINITY);
            work.from.resize(self.nodes.len(), u32::MAX);
        }
        work.open.clear();
        for node in self.doors(to, radius) {
            work.to_goal[node as usize] = self.nodes[node as usize].distance(to);
            work.touched.push(node);
        }
        for node in self.doors(from, radius) {
            let length = self.nodes[node as usize].distance(from);
            work.length[node as usize] = length;
            work.from[node as usize] = u32::MAX;
            work.touched.push(node);
            work.open.push(Open { estimate: length + self.nodes[node as usize].distance(to), node });
        }
        let (mut best, mut last) = (f32::INFINITY, u32::MAX);
        while let Some(Open { estimate, node }) = work.open.pop() {
            if estimate >= best {
                break;
            }
            let here = self.nodes[node as usize];
            let length = work.length[node as usize];
            if estimate > length + here.distance(to) {
                continue;
            }
            if length + work.to_goal[node as usize] < best {
                best = length + work.to_goal[node as usize];
                last = node;
            }
            for edge in self.edges_of(node).iter().filter(|edge| edge.radius >= radius) {
                let there = self.nodes[edge.to as usize];
                let longer = length + here.distance(there);
                if longer < work.length[edge.to as usize] {
                    work.length[edge.to as usize] = longer;
                    work.from[edge.to as usize] = node;
                    work.touched.push(edge.to);
                    work.open.push(Open { estimate: longer + there.distance(to), node: edge.to });
                }
            }
        }
        if last == u32::MAX {
            return None;
        }
        let mut way = vec![to];
        while last != u32::MAX {
            way.push(self.nodes[last as usize]);
            last = work.from[last as usize];
        }
        way.push(from);
        way.reverse();
        Some(way)
    }

    /// Skips way points as long as the one before and the one after see each other.
    fn shorten(&self, mut way: Vec<Vec2>, radius: f32) -> Vec<Vec2> {
        loop {
            let before = way.len();
            let mut kept: Vec<Vec2> = Vec::with_capacity(way.len());
            for (i, point) in way.iter().enumerate() {
                let skip = match (kept.last(), way.get(i + 1)) {
                    (Some(last), Some(next)) => self.ground.straight_is_free(*last, *next, radius),
                    _ => false,
                };
                if !skip {
                    kept.push(*point);
                }
            }
            way = kept;
            if way.len() == before {
                return way;
            }
        }
    }
}

impl Router for Roadmap {
    fn ground(&self) -> &Ground {
        &self.ground
    }

    fn route(&self, from: Vec2, to: Vec2, radius: f32) -> Result<Route, NoWay> {
        let nearest = |point: Vec2| self.ground.nearest_free(point, radius);
        if !self.ground.is_free(from, radius) {
            return Err(NoWay::StartBlocked { nearest: nearest(from) });
        }
        if !self.ground.is_free(to, radius) {
            return Err(NoWay::GoalBlocked { nearest: nearest(to) });
        }
        if self.ground.straight_is_free(from, to, radius) {
            return Ok(Route::new(vec![from, to]));
        }
        let way = WORKSPACE
            .with_borrow_mut(|work| self.along(from, to, radius, work))
            .ok_or(NoWay::NotConnected { radius })?;
        Ok(Route::new(if self.options.shorten { self.shorten(way, radius) } else { way }))
    }
}
