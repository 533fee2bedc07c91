//! What stands at the start and at the end of a run file, as JSON.

use super::appearances::Appearance;
use super::edits::EditEntry;
use super::parcels::Parcel;
use crowdloom_bodies::{Outfit, Told};
use crowdloom_gesture::Gesture;
use crowdloom_motion::{FRAME_RATE, Skeleton};
use crowdloom_world::{Area, Ground};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the contents that this build writes.
pub const VERSION: u32 = 5;

/// What a run is: all that frames refer to by number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the contents.
    pub version: u32,
    /// The program's version.
    pub program: String,
    /// The run's name.
    pub name: String,
    /// The seed that everything random followed from.
    pub seed: u64,
    /// The scene's text.
    pub scene: String,
    /// Frames in a second.
    pub frame_rate: f32,
    /// Frames from one recorded frame to the next.
    pub stride: u32,
    /// Radius of the disc that an agent claims, in metres.
    pub radius: f32,
    /// The ground.
    pub ground: GroundShape,
    /// The joints of every body.
    pub skeleton: Skeleton,
    /// Clips by number.
    pub clips: Vec<ClipEntry>,
    /// Styles by number.
    pub styles: Vec<String>,
    /// States by number.
    pub states: Vec<String>,
    /// Lines through which the flow is of interest.
    pub lines: Vec<Line>,
    /// Signals by number.
    pub signals: Vec<Signal>,
    /// Vehicles by number.
    pub vehicles: Vec<VehicleShape>,
    /// Things that stand about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub props: Vec<Prop>,
    /// Walls with heights of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<Wall>,
    /// What floors, houses and blocks are drawn of, each an outline and its holes, in metres; the ground's areas where it is empty.
    /// Things, walls and doors are no holes in it: they are drawn as themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floor: Vec<Vec<Vec<[f64; 2]>>>,
    /// Named cameras.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<Camera>,
    /// What people wear besides what comes with the program, and what stands behind them.
    #[serde(default, skip_serializing_if = "Staging::is_plain")]
    pub staging: Staging,
}

/// What people wear besides what comes with the program, and what stands behind them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Staging {
    /// Outfits of the scene's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outfits: Vec<Outfit>,
    /// Gestures of the scene's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gestures: Vec<Gesture>,
    /// The hour of the day; bright day without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hour: Option<f32>,
    /// The user's own set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<SetModel>,
    /// Whether walls, floors and houses are not drawn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bare: bool,
}

/// A set of the user's own: a binary glTF file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetModel {
    /// The file's bytes in base 64.
    pub data: String,
    /// Where its origin is, in metres.
    pub at: [f32; 2],
    /// Radians by which it is turned to the left.
    pub heading: f32,
    /// How much larger it is drawn.
    pub scale: f32,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Staging {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// A camera: where it is and what it looks at, when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// How much it sees from the lower to the upper edge, in degrees.
    pub field_of_view: f32,
    /// The number of the person that it follows, from whom places are counted then: ahead, to the left, up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<u32>,
    /// Places in the order of time, at least one.
    pub keys: Vec<CameraKey>,
}

/// A place of a camera at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraKey {
    /// Seconds from the start.
    pub time: f32,
    /// Where it is, in metres.
    pub at: [f32; 3],
    /// What it looks at, in metres.
    pub look_at: [f32; 3],
}

/// A thing that stands about and is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prop {
    /// What it is: `bench`, `counter`, `lamp` …
    pub kind: String,
    /// Where its middle is, in metres.
    pub at: [f32; 2],
    /// Which way it faces, in radians.
    pub heading: f32,
    /// Its length across that way, width along it and height, in metres.
    pub size: [f32; 3],
}

/// An obstacle with a height of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Its corners, in metres.
    pub ring: Vec<[f32; 2]>,
    /// Its height in metres.
    pub height: f32,
}

/// A clip that frames may show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClipEntry {
    /// The clip's name.
    pub name: String,
    /// What it shows.
    pub labels: Vec<String>,
}

/// The ground's outlines, in metres.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundShape {
    /// The ground's origin in the map's own coordinates.
    pub origin: [f64; 2],
    /// Walkable areas: each an outline, then its holes.
    pub areas: Vec<Vec<Vec<[f64; 2]>>>,
    /// Named regions.
    pub regions: Vec<NamedRegion>,
}

/// A named part of the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedRegion {
    /// Its name.
    pub name: String,
    /// Its areas: each an outline, then its holes.
    pub areas: Vec<Vec<Vec<[f64; 2]>>>,
}

/// A named line on the ground, in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub from: [f32; 2],
    /// Where it ends.
    pub to: [f32; 2],
}

/// Something at a place that changes with time and that people heed: a light, a door, a tram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Where it is, in metres.
    pub at: [f32; 2],
    /// What its values mean, from 0 on.
    pub values: Vec<String>,
    /// Of a door or another obstacle that comes and goes: its polygons in metres, there while the value is 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solid: Vec<Vec<[f64; 2]>>,
    /// Of such an obstacle: whether it is there at the start.
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
}

/// A vehicle that people can ride in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VehicleShape {
    /// Its name.
    pub name: String,
    /// Its length in metres.
    pub length: f32,
    /// Its width in metres.
    pub width: f32,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Whether it was stopped before its time.
    pub interrupted: bool,
    /// Different agents seen.
    pub agents: u32,
    /// Goals reached by all agents.
    pub arrivals: u64,
    /// Pairs of overlapping agents seen, where that was counted.
    pub overlaps: Option<u64>,
    /// How deep the deepest overlap was, in metres.
    #[serde(default)]
    pub deepest_overlap: f32,
    /// What was changed while it ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditEntry>,
    /// The numbers that those are drawn by who look otherwise than by their own, by agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub looks: BTreeMap<u32, u32>,
    /// How many times as large as their looks say those are drawn who are not as large, by agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sizes: BTreeMap<u32, f32>,
    /// What was told about agents' bodies and clothes, by agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub people: BTreeMap<u32, Told>,
    /// How those look when who came to look otherwise, by agent and then by time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appearances: Vec<Appearance>,
    /// Boxes that people carry about, and where each is from when on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parcels: Vec<Parcel>,
    /// The greatest number of an agent.
    #[serde(default)]
    pub last: u32,
}

impl Header {
    /// Seconds from one recorded frame to the next.
    pub fn record_time(&self) -> f32 {
        self.stride as f32 / self.frame_rate
    }

    /// A header with nothing but a skeleton and a ground.
    pub fn new(name: &str, seed: u64, skeleton: Skeleton, ground: &Ground) -> Self {
        Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            name: name.into(),
            seed,
            scene: String::new(),
            frame_rate: FRAME_RATE,
            stride: 1,
            radius: 0.25,
            ground: GroundShape::of(ground),
            skeleton,
            clips: Vec::new(),
            styles: Vec::new(),
            states: Vec::new(),
            lines: Vec::new(),
            signals: Vec::new(),
            vehicles: Vec::new(),
            props: Vec::new(),
            walls: Vec::new(),
            floor: Vec::new(),
            cameras: Vec::new(),
            staging: Staging::default(),
        }
    }

    /// Whether the joints come parents first and all numbers can be used.
    pub fn is_sound(&self) -> bool {
        Skeleton::new(self.skeleton.joints().to_vec()).is_ok()
            && self.frame_rate.is_finite()
            && self.frame_rate > 0.0
            && self.radius.is_finite()
            && self.radius > 0.0
            && (1..=1000).contains(&self.stride)
    }
}

impl GroundShape {
    /// The outlines of a ground.
    pub fn of(ground: &Ground) -> Self {
        let region = |region: &crowdloom_world::Region| NamedRegion {
            name: region.name.clone(),
            areas: region.areas().iter().map(rings).collect(),
        };
        Self {
            origin: ground.origin().to_array(),
            areas: ground.areas().iter().map(rings).collect(),
            regions: ground.regions().iter().map(region).collect(),
        }
    }

    /// Walkable areas as well-known text, in the map's own coordinates.
    pub fn to_wkt(&self) -> String {
        let polygon = |rings: &Vec<Vec<[f64; 2]>>| {
            let rings = rings.iter().map(|ring| {
                let closed = ring.iter().chain(ring.first());
                let points = closed.map(|[x, y]| format!("{} {}", x + self.origin[0], y + self.origin[1]));
                format!("({})", points.collect::<Vec<_>>().join(", "))
            });
            format!("({})", rings.collect::<Vec<_>>().join(", "))
        };
        match &self.areas[..] {
            [one] => format!("POLYGON {}", polygon(one)),
            many => {
                let parts: Vec<_> = many.iter().map(|area| format!("POLYGON {}", polygon(area))).collect();
                format!("GEOMETRYCOLLECTION ({})", parts.join(", "))
            }
        }
    }

    /// The corners of the box around the walkable areas, in metres.
    pub fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        let mut bounds = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in self.areas.iter().flatten().flatten() {
            for (axis, &value) in point.iter().enumerate() {
                bounds.0[axis] = bounds.0[axis].min(value);
                bounds.1[axis] = bounds.1[axis].max(value);
            }
        }
        if bounds.0[0] > bounds.1[0] { ([0.0; 2], [0.0; 2]) } else { bounds }
    }
}

/// The outline of an area, then its holes, rounded to a tenth of a millimetre.
fn rings(area: &Area) -> Vec<Vec<[f64; 2]>> {
    let round = |value: f64| (value * 1e4).round() / 1e4;
    area.rings().map(|ring| ring.iter().map(|p| [round(p.x), round(p.y)]).collect()).collect()
}
