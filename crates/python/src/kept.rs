//! Arrays of the present frame: made once, and handed out without a copy until the crowd changes.

use crate::guarded::Guarded;
use numpy::{Element, PyArray, PyArrayMethods, ndarray::Dimension};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Arrays by name, each with the count of changes after which it was made.
///
/// They own their numbers, so they outlive what they were made of; nobody can write to them, because others have them too.
#[derive(Default)]
pub struct Kept {
    arrays: Mutex<BTreeMap<&'static str, (u64, Py<PyAny>)>>,
}

impl Kept {
    /// The array of some name; where there is none of this frame, `look` finds its numbers and `shape` makes it of them.
    pub fn of_frame<'py, T, D, V: Send, N: Send>(
        &self,
        py: Python<'py>,
        name: &'static str,
        value: &Guarded<V>,
        look: impl FnOnce(&V) -> N + Send,
        shape: impl FnOnce(N) -> PyResult<Bound<'py, PyArray<T, D>>>,
    ) -> PyResult<Bound<'py, PyArray<T, D>>>
    where
        T: Element,
        D: Dimension,
    {
        let known = {
            let arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
            let known = arrays.get(name).filter(|(changes, _)| *changes == value.changes());
            known.map(|(_, array)| array.clone_ref(py))
        };
        if let Some(array) = known {
            return Ok(array.into_bound(py).cast_into()?);
        }
        // Nobody changes it while it is looked at.
        let (changes, numbers) = value.look(py, |own| (value.changes(), look(own)))?;
        let array = shape(numbers)?;
        array.readwrite().make_nonwriteable();
        let kept = (changes, array.clone().into_any().unbind());
        let before = self.arrays.lock().unwrap_or_else(PoisonError::into_inner).insert(name, kept);
        drop(before);
        Ok(array)
    }
}
