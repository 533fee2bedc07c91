//! The scene file as it is written: TOML tables and their fields.

use crate::events::EventTable;
use crate::happenings::Given;
use crate::motion::MotionTable;
use crate::mover::Mover;
use crate::output::Output;
use crate::painted::Painted;
use crate::people::People;
use crate::places::{Facings, Places, Word};
use crate::rules::{Memory, SensorTable};
use crate::spread::SpreadTable;
use crate::styles::StylesTable;
use crate::term::Term;
use crate::vehicles::VehicleTable;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A name with its place in the file, for messages.
pub type Name = Spanned<String>;

/// A point on the ground, `[x, y]` in metres.
pub type Point = [f64; 2];

/// Least and most of something.
pub type Range = [f32; 2];

/// A scene: world, people, situations, scenario.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SceneFile {
    /// What the scene is called.
    pub name: String,
    /// What everything random follows from.
    #[serde(default = "one")]
    pub seed: u64,
    /// How long a run lasts, in seconds.
    #[serde(default = "sixty")]
    pub seconds: f32,
    /// Whether the scene starts as if it had been going on: wanderers walk in the first frame, and nobody stands like
    /// anybody else.
    #[serde(default = "yes")]
    pub warm_up: bool,
    /// The ground.
    pub world: World,
    /// The motions of people.
    #[serde(default)]
    pub motion: MotionTable,
    /// Named places.
    #[serde(default)]
    pub region: Vec<Region>,
    /// People.
    #[serde(default)]
    pub people: Vec<People>,
    /// Signals.
    #[serde(default)]
    pub signal: Vec<Signal>,
    /// Stops of the scenario.
    #[serde(default)]
    pub stop: Vec<Stop>,
    /// Situations.
    #[serde(default)]
    pub situation: Vec<Situation>,
    /// Vehicles.
    #[serde(default)]
    pub vehicle: Vec<VehicleTable>,
    /// Rows and columns in which shapes are pasted, by name.
    #[serde(default)]
    pub block: BTreeMap<String, Repeat>,
    /// What to write.
    #[serde(default)]
    pub output: Output,
    /// Where, when and how planned people have to be.
    #[serde(default)]
    pub constraint: Vec<Constraint>,
    /// How their motions are searched for.
    #[serde(default)]
    pub synthesis: crate::synthesis::Synthesis,
    /// How people weigh what to do next.
    #[serde(default)]
    pub scheme: crate::scheme::SchemeTable,
    /// Motion styles.
    pub styles: Option<StylesTable>,
    /// Doors.
    #[serde(default)]
    pub door: Vec<Door>,
    /// Things that are drawn.
    #[serde(default)]
    pub prop: Vec<crate::prop::Prop>,
    /// Cameras for the page and for films.
    #[serde(default)]
    pub camera: Vec<crate::camera::Camera>,
    /// What all people are like of whom their own table says nothing else.
    #[serde(default)]
    pub population: crate::prop::Population,
    /// Outfits of the scene's own.
    #[serde(default)]
    pub outfit: Vec<crate::staging::OutfitTable>,
    /// What stands behind the crowd, and the light.
    #[serde(default)]
    pub set: crate::staging::SetTable,
    /// What happens at given times.
    #[serde(default)]
    pub event: Vec<EventTable>,
    /// How much of it was there before events brought more.
    #[serde(skip)]
    #[schemars(skip)]
    pub given: Given,
    /// What people were once called who are steered: `people` with a `mover`.
    #[serde(default)]
    #[schemars(skip)]
    pub walker: Vec<toml::Table>,
    /// What people were once called whose motion is planned: `people` with `mover = "planned"`.
    #[serde(default)]
    #[schemars(skip)]
    pub person: Vec<toml::Table>,
}

fn one() -> u64 {
    1
}

fn yes() -> bool {
    true
}

fn sixty() -> f32 {
    60.0
}

/// The ground: one of `map`, `city` or `floor`, with obstacles.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct World {
    /// A map file beside the scene: WKT, GeoJSON, a bitmap or a MovingAI grid.
    #[schemars(with = "Option<String>")]
    pub map: Option<Name>,
    /// Metres in a pixel or grid cell of the map.
    pub metres_per_cell: Option<f64>,
    /// A generated city.
    pub city: Option<City>,
    /// The corners of the floor.
    pub floor: Option<Vec<Point>>,
    /// Obstacles on it.
    #[serde(default)]
    pub obstacle: Vec<Shape>,
    /// What is for vehicles: ways lead around it, and between roads (crosswalks), but for those of people in a hurry.
    #[serde(default)]
    pub road: Vec<Shape>,
    /// An image laid over the world that says where people like to walk: white is liked, black is never entered.
    pub likely: Option<Likely>,
    /// Places that the ways of planned people lead around although one can be there, such as seats.
    #[serde(default)]
    pub seat: Vec<Seat>,
}

/// An image of where people like to walk.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Likely {
    /// The image file beside the scene.
    #[schemars(with = "String")]
    pub image: Name,
    /// Metres in a pixel.
    pub metres_per_pixel: f64,
    /// The image's south-west corner.
    #[serde(default)]
    pub at: Point,
    /// A place is as likely as slope · grey + intercept, black being 0 and white 1, within 0 and 1 (thesis appendix A.3) [default: 1].
    pub slope: Option<f32>,
    /// The same [default: 0]; above 0 nothing is forbidden.
    pub intercept: Option<f32>,
}

/// A seat, or rows and columns of them.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Seat {
    /// Where it is.
    pub at: Point,
    /// Copies of it.
    pub repeat: Option<Repeat>,
}

/// A city of square blocks.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct City {
    /// Blocks a side.
    pub blocks: usize,
    /// Side of a block in metres.
    #[serde(default = "block")]
    pub block: f64,
    /// Width of a street in metres.
    #[serde(default = "street")]
    pub street: f64,
    /// Width of an alley in metres.
    #[serde(default = "alley")]
    pub alley: f64,
    /// Width of a sidewalk in metres: between two there is a road, with crosswalks at the corners.
    #[serde(default = "sidewalk")]
    pub sidewalk: f64,
}

fn sidewalk() -> f64 {
    crowdloom_world::City::default().sidewalk
}

fn block() -> f64 {
    40.0
}

fn street() -> f64 {
    12.0
}

fn alley() -> f64 {
    3.0
}

/// A shape on the ground: one of `rectangle`, `polygon` or `circle`, perhaps repeated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shape {
    /// What it is called, for events: an obstacle with a name can be taken away and put back.
    #[schemars(with = "Option<String>")]
    pub name: Option<Name>,
    /// `[x0, y0, x1, y1]` in metres.
    pub rectangle: Option<[f64; 4]>,
    /// Corners.
    pub polygon: Option<Vec<Point>>,
    /// `[x, y, radius]` in metres.
    pub circle: Option<[f64; 3]>,
    /// Copies of it in rows and columns.
    pub repeat: Option<Repeat>,
    /// Copies of it as one of the scene's blocks is pasted.
    pub block: Option<String>,
    /// How high an obstacle is drawn, in metres [default: houses, railings and blocks by size].
    pub height: Option<f32>,
}

/// Copies of something in rows and columns.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Repeat {
    /// Copies along x.
    pub columns: usize,
    /// Copies along y.
    pub rows: usize,
    /// Distance of the copies in metres, `[dx, dy]`.
    pub step: Point,
}

/// A named place. With `repeat`, copies are called `name-1`, `name-2` …, and `name` means any of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Region {
    /// The region's name.
    #[schemars(with = "String")]
    pub name: Name,
    /// `[x0, y0, x1, y1]` in metres.
    pub rectangle: Option<[f64; 4]>,
    /// Corners.
    pub polygon: Option<Vec<Point>>,
    /// `[x, y, radius]` in metres.
    pub circle: Option<[f64; 3]>,
    /// The painted cells of a bitmap, instead of a drawn shape.
    pub painted: Option<Painted>,
    /// Copies of it in rows and columns.
    pub repeat: Option<Repeat>,
    /// Copies of it as one of the scene's blocks is pasted.
    pub block: Option<String>,
}

impl Region {
    /// Its shape. It is no field of its own, as unknown names could not be told then.
    pub fn shape(&self) -> Shape {
        let Self { rectangle, polygon, circle, repeat, block, .. } = self.clone();
        Shape { name: None, rectangle, polygon, circle, repeat, block, height: None }
    }
}

/// A door: an obstacle that events open and close.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Door {
    /// The door's name.
    #[schemars(with = "String")]
    pub name: Name,
    /// `[x0, y0, x1, y1]` in metres.
    pub rectangle: Option<[f64; 4]>,
    /// Corners.
    pub polygon: Option<Vec<Point>>,
    /// `[x, y, radius]` in metres.
    pub circle: Option<[f64; 3]>,
    /// Whether it is closed at first.
    #[serde(default)]
    pub closed: bool,
}

impl Door {
    /// Its shape when it is closed.
    pub fn shape(&self) -> Shape {
        let Self { name, rectangle, polygon, circle, .. } = self.clone();
        Shape { name: Some(name), rectangle, polygon, circle, repeat: None, block: None, height: None }
    }
}

/// Something that is on or off.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Signal {
    /// The signal's name.
    #[schemars(with = "String")]
    pub name: Name,
    /// Seconds that it stays on.
    pub on: f32,
    /// Seconds that it stays off.
    pub off: f32,
    /// Seconds by which its cycle starts earlier.
    #[serde(default)]
    pub offset: f32,
}

/// A place that people go to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// The stop's name.
    #[schemars(with = "String")]
    pub name: Name,
    /// The region; anywhere without one.
    #[schemars(with = "Option<String>")]
    pub region: Option<Name>,
    /// Several regions instead, of which people choose one.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub regions: Vec<Name>,
    /// How they choose: `any` (the default), `nearest`, `quickest` or `assigned`, or a weight for each region.
    pub choose: Option<ChooseTable>,
    /// How many seconds people stay.
    #[serde(default = "at_once")]
    pub stay: SpreadTable,
    /// Stops that come next, with weights.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, f32>")]
    pub next: BTreeMap<String, f32>,
    /// Whether people leave the scene here.
    #[serde(default)]
    pub exit: bool,
}

fn at_once() -> SpreadTable {
    SpreadTable::Fixed(0.0)
}

/// How people choose one of several regions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ChooseTable {
    /// By name.
    Named(#[schemars(with = "NamedChoice")] String),
    /// By weights of regions.
    Weights(BTreeMap<String, f32>),
}

/// Choices that have a name.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
#[allow(dead_code)]
pub enum NamedChoice {
    /// Any of them.
    Any,
    /// The one with the shortest way.
    Nearest,
    /// The one that is reached first, those who go there considered; chosen anew on the way.
    Quickest,
    /// Each person its own.
    Assigned,
}

/// The kinds of situations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Wait for a signal (if any), then cross to one of several regions.
    Crosswalk,
    /// Stand while a signal is off.
    TrafficLight,
    /// Go fast, running if need be.
    Hurry,
    /// Sit on a bench for a while.
    Bench,
    /// Take one seat of several rows until a signal is on, or for a while.
    SeatRows,
    /// Stand in line and be served.
    Queue,
    /// Gather around a point for a while, everybody on a spot of a ring.
    Gather,
    /// Come near to a point for a while and face it.
    GetTogether,
    /// Stop at something for a while.
    Pause,
    /// Stop at a machine for a short while.
    VendingMachine,
    /// Stop and look into a shop window.
    ShopWindow,
    /// Stay in until a signal is on.
    StayIn,
    /// Have the region to oneself, or to as many as the capacity says.
    Exclusive,
    /// Go along a way.
    Follow,
    /// Talk now and then while standing.
    Talk,
    /// Keep together with the other members.
    Close,
    /// Walk side by side with the other members.
    Friends,
    /// Nothing of its own: a group that people can be members of, or a place for rules.
    Group,
    /// Go on to the least crowded of several regions.
    Balance,
    /// Wait for a vehicle and board it.
    BusStop,
    /// Be in a vehicle, wherever it is.
    Bus,
}

/// A situation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Situation {
    /// What it is called.
    #[schemars(with = "String")]
    pub name: Name,
    /// What people do in it.
    #[schemars(with = "Kind")]
    pub kind: Term<Kind>,
    /// Where it is in force; without a region only its members are in it.
    #[schemars(with = "Option<String>")]
    pub region: Option<Name>,
    /// Seconds between which it is in force; always without it.
    pub during: Option<Range>,
    /// How many may be in it at once.
    pub capacity: Option<u32>,
    /// Where situations disagree on where to go, whether to stand or how fast to go, the one of the highest priority has its
    /// way, among equal ones the one that was entered last.
    #[serde(default)]
    pub priority: i32,
    /// The share of those who come by that take part, from 0 to 1.
    #[serde(default = "everybody")]
    pub share: f32,
    /// The signal that it looks at (crosswalk, traffic-light, stay-in, seat-rows).
    #[schemars(with = "Option<String>")]
    pub signal: Option<Name>,
    /// Regions on the other side (crosswalk), or to choose from (balance).
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub to: Vec<Name>,
    /// Regions of crosswalks (crosswalk, traffic-light): everybody waits at red who is about to step onto one, and nobody else.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub over: Vec<Name>,
    /// Speed in metres a second (hurry).
    pub speed: Option<f32>,
    /// How many seconds people stay (bench, queue, gather, pause).
    pub stay: Option<SpreadTable>,
    /// The middle (gather).
    pub at: Option<Point>,
    /// Radius in metres (gather, close).
    pub radius: Option<f32>,
    /// Spots `[x, y, heading in degrees]` (bench, pause), the head of the line first (queue).
    #[serde(default)]
    pub spots: Vec<[f64; 3]>,
    /// A way (follow).
    #[serde(default)]
    pub way: Vec<Point>,
    /// Copies of the spots in rows and columns.
    pub rows: Option<Repeat>,
    /// What moves those in it instead of their own mover.
    #[schemars(with = "Option<Mover>")]
    pub mover: Option<Term<Mover>>,
    /// Labels of clips to show (bench: sit; gather: talk, listen; pause: look).
    pub show: Option<Vec<String>>,
    /// A constraint on who takes a spot: its motion is planned to end exactly there, facing as the spot says, in the pose
    /// that is shown (bench and seat-rows, unless this is false; gather, pause, shop-window and vending-machine if true).
    pub exact: Option<bool>,
    /// When they arrive exactly, in seconds from the beginning, or the earliest and the latest: who is early stands near by
    /// until it is time, who comes later sits down at any time.
    pub time: Option<Time>,
    /// The vehicle (bus-stop, bus).
    #[schemars(with = "Option<String>")]
    pub vehicle: Option<Name>,
    /// Clips that people in it may show besides; a name that ends in `*` means all that begin so.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub actions: Vec<Name>,
    /// Nodes of the motion graph that those clips are grafted on; any without it.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub on: Vec<Name>,
    /// Default behaviours that people in it do without.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub removes: Vec<Name>,
    /// Behaviour functions of the program that people in it weigh with besides.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub behaviours: Vec<Name>,
    /// Numbers of a kind that the program adds, by name.
    #[serde(default)]
    pub parameters: BTreeMap<String, f32>,
    /// What rules can notice, by name.
    #[serde(default)]
    pub sensor: BTreeMap<String, SensorTable>,
    /// What rules remember of a visit, by name, with what it is at first.
    #[serde(default)]
    pub memory: BTreeMap<String, Memory>,
    /// Scripts that run at every decision of somebody in it.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub rules: Vec<Name>,
}

fn everybody() -> f32 {
    1.0
}

/// A moment in seconds, or the earliest and the latest.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Time {
    /// Then.
    At(f32),
    /// At some time between.
    Between(Range),
}

/// What one person has to be like at some time; constraints of a person are met in the order of the file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Constraint {
    /// Whom it concerns: one person, or all of a name.
    #[schemars(with = "String")]
    pub person: Name,
    /// Where to be: `[x, y]`, or a place for each of several people.
    pub at: Option<Places>,
    /// Places in rows and columns, one for each person, row after row.
    pub repeat: Option<Repeat>,
    /// How often neighbours in those rows and columns change places at random.
    #[serde(default)]
    pub mix: usize,
    /// A word to be spelled by all of the name, instead of `at`.
    pub word: Option<Word>,
    /// Which way to face, in degrees; one for all, or a list.
    pub facing: Option<Facings>,
    /// The pose to be in: a node of the motion graph, such as `stand`, `sit` or `carry-stand`.
    #[schemars(with = "Option<String>")]
    pub pose: Option<Name>,
    /// When, in seconds from the beginning, or from the moment in which `after` has met all its constraints.
    pub time: Option<Time>,
    /// The person whose arrival `time` is counted from.
    #[schemars(with = "Option<String>")]
    pub after: Option<Name>,
    /// Which of the goals of `after` it is, from 1 [default: the last].
    pub after_goal: Option<usize>,
    /// The name of a box to pick up; where to stand, and in which pose, follows.
    #[schemars(with = "Option<String>")]
    pub take: Option<Name>,
    /// Where to put down the box that it has.
    pub put_down: Option<Point>,
    /// Whom to give the box that it has, face to face, with `at` the place between the two and `time` when.
    #[schemars(with = "Option<String>")]
    pub give_to: Option<Name>,
}
