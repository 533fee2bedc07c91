//! Runs as other programs read them.

mod acts;
mod animation;
mod boxes;
mod bvh;
mod cameras;
mod character;
mod clips;
mod dressed;
mod fitting;
mod flesh;
mod glb;
mod gltf_buffer;
mod gltf_file;
#[cfg(feature = "sqlite")]
mod jupedsim;
mod merge;
#[cfg(feature = "parquet")]
mod parquet;
mod pose;
mod selection;
mod staged;
mod tables;
mod unrolled;
mod usd;
mod worn;

pub use bvh::write_bvh_files;
pub use character::{Character, CharacterError};
pub use clips::write_clips;
pub use glb::{GlbForm, GlbOptions, write_glb};
#[cfg(feature = "sqlite")]
pub use jupedsim::write_jupedsim;
#[cfg(feature = "parquet")]
pub use parquet::write_parquet;
pub(crate) use pose::Poser;
pub use selection::Selection;
pub use tables::{write_csv, write_text};
pub use usd::{UsdForm, write_usd};

use crate::run::{ReadError, WriteError};
use animation::keys;
use std::path::{Path, PathBuf};

/// Why a run could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The character cannot be worn.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The scene's own set cannot be taken along.
    #[error("the scene's own set cannot be taken along: {0}")]
    Set(String),
    /// Nobody is left after the selection.
    #[error("nobody is there in what was selected: look at --agents, --from-time and --to-time")]
    Nobody,
    /// The result would not fit the format.
    #[error("{0}")]
    TooLarge(String),
}

/// A file in the making, with the errors of exports.
pub(crate) struct Draft {
    path: PathBuf,
    file: crowdloom_motion::draft::Draft,
}

impl Draft {
    pub fn new(path: &Path) -> Result<Self, WriteError> {
        let file = crowdloom_motion::draft::Draft::new(path)
            .map_err(|cause| WriteError { path: path.to_owned(), cause })?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// The temporary name.
    pub fn partial(&self) -> &Path {
        self.file.partial()
    }

    pub fn fail(&self, cause: std::io::Error) -> WriteError {
        WriteError { path: self.path.clone(), cause }
    }

    /// Gives the file its final name.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { path, file } = self;
        file.finish().map_err(|cause| WriteError { path, cause })
    }
}
