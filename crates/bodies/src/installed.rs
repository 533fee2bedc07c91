//! Bodies that the user has installed: one checked file in a folder of the user's own.

use crowdloom_motion::draft::write_whole;
use crowdloom_shapes::bake::Set;
use crowdloom_shapes::bytes;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The variable that names another folder for what is installed.
pub const FOLDER_VARIABLE: &str = "CROWDLOOM_DATA";

/// What such a file begins with; the number goes up when older programs cannot read newer files.
const MARK: &[u8; 8] = b"CLBODY2\n";

/// No set is larger than so many bytes.
const MOST: u64 = 64 << 20;

/// Why installed bodies cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InstalledError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is the matter.
        error: std::io::Error,
    },
    /// It is something else, of another version, or damaged.
    #[error("{path} {problem}; `crowdloom bodies install` makes it anew")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is the matter.
        problem: &'static str,
    },
}

/// Where installed bodies are: in the folder of [`FOLDER_VARIABLE`], else in the user's data folder; none where there is no such.
pub fn installed_path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set(FOLDER_VARIABLE).or_else(|| {
        let users = if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            set("HOME").map(|home| home.join("Library/Application Support"))
        } else {
            set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))
        };
        users.map(|folder| folder.join("crowdloom"))
    })?;
    Some(folder.join("bodies.bin"))
}

/// Takes the installed bodies where there are any; tells whether there are.
pub fn wear_installed() -> Result<bool, InstalledError> {
    match installed_path().filter(|path| path.is_file()) {
        Some(path) => crate::wardrobe::wear(&path),
        None => Ok(false),
    }
}

/// Writes a set so that [`wear_installed`] finds it, whole or not at all.
pub fn write(set: &Set, path: &Path) -> Result<(), InstalledError> {
    let failed = |error| InstalledError::File { path: path.to_owned(), error };
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes::write(set)).map_err(failed)?;
    let packed = encoder.finish().map_err(failed)?;
    let mut all = MARK.to_vec();
    all.extend(crc32fast::hash(&packed).to_le_bytes());
    all.extend(packed);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    write_whole(path, &all).map_err(failed)
}

/// Reads what [`write`] wrote.
pub fn read(path: &Path) -> Result<Set, InstalledError> {
    let all = std::fs::read(path).map_err(|error| InstalledError::File { path: path.to_owned(), error })?;
    let damaged = |problem| InstalledError::Damaged { path: path.to_owned(), problem };
    let rest = all.strip_prefix(MARK).ok_or_else(|| damaged("is not of this version of the program"))?;
    let (sum, packed) = rest.split_first_chunk::<4>().ok_or_else(|| damaged("is cut short"))?;
    if crc32fast::hash(packed) != u32::from_le_bytes(*sum) {
        return Err(damaged("is damaged"));
    }
    let mut own = Vec::new();
    let unpacked = ZlibDecoder::new(packed).take(MOST).read_to_end(&mut own);
    unpacked.map_err(|_| damaged("is damaged"))?;
    bytes::read(&own).ok_or_else(|| damaged("is damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/bodies.bin");
        let set = crate::set();
        write(set, &path).unwrap();
        let written = read(&path).unwrap();
        let names = |set: &Set| set.pieces.iter().map(|piece| piece.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&written), names(set));
        // Places are written in tenths of a millimetre: what has been is written again to the same bits.
        write(&written, &path).unwrap();
        assert!(read(&path).unwrap() == written);
        let whole = std::fs::read(&path).unwrap();
        for (from, to) in [(0, whole.len() / 2), (0, 5), (8, whole.len())] {
            std::fs::write(&path, &whole[from..to]).unwrap();
            assert!(read(&path).unwrap_err().to_string().contains("bodies install"));
        }
        let mut torn = whole.clone();
        let at = torn.len() / 2;
        torn[at] ^= 4;
        std::fs::write(&path, torn).unwrap();
        assert!(read(&path).is_err());
    }
}
