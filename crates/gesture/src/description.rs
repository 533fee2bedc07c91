//! What a gesture is, as a small TOML file says.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// A part of the body whose frame goals are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The head.
    Head,
    /// The uppermost joint of the trunk.
    Chest,
    /// The pelvis.
    Hips,
    /// The thigh of the arm's own side.
    Thigh,
    /// Another person's chest, or a thing, whose place the program tells for each frame.
    Other,
}

/// One thing to reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What counts more has a lower number; 1 counts most.
    pub priority: u8,
    /// Which point: `elbow`, `wrist`, or `hand`, `reach` of the way from the wrist to the finger tips.
    pub effector: Effector,
    /// The share of the hand from the wrist to the finger tips, for `hand`.
    #[serde(default = "half")]
    pub reach: f32,
    /// The part of the body in whose frame the goal is.
    pub frame: Part,
    /// Where the point goes: metres ahead, towards the middle of the body (negative: outwards) and up, for legs of 0.85 m.
    pub goal: Option<[f32; 3]>,
    /// Which way the hand points instead, in the same axes; of any length.
    pub points: Option<[f32; 3]>,
    /// How far the goal swings to both sides, in the same axes, in metres, and how often in a second.
    #[serde(default)]
    pub swing: [f32; 3],
    /// Swings in a second.
    #[serde(default = "one")]
    pub rate: f32,
}

/// A point of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effector {
    /// The elbow.
    Elbow,
    /// The wrist.
    Wrist,
    /// A point of the hand.
    Hand,
}

fn half() -> f32 {
    0.5
}

fn one() -> f32 {
    1.0
}

/// What one arm does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gesture {
    /// Its name.
    pub name: String,
    /// Whether it is the left arm; otherwise the right.
    #[serde(default)]
    pub left: bool,
    /// Whether the collar bone may move, too.
    #[serde(default)]
    pub collar: bool,
    /// The first guess: how far the arm is lifted ahead and aside, and how far the elbow is bent, in degrees.
    #[serde(default = "guess")]
    pub guess: [f32; 3],
    /// What is to be reached.
    #[serde(rename = "task")]
    pub tasks: Vec<Task>,
}

fn guess() -> [f32; 3] {
    [20.0, 15.0, 60.0]
}

/// Why a gesture cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GestureError {
    /// The file cannot be read.
    #[error("{file} cannot be read: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        cause: std::io::Error,
    },
    /// The text is no gesture.
    #[error("{name} is no gesture: {message}")]
    Wrong {
        /// Name or file.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// Nobody says where the other person is.
    #[error("`{name}` has a goal in another person's frame, and nobody says where that one is")]
    NobodyElse {
        /// The gesture.
        name: String,
    },
    /// The skeleton has no such arm.
    #[error("the skeleton's arms cannot be told from its joints")]
    NoArms,
}

impl Gesture {
    /// Whether a goal is in another person's frame.
    pub fn needs_other(&self) -> bool {
        self.tasks.iter().any(|task| task.frame == Part::Other)
    }

    /// A built-in gesture by its name, with `left ` before it for the left arm, or one of a TOML file.
    pub fn find(name: &str) -> Result<Self, GestureError> {
        let (left, plain) = name.strip_prefix("left ").map_or((false, name), |plain| (true, plain));
        let mut known = crate::BUILT_IN.iter().chain(&crate::WITH_ANOTHER);
        if let Some((_, text)) = known.find(|(own, _)| *own == plain) {
            return Ok(Self { left, name: name.into(), ..Self::parse(name, text)? });
        }
        if !Path::new(name).exists() {
            let names: Vec<&str> = crate::BUILT_IN.iter().map(|(name, _)| *name).collect();
            let message =
                format!("there is no such file, and gestures that need none are {}", names.join(", "));
            return Err(GestureError::Wrong { name: name.into(), message });
        }
        let text = std::fs::read_to_string(name);
        Self::parse(name, &text.map_err(|cause| GestureError::Unreadable { file: name.into(), cause })?)
    }

    /// Reads a gesture; `name` is for the error.
    pub fn parse(name: &str, text: &str) -> Result<Self, GestureError> {
        let wrong = |message: String| GestureError::Wrong { name: name.into(), message };
        let gesture: Self = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if gesture.tasks.is_empty() || gesture.tasks.len() > 8 {
            return Err(wrong("it needs from one to eight tasks".into()));
        }
        for task in &gesture.tasks {
            let numbers = task.goal.iter().chain(&task.points).flatten().chain(&task.swing);
            if !numbers.clone().all(|number| number.abs() <= 3.0) {
                return Err(wrong("goals are within three metres".into()));
            }
            let point = task.points.map(|way| way.iter().map(|part| part * part).sum::<f32>());
            if point.is_some_and(|length| length < 1e-6) {
                return Err(wrong("a hand that points needs a direction".into()));
            }
            if task.goal.is_some() == task.points.is_some() {
                return Err(wrong("each task has either a goal or a way that the hand points".into()));
            }
            if !(0.0..=1.0).contains(&task.reach) || !(0.0..=5.0).contains(&task.rate) {
                return Err(wrong("reach is from 0 to 1, rate from 0 to 5".into()));
            }
        }
        if !gesture.guess.iter().all(|angle| angle.abs() <= 180.0) {
            return Err(wrong("the first guess is in degrees up to 180".into()));
        }
        Ok(gesture)
    }
}
