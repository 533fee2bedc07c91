//! GeoJSON in metres. A feature's `role` says what it is: `floor` (the default), `obstacle`, or `region`, which
//! needs a `name`.

use crate::error::{Fault, WorldError};
use crate::ground::{Ground, GroundBuilder};
use crate::repair::Outline;
use geojson::{Feature, GeoJson, Geometry, GeometryValue};
use glam::DVec2;

/// A floor plan narrower than this is more likely to be in degrees than in metres.
const MIN_EXTENT: f64 = 0.1;

/// Reads the ground from GeoJSON.
pub fn ground_from_geojson(text: &str) -> Result<Ground, WorldError> {
    let document: GeoJson = text
        .parse()
        .map_err(|e: geojson::Error| Fault::Syntax { format: "GeoJSON", message: e.to_string() })?;
    let mut builder = Ground::builder();
    match document {
        GeoJson::Geometry(geometry) => builder = add(builder, &geometry, "polygon 1", &Role::Floor)?,
        GeoJson::Feature(feature) => builder = add_feature(builder, &feature, 1)?,
        GeoJson::FeatureCollection(collection) => {
            for (i, feature) in collection.features.iter().enumerate() {
                builder = add_feature(builder, feature, i + 1)?;
            }
        }
    }
    let ground = builder.build()?;
    let extent = ground.bounds().size().max_element();
    if extent < MIN_EXTENT {
        return Err(Fault::TooSmall { extent }.into());
    }
    Ok(ground)
}

enum Role {
    Floor,
    Obstacle,
    Region(String),
}

fn add_feature(builder: GroundBuilder, feature: &Feature, number: usize) -> Result<GroundBuilder, Fault> {
    let property = |key: &str| feature.property(key).and_then(|value| value.as_str());
    let bad = |message: String| Fault::Syntax { format: "map", message };
    let name = property("name");
    let role = match property("role") {
        None | Some("floor") => Role::Floor,
        Some("obstacle") => Role::Obstacle,
        Some("region") => {
            let name = name.ok_or_else(|| bad(format!("feature {number} is a region without a `name`")))?;
            Role::Region(name.to_owned())
        }
        Some(other) => {
            return Err(bad(format!(
                "feature {number} has the role `{other}`; use `floor`, `obstacle` or `region`"
            )));
        }
    };
    let place = match name {
        Some(name) => format!("feature {number} “{name}”"),
        None => format!("feature {number}"),
    };
    match &feature.geometry {
        Some(geometry) => add(builder, geometry, &place, &role),
        None => Ok(builder),
    }
}

fn add(
    builder: GroundBuilder,
    geometry: &Geometry,
    place: &str,
    role: &Role,
) -> Result<GroundBuilder, Fault> {
    let found = match &geometry.value {
        GeometryValue::Polygon { coordinates } => {
            return add_polygon(builder, coordinates, place.into(), role);
        }
        GeometryValue::MultiPolygon { coordinates } => {
            return coordinates.iter().enumerate().try_fold(builder, |builder, (i, polygon)| {
                add_polygon(builder, polygon, format!("{place}, polygon {}", i + 1), role)
            });
        }
        GeometryValue::GeometryCollection { geometries } => {
            return geometries
                .iter()
                .try_fold(builder, |builder, geometry| add(builder, geometry, place, role));
        }
        GeometryValue::Point { .. } => "Point",
        GeometryValue::MultiPoint { .. } => "MultiPoint",
        GeometryValue::LineString { .. } => "LineString",
        GeometryValue::MultiLineString { .. } => "MultiLineString",
    };
    Err(Fault::NotAnArea { place: place.into(), found })
}

fn add_polygon(
    builder: GroundBuilder,
    polygon: &[Vec<geojson::Position>],
    name: String,
    role: &Role,
) -> Result<GroundBuilder, Fault> {
    if polygon.is_empty() {
        return Ok(builder);
    }
    let mut rings = Vec::with_capacity(polygon.len());
    for ring in polygon {
        let mut points = Vec::with_capacity(ring.len());
        for (v, position) in ring.iter().enumerate() {
            let [x, y, ..] = position.as_slice() else {
                return Err(Fault::NotFinite { place: name, vertex: v + 1, x: f64::NAN, y: f64::NAN });
            };
            points.push(DVec2::new(*x, *y));
        }
        rings.push(points);
    }
    let outline = Outline { name, rings, closed: true };
    Ok(match role {
        Role::Floor => builder.floor(outline),
        Role::Obstacle => builder.obstacle(outline),
        Role::Region(name) => builder.region(name.clone(), outline),
    })
}
