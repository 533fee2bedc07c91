//! Rough motions to start from: greedily from clip to clip along the way points (section 3.2).

use crate::repertoire::{Mode, Path, Repertoire};
use crate::spot::Spot;
use crate::surroundings::Surroundings;
use crate::walk::{Held, Walk};
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{FRAME_RATE, FRAME_TIME};
use crowdloom_world::Stream;
use glam::Vec2;

/// How tightly a walking body turns, in metres.
const TURN_RADIUS: f32 = 1.1;
/// What a target too near to be reached by turning is worth in metres, when it is behind.
const INSIDE: f32 = 1.7;
/// A way point before the last is reached within this distance, in metres.
const REACHED: f32 = 0.8;
/// Metres that going at the wrong speed is worth, for each metre a second.
const SPEED_WORTH: f32 = 2.0;
/// Clips that may lead away from the target, and how far each, in metres, to get around somebody.
const PATIENCE: usize = 3;
const DETOUR: f32 = 2.5;
/// Ways of setting out (and of arriving) that are tried, and how near, in metres, one of them has to lead.
const MOST_STARTS: usize = 5;
const GOT_THERE: f32 = 2.5;
/// Longest seed, in clips.
const MOST_CLIPS: usize = 600;

/// What a seed is made for.
#[derive(Clone, Copy)]
pub(crate) struct Errand<'a> {
    pub repertoire: &'a Repertoire,
    pub mode: &'a Mode,
    pub surroundings: Surroundings<'a>,
    pub start: Spot,
    pub start_node: NodeId,
    /// The frame in which the first clip starts.
    pub first_frame: u32,
    /// The frame in which the last clip ends, as far as can be told.
    pub last_frame: u32,
    /// The last frame in which it may end.
    pub latest_frame: u32,
    pub goal: Spot,
    pub goal_node: NodeId,
    /// From the start to the goal, both included.
    pub way: &'a [Vec2],
    /// Speed in metres a second.
    pub pace: f32,
    /// How much chance decides between clips, in metres.
    pub whim: f32,
}

/// Lists that every seed needs.
#[derive(Default)]
pub(crate) struct Scratch {
    pub random: Option<Stream>,
    points: Vec<Vec2>,
    ranked: Vec<(f32, u32)>,
}

/// How far a body has yet to go, in metres: along an arc until it faces the target, then straight (Dubins 1957, with
/// the last heading free). Backward it must face away from where it comes.
#[inline]
pub(crate) fn remaining(spot: &Spot, target: Vec2, held: Held) -> f32 {
    let way = target - spot.position;
    let facing = if held == Held::Start { spot.facing } else { -spot.facing };
    let (ahead, aside) = (facing.dot(way), facing.perp_dot(way).abs());
    // Seen from the middle of the circle that the body turns on.
    let off = aside - TURN_RADIUS;
    let squared = ahead * ahead + off * off - TURN_RADIUS * TURN_RADIUS;
    if squared <= 0.0 {
        // Inside the circle: too near to be reached by turning alone.
        return way.length() + INSIDE * (1.0 - ahead / way.length().max(1e-6));
    }
    let straight = squared.sqrt();
    // i·(C→T)·(r − i·s) points along the straight part.
    let cosine = straight * ahead - TURN_RADIUS * off;
    let sine = TURN_RADIUS * ahead + straight * off;
    let mut arc = fast_atan2(sine, cosine);
    if arc < -1e-3 {
        arc += std::f32::consts::TAU;
    }
    TURN_RADIUS * arc + straight
}

/// The angle of a vector, within a thousandth of a radian: enough to compare ways.
#[inline]
fn fast_atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let t = a.min(b) / a.max(b).max(1e-30);
    let s = t * t;
    let mut angle = ((-0.046_496_474 * s + 0.159_314_22) * s - 0.327_622_76) * s * t + t;
    if b > a {
        angle = std::f32::consts::FRAC_PI_2 - angle;
    }
    if x < 0.0 {
        angle = std::f32::consts::PI - angle;
    }
    if y < 0.0 { -angle } else { angle }
}

impl Errand<'_> {
    /// The forward and the backward seed; `None` where no clip leads into locomotion or out of it.
    pub fn seeds(&self, forward: &mut Walk, backward: &mut Walk, scratch: &mut Scratch) -> Option<()> {
        let landings = &self.mode.landings[self.goal_node.index()];
        let launches = &self.mode.launches[self.start_node.index()];
        let before_last = self.way[self.way.len().saturating_sub(2)];
        let inner = &self.way[1..self.way.len() - 1];
        let landing = self.choose_landing(landings, before_last, scratch, 0)?;
        let entry = self.goal.then(landing.inverse);

        // From the start: where one way of setting out leads nowhere, another may.
        let after_first = inner.first().copied().unwrap_or(entry.position);
        let mut exit = None;
        let mut least = f32::INFINITY;
        let mut other = Walk::new(Held::Start, self.start, self.start_node);
        for rank in 0..MOST_STARTS {
            let Some(launch) = self.choose_launch(launches, after_first, scratch, rank) else { break };
            other.reset(Held::Start, self.start, self.start_node);
            for &action in &launch.actions {
                other.push(self.repertoire, action);
            }
            let spot = other.spots[launch.actions.len()];
            let (best, left) = self.go(&mut other, inner, entry.position, scratch);
            if left < least {
                least = left;
                other.truncate(best);
                std::mem::swap(forward, &mut other);
                exit = Some(spot);
            }
            if least < GOT_THERE {
                break;
            }
        }
        let exit = exit?;
        // The shortest way from there to the wanted pose; of several the one that ends nearest.
        let best = forward.actions.len();
        let from = forward.spots[best];
        let miss = |path: &&Path| from.then(path.displacement).position.distance(self.goal.position);
        let at_node = landings.iter().filter(|path| path.core == forward.nodes[best]);
        if let Some(path) = at_node.min_by(|a, b| miss(a).total_cmp(&miss(b))) {
            for &action in &path.actions {
                forward.push(self.repertoire, action);
            }
        }

        // The backward motion is built from its end, its clips last first; it ends when the forward one does.
        let end = self.last_frame.max(self.first_frame + forward.frames[forward.actions.len()]);
        let this = &Self { last_frame: end.min(self.latest_frame), ..*self };
        let inner: Vec<Vec2> = inner.iter().rev().copied().collect();
        let mut least = f32::INFINITY;
        let mut chosen = None;
        for rank in 0..MOST_STARTS {
            let landing = if rank == 0 {
                Some(landing)
            } else {
                this.choose_landing(landings, before_last, scratch, rank)
            };
            let Some(landing) = landing else { break };
            other.reset(Held::End, self.goal.then(landing.inverse), landing.core);
            let (best, left) = this.go(&mut other, &inner, exit.position, scratch);
            if left < least {
                least = left;
                other.truncate(best);
                std::mem::swap(backward, &mut other);
                chosen = Some(landing);
            }
            if least < GOT_THERE {
                break;
            }
        }
        let landing = chosen?;
        let best = backward.actions.len();
        let (core, spot) = (backward.nodes[best], backward.spots[best]);
        let mut actions: Vec<ActionId> = Vec::with_capacity(best + 8);
        let miss = |path: &&Path| spot.then(path.inverse).position.distance(self.start.position);
        let at_node = launches.iter().filter(|path| path.core == core);
        let launch = at_node.min_by(|a, b| miss(a).total_cmp(&miss(b)));
        actions.extend(launch.into_iter().flat_map(|path| &path.actions));
        actions.extend(backward.actions.iter().rev());
        actions.extend(&landing.actions);
        *backward = Walk::ending(self.repertoire, self.goal, self.goal_node, &actions);
        Some(())
    }

    fn speed_miss(&self, node: NodeId) -> f32 {
        SPEED_WORTH * (self.mode.speeds[node.index()] - self.pace).abs()
    }

    fn choose_launch<'p>(
        &self,
        launches: &'p [Path],
        target: Vec2,
        scratch: &mut Scratch,
        rank: usize,
    ) -> Option<&'p Path> {
        let score = |path: &Path| {
            let spot = self.start.then(path.displacement);
            remaining(&spot, target, Held::Start)
                + self.pace * path.frames as f32 * FRAME_TIME
                + self.speed_miss(path.core)
        };
        self.best_path(launches, score, scratch, rank, |this, path, points| {
            this.lay_out(&path.actions, this.start, points);
            this.surroundings.obstacle(points, this.first_frame as i32).is_none()
        })
    }

    fn choose_landing<'p>(
        &self,
        landings: &'p [Path],
        target: Vec2,
        scratch: &mut Scratch,
        rank: usize,
    ) -> Option<&'p Path> {
        let score = |path: &Path| {
            let spot = self.goal.then(path.inverse);
            remaining(&spot, target, Held::End)
                + self.pace * path.frames as f32 * FRAME_TIME
                + self.speed_miss(path.core)
        };
        self.best_path(landings, score, scratch, rank, |this, path, points| {
            this.lay_out(&path.actions, this.goal.then(path.inverse), points);
            let first = this.last_frame.saturating_sub(path.frames);
            this.surroundings.obstacle(points, first as i32).is_none()
        })
    }

    /// The path of some rank among those that meet nothing, the best having rank 0; the best of all where all do.
    fn best_path<'p>(
        &self,
        paths: &'p [Path],
        score: impl Fn(&Path) -> f32,
        scratch: &mut Scratch,
        rank: usize,
        is_free: impl Fn(&Self, &Path, &mut Vec<Vec2>) -> bool,
    ) -> Option<&'p Path> {
        let Scratch { points, ranked, .. } = scratch;
        ranked.clear();
        ranked.extend(paths.iter().enumerate().map(|(index, path)| (score(path), index as u32)));
        ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut free = ranked.iter().filter(|(_, index)| is_free(self, &paths[*index as usize], points));
        free.nth(rank)
            .or(ranked.first().filter(|_| rank == 0))
            .and_then(|&(_, index)| paths.get(index as usize))
    }

    fn lay_out(&self, actions: &[ActionId], start: Spot, points: &mut Vec<Vec2>) {
        points.clear();
        let mut spot = start;
        for &action in actions {
            let clip = self.repertoire.clip(action);
            points.extend(
                self.repertoire.positions(clip)[..clip.frames as usize].iter().map(|&p| spot.point(p)),
            );
            spot = spot.then(clip.displacement);
        }
        points.push(spot.position);
    }

    /// Goes from way point to way point, clip by clip, as long as it gets nearer; returns how many clips are best, and
    /// how many metres are left then.
    ///
    /// A walk held at its end grows backward: its lists then run from its end to its start.
    fn go(&self, walk: &mut Walk, way: &[Vec2], last: Vec2, scratch: &mut Scratch) -> (usize, f32) {
        let held = walk.held;
        let mut next = 0;
        let first = walk.actions.len();
        let mut best = (first, f32::INFINITY);
        let (mut nearest, mut patience) = (f32::INFINITY, PATIENCE);
        let left_after = |next: usize| -> f32 {
            let points = way[next..].iter().chain([&last]);
            points.clone().zip(points.skip(1)).map(|(a, b)| a.distance(*b)).sum()
        };
        while walk.actions.len() < MOST_CLIPS {
            let spot = walk.spots[walk.actions.len()];
            let node = walk.nodes[walk.actions.len()];
            while next < way.len() && way[next].distance(spot.position) < REACHED {
                next += 1;
                nearest = f32::INFINITY;
            }
            let target = way.get(next).copied().unwrap_or(last);
            let here = remaining(&spot, target, held);
            nearest = nearest.min(here);
            if next == way.len() {
                let miss = spot.position.distance(last);
                if miss < best.1 {
                    best = (walk.actions.len(), miss);
                }
            }
            let Some((action, after, blocked)) = self.next_clip(walk, node, spot, target, scratch) else {
                return if next < way.len() { (walk.actions.len(), here + left_after(next)) } else { best };
            };
            if after < nearest {
                (nearest, patience) = (after, PATIENCE);
            } else if blocked && patience > 0 && after < here + DETOUR {
                // Somebody is in the way: go around.
                patience -= 1;
            } else if next < way.len() {
                next += 1;
                (nearest, patience) = (f32::INFINITY, PATIENCE);
                continue;
            } else {
                return best;
            }
            walk.push(self.repertoire, action);
        }
        best
    }

    /// The clip of the sub-graph that brings the body nearest to `target` and meets nothing, what remains then, and
    /// whether a better one would have met something.
    fn next_clip(
        &self,
        walk: &Walk,
        node: NodeId,
        spot: Spot,
        target: Vec2,
        scratch: &mut Scratch,
    ) -> Option<(ActionId, f32, bool)> {
        let forward = walk.held == Held::Start;
        let clips = if forward { &self.mode.outgoing } else { &self.mode.incoming };
        let clips = &clips[node.index()];
        let Scratch { points, ranked, random } = scratch;
        let mut whim = || random.as_mut().map_or(0.0, |random| self.whim * random.unit() as f32);
        ranked.clear();
        ranked.extend(clips.iter().enumerate().map(|(index, &action)| {
            let clip = self.repertoire.clip(action);
            let after = spot.then(if forward { clip.displacement } else { clip.inverse });
            let node = if forward { clip.to } else { clip.from };
            let time = clip.frames as f32 * FRAME_TIME;
            let whim = if self.whim > 0.0 { whim() } else { 0.0 };
            let score =
                remaining(&after, target, walk.held) + self.pace * time + self.speed_miss(node) + whim;
            (score, index as u32)
        }));
        let elapsed = walk.frames[walk.frames.len() - 1];
        let mut blocked = false;
        while let Some(best) = (0..ranked.len()).min_by(|&a, &b| ranked[a].0.total_cmp(&ranked[b].0)) {
            let (_, index) = ranked.swap_remove(best);
            let action = clips[index as usize];
            let clip = self.repertoire.clip(action);
            let after = spot.then(if forward { clip.displacement } else { clip.inverse });
            let (start, first) = if forward {
                (spot, self.first_frame as i32 + elapsed as i32)
            } else {
                (after, self.last_frame as i32 - (elapsed + clip.frames) as i32)
            };
            points.clear();
            points.extend(self.repertoire.positions(clip).iter().map(|&p| start.point(p)));
            if self.surroundings.obstacle(points, first.max(0)).is_none() {
                return Some((action, remaining(&after, target, walk.held), blocked));
            }
            blocked = true;
        }
        None
    }

    /// Frames that the way takes at this pace, roughly.
    pub fn expected_frames(length: f32, pace: f32) -> u32 {
        (length / pace.max(0.1) * FRAME_RATE) as u32 + 60
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::Placement;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn angles_are_near_enough(y in -9.0f32..9.0, x in -9.0f32..9.0) {
            prop_assume!(x.abs() + y.abs() > 1e-3);
            prop_assert!((fast_atan2(y, x) - libm::atan2f(y, x)).abs() < 2e-3);
        }
    }

    #[test]
    fn what_remains_is_the_arc_and_the_straight() {
        let at = |x: f32, y: f32, held| remaining(&Spot::from(Placement::IDENTITY), Vec2::new(x, y), held);
        assert!((at(10.0, 0.0, Held::Start) - 10.0).abs() < 0.01);
        assert!((at(-10.0, 0.0, Held::End) - 10.0).abs() < 0.01);
        // Half a turn, then back beside the start.
        let behind = at(-10.0, 2.0 * TURN_RADIUS, Held::Start);
        assert!((behind - 10.0 - std::f32::consts::PI * TURN_RADIUS).abs() < 0.02, "{behind}");
        assert_eq!(at(3.0, 4.0, Held::Start), at(3.0, -4.0, Held::Start));
    }
}
