//! The grid of Cell Marking (Brunner 2014, section 4.1): who occupies which cell in which of the next frames.
//!
//! The source keeps a ring of 66 frames in every cell. Here an agent's entries in a ring are the bits of one number, and
//! those of 8 × 8 cells are kept together.

use super::plan::Plan;
use glam::Vec2;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{Range, RangeInclusive};

/// Cells along a side of a tile.
const ACROSS: i32 = 8;
/// Cells of a tile.
const CELLS: usize = (ACROSS * ACROSS) as usize;

/// The frames of a plan in which somebody is in a cell: bit by bit from its start on. Who comes to rest there has all bits
/// to the last, which is the sign, so that shifting to later frames keeps it there for ever.
type Stay = i128;

const NEVER: Stay = 0;

/// That somebody is in a cell.
#[derive(Clone, Copy, Debug)]
struct Mark {
    stay: Stay,
    start_frame: u32,
    owner: u32,
    cell: u8,
}

/// Cells that are kept together, with anybody in them.
#[derive(Clone, Debug, Default)]
struct Tile {
    place: (i32, i32),
    /// The frame in which a plan last came in.
    newest: u32,
    /// The first mark of the plans that came in then.
    fresh: usize,
    /// Those of a plan one after the other, the newest plans last.
    marks: Vec<Mark>,
}

/// Tiles with anybody in them, found by a hash of their place: the grid has no bounds.
#[derive(Clone, Debug)]
pub struct CellGrid {
    cells: Cells,
    places: HashMap<(i32, i32), u32, BuildHasherDefault<PlaceHasher>>,
    tiles: Vec<Tile>,
    unused: Vec<u32>,
    /// The tiles in which each agent has marks.
    held: Vec<Vec<u32>>,
}

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
                // Entering sets all bits from now on, leaving clears them.
                for changed in outside(&before, &span).chain(outside(&span, &before)) {
                    stays[index(row, changed)] ^= -1 << frame;
                }
            }
            rows_before = rows;
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

    /// Whether a stay of the footprint shares a frame with a mark.
    fn meets(&self, stay: Stay, mark: &Mark) -> bool {
        // Stays are shorter than this many frames, or for ever.
        let later = |by: u32| by.min(127);
        match self.start_frame >= mark.start_frame {
            true => stay & (mark.stay >> later(self.start_frame - mark.start_frame)) != 0,
            false => mark.stay & (stay >> later(mark.start_frame - self.start_frame)) != 0,
        }
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
}

impl Tile {
    /// Takes out the marks of an agent's plan.
    fn remove(&mut self, agent: u32) {
        let Some(first) = self.marks.iter().position(|mark| mark.owner == agent) else { return };
        let count = self.marks[first..].iter().take_while(|mark| mark.owner == agent).count();
        self.marks.drain(first..first + count);
        if first < self.fresh {
            self.fresh -= count;
        }
    }

    /// Adds the marks of a plan that comes in in `frame`.
    fn put(&mut self, frame: u32, marks: impl Iterator<Item = Mark>) {
        if self.newest != frame {
            (self.newest, self.fresh) = (frame, self.marks.len());
        }
        self.marks.extend(marks);
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
                newest if newest < frame => tile.marks.len(),
                newest if newest == frame => tile.fresh,
                _ => 0,
            };
            tile.marks[since..].iter().all(|mark| {
                let stay = stays[usize::from(mark.cell)];
                stay == NEVER || mark.owner == agent || !footprint.meets(stay, mark)
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
            let start_frame = footprint.start_frame;
            let marks =
                touched.map(|(cell, &stay)| Mark { stay, start_frame, owner: agent, cell: cell as u8 });
            self.tiles[tile as usize].put(start_frame, marks);
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
        if tile.marks.is_empty() && self.places.get(&tile.place) == Some(&index) {
            self.places.remove(&tile.place);
            self.unused.push(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PLAN_FRAMES;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The cells that a plan's disc touches in a frame, one by one.
    fn touched(grid: &CellGrid, plan: &Plan, frame: u32) -> BTreeSet<(i32, i32)> {
        let centre = plan.position(frame);
        let rows = grid.cells.rows(centre);
        rows.flat_map(|row| grid.cells.columns(centre, row).map(move |column| (row, column))).collect()
    }

    /// A way that swings to and fro and stops after `moving` frames: cells are left and entered again.
    fn swinging(start: Vec2, sway: Vec2, turns: f32, moving: usize, start_frame: u32) -> Plan {
        let at = |frame: usize| start + sway * libm::sinf(turns * frame.min(moving) as f32 / 10.0);
        Plan { start_frame, positions: std::array::from_fn(at) }
    }

    proptest! {
        /// The grid refuses a plan just where some cell is touched by both in the same frame, and nowhere else.
        #[test]
        fn the_grid_knows_who_is_in_a_cell_when(
            (x, y) in (-2.0f32..2.0, -2.0f32..2.0),
            sway in (-1.5f32..1.5, -1.5f32..1.5),
            (turns, others_turns) in (0.2f32..2.0, 0.2f32..2.0),
            moving in 0usize..PLAN_FRAMES + 1,
            (own_start, other_start) in (0u32..50, 0u32..50),
            side in 0.05f32..0.4,
        ) {
            let mut grid = CellGrid::new(side, 0.25);
            let own = swinging(Vec2::ZERO, Vec2::new(0.8, 0.3), turns, moving, own_start);
            let other = swinging(Vec2::new(x, y), sway.into(), others_turns, 40, other_start);
            grid.replace(1, &grid.trace(&other));
            let frames = own_start.max(other_start)..;
            let met = frames
                .take(2 * PLAN_FRAMES)
                .any(|frame| !touched(&grid, &own, frame).is_disjoint(&touched(&grid, &other, frame)));
            prop_assert_eq!(grid.is_free(0, &grid.trace(&own)), !met);
            // Nobody is in its own way, and who has gone leaves nothing behind.
            prop_assert!(grid.is_free(1, &grid.trace(&other)));
            grid.replace(1, &grid.trace(&Plan::standing(Vec2::splat(50.0), other_start)));
            prop_assert!(grid.is_free(0, &grid.trace(&own)));
        }
    }

    #[test]
    fn who_leaves_a_cell_and_comes_back_leaves_it_free_in_between() {
        let mut grid = CellGrid::new(0.1, 0.25);
        // At home for 10 frames, away for 30, at home again.
        let away = |frame: usize| if (10..40).contains(&frame) { Vec2::X * 3.0 } else { Vec2::ZERO };
        let comes_back = Plan { start_frame: 0, positions: std::array::from_fn(away) };
        grid.replace(0, &grid.trace(&comes_back));
        let visits = |from: usize, to: usize| {
            let at = |frame: usize| Vec2::Y * if (from..to).contains(&frame) { 0.0 } else { 9.0 };
            let plan = Plan { start_frame: 0, positions: std::array::from_fn(at) };
            grid.is_free(1, &grid.trace(&plan))
        };
        assert!(visits(12, 38));
        assert!(!visits(5, 12) && !visits(38, 42) && !visits(50, 55));
    }
}
