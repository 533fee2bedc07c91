//! Vehicles of a scene, from their tables.

use crate::build::Checker;
use crate::file::{Name, Point, SceneFile};
use crowdloom_crowd::Crowd;
use crowdloom_crowd::situation::Spot;
use crowdloom_crowd::vehicle::{Halt, Track, Vehicle};
use crowdloom_motion::FRAME_RATE;
use glam::{DVec2, Vec2};
use schemars::JsonSchema;
use serde::Deserialize;

/// A vehicle that drives along a way and stops by a timetable.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VehicleTable {
    /// What it is called.
    #[schemars(with = "String")]
    pub name: Name,
    /// Its way: points in metres. It appears with its rear at the first and is gone at the last.
    pub way: Vec<Point>,
    /// Its length in metres.
    #[serde(default = "length")]
    pub length: f32,
    /// Its width in metres.
    #[serde(default = "width")]
    pub width: f32,
    /// How fast it drives, in metres a second.
    #[serde(default = "speed")]
    pub speed: f32,
    /// How many people it has room for; as many as fit without it.
    pub places: Option<usize>,
    /// Its stops, in the order of its way.
    #[serde(default)]
    pub stop: Vec<HaltTable>,
    /// The second in which it comes for the first time.
    #[serde(default)]
    pub first: f32,
    /// Seconds from one journey to the next; a single journey without it.
    pub every: Option<f32>,
}

fn length() -> f32 {
    9.0
}

fn width() -> f32 {
    2.6
}

fn speed() -> f32 {
    6.0
}

/// A stop of a vehicle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HaltTable {
    /// The point of the way where its middle stands.
    pub at: Point,
    /// Seconds that its doors stay open.
    #[serde(default = "seconds")]
    pub seconds: f32,
    /// The region where people get off.
    #[schemars(with = "Option<String>")]
    pub region: Option<Name>,
}

fn seconds() -> f32 {
    12.0
}

/// Distance of the places in a vehicle, in metres.
const PLACE_STEP: f32 = 0.8;

/// Adds all vehicles to the crowd.
pub fn build_vehicles(scene: &SceneFile, crowd: &mut Crowd, checker: &mut Checker<'_>) {
    for table in &scene.vehicle {
        checker.here = Some(checker.line_of(&table.name));
        let ground = crowd.setting().ground.clone();
        let local = |[x, y]: Point| ground.to_local(DVec2::new(x, y));
        let span = Some(table.name.span());
        let name = table.name.get_ref();
        if table.length < table.width {
            let what = format!("vehicle `{name}` is wider than long");
            checker.problem(span.clone(), what, "let its `length` be at least its `width`");
            crowd.add_vehicle(nowhere(name));
            continue;
        }
        let Some(track) = Track::new(table.way.iter().map(|&point| local(point)).collect()) else {
            let what = format!("vehicle `{name}` has no way");
            checker.problem(span, what, "give at least two points `way = [[x, y], …]`");
            crowd.add_vehicle(nowhere(name));
            continue;
        };
        if track.length() < table.length {
            let what = format!("vehicle `{name}` is longer than its way");
            checker.problem(span.clone(), what, "give a longer way");
        }
        let mut vehicle = Vehicle::new(name.clone(), track, table.length, table.width);
        vehicle.speed = table.speed;
        vehicle.first = (table.first * FRAME_RATE) as u32;
        vehicle.every = table.every.map(|seconds| (seconds * FRAME_RATE) as u32);
        for halt in &table.stop {
            let along = vehicle.track.nearest(local(halt.at)) + 0.5 * table.length;
            let region = halt.region.as_ref();
            let region = region.and_then(|name| checker.regions(&ground, scene, name).first().copied());
            let before = vehicle.halts.last().map_or(table.length, |halt: &Halt| halt.along);
            if along < before || along > vehicle.track.length() {
                let what = format!("the stops of vehicle `{name}` are not in the order of its way");
                checker.problem(span.clone(), what, "each stop comes after the one before, on the way");
            }
            vehicle.halts.push(Halt { along, frames: (halt.seconds * FRAME_RATE) as u32, region });
        }
        vehicle.places = places(table);
        if vehicle.places.len() < table.places.unwrap_or(0) {
            let what = format!("vehicle `{name}` has room for {}", vehicle.places.len());
            checker.warning(span, what, "make it longer or wider, or give fewer `places`");
        }
        crowd.add_vehicle(vehicle);
    }
}

/// Stands in for a vehicle that cannot be built, so that others keep their numbers.
fn nowhere(name: &str) -> Vehicle {
    let track = Track::new(vec![Vec2::ZERO, Vec2::X]).expect("a metre is long enough");
    Vehicle::new(name, track, 1.0, 1.0)
}

/// Places in rows across the vehicle, as far from its ends and sides as a body needs, the rear ones first.
fn places(table: &VehicleTable) -> Vec<Spot> {
    const ROOM: f32 = 0.85;
    let (half_length, half_width) =
        (0.5 * table.length - ROOM, 0.5 * table.width - ROOM.min(0.5 * table.width));
    let count = |half: f32| (2.0 * half / PLACE_STEP) as usize + 1;
    let (columns, rows) = (count(half_length.max(0.0)), count(half_width.max(0.0)));
    let middle = |index: usize, count: usize| (index as f32 - (count - 1) as f32 * 0.5) * PLACE_STEP;
    let all = (0..columns).flat_map(|column| {
        (0..rows).map(move |row| Spot {
            at: Vec2::new(middle(column, columns), middle(row, rows)),
            facing: Vec2::X,
        })
    });
    all.take(table.places.unwrap_or(usize::MAX)).collect()
}

/// The index of the vehicle of that name; a mistake is noted where there is none.
pub fn find_vehicle(scene: &SceneFile, name: &Name, checker: &mut Checker<'_>) -> Option<usize> {
    let found = scene.vehicle.iter().position(|vehicle| vehicle.name.get_ref() == name.get_ref());
    if found.is_none() {
        checker.unknown("vehicle", name, scene.vehicle.iter().map(|vehicle| vehicle.name.get_ref().as_str()));
    }
    found
}
