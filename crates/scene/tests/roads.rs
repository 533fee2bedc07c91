//! Roads are crossed at crosswalks, on green, but for people in a hurry.

use crowdloom_crowd::Steps;
use crowdloom_crowd::situation::Activity;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use glam::Vec2;
use std::collections::BTreeMap;
use std::path::Path;

fn read(text: &str) -> Simulation {
    let read = parse(Path::new("scene.toml"), text, Overrides::default());
    read.unwrap_or_else(|error| panic!("{error}")).0
}

/// Where the roads of a city run, in metres from the beginning of each street, which are so far apart. Who has taken one step
/// down from the kerb and waits there is not on it yet.
const ROAD: [f32; 2] = [4.3, 7.7];
const STREETS: f32 = 52.0;
/// Blocks a side of the city.
const BLOCKS: usize = 3;
/// Where the corner of a street ends.
const CORNER: f32 = 12.0;

/// On which side of a road somebody is by one coordinate: `None` on it, else the number of the strip between two roads.
fn side(coordinate: f32) -> Option<i32> {
    let (street, within) = ((coordinate / STREETS).floor(), coordinate.rem_euclid(STREETS));
    match within {
        within if within <= ROAD[0] => Some(street as i32),
        within if within >= ROAD[1] => Some(street as i32 + 1),
        _ => None,
    }
}

#[derive(Debug, Default)]
struct Crossings {
    on_crosswalk: usize,
    of_them_on_red: usize,
    elsewhere: usize,
}

/// Counts who of those who do or do not hurry gets from one side of a road to the other, and where and when they stepped onto it.
fn crossings(simulation: &mut Simulation, seconds: u32, hurries: bool) -> Crossings {
    let mut counts = Crossings::default();
    // By person and direction: the side last stood on, the frame of leaving it, and whether all since was on crosswalks.
    let mut last: BTreeMap<(u32, usize), (i32, u32, bool)> = BTreeMap::new();
    for frame in 0..seconds * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        for index in 0..crowd.len() {
            if crowd.mind(index).hurries != hurries {
                continue;
            }
            let place: Vec2 = crowd.positions()[index];
            for (axis, own, other) in [(0, place.x, place.y), (1, place.y, place.x)] {
                let key = (crowd.id(index), axis);
                // A crosswalk goes on from the sidewalk of the other street; beside it one may cut a corner a little.
                let within = other.rem_euclid(STREETS);
                let at_corner = !(CORNER + 0.5..=STREETS - 0.5).contains(&within);
                match side(own) {
                    None => {
                        if let Some((_, _, on_crosswalk)) = last.get_mut(&key) {
                            *on_crosswalk &= at_corner;
                        }
                    }
                    Some(now) => {
                        let (before, left, on_crosswalk) =
                            last.get(&key).copied().unwrap_or((now, frame, true));
                        // The outermost streets of the north and the east have no lights.
                        let lit = own.max(other) < (BLOCKS as f32 - 0.2) * STREETS;
                        if before != now && on_crosswalk {
                            counts.on_crosswalk += usize::from(lit);
                            counts.of_them_on_red +=
                                usize::from(lit && !crowd.shared().signals[0].is_on(left));
                        } else if before != now {
                            counts.elsewhere += 1;
                        }
                        last.insert(key, (now, frame, true));
                    }
                }
            }
        }
    }
    counts
}

#[test]
fn people_cross_at_corners_on_green_unless_they_hurry() {
    let text = embedded::city(BLOCKS, 400).replacen("hurry = 0.04", "hurry = 0.1", 1);
    // Of several crowds: one counts only a dozen on red.
    let mut others = Crossings::default();
    for seed in 1..=4 {
        let seeded = format!("seed = {seed}\n{text}");
        let counts = crossings(&mut read(&seeded), 150, false);
        others.on_crosswalk += counts.on_crosswalk;
        others.of_them_on_red += counts.of_them_on_red;
        others.elsewhere += counts.elsewhere;
    }
    println!("{others:?}");
    assert!(others.on_crosswalk > 600, "{others:?}");
    assert!(others.of_them_on_red * 50 <= others.on_crosswalk, "{others:?}");
    // Most of them only swerve by half a metre around others on a crosswalk.
    assert!(others.elsewhere * 33 <= others.on_crosswalk, "{others:?}");
    let hurried = crossings(&mut read(&text), 100, true);
    println!("in a hurry: {hurried:?}");
    assert!(hurried.elsewhere > 10, "in a hurry: {hurried:?}");
}

#[test]
fn people_get_together_off_the_road() {
    let simulation = read(&embedded::city(BLOCKS, 20));
    let crowd = simulation.crowd();
    let mut places = 0;
    for situation in &crowd.shared().situations {
        let Activity::Approach { at, within, .. } = situation.activity else { continue };
        places += 1;
        for degrees in (0..360).step_by(15) {
            let place = at + Vec2::from_angle((degrees as f32).to_radians()) * within;
            assert!(!crowd.setting().ground.is_road(place), "{} at {at}: {place}", situation.name);
        }
    }
    assert_eq!(places, BLOCKS * BLOCKS);
}

#[test]
fn ways_lead_around_roads_of_any_scene() {
    let text = |hurry: f32| {
        format!(
            "name = 'a'\n[world]\nfloor = [[0, 0], [30, 0], [30, 20], [0, 20]]\n\
             road = [{{ rectangle = [0, 8, 20, 12] }}]\n\
             [[region]]\nname = 'far'\nrectangle = [1, 14, 6, 19]\n[[stop]]\nname = 'far'\nregion = 'far'\nstay = 60\n\
             [[people]]\ncount = 8\nat = [[2, 2], [3, 2], [4, 2], [5, 2], [2, 4], [3, 4], [4, 4], [5, 4]]\nto = 'far'\nhurry = {hurry}\n"
        )
    };
    for (hurry, most, least) in [(0.0, 0.02, 0.0), (1.0, 1.0, 0.1)] {
        let mut simulation = read(&text(hurry));
        let (mut on_road, mut frames) = (0, 0);
        for _ in 0..60 * 30 {
            simulation.step();
            let crowd = simulation.crowd();
            let there = |place: &&Vec2| crowd.setting().ground.is_road(**place);
            on_road += crowd.positions().iter().filter(there).count();
            frames += crowd.positions().iter().filter(|place| place.y < 13.0).count();
        }
        let share = on_road as f32 / frames as f32;
        let arrived = simulation.crowd().positions().iter().filter(|place| place.y > 13.0).count();
        assert_eq!(arrived, 8, "hurry {hurry}");
        assert!((least..=most).contains(&share), "{share} of the time on the road, hurry {hurry}");
    }
}

#[test]
fn roads_that_leave_no_room_are_told_with_their_line() {
    let floor = "name = 'all road'\n[world]\nfloor = [[0, 0], [20, 0], [20, 20], [0, 20]]\n";
    for road in
        ["road = [{ rectangle = [-1, -1, 21, 21] }]\n", "[[world.road]]\nrectangle = [-1, -1, 21, 21]\n"]
    {
        let told = match parse(Path::new("roads.toml"), &format!("{floor}{road}"), Overrides::default()) {
            Ok(_) => panic!("nobody can walk there"),
            Err(problems) => problems.to_string(),
        };
        assert!(
            told.contains("line 4: the world cannot be built: the roads leave no room for people"),
            "{told}"
        );
        assert!(told.contains("leave some ground beside the roads"), "{told}");
    }
}
