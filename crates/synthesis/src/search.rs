//! The randomised search for two motions that nearly meet (section 3.3).

use crate::join::{Enough, Join, Terms, best_join};
use crate::leg::Leg;
use crate::outline::{Figure, Stance};
use crate::polish::{CLOSE, Polish};
use crate::repertoire::Repertoire;
use crate::surroundings::{Obstacle, Surroundings};
use crate::traffic::Owner;
use crate::walk::{Held, Walk};
use crowdloom_motion::graph::ActionId;
use crowdloom_world::Stream;
use glam::Vec2;

/// Two motions and their best join.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub forward: Walk,
    pub backward: Walk,
    pub join: Join,
}

/// What is searched for, and how hard.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub repertoire: &'a Repertoire,
    pub surroundings: Surroundings<'a>,
    pub terms: Terms,
    /// ε, in metres for each second.
    pub tolerance: f32,
    pub pairs: usize,
    pub kept: usize,
    pub iterations: usize,
    /// How often all replacements of two clips are tried before.
    pub polishing: usize,
    /// Whether motions that meet the goal but also somebody else are reason enough to try another way.
    pub hasty: bool,
    /// Whether clips are replaced at random where trying all replacements did not help.
    pub random: bool,
    /// How many joined motions may turn out to collide before the search gives up.
    pub most_collisions: usize,
    pub first_frame: u32,
    /// Frames to wait before setting out.
    pub delay: u32,
    /// Whether the motion ends in standing for ever.
    pub stands: bool,
    /// Clips that it comes to rest with first.
    pub tail: &'a [ActionId],
    /// Those whose limbs it may touch, where it keeps off the limbs of all others; `None` where discs are enough.
    pub touchable: Option<&'a [Owner]>,
}

/// Polishing asks for this share of the tolerance, because it knows bends only roughly.
const NEARLY: f32 = 0.92;
/// Joins that cost this many times the tolerance are near enough for polishing.
const POLISHED: f32 = 4.0;
/// … unless they are off by more than this altogether, in metres.
const POLISHED_METRES: f32 = 0.6;

/// Joins that still cost this many times the tolerance after polishing ask for other seeds first.
const HOPELESS: f32 = 2.5;

/// Motions that are tested for collisions out of those that polishing finds at once.
const POLISH_TESTS: usize = 5;

/// Work that is counted, so that it can be limited without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Pairs of motions made and measured.
    pub pairs: u64,
    /// Whole motions tested for collisions.
    pub tests: u64,
    /// Chains of steps made on the way to goals near by.
    pub chains: u64,
    /// Iterations of the random search.
    pub iterations: u64,
    /// Whole motions for the goal at hand that would have touched somebody's limbs.
    pub touches: u64,
}

/// What testing a whole motion for collisions is worth, in pairs measured.
const TEST_UNITS: u64 = 40;

/// Chains of steps that are worth a pair measured.
const CHAINS_A_UNIT: u64 = 5;

impl Effort {
    /// All work together, in units of one pair measured (about a microsecond).
    pub fn units(self) -> u64 {
        self.pairs + TEST_UNITS * self.tests + self.chains / CHAINS_A_UNIT
    }
}

/// What a search found.
pub(crate) enum Found {
    /// A leg that meets its goal; its positions are in the trace.
    Leg(Leg),
    /// The best there was: how far it misses, and what was in the way.
    Nothing { best: Option<Join>, obstacle: Option<Obstacle> },
}

impl Search<'_> {
    /// Perturbs a pair of motions until they can be joined within ε and the result meets nothing.
    ///
    /// `pool` holds the first pair and is left with the last ones; `trace` is left with the positions of the leg found.
    pub fn run(
        &self,
        pool: &mut Vec<Pair>,
        random: &mut Stream,
        polish: &mut Polish,
        trace: &mut Vec<Vec2>,
        effort: &mut Effort,
    ) -> Found {
        let mut obstacle = None;
        let mut collisions = 0;
        let first = &mut pool[0];
        effort.pairs += 1;
        let enough = Enough { per_second: self.tolerance, metres: CLOSE };
        let join = best_join(&first.forward, &first.backward, &self.terms, f32::INFINITY, enough);
        if let Some(join) = join {
            first.join = join;
            match self.attempt(first, trace, effort) {
                Ok(leg) => return Found::Leg(leg),
                Err(met) => {
                    collisions += usize::from(met.is_some());
                    obstacle = met.or(obstacle);
                }
            }
        } else {
            first.join = Join::NONE;
        }
        let mut candidate = pool[0].clone();
        if pool[0].join.cost.is_finite() && self.polishing > 0 {
            let Pair { forward, backward, join } = &mut pool[0];
            let enough = Enough { per_second: POLISHED * self.tolerance, metres: POLISHED_METRES };
            *join = best_join(forward, backward, &self.terms, f32::INFINITY, enough).unwrap_or(*join);
            match self.polish(&mut pool[0], &mut candidate, polish, trace, effort) {
                Ok(leg) => return Found::Leg(leg),
                Err(Some(met)) if self.hasty => {
                    return Found::Nothing { best: Some(pool[0].join), obstacle: Some(met) };
                }
                Err(met) => obstacle = met.or(obstacle),
            }
        }
        let hopeless = self.hasty && pool[0].join.cost > HOPELESS * self.tolerance;
        if self.polishing > 0 && (hopeless || !self.random) {
            return Found::Nothing {
                best: Some(pool[0].join).filter(|join| join.cost.is_finite()),
                obstacle,
            };
        }
        'search: for _ in 0..self.iterations {
            effort.iterations += 1;
            let parents = pool.len();
            for _ in 0..self.pairs {
                effort.pairs += 1;
                let parent = random.below(parents);
                if !self.perturb(&pool[parent], &mut candidate, random) {
                    continue;
                }
                let worst = bound(pool, parents, self.kept);
                let Some(join) =
                    best_join(&candidate.forward, &candidate.backward, &self.terms, worst, enough)
                else {
                    continue;
                };
                candidate.join = join;
                if join.cost <= self.tolerance {
                    match self.attempt(&candidate, trace, effort) {
                        Ok(leg) => return Found::Leg(leg),
                        Err(met) => {
                            obstacle = met.or(obstacle);
                            collisions += 1;
                            if collisions > self.most_collisions {
                                break 'search;
                            }
                        }
                    }
                }
                keep(pool, &mut candidate, parents, self.kept);
            }
            pool.sort_by(|a, b| a.join.cost.total_cmp(&b.join.cost));
            pool.truncate(self.kept);
        }
        pool.sort_by(|a, b| a.join.cost.total_cmp(&b.join.cost));
        let best = pool.first().map(|pair| pair.join).filter(|join| join.cost.is_finite());
        Found::Nothing { best, obstacle }
    }

    /// Replaces clips in both motions at once, the best first, as long as it helps.
    fn polish(
        &self,
        pair: &mut Pair,
        candidate: &mut Pair,
        polish: &mut Polish,
        trace: &mut Vec<Vec2>,
        effort: &mut Effort,
    ) -> Result<Leg, Option<Obstacle>> {
        let mut obstacle = None;
        let enough = Enough { per_second: self.tolerance, metres: CLOSE };
        for _ in 0..self.polishing {
            polish.run(
                self.repertoire,
                &pair.forward,
                &pair.backward,
                &pair.join,
                &self.terms,
                NEARLY * self.tolerance,
            );
            effort.pairs += (polish.forward.len() * polish.backward.len() / 64) as u64;
            // Those that are much alike meet the same obstacles: try a few far apart.
            let stride = polish.pairs.len().div_ceil(POLISH_TESTS).max(1);
            for &pick in polish.pairs.iter().step_by(stride).filter(|pick| pick.cost <= self.tolerance) {
                candidate.forward.copy_from(&pair.forward);
                candidate.backward.copy_from(&pair.backward);
                polish.apply(self.repertoire, pick, &mut candidate.forward, &mut candidate.backward);
                let seconds = |walk: &Walk, at: usize| walk.frames[at];
                let frames = seconds(&candidate.forward, pair.join.forward)
                    + seconds(&candidate.backward, pair.join.backward);
                let error = pick.cost * frames as f32 * crowdloom_motion::FRAME_TIME;
                candidate.join = Join { cost: pick.cost, error, frames, ..pair.join };
                match self.attempt(candidate, trace, effort) {
                    Ok(leg) => return Ok(leg),
                    Err(met) => obstacle = met.or(obstacle),
                }
            }
            let Some(&best) = polish.pairs.first().filter(|best| best.cost < pair.join.cost) else { break };
            polish.apply(self.repertoire, best, &mut pair.forward, &mut pair.backward);
            match best_join(&pair.forward, &pair.backward, &self.terms, f32::INFINITY, enough) {
                Some(join) => pair.join = join,
                None => break,
            }
            if pair.join.cost <= self.tolerance {
                break;
            }
        }
        Err(obstacle)
    }

    /// Replaces a random clip of one of the two motions, among those that the join uses or could soon use.
    fn perturb(&self, parent: &Pair, candidate: &mut Pair, random: &mut Stream) -> bool {
        const BEYOND: usize = 2;
        let bits = random.bits();
        let side = if bits & 1 == 0 { Held::Start } else { Held::End };
        let (walk, low, high) = match side {
            Held::Start => {
                (&parent.forward, 0, (parent.join.forward + BEYOND).min(parent.forward.actions.len()))
            }
            Held::End => {
                (&parent.backward, parent.join.backward.saturating_sub(BEYOND), parent.backward.actions.len())
            }
        };
        if high <= low {
            return false;
        }
        // A few draws find a clip that can be replaced at all.
        for _ in 0..4 {
            let index = low + random.below(high - low);
            let action = walk.actions[index];
            if !self.repertoire.is_replaceable(action) {
                continue;
            }
            let Some(other) = self.repertoire.replacement(action, random.unit() as f32) else { continue };
            candidate.forward.copy_from(&parent.forward);
            candidate.backward.copy_from(&parent.backward);
            let changed = if side == Held::Start { &mut candidate.forward } else { &mut candidate.backward };
            changed.replace(self.repertoire, index, other);
            return true;
        }
        false
    }

    /// Joins a pair within tolerance and tests the result; the obstacle where it meets one.
    pub fn attempt(
        &self,
        pair: &Pair,
        trace: &mut Vec<Vec2>,
        effort: &mut Effort,
    ) -> Result<Leg, Option<Obstacle>> {
        if pair.join.cost > self.tolerance {
            return Err(None);
        }
        effort.tests += 1;
        let leg = Leg::join(
            self.repertoire,
            (&pair.forward, &pair.backward),
            &pair.join,
            &self.terms,
            self.first_frame,
            self.delay,
        );
        let done = leg.adjustment();
        if done.per_second > self.tolerance || done.total > self.terms.most {
            return Err(None);
        }
        trace.clear();
        leg.trace(trace);
        let rest = (!self.tail.is_empty()).then(|| {
            let rest = Leg::plain(self.repertoire, leg.end(), leg.end_node(), self.tail, leg.last_frame());
            trace.pop();
            rest.trace(trace);
            rest
        });
        if let Some(obstacle) = self.surroundings.obstacle(trace, self.first_frame as i32) {
            return Err(Some(obstacle));
        }
        if self.stands
            && let Some(obstacle) = self
                .surroundings
                .standing_obstacle(trace[trace.len() - 1], self.first_frame as i32 + trace.len() as i32)
        {
            return Err(Some(obstacle));
        }
        if let Some(touchable) = self.touchable
            && let Some(owner) = self.touched(&leg, rest.as_ref(), trace, touchable)
        {
            effort.touches += 1;
            return Err(Some(Obstacle::Somebody(owner)));
        }
        Ok(leg)
    }

    /// Whose limbs a motion may touch that is found to keep its disc to itself.
    fn touched(&self, leg: &Leg, rest: Option<&Leg>, trace: &[Vec2], touchable: &[Owner]) -> Option<Owner> {
        let traffic = self.surroundings.traffic;
        let repertoire = self.repertoire;
        let stance = |index: usize| {
            let frame = self.first_frame + index as u32;
            let part = rest.filter(|_| frame >= leg.last_frame()).unwrap_or(leg);
            Stance::of(repertoire, part.at(repertoire, frame))
        };
        let outlines = &repertoire.outlines;
        let first = self.first_frame as i32;
        traffic.touches(outlines, (trace, first), stance, touchable).or_else(|| {
            let end = rest.unwrap_or(leg);
            let (at, from) = (end.end().position, first + trace.len() as i32);
            let stance = outlines.of_node(end.end_node(), end.end().heading);
            self.stands.then(|| traffic.touches_standing(outlines, Figure { at, stance }, from, touchable))?
        })
    }
}

/// What a new pair may cost at most to be among the `kept` best of this iteration (k_m).
fn bound(pool: &[Pair], parents: usize, kept: usize) -> f32 {
    if pool.len() < parents + kept {
        return f32::INFINITY;
    }
    pool[parents..].iter().map(|pair| pair.join.cost).fold(0.0, f32::max)
}

/// Puts a pair among the `kept` best; parents of this iteration keep their places.
fn keep(pool: &mut Vec<Pair>, candidate: &mut Pair, parents: usize, kept: usize) {
    if pool.len() < parents + kept {
        pool.push(candidate.clone());
        return;
    }
    let children = parents..pool.len();
    let worst = children.max_by(|&a, &b| pool[a].join.cost.total_cmp(&pool[b].join.cost));
    if let Some(worst) = worst.filter(|&worst| pool[worst].join.cost > candidate.join.cost) {
        std::mem::swap(&mut pool[worst], candidate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot::Spot;
    use crowdloom_motion::Placement;
    use crowdloom_motion::graph::NodeId;

    #[test]
    fn the_best_of_an_iteration_are_kept_in_whatever_order_they_come() {
        let pair = |cost: f32| Pair {
            forward: Walk::new(Held::Start, Spot::from(Placement::IDENTITY), NodeId(0)),
            backward: Walk::new(Held::End, Spot::from(Placement::IDENTITY), NodeId(0)),
            join: Join { cost, ..Join::NONE },
        };
        let mut pool = vec![pair(0.5)];
        for cost in [9.0, 3.0, 7.0, 1.0, 8.0, 2.0, 6.0, 4.0] {
            if cost <= bound(&pool, 1, 3) {
                keep(&mut pool, &mut pair(cost), 1, 3);
            }
        }
        let mut costs: Vec<f32> = pool.iter().map(|pair| pair.join.cost).collect();
        assert_eq!(costs.remove(0), 0.5, "parents stay");
        costs.sort_by(f32::total_cmp);
        assert_eq!(costs, [1.0, 2.0, 3.0]);
        assert_eq!(bound(&pool, 1, 3), 3.0, "the worst that is kept, not the last");
    }
}
