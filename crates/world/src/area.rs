//! Areas of the plane as rings of vertices, in metres and double precision: what maps are built from.

use glam::{DVec2, Vec2};
use serde::Serialize;

/// A closed chain of vertices; the last joins the first, which is not repeated.
pub type Ring = Vec<DVec2>;

/// A connected area: its outline runs counter-clockwise, its holes clockwise, so that the area is on the left of
/// every side.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Area {
    /// The outline, counter-clockwise.
    pub outline: Ring,
    /// The holes, clockwise.
    pub holes: Vec<Ring>,
}

impl Area {
    /// An area without holes, oriented as it should be.
    pub fn solid(outline: Ring) -> Self {
        Self { outline: oriented(outline, true), holes: Vec::new() }
    }

    /// The outline, then the holes.
    pub fn rings(&self) -> impl Iterator<Item = &Ring> {
        std::iter::once(&self.outline).chain(&self.holes)
    }

    /// The size in square metres, holes left out.
    pub fn size(&self) -> f64 {
        self.rings().map(|ring| signed_size(ring)).sum()
    }
}

/// The sides of all rings of all areas, each from its start to its end, the area on the left.
pub fn sides(areas: &[Area]) -> impl Iterator<Item = (DVec2, DVec2)> {
    areas.iter().flat_map(Area::rings).flat_map(|ring| ring_sides(ring))
}

/// The sides of one ring.
pub fn ring_sides(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// The size enclosed by a ring in square metres, negative when it runs clockwise.
pub fn signed_size(ring: &[DVec2]) -> f64 {
    let Some(&origin) = ring.first() else { return 0.0 };
    ring_sides(ring).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum::<f64>() / 2.0
}

/// The length of a ring in metres.
pub fn perimeter(ring: &[DVec2]) -> f64 {
    ring_sides(ring).map(|(a, b)| a.distance(b)).sum()
}

/// The ring, reversed if need be to run counter-clockwise (or clockwise).
pub fn oriented(mut ring: Ring, counter_clockwise: bool) -> Ring {
    if (signed_size(&ring) > 0.0) != counter_clockwise {
        ring.reverse();
    }
    ring
}

/// Twice the signed size of the triangle a, b, c, with the right sign in every case: positive when c is on the left
/// of the line from a to b, 0 only when the three are exactly in line.
#[inline]
pub fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| robust::Coord { x: p.x, y: p.y };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// An axis-parallel box in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// The lower left corner.
    pub min: DVec2,
    /// The upper right corner.
    pub max: DVec2,
}

impl Bounds {
    /// The smallest box around the points, or none without points.
    pub fn of(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        points.into_iter().fold(None, |bounds: Option<Self>, p| {
            Some(bounds.map_or(Self { min: p, max: p }, |b| Self { min: b.min.min(p), max: b.max.max(p) }))
        })
    }

    /// The smallest box around the areas, or none without areas.
    pub fn of_areas(areas: &[Area]) -> Option<Self> {
        Self::of(areas.iter().flat_map(|area| area.outline.iter().copied()))
    }

    /// Width and height in metres.
    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// Whether the box, borders included, holds the point.
    pub fn contains(&self, point: Vec2) -> bool {
        let p = point.as_dvec2();
        p.cmpge(self.min).all() && p.cmple(self.max).all()
    }
}
