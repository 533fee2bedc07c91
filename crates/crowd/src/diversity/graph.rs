//! Styles for a crowd on a motion graph: the layer says which style an agent should walk in, the agent's own decisions
//! take it there through the graph, and nobody's promise is touched.

use super::control::{Demand, StyleControl, gait};
use crate::Crowd;
use crate::grid::NeighbourGrid;
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::{MotionGraph, NodeId};
use crowdloom_motion::styles::MotionType;
use glam::Vec2;

/// The style layer of a [`Crowd`].
pub struct GraphStyles {
    control: StyleControl,
    /// The node of the graph in which each style is at home, if the graph has it.
    nodes: Vec<Option<NodeId>>,
    ids: Vec<u32>,
    before: Vec<Vec2>,
    grid: NeighbourGrid,
}

/// Cells of the grid in metres.
const CELL: f32 = 2.0;

impl GraphStyles {
    /// A layer whose styles were found in the clips of the graph: a style is at home in the node that the clip of the
    /// same name leaves.
    pub fn new(control: StyleControl, graph: &MotionGraph) -> Self {
        let primitives = control.book().library().primitives();
        let home = |name: &str| graph.find_action(name).map(|action| graph.action(action).from);
        let nodes = primitives.iter().map(|primitive| home(&primitive.clip.name)).collect();
        Self { control, nodes, ids: Vec::new(), before: Vec::new(), grid: NeighbourGrid::default() }
    }

    /// The layer.
    pub fn control(&self) -> &StyleControl {
        &self.control
    }

    /// Follows a crowd that has just stepped, and tells everybody who walks which style to walk in.
    pub fn step(&mut self, crowd: &mut Crowd) {
        self.meet(crowd);
        let positions = crowd.positions();
        self.grid.rebuild(positions, CELL);
        let before = &self.before;
        self.control.step(&self.grid, positions, |agent, current| {
            let speed = positions[agent].distance(before[agent]) * FRAME_RATE;
            Demand { kind: gait(speed, current), speed }
        });
        self.before.copy_from_slice(positions);
        for (agent, playing) in self.control.playing().iter().enumerate() {
            if self.control.book().kind(playing.style) == MotionType::Walking {
                crowd.mind_mut(agent).style = self.nodes[usize::from(playing.style)].map(|node| node.0);
            }
        }
    }

    /// Lets go of who has left and takes in who has come; numbers of agents ascend.
    fn meet(&mut self, crowd: &Crowd) {
        let mut agent = 0;
        while agent < self.ids.len() {
            if agent < crowd.len() && crowd.id(agent) == self.ids[agent] {
                agent += 1;
            } else {
                self.ids.remove(agent);
                self.before.remove(agent);
                self.control.remove(agent);
            }
        }
        for agent in self.ids.len()..crowd.len() {
            self.ids.push(crowd.id(agent));
            self.before.push(crowd.positions()[agent]);
            let speed = crowd.mind(agent).speed;
            self.control.add(0, Demand { kind: MotionType::Walking, speed });
        }
    }
}
