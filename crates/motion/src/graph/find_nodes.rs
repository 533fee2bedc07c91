//! Finding the poses that most clips pass near.

use super::cut::{CutRule, MeasuredNode, minima, plan_cuts};
use super::cutting_places::CuttingPlaces;
use super::distance::PoseClouds;
use super::state::BodyState;
use crate::Clip;
use rayon::prelude::*;

/// A frame whose state becomes a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFrame {
    /// The clip.
    pub clip: usize,
    /// The frame in it.
    pub frame: usize,
    /// Whether the body is at rest there.
    pub rest: bool,
    /// A name given by the user.
    pub name: Option<String>,
}

/// Ground speed in metres a second under which a pose can be held for ever.
const REST_SPEED: f32 = 0.12;

/// Mean joint speed in radians a second under which a pose can be held for ever.
const REST_JOINT_SPEED: f32 = 0.35;

/// More candidates than this are thinned out: neighbouring frames hardly differ.
const MAX_CANDIDATES: usize = 4000;

/// More candidate bridges than this are thinned out: each costs a whole plan.
const MAX_BRIDGES: usize = 800;

/// Whether a body in this state is standing still but for a tremble.
pub fn is_rest(state: &BodyState) -> bool {
    state.velocity.ground.length() < REST_SPEED && state.mean_joint_speed() < REST_JOINT_SPEED
}

/// Chooses nodes one by one, each time the pose that lets most seconds of motion be kept.
///
/// First by what each pose covers: a clip is kept from its first to its last pass through any node, and a pose counts
/// only where clips both arrive and depart. Then, while parts of the graph do not reach each other, by what a whole
/// plan with one more pose keeps.
pub fn find_nodes(
    clips: &[Clip],
    clouds: &PoseClouds,
    named: Vec<NodeFrame>,
    (places, rule): (&CuttingPlaces, CutRule),
    most_nodes: usize,
) -> Vec<MeasuredNode> {
    let steps = places.steps();
    let stride = steps.len().div_ceil(MAX_CANDIDATES).max(1);
    let candidates: Vec<Candidate> = steps
        .par_iter()
        .step_by(stride)
        .map(|&index| Candidate { index, spans: spans(clips, clouds, index, rule.threshold) })
        .collect();

    let mut nodes: Vec<MeasuredNode> =
        named.into_iter().map(|node| MeasuredNode::new(clouds, node)).collect();
    let mut cover = Cover { kept: vec![None; clips.len()], least: rule.least_frames as u32 };
    for node in &nodes {
        cover.add(&spans(clips, clouds, clouds.index(node.node.clip, node.node.frame), rule.threshold));
    }
    if !nodes.iter().any(|node| node.node.rest)
        && let Some(rest) = best_rest(clips, clouds, &candidates, rule)
    {
        cover.add(&rest.spans);
        nodes.push(node_at(clips, clouds, rest.index));
    }
    let least_gain = (clouds.len() / 400).max(1) as u32;
    while nodes.len() < most_nodes {
        let gains = candidates.par_iter().map(|candidate| {
            // Twins of a node would share its passes and connect nothing.
            let new = nodes.iter().all(|node| node.distances[candidate.index] > 0.75 * rule.threshold);
            if new { cover.gain(&candidate.spans) } else { 0 }
        });
        let gains: Vec<u32> = gains.collect();
        let Some(best) = (0..gains.len()).rev().max_by_key(|&index| gains[index]) else { break };
        if gains[best] < least_gain {
            break;
        }
        cover.add(&candidates[best].spans);
        nodes.push(node_at(clips, clouds, candidates[best].index));
    }
    add_bridges(clips, clouds, &mut nodes, (places, rule), most_nodes);
    nodes
}

/// Adds poses that connect parts of the graph, as long as each keeps a good deal more motion.
fn add_bridges(
    clips: &[Clip],
    clouds: &PoseClouds,
    nodes: &mut Vec<MeasuredNode>,
    (places, rule): (&CuttingPlaces, CutRule),
    most_nodes: usize,
) {
    let steps = places.steps();
    let stride = steps.len().div_ceil(MAX_BRIDGES).max(1);
    let worth_of = |nodes: &[MeasuredNode], more: Option<&MeasuredNode>| {
        let all: Vec<&MeasuredNode> = nodes.iter().chain(more).collect();
        let plan = plan_cuts(clouds, &all, places, rule);
        // A way there is worth something even before the way back is found.
        plan.kept_frames + plan.one_way_frames / 4
    };
    let mut worth = worth_of(nodes, None);
    while nodes.len() < most_nodes {
        let best = steps
            .par_iter()
            .step_by(stride)
            .map(|&index| {
                let node = node_at(clips, clouds, index);
                (worth_of(nodes, Some(&node)), std::cmp::Reverse(index))
            })
            .max();
        let Some((more, std::cmp::Reverse(index))) = best else { break };
        if more < worth + (clouds.len() / 100).max(1) {
            break;
        }
        worth = more;
        nodes.push(node_at(clips, clouds, index));
    }
}

fn node_at(clips: &[Clip], clouds: &PoseClouds, index: usize) -> MeasuredNode {
    let (clip, frame) = clouds.locate(index);
    let rest = is_rest(&BodyState::of_clip(&clips[clip], frame));
    MeasuredNode::new(clouds, NodeFrame { clip, frame, rest, name: None })
}

/// First and last pass of a clip: `(clip, first, last)`.
type Span = (u32, u32, u32);

/// What a candidate pose would cover.
struct Candidate {
    index: usize,
    spans: Vec<Span>,
}

fn spans(clips: &[Clip], clouds: &PoseClouds, node: usize, threshold: f32) -> Vec<Span> {
    (0..clips.len())
        .filter_map(|clip| {
            let distances: Vec<f32> =
                clouds.clip_range(clip).map(|index| clouds.distance(index, node)).collect();
            let mut passes = minima(&distances, threshold);
            let first = passes.next()?;
            Some((clip as u32, first as u32, passes.next_back().unwrap_or(first) as u32))
        })
        .collect()
}

/// The standing pose that most clips both come to and go from.
fn best_rest<'a>(
    clips: &[Clip],
    clouds: &PoseClouds,
    candidates: &'a [Candidate],
    rule: CutRule,
) -> Option<&'a Candidate> {
    let least = rule.least_frames as u32;
    let connections = |candidate: &Candidate| {
        let arrivals = candidate.spans.iter().filter(|span| span.2 >= least).count();
        let leaves = |span: &&Span| span.1 + least < clips[span.0 as usize].frames() as u32;
        let departures = candidate.spans.iter().filter(leaves).count();
        (arrivals.min(departures), candidate.spans.len())
    };
    candidates
        .iter()
        .filter(|candidate| {
            let (clip, frame) = clouds.locate(candidate.index);
            is_rest(&BodyState::of_clip(&clips[clip], frame))
        })
        .rev()
        .max_by_key(|candidate| connections(candidate))
}

/// The stretch of each clip that the nodes chosen so far keep.
struct Cover {
    kept: Vec<Option<(u32, u32)>>,
    least: u32,
}

impl Cover {
    fn add(&mut self, spans: &[Span]) {
        for &(clip, first, last) in spans {
            let kept = &mut self.kept[clip as usize];
            *kept = Some(kept.map_or((first, last), |(from, to)| (from.min(first), to.max(last))));
        }
    }

    /// Frames that would be kept in addition.
    fn gain(&self, spans: &[Span]) -> u32 {
        let (mut gain, mut arrives, mut departs) = (0, false, false);
        for &(clip, first, last) in spans {
            let cycles = last >= first + self.least;
            match self.kept[clip as usize] {
                None => gain += last - first,
                Some((from, to)) => {
                    gain += from.saturating_sub(first) + last.saturating_sub(to);
                    arrives |= last >= from + self.least;
                    departs |= to >= first + self.least;
                }
            }
            arrives |= cycles;
            departs |= cycles;
        }
        if arrives && departs { gain } else { 0 }
    }
}
