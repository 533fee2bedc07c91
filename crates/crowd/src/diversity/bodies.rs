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
pub struct StyledCrowd<W> {
    crowd: VelocityCrowd,
    ground: Arc<Ground>,
    styles: StyleControl,
    wishes: W,
    headings: Vec<f32>,
    before: Vec<Vec2>,
    speeds: Vec<f32>,
    frame: u32,
}

/// Slower than this, in metres a second, nobody turns.
const TURNS: f32 = 0.2;
/// The share of the way to the direction of motion that a body turns in a frame …
const TURNING: f32 = 0.15;
/// … and the most, in radians.
const MOST_TURNING: f32 = 4.0 * FRAME_TIME;

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
        Self {
            before: crowd.positions().to_vec(),
            headings: people.iter().map(|person| person.heading).collect(),
            speeds: people.iter().map(|person| person.demand.speed).collect(),
            crowd,
            ground,
            styles,
            wishes,
            frame: 0,
        }
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
        self.before.copy_from_slice(self.crowd.positions());
        self.crowd.prefer(|agent, position| wishes.velocity(agent, position, frame));
        self.crowd.step(Surroundings { ground: Some(&self.ground), discs: &[] }, FRAME_TIME);
        for agent in 0..self.before.len() {
            if self.wishes.stays(agent) {
                self.crowd.place(agent, self.before[agent]);
            }
            let moved = self.crowd.positions()[agent] - self.before[agent];
            let speed = moved.length() * FRAME_RATE;
            self.speeds[agent] = speed;
            if speed > TURNS {
                let turn = wrap_angle(libm::atan2f(moved.y, moved.x) - self.headings[agent]);
                let turn = (turn * TURNING).clamp(-MOST_TURNING, MOST_TURNING);
                self.headings[agent] = wrap_angle(self.headings[agent] + turn);
            }
        }
    }

    /// The style layer's part of a step.
    pub fn move_bodies(&mut self) {
        let (speeds, wishes) = (&self.speeds, &self.wishes);
        self.styles.step(self.crowd.neighbour_grid(), self.crowd.positions(), |agent, current| {
            let speed = speeds[agent];
            Demand { kind: wishes.kind(agent, speed, current), speed }
        });
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

    /// How fast an agent really went in the last step, in metres a second.
    pub fn speed(&self, agent: usize) -> f32 {
        self.speeds[agent]
    }

    /// The number of the loop that an agent plays, and the frame in it.
    pub fn playing(&self, agent: usize) -> (usize, f32) {
        let playing = &self.styles.playing()[agent];
        (self.styles.book().number(playing.from, playing.style, playing.start), playing.frame)
    }

    /// Where an agent's root is.
    pub fn placement(&self, agent: usize) -> Placement {
        let (number, frame) = self.playing(agent);
        let place = Placement { position: self.crowd.positions()[agent], heading: self.headings[agent] };
        place.then(self.styles.book().played(number).sway_at(frame))
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
