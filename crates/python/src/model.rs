//! Velocity models that are functions of Python: asked once a step for all of their people.

use crowdloom_crowd::Additions;
use crowdloom_crowd::velocity::{Batch, Manners, Memory, Role, VelocityModel};
use glam::Vec2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// Whether this thread is in a function of Python that a simulation asked.
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a function of Python that a simulation asked.
pub fn is_asked() -> bool {
    IS_ASKED.get()
}

/// What a function of Python raised: the step that it was asked in goes on, with its people standing, and ends the run.
#[derive(Default)]
pub struct Trouble {
    is_there: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Trouble {
    /// Whether something was raised.
    pub fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Acquire)
    }

    fn note(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_there.store(true, Ordering::Release);
    }

    /// Hands out what was raised, and forgets it.
    pub fn raised(&self) -> PyResult<()> {
        if !self.is_there.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Asks a function of Python; nothing comes of it where something was raised, now or before.
pub fn asked<R>(trouble: &Trouble, ask: impl FnOnce(Python<'_>) -> PyResult<R>) -> Option<R> {
    if trouble.is_there() {
        return None;
    }
    let answer = Python::attach(|py| {
        IS_ASKED.set(true);
        let answer = ask(py);
        IS_ASKED.set(false);
        answer
    });
    answer.map_err(|error| trouble.note(error)).ok()
}

/// Name, function, how far others are seen, how many of them, how far walls matter, and whether people have manners.
pub type GivenModel = (String, Py<PyAny>, f32, u8, f32, bool);

struct Model {
    function: Py<PyAny>,
    neighbour_distance: f32,
    max_neighbours: u8,
    wall_reach: f32,
    manners: Manners,
    trouble: Arc<Trouble>,
}

/// What a program adds, with the models that were given.
pub fn additions(models: Vec<GivenModel>, trouble: &Arc<Trouble>) -> Additions {
    models.into_iter().fold(Additions::new(), |all, given| {
        let (name, function, neighbour_distance, max_neighbours, wall_reach, has_manners) = given;
        let manners = if has_manners { Manners::default() } else { Manners::solid() };
        let trouble = trouble.clone();
        all.with_model(
            name,
            Model { function, neighbour_distance, max_neighbours, wall_reach, manners, trouble },
        )
    })
}

/// Vectors as an array of pairs.
fn pairs<'py>(py: Python<'py>, vectors: &[Vec2]) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let numbers = vectors.iter().flat_map(|vector| vector.to_array()).collect();
    PyArray1::from_vec(py, numbers).reshape([vectors.len(), 2])
}

impl Model {
    fn ask(&self, py: Python<'_>, batch: &Batch<'_>, velocities: &mut [Vec2]) -> PyResult<()> {
        let fields = PyDict::new(py);
        fields.set_item("seconds", batch.seconds)?;
        fields.set_item("positions", pairs(py, batch.positions)?)?;
        fields.set_item("velocities", pairs(py, batch.velocities)?)?;
        fields.set_item("preferred", pairs(py, batch.preferred)?)?;
        fields.set_item("radii", PyArray1::from_slice(py, batch.radii))?;
        fields.set_item("max_speeds", PyArray1::from_slice(py, batch.max_speeds))?;
        fields.set_item("neighbour_offsets", PyArray1::from_slice(py, batch.neighbour_offsets))?;
        fields.set_item("neighbours", PyArray1::from_slice(py, batch.neighbours))?;
        fields.set_item("other_positions", pairs(py, batch.others.positions)?)?;
        fields.set_item("other_velocities", pairs(py, batch.others.velocities)?)?;
        fields.set_item("other_radii", PyArray1::from_slice(py, batch.others.radii))?;
        let fallen = batch.others.roles.iter().map(|role| *role == Role::Fallen).collect();
        fields.set_item("other_fallen", PyArray1::from_vec(py, fallen))?;
        fields.set_item("wall_offsets", PyArray1::from_slice(py, batch.wall_offsets))?;
        fields.set_item("walls", pairs(py, batch.walls)?)?;
        // It answers with an array of 32-bit floats; `crowdloom._models` sees to that.
        let answer = self.function.bind(py).call1((fields,))?;
        let answer: PyReadonlyArray2<'_, f32> = answer.extract()?;
        if answer.shape() != [velocities.len(), 2] {
            let what = format!("a model answers with shape ({}, 2)", velocities.len());
            return Err(PyValueError::new_err(what));
        }
        for (velocity, row) in velocities.iter_mut().zip(answer.as_array().rows()) {
            *velocity = Vec2::new(row[0], row[1]);
        }
        Ok(())
    }
}

impl VelocityModel for Model {
    fn choose(&self, batch: &Batch<'_>, velocities: &mut [Vec2], _memories: &mut [Memory]) {
        if asked(&self.trouble, |py| self.ask(py, batch, velocities)).is_none() {
            velocities.fill(Vec2::ZERO);
        }
    }

    fn neighbour_distance(&self) -> f32 {
        self.neighbour_distance
    }

    fn max_neighbours(&self) -> u8 {
        self.max_neighbours
    }

    fn wall_reach(&self) -> f32 {
        self.wall_reach
    }

    fn manners(&self) -> Manners {
        self.manners
    }
}
