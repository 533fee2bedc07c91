//! Mends outlines whose meaning is clear, says what it did, and refuses the others.

use crate::area::{Area, Bounds, Ring, oriented, perimeter, signed_size};
use crate::error::Fault;
use geo::{BooleanOps, Coord, LineString, MultiPolygon, Polygon, unary_union};
use glam::DVec2;
use serde::Serialize;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::fmt;

/// No more vertices than this in one map.
pub const MAX_VERTICES: usize = 1_000_000;
/// No coordinate farther from the origin than this, in metres: more than the girth of the Earth.
const MAX_COORDINATE: f64 = 1e8;
/// No map wider than this, in metres: single precision still tells centimetres apart.
const MAX_EXTENT: f64 = 100_000.0;
/// Beyond this distance from the origin, in metres, coordinates are moved to a local origin: within it single
/// precision tells half a millimetre apart.
const RECENTRE_BEYOND: f64 = 4096.0;
/// Vertices nearer to each other than this, in metres, are one vertex.
const SAME_VERTEX: f64 = 1e-4;
/// Floors and obstacles thinner than this on average, in metres, are slivers.
const SLIVER_WIDTH: f64 = 1e-3;

/// A polygon as a file gives it: an outline, then holes; nothing is checked yet.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// What to call it in messages, such as "polygon 2".
    pub name: String,
    /// The rings, each with or without its first vertex repeated at the end.
    pub rings: Vec<Vec<DVec2>>,
    /// Whether rings must repeat their first vertex at the end, as WKT and GeoJSON demand.
    pub closed: bool,
}

impl Outline {
    /// A polygon without holes, made by a program.
    pub fn solid(name: impl Into<String>, ring: Vec<DVec2>) -> Self {
        Self { name: name.into(), rings: vec![ring], closed: false }
    }

    fn place(&self, ring: usize) -> String {
        match ring {
            0 => self.name.clone(),
            hole => format!("{}, hole {hole}", self.name),
        }
    }
}

/// Something that was mended in a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the text of `Display` says what the fields are")]
pub enum Repair {
    Recentred { x: f64, y: f64 },
    ClosedRing { place: String },
    MergedVertices { place: String, count: usize },
    RemovedSpikes { place: String, count: usize },
    DroppedSlivers { count: usize, size: f64 },
    JoinedFloors { before: usize, after: usize },
    CutOverlaps { obstacles: usize, holes: usize },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recentred { x, y } => write!(f, "moved the far-away origin to ({x}, {y})"),
            Self::ClosedRing { place } => write!(f, "{place}: closed the open ring"),
            Self::MergedVertices { place, count } => write!(f, "{place}: merged {count} repeated vertices"),
            Self::RemovedSpikes { place, count } => write!(f, "{place}: removed {count} spikes of no width"),
            Self::DroppedSlivers { count, size } => {
                write!(f, "dropped {count} slivers ({size:.2e} m² together)")
            }
            Self::JoinedFloors { before, after } => write!(f, "joined {before} floor polygons into {after}"),
            Self::CutOverlaps { obstacles, holes } => {
                write!(f, "cut {obstacles} obstacles out of the floor, which leaves {holes} holes")
            }
        }
    }
}

/// Checks every coordinate and the number of vertices.
pub(crate) fn check_coordinates<'a>(outlines: impl Iterator<Item = &'a Outline>) -> Result<(), Fault> {
    let mut count = 0;
    for outline in outlines {
        for (r, ring) in outline.rings.iter().enumerate() {
            count += ring.len();
            for (v, p) in ring.iter().enumerate() {
                let (place, vertex) = (|| outline.place(r), v + 1);
                if !p.is_finite() {
                    return Err(Fault::NotFinite { place: place(), vertex, x: p.x, y: p.y });
                }
                if p.abs().max_element() > MAX_COORDINATE {
                    return Err(Fault::TooFar { place: place(), vertex, x: p.x, y: p.y });
                }
            }
        }
    }
    if count > MAX_VERTICES {
        return Err(Fault::TooManyVertices { count, limit: MAX_VERTICES });
    }
    Ok(())
}

/// The local origin for outlines with these bounds: the given one unless they are far from it.
pub(crate) fn local_origin(bounds: Bounds, repairs: &mut Vec<Repair>) -> Result<DVec2, Fault> {
    let extent = bounds.size().max_element();
    if extent > MAX_EXTENT {
        return Err(Fault::TooWide { extent, limit: MAX_EXTENT });
    }
    if bounds.min.abs().max(bounds.max.abs()).max_element() <= RECENTRE_BEYOND {
        return Ok(DVec2::ZERO);
    }
    let origin = bounds.min.floor();
    repairs.push(Repair::Recentred { x: origin.x, y: origin.y });
    Ok(origin)
}

/// The tidy rings of an outline about `origin`: no repeated vertices, no spikes, not crossing themselves. Rings that
/// enclose nothing are left out.
pub(crate) fn tidy(outline: &Outline, origin: DVec2, repairs: &mut Vec<Repair>) -> Result<Vec<Ring>, Fault> {
    let mut rings = Vec::with_capacity(outline.rings.len());
    for (r, raw) in outline.rings.iter().enumerate() {
        let place = || outline.place(r);
        let closes = raw.len() > 1 && raw.first() == raw.last();
        if outline.closed && !closes && raw.len() >= 3 {
            repairs.push(Repair::ClosedRing { place: place() });
        }
        let open = &raw[..raw.len() - usize::from(closes)];
        if open.len() < 3 {
            return Err(Fault::TooFewVertices { place: place(), count: open.len() });
        }
        // Single precision, as the queries see it: everything later agrees on the same coordinates.
        let local = open.iter().enumerate().map(|(v, p)| ((*p - origin).as_vec2().as_dvec2(), v));
        let mut ring: Vec<(DVec2, usize)> = Vec::with_capacity(open.len());
        for (p, v) in local {
            if ring.last().is_none_or(|(q, _)| q.distance(p) > SAME_VERTEX) {
                ring.push((p, v));
            }
        }
        while ring.len() > 1 && ring[0].0.distance(ring[ring.len() - 1].0) <= SAME_VERTEX {
            ring.pop();
        }
        if ring.len() < open.len() {
            repairs.push(Repair::MergedVertices { place: place(), count: open.len() - ring.len() });
        }
        let spikes = remove_spikes(&mut ring);
        if spikes > 0 {
            repairs.push(Repair::RemovedSpikes { place: place(), count: spikes });
        }
        let points: Ring = ring.iter().map(|(p, _)| *p).collect();
        if points.len() < 3 {
            repairs.push(Repair::DroppedSlivers { count: 1, size: 0.0 });
            if r == 0 {
                return Ok(Vec::new());
            }
            continue;
        }
        if let Err(side) = check_simple(std::slice::from_ref(&points)) {
            let (p, v) = ring[side];
            return Err(Fault::SelfCrossing {
                place: place(),
                vertex: v + 1,
                x: p.x + origin.x,
                y: p.y + origin.y,
            });
        }
        rings.push(oriented(points, r == 0));
    }
    Ok(rings)
}

/// Removes vertices where the outline turns back on itself (a, b, a), and says how many.
fn remove_spikes(ring: &mut Vec<(DVec2, usize)>) -> usize {
    let before = ring.len();
    let mut kept: Vec<(DVec2, usize)> = Vec::with_capacity(ring.len());
    for &vertex in ring.iter() {
        kept.push(vertex);
        while let [.., (a, _), _, (b, _)] = kept[..] {
            if a.distance(b) > SAME_VERTEX {
                break;
            }
            kept.truncate(kept.len() - 2);
        }
    }
    while kept.len() > 2 && kept[kept.len() - 2].0.distance(kept[0].0) <= SAME_VERTEX {
        kept.truncate(kept.len() - 2);
    }
    while kept.len() > 2 && kept[kept.len() - 1].0.distance(kept[1].0) <= SAME_VERTEX {
        kept.remove(0);
        kept.pop();
    }
    *ring = kept;
    before - ring.len()
}

/// Checks that no two sides of the rings cross. The error is the number of a side that crosses an earlier one,
/// counted through all rings. `Ok(true)` means that the rings do not even touch.
fn check_simple(rings: &[Ring]) -> Result<bool, usize> {
    let corners: Vec<Point2<f64>> = rings.iter().flatten().map(|p| Point2::new(p.x, p.y)).collect();
    let count = corners.len();
    let Ok(mut mesh) = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(corners, Vec::new())
    else {
        // Coordinates were checked before; spade refuses only those that are not finite or extreme.
        return Err(0);
    };
    let positions: Vec<Point2<f64>> = mesh.vertices().map(|v| v.position()).collect();
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    let key = |p: Point2<f64>| (p.x, p.y);
    let compare = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
    order.sort_unstable_by(|a, b| compare(key(positions[*a as usize]), key(positions[*b as usize])));
    let handle = |p: DVec2| {
        // Adding 0 turns −0 into 0, which the total order would tell apart.
        let wanted = (p.x + 0.0, p.y + 0.0);
        order
            .binary_search_by(|i| {
                let q = positions[*i as usize];
                compare((q.x + 0.0, q.y + 0.0), wanted)
            })
            .ok()
            .map(|i| FixedVertexHandle::from_index(order[i] as usize))
    };
    let mut side = 0;
    for ring in rings {
        for (a, b) in crate::area::ring_sides(ring) {
            if let (Some(a), Some(b)) = (handle(a), handle(b))
                && a != b
            {
                if !mesh.can_add_constraint(a, b) {
                    return Err(side);
                }
                mesh.add_constraint(a, b);
            }
            side += 1;
        }
    }
    Ok(positions.len() == count && mesh.num_constraints() == count)
}

fn to_geo(ring: &Ring) -> Polygon<f64> {
    let line: LineString<f64> = ring.iter().map(|p| Coord { x: p.x, y: p.y }).collect();
    Polygon::new(line, Vec::new())
}

/// The area with its holes.
pub(crate) fn area_to_geo(area: &Area) -> Polygon<f64> {
    let line = |ring: &Ring| to_geo(ring).into_inner().0;
    Polygon::new(line(&area.outline), area.holes.iter().map(line).collect())
}

/// The union of simple rings.
pub(crate) fn union(rings: &[Ring]) -> MultiPolygon<f64> {
    let polygons: Vec<Polygon<f64>> = rings.iter().map(to_geo).collect();
    unary_union(&polygons)
}

/// The areas of a set operation's result, without slivers. Says how many slivers there were, and their size.
pub(crate) fn from_geo(result: &MultiPolygon<f64>) -> (Vec<Area>, usize, f64) {
    let ring = |line: &LineString<f64>| -> Ring {
        let mut ring: Ring = line.0.iter().map(|c| DVec2::new(c.x, c.y)).collect();
        ring.dedup();
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        ring
    };
    let is_sliver =
        |ring: &Ring| ring.len() < 3 || signed_size(ring).abs() < SLIVER_WIDTH * perimeter(ring) / 2.0;
    let (mut slivers, mut size) = (0, 0.0);
    let mut areas = Vec::new();
    for polygon in &result.0 {
        let outline = ring(polygon.exterior());
        if is_sliver(&outline) {
            slivers += 1;
            size += signed_size(&outline).abs();
            continue;
        }
        let mut area = Area::solid(outline);
        for hole in polygon.interiors() {
            let hole = ring(hole);
            if is_sliver(&hole) {
                slivers += 1;
                size += signed_size(&hole).abs();
            } else {
                area.holes.push(oriented(hole, false));
            }
        }
        areas.push(area);
    }
    (areas, slivers, size)
}

/// The walkable areas: the union of the floors (each an outline and its holes), less the obstacles.
///
/// A single floor whose rings do not touch is taken as it is, to the last bit.
pub(crate) fn combine(floors: Vec<Vec<Ring>>, obstacles: Vec<Ring>, repairs: &mut Vec<Repair>) -> Vec<Area> {
    let mut floors: Vec<Vec<Ring>> = floors.into_iter().filter(|rings| !rings.is_empty()).collect();
    if floors.len() == 1 && obstacles.is_empty() && is_proper(&floors[0]) {
        let mut rings = floors.remove(0).into_iter();
        return rings.next().map(|outline| Area { outline, holes: rings.collect() }).into_iter().collect();
    }
    let before = floors.len();
    let given_holes: usize = floors.iter().map(|rings| rings.len() - 1).sum();
    let parts: Vec<MultiPolygon<f64>> = floors
        .iter()
        .map(|rings| {
            let outline = union(&rings[..1]);
            if rings.len() > 1 { outline.difference(&union(&rings[1..])) } else { outline }
        })
        .collect();
    let mut floor = match &parts[..] {
        [one] => one.clone(),
        many => unary_union(many),
    };
    if !obstacles.is_empty() {
        floor = floor.difference(&union(&obstacles));
    }
    let (mut areas, slivers, size) = from_geo(&floor);
    for ring in areas.iter_mut().flat_map(|area| std::iter::once(&mut area.outline).chain(&mut area.holes)) {
        for p in ring.iter_mut() {
            *p = p.as_vec2().as_dvec2();
        }
        ring.dedup();
    }
    if before > 1 {
        repairs.push(Repair::JoinedFloors { before, after: areas.len() });
    }
    let holes: usize = areas.iter().map(|area| area.holes.len()).sum();
    if holes != given_holes || !obstacles.is_empty() {
        repairs.push(Repair::CutOverlaps { obstacles: obstacles.len() + given_holes, holes });
    }
    if slivers > 0 {
        repairs.push(Repair::DroppedSlivers { count: slivers, size });
    }
    areas
}

/// Whether the rings are an outline with separate holes inside it.
fn is_proper(rings: &[Ring]) -> bool {
    if check_simple(rings) != Ok(true) {
        return false;
    }
    let Some((outline, holes)) = rings.split_first() else { return false };
    let contains = |ring: &Ring, p: DVec2| {
        crate::area::ring_sides(ring)
            .filter(|(a, b)| (a.y > p.y) != (b.y > p.y))
            .fold(false, |inside, (a, b)| inside != (p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x))
    };
    // Rings that do not touch are either nested or apart: one vertex decides.
    let total: usize = rings.iter().map(Vec::len).sum();
    if total * holes.len() > 50_000_000 {
        return false;
    }
    holes.iter().all(|hole| contains(outline, hole[0]))
        && holes
            .iter()
            .enumerate()
            .all(|(i, hole)| holes.iter().enumerate().all(|(j, other)| i == j || !contains(other, hole[0])))
}
