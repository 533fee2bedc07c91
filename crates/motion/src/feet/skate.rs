//! Foot-skate clean-up: feet in contact are held still by inverse kinematics, blended in and out.
//!
//! In the manner of Kovar, Schreiner and Gleicher 2002, with footplants known from the contacts: first where each
//! ankle has to go, then the legs bent to get it there. The foot keeps its orientation; where a leg would have to
//! overstretch, the pelvis sinks a little instead.

use super::Stance;
use crate::body::{Body, Leg, Side};
use crate::ik::{Limb, SoftLimit};
use crate::{Clip, Contacts, JointFrames, Placement, Skeleton};
use glam::Vec3;

/// Frames over which a correction fades in before a contact and out after it.
const BLEND_FRAMES: usize = 6;

/// The share of the leg's length that a held foot may ask for before the pelvis sinks.
const COMFORTABLE_STRETCH: f32 = 0.985;

/// Whether the first and the last frame may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepEnds {
    /// They stay as they are: a foot planted there stays where it is there.
    Yes,
    /// They change like any other.
    No,
}

/// Holds the feet of a clip still while they are in contact.
pub fn clean_feet(skeleton: &Skeleton, clip: &mut Clip) {
    clean_feet_keeping(skeleton, clip, KeepEnds::No);
}

/// Holds the feet of a clip still while they are in contact, with or without touching its end frames.
pub fn clean_feet_keeping(skeleton: &Skeleton, clip: &mut Clip, keep: KeepEnds) {
    let body = Body::guess(skeleton);
    let frames = all_joints(skeleton, clip);
    let legs: Vec<(Leg, Vec<Vec3>)> = Side::BOTH
        .into_iter()
        .filter_map(|side| {
            let leg = body.leg(side)?;
            let corrections = corrections(&frames, &clip.contacts, leg, side, keep);
            Some((leg, corrections))
        })
        .collect();
    sink_pelvis(&frames, clip, &legs, keep);

    let joint_count = skeleton.len();
    let mut joints = JointFrames::default();
    for frame in 0..clip.frames() {
        let pose = &mut clip.rotations[frame * joint_count..(frame + 1) * joint_count];
        let at = (clip.track[frame], clip.root_heights[frame]);
        let mut stance = Stance::new(skeleton, &mut joints, at, pose);
        for (leg, corrections) in &legs {
            let target = frames[frame].positions[leg.ankle] + corrections[frame];
            if target.distance(stance.joints.positions[leg.ankle]) >= 1e-6 {
                let limb = Limb { upper: leg.hip, middle: leg.knee, end: leg.ankle };
                stance.put(limb, target, SoftLimit::default());
            }
        }
        stance.finish();
    }
}

fn all_joints(skeleton: &Skeleton, clip: &Clip) -> Vec<JointFrames> {
    (0..clip.frames()).map(|frame| clip.joints(skeleton, frame, Placement::IDENTITY)).collect()
}

/// How far one foot has to be moved in each frame, in metres.
fn corrections(
    frames: &[JointFrames],
    contacts: &[Contacts],
    leg: Leg,
    side: Side,
    keep: KeepEnds,
) -> Vec<Vec3> {
    let (heel, toe) = match side {
        Side::Left => (Contacts::LEFT_HEEL, Contacts::LEFT_TOE),
        Side::Right => (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE),
    };
    let mut fixed: Vec<Option<Vec3>> = vec![None; frames.len()];
    let last = frames.len() - 1;
    let keep = keep == KeepEnds::Yes;
    // The ball first: through a whole stance the foot rolls over it.
    for run in runs(contacts, toe) {
        let ball = |frame: usize| frames[frame].positions[leg.ball];
        for (frame, pin) in pins(run, last, keep, ball) {
            fixed[frame] = Some(pin - ball(frame));
        }
    }
    // Then the heel, where the ball is not down: pinned where the ball's frames put it.
    for run in runs(contacts, heel) {
        let ankle = |frame: usize| frames[frame].positions[leg.ankle];
        let held = run.clone().find_map(|frame| fixed[frame].map(|correction| ankle(frame) + correction));
        for (frame, pin) in pins(run, last, keep, ankle) {
            fixed[frame].get_or_insert(held.unwrap_or(pin) - ankle(frame));
        }
    }
    let mut corrections = blend(&fixed);
    if keep {
        for (frame, correction) in corrections.iter_mut().enumerate() {
            *correction *= end_weight(frame, last);
        }
    }
    corrections
}

/// Where a foot is held in each frame of a contact: its mean place, or its place in the end frame that is kept.
fn pins(
    run: std::ops::Range<usize>,
    last: usize,
    keep: bool,
    place: impl Fn(usize) -> Vec3,
) -> impl Iterator<Item = (usize, Vec3)> {
    let (begins, ends) = (keep && run.start == 0, keep && run.end == last + 1);
    let mean = mean(run.clone().map(&place));
    let (from, to) = match (begins, ends) {
        (false, false) => (mean, mean),
        (true, false) => (place(0), place(0)),
        (false, true) => (place(last), place(last)),
        (true, true) => (place(0), place(last)),
    };
    run.map(move |frame| {
        let t = frame as f32 / last.max(1) as f32;
        (frame, if begins && ends { from.lerp(to, t * t * (3.0 - 2.0 * t)) } else { from })
    })
}

/// Zero at the kept ends, one a few frames inside.
fn end_weight(frame: usize, last: usize) -> f32 {
    let t = (frame.min(last - frame) as f32 / 3.0).min(1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Maximal stretches of frames in which `part` touches the ground.
fn runs(contacts: &[Contacts], part: Contacts) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for frame in 0..=contacts.len() {
        let touches = contacts.get(frame).is_some_and(|contact| contact.touches(part));
        match (touches, start) {
            (true, None) => start = Some(frame),
            (false, Some(first)) => {
                runs.push(first..frame);
                start = None;
            }
            _ => {}
        }
    }
    runs
}

fn mean(points: impl ExactSizeIterator<Item = Vec3>) -> Vec3 {
    let count = points.len().max(1) as f32;
    points.sum::<Vec3>() / count
}

/// Fills the frames without contact from the contacts around them.
fn blend(fixed: &[Option<Vec3>]) -> Vec<Vec3> {
    let weight = |distance: usize| {
        let t = (1.0 - distance as f32 / (BLEND_FRAMES + 1) as f32).max(0.0);
        t * t * (3.0 - 2.0 * t)
    };
    (0..fixed.len())
        .map(|frame| {
            if let Some(correction) = fixed[frame] {
                return correction;
            }
            let before =
                (0..frame).rev().take(BLEND_FRAMES).find_map(|at| fixed[at].map(|c| (frame - at, c)));
            let after =
                (frame + 1..fixed.len()).take(BLEND_FRAMES).find_map(|at| fixed[at].map(|c| (at - frame, c)));
            match (before, after) {
                (Some((a, from)), Some((b, to))) => {
                    let t = a as f32 / (a + b) as f32;
                    from.lerp(to, t * t * (3.0 - 2.0 * t))
                }
                (Some((distance, correction)), None) | (None, Some((distance, correction))) => {
                    correction * weight(distance)
                }
                (None, None) => Vec3::ZERO,
            }
        })
        .collect()
}

/// Lowers the root, smoothly over time, where a held foot is out of the leg's reach.
fn sink_pelvis(frames: &[JointFrames], clip: &mut Clip, legs: &[(Leg, Vec<Vec3>)], keep: KeepEnds) {
    let needed: Vec<f32> = (0..clip.frames())
        .map(|frame| {
            let lack = legs.iter().map(|(leg, corrections)| {
                let position = |joint: usize| frames[frame].positions[joint];
                let (hip, knee, ankle) = (position(leg.hip), position(leg.knee), position(leg.ankle));
                let length = hip.distance(knee) + knee.distance(ankle);
                // Only what the correction asks for beyond what the capture had anyway.
                let reach = (COMFORTABLE_STRETCH * length).max(hip.distance(ankle));
                let target = ankle + corrections[frame];
                let flat = (target - hip).truncate().length();
                let depth = (reach * reach - flat * flat).max(0.0).sqrt();
                (hip.z - target.z - depth).max(0.0)
            });
            lack.fold(0.0, f32::max)
        })
        .collect();
    if needed.iter().all(|&drop| drop < 1e-6) {
        return;
    }
    let reach = BLEND_FRAMES as isize;
    for frame in 0..clip.frames() {
        let window = (-reach..=reach).filter_map(|step| {
            let drop = needed.get(frame.checked_add_signed(step)?)?;
            let t = 1.0 - step.unsigned_abs() as f32 / (BLEND_FRAMES + 1) as f32;
            Some(drop * t * t * (3.0 - 2.0 * t))
        });
        let weight = if keep == KeepEnds::Yes { end_weight(frame, clip.frames() - 1) } else { 1.0 };
        clip.root_heights[frame] -= weight * window.fold(0.0, f32::max);
    }
}
