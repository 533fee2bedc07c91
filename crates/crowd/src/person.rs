//! What somebody is like and what moves them.

pub use crowdloom_base::Mover;
use crowdloom_motion::styles::MotionType;
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A person's sex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sex {
    /// Female.
    Female,
    /// Male.
    Male,
}

/// A person's body and limits, which situations and movers do not change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The sex, where it was said.
    pub sex: Option<Sex>,
    /// Age in years, where it was said.
    pub age: Option<f32>,
    /// Height in metres, where it was said.
    pub height: Option<f32>,
    /// Mass in kilograms, where it was said.
    pub mass: Option<f32>,
    /// The radius in metres of the disc that a steered or recorded person takes; clips promise the motion graph's.
    pub radius: f32,
    /// The greatest speed in metres a second of one who is steered.
    pub top_speed: f32,
    /// The number of the group whose favourite styles the person has.
    pub favours: u8,
    /// The number of the motions that the person has, among graphs that stand side by side (see `MotionGraph::beside`).
    pub motion: u16,
    /// The number that body and clothes are drawn by; the person's own without it.
    pub looks: Option<u32>,
    /// How many times as large as its looks say the body is drawn.
    #[serde(default = "as_large")]
    pub size: f32,
    /// One more than the number of what the person wears and has among what was told; 0 where nothing was.
    #[serde(default)]
    pub costume: u16,
}

/// What somebody wears and has in its hands from some moment on, by names that whoever draws it knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dress {
    /// The outfit; as before without it.
    pub outfit: Option<String>,
    /// Accessories and other pieces, in place of what the person had; as before without them, none where the list is empty.
    pub things: Option<Vec<String>>,
    /// The least radius in metres of a disc that holds the things: who is steered takes one as large, nobody else can have them.
    #[serde(default)]
    pub room: f32,
}

impl Dress {
    /// The names of the outfit and of all things.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.outfit.iter().chain(self.things.iter().flatten()).map(String::as_str)
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            sex: None,
            age: None,
            height: None,
            mass: None,
            radius: 0.25,
            top_speed: 1.8,
            favours: 0,
            motion: 0,
            looks: None,
            size: as_large(),
            costume: 0,
        }
    }
}

/// The size of a body that is as large as its looks say.
fn as_large() -> f32 {
    1.0
}

/// What a person is up to besides wandering and the stops of the scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Errand {
    /// Nothing.
    #[default]
    None,
    /// Goes to the regions of a tour in turn, over and over.
    Tour {
        /// The number of the tour in the scenario.
        tour: u16,
        /// The place of the tour that it heads for.
        next: u16,
    },
    /// Goes round a point.
    Around {
        /// The point, in metres.
        centre: Vec2,
        /// The least and the most distance from it, in metres.
        between: [f32; 2],
    },
    /// Goes straight on in this direction, a unit vector.
    Straight(Vec2),
    /// Stays where it is and does this.
    Stay(MotionType),
    /// Goes for any goal at full speed, and on towards it until somebody sends it elsewhere.
    Onward,
}
