//! Which regions may hold a point, by a grid: a city has thousands of regions and people ask all the time.

use crate::area::Bounds;
use crate::region::Region;
use glam::Vec2;

/// The side of a cell in metres, where the regions are not too far apart for that.
const CELL: f32 = 8.0;

/// The most cells along a side.
const MOST_CELLS: f32 = 512.0;

/// Regions are taken to be this much larger, in metres: bounds are measured in double precision, points are not.
const MARGIN: f32 = 0.01;

/// For every cell of a grid the regions whose bounds reach into it, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionIndex {
    corner: Vec2,
    cell: f32,
    columns: usize,
    rows: usize,
    /// Where the list of each cell starts; one more than there are cells.
    starts: Vec<u32>,
    regions: Vec<u32>,
}

impl RegionIndex {
    pub(crate) fn new(regions: &[Region]) -> Self {
        let boxes: Vec<Option<(Vec2, Vec2)>> = regions.iter().map(bounds).collect();
        let everything = boxes.iter().flatten().copied().reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let Some((low, high)) = everything else { return Self::default() };
        let size = high - low;
        let cell = CELL.max(size.max_element() / MOST_CELLS);
        let mut index = Self {
            corner: low,
            cell,
            columns: (size.x / cell) as usize + 1,
            rows: (size.y / cell) as usize + 1,
            ..Self::default()
        };
        let mut lists = vec![Vec::new(); index.columns * index.rows];
        for (number, found) in boxes.iter().enumerate() {
            let Some((low, high)) = found else { continue };
            let ((x0, y0), (x1, y1)) = (index.cell_of(*low), index.cell_of(*high));
            for row in y0..=y1 {
                for column in x0..=x1 {
                    lists[row * index.columns + column].push(number as u32);
                }
            }
        }
        index.starts.push(0);
        for list in lists {
            index.regions.extend(list);
            index.starts.push(index.regions.len() as u32);
        }
        index
    }

    /// The regions whose bounds may hold the point, in order.
    #[inline]
    pub(crate) fn near(&self, point: Vec2) -> &[u32] {
        let at = point - self.corner;
        let size = Vec2::new(self.columns as f32, self.rows as f32) * self.cell;
        if self.starts.is_empty() || !(at.cmpge(Vec2::ZERO) & at.cmple(size)).all() {
            return &[];
        }
        let (column, row) = self.cell_of(point);
        let cell = row * self.columns + column;
        &self.regions[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    fn cell_of(&self, point: Vec2) -> (usize, usize) {
        let at = ((point - self.corner) / self.cell).max(Vec2::ZERO);
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }
}

fn bounds(region: &Region) -> Option<(Vec2, Vec2)> {
    let (low, high) = match region.layer() {
        Some(layer) => {
            let size = Vec2::new(layer.width as f32, layer.height as f32) * layer.cell_size;
            (layer.corner, layer.corner + size)
        }
        None => {
            let bounds = Bounds::of_areas(region.areas())?;
            (bounds.min.as_vec2(), bounds.max.as_vec2())
        }
    };
    Some((low - MARGIN, high + MARGIN))
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Outline, Stream, rectangle};
    use glam::{DVec2, Vec2};

    #[test]
    fn the_index_finds_what_a_search_of_all_regions_finds() {
        let mut stream = Stream::new(3, 0);
        let floor = rectangle(DVec2::ZERO, DVec2::new(300.0, 90.0));
        let mut builder = Ground::builder().floor(Outline::solid("floor", floor));
        for index in 0..60 {
            let corner = DVec2::new(stream.unit() * 280.0, stream.unit() * 70.0);
            let size = DVec2::new(0.5 + stream.unit() * 18.0, 0.5 + stream.unit() * 18.0);
            builder = builder.region(
                format!("region {index}"),
                Outline::solid("region", rectangle(corner, corner + size)),
            );
        }
        let ground = builder.build().unwrap();
        let mut found = 0;
        for _ in 0..5000 {
            let point = Vec2::new(stream.unit() as f32 * 320.0 - 10.0, stream.unit() as f32 * 110.0 - 10.0);
            let all = ground.regions().iter().enumerate().filter(|(_, region)| region.contains(point));
            let all: Vec<usize> = all.map(|(index, _)| index).collect();
            assert_eq!(ground.regions_at(point).collect::<Vec<_>>(), all, "{point}");
            found += all.len();
        }
        assert!(found > 500);
        assert_eq!(ground.regions_at(Vec2::NAN).count(), 0);
    }
}
