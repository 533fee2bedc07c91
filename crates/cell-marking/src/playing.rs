//! What an agent's body shows: a segment that grows out of the one before, the stop after it, or standing.

use super::book::{Joined, SegmentBook, SegmentId, StateId, Window, blend_weight};
use super::plan::{BLEND_FRAMES, PLAN_FRAMES, SEGMENT_FRAMES, STOP_FRAMES};
use crowdloom_motion::{Contacts, FRAME_RATE, Placement, Pose};

/// A body in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Where it is.
    pub placement: Placement,
    /// Its pose.
    pub pose: Pose,
    /// What of its feet is on the ground.
    pub contacts: Contacts,
}

/// What an agent plays since its last decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playing {
    /// The state it comes from …
    pub state: StateId,
    /// … and where it was in it.
    pub place: Placement,
    /// The segment and where it starts as seen from the state; `None` while standing.
    pub segment: Option<(SegmentId, Placement)>,
    /// The frame in which it began.
    pub start_frame: u32,
}

impl Playing {
    /// The state of a body, and where it is, in a frame; `None` where it may not decide, in the midst of a transition or
    /// between two states.
    pub fn state_at(&self, book: &SegmentBook, frame: u32) -> Option<(StateId, Placement)> {
        let Some((id, start)) = self.segment else { return Some((self.state, self.place)) };
        let begin = self.place.then(start);
        let segment = book.segment(id);
        let elapsed = (frame - self.start_frame) as usize;
        let stopping = elapsed.checked_sub(SEGMENT_FRAMES).filter(|stopping| *stopping > 0);
        if elapsed >= PLAN_FRAMES || stopping.is_some_and(|k| book.is_still(segment.stop.window.after(k))) {
            return Some((segment.rest, begin.then(segment.rest_place)));
        }
        if stopping.unwrap_or(elapsed) < BLEND_FRAMES {
            return None;
        }
        let (window, place) = match stopping {
            None => (segment.window.after(elapsed), begin.then(local(book, segment.window, elapsed))),
            Some(stopping) => {
                let end = begin.then(local(book, segment.window, SEGMENT_FRAMES));
                let stop = end.then(segment.stop.start).then(local(book, segment.stop.window, stopping));
                (segment.stop.window.after(stopping), stop)
            }
        };
        Some((book.state(window)?, place))
    }

    /// How many seconds the body goes on as planned after `frame`, until the segment or the stop is over, and where it is
    /// then.
    pub fn remaining(&self, book: &SegmentBook, frame: u32) -> (f32, Placement) {
        let elapsed = (frame - self.start_frame) as usize;
        let end = if elapsed < SEGMENT_FRAMES { SEGMENT_FRAMES } else { PLAN_FRAMES };
        let seconds = end.saturating_sub(elapsed).max(1) as f32 / FRAME_RATE;
        (seconds, self.placement(book, self.start_frame + end as u32))
    }

    /// The two motions that mix in a frame: each with its place and the frame of its stretch, and the second's share.
    pub fn layers(&self, book: &SegmentBook, frame: u32) -> [(Window, usize, Placement, f32); 2] {
        let elapsed = (frame - self.start_frame) as usize;
        let Some((id, start)) = self.segment else {
            let still = (book.tail(self.state), 0, self.place, 1.0);
            return [still, still];
        };
        let segment = book.segment(id);
        let (tail, at, joined, elapsed) = match elapsed {
            0..SEGMENT_FRAMES => {
                (book.tail(self.state), self.place, Joined { window: segment.window, start }, elapsed)
            }
            _ => {
                let end = self.place.then(start).then(local(book, segment.window, SEGMENT_FRAMES));
                let elapsed = (elapsed - SEGMENT_FRAMES).min(STOP_FRAMES);
                (segment.window.after(SEGMENT_FRAMES), end, segment.stop, elapsed)
            }
        };
        let begin = at.then(joined.start);
        let next = (joined.window, elapsed, begin.then(local(book, joined.window, elapsed)), 1.0);
        if elapsed >= BLEND_FRAMES {
            return [next, next];
        }
        let weight = blend_weight(elapsed);
        [(tail, elapsed, at.then(local(book, tail, elapsed)), 1.0 - weight), (next.0, next.1, next.2, weight)]
    }

    /// Where the body is.
    pub fn placement(&self, book: &SegmentBook, frame: u32) -> Placement {
        let [before, after] = self.layers(book, frame);
        before.2.lerp(after.2, after.3)
    }

    /// The body, posed.
    pub(crate) fn show(&self, book: &SegmentBook, frame: u32) -> Shown {
        let [before, after] = self.layers(book, frame);
        let share = after.3;
        let (a, b) = (book.clip(before.0), book.clip(after.0));
        let (i, j) = (before.0.first as usize + before.1, after.0.first as usize + after.1);
        let rotations = a.frame_rotations(i).iter().zip(b.frame_rotations(j));
        let pose = Pose {
            root_height: a.root_heights[i] + (b.root_heights[j] - a.root_heights[i]) * share,
            rotations: rotations.map(|(a, b)| a.slerp(*b, share)).collect(),
        };
        let contacts = if share < 0.5 { a.contacts[i] } else { b.contacts[j] };
        Shown { placement: before.2.lerp(after.2, share), pose, contacts }
    }
}

fn local(book: &SegmentBook, window: Window, frame: usize) -> Placement {
    let track = &book.clip(window).track;
    let first = window.first as usize;
    track[(first + frame).min(track.len() - 1)].relative_to(track[first])
}
