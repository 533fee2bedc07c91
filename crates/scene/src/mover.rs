//! What may move a group of people besides motion graphs.

use crowdloom_crowd::velocity::{Boids, Hidac, Model, Orca, Rvo, SocialForce};
use schemars::JsonSchema;
use serde::Deserialize;

/// The velocity movers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mover {
    /// Sampled reciprocal velocity obstacles.
    Rvo,
    /// Optimal reciprocal collision avoidance.
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
    pub fn model(self) -> Model {
        match self {
            Self::Rvo => Model::Rvo(Rvo::default()),
            Self::Orca => Model::Orca(Orca::default()),
            Self::SocialForce => Model::SocialForce(SocialForce::default()),
            Self::Boids => Model::Boids(Boids::default()),
            Self::Hidac => Model::Hidac(Hidac::default()),
        }
    }
}
