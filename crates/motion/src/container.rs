//! The compact binary form of libraries and graphs: versioned, checked, loaded in milliseconds.
//!
//! Eight bytes of magic and kind, a version, the payload's length and its checksum, then the payload.

use serde::{Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A clip library.
    Library,
    /// A motion graph.
    Graph,
    /// A style library.
    Styles,
}

impl Kind {
    fn magic(self) -> [u8; 8] {
        match self {
            Self::Library => *b"LOOMCLIP",
            Self::Graph => *b"LOOMGRPH",
            Self::Styles => *b"LOOMSTYL",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Library => "clip library",
            Self::Graph => "motion graph",
            Self::Styles => "style library",
        }
    }

    /// The version that this build writes and reads.
    fn version(self) -> u32 {
        match self {
            Self::Library | Self::Graph => 1,
            Self::Styles => 2,
        }
    }
}

const HEADER_BYTES: usize = 24;

/// Why a binary file was refused or not written.
#[derive(Debug, Error)]
#[error("{}: {problem}", file.display())]
pub struct ContainerError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong and what to do.
    pub problem: String,
}

/// Writes `value` to `path`; a file of that name is replaced only once the new one is complete.
pub fn save<T: Serialize>(path: &Path, kind: Kind, value: &T) -> Result<(), ContainerError> {
    let fail = |problem: String| ContainerError { file: path.to_owned(), problem };
    let payload = postcard::to_stdvec(value).map_err(|error| fail(format!("cannot be encoded: {error}")))?;
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len());
    bytes.extend(kind.magic());
    bytes.extend(kind.version().to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&payload).to_le_bytes());
    bytes.extend(payload);
    crate::draft::write_whole(path, &bytes).map_err(|error| fail(format!("cannot be written: {error}")))
}

/// Reads what [`save`] wrote.
pub fn load<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<T, ContainerError> {
    let fail = |problem: String| ContainerError { file: path.to_owned(), problem };
    let bytes = std::fs::read(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    decode(&bytes, kind).map_err(fail)
}

/// The kind of file that `path` is, by its first bytes.
pub fn kind_of(path: &Path) -> Option<Kind> {
    let mut magic = [0; 8];
    let mut file = std::fs::File::open(path).ok()?;
    std::io::Read::read_exact(&mut file, &mut magic).ok()?;
    [Kind::Library, Kind::Graph, Kind::Styles].into_iter().find(|kind| kind.magic() == magic)
}

fn decode<T: DeserializeOwned>(bytes: &[u8], kind: Kind) -> Result<T, String> {
    let name = kind.name();
    let Some((header, payload)) = bytes.split_at_checked(HEADER_BYTES) else {
        return Err(format!("is not a {name}: it is too short"));
    };
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if header[..8] != kind.magic() {
        return Err(format!("is not a {name}"));
    }
    if word(8) != kind.version() {
        let (own, known) = (word(8), kind.version());
        return Err(format!(
            "has version {own} of the {name} format; this build reads version {known}: make it again"
        ));
    }
    let length = u64::from(word(12)) | u64::from(word(16)) << 32;
    if payload.len() as u64 != length {
        return Err(format!("is truncated or has grown: {} bytes of {length}", payload.len()));
    }
    if crc32fast::hash(payload) != word(20) {
        return Err("was altered: its checksum does not match; make it again".into());
    }
    postcard::from_bytes(payload).map_err(|error| format!("cannot be decoded: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_altered_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.loomlib");
        let value: Vec<u32> = (0..100).collect();
        save(&path, Kind::Library, &value).unwrap();
        assert_eq!(load::<Vec<u32>>(&path, Kind::Library).unwrap(), value);
        assert_eq!(kind_of(&path), Some(Kind::Library));
        assert!(
            load::<Vec<u32>>(&path, Kind::Graph).unwrap_err().to_string().contains("is not a motion graph")
        );
        let good = std::fs::read(&path).unwrap();
        for byte in 0..good.len() {
            let mut bad = good.clone();
            bad[byte] ^= 0x10;
            assert!(decode::<Vec<u32>>(&bad, Kind::Library).is_err(), "byte {byte}");
        }
        for length in 0..good.len() {
            assert!(decode::<Vec<u32>>(&good[..length], Kind::Library).is_err(), "length {length}");
        }
    }
}
