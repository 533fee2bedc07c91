//! Feet stay where they stand although the body is displaced: inverse kinematics takes back what displacement moves.
//!
//! The clips themselves have their feet in place; only the drift that displacement adds has to go. While a foot bears
//! weight it is held where the middle of its stance puts it, or where a goal frame does, whose pose stays exact; in the
//! air the correction passes smoothly from one stance to the next.

use super::{Spared, Stance};
use crate::body::{Body, Side};
use crate::ik::{Limb, SoftLimit};
use crate::{Clip, Contacts, JointFrames, Placement, Skeleton};
use glam::Vec2;

/// How far displacement moves a body from one frame to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// In metres, in the clip's own frame of reference.
    pub step: Vec2,
    /// In radians, about the root.
    pub turn: f32,
}

/// Frames over which a correction fades where no stance follows.
const FADE: usize = 8;
/// A leg gives way only when it is as good as straight: clips come near to that, and must not bend for it.
const LIMIT: SoftLimit = SoftLimit { from: 0.999, to: 0.9998 };

/// Legs that displaced clips have straight stay so, however far that lets feet be off.
const SPARED: Spared = Spared { from: 0.85, to: 0.995, most: f32::INFINITY };

/// Holds the feet of a displaced clip; `drifts` has an entry for each frame, and poses in the frames `kept` stay.
pub fn hold_feet(skeleton: &Skeleton, clip: &mut Clip, drifts: &[Drift], kept: &[usize]) {
    let body = Body::guess(skeleton);
    let poses: Vec<JointFrames> =
        (0..clip.frames()).map(|frame| clip.joints(skeleton, frame, Placement::IDENTITY)).collect();
    let mut pose = JointFrames::default();
    for (side, parts) in [(Side::Left, Contacts::LEFT), (Side::Right, Contacts::RIGHT)] {
        let Some(leg) = body.leg(side) else { continue };
        // What displacement has moved the ankle by up to each frame, if it had borne weight all the time.
        let mut drifted = Vec2::ZERO;
        let path: Vec<Vec2> = (0..clip.frames())
            .map(|frame| {
                let arm = poses[frame].positions[leg.ankle].truncate() - clip.track[frame].position;
                drifted += drifts[frame].step + arm.perp() * drifts[frame].turn;
                drifted
            })
            .collect();
        let stands: Vec<bool> = clip.contacts.iter().map(|contact| contact.touches(parts)).collect();
        let corrections = corrections(&stands, &path, kept);
        let limb = Limb { upper: leg.hip, middle: leg.knee, end: leg.ankle };
        for (frame, correction) in corrections.iter().enumerate() {
            if correction.length() < 1e-6 {
                continue;
            }
            let joints = skeleton.len();
            let rotations = &mut clip.rotations[frame * joints..(frame + 1) * joints];
            let at = (clip.track[frame], clip.root_heights[frame]);
            let mut stance = Stance::new(skeleton, &mut pose, at, rotations);
            let wanted = stance.joints.positions[leg.ankle] + correction.extend(0.0);
            stance.put(limb, SPARED.target(stance.joints, limb, wanted), LIMIT);
            stance.finish();
        }
    }
}

/// How far a foot has to be moved in each frame, in metres.
fn corrections(stands: &[bool], path: &[Vec2], kept: &[usize]) -> Vec<Vec2> {
    let mut corrections = vec![Vec2::ZERO; stands.len()];
    let mut before: Option<usize> = None;
    let mut frame = 0;
    while frame < stands.len() {
        let length = stands[frame..].iter().take_while(|&&stand| stand == stands[frame]).count();
        let end = frame + length;
        if stands[frame] {
            hold(frame, end, path, kept, &mut corrections);
            pass(before, Some(frame), &mut corrections);
            before = Some(end - 1);
        } else if end == stands.len() {
            pass(before, None, &mut corrections);
        }
        frame = end;
    }
    corrections
}

/// Holds a foot from frame `start` up to `end`.
fn hold(start: usize, end: usize, path: &[Vec2], kept: &[usize], corrections: &mut [Vec2]) {
    let mut pins: Vec<usize> = kept.iter().copied().filter(|frame| (start..end).contains(frame)).collect();
    if pins.is_empty() {
        pins.push((start + end - 1) / 2);
    }
    for frame in start..end {
        let next = pins.partition_point(|&pin| pin < frame);
        let after = pins.get(next).copied();
        let before = next.checked_sub(1).map(|index| pins[index]);
        let place = match (before, after) {
            (Some(a), Some(b)) => path[a].lerp(path[b], (frame - a) as f32 / (b - a) as f32),
            (Some(pin), None) | (None, Some(pin)) => path[pin],
            (None, None) => path[frame],
        };
        corrections[frame] = place - path[frame];
    }
}

/// Takes the correction of a foot in the air from the last frame of one stance to the first of the next.
fn pass(from: Option<usize>, to: Option<usize>, corrections: &mut [Vec2]) {
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    match (from, to) {
        (Some(from), Some(to)) => {
            let (a, b) = (corrections[from], corrections[to]);
            for (step, correction) in corrections[from + 1..to].iter_mut().enumerate() {
                *correction = a.lerp(b, smooth((step + 1) as f32 / (to - from) as f32));
            }
        }
        (Some(from), None) => {
            for step in 1..FADE.min(corrections.len() - from) {
                corrections[from + step] = corrections[from] * (1.0 - smooth(step as f32 / FADE as f32));
            }
        }
        (None, Some(to)) => {
            for step in 1..FADE.min(to + 1) {
                corrections[to - step] = corrections[to] * (1.0 - smooth(step as f32 / FADE as f32));
            }
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_foot_takes_back_the_drift() {
        let path: Vec<Vec2> = (0..60).map(|frame| Vec2::X * frame as f32 * 0.001).collect();
        let stands: Vec<bool> = (0..60).map(|frame| !(20..32).contains(&frame)).collect();
        let corrections = corrections(&stands, &path, &[0, 59]);
        let place = |frame: usize| path[frame] + corrections[frame];
        // The first stance is held where the first frame puts it, the last where the last does.
        assert!((0..20).all(|frame| place(frame).distance(path[0]) < 1e-6));
        assert!((32..60).all(|frame| place(frame).distance(path[59]) < 1e-6));
        // In the air nothing jumps.
        let steps = corrections.windows(2).map(|pair| pair[0].distance(pair[1]));
        assert!(steps.fold(0.0, f32::max) < 0.008);
    }
}
