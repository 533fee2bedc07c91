//! The point that an agent heads for: along its way, around corners, and past those who come the other way.

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::courtesy::Courtesy;
use crate::decision::Decider;
use crate::mind::Mind;
use crate::person::Mover;
use crate::situation::{Defaults, Influence};
use crowdloom_motion::Placement;
use crowdloom_motion::mobb::Disc;
use crowdloom_world::Ground;
use glam::Vec2;

/// Half of how far ahead somebody who comes the other way matters, in metres.
const ONCOMING_REACH: f32 = 4.0;

/// Around corners people aim at where their way is in so many metres.
const CARROT: f32 = 1.2;

/// Who is as near to a corner as this, in metres, is there.
const AT_THE_POINT: f32 = 0.1;

/// Who stands against a corner goes off it by this much, in metres.
const OFF_THE_CORNER: f32 = 0.3;

/// With more people than this around, everybody keeps to its lane around a corner …
const CROWD: (f32, f32) = (4.0, 10.0);

/// … that is nearer than this, in metres …
const CORNER_AHEAD: f32 = 6.0;

/// … in lanes that are no farther from the inner wall than this, in metres …
const WIDEST: f32 = 3.0;

/// … and this much farther from the outer one than one must be, in metres.
const ROOM_OUTSIDE: f32 = 0.1;

/// Who is alone and comes to a narrow place aims at the gap itself from this far on, in metres …
const GAP_AHEAD: f32 = 3.0;

/// … at a point this far behind it, in metres.
const BEHIND_THE_GAP: f32 = 0.3;

/// Somebody who comes the other way matters this far to either side, in metres.
const ONCOMING_WIDTH: f32 = 1.0;

/// How far to the right an agent gives way, in radians; twice as far when it is as impatient as can be.
const GIVE_WAY: f32 = 0.35;

/// Who comes the other way, by the cosine of the angle between both.
const COMES_AGAINST: f32 = -0.3;

/// Who steps back does so for somebody who comes against it this near, in metres; nobody does for who goes the same way.
const IN_THE_WAY: f32 = 2.0;

/// How far back they want to be, in metres.
const RETREAT: f32 = 6.0;

/// A vehicle whose claim is nearer than this, in metres, makes those impatient who do not get on.
const VEHICLE_IN_THE_WAY: f32 = 3.0;

/// Decisions without a way forward after which an agent is as impatient as can be.
const MOST_BLOCKED: u16 = 12;

/// Decisions without a way forward after which somebody alone is impatient too.
const STUCK_ALONE: u16 = 5;

/// Who turns by a radian at a corner goes this fast there, in metres a second …
const PACE_OF_TURNING: f32 = 0.7;

/// … and this much faster, in metres a second, for every metre before it …
const BRAKES: f32 = 1.0;

/// … from where the next step ends, in metres.
const A_STEP: f32 = 0.4;

/// Who has to turn by a radian to where it is going goes this fast, in metres a second.
const PACE_OF_FACING: f32 = 1.0;

/// … but not slower than this, in metres a second: who turns on the way keeps walking.
const LEAST_PACE_OF_FACING: f32 = 0.6;

/// The pace of somebody who likes `speed`, in metres a second: sharp corners are taken slowly.
pub(crate) fn pace_at_corner(speed: f32, position: Vec2, mind: &Mind) -> f32 {
    let next = usize::from(mind.next);
    let (Some(&corner), Some(&after)) = (mind.way_points.get(next), mind.way_points.get(next + 1)) else {
        return speed;
    };
    let way = corner - position;
    let turn = way.angle_to(after - corner).abs();
    if !turn.is_finite() {
        return speed;
    }
    speed.min(PACE_OF_TURNING / turn.max(0.1) + BRAKES * (way.length() - A_STEP).max(0.0))
}

/// The same of somebody who has to turn to where it is going.
pub(crate) fn pace_of_turning(speed: f32, at: Placement, target: Vec2) -> f32 {
    let turn = at.facing().angle_to(target - at.position).abs();
    let pace = (PACE_OF_FACING / turn.max(0.1)).max(LEAST_PACE_OF_FACING);
    if turn.is_finite() { speed.min(pace) } else { speed }
}

impl Decider<'_> {
    /// The point to head for: the next way point, or to the right of it where somebody comes the other way.
    pub(crate) fn heading(
        &self,
        who: Who,
        mind: &Mind,
        influence: &Influence,
        impatience: f32,
        courtesy: &Courtesy,
    ) -> Option<Vec2> {
        if influence.stand || influence.removes.has(Defaults::TARGET_FIND) {
            return None;
        }
        let position = who.placement.position;
        let target = self.around_the_corner(position, mind, courtesy)?;
        let way = target - position;
        let distance = way.length();
        if distance < 2.0 {
            return Some(target);
        }
        let ahead = way / distance;
        // Nobody meets who is beyond its goal.
        let way_left = if mind.heads_straight_for_goal() { distance } else { f32::INFINITY };
        let (mut oncoming, mut in_the_way) = (false, false);
        self.ledger.for_each_near(position + ahead * ONCOMING_REACH, ONCOMING_REACH, |other, bounds| {
            let offset = bounds.centre - position;
            let (along, aside) = (offset.dot(ahead), offset.perp_dot(ahead));
            if other == who.index || !(0.3..way_left).contains(&along) || aside.abs() > ONCOMING_WIDTH {
                return;
            }
            // Who goes nowhere does not come either, whichever way it faces.
            let is_led = matches!(self.movers[other as usize], Mover::Planned | Mover::Recorded);
            let goes = is_led || self.headings[other as usize].is_finite();
            if goes && self.ledger.promises[other as usize].facing().dot(ahead) < COMES_AGAINST {
                oncoming = true;
                in_the_way |= along < IN_THE_WAY;
            }
        });
        // Only while there is somebody to let pass.
        if self.frame < mind.retreats_until && in_the_way {
            return Some(position - ahead * RETREAT);
        }
        if !oncoming {
            return Some(target);
        }
        let (sine, cosine) = libm::sincosf(-GIVE_WAY * (1.0 + impatience));
        let way = Vec2::new(cosine, sine).rotate(ahead);
        Some(position + way * distance.min(2.0 * ONCOMING_REACH))
    }

    /// Where somebody heads who comes to a narrow place on its way to `target`: for where its way leads through the gap. What
    /// lies far behind it forgives being astray by more than the gap does.
    pub(crate) fn for_the_gap(&self, position: Vec2, target: Vec2, mind: &Mind) -> Vec2 {
        let next = usize::from(mind.next);
        let line = mind.way_points.get(next.wrapping_sub(1)).zip(mind.way_points.get(next));
        let Some((&from, &to)) = line else { return target };
        let Some((gate, share)) = self.setting.ground.gate_between(from, to) else { return target };
        let (centre, through) = (gate.centre(), gate.through());
        let on = if through.dot(to - from) < 0.0 { -through } else { through };
        let before = (centre - position).dot(on);
        if !(0.1..GAP_AHEAD).contains(&before) {
            return target;
        }
        let room = (0.5 * gate.width() - self.setting.book.path_radius() - ROOM_OUTSIDE).max(0.0);
        let aside = (from + (to - from) * share - centre).dot(on.perp()).clamp(-room, room);
        centre + on.perp() * aside + on * BEHIND_THE_GAP
    }

    /// The next way point, or a point beyond it for who is near.
    fn around_the_corner(&self, position: Vec2, mind: &Mind, courtesy: &Courtesy) -> Option<Vec2> {
        let corner = mind.target()?;
        let Some(&after) = mind.way_points.get(usize::from(mind.next) + 1) else { return Some(corner) };
        let ground = self.setting.ground_of_ways(mind.hurries);
        let corner = self.in_lane(ground, position, corner, courtesy.crowd);
        let left = CARROT - corner.distance(position);
        if left <= 0.0 {
            return Some(corner);
        }
        let beyond = corner + (after - corner).clamp_length_max(left);
        let free = |to: Vec2, radius: f32| ground.straight_is_free(position, to, radius);
        if free(beyond, self.setting.book.path_radius()) {
            return Some(beyond);
        }
        if left <= 0.6 * CARROT {
            return Some(corner);
        }
        // Right at the corner the way on counts, unless one would run into the corner: then past it, or off it first.
        if corner.distance(position) < AT_THE_POINT {
            return Some(beyond);
        }
        let past = |share: f32| corner + (corner - position).normalize_or_zero() * (left * share);
        let body = self.setting.book.options().radius;
        let off = courtesy.is_alone().then(|| off_the_corner(ground, corner)).flatten();
        let mut ways = [beyond, past(1.0), past(0.4)].into_iter().chain(off);
        Some(ways.find(|way| free(*way, body)).unwrap_or(corner))
    }

    /// The corner as one goes round it in a crowd: as far from the inner wall as one is before it. If all cut it, as ways do,
    /// they are in each other's way and the outer half stays empty.
    fn in_lane(&self, ground: &Ground, position: Vec2, corner: Vec2, crowd: usize) -> Vec2 {
        let (few, many) = CROWD;
        let share = ((crowd as f32 - few) / (many - few)).clamp(0.0, 1.0);
        if share <= 0.0 || position.distance(corner) > CORNER_AHEAD {
            return corner;
        }
        let Some(wall) = ground.nearest_wall(corner) else { return corner };
        let ahead = (corner - position).normalize_or_zero();
        let inside = ahead.perp() * ahead.perp_dot(wall.point - position).signum();
        let lane = (ground.cast_ray(position, inside, WIDEST) - wall.distance) * share;
        if lane <= 0.0 {
            return corner;
        }
        let out = (corner - wall.point).normalize_or_zero();
        let clearance = self.setting.book.path_radius() + ROOM_OUTSIDE;
        let room = ground.cast_ray(corner, out, lane + clearance) - clearance;
        corner + out * lane.min(room).max(0.0)
    }

    /// How impatient the agent is with those around it, from 0 to 1; alone one becomes so only when stuck.
    pub(crate) fn impatience(&self, position: Vec2, mind: &Mind, neighbours: &[(Commitment, Disc)]) -> f32 {
        let near =
            |other: &Commitment| other.position(&self.setting.book, self.frame).distance(position) < 1.5;
        let driven = || {
            let about = Disc::new(position, VEHICLE_IN_THE_WAY);
            self.shared.vehicles.iter().any(|vehicle| vehicle.claims(about))
        };
        let alone = || !(neighbours.iter().any(|(other, _)| near(other)) || driven());
        if mind.blocked == 0 || mind.blocked < STUCK_ALONE && alone() {
            return 0.0;
        }
        f32::from(mind.blocked.min(MOST_BLOCKED)) / f32::from(MOST_BLOCKED)
    }
}

/// Where somebody goes first who stands against a corner.
fn off_the_corner(ground: &Ground, corner: Vec2) -> Option<Vec2> {
    let wall = ground.nearest_wall(corner)?;
    Some(corner + (corner - wall.point).normalize_or_zero() * OFF_THE_CORNER)
}
