//! Walls and people: what a motion must stay off.

use crate::traffic::{Heed, Owner, Traffic};
use crowdloom_world::Ground;
use glam::Vec2;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Side of the cells in whose middles the distance to the walls is noted, in metres.
const CELL: f32 = 0.5;
/// No more cells than this.
const MOST_CELLS: f32 = 1_000_000.0;
/// More cells than this are only looked at when somebody comes by.
const MOST_AT_ONCE: usize = 100_000;
/// A cell that nobody has looked at: no number.
const UNKNOWN: u32 = u32::MAX;
/// What distances may be off by rounding, in metres.
const ROUNDING: f32 = 1e-4;
/// Positions that are looked at together.
const CHUNK: usize = 8;

/// Room to the walls at points of a grid, so that most questions need no look at a wall: from a point to another the distance
/// to the walls changes by no more than what is between the points.
#[derive(Debug)]
pub(crate) struct Room {
    ground: Arc<Ground>,
    low: Vec2,
    side: f32,
    columns: usize,
    rows: usize,
    /// Metres from the middle of each cell to the nearest wall, negative outside, as the bits of a number.
    distance: Vec<AtomicU32>,
}

impl Room {
    pub fn new(ground: Arc<Ground>) -> Self {
        let bounds = ground.bounds();
        let (low, high) = (bounds.min.as_vec2(), bounds.max.as_vec2());
        let size = high - low;
        let side = CELL.max((size.x * size.y / MOST_CELLS).sqrt());
        let (columns, rows) = ((size.x / side) as usize + 1, (size.y / side) as usize + 1);
        let distance = (0..columns * rows).map(|_| AtomicU32::new(UNKNOWN)).collect();
        let room = Self { distance, low, side, columns, rows, ground };
        if columns * rows <= MOST_AT_ONCE {
            for cell in 0..columns * rows {
                room.look(cell);
            }
        }
        room
    }

    /// Finds out how far a cell's middle is from the walls; whoever asks finds the same.
    #[cold]
    fn look(&self, cell: usize) -> f32 {
        let place = Vec2::new((cell % self.columns) as f32, (cell / self.columns) as f32);
        let middle = self.low + (place + 0.5) * self.side;
        let wall = self.ground.nearest_wall(middle);
        let distance = wall.map_or(f32::NEG_INFINITY, |wall| wall.distance);
        self.distance[cell].store(distance.to_bits(), Ordering::Relaxed);
        distance
    }

    pub fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// Metres that are free around a point, at least and at most.
    #[inline]
    fn free_at(&self, point: Vec2) -> (f32, f32) {
        let place = (point - self.low) / self.side;
        if place.x < 0.0 || place.y < 0.0 {
            return (f32::NEG_INFINITY, f32::INFINITY);
        }
        let (column, row) = (place.x as usize, place.y as usize);
        if column >= self.columns || row >= self.rows {
            return (f32::NEG_INFINITY, f32::INFINITY);
        }
        let cell = row * self.columns + column;
        let distance = match self.distance[cell].load(Ordering::Relaxed) {
            UNKNOWN => self.look(cell),
            distance => f32::from_bits(distance),
        };
        let middle = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
        let off = (place - middle).length() * self.side + ROUNDING;
        (distance - off, distance + off)
    }

    /// Whether a body stays off the walls at all of `positions`, which follow each other.
    #[inline]
    pub fn is_free(&self, positions: &[Vec2], body: f32) -> bool {
        positions.chunks(CHUNK).all(|chunk| {
            let middle = chunk[chunk.len() / 2];
            let spread = chunk.iter().map(|p| p.distance_squared(middle)).fold(0.0, f32::max).sqrt();
            let (least, most) = self.free_at(middle);
            least >= body + spread
                || most >= body
                    && (most >= body + spread && self.ground.is_free(middle, body + spread)
                        || chunk.iter().all(|&point| self.is_free_at(point, body)))
        })
    }

    /// Whether a body stays off the walls at a point.
    #[inline]
    fn is_free_at(&self, point: Vec2, body: f32) -> bool {
        let (least, most) = self.free_at(point);
        least >= body || most >= body && self.ground.is_free(point, body)
    }
}

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    Wall,
    Somebody(Owner),
}

impl Obstacle {
    /// Who it is, if it is somebody.
    pub fn owner(self) -> Option<Owner> {
        match self {
            Self::Wall => None,
            Self::Somebody(owner) => Some(owner),
        }
    }
}

/// Walls and people, as one agent heeds them.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub room: &'a Room,
    pub traffic: &'a Traffic,
    pub body: f32,
    pub heed: Heed,
}

impl Surroundings<'_> {
    /// What is in the way of a motion: one position for each frame from `first_frame` on.
    #[inline]
    pub fn obstacle(&self, positions: &[Vec2], first_frame: i32) -> Option<Obstacle> {
        if !self.room.is_free(positions, self.body) {
            return Some(Obstacle::Wall);
        }
        self.traffic.meets(positions, first_frame, self.body, self.heed).map(Obstacle::Somebody)
    }

    /// Who is in the way of standing at a place from a frame on.
    pub fn standing_obstacle(&self, at: Vec2, from: i32) -> Option<Obstacle> {
        if !self.room.ground().is_free(at, self.body) {
            return Some(Obstacle::Wall);
        }
        self.traffic.meets_standing(at, from, self.body, self.heed).map(Obstacle::Somebody)
    }
}
