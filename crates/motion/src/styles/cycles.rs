//! Cycles of walking and running, from the valleys of the kinetic energy (section IV-A, figure 2).

use super::energy::{BodyEnergy, low_pass, valleys};
use super::primitive::Stretch;
use crate::body::{Body, Side};
use crate::contacts::low_level;
use crate::graph::PoseClouds;
use crate::{Clip, Contacts, FRAME_RATE, Placement, Skeleton, wrap_angle};
use serde::{Deserialize, Serialize};

/// What counts as a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CycleRule {
    /// Deviation of the low-pass filter in frames (ours; the source names none).
    pub smoothing: f32,
    /// Valleys from the start of a cycle to its end, both included (source: 5).
    pub valleys: usize,
    /// Energy over this many times the clip's median is a burst: the search starts anew (ours).
    pub spike: f32,
    /// Energy under this many joules is a static pose … (ours)
    pub flat: f32,
    /// … if it lasts so many frames: the search starts anew (ours).
    pub flat_frames: usize,
    /// Frames of the window in which the ends of a walk are refined (source: 7).
    pub walking_window: usize,
    /// The same of a run (source: 5).
    pub running_window: usize,
    /// The largest point-cloud distance of the ends in metres (ours).
    pub distance: f32,
    /// The shortest and the longest cycle in seconds (ours).
    pub seconds: [f32; 2],
    /// The least speed in metres a second (ours).
    pub speed: f32,
    /// The most that a cycle may turn, and that its way may lead aside from where the body faces, in radians (ours).
    pub turn: f32,
}

impl Default for CycleRule {
    fn default() -> Self {
        Self {
            smoothing: 1.0,
            valleys: 5,
            spike: 6.0,
            flat: 1.0,
            flat_frames: 6,
            walking_window: 7,
            running_window: 5,
            distance: 0.09,
            seconds: [0.45, 2.2],
            speed: 0.35,
            turn: 0.35,
        }
    }
}

/// Faster than this, in metres a second, one runs: the Froude number v²/(g l) of a leg of 0.9 m is then a half
/// (Alexander 1989).
pub(super) const RUNNING_SPEED: f32 = 2.1;

/// The foot that bears weight in a frame, if it is one alone.
pub(super) struct Support {
    feet: Vec<[bool; 2]>,
}

/// A ball of the foot this much above its lowest level, in metres, is off the ground.
const LOW: f32 = 0.05;

impl Support {
    pub(super) fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        let body = Body::guess(skeleton);
        let mut feet: Vec<[bool; 2]> = vec![[false; 2]; clip.frames()];
        for (index, side) in Side::BOTH.into_iter().enumerate() {
            let Some(leg) = body.leg(side) else { continue };
            let flag = if side == Side::Left { Contacts::LEFT } else { Contacts::RIGHT };
            let heights: Vec<f32> = (0..clip.frames())
                .map(|frame| clip.joints(skeleton, frame, Placement::IDENTITY).positions[leg.ball].z)
                .collect();
            let ground = low_level(heights.iter().copied());
            // At a run the flags miss the short contacts; a foot that is low then has to do.
            let flagged = clip.contacts.iter().any(|contact| contact.touches(flag));
            for (frame, foot) in feet.iter_mut().enumerate() {
                let low = heights[frame] - ground < LOW;
                foot[index] = clip.contacts[frame].touches(flag) || (low && !(flagged && is_slow(clip, frame)));
            }
        }
        Self { feet }
    }

    fn single(&self, frame: usize) -> Option<Side> {
        match self.feet[frame] {
            [true, false] => Some(Side::Left),
            [false, true] => Some(Side::Right),
            _ => None,
        }
    }

    /// The foot that alone bears weight in a frame or right beside it.
    fn near(&self, frame: usize) -> Option<Side> {
        let last = self.feet.len() - 1;
        self.single(frame)
            .or_else(|| self.single(frame.saturating_sub(1)))
            .or_else(|| self.single((frame + 1).min(last)))
    }
}

fn is_slow(clip: &Clip, frame: usize) -> bool {
    let (before, after) = (frame.saturating_sub(2), (frame + 2).min(clip.frames() - 1));
    let way = clip.track[before].position.distance(clip.track[after].position);
    way * FRAME_RATE < RUNNING_SPEED * (after - before).max(1) as f32
}

/// The cycles of a clip that do not overlap, the best first, each with the distance of its ends in metres.
pub(super) fn find(skeleton: &Skeleton, clip: &Clip, rule: &CycleRule) -> Vec<(Stretch, f32)> {
    if clip.frames() < 8 {
        return Vec::new();
    }
    let energy = low_pass(&BodyEnergy::new(skeleton, clip).total, rule.smoothing);
    let valleys = valleys(&energy);
    let support = Support::new(skeleton, clip);
    let clouds = PoseClouds::new(skeleton, std::slice::from_ref(clip));
    let mut found = Vec::new();
    for start in 0..valleys.len() {
        let Some(side) = support.near(valleys[start]) else { continue };
        // Five valleys in a row; a style with a bump more or less than usual may need one more or less.
        for more in [0, 1, -1, 2] {
            let Some(end) = (start + rule.valleys - 1).checked_add_signed(more) else { continue };
            let Some(&last) = valleys.get(end) else { continue };
            let coarse = valleys[start]..=last;
            if support.near(last) != Some(side) || interrupted(&energy, coarse.clone(), rule) {
                continue;
            }
            let Some(middle) = middle(&valleys[start..=end], &support, side.other()) else { continue };
            let (first, last, distance) = refine(&clouds, clip, coarse, rule);
            let stretch = Stretch { first, last, middle: Some(middle), support: side };
            if distance <= rule.distance && is_cycle(clip, &stretch, rule) {
                found.push((stretch, distance));
                break;
            }
        }
    }
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut kept: Vec<(Stretch, f32)> = Vec::new();
    for candidate in found {
        let apart = |other: &(Stretch, f32)| {
            candidate.0.last <= other.0.first + 2 || other.0.last <= candidate.0.first + 2
        };
        if kept.iter().all(apart) {
            kept.push(candidate);
        }
    }
    kept
}

/// Whether a burst or a static pose lies in the frames.
fn interrupted(energy: &[f32], frames: std::ops::RangeInclusive<usize>, rule: &CycleRule) -> bool {
    let mut sorted = energy.to_vec();
    sorted.sort_by(f32::total_cmp);
    let usual = sorted[sorted.len() / 2];
    let mut still = 0;
    energy[frames].iter().any(|&now| {
        still = if now < rule.flat { still + 1 } else { 0 };
        now > rule.spike * usual || still >= rule.flat_frames
    })
}

/// The valley nearest to the middle in which the other foot bears weight alone.
fn middle(valleys: &[usize], support: &Support, side: Side) -> Option<usize> {
    let (first, last) = (*valleys.first()?, *valleys.last()?);
    let inner = valleys[1..valleys.len() - 1].iter().copied();
    inner.filter(|&at| support.near(at) == Some(side)).min_by_key(|&at| (2 * at).abs_diff(first + last))
}

/// The pair of frames near both ends that are most alike.
fn refine(
    clouds: &PoseClouds,
    clip: &Clip,
    coarse: std::ops::RangeInclusive<usize>,
    rule: &CycleRule,
) -> (usize, usize, f32) {
    let (first, last) = (*coarse.start(), *coarse.end());
    let way = clip.track[first].position.distance(clip.track[last].position);
    let runs = way * FRAME_RATE > RUNNING_SPEED * (last - first) as f32;
    let reach = if runs { rule.running_window } else { rule.walking_window } / 2;
    let around = |frame: usize| frame.saturating_sub(reach)..=(frame + reach).min(clip.frames() - 1);
    let mut best = (first, last, f32::INFINITY);
    for a in around(first) {
        for b in around(last) {
            let distance = clouds.distance(a, b);
            if b > a + 4 && distance < best.2 {
                best = (a, b, distance);
            }
        }
    }
    best
}

fn is_cycle(clip: &Clip, stretch: &Stretch, rule: &CycleRule) -> bool {
    let Stretch { first, last, middle, .. } = *stretch;
    let seconds = (last - first) as f32 / FRAME_RATE;
    let moved = clip.track[last].relative_to(clip.track[first]);
    let facing: glam::Vec2 = (first..=last).map(|at| clip.track[at].relative_to(clip.track[first]).facing()).sum();
    let aside = wrap_angle(
        libm::atan2f(moved.position.y, moved.position.x) - libm::atan2f(facing.y, facing.x),
    );
    let share = middle.map_or(0.5, |middle| (middle as f32 - first as f32) / (last - first) as f32);
    (rule.seconds[0]..=rule.seconds[1]).contains(&seconds)
        && moved.position.length() >= rule.speed * seconds
        && moved.heading.abs() <= rule.turn
        && aside.abs() <= rule.turn
        && (0.3..=0.7).contains(&share)
}
