//! A velocity crowd with bodies: the mover says where people go, the style layer how they move.

use super::control::{Demand, StyleControl, gait};
use crate::cell_marking::Shown;
use crate::velocity::{Surroundings, VelocityCrowd, Walker};
use crowdloom_motion::styles::MotionType;
use crowdloom_motion::{FRAME_RATE, FRAME_TIME, Placement, Pose, wrap_angle};
use crowdloom_world::Ground;
use glam::Vec2;
use std::sync::Arc;

/// What the people of a crowd are up to.
pub trait Wishes: Send + Sync {
    /// The velocity that an agent would like to have at `position` metres in a frame, in metres a second.
    fn velocity(&self, agent: usize, position: Vec2, frame: u32) -> Vec2;

    /// What an agent does that goes at `speed` metres a second and did `current` before.
    fn kind(&self, _agent: usize, speed: f32, current: MotionType) -> MotionType {
        gait(speed, current)
    }

    /// Whether an agent stays where it is whatever happens.
    fn stays(&self, _agent: usize) -> bool {
        false
    }

    /// What changes after everybody has moved, for instance who goes where next; called once a frame.
    fn moved(&mut self, _positions: &[Vec2], _frame: u32) {}
}

/// Who joins a styled crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyledWalker {
    /// How it is moved.
    pub walker: Walker,
    /// What it does at first.
    pub demand: Demand,
    /// Where it faces at first, in radians.
    pub heading: f32,
    /// The group whose priorities it has.
    pub group: usize,
}

/// Agents that are moved by velocities and shown by primitive motions.
///
/// A body walks where its disc goes, on its own feet: it covers the ground that its steps cover, in the direction that
/// it faces, and hurries or turns to keep up. What a mover does besides, such as shoving discs about, a body does not
/// follow before it is [`LEASH`] away.
pub struct StyledCrowd<W> {
    crowd: VelocityCrowd,
    ground: Arc<Ground>,
    styles: StyleControl,
    wishes: W,
    bodies: Vec<Body>,
    frame: u32,
}

/// Where a body is, and how it follows its disc.
#[derive(Clone, Copy, Debug)]
struct Body {
    place: Vec2,
    heading: f32,
    /// The disc's place and velocity, smoothed.
    disc: Vec2,
    velocity: Vec2,
    /// The velocity that brings the body to where the disc is going.
    wish: Vec2,
}

/// The farthest that a body is from its disc, in metres: the radius of a usual disc.
const LEASH: f32 = 0.25;
/// Shares of what a disc's place is off that smoothing takes over in a frame into place and velocity: a critically damped
/// α-β filter (Benedict and Bordner 1962), which does not lag behind steady motion.
const SMOOTHING: [f32; 2] = [0.3, 0.053];
/// The share of what a body is off its disc that it makes good in a second.
const CATCHING_UP: f32 = 2.0;
/// Slower than this, in metres a second, nobody turns.
const TURNS: f32 = 0.2;
/// The share of the way to the direction of motion that a body turns in a frame …
const TURNING: f32 = 0.12;
/// … and the most, in radians.
const MOST_TURNING: f32 = 4.0 * FRAME_TIME;

impl Body {
    fn new(place: Vec2, heading: f32) -> Self {
        Self { place, heading, disc: place, velocity: Vec2::ZERO, wish: Vec2::ZERO }
    }

    fn facing(&self) -> Vec2 {
        let (sin, cos) = libm::sincosf(self.heading);
        Vec2::new(cos, sin)
    }

    /// Sees where its disc is now.
    fn watch(&mut self, disc: Vec2) {
        let expected = self.disc + self.velocity * FRAME_TIME;
        let off = disc - expected;
        self.disc = expected + off * SMOOTHING[0];
        self.velocity += off * (SMOOTHING[1] * FRAME_RATE);
        self.wish = self.velocity + (self.disc - self.place) * CATCHING_UP;
    }

    /// Turns to where it has to go, about the foot that it stands on: `pivot` metres from its place, as the body sees it.
    fn turn(&mut self, pivot: Vec2) {
        if self.wish.length_squared() < TURNS * TURNS {
            return;
        }
        let turn = wrap_angle(libm::atan2f(self.wish.y, self.wish.x) - self.heading);
        let turn = (turn * TURNING).clamp(-MOST_TURNING, MOST_TURNING);
        let before = self.facing().rotate(pivot);
        self.heading = wrap_angle(self.heading + turn);
        self.place += before - self.facing().rotate(pivot);
    }

    /// How fast its feet have to carry it in the direction that it faces, in metres a second.
    fn speed(&self) -> f32 {
        self.wish.dot(self.facing()).max(0.0)
    }

    /// Goes as far as its feet carry it, but not out of the disc's reach.
    fn go(&mut self, stride: f32, disc: Vec2) {
        let place = self.place + self.facing() * stride;
        self.place = disc + (place - disc).clamp_length_max(LEASH);
    }
}

impl<W: Wishes> StyledCrowd<W> {
    /// A crowd of `people` on a ground.
    pub fn new(
        ground: Arc<Ground>,
        mut styles: StyleControl,
        wishes: W,
        people: &[StyledWalker],
        seed: u64,
    ) -> Self {
        let mut crowd = VelocityCrowd::new(seed);
        for person in people {
            crowd.add(person.walker);
            styles.add(person.group, person.demand);
        }
        let bodies = people.iter().map(|person| Body::new(person.walker.position, person.heading)).collect();
        Self { crowd, ground, styles, wishes, bodies, frame: 0 }
    }

    /// Moves everybody by a frame.
    pub fn step(&mut self) {
        self.walk();
        self.move_bodies();
    }

    /// The mover's part of a step.
    pub fn walk(&mut self) {
        self.frame += 1;
        let (frame, wishes) = (self.frame, &self.wishes);
        let stays: Vec<(usize, Vec2)> = (0..self.bodies.len())
            .filter(|&agent| wishes.stays(agent))
            .map(|agent| (agent, self.crowd.positions()[agent]))
            .collect();
        self.crowd.prefer(|agent, position| wishes.velocity(agent, position, frame));
        self.crowd.step(Surroundings { ground: Some(&self.ground), discs: &[] }, FRAME_TIME);
        for (agent, place) in stays {
            self.crowd.place(agent, place);
        }
        for (agent, body) in self.bodies.iter_mut().enumerate() {
            body.watch(self.crowd.positions()[agent]);
        }
    }

    /// The style layer's part of a step.
    pub fn move_bodies(&mut self) {
        let (bodies, wishes) = (&self.bodies, &self.wishes);
        self.styles.step(self.crowd.neighbour_grid(), self.crowd.positions(), |agent, current| {
            let body = &bodies[agent];
            Demand { kind: wishes.kind(agent, body.wish.length(), current), speed: body.speed() }
        });
        let (styles, book) = (&self.styles, self.styles.book());
        for (agent, body) in self.bodies.iter_mut().enumerate() {
            let playing = &styles.playing()[agent];
            if book.kind(playing.style).is_cyclic() {
                let pivots = &book.played(book.number(playing.from, playing.style, playing.start)).pivots;
                body.turn(pivots[(playing.frame as usize).min(pivots.len() - 1)]);
            }
            body.go(styles.stride(agent), self.crowd.positions()[agent]);
        }
        self.wishes.moved(self.crowd.positions(), self.frame);
    }

    /// The frame that it is in.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// The agents and where they are.
    pub fn crowd(&self) -> &VelocityCrowd {
        &self.crowd
    }

    /// The same, to be changed between two steps.
    pub fn crowd_mut(&mut self) -> &mut VelocityCrowd {
        &mut self.crowd
    }

    /// Their styles.
    pub fn styles(&self) -> &StyleControl {
        &self.styles
    }

    /// The same, to be changed between two steps.
    pub fn styles_mut(&mut self) -> &mut StyleControl {
        &mut self.styles
    }

    /// The ground that they are on.
    pub fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// How fast an agent goes, in metres a second.
    pub fn speed(&self, agent: usize) -> f32 {
        self.bodies[agent].velocity.length()
    }

    /// The number of the loop that an agent plays, and the frame in it.
    pub fn playing(&self, agent: usize) -> (usize, f32) {
        let playing = &self.styles.playing()[agent];
        (self.styles.book().number(playing.from, playing.style, playing.start), playing.frame)
    }

    /// Where an agent's root is.
    pub fn placement(&self, agent: usize) -> Placement {
        let (number, frame) = self.playing(agent);
        let Body { place, heading, .. } = self.bodies[agent];
        Placement { position: place, heading }.then(self.styles.book().played(number).sway_at(frame))
    }

    /// An agent's body.
    pub fn show(&self, agent: usize) -> Shown {
        let (number, frame) = self.playing(agent);
        let clip = &self.styles.book().played(number).clip;
        let last = clip.frames() - 1;
        let before = (frame as usize).min(last);
        let (after, rest) = ((before + 1).min(last), frame - before as f32);
        let rotations = clip.frame_rotations(before).iter().zip(clip.frame_rotations(after));
        let heights = (clip.root_heights[before], clip.root_heights[after]);
        let pose = Pose {
            root_height: heights.0 + (heights.1 - heights.0) * rest,
            rotations: rotations.map(|(a, b)| a.lerp(*b, rest)).collect(),
        };
        Shown { placement: self.placement(agent), pose, contacts: clip.contacts[before] }
    }
}
