//! Saving a crowd at any frame and going on from there, to the same bits.

use crate::additions::AddedNames;
use crate::bodies::Member;
use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::diversity::SavedStyles;
use crate::edit::Edit;
use crate::mind::Mind;
use crate::moves::{MoveId, Part};
use crate::person::{Dress, Mover, Profile};
use crate::population::{Expected, binding_of};
use crate::shown::Fade;
use crate::situation::Roll;
use crate::steering::Steered;
use crate::vehicle::Journey;
use crowdloom_follower::PlannedBody;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// The bodies of those who follow discs or plans, and the styles of all who have some.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedBodies {
    members: Vec<Member>,
    planned: Vec<(u32, PlannedBody)>,
    styles: SavedStyles,
}

/// All of a crowd that changes while it runs; what it runs in (graph, ground, situations) comes from its scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedCrowd {
    frame: u32,
    next_id: u32,
    next_ticket: u32,
    reached_by_gone: u64,
    seed: u64,
    added: AddedNames,
    people: Vec<SavedPerson>,
    rolls: Vec<Roll>,
    enabled: Vec<bool>,
    by_hand: Vec<Option<bool>>,
    journeys: Vec<Journey>,
    planned: Vec<SavedMove>,
    /// Promises of those who are about to appear, by ticket.
    foretold: Vec<(u32, SavedPromise)>,
    expected: Vec<Expected>,
    steered: Steered,
    fades: Vec<Fade>,
    bodies: Option<SavedBodies>,
    /// Changes of places that were made, and those that are waited for.
    changes: Vec<Edit>,
    awaited: Vec<Edit>,
    dresses: BTreeMap<u32, Dress>,
}

/// A move that was planned for one occasion.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedMove {
    number: u32,
    /// Action, frames and node at the end of each part.
    parts: Vec<(Option<u16>, u32, u16)>,
    track: Vec<Placement>,
    radius: f32,
    stays: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SavedPromise {
    start: Placement,
    start_frame: u32,
    #[serde(default)]
    head_start: u32,
    doing: Option<u32>,
    node: u16,
    radius: f32,
    /// When it leaves the scene in the midst of its move.
    leaves_in: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedPerson {
    id: u32,
    promise: SavedPromise,
    due: u32,
    heading: Option<Vec2>,
    mover: Mover,
    usual_mover: Mover,
    profile: Profile,
    mind: Mind,
}

impl SavedPromise {
    fn new(promise: &Commitment, crowd: &Crowd) -> Self {
        Self {
            start: promise.start,
            start_frame: promise.start_frame,
            head_start: promise.head_start,
            doing: promise.doing.map(|doing| doing.0),
            node: promise.node.0,
            radius: promise.radius(&crowd.setting.book),
            leaves_in: promise.leaves_in(),
        }
    }

    fn promise(&self) -> Commitment {
        let (start, node) = (self.start, NodeId(self.node));
        let promise = match self.doing {
            Some(doing) => {
                Commitment::new(start, self.start_frame, MoveId(doing), node).with_head_start(self.head_start)
            }
            None => Commitment::standing(start, self.start_frame, node, self.radius),
        };
        promise.leaving(self.leaves_in)
    }

    fn is_finite(&self) -> bool {
        self.start.position.is_finite() && self.start.heading.is_finite() && self.radius.is_finite()
    }
}

/// Why a saved crowd does not fit.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ResumeError {
    /// The seed is another.
    #[error("the crowd was saved with seed {saved}, but this scene has seed {own}")]
    OtherSeed {
        /// The seed it was saved with.
        saved: u64,
        /// The seed of the scene.
        own: u64,
    },
    /// Something is missing that the program had added.
    #[error(
        "the crowd was saved by a program that adds the {what} `{name}`: add the same again, in the same order"
    )]
    NotAdded {
        /// What it is.
        what: &'static str,
        /// What it is called.
        name: String,
    },
    /// Situations or signals are others.
    #[error("the crowd was saved in another scene: {what} do not fit")]
    OtherScene {
        /// What does not fit.
        what: &'static str,
    },
}

impl Crowd {
    /// Everything that is needed to go on from this frame.
    pub fn save(&self) -> SavedCrowd {
        let person = |index: usize| SavedPerson {
            id: self.ids[index],
            promise: SavedPromise::new(&self.ledger.promises[index], self),
            due: self.due[index],
            heading: Some(self.headings[index]).filter(|heading| heading.is_finite()),
            mover: self.movers[index],
            usual_mover: self.usual_movers[index],
            profile: self.profiles[index],
            mind: self.minds[index].clone(),
        };
        let planned = |doing: MoveId| {
            let entry = self.setting.book.get(doing);
            let part = |part: &Part| (part.action.map(|action| action.0), part.frames, part.to.0);
            SavedMove {
                number: doing.0,
                parts: entry.parts.iter().map(part).collect(),
                track: entry.track.clone(),
                radius: entry.radius,
                stays: entry.stays,
            }
        };
        let foretold = self.ledger.foretold.iter().map(|(ticket, promise, _)| (*ticket, promise));
        let promises = self.ledger.promises.iter().chain(foretold.clone().map(|(_, promise)| promise));
        let doing = promises.filter_map(|promise| promise.doing);
        SavedCrowd {
            planned: doing.filter(|&doing| self.setting.book.is_planned(doing)).map(planned).collect(),
            foretold: foretold.map(|(ticket, promise)| (ticket, SavedPromise::new(promise, self))).collect(),
            frame: self.frame,
            next_id: self.next_id,
            next_ticket: self.next_ticket,
            reached_by_gone: self.reached_by_gone,
            seed: self.setting.seed,
            added: self.shared.additions.names(),
            people: (0..self.len()).map(person).collect(),
            rolls: self.shared.rolls.clone(),
            enabled: self.shared.situations.iter().map(|situation| situation.enabled).collect(),
            by_hand: self.shared.signals.iter().map(|signal| signal.by_hand).collect(),
            journeys: self.shared.vehicles.iter().map(|vehicle| vehicle.state.clone()).collect(),
            expected: self.expected.clone(),
            steered: self.steered.clone(),
            fades: self.fades.clone(),
            bodies: self.bodies.as_ref().map(|bodies| SavedBodies {
                members: bodies.members.clone(),
                planned: bodies.planned.clone(),
                styles: bodies.control.save(),
            }),
            changes: self.changes.made.clone(),
            awaited: self.terrain.awaited().to_vec(),
            dresses: self.dresses.clone(),
        }
    }

    /// Goes back, or ahead, to a saved frame; this crowd must have the same setting, situations and signals.
    ///
    /// Places are then as they were when it was saved, whatever changed them since.
    pub fn resume(&mut self, mut saved: SavedCrowd) -> Result<(), ResumeError> {
        if let Some((what, name)) = saved.added.missing_in(&self.shared.additions.names()) {
            return Err(ResumeError::NotAdded { what, name: name.to_owned() });
        }
        let places = self.places();
        let (changes, awaited) = (std::mem::take(&mut saved.changes), std::mem::take(&mut saved.awaited));
        let redone = self.redo_changes(changes, awaited);
        let redone = redone.map_err(|_| ResumeError::OtherScene { what: "its changes" });
        let resumed = redone.and_then(|()| self.resume_people(saved));
        if resumed.is_err() {
            self.put_places_back(places);
        }
        resumed
    }

    /// The same where all places are as they were.
    fn resume_people(&mut self, mut saved: SavedCrowd) -> Result<(), ResumeError> {
        let differ = |what| Err(ResumeError::OtherScene { what });
        if saved.seed != self.setting.seed {
            return Err(ResumeError::OtherSeed { saved: saved.seed, own: self.setting.seed });
        }
        let situations = self.shared.situations.len();
        if saved.rolls.len() != situations || saved.enabled.len() != situations {
            return differ("its situations");
        }
        if saved.by_hand.len() != self.shared.signals.len() {
            return differ("its signals");
        }
        if saved.journeys.len() != self.shared.vehicles.len() {
            return differ("its vehicles");
        }
        if !saved.people.is_sorted_by(|a, b| a.id < b.id)
            || !saved.people.iter().all(|p| p.id < saved.next_id)
        {
            return differ("the numbers of its people");
        }
        let Some(book) = self.book_with(&saved.planned) else { return differ("its planned motions") };
        let knows = |promise: &SavedPromise| {
            promise.is_finite()
                && promise.doing.is_none_or(|doing| book.knows(MoveId(doing)))
                && usize::from(promise.node) < book.graph().nodes().len()
        };
        let foretold = saved.foretold.iter().map(|(_, promise)| promise);
        if !saved.people.iter().map(|person| &person.promise).chain(foretold).all(knows) {
            return differ("its motions");
        }
        if !saved.people.iter().all(|person| self.fits(person)) {
            return differ("its people");
        }
        let is_steered = |person: &&SavedPerson| matches!(person.mover, Mover::Steered(_));
        let steered = saved.people.iter().filter(is_steered).map(|person| person.id);
        if !saved.steered.is_whole() || !steered.eq(saved.steered.ids.iter().copied()) {
            return differ("its steered people");
        }
        match (&mut self.bodies, saved.bodies.take()) {
            (None, None) => {}
            (Some(bodies), Some(SavedBodies { members, planned, styles }))
                if bodies.control.knows(&styles) =>
            {
                let right = |member: &Member| member.follower.is_none_or(|follower| follower.is_finite());
                let ascends = planned.windows(2).all(|pair| pair[0].0 < pair[1].0);
                let finite = planned.iter().all(|(_, body)| body.is_finite());
                if members.len() != styles.len() || !members.iter().all(right) || !ascends || !finite {
                    return differ("its bodies");
                }
                bodies.control.resume(styles);
                bodies.members = members;
                bodies.planned = planned;
            }
            _ => return differ("its bodies and styles"),
        }
        self.setting.book = Arc::new(book);
        self.put_back(saved);
        Ok(())
    }

    /// The book of moves with planned ones as they were saved.
    fn book_with(&self, planned: &[SavedMove]) -> Option<crate::moves::MoveBook> {
        let mut book = (*self.setting.book).clone();
        book.forget_all_planned();
        for SavedMove { number, parts, track, radius, stays } in planned {
            let mut first = 0u32;
            let part = |&(action, frames, to): &(Option<u16>, u32, u16)| {
                let begins = first;
                first = begins.saturating_add(frames);
                Part { action: action.map(ActionId), first: begins, frames, to: NodeId(to) }
            };
            let parts: Vec<Part> = parts.iter().map(part).collect();
            let most = book.len() as u64 + 4 * planned.len() as u64 + 1_000_000;
            let right = u64::from(*number) < most && radius.is_finite();
            if !right || !book.put_planned(MoveId(*number), parts, track.clone(), *radius, *stays) {
                return None;
            }
        }
        book.find_free_planned();
        Some(book)
    }

    fn fits(&self, person: &SavedPerson) -> bool {
        let shared = &self.shared;
        let vehicle = person.mind.ride.as_ref().map(|ride| usize::from(ride.vehicle));
        let knows_mover = |mover: Mover| match mover {
            Mover::Steered(number) => usize::from(number) < self.steerings.len(),
            Mover::CellMarking(number) => usize::from(number) < self.markings.len(),
            Mover::Graph | Mover::Planned | Mover::Recorded => true,
        };
        vehicle.is_none_or(|vehicle| vehicle < shared.vehicles.len())
            && knows_mover(person.mover)
            && knows_mover(person.usual_mover)
            && person.mind.knows_its_stops(shared.scenario.stops.len())
            && person.mind.visits.iter().all(|visit| {
                let situation = shared.situations.get(visit.situation.index());
                situation.is_some_and(|situation| {
                    // What rules remember must be what their script remembers.
                    visit.notes.as_ref().is_none_or(|notes| {
                        let script = situation.script.as_ref();
                        script.is_some_and(|script| script.remembers() == notes.memory.len())
                    })
                })
            })
    }

    fn put_back(&mut self, saved: SavedCrowd) {
        let book = self.setting.book.clone();
        self.frame = saved.frame;
        self.next_id = saved.next_id;
        self.next_ticket = saved.next_ticket;
        self.reached_by_gone = saved.reached_by_gone;
        self.requests.clear();
        self.ledger = Default::default();
        self.ledger.foretold = saved
            .foretold
            .iter()
            .map(|(ticket, saved)| (*ticket, saved.promise(), saved.promise().bounds(&book)))
            .collect();
        self.expected = saved.expected;
        self.steered = saved.steered;
        self.fades = saved.fades;
        self.dresses = saved.dresses;
        self.ids = saved.people.iter().map(|person| person.id).collect();
        self.due = saved.people.iter().map(|person| person.due).collect();
        self.headings = saved.people.iter().map(|person| person.heading.unwrap_or(Vec2::NAN)).collect();
        self.settled_in = vec![saved.frame; saved.people.len()];
        self.movers = saved.people.iter().map(|person| person.mover).collect();
        self.usual_movers = saved.people.iter().map(|person| person.usual_mover).collect();
        self.profiles = saved.people.iter().map(|person| person.profile).collect();
        for person in &saved.people {
            self.ledger.push(person.promise.promise(), binding_of(person.mover), &book);
        }
        let promises = self.ledger.promises.iter();
        self.positions = promises.map(|promise| promise.position(&book, saved.frame)).collect();
        self.minds = saved.people.into_iter().map(|person| person.mind).collect();
        self.shared.rolls = saved.rolls;
        for (situation, enabled) in self.shared.situations.iter_mut().zip(saved.enabled) {
            situation.enabled = enabled;
        }
        for (signal, by_hand) in self.shared.signals.iter_mut().zip(saved.by_hand) {
            signal.by_hand = by_hand;
        }
        for (vehicle, journey) in self.shared.vehicles.iter_mut().zip(saved.journeys) {
            vehicle.state = journey;
        }
    }
}
