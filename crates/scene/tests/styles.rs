//! Scenes of people who are moved by velocities and show motion styles.

use crowdloom_crowd::Steps;
use crowdloom_crowd::diversity::{Scheme, StyleAdditions, StyleControl};
use crowdloom_motion::styles::MotionType;
use crowdloom_scene::{OtherStyles, Overrides, Problem, Simulation, embedded, parse, parse_styled};
use std::path::Path;

const SCENES: [(&str, usize, MotionType); 6] = [
    ("flocking", 200, MotionType::Walking),
    ("urban-street", 260, MotionType::Walking),
    ("panic-evacuation", 300, MotionType::Running),
    ("fighting-training", 120, MotionType::Fighting),
    ("street-entertainment", 138, MotionType::Waiting),
    ("military-march", 180, MotionType::Walking),
];

fn walkers(text: &str, overrides: Overrides) -> (Simulation, Vec<Problem>) {
    parse(Path::new("test.toml"), text, overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn styles(simulation: &Simulation) -> &StyleControl {
    simulation.crowd().bodies().unwrap().control()
}

fn problems(text: &str) -> Vec<String> {
    match parse(Path::new("test.toml"), text, Overrides::default()) {
        Ok((_, problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => error.problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn embedded_scenes_do_what_they_are_called() {
    for (name, people, usual) in SCENES {
        let (mut crowd, problems) = walkers(embedded::scene(name).unwrap(), Overrides::default());
        assert!(problems.is_empty(), "{name}: {problems:?}");
        assert_eq!(crowd.crowd().len(), people, "{name}");
        (0..120).for_each(|_| crowd.step());
        let book = styles(&crowd).book();
        let kinds = styles(&crowd).playing().iter().map(|playing| book.kind(playing.style));
        let count = kinds.filter(|kind| *kind == usual).count();
        assert!(count * 2 > people, "{name}: {count} of {people} are {}", usual.name());
        for (agent, &place) in crowd.crowd().positions().iter().enumerate() {
            assert!(crowd.crowd().setting().ground.is_free(place, 0.0), "{name}: {agent} at {place}");
            // Bodies stay with their discs; a root sways about its place.
            assert!(crowd.crowd().body(agent).placement.position.distance(place) < 0.6, "{name}: {agent}");
        }
    }
}

#[test]
fn people_go_to_and_fro_between_regions() {
    let few = Overrides { seed: None, people: Some(40) };
    let (mut crowd, _) = walkers(embedded::scene("urban-street").unwrap(), few);
    let count = crowd.crowd().len();
    let mut seen = vec![[false; 2]; count];
    // Who has a slow style takes its time.
    for _ in 0..30 * 200 {
        crowd.step();
        for (agent, place) in crowd.crowd().positions().iter().enumerate() {
            let [west, east] = ["west", "east"]
                .map(|name| crowd.crowd().setting().ground.region(name).unwrap().contains(*place));
            seen[agent] = [seen[agent][0] | west, seen[agent][1] | east];
        }
    }
    let both = seen.iter().filter(|[west, east]| *west && *east).count();
    assert!(both * 10 > count * 9, "{both} of {count} have been at both ends");
}

#[test]
fn seeds_people_and_styles_can_be_replaced() {
    let text = embedded::scene("urban-street").unwrap();
    let people = |overrides| {
        let (crowd, _) = walkers(text, overrides);
        crowd.crowd().positions().to_vec()
    };
    let plain = people(Overrides::default());
    assert_eq!(people(Overrides { seed: Some(1), people: None }), plain);
    assert_ne!(people(Overrides { seed: Some(2), people: None }), plain);
    assert_eq!(people(Overrides { seed: None, people: Some(40) }).len(), 40);
    let other = OtherStyles { scheme: Some(Scheme::Random), ..OtherStyles::default() };
    let (crowd, _) = parse_styled(Path::new("a"), text, Overrides::default(), &other).unwrap();
    assert_eq!(styles(&crowd).options().scheme, Scheme::Random);
}

#[test]
fn people_on_a_graph_and_with_a_mover_have_styles() {
    let text = embedded::scene("promenade").unwrap();
    let (mut simulation, problems) = parse(Path::new("a"), text, Overrides::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    (0..600).for_each(|_| simulation.step());
    let crowd = simulation.crowd();
    let bodies = crowd.bodies().unwrap();
    assert_eq!((crowd.len(), bodies.control().len()), (112, 112));
    let shown = bodies.showing(crowd);
    let as_told =
        shown.iter().zip(bodies.control().playing()).filter(|(own, told)| **own == Some(told.style));
    // Who is not yet in its style, or is to walk plainly, goes by single steps, which show none.
    assert!(as_told.count() > 112 / 4, "{shown:?}");
    assert_eq!((crowd.overlaps().0, crowd.promise_overlaps()), (0, 0));
}

#[test]
fn what_is_ours_is_a_setting_and_cameras_move() {
    let text = |styles: &str| {
        format!(
            "name = 'a'\n[world]\nfloor = [[0, 0], [40, 0], [40, 20], [0, 20]]\n[[people]]\nmover = 'orca'\ncount = 20\n{styles}"
        )
    };
    let options = |table: &str| {
        let (mut simulation, problems) = walkers(&text(table), Overrides::default());
        assert!(problems.is_empty(), "{problems:?}");
        (0..60).for_each(|_| simulation.step());
        *styles(&simulation).options()
    };
    // The published equations have nothing of ours, whatever else is said.
    let published = options("[styles]\nchoose = 'text'\nclone-cost = 9");
    assert_eq!((published.scheme, published.additions), (Scheme::Text, StyleAdditions::NONE));
    let none = options(
        "[styles]\nrelative = false\nspeed = 0\nclone-cost = 0\nrepetition-cost = 0\ngives-way = false\nkeep = 0",
    );
    assert_eq!((none.scheme, none.additions), (Scheme::Diverse, StyleAdditions::NONE));
    assert!(options("[styles]").additions.relative);
    let camera = "[styles.camera]\nat = [0, -5, 4]\ntowards = [0, 8]\n";
    let key = "[[styles.camera.key]]\ntime = 4\nat = [20, -5, 4]\ntowards = [20, 8]\n";
    let x = |more: &str| options(&format!("{camera}{more}")).camera.unwrap().position.x;
    // After two of four seconds it has gone half its way.
    let (stays, goes) = (x(""), x(key));
    assert!((goes - stays - 10.0).abs() < 0.2, "{stays} {goes}");
    let told = problems(&text(&format!("{camera}{key}{}", key.replace("time = 4", "time = 3"))));
    assert!(told.iter().any(|problem| problem.contains("order of time")), "{told:?}");
}

const START: &str = "name = \"a\"\n[world]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n";

#[test]
fn mistakes_are_told_with_line_and_fix() {
    let ring = "[[people]]\nmover = \"hidac\"\nring = { at = [5, 5], radius = 2 }\n";
    for (tables, expected) in [
        ("[[people]]\nin = \"hall\"\nstays = \"waiting\"", "line 5: there is no region `hall`"),
        ("[[people]]\nmover = \"hidak\"", "line 5: there is no mover `hidak`"),
        ("[[people]]\nmover = \"hidak\"", "(did you mean `hidac`?)"),
        (&format!("{ring}at = [3, 3]"), "line 4: people start in one of `in`, `at` and `ring`"),
        (&format!("{ring}straight = 3\nstays = \"waiting\""), "line 4: people can have only one of `to`"),
        (
            &format!("{ring}parameters = {{ patiens = 1 }}"),
            "line 4: the mover's parameters: unknown field `patiens`",
        ),
        (
            "[[people]]\nat = [5, 5]\nrepeat = { columns = 2, rows = 1, step = [90, 1] }\nstays = \"waiting\"",
            "line 4: 1 of 2 people stand off the floor (they are left out)",
        ),
        (
            &format!("{ring}favours = {{ \"walking marsh\" = 2 }}"),
            "line 4: there is no style `walking marsh` (did you mean `walking march`?)",
        ),
        (
            &format!("{ring}[styles]\nlocal = -1"),
            "line 7: `local` is -1 (weights, costs and seconds are 0 or more)",
        ),
        (&format!("{ring}[styles]\nlibrary = \"none.styles\""), "line 8: "),
        ("[styles]", "line 4: `styles` are for those in `people`, and there are none"),
        ("[[people]]\ncount = 3\n[styles]\nlocal = -1", "line 6: `local` is -1"),
    ] {
        let told = problems(&format!("{START}{tables}\n"));
        assert!(told.iter().any(|problem| problem.contains(expected)), "{expected}: {told:?}");
    }
}

#[test]
fn nobody_hurries_its_style() {
    // The share of walking and running that is played slower than 0.8 or faster than 1.25 times as captured, once styles are
    // settled; and with the person's speed as it is.
    let off_pace = |name: &str, other: &str| {
        let text = embedded::scene(name).unwrap().replace("[styles]", &format!("[styles]\n{other}"));
        let (mut simulation, _) = walkers(&text, Overrides::default());
        (0..600).for_each(|_| simulation.step());
        let (mut off, mut all) = (0, 0);
        for _ in 0..20 {
            (0..15).for_each(|_| simulation.step());
            let bodies = simulation.crowd().bodies().unwrap();
            let control = bodies.control();
            for member in (0..control.len()).filter(|&member| bodies.plays(member)) {
                let rate = control.rate(member);
                if control.book().kind(control.playing()[member].style).is_cyclic() && rate > 0.0 {
                    (off, all) = (off + usize::from(!(0.8..=1.25).contains(&rate)), all + 1);
                }
            }
        }
        f64::from(off as u32) / f64::from(all.max(1) as u32)
    };
    for name in ["flocking", "urban-street"] {
        let (own, hurried) = (off_pace(name, ""), off_pace(name, "gives-way = false"));
        assert!(
            own < 0.06 && own < 0.4 * hurried,
            "{name}: {own}, and {hurried} where speed does not give way"
        );
    }
}
