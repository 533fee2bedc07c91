//! Stretches of skeletal motion at 30 frames a second.

use crate::{JointFrames, Placement, Pose, Skeleton};
use glam::Quat;
use serde::{Deserialize, Serialize};

/// Frames in a second, for every clip and every simulation.
pub const FRAME_RATE: f32 = 30.0;

/// Seconds from one frame to the next.
pub const FRAME_TIME: f32 = 1.0 / FRAME_RATE;

/// Which parts of the feet bear weight in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contacts(pub u8);

impl Contacts {
    /// The left heel is on the ground.
    pub const LEFT_HEEL: Self = Self(1);
    /// The left ball or toe is on the ground.
    pub const LEFT_TOE: Self = Self(2);
    /// The right heel is on the ground.
    pub const RIGHT_HEEL: Self = Self(4);
    /// The right ball or toe is on the ground.
    pub const RIGHT_TOE: Self = Self(8);
    /// Any part of the left foot.
    pub const LEFT: Self = Self(3);
    /// Any part of the right foot.
    pub const RIGHT: Self = Self(12);

    /// Whether any part named in `parts` is on the ground.
    pub fn touches(self, parts: Self) -> bool {
        self.0 & parts.0 != 0
    }

    /// Both sets of contacts together.
    pub fn with(self, parts: Self) -> Self {
        Self(self.0 | parts.0)
    }

    /// Those of the left foot alone.
    pub fn of_left(self) -> Self {
        Self(self.0 & Self::LEFT.0)
    }

    /// The same contacts with left and right exchanged.
    pub fn mirrored(self) -> Self {
        Self((self.0 & 3) << 2 | self.0 >> 2)
    }
}

/// The names of the graph nodes (common poses) that a clip starts and ends in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// The node whose pose and velocity the first frame has.
    pub from: String,
    /// The node whose pose and velocity the last frame has.
    pub to: String,
}

/// A stretch of motion, stored relative to the placement of its own first frame.
///
/// Frame 0 stands at the identity placement. A clip of `n` frames lasts `n - 1` frame times: played one after
/// another, the last frame of one clip is the first frame of the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    /// The clip's name, unique in its library.
    pub name: String,
    /// What the clip shows (walk, run, carry, sit …), so that a mover can stay inside a sub-graph.
    pub labels: Vec<String>,
    /// The graph nodes that the clip joins, where they are known.
    pub ends: Option<Ends>,
    /// Ground placement of the root in each frame.
    pub track: Vec<Placement>,
    /// Height of the root joint in each frame, in metres.
    pub root_heights: Vec<f32>,
    /// Joint rotations, frame after frame; the root's has its heading removed.
    pub rotations: Vec<Quat>,
    /// Foot contacts in each frame.
    pub contacts: Vec<Contacts>,
    /// Radius in each frame, in metres, of the vertical cylinder around the root that holds the body.
    pub radii: Vec<f32>,
}

impl Clip {
    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.track.len()
    }

    /// Seconds from the first frame to the last.
    pub fn seconds(&self) -> f32 {
        self.frames().saturating_sub(1) as f32 * FRAME_TIME
    }

    /// The number of joints each frame holds.
    pub fn joint_count(&self) -> usize {
        self.rotations.len().checked_div(self.frames()).unwrap_or(0)
    }

    /// The joint rotations of one frame.
    pub fn frame_rotations(&self, frame: usize) -> &[Quat] {
        let joints = self.joint_count();
        &self.rotations[frame * joints..(frame + 1) * joints]
    }

    /// The body's configuration in one frame.
    pub fn pose(&self, frame: usize) -> Pose {
        Pose { root_height: self.root_heights[frame], rotations: self.frame_rotations(frame).to_vec() }
    }

    /// Where the joints are in one frame of the clip, when the clip starts at `start`.
    pub fn joints(&self, skeleton: &Skeleton, frame: usize, start: Placement) -> JointFrames {
        self.pose(frame).joints(skeleton, start.then(self.track[frame]))
    }

    /// The frames on both sides of a moment, which is counted in frames from the start, and how far it is between them.
    pub(crate) fn around(&self, moment: f32) -> (usize, usize, f32) {
        let last = self.frames() - 1;
        let moment = moment.clamp(0.0, last as f32);
        let before = moment as usize;
        (before, (before + 1).min(last), moment - before as f32)
    }

    /// Where the body is at a moment between two frames, counted in frames from the start.
    pub fn placement_at(&self, moment: f32) -> Placement {
        let (before, after, part) = self.around(moment);
        self.track[before].lerp(self.track[after], part)
    }

    /// The pose at a moment between two frames, counted in frames from the start.
    pub fn sample(&self, moment: f32) -> Pose {
        let mut rotations = Vec::new();
        let root_height = self.sample_into(moment, &mut rotations);
        Pose { root_height, rotations }
    }

    /// The same into `rotations`, which is added to; returns the root's height in metres.
    pub fn sample_into(&self, moment: f32, rotations: &mut Vec<Quat>) -> f32 {
        let (before, after, part) = self.around(moment);
        let pairs = self.frame_rotations(before).iter().zip(self.frame_rotations(after));
        // Frames are near each other: straight interpolation is as good as round, and quicker.
        rotations.extend(pairs.map(|(&a, &b)| if part == 0.0 { a } else { a.lerp(b, part) }));
        self.root_heights[before] + (self.root_heights[after] - self.root_heights[before]) * part
    }

    /// The placement that the whole clip adds: its last frame as seen from its first.
    pub fn displacement(&self) -> Placement {
        self.track.last().copied().unwrap_or_default()
    }

    /// Whether the clip carries `label`.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.iter().any(|own| own == label)
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin;

    #[test]
    fn a_moment_between_two_frames_is_between_their_poses() {
        let library = builtin::library();
        let clip = library.clips.iter().find(|clip| clip.displacement().position.x > 1.0).unwrap();
        let last = clip.frames() - 1;
        for frame in 0..last {
            assert_eq!(clip.sample(frame as f32), clip.pose(frame));
            let (middle, before, after) =
                (clip.sample(frame as f32 + 0.5), clip.pose(frame), clip.pose(frame + 1));
            let mean = 0.5 * (before.root_height + after.root_height);
            assert!((middle.root_height - mean).abs() < 1e-6);
            for (joint, rotation) in middle.rotations.iter().enumerate() {
                let round = before.rotations[joint].slerp(after.rotations[joint], 0.5);
                assert!(rotation.dot(round).abs() > 1.0 - 1e-6);
            }
            let way = clip.placement_at(frame as f32 + 0.5).position;
            let mean = (clip.track[frame].position + clip.track[frame + 1].position) * 0.5;
            assert!(way.distance(mean) < 1e-6);
        }
        // Outside the clip its ends hold.
        assert_eq!(clip.sample(-3.0), clip.pose(0));
        assert_eq!(clip.sample(1e9), clip.pose(last));
        assert_eq!(clip.placement_at(1e9), clip.displacement());
    }
}
