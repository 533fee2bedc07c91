//! Planning one agent, goal after goal, in steps of bounded work.

mod aim;
mod round;
mod variant;

use crate::failure::{Failure, Miss, Reason};
use crate::goal::{Arrivals, Task};
use crate::join::Join;
use crate::leg::Leg;
use crate::motion::Motion;
use crate::nearby::Nearby;
use crate::planner::Planner;
use crate::polish::Polish;
use crate::search::{Effort, Pair};
use crate::seed::Scratch;
use crate::surroundings::{Obstacle, Surroundings};
use crate::traffic::{Heed, Owner};
use aim::Aim;
use crowdloom_motion::FRAME_TIME;
use crowdloom_motion::graph::{ActionId, NodeId};
use glam::Vec2;
use variant::Variant;

/// Ways of doing it that are tried for each goal: when to leave, how fast, on which side.
const ROUNDS: u32 = 48;
/// How many of them before an earlier leg is made anew.
const SOME_ROUNDS: u32 = 16;
/// Rounds after which limbs may touch, where nothing else helped.
const LIMB_ROUNDS: u32 = 40;
/// How often an earlier leg is made anew because the next one fails.
const MOST_RETRIES: u32 = 6;

/// Lists that planning needs, kept from agent to agent.
#[derive(Default)]
pub(crate) struct Workspace {
    seed: Scratch,
    pool: Vec<Pair>,
    polish: Polish,
    nearby: Nearby,
    pub(crate) trace: Vec<Vec2>,
    way: Vec<Vec2>,
    /// Those whose limbs one touches where one starts or is asked to be.
    touchable: Vec<Owner>,
}

/// One agent on its way through its goals.
#[derive(Clone, Debug)]
pub struct Attempt {
    agent: usize,
    first_frame: u32,
    legs: Vec<Leg>,
    /// Positions from the first frame on.
    trace: Vec<Vec2>,
    /// The round that each leg was found in.
    rounds: Vec<u32>,
    round: u32,
    /// The round that it began with: the goal was not checked before.
    first_round: u32,
    /// Ways of doing it that failed for the goal at hand, and the poses that they ended in.
    tried: Vec<(Variant, NodeId)>,
    retries: u32,
    ways: Vec<Vec<Vec2>>,
    /// Whether discs are enough for the goal at hand: no way was found that keeps off limbs, too.
    touches: bool,
    effort: Effort,
    /// Iterations of the random search for the goals before.
    spent_before: u64,
    best: Option<Join>,
    /// Who was in the way, and how often …
    met: Vec<(Owner, u32)>,
    /// … and how often a wall was.
    walls: u32,
    failure: Option<Failure>,
    /// Why the goal at hand cannot be met as it is asked: the best motion is looked for.
    given_up: Option<Failure>,
}

/// How far an attempt is.
#[derive(Clone, Debug)]
pub enum Status {
    /// There is more to do.
    Working,
    /// All goals are met, or as many as could be.
    Done,
}

impl Attempt {
    /// Starts planning an agent that is at its start in `first_frame`.
    pub fn new(agent: usize, first_frame: u32) -> Self {
        Self {
            agent,
            first_frame,
            legs: Vec::new(),
            trace: Vec::new(),
            rounds: Vec::new(),
            round: 0,
            first_round: 0,
            tried: Vec::new(),
            retries: 0,
            ways: Vec::new(),
            touches: false,
            effort: Effort::default(),
            spent_before: 0,
            best: None,
            met: Vec::new(),
            walls: 0,
            failure: None,
            given_up: None,
        }
    }

    /// The same, beginning with another way of meeting the first goal than the usual one: those before were tried.
    #[must_use]
    pub fn from_round(self, round: u32) -> Self {
        Self { round, first_round: round, ..self }
    }

    /// The way of meeting the goal at hand that is tried next.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Those in the way of an attempt that failed although its goal is free, the most often met first.
    pub(crate) fn blockers(&mut self) -> impl Iterator<Item = Owner> + '_ {
        let reason = self.failure.as_ref().map(|failure| &failure.reason);
        let is_blocked = matches!(reason, Some(Reason::Blocked(_) | Reason::TooFar));
        self.met.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        self.met.iter().filter(move |_| is_blocked).map(|&(owner, _)| owner)
    }

    /// Notes who or what was in the way.
    fn meet(&mut self, obstacle: Option<Obstacle>) {
        let owner = match obstacle {
            None => return,
            Some(Obstacle::Wall) => {
                self.walls += 1;
                return;
            }
            Some(Obstacle::Somebody(owner)) => owner,
        };
        match self.met.iter_mut().find(|(own, _)| *own == owner) {
            Some((_, count)) => *count += 1,
            None => self.met.push((owner, 1)),
        }
    }

    /// How much was tried so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Tries one way of meeting the next goal.
    pub(crate) fn step(
        &mut self,
        planner: &Planner,
        task: &Task,
        arrivals: &[Arrivals],
        work: &mut Workspace,
    ) -> Status {
        let index = self.legs.len();
        if self.failure.is_some() || index >= task.goals.len() {
            return Status::Done;
        }
        let from = match self.legs.last() {
            None => (task.start, task.pose, self.first_frame),
            Some(leg) => (leg.end(), leg.end_node(), leg.last_frame()),
        };
        let mut aim = match Aim::new(planner, task, index, from, self.round, arrivals) {
            Ok(aim) => aim,
            Err(reason) => return self.fail(planner, task, reason),
        };
        if self.round >= LIMB_ROUNDS && !self.touches && self.effort.touches > 0 {
            // All over, and limbs may touch.
            (self.touches, self.round) = (true, self.first_round);
            self.tried.clear();
            return Status::Working;
        }
        let asked = aim.window;
        if self.given_up.is_some() {
            (aim.window, aim.last) = (None, true);
        }
        if let Err(reason) = self.find_way(planner, &aim, index) {
            return self.fail(planner, task, reason);
        }
        if self.round == self.first_round {
            let late = self.too_little_time(planner, &aim, index);
            if let Err(reason) = late.map_or_else(|| aim.check(planner, self.agent, index == 0), Err) {
                return self.fail(planner, task, reason);
            }
        }
        work.seed.met = None;
        let found = self.try_round(planner, &aim, index, work);
        if let Some(leg) = found {
            self.legs.push(leg);
            self.trace.truncate((aim.first_frame - self.first_frame) as usize);
            self.trace.extend_from_slice(&work.trace);
            self.rounds.push(self.round);
            (self.round, self.first_round, self.touches) = (0, 0, false);
            self.effort.touches = 0;
            self.tried.clear();
            self.best = None;
            self.met.clear();
            self.walls = 0;
            self.spent_before = self.effort.iterations;
            if let Some(mut failure) = self.given_up.take() {
                let (leg, late) = (&self.legs[index], asked.map_or(0, |(_, most)| most));
                let late = (leg.last_frame() - aim.first_frame).saturating_sub(late) as f32 * FRAME_TIME;
                failure.miss = asked.map(|_| Miss { seconds: late, ..Miss::default() });
                self.failure = Some(failure);
                return Status::Done;
            }
            return if self.legs.len() == task.goals.len() { Status::Done } else { Status::Working };
        }
        self.meet(work.seed.met.map(Obstacle::Somebody));
        self.round += 1;
        // Rather meet the goal before in another way than try for long.
        let goes_back = index > 0 && self.retries < MOST_RETRIES && self.given_up.is_none();
        if self.round < if goes_back { SOME_ROUNDS } else { ROUNDS } {
            return Status::Working;
        }
        if goes_back {
            self.tried.clear();
            self.retries += 1;
            let leg = self.legs.pop();
            let first = leg.map_or(self.first_frame, |leg| leg.first_frame());
            self.trace.truncate((first - self.first_frame) as usize + usize::from(index > 1));
            self.ways.truncate(index - 1);
            self.round = self.rounds.pop().unwrap_or(0) + 1;
            if self.round < ROUNDS {
                return Status::Working;
            }
        }
        let reason = self.reason(planner, &aim);
        self.fail(planner, task, reason)
    }

    /// Gives up the goal at hand; where the best motion is wanted, looks for that first.
    fn fail(&mut self, planner: &Planner, task: &Task, reason: Reason) -> Status {
        let helps = matches!(reason, Reason::TooLittleTime { .. } | Reason::Blocked(_) | Reason::TooFar);
        if let Some(first) = self.given_up.take() {
            self.failure = Some(first);
            return Status::Done;
        }
        let failure = Failure {
            agent: self.agent,
            name: task.name.clone(),
            goal: self.legs.len(),
            miss: self.best.map(|join| join.miss),
            reason,
            effort: self.effort,
        };
        if !(planner.options.best_effort && helps) {
            self.failure = Some(failure);
            return Status::Done;
        }
        self.given_up = Some(failure);
        (self.round, self.first_round, self.walls, self.best) = (0, 0, 0, None);
        self.spent_before = self.effort.iterations;
        self.tried.clear();
        Status::Working
    }

    fn find_way(&mut self, planner: &Planner, aim: &Aim, index: usize) -> Result<(), Reason> {
        if self.ways.len() > index {
            return Ok(());
        }
        let (from, to) = (aim.start.position, aim.goal.position);
        let way = if aim.free.position {
            vec![from, to]
        } else {
            planner.ways.way(from, to, planner.options.radius).map_err(Reason::NoWay)?
        };
        self.ways.push(way);
        Ok(())
    }

    /// Whether nobody is fast enough for the way in the time that there is.
    fn too_little_time(&self, planner: &Planner, aim: &Aim, index: usize) -> Option<Reason> {
        let length = length(&self.ways[index]);
        let needed = length / (planner.fastest() * 1.07);
        let given = aim.window?.1 as f32 * FRAME_TIME;
        (given < needed).then_some(Reason::TooLittleTime { given, needed, length })
    }

    /// The reason of a failure that only the search could tell.
    fn reason(&self, planner: &Planner, aim: &Aim) -> Reason {
        let heed = Heed { own: self.agent as u32, claims: false };
        let around = self.surroundings(planner, heed);
        let last = i32::MAX - 16;
        if !aim.free.position
            && let Some(Obstacle::Somebody(owner)) =
                around.standing_obstacle(aim.goal.position, last.min(planner.traffic.latest()))
        {
            return Reason::Occupied(planner.name(owner));
        }
        // What was met most often is the cause, not what was met last.
        match self.met.iter().max_by_key(|(_, count)| *count) {
            Some(&(owner, count)) if count >= self.walls => Reason::Blocked(planner.name(owner)),
            _ if self.walls > 0 => Reason::Blocked(Reason::WALL.into()),
            _ => Reason::TooFar,
        }
    }

    fn surroundings<'p>(&self, planner: &'p Planner, heed: Heed) -> Surroundings<'p> {
        Surroundings { room: &planner.room, traffic: &planner.traffic, body: planner.options.radius, heed }
    }

    /// The motion so far, and what went wrong; stands where it ends, or leaves where it cannot.
    pub(crate) fn finish(mut self, planner: &Planner, task: &Task) -> (Motion, Option<Failure>, Vec<Vec2>) {
        let goals = self.legs.len();
        // Who failed stands at the goal before, or comes to rest after the best motion to this one.
        let is_best = self.failure.as_ref().is_some_and(|failure| failure.goal < goals);
        if (self.failure.is_none() || is_best)
            && let Some(last) = self.legs.last()
        {
            let tail = way_to_rest(planner, last.end_node());
            if !tail.is_empty() {
                self.legs.push(Leg::plain(
                    &planner.repertoire,
                    last.end(),
                    last.end_node(),
                    &tail,
                    last.last_frame(),
                ));
            }
        }
        if self.trace.is_empty() {
            self.trace.push(task.start.position);
        }
        let end = self.trace[self.trace.len() - 1];
        let last_frame = self.legs.last().map_or(self.first_frame, Leg::last_frame);
        let leaves = self.failure.is_some() && {
            let heed = Heed { own: self.agent as u32, claims: false };
            self.surroundings(planner, heed).standing_obstacle(end, last_frame as i32).is_some()
        };
        let motion = Motion::new(task.start, task.pose, self.first_frame, self.legs, goals, leaves);
        (motion, self.failure, self.trace)
    }
}

/// Length of a way in metres.
fn length(way: &[Vec2]) -> f32 {
    way.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The clips from a node to rest.
fn way_to_rest(planner: &Planner, mut node: NodeId) -> Vec<ActionId> {
    let graph = planner.repertoire.graph();
    let mut actions = Vec::new();
    while let Some(action) = graph.toward_rest(node) {
        actions.push(action);
        node = graph.action(action).to;
        if actions.len() > graph.nodes().len() {
            break;
        }
    }
    actions
}
