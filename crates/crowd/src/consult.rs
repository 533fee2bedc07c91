//! What an agent's situations ask of it: entering and leaving them, sensors and rules.

use crate::behaviour::Behaviour;
use crate::crowd::Crowd;
use crate::decision::Decider;
use crate::mind::Mind;
use crate::person::Mover;
use crate::random::Random;
use crate::rule::{Facts, Script, Wish};
use crate::sensor::{Reading, Seen, Sensor, Whom};
use crate::situation::{Activity, Change, Influence, Place, Scenery, SituationId, Visit};
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_world::Stream;
use glam::Vec2;
use smallvec::SmallVec;

/// Rooms matter from this far beyond what a move can reach, in metres.
const ROOM_IN_SIGHT: f32 = 1.0;

/// Who waits for a room keeps this far from it, in metres.
const ROOM_FOR_THE_DOOR: f32 = 2.0;

/// Who must not leave a region keeps so far off its walls, in metres, wandering to one point after the other …
const ROOM_INSIDE: f32 = 0.4;

/// … for so many frames each …
const WANDERS_TO_ONE_POINT: u32 = 10 * 30;

/// … until it is this near, in metres; so many points are tried where several regions must not be left.
const NEAR_ENOUGH: f32 = 1.5;
const TRIES_INSIDE: usize = 16;

/// The agent that decides.
#[derive(Clone, Copy)]
pub struct Who {
    /// Its index.
    pub index: u32,
    /// Its number.
    pub id: u32,
    /// Where it is.
    pub placement: Placement,
    /// The node that it is in.
    pub node: NodeId,
    /// Whether it is steered somewhere.
    pub moves: bool,
}

impl Decider<'_> {
    /// Enters and leaves situations, and asks those that the agent is in what they want of it.
    pub(crate) fn consult(
        &self,
        who: Who,
        mind: &mut Mind,
        random: &mut Random,
        changes: &mut Vec<(u32, Change)>,
    ) -> Influence {
        let mut influence = Influence::default();
        if self.shared.situations.is_empty() && self.shared.vehicles.is_empty() {
            return influence;
        }
        self.leave_what_is_over(who, mind, changes);
        self.enter_what_is_here(who, mind, random, changes);
        self.heed_rooms(who, mind, changes, &mut influence);
        let mut set_out: Option<Vec2> = None;
        // The lowest priority speaks first, the highest has the last word.
        let priority = |visit: &Visit| self.shared.situations[visit.situation.index()].priority;
        let mut order: SmallVec<[usize; 8]> = (0..mind.visits.len()).collect();
        order.sort_by_key(|&index| priority(&mind.visits[index]));
        let mut highest = i32::MIN;
        for index in order {
            let situation = &self.shared.situations[mind.visits[index].situation.index()];
            let visit = &mind.visits[index];
            if !visit.takes_part || visit.asks || !situation.in_force(self.frame) {
                continue;
            }
            let said_before = influence.take_course();
            influence.grants = influence.grants | situation.grants;
            influence.removes = influence.removes.with(situation.removes);
            influence.mover = situation.mover.or(influence.mover);
            influence.grafts |= !situation.actions.is_empty();
            let mut scenery = Scenery {
                frame: self.frame,
                ground: &self.setting.ground,
                signals: &self.shared.signals,
                vehicles: &self.shared.vehicles,
                position: who.placement.position,
                facing: who.placement.facing(),
                agent: who.id,
                at_rest: !who.moves && self.setting.book.graph().node(who.node).rest,
                special: self.setting.book.homeward(who.node).is_some()
                    && self.setting.book.graph().node(who.node).rest,
                likes: mind.speed,
                wish: mind.wish(),
                // Who has just been sent somewhere heeds the lights on the way there.
                ahead: match (&set_out, mind.way_points.get(usize::from(mind.next)..)) {
                    (Some(place), _) => std::slice::from_ref(place),
                    (None, Some(rest)) if !rest.is_empty() => rest,
                    _ => mind.goal.as_slice(),
                },
                hurries: mind.hurries,
                roll: &self.shared.rolls[visit.situation.index()],
                people: &|region| self.people_of(region),
                alphas: self.shared.scheme.alphas,
                ride: &mut mind.ride,
                random,
                changes,
            };
            let visit = &mut mind.visits[index];
            situation.behaviours.iter().for_each(|&number| influence.add(Behaviour::Added(number)));
            let sets_out = match situation.activity {
                Activity::Added { kind, .. } => {
                    let kind = self.shared.additions.kinds.get(kind);
                    kind.and_then(|kind| kind.influence(situation, &mut scenery, visit, &mut influence))
                }
                _ => situation.activity.influence(&mut scenery, visit, &mut influence),
            };
            set_out = sets_out.or(set_out);
            if let Some(script) = &situation.script {
                let sent = self.run_rules(who, script, index, mind, random, changes, &mut influence);
                set_out = sent.or(set_out);
            }
            influence.put_back(said_before, situation.priority > highest);
            highest = situation.priority;
        }
        mind.visits.retain(|visit| visit.takes_part || self.place_of(visit) != Place::Members);
        self.wander_inside(who, mind, &mut influence);
        self.ride(who, mind, changes, &mut influence);
        self.make_way(who, mind, &mut influence);
        self.leave_closing(who, mind, &mut influence);
        if let Some(place) = set_out {
            match mind.diverted {
                true => mind.own_goal = Some(place),
                false => mind.head_for(place),
            }
        }
        influence
    }

    fn place_of(&self, visit: &Visit) -> Place {
        self.shared.situations[visit.situation.index()].place
    }

    fn leave_what_is_over(&self, who: Who, mind: &mut Mind, changes: &mut Vec<(u32, Change)>) {
        let shared = self.shared;
        let ride = mind.ride.as_deref();
        mind.visits.retain_mut(|visit| {
            let situation = &shared.situations[visit.situation.index()];
            let here = match situation.place {
                // Who holds a spot is in until it is given up: the way there may lead around the region.
                Place::Region(region) => {
                    situation.in_force(self.frame)
                        && (visit.spot.is_some()
                            || self.setting.ground.regions()[region].contains(who.placement.position))
                }
                Place::Members => situation.enabled,
                Place::Vehicle(vehicle) => {
                    situation.in_force(self.frame) && ride.is_some_and(|ride| ride.vehicle == vehicle as u16)
                }
            };
            // Whoever asked to come in is told now.
            let admitted = !visit.asks || shared.rolls[visit.situation.index()].present.contains(&who.id);
            if here && admitted {
                visit.asks = false;
                return true;
            }
            if let Some(spot) = visit.spot {
                changes.push((who.id, Change::Release(visit.situation, spot)));
            }
            changes.push((who.id, Change::Leave(visit.situation)));
            false
        });
    }

    fn enter_what_is_here(
        &self,
        who: Who,
        mind: &mut Mind,
        random: &mut Random,
        changes: &mut Vec<(u32, Change)>,
    ) {
        let shared = self.shared;
        let mut enter = |id: SituationId, mind: &mut Mind| {
            let situation = &shared.situations[id.index()];
            if !situation.in_force(self.frame) || mind.visits.iter().any(|visit| visit.situation == id) {
                return;
            }
            let mut visit = Visit::new(id, self.frame, random.unit() < situation.share);
            if let Some(most) = situation.capacity.filter(|_| visit.takes_part) {
                if shared.rolls[id.index()].present.len() >= most as usize {
                    return;
                }
                // Others may ask in the same frame: the answer comes with the next decision.
                visit.asks = true;
            }
            // Those who only come by do not count.
            if visit.takes_part {
                changes.push((who.id, Change::Enter(id)));
            }
            mind.visits.push(visit);
        };
        for region in self.setting.ground.regions_at(who.placement.position) {
            for &id in shared.in_region(region) {
                enter(id, mind);
            }
        }
        if let Some(vehicle) = mind.ride.as_deref().map(|ride| usize::from(ride.vehicle)) {
            for &id in shared.in_vehicle(vehicle) {
                enter(id, mind);
            }
        }
    }

    /// Keeps the agent out of rooms that others have to themselves, and asks for those that it wants to be in.
    fn heed_rooms(&self, who: Who, mind: &Mind, changes: &mut Vec<(u32, Change)>, influence: &mut Influence) {
        let position = who.placement.position;
        for &id in &self.shared.rooms {
            let situation = &self.shared.situations[id.index()];
            let (Place::Region(index), Activity::Exclusive { around }) =
                (situation.place, &situation.activity)
            else {
                continue;
            };
            let sight = self.setting.book.reach() + ROOM_IN_SIGHT;
            if !situation.in_force(self.frame) {
                continue;
            }
            let region = &self.setting.ground.regions()[index];
            let holders = &self.shared.rolls[id.index()].holders;
            let wants = mind.wish().is_some_and(|goal| region.contains(goal));
            let inside = region.contains(position);
            if let Some(own) = holders.iter().position(|holder| *holder == Some(who.id)) {
                if !inside && !wants {
                    changes.push((who.id, Change::Release(id, own as u16)));
                }
                continue;
            }
            if around.centre.distance(position) > around.radius + sight {
                continue;
            }
            let free = holders.iter().position(Option::is_none);
            if (inside || wants)
                && let Some(free) = free
            {
                changes.push((who.id, Change::Claim(id, free as u16)));
            }
            if !inside {
                influence.keep_out_of(index);
                if wants {
                    // Wait at some distance, each in a direction of its own, so that the door stays free.
                    let away = (position - around.centre).normalize_or(Vec2::X);
                    let turn = (who.id % 7) as f32 / 6.0 - 0.5;
                    let (sine, cosine) = libm::sincosf(turn * 0.9);
                    let spot = around.centre
                        + Vec2::new(cosine, sine).rotate(away)
                            * (around.radius + ROOM_FOR_THE_DOOR + turn.abs());
                    if position.distance(around.centre) < around.radius + ROOM_FOR_THE_DOOR - 0.5 {
                        influence.target = Some(spot);
                    } else {
                        influence.stand |=
                            position.distance(around.centre) < around.radius + ROOM_FOR_THE_DOOR + 1.0;
                    }
                }
            }
        }
    }

    /// Runs the rules of a visit, one after the other; returns where they send the visitor for good.
    #[allow(clippy::too_many_arguments)]
    fn run_rules(
        &self,
        who: Who,
        script: &Script,
        index: usize,
        mind: &mut Mind,
        random: &mut Random,
        changes: &mut Vec<(u32, Change)>,
        influence: &mut Influence,
    ) -> Option<Vec2> {
        let id = mind.visits[index].situation;
        let (mut set_out, mut stop) = (None, None);
        let mut notes = mind.visits[index].notes.take().unwrap_or_else(|| Box::new(script.fresh()));
        let readings: Vec<Reading> =
            script.sensors.iter().map(|(_, sensor)| self.read(who, id, *sensor)).collect();
        let node = self.setting.book.graph().node(who.node);
        let goal = mind.wish();
        let visit = &mut mind.visits[index];
        for rule in 0..script.rules() {
            if notes.broken >> rule & 1 == 1 {
                continue;
            }
            let facts = Facts {
                time: self.frame as f32 / FRAME_RATE,
                position: who.placement.position,
                heading: who.placement.heading,
                speed: match self.movers[who.index as usize] {
                    Mover::Graph => node.state.velocity.ground.length(),
                    _ => self.speed_of(who.index as usize),
                },
                likes: mind.speed,
                inside: self.frame.saturating_sub(visit.since) as f32 / FRAME_RATE,
                goal,
                at_rest: node.rest,
                present: self.shared.rolls[id.index()].present.len(),
                seed: random.bits(),
                region: match self.shared.situations[id.index()].place {
                    Place::Region(region) => Some(region),
                    _ => None,
                },
                alphas: self.shared.scheme.alphas,
                influence: influence.clone(),
            };
            let me = match script.run(rule, script.someone(facts), &readings, &mut notes.memory) {
                Ok(me) => me,
                Err(error) => {
                    notes.broken |= 1 << rule;
                    changes.push((who.id, Change::Failed(id, error)));
                    continue;
                }
            };
            *influence = me.influence;
            for wish in me.wishes {
                match wish {
                    Wish::Leave => {
                        visit.takes_part = false;
                        if let Some(spot) = visit.spot.take() {
                            changes.push((who.id, Change::Release(id, spot)));
                        }
                        changes.push((who.id, Change::Leave(id)));
                    }
                    Wish::Goal(point) if goal != Some(point) => set_out = Some(point),
                    Wish::GoalIn(region) => {
                        let Some(region) = self.setting.ground.regions().get(region) else { continue };
                        if !goal.is_some_and(|goal| region.contains(goal)) {
                            let mut stream = Stream::new(random.bits(), 0);
                            set_out =
                                self.setting.ground.random_point(Some(region), ROOM_INSIDE, &mut stream);
                        }
                    }
                    Wish::Goal(_) => {}
                    Wish::Stop(number) => stop = Some(number),
                    Wish::Switch(signal, to) => changes.push((who.id, Change::Switch(signal, to))),
                    Wish::Join(group) => changes.push((who.id, Change::Join(group))),
                    Wish::Part(group) => changes.push((who.id, Change::Part(group))),
                }
            }
        }
        // Nothing is kept of a visit that is over.
        visit.notes = visit.takes_part.then_some(notes);
        if let Some(stop) = stop.filter(|stop| ![mind.stop, mind.bound_for].contains(&Some(*stop))) {
            mind.go_to_stop(stop);
        }
        set_out
    }

    /// Lets who wants to be elsewhere wander about in the regions that it must not leave (appendices A.6 and A.7).
    fn wander_inside(&self, who: Who, mind: &Mind, influence: &mut Influence) {
        let ground = &self.setting.ground;
        let inside = |point: Vec2| {
            let mut regions = influence.stays_in().iter().map(|&region| &ground.regions()[region as usize]);
            regions.all(|region| region.contains(point))
        };
        let Some(first) = influence.stays_in().first().map(|&region| &ground.regions()[region as usize])
        else {
            return;
        };
        if influence.target.is_some() || mind.wish().is_some_and(inside) {
            return;
        }
        let turn = (self.frame + who.id * 37) / WANDERS_TO_ONE_POINT;
        let mut stream = Stream::new(u64::from(who.id), u64::from(turn));
        let mut points =
            (0..TRIES_INSIDE).filter_map(|_| ground.random_point(Some(first), ROOM_INSIDE, &mut stream));
        let point = points.find(|&point| inside(point));
        influence.target = point.filter(|point| point.distance(who.placement.position) > NEAR_ENOUGH);
        influence.stand |= influence.target.is_none();
    }

    /// What a sensor reads for an agent.
    fn read(&self, who: Who, situation: SituationId, sensor: Sensor) -> Reading {
        let position = who.placement.position;
        match sensor {
            Sensor::Empty { at, within } => {
                Reading::Flag(self.people_within(at, within, Some(who.index)) == 0)
            }
            Sensor::Proximity { to } => Reading::Number(to.distance(position)),
            Sensor::Signal(signal) => {
                let signal = self.shared.signals.get(usize::from(signal.0));
                Reading::Flag(signal.is_some_and(|signal| signal.is_on(self.frame)))
            }
            Sensor::Density { at, within } => {
                let people = self.people_within(at, within, None) as f32;
                Reading::Number(people / (std::f32::consts::PI * within * within))
            }
            Sensor::Agent(Whom::Named(name)) => {
                let others =
                    self.shared.named.iter().filter(|(own, other)| *own == name && *other != who.index);
                let seen = others.map(|(_, other)| self.see(*other as usize, position));
                let nearest = seen.min_by(|a, b| a.distance.total_cmp(&b.distance));
                Reading::Agent(nearest.unwrap_or_default())
            }
            Sensor::Agent(Whom::Nearest) => Reading::Agent(self.nearest(who)),
            Sensor::Agent(Whom::First) => {
                let first = self.shared.rolls[situation.index()].present.first();
                let index = first.and_then(|id| self.ids.binary_search(id).ok());
                Reading::Agent(index.map_or_else(Seen::default, |index| self.see(index, position)))
            }
        }
    }

    /// How many are within `within` metres of a place now, not counting `except`.
    pub(crate) fn people_within(&self, at: Vec2, within: f32, except: Option<u32>) -> usize {
        let mut count = 0;
        self.ledger.for_each_near(at, within, |other, _| {
            let there = self.ledger.promises[other as usize].position(&self.setting.book, self.frame);
            count += usize::from(Some(other) != except && there.distance(at) < within);
        });
        count
    }

    /// How many are in a region now, or on their way to it.
    fn people_of(&self, region: usize) -> usize {
        let Some(region) = self.setting.ground.regions().get(region) else { return 0 };
        let bounds = region.bounds();
        let (middle, half) = ((bounds.min + bounds.max) * 0.5, bounds.size() * 0.5);
        let mut there = 0;
        self.ledger.for_each_near(middle.as_vec2(), half.length() as f32, |other, _| {
            let place = self.ledger.promises[other as usize].position(&self.setting.book, self.frame);
            there += usize::from(region.contains(place));
        });
        there + self.shared.under_way_to(region)
    }

    fn nearest(&self, who: Who) -> Seen {
        let position = who.placement.position;
        let mut best: Option<(f32, u32)> = None;
        self.ledger.for_each_near(position, Sensor::SIGHT, |other, _| {
            let there = self.ledger.promises[other as usize].position(&self.setting.book, self.frame);
            let candidate = (there.distance(position), other);
            if other != who.index && candidate.0 < Sensor::SIGHT && best.is_none_or(|best| candidate < best) {
                best = Some(candidate);
            }
        });
        best.map_or_else(Seen::default, |(_, index)| self.see(index as usize, position))
    }

    fn see(&self, index: usize, from: Vec2) -> Seen {
        let book = &*self.setting.book;
        let commitment = &self.ledger.promises[index];
        let now = commitment.placement(book, self.frame);
        let shows = match (commitment.doing, commitment.rest_frame(book) > self.frame) {
            (Some(doing), true) => book.get(doing).labels,
            _ => Default::default(),
        };
        Seen {
            there: true,
            position: now.position,
            heading: now.heading,
            distance: now.position.distance(from),
            speed: self.speed_of(index),
            shows,
        }
    }

    /// How fast somebody goes, whatever moves it, in metres a second.
    fn speed_of(&self, index: usize) -> f32 {
        if let Some(slot) = self.steered.slot(self.ids[index]) {
            return self.steered.crowd.velocities()[slot].length();
        }
        let promise = &self.ledger.promises[index];
        let at = |frame: u32| promise.position(&self.setting.book, frame);
        at(self.frame).distance(at(self.frame + 1)) * FRAME_RATE
    }
}

impl Crowd {
    /// Notes who has a name, where a sensor looks at somebody by it.
    pub(crate) fn note_names(&mut self) {
        let by_name = |sensor: &Sensor| matches!(sensor, Sensor::Agent(Whom::Named(_)));
        let mut scripts = self.shared.situations.iter().filter_map(|situation| situation.script.as_ref());
        let looks = scripts.any(|script| script.sensors.iter().any(|(_, sensor)| by_name(sensor)));
        self.shared.named.clear();
        if looks {
            self.shared.named.extend(names_of(&self.minds));
        }
    }
}

/// Those who have a name, by its number, and their indices.
pub(crate) fn names_of(minds: &[Mind]) -> impl Iterator<Item = (u16, u32)> + '_ {
    let named = minds.iter().enumerate().filter(|(_, mind)| mind.called > 0);
    named.map(|(index, mind)| (mind.called, index as u32))
}
