//! Finding the real data that some tests need.

use std::path::PathBuf;

/// A path under the data folder, or `None` with a message where the folder is absent.
pub fn data(relative: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CROWDLOOM_DATA")
        .map(PathBuf::from)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let path = root.join(relative);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not here; set CROWDLOOM_DATA to the data folder", path.display());
    None
}
