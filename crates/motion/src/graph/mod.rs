//! Motion graphs: few nodes (common poses), many actions (clips) that start and end in them exactly.
//!
//! The structured graph of Snap-Together Motion (Gleicher, Shin, Kovar, Jepsen 2003): a walk through the graph plays
//! clip after clip, each placed where the one before it ended, and no join shows.

mod annotation;
mod build;
mod cut;
mod cutting_places;
mod distance;
mod fill;
mod find_nodes;
mod islands;
mod posture;
mod prune;
mod snap;
mod state;

pub use annotation::{AnnotationError, Annotations, labels_from_motion};
pub use build::{BuildError, BuildOptions, BuildReport, GivenUp, NamedNode, build_graph};
pub use distance::PoseClouds;
pub use fill::FillError;
pub use islands::BesideError;
pub(crate) use snap::{snap, snap_captured};
pub(crate) use state::rotation_between;
pub use state::{BodyState, BodyVelocity};

use crate::container::{self, ContainerError, Kind};
use crate::{Clip, Library, Placement, Skeleton};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Index of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u16);

/// Index of an action in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ActionId(pub u16);

impl NodeId {
    /// The node's place in [`MotionGraph::nodes`].
    pub fn index(self) -> usize {
        self.0.into()
    }
}

impl ActionId {
    /// The action's place in [`MotionGraph::actions`].
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// A common pose: every action that ends here can be followed by every action that starts here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The node's name.
    pub name: String,
    /// Pose and velocity that all clips have here.
    pub state: BodyState,
    /// Whether a body can stay here for ever: its velocity is zero.
    pub rest: bool,
}

/// A clip between two nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The node whose state the clip's first frame has.
    pub from: NodeId,
    /// The node whose state the clip's last frame has.
    pub to: NodeId,
    /// The motion.
    pub clip: Clip,
}

/// Nodes and actions on one skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionGraph {
    skeleton: Skeleton,
    nodes: Vec<Node>,
    /// Ordered by the node they leave.
    actions: Vec<Action>,
    /// Actions `outgoing[n] .. outgoing[n + 1]` leave node `n`.
    outgoing: Vec<u16>,
    /// For each node the first action of its shortest way to rest; `None` at rest.
    toward_rest: Vec<Option<ActionId>>,
}

impl MotionGraph {
    /// Orders the actions and finds each node's way to rest; actions must name existing nodes.
    fn assemble(skeleton: Skeleton, nodes: Vec<Node>, mut actions: Vec<Action>) -> Self {
        actions.sort_by(|a, b| (a.from, &a.clip.name).cmp(&(b.from, &b.clip.name)));
        let first = |node: usize| actions.partition_point(|action| action.from.index() < node) as u16;
        let outgoing = (0..=nodes.len()).map(first).collect();
        let toward_rest = prune::toward_rest(&nodes, &actions);
        Self { skeleton, nodes, actions, outgoing, toward_rest }
    }

    /// The skeleton of every clip.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All actions, ordered by the node they leave.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// One action.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    /// The actions that leave a node.
    pub fn outgoing(&self, node: NodeId) -> impl ExactSizeIterator<Item = ActionId> + Clone + use<> {
        (self.outgoing[node.index()]..self.outgoing[node.index() + 1]).map(ActionId)
    }

    /// The node called `name`.
    pub fn find_node(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.name == name).map(|index| NodeId(index as u16))
    }

    /// The action whose clip is called `name`.
    pub fn find_action(&self, name: &str) -> Option<ActionId> {
        self.actions.iter().position(|action| action.clip.name == name).map(|index| ActionId(index as u16))
    }

    /// The first action of the shortest way (in seconds) from a node to rest; `None` where the node is at rest.
    pub fn toward_rest(&self, node: NodeId) -> Option<ActionId> {
        self.toward_rest[node.index()]
    }

    /// The node with the most actions that carry `label`, leaving it or arriving in it.
    pub fn main_node(&self, label: &str) -> Option<NodeId> {
        let mut counts = vec![0u32; self.nodes.len()];
        for action in self.actions.iter().filter(|action| action.clip.has_label(label)) {
            counts[action.from.index()] += 1;
            counts[action.to.index()] += 1;
        }
        let best = (0..counts.len()).rev().max_by_key(|&node| counts[node])?;
        (counts[best] > 0).then_some(NodeId(best as u16))
    }

    /// Seconds of motion in the graph.
    pub fn seconds(&self) -> f32 {
        self.actions.iter().map(|action| action.clip.seconds()).sum()
    }

    /// The clips of the graph as a library.
    pub fn to_library(&self) -> Library {
        let clips = self.actions.iter().map(|action| action.clip.clone()).collect();
        Library { skeleton: self.skeleton.clone(), clips }
    }

    /// The placements at which the clips of a walk through the graph start, and where the walk ends.
    pub fn place(&self, walk: &[ActionId], start: Placement) -> Vec<Placement> {
        let mut placements = vec![start];
        let mut at = start;
        for &action in walk {
            at = at.then(self.action(action).clip.displacement());
            placements.push(at);
        }
        placements
    }

    /// Writes the graph in its binary form.
    pub fn save(&self, path: &Path) -> Result<(), ContainerError> {
        container::save(path, Kind::Graph, self)
    }

    /// Reads a graph that [`Self::save`] wrote.
    pub fn load(path: &Path) -> Result<Self, ContainerError> {
        let graph: Self = container::load(path, Kind::Graph)?;
        let refuse = |problem: &str| Err(ContainerError { file: path.to_owned(), problem: problem.into() });
        // The checksum guards against accidents only: never index by what a file claims.
        let consistent = graph.outgoing.len() == graph.nodes.len() + 1
            && graph.toward_rest.len() == graph.nodes.len()
            && graph.outgoing.is_sorted()
            && graph.outgoing.last().is_some_and(|&last| usize::from(last) == graph.actions.len())
            && graph.toward_rest.iter().flatten().all(|action| action.index() < graph.actions.len())
            && graph.actions.iter().all(|action| {
                action.from.index() < graph.nodes.len()
                    && action.to.index() < graph.nodes.len()
                    && action.clip.is_consistent(graph.skeleton.len())
            });
        if consistent { Ok(graph) } else { refuse("is not a consistent graph; make it again") }
    }
}
