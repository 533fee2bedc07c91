//! Segments as moves of a crowd: every transition of the book, with the stop after it, is a move that anybody can promise.

use crate::commitment::Commitment;
use crate::moves::{Move, MoveId, Part};
use crowdloom_base::labels::LabelSet;
use crowdloom_cell_marking::{
    PLAN_FRAMES, Playing, SEGMENT_FRAMES, STOP_FRAMES, SegmentBook, StateId, Window,
};
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::{Clip, Placement, Pose};
use std::sync::{Arc, OnceLock};

/// The transitions of a book as moves, each made when somebody first tries it: there are many, and few are ever used.
#[derive(Debug)]
pub struct SegmentMoves {
    book: Arc<SegmentBook>,
    /// The node in which a body that stands is.
    standing: NodeId,
    /// Whether bodies that stand after each of the stops stand as in that node.
    rest_as_in_node: Vec<bool>,
    /// The usual radius of discs in metres.
    radius: f32,
    /// By the size of the discs.
    made: Vec<OnceLock<Vec<OnceLock<Box<Move>>>>>,
}

/// The radius of the discs of somebody's moves: the usual one, or a whole number of centimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscSize(u8);

impl DiscSize {
    /// Discs may have so many sizes.
    const COUNT: usize = 1 << 7;

    /// The size nearest to a radius in metres; the usual one for 0.
    pub fn of(radius: f32) -> Self {
        Self((radius * 100.0).round().clamp(0.0, Self::COUNT as f32 - 1.0) as u8)
    }
}

/// Joints of two poses that are the same differ by less than this, in radians.
const SAME: f32 = 0.05;

/// Numbers of moves have this bit if they are transitions of segments.
const SEGMENT: u32 = 1 << 31;
/// … the size of the discs from this bit on, and below it the transition.
const SIZE_BIT: u32 = 24;
const TRANSITION: u32 = (1 << SIZE_BIT) - 1;

/// What a body of captured motion shows: two frames of clips by their numbers, and the share of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layers {
    /// The first clip and its frame.
    pub before: (u32, f32),
    /// The second clip and its frame.
    pub after: (u32, f32),
    /// The share of the second, from 0 to 1.
    pub share: f32,
}

impl Layers {
    /// The clip and its frame that count more, and the other with its share.
    pub fn greater(self) -> ((u32, f32), ((u32, f32), f32)) {
        match self.share < 0.5 {
            true => (self.before, (self.after, self.share)),
            false => (self.after, (self.before, 1.0 - self.share)),
        }
    }
}

impl SegmentMoves {
    pub(crate) fn new(book: Arc<SegmentBook>, standing: NodeId, pose: &Pose, radius: f32) -> Self {
        let made = (0..DiscSize::COUNT).map(|_| OnceLock::new()).collect();
        let is_same = |(clip, frame): (&Clip, usize)| {
            let own = clip.frame_rotations(frame);
            own.iter().zip(&pose.rotations).all(|(a, b)| a.angle_between(*b) < SAME)
        };
        let rest_as_in_node = book.rests().map(is_same).collect();
        Self { book, standing, rest_as_in_node, radius, made }
    }

    /// Whether somebody stands in a frame as in the node of those who stand.
    pub fn stands_as_in_node(&self, promise: &Commitment, frame: u32) -> bool {
        let rest =
            self.state_of(promise, frame).and_then(|state| state.0.checked_sub(self.book.standing().0));
        rest.is_some_and(|rest| self.rest_as_in_node.get(usize::from(rest)) == Some(&true))
    }

    /// The segments.
    pub fn book(&self) -> &Arc<SegmentBook> {
        &self.book
    }

    /// The farthest in metres that any of the moves gets from its start, its disc of `radius` metres included.
    pub(crate) fn reach(&self, radius: f32) -> f32 {
        self.book.reach() + radius + crate::commitment::SKIN
    }

    /// The number of positions of a move.
    pub const POSITIONS: usize = PLAN_FRAMES + 1;

    /// The move of a transition, by its number among those of all states, of somebody whose disc has that size.
    pub fn id(transition: u32, size: DiscSize) -> MoveId {
        MoveId(SEGMENT | u32::from(size.0) << SIZE_BIT | transition)
    }

    /// The number of the transition that a move is, if it is one.
    pub fn transition(id: MoveId) -> Option<u32> {
        (id.0 & SEGMENT != 0).then_some(id.0 & TRANSITION)
    }

    /// The radius in metres of discs of a size.
    pub fn radius_of(&self, size: DiscSize) -> f32 {
        if size == DiscSize::default() { self.radius } else { f32::from(size.0) / 100.0 }
    }

    /// Whether there is a transition of that number.
    pub fn knows(&self, transition: u32) -> bool {
        (transition as usize) < self.book.transition_count()
    }

    /// The move of that number, which is a transition.
    pub fn get(&self, id: MoveId) -> &Move {
        let size = DiscSize((id.0 >> SIZE_BIT) as u8 & (DiscSize::COUNT - 1) as u8);
        let transition = id.0 & TRANSITION;
        let all = || (0..self.book.transition_count()).map(|_| OnceLock::new()).collect();
        let made = &self.made[usize::from(size.0)].get_or_init(all)[transition as usize];
        made.get_or_init(|| Box::new(self.make(transition, self.radius_of(size))))
    }

    fn make(&self, transition: u32, radius: f32) -> Move {
        let playing = self.playing(transition, Placement::IDENTITY, 0);
        let track = (0..=PLAN_FRAMES as u32).map(|frame| playing.placement(&self.book, frame)).collect();
        let part = |first: usize, frames: usize| Part {
            action: None,
            first: first as u32,
            frames: frames as u32,
            to: self.standing,
        };
        let parts = vec![part(0, SEGMENT_FRAMES), part(SEGMENT_FRAMES, STOP_FRAMES)];
        Move::new(parts, 1, track, 1.0, radius, LabelSet::NONE).expect("captured placements are numbers")
    }

    fn playing(&self, transition: u32, place: Placement, start_frame: u32) -> Playing {
        let (state, transition) = self.book.transition(transition);
        Playing { state, place, segment: Some((transition.to, transition.start)), start_frame }
    }

    /// What somebody plays who has promised a segment, or stands.
    fn played(&self, promise: &Commitment) -> Playing {
        let Commitment { start, start_frame, .. } = *promise;
        match promise.doing.and_then(Self::transition) {
            Some(transition) => self.playing(transition, start, start_frame),
            None => Playing { state: self.book.standing(), place: start, segment: None, start_frame },
        }
    }

    /// The state of somebody in a frame; `None` where it may not decide, in the midst of a transition.
    pub fn state_of(&self, promise: &Commitment, frame: u32) -> Option<StateId> {
        self.played(promise).state_at(&self.book, frame).map(|(state, _)| state)
    }

    /// How many seconds somebody goes on as promised after `frame`, and where it is then.
    pub fn remaining(&self, promise: &Commitment, frame: u32) -> (f32, Placement) {
        self.played(promise).remaining(&self.book, frame)
    }

    /// What the body of somebody shows in a frame.
    pub fn layers(&self, promise: &Commitment, frame: u32) -> Layers {
        let [before, after] = self.played(promise).layers(&self.book, frame);
        let clip = |window: Window, at: usize| (window.stretch, (window.first as usize + at) as f32);
        Layers { before: clip(before.0, before.1), after: clip(after.0, after.1), share: after.3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_cell_marking::SegmentOptions;
    use crowdloom_motion::builtin;

    /// Few segments: that is quick.
    fn moves() -> SegmentMoves {
        let options = SegmentOptions { stride: 15, most: 40, ..SegmentOptions::default() };
        let book = SegmentBook::new(&builtin::library(), &options).unwrap();
        let pose = builtin::library().clips[0].pose(0);
        SegmentMoves::new(Arc::new(book), NodeId(0), &pose, 0.25)
    }

    #[test]
    fn a_move_is_the_plan_of_its_transition_and_ends_at_rest() {
        let moves = moves();
        let place = Placement::new(3.0, -2.0, 0.7);
        let count = moves.book.transition_count() as u32;
        for number in (0..count).step_by(97) {
            let (state, transition) = moves.book.transition(number);
            let first = moves.book.first_transition(state);
            let own = &moves.book.transitions(state)[(number - first) as usize];
            assert!(std::ptr::eq(own, transition), "{number} is a transition of its state");
            let id = SegmentMoves::id(number, DiscSize::default());
            let promise = Commitment::new(place, 100, id, NodeId(0));
            assert_eq!(promise.doing.and_then(SegmentMoves::transition), Some(number));
            let (track, plan) = (&moves.get(id).track, moves.book.plan_positions(state, transition, place));
            for (placement, planned) in track.iter().zip(plan) {
                assert!(place.then(*placement).position.distance(planned) < 1e-3, "{number}");
            }
            assert_eq!(moves.get(id).chosen_frames as usize, SEGMENT_FRAMES);
            assert_eq!(moves.state_of(&promise, 101), None, "in the midst of a transition");
            let rest = moves.state_of(&promise, 100 + PLAN_FRAMES as u32);
            assert_eq!(rest, Some(moves.book.rest_after(transition.to)));
            assert_eq!(moves.layers(&promise, 100 + PLAN_FRAMES as u32).share, 1.0);
        }
        assert!(moves.knows(count - 1) && !moves.knows(count));
    }

    #[test]
    fn discs_are_as_large_as_those_whose_they_are() {
        let moves = moves();
        let last = moves.book.transition_count() as u32 - 1;
        let [usual, wide] = [0.0, 0.413].map(|radius| SegmentMoves::id(last, DiscSize::of(radius)));
        assert_eq!([usual, wide].map(SegmentMoves::transition), [Some(last); 2]);
        let (one, other) = (moves.get(usual), moves.get(wide));
        assert_eq!((one.radius, other.radius), (0.25, 0.41));
        assert_eq!(one.track, other.track);
    }

    #[test]
    fn who_stands_may_always_decide() {
        let moves = moves();
        let standing = Commitment::standing(Placement::IDENTITY, 5, NodeId(0), 0.25);
        assert_eq!(moves.state_of(&standing, 9), Some(moves.book.standing()));
        assert!(!moves.book.transitions(moves.book.standing()).is_empty());
    }
}
