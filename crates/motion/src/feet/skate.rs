//! Foot-skate clean-up: feet in contact are held still by inverse kinematics, blended in and out.
//!
//! In the manner of Kovar, Schreiner and Gleicher 2002, with footplants known from the contacts: first where each
//! ankle has to go, then the legs bent to get it there. The foot keeps its orientation; where a leg would have to
//! overstretch, or a straight one would have to bend, the pelvis moves a little up or down instead.

use super::{Spared, Stance};
use crate::body::{Body, Leg, Side};
use crate::ik::{Limb, SoftLimit};
use crate::{Clip, Contacts, JointFrames, Placement, Skeleton, heel_offset};
use glam::{Quat, Vec3};

/// Frames over which a correction fades in before a contact and out after it.
const BLEND_FRAMES: usize = 6;

/// The share of the leg's length that a held foot may always ask for before the pelvis sinks: a knee bent by 20 degrees …
const COMFORTABLE_STRETCH: f32 = 0.985;
/// … and the most that it may ask for where the motion's own legs are as straight: less than 2 degrees.
const STRAIGHT: f32 = 0.9999;
/// Straighter than its own legs are in this share of its frames no leg of a motion need be.
const BENT_SHARE: f32 = 0.95;

/// A leg that reaches less than this share of its length has a knee that may bend more or less: by more than 32 degrees.
const LOOSE: f32 = 0.96;
/// The root follows straight legs by so many metres at most, evened over so many frames on both sides.
const MOST_RISE: f32 = 0.05;
const EVEN_FRAMES: usize = 2;

/// Legs that stay straight although that leaves a held foot a little off, mostly up or down.
const SPARED: Spared = Spared { from: 0.96, to: 0.99, most: 0.008 };

/// A foot that would have to be turned farther than this, in radians, turns of its own.
const MOST_TURNED: f32 = 0.25;

/// Whether the first and the last frame may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepEnds {
    /// They stay as they are: a foot planted there stays where it is there.
    Yes,
    /// They change like any other.
    No,
}

/// What gives way where a straight leg does not fit a held foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Yields {
    /// The knee: feet stand exactly.
    Knee,
    /// The foot, by some millimetres: legs stay as straight as they were.
    Foot,
}

/// Holds the feet of a clip still while they are in contact, exactly: knees bend for that.
pub fn clean_feet(skeleton: &Skeleton, clip: &mut Clip) {
    clean(skeleton, clip, KeepEnds::No, Yields::Knee);
}

/// Holds the feet of a captured clip still while they are in contact; legs stay as straight as they were, for captures slide by more than
/// straight legs can follow.
pub fn clean_captured_feet(skeleton: &Skeleton, clip: &mut Clip) {
    clean(skeleton, clip, KeepEnds::No, Yields::Foot);
}

/// The same as [`clean_captured_feet`], with or without touching the end frames.
pub fn clean_captured_feet_keeping(skeleton: &Skeleton, clip: &mut Clip, keep: KeepEnds) {
    clean(skeleton, clip, keep, Yields::Foot);
}

/// The same as [`clean_feet`], with or without touching the end frames.
pub fn clean_feet_keeping(skeleton: &Skeleton, clip: &mut Clip, keep: KeepEnds) {
    clean(skeleton, clip, keep, Yields::Knee);
}

fn clean(skeleton: &Skeleton, clip: &mut Clip, keep: KeepEnds, yields: Yields) {
    let body = Body::guess(skeleton);
    let frames = all_joints(skeleton, clip);
    let mut turned = Vec::new();
    let legs: Vec<(Leg, Vec<Vec3>)> = Side::BOTH
        .into_iter()
        .filter_map(|side| {
            let leg = body.leg(side)?;
            let heel = match yields {
                Yields::Knee => heel_offset(skeleton, leg.ankle),
                // Captured heels are known to stand by their ankles.
                Yields::Foot => Vec3::ZERO,
            };
            let turns = match yields {
                Yields::Knee => turns(&frames, &clip.contacts, (leg, heel), side, keep),
                Yields::Foot => vec![0.0; clip.frames()],
            };
            // Feet are turned about their balls first, then held where they stand so.
            let mut poses = frames.clone();
            for (pose, turn) in poses.iter_mut().zip(&turns) {
                let (turn, ball) = (Quat::from_rotation_z(*turn), pose.positions[leg.ball]);
                pose.positions[leg.ankle] = ball + turn * (pose.positions[leg.ankle] - ball);
                pose.orientations[leg.ankle] = turn * pose.orientations[leg.ankle];
            }
            let mut corrections = corrections(&poses, &clip.contacts, (leg, heel), side, keep);
            for (correction, (pose, frame)) in corrections.iter_mut().zip(poses.iter().zip(&frames)) {
                *correction += pose.positions[leg.ankle] - frame.positions[leg.ankle];
            }
            turned.push(turns);
            Some((leg, corrections))
        })
        .collect();
    let (straightest, limit, most_rise) = match yields {
        Yields::Knee => (COMFORTABLE_STRETCH, SoftLimit::default(), 0.0),
        Yields::Foot => {
            let own = straightest(&frames, &legs);
            (own, SoftLimit { from: own.min(0.999), to: STRAIGHT }, MOST_RISE)
        }
    };
    level_pelvis(&frames, clip, &legs, (straightest, most_rise), keep);

    let joint_count = skeleton.len();
    let mut joints = JointFrames::default();
    for frame in 0..clip.frames() {
        let pose = &mut clip.rotations[frame * joint_count..(frame + 1) * joint_count];
        let at = (clip.track[frame], clip.root_heights[frame]);
        let mut stance = Stance::new(skeleton, &mut joints, at, pose);
        for ((leg, corrections), turns) in legs.iter().zip(&turned) {
            let target = frames[frame].positions[leg.ankle] + corrections[frame];
            let turn = turns[frame];
            if turn.abs() > 1e-5 || target.distance(stance.joints.positions[leg.ankle]) >= 1e-6 {
                let foot = stance.joints.orientations[leg.ankle];
                stance.joints.orientations[leg.ankle] = Quat::from_rotation_z(turn) * foot;
                let limb = Limb { upper: leg.hip, middle: leg.knee, end: leg.ankle };
                let target = match yields {
                    Yields::Knee => target,
                    Yields::Foot => SPARED.target(stance.joints, limb, target),
                };
                stance.put(limb, target, limit);
            }
        }
        stance.finish();
    }
}

fn all_joints(skeleton: &Skeleton, clip: &Clip) -> Vec<JointFrames> {
    (0..clip.frames()).map(|frame| clip.joints(skeleton, frame, Placement::IDENTITY)).collect()
}

/// How far one foot has to be moved in each frame, in metres; its heel is `heel_at` metres from the ankle.
fn corrections(
    frames: &[JointFrames],
    contacts: &[Contacts],
    (leg, heel_at): (Leg, Vec3),
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
    // Then the heel, where the ball is not down: the foot rolls about the place where the ball's frames put it.
    for run in runs(contacts, heel) {
        let heel = |frame: usize| {
            frames[frame].positions[leg.ankle] + frames[frame].orientations[leg.ankle] * heel_at
        };
        let held = run.clone().find_map(|frame| fixed[frame].map(|correction| heel(frame) + correction));
        for (frame, pin) in pins(run, last, keep, heel) {
            fixed[frame].get_or_insert(held.unwrap_or(pin) - heel(frame));
        }
    }
    let mut corrections = blend(&fixed);
    if keep {
        // A stance that an end is part of is held where the end has it anyway; of any other correction nothing may be left there.
        let off = [0, last].map(|end| fixed[end].is_some_and(|own| own.length() > 1e-4));
        for (frame, correction) in corrections.iter_mut().enumerate() {
            if fixed[frame].is_none() || off[usize::from(2 * frame > last)] {
                *correction *= end_weight(frame, last);
            }
        }
    }
    corrections
}

/// How far one foot has to be turned about its ball in each frame, in radians, so that it does not turn while it lies on the ground.
fn turns(
    frames: &[JointFrames],
    contacts: &[Contacts],
    (leg, heel_at): (Leg, Vec3),
    side: Side,
    keep: KeepEnds,
) -> Vec<f32> {
    let whole = match side {
        Side::Left => [Contacts::LEFT_HEEL, Contacts::LEFT_TOE],
        Side::Right => [Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE],
    };
    let along = |frame: usize| {
        let heel = frames[frame].positions[leg.ankle] + frames[frame].orientations[leg.ankle] * heel_at;
        (frames[frame].positions[leg.ball] - heel).truncate().normalize_or_zero().extend(0.0)
    };
    let lies: Vec<Contacts> = contacts
        .iter()
        .map(
            |own| {
                if whole.into_iter().all(|part| own.touches(part)) { whole[0] } else { Contacts::default() }
            },
        )
        .collect();
    let (last, keep) = (frames.len() - 1, keep == KeepEnds::Yes);
    let mut fixed: Vec<Option<Vec3>> = vec![None; frames.len()];
    for run in runs(&lies, whole[0]) {
        for (frame, pin) in pins(run, last, keep, along) {
            let (own, held) = (along(frame).truncate(), pin.truncate());
            let angle = libm::atan2f(own.perp_dot(held), own.dot(held));
            // Who turns on its ball while it stands does so.
            fixed[frame] = (angle.abs() < MOST_TURNED).then_some(Vec3::Z * angle);
        }
    }
    let turns = blend(&fixed).into_iter().enumerate().map(|(frame, turn)| {
        let weight = if keep && fixed[frame].is_none() { end_weight(frame, last) } else { 1.0 };
        turn.z * weight
    });
    turns.collect()
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

/// The distance from hip to ankle, and what it would be if the leg were straight, in metres.
fn reach_of(joints: &JointFrames, leg: &Leg) -> (f32, f32) {
    let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| joints.positions[joint]);
    (hip.distance(ankle), hip.distance(knee) + knee.distance(ankle))
}

/// How straight the legs of a motion get, as a share of their length: who walks upright must not come to walk with bent knees.
fn straightest(frames: &[JointFrames], legs: &[(Leg, Vec<Vec3>)]) -> f32 {
    let share = |joints: &JointFrames, leg: &Leg| {
        let (reach, length) = reach_of(joints, leg);
        reach / length.max(1e-6)
    };
    let mut shares: Vec<f32> =
        legs.iter().flat_map(|(leg, _)| frames.iter().map(move |joints| share(joints, leg))).collect();
    shares.sort_by(f32::total_cmp);
    let usual = shares.get((shares.len() as f32 * BENT_SHARE) as usize);
    usual.copied().unwrap_or(COMFORTABLE_STRETCH).clamp(COMFORTABLE_STRETCH, STRAIGHT)
}

/// Moves the root up and down, smoothly over time, so that straight legs stay as straight as they were though their feet are held
/// elsewhere, and held feet stay within reach: a few millimetres would bend a straight knee by many degrees.
fn level_pelvis(
    frames: &[JointFrames],
    clip: &mut Clip,
    legs: &[(Leg, Vec<Vec3>)],
    (straightest, most_rise): (f32, f32),
    keep: KeepEnds,
) {
    // How much lower the root has to be so that a leg which reaches its foot's place reaches so far, in metres.
    let drop_for = |frame: usize, leg: &Leg, correction: Vec3, reach: f32| {
        let hip = frames[frame].positions[leg.hip];
        let target = frames[frame].positions[leg.ankle] + correction;
        let flat = (target - hip).truncate().length();
        hip.z - target.z - (reach * reach - flat * flat).max(0.0).sqrt()
    };
    let wanted: Vec<f32> = (0..clip.frames())
        .map(|frame| {
            let (mut sum, mut weights) = (0.0, 0.0f32);
            for (leg, corrections) in legs {
                let (captured, length) = reach_of(&frames[frame], leg);
                let straight = ((captured / length - LOOSE) / (STRAIGHT - LOOSE)).clamp(0.0, 1.0);
                let weight = straight * straight;
                sum += weight * drop_for(frame, leg, corrections[frame], captured.min(STRAIGHT * length));
                weights += weight;
            }
            (sum / weights.max(1.0)).clamp(-most_rise, most_rise)
        })
        .collect();
    let even = |frame: usize| {
        let near = frame.saturating_sub(EVEN_FRAMES)..(frame + EVEN_FRAMES + 1).min(wanted.len());
        let weight = |other: usize| (EVEN_FRAMES + 1 - other.abs_diff(frame)) as f32;
        let weights: f32 = near.clone().map(weight).sum();
        near.map(|other| weight(other) * wanted[other]).sum::<f32>() / weights
    };
    let even: Vec<f32> = (0..wanted.len()).map(even).collect();
    // What a held foot lacks even so.
    let lacking: Vec<f32> = (0..clip.frames())
        .map(|frame| {
            let lack = legs.iter().map(|(leg, corrections)| {
                let (captured, length) = reach_of(&frames[frame], leg);
                // Only what the correction asks for beyond what the capture had anyway.
                let reach = (straightest * length).max(captured);
                drop_for(frame, leg, corrections[frame], reach) - even[frame]
            });
            lack.fold(0.0, f32::max)
        })
        .collect();
    let (reach, last) = (BLEND_FRAMES as isize, clip.frames() - 1);
    for (frame, (height, even)) in clip.root_heights.iter_mut().zip(&even).enumerate() {
        let window = (-reach..=reach).filter_map(|step| {
            let drop = lacking.get(frame.checked_add_signed(step)?)?;
            let t = 1.0 - step.unsigned_abs() as f32 / (BLEND_FRAMES + 1) as f32;
            Some(drop * t * t * (3.0 - 2.0 * t))
        });
        let weight = if keep == KeepEnds::Yes { end_weight(frame, last) } else { 1.0 };
        *height -= weight * (even + window.fold(0.0, f32::max));
    }
}
