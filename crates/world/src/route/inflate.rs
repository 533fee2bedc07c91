//! Shrinks the ground to where the centre of a disc may be.

use crate::area::{Area, sides};
use crate::ground::Ground;
use crate::repair;
use glam::DVec2;
use std::f64::consts::PI;

/// Straight pieces that stand for a half circle around a corner.
const PIECES: usize = 8;

/// The areas where a disc of `radius` metres is free. Arcs are replaced by lines that touch them from outside, so
/// the areas are never too large; at a corner they are too small by at most 2 % of the radius.
pub(crate) fn free_areas(ground: &Ground, radius: f64) -> Vec<Area> {
    if radius <= 0.0 {
        return ground.areas().to_vec();
    }
    let extent = ground.bounds().min.abs().max(ground.bounds().max.abs()).max_element();
    // A hair more, so that way points rounded to single precision are free for the exact queries.
    let radius = radius + (extent + radius) * f64::from(f32::EPSILON) * 4.0;
    let capsules: Vec<Vec<DVec2>> = sides(ground.areas()).map(|(a, b)| capsule(a, b, radius)).collect();
    let blocked = repair::union(&capsules);
    let free: Vec<_> = ground.areas().iter().map(repair::area_to_geo).collect();
    let free = geo::MultiPolygon(free);
    let (areas, ..) = repair::from_geo(&geo::BooleanOps::difference(&free, &blocked));
    areas
}

/// A polygon around all points within `radius` of the segment: exact along it, outside the circles at its ends.
fn capsule(a: DVec2, b: DVec2, radius: f64) -> Vec<DVec2> {
    let along = (b - a).normalize_or(DVec2::X);
    let step = PI / PIECES as f64;
    // The corners of a polygon around a circle are farther out than the circle.
    let far = radius / libm::cos(step / 2.0);
    let cap = |centre: DVec2, start: DVec2| {
        (0..PIECES).map(move |i| {
            let (sin, cos) = libm::sincos(step * (i as f64 + 0.5));
            centre + DVec2::new(cos, sin).rotate(start) * far
        })
    };
    let right = -along.perp();
    let flank = |centre: DVec2, side: DVec2| std::iter::once(centre + side * radius);
    flank(b, right)
        .chain(cap(b, right))
        .chain(flank(b, -right))
        .chain(flank(a, -right))
        .chain(cap(a, -right))
        .chain(flank(a, right))
        .collect()
}
