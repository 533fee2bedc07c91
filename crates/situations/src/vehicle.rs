//! Vehicles that drive along a path and stop by a timetable: regions that move, with people in them.
//!
//! A vehicle keeps the crowd's promise in the way of a railway signal box. It *claims* the stretch of its path from its
//! rear to where it could stop; nobody may promise to be in there, and it may claim more only where nobody has promised
//! to be. So neither ever runs into the other: people wait for the bus, the bus waits for people.
//!
//! At a stop its doors are open: those who board or get off may walk in the claim, and the vehicle stands until all
//! whose promises touch it are at rest wholly inside. Then they *ride*: their place in the vehicle's frame does not
//! change, so they keep their distances to each other, and they stay inside the claim, so they keep it to all others.

use crate::situation::Spot;
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_TIME, Placement};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A stop of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halt {
    /// Where the front of the vehicle stands, in metres along the path.
    pub along: f32,
    /// Frames that the doors stay open.
    pub frames: u32,
    /// The region where people wait and get off, by its index.
    pub region: Option<usize>,
}

/// A line through points, measured from its beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    points: Vec<Vec2>,
    so_far: Vec<f32>,
}

impl Track {
    /// The line through `points`; `None` where it has no length.
    pub fn new(points: Vec<Vec2>) -> Option<Self> {
        let mut length = 0.0;
        let mut so_far = vec![0.0];
        for pair in points.windows(2) {
            length += pair[0].distance(pair[1]);
            so_far.push(length);
        }
        (points.len() >= 2 && length.is_finite() && length > 0.1).then_some(Self { points, so_far })
    }

    /// The length in metres.
    pub fn length(&self) -> f32 {
        self.so_far.last().copied().unwrap_or_default()
    }

    /// The point `along` metres from the beginning; beyond the ends the line goes straight on.
    pub fn at(&self, along: f32) -> Vec2 {
        let last = self.points.len() - 1;
        let segment = self.so_far.partition_point(|&so_far| so_far <= along).clamp(1, last) - 1;
        let (a, b) = (self.points[segment], self.points[segment + 1]);
        a + (b - a).normalize_or_zero() * (along - self.so_far[segment])
    }

    /// How far along the line the point nearest to `point` is, in metres.
    pub fn nearest(&self, point: Vec2) -> f32 {
        let mut best = (f32::INFINITY, 0.0);
        for (segment, pair) in self.points.windows(2).enumerate() {
            let way = pair[1] - pair[0];
            let t = ((point - pair[0]).dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
            let candidate = ((pair[0] + way * t).distance(point), self.so_far[segment] + way.length() * t);
            if candidate.0 < best.0 {
                best = candidate;
            }
        }
        best.1
    }

    /// The corners of the stretch between two places.
    fn stretch(&self, from: f32, to: f32) -> impl Iterator<Item = Vec2> + '_ {
        let inner = self.so_far.iter().zip(&self.points);
        let inner =
            inner.filter(move |(so_far, _)| **so_far > from && **so_far < to).map(|(_, point)| *point);
        std::iter::once(self.at(from)).chain(inner).chain(std::iter::once(self.at(to)))
    }

    /// The distance of a point to the stretch between two places, in metres.
    pub fn distance_to_stretch(&self, point: Vec2, from: f32, to: f32) -> f32 {
        let mut best = f32::INFINITY;
        let mut before: Option<Vec2> = None;
        for corner in self.stretch(from, to) {
            let a = before.unwrap_or(corner);
            let way = corner - a;
            let t = ((point - a).dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
            best = best.min((a + way * t).distance(point));
            before = Some(corner);
        }
        best
    }
}

/// What a vehicle is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Vehicle {
    /// The vehicle's name.
    pub name: String,
    /// Its way.
    pub track: Track,
    /// Its length in metres.
    pub length: f32,
    /// Its width in metres.
    pub width: f32,
    /// How fast it drives, in metres a second.
    pub speed: f32,
    /// How hard it speeds up and brakes, in metres a second squared.
    pub brake: f32,
    /// Its stops, in order.
    pub halts: Vec<Halt>,
    /// Places in it, seen from its middle.
    pub places: Vec<Spot>,
    /// The frame in which it comes for the first time.
    pub first: u32,
    /// Frames between two of its journeys; `None` for a single one.
    pub every: Option<u32>,
    /// Where it is.
    pub state: Journey,
    /// How far from the path some part of it gets, in metres: half its width, and what sticks out in bends.
    reach: f32,
}

/// Where a vehicle is on its way; all of it that changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Journey {
    /// Whether it is on its way at all.
    pub under_way: bool,
    /// Where its front is, in metres along the path.
    pub front: f32,
    /// Its speed in metres a second.
    pub speed: f32,
    /// Up to where it has claimed its path, in metres along it.
    pub claimed: f32,
    /// The stop that it is at, or goes to next.
    pub halt: u16,
    /// The frame in which its doors are to close; `None` while they are closed.
    pub closes: Option<u32>,
    /// Journeys begun so far.
    pub journeys: u32,
    /// Who has each place, by number.
    pub seats: Vec<Option<u32>>,
}

/// An agent's journey in a vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ride {
    /// The vehicle, by its index.
    pub vehicle: u16,
    /// Stops to go until it gets off; zero when this is the one.
    pub halts_to_go: u16,
    /// Where it is in the vehicle while that drives.
    pub offset: Option<Placement>,
}

/// A vehicle that cannot get on opens its doors this near to its stop, in metres.
const NEARLY_THERE: f32 = 1.5;

/// Who stands nearer than this ahead of what a vehicle claims, in metres, makes way.
const RIGHT_AHEAD: f32 = 4.0;

/// People keep this far from a vehicle, in metres.
const ROOM: f32 = 0.1;

/// A vehicle claims nothing nearer to people ahead than this besides, in metres: they need it to turn and step away.
const ROOM_TO_STEP: f32 = 0.3;

impl Vehicle {
    /// A vehicle of that length and width on a track, that stops nowhere.
    pub fn new(name: impl Into<String>, track: Track, length: f32, width: f32) -> Self {
        // In a bend the vehicle is a chord of its path: what sticks out of the stretch is claimed, too.
        let mut reach = 0.0f32;
        let mut front = length;
        while front <= track.length() {
            let (rear, nose) = (track.at(front - length), track.at(front));
            let short = (length - rear.distance(nose)) * 0.5;
            let bulge = (1..8).map(|part| {
                let point = rear.lerp(nose, part as f32 / 8.0);
                track.distance_to_stretch(point, front - length, front)
            });
            reach = reach.max(short + bulge.fold(0.0, f32::max));
            front += 0.25;
        }
        let reach = reach + 0.5 * width + if reach > 1e-3 { 0.1 } else { 0.0 };
        Self {
            name: name.into(),
            track,
            length,
            width,
            speed: 6.0,
            brake: 1.5,
            halts: Vec::new(),
            places: Vec::new(),
            first: 0,
            every: None,
            state: Journey::default(),
            reach,
        }
    }

    /// Where the middle of the vehicle is and where it faces.
    pub fn placement(&self) -> Placement {
        let (rear, nose) = (self.track.at(self.state.front - self.length), self.track.at(self.state.front));
        let way = nose - rear;
        Placement { position: (rear + nose) * 0.5, heading: libm::atan2f(way.y, way.x) }
    }

    /// Whether the doors are open, at the stop [`Journey::halt`].
    pub fn is_open(&self) -> bool {
        self.state.under_way && self.state.closes.is_some()
    }

    /// Whether people may still get on.
    pub fn admits(&self, frame: u32) -> bool {
        self.state.under_way && self.state.closes.is_some_and(|closes| frame < closes)
    }

    /// Frames since the doors began to close.
    pub fn closed_for(&self, frame: u32) -> u32 {
        self.state.closes.map_or(0, |closes| frame.saturating_sub(closes))
    }

    /// How far from its path people have to stay to let it pass, in metres, but for their own size.
    pub fn lane(&self) -> f32 {
        self.reach + ROOM
    }

    /// Places beside the lane, in metres, the nearer first, for a body of that radius that is right ahead of the vehicle.
    pub fn ways_out(&self, point: Vec2, radius: f32) -> Option<[Vec2; 2]> {
        let along = self.track.nearest(point);
        let ahead = (self.state.front - 0.5..self.state.claimed + RIGHT_AHEAD).contains(&along);
        let middle = self.track.at(along);
        let out = point - middle;
        if !self.state.under_way || !ahead || out.length() > self.lane() + radius {
            return None;
        }
        let way = (self.track.at(along + 0.5) - middle).normalize_or(Vec2::X);
        let side = if way.perp().dot(out) >= 0.0 { way.perp() } else { -way.perp() };
        let beside = side * (self.lane() + radius + 0.3);
        Some([middle + beside, middle - beside])
    }

    /// The place that an agent, by its number, has.
    pub fn place_of(&self, agent: u32) -> Option<Spot> {
        let index = self.state.seats.iter().position(|seat| *seat == Some(agent))?;
        let (frame, spot) = (self.placement(), self.places.get(index)?);
        Some(Spot { at: frame.transform_point(spot.at), facing: frame.facing().rotate(spot.facing) })
    }

    /// Whether a disc is wholly inside the vehicle.
    pub fn holds(&self, disc: Disc) -> bool {
        let frame = self.placement();
        let local = (disc.centre - frame.position).rotate(frame.facing() * Vec2::new(1.0, -1.0));
        local.x.abs() + disc.radius <= self.length * 0.5 && local.y.abs() + disc.radius <= self.width * 0.5
    }

    /// Whether a disc meets the stretch of the path that is claimed.
    pub fn claims(&self, disc: Disc) -> bool {
        self.state.under_way && self.meets_stretch(disc, self.state.front - self.length, self.state.claimed)
    }

    /// A disc around the claim.
    pub fn claim_bounds(&self) -> Disc {
        let (from, to) = (self.state.front - self.length, self.state.claimed);
        let middle = self.track.at((from + to) * 0.5);
        Disc::new(middle, (to - from) * 0.5 + self.reach + ROOM)
    }

    fn meets_stretch(&self, disc: Disc, from: f32, to: f32) -> bool {
        self.track.distance_to_stretch(disc.centre, from, to) < disc.radius + self.reach + ROOM
    }

    /// The front and speed after one frame, and how much of the path it needs for that.
    fn advance(&self, speed: f32) -> (f32, f32) {
        let front = self.state.front + speed * FRAME_TIME;
        (front, front + speed * speed / (2.0 * self.brake))
    }

    /// Drives for one frame; `is_free` tells whether nobody else has promised to be near a stretch given by a test of
    /// discs. Returns what happened.
    pub fn drive(&mut self, frame: u32, is_free: impl Fn(&dyn Fn(Disc) -> bool) -> bool) -> Event {
        if !self.state.under_way {
            let due =
                self.first.checked_add(self.every.unwrap_or(u32::MAX).saturating_mul(self.state.journeys));
            let once = self.state.journeys > 0 && self.every.is_none();
            if once || due.is_none_or(|due| frame < due) {
                return Event::Nothing;
            }
            if is_free(&|disc| self.meets_stretch(disc, 0.0, self.length)) {
                let seats = vec![None; self.places.len()];
                let journeys = self.state.journeys + 1;
                let (front, claimed) = (self.length, self.length);
                self.state =
                    Journey { under_way: true, front, claimed, journeys, seats, ..Journey::default() };
            }
            return Event::Nothing;
        }
        if let Some(closes) = self.state.closes {
            return if frame >= closes { Event::WantsToLeave } else { Event::Nothing };
        }
        let goal =
            self.halts.get(usize::from(self.state.halt)).map_or(self.track.length(), |halt| halt.along);
        let left = goal - self.state.front;
        let gentle = (2.0 * self.brake * left.max(0.0)).sqrt();
        let mut speed = (self.state.speed + self.brake * FRAME_TIME).min(self.speed).min(gentle);
        if speed * FRAME_TIME > left || left < 0.02 {
            speed = (left / FRAME_TIME).max(0.0).min(self.state.speed + self.brake * FRAME_TIME);
        }
        let (_, needed) = self.advance(speed);
        if needed > self.state.claimed {
            // A little more than needed, so that not every frame has to ask.
            let wanted = (needed + 0.5).min(goal.max(needed));
            if is_free(&|disc| self.meets_stretch(disc, self.state.claimed, wanted + ROOM_TO_STEP)) {
                self.state.claimed = wanted;
            } else {
                // It can always stop within what it has claimed.
                speed = (self.state.speed - self.brake * FRAME_TIME).max(0.0);
                if self.advance(speed).1 > self.state.claimed {
                    speed = 0.0;
                }
                // Somebody stands at the very stop: near enough is good enough.
                if speed == 0.0
                    && left < NEARLY_THERE
                    && let Some(halt) = self.halts.get(usize::from(self.state.halt))
                {
                    self.state.speed = 0.0;
                    self.state.closes = Some(frame + halt.frames);
                    return Event::Arrived { last: usize::from(self.state.halt) + 1 == self.halts.len() };
                }
            }
        }
        self.state.front = self.advance(speed).0;
        self.state.speed = speed;
        if goal - self.state.front < 0.02 {
            self.state.speed = 0.0;
            let Some(halt) = self.halts.get(usize::from(self.state.halt)) else { return Event::Gone };
            self.state.closes = Some(frame + halt.frames);
            return Event::Arrived { last: usize::from(self.state.halt) + 1 == self.halts.len() };
        }
        Event::Nothing
    }

    /// Discs that cover the claim together.
    pub fn claim_discs(&self) -> impl Iterator<Item = Disc> + '_ {
        let (from, to) = (self.state.front - self.length, self.state.claimed);
        let count = ((to - from) / self.reach).ceil().max(1.0) as usize;
        // Neighbouring discs are `reach` apart: between two of them the claim sticks out by less than this factor.
        let radius = self.reach * 1.12;
        (0..=count).map(move |part| {
            Disc::new(self.track.at(from + (to - from) * part as f32 / count as f32), radius)
        })
    }

    /// A vehicle that is not there.
    pub fn nowhere() -> Self {
        let track = Track { points: vec![Vec2::ZERO, Vec2::X], so_far: vec![0.0, 1.0] };
        Self::new("", track, 1.0, 1.0)
    }

    /// Closes the doors and goes on to the next stop.
    pub fn depart(&mut self) {
        self.state.closes = None;
        self.state.halt += 1;
    }
}

/// What a frame of driving came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Nothing of interest to people.
    Nothing,
    /// The doors have opened.
    Arrived {
        /// Whether this is the last stop.
        last: bool,
    },
    /// The time at the stop is over.
    WantsToLeave,
    /// The end of the path is reached.
    Gone,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bus() -> Vehicle {
        let track = Track::new(vec![Vec2::ZERO, Vec2::new(60.0, 0.0), Vec2::new(60.0, 60.0)]).unwrap();
        let mut bus = Vehicle::new("bus", track, 8.0, 2.5);
        bus.halts = vec![Halt { along: 30.0, frames: 60, region: None }];
        bus
    }

    #[test]
    fn a_bus_keeps_its_claim_ahead_of_its_brakes_and_arrives() {
        let mut bus = bus();
        let mut arrived = None;
        for frame in 0..2000 {
            match bus.drive(frame, |_| true) {
                Event::Arrived { last } => arrived = Some((frame, last)),
                Event::WantsToLeave => bus.depart(),
                Event::Gone => {
                    assert!(arrived.is_some_and(|(_, last)| last));
                    assert!((bus.state.front - bus.track.length()).abs() < 0.05);
                    return;
                }
                Event::Nothing => {}
            }
            let needs = bus.state.front + bus.state.speed * bus.state.speed / (2.0 * bus.brake);
            assert!(needs <= bus.state.claimed + 1e-3, "frame {frame}: {:?}", bus.state);
            assert!(bus.state.speed <= bus.speed);
        }
        panic!("never arrived: {:?}", bus.state);
    }

    #[test]
    fn a_bus_stops_before_what_is_not_free() {
        let mut bus = bus();
        let person = Disc::new(Vec2::new(20.0, 0.5), 0.25);
        for frame in 0..600 {
            bus.drive(frame, |meets| !meets(person));
            assert!(!bus.claims(person), "frame {frame}: {:?}", bus.state);
        }
        assert!(bus.state.speed == 0.0 && bus.state.front > 12.0, "{:?}", bus.state);
    }

    #[test]
    fn in_a_bend_the_whole_bus_is_inside_its_claim() {
        let mut bus = bus();
        bus.halts.clear();
        for frame in 0..2000 {
            if bus.drive(frame, |_| true) == Event::Gone {
                return;
            }
            let body = bus.placement();
            for (x, y) in [(-4.0, -1.25), (-4.0, 1.25), (4.0, -1.25), (4.0, 1.25), (0.0, 1.25)] {
                let corner = body.transform_point(Vec2::new(x, y));
                assert!(
                    bus.claims(Disc::new(corner, 0.0)) || !bus.state.under_way,
                    "frame {frame}: {corner}"
                );
            }
        }
        panic!("never got to its end");
    }
}
