//! Places of many people at once: a list, rows and columns, or a word spelled in points.

use crate::build::Checker;
use crate::file::{Name, Point, Repeat};
use crate::letters::strokes;
use crowdloom_world::Stream;
use schemars::JsonSchema;
use serde::Deserialize;

/// What the random numbers for mixing are keyed with.
const MIXING: u64 = 0x31a_ce5;

/// A place, or one for each of several people.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Places {
    /// One.
    One(Point),
    /// One for each.
    Each(Vec<Point>),
}

/// A direction in degrees, or one for each of several people.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Facings {
    /// The same for all.
    One(f32),
    /// One for each.
    Each(Vec<f32>),
}

impl Default for Facings {
    fn default() -> Self {
        Self::One(0.0)
    }
}

/// A word spelled in points, as many as there are people.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Word {
    /// The word: capital letters from A to Z.
    #[schemars(with = "String")]
    pub text: Name,
    /// The lower left corner of the first letter.
    pub at: Point,
    /// Width of a letter in metres; it is 1.4 times as high.
    pub size: f64,
    /// Into how many files, from left to right, the points are dealt: the first of each file gets its highest point.
    #[serde(default = "one")]
    pub files: usize,
}

fn one() -> usize {
    1
}

/// Where the people of a table start, `count` of them if that is known; mistakes are noted at `name`.
pub fn starts(
    at: &Places,
    repeat: Option<Repeat>,
    name: &Name,
    checker: &mut Checker<'_>,
) -> Option<Vec<Point>> {
    match (at, repeat) {
        (Places::One(at), Some(repeat)) => rows_and_columns(*at, repeat, name, checker),
        (Places::One(at), None) => Some(vec![*at]),
        (Places::Each(all), None) => Some(all.clone()),
        (Places::Each(_), Some(_)) => {
            let what = "`repeat` needs one place, not a list";
            checker.problem(Some(name.span()), what, "keep the list or the repetition");
            None
        }
    }
}

/// Copies of a place, row after row.
fn rows_and_columns(
    [x, y]: Point,
    Repeat { columns, rows, step }: Repeat,
    name: &Name,
    checker: &mut Checker<'_>,
) -> Option<Vec<Point>> {
    if columns == 0 || rows == 0 {
        let what = format!("{columns} x {rows} people are nobody");
        checker.problem(Some(name.span()), what, "at least 1 of each");
        return None;
    }
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column as f64, row as f64)));
    Some(cells.map(|(column, row)| [x + column * step[0], y + row * step[1]]).collect())
}

/// The facing of each of `count` people, in degrees.
pub fn facings(facing: &Facings, count: usize, name: &Name, checker: &mut Checker<'_>) -> Option<Vec<f32>> {
    match facing {
        Facings::One(facing) => Some(vec![*facing; count]),
        Facings::Each(all) => fits(all.len(), count, "facing", name, checker).then(|| all.clone()),
    }
}

/// Where each of `count` people has to be.
pub fn goals(
    at: &Places,
    repeat: Option<Repeat>,
    count: usize,
    name: &Name,
    checker: &mut Checker<'_>,
) -> Option<Vec<Point>> {
    if let (Places::One(at), None) = (at, repeat) {
        return Some(vec![*at; count]);
    }
    let places = starts(at, repeat, name, checker)?;
    fits(places.len(), count, "place", name, checker).then_some(places)
}

fn fits(given: usize, count: usize, what: &str, name: &Name, checker: &mut Checker<'_>) -> bool {
    if given != count {
        let what = format!("`{}` means {count} people, but there are {given} {what}s", name.get_ref());
        checker.problem(Some(name.span()), what, "give one for each of them, or one for all");
    }
    given == count
}

/// Lets neighbours in rows and columns change places at random, `times` times half of them.
pub fn mix(places: &mut [Point], repeat: Repeat, times: usize, seed: u64) {
    let mut random = Stream::new(seed, MIXING);
    let columns = repeat.columns.max(1);
    for _ in 0..times {
        for index in 0..places.len() {
            let (step, stays) = [(1, (index + 1) % columns == 0), (columns, false)][random.below(2)];
            if index + step < places.len() && !stays && random.below(2) == 0 {
                places.swap(index, index + step);
            }
        }
    }
}

/// The points of a word, spread evenly over its strokes and dealt into files.
pub fn spell(word: &Word, count: usize, checker: &mut Checker<'_>) -> Option<Vec<Point>> {
    let mut lines: Vec<Vec<Point>> = Vec::new();
    for (index, letter) in word.text.get_ref().chars().enumerate() {
        let Some(letter) = strokes(letter) else {
            let what = format!("`{letter}` cannot be spelled");
            checker.problem(Some(word.text.span()), what, "capital letters from A to Z");
            return None;
        };
        let left = index as f64 * LETTER_STEP;
        let place = |&[x, y]: &Point| [word.at[0] + (x + left) * word.size, word.at[1] + y * word.size];
        lines.extend(letter.iter().map(|stroke| stroke.iter().map(place).collect()));
    }
    let total: f64 = lines.iter().map(|line| length(line)).sum();
    if !(total > 0.0 && total.is_finite() && word.files > 0) {
        checker.problem(Some(word.text.span()), "the word has no points", "give letters, `size` and `files`");
        return None;
    }
    Some(deal(spread_along(&lines, count), word.files))
}

/// So many points, spread evenly over lines.
pub fn spread_along(lines: &[Vec<Point>], count: usize) -> Vec<Point> {
    let total: f64 = lines.iter().map(|line| length(line)).sum();
    let mut points: Vec<Point> = Vec::with_capacity(count);
    let mut before = 0.0;
    for line in lines {
        let own = length(line);
        let share = |sum: f64| (sum / total * count as f64).round() as usize;
        let here = share(before + own) - share(before);
        before += own;
        points.extend((0..here).map(|index| along(line, own * (index as f64 + 0.5) / here as f64)));
    }
    points
}

fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// Letters of a word are this far apart, in widths of a letter.
const LETTER_STEP: f64 = 1.45;

/// Deals points into files from left to right; then one of each file after the other, the highest first.
fn deal(mut points: Vec<Point>, files: usize) -> Vec<Point> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let longest = points.len().div_ceil(files).max(1);
    for file in points.chunks_mut(longest) {
        file.sort_by(|a, b| b[1].total_cmp(&a[1]));
    }
    (0..longest)
        .flat_map(|rank| points.chunks(longest).filter_map(move |file| file.get(rank).copied()))
        .collect()
}

/// How far two points are apart, in metres.
pub fn distance(a: Point, b: Point) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

/// The point of a polygon line at some distance from its start.
fn along(line: &[Point], mut left: f64) -> Point {
    for pair in line.windows(2) {
        let length = distance(pair[0], pair[1]);
        if left <= length {
            let part = left / length.max(1e-9);
            return [0, 1].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * part);
        }
        left -= length;
    }
    line[line.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_dealt_file_by_file() {
        let points = vec![[0.0, 0.0], [0.1, 5.0], [2.0, 1.0], [2.1, 3.0]];
        assert_eq!(deal(points, 2), [[0.1, 5.0], [2.1, 3.0], [0.0, 0.0], [2.0, 1.0]]);
    }

    #[test]
    fn mixing_keeps_all_places_and_moves_none_far() {
        let repeat = Repeat { columns: 5, rows: 4, step: [1.0, 1.0] };
        let places: Vec<Point> = (0..20).map(|i| [f64::from(i % 5), f64::from(i / 5)]).collect();
        let mut mixed = places.clone();
        mix(&mut mixed, repeat, 2, 9);
        assert_ne!(mixed, places);
        let mut sorted = mixed.clone();
        sorted.sort_by(|a, b| (a[1], a[0]).partial_cmp(&(b[1], b[0])).unwrap());
        assert_eq!(sorted, places);
        // One pass can carry somebody on along a row, but most stay near.
        let mean = places.iter().zip(&mixed).map(|(a, b)| distance(*a, *b)).sum::<f64>() / 20.0;
        assert!(mean < 2.5, "{mean}");
    }

    #[test]
    fn a_line_is_gone_along_evenly() {
        let line = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]];
        assert_eq!(along(&line, 1.0), [1.0, 0.0]);
        assert_eq!(along(&line, 3.0), [2.0, 1.0]);
        assert_eq!(along(&line, 9.0), [2.0, 2.0]);
    }
}
