//! Random numbers that depend on a key and a counter alone.

/// A stream of random numbers: the same key gives the same numbers everywhere.
pub struct Draws {
    key: u64,
    counter: u64,
}

impl Draws {
    /// The stream for `key`.
    pub fn new(key: u64) -> Self {
        Self { key: mix(key), counter: 0 }
    }

    /// 64 random bits (the SplitMix64 finaliser over key and counter).
    fn bits(&mut self) -> u64 {
        self.counter += 1;
        mix(self.key.wrapping_add(self.counter.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let unit = (self.bits() >> 40) as f32 / (1u32 << 24) as f32;
        low + (high - low) * unit
    }

    /// A whole number in 0..count, where `count` is small.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
