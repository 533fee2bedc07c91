//! Scripts as they are written down: what they were compiled from.

use super::{Names, Script, Source, Value};
use crate::sensor::Sensor;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::sync::Arc;

/// What a script is compiled from.
#[derive(Serialize, Deserialize)]
struct Recipe {
    sensors: Vec<(String, Sensor)>,
    memory: Vec<(String, Value)>,
    sources: Vec<Source>,
    names: Names,
}

impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        (&self.sensors, &self.memory, &self.sources, &self.names)
            == (&other.sensors, &other.memory, &other.sources, &other.names)
    }
}

/// Writes down what a script was compiled from.
pub fn serialize<S: Serializer>(script: &Option<Arc<Script>>, to: S) -> Result<S::Ok, S::Error> {
    let recipe = script.as_ref().map(|script| Recipe {
        sensors: script.sensors.clone(),
        memory: script.memory.clone(),
        sources: script.sources.clone(),
        names: (*script.names).clone(),
    });
    recipe.serialize(to)
}

/// Compiles a script that was written down.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Arc<Script>>, D::Error> {
    let Some(Recipe { sensors, memory, sources, names }) = Option::deserialize(from)? else {
        return Ok(None);
    };
    match Script::compile(sensors, memory, &sources, names) {
        Ok(script) => Ok(Some(Arc::new(script))),
        Err(errors) => {
            let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Err(D::Error::custom(told.join("; ")))
        }
    }
}
