//! The table `[synthesis]`, and people who cannot meet what is asked of them.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, parse};
use glam::Vec2;
use std::path::Path;

fn scene(table: &str, time: f32) -> String {
    format!(
        "name = 'a'\n[world]\nfloor = [[0, 0], [20, 0], [20, 8], [0, 8]]\n[synthesis]\n{table}\n\
         [[people]]\nmover = 'planned'\nname = 'Ann'\nat = [2, 4]\n\
         [[constraint]]\nperson = 'Ann'\nat = [16, 4]\nfacing = 0\npose = 'stand'\ntime = {time}\n"
    )
}

#[test]
fn who_is_late_gets_there_all_the_same_and_is_told() {
    for table in ["", "routes = 'roadmap'\ntolerance = 0.03\niterations = 500"] {
        let read = parse(Path::new("a.toml"), &scene(table, 2.0), Overrides::default());
        let (mut simulation, warnings) = read.unwrap_or_else(|error| panic!("{error}"));
        let told: Vec<&str> = warnings.iter().map(|warning| warning.what.as_str()).collect();
        assert!(
            told.iter().any(|what| what.contains("s are too little") && what.ends_with(" s)")),
            "{told:?}"
        );
        assert!(!simulation.outcomes()[0].met);
        (0..20 * 30).for_each(|_| simulation.step());
        let end = simulation.crowd().positions()[0];
        assert!(end.distance(Vec2::new(16.0, 4.0)) < 0.05, "{end}");
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for wrong in ["tolerance = -1", "pairs = 0", "kept = 0", "seconds-per-centimetre = 0", "routes = 'bus'"] {
        let read = parse(Path::new("a.toml"), &scene(wrong, 20.0), Overrides::default());
        let told = read.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains("line 5"), "{wrong}: {told}");
    }
}

#[test]
fn two_people_exchange_places_and_one_passes_in_any_pose() {
    let text = "name = 'a'\n[world]\nfloor = [[0, 0], [20, 0], [20, 8], [0, 8]]\n\
         [[people]]\nmover = 'planned'\nname = 'Ann'\nat = [2, 2]\n\
         [[people]]\nmover = 'planned'\nname = 'Ben'\nat = [4, 2]\nfacing = 180\n\
         [[people]]\nmover = 'planned'\nname = 'Eve'\nat = [2, 6]\n\
         [[constraint]]\nperson = 'Ann'\nat = [4, 2]\n\
         [[constraint]]\nperson = 'Ben'\nat = [2, 2]\n\
         [[constraint]]\nperson = 'Eve'\nat = [12, 6]\nfacing = 0\npose = 'any'\n";
    let read = parse(Path::new("a.toml"), text, Overrides::default());
    let (mut simulation, warnings) = read.unwrap_or_else(|error| panic!("{error}"));
    let told: Vec<&str> = warnings.iter().map(|warning| warning.what.as_str()).collect();
    let outcomes = simulation.outcomes().to_vec();
    assert!(outcomes.iter().all(|outcome| outcome.met), "{told:?}, {outcomes:?}");
    assert!(
        outcomes[..2].iter().all(|outcome| outcome.time_s.is_some_and(|time| time <= 8.0)),
        "{outcomes:?}"
    );
    let eve = outcomes[2].time_s.expect("she passes");
    let mut moves = false;
    for frame in 1..20 * 30u32 {
        let before = simulation.crowd().positions()[2];
        simulation.step();
        assert_eq!(simulation.crowd().overlaps().0, 0, "frame {frame}");
        let at = simulation.crowd().positions()[2];
        if frame == (eve * 30.0).round() as u32 {
            assert!(at.distance(Vec2::new(12.0, 6.0)) < 0.01, "{at}");
            moves = before.distance(at) > 0.01;
        }
    }
    assert!(moves, "she goes on");
}
