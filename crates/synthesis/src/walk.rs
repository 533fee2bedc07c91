//! A motion in the making: clips one after the other, held fast at its start or at its end.

use crate::repertoire::Repertoire;
use crate::spot::Spot;
use crowdloom_motion::graph::{ActionId, NodeId};
use glam::Vec2;

/// Which end of a walk is held fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Start,
    End,
}

/// Clips with the spots between them; entry `i` of the lists is before clip `i`.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub held: Held,
    pub actions: Vec<ActionId>,
    pub spots: Vec<Spot>,
    pub nodes: Vec<NodeId>,
    /// Frames from the held end.
    pub frames: Vec<u32>,
    /// Sum over the clips from the held end of their ways, turned left, times the frames from the held end: what
    /// bending the walk evenly by a radian a frame moves its other end by, in metres.
    pub moments: Vec<Vec2>,
}

impl Default for Walk {
    fn default() -> Self {
        Self::new(Held::Start, Spot::default(), NodeId(0))
    }
}

impl Walk {
    /// A walk of no clips.
    pub fn new(held: Held, spot: Spot, node: NodeId) -> Self {
        Self {
            held,
            actions: Vec::new(),
            spots: vec![spot],
            nodes: vec![node],
            frames: vec![0],
            moments: vec![Vec2::ZERO],
        }
    }

    /// Starts anew, keeping the memory.
    pub fn reset(&mut self, held: Held, spot: Spot, node: NodeId) {
        self.held = held;
        self.actions.clear();
        self.spots.clear();
        self.nodes.clear();
        self.frames.clear();
        self.moments.clear();
        self.moments.push(Vec2::ZERO);
        self.spots.push(spot);
        self.nodes.push(node);
        self.frames.push(0);
    }

    /// Becomes a copy of another, keeping the memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.held = other.held;
        self.actions.clone_from(&other.actions);
        self.spots.clone_from(&other.spots);
        self.nodes.clone_from(&other.nodes);
        self.frames.clone_from(&other.frames);
        self.moments.clone_from(&other.moments);
    }

    /// Adds a clip at the end of a walk that is held at its start; before the start of one that grows backward, whose
    /// lists then run from its end to its start.
    pub fn push(&mut self, repertoire: &Repertoire, action: ActionId) {
        let clip = repertoire.clip(action);
        let last = self.actions.len();
        let forward = self.held == Held::Start;
        self.actions.push(action);
        self.spots.push(self.spots[last].then(if forward { clip.displacement } else { clip.inverse }));
        self.frames.push(self.frames[last] + clip.frames);
        self.nodes.push(if forward { clip.to } else { clip.from });
        self.moments.push(self.moments[last] + self.moment(last, last + 1));
    }

    /// What the clip between two neighbouring spots adds to the moments.
    #[inline]
    fn moment(&self, near: usize, far: usize) -> Vec2 {
        let way = self.spots[far].position - self.spots[near].position;
        let way = if self.held == Held::Start { way } else { -way };
        way.perp() * (0.5 * (self.frames[near] + self.frames[far]) as f32)
    }

    /// Drops the clips from `count` on.
    pub fn truncate(&mut self, count: usize) {
        self.actions.truncate(count);
        self.spots.truncate(count + 1);
        self.nodes.truncate(count + 1);
        self.frames.truncate(count + 1);
        self.moments.truncate(count + 1);
    }

    /// The walk of `actions` that ends in `goal`.
    pub fn ending(repertoire: &Repertoire, goal: Spot, node: NodeId, actions: &[ActionId]) -> Self {
        let mut walk = Self::new(Held::End, goal, node);
        walk.actions.extend_from_slice(actions);
        walk.spots = vec![goal; actions.len() + 1];
        walk.frames = vec![0; actions.len() + 1];
        walk.moments = vec![Vec2::ZERO; actions.len() + 1];
        walk.nodes = actions.iter().map(|&action| repertoire.clip(action).from).chain([node]).collect();
        walk.place(repertoire, actions.len());
        walk
    }

    /// Puts another clip, between the same nodes, in the place of one.
    pub fn replace(&mut self, repertoire: &Repertoire, index: usize, action: ActionId) {
        self.actions[index] = action;
        self.place(repertoire, index + usize::from(self.held == Held::End));
    }

    /// Works out the spots that depend on spot `from`, away from the held end.
    fn place(&mut self, repertoire: &Repertoire, from: usize) {
        match self.held {
            Held::Start => {
                for index in from..self.actions.len() {
                    let clip = repertoire.clip(self.actions[index]);
                    self.spots[index + 1] = self.spots[index].then(clip.displacement);
                    self.frames[index + 1] = self.frames[index] + clip.frames;
                    self.moments[index + 1] = self.moments[index] + self.moment(index, index + 1);
                }
            }
            Held::End => {
                for index in (0..from).rev() {
                    let clip = repertoire.clip(self.actions[index]);
                    self.spots[index] = self.spots[index + 1].then(clip.inverse);
                    self.frames[index] = self.frames[index + 1] + clip.frames;
                    self.moments[index] = self.moments[index + 1] + self.moment(index + 1, index);
                }
            }
        }
    }
}
