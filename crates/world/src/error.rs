//! What can be wrong with a map, where, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

/// A map that cannot be used: which file, what is wrong, and how to mend it.
#[derive(Debug, thiserror::Error)]
pub struct WorldError {
    /// The file, when the map came from one.
    pub file: Option<PathBuf>,
    /// What is wrong.
    #[source]
    pub fault: Fault,
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}: {}", file.display(), self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl WorldError {
    /// What the user can do about it.
    pub fn fix(&self) -> &'static str {
        self.fault.fix()
    }

    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.to_path_buf());
        self
    }
}

impl From<Fault> for WorldError {
    fn from(fault: Fault) -> Self {
        Self { file: None, fault }
    }
}

/// One thing that is wrong with a map. Vertices and rings are counted from 1.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Fault {
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    #[error("the file is {bytes} bytes long; the limit is {limit}")]
    FileTooLarge { bytes: u64, limit: u64 },
    #[error("{0}")]
    Encoding(crate::read::NoText),
    #[error("the file is empty")]
    EmptyFile,
    #[error("`{0}` is not a map format this program knows")]
    UnknownFormat(String),
    #[error("not valid {format}: {message}")]
    Syntax { format: &'static str, message: String },
    #[error("{place} is a {found}, not an area")]
    NotAnArea { place: String, found: &'static str },
    #[error("{place} has {count} vertices; an area needs at least 3")]
    TooFewVertices { place: String, count: usize },
    #[error("{place}, vertex {vertex}: ({x}, {y}) is not a finite coordinate")]
    NotFinite { place: String, vertex: usize, x: f64, y: f64 },
    #[error("{place}, vertex {vertex}: ({x:e}, {y:e}) is too far away to be metres on the ground")]
    TooFar { place: String, vertex: usize, x: f64, y: f64 },
    #[error("{place} crosses itself where the side after vertex {vertex} leaves ({x}, {y})")]
    SelfCrossing { place: String, vertex: usize, x: f64, y: f64 },
    #[error("there is no floor: nothing walkable is left")]
    EmptyFloor,
    #[error("the map has {count} vertices; the limit is {limit}")]
    TooManyVertices { count: usize, limit: usize },
    #[error("the map is {extent:.0} m across; the limit is {limit:.0} m")]
    TooWide { extent: f64, limit: f64 },
    #[error("the map is only {extent:.2e} across")]
    TooSmall { extent: f64 },
    #[error("the image is {width} × {height} pixels; the limit is {limit} a side")]
    ImageTooLarge { width: u32, height: u32, limit: u32 },
    #[error("a pixel is {0} m wide")]
    BadPixelSize(f64),
    #[error("line {line}: {message}")]
    BadLine { line: usize, message: String },
    #[error("{0}")]
    BadShape(String),
    #[error("the roads leave no room for people")]
    NoWalkways,
}

impl Fault {
    fn fix(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check the path and the permissions",
            Self::FileTooLarge { .. } => "simplify the map, or cut it into parts",
            Self::Encoding(_) => "save it as UTF-8",
            Self::EmptyFile => "write a POLYGON, a GeoJSON document, an image or a grid map into it",
            Self::UnknownFormat(_) => {
                "use .wkt, .geojson or .json, .png, .jpg, .bmp or .pgm, or .map (each may end in .gz)"
            }
            Self::Syntax { .. } => "see whether the file was cut short or saved in another format",
            Self::NotAnArea { .. } => "use POLYGON, MULTIPOLYGON or a collection of these",
            Self::TooFewVertices { .. } => "draw the ring with three or more different vertices",
            Self::NotFinite { .. } => "replace the coordinate by a number of metres",
            Self::TooFar { .. } => "use a metric map projection such as UTM, in metres",
            Self::SelfCrossing { .. } => {
                "move the vertex so that the outline does not cross itself, or split the ring in two"
            }
            Self::EmptyFloor => "draw a floor that is larger than its obstacles",
            Self::TooManyVertices { .. } => "simplify the outlines, or smooth the image",
            Self::TooWide { .. } => "write the coordinates in metres, and cut the map to the part you need",
            Self::TooSmall { .. } => "write the coordinates in metres; degrees must be projected first",
            Self::ImageTooLarge { .. } => "scale the image down and give more metres per pixel",
            Self::BadPixelSize(_) => "give a positive number of metres per pixel",
            Self::BadLine { .. } => "correct the line; the format is that of the MovingAI benchmarks",
            Self::BadShape(_) => "choose sizes that leave room to walk",
            Self::NoWalkways => "leave some ground beside the roads",
        }
    }
}
