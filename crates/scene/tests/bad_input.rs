//! Scenes with mistakes: every one is told with its line and what would be right, and the run goes on where it can.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use std::path::Path;

fn read(text: &str) -> (Option<Simulation>, String) {
    match parse(Path::new("test.toml"), text, Overrides::default()) {
        Ok((simulation, problems)) => {
            (Some(simulation), problems.iter().map(|p| format!("{p}\n")).collect::<String>())
        }
        Err(error) => (None, error.problems.iter().map(|p| format!("{p}\n")).collect()),
    }
}

/// Reads a scene that has this mistake but can run in spite of it, and runs it for a moment.
fn harmless(text: &str, expected: &str) -> Simulation {
    let (simulation, told) = read(text);
    assert!(told.contains(expected), "`{expected}` is missing from\n{told}");
    let mut simulation = simulation.unwrap_or_else(|| panic!("should run in spite of\n{told}"));
    for _ in 0..60 {
        simulation.step();
        assert_eq!(simulation.crowd().overlaps(), (0, 0.0));
    }
    simulation
}

/// Reads a scene that cannot run because of this mistake.
fn fatal(text: &str, expected: &str) {
    let (simulation, told) = read(text);
    assert!(simulation.is_none(), "should not run");
    assert!(told.contains(expected), "`{expected}` is missing from\n{told}");
}

/// Lines 1 to 8, then whatever is added from line 9 on.
const ROOM: &str = "name = 'room'\n[world]\nfloor = [[0, 0], [12, 0], [12, 10], [0, 10]]\n[[region]]\n\
    name = 'corner'\nrectangle = [0, 0, 4, 4]\n[[people]]\ncount = 6\n";

fn room(more: &str) -> String {
    format!("{ROOM}{more}")
}

#[test]
fn a_negative_count_is_told_in_plain_words() {
    let text = "name = 'a'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9]]\n[[people]]\ncount = -3\n";
    fatal(text, "line 5: invalid value: integer `-3`, expected a whole number that is not negative");
}

#[test]
fn regions_outside_the_floor() {
    let text = room("[[region]]\nname = 'moon'\nrectangle = [40, 40, 44, 44]\n");
    harmless(
        &text,
        "line 10: region `moon` lies outside the floor (nobody ever gets there; the floor is within",
    );
    let text = room(
        "[[region]]\nname = 'far'\ncircle = [3, 3, 1]\nrepeat = { columns = 4, rows = 1, step = [6, 0] }\n",
    );
    harmless(&text, "region `far` lies outside the floor (2 of its 4 copies)");
    // People who are to appear there find no room.
    let text = room("in = 'moon'\n[[region]]\nname = 'moon'\nrectangle = [40, 40, 44, 44]\n");
    let simulation = harmless(&text, "line 7: 6 people find no room");
    assert!(simulation.crowd().is_empty());
}

#[test]
fn a_capacity_of_zero() {
    let text = room("[[situation]]\nname = 'talk'\nkind = 'talk'\nregion = 'corner'\ncapacity = 0\n");
    let simulation = harmless(&text, "line 10: situation `talk` has room for nobody (it is left out;");
    assert!(simulation.crowd().shared().rolls[0].present.is_empty());
}

#[test]
fn a_scenario_without_a_way_out() {
    let stop = "to = 'a'\n[[stop]]\nname = 'a'\nregion = 'corner'\n";
    harmless(
        &room(stop),
        "line 11: stop `a` has no way out (people stay there; add `next`, or `exit = true`)",
    );
    let round = "to = 'a'\n[[stop]]\nname = 'a'\nnext = { b = 1 }\n[[stop]]\nname = 'b'\nnext = { a = 1 }\n\
                 [[stop]]\nname = 'c'\nexit = true\n";
    harmless(&room(round), "line 11: no way leads out from stop `a`");
    let out = round.replace("next = { a = 1 }", "next = { a = 1, c = 1 }");
    assert_eq!(read(&room(&out)).1, "");
}

#[test]
fn more_people_than_fit() {
    let simulation = harmless(&ROOM.replace("count = 6", "count = 3000"), "line 7: ");
    assert_eq!(simulation.crowd().len() + simulation.waiting(), 3000);
    assert!(simulation.crowd().len() > 100);
}

#[test]
fn unknown_names_are_told_with_the_nearest() {
    fatal(&room("in = 'cornr'\n"), "line 9: there is no region `cornr` (did you mean `corner`?)");
    let situation = "[[situation]]\nname = 'sit'\nkind = 'benhc'\nregion = 'corner'\n";
    fatal(&room(situation), "(did you mean `bench`?)");
    let situation = "[[situation]]\nname = 'sit'\nkind = 'bench'\nregoin = 'corner'\n";
    fatal(&room(situation), "line 12: ");
    fatal(&room(situation), "(did you mean `region`?)");
    let situation =
        "[[situation]]\nname = 'x'\nkind = 'group'\nregion = 'corner'\nremoves = ['dont-turns']\n";
    fatal(&room(situation), "line 13: there is no default behaviour `dont-turns` (one of find-target");
    fatal(&room("[[region]]\nname = 'x'\ncircle = [2, 2, 1]\nblock = 'cty'\n"), "there is no block `cty`");
    fatal(
        &room("[[region]]\nname = 'x'\ncircle = [2, 2, 1]\nrepaet = 3\n"),
        "line 12: unknown field `repaet`",
    );
}

#[test]
fn numbers_that_make_no_sense_name_their_line() {
    fatal(&room("speed = [2, 1]\n"), "line 7: a speed from 2 to 1 makes no sense");
    fatal(&room("[[situation]]\nname = 'x'\nkind = 'talk'\nshare = 1.5\n"), "line 10: a share of 1.5");
    let bench =
        "[[situation]]\nname = 'x'\nkind = 'bench'\nregion = 'corner'\nspots = [[1, 1, 0]]\nstay = [5, -1]\n";
    fatal(&room(&bench.replace("-1", "1")), "line 10: a stay from 5 to 1 makes no sense");
    fatal(&room(bench), "line 14: a time of -1 in `stay` is not possible");
    fatal(&room("[[signal]]\nname = 'x'\non = 0\noff = 0\n"), "line 10: signal `x` is neither on nor off");
}

#[test]
fn every_mistake_is_told_at_once() {
    let text = room(
        "in = 'cornr'\n[[situation]]\nname = 'a'\nkind = 'crosswalk'\nregion = 'corner'\nsignal = 'walk'\n\
         [[situation]]\nname = 'b'\nkind = 'queue'\nregion = 'corner'\n",
    );
    let (_, told) = read(&text);
    for expected in ["no region `cornr`", "no signal `walk`", "`a` needs `to`", "`b` needs `spots`"] {
        assert!(told.contains(expected), "`{expected}` is missing from\n{told}");
    }
    assert!(told.lines().all(|line| line.starts_with("line ")), "{told}");
}

#[test]
fn people_appear_at_random_within_bounds() {
    let text = ROOM.replace("count = 6", "count = 20\nappear = [1, 5]");
    let (simulation, told) = read(&text);
    assert_eq!(told, "");
    let mut simulation = simulation.unwrap();
    let mut counts = Vec::new();
    for _ in 0..180 {
        counts.push(simulation.crowd().len());
        simulation.step();
    }
    assert_eq!((counts[0], counts[29], counts[179]), (0, 0, 20));
    let steps: Vec<usize> =
        counts.iter().enumerate().skip(1).filter(|(i, n)| **n > counts[i - 1]).map(|(i, _)| i).collect();
    let gaps: std::collections::BTreeSet<usize> = steps.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.len() > 4, "not at random: {steps:?}");

    // A run that is saved meanwhile goes on to the same bits, and nobody comes twice.
    let (mut whole, mut half) = (read(&text).0.unwrap(), read(&text).0.unwrap());
    for _ in 0..90 {
        half.step();
    }
    let bytes = postcard::to_stdvec(&half.save()).unwrap();
    let mut resumed = read(&text).0.unwrap();
    resumed.resume(postcard::from_bytes(&bytes).unwrap()).unwrap();
    for _ in 0..300 {
        whole.step();
    }
    for _ in 90..300 {
        resumed.step();
    }
    assert_eq!(whole.crowd().positions(), resumed.crowd().positions());
}

#[test]
fn a_block_pastes_everything_that_names_it() {
    let (simulation, _) = read(&embedded::city(3, 10));
    assert_eq!(simulation.unwrap().crowd().shared().situations.len(), 54);
}

#[test]
fn a_scene_says_what_is_written() {
    let text = room(
        "[output]\nstride = 3\nexport = ['csv']\nline = [{ name = 'door', from = [0, 5], to = [12, 5] }]\n",
    );
    let (simulation, told) = read(&text);
    assert_eq!(told, "");
    let simulation = simulation.unwrap();
    assert_eq!((simulation.output().stride, simulation.output().line.len()), (Some(3), 1));
    fatal(&room("[output]\nexport = ['cvs']\n"), "(did you mean `csv`?)");
}

#[test]
fn unknown_names_do_not_hide_each_other() {
    let text = "name = 'room'\nsecond = 3\n[world]\nfloor = [[0, 0], [12, 0], [12, 8], [0, 8]]\n\
                [[people]]\ncount = 3\nplce = 'door'\n[[people]]\ncount = 2\nin = 'nowhere'\n";
    let (simulation, told) = read(text);
    assert!(simulation.is_none());
    for expected in ["line 2: unknown field `second`", "line 7: unknown field `plce`", "nowhere"] {
        assert!(told.contains(expected), "`{expected}` is missing from\n{told}");
    }
}
