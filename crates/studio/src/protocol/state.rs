//! What pages are told of places, time line and switches.

use super::Drawn;
use serde::{Deserialize, Serialize};

/// Places, time line and switches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub struct State {
    /// Of which scene.
    pub generation: u32,
    /// Whether time runs.
    pub playing: bool,
    /// How many times as fast as real time.
    pub speed: f32,
    /// The frame that is being gone to.
    pub going_to: Option<u32>,
    /// The last frame that was reached so far.
    pub reached: u32,
    /// Walkable areas: each an outline, then its holes, in metres of the ground.
    pub areas: Vec<Vec<Vec<[f64; 2]>>>,
    /// Regions by number.
    pub regions: Vec<RegionState>,
    /// Obstacles that come and go, by number.
    pub obstacles: Vec<ObstacleState>,
    /// Things that stand about.
    pub props: Vec<PropState>,
    /// Boxes that people carry about.
    pub parcels: Vec<ParcelState>,
    /// Walls with heights of their own.
    pub walls: Vec<WallState>,
    /// What floors and houses are drawn of, each an outline and its holes, in metres of the ground; the areas where it is empty.
    pub floor: Vec<Vec<Vec<[f64; 2]>>>,
    /// Signals by number.
    pub signals: Vec<SignalState>,
    /// Situations by number.
    pub situations: Vec<SituationState>,
    /// Stops by number.
    pub stops: Vec<String>,
    /// Where stops are and what comes after them, by number.
    pub scenario: Vec<StopState>,
    /// Changes on the time line.
    pub marks: Vec<Mark>,
    /// Frames that one can go back to at once.
    pub snapshots: Vec<u32>,
    /// People whom brushes leave alone.
    pub locked: Vec<u32>,
    /// Numbers by which people are drawn who look otherwise than by their own.
    pub looks: Vec<(u32, u32)>,
    /// What those wear who were dressed anew, or who have come to carry a box.
    pub dresses: Vec<(u32, String)>,
    /// How many times as large those are drawn who are not as large as their looks say.
    pub sizes: Vec<(u32, f32)>,
    /// What the last change was, where it can be taken back.
    pub undo: Option<String>,
    /// What was taken back last, where it can be made again.
    pub redo: Option<String>,
    /// Whether there is something to save.
    pub unsaved: bool,
    /// Whether something was saved by itself before.
    pub recoverable: bool,
    /// Something that happened without being asked for.
    pub notice: Option<String>,
    /// How fast a page draws that was asked to tell it.
    pub drawn: Option<Drawn>,
}

/// A region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RegionState {
    /// Its name.
    pub name: String,
    /// Its areas: each an outline, then its holes, in metres of the ground.
    pub areas: Vec<Vec<Vec<[f64; 2]>>>,
}

/// An obstacle that comes and goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ObstacleState {
    /// Its name.
    pub name: String,
    /// Whether it is there.
    pub there: bool,
    /// Whether it is about to come.
    pub coming: bool,
    /// Its outlines in metres of the ground.
    pub outlines: Vec<Vec<[f64; 2]>>,
}

/// A wall with a height of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WallState {
    /// Its corners, in metres of the ground.
    pub ring: Vec<[f32; 2]>,
    /// Its height in metres.
    pub height: f32,
}

/// A thing that stands about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PropState {
    /// What it is: `seat`, `counter`, `lamp` …
    pub kind: String,
    /// Where its middle is, in metres of the ground.
    pub at: [f32; 2],
    /// Which way it faces, in radians.
    pub heading: f32,
    /// Its length across that way, width along it and height, in metres.
    pub size: [f32; 3],
}

/// A box that people carry about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParcelState {
    /// Its length across the way it faces, width along it and height, in metres.
    pub size: [f32; 3],
    /// Where it is from when on, in the order of time.
    pub stages: Vec<ParcelStageState>,
}

/// Where a box is from a frame on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ParcelStageState {
    /// The frame.
    pub frame: u32,
    /// Who has it in its hands; nobody where it is on the ground.
    pub holder: Option<u32>,
    /// Where its middle is on the ground, or was when it was taken, in metres of the ground.
    pub at: [f32; 2],
    /// Which way it faces, in radians.
    pub heading: f32,
}

/// A signal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub struct SignalState {
    /// Its name.
    pub name: String,
    /// Where it is shown, in metres of the ground, where somebody heeds it.
    pub at: Option<[f32; 2]>,
    /// Whether it was switched by hand.
    pub by_hand: Option<bool>,
}

/// A situation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub struct SituationState {
    /// Its name.
    pub name: String,
    /// Its region, by number; none of a group.
    pub region: Option<u32>,
    /// Whether people are members of it.
    pub members: bool,
    /// Whether it is in force.
    pub on: bool,
    /// Where situations disagree, the one of the highest priority has its way.
    pub priority: i32,
}

/// A stop: where it is, and what comes after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StopState {
    /// The middle of its first region, in metres of the ground.
    pub at: Option<[f32; 2]>,
    /// Whether people leave the scene there.
    pub exit: bool,
    /// Whether nobody is sent there.
    pub closed: bool,
    /// Stops that come after it, by number, with their shares.
    pub next: Vec<(u32, f32)>,
}

/// A change on the time line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mark {
    /// After which frame.
    pub frame: u32,
    /// What.
    pub what: String,
    /// Whether it was made in the studio, and not read from the scene's file.
    pub own: bool,
    /// Its number among those made in the studio, or among those of the file.
    pub number: u32,
}
