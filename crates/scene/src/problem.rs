//! What is wrong with a scene file, where, and what would be right.

use std::fmt;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1, where one can be named.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub fix: String,
    /// Whether the scene can run in spite of it.
    pub harmless: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}", self.what)?;
        if !self.fix.is_empty() {
            write!(f, " ({})", self.fix)?;
        }
        Ok(())
    }
}

/// The line of a byte in a text, counted from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&b| b == b'\n').count()
}

/// The name nearest to `wanted`, if any is near enough to be meant.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let best = names.map(|name| (edit_distance(wanted, name), name)).min()?;
    (best.0 <= 1 + wanted.chars().count() / 3).then_some(best.1)
}

/// The number of letters to change, add or drop (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let cost = corner + usize::from(ca != cb);
            corner = row[j + 1];
            row[j + 1] = cost.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let names = ["kerb-north", "kerb-south", "square"];
        assert_eq!(nearest("kerb-nort", names.into_iter()), Some("kerb-north"));
        assert_eq!(nearest("sqare", names.into_iter()), Some("square"));
        assert_eq!(nearest("fountain", names.into_iter()), None);
    }
}
