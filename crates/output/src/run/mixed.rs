//! Velocity agents among a crowd on a motion graph, recorded together.
//!
//! Velocity agents show a straight walk of the graph, as far into it as they have walked: clips laid over. Where they have
//! motion styles, they show the loops of these instead, which are clips of their own.

use super::header::{ClipEntry, Line, Signal, VehicleShape};
use super::recordable::{CrowdRecording, Moment, Recordable, STANDING, UNDER_WAY, styled_number};
use super::stretches::Stretch;
use super::styled::loop_entries;
use crowdloom_crowd::diversity::{GraphStyles, StyleBook};
use crowdloom_crowd::{Mind, Movers, Steps};
use crowdloom_motion::{Clip, Placement, Skeleton};
use crowdloom_world::Ground;

/// A crowd on a motion graph and the velocity agents among it, if there may be any.
pub struct MixedRecording<'a, S> {
    clips: CrowdRecording<'a, S>,
    cycles: Vec<Cycle>,
    /// The clip of somebody who stands.
    standing: u16,
    /// The number of the first loop among the clips, if velocity agents have styles.
    first_loop: Option<usize>,
    /// Everybody by number, clip agents before velocity agents in the count; empty without velocity agents.
    order: Vec<usize>,
}

/// A straight walk that ends as it begins.
struct Cycle {
    clip: u16,
    /// In metres.
    length: f32,
    frames: f32,
    /// In metres a second.
    speed: f32,
}

/// Slower than this, in metres a second, a body stands.
const STANDS: f32 = 0.15;
/// Velocity agents that overlap by less than this share of the sum of their radii do not count.
const OVERLAP_SHARE: f32 = 0.05;

impl<'a, S: Steps + Sync> MixedRecording<'a, S> {
    /// Looks for velocity agents beside the crowd of a recording.
    pub fn new(clips: CrowdRecording<'a, S>) -> Self {
        let book = clips.source().crowd().setting().book.clone();
        let actions = book.graph().actions();
        let straight = |clip: &Clip| {
            let end = clip.displacement();
            end.heading.abs() < 0.02 && end.position.x > 0.3 && end.position.y.abs() < 0.05
        };
        let plain =
            |clip: &Clip| clip.has_label("walk") && !clip.has_label("carry") && !clip.has_label("style");
        let walks = actions
            .iter()
            .enumerate()
            .filter(|(_, action)| action.from == action.to && straight(&action.clip) && plain(&action.clip));
        let cycles = walks.map(|(number, action)| {
            let length = action.clip.displacement().position.length();
            let frames = (action.clip.frames() - 1) as f32;
            Cycle { clip: number as u16, length, frames, speed: length / action.clip.seconds() }
        });
        let cycles = cycles.collect();
        let rest = book.rest_nodes().next().map_or(0, |node| node.index());
        let standing = (actions.len() + rest) as u16;
        let first_loop = first_loop(&clips);
        let mut mixed = Self { clips, cycles, standing, first_loop, order: Vec::new() };
        mixed.put_in_order();
        mixed
    }

    fn put_in_order(&mut self) {
        self.order.clear();
        let Some(movers) = self.clips.source().movers() else { return };
        let crowd = self.clips.source().crowd();
        let count = crowd.len();
        let id = |index: &usize| if *index < count { crowd.id(*index) } else { movers.id(*index - count) };
        self.order.extend(0..count + movers.crowd().len());
        self.order.sort_by_key(id);
    }

    /// The velocity agent at an index, or the index of a clip agent.
    fn find(&self, index: usize) -> Result<(&Movers, usize), usize> {
        let Some(movers) = self.clips.source().movers() else { return Err(index) };
        let (place, count) = (self.order[index], self.clips.count());
        if place < count { Err(place) } else { Ok((movers, place - count)) }
    }

    /// The loops of the styles and the number of the first, if velocity agents have styles.
    fn loops(&self) -> Option<(&GraphStyles, &StyleBook, usize)> {
        let styles = self.clips.source().styles()?;
        Some((styles, styles.control().book(), self.first_loop?))
    }

    fn moment_of(&self, movers: &Movers, agent: usize) -> Moment {
        let placement = movers.placement(agent);
        let speed = movers.crowd().velocities()[agent].length();
        if let Some((styles, book, first)) = self.loops()
            && let Some(playing) = styles.playing_of(movers.id(agent))
        {
            let number = book.number(playing.from, playing.style, playing.start);
            return Moment {
                placement: placement.then(book.played(number).sway_at(playing.frame)),
                speed,
                clip: (first + number) as u16,
                clip_frame: playing.frame,
                style: styled_number(playing.style),
                state: if book.kind(playing.style).is_cyclic() { UNDER_WAY } else { STANDING },
            };
        }
        let likes = movers.mind(agent).speed;
        let off = |cycle: &&Cycle| (cycle.speed - likes).abs();
        match self.cycles.iter().min_by(|a, b| off(a).total_cmp(&off(b))).filter(|_| speed > STANDS) {
            None => Moment { placement, speed, clip: self.standing, state: STANDING, ..Moment::default() },
            Some(Cycle { clip, length, frames, .. }) => {
                let clip_frame = (movers.walked(agent) / length).fract() * frames;
                Moment { placement, speed, clip: *clip, clip_frame, style: 0, state: UNDER_WAY }
            }
        }
    }
}

/// Where the loops of styles begin among the clips: behind those of the graph, if they have the same joints and there are
/// numbers enough.
fn first_loop<S: Steps + Sync>(clips: &CrowdRecording<'_, S>) -> Option<usize> {
    clips.source().movers()?;
    let book = clips.source().styles()?.control().book();
    let first = clips.clips().len();
    let fits = first + book.transitions() <= usize::from(u16::MAX) + 1;
    (fits && book.library().skeleton() == clips.skeleton()).then_some(first)
}

impl<S: Steps + Sync> Recordable for MixedRecording<'_, S> {
    fn step(&mut self) {
        self.clips.step();
        self.put_in_order();
    }

    fn frame(&self) -> u32 {
        self.clips.frame()
    }

    fn count(&self) -> usize {
        self.clips.count() + self.clips.source().movers().map_or(0, |movers| movers.crowd().len())
    }

    fn id(&self, index: usize) -> u32 {
        match self.find(index) {
            Ok((movers, agent)) => movers.id(agent),
            Err(agent) => self.clips.id(agent),
        }
    }

    fn moment(&self, index: usize) -> Moment {
        match self.find(index) {
            Ok((movers, agent)) => self.moment_of(movers, agent),
            Err(agent) => self.clips.moment(agent),
        }
    }

    fn about(&self, index: usize) -> String {
        match self.find(index) {
            Ok((movers, agent)) => {
                let Mind { speed, arrivals, .. } = movers.mind(agent);
                let model = movers.crowd().model(agent).name();
                format!("moved by {model}; likes {speed:.2} m/s; {arrivals} goals reached")
            }
            Err(agent) => self.clips.about(agent),
        }
    }

    fn about_mark(&self, index: usize) -> u64 {
        match self.find(index) {
            Ok((movers, agent)) => movers.mind(agent).arrivals.into(),
            Err(agent) => self.clips.about_mark(agent),
        }
    }

    /// Nobody knows where velocity agents will be.
    fn has_plans(&self) -> bool {
        self.clips.source().movers().is_none()
    }

    fn settled_in(&self, index: usize) -> u32 {
        self.clips.settled_in(index)
    }

    fn plan(&self, index: usize, tell: &mut dyn FnMut(u32, Stretch)) {
        self.clips.plan(index, tell);
    }

    fn ground(&self) -> &Ground {
        self.clips.ground()
    }

    fn radius(&self) -> f32 {
        self.clips.radius()
    }

    fn skeleton(&self) -> &Skeleton {
        self.clips.skeleton()
    }

    fn clips(&self) -> Vec<ClipEntry> {
        let mut all = self.clips.clips();
        if let Some((_, book, _)) = self.loops() {
            all.extend(loop_entries(book));
        }
        all
    }

    fn clip(&self, number: u16) -> Clip {
        match self.loops() {
            Some((_, book, first)) if usize::from(number) >= first => {
                book.played(usize::from(number) - first).clip.clone()
            }
            _ => self.clips.clip(number),
        }
    }

    fn styles(&self) -> Vec<String> {
        self.clips.styles()
    }

    fn states(&self) -> Vec<String> {
        self.clips.states()
    }

    fn lines(&self) -> Vec<Line> {
        self.clips.lines()
    }

    fn signals(&self) -> Vec<Signal> {
        self.clips.signals()
    }

    fn signal(&self, signal: usize) -> u8 {
        self.clips.signal(signal)
    }

    fn vehicles(&self) -> Vec<VehicleShape> {
        self.clips.vehicles()
    }

    fn vehicle_moments(&self, tell: &mut dyn FnMut(u16, Placement, bool)) {
        self.clips.vehicle_moments(tell);
    }

    fn arrivals(&self) -> u64 {
        let movers = self.clips.source().movers();
        let of =
            |movers: &Movers| (0..movers.crowd().len()).map(|a| u64::from(movers.mind(a).arrivals)).sum();
        self.clips.arrivals() + movers.map_or(0, of)
    }

    fn overlaps(&self) -> Option<usize> {
        let source = self.clips.source();
        let between =
            |movers: &Movers| movers.overlaps(source.crowd()) + movers.crowd().overlaps(OVERLAP_SHARE).0;
        Some(self.clips.overlaps()? + source.movers().map_or(0, between))
    }
}
