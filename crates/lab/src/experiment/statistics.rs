//! What user studies ask of their numbers: analysis of variance and counts beside chance.

use serde::Serialize;

/// What one factor, or the interaction of two, does to a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Mean square of the effect over that of the error.
    pub f: f64,
    /// Degrees of freedom of effect and error.
    pub degrees: [f64; 2],
    /// The probability of an F at least as large by chance.
    pub p: f64,
}

/// A two-way analysis of variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TwoWay {
    /// The factor that numbers the rows.
    pub rows: Effect,
    /// The factor that numbers the columns.
    pub columns: Effect,
    /// What both together do beyond each alone.
    pub interaction: Effect,
}

/// Analyses cells of a table of repeated measurements, row by row, by unweighted means (the usual analysis where all cells have
/// the same number). `None` where a row or column is alone, a cell is empty or nothing is repeated.
pub fn two_way(cells: &[Vec<Vec<f64>>]) -> Option<TwoWay> {
    let (rows, columns) = (cells.len(), cells.first()?.len());
    let all: Vec<&Vec<f64>> = cells.iter().flatten().collect();
    let measured: usize = all.iter().map(|cell| cell.len()).sum();
    let is_table = cells.iter().all(|row| row.len() == columns) && all.iter().all(|cell| !cell.is_empty());
    if rows < 2 || columns < 2 || !is_table || measured <= rows * columns {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means: Vec<Vec<f64>> = cells.iter().map(|row| row.iter().map(|cell| mean(cell)).collect()).collect();
    let row_means: Vec<f64> = means.iter().map(|row| mean(row)).collect();
    let column_means: Vec<f64> =
        (0..columns).map(|column| mean(&means.iter().map(|row| row[column]).collect::<Vec<_>>())).collect();
    let grand = mean(&row_means);
    // The harmonic mean of the cells' numbers.
    let each = all.len() as f64 / all.iter().map(|cell| 1.0 / cell.len() as f64).sum::<f64>();
    let squares = |values: &[f64]| values.iter().map(|value| (value - grand).powi(2)).sum::<f64>();
    let of_rows = each * columns as f64 * squares(&row_means);
    let of_columns = each * rows as f64 * squares(&column_means);
    let of_both: f64 = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .map(|(row, column)| (means[row][column] - row_means[row] - column_means[column] + grand).powi(2))
        .sum::<f64>()
        * each;
    let within = all.iter().map(|cell| {
        let own = mean(cell);
        cell.iter().map(|value| (value - own).powi(2)).sum::<f64>()
    });
    let error_degrees = (measured - rows * columns) as f64;
    let error = within.sum::<f64>() / error_degrees;
    let effect = |sum: f64, degrees: usize| {
        let f = sum / degrees as f64 / error;
        Effect { f, degrees: [degrees as f64, error_degrees], p: f_tail(f, degrees as f64, error_degrees) }
    };
    Some(TwoWay {
        rows: effect(of_rows, rows - 1),
        columns: effect(of_columns, columns - 1),
        interaction: effect(of_both, (rows - 1) * (columns - 1)),
    })
}

/// The probability that at least `hits` of `trials` come out by tossing a coin.
pub fn coin_tail(hits: u64, trials: u64) -> f64 {
    if hits == 0 {
        return 1.0;
    }
    incomplete_beta(hits as f64, (trials.saturating_sub(hits) + 1) as f64, 0.5)
}

/// The probability of an F at least as large by chance.
fn f_tail(f: f64, degrees: f64, error_degrees: f64) -> f64 {
    incomplete_beta(0.5 * error_degrees, 0.5 * degrees, error_degrees / (error_degrees + degrees * f))
}

/// The regularised incomplete beta function by its continued fraction (Abramowitz and Stegun 1964, 26.5.8), evaluated by the
/// modified algorithm of Lentz.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if !(x > 0.0 && x < 1.0) {
        return if x >= 1.0 { 1.0 } else { 0.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let logarithm = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    let front = libm::exp(logarithm + a * libm::log(x) + b * libm::log(1.0 - x)) / a;
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..300 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        // Critical values of F at 5 % and 1 %.
        assert!((f_tail(4.965, 1.0, 10.0) - 0.05).abs() < 1e-4);
        assert!((f_tail(3.478, 4.0, 10.0) - 0.05).abs() < 1e-4);
        assert!((f_tail(10.044, 1.0, 10.0) - 0.01).abs() < 1e-4);
        assert_eq!(f_tail(0.0, 2.0, 9.0), 1.0);
        // Sums of binomial coefficients: 3 of 3, 2 or more of 3, and what Brunner counted.
        assert!((coin_tail(3, 3) - 0.125).abs() < 1e-12 && (coin_tail(2, 3) - 0.5).abs() < 1e-12);
        assert!((coin_tail(23, 31) - 0.005_337).abs() < 1e-5, "{}", coin_tail(23, 31));
        assert_eq!(coin_tail(0, 5), 1.0);
    }

    #[test]
    fn two_factors_are_told_apart() {
        // By hand: rows add 4, columns 1, both together nothing; the error's mean square is 0.5.
        let cell = |mean: f64| vec![mean - 0.5, mean + 0.5];
        let cells = vec![vec![cell(1.0), cell(2.0)], vec![cell(5.0), cell(6.0)]];
        let found = two_way(&cells).unwrap();
        assert!((found.rows.f - 64.0).abs() < 1e-9 && (found.columns.f - 4.0).abs() < 1e-9, "{found:?}");
        assert!(found.interaction.f.abs() < 1e-9 && found.interaction.p > 0.999);
        assert!(
            (found.rows.p - 0.001_324).abs() < 1e-5 && (found.columns.p - 0.1161).abs() < 1e-4,
            "{found:?}"
        );
        assert_eq!(found.rows.degrees, [1.0, 4.0]);
        assert!(two_way(&cells[..1]).is_none());
        assert!(two_way(&[vec![vec![1.0], vec![2.0]], vec![vec![1.0], vec![3.0]]]).is_none());
    }
}
