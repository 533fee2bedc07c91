//! Embedded scenes run, and mistakes are told.

use crowdloom_crowd::{Shows, Steps};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_scene::{Overrides, embedded, parse, stage};
use std::path::Path;

fn problems(text: &str) -> Vec<String> {
    match parse(Path::new("test.toml"), text, Overrides::default()) {
        Ok((_, problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => error.problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn embedded_scenes_run_without_overlap() {
    for (name, _, text) in embedded::SCENES {
        let (mut simulation, problems) =
            parse(Path::new(name), text, Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(problems.is_empty(), "{name}: {problems:?}");
        assert_eq!(simulation.waiting(), 0, "{name}");
        let mut shown = std::collections::BTreeMap::<String, usize>::new();
        let mut done = 0;
        for _ in 0..900 {
            simulation.step();
            if simulation.crowd().frame() % 3 == 0 {
                assert_eq!(
                    simulation.crowd().overlaps(),
                    (0, 0.0),
                    "{name}, frame {}",
                    simulation.crowd().frame()
                );
            }
            if simulation.crowd().frame() % 30 == 0 {
                let crowd = simulation.crowd();
                for agent in 0..crowd.len() {
                    let book = &crowd.setting().book;
                    let labels = match crowd.body(agent).shows {
                        Shows::Action(action, _) => book.graph().action(action).clip.labels.clone(),
                        Shows::Loop(number, _) => {
                            let styles = crowd.bodies().unwrap().control().book();
                            styles.transition(number as usize).labels()
                        }
                        Shows::Still(..) | Shows::Performance(..) | Shows::Captured(..) => Vec::new(),
                    };
                    for label in labels {
                        *shown.entry(label).or_default() += 1;
                    }
                    done += crowd.mind(agent).visits.iter().filter(|visit| visit.done).count();
                }
            }
        }
        println!("{name}: {} people, {done} done, {shown:?}", simulation.crowd().len());
        let expected: &[&str] = match name {
            "city" => &["walk", "sit", "talk", "wait"],
            "street" => &["walk", "run", "wait"],
            "theater" => &["walk", "talk", "wait"],
            "rendezvous" => &["walk"],
            "fighting-training" => &["fight"],
            "panic-evacuation" => &["run"],
            _ => &["walk"],
        };
        for label in expected {
            assert!(shown.contains_key(*label), "{name}: nobody shows `{label}`: {shown:?}");
        }
    }
}

#[test]
fn same_seed_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let text = embedded::scene("street").unwrap();
            let (mut simulation, _) = parse(Path::new("street"), text, Overrides::default()).unwrap();
            for _ in 0..300 {
                simulation.step();
            }
            let positions = simulation.crowd().positions();
            positions.iter().map(|p| (p.x.to_bits(), p.y.to_bits())).collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn a_saved_crowd_goes_on_to_the_same_bits() {
    let start =
        || parse(Path::new("street"), embedded::scene("street").unwrap(), Overrides::default()).unwrap().0;
    let bits = |simulation: &crowdloom_scene::Simulation| {
        let positions = simulation.crowd().positions().iter();
        positions.map(|p| (p.x.to_bits(), p.y.to_bits())).collect::<Vec<_>>()
    };
    let mut whole = start();
    let mut saved = None;
    for frame in 0..400 {
        if frame == 137 {
            saved = Some(whole.crowd().save());
        }
        whole.step();
    }
    // Through the binary form and into a crowd that has gone elsewhere meanwhile.
    let bytes = postcard::to_stdvec(&saved.unwrap()).unwrap();
    let mut resumed = start();
    for _ in 0..20 {
        resumed.step();
    }
    resumed.crowd_mut().resume(postcard::from_bytes(&bytes).unwrap()).unwrap();
    for _ in 137..400 {
        resumed.step();
    }
    assert_eq!(bits(&whole), bits(&resumed));

    let mut other = parse(Path::new("small"), SMALL, Overrides::default()).unwrap().0;
    let saved = whole.crowd().save();
    assert!(other.crowd_mut().resume(saved).unwrap_err().to_string().contains("another scene"));
}

const SMALL: &str = "name = 'small'\n[world]\nfloor = [[0, 0], [10, 0], [10, 10], [0, 10]]\n\
    [[region]]\nname = 'corner'\nrectangle = [0, 0, 3, 3]\n[[people]]\ncount = 5\n";

#[test]
fn a_small_scene_has_no_mistakes() {
    assert_eq!(problems(SMALL), Vec::<String>::new());
}

#[test]
fn every_mistake_is_told_with_line_and_fix() {
    let text = format!(
        "{SMALL}in = 'corne'\nto = 'nowhere'\n[[situation]]\nname = 'wait'\nkind = 'crosswalk'\nregion = 'corner'\n\
         capacity = 0\nsignal = 'ligt'\nto = ['corner']\n[[signal]]\nname = 'light'\non = 5\noff = 5\n"
    );
    let told = problems(&text).join("\n");
    for expected in [
        "line 9: there is no region `corne` (did you mean `corner`?)",
        "line 10: there is no stop `nowhere`",
        "has room for nobody",
        "there is no signal `ligt` (did you mean `light`?)",
    ] {
        assert!(told.contains(expected), "`{expected}` is missing from\n{told}");
    }
}

#[test]
fn syntax_and_worlds_are_checked() {
    assert!(problems("name = 'x'\n[world]\nfloor = 3\n")[0].starts_with("line 3: "));
    assert!(problems("name = 'x'\nseds = 3\n[world]\ncity = { blocks = 2 }\n")[0].contains("seds"));
    assert!(problems("name = 'x'\n[world]\n")[0].contains("exactly one of"));
    assert!(problems("name = 'x'\n[world]\ncity = { blocks = 0 }\n")[0].contains("a number of blocks of 0"));
    assert!(problems("name = 'x'\n[world]\nmap = 'no.wkt'\n")[0].contains("line 3"));
    let crossing = "name = 'x'\n[world]\nfloor = [[0, 0], [10, 10], [10, 0], [0, 10]]\n";
    assert!(problems(crossing)[0].contains("cannot be built"));
}

#[test]
fn who_does_not_fit_is_counted() {
    let text = SMALL.replace("count = 5", "count = 5000");
    let (simulation, _) = parse(Path::new("test.toml"), &text, Overrides::default()).unwrap();
    let placed = simulation.crowd().len();
    assert!(placed > 100 && placed < 500, "{placed} placed");
    assert_eq!(placed + simulation.waiting(), 5000);
}

#[test]
fn the_number_of_people_can_be_replaced() {
    let overrides = Overrides { people: Some(31), seed: Some(9) };
    let (simulation, _) = parse(Path::new("street"), embedded::scene("street").unwrap(), overrides).unwrap();
    assert_eq!(simulation.crowd().len(), 31);
    assert_eq!(simulation.crowd().setting().seed, 9);
}

#[test]
fn people_and_places_are_said_many_at_once() {
    let text = |more: &str| {
        format!(
            "name = 'x'\nseconds = 30\n[world]\nfloor = [[0, 0], [30, 0], [30, 30], [0, 30]]\n\
             [[people]]\nmover = 'planned'\nname = 'guest'\nat = [3, 3]\nrepeat = {{ columns = 3, rows = 2, step = [2, 2] }}\n\
             [[people]]\nmover = 'planned'\nname = 'host'\nat = [[20, 20], [24, 20]]\nfacing = [180, 90]\n{more}"
        )
    };
    let grid =
        "[[constraint]]\nperson = 'guest'\nat = [3, 15]\nrepeat = { columns = 3, rows = 2, step = [2, 2] }\n";
    let (mut simulation, problems) =
        parse(Path::new("x"), &text(&format!("{grid}mix = 2\n")), Overrides::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let names: Vec<&str> = (0..8).filter_map(|id| simulation.name_of(id)).collect();
    assert_eq!(names, ["guest-1", "guest-2", "guest-3", "guest-4", "guest-5", "guest-6", "host-1", "host-2"]);
    for _ in 0..900 {
        simulation.step();
        assert_eq!(simulation.crowd().overlaps(), (0, 0.0));
    }
    let end = |index: usize| simulation.crowd().positions()[index];
    let mut ends: Vec<(i32, i32)> =
        (0..6).map(end).map(|at| (at.x.round() as i32, at.y.round() as i32)).collect();
    ends.sort_unstable();
    assert_eq!(ends, [(3, 15), (3, 17), (5, 15), (5, 17), (7, 15), (7, 17)]);

    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
    let told = |more: &str| -> Vec<String> {
        let refused = stage(Path::new("x"), &text(more), &graph).err().expect("a mistake");
        refused.problems.iter().map(ToString::to_string).collect()
    };
    let constraint = "[[constraint]]\nperson = 'guest'\n";
    for (more, expected) in [
        ("[[constraint]]\nperson = 'gest'\n", "line 16: there is no person `gest` (did you mean `guest`?)"),
        (
            &format!("{constraint}at = [[1, 1], [2, 2]]\n"),
            "line 16: `guest` means 6 people, but there are 2 places",
        ),
        (
            &format!("{constraint}facing = [1, 2]\n"),
            "line 16: `guest` means 6 people, but there are 2 facings",
        ),
        (
            &format!("{constraint}at = [1, 1]\nword = {{ text = 'A', at = [0, 0], size = 3 }}\n"),
            "line 16: both",
        ),
        (
            &format!("{constraint}word = {{ text = 'a', at = [0, 0], size = 3 }}\n"),
            "line 17: `a` cannot be spelled",
        ),
        (
            &format!("{constraint}word = {{ text = 'A', at = [0, 0], size = 0 }}\n"),
            "line 17: a size of letters of 0",
        ),
        (&format!("{constraint}after = 'host'\n"), "line 16: 6 people cannot wait for 2 others"),
        (
            "[[people]]\nmover = 'planned'\nname = 'host'\nat = [1, 1]\n",
            "line 17: there are two people called `host`",
        ),
        (
            "[[people]]\nmover = 'planned'\nname = 'all'\nat = [1, 1]\nrepeat = { columns = 9999, rows = 9999, step = [1, 1] }\n",
            "line 19: 9999 x 9999 copies are too many",
        ),
        (
            "[[people]]\nmover = 'planned'\nname = 'all'\nat = [[1, 1]]\nrepeat = { columns = 1, rows = 1, step = [1, 1] }\n",
            "line 17: `repeat` needs one place",
        ),
    ] {
        let told = told(more);
        assert!(
            told.iter().any(|problem| problem.starts_with(expected)),
            "`{expected}` is missing: {told:?}"
        );
    }
}

#[test]
fn experiments_are_scenes() {
    for (number, _, text) in embedded::EXPERIMENTS {
        assert_eq!(embedded::scene(&format!("experiment:{number}")), Some(text));
    }
    assert_eq!(embedded::crossing_grids(30, 3.0), embedded::scene("experiment:6a").unwrap());
    let (simulation, problems) =
        parse(Path::new("5"), embedded::scene("experiment:5").unwrap(), Overrides::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!((simulation.crowd().len(), simulation.outcomes().len()), (20, 60));
}

#[test]
fn an_image_says_where_people_like_to_walk() {
    let folder = tempfile::tempdir().unwrap();
    // White in the west, black in the east, a pixel a metre.
    let row = [[255u8; 10], [0; 10]].concat();
    let pixels: Vec<u8> = std::iter::repeat_n(row, 12).flatten().collect();
    std::fs::write(folder.path().join("paths.pgm"), [b"P5 20 12 255\n".as_slice(), &pixels].concat())
        .unwrap();
    let scene = |image: &str| {
        format!(
            "name = 'paths'\n[world]\nfloor = [[0, 0], [20, 0], [20, 12], [0, 12]]\n{image}\n\
            [[region]]\nname = 'west'\nrectangle = [0.5, 0.5, 8, 11.5]\n[[people]]\ncount = 12\nin = 'west'\n"
        )
    };
    let path = folder.path().join("scene.toml");
    let farthest = |text: &str| {
        let (mut simulation, problems) = parse(&path, text, Overrides::default()).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let mut farthest = 0.0f32;
        for _ in 0..900 {
            simulation.step();
            farthest = simulation.crowd().positions().iter().map(|p| p.x).fold(farthest, f32::max);
        }
        farthest
    };
    let likely_image =
        |numbers: &str| format!("likely = {{ image = 'paths.pgm', metres-per-pixel = 1.0, {numbers} }}");
    let likely = scene("likely = { image = 'paths.pgm', metres-per-pixel = 1.0 }");
    // Where an action ends counts; stopping may take a step more.
    assert!(farthest(&likely) < 11.5, "{}", farthest(&likely));
    assert!(farthest(&scene("")) > 14.0);
    // Prob = slope · v / max + intercept (appendix A.3): with an intercept black is unlikely, but not forbidden.
    let pale = |numbers: &str| scene(&likely_image(numbers));
    assert!(farthest(&pale("slope = 0.5, intercept = 0.5")) > 14.0);
    assert!(farthest(&pale("slope = 1.0, intercept = 0.0")) < 11.5);
    let missing = problems(&scene("likely = { image = 'nothing.png', metres-per-pixel = 1.0 }"));
    assert!(missing.iter().any(|problem| problem.contains("nothing.png")), "{missing:?}");
}
