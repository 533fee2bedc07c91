//! What everybody has promised, as those who plan motions see it.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crowdloom_motion::mobb::Disc;
use crowdloom_synthesis::{Owner, Traffic};
use glam::Vec2;

/// What trying one way of meeting a goal costs besides what is counted, in units of the search: its seeds.
pub(crate) const ROUND_UNITS: u64 = 60;

impl Crowd {
    /// Adds to `traffic` what everybody but the person at `index` has promised from now on, as far as it meets `around`.
    pub(crate) fn tell_promises(&self, index: usize, around: Option<Disc>, traffic: &mut Traffic) {
        let meets = |disc: Disc| around.is_none_or(|around| disc.meets(around));
        let mut others: Vec<usize> = Vec::new();
        match around {
            Some(Disc { centre, radius }) => {
                self.ledger.for_each_near(centre, radius, |other, _| others.push(other as usize));
                others.sort_unstable();
            }
            None => others.extend(0..self.len()),
        }
        for other in others.into_iter().filter(|&other| other != index) {
            self.tell_promise(self.ids[other], &self.ledger.promises[other], traffic);
        }
        for (id, promise, _) in self.ledger.foretold.iter().filter(|(_, _, bounds)| meets(*bounds)) {
            self.tell_promise(*id, promise, traffic);
        }
    }

    fn tell_promise(&self, owner: Owner, promise: &Commitment, traffic: &mut Traffic) {
        let book = &self.setting.book;
        let radius = promise.radius(book);
        let first = self.frame.max(promise.start_frame);
        let last = promise.leaves_in().map_or(u32::MAX, |frame| frame.saturating_sub(1));
        let rest = promise.rest_frame(book).min(last).max(first);
        let positions: Vec<Vec2> = (first..=rest).map(|frame| promise.position(book, frame)).collect();
        traffic.add(owner, &positions, first as i32, radius);
        if promise.rest_disc(book).is_some() {
            traffic.add_stay(owner, positions[positions.len() - 1], rest as i32, i32::MAX, radius);
        }
    }
}
