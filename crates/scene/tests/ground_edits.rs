//! Doors, walls and places that change while people are about.

use crowdloom_crowd::{Edit, Refusal, Steps};
use crowdloom_scene::{Overrides, Simulation, check, parse};
use glam::{DVec2, Vec2};
use std::path::Path;

/// Two rooms beside each other, with a wall between them that has two doorways; people go from the west to the east.
fn rooms(rest: &str) -> Simulation {
    let text = format!(
        "name = 'rooms'\nseconds = 90\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n\
        [[world.obstacle]]\nrectangle = [11.8, 0, 12.2, 3]\n[[world.obstacle]]\nrectangle = [11.8, 5, 12.2, 11]\n\
        [[world.obstacle]]\nrectangle = [11.8, 13, 12.2, 16]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 0, 9, 16]\n\
        [[region]]\nname = 'east'\nrectangle = [20, 0, 24, 16]\n\
        [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n{rest}"
    );
    let read = parse(Path::new("rooms.toml"), &text, Overrides::default());
    read.unwrap_or_else(|error| panic!("{error}")).0
}

const SOUTH: &str = "[[door]]\nname = 'south'\nrectangle = [11.8, 3, 12.2, 5]\n";
const NORTH: &str = "[[door]]\nname = 'north'\nrectangle = [11.8, 11, 12.2, 13]\n";

/// Runs on and tells where people went through the wall: how many in the south, and in the north.
fn run(simulation: &mut Simulation, frames: u32) -> (usize, usize) {
    let mut through = (0, 0);
    let mut before: Vec<(u32, Vec2)> = Vec::new();
    for frame in 0..frames {
        simulation.step();
        let crowd = simulation.crowd();
        assert_eq!(crowd.overlaps(), (0, 0.0), "frame {frame}");
        if frame % 10 == 0 {
            assert_eq!(crowd.promise_overlaps(), 0, "frame {frame}");
        }
        let now: Vec<(u32, Vec2)> = (0..crowd.len()).map(|i| (crowd.id(i), crowd.positions()[i])).collect();
        for (id, place) in &now {
            let was = before.binary_search_by_key(id, |(id, _)| *id).map(|at| before[at].1);
            if was.is_ok_and(|was| was.x < 12.0) && place.x >= 12.0 {
                if place.y < 8.0 { through.0 += 1 } else { through.1 += 1 }
            }
        }
        before = now;
    }
    through
}

fn is_there(simulation: &Simulation, name: &str) -> bool {
    simulation.crowd().obstacles().any(|(own, _, there)| own == name && there)
}

#[test]
fn a_door_closes_and_people_go_by_the_other() {
    let people = "[[people]]\ncount = 60\nin = 'west'\nto = 'out'\nappear = [0, 30]\n\
        [[people]]\ncount = 10\nin = 'west'\nto = 'out'\nmover = 'orca'\nappear = [0, 30]\n";
    let mut simulation = rooms(&format!("{SOUTH}{NORTH}{people}[[event]]\nat = 12\nclose = 'south'\n"));
    let (south, _) = run(&mut simulation, 12 * 30);
    assert!(south > 3, "{south} went by the south door while it was open");
    let (while_closing, _) = run(&mut simulation, 5 * 30);
    assert!(is_there(&simulation, "south"), "{while_closing} people keep the door from closing");
    let (south, north) = run(&mut simulation, 70 * 30);
    assert!(south == 0 && north > 20, "{south} by the south, {north} by the north");
    assert!(simulation.crowd().len() <= 2, "{} are left", simulation.crowd().len());
}

#[test]
fn people_without_a_way_wait_calmly_and_go_on_when_one_opens() {
    let people = "[[people]]\ncount = 25\nin = 'west'\nto = 'out'\n\
        [[people]]\ncount = 8\nin = 'west'\nto = 'out'\nmover = 'social-force'\n";
    let doors = format!("{SOUTH}closed = true\n{NORTH}closed = true\n");
    let mut simulation = rooms(&format!("{doors}{people}[[event]]\nat = 20\nopen = 'north'\n"));
    assert_eq!(run(&mut simulation, 10 * 30), (0, 0));
    let before = simulation.crowd().positions().to_vec();
    assert_eq!(run(&mut simulation, 10 * 30 - 5), (0, 0));
    let moved = before.iter().zip(simulation.crowd().positions()).map(|(a, b)| a.distance(*b));
    assert!(moved.fold(0.0, f32::max) < 1.5, "somebody does not wait calmly");
    run(&mut simulation, 60 * 30);
    assert!(simulation.crowd().len() <= 2, "{} are left", simulation.crowd().len());
}

#[test]
fn a_wall_goes_and_people_come_through() {
    let wall = "[[world.obstacle]]\nname = 'wall'\nrectangle = [11.8, 2.9, 12.2, 13.1]\n";
    let people = "[[people]]\ncount = 30\nin = 'west'\nto = 'out'\n[[event]]\nat = 10\nopen = 'wall'\n";
    let mut simulation = rooms(&format!("{wall}{people}"));
    assert_eq!(run(&mut simulation, 10 * 30 - 1), (0, 0));
    let (south, north) = run(&mut simulation, 60 * 30);
    assert!(south + north >= 28, "{south} and {north}");
}

#[test]
fn fifty_people_come() {
    let people = "[[people]]\ncount = 5\n[[event]]\nat = 3\n\
        people = { count = 50, in = 'west', to = 'out', speed = [1.2, 1.4] }\n";
    let mut simulation = rooms(people);
    run(&mut simulation, 80);
    assert_eq!(simulation.crowd().len(), 5);
    run(&mut simulation, 20);
    assert_eq!(simulation.crowd().len(), 55);
    run(&mut simulation, 70 * 30);
    assert!(simulation.crowd().len() <= 8, "{} are left", simulation.crowd().len());
}

#[test]
fn obstacles_are_refused_where_somebody_has_promised_to_be() {
    let mut simulation = rooms("[[people]]\ncount = 40\n");
    run(&mut simulation, 60);
    let crowd = simulation.crowd();
    let (id, place) = (crowd.id(7), crowd.positions()[7].as_dvec2());
    let around = |half: f64| {
        let corner = |x: f64, y: f64| place + DVec2::new(x, y) * half;
        vec![vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]]
    };
    let edit = Edit::AddObstacle("box".into(), around(0.4));
    let refused = simulation.edit(edit.clone()).unwrap_err();
    assert!(matches!(refused, Refusal::Promised(_)) && refused.is_for_now(), "{refused} {id}");
    assert!(simulation.log().is_empty() && simulation.crowd().obstacles().count() == 0);
    // Asked for, it comes as soon as everybody is off.
    assert_eq!(simulation.edit_when_free(edit), Ok(false));
    let mut frames = 0;
    while simulation.waiting_edits().count() > 0 && frames < 900 {
        run(&mut simulation, 1);
        frames += 1;
    }
    assert!(is_there(&simulation, "box"), "not there after {frames} frames");
    assert!(!simulation.crowd().setting().ground.is_free(place.as_vec2(), 0.0));
    run(&mut simulation, 300);
    simulation.undo().unwrap();
    assert!(simulation.crowd().setting().ground.is_free(place.as_vec2(), 0.0));
    let crossing = vec![vec![DVec2::ZERO, DVec2::new(1.0, 1.0), DVec2::X, DVec2::Y]];
    let refused = simulation.edit(Edit::AddObstacle("bow".into(), crossing));
    assert_eq!(refused, Err(Refusal::Senseless("that outline")));
    assert_eq!(simulation.edit(Edit::Obstacle(9, true)), Err(Refusal::Unknown("obstacle")));
}

#[test]
fn a_door_that_is_opened_and_undone_closes_after_those_in_it_and_redo_lets_it_be() {
    let people = "[[people]]\ncount = 60\nin = 'west'\nto = 'out'\nappear = [0, 60]\n";
    let scene = || rooms(&format!("{SOUTH}closed = true\n{NORTH}{people}"));
    let mut simulation = scene();
    let opened = Edit::Obstacle(simulation.crowd().obstacle_named("south").unwrap(), false);
    let somebody_is_in_it = |simulation: &Simulation| {
        let mut places = simulation.crowd().positions().iter();
        places.any(|place| (place.x - 12.0).abs() < 0.2 && (3.0..5.0).contains(&place.y))
    };
    let until_somebody_is_in_it = |simulation: &mut Simulation| {
        for _ in 0..900 {
            run(simulation, 1);
            if somebody_is_in_it(simulation) {
                return;
            }
        }
        panic!("nobody goes by the south door");
    };
    simulation.edit(opened).unwrap();
    until_somebody_is_in_it(&mut simulation);
    simulation.undo().unwrap();
    assert!(!is_there(&simulation, "south") && simulation.waiting_edits().count() == 1);
    run(&mut simulation, 150);
    assert!(is_there(&simulation, "south"));
    simulation.redo().unwrap();
    assert!(!is_there(&simulation, "south"));
    until_somebody_is_in_it(&mut simulation);
    simulation.undo().unwrap();
    run(&mut simulation, 1);
    simulation.redo().unwrap();
    assert_eq!(simulation.waiting_edits().count(), 0);
    run(&mut simulation, 150);
    assert!(!is_there(&simulation, "south"));
    let mut again = scene();
    again.repeat(simulation.log());
    run(&mut again, simulation.crowd().frame());
    assert_eq!(again.crowd().positions(), simulation.crowd().positions());
    assert_eq!(again.log(), simulation.log());
}

#[test]
fn events_bring_regions_stops_signals_situations_and_rules() {
    let rest = "[[people]]\ncount = 20\nin = 'west'\n\
        [[situation]]\nname = 'friends'\nkind = 'group'\n\
        [[event]]\nat = 2\nregion = { name = 'corner', rectangle = [20, 0, 24, 4] }\n\
        stop = { name = 'corner', region = 'corner', exit = true }\n\
        set-signal = { name = 'walk', on = 4, off = 4 }\n\
        set-situation = { name = 'look', kind = 'pause', region = 'west', spots = [[3, 3, 0]], signal = 'walk' }\n\
        [[event]]\nat = 0.1\nwho = 'west'\njoins = 'friends'\nlooks = 7\n\
        [[event]]\nat = 4\nsituation = 'friends'\nrules = ['me.speed(1.0)']\n\
        [[event]]\nat = 5\nto = 'corner'\n[[event]]\nat = 30\nclose-stop = 'corner'\n\
        [[event]]\nat = 6\nobstacle = { rectangle = [5, 14, 6, 15] }\n";
    let mut simulation = rooms(rest);
    run(&mut simulation, 30);
    let corner = Vec2::new(22.0, 2.0);
    let crowd = simulation.crowd();
    assert_eq!(crowd.setting().ground.regions_at(corner).count(), 1, "only the east");
    assert!(crowd.shared().scenario.stops[1].closed && !crowd.shared().situations[1].enabled);
    run(&mut simulation, 120);
    let crowd = simulation.crowd();
    assert_eq!(crowd.setting().ground.regions_at(corner).count(), 2);
    assert!(!crowd.shared().scenario.stops[1].closed && crowd.shared().situations[1].enabled);
    assert_eq!(crowd.shared().signals[0].by_hand, None);
    assert!(crowd.shared().rolls[0].present.len() > 10 && crowd.profile(0).looks == Some(7));
    assert!(crowd.shared().situations[0].script.is_some());
    run(&mut simulation, 900);
    assert!(simulation.crowd().shared().scenario.stops[1].closed);
    assert!(simulation.crowd().len() < 18, "{} are left", simulation.crowd().len());
    assert!(simulation.refused().is_empty(), "{:?}", simulation.refused());
}

#[test]
fn mistakes_in_events_are_told_at_their_lines() {
    let head = "name = 'x'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n[[situation]]\nname = 'g'\nkind = 'group'\n\
        [[door]]\nname = 'gate'\nrectangle = [4, 0, 5, 1]\n";
    let mistakes = [
        ("close = 'gat'", "no door `gat`"),
        ("open = 'wall'", "no door `wall`"),
        ("to = 'nowhere'", "no stop"),
        ("close-stop = 'x'", "no stop"),
        ("on = true", "nothing is switched"),
        ("rules = ['x']", "whose `rules`"),
        ("situation = 'g'\nrules = ['x +']", "cannot be read"),
        ("situation = 'h'", "no situation"),
        ("joins = 'h'", "no situation"),
        ("style = 'moonwalk'", "no style"),
        ("mover = 'recorded'", "planned or recorded"),
        ("who = 'nobody'\nspeed = 1", "no person, region or situation"),
        ("who = 'g'\nopen = 'gate'", "nothing happens to anybody"),
        ("speed = 99", "not possible"),
        ("obstacle = { rectangle = [1, 1, 1, 2] }", "cannot be"),
        ("obstacle = { name = 'gate', rectangle = [1, 1, 2, 2] }", "two obstacles"),
        ("obstacle = {}", "exactly one of"),
        ("region = { name = 'r' }", "exactly one of"),
        ("people = { count = 2, appear = [1, 2] }", "no `appear`"),
        ("people = { count = 2, to = 'x' }", "no stop"),
        ("people = { count = 2, mover = 'planned' }", "planned or recorded"),
        ("set-signal = { name = 's', on = 0, off = 0 }", "neither on nor off"),
        ("set-situation = { name = 's', kind = 'queue' }", "needs `spots`"),
        ("stop = { name = 's', region = 'r' }", "no region"),
        ("explode = true", "unknown field"),
        ("", "nothing happens"),
    ];
    let folder = std::env::temp_dir().join(format!("crowdloom-event-lines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let line = head.lines().count() + 1;
    for (event, told) in mistakes {
        let file = folder.join("scene.toml");
        std::fs::write(&file, format!("{head}[[event]]\nat = 1\n{event}\n")).unwrap();
        let problems = check(&file);
        let found = problems.iter().find(|problem| problem.what.contains(told));
        let found = found.unwrap_or_else(|| panic!("{event}: {problems:?}"));
        assert!(!found.harmless, "{event}");
        assert!(found.line.is_some_and(|own| (line..line + 4).contains(&own)), "{event}: {found:?} {line}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn changes_are_taken_back_and_made_again_in_order() {
    let mut simulation =
        rooms("[[people]]\ncount = 12\nin = 'west'\n[[people]]\ncount = 4\nmover = 'orca'\n");
    run(&mut simulation, 45);
    assert_eq!(simulation.undo(), Err(Refusal::Nothing("undo")));
    let (id, likes) = (simulation.crowd().id(3), simulation.crowd().mind(3).speed);
    simulation.edit(Edit::Speed(id, 0.6)).unwrap();
    simulation.edit(Edit::Remove(id)).unwrap();
    assert_eq!(simulation.crowd().len(), 15);
    // Who comes back is another number, and still the one whose speed was changed.
    simulation.undo().unwrap();
    simulation.undo().unwrap();
    let last = simulation.crowd().len() - 1;
    assert_eq!((last, simulation.crowd().mind(last).speed), (15, likes));
    simulation.redo().unwrap();
    assert_eq!(simulation.crowd().mind(last).speed, 0.6);
    simulation.redo().unwrap();
    assert_eq!((simulation.crowd().len(), simulation.redo()), (15, Err(Refusal::Nothing("redo"))));
    simulation.undo().unwrap();
    simulation.edit(Edit::Speed(simulation.crowd().id(0), 1.0)).unwrap();
    assert_eq!(simulation.redo(), Err(Refusal::Nothing("redo")), "something else was changed since");
    assert_eq!(simulation.log().len(), 8);
    run(&mut simulation, 300);
}

#[test]
fn vehicles_keep_off_obstacles_and_obstacles_off_their_claims() {
    let bus =
        "[[vehicle]]\nname = 'bus'\nway = [[1, 14.5], [23, 14.5]]\nlength = 4\nwidth = 1.6\nspeed = 3\n";
    let text =
        format!("name = 'road'\nseconds = 60\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n{bus}");
    let mut simulation = parse(Path::new("road.toml"), &text, Overrides::default()).unwrap().0;
    run(&mut simulation, 30);
    let square = |x: f64| {
        let corner = |dx: f64, dy: f64| DVec2::new(x + dx, 14.0 + dy);
        vec![vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)]]
    };
    let front = f64::from(simulation.crowd().shared().vehicles[0].state.front);
    let refused = simulation.edit(Edit::AddObstacle("stone".into(), square(front)));
    assert_eq!(refused, Err(Refusal::Claimed(0)));
    simulation.edit(Edit::AddObstacle("stone".into(), square(18.0))).unwrap();
    run(&mut simulation, 600);
    let journey = &simulation.crowd().shared().vehicles[0].state;
    assert!(journey.under_way && journey.speed == 0.0 && journey.front < 18.0, "{journey:?}");
    simulation.undo().unwrap();
    run(&mut simulation, 600);
    assert!(!simulation.crowd().shared().vehicles[0].state.under_way);
}
