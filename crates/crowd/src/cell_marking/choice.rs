//! The choice function (Brunner 2014, equations 3.1 and 3.3): how good a segment is for what an agent wants.

use super::book::Transition;
use crowdloom_motion::{Placement, wrap_angle};
use glam::Vec2;

/// Weights of the choice function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// w_m, for each metre of summed transition difference.
    pub difference: f32,
    /// w_vel, for each metre a second between desired and mean velocity.
    pub velocity: f32,
    /// w_loc, for each metre between desired and actual end.
    pub location: f32,
    /// w_θ, for each radian between desired and final orientation.
    pub orientation: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { difference: 0.02, velocity: 1.0, location: 1.0, orientation: 1.2 }
    }
}

/// What an agent wants of its next second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// Desired velocity in metres a second.
    pub(super) velocity: Vec2,
    /// Desired end, in metres from where the agent is.
    pub(super) location: Vec2,
    /// Desired final heading in radians.
    pub(super) heading: f32,
}

impl Wish {
    /// The same as seen from a body that faces `heading` radians.
    pub(super) fn seen_from(&self, heading: f32) -> Self {
        let back = Placement { position: Vec2::ZERO, heading: -heading };
        Self {
            velocity: back.transform_point(self.velocity),
            location: back.transform_point(self.location),
            heading: wrap_angle(self.heading - heading),
        }
    }
}

impl Weights {
    /// Equation 3.1 for a segment that ends at `end`, `seconds` after its start; the least is the best.
    pub(super) fn score(&self, wish: &Wish, difference: f32, end: Placement, seconds: f32) -> f32 {
        difference * self.difference
            + wish.velocity.distance(end.position / seconds) * self.velocity
            + wish.location.distance(end.position) * self.location
            + wrap_angle(wish.heading - end.heading).abs() * self.orientation
    }

    /// Scores all transitions and sorts the best `most` of them, best first.
    pub(super) fn rank(
        &self,
        wish: &Wish,
        transitions: &[Transition],
        most: usize,
        ranked: &mut Vec<(f32, u32)>,
    ) {
        ranked.clear();
        let scores = transitions.iter().enumerate().map(|(index, transition)| {
            (self.score(wish, transition.difference, transition.end, 1.0), index as u32)
        });
        ranked.extend(scores);
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if most < ranked.len() {
            ranked.select_nth_unstable_by(most, order);
            ranked.truncate(most);
        }
        ranked.sort_unstable_by(order);
    }
}
