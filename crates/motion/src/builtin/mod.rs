//! A library of human motion that needs no files: a body of normal proportions, moved by published gait curves,
//! inverse kinematics and key poses.
//!
//! Clips join at nodes (`stand`, `walk`, `run`, `sit` …): all that start or end in one share its pose and velocity.

mod body;
mod carry;
mod curve;
mod fall;
mod fight;
mod gait;
mod keys;
mod locomotion;
mod seat;
mod social;
mod solve;
mod stand;
mod steps;
mod styles;
mod subject;
mod travel;
mod waiting;

pub use subject::{SUBJECTS, subject_cycle};

use crate::{Clip, Library};
use rayon::prelude::*;

/// A clip in the making.
struct Piece(Clip);

impl Piece {
    fn perform(score: &solve::Score) -> Self {
        thread_local! {
            static SKELETONS: (crate::Skeleton, crate::Skeleton) = (body::hanging_skeleton(), body::rest_skeleton());
        }
        SKELETONS.with(|(hanging, rest)| Self(solve::perform(hanging, rest, score)))
    }
}

/// Something that makes a piece when asked.
type Maker = Box<dyn Fn() -> Piece + Send + Sync>;

/// The part of the built-in library in which people stand about and go nowhere: made in a moment.
pub fn standing() -> Library {
    let mut makers: Vec<Maker> = Vec::new();
    waiting::add(&mut makers);
    let clips = makers.par_iter().map(|make| make().0).collect();
    Library { skeleton: body::rest_skeleton(), clips }
}

/// The built-in library: the same, bit for bit, each time.
pub fn library() -> Library {
    let mut makers: Vec<Maker> = Vec::new();
    waiting::add(&mut makers);
    locomotion::add(&mut makers);
    seat::add(&mut makers);
    carry::add(&mut makers);
    social::add(&mut makers);
    fight::add(&mut makers);
    fall::add(&mut makers);
    styles::add(&mut makers);
    let mut clips: Vec<Clip> = makers.par_iter().map(|make| make().0).collect();
    clips.extend(steps::clips());
    Library { skeleton: body::rest_skeleton(), clips }
}
