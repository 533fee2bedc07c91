//! Primitive motions: short loops that can be played over and over.

use crate::body::{Body, Side};
use crate::graph::{BodyState, BodyVelocity, rotation_between, snap, snap_captured};
use crate::mirror::{MIRRORED, mirror_placement};
use crate::{Clip, FRAME_RATE, Placement, Pose, Skeleton, wrap_angle};
use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// The general kind of a motion; styles are variations within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MotionType {
    /// Cycles of walking.
    Walking,
    /// Cycles of running.
    Running,
    /// Standing about.
    Waiting,
    /// Punches, kicks and parries on the spot.
    Fighting,
}

impl MotionType {
    /// All types.
    pub const ALL: [Self; 4] = [Self::Walking, Self::Running, Self::Waiting, Self::Fighting];

    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walking => "walking",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Fighting => "fighting",
        }
    }

    /// Whether motions of this type are cycles that cover ground.
    #[inline]
    pub fn is_cyclic(self) -> bool {
        matches!(self, Self::Walking | Self::Running)
    }
}

/// How far the first frame of a primitive is from its last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Closing {
    /// The farthest that a joint is off, in metres, seen from the root.
    pub position: f32,
    /// The most that a joint's rotation is off, in radians.
    pub angle: f32,
}

impl Closing {
    /// Compares two poses.
    pub fn between(skeleton: &Skeleton, a: &Pose, b: &Pose) -> Self {
        let (first, last) =
            (a.joints(skeleton, Placement::IDENTITY), b.joints(skeleton, Placement::IDENTITY));
        let apart = first.positions.iter().zip(&last.positions).map(|(a, b)| a.distance(*b));
        let turned = a.rotations.iter().zip(&b.rotations).map(|(&a, &b)| rotation_between(a, b).length());
        Self { position: apart.fold(0.0, f32::max), angle: turned.fold(0.0, f32::max) }
    }
}

impl Closing {
    /// Whether position and angle are at most so many metres and radians.
    pub(super) fn is_within(self, [position, angle]: [f32; 2]) -> bool {
        self.position <= position && self.angle <= angle
    }
}

/// One loop of motion of some type and style.
///
/// A cycle starts and ends while the right foot alone bears weight, and the left does so at [`Self::half`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Primitive {
    /// The style's name, unique in its library.
    pub name: String,
    /// What kind of motion it is.
    pub kind: MotionType,
    /// The motion; its last frame has the pose of its first.
    pub clip: Clip,
    /// The frame in the middle of a cycle in which the left foot alone bears weight; 0 where there is no cycle.
    pub half: u16,
    /// Root placement in each frame as seen from somebody who moves evenly along the way and faces along it.
    pub sway: Vec<Placement>,
    /// Mean speed of the root over the ground in metres a second.
    pub speed: f32,
    /// Logarithms of the mean kinetic energy of upper and lower body (equation 1).
    pub feature: [f32; 2],
    /// How well the captured motion closed before it was bent to close exactly.
    pub captured_closing: Closing,
}

/// A stretch of a clip that nearly closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) first: usize,
    pub(super) last: usize,
    /// Frames after the first in which the left and the right foot alone bear weight; `None` where there is no cycle.
    pub(super) stances: Option<[usize; 2]>,
    /// Whether the energy changes much.
    pub(super) lively: bool,
}

impl Primitive {
    /// A motion on the spot as seen in a mirror; the energy of upper and lower body is the same.
    pub(super) fn mirrored(&self, skeleton: &Skeleton) -> Self {
        debug_assert!(!self.kind.is_cyclic(), "a cycle begins with the right foot");
        Self {
            clip: self.clip.mirrored(skeleton),
            sway: self.sway.iter().map(|&place| mirror_placement(place)).collect(),
            ..self.clone()
        }
    }

    /// Cuts a stretch out of a clip and makes a loop of it: straightened, its ends bent to the pose half way between
    /// them, planted feet held, and turned to start in the right foot's stance. Type and feature are settled later.
    pub(super) fn cut(skeleton: &Skeleton, clip: &Clip, stretch: Stretch) -> Self {
        let Stretch { first, last, stances, .. } = stretch;
        let captured_closing = Closing::between(skeleton, &clip.pose(first), &clip.pose(last));
        let mut piece = clip.piece(first, last);
        straighten(&mut piece, stances.is_some());
        let (begins, ends) = (BodyState::of_clip(clip, first), BodyState::of_clip(clip, last));
        let between = middle_state(&begins, &ends);
        // Clips that were made to fit know their ends; captured legs stay straight.
        let snap = if clip.ends.is_some() { snap } else { snap_captured };
        snap(skeleton, &mut piece, (&begins, &between), (&ends, &between));
        let mut half = 0;
        if let Some([left, right]) = stances {
            let length = last - first;
            half = (left + length - right) % length;
            piece = rotated(&piece, right);
        }
        let mut primitive = Self {
            name: clip.name.clone(),
            kind: if stances.is_some() { MotionType::Walking } else { MotionType::Waiting },
            clip: piece,
            half: half as u16,
            sway: Vec::new(),
            speed: 0.0,
            feature: [0.0; 2],
            captured_closing,
        };
        primitive.measure_way(skeleton);
        primitive
    }

    /// The name of the clip that it comes from, in a mirror or not.
    pub fn capture(&self) -> &str {
        self.clip.name.strip_suffix(MIRRORED).unwrap_or(&self.clip.name)
    }

    /// Whether it is another motion in a mirror.
    pub fn is_mirrored(&self) -> bool {
        self.clip.name.ends_with(MIRRORED)
    }

    /// The frames from the start of the loop to its end.
    pub fn last_frame(&self) -> usize {
        self.clip.frames() - 1
    }

    /// How well the loop closes now.
    pub fn closing(&self, skeleton: &Skeleton) -> Closing {
        Closing::between(skeleton, &self.clip.pose(0), &self.clip.pose(self.last_frame()))
    }

    /// The cycle that starts with the left foot: the halves of this one, swapped.
    pub fn halves_swapped(&self, skeleton: &Skeleton) -> Self {
        let half = usize::from(self.half);
        if half == 0 {
            return self.clone();
        }
        let mut swapped = self.clone();
        swapped.clip = rotated(&self.clip, half);
        swapped.half = (self.last_frame() - half) as u16;
        swapped.measure_way(skeleton);
        swapped
    }

    /// The moment of the cycle that a frame is, 0 where the right foot bears weight and ½ where the left does.
    pub fn phase_of(&self, frame: f32) -> f32 {
        let (half, last) = (f32::from(self.half), self.last_frame() as f32);
        if half == 0.0 {
            frame / last
        } else if frame < half {
            0.5 * frame / half
        } else {
            0.5 + 0.5 * (frame - half) / (last - half)
        }
    }

    /// The frame of a moment of the cycle.
    pub fn frame_of(&self, phase: f32) -> f32 {
        let (half, last) = (f32::from(self.half), self.last_frame() as f32);
        if half == 0.0 {
            phase * last
        } else if phase < 0.5 {
            2.0 * phase * half
        } else {
            half + (2.0 * phase - 1.0) * (last - half)
        }
    }

    /// Whether all parts fit each other, for files that claim to hold primitives.
    pub(super) fn is_consistent(&self, joints: usize) -> bool {
        self.clip.frames() > 1
            && self.clip.is_consistent(joints)
            && self.sway.len() == self.clip.frames()
            && usize::from(self.half) < self.clip.frames() - 1
            && self.speed.is_finite()
            && self.feature.iter().all(|value| value.is_finite())
    }

    /// Finds speed and sway from the clip's track.
    fn measure_way(&mut self, skeleton: &Skeleton) {
        let (track, last) = (&self.clip.track, self.last_frame());
        let way = self.clip.displacement().position;
        if self.half == 0 {
            // On the spot: somebody stands where the middle of the feet is, and faces as on average.
            let facing = track.iter().map(|place| place.facing()).sum::<Vec2>();
            let heading = libm::atan2f(facing.y, facing.x);
            let feet = feet_middle(skeleton, &self.clip);
            let origin = Placement { position: feet, heading };
            self.sway = track.iter().map(|place| place.relative_to(origin)).collect();
            self.speed = 0.0;
            return;
        }
        let along = Placement { position: Vec2::ZERO, heading: libm::atan2f(way.y, way.x) };
        let seen: Vec<Placement> = track.iter().map(|place| place.relative_to(along)).collect();
        let even = |frame: usize| Vec2::X * (way.length() * frame as f32 / last as f32);
        let off = |frame: usize| seen[frame].position - even(frame);
        let middle = (0..last).map(off).sum::<Vec2>() / last as f32;
        self.sway = (0..=last)
            .map(|frame| Placement { position: off(frame) - middle, heading: seen[frame].heading })
            .collect();
        self.speed = way.length() * FRAME_RATE / last as f32;
    }
}

/// The mean place of both feet over a clip, on the ground.
fn feet_middle(skeleton: &Skeleton, clip: &Clip) -> Vec2 {
    let body = Body::guess(skeleton);
    let legs: Vec<_> = Side::BOTH.iter().filter_map(|&side| body.leg(side)).collect();
    let mut sum = Vec2::ZERO;
    for frame in 0..clip.frames() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        sum += legs
            .iter()
            .map(|leg| (joints.positions[leg.ankle] + joints.positions[leg.ball]).truncate() * 0.5)
            .sum::<Vec2>();
    }
    sum / (clip.frames() * legs.len()).max(1) as f32
}

/// Takes out what a loop must not add: its turn and, on the spot, its way, evenly over all frames.
fn straighten(clip: &mut Clip, keep_way: bool) {
    let last = clip.frames() - 1;
    let turn = clip.displacement().heading;
    let mut here = Placement::IDENTITY;
    let mut straight = vec![here];
    for frame in 1..=last {
        let step = clip.track[frame].relative_to(clip.track[frame - 1]);
        here = here.then(step);
        here.heading = wrap_angle(here.heading - turn / last as f32);
        straight.push(here);
    }
    let way = if keep_way { Vec2::ZERO } else { here.position };
    for (frame, place) in straight.iter_mut().enumerate() {
        place.position -= way * (frame as f32 / last as f32);
    }
    straight[last].heading = 0.0;
    clip.track = straight;
}

/// Pose and velocity half way between two states.
fn middle_state(a: &BodyState, b: &BodyState) -> BodyState {
    let rotations = a.pose.rotations.iter().zip(&b.pose.rotations);
    let mean = |(a, b): (&Vec3, &Vec3)| (*a + *b) * 0.5;
    BodyState {
        pose: Pose {
            root_height: 0.5 * (a.pose.root_height + b.pose.root_height),
            rotations: rotations
                .map(|(&a, &b)| (Quat::from_scaled_axis(0.5 * rotation_between(a, b)) * a).normalize())
                .collect(),
        },
        velocity: BodyVelocity {
            ground: (a.velocity.ground + b.velocity.ground) * 0.5,
            turn: 0.5 * (a.velocity.turn + b.velocity.turn),
            rise: 0.5 * (a.velocity.rise + b.velocity.rise),
            joints: a.velocity.joints.iter().zip(&b.velocity.joints).map(mean).collect(),
        },
    }
}

/// A loop that starts at another of its frames.
fn rotated(clip: &Clip, start: usize) -> Clip {
    let last = clip.frames() - 1;
    let mut turned = clip.piece(start, last);
    let end = turned.displacement();
    let joints = clip.joint_count();
    for frame in 1..=start {
        turned.track.push(end.then(clip.track[frame]));
    }
    turned.root_heights.extend_from_slice(&clip.root_heights[1..=start]);
    turned.rotations.extend_from_slice(&clip.rotations[joints..(start + 1) * joints]);
    turned.contacts.extend_from_slice(&clip.contacts[1..=start]);
    turned.radii.extend_from_slice(&clip.radii[1..=start]);
    turned
}
