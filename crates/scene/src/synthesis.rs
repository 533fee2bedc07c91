//! The table `[synthesis]`: the numbers with which planned motions are searched for (Sung, Kovar and Gleicher 2005).

use crowdloom_synthesis::{Options, Routes, Weights};
use schemars::JsonSchema;
use serde::Deserialize;

/// How motions that meet constraints are searched for; what is not given is as published, or ours where said so.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Synthesis {
    /// ε: the largest adjustment in metres for each second of motion [default: 0.02].
    pub tolerance: Option<f32>,
    /// ε′: the largest adjustment of a motion altogether, in metres [default: none].
    pub total_tolerance: Option<f32>,
    /// n_m: pairs of motions made in one iteration [default: 200].
    pub pairs: Option<usize>,
    /// k_m: pairs kept from one iteration to the next [default: 30].
    pub kept: Option<usize>,
    /// N_max: iterations for a goal after which the search gives up [default: 1000].
    pub iterations: Option<usize>,
    /// 1/α₁: degrees of heading that are worth a centimetre [default: 1].
    pub degrees_per_centimetre: Option<f32>,
    /// 1/α₂: seconds that are worth a centimetre [default: 1/40].
    pub seconds_per_centimetre: Option<f32>,
    /// How often all replacements of two clips are tried before the random search (ours); 0 is as published [default: 4].
    pub polishing: Option<usize>,
    /// Whether people may wait before they set out (ours) [default: true].
    pub waiting: Option<bool>,
    /// Whether people keep off each other's limbs, too, wherever there is a way of doing so (ours) [default: true].
    pub limbs: Option<bool>,
    /// How ways are found: on a navigation mesh, or along a probabilistic roadmap, as published.
    #[serde(default)]
    pub routes: RoutesTable,
}

/// How ways are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoutesTable {
    /// The shortest way.
    #[default]
    Mesh,
    /// Along a roadmap.
    Roadmap,
}

impl Synthesis {
    /// These numbers as the planner takes them.
    pub(crate) fn options(&self) -> Options {
        let usual = Options::default();
        let per_radian = |degrees: f32| 0.01 / degrees.to_radians();
        Options {
            tolerance: self.tolerance.unwrap_or(usual.tolerance),
            total_tolerance: self.total_tolerance.or(usual.total_tolerance),
            pairs: self.pairs.unwrap_or(usual.pairs),
            kept: self.kept.unwrap_or(usual.kept),
            iterations: self.iterations.unwrap_or(usual.iterations),
            polishing: self.polishing.unwrap_or(usual.polishing),
            waiting: self.waiting.unwrap_or(usual.waiting),
            limbs: self.limbs.unwrap_or(usual.limbs),
            weights: Weights {
                metres_per_radian: self
                    .degrees_per_centimetre
                    .map_or(usual.weights.metres_per_radian, per_radian),
                metres_per_second: self
                    .seconds_per_centimetre
                    .map_or(usual.weights.metres_per_second, |seconds| 0.01 / seconds),
            },
            routes: match self.routes {
                RoutesTable::Mesh => Routes::Mesh,
                RoutesTable::Roadmap => Routes::Roadmap,
            },
            ..usual
        }
    }
}
