//! What a scene wants written.

use crate::file::Point;
use schemars::JsonSchema;
use serde::Deserialize;

/// What to write of a run besides its replay page and its report.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Output {
    /// Frames from one recorded frame to the next, 1 to 30; 1 records all.
    pub stride: Option<u32>,
    /// Lines through which the report measures the flow.
    #[serde(default)]
    pub line: Vec<Line>,
    /// Formats to export the run in, into its folder.
    #[serde(default)]
    pub export: Vec<Format>,
    /// Things that are drawn: the scene's `[[prop]]`.
    #[serde(skip)]
    #[schemars(skip)]
    pub props: Vec<crate::prop::Prop>,
    /// Rings and heights of obstacles with heights of their own, in the map's metres.
    #[serde(skip)]
    #[schemars(skip)]
    pub walls: Vec<(Vec<glam::DVec2>, f32)>,
    /// What floors and houses are drawn of, each an outline and its holes, in the map's metres; empty where it is the ground.
    #[serde(skip)]
    #[schemars(skip)]
    pub floor: Vec<Vec<Vec<glam::DVec2>>>,
    /// The scene's `[[camera]]`.
    #[serde(skip)]
    #[schemars(skip)]
    pub cameras: Vec<crate::camera::Camera>,
    /// What people wear and what stands behind them.
    #[serde(skip)]
    #[schemars(skip)]
    pub staging: crate::staging::Staging,
}

/// A line through which people go.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}

/// A format that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Plain text for PedPy.
    Text,
    /// Comma-separated values.
    Csv,
    /// glTF 2.0.
    Glb,
    /// USD as text.
    Usda,
    /// USD in binary.
    Usdc,
}

impl Format {
    /// The name of the exported file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Text => "trajectories.txt",
            Self::Csv => "trajectories.csv",
            Self::Glb => "crowd.glb",
            Self::Usda => "crowd.usda",
            Self::Usdc => "crowd.usdc",
        }
    }
}
