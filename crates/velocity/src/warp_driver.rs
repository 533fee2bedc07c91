//! WarpDriver: Wolinski, Lin, Pettré 2016, "WarpDriver: context-aware probabilistic motion prediction for crowd simulation",
//! ACM Transactions on Graphics 35 (6); equations numbered as in Wolinski's thesis (chapter 4, appendix B), numbers as in JuPedSim.
//!
//! The way that somebody would take is a line in space and time. Everybody near is a field of chances to meet: a disc of
//! radius 1, blurred, warped to where that one will be, to the size of both bodies, and wider the farther ahead one looks.
//! Where the line meets fields it is moved down their slope, and who is on it goes through the point that comes out.
//!
//! JuPedSim's documentation adds that people who are near push each other and themselves off walls, and turn smoothly; it gives
//! the distances. How much they push was found by watching what it does: v0 (d₀ / d − 1), d₀ three times the radii. Left out
//! are its detours of those who are stuck.

use super::anticipation::direction_of;
use super::collision_free_speed::{LEAST, standing};
use super::social_force::exponential;
use super::{Decided, Neighbour, View, clamp_speed};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Parameters of WarpDriver; the defaults are those of JuPedSim.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarpDriver {
    /// T, how far ahead people look, in seconds.
    pub horizon: f32,
    /// α, how far down the slope people go.
    pub step: f32,
    /// σ, how blurred bodies are, in radii.
    pub blur: f32,
    /// λ, how much wider that gets in a second.
    pub time_uncertainty: f32,
    /// μ_x, how uncertain others' speeds are.
    pub speed_uncertainty: f32,
    /// μ_y, how certain others' directions are.
    pub direction_uncertainty: f32,
}

impl Default for WarpDriver {
    fn default() -> Self {
        Self {
            horizon: 2.0,
            step: 0.5,
            blur: 0.3,
            time_uncertainty: 0.5,
            speed_uncertainty: 0.2,
            direction_uncertainty: 0.2,
        }
    }
}

/// Points of the line that are looked at.
const SAMPLES: usize = 20;
/// How far, in metres, these points are beside the line by chance: it breaks the symmetry of two who meet head on.
const BESIDE: f32 = 0.05;
/// Others and walls push within so many sums of radii, from middle to middle.
const PUSH_REACH: f32 = 3.0;
/// How much of its direction somebody keeps …
const KEEPS: f32 = 0.5;
/// … in this time, in seconds.
const KEEPS_FOR: f32 = 0.01;

impl WarpDriver {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let speed = view.preferred.length();
        if speed < 1e-6 {
            return Decided { velocity: Vec2::ZERO, memory: view.memory };
        }
        let wish = view.preferred / speed;
        let mut random = view.random.clone();
        let horizon = self.horizon.max(LEAST);
        // r(t) = (v0 t, 0, t), seen along the wish.
        let line: [Vec3; SAMPLES] = std::array::from_fn(|sample| {
            let time = horizon * sample as f32 / (SAMPLES - 1) as f32;
            Vec3::new(speed * time, random.between(-BESIDE, BESIDE), time)
        });
        let field = Field::new(self.blur);
        let mut met = [Meeting::default(); SAMPLES];
        for neighbour in standing(view) {
            self.perceive(view, wish, neighbour, &field, &line, &mut met);
        }
        let solved = self.solve(&line, &met).map(|local| clamp_speed(local.rotate(wish), speed));
        let mut velocity = solved.unwrap_or(view.preferred);
        for neighbour in standing(view) {
            velocity -= push(neighbour.offset, view.radius + neighbour.radius) * speed;
        }
        for wall in view.walls {
            velocity -= push(*wall, view.radius) * speed;
        }
        let velocity = clamp_speed(velocity, speed);
        let keeps = libm::powf(KEEPS, view.seconds / KEEPS_FOR);
        let velocity = velocity.lerp(direction_of(view.velocity, wish) * velocity.length(), keeps);
        Decided { velocity, memory: view.memory }
    }

    /// How far walls matter, in metres from the edge of a body of some radius.
    #[inline]
    pub(super) fn wall_reach(radius: f32) -> f32 {
        (PUSH_REACH - 1.0) * radius
    }

    /// Adds the chances to meet one neighbour at each point of the line (B.1 to B.15).
    fn perceive(
        &self,
        view: &View,
        wish: Vec2,
        neighbour: &Neighbour,
        field: &Field,
        line: &[Vec3; SAMPLES],
        met: &mut [Meeting; SAMPLES],
    ) {
        let facing = direction_of(neighbour.velocity, neighbour.intent.normalize_or(Vec2::X));
        let pace = neighbour.velocity.length();
        let size = (view.radius + neighbour.radius).max(LEAST);
        let uncertain = Vec2::new(
            1.0 / (1.0 + self.speed_uncertainty.max(0.0)),
            1.0 + self.direction_uncertainty.max(0.0),
        );
        let widens = self.time_uncertainty.max(0.0);
        for (point, met) in line.iter().zip(met) {
            // Into its frame, as it walks on (B.10), in sums of radii (B.7).
            let there = point.truncate().rotate(wish) - neighbour.offset;
            let along = facing.dot(there) - pace * point.z;
            let before = Vec2::new(along, facing.perp_dot(there)) / size;
            // Wider with time (B.4) and by its speed (B.13).
            let wide = 1.0 / (1.0 + widens * point.z);
            let (chance, slope) = field.at(before * wide * uncertain);
            let share = wide * wide * uncertain.x * uncertain.y;
            let chance = chance * share;
            if chance <= 0.0 {
                continue;
            }
            // And back (B.15, B.6, B.12): the slope in space and time along the line.
            let slope = slope * share * uncertain;
            let widening = -widens * wide * wide * before.dot(slope);
            let slope = slope * wide;
            let in_time = widening - pace * slope.x;
            let slope = slope.rotate(facing);
            met.unite(chance, Vec3::new(wish.dot(slope), wish.perp_dot(slope), in_time));
        }
    }

    /// The velocity, seen along the wish, that the chances on the line ask for (4.4 to 4.8); none where there are none.
    fn solve(&self, line: &[Vec3; SAMPLES], met: &[Meeting; SAMPLES]) -> Option<Vec2> {
        let (mut norm, mut risk, mut slope, mut place) = (0.0, 0.0, Vec3::ZERO, Vec3::ZERO);
        for (point, met) in line.iter().zip(met) {
            norm += met.chance;
            risk += met.chance * met.chance;
            slope += met.slope * met.chance;
            place += *point * met.chance;
        }
        if norm < 1e-6 {
            return None;
        }
        let through = place / norm - slope * (self.step * risk / (norm * norm));
        Some(through.truncate() / through.z.max(LEAST))
    }
}

/// How much something at an offset pushes, in own speeds, as a vector towards it: nothing from the reach on.
fn push(offset: Vec2, radii: f32) -> Vec2 {
    let distance = offset.length().max(LEAST);
    offset * ((PUSH_REACH * radii / distance - 1.0).max(0.0) / distance)
}

/// The chance to meet somebody at a point of the line, and its slope.
#[derive(Clone, Copy, Default)]
struct Meeting {
    chance: f32,
    slope: Vec3,
}

impl Meeting {
    /// Adds one more whom one may meet, as if chances were independent.
    fn unite(&mut self, chance: f32, slope: Vec3) {
        self.slope += slope - self.chance * slope - chance * self.slope;
        self.chance += chance - self.chance * chance;
    }
}

const RINGS: usize = 61;
const RING: f32 = 0.05;

/// A disc of radius 1 blurred by a Gaussian, 1 in its middle, from the middle to 3 radii.
struct Field {
    chances: [f32; RINGS],
    slopes: [f32; RINGS],
}

impl Field {
    /// A field with a blur of σ radii. Its slope is −exp(−(1 + r²) / 2σ²) I₁(r / σ²) / σ², up to its size.
    fn new(blur: f32) -> Self {
        let squared = blur.clamp(RING, 1.0).powi(2);
        let slope = |radius: f32| {
            let outside = (1.0 - radius) * (1.0 - radius);
            -exponential(-outside / (2.0 * squared)) * scaled_bessel(radius / squared)
        };
        let mut slopes: [f32; RINGS] = std::array::from_fn(|ring| slope(ring as f32 * RING));
        let mut sums = [0.0; RINGS];
        for ring in 1..RINGS {
            sums[ring] = sums[ring - 1] + 0.5 * RING * (slopes[ring - 1] + slopes[ring]);
        }
        let all = sums[RINGS - 1];
        slopes.iter_mut().for_each(|slope| *slope /= -all);
        Self { chances: sums.map(|sum| 1.0 - sum / all), slopes }
    }

    /// Chance and slope at a point.
    #[inline]
    fn at(&self, point: Vec2) -> (f32, Vec2) {
        let radius = point.length();
        let ring = radius / RING;
        let inner = ring as usize;
        if inner + 1 >= RINGS {
            return (0.0, Vec2::ZERO);
        }
        let part = ring - inner as f32;
        let between = |of: &[f32; RINGS]| of[inner] + part * (of[inner + 1] - of[inner]);
        (between(&self.chances), point * (between(&self.slopes) / radius.max(1e-6)))
    }
}

/// e⁻ˣ I₁(x) for x from 0 up, to 6 digits (Abramowitz and Stegun 1964, 9.8.3 and 9.8.4).
fn scaled_bessel(x: f32) -> f32 {
    let polynomial = |t: f32, factors: &[f32]| factors.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
    if x < 3.75 {
        let t = (x / 3.75) * (x / 3.75);
        let factors =
            [0.5, 0.878_905_94, 0.514_988_69, 0.150_849_34, 0.026_587_33, 0.003_015_32, 0.000_324_11];
        exponential(-x) * x * polynomial(t, &factors)
    } else {
        let factors = [
            0.398_942_3,
            -0.039_880_24,
            -0.003_620_18,
            0.001_638_01,
            -0.010_315_55,
            0.022_829_67,
            -0.028_953_12,
            0.017_876_54,
            -0.004_200_59,
        ];
        polynomial(3.75 / x, &factors) / x.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of a Gaussian about a point that lies in the disc, counted on a fine grid.
    fn counted(radius: f32, blur: f32) -> f32 {
        let (steps, side) = (400, 0.01f32);
        let mut sum = 0.0;
        for row in -steps..steps {
            for column in -steps..steps {
                let (x, y) = (column as f32 * side, row as f32 * side);
                if x * x + y * y <= 1.0 {
                    let squared = (x - radius) * (x - radius) + y * y;
                    sum += (-squared / (2.0 * blur * blur)).exp() * side * side;
                }
            }
        }
        sum
    }

    #[test]
    fn the_field_is_a_blurred_disc() {
        let (blur, field) = (0.3, Field::new(0.3));
        let whole = counted(0.0, blur);
        for radius in [0.0, 0.4, 0.8, 1.0, 1.2, 1.7] {
            let (chance, slope) = field.at(Vec2::new(0.0, radius));
            let expected = counted(radius, blur) / whole;
            assert!((chance - expected).abs() < 0.01, "{chance}, not {expected}, at {radius}");
            let rise = (counted(radius + 0.05, blur) - counted(radius - 0.05, blur)) / whole / 0.1;
            assert!((slope.y - rise).abs() < 0.05 && slope.x == 0.0, "{slope}, not {rise}, at {radius}");
        }
        assert_eq!(field.at(Vec2::new(3.0, 0.0)).0, 0.0);
    }
}
