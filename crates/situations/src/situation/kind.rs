//! Kinds of situations that a program adds.

use super::{Change, Influence, Scenery, Situation, Spot, Visit};
use glam::Vec2;

/// A kind of situation of one's own.
///
/// People enter and leave it as they do the ready ones: by its region or its members, as many as its capacity, share and
/// times allow, and leaving removes every trace. It lends what its table says (actions, labels, behaviour functions) and
/// what [`Self::influence`] says. One value serves all situations of its kind; what it has to know of a visitor is in the
/// [`Visit`], which is saved with the crowd.
pub trait SituationKind: Send + Sync {
    /// Adds what the situation asks of a visitor to `influence`, at every decision while the visitor is in it.
    ///
    /// Nothing may be changed but through `visit` and [`Scenery::changes`], and chance comes from [`Scenery::random`]: then a
    /// run repeats itself. Returns a place in metres that the visitor makes its goal, if any.
    fn influence(
        &self,
        situation: &Situation,
        scenery: &mut Scenery<'_>,
        visit: &mut Visit,
        influence: &mut Influence,
    ) -> Option<Vec2>;
}

impl Scenery<'_> {
    /// The spot of the situation that the visitor holds, or claims now; `None` where all are taken.
    pub fn hold_spot(&mut self, situation: &Situation, visit: &mut Visit) -> Option<Spot> {
        super::activity::hold_spot(situation.activity.spots(), false, self, visit)
    }

    /// Whether the visitor has settled on a spot; else it is told how to get there.
    pub fn is_at(&self, spot: &Spot, visit: &mut Visit, influence: &mut Influence) -> bool {
        super::activity::is_at(spot, self, visit, influence)
    }

    /// Gives the visitor's spot up, if it holds one.
    pub fn give_up_spot(&mut self, visit: &mut Visit) {
        if let Some(spot) = visit.spot.take() {
            self.changes.push((self.agent, Change::Release(visit.situation, spot)));
        }
    }

    /// Lets the visitor take no part any longer; it has to leave and come again for that.
    pub fn leave(&mut self, visit: &mut Visit) {
        self.give_up_spot(visit);
        visit.takes_part = false;
        self.changes.push((self.agent, Change::Leave(visit.situation)));
    }
}
