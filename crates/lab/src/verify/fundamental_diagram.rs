//! RiMEA test 4: how speed falls with density, beside Weidmann (1993).
//!
//! RiMEA's corridor is 1000 m long so that its ends do not matter. Ours is a ring of 24 m × 10 m instead: who leaves at
//! one end enters at the other, and both ends see each other's people as moving discs. Speeds are taken in three fields
//! of 2 m × 2 m over 60 s, after 10 s that do not count. People are as scenes have them. Clip agents cannot be put from one
//! end to the other: they go round the closed ring of the experiment, as dense as people find room there.

use crate::experiment::{fundamental_diagram as experiment, reference};
use crowdloom_crowd::velocity::{Model, MovingDisc, Surroundings, VelocityCrowd, Walker};
use crowdloom_motion::FRAME_TIME as STEP;
use crowdloom_world::{Ground, Outline, Stream, rectangle};
use glam::{DVec2, Vec2};
use serde::Serialize;

const LENGTH: f32 = 24.0;
const WIDTH: f32 = 10.0;
/// People this near to an end are seen at the other.
const SEAM: f32 = 5.0;
const DENSITIES: [f32; 7] = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
const SETTLING: f32 = 10.0;
const MEASURING: f32 = 60.0;
const FREE_SPEED: f32 = 1.34;

/// Speed against density for one model.
#[derive(Debug, Serialize)]
pub struct Curve {
    /// The model.
    pub model: String,
    /// Measured points, from thin to dense.
    pub points: Vec<Point>,
}

/// One density.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Point {
    /// People per square metre in the whole corridor.
    pub density: f32,
    /// People per square metre in the measuring fields.
    pub measured_density: f32,
    /// Mean speed along the corridor in the measuring fields, in metres per second.
    pub speed: f32,
    /// Weidmann's speed at the measured density, in metres per second.
    pub weidmann: f32,
}

/// Weidmann's speed at `density` people per square metre, in metres per second.
pub fn weidmann(density: f32) -> f32 {
    const GAMMA: f32 = 1.913;
    const DENSEST: f32 = 5.4;
    if density <= 0.0 {
        return FREE_SPEED;
    }
    (FREE_SPEED * (1.0 - libm::expf(-GAMMA * (1.0 / density - 1.0 / DENSEST)))).max(0.0)
}

/// Measures a mover at seven densities.
pub(super) fn measure(mover: &str, model: Option<Model>) -> Curve {
    let points = match model {
        Some(model) => DENSITIES.iter().filter_map(|&density| at_density(model, density)).collect(),
        None => {
            let point = |(density, measured_density, speed): (f32, f32, f32)| Point {
                density,
                measured_density,
                speed,
                weidmann: weidmann(measured_density),
            };
            experiment::on_the_ring(mover, &DENSITIES, 4).into_iter().map(point).collect()
        }
    };
    Curve { model: mover.into(), points }
}

impl Curve {
    /// Densities in people a square metre, and speeds in metres a second.
    pub fn speeds(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.points.iter().map(|point| (point.measured_density, point.speed))
    }

    /// Whether speed falls with density, and at all seven densities lies between what Weidmann and HERMES found, give or
    /// take 20 % or 0.1 m/s.
    pub(super) fn judge(&self) -> (bool, String) {
        let falls = self.points.windows(2).all(|pair| pair[1].speed <= pair[0].speed + 0.005);
        let fits = self.points.iter().all(|point| {
            let hermes = match point.measured_density {
                // HERMES ends there.
                density if density > 3.06 => point.weidmann,
                density => reference::speed_at(density),
            };
            let (low, high) = (hermes.min(point.weidmann), hermes.max(point.weidmann));
            (low - (0.2 * low).max(0.1)..=high + (0.2 * high).max(0.1)).contains(&point.speed)
        });
        let points =
            self.points.iter().map(|point| format!("{:.2} at {:.1}", point.speed, point.measured_density));
        let measured = points.collect::<Vec<_>>().join(", ");
        (falls && fits && self.points.len() == DENSITIES.len(), format!("{measured} m/s at /m²"))
    }
}

fn at_density(model: Model, density: f32) -> Option<Point> {
    let margin = f64::from(SEAM) + 1.0;
    let (low, high) = (DVec2::new(-margin, 0.0), DVec2::new(f64::from(LENGTH) + margin, f64::from(WIDTH)));
    let ground = Ground::builder().floor(Outline::solid("floor", rectangle(low, high))).build().ok()?;
    let mut crowd = VelocityCrowd::new(4);
    let mut stream = Stream::new(4, 4);
    let people = (density * LENGTH * WIDTH).round();
    let rows = (people * WIDTH / LENGTH).sqrt().floor();
    let columns = (people / rows).ceil();
    for person in 0..people as usize {
        let cell = Vec2::new((person / rows as usize) as f32, (person % rows as usize) as f32) + 0.5;
        let jitter = Vec2::new(stream.unit() as f32, stream.unit() as f32) * 0.02;
        let position = cell * Vec2::new(LENGTH / columns, WIDTH / rows) + jitter;
        crowd.add(Walker::new(position, model));
    }
    crowd.prefer(|_, _| Vec2::X * FREE_SPEED);
    let (mut seen, mut way, mut steps) = (0usize, 0.0f64, 0usize);
    let mut before = Vec::new();
    for step in 0..((SETTLING + MEASURING) / STEP) as usize {
        let ghosts: Vec<MovingDisc> = crowd
            .moving_discs()
            .filter_map(|disc| {
                let shift = match disc.centre.x {
                    x if x < SEAM => LENGTH,
                    x if x > LENGTH - SEAM => -LENGTH,
                    _ => return None,
                };
                Some(MovingDisc { centre: disc.centre + Vec2::X * shift, ..disc })
            })
            .collect();
        before.clear();
        before.extend_from_slice(crowd.positions());
        crowd.step(Surroundings { ground: Some(&ground), discs: &ghosts, ..Surroundings::default() }, STEP);
        if step as f32 * STEP >= SETTLING {
            steps += 1;
            for (from, to) in before.iter().zip(crowd.positions()) {
                if in_a_field(*from) {
                    seen += 1;
                    way += f64::from(to.x - from.x);
                }
            }
        }
        for agent in 0..crowd.len() {
            let mut position = crowd.positions()[agent];
            if !(0.0..LENGTH).contains(&position.x) {
                position.x = position.x.rem_euclid(LENGTH);
                crowd.place(agent, position);
            }
        }
    }
    let measured_density = seen as f32 / (steps as f32 * 3.0 * 4.0);
    let speed = if seen > 0 { (way / (seen as f64 * f64::from(STEP))) as f32 } else { 0.0 };
    Some(Point { density, measured_density, speed, weidmann: weidmann(measured_density) })
}

/// Whether somebody is in one of the three fields of 2 m × 2 m, away from the seam.
fn in_a_field(position: Vec2) -> bool {
    [Vec2::new(8.0, 4.0), Vec2::new(12.0, 1.5), Vec2::new(14.0, 6.5)].iter().any(|low| {
        let inside = position - *low;
        inside.cmpge(Vec2::ZERO).all() && inside.cmplt(Vec2::splat(2.0)).all()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weidmann_as_printed() {
        for (density, speed) in [(0.5, 1.298), (1.0, 1.058), (2.0, 0.606), (4.0, 0.156), (5.4, 0.0)] {
            assert!((weidmann(density) - speed).abs() < 2e-3, "{density}");
        }
    }
}
