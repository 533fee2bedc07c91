//! Motions that were planned elsewhere, such as by constrained motion synthesis: the crowd keeps off them.
//!
//! A directed motion is a promise like any commitment: a disc in space-time that ends in standing for ever, or in leaving.

use crate::commitment::Commitment;
use crate::moves::MoveBook;
use crowdloom_motion::Placement;
use crowdloom_motion::mobb::{Anchor, Disc, DiscTrack, Method, MotionTree, Placed};
use glam::Vec2;

/// Discs are this much larger in tests than what is promised, in metres.
const SKIN: f32 = 5e-4;

/// A planned motion that the crowd keeps off.
#[derive(Clone, Debug)]
pub struct Directed {
    tree: MotionTree,
    first_frame: u32,
    /// Where it stands in the end; `None` for one that is gone then.
    rest: Option<Disc>,
}

impl Directed {
    /// A body of `radius` metres at `positions` (metres), one for each frame from `first_frame` on; `stays` at the last.
    ///
    /// `None` where there is no position, or one that is not finite.
    pub fn new(positions: &[Vec2], first_frame: u32, radius: f32, stays: bool) -> Option<Self> {
        let track = DiscTrack::with_radius(positions, radius + SKIN).ok()?;
        let rest = stays.then(|| track.end());
        Some(Self { tree: MotionTree::new(track), first_frame, rest })
    }

    /// The frame in which it starts.
    pub fn first_frame(&self) -> u32 {
        self.first_frame
    }

    /// Where it is in its frames from the first on, the last one too, in metres.
    pub fn positions(&self) -> impl Iterator<Item = Vec2> + '_ {
        let track = self.tree.track();
        (0..=track.duration()).map(|frame| track.disc(frame).centre)
    }

    /// A disc that it stays inside of.
    pub(crate) fn bounds(&self) -> Disc {
        self.tree.bounds()
    }

    /// Whether it stands where it ends for ever.
    pub fn stays(&self) -> bool {
        self.rest.is_some()
    }

    /// The frame after which it stands still or is gone.
    pub fn last_frame(&self) -> u32 {
        self.first_frame + self.tree.duration() as u32
    }

    /// Whether it is in `disc` in any frame from `frame` on.
    pub(crate) fn comes_to(&self, disc: Disc, frame: u32) -> bool {
        let from = frame.saturating_sub(self.first_frame) as i32;
        self.tree.meets_disc(disc, from..i32::MAX) || self.rest.is_some_and(|rest| rest.meets(disc))
    }

    /// Whether a commitment overlaps it in any frame from the later start on.
    pub fn clashes(&self, commitment: &Commitment, book: &MoveBook) -> bool {
        let bounds = commitment.bounds(book);
        if !bounds.meets(self.tree.bounds()) {
            return false;
        }
        let placed =
            |start_frame| Placed { tree: &self.tree, anchor: Anchor::from(Placement::IDENTITY), start_frame };
        if let Some(own) = commitment.placed(book)
            && own.meets(&placed(self.first_frame as i32), Method::Best)
        {
            return true;
        }
        let stand = commitment.rest_disc(book);
        let from = commitment.rest_frame(book).saturating_sub(self.first_frame) as i32;
        if self.tree.meets_disc(stand, from..i32::MAX) {
            return true;
        }
        self.rest.is_some_and(|rest| rest.meets(stand) || commitment.crosses(rest, self.last_frame(), book))
    }
}
