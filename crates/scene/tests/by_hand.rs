//! Changes to a running scene in the words of its events.

use crowdloom_crowd::{Refusal, Steps};
use crowdloom_scene::{ChangeError, Overrides, SceneError, Simulation, parse};
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

fn problems(result: Result<crowdloom_scene::Asked, ChangeError>) -> Vec<(Option<usize>, String)> {
    match result {
        Err(ChangeError::Table(error)) => {
            error.problems.into_iter().map(|problem| (problem.line, problem.what)).collect()
        }
        other => vec![(None, format!("{other:?}"))],
    }
}

#[test]
fn people_come_and_are_changed() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    let came = hall.happen(
        "[[event]]\nat = 0\npeople = { count = 4, in = 'west', mover = 'orca', member-of = ['friends'] }\n",
        None,
    )?;
    assert_eq!((came.came.len(), came.made, hall.crowd().len()), (4, 8, 13));
    let asked = hall.happen("[[event]]\nat = 0\nwho = 'friends'\nspeed = 1.75\n", None)?;
    assert_eq!(asked.made, 4);
    let asked = hall.happen("[[event]]\nat = 0\nspeed = 0.5\n", Some(&[0, 2]))?;
    assert_eq!((asked.made, hall.crowd().mind(2).speed), (2, 0.5));
    let nobody = hall.happen("[[event]]\nat = 0\nspeed = 0.5\n", Some(&[0, 99]));
    assert!(matches!(nobody, Err(ChangeError::Person(Refusal::Nobody(99)))));
    assert_eq!(hall.log().len(), 14);
    (0..60).for_each(|_| hall.step());
    assert_eq!(hall.crowd().promise_overlaps(), 0);
    Ok(())
}

#[test]
fn places_come_and_survive_a_snapshot() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    let tables = "[[event]]\nat = 0\nregion = { name = 'nook', rectangle = [20, 8, 24, 12] }\n\
        [[event]]\nat = 0\nstop = { name = 'rest', region = 'nook', next = { rest = 1 } }\nto = 'rest'\n\
        set-signal = { name = 'bell', on = 1, off = 1 }\n\
        [[event]]\nat = 0\nset-situation = { name = 'chat', kind = 'gather', region = 'nook', at = [22, 10] }\n\
        [[event]]\nat = 0\nobstacle = { name = 'pillar', circle = [16, 6, 0.5] }\n";
    hall.happen(tables, None)?;
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
    // The same names again change what is there.
    hall.happen("[[event]]\nat = 0\nregion = { name = 'nook', rectangle = [20, 6, 24, 12] }\n", None)?;
    assert_eq!(hall.crowd().setting().ground.regions().len(), 2);
    Ok(())
}

#[test]
fn mistakes_change_nothing() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    let wrong = [
        ("[[event]]\nat = 0\nspede = 1\n", 3, "unknown field"),
        ("[[event]]\nat = 0\nspeed = 500\n", 3, "speed"),
        ("[[event]]\nat = 0\nto = 'otu'\n", 3, "no stop `otu`"),
        ("\n[[event]]\nat = 0\n", 2, "nothing happens"),
        ("[[event]]\nat = 0\nmover = 'hidac'\n", 1, "from its beginning"),
        ("[[event]]\nat = 0\nmover = 'hidac'\n", 1, "from its beginning"),
        ("[[event]]\nat = 0\npeople = { at = [[500, 1]] }\n", 1, "off the floor"),
        ("[[event]]\nat = 0\npeople = { count = 1, to = ['west'] }\n", 1, "from its beginning"),
    ];
    for (tables, line, words) in wrong {
        let told = problems(hall.happen(tables, None));
        assert!(
            told.len() == 1 && told[0].0 == Some(line) && told[0].1.contains(words),
            "{tables}: {told:?}"
        );
    }
    assert!(hall.log().is_empty() && hall.crowd().len() == 9);
    assert!(Simulation::from_snapshot(&hall.snapshot()?).is_ok());
    Ok(())
}

#[test]
fn only_then_is_refused_where_somebody_stands() -> Result<(), Box<dyn std::error::Error>> {
    let mut hall = hall()?;
    let pillar = "[[event]]\nat = 0\nobstacle = { name = 'pillar', circle = [2, 2, 0.5] }\n";
    let now = hall.happen(&format!("{pillar}only-then = true\n"), None)?;
    assert!(now.made == 0 && now.refused.len() == 1 && now.refused[0].1.is_for_now());
    assert_eq!(hall.happen(pillar, None)?.waiting, 1);
    assert_eq!(hall.waiting_edits().count(), 1);
    Ok(())
}
