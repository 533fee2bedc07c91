//! What people take away: pictures, trajectories and animation files.

pub mod map_plot;
mod stroke_font;
