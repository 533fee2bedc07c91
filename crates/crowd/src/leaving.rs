//! Leaving the scene: who comes to its exit is gone in that very frame, and promises no more than that.
//!
//! So those behind need not keep clear of the rest of its step, nor of where it would come to rest.

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::crowd::Setting;
use crate::decision::{Decider, Decision, Scratch};
use crate::ledger::Binding;
use crate::mind::Mind;
use crate::scenario::Stop;
use crate::shared::Shared;
use glam::Vec2;
use std::ops::RangeInclusive;

/// Who is this near to an exit, in metres, may be out before its next step ends.
const ALMOST_OUT: f32 = 4.0;

/// A promise that is decided about anew in the last of `frames`, ended as soon as it has come to the exit that somebody goes to.
pub(crate) fn until_out(
    (setting, shared): (&Setting, &Shared),
    promise: Commitment,
    mind: &Mind,
    mut frames: RangeInclusive<u32>,
) -> Commitment {
    let Some(exit) = exit_of(mind, shared) else { return promise };
    let is_out = |frame: &u32| is_in(exit, setting, promise.position(&setting.book, *frame));
    // Elsewhere nobody steps in and out of a region at once.
    if mind.is_near_goal(promise.start.position, ALMOST_OUT) || is_out(frames.end()) {
        return promise.leaving(frames.find(is_out));
    }
    promise
}

/// The exit that somebody goes to.
fn exit_of<'a>(mind: &Mind, shared: &'a Shared) -> Option<&'a Stop> {
    let stop = mind.stop.filter(|_| !mind.diverted && mind.goal.is_some());
    stop.and_then(|stop| shared.scenario.stops.get(usize::from(stop))).filter(|stop| stop.exit)
}

fn is_in(exit: &Stop, setting: &Setting, place: Vec2) -> bool {
    exit.regions.iter().any(|&region| setting.ground.regions()[region].contains(place))
}

impl Decider<'_> {
    /// A decision of somebody who may have promised to be gone: it decides again in that frame, and leaves in it unless it is
    /// wanted elsewhere by then and nobody has counted on its leaving.
    pub(crate) fn hold_to_leaving(
        &self,
        who: Who,
        mind: &Mind,
        decision: Decision,
        decided: &[(u32, Decision)],
        scratch: &mut Scratch,
    ) -> Decision {
        let own = &self.ledger.promises[who.index as usize];
        let promise = decision.commitment.as_ref().unwrap_or(own);
        let Some(leaves_in) = promise.leaves_in() else { return decision };
        if leaves_in > self.frame || decision.leaves {
            return Decision { again: decision.again.min(leaves_in), ..decision };
        }
        let (stays, book) = (own.leaving(None), &*self.setting.book);
        let (bounds, ground) = (stays.bounds(book), self.walls_for(who));
        self.gather(who, decided, &mut scratch.neighbours);
        let mut others = scratch.neighbours.iter();
        let vehicle = mind.ride.as_ref().map(|ride| ride.vehicle);
        let wanted = exit_of(mind, self.shared);
        let forbidden = wanted.is_some_and(|exit| is_in(exit, self.setting, who.placement.position))
            || others.any(|(other, around)| around.meets(bounds) && stays.clashes(other, book))
            || stays.any_disc(book, self.frame, &|disc| !ground.is_free(disc.centre, disc.radius))
            || self.now().is_driven_against(vehicle, &stays, bounds)
            || self.ledger.is_foretold_against(Binding::Firm, &stays, bounds, book);
        match forbidden {
            true => Decision { leaves: true, settles: true, ..Decision::keep(self.frame + 1) },
            false => Decision { commitment: Some(stays), ..decision },
        }
    }
}
