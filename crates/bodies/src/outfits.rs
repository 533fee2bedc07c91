//! Outfits: which clothes go together, and the colours that each part may have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A box of colours: hue in degrees, saturation and brightness in per cent, each from and to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HsbRange {
    /// Hue in degrees; a range may pass over 360.
    pub hue: [f32; 2],
    /// Saturation in per cent.
    pub saturation: [f32; 2],
    /// Brightness in per cent.
    pub brightness: [f32; 2],
    /// How often this box is chosen relative to the others.
    #[serde(default = "one")]
    pub share: f32,
}

fn one() -> f32 {
    1.0
}

fn all_ages() -> [f32; 2] {
    [0.0, 200.0]
}

/// A piece that somebody with an outfit may wear, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Garb {
    /// The piece's name; `none` for nothing.
    pub piece: String,
    /// How often women wear it relative to other pieces of the slot.
    #[serde(default = "one")]
    pub women: f32,
    /// How often men do.
    #[serde(default = "one")]
    pub men: f32,
    /// Ages in years of those who may.
    #[serde(default = "all_ages")]
    pub ages: [f32; 2],
}

impl Garb {
    /// A piece that is worn as often as any other.
    pub fn plain(piece: &str) -> Self {
        Self { piece: piece.into(), women: 1.0, men: 1.0, ages: all_ages() }
    }
}

/// Patterns of tops by their numbers.
pub const PATTERNS: [&str; 7] = ["plain", "stripes", "pinstripes", "checks", "dots", "band", "print"];

/// Clothes and colours that go together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outfit {
    /// Its name.
    pub name: String,
    /// How often it is worn by people of whom no outfit is told.
    #[serde(default = "one")]
    pub share: f32,
    /// Whether all who wear it have the same colours.
    #[serde(default)]
    pub alike: bool,
    /// Pieces from the shoulders down.
    pub top: Vec<Garb>,
    /// Pieces from the waist down; who wears a dress wears none.
    pub bottom: Vec<Garb>,
    /// Shoes.
    pub shoes: Vec<Garb>,
    /// Accessories of any slot; the rest up to a share of 1 of a slot goes without.
    #[serde(default)]
    pub accessories: Vec<Garb>,
    /// Colours of tops.
    pub top_colours: Vec<HsbRange>,
    /// Second colours of tops: what patterns, shirts under jackets and prints are in.
    pub second_colours: Vec<HsbRange>,
    /// Colours of bottoms.
    pub bottom_colours: Vec<HsbRange>,
    /// Colours of shoes.
    pub shoe_colours: Vec<HsbRange>,
    /// Colours of hats and scarves.
    pub hat_colours: Vec<HsbRange>,
    /// Colours of bags.
    pub bag_colours: Vec<HsbRange>,
    /// Numbers of [`PATTERNS`] of tops and how often each is there.
    pub patterns: Vec<(u8, f32)>,
}

/// Why an outfit cannot be worn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutfitError {
    /// There is no such piece.
    NoPiece(String),
    /// A colour or a share is no number that can be used.
    BadNumber(String),
    /// A list has nothing in it.
    Empty(&'static str),
}

impl std::fmt::Display for OutfitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoPiece(name) => write!(f, "there is no piece of clothing `{name}`"),
            Self::BadNumber(what) => write!(
                f,
                "{what}: hues go from 0 to 360, saturations and brightnesses from 0 to 100, shares from 0 on"
            ),
            Self::Empty(what) => write!(f, "an outfit needs at least one entry in `{what}`"),
        }
    }
}

impl std::error::Error for OutfitError {}

impl Outfit {
    /// Checks that all pieces are there and all numbers can be used.
    pub fn check(&self) -> Result<(), OutfitError> {
        for (what, empty) in [
            ("top", self.top.is_empty()),
            ("bottom", self.bottom.is_empty()),
            ("shoes", self.shoes.is_empty()),
            ("top_colours", self.top_colours.is_empty()),
            ("second_colours", self.second_colours.is_empty()),
            ("bottom_colours", self.bottom_colours.is_empty()),
            ("shoe_colours", self.shoe_colours.is_empty()),
            ("hat_colours", self.hat_colours.is_empty()),
            ("bag_colours", self.bag_colours.is_empty()),
        ] {
            if empty {
                return Err(OutfitError::Empty(what));
            }
        }
        for garb in self.top.iter().chain(&self.bottom).chain(&self.shoes).chain(&self.accessories) {
            if garb.piece != "none" && crate::piece_named(&garb.piece).is_none() {
                return Err(OutfitError::NoPiece(garb.piece.clone()));
            }
            if !(garb.women >= 0.0 && garb.men >= 0.0 && garb.women.is_finite() && garb.men.is_finite()) {
                return Err(OutfitError::BadNumber(garb.piece.clone()));
            }
        }
        let lists = [
            &self.top_colours,
            &self.second_colours,
            &self.bottom_colours,
            &self.shoe_colours,
            &self.hat_colours,
            &self.bag_colours,
        ];
        for range in lists.into_iter().flatten() {
            let inside =
                |values: [f32; 2], most: f32| values.iter().all(|value| (0.0..=most).contains(value));
            if !(inside(range.hue, 720.0)
                && inside(range.saturation, 100.0)
                && inside(range.brightness, 100.0)
                && range.share >= 0.0)
            {
                return Err(OutfitError::BadNumber(self.name.clone()));
            }
        }
        Ok(())
    }
}

fn garb(list: &[(&str, f32, f32)]) -> Vec<Garb> {
    let all =
        |&(piece, women, men): &(&str, f32, f32)| Garb { piece: piece.into(), women, men, ages: all_ages() };
    list.iter().map(all).collect()
}

/// The same with things that only some ages have.
fn garb_and_things(list: &[(&str, f32, f32)]) -> Vec<Garb> {
    let things = [
        ("cane", 0.20, 0.20, [70.0, 200.0]),
        ("stroller", 0.020, 0.012, [22.0, 46.0]),
        ("suitcase", 0.025, 0.025, [16.0, 80.0]),
        ("wheelchair", 0.004, 0.004, [12.0, 200.0]),
    ];
    let things = things.map(|(piece, women, men, ages)| Garb { piece: piece.into(), women, men, ages });
    garb(list).into_iter().chain(things).collect()
}

/// Hue, saturation, brightness, each from and to, and the share.
type Range = ([f32; 2], [f32; 2], [f32; 2], f32);

fn colours(list: &[Range]) -> Vec<HsbRange> {
    list.iter()
        .map(|&(hue, saturation, brightness, share)| HsbRange { hue, saturation, brightness, share })
        .collect()
}

type Box_ = ([f32; 2], [f32; 2], [f32; 2], f32);
const DENIM: Box_ = ([212.0, 226.0], [35.0, 62.0], [22.0, 52.0], 3.0);
const BLACKS: Box_ = ([0.0, 360.0], [0.0, 12.0], [8.0, 20.0], 2.0);
const GREYS: Box_ = ([200.0, 230.0], [3.0, 12.0], [25.0, 60.0], 1.5);
const BEIGES: Box_ = ([28.0, 44.0], [18.0, 38.0], [48.0, 78.0], 1.0);
const NAVIES: Box_ = ([215.0, 230.0], [45.0, 70.0], [14.0, 32.0], 1.5);
const WHITES: Box_ = ([30.0, 220.0], [0.0, 5.0], [86.0, 96.0], 1.5);
const BROWNS: Box_ = ([18.0, 32.0], [45.0, 65.0], [18.0, 42.0], 1.0);
const BRIGHTS: Box_ = ([0.0, 360.0], [42.0, 68.0], [42.0, 76.0], 0.8);
const MUTED: Box_ = ([0.0, 360.0], [20.0, 45.0], [35.0, 72.0], 2.5);

/// The outfits that come with the program: leisure, business, sport, winter, uniform, team.
pub fn outfits() -> Vec<Outfit> {
    let bags = colours(&[BLACKS, BROWNS, NAVIES, MUTED, BEIGES]);
    let hats = colours(&[BLACKS, GREYS, NAVIES, BRIGHTS, MUTED]);
    vec![
        Outfit {
            name: "leisure".into(),
            share: 6.0,
            alike: false,
            top: garb(&[
                ("t-shirt", 3.0, 4.0),
                ("shirt", 2.0, 2.5),
                ("sweater", 2.0, 2.0),
                ("hoodie", 1.2, 2.2),
                ("jacket", 1.5, 1.5),
                ("dress", 2.0, 0.0),
            ]),
            bottom: garb(&[
                ("trousers", 2.0, 4.0),
                ("slim trousers", 4.0, 2.5),
                ("shorts", 0.8, 1.4),
                ("skirt", 1.5, 0.0),
                ("long skirt", 0.8, 0.0),
            ]),
            shoes: garb(&[("trainers", 3.0, 4.0), ("shoes", 2.0, 1.5), ("boots", 1.0, 0.5)]),
            accessories: garb_and_things(&[
                ("cap", 0.05, 0.13),
                ("hat", 0.03, 0.03),
                ("headscarf", 0.06, 0.0),
                ("glasses", 0.16, 0.18),
                ("sunglasses", 0.09, 0.07),
                ("scarf", 0.06, 0.03),
                ("backpack", 0.14, 0.20),
                ("shoulder bag", 0.22, 0.08),
                ("carrier bag", 0.10, 0.08),
                ("handbag", 0.14, 0.0),
                ("phone", 0.06, 0.08),
            ]),
            top_colours: colours(&[WHITES, BLACKS, GREYS, NAVIES, MUTED, BRIGHTS]),
            second_colours: colours(&[WHITES, BLACKS, MUTED, BRIGHTS]),
            bottom_colours: colours(&[DENIM, BLACKS, BEIGES, GREYS, NAVIES]),
            shoe_colours: colours(&[WHITES, BLACKS, BROWNS, GREYS, BRIGHTS]),
            hat_colours: hats.clone(),
            bag_colours: bags.clone(),
            patterns: vec![(0, 5.0), (1, 1.0), (2, 0.5), (3, 0.8), (4, 0.4), (5, 0.6), (6, 1.2)],
        },
        Outfit {
            name: "business".into(),
            share: 1.8,
            alike: false,
            top: garb(&[("jacket", 3.0, 5.0), ("shirt", 2.0, 2.5), ("coat", 1.5, 1.5), ("dress", 1.5, 0.0)]),
            bottom: garb(&[("trousers", 2.0, 5.0), ("slim trousers", 2.0, 0.8), ("skirt", 2.0, 0.0)]),
            shoes: garb(&[("shoes", 4.0, 5.0), ("boots", 0.8, 0.2)]),
            accessories: garb_and_things(&[
                ("glasses", 0.24, 0.28),
                ("briefcase", 0.12, 0.26),
                ("handbag", 0.30, 0.0),
                ("shoulder bag", 0.14, 0.14),
                ("scarf", 0.08, 0.05),
                ("phone", 0.08, 0.08),
            ]),
            top_colours: colours(&[NAVIES, BLACKS, GREYS, ([20.0, 40.0], [10.0, 25.0], [30.0, 50.0], 0.6)]),
            second_colours: colours(&[WHITES, WHITES, ([205.0, 220.0], [12.0, 25.0], [80.0, 94.0], 1.0)]),
            bottom_colours: colours(&[NAVIES, BLACKS, GREYS]),
            shoe_colours: colours(&[BLACKS, BLACKS, BROWNS]),
            hat_colours: hats.clone(),
            bag_colours: colours(&[BLACKS, BROWNS]),
            patterns: vec![(0, 6.0), (2, 1.0)],
        },
        Outfit {
            name: "sport".into(),
            share: 0.8,
            alike: false,
            top: garb(&[("t-shirt", 4.0, 5.0), ("hoodie", 2.0, 2.0)]),
            bottom: garb(&[("slim trousers", 4.0, 1.0), ("shorts", 2.0, 4.0)]),
            shoes: garb(&[("trainers", 1.0, 1.0)]),
            accessories: garb(&[("cap", 0.20, 0.22), ("sunglasses", 0.10, 0.10), ("backpack", 0.12, 0.12)]),
            top_colours: colours(&[BRIGHTS, BRIGHTS, BLACKS, WHITES]),
            second_colours: colours(&[BRIGHTS, WHITES, BLACKS]),
            bottom_colours: colours(&[BLACKS, NAVIES, GREYS]),
            shoe_colours: colours(&[BRIGHTS, WHITES]),
            hat_colours: hats.clone(),
            bag_colours: bags.clone(),
            patterns: vec![(0, 3.0), (5, 2.0), (6, 1.0)],
        },
        Outfit {
            name: "winter".into(),
            share: 0.7,
            alike: false,
            top: garb(&[("coat", 4.0, 3.0), ("jacket", 1.0, 2.0), ("hoodie", 0.5, 1.0)]),
            bottom: garb(&[("slim trousers", 3.0, 1.5), ("trousers", 1.5, 4.0), ("long skirt", 1.0, 0.0)]),
            shoes: garb(&[("boots", 4.0, 2.0), ("shoes", 0.5, 1.5)]),
            accessories: garb(&[
                ("beanie", 0.45, 0.45),
                ("scarf", 0.55, 0.40),
                ("headscarf", 0.06, 0.0),
                ("glasses", 0.16, 0.18),
                ("backpack", 0.14, 0.16),
                ("shoulder bag", 0.2, 0.06),
                ("carrier bag", 0.10, 0.08),
            ]),
            top_colours: colours(&[BLACKS, NAVIES, GREYS, BROWNS, MUTED, BEIGES]),
            second_colours: colours(&[WHITES, GREYS, MUTED]),
            bottom_colours: colours(&[DENIM, BLACKS, GREYS]),
            shoe_colours: colours(&[BLACKS, BROWNS]),
            hat_colours: hats.clone(),
            bag_colours: bags.clone(),
            patterns: vec![(0, 6.0), (3, 1.0)],
        },
        Outfit {
            name: "uniform".into(),
            share: 0.0,
            alike: true,
            top: garb(&[("shirt", 1.0, 1.0)]),
            bottom: garb(&[("trousers", 1.0, 1.0)]),
            shoes: garb(&[("boots", 1.0, 1.0)]),
            accessories: garb(&[("cap", 1.0, 1.0)]),
            top_colours: colours(&[([210.0, 215.0], [40.0, 45.0], [48.0, 52.0], 1.0)]),
            second_colours: colours(&[WHITES]),
            bottom_colours: colours(&[NAVIES]),
            shoe_colours: colours(&[BLACKS]),
            hat_colours: colours(&[NAVIES]),
            bag_colours: colours(&[BLACKS]),
            patterns: vec![(0, 1.0)],
        },
        Outfit {
            name: "team".into(),
            share: 0.0,
            alike: true,
            top: garb(&[("t-shirt", 1.0, 1.0)]),
            bottom: garb(&[("shorts", 1.0, 1.0)]),
            shoes: garb(&[("trainers", 1.0, 1.0)]),
            accessories: Vec::new(),
            top_colours: colours(&[([350.0, 356.0], [78.0, 82.0], [74.0, 78.0], 1.0)]),
            second_colours: colours(&[WHITES]),
            bottom_colours: colours(&[WHITES]),
            shoe_colours: colours(&[BLACKS]),
            hat_colours: hats,
            bag_colours: bags,
            patterns: vec![(5, 1.0)],
        },
    ]
}
