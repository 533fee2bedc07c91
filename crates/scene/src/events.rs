//! Events of a scene: changes to the running crowd at given times.

use crate::build::Checker;
use crate::file::{Name, SceneFile};
use crate::mover::Mover;
use crate::people::People;
use crate::rules::find_signal;
use crowdloom_crowd::situation::SituationId;
use crowdloom_crowd::{Crowd, Edit};
use crowdloom_motion::FRAME_RATE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that happens at a given time: to people (`who`, with `speed`, `to`, `mover` or `leave`), to a `signal` or to a
/// `situation`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EventTable {
    /// When, in seconds from the beginning.
    pub at: f32,
    /// To whom: a person's name, a region (those who are in it then), a situation (its members), or everybody without it.
    #[schemars(with = "Option<String>")]
    pub who: Option<Name>,
    /// The speed that they like from then on, in metres a second.
    pub speed: Option<f32>,
    /// The stop that they go to from then on.
    #[schemars(with = "Option<String>")]
    pub to: Option<Name>,
    /// What moves them from then on.
    pub mover: Option<Mover>,
    /// Whether they are gone.
    #[serde(default)]
    pub leave: bool,
    /// A signal that is switched.
    #[schemars(with = "Option<String>")]
    pub signal: Option<Name>,
    /// A situation that is put in force or out of it.
    #[schemars(with = "Option<String>")]
    pub situation: Option<Name>,
    /// Whether signal or situation are on from then on; a signal without it goes back to its timer.
    pub on: Option<bool>,
}

/// Whom an event concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whom {
    Everybody,
    Person(u32),
    Region(usize),
    Members(SituationId),
}

/// What an event does to somebody, or to all.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deed {
    Speed(f32),
    Stop(u16),
    Mover(crowdloom_crowd::Mover),
    Leave,
    Signal(u16, Option<bool>),
    Situation(SituationId, bool),
}

/// An event that waits for its time.
#[derive(Clone, Debug)]
pub struct Event {
    frame: u32,
    whom: Whom,
    deeds: Vec<Deed>,
    /// What is left to be done, because promises of others did not allow it yet.
    pending: Vec<Edit>,
}

/// What of an event has to be known to go on.
pub type SavedEvent = Vec<Edit>;

impl Event {
    /// Does what is due in the crowd's frame, and what could not be done before; returns what was done.
    pub fn happen(&mut self, crowd: &mut Crowd) -> Vec<Edit> {
        if crowd.frame() == self.frame {
            self.pending = self.edits(crowd);
        }
        let mut done = Vec::new();
        self.pending.retain(|edit| match crowd.edit(edit.clone()) {
            Ok(_) => {
                done.push(edit.clone());
                false
            }
            Err(refusal) => refusal.is_for_now(),
        });
        done
    }

    /// What is left to be done.
    pub fn save(&self) -> SavedEvent {
        self.pending.clone()
    }

    /// Goes on with what was left to be done.
    pub fn resume(&mut self, saved: SavedEvent) {
        self.pending = saved;
    }

    fn edits(&self, crowd: &Crowd) -> Vec<Edit> {
        let ground = &crowd.setting().ground;
        let concerns = |index: &usize| match self.whom {
            Whom::Everybody => true,
            Whom::Person(id) => crowd.id(*index) == id,
            Whom::Region(region) => ground.regions()[region].contains(crowd.positions()[*index]),
            Whom::Members(situation) => {
                crowd.mind(*index).visits.iter().any(|visit| visit.situation == situation)
            }
        };
        let people: Vec<u32> = (0..crowd.len()).filter(concerns).map(|index| crowd.id(index)).collect();
        let mut edits = Vec::new();
        for deed in &self.deeds {
            let of = |id: u32| match *deed {
                Deed::Speed(speed) => Some(Edit::Speed(id, speed)),
                Deed::Stop(stop) => Some(Edit::Stop(id, Some(stop))),
                Deed::Mover(mover) => Some(Edit::Mover(id, mover)),
                Deed::Leave => Some(Edit::Remove(id)),
                Deed::Signal(..) | Deed::Situation(..) => None,
            };
            match *deed {
                Deed::Signal(signal, on) => edits.push(Edit::Signal(signal, on)),
                Deed::Situation(situation, on) => edits.push(Edit::Situation(situation, on)),
                _ => edits.extend(people.iter().filter_map(|&id| of(id))),
            }
        }
        edits
    }
}

/// Reads all events of a scene; mistakes go to the checker.
pub fn build_events(
    scene: &SceneFile,
    crowd: &mut Crowd,
    situations: &[(String, SituationId)],
    names: &[(u32, String)],
    checker: &mut Checker<'_>,
) -> Vec<Event> {
    let mut events = Vec::new();
    for (index, table) in scene.event.iter().enumerate() {
        checker.here = checker.table_line("event", index);
        if table.at > scene.seconds {
            let what = format!("this happens after the end of the run, which lasts {} s", scene.seconds);
            checker.warning(None, what, "let it happen earlier, or give more `seconds`");
        }
        let whom = table
            .who
            .as_ref()
            .map_or(Some(Whom::Everybody), |who| find_whom(who, scene, crowd, situations, names, checker));
        let deeds = read_deeds(table, scene, crowd, situations, checker);
        if let (Some(whom), Some(deeds)) = (whom, deeds) {
            // Whatever happens at the very beginning happens in the first frame.
            let frame = ((table.at * FRAME_RATE) as u32).max(1);
            events.push(Event { frame, whom, deeds, pending: Vec::new() });
        }
    }
    checker.here = None;
    events
}

fn find_whom(
    who: &Name,
    scene: &SceneFile,
    crowd: &Crowd,
    situations: &[(String, SituationId)],
    names: &[(u32, String)],
    checker: &mut Checker<'_>,
) -> Option<Whom> {
    let name = who.get_ref();
    let person = names.iter().find(|(_, own)| own == name).map(|(id, _)| Whom::Person(*id));
    let region = || crowd.setting().ground.regions().iter().position(|region| region.name == *name);
    let members = || situations.iter().find(|(own, _)| own == name).map(|(_, id)| Whom::Members(*id));
    let found = person.or_else(|| region().map(Whom::Region)).or_else(members);
    if found.is_none() {
        let regions = scene.region.iter().map(|region| region.name.get_ref().as_str());
        let known = names.iter().map(|(_, name)| name.as_str()).chain(regions);
        checker.unknown("person, region or situation", who, known);
    }
    found
}

fn read_deeds(
    table: &EventTable,
    scene: &SceneFile,
    crowd: &mut Crowd,
    situations: &[(String, SituationId)],
    checker: &mut Checker<'_>,
) -> Option<Vec<Deed>> {
    let mut deeds = Vec::new();
    deeds.extend(table.speed.map(Deed::Speed));
    if let Some(to) = &table.to {
        let stops = scene.stop.iter().map(|stop| stop.name.get_ref().as_str());
        match stops.clone().position(|stop| stop == to.get_ref()) {
            Some(stop) => deeds.push(Deed::Stop(stop as u16)),
            None => checker.unknown("stop", to, stops),
        }
    }
    if let Some(mover) = table.mover {
        if matches!(mover, Mover::Planned | Mover::Recorded) {
            let fix = "give `graph` or a velocity mover";
            checker.problem(None, "nobody can become planned or recorded in mid-run", fix);
            return None;
        }
        deeds.push(Deed::Mover(mover.build(&People::default(), crowd, checker)?));
    }
    if table.leave {
        deeds.push(Deed::Leave);
    }
    if let Some(name) = &table.signal {
        deeds.push(Deed::Signal(find_signal(scene, name, checker)?.0, table.on));
    }
    if let Some(name) = &table.situation {
        let all = situations.iter().filter(|(own, _)| own == name.get_ref());
        let on = table.on.unwrap_or(true);
        let found: Vec<Deed> = all.map(|(_, id)| Deed::Situation(*id, on)).collect();
        if found.is_empty() {
            let names = scene.situation.iter().map(|situation| situation.name.get_ref().as_str());
            checker.unknown("situation", name, names);
        }
        deeds.extend(found);
    }
    if deeds.is_empty() {
        let fix = "give `speed`, `to`, `mover`, `leave`, `signal` or `situation`";
        checker.problem(None, "nothing happens in this event", fix);
    }
    Some(deeds)
}

/// An event that happened, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// The frame in which it happened.
    pub frame: u32,
    /// What was changed.
    pub edit: Edit,
}
