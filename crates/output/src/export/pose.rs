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
    let Some(clip) = clips.get(&sample.clip) else {
        rotations.resize(skeleton.len(), Quat::IDENTITY);
        return rest_height(skeleton);
    };
    let last = clip.frames() - 1;
    let at = sample.clip_frame().clamp(0.0, last as f32);
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
