//! Clip agents and velocity agents on one ground: no overlap between the kinds, ever, and both get on.

use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::velocity::{Boids, Hidac, Model, Orca, Rvo, SocialForce};
use crowdloom_crowd::{Crowd, Mind, Movers, Setting};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_world::{Ground, MeshRouter, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::sync::{Arc, LazyLock};

static BOOK: LazyLock<Arc<MoveBook>> = LazyLock::new(|| {
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
    Arc::new(MoveBook::new(Arc::new(graph), BookOptions::default()).unwrap())
});

fn models() -> [Model; 5] {
    [
        Model::Orca(Orca::default()),
        Model::Rvo(Rvo::default()),
        Model::SocialForce(SocialForce::default()),
        Model::Boids(Boids::default()),
        Model::Hidac(Hidac::default()),
    ]
}

/// Both kinds wander over a square of `side` metres with a pillar.
fn square(side: f64, clips: usize, movers: usize, seed: u64) -> (Crowd, Movers) {
    let pillar = rectangle(DVec2::splat(side / 2.0 - 1.0), DVec2::splat(side / 2.0 + 1.0));
    let floor = Ground::builder().floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::splat(side))));
    let ground = Arc::new(floor.obstacle(Outline::solid("pillar", pillar)).build().unwrap());
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let mut crowd = Crowd::new(Setting { book: BOOK.clone(), ground, router, seed });
    let mind = |_: &mut _| Mind { speed: 1.3, wanders: true, ..Mind::default() };
    assert_eq!(crowd.scatter(clips, None, mind), clips);
    let mut others = Movers::new(seed);
    for (index, model) in models().into_iter().enumerate() {
        let share = movers * (index + 1) / 5 - movers * index / 5;
        assert_eq!(others.scatter(&mut crowd, (share, None), model, mind), share);
    }
    (crowd, others)
}

fn assert_apart(crowd: &Crowd, movers: &Movers) {
    let frame = crowd.frame();
    assert_eq!(movers.overlaps(crowd), 0, "kinds overlap in frame {frame}");
    assert_eq!(crowd.overlaps().0, 0);
}

/// Mean distance walked a second.
fn walk(crowd: &mut Crowd, movers: &mut Movers, frames: u32) -> (f32, f32) {
    let (mut clips_walked, mut movers_walked) = (0.0, 0.0);
    let walked = |a: &[Vec2], b: &[Vec2]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum::<f32>();
    for _ in 0..frames {
        let before = (crowd.positions().to_vec(), movers.crowd().positions().to_vec());
        movers.step(crowd);
        assert_apart(crowd, movers);
        clips_walked += walked(&before.0, crowd.positions());
        movers_walked += walked(&before.1, movers.crowd().positions());
    }
    let seconds = frames as f32 / 30.0;
    (clips_walked / seconds / crowd.len() as f32, movers_walked / seconds / movers.crowd().len() as f32)
}

#[test]
fn kinds_never_overlap_and_both_get_on() {
    let (mut crowd, mut movers) = square(24.0, 30, 30, 1);
    let (clips, others) = walk(&mut crowd, &mut movers, 900);
    assert!(clips > 0.4, "clip agents walk {clips} m/s");
    assert!(others > 0.5, "velocity agents walk {others} m/s");
}

#[test]
fn kinds_do_not_overlap_in_a_throng_either() {
    let (mut crowd, mut movers) = square(12.0, 40, 60, 2);
    walk(&mut crowd, &mut movers, 300);
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut crowd, mut movers) = square(20.0, 25, 25, 3);
            (0..200).for_each(|_| movers.step(&mut crowd));
            let everybody = crowd.positions().iter().chain(movers.crowd().positions());
            everybody.map(|p| (p.x.to_bits(), p.y.to_bits())).collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(2));
}
