//! How much memory is in use, counted at every allocation.

use cap::Cap;
use std::alloc::System;

#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes on the heap that are in use now, whoever uses them.
pub fn in_use() -> usize {
    HEAP.allocated()
}
