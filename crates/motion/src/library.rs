//! Clips that share one skeleton.

use crate::container::{self, ContainerError, Kind};
use crate::{Clip, Skeleton};
use serde::{Deserialize, Serialize};
use std::path::Path;

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

    /// Seconds of motion in all clips.
    pub fn seconds(&self) -> f32 {
        self.clips.iter().map(Clip::seconds).sum()
    }

    /// Writes the library in its binary form.
    pub fn save(&self, path: &Path) -> Result<(), ContainerError> {
        container::save(path, Kind::Library, self)
    }

    /// Reads a library that [`Self::save`] wrote.
    pub fn load(path: &Path) -> Result<Self, ContainerError> {
        let library: Self = container::load(path, Kind::Library)?;
        // The checksum guards against accidents only: never index by what a file claims.
        match library.clips.iter().find(|clip| !clip.is_consistent(library.skeleton.len())) {
            None => Ok(library),
            Some(clip) => Err(ContainerError {
                file: path.to_owned(),
                problem: format!("clip `{}` is not consistent; import it again", clip.name),
            }),
        }
    }
}
