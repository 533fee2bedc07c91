//! A captured graph on the built-in body, and what it lacks taken from another graph.
//!
//! Two graphs become one where people stand: both standing poses are made the same node, and every clip that begins or
//! ends there is displaced to it (Snap-Together Motion: Gleicher, Shin, Kovar, Jepsen 2003). So whoever has walked up
//! with captured clips can sit down with built-in ones.

use super::build::join_clips;
use super::{BuildError, MotionGraph, Node};
use crate::retarget::{JointMap, RetargetError, retarget};
use crate::{Clip, Ends, Library, Skeleton};
use rayon::prelude::*;
use std::collections::BTreeSet;
use thiserror::Error;

/// Why a graph could not be brought onto another body, or filled.
#[derive(Debug, Error, PartialEq)]
pub enum FillError {
    /// The skeletons have nothing in common.
    #[error("{0}")]
    Retarget(#[from] RetargetError),
    /// Nothing is left of the graph.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// Nobody ever stands.
    #[error("nobody stands still in the graph")]
    NoRest,
}

/// Labels of getting about, which a graph has or has not as a whole.
const GETTING_ABOUT: [&str; 6] = ["single", "walk", "stand", "turn", "start", "stop"];

impl MotionGraph {
    /// The same graph on another skeleton.
    pub fn onto(&self, skeleton: &Skeleton) -> Result<Self, FillError> {
        let clips = self.clips_onto(skeleton)?;
        let library = Library { skeleton: skeleton.clone(), clips };
        Ok(join_clips(&library, &self.resting())?)
    }

    /// The same graph on the skeleton of `other`, with all actions of `other` whose labels this graph lacks, and with
    /// its ways to stand about.
    pub fn filled_from(&self, other: &Self) -> Result<Self, FillError> {
        let own = self.onto(&other.skeleton)?;
        let home = other.nodes.iter().find(|node| node.rest).ok_or(FillError::NoRest)?;
        let difference = |node: &&Node| node.state.pose_difference(&home.state);
        let standing = own.nodes.iter().filter(|node| node.rest);
        let standing = standing.min_by(|a, b| difference(a).total_cmp(&difference(b)));
        let standing = &standing.ok_or(FillError::NoRest)?.name;

        let known = own.labels();
        let is_lacking = |clip: &Clip| {
            let stands =
                clip.ends.as_ref().is_some_and(|ends| ends.from == home.name && ends.to == home.name);
            let lacks = |label: &String| {
                !label.contains(':')
                    && !known.contains(label.as_str())
                    && !GETTING_ABOUT.contains(&label.as_str())
            };
            stands || clip.labels.iter().any(lacks)
        };
        // Clips of `other` come first: nodes have the state of the first clip that names them.
        let mut clips: Vec<Clip> =
            other.actions.iter().map(|action| named(other, action)).filter(is_lacking).collect();
        let taken: BTreeSet<String> = other.nodes.iter().map(|node| node.name.clone()).collect();
        let name = |node: &str| match node {
            node if node == standing => home.name.clone(),
            node if taken.contains(node) => format!("own {node}"),
            node => node.to_owned(),
        };
        clips.extend(own.actions.iter().map(|action| {
            let mut clip = named(&own, action);
            clip.ends = clip.ends.map(|Ends { from, to }| Ends { from: name(&from), to: name(&to) });
            clip
        }));
        let library = Library { skeleton: other.skeleton.clone(), clips };
        let own_rest = own.resting();
        let resting = own_rest.iter().map(|node| name(node)).chain(other.resting()).collect();
        Ok(join_clips(&library, &resting)?)
    }

    /// The names of the nodes where people are at rest.
    fn resting(&self) -> BTreeSet<String> {
        self.nodes.iter().filter(|node| node.rest).map(|node| node.name.clone()).collect()
    }

    /// The labels of all actions.
    pub fn labels(&self) -> BTreeSet<&str> {
        self.actions.iter().flat_map(|action| action.clip.labels.iter().map(String::as_str)).collect()
    }

    /// All clips with their ends, on another skeleton.
    fn clips_onto(&self, skeleton: &Skeleton) -> Result<Vec<Clip>, FillError> {
        if self.skeleton == *skeleton {
            return Ok(self.actions.iter().map(|action| named(self, action)).collect());
        }
        let map = JointMap::guess(&self.skeleton, skeleton);
        let moved = self
            .actions
            .par_iter()
            .map(|action| Ok(retarget(&self.skeleton, skeleton, &map, &named(self, action))?));
        moved.collect()
    }
}

/// The clip of an action with the names of its nodes.
fn named(graph: &MotionGraph, action: &super::Action) -> Clip {
    let name = |node| graph.node(node).name.clone();
    Clip { ends: Some(Ends { from: name(action.from), to: name(action.to) }), ..action.clip.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::graph::{BodyState, BuildOptions, build_graph};

    fn whole() -> MotionGraph {
        build_graph(&builtin::library(), &BuildOptions::default()).unwrap().0
    }

    /// A graph of its own that only walks: the built-in walks under other names, a little higher.
    fn walker(whole: &MotionGraph) -> MotionGraph {
        let plain = |clip: &&Clip| {
            let of_walking = |label: &String| GETTING_ABOUT.contains(&label.as_str());
            clip.labels.iter().all(of_walking)
        };
        let mut clips: Vec<Clip> = whole.actions.iter().map(|action| named(whole, action)).collect();
        clips = clips.iter().filter(plain).cloned().collect();
        for clip in &mut clips {
            clip.name = format!("captured {}", clip.name);
            clip.root_heights.iter_mut().for_each(|height| *height += 0.01);
        }
        let library = Library { skeleton: whole.skeleton.clone(), clips };
        join_clips(&library, &whole.resting()).unwrap()
    }

    #[test]
    fn what_is_missing_is_taken_and_every_clip_fits() {
        let whole = whole();
        let own = walker(&whole);
        assert!(!own.labels().contains("sit"));
        let filled = own.filled_from(&whole).unwrap();
        assert!(filled.labels().contains("sit") && filled.labels().contains("talk"));
        assert!(filled.find_node("sit").is_some());
        // Plain walks are its own.
        let is_plain_walk = |clip: &Clip| clip.labels == ["walk"];
        let walks: Vec<&Clip> =
            filled.actions().iter().map(|action| &action.clip).filter(|clip| is_plain_walk(clip)).collect();
        assert!(!walks.is_empty() && walks.iter().all(|clip| clip.name.starts_with("captured")));
        // Everything is joined: each node reaches the others.
        for action in filled.actions() {
            let last = action.clip.frames() - 1;
            for (frame, node) in [(0, action.from), (last, action.to)] {
                let jump = BodyState::of_clip(&action.clip, frame).pose_difference(&filled.node(node).state);
                assert!(jump < 1e-3, "{} jumps by {jump} rad", action.clip.name);
            }
        }
        let mut reached = BTreeSet::from([0]);
        let mut open = vec![super::super::NodeId(0)];
        while let Some(node) = open.pop() {
            for action in filled.outgoing(node) {
                let to = filled.action(action).to;
                if reached.insert(to.index()) {
                    open.push(to);
                }
            }
        }
        assert_eq!(reached.len(), filled.nodes().len());
    }

    #[test]
    fn a_graph_on_its_own_body_stays_as_it_is() {
        let own = walker(&whole());
        assert_eq!(own.onto(own.skeleton()).unwrap().actions().len(), own.actions().len());
    }
}
