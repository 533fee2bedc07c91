//! The grid of Cell Marking (Brunner 2014, section 4.1): who occupies which cell in which of the next frames.
//!
//! The source keeps a ring of 66 frames in every cell. An agent is in a cell without a break, so that its entries in a
//! ring are a run: here the runs are kept, those of 8 × 8 cells together.

use super::plan::Plan;
use glam::Vec2;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{Range, RangeInclusive};

/// Cells along a side of a tile.
const ACROSS: i32 = 8;
/// Cells of a tile.
const CELLS: usize = (ACROSS * ACROSS) as usize;

/// Frames in which somebody is in a cell.
#[derive(Clone, Copy, Debug)]
struct Run {
    owner: u32,
    first: u32,
    last: u32,
    cell: u8,
}

/// Cells that are kept together, with anybody in them.
#[derive(Clone, Debug, Default)]
struct Tile {
    place: (i32, i32),
    /// The frame in which a plan last came in.
    newest: u32,
    /// The first run of the plans that came in then.
    fresh: usize,
    /// Those of a plan one after the other, the newest plans last.
    runs: Vec<Run>,
}

/// Tiles with anybody in them, found by a hash of their place: the grid has no bounds.
#[derive(Clone, Debug)]
pub struct CellGrid {
    cells: Cells,
    places: HashMap<(i32, i32), u32, BuildHasherDefault<PlaceHasher>>,
    tiles: Vec<Tile>,
    unused: Vec<u32>,
    /// The tiles in which each agent has runs.
    held: Vec<Vec<u32>>,
}

/// First and last frame of a plan in a cell; the last is [`FOREVER`] where the agent comes to rest.
type Stay = (u8, u8);

const FOREVER: u8 = u8::MAX;
const NEVER: Stay = (u8::MAX, 0);

/// The cells that a plan touches: for a window of tiles around it the stay in each cell, tile after tile.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    start_frame: u32,
    first_tile: (i32, i32),
    tiles_wide: i32,
    stays: Vec<Stay>,
}

/// Mixes the two numbers of a place (the multiplier of Fibonacci hashing).
#[derive(Default)]
pub(super) struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i32(i32::from(*byte)));
    }

    fn write_i32(&mut self, number: i32) {
        let mixed = (self.0 ^ u64::from(number as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}

impl Footprint {
    /// Finds the cells that a disc touches in each frame of a plan.
    fn new(plan: &Plan, cells: &Cells) -> Self {
        let moving = &plan.positions[..=plan.rest_index()];
        let (low, high) = moving
            .iter()
            .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        let radius = cells.radius;
        let tile = |value: f32| cells.index(value).div_euclid(ACROSS);
        let (left, bottom) = (tile(low.x - radius), tile(low.y - radius));
        let wide = tile(high.x + radius) - left + 1;
        let high = tile(high.y + radius) - bottom + 1;
        let mut stays = vec![NEVER; (wide * high) as usize * CELLS];
        let (first_column, first_row) = (left * ACROSS, bottom * ACROSS);
        const WIDE: usize = ACROSS as usize;
        // Nothing is left of or below the window.
        let index = |row: i32, column: i32| {
            let (row, column) = ((row - first_row) as usize, (column - first_column) as usize);
            (row / WIDE * wide as usize + column / WIDE) * CELLS + row % WIDE * WIDE + column % WIDE
        };
        // Columns touched in each row: from frame to frame few cells are entered or left, only these are looked at.
        let mut spans = vec![0..0; (high * ACROSS) as usize];
        let mut rows_before = cells.rows(moving[0]);
        for (frame, &position) in moving.iter().enumerate() {
            let rows = cells.rows(position);
            let both = *rows.start().min(rows_before.start())..=*rows.end().max(rows_before.end());
            for row in both {
                let span = if rows.contains(&row) { cells.columns(position, row) } else { 0..0 };
                let before = std::mem::replace(&mut spans[(row - first_row) as usize], span.clone());
                if span == before {
                    continue;
                }
                for left in outside(&before, &span) {
                    stays[index(row, left)].1 = frame as u8 - 1;
                }
                for entered in outside(&span, &before) {
                    let stay = &mut stays[index(row, entered)];
                    stay.0 = stay.0.min(frame as u8);
                }
            }
            rows_before = rows;
        }
        for (row, span) in (first_row..).zip(spans) {
            span.for_each(|column| stays[index(row, column)].1 = FOREVER);
        }
        Self { start_frame: plan.start_frame, first_tile: (left, bottom), tiles_wide: wide, stays }
    }

    /// Places of tiles and the stays in their cells, without tiles that are not touched.
    fn tiles(&self) -> impl Iterator<Item = ((i32, i32), &[Stay])> {
        let places = self.stays.chunks(CELLS).enumerate();
        places.filter(|(_, stays)| stays.iter().any(|stay| *stay != NEVER)).map(|(index, stays)| {
            let (x, y) = (index as i32 % self.tiles_wide, index as i32 / self.tiles_wide);
            ((self.first_tile.0 + x, self.first_tile.1 + y), stays)
        })
    }

    /// First and last frame on the clock.
    fn frames(&self, stay: Stay) -> (u32, u32) {
        let last = if stay.1 == FOREVER { u32::MAX } else { self.start_frame + u32::from(stay.1) };
        (self.start_frame + u32::from(stay.0), last)
    }
}

/// The largest whole number that is not larger, without a call of the mathematics library.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole - i32::from(value < whole as f32)
}

/// What of a range is not in another one.
fn outside(range: &Range<i32>, other: &Range<i32>) -> impl Iterator<Item = i32> {
    (range.start..range.end.min(other.start)).chain(range.start.max(other.end)..range.end)
}

/// Which cells a disc touches.
#[derive(Clone, Copy, Debug)]
struct Cells {
    side: f32,
    /// Cells in a metre.
    scale: f32,
    radius: f32,
}

impl Cells {
    fn index(&self, value: f32) -> i32 {
        floor(value * self.scale)
    }

    fn rows(&self, centre: Vec2) -> RangeInclusive<i32> {
        self.index(centre.y - self.radius)..=self.index(centre.y + self.radius)
    }

    /// The columns touched in one of the rows.
    fn columns(&self, centre: Vec2, row: i32) -> Range<i32> {
        let low = row as f32 * self.side;
        let dy = (low - centre.y).max(centre.y - low - self.side).max(0.0);
        // Half of the chord that the disc has in this row.
        let half = (self.radius * self.radius - dy * dy).max(0.0).sqrt();
        self.index(centre.x - half)..self.index(centre.x + half) + 1
    }

    /// Whether two discs touch a cell in common.
    fn meet(&self, a: Vec2, b: Vec2) -> bool {
        let (rows, others) = (self.rows(a), self.rows(b));
        (*rows.start().max(others.start())..=*rows.end().min(others.end())).any(|row| {
            let (own, other) = (self.columns(a, row), self.columns(b, row));
            own.start < other.end && other.start < own.end
        })
    }
}

impl Tile {
    /// Takes out the runs of an agent's plan.
    fn remove(&mut self, agent: u32) {
        let Some(first) = self.runs.iter().position(|run| run.owner == agent) else { return };
        let count = self.runs[first..].iter().take_while(|run| run.owner == agent).count();
        self.runs.drain(first..first + count);
        if first < self.fresh {
            self.fresh -= count;
        }
    }

    /// Adds the runs of a plan that comes in in `frame`.
    fn put(&mut self, frame: u32, runs: impl Iterator<Item = Run>) {
        if self.newest != frame {
            (self.newest, self.fresh) = (frame, self.runs.len());
        }
        self.runs.extend(runs);
    }
}

impl CellGrid {
    /// A grid without marks, for discs of `radius` metres on cells of `side` metres.
    pub fn new(side: f32, radius: f32) -> Self {
        let (tiles, unused, held) = (Vec::new(), Vec::new(), Vec::new());
        let cells = Cells { side, scale: 1.0 / side, radius };
        Self { cells, places: HashMap::default(), tiles, unused, held }
    }

    /// Finds the cells that a plan needs.
    pub fn trace(&self, plan: &Plan) -> Footprint {
        Footprint::new(plan, &self.cells)
    }

    /// Whether discs at two places touch a cell in common: in one frame, only one of them may be marked.
    pub fn meet(&self, a: Vec2, b: Vec2) -> bool {
        self.cells.meet(a, b)
    }

    /// Whether nobody but `agent` has marked a cell of the footprint, in the frames in which it is needed.
    pub fn is_free(&self, agent: u32, footprint: &Footprint) -> bool {
        self.is_free_since(0, agent, footprint)
    }

    /// The same of a footprint that was free before `frame`: plans from then on may have come into the way.
    pub fn is_free_since(&self, frame: u32, agent: u32, footprint: &Footprint) -> bool {
        footprint.tiles().all(|(place, stays)| {
            let Some(&tile) = self.places.get(&place) else { return true };
            let tile = &self.tiles[tile as usize];
            let since = match tile.newest {
                newest if newest < frame => tile.runs.len(),
                newest if newest == frame => tile.fresh,
                _ => 0,
            };
            tile.runs[since..].iter().all(|run| {
                let stay = stays[usize::from(run.cell)];
                let (first, last) = footprint.frames(stay);
                stay == NEVER || run.owner == agent || run.last < first || run.first > last
            })
        })
    }

    /// Replaces all marks of an agent.
    pub fn replace(&mut self, agent: u32, footprint: &Footprint) {
        self.held.resize_with(self.held.len().max(agent as usize + 1), Vec::new);
        let mut held = std::mem::take(&mut self.held[agent as usize]);
        for &tile in &held {
            self.tiles[tile as usize].remove(agent);
        }
        let old = held.len();
        for (place, stays) in footprint.tiles() {
            let tile = self.find_or_add(place);
            let touched = stays.iter().enumerate().filter(|(_, stay)| **stay != NEVER);
            let runs = touched.map(|(cell, stay)| {
                let (first, last) = footprint.frames(*stay);
                Run { owner: agent, first, last, cell: cell as u8 }
            });
            self.tiles[tile as usize].put(footprint.start_frame, runs);
            held.push(tile);
        }
        for &tile in &held[..old] {
            self.drop_if_empty(tile);
        }
        held.drain(..old);
        self.held[agent as usize] = held;
    }

    fn find_or_add(&mut self, place: (i32, i32)) -> u32 {
        let (tiles, unused) = (&mut self.tiles, &mut self.unused);
        *self.places.entry(place).or_insert_with(|| {
            let tile = unused.pop().unwrap_or_else(|| {
                tiles.push(Tile::default());
                (tiles.len() - 1) as u32
            });
            tiles[tile as usize].place = place;
            tile
        })
    }

    fn drop_if_empty(&mut self, index: u32) {
        let tile = &self.tiles[index as usize];
        if tile.runs.is_empty() && self.places.get(&tile.place) == Some(&index) {
            self.places.remove(&tile.place);
            self.unused.push(index);
        }
    }
}
