//! Rough motions to start from: greedily from clip to clip along the way points (section 3.2).

use crate::fan::{remaining, take_best};
use crate::join::near_angle;
use crate::repertoire::{Continuations, Mode, Path, Repertoire};
use crate::spot::Spot;
use crate::surroundings::Surroundings;
use crate::traffic::Owner;
use crate::walk::{Held, Walk};
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_world::Stream;
use glam::Vec2;

/// A way point before the last is reached within this distance, in metres.
const REACHED: f32 = 0.8;
/// Clips that may lead away from the target, and how far each, in metres, to get around somebody.
const PATIENCE: usize = 3;
const DETOUR: f32 = 2.5;
/// Ways of setting out (and of arriving) that are tried, and how near, in metres, one of them has to lead.
const MOST_STARTS: usize = 5;
const GOT_THERE: f32 = 2.5;
/// How much chance decides between clips after a retreat, in metres.
const STRAY: f32 = 1.0;
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
    /// What a radian off the wanted facing is worth, in metres; nothing where it is free.
    pub metres_per_radian: f32,
    /// From the start to the goal, both included.
    pub way: &'a [Vec2],
    /// Speed in metres a second.
    pub pace: f32,
    /// How much chance decides between clips, in metres.
    pub whim: f32,
    /// The same between ways of setting out and of arriving.
    pub path_whim: f32,
    /// How often it retreats from a dead end.
    pub retreats: usize,
}

/// Lists that every seed needs.
#[derive(Default)]
pub(crate) struct Scratch {
    pub random: Option<Stream>,
    points: Vec<Vec2>,
    /// What is thought of clips, and of ways of setting out and of arriving.
    scores: Vec<f32>,
    leaving: Vec<f32>,
    arriving: Vec<f32>,
    other: Walk,
    /// Way points passed before each clip.
    passed: Vec<usize>,
    /// Who was last in the way of a clip.
    pub met: Option<Owner>,
}

/// Lets chance decide a little, by up to `whim` metres.
fn stray(random: &mut Option<Stream>, scores: &mut [f32], whim: f32) {
    if let Some(random) = random.as_mut().filter(|_| whim > 0.0) {
        for score in scores {
            *score += whim * random.unit() as f32;
        }
    }
}

impl Errand<'_> {
    /// The forward and the backward seed; `None` where no clip leads into locomotion or out of it.
    pub fn seeds(&self, forward: &mut Walk, backward: &mut Walk, scratch: &mut Scratch) -> Option<()> {
        let landings = &self.mode.landings[self.goal_node.index()];
        let launches = &self.mode.launches[self.start_node.index()];
        let before_last = self.way[self.way.len().saturating_sub(2)];
        let inner = &self.way[1..self.way.len() - 1];
        let mut arriving = std::mem::take(&mut scratch.arriving);
        let mut leaving = std::mem::take(&mut scratch.leaving);
        landings.fan.score(&self.goal, before_last, Held::End, self.pace, &mut arriving);
        stray(&mut scratch.random, &mut arriving, self.path_whim);
        let landing = self.first_path(landings, &mut arriving, Held::End, scratch)?;
        let entry = self.goal.then(landing.inverse);

        // From the start: where one way of setting out leads nowhere, another may.
        let after_first = inner.first().copied().unwrap_or(entry.position);
        launches.fan.score(&self.start, after_first, Held::Start, self.pace, &mut leaving);
        stray(&mut scratch.random, &mut leaving, self.path_whim);
        let mut launch = Some(self.first_path(launches, &mut leaving, Held::Start, scratch)?);
        let mut exit = self.start;
        let mut least = f32::INFINITY;
        let mut other = std::mem::take(&mut scratch.other);
        for _ in 0..MOST_STARTS {
            let Some(path) = launch else { break };
            other.reset(Held::Start, self.start, self.start_node);
            for &action in &path.actions {
                other.push(self.repertoire, action);
            }
            let spot = other.spots[path.actions.len()];
            let (best, left) = self.go(&mut other, inner, entry.position, scratch);
            if left < least {
                least = left;
                other.truncate(best);
                std::mem::swap(forward, &mut other);
                exit = spot;
            }
            if least < GOT_THERE {
                break;
            }
            launch = self.next_path(launches, &mut leaving, Held::Start, scratch);
        }
        // The way from there to the wanted pose that ends nearest in place and facing (section 3.2).
        let best = forward.actions.len();
        let from = forward.spots[best];
        let miss = |path: &&Path| {
            let end = from.then(path.displacement);
            let turn = near_angle(end.heading - self.goal.heading).abs();
            end.position.distance(self.goal.position) + self.metres_per_radian * turn
        };
        let at_node = landings.items.iter().filter(|path| path.core == forward.nodes[best]);
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
        let mut chosen = landing;
        let mut landing = Some(landing);
        for _ in 0..MOST_STARTS {
            let Some(path) = landing else { break };
            other.reset(Held::End, self.goal.then(path.inverse), path.core);
            let (best, left) = this.go(&mut other, &inner, exit.position, scratch);
            if left < least {
                least = left;
                other.truncate(best);
                std::mem::swap(backward, &mut other);
                chosen = path;
            }
            if least < GOT_THERE {
                break;
            }
            landing = this.next_path(landings, &mut arriving, Held::End, scratch);
        }
        let best = backward.actions.len();
        let (core, spot) = (backward.nodes[best], backward.spots[best]);
        let mut actions: Vec<ActionId> = Vec::with_capacity(best + 8);
        let miss = |path: &&Path| spot.then(path.inverse).position.distance(self.start.position);
        let at_node = launches.items.iter().filter(|path| path.core == core);
        let launch = at_node.min_by(|a, b| miss(a).total_cmp(&miss(b)));
        actions.extend(launch.into_iter().flat_map(|path| &path.actions));
        actions.extend(backward.actions.iter().rev());
        actions.extend(&chosen.actions);
        *backward = Walk::ending(self.repertoire, self.goal, self.goal_node, &actions);
        (scratch.arriving, scratch.leaving, scratch.other) = (arriving, leaving, other);
        Some(())
    }

    /// The best path that meets nothing, or the best of all where all do.
    fn first_path<'p>(
        &self,
        paths: &'p Continuations<Path>,
        scores: &mut [f32],
        held: Held,
        scratch: &mut Scratch,
    ) -> Option<&'p Path> {
        let best = (0..scores.len()).min_by(|&a, &b| scores[a].total_cmp(&scores[b]))?;
        self.next_path(paths, scores, held, scratch).or(paths.items.get(best))
    }

    /// The best path not taken yet that meets nothing.
    fn next_path<'p>(
        &self,
        paths: &'p Continuations<Path>,
        scores: &mut [f32],
        held: Held,
        scratch: &mut Scratch,
    ) -> Option<&'p Path> {
        while let Some(index) = take_best(scores) {
            let path = &paths.items[index];
            let (start, first) = match held {
                Held::Start => (self.start, self.first_frame),
                Held::End => (self.goal.then(path.inverse), self.last_frame.saturating_sub(path.frames)),
            };
            self.lay_out(&path.actions, start, &mut scratch.points);
            match self.surroundings.obstacle(&scratch.points, first as i32) {
                None => return Some(path),
                Some(obstacle) => scratch.met = obstacle.owner().or(scratch.met),
            }
        }
        None
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
        // After a retreat chance decides between clips for a while.
        let (mut retreats, mut strays_until) = (0, first);
        scratch.passed.clear();
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
            let whim = if walk.actions.len() < strays_until { self.whim.max(STRAY) } else { self.whim };
            let mut clip = self.next_clip(walk, node, spot, target, whim, scratch);
            if let Some((_, after, blocked)) = clip {
                if after < nearest {
                    (nearest, patience) = (after, PATIENCE);
                } else if blocked && patience > 0 && after < here + DETOUR {
                    // Somebody is in the way: go around.
                    patience -= 1;
                } else if next == way.len() {
                    return best;
                } else if retreats == self.retreats || self.sees(spot.position, way, next + 1, last) {
                    next += 1;
                    (nearest, patience) = (f32::INFINITY, PATIENCE);
                    continue;
                } else {
                    clip = None;
                }
            }
            if let Some((action, _, _)) = clip {
                walk.push(self.repertoire, action);
                scratch.passed.push(next);
                continue;
            }
            // A dead end: some clips back, and on in another way.
            let done = walk.actions.len() - first;
            if next == way.len() {
                return best;
            } else if retreats == self.retreats || done == 0 {
                return (walk.actions.len(), here + left_after(next));
            }
            retreats += 1;
            let kept = done - done.min(2 + retreats / 2);
            strays_until = first + done + 1;
            next = scratch.passed[kept];
            scratch.passed.truncate(kept);
            walk.truncate(first + kept);
            (nearest, patience) = (f32::INFINITY, PATIENCE);
        }
        best
    }

    /// Whether no wall is between a place and a way point.
    fn sees(&self, from: Vec2, way: &[Vec2], next: usize, last: Vec2) -> bool {
        let Surroundings { room, body, .. } = self.surroundings;
        room.ground().straight_is_free(from, way.get(next).copied().unwrap_or(last), body)
    }

    /// The clip of the sub-graph that brings the body nearest to `target` and meets nothing, what remains then, and
    /// whether a better one would have met something.
    fn next_clip(
        &self,
        walk: &Walk,
        node: NodeId,
        spot: Spot,
        target: Vec2,
        whim: f32,
        scratch: &mut Scratch,
    ) -> Option<(ActionId, f32, bool)> {
        let forward = walk.held == Held::Start;
        let choices = if forward { &self.mode.outgoing } else { &self.mode.incoming };
        let Continuations { items, fan } = &choices[node.index()];
        let Scratch { points, scores, random, met, .. } = scratch;
        fan.score(&spot, target, walk.held, self.pace, scores);
        stray(random, scores, whim);
        let elapsed = walk.frames[walk.frames.len() - 1];
        let mut blocked = false;
        while let Some(index) = take_best(scores) {
            let action = items[index];
            let clip = self.repertoire.clip(action);
            let after = spot.then(if forward { clip.displacement } else { clip.inverse });
            let (start, first) = if forward {
                (spot, self.first_frame as i32 + elapsed as i32)
            } else {
                (after, self.last_frame as i32 - (elapsed + clip.frames) as i32)
            };
            points.clear();
            points.extend(self.repertoire.positions(clip).iter().map(|&p| start.point(p)));
            let Some(obstacle) = self.surroundings.obstacle(points, first.max(0)) else {
                return Some((action, remaining(&after, target, walk.held), blocked));
            };
            *met = obstacle.owner().or(*met);
            blocked = true;
        }
        None
    }

    /// Frames that the way takes at this pace, roughly.
    pub fn expected_frames(length: f32, pace: f32) -> u32 {
        (length / pace.max(0.1) * FRAME_RATE) as u32 + 60
    }
}
