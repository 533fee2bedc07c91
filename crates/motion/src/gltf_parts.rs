//! What readers of glTF files share: the head of a `.glb`, and what a file refers to.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::path::{Component, Path, PathBuf};

/// The length of the head of a `.glb`, in bytes.
const HEAD: usize = 12;

/// Whether a file is no `.glb`, or one whose head is whole: the `gltf` crate takes it off without looking.
pub fn has_sound_head(file: &[u8]) -> bool {
    let claimed = |head: &[u8]| u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
    !file.starts_with(b"glTF") || file.get(..HEAD).is_some_and(|head| claimed(head) >= HEAD)
}

/// The bytes that a reference of a file in `folder` leads to; nothing outside that folder is ever read.
pub fn resource(uri: &str, folder: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("it has data in an encoding other than base64")?;
        return STANDARD.decode(text).map_err(|error| format!("its data is damaged: {error}"));
    }
    let path = beside(uri, folder)?;
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The file in its folder that a reference names.
fn beside(uri: &str, folder: &Path) -> Result<PathBuf, String> {
    let outside = || format!("it refers to `{uri}`, which is not in its folder");
    let name = percent_encoding::percent_decode_str(uri).decode_utf8().map_err(|_| outside())?;
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    // A colon is part of an address (`file:`, `http:`) or of a drive.
    if name.contains([':', '\\', '\0']) || !Path::new(&*name).components().all(is_plain) {
        return Err(outside());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(&*name);
    let unreadable = |error: std::io::Error| format!("{}: {error}", path.display());
    // Links may lead elsewhere.
    let real = std::fs::canonicalize(&path).map_err(unreadable)?;
    let home = std::fs::canonicalize(folder).map_err(unreadable)?;
    if real.starts_with(home) && real.is_file() { Ok(real) } else { Err(outside()) }
}
