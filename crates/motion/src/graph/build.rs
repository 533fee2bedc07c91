//! Building a motion graph from a clip library.

use super::annotation::labels_from_motion;
use super::cut::{CutRule, MeasuredNode, Pass, plan_cuts};
use super::cutting_places::CuttingPlaces;
use super::distance::PoseClouds;
use super::find_nodes::{NodeFrame, find_nodes, is_rest};
use super::prune::{restless, surviving};
use super::snap::snap;
use super::{Action, Annotations, BodyState, MotionGraph, Node, NodeId};
use crate::{Clip, Ends, FRAME_RATE, Library};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// A node that the user names: the pose of a clip at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNode {
    /// The node's name.
    pub name: String,
    /// The clip.
    pub clip: String,
    /// Seconds from the clip's beginning.
    pub seconds: f32,
}

/// How to build a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildOptions {
    /// The largest distance in metres (root mean square over body points) between a clip and a node it snaps to.
    pub threshold: f32,
    /// The distance in metres that is still accepted where it connects motion that would be lost otherwise.
    pub bridge_threshold: f32,
    /// The shortest action in seconds.
    pub least_seconds: f32,
    /// The longest action in seconds; what passes no node for longer is not kept, unless nothing comes to rest without it.
    pub most_seconds: f32,
    /// The most nodes.
    pub most_nodes: usize,
    /// Nodes given by the user, besides those that are found.
    pub named: Vec<NamedNode>,
    /// Whether only the named nodes are used.
    pub only_named: bool,
    /// Whether every clip is also used mirrored.
    pub mirror: bool,
    /// Labels for the clips.
    pub annotations: Annotations,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            threshold: 0.075,
            bridge_threshold: 0.12,
            least_seconds: 0.6,
            most_seconds: f32::INFINITY,
            most_nodes: 24,
            named: Vec::new(),
            only_named: false,
            mirror: false,
            annotations: Annotations::default(),
        }
    }
}

/// What building a graph kept and dropped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildReport {
    /// Seconds of motion in the library (and its mirror image, if asked for).
    pub seconds_in: f32,
    /// Seconds of motion in the graph.
    pub seconds_kept: f32,
    /// Clips of which nothing was kept.
    pub dropped_clips: Vec<String>,
    /// Nodes found but pruned because they could not be left, reached, or brought to rest.
    pub pruned_nodes: usize,
    /// Nodes without a way to rest (only where the library holds no standing pose at all).
    pub restless_nodes: Vec<String>,
    /// What was given up of what was asked for, so that every node has a way to rest.
    pub given_up_for_rest: Option<GivenUp>,
    /// The largest and the mean distance in metres between a clip and a node it was snapped to.
    pub largest_snap: f32,
    /// See `largest_snap`.
    pub mean_snap: f32,
}

/// What building gives up where nobody would come to rest otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GivenUp {
    /// Whether clips were not mirrored though they should have been.
    pub mirror: bool,
    /// The longest action in seconds that was allowed instead of what was asked for.
    pub most_seconds: Option<f32>,
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.seconds_kept / self.seconds_in.max(1e-6);
        writeln!(f, "kept {:.1} s of {:.1} s ({share:.0} %)", self.seconds_kept, self.seconds_in)?;
        writeln!(f, "snapped by {:.3} m on average, {:.3} m at most", self.mean_snap, self.largest_snap)?;
        if self.pruned_nodes > 0 {
            writeln!(
                f,
                "pruned {} node(s) that could not be left, reached or brought to rest",
                self.pruned_nodes
            )?;
        }
        if !self.dropped_clips.is_empty() {
            writeln!(f, "nothing kept of: {}", self.dropped_clips.join(", "))?;
        }
        if !self.restless_nodes.is_empty() {
            writeln!(
                f,
                "no way to rest from: {}\n  (people could not stop there: add captures in which somebody comes to stand, \
                 or take stops from the built-in motions by `fill = true` in a scene's [motion])",
                self.restless_nodes.join(", ")
            )?;
        }
        if let Some(GivenUp { mirror, most_seconds }) = self.given_up_for_rest {
            let mirrored = if mirror { "clips were not mirrored" } else { "" };
            let length = most_seconds.map_or_else(String::new, |seconds| match seconds.is_finite() {
                true => format!("actions of up to {seconds:.1} s were kept"),
                false => "actions of any length were kept".to_owned(),
            });
            let and = if mirror && most_seconds.is_some() { ", and " } else { "" };
            writeln!(f, "{mirrored}{and}{length}: otherwise nobody would come to rest")?;
        }
        Ok(())
    }
}

/// Why no graph could be built.
#[derive(Debug, Error, PartialEq)]
pub enum BuildError {
    /// A named node's clip is not there.
    #[error("node `{node}`: there is no clip `{clip}`")]
    UnknownClip {
        /// The node.
        node: String,
        /// The missing clip.
        clip: String,
    },
    /// A named node's time is outside its clip.
    #[error("node `{node}`: clip `{clip}` lasts {seconds:.2} s, so there is no pose at {asked:.2} s")]
    OutsideClip {
        /// The node.
        node: String,
        /// The clip.
        clip: String,
        /// How long the clip is, in seconds.
        seconds: f32,
        /// The time asked for, in seconds.
        asked: f32,
    },
    /// No node can be reached and left.
    #[error(
        "the clips share no pose that can be both reached and left within {threshold} m; \
         give more clips, a larger threshold, or name a node"
    )]
    NothingConnects {
        /// The threshold in metres.
        threshold: f32,
    },
    /// More nodes or actions than an index can name.
    #[error("the graph would have {0} actions; at most 65535 are supported")]
    TooLarge(usize),
}

/// Builds the motion graph of a library.
///
/// Clips that know their ends are joined by the names of their nodes; all others are cut where they pass common
/// poses. Both kinds may be mixed.
pub fn build_graph(
    library: &Library,
    options: &BuildOptions,
) -> Result<(MotionGraph, BuildReport), BuildError> {
    let built = build_within(library, options);
    let is_restful = |built: &Result<(MotionGraph, BuildReport), BuildError>| {
        built.as_ref().is_ok_and(|(_, report)| report.restless_nodes.is_empty())
    };
    if is_restful(&built) {
        return built;
    }
    let longer = [2.0 * options.most_seconds, 4.0 * options.most_seconds, f32::INFINITY].map(Some);
    let longer = if options.most_seconds < f32::INFINITY { &longer[..] } else { &[] };
    let mirrored = longer.iter().map(|&most_seconds| GivenUp { mirror: false, most_seconds });
    let plain = std::iter::once(&None).chain(longer);
    let plain = plain.filter(|_| options.mirror).map(|&most_seconds| GivenUp { mirror: true, most_seconds });
    for given_up in mirrored.chain(plain) {
        let other = BuildOptions {
            mirror: options.mirror && !given_up.mirror,
            most_seconds: given_up.most_seconds.unwrap_or(options.most_seconds),
            ..options.clone()
        };
        let mut other = build_within(library, &other);
        if is_restful(&other) {
            if let Ok((_, report)) = &mut other {
                report.given_up_for_rest = Some(given_up);
            }
            return other;
        }
    }
    built
}

/// A graph without actions that last longer than asked for.
fn build_within(library: &Library, options: &BuildOptions) -> Result<(MotionGraph, BuildReport), BuildError> {
    let (mut ready, mut raw): (Vec<Clip>, Vec<Clip>) =
        library.clips.iter().cloned().partition(|clip| clip.ends.is_some());
    if options.mirror {
        let mirrored: Vec<Clip> = raw.iter().map(|clip| clip.mirrored(&library.skeleton)).collect();
        raw.extend(mirrored);
    }
    raw.retain(|clip| clip.frames() >= 3);
    ready.retain(|clip| clip.frames() >= 3);
    let seconds_in = ready.iter().chain(&raw).map(Clip::seconds).sum();

    let mut draft = Draft::default();
    draft.join_by_name(library, &ready, None);
    if !raw.is_empty() {
        draft.cut_at_common_poses(library, &raw, options)?;
    }
    let (nodes, actions) = draft.finish(options)?;
    let graph = MotionGraph::assemble(library.skeleton.clone(), nodes, actions);
    let kept = |clip: &&Clip| !draft.sources.contains(&clip.name);
    let restless = restless(&graph.nodes, &graph.toward_rest);
    let report = BuildReport {
        seconds_in,
        seconds_kept: graph.seconds(),
        dropped_clips: ready.iter().chain(&raw).filter(kept).map(|clip| clip.name.clone()).collect(),
        pruned_nodes: draft.pruned,
        restless_nodes: restless.into_iter().map(|node| graph.node(node).name.clone()).collect(),
        given_up_for_rest: None,
        largest_snap: draft.snaps.iter().copied().fold(0.0, f32::max),
        mean_snap: draft.snaps.iter().fold(0.0, |a, b| a + b) / draft.snaps.len().max(1) as f32,
    };
    Ok((graph, report))
}

/// Joins clips that know their ends by the names of their nodes; at rest are those nodes that are said to be.
pub(super) fn join_clips(library: &Library, resting: &BTreeSet<String>) -> Result<MotionGraph, BuildError> {
    let mut draft = Draft::default();
    draft.join_by_name(library, &library.clips, Some(resting));
    let (nodes, actions) = draft.finish(&BuildOptions::default())?;
    Ok(MotionGraph::assemble(library.skeleton.clone(), nodes, actions))
}

/// A graph while it grows.
#[derive(Default)]
struct Draft {
    nodes: Vec<Node>,
    actions: Vec<(usize, usize, Clip)>,
    /// Clips that gave at least one action.
    sources: BTreeSet<String>,
    snaps: Vec<f32>,
    pruned: usize,
}

impl Draft {
    /// Joins clips that were made to fit: nodes by name, their state from the first clip that has them; at rest are those
    /// that are said to be, or else look so.
    fn join_by_name(&mut self, library: &Library, clips: &[Clip], resting: Option<&BTreeSet<String>>) {
        let find = |nodes: &mut Vec<Node>, name: &str, state: BodyState| -> usize {
            if let Some(index) = nodes.iter().position(|node| node.name == name) {
                return index;
            }
            let rest = resting.map_or_else(|| is_rest(&state), |resting| resting.contains(name));
            let state = if rest { state.at_rest() } else { state };
            nodes.push(Node { name: name.to_owned(), state, rest });
            nodes.len() - 1
        };
        for clip in clips {
            let Some(Ends { from, to }) = &clip.ends else { continue };
            let (begins, ends) = (BodyState::of_clip(clip, 0), BodyState::of_clip(clip, clip.frames() - 1));
            let from = find(&mut self.nodes, from, begins.clone());
            let to = find(&mut self.nodes, to, ends.clone());
            let mut clip = clip.clone();
            let (start, end) = (&self.nodes[from].state, &self.nodes[to].state);
            // What fits already is left as it is.
            const FITS: f32 = 1e-6;
            let fits = |has: &BodyState, wanted: &BodyState| {
                has.pose_difference(wanted) <= FITS
                    && (resting.is_none() || has.velocity_difference(wanted) <= FITS)
            };
            if !(fits(&begins, start) && fits(&ends, end)) {
                snap(&library.skeleton, &mut clip, (&begins, start), (&ends, end));
            }
            self.sources.insert(clip.name.clone());
            self.actions.push((from, to, clip));
        }
    }

    fn cut_at_common_poses(
        &mut self,
        library: &Library,
        clips: &[Clip],
        options: &BuildOptions,
    ) -> Result<(), BuildError> {
        let clouds = PoseClouds::new(&library.skeleton, clips);
        let rule = CutRule {
            threshold: options.threshold,
            bridge: options.bridge_threshold.max(options.threshold),
            least_frames: ((options.least_seconds * FRAME_RATE).round() as usize).max(3),
            most_frames: (options.most_seconds.max(options.least_seconds) * FRAME_RATE).round() as usize,
        };
        let places = CuttingPlaces::new(clips, &clouds);
        let named = named_frames(clips, options)?;
        let nodes = if options.only_named {
            named.into_iter().map(|node| MeasuredNode::new(&clouds, node)).collect()
        } else {
            find_nodes(clips, &clouds, named, (&places, rule), options.most_nodes)
        };
        let measured: Vec<&MeasuredNode> = nodes.iter().collect();
        let plan = plan_cuts(&clouds, &measured, &places, rule);
        if plan.kept_frames == 0 {
            return Err(BuildError::NothingConnects { threshold: options.threshold });
        }
        let first_node = self.nodes.len();
        // Places of the nodes that are of use, after those that were there before.
        let mut places = vec![usize::MAX; nodes.len()];
        for (index, MeasuredNode { node, .. }) in
            nodes.iter().enumerate().filter(|(index, _)| plan.survives[*index])
        {
            let state = BodyState::of_clip(&clips[node.clip], node.frame);
            let state = if node.rest { state.at_rest() } else { state };
            let name = node.name.clone().unwrap_or_else(|| self.free_name(&state, node.rest));
            places[index] = self.nodes.len();
            self.nodes.push(Node { name, state, rest: node.rest });
        }
        self.pruned += nodes.len() - (self.nodes.len() - first_node);
        let cuts = &plan.cuts;
        let pieces: Vec<(usize, Pass, Pass)> = cuts
            .iter()
            .enumerate()
            .flat_map(|(clip, cuts)| cuts.windows(2).map(move |pair| (clip, pair[0], pair[1])))
            .collect();
        self.snaps.extend(cuts.iter().flatten().map(|cut| cut.distance));
        let actions: Vec<(usize, usize, Clip)> = pieces
            .par_iter()
            .map(|&(index, start, end)| {
                let source = &clips[index];
                let mut piece = source.piece(start.frame, end.frame);
                let labels = options.annotations.labels(&source.name, start.frame, end.frame);
                piece.labels =
                    if labels.is_empty() { labels_from_motion(&library.skeleton, &piece) } else { labels };
                let seconds = |pass: Pass| pass.frame as f32 / FRAME_RATE;
                piece.name = format!("{}@{:.2}-{:.2}", source.name, seconds(start), seconds(end));
                let (from, to) = (places[start.node], places[end.node]);
                let (begins, ends) =
                    (BodyState::of_clip(source, start.frame), BodyState::of_clip(source, end.frame));
                let (at_start, at_end) = (&self.nodes[from].state, &self.nodes[to].state);
                snap(&library.skeleton, &mut piece, (&begins, at_start), (&ends, at_end));
                piece.ends =
                    Some(Ends { from: self.nodes[from].name.clone(), to: self.nodes[to].name.clone() });
                (from, to, piece)
            })
            .collect();
        self.sources.extend(pieces.iter().map(|piece| clips[piece.0].name.clone()));
        self.actions.extend(actions);
        Ok(())
    }

    /// A name that tells how fast a body is at a node: `stand`, `walk`, `walk-2`, `run` …
    fn free_name(&self, state: &BodyState, rest: bool) -> String {
        let stem = match state.velocity.ground.length() {
            _ if rest => "stand",
            speed if speed < 0.5 => "step",
            speed if speed < 2.1 => "walk",
            _ => "run",
        };
        let taken = |name: &str| self.nodes.iter().any(|node| node.name == name);
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        std::iter::once(stem.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Drops what cannot be left, reached or brought to rest, and numbers the rest.
    fn finish(&mut self, options: &BuildOptions) -> Result<(Vec<Node>, Vec<Action>), BuildError> {
        let rest: Vec<bool> = self.nodes.iter().map(|node| node.rest).collect();
        let links: Vec<(usize, usize, f32)> =
            self.actions.iter().map(|(from, to, clip)| (*from, *to, clip.seconds())).collect();
        let survives = surviving(&rest, &links);
        let count = survives.iter().filter(|&&survives| survives).count();
        if count == 0 {
            return Err(BuildError::NothingConnects { threshold: options.threshold });
        }
        self.pruned += self.nodes.len() - count;
        let numbers: Vec<usize> = survives
            .iter()
            .scan(0, |next, &survives| {
                let number = *next;
                *next += usize::from(survives);
                Some(number)
            })
            .collect();
        let nodes = self.nodes.iter().zip(&survives).filter(|(_, survives)| **survives);
        let nodes: Vec<Node> = nodes.map(|(node, _)| node.clone()).collect();
        let node_id = |index: usize| NodeId(numbers[index] as u16);
        let actions: Vec<Action> = std::mem::take(&mut self.actions)
            .into_iter()
            .filter(|(from, to, _)| survives[*from] && survives[*to])
            .map(|(from, to, clip)| Action { from: node_id(from), to: node_id(to), clip })
            .collect();
        if actions.len() > usize::from(u16::MAX) {
            return Err(BuildError::TooLarge(actions.len()));
        }
        Ok((nodes, actions))
    }
}

fn named_frames(clips: &[Clip], options: &BuildOptions) -> Result<Vec<NodeFrame>, BuildError> {
    options
        .named
        .iter()
        .map(|named| {
            let clip = clips.iter().position(|clip| clip.name == named.clip).ok_or_else(|| {
                BuildError::UnknownClip { node: named.name.clone(), clip: named.clip.clone() }
            })?;
            let frame = (named.seconds * FRAME_RATE).round();
            if !(0.0..clips[clip].frames() as f32).contains(&frame) {
                return Err(BuildError::OutsideClip {
                    node: named.name.clone(),
                    clip: named.clip.clone(),
                    seconds: clips[clip].seconds(),
                    asked: named.seconds,
                });
            }
            let frame = frame as usize;
            let rest = is_rest(&BodyState::of_clip(&clips[clip], frame));
            Ok(NodeFrame { clip, frame, rest, name: Some(named.name.clone()) })
        })
        .collect()
}
