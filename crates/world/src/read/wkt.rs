//! Well-known text, the way users of JuPedSim write floor plans: polygons are floor, their holes are obstacles.

use crate::error::{Fault, WorldError};
use crate::ground::Ground;
use crate::repair::Outline;
use glam::DVec2;
use std::str::FromStr;
use wkt::Wkt;

/// Collections may be nested this deep; the parser goes one call deeper for each.
const MAX_DEPTH: usize = 32;

/// Reads the ground from well-known text.
pub fn ground_from_wkt(text: &str) -> Result<Ground, WorldError> {
    let builder = outlines_from_wkt(text)?
        .into_iter()
        .fold(Ground::builder(), |builder, outline| builder.floor(outline));
    builder.build()
}

/// The polygons of well-known text, unchecked.
pub fn outlines_from_wkt(text: &str) -> Result<Vec<Outline>, WorldError> {
    let syntax = |message: String| Fault::Syntax { format: "WKT", message };
    if text.trim().is_empty() {
        return Err(Fault::EmptyFile.into());
    }
    let mut depth = 0usize;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(syntax(format!("brackets are nested more than {MAX_DEPTH} deep")).into());
        }
    }
    let document = Wkt::<f64>::from_str(text.trim()).map_err(|e| syntax(e.to_string()))?;
    let mut outlines = Vec::new();
    collect(&document, &mut outlines)?;
    Ok(outlines)
}

fn collect(geometry: &Wkt<f64>, outlines: &mut Vec<Outline>) -> Result<(), Fault> {
    let number = outlines.len() + 1;
    let found = match geometry {
        Wkt::Polygon(polygon) => {
            outlines.extend(outline(polygon, number));
            return Ok(());
        }
        Wkt::MultiPolygon(many) => {
            for polygon in many.polygons() {
                let number = outlines.len() + 1;
                outlines.extend(outline(polygon, number));
            }
            return Ok(());
        }
        Wkt::GeometryCollection(many) => {
            return many.geometries().iter().try_for_each(|geometry| collect(geometry, outlines));
        }
        Wkt::Point(_) => "POINT",
        Wkt::LineString(_) => "LINESTRING",
        Wkt::MultiPoint(_) => "MULTIPOINT",
        Wkt::MultiLineString(_) => "MULTILINESTRING",
    };
    Err(Fault::NotAnArea { place: format!("geometry {number}"), found })
}

/// None for `POLYGON EMPTY`.
fn outline(polygon: &wkt::types::Polygon<f64>, number: usize) -> Option<Outline> {
    let rings: Vec<Vec<DVec2>> = polygon
        .rings()
        .iter()
        .map(|ring| ring.coords().iter().map(|c| DVec2::new(c.x, c.y)).collect())
        .collect();
    (!rings.is_empty()).then(|| Outline { name: format!("polygon {number}"), rings, closed: true })
}
