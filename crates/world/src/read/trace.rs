//! Traces the outlines of the walkable cells of a grid, exactly.

use crate::area::{Area, Ring, signed_size};
use crate::error::{Fault, WorldError};
use crate::repair::MAX_VERTICES;
use glam::DVec2;

/// The painted areas of a bitmap, exactly, with the south-west corner as their origin. Row 0 is the northernmost; a cell's
/// side is `cell_size` metres.
pub fn painted_areas(
    width: usize,
    height: usize,
    cell_size: f64,
    is_painted: impl Fn(usize, usize) -> bool,
) -> Result<Vec<Area>, WorldError> {
    if !(cell_size.is_finite() && cell_size > 0.0) {
        return Err(Fault::BadPixelSize(cell_size).into());
    }
    Ok(trace(width, height, cell_size, is_painted)?)
}

/// The connected walkable areas of a grid; cells that touch only in a corner are not connected. Row 0 is the
/// northernmost; vertices are whole multiples of `cell_size`.
pub(crate) fn trace(
    width: usize,
    height: usize,
    cell_size: f64,
    walkable: impl Fn(usize, usize) -> bool,
) -> Result<Vec<Area>, Fault> {
    // Rows counted from the south, so that y points north.
    let free = |x: i64, y: i64| {
        x >= 0
            && y >= 0
            && x < width as i64
            && y < height as i64
            && walkable(x as usize, height - 1 - y as usize)
    };
    let component = label(width, height, &free);
    let vertex = |x: i64, y: i64| DVec2::new(x as f64, y as f64) * cell_size;
    // Every ring has a side that runs east with a walkable cell north of it: the bottom of an outline, the top of a
    // hole. `done` marks those sides.
    let mut done = vec![false; width * (height + 1)];
    let mut rings: Vec<(u32, Ring)> = Vec::new();
    let mut vertices = 0;
    for start_y in 0..height as i64 {
        for start_x in 0..width as i64 {
            let is_side = free(start_x, start_y) && !free(start_x, start_y - 1);
            if !is_side || done[start_y as usize * width + start_x as usize] {
                continue;
            }
            let mut ring = Vec::new();
            let (mut x, mut y, mut dx, mut dy) = (start_x, start_y, 1i64, 0i64);
            loop {
                if (dx, dy) == (1, 0) {
                    done[y as usize * width + x as usize] = true;
                }
                (x, y) = (x + dx, y + dy);
                // The cells ahead: on the left and on the right of the way from (x, y) along (dx, dy).
                let cell = |side_x: i64, side_y: i64| {
                    free((x * 2 + dx + side_x).div_euclid(2), (y * 2 + dy + side_y).div_euclid(2))
                };
                let left = cell(-dy, dx);
                let right = cell(dy, -dx);
                // Where two walkable cells touch in a corner, turning left stays with the cell we follow, so that
                // the two are not connected.
                let turn = if !left {
                    1
                } else if right {
                    -1
                } else {
                    0
                };
                if turn != 0 {
                    ring.push(vertex(x, y));
                    (dx, dy) = if turn > 0 { (-dy, dx) } else { (dy, -dx) };
                }
                if (x, y, dx, dy) == (start_x, start_y, 1, 0) {
                    break;
                }
            }
            vertices += ring.len();
            if vertices > MAX_VERTICES {
                return Err(Fault::TooManyVertices { count: vertices, limit: MAX_VERTICES });
            }
            rings.push((component[start_y as usize * width + start_x as usize], ring));
        }
    }
    let count = component.iter().filter(|c| **c != u32::MAX).max().map_or(0, |last| *last as usize + 1);
    let mut areas = vec![Area::default(); count];
    for (component, ring) in rings {
        let area = &mut areas[component as usize];
        if signed_size(&ring) > 0.0 {
            area.outline = ring;
        } else {
            area.holes.push(ring);
        }
    }
    Ok(areas)
}

/// The number of the connected component of each walkable cell, row by row from the south.
fn label(width: usize, height: usize, free: &impl Fn(i64, i64) -> bool) -> Vec<u32> {
    let mut component = vec![u32::MAX; width * height];
    let mut stack = Vec::new();
    let mut count = 0;
    for start in 0..width * height {
        let (x, y) = ((start % width) as i64, (start / width) as i64);
        if component[start] != u32::MAX || !free(x, y) {
            continue;
        }
        component[start] = count;
        stack.push((x, y));
        while let Some((x, y)) = stack.pop() {
            for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if free(x, y) {
                    let cell = &mut component[y as usize * width + x as usize];
                    if *cell == u32::MAX {
                        *cell = count;
                        stack.push((x, y));
                    }
                }
            }
        }
        count += 1;
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangles::Triangles;
    use proptest::prelude::*;

    #[test]
    fn cells_that_touch_in_a_corner_are_apart() {
        let rows = ["#.", ".#"];
        let areas = trace(2, 2, 1.0, |x, y| rows[y].as_bytes()[x] == b'.').unwrap();
        assert_eq!(areas.len(), 2);
        assert!(areas.iter().all(|area| area.size() == 1.0 && area.holes.is_empty()));
    }

    proptest! {
        #[test]
        fn size_and_walls_match_the_cells(cells in prop::collection::vec(any::<bool>(), 7 * 9)) {
            let walkable = |x: usize, y: usize| cells[y * 7 + x];
            let areas = trace(7, 9, 0.5, walkable).unwrap();
            let count = cells.iter().filter(|c| **c).count() as f64;
            prop_assert_eq!(areas.iter().map(Area::size).sum::<f64>(), count * 0.25);
            let triangles = Triangles::new(&areas);
            let size: f64 = (0..triangles.triangles.len()).map(|i| triangles.size(i)).sum();
            prop_assert!((size - count * 0.25).abs() < 1e-9);
        }
    }
}
