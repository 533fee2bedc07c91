//! People of a scene, from their tables: where they start, what they are like, what they want and what moves them.

use crate::bounds::{DAY, MOST_PEOPLE};
use crate::build::Checker;
use crate::file::{Name, Point, Range, Repeat, SceneFile};
use crate::mover::{MannersTable, Mover, Parameters};
use crate::places::{Facings, Places, starts};
use crate::simulation::{Arrival, Entry};
use crate::spread::{SpreadTable, read_spread};
use crate::staging::Staging;
use crate::steers::{SteersTable, number_of, read_steers};
use crate::template::{Gaits, Template};
use crate::term::Term;
use crate::wide::{mover_with_things, room_of};
use crowdloom_bodies::Rating;
use crowdloom_crowd::diversity::{Priorities, StyleBook};
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Crowd, Errand, Spread};
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::styles::MotionType;
use crowdloom_world::{Ground, Stream};
use glam::{DVec2, Vec2};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// People that come into the scene.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct People {
    /// How many; as many as there are places (`at`), or one, without it.
    pub count: Option<usize>,
    /// What they are called, for constraints; several are called `name-1`, `name-2` …, and `name` means all of them.
    #[schemars(with = "Option<String>")]
    pub name: Option<Name>,
    /// The region that they start in; anywhere without one.
    #[serde(rename = "in")]
    #[schemars(with = "Option<String>")]
    pub place: Option<Name>,
    /// Where they start instead: `[x, y]`, or a list of places for as many people.
    pub at: Option<Places>,
    /// Copies of `at` in rows and columns, numbered row after row.
    pub repeat: Option<Repeat>,
    /// A ring on which they start.
    pub ring: Option<Ring>,
    /// How far they start off their places at most, in metres.
    #[serde(default)]
    pub jitter: f32,
    /// Which way they face at first, in degrees; one for all, or a list.
    pub facing: Option<Facings>,
    /// The point that they face at first.
    pub faces: Option<Point>,
    /// The pose that they are in at first: a node of the motion graph [default: standing].
    #[schemars(with = "Option<String>")]
    pub pose: Option<Name>,
    /// Seconds between which they appear.
    #[serde(default)]
    pub appear: Range,
    /// How many appear a second, at random: from the first to the last second of `appear`, or to the end of the run, and
    /// no more than `count`.
    pub rate: Option<f32>,
    /// Seconds that they stay where they appear before they set out.
    pub pre_movement: Option<SpreadTable>,
    /// Where they go: a stop of the scenario, or regions in turn, over and over; without it they wander.
    #[schemars(with = "Option<To>")]
    pub to: Option<Spanned<To>>,
    /// A point that they go round.
    pub around: Option<Around>,
    /// The direction in which they go straight on, in degrees.
    pub straight: Option<f32>,
    /// What they do where they start.
    pub stays: Option<OnTheSpot>,
    /// Whether they go for any goal at full speed, and on towards it until they are sent elsewhere.
    #[serde(default)]
    pub onward: bool,
    /// What they do about others, or walls, while these are in sight, if a velocity model moves them.
    pub steers: Option<SteersTable>,
    /// Situations that they are members of.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub member_of: Vec<Name>,
    /// The speed that they like, in metres a second [default: 1.1 to 1.6; of those whose age or height is told, by body and age].
    pub speed: Option<SpreadTable>,
    /// The share of them that is in a hurry, from 0 to 1: they cross roads anywhere and wait for no light.
    #[serde(default)]
    pub hurry: f32,
    /// The greatest speed in metres a second of those with a velocity mover [default: 1.3 times what they like, at least
    /// 1.8].
    pub top_speed: Option<SpreadTable>,
    /// The radius in metres of those with a velocity mover or a recording [default: 0.25; half of `shoulder-width`; of those
    /// whose height is told, by body].
    pub radius: Option<SpreadTable>,
    /// The width of their shoulders in metres.
    pub shoulder_width: Option<SpreadTable>,
    /// The share of women, from 0 to 1.
    pub women: Option<f32>,
    /// Age in years.
    pub age: Option<SpreadTable>,
    /// Height in metres.
    pub height: Option<SpreadTable>,
    /// Mass in kilograms.
    pub mass: Option<SpreadTable>,
    /// Endomorphy, relative fatness: a rating from ½ to 9, or the least and the most [default: drawn to fit height and mass].
    pub endo: Option<Rating>,
    /// Mesomorphy, bones and muscles.
    pub meso: Option<Rating>,
    /// Ectomorphy, linearity [default: of height and mass].
    pub ecto: Option<Rating>,
    /// The outfit that they wear: one of those that come with the program, or of the scene's `[[outfit]]`.
    #[schemars(with = "Option<String>")]
    pub outfit: Option<Name>,
    /// Pieces that they have besides or instead of what their outfit says, such as `suitcase`, `umbrella` or `cap`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub things: Vec<Name>,
    /// What their arms do: `phone`, `left pocket`, `wave` …, or TOML files beside the scene.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub gestures: Vec<Name>,
    /// What moves them.
    #[serde(default)]
    #[schemars(with = "Mover")]
    pub mover: Term<Mover>,
    /// Numbers of the mover that differ from its defaults, by name; those of `cell-marking` may also be `[least, most]` or a
    /// distribution, drawn for each person.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, SpreadTable>")]
    pub parameters: Parameters,
    /// Manners of a velocity mover: `"none"` is the bare published model.
    pub manners: Option<MannersTable>,
    /// Panic from 0 to 1 (hidac).
    #[serde(default)]
    pub panic: f32,
    /// The trajectories that they follow (recorded): a CSV file, PedPy's text or JuPedSim's SQLite beside the scene.
    #[schemars(with = "Option<String>")]
    pub recording: Option<Name>,
    /// The motions that they have: a name of `[motion.graphs]` [default: the graph of `[motion]`].
    #[schemars(with = "Option<String>")]
    pub motion: Option<Name>,
    /// How often they use some styles, 1 being as often as any other; a name that ends in `*` means all that begin so.
    #[serde(default)]
    pub favours: BTreeMap<String, f32>,
}

impl Default for People {
    /// One person like any other.
    fn default() -> Self {
        Self {
            count: None,
            name: None,
            place: None,
            at: None,
            repeat: None,
            ring: None,
            jitter: 0.0,
            facing: None,
            faces: None,
            pose: None,
            appear: [0.0; 2],
            rate: None,
            pre_movement: None,
            to: None,
            around: None,
            straight: None,
            stays: None,
            onward: false,
            steers: None,
            member_of: Vec::new(),
            speed: None,
            top_speed: None,
            radius: None,
            shoulder_width: None,
            women: None,
            hurry: 0.0,
            age: None,
            height: None,
            mass: None,
            endo: None,
            meso: None,
            ecto: None,
            outfit: None,
            things: Vec::new(),
            gestures: Vec::new(),
            mover: Term::default(),
            parameters: Parameters::default(),
            manners: None,
            panic: 0.0,
            recording: None,
            motion: None,
            favours: BTreeMap::new(),
        }
    }
}

fn speeds() -> SpreadTable {
    SpreadTable::Between([1.1, 1.6])
}

/// A stop of the scenario, or regions in turn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum To {
    /// A stop, or a region.
    One(String),
    /// Regions in turn.
    InTurn(Vec<String>),
}

/// Places on a ring.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ring {
    /// The middle.
    pub at: Point,
    /// Its radius in metres.
    pub radius: f64,
    /// Where the ring begins and ends, in degrees; all round without it.
    pub between: Option<[f64; 2]>,
}

/// A point to go round.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Around {
    /// The point.
    pub at: Point,
    /// Least and most distance from it, in metres.
    pub between: Range,
}

/// What people do who go nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnTheSpot {
    /// Stand about.
    Waiting,
    /// Fight with nobody.
    Fighting,
}

/// What reading the tables of people needs to know.
pub struct Reading<'a> {
    /// The scene.
    pub scene: &'a SceneFile,
    /// What people wear and do.
    pub staging: &'a Staging,
    /// Situations by name.
    pub situations: &'a [(String, SituationId)],
}

impl Reading<'_> {
    /// The people of a table who come and go by themselves; mistakes go to the checker.
    pub fn arrival(
        &self,
        index: usize,
        table: &People,
        favours: u8,
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<Arrival> {
        let ground = crowd.setting().ground.clone();
        let template = self.template(table, favours, crowd, checker);
        let [from, to] = checker.range(table.appear, "a time of appearing");
        let entries = self.entries(index, table, &ground, checker);
        let (template, entries) = (template?, entries?);
        let count = entries.spots().map_or(table.count.unwrap_or(1), |spots| spots.len());
        let mut member_of = Vec::new();
        for name in &table.member_of {
            let found: Vec<SituationId> =
                self.situations.iter().filter(|(own, _)| own == name.get_ref()).map(|(_, id)| *id).collect();
            if found.is_empty() {
                let names = self.scene.situation.iter().map(|situation| situation.name.get_ref().as_str());
                checker.unknown("situation", name, names);
            }
            member_of.extend(found.first());
        }
        let (first, last) = ((from * FRAME_RATE) as u32, (to * FRAME_RATE) as u32);
        let times = match table.rate {
            Some(rate) => {
                if entries.spots().is_some() {
                    let what = "people who come at a rate have no places of their own";
                    checker.problem(None, what, "give `in` instead of `at` or `ring`");
                    return None;
                }
                let end = if to > from { to } else { self.scene.seconds };
                let most = table.count.unwrap_or(MOST_PEOPLE);
                times_at_rate(rate, [from, end], most, self.scene.seed, index)
            }
            None => times_between(first, last, count, self.scene.seed, index),
        };
        Some(Arrival { times, come: 0, entries, template, member_of, waits: 0 })
    }

    /// What the people of a table have in common; mistakes go to the checker.
    pub fn template(
        &self,
        table: &People,
        favours: u8,
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<Template> {
        let speed = read_spread(table.speed.unwrap_or(speeds()), [0.0, 12.0], "a speed", checker)?;
        let (here, everybody) = (checker.here, checker.line_starting("[population]"));
        // What is said of everybody is told where it is said.
        let mut read = |own: Option<SpreadTable>, common: Option<SpreadTable>, bounds: Range, what: &str| {
            checker.here = if own.is_none() && common.is_some() { everybody.or(here) } else { here };
            match own.or(common) {
                None => Some(None),
                Some(table) => read_spread(table, bounds, what, checker).map(Some),
            }
        };
        let population = &self.scene.population;
        let top_speed = read(table.top_speed, None, [0.05, 15.0], "a greatest speed");
        let radius = read(table.radius, None, [0.05, 1.0], "a radius");
        let width = read(table.shoulder_width, None, [0.1, 2.0], "a width of shoulders");
        let age = read(table.age, population.age, [0.0, 120.0], "an age");
        let height = read(table.height, population.height, [0.4, 2.6], "a height");
        let wait = read(table.pre_movement, None, [0.0, DAY as f32], "a time before setting out");
        let mass = read(table.mass, population.mass, [2.0, 400.0], "a mass");
        checker.here = here;
        let (top_speed, radius, width, age, height, wait, mass) =
            (top_speed?, radius?, width?, age?, height?, wait?, mass?);
        let women = table.women.or(population.women);
        let mover = mover_with_things(table, crowd, checker)?;
        let motion = self.motion(table, checker)?;
        let firm = !matches!(mover, crowdloom_crowd::Mover::Steered(_) | crowdloom_crowd::Mover::Recorded);
        if firm && (table.radius.is_some() || table.top_speed.is_some()) {
            let what = "`radius` and `top-speed` are for velocity movers and recordings";
            checker.problem(None, what, "clips have the radius and the speeds of the motion graph");
        }
        let steered = matches!(mover, crowdloom_crowd::Mover::Steered(_));
        let steers = table.steers.as_ref();
        let reaction = steers.and_then(|steers| read_steers(steers, steered, self.scene, checker));
        let called = table.name.as_ref().map_or(0, |name| number_of(self.scene, name.get_ref()));
        let (errand, tour, stop) = self.errand(table, crowd, checker)?;
        let wanders = errand == Errand::None && stop.is_none();
        Some(Template {
            mover,
            errand,
            tour,
            stop,
            wanders,
            hurry: table.hurry,
            pre_movement: wait.unwrap_or(Spread::Fixed(0.0)),
            speed,
            top_speed,
            radius: radius.or(width.map(halved)),
            room: room_of(table),
            gaits: Gaits::of_graph(firm && self.scene.styles.is_none(), crowd),
            by_body: table.speed.is_none() && (age.is_some() || height.is_some()),
            women,
            age,
            height,
            mass,
            motion,
            favours,
            costume: self.staging.number_of(table),
            called,
            reaction,
        })
    }

    /// The number of the motions that the people of a table have.
    fn motion(&self, table: &People, checker: &mut Checker<'_>) -> Option<u16> {
        let Some(name) = &table.motion else { return Some(0) };
        if matches!(table.mover.known(), Some(Mover::CellMarking | Mover::Recorded)) {
            let what = "people who are recorded, or plan captured motion, have the graph of `[motion]`";
            checker.problem(Some(name.span()), what, "leave `motion` out, or give them another mover");
            return None;
        }
        let mut names = self.scene.motion.graphs.keys();
        let number = names.clone().position(|own| own == name.get_ref());
        if number.is_none() {
            checker.unknown("motion graph", name, names.by_ref().map(String::as_str));
        }
        number.map(|number| number as u16 + 1)
    }

    /// What the people of a table are up to: an errand, how many regions its tour has, or a stop.
    fn errand(
        &self,
        table: &People,
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<(Errand, usize, Option<u16>)> {
        let ground = crowd.setting().ground.clone();
        let People { around, straight, stays, .. } = table;
        let to = table.to.as_ref().map(|to| {
            let name = |name: &String| Name::new(to.span(), name.clone());
            match to.get_ref() {
                To::One(one) => (true, vec![name(one)]),
                To::InTurn(all) => (false, all.iter().map(name).collect()),
            }
        });
        match (&to, around, straight, stays) {
            (None, None, None, None) if table.onward => Some((Errand::Onward, 0, None)),
            _ if table.onward => {
                let what = "people who go `onward` wait for goals from outside";
                checker.problem(None, what, "leave out `to`, `around`, `straight` and `stays`");
                None
            }
            (None, None, None, None) => Some((Errand::None, 0, None)),
            (Some((true, names)), None, None, None) => {
                let name = &names[0];
                let stops = self.scene.stop.iter().map(|stop| stop.name.get_ref().as_str());
                if let Some(index) = stops.clone().position(|stop| stop == name.get_ref()) {
                    return Some((Errand::None, 0, Some(index as u16)));
                }
                if crate::ground::regions_called(&ground, self.scene, name.get_ref()).is_empty() {
                    checker.unknown("stop", name, stops);
                    return None;
                }
                self.tour(names, crowd, checker)
            }
            (Some((false, names)), None, None, None) => self.tour(names, crowd, checker),
            (None, Some(around), None, None) => {
                let between = checker.range(around.between, "a distance");
                let centre = ground.to_local(around.at.into());
                Some((Errand::Around { centre, between }, 0, None))
            }
            (None, None, Some(degrees), None) => {
                let (sin, cos) = libm::sincosf(degrees.to_radians());
                Some((Errand::Straight(Vec2::new(cos, sin)), 0, None))
            }
            (None, None, None, Some(OnTheSpot::Waiting)) => {
                Some((Errand::Stay(MotionType::Waiting), 0, None))
            }
            (None, None, None, Some(OnTheSpot::Fighting)) => {
                Some((Errand::Stay(MotionType::Fighting), 0, None))
            }
            _ => {
                let what = "people can have only one of `to`, `around`, `straight` and `stays`";
                checker.problem(None, what, "keep one of them");
                None
            }
        }
    }

    fn tour(
        &self,
        names: &[Name],
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<(Errand, usize, Option<u16>)> {
        let ground = crowd.setting().ground.clone();
        let mut regions = Vec::new();
        for name in names {
            regions.extend(checker.regions(&ground, self.scene, name));
        }
        if regions.is_empty() {
            return None;
        }
        let count = regions.len();
        let tour = crowd.add_tour(regions);
        Some((Errand::Tour { tour, next: 0 }, count, None))
    }

    /// Where the people of a table start.
    fn entries(
        &self,
        index: usize,
        table: &People,
        ground: &Ground,
        checker: &mut Checker<'_>,
    ) -> Option<Entry> {
        let mut stream = Stream::new(self.scene.seed, 0x3a1c_0000 + index as u64);
        let count = table.count.unwrap_or(1);
        let spots: Vec<DVec2> = match (&table.place, &table.at, table.ring) {
            (Some(name), None, None) => {
                let regions = checker.regions(ground, self.scene, name);
                return Some(Entry::Regions(regions, self.facing(table, ground)));
            }
            (None, None, None) => return Some(Entry::Regions(Vec::new(), self.facing(table, ground))),
            (None, Some(at), None) => {
                let unnamed = Name::new(0..0, String::new());
                let name = table.name.as_ref().unwrap_or(&unnamed);
                let all = starts(at, table.repeat, name, checker)?;
                if table.count.is_some_and(|count| count != all.len()) {
                    let what = format!("there are {} places for {count} people", all.len());
                    checker.problem(None, what, "leave out `count`");
                }
                all.into_iter().map(DVec2::from).collect()
            }
            (None, None, Some(Ring { at, radius, between })) => {
                let [from, to] = between.unwrap_or([0.0, 360.0]).map(f64::to_radians);
                let places = (0..count).map(|index| {
                    let (sin, cos) = libm::sincos(from + (to - from) * (index as f64 + 0.5) / count as f64);
                    DVec2::from(at) + DVec2::new(cos, sin) * radius
                });
                places.collect()
            }
            _ => {
                let what = "people start in one of `in`, `at` and `ring`";
                checker.problem(None, what, "keep one of them");
                return None;
            }
        };
        let mut jitter = || (stream.unit() as f32 * 2.0 - 1.0) * table.jitter;
        let mut placements = Vec::new();
        for (number, spot) in spots.iter().enumerate() {
            let position = ground.to_local(*spot) + Vec2::new(jitter(), jitter());
            let facing = match &table.facing {
                Some(Facings::Each(all)) => all.get(number).map(|degrees| degrees.to_radians()),
                _ => self.facing(table, ground).towards(position),
            };
            placements.push((position, facing));
        }
        let off = placements.iter().filter(|(place, _)| !ground.is_free(*place, 0.0)).count();
        if off > 0 {
            let what = format!("{off} of {} people stand off the floor", placements.len());
            checker.warning(None, what, "they are left out");
            placements.retain(|(place, _)| ground.is_free(*place, 0.0));
        }
        Some(Entry::Spots(placements))
    }

    fn facing(&self, table: &People, ground: &Ground) -> Facing {
        match (&table.facing, table.faces) {
            (Some(Facings::One(degrees)), _) => Facing::Direction(degrees.to_radians()),
            (Some(Facings::Each(all)), _) => {
                Facing::Direction(all.first().copied().unwrap_or_default().to_radians())
            }
            (None, Some([x, y])) => Facing::Point(ground.to_local(DVec2::new(x, y))),
            (None, None) => Facing::Anywhere,
        }
    }
}

/// Which way newcomers face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Facing {
    /// Anywhere.
    Anywhere,
    /// In a direction, in radians.
    Direction(f32),
    /// Towards a point, in metres.
    Point(Vec2),
}

impl Facing {
    /// The heading in radians of one who stands at a place, if it is settled.
    pub fn towards(self, place: Vec2) -> Option<f32> {
        match self {
            Self::Anywhere => None,
            Self::Direction(heading) => Some(heading),
            Self::Point(point) => Some(libm::atan2f(point.y - place.y, point.x - place.x)),
        }
    }
}

fn halved(width: Spread) -> Spread {
    match width {
        Spread::Fixed(width) => Spread::Fixed(0.5 * width),
        Spread::Uniform { least, most } => Spread::Uniform { least: 0.5 * least, most: 0.5 * most },
        Spread::Normal { mean, deviation, least, most } => Spread::Normal {
            mean: 0.5 * mean,
            deviation: 0.5 * deviation,
            least: 0.5 * least,
            most: 0.5 * most,
        },
        Spread::LogNormal { median, deviation, most } => {
            Spread::LogNormal { median: 0.5 * median, deviation, most: 0.5 * most }
        }
        Spread::Gamma { shape, scale, most } => Spread::Gamma { shape, scale: 0.5 * scale, most: 0.5 * most },
        Spread::Weibull { shape, scale, most } => {
            Spread::Weibull { shape, scale: 0.5 * scale, most: 0.5 * most }
        }
    }
}

/// The favourite styles of each table that has some: priorities, and the number of each table's group.
pub fn read_favours(scene: &SceneFile, book: &StyleBook, checker: &mut Checker<'_>) -> Vec<Priorities> {
    let mut groups = vec![Priorities::even(book)];
    for (index, table) in scene.people.iter().enumerate().filter(|(_, table)| !table.favours.is_empty()) {
        checker.here = checker.table_line("people", index);
        groups.push(crate::styles::read_priorities(&table.favours, book, checker));
    }
    groups
}

/// The number of the group of favourite styles of each table.
pub fn favour_groups(scene: &SceneFile) -> Vec<u8> {
    let mut groups = 0u8;
    let group = |table: &People| match table.favours.is_empty() {
        true => 0,
        false => {
            groups = groups.saturating_add(1);
            groups
        }
    };
    scene.people.iter().map(group).collect()
}

/// When people appear who come independently of each other, so many a second between two times in seconds: a Poisson
/// process.
fn times_at_rate(rate: f32, [from, to]: Range, most: usize, seed: u64, table: usize) -> Vec<u32> {
    let mut stream = Stream::new(seed, 0xa99e_a000 + table as u64);
    let mut time = f64::from(from);
    let mut times = Vec::new();
    while times.len() < most {
        time -= libm::log(1.0 - stream.unit()) / f64::from(rate);
        if time >= f64::from(to) {
            break;
        }
        times.push((time * f64::from(FRAME_RATE)) as u32);
    }
    times
}

/// When people appear: at random between two frames, in order.
fn times_between(first: u32, last: u32, count: usize, seed: u64, table: usize) -> Vec<u32> {
    let mut stream = Stream::new(seed, 0xa99e_a000 + table as u64);
    let span = f64::from(last.saturating_sub(first));
    let mut times: Vec<u32> = (0..count).map(|_| first + (stream.unit() * span) as u32).collect();
    times.sort_unstable();
    times
}
