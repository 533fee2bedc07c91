//! One person of a population: what is told about it, and what is drawn besides.

use crate::Chance;
use crate::build::age_of_height;
use crate::girth::weighing;
use crate::looks::Look;
use crate::outfits::Outfit;
use crate::somatotype::{Fat, Rating, Ratings, Scales, Somatotype, TEMPLATE};
use crate::wardrobe::set;
use crowdloom_shapes::bake::Template;
use serde::{Deserialize, Serialize};

/// What is known about somebody; the rest is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Whether it is a woman.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub woman: Option<bool>,
    /// Age in years.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age: Option<f32>,
    /// Height in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f32>,
    /// Weight in kilograms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f32>,
    /// Endomorphy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endo: Option<Rating>,
    /// Mesomorphy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meso: Option<Rating>,
    /// Ectomorphy, where it is not to follow from height and weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ecto: Option<Rating>,
    /// The name of the outfit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outfit: Option<String>,
    /// Names of pieces that it has besides or instead of what its outfit says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<String>,
    /// Whether it has no other accessories than those, whatever its outfit says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
    /// Whether it has nothing in its hands that chance or its outfit gives: it needs them for something else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub empty_handed: bool,
    /// Radius in metres of the disc that it takes, where that is large enough for things that are pushed, pulled or sat in: chance
    /// and outfits give such things to nobody else, as a disc has to hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<f32>,
    /// Names of what arms do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gestures: Vec<String>,
}

/// Somebody with a body and looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// Whether it is a woman.
    pub woman: bool,
    /// Age in years.
    pub age: f32,
    /// Height in metres.
    pub height: f32,
    /// Weight in kilograms.
    pub weight: f32,
    /// How fat, muscular and slender.
    pub somatotype: Somatotype,
    /// The number of the template.
    pub template: usize,
    /// The height relative to the template's.
    pub scale: f32,
    /// Widths and depths of parts relative to the template's.
    pub scales: Scales,
    /// Clothes, hair, accessories and colours.
    pub look: Look,
    /// Names of what arms do, besides holding what it has.
    pub gestures: Vec<String>,
}

/// Medians of height in metres and weight in kilograms at ages: girls, then boys (WHO Growth Reference 2007, rounded; weights
/// over 10 years from the same body-mass medians).
const GROWTH: [(f32, [f32; 2], [f32; 2]); 8] = [
    (2.0, [0.86, 11.5], [0.87, 12.2]),
    (4.0, [1.03, 16.1], [1.03, 16.3]),
    (6.0, [1.15, 20.2], [1.16, 20.5]),
    (8.0, [1.27, 25.0], [1.27, 25.4]),
    (10.0, [1.39, 31.9], [1.38, 31.2]),
    (12.0, [1.51, 41.0], [1.49, 39.0]),
    (15.0, [1.60, 51.5], [1.69, 56.5]),
    (19.0, [1.64, 57.0], [1.77, 69.0]),
];

/// Median height and weight of an age.
pub(crate) fn growth(age: f32, woman: bool) -> [f32; 2] {
    let row = |index: usize| if woman { GROWTH[index].1 } else { GROWTH[index].2 };
    let next = GROWTH.iter().position(|(years, ..)| *years > age);
    match next {
        Some(0) => row(0),
        None => {
            // Grown people get heavier until sixty, and a little shorter after forty.
            let [height, weight] = row(GROWTH.len() - 1);
            let years = ((age - 19.0) / 40.0).clamp(0.0, 1.0);
            let shrunk = ((age - 40.0).max(0.0) * 0.0008).min(0.045);
            [height - shrunk, weight * (1.0 + 0.18 * years)]
        }
        Some(next) => {
            let t = (age - GROWTH[next - 1].0) / (GROWTH[next].0 - GROWTH[next - 1].0);
            std::array::from_fn(|i| row(next - 1)[i] + (row(next)[i] - row(next - 1)[i]) * t)
        }
    }
}

/// The somatotype of a height and a weight at an age.
fn rated(age: f32, height: f32, weight: f32, told: Ratings, draw: impl FnMut() -> f32) -> Somatotype {
    if age >= 13.0 {
        return Somatotype::of(height, weight, told, draw);
    }
    // The lines of Heath and Carter are for the grown: children are rated as if grown to the same shape.
    let grown = 1.70 / height;
    Somatotype::of(1.70, weight * grown * grown * grown * 0.78, told, draw)
}

/// The somatotype that a template has before anything grows.
fn own_somatotype(template: &Template) -> Somatotype {
    template.person.map_or(TEMPLATE, |[height, weight]| {
        rated(template.ages[0].max(2.0), height, weight, Ratings::default(), || 0.5)
    })
}

/// The template for somebody: of the sex and the age, and of those the one that has least to grow.
pub(crate) fn template_for(woman: bool, age: f32, rating: &Somatotype, skin: u8, chance: &Chance) -> usize {
    let unlike = |(number, template): &(usize, &Template)| {
        let own = own_somatotype(template);
        let away = (own.ecto - rating.ecto).abs() + 0.3 * (own.endo - rating.endo).abs();
        let [from, to] = template.ages;
        let years = (from - age).max(age - to).max(0.0);
        let other_sex = template.woman.is_some_and(|own| own != woman);
        let other_skin = !(template.skin[0]..=template.skin[1]).contains(&skin);
        let habit = chance.unit(purpose::TEMPLATE + *number as u32);
        away + habit
            + years * 1000.0
            + 100.0 * f32::from(u8::from(other_sex))
            + 10.0 * f32::from(u8::from(other_skin))
    };
    let all = set().templates.iter().enumerate();
    all.min_by(|a, b| unlike(a).total_cmp(&unlike(b))).map_or(0, |(number, _)| number)
}

mod purpose {
    pub const SEX: u32 = 7;
    pub const AGE: u32 = 20;
    pub const HEIGHT: u32 = 21;
    pub const WEIGHT: u32 = 22;
    pub const FAT: u32 = 23;
    pub const SOMATOTYPE: u32 = 1000;
    pub const PARTS: u32 = 2000;
    pub const TEMPLATE: u32 = 300;
}

impl Person {
    /// The person that is drawn by `number`, as far as it is not `told`; `outfits` are those that it may wear.
    pub fn draw(told: &Told, number: u32, outfits: &[Outfit]) -> Self {
        let chance = Chance::of(number);
        let woman = told.woman.unwrap_or_else(|| chance.unit(purpose::SEX) < 0.5);
        // Few children and few old people are out in a street.
        let child = told.height.filter(|height| *height < 1.45).map(age_of_height);
        let age = told.age.or(child).unwrap_or_else(|| {
            let drawn = 38.0 + 17.0 * chance.normal(purpose::AGE);
            if drawn < 6.0 { 18.0 + (6.0 - drawn) } else { drawn.min(88.0) }
        });
        let age = age.clamp(2.0, 100.0);
        let [usual, weight] = growth(age, woman);
        let spread = if age < 18.0 { 0.045 } else { 0.038 };
        let height = told.height.unwrap_or_else(|| usual * (1.0 + spread * chance.normal(purpose::HEIGHT)));
        let height = height.clamp(0.75, 2.3);
        let weight = told.weight.unwrap_or_else(|| {
            // More are heavy than light, by the same share.
            let draw = chance.normal(purpose::WEIGHT);
            let stout = 1.0 + 0.13 * draw + 0.03 * draw.max(0.0) * draw;
            weight * (height / usual) * (height / usual) * stout
        });
        let weight = weight.clamp(8.0, 250.0);
        let mut drawn = purpose::SOMATOTYPE;
        let ratings = Ratings { endo: told.endo, meso: told.meso, ecto: told.ecto };
        let somatotype = rated(age, height, weight, ratings, || {
            drawn += 1;
            chance.unit(drawn)
        });
        let mut look = Look::draw(woman, age, told.outfit.as_deref(), number, outfits);
        look.lay_down_wider_than(told.room.unwrap_or(0.0));
        if told.only {
            look.lay_down_accessories();
        }
        if told.empty_handed {
            look.empty_hands();
        }
        look.take(&told.things);
        let template = template_for(woman, age, &somatotype, look.colours.skin[0], &chance);
        let mut drawn = purpose::PARTS;
        let fat = Fat::of(woman, chance.unit(purpose::FAT));
        let scales = somatotype.scales(&own_somatotype(&set().templates[template]), fat, || {
            drawn += 1;
            chance.unit(drawn)
        });
        let scale = height / set().templates[template].height;
        // A rating that is forced against height and weight shapes the body instead of the weight.
        let scales = match told.ecto {
            None => weighing(template, scale, &scales, weight),
            Some(_) => scales,
        };
        let gestures = told.gestures.clone();
        Self { woman, age, height, weight, somatotype, template, scale, scales, look, gestures }
    }
}
