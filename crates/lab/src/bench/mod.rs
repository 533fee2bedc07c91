//! Benchmarks: each times one hot path and returns a report that prints as a table or as JSON.

pub mod bodies;
pub mod cell_marking;
pub mod city;
pub mod diversity;
pub mod follow;
pub mod mixed;
pub mod mobb;
pub mod pose;
pub mod steering;
pub mod world;
pub mod writing;
