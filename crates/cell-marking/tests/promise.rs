//! Agents that plan captured motion keep the promise too: apart in every frame, off every wall, the same bits on any
//! number of threads.

use crowdloom_cell_marking::{CellCrowd, Options, Promises, SegmentBook, SegmentOptions, Walker};
use crowdloom_motion::feet::HeldFeet;
use crowdloom_motion::{Placement, builtin};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// Fewer segments than usual: tests prepare them with slow code.
static BOOK: LazyLock<Arc<SegmentBook>> = LazyLock::new(|| {
    let options = SegmentOptions { stride: 8, ..SegmentOptions::default() };
    Arc::new(SegmentBook::new(&builtin::library(), &options).unwrap())
});

fn room(side: f64) -> Arc<Ground> {
    let pillar = rectangle(DVec2::splat(side / 2.0 - 0.6), DVec2::splat(side / 2.0 + 0.6));
    let builder =
        Ground::builder().floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::splat(side))));
    Arc::new(builder.obstacle(Outline::solid("pillar", pillar)).build().unwrap())
}

/// A dense crowd in which everybody wants to the other corner.
fn crowd(promises: Promises, seed: u64, side: f32) -> CellCrowd {
    let options = Options { promises, ..Options::default() };
    let mut crowd = CellCrowd::new(BOOK.clone(), Some(room(f64::from(side))), options, seed);
    let mut place = Vec2::splat(0.5);
    while place.y < side {
        let placement = Placement { position: place, heading: place.x * 7.0 + seed as f32 };
        crowd.add(Walker { placement, goal: Vec2::splat(side) - place, speed: 1.34 });
        place.x += 1.1;
        if place.x > side {
            place = Vec2::new(0.5, place.y + 1.1);
        }
    }
    crowd
}

fn assert_apart(crowd: &CellCrowd, ground: &Ground) {
    let radius = Options::default().radius;
    let positions = crowd.positions();
    for (agent, a) in positions.iter().enumerate() {
        assert!(ground.is_free(*a, radius), "agent {agent} is in a wall in frame {}", crowd.frame());
        for (other, b) in positions.iter().enumerate().take(agent) {
            let distance = a.distance(*b);
            assert!(distance >= 2.0 * radius, "{agent} and {other} in frame {}: {distance} m", crowd.frame());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn nobody_ever_overlaps(seed in 0u64..1000, side in 8.0f32..12.0, cell in 0.08f32..0.4, discs: bool) {
        let promises = if discs { Promises::Discs } else { Promises::Cells(cell) };
        let mut crowd = crowd(promises, seed, side);
        let ground = room(f64::from(side));
        let start = crowd.positions().to_vec();
        prop_assert!(crowd.len() > 20);
        for _ in 0..400 {
            crowd.step();
            assert_apart(&crowd, &ground);
        }
        let moved = start.iter().zip(crowd.positions()).filter(|(a, b)| a.distance(**b) > 1.0).count();
        prop_assert!(moved * 5 > crowd.len(), "only {moved} of {} went anywhere", crowd.len());
    }
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut crowd = crowd(Options::default().promises, 3, 14.0);
            (0..300).for_each(|_| crowd.step());
            let bits = |p: &Vec2| (p.x.to_bits(), p.y.to_bits());
            crowd.positions().iter().map(bits).collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(2));
}

/// Bodies neither jump nor spin from one frame to the next, and are where their discs are.
#[test]
fn bodies_move_smoothly() {
    let mut crowd = crowd(Promises::Discs, 5, 9.0);
    let mut feet = HeldFeet::new(BOOK.skeleton(), crowd.len());
    let mut held = |crowd: &CellCrowd, agent: usize| {
        let mut shown = crowd.show(agent);
        feet.hold(agent, shown.placement, &mut shown.pose, shown.contacts);
        shown
    };
    let mut before: Vec<_> = (0..crowd.len()).map(|agent| held(&crowd, agent)).collect();
    for _ in 0..200 {
        crowd.step();
        for (agent, old) in before.iter_mut().enumerate() {
            let new = held(&crowd, agent);
            let sinks = (new.pose.root_height - old.pose.root_height).abs();
            assert!(sinks < 0.05, "the pelvis of agent {agent} moves by {sinks} m in a frame");
            assert!(new.placement.position.distance(crowd.positions()[agent]) < 1e-3);
            assert!(new.placement.position.distance(old.placement.position) < 0.12, "agent {agent} jumps");
            let turns = old.pose.rotations.iter().zip(&new.pose.rotations).map(|(a, b)| a.angle_between(*b));
            let sharpest = turns.fold(0.0, f32::max);
            assert!(sharpest < 0.6, "a joint of agent {agent} turns by {sharpest} rad in a frame");
            *old = new;
        }
    }
}

#[test]
fn somebody_alone_reaches_the_goal() {
    let mut crowd = CellCrowd::new(BOOK.clone(), None, Options::default(), 1);
    let placement = Placement::new(0.0, 0.0, 2.5);
    crowd.add(Walker { placement, goal: Vec2::new(12.0, 5.0), speed: 1.34 }).unwrap();
    let arrives = (0..900).any(|_| {
        crowd.step();
        crowd.arrived()[0]
    });
    assert!(arrives);
    assert!(crowd.frame() < 600, "after {} frames", crowd.frame());
}

#[test]
fn a_taken_place_is_refused() {
    for promises in [Promises::Cells(0.1), Promises::Discs] {
        let options = Options { promises, ..Options::default() };
        let mut crowd = CellCrowd::new(BOOK.clone(), None, options, 1);
        let walker = |x: f32| Walker { placement: Placement::new(x, 0.0, 0.0), goal: Vec2::ZERO, speed: 1.0 };
        assert_eq!(crowd.add(walker(0.0)), Some(0));
        assert_eq!(crowd.add(walker(0.4)), None);
        assert_eq!(crowd.add(walker(1.0)), Some(1));
    }
}
