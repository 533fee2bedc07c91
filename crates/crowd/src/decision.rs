//! One agent's decision: weigh every action that leaves its node, sample one that keeps all promises.

use crate::behaviour::{Behaviour, Candidate, Here};
use crate::commitment::Commitment;
use crate::consult::Who;
use crate::crowd::Setting;
use crate::labels::LabelSet;
use crate::ledger::{Binding, Ledger, Now};
use crate::mind::Mind;
use crate::moves::{Choice, MoveBook, MoveId};
use crate::person::{Errand, Mover};
use crate::random::{Purpose, Random};
use crate::shared::Shared;
use crate::situation::{Change, Defaults, Influence};
use crate::steering::{Course, THINKS};
use crate::wayfinding::Wayfinding;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::Disc;
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
    /// Whether no wall is in reach.
    open: bool,
    /// Where those who are nearer to where the agent heads will stand, and which way they will face.
    ahead: Vec<Ahead>,
    /// Where those near by will stand.
    rests: Vec<Vec2>,
    /// A narrow place that it is not the agent's turn to pass.
    hold: Option<Vec2>,
}

/// Whether a place to rest is so near to others that nobody could turn there, and nearer than before.
fn crowds(now: Vec2, rest: Vec2, others: &[Vec2]) -> bool {
    let too_near = |other: &&Vec2| rest.distance_squared(**other) < ROOM_TO_TURN * ROOM_TO_TURN;
    others.iter().filter(too_near).any(|other| rest.distance(*other) < now.distance(*other) - 0.01)
}

/// Somebody who is nearer to where the agent heads.
#[derive(Clone, Copy)]
struct Ahead {
    rest: Vec2,
    facing: Vec2,
}

impl Ahead {
    /// Whether a place is right in front of it.
    fn is_before(&self, place: Vec2) -> bool {
        let offset = place - self.rest;
        let (along, aside) = (offset.dot(self.facing), offset.perp_dot(self.facing));
        (0.05..ROOM_IN_FRONT).contains(&along) && aside.abs() < ROOM_BESIDE
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// What came of trying a move.
enum Trial {
    /// It keeps all promises.
    Clear(Decision),
    /// It meets a wall.
    Walls,
    /// It meets somebody.
    Others,
}

/// Slope of the target finding behaviour, whose x is between -2 and 0.5.
const TARGET_ALPHA: f32 = 12.0;

/// Slope of the don't turn behaviour.
const STRAIGHT_ALPHA: f32 = 6.0;

/// Weights count to this power: the larger, the more surely the best is chosen.
const DECISIVE: f32 = 2.5;

/// The logarithm of the weight of what is never done.
const NEVER: f32 = f32::NEG_INFINITY;

/// The logarithm of the weight of walking on in another style than the agent's own …
const OTHER_STYLE: f32 = -4.0;

/// … and of what is done seldom.
const SELDOM: f32 = -4.0;

/// What turns and steps on the spot must gain against waiting, as a logarithm of weights: some 32 degrees of facing
/// astray for who is on its way …
const GAIN_ON_THE_SPOT: f32 = 4.0;

/// … and less for who stands where it should.
const GAIN_WHERE_ONE_STANDS: f32 = 0.3;

/// What the most impatient put up with against waiting, as a logarithm of weights, to get around others …
const MOST_LOSS: f32 = 8.0;

/// … and the share of it that everybody puts up with at once.
const LOSS_AT_ONCE: f32 = 0.1;

/// Who likes to be faster than this, in metres a second, runs (Thorstensson and Roberthson 1987: about 1.9).
const RUNS: f32 = 2.05;

/// How far from its own pace, in metres a second, an agent walks gladly.
const PACE_TOLERANCE: f32 = 0.25;

/// How likely it is that somebody who tried in vain to get on looks about.
const IDLE_CHANCE: f32 = 0.05;

/// What one does while waiting for room lasts less than this, in seconds.
const SHORT_IDLE: f32 = 1.6;

/// Half of how far ahead somebody who comes the other way matters, in metres.
const ONCOMING_REACH: f32 = 2.5;

/// Who faces where somebody heads, by the cosine, goes the same way.
const SAME_WAY: f32 = 0.75;

/// Who has been blocked so often in a row waits no longer for those ahead to move …
const PATIENCE: u16 = 4;

/// … and who is blocked and not the first makes room with this chance.
const MAKES_ROOM: f32 = 0.06;

/// Those who are nearer than this, in metres, may be in each other's way.
const IN_THE_WAY: f32 = 0.85;

/// Who waits for its turn at a narrow place stays this far from it, in metres …
const TURN_ROOM: f32 = 1.1;

/// … and there is one turn for so many metres of its width.
const ROOM_FOR_ONE: f32 = 0.6;

/// Nobody steps in before others who are ahead of it, nearer than this to them, in metres …
const ROOM_IN_FRONT: f32 = 0.9;

/// … and less than this to the side of their way.
const ROOM_BESIDE: f32 = 0.5;

/// Bodies that stand this far apart, in metres, can turn on the spot and shift their weight.
const ROOM_TO_TURN: f32 = 0.58;

/// Around corners people aim at where their way is in so many metres.
const CARROT: f32 = 1.2;

/// Somebody who comes the other way matters this far to either side, in metres.
const ONCOMING_WIDTH: f32 = 1.0;

/// How far to the right an agent gives way, in radians; twice as far when it is as impatient as can be.
const GIVE_WAY: f32 = 0.35;

/// Who stays where it is does not step farther than this, in metres.
const ROOTED: f32 = 0.02;

/// How far back they want to be, in metres.
const RETREAT: f32 = 6.0;

/// A vehicle whose claim is nearer than this, in metres, makes those impatient who do not get on.
const VEHICLE_IN_THE_WAY: f32 = 3.0;

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
            self.gather(who, decided, &mut scratch.neighbours);
            let impatience = self.impatience(start.position, mind, &scratch.neighbours);
            let aim = Aim { target: self.heading(who, mind, &influence, impatience), impatience };
            self.weigh(start, node, mind, &influence, aim, &mut scratch.weights);
            self.look_ahead(who, aim.target, scratch);
            scratch.hold = aim.target.and_then(|_| self.narrow_place_to_wait_for(who, mind));
            self.look_for_walls(who, scratch);
            let speed = influence.pace.unwrap_or(mind.speed);
            let chosen = self.choose(who, mind, speed, &mut random, scratch);
            let chosen = chosen.or_else(|| self.make_room(who, mind, aim.target, &mut random, scratch));
            let chosen = chosen.or_else(|| self.idle(who, mind, &mut random, scratch));
            chosen.unwrap_or_else(|| keep(mind, &mut random))
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
    fn choose(
        &self,
        who: Who,
        mind: &Mind,
        speed: f32,
        random: &mut Random,
        scratch: &mut Scratch,
    ) -> Option<Decision> {
        let book = &*self.setting.book;
        let choices = book.choices(who.node);
        let slowest = 1.0 - book.options().stretch;
        while let Some(pick) = random.weighted(&scratch.weights) {
            let choice = &choices[pick];
            let rate = if choice.rests || choice.cruise <= 0.0 { 1.0 } else { speed / choice.cruise };
            let (liked, slow) = (choice.at_rate(rate, book), choice.at_rate(slowest, book));
            for id in std::iter::once(liked).chain((slow != liked).then_some(slow)) {
                match self.try_move(who, mind, id, scratch) {
                    Trial::Clear(decision) => return Some(decision),
                    // The same path at another speed meets the same walls.
                    Trial::Walls => break,
                    Trial::Others => {}
                }
            }
            scratch.weights[pick] = 0.0;
        }
        None
    }

    /// Whether a move keeps all promises, and what comes of it then.
    fn try_move(&self, who: Who, mind: &Mind, id: MoveId, scratch: &mut Scratch) -> Trial {
        let book = &*self.setting.book;
        let commitment = Commitment::new(who.placement, self.frame, id, who.node);
        let Scratch { radii, wide_radii, neighbours, open, ahead, rests, hold, .. } = scratch;
        if !*open && !commitment.is_clear_of(&self.setting.ground, book, radii, wide_radii) {
            return Trial::Walls;
        }
        let bounds = commitment.bounds(book);
        let clashes = neighbours
            .iter()
            .position(|(other, around)| around.meets(bounds) && commitment.clashes(other, book));
        if let Some(other) = clashes {
            // Who is in the way of one move is likely to be in the way of the next.
            neighbours.swap(0, other);
            return Trial::Others;
        }
        // Nobody cuts in before those who are ahead of it: where all press on at once, nobody gets through a door.
        let rest = commitment.rest_disc(book).map_or(bounds.centre, |rest| rest.centre);
        let now = who.placement.position;
        let out_of_turn = hold.is_some_and(|narrow| {
            let left = rest.distance(narrow);
            left < TURN_ROOM && left < now.distance(narrow)
        });
        let cuts_in = mind.blocked < PATIENCE && ahead.iter().any(|other| other.is_before(rest));
        let vehicle = mind.ride.as_ref().map(|ride| ride.vehicle);
        // Who has a place of its own, on a bench or in a bus, goes there past others.
        let has_a_place = vehicle.is_some() || mind.visits.iter().any(|visit| visit.spot.is_some());
        if !has_a_place && (out_of_turn || cuts_in || crowds(now, rest, rests)) {
            return Trial::Others;
        }
        if self.now().is_driven_against(vehicle, &commitment, bounds)
            || self.ledger.is_foretold_against(Binding::Firm, &commitment, bounds, book)
        {
            return Trial::Others;
        }
        let again = self.frame + book.get(id).frames();
        Trial::Clear(Decision { commitment: Some(commitment), settles: true, ..Decision::keep(again) })
    }

    /// Finds those near by who are nearer to where the agent heads and go the same way.
    fn look_ahead(&self, who: Who, target: Option<Vec2>, scratch: &mut Scratch) {
        scratch.ahead.clear();
        scratch.rests.clear();
        let Some(target) = target else { return };
        let book = &*self.setting.book;
        let own = who.placement.position;
        let (left, way) = (own.distance(target), (target - own).normalize_or_zero());
        scratch.ahead.extend(scratch.neighbours.iter().filter_map(|(other, _)| {
            let rest = other.placement(book, u32::MAX);
            scratch.rests.push(rest.position);
            let on = target - rest.position;
            let facing = rest.facing();
            let same_way = facing.dot(on) > SAME_WAY * on.length() && facing.dot(way) > 0.0;
            (on.length() < left && same_way).then_some(Ahead { rest: rest.position, facing })
        }));
    }

    /// The next corner of the way, where it leaves room for no more than are there already: people take turns at doors.
    fn narrow_place_to_wait_for(&self, who: Who, mind: &Mind) -> Option<Vec2> {
        let (ground, own) = (&self.setting.ground, who.placement.position);
        let next = usize::from(mind.next);
        let (&corner, &after) = (mind.way_points.get(next)?, mind.way_points.get(next + 1)?);
        let left = own.distance(corner);
        if !(TURN_ROOM * 0.8..TURN_ROOM + 2.0).contains(&left) {
            return None;
        }
        let wall = ground.nearest_wall(corner)?;
        let out = (corner - wall.point).normalize_or_zero();
        let width = wall.distance + ground.cast_ray(corner, out, 3.0);
        let most = (width / ROOM_FOR_ONE) as usize;
        let (book, on) = (&*self.setting.book, (after - corner).normalize_or_zero());
        let mut before = 0;
        self.ledger.for_each_near(corner, TURN_ROOM, |other| {
            let Some(rest) = self.ledger.promises[other as usize].rest_disc(book) else { return };
            let gap = corner - rest.centre;
            let there = gap.length() < TURN_ROOM.min(left) && gap.dot(on) > 0.0;
            before += usize::from(other != who.index && there);
        });
        (before >= most.max(1)).then_some(corner)
    }

    /// Prepares the tests against walls: lists of radii, or nothing at all where no wall is in reach.
    fn look_for_walls(&self, who: Who, scratch: &mut Scratch) {
        let book = &*self.setting.book;
        scratch.radii.clear();
        scratch.radii.resize(book.longest_path(), book.options().radius);
        scratch.wide_radii.clear();
        scratch.wide_radii.resize(book.longest_path(), book.path_radius());
        let reach = book.reach_from(who.node) + book.path_radius();
        scratch.open = self.setting.ground.is_free(who.placement.position, reach);
    }

    /// Who cannot get on and stands close to somebody who is nearer to where both go steps back or aside, so that at
    /// least one of them gets through.
    fn make_room(
        &self,
        who: Who,
        mind: &Mind,
        target: Option<Vec2>,
        random: &mut Random,
        scratch: &mut Scratch,
    ) -> Option<Decision> {
        let (book, target) = (&*self.setting.book, target?);
        let at = who.placement.position;
        let rests = book.graph().node(who.node).rest;
        if !rests || mind.blocked < PATIENCE || random.unit() >= MAKES_ROOM {
            return None;
        }
        let left = at.distance(target);
        let first = |other: &&Vec2| other.distance(at) < IN_THE_WAY && other.distance(target) < left;
        let other = *scratch.rests.iter().find(first)?;
        let steps = |choice: &&Choice| choice.labels.meets(self.shared.labels.stepping);
        let end = |choice: &&Choice| who.placement.then(choice.displacement).position.distance(other);
        let farthest = |a: &&Choice, b: &&Choice| end(a).total_cmp(&end(b));
        let choice = book.choices(who.node).iter().filter(steps).max_by(farthest)?;
        let gains = end(&choice) > at.distance(other) + 0.1;
        match gains.then(|| self.try_move(who, mind, choice.normal, scratch))? {
            Trial::Clear(decision) => Some(decision),
            _ => None,
        }
    }

    /// Now and then, somebody who waits for room looks about or shifts its weight.
    fn idle(&self, who: Who, mind: &Mind, random: &mut Random, scratch: &mut Scratch) -> Option<Decision> {
        let book = &*self.setting.book;
        if !book.graph().node(who.node).rest || random.unit() >= IDLE_CHANCE {
            return None;
        }
        let labels = self.shared.labels;
        let allowed = LabelSet(!labels.special.0);
        let short = |choice: &&Choice| {
            choice.labels.meets(labels.waiting)
                && choice.labels.within(allowed)
                && choice.to == who.node
                && choice.seconds < SHORT_IDLE
        };
        let count = book.choices(who.node).iter().filter(short).count() as u32;
        let pick = (count > 0).then(|| random.below(count) as usize)?;
        let choice = book.choices(who.node).iter().filter(short).nth(pick)?;
        match self.try_move(who, mind, choice.normal, scratch) {
            Trial::Clear(decision) => Some(decision),
            _ => None,
        }
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
    fn heading(&self, who: Who, mind: &Mind, influence: &Influence, impatience: f32) -> Option<Vec2> {
        if influence.stand || influence.removes.has(Defaults::TARGET_FIND) {
            return None;
        }
        let position = who.placement.position;
        let target = self.around_the_corner(position, mind)?;
        let way = target - position;
        let distance = way.length();
        if distance < 2.0 {
            return Some(target);
        }
        let ahead = way / distance;
        let (mut oncoming, mut in_front) = (false, false);
        self.ledger.for_each_near(position + ahead * ONCOMING_REACH, ONCOMING_REACH, |other| {
            let offset = self.ledger.bounds[other as usize].centre - position;
            let (along, aside) = (offset.dot(ahead), offset.perp_dot(ahead));
            if other == who.index || along < 0.3 || aside.abs() > ONCOMING_WIDTH {
                return;
            }
            in_front |= along < 2.0;
            oncoming |= self.ledger.promises[other as usize].facing().dot(ahead) < -0.3;
        });
        // Only while there is somebody to let pass.
        if self.frame < mind.retreats_until && in_front {
            return Some(position - ahead * RETREAT);
        }
        if !oncoming {
            return Some(target);
        }
        let (sine, cosine) = libm::sincosf(-GIVE_WAY * (1.0 + impatience));
        Some(position + Vec2::new(cosine, sine).rotate(ahead) * distance.min(2.0 * ONCOMING_REACH))
    }

    /// The next way point, or a point beyond it for who is near.
    fn around_the_corner(&self, position: Vec2, mind: &Mind) -> Option<Vec2> {
        let corner = mind.target()?;
        let left = CARROT - corner.distance(position);
        let Some(&after) = mind.way_points.get(usize::from(mind.next) + 1).filter(|_| left > 0.0) else {
            return Some(corner);
        };
        let beyond = corner + (after - corner).clamp_length_max(left);
        // Right at the corner the way on counts, whatever is in between.
        let at_corner = left > 0.6 * CARROT;
        let radius = self.setting.book.path_radius();
        let free = at_corner || self.setting.ground.straight_is_free(position, beyond, radius);
        Some(if free { beyond } else { corner })
    }

    /// How impatient the agent is with those around it, from 0 to 1; nobody is impatient alone.
    fn impatience(&self, position: Vec2, mind: &Mind, neighbours: &[(Commitment, Disc)]) -> f32 {
        let near =
            |other: &Commitment| other.position(&self.setting.book, self.frame).distance(position) < 1.5;
        let driven = || {
            let about = Disc::new(position, VEHICLE_IN_THE_WAY);
            self.shared.vehicles.iter().any(|vehicle| vehicle.claims(about))
        };
        if mind.blocked == 0 || !(neighbours.iter().any(|(other, _)| near(other)) || driven()) {
            return 0.0;
        }
        f32::from(mind.blocked.min(MOST_BLOCKED)) / f32::from(MOST_BLOCKED)
    }

    /// Weighs every choice at the node by all behaviours that hold.
    ///
    /// The product of the behaviours' weights is a sum of logarithms: nothing is lost where all weights are small.
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
        let ground = &*self.setting.ground;
        let here = Here { position: start.position, facing: start.facing() };
        let at_rest = book.graph().node(node).rest;
        let labels = self.shared.labels;
        let Aim { target, impatience } = aim;
        let speed = influence.pace.unwrap_or(mind.speed);
        let runs = influence.pace.is_some() || speed > RUNS;
        let allowed = LabelSet(!labels.special.0) | influence.grants;
        let allowed = if runs { allowed | labels.running } else { allowed };
        let come = target.map(|to| Behaviour::ComeNearer { to, pace: speed, alpha: TARGET_ALPHA });
        let finds = influence.power(Defaults::TARGET_FIND);
        // What the agent wishes, whatever its pace and its turns.
        let wish = |candidate: &Candidate| {
            let come = come.map_or(0.0, |come| scaled(come.log_weight(here, candidate), finds));
            let added = influence.added();
            let added = added.map(|(behaviour, power)| scaled(behaviour.log_weight(here, candidate), *power));
            come + added.sum::<f32>()
        };
        let pace = Behaviour::Pace { speed, tolerance: PACE_TOLERANCE };
        let (paced, straight) = (influence.power(Defaults::PACE), influence.power(Defaults::DONT_TURN));
        let looks_up = ground.likelihood_layer().is_some() && !influence.removes.has(Defaults::IMAGE_LOOKUP);
        let moves_on =
            come.is_some() || influence.added().any(|(b, _)| matches!(b, Behaviour::ComeNearer { .. }));
        let waiting = wish(&Candidate::staying(here));
        // Whoever is outside already may come in any way.
        let stay_in = influence
            .stay_in
            .map(|region| &ground.regions()[region])
            .filter(|region| region.contains(start.position));
        // From a special node (a seat, the ground) there is always the way back to one's feet.
        let home = book.homeward(node).filter(|_| at_rest);
        let style = mind.style.map(NodeId);
        let in_style = book.choices(node).first().is_some_and(|choice| choice.labels.meets(labels.styled));
        let rooted = matches!(mind.errand, Errand::Stay(_));
        let weigh = |choice: &Choice| {
            let action = || book.get(choice.normal).parts[0].action;
            if rooted && choice.displacement.position.length() > ROOTED {
                return NEVER;
            }
            let own_style = style == Some(choice.to);
            // A style is entered by who should have it, and left by everybody.
            let permitted = if own_style || in_style { allowed | labels.styled } else { allowed };
            let homeward = home.is_some() && home == action();
            let lent = influence.grafts && action().is_some_and(|action| self.is_lent(action, mind));
            if !(choice.labels.within(permitted) || homeward || lent) {
                return NEVER;
            }
            let wanted = choice.labels.meets(influence.wants);
            if homeward && wanted {
                // Who is where it should be does not get up.
                return NEVER;
            }
            let candidate = Candidate {
                position: here.position + choice.displacement.position.rotate(here.facing),
                facing: choice.facing.rotate(here.facing),
                turn: choice.displacement.heading,
                distance: choice.displacement.position.length(),
                speed: choice.cruise,
                seconds: choice.seconds,
                labels: choice.labels,
            };
            let mut weight = wish(&candidate);
            let gain = weight - waiting;
            let idles = choice.labels.meets(labels.waiting);
            // Turns and steps on the spot must gain something; so must everything else, or one waits.
            let least = match (choice.rests, at_rest, moves_on) {
                _ if homeward || wanted || lent => NEVER,
                (true, true, true) if idles => return NEVER,
                (true, true, true) => GAIN_ON_THE_SPOT,
                // Keeping the old promise stops as well.
                (true, false, _) => return NEVER,
                (true, true, false) if idles => NEVER,
                (true, true, false) => GAIN_WHERE_ONE_STANDS,
                (false, _, true) => -MOST_LOSS * (LOSS_AT_ONCE + impatience),
                (false, _, false) => return NEVER,
            };
            if gain < least {
                return NEVER;
            }
            if moves_on {
                if !choice.rests && !own_style {
                    // A style has its own pace; who is not in it yet keeps to the agent's.
                    weight += scaled(pace.log_weight(here, &candidate), paced);
                    weight += if style.is_some() { OTHER_STYLE } else { 0.0 };
                }
            } else {
                weight += Behaviour::Stop { within: 0.75, otherwise: 0.0 }.log_weight(here, &candidate);
                // Who settles on a spot takes small steps instead of idling.
                weight += if influence.settles && idles { SELDOM } else { 0.0 };
            }
            // At rest one turns as one likes.
            if !at_rest && straight > 0.0 {
                let turning = Behaviour::DontTurn { alpha: STRAIGHT_ALPHA };
                weight += scaled(turning.log_weight(here, &candidate), straight);
            }
            if influence.wants != LabelSet::NONE {
                let prefer = Behaviour::Prefer { labels: influence.wants, otherwise: 0.15 };
                weight += prefer.log_weight(here, &candidate);
            }
            if looks_up {
                let likely = ground.likelihood(candidate.position);
                weight += scaled(libm::logf(likely), influence.power(Defaults::IMAGE_LOOKUP));
            }
            // Appendix A.6: the whole motion, its way to rest included, is inside (or outside) the region.
            let path = || book.get(choice.normal).path.iter().map(|&point| start.transform_point(point));
            let leaves = stay_in.is_some_and(|region| path().any(|point| !region.contains(point)));
            let strays = |region: usize| path().any(|point| ground.regions()[region].contains(point));
            if weight > NEVER && (leaves || influence.kept_out_of().any(strays)) {
                return NEVER;
            }
            weight
        };
        weights.clear();
        weights.extend(book.choices(node).iter().map(weigh));
        let best = weights.iter().copied().fold(NEVER, f32::max);
        for weight in weights.iter_mut() {
            // What is far worse than the best is tried last, but it is tried.
            *weight =
                if *weight > NEVER { libm::expf((DECISIVE * (*weight - best)).max(-80.0)) } else { 0.0 };
        }
    }

    /// Whether a situation that the agent takes part in lends it an action.
    fn is_lent(&self, action: ActionId, mind: &Mind) -> bool {
        mind.visits.iter().filter(|visit| visit.takes_part && !visit.asks).any(|visit| {
            let situation = &self.shared.situations[visit.situation.index()];
            situation.in_force(self.frame) && situation.actions.binary_search(&action).is_ok()
        })
    }

    /// Collects the promises that any new one of this agent could clash with.
    fn gather(&self, who: Who, decided: &[(u32, Decision)], neighbours: &mut Vec<(Commitment, Disc)>) {
        let Who { index, node, placement: Placement { position, .. }, .. } = who;
        let reach = self.setting.book.reach_from(node);
        neighbours.clear();
        let Ledger { promises, bounds, .. } = self.ledger;
        self.ledger.for_each_near(position, reach, |other| {
            let replaced =
                || decided.iter().any(|(who, decision)| *who == other && decision.commitment.is_some());
            if other != index && !replaced() {
                neighbours.push((promises[other as usize], bounds[other as usize]));
            }
        });
        let new = decided.iter().filter_map(|(_, decision)| decision.commitment);
        let new = new.map(|commitment| (commitment, commitment.bounds(&self.setting.book)));
        let around = |bounds: &Disc| bounds.meets(Disc::new(position, reach));
        neighbours.extend(new.filter(|(_, bounds)| around(bounds)));
    }
}

/// The logarithm of a weight raised to a power; a power of zero silences even a veto.
fn scaled(weight: f32, power: f32) -> f32 {
    if power == 0.0 { 0.0 } else { weight * power }
}
