//! How to read the motion files of some source.

use super::capture::Axis;
use std::path::Path;

/// What an import needs to know beyond the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// Metres in a file unit; `None` guesses it from the leg length and says so.
    pub metres_per_unit: Option<f64>,
    /// The file's vertical axis.
    pub up: Axis,
    /// Frames a second, whatever the file says.
    pub frame_rate: Option<f64>,
    /// Whether the first frame is a calibration pose to be dropped.
    pub drop_first_frame: bool,
    /// Whether feet in contact are held still.
    pub clean_feet: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            metres_per_unit: None,
            up: Axis::Y,
            frame_rate: None,
            drop_first_frame: false,
            clean_feet: true,
        }
    }
}

/// Sources whose conventions are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The Carnegie Mellon motion capture database, as BVH (cgspeed conversion) or ASF/AMC.
    Cmu,
}

/// Metres in a unit of the CMU files: 1/0.45 inch.
pub const CMU_METRES_PER_UNIT: f64 = 0.0254 / 0.45;

/// CMU subjects captured at 60 frames a second although every BVH header says 120.
const CMU_60_FPS: [u32; 11] = [33, 34, 75, 77, 88, 93, 103, 106, 139, 141, 143];

impl Preset {
    /// The options for one file of this source.
    pub fn options(self, file: &Path) -> ImportOptions {
        match self {
            Self::Cmu => {
                let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                let subject = stem.split(['_', '-']).next().and_then(|digits| digits.parse::<u32>().ok());
                let slow = subject.is_some_and(|subject| CMU_60_FPS.contains(&subject));
                let is_bvh = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh"));
                ImportOptions {
                    metres_per_unit: Some(CMU_METRES_PER_UNIT),
                    frame_rate: Some(if slow { 60.0 } else { 120.0 }),
                    drop_first_frame: is_bvh,
                    ..ImportOptions::default()
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cmu_knows_its_slow_subjects() {
        let rate = |file: &str| Preset::Cmu.options(Path::new(file)).frame_rate;
        assert_eq!(rate("143_10.bvh"), Some(60.0));
        assert_eq!(rate("a/16_15.bvh"), Some(120.0));
        assert!(!Preset::Cmu.options(Path::new("16_24.amc")).drop_first_frame);
    }
}
