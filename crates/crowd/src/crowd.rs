//! The crowd: agents on a motion graph, each deciding when its move ends, all promises kept.

use crate::commitment::Commitment;
use crate::decision::{Decider, Decision};
use crate::grid::NeighbourGrid;
use crate::mind::Mind;
use crate::moves::MoveBook;
use crate::random::{Purpose, Random};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::Disc;
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

/// Agents and the clock.
pub struct Crowd {
    setting: Setting,
    frame: u32,
    // What every frame touches.
    commitments: Vec<Commitment>,
    bounds: Vec<Disc>,
    positions: Vec<Vec2>,
    due: Vec<u32>,
    // What a decision touches.
    minds: Vec<Mind>,
    grid: NeighbourGrid,
    jobs: Vec<Job>,
}

/// Agents that decide in one cell of the ground, one after the other.
struct Job {
    agents: Vec<(u32, Mind)>,
    decisions: Vec<(u32, Decision)>,
}

/// Agents look this much farther than commitments reach when they are grouped, in metres.
const MARGIN: f32 = 0.5;

impl Crowd {
    /// A crowd without anybody.
    pub fn new(setting: Setting) -> Self {
        Self {
            setting,
            frame: 0,
            commitments: Vec::new(),
            bounds: Vec::new(),
            positions: Vec::new(),
            due: Vec::new(),
            minds: Vec::new(),
            grid: NeighbourGrid::default(),
            jobs: Vec::new(),
        }
    }

    /// What all agents share.
    pub fn setting(&self) -> &Setting {
        &self.setting
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

    /// The commitment of an agent.
    pub fn commitment(&self, agent: usize) -> &Commitment {
        &self.commitments[agent]
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
        &mut self.minds[agent]
    }

    /// Adds an agent that stands at `placement`, if the place is free; returns its number.
    pub fn add(&mut self, placement: Placement, mind: Mind) -> Option<usize> {
        let book = &self.setting.book;
        let commitment = Commitment::standing(placement, self.frame, self.standing_node());
        if !self.setting.ground.is_free(placement.position, book.options().radius) {
            return None;
        }
        if self.commitments.iter().any(|other| commitment.clashes(other, book)) {
            return None;
        }
        self.push(commitment, mind);
        Some(self.len() - 1)
    }

    /// Adds up to `count` agents at random free places of the ground (or of the region called `region`), facing
    /// anywhere; returns how many found a place.
    pub fn scatter(
        &mut self,
        count: usize,
        region: Option<&str>,
        mut mind: impl FnMut(&mut Random) -> Mind,
    ) -> usize {
        const TRIES: usize = 30;
        let book = self.setting.book.clone();
        let ground = self.setting.ground.clone();
        let region = match region {
            Some(name) => match ground.region(name) {
                Some(region) => Some(region),
                None => return 0,
            },
            None => None,
        };
        let clearance = book.options().radius + 0.02;
        let spacing = 2.0 * clearance;
        let mut stream = crowdloom_world::Stream::new(self.setting.seed, 0x5ca7 + self.len() as u64);
        // New agents stand: they must stay off all that was promised before, and off each other.
        let mut grid = NeighbourGrid::default();
        let centres: Vec<Vec2> = self.bounds.iter().map(|bounds| bounds.centre).collect();
        let widest = self.bounds.iter().map(|bounds| bounds.radius).fold(0.0, f32::max);
        grid.rebuild(&centres, 4.0);
        let mut occupied: std::collections::HashMap<(i32, i32), Vec<Vec2>> = std::collections::HashMap::new();
        let cell = |point: Vec2| ((point.x / spacing).floor() as i32, (point.y / spacing).floor() as i32);
        let node = self.standing_node();
        let mut placed = 0;
        for _ in 0..count {
            for _ in 0..TRIES {
                let Some(point) = ground.random_point(region, clearance, &mut stream) else { break };
                let (column, row) = cell(point);
                let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
                let crowded = near
                    .filter_map(|key| occupied.get(&key))
                    .flatten()
                    .any(|other| other.distance(point) < spacing);
                let standing =
                    Commitment::standing(Placement { position: point, heading: 0.0 }, self.frame, node);
                let mut clashes = crowded;
                grid.for_each_within(point, widest + clearance, |other, _, _| {
                    clashes |= standing.clashes(&self.commitments[other as usize], &book);
                });
                if clashes {
                    continue;
                }
                let agent = self.len() as u32;
                let mut random = Random::new(self.setting.seed, agent, self.frame, Purpose::BIRTH);
                let heading = random.between(-std::f32::consts::PI, std::f32::consts::PI);
                let mind = mind(&mut random);
                self.push(
                    Commitment::standing(Placement { position: point, heading }, self.frame, node),
                    mind,
                );
                occupied.entry((column, row)).or_default().push(point);
                placed += 1;
                break;
            }
        }
        placed
    }

    /// The node in which newcomers stand.
    fn standing_node(&self) -> NodeId {
        self.setting.book.rest_nodes().next().unwrap_or(NodeId(0))
    }

    fn push(&mut self, commitment: Commitment, mind: Mind) {
        let agent = self.len() as u32;
        let mut random = Random::new(self.setting.seed, agent, self.frame, Purpose::FIRST_DECISION);
        self.bounds.push(commitment.bounds(&self.setting.book));
        self.positions.push(commitment.start.position);
        // Not everybody starts in the same frame.
        self.due.push(self.frame + 1 + random.below(30));
        self.commitments.push(commitment);
        self.minds.push(mind);
    }

    /// The node of the graph that an agent is in when its move, or a part of its way to rest, ends now.
    pub fn node(&self, agent: usize) -> NodeId {
        crate::decision::node_at(&self.setting.book, &self.commitments[agent], self.frame)
    }

    /// Advances the clock by one frame.
    pub fn step(&mut self) {
        self.frame += 1;
        let frame = self.frame;
        let book = &self.setting.book;
        self.positions
            .par_iter_mut()
            .zip(&self.commitments)
            .with_min_len(4096)
            .for_each(|(position, commitment)| *position = commitment.position(book, frame));
        self.decide_all();
    }

    /// Lets all agents decide whose time has come.
    ///
    /// The ground is divided into cells wider than any two new commitments reach. Cells are coloured like a
    /// four-coloured chessboard; cells of one colour are too far apart to touch and are decided in parallel, each
    /// against what stood before plus what was decided in the same cell. So the result does not depend on threads.
    fn decide_all(&mut self) {
        let frame = self.frame;
        let side = 2.0 * (self.setting.book.reach() + MARGIN);
        let mut deciders: Vec<((bool, bool), (i32, i32), u32)> = self
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
        for colour in deciders.chunk_by(|a, b| a.0 == b.0) {
            self.rebuild_grid();
            let mut jobs = std::mem::take(&mut self.jobs);
            let cells = colour.chunk_by(|a, b| a.1 == b.1);
            let mut used = 0;
            for cell in cells {
                if used == jobs.len() {
                    jobs.push(Job { agents: Vec::new(), decisions: Vec::new() });
                }
                let minds = &mut self.minds;
                let taken =
                    cell.iter().map(|&(_, _, agent)| (agent, std::mem::take(&mut minds[agent as usize])));
                jobs[used].agents.extend(taken);
                used += 1;
            }
            let decider = Decider {
                setting: &self.setting,
                frame,
                commitments: &self.commitments,
                bounds: &self.bounds,
                grid: &self.grid,
                widest: self.bounds.iter().map(|bounds| bounds.radius).fold(0.0, f32::max),
            };
            jobs[..used].par_iter_mut().for_each(|job| {
                for (agent, mind) in &mut job.agents {
                    let decision = decider.decide(*agent, mind, &job.decisions);
                    job.decisions.push((*agent, decision));
                }
            });
            for job in &mut jobs[..used] {
                for (agent, mind) in job.agents.drain(..) {
                    self.minds[agent as usize] = mind;
                }
                for (agent, decision) in job.decisions.drain(..) {
                    let agent = agent as usize;
                    self.due[agent] = decision.again;
                    if let Some(commitment) = decision.commitment {
                        self.bounds[agent] = commitment.bounds(&self.setting.book);
                        self.commitments[agent] = commitment;
                    }
                }
            }
            self.jobs = jobs;
        }
    }

    fn rebuild_grid(&mut self) {
        let centres: Vec<Vec2> = self.bounds.iter().map(|bounds| bounds.centre).collect();
        self.grid.rebuild(&centres, 3.0);
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
