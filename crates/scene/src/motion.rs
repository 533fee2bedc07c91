//! The motions that people in a scene are made of: the built-in ones, or a graph of the user's own.

use crate::apart::apart;
use crate::build::Checker;
use crate::file::Name;
use crowdloom_crowd::cell_marking::{CutShort, SegmentBook, SegmentError, SegmentOptions};
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_motion::{Library, builtin};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The motions of people.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MotionTable {
    /// A motion graph of `crowdloom motion graph` beside the scene, `builtin` (the default), or `standing`: the built-in one
    /// without anything but standing, which is there at once, for people who all have velocity movers.
    #[schemars(with = "Option<String>")]
    pub graph: Option<Name>,
    /// Whether actions that a graph lacks, such as sitting, are taken from the built-in motions; of all graphs.
    pub fill: bool,
    /// Radius in metres of the disc that nobody else enters, of people who follow clips of the graph [default: 0.22].
    pub radius: Option<f32>,
    /// More graphs by name, for people with that `motion`.
    #[schemars(with = "BTreeMap<String, String>")]
    pub graphs: BTreeMap<String, Name>,
    /// How motions are cut into segments for `cell-marking`.
    pub segments: Option<SegmentsTable>,
}

/// Segments of a second, and what can follow what (Brunner 2014, sections 3.3 and 3.4).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SegmentsTable {
    /// Clips without labels are used, and those with one of these labels …
    pub labels: Vec<String>,
    /// … unless they have one of these.
    pub without: Vec<String>,
    /// Frames from the start of one segment to that of the next within a clip, and from one decision to the next.
    pub stride: usize,
    /// δ: transitions whose summed difference in metres is larger are not made.
    pub delta: f32,
    /// At most this many transitions are kept for each state (ours).
    pub most: usize,
    /// A body stands still that is slower than this, in metres and radians a second (ours).
    pub still: [f32; 2],
}

impl Default for SegmentsTable {
    fn default() -> Self {
        let SegmentOptions { labels, without, stride, threshold: delta, most, still } =
            SegmentOptions::of_crowds();
        Self { labels, without, stride, delta, most, still }
    }
}

impl SegmentsTable {
    fn options(&self) -> SegmentOptions {
        let Self { labels, without, stride, delta: threshold, most, still } = self.clone();
        SegmentOptions { labels, without, stride, threshold, most, still }
    }
}

impl MotionTable {
    /// The graphs that people have, and what to call them, the main one first.
    pub fn all(&self) -> impl Iterator<Item = (String, Option<&Name>)> {
        let main = std::iter::once(("the motion graph".to_owned(), self.graph.as_ref()));
        main.chain(
            self.graphs.iter().map(|(name, graph)| (format!("the motion graph `{name}`"), Some(graph))),
        )
    }

    /// Whether some people have motions of the user's own and nothing else.
    pub fn is_bare(&self) -> bool {
        self.all().any(|(_, graph)| graph.is_some_and(is_own)) && !self.fill
    }
}

fn is_own(graph: &Name) -> bool {
    !matches!(graph.get_ref().as_str(), "builtin" | "standing")
}

fn is_standing(graph: &Name) -> bool {
    graph.get_ref() == "standing"
}

/// The built-in moves: made once, as every scene needs them.
static BUILTIN: LazyLock<Option<Arc<MoveBook>>> = LazyLock::new(|| made_of(builtin::library));

/// The built-in moves of those who only stand.
static STANDING: LazyLock<Option<Arc<MoveBook>>> = LazyLock::new(|| made_of(builtin::standing));

fn made_of(library: fn() -> Library) -> Option<Arc<MoveBook>> {
    apart(|| {
        let (graph, _) = build_graph(&library(), &BuildOptions::default()).ok()?;
        MoveBook::new(Arc::new(graph), BookOptions::default()).ok().map(Arc::new)
    })
}

/// Segments of the built-in moves: made once, as that takes seconds.
static BUILTIN_SEGMENTS: LazyLock<Option<Arc<SegmentBook>>> = LazyLock::new(|| {
    let book = BUILTIN.as_ref()?;
    apart(|| SegmentBook::of_graph(book.graph()).ok().map(Arc::new))
});

/// The segments of a graph, for people who plan captured motion.
pub fn segments_of(graph: &Arc<MotionGraph>) -> Result<Arc<SegmentBook>, SegmentError> {
    let is_builtin = BUILTIN.as_ref().is_some_and(|book| Arc::ptr_eq(book.graph(), graph));
    if is_builtin && let Some(segments) = BUILTIN_SEGMENTS.as_ref() {
        return Ok(Arc::clone(segments));
    }
    SegmentBook::of_graph(graph).map(Arc::new)
}

/// The moves of people, of several graphs side by side; mistakes go to the checker.
pub fn build_book(table: &MotionTable, folder: &Path, checker: &mut Checker<'_>) -> Option<Arc<MoveBook>> {
    if table.graph.as_ref().is_some_and(is_standing) && table.graphs.is_empty() {
        return STANDING.clone().and_then(|book| of_radius(table, book, checker));
    }
    let builtin = BUILTIN.clone()?;
    let mut book = match table.graph.as_ref().filter(|graph| is_own(graph)) {
        Some(graph) => {
            let own = load_graph(table, graph, &builtin, folder, checker)?;
            usable(graph, own, checker)?
        }
        None if table.graph.as_ref().is_some_and(is_standing) => STANDING.clone()?,
        None => Arc::clone(&builtin),
    };
    for (number, (name, graph)) in table.graphs.iter().enumerate() {
        let own = match is_own(graph) {
            true => load_graph(table, graph, &builtin, folder, checker)?,
            false if is_standing(graph) => Arc::clone(STANDING.as_ref()?.graph()),
            false => Arc::clone(builtin.graph()),
        };
        // Each alone first: a mistake is told where the graph is named.
        let alone = usable(graph, Arc::clone(&own), checker)?;
        if alone.islands() > 1 || book.islands() as usize > number + 1 {
            let problem = "its motions fall into parts that do not lead to each other";
            return refuse(graph, &problem, "leave one of the parts out", checker);
        }
        match book.graph().beside(name, &own) {
            Ok(all) => book = usable(graph, Arc::new(all), checker)?,
            Err(error) => return refuse(graph, &error, "name fewer or smaller graphs", checker),
        }
    }
    let mut book = of_radius(table, book, checker)?;
    if let Some(segments) = &table.segments {
        let segments = build_segments(segments, &book, checker)?;
        Arc::make_mut(&mut book).learn_segments(&segments);
    }
    Some(book)
}

/// The same moves of people who are as wide as the scene says.
fn of_radius(table: &MotionTable, book: Arc<MoveBook>, checker: &mut Checker<'_>) -> Option<Arc<MoveBook>> {
    let usual = book.options();
    let Some(radius) = table.radius.filter(|radius| *radius != usual.radius) else { return Some(book) };
    match MoveBook::new(Arc::clone(book.graph()), BookOptions { radius, ..usual }) {
        Ok(book) => Some(Arc::new(book)),
        Err(error) => {
            checker.problem(None, error.to_string(), "give a radius of about 0.2 m");
            None
        }
    }
}

/// The segments of moves, cut as a table says; mistakes go to the checker.
fn build_segments(
    table: &SegmentsTable,
    book: &MoveBook,
    checker: &mut Checker<'_>,
) -> Option<Arc<SegmentBook>> {
    checker.here = checker.line_starting("[motion.segments").or(checker.line_starting("[motion"));
    let options = table.options();
    if !options.is_sound() {
        let fix = "`stride` from 1 to 30 frames, `delta` and `most` above 0, `still` from 0 to 1";
        checker.problem(None, "motions cannot be cut into such segments", fix);
        return None;
    }
    match SegmentBook::of_graph_with(book.graph(), &options) {
        Ok(segments) => {
            let CutShort { states, of, from } = segments.cut_short().unwrap_or_default();
            let given = options.threshold != SegmentOptions::default().threshold;
            if states > 0 && given {
                let what = format!(
                    "`delta` is {}, but `most` leaves transitions from {from:.1} on out in {states} of {of} states",
                    options.threshold
                );
                checker.warning(None, what, "give a larger `most`");
            }
            Some(Arc::new(segments))
        }
        Err(error) => {
            let what = format!("the motions cannot be cut into segments: {error}");
            checker.problem(None, what, "another `labels`, or a larger `delta` or `still`");
            None
        }
    }
}

/// A graph of the user's own. Everybody has the built-in body: whatever stands beside other motions is made for it.
fn load_graph(
    table: &MotionTable,
    name: &Name,
    builtin: &MoveBook,
    folder: &Path,
    checker: &mut Checker<'_>,
) -> Option<Arc<MotionGraph>> {
    let own = match MotionGraph::load(&folder.join(name.get_ref())) {
        Ok(own) => own,
        Err(error) => {
            checker.problem(Some(name.span()), error.to_string(), "make one with `crowdloom motion graph`");
            return None;
        }
    };
    let graph = match table.fill {
        true => own.filled_from(builtin.graph()),
        false => own.onto(builtin.graph().skeleton()),
    };
    match graph {
        Ok(graph) => Some(Arc::new(graph)),
        Err(error) => refuse(name, &error, "give it clips of people who walk and stand", checker),
    }
}

fn usable(name: &Name, graph: Arc<MotionGraph>, checker: &mut Checker<'_>) -> Option<Arc<MoveBook>> {
    match MoveBook::new(graph, BookOptions::default()) {
        Ok(book) => Some(Arc::new(book)),
        Err(error) => refuse(name, &error, "give it clips that come to a stand", checker),
    }
}

fn refuse<T>(name: &Name, error: &dyn Display, fix: &str, checker: &mut Checker<'_>) -> Option<T> {
    let what = format!("the motion graph `{}` cannot be used: {error}", name.get_ref());
    checker.problem(Some(name.span()), what, fix);
    None
}
