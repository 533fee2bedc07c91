//! Scenes as text: checking them, and those that come with Crowdloom.

use crate::errors::{ToldProblem, told};
use crate::threads::pool;
use crowdloom_scene::{Overrides, embedded, parse, schema};
use pyo3::prelude::*;
use std::path::PathBuf;

/// All that is wrong with the text of a scene, harmless or not.
#[pyfunction]
pub fn check_scene(py: Python<'_>, text: &str, file: PathBuf) -> PyResult<Vec<ToldProblem>> {
    let pool = pool()?;
    let problems = py.detach(|| pool.install(|| parse(&file, text, Overrides::default())));
    let problems = problems.map_or_else(|error| error.problems, |(_, problems)| problems);
    Ok(problems.iter().map(told).collect())
}

/// The text of a scene that comes with Crowdloom, such as `street` or `situation:bench`.
#[pyfunction]
pub fn embedded_scene(name: &str) -> Option<&'static str> {
    embedded::scene(name)
}

/// Names of the scenes that come with Crowdloom, each with what it shows.
#[pyfunction]
pub fn embedded_scenes() -> Vec<(String, String)> {
    let scenes = embedded::SCENES.iter().map(|(name, about, _)| ((*name).into(), (*about).into()));
    let situations = embedded::SITUATIONS.iter();
    let situations = situations
        .map(|own| (format!("{}{}", embedded::SITUATION, own.name), format!("an example of `{}`", own.name)));
    let experiments = embedded::EXPERIMENTS.iter();
    let experiments = experiments
        .map(|(number, about, _)| (format!("{}{number}", embedded::EXPERIMENT), (*about).to_owned()));
    scenes.chain(experiments).chain(situations).collect()
}

/// The JSON Schema of scenes, as JSON.
#[pyfunction]
pub fn scene_schema() -> String {
    schema().to_string()
}
