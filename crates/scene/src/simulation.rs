//! A scene that runs.

use crate::build::Overrides;
use crate::events::Event;
use crate::file::{Name, SceneFile, Signal, Stop};
use crate::history::{History, Refused};
use crate::output::Output;
use crate::people::Facing;
use crate::snapshot::Origin;
use crate::spread::SpreadTable;
use crate::template::Template;
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Cause, Crowd, Edit, Happened, Newcomer, Refusal, ResumeError, SavedCrowd, Steps};
use crowdloom_motion::Placement;
use crowdloom_synthesis::Outcome;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// People that come into the scene.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The frame in which each of them appears, in order.
    pub times: Vec<u32>,
    /// How many have come.
    pub come: usize,
    /// Where they appear.
    pub entries: Entry,
    /// What they are like.
    pub template: Template,
    /// The situations that they are members of.
    pub member_of: Vec<SituationId>,
    /// How many wait for room.
    pub waits: usize,
}

/// Where people come in.
#[derive(Clone, Debug)]
pub enum Entry {
    /// In regions in turn, by their indices; anywhere where there is none.
    Regions(Vec<usize>, Facing),
    /// At one place each, in metres, facing some way in radians, or anywhere.
    Spots(Vec<(Vec2, Option<f32>)>),
}

impl Entry {
    /// The places of those who have one each.
    pub fn spots(&self) -> Option<&[(Vec2, Option<f32>)]> {
        match self {
            Self::Regions(..) => None,
            Self::Spots(spots) => Some(spots),
        }
    }

    /// Whether anybody is told which way to face.
    pub(crate) fn tells_facing(&self) -> bool {
        match self {
            Self::Regions(_, facing) => *facing != Facing::Anywhere,
            Self::Spots(spots) => spots.iter().any(|(_, facing)| facing.is_some()),
        }
    }
}

/// Frames after which those who found no room try again.
const TRIES_AGAIN: u32 = 15;
/// The most who try at once then.
const MOST_TRIES: usize = 40;

/// All of a simulation that changes while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedSimulation {
    crowd: SavedCrowd,
    /// How many have come, and how many wait for room, for each table of people.
    come: Vec<(usize, usize)>,
    /// How many events the scene has.
    events: usize,
    history: History,
    /// How many tables of people there were, those who came by hand included.
    tables: usize,
}

/// A scene in progress.
pub struct Simulation {
    name: String,
    text: String,
    pub(crate) crowd: Crowd,
    arrivals: Vec<Arrival>,
    frames: u32,
    output: Output,
    /// Names of those who have one, by number.
    pub(crate) names: Vec<(u32, String)>,
    outcomes: Vec<Outcome>,
    origin: Origin,
    events: Vec<Event>,
    pub(crate) history: History,
    pub(crate) tables: Option<Box<Tables>>,
}

/// The tables of a scene, with all that was added by hand: everything in them has the number that it has in the crowd.
pub(crate) struct Tables {
    pub(crate) scene: SceneFile,
    pub(crate) situations: Vec<(String, SituationId)>,
    /// How many tables of people there were, those who came by hand included.
    pub(crate) people: usize,
    /// Where files of the scene are looked for.
    pub(crate) folder: PathBuf,
    /// Whether people may get movers and tours that the scene has not.
    pub(crate) any_mover: bool,
    pub(crate) begun: Begun,
}

/// How much of each sort a crowd began with.
pub(crate) struct Begun {
    pub(crate) regions: usize,
    situations: usize,
}

impl Tables {
    /// Knows what the crowd has and nothing else: what is there no longer is forgotten, and of what another process added
    /// the name is known.
    fn agree_with(&mut self, crowd: &Crowd) {
        let SceneFile { region, stop, signal, situation, .. } = &mut self.scene;
        let shared = crowd.shared();
        let stops = &shared.scenario.stops;
        let same =
            stop.iter().zip(stops).take_while(|(own, there)| *own.name.get_ref() == there.name).count();
        stop.truncate(same);
        stop.extend(stops[same..].iter().map(|there| {
            let (region, regions, next) = (None, Vec::new(), BTreeMap::new());
            let (name, stay) = (unplaced(&there.name), SpreadTable::Fixed(0.0));
            Stop { name, region, regions, choose: None, stay, next, exit: there.exit }
        }));
        let same =
            signal.iter().zip(&shared.signals).take_while(|(own, there)| *own.name.get_ref() == there.name);
        let same = same.count();
        signal.truncate(same);
        let unknown = |name: &str| Signal { name: unplaced(name), on: 1.0, off: 0.0, offset: 0.0 };
        signal.extend(shared.signals[same..].iter().map(|there| unknown(&there.name)));
        let is_from_the_scene = |id: SituationId| id.index() < self.begun.situations;
        self.situations.retain(|(_, id)| is_from_the_scene(*id));
        let since = shared.situations.iter().enumerate().skip(self.begun.situations);
        self.situations.extend(since.map(|(number, own)| (own.name.clone(), SituationId(number as u16))));
        situation.retain(|own| self.situations.iter().any(|(name, _)| name == own.name.get_ref()));
        let regions = crowd.setting().ground.regions();
        region.retain(|own| {
            let (name, first) = (own.name.get_ref(), format!("{}-1", own.name.get_ref()));
            regions.iter().any(|region| region.name == *name || region.name == first)
        });
    }
}

/// A name that stands nowhere in the file.
fn unplaced(name: &str) -> Name {
    Name::new(0..0, name.to_owned())
}

impl Simulation {
    pub(crate) fn new(
        name: String,
        text: String,
        crowd: Crowd,
        arrivals: Vec<Arrival>,
        frames: u32,
        output: Output,
    ) -> Self {
        let (names, outcomes, origin) = (Vec::new(), Vec::new(), Origin::default());
        let (events, history, tables) = (Vec::new(), History::default(), None);
        let mut simulation = Self {
            name,
            text,
            crowd,
            arrivals,
            frames,
            output,
            names,
            outcomes,
            origin,
            events,
            history,
            tables,
        };
        simulation.let_people_in();
        simulation
    }

    pub(crate) fn with_cast(self, names: Vec<(u32, String)>, outcomes: Vec<Outcome>) -> Self {
        Self { names, outcomes, ..self }
    }

    pub(crate) fn with_events(self, events: Vec<Event>) -> Self {
        Self { events, ..self }
    }

    pub(crate) fn with_tables(
        self,
        scene: SceneFile,
        situations: Vec<(String, SituationId)>,
        folder: &Path,
    ) -> Self {
        let (people, folder) = (scene.people.len(), folder.to_owned());
        let situations_begun = self.crowd.shared().situations.len();
        let begun =
            Begun { regions: self.crowd.setting().ground.regions().len(), situations: situations_begun };
        let tables = Tables { scene, situations, people, folder, any_mover: false, begun };
        Self { tables: Some(Box::new(tables)), ..self }
    }

    /// Makes a change between two frames and notes it; returns the change that takes it back.
    pub fn edit(&mut self, edit: Edit) -> Result<Edit, Refusal> {
        self.history.edit(&mut self.crowd, edit, Cause::Hand)
    }

    /// Makes a change now, or as soon as promises allow it; returns whether it was made. Until then nobody enters the
    /// ground of an obstacle that it brings.
    pub fn edit_when_free(&mut self, edit: Edit) -> Result<bool, Refusal> {
        self.history.edit_when_free(&mut self.crowd, edit)
    }

    /// Takes the last change back that was made by hand.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        self.history.undo(&mut self.crowd)
    }

    /// Makes the last change again that was taken back.
    pub fn redo(&mut self) -> Result<(), Refusal> {
        self.history.redo(&mut self.crowd)
    }

    /// Makes the changes again, each after its frame, that were made by hand in another run of the same scene; this run
    /// then equals that one, bit for bit.
    pub fn repeat(&mut self, log: &[Happened]) {
        self.history.repeat(log, &mut self.crowd);
    }

    /// All changes that were made to the running crowd so far, by events and by hand.
    pub fn log(&self) -> &[Happened] {
        self.history.log()
    }

    /// Changes that are made as soon as promises allow it.
    pub fn waiting_edits(&self) -> impl Iterator<Item = &Edit> {
        self.history.waiting()
    }

    /// Changes of events and of repeated runs that were refused for good, and why.
    pub fn refused(&self) -> &[Refused] {
        self.history.refused()
    }

    fn let_events_happen(&mut self) {
        self.history.go_on(&mut self.crowd);
        let frame = self.crowd.frame();
        for event in self.events.iter().filter(|event| event.frame == frame) {
            let edits = event.edits(&self.crowd);
            self.history.let_happen(&mut self.crowd, edits, event.waits);
        }
        self.history.go_on_repeating(&mut self.crowd);
    }

    pub(crate) fn read_from(self, file: &Path, overrides: Overrides) -> Self {
        Self { origin: Origin { file: file.to_owned(), overrides }, ..self }
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What the scene is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scene file as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The frames that the scene asks to be run for.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// What the scene wants written.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Everything that is needed to go on from this frame.
    pub fn save(&self) -> SavedSimulation {
        let come = self.arrivals.iter().map(|arrival| (arrival.come, arrival.waits)).collect();
        let (events, history) = (self.events.len(), self.history.clone());
        let tables = self.tables.as_ref().map_or(0, |tables| tables.people);
        SavedSimulation { crowd: self.crowd.save(), come, events, history, tables }
    }

    /// Goes back, or ahead, to a saved frame of the same scene.
    pub fn resume(&mut self, saved: SavedSimulation) -> Result<(), ResumeError> {
        let fits = |(arrival, (come, waits)): (&Arrival, &(usize, usize))| {
            come.saturating_add(*waits) <= arrival.times.len()
        };
        if saved.come.len() != self.arrivals.len() || !self.arrivals.iter().zip(&saved.come).all(fits) {
            return Err(ResumeError::OtherScene { what: "its people" });
        }
        if saved.events != self.events.len() {
            return Err(ResumeError::OtherScene { what: "its events" });
        }
        self.crowd.resume(saved.crowd)?;
        self.history = saved.history;
        if let Some(tables) = &mut self.tables {
            tables.people = saved.tables;
            tables.agree_with(&self.crowd);
        }
        for (arrival, (come, waits)) in self.arrivals.iter_mut().zip(saved.come) {
            (arrival.come, arrival.waits) = (come, waits);
        }
        Ok(())
    }

    /// How many people of each table wait for room to appear.
    pub(crate) fn waiting_by_table(&self) -> impl Iterator<Item = usize> + '_ {
        self.arrivals.iter().map(|arrival| arrival.waits)
    }

    /// The crowd, to be changed between two steps.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// The crowd alone; people who are still to come do not come any more.
    pub fn into_crowd(self) -> Crowd {
        self.crowd
    }

    /// How many people wait for room to appear.
    pub fn waiting(&self) -> usize {
        self.waiting_by_table().sum()
    }

    fn let_people_in(&mut self) {
        let frame = self.crowd.frame();
        for arrival in &mut self.arrivals {
            let due = arrival.times.partition_point(|&time| time <= frame);
            let new = due - (arrival.come + arrival.waits).min(due);
            let tries = frame > 0 && frame.is_multiple_of(TRIES_AGAIN);
            let waiting = if tries { arrival.waits.min(MOST_TRIES) } else { 0 };
            if new + waiting == 0 {
                continue;
            }
            let before = self.crowd.len();
            let placed = let_in(&mut self.crowd, arrival, new + waiting);
            for agent in before..self.crowd.len() {
                for &situation in &arrival.member_of {
                    self.crowd.join(agent, situation);
                }
            }
            if placed > 0 {
                self.crowd.let_follow();
            }
            arrival.come += placed;
            arrival.waits = arrival.waits + new - placed;
        }
    }
}

impl Steps for Simulation {
    fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Advances the clock by one frame and lets people in whose time has come.
    fn step(&mut self) {
        self.crowd.step();
        self.let_people_in();
        self.let_events_happen();
    }

    fn name_of(&self, id: u32) -> Option<&str> {
        let place = self.names.binary_search_by_key(&id, |(own, _)| *own).ok()?;
        Some(&self.names[place].1)
    }

    fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    fn log(&self) -> &[Happened] {
        self.history.log()
    }

    fn snapshot(&self) -> Option<Vec<u8>> {
        Simulation::snapshot(self).ok()
    }
}

/// Lets up to `count` people of a table in; returns how many found room.
fn let_in(crowd: &mut Crowd, arrival: &Arrival, count: usize) -> usize {
    let frame = crowd.frame();
    let sets_out = !arrival.entries.tells_facing();
    let draw = |random: &mut Random| Newcomer { sets_out, ..arrival.template.draw(frame, random) };
    match &arrival.entries {
        Entry::Regions(regions, facing) => {
            let parts = regions.len().max(1);
            // As even as can be: region after region gets its share, also where people come one by one.
            let before = |people: usize, part: usize| (people + parts - 1 - part) / parts;
            let share = |part: usize| before(arrival.come + count, part) - before(arrival.come, part);
            let place = |part: usize| regions.get(part).copied();
            (0..parts)
                .map(|part| crowd.scatter_facing(share(part), place(part), |p| facing.towards(p), draw))
                .sum()
        }
        Entry::Spots(spots) => {
            let first = arrival.come;
            let mut placed = 0;
            for (position, heading) in spots.iter().skip(first).take(count) {
                let (seed, id) = (crowd.setting().seed, crowd.next_id());
                let mut random = Random::new(seed, id, crowd.frame(), Purpose::BIRTH);
                let anywhere = random.between(-std::f32::consts::PI, std::f32::consts::PI);
                let heading = heading.unwrap_or(anywhere);
                let placement = Placement { position: *position, heading };
                placed += usize::from(crowd.add(placement, draw(&mut random)).is_some());
            }
            placed
        }
    }
}
