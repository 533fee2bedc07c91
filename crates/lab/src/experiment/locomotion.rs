//! The locomotion engine beside tables 4.1 and 4.2 of its source: what its components keep, what it takes, and whether feet
//! stay put at every speed.

use crowdloom_locomotion::{Cycle, Engine, FRAMES, Gait, Pca, PersonalWalk, Wish};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::import::{OptionSource, Preset, import_files_onto};
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::{Clip, Contacts, Placement, builtin};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Cycles that were learnt from, and people who walked and ran them.
    pub cycles: usize,
    /// People who walked and ran them.
    pub people: usize,
    /// The share of the variance that 10 components of all cycles keep (table 4.1: 0.97).
    pub variance_main: f64,
    /// The share that 2 components of each person's keep, on the mean (table 4.1: 0.95).
    pub variance_subject: f64,
    /// The share that 1 component of each person's walks and runs keeps, on the mean (table 4.1: 0.95).
    pub variance_gait: f64,
    /// Numbers of all cycles by numbers of the engine (source: 25).
    pub compression: f64,
    /// Microseconds that a cycle of 100 frames takes (source: 1500), best of several.
    pub cycle_us: f64,
    /// Microseconds that one pose takes, best of several.
    pub pose_us: f64,
    /// Speed of feet in contact and more, by speed.
    pub foot_speed: Vec<AtSpeed>,
    /// The same components of real people's captures, where there are any.
    pub captured: Option<Captured>,
    /// The simpler variant: components of each person's own walks that keep 80 % (table 4.2: 3, 3, 2, 4, 3).
    pub components_of_one: Vec<usize>,
    /// Walks that each person's components are made of, standing among them, by components (table 4.2: 13, 13, 20, 10, 13).
    pub reduction_of_one: Vec<f32>,
}

/// What components keep where the engine learns from captures besides the built-in gait.
#[derive(Debug, Serialize)]
pub struct Captured {
    /// Files that were read.
    pub files: usize,
    /// Captured cycles of people of whom there are walks and runs, standing among them where somebody stands.
    pub cycles: usize,
    /// Captured people of whom there are walks and runs.
    pub people: usize,
    /// The share of the variance that 10 components of all cycles keep, built-in ones and captured ones.
    pub variance_main: f64,
    /// The share that 2 components of each person's keep, on the mean.
    pub variance_subject: f64,
    /// The share that 1 component of each person's walks and runs keeps, on the mean.
    pub variance_gait: f64,
    /// Components of all these cycles that keep 97 %.
    pub components_97: usize,
    /// The three shares of an engine that learns from the captured people alone.
    pub variance_alone: [f64; 3],
    /// Everybody of whom there is any cycle.
    pub everybody: usize,
    /// The share of the variance that 10 components of everybody's cycles keep.
    pub variance_everybody: f64,
}

/// Learns from captures in a folder, whose names begin with the number of the person (`16_15.bvh`).
fn captured(folder: &Path) -> Option<Captured> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|own| own == "bvh"));
    files.sort();
    let skeleton = builtin::library().skeleton;
    let name_of = |name: &str| name.split(['_', '-']).next().unwrap_or_default().to_owned();
    let (library, _) = import_files_onto(Some(&skeleton), &files, &OptionSource::Preset(Preset::Cmu), || {});
    let library = library?;
    let mut people: Vec<String> = library.clips.iter().map(|clip| name_of(&clip.name)).collect();
    people.sort();
    people.dedup();
    let of = |clip: &Clip| {
        let number = people.binary_search(&name_of(&clip.name)).unwrap_or(0);
        Cycle::of_capture(&skeleton, clip, number)
    };
    let mut cycles: Vec<Cycle> = library.clips.iter().flat_map(of).collect();
    let values = |cycles: &[Cycle]| cycles.iter().map(|cycle| cycle.values.clone()).collect::<Vec<_>>();
    let everybody = (0..people.len()).filter(|&one| cycles.iter().any(|cycle| cycle.subject == one)).count();
    // As in the source, people are learnt from who both walk and run: a person's space needs both.
    let does =
        |person: usize, gait: Gait| cycles.iter().any(|cycle| cycle.subject == person && cycle.gait == gait);
    let both: Vec<bool> =
        (0..people.len()).map(|one| does(one, Gait::Walk) && does(one, Gait::Run)).collect();
    let mut aligned = cycles.clone();
    Cycle::align(&mut aligned);
    let variance_everybody = Pca::of(&values(&aligned), 10).variance;
    cycles.retain(|cycle| both[cycle.subject]);
    for person in (0..people.len()).filter(|&one| both[one]) {
        let clips = library.clips.iter().filter(|clip| name_of(&clip.name) == people[person]);
        cycles.extend(clips.filter_map(|clip| Cycle::standing_in(&skeleton, clip, person)).next());
    }
    let mut alone = cycles.clone();
    Cycle::align(&mut alone);
    let alone = Engine::learn(&skeleton, &alone)?;
    let mut all = Engine::builtin_cycles()?;
    let first = builtin::SUBJECTS;
    all.extend(cycles.iter().map(|cycle| Cycle { subject: cycle.subject + first, ..cycle.clone() }));
    Cycle::align(&mut all);
    let engine = Engine::learn(&skeleton, &all)?;
    let components_97 = Pca::keep(&values(&all), |share, _| share < 0.97).kept;
    let quality = engine.quality();
    Some(Captured {
        files: files.len(),
        cycles: cycles.len(),
        people: alone.people(),
        variance_main: quality.variance[0],
        variance_subject: quality.variance[1],
        variance_gait: quality.variance[2],
        components_97,
        variance_alone: alone.quality().variance,
        everybody,
        variance_everybody,
    })
}

/// A cycle of some speed.
#[derive(Debug, Serialize)]
pub struct AtSpeed {
    /// `walk` or `run`.
    pub gait: &'static str,
    /// Metres a second.
    pub speed: f32,
    /// Mean speed of heels and balls in contact, in metres a second.
    pub foot_speed: f32,
    /// The least flexion of a knee in degrees: below 0 it bends backwards.
    pub least_knee: f32,
    /// The least distance of a hand from the middle of the head in metres.
    pub hand_to_head: f32,
    /// The share of the cycle in which both feet are on the ground.
    pub double_support: f32,
    /// Cycles in a second (equations 4.6 and 4.7).
    pub frequency: f32,
}

const REPEATS: usize = 200;

/// Runs the experiment, also with the captures of a folder; `None` where the built-in gait cannot be learnt.
pub fn run(captures: Option<&Path>) -> Option<Report> {
    let engine = Engine::builtin()?;
    let quality = engine.quality().clone();
    let wish = |speed: f32, runs: f32| Wish { people: Vec::new(), speed, runs, leg: engine.leg() };
    let best = |work: &mut dyn FnMut(usize)| {
        let mut best = f64::INFINITY;
        for number in 0..REPEATS {
            let begin = Instant::now();
            work(number);
            best = best.min(begin.elapsed().as_secs_f64() * 1e6);
        }
        best
    };
    let mut values = Vec::with_capacity(FRAMES * 100);
    let cycle_us = best(&mut |number| {
        engine.cycle(&wish(0.5 + number as f32 * 0.01, 0.3), &mut values);
        black_box(values.last());
    });
    let mut rotations = Vec::new();
    const POSES: usize = 50;
    let pose_us = best(&mut |number| {
        for pose in 0..POSES {
            let phase = (number * 7 + pose) as f32 * 0.013;
            black_box(engine.pose(&wish(0.5 + pose as f32 * 0.03, 0.0), phase, &mut rotations));
        }
    }) / POSES as f64;
    let walks = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.17];
    let runs = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.55];
    let at = |gait: &'static str, speed: f32| {
        let wish = wish(speed, if gait == "run" { 1.0 } else { 0.0 });
        let clip = engine.clip(&wish, gait);
        let (least_knee, hand_to_head) = limbs(&engine, &clip);
        let both = |own: &&Contacts| own.touches(Contacts::LEFT) && own.touches(Contacts::RIGHT);
        AtSpeed {
            gait,
            speed,
            foot_speed: contact_speed(engine.skeleton(), &clip).unwrap_or(0.0),
            least_knee,
            hand_to_head,
            double_support: clip.contacts.iter().filter(both).count() as f32 / clip.frames() as f32,
            frequency: engine.frequency(&wish),
        }
    };
    let foot_speed =
        walks.iter().map(|&speed| at("walk", speed)).chain(runs.iter().map(|&speed| at("run", speed)));
    let (components_of_one, reduction_of_one) = of_one();
    Some(Report {
        cycles: quality.cycles,
        people: engine.people(),
        variance_main: quality.variance[0],
        variance_subject: quality.variance[1],
        variance_gait: quality.variance[2],
        compression: quality.compression,
        cycle_us,
        pose_us,
        foot_speed: foot_speed.collect(),
        captured: captures.and_then(captured),
        components_of_one,
        reduction_of_one,
    })
}

/// How many components of each person's walks keep 80 % (section 4.4), and walks by components.
fn of_one() -> (Vec<usize>, Vec<f32>) {
    let skeleton = builtin::library().skeleton;
    let cycles = Engine::builtin_cycles().unwrap_or_default();
    let people = (0..builtin::SUBJECTS).filter_map(|one| PersonalWalk::learn(&skeleton, &cycles, one));
    people.map(|walk| (walk.components(), walk.reduction())).unzip()
}

/// The least flexion of a knee in degrees, and the least distance of a hand from the head in metres.
fn limbs(engine: &Engine, clip: &Clip) -> (f32, f32) {
    let skeleton = engine.skeleton();
    let body = Body::guess(skeleton);
    let (mut knee, mut hand) = (f32::INFINITY, f32::INFINITY);
    for frame in 0..clip.frames() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let facing = clip.track[frame].facing().extend(0.0);
        for side in Side::BOTH {
            if let Some(leg) = body.leg(side) {
                let [hip, own, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| joints.positions[joint]);
                let angle = (own - hip).angle_between(ankle - own).to_degrees();
                let ahead = (own - hip.lerp(ankle, 0.5)).dot(facing);
                knee = knee.min(if ahead < -0.01 { -angle } else { angle });
            }
            if let (Some(wrist), Some(head)) = (body.limb(side, LimbPart::Hand), body.head) {
                let middle = joints.positions[head].lerp(joints.tip(skeleton, head), 0.5);
                hand = hand.min(joints.positions[wrist].distance(middle));
            }
        }
    }
    (knee, hand)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} cycles of {} people; {:.1} times smaller (source: 25)",
            self.cycles, self.people, self.compression
        )?;
        writeln!(f, "variance kept      here  source")?;
        writeln!(f, "10 of all        {:6.3}    0.97", self.variance_main)?;
        writeln!(f, "2 of a person    {:6.3}    0.95", self.variance_subject)?;
        writeln!(f, "1 of a gait      {:6.3}    0.95", self.variance_gait)?;
        if let Some(own) = &self.captured {
            writeln!(
                f,
                "with captures    {:6.3} {:6.3} {:6.3} ({} cycles more of {} people who walk and run, {} files)",
                own.variance_main, own.variance_subject, own.variance_gait, own.cycles, own.people, own.files
            )?;
            let [main, subject, gait] = own.variance_alone;
            writeln!(f, "captures alone   {main:6.3} {subject:6.3} {gait:6.3}")?;
            writeln!(
                f,
                "                 97 % take {} components with captures; 10 keep {:.3} of all {} captured people's cycles",
                own.components_97, own.variance_everybody, own.everybody
            )?;
        }
        writeln!(
            f,
            "a cycle of 100 frames {:.1} µs (source: 1500), a pose {:.2} µs",
            self.cycle_us, self.pose_us
        )?;
        writeln!(
            f,
            "one person's walks, 80 %: {:?} components, reduction {:.1?} (source: 3, 3, 2, 4, 3; 13, 13, 20, 10, 13)",
            self.components_of_one, self.reduction_of_one
        )?;
        writeln!(f, "gait   m/s  foot m/s  knee °  hand-head m  double support  cycles/s")?;
        for at in &self.foot_speed {
            writeln!(
                f,
                "{:4} {:5.2} {:9.3} {:7.1} {:12.2} {:15.2} {:9.2}",
                at.gait,
                at.speed,
                at.foot_speed,
                at.least_knee,
                at.hand_to_head,
                at.double_support,
                at.frequency
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_keep_captured_people_too() {
        let root = std::env::var_os("CROWDLOOM_DATA").map(PathBuf::from);
        let root =
            root.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
        let folder = root.join("mocap/cmu_bvh");
        if !folder.is_dir() {
            println!("skipped: {} is not here; set CROWDLOOM_DATA to the data folder", folder.display());
            return;
        }
        let found = captured(&folder).unwrap();
        println!("{found:?}");
        assert!(found.people >= 4 && found.cycles >= 40, "{found:?}");
        assert!(found.variance_main >= 0.97, "{found:?}");
        assert!(found.variance_subject >= 0.95 && found.variance_gait >= 0.95, "{found:?}");
    }
}
