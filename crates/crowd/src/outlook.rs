//! What everybody has promised, as those who plan motions see it.

use crate::crowd::Crowd;
use crowdloom_motion::mobb::Disc;
use crowdloom_synthesis::{Owner, Traffic};
use glam::Vec2;

/// What trying one way of meeting a goal costs besides what is counted, in units of the search: its seeds.
pub(crate) const ROUND_UNITS: u64 = 60;

/// Whose planned motions and standing bodies are, that have no number of their own.
const OTHERS: Owner = Owner::MAX - 1;

impl Crowd {
    /// Adds to `traffic` what everybody but the agent at `index` has promised from now on, as far as it meets `around`:
    /// clip agents, planned motions and those who are moved by something else.
    pub(crate) fn tell_promises(&self, index: usize, around: Option<Disc>, traffic: &mut Traffic) {
        let book = &self.setting.book;
        let radius = book.options().radius;
        let now = self.frame;
        let meets = |disc: Disc| around.is_none_or(|around| disc.meets(around));
        let mut positions: Vec<Vec2> = Vec::new();
        for agent in (0..self.len()).filter(|&other| other != index && meets(self.bounds[other])) {
            let commitment = &self.commitments[agent];
            let rest = commitment.rest_frame(book).max(now);
            positions.clear();
            positions.extend((now..=rest).map(|frame| commitment.position(book, frame)));
            traffic.add(self.ids[agent], &positions, now as i32, radius);
            traffic.add_stay(self.ids[agent], positions[positions.len() - 1], rest as i32, i32::MAX, radius);
        }
        for (_, directed) in self.directed.iter().filter(|(_, directed)| meets(directed.bounds())) {
            positions.clear();
            positions.extend(directed.positions());
            traffic.add(OTHERS, &positions, directed.first_frame() as i32, radius);
            if directed.stays() {
                let end = directed.last_frame() as i32;
                traffic.add_stay(OTHERS, positions[positions.len() - 1], end, i32::MAX, radius);
            }
        }
        for disc in self.bystanders.discs().iter().filter(|disc| meets(**disc)) {
            traffic.add_stay(OTHERS, disc.centre, now as i32, i32::MAX, disc.radius);
        }
    }
}
