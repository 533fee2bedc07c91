//! Speed against density, of every mover as scenes run it, beside what was measured of people.
//!
//! Four geometries; in each the density is held otherwise:
//! - `corridor`: that of the HERMES experiments, 1.8 m wide and 8 m long; people come in at the rate at which they did there
//!   (where their entrance was narrower than a body's way), and the exit behind it holds them back at high densities.
//!   Measured in 1.8 m × 2 m while half of the people pass.
//! - `column`: 50 m of a corridor 3 m wide and 70 m long are filled evenly and all go; measured 20 m to 28 m from the tail
//!   end between seconds 5 and 12, before either end of the column comes there.
//! - `ring`: an oval 3 m wide with straights of 24 m, closed; people go round by four stops in turn, at both ends of the
//!   straights. Measured in the middle 12 m of both straights: in the curves people keep to the inside.
//! - `single-file`: RiMEA's oval, straights of 4 m and radius 3 m, closed, 0.8 m wide; densities per metre.

use super::reference;
use crate::staged::{SceneText, Staged, arc};
use crowdloom_motion::FRAME_RATE;
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each mover, geometry, density and seed.
    pub runs: Vec<Run>,
    /// Density per square metre and speed in metres a second of people in the HERMES corridor.
    pub measured: Vec<(f32, f32)>,
    /// Runs that could not be made, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
    /// Density and speed of the run uo-050-180-180 as read from its file, where it is there.
    pub read_from_file: Option<(f32, f32)>,
}

/// One scene.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// What moved people.
    pub mover: String,
    /// The geometry.
    pub geometry: &'static str,
    /// How the density is held: people a second and exit in metres, or the density that is asked for.
    pub setting: String,
    /// The seed.
    pub seed: u64,
    /// Mean density where it was measured, in people per square metre; per metre in single file.
    pub density: f32,
    /// Mean speed there in metres a second.
    pub speed: f32,
    /// People's speed at that density in metres a second.
    pub measured_speed: f32,
    /// People whom the scene asked for.
    pub asked: usize,
}

/// How much is run.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Movers, as scenes call them; `graph` is none.
    pub movers: Vec<String>,
    /// Seeds.
    pub seeds: std::ops::Range<u64>,
    /// Only these geometries, by name; all where there is none.
    pub only: Vec<String>,
    /// Whether only every other density is run, for tests.
    pub reduced: bool,
}

#[derive(Clone, Copy, Debug)]
enum Case {
    /// People a second who come in (all at once where there is none), and the exit's width in metres.
    Corridor(Option<f32>, f64),
    Column(f32),
    Ring(f32),
    SingleFile(f32),
}

/// Inflow of the HERMES runs uo-050 to uo-145, then their exits; 0.70 m are too narrow for ways with a margin.
const CORRIDOR: [(Option<f32>, f64); 9] = [
    (Some(1.22), 1.8),
    (Some(1.36), 1.8),
    (Some(1.62), 1.8),
    (Some(2.47), 1.8),
    (Some(2.79), 1.8),
    (None, 1.8),
    (None, 1.2),
    (None, 0.95),
    (None, 0.8),
];
const COLUMN: [f32; 6] = [0.5, 0.8, 1.1, 1.5, 1.9, 2.2];
const RING: [f32; 5] = [0.5, 1.0, 1.5, 1.9, 2.2];
const FILE: [f32; 6] = [0.3, 0.7, 0.9, 1.1, 1.3, 1.5];
/// Seconds to each side over which speeds are taken: five frames at 16 a second.
const AROUND: usize = 10;

/// Runs the experiment.
pub fn run(extent: &Extent) -> Report {
    let mut cases: Vec<Case> = CORRIDOR.map(|(rate, exit)| Case::Corridor(rate, exit)).to_vec();
    cases.extend(COLUMN.map(Case::Column));
    cases.extend(RING.map(Case::Ring));
    cases.extend(FILE.map(Case::SingleFile));
    let every = if extent.reduced { 5 } else { 1 };
    let all: Vec<(&String, Case, u64)> = extent
        .movers
        .iter()
        .flat_map(|mover| {
            let is_wanted =
                |case: &&Case| extent.only.is_empty() || extent.only.iter().any(|n| n == case.geometry());
            let cases = cases.iter().step_by(every).filter(is_wanted);
            cases.flat_map(move |&case| extent.seeds.clone().map(move |seed| (mover, case, seed)))
        })
        .collect();
    let results: Vec<Result<Run, String>> =
        all.into_par_iter().map(|(mover, case, seed)| case.run(mover, seed)).collect();
    let (runs, failed) = apart(results);
    Report {
        runs,
        failed,
        measured: reference::HERMES.to_vec(),
        read_from_file: reference::read_hermes_run(),
    }
}

/// What succeeded, and why the rest did not.
pub(super) fn apart<T>(results: Vec<Result<T, String>>) -> (Vec<T>, Vec<String>) {
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(one) => done.push(one),
            Err(why) => failed.push(why),
        }
    }
    (done, failed)
}

/// The geometries, as reports call them.
pub const GEOMETRIES: [&str; 4] = ["corridor", "column", "ring", "single-file"];

impl Case {
    fn geometry(self) -> &'static str {
        match self {
            Self::Corridor(..) => "corridor",
            Self::Column(_) => "column",
            Self::Ring(_) => "ring",
            Self::SingleFile(_) => "single-file",
        }
    }

    fn run(self, mover: &str, seed: u64) -> Result<Run, String> {
        let geometry = self.geometry();
        let scene = match self {
            Self::Corridor(rate, exit) => corridor(mover, rate, exit),
            Self::Column(density) => column(mover, density),
            Self::Ring(density) => ring(mover, density),
            Self::SingleFile(density) => single_file(mover, density),
        };
        let mut staged = scene.stage(seed)?;
        let asked = staged.asked;
        let (density, speed) = match self {
            Self::Corridor(..) => in_corridor(&mut staged),
            Self::Column(_) => {
                let inside = |p: Vec2| (20.0..28.0).contains(&p.x);
                watch(&mut staged, 5.0, 12.0, inside, |a, b| (b - a).x, 24.0)
            }
            Self::Ring(_) => {
                let inside = |p: Vec2| p.x.abs() <= 6.0;
                // Below people go east, above west.
                let way = |a: Vec2, b: Vec2| if a.y < 0.0 { (b - a).x } else { (a - b).x };
                watch(&mut staged, 20.0, 60.0, inside, way, 2.0 * 12.0 * RING_WIDTH as f32)
            }
            Self::SingleFile(_) => watch(&mut staged, 20.0, 60.0, |_| true, along_oval, OVAL_LENGTH),
        };
        let measured_speed = match self {
            Self::SingleFile(_) => reference::single_file_speed_at(density),
            _ => reference::speed_at(density),
        };
        let setting = match self {
            Self::Corridor(Some(rate), exit) => format!("{rate}/s, exit {exit} m"),
            Self::Corridor(None, exit) => format!("exit {exit} m"),
            Self::Column(density) | Self::Ring(density) | Self::SingleFile(density) => density.to_string(),
        };
        Ok(Run { mover: mover.into(), geometry, setting, seed, density, speed, measured_speed, asked })
    }
}

/// Mean density and speed of those for whom `inside` holds, between two times; `way` is how far one got on.
fn watch(
    staged: &mut Staged,
    from: f32,
    to: f32,
    inside: impl Fn(Vec2) -> bool,
    way: impl Fn(Vec2, Vec2) -> f32,
    area: f32,
) -> (f32, f32) {
    let mut sums = Sums::default();
    let mut past: Vec<BTreeMap<u32, Vec2>> = Vec::new();
    while staged.time() < to {
        staged.step();
        past.push(staged.people());
        if past.len() > 2 * AROUND + 1 {
            past.remove(0);
        }
        if staged.time() >= from && past.len() == 2 * AROUND + 1 {
            sums.add(&past, &inside, &way);
        }
    }
    sums.finish(area)
}

/// The HERMES corridor: while the middle half of all people pass.
fn in_corridor(staged: &mut Staged) -> (f32, f32) {
    let inside = |p: Vec2| (0.0..1.8).contains(&p.x) && (-2.0..0.0).contains(&p.y);
    let way = |a: Vec2, b: Vec2| a.distance(b);
    let mut sums = Vec::new();
    let mut past: Vec<BTreeMap<u32, Vec2>> = Vec::new();
    let mut passed: BTreeMap<u32, f32> = BTreeMap::new();
    while staged.time() < 240.0 && passed.len() < staged.asked {
        staged.step();
        past.push(staged.people());
        if past.len() > 2 * AROUND + 1 {
            past.remove(0);
        }
        for (id, place) in &past[past.len() - 1] {
            if place.y < -1.0 && !passed.contains_key(id) {
                passed.insert(*id, staged.time());
            }
        }
        if past.len() == 2 * AROUND + 1 {
            let mut one = Sums::default();
            one.add(&past, &inside, &way);
            sums.push((staged.time(), one));
        }
    }
    let mut times: Vec<f32> = passed.into_values().collect();
    times.sort_by(f32::total_cmp);
    let at = |share: f32| times.get((times.len() as f32 * share) as usize).copied();
    let (Some(from), Some(to)) = (at(0.3), at(0.8)) else { return (0.0, 0.0) };
    let mut total = Sums::default();
    for (_, one) in sums.iter().filter(|(time, _)| (from..to).contains(time)) {
        total.moments += one.moments;
        total.seen += one.seen;
        total.way += one.way;
    }
    total.finish(1.8 * 2.0)
}

#[derive(Default)]
struct Sums {
    moments: u32,
    seen: u32,
    way: f64,
}

impl Sums {
    fn add(
        &mut self,
        past: &[BTreeMap<u32, Vec2>],
        inside: &impl Fn(Vec2) -> bool,
        way: &impl Fn(Vec2, Vec2) -> f32,
    ) {
        self.moments += 1;
        for (id, _) in past[AROUND].iter().filter(|(_, place)| inside(**place)) {
            self.seen += 1;
            // Who has just come or goes has a shorter past or future.
            let known =
                |mut records: std::ops::RangeInclusive<usize>| records.find(|&at| past[at].contains_key(id));
            let last = (AROUND..=2 * AROUND).rev().find(|&at| past[at].contains_key(id));
            if let (Some(first), Some(last)) = (known(0..=AROUND), last)
                && last > first
            {
                let seconds = (last - first) as f32 / FRAME_RATE;
                self.way += f64::from(way(past[first][id], past[last][id]) / seconds);
            }
        }
    }

    fn finish(&self, area: f32) -> (f32, f32) {
        let density = self.seen as f32 / (self.moments.max(1) as f32 * area);
        (density, (self.way / f64::from(self.seen.max(1))) as f32)
    }
}

/// Waiting room, antechamber, corridor, exit.
fn corridor(mover: &str, rate: Option<f32>, exit: f64) -> SceneText {
    let people = 150;
    let coming = rate.map_or(0.0, |rate| people as f32 / rate);
    let (left, right) = (0.9 - exit / 2.0, 0.9 + exit / 2.0);
    SceneText::new(&[[-6.0, -8.0], [8.0, -8.0], [8.0, 18.0], [-6.0, 18.0]], mover)
        .wall([-6.0, -4.0, 0.0, 4.0])
        .wall([1.8, -4.0, 8.0, 4.0])
        .wall([-6.0, 4.0, -1.0, 8.0])
        .wall([2.8, 4.0, 8.0, 8.0])
        .wall([-6.0, -4.2, left, -4.0])
        .wall([right, -4.2, 8.0, -4.0])
        .place("room", [-5.5, 8.8, 7.5, 17.8])
        .place("out", [-2.0, -7.8, 3.8, -6.0])
        .exit("out")
        .people(people, ("room", "out"), [0.0, coming], None)
}

fn column(mover: &str, density: f32) -> SceneText {
    SceneText::new(&[[0.0, 0.0], [70.0, 0.0], [70.0, 3.0], [0.0, 3.0]], mover)
        .place("start", [0.3, 0.0, 50.3, 3.0])
        .place("out", [67.0, 0.0, 70.0, 3.0])
        .exit("out")
        .people((density * 150.0).round() as usize, ("start", "out"), [0.0, 0.0], None)
}

const RING_WIDTH: f64 = 3.0;
/// Half the length of the ring's straights, and the radius of its middle in the curves, in metres.
const RING_HALF: f64 = 12.0;
const RING_RADIUS: f64 = 5.0;

/// An oval around two points, as far from them as is asked for.
fn oval(half: f64, radius: f64) -> Vec<[f64; 2]> {
    use std::f64::consts::FRAC_PI_2;
    let mut corners = arc([half, 0.0], radius, -FRAC_PI_2, FRAC_PI_2, 32);
    corners.extend(arc([-half, 0.0], radius, FRAC_PI_2, 3.0 * FRAC_PI_2, 32));
    corners
}

fn ring(mover: &str, density: f32) -> SceneText {
    let (inner, outer) = (RING_RADIUS - RING_WIDTH / 2.0, RING_RADIUS + RING_WIDTH / 2.0);
    let area = RING_WIDTH * (4.0 * RING_HALF + std::f64::consts::TAU * RING_RADIUS);
    let people = (f64::from(density) * area).round() as usize;
    let mut scene = SceneText::new(&oval(RING_HALF, outer), mover).obstacle(&oval(RING_HALF, inner));
    let end = RING_HALF - 2.0;
    let stops = [
        [end, -outer, RING_HALF, -inner],
        [end, inner, RING_HALF, outer],
        [-RING_HALF, inner, -end, outer],
        [-RING_HALF, -outer, -end, -inner],
    ];
    // Where people are at first: both straights, and what lies beyond them.
    let parts = [
        [-end, -outer, end, -inner],
        [RING_HALF, -outer, RING_HALF + outer, outer],
        [-end, inner, end, outer],
        [-RING_HALF - outer, -outer, -RING_HALF, outer],
    ];
    let name = |stop: usize| format!("stop {}", stop % stops.len());
    for (number, (stop, part)) in stops.iter().zip(&parts).enumerate() {
        scene = scene
            .place(&name(number), *stop)
            .place(&format!("part {number}"), *part)
            .stop(&name(number), &name(number + 1));
    }
    let straight = (people as f64 * 2.0 * end * RING_WIDTH / area).round() as usize;
    let beyond = people / 2 - straight;
    for (number, count) in [straight, beyond, straight, beyond].into_iter().enumerate() {
        // Who is in the straight goes to its end, who is in a curve to the stop behind it.
        scene = scene.people(count, (&format!("part {number}"), &name(number)), [0.0, 0.0], None);
    }
    scene
}

/// The ring at several densities: density asked for, density and speed measured.
pub(crate) fn on_the_ring(mover: &str, densities: &[f32], seed: u64) -> Vec<(f32, f32, f32)> {
    let one = |&density: &f32| {
        let run = Case::Ring(density).run(mover, seed).ok()?;
        Some((density, run.density, run.speed))
    };
    densities.par_iter().filter_map(one).collect()
}

const OVAL_STRAIGHT: f32 = 4.0;
const OVAL_RADIUS: f32 = 3.0;
/// Half the width of the oval for single file, in metres.
const FILE_HALF: f64 = 0.4;
const OVAL_LENGTH: f32 = 2.0 * OVAL_STRAIGHT + std::f32::consts::TAU * OVAL_RADIUS;

fn single_file(mover: &str, density: f32) -> SceneText {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (half, radius) = (f64::from(OVAL_STRAIGHT) / 2.0, f64::from(OVAL_RADIUS));
    let mut scene =
        SceneText::new(&oval(half, radius + FILE_HALF), mover).obstacle(&oval(half, radius - FILE_HALF));
    let people = (density * OVAL_LENGTH).round() as usize;
    let curve = |centre: f64, from: f64, to: f64| {
        let mut corners = arc([centre, 0.0], radius + FILE_HALF, from, to, 9);
        corners.extend(arc([centre, 0.0], radius - FILE_HALF, to, from, 9));
        corners
    };
    let band = |y: f64| {
        let (low, high) = (y - FILE_HALF, y + FILE_HALF);
        vec![[-half, low], [half, low], [half, high], [-half, high]]
    };
    let parts = [
        band(-radius),
        curve(half, -FRAC_PI_2, 0.0),
        curve(half, 0.0, FRAC_PI_2),
        band(radius),
        curve(-half, FRAC_PI_2, PI),
        curve(-half, PI, 3.0 * FRAC_PI_2),
    ];
    let name = |part: usize| format!("p{}", part % parts.len());
    for (part, corners) in parts.iter().enumerate() {
        scene = scene.region(&name(part), corners).stop(&name(part), &name(part + 1));
    }
    for part in 0..parts.len() {
        let count = people * (part + 1) / parts.len() - people * part / parts.len();
        scene = scene.people(count, (&name(part), &name(part + 1)), [0.0, 0.0], None);
    }
    scene
}

/// How far one got along the oval, in metres; counter-clockwise is on.
fn along_oval(a: Vec2, b: Vec2) -> f32 {
    let place = |p: Vec2| {
        let half = OVAL_STRAIGHT / 2.0;
        let turn = std::f32::consts::PI * OVAL_RADIUS;
        match p.x {
            x if x > half => {
                let angle = libm::atan2f(p.y, x - half) + std::f32::consts::FRAC_PI_2;
                OVAL_STRAIGHT + angle * OVAL_RADIUS
            }
            x if x < -half => {
                let angle = libm::atan2f(-p.y, -x - half) + std::f32::consts::FRAC_PI_2;
                2.0 * OVAL_STRAIGHT + turn + angle * OVAL_RADIUS
            }
            x if p.y < 0.0 => x + half,
            x => OVAL_STRAIGHT + turn + half - x,
        }
    };
    let way = place(b) - place(a);
    (way + OVAL_LENGTH / 2.0).rem_euclid(OVAL_LENGTH) - OVAL_LENGTH / 2.0
}

impl Report {
    /// For each mover, density and speed of all runs per square metre: what a plot shows.
    pub fn curves(&self) -> Vec<(String, Vec<(f32, f32)>)> {
        let mut curves: Vec<(String, Vec<(f32, f32)>)> = Vec::new();
        for run in self.runs.iter().filter(|run| run.geometry != "single-file") {
            match curves.iter_mut().find(|curve| curve.0 == run.mover) {
                Some(curve) => curve.1.push((run.density, run.speed)),
                None => curves.push((run.mover.clone(), vec![(run.density, run.speed)])),
            }
        }
        for (_, points) in &mut curves {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        curves
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for why in &self.failed {
            writeln!(f, "a run failed: {why}")?;
        }
        match self.read_from_file {
            Some((density, speed)) => {
                writeln!(f, "people, uo-050-180-180 as read: {speed:.2} m/s at {density:.2} /m²")?;
            }
            None => writeln!(f, "measured files are not there (CROWDLOOM_DATA): published figures only")?,
        }
        writeln!(
            f,
            "{:<13} {:<12} {:>9} {:>8} {:>8} {:>7}",
            "mover", "geometry", "density", "speed", "people", "off"
        )?;
        let key = |run: &Run| (run.mover.clone(), run.geometry, run.setting.clone());
        for runs in self.runs.chunk_by(|a, b| key(a) == key(b)) {
            let mean = |of: fn(&Run) -> f32| runs.iter().map(of).sum::<f32>() / runs.len() as f32;
            let (speed, people) = (mean(|run| run.speed), mean(|run| run.measured_speed));
            writeln!(
                f,
                "{:<13} {:<12} {:>9.2} {:>8.2} {:>8.2} {:>6.0}%",
                runs[0].mover,
                runs[0].geometry,
                mean(|run| run.density),
                speed,
                people,
                (speed / people - 1.0) * 100.0
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oval_is_walked_forwards() {
        let points = [
            Vec2::new(-2.0, -3.0),
            Vec2::new(1.9, -3.0),
            Vec2::new(4.0, -1.5),
            Vec2::new(5.0, 0.0),
            Vec2::new(2.1, 3.0),
            Vec2::new(-1.0, 3.0),
            Vec2::new(-5.0, 0.0),
            Vec2::new(-2.1, -3.0),
        ];
        let mut whole = 0.0;
        for (at, from) in points.iter().enumerate() {
            let way = along_oval(*from, points[(at + 1) % points.len()]);
            assert!(way > 0.0, "{at}: {way}");
            whole += way;
        }
        assert!((whole - OVAL_LENGTH).abs() < 1e-3);
    }

    #[test]
    fn the_ring_is_walked_as_fast_as_people_walk_where_it_is_as_dense() {
        for (mover, off) in [("social-force", 0.2), ("hidac", 0.2), ("graph", 0.3)] {
            let measured = on_the_ring(mover, &[1.0, 1.9], 7);
            assert_eq!(measured.len(), 2, "{mover}");
            for (_, density, speed) in measured {
                let people = reference::speed_at(density);
                assert!(
                    (speed / people - 1.0).abs() < off,
                    "{mover}: {speed} m/s at {density}, people {people}"
                );
            }
        }
    }

    #[test]
    fn clip_agents_follow_in_single_file_as_people_do() {
        for density in [0.7, 1.1] {
            let run = Case::SingleFile(density).run("graph", 7).unwrap();
            assert!((run.speed / run.measured_speed - 1.0).abs() < 0.3, "{run:?}");
        }
    }

    #[test]
    fn people_get_slower_where_it_is_dense() {
        let movers = vec!["social-force".to_owned()];
        let report = run(&Extent { movers, seeds: 1..2, only: Vec::new(), reduced: true });
        assert!(report.runs.len() >= 5, "{report}");
        let column: Vec<&Run> = report.runs.iter().filter(|run| run.geometry == "column").collect();
        for two in column.windows(2) {
            assert!(two[1].density > two[0].density && two[1].speed < two[0].speed, "{report}");
        }
        for run in &report.runs {
            assert!(run.speed > 0.0 && run.speed < 1.7 && run.density > 0.2, "{run:?}");
        }
    }
}
