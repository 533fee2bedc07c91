//! Styles for a crowd on a motion graph: the layer says which style an agent should walk in, the agent's own decisions
//! take it there through the graph, and nobody's promise is touched. Velocity agents among them show the layer's loops.

use super::control::{Demand, Playing, StyleControl, gait};
use crate::grid::NeighbourGrid;
use crate::{Crowd, Movers};
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::{Action, ActionId, MotionGraph, NodeId};
use crowdloom_motion::styles::MotionType;
use glam::Vec2;

/// The style layer of a [`Crowd`] and of the [`Movers`] among it.
pub struct GraphStyles {
    control: StyleControl,
    /// The node of the graph in which each style is at home, if the graph has it.
    nodes: Vec<Option<NodeId>>,
    /// The style that each action of the graph shows.
    shown: Vec<Option<u16>>,
    /// Everybody by number, which ascends, and where everybody was before this step.
    ids: Vec<u32>,
    before: Vec<Vec2>,
    grid: NeighbourGrid,
    // Working memory.
    present: Vec<Present>,
    positions: Vec<Vec2>,
}

/// Somebody who is there now.
#[derive(Clone, Copy, Debug)]
struct Present {
    id: u32,
    position: Vec2,
    /// The speed that it likes to walk at, in metres a second.
    likes: f32,
    /// Its index in the crowd; `None` for a velocity agent.
    clip_agent: Option<u32>,
}

/// Cells of the grid in metres.
const CELL: f32 = 2.0;

impl GraphStyles {
    /// A layer whose styles were found in the clips of the graph: a style is at home in the node that the clip of the
    /// same name leaves.
    pub fn new(control: StyleControl, graph: &MotionGraph) -> Self {
        let primitives = control.book().library().primitives();
        let home = |name: &str| graph.find_action(name).map(|action| graph.action(action).from);
        let nodes: Vec<Option<NodeId>> =
            primitives.iter().map(|primitive| home(&primitive.clip.name)).collect();
        let at_home = |node: NodeId| {
            let mut homes = nodes.iter().zip(primitives);
            homes.position(|(home, style)| *home == Some(node) && style.kind.is_cyclic())
        };
        let show = |action: &Action| {
            let named = primitives.iter().position(|style| style.clip.name == action.clip.name);
            // Between a plain gait and one in a style, clips are labelled as the style's.
            let ends = [action.to, action.from].map(at_home);
            let styled = |style: &usize| primitives[*style].clip.has_label("style");
            let between = || ends.into_iter().flatten().find(styled).or(ends[0]).or(ends[1]);
            named.or_else(between).map(|style| style as u16)
        };
        Self {
            shown: graph.actions().iter().map(show).collect(),
            nodes,
            control,
            ids: Vec::new(),
            before: Vec::new(),
            grid: NeighbourGrid::default(),
            present: Vec::new(),
            positions: Vec::new(),
        }
    }

    /// The layer; its agents are everybody, by ascending number.
    pub fn control(&self) -> &StyleControl {
        &self.control
    }

    /// The style that an action of the graph shows: its own, or that of the gait which it leads to or comes from.
    pub fn shown_by(&self, action: ActionId) -> Option<u16> {
        self.shown.get(action.index()).copied().flatten()
    }

    /// The styles that all actions of the graph show, by number.
    pub fn shown(&self) -> &[Option<u16>] {
        &self.shown
    }

    /// Where everybody is, in the order of the layer.
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// The style that everybody shows, in the order of the layer; who turns or stands plainly shows none.
    pub fn showing(&self, crowd: &Crowd) -> Vec<Option<u16>> {
        let show = |(agent, one): (usize, &Present)| match one.clip_agent {
            Some(clip_agent) => self.shown_by(crowd.showing(clip_agent as usize)?.0),
            None => Some(self.control.playing()[agent].style),
        };
        self.present.iter().enumerate().map(show).collect()
    }

    /// Whether the graph has any way of walking that is among the styles.
    pub fn has_walks(&self) -> bool {
        let kinds = self.control.book().library().primitives().iter().map(|style| style.kind);
        self.nodes.iter().zip(kinds).any(|(node, kind)| node.is_some() && kind == MotionType::Walking)
    }

    /// What the layer plays for the agent of a number.
    pub fn playing_of(&self, id: u32) -> Option<&Playing> {
        self.ids.binary_search(&id).ok().map(|agent| &self.control.playing()[agent])
    }

    /// Follows a crowd and its movers that have just stepped, and tells everybody who walks which style to walk in.
    pub fn step(&mut self, crowd: &mut Crowd, movers: &Movers) {
        self.meet(crowd, movers);
        self.grid.rebuild(&self.positions, CELL);
        let (before, present) = (&self.before, &self.present);
        self.control.step(&self.grid, &self.positions, |agent, current| {
            let Present { position, likes, clip_agent, .. } = present[agent];
            let speed = position.distance(before[agent]) * FRAME_RATE;
            let kind = gait(speed, current);
            // A clip agent is as fast as its style is: what fits it is the speed that it likes.
            let walks = clip_agent.is_some() && kind == MotionType::Walking;
            Demand { kind, speed: if walks { likes } else { speed } }
        });
        self.before.copy_from_slice(&self.positions);
        for agent in 0..self.present.len() {
            if let Some(clip_agent) = self.present[agent].clip_agent {
                self.lead(crowd, agent, clip_agent as usize);
            }
        }
    }

    /// Leads a clip agent to its style; until it is there, the style does not end.
    fn lead(&mut self, crowd: &mut Crowd, agent: usize, clip_agent: usize) {
        let style = self.control.playing()[agent].style;
        if self.control.book().kind(style) != MotionType::Walking {
            return;
        }
        let node = self.nodes[usize::from(style)];
        if crowd.mind(clip_agent).style.map(NodeId) != node {
            crowd.mind_mut(clip_agent).style = node.map(|node| node.0);
        }
        let shown = crowd.showing(clip_agent).and_then(|(action, _)| self.shown_by(action));
        if node.is_some() && shown != Some(style) {
            self.control.hold(agent);
        }
    }

    /// Lets go of who has left and takes in who has come: newcomers have higher numbers than all who were there before.
    pub fn meet(&mut self, crowd: &Crowd, movers: &Movers) {
        self.present.clear();
        self.present.extend((0..crowd.len()).map(|agent| Present {
            id: crowd.id(agent),
            position: crowd.positions()[agent],
            likes: crowd.mind(agent).speed,
            clip_agent: Some(agent as u32),
        }));
        self.present.extend((0..movers.crowd().len()).map(|agent| Present {
            id: movers.id(agent),
            position: movers.crowd().positions()[agent],
            likes: movers.mind(agent).speed,
            clip_agent: None,
        }));
        self.present.sort_unstable_by_key(|one| one.id);
        self.positions.clear();
        self.positions.extend(self.present.iter().map(|one| one.position));
        let mut agent = 0;
        while agent < self.ids.len() {
            if self.present.get(agent).is_some_and(|one| one.id == self.ids[agent]) {
                agent += 1;
            } else {
                self.ids.remove(agent);
                self.before.remove(agent);
                self.control.remove(agent);
            }
        }
        for one in &self.present[self.ids.len()..] {
            self.ids.push(one.id);
            self.before.push(one.position);
            self.control.add(0, Demand { kind: MotionType::Walking, speed: one.likes });
        }
    }
}
