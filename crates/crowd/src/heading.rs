//! The point that an agent heads for: along its way, around corners, and past those who come the other way.

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::decision::Decider;
use crate::mind::Mind;
use crate::situation::{Defaults, Influence};
use crowdloom_motion::Placement;
use crowdloom_motion::mobb::Disc;
use glam::Vec2;

/// Half of how far ahead somebody who comes the other way matters, in metres.
const ONCOMING_REACH: f32 = 4.0;

/// Around corners people aim at where their way is in so many metres.
const CARROT: f32 = 1.2;

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
    ) -> Option<Vec2> {
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
        let (mut oncoming, mut in_the_way) = (false, false);
        self.ledger.for_each_near(position + ahead * ONCOMING_REACH, ONCOMING_REACH, |other| {
            let offset = self.ledger.bounds[other as usize].centre - position;
            let (along, aside) = (offset.dot(ahead), offset.perp_dot(ahead));
            if other == who.index || along < 0.3 || aside.abs() > ONCOMING_WIDTH {
                return;
            }
            if self.ledger.promises[other as usize].facing().dot(ahead) < COMES_AGAINST {
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
