//! Events that happen at once, by hand.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use std::path::Path;

fn read(text: &str) -> Simulation {
    let read = parse(Path::new("live.toml"), text, Overrides::default());
    let mut simulation = read.unwrap_or_else(|error| panic!("{error}")).0;
    simulation.prepare_for_any_mover();
    simulation
}

fn street() -> Simulation {
    read(embedded::scene("street").unwrap())
}

fn run_to(simulation: &mut Simulation, frame: u32) {
    while simulation.crowd().frame() < frame {
        simulation.step();
    }
}

fn bits(simulation: &Simulation) -> Vec<(u32, u32, u32)> {
    let crowd = simulation.crowd();
    let place = |index: usize| crowd.positions()[index];
    (0..crowd.len()).map(|i| (crowd.id(i), place(i).x.to_bits(), place(i).y.to_bits())).collect()
}

/// Events by frame, as a studio makes them.
const EVENTS: [(u32, &str); 6] = [
    (
        60,
        "region = { name = 'shop', rectangle = [20, 0.5, 28, 4] }\n\
         set-situation = { name = 'looking', kind = 'pause', region = 'shop', spots = [[22, 3, 90], [24, 3, 90]], stay = [3, 6] }\n",
    ),
    (90, "people = { at = [[5, 20], [6.5, 20.25], [8, 20]], speed = 1.5, to = 'south side' }\n"),
    (120, "numbers = [3, 14, 15]\nspeed = 2.2\n"),
    (150, "obstacle = { name = 'wall 1', polygon = [[40, 17.5], [40.3, 17.5], [40.3, 21], [40, 21]] }\n"),
    (180, "numbers = [20, 21, 22, 23]\nmover = 'orca'\n"),
    (200, "numbers = [30, 31]\nleave = true\n"),
];

/// Runs two scenes side by side up to a frame; the last frame of one may lack what is still to be done by hand.
fn agree(one: &mut Simulation, other: &mut Simulation, frame: u32) {
    while one.crowd().frame() < frame {
        one.step();
        other.step();
        if one.crowd().frame() < frame {
            let (a, b) = (bits(one), bits(other));
            let differ = a.iter().zip(&b).filter(|(a, b)| a != b).map(|(a, _)| a.0).collect::<Vec<_>>();
            assert!(a.len() == b.len() && differ.is_empty(), "frame {}: {differ:?}", one.crowd().frame());
        }
    }
}

#[test]
fn what_is_done_by_hand_is_what_the_same_events_of_a_scene_do() {
    let mut text = embedded::scene("street").unwrap().to_owned();
    for (frame, fields) in EVENTS {
        text += &format!("\n[[event]]\nat = {:.3}\n{fields}", (f64::from(frame) + 0.3) / 30.0);
    }
    let (mut by_hand, mut by_events) = (street(), read(&text));
    for (frame, fields) in EVENTS {
        agree(&mut by_hand, &mut by_events, frame);
        let enacted = by_hand.enact(fields).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert!(enacted.steps > 0 && enacted.refused.is_empty(), "frame {frame}: {enacted:?}");
    }
    agree(&mut by_hand, &mut by_events, 900);
    assert!(by_events.refused().is_empty());
    assert_eq!(by_hand.crowd().promise_overlaps(), 0);
}

#[test]
fn undo_takes_a_whole_event_back_and_redo_makes_it_again() {
    let mut simulation = street();
    run_to(&mut simulation, 30);
    let before = simulation.crowd().len();
    let enacted = simulation.enact("people = { at = [[20, 11], [24, 11], [28, 11]] }\n").unwrap();
    assert_eq!((enacted.came.len(), enacted.steps), (3, 1));
    assert_eq!(simulation.crowd().len(), before + 3);
    simulation.undo().unwrap();
    assert_eq!(simulation.crowd().len(), before);
    simulation.redo().unwrap();
    assert_eq!(simulation.crowd().len(), before + 3);
    let all: Vec<u32> = (0..simulation.crowd().len()).map(|index| simulation.crowd().id(index)).collect();
    let numbers = all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    simulation.enact(&format!("numbers = [{numbers}]\nleave = true\n")).unwrap();
    assert!(simulation.crowd().is_empty());
    simulation.undo().unwrap();
    assert_eq!(simulation.crowd().len(), before + 3);
    run_to(&mut simulation, 90);
}

#[test]
fn a_wall_that_waits_is_withdrawn_by_undo() {
    let mut simulation = street();
    run_to(&mut simulation, 30);
    // Somebody is always on all of a sidewalk.
    let fields = "obstacle = { name = 'slab', rectangle = [1, 0.5, 65, 5] }\n";
    let enacted = simulation.enact(fields).unwrap();
    assert!(enacted.waiting == 1 && enacted.steps == 1);
    assert_eq!(simulation.waiting_edits().count(), 1);
    simulation.undo().unwrap();
    assert_eq!(simulation.waiting_edits().count(), 0);
    run_to(&mut simulation, 60);
    assert!(simulation.crowd().obstacle_named("slab").is_none());
}

#[test]
fn mistakes_change_nothing_and_are_told() {
    let mut simulation = street();
    run_to(&mut simulation, 30);
    let before = bits(&simulation);
    for (fields, said) in [
        ("speed = -3\n", "speed"),
        ("numbers = [1]\nto = 'nowhere'\n", "nowhere"),
        ("fly = true\n", "fly"),
        ("", "nothing happens"),
        ("at = 3\n", "duplicate key"),
        (
            "region = { name = 'r', rectangle = [1, 1, 3, 3] }\nset-situation = { name = 's', kind = 'queue', region = 'r' }\n",
            "spots",
        ),
        ("set-situation = { name = 's', kind = 'pause', region = 'none' }\n", "none"),
        ("people = { count = 5, in = 'sowth' }\n", "no region `sowth`"),
        ("people = { at = [[1, 1]], mover = 'planned' }\n", "planned"),
        ("goal = [nan, 2]\n", "number"),
        ("[[event]]\nat = 1\nleave = true\n", ""),
    ] {
        let problems = simulation.enact(fields).expect_err(fields);
        let told = problems.iter().map(|problem| problem.what.clone()).collect::<Vec<_>>().join("; ");
        assert!(told.contains(said), "{fields:?}: {told}");
        assert_eq!(bits(&simulation), before, "{fields:?}");
    }
    assert!(simulation.undo().is_err(), "nothing was made");
    run_to(&mut simulation, 60);
}

#[test]
fn going_back_forgets_what_was_added_and_it_can_be_added_again() {
    let mut simulation = street();
    run_to(&mut simulation, 30);
    let saved = simulation.save();
    let (_, first) = EVENTS[0];
    for _ in 0..2 {
        simulation.enact(first).unwrap();
        assert!(simulation.crowd().setting().ground.region("shop").is_some());
        run_to(&mut simulation, 60);
        let once = bits(&simulation);
        simulation.resume(saved.clone()).unwrap();
        assert!(simulation.crowd().setting().ground.region("shop").is_none());
        simulation.enact(first).unwrap();
        run_to(&mut simulation, 60);
        assert_eq!(bits(&simulation), once);
        simulation.resume(saved.clone()).unwrap();
    }
}

#[test]
fn runs_with_events_by_hand_are_repeated_from_their_log() {
    let mut simulation = street();
    for (frame, fields) in EVENTS {
        // Who gets another mover needs what only this run has.
        if fields.contains("mover") {
            continue;
        }
        run_to(&mut simulation, frame);
        simulation.enact(fields).unwrap();
    }
    simulation.undo().unwrap();
    run_to(&mut simulation, 400);
    let mut again = street();
    again.repeat(simulation.log());
    run_to(&mut again, 400);
    assert_eq!(bits(&again), bits(&simulation));
}
