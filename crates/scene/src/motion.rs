//! The motions that people in a scene are made of: the built-in ones, or a graph of the user's own.

use crate::apart::apart;
use crate::build::Checker;
use crate::file::Name;
use crowdloom_crowd::cell_marking::{BookError, SegmentBook};
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The motions of people.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MotionTable {
    /// A motion graph of `crowdloom motion graph` beside the scene, or `builtin` (the default).
    #[schemars(with = "Option<String>")]
    pub graph: Option<Name>,
    /// Whether actions that the graph lacks, such as sitting, are taken from the built-in motions.
    pub fill: bool,
}

impl MotionTable {
    /// Whether people have motions of the user's own and nothing else.
    pub fn is_bare(&self) -> bool {
        self.own().is_some() && !self.fill
    }

    fn own(&self) -> Option<&Name> {
        self.graph.as_ref().filter(|name| name.get_ref() != "builtin")
    }
}

/// The built-in moves: made once, as every scene needs them.
static BUILTIN: LazyLock<Option<Arc<MoveBook>>> = LazyLock::new(|| {
    apart(|| {
        let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).ok()?;
        MoveBook::new(Arc::new(graph), BookOptions::default()).ok().map(Arc::new)
    })
});

/// Segments of the built-in moves: made once, as that takes seconds.
static BUILTIN_SEGMENTS: LazyLock<Option<Arc<SegmentBook>>> = LazyLock::new(|| {
    let book = BUILTIN.as_ref()?;
    apart(|| SegmentBook::of_graph(book.graph()).ok().map(Arc::new))
});

/// The segments of a graph, for people who plan captured motion.
pub fn segments_of(graph: &Arc<MotionGraph>) -> Result<Arc<SegmentBook>, BookError> {
    let is_builtin = BUILTIN.as_ref().is_some_and(|book| Arc::ptr_eq(book.graph(), graph));
    if is_builtin && let Some(segments) = BUILTIN_SEGMENTS.as_ref() {
        return Ok(Arc::clone(segments));
    }
    SegmentBook::of_graph(graph).map(Arc::new)
}

/// The moves of people; mistakes go to the checker.
pub fn build_book(table: &MotionTable, folder: &Path, checker: &mut Checker<'_>) -> Option<Arc<MoveBook>> {
    let builtin = BUILTIN.clone()?;
    let Some(name) = table.own() else { return Some(builtin) };
    let path = folder.join(name.get_ref());
    let span = Some(name.span());
    let own = match MotionGraph::load(&path) {
        Ok(own) => own,
        Err(error) => {
            checker.problem(span, error.to_string(), "make one with `crowdloom motion graph`");
            return None;
        }
    };
    // Everybody has the built-in body: whatever mixes with motions of one's own is made for it.
    let graph = match table.fill {
        true => own.filled_from(builtin.graph()),
        false => own.onto(builtin.graph().skeleton()),
    };
    let unusable = |error: &dyn std::fmt::Display| {
        format!("the motion graph `{}` cannot be used: {error}", name.get_ref())
    };
    match graph {
        Ok(graph) => match MoveBook::new(Arc::new(graph), BookOptions::default()) {
            Ok(book) => Some(Arc::new(book)),
            Err(error) => {
                checker.problem(span, unusable(&error), "give it clips that come to a stand");
                None
            }
        },
        Err(error) => {
            checker.problem(span, unusable(&error), "give it clips of people who walk and stand");
            None
        }
    }
}
