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

/// At most this many cells for each agent: a few agents far apart must not cost a continent of cells.
const CELLS_PER_AGENT: usize = 4;

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
        self.cell = cell;
        let most = (positions.len() * CELLS_PER_AGENT).max(1024) as f32;
        loop {
            let extent = ((high - low) / self.cell).floor() + 1.0;
            if extent.x * extent.y <= most {
                (self.columns, self.rows) = (extent.x as i32, extent.y as i32);
                break;
            }
            self.cell *= 1.5;
        }
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
    /// The search starts with the few cells around the point and widens them until no unseen agent can be nearer.
    pub fn nearest(&self, point: Vec2, radius: f32, most: usize, own: u32, found: &mut Nearest) {
        found.count = 0;
        let most = most.min(Nearest::CAPACITY);
        if most == 0 || self.agents.is_empty() {
            return;
        }
        let place = (point - self.origin) / self.cell;
        let column = (place.x as i32).clamp(0, self.columns - 1);
        let row = (place.y as i32).clamp(0, self.rows - 1);
        let run = |row: i32, from: i32, to: i32| {
            let (from, to) = (from.max(0), to.min(self.columns - 1));
            if row < 0 || row >= self.rows || from > to {
                return 0..0;
            }
            let start = self.starts[(row * self.columns + from) as usize] as usize;
            start..self.starts[(row * self.columns + to) as usize + 1] as usize
        };
        let around: usize = (row - 1..=row + 1).map(|row| run(row, column - 1, column + 1).len()).sum();
        // Twice `most` in nine cells is most in the circle inside of them, more or less.
        let mut reach = if around > 2 * most { 1 } else { 2 };
        let mut limit = radius * radius;
        for row in row - reach..=row + reach {
            self.scan(run(row, column - reach, column + reach), point, most, own, &mut limit, found);
        }
        let farthest = self.columns.max(self.rows);
        loop {
            // Everybody within this distance has been seen.
            let corner = self.origin + Vec2::new((column - reach) as f32, (row - reach) as f32) * self.cell;
            let side = (2 * reach + 1) as f32 * self.cell;
            let seen = (point - corner).min(corner + side - point).min_element();
            if (seen > 0.0 && seen * seen >= limit) || reach > farthest {
                return;
            }
            reach += 1;
            for ring in [row - reach, row + reach] {
                self.scan(run(ring, column - reach, column + reach), point, most, own, &mut limit, found);
            }
            for row in row - reach + 1..row + reach {
                self.scan(run(row, column - reach, column - reach), point, most, own, &mut limit, found);
                self.scan(run(row, column + reach, column + reach), point, most, own, &mut limit, found);
            }
        }
    }

    #[inline]
    fn scan(
        &self,
        slots: std::ops::Range<usize>,
        point: Vec2,
        most: usize,
        own: u32,
        limit: &mut f32,
        found: &mut Nearest,
    ) {
        let first = slots.start;
        for (slot, position) in self.positions[slots].iter().enumerate() {
            let squared = position.distance_squared(point);
            let slot = (first + slot) as u32;
            if squared <= *limit && slot != own {
                found.insert(squared, slot, most);
                if found.count == most {
                    *limit = found.farthest();
                }
            }
        }
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
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Squared distance in the upper half, slot in the lower: floats that are not negative sort like integers.
    keys: [u64; Self::CAPACITY],
    count: usize,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { keys: [0; Self::CAPACITY], count: 0 }
    }
}

impl Nearest {
    /// No more agents than this are ever kept.
    pub const CAPACITY: usize = 32;

    #[inline]
    fn insert(&mut self, squared: f32, slot: u32, most: usize) {
        let key = u64::from(squared.to_bits()) << 32 | u64::from(slot);
        let mut at = self.count;
        if self.count == most {
            at = most - 1;
            if key > self.keys[at] {
                return;
            }
        } else {
            self.count += 1;
        }
        while at > 0 && self.keys[at - 1] > key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
    }

    fn farthest(&self) -> f32 {
        f32::from_bits((self.keys[self.count - 1] >> 32) as u32)
    }

    /// Slot and squared distance of each agent, nearest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let split = |key: &u64| (*key as u32 as usize, f32::from_bits((key >> 32) as u32));
        self.keys[..self.count].iter().map(split)
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
