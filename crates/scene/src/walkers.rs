//! People who are moved by velocities and show motion styles, from their tables.

use crate::build::Checker;
use crate::file::{Name, Point, Range, SceneFile};
use crate::mover::Mover;
use crate::styles::{OtherStyles, read_priorities, read_styles};
use crowdloom_crowd::diversity::{
    Destination, Errand, Errands, Priorities, StyleControl, StyledCrowd, StyledWalker, Wishes,
};
use crowdloom_crowd::velocity::{Model, Walker};
use crowdloom_motion::styles::MotionType;
use crowdloom_world::{Bounds, Ground, MeshRouter, Stream};
use glam::{DVec2, Vec2};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// People who are moved by velocities. They stand in a region (`in`), in `rows` or on a `ring`, and do one of `to`,
/// `around`, `straight` and `stays`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WalkerTable {
    /// What moves them.
    #[serde(default)]
    pub mover: Mover,
    /// Numbers of the mover that differ from its defaults, by name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub parameters: toml::Table,
    /// How many are in the region or on the ring.
    pub count: Option<usize>,
    /// The region over which they are spread evenly.
    #[serde(rename = "in")]
    #[schemars(with = "Option<String>")]
    pub place: Option<Name>,
    /// Rows and columns in which they stand.
    pub rows: Option<Rows>,
    /// A ring on which they stand.
    pub ring: Option<Ring>,
    /// How far they stand off their places in rows and rings at most, in metres.
    #[serde(default)]
    pub jitter: f32,
    /// Least and most speed in metres a second.
    #[serde(default = "speeds")]
    pub speed: Range,
    /// Panic from 0 to 1 (hidac).
    #[serde(default)]
    pub panic: f32,
    /// Regions that they go to in turn, over and over, each beginning with any of them.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub to: Vec<Name>,
    /// A point that they go round.
    pub around: Option<Around>,
    /// The direction in which they go straight on, in degrees.
    pub straight: Option<f32>,
    /// What they do where they stand.
    pub stays: Option<OnTheSpot>,
    /// Which way they face at first, in degrees.
    pub facing: Option<f32>,
    /// The point that they face at first.
    pub faces: Option<Point>,
    /// How often they use some styles, 1 being as often as any other; a name that ends in `*` means all that begin so.
    #[serde(default)]
    pub favours: BTreeMap<String, f32>,
}

fn speeds() -> Range {
    [1.1, 1.6]
}

/// Places in rows and columns.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rows {
    /// The first place.
    pub at: Point,
    /// Places along x.
    pub columns: usize,
    /// Places along y.
    pub rows: usize,
    /// Distance of the places in metres, `[dx, dy]`.
    pub step: Point,
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

/// Everybody who is moved by a velocity can go this many times as fast as it likes to …
const HASTE: f32 = 1.3;
/// … and at least so fast, in metres a second.
const LEAST_SPEED: f32 = 0.5;

/// Builds the people of all `[[walker]]` tables; mistakes go to the checker.
pub fn build_walkers(
    scene: &SceneFile,
    ground: &Arc<Ground>,
    folder: &Path,
    other: &OtherStyles,
    checker: &mut Checker<'_>,
) -> Option<StyledCrowd<Errands>> {
    let table = scene.styles.clone().unwrap_or_default();
    let (book, options) = read_styles(&table, ground, folder, other, checker)?;
    let mut builder = Builder {
        scene,
        ground,
        router: MeshRouter::new(Arc::clone(ground)),
        destinations: BTreeMap::new(),
        tours: Vec::new(),
        people: Vec::new(),
        errands: Vec::new(),
        panics: Vec::new(),
    };
    let mut groups = vec![Priorities::even(&book)];
    for (index, table) in scene.walker.iter().enumerate() {
        checker.here = checker.table_line("walker", index);
        let mut group = 0;
        if !table.favours.is_empty() {
            group = groups.len();
            groups.push(read_priorities(&table.favours, &book, checker));
        }
        builder.add(table, group, &mut Stream::new(scene.seed, 0x3a1c_0000 + index as u64), checker);
    }
    checker.here = None;
    let Builder { tours, mut people, errands, panics, .. } = builder;
    let wishes = Errands::new(Arc::clone(ground), errands, tours);
    for (agent, person) in people.iter_mut().enumerate().filter(|(_, person)| person.heading.is_nan()) {
        let wish = wishes.velocity(agent, person.walker.position, 0);
        person.heading = libm::atan2f(wish.y, wish.x);
    }
    let styles = StyleControl::new(book, options, groups, scene.seed);
    let mut crowd = StyledCrowd::new(Arc::clone(ground), styles, wishes, &people, scene.seed);
    for (memory, panic) in crowd.crowd_mut().memories_mut().iter_mut().zip(panics) {
        memory.panic = panic;
    }
    Some(crowd)
}

/// People and what they are up to, as far as tables were read.
struct Builder<'a> {
    scene: &'a SceneFile,
    ground: &'a Arc<Ground>,
    router: MeshRouter,
    /// By region; `None` where no way leads there.
    destinations: BTreeMap<usize, Option<Arc<Destination>>>,
    tours: Vec<Vec<Arc<Destination>>>,
    people: Vec<StyledWalker>,
    errands: Vec<Errand>,
    panics: Vec<f32>,
}

impl Builder<'_> {
    fn add(&mut self, table: &WalkerTable, group: usize, stream: &mut Stream, checker: &mut Checker<'_>) {
        let model = match table.mover.model(table.parameters.clone()) {
            Ok(model) => model,
            Err(error) => {
                checker.problem(None, format!("the mover's parameters: {}", error.message()), "");
                return;
            }
        };
        let speed = checker.range(table.speed, "a speed");
        if !(0.0..=1.0).contains(&table.panic) {
            checker.problem(None, format!("a panic of {} makes no sense", table.panic), "from 0 to 1");
        }
        let Some(errand) = self.errand(table, checker) else { return };
        let places = self.places(table, stream, checker);
        for place in places {
            let pace = speed.least + (speed.most - speed.least) * stream.unit() as f32;
            let errand = match errand {
                Errand::Tour { tour, .. } => {
                    let stops = self.tours[usize::from(tour)].len();
                    Errand::Tour { tour, next: (stream.unit() * stops as f64) as u16, speed: pace }
                }
                Errand::Around { centre, between, .. } => Errand::Around { centre, between, speed: pace },
                Errand::Straight(direction) => Errand::Straight(direction * pace),
                Errand::Stay(kind) => Errand::Stay(kind),
            };
            let demand = errand.demand();
            let max_speed = (HASTE * demand.speed).max(LEAST_SPEED);
            let heading = match (table.facing, table.faces) {
                (Some(degrees), _) => degrees.to_radians(),
                (None, Some([x, y])) => {
                    let look = self.ground.to_local(DVec2::new(x, y)) - place;
                    libm::atan2f(look.y, look.x)
                }
                // Settled by where they want to go.
                (None, None) => f32::NAN,
            };
            let walker = Walker { max_speed, ..Walker::new(place, model) };
            self.people.push(StyledWalker { walker, demand, heading, group });
            self.errands.push(errand);
            self.panics.push(table.panic);
        }
    }

    /// What a table's people are up to, whatever their speeds and their first destinations.
    fn errand(&mut self, table: &WalkerTable, checker: &mut Checker<'_>) -> Option<Errand> {
        let WalkerTable { to, around, straight, stays, .. } = table;
        match (to.is_empty(), around, straight, stays) {
            (false, None, None, None) => self.tour(to, checker),
            (true, Some(around), None, None) => {
                checker.range(around.between, "a distance");
                let centre = self.ground.to_local(around.at.into());
                Some(Errand::Around { centre, between: around.between, speed: 0.0 })
            }
            (true, None, Some(degrees), None) => {
                let (sin, cos) = libm::sincosf(degrees.to_radians());
                Some(Errand::Straight(Vec2::new(cos, sin)))
            }
            (true, None, None, Some(OnTheSpot::Waiting)) => Some(Errand::Stay(MotionType::Waiting)),
            (true, None, None, Some(OnTheSpot::Fighting)) => Some(Errand::Stay(MotionType::Fighting)),
            _ => {
                let what = "walkers need exactly one of `to`, `around`, `straight` and `stays`";
                checker.problem(None, what, "keep one of them");
                None
            }
        }
    }

    fn tour(&mut self, names: &[Name], checker: &mut Checker<'_>) -> Option<Errand> {
        let mut tour = Vec::new();
        for name in names {
            for region in checker.regions(self.ground, self.scene, name) {
                let router = &self.router;
                let known = self.destinations.entry(region);
                match known.or_insert_with(|| Destination::new(router, region).ok().map(Arc::new)) {
                    Some(destination) => tour.push(Arc::clone(destination)),
                    None => {
                        let what = format!("no way leads to `{}`", name.get_ref());
                        checker.problem(Some(name.span()), what, "the region has to have room on the floor");
                    }
                }
            }
        }
        if tour.is_empty() {
            return None;
        }
        self.tours.push(tour);
        Some(Errand::Tour { tour: (self.tours.len() - 1) as u16, next: 0, speed: 0.0 })
    }

    /// Where a table's people stand at first.
    fn places(&self, table: &WalkerTable, stream: &mut Stream, checker: &mut Checker<'_>) -> Vec<Vec2> {
        let count = table.count.unwrap_or(1);
        let exact: Vec<DVec2> = match (&table.place, table.rows, table.ring) {
            (Some(name), None, None) => {
                let regions = checker.regions(self.ground, self.scene, name);
                return self.spread(&regions, count, stream, checker);
            }
            (None, Some(Rows { at, columns, rows, step }), None) => (0..columns * rows)
                .map(|index| {
                    let cell = DVec2::new((index % columns) as f64, (index / columns) as f64);
                    DVec2::from(at) + cell * DVec2::from(step)
                })
                .collect(),
            (None, None, Some(Ring { at, radius, between })) => {
                let [from, to] = between.unwrap_or([0.0, 360.0]).map(f64::to_radians);
                let places = (0..count).map(|index| {
                    let (sin, cos) = libm::sincos(from + (to - from) * (index as f64 + 0.5) / count as f64);
                    DVec2::from(at) + DVec2::new(cos, sin) * radius
                });
                places.collect()
            }
            _ => {
                checker.problem(
                    None,
                    "walkers need exactly one of `in`, `rows` and `ring`",
                    "keep one of them",
                );
                return Vec::new();
            }
        };
        let mut jitter = || (stream.unit() as f32 * 2.0 - 1.0) * table.jitter;
        let places =
            exact.into_iter().map(|place| self.ground.to_local(place) + Vec2::new(jitter(), jitter()));
        let (on, off): (Vec<Vec2>, Vec<Vec2>) = places.partition(|place| self.ground.is_free(*place, 0.0));
        if !off.is_empty() {
            let what = format!("{} of {} people stand off the floor", off.len(), off.len() + on.len());
            checker.warning(None, what, "they are left out");
        }
        on
    }

    /// People spread over regions by the sequence that fills a plane most evenly (Roberts 2018).
    fn spread(
        &self,
        regions: &[usize],
        count: usize,
        stream: &mut Stream,
        checker: &mut Checker<'_>,
    ) -> Vec<Vec2> {
        const STEP: DVec2 = DVec2::new(0.754_877_666_246_692_8, 0.569_840_290_998_053_3);
        const TRIES: usize = 50;
        let mut places = Vec::with_capacity(count);
        for (index, &region) in regions.iter().enumerate() {
            // As even as can be: region after region gets its share.
            let share = count * (index + 1) / regions.len() - count * index / regions.len();
            let region = &self.ground.regions()[region];
            let Some(Bounds { min, max }) = Bounds::of_areas(region.areas()) else { continue };
            let start = DVec2::new(stream.unit(), stream.unit());
            let point =
                |number: usize| (min + (start + STEP * number as f64).fract() * (max - min)).as_vec2();
            let radius = Walker::new(Vec2::ZERO, Model::Orca(Default::default())).radius;
            let free = |place: &Vec2| region.contains(*place) && self.ground.is_free(*place, radius);
            places.extend((0..share * TRIES).map(point).filter(free).take(share));
        }
        if places.len() < count && !regions.is_empty() {
            let what = format!("{} of {count} people find no room at the beginning", count - places.len());
            checker.warning(None, what, "they are left out; give fewer or more room");
        }
        places
    }
}
