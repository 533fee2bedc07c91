//! The pose of an agent in a frame.

use crate::run::{Run, Sample};
use crowdloom_motion::Skeleton;
use glam::Quat;

/// Height of the root and rotations of the joints, as the sample's clip has them, the heading left out.
pub fn pose_of(run: &Run, sample: &Sample, rotations: &mut Vec<Quat>) -> f32 {
    rotations.clear();
    let joints = run.header().skeleton.len();
    let Some(clip) = run.clips().get(&sample.clip) else {
        rotations.resize(joints, Quat::IDENTITY);
        return rest_height(&run.header().skeleton);
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
