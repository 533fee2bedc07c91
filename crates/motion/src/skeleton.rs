//! Joint hierarchies in their rest pose.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One joint of a skeleton, given in its parent's frame at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// The joint's name, unique in its skeleton.
    pub name: String,
    /// Index of the parent joint, always smaller than the joint's own; `None` for the root.
    pub parent: Option<u16>,
    /// Offset from the parent in metres; for the root, from the skeleton's origin.
    pub offset: Vec3,
    /// End of the bone for a joint without children (an end site), in metres from the joint.
    pub tip: Option<Vec3>,
}

/// A joint hierarchy: parents come before children and joint 0 is the root.
///
/// Axes are x forward, y left, z up; in the rest pose every joint's frame is parallel to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// Why a list of joints is not a skeleton.
#[derive(Debug, Error, PartialEq)]
pub enum SkeletonError {
    /// There is no joint at all.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// There are more joints than an index can name.
    #[error("a skeleton of {0} joints is too large; at most {max} are supported", max = Skeleton::MAX_JOINTS)]
    TooManyJoints(usize),
    /// A joint's parent does not come before it, or a second root was found.
    #[error("joint `{0}` has no parent before it; only the first joint may be a root")]
    BadParent(String),
    /// Two joints share a name.
    #[error("two joints are called `{0}`")]
    DuplicateName(String),
}

impl Skeleton {
    /// The largest number of joints a skeleton may have.
    pub const MAX_JOINTS: usize = 4096;

    /// Checks the hierarchy and makes a skeleton of it.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        if joints.len() > Self::MAX_JOINTS {
            return Err(SkeletonError::TooManyJoints(joints.len()));
        }
        let mut names = std::collections::HashSet::new();
        for (index, joint) in joints.iter().enumerate() {
            let in_order = match joint.parent {
                None => index == 0,
                Some(parent) => (parent as usize) < index,
            };
            if !in_order {
                return Err(SkeletonError::BadParent(joint.name.clone()));
            }
            if !names.insert(joint.name.as_str()) {
                return Err(SkeletonError::DuplicateName(joint.name.clone()));
            }
        }
        Ok(Self { joints })
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Always false: a skeleton has a root.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The index of the joint called `name`, ignoring case.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name.eq_ignore_ascii_case(name))
    }

    /// The index of a joint's parent.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.joints[joint].parent.map(usize::from)
    }

    /// The indices of a joint's children, in order.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        (joint + 1..self.len()).filter(move |&child| self.parent(child) == Some(joint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<u16>) -> Joint {
        Joint { name: name.into(), parent, offset: Vec3::ZERO, tip: None }
    }

    #[test]
    fn refuses_what_is_not_a_hierarchy() {
        assert_eq!(Skeleton::new(vec![]), Err(SkeletonError::Empty));
        let cyclic = vec![joint("a", None), joint("b", Some(2)), joint("c", Some(1))];
        assert_eq!(Skeleton::new(cyclic), Err(SkeletonError::BadParent("b".into())));
        let twins = vec![joint("a", None), joint("a", Some(0))];
        assert_eq!(Skeleton::new(twins), Err(SkeletonError::DuplicateName("a".into())));
    }

    #[test]
    fn finds_joints_by_name() {
        let skeleton = Skeleton::new(vec![joint("Hips", None), joint("Spine", Some(0))]).unwrap();
        assert_eq!(skeleton.find("spine"), Some(1));
        assert_eq!(skeleton.children(0).collect::<Vec<_>>(), [1]);
    }
}
