//! Promises kept apart as discs: the exact alternative to cells.

use super::plan::{PLAN_FRAMES, Plan};
use glam::Vec2;

/// A disc around every plan, so that most pairs need no look at their frames.
#[derive(Clone, Debug, Default)]
pub struct DiscTracks {
    radius: f32,
    bounds: Vec<(Vec2, f32)>,
}

impl DiscTracks {
    /// For agents with discs of `radius` metres.
    pub fn new(radius: f32) -> Self {
        Self { radius, bounds: Vec::new() }
    }

    /// Whether the plan's disc overlaps in no frame with those of the plans of `others`.
    pub fn is_free(&self, agent: u32, plan: &Plan, others: &[u32], plans: &[Plan]) -> bool {
        let (centre, reach) = bounds(plan);
        others.iter().filter(|&&other| other != agent).all(|&other| {
            let (other_centre, other_reach) = self.bounds[other as usize];
            let apart = reach + other_reach + 2.0 * self.radius;
            centre.distance_squared(other_centre) > apart * apart || self.apart(plan, &plans[other as usize])
        })
    }

    fn apart(&self, plan: &Plan, other: &Plan) -> bool {
        let least = 4.0 * self.radius * self.radius;
        let behind = (plan.start_frame.saturating_sub(other.start_frame) as usize).min(PLAN_FRAMES);
        // Both stand for ever after the last frame of the later plan.
        let both = plan.positions.iter().zip(&other.positions[behind..]);
        let rest = other.positions[PLAN_FRAMES];
        both.clone().all(|(a, b)| a.distance_squared(*b) >= least)
            && plan.positions[both.len()..].iter().all(|a| a.distance_squared(rest) >= least)
    }

    /// Takes note of an agent's new plan.
    pub fn replace(&mut self, agent: u32, plan: &Plan) {
        self.bounds.resize(self.bounds.len().max(agent as usize + 1), (Vec2::ZERO, 0.0));
        self.bounds[agent as usize] = bounds(plan);
    }
}

/// Centre and radius of a disc that holds all positions of a plan.
fn bounds(plan: &Plan) -> (Vec2, f32) {
    let (low, high) = plan
        .positions
        .iter()
        .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let centre = (low + high) * 0.5;
    (centre, centre.distance(high))
}
