//! What the choice of styles adds to a frame (Gu and Deng 2010, table II): the same crowd in the same run, once with
//! styles by lot and once with the scheme.
//!
//! A frame is what the source's frame is, without drawing: a HiDAC step, everybody's body moved on, and everybody's
//! joints posed in space, with a camera that sees the crowd (equation 8), for as many frames as a run of minutes. Everybody
//! goes on to another goal on arrival, so that nobody ever stops choosing. Styles change nothing about where people go, so two crowds of the same seed do the same to the
//! bit: one of them chooses by lot, the other by the scheme. They take turns of a block of frames each, so that each
//! finds caches as it left them. Others use the machine too: of many blocks the one counts that a quarter of all are
//! faster than; step and poses, which are the same work for both, count as the mean of both.

use crate::experiment::diversity::builtin_styles;
use crowdloom_crowd::diversity::{Camera, Demand, Scheme, StyleBook, StyleControl, StyleOptions, gait};
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::velocity::{Hidac, Model, Surroundings, VelocityCrowd, Walker};
use crowdloom_motion::styles::MotionType;
use crowdloom_motion::{FRAME_RATE, FRAME_TIME, JointFrames};
use glam::{Quat, Vec2, Vec3};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each number of agents.
    pub runs: Vec<Run>,
}

/// One crowd.
#[derive(Debug, Serialize)]
pub struct Run {
    /// The number of agents.
    pub agents: usize,
    /// Milliseconds of a frame with styles by lot.
    pub random_ms: f64,
    /// Milliseconds of a frame with styles by the scheme.
    pub scheme_ms: f64,
    /// What the scheme adds, over the frame with styles by lot.
    pub overhead: f64,
    /// The overhead of table II, where it has the number of agents.
    pub published_overhead: Option<f64>,
    /// The same if a frame were the HiDAC step and the style layer alone, without posing anybody.
    pub overhead_without_posing: f64,
    /// Milliseconds of the HiDAC step.
    pub mover_ms: f64,
    /// Milliseconds of the layer with styles by lot.
    pub random_layer_ms: f64,
    /// Milliseconds of the layer with the scheme.
    pub scheme_layer_ms: f64,
    /// Styles chosen in a frame.
    pub choices_per_frame: f64,
    /// The share of agents that are under way when the last frame is over.
    pub walking: f64,
    /// The share of agents that the camera sees then.
    pub in_view: f64,
    /// Frames that were timed.
    pub frames: usize,
}

const SIZES: [usize; 8] = [100, 200, 300, 400, 1_000, 10_000, 30_000, 100_000];
/// Square metres for each agent.
const ROOM: f32 = 2.0;
const WARM_UP: usize = 60;
const BLOCKS: usize = 48;

/// Table II.
fn published(agents: usize) -> Option<f64> {
    match agents {
        100 => Some(0.007),
        200 | 300 => Some(0.005),
        400 => Some(0.01),
        _ => None,
    }
}

/// Runs the benchmark for `agents`, or for all sizes.
pub fn run(agents: Option<usize>) -> Report {
    let book = Arc::new(StyleBook::new(Arc::new(builtin_styles())));
    let sizes = agents.map_or(SIZES.to_vec(), |agents| vec![agents.max(1)]);
    Report { runs: sizes.into_iter().map(|agents| measure(&book, agents)).collect() }
}

/// The `number`th goal of an agent.
fn goal(agent: usize, number: u32, side: f32) -> Vec2 {
    let mut random = Random::new(2, agent as u32, number, Purpose::BIRTH);
    Vec2::new(random.unit(), random.unit()) * side
}

/// People who walk to one random goal after the other.
struct Walkers {
    crowd: VelocityCrowd,
    goals: Vec<(Vec2, u32)>,
    side: f32,
    before: Vec<Vec2>,
    speeds: Vec<f32>,
}

impl Walkers {
    fn new(agents: usize) -> Self {
        let side = (agents as f32 * ROOM).sqrt();
        let columns = (agents as f32).sqrt().ceil();
        let mut crowd = VelocityCrowd::new(1);
        for agent in 0..agents {
            let cell = Vec2::new((agent as f32 % columns).floor(), (agent as f32 / columns).floor());
            crowd.add(Walker::new((cell + 0.5) * (side / columns), Model::Hidac(Hidac::default())));
        }
        let goals = (0..agents).map(|agent| (goal(agent, 0, side), 0)).collect();
        let before = crowd.positions().to_vec();
        Self { crowd, goals, side, before, speeds: vec![1.3; agents] }
    }

    fn step(&mut self) {
        let positions = self.crowd.positions();
        self.before.copy_from_slice(positions);
        for (agent, (place, number)) in self.goals.iter_mut().enumerate() {
            if place.distance_squared(positions[agent]) < 1.0 {
                *number += 1;
                *place = goal(agent, *number, self.side);
            }
        }
        let goals = &self.goals;
        self.crowd.prefer(|agent, position| (goals[agent].0 - position).clamp_length_max(1.34));
        self.crowd.step(Surroundings::default(), FRAME_TIME);
        for (agent, speed) in self.speeds.iter_mut().enumerate() {
            *speed = self.crowd.positions()[agent].distance(self.before[agent]) * FRAME_RATE;
        }
    }
}

/// A camera that looks at a square of so many metres from the middle of a side: most are in view, near and far.
fn camera(side: f32) -> Camera {
    Camera {
        position: Vec3::new(0.5 * side, -0.2 * side, 6.0),
        facing: Vec2::Y,
        half_view: 40f32.to_radians(),
        range: 2.0 * side,
        threshold: 0.3 * side,
    }
}

/// One crowd with its bodies.
struct Side {
    walkers: Walkers,
    styles: StyleControl,
}

impl Side {
    fn new(book: &Arc<StyleBook>, scheme: Scheme, agents: usize) -> Self {
        let walkers = Walkers::new(agents);
        let options = StyleOptions { scheme, camera: Some(camera(walkers.side)), ..StyleOptions::default() };
        let mut styles = StyleControl::new(Arc::clone(book), options, Vec::new(), 1);
        (0..agents).for_each(|_| styles.add(0, Demand { kind: MotionType::Walking, speed: 1.3, rate: None }));
        Self { walkers, styles }
    }

    /// The share of agents of which something is true.
    fn share(&self, is: impl Fn(&Self, usize) -> bool) -> f64 {
        let agents = self.styles.len();
        (0..agents).filter(|agent| is(self, *agent)).count() as f64 / agents.max(1) as f64
    }

    /// Mean milliseconds of step, style layer and poses over so many frames.
    fn run(&mut self, book: &StyleBook, frames: usize) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for _ in 0..frames {
            sums[0] += timed(|| self.walkers.step());
            let Walkers { crowd, speeds, .. } = &self.walkers;
            sums[1] += timed(|| {
                self.styles.step(crowd.neighbour_grid(), crowd.positions(), |agent, current| {
                    let speed = speeds[agent];
                    Demand { kind: gait(speed, current), speed, rate: None }
                });
            });
            sums[2] += timed(|| pose(book, &self.styles, crowd.positions()));
        }
        sums.map(|sum| sum / frames as f64)
    }
}

/// Poses everybody in space, as drawing needs it, and returns something that depends on all of it.
fn pose(book: &StyleBook, styles: &StyleControl, positions: &[Vec2]) -> f32 {
    let skeleton = book.library().skeleton();
    let one = |(agent, position): (usize, &Vec2), joints: &mut JointFrames, turns: &mut Vec<Quat>| {
        let playing = &styles.playing()[agent];
        let played = book.played(book.number(playing.from, playing.style, playing.start));
        let clip = &played.clip;
        turns.clear();
        let height = clip.sample_into(playing.frame, turns);
        let root = played.sway_at(playing.frame).position + *position;
        joints.compute(skeleton, root.extend(height), turns);
        joints.positions.last().map_or(0.0, |tip| tip.z)
    };
    let job = |chunk: usize, positions: &[Vec2]| {
        let (mut joints, mut turns) = (JointFrames::default(), Vec::new());
        let places = positions.iter().enumerate().map(|(index, place)| (chunk * JOB + index, place));
        places.map(|place| one(place, &mut joints, &mut turns)).sum::<f32>()
    };
    positions.par_chunks(JOB).enumerate().map(|(chunk, positions)| job(chunk, positions)).sum()
}

/// Agents that one job poses.
const JOB: usize = 256;

fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64() * 1e3
}

fn measure(book: &Arc<StyleBook>, agents: usize) -> Run {
    let mut sides = [Scheme::Random, Scheme::Diverse].map(|scheme| Side::new(book, scheme, agents));
    // Whatever loops these crowds may play is made before time counts.
    (0..book.transitions()).into_par_iter().for_each(|number| {
        book.played(number);
    });
    let frames = (4_000_000 / agents / BLOCKS).clamp(2, 200);
    for side in &mut sides {
        side.run(book, WARM_UP.min(frames.max(30)));
    }
    let before = sides[1].styles.switches().choices;
    let mut blocks = [Vec::with_capacity(BLOCKS), Vec::with_capacity(BLOCKS)];
    for block in 0..BLOCKS {
        for turn in [block % 2, (block + 1) % 2] {
            blocks[turn].push(sides[turn].run(book, frames));
        }
    }
    let choices = sides[1].styles.switches().choices - before;
    let usual = |side: usize, part: usize| {
        let mut all: Vec<f64> = blocks[side].iter().map(|block: &[f64; 3]| block[part]).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 4]
    };
    let of_both = |part: usize| 0.5 * (usual(0, part) + usual(1, part));
    let (mover_ms, posing_ms) = (of_both(0), of_both(2));
    let (random_layer_ms, scheme_layer_ms) = (usual(0, 1), usual(1, 1));
    let random_ms = mover_ms + random_layer_ms + posing_ms;
    let scheme_ms = mover_ms + scheme_layer_ms + posing_ms;
    let added = scheme_layer_ms - random_layer_ms;
    Run {
        agents,
        random_ms,
        scheme_ms,
        overhead: added / random_ms,
        published_overhead: published(agents),
        overhead_without_posing: added / (mover_ms + random_layer_ms),
        mover_ms,
        random_layer_ms,
        scheme_layer_ms,
        choices_per_frame: choices as f64 / (frames * BLOCKS) as f64,
        walking: sides[1].share(|side, agent| book.kind(side.styles.playing()[agent].style).is_cyclic()),
        in_view: sides[1].share(|side, agent| {
            let camera = side.styles.options().camera;
            camera.is_some_and(|camera| camera.alpha(side.walkers.crowd.positions()[agent]) > 0.0)
        }),
        frames: frames * BLOCKS,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>7} {:>10} {:>10} {:>9} {:>10} {:>16} {:>9} {:>9} {:>9} {:>9}",
            "agents",
            "random ms",
            "scheme ms",
            "overhead",
            "published",
            "without posing",
            "mover",
            "lot",
            "scheme",
            "choices"
        )?;
        for run in &self.runs {
            let percent = |value: f64| format!("{:.2} %", 100.0 * value);
            writeln!(
                f,
                "{:>7} {:>10.4} {:>10.4} {:>9} {:>10} {:>16} {:>9.4} {:>9.4} {:>9.4} {:>9.1}",
                run.agents,
                run.random_ms,
                run.scheme_ms,
                percent(run.overhead),
                run.published_overhead.map_or("-".into(), percent),
                percent(run.overhead_without_posing),
                run.mover_ms,
                run.random_layer_ms,
                run.scheme_layer_ms,
                run.choices_per_frame
            )?;
        }
        Ok(())
    }
}
