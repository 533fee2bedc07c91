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

    /// Centre and radius in metres of a disc that holds all places of an agent's plan.
    pub fn bounds(&self, agent: u32) -> (Vec2, f32) {
        self.bounds[agent as usize]
    }

    /// Whether the plan's disc overlaps in no frame with those of the plans of `others`.
    ///
    /// Whose plan overlaps is put first among `others`: it is likely to be in the way of the next plan too.
    pub fn is_free(&self, agent: u32, plan: &Plan, others: &mut [u32], plans: &[Plan]) -> bool {
        let touch = 2.0 * self.radius;
        let overlaps = |other: &u32| {
            *other != agent && least_distance_squared(plan, &plans[*other as usize]) < touch * touch
        };
        let found = self.near(agent, plan, 0.0, others).find(|&index| overlaps(&others[index]));
        let Some(index) = found else { return true };
        others.swap(0, index);
        false
    }

    /// Whether somebody of `others` could be nearer to the plan than `margin` metres, by the discs around all of their ways.
    pub fn is_anybody_near(&self, agent: u32, plan: &Plan, margin: f32, others: &[u32]) -> bool {
        self.near(agent, plan, margin, others).next().is_some()
    }

    /// The places among `others` of those who could be nearer to the plan than `margin` metres.
    fn near<'a>(
        &'a self,
        agent: u32,
        plan: &Plan,
        margin: f32,
        others: &'a [u32],
    ) -> impl Iterator<Item = usize> + 'a {
        let (centre, reach) = bounds(plan);
        let gap = reach + 2.0 * self.radius + margin;
        (0..others.len()).filter(move |&index| {
            let (other_centre, other_reach) = self.bounds[others[index] as usize];
            let apart = gap + other_reach;
            others[index] != agent && centre.distance_squared(other_centre) <= apart * apart
        })
    }

    /// Takes note of an agent's new plan.
    pub fn replace(&mut self, agent: u32, plan: &Plan) {
        self.bounds.resize(self.bounds.len().max(agent as usize + 1), (Vec2::ZERO, 0.0));
        self.bounds[agent as usize] = bounds(plan);
    }
}

/// How many frames of another plan are over when a plan starts.
fn frames_behind(plan: &Plan, other: &Plan) -> usize {
    (plan.start_frame.saturating_sub(other.start_frame) as usize).min(PLAN_FRAMES)
}

/// The square of the least distance of two plans in any frame from the start of the first on.
fn least_distance_squared(plan: &Plan, other: &Plan) -> f32 {
    let behind = frames_behind(plan, other);
    // Without a branch in between, so that several frames are looked at at once.
    let least = |least: f32, distance: f32| if distance < least { distance } else { least };
    let both = plan.positions.iter().zip(&other.positions[behind..]);
    let moving = both.map(|(a, b)| a.distance_squared(*b)).fold(f32::INFINITY, least);
    // Both stand for ever after the last frame of the later plan.
    let rest = other.positions[PLAN_FRAMES];
    plan.positions[PLAN_FRAMES + 1 - behind..].iter().map(|a| a.distance_squared(rest)).fold(moving, least)
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
