//! People and vehicles: who boards, who rides, who gets off.

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::crowd::Crowd;
use crate::decision::Decider;
use crate::mind::Mind;
use crate::situation::{Change, Influence};
use crate::vehicle::{Event, Vehicle};
use crowdloom_motion::mobb::Disc;
use glam::Vec2;

/// A place in a vehicle is reached within this distance, in metres.
const AT_PLACE: f32 = 0.6;

/// Frames after arriving from which those who get off set out; those near the door go first.
const REACTION: u32 = 10;

/// Frames after which a vehicle with closing doors does not wait for those who are half in to find their places.
const PATIENCE: u32 = 8 * 30;

/// An agent that does not decide before it is told to.
const NOT_BEFORE_TOLD: u32 = u32::MAX;

impl Decider<'_> {
    /// What an agent that boards, is in or gets off a standing vehicle does.
    pub(crate) fn ride(
        &self,
        who: Who,
        mind: &mut Mind,
        changes: &mut Vec<(u32, Change)>,
        influence: &mut Influence,
    ) {
        let Some(ride) = mind.ride.as_deref_mut() else { return };
        let index = usize::from(ride.vehicle);
        let Some(vehicle) = self.shared.vehicles.get(index) else { return };
        let body = Disc::new(who.placement.position, self.setting.book.options().radius + 5e-4);
        let inside = vehicle.holds(body);
        // Not only now: what was promised before may lead in, and keeping it must be allowed.
        let promise = &self.ledger.promises[who.index as usize];
        let outside = !promise.any_disc(&self.setting.book, self.frame, &|disc| vehicle.claims(disc));
        let place = vehicle.place_of(who.id);
        // Whoever is half in when the doors close may get to its place, but not for ever.
        let half_in = !outside && vehicle.closed_for(self.frame) < PATIENCE;
        let may_board = (vehicle.admits(self.frame) || half_in) && ride.halts_to_go > 0;
        let closing = !vehicle.admits(self.frame);
        // What situations lend stays; where to go is for the ride to say.
        let (grants, wants) = (influence.grants, influence.wants);
        *influence = Influence::default();
        (influence.grants, influence.wants) = (grants, wants);
        if may_board && let Some(place) = place {
            if place.at.distance(who.placement.position) > AT_PLACE {
                influence.target = Some(place.at);
            } else {
                (influence.stand, influence.hold) = (true, closing && inside);
            }
        } else if inside && ride.halts_to_go > 0 {
            // The doors close: the vehicle waits until all are at rest.
            influence.hold = true;
        } else if outside {
            // Off it, or never on it.
            mind.ride = None;
            changes.push((who.id, Change::Alight(index)));
        } else {
            ride.halts_to_go = 0;
            let halt = vehicle.halts.get(usize::from(vehicle.state.halt));
            let region = halt.and_then(|halt| halt.region);
            let goal = mind.goal.filter(|_| mind.diverted);
            let goal = goal.filter(|&goal| !vehicle.claims(Disc::new(goal, body.radius)));
            influence.target = goal.or_else(|| {
                let region = region.map(|region| &self.setting.ground.regions()[region]);
                let mut stream = crowdloom_world::Stream::new(u64::from(who.id), u64::from(self.frame));
                self.setting.ground.random_point(region, body.radius + 0.2, &mut stream)
            });
        }
    }
}

impl Decider<'_> {
    /// Sends those out of the way who stand right ahead of a vehicle and do not get on.
    pub(crate) fn make_way(&self, who: Who, mind: &Mind, influence: &mut Influence) {
        if mind.ride.is_some() || !mind.diverted && mind.blocked == 0 && mind.goal.is_some() {
            return;
        }
        let radius = self.setting.book.options().radius;
        let out = self.shared.vehicles.iter().find_map(|own| own.ways_out(who.placement.position, radius));
        let free = |place: &Vec2| self.setting.ground.is_free(*place, radius);
        if let Some(place) = out.and_then(|places| places.into_iter().find(free)) {
            influence.target = Some(place);
            influence.stand = false;
        }
    }
}

impl Crowd {
    /// Adds a vehicle; returns its index.
    pub fn add_vehicle(&mut self, vehicle: Vehicle) -> usize {
        self.shared.vehicles.push(vehicle);
        self.shared.vehicles.len() - 1
    }

    /// Moves all vehicles on by one frame, and those who ride in them.
    pub(crate) fn drive(&mut self) {
        for index in 0..self.shared.vehicles.len() {
            let mut vehicle = std::mem::replace(&mut self.shared.vehicles[index], PLACEHOLDER.clone());
            let book = &self.setting.book;
            let others: &[Vehicle] = &self.shared.vehicles;
            let rides = |agent: usize| {
                self.minds[agent].ride.as_ref().is_some_and(|ride| usize::from(ride.vehicle) == index)
            };
            let is_free = |meets: &dyn Fn(Disc) -> bool| {
                let ledger = &self.ledger;
                let keeps_off = |promise: &Commitment, around: Disc| {
                    !meets(around) || !promise.any_disc(book, self.frame, meets)
                };
                let person_is_off = |agent: usize| {
                    rides(agent) && self.minds[agent].ride.as_ref().is_some_and(|ride| ride.offset.is_some())
                        || keeps_off(&ledger.promises[agent], ledger.bounds[agent])
                };
                // Other vehicles are where they are and where they claim to be.
                let vehicle_is_off =
                    |other: &Vehicle| !other.state.under_way || !other.claim_discs().any(meets);
                others.iter().all(vehicle_is_off)
                    && self.terrain.is_off_obstacles(meets)
                    && ledger.foretold.iter().all(|(_, promise, around)| keeps_off(promise, *around))
                    && (0..self.len()).all(person_is_off)
            };
            let event = vehicle.drive(self.frame, is_free);
            match event {
                Event::Nothing => {}
                Event::Arrived { last } => self.arrive(index, last),
                Event::WantsToLeave => {
                    if let Some(riders) = self.settled(index, &vehicle) {
                        vehicle.depart();
                        let frame = vehicle.placement();
                        for agent in riders {
                            let placement =
                                self.ledger.promises[agent].placement(&self.setting.book, self.frame);
                            if let Some(ride) = &mut self.minds[agent].ride {
                                ride.offset = Some(placement.relative_to(frame));
                            }
                            self.due[agent] = NOT_BEFORE_TOLD;
                        }
                    }
                }
                Event::Gone => {
                    vehicle.state.under_way = false;
                    for agent in (0..self.len()).rev() {
                        let ride = self.minds[agent].ride.as_deref();
                        if ride.is_some_and(|ride| usize::from(ride.vehicle) == index) {
                            self.remove(agent);
                        }
                    }
                }
            }
            self.carry(index, &vehicle);
            self.shared.vehicles[index] = vehicle;
        }
    }

    /// Lets those who ride decide again; on the last stop all get off.
    fn arrive(&mut self, vehicle: usize, last: bool) {
        for agent in 0..self.len() {
            let Some(ride) = self.minds[agent].ride.as_deref_mut() else { continue };
            if usize::from(ride.vehicle) == vehicle && ride.offset.take().is_some() {
                ride.halts_to_go = if last { 0 } else { ride.halts_to_go.saturating_sub(1) };
                self.due[agent] = self.frame + REACTION;
            }
        }
    }

    /// Those who are at rest wholly inside the vehicle, if nobody else's promise touches it.
    fn settled(&self, index: usize, vehicle: &Vehicle) -> Option<Vec<usize>> {
        let book = &self.setting.book;
        let mut riders = Vec::new();
        for agent in 0..self.len() {
            let touches = vehicle.claims(self.ledger.bounds[agent])
                && self.ledger.promises[agent].any_disc(book, self.frame, &|disc| vehicle.claims(disc));
            if !touches {
                continue;
            }
            let rides =
                self.minds[agent].ride.as_ref().is_some_and(|ride| usize::from(ride.vehicle) == index);
            let at_rest = self.ledger.promises[agent].rest_frame(book) <= self.frame;
            let body = Disc::new(self.positions[agent], book.options().radius);
            if !(rides && at_rest && vehicle.holds(body)) {
                return None;
            }
            riders.push(agent);
        }
        Some(riders)
    }

    /// Takes those who ride along.
    fn carry(&mut self, index: usize, vehicle: &Vehicle) {
        let frame = vehicle.placement();
        for agent in 0..self.len() {
            let Some(ride) = self.minds[agent].ride.as_deref() else { continue };
            let Some(offset) = ride.offset.filter(|_| usize::from(ride.vehicle) == index) else { continue };
            let node = crate::decision::node_at(&self.setting.book, &self.ledger.promises[agent], self.frame);
            let radius = self.setting.book.options().radius;
            let commitment = Commitment::standing(frame.then(offset), self.frame, node, radius);
            self.positions[agent] = commitment.start.position;
            self.ledger.replace(agent, commitment, &self.setting.book);
            self.settled_in[agent] = self.frame;
        }
    }
}

/// Stands in for a vehicle while it is moved.
static PLACEHOLDER: std::sync::LazyLock<Vehicle> = std::sync::LazyLock::new(Vehicle::nowhere);
