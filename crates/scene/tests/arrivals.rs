//! Seats that people are on exactly: situations call constrained motion synthesis.

use crowdloom_crowd::situation::Activity;
use crowdloom_crowd::{Crowd, Steps};
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use crowdloom_synthesis::{EndPose, Goal};
use std::collections::BTreeMap;
use std::path::Path;

fn example(name: &str) -> Simulation {
    let text = embedded::scene(&format!("{}{name}", embedded::SITUATION)).expect("an example of that name");
    parse(Path::new(name), text, Overrides::default()).unwrap_or_else(|error| panic!("{name}: {error}")).0
}

fn bits(simulation: &Simulation) -> Vec<(u32, u32)> {
    simulation.crowd().positions().iter().map(|p| (p.x.to_bits(), p.y.to_bits())).collect()
}

/// Agents in the middle of a planned motion.
fn planned(simulation: &Simulation) -> Vec<usize> {
    let crowd = simulation.crowd();
    let book = &crowd.setting().book;
    let is_planned = |agent: &usize| {
        let commitment = crowd.commitment(*agent);
        commitment.doing.is_some_and(|doing| book.is_planned(doing))
            && commitment.rest_frame(book) > crowd.frame()
    };
    (0..crowd.len()).filter(is_planned).collect()
}

/// The goal of an agent with a spot.
fn goal(crowd: &Crowd, agent: usize) -> Goal {
    let visit = crowd.mind(agent).visits.iter().find(|visit| visit.spot.is_some()).expect("it has a spot");
    match &crowd.shared().situations[visit.situation.index()].activity {
        Activity::Spend { spots, exact: Some(exact), .. } => {
            exact.goal(&spots[usize::from(visit.spot.unwrap())], crowd.frame())
        }
        other => panic!("no constraint: {other:?}"),
    }
}

#[test]
fn people_are_exactly_on_their_seats() {
    for name in ["bench", "seat-rows"] {
        let mut simulation = example(name);
        let mut expected: BTreeMap<(u32, u32), Goal> = BTreeMap::new();
        let mut seated = 0;
        for _ in 0..60 * 30 {
            simulation.step();
            let crowd = simulation.crowd();
            assert_eq!(crowd.overlaps(), (0, 0.0), "{name}, frame {}", crowd.frame());
            for agent in 0..crowd.len() {
                let Some(goal) = expected.remove(&(crowd.frame(), crowd.id(agent))) else { continue };
                let there = crowd.placement(agent);
                let off = there.position.distance(goal.at.unwrap());
                assert!(off < 1e-4, "{name}: {off} m off");
                let turned = crowdloom_motion::wrap_angle(there.heading - goal.facing.unwrap()).abs();
                assert!(turned.to_degrees() < 1e-3, "{name}: {turned} radians off");
                // Whether it goes on at once or stays as it is.
                assert_eq!(EndPose::from(Some(crowd.node(agent))), goal.pose, "{name}");
                seated += 1;
            }
            for agent in planned(&simulation) {
                let arrival = crowd.commitment(agent).rest_frame(&crowd.setting().book);
                expected.insert((arrival, crowd.id(agent)), goal(crowd, agent));
            }
        }
        let brought = simulation.crowd().arrival_tally();
        assert!(seated >= 4, "{name}: only {seated} are seated, {brought:?}");
        // Three misses and one settles as well as one can.
        assert!(3 * brought.met > brought.missed, "{name}: {brought:?}");
    }
}

#[test]
fn planned_motions_repeat_themselves_on_two_threads_and_after_resuming() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut saved = None;
    let whole = pool(1).install(|| {
        let mut simulation = example("seat-rows");
        for _ in 0..900 {
            simulation.step();
            // In the middle of somebody's planned motion.
            if saved.is_none() && !planned(&simulation).is_empty() {
                saved = Some((simulation.crowd().frame(), postcard::to_stdvec(&simulation.save()).unwrap()));
            }
        }
        bits(&simulation)
    });
    let (frame, bytes) = saved.expect("somebody is planned");
    let resumed = pool(2).install(|| {
        let mut simulation = example("seat-rows");
        simulation.resume(postcard::from_bytes(&bytes).unwrap()).unwrap();
        for _ in frame..900 {
            simulation.step();
        }
        bits(&simulation)
    });
    assert_eq!(whole, resumed);
}
