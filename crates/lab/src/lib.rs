//! Workloads that measure Crowdloom: benchmarks and the reproduced experiments of the literature.

pub mod bench;
pub mod experiment;
pub mod memory;
pub mod staged;
pub mod verify;
