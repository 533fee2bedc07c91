//! What can be recorded: anything with agents that are somewhere, doing something.

use super::header::{ClipEntry, Line, Signal, VehicleShape};
use super::stretches::Stretch;
use crowdloom_motion::stance::Stance;
use crowdloom_motion::{Clip, Placement, Skeleton};
use crowdloom_world::Ground;

/// One agent at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Where it is and faces.
    pub placement: Placement,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// Number of the clip that it shows.
    pub clip: u16,
    /// The frame of the clip, with its fraction.
    pub clip_frame: f32,
    /// Number of its style.
    pub style: u8,
    /// Number of its state.
    pub state: u8,
    /// The clip out of which it goes over into that one, the frame of it, and its share from 0 to 1.
    pub under: Option<(u16, f32, f32)>,
    /// Where its feet are and where it looks, if otherwise than its clips have it.
    pub stance: Option<Stance>,
}

/// What is in somebody's hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hands {
    /// Nothing that it carries.
    #[default]
    Empty,
    /// A box, which it has just lifted off the ground.
    Lift,
    /// A box.
    Full,
}

/// Agents in steps of a frame, whatever moves them.
pub trait Recordable: Sync {
    /// Advances the clock by one frame.
    fn step(&mut self);
    /// The frame that it is in.
    fn frame(&self) -> u32;
    /// The number of agents that are there now.
    fn count(&self) -> usize;
    /// The lasting number of the `index`th of them, ascending with `index`.
    fn id(&self, index: usize) -> u32;
    /// The `index`th of them now.
    fn moment(&self, index: usize) -> Moment;
    /// Who it is and what it is doing, beyond clip, style and state; only changes are recorded.
    fn about(&self, index: usize) -> String;
    /// A number that changes whenever [`Self::about`] does: quick to make, so that texts are only made when they tell
    /// something new.
    fn about_mark(&self, index: usize) -> u64;
    /// Whether agents follow clips that are known ahead; then [`Self::plan`] is recorded instead of moments, and
    /// newcomers have higher numbers than all who were there before.
    fn has_plans(&self) -> bool {
        false
    }
    /// The last frame in which [`Self::plan`] may have changed otherwise than by time going on.
    fn settled_in(&self, _index: usize) -> u32 {
        0
    }
    /// Tells what an agent follows from which frame on, one after the other from now; the last holds until the agent
    /// settles anew.
    fn plan(&self, _index: usize, _tell: &mut dyn FnMut(u32, Stretch)) {}
    /// What the `index`th of them has in its hands now.
    fn hands(&self, _index: usize) -> Hands {
        Hands::Empty
    }
    /// The ground that they are on.
    fn ground(&self) -> &Ground;
    /// Radius of the disc that an agent claims, in metres.
    fn radius(&self) -> f32;
    /// The joints of every body.
    fn skeleton(&self) -> &Skeleton;
    /// Names of all clips, by number.
    fn clips(&self) -> Vec<ClipEntry>;
    /// The motion of a clip.
    fn clip(&self, number: u16) -> Clip;
    /// Names of the styles, by number.
    fn styles(&self) -> Vec<String>;
    /// Names of the states, by number.
    fn states(&self) -> Vec<String>;
    /// Lines through which the flow is of interest.
    fn lines(&self) -> Vec<Line> {
        Vec::new()
    }
    /// Things that change and that people heed.
    fn signals(&self) -> Vec<Signal> {
        Vec::new()
    }
    /// The value of a signal now.
    fn signal(&self, _signal: usize) -> u8 {
        0
    }
    /// Vehicles that people can ride in.
    fn vehicles(&self) -> Vec<VehicleShape> {
        Vec::new()
    }
    /// Tells the number of each vehicle that is on its way, where its middle is, and whether its doors are open.
    fn vehicle_moments(&self, _tell: &mut dyn FnMut(u16, Placement, bool)) {}
    /// Goals reached so far by all.
    fn arrivals(&self) -> u64 {
        0
    }
    /// Pairs of agents that overlap now, and how deep in metres the deepest overlap is, where it can be told.
    fn overlaps(&self) -> Option<(usize, f32)> {
        None
    }
    /// What was changed from outside or by events so far.
    fn edits(&self) -> &[crowdloom_crowd::Happened] {
        &[]
    }
    /// The number that an agent is drawn by, where it is not its own.
    fn looks(&self, _index: usize) -> Option<u32> {
        None
    }
    /// How many times as large as its looks say an agent is drawn.
    fn size(&self, _index: usize) -> f32 {
        1.0
    }
    /// What people wear besides what comes with the program, and what stands behind them.
    fn staging(&self) -> super::header::Staging {
        super::header::Staging::default()
    }

    /// Named cameras.
    fn cameras(&self) -> Vec<super::header::Camera> {
        Vec::new()
    }
    /// Walls with heights of their own.
    fn walls(&self) -> Vec<super::header::Wall> {
        Vec::new()
    }
    /// What floors and houses are drawn of, each an outline and its holes, in metres; empty where it is the ground.
    fn floor(&self) -> Vec<Vec<Vec<[f64; 2]>>> {
        Vec::new()
    }
    /// Things that stand about.
    fn props(&self) -> Vec<super::header::Prop> {
        Vec::new()
    }
    /// What is known about an agent's body and clothes.
    fn told(&self, _index: usize) -> Option<crowdloom_bodies::Told> {
        None
    }
    /// All that is needed to go on from this frame in another process, where that is possible.
    fn snapshot(&self) -> Option<Vec<u8>> {
        None
    }
    /// What was asked of planned people, and what came of it.
    fn constraints(&self) -> Vec<crowdloom_synthesis::Outcome> {
        Vec::new()
    }
}
