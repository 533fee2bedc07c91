//! Discs hold what people push, pull and sit in: from the beginning, and from the moment on when an event gives it.

use crowdloom_crowd::{Mover, Steps};
use crowdloom_scene::{Overrides, SceneError, Simulation, parse};
use std::path::Path;

fn read(people: &str) -> Result<Simulation, SceneError> {
    let text = format!(
        "name = 'wide'\nseconds = 20\n[world]\nfloor = [[0, 0], [16, 0], [16, 12], [0, 12]]\n\
         [[people]]\ncount = 8\n{people}"
    );
    parse(Path::new("wide.toml"), &text, Overrides::default()).map(|(simulation, _)| simulation)
}

/// Radii in metres of the discs that people from number 8 on have promised.
fn discs(simulation: &Simulation) -> Vec<f32> {
    let crowd = simulation.crowd();
    (0..crowd.len()).filter(|index| crowd.id(*index) >= 8).map(|index| crowd.disc_radius(index)).collect()
}

#[test]
fn who_is_told_to_have_something_wide_has_a_disc_that_holds_it() {
    for (thing, room) in [("stroller", 0.65), ("wheelchair", 0.48), ("suitcase", 0.42)] {
        for mover in ["", "mover = 'graph'\n", "mover = 'social-force'\n"] {
            let people = format!("[[people]]\ncount = 3\n{mover}things = ['{thing}', 'cap']\n");
            let mut simulation = read(&people).unwrap();
            assert_eq!(discs(&simulation), [room; 3], "{people}");
            for _ in 0..300 {
                simulation.step();
                assert_eq!(simulation.crowd().overlaps(), (0, 0.0), "{people}");
            }
            assert_eq!(simulation.crowd().promise_overlaps(), 0, "{people}");
        }
    }
    // What is no wider than people are changes nothing.
    let simulation = read("[[people]]\ncount = 3\nthings = ['umbrella', 'cane']\n").unwrap();
    let crowd = simulation.crowd();
    assert!((0..crowd.len()).all(|index| crowd.mover(index) == Mover::Graph));
}

#[test]
fn who_plans_is_not_given_what_its_disc_does_not_hold() {
    for mover in ["mover = 'planned'\nname = 'Ann'\nat = [3, 3]", "mover = 'cell-marking'\ncount = 2"] {
        let error = read(&format!("[[people]]\n{mover}\nthings = ['wheelchair']\n")).map(drop).unwrap_err();
        let text = format!("{error}");
        assert!(text.contains("0.48 m") && text.contains("line 7"), "{text}");
        assert!(read(&format!("[[people]]\n{mover}\nthings = ['umbrella']\n")).is_ok());
    }
}

#[test]
fn an_event_that_gives_something_wide_makes_room_for_it_or_is_refused() {
    let mut simulation = read(
        "[[people]]\ncount = 1\nmover = 'orca'\n[[event]]\nat = 1\nnumbers = [8]\nthings = ['stroller']\n\
         [[event]]\nat = 2\nnumbers = [3]\nthings = ['wheelchair']\n",
    )
    .unwrap();
    assert_eq!(discs(&simulation), [0.25]);
    (0..300).for_each(|_| simulation.step());
    assert_eq!(discs(&simulation), [0.65]);
    let crowd = simulation.crowd();
    assert!(crowd.dress_of(8).is_some() && crowd.dress_of(3).is_none());
    let refused: Vec<String> = simulation.refused().iter().map(|own| own.why.clone()).collect();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].contains("wider than the disc"), "{refused:?}");
}
