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

pub use crowdloom_base as base;
pub use crowdloom_cell_marking as cell_marking;
pub use crowdloom_crowd as crowd;
pub use crowdloom_diversity as diversity;
pub use crowdloom_motion as motion;
pub use crowdloom_output as output;
pub use crowdloom_promises as promises;
pub use crowdloom_scene as scene;
pub use crowdloom_situations as situations;
pub use crowdloom_synthesis as synthesis;
pub use crowdloom_trajectory as trajectory;
pub use crowdloom_velocity as velocity;
pub use crowdloom_world as world;
/// Vectors, as everything here has them.
pub use glam;

/// What most programs need.
///
/// A [`Simulation`](prelude::Simulation) is a scene that runs; it can be put away and gone on with.
///
/// ```
/// use crowdloom::prelude::*;
///
/// # let text = "name = 'plaza'\n[world]\nfloor = [[0, 0], [12, 0], [12, 12]]\n[[people]]\ncount = 4\n";
/// let (mut plaza, warnings) = parse(Path::new("plaza.toml"), text, Overrides { seed: Some(7), people: None })?;
/// assert!(warnings.is_empty());
/// (0..30).for_each(|_| plaza.step());
/// let mut again = Simulation::from_snapshot(&plaza.snapshot()?)?;
/// plaza.step();
/// again.step();
/// assert_eq!(plaza.crowd().positions(), again.crowd().positions());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its [`Crowd`](prelude::Crowd) has everybody; an [`Edit`](prelude::Edit) changes it between two frames, or a
/// [`Refusal`](prelude::Refusal) says why not. A [`Newcomer`](prelude::Newcomer) is somebody who comes.
///
/// ```
/// use crowdloom::prelude::*;
///
/// # let text = "name = 'plaza'\n[world]\nfloor = [[0, 0], [12, 0], [12, 12]]\n";
/// let (mut plaza, _) = parse(Path::new("plaza.toml"), text, Overrides::default())?;
/// let adult = Profile { height: Some(1.75), ..Profile::default() };
/// let newcomer = Newcomer { mover: Mover::Graph, profile: adult, ..Newcomer::default() };
/// plaza.edit(Edit::Add(Placement::new(9.0, 3.0, 0.0), Box::new(newcomer)))?;
/// let id = plaza.crowd().id(0);
/// plaza.edit(Edit::Goal(id, Some([9.0, 8.0].into())))?;
/// plaza.edit(Edit::Speed(id, 1.4))?;
/// assert!(matches!(plaza.edit(Edit::Speed(99, 1.4)), Err(Refusal::Nobody(99))));
/// plaza.undo()?;
/// assert_eq!(plaza.log().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Additions`](prelude::Additions) are what a program adds: velocity models, behaviour functions, kinds of situations.
///
/// ```
/// use crowdloom::prelude::*;
/// # use crowdloom::glam::Vec2;
///
/// struct Stroll;
///
/// impl VelocityModel for Stroll {
///     fn choose(&self, batch: &Batch<'_>, velocities: &mut [Vec2], _memories: &mut [Memory]) {
///         for (velocity, preferred) in velocities.iter_mut().zip(batch.preferred) {
///             *velocity = 0.5 * *preferred;
///         }
///     }
/// }
///
/// let text = "name = 'plaza'\n[world]\nfloor = [[0, 0], [12, 0], [12, 12]]\n[[people]]\ncount = 4\nmover = 'stroll'\n";
/// let additions = Additions::new().with_model("stroll", Stroll);
/// let (mut plaza, _) = parse_with(Path::new("plaza.toml"), text, Overrides::default(), &additions)?;
/// (0..30).for_each(|_| plaza.step());
/// assert!(plaza.crowd().steered_velocity(0).is_some_and(|velocity| velocity.length() < 1.0));
/// # Ok::<(), SceneError>(())
/// ```
///
/// A behaviour function weighs what somebody could do next; a kind of situation says what is asked of those who are in it.
///
/// ```
/// use crowdloom::prelude::*;
/// # use crowdloom::glam::Vec2;
///
/// struct NoHaste;
///
/// impl BehaviourFunction for NoHaste {
///     fn weigh(&self, _who: &Deciding<'_>, candidates: &Candidates<'_>, weights: &mut [f32]) {
///         for (weight, speed) in weights.iter_mut().zip(candidates.speeds) {
///             *weight = if *speed > 1.6 { 0.1 } else { 1.0 };
///         }
///     }
/// }
///
/// struct Silence;
///
/// impl SituationKind for Silence {
///     fn influence(
///         &self,
///         _situation: &Situation,
///         _scenery: &mut Scenery<'_>,
///         _visit: &mut Visit,
///         influence: &mut Influence,
///     ) -> Option<Vec2> {
///         influence.pace = Some(0.9);
///         None
///     }
/// }
///
/// let text = "name = 'crypt'\n[world]\nfloor = [[0, 0], [12, 0], [12, 12]]\n[[people]]\ncount = 4\n\
///     [[region]]\nname = 'nave'\nrectangle = [6, 0, 12, 6]\n\
///     [[situation]]\nname = 'silence'\nkind = 'silence'\nregion = 'nave'\nbehaviours = ['no-haste']\n";
/// let additions = Additions::new().with_behaviour("no-haste", NoHaste).with_kind("silence", Silence);
/// let (mut crypt, _) = parse_with(Path::new("crypt.toml"), text, Overrides::default(), &additions)?;
/// (0..60).for_each(|_| crypt.step());
/// # Ok::<(), SceneError>(())
/// ```
pub mod prelude {
    pub use crowdloom_crowd::behaviour::Behaviour;
    pub use crowdloom_crowd::situation::{Influence, Scenery, Situation, SituationKind, Visit};
    pub use crowdloom_crowd::velocity::{Batch, Memory, VelocityModel};
    pub use crowdloom_crowd::{Additions, BehaviourFunction, Candidates, Deciding, PAST_STATES, PastState};
    pub use crowdloom_crowd::{Crowd, Edit, Mind, Mover, Newcomer, Profile, Refusal, Steps};
    pub use crowdloom_motion::{FRAME_RATE, Placement};
    pub use crowdloom_output::run::{CrowdRecording, RunInfo, record};
    pub use crowdloom_scene::{Overrides, SceneError, Simulation, load, load_with, parse, parse_with};
    pub use std::path::Path;
}
