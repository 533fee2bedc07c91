//! The way from one goal to the next, around walls and around people who stay where they are.

use crate::options::Routes;
use crowdloom_world::{
    Ground, MeshRouter, NoWay, Outline, Roadmap, RoadmapOptions, Route, Router, regular_polygon,
};
use glam::Vec2;
use std::sync::Arc;

/// Room that ways keep to walls besides the body, in metres: first what is comfortable, then what is possible.
const MARGINS: [f32; 3] = [0.15, 0.05, 0.0];

/// A router that knows straight ways only.
struct Straight(Arc<Ground>);

impl Router for Straight {
    fn ground(&self) -> &Ground {
        &self.0
    }

    fn route(&self, from: Vec2, to: Vec2, radius: f32) -> Result<Route, NoWay> {
        if !self.0.straight_is_free(from, to, radius) {
            return Err(NoWay::NotConnected { radius });
        }
        Ok(Route { way_points: vec![from, to], length: from.distance(to).into() })
    }
}

/// Where there is room ways keep this far off walls and people, in metres …
const COMFORT: f32 = 0.9;
/// … and points of theirs are left out where what is straight then keeps this much more off than the body, in metres.
const STRAIGHTENED: f32 = 0.35;

/// Finds ways.
pub(crate) struct Ways {
    router: Box<dyn Router + Send>,
    /// Whether ways are moved off the corners that shortest ones touch.
    opens_up: bool,
}

impl Ways {
    /// Ways over a ground, around discs of `body` metres where people stay.
    pub fn new(ground: &Arc<Ground>, staying: &[Vec2], body: f32, routes: Routes) -> Self {
        let mut around = Arc::clone(ground);
        if !staying.is_empty() {
            let builder = staying.iter().fold(ground.to_builder(), |builder, &at| {
                let corners = regular_polygon(at.as_dvec2() + ground.origin(), f64::from(body) * 1.04, 8);
                builder.obstacle(Outline::solid("somebody", corners))
            });
            // Where nothing is left the plain ground serves: the search will tell what is in the way.
            around = builder.build().map(Arc::new).unwrap_or(around);
        }
        let router: Box<dyn Router + Send> = match routes {
            Routes::Mesh => Box::new(MeshRouter::new(around)),
            Routes::Roadmap => Box::new(Roadmap::new(around, RoadmapOptions::default())),
            Routes::Straight => return Self { router: Box::new(Straight(around)), opens_up: false },
        };
        let ways = Self { router, opens_up: routes == Routes::Mesh };
        // The meshes are made when they are first asked for: now, rather than while somebody waits for a motion.
        let middle = (ground.bounds().min + ground.bounds().max) * 0.5;
        for margin in MARGINS {
            let _ = ways.router.route(middle.as_vec2(), middle.as_vec2() + 0.1, body + margin);
        }
        ways
    }

    /// Way points from `from` to `to`, both included.
    pub fn way(&self, from: Vec2, to: Vec2, body: f32) -> Result<Vec<Vec2>, NoWay> {
        let ground = self.router.ground();
        if ground.straight_is_free(from, to, body + MARGINS[0]) {
            return Ok(vec![from, to]);
        }
        let mut answer = Err(NoWay::NotConnected { radius: body });
        for margin in MARGINS {
            let radius = body + margin;
            let near = |point: Vec2| ground.nearest_free(point, radius + 0.01).unwrap_or(point);
            answer = self.router.route(near(from), near(to), radius).map(|route| {
                let mut way = route.way_points;
                if way.first().is_some_and(|&first| first != from) {
                    way.insert(0, from);
                }
                if way.last().is_some_and(|&last| last != to) {
                    way.push(to);
                }
                if way.len() < 2 {
                    way = vec![from, to];
                }
                way
            });
            if let Ok(way) = answer.as_mut() {
                if self.opens_up {
                    open_up(ground, way, radius);
                }
                break;
            }
        }
        answer
    }
}

/// Moves the points of a way off walls, as far as there is room and it stays free for a body of `radius` metres, and leaves out
/// those that are then not needed: motions of clips follow a way between walls more easily than one along their corners.
fn open_up(ground: &Ground, way: &mut Vec<Vec2>, radius: f32) {
    let mut index = 1;
    while index + 1 < way.len() {
        let (before, at, after) = (way[index - 1], way[index], way[index + 1]);
        if let Some(wall) = ground.nearest_wall(at).filter(|wall| wall.distance < COMFORT) {
            let off = (at - wall.point).normalize_or_zero() * (COMFORT - wall.distance);
            let roomier = [1.0, 0.5].map(|share| at + off * share).into_iter().find(|&moved| {
                ground.nearest_wall(moved).is_some_and(|other| other.distance > wall.distance + 0.05)
                    && ground.straight_is_free(before, moved, radius)
                    && ground.straight_is_free(moved, after, radius)
            });
            way[index] = roomier.unwrap_or(at);
        }
        index += 1;
    }
    let mut index = 1;
    while index + 1 < way.len() {
        if ground.straight_is_free(way[index - 1], way[index + 1], radius + STRAIGHTENED) {
            way.remove(index);
        } else {
            index += 1;
        }
    }
}
