//! The whole motion of an agent, from goal to goal.

use crate::goal::Arrivals;
use crate::leg::{Leg, Showing};
use crate::outline::Stance;
use crate::repertoire::Repertoire;
use crowdloom_motion::feet::{Drift, hold_feet};
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::{Clip, Contacts, Placement, Pose};
use glam::Vec2;

/// Legs one after the other, then standing still.
#[derive(Clone, Debug)]
pub struct Motion {
    start: Placement,
    node: NodeId,
    first_frame: u32,
    legs: Vec<Leg>,
    /// Legs that meet goals; those after them only come to rest.
    goals: usize,
    /// Whether the agent is gone after its last leg, because standing there would be in somebody's way.
    leaves: bool,
}

impl Motion {
    pub(crate) fn new(
        start: Placement,
        node: NodeId,
        first_frame: u32,
        legs: Vec<Leg>,
        goals: usize,
        leaves: bool,
    ) -> Self {
        Self { start, node, first_frame, legs, goals, leaves }
    }

    /// The same of which only the first `goals` legs were asked for.
    pub(crate) fn meeting(self, goals: usize) -> Self {
        Self { goals, ..self }
    }

    /// The legs that meet goals, one for each.
    pub fn legs(&self) -> &[Leg] {
        &self.legs[..self.goals.min(self.legs.len())]
    }

    /// Whether the agent is gone after its last leg.
    pub fn leaves(&self) -> bool {
        self.leaves
    }

    /// All legs, the way to rest after the last goal too.
    pub fn all_legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The frame in which it starts.
    pub fn first_frame(&self) -> u32 {
        self.first_frame
    }

    /// The frame from which on the agent stands still.
    pub fn last_frame(&self) -> u32 {
        self.legs.last().map_or(self.first_frame, Leg::last_frame)
    }

    /// The frame in which the last goal is met.
    pub fn arrival(&self) -> Option<u32> {
        self.legs().last().map(Leg::last_frame)
    }

    /// The frames in which goals are met; `all` is whether these are all that were asked.
    pub fn arrivals(&self, all: bool) -> Arrivals {
        Arrivals { goals: self.legs().iter().map(Leg::last_frame).collect(), all }
    }

    /// Whether the agent is there in a frame.
    pub fn is_there(&self, frame: u32) -> bool {
        frame >= self.first_frame && !(self.leaves && frame >= self.last_frame())
    }

    /// Where the agent is in a frame, and what it shows.
    pub fn at(&self, repertoire: &Repertoire, frame: u32) -> (Placement, Showing) {
        let index = self.legs.partition_point(|leg| leg.last_frame() <= frame);
        match (self.legs.get(index), self.legs.last()) {
            (Some(leg), _) => leg.at(repertoire, frame),
            (None, Some(last)) => (last.end(), Showing::Still(last.end_node())),
            (None, None) => (self.start, Showing::Still(self.node)),
        }
    }

    /// Where it is in all frames from its first to its last, in metres, in place of what `positions` holds.
    pub(crate) fn trace(&self, positions: &mut Vec<Vec2>) {
        positions.clear();
        positions.push(self.start.position);
        for leg in &self.legs {
            positions.pop();
            leg.trace(positions);
        }
    }

    /// What the body looks like in the same frames, in place of what `stances` holds.
    pub(crate) fn stances(&self, repertoire: &Repertoire, stances: &mut Vec<Stance>) {
        stances.clear();
        stances.push(repertoire.outlines.of_node(self.node, self.start.heading));
        for leg in &self.legs {
            stances.pop();
            leg.stances(repertoire, stances);
        }
    }

    /// The motion as one clip, from its first frame to its last, its feet held where they stand.
    ///
    /// The clip's own frame of reference is the placement of its first frame.
    pub fn to_clip(&self, repertoire: &Repertoire, name: &str) -> Clip {
        let graph = repertoire.graph();
        let frames = self.first_frame..=self.last_frame();
        let (start, _) = self.at(repertoire, self.first_frame);
        let mut clip = Clip {
            name: name.to_owned(),
            labels: Vec::new(),
            ends: None,
            track: Vec::new(),
            root_heights: Vec::new(),
            rotations: Vec::new(),
            contacts: Vec::new(),
            radii: Vec::new(),
        };
        for frame in frames {
            let (placement, showing) = self.at(repertoire, frame);
            clip.track.push(placement.relative_to(start));
            match showing {
                Showing::Still(node) => {
                    let Pose { root_height, rotations } = &graph.node(node).state.pose;
                    clip.root_heights.push(*root_height);
                    clip.rotations.extend_from_slice(rotations);
                    clip.contacts.push(Contacts::LEFT.with(Contacts::RIGHT));
                    clip.radii.push(0.3);
                }
                Showing::Clip(action, at) => {
                    let source = &graph.action(action).clip;
                    let before = (at as usize).min(source.frames() - 1);
                    let after = (before + 1).min(source.frames() - 1);
                    let part = at - before as f32;
                    clip.root_heights.push(source.sample_into(at, &mut clip.rotations));
                    clip.contacts.push(source.contacts[if part < 0.5 { before } else { after }]);
                    clip.radii
                        .push(source.radii[before] + (source.radii[after] - source.radii[before]) * part);
                }
            }
        }
        let back = Placement { position: Vec2::ZERO, heading: -start.heading };
        let drifts: Vec<Drift> = (self.first_frame..=self.last_frame())
            .map(|frame| {
                let leg = self.legs.iter().find(|leg| frame > leg.first_frame() && frame <= leg.last_frame());
                let (step, turn) = leg.map_or_else(Default::default, |leg| leg.drift(frame));
                Drift { step: back.transform_point(step), turn }
            })
            .collect();
        let ends = self.legs.iter().map(|leg| (leg.last_frame() - self.first_frame) as usize);
        let kept: Vec<usize> = std::iter::once(0).chain(ends).collect();
        hold_feet(graph.skeleton(), &mut clip, &drifts, &kept);
        clip
    }
}
