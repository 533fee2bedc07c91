//! Ways on from a spot, laid side by side so that all of them are measured at once.

use crate::spot::Spot;
use crate::walk::Held;
use crowdloom_motion::FRAME_TIME;
use glam::Vec2;
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// How tightly a walking body turns, in metres.
const TURN_RADIUS: f32 = 1.1;
/// What a target too near to be reached by turning is worth in metres, when it is behind.
const INSIDE: f32 = 1.7;
/// Metres that going at the wrong speed is worth, for each metre a second.
const SPEED_WORTH: f32 = 2.0;

/// Clips, or rows of clips, that can come next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fan {
    x: Vec<f32>,
    y: Vec<f32>,
    facing_x: Vec<f32>,
    facing_y: Vec<f32>,
    /// Seconds that each takes.
    seconds: Vec<f32>,
    /// How fast one goes after it, in metres a second.
    speed: Vec<f32>,
}

impl Fan {
    /// Adds a way on: where it leads, the frames it takes, and the speed at its end in metres a second.
    pub fn push(&mut self, step: Spot, frames: u32, speed: f32) {
        self.x.push(step.position.x);
        self.y.push(step.position.y);
        self.facing_x.push(step.facing.x);
        self.facing_y.push(step.facing.y);
        self.seconds.push(frames as f32 * FRAME_TIME);
        self.speed.push(speed);
    }

    /// What each way on is worth in metres, the least being best: what then remains to the target, the time it takes,
    /// and how far its speed is from `pace`, in metres a second.
    pub fn score(&self, from: &Spot, target: Vec2, held: Held, pace: f32, scores: &mut Vec<f32>) {
        let count = self.x.len();
        scores.clear();
        scores.resize(count, 0.0);
        // As seen from the spot, so that each step need not be turned.
        let back = Vec2::new(from.facing.x, -from.facing.y);
        let target = back.rotate(target - from.position);
        let sign = if held == Held::Start { 1.0 } else { -1.0 };
        let (x, y) = (&self.x[..count], &self.y[..count]);
        let (facing_x, facing_y) = (&self.facing_x[..count], &self.facing_y[..count]);
        let (seconds, speed) = (&self.seconds[..count], &self.speed[..count]);
        for (index, score) in scores.iter_mut().enumerate() {
            let (dx, dy) = (target.x - x[index], target.y - y[index]);
            let ahead = sign * (facing_x[index] * dx + facing_y[index] * dy);
            let aside = facing_x[index] * dy - facing_y[index] * dx;
            *score = arc_and_straight(ahead, aside.abs())
                + pace * seconds[index]
                + SPEED_WORTH * (speed[index] - pace).abs();
        }
    }
}

/// The best of those scored that are not taken yet; it is taken then.
pub(crate) fn take_best(scores: &mut [f32]) -> Option<usize> {
    let mut best = (f32::INFINITY, None);
    for (index, &score) in scores.iter().enumerate() {
        if score < best.0 {
            best = (score, Some(index));
        }
    }
    let index = best.1?;
    scores[index] = f32::INFINITY;
    Some(index)
}

/// How far a body has yet to go, in metres: along an arc until it faces the target, then straight (Dubins 1957, with
/// the last heading free). Backward it must face away from where it comes.
#[inline]
pub(crate) fn remaining(spot: &Spot, target: Vec2, held: Held) -> f32 {
    let way = target - spot.position;
    let facing = if held == Held::Start { spot.facing } else { -spot.facing };
    arc_and_straight(facing.dot(way), facing.perp_dot(way).abs())
}

/// The same to a target so many metres ahead and so many to a side; without branches, so that many are done at once.
#[inline]
fn arc_and_straight(ahead: f32, aside: f32) -> f32 {
    // Seen from the middle of the circle that the body turns on.
    let off = aside - TURN_RADIUS;
    let squared = ahead * ahead + off * off - TURN_RADIUS * TURN_RADIUS;
    let straight = squared.max(0.0).sqrt();
    // i·(C→T)·(r − i·s) points along the straight part.
    let cosine = straight * ahead - TURN_RADIUS * off;
    let sine = TURN_RADIUS * ahead + straight * off;
    let arc = fast_atan2(sine, cosine);
    let arc = if arc < -1e-3 { arc + TAU } else { arc };
    let outside = TURN_RADIUS * arc + straight;
    // Inside the circle: too near to be reached by turning alone.
    let away = (ahead * ahead + aside * aside).sqrt();
    let inside = away + INSIDE * (1.0 - ahead / away.max(1e-6));
    if squared <= 0.0 { inside } else { outside }
}

/// The angle of a vector, within a thousandth of a radian: enough to compare ways.
#[inline]
pub(crate) fn fast_atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let t = a.min(b) / a.max(b).max(1e-30);
    let s = t * t;
    let angle = ((-0.046_496_474 * s + 0.159_314_22) * s - 0.327_622_76) * s * t + t;
    let angle = if b > a { FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { PI - angle } else { angle };
    if y < 0.0 { -angle } else { angle }
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

        #[test]
        fn scores_are_what_remains_after_each_step(
            from in (-9.0f32..9.0, -9.0f32..9.0, -3.0f32..3.0),
            step in (-2.0f32..2.0, -2.0f32..2.0, -1.0f32..1.0),
            target in (-9.0f32..9.0, -9.0f32..9.0),
            forward in any::<bool>(),
        ) {
            let held = if forward { Held::Start } else { Held::End };
            let spot = |(x, y, heading)| Spot::from(Placement::new(x, y, heading));
            let mut fan = Fan::default();
            fan.push(spot(step), 30, 1.5);
            let mut scores = Vec::new();
            fan.score(&spot(from), target.into(), held, 1.0, &mut scores);
            let expected = remaining(&spot(from).then(spot(step)), target.into(), held) + 1.0 + 1.0;
            // Straight behind, and on the circle, the estimate jumps.
            prop_assert!((scores[0] - expected).abs() < 1e-2 || (scores[0] - expected).abs() > 1.0);
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

    #[test]
    fn the_best_is_taken_first() {
        let mut scores = [3.0, 1.0, 2.0];
        let taken: Vec<usize> = std::iter::from_fn(|| take_best(&mut scores)).collect();
        assert_eq!(taken, [1, 2, 0]);
    }
}
