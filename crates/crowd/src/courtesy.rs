//! What people owe to others besides their promises: to take turns at doors, to come to them from the front, to leave room
//! to turn.
//!
//! Promises alone keep people apart; where all press on at once, nobody gets through a door (ours; not in the sources).

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::decision::{Aim, Decider};
use crate::mind::Mind;
use crate::moves::{Choice, MoveId};
use crate::random::Random;
use crate::two_way::TwoWay;
use crowdloom_motion::Placement;
use crowdloom_motion::mobb::Disc;
use crowdloom_world::Gate;
use glam::Vec2;
use smallvec::SmallVec;

/// What an agent owes to those around it in one decision.
#[derive(Default)]
pub(crate) struct Courtesy {
    /// Where those near by will stand.
    rests: Vec<Vec2>,
    /// Which way they face, in the same order.
    facings: Vec<Vec2>,
    /// Where those stand who go nowhere, and to whom it keeps its distance.
    staying: Vec<Vec2>,
    /// The next narrow place of its way, where others wait too.
    door: Option<Door>,
    /// How far ahead the next narrow place of its way is, in metres, if others are about.
    left: Option<f32>,
    /// How many are near, where no narrow place is ahead: none before a door.
    pub(crate) crowd: usize,
    /// Whether it only steps back or aside, to make room: it faces nobody there.
    pub(crate) makes_room: bool,
    /// The next narrow place of its way, through which others come against it.
    two_way: Option<TwoWay>,
}

/// A narrow place on the way of somebody, where others wait too.
#[derive(Clone, Copy)]
struct Door {
    centre: Vec2,
    /// The direction in which the way goes through.
    on: Vec2,
    width: f32,
    /// How many go through it side by side.
    lanes: usize,
    /// Whether it is the turn of others.
    taken: bool,
    /// Nobody else before it is nearer to it.
    is_first: bool,
}

impl Door {
    /// Whether somebody at `now` should not come to rest at `rest`.
    fn forbids(&self, now: Vec2, rest: Vec2, blocked: u16) -> bool {
        let left = rest.distance(self.centre);
        let nearer = left < now.distance(self.centre);
        let out_of_turn = self.taken && left < self.turn_room();
        nearer && (out_of_turn || self.is_beside(rest) && !self.may_go_straight(blocked))
    }

    /// Whether somebody may come to it from the side: the nearest, who has been `blocked` so often that it has no other way.
    fn may_go_straight(&self, blocked: u16) -> bool {
        self.is_first && blocked >= PATIENCE
    }

    /// Who waits for its turn stays this far from the middle, in metres: two side by side before a door for one are stuck.
    fn turn_room(&self) -> f32 {
        if self.lanes == 1 { TURN_ROOM_FOR_ONE } else { TURN_ROOM }
    }

    /// Whether a place is beside the opening: who stands there keeps others from going through and cannot either.
    fn is_beside(&self, place: Vec2) -> bool {
        let offset = place - self.centre;
        let (before, aside) = (-offset.dot(self.on), offset.perp_dot(self.on).abs());
        let edge = (0.5 * self.width - BESIDE).max(LEAST_LANE);
        (0.05..BESIDE_BEFORE).contains(&before) && (edge..edge + BESIDE_ASIDE).contains(&aside)
    }
}

impl Courtesy {
    /// Whether nobody is near.
    pub(crate) fn is_alone(&self) -> bool {
        self.rests.is_empty()
    }

    /// Whether it is about to go through another narrow place.
    pub(crate) fn is_before_a_door(&self) -> bool {
        self.left.is_some_and(|left| left < RIGHT_BEFORE)
    }

    /// Where somebody heads who goes to `target`: who comes to a narrow place from the side, where others wait too, goes
    /// round to its front; who is the nearest and `blocked` on that way goes straight.
    pub(crate) fn round_to_the_front(&self, now: Vec2, target: Vec2, blocked: u16) -> Vec2 {
        if let Some(aim) = self.two_way.and_then(|two_way| two_way.aim(now, blocked)) {
            return aim;
        }
        let heeded = self.door.filter(|door| !door.may_go_straight(blocked));
        let Some(Door { centre, on, width, .. }) = heeded else { return target };
        let offset = now - centre;
        let (before, aside) = (-offset.dot(on), offset.perp_dot(on));
        let is_beside = aside.abs() > FROM_THE_SIDE * before && aside.abs() > 0.5 * width;
        if !is_beside || offset.length() < 0.5 * width + AT_THE_DOOR {
            return target;
        }
        centre - on * FRONT - on.perp() * (aside.signum() * 0.25 * width)
    }

    /// Whether somebody who stands at `now` and would set out off its way comes to stand behind others there, too.
    pub(crate) fn is_in_vain(&self, now: Placement, choice: &Choice, aim: Aim) -> bool {
        let Some(target) = aim.target.filter(|_| aim.impatience < DESPERATE) else { return false };
        let end = now.then(choice.displacement).position;
        let (way, left) = (target - now.position, target - end);
        let off = (end - now.position).angle_to(way).abs();
        let distance = left.length();
        if off < OFF_THE_WAY || distance < NEARLY_THERE {
            return false;
        }
        let ahead = left / distance;
        let is_behind = |other: &Vec2| {
            let gap = *other - end;
            (0.0..distance.min(OPEN_WAY)).contains(&gap.dot(ahead))
                && gap.perp_dot(ahead).abs() < ROOM_TO_PASS
        };
        self.rests.iter().any(is_behind)
    }

    /// Whether somebody at `now` waits to go through a narrow place: it is alert, lest its turn goes by.
    pub(crate) fn waits_at_door(&self, now: Vec2) -> bool {
        self.door.is_some_and(|door| now.distance(door.centre) < CROWD_AROUND)
    }

    /// Whether somebody at `now` should not come to rest at `rest`.
    pub(crate) fn forbids(&self, now: Vec2, rest: Vec2, mind: &Mind) -> bool {
        // Who has a place of its own, on a bench or in a bus, goes there past others.
        if mind.ride.is_some() || mind.visits.iter().any(|visit| visit.spot.is_some()) {
            return false;
        }
        let out_of_turn = self.door.is_some_and(|door| door.forbids(now, rest, mind.blocked));
        let in_their_way = self.two_way.is_some_and(|two_way| two_way.forbids(now, rest));
        let one_by_one = self.door.is_some_and(|door| door.lanes == 1);
        let room = if one_by_one { ROOM_TO_TURN_BEFORE_ONE } else { ROOM_TO_TURN };
        out_of_turn
            || in_their_way
            || crowds(now, rest, &self.rests, room)
            || crowds(now, rest, &self.staying, ROOM_TO_STAND)
            || !self.makes_room && self.faces_down(now, rest)
    }

    /// Whether somebody at `now` would come to rest at `rest` nose to nose with somebody who goes elsewhere: then neither
    /// could pass.
    fn faces_down(&self, now: Vec2, rest: Vec2) -> bool {
        let ahead = (rest - now).normalize_or_zero();
        self.rests.iter().zip(&self.facings).any(|(other, facing)| {
            let gap = *other - rest;
            let distance = gap.length();
            distance < NOSE_TO_NOSE
                && gap.dot(ahead) > STRAIGHT_AHEAD * distance
                && facing.dot(ahead) < GOES_ALONG
        })
    }
}

/// Whether a place to rest is nearer to others than `room` metres, so that nobody could turn there, and nearer than before.
fn crowds(now: Vec2, rest: Vec2, others: &[Vec2], room: f32) -> bool {
    let too_near = |other: &&Vec2| rest.distance_squared(**other) < room * room;
    others.iter().filter(too_near).any(|other| rest.distance(*other) < now.distance(*other) - 0.01)
}

/// Who sets out at more than this angle to its way, in radians …
const OFF_THE_WAY: f32 = 0.4;

/// … to what is not as near as this, in metres …
const NEARLY_THERE: f32 = 0.5;

/// … wants to go on from there for so many metres …
const OPEN_WAY: f32 = 1.0;

/// … with nobody this near to the line, in metres …
const ROOM_TO_PASS: f32 = 0.4;

/// … unless it is more impatient than this.
const DESPERATE: f32 = 0.3;

/// Nobody comes nearer than this, in metres, to who is straight ahead …
const NOSE_TO_NOSE: f32 = 0.8;

/// … by the cosine of the angle to one's way …
const STRAIGHT_AHEAD: f32 = 0.8;

/// … and does not go the same way, by the cosine of the angle between both.
const GOES_ALONG: f32 = 0.3;

/// Who has been blocked so often in a row …
const PATIENCE: u16 = 4;

/// … and is not the first makes room with this chance.
const MAKES_ROOM: f32 = 0.1;

/// It makes room by more than this, in metres.
const LEAST_ROOM_MADE: f32 = 0.06;

/// Those who are nearer than this, in metres, may be in each other's way.
const IN_THE_WAY: f32 = 0.85;

/// Who waits for its turn at a narrow place stays this far from it, in metres …
const TURN_ROOM: f32 = 0.5;

/// … and this far where one goes through at a time …
const TURN_ROOM_FOR_ONE: f32 = 0.6;

/// … where others within this distance of it, in metres, matter …
const CROWD_AROUND: f32 = 1.5;

/// … if there are as many, or as many as have room in it …
const CROWD: usize = 2;

/// … and nobody stands nearer than this, in metres, to its sides …
const BESIDE: f32 = 0.25;

/// … and this close before it, in metres …
const BESIDE_BEFORE: f32 = 0.5;

/// … and this far to either side, in metres …
const BESIDE_ASIDE: f32 = 0.6;

/// … but in a lane that is at least this wide to either side of its middle, in metres …
const LEAST_LANE: f32 = 0.15;

/// … and there is one turn for so many metres of its width.
const ROOM_FOR_ONE: f32 = 0.5;

/// A narrow place is heeded from this far on, in metres …
const IN_SIGHT: f32 = 5.0;

/// … and from this far on, in metres, where it is the end of a passage through which others come …
const FAR_SIGHT: f32 = 12.0;

/// … and who comes to it from a side, by the tangent of the angle to the way through …
const FROM_THE_SIDE: f32 = 0.7;

/// … goes round to this far before it, in metres …
const FRONT: f32 = 1.1;

/// … unless it is as near as this to a post, in metres.
const AT_THE_DOOR: f32 = 0.5;

/// Who is this near to a narrow place on its way, in metres, is about to go through it.
const RIGHT_BEFORE: f32 = 2.0;

/// Away from doors nobody comes to rest nearer than this, in metres, to who stays where it is …
const ROOM_TO_STAND: f32 = 0.65;

/// … until it has been blocked so often: then it comes as near as it must …
const SHY: u16 = 3;

/// … and this far away, in metres, they do not matter yet.
const A_STEP_OR_TWO: f32 = 2.5;

/// Bodies that stand this far apart, in metres, can turn on the spot and shift their weight.
const ROOM_TO_TURN: f32 = 0.455;

/// … and this far where one goes through at a time: shoulder to shoulder before a door neither can turn to it.
const ROOM_TO_TURN_BEFORE_ONE: f32 = 0.475;

impl Decider<'_> {
    /// Finds where those near by will stand, and whose turn it is at a narrow place.
    pub(crate) fn look_ahead(
        &self,
        who: Who,
        mind: &Mind,
        neighbours: &[(Commitment, Disc)],
        courtesy: &mut Courtesy,
    ) {
        let Courtesy { rests, facings, staying, door, left, crowd, two_way, .. } = courtesy;
        rests.clear();
        facings.clear();
        staying.clear();
        let own = who.placement.position;
        let seen = if neighbours.is_empty() { None } else { self.gate_ahead(own, mind, FAR_SIGHT) };
        *left = seen.map(|(_, _, left)| left);
        *two_way = seen.and_then(|(gate, on, left)| self.two_way(who, gate, on, left > IN_SIGHT));
        let gate = seen.filter(|(_, _, left)| *left <= IN_SIGHT);
        *crowd = if gate.is_some() { 0 } else { neighbours.len() };
        *door = gate.and_then(|(gate, on, _)| {
            let whole = (gate.centre(), gate.width());
            self.door_ahead(who, two_way.map_or(whole, |two_way| two_way.own_part()), on)
        });
        let book = &*self.setting.book;
        rests.extend(neighbours.iter().map(|(other, _)| other.position(book, u32::MAX)));
        facings.extend(neighbours.iter().map(|(other, _)| other.facing()));
        if seen.is_none() && !neighbours.is_empty() && mind.blocked < SHY {
            self.ledger.for_each_near(own, A_STEP_OR_TWO, |other, _| {
                // Never of who is on its way: crowds that jam stand as close as they must.
                let goes = other == who.index || self.headings[other as usize].is_finite();
                let rest = self.ledger.promises[other as usize].rest_disc(book).filter(|_| !goes);
                staying.extend(rest.map(|rest| rest.centre));
            });
        }
    }

    /// The next door of the way, where others wait too: people take turns, as many at once as there is room for.
    fn door_ahead(&self, who: Who, (centre, width): (Vec2, f32), on: Vec2) -> Option<Door> {
        let own = who.placement.position;
        let left = own.distance(centre);
        let book = &*self.setting.book;
        let lanes = ((width / ROOM_FOR_ONE) as usize).max(1);
        let mut door = Door { centre, on, width, lanes, taken: false, is_first: false };
        let (mut nearer, mut waiting, mut nearest) = (0, 0, true);
        self.ledger.for_each_near(centre, CROWD_AROUND, |other, _| {
            let Some(rest) = self.ledger.promises[other as usize].rest_disc(book) else { return };
            let gap = centre - rest.centre;
            let before = other != who.index && gap.dot(on) > 0.0;
            // Who got beside the opening has to let others through first.
            let has_turn =
                before && gap.length() < door.turn_room().min(left) && !door.is_beside(rest.centre);
            nearer += usize::from(has_turn);
            nearest &= !(before && gap.length() < left);
            waiting += usize::from(before && gap.length() < CROWD_AROUND);
        });
        door.taken = nearer >= lanes && left >= door.turn_room() * 0.8;
        door.is_first = nearest;
        (waiting >= lanes.min(CROWD)).then_some(door)
    }

    /// The first narrow place on the way not farther ahead than `sight` metres, the direction in which the way goes through it,
    /// and how far ahead it is, in metres.
    fn gate_ahead(&self, own: Vec2, mind: &Mind, sight: f32) -> Option<(Gate, Vec2, f32)> {
        let ground = &self.setting.ground;
        let (mut from, mut left) = (own, sight);
        for &corner in mind.way_points.get(usize::from(mind.next)..)? {
            let to = from + (corner - from).clamp_length_max(left);
            if let Some((gate, share)) = ground.gate_between(from, to) {
                let through = gate.through();
                let on = if through.dot(to - from) < 0.0 { -through } else { through };
                return Some((gate, on, sight - left + share * from.distance(to)));
            }
            left -= from.distance(to);
            if left <= 0.0 {
                return None;
            }
            from = to;
        }
        None
    }

    /// Who cannot get on and stands close to somebody who is nearer to where both go steps back or aside, as far as there is
    /// room, so that at least one of them gets through: what it could do, the farthest first.
    pub(crate) fn steps_out_of_the_way(
        &self,
        who: Who,
        mind: &Mind,
        target: Vec2,
        random: &mut Random,
        courtesy: &Courtesy,
    ) -> SmallVec<[MoveId; 8]> {
        let book = &*self.setting.book;
        let at = who.placement.position;
        let rests = book.graph().node(who.node).rest;
        if !rests || mind.blocked < PATIENCE || random.unit() >= MAKES_ROOM {
            return SmallVec::new();
        }
        let left = at.distance(target);
        let first = |other: &&Vec2| other.distance(at) < IN_THE_WAY && other.distance(target) < left;
        let by_distance = |a: &&Vec2, b: &&Vec2| a.distance(at).total_cmp(&b.distance(at));
        let Some(&other) = courtesy.rests.iter().filter(first).min_by(by_distance) else {
            return SmallVec::new();
        };
        let steps = |choice: &&Choice| choice.labels.meets(self.shared.labels.stepping);
        let end = |choice: &Choice| who.placement.then(choice.displacement).position.distance(other);
        let gained = at.distance(other) + LEAST_ROOM_MADE;
        let steps = book.choices(who.node).iter().filter(steps);
        let mut steps: SmallVec<[(f32, MoveId); 8]> =
            steps.map(|choice| (end(choice), choice.normal)).filter(|(end, _)| *end > gained).collect();
        steps.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        steps.into_iter().map(|(_, step)| step).collect()
    }
}
