//! Somatotypes (Sheldon 1940; Thalmann and Musse 2013, section 3.5): how fat, muscular and slender a body is, and what
//! that makes of its parts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ratings of fatness, muscularity and slenderness, from about ½ to about 9.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Somatotype {
    /// Endomorphy: relative fatness.
    pub endo: f32,
    /// Mesomorphy: bones and muscles relative to stature.
    pub meso: f32,
    /// Ectomorphy: linearity.
    pub ecto: f32,
}

/// The sums of ratings that bodies have (eq. 3.2).
pub const SUMS: [f32; 2] = [9.0, 13.0];

/// Ectomorphy of a height in metres and a weight in kilograms, from the ratio of height to the cube root of weight
/// (eq. 3.1) by the lines of Heath and Carter (1967), which the book does not give.
pub fn ectomorphy(height: f32, weight: f32) -> f32 {
    let ratio = height * 100.0 / libm::cbrtf(weight.max(1.0));
    let rating = if ratio >= 40.75 {
        0.732 * ratio - 28.58
    } else if ratio > 38.25 {
        0.463 * ratio - 17.63
    } else {
        0.1
    };
    rating.clamp(0.1, 9.0)
}

/// A rating that is told: exactly, or from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rating {
    /// Exactly that.
    Exact(f32),
    /// At least and at most.
    Between([f32; 2]),
}

impl Rating {
    /// The least and the most.
    pub fn bounds(self) -> [f32; 2] {
        match self {
            Self::Exact(rating) => [rating; 2],
            Self::Between(bounds) => bounds,
        }
    }

    /// Whether it is from ½ to 9, the least not above the most.
    pub fn is_sound(self) -> bool {
        let [least, most] = self.bounds();
        least <= most && 0.5 <= least && most <= 9.0
    }
}

/// What is told about a somatotype; the rest is drawn, ectomorphy comes of height and weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratings {
    /// Endomorphy.
    pub endo: Option<Rating>,
    /// Mesomorphy.
    pub meso: Option<Rating>,
    /// Ectomorphy, where it is not to follow from height and weight.
    pub ecto: Option<Rating>,
}

impl Somatotype {
    /// Whether the ratings sum to what bodies have.
    pub fn is_sound(&self) -> bool {
        (SUMS[0]..=SUMS[1]).contains(&(self.endo + self.meso + self.ecto))
    }

    /// A somatotype for a height in metres and a weight in kilograms: what is not told exactly is drawn until the sum is sound, `draw` giving
    /// numbers from 0 to below 1.
    pub fn of(height: f32, weight: f32, told: Ratings, mut draw: impl FnMut() -> f32) -> Self {
        let follows = ectomorphy(height, weight);
        let ecto = told.ecto.map_or(follows, |rating| {
            let [least, most] = rating.bounds();
            follows.clamp(least, most)
        });
        // Who is heavy for the height is so by fat or by muscle.
        let heavy = (4.5 - ecto).clamp(-1.0, 4.5);
        let mut rate = |told: Option<Rating>, usual: f32, spread: f32, middle: f32| {
            let drawn = draw();
            match told {
                Some(rating) => {
                    let [least, most] = rating.bounds();
                    least + (most - least) * drawn
                }
                None => (usual + spread * (drawn - middle)).clamp(0.5, 9.0),
            }
        };
        let mut best = Self { endo: 4.0, meso: 4.0, ecto };
        for _ in 0..24 {
            best.endo = rate(told.endo, 2.2 + 0.8 * heavy, 2.6, 0.4);
            best.meso = rate(told.meso, 3.2 + 0.35 * heavy, 2.4, 0.5);
            if best.is_sound() {
                return best;
            }
        }
        // Told ratings win over the rule, as far as they leave room; drawn ones give way.
        for (rating, bounds) in [(0, told.endo), (1, told.meso)] {
            let sum = best.endo + best.meso + best.ecto;
            let miss = SUMS[0].max(sum.min(SUMS[1])) - sum;
            let [least, most] = bounds.map_or([0.5, 9.0], Rating::bounds);
            let value = if rating == 0 { &mut best.endo } else { &mut best.meso };
            *value = (*value + miss).clamp(least, most);
        }
        best
    }

    /// The weights of the extremes 7-1-1, 1-7-1 and 1-1-7 that give these ratings: the linear system of eq. 3.3.
    pub fn weights(&self) -> [f32; 3] {
        // Its matrix is 6 I + ones: the inverse is closed.
        let share = (self.endo + self.meso + self.ecto) / 9.0;
        [self.endo, self.meso, self.ecto].map(|rating| (rating - share) / 6.0)
    }
}

/// A part of the body that has dimensions of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPart {
    /// Its name.
    pub name: &'static str,
    /// Width and depth in the extremes endo-, meso- and ectomorph, relative to one another; endomorphs once for each of [`Fat`].
    endo: [[f32; 2]; 3],
    meso: [f32; 2],
    ecto: [f32; 2],
}

/// Where somebody puts on weight: the book has more than one table for an extreme, too (section 3.5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fat {
    /// On the belly.
    #[default]
    Belly,
    /// On hips, buttocks and thighs.
    Hips,
    /// All over.
    Evenly,
}

impl Fat {
    /// Where a man or a woman has it, by a number from 0 to below 1: women more often on the hips.
    pub fn of(woman: bool, draw: f32) -> Self {
        let [belly, hips] = if woman { [0.25, 0.60] } else { [0.70, 0.05] };
        match draw {
            draw if draw < belly => Self::Belly,
            draw if draw < belly + hips => Self::Hips,
            _ => Self::Evenly,
        }
    }
}

impl BodyPart {
    const fn new(name: &'static str, endo: [[f32; 2]; 3], meso: [f32; 2], ecto: [f32; 2]) -> Self {
        Self { name, endo, meso, ecto }
    }

    fn dimensions(&self, fat: Fat) -> [[f32; 2]; 3] {
        [self.endo[fat as usize], self.meso, self.ecto]
    }
}

/// All parts, by the numbers that pages use. The tables are our own, by eye from Sheldon's photographs and the circumferences of
/// Heath and Carter's examples: the book leaves them to whoever makes the template. That bodies weigh what is told is seen to
/// afterwards (`girth`). Heights of parts stay as the skeleton has them, so that clips fit everybody.
pub const BODY_PARTS: [BodyPart; 11] = [
    BodyPart::new("head", [[1.05, 1.04], [1.03, 1.02], [1.06, 1.05]], [1.02, 1.01], [0.97, 0.98]),
    BodyPart::new("neck", [[1.22, 1.24], [1.12, 1.12], [1.24, 1.24]], [1.20, 1.16], [0.86, 0.86]),
    BodyPart::new("chest", [[1.20, 1.28], [1.10, 1.16], [1.24, 1.30]], [1.14, 1.14], [0.87, 0.85]),
    BodyPart::new("belly", [[1.42, 1.84], [1.26, 1.40], [1.36, 1.62]], [1.02, 1.00], [0.84, 0.80]),
    BodyPart::new("hips", [[1.24, 1.30], [1.44, 1.50], [1.30, 1.36]], [1.00, 1.02], [0.90, 0.88]),
    BodyPart::new("upper arm", [[1.34, 1.36], [1.24, 1.26], [1.42, 1.44]], [1.26, 1.28], [0.78, 0.78]),
    BodyPart::new("forearm", [[1.18, 1.18], [1.12, 1.12], [1.24, 1.24]], [1.20, 1.20], [0.86, 0.86]),
    BodyPart::new("hand", [[1.06, 1.10], [1.04, 1.06], [1.08, 1.12]], [1.06, 1.06], [0.96, 0.94]),
    BodyPart::new("thigh", [[1.26, 1.30], [1.46, 1.48], [1.34, 1.36]], [1.12, 1.16], [0.84, 0.84]),
    BodyPart::new("shank", [[1.16, 1.18], [1.22, 1.24], [1.24, 1.26]], [1.14, 1.16], [0.87, 0.87]),
    BodyPart::new("foot", [[1.06, 1.03], [1.05, 1.03], [1.07, 1.04]], [1.04, 1.02], [0.97, 0.98]),
];

/// Width and depth of every part of [`BODY_PARTS`] relative to the template's.
pub type Scales = [[f32; 2]; BODY_PARTS.len()];

/// The somatotype that the built-in templates have.
pub(crate) const TEMPLATE: Somatotype = Somatotype { endo: 3.6, meso: 3.9, ecto: 3.2 };

impl Somatotype {
    /// A dimension of a part by eq. 3.5. Weights are taken relative to their sum: bones do not grow with the ratings.
    fn dimension(&self, part: &BodyPart, fat: Fat, axis: usize) -> f32 {
        let weights = self.weights();
        let sum: f32 = weights.iter().sum();
        weights.iter().zip(part.dimensions(fat)).map(|(weight, table)| weight * table[axis]).sum::<f32>()
            / sum
    }

    /// How parts differ from those of a template of the somatotype `template` (eq. 3.6), each with its own variation from -0.1 to 0.1 by `draw`, which gives
    /// numbers from 0 to below 1.
    pub fn scales(&self, template: &Self, fat: Fat, mut draw: impl FnMut() -> f32) -> Scales {
        let mut scales = [[1.0; 2]; BODY_PARTS.len()];
        for (part, scale) in BODY_PARTS.iter().zip(&mut scales) {
            // Heads, hands and feet vary less: at a tenth they look wrong.
            let most = if is_end(part) { 0.03 } else { 0.1 };
            for (axis, value) in scale.iter_mut().enumerate() {
                let new = self.dimension(part, fat, axis) / template.dimension(part, Fat::default(), axis);
                *value = (new + (draw() * 2.0 - 1.0) * most).clamp(0.6, 1.9);
            }
        }
        scales
    }
}

/// Whether a part is a head, a hand or a foot.
pub(crate) fn is_end(part: &BodyPart) -> bool {
    matches!(part.name, "head" | "hand" | "foot")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The book's six: height in metres, weight in kilograms, somatotype. Of the last the book forces the ectomorphy.
    const SIX: [(f32, f32, [f32; 3]); 6] = [
        (1.715, 100.5, [4.0, 8.0, 0.5]),
        (1.715, 63.8, [4.0, 4.0, 3.0]),
        (1.682, 56.5, [4.5, 2.5, 3.5]),
        (1.682, 79.0, [8.5, 2.0, 0.5]),
        (1.761, 55.4, [1.5, 3.5, 5.5]),
        (1.761, 70.0, [8.5, 2.0, 0.5]),
    ];

    #[test]
    fn the_book_s_persons_come_out_within_half_a_point() {
        for (number, (height, weight, [endo, meso, ecto])) in SIX.into_iter().enumerate() {
            let told = Ratings {
                endo: Some(Rating::Exact(endo)),
                meso: Some(Rating::Exact(meso)),
                ecto: (number == 5).then_some(Rating::Exact(ecto)),
            };
            let made = Somatotype::of(height, weight, told, || 0.5);
            assert!((made.endo - endo).abs() <= 0.5 && (made.meso - meso).abs() <= 0.5);
            assert!((made.ecto - ecto).abs() <= 0.5, "{height} m, {weight} kg: {}", made.ecto);
        }
    }

    #[test]
    fn weights_solve_the_system() {
        let type_ = Somatotype { endo: 4.5, meso: 2.5, ecto: 3.5 };
        let [a, b, c] = type_.weights();
        for (row, rating) in [[7.0, 1.0, 1.0], [1.0, 7.0, 1.0], [1.0, 1.0, 7.0]].iter().zip([4.5, 2.5, 3.5]) {
            assert!((row[0] * a + row[1] * b + row[2] * c - rating).abs() < 1e-5);
        }
    }

    #[test]
    fn drawn_sums_are_sound() {
        let chance = crate::Chance::of(5);
        let mut purpose = 0;
        for weight in [42.0, 50.0, 60.0, 70.0, 85.0, 100.0, 130.0] {
            for height in [1.5, 1.65, 1.75, 1.9] {
                let made = Somatotype::of(height, weight, Ratings::default(), || {
                    purpose += 1;
                    chance.unit(purpose)
                });
                assert!(made.is_sound() || made.endo <= 0.5, "{height} m, {weight} kg: {made:?}");
            }
        }
    }

    #[test]
    fn ranges_are_kept_to() {
        let chance = crate::Chance::of(9);
        let told = Ratings {
            endo: Some(Rating::Between([2.0, 3.0])),
            meso: Some(Rating::Between([5.0, 7.0])),
            ..Ratings::default()
        };
        for number in 0..200 {
            let made = Somatotype::of(1.75, 78.0, told, || chance.unit(number));
            assert!((2.0..=3.0).contains(&made.endo) && (5.0..=7.0).contains(&made.meso) && made.is_sound());
        }
    }

    #[test]
    fn the_fat_are_wider_than_the_thin() {
        let belly =
            |endo, meso, ecto| Somatotype { endo, meso, ecto }.scales(&TEMPLATE, Fat::Belly, || 0.5)[3];
        let (fat, thin) = (belly(8.5, 2.0, 0.5), belly(1.5, 3.5, 5.5));
        assert!(fat[0] > 1.15 && fat[1] > 1.25 && thin[0] < 0.95 && thin[1] < 0.95, "{fat:?} {thin:?}");
    }
}
