//! Random numbers that depend on nothing but who asks, when and what for.
//!
//! There is no generator state to share: a number is a hash of (seed, agent, frame, purpose), so the order and the
//! thread in which agents decide cannot change it.

use crowdloom_world::Stream;

/// What a random number is drawn for; two purposes never share a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose(pub u32);

impl Purpose {
    /// Which action comes next.
    pub const DECISION: Self = Self(1);
    /// What a new agent is like.
    pub const BIRTH: Self = Self(2);
    /// When a new agent decides for the first time.
    pub const FIRST_DECISION: Self = Self(3);
    /// What somebody has been doing when the clock starts.
    pub const WARM_UP: Self = Self(4);
    /// Which motion style comes next.
    pub const STYLE: Self = Self(0x571e);
    /// What a velocity mover draws.
    pub const STEERING: Self = Self(0x57ee);
    /// How somebody who plans captured motion chooses.
    pub const MARKING: Self = Self(0xce11);
}

/// A stream of numbers for one agent at one moment and purpose.
#[derive(Clone, Debug)]
pub struct Random {
    stream: Stream,
}

impl Random {
    /// The stream of `agent` at `frame` for `purpose`.
    pub fn new(seed: u64, agent: u32, frame: u32, purpose: Purpose) -> Self {
        let moment = u64::from(agent) << 32 | u64::from(frame);
        Self { stream: Stream::new(Stream::new(seed, moment).bits(), u64::from(purpose.0)) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.stream.bits()
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
    }

    /// A number in [`low`, `high`).
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `count`, which must not be zero.
    pub fn below(&mut self, count: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(count)) >> 32) as u32
    }

    /// A normally distributed number with mean 0 and deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * libm::logf(1.0 - self.unit())).sqrt();
        radius * libm::cosf(std::f32::consts::TAU * self.unit())
    }

    /// An index drawn in proportion to the options' weights; `None` where they add up to nothing.
    pub fn weighted<T>(&mut self, options: &[T], weight: impl Fn(&T) -> f32) -> Option<usize> {
        let total: f32 = options.iter().map(&weight).sum();
        let mut left = self.unit() * total;
        let last = options.iter().rposition(|option| weight(option) > 0.0)?;
        for (index, option) in options.iter().enumerate() {
            let weight = weight(option);
            if weight > 0.0 && (left < weight || index == last) {
                return Some(index);
            }
            left -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |agent, frame, purpose| Random::new(7, agent, frame, Purpose(purpose)).bits();
        assert_eq!(draw(1, 2, 3), draw(1, 2, 3));
        assert_ne!(draw(1, 2, 3), draw(2, 1, 3));
        assert_ne!(draw(1, 2, 3), draw(1, 2, 4));
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let mut random = Random::new(1, 0, 0, Purpose(0));
        let (mut sum, mut squares) = (0.0f64, 0.0f64);
        for _ in 0..100_000 {
            let number = f64::from(random.normal());
            sum += number;
            squares += number * number;
        }
        assert!((sum / 1e5).abs() < 0.02 && (squares / 1e5 - 1.0).abs() < 0.03);
        let thirds = (0..9000).filter(|_| random.below(3) == 1).count();
        assert!((2800..3200).contains(&thirds), "{thirds}");
    }

    #[test]
    fn weights_are_respected() {
        let mut random = Random::new(1, 0, 0, Purpose(0));
        let picks =
            (0..4000).filter(|_| random.weighted(&[0.0, 1.0, 3.0, 0.0], |weight| *weight) == Some(2)).count();
        assert!((2850..3150).contains(&picks), "{picks}");
        assert_eq!(random.weighted(&[0.0, 0.0], |weight| *weight), None);
        assert_eq!(random.weighted(&[], |weight: &f32| *weight), None);
    }
}
