//! Numbers of a scene that differ from person to person.

use crate::build::Checker;
use crate::file::Range;
use crowdloom_crowd::Spread;
use schemars::JsonSchema;
use serde::Deserialize;

/// A number, `[least, most]`, or a distribution.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SpreadTable {
    /// The same for all.
    Fixed(f32),
    /// Between two numbers.
    Between(Range),
    /// A distribution.
    Drawn(Drawn),
}

/// A distribution.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(tag = "distribution", deny_unknown_fields, rename_all = "kebab-case")]
pub enum Drawn {
    /// All numbers between two are as likely.
    Uniform {
        /// The least.
        least: f32,
        /// The most.
        most: f32,
    },
    /// A normal distribution.
    Normal {
        /// The mean.
        mean: f32,
        /// The standard deviation.
        deviation: f32,
        /// The least [default: three deviations below the mean, and not below 0].
        least: Option<f32>,
        /// The most [default: three deviations above the mean].
        most: Option<f32>,
    },
    /// A log-normal distribution.
    Lognormal {
        /// The median.
        median: f32,
        /// The standard deviation of the logarithm.
        deviation: f32,
        /// The most [default: what one in a thousand exceeds].
        most: Option<f32>,
    },
    /// A gamma distribution.
    Gamma {
        /// The shape.
        shape: f32,
        /// The scale.
        scale: f32,
        /// The most [default: ten times the mean].
        most: Option<f32>,
    },
    /// A Weibull distribution.
    Weibull {
        /// The shape.
        shape: f32,
        /// The scale.
        scale: f32,
        /// The most [default: ten times the scale].
        most: Option<f32>,
    },
}

impl SpreadTable {
    /// What it means.
    pub fn spread(self) -> Spread {
        match self {
            Self::Fixed(number) => Spread::Fixed(number),
            Self::Between([least, most]) => Spread::Uniform { least, most },
            Self::Drawn(drawn) => match drawn {
                Drawn::Uniform { least, most } => Spread::Uniform { least, most },
                Drawn::Normal { mean, deviation, least, most } => Spread::Normal {
                    mean,
                    deviation,
                    least: least.unwrap_or((mean - 3.0 * deviation).max(0.0)),
                    most: most.unwrap_or(mean + 3.0 * deviation),
                },
                Drawn::Lognormal { median, deviation, most } => {
                    let most = most.unwrap_or(median * libm::expf(3.1 * deviation));
                    Spread::LogNormal { median, deviation, most }
                }
                Drawn::Gamma { shape, scale, most } => {
                    Spread::Gamma { shape, scale, most: most.unwrap_or(10.0 * shape * scale) }
                }
                Drawn::Weibull { shape, scale, most } => {
                    Spread::Weibull { shape, scale, most: most.unwrap_or(10.0 * scale) }
                }
            },
        }
    }
}

/// Reads a number that has to be between two bounds; mistakes go to the checker.
pub fn read_spread(
    table: SpreadTable,
    [least, most]: Range,
    what: &str,
    checker: &mut Checker<'_>,
) -> Option<Spread> {
    let spread = table.spread();
    let (from, to) = spread.bounds();
    if !spread.makes_sense() {
        let fix = "give a number, [least, most] or a distribution with positive parameters";
        checker.problem(None, format!("{what} from {from} to {to} makes no sense"), fix);
        return None;
    }
    if from < least || to > most {
        let what = format!("{what} from {from} to {to} is not possible");
        checker.problem(None, what, format!("between {least} and {most}"));
        return None;
    }
    Some(spread)
}
