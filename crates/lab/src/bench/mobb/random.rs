//! Random numbers for workloads.

use crowdloom_world::Stream;

/// A stream of random numbers: the same key gives the same numbers everywhere.
pub struct Draws(Stream);

impl Draws {
    /// The stream for `key`.
    pub fn new(key: u64) -> Self {
        Self(Stream::new(key, 0))
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.0.unit() as f32
    }

    /// A whole number in 0..count.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }
}
