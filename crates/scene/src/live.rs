//! Events that happen at once: whatever can stand in a scene's `[[event]]` can be done to the running crowd by hand.
//!
//! What such an event brings gets the numbers that come next, in the order in which it would if the event stood at the end
//! of the scene.

use crate::bounds;
use crate::build::{Checker, build_stop, read_signal};
use crate::events::{Event, EventTable};
use crate::file::Name;
use crate::ground::region_rings;
use crate::happenings::Reader;
use crate::mover::Mover;
use crate::people::{People, Reading};
use crate::problem::Problem;
use crate::simulation::{Simulation, Tables};
use crate::situations::build_situation;
use crate::styles::{OtherStyles, build_bodies};
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Crowd, Edit, Refusal};
use crowdloom_motion::{FRAME_RATE, Placement};
use serde::Deserialize;

/// What came of an event that happened at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enacted {
    /// How often [`Simulation::undo`] takes it back.
    pub steps: usize,
    /// Whether something of it waits for promises to allow it.
    pub waits: bool,
    /// The numbers of those who came.
    pub came: Vec<u32>,
    /// Which of the places for newcomers were free, by their indices.
    pub free: Vec<usize>,
    /// How many changes of single people could not be made.
    pub refused: usize,
    /// Why the first of them could not.
    pub why: Option<String>,
}

impl Enacted {
    fn refuse(&mut self, refusal: Refusal) {
        self.refused += 1;
        self.why.get_or_insert_with(|| refusal.to_string());
    }
}

/// The tables of one event.
#[derive(Deserialize)]
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
    /// Lets people have any mover later, whatever movers the scene has; to be called before the first step.
    pub fn prepare_for_any_mover(&mut self) {
        let Some(tables) = &self.tables else { return };
        if self.crowd.bodies().is_none() {
            let mut checker = Checker::new("");
            let bodies = build_bodies(
                &tables.scene,
                &self.crowd,
                &tables.folder,
                &OtherStyles::default(),
                &mut checker,
            );
            bodies.into_iter().for_each(|bodies| self.crowd.set_bodies(bodies));
        }
    }

    /// Lets an event happen at once: `fields` are the lines of an `[[event]]` without `at`. Mistakes change nothing;
    /// what promises forbid happens as soon as they allow it.
    pub fn enact(&mut self, fields: &str) -> Result<Enacted, Vec<Problem>> {
        let at = self.crowd.frame() as f32 / FRAME_RATE;
        let text = format!("[[event]]\nat = {at:?}\n{fields}");
        let mut checker = Checker::new(&text);
        checker.here = Some(1);
        let enacted = read(&text, &mut checker).and_then(|table| self.enact_table(table, &mut checker));
        let fatal = checker.problems.iter().any(|problem| !problem.harmless);
        enacted.filter(|_| !fatal).ok_or_else(|| {
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
        bring_places(&mut table, tables, crowd, &mut making, checker);
        let obstacle = table.obstacle.take();
        let mut waiting = Vec::new();
        if let Some(shape) = &obstacle {
            let rings = region_rings(&tables.scene, shape, &crowd.setting().ground.clone(), checker);
            match &shape.name {
                Some(name) if crowd.obstacle_named(name.get_ref()).is_some() => {
                    let what = format!("there is an obstacle `{}` already", name.get_ref());
                    checker.problem(Some(name.span()), what, "give it another name");
                }
                Some(name) => waiting.push(Edit::AddObstacle(name.get_ref().clone(), rings)),
                None => checker.problem(None, "an obstacle that comes by hand needs a name", "give it one"),
            }
        }
        let people = table.people.take();
        let mut changes = Vec::new();
        let mut reader =
            Reader { scene: &tables.scene, crowd, situations: &tables.situations, names, checker };
        let whom = reader.find_all(&table);
        let deeds = reader.read_deeds(&table).unwrap_or_default();
        reader.read_ground(0, &table, &mut changes);
        reader.read_places(&table, &mut changes);
        reader.read_situations(&table, &mut changes);
        let newcomers = people.and_then(|people| read_newcomers(tables, &people, crowd, checker));
        let right = checker.problems.iter().all(|problem| problem.harmless);
        let Some(whom) = whom.filter(|_| right) else {
            making.take_back(crowd);
            return None;
        };
        let nothing = making.made.is_empty() && waiting.is_empty() && newcomers.is_none();
        if nothing && deeds.is_empty() && changes.is_empty() {
            checker.problem(None, "nothing happens in this event", "say what");
            return None;
        }
        let mut enacted = Enacted::default();
        if let Some(newcomers) = newcomers {
            newcomers.come(crowd, &mut making, &mut enacted);
        }
        let (closing, others): (Vec<Edit>, Vec<Edit>) = changes.into_iter().partition(Edit::brings_obstacles);
        waiting.extend(closing);
        for edit in others {
            making.must(crowd, edit, checker);
        }
        if checker.problems.iter().any(|problem| !problem.harmless) {
            making.take_back(crowd);
            return None;
        }
        let event = Event { frame: crowd.frame(), whom, deeds, changes: Vec::new(), waits: false };
        for edit in event.edits(crowd) {
            match making.make(crowd, edit.clone()) {
                Err(refusal) if refusal.is_for_now() => waiting.push(edit),
                Err(refusal) => enacted.refuse(refusal),
                Ok(()) => {}
            }
        }
        enacted.steps = usize::from(!making.made.is_empty()) + waiting.len();
        history.note(crowd.frame(), making.made, making.backs);
        for edit in waiting {
            match history.edit_when_free(crowd, edit) {
                Ok(made) => enacted.waits |= !made,
                Err(refusal) => {
                    enacted.refuse(refusal);
                    enacted.steps -= 1;
                }
            }
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
            checker.problems.iter().all(|problem| problem.harmless).then_some(table)
        }
        Err(error) => {
            checker.problem(error.span(), error.message().trim(), "see `crowdloom schema`");
            None
        }
    }
}

/// Adds regions, signals, stops and situations that are not there yet, and leaves the others to be changed.
fn bring_places(
    table: &mut EventTable,
    tables: &mut Tables,
    crowd: &mut Crowd,
    making: &mut Making,
    checker: &mut Checker<'_>,
) {
    let is_new = |name: &Name, mut names: &mut dyn Iterator<Item = &Name>| {
        Iterator::all(&mut names, |own| own.get_ref() != name.get_ref())
    };
    let ground = crowd.setting().ground.clone();
    let scene = &mut tables.scene;
    if let Some(region) =
        table.region.take_if(|new| is_new(&new.name, &mut scene.region.iter().map(|own| &own.name)))
    {
        let name = region.name.get_ref();
        if ground.regions().iter().any(|own| own.name == *name) {
            let what = format!("the world has a region `{name}` of its own");
            checker.problem(Some(region.name.span()), what, "give this one another name");
        }
        let rings = region_rings(scene, &region.shape(), &ground, checker);
        let many = rings.len() > 1;
        for (index, ring) in rings.into_iter().enumerate() {
            let own = if many { format!("{name}-{}", index + 1) } else { name.clone() };
            making.must(crowd, Edit::AddRegion(own, vec![vec![ring]]), checker);
        }
        scene.region.push(region);
    }
    let ground = crowd.setting().ground.clone();
    if let Some(signal) =
        table.set_signal.take_if(|new| is_new(&new.name, &mut scene.signal.iter().map(|own| &own.name)))
    {
        making.must(crowd, Edit::AddSignal(read_signal(&signal, checker)), checker);
        scene.signal.push(signal);
    }
    if let Some(stop) =
        table.stop.take_if(|new| is_new(&new.name, &mut scene.stop.iter().map(|own| &own.name)))
    {
        scene.stop.push(stop.clone());
        let built = build_stop(scene, &stop, &ground, checker);
        making.must(crowd, Edit::AddStop(built), checker);
    }
    if let Some(situation) =
        table.set_situation.take_if(|new| is_new(&new.name, &mut scene.situation.iter().map(|own| &own.name)))
    {
        let built = build_situation(scene, &situation, crowd, checker);
        checker.here = Some(1);
        if checker.problems.iter().any(|problem| !problem.harmless) {
            return;
        }
        for one in built {
            let number = crowd.shared().situations.len() as u16;
            making.must(crowd, Edit::AddSituation(Box::new(one)), checker);
            if crowd.shared().situations.len() > usize::from(number) {
                tables.situations.push((situation.name.get_ref().clone(), SituationId(number)));
            }
        }
        scene.situation.push(*situation);
    }
}

/// People who come at places of their own.
struct Newcomers {
    spots: Vec<(glam::Vec2, Option<f32>)>,
    template: crate::people::Template,
    member_of: Vec<SituationId>,
}

impl Newcomers {
    /// Lets those in whose places are free, as a run of the scene does.
    fn come(self, crowd: &mut Crowd, making: &mut Making, enacted: &mut Enacted) {
        for (index, (position, heading)) in self.spots.into_iter().enumerate() {
            let (seed, id) = (crowd.setting().seed, crowd.next_id());
            let mut random = Random::new(seed, id, crowd.frame(), Purpose::BIRTH);
            let anywhere = random.between(-std::f32::consts::PI, std::f32::consts::PI);
            let placement = Placement { position, heading: heading.unwrap_or(anywhere) };
            let newcomer = self.template.draw(crowd.frame(), &mut random);
            match making.make(crowd, Edit::Add(placement, Box::new(newcomer))) {
                Ok(()) => {
                    enacted.came.push(id);
                    enacted.free.push(index);
                }
                Err(refusal) => enacted.refuse(refusal),
            }
        }
        for id in &enacted.came {
            for situation in &self.member_of {
                // Who finds a group full walks alone.
                let _ = making.make(crowd, Edit::Join(*id, *situation));
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
    if people.appear != [0.0; 2] || matches!(people.mover.known(), Some(Mover::Planned | Mover::Recorded)) {
        let what = "who comes by hand comes at once, and is neither planned nor recorded";
        checker.problem(None, what, "leave out `appear`, and give another mover");
        return None;
    }
    if !people.favours.is_empty() {
        checker.problem(None, "who comes by hand has no favourite styles", "leave out `favours`");
        return None;
    }
    let index = tables.scene.people.len();
    let reading = Reading { scene: &tables.scene, situations: &tables.situations };
    let arrival = reading.arrival(index, people, 0, crowd, checker)?;
    let Some(spots) = arrival.entries.spots() else {
        checker.problem(None, "nobody knows where these people come", "give their places by `at`");
        return None;
    };
    let spots = spots.to_vec();
    tables.scene.people.push(people.clone());
    Some(Newcomers { spots, template: arrival.template, member_of: arrival.member_of })
}
