//! Several graphs side by side in one: who starts in one of them stays in it.

use super::{Action, MotionGraph, NodeId};
use crate::Clip;
use thiserror::Error;

/// Why a graph cannot be put beside another.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BesideError {
    /// The clips are of another body.
    #[error("its body is another one")]
    OtherBody,
    /// Numbers of nodes and actions have 16 bits.
    #[error("together they have {0} actions, and at most {max} can be told apart", max = u16::MAX)]
    TooMany(usize),
}

impl MotionGraph {
    /// This graph and, apart from it, `other` on the same skeleton; the clips of `other` are called `name: clip`.
    pub fn beside(&self, name: &str, other: &Self) -> Result<Self, BesideError> {
        if self.skeleton != other.skeleton {
            return Err(BesideError::OtherBody);
        }
        let count = self.actions.len() + other.actions.len();
        let first = self.nodes.len();
        if count > usize::from(u16::MAX) || first + other.nodes.len() > usize::from(u16::MAX) {
            return Err(BesideError::TooMany(count));
        }
        let moved = |node: NodeId| NodeId(node.0 + first as u16);
        let theirs = other.actions.iter().map(|Action { from, to, clip }| Action {
            from: moved(*from),
            to: moved(*to),
            clip: Clip { name: format!("{name}: {}", clip.name), ..clip.clone() },
        });
        let actions = self.actions.iter().cloned().chain(theirs).collect();
        let nodes = self.nodes.iter().chain(&other.nodes).cloned().collect();
        Ok(Self::assemble(self.skeleton.clone(), nodes, actions))
    }

    /// For each node the number of its island: nodes that no action leads between are on different ones. Islands are
    /// numbered in the order of their first nodes.
    pub fn islands(&self) -> Vec<u16> {
        // Every node points to one of its island that comes before it, the first to itself.
        let mut before: Vec<usize> = (0..self.nodes.len()).collect();
        for action in &self.actions {
            let [a, b] = [action.from, action.to].map(|node| first_of(&before, node.index()));
            before[a.max(b)] = a.min(b);
        }
        let mut islands = Vec::with_capacity(before.len());
        let mut count = 0;
        for node in 0..before.len() {
            let first = first_of(&before, node);
            let island = islands.get(first).copied().unwrap_or(count);
            count += u16::from(first == node);
            islands.push(island);
        }
        islands
    }
}

fn first_of(before: &[usize], mut node: usize) -> usize {
    while before[node] != node {
        node = before[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::graph::{BuildOptions, build_graph};

    #[test]
    fn graphs_side_by_side_stay_apart() {
        let one = build_graph(&builtin::library(), &BuildOptions::default()).unwrap().0;
        let two = one.beside("mine", &one).unwrap();
        let count = one.nodes().len();
        let islands = two.islands();
        assert_eq!(one.islands(), vec![0; count]);
        assert!(islands[..count].iter().all(|&island| island == 0));
        assert!(islands[count..].iter().all(|&island| island == 1));
        for action in two.actions() {
            assert_eq!(islands[action.from.index()], islands[action.to.index()]);
            assert_eq!(action.clip.name.starts_with("mine: "), islands[action.from.index()] == 1);
        }
        // Each goes to rest as it did alone.
        for node in 0..count as u16 {
            let [here, there] = [NodeId(node), NodeId(node + count as u16)].map(|node| two.toward_rest(node));
            let name = |action: Option<_>| action.map(|action| two.action(action).clip.name.clone());
            assert_eq!(name(here).map(|name| format!("mine: {name}")), name(there));
        }
    }
}
