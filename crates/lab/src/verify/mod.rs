//! The standard verification tests of pedestrian dynamics, for clip agents and for every velocity mover that claims to model
//! pedestrians, as scenes with their defaults run them.
//!
//! RiMEA 4.1.1 (2025) tests 1, 4, 6, 9 and 12d, and test 2.8 of NIST TN 1822 (2013). RiMEA fixes few limits itself; where
//! the limit is ours, the expected column says what it is.

pub mod fundamental_diagram;
mod tests_of_nist;
mod tests_of_rimea;

use crowdloom_crowd::velocity::{Hidac, Model, Orca, SocialForce};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// What the tests found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each test and model.
    pub checks: Vec<Check>,
    /// Speed against density, as test RiMEA 4 measured it.
    pub fundamental_diagrams: Vec<fundamental_diagram::Curve>,
}

/// One test of one model.
#[derive(Debug, Serialize)]
pub struct Check {
    /// The test.
    pub test: &'static str,
    /// What was moved by.
    pub model: String,
    /// What the test asks for.
    pub expected: String,
    /// What came out.
    pub measured: String,
    /// Whether it is what was asked for.
    pub passed: bool,
    /// Seconds of computing.
    pub computing_s: f64,
}

/// Whether a test was passed, and what was measured; or why it could not run.
type Finding = Result<(bool, String), String>;

/// What moves people, as scenes call it, and its model; clip agents have none.
fn movers() -> [(&'static str, Option<Model>); 4] {
    [
        ("graph", None),
        ("social-force", Some(Model::SocialForce(SocialForce::default()))),
        ("hidac", Some(Model::Hidac(Hidac::default()))),
        ("orca", Some(Model::Orca(Orca::default()))),
    ]
}

type Test = (&'static str, &'static str, fn(&str) -> Finding);

const TESTS: [Test; 5] = [
    ("RiMEA 1", "40 m in 26 to 34 s", tests_of_rimea::corridor),
    ("RiMEA 6", "20 people round a corner, no wall crossed", tests_of_rimea::corner),
    ("RiMEA 9", "2 of 4 exits: 1.6 to 2.4 times as long", tests_of_rimea::exits),
    ("RiMEA 12d", "flow grows with width 0.8, 1.0, 1.2 m", tests_of_rimea::bottleneck),
    ("NIST 2.8", "last of all later against 0, 10, 50, 100", tests_of_nist::counter_flow),
];

/// Runs all tests.
pub fn run() -> Report {
    run_some(|_, _| true)
}

/// Runs the tests of those movers that are wanted, by the names of test and mover.
pub fn run_some(wanted: impl Fn(&str, &str) -> bool + Sync) -> Report {
    let all = movers();
    let cases: Vec<(&str, Test)> =
        all.iter().flat_map(|(mover, _)| TESTS.map(|test| (*mover, test))).collect();
    let mut checks: Vec<Check> = cases
        .into_par_iter()
        .filter(|(mover, test)| wanted(test.0, mover))
        .map(|(mover, (test, expected, run))| {
            let start = Instant::now();
            let (passed, measured) = run(mover).unwrap_or_else(|why| (false, why));
            let computing_s = start.elapsed().as_secs_f64();
            Check { test, model: mover.into(), expected: expected.into(), measured, passed, computing_s }
        })
        .collect();
    let timed: Vec<_> = all
        .into_par_iter()
        .filter(|(mover, _)| wanted("RiMEA 4", mover))
        .map(|(mover, model)| {
            let start = Instant::now();
            (fundamental_diagram::measure(mover, model), start.elapsed().as_secs_f64())
        })
        .collect();
    let mut fundamental_diagrams = Vec::new();
    for (curve, computing_s) in timed {
        let (passed, measured) = curve.judge();
        checks.push(Check {
            test: "RiMEA 4",
            model: curve.model.clone(),
            expected: "speed falls with density; as Weidmann or HERMES ±20 % or 0.1 m/s at 0.5 to 6 /m²"
                .into(),
            measured,
            passed,
            computing_s,
        });
        fundamental_diagrams.push(curve);
    }
    let place = |check: &Check| movers().iter().position(|(mover, _)| *mover == check.model);
    checks.sort_by_key(|check| (place(check), check.test.starts_with("NIST")));
    Report { checks, fundamental_diagrams }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for checks in self.checks.chunk_by(|a, b| a.model == b.model) {
            writeln!(f, "{}", checks[0].model)?;
            for check in checks {
                let verdict = if check.passed { "pass" } else { "FAIL" };
                writeln!(
                    f,
                    "  {verdict}  {:<10} {:<58} {} ({:.2} s of computing)",
                    check.test, check.expected, check.measured, check.computing_s
                )?;
            }
        }
        let passed = self.checks.iter().filter(|check| check.passed).count();
        writeln!(f, "{passed} of {} passed", self.checks.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_and_twenty_pass_whatever_moves_them() {
        let report = run_some(|test, _| matches!(test, "RiMEA 1" | "RiMEA 6"));
        assert_eq!(report.checks.len(), 8);
        for check in report.checks.iter().filter(|check| check.model != "graph") {
            assert!(check.passed, "{report}");
        }
    }

    #[test]
    fn speed_falls_with_density() {
        let report = run_some(|test, mover| test == "RiMEA 4" && mover == "social-force");
        let speeds: Vec<(f32, f32)> = report.fundamental_diagrams[0].speeds().collect();
        assert_eq!(speeds.len(), 7, "{report}");
        assert!(speeds.windows(2).all(|pair| pair[1].1 <= pair[0].1 + 0.02), "{report}");
        // Below 2 /m² it is near to people; around that it is too fast, beyond too slow, and the check says so.
        let near = |(density, speed): &(f32, f32)| {
            let people = crate::experiment::reference::speed_at(*density);
            (speed - people).abs() < 0.25 * people
        };
        assert!(speeds.iter().filter(|(density, _)| (0.5..2.0).contains(density)).all(near), "{report}");
    }
}
