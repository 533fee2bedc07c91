//! The grid of Cell Marking (Brunner 2014, section 4.1): who occupies which cell in which of the next frames.

use super::plan::{PLAN_FRAMES, Plan};
use glam::Vec2;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Bits of an entry that tell who; the others tell in which round of the ring.
const OWNER_BITS: u32 = 20;
/// Nobody.
const FREE: u32 = u32::MAX;
/// No more agents than this can share a grid.
pub(super) const MOST_AGENTS: usize = (1 << OWNER_BITS) - 1;

/// A cell: its occupant in each frame of the ring, and who rests in it from some frame on.
///
/// Entries carry the round of the ring they were made in, so that frames gone by need not be cleared.
#[derive(Clone, Debug)]
struct Cell {
    ring: [u32; PLAN_FRAMES],
    rester: u32,
    rests_from: u32,
    entries: u32,
    key: (i32, i32),
}

/// Cells with anybody in them, found by a hash of their place: the grid has no bounds.
#[derive(Clone, Debug)]
pub struct CellGrid {
    side: f32,
    radius: f32,
    places: HashMap<(i32, i32), u32, BuildHasherDefault<PlaceHasher>>,
    cells: Vec<Cell>,
    unused: Vec<u32>,
    /// What each agent has marked.
    footprints: Vec<Vec<Mark>>,
    marked_from: Vec<u32>,
}

/// A marked cell and the frames, from the start of the plan; `last` is [`FOREVER`] where somebody comes to rest.
#[derive(Clone, Copy, Debug)]
struct Mark {
    cell: u32,
    first: u8,
    last: u8,
}

const FOREVER: u8 = u8::MAX;

/// Cells that a plan touches, without the grid: the frames of each cell of a window around the plan.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    frames: Vec<(u8, u8)>,
    touched: Vec<(i32, i32, u8, u8)>,
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
    /// Finds the cells of `side` metres that a disc of `radius` metres touches in each frame of a plan.
    fn trace(&mut self, plan: &Plan, side: f32, radius: f32) {
        let rest = plan.rest_index();
        let moving = &plan.positions[..=rest.min(PLAN_FRAMES)];
        let (low, high) = moving
            .iter()
            .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        let scale = 1.0 / side;
        let cell = |value: f32| floor(value * scale);
        let (left, bottom) = (cell(low.x - radius), cell(low.y - radius));
        let columns = (cell(high.x + radius) - left + 1) as usize;
        let rows = (cell(high.y + radius) - bottom + 1) as usize;
        const NEVER: (u8, u8) = (u8::MAX, 0);
        self.frames.clear();
        self.frames.resize(columns * rows, NEVER);
        for (frame, &position) in moving.iter().enumerate() {
            let last = if frame == rest { FOREVER } else { frame as u8 };
            for row in cell(position.y - radius)..=cell(position.y + radius) {
                let dy = gap(position.y, row, side);
                // Half of the chord that the disc has in this row.
                let half = (radius * radius - dy * dy).max(0.0).sqrt();
                for column in cell(position.x - half)..=cell(position.x + half) {
                    let entry =
                        &mut self.frames[(row - bottom) as usize * columns + (column - left) as usize];
                    *entry = (entry.0.min(frame as u8), last);
                }
            }
        }
        self.touched.clear();
        for (index, &(first, last)) in self.frames.iter().enumerate() {
            if (first, last) != NEVER {
                let (row, column) = ((index / columns) as i32 + bottom, (index % columns) as i32 + left);
                self.touched.push((column, row, first, last));
            }
        }
    }
}

/// The largest whole number that is not larger, without a call of the mathematics library.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole - i32::from(value < whole as f32)
}

/// How far in metres a coordinate is from the strip of cells `index`.
fn gap(value: f32, index: i32, side: f32) -> f32 {
    let low = index as f32 * side;
    (low - value).max(value - low - side).max(0.0)
}

impl CellGrid {
    /// A grid without marks, for discs of `radius` metres on cells of `side` metres.
    pub fn new(side: f32, radius: f32) -> Self {
        Self {
            side,
            radius,
            places: HashMap::default(),
            cells: Vec::new(),
            unused: Vec::new(),
            footprints: Vec::new(),
            marked_from: Vec::new(),
        }
    }

    /// The number of cells with marks.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no cell has a mark.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn entry(owner: u32, frame: u32) -> u32 {
        (frame / PLAN_FRAMES as u32) << OWNER_BITS | owner
    }

    /// Whether nobody but `agent` has marked a cell that the plan needs, in the frames in which it needs it.
    pub fn is_free(&self, agent: u32, plan: &Plan, footprint: &mut Footprint) -> bool {
        footprint.trace(plan, self.side, self.radius);
        footprint.touched.iter().all(|&(column, row, first, last)| {
            let Some(&cell) = self.places.get(&(column, row)) else { return true };
            let cell = &self.cells[cell as usize];
            let until = if last == FOREVER { u32::MAX } else { plan.start_frame + u32::from(last) };
            if cell.rester != FREE && cell.rester != agent && cell.rests_from <= until {
                return false;
            }
            // Nobody has marked frames beyond the ring.
            let last = u32::from(last).min(PLAN_FRAMES as u32 - 1);
            let frames = plan.start_frame + u32::from(first)..=plan.start_frame + last;
            frames.into_iter().all(|frame| {
                let entry = cell.ring[frame as usize % PLAN_FRAMES];
                let round = (frame / PLAN_FRAMES as u32) << OWNER_BITS;
                entry & !(MOST_AGENTS as u32) != round || entry & MOST_AGENTS as u32 == agent || entry == FREE
            })
        })
    }

    /// Replaces all marks of an agent by those of a plan.
    pub fn replace(&mut self, agent: u32, plan: &Plan, footprint: &mut Footprint) {
        self.footprints.resize_with(self.footprints.len().max(agent as usize + 1), Vec::new);
        self.marked_from.resize(self.footprints.len(), 0);
        let mut marks = std::mem::take(&mut self.footprints[agent as usize]);
        let old_start = self.marked_from[agent as usize];
        let old_count = marks.len();
        footprint.trace(plan, self.side, self.radius);
        // New marks first: cells in both stay in use.
        for &(column, row, first, last) in &footprint.touched {
            let cell = self.find_or_add((column, row));
            marks.push(Mark { cell, first, last });
        }
        for mark in &marks[..old_count] {
            self.clear(agent, *mark, old_start);
        }
        for mark in &marks[old_count..] {
            self.set(agent, *mark, plan.start_frame);
        }
        for mark in &marks[..old_count] {
            self.drop_if_empty(mark.cell);
        }
        marks.drain(..old_count);
        self.footprints[agent as usize] = marks;
        self.marked_from[agent as usize] = plan.start_frame;
    }

    fn find_or_add(&mut self, key: (i32, i32)) -> u32 {
        let (cells, unused) = (&mut self.cells, &mut self.unused);
        *self.places.entry(key).or_insert_with(|| {
            let fresh = Cell { ring: [FREE; PLAN_FRAMES], rester: FREE, rests_from: 0, entries: 0, key };
            match unused.pop() {
                Some(cell) => {
                    cells[cell as usize] = fresh;
                    cell
                }
                None => {
                    cells.push(fresh);
                    (cells.len() - 1) as u32
                }
            }
        })
    }

    fn frames(mark: Mark, start: u32) -> std::ops::Range<u32> {
        let end = if mark.last == FOREVER { PLAN_FRAMES as u32 } else { u32::from(mark.last) + 1 };
        start + u32::from(mark.first)..start + end
    }

    fn set(&mut self, agent: u32, mark: Mark, start: u32) {
        let cell = &mut self.cells[mark.cell as usize];
        for frame in Self::frames(mark, start) {
            let entry = &mut cell.ring[frame as usize % PLAN_FRAMES];
            cell.entries += u32::from(*entry == FREE);
            *entry = Self::entry(agent, frame);
        }
        if mark.last == FOREVER {
            cell.rester = agent;
            cell.rests_from = start + PLAN_FRAMES as u32;
        }
    }

    fn clear(&mut self, agent: u32, mark: Mark, start: u32) {
        let cell = &mut self.cells[mark.cell as usize];
        for frame in Self::frames(mark, start) {
            let entry = &mut cell.ring[frame as usize % PLAN_FRAMES];
            if *entry == Self::entry(agent, frame) {
                *entry = FREE;
                cell.entries -= 1;
            }
        }
        if mark.last == FOREVER && cell.rester == agent {
            cell.rester = FREE;
        }
    }

    fn drop_if_empty(&mut self, index: u32) {
        let cell = &mut self.cells[index as usize];
        if cell.entries == 0 && cell.rester == FREE && self.places.remove(&cell.key).is_some() {
            self.unused.push(index);
        }
    }
}
