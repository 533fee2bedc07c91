//! Grid maps in the format of the MovingAI benchmarks.

use super::trace::trace;
use crate::error::{Fault, WorldError};
use crate::ground::Ground;
use glam::Vec2;

/// No grid has more cells than this.
const MAX_CELLS: usize = 1 << 26;

/// A grid of walkable (`.`, `G`, `S`) and blocked (`@`, `O`, `T`, `W`) cells; row 0 is the northernmost.
#[derive(Clone, Debug, PartialEq)]
pub struct GridMap {
    /// Cells from west to east.
    pub width: usize,
    /// Cells from north to south.
    pub height: usize,
    walkable: Vec<bool>,
}

impl GridMap {
    /// Reads the text of a `.map` file.
    pub fn parse(text: &str) -> Result<Self, WorldError> {
        let bad = |line: usize, message: String| Fault::BadLine { line, message };
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_end()));
        let (mut width, mut height) = (None, None);
        loop {
            let (number, line) = lines.next().ok_or_else(|| Fault::Syntax {
                format: "grid map",
                message: "there is no `map` line".into(),
            })?;
            let mut words = line.split_whitespace();
            let size = |words: &mut std::str::SplitWhitespace<'_>| {
                words
                    .next()
                    .and_then(|word| word.parse::<usize>().ok())
                    .filter(|size| *size > 0)
                    .ok_or_else(|| bad(number, "expected a positive whole number".into()))
            };
            match words.next() {
                Some("type") | None => {}
                Some("width") => width = Some(size(&mut words)?),
                Some("height") => height = Some(size(&mut words)?),
                Some("map") => break,
                Some(other) => {
                    let message = format!("expected `type`, `height`, `width` or `map`, found `{other}`");
                    return Err(bad(number, message).into());
                }
            }
        }
        let missing =
            |what: &str| Fault::Syntax { format: "grid map", message: format!("there is no `{what}`") };
        let (width, height) =
            (width.ok_or_else(|| missing("width"))?, height.ok_or_else(|| missing("height"))?);
        if width.checked_mul(height).is_none_or(|cells| cells > MAX_CELLS) {
            return Err(missing("size that fits into memory").into());
        }
        let mut walkable = Vec::with_capacity(text.len().min(width * height));
        for row in 0..height {
            let (number, line) = lines.next().ok_or_else(|| Fault::Syntax {
                format: "grid map",
                message: format!("there are {row} rows of cells instead of {height}"),
            })?;
            if line.len() != width {
                return Err(bad(number, format!("{} cells instead of {width}", line.len())).into());
            }
            for (column, cell) in line.bytes().enumerate() {
                walkable.push(match cell {
                    b'.' | b'G' | b'S' => true,
                    b'@' | b'O' | b'T' | b'W' => false,
                    other => {
                        let message =
                            format!("cell {}: `{}` is no kind of cell", column + 1, char::from(other));
                        return Err(bad(number, message).into());
                    }
                });
            }
        }
        Ok(Self { width, height, walkable })
    }

    /// Whether the cell is walkable; cells outside the grid are not.
    pub fn is_walkable(&self, column: usize, row: usize) -> bool {
        column < self.width && row < self.height && self.walkable[row * self.width + column]
    }

    /// The centre of a cell on the ground made with `cell_size` metres a cell.
    pub fn centre(&self, column: usize, row: usize, cell_size: f64) -> Vec2 {
        let (x, y) = (column as f64 + 0.5, self.height as f64 - row as f64 - 0.5);
        Vec2::new((x * cell_size) as f32, (y * cell_size) as f32)
    }

    /// The ground of the walkable cells, `cell_size` metres each. The south-west corner is the origin.
    pub fn ground(&self, cell_size: f64) -> Result<Ground, WorldError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(Fault::BadPixelSize(cell_size).into());
        }
        let areas = trace(self.width, self.height, cell_size, |x, y| self.is_walkable(x, y))?;
        Ground::builder().finished(areas).build()
    }
}
