//! Who is near whom: a uniform grid over the agents' positions, rebuilt every step.

use glam::Vec2;

/// Agents sorted by the cell they are in.
#[derive(Clone, Debug, Default)]
pub struct NeighbourGrid {
    origin: Vec2,
    cell: f32,
    columns: i32,
    rows: i32,
    /// First entry of each cell in `agents`, and one past the last.
    starts: Vec<u32>,
    agents: Vec<u32>,
    /// Positions in the order of `agents`: a query reads them in a row.
    positions: Vec<Vec2>,
    cells: Vec<u32>,
}

/// Numbers that are compared side by side.
const WIDE: usize = 8;

/// At most this many cells for each agent: a few agents far apart must not cost a continent of cells.
const CELLS_PER_AGENT: usize = 4;

/// The side of cells in metres, `cell` or more where `agents` between `low` and `high` are spread very thinly, and how many
/// columns and rows of them there are.
pub fn cells_between(low: Vec2, high: Vec2, cell: f32, agents: usize) -> (f32, i32, i32) {
    let most = (agents * CELLS_PER_AGENT).max(1024) as f32;
    let mut cell = cell;
    loop {
        let extent = ((high - low) / cell).floor() + 1.0;
        if extent.x * extent.y <= most {
            return (cell, extent.x as i32, extent.y as i32);
        }
        cell *= 1.5;
    }
}

impl NeighbourGrid {
    /// Sorts agents into cells of `cell` metres, or of more where the agents are spread very thinly.
    ///
    /// Positions must be finite. Agents within a cell keep their order, so queries are deterministic.
    pub fn rebuild(&mut self, positions: &[Vec2], cell: f32) {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for &position in positions {
            low = low.min(position);
            high = high.max(position);
        }
        if positions.is_empty() {
            (low, high) = (Vec2::ZERO, Vec2::ZERO);
        }
        (self.cell, self.columns, self.rows) = cells_between(low, high, cell, positions.len());
        self.origin = low;

        let count = (self.columns * self.rows) as usize;
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        self.cells.clear();
        for &position in positions {
            let cell = self.cell_of(position);
            self.cells.push(cell);
            self.starts[cell as usize + 1] += 1;
        }
        for cell in 0..count {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.agents.resize(positions.len(), 0);
        self.positions.resize(positions.len(), Vec2::ZERO);
        // Filling from the back with the ends as cursors keeps the order and turns ends into starts.
        for (agent, &cell) in self.cells.iter().enumerate().rev() {
            let slot = &mut self.starts[cell as usize + 1];
            *slot -= 1;
            self.agents[*slot as usize] = agent as u32;
            self.positions[*slot as usize] = positions[agent];
        }
        self.starts.rotate_left(1);
        if let Some(last) = self.starts.last_mut() {
            *last = positions.len() as u32;
        }
    }

    fn cell_of(&self, position: Vec2) -> u32 {
        // Truncation instead of `floor`, which is a function call on plain x86-64; they agree where it matters, because
        // the place is not negative.
        let place = (position - self.origin) / self.cell;
        let column = (place.x as i32).clamp(0, self.columns - 1);
        let row = (place.y as i32).clamp(0, self.rows - 1);
        (row * self.columns + column) as u32
    }

    /// Calls `visit` with index, position and squared distance of every agent within `radius` metres of `point`.
    pub fn for_each_within(&self, point: Vec2, radius: f32, mut visit: impl FnMut(u32, Vec2, f32)) {
        let low = ((point - radius - self.origin) / self.cell).floor();
        let high = ((point + radius - self.origin) / self.cell).floor();
        let (first, last) = ((low.x as i32).max(0), (high.x as i32).min(self.columns - 1));
        if first > last {
            return;
        }
        let limit = radius * radius;
        for row in (low.y as i32).max(0)..=(high.y as i32).min(self.rows - 1) {
            // The cells of a row are neighbours in memory: one run.
            let start = self.starts[(row * self.columns + first) as usize] as usize;
            let end = self.starts[(row * self.columns + last) as usize + 1] as usize;
            for slot in start..end {
                let squared = self.positions[slot].distance_squared(point);
                if squared <= limit {
                    visit(self.agents[slot], self.positions[slot], squared);
                }
            }
        }
    }

    /// Fills `found` with the agents nearest to `point`, nearest first, at most `most` of them and none farther than
    /// `radius` metres; leaves out the agent in slot `own`. Agents equally near come in the order of their slots.
    ///
    /// The search looks at the few cells around the point, and at more of them until no unseen agent can be nearer.
    pub fn nearest(&self, point: Vec2, radius: f32, most: usize, own: u32, found: &mut Nearest) {
        found.count = 0;
        let most = most.min(Nearest::CAPACITY);
        if most == 0 || self.agents.is_empty() {
            return;
        }
        let (row, column) = self.place_of(point);
        let near = self.run(row - 1, column, 1).len()
            + self.run(row, column, 1).len()
            + self.run(row + 1, column, 1).len();
        // Of nine cells a third lies in the circle that is seen for sure.
        let mut reach = if near > 3 * most || radius <= self.seen(point, (row, column), 1) { 1 } else { 2 };
        // A circle that holds half as many again as wanted, if they stand as densely as in these cells: no need to sort
        // more than these.
        let mut guess = 1.5 * most as f32 * 9.0 * self.cell * self.cell * std::f32::consts::FRAC_1_PI;
        guess = (guess / near as f32).sqrt();
        loop {
            let seen = self.seen(point, (row, column), reach);
            let everything = reach > self.columns.max(self.rows);
            let widest = if everything { radius } else { radius.min(seen) };
            let limit = widest.min(guess);
            guess = f32::INFINITY;
            if limit > 0.0 {
                self.gather((row, column), reach, point, limit * limit, own, found);
                if found.candidates >= most || limit == radius {
                    return found.select(most);
                }
                if limit < widest {
                    continue;
                }
            }
            reach += 1 + reach / 4;
        }
    }

    /// Everybody within this distance of `point`, in metres, is in the cells up to `reach` cells around.
    #[inline]
    fn seen(&self, point: Vec2, (row, column): (i32, i32), reach: i32) -> f32 {
        let corner = self.origin + Vec2::new((column - reach) as f32, (row - reach) as f32) * self.cell;
        let side = (2 * reach + 1) as f32 * self.cell;
        (point - corner).min(corner + side - point).min_element()
    }

    /// The slots of the cells of a row from `reach` cells left of `column` to as many right of it.
    #[inline]
    fn run(&self, row: i32, column: i32, reach: i32) -> std::ops::Range<usize> {
        let (from, to) = ((column - reach).max(0), (column + reach).min(self.columns - 1));
        if row < 0 || row >= self.rows {
            return 0..0;
        }
        let start = self.starts[(row * self.columns + from) as usize] as usize;
        start..self.starts[(row * self.columns + to) as usize + 1] as usize
    }

    /// The slots of everybody in the cell of `point` and the eight around it.
    #[inline]
    pub fn nine_cells(&self, point: Vec2) -> [std::ops::Range<usize>; 3] {
        let (row, column) = self.place_of(point);
        [-1, 0, 1].map(|step| self.run(row + step, column, 1))
    }

    /// Row and column of the cell of a point, or of the nearest cell.
    fn place_of(&self, point: Vec2) -> (i32, i32) {
        let place = (point - self.origin) / self.cell;
        ((place.y as i32).clamp(0, self.rows - 1), (place.x as i32).clamp(0, self.columns - 1))
    }

    /// Collects the agents of a block of cells whose squared distance is at most `limit`.
    #[inline]
    fn gather(
        &self,
        (row, column): (i32, i32),
        reach: i32,
        point: Vec2,
        limit: f32,
        own: u32,
        found: &mut Nearest,
    ) {
        // The count stays in a register, and a candidate that is too far is overwritten by the next: no branch to guess.
        let mut count = 0;
        for row in (row - reach).max(0)..=(row + reach).min(self.rows - 1) {
            let slots = self.run(row, column, reach);
            let first = slots.start as u32;
            for (slot, position) in (first..).zip(&self.positions[slots]) {
                let squared = position.distance_squared(point);
                if count == Nearest::CANDIDATES {
                    count = found.thin_out();
                }
                found.squared[count] = squared.to_bits() as i32;
                found.slots[count] = slot;
                count += usize::from((squared <= limit) & (slot != own));
            }
        }
        found.candidates = count;
    }

    /// Calls `visit` with the slot of every agent whose cell comes within `radius` metres of `point`: all who are
    /// near and some who are not.
    #[inline]
    pub fn for_each_slot_around(&self, point: Vec2, radius: f32, mut visit: impl FnMut(usize)) {
        let low = (point - radius - self.origin) / self.cell;
        let high = (point + radius - self.origin) / self.cell;
        let (first, last) = ((low.x as i32).max(0), (high.x as i32).min(self.columns - 1));
        if first > last {
            return;
        }
        for row in (low.y as i32).max(0)..=(high.y as i32).min(self.rows - 1) {
            let start = self.starts[(row * self.columns + first) as usize] as usize;
            let end = self.starts[(row * self.columns + last) as usize + 1] as usize;
            (start..end).for_each(&mut visit);
        }
    }

    /// The positions in the order of [`Self::agents`].
    pub fn sorted_positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// The agents in the order of their cells, which keeps neighbours near in memory.
    pub fn agents(&self) -> &[u32] {
        &self.agents
    }
}

/// The agents nearest to a point, nearest first, without allocation.
///
/// Sorting a dozen numbers by insertion is mostly mispredicted branches. Here each number's place is counted: the
/// number of smaller ones, which is arithmetic on many at a time.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Bits of the squared distances: numbers that are not negative come in the order of their bits.
    squared: [i32; Self::CANDIDATES],
    slots: [u32; Self::CANDIDATES],
    candidates: usize,
    /// Candidates from the nearest on.
    order: [u8; Self::CANDIDATES],
    count: usize,
}

impl Default for Nearest {
    fn default() -> Self {
        Self {
            squared: [0; Self::CANDIDATES],
            slots: [0; Self::CANDIDATES],
            candidates: 0,
            order: [0; Self::CANDIDATES],
            count: 0,
        }
    }
}

impl Nearest {
    /// No more agents than this are ever kept.
    pub const CAPACITY: usize = 32;
    /// So many are collected before the farthest are thrown away.
    const CANDIDATES: usize = 96;
    const FREE: u8 = u8::MAX;

    /// Throws away all but the nearest of a full list, and returns how many are left.
    #[cold]
    fn thin_out(&mut self) -> usize {
        self.candidates = Self::CANDIDATES;
        self.select(Self::CAPACITY);
        let kept: Vec<(usize, f32)> = self.iter().collect();
        for (index, &(slot, squared)) in kept.iter().enumerate() {
            (self.slots[index], self.squared[index]) = (slot as u32, squared.to_bits() as i32);
        }
        kept.len()
    }

    /// Sorts the candidates and keeps the nearest `most`.
    #[inline]
    fn select(&mut self, most: usize) {
        let padded = self.candidates.next_multiple_of(WIDE);
        self.squared[self.candidates..padded].fill(i32::MAX);
        self.order[..padded].fill(Self::FREE);
        let (squared, order) = (&self.squared[..padded], &mut self.order[..padded]);
        for (candidate, &own) in squared[..self.candidates].iter().enumerate() {
            let mut smaller = [0i32; WIDE];
            for some in squared.chunks_exact(WIDE) {
                for (smaller, other) in smaller.iter_mut().zip(some) {
                    // The sign of the difference, as a number: comparisons would be taken apart bit by bit.
                    *smaller -= (*other - own) >> 31;
                }
            }
            let mut place = smaller.iter().sum::<i32>() as usize;
            // Equal numbers count the same: they line up.
            while order[place] != Self::FREE {
                place += 1;
            }
            order[place] = candidate as u8;
        }
        self.count = self.candidates.min(most);
    }

    /// Slot and squared distance of each agent, nearest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.order[..self.count].iter().map(|&candidate| {
            let candidate = usize::from(candidate);
            (self.slots[candidate] as usize, f32::from_bits(self.squared[candidate] as u32))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_exactly_who_is_near(
            points in prop::collection::vec((-40.0f32..40.0, -40.0f32..40.0), 0..120),
            x in -60.0f32..60.0, y in -60.0f32..60.0, radius in 0.0f32..30.0, cell in 0.3f32..10.0,
        ) {
            let positions: Vec<Vec2> = points.into_iter().map(Vec2::from).collect();
            let mut grid = NeighbourGrid::default();
            grid.rebuild(&positions, cell);
            let centre = Vec2::new(x, y);
            let mut found = Vec::new();
            grid.for_each_within(centre, radius, |agent, _, _| found.push(agent));
            found.sort_unstable();
            let near = |agent: &u32| positions[*agent as usize].distance_squared(centre) <= radius * radius;
            let expected: Vec<u32> = (0..positions.len() as u32).filter(near).collect();
            prop_assert_eq!(found, expected);
        }
    }

    proptest! {
        #[test]
        fn finds_exactly_the_nearest(
            points in prop::collection::vec((-40.0f32..40.0, -20.0f32..20.0), 1..120),
            x in -60.0f32..60.0, y in -60.0f32..60.0, radius in 0.0f32..60.0, cell in 0.3f32..10.0,
            most in 0usize..12, own in 0u32..120,
        ) {
            let positions: Vec<Vec2> = points.into_iter().map(Vec2::from).collect();
            let mut grid = NeighbourGrid::default();
            grid.rebuild(&positions, cell);
            let centre = Vec2::new(x, y);
            let mut nearest = Nearest::default();
            grid.nearest(centre, radius, most, own, &mut nearest);
            let found: Vec<(u32, usize)> = nearest.iter().map(|(slot, d)| (d.to_bits(), slot)).collect();
            let mut expected: Vec<(u32, usize)> = grid.sorted_positions().iter().enumerate()
                .filter(|(slot, _)| *slot != own as usize)
                .map(|(slot, p)| (p.distance_squared(centre).to_bits(), slot))
                .filter(|(d, _)| f32::from_bits(*d) <= radius * radius)
                .collect();
            expected.sort_unstable();
            expected.truncate(most);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_continent_between_two_agents_costs_little() {
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&[Vec2::ZERO, Vec2::splat(1e6)], 1.0);
        assert!(grid.starts.len() < 2000);
        let mut found = 0;
        grid.for_each_within(Vec2::ZERO, 5.0, |_, _, _| found += 1);
        assert_eq!(found, 1);
    }
}
