//! One agent's decision: weigh every action that leaves its node, sample one that keeps all promises.

use crate::PastState;
use crate::asking::Asked;
use crate::behaviour::Behaviour;
use crate::captured::Considering;
use crate::cell_marking::Markings;
use crate::commitment::Commitment;
use crate::consult::Who;
use crate::courtesy::Courtesy;
use crate::crowd::Setting;
use crate::explaining::{Fate, Watched};
use crate::heading::{pace_at_corner, pace_of_turning};
use crate::labels::LabelSet;
use crate::leaving::until_out;
use crate::ledger::{Binding, Ledger, Now};
use crate::mind::Mind;
use crate::moves::{Choice, MoveBook, MoveId};
use crate::person::Mover;
use crate::random::{Purpose, Random};
use crate::shared::Shared;
use crate::situation::{Change, Influence};
use crate::steering::{Course, Steered, THINKS};
use crate::terrain::Closing;
use crate::wayfinding::Wayfinding;
use crate::weighing::{Options, Weighing};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::mobb::Disc;
use crowdloom_world::Ground;
use glam::Vec2;
use std::cell::RefCell;

/// What came of a decision.
#[derive(Clone, Debug)]
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
    pub(crate) fn keep(again: u32) -> Self {
        Self { commitment: None, again, leaves: false, settles: false, course: None, becomes: None }
    }
}

/// All that decisions in one frame look at; nothing of it changes while they are made.
pub struct Decider<'a> {
    /// What never changes.
    pub setting: &'a Setting,
    /// Situations, signals and scenario.
    pub shared: &'a Shared,
    /// Obstacles that are to come, and the ground as it still is.
    pub(crate) closing: Option<(&'a Closing, &'a Ground)>,
    /// The frame.
    pub frame: u32,
    /// Numbers of the agents.
    pub ids: &'a [u32],
    /// What moves everybody now.
    pub(crate) movers: &'a [Mover],
    /// What moves everybody where no situation needs clips.
    pub(crate) usual_movers: &'a [Mover],
    /// Those who are steered.
    pub(crate) steered: &'a Steered,
    /// How those choose who plan captured motion, by number.
    pub(crate) markings: &'a [Markings],
    /// What everybody has promised.
    pub(crate) ledger: &'a Ledger,
    /// Where everybody headed when it last decided, in metres; not a number for those who went nowhere.
    pub(crate) headings: &'a [Vec2],
    /// Whose decisions are explained.
    pub(crate) watched: &'a Watched,
}

/// The node in which an agent is at `frame`, when a part of its move ends there; its last node once it stands.
pub fn node_at(book: &MoveBook, commitment: &Commitment, frame: u32) -> NodeId {
    let Some(doing) = commitment.doing else { return commitment.node };
    let entry = book.get(doing);
    let elapsed = commitment.elapsed(frame);
    let done = entry.parts.iter().rev().find(|part| part.first + part.frames <= elapsed);
    done.map_or(commitment.node, |part| part.to)
}

/// Whether an agent is in the midst of a part of its move, where nothing new can begin.
fn is_between_nodes(book: &MoveBook, commitment: &Commitment, frame: u32) -> bool {
    let parts = commitment.doing.map_or(&[][..], |doing| &book.get(doing).parts);
    let elapsed = commitment.elapsed(frame);
    parts.iter().any(|part| part.first < elapsed && elapsed < part.first + part.frames)
}

/// Whether what situations ask of somebody is shown by clips of the graph, whatever else moves it.
pub(crate) fn needs_clips(influence: &Influence, mind: &Mind) -> bool {
    influence.wants != LabelSet::NONE || influence.settles || influence.hold || mind.ride.is_some()
}

/// Where an agent heads and how it feels about those in its way.
#[derive(Clone, Copy)]
pub(crate) struct Aim {
    pub(crate) target: Option<Vec2>,
    pub(crate) impatience: f32,
    /// The pace in metres a second.
    pub(crate) pace: f32,
}

/// Lists that every decision needs, kept from one to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    options: Options,
    pub(crate) neighbours: Vec<(Commitment, Disc)>,
    radii: Vec<f32>,
    wide_radii: Vec<f32>,
    /// How far away the nearest wall is, in metres.
    room: f32,
    /// What it owes to others.
    pub(crate) courtesy: Courtesy,
    /// Whether it has so much room and so far to go that it takes two steps without a thought.
    carefree: bool,
    /// What added behaviour functions say.
    asked: Asked,
    /// What those need who plan captured motion.
    pub(crate) considering: Considering,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Lends this thread's lists to a decision. They are taken out, not borrowed: what the program has added may let somebody else
/// decide on this thread meanwhile.
fn with_scratch<T>(decide: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = SCRATCH.take();
    let decided = decide(&mut scratch);
    SCRATCH.set(scratch);
    decided
}

/// What came of trying a move.
pub(crate) enum Trial {
    /// It keeps all promises.
    Clear(Decision),
    /// It meets a wall.
    Walls,
    /// It meets somebody.
    Others,
}

impl Trial {
    /// What comes of a move that keeps all promises.
    fn decision(self) -> Option<Decision> {
        match self {
            Self::Clear(decision) => Some(decision),
            Self::Walls | Self::Others => None,
        }
    }
}

/// Nobody tries more things than this at once.
const MOST_TRIED: usize = 30;

/// With so many others in reach people have room to go on for two steps …
const FEW: usize = 3;

/// … to what is farther away than this, in metres.
const FAR: f32 = 3.0;

/// Who stands tries for so many frames in a row to go over to another mover.
const TRIES_TO_CHANGE: u32 = 20;

/// How likely it is that somebody who tried in vain to get on looks about …
const IDLE_CHANCE: f32 = 0.05;

/// … and the likelier by so much …
const CALMER: f32 = 0.1;

/// … for every time that it has been blocked more often than this: not in a queue that moves on.
const SOON: u16 = 3;

/// What one does then lasts less than this, in seconds …
const SHORT_IDLE: f32 = 1.6;

/// … and what lasts less than this is but a stir of the body, that nobody does on purpose …
pub(crate) const STIR: f32 = 0.5;

/// … but with this likelihood while waiting for room.
const STIR_CHANCE: f32 = 0.35;

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
        with_scratch(|scratch| {
            let own = &self.ledger.promises[index as usize];
            let book = &*self.setting.book;
            let placement = own.placement(book, self.frame);
            let node = node_at(book, own, self.frame);
            let who = Who { index, id: self.ids[index as usize], placement, node, moves: false };
            let decision = match self.movers[index as usize] {
                Mover::Graph => self.follow_clips(who, mind, decided, changes, scratch),
                Mover::Steered(_) => return self.think(index, mind, changes),
                Mover::CellMarking(number) => {
                    self.plan_captured(index, number, mind, decided, changes, scratch)
                }
                Mover::Planned | Mover::Recorded => return self.end(index, own),
            };
            self.hold_to_leaving(who, mind, decision, decided, scratch)
        })
    }

    /// Decides for somebody who follows clips.
    fn follow_clips(
        &self,
        who: Who,
        mind: &mut Mind,
        decided: &[(u32, Decision)],
        changes: &mut Vec<(u32, Change)>,
        scratch: &mut Scratch,
    ) -> Decision {
        let Who { index, id, placement: start, node, .. } = who;
        let own = &self.ledger.promises[index as usize];
        let book = &*self.setting.book;
        let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::DECISION);
        let waited = mind.waits();
        if self.watches(id) {
            self.note_decision();
        }
        let influence = self.consult(who, mind, &mut random, changes);
        mind.stands = influence.stand;
        let keep = |mind: &Mind, random: &mut Random| {
            let settles = own.rest_frame(book) >= self.frame || mind.waits() != waited;
            Decision { settles, ..Decision::keep(self.next_chance(own, random)) }
        };
        if influence.hold {
            return keep(mind, &mut random);
        }
        let wanted = self.wanted_mover(index, &influence);
        let stands = own.rest_frame(book) <= self.frame && node == book.home(node);
        let goes = !book.graph().node(node).rest;
        // Where there is no room to go over to it, one goes on with clips for a while.
        let turns = (self.frame / TRIES_TO_CHANGE).wrapping_add(id).is_multiple_of(2);
        let tries_to_change = self.frame < own.rest_frame(book) + TRIES_TO_CHANGE || turns;
        if let Mover::Steered(_) | Mover::CellMarking(_) = wanted
            && (stands || goes)
            && tries_to_change
            && !needs_clips(&influence, mind)
            && mind.visits.iter().all(|visit| visit.spot.is_none())
        {
            // Captured motion grows out of standing: who walks comes to rest first.
            let becomes = (stands || matches!(wanted, Mover::Steered(_))).then_some(wanted);
            return Decision { becomes, ..keep(mind, &mut random) };
        }
        let wayfinding = Wayfinding {
            setting: self.setting,
            shared: self.shared,
            frame: self.frame,
            id,
            facing: start.facing(),
            afoot: self.setting.book.homeward(node).is_none(),
            hurries: mind.hurries,
        };
        let goal = mind.goal;
        if wayfinding.plan(start.position, mind, &influence, &mut random) {
            return Decision { leaves: true, settles: true, ..Decision::keep(self.frame + 1) };
        }
        if stands && influence.target.is_none() && mind.goal != goal && !mind.visits.is_empty() {
            // What situations say of the new way, such as lights, is heard before the first step on it.
            return Decision { again: self.frame + 1, ..keep(mind, &mut random) };
        }
        if is_between_nodes(book, own, self.frame) {
            // It would have left here, but was sent elsewhere meanwhile: it ends its step first.
            return keep(mind, &mut random);
        }
        self.gather(who, decided, &mut scratch.neighbours);
        let impatience = self.impatience(start.position, mind, &scratch.neighbours);
        let pace = pace_at_corner(influence.pace.unwrap_or(mind.speed), start.position, mind);
        self.look_ahead(who, mind, &scratch.neighbours, &mut scratch.courtesy);
        let target = self.heading(who, mind, &influence, impatience, &scratch.courtesy);
        let keeps_on = scratch.neighbours.is_empty() || scratch.courtesy.is_before_a_door();
        let out = || if keeps_on { None } else { self.straight_out(who, mind) };
        let alone = scratch.courtesy.is_alone();
        let target = target.map(|target| match alone {
            true => self.for_the_gap(start.position, target, mind),
            false => out().unwrap_or(target),
        });
        let target =
            target.map(|target| scratch.courtesy.round_to_the_front(start.position, target, mind.blocked));
        let alert = scratch.courtesy.waits_at_door(start.position);
        let pace = target.map_or(pace, |target| {
            let pace = pace_of_turning(pace, start, target);
            // Nobody keeps its distance where it waits for its turn.
            if alert { pace } else { self.pace_behind(start.position, target, pace, &scratch.neighbours) }
        });
        let aim = Aim { target, impatience, pace };
        let mut asked = std::mem::take(&mut scratch.asked);
        self.ask_added(who, mind, &influence, &scratch.neighbours, &mut asked);
        let weighing = Weighing::new(self, start, node, mind, &influence, &asked, aim);
        self.look_for_walls(who, scratch);
        // Borders are kept by one step at a time.
        scratch.carefree = mind.blocked == 0
            && influence.stays_in().is_empty()
            && influence.keeps_out_of().is_empty()
            && scratch.neighbours.len() <= FEW
            && aim.target.is_some_and(|target| target.distance(start.position) > FAR);
        let chosen = self.choose(who, mind, &weighing, aim, &mut random, scratch);
        let chosen = chosen.or_else(|| {
            let steps = self.steps_out_of_the_way(who, mind, aim.target?, &mut random, &scratch.courtesy);
            let mut steps = steps.into_iter().filter(|&step| !weighing.oversteps(step));
            scratch.courtesy.makes_room = true;
            let step = steps.find_map(|step| self.try_move(who, mind, step, scratch).decision());
            scratch.courtesy.makes_room = false;
            step
        });
        scratch.asked = asked;
        let chosen = chosen.or_else(|| self.idle(who, mind, &mut random, scratch).filter(|_| !alert));
        if let Some(promise) = chosen.as_ref().and_then(|decision| decision.commitment) {
            self.remember(who, mind, &promise);
        }
        chosen.unwrap_or_else(|| {
            let kept = keep(mind, &mut random);
            let soonest = if alert { self.frame + 1 + random.below(3) } else { u32::MAX };
            Decision { again: kept.again.min(soonest.max(own.rest_frame(book))), ..kept }
        })
    }

    /// Lets somebody remember what it begins to do, where a behaviour function may look at that.
    fn remember(&self, who: Who, mind: &mut Mind, promise: &Commitment) {
        let most = self.shared.remembers();
        if most > 0 {
            let action = promise.doing.and_then(|doing| self.setting.book.get(doing).parts.first()?.action);
            mind.remember(PastState { frame: self.frame, placement: who.placement, action }, most);
        }
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
            self.leave_arrivals_to_clips(changes, asked_before);
            let course = Some(Course::default());
            return Decision { becomes: Some(Mover::Graph), course, ..Decision::keep(again) };
        }
        let Decider { setting, shared, frame, .. } = *self;
        let facing = own.start.facing();
        let wayfinding =
            Wayfinding { setting, shared, frame, id, facing, afoot: true, hurries: mind.hurries };
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
            stay_in: influence.stays_in().clone(),
            keep_out: influence.keeps_out_of().clone(),
        };
        let wanted = self.wanted_mover(index, &influence);
        let becomes = (wanted != self.movers[index as usize]).then_some(wanted);
        Decision { course: Some(course), becomes, ..Decision::keep(again) }
    }

    /// What should move somebody: what its situations say, or its own mover.
    pub(crate) fn wanted_mover(&self, index: u32, influence: &Influence) -> Mover {
        match influence.mover.unwrap_or(self.usual_movers[index as usize]) {
            Mover::Planned | Mover::Recorded => Mover::Graph,
            mover => mover,
        }
    }

    /// Takes back, of all that somebody has asked for since, to be brought somewhere exactly: it asks for that once it
    /// follows clips.
    pub(crate) fn leave_arrivals_to_clips(&self, changes: &mut Vec<(u32, Change)>, asked_before: usize) {
        let mut place = 0;
        changes.retain(|(_, change)| {
            place += 1;
            place <= asked_before || !matches!(change, Change::Arrive(..))
        });
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
        weighing: &Weighing<'_>,
        aim: Aim,
        random: &mut Random,
        scratch: &mut Scratch,
    ) -> Option<Decision> {
        let note = |options: &Options| {
            if self.watches(who.id) {
                self.note_weights(who.node, weighing, options);
            }
        };
        weighing.weigh_likely(&mut scratch.options);
        note(&scratch.options);
        self.choose_weighed(who, mind, aim, random, scratch).or_else(|| {
            weighing.weigh_the_rest(&mut scratch.options);
            note(&scratch.options);
            self.choose_weighed(who, mind, aim, random, scratch)
        })
    }

    /// Samples weighed actions until one keeps all promises.
    fn choose_weighed(
        &self,
        who: Who,
        mind: &Mind,
        aim: Aim,
        random: &mut Random,
        scratch: &mut Scratch,
    ) -> Option<Decision> {
        let book = &*self.setting.book;
        let choices = book.choices(who.node);
        let slowest = 1.0 - book.options().stretch;
        let stands = book.graph().node(who.node).rest;
        // There may be one way only to get up from a seat, and several clips that take it.
        let afoot = book.homeward(who.node).is_none();
        let mut dead_ends = DeadEnds::default();
        let note = |number: u16, fate: Fate| {
            if self.watches(who.id) {
                self.note_fate(number, fate);
            }
        };
        let mut tried = 0;
        while tried < MOST_TRIED {
            let pick = random.weighted(&scratch.options.weighed, |option| option.weight)?;
            let number = scratch.options.weighed.swap_remove(pick).choice;
            let choice = &choices[usize::from(number)];
            if stands && !choice.rests && scratch.courtesy.is_in_vain(who.placement, choice, aim)
                || stands && afoot && !choice.rests && dead_ends.leads_into(choice)
            {
                note(number, Fate::InVain);
                continue;
            }
            tried += 1;
            let rate = if choice.rests || choice.cruise <= 0.0 { 1.0 } else { aim.pace / choice.cruise };
            let (liked, slow) = (choice.at_rate(rate), choice.at_rate(slowest));
            let farther = book.get(liked).farther.filter(|_| scratch.carefree);
            for id in farther.into_iter().chain([liked]).chain((slow != liked).then_some(slow)) {
                match self.try_move(who, mind, id, scratch) {
                    Trial::Clear(decision) => {
                        note(number, Fate::Taken);
                        return Some(decision);
                    }
                    // The same path at another speed meets the same walls.
                    Trial::Walls if Some(id) != farther => {
                        note(number, Fate::Wall);
                        break;
                    }
                    Trial::Walls | Trial::Others => note(number, Fate::Others),
                }
            }
            dead_ends.note(choice);
        }
        None
    }

    /// Whether a move keeps all promises, and what comes of it then.
    pub(crate) fn try_move(&self, who: Who, mind: &Mind, id: MoveId, scratch: &mut Scratch) -> Trial {
        let book = &*self.setting.book;
        let again = self.frame + book.get(id).chosen_frames;
        let commitment = Commitment::new(who.placement, self.frame, id, who.node);
        let commitment = until_out((self.setting, self.shared), commitment, mind, self.frame + 1..=again);
        let Scratch { radii, wide_radii, neighbours, room, courtesy, .. } = scratch;
        let bounds = commitment.bounds(book);
        let margin = book.path_radius() - book.options().radius;
        let reach = bounds.centre.distance(who.placement.position) + bounds.radius + margin;
        let ground = self.walls_for(who);
        let is_open = || ground.is_free(bounds.centre, bounds.radius + margin);
        if reach > *room && !is_open() && !commitment.is_clear_of(ground, book, radii, wide_radii) {
            return Trial::Walls;
        }
        let clashes = neighbours
            .iter()
            .position(|(other, around)| around.meets(bounds) && commitment.clashes(other, book));
        if let Some(other) = clashes {
            // Who is in the way of one move is likely to be in the way of the next.
            neighbours.swap(0, other);
            return Trial::Others;
        }
        let rest = commitment.position(book, commitment.rest_frame(book));
        let vehicle = mind.ride.as_ref().map(|ride| ride.vehicle);
        if courtesy.forbids(who.placement.position, rest, mind) {
            return Trial::Others;
        }
        if self.now().is_driven_against(vehicle, &commitment, bounds)
            || self.ledger.is_foretold_against(Binding::Firm, &commitment, bounds, book)
        {
            return Trial::Others;
        }
        Trial::Clear(Decision { commitment: Some(commitment), settles: true, ..Decision::keep(again) })
    }

    /// Prepares the tests against walls.
    pub(crate) fn look_for_walls(&self, who: Who, scratch: &mut Scratch) {
        self.look_for_walls_of(who, self.setting.book.options().radius, scratch);
    }

    /// The same of somebody whose disc has this radius in metres.
    pub(crate) fn look_for_walls_of(&self, who: Who, radius: f32, scratch: &mut Scratch) {
        let book = &*self.setting.book;
        let margin = book.path_radius() - book.options().radius;
        fill(&mut scratch.radii, book.longest_path(), radius);
        fill(&mut scratch.wide_radii, book.longest_path(), radius + margin);
        let nearest = self.walls_for(who).nearest_wall(who.placement.position);
        scratch.room = nearest.map_or(f32::INFINITY, |wall| wall.distance);
    }

    /// Now and then, somebody who waits for room looks about or shifts its weight.
    fn idle(&self, who: Who, mind: &Mind, random: &mut Random, scratch: &mut Scratch) -> Option<Decision> {
        let book = &*self.setting.book;
        let luck = random.unit();
        let calm = IDLE_CHANCE + CALMER * f32::from(mind.blocked.saturating_sub(SOON));
        if !book.graph().node(who.node).rest || luck >= STIR_CHANCE.max(calm) {
            return None;
        }
        let seconds = if luck < calm { STIR..SHORT_IDLE } else { 0.0..STIR };
        let labels = self.shared.labels;
        let allowed = LabelSet(!labels.special.0);
        let short = |choice: &&Choice| {
            choice.labels.meets(labels.waiting)
                && choice.labels.within(allowed)
                && choice.to == who.node
                && seconds.contains(&choice.seconds)
        };
        let count = book.choices(who.node).iter().filter(short).count() as u32;
        let pick = (count > 0).then(|| random.below(count) as usize)?;
        let choice = book.choices(who.node).iter().filter(short).nth(pick)?;
        self.try_move(who, mind, choice.normal, scratch).decision()
    }

    /// When an agent that keeps its promise can decide again: at the next node, or after a moment of standing.
    fn next_chance(&self, own: &Commitment, random: &mut Random) -> u32 {
        let pause = self.frame + 4 + random.below(6);
        let Some(doing) = own.doing else { return pause };
        let parts = &self.setting.book.get(doing).parts;
        let elapsed = own.elapsed(self.frame);
        let end = parts.iter().map(|part| part.first + part.frames).find(|&end| end > elapsed);
        end.map_or(pause, |end| self.frame + end - elapsed)
    }

    /// The farthest in metres that any new promise of an agent can reach.
    fn reach(&self, who: Who) -> f32 {
        let book = &*self.setting.book;
        let captured = matches!(self.movers[who.index as usize], Mover::CellMarking(_));
        let segments = book.segments().filter(|_| captured);
        segments.map_or_else(|| book.reach_from(who.node), |_| book.reach_of_segments())
    }

    /// Collects the promises that any new one of this agent could clash with.
    pub(crate) fn gather(
        &self,
        who: Who,
        decided: &[(u32, Decision)],
        neighbours: &mut Vec<(Commitment, Disc)>,
    ) {
        let Who { index, placement: Placement { position, .. }, .. } = who;
        let reach = self.reach(who);
        neighbours.clear();
        let promises = &self.ledger.promises;
        self.ledger.for_each_near(position, reach, |other, bounds| {
            let replaced =
                || decided.iter().any(|(who, decision)| *who == other && decision.commitment.is_some());
            if other != index && !replaced() {
                neighbours.push((promises[other as usize], bounds));
            }
        });
        let new = decided.iter().filter_map(|(_, decision)| decision.commitment);
        let new = new.map(|commitment| (commitment, commitment.bounds(&self.setting.book)));
        let around = |bounds: &Disc| bounds.meets(Disc::new(position, reach));
        neighbours.extend(new.filter(|(_, bounds)| around(bounds)));
    }
}

/// Where moves of one decision met somebody or a wall: what goes the same way and farther meets them as well.
#[derive(Default)]
struct DeadEnds {
    found: [Vec2; DeadEnds::MOST],
    count: usize,
}

impl DeadEnds {
    /// So many are remembered.
    const MOST: usize = 16;

    /// The same way, by the cosine of the angle between both.
    const SAME_WAY: f32 = 0.995;

    fn note(&mut self, choice: &Choice) {
        self.found[self.count % Self::MOST] = choice.displacement.position;
        self.count += 1;
    }

    fn leads_into(&self, choice: &Choice) -> bool {
        let way = choice.displacement.position;
        let length = way.length();
        let is_before = |end: &Vec2| {
            let before = end.length();
            before <= length && end.dot(way) > Self::SAME_WAY * before * length
        };
        self.found[..self.count.min(Self::MOST)].iter().any(is_before)
    }
}

/// Makes a list of so many equal values, unless it is that already.
fn fill(list: &mut Vec<f32>, count: usize, value: f32) {
    if list.len() != count || list.first() != Some(&value) {
        list.clear();
        list.resize(count, value);
    }
}
