//! Lists of route queries in the format of the MovingAI benchmarks (`.scen`).

use super::{read_bytes, text};
use crate::error::{Fault, WorldError};
use std::path::Path;

/// One query: from cell to cell, and how long the shortest way from centre to centre is on the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScenarioQuery {
    /// Column and row of the start cell.
    pub from: (usize, usize),
    /// Column and row of the goal cell.
    pub to: (usize, usize),
    /// Length of the shortest way along rows, columns and diagonals, in cells.
    pub optimal: f64,
}

/// Reads a scenario file, packed or not.
pub fn read_scenario(path: &Path) -> Result<Vec<ScenarioQuery>, WorldError> {
    read_bytes(path).and_then(|bytes| parse(&text(&bytes)?)).map_err(|error| error.in_file(path))
}

fn parse(text: &str) -> Result<Vec<ScenarioQuery>, WorldError> {
    let mut queries = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if i == 0 && line.starts_with("version") || line.trim().is_empty() {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let query = (|| {
            let [_, _, _, _, from_x, from_y, to_x, to_y, optimal] = words[..] else { return None };
            Some(ScenarioQuery {
                from: (from_x.parse().ok()?, from_y.parse().ok()?),
                to: (to_x.parse().ok()?, to_y.parse().ok()?),
                optimal: optimal.parse().ok()?,
            })
        })();
        queries.push(query.ok_or_else(|| Fault::BadLine {
            line: i + 1,
            message: "expected: bucket map width height x y x y length".into(),
        })?);
    }
    Ok(queries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_queries_and_names_bad_lines() {
        let queries = parse("version 1\n0\ta.map\t4\t4\t1\t2\t3\t0\t2.5\n").unwrap();
        assert_eq!(queries, [ScenarioQuery { from: (1, 2), to: (3, 0), optimal: 2.5 }]);
        let error = parse("version 1\n0 a.map 4 4 1 2 x 0 2.5\n").unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
