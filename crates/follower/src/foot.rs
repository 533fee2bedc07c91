//! One foot of a body that follows a disc: it stands where it was set down until it steps.

use crowdloom_motion::stance::Sole;
use crowdloom_motion::{FRAME_TIME, wrap_angle};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// One foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Foot {
    /// Where it is.
    pub(crate) sole: Sole,
    /// The body's heading that it is straight under, but for the sway of steps, in radians.
    heading: f32,
    /// Whether its leg is nearly too short.
    pub(crate) strained: bool,
    /// Whether it is too short, so that the foot has to go whatever the other does.
    pub(crate) lost: bool,
    /// Seconds since it left the ground, and how long it takes to where its clip has it.
    swings: f32,
    duration: f32,
    /// Where it was when it left the ground, seen from where its clip had it, in metres and radians.
    offset: Vec2,
    turn: f32,
    /// How high it steps by itself, in metres; 0 where its clip lifts it.
    height: f32,
    /// Metres that it is higher than its clip has it but for that.
    kept: f32,
    /// How far its leg reached, as a share of its length; 0 at first.
    straight: f32,
    /// From heel to ball over the ground when last seen, in metres, as the body sees it.
    arch: Vec2,
}

/// Where the clip has a foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The ball of the foot in metres, the body's heading and how far steps sway it from there, in radians.
    pub(crate) ball: Vec2,
    pub(crate) heading: f32,
    pub(crate) sway: f32,
    /// From heel to ball over the ground in metres, as the body sees it, and whether the heel alone bears weight.
    pub(crate) arch: Vec2,
    pub(crate) on_heel: bool,
    /// Metres that the clip has the foot above the ground.
    pub(crate) above: f32,
    /// Whether it bears weight in the clip.
    pub(crate) bears: bool,
    /// Seconds until it does, where it does not.
    pub(crate) lands_in: f32,
    /// How far in metres the body moves in a second: feet that step by themselves step ahead.
    pub(crate) velocity: Vec2,
}

/// How far a foot may be from where its clip has it before it steps by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Metres.
    pub(crate) distance: f32,
    /// Radians.
    pub(crate) angle: f32,
    /// Metres beyond which it steps even if the other foot is in the air.
    pub(crate) farthest: f32,
}

/// Seconds of the shortest step, and seconds more for each metre.
const STEP: [f32; 2] = [0.24, 0.35];
/// Metres that a foot is lifted for the shortest step, and metres more for each metre.
const LIFT: [f32; 2] = [0.035, 0.16];
/// Seconds that a foot steps ahead of a body that moves.
const AHEAD: f32 = 0.16;
/// The shortest that a foot takes to where another clip has it, in seconds.
const SHORTEST: f32 = 0.2;
/// Seconds in which a foot lands that has to.
const HURRY: f32 = 0.07;
/// Radians beyond which a leg is not twisted, whatever the other foot does.
const MOST_TWIST: f32 = 1.3;
/// The fastest that a foot moves over the ground, in metres a second.
const FASTEST: f32 = 5.8;
/// The share that is left after a frame in the air of how much higher or lower a foot is than its clip has it.
const KEPT: f32 = 0.8;
/// Cosine and sine of half the most that a knee bends or stretches in a frame in the air: 21.5 radians a second, a third more than the
/// fastest of the built-in styles.
const KNEE_FRAME: [f32; 2] = [0.936_5, 0.350_7];
/// The share of a swing after which a foot is where its clip has it.
const SETTLED: f32 = 0.85;

/// From 0 to 1 with neither speed nor acceleration at the ends.
fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

impl Foot {
    /// A foot where its clip has it.
    pub(crate) fn at(aim: &Aim) -> Self {
        let heading = wrap_angle(aim.heading + aim.sway);
        let sole = Sole { ball: aim.ball, heading, lift: 0.0, planted: aim.bears };
        let (swings, duration) = if aim.bears { (0.0, 0.0) } else { (1.0, 1.0) };
        Self { sole, swings, duration, heading: aim.heading, arch: aim.arch, ..Self::default() }
    }

    /// Is at `ball`: it stands there, or goes on from there to where its clip has it.
    pub(crate) fn put(&mut self, ball: Vec2, stands: bool, aim: &Aim) {
        self.sole.ball = ball;
        self.sole.planted = stands;
        if stands {
            self.sole.lift = -aim.above;
        }
        self.turn_to(aim);
    }

    /// Whether the other foot may leave the ground.
    pub(crate) fn carries(&self) -> bool {
        self.sole.planted
    }

    /// Goes on from where it is to where another clip has it.
    pub(crate) fn turn_to(&mut self, aim: &Aim) {
        self.arch = aim.arch;
        if self.sole.planted {
            return;
        }
        self.offset = self.sole.ball - aim.ball;
        self.turn = wrap_angle(self.heading - aim.heading);
        let left = (self.duration - self.swings).max(if aim.bears { 0.0 } else { aim.lands_in * SETTLED });
        (self.swings, self.duration, self.height) = (0.0, left.max(SHORTEST), 0.0);
        self.kept = self.sole.lift;
    }

    /// Leaves the ground, on the way to where its clip has it.
    pub(crate) fn leave(&mut self, aim: &Aim) {
        let offset = self.sole.ball - aim.ball;
        let away = offset.length();
        self.sole.planted = false;
        self.kept = self.sole.lift;
        (self.offset, self.turn, self.swings) = (offset, wrap_angle(self.heading - aim.heading), 0.0);
        (self.duration, self.height) = match aim.bears {
            true => (STEP[0] + STEP[1] * away.min(0.5), LIFT[0] + LIFT[1] * away.min(0.5)),
            false => ((aim.lands_in * SETTLED).max(0.12), 0.0),
        };
    }

    /// Bends its knee no faster than 21.5 radians a second while it is in the air: it is a little higher or lower for that.
    ///
    /// The hip is at a height of `hip` metres and its ankle `flat` metres from there over the ground, at a height of `ankle` metres
    /// in the clip, which has the foot `above` metres over the ground; the leg is `leg` metres long.
    pub(crate) fn bend_no_faster(&mut self, flat: f32, hip: f32, ankle: f32, above: f32, leg: f32) {
        let straight = |down: f32| ((flat * flat + down * down).sqrt() / leg).min(1.0);
        let down = hip - ankle - self.sole.lift;
        // A knee that is bent by an angle leaves the cosine of half of it of the leg's length.
        let [cosine, sine] = KNEE_FRAME;
        let bent = (1.0 - self.straight * self.straight).sqrt();
        let least = self.straight * cosine - bent * sine;
        let most = if self.straight >= cosine { 1.0 } else { self.straight * cosine + bent * sine };
        let now = straight(down);
        let reach = leg * now.clamp(least, most);
        // Nothing helps a leg that is too short for how far the foot is off; at first nothing is known of it.
        if self.sole.planted || self.straight <= 0.0 || (least..=most).contains(&now) || reach <= flat {
            self.straight = now;
            return;
        }
        let lowest = -(above + self.sole.lift).max(0.0);
        let raised = (down - (reach * reach - flat * flat).sqrt()).max(lowest);
        self.sole.lift += raised;
        self.kept += raised;
        self.straight = straight(down - raised);
    }

    /// Lands soon, because the other foot has to leave.
    pub(crate) fn hurry(&mut self) {
        if !self.sole.planted {
            self.duration = self.duration.min(self.swings + HURRY);
        }
    }

    /// Whether it is a number.
    pub(crate) fn is_finite(&self) -> bool {
        self.sole.ball.is_finite()
            && self.offset.is_finite()
            && [
                self.heading,
                self.sole.heading,
                self.sole.lift,
                self.swings,
                self.duration,
                self.turn,
                self.height,
                self.kept,
                self.straight,
            ]
            .iter()
            .all(|number| number.is_finite())
    }

    /// Moves on by a frame; `carried` tells whether it may leave the ground.
    pub(crate) fn step(&mut self, aim: &Aim, patience: &Patience, carried: bool) {
        let rolled = aim.arch - self.arch;
        self.arch = aim.arch;
        if self.sole.planted {
            let offset = self.sole.ball - aim.ball;
            let turn = wrap_angle(self.heading - aim.heading);
            let away = offset.length();
            let strays = self.strained || away > patience.distance || turn.abs() > patience.angle;
            if !((!aim.bears || strays) && carried
                || self.lost
                || away > patience.farthest
                || turn.abs() > MOST_TWIST)
            {
                // Whatever the clip does meanwhile, it stays on the ground; on its heel it rolls.
                self.sole.lift = -aim.above;
                if aim.on_heel {
                    let (sin, cos) = libm::sincosf(self.heading);
                    self.sole.ball += Vec2::new(cos, sin).rotate(rolled);
                }
                self.sole.heading = wrap_angle(self.heading + aim.sway);
                return;
            }
            self.leave(aim);
        }
        self.swings += FRAME_TIME;
        let t = (self.swings / self.duration.max(1e-3)).min(1.0);
        let left = 1.0 - ease(t);
        let ahead = if self.height > 0.0 { aim.velocity * (AHEAD * (1.0 - left)) } else { Vec2::ZERO };
        let there = aim.ball + self.offset * left + ahead;
        let moved = (there - self.sole.ball).clamp_length_max(FASTEST * FRAME_TIME);
        self.sole.ball += moved;
        let arrives = self.sole.ball.distance_squared(there) < 1e-6;
        self.heading = wrap_angle(aim.heading + self.turn * left);
        self.sole.heading = wrap_angle(self.heading + aim.sway);
        self.kept = if aim.bears { -aim.above } else { self.kept * KEPT };
        // What the clip lifts it need not be lifted twice.
        let arc = self.height * 4.0 * t * (1.0 - t);
        let twice = if aim.bears { 0.0 } else { aim.above.min(arc) };
        self.sole.lift = self.kept + arc - twice;
        self.sole.planted = t >= 1.0 && aim.bears && arrives;
    }
}
