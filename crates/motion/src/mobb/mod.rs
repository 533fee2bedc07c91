//! Collision tests of whole motions with MOBB trees (thesis chapter 4).
//!
//! A motion is reduced to one disc for each frame ([`DiscTrack`]); a [`MotionTree`] bounds it with boxes in space-time;
//! [`Placed`] motions are tested against each other with a yes or no for an answer.

mod anchor;
mod box2;
mod box3;
mod query;
mod samples;
mod tally;
#[cfg(test)]
mod tests;
mod track;
mod tree;

pub use anchor::Anchor;
pub use query::{Method, Placed};
pub use tally::{Tally, Work};
pub use track::{Disc, DiscTrack, TrackError};
pub use tree::MotionTree;
