//! The threads that simulations run on: a pool of our own, which a forked process makes anew.
//!
//! Threads do not survive a fork, and rayon's global pool cannot be started again: a child that used it would wait for ever.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

struct Pool {
    process: u32,
    threads: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// The most threads that can be asked for.
const MOST: usize = 1024;

fn start(threads: usize) -> PyResult<Pool> {
    let named = |number| format!("crowdloom-{number}");
    let built = ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build();
    let threads =
        built.map_err(|error| PyRuntimeError::new_err(format!("threads cannot be started: {error}")))?;
    Ok(Pool { process: std::process::id(), threads: Arc::new(threads) })
}

/// The pool of this process.
pub fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*pool {
        Some(own) if own.process == std::process::id() => Ok(own.threads.clone()),
        _ => {
            let fresh = start(0)?;
            let threads = fresh.threads.clone();
            // The threads of a parent are not here to be told to end.
            std::mem::forget(pool.replace(fresh));
            Ok(threads)
        }
    }
}

/// Sets how many threads simulations run on; 0 means all cores. Results are the same on any number.
#[pyfunction]
#[pyo3(signature = (count = 0))]
pub fn set_threads(py: Python<'_>, count: usize) -> PyResult<()> {
    if count > MOST {
        return Err(PyValueError::new_err(format!("at most {MOST} threads, not {count}")));
    }
    py.detach(|| {
        let fresh = start(count)?;
        std::mem::forget(POOL.lock().unwrap_or_else(PoisonError::into_inner).replace(fresh));
        Ok(())
    })
}
