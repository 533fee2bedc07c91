//! Clips that go somewhere: cycles of a gait, turns, starts, stops, and changes from one gait to another.

use super::Piece;
use super::body::{Channels, SIDES, channel::*};
use super::curve::{hump, smooth, smoother};
use super::gait::Gait;
use super::solve::{Plant, Score, Swing};
use super::stand;
use crate::{FRAME_RATE, FRAME_TIME, Placement};
use glam::Vec2;

/// One end of a travelling clip: standing still (given its pose), or a gait at its node phase.
#[derive(Clone, Copy)]
pub enum End<'a> {
    Still(&'a Channels),
    Going(&'a Gait),
}

/// A stretch of walking or running.
pub struct Travel<'a> {
    pub from: End<'a>,
    pub to: End<'a>,
    /// Frames from the first to the last.
    pub frames: usize,
    /// Cycles of two steps in that time; part of one where the clip ends still.
    pub cycles: f32,
    /// Turn to the left in radians, spread over the clip.
    pub turn: f32,
    /// Fraction of the speed lost halfway, for the turn's sake.
    pub dip: f32,
}

/// Gravity in metres a second squared.
const GRAVITY: f32 = 9.81;
/// How high hips are in metres: a body that leans by an angle has them so many times half of that aside.
const HIPS: f32 = 0.93;
/// The most in metres a second that leaning changes the hips' velocity within a frame: in a step that is too quick for more, the legs
/// alone bear who turns.
const MOST_LURCH: f32 = 0.1;
/// Step of the tables in seconds, and how far they reach beyond the clip.
const TICK: f32 = 1.0 / 240.0;
const BEYOND: f32 = 1.2;

/// Phase and path of a clip, tabulated over time.
struct Course<'a> {
    travel: &'a Travel<'a>,
    seconds: f32,
    phases: Vec<f32>,
    path: Vec<Placement>,
    /// How much of what balance asks the body leans into the turn, from 0 to 1.
    leans: f32,
}

impl<'a> Course<'a> {
    fn new(travel: &'a Travel<'a>) -> Self {
        let seconds = travel.frames as f32 * FRAME_TIME;
        let (from, to) = travel.gaits();
        let rates = (1.0 / from.period(), 1.0 / to.period());
        let speed = |end: End, gait: &Gait| if matches!(end, End::Still(_)) { 0.0 } else { gait.speed };
        let speeds = (speed(travel.from, from), speed(travel.to, to));
        let ticks = ((seconds + 2.0 * BEYOND) / TICK) as usize + 2;
        let time = |tick: usize| tick as f32 * TICK - BEYOND;
        // What the blended cadence leaves over or short of the wanted cycles is spread over the clip.
        let rate = |t: f32| rates.0 + (rates.1 - rates.0) * smooth(t / seconds);
        let inside = |t: f32| (0.0..seconds).contains(&t);
        let steps: Vec<f32> = (0..ticks).map(|tick| time(tick) + 0.5 * TICK).collect();
        let natural: f32 = steps.iter().filter(|t| inside(**t)).map(|t| rate(*t) * TICK).sum();
        let humps: f32 = steps.iter().filter(|t| inside(**t)).map(|t| hump(*t / seconds) * TICK).sum();
        let extra = (travel.end_phase() - travel.start_phase() - natural) / humps;

        let (mut phase, mut place, mut heading) = (0.0, Vec2::ZERO, 0.0);
        let (mut phases, mut path) = (Vec::with_capacity(ticks), Vec::with_capacity(ticks));
        for &t in &steps {
            phases.push(phase);
            path.push(Placement { position: place, heading });
            let along = smooth(t / seconds);
            let speed = (speeds.0 + (speeds.1 - speeds.0) * along) * (1.0 - travel.dip * hump(t / seconds));
            heading = travel.turn * smoother((t + 0.5 * TICK) / seconds);
            let middle = travel.turn * smoother(t / seconds);
            place += Placement::new(0.0, 0.0, middle).facing() * speed * TICK;
            phase += (rate(t) + extra * hump(t / seconds)) * TICK;
        }
        let mut course = Self { travel, seconds, phases, path, leans: 1.0 };
        let (phase, origin) = (course.phase(0.0), course.place(0.0).position);
        let start = travel.start_phase();
        course.phases.iter_mut().for_each(|value| *value += start - phase);
        course.path.iter_mut().for_each(|value| value.position -= origin);
        if travel.turn != 0.0 {
            let lurches = (0..=travel.frames).map(|frame| course.lurch(frame as f32 * FRAME_TIME));
            course.leans = (MOST_LURCH / lurches.fold(MOST_LURCH, f32::max)).min(1.0);
        }
        course
    }

    /// How much leaning changes the velocity of the hips around a time within a frame, in metres a second.
    fn lurch(&self, time: f32) -> f32 {
        let [before, now, after] = [-FRAME_TIME, 0.0, FRAME_TIME].map(|step| self.lean(time + step));
        0.5 * HIPS * (after - 2.0 * now + before).abs() * FRAME_RATE
    }

    /// How far the body leans to the left, as the balance of gravity and centrifugal force asks in a turn, but for the stiffer half;
    /// in radians.
    fn lean(&self, time: f32) -> f32 {
        let (before, after) = (self.place(time - 0.06), self.place(time + 0.06));
        let rate = (after.heading - before.heading) / 0.12;
        let speed = after.position.distance(before.position) / 0.12;
        0.75 * libm::atanf(speed * rate / GRAVITY) * self.inside(time) * self.leans
    }

    /// Nothing within a frame of the ends, which clips share, and one further inside.
    fn inside(&self, time: f32) -> f32 {
        let inside = |t: f32| smooth((t - FRAME_TIME) / 0.2);
        inside(time) * inside(self.seconds - time)
    }

    fn index(&self, time: f32) -> (usize, f32) {
        let at = ((time + BEYOND) / TICK).clamp(0.0, (self.phases.len() - 2) as f32);
        (at as usize, at - at.floor())
    }

    fn phase(&self, time: f32) -> f32 {
        let (index, rest) = self.index(time);
        self.phases[index] + (self.phases[index + 1] - self.phases[index]) * rest
    }

    fn place(&self, time: f32) -> Placement {
        let (index, rest) = self.index(time);
        let (a, b) = (self.path[index], self.path[index + 1]);
        Placement {
            position: a.position.lerp(b.position, rest),
            heading: a.heading + (b.heading - a.heading) * rest,
        }
    }

    /// When the left leg's phase is `phase`.
    fn when(&self, phase: f32) -> f32 {
        let index = self.phases.partition_point(|value| *value <= phase).clamp(1, self.phases.len() - 1);
        let (a, b) = (self.phases[index - 1], self.phases[index]);
        (index as f32 - 1.0 + (phase - a) / (b - a)) * TICK - BEYOND
    }

    /// How far the change from one end to the other has come.
    fn change(&self, time: f32) -> f32 {
        smoother(time / self.seconds)
    }

    fn duty(&self, time: f32) -> f32 {
        let (from, to) = self.travel.gaits();
        from.duty + (to.duty - from.duty) * self.change(time)
    }

    /// All plants of a foot that the clip can see.
    fn plants(&self, side: usize) -> Vec<Plant> {
        let (from, to) = self.travel.gaits();
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let mut plants: Vec<Plant> = (-1..5)
            .map(|cycle| cycle as f32 + 0.5 * side as f32)
            .filter_map(|contact| {
                let on = self.when(contact);
                let (mut off, mut middle) = (on, on);
                for _ in 0..4 {
                    off = self.when(contact + self.duty(off));
                    middle = self.when(contact + 0.5 * self.duty(middle));
                }
                (off > -BEYOND + 0.1 && on < self.seconds + BEYOND - 0.1).then(|| {
                    let mix = |a: f32, b: f32| a + (b - a) * self.change(middle);
                    let toe_out = mix(from.manner.toe_out, to.manner.toe_out).to_radians();
                    let print = (mix(from.print.0, to.print.0), mix(from.print.1, to.print.1));
                    let stray = mix(from.manner.stray, to.manner.stray) * self.stray(middle);
                    let print = Placement::new(print.0, sign * print.1 + stray, sign * toe_out);
                    Plant { on, off, print: self.place(middle).then(print), then: Swing::Follow }
                })
            })
            .collect();
        if let End::Still(_) = self.travel.from {
            plants.retain(|plant| plant.off > 0.0);
            if let Some(first) = plants.first_mut() {
                first.print = stand::print(Placement::IDENTITY, side);
            }
        }
        if let End::Still(_) = self.travel.to {
            plants.retain(|plant| plant.on < self.seconds);
            if let Some(last) = plants.last_mut() {
                last.print = stand::print(self.place(self.seconds), side);
            }
        }
        plants
    }

    fn stray(&self, time: f32) -> f32 {
        let t = time / self.seconds;
        hump(t) * libm::sinf(std::f32::consts::TAU * t)
    }

    /// Channels at a time; `first` and `last` are the plants that the clip starts and ends standing on.
    fn channels(&self, time: f32, first: [f32; 2], last: [f32; 2]) -> Channels {
        let phase = self.phase(time);
        let pose = |end: End| match end {
            End::Still(pose) => *pose,
            End::Going(gait) => gait.channels(phase),
        };
        let (from, to) = (pose(self.travel.from), pose(self.travel.to));
        let mut c = from.lerp(&to, self.change(time));
        // Legs take up their stride before the body has its speed, and keep it until it is lost.
        let t = time / self.seconds;
        let legs = match (self.travel.from, self.travel.to) {
            (End::Still(_), _) => smoother(t / 0.65),
            (_, End::Still(_)) => smoother((t - 0.33) / 0.65),
            _ => self.change(time),
        };
        let mixed = from.lerp(&to, legs);
        c.0[LEGS..].copy_from_slice(&mixed.0[LEGS..]);
        for side in SIDES {
            let foot = &mut c[leg(side, FOOT)];
            let (from, to) = self.travel.gaits();
            // Feet that stand at first have no contact to roll in from, and at last none to roll off to.
            if let (End::Still(_), true) = (self.travel.from, time < first[side]) {
                let flat = -to.manner.tiptoe.to_radians() * legs;
                *foot = foot.min(flat);
                if self.phase(time) < self.travel.first_roll(side) {
                    *foot = flat;
                }
            }
            if let (End::Still(_), true) = (self.travel.to, time > last[side]) {
                let flat = -from.manner.tiptoe.to_radians() * (1.0 - legs);
                *foot = foot.max(flat);
                if self.phase(time) > self.travel.last_roll(side) {
                    *foot = flat;
                }
            }
        }
        self.put_on_path(&mut c, time);
        c
    }

    fn put_on_path(&self, c: &mut Channels, time: f32) {
        let place = self.place(time);
        let (from, to) = self.travel.gaits();
        let stray = from.manner.stray.max(to.manner.stray) * self.stray(time);
        let (lean, edge) = (self.lean(time), self.inside(time));
        c[ROLL] -= lean * 0.7;
        c[SPINE_ROLL] -= lean * 0.3;
        c[NECK_ROLL] += lean * 0.6;
        c[Y] += 0.5 * lean * c[Z] + stray;
        // Eyes, then shoulders, go ahead of the feet.
        let ahead = (self.place(time + 0.4).heading - place.heading) * edge;
        c[NECK_YAW] += 0.45 * ahead.clamp(-0.8, 0.8);
        c[SPINE_YAW] += 0.25 * ahead.clamp(-0.8, 0.8);
        c[SPINE_ROLL] += stray * 1.6;
        let ground = place.transform_point(Vec2::new(c[X], c[Y]));
        (c[X], c[Y]) = (ground.x, ground.y);
        c[YAW] += place.heading;
    }
}

impl Travel<'_> {
    /// The gaits at both ends; a still end has that of the other.
    fn gaits(&self) -> (&Gait, &Gait) {
        match (self.from, self.to) {
            (End::Going(from), End::Going(to)) => (from, to),
            (End::Going(gait), End::Still(_)) | (End::Still(_), End::Going(gait)) => (gait, gait),
            (End::Still(_), End::Still(_)) => unreachable!("travel needs a gait"),
        }
    }

    fn start_phase(&self) -> f32 {
        let (from, to) = self.gaits();
        match self.from {
            End::Going(_) => from.node_phase(),
            End::Still(_) => to.node_phase() + libm::ceilf(self.cycles) - self.cycles,
        }
    }

    fn end_phase(&self) -> f32 {
        let (from, to) = self.gaits();
        match (self.from, self.to) {
            (_, End::Still(_)) => from.node_phase() + self.cycles,
            (End::Still(_), _) => self.start_phase() + self.cycles,
            _ => to.node_phase() + self.cycles,
        }
    }

    /// The phase before which a foot that stands at first does not roll.
    fn first_roll(&self, side: usize) -> f32 {
        let start = self.start_phase() - 0.5 * side as f32;
        let duty = self.gaits().1.duty;
        // The first plant that ends after the start began at this contact.
        let mut contact = libm::floorf(start);
        if start - contact > duty {
            contact += 1.0;
        }
        contact + 0.5 * side as f32
    }

    /// The phase from which on a foot that stands at last does not roll.
    fn last_roll(&self, side: usize) -> f32 {
        let end = self.end_phase() - 0.5 * side as f32;
        libm::floorf(end) + self.gaits().0.duty + 0.5 * side as f32
    }

    /// Makes a piece of the library out of it.
    pub fn piece(self, name: String, labels: &[&str], ends: (&str, &str)) -> Piece {
        let labels = labels.iter().map(|label| (*label).to_string()).collect();
        let ends = (ends.0.to_string(), ends.1.to_string());
        let course = Course::new(&self);
        let mut plants = [course.plants(0), course.plants(1)];
        let mut first = [f32::NEG_INFINITY; 2];
        let mut last = [f32::INFINITY; 2];
        for side in SIDES {
            if let (End::Still(_), Some(plant)) = (self.from, plants[side].first_mut()) {
                first[side] = plant.off;
                plant.on = f32::NEG_INFINITY;
            }
            if let (End::Still(_), Some(plant)) = (self.to, plants[side].last_mut()) {
                last[side] = plant.on;
                plant.off = f32::INFINITY;
            }
        }
        let channels = |time: f32| course.channels(time, first, last);
        let score = Score { name, labels, ends, frames: self.frames + 1, channels: &channels, plants };
        Piece::perform(&score)
    }
}
