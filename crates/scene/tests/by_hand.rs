//! A running scene is changed by hand and put away.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Enacted, Overrides, Problem, SceneError, Simulation, parse};
use std::path::Path;

const HALL: &str = "name = 'hall'\n[world]\nfloor = [[0, 0], [24, 0], [24, 12], [0, 12]]\n\
    [[region]]\nname = 'west'\nrectangle = [0, 0, 8, 12]\n\
    [[stop]]\nname = 'out'\nregion = 'west'\nexit = true\n\
    [[situation]]\nname = 'friends'\nkind = 'group'\n\
    [[people]]\nat = [2, 2]\nrepeat = { columns = 3, rows = 3, step = [2, 2] }\n\
    [[people]]\ncount = 0\nmover = 'orca'\n";

fn hall() -> Result<Simulation, SceneError> {
    parse(Path::new("hall.toml"), HALL, Overrides::default()).map(|(hall, _)| hall)
}

fn enact(simulation: &mut Simulation, fields: &str) -> Enacted {
    simulation.enact(fields).unwrap_or_else(|problems| panic!("{fields}: {problems:?}"))
}

#[test]
fn people_come_and_are_changed() -> Result<(), SceneError> {
    let mut hall = hall()?;
    let came =
        enact(&mut hall, "people = { count = 4, in = 'west', mover = 'orca', member-of = ['friends'] }");
    assert_eq!((came.came.len(), came.made, came.steps, hall.crowd().len()), (4, 8, 1, 13));
    assert_eq!(enact(&mut hall, "who = 'friends'\nspeed = 1.75").made, 4);
    assert_eq!(enact(&mut hall, "numbers = [0, 2]\nspeed = 0.5").made, 2);
    assert_eq!((hall.crowd().mind(2).speed, hall.log().len()), (0.5, 3));
    (0..60).for_each(|_| hall.step());
    assert_eq!(hall.crowd().promise_overlaps(), 0);
    Ok(())
}

#[test]
fn steered_people_get_other_bodies_velocities_and_numbers() -> Result<(), Box<dyn std::error::Error>> {
    let text = HALL.replace(
        "count = 0\nmover = 'orca'\n",
        "at = [[12, 6], [16, 6]]\nmover = 'orca'\n[[people]]\ncount = 0\nmover = 'social-force'\nparameters = { mass = 60 }\n",
    );
    let (mut hall, _) = parse(Path::new("hall.toml"), &text, Overrides::default())?;
    let radius = |hall: &Simulation, index: usize| hall.crowd().profile(index).radius;
    let velocity = |hall: &Simulation, index| hall.crowd().steered_velocity(index).unwrap_or_default();
    assert_eq!(enact(&mut hall, "numbers = [9, 10]\nradius = [0.4, 0.3]").made, 2);
    assert_eq!((radius(&hall, 9), radius(&hall, 10)), (0.4, 0.3));
    assert_eq!(enact(&mut hall, "numbers = [9, 10]\nvelocity = [[1, 0], [0, -1]]").made, 2);
    assert_eq!((velocity(&hall, 9).x, velocity(&hall, 10).y), (1.0, -1.0));
    // Another model goes on at the same velocity.
    enact(&mut hall, "numbers = [9]\nmover = 'social-force'\nparameters = { mass = 60 }");
    assert_eq!(velocity(&hall, 9).x, 1.0);
    assert_eq!(enact(&mut hall, "numbers = [9]\nradius = 0.2").made, 1);
    hall.undo()?;
    assert_eq!(radius(&hall, 9), 0.4);
    // Who follows clips has its own body and way, nobody grows into a wall, and no radius or speed is senseless.
    for fields in [
        "numbers = [0]\nradius = 0.3",
        "numbers = [0]\nvelocity = [1, 0]",
        "numbers = [9]\nvelocity = [99, 0]",
    ] {
        let enacted = enact(&mut hall, fields);
        assert!(enacted.made == 0 && enacted.refused.len() == 1, "{fields}: {enacted:?}");
    }
    enact(&mut hall, "numbers = [10]\nmove-to = [23.6, 6]");
    assert_eq!(enact(&mut hall, "numbers = [10]\nradius = 0.6\nonly-then = true").refused.len(), 1);
    for (fields, what) in [
        ("numbers = [9]\nparameters = { mass = 60 }", "are those of a `mover`"),
        ("numbers = [9]\nmover = 'orca'\nparameters = { mass = 60 }", "unknown field"),
        ("numbers = [9]\nmover = 'social-force'\nparameters = { mass = 61 }", "from its beginning"),
        ("numbers = [9, 10]\nradius = [0.4]", "values for 2"),
    ] {
        let problems = hall.enact(fields).err().unwrap_or_default();
        assert!(problems.iter().any(|problem| problem.what.contains(what)), "{fields}: {problems:?}");
    }
    let mut again = Simulation::from_snapshot(&hall.snapshot()?)?;
    for simulation in [&mut hall, &mut again] {
        (0..90).for_each(|_| simulation.step());
        assert_eq!(simulation.crowd().overlaps().0, 0);
    }
    assert_eq!(again.crowd().positions(), hall.crowd().positions());
    Ok(())
}

#[test]
fn who_goes_onward_passes_goals_at_full_speed_and_stays_at_the_last() -> Result<(), SceneError> {
    let text = "name = 'hall'\n[motion]\ngraph = 'standing'\n[world]\nfloor = [[0, 0], [24, 0], [24, 12], [0, 12]]\n\
        [[people]]\nat = [[2, 3], [2, 9]]\nmover = 'collision-free-speed'\nspeed = 1.2\nonward = true\n\
        [[people]]\nat = [2, 6]\nmover = 'collision-free-speed'\nspeed = 1.2\n";
    let (mut hall, _) = parse(Path::new("hall.toml"), text, Overrides::default())?;
    // Nothing but standing about was made for them.
    assert!(hall.crowd().setting().book.graph().nodes().len() <= 2);
    let place = |hall: &Simulation, index: usize| hall.crowd().positions()[index];
    enact(&mut hall, "numbers = [0]\ngoal = [10, 3]");
    enact(&mut hall, "numbers = [2]\ngoal = [10, 6]");
    // 7.6 m at full speed; who arrives slows down before.
    (0..190).for_each(|_| hall.step());
    assert!((place(&hall, 0).x - 9.6).abs() < 0.1, "{}", place(&hall, 0));
    assert!(place(&hall, 2).x < 9.45, "{}", place(&hall, 2));
    (0..60).for_each(|_| hall.step());
    assert!(place(&hall, 0).distance(glam::Vec2::new(10.0, 3.0)) < 0.1);
    // It still goes there, and who was never sent anywhere stays.
    assert!(hall.crowd().mind(0).goal.is_some());
    assert_eq!(place(&hall, 1), glam::Vec2::new(2.0, 9.0));
    let wrong = text.replace("onward = true", "onward = true\nstraight = 0");
    let refused = parse(Path::new("hall.toml"), &wrong, Overrides::default());
    assert!(refused.is_err_and(|error| error.to_string().contains("goals from outside")));
    Ok(())
}

#[test]
fn places_come_and_survive_a_snapshot() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    for fields in [
        "region = { name = 'nook', rectangle = [20, 8, 24, 12] }",
        "stop = { name = 'rest', region = 'nook', next = { rest = 1 } }\nto = 'rest'\n\
         set-signal = { name = 'bell', on = 1, off = 1 }",
        "set-situation = { name = 'chat', kind = 'gather', region = 'nook', at = [22, 10] }",
        "obstacle = { name = 'pillar', circle = [16, 6, 0.5] }",
    ] {
        enact(&mut hall, fields);
    }
    let shared = hall.crowd().shared();
    assert_eq!(shared.scenario.stops.last().map(|stop| stop.name.as_str()), Some("rest"));
    assert_eq!(shared.situations.last().map(|own| own.name.as_str()), Some("chat"));
    assert!(hall.crowd().obstacle_named("pillar").is_some());
    (0..120).for_each(|_| hall.step());
    let mut again = Simulation::from_snapshot(&hall.snapshot()?)?;
    let saved = hall.snapshot()?;
    for simulation in [&mut hall, &mut again] {
        (0..240).for_each(|_| simulation.step());
    }
    assert_eq!(again.crowd().positions(), hall.crowd().positions());
    let end = hall.crowd().positions().to_vec();
    hall.restore(&saved)?;
    (0..240).for_each(|_| hall.step());
    assert_eq!(hall.crowd().positions(), &end[..]);
    // The same names again change what is there, also where another process added it.
    for simulation in [&mut hall, &mut again] {
        enact(simulation, "region = { name = 'nook', rectangle = [20, 6, 24, 12] }");
        enact(
            simulation,
            "stop = { name = 'rest', region = 'west' }\nset-signal = { name = 'bell', on = 2, off = 1 }",
        );
        enact(simulation, "situation = 'chat'\non = false\nclose-stop = 'rest'");
        enact(simulation, "people = { at = [[12, 3]], to = 'out', jitter = 0.2 }");
        let shared = simulation.crowd().shared();
        let counts = (shared.scenario.stops.len(), shared.signals.len(), shared.situations.len());
        assert_eq!((simulation.crowd().setting().ground.regions().len(), counts), (2, (2, 1, 2)));
    }
    assert_eq!(again.crowd().positions(), hall.crowd().positions());
    Ok(())
}

#[test]
fn going_back_forgets_names_that_came_since() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    let before = hall.save();
    enact(&mut hall, "stop = { name = 'one', region = 'west' }");
    let one = hall.save();
    hall.resume(before)?;
    enact(&mut hall, "stop = { name = 'other', region = 'west' }\nto = 'other'");
    hall.resume(one)?;
    enact(&mut hall, "to = 'one'");
    assert!(hall.enact("to = 'other'").is_err());
    Ok(())
}

#[test]
fn mistakes_change_nothing() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    let wrong = [
        ("spede = 1\n", Some(1), "unknown field"),
        ("\nspeed = 500\n", Some(2), "speed"),
        ("to = 'otu'\n", Some(1), "no stop `otu`"),
        ("", None, "nothing happens"),
        ("mover = 'hidac'\n", None, "from its beginning"),
        ("mover = 'hidac'\n", None, "from its beginning"),
        (
            "set-situation = { name = 'slow', kind = 'pause', region = 'west', spots = [[1, 1, 0]], stay = [1, 2], mover = 'hidac' }",
            None,
            "from its beginning",
        ),
        ("people = { at = [[500, 1], [10, 1]] }\n", None, "off the floor"),
        ("people = { count = 1, to = ['west'] }\n", None, "from its beginning"),
    ];
    for (fields, line, words) in wrong {
        let told: Vec<Problem> = hall.enact(fields).expect_err(fields);
        let right = told.len() == 1 && told[0].line == line && told[0].what.contains(words);
        assert!(right, "{fields}: {told:?}");
    }
    assert!(hall.log().is_empty() && hall.crowd().len() == 9);
    assert!(Simulation::from_snapshot(&hall.snapshot()?).is_ok());
    Ok(())
}

#[test]
fn only_then_is_refused_where_somebody_stands() -> Result<(), SceneError> {
    let mut hall = hall()?;
    let pillar = "obstacle = { name = 'pillar', circle = [2, 2, 0.5] }\n";
    let now = enact(&mut hall, &format!("{pillar}only-then = true\n"));
    assert!(now.steps == 0 && now.refused.len() == 1 && now.refused[0].1.is_for_now());
    assert_eq!(enact(&mut hall, pillar).waiting, 1);
    assert_eq!(hall.waiting_edits().count(), 1);
    Ok(())
}
