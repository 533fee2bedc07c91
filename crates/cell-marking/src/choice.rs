//! The choice function (Brunner 2014, equations 3.1 and 3.3): how good a segment is for what an agent wants.

use super::book::Transition;
use super::marking::Marking;
use crowdloom_motion::{Placement, wrap_angle};
use glam::Vec2;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What an agent wants of its next second.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Desired velocity in metres a second.
    pub velocity: Vec2,
    /// Desired end, in metres from where the agent is.
    pub location: Vec2,
    /// Desired final heading in radians.
    pub heading: f32,
}

impl Wish {
    /// The same as seen from a body that faces `heading` radians.
    pub fn seen_from(&self, heading: f32) -> Self {
        let back = Placement { position: Vec2::ZERO, heading: -heading };
        Self {
            velocity: back.transform_point(self.velocity),
            location: back.transform_point(self.location),
            heading: wrap_angle(self.heading - heading),
        }
    }
}

impl Marking {
    /// Equation 3.1 for a segment that ends at `end`, `seconds` after its start; the least is the best.
    pub fn score(&self, wish: &Wish, difference: f32, end: Placement, seconds: f32) -> f32 {
        difference * self.difference
            + wish.velocity.distance(end.position / seconds) * self.velocity
            + wish.location.distance(end.position) * self.location
            + wrap_angle(wish.heading - end.heading).abs() * self.orientation
    }

    /// Scores all transitions; those worth `enough`, which are scored below it, come out of the heap best first.
    pub fn rank(
        &self,
        wish: &Wish,
        transitions: &[Transition],
        enough: f32,
        ranked: &mut BinaryHeap<Ranked>,
    ) {
        // In one go: building a heap is cheaper than filling it.
        let mut list = std::mem::take(ranked).into_vec();
        list.clear();
        let scores = transitions.iter().enumerate().map(|(index, transition)| Ranked {
            score: self.score(wish, transition.difference, transition.end, 1.0),
            transition: index as u32,
        });
        list.extend(scores.filter(|ranked| ranked.score < enough));
        *ranked = BinaryHeap::from(list);
    }
}

/// A transition with its score; the greatest is the best, of equal ones the first.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    score: f32,
    /// The transition, by its number among those of its state.
    pub transition: u32,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(other.transition.cmp(&self.transition))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}
