//! Experiments of the literature, repeated: each returns a report with the published values beside ours.

pub mod cell_marking;
