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

    /// The placement that the whole clip adds: its last frame as seen from its first.
    pub fn displacement(&self) -> Placement {
        self.track.last().copied().unwrap_or_default()
    }

    /// Whether the clip carries `label`.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.iter().any(|own| own == label)
    }
}
