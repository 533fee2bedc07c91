//! What people take away: pictures, trajectories and animation files.

pub mod canvas;
mod chart;
pub mod crowd_plot;
pub mod curves;
pub mod export;
pub mod figure;
pub mod fundamental_diagram;
pub mod gif;
pub mod graph_plot;
pub mod layout;
pub mod lineup;
pub mod many;
pub mod map_plot;
pub mod measure;
pub mod path_plot;
pub mod report;
pub mod run;
pub mod scenery;
pub mod sheet;
pub mod style_plot;

pub use crowdloom_bodies as body;
