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
        let place = ((position - self.origin) / self.cell).floor();
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

    /// The agents in the order of their cells, which keeps neighbours near in memory.
    pub fn agents(&self) -> &[u32] {
        &self.agents
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
