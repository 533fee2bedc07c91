//! One agent's decision: weigh every action that leaves its node, sample one that keeps all promises.

use crate::behaviour::{Behaviour, Candidate, Here};
use crate::commitment::Commitment;
use crate::consult::Who;
use crate::crowd::Setting;
use crate::ledger::{Binding, Ledger, Now};
use crate::labels::LabelSet;
use crate::mind::Mind;
use crate::moves::MoveBook;
use crate::person::{Errand, Mover};
use crate::random::{Purpose, Random};
use crate::shared::Shared;
use crate::situation::{Change, Defaults, Influence};
use crate::steering::{Course, THINKS};
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
    /// What somebody who is steered wants from now on.
    pub(crate) course: Option<Course>,
    /// What moves it from now on, if something else.
    pub(crate) becomes: Option<Mover>,
}

impl Decision {
    /// Keeps the old promise and decides again in a frame.
    fn keep(again: u32) -> Self {
        Self { commitment: None, again, leaves: false, settles: false, course: None, becomes: None }
    }
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
    /// What moves everybody now.
    pub(crate) movers: &'a [Mover],
    /// What moves everybody where no situation needs clips.
    pub(crate) usual_movers: &'a [Mover],
    /// What everybody has promised.
    pub(crate) ledger: &'a Ledger,
}

/// The node in which an agent is at `frame`, when a part of its move ends there; its last node once it stands.
pub fn node_at(book: &MoveBook, commitment: &Commitment, frame: u32) -> NodeId {
    let Some(doing) = commitment.doing else { return commitment.node };
    let entry = book.get(doing);
    let elapsed = frame.saturating_sub(commitment.start_frame);
    let done = entry.parts.iter().rev().find(|part| part.first + part.frames <= elapsed);
    done.map_or(commitment.node, |part| part.to)
}

/// Whether what situations ask of somebody is shown by clips of the graph, whatever else moves it.
fn needs_clips(influence: &Influence, mind: &Mind) -> bool {
    influence.wants != LabelSet::NONE || influence.settles || influence.hold || mind.ride.is_some()
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

/// Who stays where it is does not step farther than this, in metres.
const ROOTED: f32 = 0.02;

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
            let own = &self.ledger.promises[index as usize];
            let book = &*self.setting.book;
            match self.movers[index as usize] {
                Mover::Graph | Mover::CellMarking => {}
                Mover::Steered(_) => return self.think(index, mind, changes),
                Mover::Planned | Mover::Recorded => return self.end(index, own),
            }
            let id = self.ids[index as usize];
            let start = own.placement(book, self.frame);
            let node = node_at(book, own, self.frame);
            let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::DECISION);
            let who = Who { index, id, placement: start, node, moves: false };
            let waited = mind.waits();
            let influence = self.consult(who, mind, &mut random, changes);
            let keep = |mind: &Mind, random: &mut Random| {
                let settles = own.rest_frame(book) >= self.frame || mind.waits() != waited;
                Decision { settles, ..Decision::keep(self.next_chance(own, random)) }
            };
            if influence.hold {
                return keep(mind, &mut random);
            }
            let usual = self.usual_movers[index as usize];
            let stands = own.rest_frame(book) <= self.frame && Some(node) == book.rest_nodes().next();
            if let Mover::Steered(_) = usual
                && stands
                && !needs_clips(&influence, mind)
                && mind.visits.iter().all(|visit| visit.spot.is_none())
            {
                return Decision { becomes: Some(usual), ..keep(mind, &mut random) };
            }
            let wayfinding = Wayfinding { setting: self.setting, shared: self.shared, frame: self.frame };
            if wayfinding.plan(start.position, mind, &influence, &mut random) {
                return Decision { leaves: true, settles: true, ..Decision::keep(self.frame + 1) };
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

    /// Thinks for somebody who is steered: its situations, where it goes and how fast.
    fn think(&self, index: u32, mind: &mut Mind, changes: &mut Vec<(u32, Change)>) -> Decision {
        let own = &self.ledger.promises[index as usize];
        let id = self.ids[index as usize];
        let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::DECISION);
        let moves = mind.goal.is_some() && mind.blocked == 0;
        let who = Who { index, id, placement: own.start, node: own.node, moves };
        let asked_before = changes.len();
        let influence = self.consult(who, mind, &mut random, changes);
        let again = self.frame + THINKS;
        if needs_clips(&influence, mind) {
            // What it wants exactly it asks for once it follows clips.
            let mut place = 0;
            changes.retain(|(_, change)| {
                place += 1;
                place <= asked_before || !matches!(change, Change::Arrive(..))
            });
            let course = Some(Course::default());
            return Decision { becomes: Some(Mover::Graph), course, ..Decision::keep(again) };
        }
        let wayfinding = Wayfinding { setting: self.setting, shared: self.shared, frame: self.frame };
        if wayfinding.plan(own.start.position, mind, &influence, &mut random) {
            return Decision { leaves: true, settles: true, ..Decision::keep(self.frame + 1) };
        }
        let nearer = |behaviour: &Behaviour| match *behaviour {
            Behaviour::ComeNearer { to, .. } => Some(to),
            _ => None,
        };
        let course = Course {
            speed: if influence.stand { 0.0 } else { influence.pace.unwrap_or(mind.speed) },
            towards: influence.added().find_map(|(behaviour, _)| nearer(behaviour)),
            stay_in: influence.stay_in.map(|region| region as u32),
            keep_out: influence.kept_out_of().next().map(|region| region as u32),
        };
        Decision { course: Some(course), ..Decision::keep(again) }
    }

    /// What somebody does whose planned or recorded way is over.
    fn end(&self, index: u32, own: &Commitment) -> Decision {
        let book = &*self.setting.book;
        if self.frame < own.rest_frame(book) {
            return Decision::keep(own.rest_frame(book));
        }
        let leaves = !own.is_there(book, self.frame);
        let becomes = match self.usual_movers[index as usize] {
            Mover::Planned | Mover::Recorded => Mover::Graph,
            usual => usual,
        };
        Decision { leaves, settles: true, becomes: Some(becomes), ..Decision::keep(self.frame + THINKS) }
    }

    /// What promises have to be clear of besides those of others.
    pub(crate) fn now(&self) -> Now<'_> {
        Now { book: &self.setting.book, vehicles: &self.shared.vehicles, frame: self.frame }
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
        let now = self.now();
        let vehicle = mind.ride.as_ref().map(|ride| ride.vehicle);
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
                let foretold = || self.ledger.is_foretold_against(Binding::Firm, &commitment, bounds, book);
                if !clashes && !now.is_driven_against(vehicle, &commitment, bounds) && !foretold() {
                    let again = self.frame + book.get(id).frames();
                    return Some(Decision {
                        commitment: Some(commitment),
                        settles: true,
                        ..Decision::keep(again)
                    });
                }
            }
            scratch.weights[pick] = 0.0;
        }
        None
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
        let rooted = matches!(mind.errand, Errand::Stay(_));
        weights.clear();
        weights.extend(book.choices(node).iter().map(|choice| {
            let entry = book.get(choice.normal);
            if rooted && entry.displacement.position.length() > ROOTED {
                return 0.0;
            }
            let mut permitted = if runs { allowed | labels.running } else { allowed };
            let own_style = style == Some(entry.parts[0].to);
            // A style is entered by who should have it, and left by everybody.
            if own_style || in_style {
                permitted = permitted | labels.styled;
            }
            let homeward = home.is_some() && home == entry.parts[0].action;
            let lent = || {
                influence.grafts && entry.parts[0].action.is_some_and(|action| self.is_lent(action, mind))
            };
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
        neighbours.clear();
        let Ledger { promises, bounds, .. } = self.ledger;
        self.ledger.for_each_near(position, self.setting.book.reach(), |other| {
            let replaced = || {
                decided.iter().any(|(who, decision)| *who == other && decision.commitment.is_some())
            };
            if other != index && !replaced() {
                neighbours.push((promises[other as usize], bounds[other as usize]));
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
