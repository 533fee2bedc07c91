//! Who is in the crowd: coming in where there is room, and going.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::grid::NeighbourGrid;
use crate::ledger::{Asker, Binding};
use crate::mind::Mind;
use crate::moves::Part;
use crate::person::{Mover, Profile};
use crate::random::{Purpose, Random};
use crate::situation::Change;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Somebody who comes into the crowd.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Newcomer {
    /// What moves the person.
    pub mover: Mover,
    /// What the person is like.
    pub profile: Profile,
    /// What the person wants.
    pub mind: Mind,
    /// Whether the person faces its way as it comes, in the midst of a step where promises allow it, if it sets out at once; else
    /// it stands and faces where it was put.
    pub sets_out: bool,
}

impl From<Mind> for Newcomer {
    fn from(mind: Mind) -> Self {
        Self { mind, ..Self::default() }
    }
}

/// Somebody who has promised a way that begins later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Expected {
    /// The number of the promise in the ledger.
    pub(crate) ticket: u32,
    pub(crate) newcomer: Newcomer,
}

/// Tries for each who looks for a place to appear.
const TRIES: usize = 30;
/// Room in metres that newcomers leave to walls besides their radius.
const WALL_ROOM: f32 = 0.08;
/// Room in metres that newcomers leave to each other.
const SPACING: f32 = 0.02;
/// Room in metres besides that for who comes into a crowd to walk on: where people stand shoulder to shoulder, nobody could
/// leave any more.
const ROOM_TO_COME: f32 = 0.25;
/// Frames within which newcomers decide for the first time.
pub(crate) const FIRST_DECISION: u32 = 10;

impl Crowd {
    /// Adds a person who stands at `placement`, if the place is free; returns the index.
    pub fn add(&mut self, placement: Placement, who: impl Into<Newcomer>) -> Option<usize> {
        let newcomer = who.into();
        self.add_at(placement, self.standing_node(&newcomer.profile), newcomer)
    }

    /// The same in the pose of a node at rest.
    pub fn add_at(&mut self, placement: Placement, node: NodeId, who: impl Into<Newcomer>) -> Option<usize> {
        let newcomer = who.into();
        let radius = self.radius_of(&newcomer);
        let standing = Commitment::standing(placement, self.frame, node, radius);
        let free = self.ground_to_be().is_free(placement.position, radius);
        self.ledger.open();
        if !free || self.ledger.forbids(Asker::default(), &standing, &self.now()) {
            return None;
        }
        let sets_out = newcomer.sets_out;
        self.push(standing, newcomer);
        let index = self.len() - 1;
        if sets_out {
            self.set_out(index);
        }
        Some(index)
    }

    /// A random free place of the ground (or of a region, by its index) where a newcomer could stand now, facing `heading` in
    /// radians.
    pub fn find_room(&self, newcomer: &Newcomer, region: Option<usize>, heading: f32) -> Option<Placement> {
        let ground = self.ground_to_be();
        let region = region.and_then(|index| ground.regions().get(index));
        let free = if region.is_some() { ground } else { ground.walkways() };
        let purpose = 0x5ca7_0000 + u64::from(self.next_id);
        let mut stream = crowdloom_world::Stream::new(self.setting.seed, purpose);
        let (radius, node) = (self.radius_of(newcomer), self.standing_node(&newcomer.profile));
        (0..TRIES).find_map(|_| {
            let position = free.random_point(region, radius + WALL_ROOM, &mut stream)?;
            let placement = Placement { position, heading };
            let standing = Commitment::standing(placement, self.frame, node, radius);
            (!self.ledger.forbids(Asker::default(), &standing, &self.now())).then_some(placement)
        })
    }

    /// Adds up to `count` people at random free places of the ground (or of a region, by its index), facing anywhere;
    /// returns how many found a place.
    pub fn scatter<N: Into<Newcomer>>(
        &mut self,
        count: usize,
        region: Option<usize>,
        who: impl FnMut(&mut Random) -> N,
    ) -> usize {
        self.scatter_facing(count, region, |_| None, who)
    }

    /// The same, facing where `heading` says in radians for a place in metres, if it does.
    pub fn scatter_facing<N: Into<Newcomer>>(
        &mut self,
        count: usize,
        region: Option<usize>,
        heading: impl Fn(Vec2) -> Option<f32>,
        mut who: impl FnMut(&mut Random) -> N,
    ) -> usize {
        let book = self.setting.book.clone();
        let ground = self.ground_to_be().clone();
        let region = region.and_then(|index| ground.regions().get(index));
        let free = if region.is_some() { &*ground } else { ground.walkways() };
        let mut stream =
            crowdloom_world::Stream::new(self.setting.seed, 0x5ca7_0000 + u64::from(self.next_id));
        // New people stand: they must stay off all that was promised before, and off each other.
        let mut grid = NeighbourGrid::default();
        let centres: Vec<Vec2> = self.ledger.bounds.iter().map(|bounds| bounds.centre).collect();
        let widest = self.ledger.bounds.iter().map(|bounds| bounds.radius).fold(0.0, f32::max);
        grid.rebuild(&centres, 4.0);
        let mut placed = Placed::default();
        let (first, mut setting_out) = (self.len(), Vec::new());
        for _ in 0..count {
            let mut random = Random::new(self.setting.seed, self.next_id, self.frame, Purpose::BIRTH);
            let anywhere = random.between(-std::f32::consts::PI, std::f32::consts::PI);
            let newcomer: Newcomer = who(&mut random).into();
            let (radius, node) = (self.radius_of(&newcomer), self.standing_node(&newcomer.profile));
            for _ in 0..TRIES {
                let Some(point) = free.random_point(region, radius + WALL_ROOM, &mut stream) else { break };
                let room = if newcomer.sets_out && self.frame > 0 { radius + ROOM_TO_COME } else { radius };
                if placed.crowd(point, room) {
                    continue;
                }
                let heading = heading(point).unwrap_or(anywhere);
                let placement = Placement { position: point, heading };
                let with_room = Commitment::standing(placement, self.frame, node, room);
                let bounds = with_room.bounds(&book);
                let now = self.now();
                let mut clashes = self.ledger.is_foretold_against(Binding::Firm, &with_room, bounds, &book)
                    || now.is_driven_against(None, &with_room, bounds);
                grid.for_each_within(point, widest + bounds.radius, |other, _, _| {
                    clashes |= with_room.clashes(&self.ledger.promises[other as usize], &book);
                });
                if clashes {
                    continue;
                }
                let standing = Commitment::standing(placement, self.frame, node, radius);
                if newcomer.sets_out {
                    setting_out.push(self.len());
                }
                self.push(standing, newcomer);
                placed.note(point, radius);
                break;
            }
        }
        setting_out.into_iter().for_each(|index| self.set_out(index));
        self.len() - first
    }

    /// Adds a person who follows a recorded way: where it is in each frame from `first_frame` on, after which it is gone.
    /// Everybody else keeps off it. Returns whether the way is one and nobody has promised to be on it.
    pub fn add_recorded(&mut self, way: &[Placement], first_frame: u32, who: impl Into<Newcomer>) -> bool {
        let newcomer = Newcomer { mover: Mover::Recorded, ..who.into() };
        // What lies in the past is over.
        let skipped = self.frame.saturating_sub(first_frame) as usize;
        let (Some(&start), first_frame) = (way.get(skipped), first_frame.max(self.frame)) else {
            return false;
        };
        let track: Vec<Placement> = way[skipped..].iter().map(|place| place.relative_to(start)).collect();
        let node = self.standing_node(&newcomer.profile);
        let frames = track.len() as u32 - 1;
        let parts = vec![Part { action: None, first: 0, frames, to: node }];
        let radius = newcomer.profile.radius;
        let book = Arc::make_mut(&mut self.setting.book);
        let Some(id) = book.add_planned(parts, track, radius, false) else { return false };
        let promise = Commitment::new(start, first_frame, id, node);
        let asker = Asker { binding: Binding::Recorded, ..Asker::default() };
        if self.ledger.forbids(asker, &promise, &self.now()) {
            Arc::make_mut(&mut self.setting.book).forget_planned(id);
            return false;
        }
        if first_frame <= self.frame {
            self.push(promise, newcomer);
        } else {
            let ticket = u32::MAX - self.next_ticket;
            self.next_ticket += 1;
            let bounds = promise.bounds(&self.setting.book);
            self.ledger.foretold.push((ticket, promise, bounds));
            self.expected.push(Expected { ticket, newcomer });
        }
        true
    }

    /// Lets those appear whose time has come.
    pub(crate) fn let_appear(&mut self) {
        let mut place = 0;
        while place < self.ledger.foretold.len() {
            let (ticket, promise, _) = self.ledger.foretold[place];
            if promise.start_frame > self.frame {
                place += 1;
                continue;
            }
            self.ledger.foretold.remove(place);
            let expected = self.expected.iter().position(|expected| expected.ticket == ticket);
            if let Some(expected) = expected {
                let newcomer = self.expected.remove(expected).newcomer;
                self.push(promise, newcomer);
            }
        }
    }

    /// The number that the next newcomer gets.
    pub fn next_id(&self) -> u32 {
        self.next_id
    }

    /// The radius of the disc that somebody takes, in metres.
    fn radius_of(&self, newcomer: &Newcomer) -> f32 {
        self.disc_of(newcomer.mover, newcomer.profile.radius, self.next_id)
    }

    /// The node in which somebody stands.
    pub(crate) fn standing_node(&self, profile: &Profile) -> NodeId {
        self.setting.book.home_on(profile.motion)
    }

    fn push(&mut self, promise: Commitment, newcomer: Newcomer) {
        let Newcomer { mover, profile, mind, .. } = newcomer;
        let id = self.next_id;
        self.next_id += 1;
        let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::FIRST_DECISION);
        let book = &self.setting.book;
        self.ids.push(id);
        self.positions.push(promise.position(book, self.frame));
        // Not everybody starts in the same frame.
        self.due.push(match mover {
            Mover::Graph | Mover::CellMarking(_) => self.frame + 1 + random.below(FIRST_DECISION),
            Mover::Steered(_) => self.frame + 1,
            Mover::Planned | Mover::Recorded => promise.rest_frame(book).max(self.frame + 1),
        });
        self.settled_in.push(self.frame);
        self.headings.push(Vec2::NAN);
        self.ledger.push(promise, binding_of(mover), book);
        if let Mover::Steered(number) = mover
            && let Some(steering) = self.steerings.get(usize::from(number))
        {
            let walker = steering.walker_of(&profile);
            let at = promise.placement(book, self.frame);
            self.steered.insert(id, walker, steering.panic, at, Vec2::ZERO, mind.speed);
        }
        self.minds.push(mind);
        self.movers.push(mover);
        self.usual_movers.push(mover);
        self.profiles.push(profile);
    }

    /// Takes a person out of the scene; those behind move up, so that numbers stay in order.
    pub fn remove(&mut self, index: usize) {
        self.let_go_of_plan(index);
        let id = self.ids.remove(index);
        self.ledger.remove(index);
        self.positions.remove(index);
        self.due.remove(index);
        self.settled_in.remove(index);
        self.headings.remove(index);
        self.profiles.remove(index);
        self.usual_movers.remove(index);
        if let Mover::Steered(_) = self.movers.remove(index) {
            self.steered.remove(id);
        }
        let mind = self.minds.remove(index);
        self.reached_by_gone += u64::from(mind.arrivals);
        for visit in mind.visits {
            if let Some(spot) = visit.spot {
                self.shared.apply(id, Change::Release(visit.situation, spot), self.frame);
            }
            self.shared.apply(id, Change::Leave(visit.situation), self.frame);
        }
        if let Some(ride) = mind.ride {
            self.shared.apply(id, Change::Alight(ride.vehicle.into()), self.frame);
        }
        for &room in &self.shared.rooms {
            let holders = &mut self.shared.rolls[room.index()].holders;
            holders.iter_mut().filter(|holder| **holder == Some(id)).for_each(|holder| *holder = None);
        }
    }
}

/// How the promises of somebody bind.
pub(crate) fn binding_of(mover: Mover) -> Binding {
    match mover {
        Mover::Steered(_) => Binding::Steered,
        Mover::Recorded => Binding::Recorded,
        Mover::Graph | Mover::CellMarking(_) | Mover::Planned => Binding::Firm,
    }
}

/// Newcomers of one frame, by cells of the ground.
#[derive(Default)]
struct Placed {
    cells: std::collections::HashMap<(i32, i32), Vec<(Vec2, f32)>>,
}

impl Placed {
    /// Side of a cell in metres: wider than any two newcomers together.
    const CELL: f32 = 2.0;

    fn cell(point: Vec2) -> (i32, i32) {
        ((point.x / Self::CELL).floor() as i32, (point.y / Self::CELL).floor() as i32)
    }

    /// Whether somebody would be too near to `point`.
    fn crowd(&self, point: Vec2, radius: f32) -> bool {
        let (column, row) = Self::cell(point);
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        let mut others = near.filter_map(|key| self.cells.get(&key)).flatten();
        others.any(|(other, others_radius)| other.distance(point) < radius + others_radius + SPACING)
    }

    fn note(&mut self, point: Vec2, radius: f32) {
        self.cells.entry(Self::cell(point)).or_default().push((point, radius));
    }
}
