//! Experiments of the literature: each returns a report that prints as a table or as JSON.

pub mod cell_marking;
pub mod door;
pub mod synthesis;
