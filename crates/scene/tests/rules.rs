//! Sensors and rules: what they can do, that they are repeatable, and what becomes of those that fail.

use crowdloom_crowd::Steps;
use crowdloom_crowd::situation::SituationId;
use crowdloom_scene::{Overrides, Simulation, parse};
use std::path::Path;

fn start(text: &str) -> Simulation {
    parse(Path::new("test.toml"), text, Overrides::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn problems(text: &str) -> Vec<String> {
    match parse(Path::new("test.toml"), text, Overrides::default()) {
        Ok((_, problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => error.problems.iter().map(ToString::to_string).collect(),
    }
}

fn bits(simulation: &Simulation) -> Vec<(u32, u32)> {
    simulation.crowd().positions().iter().map(|p| (p.x.to_bits(), p.y.to_bits())).collect()
}

/// Sensors of every kind, memory and rules that do all that rules can.
const BUSY: &str = r#"
name = "busy"
[world]
floor = [[0, 0], [24, 0], [24, 18], [0, 18]]

[[region]]
name = "square"
rectangle = [6, 4, 18, 14]

[[signal]]
name = "bell"
on = 0
off = 1

[[signal]]
name = "light"
on = 4
off = 4

[[situation]]
name = "club"
kind = "talk"

[[situation]]
name = "square"
kind = "group"
region = "square"
capacity = 12
memory = { waited = 0, far = 0.0, rung = false }
rules = ["""
if light { me.scale("find-target", 1.5) } else { waited += 1; me.remove("dont-turn") }
if middle > far { far = middle }
if free && me.chance() < 0.3 { me.go_to("middle"); me.go_at(1.2) }
""", """
if crowding > 0.25 || me.inside > 12.0 { me.leave() }
if other.there && other.distance < 1.2 { me.face(other.x, other.y); me.keep_away(other.x, other.y, 0.8); }
if waited > 1 && !rung { rung = true; me.raise("bell"); me.join("club") }
if head.there && head.speed < 0.1 && me.chance() < 0.1 { me.stand(); me.show("talk") }
"""]

[situation.sensor]
light = { signal = "light" }
middle = { proximity = [12, 9] }
free = { empty = { at = [12, 9], radius = 1.5 } }
crowding = { density = { at = [12, 9], radius = 4 } }
other = { agent = "nearest" }
head = { agent = "first" }

[[people]]
count = 60
"#;

#[test]
fn rules_keep_the_promise_and_take_effect() {
    let mut simulation = start(BUSY);
    let mut members = 0;
    let mut remembered = 0;
    for _ in 0..900 {
        simulation.step();
        let crowd = simulation.crowd();
        assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
        let square = crowd.shared().rolls.iter().map(|roll| roll.present.len()).collect::<Vec<_>>();
        assert!(square[1] <= 12, "{} in a situation for 12", square[1]);
        members = members.max(square[0]);
        let visits = (0..crowd.len()).flat_map(|agent| &crowd.mind(agent).visits);
        for visit in visits {
            assert!(visit.takes_part || visit.notes.is_none(), "a visit that is over leaves no memory");
            remembered += usize::from(visit.notes.is_some());
        }
    }
    assert!(simulation.crowd().shared().warnings.is_empty(), "{:?}", simulation.crowd().shared().warnings);
    assert!(simulation.crowd().shared().signals[0].is_on(0), "nobody rang the bell");
    assert!(members > 1 && remembered > 100, "{members} joined, {remembered} visits with memory");
}

#[test]
fn same_bits_with_rules_on_any_number_of_threads_and_after_resuming() {
    let run = |threads: usize, save_at: Option<u32>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = start(BUSY);
            for frame in 0..500 {
                if Some(frame) == save_at {
                    let bytes = postcard::to_stdvec(&simulation.crowd().save()).unwrap();
                    let mut resumed = start(BUSY);
                    resumed.crowd_mut().resume(postcard::from_bytes(&bytes).unwrap()).unwrap();
                    simulation = resumed;
                }
                simulation.step();
            }
            bits(&simulation)
        })
    };
    let whole = run(1, None);
    assert_eq!(whole, run(2, None));
    assert_eq!(whole, run(2, Some(211)));
}

#[test]
fn no_pair_overlaps_in_any_frame_whatever_the_seed_and_the_crowding() {
    for (seed, people) in [(1, 20), (2, 90), (3, 150), (4, 220)] {
        let overrides = Overrides { seed: Some(seed), people: Some(people) };
        let (mut simulation, _) = parse(Path::new("busy.toml"), BUSY, overrides).unwrap();
        for _ in 0..300 {
            simulation.step();
            let crowd = simulation.crowd();
            assert_eq!(crowd.overlaps(), (0, 0.0), "seed {seed}, {people} people, frame {}", crowd.frame());
            assert!(crowd.shared().rolls[1].present.len() <= 12);
        }
        assert!(simulation.crowd().shared().warnings.is_empty());
    }
}

/// A scene of one situation all over the floor with one rule, from line 9 on.
fn with_rule(rule: &str) -> String {
    format!(
        "name = 'x'\n[world]\nfloor = [[0, 0], [12, 0], [12, 12], [0, 12]]\n[[region]]\nname = 'all'\n\
         rectangle = [0, 0, 12, 12]\n[[situation]]\nname = 'everywhere'\nrules = ['''\n{rule}''']\n\
         kind = 'group'\nregion = 'all'\n[[people]]\ncount = 12\n"
    )
}

#[test]
fn mistakes_in_rules_name_the_line_of_the_scene() {
    let told = problems(&with_rule("me.stand();\nif lihgt { me.leave() }\n"));
    assert!(told[0].starts_with("line 11: ") && told[0].contains("lihgt"), "{told:?}");
    let told = problems(&with_rule("me.stand(\n"));
    assert!(told[0].contains("cannot be read"), "{told:?}");
    let told = problems(&with_rule("me.fly();\n"));
    assert!(told[0].starts_with("line 10: ") && told[0].contains("fly"), "{told:?}");
    let told = problems(&with_rule("me.raise(\"bell\");\n"));
    assert!(told[0].contains("no signal `bell`"), "{told:?}");
}

#[test]
fn a_rule_that_loops_for_ever_is_told_and_switched_off() {
    let text = with_rule("let x = 0;\nloop { x += 1 }\n");
    let told = problems(&text);
    assert!(told.len() == 1 && told[0].starts_with("line 11: "), "{told:?}");
    assert!(told[0].contains("did not end"), "{told:?}");
    let mut simulation = start(&text);
    for _ in 0..200 {
        simulation.step();
    }
    let crowd = simulation.crowd();
    assert_eq!(crowd.shared().warnings.len(), 1, "{:?}", crowd.shared().warnings);
    assert_eq!(crowd.shared().warnings[0].line, 11);
    let off = (0..crowd.len()).filter(|&agent| {
        crowd.mind(agent).visits.iter().any(|visit| visit.notes.as_ref().is_some_and(|n| n.broken == 1))
    });
    assert_eq!(off.count(), 12);
    let walked: u32 = (0..crowd.len()).map(|agent| crowd.mind(agent).arrivals).sum();
    assert!(walked > 0, "people go on without the rule");
}

#[test]
fn a_rule_fails_only_for_whom_it_fails() {
    // Dividing by zero happens only in the left half.
    let text = with_rule("let half = if me.x < 6.0 { 0 } else { 1 };\nlet y = 1 / half;\nme.stand();\n");
    let mut simulation = start(&text);
    for _ in 0..60 {
        simulation.step();
    }
    let crowd = simulation.crowd();
    assert_eq!(crowd.shared().warnings.len(), 1, "{:?}", crowd.shared().warnings);
    let broken = |agent: usize| {
        let notes = crowd.mind(agent).visits.first().and_then(|visit| visit.notes.as_ref());
        notes.is_some_and(|notes| notes.broken == 1)
    };
    let count = (0..crowd.len()).filter(|&agent| broken(agent)).count();
    assert!((1..crowd.len()).contains(&count), "{count} of {}", crowd.len());
}

#[test]
fn situations_come_and_go_while_running() {
    let mut simulation = start(BUSY);
    for _ in 0..120 {
        simulation.step();
    }
    let square = SituationId(1);
    let inside = |simulation: &Simulation, id: SituationId| {
        let crowd = simulation.crowd();
        (0..crowd.len()).filter(|&a| crowd.mind(a).visits.iter().any(|v| v.situation == id)).count()
    };
    assert!(inside(&simulation, square) > 0);
    let again = simulation.crowd().shared().situations[square.index()].clone();
    simulation.crowd_mut().delete_situation(square);
    assert_eq!(inside(&simulation, square), 0);
    assert!(simulation.crowd().shared().rolls[square.index()].present.is_empty());
    for _ in 0..120 {
        simulation.step();
    }
    assert_eq!(inside(&simulation, square), 0);
    let new = simulation.crowd_mut().add_situation(again);
    for _ in 0..120 {
        simulation.step();
        assert_eq!(simulation.crowd().overlaps(), (0, 0.0));
    }
    assert!(inside(&simulation, new) > 0);
    assert_eq!(inside(&simulation, square), 0);
}

#[test]
fn grafted_actions_are_for_visitors_only() {
    let text = with_rule("me.stand();\n")
        .replace("kind = 'group'", "kind = 'group'\nactions = ['wave*']\non = ['stand']");
    let half = text.replace("rectangle = [0, 0, 12, 12]", "rectangle = [0, 0, 6, 12]");
    let mut simulation = start(&half);
    let (mut shown, mut elsewhere) = (0, 0);
    for _ in 0..1200 {
        simulation.step();
        let crowd = simulation.crowd();
        for agent in 0..crowd.len() {
            let Some((action, frame)) = crowd.showing(agent) else { continue };
            if crowd.setting().book.graph().action(action).clip.name.starts_with("wave") && frame < 2.0 {
                let here = crowd.positions()[agent].x < 6.5;
                shown += usize::from(here);
                elsewhere += usize::from(!here);
            }
        }
    }
    assert!(shown > 5 && elsewhere == 0, "{shown} inside, {elsewhere} outside");
    let told = problems(&text.replace("wave*", "wafe"));
    assert!(told.iter().any(|line| line.contains("no clip `wafe`")), "{told:?}");
    let told = problems(&text.replace("on = ['stand']", "on = ['stnd']"));
    assert!(told.iter().any(|line| line.contains("there is no node `stnd`")), "{told:?}");
}

/// A hall where everybody is in two situations at once, which ask for other speeds.
fn hall(priorities: [i32; 2]) -> String {
    let [first, second] = priorities;
    format!(
        r#"
name = "hall"
[world]
floor = [[0, 0], [60, 0], [60, 12], [0, 12]]
[[region]]
name = "all"
rectangle = [0, 0, 60, 12]
[[region]]
name = "west"
rectangle = [0, 0, 3, 12]
[[region]]
name = "east"
rectangle = [57, 0, 60, 12]
[[stop]]
name = "east"
region = "east"
[[situation]]
name = "slow"
kind = "group"
region = "all"
priority = {first}
rules = ["me.go_at(0.7)"]
[[situation]]
name = "quick"
kind = "group"
region = "all"
priority = {second}
rules = ["me.go_at(1.6)"]
[[people]]
count = 3
in = "west"
to = "east"
"#
    )
}

#[test]
fn the_situation_of_the_highest_priority_has_its_way() {
    let walked = |priorities: [i32; 2]| {
        let mut simulation = start(&hall(priorities));
        (0..150).for_each(|_| simulation.step());
        let before: f32 = simulation.crowd().positions().iter().map(|place| place.x).sum();
        (0..300).for_each(|_| simulation.step());
        let after: f32 = simulation.crowd().positions().iter().map(|place| place.x).sum();
        (after - before) / 3.0 / 10.0
    };
    let (slow, quick) = (walked([1, 0]), walked([0, 1]));
    assert!((0.55..0.85).contains(&slow), "{slow} m/s");
    assert!((1.35..1.75).contains(&quick), "{quick} m/s");
}

#[test]
fn who_must_not_leave_two_regions_stays_where_both_are() {
    let text = r#"
name = "both"
[world]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
[[region]]
name = "left"
rectangle = [0, 0, 12, 10]
[[region]]
name = "right"
rectangle = [8, 0, 20, 10]
[[region]]
name = "middle"
rectangle = [8.5, 1, 11.5, 9]
[[situation]]
name = "not out of the left"
kind = "stay-in"
region = "left"
[[situation]]
name = "not out of the right"
kind = "stay-in"
region = "right"
[[people]]
count = 4
in = "middle"
"#;
    let mut simulation = start(text);
    for frame in 0..1200 {
        simulation.step();
        for place in simulation.crowd().positions() {
            assert!((7.95..12.05).contains(&place.x), "at {place} in frame {frame}");
        }
    }
}
