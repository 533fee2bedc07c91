//! The one ledger of promises: whatever will be on the ground is written down here, and whoever wants to be somewhere asks
//! it the same question.
//!
//! Everybody in the crowd has one promise ([`Commitment`]): a move of the motion graph with its way to rest, a planned
//! motion, a recorded way, or standing where one is, which is all that people who are steered by velocities promise. Those
//! who are about to appear have promised already. Vehicles claim ground of their own. Any two promises are disjoint, but
//! for those of two steered or two recorded people, whose models and data may let them touch.

use crate::commitment::Commitment;
use crate::moves::MoveBook;
use crate::places::Places;
use crowdloom_motion::mobb::Disc;
use crowdloom_situations::vehicle::Vehicle;
use crowdloom_world::Ground;
use glam::Vec2;

/// How a promise binds others of the same sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Binding {
    /// Kept apart from everybody.
    #[default]
    Firm,
    /// Somebody who is steered: a disc where it stands, moved on frame by frame.
    Steered,
    /// A recorded way, which is what it is.
    Recorded,
}

impl Binding {
    /// Whether two promises need not be apart.
    fn may_touch(self, other: Self) -> bool {
        self == other && self != Self::Firm
    }
}

/// What everybody has promised.
#[derive(Default)]
pub struct Ledger {
    /// The promise of each person, by index.
    pub promises: Vec<Commitment>,
    /// A disc around each promise.
    pub bounds: Vec<Disc>,
    /// How each promise binds.
    pub bindings: Vec<Binding>,
    /// Promises of those who are about to appear, by their numbers.
    pub foretold: Vec<(u32, Commitment, Disc)>,
    /// The same discs by place, while the ledger is open.
    places: Places,
    open: bool,
}

/// What a promise has to be clear of besides the promises of others.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// The moves that promises are made of.
    pub book: &'a MoveBook,
    /// The vehicles, which claim ground.
    pub vehicles: &'a [Vehicle],
    /// The frame.
    pub frame: u32,
}

/// Who asks: neither its own promise nor the open vehicle that it boards or leaves is in its way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asker {
    /// Its index, if it is in the crowd already.
    pub index: Option<u32>,
    /// The vehicle that it boards, is in or leaves.
    pub vehicle: Option<u16>,
    /// How its promise binds.
    pub binding: Binding,
}

impl Ledger {
    /// Writes down the promise of one more person.
    pub fn push(&mut self, promise: Commitment, binding: Binding, book: &MoveBook) {
        self.bounds.push(promise.bounds(book));
        self.promises.push(promise);
        self.bindings.push(binding);
        if self.open {
            self.places.push(promise.bounds(book));
        }
    }

    /// Strikes out a person; those behind move up.
    pub fn remove(&mut self, index: usize) {
        self.promises.remove(index);
        self.bounds.remove(index);
        self.bindings.remove(index);
        self.open = false;
    }

    /// Replaces a person's promise.
    pub fn replace(&mut self, index: usize, promise: Commitment, book: &MoveBook) {
        self.promises[index] = promise;
        self.bounds[index] = promise.bounds(book);
        if self.open {
            self.places.change(index, self.bounds[index]);
        }
    }

    /// Lets nobody find a person's promise for now: it is about to promise something else.
    pub fn set_aside(&mut self, index: usize) {
        self.bounds[index].centre = Vec2::INFINITY;
        if self.open {
            self.places.hide(index);
        }
    }

    /// Lets a promise be found that was set aside.
    pub fn take_back(&mut self, index: usize, book: &MoveBook) {
        self.replace(index, self.promises[index], book);
    }

    /// Lets promises be found by place, until somebody is struck out.
    pub fn open(&mut self) {
        if !self.open || self.places.is_unsorted() {
            self.places.rebuild(&self.bounds);
            self.open = true;
        }
    }

    /// Calls `visit` with the index of everybody whose promise may come within `radius` metres of `point`, and the disc around
    /// that promise, in no particular order; the ledger is open.
    pub fn for_each_near(&self, point: Vec2, radius: f32, visit: impl FnMut(u32, Disc)) {
        debug_assert!(self.open);
        self.places.for_each_near(point, radius, visit);
    }

    /// Whether somebody else's promise, or a vehicle's, stands against this one.
    pub fn forbids(&self, asker: Asker, claim: &Commitment, now: &Now<'_>) -> bool {
        let bounds = claim.bounds(now.book);
        let against = |index: usize| {
            asker.index != Some(index as u32)
                && self.bounds[index].meets(bounds)
                && !asker.binding.may_touch(self.bindings[index])
                && claim.clashes(&self.promises[index], now.book)
        };
        let mut forbidden = false;
        if self.open {
            let meets = |index: u32, _| forbidden = forbidden || against(index as usize);
            self.places.for_each_near(bounds.centre, bounds.radius, meets);
        } else {
            forbidden = (0..self.promises.len()).any(against);
        }
        forbidden
            || self.is_foretold_against(asker.binding, claim, bounds, now.book)
            || now.is_driven_against(asker.vehicle, claim, bounds)
    }

    /// Whether somebody who is about to appear has promised against a claim.
    pub fn is_foretold_against(
        &self,
        binding: Binding,
        claim: &Commitment,
        bounds: Disc,
        book: &MoveBook,
    ) -> bool {
        let against = |(_, promise, around): &(u32, Commitment, Disc)| {
            around.meets(bounds) && !binding.may_touch(Binding::Recorded) && claim.clashes(promise, book)
        };
        self.foretold.iter().any(against)
    }

    /// Whether nobody but the steered has promised to come to `disc`; the ledger is open.
    pub fn spares(&self, disc: Disc, now: &Now<'_>) -> bool {
        let comes = |promise: &Commitment| promise.comes_to(disc, now.frame, now.book);
        let mut spared =
            !self.foretold.iter().any(|(_, promise, around)| around.meets(disc) && comes(promise))
                && !now.vehicles.iter().any(|vehicle| vehicle.claims(disc));
        self.for_each_near(disc.centre, disc.radius, |index, _| {
            let index = index as usize;
            spared = spared && (self.bindings[index] == Binding::Steered || !comes(&self.promises[index]));
        });
        spared
    }

    /// Pairs of promises that are not apart from now on, of a promise and a vehicle's claim, and promises through walls.
    ///
    /// Always zero: this is what tests and benchmarks check. Steered people may touch each other, as may recorded ones.
    pub fn conflicts(&self, now: &Now<'_>, ground: &Ground, is_in: impl Fn(usize, usize) -> bool) -> usize {
        let book = now.book;
        let mut places = Places::default();
        places.rebuild(&self.bounds);
        let clash = |a: usize, b: usize| {
            !self.bindings[a].may_touch(self.bindings[b]) && self.promises[a].clashes(&self.promises[b], book)
        };
        let mut count = 0;
        for index in 0..self.promises.len() {
            let own = self.bounds[index];
            places.for_each_near(own.centre, own.radius, |other, _| {
                let other = other as usize;
                count += usize::from(other < index && clash(index, other));
            });
            let binding = self.bindings[index];
            let foretold = self.is_foretold_against(binding, &self.promises[index], own, book);
            count += usize::from(foretold);
            for (number, vehicle) in now.vehicles.iter().enumerate() {
                let meets = |disc: Disc| vehicle.claims(disc);
                let claimed = vehicle.state.under_way
                    && vehicle.claim_bounds().meets(own)
                    && !is_in(index, number)
                    && self.promises[index].any_disc(book, now.frame, &meets);
                count += usize::from(claimed);
            }
            let in_wall = |disc: Disc| !ground.is_free(disc.centre, disc.radius - WALL_TOLERANCE);
            let walled = binding != Binding::Recorded
                && !ground.is_free(own.centre, own.radius)
                && self.promises[index].any_disc(book, now.frame, &in_wall);
            count += usize::from(walled);
        }
        count
    }
}

/// Discs may reach this far into walls before it counts, in metres: rounding, and the skin that promises are tested with.
const WALL_TOLERANCE: f32 = 2e-3;

impl Now<'_> {
    /// Whether a vehicle claims ground that a promise needs, but for an open one that the asker boards or leaves.
    pub fn is_driven_against(&self, own: Option<u16>, claim: &Commitment, bounds: Disc) -> bool {
        self.vehicles.iter().enumerate().any(|(index, vehicle)| {
            vehicle.state.under_way
                && !(own.map(usize::from) == Some(index) && vehicle.is_open())
                && vehicle.claim_bounds().meets(bounds)
                && claim.any_disc(self.book, self.frame, &|disc| vehicle.claims(disc))
        })
    }
}
