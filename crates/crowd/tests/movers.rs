//! Everybody on one ground, whatever moves them: no promise is ever broken, all get on, and movers change in mid-run.

mod common;

use common::{crowd_of_all, give_bodies};
use crowdloom_crowd::diversity::Scheme;
use crowdloom_crowd::vehicle::{Track, Vehicle};
use crowdloom_crowd::{Crowd, Mind, Mover, Newcomer, Profile};
use crowdloom_motion::Placement;
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use proptest::prelude::*;
use std::sync::Arc;

fn wanderer() -> Mind {
    Mind { speed: 1.3, wanders: true, ..Mind::default() }
}

fn steered(number: u16) -> Newcomer {
    Newcomer { mover: Mover::Steered(number), mind: wanderer(), ..Newcomer::default() }
}

fn planning() -> Newcomer {
    Newcomer { mover: Mover::CellMarking(0), mind: wanderer(), ..Newcomer::default() }
}

fn square(side: f64) -> Arc<Ground> {
    let pillar = rectangle(DVec2::splat(side / 2.0 - 1.0), DVec2::splat(side / 2.0 + 1.0));
    let floor = Ground::builder().floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::splat(side))));
    Arc::new(floor.obstacle(Outline::solid("pillar", pillar)).build().unwrap())
}

/// People of all movers wander over a square of `side` metres with a pillar: some who plan captured motion besides those
/// on the graph and those who are steered.
fn mixed(side: f64, clips: usize, others: usize, seed: u64) -> Crowd {
    let mut crowd = crowd_of_all(square(side), seed);
    crowd.scatter(clips, None, |_| wanderer());
    crowd.scatter(clips / 3, None, |_| planning());
    for number in 0..5u16 {
        let share = others * (usize::from(number) + 1) / 5 - others * usize::from(number) / 5;
        crowd.scatter(share, None, |_| steered(number));
    }
    crowd
}

/// Mean distance walked a second by those on the graph, by those who are steered and by those who plan captured motion.
fn walk(crowd: &mut Crowd, frames: u32) -> [f32; 3] {
    let (mut walked, mut count) = ([0.0f32; 3], [0u32; 3]);
    for _ in 0..frames {
        let before: Vec<(u32, Vec2)> =
            (0..crowd.len()).map(|index| (crowd.id(index), crowd.positions()[index])).collect();
        crowd.step();
        assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
        for (id, place) in before {
            let Some(index) = crowd.index_of(id) else { continue };
            let kind = match crowd.mover(index) {
                Mover::Graph => 0,
                Mover::CellMarking(_) => 2,
                _ => 1,
            };
            walked[kind] += crowd.positions()[index].distance(place) * 30.0;
            count[kind] += 1;
        }
        if crowd.frame().is_multiple_of(10) {
            assert_eq!(crowd.promise_overlaps(), 0, "frame {}", crowd.frame());
        }
    }
    std::array::from_fn(|kind| walked[kind] / count[kind].max(1) as f32)
}

#[test]
fn movers_never_overlap_and_all_get_on() {
    let mut crowd = mixed(24.0, 30, 30, 1);
    assert_eq!(crowd.len(), 70);
    let [clips, others, planning] = walk(&mut crowd, 900);
    assert!(clips > 0.4, "who follows clips walks {clips} m/s");
    assert!(others > 0.5, "who is steered walks {others} m/s");
    assert!(planning > 0.5, "who plans captured motion walks {planning} m/s");
}

#[test]
fn movers_do_not_overlap_in_a_throng_either() {
    let mut crowd = mixed(12.0, 40, 60, 2);
    walk(&mut crowd, 300);
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut crowd = mixed(20.0, 25, 25, 3);
            give_bodies(&mut crowd, Scheme::Diverse, true);
            (0..200).for_each(|_| crowd.step());
            let bits = |index: usize| {
                let body = crowd.body(index);
                let Placement { position, heading } = body.placement;
                (position.x.to_bits(), position.y.to_bits(), heading.to_bits(), format!("{:?}", body.shows))
            };
            (0..crowd.len()).map(bits).collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn people_change_their_movers_to_and_fro() {
    let mut crowd = mixed(110.0, 430, 430, 4);
    assert!(crowd.len() >= 1000);
    give_bodies(&mut crowd, Scheme::Diverse, false);
    let skeleton = crowd.setting().book.graph().skeleton().clone();
    let joints = |crowd: &Crowd, index: usize| {
        let shown = crowd.posed(index);
        shown.pose.joints(&skeleton, shown.placement).positions
    };
    let (mut changed, mut refused) = (0, 0);
    let mut before: Vec<Vec<glam::Vec3>> = (0..crowd.len()).map(|index| joints(&crowd, index)).collect();
    let (mut farthest, mut farthest_root) = (0.0f32, 0.0f32);
    for frame in 0..3600u32 {
        crowd.step();
        for index in (0..crowd.len()).filter(|index| (frame as usize + index * 7).is_multiple_of(90)) {
            let next = match (frame as usize / 90 + index) % 7 {
                0 => Mover::Graph,
                6 => Mover::CellMarking(0),
                number => Mover::Steered(number as u16 - 1),
            };
            let differs = crowd.mover(index) != next;
            match crowd.set_mover(index, next) {
                true => changed += usize::from(differs),
                false => refused += 1,
            }
        }
        assert_eq!(crowd.overlaps(), (0, 0.0), "frame {frame}");
        if frame % 10 == 0 {
            assert_eq!(crowd.promise_overlaps(), 0, "frame {frame}");
        }
        for (index, before) in before.iter_mut().enumerate() {
            let now = joints(&crowd, index);
            for (a, b) in before.iter().zip(&now) {
                farthest = farthest.max(a.distance(*b));
            }
            farthest_root = farthest_root.max(before[0].truncate().distance(now[0].truncate()));
            *before = now;
        }
    }
    assert!(changed > 30_000, "only {changed} changes, {refused} refused");
    // A hand of a runner moves at 12 m/s at most; a jump would be farther.
    assert!(farthest < 0.45, "something jumped {farthest} m in a frame");
    assert!(farthest_root < 0.2, "a root jumped {farthest_root} m in a frame");
}

/// A way straight on from a place, at `speed` metres a second for so many frames.
fn straight(from: Vec2, direction: Vec2, speed: f32, frames: usize) -> Vec<Placement> {
    let heading = libm::atan2f(direction.y, direction.x);
    let place = |frame: usize| from + direction * (speed * frame as f32 / 30.0);
    (0..frames).map(|frame| Placement { position: place(frame), heading }).collect()
}

#[test]
fn everybody_keeps_off_recorded_people() {
    let mut crowd = crowd_of_all(square(20.0), 5);
    let recorded =
        || Newcomer { profile: Profile { radius: 0.2, ..Profile::default() }, ..Newcomer::default() };
    // One is there at once, one appears after four seconds.
    assert!(crowd.add_recorded(&straight(Vec2::new(1.0, 4.0), Vec2::X, 1.2, 400), 0, recorded()));
    assert!(crowd.add_recorded(&straight(Vec2::new(18.0, 15.0), Vec2::NEG_X, 1.2, 300), 120, recorded()));
    crowd.scatter(25, None, |_| wanderer());
    crowd.scatter(15, None, |_| steered(2));
    give_bodies(&mut crowd, Scheme::Diverse, false);
    let mut seen = 0;
    for frame in 0..600 {
        crowd.step();
        assert_eq!((crowd.overlaps(), crowd.promise_overlaps()), ((0, 0.0), 0), "frame {frame}");
        let recorded = (0..crowd.len()).filter(|index| crowd.mover(*index) == Mover::Recorded).count();
        seen = seen.max(recorded);
    }
    assert_eq!(seen, 2, "both were there at once");
    assert_eq!(crowd.len(), 40, "they are gone when their ways are over");
}

#[test]
fn nobody_appears_where_a_bus_has_claimed_its_way() {
    let mut crowd = crowd_of_all(square(30.0), 6);
    let track = Track::new(vec![Vec2::new(1.0, 5.0), Vec2::new(29.0, 5.0)]).unwrap();
    let mut bus = Vehicle::new("bus", track, 8.0, 2.5);
    bus.every = Some(600);
    crowd.add_vehicle(bus);
    for frame in 0..900 {
        crowd.step();
        if frame % 20 == 0 {
            crowd.scatter(4, None, |_| wanderer());
            crowd.scatter(2, None, |_| steered(0));
        }
        assert_eq!((crowd.overlaps(), crowd.promise_overlaps()), ((0, 0.0), 0), "frame {frame}");
        while crowd.len() > 90 {
            crowd.remove(0);
        }
    }
    assert!(crowd.shared().vehicles[0].state.journeys >= 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    /// All kinds of promises in one scene are disjoint in space-time, walls included.
    #[test]
    fn no_promise_is_ever_broken(side in 10.0f64..20.0, clips in 0usize..40, others in 0usize..40, seed in 0u64..1000,
        planned in 0usize..30, recorded in 0usize..4, changes in 0u32..40) {
        let mut crowd = crowd_of_all(square(side), seed);
        let track = Track::new(vec![Vec2::new(0.5, 1.5), Vec2::new(side as f32 - 0.5, 1.5)]).unwrap();
        crowd.add_vehicle(Vehicle::new("cart", track, 2.0, 1.2));
        for number in 0..recorded {
            let from = Vec2::new(0.6, 3.0 + number as f32 * 0.7);
            let way = straight(from, Vec2::X, 1.0, ((side as f32 - 1.5) * 30.0) as usize);
            crowd.add_recorded(&way, number as u32 * 60, Mind::default());
        }
        crowd.scatter(clips, None, |_| wanderer());
        crowd.scatter(planned, None, |_| planning());
        for number in 0..5u16 {
            crowd.scatter(others / 5, None, |_| steered(number));
        }
        for frame in 0..240u32 {
            crowd.step();
            if frame < changes * 4 && !crowd.is_empty() {
                let index = (frame as usize * 31) % crowd.len();
                if crowd.mover(index) != Mover::Recorded {
                    let next = match frame % 3 {
                        0 => Mover::Graph,
                        1 => Mover::CellMarking(0),
                        _ => Mover::Steered((frame % 5) as u16),
                    };
                    crowd.set_mover(index, next);
                }
            }
            prop_assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", frame);
            prop_assert_eq!(crowd.promise_overlaps(), 0, "frame {}", frame);
        }
    }
}
