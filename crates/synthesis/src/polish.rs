//! Brings two motions together systematically: every replacement of one clip in each, taken together.
//!
//! The published search replaces one clip at random and measures all joins. With the join held fast, where a motion
//! with one clip replaced comes to follows from two compositions, so thousands of pairs are measured in the time of
//! one; what is left over the random search still takes up.

use crate::join::{Join, Terms, near_angle};
use crate::repertoire::Repertoire;
use crate::spot::Spot;
use crate::walk::{Held, Walk};
use crowdloom_motion::FRAME_TIME;
use crowdloom_motion::graph::ActionId;
use glam::Vec2;

/// Most replacements that are looked at in one motion.
const MOST_TWISTS: usize = 128;
/// Most pairs of replacements that are handed back.
const MOST_PAIRS: usize = 96;

/// What seeds keep off walls and people besides their bodies covers displacements of so many metres; ε alone would allow long
/// motions far more, and they would meet what their seeds kept off.
pub(crate) const CLOSE: f32 = 0.08;
/// So many pairs that displace the motion no more are enough.
const MOST_CLOSE: usize = 24;

/// A motion with one clip replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twist {
    /// Which clip, and by what; `None` leaves all as they are.
    pub change: Option<(u32, ActionId)>,
    /// Where the motion then comes to at the join, and after how many frames.
    spot: Spot,
    frames: u32,
    /// From there to the goal, as the body sees it.
    way: Vec2,
}

/// Two replacements and what the join then costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwistPair {
    pub forward: u32,
    pub backward: u32,
    pub cost: f32,
}

/// Lists that polishing needs.
#[derive(Default)]
pub(crate) struct Polish {
    pub forward: Vec<Twist>,
    pub backward: Vec<Twist>,
    /// Pairs within tolerance: first those that hardly displace the motion, then those that change little of the way; or the
    /// best one.
    pub pairs: Vec<TwistPair>,
    /// How many of them hardly displace it.
    close: usize,
}

impl Polish {
    /// Finds the replacements that join best at `join`.
    pub fn run(
        &mut self,
        repertoire: &Repertoire,
        forward: &Walk,
        backward: &Walk,
        join: &Join,
        terms: &Terms,
        tolerance: f32,
    ) {
        let goal = backward.spots[backward.actions.len()];
        twists(repertoire, forward, join.forward, goal, &mut self.forward);
        twists(repertoire, backward, join.backward, goal, &mut self.backward);
        // Replacements change this little.
        let moment = backward.moments[join.backward] - forward.moments[join.forward];
        self.pairs.clear();
        self.close = 0;
        let mut best = TwistPair { forward: 0, backward: 0, cost: f32::INFINITY };
        'all: for (f, one) in self.forward.iter().enumerate() {
            for (b, other) in self.backward.iter().enumerate() {
                let frames = one.frames + other.frames;
                let seconds = frames as f32 * FRAME_TIME;
                let limit = (best.cost.max(tolerance) * seconds).min(terms.most);
                let apart = if terms.free.position {
                    0.0
                } else if terms.free.heading {
                    (one.spot.position + one.spot.facing.rotate(other.way)).distance_squared(goal.position)
                } else {
                    let turn = near_angle(other.spot.heading - one.spot.heading);
                    if terms.metres_per_radian * turn.abs() > limit {
                        continue;
                    }
                    (other.spot.position - one.spot.position + moment * (turn / frames.max(1) as f32))
                        .length_squared()
                };
                if apart > limit * limit || frames == 0 {
                    continue;
                }
                let turn = if terms.free.heading {
                    0.0
                } else {
                    near_angle(one.spot.heading - other.spot.heading).abs()
                };
                let late = terms.missed_frames(frames) as f32;
                let error = apart.sqrt() + terms.metres_per_radian * turn + terms.metres_per_frame * late;
                if error > limit {
                    continue;
                }
                let pair = TwistPair { forward: f as u32, backward: b as u32, cost: error / seconds };
                if pair.cost < best.cost {
                    best = pair;
                }
                if pair.cost <= tolerance {
                    self.pairs.push(pair);
                    if error <= CLOSE {
                        let last = self.pairs.len() - 1;
                        self.pairs.swap(self.close, last);
                        self.close += 1;
                    }
                    if self.close == MOST_CLOSE || self.close > 0 && self.pairs.len() >= MOST_PAIRS {
                        break 'all;
                    }
                }
            }
        }
        if self.pairs.is_empty() {
            self.pairs.push(best);
        }
    }

    /// Carries out a pair of replacements.
    pub fn apply(&self, repertoire: &Repertoire, pair: TwistPair, forward: &mut Walk, backward: &mut Walk) {
        let changes = [
            (self.forward.get(pair.forward as usize), forward),
            (self.backward.get(pair.backward as usize), backward),
        ];
        for (twist, walk) in changes {
            if let Some((place, action)) = twist.and_then(|twist| twist.change) {
                walk.replace(repertoire, place as usize, action);
            }
        }
    }
}

/// The motion as it is, then with each of its clips up to the join replaced by each that can take its place.
fn twists(repertoire: &Repertoire, walk: &Walk, join: usize, goal: Spot, twists: &mut Vec<Twist>) {
    let seen = |spot: Spot| Vec2::new(spot.facing.x, -spot.facing.y).rotate(goal.position - spot.position);
    let here = walk.spots[join];
    twists.clear();
    twists.push(Twist { change: None, spot: here, frames: walk.frames[join], way: seen(here) });
    // From the join outwards: what is replaced near it leaves most of the way as it was.
    let count = if walk.held == Held::Start { join } else { walk.actions.len() - join };
    for step in 0..count {
        let place = if walk.held == Held::Start { join - 1 - step } else { join + step };
        let action = walk.actions[place];
        let clip = repertoire.clip(action);
        let (near, far) = match walk.held {
            Held::Start => (place, place + 1),
            Held::End => (place + 1, place),
        };
        let rest = walk.spots[far].inverse().then(here);
        for &other in repertoire.replacements(action) {
            if twists.len() >= MOST_TWISTS {
                return;
            }
            let entry = repertoire.clip(other);
            let step = if walk.held == Held::Start { entry.displacement } else { entry.inverse };
            let spot = walk.spots[near].then(step).then(rest);
            let frames = walk.frames[join] + entry.frames - clip.frames;
            twists.push(Twist { change: Some((place as u32, other)), spot, frames, way: seen(spot) });
        }
    }
}
