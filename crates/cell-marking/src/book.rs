//! The segments that agents choose from, prepared offline: which can follow which, how well, and where each ends.

use super::cloud::{Cloud, Feet};
use super::plan::{BLEND_FRAMES, PLAN_FRAMES, SEGMENT_FRAMES, STOP_FRAMES};
use super::stretch::{Stretch, stretches};
use crowdloom_motion::graph::{MotionGraph, NodeId};
use crowdloom_motion::{Clip, Ends, Library, Placement, Skeleton};
use glam::Vec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Index of a segment in its book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentId(pub u16);

/// What a body is in when it decides: a frame of a stretch, or standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateId(pub u16);

/// Numbers of states have 16 bits, and some are for rest.
const MOST_SEGMENTS: usize = 60_000;

/// The stride for motion graphs: who decides in the middle of a segment or at its end is in a state then.
const CROWD_STRIDE: usize = 5;

/// How segments are cut and joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SegmentOptions {
    /// Clips without labels are used, and those with one of these …
    pub labels: Vec<String>,
    /// … unless they have one of these.
    pub without: Vec<String>,
    /// Frames from the start of one segment to that of the next within a clip, and from one decision to the next.
    pub stride: usize,
    /// δ of equation 3.3: transitions whose summed difference in metres is larger are not made.
    #[serde(rename = "delta")]
    pub threshold: f32,
    /// At most this many transitions are kept for each state, those with the smallest difference (ours): [`SegmentBook::cut_short`]
    /// tells where that makes δ less than it says.
    pub most: usize,
    /// A body stands still that is slower than this, in metres and radians a second (ours): captured people who stand sway.
    pub still: [f32; 2],
}

impl Default for SegmentOptions {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            labels: names(&["walk", "turn-in-place", "side-step", "step-back"]),
            without: names(&["carry", "style", "run", "single"]),
            stride: 3,
            threshold: 15.0,
            most: 400,
            still: [0.03, 0.06],
        }
    }
}

impl SegmentOptions {
    /// With a stride that makes few enough moves for a crowd of any size.
    pub fn of_crowds() -> Self {
        Self { stride: CROWD_STRIDE, ..Self::default() }
    }

    /// Whether all numbers are possible.
    pub fn is_sound(&self) -> bool {
        (1..=SEGMENT_FRAMES).contains(&self.stride)
            && self.most > 0
            && self.threshold > 0.0
            && self.threshold.is_finite()
            && self.still.iter().all(|still| (0.0..=1.0).contains(still))
    }
}

/// Where fewer transitions were kept than δ allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CutShort {
    /// States with more transitions than are kept.
    pub states: usize,
    /// All states.
    pub of: usize,
    /// The least difference in metres from which on transitions are missing.
    pub from: f32,
}

/// Why a library makes no book.
#[derive(Debug, Error, PartialEq)]
pub enum SegmentError {
    /// No clip has the wanted labels and is long enough.
    #[error("the library has no clip with a wanted label that is long enough for segments of a second")]
    NoSegments,
    /// Nothing comes to rest.
    #[error("no clip with a wanted label comes to rest; agents could not stop")]
    Restless,
    /// Too many segments to be counted.
    #[error("{0} segments are too many; at most {max} are supported: use a larger stride", max = MOST_SEGMENTS)]
    TooMany(usize),
}

/// A place in a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The stretch, by its number.
    pub stretch: u32,
    /// The first frame.
    pub first: u32,
}

impl Window {
    /// The window that starts some frames later.
    pub(super) fn after(self, frames: usize) -> Self {
        Self { first: self.first + frames as u32, ..self }
    }
}

/// A window that follows a state, and where it starts as seen from the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joined {
    pub(super) window: Window,
    pub(super) start: Placement,
}

/// A second of motion and the stop after it.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) window: Window,
    pub(super) stop: Joined,
    /// The state in which the stop ends.
    pub(super) rest: StateId,
    /// Where the stop ends, seen from the segment's start.
    pub(super) rest_place: Placement,
    /// Positions of segment and stop, seen from the segment's start.
    path: [Vec2; PLAN_FRAMES + 1],
}

/// A segment that can follow a state.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The segment.
    pub to: SegmentId,
    /// Equation 3.2, in metres.
    pub difference: f32,
    /// Where the segment starts, seen from the state.
    pub start: Placement,
    /// Where the segment ends, seen from the state.
    pub end: Placement,
}

/// Segments, stops and transitions of a library.
#[derive(Clone, Debug)]
pub struct SegmentBook {
    skeleton: Skeleton,
    stretches: Vec<Stretch>,
    segments: Vec<Segment>,
    stride: u32,
    /// The state of each stretch's first frame; its others follow, a stride apart.
    first_state: Vec<u16>,
    /// Where each state's motion would go on: frames of all stretches, then the poses of rest.
    tails: Vec<Window>,
    standing: StateId,
    transitions: Vec<Transition>,
    first_transition: Vec<u32>,
    reach: f32,
    cut_short: Option<CutShort>,
}

/// The share of the following motion in each frame of a transition.
pub(super) fn blend_weight(frame: usize) -> f32 {
    let t = (frame as f32 / BLEND_FRAMES as f32).min(1.0);
    t * t * (3.0 - 2.0 * t)
}

impl SegmentBook {
    /// Cuts a library into segments and finds what can follow what.
    pub fn new(library: &Library, options: &SegmentOptions) -> Result<Self, SegmentError> {
        let has = |clip: &Clip, labels: &[String]| labels.iter().any(|label| clip.has_label(label));
        let wanted = |clip: &Clip| {
            clip.labels.is_empty() || has(clip, &options.labels) && !has(clip, &options.without)
        };
        let stretches = stretches(library, options.still, wanted);
        let stride = options.stride.max(1);
        let windows = windows(&stretches, stride, |_| true);
        if windows.is_empty() {
            return Err(SegmentError::NoSegments);
        }
        if windows.len() > MOST_SEGMENTS {
            return Err(SegmentError::TooMany(windows.len()));
        }
        let stops = windows_that_stop(&stretches);
        if stops.is_empty() {
            return Err(SegmentError::Restless);
        }
        let skeleton = library.skeleton.clone();
        let mut builder = Builder { feet: Feet::new(&skeleton), skeleton, stretches, rests: Vec::new() };
        let mut segments = builder.segments(&windows, &stops, options.threshold);
        let (mut tails, first_state) = moving_states(&builder.stretches, stride);
        if tails.len() > MOST_SEGMENTS {
            return Err(SegmentError::TooMany(tails.len()));
        }
        // States of rest come after all others.
        let standing = StateId(tails.len() as u16);
        segments.iter_mut().for_each(|segment| segment.rest.0 += standing.0);
        tails.extend_from_slice(&builder.rests);
        let (lists, cut_short) = builder.transitions(&tails, &segments, options);
        let mut first_transition = vec![0];
        for list in &lists {
            first_transition.push(first_transition.last().copied().unwrap_or(0) + list.len() as u32);
        }
        let transitions: Vec<Transition> = lists.into_iter().flatten().collect();
        let farthest = segments.iter().flat_map(|s| s.path.iter()).map(|p| p.length()).fold(0.0, f32::max);
        let offset = transitions.iter().map(|t| t.start.position.length()).fold(0.0, f32::max);
        let Builder { skeleton, stretches, .. } = builder;
        let reach = farthest + offset;
        Ok(Self {
            skeleton,
            stretches,
            segments,
            stride: stride as u32,
            first_state,
            tails,
            standing,
            transitions,
            first_transition,
            reach,
            cut_short,
        })
    }

    /// The same for the clips of a motion graph, with a stride that makes few enough moves for a crowd of any size.
    pub fn of_graph(graph: &MotionGraph) -> Result<Self, SegmentError> {
        Self::of_graph_with(graph, &SegmentOptions::of_crowds())
    }

    /// The same with other options.
    pub fn of_graph_with(graph: &MotionGraph, options: &SegmentOptions) -> Result<Self, SegmentError> {
        let clips = graph.actions().iter().map(|action| {
            let name = |node: NodeId| graph.node(node).name.clone();
            let ends = Some(Ends { from: name(action.from), to: name(action.to) });
            Clip { ends, ..action.clip.clone() }
        });
        let library = Library { skeleton: graph.skeleton().clone(), clips: clips.collect() };
        Self::new(&library, options)
    }

    /// Where fewer transitions were kept than δ allows, if anywhere.
    pub fn cut_short(&self) -> Option<CutShort> {
        self.cut_short
    }

    /// The clips that segments are cut from, by their numbers.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = &Clip> {
        self.stretches.iter().map(|stretch| &stretch.clip)
    }

    /// The clip of a number.
    pub fn stretch(&self, number: u32) -> &Clip {
        &self.stretches[number as usize].clip
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there is no segment; never so.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The number of transitions of all states.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// The skeleton of all motion.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The farthest in metres that anybody gets from where it decides, within its plan.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// The state of somebody who has always been standing.
    pub fn standing(&self) -> StateId {
        self.standing
    }

    /// Clip and frame of the poses in which bodies stand, by their states from [`Self::standing`] on.
    pub fn rests(&self) -> impl Iterator<Item = (&Clip, usize)> {
        let rests = &self.tails[usize::from(self.standing.0)..];
        rests.iter().map(|rest| (self.clip(*rest), rest.first as usize))
    }

    pub(super) fn segment(&self, id: SegmentId) -> &Segment {
        &self.segments[usize::from(id.0)]
    }

    /// The state in which the stop after a segment ends.
    pub fn rest_after(&self, id: SegmentId) -> StateId {
        self.segment(id).rest
    }

    /// The state in the first frame of a window, if there is one.
    pub(super) fn state(&self, window: Window) -> Option<StateId> {
        let number = window.first / self.stride;
        let state = self.first_state[window.stretch as usize] + number as u16;
        let exists = window.first.is_multiple_of(self.stride) && self.tails[usize::from(state)] == window;
        exists.then_some(StateId(state))
    }

    /// Whether the body holds still in the first frame of a window.
    pub(super) fn is_still(&self, window: Window) -> bool {
        let still = self.stretches[window.stretch as usize].still_from;
        still.is_some_and(|still| window.first as usize >= still)
    }

    pub(super) fn tail(&self, state: StateId) -> Window {
        self.tails[usize::from(state.0)]
    }

    pub(super) fn clip(&self, window: Window) -> &Clip {
        &self.stretches[window.stretch as usize].clip
    }

    /// What can follow a state.
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        let state = usize::from(state.0);
        &self.transitions[self.first_transition[state] as usize..self.first_transition[state + 1] as usize]
    }

    /// The number of a state's first transition among those of all states.
    pub fn first_transition(&self, state: StateId) -> u32 {
        self.first_transition[usize::from(state.0)]
    }

    /// A transition by its number among those of all states, and the state that it leaves.
    pub fn transition(&self, number: u32) -> (StateId, &Transition) {
        let state = self.first_transition.partition_point(|first| *first <= number) - 1;
        (StateId(state as u16), &self.transitions[number as usize])
    }

    /// Frames from one state to the next.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// Positions of a transition's plan for somebody whose state is at `place`.
    pub fn plan_positions(
        &self,
        state: StateId,
        transition: &Transition,
        place: Placement,
    ) -> [Vec2; PLAN_FRAMES + 1] {
        let facing = place.facing();
        let start = place.position + facing.rotate(transition.start.position);
        let start_facing = facing.rotate(transition.start.facing());
        let mut positions = self.segment(transition.to).path.map(|point| start + start_facing.rotate(point));
        let tail = self.tail(state);
        let clip = self.clip(tail);
        let origin = clip.track[tail.first as usize];
        let turn = facing.rotate(Placement { position: Vec2::ZERO, heading: -origin.heading }.facing());
        for (frame, position) in positions.iter_mut().enumerate().take(BLEND_FRAMES) {
            let old = clip.track[tail.first as usize + frame].position - origin.position;
            *position = (place.position + turn.rotate(old)).lerp(*position, blend_weight(frame));
        }
        positions
    }
}

fn windows(stretches: &[Stretch], stride: usize, keep: impl Fn(&Stretch) -> bool) -> Vec<Window> {
    let kept = stretches.iter().enumerate().filter(|(_, stretch)| keep(stretch));
    kept.flat_map(|(index, stretch)| {
        stretch
            .starts
            .clone()
            .step_by(stride)
            .map(move |first| Window { stretch: index as u32, first: first as u32 })
    })
    .collect()
}

/// Frames of all stretches in which a body may go over to something else, and the number of each stretch's first.
fn moving_states(stretches: &[Stretch], stride: usize) -> (Vec<Window>, Vec<u16>) {
    let (mut tails, mut first_state) = (Vec::new(), Vec::new());
    for (index, stretch) in stretches.iter().enumerate() {
        first_state.push(tails.len() as u16);
        let frames = (0..stretch.clip.frames().saturating_sub(BLEND_FRAMES)).step_by(stride);
        tails.extend(frames.map(|first| Window { stretch: index as u32, first: first as u32 }));
    }
    (tails, first_state)
}

/// All windows whose body holds still when a stop is over.
fn windows_that_stop(stretches: &[Stretch]) -> Vec<Window> {
    let mut stops = windows(stretches, 1, |stretch| stretch.still_from.is_some());
    stops.retain(|stop| {
        let still = stretches[stop.stretch as usize].still_from.unwrap_or(usize::MAX);
        stop.first as usize + STOP_FRAMES >= still
    });
    stops
}

/// What preparing a book needs.
struct Builder {
    skeleton: Skeleton,
    stretches: Vec<Stretch>,
    feet: Feet,
    rests: Vec<Window>,
}

impl Builder {
    fn clip(&self, window: Window) -> &Clip {
        &self.stretches[window.stretch as usize].clip
    }

    fn cloud(&self, window: Window, ahead: usize) -> Cloud {
        Cloud::new(&self.skeleton, self.clip(window), window.first as usize + ahead)
    }

    fn local(&self, window: Window, frame: usize) -> Placement {
        let track = &self.clip(window).track;
        track[window.first as usize + frame].relative_to(track[window.first as usize])
    }

    /// How well `next` follows, laid over the transition as well as possible.
    fn join(&self, tail: &Cloud, next: &Cloud, limit: f32) -> Option<(f32, Placement)> {
        // Laying over gains a little only; what differs much before differs after.
        // The bound is quick; the factor is for rounding.
        if tail.least_difference(next) > 2.001 * limit
            || tail.difference(next, Placement::IDENTITY, 2.0 * limit).is_infinite()
        {
            return None;
        }
        let start = tail.align(next, &self.feet);
        let difference = tail.difference(next, start, limit);
        difference.is_finite().then_some((difference, start))
    }

    /// Gives each window the stop that follows it best; those that cannot stop are left out.
    fn segments(&mut self, windows: &[Window], stops: &[Window], threshold: f32) -> Vec<Segment> {
        let stop_clouds: Vec<Cloud> = stops.par_iter().map(|stop| self.cloud(*stop, 0)).collect();
        let best = |window: &Window| -> Option<(usize, Placement)> {
            let tail = self.cloud(*window, SEGMENT_FRAMES);
            let mut best: Option<(f32, usize, Placement)> = None;
            for (index, cloud) in stop_clouds.iter().enumerate() {
                let limit = best.map_or(threshold, |best| best.0);
                if let Some((difference, start)) = self.join(&tail, cloud, limit)
                    && difference < limit
                {
                    best = Some((difference, index, start));
                }
            }
            best.map(|(_, index, start)| (index, start))
        };
        let found: Vec<Option<(usize, Placement)>> = windows.par_iter().map(best).collect();
        let stopping = windows.iter().zip(found).filter_map(|(window, stop)| Some((*window, stop?)));
        let stopping: Vec<(Window, (usize, Placement))> = stopping.collect();
        stopping
            .into_iter()
            .map(|(window, (index, start))| self.segment(window, Joined { window: stops[index], start }))
            .collect()
    }

    fn segment(&mut self, window: Window, stop: Joined) -> Segment {
        let end = self.local(window, SEGMENT_FRAMES);
        let stop_start = end.then(stop.start);
        let mut path = [Vec2::ZERO; PLAN_FRAMES + 1];
        for (frame, point) in path.iter_mut().enumerate() {
            let Some(after) = frame.checked_sub(SEGMENT_FRAMES) else {
                *point = self.local(window, frame).position;
                continue;
            };
            let stopping = stop_start.then(self.local(stop.window, after)).position;
            *point = match after < BLEND_FRAMES {
                true => self.local(window, frame).position.lerp(stopping, blend_weight(after)),
                false => stopping,
            };
        }
        let rest_place = stop_start.then(self.local(stop.window, STOP_FRAMES));
        let rest = StateId(self.rest_of(stop.window));
        Segment { window, stop, rest, rest_place, path }
    }

    /// The number among the rests of the pose in which a stop ends.
    fn rest_of(&mut self, stop: Window) -> u16 {
        let still = self.stretches[stop.stretch as usize].still_from.unwrap_or_default();
        let pose = self.clip(stop).frame_rotations(still);
        let same = |rest: &Window| {
            let other = self.clip(*rest).frame_rotations(rest.first as usize);
            pose.iter().zip(other).all(|(a, b)| a.dot(*b).abs() > 0.999_999)
        };
        let index = self.rests.iter().position(same).unwrap_or_else(|| {
            self.rests.push(Window { stretch: stop.stretch, first: still as u32 });
            self.rests.len() - 1
        });
        index as u16
    }

    fn transitions(
        &self,
        tails: &[Window],
        segments: &[Segment],
        options: &SegmentOptions,
    ) -> (Vec<Vec<Transition>>, Option<CutShort>) {
        let heads: Vec<Cloud> = segments.par_iter().map(|segment| self.cloud(segment.window, 0)).collect();
        let list = |tail: &Window| {
            let cloud = self.cloud(*tail, 0);
            let mut list: Vec<Transition> = Vec::new();
            for (index, (segment, head)) in segments.iter().zip(&heads).enumerate() {
                if let Some((difference, start)) = self.join(&cloud, head, options.threshold) {
                    let end = start.then(self.local(segment.window, SEGMENT_FRAMES));
                    list.push(Transition { to: SegmentId(index as u16), difference, start, end });
                }
            }
            list.sort_by(|a, b| a.difference.total_cmp(&b.difference));
            let missing = list.get(options.most).map(|first| first.difference);
            list.truncate(options.most);
            (list, missing)
        };
        let (lists, missing): (Vec<Vec<Transition>>, Vec<Option<f32>>) = tails.par_iter().map(list).unzip();
        let missing: Vec<f32> = missing.into_iter().flatten().collect();
        let cut_short = (!missing.is_empty()).then(|| CutShort {
            states: missing.len(),
            of: tails.len(),
            from: missing.iter().copied().fold(f32::INFINITY, f32::min),
        });
        (lists, cut_short)
    }
}
