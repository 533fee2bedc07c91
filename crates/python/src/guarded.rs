//! Something that one thread at a time works on while other Python threads go on.

use crate::model::is_asked;
use crate::threads::pool;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread::ThreadId;

const AT_WORK: &str = "the simulation is at work: it cannot be used from inside its own run";

/// A value that is worked on without the interpreter's lock; other threads wait for their turn.
pub struct Guarded<T> {
    value: Mutex<T>,
    /// The thread that works on it now.
    owner: Mutex<Option<ThreadId>>,
    /// How often it may have been changed.
    changes: AtomicU64,
}

/// Gives the value free again, also where the work panics.
struct Turn<'a>(&'a Mutex<Option<ThreadId>>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl<T: Send> Guarded<T> {
    /// Nobody works on it yet.
    pub fn new(value: T) -> Self {
        Self { value: Mutex::new(value), owner: Mutex::new(None), changes: AtomicU64::new(0) }
    }

    /// How often the value may have been changed; whoever changes it counts before it does.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Changes the value on the pool's threads.
    pub fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        let pool = pool()?;
        self.with_here(py, |value| pool.install(|| work(value)))
    }

    /// Changes the value on this thread.
    pub fn with_here<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        self.hold(py, |value| {
            self.changes.fetch_add(1, Ordering::AcqRel);
            work(value)
        })
    }

    /// Looks at the value on this thread.
    pub fn look<R: Send>(&self, py: Python<'_>, look: impl FnOnce(&T) -> R + Send) -> PyResult<R> {
        self.hold(py, |value| look(value))
    }

    fn hold<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        let me = std::thread::current().id();
        if *self.owner.lock().unwrap_or_else(PoisonError::into_inner) == Some(me) {
            return Err(PyRuntimeError::new_err(AT_WORK));
        }
        py.detach(|| {
            // Whoever is asked by a simulation must not wait for it.
            let value = match (self.value.try_lock(), is_asked()) {
                (Err(TryLockError::WouldBlock), true) => return Err(PyRuntimeError::new_err(AT_WORK)),
                (Err(TryLockError::WouldBlock), false) => self.value.lock(),
                (Ok(value), _) => Ok(value),
                (Err(TryLockError::Poisoned(broken)), _) => Err(broken),
            };
            let Ok(mut value) = value else {
                let what = "the simulation broke in an earlier call and cannot go on; make it anew";
                return Err(PyRuntimeError::new_err(what));
            };
            *self.owner.lock().unwrap_or_else(PoisonError::into_inner) = Some(me);
            let _turn = Turn(&self.owner);
            Ok(work(&mut value))
        })
    }
}
