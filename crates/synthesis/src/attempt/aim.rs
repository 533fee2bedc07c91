//! What one goal asks, worked out: from where, to where, in which pose and within which frames.

use crate::failure::Reason;
use crate::fan::remaining;
use crate::goal::{Arrivals, EndPose, Goal, Task, When};
use crate::join::Free;
use crate::planner::Planner;
use crate::spot::Spot;
use crate::walk::Held;
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::{FRAME_RATE, Placement};
use glam::Vec2;

/// What one goal asks, worked out.
pub struct Aim {
    pub start: Placement,
    pub node: NodeId,
    pub first_frame: u32,
    pub goal: Placement,
    pub goal_node: NodeId,
    /// Whether any other pose would do.
    pub any_pose: bool,
    pub free: Free,
    /// Least and most frames from the first.
    pub window: Option<(u32, u32)>,
    pub last: bool,
}

impl Aim {
    /// What a goal asks of somebody who is somewhere in some pose in some frame; a free pose is another one in every round.
    pub fn new(
        planner: &Planner,
        task: &Task,
        index: usize,
        (start, node, first_frame): (Placement, NodeId, u32),
        round: u32,
        arrivals: &[Arrivals],
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
        let exists = |node: NodeId| node.index() < graph.nodes().len();
        if !exists(node) || matches!(pose, EndPose::Node(pose) if !exists(pose)) {
            return Err(Reason::Senseless("there is no such pose"));
        }
        let last = index + 1 == task.goals.len();
        let mode = planner.repertoire.mode_of(node);
        let through = || mode.map_or(node, |mode| planner.repertoire.modes[mode].main);
        let goal_node = match pose {
            EndPose::Node(pose) => pose,
            EndPose::Usual => {
                if last {
                    planner.standing
                } else {
                    through()
                }
            }
            // Rather going than standing, in one phase of a step after the other; every other round tries standing.
            EndPose::Any if round % 2 == 1 => planner.standing,
            EndPose::Any => mode.map_or(node, |mode| planner.repertoire.modes[mode].gait(round as usize / 2)),
        };
        let window = match time {
            None => None,
            Some(time) if !time.is_sound() => return Err(Reason::Senseless("its times are no interval")),
            Some(When::Between { from, to }) => Some(frames_from(0.0, from, to, first_frame)),
            Some(time @ (When::AfterArrival { of, from, to } | When::AfterGoal { of, from, to, .. })) => {
                match arrivals.get(of).and_then(|arrivals| arrivals.base(time)) {
                    Some(arrival) => Some(frames_from(arrival as f32, from, to, first_frame)),
                    None => return Err(Reason::AwaitedFails(planner.name(of as u32))),
                }
            }
        };
        let goal =
            Placement { position: at.unwrap_or(start.position), heading: facing.unwrap_or(start.heading) };
        let free = Free { position: at.is_none(), heading: facing.is_none() };
        Ok(Self {
            start,
            node,
            first_frame,
            goal,
            goal_node,
            any_pose: pose == EndPose::Any,
            free,
            window,
            last,
        })
    }

    /// Whether the goal can be met at all.
    pub fn check(&self, planner: &Planner, agent: usize, is_first: bool) -> Result<(), Reason> {
        let Planner { room, options, repertoire, .. } = planner;
        if !self.free.position && !room.ground().is_free(self.goal.position, options.radius) {
            let nearest = room.ground().nearest_free(self.goal.position, options.radius);
            return Err(Reason::InWall { place: self.goal.position, nearest });
        }
        if let Some(missing) = self.missing_room(planner) {
            let pose = repertoire.graph().node(self.goal_node).name.clone();
            return Err(Reason::NoRoom { pose, missing });
        }
        if is_first && !room.ground().is_free(self.start.position, options.radius) {
            return Err(Reason::StartBlocked(Reason::WALL.into()));
        }
        if let Some(other) = planner.overlapping_start(agent).filter(|_| is_first) {
            return Err(Reason::StartBlocked(planner.name(other)));
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

    /// By how many metres walls are too near for getting from standing into the pose of the goal, whatever clips one takes; `None`
    /// where there is room.
    fn missing_room(&self, planner: &Planner) -> Option<f32> {
        let Planner { room, options, repertoire, .. } = planner;
        if self.free.position || self.free.heading {
            return None;
        }
        let (graph, ground) = (repertoire.graph(), room.ground());
        let distance = |at: Vec2| ground.nearest_wall(at).map_or(f32::INFINITY, |wall| wall.distance);
        let mode = &repertoire.modes[repertoire.mode_of(self.node)?];
        let mut least = f32::INFINITY;
        for landing in &mode.landings[self.goal_node.index()].items {
            let (mut end, mut nearest) = (Spot::from(self.goal), f32::INFINITY);
            let clips = landing.actions.iter().rev().map(|&action| repertoire.clip(action));
            for clip in clips.take_while(|clip| graph.node(clip.from).rest) {
                end = end.then(clip.inverse);
                let along = repertoire.positions(clip).iter().map(|&position| distance(end.point(position)));
                nearest = along.fold(nearest, f32::min);
            }
            least = least.min(options.radius - nearest);
            if least <= BENT {
                return None;
            }
        }
        Some(least).filter(|least| least.is_finite())
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

/// Metres that bending a motion makes up for.
const BENT: f32 = 0.06;

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
