//! The one ledger of promises: whatever will be on the ground is written down here, and whoever wants to be somewhere asks
//! it the same question.
//!
//! Everybody in the crowd has one promise ([`Commitment`]): a move of the motion graph with its way to rest, a planned
//! motion, a recorded way, or standing where one is, which is all that people who are steered by velocities promise. Those
//! who are about to appear have promised already. Vehicles claim ground of their own. Any two promises are disjoint, but
//! for those of two steered or two recorded people, whose models and data may let them touch.

use crate::commitment::Commitment;
use crate::moves::MoveBook;
use crowdloom_base::grid::NeighbourGrid;
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
    /// Everybody by the centres of their discs, as they were when the ledger was opened.
    grid: NeighbourGrid,
    /// The largest radius of the discs that are found by the grid, in metres.
    widest: f32,
    /// Those whose promises reach too far to be found by the grid.
    far_reaching: Vec<u32>,
    fresh: Fresh,
}

/// Those who have promised anew since the ledger was opened: where the grid has them says nothing any more.
#[derive(Default)]
struct Fresh {
    /// Their indices, in the order of promising.
    people: Vec<u32>,
    /// The opening of the ledger at which each person was last among them.
    openings: Vec<u32>,
    opening: u32,
    /// How many of them are in the grid.
    known: usize,
    grid: NeighbourGrid,
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

/// The side of a cell of the grids, in metres.
const CELL: f32 = 3.0;

/// Promises whose discs are wider than this, in metres, are looked at one by one.
const FAR_REACHING: f32 = 5.0;

impl Ledger {
    /// Writes down the promise of one more person.
    pub fn push(&mut self, promise: Commitment, binding: Binding, book: &MoveBook) {
        self.bounds.push(promise.bounds(book));
        self.promises.push(promise);
        self.bindings.push(binding);
    }

    /// Strikes out a person; those behind move up.
    pub fn remove(&mut self, index: usize) {
        self.promises.remove(index);
        self.bounds.remove(index);
        self.bindings.remove(index);
    }

    /// Replaces a person's promise while nobody asks.
    pub fn replace(&mut self, index: usize, promise: Commitment, book: &MoveBook) {
        self.bounds[index] = promise.bounds(book);
        self.promises[index] = promise;
    }

    /// Lets nobody find a person's promise for now: it is about to promise something else.
    pub fn set_aside(&mut self, index: usize) {
        self.bounds[index].centre = Vec2::INFINITY;
    }

    /// Lets a promise be found that was set aside.
    pub fn take_back(&mut self, index: usize, book: &MoveBook) {
        self.bounds[index] = self.promises[index].bounds(book);
    }

    /// Sorts all promises by place; from now on [`Self::renew`] replaces them.
    pub fn open(&mut self) {
        let centres: Vec<Vec2> = self.bounds.iter().map(|bounds| bounds.centre).collect();
        self.grid.rebuild(&centres, CELL);
        self.widest = 0.0;
        self.far_reaching.clear();
        for (index, bounds) in self.bounds.iter().enumerate() {
            match bounds.radius > FAR_REACHING {
                true => self.far_reaching.push(index as u32),
                false => self.widest = self.widest.max(bounds.radius),
            }
        }
        self.fresh.people.clear();
        self.fresh.known = 0;
        self.fresh.opening = self.fresh.opening.wrapping_add(1).max(1);
        self.fresh.openings.resize(self.bounds.len(), 0);
    }

    /// Replaces a person's promise in the open ledger; found once [`Self::sort_fresh`] is called.
    pub fn renew(&mut self, index: usize, promise: Commitment, book: &MoveBook) {
        let was_far = self.bounds[index].radius > FAR_REACHING;
        self.replace(index, promise, book);
        let radius = self.bounds[index].radius;
        if radius <= FAR_REACHING {
            self.widest = self.widest.max(radius);
        } else if !was_far {
            self.far_reaching.push(index as u32);
        }
        if self.fresh.openings[index] != self.fresh.opening {
            self.fresh.openings[index] = self.fresh.opening;
            self.fresh.people.push(index as u32);
        }
    }

    /// Lets those be found who have promised anew.
    pub fn sort_fresh(&mut self) {
        if self.fresh.known == self.fresh.people.len() {
            return;
        }
        let Fresh { people, grid, known, .. } = &mut self.fresh;
        let centres: Vec<Vec2> = people.iter().map(|&index| self.bounds[index as usize].centre).collect();
        grid.rebuild(&centres, CELL);
        *known = people.len();
    }

    /// Calls `visit` with the index of everybody whose promise may come within `radius` metres of `point`.
    pub fn for_each_near(&self, point: Vec2, radius: f32, mut visit: impl FnMut(u32)) {
        let meets = |index: u32| {
            let Disc { centre, radius: around } = self.bounds[index as usize];
            let sum = around + radius;
            around <= FAR_REACHING && centre.distance_squared(point) < sum * sum
        };
        let Fresh { people, openings, opening, known, grid } = &self.fresh;
        self.grid.for_each_within(point, radius + self.widest, |index, _, _| {
            if openings[index as usize] != *opening && meets(index) {
                visit(index);
            }
        });
        if *known > 0 {
            grid.for_each_within(point, radius + self.widest, |place, _, _| {
                let index = people[place as usize];
                if meets(index) {
                    visit(index);
                }
            });
        }
        for &index in &self.far_reaching {
            let Disc { centre, radius: around } = self.bounds[index as usize];
            if around > FAR_REACHING && centre.distance(point) < around + radius {
                visit(index);
            }
        }
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
        (0..self.promises.len()).any(against)
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
        self.for_each_near(disc.centre, disc.radius, |index| {
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
        let mut grid = NeighbourGrid::default();
        let centres: Vec<Vec2> = self.bounds.iter().map(|bounds| bounds.centre).collect();
        grid.rebuild(&centres, CELL);
        let is_far = |index: usize| self.bounds[index].radius > FAR_REACHING;
        let widest = self.bounds.iter().map(|bounds| bounds.radius).filter(|r| *r <= FAR_REACHING);
        let widest = widest.fold(0.0, f32::max);
        let far: Vec<usize> = (0..self.bounds.len()).filter(|&index| is_far(index)).collect();
        let clash = |a: usize, b: usize| {
            !self.bindings[a].may_touch(self.bindings[b])
                && self.bounds[a].meets(self.bounds[b])
                && self.promises[a].clashes(&self.promises[b], book)
        };
        let mut count = 0;
        for index in 0..self.promises.len() {
            let own = self.bounds[index];
            if !is_far(index) {
                grid.for_each_within(own.centre, own.radius + widest, |other, _, _| {
                    let other = other as usize;
                    count += usize::from(other < index && !is_far(other) && clash(index, other));
                });
            }
            let pairs = far.iter().filter(|&&other| other != index && (!is_far(index) || other < index));
            count += pairs.filter(|&&other| clash(index, other)).count();
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
