//! The numbers of the probability scheme (thesis section 3.2 and appendix) are settings of a scene, and do what they say.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, Simulation, parse};
use glam::Vec2;
use std::path::Path;

fn start(text: &str) -> Simulation {
    parse(Path::new("test.toml"), text, Overrides::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn told(text: &str) -> String {
    match parse(Path::new("test.toml"), text, Overrides::default()) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

/// Behaviour functions of every kind: rules, a line, a place to meet, friends, spots to settle on.
const ALL_KINDS: &str = r#"
name = "all kinds"
[world]
floor = [[0, 0], [24, 0], [24, 16], [0, 16]]
[[region]]
name = "rules"
rectangle = [1, 1, 8, 8]
[[region]]
name = "line"
rectangle = [9, 1, 16, 8]
[[region]]
name = "spots"
rectangle = [1, 9, 12, 15]
[[region]]
name = "meeting"
rectangle = [14, 9, 23, 15]
[[region]]
name = "look"
rectangle = [17.5, 1, 23, 7]
[[situation]]
name = "look"
kind = "group"
region = "look"
rules = ["me.face(20.0, 12.0)"]
[[situation]]
name = "rules"
kind = "group"
region = "rules"
rules = ["me.come_nearer(4.5, 4.5, 1.0); me.keep_away(2.0, 2.0, 1.5);"]
[[situation]]
name = "line"
kind = "queue"
region = "line"
spots = [[10, 4, 180], [11.2, 4, 180], [12.4, 4, 180], [13.6, 4, 180]]
stay = [2, 3]
[[situation]]
name = "spots"
kind = "pause"
region = "spots"
spots = [[3, 12, 90], [6, 12, 0], [9, 12, -90]]
stay = [2, 3]
[[situation]]
name = "meeting"
kind = "get-together"
region = "meeting"
at = [18, 12]
stay = [3, 5]
[[situation]]
name = "friends"
kind = "friends"
[[people]]
count = 24
[[people]]
count = 4
in = "line"
member-of = ["friends"]
"#;

fn places_after(text: &str, frames: usize) -> Vec<(u32, u32)> {
    let mut simulation = start(text);
    (0..frames).for_each(|_| simulation.step());
    simulation.crowd().positions().iter().map(|place| (place.x.to_bits(), place.y.to_bits())).collect()
}

#[test]
fn the_slope_of_every_behaviour_function_is_a_setting() {
    let with = |lines: &str| format!("{ALL_KINDS}[scheme]\n{lines}\n");
    let usual = places_after(ALL_KINDS, 900);
    let defaults = [
        ("find-target", 12.0),
        ("dont-turn", 6.0),
        ("face", 6.0),
        ("face-in-line", 4.0),
        ("settle", 30.0),
        ("keep-together", 12.0),
        ("come-nearer", 6.0),
        ("keep-away", 6.0),
    ];
    let alphas = defaults.map(|(name, alpha)| format!("{name} = {alpha:.1}")).join(", ");
    let same = format!("alpha = {{ {alphas} }}\nstraight-from = 'facing'\ndecisive = 2.5");
    assert_eq!(usual, places_after(&with(&same), 900), "the defaults are what they are said to be");
    for (name, alpha) in defaults {
        let other = with(&format!("alpha = {{ {name} = {:.2} }}", alpha * 0.2));
        assert_ne!(usual, places_after(&other, 900), "`{name}` does nothing");
    }
    assert_ne!(usual, places_after(&with("decisive = 1.0"), 900), "`decisive` does nothing");
    assert!(told(&with("alpha = { find-target = -1.0 }")).contains("a slope"), "a negative slope");
    assert!(told(&with("alpha = { turn = 1.0 }")).contains("unknown field `turn`"));
}

const FIELD: &str = "name = 'field'\nwarm-up = false\n[world]\nfloor = [[0, 0], [60, 0], [60, 60], [0, 60]]\n[[people]]\ncount = 20\n";

/// Mean turn between one metre of way and the next, in radians, and the mean way walked in metres.
fn turning(text: &str) -> (f32, f32) {
    let mut simulation = start(text);
    let mut last: Vec<Vec<Vec2>> = simulation.crowd().positions().iter().map(|place| vec![*place]).collect();
    for _ in 0..900 {
        simulation.step();
        for (way, place) in last.iter_mut().zip(simulation.crowd().positions()) {
            if way[way.len() - 1].distance(*place) > 1.0 {
                way.push(*place);
            }
        }
    }
    let turns: Vec<f32> = last
        .iter()
        .flat_map(|way| way.windows(3).map(|way| (way[1] - way[0]).angle_to(way[2] - way[1]).abs()))
        .collect();
    let way = last.iter().map(|way| way.len() as f32 - 1.0).sum::<f32>() / last.len() as f32;
    (turns.iter().sum::<f32>() / turns.len() as f32, way)
}

#[test]
fn turns_are_measured_from_the_previous_position_where_that_is_asked() {
    // Nothing but walking straight has a say, so what it measures is what is seen.
    let alone = "[scheme]\nalpha = { find-target = 0.0, dont-turn = ALPHA }\nstraight-from = 'FROM'\n";
    let scene =
        |alpha: &str, from: &str| format!("{FIELD}{}", alone.replace("ALPHA", alpha).replace("FROM", from));
    let (any, _) = turning(&scene("0.0", "previous-position"));
    let (straight, way) = turning(&scene("40.0", "previous-position"));
    println!("{any} radians a metre without a slope, {straight} with it, over {way} m");
    assert!(way > 8.0, "{way} m");
    assert!(straight < 0.5 * any, "{straight} radians a metre, {any} without a slope");
    let simulation = {
        let mut simulation = start(&scene("6.0", "previous-position"));
        (0..300).for_each(|_| simulation.step());
        simulation
    };
    let crowd = simulation.crowd();
    assert!((0..crowd.len()).filter(|&index| crowd.mind(index).past.len() == 1).count() > 15);
    assert_ne!(
        places_after(&scene("6.0", "previous-position"), 300),
        places_after(&scene("6.0", "facing"), 300)
    );
    // A run that was put away goes on with the same past.
    let mut on = start(&scene("6.0", "previous-position"));
    (0..200).for_each(|_| on.step());
    let mut again = Simulation::from_snapshot(&on.snapshot().expect("a snapshot")).expect("it goes on");
    (0..100).for_each(|_| (on.step(), again.step()).0);
    assert_eq!(on.crowd().positions(), again.crowd().positions());
    // Who needs no past keeps none.
    let mut plain = start(FIELD);
    (0..100).for_each(|_| plain.step());
    assert!((0..plain.crowd().len()).all(|index| plain.crowd().mind(index).past.capacity() == 0));
}

#[test]
fn people_are_as_wide_as_the_scene_says() {
    let nearest = |radius: &str| {
        let text = format!(
            "name = 'wide'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n[motion]\n{radius}\n[[people]]\ncount = 22\n"
        );
        let mut simulation = start(&text);
        let mut nearest = f32::INFINITY;
        for _ in 0..450 {
            simulation.step();
            let crowd = simulation.crowd();
            assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
            for (index, one) in crowd.positions().iter().enumerate() {
                let others = crowd.positions()[..index].iter().map(|other| other.distance(*one));
                nearest = others.fold(nearest, f32::min);
            }
        }
        nearest
    };
    let (usual, wide) = (nearest(""), nearest("radius = 0.4"));
    assert!((0.439..0.6).contains(&usual), "{usual} m");
    assert!(wide > 0.799, "{wide} m");
    let text = "name = 'x'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9]]\n[motion]\nradius = 3\n";
    assert!(told(text).contains("line 5"), "{}", told(text));
}
