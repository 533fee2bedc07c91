//! What a build without SQLite says to a file of it.

use crate::{ReadOptions, Trajectories};
use std::path::Path;

pub(crate) fn read(_path: &Path, _options: &ReadOptions) -> Result<Trajectories, String> {
    Err("this build cannot read SQLite: build it with the feature `sqlite`".into())
}
