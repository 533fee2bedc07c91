//! What people owe to others besides their promises: not to cut in, to take turns at doors, to leave room to turn.
//!
//! Promises alone keep people apart; where all press on at once, nobody gets through a door (ours; not in the sources).

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::decision::Decider;
use crate::mind::Mind;
use crate::moves::{Choice, MoveId};
use crate::random::Random;
use crowdloom_motion::mobb::Disc;
use crowdloom_world::Gate;
use glam::Vec2;

/// What an agent owes to those around it in one decision.
#[derive(Default)]
pub(crate) struct Courtesy {
    /// Where those who are nearer to where the agent heads will stand, and which way they will face.
    ahead: Vec<Ahead>,
    /// Where those near by will stand.
    rests: Vec<Vec2>,
    /// The next narrow place of its way, where others wait too.
    door: Option<Door>,
}

/// A narrow place on the way of somebody, where others wait too.
#[derive(Clone, Copy)]
struct Door {
    centre: Vec2,
    /// The direction in which the way goes through.
    on: Vec2,
    width: f32,
    /// Whether it is the turn of others.
    taken: bool,
}

impl Door {
    /// Whether somebody at `now` should not come to rest at `rest`.
    fn forbids(&self, now: Vec2, rest: Vec2) -> bool {
        let left = rest.distance(self.centre);
        let nearer = left < now.distance(self.centre);
        nearer && (self.taken && left < TURN_ROOM || self.is_beside(rest))
    }

    /// Whether a place is beside the opening: who stands there keeps others from going through and cannot either.
    fn is_beside(&self, place: Vec2) -> bool {
        let offset = place - self.centre;
        let (before, aside) = (-offset.dot(self.on), offset.perp_dot(self.on).abs());
        let edge = (0.5 * self.width - BESIDE).max(LEAST_LANE);
        (0.05..BESIDE_BEFORE).contains(&before) && (edge..edge + 2.0 * BESIDE).contains(&aside)
    }
}

impl Courtesy {
    /// Whether somebody at `now` should not come to rest at `rest`.
    pub(crate) fn forbids(&self, now: Vec2, rest: Vec2, mind: &Mind) -> bool {
        // Who has a place of its own, on a bench or in a bus, goes there past others.
        if mind.ride.is_some() || mind.visits.iter().any(|visit| visit.spot.is_some()) {
            return false;
        }
        let out_of_turn = self.door.is_some_and(|door| door.forbids(now, rest));
        let cuts_in = || mind.blocked < PATIENCE && self.ahead.iter().any(|other| other.is_before(rest));
        out_of_turn || cuts_in() || crowds(now, rest, &self.rests)
    }
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

/// Who faces where somebody heads, by the cosine, goes the same way.
const SAME_WAY: f32 = 0.75;

/// Who has been blocked so often in a row waits no longer for those ahead to move …
const PATIENCE: u16 = 4;

/// … and who is blocked and not the first makes room with this chance.
const MAKES_ROOM: f32 = 0.06;

/// Those who are nearer than this, in metres, may be in each other's way.
const IN_THE_WAY: f32 = 0.85;

/// Who waits for its turn at a narrow place stays this far from it, in metres …
const TURN_ROOM: f32 = 0.8;

/// … where others within this distance of it, in metres, matter …
const CROWD_AROUND: f32 = 1.5;

/// … if there are as many, or as many as have room in it …
const CROWD: usize = 2;

/// … and nobody stands nearer than this, in metres, to its sides …
const BESIDE: f32 = 0.3;

/// … and this close before it, in metres …
const BESIDE_BEFORE: f32 = 0.7;

/// … but in a lane that is at least this wide to either side of its middle, in metres …
const LEAST_LANE: f32 = 0.15;

/// … and there is one turn for so many metres of its width.
const ROOM_FOR_ONE: f32 = 0.5;

/// Nobody steps in before others who are ahead of it, nearer than this to them, in metres …
const ROOM_IN_FRONT: f32 = 0.6;

/// … and less than this to the side of their way.
const ROOM_BESIDE: f32 = 0.5;

/// Bodies that stand this far apart, in metres, can turn on the spot and shift their weight.
const ROOM_TO_TURN: f32 = 0.58;

impl Decider<'_> {
    /// Finds those near by who are nearer to where the agent heads and go the same way, and whose turn it is.
    pub(crate) fn look_ahead(
        &self,
        who: Who,
        mind: &Mind,
        target: Option<Vec2>,
        neighbours: &[(Commitment, Disc)],
        courtesy: &mut Courtesy,
    ) {
        let Courtesy { ahead, rests, door } = courtesy;
        ahead.clear();
        rests.clear();
        *door = None;
        let Some(target) = target else { return };
        if !neighbours.is_empty() {
            *door = self.door_ahead(who, mind);
        }
        let book = &*self.setting.book;
        let own = who.placement.position;
        let (left, way) = (own.distance(target), (target - own).normalize_or_zero());
        ahead.extend(neighbours.iter().filter_map(|(other, _)| {
            let rest = other.placement(book, u32::MAX);
            rests.push(rest.position);
            let on = target - rest.position;
            let facing = rest.facing();
            let same_way = facing.dot(on) > SAME_WAY * on.length() && facing.dot(way) > 0.0;
            (on.length() < left && same_way).then_some(Ahead { rest: rest.position, facing })
        }));
    }

    /// The next door of the way where others wait too: people take turns, as many at once as there is room for.
    fn door_ahead(&self, who: Who, mind: &Mind) -> Option<Door> {
        let own = who.placement.position;
        let (gate, on) = self.gate_ahead(own, mind)?;
        let (centre, width) = (gate.centre(), gate.width());
        let left = own.distance(centre);
        let book = &*self.setting.book;
        let mut door = Door { centre, on, width, taken: false };
        let (mut nearer, mut waiting) = (0, 0);
        self.ledger.for_each_near(centre, CROWD_AROUND, |other| {
            let Some(rest) = self.ledger.promises[other as usize].rest_disc(book) else { return };
            let gap = centre - rest.centre;
            let before = other != who.index && gap.dot(on) > 0.0;
            // Who got beside the opening has to let others through first.
            let has_turn = before && gap.length() < TURN_ROOM.min(left) && !door.is_beside(rest.centre);
            nearer += usize::from(has_turn);
            waiting += usize::from(before && gap.length() < CROWD_AROUND);
        });
        let room = ((width / ROOM_FOR_ONE) as usize).max(1);
        door.taken = nearer >= room && left >= TURN_ROOM * 0.8;
        (waiting >= room.min(CROWD)).then_some(door)
    }

    /// The first narrow place on the way not far ahead, and the direction in which the way goes through it.
    fn gate_ahead(&self, own: Vec2, mind: &Mind) -> Option<(Gate, Vec2)> {
        let ground = &self.setting.ground;
        let (mut from, mut left) = (own, TURN_ROOM + 2.0);
        for &corner in mind.way_points.get(usize::from(mind.next)..)? {
            let to = from + (corner - from).clamp_length_max(left);
            if let Some((gate, _)) = ground.gate_between(from, to) {
                let through = gate.through();
                return Some((gate, if through.dot(to - from) < 0.0 { -through } else { through }));
            }
            left -= from.distance(to);
            if left <= 0.0 {
                return None;
            }
            from = to;
        }
        None
    }

    /// Who cannot get on and stands close to somebody who is nearer to where both go steps back or aside, so that at
    /// least one of them gets through.
    pub(crate) fn step_out_of_the_way(
        &self,
        who: Who,
        mind: &Mind,
        target: Vec2,
        random: &mut Random,
        courtesy: &Courtesy,
    ) -> Option<MoveId> {
        let book = &*self.setting.book;
        let at = who.placement.position;
        let rests = book.graph().node(who.node).rest;
        if !rests || mind.blocked < PATIENCE || random.unit() >= MAKES_ROOM {
            return None;
        }
        let left = at.distance(target);
        let first = |other: &&Vec2| other.distance(at) < IN_THE_WAY && other.distance(target) < left;
        let other = *courtesy.rests.iter().find(first)?;
        let steps = |choice: &&Choice| choice.labels.meets(self.shared.labels.stepping);
        let end = |choice: &&Choice| who.placement.then(choice.displacement).position.distance(other);
        let farthest = |a: &&Choice, b: &&Choice| end(a).total_cmp(&end(b));
        let choice = book.choices(who.node).iter().filter(steps).max_by(farthest)?;
        let gains = end(&choice) > at.distance(other) + 0.1;
        gains.then_some(choice.normal)
    }
}
