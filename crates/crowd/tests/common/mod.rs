//! What tests of crowds share.

use crowdloom_crowd::cell_marking::{Marking, SegmentBook};
use crowdloom_crowd::diversity::{Scheme, StyleBook, StyleControl, StyleOptions};
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::velocity::{Boids, Hidac, Model, Orca, Rvo, SocialForce};
use crowdloom_crowd::{Bodies, Crowd, Setting, Steering};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_motion::styles::StyleLibrary;
use crowdloom_world::{Ground, MeshRouter};
use std::sync::{Arc, LazyLock};

/// The built-in moves.
pub static BOOK: LazyLock<Arc<MoveBook>> = LazyLock::new(|| {
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
    Arc::new(MoveBook::new(Arc::new(graph), BookOptions::default()).unwrap())
});

/// The built-in styles.
#[allow(dead_code)]
pub static STYLES: LazyLock<Arc<StyleBook>> = LazyLock::new(|| {
    let options = crowdloom_motion::styles::StyleOptions::default();
    let (library, _) = StyleLibrary::build(&builtin::library(), &options).unwrap();
    Arc::new(StyleBook::new(Arc::new(library)))
});

/// All velocity models with their defaults.
#[allow(dead_code)]
pub fn models() -> [Model; 5] {
    [
        Model::Orca(Orca::default()),
        Model::Rvo(Rvo::default()),
        Model::SocialForce(SocialForce::default()),
        Model::Boids(Boids::default()),
        Model::Hidac(Hidac::default()),
    ]
}

/// Segments of the built-in moves.
#[allow(dead_code)]
pub static SEGMENTS: LazyLock<Arc<SegmentBook>> =
    LazyLock::new(|| Arc::new(SegmentBook::of_graph(BOOK.graph()).unwrap()));

/// A crowd without anybody that knows all velocity models and can plan captured motion.
#[allow(dead_code)]
pub fn crowd_of_all(ground: Arc<Ground>, seed: u64) -> Crowd {
    let mut crowd = crowd_on(ground, seed);
    crowd.add_marking(&SEGMENTS, Marking::default());
    crowd
}

/// A crowd without anybody that knows all velocity models.
#[allow(dead_code)]
pub fn crowd_on(ground: Arc<Ground>, seed: u64) -> Crowd {
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let mut crowd = Crowd::new(Setting { book: BOOK.clone(), ground, router, seed });
    for model in models() {
        crowd.add_steering(Steering::new(model));
    }
    crowd
}

/// Gives everybody bodies, with styles for those on the graph, too, if asked.
#[allow(dead_code)]
pub fn give_bodies(crowd: &mut Crowd, scheme: Scheme, styles_graph: bool) {
    let options = StyleOptions { scheme, ..StyleOptions::default() };
    let control = StyleControl::new(Arc::clone(&STYLES), options, Vec::new(), crowd.setting().seed);
    let graph = crowd.setting().book.graph().clone();
    crowd.set_bodies(Bodies::new(control, &graph, styles_graph));
}
