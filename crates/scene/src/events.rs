//! Events of a scene: changes to the running crowd at given times.

use crate::file::{Name, Point, Region, Shape, Signal, Situation, Stop};
use crate::formation::{Directed, Formation};
use crate::mover::{MannersTable, Mover, Parameters};
use crate::people::People;
use crate::term::Term;
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Crowd, Dress, Edit};
use crowdloom_motion::Placement;
use glam::Vec2;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Something that happens at a given time: to people (`who`), to doors and obstacles, to regions, stops, signals,
/// situations and rules; or people come. What promises forbid happens as soon as they allow it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EventTable {
    /// When, in seconds from the beginning.
    pub at: f32,
    /// Whether what promises forbid at that time does not happen at all.
    #[serde(default)]
    pub only_then: bool,
    /// To whom: a person's name, a region (those who are in it then), a situation (its members), or everybody without it.
    #[schemars(with = "Option<String>")]
    pub who: Option<Name>,
    /// To whom, by the numbers that people have in the run, instead of `who`.
    pub numbers: Option<Vec<u32>>,
    /// The speed that they like from then on, in metres a second, or one for each of `numbers`.
    pub speed: Option<OneOrEach<f32>>,
    /// The stop that they go to from then on.
    #[schemars(with = "Option<String>")]
    pub to: Option<Name>,
    /// The point that they go to.
    pub goal: Option<Point>,
    /// The point where they stand all at once; for one person.
    pub move_to: Option<Point>,
    /// Which way they face there, in degrees; without `move-to` they turn where they are, and may do so each of `numbers` its
    /// own way.
    pub facing: Option<OneOrEach<f32>>,
    /// Where they are told to be exactly, and when.
    pub direct: Option<Box<Directed>>,
    /// What moves them from then on.
    #[schemars(with = "Option<Mover>")]
    pub mover: Option<Term<Mover>>,
    /// Numbers of that `mover`, by name; those that are left out are as usual.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, f32>")]
    pub parameters: Parameters,
    /// How they treat others with that `mover`.
    pub manners: Option<MannersTable>,
    /// The radius of their discs from then on, in metres, or one for each of `numbers`; of those with a velocity mover.
    pub radius: Option<OneOrEach<f32>>,
    /// How they move at that moment, in metres a second, or one for each of `numbers`; those with a velocity mover.
    pub velocity: Option<OneOrEach<Point>>,
    /// The node of the motion graph in whose style they walk from then on, or `plain`.
    #[schemars(with = "Option<String>")]
    pub style: Option<Name>,
    /// The number that their bodies and clothes are drawn by from then on, or one for each of `numbers`.
    pub looks: Option<OneOrEach<u32>>,
    /// The outfit that they wear from then on: one of those that come with the program, or of the scene's `[[outfit]]`.
    #[schemars(with = "Option<String>")]
    pub outfit: Option<Name>,
    /// How many times as large they are drawn from then on as their looks say, 0.3 to 3, or one for each of `numbers`.
    pub size: Option<OneOrEach<f32>>,
    /// A number from which everybody gets looks of its own from then on.
    pub reshuffle: Option<u32>,
    /// The accessories and other pieces that they have from then on, in place of those they had; `[]` takes all away.
    #[schemars(with = "Option<Vec<String>>")]
    pub things: Option<Vec<Name>>,
    /// A situation that they become members of.
    #[schemars(with = "Option<String>")]
    pub joins: Option<Name>,
    /// A situation that they are no members of any longer.
    #[schemars(with = "Option<String>")]
    pub parts: Option<Name>,
    /// Whether they are gone.
    #[serde(default)]
    pub leave: bool,
    /// People who come; `appear` is the time of the event.
    pub people: Option<Box<People>>,
    /// A door that opens, or an obstacle with a name that goes.
    #[schemars(with = "Option<String>")]
    pub open: Option<Name>,
    /// A door that closes, or an obstacle with a name that comes back.
    #[schemars(with = "Option<String>")]
    pub close: Option<Name>,
    /// An obstacle that comes.
    pub obstacle: Option<Shape>,
    /// A region that there is from then on, or that is drawn anew.
    pub region: Option<Region>,
    /// A region that is nowhere from then on, until it is drawn anew.
    #[schemars(with = "Option<String>")]
    pub close_region: Option<Name>,
    /// A stop that there is from then on, or that becomes this one.
    pub stop: Option<Stop>,
    /// A stop that nobody is sent to any more.
    #[schemars(with = "Option<String>")]
    pub close_stop: Option<Name>,
    /// A signal that is switched.
    #[schemars(with = "Option<String>")]
    pub signal: Option<Name>,
    /// A signal that there is from then on, or that becomes this one.
    pub set_signal: Option<Signal>,
    /// A situation that is put in force or out of it, or whose `rules` are replaced.
    #[schemars(with = "Option<String>")]
    pub situation: Option<Name>,
    /// A situation that there is from then on, or that becomes this one.
    pub set_situation: Option<Box<Situation>>,
    /// Rules that the `situation` has from then on.
    #[schemars(with = "Option<Vec<String>>")]
    pub rules: Option<Vec<Name>>,
    /// Whether signal or situation are on from then on; a signal without it goes back to its timer.
    pub on: Option<bool>,
}

/// A value for all, or one for each of an event's `numbers`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected one value for all, or a list with one for each of `numbers`")]
pub enum OneOrEach<T> {
    /// For all.
    One(T),
    /// One for each, in the order of `numbers`.
    Each(Vec<T>),
}

/// A value for everybody whom an event concerns, or one for each, by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values<T> {
    One(T),
    Each(BTreeMap<u32, T>),
}

impl<T: Copy> Values<T> {
    fn of(&self, id: u32) -> Option<T> {
        match self {
            Self::One(value) => Some(*value),
            Self::Each(values) => values.get(&id).copied(),
        }
    }
}

/// Whom an event concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whom {
    Everybody,
    /// People by their numbers, ascending.
    Persons(Vec<u32>),
    Region(usize),
    Members(SituationId),
}

impl Whom {
    /// Those people, by their indices, as the crowd is.
    pub(crate) fn people(&self, crowd: &Crowd) -> Vec<usize> {
        let ground = &crowd.setting().ground;
        let concerns = |index: &usize| match self {
            Self::Everybody => true,
            Self::Persons(ids) => ids.binary_search(&crowd.id(*index)).is_ok(),
            Self::Region(region) => ground.regions()[*region].contains(crowd.positions()[*index]),
            Self::Members(situation) => {
                crowd.mind(*index).visits.iter().any(|visit| visit.situation == *situation)
            }
        };
        (0..crowd.len()).filter(concerns).collect()
    }
}

/// What an event does to somebody.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    Speed(Values<f32>),
    Stop(u16),
    Goal(Vec2),
    /// A place in metres and a heading in radians.
    Place(Vec2, Option<f32>),
    /// A heading in radians.
    Turn(Values<f32>),
    Mover(crowdloom_crowd::Mover),
    Radius(Values<f32>),
    /// Metres a second.
    Velocity(Values<Point>),
    Style(Option<u16>),
    Looks(Values<u32>),
    Size(Values<f32>),
    Reshuffle(u32),
    Dress(Dress),
    Join(SituationId),
    Part(SituationId),
    Leave,
}

impl Deed {
    /// The change that does it to a person, by its index; none where there is no value for it.
    pub(crate) fn on(&self, index: usize, crowd: &Crowd) -> Option<Edit> {
        let id = crowd.id(index);
        Some(match self {
            Self::Speed(speeds) => Edit::Speed(id, speeds.of(id)?),
            Self::Stop(stop) => Edit::Stop(id, Some(*stop)),
            Self::Goal(goal) => Edit::Goal(id, Some(*goal)),
            Self::Place(position, heading) => {
                let heading = heading.unwrap_or(crowd.placement(index).heading);
                Edit::Move(id, Placement { position: *position, heading })
            }
            Self::Turn(headings) => {
                Edit::Move(id, Placement { heading: headings.of(id)?, ..crowd.placement(index) })
            }
            Self::Mover(mover) => Edit::Mover(id, *mover),
            Self::Radius(radii) => Edit::Radius(id, radii.of(id)?),
            Self::Velocity(velocities) => {
                let [x, y] = velocities.of(id)?;
                Edit::Velocity(id, Vec2::new(x as f32, y as f32))
            }
            Self::Style(style) => Edit::Style(id, *style),
            Self::Looks(looks) => Edit::Looks(id, Some(looks.of(id)?)),
            Self::Size(sizes) => Edit::Size(id, sizes.of(id)?),
            Self::Reshuffle(seed) => {
                let mut random = Random::new((*seed).into(), id, 0, Purpose::BIRTH);
                Edit::Looks(id, Some(random.below(u32::MAX)))
            }
            Self::Dress(dress) => {
                // What an event does not speak of stays as earlier ones left it.
                let was = crowd.dress_of(id).cloned().unwrap_or_default();
                let outfit = dress.outfit.clone().or(was.outfit);
                let (things, room) = match &dress.things {
                    Some(things) => (Some(things.clone()), dress.room),
                    None => (was.things, was.room),
                };
                Edit::Dress(id, Some(Dress { outfit, things, room }))
            }
            Self::Join(situation) => Edit::Join(id, *situation),
            Self::Part(situation) => Edit::Part(id, *situation),
            Self::Leave => Edit::Remove(id),
        })
    }
}

/// An event that waits for its time.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) frame: u32,
    pub(crate) whom: Whom,
    /// What it does to people.
    pub(crate) deeds: Vec<Deed>,
    /// Where it directs people.
    pub(crate) formation: Option<Formation>,
    /// What it changes besides.
    pub(crate) changes: Vec<Edit>,
    /// Whether it waits for promises to allow it.
    pub(crate) waits: bool,
}

impl Event {
    /// All changes that it makes to the crowd as it is, places first.
    pub(crate) fn edits(&self, crowd: &Crowd) -> Vec<Edit> {
        let concerns = !self.deeds.is_empty() || self.formation.is_some();
        let people = if concerns { self.whom.people(crowd) } else { Vec::new() };
        let done =
            self.deeds.iter().flat_map(|deed| people.iter().filter_map(|&index| deed.on(index, crowd)));
        let directed = self.formation.iter().flat_map(|formation| formation.edits(&people, crowd));
        self.changes.iter().cloned().chain(done).chain(directed).collect()
    }
}
