//! The figures, beside those of the thesis.

use crowdloom_motion::mobb::{Method, Work};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Queries on which some method disagrees with frame by frame.
    pub disagreements: usize,
    /// Side in metres of the square of translations in the long experiment, chosen so that one level takes as many sample
    /// tests as in the thesis.
    pub field_metres: f32,
    /// Clips of about 2.1 s in a crowd (thesis table 4.1).
    pub short: Experiment,
    /// Motions of about 42 s at random (thesis table 4.2).
    pub long: Experiment,
}

/// One method on one workload, per query.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    #[serde(skip)]
    method: Method,
    /// Nanoseconds.
    #[serde(skip)]
    pub ns: f64,
    /// Tests of boxes aligned with time.
    pub boxes_2d: f64,
    /// Tests of boxes tilted in space-time.
    pub boxes_3d: f64,
    /// Tests of samples.
    pub samples: f64,
    /// Share of positive answers.
    pub positives: f64,
}

impl Measured {
    /// Averages totals over `queries`.
    pub(super) fn new(method: Method, seconds: f64, work: Work, positives: usize, queries: usize) -> Self {
        let per_query = |total: f64| total / queries.max(1) as f64;
        Self {
            method,
            ns: per_query(seconds * 1e9),
            boxes_2d: per_query(work.boxes_2d as f64),
            boxes_3d: per_query(work.boxes_3d as f64),
            samples: per_query(work.samples as f64),
            positives: per_query(positives as f64),
        }
    }
}

/// One experiment: times under `<method>_ns`, counts per query under `work`.
#[derive(Debug, Serialize)]
pub struct Experiment {
    /// How many queries there are.
    pub queries: usize,
    #[serde(flatten)]
    times: BTreeMap<String, f64>,
    work: BTreeMap<&'static str, Measured>,
    #[serde(skip)]
    methods: Vec<Measured>,
}

impl Experiment {
    pub(super) fn new(queries: usize, methods: Vec<Measured>) -> Self {
        Self {
            queries,
            times: methods.iter().map(|m| (format!("{}_ns", key(m.method)), m.ns)).collect(),
            work: methods.iter().map(|m| (key(m.method), m.clone())).collect(),
            methods,
        }
    }

    /// The time in ns of the fastest of the thesis' four kinds of tree.
    fn best_tree_ns(&self) -> f64 {
        let trees = [Method::Mobb, Method::Umobb, Method::Hybrid1, Method::Hybrid2];
        trees
            .into_iter()
            .filter_map(|tree| self.method(tree))
            .map(|tree| tree.ns)
            .fold(f64::INFINITY, f64::min)
    }

    /// What one method did.
    pub fn method(&self, method: Method) -> Option<&Measured> {
        self.methods.iter().find(|measured| measured.method == method)
    }
}

fn key(method: Method) -> &'static str {
    match method {
        Method::FrameByFrame => "frame_by_frame",
        Method::OneLevel => "one_level",
        Method::Mobb => "mobb",
        Method::Umobb => "umobb",
        Method::Hybrid1 => "hybrid1",
        Method::Hybrid2 => "hybrid2",
        Method::WideSweep => "wide_sweep",
        Method::Best => "best",
    }
}

/// Microseconds, 2D box tests, 3D box tests and sample tests per query that the thesis prints.
type Printed = [f64; 4];

/// Thesis table 4.1.
fn printed_short(method: Method) -> Option<Printed> {
    match method {
        Method::OneLevel => Some([4.6, 0.45, 0.0, 10.3]),
        Method::Mobb => Some([2.3, 1.7, 0.0, 0.91]),
        Method::Umobb => Some([2.2, 0.16, 1.53, 0.77]),
        Method::Hybrid1 => Some([2.1, 0.40, 1.34, 0.77]),
        Method::Hybrid2 => Some([2.0, 1.5, 0.25, 0.81]),
        _ => None,
    }
}

/// Thesis table 4.2.
fn printed_long(method: Method) -> Option<Printed> {
    match method {
        Method::OneLevel => Some([68.3, 0.83, 0.0, 306.0]),
        Method::Mobb => Some([5.9, 27.5, 0.0, 4.15]),
        Method::Umobb => Some([6.8, 0.62, 21.6, 3.10]),
        Method::Hybrid1 => Some([6.8, 1.45, 20.8, 3.10]),
        Method::Hybrid2 => Some([6.0, 26.7, 0.83, 4.15]),
        _ => None,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table(f, "short: clips of about 2.1 s, 100 wanderers in 30 m x 40 m", &self.short, printed_short)?;
        writeln!(f)?;
        let title =
            format!("long: 14 motions of about 42 s, random in {0:.0} m x {0:.0} m", self.field_metres);
        table(f, &title, &self.long, printed_long)?;
        writeln!(f, "\ndisagreements: {}", self.disagreements)
    }
}

fn table(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    experiment: &Experiment,
    printed: fn(Method) -> Option<Printed>,
) -> fmt::Result {
    writeln!(f, "{title}; {} queries; per query, in brackets the thesis' figure", experiment.queries)?;
    writeln!(
        f,
        "{:<15}{:>9} {:>11}{:>9} {:>8}{:>9} {:>8}{:>9} {:>8}{:>11}",
        "method", "ns", "", "2D", "", "3D", "", "samples", "", "positive %"
    )?;
    for m in &experiment.methods {
        let bracket = |i: usize, unit: &str| match printed(m.method) {
            Some(figures) => format!("({}{unit})", figures[i]),
            None => String::new(),
        };
        writeln!(
            f,
            "{:<15}{:>9.1} {:<11}{:>9.2} {:<8}{:>9.2} {:<8}{:>9.2} {:<8}{:>11.2}",
            key(m.method).replace('_', " "),
            m.ns,
            bracket(0, " us"),
            m.boxes_2d,
            bracket(1, ""),
            m.boxes_3d,
            bracket(2, ""),
            m.samples,
            bracket(3, ""),
            100.0 * m.positives,
        )?;
    }
    let times = |method| experiment.method(method).map_or(f64::NAN, |m| m.ns / experiment.best_tree_ns());
    writeln!(
        f,
        "best tree: {:.1} times faster than frame by frame, {:.1} times faster than one level",
        times(Method::FrameByFrame),
        times(Method::OneLevel),
    )
}
