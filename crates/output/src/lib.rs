//! What people take away: pictures of motions and places.

pub mod canvas;
pub mod figure;
pub mod graph_plot;
pub mod sheet;
