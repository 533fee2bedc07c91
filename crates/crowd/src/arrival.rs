//! Exact arrivals: situations with a constraint have people brought onto their spots by constrained motion synthesis.
//!
//! Who is near its spot asks when it decides. After all decisions of the frame its motion is planned from the very node
//! that it is in, against what everybody else has promised, and becomes its promise: a move of its own in the book of
//! moves. Who cannot be served comes to rest and asks again.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::ledger::Asker;
use crate::moves::Part;
use crate::outlook::ROUND_UNITS;
use crate::situation::{Activity, MISSED, SituationId, WAITED};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, MotionGraph, NodeId};
use crowdloom_motion::mobb::Disc;
use crowdloom_synthesis::{Attempt, EndPose, Goal, Options, Planner, Repertoire, Routes, Status, Task};
use crowdloom_world::Bounds;
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// Somebody who wants to be on its spot exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The agent's number.
    pub agent: u32,
    /// The situation that has the spot.
    pub situation: SituationId,
    /// The spot.
    pub spot: u16,
}

/// What came of all requests to be on a spot exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrivalTally {
    /// Motions that were found and are kept.
    pub met: u64,
    /// Times that none was found.
    pub missed: u64,
    /// Times that there was too much to do in a frame, or that somebody was still there.
    pub put_off: u64,
    /// Work in all, in units of the search (about a microsecond).
    pub units: u64,
    /// Frames of the motions that are kept.
    pub frames: u64,
    /// What all the work took, in nanoseconds; for reports, nothing depends on it.
    pub nanoseconds: u64,
}

/// Requests of a frame are planned in this many lanes at once, each as far as its work for a frame goes.
const LANES: usize = 4;

/// Work of a lane in a frame after which the rest have to wait, in units of the search (about a microsecond).
const LANE_UNITS: u64 = 5_000;

/// Work on one request after which it is given up …
const PATIENCE: u64 = 2_500;

/// … and on one with a time, which there are few of.
const PATIENCE_IN_TIME: u64 = 10_000;

/// The largest adjustment in metres for each second: the ways are short, and the published 2 cm/s seldom suffices for a
/// direct one.
const TOLERANCE: f32 = 0.03;

/// Chains of steps that go on to the next clip: who is not served now asks again.
const BEAM: usize = 64;

/// Others matter this far around the way, in metres.
const AROUND: f32 = 4.0;

/// A motion that ends where it should.
struct Plan {
    start: Placement,
    node: NodeId,
    actions: Vec<(ActionId, u32)>,
    /// Frames for which it stays in the pose of the goal.
    rests: u32,
    track: Vec<Placement>,
}

/// What planning took.
#[derive(Clone, Copy, Default)]
struct Work {
    units: u64,
    nanoseconds: u64,
}

/// What planning came to.
enum Answer {
    /// The agent has nothing to ask for any more.
    Gone,
    /// There was too much to do.
    PutOff,
    /// Somebody is there, getting up perhaps.
    Occupied,
    /// There is no such motion, or none was found.
    Missed,
    /// This is it.
    Found(Box<Plan>),
}

impl Crowd {
    /// Plans motions for those who asked in this frame, against what everybody has promised, and makes promises of them
    /// in the order of asking.
    pub(crate) fn bring_in(&mut self) {
        if self.requests.is_empty() {
            return;
        }
        // Decisions have been made and people may have left since it was sorted.
        self.ledger.open();
        let requests = std::mem::take(&mut self.requests);
        let mut planners = std::mem::take(&mut self.planners);
        if planners.is_empty() {
            planners = self.new_planners();
        }
        // How many lanes there are does not depend on threads, so what is put off does not either.
        let share = requests.len().div_ceil(LANES);
        let lanes = planners.par_iter_mut().zip(requests.par_chunks(share));
        let answers: Vec<Vec<(Answer, Work)>> =
            lanes.map(|(planner, own)| self.plan_lane(own, planner)).collect();
        // Where nobody knows how to get about there are no planners.
        let answers =
            answers.into_iter().flatten().chain(std::iter::repeat_with(|| (Answer::Missed, Work::default())));
        for (request, (answer, work)) in requests.iter().zip(answers) {
            self.arrival_tally.units += work.units;
            self.arrival_tally.nanoseconds += work.nanoseconds;
            match answer {
                Answer::Gone => {}
                Answer::PutOff => self.arrival_tally.put_off += 1,
                Answer::Occupied => self.note(*request, WAITED),
                Answer::Missed => self.note(*request, MISSED),
                Answer::Found(plan) => {
                    let frames = plan.track.len() as u64 - 1;
                    if self.promise(*request, *plan) {
                        self.arrival_tally.met += 1;
                        self.arrival_tally.frames += frames;
                    } else {
                        self.note(*request, MISSED);
                    }
                }
            }
        }
        self.planners = planners;
        self.requests = requests;
        self.requests.clear();
    }

    /// Planners for goals in sight; none where the graph has no way of getting about.
    fn new_planners(&self) -> Vec<Planner> {
        let book = &self.setting.book;
        let options = Options {
            radius: book.options().radius,
            routes: Routes::Straight,
            waiting: false,
            beam: BEAM,
            seed: self.setting.seed,
            tolerance: TOLERANCE,
            ..Options::default()
        };
        let graph = Arc::clone(book.graph());
        let Ok(repertoire) = Repertoire::new(graph, &options.locomotion, options.weights) else {
            return Vec::new();
        };
        let first = Planner::new(Arc::clone(self.ground_to_be()), Arc::new(repertoire), options, &[]);
        (0..LANES).map(|_| first.beside()).collect()
    }

    fn plan_lane(&self, requests: &[Request], planner: &mut Planner) -> Vec<(Answer, Work)> {
        let mut spent = 0;
        let plan = |request: &Request| {
            if spent >= LANE_UNITS {
                return (Answer::PutOff, Work::default());
            }
            let started = Instant::now();
            let (answer, units) = self.plan_arrival(*request, planner);
            spent += units;
            (answer, Work { units, nanoseconds: started.elapsed().as_nanos() as u64 })
        };
        requests.iter().map(plan).collect()
    }

    /// Plans one motion; returns the units of work too.
    fn plan_arrival(&self, request: Request, planner: &mut Planner) -> (Answer, u64) {
        let (Ok(index), Some(goal)) = (self.ids.binary_search(&request.agent), self.goal_of(request)) else {
            return (Answer::Gone, 0);
        };
        let book = &self.setting.book;
        let own = &self.ledger.promises[index];
        let start = own.placement(book, self.frame);
        let node = crate::decision::node_at(book, own, self.frame);
        let pose = match goal.pose {
            EndPose::Node(pose) => book.pose_from(node, pose),
            EndPose::Usual | EndPose::Any => Some(book.home(node)),
        };
        let Some(pose) = pose else { return (Answer::Missed, 0) };
        let goal = Goal { pose: EndPose::Node(pose), ..goal };
        // Who has to be there at some time may have some to spare.
        planner.let_wait(goal.time.is_some());
        let patience = if goal.time.is_some() { PATIENCE_IN_TIME } else { PATIENCE };
        let task = Task { name: String::new(), start, pose: node, goals: vec![goal] };
        if !self.look_around(index, &task, planner) {
            return (Answer::Occupied, 0);
        }
        let mut attempt = Attempt::new(request.agent as usize, self.frame);
        let mut work = ROUND_UNITS;
        while let Status::Working = planner.advance(&mut attempt, &task) {
            work += ROUND_UNITS;
            if work + attempt.effort().units() > patience {
                break;
            }
        }
        work += attempt.effort().units();
        let (planned, _) = planner.finish(attempt, &task);
        let [leg] = planned.motion.all_legs() else { return (Answer::Missed, work) };
        if planned.failure.is_some() {
            return (Answer::Missed, work);
        }
        let place = |frame| planned.motion.at(planner.repertoire(), frame).0.relative_to(start);
        let plan = Plan {
            start,
            node,
            actions: leg.clips().map(|(action, first)| (action, first - self.frame)).collect(),
            rests: leg.rested_frames(),
            track: (self.frame..=leg.last_frame()).map(place).collect(),
        };
        (Answer::Found(Box::new(plan)), work)
    }

    /// Where and how the agent wants to be.
    fn goal_of(&self, request: Request) -> Option<Goal> {
        let situation = self.shared.situations.get(request.situation.index())?;
        let Activity::Spend { spots, exact: Some(exact), .. } = &situation.activity else { return None };
        Some(exact.goal(spots.get(usize::from(request.spot))?, self.frame))
    }

    /// Tells the planner what everybody near has promised, unless somebody has promised to stand in the goal.
    fn look_around(&self, index: usize, task: &Task, planner: &mut Planner) -> bool {
        let book = &self.setting.book;
        let (from, to) = (task.start.position, task.goals[0].at.unwrap_or(task.start.position));
        let place = Disc::new(to, book.options().radius);
        let mut occupied = false;
        self.ledger.for_each_near(to, place.radius, |other, _| {
            let rest = self.ledger.promises[other as usize].rest_disc(book);
            occupied |= other as usize != index && rest.is_some_and(|rest| rest.meets(place));
        });
        if occupied {
            return false;
        }
        let around = Disc::new((from + to) * 0.5, from.distance(to) * 0.5 + AROUND);
        let (centre, reach) = (around.centre.as_dvec2(), f64::from(around.radius));
        planner.look_within(Bounds { min: centre - reach, max: centre + reach });
        self.tell_promises(index, Some(around), planner.traffic_mut());
        true
    }

    /// Makes a planned motion the agent's promise, unless it breaks any other.
    fn promise(&mut self, request: Request, plan: Plan) -> bool {
        let Some(index) = self.index_of(request.agent) else { return false };
        let radius = self.setting.book.options().radius;
        let parts = parts_of(&plan, self.setting.book.graph());
        let added = Arc::make_mut(&mut self.setting.book).add_planned(parts, plan.track, radius, true);
        let Some(id) = added else { return false };
        let commitment = Commitment::new(plan.start, self.frame, id, plan.node);
        let asker = Asker { index: Some(index as u32), ..Asker::default() };
        if self.ledger.forbids(asker, &commitment, &self.now()) {
            Arc::make_mut(&mut self.setting.book).forget_planned(id);
            return false;
        }
        self.commit(index, commitment);
        self.due[index] = commitment.rest_frame(&self.setting.book);
        true
    }

    /// Notes that no motion could be found, or not yet.
    fn note(&mut self, request: Request, misses: u8) {
        *(if misses == MISSED { &mut self.arrival_tally.missed } else { &mut self.arrival_tally.put_off }) +=
            1;
        let Ok(index) = self.ids.binary_search(&request.agent) else { return };
        let mut visits = self.minds[index].visits.iter_mut();
        if let Some(visit) = visits.find(|visit| visit.situation == request.situation) {
            visit.misses = visit.misses.saturating_add(misses);
        }
    }
}

/// The clips of a plan, and standing before and after them, as parts of a move.
fn parts_of(plan: &Plan, graph: &MotionGraph) -> Vec<Part> {
    let (actions, frames) = (&plan.actions, plan.track.len() as u32 - 1);
    let standing = |first: u32, frames: u32, to: NodeId| Part { action: None, first, frames, to };
    let ends = actions.iter().skip(1).map(|(_, first)| *first).chain([frames - plan.rests]);
    let part = |(&(action, first), end): (&(ActionId, u32), u32)| Part {
        action: Some(action),
        first,
        frames: end.saturating_sub(first),
        to: graph.action(action).to,
    };
    let waits = actions.first().map_or(0, |(_, first)| *first);
    let mut parts: Vec<Part> = (waits > 0).then(|| standing(0, waits, plan.node)).into_iter().collect();
    parts.extend(actions.iter().zip(ends).map(part));
    if plan.rests > 0 {
        let node = parts.last().map_or(plan.node, |part| part.to);
        parts.push(standing(frames - plan.rests, plan.rests, node));
    }
    parts
}
