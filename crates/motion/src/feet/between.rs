//! Feet between two frames of a clip stay where they stand in both: joints that turn evenly from one frame to the next swing feet a
//! little off the straight line, and a root that turns while it goes does as well.
//!
//! Clips that are played a little faster or slower than they were made are shown between their frames most of the time.

use super::Stance;
use super::held::Leg;
use crate::ik::SoftLimit;
use crate::{Clip, JointFrames, Placement, Skeleton};
use glam::{Quat, Vec3};

/// Nearer to a frame than this share of the way, a pose is the frame's.
const AT_FRAME: f32 = 0.01;
/// Legs of both frames are straighter than this only where they are so themselves.
const LIMIT: SoftLimit = SoftLimit { from: 0.9999, to: 0.99999 };
/// Corrections below this, in metres, are none.
const LEAST: f32 = 2e-5;
/// Corrections above this, in metres, are not for feet that stand.
const MOST: f32 = 0.03;

/// Holds feet between frames, for bodies of one skeleton.
#[derive(Clone, Debug)]
pub struct FeetBetween {
    skeleton: Skeleton,
    legs: Vec<Leg>,
}

impl FeetBetween {
    /// For bodies of a skeleton; where its legs are not known, nothing is held.
    pub fn of(skeleton: &Skeleton) -> Self {
        Self { skeleton: skeleton.clone(), legs: Leg::all_of(skeleton) }
    }

    /// Changes a pose which shows a clip at a moment, counted in frames from its start, so that heels and balls which touch the ground
    /// in both frames beside it are on the way from one to the other; `height` is the root's in metres.
    pub fn hold(&self, clip: &Clip, moment: f32, height: f32, rotations: &mut [Quat]) {
        let (before, after, part) = clip.around(moment);
        let stands =
            |frame: usize, leg: &Leg| leg.points.map(|(.., flag)| clip.contacts[frame].touches(flag));
        let both = |leg: &Leg| {
            let (a, b) = (stands(before, leg), stands(after, leg));
            [a[0] && b[0], a[1] && b[1]]
        };
        let held: Vec<(&Leg, [bool; 2])> = self.legs.iter().map(|leg| (leg, both(leg))).collect();
        if !(AT_FRAME..=1.0 - AT_FRAME).contains(&part) || held.iter().all(|(_, parts)| *parts == [false; 2])
        {
            return;
        }
        let ends = [before, after].map(|frame| clip.joints(&self.skeleton, frame, Placement::IDENTITY));
        let mut joints = JointFrames::default();
        let mut stance =
            Stance::new(&self.skeleton, &mut joints, (clip.placement_at(moment), height), rotations);
        for (leg, parts) in held {
            let (mut off, mut count) = (Vec3::ZERO, 0.0);
            for (point, _) in leg.points.iter().zip(parts).filter(|(_, held)| *held) {
                let there =
                    |joints: &JointFrames| joints.positions[point.0] + joints.orientations[point.0] * point.1;
                off += there(&ends[0]).lerp(there(&ends[1]), part) - there(stance.joints);
                count += 1.0;
            }
            off /= f32::max(count, 1.0);
            if (LEAST..MOST).contains(&off.length()) {
                let target = stance.joints.positions[leg.limb.end] + off;
                stance.put(leg.limb, target, LIMIT);
            }
        }
        stance.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FRAME_RATE, builtin};
    use glam::Vec2;

    /// How fast feet in contact move that show walks and turns a tenth faster than they are, in metres a second: the fastest of 99 %.
    fn sliding(holds: bool) -> f32 {
        let library = builtin::library();
        let skeleton = &library.skeleton;
        let feet = FeetBetween::of(skeleton);
        let clips = library.clips.iter().filter(|clip| clip.has_label("walk") || clip.has_label("turn"));
        let mut speeds = Vec::new();
        for clip in clips.step_by(3) {
            let mut last: Option<(Vec<[Vec2; 2]>, usize)> = None;
            for frame in 0..((clip.frames() - 1) as f32 / 1.1) as usize {
                let moment = frame as f32 * 1.1;
                let mut pose = clip.sample(moment);
                if holds {
                    feet.hold(clip, moment, pose.root_height, &mut pose.rotations);
                }
                let joints = pose.joints(skeleton, clip.placement_at(moment));
                let place = |leg: &Leg| {
                    leg.points.map(|(joint, offset, _)| {
                        (joints.positions[joint] + joints.orientations[joint] * offset).truncate()
                    })
                };
                let now: Vec<[Vec2; 2]> = feet.legs.iter().map(place).collect();
                let (from, to) = (last.as_ref().map_or(0, |last| last.1), moment.ceil() as usize);
                if let Some((before, _)) = &last {
                    for (leg, (own, old)) in feet.legs.iter().zip(now.iter().zip(before)) {
                        for part in 0..2 {
                            if (from..=to).all(|frame| clip.contacts[frame].touches(leg.points[part].2)) {
                                speeds.push(own[part].distance(old[part]) * FRAME_RATE);
                            }
                        }
                    }
                }
                last = Some((now, moment as usize));
            }
        }
        assert!(speeds.len() > 3000, "{} moments", speeds.len());
        speeds.sort_by(f32::total_cmp);
        speeds[speeds.len() * 99 / 100]
    }

    #[test]
    fn feet_stand_while_clips_are_played_faster_than_they_are() {
        let (loose, held) = (sliding(false), sliding(true));
        assert!(held < 0.002 && held < 0.3 * loose, "{held} m/s held, {loose} m/s else");
    }
}
