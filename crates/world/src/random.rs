//! Random numbers that depend on a seed and a counter only.

/// A stream of random numbers: the same seed and purpose give the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Stream {
    key: u64,
    counter: u64,
}

/// The odd constant nearest to 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every input bit stirs every output bit.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Stream {
    /// The stream of `seed` for one `purpose`; different purposes give unrelated numbers.
    pub fn new(seed: u64, purpose: u64) -> Self {
        Self { key: mix(seed ^ mix(purpose.wrapping_add(GOLDEN))), counter: 0 }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        mix(self.key.wrapping_add(self.counter.wrapping_mul(GOLDEN)))
    }

    /// The next number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// The next whole number below `count`; 0 when `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, purpose| {
            let mut stream = Stream::new(seed, purpose);
            [stream.bits(), stream.bits(), stream.bits()]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 1));
        assert_ne!(draw(1, 2), draw(1, 3));
    }

    #[test]
    fn units_fill_the_interval_evenly() {
        let mut stream = Stream::new(7, 0);
        let mut counts = [0usize; 10];
        for _ in 0..10_000 {
            counts[(stream.unit() * 10.0) as usize] += 1;
            assert!(stream.below(3) < 3);
        }
        assert!(counts.iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
    }
}
