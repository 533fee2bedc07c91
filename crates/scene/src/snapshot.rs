//! A simulation in the middle of its run, to be put away and gone on with in another process.

use crate::build::{Overrides, SceneError, parse_with};
use crate::simulation::{SavedSimulation, Simulation};
use crowdloom_crowd::{Additions, ResumeError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What every snapshot begins with: name and version.
const MAGIC: &[u8; 8] = b"CLSNAP13";

/// A simulation as it is put away: its scene, and all of it that has changed since it began.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    file: PathBuf,
    text: String,
    seed: Option<u64>,
    people: Option<u64>,
    saved: SavedSimulation,
}

/// Why a simulation cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The bytes are no snapshot, or one of another version.
    #[error("this is no snapshot of a simulation, or one of another version of Crowdloom")]
    Foreign,
    /// The bytes are damaged.
    #[error("the snapshot is damaged: {0}")]
    Damaged(#[from] postcard::Error),
    /// People may have movers that the scene does not tell.
    #[error("a simulation whose people may get any mover cannot be put away")]
    AnyMover,
    /// Its scene cannot be built any more.
    #[error("the scene of the snapshot cannot run any more: {0}")]
    Scene(#[from] SceneError),
    /// What was saved does not fit its scene.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

/// Where a simulation comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) file: PathBuf,
    pub(crate) overrides: Overrides,
}

impl Simulation {
    /// All that is needed to go on from this frame in another process, as bytes.
    pub fn snapshot(&self) -> Result<Vec<u8>, SnapshotError> {
        if self.tables.as_ref().is_some_and(|tables| tables.any_mover) {
            return Err(SnapshotError::AnyMover);
        }
        let Origin { file, overrides } = self.origin();
        let snapshot = Snapshot {
            file: file.clone(),
            text: self.text().to_owned(),
            seed: overrides.seed,
            people: overrides.people.map(|people| people as u64),
            saved: self.save(),
        };
        Ok(postcard::to_extend(&snapshot, MAGIC.to_vec())?)
    }

    /// Goes back, or ahead, to a snapshot of this simulation's own scene, without building it anew.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let contents = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::Foreign)?;
        let Snapshot { text, saved, .. } = postcard::from_bytes(contents)?;
        if text != self.text() {
            return Err(ResumeError::OtherScene { what: "its tables" }.into());
        }
        Ok(self.resume(saved)?)
    }

    /// The simulation of a snapshot, in the frame in which it was put away; files of its scene are looked for where they
    /// were.
    pub fn from_snapshot(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Self::from_snapshot_with(bytes, &Additions::default())
    }

    /// The simulation of a snapshot whose program adds something; the same, in the same order, has to be added again.
    pub fn from_snapshot_with(bytes: &[u8], additions: &Additions) -> Result<Self, SnapshotError> {
        let contents = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::Foreign)?;
        let Snapshot { file, text, seed, people, saved } = postcard::from_bytes(contents)?;
        let overrides = Overrides { seed, people: people.map(|people| people as usize) };
        let (mut simulation, _) = parse_with(Path::new(&file), &text, overrides, additions)?;
        simulation.resume(saved)?;
        Ok(simulation)
    }
}
