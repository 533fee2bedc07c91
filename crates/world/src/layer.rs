//! Painted layers: a grid of bytes laid over the ground.

use glam::Vec2;

/// A grid of bytes over the ground; row 0 is the northernmost, as in an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Cells from west to east.
    pub width: u32,
    /// Cells from north to south.
    pub height: u32,
    /// The side of a cell in metres.
    pub cell_size: f32,
    /// The south-west corner in metres.
    pub corner: Vec2,
    /// What a likelihood is of a value: slope · value / 255 + intercept, within 0 and 1 (thesis appendix A.3).
    pub slope: f32,
    /// The same.
    pub intercept: f32,
    /// One byte a cell, row by row from the north.
    pub values: Vec<u8>,
}

impl Layer {
    /// The value of the cell that holds `point`; none outside the layer.
    #[inline]
    pub fn value(&self, point: Vec2) -> Option<u8> {
        let at = (point - self.corner) / self.cell_size;
        if !(at.x >= 0.0 && at.y >= 0.0 && at.x < self.width as f32 && at.y < self.height as f32) {
            return None;
        }
        let row = self.height - 1 - (at.y as u32).min(self.height - 1);
        let column = (at.x as u32).min(self.width - 1);
        self.values.get(row as usize * self.width as usize + column as usize).copied()
    }

    /// The value at `point` as a likelihood, from 0 to 1: usually 0 for black and 1 for white; 0 outside.
    #[inline]
    pub fn likelihood(&self, point: Vec2) -> f32 {
        let likely = |value: u8| (self.slope * f32::from(value) / 255.0 + self.intercept).clamp(0.0, 1.0);
        self.value(point).map_or(0.0, likely)
    }

    /// The south-west corner of a cell in metres.
    pub fn cell_corner(&self, column: u32, row: u32) -> Vec2 {
        self.corner
            + Vec2::new(column as f32, (self.height - 1 - row.min(self.height - 1)) as f32) * self.cell_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_the_north() {
        let layer = Layer {
            width: 2,
            height: 2,
            cell_size: 0.5,
            corner: Vec2::new(10.0, 20.0),
            slope: 1.0,
            intercept: 0.0,
            values: vec![0, 51, 102, 255],
        };
        assert_eq!(layer.value(Vec2::new(10.1, 20.9)), Some(0));
        assert_eq!(layer.value(Vec2::new(10.9, 20.9)), Some(51));
        assert_eq!(layer.value(Vec2::new(10.9, 20.1)), Some(255));
        assert_eq!(layer.value(Vec2::new(11.0, 20.1)), None);
        assert_eq!(layer.value(Vec2::NAN), None);
        assert_eq!(layer.likelihood(Vec2::new(10.6, 20.6)), 0.2);
        let paler = Layer { slope: 0.5, intercept: 0.25, ..layer.clone() };
        assert_eq!(paler.likelihood(Vec2::new(10.6, 20.6)), 0.35);
        assert_eq!(paler.likelihood(Vec2::new(12.0, 20.6)), 0.0);
        assert_eq!(layer.cell_corner(1, 0), Vec2::new(10.5, 20.5));
    }
}
