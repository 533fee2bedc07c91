//! Which exit people choose, when they come and when they set out.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, SceneError, Simulation, parse};
use std::path::Path;

/// A hall of 30 by 10 m, people on its west side, a narrow exit in the west and a wide one in the east.
fn hall(stop: &str, people: &str) -> String {
    format!(
        "name = 'hall'\nseed = 5\nseconds = 120\n[world]\nfloor = [[0, 0], [30, 0], [30, 10], [0, 10]]\n\
        [[region]]\nname = 'crowd'\nrectangle = [3, 1, 12, 9]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 4.5, 0.8, 5.5]\n\
        [[region]]\nname = 'east'\nrectangle = [29.2, 2, 30, 8]\n\
        [[stop]]\nname = 'out'\nregions = ['west', 'east']\nexit = true\n{stop}\n\
        [[people]]\nin = 'crowd'\nto = 'out'\n{people}\n"
    )
}

fn read(text: &str) -> Result<Simulation, SceneError> {
    parse(Path::new("hall.toml"), text, Overrides::default()).map(|(simulation, _)| simulation)
}

/// How many left in the west and in the east within two minutes.
fn leave(text: &str) -> [usize; 2] {
    let mut simulation = read(text).unwrap_or_else(|error| panic!("{error}"));
    let mut left = [0; 2];
    let mut before: Vec<(u32, glam::Vec2)> = Vec::new();
    for _ in 0..120 * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        for (_, place) in before.iter().filter(|(id, _)| crowd.index_of(*id).is_none()) {
            left[usize::from(place.x > 15.0)] += 1;
        }
        before = (0..crowd.len()).map(|index| (crowd.id(index), crowd.positions()[index])).collect();
    }
    left
}

#[test]
fn exits_are_chosen_as_asked() {
    let people = "count = 40\nmover = 'social-force'";
    let of = |choose: &str| leave(&hall(choose, people));
    assert_eq!(of("choose = 'nearest'"), [40, 0]);
    assert_eq!(of("choose = { east = 1, west = 0 }"), [0, 40]);
    assert_eq!(of("choose = 'assigned'"), [20, 20]);
    let [west, east] = of("");
    assert_eq!(west + east, 40);
    assert!(west.min(east) > 10, "{west} in the west");
    // Nearest, until so many wait there that the long way is quicker.
    let [west, east] = of("choose = 'quickest'");
    assert_eq!(west + east, 40);
    assert!(west > 10 && east > 2, "{west} in the west, {east} in the east");
}

#[test]
fn who_finds_an_exit_closed_goes_to_another() {
    let door = "[[door]]\nname = 'gate'\nrectangle = [1.2, 0, 1.4, 10]\n\
        [[event]]\nat = 1\nclose = 'gate'\n";
    let text = hall("choose = 'nearest'", "count = 20\nmover = 'social-force'") + door;
    let [west, east] = leave(&text);
    assert_eq!(west + east, 20, "{west} in the west, {east} in the east");
    assert!(east > 15, "{west} in the west, {east} in the east");
}

#[test]
fn people_come_at_a_rate_and_wait_before_they_set_out() {
    let mut simulation = read(&hall("", "rate = 0.5\nappear = [10, 70]")).unwrap();
    let mut first = None;
    for _ in 0..80 * 30 {
        simulation.step();
        let come = simulation.crowd().next_id();
        if come > 0 && first.is_none() {
            first = Some(simulation.crowd().frame());
        }
    }
    // Thirty are expected; a Poisson process strays from that by 5.5.
    let come = simulation.crowd().next_id();
    assert!((15..=45).contains(&come), "{come} came");
    assert!(first.is_some_and(|first| first >= 10 * 30));

    let waits = "count = 20\npre-movement = { distribution = 'uniform', least = 5, most = 10 }";
    let mut simulation = read(&hall("", waits)).unwrap();
    let places = |simulation: &Simulation| simulation.crowd().positions().to_vec();
    let start = places(&simulation);
    let gone = |simulation: &Simulation| {
        let moved = start.iter().zip(places(simulation)).filter(|(a, b)| a.distance(*b) > 1.0);
        moved.count()
    };
    (0..5 * 30).for_each(|_| simulation.step());
    assert_eq!(gone(&simulation), 0);
    (0..10 * 30).for_each(|_| simulation.step());
    assert!(simulation.crowd().len() < 20 || gone(&simulation) > 15, "{} have gone", gone(&simulation));
}

#[test]
fn what_makes_no_sense_is_told() {
    let told = |stop: &str, people: &str| match read(&hall(stop, people)) {
        Ok(_) => panic!("{stop} {people} runs"),
        Err(error) => error.to_string(),
    };
    assert!(told("choose = { north = 1 }", "count = 1").contains("`north` in `choose` is no region"));
    assert!(told("choose = { east = 0 }", "count = 1").contains("a weight above 0"));
    assert!(told("choose = 'soonest'", "count = 1").contains("choose"));
    assert!(told("", "rate = -1").contains("a rate of -1"));
    let placed = hall("", "rate = 1\nat = [2, 2]").replace("in = 'crowd'\n", "");
    assert!(read(&placed).is_err_and(|error| error.to_string().contains("no places of their own")));
    assert!(told("stay = -3", "count = 1").contains("a time of -3"));
    assert!(told("", "count = 1\npre-movement = [9, 3]").contains("makes no sense"));
}
