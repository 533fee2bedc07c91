//! Where promises are: discs sorted by place.
//!
//! Most discs lie in grids, those of like size in one whose cells fit them, in the order of cells, so that a question reads
//! them in a row. Discs that have changed since are in lists by cell; once these are many, everybody is sorted anew.

use crowdloom_base::grid::cells_between;
use crowdloom_motion::mobb::Disc;
use glam::{IVec2, Vec2};
use rayon::prelude::*;

/// The widest disc in metres that each grid holds, and the least side of its cells in metres.
const GRIDS: [(f32, f32); 3] = [(0.4, 1.0), (1.5, 3.0), (5.0, 6.0)];

/// The side in metres of the cells that changed discs are listed by.
const CELL_OF_CHANGED: f32 = 5.0;

/// Everybody is sorted anew once one in so many discs has changed.
const FEW_CHANGED: usize = 16;

/// Threads put down so many discs at a time.
const AT_A_TIME: usize = 8192;

/// No person, or no cell.
const NONE: u32 = u32::MAX;

/// People's discs, by their indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    grids: [Grid; GRIDS.len()],
    changed: Changed,
    /// Those whose discs are too wide for any grid, in order.
    widest: Vec<u32>,
    slots: Vec<Slot>,
}

/// Where a person's disc is to be found.
#[derive(Clone, Copy, Debug)]
struct Slot {
    disc: Disc,
    at: At,
    /// Its neighbours in the list of its cell, while it is among those changed.
    next: u32,
    before: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Nowhere,
    /// In the grid for discs of its size, where its disc is.
    Grid(u8),
    /// In a cell of those changed.
    Changed(u32),
    Widest,
}

impl Places {
    /// Sorts everybody anew.
    pub fn rebuild(&mut self, discs: &[Disc]) {
        let Self { grids, changed, widest, slots } = self;
        let keep_slots = || {
            let slot = |disc: &Disc| Slot { disc: *disc, at: at_rest(*disc), next: NONE, before: NONE };
            discs.par_iter().with_min_len(AT_A_TIME).map(slot).collect_into_vec(slots);
            changed.clear(discs.len());
        };
        let sort =
            || grids.par_iter_mut().enumerate().for_each(|(number, grid)| grid.rebuild(discs, number as u8));
        rayon::join(keep_slots, sort);
        widest.clear();
        widest.extend((0..discs.len() as u32).filter(|&index| slots[index as usize].at == At::Widest));
    }

    /// Whether so many have changed that everybody should be sorted anew.
    pub fn is_unsorted(&self) -> bool {
        self.changed.count > self.slots.len() / FEW_CHANGED
    }

    /// Adds one more person.
    pub fn push(&mut self, disc: Disc) {
        self.slots.push(Slot { disc, at: At::Nowhere, next: NONE, before: NONE });
        self.put(self.slots.len() as u32 - 1, disc);
    }

    /// Gives a person another disc.
    pub fn change(&mut self, index: usize, disc: Disc) {
        self.hide(index);
        self.put(index as u32, disc);
    }

    /// Lets nobody find a person until its disc is changed.
    pub fn hide(&mut self, index: usize) {
        let Slot { disc, at, next, before } = self.slots[index];
        self.slots[index].at = At::Nowhere;
        match at {
            At::Nowhere => {}
            At::Grid(grid) => self.grids[usize::from(grid)].hide(index as u32, disc.centre),
            At::Changed(cell) => {
                match before {
                    NONE => self.changed.firsts[cell as usize] = next,
                    before => self.slots[before as usize].next = next,
                }
                if next != NONE {
                    self.slots[next as usize].before = before;
                }
                self.changed.count -= 1;
            }
            At::Widest => self.widest.retain(|&own| own as usize != index),
        }
    }

    fn put(&mut self, index: u32, disc: Disc) {
        if at_rest(disc) == At::Widest {
            let place = self.widest.binary_search(&index).unwrap_or_else(|place| place);
            self.widest.insert(place, index);
            let slot = &mut self.slots[index as usize];
            (slot.disc, slot.at) = (disc, At::Widest);
            return;
        }
        let cell = self.changed.cell(cell_at(disc.centre, CELL_OF_CHANGED));
        let next = std::mem::replace(&mut self.changed.firsts[cell], index);
        if next != NONE {
            self.slots[next as usize].before = index;
        }
        self.slots[index as usize] = Slot { disc, at: At::Changed(cell as u32), next, before: NONE };
        self.changed.widest = self.changed.widest.max(disc.radius);
        self.changed.count += 1;
    }

    /// Calls `visit` with the index and the disc of everybody whose disc comes within `radius` metres of `point`, in no
    /// particular order.
    pub fn for_each_near(&self, point: Vec2, radius: f32, mut visit: impl FnMut(u32, Disc)) {
        let about = Disc::new(point, radius);
        for (grid, (widest, _)) in self.grids.iter().zip(GRIDS) {
            grid.for_each_near(about, widest, &mut visit);
        }
        if self.changed.count > 0 {
            let reach = radius + self.changed.widest;
            let low = cell_at(point - reach, CELL_OF_CHANGED);
            // No cell is looked at twice, however far the reach.
            let most = low.saturating_add(IVec2::splat(self.changed.side - 1));
            let high = cell_at(point + reach, CELL_OF_CHANGED).min(most);
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let mut index = self.changed.firsts[self.changed.cell(IVec2::new(x, y))];
                    while index != NONE {
                        let slot = &self.slots[index as usize];
                        if slot.disc.meets(about) {
                            visit(index, slot.disc);
                        }
                        index = slot.next;
                    }
                }
            }
        }
        for &index in &self.widest {
            let disc = self.slots[index as usize].disc;
            if disc.meets(about) {
                visit(index, disc);
            }
        }
    }
}

/// Discs in the order of their cells.
#[derive(Clone, Debug, Default)]
struct Grid {
    origin: Vec2,
    cell: f32,
    columns: i32,
    rows: i32,
    /// The first entry of each cell, and one past the last.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// The entries in the order of people, and the cell of each, while they are sorted.
    unsorted: Vec<Entry>,
    cells: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Its centre is no number once the disc has changed.
    disc: Disc,
    index: u32,
}

impl Grid {
    /// Sorts those discs that the grid of this number holds.
    fn rebuild(&mut self, discs: &[Disc], number: u8) {
        let Self { origin, cell, columns, rows, starts, entries, unsorted, cells } = self;
        unsorted.clear();
        entries.clear();
        starts.clear();
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (index, &disc) in discs.iter().enumerate().filter(|(_, disc)| at_rest(**disc) == At::Grid(number))
        {
            low = low.min(disc.centre);
            high = high.max(disc.centre);
            unsorted.push(Entry { disc, index: index as u32 });
        }
        if unsorted.is_empty() {
            return;
        }
        *origin = low;
        (*cell, *columns, *rows) = cells_between(low, high, GRIDS[usize::from(number)].1, unsorted.len());
        starts.resize((*columns * *rows) as usize + 1, 0);
        cells.clear();
        let cell_of = cell_finder(*origin, *cell, *columns, *rows);
        cells.extend(unsorted.iter().map(|entry| cell_of(entry.disc.centre) as u32));
        for &cell in cells.iter() {
            starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        entries.resize(unsorted.len(), Entry::default());
        // Filling every cell from its end turns ends into starts.
        for (entry, &cell) in unsorted.iter().zip(cells.iter()) {
            let start = &mut starts[cell as usize];
            *start -= 1;
            entries[*start as usize] = *entry;
        }
    }

    /// Lets nobody find a person any more whose disc is at `centre`.
    fn hide(&mut self, index: u32, centre: Vec2) {
        let cell = cell_finder(self.origin, self.cell, self.columns, self.rows)(centre);
        let (first, last) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        if let Some(entry) = self.entries[first..last].iter_mut().find(|entry| entry.index == index) {
            entry.disc.centre = Vec2::NAN;
        }
    }

    fn for_each_near(&self, about: Disc, widest: f32, visit: &mut impl FnMut(u32, Disc)) {
        if self.entries.is_empty() {
            return;
        }
        let reach = about.radius + widest;
        let low = cell_at(about.centre - reach - self.origin, self.cell).max(IVec2::ZERO);
        let high = cell_at(about.centre + reach - self.origin, self.cell);
        let high = high.min(IVec2::new(self.columns - 1, self.rows - 1));
        if low.x > high.x {
            return;
        }
        for row in low.y..=high.y {
            // The cells of a row are neighbours in memory: one run.
            let first = self.starts[(row * self.columns + low.x) as usize] as usize;
            let last = self.starts[(row * self.columns + high.x) as usize + 1] as usize;
            for entry in &self.entries[first..last] {
                if entry.disc.meets(about) {
                    visit(entry.index, entry.disc);
                }
            }
        }
    }
}

/// Discs that have changed, listed by cell: a small square of cells that repeats itself over the whole ground. Who is in a
/// cell by that alone is told by its distance.
#[derive(Clone, Debug, Default)]
struct Changed {
    /// Cells in a row: a power of two.
    side: i32,
    /// The first person in each cell.
    firsts: Vec<u32>,
    count: usize,
    /// The largest radius of them all, in metres.
    widest: f32,
}

impl Changed {
    /// Forgets all, with cells for a crowd of so many.
    fn clear(&mut self, people: usize) {
        self.side = 32;
        while ((self.side * self.side) as usize) < people / 2 && self.side < 1024 {
            self.side *= 2;
        }
        self.firsts.clear();
        self.firsts.resize((self.side * self.side) as usize, NONE);
        (self.count, self.widest) = (0, 0.0);
    }

    fn cell(&self, at: IVec2) -> usize {
        let at = at & (self.side - 1);
        (at.y * self.side + at.x) as usize
    }
}

/// Where a disc is found once everybody is sorted; nowhere if it has no place.
fn at_rest(disc: Disc) -> At {
    let fits = |(widest, _): &(f32, f32)| disc.radius <= *widest;
    match GRIDS.iter().position(fits) {
        None => At::Widest,
        Some(_) if !disc.centre.is_finite() => At::Nowhere,
        Some(grid) => At::Grid(grid as u8),
    }
}

/// Tells the cell of a grid in which a point is.
fn cell_finder(origin: Vec2, cell: f32, columns: i32, rows: i32) -> impl Fn(Vec2) -> usize {
    move |point| {
        let place = ((point - origin) / cell).as_ivec2();
        let place = place.clamp(IVec2::ZERO, IVec2::new(columns - 1, rows - 1));
        (place.y * columns + place.x) as usize
    }
}

/// The cell of some metres a side in which a point is.
fn cell_at(point: Vec2, side: f32) -> IVec2 {
    // Beyond this everybody is in the same cell: sums must not overflow.
    const FAR: f32 = 1e9;
    (point / side).floor().clamp(Vec2::splat(-FAR), Vec2::splat(FAR)).as_ivec2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn disc() -> impl Strategy<Value = Disc> {
        let radius = prop_oneof![Just(0.22f32), 0.3f32..2.0, 4.0f32..9.0];
        let along = prop_oneof![4 => -60.0f32..60.0, 1 => -5e3f32..5e3];
        (along.clone(), along, radius).prop_map(|(x, y, radius)| Disc::new(Vec2::new(x, y), radius))
    }

    proptest! {
        /// Whoever is near is found, once, whatever has changed before.
        #[test]
        fn finds_everybody(
            first in prop::collection::vec(disc(), 0..60),
            added in prop::collection::vec(disc(), 1..20),
            changes in prop::collection::vec((any::<prop::sample::Index>(), disc()), 0..60),
            hidden in any::<prop::sample::Index>(),
            asked in prop::collection::vec(disc(), 1..10),
        ) {
            let (mut places, mut discs) = (Places::default(), first);
            places.rebuild(&discs);
            for disc in added {
                places.push(disc);
                discs.push(disc);
            }
            for (index, disc) in changes {
                let index = index.index(discs.len());
                places.change(index, disc);
                discs[index] = disc;
            }
            let hidden = hidden.index(discs.len());
            places.hide(hidden);
            for about in asked {
                let mut found = Vec::new();
                places.for_each_near(about.centre, about.radius, |index, _| found.push(index as usize));
                found.sort_unstable();
                let near = |index: &usize| *index != hidden && discs[*index].meets(about);
                let expected: Vec<usize> = (0..discs.len()).filter(near).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
