//! Smooth curves through control points.

/// A step from 0 to 1 with no velocity and acceleration at its ends (minimum jerk).
pub fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// A step from 0 to 1 whose first three derivatives vanish at its ends.
pub fn smoother(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * t * (35.0 + t * (-84.0 + t * (70.0 - 20.0 * t)))
}

/// A hump from 0 to 1 and back over t in [0, 1], flat at its ends.
pub fn hump(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    let base = 4.0 * t * (1.0 - t);
    base * base * base
}

/// A smooth cubic through (x, y) points without overshoot (Fritsch and Carlson 1980), constant outside them.
pub fn through(points: &[(f32, f32)], x: f32) -> f32 {
    let last = points.len() - 1;
    if x <= points[0].0 {
        return points[0].1;
    }
    if x >= points[last].0 {
        return points[last].1;
    }
    let index = points.partition_point(|point| point.0 <= x) - 1;
    let slope = |i: usize| (points[i + 1].1 - points[i].1) / (points[i + 1].0 - points[i].0);
    let tangent = |i: usize| {
        if i == 0 || i == last { 0.0 } else { monotone_tangent(slope(i - 1), slope(i)) }
    };
    hermite(points[index], points[index + 1], tangent(index), tangent(index + 1), x)
}

/// A smooth cubic through (phase, y) points that repeats with period 1; phases rise within [0, 1).
pub fn around(points: &[(f32, f32)], phase: f32) -> f32 {
    let count = points.len() as isize;
    let phase = phase - phase.floor();
    let at = |i: isize| {
        let turns = i.div_euclid(count) as f32;
        let (x, y) = points[i.rem_euclid(count) as usize];
        (x + turns, y)
    };
    let slope = |i: isize| (at(i + 1).1 - at(i).1) / (at(i + 1).0 - at(i).0);
    let index = points.partition_point(|point| point.0 <= phase) as isize - 1;
    let tangent = |i: isize| monotone_tangent(slope(i - 1), slope(i));
    hermite(at(index), at(index + 1), tangent(index), tangent(index + 1), phase)
}

fn monotone_tangent(before: f32, after: f32) -> f32 {
    if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
}

fn hermite(a: (f32, f32), b: (f32, f32), ta: f32, tb: f32, x: f32) -> f32 {
    let width = b.0 - a.0;
    let t = (x - a.0) / width;
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a.1
        + (t3 - 2.0 * t2 + t) * width * ta
        + (3.0 * t2 - 2.0 * t3) * b.1
        + (t3 - t2) * width * tb
}

/// A periodic curve as the first harmonics of its Fourier series.
#[derive(Clone, Copy, Debug)]
pub struct Fourier {
    mean: f32,
    terms: [(f32, f32); Self::HARMONICS],
}

impl Fourier {
    /// Harmonics kept; joint angles in gait hold hardly any power above the sixth or so (Winter 2009, chapter 2).
    pub const HARMONICS: usize = 7;

    /// The series of a curve given by control points over one period.
    pub fn fit(points: &[(f32, f32)]) -> Self {
        const SAMPLES: usize = 96;
        let samples: Vec<f32> = (0..SAMPLES).map(|i| around(points, i as f32 / SAMPLES as f32)).collect();
        let mean = samples.iter().sum::<f32>() / SAMPLES as f32;
        let mut terms = [(0.0, 0.0); Self::HARMONICS];
        for (harmonic, term) in terms.iter_mut().enumerate() {
            for (i, sample) in samples.iter().enumerate() {
                let angle = std::f32::consts::TAU * (harmonic + 1) as f32 * i as f32 / SAMPLES as f32;
                let (sin, cos) = libm::sincosf(angle);
                term.0 += sample * cos * 2.0 / SAMPLES as f32;
                term.1 += sample * sin * 2.0 / SAMPLES as f32;
            }
        }
        Self { mean, terms }
    }

    /// The mean over a period.
    pub fn mean(&self) -> f32 {
        self.mean
    }

    /// The curve at a phase.
    pub fn at(&self, phase: f32) -> f32 {
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * (phase - phase.floor()));
        let (mut s, mut c) = (0.0, 1.0);
        let mut value = self.mean;
        for term in self.terms {
            (s, c) = (s * cos + c * sin, c * cos - s * sin);
            value += term.0 * c + term.1 * s;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_pass_through_their_points() {
        let points = [(0.0, 1.0), (0.3, 5.0), (0.6, 5.0), (0.9, -2.0)];
        for (x, y) in points {
            assert!((through(&points, x) - y).abs() < 1e-5);
            assert!((around(&points, x + 3.0) - y).abs() < 1e-4);
        }
        assert!((through(&points, 0.45) - 5.0).abs() < 1e-5, "flat stays flat");
    }

    #[test]
    fn a_fourier_series_follows_its_curve() {
        let points = [(0.0, 20.0), (0.5, -10.0), (0.75, 10.0)];
        let series = Fourier::fit(&points);
        for i in 0..50 {
            let phase = i as f32 / 50.0;
            assert!((series.at(phase) - around(&points, phase)).abs() < 0.5);
        }
    }
}
