//! Files of the scene's folder: no other is ever read or written.

use std::path::{Path, PathBuf};

/// What a file that is saved by itself is called besides.
const BY_ITSELF: &str = ".autosave";

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The name is no plain name of a file.
    #[error("`{0}` is no name for a file: letters, digits, spaces, `-`, `_` and dots, at most 80 of them")]
    Name(String),
    /// It is no floor plan.
    #[error("`{0}` is no floor plan: .wkt, .geojson, .png, .jpg, .bmp, .pgm or .map, and not damaged")]
    Plan(String),
    /// There is another file of that name.
    #[error("there is another file `{0}` in the scene's folder")]
    Exists(String),
    /// Something else is in the way.
    #[error("{} is no plain file or folder of the scene's folder", .0.display())]
    InTheWay(PathBuf),
    /// It cannot be written.
    #[error("{}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
}

/// Where the scene is saved.
#[derive(Clone, Debug)]
pub struct Files {
    /// The scene's folder.
    pub folder: PathBuf,
    /// The name of the scene's file in it.
    pub name: String,
}

impl Files {
    /// The scene's file.
    pub fn file(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// A file or folder of that name in the scene's folder.
    pub fn beside(&self, name: &str) -> Result<PathBuf, FileError> {
        let plain = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
        let right = !name.is_empty()
            && name.chars().count() <= 80
            && name.chars().all(plain)
            && !name.starts_with('.')
            && !name.ends_with(['.', ' ']);
        if !right {
            return Err(FileError::Name(name.to_owned()));
        }
        let path = self.folder.join(name);
        match std::fs::symlink_metadata(&path) {
            // A link would lead elsewhere.
            Ok(there) if !there.is_file() && !there.is_dir() => Err(FileError::InTheWay(path)),
            _ => Ok(path),
        }
    }

    /// Writes the scene to its file, or to another of the folder, which is its file from then on.
    pub fn save(&mut self, name: Option<&str>, text: &str) -> Result<PathBuf, FileError> {
        let name = match name.unwrap_or(&self.name) {
            whole if whole.ends_with(".toml") => whole.to_owned(),
            bare => format!("{bare}.toml"),
        };
        let path = self.beside(&name)?;
        if path.is_dir() {
            return Err(FileError::InTheWay(path));
        }
        write(&path, text.as_bytes())?;
        self.forget_autosaved();
        self.name = name;
        Ok(path)
    }

    /// Keeps a floor plan, given in hexadecimal digits, in the scene's folder; another file of its name is never replaced.
    pub fn keep_plan(&self, name: &str, hex: &str) -> Result<PathBuf, FileError> {
        let path = self.beside(name)?;
        let kind = path.extension().and_then(|kind| kind.to_str()).map(str::to_lowercase);
        let known = kind.is_some_and(|kind| PLANS.contains(&kind.as_str()));
        let bytes = bytes_of(hex).filter(|_| known).ok_or_else(|| FileError::Plan(name.to_owned()))?;
        match std::fs::read(&path) {
            Ok(there) if there == bytes => Ok(path),
            Ok(_) => Err(FileError::Exists(name.to_owned())),
            Err(_) => write(&path, &bytes).map(|()| path),
        }
    }

    /// A hidden file beside the scene's, whose name ends so.
    pub(crate) fn hidden(&self, ending: &str) -> PathBuf {
        self.folder.join(format!(".{}{ending}", self.name))
    }

    fn autosave(&self) -> PathBuf {
        self.hidden(BY_ITSELF)
    }

    /// Writes the scene beside its file, so that nothing is lost when the studio ends all at once.
    pub fn save_by_itself(&self, text: &str) -> Result<(), FileError> {
        write(&self.autosave(), text.as_bytes())
    }

    /// What was saved by itself and is none other than the scene.
    pub fn autosaved(&self, text: &str) -> Option<String> {
        std::fs::read_to_string(self.autosave()).ok().filter(|saved| saved != text)
    }

    /// Lets go of what was saved by itself.
    pub fn forget_autosaved(&self) {
        // Mostly there is none.
        let _ = std::fs::remove_file(self.autosave());
    }
}

/// Kinds of files that a scene can have as its `map`.
const PLANS: [&str; 9] = ["wkt", "geojson", "json", "png", "jpg", "jpeg", "bmp", "pgm", "map"];

/// Bytes from pairs of hexadecimal digits.
fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16);
    let pair = |pair: &[u8]| Some((digit(pair[0])? * 16 + digit(*pair.get(1)?)?) as u8);
    hex.as_bytes().chunks(2).map(pair).collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    crowdloom_output::run::write_whole(path, bytes)
        .map_err(|error| FileError::Write { path: path.to_owned(), cause: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_of_the_folder_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files { folder: folder.path().to_owned(), name: "a.toml".into() };
        for name in ["", "../b", "/etc/x", "a/b", ".hidden", "c\\d", "x\0y", &"n".repeat(81)] {
            assert!(matches!(files.save(Some(name), ""), Err(FileError::Name(_))), "{name:?}");
        }
        assert_eq!(files.save(Some("b c"), "x = 1\n").unwrap(), folder.path().join("b c.toml"));
        assert_eq!(files.name, "b c.toml");
    }

    #[test]
    fn plans_are_kept_and_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files { folder: folder.path().to_owned(), name: "a.toml".into() };
        let path = files.keep_plan("hall.wkt", "504F4c").unwrap();
        assert_eq!(std::fs::read(path).unwrap(), b"POL");
        assert!(files.keep_plan("hall.wkt", "504f4c").is_ok());
        assert!(matches!(files.keep_plan("hall.wkt", "51"), Err(FileError::Exists(_))));
        for (name, hex) in [("a.toml", "51"), ("x.exe", "51"), ("p.png", "5"), ("p.png", "5g")] {
            assert!(matches!(files.keep_plan(name, hex), Err(FileError::Plan(_))), "{name} {hex}");
        }
        assert!(matches!(files.keep_plan("../p.png", "51"), Err(FileError::Name(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path().join("secret"), folder.path().join("l.toml")).unwrap();
        let mut files = Files { folder: folder.path().to_owned(), name: "a.toml".into() };
        assert!(matches!(files.save(Some("l"), "x"), Err(FileError::InTheWay(_))));
    }

    #[test]
    fn what_was_saved_by_itself_is_found_until_the_scene_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files { folder: folder.path().to_owned(), name: "a.toml".into() };
        files.save_by_itself("new").unwrap();
        assert_eq!(files.autosaved("old").as_deref(), Some("new"));
        assert_eq!(files.autosaved("new"), None);
        files.save(None, "new").unwrap();
        assert_eq!(files.autosaved("old"), None);
    }
}
