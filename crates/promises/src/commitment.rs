//! What an agent has promised: the move it is in, its way to rest, then standing still for ever.
//!
//! At every moment the commitments of any two agents are disjoint as discs in space-time. A decision may replace a
//! commitment only by one that keeps this; keeping the old one is always allowed. So nobody ever walks into anybody.

use crate::moves::{Move, MoveBook, MoveId};
use crowdloom_base::MovingDisc;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::{Anchor, Disc, Method, Placed};
use crowdloom_motion::{FRAME_RATE, Placement, wrap_angle};
use crowdloom_world::Ground;
use glam::Vec2;

/// Discs are this much larger in tests than what is promised, in metres: rounding must not break the promise.
pub const SKIN: f32 = 5e-4;

/// How far a body may sway before it steps, in metres.
const SWAY: f32 = 0.15;

/// Moves of more frames than this are searched by their trees instead of frame by frame.
const LONG: usize = 100;

/// A move that starts somewhere at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commitment {
    /// Where the move starts.
    pub start: Placement,
    /// The same, ready for tests.
    anchor: Anchor,
    /// The frame in which the move starts; it may lie in the past.
    pub start_frame: u32,
    /// Frames that the move has been going on in `start_frame`: of those who are on their way when the clock starts.
    pub head_start: u32,
    /// The move; `None` for an agent that only stands.
    pub doing: Option<MoveId>,
    /// The node in which the move starts, or in which the agent stands.
    pub node: NodeId,
    /// The radius in metres of one who only stands; moves know theirs.
    radius: f32,
    /// The frame from which on the agent is gone, whatever its move: of those who come to where they leave the scene.
    gone_from: u32,
}

/// The frame from which on those are gone who stay.
const NEVER: u32 = u32::MAX;

impl Commitment {
    /// Starting a move.
    pub fn new(start: Placement, start_frame: u32, doing: MoveId, node: NodeId) -> Self {
        Self {
            start,
            anchor: start.into(),
            start_frame,
            head_start: 0,
            doing: Some(doing),
            node,
            radius: 0.0,
            gone_from: NEVER,
        }
    }

    /// Being in the midst of a move that has been going on for so many frames in `frame`, in which one is `at` a place.
    pub fn under_way(
        book: &MoveBook,
        at: Placement,
        frame: u32,
        head_start: u32,
        doing: MoveId,
        node: NodeId,
    ) -> Self {
        let entry = book.get(doing);
        let head_start = head_start.min(entry.total_frames());
        let start = at.then(Placement::IDENTITY.relative_to(entry.track[head_start as usize]));
        Self { head_start, ..Self::new(start, frame, doing, node) }
    }

    /// The same after so many frames of the move were over when it started.
    pub fn with_head_start(self, head_start: u32) -> Self {
        Self { head_start, ..self }
    }

    /// The same of one who leaves the scene in `frame`, or stays in it.
    pub fn leaving(self, frame: Option<u32>) -> Self {
        Self { gone_from: frame.unwrap_or(NEVER), ..self }
    }

    /// The frame in which the agent leaves the scene in the midst of its move, if it does.
    pub fn leaves_in(&self) -> Option<u32> {
        (self.gone_from != NEVER).then_some(self.gone_from)
    }

    /// Frames that the move has been going on in `frame`.
    pub fn elapsed(&self, frame: u32) -> u32 {
        (frame.saturating_add(self.head_start)).saturating_sub(self.start_frame)
    }

    /// Standing still for ever, on a disc of `radius` metres.
    pub fn standing(at: Placement, start_frame: u32, node: NodeId, radius: f32) -> Self {
        Self {
            start: at,
            anchor: at.into(),
            start_frame,
            head_start: 0,
            doing: None,
            node,
            radius,
            gone_from: NEVER,
        }
    }

    /// The radius in metres of the disc that is promised.
    pub fn radius(&self, book: &MoveBook) -> f32 {
        self.entry(book).map_or(self.radius, |entry| entry.radius)
    }

    /// Whether the agent is there in `frame`: a move may begin later, and its end may be that one is gone.
    pub fn is_there(&self, book: &MoveBook, frame: u32) -> bool {
        let ends = |entry: &Move| !entry.stays && self.elapsed(frame) >= entry.total_frames();
        (self.start_frame..self.gone_from).contains(&frame) && !self.entry(book).is_some_and(ends)
    }

    /// Which way the agent faced when the move started.
    pub fn facing(&self) -> Vec2 {
        self.anchor.facing
    }

    fn entry<'a>(&self, book: &'a MoveBook) -> Option<&'a Move> {
        self.doing.map(|doing| book.get(doing))
    }

    /// What the agent does in `frame`, for others to avoid: its disc, and its velocity over the next half second of its
    /// commitment, which evens out the sway of its steps.
    pub fn moving_disc(&self, book: &MoveBook, frame: u32) -> MovingDisc {
        const AHEAD: u32 = 15;
        let centre = self.position(book, frame);
        let velocity = (self.position(book, frame + AHEAD) - centre) * (FRAME_RATE / AHEAD as f32);
        MovingDisc { centre, velocity, radius: self.radius(book) }
    }

    /// The placement in `frame`.
    pub fn placement(&self, book: &MoveBook, frame: u32) -> Placement {
        match self.entry(book) {
            None => self.start,
            Some(entry) => {
                let at = self.elapsed(frame).min(entry.total_frames());
                let step = entry.track[at as usize];
                Placement {
                    position: self.anchor.transform_point(step.position),
                    heading: wrap_angle(self.start.heading + step.heading),
                }
            }
        }
    }

    /// The position in `frame`, in metres.
    pub fn position(&self, book: &MoveBook, frame: u32) -> Vec2 {
        match self.entry(book) {
            None => self.start.position,
            Some(entry) => {
                let at = self.elapsed(frame).min(entry.total_frames());
                self.anchor.transform_point(entry.track[at as usize].position)
            }
        }
    }

    /// The action that plays in `frame` and the (fractional) frame of its clip; `None` for an agent that stands.
    pub fn showing(&self, book: &MoveBook, frame: u32) -> Option<(ActionId, f32)> {
        let entry = self.entry(book)?;
        let at = self.elapsed(frame).min(entry.total_frames());
        let part = entry.part_at(at);
        let action = part.action?;
        let clip_frames = book.graph().action(action).clip.frames() - 1;
        let elapsed = (at - part.first).min(part.frames);
        Some((action, elapsed as f32 * clip_frames as f32 / part.frames as f32))
    }

    /// The frame from which on the agent stands still.
    pub fn rest_frame(&self, book: &MoveBook) -> u32 {
        let left = |entry: &Move| entry.total_frames().saturating_sub(self.head_start);
        self.start_frame + self.entry(book).map_or(0, left)
    }

    /// A disc in the world that the whole commitment stays inside of.
    pub fn bounds(&self, book: &MoveBook) -> Disc {
        match self.entry(book) {
            None => Disc::new(self.start.position, self.radius + 1e-3),
            Some(entry) => self.anchor.transform_disc(entry.tree.bounds()),
        }
    }

    /// The disc in which the agent stands in the end; `None` of one who is gone then.
    pub fn rest_disc(&self, book: &MoveBook) -> Option<Disc> {
        match self.entry(book) {
            _ if self.gone_from != NEVER => None,
            None => Some(Disc::new(self.start.position, self.radius + SKIN)),
            Some(entry) if entry.stays => Some(self.anchor.transform_disc(entry.tree.track().end())),
            Some(_) => None,
        }
    }

    /// Whether the two commitments overlap in any frame from the later start on.
    pub fn clashes(&self, other: &Self, book: &MoveBook) -> bool {
        if !self.bounds(book).meets(other.bounds(book)) {
            return false;
        }
        let gone_from = self.gone_from.min(other.gone_from);
        if gone_from != NEVER {
            return self.clashes_before(gone_from, other, book);
        }
        if let (Some(own), Some(others)) = (self.rest_disc(book), other.rest_disc(book))
            && own.meets(others)
        {
            return true;
        }
        if let (Some(own), Some(others)) = (self.placed(book), other.placed(book))
            && own.meets(&others, Method::Best)
        {
            return true;
        }
        self.rest_is_crossed_by(other, book) || other.rest_is_crossed_by(self, book)
    }

    /// Whether the two commitments overlap in any frame before `end`, when one of them is gone: that is soon, so the frames are
    /// few.
    fn clashes_before(&self, end: u32, other: &Self, book: &MoveBook) -> bool {
        let both = |frame: u32| Some((self.disc(book, frame)?, other.disc(book, frame)?));
        let first = self.start_frame.max(other.start_frame);
        (first..end).any(|frame| both(frame).is_some_and(|(own, others)| own.meets(others)))
    }

    /// The disc that is promised in `frame`, if the agent is there.
    fn disc(&self, book: &MoveBook, frame: u32) -> Option<Disc> {
        if !self.is_there(book, frame) {
            return None;
        }
        let Some(entry) = self.entry(book) else {
            return Some(Disc::new(self.start.position, self.radius + SKIN));
        };
        let track = entry.tree.track();
        let at = (self.elapsed(frame) as usize).min(track.duration().saturating_sub(1));
        Some(self.anchor.transform_disc(track.disc(at)))
    }

    /// Whether `test` holds for any of the discs that the agent is in from `frame` on.
    pub fn any_disc(&self, book: &MoveBook, frame: u32, test: &dyn Fn(Disc) -> bool) -> bool {
        let rests = || self.rest_disc(book).is_some_and(test);
        let Some(entry) = self.entry(book) else { return rests() };
        let track = entry.tree.track();
        let last = track.duration().min(self.elapsed(self.gone_from) as usize);
        let first = (self.elapsed(frame) as usize).min(last.saturating_sub(1));
        (first..last).any(|at| test(self.anchor.transform_disc(track.disc(at)))) || rests()
    }

    /// The move of the commitment, ready for collision tests; `None` for an agent that only stands.
    pub fn placed<'a>(&self, book: &'a MoveBook) -> Option<Placed<'a>> {
        let entry = self.entry(book)?;
        Some(Placed {
            tree: &entry.tree,
            anchor: self.anchor,
            start_frame: self.start_frame as i32 - self.head_start as i32,
        })
    }

    /// Whether `other` moves through the place where this agent stands, once it stands there.
    fn rest_is_crossed_by(&self, other: &Self, book: &MoveBook) -> bool {
        let rest = self.rest_disc(book);
        rest.is_some_and(|rest| other.crosses(rest, self.rest_frame(book), book))
    }

    /// Whether this agent moves through `disc` in a frame from `from_frame` on.
    pub fn crosses(&self, disc: Disc, from_frame: u32, book: &MoveBook) -> bool {
        let Some(entry) = self.entry(book) else { return false };
        let from = self.elapsed(from_frame);
        if from >= entry.total_frames() {
            return false;
        }
        let local = Disc::new(self.anchor.inverse_transform_point(disc.centre), disc.radius);
        let track = entry.tree.track();
        let last = track.duration().min(self.elapsed(self.gone_from) as usize);
        if track.duration() > LONG {
            return entry.tree.meets_disc(local, from as i32..last as i32);
        }
        (from as usize..last).any(|frame| track.disc(frame).meets(local))
    }

    /// Whether this agent is in `disc` in any frame from `frame` on.
    pub fn comes_to(&self, disc: Disc, frame: u32, book: &MoveBook) -> bool {
        let rests = || self.rest_disc(book).is_some_and(|rest| rest.meets(disc));
        self.bounds(book).meets(disc) && (rests() || self.crosses(disc, frame, book))
    }

    /// Whether the whole commitment stays off the walls of `ground`.
    ///
    /// `radii` holds [`MoveBook::longest_path`] times the radius to keep exactly, `wide_radii` as many times the radius
    /// with which the coarse path is safe.
    pub fn is_clear_of(&self, ground: &Ground, book: &MoveBook, radii: &[f32], wide_radii: &[f32]) -> bool {
        let Some(entry) = self.entry(book) else {
            return ground.is_free(self.start.position, self.radius);
        };
        let clear = |path: &[Vec2], radii: &[f32]| {
            ground.sweep_is_free(path, &radii[..path.len()], self.anchor.position, self.anchor.facing)
        };
        if self.gone_from != NEVER {
            // What would come after one is gone needs no room, nor does one need any to set out again.
            let last = self.elapsed(self.gone_from).min(entry.total_frames()) as usize;
            return clear(&entry.fine_path[..=last], radii);
        }
        if clear(&entry.path, wide_radii) {
            return true;
        }
        // Bodies sway before they step: who stood at a wall with no room to spare could never leave it. So moves keep a
        // margin, unless they start so near that swaying would break it; those must not end nearer than they start.
        let margin = wide_radii.first().copied().unwrap_or_default();
        let room = ground.nearest_wall(self.start.position).map_or(f32::INFINITY, |wall| wall.distance);
        if room > margin + SWAY {
            return false;
        }
        let ends = [entry.chosen_frames, entry.total_frames()].map(|frame| entry.fine_path[frame as usize]);
        let keeps_room =
            |end: Vec2| ground.is_free(self.anchor.transform_point(end), margin.min(room) - 1e-5);
        ends.into_iter().all(keeps_room) && clear(&entry.fine_path, radii)
    }
}
