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

/// The name nearest to `wanted`, if any is near enough to be meant.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let best = names.map(|name| (strsim::levenshtein(wanted, name), name)).min()?;
    (best.0 <= 1 + wanted.chars().count() / 3).then_some(best.1)
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
