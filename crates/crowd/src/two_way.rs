//! Two streams through one narrow place.
//!
//! Where people come out of a door, those who want to go in leave them room: they keep to the right half of an opening that
//! is wide enough for both, and take turns with them at one that is not. Who has come out goes straight on past those who
//! wait. Without that both crowds stand nose to nose for ever (ours; not in the sources. That the direction of flow at a
//! narrow door changes now and then is what people do: Helbing and Molnár 1995).

use crate::consult::Who;
use crate::decision::Decider;
use crate::mind::Mind;
use crowdloom_motion::FRAME_RATE;
use crowdloom_world::{Gate, NearestWall};
use glam::Vec2;

/// Openings at least this wide, in metres, are used both ways at once, narrower ones by turns …
const WIDE_ENOUGH: f32 = 1.4;

/// … that come round in this many frames …
const ROUND: u32 = 40 * FRAME_RATE as u32;

/// … and at a door are as long as there are many who go that way, but take at least this share of the time; in a passage that
/// goes on for more than a metre nobody sees how many wait at its other end.
const LEAST_SHARE: f32 = 0.15;

/// People come against one when they are this near behind an opening, in metres …
const COMES: f32 = 12.0;

/// … and this near, in metres, or in the passage behind it, where they take turns.
const COMES_SOON: f32 = 4.0;

/// Before an opening those who come out have this many metres to themselves …
const WAY_OUT: f32 = 3.5;

/// … and this much more to its sides, in metres.
const ELBOW_ROOM: f32 = 0.25;

/// A way ends at an opening if its next point is no farther before it than this, in metres.
const AT_THE_OPENING: f32 = 0.5;

/// Who is this near to an opening, in metres, is in it.
const INSIDE: f32 = 0.5;

/// Who changes to the right half stays this far before an opening, in metres.
const ASIDE_BEFORE: f32 = 0.8;

/// Who has been blocked so often finds no room beside the way out …
const NO_ROOM: u16 = 2;

/// … and goes back towards a point so far away, in metres.
const STEPS_BACK: f32 = 2.0;

/// How somebody behaves where others come against it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    /// Keeps to the right half.
    KeepsRight,
    /// Lets the others through first.
    Waits,
    /// Has its turn.
    Goes,
}

/// A narrow place through which others come against somebody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoWay {
    centre: Vec2,
    /// The direction in which one's own way goes through.
    on: Vec2,
    width: f32,
    manner: Manner,
    /// So far before the opening those who come out have their way to themselves, in metres.
    way_out: f32,
    /// Whether it is ahead and in sight, not round a corner.
    in_sight: bool,
}

impl TwoWay {
    /// The part of the opening that is one's own: its middle and its width, in metres.
    pub(crate) fn own_part(&self) -> (Vec2, f32) {
        match self.manner {
            Manner::KeepsRight => (self.at(0.0, 0.25 * self.width), 0.5 * self.width),
            Manner::Waits | Manner::Goes => (self.centre, self.width),
        }
    }

    /// The place so far before the opening and to the right of its middle.
    fn at(&self, before: f32, right: f32) -> Vec2 {
        self.centre - self.on * before - self.on.perp() * right
    }

    /// How far a place is before the opening and to the right of its middle, in metres.
    fn seen_from_here(&self, place: Vec2) -> (f32, f32) {
        let offset = place - self.centre;
        (-offset.dot(self.on), offset.perp_dot(self.on))
    }

    /// Whether a place is on the way of those who come out.
    fn is_on_their_way(&self, place: Vec2) -> bool {
        let (before, right) = self.seen_from_here(place);
        let edge = 0.5 * self.width + ELBOW_ROOM;
        let most_right = match self.manner {
            Manner::KeepsRight => 0.0,
            Manner::Waits => edge,
            Manner::Goes => return false,
        };
        (-INSIDE..self.way_out).contains(&before) && (-edge..most_right).contains(&right)
    }

    /// Whether somebody at `now` should not come to rest at `rest`: it would stand in the way of who comes out.
    pub(crate) fn forbids(&self, now: Vec2, rest: Vec2) -> bool {
        if !self.is_on_their_way(rest) {
            return false;
        }
        let ((before_now, right_now), (before, right)) =
            (self.seen_from_here(now), self.seen_from_here(rest));
        // Who is there already may step back, and to the side on which it leaves.
        let leaves = match self.manner {
            Manner::Waits if right_now < 0.0 => right < right_now - 0.01,
            _ => right > right_now + 0.01,
        };
        !(self.is_on_their_way(now) && (leaves || before > before_now + 0.01))
    }

    /// Where somebody at `now` heads instead of straight for the opening, if it has been `blocked` so often on its way.
    pub(crate) fn aim(&self, now: Vec2, blocked: u16) -> Option<Vec2> {
        let (before, right) = self.seen_from_here(now);
        let edge = 0.5 * self.width + ELBOW_ROOM;
        match self.manner {
            _ if !self.in_sight => None,
            Manner::Goes => None,
            // Back, where there is no room beside the way out.
            Manner::Waits if self.is_on_their_way(now) && blocked >= NO_ROOM => {
                Some(self.at(before + STEPS_BACK, right))
            }
            Manner::Waits if self.is_on_their_way(now) => {
                let side = if right < 0.0 { -1.0 } else { 1.0 };
                Some(self.at(before.max(ASIDE_BEFORE), side * (edge + ELBOW_ROOM)))
            }
            Manner::Waits => None,
            // Behind those who come out, to one's own side.
            Manner::KeepsRight if right < -edge && before < self.way_out => {
                Some(self.at(self.way_out + ELBOW_ROOM, right.max(-edge - 1.0)))
            }
            Manner::KeepsRight => {
                let lane = 0.25 * self.width;
                let aside = (lane - right).abs();
                let ahead = before - aside.max(1.0);
                let crosses = right < 0.0 && ahead < ASIDE_BEFORE;
                Some(self.at(if crosses { before.max(ASIDE_BEFORE) } else { ahead }, lane))
            }
        }
    }
}

impl Decider<'_> {
    /// Whether others come against somebody through the next narrow place of its way, and what it does then.
    ///
    /// From afar it minds them in the passage that ends there only.
    pub(crate) fn two_way(&self, who: Who, gate: Gate, on: Vec2, from_afar: bool) -> Option<TwoWay> {
        let (centre, width) = (gate.centre(), gate.width());
        let is_between = |wall: NearestWall| wall.distance < 0.5 * width + 0.05;
        let is_in_passage = |place: Vec2| {
            (place - centre).perp_dot(on).abs() < 0.5 * width
                && self.setting.ground.nearest_wall(place).is_some_and(is_between)
        };
        let own = who.placement.position;
        let in_passage = is_in_passage(own);
        if from_afar && !in_passage {
            return None;
        }
        let (mut comes, mut inside, mut against) = (false, false, 0);
        let by_turns = width < WIDE_ENOUGH;
        self.for_each_against(who, centre, width, on, |place, beyond| {
            if !by_turns {
                comes = true;
                return;
            }
            // Who is in a passage has to get out of it first.
            let is_in = is_in_passage(place);
            let is_near = is_in || beyond < COMES_SOON;
            comes |= is_near;
            against += u32::from(is_near);
            inside |= is_in;
        });
        if !comes {
            return None;
        }
        let has_turn = || {
            if is_in_passage(centre + on) || is_in_passage(centre - on) {
                return self.has_turn(on, 0.5);
            }
            // Oneself is one of those.
            let mut along = 1;
            self.for_each_against(who, centre, width, -on, |_, before| {
                along += u32::from(before < COMES_SOON)
            });
            self.has_turn(on, along as f32 / (along + against) as f32)
        };
        let manner = match by_turns {
            false => Manner::KeepsRight,
            // Nobody waits in a passage but for who is in it, too.
            true if in_passage && !inside => Manner::Goes,
            true if (in_passage || !inside) && has_turn() => Manner::Goes,
            true => Manner::Waits,
        };
        let way_out = if in_passage { COMES } else { WAY_OUT };
        let sees = || self.setting.ground.straight_is_free(own, centre - on * INSIDE, 0.05);
        let in_sight = (own - centre).dot(on) < INSIDE && (in_passage || sees());
        Some(TwoWay { centre, on, width, manner, way_out, in_sight })
    }

    /// Whether those have their turn who go this way through a narrow place, if they are this share of all.
    fn has_turn(&self, on: Vec2, share: f32) -> bool {
        // Any direction that walls seldom have tells one way from the other.
        let forth = on.dot(Vec2::new(0.8, 0.6)) > 0.0;
        let share = share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
        let of_forth = if forth { share } else { 1.0 - share };
        let turn_of_forth = (of_forth * ROUND as f32) as u32;
        forth == (self.frame % ROUND < turn_of_forth)
    }

    /// Where somebody heads who has just come out through a narrow place, past those who wait to go in.
    pub(crate) fn straight_out(&self, who: Who, mind: &Mind) -> Option<Vec2> {
        let (own, facing) = (who.placement.position, who.placement.facing());
        let (gate, _) = self.setting.ground.gate_between(own, own - facing * WAY_OUT)?;
        let through = gate.through();
        let on = if through.dot(facing) < 0.0 { -through } else { through };
        let (centre, width) = (gate.centre(), gate.width());
        let beyond = (own - centre).dot(on);
        let target = mind.target()?;
        let goes_back = (target - centre).dot(on) < beyond;
        if goes_back || own.distance(target) < AT_THE_OPENING {
            return None;
        }
        let mut comes = false;
        self.for_each_against(who, centre, width, on, |_, _| comes = true);
        let lane = if width >= WIDE_ENOUGH { 0.25 * width } else { 0.0 };
        let ahead = centre + on * (beyond + 1.5) - on.perp() * lane;
        let radius = self.setting.book.path_radius();
        (comes && self.setting.ground.straight_is_free(own, ahead, radius)).then_some(ahead)
    }

    /// Calls `visit` with the place of everybody behind an opening whose way leads back through it, and how far behind it that
    /// is, in metres.
    fn for_each_against(
        &self,
        who: Who,
        centre: Vec2,
        width: f32,
        on: Vec2,
        mut visit: impl FnMut(Vec2, f32),
    ) {
        let book = &*self.setting.book;
        let aside = 0.5 * width + ELBOW_ROOM;
        self.ledger.for_each_near(centre + on * (0.5 * COMES), 0.5 * COMES, |other, _| {
            let heading = self.headings[other as usize];
            let to = (heading - centre).dot(on);
            // Never of who goes nowhere: it heads for no number.
            let comes_through = to < 0.0;
            if other == who.index || !comes_through {
                return;
            }
            let place = self.ledger.promises[other as usize].position(book, self.frame);
            let beyond = (place - centre).dot(on);
            if beyond < -INSIDE || beyond < to + 0.1 {
                return;
            }
            let crossing = place + (heading - place) * (beyond / (beyond - to)).clamp(0.0, 1.0);
            if (crossing - centre).perp_dot(on).abs() < aside {
                visit(place, beyond);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An opening at the origin that somebody goes through eastwards.
    fn opening(width: f32, manner: Manner) -> TwoWay {
        TwoWay { centre: Vec2::ZERO, on: Vec2::X, width, manner, way_out: WAY_OUT, in_sight: true }
    }

    #[test]
    fn the_left_half_is_for_those_who_come_out() {
        let wide = opening(2.0, Manner::KeepsRight);
        let (far, left, right) = (Vec2::new(-5.0, 0.0), Vec2::new(-2.0, 0.5), Vec2::new(-2.0, -0.5));
        assert!(wide.forbids(far, left) && !wide.forbids(far, right));
        assert!(!wide.forbids(left, Vec2::new(-1.7, 0.3)), "who stands there may go over to the right");
        assert!(wide.forbids(left, Vec2::new(-1.5, 0.5)), "but not on");
        assert!(wide.aim(left, 0).unwrap().y < 0.0, "and heads there");
        assert_eq!(wide.own_part(), (Vec2::new(0.0, -0.5), 1.0));
        // From the left one goes round behind those who come out.
        assert!(wide.aim(Vec2::new(-1.0, 3.0), 0).unwrap().x < -WAY_OUT);
    }

    #[test]
    fn who_waits_for_its_turn_stands_beside_the_way_out() {
        let narrow = opening(0.9, Manner::Waits);
        let (before, beside) = (Vec2::new(-1.0, 0.0), Vec2::new(-1.0, 1.0));
        assert!(narrow.forbids(Vec2::new(-5.0, 0.0), before) && !narrow.forbids(before, beside));
        assert!(narrow.aim(before, 0).unwrap().y.abs() > 0.45 + ELBOW_ROOM);
        assert_eq!(narrow.aim(beside, 0), None);
        assert!(narrow.aim(before, NO_ROOM).unwrap().x < -2.0, "or farther back, where that is full");
        assert!(!opening(0.9, Manner::Goes).forbids(Vec2::new(-5.0, 0.0), before));
    }
}
