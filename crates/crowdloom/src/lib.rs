//! Crowds made of human motion: where people go, what they do in each place and how their bodies move.
//!
//! This crate gathers the crates that Crowdloom is made of; [`prelude`] has what most programs need. Lengths are metres, times
//! seconds, angles radians; a frame is a thirtieth of a second. The same scene and seed give the same bits on any number of
//! threads.
//!
//! ```
//! use crowdloom::prelude::*;
//!
//! let text = "name = 'plaza'\n[world]\nfloor = [[0, 0], [20, 0], [20, 20], [0, 20]]\n[[people]]\ncount = 20\n";
//! let (mut plaza, _) = parse(Path::new("plaza.toml"), text, Overrides::default())?;
//! for _ in 0..60 {
//!     plaza.step();
//! }
//! assert_eq!(plaza.crowd().overlaps().0, 0);
//! # Ok::<(), SceneError>(())
//! ```

pub use crowdloom_crowd as crowd;
pub use crowdloom_motion as motion;
pub use crowdloom_output as output;
pub use crowdloom_scene as scene;
pub use crowdloom_synthesis as synthesis;
pub use crowdloom_trajectory as trajectory;
pub use crowdloom_world as world;

/// What most programs need.
pub mod prelude {
    pub use crowdloom_crowd::{Crowd, Edit, Mind, Mover, Newcomer, Profile, Refusal, Steps};
    pub use crowdloom_motion::{FRAME_RATE, Placement};
    pub use crowdloom_output::run::{CrowdRecording, RunInfo, record};
    pub use crowdloom_scene::{Overrides, SceneError, Simulation, load, parse};
    pub use std::path::Path;
}
