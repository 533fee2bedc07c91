//! Reading maps from files, by what the file's name ends in.

mod bitmap;
mod geojson;
mod grid_map;
mod scenario;
mod trace;
mod wkt;

pub use bitmap::{MAX_IMAGE_SIDE, bitmap_layer, ground_from_bitmap};
pub use geojson::ground_from_geojson;
pub use grid_map::GridMap;
pub use scenario::{ScenarioQuery, read_scenario};
pub use trace::painted_areas;
pub use wkt::{ground_from_wkt, outlines_from_wkt};

use crate::error::{Fault, WorldError};
use crate::ground::Ground;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// No file, packed or unpacked, larger than this, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// What a file cannot say about itself.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The side of a pixel or of a grid cell in metres.
    pub metres_per_pixel: f64,
    /// Pixels this dark or darker are blocked; 0 is black, 255 is white. Lighter ones are walkable, and their
    /// grey is a likelihood.
    pub blocked_grey: u8,
}

impl Default for ReadOptions {
    fn default() -> Self {
        // A tenth of white: dark enough that the rim of a blurred wall is not walkable.
        Self { metres_per_pixel: 1.0, blocked_grey: 25 }
    }
}

/// Reads the ground from a map file: `.wkt`, `.geojson`, `.json`, an image, or `.map`; each may be packed (`.gz`).
pub fn read_ground(path: &Path, options: &ReadOptions) -> Result<Ground, WorldError> {
    let read = || -> Result<Ground, WorldError> {
        let bytes = read_bytes(path)?;
        match extension(path).as_str() {
            "wkt" => ground_from_wkt(&text(&bytes)?),
            "geojson" | "json" => ground_from_geojson(&text(&bytes)?),
            "map" => GridMap::parse(&text(&bytes)?)?.ground(options.metres_per_pixel),
            "png" | "jpg" | "jpeg" | "bmp" | "pgm" | "ppm" | "pnm" => ground_from_bitmap(&bytes, options),
            other => Err(Fault::UnknownFormat(other.to_owned()).into()),
        }
    };
    read().map_err(|error| error.in_file(path))
}

/// The bytes of a file, unpacked if its name ends in `.gz`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, WorldError> {
    let file = File::open(path).map_err(Fault::Unreadable)?;
    let mut bytes = Vec::new();
    let packed = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    let reader: &mut dyn Read = if packed { &mut flate2::read::GzDecoder::new(file) } else { &mut { file } };
    reader.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(Fault::Unreadable)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Fault::FileTooLarge { bytes: bytes.len() as u64, limit: MAX_FILE }.into());
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::EmptyFile.into());
    }
    Ok(bytes)
}

/// What the name ends in, lower case, without `.gz`.
fn extension(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(_, extension)| extension).to_owned()
}

fn text(bytes: &[u8]) -> Result<String, WorldError> {
    match text_of(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(what) => Err(Fault::Encoding(what).into()),
    }
}

/// Why bytes are no text that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoText {
    /// Every character is two bytes.
    #[error("the file is in UTF-16, not in UTF-8")]
    Utf16,
    /// Another encoding, or no text at all.
    #[error("the file is not in UTF-8")]
    Other,
}

/// The text of a file in UTF-8, with or without a byte order mark.
pub fn text_of(bytes: &[u8]) -> Result<&str, NoText> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    // Without its mark it shows by the zero byte in every Latin letter; no text in UTF-8 has one there.
    let unmarked = matches!(bytes, &[first, second, ..] if (first == 0) != (second == 0));
    if marked || unmarked {
        return Err(NoText::Utf16);
    }
    std::str::from_utf8(bytes).map_err(|_| NoText::Other)
}
