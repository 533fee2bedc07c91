//! When people hold a box in their hands.

use super::recordable::Hands;
use crowdloom_motion::Clip;
use crowdloom_motion::graph::{ActionId, MotionGraph, NodeId};

/// In which clips and poses hands hold a box, as the labels of clips tell.
pub(super) struct Holding {
    /// Frames of each action from when to when, and whether it lifts the box off the ground then.
    actions: Vec<Option<(f32, f32, bool)>>,
    nodes: Vec<bool>,
}

/// In which part of a clip hands have closed about a box on the ground, and have opened again.
const CLOSED: f32 = 0.46;
const OPENED: f32 = 0.54;

impl Holding {
    pub(super) fn of(graph: &MotionGraph) -> Self {
        let held = |clip: &Clip| {
            let (has, last) = (|label| clip.has_label(label), clip.frames() as f32);
            match () {
                () if !has("carry") || has("let-go") || has("reach-out") => None,
                () if has("pick-up") => Some((CLOSED * last, last, true)),
                () if has("put-down") => Some((0.0, OPENED * last, false)),
                () => Some((0.0, last, false)),
            }
        };
        let actions: Vec<_> = graph.actions().iter().map(|action| held(&action.clip)).collect();
        // Hands are full in a pose in which they are whatever led to it.
        let (mut reached, mut nodes) = (vec![false; graph.nodes().len()], vec![true; graph.nodes().len()]);
        for (action, held) in graph.actions().iter().zip(&actions) {
            reached[action.to.index()] = true;
            nodes[action.to.index()] &= held.is_some_and(|(_, to, _)| to >= action.clip.frames() as f32);
        }
        nodes.iter_mut().zip(reached).for_each(|(full, reached)| *full &= reached);
        Self { actions, nodes }
    }

    pub(super) fn while_showing(&self, action: ActionId, frame: f32) -> Hands {
        match self.actions[action.index()] {
            Some((from, to, lifts)) if frame >= from && frame < to => match lifts {
                true => Hands::Lift,
                false => Hands::Full,
            },
            _ => Hands::Empty,
        }
    }

    pub(super) fn in_pose(&self, node: NodeId) -> Hands {
        if self.nodes[node.index()] { Hands::Full } else { Hands::Empty }
    }
}
