//! What it costs to join a forward and a backward motion (equations 1 and 2).

use crate::failure::Miss;
use crate::options::Options;
use crate::walk::Walk;
use crowdloom_motion::FRAME_TIME;
use glam::Vec2;
use std::f32::consts::{PI, TAU};

/// What of the goal's placement is free, so that the backward motion can be turned or moved as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    pub position: bool,
    pub heading: bool,
}

/// What a join is measured by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub free: Free,
    /// Least and most frames of the whole motion.
    pub window: Option<(u32, u32)>,
    /// Frames within which one would like to be there, by playing clips up to so many times as fast, where there is no window.
    pub hurry: Option<(u32, f32)>,
    /// How many of the missing frames can be spent waiting.
    pub most_wait: u32,
    /// How many more of them can be spent resting in the pose of the goal.
    pub most_rest: u32,
    pub metres_per_radian: f32,
    pub metres_per_frame: f32,
    /// The largest adjustment altogether, in metres.
    pub most: f32,
}

impl Terms {
    pub fn new(
        options: &Options,
        free: Free,
        window: Option<(u32, u32)>,
        [most_wait, most_rest]: [u32; 2],
    ) -> Self {
        Self {
            free,
            window,
            hurry: None,
            most_wait,
            most_rest,
            metres_per_radian: options.weights.metres_per_radian,
            metres_per_frame: options.weights.metres_per_second * FRAME_TIME,
            most: options.total_tolerance.unwrap_or(f32::INFINITY),
        }
    }

    /// Frames in which clips of so many frames are played where there is no window.
    pub fn hurried(&self, frames: u32) -> u32 {
        let quickest = |(soon, times): (u32, f32)| soon.max(libm::ceilf(frames as f32 / times) as u32);
        self.hurry.map_or(frames, |hurry| frames.min(quickest(hurry)))
    }

    /// Frames that need no motion, before and after it.
    pub fn most_idle(&self) -> u32 {
        self.most_wait.saturating_add(self.most_rest)
    }

    /// Frames by which a duration misses the window.
    pub fn missed_frames(&self, frames: u32) -> u32 {
        match self.window {
            None => 0,
            Some((least, _)) if frames < least => (least - frames).saturating_sub(self.most_idle()),
            Some((_, most)) => frames.saturating_sub(most),
        }
    }
}

/// Where two motions are best joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Join {
    /// Clips of the forward motion that are used.
    pub forward: usize,
    /// The first clip of the backward motion that is used.
    pub backward: usize,
    /// Metres of adjustment for each second of motion.
    pub cost: f32,
    /// The same altogether.
    pub error: f32,
    /// What it is made of.
    pub miss: Miss,
    /// Frames of the joined motion.
    pub frames: u32,
}

impl Join {
    /// A join that is worse than any.
    pub const NONE: Self = Self {
        forward: 0,
        backward: 0,
        cost: f32::INFINITY,
        error: f32::INFINITY,
        miss: Miss { metres: 0.0, radians: 0.0, seconds: 0.0 },
        frames: 1,
    };
}

/// Which joins are good enough for looking no further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enough {
    /// Metres of adjustment for each second of motion …
    pub per_second: f32,
    /// … and altogether: what is made up for in a long motion must not push it into what its seeds kept off.
    pub metres: f32,
}

/// An angle of at most a few turns, brought to within half a turn.
#[inline]
pub(crate) fn near_angle(angle: f32) -> f32 {
    if angle.abs() <= PI { angle } else { angle - TAU * (angle / TAU).round() }
}

/// The cheapest join of two motions (equation 2), unless it costs more than `bound` metres a second.
///
/// Of those that are good `enough` it is the one that uses most of the forward motion, which was made to keep off everybody in
/// its time; all within the tolerance are equally suitable (section 5).
pub(crate) fn best_join(
    forward: &Walk,
    backward: &Walk,
    terms: &Terms,
    bound: f32,
    enough: Enough,
) -> Option<Join> {
    let goal = backward.spots[backward.actions.len()];
    let mut best: Option<Join> = None;
    let mut least = bound;
    for (i, (&node, here)) in forward.nodes.iter().zip(&forward.spots).enumerate().rev() {
        if best.is_some_and(|best| best.cost <= enough.per_second && best.error <= enough.metres) {
            break;
        }
        for (j, &other) in backward.nodes.iter().enumerate() {
            if node != other {
                continue;
            }
            let frames = forward.frames[i] + backward.frames[j];
            let seconds = frames as f32 * FRAME_TIME;
            let limit = (least * seconds).min(terms.most);
            let there = &backward.spots[j];
            let apart = if terms.free.position {
                0.0
            } else if terms.free.heading {
                // The backward motion turned about the goal until the headings agree.
                let back = Vec2::new(there.facing.x, -there.facing.y);
                let way = here.facing.rotate(back.rotate(goal.position - there.position));
                (here.position + way).distance_squared(goal.position)
            } else {
                0.0
            };
            if apart > limit * limit {
                continue;
            }
            let (apart, turn) = if terms.free.heading {
                (apart, 0.0)
            } else {
                let turn = near_angle(there.heading - here.heading);
                if terms.metres_per_radian * turn.abs() > limit {
                    continue;
                }
                let bend = (backward.moments[j] - forward.moments[i]) * (turn / frames.max(1) as f32);
                let gap = there.position - here.position + bend;
                (if terms.free.position { 0.0 } else { gap.length_squared() }, turn.abs())
            };
            if apart > limit * limit {
                continue;
            }
            let late = terms.missed_frames(frames) as f32;
            let error = apart.sqrt() + terms.metres_per_radian * turn + terms.metres_per_frame * late;
            if error <= limit && frames > 0 {
                let cost = error / seconds;
                // Of equal joins the shorter one.
                if best.is_none_or(|best| (cost, frames) < (best.cost, best.frames)) {
                    let miss = Miss { metres: apart.sqrt(), radians: turn, seconds: late * FRAME_TIME };
                    best = Some(Join { forward: i, backward: j, cost, error, miss, frames });
                    least = cost;
                }
            }
        }
    }
    best
}
