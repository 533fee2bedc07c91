//! People of all movers, from scene files.

use crowdloom_crowd::{Mover, Sex, Steps};
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use std::path::Path;

fn scene(second_group: &str) -> String {
    format!(
        "name = 'hall'\nseed = 4\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 0, 5, 16]\n\
        [[region]]\nname = 'east'\nrectangle = [19, 0, 24, 16]\n\
        [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n\
        [[situation]]\nname = 'friends'\nkind = 'group'\n\
        [[people]]\ncount = 15\n[[people]]\ncount = 12\n{second_group}\n"
    )
}

fn read(text: &str) -> Simulation {
    let read = parse(Path::new("hall.toml"), text, Overrides::default());
    let (simulation, problems) = read.unwrap_or_else(|error| panic!("{error}"));
    assert!(problems.iter().all(|problem| problem.harmless), "{problems:?}");
    simulation
}

/// How many do not follow clips of the motion graph.
fn others(simulation: &Simulation) -> usize {
    let crowd = simulation.crowd();
    (0..crowd.len()).filter(|index| crowd.mover(*index) != Mover::Graph).count()
}

#[test]
fn all_share_the_hall_and_those_with_a_stop_leave_by_it() {
    for mover in ["rvo", "orca", "social-force", "boids", "hidac", "funnel", "cell-marking"] {
        let text = scene(&format!("in = 'west'\nto = 'out'\nmover = '{mover}'"));
        let mut simulation = read(&text);
        assert_eq!((simulation.crowd().len(), others(&simulation)), (27, 12), "{mover}");
        for frame in 0..1200 {
            simulation.step();
            assert_eq!(simulation.crowd().overlaps(), (0, 0.0), "{mover}");
            if frame % 20 == 0 {
                assert_eq!(simulation.crowd().promise_overlaps(), 0, "{mover}");
            }
        }
        assert!(others(&simulation) <= 2, "{} of 12 moved by {mover} are left", others(&simulation));
    }
}

#[test]
fn every_scene_goes_on_to_the_same_bits_after_it_was_saved() {
    let hall = |mover: &str| scene(&format!("to = 'out'\nmover = '{mover}'\nappear = [0, 8]"));
    let own = ["orca", "hidac", "funnel", "cell-marking"].map(|mover| (mover.to_owned(), hall(mover)));
    let embedded = embedded::SCENES.iter().map(|(name, _, text)| (name.to_string(), text.to_string()));
    let examples = embedded::SITUATIONS.iter().map(|one| (one.name.to_owned(), one.text.to_owned()));
    for (name, text) in own.into_iter().chain(embedded).chain(examples) {
        let few = Overrides { people: (name == "city").then_some(300), seed: None };
        let read = || parse(Path::new(&name), &text, few).unwrap_or_else(|error| panic!("{error}")).0;
        let (mut whole, mut resumed) = (read(), read());
        (0..130).for_each(|_| whole.step());
        let bytes = postcard::to_stdvec(&whole.save()).unwrap();
        resumed
            .resume(postcard::from_bytes(&bytes).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for _ in 0..120 {
            whole.step();
            resumed.step();
        }
        let seen = |simulation: &Simulation| -> Vec<_> {
            let crowd = simulation.crowd();
            (0..crowd.len()).map(|index| (crowd.id(index), crowd.body(index), crowd.mover(index))).collect()
        };
        assert!(seen(&whole) == seen(&resumed), "{name}");
        let again = postcard::to_stdvec(&resumed.save()).unwrap();
        assert!(postcard::to_stdvec(&whole.save()).unwrap() == again, "{name}");
    }
}

#[test]
fn people_sit_down_with_clips_and_go_on_by_their_movers() {
    for mover in ["orca", "social-force", "hidac", "funnel", "cell-marking"] {
        let text = format!(
            "name = 'park'\n[world]\nfloor = [[0, 0], [16, 0], [16, 10], [0, 10]]\n\
             [[region]]\nname = 'by the bench'\nrectangle = [5, 3, 11, 8]\n\
             [[situation]]\nname = 'bench'\nkind = 'bench'\nregion = 'by the bench'\nstay = [8, 12]\n\
             spots = [[7, 7.5, -90], [8, 7.5, -90], [9, 7.5, -90]]\n\
             [[people]]\ncount = 6\nmover = '{mover}'\n"
        );
        let mut simulation = read(&text);
        let sit = simulation.crowd().setting().book.graph().find_node("sit").unwrap();
        let (mut sat, mut walked_on) = (0, 0);
        for _ in 0..3000 {
            simulation.step();
            let crowd = simulation.crowd();
            assert_eq!(crowd.overlaps(), (0, 0.0), "{mover}");
            for index in 0..crowd.len() {
                sat += usize::from(crowd.node(index) == sit);
                let after = crowd.mind(index).visits.iter().any(|visit| visit.done);
                walked_on += usize::from(after && crowd.mover(index) != Mover::Graph);
            }
        }
        assert!(sat > 300, "{mover}: {sat} frames on the bench");
        assert!(walked_on > 100, "{mover}: {walked_on} frames by its mover after sitting");
    }
}

/// A room with a door to a corridor, at whose end people leave.
fn room_and_corridor(people: usize) -> String {
    format!(
        "name = 'room'\nseed = 7\n[world]\nfloor = [[0, 0], [18, 0], [18, 8], [0, 8]]\n\
         obstacle = [{{ rectangle = [8, 0, 8.3, 3.3] }}, {{ rectangle = [8, 4.7, 8.3, 8] }},\
         {{ rectangle = [8.3, 0, 18, 2.5] }}, {{ rectangle = [8.3, 5.5, 18, 8] }}]\n\
         [[region]]\nname = 'room'\nrectangle = [0.3, 0.3, 7.7, 7.7]\n\
         [[region]]\nname = 'end'\nrectangle = [16.5, 2.5, 18, 5.5]\n\
         [[stop]]\nname = 'out'\nregion = 'end'\nexit = true\n\
         [[people]]\ncount = {people}\nin = 'room'\nto = 'out'\nmover = 'cell-marking'\n"
    )
}

#[test]
fn who_plans_captured_motion_gets_out_by_door_and_corridor_the_same_way_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = read(&room_and_corridor(30));
            assert_eq!(others(&simulation), 30);
            let mut ways = Vec::new();
            for frame in 0..2400 {
                simulation.step();
                let crowd = simulation.crowd();
                assert_eq!((crowd.overlaps(), crowd.promise_overlaps()), ((0, 0.0), 0), "frame {frame}");
                ways.extend(crowd.positions().iter().map(|place| (place.x.to_bits(), place.y.to_bits())));
                if crowd.is_empty() {
                    break;
                }
            }
            assert!(simulation.crowd().is_empty(), "{} are left", simulation.crowd().len());
            ways
        })
    };
    assert!(run(1) == run(2));
}

#[test]
fn members_of_groups_may_have_any_mover() {
    let text = scene("mover = 'orca'\nmember-of = ['friends']");
    let simulation = read(&text);
    let crowd = simulation.crowd();
    let members = (0..crowd.len()).filter(|index| !crowd.mind(*index).visits.is_empty()).count();
    assert_eq!(members, 12);
}

/// A corridor whose middle, from 8 to 16 m, is a situation.
fn corridor(mover: &str, more: &str) -> String {
    format!(
        "name = 'corridor'\nseed = 3\n[world]\nfloor = [[0, 0], [24, 0], [24, 8], [0, 8]]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 0, 4, 8]\n\
        [[region]]\nname = 'middle'\nrectangle = [8, 0, 16, 8]\n\
        [[region]]\nname = 'east'\nrectangle = [20, 0, 24, 8]\n\
        [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n\
        [[people]]\ncount = 12\nin = 'west'\nto = 'out'\nmover = '{mover}'\n\
        [[situation]]\nname = 'lent'\nkind = 'group'\nregion = 'middle'\n{more}\n"
    )
}

#[test]
fn situations_and_rules_lend_movers() {
    let rule = "rules = ['me.go_by(\"orca\")']";
    let cases = [
        ("graph", "mover = 'social-force'", [Mover::Graph, Mover::Steered(0)]),
        ("graph", rule, [Mover::Graph, Mover::Steered(0)]),
        ("hidac", "mover = 'graph'", [Mover::Steered(0), Mover::Graph]),
        ("hidac", rule, [Mover::Steered(1), Mover::Steered(0)]),
        ("graph", "mover = 'cell-marking'", [Mover::Graph, Mover::CellMarking(0)]),
    ];
    for (own, lends, [usual, lent]) in cases {
        let mut simulation = read(&corridor(own, lends));
        let (mut inside, mut outside) = ([0usize; 2], [0usize; 2]);
        for _ in 0..60 * 30 {
            simulation.step();
            let crowd = simulation.crowd();
            assert_eq!(crowd.overlaps(), (0, 0.0), "{own}, {lends}");
            for (index, place) in crowd.positions().iter().enumerate() {
                let counts = if (8.5..15.5).contains(&place.x) { &mut inside } else { &mut outside };
                match crowd.mover(index) {
                    mover if mover == usual => counts[0] += 1,
                    mover if mover == lent => counts[1] += 1,
                    other => panic!("{other:?}"),
                }
            }
        }
        let share = |[own, lent]: [usize; 2]| lent as f32 / (own + lent) as f32;
        let told = format!("{own}, {lends}: {inside:?} inside, {outside:?} outside");
        assert!(simulation.crowd().is_empty(), "{} left: {told}", simulation.crowd().len());
        assert!(share(inside) > 0.6 && share(outside) < 0.3, "{told}");
    }
}

#[test]
fn numbers_of_movers_and_people_can_be_set() {
    let text = scene(
        "mover = 'social-force'\nparameters = { strength = 3 }\nmanners = 'none'\n\
         radius = { distribution = 'normal', mean = 0.22, deviation = 0.02 }\nwomen = 0.5\nage = [20, 70]\n\
         speed = { distribution = 'normal', mean = 1.34, deviation = 0.26 }",
    );
    match parse(Path::new("hall.toml"), &text, Overrides::default()) {
        Ok((simulation, _)) => {
            let crowd = simulation.crowd();
            let own: Vec<usize> = (15..27).collect();
            assert!(own.iter().all(|&index| (0.16..0.28).contains(&crowd.profile(index).radius)));
            assert!(
                own.iter()
                    .all(|&index| crowd.profile(index).age.is_some_and(|age| (20.0..=70.0).contains(&age)))
            );
            assert!(own.iter().any(|&index| crowd.profile(index).sex == Some(Sex::Female)));
        }
        Err(error) => assert!(error.to_string().contains("unknown field `strength`"), "{error}"),
    }
    let told = problems(&scene("radius = 0.3"));
    assert!(told.contains("`radius` and `top-speed` are for velocity movers"), "{told}");
    let told = problems(&scene("mover = 'orca'\nspeed = 100"));
    assert!(told.contains("a speed of 100 in `speed` is not possible"), "{told}");
    let told = problems(&scene("mover = 'cell-marking'\nparameters = { haste = 1 }"));
    assert!(told.contains("unknown field `haste`") && told.contains("`elbow-room`"), "{told}");
    let told = problems(&scene("mover = 'cell-marking'\nparameters = { horizon = -1 }"));
    assert!(told.contains("these parameters are not possible"), "{told}");
    let told = problems(&scene("mover = 'cell-marking'\nmanners = 'none'"));
    assert!(told.contains("`manners` and `panic` are for velocity movers"), "{told}");
    let told = problems(&scene("parameters = { headway = 1 }"));
    assert!(told.contains("`parameters`, `manners` and `panic` are for velocity movers"), "{told}");
}

#[test]
fn old_tables_are_told_how_they_are_written_now() {
    let told = problems(&scene("[[walker]]\nmover = 'hidac'\ncount = 3\nin = 'west'\nrows = 3"));
    assert!(told.contains("line 22: [[walker]] is [[people]] now"), "{told}");
    assert!(told.contains("`mover = \"hidac\"`, and `at = [x, y]` with `repeat"), "{told}");
    let told = problems(&scene("[[person]]\nname = 'Ann'\nat = [3, 4]"));
    assert!(
        told.contains("[[person]] is [[people]] now (write [[people]] with `mover = \"planned\"`"),
        "{told}"
    );
}

fn problems(text: &str) -> String {
    match parse(Path::new("hall.toml"), text, Overrides::default()) {
        Ok((_, problems)) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
        Err(error) => error.problems.iter().map(|problem| format!("{problem}\n")).collect(),
    }
}

#[test]
fn movers_that_do_not_exist_are_told() {
    let text = scene("mover = 'horse'");
    let error = parse(Path::new("hall.toml"), &text, Overrides::default()).err().unwrap();
    let told: String = error.problems.iter().map(|problem| format!("{problem}\n")).collect();
    assert!(told.contains("line 22") && told.contains("horse") && told.contains("orca"), "{told}");
}
