//! Motion capture files in, clips out. Offline work: clarity before speed.

mod amc;
mod asf;
mod batch;
mod bvh;
mod bvh_writer;
mod capture;
mod floor;
mod glitch;
mod gltf_animation;
mod options;
mod pipeline;
mod text;

pub use amc::{find_asf, parse_amc, read_amc};
pub use asf::{AcclaimSkeleton, parse_asf, read_asf};
pub use batch::{FileOutcome, ImportSummary, OptionSource, import_files, import_files_onto};
pub use bvh::{parse_bvh, read_bvh};
pub use bvh_writer::write_bvh;
pub use capture::{Axis, Capture, CaptureJoint};
pub use glitch::{Glitch, GlitchKind, Remedy};
pub use gltf_animation::{Take, parse_gltf, read_gltf};
pub use options::{CMU_METRES_PER_UNIT, ImportOptions, Preset};
pub use pipeline::{ImportError, Imported, import_capture};
pub use text::FileError;

use std::path::Path;

/// Reads a motion file of any known kind; of a file with several motions the longest of the body with the most joints.
pub fn read_capture(path: &Path) -> Result<Capture, FileError> {
    let takes = read_takes(path)?;
    let count = takes.len();
    let most = takes.into_iter().rev().max_by_key(|take| (take.capture.joints.len(), take.capture.frames()));
    let Take { name, mut capture } = most.ok_or_else(|| FileError::whole(path, "holds no motion"))?;
    if count > 1 {
        capture.notes.push(format!("one of {count} motions was read: {name}"));
    }
    Ok(capture)
}

/// Reads all motions of a file of any known kind, by its extension; an AMC file brings its ASF from beside it.
pub fn read_takes(path: &Path) -> Result<Vec<Take>, FileError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let only = |capture: Capture| vec![Take { name: String::new(), capture }];
    match extension.to_ascii_lowercase().as_str() {
        "bvh" => read_bvh(path).map(only),
        "amc" => {
            let asf = find_asf(path).ok_or_else(|| {
                FileError::whole(path, "needs its skeleton: put the subject's .asf file beside it")
            })?;
            read_amc(path, &read_asf(&asf)?).map(only)
        }
        "glb" | "gltf" => read_gltf(path),
        "asf" => Err(FileError::whole(path, "is a skeleton without motion; import the .amc files beside it")),
        _ => Err(FileError::whole(
            path,
            "is not a known kind of motion file; .bvh, .amc, .glb and .gltf are read",
        )),
    }
}
