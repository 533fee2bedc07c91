//! Leaving the scene: who comes to its exit is gone in that very frame, and promises no more than that.
//!
//! So those behind need not keep clear of the rest of its step, nor of where it would come to rest.

use crate::commitment::Commitment;
use crate::consult::Who;
use crate::crowd::Setting;
use crate::decision::{Decider, Decision, Scratch};
use crate::ledger::Binding;
use crate::mind::Mind;
use crate::shared::Shared;
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
    let stop = mind.stop.filter(|_| !mind.diverted && mind.goal.is_some());
    let stop = stop.and_then(|stop| shared.scenario.stops.get(usize::from(stop)));
    let Some(exit) = stop.filter(|stop| stop.exit) else { return promise };
    let regions = setting.ground.regions();
    let is_out = |frame: &u32| {
        let place = promise.position(&setting.book, *frame);
        exit.regions.iter().any(|&region| regions[region].contains(place))
    };
    // Elsewhere nobody steps in and out of a region at once.
    if mind.is_near_goal(promise.start.position, ALMOST_OUT) || is_out(frames.end()) {
        return promise.leaving(frames.find(is_out));
    }
    promise
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
        let bounds = stays.bounds(book);
        self.gather(who, decided, &mut scratch.neighbours);
        let mut others = scratch.neighbours.iter();
        let vehicle = mind.ride.as_ref().map(|ride| ride.vehicle);
        let forbidden = others.any(|(other, around)| around.meets(bounds) && stays.clashes(other, book))
            || self.now().is_driven_against(vehicle, &stays, bounds)
            || self.ledger.is_foretold_against(Binding::Firm, &stays, bounds, book);
        match forbidden {
            true => Decision { leaves: true, settles: true, ..Decision::keep(self.frame + 1) },
            false => Decision { commitment: Some(stays), ..decision },
        }
    }
}
