//! How a body moves: skeletons, clips, motion graphs and collision trees of motions.
//!
//! Units are metres, seconds and radians. Space is z up, a body faces +x at heading 0 and its left is +y.
//! This layer knows nothing of the world or of crowds.

pub mod body;
pub mod breath;
pub mod builtin;
mod clip;
pub mod contacts;
pub mod container;
pub mod draft;
pub mod feet;
pub mod gltf_parts;
pub mod graph;
pub mod ik;
pub mod import;
mod library;
pub mod limits;
mod mirror;
pub mod mobb;
mod placement;
mod pose;
pub mod quality;
mod radius;
pub mod retarget;
mod skeleton;
pub mod stance;
pub mod styles;

pub use clip::{Clip, Contacts, Ends, FRAME_RATE, FRAME_TIME};
pub use library::Library;
pub use placement::{Placement, wrap_angle};
pub use pose::{JointFrames, Pose, heading_of};
pub use quality::heel_offset;
pub use radius::measure_radii;
pub use skeleton::{Joint, Skeleton, SkeletonError};
