//! People who follow recorded trajectories.

use crate::build::Checker;
use crate::file::SceneFile;
use crate::mover::Mover;
use crowdloom_crowd::Crowd;
use std::path::Path;

/// Puts the people of all recordings into the crowd; mistakes go to the checker.
pub fn build_recordings(
    scene: &SceneFile,
    _crowd: &mut Crowd,
    _folder: &Path,
    checker: &mut Checker<'_>,
) {
    let recorded = scene.people.iter().enumerate().filter(|(_, people)| people.mover == Mover::Recorded);
    for (index, _people) in recorded {
        checker.here = checker.table_line("people", index);
        checker.problem(None, "recordings cannot be read yet", "");
    }
    checker.here = None;
}
