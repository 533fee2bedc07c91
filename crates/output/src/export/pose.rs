//! The pose of an agent in a frame.

use crate::run::{Run, Sample};
use crowdloom_motion::body::Leg;
use crowdloom_motion::feet::FeetBetween;
use crowdloom_motion::stance::{Stance, StanceSolver};
use crowdloom_motion::{Clip, JointFrames, Placement, Skeleton, heel_offset};
use glam::{Quat, Vec2, Vec3};
use std::collections::BTreeMap;

/// Poses bodies of one skeleton as samples of a run say.
pub struct Poser {
    solver: Option<StanceSolver>,
    between: FeetBetween,
}

impl Poser {
    /// For a run's own skeleton, or for another that its clips were moved to.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self { solver: StanceSolver::of(skeleton), between: FeetBetween::of(skeleton) }
    }

    /// Height of the root and rotations of the joints, the heading left out.
    pub fn pose_of(&self, run: &Run, sample: &Sample, rotations: &mut Vec<Quat>) -> f32 {
        self.pose_in(run.clips(), &run.header().skeleton, sample, rotations)
    }

    /// The same of somebody who is `scale` times as large as the skeleton: feet stand where those of the skeleton do, in metres of
    /// the world, and hips sink where legs are too short for that.
    pub fn pose_sized(&self, run: &Run, sample: &Sample, scale: f32, rotations: &mut Vec<Quat>) -> f32 {
        let skeleton = &run.header().skeleton;
        let Some((solver, mut stance)) = self.solver.as_ref().zip(sample.stance()) else {
            let mut height = self.pose_of(run, sample, rotations);
            self.keep_feet(skeleton, sample.placement(), scale, &mut height, rotations);
            return height;
        };
        // A stance is in metres of the world: the skeleton, which is drawn larger or smaller, takes one as much smaller or larger.
        let (mut height, root) = (clip_pose(run.clips(), skeleton, sample, rotations), sample.placement());
        for sole in &mut stance.feet {
            sole.ball = root.position + (sole.ball - root.position) / scale;
            sole.lift /= scale;
        }
        stance.drop /= scale;
        solver.solve(skeleton, root, &stance, &mut height, rotations, &mut JointFrames::default());
        height
    }

    /// Lets the feet of a body that is `scale` times as large stand where those of the skeleton do, the middle of each where the
    /// other's is: so neither heel nor ball moves while the foot rolls about it.
    fn keep_feet(
        &self,
        skeleton: &Skeleton,
        placement: Placement,
        scale: f32,
        height: &mut f32,
        rotations: &mut [Quat],
    ) {
        let Some(solver) = self.solver.as_ref().filter(|_| (scale - 1.0).abs() > 0.004) else { return };
        let mut frames = JointFrames::default();
        frames.compute(skeleton, Vec3::Z * *height, rotations);
        let (mut stance, mut drop) = (Stance::default(), 0.0_f32);
        for (leg, sole) in solver.legs().iter().zip(&mut stance.feet) {
            let [hip, knee, ankle, ball] =
                [leg.hip, leg.knee, leg.ankle, leg.ball].map(|joint| frames.positions[joint]);
            let (print, lowest) = footprint(skeleton, &frames, leg);
            let there = ball.truncate() + print * ((1.0 - scale) / scale);
            sole.ball = placement.transform_point(there);
            sole.heading = placement.heading;
            sole.planted = lowest < STANDS;
            if sole.planted {
                let long = hip.distance(knee) + knee.distance(ankle);
                let away = (ankle + (there - ball.truncate()).extend(0.0) - hip).truncate().length();
                let reach = (long * long * 0.995 - away * away).max(0.0).sqrt();
                drop = drop.max(hip.z - ankle.z - reach);
            }
        }
        stance.drop = drop.clamp(0.0, 0.15);
        solver.solve(skeleton, placement, &stance, height, rotations, &mut frames);
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
        match (&self.solver, sample.stance()) {
            (Some(solver), Some(stance)) => {
                let mut frames = JointFrames::default();
                solver.solve(skeleton, sample.placement(), &stance, &mut height, rotations, &mut frames);
            }
            _ => {
                if let (Some(clip), None) = (clips.get(&sample.clip), sample.under()) {
                    self.between.hold(clip, sample.clip_frame(), height, rotations);
                }
            }
        }
        height
    }
}

/// A foot whose lowest part is nearer to the ground than this, in metres, stands.
const STANDS: f32 = 0.02;

/// The middle of a foot as it lies flat on the ground, where it is while it rolls about its heel or its ball, too; and how high the
/// lower of both is, in metres.
fn footprint(skeleton: &Skeleton, frames: &JointFrames, leg: &Leg) -> (Vec2, f32) {
    let (ankle, foot) = (frames.positions[leg.ankle], frames.orientations[leg.ankle]);
    let (own_heel, own_ball) = (heel_offset(skeleton, leg.ankle), skeleton.joints()[leg.ball].offset);
    let (heel, ball) = (ankle + foot * own_heel, frames.positions[leg.ball]);
    let along =
        (ball - heel).truncate().normalize_or_zero() * (0.5 * (own_ball - own_heel).truncate().length());
    let rises = own_ball.z - own_heel.z;
    let print = match ball.z - heel.z > rises {
        true => heel.truncate() + along,
        false => ball.truncate() - along,
    };
    (print, heel.z.min(ball.z - rises))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_bodies::Build;
    use crowdloom_motion::{Contacts, FRAME_TIME, builtin};

    /// The fastest that a foot in contact moves on bodies of that height, in metres a second: 99 of 100 frames of walks as fast as such a body likes.
    fn sliding(tall: f32) -> f32 {
        let library = builtin::library();
        let skeleton = &library.skeleton;
        let poser = Poser::new(skeleton);
        let scale = tall / 1.75;
        let legs = *poser.solver.as_ref().map(StanceSolver::legs).unwrap();
        let likes = Build { height: Some(tall), ..Build::default() }.walks_at();
        let speed =
            |clip: &Clip| clip.displacement().position.length() / ((clip.frames() - 1) as f32 * FRAME_TIME);
        let walks = library.clips.iter().filter(|clip| {
            clip.has_label("walk")
                && !clip.has_label("style")
                && !clip.has_label("run")
                && speed(clip) < likes * 1.1
        });
        let mut speeds = Vec::new();
        let mut frames = JointFrames::default();
        for clip in walks.step_by(5) {
            let mut before: Option<[[Vec2; 2]; 2]> = None;
            for frame in 0..clip.frames() {
                let mut pose = clip.pose(frame);
                let placement = clip.track[frame];
                poser.keep_feet(skeleton, placement, scale, &mut pose.root_height, &mut pose.rotations);
                frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
                let now = legs.map(|leg| {
                    let foot = frames.orientations[leg.ankle];
                    let heel = frames.positions[leg.ankle] + foot * heel_offset(skeleton, leg.ankle);
                    [heel, frames.positions[leg.ball]]
                        .map(|part| placement.transform_point(part.truncate() * scale))
                });
                let parts =
                    [[Contacts::LEFT_HEEL, Contacts::LEFT_TOE], [Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE]];
                for (side, part) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let stands = |frame: usize| clip.contacts[frame].touches(parts[side][part]);
                    if let Some(before) = before.filter(|_| frame > 0 && stands(frame) && stands(frame - 1)) {
                        speeds.push(now[side][part].distance(before[side][part]) / FRAME_TIME);
                    }
                }
                before = Some(now);
            }
        }
        assert!(speeds.len() > 100, "{} frames", speeds.len());
        speeds.sort_by(f32::total_cmp);
        speeds[speeds.len() * 99 / 100]
    }

    #[test]
    fn feet_stand_on_bodies_of_any_size() {
        for tall in [1.0, 1.2, 1.4, 1.6, 1.75, 1.9, 2.0] {
            let fastest = sliding(tall);
            assert!(fastest < 0.01, "{tall} m: {fastest} m/s");
        }
    }
}
