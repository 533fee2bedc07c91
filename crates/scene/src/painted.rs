//! Painted regions: the cells of a bitmap, written in the scene or read from an image beside it.

use crate::build::Checker;
use crate::file::{Name, Point, SceneFile};
use crowdloom_world::{Area, Ring, bitmap_layer, painted_areas};
use glam::DVec2;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// The most cells of a painted region.
const MOST_CELLS: usize = 4_000_000;

/// Pixels lighter than this are painted; 255 is white.
const LIGHT: u8 = 127;

/// The sign of a cell that is painted.
const PAINTED: u8 = b'#';

/// A painted region: a bitmap as `rows` of signs, or as an image.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Painted {
    /// The bitmap's south-west corner, in metres.
    pub at: Point,
    /// The side of a cell or of a pixel, in metres.
    pub cell: f64,
    /// The bitmap's rows, the northernmost first: `#` is painted, anything else is not.
    #[serde(default)]
    pub rows: Vec<String>,
    /// An image beside the scene instead of `rows`: its light pixels are painted.
    #[schemars(with = "Option<String>")]
    pub image: Option<Name>,
}

impl Painted {
    /// The outlines of all that is painted, each with its holes, in metres; mistakes go to the checker.
    pub(crate) fn polygons(&self, checker: &mut Checker<'_>) -> Option<Vec<Vec<Ring>>> {
        let width = self.rows.iter().map(String::len).max().unwrap_or(0);
        if width.saturating_mul(self.rows.len()) > MOST_CELLS {
            checker.problem(
                None,
                format!("a painted region has at most {MOST_CELLS} cells"),
                "use larger cells",
            );
            return None;
        }
        let is_painted = |x: usize, y: usize| self.rows[y].as_bytes().get(x) == Some(&PAINTED);
        let corner = DVec2::from(self.at);
        match painted_areas(width, self.rows.len(), self.cell, is_painted) {
            Ok(areas) if areas.is_empty() => {
                let fix = "give `rows` with a `#` for every painted cell, or an `image`";
                checker.problem(None, "nothing of this region is painted", fix);
                None
            }
            Ok(areas) => {
                let moved = |ring: &Ring| ring.iter().map(|point| *point + corner).collect();
                let rings = |area: &Area| area.rings().map(moved).collect();
                Some(areas.iter().map(rings).collect())
            }
            Err(error) => {
                checker.problem(None, format!("this region cannot be painted: {error}"), error.fix());
                None
            }
        }
    }

    /// Reads its image, if it has one, into rows.
    pub(crate) fn read_image(&mut self, folder: &Path, checker: &mut Checker<'_>) {
        let Some(image) = &self.image else { return };
        let (name, span) = (image.get_ref(), Some(image.span()));
        if !self.rows.is_empty() {
            checker.problem(span, "a painted region has `rows` or an `image`", "keep one of them");
            return;
        }
        let bytes = match std::fs::read(folder.join(name)) {
            Ok(bytes) => bytes,
            Err(error) => {
                let what = format!("the image `{name}` cannot be read: {error}");
                checker.problem(span, what, "put it beside the scene file");
                return;
            }
        };
        match bitmap_layer(&bytes, self.cell) {
            Ok(layer) => {
                let sign = |grey: &u8| if *grey > LIGHT { '#' } else { '.' };
                let rows = layer.values.chunks(layer.width.max(1) as usize);
                self.rows = rows.map(|row| row.iter().map(sign).collect()).collect();
            }
            Err(error) => {
                checker.problem(span, format!("the image `{name}` cannot be used: {error}"), error.fix());
            }
        }
    }
}

/// Reads the images of all painted regions.
pub(crate) fn read_images(scene: &mut SceneFile, folder: &Path, checker: &mut Checker<'_>) {
    let in_events = scene.event.iter_mut().filter_map(|event| event.region.as_mut());
    for region in scene.region.iter_mut().chain(in_events) {
        if let Some(painted) = &mut region.painted {
            checker.here = Some(checker.line_of(&region.name));
            painted.read_image(folder, checker);
        }
    }
    checker.here = None;
}
