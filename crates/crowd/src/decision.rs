//! One agent's decision: weigh every action that leaves its node, sample one that keeps all promises.

use crate::behaviour::{Behaviour, Candidate, Here};
use crate::bystanders::Bystanders;
use crate::commitment::Commitment;
use crate::consult::Who;
use crate::crowd::Setting;
use crate::directed::Directed;
use crate::grid::NeighbourGrid;
use crate::labels::LabelSet;
use crate::mind::Mind;
use crate::moves::MoveBook;
use crate::random::{Purpose, Random};
use crate::shared::Shared;
use crate::situation::{Change, Defaults, Influence};
use crate::wayfinding::Wayfinding;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_RATE, Placement};
use glam::Vec2;
use std::cell::RefCell;

/// What came of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The new promise; `None` keeps the old one.
    pub commitment: Option<Commitment>,
    /// The frame of the next decision.
    pub again: u32,
    /// Whether the agent leaves the scene.
    pub leaves: bool,
    /// Whether what it does from now on is news: not of one who stands on as before.
    pub settles: bool,
}

/// All that decisions in one frame look at; nothing of it changes while they are made.
pub struct Decider<'a> {
    /// What never changes.
    pub setting: &'a Setting,
    /// Situations, signals and scenario.
    pub shared: &'a Shared,
    /// The frame.
    pub frame: u32,
    /// Numbers of the agents.
    pub ids: &'a [u32],
    /// What everybody has promised.
    pub commitments: &'a [Commitment],
    /// A disc around each promise.
    pub bounds: &'a [Disc],
    /// The agents by the centres of those discs.
    pub near: Near<'a>,
    /// The largest radius of those discs, in metres.
    pub widest: f32,
    /// Motions of others that all keep off.
    pub directed: &'a [(u32, Directed)],
    /// Those who are moved by something else, standing where they are.
    pub bystanders: &'a Bystanders,
}

/// Agents by the centres of their promises' discs: all as they were when the frame began, and those who decided since.
pub struct Near<'a> {
    /// The frame.
    pub frame: u32,
    /// All agents, as they were.
    pub grid: &'a NeighbourGrid,
    /// Those who have decided since, by their index.
    pub fresh: &'a [u32],
    /// The frame in which each agent was last among those.
    pub fresh_frames: &'a [u32],
    /// Those who have decided since, as they are now.
    pub fresh_grid: &'a NeighbourGrid,
}

impl Near<'_> {
    /// Calls `visit` with the index of every agent whose centre is within `radius` metres of `point`, the centre and its
    /// squared distance.
    pub fn for_each_within(&self, point: Vec2, radius: f32, mut visit: impl FnMut(u32, Vec2, f32)) {
        self.grid.for_each_within(point, radius, |agent, centre, squared| {
            if self.fresh_frames[agent as usize] != self.frame {
                visit(agent, centre, squared);
            }
        });
        if !self.fresh.is_empty() {
            self.fresh_grid.for_each_within(point, radius, |index, centre, squared| {
                visit(self.fresh[index as usize], centre, squared);
            });
        }
    }
}

/// The node in which an agent is at `frame`, when a part of its move ends there; its last node once it stands.
pub fn node_at(book: &MoveBook, commitment: &Commitment, frame: u32) -> NodeId {
    let Some(doing) = commitment.doing else { return commitment.node };
    let entry = book.get(doing);
    let elapsed = frame.saturating_sub(commitment.start_frame);
    let done = entry.parts.iter().rev().find(|part| part.first + part.frames <= elapsed);
    done.map_or(commitment.node, |part| part.to)
}

/// Where an agent heads and how it feels about those in its way.
#[derive(Clone, Copy)]
struct Aim {
    target: Option<Vec2>,
    impatience: f32,
}

/// Lists that every decision needs, kept from one to the next.
#[derive(Default)]
struct Scratch {
    weights: Vec<f32>,
    neighbours: Vec<(Commitment, Disc)>,
    radii: Vec<f32>,
    wide_radii: Vec<f32>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Slope of the target finding behaviour, whose x is between -2 and 0.5.
const TARGET_ALPHA: f32 = 12.0;

/// Slope of the don't turn behaviour.
const STRAIGHT_ALPHA: f32 = 6.0;

/// The weight of walking on in another style than the agent's own.
const OTHER_STYLE: f32 = 0.02;

/// How far from its own pace, in metres a second, an agent walks gladly.
const PACE_TOLERANCE: f32 = 0.25;

/// Somebody who comes the other way matters from this far, in metres.
const ONCOMING_REACH: f32 = 8.0;

/// Somebody who comes the other way matters this far to either side, in metres.
const ONCOMING_WIDTH: f32 = 1.6;

/// How far to the right an agent gives way, in radians; twice as far when it is as impatient as can be.
const GIVE_WAY: f32 = 0.35;

/// How far back they want to be, in metres.
const RETREAT: f32 = 6.0;

/// Decisions without a way forward after which an agent is as impatient as can be.
const MOST_BLOCKED: u16 = 12;

impl Decider<'_> {
    /// Decides for the agent at `index`; `decided` are the decisions made before in the same cell, and changes to
    /// situations are pushed to `changes` with the agent's index.
    pub fn decide(
        &self,
        index: u32,
        mind: &mut Mind,
        decided: &[(u32, Decision)],
        changes: &mut Vec<(u32, Change)>,
    ) -> Decision {
        SCRATCH.with_borrow_mut(|scratch| {
            let own = &self.commitments[index as usize];
            let id = self.ids[index as usize];
            let start = own.placement(&self.setting.book, self.frame);
            let node = node_at(&self.setting.book, own, self.frame);
            let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::DECISION);
            let who = Who { index, id, placement: start, node };
            let waited = mind.waits();
            let influence = self.consult(who, mind, &mut random, changes);
            let keep = |mind: &Mind, random: &mut Random| {
                let settles = own.rest_frame(&self.setting.book) >= self.frame || mind.waits() != waited;
                Decision { commitment: None, again: self.next_chance(own, random), leaves: false, settles }
            };
            if influence.hold {
                return keep(mind, &mut random);
            }
            let wayfinding = Wayfinding { setting: self.setting, shared: self.shared, frame: self.frame };
            if wayfinding.plan(start.position, mind, &influence, &mut random) {
                return Decision { commitment: None, again: self.frame + 1, leaves: true, settles: true };
            }
            self.gather(index, start.position, decided, &mut scratch.neighbours);
            let aim = Aim {
                target: self.heading(start.position, mind, &influence, &scratch.neighbours),
                impatience: self.impatience(start.position, mind, &scratch.neighbours),
            };
            self.weigh(start, node, mind, &influence, aim, &mut scratch.weights);
            self.choose(who, mind, &mut random, scratch).unwrap_or_else(|| keep(mind, &mut random))
        })
    }

    /// Samples actions by their weights until one keeps all promises.
    fn choose(&self, who: Who, mind: &Mind, random: &mut Random, scratch: &mut Scratch) -> Option<Decision> {
        let book = &*self.setting.book;
        let Who { placement: start, node, .. } = who;
        scratch.radii.clear();
        scratch.radii.resize(book.longest_path(), book.options().radius);
        scratch.wide_radii.clear();
        scratch.wide_radii.resize(book.longest_path(), book.path_radius());
        let choices = book.choices(node);
        while let Some(pick) = random.weighted(&scratch.weights) {
            let choice = &choices[pick];
            for &id in std::iter::once(&choice.normal).chain(&choice.others) {
                let commitment = Commitment::new(start, self.frame, id, node);
                if !commitment.is_clear_of(&self.setting.ground, book, &scratch.radii, &scratch.wide_radii) {
                    // The same path at another speed meets the same walls.
                    break;
                }
                let bounds = commitment.bounds(book);
                let clashes = scratch
                    .neighbours
                    .iter()
                    .any(|(other, around)| around.meets(bounds) && commitment.clashes(other, book));
                let directed = |(_, motion): &(u32, Directed)| motion.clashes(&commitment, book);
                if !clashes
                    && self.keeps_off_vehicles(&commitment, bounds, mind)
                    && !self.directed.iter().any(directed)
                    && !self.bystanders.are_met_by(&commitment, self.frame, book)
                {
                    let again = self.frame + book.get(id).frames();
                    return Some(Decision {
                        commitment: Some(commitment),
                        again,
                        leaves: false,
                        settles: true,
                    });
                }
            }
            scratch.weights[pick] = 0.0;
        }
        None
    }

    /// Whether a promise stays out of what vehicles claim, but for one with open doors that the agent boards or leaves.
    fn keeps_off_vehicles(&self, commitment: &Commitment, bounds: Disc, mind: &Mind) -> bool {
        let own = mind.ride.as_ref().map(|ride| usize::from(ride.vehicle));
        self.shared.vehicles.iter().enumerate().all(|(index, vehicle)| {
            !vehicle.state.under_way
                || own == Some(index) && vehicle.is_open()
                || !vehicle.claim_bounds().meets(bounds)
                || !commitment.any_disc(&self.setting.book, self.frame, &|disc| vehicle.claims(disc))
        })
    }

    /// When an agent that keeps its promise can decide again: at the next node, or after a moment of standing.
    fn next_chance(&self, own: &Commitment, random: &mut Random) -> u32 {
        let pause = self.frame + 5 + random.below(8);
        let Some(doing) = own.doing else { return pause };
        let parts = &self.setting.book.get(doing).parts;
        let ends = parts.iter().map(|part| own.start_frame + part.first + part.frames);
        ends.into_iter().find(|&end| end > self.frame).unwrap_or(pause)
    }

    /// The point to head for: the next way point, or to the right of it where somebody comes the other way.
    fn heading(
        &self,
        position: Vec2,
        mind: &Mind,
        influence: &Influence,
        neighbours: &[(Commitment, Disc)],
    ) -> Option<Vec2> {
        if influence.stand || influence.removes.has(Defaults::TARGET_FIND) {
            return None;
        }
        let target = mind.target()?;
        let way = target - position;
        let distance = way.length();
        if distance < 2.0 {
            return Some(target);
        }
        let ahead = way / distance;
        let book = &*self.setting.book;
        if self.frame < mind.retreats_until {
            let in_front = |other: &Commitment| {
                let offset = other.position(book, self.frame) - position;
                offset.length() < 2.0 && offset.dot(ahead) > 0.0
            };
            // Only while there is somebody to let pass.
            if neighbours.iter().any(|(other, _)| in_front(other)) {
                return Some(position - ahead * RETREAT);
            }
        }
        let oncoming = neighbours.iter().any(|(other, around)| {
            if around.centre.distance(position) > ONCOMING_REACH + around.radius {
                return false;
            }
            let there = other.placement(book, self.frame);
            let offset = there.position - position;
            let (along, aside) = (offset.dot(ahead), offset.perp_dot(ahead));
            (0.3..ONCOMING_REACH).contains(&along)
                && (-ONCOMING_WIDTH..ONCOMING_WIDTH).contains(&aside)
                && there.facing().dot(ahead) < -0.3
        });
        if !oncoming {
            return Some(target);
        }
        let impatience = self.impatience(position, mind, neighbours);
        let (sine, cosine) = libm::sincosf(-GIVE_WAY * (1.0 + impatience));
        Some(position + Vec2::new(cosine, sine).rotate(ahead) * distance.min(ONCOMING_REACH))
    }

    /// How impatient the agent is with those around it, from 0 to 1; nobody is impatient alone.
    fn impatience(&self, position: Vec2, mind: &Mind, neighbours: &[(Commitment, Disc)]) -> f32 {
        let near =
            |other: &Commitment| other.position(&self.setting.book, self.frame).distance(position) < 1.5;
        if mind.blocked == 0 || !neighbours.iter().any(|(other, _)| near(other)) {
            return 0.0;
        }
        f32::from(mind.blocked.min(MOST_BLOCKED)) / f32::from(MOST_BLOCKED)
    }

    /// Weighs every choice at the node by all behaviours that hold.
    fn weigh(
        &self,
        start: Placement,
        node: NodeId,
        mind: &Mind,
        influence: &Influence,
        aim: Aim,
        weights: &mut Vec<f32>,
    ) {
        let book = &*self.setting.book;
        let graph = book.graph();
        let ground = &*self.setting.ground;
        let here = Here { position: start.position, facing: start.facing() };
        let at_rest = graph.node(node).rest;
        let labels = self.shared.labels;
        let allowed = LabelSet(!labels.special.0) | influence.grants;
        let Aim { target, impatience } = aim;
        let speed = influence.pace.unwrap_or(mind.speed);
        let come = target.map(|to| Behaviour::ComeNearer {
            to,
            pace: speed,
            alpha: TARGET_ALPHA * (1.0 - 0.8 * impatience),
        });
        let pace = Behaviour::Pace { speed, tolerance: PACE_TOLERANCE };
        let runs = influence.pace.is_some();
        let looks_up = ground.likelihood_layer().is_some() && !influence.removes.has(Defaults::IMAGE_LOOKUP);
        let moves_on =
            come.is_some() || influence.added().any(|(b, _)| matches!(b, Behaviour::ComeNearer { .. }));
        let finds = influence.power(Defaults::TARGET_FIND);
        // Whoever is outside already may come in any way.
        let stay_in = influence
            .stay_in
            .map(|region| &ground.regions()[region])
            .filter(|region| region.contains(start.position));
        // From a special node (a seat, the ground) there is always the way back to one's feet.
        let home = book.homeward(node).filter(|_| at_rest);
        let style = mind.style.map(NodeId);
        let in_style =
            book.choices(node).first().is_some_and(|c| book.get(c.normal).labels.meets(labels.styled));
        weights.clear();
        weights.extend(book.choices(node).iter().map(|choice| {
            let entry = book.get(choice.normal);
            let mut permitted = if runs { allowed | labels.running } else { allowed };
            let own_style = style == Some(entry.parts[0].to);
            // A style is entered by who should have it, and left by everybody.
            if own_style || in_style {
                permitted = permitted | labels.styled;
            }
            let homeward = home == Some(entry.parts[0].action);
            let lent = || influence.grafts && self.is_lent(entry.parts[0].action, mind);
            if !(entry.labels.within(permitted) || homeward || lent()) {
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
            if let Some(come) = &come {
                weight *= raised(come.weight(here, &candidate), finds);
            }
            for (behaviour, power) in influence.added() {
                weight *= raised(behaviour.weight(here, &candidate), *power);
            }
            if moves_on {
                if to.rest {
                    weight *= if at_rest { 0.1 } else { 0.01 };
                } else if !own_style {
                    // A style has its own pace; who is not in it yet keeps to the agent's.
                    weight *= raised(pace.weight(here, &candidate), influence.power(Defaults::PACE));
                    weight *= if style.is_some() { OTHER_STYLE } else { 1.0 };
                }
                if candidate.labels.meets(labels.waiting) {
                    weight *= 0.002 * impatience;
                }
            } else {
                weight *= Behaviour::Stop { within: 0.75, otherwise: 0.0 }.weight(here, &candidate);
                // Who settles on a spot takes small steps instead of idling.
                let seldom = if influence.settles { labels.waiting } else { labels.stepping };
                if candidate.labels.meets(seldom) {
                    weight *= 0.02;
                }
            }
            // At rest one turns as one likes.
            if !at_rest {
                let straight = Behaviour::DontTurn { alpha: STRAIGHT_ALPHA }.weight(here, &candidate);
                weight *= raised(straight, influence.power(Defaults::DONT_TURN));
            }
            if homeward && influence.wants != LabelSet::NONE && entry.labels.meets(influence.wants) {
                // Who is where it should be does not get up.
                weight = 0.0;
            }
            if influence.wants != LabelSet::NONE {
                weight *=
                    Behaviour::Prefer { labels: influence.wants, otherwise: 0.15 }.weight(here, &candidate);
            }
            if looks_up {
                let likely = ground.likelihood(end.position);
                weight *= raised(likely, influence.power(Defaults::IMAGE_LOOKUP));
            }
            // Appendix A.6: the whole motion, its way to rest included, is inside (or outside) the region.
            let mut way = entry.path.iter().map(|&point| start.transform_point(point));
            if weight > 0.0 && stay_in.is_some_and(|region| way.any(|point| !region.contains(point))) {
                return 0.0;
            }
            let strays = |region: usize| {
                let region = &ground.regions()[region];
                entry.path.iter().any(|&point| region.contains(start.transform_point(point)))
            };
            if weight > 0.0 && influence.kept_out_of().any(strays) {
                return 0.0;
            }
            weight
        }));
    }

    /// Whether a situation that the agent takes part in lends it an action.
    fn is_lent(&self, action: ActionId, mind: &Mind) -> bool {
        mind.visits.iter().filter(|visit| visit.takes_part && !visit.asks).any(|visit| {
            let situation = &self.shared.situations[visit.situation.index()];
            situation.in_force(self.frame) && situation.actions.binary_search(&action).is_ok()
        })
    }

    /// Collects the promises that any new one of this agent could clash with.
    fn gather(
        &self,
        index: u32,
        position: Vec2,
        decided: &[(u32, Decision)],
        neighbours: &mut Vec<(Commitment, Disc)>,
    ) {
        let reach = self.setting.book.reach();
        neighbours.clear();
        self.near.for_each_within(position, reach + self.widest, |other, centre, squared| {
            let around = self.bounds[other as usize].radius + reach;
            if other != index && squared < around * around {
                let replaced =
                    decided.iter().any(|(who, decision)| *who == other && decision.commitment.is_some());
                if !replaced {
                    let bounds = Disc::new(centre, self.bounds[other as usize].radius);
                    neighbours.push((self.commitments[other as usize], bounds));
                }
            }
        });
        let new = decided.iter().filter_map(|(_, decision)| decision.commitment);
        neighbours.extend(new.map(|commitment| (commitment, commitment.bounds(&self.setting.book))));
    }
}

/// A weight raised to a power; most powers are 1.
fn raised(weight: f32, power: f32) -> f32 {
    if power == 1.0 {
        weight
    } else if power == 0.0 {
        1.0
    } else {
        libm::powf(weight, power)
    }
}
