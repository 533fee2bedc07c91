//! Principal components: the few directions in which samples differ most.

use rayon::prelude::*;

/// A mean and directions from it, of unit length, those that explain most first.
#[derive(Clone, Debug)]
pub struct Pca {
    /// The mean of all samples.
    pub mean: Vec<f32>,
    /// The directions kept, one after the other, each as long as the mean.
    pub components: Vec<f32>,
    /// The number of directions kept.
    pub kept: usize,
    /// The share of the samples' variance that they explain, from 0 to 1.
    pub variance: f64,
}

impl Pca {
    /// Keeps at most `most` directions of samples of one length.
    pub fn of(samples: &[Vec<f32>], most: usize) -> Self {
        Self::keep(samples, |_, kept| kept < most)
    }

    /// Keeps directions as long as `wants` says so, given the share of variance explained so far and how many there are.
    pub fn keep(samples: &[Vec<f32>], wants: impl Fn(f64, usize) -> bool) -> Self {
        let length = samples.first().map_or(0, Vec::len);
        let mut mean = vec![0.0f64; length];
        for sample in samples {
            mean.iter_mut().zip(sample).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        mean.iter_mut().for_each(|sum| *sum /= samples.len().max(1) as f64);
        let off: Vec<Vec<f64>> = samples
            .iter()
            .map(|sample| sample.iter().zip(&mean).map(|(value, mean)| f64::from(*value) - mean).collect())
            .collect();
        // There are fewer samples than numbers in one: their products among each other have the same eigenvalues.
        let products: Vec<Vec<f64>> = off
            .par_iter()
            .map(|a| off.iter().map(|b| a.iter().zip(b).map(|(a, b)| a * b).sum()).collect())
            .collect();
        let total: f64 = (0..off.len()).map(|index| products[index][index]).sum();
        let (values, vectors) = symmetric_eigen(products);
        let mut components = Vec::new();
        let (mut kept, mut explained) = (0, 0.0);
        for (value, vector) in values.iter().zip(&vectors) {
            let share = if total > 0.0 { explained / total } else { 1.0 };
            if *value <= total * 1e-12 || !wants(share, kept) {
                break;
            }
            let scale = 1.0 / value.sqrt();
            let at = |place: usize| off.iter().zip(vector).map(|(own, part)| own[place] * part).sum::<f64>();
            components.extend((0..length).map(|place| (at(place) * scale) as f32));
            explained += value;
            kept += 1;
        }
        let variance = if total > 0.0 { explained / total } else { 1.0 };
        Self { mean: mean.iter().map(|&value| value as f32).collect(), components, kept, variance }
    }

    /// A direction.
    pub fn component(&self, number: usize) -> &[f32] {
        let length = self.mean.len();
        &self.components[number * length..(number + 1) * length]
    }

    /// How far a sample lies in each direction.
    pub fn project(&self, sample: &[f32]) -> Vec<f32> {
        let along = |number: usize| {
            let off = sample.iter().zip(&self.mean).zip(self.component(number));
            off.map(|((value, mean), part)| f64::from(value - mean) * f64::from(*part)).sum::<f64>() as f32
        };
        (0..self.kept).map(along).collect()
    }

    /// The sample that lies so far in each direction.
    pub fn restore(&self, weights: &[f32], into: &mut Vec<f32>) {
        into.clear();
        into.extend_from_slice(&self.mean);
        for (number, weight) in weights.iter().enumerate().take(self.kept) {
            into.iter_mut().zip(self.component(number)).for_each(|(value, part)| *value += weight * part);
        }
    }
}

/// Eigenvalues of a symmetric matrix, largest first, and their eigenvectors (Jacobi's rotations, cyclically).
fn symmetric_eigen(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|p| (0..p).map(move |q| (p, q))).map(|(p, q)| a[p][q] * a[p][q]).sum();
        let diagonal: f64 = (0..n).map(|p| a[p][p] * a[p][p]).sum();
        if off <= diagonal * 1e-22 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (t * t + 1.0).sqrt();
                let sine = t * cosine;
                for row in a.iter_mut() {
                    (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
                for column in 0..n {
                    let (up, down) = (a[p][column], a[q][column]);
                    (a[p][column], a[q][column]) = (cosine * up - sine * down, sine * up + cosine * down);
                    let (up, down) = (vectors[p][column], vectors[q][column]);
                    (vectors[p][column], vectors[q][column]) =
                        (cosine * up - sine * down, sine * up + cosine * down);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&p, &q| a[q][q].total_cmp(&a[p][p]));
    (order.iter().map(|&p| a[p][p]).collect(), order.iter().map(|&p| vectors[p].clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_on_a_plane_need_two_directions() {
        let sample =
            |u: f32, v: f32| (0..50).map(|i| u * i as f32 + v * (i as f32 * 0.7).sin() + 3.0).collect();
        let samples: Vec<Vec<f32>> =
            (0..12).map(|n| sample((n as f32 * 1.3).sin(), (n as f32 * 2.1).cos() * 9.0)).collect();
        let pca = Pca::of(&samples, 10);
        assert_eq!(pca.kept, 2, "{}", pca.variance);
        assert!(pca.variance > 1.0 - 1e-9);
        let mut back = Vec::new();
        for sample in &samples {
            pca.restore(&pca.project(sample), &mut back);
            assert!(sample.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-3));
        }
        let across: f32 = pca.component(0).iter().zip(pca.component(1)).map(|(a, b)| a * b).sum();
        assert!(across.abs() < 1e-4);
    }

    #[test]
    fn directions_are_kept_until_enough_is_explained() {
        let samples: Vec<Vec<f32>> = (0..30)
            .map(|n| (0..8).map(|i| ((n * 7 + i * 3) as f32).sin() / (i + 1) as f32).collect())
            .collect();
        let pca = Pca::keep(&samples, |share, _| share < 0.8);
        assert!(pca.variance >= 0.8);
        assert!(Pca::of(&samples, pca.kept - 1).variance < 0.8);
    }
}
