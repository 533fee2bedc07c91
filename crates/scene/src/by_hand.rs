//! Changes to a running scene in the words of its events: `[[event]]` tables that happen now.
//!
//! What comes by an event of the scene is known from its beginning; what comes by hand is added when it comes.

use crate::bounds;
use crate::build::{Checker, SceneError, build_stop, fix_of, in_plain_words, read_signal};
use crate::events::{EventTable, Whom};
use crate::file::{Name, SceneFile, Signal, Stop};
use crate::ground::{region_rings, regions_called};
use crate::happenings::{Reader, take_in};
use crate::people::{People, Reading};
use crate::simulation::{Entry, Simulation};
use crate::situations::build_situation;
use crate::spread::SpreadTable;
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Crowd, Edit, Newcomer, Refusal, Steps};
use crowdloom_motion::Placement;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What came of changes that were asked for by hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// How many were made.
    pub made: usize,
    /// How many are made as soon as promises allow it.
    pub waiting: usize,
    /// The numbers of those who came.
    pub came: Vec<u32>,
    /// What was refused, in words, and why.
    pub refused: Vec<(String, Refusal)>,
}

/// Why changes cannot be asked for.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The tables are wrong.
    #[error(transparent)]
    Table(#[from] SceneError),
    /// One whom they concern is not there.
    #[error(transparent)]
    Person(#[from] Refusal),
}

/// Tables of events and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Events {
    event: Vec<EventTable>,
}

impl Simulation {
    /// Makes changes now that are written as `[[event]]` tables (`at` counts for nothing), to the people whose numbers are
    /// given instead of those whom `who` names; what promises forbid is made as soon as they allow it, unless `only-then`.
    ///
    /// Tables are taken one after the other: a later one may speak of what an earlier one brings. A table with a mistake
    /// changes nothing, and neither does any after it.
    pub fn happen(&mut self, tables: &str, people: Option<&[u32]>) -> Result<Asked, ChangeError> {
        let mut checker = Checker::new(tables);
        let events = read_events(tables, &mut checker);
        bounds::check_numbers(tables, &mut checker);
        let events = finish(checker.problems.is_empty().then_some(events).flatten(), &mut checker)?;
        let mut asked = Asked::default();
        for (index, table) in events.into_iter().enumerate() {
            checker.here = checker.table_line("event", index);
            self.let_one_happen(table, people, &mut checker, &mut asked)?;
        }
        Ok(asked)
    }

    fn let_one_happen(
        &mut self,
        mut table: EventTable,
        people: Option<&[u32]>,
        checker: &mut Checker<'_>,
        asked: &mut Asked,
    ) -> Result<(), ChangeError> {
        let only_then = table.only_then;
        let mut scene = self.known_scene(checker)?;
        // Regions first: all else may speak of them.
        let mut ground = Vec::new();
        bring_ground(&mut table, &scene, self.crowd(), checker, &mut ground);
        finish(Some(()), checker)?;
        let is_ground = !ground.is_empty();
        self.ask(ground, only_then, asked);

        let situations = self.known_situations();
        let names = self.names().to_vec();
        let mut changes = Vec::new();
        let known = Known::of(self.crowd());
        bring_places(&mut table, &mut scene, self.crowd_mut(), checker, &mut changes);
        let newcomers = match table.people.take() {
            Some(people) => self.draw_newcomers(&people, &scene, &situations, checker),
            None => Vec::new(),
        };
        let mut reader = Reader {
            scene: &scene,
            crowd: self.crowd_mut(),
            situations: &situations,
            names: &names,
            checker,
        };
        let whom = match (&table.who, people) {
            (Some(who), None) => reader.find_whom(who),
            (None, _) => Some(Whom::Everybody),
            (Some(who), Some(_)) => {
                let fix = "leave out `who`";
                reader.checker.problem(Some(who.span()), "people are given by their numbers", fix);
                None
            }
        };
        let deeds = reader.read_deeds(&table).unwrap_or_default();
        reader.read_ground(0, &table, &mut changes);
        reader.read_places(&table, &mut changes);
        reader.read_situations(&table, &mut changes);
        let is_idle = deeds.is_empty() && changes.is_empty() && newcomers.is_empty() && !is_ground;
        if is_idle && checker.problems.iter().all(|problem| problem.harmless) {
            let fix = "say what: `speed`, `to`, `leave`, `open`, `close`, `people`, `signal`, `situation` …";
            checker.problem(None, "nothing happens", fix);
        }
        known.refuse_more(self.crowd_mut(), checker);
        let whom = finish(whom, checker)?;

        let people: Vec<usize> = match (deeds.is_empty(), people) {
            (true, _) => Vec::new(),
            (false, None) => whom.people(self.crowd()),
            (false, Some(ids)) => {
                let index = |id: &u32| self.crowd().index_of(*id).ok_or(Refusal::Nobody(*id));
                ids.iter().map(index).collect::<Result<_, _>>()?
            }
        };
        let done = deeds.iter().flat_map(|deed| people.iter().map(|&index| deed.on(index, self.crowd())));
        changes.extend(done);
        self.ask(changes, only_then, asked);
        for (at, newcomer, joins) in newcomers {
            self.let_come(at, newcomer, &joins, asked);
        }
        Ok(())
    }

    /// Asks for changes, one after the other.
    fn ask(&mut self, edits: Vec<Edit>, only_then: bool, asked: &mut Asked) {
        for edit in edits {
            let words = edit.to_string();
            let made = match only_then {
                true => self.edit(edit).map(|_| true),
                false => self.edit_when_free(edit),
            };
            match made {
                Ok(true) => asked.made += 1,
                Ok(false) => asked.waiting += 1,
                Err(refusal) => asked.refused.push((words, refusal)),
            }
        }
    }

    /// Lets somebody come to a place, or to any that is free in a region, and join what it is a member of.
    fn let_come(&mut self, at: Whereto, newcomer: Newcomer, joins: &[SituationId], asked: &mut Asked) {
        let place = match at {
            Whereto::Place(place) => Some(place),
            Whereto::Region(region, heading) => self.crowd().find_room(&newcomer, region, heading),
        };
        let Some(place) = place else {
            return asked.refused.push(("somebody comes".into(), Refusal::NoRoom));
        };
        let edit = Edit::Add(place, Box::new(newcomer));
        let words = edit.to_string();
        match self.edit(edit) {
            Ok(Edit::Remove(id)) => {
                asked.made += 1;
                asked.came.push(id);
                self.ask(joins.iter().map(|group| Edit::Join(id, *group)).collect(), false, asked);
            }
            Ok(_) => asked.made += 1,
            Err(refusal) => asked.refused.push((words, refusal)),
        }
    }

    /// The tables of the scene, with all that came by hand since.
    fn known_scene(&self, checker: &mut Checker<'_>) -> Result<SceneFile, SceneError> {
        let read = toml::from_str::<SceneFile>(self.text());
        let mut scene = read.map_err(|error| mistake(checker, error.message().to_owned()))?;
        take_in(&mut scene, &mut Checker::new(self.text()));
        let shared = self.crowd().shared();
        for stop in shared.scenario.stops.iter().skip(scene.stop.len()) {
            let (name, exit) = (unplaced(&stop.name), stop.exit);
            let (regions, stay, next) = (Vec::new(), SpreadTable::Fixed(0.0), BTreeMap::new());
            scene.stop.push(Stop { name, region: None, regions, choose: None, stay, next, exit });
        }
        for signal in shared.signals.iter().skip(scene.signal.len()) {
            scene.signal.push(Signal { name: unplaced(&signal.name), on: 1.0, off: 0.0, offset: 0.0 });
        }
        Ok(scene)
    }

    fn known_situations(&self) -> Vec<(String, SituationId)> {
        let all = self.crowd().shared().situations.iter().enumerate();
        all.map(|(number, situation)| (situation.name.clone(), SituationId(number as u16))).collect()
    }

    /// Those of a table of people, each with where it comes and what it joins.
    fn draw_newcomers(
        &mut self,
        table: &People,
        scene: &SceneFile,
        situations: &[(String, SituationId)],
        checker: &mut Checker<'_>,
    ) -> Vec<(Whereto, Newcomer, Vec<SituationId>)> {
        use crate::mover::Mover::{Planned, Recorded};
        if matches!(table.mover.known(), Some(Planned | Recorded)) {
            let fix = "give `graph` or a velocity mover";
            checker.problem(None, "nobody who is planned or recorded can come in mid-run", fix);
            return Vec::new();
        }
        if table.rate.is_some() {
            checker.problem(None, "people who come now come at no rate", "give `count` instead of `rate`");
            return Vec::new();
        }
        let before = checker.problems.len();
        let crowd = self.crowd_mut();
        let reading = Reading { scene, situations };
        let first = crowd.next_id();
        let Some(arrival) = reading.arrival(first as usize, table, 0, crowd, checker) else {
            return Vec::new();
        };
        // What a scene can do without is a mistake of one who asks for it now.
        for problem in checker.problems[before..].iter_mut().filter(|problem| problem.harmless) {
            (problem.harmless, problem.fix) = (false, "give places on the floor".into());
        }
        let (seed, frame) = (crowd.setting().seed, crowd.frame());
        let newcomer = |number: usize| {
            let mut random = Random::new(seed, first + number as u32, frame, Purpose::BIRTH);
            let anywhere = random.between(-std::f32::consts::PI, std::f32::consts::PI);
            let at = match &arrival.entries {
                Entry::Regions(regions, facing) => {
                    let region = (!regions.is_empty()).then(|| regions[number % regions.len()]);
                    let heading = match *facing {
                        crate::people::Facing::Direction(heading) => heading,
                        _ => anywhere,
                    };
                    Whereto::Region(region, heading)
                }
                Entry::Spots(spots) => {
                    let (position, heading) = spots[number];
                    Whereto::Place(Placement { position, heading: heading.unwrap_or(anywhere) })
                }
            };
            (at, arrival.template.draw(frame, &mut random), arrival.member_of.clone())
        };
        (0..arrival.times.len()).map(newcomer).collect()
    }
}

/// Where somebody comes in.
enum Whereto {
    Place(Placement),
    /// Any free place of a region, by its index, or of the ground, with a heading in radians.
    Region(Option<usize>, f32),
}

/// What a crowd can have of what is not written down with its changes.
struct Known {
    steerings: usize,
    markings: usize,
    tours: usize,
}

impl Known {
    fn of(crowd: &Crowd) -> Self {
        let tours = crowd.shared().scenario.tours.len();
        Self { steerings: crowd.steerings().len(), markings: crowd.markings().len(), tours }
    }

    /// A snapshot would not know of movers and tours that came after the beginning.
    fn refuse_more(&self, crowd: &mut Crowd, checker: &mut Checker<'_>) {
        let now = Self::of(crowd);
        crowd.forget_from(self.steerings, self.markings, self.tours);
        if now.steerings > self.steerings || now.markings > self.markings {
            let fix = "add [[people]] with that `mover` and `parameters` and `count = 0` to the scene";
            checker.problem(None, "nobody in the scene is moved like that from its beginning", fix);
        }
        if now.tours > self.tours {
            let fix = "name a stop, or add [[people]] with that `to` and `count = 0` to the scene";
            checker.problem(None, "nobody in the scene goes to these regions from its beginning", fix);
        }
    }
}

/// A name that stands nowhere in the file.
fn unplaced(name: &str) -> Name {
    Name::new(0..0, name.to_owned())
}

fn read_events(tables: &str, checker: &mut Checker<'_>) -> Option<Vec<EventTable>> {
    match toml::from_str::<Events>(tables) {
        Ok(read) => Some(read.event),
        Err(error) => {
            let message = error.message().trim();
            checker.problem(error.span(), in_plain_words(message), fix_of(message));
            None
        }
    }
}

fn mistake(checker: &mut Checker<'_>, what: String) -> SceneError {
    checker.problem(None, what, "");
    SceneError { file: Path::new("edit").to_owned(), problems: std::mem::take(&mut checker.problems) }
}

/// What was read, unless mistakes were found; what is harmless counts for nothing.
fn finish<T>(read: Option<T>, checker: &mut Checker<'_>) -> Result<T, SceneError> {
    let problems = std::mem::take(&mut checker.problems);
    let fatal = problems.iter().any(|problem| !problem.harmless);
    match read {
        Some(read) if !fatal => Ok(read),
        _ => Err(SceneError { file: Path::new("edit").to_owned(), problems }),
    }
}

/// Takes regions and obstacles out of a table that are not there yet, or that change their shape.
fn bring_ground(
    table: &mut EventTable,
    scene: &SceneFile,
    crowd: &Crowd,
    checker: &mut Checker<'_>,
    changes: &mut Vec<Edit>,
) {
    let ground = &crowd.setting().ground;
    if let Some(region) = &table.region
        && regions_called(ground, scene, region.name.get_ref()).is_empty()
    {
        let rings = region_rings(scene, &region.shape(), ground, checker);
        let name = region.name.get_ref();
        let many = rings.len() > 1;
        for (copy, ring) in rings.into_iter().enumerate() {
            let own = if many { format!("{name}-{}", copy + 1) } else { name.clone() };
            changes.push(Edit::AddRegion(own, vec![vec![ring]]));
        }
        table.region = None;
    }
    if let Some(shape) = table.obstacle.take() {
        let rings = region_rings(scene, &shape, ground, checker);
        let name = match &shape.name {
            Some(name) => name.get_ref().clone(),
            None => format!("obstacle {}", crowd.obstacles().count() + 1),
        };
        match crowd.obstacle_named(&name) {
            Some(number) => {
                changes.extend([Edit::ChangeObstacle(number, rings), Edit::Obstacle(number, true)]);
            }
            None => changes.push(Edit::AddObstacle(name, rings)),
        }
    }
}

/// Takes stops, signals and situations out of a table that are not there yet.
fn bring_places(
    table: &mut EventTable,
    scene: &mut SceneFile,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
    changes: &mut Vec<Edit>,
) {
    let ground = crowd.setting().ground.clone();
    if let Some(stop) = table.stop.take_if(|stop| is_new(&stop.name, scene.stop.iter().map(|own| &own.name)))
    {
        // A stop may lead to itself.
        scene.stop.push(stop.clone());
        changes.push(Edit::AddStop(build_stop(scene, &stop, &ground, checker)));
    }
    if let Some(signal) =
        table.set_signal.take_if(|signal| is_new(&signal.name, scene.signal.iter().map(|own| &own.name)))
    {
        changes.push(Edit::AddSignal(read_signal(&signal, checker)));
    }
    let known = |name: &str| crowd.shared().situations.iter().any(|own| own.name == name);
    if let Some(situation) = table.set_situation.take_if(|situation| !known(situation.name.get_ref())) {
        let here = checker.here;
        let built = build_situation(scene, &situation, crowd, checker);
        checker.here = here;
        changes.extend(built.into_iter().map(|situation| Edit::AddSituation(Box::new(situation))));
    }
}

fn is_new<'a>(name: &Name, mut names: impl Iterator<Item = &'a Name>) -> bool {
    names.all(|own| own.get_ref() != name.get_ref())
}
