//! Things that stand about and are drawn: benches, lamps, trees, kerbs.

use crate::file::Point;
use schemars::JsonSchema;
use serde::Deserialize;

/// A thing that is drawn. It is no obstacle of itself: what people go round is part of `[world]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Prop {
    /// What it is.
    pub kind: PropKind,
    /// Where its middle is.
    pub at: Point,
    /// Which way it faces, in degrees; 0 is along x.
    #[serde(default)]
    pub facing: f32,
    /// Length, width and height in metres; what is usual for its kind without it.
    pub size: Option<[f32; 3]>,
}

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PropKind {
    /// A bench.
    Bench,
    /// A chair.
    Chair,
    /// A table.
    Table,
    /// A box.
    Box,
    /// A counter.
    Counter,
    /// A kiosk with a roof.
    Kiosk,
    /// A street lamp.
    Lamp,
    /// A tree.
    Tree,
    /// A kerb stone.
    Kerb,
    /// A road with a marked middle.
    Road,
    /// A barrier.
    Barrier,
}

impl PropKind {
    /// The word for it in scenes and pages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bench => "bench",
            Self::Chair => "chair",
            Self::Table => "table",
            Self::Box => "box",
            Self::Counter => "counter",
            Self::Kiosk => "kiosk",
            Self::Lamp => "lamp",
            Self::Tree => "tree",
            Self::Kerb => "kerb",
            Self::Road => "road",
            Self::Barrier => "barrier",
        }
    }

    /// Length (across the way that it faces), width and height in metres where none are told.
    pub fn usual_size(self) -> [f32; 3] {
        match self {
            Self::Bench => [1.8, 0.45, 0.45],
            Self::Chair => [0.45, 0.45, 0.45],
            Self::Table => [1.2, 0.75, 0.74],
            Self::Box => [0.4, 0.3, 0.3],
            Self::Counter => [1.6, 0.6, 1.05],
            Self::Kiosk => [2.4, 2.0, 2.6],
            Self::Lamp => [0.2, 0.2, 4.5],
            Self::Tree => [3.0, 3.0, 6.0],
            Self::Kerb => [10.0, 0.3, 0.12],
            Self::Road => [7.0, 40.0, 0.0],
            Self::Barrier => [2.0, 0.4, 1.05],
        }
    }
}

impl Prop {
    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let sound = |value: f32| value.is_finite() && (0.0..=1000.0).contains(&value);
        if !self.at.iter().all(|value| value.is_finite()) || !self.facing.is_finite() {
            return Some(format!("a {} needs a place and a direction of numbers", self.kind.name()));
        }
        let size = self.size.unwrap_or(self.kind.usual_size());
        (!size.into_iter().all(sound))
            .then(|| format!("a {} of {size:?} m is not possible", self.kind.name()))
    }
}

/// What people are like of whom their own table says nothing else.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Population {
    /// The share of women, from 0 to 1.
    pub women: Option<f32>,
    /// Ages in years.
    pub age: Option<crate::spread::SpreadTable>,
    /// Heights in metres.
    pub height: Option<crate::spread::SpreadTable>,
    /// Masses in kilograms.
    pub mass: Option<crate::spread::SpreadTable>,
}
