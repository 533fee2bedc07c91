//! The ground of a crowd: where people can be, and how they get from one place to another.
//!
//! Metres, a flat x-y plane; this layer knows nothing of motion or of crowds.
