//! All choices at a node side by side, so that most of them are ruled out at a glance.

use crate::moves::Choice;
use crowdloom_situations::behaviour::{ASTRAY, GOOD, Here, LEAST_PACE, LEAST_SECONDS};
use glam::Vec2;

/// What is wanted of a choice.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Where the agent is.
    pub here: Here,
    /// The point to come nearer to, in metres.
    pub to: Option<Vec2>,
    /// Slope of coming nearer, times the power that it counts with.
    pub nearer: f32,
    /// The pace in metres a second.
    pub pace: f32,
    /// The pace that is enough for now, in metres a second: who sets out is not as fast at once.
    pub enough: f32,
    /// What being off that pace costs, by the square of metres a second.
    pub off_pace: f32,
    /// The power with which going straight counts.
    pub straight: f32,
}

/// By how many metres a second a speed is above a pace, or below what is enough of it.
#[inline]
pub fn off_pace(speed: f32, pace: f32, enough: f32) -> f32 {
    (speed - pace).max(enough.min(pace) - speed).max(0.0)
}

/// The choices at a node, one list for each number, the same place in all for one choice.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    ends: [Vec<f32>; 2],
    facings: [Vec<f32>; 2],
    /// One by the seconds that it lasts.
    rates: Vec<f32>,
    cruises: Vec<f32>,
    /// The pace that is enough for each, in metres a second.
    enough: Vec<f32>,
    /// One where it goes on, zero where it ends at rest.
    goes_on: Vec<f32>,
    straight: Vec<f32>,
}

impl Lanes {
    /// Lays out choices.
    pub(crate) fn new(choices: &[Choice]) -> Self {
        let list = |number: &dyn Fn(&Choice) -> f32| choices.iter().map(number).collect();
        Self {
            ends: [list(&|c| c.displacement.position.x), list(&|c| c.displacement.position.y)],
            facings: [list(&|c| c.facing.x), list(&|c| c.facing.y)],
            rates: list(&|c| 1.0 / c.seconds.max(LEAST_SECONDS)),
            cruises: list(&|c| c.cruise),
            enough: list(&Choice::enough_pace),
            goes_on: list(&|c| f32::from(!c.rests)),
            straight: list(&|c| c.straight),
        }
    }

    /// Writes down what the logarithm of each choice's weight cannot exceed.
    pub fn limit(&self, wanted: &Wanted, limits: &mut Vec<f32>) {
        let Self { ends: [xs, ys], facings: [cosines, sines], rates, cruises, enough, goes_on, straight } =
            self;
        let count = straight.len();
        limits.clear();
        limits.resize(count, 0.0);
        let limits = &mut limits[..count];
        for (limit, (((cruise, enough), goes_on), straight)) in
            limits.iter_mut().zip(cruises.iter().zip(enough).zip(goes_on).zip(straight))
        {
            let off = off_pace(*cruise, wanted.pace, wanted.enough.min(*enough));
            *limit = wanted.straight * straight - wanted.off_pace * goes_on * off * off;
        }
        let Some(to) = wanted.to else { return };
        let Here { position, facing } = wanted.here;
        // The point as seen from the agent.
        let seen = Vec2::new(facing.dot(to - position), facing.perp_dot(to - position));
        let (distance, by_pace) = (seen.length(), 1.0 / wanted.pace.max(LEAST_PACE));
        let ends = xs[..count].iter().zip(&ys[..count]);
        let facings = cosines[..count].iter().zip(&sines[..count]);
        let lanes = limits.iter_mut().zip(ends.zip(facings)).zip(&rates[..count]);
        for ((limit, ((x, y), (cosine, sine))), rate) in lanes {
            let (gap_x, gap_y) = (seen.x - x, seen.y - y);
            let left = (gap_x * gap_x + gap_y * gap_y).sqrt();
            let progress = (distance - left) * rate * by_pace;
            // A chord is shorter than its arc: what faces astray is not exaggerated.
            let aside = 2.0 - 2.0 * (cosine * gap_x + sine * gap_y) / left.max(1e-3);
            let astray = aside.max(0.0).sqrt() * left.min(1.0);
            *limit += (wanted.nearer * (progress - GOOD - ASTRAY * astray)).min(0.0);
        }
    }
}
