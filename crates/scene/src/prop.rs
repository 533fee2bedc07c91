//! Things that stand about and are drawn: benches, lamps, trees, kerbs.

use crate::file::{Name, Point, Repeat};
use crowdloom_bodies::Rating;
use schemars::JsonSchema;
use serde::Deserialize;

/// A thing that stands about; people go round it where it is solid.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Prop {
    /// What it is called, for constraints that speak of it.
    #[schemars(with = "Option<String>")]
    pub name: Option<Name>,
    /// What it is.
    pub kind: PropKind,
    /// Where its middle is.
    pub at: Point,
    /// Which way it faces, in degrees; 0 is along x.
    #[serde(default)]
    pub facing: f32,
    /// Length, width and height in metres; what is usual for its kind without it.
    pub size: Option<[f32; 3]>,
    /// Whether people go round it [default: true of tables, counters, kiosks, barriers, lamps and trees].
    pub solid: Option<bool>,
    /// Of a table: how far legs and bodies get under its edge, in metres [default: 0.1].
    pub leg_room: Option<f32>,
    /// Copies of it in rows and columns; the first has its name.
    pub repeat: Option<Repeat>,
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
    /// A road with a marked middle, or, where it is shorter than 8 m, the plain asphalt of a crossing.
    Road,
    /// A crosswalk: asphalt with stripes along the road, whose way it faces.
    Crosswalk,
    /// A barrier.
    Barrier,
    /// A house with windows, such as stand around a place.
    House,
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
            Self::Crosswalk => "crosswalk",
            Self::Barrier => "barrier",
            Self::House => "house",
        }
    }

    /// Whether people go round it unless the scene says otherwise: nobody walks through a table, but one sits on a bench.
    fn is_solid(self) -> bool {
        matches!(self, Self::Table | Self::Counter | Self::Kiosk | Self::Lamp | Self::Tree | Self::Barrier)
    }

    /// Length (across the way that it faces), width and height in metres where none are told.
    pub fn usual_size(self) -> [f32; 3] {
        match self {
            Self::Bench => [1.8, 0.45, 0.45],
            Self::Chair => [0.45, 0.45, 0.45],
            Self::Table => [1.2, 0.75, 0.74],
            // So large that the built-in motions hold it by its sides.
            Self::Box => [0.3, 0.3, 0.28],
            Self::Counter => [1.6, 0.6, 1.05],
            Self::Kiosk => [2.4, 2.0, 2.6],
            Self::Lamp => [0.2, 0.2, 4.5],
            Self::Tree => [3.0, 3.0, 6.0],
            Self::Kerb => [10.0, 0.3, 0.12],
            Self::Road => [7.0, 40.0, 0.0],
            Self::Crosswalk => [7.0, 3.5, 0.0],
            Self::Barrier => [2.0, 0.4, 1.05],
            Self::House => [12.0, 9.0, 9.3],
        }
    }
}

/// Metres that legs and bodies get under the edge of a table.
const LEG_ROOM: f32 = 0.1;
/// Sides of the trunk of a tree and of the post of a lamp in metres.
const TRUNK: f32 = 0.3;
const POST: f32 = 0.2;

/// The most copies of a thing.
const MOST_COPIES: usize = 10_000;

impl Prop {
    /// All copies of it; itself where they are too many, which [`Prop::problem`] tells.
    pub(crate) fn copies(self) -> Vec<Self> {
        let Some(Repeat { columns, rows, step }) = self.repeat.filter(|_| self.problem().is_none()) else {
            return vec![self];
        };
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let copy = |(index, place): (usize, [usize; 2])| Self {
            name: self.name.clone().filter(|_| index == 0),
            at: std::array::from_fn(|axis| self.at[axis] + place[axis] as f64 * step[axis]),
            repeat: None,
            ..self.clone()
        };
        places.enumerate().map(copy).collect()
    }

    /// The corners of what people go round, in the map's metres; none of a thing that is only drawn.
    pub(crate) fn footprint(&self) -> Option<Vec<glam::DVec2>> {
        if !self.solid.unwrap_or(self.kind.is_solid()) {
            return None;
        }
        let [length, width, _] = self.size.unwrap_or(self.kind.usual_size());
        let inset = if self.kind == PropKind::Table { self.leg_room.unwrap_or(LEG_ROOM) } else { 0.0 };
        let [along, across] = match self.kind {
            PropKind::Tree => [TRUNK; 2],
            PropKind::Lamp => [POST; 2],
            _ => [width, length].map(|side| (side - 2.0 * inset).max(0.1)),
        };
        let turn = glam::DVec2::from_angle(f64::from(self.facing).to_radians());
        let corner = |x: f32, y: f32| {
            let own = glam::DVec2::new(f64::from(x * along), f64::from(y * across)) * 0.5;
            glam::DVec2::from(self.at) + turn.rotate(own)
        };
        Some(vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
    }

    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let sound = |value: f32| value.is_finite() && (0.0..=1000.0).contains(&value);
        if !self.at.iter().all(|value| value.is_finite()) || !self.facing.is_finite() {
            return Some(format!("a {} needs a place and a direction of numbers", self.kind.name()));
        }
        if self.leg_room.is_some_and(|room| !(0.0..=1.0).contains(&room)) {
            return Some("leg room is from 0 to 1 m".into());
        }
        if let Some(Repeat { columns, rows, step }) = self.repeat
            && (!(1..=MOST_COPIES).contains(&columns.saturating_mul(rows))
                || !step.iter().all(|way| way.is_finite()))
        {
            return Some(format!("a thing has 1 to {MOST_COPIES} copies, so many metres apart"));
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
    /// Endomorphy, relative fatness: a rating from ½ to 9, or the least and the most [default: drawn to fit height and mass].
    pub endo: Option<Rating>,
    /// Mesomorphy, bones and muscles.
    pub meso: Option<Rating>,
    /// Ectomorphy, linearity [default: of height and mass].
    pub ecto: Option<Rating>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stand_in_rows_and_columns() {
        let lamps: Prop = toml::from_str(
            "kind = \"lamp\"\nname = \"first\"\nat = [1, 2]\nrepeat = { columns = 3, rows = 2, step = [10, -5] }",
        )
        .unwrap();
        let all = lamps.clone().copies();
        assert_eq!(
            all.iter().map(|lamp| lamp.at).collect::<Vec<_>>()[3..],
            [[1.0, -3.0], [11.0, -3.0], [21.0, -3.0]]
        );
        assert_eq!(all.iter().filter(|lamp| lamp.name.is_some()).count(), 1);
        let endless =
            Prop { repeat: Some(Repeat { columns: 1_000_000, rows: 1_000_000, step: [1.0, 1.0] }), ..lamps };
        assert!(endless.problem().is_some() && endless.clone().copies().len() == 1);
        let none = Prop { repeat: Some(Repeat { columns: 0, rows: 2, step: [1.0, 1.0] }), ..endless };
        assert!(none.problem().is_some());
    }
}
