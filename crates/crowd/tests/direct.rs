//! Members of a running crowd are directed exactly, and nobody walks into them.

use crowdloom_crowd::director::{Director, Event};
use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::{Crowd, Errand, Mind, Setting};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_motion::styles::MotionType;
use crowdloom_synthesis::{EndPose, Goal, Options, When};
use crowdloom_world::{Ground, MeshRouter, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::sync::Arc;

fn crowd() -> Crowd {
    let floor = Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::new(24.0, 18.0)));
    let ground = Arc::new(Ground::builder().floor(floor).build().unwrap());
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
    let book = Arc::new(MoveBook::new(Arc::new(graph), BookOptions::default()).unwrap());
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let mut crowd = Crowd::new(Setting { book, ground, router, seed: 5 });
    crowd.scatter(16, None, |random| Mind {
        speed: random.between(1.1, 1.5),
        wanders: true,
        ..Mind::default()
    });
    crowd
}

/// Runs for `frames` and returns where the directed end, checking that nobody overlaps in any frame.
fn run(budget: u64, frames: u32) -> (Vec<(u32, Vec2, f32)>, usize) {
    let mut crowd = crowd();
    let mut asked = [3, 8, 12].map(|agent| crowd.id(agent));
    asked.sort_unstable();
    let mut director = Director::new(&crowd, Options::default()).unwrap();
    let graph = crowd.setting().book.graph().clone();
    let sit = graph.find_node("sit").unwrap();
    let mut set_out = 0;
    for frame in 0..frames {
        crowd.step();
        if frame == 60 {
            for (agent, x) in [(3, 5.0), (8, 12.0), (12, 19.0)] {
                let goal = Goal {
                    at: Some(Vec2::new(x, 15.0)),
                    facing: Some(-1.5),
                    pose: EndPose::Node(sit),
                    time: None,
                };
                director.ask(&mut crowd, agent, vec![goal]);
            }
        }
        for event in director.advance(&mut crowd, budget) {
            if let Event::Sets(id) = event {
                set_out += 1;
                // Who sits stays seated.
                let index = crowd.index_of(id).unwrap();
                crowd.mind_mut(index).errand = Errand::Stay(MotionType::Waiting);
            }
        }
        assert_eq!(crowd.overlaps().0, 0);
        if frame.is_multiple_of(10) {
            assert_eq!(crowd.promise_overlaps(), 0, "frame {frame}");
        }
    }
    let ends = asked.map(|id| {
        let placement = crowd.placement(crowd.index_of(id).unwrap());
        (id, placement.position, placement.heading)
    });
    assert_eq!(crowd.len(), 16, "whoever is directed stays in the crowd");
    (ends.to_vec(), set_out)
}

#[test]
fn three_of_a_running_crowd_sit_down_exactly() {
    // A planned motion may wait for half a minute until its way is free.
    let (ends, set_out) = run(2000, 2400);
    assert_eq!(set_out, 3);
    for (_, position, heading) in &ends {
        assert!(
            [5.0, 12.0, 19.0].iter().any(|&x| position.distance(Vec2::new(x, 15.0)) < 1e-4),
            "{position}"
        );
        assert!((heading + 1.5).abs() < 1e-5);
    }
    assert_eq!(run(2000, 2400).0, ends, "the same seed gives the same bits");
}

/// Asks agents 3, 8 and 12 to come together, each after another of the given numbers, and returns who did when, and why
/// others did not.
fn meeting(after: [Option<usize>; 3]) -> (Vec<Option<u32>>, Vec<String>) {
    let mut crowd = crowd();
    let mut director = Director::new(&crowd, Options::default()).unwrap();
    let agents = [3, 8, 12];
    let ids = agents.map(|agent| crowd.id(agent));
    for _ in 0..60 {
        crowd.step();
    }
    for ((id, after), x) in ids.iter().zip(after).zip([5.0, 12.0, 19.0]) {
        let time = after.map(|other| When::AfterArrival {
            of: ids.get(other).map_or(4000, |&id| id as usize),
            from: 2.0,
            to: 3.0,
        });
        let agent = (0..crowd.len()).find(|&agent| crowd.id(agent) == *id).unwrap();
        director.ask(&mut crowd, agent, vec![Goal { at: Some(Vec2::new(x, 15.0)), time, ..Goal::default() }]);
    }
    let mut failures = Vec::new();
    let mut arrivals = vec![None; 3];
    for _ in 0..1200 {
        crowd.step();
        for event in director.advance(&mut crowd, 2000) {
            if let Event::Fails(_, failure) = event {
                failures.push(failure.to_string());
            }
        }
        assert_eq!(crowd.overlaps().0, 0);
        for (id, arrival) in ids.iter().zip(&mut arrivals) {
            *arrival = director.arrival(*id);
        }
    }
    (arrivals, failures)
}

#[test]
fn one_comes_after_the_other_in_a_running_crowd() {
    // The first asked waits for the last, and the second for the first.
    let (arrivals, failures) = meeting([Some(2), Some(0), None]);
    assert_eq!(failures, Vec::<String>::new());
    let [first, second, third] = [0, 1, 2].map(|index| arrivals[index].unwrap());
    assert!((60..=90).contains(&(first - third)), "{first} after {third}");
    assert!((60..=90).contains(&(second - first)), "{second} after {first}");
}

#[test]
fn who_waits_for_nobody_is_told() {
    let (arrivals, failures) = meeting([Some(1), Some(0), Some(7)]);
    assert_eq!(arrivals, [None; 3]);
    assert_eq!(failures.len(), 3, "{failures:?}");
    assert!(failures.iter().any(|failure| failure.contains("wait for it")), "{failures:?}");
    assert!(failures.iter().any(|failure| failure.contains("agent 4000")), "{failures:?}");
}
