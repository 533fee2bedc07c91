//! Where the studio of a scene was found last: pages that are still open find it there again after a crash.

use crate::files::Files;
use std::io::Write;
use std::time::Duration;

/// After this time nobody is expected to come back.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Port and secret of a studio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    /// The port.
    pub port: u16,
    /// The secret.
    pub token: String,
}

impl Door {
    /// The door of the studio that had this scene last, within a day.
    pub fn last(files: &Files) -> Option<Self> {
        let path = files.hidden(".studio");
        let kept = std::fs::symlink_metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        kept.modified().ok()?.elapsed().ok().filter(|age| *age < FORGOTTEN_AFTER)?;
        let text = std::fs::read_to_string(path).ok()?;
        let (place, rest) = text.trim().split_once(' ')?;
        // What came with somebody's folder lies elsewhere on this disk: its secret is none.
        if place != place_of(&kept)? {
            return None;
        }
        let (port, token) = rest.split_once(' ')?;
        let secret = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let right = token.len() == crate::guard::SECRET_LETTERS && token.chars().all(secret);
        right.then_some(Self { port: port.parse().ok()?, token: token.to_owned() })
    }

    /// Keeps it beside the scene, for the eyes of this user only.
    pub fn keep(&self, files: &Files) -> std::io::Result<()> {
        let path = files.hidden(".studio");
        // A new file: what another has left there keeps its rights.
        let _ = std::fs::remove_file(&path);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        // Where that cannot be told, pages have to be opened anew.
        let Some(place) = place_of(&file.metadata()?) else { return Ok(()) };
        file.write_all(format!("{place} {} {}\n", self.port, self.token).as_bytes())
    }
}

/// Where on the disk a file lies, which nobody knows beforehand who packs one.
#[cfg(unix)]
fn place_of(file: &std::fs::Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    Some(format!("{}-{}", file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn place_of(_: &std::fs::Metadata) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_door_is_found_again_and_nothing_else_is_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files { folder: folder.path().to_owned(), name: "a.toml".into() };
        assert_eq!(Door::last(&files), None);
        let door = Door { port: 4321, token: crate::guard::secret().unwrap() };
        door.keep(&files).unwrap();
        // Not on a disk that does not tell where files lie.
        let kept = cfg!(unix).then(|| door.clone());
        assert_eq!(Door::last(&files), kept);
        let (path, moved) = (folder.path().join(".a.toml.studio"), folder.path().join("moved"));
        let place = place_of(&std::fs::metadata(&path).unwrap()).unwrap_or_default();
        for wrong in ["", "4321", "4321 short", "x aaaaaaaaaaaaaaaaaaaaaaaa", "1 aaaaaaaaaaaaaaaaaaaaaaa/"] {
            std::fs::write(&path, format!("{place} {wrong}")).unwrap();
            assert_eq!(Door::last(&files), None, "{wrong:?}");
        }
        // Another file that says the same, as one that came with the folder.
        std::fs::write(&moved, format!("{place} {} {}\n", door.port, door.token)).unwrap();
        std::fs::rename(&moved, &path).unwrap();
        assert_eq!(Door::last(&files), None);
    }
}
