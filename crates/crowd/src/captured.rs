//! Cell Marking as a mover: somebody of the one crowd who plans a second of captured motion and the stop after it.
//!
//! The segment and its stop are a move like any other, so the plan is a promise like any other: it is refused where it
//! meets a wall, another promise or a vehicle, and where none is free the stop that was promised before is carried out.

use crate::behaviour::Behaviour;
use crate::cell_marking::{DETOUR, LOSES_DIRECTION, Marking, Markings, Ranked, Seen, StateId};
use crate::commitment::Commitment;
use crate::consult::Who;
use crate::decision::{Decider, Decision, Scratch, Trial, needs_clips};
use crate::ledger::Binding;
use crate::mind::Mind;
use crate::moves::MoveId;
use crate::person::{Errand, Mover};
use crate::random::{Purpose, Random};
use crate::situation::{Change, Influence};
use crate::velocity::{MovingDisc, Neighbour, Role};
use crate::wayfinding::Wayfinding;
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_promises::{DiscSize, SegmentMoves};
use glam::Vec2;
use std::collections::BinaryHeap;

/// Lists that every decision needs, kept from one to the next.
#[derive(Default)]
pub(crate) struct Considering {
    ranked: BinaryHeap<Ranked>,
    neighbours: Vec<Neighbour>,
}

/// Frames after which one who stands decides again, at least …
const STANDS: u32 = 4;
/// … and at most this many more, so that not all decide at once.
const STANDS_LONGER: u32 = 5;
/// How near to its goal, in metres, somebody stops who stays there.
const TOLERANCE: f32 = 0.4;

/// Somebody who plans captured motion.
#[derive(Clone, Copy)]
struct Planning<'a> {
    who: Who,
    own: &'a Commitment,
    segments: &'a SegmentMoves,
    marking: &'a Marking,
    state: StateId,
    stands: bool,
}

impl Decider<'_> {
    /// Decides for somebody who plans captured motion: its situations, where it goes, and the segment that serves this
    /// best of those that keep all promises.
    pub(crate) fn plan_captured(
        &self,
        index: u32,
        marking: u16,
        mind: &mut Mind,
        decided: &[(u32, Decision)],
        changes: &mut Vec<(u32, Change)>,
        scratch: &mut Scratch,
    ) -> Decision {
        let book = &*self.setting.book;
        let own = &self.ledger.promises[index as usize];
        let known = book.segments().zip(self.markings.get(usize::from(marking)));
        let state = known.and_then(|(segments, _)| segments.state_of(own, self.frame));
        let (Some((segments, markings)), Some(state)) = (known, state) else {
            return Decision::keep(self.frame + 1);
        };
        let stands = own.rest_frame(book) <= self.frame;
        let id = self.ids[index as usize];
        let kept = mind.marking.take().filter(|(number, _)| *number == marking);
        let kept = kept.unwrap_or_else(|| (marking, Box::new(markings.of(self.setting.seed, id))));
        let numbers = *kept.1;
        mind.marking = Some(kept);
        let marking = &numbers;
        let placement = own.placement(book, self.frame);
        let who = Who { index, id, placement, node: own.node, moves: !stands };
        let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::DECISION);
        let (waited, asked_before) = (mind.waits(), changes.len());
        let influence = self.consult(who, mind, &mut random, changes);
        let needs_clips = needs_clips(&influence, mind);
        let wanted = if needs_clips { Mover::Graph } else { self.wanted_mover(index, &influence) };
        if wanted != self.movers[index as usize] {
            if needs_clips {
                self.leave_arrivals_to_clips(changes, asked_before);
            }
            // Whatever else moves one begins where one stands.
            let becomes = stands.then_some(wanted);
            let again = if stands { self.frame + 1 } else { own.rest_frame(book) };
            return Decision { becomes, ..Decision::keep(again) };
        }
        let Decider { setting, shared, frame, .. } = *self;
        let facing = placement.facing();
        let wayfinding =
            Wayfinding { setting, shared, frame, id, facing, afoot: true, hurries: mind.hurries };
        if wayfinding.plan(placement.position, mind, &influence, &mut random) {
            return Decision { leaves: true, settles: true, ..Decision::keep(self.frame + 1) };
        }
        let planning = Planning { who, own, segments, marking, state, stands };
        self.gather(who, decided, &mut scratch.neighbours);
        let rooted = stands && matches!(mind.errand, Errand::Stay(_));
        let chosen = if rooted { None } else { self.choose_segment(planning, mind, &influence, scratch) };
        chosen.unwrap_or_else(|| {
            let settles = own.rest_frame(book) >= self.frame || mind.waits() != waited;
            let pause = if stands { STANDS + random.below(STANDS_LONGER) } else { segments.book().stride() };
            Decision { settles, ..Decision::keep(self.frame + pause) }
        })
    }

    /// The segment with the best score that keeps all promises, if any is better than going on as promised.
    fn choose_segment(
        &self,
        planning: Planning<'_>,
        mind: &Mind,
        influence: &Influence,
        scratch: &mut Scratch,
    ) -> Option<Decision> {
        let Planning { who, own, segments, marking, state, stands } = planning;
        let impatience = self.impatience(who.placement.position, mind, &scratch.neighbours);
        self.look_ahead(who, mind, &scratch.neighbours, &mut scratch.courtesy);
        let target = self.heading(who, mind, influence, impatience, &scratch.courtesy);
        let size = DiscSize::of(marking.radius);
        let radius = segments.radius_of(size);
        self.look_for_walls_of(who, radius, scratch);
        let Considering { mut ranked, mut neighbours } = std::mem::take(&mut scratch.considering);
        self.look_at_neighbours(planning, &mut neighbours);

        let nearer = |behaviour: &Behaviour| match *behaviour {
            Behaviour::ComeNearer { to, .. } => Some(to),
            _ => None,
        };
        let towards = influence.added().find_map(|(behaviour, _)| nearer(behaviour));
        let stops = towards.is_some() || target.is_none() || mind.heads_straight_for_goal();
        let goal = towards.filter(|_| !influence.stand).or(target);
        let waits = self.frame.saturating_sub(mind.gained) as f32 / FRAME_RATE;
        let restless = stands && goal.is_some() && mind.waits() && waits > marking.patience;
        let (book, frame) = (&*self.setting.book, self.frame);
        let wish = marking.wish(Seen {
            place: who.placement,
            velocity: own.moving_disc(book, frame).velocity,
            to_goal: goal.map_or(Vec2::ZERO, |goal| goal - who.placement.position),
            tolerance: stops.then_some(TOLERANCE),
            speed: influence.pace.unwrap_or(mind.speed),
            radius,
            restless,
            detour: (waits > marking.patience * LOSES_DIRECTION).then_some(DETOUR),
            neighbours: &neighbours,
            ground: Some(&self.setting.ground),
            random: Random::new(self.setting.seed, who.id, frame, Purpose::STEERING),
        });
        let wish = wish.seen_from(who.placement.heading);
        let going_on = match stands {
            true => marking.score(&wish, 0.0, Placement::IDENTITY, 1.0),
            false => {
                let (seconds, end) = segments.remaining(own, frame);
                marking.score(&wish, 0.0, end.relative_to(who.placement), seconds)
            }
        };
        let enough = if restless { f32::INFINITY } else { going_on + marking.reluctance };
        marking.rank(&wish, segments.book().transitions(state), enough, &mut ranked);
        let first = segments.book().first_transition(state);
        let tried = std::iter::from_fn(|| ranked.pop()).take(marking.tests.into());
        let found = tried.enumerate().find_map(|(refused, ranked)| {
            let id = SegmentMoves::id(first + ranked.transition, size);
            if !self.keeps_to_regions(who.placement, id, influence) {
                return None;
            }
            let Trial::Clear(decision) = self.try_move(who, mind, id, scratch) else { return None };
            let careless = refused == 0 && marking.has_elbow_room(who.placement, &neighbours);
            let again = if careless { decision.again } else { frame + marking.decision_frames() };
            Some(Decision { again, ..decision })
        });
        scratch.considering = Considering { ranked, neighbours };
        found
    }

    /// Finds the others that somebody heeds, the nearest first.
    fn look_at_neighbours(&self, planning: Planning<'_>, neighbours: &mut Vec<Neighbour>) {
        let Marking { neighbour_distance, neighbours: most, personal_radius, .. } = *planning.marking;
        let Placement { position, .. } = planning.who.placement;
        let (book, facing) = (&*self.setting.book, planning.who.placement.facing());
        neighbours.clear();
        self.ledger.for_each_near(position, neighbour_distance, |other, _| {
            let promise = &self.ledger.promises[other as usize];
            let MovingDisc { centre, velocity, radius } = promise.moving_disc(book, self.frame);
            let offset = centre - position;
            let distance_squared = offset.length_squared();
            if other == planning.who.index || distance_squared > neighbour_distance * neighbour_distance {
                return;
            }
            let avoids = self.ledger.bindings[other as usize] == Binding::Firm;
            neighbours.push(Neighbour {
                offset,
                velocity,
                // Both leave the room that the wider one of them wants.
                radius: radius.max(personal_radius).max(self.personal_radius(other)),
                distance_squared,
                // Who faces one's own way queues ahead and is no reason to give way.
                intent: if promise.facing().dot(facing) < 0.0 { promise.facing() } else { Vec2::ZERO },
                // Who stands does nothing to avoid anybody.
                role: if avoids && velocity != Vec2::ZERO { Role::Peer } else { Role::Foreign },
                ..Neighbour::default()
            });
        });
        // Who is found first does not matter.
        let order = |one: &Neighbour| [one.distance_squared, one.offset.x, one.offset.y];
        neighbours.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal));
        neighbours.truncate(most.into());
    }

    /// The radius in metres with which somebody who plans captured motion wants to be seen; 0 of anybody else.
    fn personal_radius(&self, index: u32) -> f32 {
        let Mover::CellMarking(marking) = self.movers[index as usize] else { return 0.0 };
        let own = |markings: &Markings| markings.personal_radius(self.setting.seed, self.ids[index as usize]);
        self.markings.get(usize::from(marking)).map_or(0.0, own)
    }

    /// Whether a move, its stop included, leaves no region that must not be left and enters none that must not be entered.
    fn keeps_to_regions(&self, start: Placement, id: MoveId, influence: &Influence) -> bool {
        let regions = self.setting.ground.regions();
        let path = || self.setting.book.get(id).path.iter().map(|&point| start.transform_point(point));
        // Who is outside may come in any way.
        let mut stay_in = influence.stays_in().iter().map(|&region| &regions[region as usize]);
        let leaves = stay_in
            .any(|region| region.contains(start.position) && path().any(|point| !region.contains(point)));
        let enters = |&region: &u32| path().any(|point| regions[region as usize].contains(point));
        !leaves && !influence.keeps_out_of().iter().any(enters)
    }
}
