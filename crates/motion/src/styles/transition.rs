//! From one primitive over to another: joint rotations by slerp, root by lerp, matched in phase (section VII).
//!
//! Cycles begin and end in single support, so a change of style always starts there. What is played is then one loop of
//! the new style whose first frames grow out of the old one. Such a loop is a clip like any other.

use super::primitive::{MotionType, Primitive};
use crate::feet::{KeepEnds, clean_feet_keeping};
use crate::{Clip, Contacts, FRAME_RATE, Placement, Skeleton, measure_radii, wrap_angle};
use glam::{Quat, Vec2};
use serde::{Deserialize, Serialize};

/// Frames over which the old style fades.
pub const BLEND_FRAMES: usize = 10;

/// The quarter of its loop in which the old motion is left.
///
/// A cycle is left in the right foot's stance or in the left's; what is no cycle after every quarter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start(pub u8);

impl Start {
    /// Where a loop starts: a cycle in the right foot's stance.
    pub const RIGHT: Self = Self(0);
    /// In the middle: a cycle in the left foot's stance, its halves swapped.
    pub const LEFT: Self = Self(2);
    /// How many there are.
    pub const COUNT: usize = 4;
}

/// How long a loop is and how far it leads, both changing style or keeping it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Frames of the loop.
    pub frames: f32,
    /// Metres that it covers.
    pub way: f32,
}

/// One loop of `to` whose beginning grows out of `from`.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'a> {
    /// What was played before.
    pub from: &'a Primitive,
    /// What is played now.
    pub to: &'a Primitive,
    /// Where the old motion is left.
    pub start: Start,
}

impl Transition<'_> {
    /// Frames from the start of the loop to its end.
    fn last(&self) -> usize {
        self.to.last_frame()
    }

    /// The share of the new style in a frame.
    fn share(&self, frame: usize) -> f32 {
        let length = BLEND_FRAMES.min(self.last());
        let t = (frame as f32 / length as f32).min(1.0);
        t * t * (3.0 - 2.0 * t)
    }

    /// Whether both are cycles, so that phases match.
    fn in_step(&self) -> bool {
        self.from.kind.is_cyclic() && self.to.kind.is_cyclic()
    }

    /// Where the loop ends: in the same stance of the new cycle.
    pub fn end(&self) -> Start {
        if self.in_step() { self.start } else { Start::RIGHT }
    }

    /// The frame of the new motion, counted on beyond its end where the loop starts in its middle.
    fn own_frame(&self, frame: usize) -> f32 {
        first_frame(self.to, self.end()) + frame as f32
    }

    /// The frame of the old motion that matches, counted on beyond its end.
    fn old_frame(&self, frame: usize) -> f32 {
        if !self.in_step() {
            return first_frame(self.from, self.start) + frame as f32;
        }
        let own = self.own_frame(frame);
        let last = self.last() as f32;
        let lap = if own >= last { 1.0 } else { 0.0 };
        lap * self.from.last_frame() as f32 + self.from.frame_of(self.to.phase_of(own - lap * last))
    }

    /// The root as seen from somebody who moves evenly, in every frame, and the way that the loop covers in metres.
    pub fn sway(&self) -> (Vec<Placement>, f32) {
        let last = self.last();
        let way = self.to.speed * last as f32 / FRAME_RATE;
        let mut sway: Vec<Placement> = (0..=last)
            .map(|frame| {
                let old = sway_at(self.from, self.old_frame(frame));
                old.lerp(sway_at(self.to, self.own_frame(frame)), self.share(frame))
            })
            .collect();
        if !self.in_step() || std::ptr::eq(self.from, self.to) {
            return (sway, way);
        }
        // Steps of the old style are as long as they were: ways add up, not places.
        let along = |primitive: &Primitive, frame: f32| {
            primitive.speed * frame / FRAME_RATE + sway_at(primitive, frame).position.x
        };
        let mut ways = vec![sway[0].position.x];
        for frame in 0..last {
            let step = |primitive: &Primitive, at: &dyn Fn(usize) -> f32| {
                along(primitive, at(frame + 1)) - along(primitive, at(frame))
            };
            let old = step(self.from, &|frame| self.old_frame(frame));
            let own = step(self.to, &|frame| self.own_frame(frame));
            let share = 0.5 * (self.share(frame) + self.share(frame + 1));
            ways.push(ways[frame] + old + (own - old) * share);
        }
        let way = ways[last] - sway[last].position.x;
        for (frame, place) in sway.iter_mut().enumerate() {
            place.position.x = ways[frame] - way * frame as f32 / last as f32;
        }
        (sway, way)
    }

    /// Length and way of the loop.
    pub fn pace(&self) -> Pace {
        Pace { frames: self.last() as f32, way: self.sway().1 }
    }

    /// The loop as a clip and its sway; feet on the ground in both styles are held there.
    pub fn bake(&self, skeleton: &Skeleton) -> (Clip, Vec<Placement>) {
        let last = self.last();
        let (sway, way) = self.sway();
        let even = |frame: usize| Vec2::X * (way * frame as f32 / last as f32);
        let places: Vec<Placement> = (0..=last)
            .map(|frame| Placement { position: sway[frame].position + even(frame), ..sway[frame] })
            .collect();
        let mut clip = Clip {
            name: self.name(),
            labels: self.labels(),
            ends: None,
            track: places.iter().map(|place| place.relative_to(places[0])).collect(),
            root_heights: Vec::with_capacity(last + 1),
            rotations: Vec::with_capacity((last + 1) * skeleton.len()),
            contacts: Vec::with_capacity(last + 1),
            radii: Vec::new(),
        };
        clip.track[0] = Placement::IDENTITY;
        // How each joint is turned in the new motion, seen from the old one.
        let mut turns = vec![Quat::IDENTITY; skeleton.len()];
        let same = std::ptr::eq(self.from, self.to) && (self.in_step() || self.start == Start::RIGHT);
        for frame in 0..=last {
            let share = self.share(frame);
            let (old, own) = (
                Sampled::new(self.from, self.old_frame(frame)),
                Sampled::new(self.to, self.own_frame(frame)),
            );
            clip.root_heights.push(old.height + (own.height - old.height) * share);
            for ((turn, a), b) in turns.iter_mut().zip(&old.rotations).zip(&own.rotations) {
                let next = a.conjugate() * *b;
                // The short way at first, then on the same side: changing sides on the way would fling a limb around.
                *turn = if turn.dot(next) < 0.0 { -next } else { next };
                clip.rotations.push(*a * part_of(*turn, share));
            }
            clip.contacts.push(match share {
                _ if same || share >= 1.0 => own.contacts,
                _ if share <= 0.0 => old.contacts,
                // Feet that stand elsewhere in the other motion have to get there.
                _ if !self.in_step() => Contacts::default(),
                _ => Contacts(old.contacts.0 & own.contacts.0),
            });
        }
        if !same && self.in_step() {
            clean_feet_keeping(skeleton, &mut clip, KeepEnds::Yes);
        }
        clip.radii = measure_radii(skeleton, &clip.rotations);
        (clip, sway)
    }

    /// What of the feet bears weight in a frame of the loop: while a motion grows out of one that is not in step with it,
    /// feet are about to stand as in the new one.
    pub fn contacts(&self, frame: usize) -> Contacts {
        Sampled::new(self.to, self.own_frame(frame)).contacts
    }

    /// What the loop is called.
    pub fn name(&self) -> String {
        let part = ["", " after a quarter", " after half", " after three quarters"]
            [usize::from(self.start.0) % Start::COUNT];
        if self.from.name == self.to.name {
            return format!("{}{part}", self.to.name);
        }
        format!("{} to {}{part}", self.from.name, self.to.name)
    }

    /// What the loop shows: its type first.
    pub fn labels(&self) -> Vec<String> {
        let kind = |kind: MotionType| {
            match kind {
                MotionType::Walking => "walk",
                MotionType::Running => "run",
                MotionType::Waiting => "wait",
                MotionType::Fighting => "fight",
            }
            .to_owned()
        };
        vec![kind(self.to.kind), format!("style:{}", self.to.name)]
    }
}

/// A share of a turn, the long way around where its real part is negative.
fn part_of(turn: Quat, share: f32) -> Quat {
    let axis = turn.xyz();
    let sine = axis.length();
    if sine < 1e-6 {
        return Quat::IDENTITY;
    }
    let (sin, cos) = libm::sincosf(libm::atan2f(sine, turn.w) * share);
    let axis = axis * (sin / sine);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// The frame in which a motion is left or entered.
fn first_frame(primitive: &Primitive, start: Start) -> f32 {
    match start {
        Start::RIGHT => 0.0,
        Start::LEFT if primitive.kind.is_cyclic() => f32::from(primitive.half),
        Start(quarter) => (primitive.last_frame() * usize::from(quarter) / Start::COUNT) as f32,
    }
}

/// One moment of a loop between two frames.
struct Sampled {
    height: f32,
    rotations: Vec<Quat>,
    contacts: Contacts,
}

impl Sampled {
    fn new(primitive: &Primitive, frame: f32) -> Self {
        let (before, after, t) = split(primitive, frame);
        let clip = &primitive.clip;
        let heights = (clip.root_heights[before], clip.root_heights[after]);
        let pairs = clip.frame_rotations(before).iter().zip(clip.frame_rotations(after));
        Self {
            height: heights.0 + (heights.1 - heights.0) * t,
            rotations: pairs.map(|(a, b)| a.slerp(*b, t)).collect(),
            contacts: clip.contacts[if t < 0.5 { before } else { after }],
        }
    }
}

/// The frames before and after a moment of a loop, and how far between them it is.
fn split(primitive: &Primitive, frame: f32) -> (usize, usize, f32) {
    let last = primitive.last_frame();
    let whole = frame.floor();
    let before = whole as usize % last;
    (before, before + 1, frame - whole)
}

fn sway_at(primitive: &Primitive, frame: f32) -> Placement {
    let (before, after, t) = split(primitive, frame);
    let (a, b) = (primitive.sway[before], primitive.sway[after]);
    Placement {
        position: a.position.lerp(b.position, t),
        heading: wrap_angle(a.heading + wrap_angle(b.heading - a.heading) * t),
    }
}
