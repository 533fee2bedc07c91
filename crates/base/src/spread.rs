//! How something differs from person to person: a number, a range or a distribution.

use crate::random::Random;
use crowdloom_motion::FRAME_RATE;
use serde::{Deserialize, Serialize};

/// A number that is drawn for everybody anew.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Spread {
    /// The same for all.
    Fixed(f32),
    /// Any number between two, all of them as likely.
    Uniform {
        /// The least.
        least: f32,
        /// The most.
        most: f32,
    },
    /// Normally distributed, and never beyond the bounds.
    Normal {
        /// The mean.
        mean: f32,
        /// The standard deviation.
        deviation: f32,
        /// The least.
        least: f32,
        /// The most.
        most: f32,
    },
    /// Its logarithm is normally distributed.
    LogNormal {
        /// The median.
        median: f32,
        /// The standard deviation of the logarithm.
        deviation: f32,
        /// The most.
        most: f32,
    },
    /// A gamma distribution.
    Gamma {
        /// The shape k.
        shape: f32,
        /// The scale θ.
        scale: f32,
        /// The most.
        most: f32,
    },
    /// A Weibull distribution.
    Weibull {
        /// The shape k.
        shape: f32,
        /// The scale λ.
        scale: f32,
        /// The most.
        most: f32,
    },
}

/// How often a number beyond its bounds is drawn again before it is taken to the nearer bound.
const REDRAWS: usize = 20;

impl Spread {
    /// Whether it is zero for everybody.
    pub fn is_nothing(&self) -> bool {
        matches!(*self, Self::Fixed(0.0) | Self::Uniform { least: 0.0, most: 0.0 })
    }

    /// Draws a number.
    pub fn draw(&self, random: &mut Random) -> f32 {
        match *self {
            Self::Fixed(number) => number,
            Self::Uniform { least, most } => random.between(least, most.max(least)),
            Self::Normal { mean, deviation, least, most } => {
                let mut draw = || mean + deviation * random.normal();
                let within = (0..REDRAWS).map(|_| draw()).find(|number| (least..=most).contains(number));
                within.unwrap_or_else(|| mean.clamp(least, most.max(least)))
            }
            Self::LogNormal { median, deviation, most } => {
                (median * libm::expf(deviation * random.normal())).min(most)
            }
            Self::Gamma { shape, scale, most } => (scale * gamma(shape, random)).min(most),
            Self::Weibull { shape, scale, most } => {
                (scale * libm::powf(-libm::logf(1.0 - random.unit()), 1.0 / shape)).min(most)
            }
        }
    }

    /// Draws a time in seconds; returns it in frames, at least one.
    pub fn draw_frames(&self, random: &mut Random) -> u32 {
        (self.draw(random) * FRAME_RATE).max(1.0) as u32
    }

    /// The least and the most that can be drawn.
    pub fn bounds(&self) -> (f32, f32) {
        match *self {
            Self::Fixed(number) => (number, number),
            Self::Uniform { least, most } | Self::Normal { least, most, .. } => (least, most),
            Self::LogNormal { most, .. } | Self::Gamma { most, .. } | Self::Weibull { most, .. } => {
                (0.0, most)
            }
        }
    }

    /// Whether all its numbers are finite and in order.
    pub fn makes_sense(&self) -> bool {
        let (least, most) = self.bounds();
        let positive = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite() && *number > 0.0);
        let shaped = match *self {
            Self::Fixed(_) | Self::Uniform { .. } => true,
            Self::Normal { mean, deviation, .. } => {
                mean.is_finite() && deviation.is_finite() && deviation >= 0.0
            }
            Self::LogNormal { median, deviation, .. } => positive(&[median]) && deviation >= 0.0,
            Self::Gamma { shape, scale, .. } | Self::Weibull { shape, scale, .. } => {
                positive(&[shape, scale])
            }
        };
        shaped && least.is_finite() && most.is_finite() && least <= most
    }
}

/// A gamma distributed number of scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f32, random: &mut Random) -> f32 {
    if shape < 1.0 {
        return gamma(shape + 1.0, random) * libm::powf(1.0 - random.unit(), 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = random.normal();
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        let u = 1.0 - random.unit();
        if libm::logf(u) < 0.5 * x * x + d - d * v + d * libm::logf(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    fn mean(spread: Spread) -> f64 {
        let mut random = Random::new(3, 1, 4, Purpose(1));
        (0..40_000).map(|_| f64::from(spread.draw(&mut random))).sum::<f64>() / 40_000.0
    }

    #[test]
    fn means_are_those_of_the_distributions() {
        let near = |spread: Spread, wanted: f64| {
            let mean = mean(spread);
            assert!((mean - wanted).abs() < 0.02 * wanted, "{spread:?}: {mean}, not {wanted}");
        };
        near(Spread::Fixed(2.0), 2.0);
        near(Spread::Uniform { least: 1.0, most: 2.0 }, 1.5);
        near(Spread::Normal { mean: 1.34, deviation: 0.26, least: 0.5, most: 2.2 }, 1.34);
        near(Spread::LogNormal { median: 1.0, deviation: 0.5, most: 1e6 }, libm::exp(0.125));
        near(Spread::Gamma { shape: 2.5, scale: 2.0, most: 1e6 }, 5.0);
        near(Spread::Gamma { shape: 0.5, scale: 2.0, most: 1e6 }, 1.0);
        near(Spread::Weibull { shape: 1.0, scale: 3.0, most: 1e6 }, 3.0);
    }

    #[test]
    fn bounds_hold() {
        let spread = Spread::Normal { mean: 1.0, deviation: 5.0, least: 0.9, most: 1.1 };
        let mut random = Random::new(1, 1, 1, Purpose(1));
        assert!((0..1000).all(|_| (0.9..=1.1).contains(&spread.draw(&mut random))));
        assert!(!Spread::Uniform { least: 2.0, most: 1.0 }.makes_sense());
        assert!(!Spread::Gamma { shape: 0.0, scale: 1.0, most: 5.0 }.makes_sense());
    }
}
