//! Clips that share one skeleton.

use crate::{Clip, Skeleton};
use serde::{Deserialize, Serialize};

/// A set of clips on one skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// The skeleton of every clip.
    pub skeleton: Skeleton,
    /// The clips, each with a name of its own.
    pub clips: Vec<Clip>,
}

impl Library {
    /// The clip called `name`.
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name == name)
    }
}
