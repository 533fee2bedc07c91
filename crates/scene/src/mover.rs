//! What may move people besides motion graphs.

use crowdloom_crowd::velocity::Model;
use schemars::JsonSchema;
use serde::Deserialize;

/// The velocity movers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mover {
    /// Sampled reciprocal velocity obstacles.
    Rvo,
    /// Optimal reciprocal collision avoidance.
    #[default]
    Orca,
    /// Social forces.
    SocialForce,
    /// Flocking.
    Boids,
    /// Pushing, waiting and panic.
    Hidac,
}

impl Mover {
    /// The model with its defaults.
    pub fn usual(self) -> Model {
        match self {
            Self::Rvo => Model::Rvo(Default::default()),
            Self::Orca => Model::Orca(Default::default()),
            Self::SocialForce => Model::SocialForce(Default::default()),
            Self::Boids => Model::Boids(Default::default()),
            Self::Hidac => Model::Hidac(Default::default()),
        }
    }

    /// The model with some numbers of its own.
    pub fn model(self, parameters: toml::Table) -> Result<Model, toml::de::Error> {
        Ok(match self {
            Self::Rvo => Model::Rvo(parameters.try_into()?),
            Self::Orca => Model::Orca(parameters.try_into()?),
            Self::SocialForce => Model::SocialForce(parameters.try_into()?),
            Self::Boids => Model::Boids(parameters.try_into()?),
            Self::Hidac => Model::Hidac(parameters.try_into()?),
        })
    }
}
