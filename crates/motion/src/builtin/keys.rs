//! Acts made of key poses over planted or stepping feet.

use super::Piece;
use super::body::{self, COUNT_SIDES, Channels, SIDES, channel::*, joint, size};
use super::curve::{hump, smooth, through};
use super::solve::{Plant, Score, Swing};
use super::stand;
use crate::{FRAME_RATE, Placement};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Seconds at both ends of an act in which nothing but breath moves, so that acts join.
const HOLD: f32 = 0.1;

/// Channels of the left and the right side, for tables of key poses.
pub const L: usize = 0;
pub const R: usize = 1;

/// A pose made of another: angles (degrees) and root offsets (metres) are added, hand places are set.
pub fn with(base: &Channels, changes: &[(usize, f32)]) -> Channels {
    let mut pose = *base;
    for &(channel, value) in changes {
        match kind(channel) {
            Kind::Angle => pose[channel] += value.to_radians(),
            Kind::Offset => pose[channel] += value,
            Kind::Place => pose[channel] = value,
        }
    }
    pose
}

/// Puts a wrist at a place before the chest (metres, in the chest's frame).
pub fn hand(side: usize, place: [f32; 3]) -> [(usize, f32); 4] {
    let [x, y, z] = place;
    [(arm(side, HAND_X), x), (arm(side, HAND_Y), y), (arm(side, HAND_Z), z), (arm(side, GRASP), 1.0)]
}

/// Puts both wrists at places that mirror each other.
pub fn hands(x: f32, y: f32, z: f32) -> Vec<(usize, f32)> {
    [hand(L, [x, y, z]), hand(R, [x, -y, z])].concat()
}

/// Moves a wrist to a place in space, given the rest of the pose.
pub fn reach(pose: &Channels, side: usize, place: Vec3) -> Channels {
    let frames = body::posed(&body::hanging_skeleton(), pose);
    let local = frames.orientations[joint::CHEST].inverse() * (place - frames.positions[joint::CHEST]);
    with(pose, &hand(side, local.to_array()))
}

enum Kind {
    Angle,
    Offset,
    Place,
}

fn kind(channel: usize) -> Kind {
    match channel {
        X | Y | Z => Kind::Offset,
        c if (ARMS..LEGS).contains(&c) && (c - ARMS) % ARM_SIZE >= HAND_X => Kind::Place,
        _ => Kind::Angle,
    }
}

/// A small motion laid over the key poses: swings of a channel.
#[derive(Clone, Copy)]
pub struct Beat {
    pub channel: usize,
    /// Degrees or metres.
    pub size: f32,
    /// Swings a second.
    pub rate: f32,
    /// From when to when, in seconds; it swells and fades there.
    pub from: f32,
    pub to: f32,
}

/// A foot that steps: lifted and set down at times in seconds, where it would stand in a body at `to`.
#[derive(Clone, Copy)]
pub struct Step {
    pub side: usize,
    pub lift: f32,
    pub land: f32,
    pub print: Placement,
    pub height: f32,
}

/// An act.
#[derive(Clone)]
pub struct Act {
    pub name: String,
    pub labels: Vec<String>,
    pub ends: (String, String),
    pub seconds: f32,
    pub keys: Vec<(f32, Channels)>,
    pub beats: Vec<Beat>,
    /// Where each foot stands at first.
    pub prints: [Placement; COUNT_SIDES],
    pub steps: Vec<Step>,
    /// Feet that leave the ground with their leg's channels from a time to a time.
    pub kicks: Vec<(usize, f32, f32)>,
    /// Placement that the key poses are relative to: from, to, and when it moves.
    pub path: Option<(Placement, f32, f32)>,
    /// How far the hips go over the foot that stands while the other steps, as a share of the way there.
    pub sway: f32,
    /// Strength of breath.
    pub breath: f32,
}

impl Act {
    /// An act on standing feet, its first and last key pose being `base`.
    pub fn new(name: &str, labels: &[&str], node: &str, base: &Channels, seconds: f32) -> Self {
        Self {
            name: name.into(),
            labels: labels.iter().map(|label| (*label).to_string()).collect(),
            ends: (node.into(), node.into()),
            seconds,
            keys: vec![(0.0, *base)],
            beats: Vec::new(),
            prints: [stand::print(Placement::IDENTITY, L), stand::print(Placement::IDENTITY, R)],
            steps: Vec::new(),
            kicks: Vec::new(),
            path: None,
            sway: 0.45,
            breath: 1.0,
        }
    }

    /// Ends in another node.
    pub fn to(mut self, node: &str) -> Self {
        self.ends.1 = node.into();
        self
    }

    /// Adds a key pose: the first one, changed.
    pub fn key(mut self, time: f32, changes: &[(usize, f32)]) -> Self {
        let pose = with(&self.keys[0].1, changes);
        self.keys.push((time, pose));
        self
    }

    /// Adds a key pose as it is.
    pub fn pose(mut self, time: f32, pose: Channels) -> Self {
        self.keys.push((time, pose));
        self
    }

    /// Adds a beat.
    pub fn beat(mut self, channel: usize, size: f32, rate: f32, from: f32, to: f32) -> Self {
        self.beats.push(Beat { channel, size, rate, from, to });
        self
    }

    /// Adds a step to a print.
    pub fn step(mut self, side: usize, lift: f32, land: f32, print: Placement, height: f32) -> Self {
        self.steps.push(Step { side, lift, land, print, height });
        self
    }

    fn plants(&self, side: usize) -> Vec<Plant> {
        let mut print = self.prints[side];
        let mut plants = Vec::new();
        let mut on = f32::NEG_INFINITY;
        let mut events: Vec<(f32, f32, Placement, Swing)> = self
            .steps
            .iter()
            .filter(|step| step.side == side)
            .map(|step| (step.lift, step.land, step.print, Swing::Step(step.height)))
            .collect();
        events.extend(
            self.kicks
                .iter()
                .filter(|kick| kick.0 == side)
                .map(|&(_, from, to)| (from, to, print, Swing::Follow)),
        );
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (lift, land, next, then) in events {
            plants.push(Plant { on, off: lift, print, then });
            (on, print) = (land, next);
        }
        plants.push(Plant { on, off: f32::INFINITY, print, then: Swing::Follow });
        plants
    }

    /// Channels by key poses alone.
    fn keyed(&self, time: f32) -> Channels {
        let last = self.keys.len() - 1;
        if last == 0 {
            return self.keys[0].1;
        }
        let mut pose = self.keys[0].1;
        let mut points: Vec<(f32, f32)> = Vec::with_capacity(last + 2);
        for channel in 0..COUNT {
            let first = self.keys[0].1[channel];
            if self.keys.iter().all(|key| key.1[channel] == first) {
                continue;
            }
            points.clear();
            points.extend(self.keys.iter().map(|key| (key.0, key.1[channel])));
            pose[channel] = through(&points, time);
        }
        pose
    }

    fn channels(&self, time: f32) -> Channels {
        let stretch = self.seconds / (self.seconds - 2.0 * HOLD);
        let warp = |t: f32| ((t - HOLD) * stretch).clamp(0.0, self.seconds);
        // Binomial smoothing over a tenth of a second rounds off the joins of the cubics.
        let mut c = Channels([0.0; COUNT]);
        for (offset, weight) in [(-0.05, 1.0), (-0.025, 4.0), (0.0, 6.0), (0.025, 4.0), (0.05, 1.0)] {
            let part = self.keyed(warp(time + offset));
            for (sum, value) in c.0.iter_mut().zip(part.0) {
                *sum += value * weight / 16.0;
            }
        }
        for beat in &self.beats {
            let fade = 0.35f32.min(0.4 * (beat.to - beat.from));
            let edge = smooth((time - beat.from) / fade) * smooth((beat.to - time) / fade);
            let swing = libm::sinf(TAU * beat.rate * (time - beat.from)) * beat.size * edge;
            c[beat.channel] +=
                if matches!(kind(beat.channel), Kind::Angle) { swing.to_radians() } else { swing };
        }
        self.breathe(&mut c, time);
        if let Some((to, from_time, to_time)) = self.path {
            let share = smooth((time - from_time) / (to_time - from_time));
            let place = Placement { position: to.position * share, heading: to.heading * share };
            let ground = place.transform_point(Vec2::new(c[X], c[Y]));
            (c[X], c[Y]) = (ground.x, ground.y);
            c[YAW] += place.heading;
        }
        self.shift_weight(&mut c, time);
        // A hip that is raised sideways must not pull its heel off the ground.
        let tilt = c[ROLL].abs();
        c[Z] -= 1.3 * size::HIP_HALF * tilt * tilt / (tilt + 0.02);
        c
    }

    /// Breath lifts ribs and shoulders; every act holds whole breaths, so that all start and end breathed out.
    fn breathe(&self, c: &mut Channels, time: f32) {
        let count = libm::roundf(self.seconds / 3.6).max(1.0);
        let depth = self.breath * (self.seconds / 3.0).min(1.0);
        let inside = (time / self.seconds).clamp(0.0, 1.0);
        let level = 0.5 - 0.5 * libm::cosf(TAU * count * inside);
        let lungs = level * level * depth;
        c.turn(SPINE_PITCH, -1.3 * lungs);
        c.turn(NECK_PITCH, 1.0 * lungs);
        for side in SIDES {
            c.turn(arm(side, SHRUG), 1.6 * lungs);
            c.turn(arm(side, ABDUCT), 0.9 * lungs);
        }
        // The body is never quite still over its feet (about half a centimetre to each side).
        let edge = hump(inside);
        let sway = libm::sinf(TAU * 0.31 * time + self.name.len() as f32) * edge * self.breath.min(1.0);
        c[Y] += 0.006 * sway;
        c[X] += 0.004 * libm::sinf(TAU * 0.43 * time + 1.0) * edge * self.breath.min(1.0);
    }

    /// Brings the pelvis over the standing foot while the other steps.
    fn shift_weight(&self, c: &mut Channels, time: f32) {
        for step in &self.steps {
            let length = step.land - step.lift;
            let start = (step.lift - 0.5 * length - 0.05).max(0.04);
            let end = (step.land + 0.35 * length).min(self.seconds - 0.04);
            let share = hump((time - start) / (end - start));
            let other = self.steps.iter().rfind(|s| s.side != step.side && s.land <= step.lift + 0.01);
            let support = other.map_or(self.prints[1 - step.side], |s| s.print).position;
            let root = Vec2::new(c[X], c[Y]);
            let toward = (support - root).clamp_length_max(0.12) * self.sway * share;
            (c[X], c[Y]) = (root.x + toward.x, root.y + toward.y);
            c[Z] -= 0.012 * share;
        }
    }

    /// Makes a piece of the library out of it.
    pub fn piece(self) -> Piece {
        let frames = libm::roundf(self.seconds * FRAME_RATE) as usize + 1;
        let channels = |time: f32| self.channels(time);
        let score = Score {
            name: self.name.clone(),
            labels: self.labels.clone(),
            ends: self.ends.clone(),
            frames,
            channels: &channels,
            plants: [self.plants(L), self.plants(R)],
        };
        Piece::perform(&score)
    }
}
