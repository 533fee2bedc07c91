//! The pose of an agent in a frame.

use crate::run::{Run, Sample};
use crowdloom_motion::{Clip, Skeleton};
use glam::Quat;
use std::collections::BTreeMap;

/// Height of the root and rotations of the joints, as the sample's clip has them, the heading left out.
pub fn pose_of(run: &Run, sample: &Sample, rotations: &mut Vec<Quat>) -> f32 {
    pose_in(run.clips(), &run.header().skeleton, sample, rotations)
}

/// The same with clips of some other skeleton.
pub fn pose_in(
    clips: &BTreeMap<u16, Clip>,
    skeleton: &Skeleton,
    sample: &Sample,
    rotations: &mut Vec<Quat>,
) -> f32 {
    rotations.clear();
    let height = match clips.get(&sample.clip) {
        Some(clip) => add_pose(clip, sample.clip_frame(), rotations),
        None => {
            rotations.resize(skeleton.len(), Quat::IDENTITY);
            rest_height(skeleton)
        }
    };
    let under = sample.under().and_then(|(clip, at, share)| Some((clips.get(&clip)?, at, share)));
    let Some((clip, at, share)) = under else { return height };
    let own = rotations.len();
    let under_height = add_pose(clip, at, rotations);
    let (shown, below) = rotations.split_at_mut(own);
    for (shown, below) in shown.iter_mut().zip(below) {
        *shown = shown.slerp(*below, share);
    }
    rotations.truncate(own);
    height + (under_height - height) * share
}

/// Appends the rotations of a clip at a frame with its fraction; returns the height of the root.
fn add_pose(clip: &Clip, at: f32, rotations: &mut Vec<Quat>) -> f32 {
    let last = clip.frames() - 1;
    let at = at.clamp(0.0, last as f32);
    let before = at as usize;
    let (after, t) = ((before + 1).min(last), at - before as f32);
    let (a, b) = (clip.frame_rotations(before), clip.frame_rotations(after));
    // Frames are near each other: straight interpolation is as good as round, and quicker.
    rotations.extend(a.iter().zip(b).map(|(&a, &b)| a.lerp(b, t)));
    clip.root_heights[before] * (1.0 - t) + clip.root_heights[after] * t
}

fn rest_height(skeleton: &Skeleton) -> f32 {
    skeleton.joints()[0].offset.z
}
