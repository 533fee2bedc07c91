//! How broad bodies are and how fast they like to walk, by sex, age, height and mass.

use crate::person::growth;
use crowdloom_shapes::carried::{CARRIED, carried};

/// What is known of a body; usual values stand for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Build {
    /// Whether it is a woman.
    pub woman: Option<bool>,
    /// Age in years.
    pub age: Option<f32>,
    /// Height in metres.
    pub height: Option<f32>,
    /// Mass in kilograms.
    pub mass: Option<f32>,
}

/// Comfortable walking speeds in metres a second of women and men by decade, at its middle (Bohannon and Williams Andrews 2011,
/// "Normal walking speed: a descriptive meta-analysis", Physiotherapy 97, 182-189: 23,111 people of 41 studies; its abstract
/// has the highest and the lowest, the last row is of those from 80 to 99).
const SPEEDS: [(f32, f32, f32); 7] = [
    (25.0, 1.341, 1.358),
    (35.0, 1.337, 1.433),
    (45.0, 1.390, 1.434),
    (55.0, 1.313, 1.433),
    (65.0, 1.241, 1.339),
    (75.0, 1.132, 1.262),
    (85.0, 0.943, 0.968),
];

/// Breadth of shoulders across the deltoid muscles over height: 395 mm at 1.61 m and 465 mm at 1.74 m, the medians of British
/// women and men from 19 to 65 (Pheasant and Haslegrave 2005, "Bodyspace", table 10.1).
const SHOULDERS: [f32; 2] = [0.395 / 1.61, 0.465 / 1.74];
/// What clothes add, in metres: the same book has 10 mm indoors and 40 mm for heavy clothing outdoors, this is between.
const CLOTHES: f32 = 0.03;
/// Body-mass index at which shoulders are as broad as the table has them, and how they grow with it: ours.
const USUAL_BMI: f32 = 24.0;

/// Radius in metres of the disc that somebody takes with these things; 0 where that is no more than without.
pub fn room_with<'a>(things: impl IntoIterator<Item = &'a str>) -> f32 {
    things.into_iter().filter_map(carried).map(|thing| thing.room).fold(0.0, f32::max)
}

/// The largest disc that any of the things asks for which a disc of so many metres holds; `None` where it holds none.
pub fn room_in(radius: f32) -> Option<f32> {
    let rooms = CARRIED.iter().map(|thing| thing.room).filter(|room| (f32::EPSILON..=radius).contains(room));
    rooms.max_by(f32::total_cmp)
}

impl Build {
    fn both(&self, of: impl Fn(bool) -> f32) -> f32 {
        match self.woman {
            Some(woman) => of(woman),
            None => 0.5 * (of(true) + of(false)),
        }
    }

    fn years(&self) -> f32 {
        self.age.unwrap_or_else(|| self.height.map_or(30.0, age_of_height))
    }

    /// Its height in metres: as told, or what is usual at its age.
    pub fn tall(&self) -> f32 {
        self.height.unwrap_or_else(|| self.both(|woman| growth(self.years(), woman)[0]))
    }

    /// The speed that it likes to walk at, in metres a second.
    ///
    /// Legs that are shorter or longer than those of the usual adult walk at the same Froude number, so that speed goes with the root of
    /// their length (equations 4.6 to 4.8 of Thalmann and Musse 2013 have the same root in the normalised speed).
    pub fn walks_at(&self) -> f32 {
        let age = self.years();
        let table = |woman: bool| {
            let row = |at: usize| if woman { SPEEDS[at].1 } else { SPEEDS[at].2 };
            let next = SPEEDS.iter().position(|(years, ..)| *years > age);
            let speed = match next {
                Some(0) => row(0),
                None => {
                    // The last row is of all from eighty on; nobody gets slower than 0.5 m/s for age alone.
                    (row(SPEEDS.len() - 1) - 0.012 * (age - 85.0)).max(0.5)
                }
                Some(next) => {
                    let t = (age - SPEEDS[next - 1].0) / (SPEEDS[next].0 - SPEEDS[next - 1].0);
                    row(next - 1) + (row(next) - row(next - 1)) * t
                }
            };
            let usual = growth(age.max(20.0), woman)[0];
            speed * (self.tall() / usual).max(0.2).sqrt()
        };
        self.both(table)
    }

    /// The radius of the disc that it takes, in metres: half the breadth of its clothed shoulders.
    pub fn radius(&self) -> f32 {
        let tall = self.tall();
        let breadth = self.both(|woman| SHOULDERS[usize::from(!woman)]) * tall;
        let stout = self.mass.map_or(1.0, |mass| {
            // Children are slighter for their height.
            let usual = if self.years() < 15.0 { 17.0 } else { USUAL_BMI };
            (mass / (tall * tall) / usual).clamp(0.6, 2.2).sqrt().sqrt()
        });
        (0.5 * (breadth * stout + CLOTHES)).clamp(0.08, 0.45)
    }
}

/// The age of somebody of whom only the height is known: grown, or a child of that height.
pub(crate) fn age_of_height(height: f32) -> f32 {
    if height >= 1.45 {
        return 30.0;
    }
    let middle = |age: f32| 0.5 * (growth(age, true)[0] + growth(age, false)[0]);
    let (mut young, mut old) = (2.0, 15.0);
    for _ in 0..20 {
        let age = 0.5 * (young + old);
        if middle(age) < height { young = age } else { old = age }
    }
    young
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aged(age: f32) -> Build {
        Build { age: Some(age), ..Build::default() }
    }

    #[test]
    fn children_and_old_people_are_slower() {
        let speed = |age: f32| aged(age).walks_at();
        assert!((1.3..1.45).contains(&speed(30.0)), "{}", speed(30.0));
        // Seven-year-olds walk at 1.14 m/s (Sutherland and others 1988).
        assert!((1.05..1.22).contains(&speed(7.0)), "{}", speed(7.0));
        assert!((0.90..1.00).contains(&speed(85.0)), "{}", speed(85.0));
        assert!(speed(4.0) < speed(7.0) && speed(7.0) < speed(15.0) && speed(75.0) > speed(85.0));
    }

    #[test]
    fn long_legs_are_faster_and_large_bodies_broader() {
        let of = |height: f32, mass: f32| Build {
            woman: Some(false),
            age: Some(30.0),
            height: Some(height),
            mass: Some(mass),
        };
        let (short, tall) = (of(1.60, 62.0), of(1.95, 92.0));
        let ratio = tall.walks_at() / short.walks_at();
        assert!((ratio - (1.95f32 / 1.60).sqrt()).abs() < 1e-4, "{ratio}");
        assert!((of(1.74, 73.0).radius() - 0.2475).abs() < 0.004, "{}", of(1.74, 73.0).radius());
        assert!(of(1.74, 120.0).radius() > of(1.74, 60.0).radius() + 0.02);
        assert!(aged(6.0).radius() < 0.17, "{}", aged(6.0).radius());
    }

    #[test]
    fn a_small_person_is_a_child() {
        assert!((7.0..9.0).contains(&age_of_height(1.27)), "{}", age_of_height(1.27));
        assert_eq!(age_of_height(1.6), 30.0);
    }
}
