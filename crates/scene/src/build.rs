//! From text to a running simulation: every mistake is found, not only the first.

use crate::bounds::{self, DAY};
use crate::constraints::{Stage, build_cast, read_stage};
use crate::file::{ChooseTable, Kind, Name, SceneFile, Signal as SignalTable, Stop as StopTable};
use crate::ground::{build_ground, build_obstacles, regions_called};
use crate::happenings::{begin_without, build_events, take_in};
use crate::motion::build_book;
use crate::mover::Mover;
use crate::painted::read_images;
use crate::people::{Reading, favour_groups};
use crate::problem::{Problem, nearest};
use crate::prop::Prop;
use crate::recording::build_recordings;
use crate::simulation::Simulation;
use crate::situations::build_situations;
use crate::spread::read_spread;
use crate::staging::Staging;
use crate::styles::{OtherStyles, build_bodies, tells_other_sizes};
use crate::term::Term;
use crate::vehicles::build_vehicles;
use crate::wide::refuse_too_wide;
use crowdloom_crowd::scenario::{Choose, Scenario, Stop};
use crowdloom_crowd::signal::Signal;
use crowdloom_crowd::{Additions, Crowd, Setting, Spread};
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::MotionGraph;
use crowdloom_world::{Ground, MeshRouter, text_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a scene cannot run: all its mistakes.
#[derive(Debug)]
pub struct SceneError {
    /// The file, as it was named.
    pub file: PathBuf,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.problems.iter().filter(|problem| !problem.harmless).count();
        write!(f, "{}: {count} mistake(s)", self.file.display())?;
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneError {}

/// Collects mistakes.
pub struct Checker<'a> {
    text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// The lines of tables `[[kind]]`, by kind.
    tables: BTreeMap<&'a str, Vec<usize>>,
    /// The line of the table that is being looked at, for mistakes that have no place of their own.
    pub here: Option<usize>,
    /// What was found so far.
    pub problems: Vec<Problem>,
    /// Lines of which nothing more is said.
    settled: BTreeSet<usize>,
}

/// Tables by whose kind a name may be missing.
const TABLES: [&str; 8] = ["region", "stop", "situation", "signal", "vehicle", "door", "outfit", "people"];

impl<'a> Checker<'a> {
    /// Nothing found yet.
    pub(crate) fn new(text: &'a str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let mut tables: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (line, header) in text.lines().enumerate() {
            let kind = header.trim_start().strip_prefix("[[").and_then(|rest| rest.split_once("]]"));
            if let Some((kind, _)) = kind {
                tables.entry(kind.trim()).or_default().push(line + 1);
            }
        }
        Self {
            text,
            lines: std::iter::once(0).chain(starts).collect(),
            tables,
            here: None,
            problems: Vec::new(),
            settled: BTreeSet::new(),
        }
    }

    /// The line of a byte, counted from 1.
    fn line_at(&self, byte: usize) -> usize {
        self.lines.partition_point(|&start| start <= byte)
    }

    /// Notes a mistake at a place of the file.
    pub fn problem(&mut self, span: Option<Range<usize>>, what: impl Into<String>, fix: impl Into<String>) {
        let line = span.map(|span| self.line_at(span.start)).or(self.here);
        self.note(line, what.into(), fix.into(), false);
    }

    fn note(&mut self, line: Option<usize>, what: String, fix: String, harmless: bool) {
        if line.is_none_or(|line| !self.settled.contains(&line)) {
            self.problems.push(Problem { line, what, fix, harmless });
        }
    }

    /// Says nothing more about the lines of which something was said: the rest may follow from that.
    fn settle(&mut self) {
        self.settled = self.problems.iter().filter_map(|problem| problem.line).collect();
    }

    /// Notes something that the scene can run in spite of.
    pub fn warning(&mut self, span: Option<Range<usize>>, what: impl Into<String>, fix: impl Into<String>) {
        let line = span.map(|span| self.line_at(span.start)).or(self.here);
        self.note(line, what.into(), fix.into(), true);
    }

    /// The line of a name.
    pub fn line_of(&self, name: &Name) -> usize {
        self.line_at(name.span().start)
    }

    /// The line of the `index`th table `[[kind]]`.
    pub fn table_line(&self, kind: &str, index: usize) -> Option<usize> {
        self.tables.get(kind)?.get(index).copied()
    }

    /// Notes the line of one more table of a kind.
    pub fn note_table(&mut self, kind: &'a str, line: usize) {
        self.tables.entry(kind).or_default().push(line);
    }

    /// The first line that begins like this.
    pub fn line_starting(&self, start: &str) -> Option<usize> {
        self.text.lines().position(|line| line.trim_start().starts_with(start)).map(|line| line + 1)
    }

    /// Notes a mistake at a line.
    pub fn problem_at(&mut self, line: usize, what: impl Into<String>, fix: impl Into<String>) {
        self.note(Some(line), what.into(), fix.into(), false);
    }

    /// Notes something at a line that the scene can run in spite of.
    pub fn warning_at(&mut self, line: usize, what: impl Into<String>, fix: impl Into<String>) {
        self.note(Some(line), what.into(), fix.into(), true);
    }

    /// The line where the text of a string begins: a multi-line string may begin on the line after its quotes.
    pub fn first_line(&self, string: &Name) -> usize {
        let span = string.span();
        let quoted = self.text.get(span.clone()).unwrap_or_default();
        let below = ["\"\"\"", "'''"].iter().any(|quotes| {
            quoted.strip_prefix(quotes).is_some_and(|text| text.starts_with('\n') || text.starts_with("\r\n"))
        });
        self.line_at(span.start) + usize::from(below)
    }

    /// Notes a name that is not there, with the nearest that is.
    pub fn unknown<'n>(&mut self, kind: &str, name: &Name, names: impl Iterator<Item = &'n str>) {
        let fix = match nearest(name.get_ref(), names) {
            Some(near) => format!("did you mean `{near}`?"),
            None if TABLES.contains(&kind) => format!("add a [[{kind}]] of that name"),
            None if ["pose", "node", "style"].contains(&kind) => {
                "`crowdloom motion info builtin` lists those of the built-in motions".into()
            }
            None => format!("name a {kind} that the scene has"),
        };
        self.problem(Some(name.span()), format!("there is no {kind} `{}`", name.get_ref()), fix);
    }

    /// The regions that a name means; a mistake is noted where there is none.
    pub fn regions(&mut self, ground: &Ground, scene: &SceneFile, name: &Name) -> Vec<usize> {
        let found = regions_called(ground, scene, name.get_ref());
        if found.is_empty() {
            let names: Vec<&str> = ground.regions().iter().map(|region| region.name.as_str()).collect();
            self.unknown("region", name, names.into_iter());
        }
        found
    }

    /// Checks that a range of numbers makes sense.
    pub fn range(&mut self, [least, most]: [f32; 2], what: &str) -> [f32; 2] {
        if !(least.is_finite() && most.is_finite() && least >= 0.0 && most >= least) {
            self.problem(
                None,
                format!("{what} from {least} to {most} makes no sense"),
                "give least and most, from 0 up",
            );
        }
        [least, most]
    }
}

/// What replaces a scene's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The seed.
    pub seed: Option<u64>,
    /// How many people come altogether; every group keeps its share.
    pub people: Option<usize>,
}

impl Overrides {
    fn apply(self, scene: &mut SceneFile) {
        scene.seed = self.seed.unwrap_or(scene.seed);
        let mut counts: Vec<&mut usize> =
            scene.people.iter_mut().filter_map(|people| people.count.as_mut()).collect();
        let total: usize = counts.iter().map(|count| **count).sum();
        if let Some(wanted) = self.people.filter(|_| total > 0) {
            let mut before = 0;
            for count in &mut counts {
                let share = |sum: usize| (sum as u128 * wanted as u128 / total as u128) as usize;
                let after = before + **count;
                **count = share(after) - share(before);
                before = after;
            }
        }
    }
}

/// A message of the parser in words of people who write scenes.
pub(crate) fn in_plain_words(message: &str) -> String {
    let counts = ["expected usize", "expected u32", "expected u64"];
    let plain =
        |said: String, count: &&str| said.replace(count, "expected a whole number that is not negative");
    counts.iter().fold(message.to_owned(), plain)
}

/// What to do about a message of the parser: the nearest of the words that it says are possible.
pub(crate) fn fix_of(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let wrong = words.next().unwrap_or_default();
    let near = message.contains("unknown").then(|| nearest(wrong, words)).flatten();
    near.map_or("see `crowdloom schema`".into(), |near| format!("did you mean `{near}`?"))
}

/// Reads scene text; `file` is used for messages and for finding maps beside it.
pub fn parse(
    file: &Path,
    text: &str,
    overrides: Overrides,
) -> Result<(Simulation, Vec<Problem>), SceneError> {
    parse_styled(file, text, overrides, &OtherStyles::default())
}

/// Reads scene text with other styles than its own; see [`parse`].
pub fn parse_styled(
    file: &Path,
    text: &str,
    overrides: Overrides,
    other: &OtherStyles,
) -> Result<(Simulation, Vec<Problem>), SceneError> {
    parse_all(file, text, overrides, other, &Additions::default())
}

fn parse_all(
    file: &Path,
    text: &str,
    overrides: Overrides,
    other: &OtherStyles,
    additions: &Additions,
) -> Result<(Simulation, Vec<Problem>), SceneError> {
    let built = read(file, text, overrides, |scene, folder, checker| {
        build(scene, text, folder, other, additions, checker)
    });
    built.map(|(simulation, problems)| (simulation.read_from(file, overrides), problems))
}

/// Reads scene text that may name what the program adds; see [`parse`].
pub fn parse_with(
    file: &Path,
    text: &str,
    overrides: Overrides,
    additions: &Additions,
) -> Result<(Simulation, Vec<Problem>), SceneError> {
    parse_all(file, text, overrides, &OtherStyles::default(), additions)
}

fn read<T>(
    file: &Path,
    text: &str,
    overrides: Overrides,
    build: impl FnOnce(&SceneFile, &Path, &mut Checker<'_>) -> Option<T>,
) -> Result<(T, Vec<Problem>), SceneError> {
    let mut checker = Checker::new(text);
    let folder = file.parent().unwrap_or(Path::new("."));
    let built = read_bounded(text, overrides, folder, &mut checker).and_then(|mut scene| {
        scene.prop = scene.prop.into_iter().flat_map(Prop::copies).collect();
        build(&scene, folder, &mut checker)
    });
    checker.problems.sort_by_key(|problem| problem.line);
    // Copies of a situation make the same mistakes.
    checker.problems.dedup();
    let fatal = checker.problems.iter().any(|problem| !problem.harmless);
    match built {
        Some(built) if !fatal => Ok((built, checker.problems)),
        _ => Err(SceneError { file: file.to_owned(), problems: checker.problems }),
    }
}

/// Reads the ground and the planned people of a scene, with the poses of a graph, and plans nothing.
pub fn stage(file: &Path, text: &str, graph: &MotionGraph) -> Result<Stage, SceneError> {
    let mut checker = Checker::new(text);
    let folder = file.parent().unwrap_or(Path::new("."));
    let stage = read_bounded(text, Overrides::default(), folder, &mut checker).and_then(|scene| {
        let ground = build_ground(&scene, folder, &mut checker)?;
        Some(read_stage(&scene, graph, &Arc::new(ground), &mut checker))
    });
    let fatal = checker.problems.iter().any(|problem| !problem.harmless);
    let refused = SceneError { file: file.to_owned(), problems: checker.problems };
    stage.filter(|_| !fatal).ok_or(refused)
}

/// Reads the tables of a scene, with all their numbers in bounds; `None` where some are not and nothing else can be found.
fn read_bounded(
    text: &str,
    overrides: Overrides,
    folder: &Path,
    checker: &mut Checker<'_>,
) -> Option<SceneFile> {
    if text.len() > bounds::MOST_BYTES {
        let what = format!("the scene is {} bytes long", text.len());
        checker.problem(None, what, format!("at most {}", bounds::MOST_BYTES));
        return None;
    }
    for (kind, lines) in checker.tables.clone() {
        if let Some(&line) = lines.get(bounds::MOST_NUMBERED) {
            let what = format!("{} tables [[{kind}]] are too many", lines.len());
            checker.problem_at(line, what, format!("at most {}", bounds::MOST_NUMBERED));
            return None;
        }
    }
    let mut scene = read_tables(text, checker)?;
    let wrong = bounds::check_numbers(text, checker);
    if !wrong.is_empty() {
        // With other numbers in their places, what else is wrong can be found as well.
        let possible = bounds::with_possible_numbers(text, wrong)?;
        scene = read_tables(&possible, &mut Checker::new(&possible))?;
        checker.settle();
    }
    let before = checker.problems.len();
    let fit = |checker: &Checker<'_>| checker.problems[before..].iter().all(|problem| problem.harmless);
    read_images(&mut scene, folder, checker);
    take_in(&mut scene, checker);
    overrides.apply(&mut scene);
    bounds::check_totals(&scene, checker);
    fit(checker).then_some(scene)
}

/// Reads the tables of a scene. Lines with names that nobody knows are told and left out, so that what is wrong with the
/// others is found as well.
fn read_tables(text: &str, checker: &mut Checker<'_>) -> Option<SceneFile> {
    let mut understood = text.to_owned();
    loop {
        let error = match toml::from_str(&understood) {
            Ok(scene) => return Some(scene),
            Err(error) => error,
        };
        let message = error.message().trim();
        let unknown = message.starts_with("unknown");
        // What else is wrong once lines were left out may be wrong because of that.
        if unknown || checker.problems.is_empty() {
            checker.problem(error.span(), in_plain_words(message), fix_of(message));
        }
        let start = error.span().filter(|_| unknown)?.start;
        let first = understood.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
        let last = understood[start..].find('\n').map_or(understood.len(), |length| start + length);
        // As long as before: places in what is left stay what they were. A line that is blank already is no line to leave out.
        let line = understood.get(first..last).filter(|line| !line.trim().is_empty())?;
        let blank = " ".repeat(line.len());
        understood.replace_range(first..last, &blank);
    }
}

/// Reads a scene file.
pub fn load(file: &Path, overrides: Overrides) -> Result<(Simulation, Vec<Problem>), SceneError> {
    load_with(file, overrides, &Additions::default())
}

/// Reads a scene file that may name what the program adds.
pub fn load_with(
    file: &Path,
    overrides: Overrides,
    additions: &Additions,
) -> Result<(Simulation, Vec<Problem>), SceneError> {
    let refuse = |what: String, fix: &str| {
        let problem = Problem { line: None, what, fix: fix.to_owned(), harmless: false };
        SceneError { file: file.to_owned(), problems: vec![problem] }
    };
    let bytes = std::fs::read(file).map_err(|error| refuse(format!("cannot be read: {error}"), ""))?;
    match text_of(&bytes) {
        Ok(text) => parse_with(file, text, overrides, additions),
        Err(what) => Err(refuse(what.to_string(), "save it as UTF-8")),
    }
}

/// All that is wrong with a scene file, harmless or not.
pub fn check(file: &Path) -> Vec<Problem> {
    match load(file, Overrides::default()) {
        Ok((_, problems)) => problems,
        Err(error) => error.problems,
    }
}

fn build(
    scene: &SceneFile,
    text: &str,
    folder: &Path,
    other: &OtherStyles,
    additions: &Additions,
    checker: &mut Checker<'_>,
) -> Option<Simulation> {
    Term::<Mover>::refuse_added("mover", additions.models(), checker);
    Term::<Kind>::refuse_added("kind of situation", additions.kinds(), checker);
    let ground = Arc::new(build_ground(scene, folder, checker)?);
    let book = build_book(&scene.motion, folder, checker)?;
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let setting = Setting { book, ground: ground.clone(), router, seed: scene.seed };
    let mut crowd = Crowd::new(setting);
    crowd.set_additions(additions.clone());
    crowd.set_scheme(scene.scheme.scheme());
    build_obstacles(scene, &mut crowd, checker);
    let ground = crowd.setting().ground.clone();

    for signal in &scene.signal {
        let built = read_signal(signal, checker);
        crowd.add_signal(built);
    }
    crowd.set_scenario(build_scenario(scene, &ground, checker));
    build_vehicles(scene, &mut crowd, checker);
    let named = build_situations(scene, &mut crowd, checker);

    refuse_old_tables(scene, checker);
    let cast = build_cast(scene, &mut crowd, checker);
    let staging = Staging::read(scene, folder, checker);
    let reading = Reading { scene, staging: &staging, situations: &named };
    build_recordings(scene, &reading, &mut crowd, folder, checker);
    let groups = favour_groups(scene);
    let mut arrivals = Vec::new();
    let mut tables = Vec::new();
    for (index, people) in scene.people.iter().enumerate() {
        checker.here = checker.table_line("people", index);
        if matches!(people.mover.known(), Some(Mover::Planned | Mover::Recorded)) {
            refuse_too_wide(people, &crowd, checker);
            continue;
        }
        if let Some(arrival) = reading.arrival(index, people, groups[index], &mut crowd, checker) {
            arrivals.push(arrival);
            tables.push(index);
        }
    }
    let (names, outcomes) = cast.map_or_else(Default::default, |cast| (cast.names, cast.outcomes));
    let events = build_events(scene, &mut crowd, &named, &names, checker);
    begin_without(scene, &mut crowd, &named);
    let recorded = scene.people.iter().any(|people| people.mover.is(Mover::Recorded));
    let needs_bodies = recorded || crowd.has_discs() || !crowd.markings().is_empty();
    if scene.styles.is_some() || needs_bodies || tells_other_sizes(scene, &crowd) {
        crowd.set_bodies(build_bodies(scene, &crowd, folder, other, checker)?);
    }
    checker.here = None;
    let frames = (scene.seconds * FRAME_RATE) as u32;
    for problem in scene.prop.iter().filter_map(|prop| prop.problem()) {
        checker.problem(None, problem, "metres and degrees");
    }
    for (number, camera) in scene.camera.iter().enumerate() {
        let twice = scene.camera[..number].iter().any(|other| other.name == camera.name);
        let twice = twice.then(|| format!("there are two cameras `{}`", camera.name));
        if let Some(problem) = camera.problem().or(twice) {
            checker.problem(None, problem, "metres, seconds and degrees");
        }
    }
    let mut output = scene.output.clone();
    output.cameras.clone_from(&scene.camera);
    output.props.clone_from(&scene.prop);
    output.walls = crate::ground::build_walls(scene, checker);
    output.floor = crate::ground::build_floor(scene, folder, text);
    output.staging = staging;
    let mut simulation =
        Simulation::new(scene.name.clone(), text.to_owned(), crowd, arrivals, frames, output)
            .with_cast(names, outcomes)
            .with_events(events)
            .with_tables(scene.clone(), named, folder);
    if scene.warm_up {
        simulation.crowd_mut().warm_up();
    }
    for (index, waiting) in simulation.waiting_by_table().enumerate().filter(|(_, waiting)| *waiting > 0) {
        checker.here = checker.table_line("people", tables[index]);
        let what = format!("{waiting} people find no room at the beginning");
        checker.warning(
            None,
            what,
            "they come as soon as there is; give fewer, more room, or times to `appear`",
        );
    }
    checker.here = None;
    Some(simulation)
}

/// Reads a signal; mistakes go to the checker.
pub fn read_signal(signal: &SignalTable, checker: &mut Checker<'_>) -> Signal {
    let frames = |seconds: f32| (seconds * FRAME_RATE) as u32;
    if !(signal.on >= 0.0 && signal.off >= 0.0 && signal.on + signal.off > 0.0) {
        let what = format!("signal `{}` is neither on nor off for any time", signal.name.get_ref());
        checker.problem(Some(signal.name.span()), what, "give seconds for `on` and `off`");
    }
    Signal {
        name: signal.name.get_ref().clone(),
        on_frames: frames(signal.on),
        off_frames: frames(signal.off),
        offset: frames(signal.offset),
        by_hand: None,
    }
}

/// Tells how tables are written now that were called otherwise once.
fn refuse_old_tables(scene: &SceneFile, checker: &mut Checker<'_>) {
    for index in 0..scene.person.len() {
        checker.here = checker.table_line("person", index);
        let fix = "write [[people]] with `mover = \"planned\"`; all other lines stay";
        checker.problem(None, "[[person]] is [[people]] now", fix);
    }
    for (index, table) in scene.walker.iter().enumerate() {
        checker.here = checker.table_line("walker", index);
        let mover = table.get("mover").and_then(|mover| mover.as_str()).unwrap_or("orca");
        let rows = match table.get("rows") {
            Some(_) => ", and `at = [x, y]` with `repeat = { columns, rows, step }` instead of `rows`",
            None => "",
        };
        let fix = format!("write [[people]] with `mover = \"{mover}\"`{rows}; all other lines stay");
        checker.problem(None, "[[walker]] is [[people]] now", fix);
    }
    checker.here = None;
}

/// Reads a stop; mistakes go to the checker.
pub fn build_stop(scene: &SceneFile, stop: &StopTable, ground: &Ground, checker: &mut Checker<'_>) -> Stop {
    let (regions, choose) = build_choice(scene, stop, ground, checker);
    let mut next = Vec::new();
    for (name, &weight) in &stop.next {
        match scene.stop.iter().position(|other| other.name.get_ref() == name) {
            Some(index) if weight >= 0.0 => next.push((index as u16, weight)),
            Some(_) => {
                let what = format!("the weight of `{name}` is {weight}");
                checker.problem(Some(stop.name.span()), what, "weights are 0 or more");
            }
            None => {
                let hint = nearest(name, scene.stop.iter().map(|stop| stop.name.get_ref().as_str()));
                let fix = hint.map(|hint| format!("did you mean `{hint}`?")).unwrap_or_default();
                let what = format!("stop `{}` leads to `{name}`, which is no stop", stop.name.get_ref());
                checker.problem(Some(stop.name.span()), what, fix);
            }
        }
    }
    if next.is_empty() && !stop.exit {
        let what = format!("stop `{}` has no way out", stop.name.get_ref());
        checker.warning(Some(stop.name.span()), what, "people stay there; add `next`, or `exit = true`");
    }
    Stop {
        name: stop.name.get_ref().clone(),
        regions,
        choose,
        stay: read_spread(stop.stay, [0.0, DAY as f32], "a stay", checker).unwrap_or(Spread::Fixed(0.0)),
        next,
        exit: stop.exit,
        closed: false,
    }
}

/// The regions of a stop and how people choose one; mistakes go to the checker.
fn build_choice(
    scene: &SceneFile,
    stop: &StopTable,
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> (Vec<usize>, Choose) {
    let names: Vec<&Name> = stop.region.iter().chain(&stop.regions).collect();
    let mut regions = Vec::new();
    let mut weights = Vec::new();
    for name in &names {
        let found = checker.regions(ground, scene, name);
        if let Some(ChooseTable::Weights(given)) = &stop.choose {
            // Copies of a region share its weight.
            let weight = given.get(name.get_ref()).copied().unwrap_or(0.0) / found.len().max(1) as f32;
            weights.extend(found.iter().map(|_| weight));
        }
        regions.extend(found);
    }
    let choose = match &stop.choose {
        None => Choose::Any,
        Some(ChooseTable::Named(named)) => match named.as_str() {
            "any" => Choose::Any,
            "nearest" => Choose::Nearest,
            "quickest" => Choose::Quickest,
            "assigned" => Choose::Assigned,
            other => {
                let what = format!("nobody can choose the `{other}` in `choose`");
                let fix = "any, nearest, quickest, assigned, or a weight for each region";
                checker.problem(Some(stop.name.span()), what, fix);
                Choose::Any
            }
        },
        Some(ChooseTable::Weights(given)) => {
            let is_own = |name: &&String| names.iter().any(|own| own.get_ref() == *name);
            if let Some(other) = given.keys().find(|name| !is_own(name)) {
                let what = format!("`{other}` in `choose` is no region of stop `{}`", stop.name.get_ref());
                let known: Vec<&str> = names.iter().map(|name| name.get_ref().as_str()).collect();
                checker.problem(Some(stop.name.span()), what, format!("one of {}", known.join(", ")));
            }
            if !given.values().any(|weight| *weight > 0.0) {
                let what = format!("nobody can choose a region of stop `{}`", stop.name.get_ref());
                checker.problem(Some(stop.name.span()), what, "give at least one of them a weight above 0");
            }
            Choose::Weighted(weights)
        }
    };
    (regions, choose)
}

fn build_scenario(scene: &SceneFile, ground: &Ground, checker: &mut Checker<'_>) -> Scenario {
    let mut stops = Vec::new();
    for stop in &scene.stop {
        checker.here = Some(checker.line_of(&stop.name));
        stops.push(build_stop(scene, stop, ground, checker));
    }
    checker.here = None;
    let scenario = Scenario { stops, tours: Vec::new() };
    if scenario.stops.iter().any(|stop| stop.exit) {
        for (index, table) in scene.stop.iter().enumerate() {
            let stop = &scenario.stops[index];
            if !stop.next.is_empty() && !scenario.leads_out(index) {
                let what = format!("no way leads out from stop `{}`", table.name.get_ref());
                let fix = "people go round for ever; add a `next` that leads to a stop with `exit = true`";
                checker.warning(Some(table.name.span()), what, fix);
            }
        }
    }
    scenario
}
