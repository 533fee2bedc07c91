//! Which people are made of the shape targets.

use crate::archive::{Archive, PackageError};
use crate::mesh::Base;
use glam::Vec3;

/// What a body is like, each from 0 to 1 as the targets have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// The name of the template.
    pub name: &'static str,
    /// Whether it is for women; none for both.
    pub woman: Option<bool>,
    /// Ages in years that it is for, from and to.
    pub ages: [f32; 2],
    /// Skins that it goes with: the red of their colours, from and to.
    pub skin: [u8; 2],
    /// From 0, a woman's, to 1, a man's.
    pub sex: f32,
    /// 0 for a baby, 0.1875 for a child of ten, 0.5 for somebody of twenty-five, 1 for ninety years.
    pub age: f32,
    /// Muscles: a half is usual.
    pub muscle: f32,
    /// Weight: a half is usual.
    pub weight: f32,
    /// Tallness: a half is usual.
    pub height: f32,
    /// Proportions: a half is usual, 1 is as artists draw people.
    pub proportions: f32,
    /// Shares of the ancestries of the targets: African, Asian, European.
    pub ancestry: [f32; 3],
}

const EVEN: [f32; 3] = [0.34, 0.33, 0.33];
const ALL_SKINS: [u8; 2] = [0, 255];
const GROWN: [f32; 2] = [13.0, 62.0];
const AGED: [f32; 2] = [62.0, 200.0];

const fn grown(
    name: &'static str,
    sex: f32,
    skin: [u8; 2],
    [muscle, weight]: [f32; 2],
    ancestry: [f32; 3],
) -> Recipe {
    Recipe {
        name,
        woman: Some(sex < 0.5),
        ages: GROWN,
        skin,
        sex,
        age: 0.54,
        muscle,
        weight,
        height: 0.5,
        proportions: 0.65,
        ancestry,
    }
}

const fn young(name: &'static str, sex: f32, ages: [f32; 2], age: f32) -> Recipe {
    Recipe { ages, age, muscle: 0.45, ..grown(name, sex, ALL_SKINS, [0.5, 0.48], EVEN) }
}

const fn aged(name: &'static str, sex: f32) -> Recipe {
    Recipe { ages: AGED, age: 0.86, ..grown(name, sex, ALL_SKINS, [0.42, 0.55], EVEN) }
}

/// Everybody who is made: a woman, a man, then the others.
pub const RECIPES: [Recipe; 16] = [
    grown("woman", 0.06, [150, 255], [0.46, 0.48], [0.05, 0.15, 0.80]),
    grown("man", 0.95, [150, 255], [0.56, 0.50], [0.05, 0.15, 0.80]),
    grown("woman of African descent", 0.06, [0, 175], [0.48, 0.50], [0.85, 0.05, 0.10]),
    grown("man of African descent", 0.95, [0, 175], [0.60, 0.50], [0.85, 0.05, 0.10]),
    grown("woman of Asian descent", 0.06, [170, 240], [0.44, 0.46], [0.05, 0.85, 0.10]),
    grown("man of Asian descent", 0.95, [170, 240], [0.52, 0.48], [0.05, 0.85, 0.10]),
    grown("slender woman", 0.05, ALL_SKINS, [0.42, 0.24], EVEN),
    grown("slender man", 0.94, ALL_SKINS, [0.46, 0.26], EVEN),
    grown("stout woman", 0.08, ALL_SKINS, [0.44, 0.74], EVEN),
    grown("stout man", 0.94, ALL_SKINS, [0.50, 0.76], EVEN),
    grown("heavy woman", 0.08, ALL_SKINS, [0.42, 0.96], EVEN),
    grown("heavy man", 0.94, ALL_SKINS, [0.50, 0.97], EVEN),
    young("girl", 0.12, [0.0, 13.0], 0.20),
    young("boy", 0.88, [0.0, 13.0], 0.20),
    aged("old woman", 0.08),
    aged("old man", 0.94),
];

/// Between a woman and a man: pieces are cut once for it, and then moved onto the others.
pub const NEUTRAL: Recipe =
    Recipe { age: 0.5, proportions: 0.5, ..grown("neutral", 0.5, ALL_SKINS, [0.5, 0.5], EVEN) };

/// Shares of the marks of a value between two of them.
fn between<'a>(value: f32, marks: &[(f32, &'a str)]) -> Vec<(&'a str, f32)> {
    let next = marks.iter().position(|(at, _)| *at > value).unwrap_or(marks.len());
    match next {
        0 => vec![(marks[0].1, 1.0)],
        next if next == marks.len() => vec![(marks[next - 1].1, 1.0)],
        next => {
            let ((from, low), (to, high)) = (marks[next - 1], marks[next]);
            let share = (value - from) / (to - from);
            let both = [(low, 1.0 - share), (high, share)];
            both.into_iter().filter(|(_, share)| *share > 1e-4).collect()
        }
    }
}

impl Recipe {
    /// The targets that make it, with how much each counts. Of those that change nothing there is no file.
    fn targets(&self, archive: &Archive) -> Vec<(String, f32)> {
        let sexes = between(self.sex, &[(0.0, "female"), (1.0, "male")]);
        let ages = between(self.age, &[(0.0, "baby"), (0.1875, "child"), (0.5, "young"), (1.0, "old")]);
        let muscles = between(self.muscle, &[(0.0, "minmuscle"), (0.5, "averagemuscle"), (1.0, "maxmuscle")]);
        let weights = between(self.weight, &[(0.0, "minweight"), (0.5, "averageweight"), (1.0, "maxweight")]);
        let heights = between(self.height, &[(0.0, "minheight"), (0.5, ""), (1.0, "maxheight")]);
        let forms =
            between(self.proportions, &[(0.0, "uncommonproportions"), (0.5, ""), (1.0, "idealproportions")]);
        let mut all = Vec::new();
        for (sex, of_sex) in &sexes {
            for (age, of_age) in &ages {
                for (ancestry, share) in ["african", "asian", "caucasian"].iter().zip(self.ancestry) {
                    all.push((format!("macrodetails/{ancestry}-{sex}-{age}"), of_sex * of_age * share));
                }
                for (muscle, of_muscle) in &muscles {
                    for (weight, of_weight) in &weights {
                        let (who, share) = (
                            format!("{sex}-{age}-{muscle}-{weight}"),
                            of_sex * of_age * of_muscle * of_weight,
                        );
                        all.push((format!("macrodetails/universal-{who}"), share));
                        for (height, own) in heights.iter().filter(|(height, _)| !height.is_empty()) {
                            all.push((format!("macrodetails/height/{who}-{height}"), share * own));
                        }
                        for (form, own) in forms.iter().filter(|(form, _)| !form.is_empty()) {
                            all.push((format!("macrodetails/proportions/{who}-{form}"), share * own));
                        }
                    }
                }
            }
        }
        all.into_iter()
            .filter(|(_, share)| *share > 1e-4)
            .map(|(name, share)| (format!("targets/{name}.target.gz"), share))
            // Proportions and tallness of babies have no targets.
            .filter(|(name, _)| {
                !name.contains("s/proportions/") && !name.contains("s/height/") || archive.has(name)
            })
            .collect()
    }

    /// All points of the base mesh on this body.
    pub fn shape(&self, base: &Base, archive: &Archive) -> Result<Vec<Vec3>, PackageError> {
        let mut points = base.points.clone();
        for (name, share) in self.targets(archive) {
            Base::add_target(archive, &name, share, &mut points)?;
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one() {
        for value in [-0.1, 0.0, 0.1, 0.1875, 0.3, 0.5, 0.77, 1.0, 1.5] {
            let all = between(value, &[(0.0, "a"), (0.1875, "b"), (0.5, "c"), (1.0, "d")]);
            assert!((all.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-3, "{value}");
        }
    }

    #[test]
    fn everybody_finds_a_template() {
        for age in 2..100 {
            for woman in [true, false] {
                let fits = |own: &&Recipe| {
                    own.woman == Some(woman) && own.ages[0] <= age as f32 && age as f32 <= own.ages[1]
                };
                assert!(RECIPES.iter().any(|recipe| fits(&recipe)), "{age} {woman}");
            }
        }
        assert!(RECIPES[0].woman == Some(true) && RECIPES[1].woman == Some(false));
    }
}
