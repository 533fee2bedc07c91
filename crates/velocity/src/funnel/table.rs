//! Which way somebody faces when it gets to where it is going, for all that matters to it: the table Tη of the source.

use super::controller::{Going, MOST_SPIN};
use crowdloom_motion::wrap_angle;
use glam::Vec2;
use rayon::prelude::*;
use std::f32::consts::PI;
use std::sync::LazyLock;

/// Samples of distance, of direction on one side, of turning, of speed and of the speed that is wanted.
const SAMPLES: [usize; 5] = [10, 10, 9, 8, 6];
/// Entries of the table: 43,200 as in the source.
pub const ENTRIES: usize = SAMPLES[0] * SAMPLES[1] * SAMPLES[2] * SAMPLES[3] * SAMPLES[4];
/// The least and the greatest distance, in metres; samples lie closer the nearer they are.
const DISTANCES: [f32; 2] = [0.2, 10.0];
/// Metres a second from one sample of speed to the next, …
const SPEED_STEP: f32 = 0.5;
/// … and from one speed that is wanted to the next, from the least one on.
const WANTED_STEP: f32 = 0.6;
const LEAST_WANTED: f32 = 0.4;
/// Who gets as near as this, in metres, is there.
const REACHED: f32 = 0.15;
/// Who is not there after so many seconds goes round and round.
const PATIENCE: f32 = 30.0;
const STEP: f32 = 1.0 / 30.0;
/// A half turn as a number of the table.
const HALF_TURN: f32 = 32_000.0;

/// What seeking comes to from everywhere.
pub struct Table {
    /// The tangential-radial angles η.
    angles: Vec<i16>,
    /// Whether goals are reached, one bit each.
    reached: Vec<u8>,
}

/// The table of all who funnel, made when it is first asked for.
pub static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// Where a goal is as somebody sees it, and how that one goes.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// Metres to the goal.
    pub distance: f32,
    /// From where it faces to the goal, in radians to the left.
    pub angle: f32,
    /// How fast it turns to the left, in radians a second.
    pub spin: f32,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// How fast it wants to go, in metres a second.
    pub wanted: f32,
}

/// A place between two samples.
#[derive(Clone, Copy, Default)]
struct Between {
    below: usize,
    share: f32,
}

fn between(at: f32, samples: usize) -> Between {
    let at = at.clamp(0.0, (samples - 1) as f32);
    let below = (at as usize).min(samples - 2);
    Between { below, share: at - below as f32 }
}

impl Table {
    fn new() -> Self {
        let found: Vec<(i16, bool)> = (0..ENTRIES)
            .into_par_iter()
            .map(|entry| {
                let (angle, reached) = seek(&sample(entry));
                ((angle / PI * HALF_TURN) as i16, reached)
            })
            .collect();
        let bits = found.chunks(8).map(|eight| {
            eight.iter().enumerate().fold(0, |bits, (bit, (_, reached))| bits | u8::from(*reached) << bit)
        });
        Self { reached: bits.collect(), angles: found.iter().map(|(angle, _)| *angle).collect() }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.angles.as_slice()) + self.reached.len()
    }

    /// The share of its entries whose goal is reached.
    pub fn reachable(&self) -> f32 {
        let ones: u32 = self.reached.iter().map(|bits| bits.count_ones()).sum();
        ones as f32 / ENTRIES as f32
    }

    /// η, the angle in radians from the direction to the goal now to the way somebody faces when seeking has brought it there,
    /// and whether it gets there.
    pub fn look_up(&self, seen: &Outlook) -> (f32, bool) {
        // What lies to the right is the mirror image of what lies to the left.
        let side = if seen.angle < 0.0 { -1.0 } else { 1.0 };
        let [least, most] = DISTANCES;
        let near = ((seen.distance - least) / (most - least)).max(0.0).sqrt();
        let at = [
            between(near * (SAMPLES[0] - 1) as f32, SAMPLES[0]),
            between(seen.angle.abs() / PI * (SAMPLES[1] - 1) as f32, SAMPLES[1]),
            between((side * seen.spin / MOST_SPIN + 1.0) * 0.5 * (SAMPLES[2] - 1) as f32, SAMPLES[2]),
            between(seen.speed / SPEED_STEP, SAMPLES[3]),
            between((seen.wanted - LEAST_WANTED) / WANTED_STEP, SAMPLES[4]),
        ];
        let nearest = at.map(|one| one.below + usize::from(one.share > 0.5));
        let nearest = place(nearest);
        let middle = self.angles[nearest];
        let mut sum = 0.0;
        for corner in 0..32usize {
            let above = |dimension: usize| corner >> dimension & 1;
            let weight: f32 = (0..5)
                .map(|dimension| match above(dimension) {
                    1 => at[dimension].share,
                    _ => 1.0 - at[dimension].share,
                })
                .product();
            let entry = place(std::array::from_fn(|dimension| at[dimension].below + above(dimension)));
            let off = f32::from(self.angles[entry]) - f32::from(middle);
            // Angles on both sides of a half turn are near each other.
            let off = off - 2.0 * HALF_TURN * (off / (2.0 * HALF_TURN)).round();
            sum += weight * off;
        }
        let angle = wrap_angle((f32::from(middle) + sum) / HALF_TURN * PI);
        (side * angle, self.reached[nearest / 8] >> (nearest % 8) & 1 == 1)
    }
}

/// The entry of samples in all dimensions.
fn place(samples: [usize; 5]) -> usize {
    samples.iter().zip(SAMPLES).fold(0, |entry, (sample, samples)| entry * samples + sample)
}

/// What an entry is about.
fn sample(mut entry: usize) -> Outlook {
    let mut at = [0; 5];
    for (at, samples) in at.iter_mut().zip(SAMPLES).rev() {
        *at = entry % samples;
        entry /= samples;
    }
    let share = |dimension: usize| at[dimension] as f32 / (SAMPLES[dimension] - 1) as f32;
    let [least, most] = DISTANCES;
    Outlook {
        distance: least + (most - least) * share(0) * share(0),
        angle: PI * share(1),
        spin: MOST_SPIN * (2.0 * share(2) - 1.0),
        speed: SPEED_STEP * at[3] as f32,
        wanted: LEAST_WANTED + WANTED_STEP * at[4] as f32,
    }
}

/// Seeks from some outlook, and returns which way somebody faces at the goal, in radians to the left of the direction that the
/// goal was in at first, and whether it gets there without going round it.
fn seek(seen: &Outlook) -> (f32, bool) {
    let (sine, cosine) = libm::sincosf(seen.angle);
    let goal = Vec2::new(cosine, sine) * seen.distance;
    let mut going = Going { heading: 0.0, speed: seen.speed, spin: seen.spin };
    let mut position = Vec2::ZERO;
    let mut nearest = (f32::INFINITY, 0.0);
    let mut turned = 0.0f32;
    for _ in 0..(PATIENCE / STEP) as usize {
        let offset = goal - position;
        let distance = offset.length();
        if distance < nearest.0 {
            nearest = (distance, going.heading);
        } else if nearest.0 <= REACHED {
            break;
        }
        going.steer(libm::atan2f(offset.y, offset.x), seen.wanted, STEP);
        turned += going.spin * STEP;
        let (sine, cosine) = libm::sincosf(going.heading);
        position += Vec2::new(cosine, sine) * (going.speed * STEP);
    }
    (wrap_angle(nearest.1 - seen.angle), nearest.0 <= REACHED && turned.abs() < 2.0 * PI)
}
