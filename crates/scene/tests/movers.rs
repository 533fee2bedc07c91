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
        "mover = 'social-force'\nparameters = { mass = 70 }\nmanners = 'none'\n\
         radius = { distribution = 'normal', mean = 0.22, deviation = 0.02 }\nwomen = 0.5\nage = [20, 70]\n\
         speed = { distribution = 'normal', mean = 1.34, deviation = 0.26 }",
    );
    let simulation = read(&text);
    let crowd = simulation.crowd();
    let own: Vec<usize> = (15..27).collect();
    assert!(own.iter().all(|&index| (0.14..0.30).contains(&crowd.profile(index).radius)));
    let of_age = |index: usize| crowd.profile(index).age.is_some_and(|age| (20.0..=70.0).contains(&age));
    assert!(own.iter().all(|&index| of_age(index)));
    assert!(own.iter().any(|&index| crowd.profile(index).sex == Some(Sex::Female)));
    let told = problems(&scene("mover = 'social-force'\nparameters = { strength = 3 }"));
    assert!(told.contains("unknown field `strength`"), "{told}");
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

/// A field of 40 m × 30 m with a wall in it.
fn field(people: &str) -> String {
    format!(
        "name = 'field'\nseed = 5\n[world]\nfloor = [[0, 0], [40, 0], [40, 30], [0, 30]]\n\
         obstacle = [{{ rectangle = [28, 0, 28.3, 12] }}]\n{people}"
    )
}

/// Where everybody whose number is in a range is.
fn places(simulation: &Simulation, numbers: std::ops::Range<u32>) -> Vec<glam::Vec2> {
    let crowd = simulation.crowd();
    (0..crowd.len())
        .filter(|index| numbers.contains(&crowd.id(*index)))
        .map(|index| crowd.positions()[index])
        .collect()
}

#[test]
fn sheep_evade_the_dog_that_pursues_them() {
    let run = |steers: &str| {
        let mut simulation = read(&field(&format!(
            "[[people]]\nname = 'dog'\nat = [20, 4]\nmover = 'boids'\nspeed = 1.4\nsteers = {{ pursue = 'sheep' }}\n\
             [[people]]\nname = 'sheep'\nat = [[20, 10], [21, 10], [19, 11]]\nmover = 'boids'\nspeed = 1.4\n\
             top-speed = 2.5\n{steers}\n"
        )));
        let mut nearest = f32::INFINITY;
        for _ in 0..240 {
            simulation.step();
            let (dog, sheep) = (places(&simulation, 0..1)[0], places(&simulation, 1..4));
            nearest = sheep.iter().map(|one| one.distance(dog)).fold(nearest, f32::min);
        }
        nearest
    };
    let (evading, standing) = (run("steers = { evade = 'dog', within = 12 }"), run("stays = 'waiting'"));
    assert!(evading > 3.0, "{evading} m");
    assert!(standing < 1.2, "{standing} m");
}

#[test]
fn people_flee_seek_and_follow_others_by_name() {
    let mut simulation = read(&field(
        "[[people]]\nname = 'guide'\nat = [4, 15]\nmover = 'social-force'\nstraight = 0\nspeed = 1\n\
         [[people]]\nat = [[2, 14], [2, 16], [6, 15.1]]\nmover = 'boids'\nsteers = { follow = 'guide', behind = 1.5 }\n\
         [[people]]\nat = [14, 25]\nmover = 'orca'\nsteers = { seek = 'guide' }\n\
         [[people]]\nat = [8, 17]\nmover = 'orca'\nstraight = 90\nspeed = 0.2\nsteers = { flee = 'guide', within = 6 }\n",
    ));
    let before = places(&simulation, 0..6);
    (0..450).for_each(|_| simulation.step());
    let after = places(&simulation, 0..6);
    let guide = after[0];
    assert!(guide.x > before[0].x + 12.0, "{guide}");
    for follower in &after[1..4] {
        assert!(follower.x < guide.x && follower.distance(guide) < 3.5, "{follower} behind {guide}");
    }
    assert!(after[4].distance(guide) < 2.0, "{} seeks {guide}", after[4]);
    assert!(after[5].distance(guide) > 5.0, "{} fled", after[5]);
}

#[test]
fn people_follow_walls_and_keep_to_their_paths() {
    let mut simulation = read(&field(
        "[[people]]\nat = [10, 4]\nmover = 'boids'\nspeed = 1.3\nsteers = { wall = 1 }\n\
         [[region]]\nname = 'behind the wall'\nrectangle = [34, 1, 38, 5]\n\
         [[stop]]\nname = 'out'\nregion = 'behind the wall'\nexit = true\n\
         [[people]]\nat = [20, 3]\nmover = 'boids'\nspeed = 1.3\nto = 'out'\nparameters = { path-radius = 0.5 }\n",
    ));
    let (mut walked, mut off) = (0.0, Vec::new());
    let mut last = places(&simulation, 0..1)[0];
    for frame in 0..1500 {
        simulation.step();
        let at = places(&simulation, 0..1)[0];
        walked += at.distance(last);
        last = at;
        if frame > 150 {
            off.push(simulation.crowd().setting().ground.nearest_wall(at).unwrap().distance);
        }
    }
    let near = off.iter().filter(|distance| (0.6..1.5).contains(*distance)).count();
    assert!(near as f32 > 0.9 * off.len() as f32, "{near} of {}", off.len());
    assert!(walked > 50.0, "{walked} m");
    assert_eq!(simulation.crowd().len(), 1, "who keeps to the path is out");
}

#[test]
fn who_cannot_steer_by_others_is_told_so() {
    let graph = problems(&field("[[people]]\nname = 'a'\n[[people]]\nsteers = { seek = 'a' }\n"));
    assert!(graph.contains("`steers` is for people of velocity movers"), "{graph:?}");
    let nobody = problems(&field("[[people]]\nmover = 'boids'\nsteers = { seek = 'b' }\n"));
    assert!(nobody.contains("name of people"), "{nobody:?}");
    let two = problems(&field(
        "[[people]]\nname = 'a'\n[[people]]\nmover = 'boids'\nsteers = { seek = 'a', wall = 1 }\n",
    ));
    assert!(two.contains("people steer by one of"), "{two:?}");
}

#[test]
fn the_published_models_are_a_matter_of_numbers() {
    use crowdloom_crowd::velocity::{Manners, Model, Orca};
    let simulation = read(&field(
        "[[people]]\nmover = 'orca'\nmanners = 'none'\n\
         parameters = { wall-horizon = 2, retries = 0, shrink = 1, relaxation = 1, noise = 0 }\n",
    ));
    let walker = simulation.crowd().steerings()[0].walker;
    assert_eq!((walker.model, walker.manners), (Model::Orca(Orca::published()), Manners::none()));
}

#[test]
fn who_plans_captured_motion_breathes_while_it_stands() {
    let mut simulation = read(&scene("mover = 'cell-marking'\nstays = 'waiting'"));
    let stands = |simulation: &Simulation| {
        let crowd = simulation.crowd();
        let captured = |index: &usize| matches!(crowd.mover(*index), Mover::CellMarking(_));
        let poses = (0..crowd.len()).filter(captured).map(|index| crowd.posed(index).pose.rotations);
        poses.collect::<Vec<_>>()
    };
    (0..20).for_each(|_| simulation.step());
    let before = stands(&simulation);
    (0..45).for_each(|_| simulation.step());
    let after = stands(&simulation);
    assert_eq!(before.len(), 12);
    for (before, after) in before.iter().zip(&after) {
        let moved = before.iter().zip(after).map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max);
        assert!((0.002..0.1).contains(&moved), "{moved} rad");
    }
}

#[test]
fn discs_of_those_who_plan_captured_motion_are_each_their_own() {
    let own = "in = 'west'\nto = 'out'\nmover = 'cell-marking'\nparameters = { radius = [0.16, 0.34] }";
    let mut simulation = read(&scene(own));
    let usual = simulation.crowd().setting().book.options().radius;
    let planners = |simulation: &Simulation| -> Vec<usize> {
        let crowd = simulation.crowd();
        (0..crowd.len()).filter(|index| crowd.mover(*index) != Mover::Graph).collect()
    };
    let radii_of = |simulation: &Simulation| -> Vec<f32> {
        let crowd = simulation.crowd();
        let radius = |index: usize| crowd.commitment(index).radius(&crowd.setting().book);
        (0..crowd.len()).map(radius).collect()
    };
    let radii = radii_of(&simulation);
    let discs: Vec<f32> = planners(&simulation).into_iter().map(|index| radii[index]).collect();
    assert!(discs.iter().all(|radius| (0.16..=0.34).contains(radius)), "{discs:?}");
    assert!(
        discs.iter().any(|radius| *radius < 0.2) && discs.iter().any(|radius| *radius > 0.28),
        "{discs:?}"
    );
    let seed = simulation.crowd().setting().seed;
    let mut moved = 0;
    while simulation.crowd().frame() < 900 {
        simulation.step();
        let crowd = simulation.crowd();
        assert_eq!(crowd.overlaps(), (0, 0.0));
        let (radii, ground) = (radii_of(&simulation), &crowd.setting().ground);
        for (index, radius) in radii.iter().enumerate() {
            let own = match crowd.mover(index) {
                // To the centimetre, standing or walking.
                Mover::CellMarking(number) => {
                    (crowd.markings()[usize::from(number)].of(seed, crowd.id(index)).radius * 100.0).round()
                        / 100.0
                }
                _ => usual,
            };
            assert!((radius - own).abs() < 1e-6, "{radius} instead of {own}");
            assert!(ground.is_free(crowd.positions()[index], own - 1e-3), "in a wall");
            moved += usize::from(crowd.positions()[index].x > 18.0 && own != usual);
        }
    }
    assert!(moved > 0 && planners(&simulation).is_empty(), "{} are left", planners(&simulation).len());
    let told = problems(&scene("mover = 'cell-marking'\nparameters = { radius = 0.02 }"));
    assert!(told.contains("these parameters are not possible"), "{told}");
}

#[test]
fn everybody_who_plans_captured_motion_has_numbers_of_its_own() {
    let own = "parameters = { safety = [0.1, 0.9], location = 2, personal-radius = \
               { distribution = 'normal', mean = 0.32, deviation = 0.04, least = 0.25, most = 0.45 } }";
    let numbers = |text: &str| -> Vec<[f32; 3]> {
        let simulation = read(text);
        let (crowd, seed) = (simulation.crowd(), simulation.crowd().setting().seed);
        let of = |index: usize| match crowd.mover(index) {
            Mover::CellMarking(number) => {
                let marking = crowd.markings()[usize::from(number)].of(seed, crowd.id(index));
                Some([marking.safety, marking.personal_radius, marking.location])
            }
            _ => None,
        };
        (0..crowd.len()).filter_map(of).collect()
    };
    let text = room_and_corridor(20) + own;
    let everybody = numbers(&text);
    assert_eq!(everybody.len(), 20);
    assert_eq!(everybody, numbers(&text), "the same whenever the scene is read");
    for (index, [safety, radius, location]) in everybody.iter().enumerate() {
        assert!((0.1..=0.9).contains(safety) && (0.25..=0.45).contains(radius) && *location == 2.0);
        assert!(everybody[..index].iter().all(|other| other[0] != *safety), "one of its own");
    }
    // They decide by them: who minds collisions otherwise goes otherwise, and still everybody gets out.
    let ends = |text: &str| {
        let mut simulation = read(text);
        (0..300).for_each(|_| simulation.step());
        simulation.crowd().positions().to_vec()
    };
    assert_ne!(ends(&text), ends(&text.replace("[0.1, 0.9]", "0.5")));
    let mut simulation = read(&text);
    while !simulation.crowd().is_empty() && simulation.crowd().frame() < 2400 {
        simulation.step();
        assert_eq!(simulation.crowd().overlaps(), (0, 0.0));
    }
    assert!(simulation.crowd().is_empty(), "{} are left", simulation.crowd().len());
    let told = problems(&scene("mover = 'cell-marking'\nparameters = { tests = [1, 5] }"));
    assert!(told.contains("`tests` is no number that differs from person to person"), "{told}");
    let told = problems(&scene("mover = 'cell-marking'\nparameters = { horizon = [-1, 5] }"));
    assert!(told.contains("these parameters are not possible"), "{told}");
}

#[test]
fn segments_are_cut_as_the_scene_says() {
    let with = |segments: &str| {
        format!("{}\n[motion.segments]\nstride = 15\n{segments}", scene("mover = 'cell-marking'"))
    };
    let transitions = |segments: &str| {
        let simulation = read(&with(segments));
        let book = simulation.crowd().segments().expect("somebody plans captured motion").clone();
        book.transition_count()
    };
    let few = transitions("delta = 6\nmost = 5000");
    let many = transitions("delta = 12\nmost = 5000");
    assert!(few > 100 && 2 * many > 3 * few, "{few} and {many} transitions");
    // A limit that makes δ less than it says is told.
    let told = problems(&with("delta = 12\nmost = 20"));
    assert!(told.contains("leaves transitions from"), "{told}");
    assert!(problems(&with("delta = 0")).contains("cannot be cut into such segments"));
    assert!(problems(&with("labels = ['swim']")).contains("no clip with a wanted label"));
}
