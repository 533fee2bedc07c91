//! Constraints for members of a running crowd: planned against what everybody else has promised, a little each frame.
//!
//! Who is directed keeps its last promise and stands; its motion is planned from there, goal by goal and in turn with
//! others, within a budget of work for each frame (counted, not timed, so that machines agree). Once planned its motion is
//! its promise; where it ends, the person is moved as before.

use crate::crowd::Crowd;
use crate::outlook::ROUND_UNITS;
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::mobb::Disc;
use crowdloom_synthesis::{
    Arrivals, Attempt, EndPose, Failure, Goal, Options, Planner, Reason, Repertoire, RepertoireError, Status,
    Task, When,
};
use crowdloom_world::Ground;
use glam::Vec2;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// How often somebody is planned anew because others got in its way meanwhile.
const MOST_RESTARTS: u32 = 20;

/// Why those who wait for each other cannot be planned.
const RING: &str = "those it waits for wait for it";

/// Somebody whose motion is being planned.
struct Pending {
    id: u32,
    task: Task,
    attempt: Attempt,
    first_frame: u32,
    restarts: u32,
}

/// What became of a request.
#[derive(Clone, Debug)]
pub enum Event {
    /// The agent of this number does what was planned.
    Sets(u32),
    /// The agent of this number stays in the crowd, because a goal cannot be met.
    Fails(u32, Failure),
}

/// Why there is no motion.
pub(crate) enum Unplanned {
    /// For this reason.
    For(Reason),
    /// None was found yet: the way of doing it of this number is tried next.
    Yet(u32),
}

/// Plans members of a crowd while it runs.
pub struct Director {
    planner: Planner,
    radius: f32,
    pending: VecDeque<Pending>,
    /// When each agent planned so far meets its goals, by its number.
    arrivals: BTreeMap<u32, Arrivals>,
}

/// What is known of those whose arrival somebody waits for.
enum Awaited {
    /// All arrivals are known.
    Known,
    /// Somebody is still being planned.
    Pending,
    /// Nobody knows when the agent of this number arrives.
    Never(u32),
}

impl Director {
    /// A director for a crowd.
    pub fn new(crowd: &Crowd, options: Options) -> Result<Self, RepertoireError> {
        let graph = Arc::clone(crowd.setting().book.graph());
        let repertoire = Arc::new(Repertoire::new(graph, &options.locomotion, options.weights)?);
        Ok(Self::knowing(crowd, options, repertoire))
    }

    /// The same where it is known what motions are made of.
    pub(crate) fn knowing(crowd: &Crowd, options: Options, repertoire: Arc<Repertoire>) -> Self {
        let setting = crowd.setting();
        let radius = setting.book.options().radius;
        Self::on(Arc::clone(&setting.ground), Options { radius, ..options }, repertoire)
    }

    /// A director of whoever is on a ground.
    pub(crate) fn on(ground: Arc<Ground>, options: Options, repertoire: Arc<Repertoire>) -> Self {
        let radius = options.radius;
        let planner = Planner::new(ground, repertoire, options, &[]);
        Self { planner, radius, pending: VecDeque::new(), arrivals: BTreeMap::new() }
    }

    /// What motions are made of.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        self.planner.repertoire()
    }

    /// The frame in which the agent of a number meets its last goal, once that is planned.
    pub fn arrival(&self, id: u32) -> Option<u32> {
        self.arrivals.get(&id).and_then(Arrivals::last)
    }

    /// Those who are still being planned.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Asks an agent to meet goals; times count from the crowd's first frame, or from the moment in which another agent,
    /// told by its number in the crowd, meets the last of its own.
    pub fn ask(&mut self, crowd: &mut Crowd, agent: usize, goals: Vec<Goal>) {
        let book = crowd.setting().book.clone();
        crowd.hold(agent);
        let commitment = *crowd.commitment(agent);
        let first_frame = commitment.rest_frame(&book).max(crowd.frame() + 1);
        let id = crowd.id(agent);
        let pose = crate::decision::node_at(&book, &commitment, first_frame);
        let last = goals.len().saturating_sub(1);
        let own = |(index, goal): (usize, Goal)| {
            // Whoever has motions of its own ends in a pose of theirs.
            let end = match goal.pose {
                EndPose::Node(asked) => EndPose::Node(book.pose_from(pose, asked).unwrap_or(asked)),
                EndPose::Usual if index == last => EndPose::Node(book.home(pose)),
                other => other,
            };
            Goal { pose: end, ..goal }
        };
        let task = Task {
            name: name_of(id),
            start: commitment.placement(&book, first_frame),
            pose,
            goals: goals.into_iter().enumerate().map(own).collect(),
        };
        let attempt = Attempt::new(id as usize, first_frame);
        self.pending.push_back(Pending { id, task, attempt, first_frame, restarts: 0 });
    }

    /// Plans an agent's motion, beginning with the way of doing it of number `round`, in little more than `patience` units of
    /// work, and lets it perform it; returns the frame in which it meets the last goal. Where there is no such motion, or none
    /// was found yet, the agent goes on as before.
    pub(crate) fn plan(
        &mut self,
        crowd: &mut Crowd,
        agent: usize,
        goals: Vec<Goal>,
        round: u32,
        patience: u64,
    ) -> Result<u32, Unplanned> {
        let settled_in = crowd.settled_in[agent];
        self.ask(crowd, agent, goals);
        let Some(mut pending) = self.pending.pop_back() else { return Err(Unplanned::For(Reason::TooFar)) };
        pending.attempt = pending.attempt.from_round(round);
        self.planner.clear_traffic();
        crowd.tell_promises(agent, None, self.planner.traffic_mut());
        let mut rounds = 0;
        let mut status = Status::Working;
        while matches!(status, Status::Working) && rounds + pending.attempt.effort().units() < patience {
            status = self.planner.advance(&mut pending.attempt, &pending.task);
            rounds += ROUND_UNITS;
        }
        let id = pending.id;
        self.arrivals.remove(&id);
        let round = pending.attempt.round();
        let settled = match status {
            Status::Done => self.settle(crowd, agent, pending),
            Status::Working => Some(refuse(crowd, agent, &pending, Reason::TooFar)),
        };
        self.pending.clear();
        match (settled, self.arrivals.remove(&id).and_then(|arrivals| arrivals.last())) {
            (Some(Event::Sets(_)), Some(arrival)) => Ok(arrival),
            (settled, _) => {
                crowd.settled_in[agent] = settled_in;
                if matches!(status, Status::Working) {
                    return Err(Unplanned::Yet(round));
                }
                Err(Unplanned::For(match settled {
                    Some(Event::Fails(_, failure)) => failure.reason,
                    _ => Reason::Blocked("those who come in its way".into()),
                }))
            }
        }
    }

    /// Goes on planning after a step of the crowd, until about `budget` units of work are spent.
    pub fn advance(&mut self, crowd: &mut Crowd, budget: u64) -> Vec<Event> {
        let mut events = Vec::new();
        if self.pending.is_empty() {
            return events;
        }
        let mut spent = 0;
        // Those in a row who can only wait for others.
        let mut waiting = 0;
        while spent < budget {
            let Some(mut pending) = self.pending.pop_front() else { break };
            let Some(agent) = (0..crowd.len()).find(|&agent| crowd.id(agent) == pending.id) else { continue };
            match self.awaited(&pending) {
                Awaited::Known => self.fix_times(&mut pending),
                Awaited::Pending if waiting < self.pending.len() => {
                    waiting += 1;
                    self.pending.push_back(pending);
                    continue;
                }
                Awaited::Pending => {
                    events.push(refuse(crowd, agent, &pending, Reason::Senseless(RING)));
                    waiting = 0;
                    continue;
                }
                Awaited::Never(other) => {
                    let reason = Reason::AwaitedFails(name_of(other));
                    events.push(refuse(crowd, agent, &pending, reason));
                    continue;
                }
            }
            waiting = 0;
            // Who stands longer than thought starts later.
            if pending.first_frame <= crowd.frame() {
                self.restart(&mut pending, crowd.frame() + 1 + (FRAME_RATE * 0.5) as u32);
            }
            self.planner.clear_traffic();
            crowd.tell_promises(agent, None, self.planner.traffic_mut());
            let before = pending.attempt.effort().units();
            let status = self.planner.advance(&mut pending.attempt, &pending.task);
            spent += ROUND_UNITS + pending.attempt.effort().units() - before;
            match status {
                Status::Working => self.pending.push_back(pending),
                Status::Done => events.extend(self.settle(crowd, agent, pending)),
            }
        }
        events
    }

    fn awaited(&self, pending: &Pending) -> Awaited {
        let mut known = Awaited::Known;
        for goal in &pending.task.goals {
            let Some(When::AfterArrival { of, .. } | When::AfterGoal { of, .. }) = goal.time else {
                continue;
            };
            let of = u32::try_from(of).unwrap_or(u32::MAX);
            if self.arrivals.contains_key(&of) {
                continue;
            }
            if of != pending.id && !self.pending.iter().any(|other| other.id == of) {
                return Awaited::Never(of);
            }
            known = Awaited::Pending;
        }
        known
    }

    /// Makes times after the arrival of others, which are known by now, times of their own.
    fn fix_times(&self, pending: &mut Pending) {
        for goal in &mut pending.task.goals {
            let Some(time) = goal.time else { continue };
            if let When::AfterArrival { of, from, to } | When::AfterGoal { of, from, to, .. } = time
                && let Some(arrivals) = u32::try_from(of).ok().and_then(|of| self.arrivals.get(&of))
                && let Some(arrival) = arrivals.base(time)
            {
                let arrival = arrival as f32 / FRAME_RATE;
                goal.time = Some(When::Between { from: arrival + from, to: arrival + to });
            }
        }
    }

    fn restart(&mut self, pending: &mut Pending, first_frame: u32) {
        pending.first_frame = first_frame;
        pending.restarts += 1;
        pending.attempt = Attempt::new(pending.id as usize, first_frame);
    }

    fn settle(&mut self, crowd: &mut Crowd, agent: usize, mut pending: Pending) -> Option<Event> {
        let (planned, trace) = self.planner.finish(pending.attempt.clone(), &pending.task);
        if let Some(failure) = planned.failure {
            crowd.wake(agent);
            return Some(Event::Fails(pending.id, failure));
        }
        // Legs found in earlier frames may meet promises that were made since.
        let radius = self.radius;
        let is_hit = |at: &Vec2| {
            let vehicles = &crowd.shared().vehicles;
            vehicles.iter().any(|own| own.state.under_way && own.claims(Disc::new(*at, radius)))
        };
        if trace.iter().any(is_hit) || !self.planner.is_free(pending.id, &trace, pending.first_frame) {
            if pending.restarts < MOST_RESTARTS {
                let first_frame = pending.first_frame.max(crowd.frame() + 1);
                self.restart(&mut pending, first_frame);
                self.pending.push_back(pending);
                return None;
            }
            return Some(refuse(crowd, agent, &pending, Reason::Blocked("those who come in its way".into())));
        }
        if !crowd.perform(agent, &planned.motion, self.planner.repertoire()) {
            return Some(refuse(crowd, agent, &pending, Reason::Blocked("those who come in its way".into())));
        }
        self.arrivals.insert(pending.id, planned.motion.arrivals(planned.failure.is_none()));
        Some(Event::Sets(pending.id))
    }

    /// A goal in so many seconds from now, for those who ask a running crowd.
    pub fn in_seconds(crowd: &Crowd, seconds: f32) -> When {
        When::at(crowd.frame() as f32 / FRAME_RATE + seconds)
    }
}

fn name_of(id: u32) -> String {
    format!("agent {id}")
}

/// Gives somebody who cannot be planned back to the crowd.
fn refuse(crowd: &mut Crowd, agent: usize, pending: &Pending, reason: Reason) -> Event {
    crowd.wake(agent);
    let failure = Failure {
        agent: pending.id as usize,
        name: pending.task.name.clone(),
        goal: 0,
        miss: None,
        reason,
        effort: pending.attempt.effort(),
    };
    Event::Fails(pending.id, failure)
}
