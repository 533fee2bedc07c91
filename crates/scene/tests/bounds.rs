//! Numbers and names out of bounds: each is told at its own line, at once, and nothing is built of it.

use crowdloom_scene::{Overrides, Problem, parse};
use std::path::Path;

/// Lines 1 to 6; whatever is added begins with line 7.
const ROOM: &str = "name = 'room'\nseconds = 20\n[world]\nfloor = [[0, 0], [12, 0], [12, 10], [0, 10]]\n[[region]]\n\
    name = 'corner'\nrectangle = [0, 0, 4, 4]\n";

fn problems(text: &str) -> (bool, Vec<Problem>) {
    match parse(Path::new("test.toml"), text, Overrides::default()) {
        Ok((_, problems)) => (true, problems),
        Err(error) => (false, error.problems),
    }
}

/// Refused with these words at this line, before anything is built: most of it would take hours to build.
#[track_caller]
fn refused(more: &str, line: usize, words: &str) {
    refused_whole(&format!("{ROOM}{more}"), line, words);
}

#[track_caller]
fn refused_whole(text: &str, line: usize, words: &str) {
    let (runs, problems) = problems(text);
    assert!(!runs, "{more} should be refused", more = &text[text.len().saturating_sub(200)..]);
    let told = |problem: &Problem| problem.line == Some(line) && problem.what.contains(words);
    assert!(problems.iter().any(told), "`{words}` at line {line} is missing from {problems:?}");
}

#[test]
fn counts_of_people() {
    refused("[[people]]\ncount = 10_000_000\n", 9, "a number of people of 10000000 in `count`");
    refused("[[people]]\ncount = 1_000_000_000_000\n", 9, "in `count` is not possible");
    refused("[[people]]\ncount = 600_000\n[[people]]\ncount = 600_000\n", 10, "1200000 people altogether");
    refused("[[walker]]\nin = 'corner'\nto = ['corner']\ncount = 2000000\n", 11, "in `count`");
    let rows =
        "[[walker]]\nstays = 'waiting'\nrows = { at = [0, 0], columns = 2000, rows = 2000, step = [1, 1] }\n";
    refused(rows, 10, "2000 x 2000 copies are too many");
    let many =
        "[[person]]\nname = 'a'\nat = [1, 1]\nrepeat = { columns = 1000, rows = 1000, step = [1, 1] }\n";
    refused(many, 11, "1000 x 1000 copies are too many");
    let text = format!("{ROOM}[[people]]\ncount = 3\n");
    let overrides = Overrides { people: Some(2_000_000), ..Overrides::default() };
    let Err(error) = parse(Path::new("test.toml"), &text, overrides) else { panic!("two million people") };
    assert!(error.to_string().contains("2000000 people altogether"), "{error}");
}

#[test]
fn copies() {
    let repeat = "repeat = { columns = 1_000_000, rows = 1_000_000, step = [1, 1] }\n";
    refused(&format!("[[region]]\nname = 'a'\ncircle = [1, 1, 1]\n{repeat}"), 11, "copies are too many");
    refused(&format!("[[world.seat]]\nat = [1, 1]\n{repeat}"), 10, "copies are too many");
    refused(
        "[block]\nb = { columns = 101, rows = 100, step = [1, 1] }\n",
        9,
        "101 x 100 copies are too many",
    );
    let spots = "[[situation]]\nname = 's'\nkind = 'pause'\nregion = 'corner'\nspots = [[1, 1, 0]]\n";
    let rows = "rows = { columns = 100_000, rows = 100_000, step = [1, 1] }\n";
    refused(&format!("{spots}{rows}"), 13, "copies are too many");
    let word = "[[person]]\nname = 'a'\nat = [1, 1]\n[[constraint]]\nperson = 'a'\nat = [2, 2]\nmix = 999_999_999_999\n";
    refused(word, 14, "in `mix`");
    let city = "name = 'a'\n[world]\ncity = { blocks = 1_000_000 }\n";
    refused_whole(city, 3, "a number of blocks of 1000000");
}

#[test]
fn vehicles() {
    let bus = |field: &str| format!("[[vehicle]]\nname = 'bus'\n{field}\n");
    let way = "way = [[0, 0], [10, 0]]\n";
    refused(&bus(&format!("{way}length = 1e7")), 11, "a vehicle's length of 10000000");
    refused(&bus(&format!("{way}length = -3")), 11, "a vehicle's length of -3");
    refused(&bus(&format!("{way}speed = 0")), 11, "a vehicle's speed of 0");
    refused(&bus(&format!("{way}every = 1e-9")), 11, "in `every`");
    refused(&bus("way = [[0, 0], [1e7, 0]]"), 9, "the way of vehicle `bus` is 10000000 m long");
}

#[test]
fn times_that_overflow_the_clock() {
    let stop = "[[stop]]\nname = 'a'\nregion = 'corner'\nexit = true\nstay = [1, 1e12]\n";
    refused(stop, 12, "a time of 1000000000000 in `stay`");
    refused("[[signal]]\nname = 's'\non = inf\noff = 1\n", 10, "a time of inf in `on`");
    refused("[[people]]\ncount = 3\nappear = [0, nan]\n", 10, "a time of NaN in `appear`");
    refused_whole(&ROOM.replace("seconds = 20", "seconds = 1e30"), 2, "a run's time");
    refused_whole(&ROOM.replace("seconds = 20", "seconds = 0"), 2, "a run's time of 0");
    let bench = "[[situation]]\nname = 'b'\nkind = 'bench'\nregion = 'corner'\nspots = [[1, 1, 0]]\n";
    refused(&format!("{bench}during = [0, 1e10]\n"), 13, "in `during`");
}

#[test]
fn sizes_and_speeds() {
    refused("[[region]]\nname = 'a'\ncircle = [1, 1, -3]\n", 10, "a radius of -3 in `circle`");
    refused("[[region]]\nname = 'a'\ncircle = [1, 1, 0]\n", 10, "a radius of 0 in `circle`");
    refused("[[people]]\ncount = 3\nspeed = [1, 100]\n", 10, "a speed of 100");
    refused("[[people]]\ncount = 3\nspeed = [0, 1]\n", 10, "a speed of 0");
    refused(
        "[[situation]]\nname = 'h'\nkind = 'hurry'\nregion = 'corner'\nspeed = 100\n",
        12,
        "a speed of 100",
    );
    refused("[[region]]\nname = 'a'\nrectangle = [0, 0, 1e300, 2]\n", 10, "in `rectangle`");
    refused("[[region]]\nname = 'a'\npolygon = [[0, 0], [1, nan], [1, 1]]\n", 10, "NaN in `polygon`");
    refused("[[region]]\nname = 'a'\nrectangle = [0, 0, 1e999, 2]\n", 10, "overflowed");
}

#[test]
fn every_number_that_is_out_of_bounds_is_told_at_once() {
    let text = format!("{ROOM}[[people]]\ncount = 99999999\nspeed = [1, 99]\nappear = [0, 1e9]\n");
    let lines: Vec<_> = problems(&text).1.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(9), Some(10), Some(11)]);
}

#[test]
fn other_mistakes_are_told_together_with_numbers_out_of_bounds() {
    let more = "[[people]]\ncount = 99_000_000\nto = 'nowhere'\n[[people]]\nspeed = 400\nin = 'cornre'\n";
    let (_, told) = problems(&format!("{ROOM}{more}"));
    let lines: Vec<Option<usize>> = told.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(9), Some(10), Some(12), Some(13)], "{told:?}");
}

#[test]
fn what_is_said_of_everybody_is_told_where_it_is_said() {
    let people = "[[people]]\ncount = 1\n[[people]]\ncount = 2\n";
    refused(&format!("[population]\nwomen = 1.5\n{people}"), 9, "a share of women of 1.5");
    refused(&format!("{people}[population]\nheight = [1.5, 9]\n"), 12, "a height from 1.5 to 9");
    let (_, told) = problems(&format!("{ROOM}{people}[population]\nheight = [1.5, 9]\n"));
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn more_than_can_be_numbered() {
    let stops: String = (0..65_536).map(|i| format!("[[stop]]\nname = 's{i}'\nexit = true\n")).collect();
    refused(&stops, 8 + 65_535 * 3, "65536 tables [[stop]] are too many");
    let repeat = "repeat = { columns = 100, rows = 100, step = [0.1, 0.1] }\n";
    let regions: String =
        (0..7).map(|i| format!("[[region]]\nname = 'r{i}'\ncircle = [1, 1, 1]\n{repeat}")).collect();
    refused(&regions, 8 + 6 * 4 + 1, "70001 regions are too many");
    let region = format!("[[region]]\nname = 'r'\ncircle = [1, 1, 1]\n{repeat}");
    let situations: String =
        (0..7).map(|i| format!("[[situation]]\nname = 's{i}'\nkind = 'talk'\nregion = 'r'\n")).collect();
    refused(&format!("{region}{situations}"), 12 + 6 * 4 + 1, "70000 situations are too many");
}

#[test]
fn names_that_are_given_twice() {
    refused("[[region]]\nname = 'corner'\ncircle = [6, 6, 1]\n", 9, "two regions called `corner`");
    let copies =
        "[[region]]\nname = 'a'\ncircle = [2, 2, 1]\nrepeat = { columns = 2, rows = 1, step = [3, 0] }\n";
    refused(
        &format!("{copies}[[region]]\nname = 'a-2'\ncircle = [2, 2, 1]\n"),
        13,
        "two regions called `a-2`",
    );
    let stop = "[[stop]]\nname = 's'\nexit = true\n";
    refused(&format!("{stop}{stop}"), 12, "two stops called `s`");
    let signal = "[[signal]]\nname = 's'\non = 1\noff = 1\n";
    refused(&format!("{signal}{signal}"), 13, "two signals called `s`");
    let talk = "[[situation]]\nname = 't'\nkind = 'talk'\nregion = 'corner'\n";
    refused(&format!("{talk}{talk}"), 13, "two situations called `t`");
    let city =
        "name = 'a'\n[world]\ncity = { blocks = 2 }\n[[region]]\nname = 'square'\ncircle = [6, 6, 1]\n";
    refused_whole(city, 5, "the world has a region `square` of its own");
}

#[test]
fn people_who_come_too_late_are_told() {
    let (runs, problems) = problems(&format!("{ROOM}[[people]]\ncount = 3\nappear = [30, 40]\n"));
    assert!(runs);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].line, Some(8));
    assert!(problems[0].what.starts_with("these people appear after the end of the run"), "{problems:?}");
}
