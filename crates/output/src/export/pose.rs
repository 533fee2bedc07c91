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
    clip.sample_into(sample.clip_frame(), rotations)
}

fn rest_height(skeleton: &Skeleton) -> f32 {
    skeleton.joints()[0].offset.z
}
