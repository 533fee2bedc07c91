//! Files of which only the whole appears under its name; devices, pipes and links stay what they are.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file in the making: written under a temporary name, then given its own.
///
/// A link to a file is written through. What is no file, such as `/dev/stdout` or a pipe, gets the contents once they are
/// whole and is never replaced.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    partial: PathBuf,
    /// A folder for the temporary name, where the contents are to be copied instead of renamed.
    folder: Option<PathBuf>,
}

/// What makes names of temporary folders differ.
static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Draft {
    /// Starts a file that will be called `path`.
    pub fn new(path: &Path) -> io::Result<Self> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|own| own.is_symlink());
        let found = fs::metadata(path);
        let is_device = match &found {
            Ok(found) => !found.is_file() || ["/dev", "/proc"].iter().any(|place| path.starts_with(place)),
            // Nothing is there yet, or the link leads nowhere yet.
            Err(_) => is_link,
        };
        if let Ok(found) = found {
            refuse(&found)?;
        }
        if is_device {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = std::env::temp_dir().join(format!("crowdloom-{}-{number}", std::process::id()));
            fs::create_dir(&folder)?;
            return Ok(Self { path: path.to_owned(), partial: folder.join("draft"), folder: Some(folder) });
        }
        let path = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
        let mut partial = path.as_os_str().to_owned();
        partial.push(".part");
        let partial = PathBuf::from(partial);
        // A leftover would be in the way of formats that add to what is there.
        let _ = fs::remove_file(&partial);
        Ok(Self { path, partial, folder: None })
    }

    /// The temporary name.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Gives the file its own name, or its contents to what has that name.
    pub fn finish(self) -> io::Result<()> {
        if self.folder.is_none() {
            return fs::rename(&self.partial, &self.path);
        }
        let mut from = File::open(&self.partial)?;
        let mut to = File::options().write(true).create(true).truncate(true).open(&self.path)?;
        match io::copy(&mut from, &mut to).and_then(|_| to.flush()) {
            // Whoever reads has enough, as `head` does.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Gone already where it was finished.
        let _ = fs::remove_file(&self.partial);
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Refuses what nothing can be written to.
fn refuse(found: &fs::Metadata) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.file_type().is_socket() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a socket"));
        }
        if found.file_type().is_block_device() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a disk"));
        }
    }
    Ok(())
}

/// Writes a whole file; see [`Draft`].
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let draft = Draft::new(path)?;
    let mut file = File::create(draft.partial())?;
    file.write_all(contents.as_ref())?;
    file.sync_all()?;
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        drop(Draft::new(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_whole(folder.path(), b"three").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for text in ["while the link leads nowhere", "while it leads to a file"] {
            write_whole(&link, text.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_sockets_stay_what_they_are() {
        use std::os::unix::fs::FileTypeExt;
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(write_whole(&path, b"no").unwrap_err().to_string().contains("socket"));
        assert!(fs::metadata(&path).unwrap().file_type().is_socket());
    }
}
