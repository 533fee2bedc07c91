//! Events that happen at once: whatever can stand in a scene's `[[event]]` can be done to the running crowd by hand.
//!
//! What such an event brings gets the numbers that come next, in the order in which it would if the event stood at the end
//! of the scene.

use crate::bounds;
use crate::build::{Checker, build_stop, fix_of, in_plain_words, read_signal};
use crate::events::{Event, EventTable};
use crate::file::Name;
use crate::ground::{obstacle_rings, region_polygons, regions_called};
use crate::happenings::Reader;
use crate::history::PLANS_AT_ONCE;
use crate::mover::Mover;
use crate::people::{Facing, People, Reading};
use crate::problem::Problem;
use crate::simulation::{Entry, Simulation, Tables};
use crate::situations::build_situation;
use crate::staging::Staging;
use crate::styles::{OtherStyles, build_bodies};
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Crowd, Edit, Newcomer, Refusal};
use crowdloom_motion::{FRAME_RATE, Placement};
use serde::Deserialize;

/// What came of an event that happened at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enacted {
    /// How often [`Simulation::undo`] takes it back: once for all that was made, and once for each change that waits.
    pub steps: usize,
    /// How many changes were made.
    pub made: usize,
    /// How many are made as soon as promises allow it.
    pub waiting: usize,
    /// The numbers of those who came.
    pub came: Vec<u32>,
    /// Which of the places for newcomers were free, by their indices.
    pub free: Vec<usize>,
    /// What was refused, in words, and why.
    pub refused: Vec<(String, Refusal)>,
}

/// The tables of one event.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    event: [EventTable; 1],
}

/// Changes as they are made one after the other, and what takes them back.
#[derive(Default)]
struct Making {
    made: Vec<Edit>,
    backs: Vec<Edit>,
}

impl Making {
    fn make(&mut self, crowd: &mut Crowd, edit: Edit) -> Result<(), Refusal> {
        self.backs.push(crowd.edit(edit.clone())?);
        self.made.push(edit);
        Ok(())
    }

    /// The same; a refusal is a mistake.
    fn must(&mut self, crowd: &mut Crowd, edit: Edit, checker: &mut Checker<'_>) {
        if let Err(refusal) = self.make(crowd, edit) {
            checker.problem(None, format!("this cannot be: {refusal}"), "");
        }
    }

    fn take_back(self, crowd: &mut Crowd) {
        for back in self.backs.into_iter().rev() {
            // Nobody moved since: what was made can be taken back.
            let _ = crowd.edit(back);
        }
    }
}

impl Simulation {
    /// Lets people be discs without bodies, which nobody looks at, and have any mover later; to be called before the first
    /// step. Such a simulation cannot be put away.
    pub fn keep_to_discs(&mut self) {
        self.crowd.forget_bodies();
        if let Some(tables) = &mut self.tables {
            tables.any_mover = true;
        }
    }

    /// Lets people have any mover and go to any regions later, whatever the scene has; to be called before the first step.
    /// Such a simulation goes back and ahead, but cannot be put away.
    pub fn prepare_for_any_mover(&mut self) {
        let Some(tables) = &mut self.tables else { return };
        tables.any_mover = true;
        if self.crowd.bodies().is_none() {
            let mut checker = Checker::new("");
            let other = OtherStyles::default();
            let bodies = build_bodies(&tables.scene, &self.crowd, &tables.folder, &other, &mut checker);
            bodies.into_iter().for_each(|bodies| self.crowd.set_bodies(bodies));
        }
    }

    /// Gets ready to direct people, so that the first who is directed lets nobody wait.
    pub fn prepare_directing(&mut self) {
        self.crowd.prepare_directing();
    }

    /// Watches a person, by its number, or nobody, so that its decisions are explained.
    pub fn watch(&mut self, id: Option<u32>) {
        self.crowd.watch(id);
    }

    /// Lets an event happen at once: `fields` are the lines of an `[[event]]` without `at`. Mistakes change nothing;
    /// what promises forbid happens as soon as they allow it, unless `only-then`.
    pub fn enact(&mut self, fields: &str) -> Result<Enacted, Vec<Problem>> {
        let at = self.crowd.frame() as f32 / FRAME_RATE;
        let text = format!("[[event]]\nat = {at:?}\n{fields}");
        let mut checker = Checker::new(&text);
        checker.here = Some(1);
        let enacted = read(&text, &mut checker).and_then(|table| self.enact_table(table, &mut checker));
        enacted.ok_or_else(|| {
            // Lines are those of the fields.
            let line = |line: usize| line.checked_sub(2).filter(|line| *line > 0);
            checker.problems.iter_mut().for_each(|problem| problem.line = problem.line.and_then(line));
            checker.problems
        })
    }

    fn enact_table(&mut self, mut table: EventTable, checker: &mut Checker<'_>) -> Option<Enacted> {
        let Self { crowd, tables, names, history, .. } = self;
        let Some(tables) = tables else {
            checker.problem(None, "this simulation comes from no scene", "");
            return None;
        };
        let mut making = Making::default();
        if let Some(painted) = table.region.as_mut().and_then(|region| region.painted.as_mut()) {
            painted.read_image(&tables.folder, checker);
        }
        let Some(mut read) = read_event(&mut table, tables, names, crowd, &mut making, checker) else {
            making.take_back(crowd);
            return None;
        };
        let (mut enacted, mut later) = (Enacted::default(), Vec::new());
        if let Some(newcomers) = read.newcomers {
            newcomers.come(crowd, &mut making, &mut enacted);
        }
        let mut plans = 0;
        for edit in read.event.edits(crowd) {
            plans += usize::from(edit.directs());
            if read.event.waits && edit.directs() && plans > PLANS_AT_ONCE {
                later.push(edit);
                continue;
            }
            match making.make(crowd, edit.clone()) {
                // Planning the same again at once would come to the same.
                Err(refusal) if refusal.is_for_now() && edit.directs() && read.event.waits => {
                    later.push(edit.after(&refusal));
                }
                Err(refusal) if refusal.is_for_now() => read.closing.push(edit),
                Err(refusal) => enacted.refused.push((edit.to_string(), refusal)),
                Ok(()) => {}
            }
        }
        for edit in read.closing {
            match making.make(crowd, edit.clone()) {
                Err(refusal) if refusal.is_for_now() && read.event.waits => later.push(edit),
                Err(refusal) => enacted.refused.push((edit.to_string(), refusal)),
                Ok(()) => {}
            }
        }
        (enacted.made, enacted.waiting) = (making.made.len(), later.len());
        enacted.steps = usize::from(enacted.made > 0) + enacted.waiting;
        history.note(crowd.frame(), making.made, making.backs);
        for edit in later {
            history.wait(crowd, edit);
        }
        Some(enacted)
    }
}

/// Reads the tables of an event, with all its numbers in bounds.
fn read(text: &str, checker: &mut Checker<'_>) -> Option<EventTable> {
    if text.len() > bounds::MOST_BYTES {
        checker.problem(None, "this event is too long", "");
        return None;
    }
    match toml::from_str::<One>(text) {
        Ok(One { event: [table] }) => {
            bounds::check_numbers(text, checker);
            is_right(checker).then_some(table)
        }
        Err(error) => {
            let message = error.message().trim();
            checker.problem(error.span(), in_plain_words(message), fix_of(message));
            None
        }
    }
}

fn is_right(checker: &Checker<'_>) -> bool {
    checker.problems.iter().all(|problem| problem.harmless)
}

/// An event that is right, when its places are there already.
struct Read {
    event: Event,
    newcomers: Option<Newcomers>,
    /// Changes that bring obstacles, after all others.
    closing: Vec<Edit>,
}

/// Reads an event and makes its places; mistakes go to the checker, and then there is no event.
fn read_event(
    table: &mut EventTable,
    tables: &mut Tables,
    names: &[(u32, String)],
    crowd: &mut Crowd,
    making: &mut Making,
    checker: &mut Checker<'_>,
) -> Option<Read> {
    let known = Known::of(crowd);
    let limit = |crowd: &mut Crowd, tables: &Tables, checker: &mut Checker<'_>| {
        if !tables.any_mover {
            known.refuse_more(crowd, checker);
        }
    };
    bring_region(table, tables, crowd, making, checker);
    bring_stop_and_signal(table, tables, crowd, making, checker);
    let is_known = |name: &Name| tables.situations.iter().any(|(own, _)| own == name.get_ref());
    if let Some(situation) = table.set_situation.take_if(|new| !is_known(&new.name)) {
        let built = build_situation(&tables.scene, &situation, crowd, checker);
        checker.here = Some(1);
        limit(crowd, tables, checker);
        if !is_right(checker) {
            return None;
        }
        for one in built {
            let number = crowd.shared().situations.len() as u16;
            making.must(crowd, Edit::AddSituation(Box::new(one)), checker);
            if crowd.shared().situations.len() > usize::from(number) {
                tables.situations.push((situation.name.get_ref().clone(), SituationId(number)));
            }
        }
        tables.scene.situation.push(*situation);
    }
    let mut changes = Vec::new();
    bring_obstacle(table, tables, crowd, checker, &mut changes);
    let people = table.people.take();
    let newcomers = people.and_then(|people| read_newcomers(tables, &people, crowd, checker));
    let mut reader = Reader { scene: &tables.scene, crowd, situations: &tables.situations, names, checker };
    let whom = reader.find_all(table);
    let deeds = reader.read_deeds(table).unwrap_or_default();
    let formation = reader.read_formation(table);
    reader.read_ground(0, table, &mut changes);
    reader.read_places(table, &mut changes);
    reader.read_situations(table, &mut changes);
    limit(crowd, tables, checker);
    let nothing = making.made.is_empty() && newcomers.is_none() && deeds.is_empty() && changes.is_empty();
    let nothing = nothing && table.direct.is_none();
    if nothing && is_right(checker) {
        let fix = "say what: `speed`, `to`, `leave`, `open`, `close`, `people`, `signal`, `situation` …";
        checker.problem(None, "nothing happens in this event", fix);
    }
    let whom = whom.filter(|_| is_right(checker))?;
    let (closing, others): (Vec<Edit>, Vec<Edit>) = changes.into_iter().partition(Edit::brings_obstacles);
    for edit in others {
        making.must(crowd, edit, checker);
    }
    let event =
        Event { frame: crowd.frame(), whom, deeds, formation, changes: Vec::new(), waits: !table.only_then };
    is_right(checker).then_some(Read { event, newcomers, closing })
}

fn is_new<'a>(name: &Name, mut names: impl Iterator<Item = &'a Name>) -> bool {
    names.all(|own| own.get_ref() != name.get_ref())
}

/// Adds a region that is not there yet, and leaves another to be changed.
fn bring_region(
    table: &mut EventTable,
    tables: &mut Tables,
    crowd: &mut Crowd,
    making: &mut Making,
    checker: &mut Checker<'_>,
) {
    let (ground, begun, scene) = (crowd.setting().ground.clone(), tables.begun.regions, &mut tables.scene);
    let Some(region) = &table.region else { return };
    if let Some(first) = regions_called(&ground, scene, region.name.get_ref()).first() {
        if *first < begun && is_new(&region.name, scene.region.iter().map(|own| &own.name)) {
            let what = format!("the world has a region `{}` of its own", region.name.get_ref());
            checker.problem(Some(region.name.span()), what, "give this one another name");
        }
        return;
    }
    let Some(region) = table.region.take() else { return };
    let all = region_polygons(scene, &region, &ground, checker);
    let (name, many) = (region.name.get_ref(), all.len() > 1);
    for (index, polygons) in all.into_iter().enumerate() {
        let own = if many { format!("{name}-{}", index + 1) } else { name.clone() };
        making.must(crowd, Edit::AddRegion(own, polygons), checker);
    }
    scene.region.push(region);
}

/// Adds a stop and a signal that are not there yet, and leaves others to be changed.
fn bring_stop_and_signal(
    table: &mut EventTable,
    tables: &mut Tables,
    crowd: &mut Crowd,
    making: &mut Making,
    checker: &mut Checker<'_>,
) {
    let (ground, scene) = (crowd.setting().ground.clone(), &mut tables.scene);
    let signal = table.set_signal.take_if(|new| is_new(&new.name, scene.signal.iter().map(|own| &own.name)));
    if let Some(signal) = signal {
        making.must(crowd, Edit::AddSignal(read_signal(&signal, checker)), checker);
        scene.signal.push(signal);
    }
    let stop = table.stop.take_if(|new| is_new(&new.name, scene.stop.iter().map(|own| &own.name)));
    if let Some(stop) = stop {
        // A stop may lead to itself.
        scene.stop.push(stop.clone());
        let built = build_stop(scene, &stop, &ground, checker);
        making.must(crowd, Edit::AddStop(built), checker);
    }
}

/// Reads an obstacle that comes, or that comes back in another shape.
fn bring_obstacle(
    table: &mut EventTable,
    tables: &Tables,
    crowd: &Crowd,
    checker: &mut Checker<'_>,
    changes: &mut Vec<Edit>,
) {
    let Some(shape) = table.obstacle.take() else { return };
    let rings = obstacle_rings(&tables.scene, &shape, &crowd.setting().ground, checker);
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

/// What a crowd can have of what is not written down with its changes.
#[derive(Clone, Copy)]
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

/// People who come.
struct Newcomers {
    count: usize,
    entries: Entry,
    template: crate::template::Template,
    member_of: Vec<SituationId>,
}

impl Newcomers {
    /// Lets those in for whom there is room.
    fn come(self, crowd: &mut Crowd, making: &mut Making, enacted: &mut Enacted) {
        for index in 0..self.count {
            let (seed, id) = (crowd.setting().seed, crowd.next_id());
            let mut random = Random::new(seed, id, crowd.frame(), Purpose::BIRTH);
            let anywhere = random.between(-std::f32::consts::PI, std::f32::consts::PI);
            let sets_out = !self.entries.tells_facing();
            let newcomer = Newcomer { sets_out, ..self.template.draw(crowd.frame(), &mut random) };
            let place = match &self.entries {
                Entry::Spots(spots) => {
                    let (position, heading) = spots[index];
                    Some(Placement { position, heading: heading.unwrap_or(anywhere) })
                }
                Entry::Regions(regions, facing) => {
                    let region = (!regions.is_empty()).then(|| regions[index % regions.len()]);
                    let heading = match *facing {
                        Facing::Direction(heading) => heading,
                        Facing::Anywhere | Facing::Point(_) => anywhere,
                    };
                    crowd.find_room(&newcomer, region, heading)
                }
            };
            let Some(place) = place else {
                enacted.refused.push(("somebody comes".into(), Refusal::NoRoom));
                continue;
            };
            let edit = Edit::Add(place, Box::new(newcomer));
            let words = edit.to_string();
            match making.make(crowd, edit) {
                Ok(()) => {
                    enacted.came.push(id);
                    enacted.free.push(index);
                }
                Err(refusal) => enacted.refused.push((words, refusal)),
            }
        }
        for id in &enacted.came {
            for situation in &self.member_of {
                let edit = Edit::Join(*id, *situation);
                if let Err(refusal) = making.make(crowd, edit.clone()) {
                    enacted.refused.push((edit.to_string(), refusal));
                }
            }
        }
    }
}

/// Reads people who come; mistakes go to the checker.
fn read_newcomers(
    tables: &mut Tables,
    people: &People,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
) -> Option<Newcomers> {
    let refused = [
        (
            matches!(people.mover.known(), Some(Mover::Planned | Mover::Recorded)),
            "nobody who is planned or recorded can come in mid-run",
            "give `graph` or a velocity mover",
        ),
        (people.appear != [0.0; 2], "who comes by hand comes at once", "leave out `appear`"),
        (people.rate.is_some(), "people who come now come at no rate", "give `count` instead of `rate`"),
        (
            people.outfit.is_some() || !people.things.is_empty() || !people.gestures.is_empty(),
            "who comes by hand wears what chance gives",
            "leave out `outfit`, `things` and `gestures`",
        ),
        (!people.favours.is_empty(), "who comes by hand has no favourite styles", "leave out `favours`"),
    ];
    for (_, what, fix) in refused.iter().filter(|(wrong, ..)| *wrong) {
        checker.problem(None, *what, *fix);
    }
    let before = checker.problems.len();
    let staging = Staging::default();
    let reading = Reading { scene: &tables.scene, staging: &staging, situations: &tables.situations };
    let arrival = reading.arrival(tables.people, people, 0, crowd, checker)?;
    // What a scene can do without is a mistake of one who asks for it now.
    for problem in checker.problems[before..].iter_mut().filter(|problem| problem.harmless) {
        (problem.harmless, problem.fix) = (false, "give places on the floor".into());
    }
    tables.people += 1;
    let (count, entries) = (arrival.times.len(), arrival.entries);
    Some(Newcomers { count, entries, template: arrival.template, member_of: arrival.member_of })
}
