//! A body that walks where its disc goes, on its own feet.
//!
//! Its hips follow the disc's centre smoothly, never farther from it than [`LEASH`]. Its gait comes from the ground that it
//! covers: cadence grows with the root of speed, as people's does, and steps make up the rest, in whatever direction the
//! body moves. Feet stand where they were set down until their clip lifts them or they are too far from where it has them.

mod foot;
mod legs;
mod planned;

pub use planned::{PlannedBody, PlannedMoment};

use crowdloom_diversity::{FootMoment, Loop};
use crowdloom_motion::stance::Stance;
use crowdloom_motion::styles::MotionType;
use crowdloom_motion::{Contacts, FRAME_RATE, FRAME_TIME, Placement, wrap_angle};
use foot::{Aim, Foot, Patience};
use glam::Vec2;
use legs::{Above, Legs};
use serde::{Deserialize, Serialize};

/// Where a body is, and how it follows its disc.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Follower {
    /// Where the hips are but for the sway of steps, and how they move, in metres and seconds.
    place: Vec2,
    velocity: Vec2,
    heading: f32,
    turning: f32,
    /// Where the root is, sway and all, and how it moves, in metres a second.
    root: Placement,
    root_velocity: Vec2,
    /// The number of the loop that it played before.
    number: u32,
    /// How that loop's steps swayed the root, and what is left of the difference to how others did before it.
    sway: Placement,
    swayed: Placement,
    /// The disc's place and velocity, smoothed.
    disc: Vec2,
    disc_velocity: Vec2,
    /// Where the disc goes, over a longer time: what the body turns to.
    way: Vec2,
    /// How much of a clip's steps it takes, by direction: 1 ahead is the clip's own.
    warp: Vec2,
    legs: Legs,
    look: f32,
    /// Frames since it last moved.
    calm: u16,
}

/// What a body plays at a moment, and how fast.
pub struct Moment<'a> {
    /// The loop.
    pub played: &'a Loop,
    /// The number of the loop.
    pub number: u32,
    /// The frame of it, with its fraction.
    pub frame: f32,
    /// Frames of it in a frame.
    pub rate: f32,
    /// What kind of motion it is.
    pub kind: MotionType,
    /// Length of a leg in metres.
    pub leg: f32,
    /// How large the body is beside the one of the loop: its steps are as long for that.
    pub size: f32,
}

/// Where a body looks and faces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// The point that it glances at.
    pub glance: Option<Vec2>,
    /// The heading that it turns to, in radians; where it goes if none is told.
    pub facing: Option<f32>,
    /// What its disc cannot pass.
    pub wall: Option<Wall>,
}

/// What stands beside a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The direction that leads away from it, of length 1.
    pub away: Vec2,
    /// Metres from the disc's edge to it.
    pub gap: f32,
}

impl Moment<'_> {
    fn speed(&self) -> f32 {
        self.played.speed * self.size
    }

    fn height(&self) -> f32 {
        self.played.height_at(self.frame) * self.size
    }

    fn foot(&self, side: usize) -> FootMoment {
        let own = self.played.foot_at(side, self.frame);
        FootMoment {
            ball: own.ball * self.size,
            arch: own.arch * self.size,
            above: own.above * self.size,
            hip: own.hip * self.size,
            ankle: own.ankle * self.size,
            ..own
        }
    }
}

/// The farthest that a root is from its disc, in metres.
pub const LEASH: f32 = 0.05;
/// How far off hips aim to be at most, so that there is some leash left when a disc turns sharply, and from where on they hurry as
/// much as they can, in metres.
const MOST_OFF: f32 = 0.7 * LEASH;
const FAR: f32 = 0.5 * LEASH;
/// The most of it that steps sway a root, in metres.
const MOST_SWAY: f32 = 0.022;
/// The share that is left after a frame of how another loop swayed the root.
const SWAY_LEFT: f32 = 0.85;
/// Shares of what a disc's place is off that smoothing takes over in a frame into place and velocity: a critically damped
/// α-β filter (Benedict and Bordner 1962), which does not lag behind steady motion.
const SMOOTHING: [f32; 2] = [0.45, 0.14];
/// The same of what is at least so many metres off.
const AT_ONCE: [f32; 2] = [0.8, 0.5];
const SUDDEN: f32 = 0.015;
/// The share of the way's velocity that a frame renews.
const WAY: f32 = 0.15;
/// How hips catch up: shares in a second of what they are off, when near and when far …
const CATCHING_UP: [f32; 2] = [4.0, 20.0];
/// … the share of the missing velocity that a frame makes good …
const EFFORT: f32 = 0.5;
/// … and the most of it in metres a second.
const MOST_EFFORT: f32 = 0.56;
/// The most that the root's velocity over the ground changes in a frame, in metres a second.
const MOST_JERK: f32 = 0.61;
/// Hips begin to brake when their disc is nearer to a wall than this share of the way on which they can: so they are behind it by as
/// much as they are ahead of it later.
const BRACES: f32 = 0.85;
/// Slower than this, in metres a second, nobody turns …
const TURNS: f32 = 0.25;
/// … and the stiffness of turning in 1/s, and the fastest, in radians a second.
const TURNING: f32 = 7.0;
const MOST_TURNING: f32 = 3.5;
/// Metres a second below which one is calm, and above which one goes.
const CALM: f32 = 0.1;
const GOES: f32 = 0.24;
/// Frames of calm after which one stands.
const CALM_FRAMES: u16 = 20;
/// Metres a second at which people start to run, and go on running (Hreljac 1993).
const RUNS: [f32; 2] = [2.2, 1.9];
/// Slowest and fastest cadence, in parts of a clip's own, and the longest step in parts of its own. Slower than four fifths looks
/// like slow motion: who goes slower takes shorter steps.
const CADENCE: [f32; 2] = [0.8, 2.0];
const LONGEST: f32 = 1.1;
/// The power of speed with which cadence grows.
const CADENCE_GROWS: f32 = 0.55;
/// The cadence at which somebody who stops finishes a step.
const STOPPING: f32 = 0.8;
/// The least distance in metres that feet keep to the middle of the body.
const APART: f32 = 0.045;
/// The farthest that a head turns, in radians.
const MOST_LOOK: f32 = 1.1;

/// Bends a vector back so that it never gets longer than `most`, without a corner.
fn leashed(vector: Vec2, most: f32) -> Vec2 {
    let squared = vector.length_squared() / (most * most);
    vector / (1.0 + squared * squared).sqrt().sqrt()
}

/// Where the root of a loop is as seen from somebody who moves evenly, within [`MOST_SWAY`].
fn sway(moment: &Moment) -> Placement {
    let sway = moment.played.sway_at(moment.frame);
    // As smooth as it is: a wide sway that is only cut off would rush from one side to the other.
    let share = (MOST_SWAY / (moment.played.most_sway * moment.size).max(1e-6)).min(1.0);
    Placement { position: sway.position * (moment.size * share), ..sway }
}

impl Follower {
    /// A body at `at`, whose disc moves at `velocity` metres a second.
    pub fn new(at: Placement, velocity: Vec2, moment: &Moment) -> Self {
        let mut follower = Self {
            place: at.position,
            velocity,
            heading: at.heading,
            turning: 0.0,
            root: at,
            root_velocity: velocity,
            number: moment.number,
            sway: sway(moment),
            swayed: Placement::IDENTITY,
            disc: at.position,
            disc_velocity: velocity,
            way: velocity,
            warp: Vec2::X,
            legs: Legs::default(),
            look: 0.0,
            calm: 0,
        };
        let (sway, facing) = (sway(moment), follower.facing());
        // The root is where the person is: the place that it sways about lies beside it.
        follower.place = at.position - facing.rotate(sway.position);
        let feet = [0, 1].map(|side| Foot::at(&follower.aim(moment, side, sway, facing).0));
        follower.legs = Legs::new(feet, moment.height());
        follower
    }

    /// Puts its feet where they are: those that stand stay there, the others go on to where its loop has them.
    pub fn stand_on(&mut self, balls: [Vec2; 2], stands: [bool; 2], moment: &Moment) {
        let (sway, facing) = (sway(moment), self.facing());
        for side in [0, 1] {
            let aim = self.aim(moment, side, sway, facing).0;
            self.legs.feet[side].put(balls[side], stands[side], &aim);
        }
    }

    /// Where the root is.
    pub fn root(&self) -> Placement {
        self.root
    }

    /// Where feet and head are.
    pub fn stance(&self) -> Stance {
        self.legs.stance(self.look)
    }

    /// How fast the disc goes, in metres a second.
    pub fn disc_speed(&self) -> f32 {
        self.disc_velocity.length()
    }

    /// Whether all of it is a number.
    pub fn is_finite(&self) -> bool {
        let vectors = [
            self.swayed.position,
            self.place,
            self.velocity,
            self.root_velocity,
            self.disc,
            self.disc_velocity,
            self.way,
            self.warp,
        ];
        vectors.iter().all(|vector| vector.is_finite())
            && self.root.position.is_finite()
            && [self.heading, self.turning, self.root.heading, self.look]
                .iter()
                .all(|number| number.is_finite())
            && self.legs.is_finite()
    }

    fn facing(&self) -> Vec2 {
        let (sin, cos) = libm::sincosf(self.heading);
        Vec2::new(cos, sin)
    }

    /// Sees where its disc is now.
    pub fn watch(&mut self, disc: Vec2) {
        let expected = self.disc + self.disc_velocity * FRAME_TIME;
        let off = disc - expected;
        // What is far off is no jitter.
        let sudden = (off.length() / SUDDEN).min(1.0);
        self.disc = expected + off * (SMOOTHING[0] + (AT_ONCE[0] - SMOOTHING[0]) * sudden);
        self.disc_velocity += off * ((SMOOTHING[1] + (AT_ONCE[1] - SMOOTHING[1]) * sudden) * FRAME_RATE);
        self.way += (self.disc_velocity - self.way) * WAY;
        let moves = self.speed() > CALM;
        self.calm = if moves { 0 } else { self.calm.saturating_add(1) };
    }

    /// The speed that its steps have to cover, in metres a second.
    pub fn speed(&self) -> f32 {
        self.way.length().min(self.disc_velocity.length().max(0.5 * self.way.length()))
    }

    /// What it wants to do, given what it does: who is in between goes on.
    pub fn wants(&self, current: MotionType) -> MotionType {
        let speed = self.way.length();
        match current {
            MotionType::Running if speed > RUNS[1] => MotionType::Running,
            _ if speed > RUNS[0] => MotionType::Running,
            _ if speed > GOES => MotionType::Walking,
            MotionType::Walking | MotionType::Running if self.calm < CALM_FRAMES => MotionType::Walking,
            _ => MotionType::Waiting,
        }
    }

    /// How fast it plays a cycle whose own speed is `own` metres a second: cadence grows with the root of speed, until steps
    /// get too long. Who stops finishes the step.
    pub fn cadence(&self, own: f32) -> f32 {
        let ratio = self.speed() / own.max(0.1);
        let stands = self.legs.feet.iter().all(|foot| foot.sole.planted);
        if self.calm > 0 {
            return if stands { 0.0 } else { STOPPING };
        }
        libm::powf(ratio, CADENCE_GROWS).max(ratio / LONGEST).clamp(CADENCE[0], CADENCE[1])
    }

    /// The fastest in metres a second at which a cycle whose own speed is `own` is played at no more than `most` times its pace.
    pub fn fastest(own: f32, most: f32) -> f32 {
        own.max(0.1) * (LONGEST * most).min(libm::powf(most, 1.0 / CADENCE_GROWS))
    }

    /// Moves on by a frame, to where its disc is now.
    pub fn go(&mut self, disc: Vec2, moment: &Moment, view: View) {
        self.turn(view.facing);
        let disc_velocity = view.wall.map_or(self.disc_velocity, |wall| self.before(wall));
        // Where it would be if it went on as its disc does.
        let off = self.disc - disc_velocity * FRAME_TIME - self.place;
        let urgency = (off.length() / FAR).min(1.0);
        let catching_up = CATCHING_UP[0] + (CATCHING_UP[1] - CATCHING_UP[0]) * urgency;
        let wish = disc_velocity + off * catching_up;
        let effort = EFFORT + (1.0 - EFFORT) * urgency * urgency;
        self.velocity += ((wish - self.velocity) * effort).clamp_length_max(MOST_EFFORT);
        self.place += self.velocity * FRAME_TIME;
        let (sway, facing) = (self.go_over(moment), self.facing());
        let there = self.place + facing.rotate(sway.position);
        // Where a disc jumps, staying near counts less than not to jerk.
        let near = disc + leashed(there - disc, MOST_OFF);
        let off = near - self.root.position - disc_velocity * FRAME_TIME;
        // No faster than what can be braked again.
        let fastest = (1.6 * MOST_JERK * FRAME_RATE * off.length()).sqrt();
        let wish = disc_velocity + (off * FRAME_RATE).clamp_length_max(fastest);
        let jerk = (wish - self.root_velocity).clamp_length_max(MOST_JERK);
        self.root_velocity += jerk;
        self.root = Placement {
            position: self.root.position + self.root_velocity * FRAME_TIME,
            heading: wrap_angle(self.heading + sway.heading),
        };
        self.warp_steps(moment, facing);
        let aims = [0, 1].map(|side| self.aim(moment, side, sway, facing));
        if self.number != moment.number {
            self.number = moment.number;
            self.legs.feet.iter_mut().zip(&aims).for_each(|(foot, (aim, _))| foot.turn_to(aim));
        }
        let patience = if moment.kind == MotionType::Running {
            Patience { distance: 0.5, angle: 1.2, farthest: 0.9 }
        } else if moment.kind.is_cyclic() {
            Patience { distance: 0.24, angle: 0.9, farthest: 0.5 }
        } else if self.calm > 2 * CALM_FRAMES {
            Patience { distance: 0.07, angle: 0.35, farthest: 0.45 }
        } else {
            Patience { distance: 0.11, angle: 0.5, farthest: 0.45 }
        };
        let runs = moment.kind == MotionType::Running;
        self.legs.step(&aims, &patience, runs);
        let (root, height, leg, jerk) = (self.root, moment.height(), moment.leg, jerk.length());
        self.legs.sink(Above { root, height, leg, runs, jerk }, &aims);
        self.turn_head(view.glance);
    }

    /// How its disc will move in a moment: one that runs into a wall is stopped dead by it, which hips cannot be, so they begin before.
    fn before(&self, wall: Wall) -> Vec2 {
        let closing = (-self.disc_velocity.dot(wall.away)).max(0.0);
        let stops = wall.gap < BRACES * closing * closing / (2.0 * MOST_JERK * FRAME_RATE);
        if stops { self.disc_velocity + wall.away * closing } else { self.disc_velocity }
    }

    /// How steps sway the root now; what another loop swayed it otherwise fades.
    fn go_over(&mut self, moment: &Moment) -> Placement {
        let now = sway(moment);
        let left = match self.number == moment.number {
            true => self.swayed,
            false => Placement {
                position: self.swayed.position + self.sway.position - now.position,
                heading: wrap_angle(self.swayed.heading + self.sway.heading - now.heading),
            },
        };
        self.sway = now;
        self.swayed = Placement { position: left.position * SWAY_LEFT, heading: left.heading * SWAY_LEFT };
        Placement {
            position: now.position + self.swayed.position,
            heading: now.heading + self.swayed.heading,
        }
    }

    /// Turns to `facing`, or to where it goes.
    fn turn(&mut self, facing: Option<f32>) {
        let speed = self.way.length();
        let goes = speed > TURNS;
        let wanted = facing.or_else(|| goes.then(|| libm::atan2f(self.way.y, self.way.x)));
        let off = wanted.map_or(0.0, |wanted| wrap_angle(wanted - self.heading));
        // A critically damped spring; who hardly moves turns slowly, unless it is told where to.
        let stiffness = TURNING * if facing.is_some() { 1.0 } else { (speed / 0.8).clamp(0.4, 1.0) };
        let bends = if goes && facing.is_none() {
            self.way.perp_dot(self.disc_velocity - self.way) * (WAY * FRAME_RATE) / (speed * speed)
        } else {
            0.0
        };
        let change = stiffness * stiffness * off - 2.0 * stiffness * (self.turning - bends.clamp(-1.5, 1.5));
        self.turning = (self.turning + change * FRAME_TIME).clamp(-MOST_TURNING, MOST_TURNING);
        self.heading = wrap_angle(self.heading + self.turning * FRAME_TIME);
    }

    /// Tells how much of the clip's steps the body needs to get where it goes.
    fn warp_steps(&mut self, moment: &Moment, facing: Vec2) {
        let covered = moment.speed() * moment.rate.max(CADENCE[0]);
        let own = Vec2::new(facing.x, -facing.y).rotate(self.way);
        let wanted = (own / covered.max(0.3)).clamp(Vec2::new(-0.7, -0.35), Vec2::new(1.4, 0.35));
        self.warp += (wanted - self.warp) * 0.15;
    }

    /// Where the clip has a foot, its steps made as long as the body needs them.
    fn aim(&self, moment: &Moment, side: usize, sway: Placement, facing: Vec2) -> (Aim, FootMoment) {
        let foot = moment.foot(side);
        let bears = foot.contacts != Contacts::default();
        let middle = self.root.position - facing.rotate(sway.position);
        let mut ball = foot.ball;
        if moment.kind.is_cyclic() {
            let neutral = moment.played.neutral[side].x * moment.size;
            let ahead = foot.ball.x - neutral;
            ball = Vec2::new(neutral, foot.ball.y) + self.warp * ahead;
            ball.y = if side == 0 { ball.y.max(APART) } else { ball.y.min(-APART) };
        }
        let aim = Aim {
            ball: middle + facing.rotate(ball),
            heading: self.heading,
            sway: self.sway.heading,
            arch: foot.arch,
            on_heel: foot.contacts == Contacts::LEFT_HEEL,
            above: foot.above,
            bears,
            lands_in: foot.lands_in / moment.rate.max(0.3) * FRAME_TIME,
            velocity: self.velocity,
        };
        (aim, foot)
    }

    /// Turns the head to where one goes, or to somebody.
    fn turn_head(&mut self, glance: Option<Vec2>) {
        let towards = match glance {
            Some(point) => point - self.root.position,
            None if self.way.length() > TURNS => self.way,
            None => Vec2::ZERO,
        };
        let wanted = match towards == Vec2::ZERO {
            true => 0.0,
            false => wrap_angle(libm::atan2f(towards.y, towards.x) - self.root.heading),
        };
        self.look += (wanted.clamp(-MOST_LOOK, MOST_LOOK) - self.look) * 0.12;
    }

    /// Where the body faces, and where it is: for those who look at it.
    pub fn sees(&self, point: Vec2) -> bool {
        let to = point - self.root.position;
        to.dot(self.facing()) > 0.25 * to.length()
    }
}
