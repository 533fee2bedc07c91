//! From channels over time and planted feet to a clip.

use super::body::{self, Channels, SIDES, channel, joint, size};
use super::curve::{hump, smooth};
use crate::ik::{self, Limb, SoftLimit};
use crate::{Clip, Contacts, Ends, FRAME_TIME, JointFrames, Placement, Skeleton, heading_of, measure_radii};
use glam::{Quat, Vec3};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a foot does between leaving the ground and coming down again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swing {
    /// Follows the leg's channels, eased away from and towards the footprints.
    Follow,
    /// Goes straight from print to print, lifted by so many metres.
    Step(f32),
}

/// A time, in seconds, during which a foot stands on its print.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    pub on: f32,
    pub off: f32,
    /// The point under the ankle, and the way the foot points.
    pub print: Placement,
    /// How the foot goes on to its next plant.
    pub then: Swing,
}

/// Everything a clip is made of.
pub struct Score<'a> {
    pub name: String,
    pub labels: Vec<String>,
    pub ends: (String, String),
    pub frames: usize,
    /// Channels at any time in seconds, also a little before the clip and after it.
    pub channels: &'a (dyn Fn(f32) -> Channels + Sync),
    /// Plants of the left and the right foot, in order of time.
    pub plants: [Vec<Plant>; 2],
}

/// Position of the ankle and orientation of the foot.
#[derive(Clone, Copy, Debug)]
struct FootPose {
    ankle: Vec3,
    turn: Quat,
    /// How far the toes are bent up.
    toes: f32,
    /// 1 on the ground, 0 where the leg's channels alone decide.
    planted: f32,
}

/// The foot on its print: rolled over the heel with toes up, or over the ball with the heel up.
fn on_print(print: Placement, pitch: f32) -> FootPose {
    let heading = Quat::from_rotation_z(print.heading);
    let turn = heading * Quat::from_rotation_y(-pitch);
    let ground = print.position.extend(0.0);
    let ball = Vec3::new(size::BALL.0, 0.0, size::BALL.1);
    let ankle = if pitch >= 0.0 {
        let heel = Vec3::new(-size::HEEL, 0.0, -size::ANKLE);
        ground + heading * Vec3::NEG_X * size::HEEL - turn * heel
    } else {
        ground + heading * Vec3::new(ball.x, 0.0, size::ANKLE + ball.z) - turn * ball
    };
    FootPose { ankle, turn, toes: (-pitch).max(0.0), planted: 1.0 }
}

/// Difference between a planted foot and where the channels put it: position and rotation vector.
fn difference(planted: FootPose, free: FootPose) -> (Vec3, Vec3) {
    let turn = planted.turn * free.turn.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    (planted.ankle - free.ankle, turn.to_scaled_axis())
}

/// The channels at a time, and what they make of hips and feet by the legs' angles alone.
#[derive(Clone, Copy)]
struct Moment {
    channels: Channels,
    hips: [Vec3; 2],
    feet: [FootPose; 2],
}

struct Solver<'a> {
    skeleton: &'a Skeleton,
    score: &'a Score<'a>,
    /// Moments asked for before, by the bits of their time: the ends of plants are asked for in every frame.
    known: RefCell<BTreeMap<u32, Moment>>,
}

/// Step of numerical differences in seconds.
const INSTANT: f32 = 1.0 / 240.0;

impl Solver<'_> {
    fn moment(&self, time: f32) -> Moment {
        *self.known.borrow_mut().entry(time.to_bits()).or_insert_with(|| {
            let channels = (self.score.channels)(time);
            let frames = body::posed(self.skeleton, &channels);
            let feet = SIDES.map(|side| {
                let foot = joint::leg(side, 3);
                let (ankle, turn) = (frames.positions[foot], frames.orientations[foot]);
                FootPose { ankle, turn, toes: 0.0, planted: 0.0 }
            });
            Moment { channels, hips: SIDES.map(|side| frames.positions[joint::leg(side, 1)]), feet }
        })
    }

    fn free_foot(&self, side: usize, time: f32) -> FootPose {
        self.moment(time).feet[side]
    }

    /// The foot on its print; its heel comes up where the leg would not reach it otherwise.
    fn planted_foot(&self, side: usize, plant: &Plant, time: f32) -> FootPose {
        let Moment { channels, hips, .. } = self.moment(time);
        let (hip, pitch) = (hips[side], channels[channel::leg(side, channel::FOOT)]);
        let foot = on_print(plant.print, pitch);
        // While the heel rises the knee bends as its channel says, however straight the leg could be.
        let rolling = smooth(-pitch / 0.35);
        let knee = libm::cosf(channels[channel::leg(side, channel::KNEE)]);
        let (a, b) = (size::THIGH, size::SHANK);
        let asked = (a * a + b * b + 2.0 * a * b * knee).sqrt() + 0.01;
        let longest = (LONGEST * size::LEG).min(size::LEG + (asked - size::LEG) * rolling);
        if pitch > 0.0 || hip.distance(foot.ankle) <= longest {
            return foot;
        }
        let (mut low, mut high) = (pitch, pitch.min(-1.25));
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            let far = hip.distance(on_print(plant.print, middle).ankle) > longest;
            if far { low = middle } else { high = middle }
        }
        // Not where the foot has only just come down.
        let settled = smooth((time - plant.on) / (0.35 * (plant.off - plant.on).min(1.5)));
        let high = pitch + (high - pitch) * if plant.on.is_finite() { settled } else { 1.0 };
        on_print(plant.print, high)
    }

    /// The foot at a time: on its print, or on its way to the next.
    fn foot(&self, side: usize, time: f32) -> FootPose {
        let plants = &self.score.plants[side];
        if let Some(plant) = plants.iter().find(|plant| (plant.on..=plant.off).contains(&time)) {
            return self.planted_foot(side, plant, time);
        }
        let before = plants.iter().rev().find(|plant| plant.off < time);
        let after = plants.iter().find(|plant| plant.on > time);
        match (before, after) {
            (Some(before), Some(after)) => match before.then {
                Swing::Step(lift) => self.stepping_foot(side, before, after, lift, time),
                Swing::Follow => self.following_foot(side, Some(before), Some(after), time),
            },
            (before, after) => self.following_foot(side, before, after, time),
        }
    }

    fn stepping_foot(&self, side: usize, before: &Plant, after: &Plant, lift: f32, time: f32) -> FootPose {
        let t = (time - before.off) / (after.on - before.off);
        let s = smooth(t);
        let (from, to) =
            (self.planted_foot(side, before, before.off), self.planted_foot(side, after, after.on));
        let rise = (hump(libm::powf(t.max(0.0), 0.85)) * lift).max(0.0);
        // The heel leaves first and the toes come down last.
        let pitch = -0.45 * hump((t * 1.25).min(1.0)) * (lift / 0.1).min(1.5) + 0.12 * hump((t - 0.5) * 2.0);
        FootPose {
            ankle: from.ankle.lerp(to.ankle, s) + Vec3::Z * rise,
            turn: from.turn.slerp(to.turn, s) * Quat::from_rotation_y(-pitch),
            toes: from.toes * (1.0 - smooth(t * 2.0)),
            planted: 1.0,
        }
    }

    fn following_foot(
        &self,
        side: usize,
        before: Option<&Plant>,
        after: Option<&Plant>,
        time: f32,
    ) -> FootPose {
        let mut foot = self.free_foot(side, time);
        // Half of the swing each, less a frame, so that halfway (where gaits join) the channels rule alone.
        let gap = match (before, after) {
            (Some(before), Some(after)) => after.on - before.off,
            _ => 0.7,
        };
        let window = (0.5 * gap - FRAME_TIME).clamp(0.06, 0.30);
        let end = (self.score.frames - 1) as f32 * FRAME_TIME;
        let mut move_by = Vec3::ZERO;
        let mut turn_by = Vec3::ZERO;
        for (plant, edge, sign) in [(before, before.map(|p| p.off), 1.0), (after, after.map(|p| p.on), -1.0)]
        {
            let (Some(plant), Some(edge)) = (plant, edge) else { continue };
            // A swing that spans an end of the clip is the channels' alone from a frame before to a frame after it.
            let free = match sign > 0.0 {
                true if edge < end => end - FRAME_TIME - edge,
                false if edge > 0.0 => edge - FRAME_TIME,
                _ => f32::INFINITY,
            };
            let window = if free > 0.0 { window.min(free.max(0.03)) } else { window };
            let t = (time - edge) * sign / window;
            if t >= 1.0 {
                continue;
            }
            let inside = edge - sign * INSTANT;
            let at_edge = difference(self.planted_foot(side, plant, edge), self.free_foot(side, edge));
            let earlier = difference(self.planted_foot(side, plant, inside), self.free_foot(side, inside));
            // Quintic Hermite: the difference fades from its value and rate at the edge to nothing.
            let (t2, t3) = (t * t, t * t * t);
            let hold = 1.0 - t3 * (10.0 - 15.0 * t + 6.0 * t2);
            let rate = (t - t3 * (6.0 - 8.0 * t + 3.0 * t2)) * window / INSTANT;
            move_by += at_edge.0 * hold + (at_edge.0 - earlier.0) * rate;
            turn_by += at_edge.1 * hold + (at_edge.1 - earlier.1) * rate;
            foot.planted += hold;
            if sign > 0.0 {
                foot.toes += self.planted_foot(side, plant, edge).toes * hold;
            }
        }
        foot.ankle += move_by;
        foot.turn = Quat::from_scaled_axis(turn_by) * foot.turn;
        self.keep_above_ground(&mut foot);
        foot
    }

    /// Lifts a swinging foot so that neither heel nor toes cut the ground.
    fn keep_above_ground(&self, foot: &mut FootPose) {
        let heel = foot.turn * Vec3::new(-size::HEEL, 0.0, -size::ANKLE);
        let ball = foot.turn * Vec3::new(size::BALL.0, 0.0, size::BALL.1 - 0.02);
        let toe_turn = foot.turn * Quat::from_rotation_y(-foot.toes);
        let tip = ball + toe_turn * Vec3::X * size::TOE;
        let lowest = foot.ankle.z + heel.z.min(ball.z).min(tip.z);
        // Soft: slope 1 well below the ground, nothing a centimetre above it.
        let (margin, depth) = (0.012, -lowest);
        let lift = if depth <= -margin {
            0.0
        } else if depth >= margin {
            depth
        } else {
            (depth + margin) * (depth + margin) / (4.0 * margin)
        };
        foot.ankle.z += lift;
    }

    fn contacts(&self, time: f32) -> Contacts {
        let parts = [(Contacts::LEFT_HEEL, Contacts::LEFT_TOE), (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE)];
        let mut contacts = Contacts::default();
        for side in SIDES {
            let touches = |plant: &&Plant| (plant.on - 1e-4..=plant.off + 1e-4).contains(&time);
            if let Some(plant) = self.score.plants[side].iter().find(touches) {
                let foot = self.planted_foot(side, plant, time);
                let rolled = foot.turn * Vec3::X;
                if rolled.z > -0.01 {
                    contacts = contacts.with(parts[side].0);
                }
                if rolled.z < 0.01 {
                    contacts = contacts.with(parts[side].1);
                }
            }
        }
        contacts
    }
}

/// A leg is never asked to be straighter than this fraction of its length.
const LONGEST: f32 = 0.9985;

/// How far the root must come down, frame by frame, for planted legs to reach their prints.
fn sinking(moments: &[Moment], feet: &[[FootPose; 2]]) -> Vec<f32> {
    let frames = moments.len();
    let mut needed = vec![0.0f32; frames];
    for frame in 0..frames {
        for side in SIDES {
            let hip = moments[frame].hips[side];
            let foot = feet[frame][side];
            if foot.planted < 0.5 {
                continue;
            }
            let longest = LONGEST * size::LEG;
            let over = (hip - foot.ankle).truncate().length_squared();
            let allowed = foot.ankle.z + (longest * longest - over).max(0.01).sqrt();
            needed[frame] = needed[frame].max((hip.z - allowed) * smooth(foot.planted * 2.0 - 1.0));
        }
    }
    // The largest need nearby, then a running mean, so that the body sinks and rises gently; none at the ends,
    // which clips share.
    let reach = 3usize;
    let nearby = |values: &[f32], frame: usize| {
        let (low, high) = (frame.saturating_sub(reach), (frame + reach).min(frames - 1));
        values[low..=high].iter().copied().fold(0.0f32, f32::max)
    };
    let widened: Vec<f32> = (0..frames).map(|frame| nearby(&needed, frame)).collect();
    let mut result = widened;
    for _ in 0..2 {
        result = (0..frames)
            .map(|frame| {
                let at = |f: isize| result[f.clamp(0, frames as isize - 1) as usize];
                let f = frame as isize;
                (-2..=2).map(|offset| at(f + offset)).sum::<f32>() / 5.0
            })
            .collect();
    }
    let last = (frames - 1) as f32;
    for (frame, sink) in result.iter_mut().enumerate() {
        let from_end = (frame as f32).min(last - frame as f32);
        *sink *= smooth((from_end - 1.0) / 4.0);
    }
    result
}

/// Makes the clip.
pub fn perform(skeleton: &Skeleton, rest: &Skeleton, score: &Score) -> Clip {
    let solver = Solver { skeleton, score, known: RefCell::default() };
    let times: Vec<f32> = (0..score.frames).map(|frame| frame as f32 * FRAME_TIME).collect();
    let moments: Vec<Moment> = times.iter().map(|&time| solver.moment(time)).collect();
    let feet: Vec<[FootPose; 2]> =
        times.iter().map(|&time| [solver.foot(0, time), solver.foot(1, time)]).collect();
    let sinks = sinking(&moments, &feet);
    let mut clip = Clip {
        name: score.name.clone(),
        labels: score.labels.clone(),
        ends: Some(Ends { from: score.ends.0.clone(), to: score.ends.1.clone() }),
        track: Vec::with_capacity(score.frames),
        root_heights: Vec::with_capacity(score.frames),
        rotations: Vec::with_capacity(score.frames * joint::COUNT),
        contacts: times.iter().map(|&time| solver.contacts(time)).collect(),
        radii: Vec::new(),
    };
    let mut start = None;
    for frame in 0..score.frames {
        let mut c = moments[frame].channels;
        c[channel::Z] -= sinks[frame];
        let mut rotations = pose(skeleton, &c, &feet[frame]);
        let heading = heading_of(rotations[0]);
        rotations[0] = (Quat::from_rotation_z(-heading) * rotations[0]).normalize();
        body::to_rest(&mut rotations);
        let placement = Placement::new(c[channel::X], c[channel::Y], heading);
        let start = *start.get_or_insert(placement);
        clip.track.push(placement.relative_to(start));
        clip.root_heights.push(c[channel::Z]);
        clip.rotations.extend(rotations.map(|q| if q.w < 0.0 { -q } else { q }));
    }
    clip.track[0] = Placement::IDENTITY;
    clip.radii = measure_radii(rest, &clip.rotations);
    clip
}

/// Joint rotations for channels, feet and hands in place.
fn pose(skeleton: &Skeleton, c: &Channels, feet: &[FootPose; 2]) -> [Quat; joint::COUNT] {
    let mut rotations = body::rotations(c);
    let mut frames = JointFrames::default();
    frames.compute(skeleton, Vec3::new(c[channel::X], c[channel::Y], c[channel::Z]), &rotations);
    for side in SIDES {
        let foot = feet[side];
        let limb = Limb { upper: joint::leg(side, 1), middle: joint::leg(side, 2), end: joint::leg(side, 3) };
        // The knee points between where the thigh faces and where the planted foot does.
        let thigh = frames.orientations[limb.upper] * Vec3::X;
        let toes = foot.turn * Vec3::X;
        let share = 0.5 * smooth(foot.planted) * toes.truncate().length();
        let bend = thigh.lerp(Vec3::new(toes.x, toes.y, 0.0), share);
        frames.orientations[limb.end] = foot.turn;
        let limit = SoftLimit { from: 0.999, to: 0.9999 };
        ik::bend_limb(skeleton, &mut frames, &mut rotations, limb, foot.ankle, bend, limit);
        rotations[joint::leg(side, 4)] = Quat::from_rotation_y(-foot.toes);
        grasp(skeleton, c, side, &mut frames, &mut rotations);
    }
    rotations
}

/// Brings a hand to its place before the chest, as far as its channel `GRASP` says.
fn grasp(skeleton: &Skeleton, c: &Channels, side: usize, frames: &mut JointFrames, rotations: &mut [Quat]) {
    let weight = smooth(c[channel::arm(side, channel::GRASP)]);
    if weight <= 0.0 {
        return;
    }
    let sign = if side == 0 { 1.0 } else { -1.0 };
    let limb = Limb { upper: joint::arm(side, 1), middle: joint::arm(side, 2), end: joint::arm(side, 3) };
    let chest = frames.orientations[joint::CHEST];
    let at = |of| c[channel::arm(side, of)];
    let place = Vec3::new(at(channel::HAND_X), at(channel::HAND_Y), at(channel::HAND_Z));
    let place = frames.positions[joint::CHEST] + chest * place;
    let own_bend = ik::bend_direction(frames, limb, chest * Vec3::NEG_X);
    // Elbows hang: down, a little back and out, as far as the arm's abduction says.
    let out = 0.25 + at(channel::ABDUCT);
    let low = chest * Vec3::new(-0.45, sign * out, -0.75);
    let wrist = rotations[limb.end];
    let target = frames.positions[limb.end].lerp(place, weight);
    let bend = own_bend.lerp(low.normalize(), weight);
    // The limit is close to straight: a hanging arm, nearly so, must not jump when a grasp begins.
    let limit = SoftLimit { from: 0.9975, to: 0.9999 };
    ik::bend_limb(skeleton, frames, rotations, limb, target, bend, limit);
    rotations[limb.end] = wrist;
}
