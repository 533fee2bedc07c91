//! Motion as a file holds it: the file's own units, axes and frame rate, in double precision.

use glam::{DQuat, DVec3};

/// The most joints that a captured skeleton may have.
pub const MAX_JOINTS: usize = crate::Skeleton::MAX_JOINTS;

/// A joint of a captured skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureJoint {
    /// The joint's name, unique in its file.
    pub name: String,
    /// Index of the parent, smaller than the joint's own; `None` for the root.
    pub parent: Option<usize>,
    /// Offset from the parent in file units.
    pub offset: DVec3,
    /// End of the bone from the joint in file units, where the file gives one.
    pub tip: Option<DVec3>,
}

/// A motion as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Joints, parents first; the first is the root.
    pub joints: Vec<CaptureJoint>,
    /// Seconds between frames, where the file says.
    pub frame_time: Option<f64>,
    /// Position of the root in each frame, in file units.
    pub root_positions: Vec<DVec3>,
    /// Local joint rotations, frame after frame.
    pub rotations: Vec<DQuat>,
    /// What the reader had to ignore or settle, one sentence each.
    pub notes: Vec<String>,
}

impl Capture {
    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.root_positions.len()
    }

    /// The local joint rotations of one frame.
    pub fn frame_rotations(&self, frame: usize) -> &[DQuat] {
        let joints = self.joints.len();
        &self.rotations[frame * joints..(frame + 1) * joints]
    }

    /// Positions of all joints in one frame, in file units.
    pub fn joint_positions(&self, frame: usize) -> Vec<DVec3> {
        let mut positions: Vec<DVec3> = Vec::with_capacity(self.joints.len());
        let mut orientations: Vec<DQuat> = Vec::with_capacity(self.joints.len());
        for (joint, &rotation) in self.joints.iter().zip(self.frame_rotations(frame)) {
            let (position, orientation) = match joint.parent {
                None => (self.root_positions[frame], rotation),
                Some(parent) => {
                    let turn = orientations[parent];
                    (positions[parent] + turn * joint.offset, turn * rotation)
                }
            };
            positions.push(position);
            orientations.push(orientation);
        }
        positions
    }

    /// The index of the joint called `name`, ignoring case.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name.eq_ignore_ascii_case(name))
    }
}

/// One of the three axes of a file's coordinate system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl Axis {
    /// The axis that a letter names.
    pub fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'x' => Some(Self::X),
            'y' => Some(Self::Y),
            'z' => Some(Self::Z),
            _ => None,
        }
    }

    /// The rotation by `degrees` about this axis.
    pub fn rotation(self, degrees: f64) -> DQuat {
        let radians = degrees.to_radians();
        match self {
            Self::X => DQuat::from_rotation_x(radians),
            Self::Y => DQuat::from_rotation_y(radians),
            Self::Z => DQuat::from_rotation_z(radians),
        }
    }
}
