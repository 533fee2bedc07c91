//! Errors of the libraries as the package's exceptions, which are written in Python.

use crowdloom_crowd::Refusal;
use crowdloom_scene::{Problem, SceneError, SnapshotError};
use pyo3::prelude::*;

/// An exception of `crowdloom._errors` by its name.
fn raise<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let made = py
        .import("crowdloom._errors")
        .and_then(|module| module.getattr(name))
        .and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Line, what is wrong, what to do about it, and whether the scene can run in spite of it.
pub type ToldProblem = (Option<usize>, String, String, bool);

/// A mistake as the package takes it.
pub fn told(problem: &Problem) -> ToldProblem {
    (problem.line, problem.what.clone(), problem.fix.clone(), problem.harmless)
}

/// A scene that cannot run.
pub fn scene_error(py: Python<'_>, error: &SceneError) -> PyErr {
    let problems: Vec<ToldProblem> = error.problems.iter().map(told).collect();
    raise(py, "SceneError", (error.file.display().to_string(), problems))
}

/// A change that was refused.
pub fn refusal(py: Python<'_>, refusal: &Refusal) -> PyErr {
    raise(py, "EditError", (refusal.to_string(), refusal.is_for_now()))
}

/// A snapshot that cannot be gone on from.
pub fn snapshot_error(py: Python<'_>, error: &SnapshotError) -> PyErr {
    match error {
        SnapshotError::Scene(error) => scene_error(py, error),
        other => raise(py, "SnapshotError", (other.to_string(),)),
    }
}

/// A run that cannot be written, read or exported.
pub fn run_error(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    raise(py, "RunError", (error.to_string(),))
}

/// Motions that cannot be read, written or joined.
pub fn motion_error(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    raise(py, "MotionError", (error.to_string(),))
}
