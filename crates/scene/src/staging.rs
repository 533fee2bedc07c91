//! What people wear and do with their arms, and what stands behind them: outfits, things, gestures, light and the user's own set.

use crate::build::Checker;
use crate::file::{Name, Point, SceneFile};
use crate::people::People;
use crate::prop::Population;
use crowdloom_bodies::{
    Garb, HsbRange, Outfit, OutfitError, PATTERNS, Ratings, outfits, piece_named, pieces,
};
use crowdloom_gesture::{BUILT_IN, Gesture};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// An outfit of the scene's own: like another but for what is said here.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OutfitTable {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Name,
    /// The outfit that it is like in all that is not said.
    #[serde(default = "leisure")]
    pub like: String,
    /// How often it is worn by people of whom no outfit is told, relative to the others; leisure has 6.
    #[serde(default)]
    pub share: f32,
    /// Whether all who wear it have the same colours.
    pub alike: Option<bool>,
    /// From the shoulders down.
    pub top: Option<Vec<Piece>>,
    /// From the waist down.
    pub bottom: Option<Vec<Piece>>,
    /// Shoes.
    pub shoes: Option<Vec<Piece>>,
    /// Hats, glasses, bags and what else there is; shares of people who have each.
    pub accessories: Option<Vec<Piece>>,
    /// Colours of tops.
    pub top_colours: Option<Vec<HsbRange>>,
    /// Second colours of tops.
    pub second_colours: Option<Vec<HsbRange>>,
    /// Colours of bottoms.
    pub bottom_colours: Option<Vec<HsbRange>>,
    /// Colours of shoes.
    pub shoe_colours: Option<Vec<HsbRange>>,
    /// Colours of hats and scarves.
    pub hat_colours: Option<Vec<HsbRange>>,
    /// Colours of bags and other things.
    pub bag_colours: Option<Vec<HsbRange>>,
    /// Patterns of tops: `plain`, `stripes`, `pinstripes`, `checks`, `dots`, `band`, `print`.
    pub patterns: Option<Vec<String>>,
}

fn leisure() -> String {
    "leisure".into()
}

/// A piece by its name, or with how often it is worn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Piece {
    /// As often as any other.
    Plain(String),
    /// As often as it says.
    Often(Garb),
}

impl Piece {
    fn garb(&self) -> Garb {
        match self {
            Self::Plain(name) => Garb::plain(name),
            Self::Often(garb) => garb.clone(),
        }
    }
}

fn one() -> f32 {
    1.0
}

/// What stands behind the crowd, and the light.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SetTable {
    /// The hour of the day, from 0 to 24: where the sun stands, and the colour of its light [default: bright day].
    pub hour: Option<f32>,
    /// A glTF file beside the scene (`.glb`) that is drawn behind the crowd: metres, y up, x and -z the ground's x and y.
    #[schemars(with = "Option<String>")]
    pub model: Option<Name>,
    /// Where its origin is.
    #[serde(default)]
    pub at: Point,
    /// Degrees by which it is turned to the left.
    #[serde(default)]
    pub facing: f32,
    /// How much larger it is drawn.
    #[serde(default = "one")]
    pub scale: f32,
    /// Whether generated walls, floors and houses are drawn besides [default: only without a model].
    pub generated: Option<bool>,
}

/// What the people of one table wear and do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costume {
    /// The outfit's name.
    pub outfit: Option<String>,
    /// Pieces that they have besides.
    pub things: Vec<String>,
    /// What arms do.
    pub gestures: Vec<String>,
    /// How fat, muscular and slender they are.
    pub ratings: Ratings,
}

/// The user's own set, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The file's contents.
    pub bytes: Vec<u8>,
    /// Where its origin is.
    pub at: Point,
    /// Degrees by which it is turned to the left.
    pub facing: f32,
    /// How much larger it is drawn.
    pub scale: f32,
}

/// All of it, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Staging {
    /// Outfits of the scene's own.
    pub outfits: Vec<Outfit>,
    /// Gestures of the scene's own.
    pub gestures: Vec<Gesture>,
    /// Costumes by one less than the number in people's profiles.
    pub costumes: Vec<Costume>,
    /// The hour of the day.
    pub hour: Option<f32>,
    /// The set.
    pub model: Option<Model>,
    /// Whether walls and floors are drawn.
    pub generated: bool,
    /// How fat, muscular and slender those are whose tables say nothing else.
    pub population: Ratings,
}

/// No set is larger than so many bytes: pages carry it.
const LARGEST_MODEL: u64 = 24 << 20;

impl Staging {
    /// Reads all that scenes say of it; mistakes go to the checker.
    pub(crate) fn read(scene: &SceneFile, folder: &Path, checker: &mut Checker<'_>) -> Self {
        let Population { endo, meso, ecto, .. } = scene.population;
        let population = Ratings { endo, meso, ecto };
        let mut staging = Self { hour: scene.set.hour, population, ..Self::default() };
        for table in &scene.outfit {
            staging.read_outfit(table, checker);
        }
        if scene.set.hour.is_some_and(|hour| !(0.0..=24.0).contains(&hour)) {
            checker.here = checker.line_starting("[set]");
            checker.problem(None, "an hour of the day is from 0 to 24", "`hour = 17.5` is half past five");
        }
        staging.model = read_model(&scene.set, folder, checker);
        staging.generated = scene.set.generated.unwrap_or(staging.model.is_none());
        for (index, people) in scene.people.iter().enumerate() {
            checker.here = checker.table_line("people", index);
            staging.read_costume(people, folder, checker);
        }
        checker.here = None;
        staging
    }

    /// The number of what a table's people wear, 0 where it says nothing.
    pub(crate) fn number_of(&self, people: &People) -> u16 {
        let costume = costume_of(people, &self.population);
        self.costumes.iter().position(|own| *own == costume).map_or(0, |place| place as u16 + 1)
    }

    fn read_outfit(&mut self, table: &OutfitTable, checker: &mut Checker<'_>) {
        let known = outfits();
        let all = known.iter().chain(&self.outfits);
        let name = table.name.get_ref();
        if all.clone().any(|outfit| outfit.name == *name) {
            let what = format!("there is an outfit `{name}` already");
            checker.problem(Some(table.name.span()), what, "give it another name");
            return;
        }
        let Some(base) = all.clone().find(|outfit| outfit.name == table.like) else {
            let names: Vec<&str> = all.map(|outfit| outfit.name.as_str()).collect();
            let what = format!("outfit `{name}` is like `{}`, which there is not", table.like);
            checker.problem(Some(table.name.span()), what, format!("there are {}", names.join(", ")));
            return;
        };
        let mut outfit = Outfit { name: name.clone(), share: table.share, ..base.clone() };
        outfit.alike = table.alike.unwrap_or(outfit.alike);
        let pieces_of = |list: &Option<Vec<Piece>>, own: &mut Vec<Garb>| {
            if let Some(list) = list {
                *own = list.iter().map(Piece::garb).collect();
            }
        };
        pieces_of(&table.top, &mut outfit.top);
        pieces_of(&table.bottom, &mut outfit.bottom);
        pieces_of(&table.shoes, &mut outfit.shoes);
        pieces_of(&table.accessories, &mut outfit.accessories);
        let colours = [
            (&table.top_colours, &mut outfit.top_colours),
            (&table.second_colours, &mut outfit.second_colours),
            (&table.bottom_colours, &mut outfit.bottom_colours),
            (&table.shoe_colours, &mut outfit.shoe_colours),
            (&table.hat_colours, &mut outfit.hat_colours),
            (&table.bag_colours, &mut outfit.bag_colours),
        ];
        for (told, own) in colours {
            if let Some(list) = told {
                own.clone_from(list);
            }
        }
        if let Some(patterns) = &table.patterns {
            outfit.patterns = Vec::new();
            for pattern in patterns {
                match PATTERNS.iter().position(|own| own == pattern) {
                    Some(number) => outfit.patterns.push((number as u8, 1.0)),
                    None => {
                        let what = format!("outfit `{name}`: there is no pattern `{pattern}`");
                        checker.problem(
                            Some(table.name.span()),
                            what,
                            format!("there are {}", PATTERNS.join(", ")),
                        );
                    }
                }
            }
        }
        match outfit.check() {
            Ok(()) => self.outfits.push(outfit),
            Err(error) => {
                let fix = match &error {
                    OutfitError::NoPiece(_) => "`crowdloom bodies info` tells all pieces",
                    _ => "see docs/bodies.md",
                };
                checker.problem(Some(table.name.span()), format!("outfit `{name}`: {error}"), fix);
            }
        }
    }

    fn read_costume(&mut self, people: &People, folder: &Path, checker: &mut Checker<'_>) {
        let costume = costume_of(people, &self.population);
        let Ratings { endo, meso, ecto } = costume.ratings;
        for (name, rating) in [("endo", endo), ("meso", meso), ("ecto", ecto)] {
            if rating.is_some_and(|rating| !rating.is_sound()) {
                let what = format!("`{name}` is no rating");
                checker.problem(None, what, "from 0.5 to 9, or [least, most]; 4 is usual");
            }
        }
        if let Some(name) = &people.outfit {
            let known = outfits();
            let mut names = known.iter().chain(&self.outfits).map(|outfit| outfit.name.as_str());
            if !names.clone().any(|own| own == name.get_ref()) {
                checker.unknown("outfit", name, names.by_ref());
            }
        }
        for thing in &people.things {
            if piece_named(thing.get_ref()).is_none() {
                checker.unknown(
                    "piece of clothing or thing",
                    thing,
                    pieces().iter().map(|piece| &*piece.name),
                );
            }
        }
        for name in &people.gestures {
            let plain = name.get_ref().strip_prefix("left ").unwrap_or(name.get_ref());
            let known = BUILT_IN.iter().any(|(own, _)| *own == plain)
                || self.gestures.iter().any(|own| own.name == *name.get_ref());
            if !known {
                self.read_gesture(name, folder, checker);
            }
        }
        if costume != Costume::default() && !self.costumes.contains(&costume) {
            self.costumes.push(costume);
        }
    }

    /// A gesture of a file beside the scene, which from then on has the file's name.
    fn read_gesture(&mut self, name: &Name, folder: &Path, checker: &mut Checker<'_>) {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        let read = std::fs::read_to_string(folder.join(name.get_ref()));
        let fix = format!(
            "a TOML file beside the scene, or one of {} (with `left ` before it for the left arm)",
            names.join(", ")
        );
        match read {
            Err(_) => {
                checker.problem(Some(name.span()), format!("there is no gesture `{}`", name.get_ref()), fix)
            }
            Ok(text) => match Gesture::parse(name.get_ref(), &text) {
                Err(error) => checker.problem(Some(name.span()), error.to_string(), fix),
                Ok(gesture) => self.gestures.push(Gesture { name: name.get_ref().clone(), ..gesture }),
            },
        }
    }
}

fn costume_of(people: &People, all: &Ratings) -> Costume {
    let text = |name: &Name| name.get_ref().clone();
    Costume {
        outfit: people.outfit.as_ref().map(text),
        things: people.things.iter().map(text).collect(),
        gestures: people.gestures.iter().map(text).collect(),
        ratings: Ratings {
            endo: people.endo.or(all.endo),
            meso: people.meso.or(all.meso),
            ecto: people.ecto.or(all.ecto),
        },
    }
}

fn read_model(set: &SetTable, folder: &Path, checker: &mut Checker<'_>) -> Option<Model> {
    let name = set.model.as_ref()?;
    let path = folder.join(name.get_ref());
    let mut problem = |what: String, fix: &str| checker.problem(Some(name.span()), what, fix);
    let numbers = set.at.iter().all(|value| value.is_finite()) && set.facing.is_finite();
    if !(numbers && set.scale > 0.0 && set.scale.is_finite()) {
        problem("a set needs a place, a direction and a size of numbers".into(), "metres and degrees");
        return None;
    }
    match std::fs::metadata(&path) {
        Ok(about) if about.len() > LARGEST_MODEL => {
            let what = format!("{} has {} MB, and pages carry 24 at most", name.get_ref(), about.len() >> 20);
            problem(what, "export it with fewer triangles and smaller pictures");
            return None;
        }
        Err(error) => {
            problem(format!("{} cannot be read: {error}", name.get_ref()), "a .glb file beside the scene");
            return None;
        }
        Ok(_) => {}
    }
    let bytes = std::fs::read(&path).unwrap_or_default();
    if !is_glb(&bytes) {
        let what = format!("{} is no binary glTF 2.0 file, or is cut short", name.get_ref());
        problem(what, "export it as .glb");
        return None;
    }
    Some(Model { bytes, at: set.at, facing: set.facing, scale: set.scale })
}

/// Whether these are all bytes of a binary glTF file of version 2 with its text.
fn is_glb(bytes: &[u8]) -> bool {
    let number =
        |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let text = number(12).and_then(|length| bytes.get(20..20 + length as usize));
    bytes.starts_with(b"glTF")
        && number(4) == Some(2)
        && number(8) == Some(bytes.len() as u32)
        && text.is_some_and(|text| serde_json::from_slice::<serde_json::Value>(text).is_ok())
}
