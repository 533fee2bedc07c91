//! Cycles out of captures: from one right heel strike to the next, where somebody goes straight on at an even pace.

use crate::cycle::{Cycle, FRAMES, Gait, ROOT};
use crowdloom_motion::body::Body;
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Skeleton};
use glam::Vec2;
use rayon::prelude::*;

/// Seconds that a cycle lasts.
const LASTS: [f32; 2] = [0.45, 1.7];
/// Radians that somebody may turn meanwhile, and metres a second below which nobody goes.
const STRAIGHT: f32 = 0.17;
const GOES: f32 = 0.5;
/// Radians that the way may lead aside of where somebody faces on the mean: who goes backwards or aside has another gait.
const AHEAD: f32 = 0.35;
/// Where in a cycle the left foot strikes, about half way from one strike of the right to the next.
const OTHER_STRIKE: [f32; 2] = [0.4, 0.6];
/// How much faster or slower the second half may be than the first.
const EVEN: f32 = 0.12;
/// The least share of a cycle of running in which no foot is on the ground.
const FLIGHT: f32 = 0.12;
/// The Froude number v²/(g l) from which on people run (Alexander 1989), and the acceleration of falling in m/s².
const RUNNING_FROUDE: f32 = 0.5;
const GRAVITY: f32 = 9.81;

impl Cycle {
    /// All cycles of a capture whose feet are known.
    pub fn of_capture(skeleton: &Skeleton, clip: &Clip, subject: usize) -> Vec<Self> {
        let from_strike_to_strike = |foot: Contacts| -> Vec<Self> {
            let down = |frame: usize| clip.contacts[frame].touches(foot);
            let strikes: Vec<usize> =
                (1..clip.frames()).filter(|&frame| down(frame) && !down(frame - 1)).collect();
            let pieces = strikes.windows(2).map(|pair| clip.piece(pair[0], pair[1]));
            let steady = pieces.filter(steady);
            steady.filter_map(|piece| Self::closed(skeleton, &piece, subject)).collect()
        };
        // A closed cycle begins wherever one likes: short captures may hold none from one strike of the right foot to the next.
        let found = from_strike_to_strike(Contacts::RIGHT);
        if found.is_empty() { from_strike_to_strike(Contacts::LEFT) } else { found }
    }

    /// A piece from strike to strike as a cycle that ends as it begins.
    fn closed(skeleton: &Skeleton, piece: &Clip, subject: usize) -> Option<Self> {
        let flies = piece.contacts.iter().filter(|own| **own == Contacts::default()).count();
        let gait = if flies as f32 > FLIGHT * piece.frames() as f32 { Gait::Run } else { Gait::Walk };
        let mut cycle = Self::of_clip(skeleton, piece, subject, gait)?;
        let leg = Body::guess(skeleton).leg_length(skeleton)?;
        if cycle.speed * cycle.speed * leg < RUNNING_FROUDE * GRAVITY {
            cycle.gait = Gait::Walk;
        }
        if !(OTHER_STRIKE[0]..=OTHER_STRIKE[1]).contains(&cycle.stances[0][0]) {
            return None;
        }
        let each = ROOT + 3 * skeleton.len();
        // What the last frame has more than the first is taken away bit by bit.
        let last = FRAMES - 1;
        for number in 0..each {
            let at = |frame: usize| frame * each + number;
            // One frame on from the last is the first again.
            let step = cycle.values[at(last)] - cycle.values[at(last - 1)];
            let gap = cycle.values[at(last)] + step - cycle.values[at(0)];
            for frame in 0..FRAMES {
                cycle.values[at(frame)] -= gap * (frame as f32 / FRAMES as f32 - 0.5);
            }
        }
        cycle.values.iter().all(|value| value.is_finite()).then_some(cycle)
    }
}

/// The farthest that a cycle is moved in time, as a part of it, and the steps in which places are tried.
const MOST_SHIFT: f32 = 0.08;
const SHIFT_STEP: f32 = 0.005;
const ROUNDS: usize = 4;

impl Cycle {
    /// Moves cycles in time until they lie nearest to the mean of their gait: captures tell to a frame when a foot strikes, which is
    /// up to a twentieth of a cycle.
    pub fn align(cycles: &mut [Self]) {
        let apart = cycles.to_vec();
        for gait in [Gait::Walk, Gait::Run] {
            let own: Vec<usize> = (0..cycles.len()).filter(|&number| cycles[number].gait == gait).collect();
            for _ in 0..ROUNDS {
                let mean = mean_of(own.iter().map(|&number| cycles[number].values.as_slice()));
                let moved: Vec<Self> = own.par_iter().map(|&number| apart[number].nearest(&mean)).collect();
                own.iter().zip(moved).for_each(|(&number, cycle)| cycles[number] = cycle);
            }
        }
    }

    /// The same cycle, moved in time to where it is nearest to a mean.
    fn nearest(&self, mean: &[f32]) -> Self {
        let steps = (MOST_SHIFT / SHIFT_STEP).round() as i32;
        let off = |cycle: &Self| cycle.values.iter().zip(mean).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        let moved = (-steps..=steps).map(|step| self.later(step as f32 * SHIFT_STEP));
        let best = moved.map(|cycle| (off(&cycle), cycle)).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or_else(|| self.clone(), |(_, cycle)| cycle)
    }

    /// The same cycle, begun so much later, as a part of it.
    fn later(&self, phase: f32) -> Self {
        let each = self.values.len() / FRAMES;
        let mut values = Vec::with_capacity(self.values.len());
        for frame in 0..FRAMES {
            let at = (frame as f32 + phase * FRAMES as f32).rem_euclid(FRAMES as f32);
            let (before, part) = ((at as usize).min(FRAMES - 1), at.fract());
            let after = (before + 1) % FRAMES;
            let [a, b] = [before, after].map(|frame| &self.values[frame * each..(frame + 1) * each]);
            values.extend(a.iter().zip(b).map(|(a, b)| a + (b - a) * part));
        }
        Self { values, stances: self.stances.map(|stance| stance.map(|end| end - phase)), ..self.clone() }
    }
}

/// Metres and radians a second below which somebody stands, root and joints on the mean.
const STANDS: [f32; 2] = [0.12, 0.35];

impl Cycle {
    /// Somebody who stands, in the calmest moment of a capture, if there is one: the speed of 0 (section 4.3).
    pub fn standing_in(skeleton: &Skeleton, clip: &Clip, subject: usize) -> Option<Self> {
        let moves = |frame: usize| {
            let (before, after) = (clip.frame_rotations(frame - 1), clip.frame_rotations(frame));
            let turned = before.iter().zip(after).map(|(a, b)| a.angle_between(*b)).sum::<f32>();
            let way = clip.track[frame].position.distance(clip.track[frame - 1].position);
            [way * FRAME_RATE, turned * FRAME_RATE / before.len() as f32]
        };
        let on_both = |own: Contacts| own.touches(Contacts::LEFT) && own.touches(Contacts::RIGHT);
        let calm = (1..clip.frames())
            .filter(|&frame| on_both(clip.contacts[frame]))
            .map(|frame| (moves(frame), frame));
        let calm = calm.filter(|(moves, _)| moves[0] < STANDS[0] && moves[1] < STANDS[1]);
        let calmest = calm.min_by(|a, b| a.0[1].total_cmp(&b.0[1]))?.1;
        Self::standing(skeleton, clip, calmest, subject)
    }
}

/// The mean of vectors of one length.
fn mean_of<'a>(vectors: impl Iterator<Item = &'a [f32]> + Clone) -> Vec<f32> {
    let count = vectors.clone().count().max(1) as f32;
    let mut sum = vec![0.0; vectors.clone().next().map_or(0, <[f32]>::len)];
    for vector in vectors {
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / count);
    }
    sum
}

/// Whether somebody goes straight on at an even pace.
fn steady(piece: &Clip) -> bool {
    let (frames, whole) = (piece.frames(), piece.displacement());
    let seconds = frames as f32 / FRAME_RATE;
    if !(LASTS[0]..=LASTS[1]).contains(&seconds) || whole.heading.abs() > STRAIGHT {
        return false;
    }
    let facing: Vec2 = piece.track.iter().map(|place| place.facing()).sum();
    if facing.angle_to(whole.position).abs() > AHEAD {
        return false;
    }
    let middle = piece.track[frames / 2].position.length();
    let speed = whole.position.length() / seconds;
    speed > GOES && (middle / whole.position.length().max(0.1) - 0.5).abs() < EVEN / 2.0
}
