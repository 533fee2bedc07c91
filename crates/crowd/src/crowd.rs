//! The crowd: agents on a motion graph, each deciding when its move ends, all promises kept.

use crate::arrival::{Brought, Request};
use crate::bystanders::Bystanders;
use crate::commitment::Commitment;
use crate::decision::{Decider, Decision, Near};
use crate::directed::Directed;
use crate::diversity::GraphStyles;
use crate::grid::NeighbourGrid;
use crate::mind::Mind;
use crate::movers::Movers;
use crate::moves::MoveBook;
use crate::scenario::Scenario;
use crate::shared::{KnownLabels, Shared};
use crate::signal::Signal;
use crate::situation::{Activity, Change, Place, Roll, Situation, SituationId, Visit};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::Disc;
use crowdloom_synthesis::Planner;
use crowdloom_world::Ground;
use crowdloom_world::MeshRouter;
use glam::Vec2;
use rayon::prelude::*;
use std::sync::Arc;

/// What all agents share.
#[derive(Clone)]
pub struct Setting {
    /// The moves that agents choose from.
    pub book: Arc<MoveBook>,
    /// The ground that they walk on.
    pub ground: Arc<Ground>,
    /// Ways over it.
    pub router: Arc<MeshRouter>,
    /// Everything random follows from it.
    pub seed: u64,
}

/// Something that moves a crowd on, frame by frame.
pub trait Steps {
    /// The crowd.
    fn crowd(&self) -> &Crowd;
    /// The velocity agents among it, if there may be any.
    fn movers(&self) -> Option<&Movers> {
        None
    }
    /// The motion styles of everybody, if the layer gives them some.
    fn styles(&self) -> Option<&GraphStyles> {
        None
    }
    /// Advances the clock by one frame.
    fn step(&mut self);
}

impl Steps for Crowd {
    fn crowd(&self) -> &Crowd {
        self
    }

    fn step(&mut self) {
        Crowd::step(self);
    }
}

/// Agents and the clock.
pub struct Crowd {
    pub(crate) setting: Setting,
    pub(crate) shared: Shared,
    pub(crate) frame: u32,
    pub(crate) next_id: u32,
    pub(crate) ids: Vec<u32>,
    // What every frame touches.
    pub(crate) commitments: Vec<Commitment>,
    pub(crate) bounds: Vec<Disc>,
    pub(crate) positions: Vec<Vec2>,
    pub(crate) due: Vec<u32>,
    pub(crate) settled_in: Vec<u32>,
    // What a decision touches.
    pub(crate) minds: Vec<Mind>,
    grid: NeighbourGrid,
    pub(crate) fresh: Fresh,
    jobs: Vec<Job>,
    /// Those who want a motion that ends exactly on their spot.
    pub(crate) requests: Vec<Request>,
    pub(crate) planners: Vec<Planner>,
    pub(crate) brought: Brought,
    /// Motions of others that all keep off.
    pub(crate) directed: Vec<(u32, Directed)>,
    next_directed: u32,
    pub(crate) bystanders: Bystanders,
}

/// Agents that have decided in this frame: where they were found before says nothing any more.
#[derive(Default)]
pub(crate) struct Fresh {
    /// Their indices, in the order of deciding.
    agents: Vec<u32>,
    /// The frame in which each agent of the crowd was last among them.
    frames: Vec<u32>,
    /// Them alone, by the centres of their promises' discs.
    grid: NeighbourGrid,
}

impl Fresh {
    /// Forgets everybody.
    pub(crate) fn clear(&mut self) {
        self.agents.clear();
        self.frames.clear();
    }
}

/// Agents that decide in one cell of the ground, one after the other.
#[derive(Default)]
struct Job {
    agents: Vec<(u32, Mind)>,
    decisions: Vec<(u32, Decision)>,
    changes: Vec<(u32, Change)>,
}

/// An agent whose time has come: colour and place of its cell, then its index, in the order of deciding.
type Due = ((bool, bool), (i32, i32), u32);

/// The side of a cell of the grids that neighbours are found by, in metres.
const CELL: f32 = 3.0;

/// Agents look this much farther than commitments reach when they are grouped, in metres.
const MARGIN: f32 = 0.5;

impl Crowd {
    /// A crowd without anybody.
    pub fn new(setting: Setting) -> Self {
        let labels = KnownLabels::new(setting.book.labels());
        Self {
            setting,
            shared: Shared { labels, ..Shared::default() },
            frame: 0,
            next_id: 0,
            ids: Vec::new(),
            commitments: Vec::new(),
            bounds: Vec::new(),
            positions: Vec::new(),
            due: Vec::new(),
            settled_in: Vec::new(),
            minds: Vec::new(),
            grid: NeighbourGrid::default(),
            fresh: Fresh::default(),
            jobs: Vec::new(),
            requests: Vec::new(),
            planners: Vec::new(),
            brought: Brought::default(),
            directed: Vec::new(),
            next_directed: 0,
            bystanders: Bystanders::default(),
        }
    }

    /// What all agents share.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Situations, signals and scenario.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The number of an agent, which stays its own for ever.
    pub fn id(&self, agent: usize) -> u32 {
        self.ids[agent]
    }

    /// Keeps everybody off a planned motion from now on; returns its number.
    pub fn keep_off(&mut self, motion: Directed) -> u32 {
        self.next_directed += 1;
        self.directed.push((self.next_directed, motion));
        self.next_directed
    }

    /// Lets people go where a planned motion was.
    pub fn give_way_no_more(&mut self, number: u32) {
        self.directed.retain(|(own, _)| *own != number);
    }

    /// Planned motions that everybody keeps off, with their numbers.
    pub fn directed(&self) -> &[(u32, Directed)] {
        &self.directed
    }

    /// Keeps an agent from deciding: it does what it has promised, and then stands.
    pub fn hold(&mut self, agent: usize) {
        self.due[agent] = u32::MAX;
        // This frame may have been looked at already.
        self.settled_in[agent] = self.frame + 1;
    }

    /// Lets an agent that was held decide again.
    pub fn wake(&mut self, agent: usize) {
        self.due[agent] = self.frame + 1;
    }

    /// Adds a signal; returns its index.
    pub fn add_signal(&mut self, signal: Signal) -> u16 {
        self.shared.signals.push(signal);
        (self.shared.signals.len() - 1) as u16
    }

    /// Switches a signal by hand, or gives it back to its timer.
    pub fn switch(&mut self, signal: usize, by_hand: Option<bool>) {
        if let Some(signal) = self.shared.signals.get_mut(signal) {
            signal.by_hand = by_hand;
        }
    }

    /// Sets where people go.
    pub fn set_scenario(&mut self, scenario: Scenario) {
        self.shared.scenario = scenario;
    }

    /// Adds a situation, at any time.
    pub fn add_situation(&mut self, situation: Situation) -> SituationId {
        let id = SituationId(self.shared.situations.len() as u16);
        let spots = match situation.activity {
            Activity::Exclusive { .. } => situation.capacity.unwrap_or(1) as usize,
            _ => situation.activity.spots().len(),
        };
        self.shared.rolls.push(Roll { holders: vec![None; spots], ..Roll::default() });
        self.shared.situations.push(situation);
        self.shared.index(id);
        id
    }

    /// Deletes a situation for good: at once nobody is in it any more, and nothing is left of it in anybody's memory.
    pub fn delete_situation(&mut self, situation: SituationId) {
        let Some(own) = self.shared.situations.get_mut(situation.index()) else { return };
        own.enabled = false;
        own.script = None;
        self.shared.rolls[situation.index()] = Roll::default();
        self.shared.forget(situation);
        for mind in &mut self.minds {
            mind.visits.retain(|visit| visit.situation != situation);
        }
    }

    /// Puts a situation in force or out of it; once out, nobody keeps any trace of it after the next decision.
    pub fn enable(&mut self, situation: SituationId, enabled: bool) {
        if let Some(situation) = self.shared.situations.get_mut(situation.index()) {
            situation.enabled = enabled;
        }
    }

    /// Adds an agent to a situation that has members, where there is room.
    pub fn join(&mut self, agent: usize, situation: SituationId) {
        let mind = &mut self.minds[agent];
        let Some(own) = self.shared.situations.get(situation.index()) else { return };
        let roll = &mut self.shared.rolls[situation.index()];
        let full = own.capacity.is_some_and(|most| roll.present.len() >= most as usize);
        if full || own.place != Place::Members || mind.visits.iter().any(|visit| visit.situation == situation)
        {
            return;
        }
        mind.visits.push(Visit::new(situation, self.frame, true));
        roll.present.push(self.ids[agent]);
    }

    /// Takes an agent out of a situation that has members.
    pub fn part(&mut self, agent: usize, situation: SituationId) {
        self.minds[agent].visits.retain(|visit| visit.situation != situation);
        let id = self.ids[agent];
        if let Some(roll) = self.shared.rolls.get_mut(situation.index()) {
            roll.present.retain(|other| *other != id);
        }
    }

    /// Carries out what an agent, by its number, asked for.
    fn carry_out(&mut self, agent: u32, change: Change) {
        let (name, joins) = match &change {
            Change::Join(name) => (name, true),
            Change::Part(name) => (name, false),
            &Change::Arrive(situation, spot) => {
                return self.requests.push(Request { agent, situation, spot });
            }
            _ => return self.shared.apply(agent, change, self.frame),
        };
        let Ok(index) = self.ids.binary_search(&agent) else { return };
        let named = |situation: &Situation| situation.place == Place::Members && situation.name == *name;
        let ids = (0..self.shared.situations.len()).filter(|&id| named(&self.shared.situations[id]));
        for id in ids.map(|id| SituationId(id as u16)).collect::<Vec<_>>() {
            if joins { self.join(index, id) } else { self.part(index, id) }
        }
    }

    /// The frame that the crowd is in.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.commitments.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.commitments.is_empty()
    }

    /// What came of all requests to be on a spot exactly.
    pub fn brought(&self) -> Brought {
        self.brought
    }

    /// The commitment of an agent.
    pub fn commitment(&self, agent: usize) -> &Commitment {
        &self.commitments[agent]
    }

    /// The frame in which an agent's commitment, or its waiting for room, was last settled: by its decision, by its
    /// coming into the crowd, by being held or by a vehicle that carries it.
    pub fn settled_in(&self, agent: usize) -> u32 {
        self.settled_in[agent]
    }

    /// The frame in which an agent decides next, if nothing happens before.
    pub fn due(&self, agent: usize) -> u32 {
        self.due[agent]
    }

    /// Positions of all agents in the current frame, in metres.
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// The placement of an agent in the current frame.
    pub fn placement(&self, agent: usize) -> Placement {
        self.commitments[agent].placement(&self.setting.book, self.frame)
    }

    /// The action that an agent shows and the (fractional) frame of its clip; `None` while it only stands in the
    /// pose of its node ([`Self::node`]).
    pub fn showing(&self, agent: usize) -> Option<(ActionId, f32)> {
        self.commitments[agent].showing(&self.setting.book, self.frame)
    }

    /// What an agent remembers.
    pub fn mind(&self, agent: usize) -> &Mind {
        &self.minds[agent]
    }

    /// What an agent remembers, to be changed from outside between two steps.
    pub fn mind_mut(&mut self, agent: usize) -> &mut Mind {
        self.settled_in[agent] = self.frame + 1;
        &mut self.minds[agent]
    }

    /// The node of the graph that an agent is in when its move, or a part of its way to rest, ends now.
    pub fn node(&self, agent: usize) -> NodeId {
        crate::decision::node_at(&self.setting.book, &self.commitments[agent], self.frame)
    }

    /// Advances the clock by one frame.
    pub fn step(&mut self) {
        // Entering the thread pool once is cheaper than at every part of the frame.
        rayon::scope(|_| self.step_in_pool());
    }

    fn step_in_pool(&mut self) {
        self.frame += 1;
        let frame = self.frame;
        let book = &self.setting.book;
        self.positions
            .par_iter_mut()
            .zip(&self.commitments)
            .with_min_len(4096)
            .for_each(|(position, commitment)| *position = commitment.position(book, frame));
        self.drive();
        self.call_rolls();
        self.decide_all();
        self.bring_in();
    }

    /// Brings the middles of groups up to date.
    fn call_rolls(&mut self) {
        let Shared { situations, rolls, .. } = &mut self.shared;
        let groups = situations
            .iter()
            .zip(rolls)
            .filter(|(situation, roll)| situation.place == Place::Members && !roll.present.is_empty());
        for (_, roll) in groups {
            // Numbers are given in order and agents keep theirs in order as long as nobody has left.
            let find = |id: &u32| self.ids.binary_search(id).ok();
            let (mut sum, mut count) = (Vec2::ZERO, 0.0);
            for index in roll.present.iter().filter_map(find) {
                sum += self.positions[index];
                count += 1.0;
            }
            roll.centre = if count > 0.0 { sum / count } else { roll.centre };
            if let Some(first) = roll.present.first().and_then(find) {
                roll.leader = self.commitments[first].placement(&self.setting.book, self.frame);
            }
        }
    }

    /// Lets all agents decide whose time has come.
    ///
    /// The ground is divided into cells wider than any two new commitments reach. Cells are coloured like a
    /// four-coloured chessboard; cells of one colour are too far apart to touch and are decided in parallel, each
    /// against what stood before plus what was decided in the same cell. So the result does not depend on threads.
    fn decide_all(&mut self) {
        let frame = self.frame;
        let side = 2.0 * (self.setting.book.reach() + MARGIN);
        let mut deciders: Vec<Due> = self
            .due
            .iter()
            .enumerate()
            .filter(|(_, due)| **due <= frame)
            .map(|(agent, _)| {
                let place = (self.positions[agent] / side).floor();
                let (column, row) = (place.x as i32, place.y as i32);
                ((column & 1 != 0, row & 1 != 0), (row, column), agent as u32)
            })
            .collect();
        if deciders.is_empty() {
            return;
        }
        deciders.sort_unstable();
        let mut leavers = Vec::new();
        let centres: Vec<Vec2> = self.bounds.iter().map(|bounds| bounds.centre).collect();
        self.grid.rebuild(&centres, CELL);
        self.fresh.agents.clear();
        self.fresh.frames.resize(self.bounds.len(), 0);
        let mut widest = self.bounds.iter().map(|bounds| bounds.radius).fold(0.0, f32::max);
        for colour in deciders.chunk_by(|a, b| a.0 == b.0) {
            let Fresh { agents, grid, .. } = &mut self.fresh;
            let centres: Vec<Vec2> = agents.iter().map(|&agent| self.bounds[agent as usize].centre).collect();
            grid.rebuild(&centres, CELL);
            let mut jobs = std::mem::take(&mut self.jobs);
            let cells = colour.chunk_by(|a, b| a.1 == b.1);
            let mut used = 0;
            for cell in cells {
                if used == jobs.len() {
                    jobs.push(Job::default());
                }
                let minds = &mut self.minds;
                let taken =
                    cell.iter().map(|&(_, _, agent)| (agent, std::mem::take(&mut minds[agent as usize])));
                jobs[used].agents.extend(taken);
                used += 1;
            }
            let decider = Decider {
                setting: &self.setting,
                shared: &self.shared,
                frame,
                ids: &self.ids,
                commitments: &self.commitments,
                bounds: &self.bounds,
                near: Near {
                    frame,
                    grid: &self.grid,
                    fresh: &self.fresh.agents,
                    fresh_frames: &self.fresh.frames,
                    fresh_grid: &self.fresh.grid,
                },
                widest,
                directed: &self.directed,
                bystanders: &self.bystanders,
            };
            jobs[..used].par_iter_mut().for_each(|job| {
                for (agent, mind) in &mut job.agents {
                    let decision = decider.decide(*agent, mind, &job.decisions, &mut job.changes);
                    job.decisions.push((*agent, decision));
                }
            });
            for job in &mut jobs[..used] {
                for (agent, mind) in job.agents.drain(..) {
                    self.minds[agent as usize] = mind;
                }
                for (agent, change) in job.changes.drain(..) {
                    self.carry_out(agent, change);
                }
                for (agent, decision) in job.decisions.drain(..) {
                    let agent = agent as usize;
                    self.due[agent] = decision.again;
                    if decision.settles {
                        self.settled_in[agent] = frame;
                    }
                    if decision.leaves {
                        leavers.push(agent);
                    }
                    if let Some(commitment) = decision.commitment {
                        self.bounds[agent] = commitment.bounds(&self.setting.book);
                        self.commitments[agent] = commitment;
                        widest = widest.max(self.bounds[agent].radius);
                        self.fresh.agents.push(agent as u32);
                        self.fresh.frames[agent] = frame;
                    }
                }
            }
            self.jobs = jobs;
        }
        leavers.sort_unstable();
        for agent in leavers.into_iter().rev() {
            self.remove(agent);
        }
    }

    /// Bytes of memory for each agent, all told.
    pub fn bytes_per_agent(&self) -> f32 {
        let hot = size_of::<Commitment>() + size_of::<Disc>() + size_of::<Vec2>() + 2 * size_of::<u32>();
        let grid = 5 * size_of::<u32>() + 2 * size_of::<Vec2>();
        let minds: usize = self.minds.iter().map(Mind::bytes).sum();
        let rolls: usize = self
            .shared
            .rolls
            .iter()
            .map(|roll| roll.present.capacity() * 4 + roll.holders.capacity() * 8)
            .sum();
        (hot + grid) as f32 + (minds + rolls) as f32 / self.len().max(1) as f32
    }

    /// Pairs of agents whose discs overlap in the current frame, and how deep the deepest overlap is, in metres.
    ///
    /// Always zero: this is what tests and benchmarks check.
    pub fn overlaps(&self) -> (usize, f32) {
        let radius = self.setting.book.options().radius;
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&self.positions, 2.0 * radius);
        let (mut pairs, mut deepest) = (0, 0.0f32);
        for (agent, &position) in self.positions.iter().enumerate() {
            grid.for_each_within(position, 2.0 * radius, |other, _, squared| {
                if (other as usize) < agent && squared < 4.0 * radius * radius {
                    pairs += 1;
                    deepest = deepest.max(2.0 * radius - squared.sqrt());
                }
            });
        }
        (pairs, deepest)
    }
}
