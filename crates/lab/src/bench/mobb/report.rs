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
    /// Samples in a leaf, and microseconds for a query of a plain MOBB tree on short and on long motions (section 4.2.1).
    pub leaves: Vec<Leaf>,
    /// Figure 4.3: square metres of all boxes of the long motions, turned from first to last sample, over those by second-order
    /// statistics.
    pub areas_first_to_last_by_second_order: f64,
    /// Figure 4.10: MOBB, frame by frame and SweepOBBTree at density 3.3, in microseconds for a query, plain all of them.
    pub figure_4_10: [f64; 3],
    /// Radius in metres of the short experiment's people: it follows from the density of 9.5.
    pub short_radius_metres: f32,
}

/// What the size of leaves does.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Leaf {
    /// Most samples in a leaf.
    pub n_min: usize,
    /// Microseconds for a query on short motions.
    pub short_us: f64,
    /// The same on long ones.
    pub long_us: f64,
}

/// One row of the thesis' tables, by plain trees as it describes them; per query.
#[derive(Debug, Clone, Serialize)]
pub struct PlainRow {
    /// The method.
    pub name: &'static str,
    /// Microseconds.
    pub us: f64,
    /// Tests of boxes in the plane.
    pub boxes_2d: f64,
    /// Tests of boxes in space-time.
    pub boxes_3d: f64,
    /// Tests of samples.
    pub samples: f64,
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
    /// The rows of the thesis' table.
    pub published: Vec<PlainRow>,
    /// The share of queries whose roots do not overlap, or not in time.
    pub root_negatives: f64,
    #[serde(skip)]
    methods: Vec<Measured>,
}

impl Experiment {
    pub(super) fn new(
        queries: usize,
        methods: Vec<Measured>,
        published: Vec<PlainRow>,
        root_negatives: f64,
    ) -> Self {
        Self {
            queries,
            times: methods.iter().map(|m| (format!("{}_ns", key(m.method)), m.ns)).collect(),
            work: methods.iter().map(|m| (key(m.method), m.clone())).collect(),
            published,
            root_negatives,
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

/// Thesis table 4.1, in the order of [`super::published::Plain::ROWS`].
const PRINTED_SHORT: [Printed; 6] = [
    [4.6, 0.45, 0.0, 10.3],
    [4.5, 0.0, 0.45, 10.0],
    [2.3, 1.7, 0.0, 0.91],
    [2.2, 0.16, 1.53, 0.77],
    [2.1, 0.40, 1.34, 0.77],
    [2.0, 1.5, 0.25, 0.81],
];

/// Thesis table 4.2.
const PRINTED_LONG: [Printed; 6] = [
    [68.3, 0.83, 0.0, 306.0],
    [68.1, 0.0, 0.83, 307.0],
    [5.9, 27.5, 0.0, 4.15],
    [6.8, 0.62, 21.6, 3.10],
    [6.8, 1.45, 20.8, 3.10],
    [6.0, 26.7, 0.83, 4.15],
];

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = "table 4.1: clips of about 2.1 s, 100 wanderers in 30 m x 40 m, neighbours queried";
        let fitted = format!(
            "fitted: the radius, {:.2} m, to the density of 9.5 (the printed 1.85 m would cover 90 % of the field), and who is a \
             neighbour, within {:.1} m, so that about 80 % end at the roots as in the thesis ({:.0} % do)",
            self.short_radius_metres,
            super::workload::SIGHT,
            100.0 * self.short.root_negatives
        );
        table(f, title, &self.short, &PRINTED_SHORT, &fitted)?;
        writeln!(f)?;
        let title = format!(
            "table 4.2: 14 motions of about 42 s, random in {0:.0} m x {0:.0} m, radius 1.85 m",
            self.field_metres
        );
        let fitted = "fitted to the thesis' own figures: the field, so that one level takes 306 samples, and the share of queries \
                      that overlap in time (0.83); the rest is measured";
        table(f, &title, &self.long, &PRINTED_LONG, fitted)?;
        writeln!(
            f,
            "\nsection 4.2.1: samples in a leaf, us a query of a plain MOBB tree (thesis: best at 10)"
        )?;
        for leaf in &self.leaves {
            writeln!(f, "{:>4}  short {:.3}  long {:.3}", leaf.n_min, leaf.short_us, leaf.long_us)?;
        }
        writeln!(
            f,
            "figure 4.3: boxes turned from first to last sample have {:.3} times the area of those by second-order \
             statistics (thesis: essentially the same)",
            self.areas_first_to_last_by_second_order
        )?;
        let [mobb, frames, sweep] = self.figure_4_10;
        writeln!(
            f,
            "figure 4.10: density 3.3, plain, us a query: MOBB {mobb:.3}, frame by frame {frames:.3}, SweepOBBTree {sweep:.3}"
        )?;
        writeln!(f, "disagreements: {}", self.disagreements)
    }
}

fn table(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    experiment: &Experiment,
    printed: &[Printed; 6],
    fitted: &str,
) -> fmt::Result {
    writeln!(f, "{title}; {} queries; per query, in brackets the thesis' figure", experiment.queries)?;
    writeln!(f, "{fitted}")?;
    writeln!(
        f,
        "{:<16}{:>8} {:<8}{:>8} {:<8}{:>8} {:<8}{:>8}",
        "as published", "us", "", "2D", "", "3D", "", "samples"
    )?;
    for (row, figures) in experiment.published.iter().zip(printed) {
        let own = [row.us, row.boxes_2d, row.boxes_3d, row.samples];
        write!(f, "{:<16}", row.name)?;
        for (own, figure) in own.iter().zip(figures) {
            write!(f, "{own:>8.3} {:<8}", format!("({figure})"))?;
        }
        writeln!(f)?;
    }
    writeln!(
        f,
        "{:<16}{:>8} {:>17}{:>17}{:>17}{:>14}",
        "many at once", "us", "2D", "3D", "samples", "positive %"
    )?;
    for m in &experiment.methods {
        writeln!(
            f,
            "{:<16}{:>8.4} {:>17.3}{:>17.3}{:>17.3}{:>14.2}",
            key(m.method).replace('_', " "),
            m.ns * 1e-3,
            m.boxes_2d,
            m.boxes_3d,
            m.samples,
            100.0 * m.positives,
        )?;
    }
    let times = |method| experiment.method(method).map_or(f64::NAN, |m| m.ns / experiment.best_tree_ns());
    writeln!(
        f,
        "best tree: {:.1} times faster than frame by frame, {:.1} than one level; both of them many at once, {:.1} than frames",
        times(Method::FrameByFrame),
        times(Method::OneLevel),
        times(Method::WideSweep),
    )
}
