//! Bitmaps: white is walkable, black is blocked, grey is a likelihood (thesis appendix A.3).

use super::ReadOptions;
use super::trace::trace;
use crate::error::{Fault, WorldError};
use crate::ground::Ground;
use crate::layer::Layer;
use glam::Vec2;
use image::{ImageReader, Limits};
use std::io::Cursor;

/// No image is wider or higher than this, in pixels.
pub const MAX_IMAGE_SIDE: u32 = 8192;

/// Reads the ground from the bytes of an image. The south-west corner is the origin.
pub fn ground_from_bitmap(bytes: &[u8], options: &ReadOptions) -> Result<Ground, WorldError> {
    let layer = bitmap_layer(bytes, options.metres_per_pixel)?;
    let (width, height) = (layer.width as usize, layer.height as usize);
    let is_walkable = |x: usize, y: usize| layer.values[y * width + x] > options.blocked_grey;
    let areas = trace(width, height, options.metres_per_pixel, is_walkable)?;
    let is_grey = layer.values.iter().any(|v| *v > options.blocked_grey && *v < u8::MAX);
    let builder = Ground::builder().finished(areas);
    if is_grey { builder.likelihood(layer) } else { builder }.build()
}

/// Reads an image as a layer of grey values: a likelihood, or a painted region.
pub fn bitmap_layer(bytes: &[u8], metres_per_pixel: f64) -> Result<Layer, WorldError> {
    if !(metres_per_pixel.is_finite() && metres_per_pixel > 0.0) {
        return Err(Fault::BadPixelSize(metres_per_pixel).into());
    }
    let syntax = |message: String| Fault::Syntax { format: "image", message };
    let reader = || -> Result<_, WorldError> {
        let mut reader =
            ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| syntax(e.to_string()))?;
        let mut limits = Limits::default();
        // An image may claim any size in its first bytes; check before memory is given to it.
        limits.max_alloc = Some(u64::from(MAX_IMAGE_SIDE) * u64::from(MAX_IMAGE_SIDE) * 8);
        reader.limits(limits);
        Ok(reader)
    };
    let (width, height) = reader()?.into_dimensions().map_err(|e| syntax(e.to_string()))?;
    if width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE {
        return Err(Fault::ImageTooLarge { width, height, limit: MAX_IMAGE_SIDE }.into());
    }
    let image = reader()?.decode().map_err(|e| syntax(e.to_string()))?.into_luma8();
    let (width, height) = image.dimensions();
    let values = image.into_raw();
    let cell_size = metres_per_pixel as f32;
    Ok(Layer { width, height, cell_size, corner: Vec2::ZERO, slope: 1.0, intercept: 0.0, values })
}
