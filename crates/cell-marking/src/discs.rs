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

    /// How near the plan's disc comes to those of the plans of `others`; what is farther off than `margin` metres is
    /// apart. Of places nearer than that, `meet` tells whether they count as overlapping.
    ///
    /// Whose plan overlaps is put first among `others`: it is likely to be in the way of the next plan too.
    pub fn nearness(
        &self,
        agent: u32,
        plan: &Plan,
        (margin, meet): (f32, impl Fn(Vec2, Vec2) -> bool),
        (others, plans): (&mut [u32], &[Plan]),
    ) -> Nearness {
        let (centre, reach) = bounds(plan);
        let touch = 2.0 * self.radius;
        let close = (touch + margin) * (touch + margin);
        let mut nearness = Nearness::Apart;
        for index in 0..others.len() {
            let other = others[index];
            if other == agent {
                continue;
            }
            let (other_centre, other_reach) = self.bounds[other as usize];
            let apart = reach + other_reach + touch + margin;
            if centre.distance_squared(other_centre) > apart * apart {
                continue;
            }
            let other = &plans[other as usize];
            let least = least_distance_squared(plan, other);
            if least > close {
                continue;
            }
            let meets = |(a, b): (&Vec2, &Vec2)| a.distance_squared(*b) <= close && meet(*a, *b);
            if least < touch * touch || side_by_side(plan, other).any(meets) {
                others.swap(0, index);
                return Nearness::Overlaps;
            }
            nearness = Nearness::Close;
        }
        nearness
    }

    /// Whether the plan's disc overlaps in no frame with those of the plans of `others`.
    pub fn is_free(&self, agent: u32, plan: &Plan, others: &mut [u32], plans: &[Plan]) -> bool {
        self.nearness(agent, plan, (0.0, |_, _| false), (others, plans)) != Nearness::Overlaps
    }

    /// Takes note of an agent's new plan.
    pub fn replace(&mut self, agent: u32, plan: &Plan) {
        self.bounds.resize(self.bounds.len().max(agent as usize + 1), (Vec2::ZERO, 0.0));
        self.bounds[agent as usize] = bounds(plan);
    }
}

/// How near two moving discs come to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// They stay apart by more than a margin.
    Apart,
    /// They come within the margin.
    Close,
    /// They overlap.
    Overlaps,
}

/// How many frames of another plan are over when a plan starts.
fn frames_behind(plan: &Plan, other: &Plan) -> usize {
    (plan.start_frame.saturating_sub(other.start_frame) as usize).min(PLAN_FRAMES)
}

/// The places of two plans in each frame from the start of the first on.
fn side_by_side<'a>(plan: &'a Plan, other: &'a Plan) -> impl Iterator<Item = (&'a Vec2, &'a Vec2)> {
    let rest = std::iter::repeat(&other.positions[PLAN_FRAMES]);
    plan.positions.iter().zip(other.positions[frames_behind(plan, other)..].iter().chain(rest))
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
