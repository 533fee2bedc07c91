//! Every kind of situation: its example runs without overlaps and people do what it is for.

use crowdloom_crowd::Steps;
use crowdloom_crowd::situation::Activity;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use std::path::Path;

fn example(name: &str) -> Simulation {
    example_with(name, None)
}

fn example_with(name: &str, seed: Option<u64>) -> Simulation {
    let text = embedded::scene(&format!("{}{name}", embedded::SITUATION)).expect("an example of that name");
    let (simulation, problems) = parse(Path::new(name), text, Overrides { seed, ..Overrides::default() })
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(problems.is_empty(), "{name}: {problems:?}");
    assert_eq!(simulation.waiting(), 0, "{name}");
    simulation
}

fn run(simulation: &mut Simulation, seconds: u32, mut look: impl FnMut(&Simulation)) {
    for _ in 0..seconds * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        assert_eq!(crowd.overlaps(), (0, 0.0), "{}, frame {}", simulation.name(), crowd.frame());
        look(simulation);
    }
}

/// How many people show a label now.
fn showing(simulation: &Simulation, label: &str) -> usize {
    let crowd = simulation.crowd();
    let graph = crowd.setting().book.graph();
    let shows = |agent: usize| {
        let action = crowd.showing(agent).map(|(action, _)| action);
        action.is_some_and(|action| graph.action(action).clip.labels.iter().any(|own| own == label))
    };
    (0..crowd.len()).filter(|&agent| shows(agent)).count()
}

fn inside(simulation: &Simulation, region: &str) -> usize {
    let crowd = simulation.crowd();
    let region = crowd.setting().ground.region(region).expect("a region of that name");
    crowd.positions().iter().filter(|&&position| region.contains(position)).count()
}

#[test]
fn every_example_keeps_the_promise() {
    for own in embedded::SITUATIONS {
        run(&mut example(own.name), 12, |_| {});
    }
}

#[test]
fn people_wait_for_the_light() {
    let mut simulation = example("traffic-light");
    let (mut waited, mut crossed) = (0, 0);
    run(&mut simulation, 40, |simulation| {
        let crowd = simulation.crowd();
        let visits = (0..crowd.len()).flat_map(|agent| &crowd.mind(agent).visits);
        for visit in visits {
            let light =
                matches!(crowd.shared().situations[visit.situation.index()].activity, Activity::Light { .. });
            waited += usize::from(light && !visit.done);
            crossed += usize::from(light && visit.done);
            assert!(!light || !visit.done || crowd.frame() > 0);
        }
    });
    assert!(waited > 500 && crossed > 500, "{waited} waited, {crossed} set out");
}

#[test]
fn people_sit_down_near_the_seats_and_face_the_screen() {
    let mut simulation = example("seat-rows");
    run(&mut simulation, 60, |_| {});
    assert!(showing(&simulation, "sit") >= 15, "only {} sit", showing(&simulation, "sit"));
    let crowd = simulation.crowd();
    let facing = (0..crowd.len()).filter(|&agent| crowd.placement(agent).facing().y > 0.7).count();
    assert!(facing >= 13, "only {facing} face the screen");
}

#[test]
fn a_queue_serves_one_after_the_other() {
    let mut simulation = example("ticket-queue");
    let mut served = std::collections::BTreeSet::new();
    let mut longest = 0;
    run(&mut simulation, 90, |simulation| {
        let crowd = simulation.crowd();
        longest = longest.max(crowd.shared().rolls[0].holders.iter().flatten().count());
        for agent in 0..crowd.len() {
            if crowd.mind(agent).visits.iter().any(|visit| visit.done) {
                served.insert(crowd.id(agent));
            }
        }
    });
    assert!(longest >= 4 && served.len() >= 5, "{longest} in line, {} served", served.len());
}

#[test]
fn nobody_leaves_before_the_signal() {
    let mut simulation = example("stay-in");
    run(&mut simulation, 24, |simulation| assert_eq!(inside(simulation, "lobby"), 24));
    run(&mut simulation, 30, |_| {});
    assert!(inside(&simulation, "hall") > 12, "{} in the hall", inside(&simulation, "hall"));
}

#[test]
fn a_room_holds_one_at_a_time_and_everybody_gets_a_turn() {
    let mut simulation = example("exclusive-room");
    let mut users = std::collections::BTreeSet::new();
    run(&mut simulation, 120, |simulation| {
        for room in ["room-1", "room-2", "room-3"] {
            assert!(inside(simulation, room) <= 1, "frame {}", simulation.crowd().frame());
        }
        let crowd = simulation.crowd();
        for agent in 0..crowd.len() {
            let used = crowd.setting().ground.regions_at(crowd.positions()[agent]).any(|region| region < 3);
            if used {
                users.insert(crowd.id(agent));
            }
        }
    });
    assert!(users.len() >= 6, "only {} of 12 got a turn", users.len());
}

#[test]
fn friends_keep_together_and_get_somewhere() {
    let mut simulation = example("friends");
    let (mut apart, mut frames) = (0.0, 0);
    run(&mut simulation, 60, |simulation| {
        let crowd = simulation.crowd();
        if crowd.frame() > 300 {
            apart += crowd.positions()[0].distance(crowd.positions()[1]);
            apart += crowd.positions()[0].distance(crowd.positions()[2]);
            frames += 2;
        }
    });
    let mean = apart / frames as f32;
    assert!(mean < 2.5, "friends are {mean} m apart");
    assert!(simulation.crowd().mind(0).arrivals >= 1);
}

#[test]
fn people_are_balanced_between_the_counters() {
    let mut apart = 0.0;
    for seed in 1..5 {
        let mut simulation = example_with("balance", Some(seed));
        run(&mut simulation, 55, |_| {});
        // Nearly all have been sent to one by then, and few have gone on anywhere.
        let mut sums = [0.0; 3];
        run(&mut simulation, 10, |simulation| {
            let counts = ["counter-1", "counter-2", "counter-3"].map(|region| inside(simulation, region));
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count as f32 / (10.0 * 30.0);
            }
        });
        let (least, most) = (sums.into_iter().fold(f32::MAX, f32::min), sums.into_iter().fold(0.0, f32::max));
        println!("seed {seed}: {sums:.1?}");
        assert!(least >= 3.0, "{sums:?}");
        apart += (most - least) / 4.0;
    }
    assert!(apart <= 5.0, "the fullest has {apart} people more than the emptiest, on average of four runs");
}

#[test]
fn a_group_grows_by_rules_and_applauds() {
    let mut simulation = example("group");
    let (mut most, mut applause) = (0, 0);
    run(&mut simulation, 40, |simulation| {
        most = most.max(simulation.crowd().shared().rolls[0].present.len());
        applause += showing(simulation, "applaud");
    });
    assert!(most >= 5 && applause > 30, "{most} members, {applause} frames of applause");
}

#[test]
fn people_board_the_bus() {
    let mut simulation = example("bus");
    let mut most = 0;
    // They get off into the east and go on from there to wherever they like.
    run(&mut simulation, 90, |simulation| {
        let crowd = simulation.crowd();
        let is_off = |agent: &usize| crowd.mind(*agent).ride.is_none() && crowd.positions()[*agent].x > 40.0;
        most = most.max((0..crowd.len()).filter(is_off).count());
    });
    assert!(most >= 3, "{most} got off in the east at once");
}

#[test]
fn the_other_kinds_are_lived() {
    for (name, label, seconds) in [
        ("hurry", "run", 20),
        ("talk", "talk", 30),
        ("gather", "listen", 30),
        ("get-together", "talk", 30),
        ("shop-window", "look", 30),
        ("bench", "sit", 30),
    ] {
        let mut simulation = example(name);
        let mut seen = 0;
        run(&mut simulation, seconds, |simulation| seen += showing(simulation, label));
        assert!(seen > 30, "{name}: nobody shows `{label}`");
    }
}

#[test]
fn the_theater_is_lived_in_until_the_movie_begins() {
    let text = embedded::scene("theater").unwrap();
    let mut used = std::collections::BTreeSet::new();
    let movie = |simulation: &Simulation| {
        simulation.crowd().positions().iter().filter(|p| p.x > 12.2 && p.y > 16.2).count()
    };
    // Not everything has a visitor on every evening.
    for seed in [1, 2] {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let (mut simulation, problems) = parse(Path::new("theater"), text, overrides).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        run(&mut simulation, 60, |simulation| {
            let crowd = simulation.crowd();
            for agent in 0..crowd.len() {
                for visit in crowd.mind(agent).visits.iter().filter(|visit| visit.takes_part) {
                    used.insert(crowd.shared().situations[visit.situation.index()].name.clone());
                }
            }
            assert_eq!(movie(simulation), 0, "frame {}: too early", crowd.frame());
        });
        run(&mut simulation, 90, |simulation| {
            let crowd = simulation.crowd();
            for agent in 0..crowd.len() {
                for visit in &crowd.mind(agent).visits {
                    used.insert(crowd.shared().situations[visit.situation.index()].name.clone());
                }
            }
        });
        println!("{} in the movie, {} sit; {used:?}", movie(&simulation), showing(&simulation, "sit"));
        // The signal sends everybody to the movie (section 3.5.2), where there are three rows of seven seats.
        assert!(movie(&simulation) >= 30, "{} of 32 in the movie room", movie(&simulation));
        assert!(showing(&simulation, "sit") >= 14, "{} sit", showing(&simulation, "sit"));
    }
    for name in
        ["tickets", "into the lobby", "gathering with talk", "talk", "gathering", "seats", "vending machine"]
    {
        assert!(used.contains(name), "nobody was in `{name}`: {used:?}");
    }
}

#[test]
fn the_field_follows_spreads_and_gathers_back() {
    let text = embedded::scene("field").unwrap();
    let (mut simulation, _) = parse(Path::new("field"), text, Overrides::default()).unwrap();
    let spread = |simulation: &Simulation| {
        let positions = simulation.crowd().positions();
        let mean = positions.iter().sum::<glam::Vec2>() / positions.len() as f32;
        positions.iter().map(|p| p.distance(mean)).sum::<f32>() / positions.len() as f32
    };
    let mut spreads = vec![spread(&simulation)];
    for _ in 0..3 {
        run(&mut simulation, 30, |_| {});
        spreads.push(spread(&simulation));
    }
    println!("{spreads:?}");
    assert!(spreads[1] < 0.7 * spreads[0], "follows: {spreads:?}");
    assert!(spreads[2] > 1.2 * spreads[1], "spreads: {spreads:?}");
    assert!(spreads[3] < 0.9 * spreads[2], "gathers back: {spreads:?}");
}
