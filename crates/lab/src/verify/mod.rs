//! The standard verification tests of pedestrian dynamics, for every velocity mover that claims to model pedestrians.
//!
//! RiMEA 4.1.1 (2025) tests 1, 4, 6, 9 and 12d, and test 2.8 of NIST TN 1822 (2013). RiMEA fixes few limits itself; where
//! the limit is ours, the expected column says what it is.

pub mod fundamental_diagram;
mod tests_of_nist;
mod tests_of_rimea;

use crate::pedestrians;
use crowdloom_crowd::velocity::Model;
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
    pub model: &'static str,
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

/// Runs all tests.
pub fn run() -> Report {
    let models = pedestrians::models();
    let mut checks = Vec::new();
    for model in models {
        let mut check = |test, expected: &str, run: &dyn Fn(Model) -> Finding| {
            let start = Instant::now();
            let (passed, measured) = run(model).unwrap_or_else(|why| (false, why));
            let computing_s = start.elapsed().as_secs_f64();
            checks.push(Check {
                test,
                model: model.name(),
                expected: expected.into(),
                measured,
                passed,
                computing_s,
            });
        };
        check("RiMEA 1", "40 m in 26 to 34 s", &tests_of_rimea::corridor);
        check("RiMEA 6", "20 people round a corner, no wall crossed", &tests_of_rimea::corner);
        check("RiMEA 9", "2 of 4 exits: 1.6 to 2.4 times as long", &tests_of_rimea::exits);
        check("RiMEA 12d", "flow grows with width 0.8, 1.0, 1.2 m", &tests_of_rimea::bottleneck);
        check("NIST 2.8", "last of 100 later against 0, 10, 50, 100", &tests_of_nist::counter_flow);
    }
    let timed: Vec<_> = models
        .into_par_iter()
        .map(|model| {
            let start = Instant::now();
            (fundamental_diagram::measure(model), start.elapsed().as_secs_f64())
        })
        .collect();
    let mut fundamental_diagrams = Vec::new();
    for (curve, computing_s) in timed {
        let (passed, measured) = curve.judge();
        checks.push(Check {
            test: "RiMEA 4",
            model: curve.model,
            expected: "speed falls with density; ±20 % of Weidmann at 0.5 to 2 /m²".into(),
            measured,
            passed,
            computing_s,
        });
        fundamental_diagrams.push(curve);
    }
    checks.sort_by_key(|check| (check.model, check.test.starts_with("NIST")));
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
