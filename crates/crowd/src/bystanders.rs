//! Those who are moved by something else, as clip agents see them: a disc each that may stand where it is for ever.

use crate::commitment::Commitment;
use crate::grid::NeighbourGrid;
use crate::moves::MoveBook;
use crowdloom_motion::mobb::Disc;
use glam::Vec2;

/// Discs that nobody promises to walk through.
#[derive(Default)]
pub(crate) struct Bystanders {
    discs: Vec<Disc>,
    grid: NeighbourGrid,
    widest: f32,
}

/// The side of a cell in metres.
const CELL: f32 = 2.0;

impl Bystanders {
    /// Says anew where everybody is.
    pub(crate) fn replace(&mut self, discs: impl Iterator<Item = Disc>) {
        self.discs.clear();
        self.discs.extend(discs);
        self.widest = self.discs.iter().map(|disc| disc.radius).fold(0.0, f32::max);
        let centres: Vec<Vec2> = self.discs.iter().map(|disc| disc.centre).collect();
        self.grid.rebuild(&centres, CELL);
    }

    /// All of them.
    pub(crate) fn discs(&self) -> &[Disc] {
        &self.discs
    }

    /// Whether a commitment comes to any of them in a frame from `frame` on.
    pub(crate) fn are_met_by(&self, commitment: &Commitment, frame: u32, book: &MoveBook) -> bool {
        if self.discs.is_empty() {
            return false;
        }
        let bounds = commitment.bounds(book);
        let mut met = false;
        self.grid.for_each_within(bounds.centre, bounds.radius + self.widest, |index, _, _| {
            met = met || commitment.comes_to(self.discs[index as usize], frame, book);
        });
        met
    }
}
