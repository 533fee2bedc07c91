//! What people take away: pictures, trajectories and animation files.

pub mod canvas;
pub mod figure;
pub mod fundamental_diagram;
pub mod graph_plot;
pub mod map_plot;
pub mod sheet;
mod stroke_font;
