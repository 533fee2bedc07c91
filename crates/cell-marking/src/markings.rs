//! Numbers of Cell Marking that differ from person to person.

use crate::marking::Marking;
use crowdloom_base::Spread;
use crowdloom_base::random::{Purpose, Random};

/// How people choose who share a table: numbers that are the same for all of them, and numbers that are each person's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markings {
    usual: Marking,
    own: Vec<(OwnNumber, Spread)>,
}

/// A number of a marking that may be each person's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnNumber(usize);

/// Where a number of a marking is.
type Place = fn(&mut Marking) -> &mut f32;

/// All numbers that may be each person's own, by their names in scenes.
const OWN: [(&str, Place); 16] = [
    ("difference", |marking| &mut marking.difference),
    ("velocity", |marking| &mut marking.velocity),
    ("location", |marking| &mut marking.location),
    ("orientation", |marking| &mut marking.orientation),
    ("safety", |marking| &mut marking.safety),
    ("horizon", |marking| &mut marking.horizon),
    ("personal-radius", |marking| &mut marking.personal_radius),
    ("neighbour-distance", |marking| &mut marking.neighbour_distance),
    ("top-speed", |marking| &mut marking.top_speed),
    ("way-around", |marking| &mut marking.way_around),
    ("give-way", |marking| &mut marking.give_way),
    ("reluctance", |marking| &mut marking.reluctance),
    ("patience", |marking| &mut marking.patience),
    ("decides-after", |marking| &mut marking.decides_after),
    ("elbow-room", |marking| &mut marking.elbow_room),
    ("radius", |marking| &mut marking.radius),
];

impl OwnNumber {
    /// The number of a name in scenes.
    pub fn named(name: &str) -> Option<Self> {
        OWN.iter().position(|(own, _)| *own == name).map(Self)
    }

    fn set(self, marking: &mut Marking, value: f32) {
        *OWN[self.0].1(marking) = value;
    }

    /// Every number has a stream of its own, so that one more that differs changes no other.
    fn draw(self, spread: Spread, seed: u64, id: u32) -> f32 {
        spread.draw(&mut Random::new(seed, id, self.0 as u32, Purpose::MARKING))
    }
}

impl From<Marking> for Markings {
    fn from(usual: Marking) -> Self {
        Self { usual, own: Vec::new() }
    }
}

impl Markings {
    /// Draws a number for each person anew.
    pub fn differ(&mut self, number: OwnNumber, spread: Spread) {
        self.own.retain(|(known, _)| *known != number);
        self.own.push((number, spread));
    }

    /// Whether nobody's numbers can be impossible ones.
    pub fn is_sound(&self) -> bool {
        let extreme = |bound: fn((f32, f32)) -> f32| {
            let mut marking = self.usual;
            self.own.iter().for_each(|(number, spread)| number.set(&mut marking, bound(spread.bounds())));
            marking
        };
        self.own.iter().all(|(_, spread)| spread.makes_sense())
            && extreme(|bounds| bounds.0).is_sound()
            && extreme(|bounds| bounds.1).is_sound()
    }

    /// What is the same for all.
    pub fn usual(&self) -> &Marking {
        &self.usual
    }

    /// The largest radius in metres of anybody's disc; 0 where all have the usual one.
    pub fn widest(&self) -> f32 {
        let own = self.own.iter().find(|(number, _)| OWN[number.0].0 == "radius");
        own.map_or(self.usual.radius, |(_, spread)| spread.bounds().1)
    }

    /// The radius in metres of the disc of the person of number `id`; 0 for the usual one.
    pub fn radius(&self, seed: u64, id: u32) -> f32 {
        self.one("radius", self.usual.radius, seed, id)
    }

    /// The radius in metres with which the person of number `id` sees others and wants to be seen.
    pub fn personal_radius(&self, seed: u64, id: u32) -> f32 {
        self.one("personal-radius", self.usual.personal_radius, seed, id)
    }

    /// One number of a person.
    fn one(&self, name: &str, usual: f32, seed: u64, id: u32) -> f32 {
        let own = self.own.iter().find(|(number, _)| OWN[number.0].0 == name);
        own.map_or(usual, |(number, spread)| number.draw(*spread, seed, id))
    }

    /// The numbers of the person of number `id`: the same whenever they are asked for.
    pub fn of(&self, seed: u64, id: u32) -> Marking {
        let mut marking = self.usual;
        for (number, spread) in &self.own {
            number.set(&mut marking, number.draw(*spread, seed, id));
        }
        marking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_numbers_of_its_own_and_keeps_them() {
        let mut markings = Markings::from(Marking::default());
        assert_eq!(markings.of(1, 7), Marking::default());
        let safety = OwnNumber::named("safety").unwrap();
        markings.differ(safety, Spread::Uniform { least: 0.1, most: 0.5 });
        let before: Vec<f32> = (0..50).map(|id| markings.of(1, id).safety).collect();
        let radius = OwnNumber::named("personal-radius").unwrap();
        markings.differ(radius, Spread::Normal { mean: 0.3, deviation: 0.05, least: 0.25, most: 0.4 });
        let all: Vec<Marking> = (0..50).map(|id| markings.of(1, id)).collect();
        for (id, one) in all.iter().enumerate() {
            assert_eq!(one.safety, before[id], "one more that differs changes no other");
            assert_eq!(*one, markings.of(1, id as u32));
            assert_eq!(one.personal_radius, markings.personal_radius(1, id as u32));
            assert_eq!(one.radius, markings.radius(1, id as u32));
            assert!((0.1..=0.5).contains(&one.safety) && (0.25..=0.4).contains(&one.personal_radius));
            assert_eq!(one.location, Marking::default().location);
        }
        assert!(all.windows(2).all(|two| two[0].safety != two[1].safety));
        assert!(all.windows(2).any(|two| two[0].personal_radius != two[1].personal_radius));
        assert_ne!(markings.of(2, 7), markings.of(1, 7), "another seed, other people");
    }

    #[test]
    fn what_nobody_can_have_is_told() {
        let with = |name: &str, least: f32, most: f32| {
            let mut markings = Markings::default();
            markings.differ(OwnNumber::named(name).unwrap(), Spread::Uniform { least, most });
            markings
        };
        assert!(with("velocity", 0.5, 2.0).is_sound());
        assert!(!with("velocity", -0.5, 2.0).is_sound());
        assert!(!with("decides-after", 0.5, 1.5).is_sound());
        assert!(!with("horizon", 4.0, 2.0).is_sound());
        assert_eq!(OwnNumber::named("tests"), None, "a count is nobody's own");
    }
}
