//! The bounds of everything in a scene. They are looked at before anything is built, so that no number, however large,
//! costs time or memory.

use crate::build::Checker;
use crate::file::{Name, Repeat, SceneFile};
use crate::places::Places;
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The longest scene file, in bytes.
pub const MOST_BYTES: usize = 16 << 20;
/// The most people in a scene.
pub const MOST_PEOPLE: usize = 1_000_000;
/// The most people in one table of those whose motion is planned.
pub const MOST_PLANNED: usize = 100_000;
/// The most copies of a shape, a seat or a spot.
pub const MOST_COPIES: usize = 10_000;
/// The most stops, situations, regions, signals and spots: they are numbered in 16 bits.
pub const MOST_NUMBERED: usize = u16::MAX as usize;
/// The longest time in seconds: a day.
pub const DAY: f64 = 86_400.0;
/// The fastest that anybody goes, in metres a second; Usain Bolt ran 12.3 at most (IAAF 2009).
pub const FASTEST: f64 = 12.0;
/// The farthest from the origin that anything is, in metres.
const FARTHEST: f64 = 1e8;
/// The longest way of a vehicle, in metres.
const LONGEST_WAY: f64 = 100_000.0;

/// From where to where a number may lie.
struct Bound {
    what: &'static str,
    least: f64,
    most: f64,
    /// Whether the least itself is not possible.
    above: bool,
}

impl Bound {
    fn allows(&self, number: f64) -> bool {
        number <= self.most && if self.above { number > self.least } else { number >= self.least }
    }
}

fn between(what: &'static str, least: f64, most: f64) -> Bound {
    Bound { what, least, most, above: false }
}

fn above(what: &'static str, least: f64, most: f64) -> Bound {
    Bound { what, least, most, above: true }
}

/// The bound of the number at a path of keys, the `index`th of its list.
fn bound(path: &[&str], index: usize) -> Option<Bound> {
    Some(match path {
        ["seed"] | [.., "memory", _] => return None,
        ["seconds"] => above("a run's time", 0.0, DAY),
        [.., "parameters", _] | [.., "parameters", _, _] => between("a parameter", -1e9, 1e9),
        [.., "next" | "favours", _] => between("a weight", 0.0, 1e9),
        [.., "count"] => between("a number of people", 0.0, MOST_PEOPLE as f64),
        [.., "columns" | "rows"] => between("a number of copies", 0.0, MOST_PEOPLE as f64),
        [.., "mix"] => between("a number of exchanges", 0.0, 1000.0),
        [.., "files"] => between("a number of files", 1.0, MOST_PLANNED as f64),
        [.., "blocks"] => between("a number of blocks", 1.0, 100.0),
        [.., "places"] => between("a number of places", 0.0, 1000.0),
        [.., "capacity"] => between("a capacity", 0.0, f64::from(u32::MAX)),
        [.., "stride"] => between("a stride", 1.0, 30.0),
        [.., "block" | "street" | "alley" | "sidewalk"] => above("a width", 0.0, 10_000.0),
        [.., "metres-per-cell" | "metres-per-pixel"] => above("a size of a pixel", 0.0, 1000.0),
        [.., "circle"] if index == 2 => above("a radius", 0.0, LONGEST_WAY),
        ["people", "radius"] | ["people", "radius", _] => between("a radius", 0.0, 1.0),
        ["people", "speed", "shape" | "scale" | "deviation" | "median"] => between("a number", 0.0, 100.0),
        ["people", "top-speed" | "speed", _] => between("a speed", 0.0, 15.0),
        ["motion", "radius"] => between("a radius", 0.05, 0.6),
        [.., "radius"] => above("a radius", 0.0, LONGEST_WAY),
        ["vehicle", "length"] => above("a vehicle's length", 0.0, 200.0),
        ["vehicle", "width"] => above("a vehicle's width", 0.0, 20.0),
        ["vehicle", "speed"] => between("a vehicle's speed", 0.1, 100.0),
        ["vehicle", "every"] => between("a time between journeys", 1.0, DAY),
        ["styles", "speed"] => between("a weight", 0.0, 1e9),
        [.., "speed"] => above("a speed", 0.0, FASTEST),
        [.., "size"] => above("a size of letters", 0.0, 10_000.0),
        ["people", "rate"] => above("a rate", 0.0, 1000.0),
        [.., "stay" | "pre-movement", "shape" | "scale" | "deviation" | "median"] => {
            between("a number", 0.0, DAY)
        }
        [.., "stay" | "pre-movement", "mean" | "least" | "most"] => between("a time", 0.0, DAY),
        [.., "choose", _] => between("a weight", 0.0, 1e9),
        [
            ..,
            "pre-movement" | "appear" | "stay" | "by" | "during" | "on" | "off" | "offset" | "seconds"
            | "first",
        ] => between("a time", 0.0, DAY),
        ["event", "at"] => between("a time", 0.0, DAY),
        [.., "time"] => between("a time", -DAY, DAY),
        [.., "facing" | "straight"] | ["people", "ring", "between"] => {
            between("an angle", -36_000.0, 36_000.0)
        }
        [.., "spots"] if index == 2 => between("an angle", -36_000.0, 36_000.0),
        ["scheme", "alpha", _] => between("a slope", 0.0, 1000.0),
        ["scheme", "decisive"] => above("a power", 0.0, 100.0),
        ["world", "likely", "slope" | "intercept"] => between("a number", -1000.0, 1000.0),
        ["synthesis", "tolerance"] => above("a tolerance", 0.0, 10.0),
        ["synthesis", "total-tolerance"] => above("a tolerance", 0.0, 1000.0),
        ["synthesis", "degrees-per-centimetre" | "seconds-per-centimetre"] => above("a weight", 0.0, 1e6),
        ["synthesis", "pairs" | "kept"] => between("a number of pairs", 1.0, 100_000.0),
        ["synthesis", "iterations"] => between("a number of iterations", 0.0, 100_000.0),
        ["synthesis", "polishing"] => between("a number of rounds", 0.0, 100.0),
        ["people", "steers", _] => above("a distance", 0.0, LONGEST_WAY),
        [.., "hurry"] => between("a share of those in a hurry", 0.0, 1.0),
        [.., "women"] => between("a share of women", 0.0, 1.0),
        [.., "jitter"] => between("a distance", 0.0, 1000.0),
        _ => between("a number", -FARTHEST, FARTHEST),
    })
}

/// A number out of bounds: where it stands, and whether a 1 in its place makes sense.
pub struct Wrong {
    span: Range<usize>,
    one_will_do: bool,
}

/// Checks every number of the file by itself; mistakes go to the checker, each at the line of its number.
pub fn check_numbers(text: &str, checker: &mut Checker<'_>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    // What is no TOML was told by whoever read the tables.
    if let Ok(file) = DeTable::parse(text) {
        check_table(file.get_ref(), &mut Vec::new(), checker, &mut wrong);
    }
    wrong
}

/// The file with ones, which cost nothing, in the place of wrong numbers; everything else stays where it is. `None` where
/// that makes no sense.
pub fn with_possible_numbers(text: &str, wrong: Vec<Wrong>) -> Option<String> {
    let mut text = text.to_owned();
    for Wrong { span, one_will_do } in wrong {
        let blanks = span.len().checked_sub(1).filter(|_| one_will_do)?;
        text.replace_range(span, &format!("1{}", " ".repeat(blanks)));
    }
    Some(text)
}

fn check_table<'a>(
    table: &'a DeTable<'_>,
    path: &mut Vec<&'a str>,
    checker: &mut Checker<'_>,
    wrong: &mut Vec<Wrong>,
) {
    for (key, value) in table.iter() {
        path.push(key.get_ref().as_ref());
        check_value(value, path, 0, checker, wrong);
        path.pop();
    }
    let number = |key: &str| table.get(key).and_then(|value| number(value.get_ref()));
    if let (Some(columns), Some(rows)) = (number("columns"), number("rows")) {
        let most = match path[..] {
            ["people" | "constraint", "repeat"] => MOST_PLANNED,
            _ => MOST_COPIES,
        };
        if columns * rows > most as f64 {
            let spans = ["columns", "rows"].map(|key| table.get(key).map(Spanned::span));
            checker.problem(
                spans[0].clone(),
                format!("{columns} x {rows} copies are too many"),
                format!("at most {most} copies"),
            );
            wrong.extend(spans.into_iter().flatten().map(|span| Wrong { span, one_will_do: true }));
        }
    }
}

fn check_value<'a>(
    value: &'a Spanned<DeValue<'_>>,
    path: &mut Vec<&'a str>,
    index: usize,
    checker: &mut Checker<'_>,
    wrong: &mut Vec<Wrong>,
) {
    match value.get_ref() {
        DeValue::Table(table) => check_table(table, path, checker, wrong),
        DeValue::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                check_value(value, path, index, checker, wrong);
            }
        }
        other => {
            let Some((number, bound)) = number(other).zip(bound(path, index)) else { return };
            if !bound.allows(number) {
                // Another place would bring mistakes of its own.
                let one_will_do = bound.allows(1.0) && bound.what != "a number";
                wrong.push(Wrong { span: value.span(), one_will_do });
                let Bound { what, least, most, above } = bound;
                let key = path.last().copied().unwrap_or_default();
                let from = if above { "above" } else { "from" };
                let fix = format!("{from} {least} up to {most}");
                checker.problem(
                    Some(value.span()),
                    format!("{what} of {number} in `{key}` is not possible"),
                    fix,
                );
            }
        }
    }
}

/// A number of the file; what does not even fit into one is infinite.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(whole) => Some(
            i128::from_str_radix(whole.as_str(), whole.radix()).map_or(f64::INFINITY, |whole| whole as f64),
        ),
        DeValue::Float(float) => Some(float.as_str().parse().unwrap_or(f64::NAN)),
        _ => None,
    }
}

/// Checks what the numbers of a file come to together, and its names; mistakes go to the checker.
pub fn check_totals(scene: &SceneFile, checker: &mut Checker<'_>) {
    check_people(scene, checker);
    check_regions(scene, checker);
    let copies = |name: &Option<Name>| {
        let region = name
            .as_ref()
            .and_then(|name| scene.region.iter().find(|region| region.name.get_ref() == name.get_ref()));
        region.map_or(1, |region| copies_of(scene, region.repeat, region.block.as_deref()))
    };
    let mut situations = 0usize;
    for situation in &scene.situation {
        situations = situations.saturating_add(copies(&situation.region));
        let Repeat { columns, rows, .. } = situation.rows.unwrap_or(ONCE);
        let spots = columns.saturating_mul(rows).saturating_mul(situation.spots.len());
        too_many(&situation.name, spots, "spots", checker);
        if too_many(&situation.name, situations, "situations", checker) {
            break;
        }
    }
    if let Some(stop) = scene.stop.get(MOST_NUMBERED) {
        too_many(&stop.name, scene.stop.len(), "stops", checker);
    }
    if let Some(signal) = scene.signal.get(MOST_NUMBERED) {
        too_many(&signal.name, scene.signal.len(), "signals", checker);
    }
    for vehicle in &scene.vehicle {
        let way = vehicle.way.windows(2);
        let length: f64 = way.map(|pair| libm::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1])).sum();
        if length > LONGEST_WAY {
            let what = format!("the way of vehicle `{}` is {length:.0} m long", vehicle.name.get_ref());
            checker.problem(Some(vehicle.name.span()), what, format!("at most {LONGEST_WAY} m"));
        }
    }
    unique("stop", scene.stop.iter().map(|stop| &stop.name), checker);
    unique("signal", scene.signal.iter().map(|signal| &signal.name), checker);
    unique("situation", scene.situation.iter().map(|situation| &situation.name), checker);
    unique("vehicle", scene.vehicle.iter().map(|vehicle| &vehicle.name), checker);
}

const ONCE: Repeat = Repeat { columns: 1, rows: 1, step: [0.0, 0.0] };

/// How many copies there are of what is repeated, or part of a block.
fn copies_of(scene: &SceneFile, repeat: Option<Repeat>, block: Option<&str>) -> usize {
    let block = block.and_then(|name| scene.block.get(name).copied());
    let Repeat { columns, rows, .. } = repeat.or(block).unwrap_or(ONCE);
    columns.saturating_mul(rows)
}

fn check_people(scene: &SceneFile, checker: &mut Checker<'_>) {
    let mut total = 0usize;
    for (index, people) in scene.people.iter().enumerate() {
        checker.here = checker.table_line("people", index);
        let before = total;
        let Repeat { columns, rows, .. } = people.repeat.unwrap_or(ONCE);
        let places = match &people.at {
            Some(Places::Each(all)) => Some(all.len()),
            Some(Places::One(_)) => Some(columns.saturating_mul(rows)),
            None => None,
        };
        let count = places.or(people.count).unwrap_or(1);
        total = total.saturating_add(count);
        crowded(before, total, checker);
        let [from, to] = people.appear;
        if count > 0 && to > scene.seconds {
            let who =
                if from > scene.seconds { "these people appear" } else { "some of these people appear" };
            let what = format!("{who} after the end of the run, which lasts {} s", scene.seconds);
            checker.warning(None, what, "let them `appear` earlier, or give more `seconds`");
        }
    }
    checker.here = None;
}

/// Tells the table by which people become too many.
fn crowded(before: usize, total: usize, checker: &mut Checker<'_>) {
    if before <= MOST_PEOPLE && total > MOST_PEOPLE {
        let what = format!("with these there are {total} people altogether");
        checker.problem(None, what, format!("at most {MOST_PEOPLE}"));
    }
}

/// Checks the number of regions and their names, those of copies included.
fn check_regions(scene: &SceneFile, checker: &mut Checker<'_>) {
    let mut total = 0usize;
    let mut names = BTreeSet::new();
    for region in &scene.region {
        let (name, copies) =
            (region.name.get_ref(), copies_of(scene, region.repeat, region.block.as_deref()));
        total = total.saturating_add(copies);
        if too_many(&region.name, total, "regions", checker) {
            return;
        }
        let mut fresh = names.insert(name.clone());
        if copies > 1 {
            for copy in 1..=copies {
                fresh &= names.insert(format!("{name}-{copy}"));
            }
        }
        if !fresh {
            twice("region", &region.name, checker);
        }
    }
}

/// Tells that there are more than can be numbered; returns whether there are.
fn too_many(name: &Name, count: usize, what: &str, checker: &mut Checker<'_>) -> bool {
    let many = count > MOST_NUMBERED;
    if many {
        checker.problem(
            Some(name.span()),
            format!("{count} {what} are too many"),
            format!("at most {MOST_NUMBERED}"),
        );
    }
    many
}

/// Tells names that were given before.
pub fn unique<'n>(kind: &str, names: impl Iterator<Item = &'n Name>, checker: &mut Checker<'_>) {
    let mut seen = BTreeSet::new();
    for name in names.filter(|name| !seen.insert(name.get_ref())) {
        twice(kind, name, checker);
    }
}

fn twice(kind: &str, name: &Name, checker: &mut Checker<'_>) {
    let what = format!("there are two {kind}s called `{}`", name.get_ref());
    checker.problem(Some(name.span()), what, "give each a name of its own");
}
