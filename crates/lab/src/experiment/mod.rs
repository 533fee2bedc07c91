//! Experiments of the literature: each returns a report that prints as a table or as JSON.

pub mod bottleneck;
pub mod cell_marking;
pub mod city;
pub mod density;
pub mod diversity;
pub mod door;
pub mod following;
pub mod fundamental_diagram;
pub mod funnel;
pub mod locomotion;
pub mod plans;
pub mod reference;
pub mod situations;
pub mod statistics;
mod study_page;
pub mod synthesis;
