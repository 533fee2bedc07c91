//! The product's promise: nobody ever walks through anybody or anything, at any density, on any number of threads.

use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::{Crowd, Mind, Setting};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_world::MeshRouter;
use crowdloom_world::rectangle;
use crowdloom_world::{Ground, Outline};
use glam::DVec2;
use std::sync::{Arc, LazyLock};

static BOOK: LazyLock<Arc<MoveBook>> = LazyLock::new(|| {
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
    Arc::new(MoveBook::new(Arc::new(graph), BookOptions::default()).unwrap())
});

fn square(side: f64, pillars: &[(f64, f64)]) -> Arc<Ground> {
    let mut builder =
        Ground::builder().floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::splat(side))));
    for &(x, y) in pillars {
        let corner = DVec2::new(x, y);
        builder = builder.obstacle(Outline::solid("pillar", rectangle(corner, corner + 1.5)));
    }
    Arc::new(builder.build().unwrap())
}

fn wanderers(ground: Arc<Ground>, count: usize, seed: u64) -> Crowd {
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let mut crowd = Crowd::new(Setting { book: BOOK.clone(), ground, router, seed });
    crowd.scatter(count, None, |random| Mind {
        speed: random.between(1.0, 1.6),
        wanders: true,
        ..Mind::default()
    });
    crowd
}

#[test]
fn wanderers_never_overlap() {
    for (side, count) in [(20.0, 60), (12.0, 80)] {
        let mut crowd = wanderers(square(side, &[(4.0, 4.0), (8.0, 7.0)]), count, 7);
        let agents = crowd.len();
        let started = std::time::Instant::now();
        let mut walked = 0.0;
        let mut before = crowd.positions().to_vec();
        for _ in 0..1800 {
            crowd.step();
            assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
            for (a, b) in before.iter().zip(crowd.positions()) {
                walked += a.distance(*b);
            }
            before.copy_from_slice(crowd.positions());
            for &position in crowd.positions() {
                assert!(crowd.setting().ground.is_free(position, 0.2499), "in a wall at {position}");
            }
        }
        let arrivals: u32 = (0..agents).map(|agent| crowd.mind(agent).arrivals).sum();
        println!(
            "{agents} agents, {side} m: {:.2} m/s, {arrivals} arrivals, {:?}",
            walked / agents as f32 / 60.0,
            started.elapsed()
        );
        assert!(arrivals as usize * 3 > agents, "only {arrivals} arrivals of {agents} agents in a minute");
    }
}
