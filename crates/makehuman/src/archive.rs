//! A Python wheel: a zip file, of which one folder is read.

use crate::FOLDER;
use flate2::read::{DeflateDecoder, GzDecoder};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a package gives no bodies.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// It cannot be read at all.
    #[error("{path}: {error}")]
    File {
        /// The package.
        path: PathBuf,
        /// What is the matter.
        error: std::io::Error,
    },
    /// It is no zip file, or not a whole one.
    #[error("{0} is not a whole Python package (a zip file): it may have been cut short on its way")]
    NotWhole(PathBuf),
    /// A file in it is not what its check sum says.
    #[error("{0} in the package is damaged")]
    Damaged(String),
    /// A file is missing.
    #[error("the package has no {0}: it is another package, or another version than this program knows")]
    Missing(String),
    /// A file says something that cannot be.
    #[error("{file} in the package cannot be used: {problem}")]
    Unusable {
        /// The file.
        file: String,
        /// What is the matter.
        problem: String,
    },
}

/// No file of a package is larger than so many bytes.
const MOST: u64 = 128 << 20;

struct Entry {
    offset: usize,
    packed: usize,
    method: u16,
    sum: u32,
}

/// The files of [`FOLDER`] in a package.
pub struct Archive {
    bytes: Vec<u8>,
    entries: BTreeMap<String, Entry>,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<usize> {
    let own = bytes.get(at..at.checked_add(N)?)?;
    Some(own.iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte)))
}

impl Archive {
    /// Opens a package.
    pub fn open(path: &Path) -> Result<Self, PackageError> {
        let bytes =
            std::fs::read(path).map_err(|error| PackageError::File { path: path.to_owned(), error })?;
        let entries = directory(&bytes).ok_or_else(|| PackageError::NotWhole(path.to_owned()))?;
        Ok(Self { bytes, entries })
    }

    /// Whether there is a file of that name in the folder.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// A file of the folder as text; what is packed by gzip is unpacked.
    pub fn text(&self, name: &str) -> Result<String, PackageError> {
        let entry = self.entries.get(name).ok_or_else(|| PackageError::Missing(format!("{FOLDER}{name}")))?;
        let damaged = || PackageError::Damaged(format!("{FOLDER}{name}"));
        // A local header of 30 bytes, a name and more, then the file.
        let skip = |at: usize| number::<2>(&self.bytes, entry.offset + at);
        let start = entry.offset + 30 + skip(26).ok_or_else(damaged)? + skip(28).ok_or_else(damaged)?;
        let packed = self.bytes.get(start..start + entry.packed).ok_or_else(damaged)?;
        let mut own = Vec::new();
        match entry.method {
            0 => own.extend(packed),
            _ => {
                DeflateDecoder::new(packed).take(MOST).read_to_end(&mut own).map_err(|_| damaged())?;
            }
        }
        if crc32fast::hash(&own) != entry.sum {
            return Err(damaged());
        }
        if name.ends_with(".gz") {
            let mut text = Vec::new();
            GzDecoder::new(&own[..]).take(MOST).read_to_end(&mut text).map_err(|_| damaged())?;
            own = text;
        }
        String::from_utf8(own).map_err(|_| damaged())
    }
}

/// The central directory at the end of a zip file, as far as it is about the folder.
fn directory(bytes: &[u8]) -> Option<BTreeMap<String, Entry>> {
    let end = (0..bytes.len().saturating_sub(21))
        .rev()
        .take(1 << 16)
        .find(|&at| bytes[at..].starts_with(b"PK\x05\x06"))?;
    let (count, mut at) = (number::<2>(bytes, end + 10)?, number::<4>(bytes, end + 16)?);
    let mut entries = BTreeMap::new();
    for _ in 0..count {
        if number::<4>(bytes, at)? != 0x0201_4b50 {
            return None;
        }
        let [name, extra, comment] =
            [number::<2>(bytes, at + 28)?, number::<2>(bytes, at + 30)?, number::<2>(bytes, at + 32)?];
        let own = std::str::from_utf8(bytes.get(at + 46..at + 46 + name)?).ok()?;
        if let Some(own) = own.strip_prefix(FOLDER) {
            let entry = Entry {
                offset: number::<4>(bytes, at + 42)?,
                packed: number::<4>(bytes, at + 20)?,
                method: number::<2>(bytes, at + 10)? as u16,
                sum: number::<4>(bytes, at + 16)? as u32,
            };
            entries.insert(own.to_owned(), entry);
        }
        at += 46 + name + extra + comment;
    }
    Some(entries)
}
