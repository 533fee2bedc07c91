//! What crowds of every kind build on.
//!
//! [`grid`] finds neighbours, [`random`] draws numbers that are keyed by who asks when for what, so that no result depends
//! on the order of asking; [`labels`] are sets of what clips show, a [`MovingDisc`] is how people see each other, a [`Mover`]
//! is what moves a person, and a [`Spread`] is a number that differs from person to
//! person.

pub mod grid;
pub mod labels;
mod mover;
mod moving_disc;
pub mod random;
mod spread;

pub use mover::Mover;
pub use moving_disc::MovingDisc;
pub use spread::Spread;
