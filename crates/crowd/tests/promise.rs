//! The product's promise: nobody ever walks through anybody or anything, at any density, on any number of threads.

use crowdloom_crowd::commitment::Commitment;
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::random::Random;
use crowdloom_crowd::scenario::{Choose, Scenario, Stop};
use crowdloom_crowd::{Crowd, Mind, Setting, Spread};
use crowdloom_motion::graph::{BuildOptions, NodeId, build_graph};
use crowdloom_motion::{Placement, builtin};
use crowdloom_world::MeshRouter;
use crowdloom_world::rectangle;
use crowdloom_world::{Ground, Outline};
use glam::DVec2;
use proptest::prelude::*;
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
                assert!(
                    crowd.setting().ground.is_free(position, BOOK.options().radius - 1e-4),
                    "in a wall at {position}"
                );
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn no_two_discs_ever_overlap(side in 6.0f64..18.0, count in 2usize..120, seed in 0u64..1000, x in 2.0f64..4.0) {
        let mut crowd = wanderers(square(side, &[(x, x)]), count, seed);
        for _ in 0..400 {
            crowd.step();
            prop_assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Two promises clash if, and only if, both are there in a frame in which their discs overlap, until one has left.
    #[test]
    fn promises_of_those_who_leave_end_there(
        moves in prop::array::uniform2(0usize..10_000),
        starts in prop::array::uniform2((-1.5f32..1.5, -1.5f32..1.5, -3.1f32..3.1, 0u32..40)),
        leaves in prop::array::uniform2(prop::option::of(1u32..60)),
    ) {
        let graph = BOOK.graph();
        let promise = |number: usize| {
            let node = NodeId((moves[number] % graph.nodes().len()) as u16);
            let choices = BOOK.choices(node);
            let doing = choices[moves[number] / 7 % choices.len()].normal;
            let (x, y, heading, frame) = starts[number];
            let promise = Commitment::new(Placement::new(x, y, heading), frame, doing, node);
            promise.leaving(leaves[number].map(|after| frame + after))
        };
        let (a, b) = (promise(0), promise(1));
        let later = a.start_frame.max(b.start_frame);
        let both = |frame: &u32| a.is_there(&BOOK, *frame) && b.is_there(&BOOK, *frame);
        let gap = |frame: u32| {
            a.position(&BOOK, frame).distance(b.position(&BOOK, frame)) - a.radius(&BOOK) - b.radius(&BOOK)
        };
        let least = (later..later + 400).filter(both).map(gap).fold(f32::INFINITY, f32::min);
        // Promises are tested with a skin, so what nearly touches may count as either.
        prop_assume!(least.abs() > 0.003);
        prop_assert_eq!(a.clashes(&b, &BOOK), least < 0.0);
        prop_assert_eq!(b.clashes(&a, &BOOK), least < 0.0);
    }
}

#[test]
fn opposing_flows_get_through_a_corridor() {
    for seed in 1..=5 {
        let seconds = seconds_until_all_are_through(seed);
        println!("seed {seed}: all through after {seconds} s");
    }
}

/// Two crowds of 24 walk towards each other in a corridor of 4 m x 40 m and leave at its ends.
fn seconds_until_all_are_through(seed: u64) -> u32 {
    let ground = Ground::builder()
        .floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::new(40.0, 4.0))))
        .region("west", Outline::solid("west", rectangle(DVec2::ZERO, DVec2::new(12.0, 4.0))))
        .region("east", Outline::solid("east", rectangle(DVec2::new(28.0, 0.0), DVec2::new(40.0, 4.0))))
        .region("west end", Outline::solid("west end", rectangle(DVec2::ZERO, DVec2::new(2.0, 4.0))))
        .region(
            "east end",
            Outline::solid("east end", rectangle(DVec2::new(38.0, 0.0), DVec2::new(40.0, 4.0))),
        )
        .build()
        .unwrap();
    let ground = Arc::new(ground);
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let setting = Setting { book: BOOK.clone(), ground: ground.clone(), router, seed };
    let mut crowd = Crowd::new(setting);
    let stop = |name: &str, region: usize| Stop {
        name: name.into(),
        regions: vec![region],
        choose: Choose::Any,
        stay: Spread::Fixed(0.0),
        next: Vec::new(),
        exit: true,
        closed: false,
    };
    crowd.set_scenario(Scenario { stops: vec![stop("west", 2), stop("east", 3)], ..Scenario::default() });
    let mind = |bound_for: u16| {
        move |random: &mut Random| Mind {
            speed: random.between(1.1, 1.5),
            bound_for: Some(bound_for),
            ..Mind::default()
        }
    };
    let (west, east) = (crowd.scatter(24, Some(0), mind(1)), crowd.scatter(24, Some(1), mind(0)));
    assert_eq!((west, east), (24, 24));
    for _ in 0..30 * 300 {
        crowd.step();
        assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
        if crowd.is_empty() {
            return crowd.frame() / 30;
        }
    }
    for a in 0..crowd.len() {
        let m = crowd.mind(a);
        let graph = crowd.setting().book.graph();
        let shows = crowd.showing(a).map(|(action, _)| graph.action(action).clip.name.clone());
        println!(
            "{:?} blocked {} heads for {:?}, shows {shows:?}",
            crowd.placement(a),
            m.blocked,
            m.target()
        );
    }
    panic!("{} people did not get through in five minutes", crowd.len());
}
