//! Plans of buildings, streets, rooms and mazes: everybody who is alone arrives without a detour, and a crowd gets out.
//!
//! Each plan is run as anybody's scene, with its defaults. Plans of others are read from the folder of measured data, where it
//! is there; four are our own.

use super::fundamental_diagram::apart;
use super::reference::data_folder;
use crate::staged::{NOWHERE, SceneText, run_out};
use crowdloom_world::{Router, Stream};
use glam::{DVec2, Vec2};
use rayon::prelude::*;
use serde::Serialize;
use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt;
use std::path::PathBuf;

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each mover and plan: people of whom each is alone there.
    pub alone: Vec<Alone>,
    /// One entry for each mover and plan: a crowd that leaves.
    pub leaving: Vec<Leaving>,
    /// Runs that could not be made, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// People of whom each goes alone from one place of a plan to another.
#[derive(Clone, Debug, Serialize)]
pub struct Alone {
    /// What moved people.
    pub mover: String,
    /// The plan.
    pub plan: String,
    /// How many went.
    pub people: usize,
    /// How many arrived.
    pub arrived: usize,
    /// How many needed more than 15 % longer than their route takes at their speed, those included who never arrived.
    pub late: usize,
    /// The times that they needed, as parts of what the route takes: the mean and the longest of those who arrived.
    pub mean_time: f32,
    /// The longest.
    pub longest_time: f32,
    /// Who came latest of those who came late, or never.
    pub late_one: Option<Walk>,
}

/// From one place of a plan to another.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Walk {
    /// Where it starts, in metres.
    pub from: [f64; 2],
    /// Where it ends, in metres.
    pub to: [f64; 2],
    /// The speed that is asked for, in metres a second.
    pub speed: f32,
    /// The length of the route in metres.
    pub length: f64,
    /// When it was done, in seconds.
    pub seconds: Option<f32>,
}

/// A crowd that leaves a plan.
#[derive(Clone, Debug, Serialize)]
pub struct Leaving {
    /// What moved people.
    pub mover: String,
    /// The plan.
    pub plan: String,
    /// How many were asked for.
    pub people: usize,
    /// How many had not left in the end.
    pub left: usize,
    /// When the last one left, in seconds.
    pub seconds: f32,
}

/// How much is run.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Movers, as scenes call them; `graph` is none.
    pub movers: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// Only these plans, by name; all where there is none.
    pub only: Vec<String>,
    /// How many walk alone on each plan.
    pub alone: usize,
    /// How many leave each plan together.
    pub leaving: usize,
    /// Whether only our own plans are run, for tests.
    pub reduced: bool,
}

/// Longer than this part of what the route takes is late.
const LATE: f32 = 1.15;
/// Walks that are shorter, in metres, tell of the first step more than of the way.
const LEAST_WAY: f64 = 5.0;
/// Half the side of a goal in metres, and the room that there is around its middle.
const GOAL: f64 = 0.4;
const ROOM: f32 = 0.46;
/// Half the side in metres of the place where a crowd leaves, as far as there is room: the plan should hold people up, not
/// how many of them fit onto a place at a time.
const WAY_OUT: f64 = 1.2;
/// A crowd has as many seconds to leave as the longest way takes at this speed in metres a second …
const SLOW: f32 = 0.8;
/// … and the people of a crowd have so many seconds each at the exit.
const EACH: f32 = 2.0;

/// A plan to walk on.
#[derive(Clone, Debug)]
struct Plan {
    name: String,
    world: World,
}

#[derive(Clone, Debug)]
enum World {
    File(PathBuf),
    Own(fn(&str) -> SceneText),
}

impl Plan {
    fn scene(&self, mover: &str) -> SceneText {
        match &self.world {
            World::File(file) => SceneText::of_map(file, mover),
            World::Own(draw) => draw(mover),
        }
    }
}

/// Runs the experiment.
pub fn run(extent: &Extent) -> Report {
    let mut plans = plans(extent.reduced);
    plans.retain(|plan| extent.only.is_empty() || extent.only.contains(&plan.name));
    let cases: Vec<(&String, &Plan)> =
        extent.movers.iter().flat_map(|mover| plans.iter().map(move |plan| (mover, plan))).collect();
    let alone = |(mover, plan): &(&String, &Plan)| walk_alone(mover, plan, extent);
    let leaving = |(mover, plan): &(&String, &Plan)| leave(mover, plan, extent);
    let (alone, mut failed) = match extent.alone {
        0 => Default::default(),
        _ => apart(cases.par_iter().map(alone).collect()),
    };
    let (leaving, more) = match extent.leaving {
        0 => Default::default(),
        _ => apart(cases.par_iter().map(leaving).collect()),
    };
    failed.extend(more);
    Report { alone, leaving, failed }
}

/// The names of all plans.
pub fn names() -> Vec<String> {
    plans(false).into_iter().map(|plan| plan.name).collect()
}

/// Our own plans and those in the folder of measured data, by name.
fn plans(reduced: bool) -> Vec<Plan> {
    let own = |name: &str, draw| Plan { name: name.into(), world: World::Own(draw) };
    let mut plans =
        vec![own("rooms", rooms), own("maze", maze), own("wide-maze", wide_maze), own("pillars", pillars)];
    for folder in ["wkt", "movingai"] {
        let Some(folder) = data_folder().filter(|_| !reduced).map(|data| data.join("maps").join(folder))
        else {
            continue;
        };
        let Ok(files) = std::fs::read_dir(folder) else { continue };
        let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        for file in files {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let stem = name.strip_suffix(".gz").unwrap_or(&name);
            if let Some(stem) = stem.strip_suffix(".wkt").or_else(|| stem.strip_suffix(".map")) {
                plans.push(Plan {
                    name: stem.into(),
                    world: World::File(file.canonicalize().unwrap_or(file)),
                });
            }
        }
    }
    plans
}

/// Places to walk between that are joined.
fn walks(plan: &Plan, extent: &Extent, count: usize, least: f64) -> Result<Vec<Walk>, String> {
    let empty = plan.scene("orca").stage(extent.seed).map_err(|why| format!("{}: {why}", plan.name))?;
    let setting = empty.setting();
    let mut stream = Stream::new(extent.seed, 0);
    let mut walks = Vec::new();
    let mut least = least;
    for draw in 0..100 * count {
        if walks.len() == count {
            break;
        }
        // Where a plan is smaller than that, shorter ways have to do.
        if draw % (20 * count) == 20 * count - 1 {
            least *= 0.5;
        }
        let mut place = || setting.ground.random_point(None, ROOM, &mut stream);
        let (Some(from), Some(to)) = (place(), place()) else { continue };
        let Ok(route) = setting.router.route(from, to, ROOM - 0.11) else { continue };
        if route.length >= least {
            let speed = 0.9 + 0.6 * stream.unit() as f32;
            let outside = |place: Vec2| (place.as_dvec2() + setting.ground.origin()).to_array();
            let (from, to) = (outside(from), outside(to));
            walks.push(Walk { from, to, speed, length: route.length, seconds: None });
        }
    }
    match walks.len() {
        0 => Err(format!("{}: no two places are joined", plan.name)),
        _ => Ok(walks),
    }
}

fn walk_alone(mover: &str, plan: &Plan, extent: &Extent) -> Result<Alone, String> {
    let walks = walks(plan, extent, extent.alone, LEAST_WAY)?;
    let walked: Vec<Walk> = walks
        .into_par_iter()
        .enumerate()
        .map(|(number, walk)| walk_once(mover, plan, walk, extent.seed + number as u64))
        .collect::<Result<_, String>>()?;
    let time = |walk: &Walk| Some(walk.seconds? * walk.speed / walk.length as f32);
    let times: Vec<f32> = walked.iter().filter_map(time).collect();
    let lateness = |walk: &Walk| time(walk).unwrap_or(f32::INFINITY);
    let is_late = |walk: &&Walk| time(walk).is_none_or(|time| time > LATE);
    Ok(Alone {
        mover: mover.into(),
        plan: plan.name.clone(),
        people: walked.len(),
        arrived: times.len(),
        late: walked.iter().filter(is_late).count(),
        mean_time: times.iter().sum::<f32>() / times.len().max(1) as f32,
        longest_time: times.iter().copied().fold(0.0, f32::max),
        late_one: walked.iter().filter(is_late).max_by(|a, b| lateness(a).total_cmp(&lateness(b))).copied(),
    })
}

/// Lets one person walk; the length of the route is to where it arrived.
fn walk_once(mover: &str, plan: &Plan, mut walk: Walk, seed: u64) -> Result<Walk, String> {
    let [x, y] = walk.to;
    let mut staged = plan
        .scene(mover)
        .place("goal", [x - GOAL, y - GOAL, x + GOAL, y + GOAL])
        .exit("goal")
        .person(walk.from, "goal", walk.speed)
        .stage(seed)
        .map_err(|why| format!("{}: {why}", plan.name))?;
    let origin = staged.setting().ground.origin();
    let local = |place: [f64; 2]| (DVec2::from(place) - origin).as_vec2();
    let (from, to) = (local(walk.from), local(walk.to));
    let most = 3.0 * walk.length as f32 / walk.speed + 20.0;
    let inside = |place: Vec2| (place - to).abs().max_element() <= GOAL as f32;
    let mut last = None;
    while staged.time() < most {
        staged.step();
        let place = staged.people().values().next().copied();
        // Who has gone has arrived: the goal is the only exit.
        let arrived = place.filter(|&place| inside(place)).or(last.filter(|_| place.is_none()));
        if let Some(there) = arrived {
            walk.seconds = Some(staged.time());
            if let Ok(route) = staged.setting().router.route(from, there, ROOM - 0.11) {
                walk.length = route.length;
            }
            break;
        }
        last = place;
    }
    Ok(walk)
}

/// Lets a crowd leave a plan by a place that most can reach.
fn leave(mover: &str, plan: &Plan, extent: &Extent) -> Result<Leaving, String> {
    // The place that the longest of some ways leads to: few plans have their exit in the middle.
    let ways = walks(plan, extent, 12, 1.0)?;
    let longest = ways.iter().max_by(|a, b| a.length.total_cmp(&b.length)).ok_or("no way")?;
    let [x, y] = longest.to;
    let empty = plan.scene("orca").stage(extent.seed).map_err(|why| format!("{}: {why}", plan.name))?;
    let ground = &empty.setting().ground;
    let wall = ground.nearest_wall((DVec2::new(x, y) - ground.origin()).as_vec2());
    let room = wall.map_or(WAY_OUT, |wall| f64::from(wall.distance) * FRAC_1_SQRT_2).clamp(GOAL, WAY_OUT);
    let scene = plan
        .scene(mover)
        .place("out", [x - room, y - room, x + room, y + room])
        .exit("out")
        .people_anywhere(extent.leaving, "out");
    let most = 2.0 * longest.length as f32 / SLOW + EACH * extent.leaving as f32;
    let outcome =
        run_out(&scene, extent.seed, most, NOWHERE).map_err(|why| format!("{}: {why}", plan.name))?;
    let (left, seconds) = (outcome.left, outcome.end());
    Ok(Leaving { mover: mover.into(), plan: plan.name.clone(), people: extent.leaving, left, seconds })
}

/// The thickness of our own walls in metres.
const THICK: f64 = 0.2;

/// Four by three rooms of 6 m × 5 m, each with doors of a metre to its neighbours.
fn rooms(mover: &str) -> SceneText {
    let (across, deep) = (4, 3);
    let (wide, high) = (6.0, 5.0);
    let (x1, y1) = (wide * f64::from(across), high * f64::from(deep));
    let mut scene = SceneText::new(&[[0.0, 0.0], [x1, 0.0], [x1, y1], [0.0, y1]], mover);
    for column in 0..across {
        for row in 0..deep {
            let (x, y) = (wide * f64::from(column), high * f64::from(row));
            // Doors are not opposite to each other.
            let door = 1.0 + f64::from((column * 5 + row * 3) % 4);
            if column > 0 {
                scene = scene.wall([x - THICK / 2.0, y, x + THICK / 2.0, y + door]);
                scene = scene.wall([x - THICK / 2.0, y + door + 1.0, x + THICK / 2.0, y + high]);
            }
            if row > 0 {
                scene = scene.wall([x, y - THICK / 2.0, x + door, y + THICK / 2.0]);
                scene = scene.wall([x + door + 1.0, y - THICK / 2.0, x + wide, y + THICK / 2.0]);
            }
        }
    }
    scene
}

fn maze(mover: &str) -> SceneText {
    labyrinth(mover, 10, 1.2, 7)
}

fn wide_maze(mover: &str) -> SceneText {
    labyrinth(mover, 8, 2.4, 8)
}

/// A maze of `cells` × `cells` cells with walls between those that are not joined.
fn labyrinth(mover: &str, cells: usize, size: f64, seed: u64) -> SceneText {
    let mut stream = Stream::new(seed, 0);
    let side = size * cells as f64;
    let mut scene = SceneText::new(&[[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]], mover);
    // Whether a cell is joined to the one east of it, and to the one north of it.
    let mut joined = vec![[false; 2]; cells * cells];
    let mut known = vec![false; cells * cells];
    let mut way = vec![0usize];
    known[0] = true;
    while let Some(&here) = way.last() {
        let (x, y) = (here % cells, here / cells);
        let mut near = Vec::new();
        near.extend((x + 1 < cells).then(|| here + 1));
        near.extend((x > 0).then(|| here - 1));
        near.extend((y + 1 < cells).then(|| here + cells));
        near.extend((y > 0).then(|| here - cells));
        near.retain(|cell| !known[*cell]);
        if near.is_empty() {
            way.pop();
            continue;
        }
        let next = near[(stream.unit() * near.len() as f64) as usize % near.len()];
        joined[here.min(next)][usize::from(here.abs_diff(next) == cells)] = true;
        known[next] = true;
        way.push(next);
    }
    for (cell, [east, north]) in joined.into_iter().enumerate() {
        let (x, y) = ((cell % cells) as f64 * size, (cell / cells) as f64 * size);
        let half = THICK / 2.0;
        if !east && cell % cells + 1 < cells {
            scene = scene.wall([x + size - half, y - half, x + size + half, y + size + half]);
        }
        if !north && cell / cells + 1 < cells {
            scene = scene.wall([x - half, y + size - half, x + size + half, y + size + half]);
        }
    }
    scene
}

/// A hall of 30 m × 20 m with pillars of 0.6 m every 2 m.
fn pillars(mover: &str) -> SceneText {
    let mut scene = SceneText::new(&[[0.0, 0.0], [30.0, 0.0], [30.0, 20.0], [0.0, 20.0]], mover);
    for column in 1..15 {
        for row in 1..10 {
            let shift = if row % 2 == 0 { 0.5 } else { 0.0 };
            let (x, y) = (2.0 * f64::from(column) + shift, 2.0 * f64::from(row));
            scene = scene.wall([x - 0.3, y - 0.3, x + 0.3, y + 0.3]);
        }
    }
    scene
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for why in &self.failed {
            writeln!(f, "a run failed: {why}")?;
        }
        writeln!(
            f,
            "{:<13} {:<32} {:>6} {:>8} {:>5} {:>10} {:>10}",
            "mover", "plan", "people", "arrived", "late", "mean time", "longest"
        )?;
        for one in &self.alone {
            writeln!(
                f,
                "{:<13} {:<32} {:>6} {:>8} {:>5} {:>10.2} {:>10.2}",
                one.mover, one.plan, one.people, one.arrived, one.late, one.mean_time, one.longest_time
            )?;
            if let Some(Walk { from, to, speed, length, seconds }) = one.late_one {
                let after =
                    seconds.map_or("never arrives".into(), |seconds| format!("arrives after {seconds:.1} s"));
                writeln!(f, "    from {from:.2?} to {to:.2?}, {length:.1} m at {speed:.2} m/s, {after}")?;
            }
        }
        if !self.leaving.is_empty() {
            writeln!(f, "{:<13} {:<32} {:>6} {:>8} {:>8}", "mover", "plan", "people", "left", "seconds")?;
        }
        for one in &self.leaving {
            writeln!(
                f,
                "{:<13} {:<32} {:>6} {:>8} {:>8.0}",
                one.mover, one.plan, one.people, one.left, one.seconds
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_on_clips_get_through_mazes_of_narrow_corridors() {
        // Where streams met at openings of such corridors, they once stood nose to nose for ever.
        let only = ["rooms", "maze", "wide-maze"].map(String::from).to_vec();
        let extent =
            Extent { movers: vec!["graph".into()], seed: 5, only, alone: 12, leaving: 160, reduced: true };
        let report = run(&extent);
        println!("{report}");
        for one in &report.alone {
            assert_eq!((one.people, one.arrived), (12, 12), "{report}");
            assert!(one.mean_time < if one.plan == "maze" { 1.9 } else { 1.4 }, "{report}");
        }
        assert_eq!(report.leaving.len(), 3, "{report}");
        assert!(report.leaving.iter().all(|one| one.left == 0), "{report}");
    }

    #[test]
    fn whoever_is_alone_arrives_and_a_crowd_gets_out() {
        let movers = ["social-force", "orca", "hidac"].map(String::from).to_vec();
        let report = run(&Extent { movers, seed: 1, only: Vec::new(), alone: 8, leaving: 40, reduced: true });
        assert_eq!((report.alone.len(), report.leaving.len()), (12, 12), "{report}");
        for one in &report.alone {
            assert_eq!((one.people, one.arrived), (8, 8), "{report}");
            assert!(one.mean_time < 1.6, "{report}");
        }
        assert!(report.leaving.iter().all(|one| one.left == 0), "{report}");
    }
}
