//! The pose of an agent in a frame.

use crate::run::{Run, Sample};
use crowdloom_motion::stance::{Stance, StanceSolver};
use crowdloom_motion::{Clip, JointFrames, Skeleton};
use glam::{Quat, Vec3};
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

    /// The same of somebody who is `scale` times as large as the skeleton: feet stand where those of the skeleton do, in metres of
    /// the world, and hips sink where legs are too short for that.
    pub fn pose_sized(&self, run: &Run, sample: &Sample, scale: f32, rotations: &mut Vec<Quat>) -> f32 {
        let skeleton = &run.header().skeleton;
        let mut height = self.pose_of(run, sample, rotations);
        let Some(solver) = self.solver.as_ref().filter(|_| (scale - 1.0).abs() > 0.004) else {
            return height;
        };
        let mut frames = JointFrames::default();
        frames.compute(skeleton, Vec3::Z * height, rotations);
        let placement = sample.placement();
        let (mut stance, mut drop) = (Stance::default(), 0.0_f32);
        for (leg, sole) in solver.legs().iter().zip(&mut stance.feet) {
            let [hip, knee, ankle, ball] =
                [leg.hip, leg.knee, leg.ankle, leg.ball].map(|joint| frames.positions[joint]);
            let there = ball.truncate() / scale;
            sole.ball = placement.transform_point(there);
            sole.heading = placement.heading;
            sole.planted = ball.z < 0.06;
            if sole.planted {
                let long = hip.distance(knee) + knee.distance(ankle);
                let away = (ankle + (there - ball.truncate()).extend(0.0) - hip).truncate().length();
                let reach = (long * long * 0.995 - away * away).max(0.0).sqrt();
                drop = drop.max(hip.z - ankle.z - reach);
            }
        }
        stance.drop = drop.clamp(0.0, 0.15);
        solver.solve(skeleton, placement, &stance, &mut height, rotations, &mut frames);
        height
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
