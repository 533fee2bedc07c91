//! Changing what moves somebody in mid-run, without a jump and against nobody's promise.

use crate::cell_marking::{Markings, SegmentBook};
use crate::commitment::{Commitment, SKIN};
use crate::crowd::Crowd;
use crate::ledger::Asker;
use crate::person::Mover;
use crate::population::binding_of;
use crate::shown::FADE_FRAMES;
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_promises::DiscSize;
use glam::Vec2;
use std::sync::Arc;

impl Crowd {
    /// Adds a way in which people can be steered; returns its number.
    ///
    /// `None` where there are as many as can be told apart already.
    pub fn add_steering(&mut self, steering: crate::Steering) -> Option<u16> {
        let known = self.steerings.iter().position(|own| *own == steering);
        let number = u16::try_from(known.unwrap_or(self.steerings.len())).ok()?;
        if known.is_none() {
            self.steerings.push(steering);
        }
        Some(number)
    }

    /// Forgets ways of being steered, of planning captured motion, and tours from these numbers on; nobody may have them.
    pub fn forget_from(&mut self, steerings: usize, markings: usize, tours: usize) {
        self.steerings.truncate(steerings);
        self.markings.truncate(markings);
        self.shared.scenario.tours.truncate(tours);
    }

    /// Adds a way in which people can plan captured motion, of `segments` unless the crowd has some already; returns its
    /// number.
    pub fn add_marking(&mut self, segments: &Arc<SegmentBook>, markings: impl Into<Markings>) -> u16 {
        if self.setting.book.segments().is_none() {
            Arc::make_mut(&mut self.setting.book).learn_segments(segments);
        }
        let markings = markings.into();
        Arc::make_mut(&mut self.setting.book).make_room_for(markings.widest());
        let known = self.markings.iter().position(|own| *own == markings);
        let number = known.unwrap_or_else(|| {
            self.markings.push(markings);
            self.markings.len() - 1
        });
        number as u16
    }

    /// Lets something else move a person from now on; returns whether promises of others allow it now.
    pub fn set_mover(&mut self, index: usize, mover: Mover) -> bool {
        if !self.can_go_by(mover) || !self.take_up(index, mover) {
            return false;
        }
        self.usual_movers[index] = mover;
        true
    }

    /// Whether there is such a mover and people can take it up in mid-run.
    pub(crate) fn can_go_by(&self, mover: Mover) -> bool {
        match mover {
            Mover::Steered(number) => usize::from(number) < self.steerings.len(),
            Mover::CellMarking(number) => usize::from(number) < self.markings.len(),
            Mover::Graph => true,
            // These need a way to follow.
            Mover::Planned | Mover::Recorded => false,
        }
    }

    /// Lets a person stand somewhere else, if the place is free; returns whether it was.
    pub(crate) fn put(&mut self, index: usize, to: Placement) -> bool {
        let mover = match self.usual_movers[index] {
            Mover::Planned | Mover::Recorded => Mover::Graph,
            usual => usual,
        };
        let radius = self.disc_of(mover, self.profiles[index].radius, self.ids[index]);
        let standing =
            Commitment::standing(to, self.frame, self.standing_node(&self.profiles[index]), radius);
        let asker = Asker { index: Some(index as u32), ..Asker::default() };
        let free = self.ground_to_be().is_free(to.position, radius);
        if !free || self.minds[index].ride.is_some() || self.ledger.forbids(asker, &standing, &self.now()) {
            return false;
        }
        let id = self.ids[index];
        self.steered.remove(id);
        if let Mover::Steered(number) = mover
            && let Some(steering) = self.steerings.get(usize::from(number))
        {
            let walker = steering.walker_of(&self.profiles[index]);
            self.steered.insert(id, walker, steering.panic, to, Vec2::ZERO, self.minds[index].speed);
        }
        self.movers[index] = mover;
        self.ledger.bindings[index] = binding_of(mover);
        self.commit(index, standing);
        self.positions[index] = to.position;
        self.due[index] = self.frame + 1;
        self.minds[index].way_points.clear();
        self.fades.retain(|fade| fade.id != id);
        if let Some(bodies) = &mut self.bodies {
            bodies.forget(id);
        }
        self.let_follow();
        true
    }

    /// Lets something else move a person for now, from where it is and as fast as it goes.
    pub(crate) fn take_up(&mut self, index: usize, mover: Mover) -> bool {
        let before = self.movers[index];
        if before == mover {
            return true;
        }
        let shown = self.body(index);
        let (book, id) = (&self.setting.book, self.ids[index]);
        let own = self.ledger.promises[index];
        let here = own.placement(book, self.frame);
        let node = crate::decision::node_at(book, &own, self.frame);
        let rides = self.minds[index].ride.as_ref().map(|ride| ride.vehicle);
        let asker = Asker { index: Some(index as u32), vehicle: rides, binding: binding_of(mover) };
        // Who sits or lies gets up first.
        let is_down = node != book.home(node) && own.rest_frame(book) <= self.frame;
        match mover {
            Mover::Steered(number) => {
                let Some(steering) = self.steerings.get(usize::from(number)) else { return false };
                if is_down {
                    return false;
                }
                let walker = steering.walker_of(&self.profiles[index]);
                if !self.may_be_steered(index, Disc::new(here.position, walker.radius + SKIN)) {
                    return false;
                }
                let ahead = (own.position(book, self.frame + 1) - here.position) * FRAME_RATE;
                let velocity = self.steered_velocity(index).unwrap_or(ahead);
                let (panic, speed) = (steering.panic, self.minds[index].speed);
                let standing = Commitment::standing(
                    here,
                    self.frame,
                    self.standing_node(&self.profiles[index]),
                    walker.radius,
                );
                self.steered.remove(id);
                self.steered.insert(id, walker, panic, here, velocity, speed);
                self.movers[index] = mover;
                self.commit(index, standing);
                self.due[index] = self.frame + 1;
            }
            Mover::CellMarking(_) if is_down => return false,
            Mover::Graph | Mover::CellMarking(_) => {
                let settled = own.rest_frame(book) <= self.frame && own.doing.is_some();
                let node = if settled { node } else { self.standing_node(&self.profiles[index]) };
                let radius = self.disc_of(mover, self.profiles[index].radius, id);
                let standing = Commitment::standing(here, self.frame, node, radius);
                let walled = !self.setting.ground.is_free(here.position, radius - WALL_TOLERANCE);
                if walled || self.ledger.forbids(asker, &standing, &self.now()) {
                    return false;
                }
                self.steered.remove(id);
                self.movers[index] = mover;
                self.commit(index, standing);
                // A segment grows out of a pose that is shown by itself.
                let waits = if mover == Mover::Graph { 1 } else { FADE_FRAMES };
                self.due[index] = self.frame + waits;
            }
            Mover::Planned | Mover::Recorded => return false,
        }
        self.ledger.bindings[index] = binding_of(mover);
        self.let_follow();
        self.fade_from(index, shown);
        true
    }

    /// The radius in metres of the disc that the person of number `id` takes, whose own is `radius`, under a mover.
    pub(crate) fn disc_of(&self, mover: Mover, radius: f32, id: u32) -> f32 {
        let book = &self.setting.book;
        let usual = book.options().radius;
        match mover {
            Mover::Steered(_) | Mover::Recorded => radius,
            Mover::Graph | Mover::Planned => usual,
            Mover::CellMarking(number) => {
                let markings = self.markings.get(usize::from(number));
                let own = markings.map_or(0.0, |markings| markings.radius(self.setting.seed, id));
                book.segments().map_or(usual, |segments| segments.radius_of(DiscSize::of(own)))
            }
        }
    }

    /// Whether nobody who keeps firm promises has promised to come to a disc, and no vehicle.
    pub(crate) fn may_be_steered(&self, own: usize, disc: Disc) -> bool {
        let now = self.now();
        let comes = |index: usize| {
            index != own
                && self.ledger.bounds[index].meets(disc)
                && self.ledger.bindings[index] != crate::ledger::Binding::Steered
                && self.ledger.promises[index].comes_to(disc, now.frame, now.book)
        };
        let foretold = &self.ledger.foretold;
        !(0..self.len()).any(comes)
            && !foretold.iter().any(|(_, promise, _)| promise.comes_to(disc, now.frame, now.book))
            && !now.vehicles.iter().any(|vehicle| vehicle.claims(disc))
    }

    /// Makes a promise, which has been found to be against nobody's, a person's own.
    pub(crate) fn commit(&mut self, index: usize, promise: Commitment) {
        self.let_go_of_plan(index);
        self.ledger.replace(index, promise, &self.setting.book);
        self.settled_in[index] = self.frame;
    }

    /// Forgets the planned move of somebody who is about to do something else.
    pub(crate) fn let_go_of_plan(&mut self, index: usize) {
        if let Some(doing) = self.ledger.promises[index].doing
            && self.setting.book.is_planned(doing)
        {
            Arc::make_mut(&mut self.setting.book).forget_planned(doing);
        }
    }
}

/// Discs may be this much nearer to walls than their radius, in metres.
const WALL_TOLERANCE: f32 = 1e-3;
