//! One agent's decision: weigh every action that leaves its node, sample one that keeps all promises.

use crate::behaviour::{Behaviour, Candidate, Here};
use crate::commitment::Commitment;
use crate::crowd::Setting;
use crate::grid::NeighbourGrid;
use crate::labels::LabelSet;
use crate::mind::Mind;
use crate::moves::MoveBook;
use crate::random::{Purpose, Random};
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_world::Router;
use glam::Vec2;
use std::cell::RefCell;

/// What came of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The new promise; `None` keeps the old one.
    pub commitment: Option<Commitment>,
    /// The frame of the next decision.
    pub again: u32,
}

/// All that decisions in one frame look at; nothing of it changes while they are made.
pub struct Decider<'a> {
    /// What all agents share.
    pub setting: &'a Setting,
    /// The frame.
    pub frame: u32,
    /// What everybody has promised.
    pub commitments: &'a [Commitment],
    /// A disc around each promise.
    pub bounds: &'a [Disc],
    /// The agents by the centres of those discs.
    pub grid: &'a NeighbourGrid,
    /// The largest radius of those discs, in metres.
    pub widest: f32,
}

/// The node in which an agent is at `frame`, when a part of its move ends there; its last node once it stands.
pub fn node_at(book: &MoveBook, commitment: &Commitment, frame: u32) -> NodeId {
    let Some(doing) = commitment.doing else { return commitment.node };
    let entry = book.get(doing);
    let elapsed = frame.saturating_sub(commitment.start_frame);
    let done = entry.parts.iter().rev().find(|part| part.first + part.frames <= elapsed);
    done.map_or(commitment.node, |part| part.to)
}

/// Lists that every decision needs, kept from one to the next.
#[derive(Default)]
struct Scratch {
    weights: Vec<f32>,
    neighbours: Vec<(Commitment, Disc)>,
    radii: Vec<f32>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// An agent is at a way point when it is this near, in metres.
const WAY_POINT_REACHED: f32 = 1.0;

/// An agent is at its goal when it is this near, in metres.
const GOAL_REACHED: f32 = 0.8;

impl Decider<'_> {
    /// Decides for `agent`; `decided` are the decisions made before in the same cell.
    pub fn decide(&self, agent: u32, mind: &mut Mind, decided: &[(u32, Decision)]) -> Decision {
        SCRATCH.with_borrow_mut(|scratch| self.decide_with(agent, mind, decided, scratch))
    }

    fn decide_with(
        &self,
        agent: u32,
        mind: &mut Mind,
        decided: &[(u32, Decision)],
        scratch: &mut Scratch,
    ) -> Decision {
        let book = &*self.setting.book;
        let own = &self.commitments[agent as usize];
        let start = own.placement(book, self.frame);
        let node = node_at(book, own, self.frame);
        let mut random = Random::new(self.setting.seed, agent, self.frame, Purpose::DECISION);
        self.find_way(start.position, mind, &mut random);
        self.weigh(start, node, mind, &mut scratch.weights);
        self.gather(agent, start.position, decided, &mut scratch.neighbours);
        scratch.radii.resize(512, book.options().radius);

        let choices = book.choices(node);
        while let Some(pick) = random.weighted(&scratch.weights) {
            let choice = &choices[pick];
            for &id in std::iter::once(&choice.normal).chain(&choice.others) {
                let commitment = Commitment::new(start, self.frame, id, node);
                if !commitment.is_clear_of(&self.setting.ground, book, &scratch.radii) {
                    // The same path at another speed meets the same walls.
                    break;
                }
                let bounds = commitment.bounds(book);
                let clashes = scratch
                    .neighbours
                    .iter()
                    .any(|(other, around)| around.meets(bounds) && commitment.clashes(other, book));
                if !clashes {
                    mind.blocked = 0;
                    return Decision {
                        commitment: Some(commitment),
                        again: self.frame + book.get(id).frames(),
                    };
                }
            }
            scratch.weights[pick] = 0.0;
        }
        mind.blocked = mind.blocked.saturating_add(1);
        Decision { commitment: None, again: self.next_chance(own, &mut random) }
    }

    /// When an agent that keeps its promise can decide again: at the next node, or after a moment of standing.
    fn next_chance(&self, own: &Commitment, random: &mut Random) -> u32 {
        let pause = self.frame + 5 + random.below(8);
        let Some(doing) = own.doing else { return pause };
        let ends =
            self.setting.book.get(doing).parts.iter().map(|part| own.start_frame + part.first + part.frames);
        ends.into_iter().find(|&end| end > self.frame).unwrap_or(pause)
    }

    /// Finds the way to the goal where it is not known, and moves on to the next way point where one is reached.
    fn find_way(&self, position: Vec2, mind: &mut Mind, random: &mut Random) {
        let Setting { book, ground, router, .. } = self.setting;
        if mind.is_near_goal(position, GOAL_REACHED) {
            mind.arrivals += 1;
            mind.goal = None;
        }
        if mind.goal.is_none() && mind.wanders {
            let mut stream = crowdloom_world::Stream::new(random.bits(), 0);
            if let Some(goal) = ground.random_point(None, book.options().radius + 0.15, &mut stream) {
                mind.head_for(goal);
            }
        }
        let Some(goal) = mind.goal else { return };
        if mind.way_points.is_empty() {
            let clearance = book.options().radius + 0.1;
            let from = ground.nearest_free(position, clearance).unwrap_or(position);
            match router.route(from, goal, clearance) {
                Ok(route) => {
                    mind.way_points = route.way_points;
                    mind.next = 1;
                }
                // Nobody can get there: the wish is given up.
                Err(_) => mind.goal = None,
            }
        }
        while let Some(&way_point) = mind.way_points.get(usize::from(mind.next)) {
            let last = usize::from(mind.next) + 1 == mind.way_points.len();
            let reached = way_point.distance(position) < WAY_POINT_REACHED;
            if last || !reached {
                break;
            }
            mind.next += 1;
        }
    }

    fn weigh(&self, start: Placement, node: NodeId, mind: &Mind, weights: &mut Vec<f32>) {
        let book = &*self.setting.book;
        let graph = book.graph();
        let labels = book.labels();
        let here = Here { position: start.position, facing: start.facing() };
        let at_rest = graph.node(node).rest;
        let special = labels.set([
            "run", "style", "carry", "sit", "fight", "fall", "talk", "listen", "look", "phone", "wave",
            "applaud", "shout",
        ]);
        let waiting = labels.set(["wait"]);
        let allowed = LabelSet(!special.0);
        let target = mind.target();
        let impatience = f32::from(mind.blocked.min(12)) / 12.0;
        let come = target.map(|to| Behaviour::ComeNearer { to, alpha: 5.0 * (1.0 - 0.7 * impatience) });
        weights.clear();
        weights.extend(book.choices(node).iter().map(|choice| {
            let entry = book.get(choice.normal);
            if !entry.labels.within(allowed) {
                return 0.0;
            }
            let end = start.then(entry.displacement);
            let to = graph.node(entry.parts[0].to);
            let candidate = Candidate {
                position: end.position,
                facing: end.facing(),
                turn: entry.displacement.heading,
                distance: entry.displacement.position.length(),
                speed: to.state.velocity.ground.length(),
                seconds: entry.frames() as f32 / FRAME_RATE,
                labels: entry.labels,
            };
            let mut weight = 1.0;
            match come {
                Some(come) => {
                    weight *= come.weight(here, &candidate);
                    if to.rest {
                        weight *= if at_rest { 0.1 } else { 0.01 };
                    } else {
                        weight *=
                            Behaviour::Pace { speed: mind.speed, tolerance: 0.25 }.weight(here, &candidate);
                    }
                    if candidate.labels.meets(waiting) {
                        weight *= 0.002 * impatience;
                    }
                    weight *= Behaviour::DontTurn { alpha: 1.0 }.weight(here, &candidate);
                }
                None => weight *= Behaviour::Stop { within: 0.3, otherwise: 0.0 }.weight(here, &candidate),
            }
            weight
        }));
    }

    /// Collects the promises that any new one of this agent could clash with.
    fn gather(
        &self,
        agent: u32,
        position: Vec2,
        decided: &[(u32, Decision)],
        neighbours: &mut Vec<(Commitment, Disc)>,
    ) {
        let reach = self.setting.book.reach();
        neighbours.clear();
        self.grid.for_each_within(position, reach + self.widest, |other, centre, squared| {
            let around = self.bounds[other as usize].radius + reach;
            if other != agent && squared < around * around {
                let replaced =
                    decided.iter().any(|(who, decision)| *who == other && decision.commitment.is_some());
                if !replaced {
                    neighbours.push((
                        self.commitments[other as usize],
                        Disc::new(centre, self.bounds[other as usize].radius),
                    ));
                }
            }
        });
        let new = decided.iter().filter_map(|(_, decision)| decision.commitment);
        neighbours.extend(new.map(|commitment| (commitment, commitment.bounds(&self.setting.book))));
    }
}
