//! Plans agents one after the other, those before being moving obstacles to those after.

use crate::attempt::{Attempt, Status, Workspace};
use crate::failure::Failure;
use crate::goal::{Arrivals, EndPose, Goal, Task};
use crate::motion::Motion;
use crate::options::{Options, Routes};
use crate::order::{OrderError, awaited, order};
use crate::outline::{Figure, Stance};
use crate::repertoire::{Mode, Repertoire};
use crate::route::Ways;
use crate::surroundings::{Room, Surroundings};
use crate::traffic::{Heed, Owner, Traffic};
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::NodeId;
use crowdloom_world::{Bounds, Ground};
use glam::{DVec2, Vec2};
use std::collections::VecDeque;
use std::sync::Arc;

/// Everybody who is not planned yet counts as standing at its start for this many frames, so that it can get away.
const START_CLAIM: i32 = 50;

/// Everybody who is not planned yet counts as standing at its goal from this many frames after the straight way takes.
const ARRIVAL_CLAIM: i32 = 30;

/// Who fails where others pass steps aside by so many metres, to one of so many places.
const ASIDE: [f32; 4] = [0.8, 1.6, 2.8, 4.5];
const MOST_ASIDE: usize = 8;

/// Plans motions on a ground.
pub struct Planner {
    pub(crate) repertoire: Arc<Repertoire>,
    pub(crate) options: Options,
    pub(crate) room: Arc<Room>,
    pub(crate) ways: Ways,
    pub(crate) traffic: Traffic,
    /// The node in which people end when no pose is asked for.
    pub(crate) standing: NodeId,
    bystanders: Vec<Vec2>,
    names: Vec<String>,
    /// Where those who are planned together start, in metres.
    starts: Vec<Vec2>,
    work: Workspace,
    /// What a body looks like in each frame of the motion at hand.
    stances: Vec<Stance>,
}

/// What came of an agent.
#[derive(Clone, Debug)]
pub struct Planned {
    /// What it does.
    pub motion: Motion,
    /// The goal that it does not meet, if any; the ones after it are not tried.
    pub failure: Option<Failure>,
    /// Whose limbs its own come nearer to than two arms are thick, if anybody's; discs are apart all the same.
    pub touches: Option<Owner>,
}

impl Planner {
    /// Sets whether people may stand and wait from now on, before they set out and at their goals.
    pub fn let_wait(&mut self, waiting: bool) {
        self.options.waiting = waiting;
    }

    /// A planner on a ground where people stay at the places `bystanders` for ever, in metres.
    pub fn new(
        ground: Arc<Ground>,
        repertoire: Arc<Repertoire>,
        options: Options,
        bystanders: &[Vec2],
    ) -> Self {
        let mut traffic = Traffic::new(ground.bounds());
        for &at in bystanders {
            traffic.add_stay(Owner::MAX, at, 0, i32::MAX, options.radius);
        }
        let ways = Ways::new(&ground, bystanders, options.radius, options.routes);
        let nodes = repertoire.graph().nodes();
        let standing = nodes.iter().position(|node| node.rest).unwrap_or(0);
        Self {
            room: Arc::new(Room::new(ground)),
            ways,
            traffic,
            standing: NodeId(standing as u16),
            bystanders: bystanders.to_vec(),
            names: Vec::new(),
            starts: Vec::new(),
            work: Workspace::default(),
            stances: Vec::new(),
            repertoire,
            options,
        }
    }

    /// Another planner for goals in sight, with the same ground and motions but nobody in the way.
    pub fn beside(&self) -> Self {
        let ground = self.room.ground();
        let options = Options { routes: Routes::Straight, ..self.options.clone() };
        Self {
            room: Arc::clone(&self.room),
            ways: Ways::new(ground, &[], options.radius, options.routes),
            traffic: Traffic::new(Bounds { min: DVec2::ZERO, max: DVec2::ZERO }),
            standing: self.standing,
            bystanders: Vec::new(),
            names: Vec::new(),
            starts: Vec::new(),
            work: Workspace::default(),
            stances: Vec::new(),
            repertoire: Arc::clone(&self.repertoire),
            options,
        }
    }

    /// Leads ways around `places` too, such as seats, whether anybody is there or not; in metres.
    pub fn lead_around(&mut self, places: &[Vec2]) {
        let all: Vec<Vec2> = self.bystanders.iter().chain(places).copied().collect();
        self.ways = Ways::new(self.room.ground(), &all, self.options.radius, self.options.routes);
    }

    /// What motions are made of.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    /// Who and what is in the way, to be added to before planning.
    pub fn traffic_mut(&mut self) -> &mut Traffic {
        &mut self.traffic
    }

    /// Plans all agents from frame 0 on; the answers are in the order of the tasks.
    ///
    /// Who cannot meet its goals because of somebody planned before goes first, and the other is planned anew: any
    /// order will do that keeps to relative times (section 3.1).
    pub fn plan(&mut self, tasks: &[Task]) -> Result<Vec<Planned>, OrderError> {
        let mut queue = order(tasks)?;
        // Who goes nowhere is in the way from the beginning.
        queue.sort_by_key(|&agent| !tasks[agent].goals.is_empty());
        let mut queue = VecDeque::from(queue);
        self.names = tasks.iter().map(|task| task.name.clone()).collect();
        self.starts = tasks.iter().map(|task| task.start.position).collect();
        let mut claims: Vec<Vec<u32>> =
            tasks.iter().enumerate().map(|(agent, task)| self.claim(agent, task)).collect();
        let mut arrivals = vec![Arrivals::default(); tasks.len()];
        let mut planned: Vec<Option<Planned>> = tasks.iter().map(|_| None).collect();
        // Who had whom planned anew; no two change places twice.
        let mut exchanged: Vec<(usize, usize)> = Vec::new();
        // Of those the last comes first: whoever stands behind a row of others was in the way first.
        let mut deferred: Vec<usize> = Vec::new();
        let mut is_awaited = vec![false; tasks.len()];
        for other in tasks.iter().flat_map(awaited) {
            is_awaited[other] = true;
        }
        let mut work = std::mem::take(&mut self.work);
        while let Some(agent) = queue.pop_front().or_else(|| deferred.pop()) {
            self.traffic.drop_claims(agent as Owner, &mut claims[agent]);
            let mut attempt = Attempt::new(agent, 0);
            while let Status::Working = attempt.step(self, &tasks[agent], &arrivals, &mut work) {}
            let yields = |&other: &usize| {
                planned.get(other).is_some_and(Option::is_some)
                    && !is_awaited[other]
                    && !tasks[other].goals.is_empty()
                    && !exchanged.contains(&(agent, other))
                    && !exchanged.contains(&(other, agent))
            };
            if let Some(other) = attempt.blockers().map(|owner| owner as usize).find(yields) {
                exchanged.push((agent, other));
                self.traffic.remove(other as Owner);
                claims[other] = self.claim(other, &tasks[other]);
                (planned[other], arrivals[other]) = (None, Arrivals::default());
                deferred.push(other);
                queue.push_front(agent);
                continue;
            }
            let (mut motion, failure, mut trace) = attempt.finish(self, &tasks[agent]);
            if motion.leaves()
                && let Some(aside) = self.step_aside(agent, &tasks[agent], &motion, &arrivals, &mut work)
            {
                (motion, trace) = aside;
            }
            self.settle(agent as Owner, &motion, &trace);
            arrivals[agent] = motion.arrivals(failure.is_none());
            planned[agent] = Some(Planned { motion, failure, touches: None });
        }
        self.work = work;
        let mut planned: Vec<Planned> = planned.into_iter().flatten().collect();
        for (agent, one) in planned.iter_mut().enumerate() {
            let own = agent as Owner;
            // Who stays is known as somebody in the way, too.
            let but = if tasks[agent].goals.is_empty() { [own, Owner::MAX] } else { [own; 2] };
            one.touches = self.touched(&one.motion, &but);
        }
        Ok(planned)
    }

    /// Whose limbs, none of `but`, those of somebody touch whose motion is settled.
    fn touched(&mut self, motion: &Motion, but: &[Owner]) -> Option<Owner> {
        let trace = &mut self.work.trace;
        motion.trace(trace);
        let first = motion.first_frame();
        let stance =
            |index: usize| Stance::of(&self.repertoire, motion.at(&self.repertoire, first + index as u32));
        let (outlines, last) = (&self.repertoire.outlines, first + trace.len() as u32);
        let on_its_way = self.traffic.touches(outlines, (&trace[..], first as i32), stance, but);
        on_its_way.or_else(|| {
            let (end, _) = motion.at(&self.repertoire, last);
            let figure = Figure { at: end.position, stance: stance(trace.len()) };
            let stays = motion.is_there(last);
            stays.then(|| self.traffic.touches_standing(outlines, figure, last as i32, but))?
        })
    }

    /// The same motion, on to a place nearby where the one who failed is in nobody's way for good.
    fn step_aside(
        &self,
        agent: usize,
        task: &Task,
        motion: &Motion,
        arrivals: &[Arrivals],
        work: &mut Workspace,
    ) -> Option<(Motion, Vec<Vec2>)> {
        let met = motion.legs().len();
        let end = motion.at(&self.repertoire, motion.last_frame()).0.position;
        let heed = Heed { own: agent as Owner, claims: false };
        let around =
            Surroundings { room: &self.room, traffic: &self.traffic, body: self.options.radius, heed };
        let places = ASIDE.iter().flat_map(|&away| {
            (0..8).map(move |step| end + Vec2::from_angle(step as f32 * std::f32::consts::FRAC_PI_4) * away)
        });
        let latest = self.traffic.latest();
        let free = places.filter(|&at| around.standing_obstacle(at, latest).is_none());
        for at in free.take(MOST_ASIDE) {
            let goal = Goal { at: Some(at), facing: None, pose: EndPose::Node(self.standing), time: None };
            let goals = task.goals[..met].iter().copied().chain([goal]).collect();
            let task = Task { goals, ..task.clone() };
            let mut attempt = Attempt::new(agent, motion.first_frame());
            while let Status::Working = attempt.step(self, &task, arrivals, work) {}
            let (motion, failure, trace) = attempt.finish(self, &task);
            if failure.is_none() {
                return Some((motion.meeting(met), trace));
            }
        }
        None
    }

    /// Forgets everybody, bystanders too, and gets ready for those who come within `bounds`.
    pub fn look_within(&mut self, bounds: Bounds) {
        self.bystanders.clear();
        self.traffic.lay_out(bounds);
    }

    /// Forgets everybody who moves; bystanders stay.
    pub fn clear_traffic(&mut self) {
        self.traffic.clear();
        for &at in &self.bystanders {
            self.traffic.add_stay(Owner::MAX, at, 0, i32::MAX, self.options.radius);
        }
    }

    /// Tries one more way of meeting the next goal of one agent: a step of bounded work, counted by [`Attempt::effort`].
    pub fn advance(&mut self, attempt: &mut Attempt, task: &Task) -> Status {
        let mut work = std::mem::take(&mut self.work);
        let status = attempt.step(self, task, &[], &mut work);
        self.work = work;
        status
    }

    /// What an attempt that is done came to, with its positions in all frames from its first on, in metres.
    pub fn finish(&self, attempt: Attempt, task: &Task) -> (Planned, Vec<Vec2>) {
        let (motion, failure, trace) = attempt.finish(self, task);
        (Planned { motion, failure, touches: None }, trace)
    }

    /// Whether a motion meets nothing and nobody, and can stand at its end: one position for each frame, in metres.
    pub fn is_free(&self, owner: Owner, positions: &[Vec2], first_frame: u32) -> bool {
        let heed = Heed { own: owner, claims: false };
        let around =
            Surroundings { room: &self.room, traffic: &self.traffic, body: self.options.radius, heed };
        let end = first_frame as i32 + positions.len() as i32;
        around.obstacle(positions, first_frame as i32).is_none()
            && positions.last().is_none_or(|&last| around.standing_obstacle(last, end).is_none())
    }

    /// Makes a motion an obstacle to those who come after.
    fn settle(&mut self, owner: Owner, motion: &Motion, trace: &[Vec2]) {
        let body = self.options.radius;
        let first = motion.first_frame();
        motion.stances(&self.repertoire, &mut self.stances);
        self.traffic.add_figures(owner, trace, self.stances.iter().copied(), first as i32, body);
        let end = first + trace.len() as u32;
        if let Some(&at) = trace.last().filter(|_| motion.is_there(end)) {
            let stance = Stance::of(&self.repertoire, motion.at(&self.repertoire, end));
            self.traffic.add_standing(owner, Figure { at, stance }, end as i32, body);
        }
    }

    /// Notes where somebody starts and ends, so that those before it keep away if they can.
    fn claim(&mut self, agent: usize, task: &Task) -> Vec<u32> {
        let radius = self.options.radius;
        let owner = agent as Owner;
        let mut claims = Vec::new();
        if task.start.position.is_finite() {
            claims.push(self.traffic.next_claim());
            self.traffic.claim(owner, task.start.position, 0, START_CLAIM, radius);
        }
        if let Some(at) = task.goals.last().and_then(|goal| goal.at).filter(|at| at.is_finite()) {
            claims.push(self.traffic.next_claim());
            let from = (at.distance(task.start.position) / self.options.pace * FRAME_RATE).min(1e6);
            self.traffic.claim(owner, at, from as i32 + ARRIVAL_CLAIM, i32::MAX, radius);
        }
        claims
    }

    /// Who comes before an agent in the list and starts where it does: one of the two has to go elsewhere.
    pub(crate) fn overlapping_start(&self, agent: usize) -> Option<Owner> {
        let apart = 2.0 * self.options.radius - 1e-3;
        let own = *self.starts.get(agent)?;
        let other = self.starts[..agent].iter().position(|start| start.distance_squared(own) < apart * apart);
        other.map(|other| other as Owner)
    }

    pub(crate) fn name(&self, owner: Owner) -> String {
        let name = self.names.get(owner as usize).cloned();
        name.unwrap_or_else(|| {
            if owner == Owner::MAX { "a bystander".into() } else { format!("walker {owner}") }
        })
    }

    /// The largest speed of all gaits, in metres a second.
    pub(crate) fn fastest(&self) -> f32 {
        self.repertoire.modes.iter().flat_map(|mode| &mode.speeds).copied().fold(0.1, f32::max)
    }

    /// A sub-graph as near as the nearest that is fast enough, with a way to the goal's pose.
    pub(crate) fn mode_for(&self, from: NodeId, to: NodeId, pace: f32) -> Option<&Mode> {
        let modes = &self.repertoire.modes;
        let nearest = self.repertoire.mode_of(from)?;
        let fits = |mode: &&Mode| {
            mode.distance_from(from) == modes[nearest].distance_from(from)
                && !mode.landings[to.index()].items.is_empty()
                && mode.speeds.iter().copied().fold(0.0, f32::max) >= pace * 0.95
        };
        std::iter::once(&modes[nearest]).chain(modes).find(fits)
    }
}
