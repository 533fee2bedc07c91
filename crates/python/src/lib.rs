//! The compiled half of the Python package `crowdloom`: simulations and runs as arrays, without any logic of its own.
//!
//! `python/crowdloom` is the half that people see; what is here is private to it.

mod arrays;
mod errors;
mod guarded;
mod kept;
mod minds;
mod model;
mod motion;
mod recording;
mod run;
mod scene;
mod simulation;
mod table;
mod threads;

use pyo3::prelude::*;

/// The compiled half of `crowdloom`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::motion::{Graph, Motions};
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::scene::{check_scene, embedded_scene, embedded_scenes, scene_schema};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::table::Trajectories;
    #[pymodule_export]
    use super::threads::set_threads;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Pages and exports show the bodies that the user has installed; broken ones are as none.
        let _ = crowdloom_output::body::installed::wear_installed();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("FRAME_RATE", crowdloom_motion::FRAME_RATE)
    }
}
