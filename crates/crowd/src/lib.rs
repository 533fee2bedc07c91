//! Who does what next: agents, movers, behaviour functions and situations.
//!
//! Metres, seconds, radians; time is a frame number at 30 frames/s. Same seed, same bits, on any number of threads.

pub mod grid;
pub mod random;
