//! What one goal asks, worked out: from where, to where, in which pose and within which frames.

use crate::failure::Reason;
use crate::fan::remaining;
use crate::goal::{Goal, Task, When};
use crate::join::Free;
use crate::planner::Planner;
use crate::spot::Spot;
use crate::walk::Held;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{FRAME_RATE, Placement};
use glam::Vec2;

/// What one goal asks, worked out.
pub struct Aim {
    pub start: Placement,
    pub node: NodeId,
    pub first_frame: u32,
    pub goal: Placement,
    pub goal_node: NodeId,
    pub free: Free,
    /// Least and most frames from the first.
    pub window: Option<(u32, u32)>,
    pub last: bool,
}

impl Aim {
    /// What a goal asks of somebody who is somewhere in some pose in some frame.
    pub fn new(
        planner: &Planner,
        task: &Task,
        index: usize,
        (start, node, first_frame): (Placement, NodeId, u32),
        arrivals: &[Option<u32>],
    ) -> Result<Self, Reason> {
        let Goal { at, facing, pose, time } = task.goals[index];
        let graph = planner.repertoire.graph();
        if at.is_some_and(|at| !at.is_finite())
            || facing.is_some_and(|facing| !facing.is_finite() || facing.abs() > 1e4)
        {
            return Err(Reason::Senseless("its place or facing is not a number"));
        }
        if !(start.position.is_finite() && start.heading.is_finite() && start.heading.abs() < 1e4) {
            return Err(Reason::Senseless("the start is not a number"));
        }
        if node.index() >= graph.nodes().len() || pose.is_some_and(|pose| pose.index() >= graph.nodes().len())
        {
            return Err(Reason::Senseless("there is no such pose"));
        }
        let last = index + 1 == task.goals.len();
        let mode = planner.repertoire.mode_of(node);
        let through = || mode.map_or(node, |mode| planner.repertoire.modes[mode].main);
        let goal_node = pose.unwrap_or_else(|| if last { planner.standing } else { through() });
        let window = match time {
            None => None,
            Some(time) if !time.is_sound() => return Err(Reason::Senseless("its times are no interval")),
            Some(When::Between { from, to }) => Some(frames_from(0.0, from, to, first_frame)),
            Some(When::AfterArrival { of, from, to }) => match arrivals.get(of).copied().flatten() {
                Some(arrival) => Some(frames_from(arrival as f32, from, to, first_frame)),
                None => return Err(Reason::AwaitedFails(planner.name(of as u32))),
            },
        };
        let goal =
            Placement { position: at.unwrap_or(start.position), heading: facing.unwrap_or(start.heading) };
        let free = Free { position: at.is_none(), heading: facing.is_none() };
        Ok(Self { start, node, first_frame, goal, goal_node, free, window, last })
    }

    /// Whether the goal can be met at all.
    pub fn check(&self, planner: &Planner, is_first: bool) -> Result<(), Reason> {
        let Planner { room, options, repertoire, .. } = planner;
        if !self.free.position && !room.ground().is_free(self.goal.position, options.radius) {
            let nearest = room.ground().nearest_free(self.goal.position, options.radius);
            return Err(Reason::InWall { place: self.goal.position, nearest });
        }
        if !self.free.position && !self.free.heading {
            let missing = options.radius - room_into(planner, self.goal_node, self.goal.into(), MOST_CHANGES);
            if missing.is_finite() && missing > BENT {
                let pose = repertoire.graph().node(self.goal_node).name.clone();
                return Err(Reason::NoRoom { pose, missing });
            }
        }
        if is_first && !room.ground().is_free(self.start.position, options.radius) {
            return Err(Reason::StartBlocked(Reason::WALL.into()));
        }
        let graph = repertoire.graph();
        let reachable = repertoire.mode_of(self.node).is_some_and(|mode| {
            let mode = &repertoire.modes[mode];
            !mode.launches[self.node.index()].items.is_empty()
                && !mode.landings[self.goal_node.index()].items.is_empty()
        });
        if !reachable {
            let name = |node: NodeId| graph.node(node).name.clone();
            return Err(Reason::NoClips { from: name(self.node), to: name(self.goal_node) });
        }
        Ok(())
    }

    /// Metres that turning into a way and out of it adds to its length, about.
    pub fn turning(&self, way: &[Vec2]) -> f32 {
        let (first, last) = (way[1], way[way.len() - 2]);
        let (start, goal) = (Spot::from(self.start), Spot::from(self.goal));
        let begin = remaining(&start, first, Held::Start) - start.position.distance(first);
        let end = remaining(&goal, last, Held::End) - goal.position.distance(last);
        if self.free.position { 0.0 } else { begin + if self.free.heading { 0.0 } else { end } }
    }
}

/// No pose is more clips than this away from walking.
const MOST_CHANGES: usize = 4;
/// Metres that bending a motion makes up for.
const BENT: f32 = 0.06;

/// How far walls are from somebody who gets from walking into the pose of a node at `spot`, the most that any clips allow, in metres;
/// infinite where one can walk into it.
fn room_into(planner: &Planner, node: NodeId, spot: Spot, changes: usize) -> f32 {
    let Planner { room, repertoire, .. } = planner;
    let graph = repertoire.graph();
    let actions = graph.actions().iter().enumerate();
    let into = actions.filter(|(_, action)| action.to == node && action.from != node);
    if into.clone().any(|(_, action)| !graph.node(action.from).rest) || into.clone().next().is_none() {
        return f32::INFINITY;
    }
    let mut most = f32::NEG_INFINITY;
    for (number, action) in into.filter(|_| changes > 0) {
        let clip = repertoire.clip(ActionId(number as u16));
        let start = spot.then(clip.inverse);
        let positions = repertoire.positions(clip).iter().map(|&p| start.point(p));
        let along = positions.map(|p| clearance(room.ground(), p)).fold(f32::INFINITY, f32::min);
        if along > most {
            most = most.max(along.min(room_into(planner, action.from, start, changes - 1)));
        }
    }
    most
}

/// How far the nearest wall is, below 0 inside of one, in metres.
fn clearance(ground: &crowdloom_world::Ground, at: Vec2) -> f32 {
    let away = ground.nearest_wall(at).map_or(f32::INFINITY, |wall| wall.distance);
    if ground.is_free(at, 0.0) { away } else { -away }
}

/// An interval in seconds as frames from `first_frame`: whole frames inside it, or the nearest one.
fn frames_from(base: f32, from: f32, to: f32, first_frame: u32) -> (u32, u32) {
    let (from, to) = (base + from * FRAME_RATE, base + to * FRAME_RATE);
    let (mut least, mut most) = ((from - 1e-3).ceil(), (to + 1e-3).floor());
    if least > most {
        let middle = ((from + to) * 0.5).round();
        (least, most) = (middle, middle);
    }
    let since = |frame: f32| (frame as i64 - i64::from(first_frame)).max(0) as u32;
    (since(least), since(most))
}
