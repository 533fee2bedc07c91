//! Cycles of walking and running, from the valleys of the kinetic energy (section IV-A, figure 2).

use super::energy::{BodyEnergy, low_pass, valleys};
use super::left_out::LeftOut;
use super::primitive::{Closing, Stretch};
use crate::body::{Body, Side};
use crate::contacts::low_level;
use crate::graph::PoseClouds;
use crate::{Clip, Contacts, FRAME_RATE, Placement, Skeleton, wrap_angle};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// What counts as a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CycleRule {
    /// Deviation of the low-pass filter in frames (ours; the source names none).
    pub smoothing: f32,
    /// Fewest and most valleys from the start of a cycle to its end, both included. The source counts five: stance and
    /// double support of both feet, or stance and flight. At 30 frames/s a run shows no more than its flights, which is
    /// three, and some ways of walking have more; so it is the feet that tell whether a stretch is one cycle.
    pub valleys: [usize; 2],
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
    /// The most that the ends of the captured motion may differ in a joint, in metres and radians (ours); what is left
    /// is bent away.
    pub closing: [f32; 2],
    /// The shortest and the longest cycle in seconds (ours).
    pub seconds: [f32; 2],
    /// The least speed in metres a second (ours).
    pub speed: f32,
    /// The most that a cycle may turn, in radians (ours): curves are straightened.
    pub turn: f32,
    /// The most that its way may lead aside from where the body faces, in radians (ours).
    pub aside: f32,
}

impl Default for CycleRule {
    fn default() -> Self {
        Self {
            smoothing: 1.0,
            valleys: [3, 7],
            spike: 6.0,
            flat: 1.0,
            flat_frames: 6,
            walking_window: 7,
            running_window: 5,
            distance: 0.09,
            closing: [0.12, 0.44],
            seconds: [0.45, 2.2],
            speed: 0.35,
            turn: 1.05,
            aside: 0.35,
        }
    }
}

/// Faster than this, in metres a second, one runs: the Froude number v²/(g l) of a leg of 0.9 m is then a half
/// (Alexander 1989).
const RUNNING_SPEED: f32 = 2.1;

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
                foot[index] =
                    clip.contacts[frame].touches(flag) || (low && !(flagged && is_slow(clip, frame)));
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

    /// The middles of the left and the right foot's single support in a loop of frames, counted on beyond its end
    /// where need be; `None` unless each foot has its turn exactly once.
    fn stances(&self, first: usize, last: usize) -> Option<[usize; 2]> {
        let length = last - first;
        let at = |step: usize| self.single(first + step % length);
        let other = |side: Side| (0..length).find(|&step| at(step) == Some(side));
        // Start where the right foot takes over from the left.
        let start = other(Side::Left)?;
        let start = (start..start + length).find(|&step| at(step) == Some(Side::Right))?;
        let turn = (start..start + length).filter_map(at);
        let changes = turn.clone().zip(turn.skip(1)).filter(|(a, b)| a != b).count();
        if changes != 1 {
            return None;
        }
        let middle = |side: Side| {
            let mut own = (start..start + length).filter(|&step| at(step) == Some(side));
            let from = own.next()?;
            Some((from + own.next_back().unwrap_or(from)) / 2 % length)
        };
        Some([middle(Side::Left)?, middle(Side::Right)?])
    }
}

fn is_slow(clip: &Clip, frame: usize) -> bool {
    let (before, after) = (frame.saturating_sub(2), (frame + 2).min(clip.frames() - 1));
    let way = clip.track[before].position.distance(clip.track[after].position);
    way * FRAME_RATE < RUNNING_SPEED * (after - before).max(1) as f32
}

/// The cycles of a clip that do not overlap, the best first, each with the distance of its ends in metres; `why` is told what keeps
/// others from being cycles.
pub(super) fn find(
    skeleton: &Skeleton,
    clip: &Clip,
    rule: &CycleRule,
    why: &mut Option<LeftOut>,
) -> Vec<(Stretch, f32)> {
    if clip.frames() < 8 {
        LeftOut::Short.note(why);
        return Vec::new();
    }
    LeftOut::Unsteady.note(why);
    let energy = low_pass(&BodyEnergy::new(skeleton, clip).total, rule.smoothing);
    let valleys = valleys(&energy);
    let support = Support::new(skeleton, clip);
    let clouds = PoseClouds::new(skeleton, std::slice::from_ref(clip));
    let mut found = Vec::new();
    for start in 0..valleys.len() {
        let [fewest, most] = rule.valleys;
        for &end in valleys.iter().take(start + most).skip(start + fewest - 1) {
            let coarse = valleys[start]..=end;
            if interrupted(&energy, coarse.clone(), rule) {
                break;
            }
            let (first, last, distance) = refine(&clouds, clip, coarse, rule);
            let Some([left, right]) = support.stances(first, last) else {
                LeftOut::Feet.note(why);
                continue;
            };
            let stretch = Stretch { first, last, stances: Some([left, right]), lively: true };
            let closing = Closing::between(skeleton, &clip.pose(first), &clip.pose(last));
            if distance > rule.distance || !closing.is_within(rule.closing) {
                LeftOut::Ends(closing.position).note(why);
                continue;
            }
            match flaw(clip, &stretch, rule) {
                Some(flaw) => flaw.note(why),
                None => found.push((stretch, distance)),
            }
        }
    }
    best_apart(found)
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

/// The ends of a cycle refined in a window that depends on whether it is a walk or a run.
fn refine(
    clouds: &PoseClouds,
    clip: &Clip,
    coarse: std::ops::RangeInclusive<usize>,
    rule: &CycleRule,
) -> (usize, usize, f32) {
    let (first, last) = (*coarse.start(), *coarse.end());
    let way = clip.track[first].position.distance(clip.track[last].position);
    let runs = way * FRAME_RATE > RUNNING_SPEED * (last - first) as f32;
    let window = if runs { rule.running_window } else { rule.walking_window };
    most_alike(clouds, first, last, window / 2, clip.frames())
}

/// The pair of frames at most `reach` frames from both ends that are most alike, and their distance in metres.
pub(super) fn most_alike(
    clouds: &PoseClouds,
    first: usize,
    last: usize,
    reach: usize,
    frames: usize,
) -> (usize, usize, f32) {
    let around = |frame: usize| frame.saturating_sub(reach)..=(frame + reach).min(frames - 1);
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

/// What keeps a stretch from being a cycle, if anything.
fn flaw(clip: &Clip, stretch: &Stretch, rule: &CycleRule) -> Option<LeftOut> {
    let Stretch { first, last, stances, .. } = *stretch;
    let seconds = (last - first) as f32 / FRAME_RATE;
    let moved = clip.track[last].relative_to(clip.track[first]);
    let seen = |frame: usize| clip.track[frame].relative_to(clip.track[first]).facing();
    let facing: Vec2 = (first..=last).map(seen).sum();
    let angle = |v: Vec2| libm::atan2f(v.y, v.x);
    let aside = wrap_angle(angle(moved.position) - angle(facing));
    // From the right foot's stance to the left's is about half the cycle.
    let length = last - first;
    let half = stances.map_or(0, |[left, right]| (left + length - right) % length);
    if !(rule.seconds[0]..=rule.seconds[1]).contains(&seconds) {
        Some(LeftOut::Length)
    } else if moved.position.length() < rule.speed * seconds {
        Some(LeftOut::Slow)
    } else if moved.heading.abs() > rule.turn {
        Some(LeftOut::Turns(moved.heading.abs()))
    } else if aside.abs() > rule.aside {
        Some(LeftOut::Sideways)
    } else {
        (!(0.3..=0.7).contains(&(half as f32 / length as f32))).then_some(LeftOut::Feet)
    }
}

/// Of stretches with the distances of their ends those that do not overlap with a better one, the best first.
pub(super) fn best_apart(mut found: Vec<(Stretch, f32)>) -> Vec<(Stretch, f32)> {
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut kept: Vec<(Stretch, f32)> = Vec::new();
    for (stretch, distance) in found {
        if kept.iter().all(|(other, _)| stretch.last <= other.first + 2 || other.last <= stretch.first + 2) {
            kept.push((stretch, distance));
        }
    }
    kept
}
