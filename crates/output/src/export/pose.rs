//! The pose of an agent in a frame.

use crate::run::{Run, Sample};
use crowdloom_motion::stance::StanceSolver;
use crowdloom_motion::{Clip, JointFrames, Skeleton};
use glam::Quat;
use std::collections::BTreeMap;

/// Poses bodies of one skeleton as samples of a run say.
pub struct Poser {
    solver: Option<StanceSolver>,
}

impl Poser {
    /// For a run's own skeleton, or for another that its clips were moved to.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self { solver: StanceSolver::of(skeleton) }
    }

    /// Height of the root and rotations of the joints, the heading left out.
    pub fn pose_of(&self, run: &Run, sample: &Sample, rotations: &mut Vec<Quat>) -> f32 {
        self.pose_in(run.clips(), &run.header().skeleton, sample, rotations)
    }

    /// The same with clips of some other skeleton.
    pub fn pose_in(
        &self,
        clips: &BTreeMap<u16, Clip>,
        skeleton: &Skeleton,
        sample: &Sample,
        rotations: &mut Vec<Quat>,
    ) -> f32 {
        let mut height = clip_pose(clips, skeleton, sample, rotations);
        if let (Some(solver), Some(stance)) = (&self.solver, sample.stance()) {
            let mut frames = JointFrames::default();
            solver.solve(skeleton, sample.placement(), &stance, &mut height, rotations, &mut frames);
        }
        height
    }
}

/// The pose as the sample's clips have it.
fn clip_pose(
    clips: &BTreeMap<u16, Clip>,
    skeleton: &Skeleton,
    sample: &Sample,
    rotations: &mut Vec<Quat>,
) -> f32 {
    rotations.clear();
    let height = match clips.get(&sample.clip) {
        Some(clip) => clip.sample_into(sample.clip_frame(), rotations),
        None => {
            rotations.resize(skeleton.len(), Quat::IDENTITY);
            rest_height(skeleton)
        }
    };
    let under = sample.under().and_then(|(clip, at, share)| Some((clips.get(&clip)?, at, share)));
    let Some((clip, at, share)) = under else { return height };
    let mut below = Vec::with_capacity(rotations.len());
    let under_height = clip.sample_into(at, &mut below);
    for (shown, below) in rotations.iter_mut().zip(below) {
        *shown = shown.slerp(below, share);
    }
    height + (under_height - height) * share
}

fn rest_height(skeleton: &Skeleton) -> f32 {
    skeleton.joints()[0].offset.z
}
