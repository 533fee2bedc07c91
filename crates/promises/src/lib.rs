//! Where people have promised to be, and the one ledger that keeps all promises apart.
//!
//! A [`commitment::Commitment`] is a move and its way to rest, then standing for ever; [`moves`] are what it is made of:
//! every action of a motion graph at a few speeds, moves planned for one occasion, and segments of captured motion.
//! [`ledger::Ledger`] has everybody's; whoever wants to be somewhere asks it.

pub mod commitment;
pub mod lanes;
pub mod ledger;
pub mod moves;
mod one_move;
mod places;
mod segment_moves;

pub use segment_moves::{DiscSize, Layers, SegmentMoves};
