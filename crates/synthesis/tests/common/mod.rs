//! What the tests of planned motions share.

use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, NodeId, build_graph};
use crowdloom_synthesis::{Options, Repertoire};
use std::sync::{Arc, LazyLock};

/// The built-in motions, laid out for search.
pub static REPERTOIRE: LazyLock<Arc<Repertoire>> = LazyLock::new(|| {
    let (graph, _) =
        build_graph(&builtin::library(), &BuildOptions::default()).expect("the built-in clips connect");
    let options = Options::default();
    Arc::new(Repertoire::new(Arc::new(graph), &options.locomotion, options.weights).expect("it walks"))
});

/// Their graph.
pub fn graph() -> &'static MotionGraph {
    REPERTOIRE.graph()
}

/// A pose of theirs.
pub fn pose(name: &str) -> NodeId {
    graph().find_node(name).expect("a pose of the built-in library")
}
