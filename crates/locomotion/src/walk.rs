//! Walks that no cycle shows: in curves and on the spot, sideways, backwards, from standing and to standing, up and down, under a
//! burden, limping, or old.
//!
//! The engine's cycles say how a body moves; where feet are set down is planned: each foot goes to where its hip will be when
//! it stands in the middle of its stance, on the ground that is there, and stays there. Legs follow by inverse kinematics.

use crate::engine::{Engine, Wish};
use crowdloom_motion::body::Body;
use crowdloom_motion::stance::{Sole, Stance, StanceSolver};
use crowdloom_motion::{
    Clip, Contacts, FRAME_RATE, FRAME_TIME, JointFrames, Placement, heading_of, measure_radii, wrap_angle,
};
use glam::{Quat, Vec2, Vec3};

/// How somebody moves at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Metres a second where one faces; backwards where negative.
    pub ahead: f32,
    /// Metres a second to the left.
    pub aside: f32,
    /// Radians a second to the left.
    pub turn: f32,
}

/// The ground that somebody walks on, along the way that it faces at first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Terrain {
    /// Level.
    #[default]
    Level,
    /// Metres up for each metre ahead.
    Slope(f32),
    /// Treads, each so many metres long and so many metres higher than the one before; lower where negative.
    Stairs {
        /// Metres from edge to edge.
        tread: f32,
        /// Metres up from one to the next.
        rise: f32,
    },
}

impl Terrain {
    /// Height of the ground in metres.
    fn height(self, place: Vec2) -> f32 {
        match self {
            Self::Level => 0.0,
            Self::Slope(slope) => slope * place.x,
            Self::Stairs { tread, rise } => rise * (place.x / tread.max(0.1)).floor(),
        }
    }

    /// Height of the ground without its edges, which hips follow, in metres.
    fn even(self, place: Vec2) -> f32 {
        match self {
            Self::Stairs { tread, rise } => rise * (place.x / tread.max(0.1) - 0.5),
            other => other.height(place),
        }
    }

    /// Where a foot that would be set down at `place` finds room for all of its sole.
    fn footing(self, place: Vec2) -> Vec2 {
        match self {
            Self::Stairs { tread, .. } => {
                let tread = tread.max(0.1);
                // The ball of the foot stands a little before the middle of a tread, its heel behind.
                Vec2::new(((place.x / tread).floor() + 0.62) * tread, place.y)
            }
            _ => place,
        }
    }

    /// Metres up for each metre ahead, on the whole.
    fn slope(self) -> f32 {
        match self {
            Self::Level => 0.0,
            Self::Slope(slope) => slope,
            Self::Stairs { tread, rise } => rise / tread.max(0.1),
        }
    }
}

/// Who walks, and on what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// How much of each of the engine's people there is in it; nobody is everybody alike.
    pub people: Vec<f32>,
    /// From walking, 0, to running, 1.
    pub runs: f32,
    /// The ground.
    pub terrain: Terrain,
    /// What is carried before the body, as a share of the body's weight, up to 1.
    pub burden: f32,
    /// How much a leg hurts: up to 1 the right one, down to -1 the left one.
    pub limp: f32,
    /// How old somebody walks, up to 1: stooped, with short and wide steps.
    pub age: f32,
    /// How much somebody walks as one does who has just learnt it, up to 1: in quick, short and wide steps.
    pub youth: f32,
}

/// Years at which children walk alone, and from when on nothing but their legs tells their steps from those of adults
/// (Sutherland 1997, The development of mature gait, Gait and Posture 6: until then steps get longer by leg length, and the base
/// gets narrower).
const LEARNS: [f32; 2] = [1.0, 4.0];
/// Years from which on people walk as the old do, and at which they do all the way (Prince and others 1997, Gait in the elderly,
/// Gait and Posture 5: mature until 60, then slower by and by).
const AGES: [f32; 2] = [60.0, 90.0];

impl Walk {
    /// The walk of somebody so many years old.
    pub fn of_age(years: f32) -> Self {
        let youth = ((LEARNS[1] - years) / (LEARNS[1] - LEARNS[0])).clamp(0.0, 1.0);
        let age = ((years - AGES[0]) / (AGES[1] - AGES[0])).clamp(0.0, 1.0);
        Self { age, youth, ..Self::default() }
    }

    /// How many times as wide as usual the base is.
    fn width(&self) -> f32 {
        1.0 + 0.4 * self.age.clamp(0.0, 1.0) + TODDLES[1] * self.youth.clamp(0.0, 1.0)
    }

    /// How many times as often as usual people of the same legs step.
    fn quickness(&self) -> f32 {
        1.0 + TODDLES[0] * self.youth.clamp(0.0, 1.0)
    }
}

/// A foot on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Foot {
    /// Where it stands, or stood when it left the ground.
    from: Placement,
    /// Where it is.
    at: Placement,
    /// Where it is going.
    to: Placement,
    stands: bool,
    /// The part of its swing that is over.
    swung: f32,
}

/// What one frame comes to before legs are bent.
struct Moment {
    place: Placement,
    feet: [Foot; 2],
    phase: f32,
    /// The speed whose cycle is shown, in metres a second.
    shown: f32,
    /// The side to which the trunk leans off a leg that hurts, from -1 to 1.
    favours: f32,
}

/// How far a foot may be from under its hip, in metres and radians, when somebody stands.
const UNDER: [f32; 2] = [0.05, 0.2];
/// Slower than this, in metres a second and radians a second, somebody stands.
const STANDS: [f32; 2] = [0.03, 0.05];
/// Frames before the first of somebody who moves already.
const LEAD: usize = 60;
/// Metres a second of walking that turning by a radian a second is like.
const TURNING_SPEED: f32 = 0.3;
/// The least cycles in a second of somebody who moves, or has a foot in the air.
const LEAST_RATE: f32 = 0.75;
/// The share of what the shown speed is off that a frame makes good.
const SMOOTH: f32 = 0.2;
/// Metres that a foot is lifted at least, and the metres above the higher edge of stairs.
const LIFT: f32 = 0.045;
const CLEARANCE: f32 = 0.05;
/// How far a leg stretches, as a share of its length, before the hips sink: standing and swinging.
const STRETCH: [f32; 2] = [0.985, 0.992];
/// Frames over which sinking is smoothed to both sides.
const SINKS: usize = 4;
/// Radians of leaning: ahead for each metre up a metre, back for each metre down, back under one's own weight, and stooped.
const UPHILL: f32 = 0.45;
const DOWNHILL: f32 = 0.2;
const BURDENED: f32 = 0.3;
const STOOPED: f32 = 0.35;
/// How much more often than equation 4.6 says of its legs a child steps that has just learnt to walk, and how much wider its base is. The
/// source tells that there is such a difference and when it ends; how large it is here is chosen.
const TODDLES: [f32; 2] = [0.31, 1.0];
/// The share of a curve's acceleration that the trunk leans in for.
const BANKS: f32 = 0.6;
/// Radians that the trunk leans off a leg that hurts.
const FAVOURS: f32 = 0.13;
/// How much faster the cycle goes while a leg that hurts bears all weight, and slower otherwise.
const HURRIES: [f32; 2] = [0.5, 0.2];
const GRAVITY: f32 = 9.81;

impl Engine {
    /// A clip of somebody who moves as `pace` says for each second from 0 to `seconds`; `None` where the skeleton has no legs.
    pub fn walk(&self, walk: &Walk, seconds: f32, name: &str, pace: impl Fn(f32) -> Pace) -> Option<Clip> {
        let skeleton = self.skeleton();
        let solver = StanceSolver::of(skeleton)?;
        let body = Body::guess(skeleton);
        let frames = (seconds * FRAME_RATE).round().max(2.0) as usize;
        let neutral = self.neutral(walk, &solver);
        let moments = self.plan(walk, frames, &neutral, pace);
        let mut clip = Clip {
            name: name.into(),
            labels: vec![if walk.runs > 0.5 { "run" } else { "walk" }.into()],
            ends: None,
            track: Vec::with_capacity(frames + 1),
            root_heights: Vec::with_capacity(frames + 1),
            rotations: Vec::with_capacity((frames + 1) * skeleton.len()),
            contacts: Vec::with_capacity(frames + 1),
            radii: Vec::new(),
        };
        let (mut rotations, mut joints) = (Vec::new(), JointFrames::default());
        let mut stances = Vec::with_capacity(frames + 1);
        for (number, moment) in moments.iter().enumerate() {
            let wish = self.wish(walk, moment.shown);
            let root = self.pose(&wish, moment.phase, &mut rotations);
            let heading = heading_of(rotations[0]);
            rotations[0] = Quat::from_rotation_z(-heading) * rotations[0];
            let sway = Placement { position: Vec2::new(root.x, root.y), heading: wrap_angle(heading) };
            let place = moment.place.then(sway);
            joints.compute(skeleton, Vec3::Z * root.z, &rotations);
            let before = &moments[number.saturating_sub(1)];
            self.lean(walk, moment, before, &body, &mut rotations, &joints);
            let ground = walk.terrain.even(place.position);
            let mut feet = [Sole::default(); 2];
            let mut sinks = 0.0f32;
            let mut contacts = Contacts::default();
            for side in 0..2 {
                let (foot, leg) = (&moment.feet[side], solver.legs()[side]);
                let low = neutral[side].1;
                let ball = joints.positions[leg.ball].z;
                let over = if foot.stands {
                    walk.terrain.height(foot.at.position) + (low - ball).max(0.0)
                } else {
                    let [from, to] = [foot.from, foot.to].map(|end| walk.terrain.height(end.position));
                    let arc = 4.0 * foot.swung * (1.0 - foot.swung);
                    let edge = if from == to { LIFT } else { CLEARANCE + 0.35 * (to - from).abs() };
                    let own = ball - low;
                    from + (to - from) * rise(foot.swung, to > from)
                        + (edge * arc - own).max(0.0) * arc.sqrt()
                        + (low - ball).max(0.0)
                };
                feet[side] = Sole {
                    ball: foot.at.position,
                    heading: foot.at.heading,
                    lift: over,
                    planted: foot.stands,
                };
                if foot.stands && ball < low + 0.03 {
                    contacts = contacts.with([Contacts::LEFT_TOE, Contacts::RIGHT_TOE][side]);
                } else if foot.stands {
                    contacts = contacts.with([Contacts::LEFT_HEEL, Contacts::RIGHT_HEEL][side]);
                }
                // The leg as the solver will see it.
                let back = Placement { position: Vec2::ZERO, heading: -place.heading };
                let turn = Quat::from_rotation_z(wrap_angle(foot.at.heading - place.heading));
                let there = back.transform_point(foot.at.position - place.position).extend(ball + over);
                let ankle = there + turn * (joints.positions[leg.ankle] - joints.positions[leg.ball]);
                let hip = joints.positions[leg.hip] + Vec3::Z * ground;
                let bones = skeleton.joints();
                let length = bones[leg.knee].offset.length() + bones[leg.ankle].offset.length();
                let stretch = length * STRETCH[usize::from(!foot.stands)];
                let across = (hip - ankle).truncate().length_squared();
                let tall = (stretch * stretch - across).max(0.0).sqrt();
                sinks = sinks.max(hip.z - ankle.z - tall);
            }
            stances.push((Stance { feet, drop: sinks, look: 0.0 }, ground));
            clip.track.push(place);
            clip.root_heights.push(root.z);
            clip.rotations.extend_from_slice(&rotations);
            clip.contacts.push(contacts);
        }
        let sinking: Vec<f32> = stances.iter().map(|(stance, _)| stance.drop).collect();
        for (number, (stance, ground)) in stances.iter_mut().enumerate() {
            stance.drop = smoothed(&sinking, number) - *ground;
            let joints_of = number * skeleton.len()..(number + 1) * skeleton.len();
            solver.solve(
                skeleton,
                clip.track[number],
                stance,
                &mut clip.root_heights[number],
                &mut clip.rotations[joints_of],
                &mut joints,
            );
        }
        let first = clip.track[0];
        clip.track.iter_mut().for_each(|place| *place = place.relative_to(first));
        clip.radii = measure_radii(skeleton, &clip.rotations);
        Some(clip)
    }

    fn wish(&self, walk: &Walk, speed: f32) -> Wish {
        let speed = speed * (1.0 - 0.35 * walk.age.clamp(0.0, 1.0));
        Wish { people: walk.people.clone(), speed, runs: walk.runs, leg: self.leg() }
    }

    /// Where the balls of both feet are beside somebody who stands, and their height in metres.
    fn neutral(&self, walk: &Walk, solver: &StanceSolver) -> [(Vec2, f32); 2] {
        let mut rotations = Vec::new();
        let root = self.pose(&self.wish(walk, 0.0), 0.0, &mut rotations);
        let heading = heading_of(rotations[0]);
        rotations[0] = Quat::from_rotation_z(-heading) * rotations[0];
        let mut joints = JointFrames::default();
        joints.compute(self.skeleton(), Vec3::Z * root.z, &rotations);
        let wider = walk.width();
        [0, 1].map(|side| {
            let ball = joints.positions[solver.legs()[side].ball];
            (Vec2::new(ball.x, ball.y * wider), ball.z)
        })
    }

    /// Where somebody is in each frame, with its feet.
    fn plan(
        &self,
        walk: &Walk,
        frames: usize,
        neutral: &[(Vec2, f32); 2],
        pace: impl Fn(f32) -> Pace,
    ) -> Vec<Moment> {
        let step = |second: f32| {
            let Pace { ahead, aside, turn } = pace(second);
            Placement { position: Vec2::new(ahead, aside) * FRAME_TIME, heading: turn * FRAME_TIME }
        };
        let first = pace(0.0);
        let moves =
            |pace: Pace| libm::hypotf(pace.ahead, pace.aside) > STANDS[0] || pace.turn.abs() > STANDS[1];
        // Who moves at the first frame has been moving before: a few steps that nobody sees.
        let lead = if moves(first) { LEAD } else { 0 };
        let pace = |frame: usize| pace(frame.saturating_sub(lead) as f32 * FRAME_TIME);
        let before = (0..lead).fold(Placement::IDENTITY, |place, _| place.then(step(0.0)));
        // The way is known beforehand, two seconds beyond the last frame: that is what feet are set down for.
        let frames = frames + lead;
        let mut way = vec![before.inverse()];
        for frame in 0..frames + 2 * FRAME_RATE as usize {
            let second = (frame as f32 + 0.5 - lead as f32).max(0.0) * FRAME_TIME;
            way.push(way[frame].then(step(second)));
        }
        let at = |moment: f32| {
            let moment = moment.clamp(0.0, (way.len() - 1) as f32);
            let before = (moment as usize).min(way.len() - 2);
            way[before].lerp(way[before + 1], moment - before as f32)
        };
        let stand = |side: usize, place: Placement| {
            let there = place.then(Placement { position: neutral[side].0, heading: 0.0 });
            Placement { position: walk.terrain.footing(there.position), heading: there.heading }
        };
        let mut feet = [0, 1].map(|side| {
            let own = stand(side, way[0]);
            Foot { from: own, at: own, to: own, stands: true, swung: 0.0 }
        });
        let stances = self.stances(&self.wish(walk, 1.0));
        // Both feet stand in the middle of the first double support.
        let mut phase = 0.5 * (stances[1][0] + stances[0][1] - 1.0);
        let mut shown = libm::hypotf(first.ahead, first.aside) + TURNING_SPEED * first.turn.abs();
        let mut favours = 0.0f32;
        let mut moments = Vec::with_capacity(frames + 1);
        for (frame, &here) in way.iter().enumerate().take(frames + 1) {
            let now @ Pace { ahead, aside, turn } = pace(frame);
            let speed = libm::hypotf(ahead, aside);
            shown += (speed + TURNING_SPEED * turn.abs() - shown) * SMOOTH;
            moments.push(Moment { place: here, feet, phase, shown, favours });
            let astray = (0..2).any(|side| {
                let (under, own) = (stand(side, here), feet[side].at);
                own.position.distance(under.position) > UNDER[0]
                    || wrap_angle(own.heading - under.heading).abs() > UNDER[1]
            });
            if !moves(now) && !astray && feet.iter().all(|foot| foot.stands) {
                continue;
            }
            let wish = self.wish(walk, shown);
            let mut rate = self.frequency(&wish).max(LEAST_RATE) * walk.quickness();
            if let Terrain::Stairs { tread, .. } = walk.terrain {
                // One step a tread.
                rate = (ahead.abs() / (2.0 * tread.max(0.1))).max(0.3);
            }
            let hurts = usize::from(walk.limp > 0.0);
            let alone = feet[hurts].stands && !feet[1 - hurts].stands;
            rate *= 1.0 + walk.limp.abs() * if alone { HURRIES[0] } else { -HURRIES[1] };
            let off = if alone { walk.limp } else { 0.0 };
            favours += (off - favours) * SMOOTH;
            // Who goes back does everything the other way round.
            let backwards = ahead < -STANDS[0] && ahead.abs() > aside.abs();
            phase += if backwards { -rate } else { rate } * FRAME_TIME;
            let stances = self.stances(&wish);
            for (side, foot) in feet.iter_mut().enumerate() {
                let [down, up] = stances[side];
                let lasts = (up - down).clamp(0.2, 0.9);
                let local = (phase - down).rem_euclid(1.0);
                if local < lasts {
                    if !foot.stands {
                        *foot = Foot { from: foot.to, at: foot.to, to: foot.to, stands: true, swung: 0.0 };
                    }
                    continue;
                }
                let over = (local - lasts) / (1.0 - lasts);
                let swung = if backwards { 1.0 - over } else { over };
                if foot.stands {
                    (foot.stands, foot.from) = (false, foot.at);
                }
                foot.swung = swung.max(foot.swung).min(1.0);
                // When the foot stands in the middle of its stance, the hip is above it.
                let later = ((1.0 - foot.swung) * (1.0 - lasts) + 0.5 * lasts) / rate * FRAME_RATE;
                let wanted = stand(side, at(frame as f32 + later));
                // What is aimed at settles before the foot comes down.
                if foot.swung < 0.7 || foot.to == foot.from {
                    foot.to = wanted;
                }
                let t = ease(foot.swung);
                foot.at = Placement {
                    position: foot.from.position.lerp(foot.to.position, t),
                    heading: wrap_angle(
                        foot.from.heading + wrap_angle(foot.to.heading - foot.from.heading) * t,
                    ),
                };
            }
        }
        moments.split_off(lead)
    }

    /// Leans the trunk: up and down hills, in curves, under a burden, with age, and off a leg that hurts.
    fn lean(
        &self,
        walk: &Walk,
        moment: &Moment,
        before: &Moment,
        body: &Body,
        rotations: &mut [Quat],
        joints: &JointFrames,
    ) {
        let slope = walk.terrain.slope();
        let uphill = if slope > 0.0 { UPHILL } else { DOWNHILL } * slope.clamp(-1.0, 1.0);
        let share = (moment.shown / 0.3).min(1.0);
        let age = walk.age.clamp(0.0, 1.0);
        let pitch = uphill * share - BURDENED * walk.burden.clamp(0.0, 1.0) + STOOPED * age;
        let spin = wrap_angle(moment.place.heading - before.place.heading) * FRAME_RATE;
        let roll = BANKS * libm::atanf(moment.shown * spin / GRAVITY) - FAVOURS * moment.favours;
        let turn = |pitch: f32, roll: f32| Quat::from_rotation_x(-roll) * Quat::from_rotation_y(pitch);
        let each = 1.0 / body.spine.len().max(1) as f32;
        let spine = body.spine.iter().map(|&joint| (joint, turn(pitch * each, roll * each)));
        // The head looks ahead all the same.
        let head = body.head.map(|head| (head, turn(-0.8 * pitch, -0.7 * roll)));
        for (joint, turn) in spine.chain(head) {
            let above = self.skeleton().parent(joint).map_or(Quat::IDENTITY, |own| joints.orientations[own]);
            rotations[joint] = (above.inverse() * turn * above * rotations[joint]).normalize();
        }
    }
}

/// From 0 to 1 with neither speed nor acceleration at the ends.
fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// How much of an edge is climbed at a moment of a swing: up soon, down late.
fn rise(swung: f32, up: bool) -> f32 {
    if up { ease(swung * 1.6) } else { ease((swung - 0.375) * 1.6) }
}

/// The most that is asked for around a frame, evened out.
fn smoothed(values: &[f32], frame: usize) -> f32 {
    let around = |frame: usize, reach: usize| {
        let last = values.len() - 1;
        frame.saturating_sub(reach)..=(frame + reach).min(last)
    };
    let most = |frame: usize| around(frame, SINKS).map(|near| values[near]).fold(0.0, f32::max);
    let range = around(frame, SINKS);
    let count = range.clone().count() as f32;
    range.map(most).sum::<f32>() / count
}
