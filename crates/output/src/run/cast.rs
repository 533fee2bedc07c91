//! Planned people beside a crowd, recorded together.

use super::header::{ClipEntry, Line, Signal, VehicleShape};
use super::recordable::{Moment, Recordable};
use crowdloom_motion::{Clip, FRAME_RATE, Placement, Skeleton};
use crowdloom_synthesis::{Motion, Outcome, Repertoire, Showing};
use crowdloom_world::Ground;
use rayon::prelude::*;
use std::sync::Arc;

/// Up to this many planned people have clips of their own, displaced and with their feet held; more show those of the graph.
const MOST_BAKED: usize = 400;

/// A crowd on a motion graph with planned people among it; they have the first numbers.
pub struct CastRecording<R> {
    crowd: R,
    repertoire: Arc<Repertoire>,
    members: Vec<(String, Motion)>,
    outcomes: Vec<Outcome>,
    /// The motion of each member as one clip.
    clips: Vec<Clip>,
    /// Clips of the crowd.
    shared_clips: usize,
    /// The members that are there in the current frame.
    there: Vec<usize>,
}

impl<R: Recordable> CastRecording<R> {
    /// Puts planned people beside a crowd whose clips are the actions of the same graph, then its nodes.
    pub fn new(
        crowd: R,
        repertoire: Arc<Repertoire>,
        members: Vec<(String, Motion)>,
        outcomes: Vec<Outcome>,
    ) -> Self {
        let baked = if members.len() <= MOST_BAKED { members.as_slice() } else { &[] };
        let clips = baked.par_iter().map(|(name, motion)| motion.to_clip(&repertoire, name)).collect();
        let shared_clips = crowd.clips().len();
        let mut cast = Self { crowd, repertoire, members, outcomes, clips, shared_clips, there: Vec::new() };
        cast.look_who_is_there();
        cast
    }

    fn look_who_is_there(&mut self) {
        let frame = self.crowd.frame();
        self.there.clear();
        self.there.extend((0..self.members.len()).filter(|&member| self.members[member].1.is_there(frame)));
    }

    /// The member at an index, or the index within the crowd.
    fn find(&self, index: usize) -> Result<usize, usize> {
        self.there.get(index).copied().ok_or_else(|| index - self.there.len())
    }
}

impl<R: Recordable> Recordable for CastRecording<R> {
    fn step(&mut self) {
        self.crowd.step();
        self.look_who_is_there();
    }

    fn frame(&self) -> u32 {
        self.crowd.frame()
    }

    fn count(&self) -> usize {
        self.there.len() + self.crowd.count()
    }

    fn id(&self, index: usize) -> u32 {
        match self.find(index) {
            Ok(member) => member as u32,
            Err(other) => self.members.len() as u32 + self.crowd.id(other),
        }
    }

    fn moment(&self, index: usize) -> Moment {
        let member = match self.find(index) {
            Ok(member) => member,
            Err(other) => return self.crowd.moment(other),
        };
        let frame = self.crowd.frame();
        let motion = &self.members[member].1;
        let (placement, showing) = motion.at(&self.repertoire, frame);
        let (next, _) = motion.at(&self.repertoire, frame + 1);
        let speed = next.position.distance(placement.position) * FRAME_RATE;
        let moves = frame < motion.last_frame() && matches!(showing, Showing::Clip(..));
        let actions = self.repertoire.graph().actions().len();
        let (clip, clip_frame) = match (showing, self.clips.get(member)) {
            (_, Some(own)) => {
                let at = frame.saturating_sub(motion.first_frame()).min(own.frames() as u32 - 1);
                ((self.shared_clips + member) as u16, at as f32)
            }
            (Showing::Clip(action, at), None) => (action.0, at),
            (Showing::Still(node), None) => ((actions + node.index()) as u16, 0.0),
        };
        Moment { placement, speed, clip, clip_frame, style: 0, state: u8::from(moves) }
    }

    fn about(&self, index: usize) -> String {
        let member = match self.find(index) {
            Ok(member) => member,
            Err(other) => return self.crowd.about(other),
        };
        let (name, motion) = &self.members[member];
        let frame = self.crowd.frame();
        let met = motion.legs().iter().filter(|leg| leg.last_frame() <= frame).count();
        let all = self.outcomes.iter().filter(|outcome| outcome.name == *name).count();
        format!("{name}; {met} of {all} constraints met")
    }

    fn about_mark(&self, index: usize) -> u64 {
        match self.find(index) {
            Ok(member) => {
                let frame = self.crowd.frame();
                self.members[member].1.legs().iter().filter(|leg| leg.last_frame() <= frame).count() as u64
            }
            Err(other) => self.crowd.about_mark(other),
        }
    }

    fn ground(&self) -> &Ground {
        self.crowd.ground()
    }

    fn radius(&self) -> f32 {
        self.crowd.radius()
    }

    fn skeleton(&self) -> &Skeleton {
        self.crowd.skeleton()
    }

    fn clips(&self) -> Vec<ClipEntry> {
        let own = self.clips.iter().map(|clip| ClipEntry {
            name: format!("planned: {}", clip.name),
            labels: vec!["planned".into()],
        });
        self.crowd.clips().into_iter().chain(own).collect()
    }

    fn clip(&self, number: u16) -> Clip {
        match usize::from(number).checked_sub(self.shared_clips).and_then(|own| self.clips.get(own)) {
            Some(clip) => clip.clone(),
            None => self.crowd.clip(number),
        }
    }

    fn styles(&self) -> Vec<String> {
        self.crowd.styles()
    }

    fn states(&self) -> Vec<String> {
        self.crowd.states()
    }

    fn lines(&self) -> Vec<Line> {
        self.crowd.lines()
    }

    fn signals(&self) -> Vec<Signal> {
        self.crowd.signals()
    }

    fn signal(&self, signal: usize) -> u8 {
        self.crowd.signal(signal)
    }

    fn vehicles(&self) -> Vec<VehicleShape> {
        self.crowd.vehicles()
    }

    fn vehicle_moments(&self, tell: &mut dyn FnMut(u16, Placement, bool)) {
        self.crowd.vehicle_moments(tell);
    }

    fn arrivals(&self) -> u64 {
        let frame = self.crowd.frame();
        let met =
            |motion: &Motion| motion.legs().iter().filter(|leg| leg.last_frame() <= frame).count() as u64;
        self.crowd.arrivals() + self.members.iter().map(|(_, motion)| met(motion)).sum::<u64>()
    }

    fn overlaps(&self) -> Option<usize> {
        let radius = self.radius();
        let places: Vec<_> = (0..self.count()).map(|index| self.moment(index).placement.position).collect();
        let members = self.there.len();
        let near = |a: usize, b: usize| places[a].distance_squared(places[b]) < 4.0 * radius * radius;
        let own = (0..members).map(|a| (a + 1..places.len()).filter(|&b| near(a, b)).count()).sum::<usize>();
        self.crowd.overlaps().map(|others| others + own)
    }

    fn constraints(&self) -> Vec<Outcome> {
        self.outcomes.clone()
    }
}
