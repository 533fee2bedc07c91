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
pub use gltf_animation::{parse_gltf, read_gltf};
pub use options::{CMU_METRES_PER_UNIT, ImportOptions, Preset};
pub use pipeline::{ImportError, Imported, import_capture};
pub use text::FileError;

use std::path::Path;

/// Reads a motion file of any known kind, by its extension; an AMC file brings its ASF from beside it.
pub fn read_capture(path: &Path) -> Result<Capture, FileError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "bvh" => read_bvh(path),
        "amc" => {
            let asf = find_asf(path).ok_or_else(|| {
                FileError::whole(path, "needs its skeleton: put the subject's .asf file beside it")
            })?;
            read_amc(path, &read_asf(&asf)?)
        }
        "glb" | "gltf" => read_gltf(path),
        "asf" => Err(FileError::whole(path, "is a skeleton without motion; import the .amc files beside it")),
        _ => Err(FileError::whole(
            path,
            "is not a known kind of motion file; .bvh, .amc, .glb and .gltf are read",
        )),
    }
}
