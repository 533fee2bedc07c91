//! Cell Marking: motion capture in the planning step (Brunner 2014, chapters 3 and 4).
//!
//! Each agent plans one second of captured motion and a stop after it. RVO tells it how it would like to move; the
//! choice function scores every segment that its body can go over to; the best one that nobody has promised to be in
//! the way of is taken; where none is free the agent carries out the stop that it has promised before. A promise ends
//! in standing still for ever, so nobody ever walks into anybody.
//!
//! [`CellCrowd`] is such a crowd by itself, for comparisons; in a crowd with everybody else people do the same with promises
//! in its ledger.
//!
//! The source lets agents decide when their second is over, and then once more when they stand. Here they decide from
//! the middle of the second on where others are near or kept them from their first choice, and on the way to a stop:
//! what they hold free for stopping they seldom walk into.

mod book;
mod cells;
mod choice;
mod cloud;
mod crowd;
mod discs;
mod marking;
mod markings;
mod overlay;
mod plan;
mod playing;
mod stretch;
mod wish;

pub use book::{CutShort, SegmentBook, SegmentError, SegmentId, SegmentOptions, StateId, Transition, Window};
pub use cells::CellGrid;
pub use choice::{Ranked, Wish};
pub use crowd::{CellCrowd, Joiner, Options};
pub use discs::DiscTracks;
pub use marking::Marking;
pub use markings::{Markings, OwnNumber};
pub use overlay::Overlay;
pub use plan::{PLAN_FRAMES, Promises, SEGMENT_FRAMES, STOP_FRAMES};
pub use playing::{Playing, Shown};
pub use wish::{DETOUR, LOSES_DIRECTION, Seen};
