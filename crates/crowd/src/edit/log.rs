//! What was changed, when and why: enough to make a run with edits again, bit for bit.

use super::Edit;
use serde::{Deserialize, Serialize};

/// Why a change was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Somebody made it between two frames.
    Hand,
    /// Somebody asked for it as soon as promises allow it; it was not made yet.
    Asked,
    /// Promises allowed what was asked for.
    Granted,
    /// An event of the scene made it.
    Event,
    /// It took the last change back.
    Undo,
    /// It made again what was taken back.
    Redo,
}

/// A change to a running crowd that was made, or asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// The frame after which it was made.
    pub frame: u32,
    /// What was changed.
    pub edit: Edit,
    /// Why.
    pub cause: Cause,
}

impl Happened {
    /// Whether a run that repeats another has to be told: the rest follows from that and from the scene.
    pub fn is_from_outside(&self) -> bool {
        !matches!(self.cause, Cause::Granted | Cause::Event)
    }
}
