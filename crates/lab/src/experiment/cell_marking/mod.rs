//! Cell Marking beside RVO (Brunner 2014, tables 5.1 and 5.2), and what the source shows in pictures only: feet.

mod feet;
mod scenario;

pub use feet::FeetMeter;
pub use scenario::{AGENTS, Scenario};

use crowdloom_crowd::cell_marking::{
    CellCrowd, Joiner, Options, Overlay, Promises, SegmentBook, SegmentOptions, Shown,
};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_crowd::velocity::{Manners, Model, Rvo, Surroundings, VelocityCrowd, Walker};
use crowdloom_motion::feet::HeldFeet;
use crowdloom_motion::{FRAME_RATE, FRAME_TIME, Library, builtin};
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// How agents are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// RVO, with clips laid over it afterwards.
    Rvo,
    /// Cell Marking.
    CellMarking,
    /// The same with discs in place of cells.
    ExactDiscs,
}

impl Method {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Rvo, Self::CellMarking, Self::ExactDiscs];

    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rvo => "RVO",
            Self::CellMarking => "Cell Marking",
            Self::ExactDiscs => "exact discs",
        }
    }
}

/// One method in one scenario, over all seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The scenario.
    pub scenario: Scenario,
    /// The method.
    pub method: Method,
    /// Agents in it.
    pub agents: usize,
    /// Mean seconds until all have arrived, over the seeds in which all do.
    pub seconds: f64,
    /// The same of the slowest seed.
    pub slowest_seconds: f64,
    /// Seconds over RVO's.
    pub times_rvo: f64,
    /// Table 5.1, where it has the method.
    pub published_seconds: Option<f64>,
    /// Mean share of agents that collide in a frame.
    pub colliding: f64,
    /// Table 5.2, where it has the method.
    pub published_colliding: Option<f64>,
    /// Seeds tried.
    pub seeds: usize,
    /// Seeds in which somebody had not arrived when time was up.
    pub deadlocks: usize,
    /// Mean speed of feet on the ground in centimetres a second, in the first seed.
    pub foot_skate_cm_s: f64,
    /// Mean turning of standing bodies in degrees a second, in the first seed.
    pub standing_turn_deg_s: f64,
    /// Where everybody was in the first seed, in metres, every [`TRACED`] frames.
    #[serde(skip)]
    pub ways: Vec<Vec<Vec2>>,
}

/// The whole experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// All methods in all scenarios.
    pub rows: Vec<Row>,
    /// Segments that agents choose from.
    pub segments: usize,
    /// Transitions between them.
    pub transitions: usize,
    /// The overlay's foot-skate over Cell Marking's, all scenarios together.
    pub skate_ratio: f64,
    /// The same in the scenario in which it is least.
    pub least_skate_ratio: f64,
}

/// How long a scenario may last, in seconds.
const TIME_LIMIT: f64 = 240.0;
/// Preferred speed in metres a second (Weidmann 1993).
const SPEED: f32 = 1.34;
/// Radius of everybody in metres.
const RADIUS: f32 = 0.25;
/// How near in metres everybody has to come to its goal.
const TOLERANCE: f32 = 0.75;
/// Agents that touch by less than this, in metres, do not collide: RVO rounds.
const TOUCH: f32 = 1e-3;

/// Frames from one point of a way to the next.
const TRACED: u32 = 20;

/// What one run gave.
struct Run {
    seconds: Option<f64>,
    colliding: f64,
    feet: Option<FeetMeter>,
    ways: Vec<Vec<Vec2>>,
}

/// What everybody uses.
pub struct Setup {
    library: Library,
    /// The segments of the built-in library.
    pub book: Arc<SegmentBook>,
    /// How clip agents decide.
    pub options: Options,
}

impl Setup {
    /// Prepares the built-in library.
    pub fn new(options: &SegmentOptions) -> Self {
        let library = builtin::library();
        let book = SegmentBook::new(&library, options).expect("the built-in library has segments and stops");
        Self { library, book: Arc::new(book), options: Options::default() }
    }

    /// Runs a scenario until all have arrived or time is up.
    fn run(&self, method: Method, scenario: Scenario, seed: u64, closely: bool) -> Run {
        let mut feet = closely.then(|| FeetMeter::new(&self.library.skeleton, AGENTS));
        let mut ways = vec![Vec::new(); if closely { AGENTS } else { 0 }];
        let mut crowd = Crowd::new(self, method, scenario, seed);
        let limit = (TIME_LIMIT * f64::from(FRAME_RATE)) as u32;
        let (mut frames, mut colliding) = (0, 0);
        let mut grid = NeighbourGrid::default();
        while frames < limit && !crowd.all_arrived() {
            if frames.is_multiple_of(TRACED) {
                ways.iter_mut().zip(crowd.positions()).for_each(|(way, place)| way.push(*place));
            }
            crowd.step();
            frames += 1;
            colliding += count_colliding(crowd.positions(), &mut grid);
            if let Some(feet) = &mut feet {
                (0..AGENTS).for_each(|agent| feet.see(agent, crowd.show(agent)));
            }
        }
        Run {
            seconds: crowd.all_arrived().then_some(f64::from(frames) * f64::from(FRAME_TIME)),
            colliding: colliding as f64 / f64::from(frames.max(1)) / AGENTS as f64,
            feet,
            ways,
        }
    }
}

/// Agents whose discs overlap with another's.
fn count_colliding(positions: &[Vec2], grid: &mut NeighbourGrid) -> usize {
    grid.rebuild(positions, 1.0);
    let collides = |agent: usize| {
        let mut others = 0;
        grid.for_each_within(positions[agent], 2.0 * RADIUS - TOUCH, |_, _, _| others += 1);
        others > 1
    };
    (0..positions.len()).filter(|agent| collides(*agent)).count()
}

/// A crowd of either kind.
enum Crowd {
    Velocity {
        crowd: VelocityCrowd,
        overlay: Overlay,
        goals: Vec<Vec2>,
        arrived: Vec<bool>,
        before: Vec<Vec2>,
    },
    Clips {
        crowd: CellCrowd,
        feet: HeldFeet,
    },
}

impl Crowd {
    fn new(setup: &Setup, method: Method, scenario: Scenario, seed: u64) -> Self {
        let agents = scenario.agents(seed);
        let promises = match method {
            Method::Rvo => {
                let options = SegmentOptions::default();
                let mut crowd = VelocityCrowd::new(seed);
                let mut overlay =
                    Overlay::new(&setup.library, &options.labels, &options.without, agents.len())
                        .expect("the built-in library has straight walks");
                for (agent, (place, _)) in agents.iter().enumerate() {
                    crowd.add(Walker {
                        radius: RADIUS,
                        manners: Manners::none(),
                        ..Walker::new(place.position, Model::Rvo(Rvo::default()))
                    });
                    overlay.set(agent, (agent as f32 * 0.618).fract(), place.heading);
                }
                let goals = agents.iter().map(|agent| agent.1).collect();
                let before = crowd.positions().to_vec();
                return Self::Velocity { crowd, overlay, goals, arrived: vec![false; agents.len()], before };
            }
            Method::CellMarking => setup.options.promises,
            Method::ExactDiscs => Promises::Discs,
        };
        let options = Options { promises, radius: RADIUS, tolerance: TOLERANCE, ..setup.options };
        let mut crowd = CellCrowd::new(Arc::clone(&setup.book), None, options, seed);
        for (placement, goal) in agents {
            crowd.add(Joiner { placement, goal, speed: SPEED }).expect("agents start apart");
        }
        let feet = HeldFeet::new(&setup.library.skeleton, crowd.len());
        Self::Clips { crowd, feet }
    }

    fn step(&mut self) {
        match self {
            Self::Clips { crowd, .. } => crowd.step(),
            Self::Velocity { crowd, goals, arrived, before, .. } => {
                before.copy_from_slice(crowd.positions());
                crowd.prefer(|agent, position| {
                    let way = goals[agent] - position;
                    way.clamp_length_max(SPEED)
                });
                crowd.step(Surroundings::default(), FRAME_TIME);
                for (agent, position) in crowd.positions().iter().enumerate() {
                    arrived[agent] |= position.distance(goals[agent]) <= TOLERANCE;
                }
            }
        }
    }

    fn all_arrived(&self) -> bool {
        match self {
            Self::Clips { crowd, .. } => crowd.arrived().iter().all(|arrived| *arrived),
            Self::Velocity { arrived, .. } => arrived.iter().all(|arrived| *arrived),
        }
    }

    fn positions(&self) -> &[Vec2] {
        match self {
            Self::Clips { crowd, .. } => crowd.positions(),
            Self::Velocity { crowd, .. } => crowd.positions(),
        }
    }

    fn show(&mut self, agent: usize) -> Shown {
        match self {
            Self::Clips { crowd, feet } => {
                let mut shown = crowd.show(agent);
                feet.hold(agent, shown.placement, &mut shown.pose, shown.contacts);
                shown
            }
            Self::Velocity { crowd, overlay, before, .. } => {
                let position = crowd.positions()[agent];
                overlay.show(agent, position, (position - before[agent]) * FRAME_RATE)
            }
        }
    }
}

/// Table 5.1 (seconds) and 5.2 (share of colliding agents).
fn published(scenario: Scenario, method: Method) -> Option<(f64, f64)> {
    let index = Scenario::ALL.iter().position(|other| *other == scenario)?;
    match method {
        Method::Rvo => Some(([50.5, 96.62, 88.12, 16.97][index], [0.0048, 0.0184, 0.0335, 0.0020][index])),
        Method::CellMarking => Some(([50.8, 121.94, 94.12, 22.29][index], 0.0)),
        Method::ExactDiscs => None,
    }
}

/// Repeats the experiment with `seeds` seeds.
pub fn run(seeds: usize) -> Report {
    run_with(&Setup::new(&SegmentOptions::default()), seeds)
}

/// The same with segments prepared before.
pub fn run_with(setup: &Setup, seeds: usize) -> Report {
    let mut rows: Vec<Row> = Vec::new();
    let mut skates = [(0.0, 0u32); 3];
    for scenario in Scenario::ALL {
        for (index, method) in Method::ALL.into_iter().enumerate() {
            let mut runs: Vec<Run> = (0..seeds.max(1))
                .into_par_iter()
                .map(|seed| setup.run(method, scenario, seed as u64 + 1, seed == 0))
                .collect();
            let times: Vec<f64> = runs.iter().filter_map(|run| run.seconds).collect();
            let seconds = times.iter().sum::<f64>() / times.len() as f64;
            let rvo = rows.iter().rfind(|row| row.scenario == scenario && row.method == Method::Rvo);
            let ways = runs.first_mut().map(|run| std::mem::take(&mut run.ways)).unwrap_or_default();
            let feet = runs.first().and_then(|run| run.feet.as_ref());
            let skate = feet.map_or(0.0, FeetMeter::skate);
            skates[index] = (skates[index].0 + skate, skates[index].1 + 1);
            let published = published(scenario, method);
            rows.push(Row {
                scenario,
                method,
                agents: AGENTS,
                seconds,
                slowest_seconds: times.iter().copied().fold(0.0, f64::max),
                times_rvo: seconds / rvo.map_or(seconds, |row| row.seconds),
                published_seconds: published.map(|row| row.0),
                colliding: runs.iter().map(|run| run.colliding).sum::<f64>() / runs.len() as f64,
                published_colliding: published.map(|row| row.1),
                seeds: runs.len(),
                deadlocks: runs.len() - times.len(),
                foot_skate_cm_s: skate,
                standing_turn_deg_s: feet.map_or(0.0, FeetMeter::standing_turn),
                ways,
            });
        }
    }
    let skate = |scenario: Scenario, method: Method| {
        let of = |row: &&Row| row.scenario == scenario && row.method == method;
        rows.iter().find(of).map_or(f64::NAN, |row| row.foot_skate_cm_s)
    };
    let ratios = Scenario::ALL.map(|s| skate(s, Method::Rvo) / skate(s, Method::CellMarking));
    Report {
        least_skate_ratio: ratios.into_iter().fold(f64::INFINITY, f64::min),
        rows,
        segments: setup.book.len(),
        transitions: setup.book.transition_count(),
        skate_ratio: skates[0].0 / skates[1].0,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} segments, {} transitions; seconds and colliding as (published)",
            self.segments, self.transitions
        )?;
        writeln!(
            f,
            "{:<15}{:<14}{:>17}{:>9}{:>8}{:>20}{:>11}{:>12}{:>12}",
            "scenario",
            "method",
            "seconds",
            "slowest",
            "x RVO",
            "colliding",
            "deadlocks",
            "skate cm/s",
            "turn deg/s"
        )?;
        for row in &self.rows {
            let or_dash =
                |value: Option<f64>, digits: usize| value.map_or("-".into(), |v| format!("{v:.digits$}"));
            writeln!(
                f,
                "{:<15}{:<14}{:>17}{:>9.1}{:>8.2}{:>20}{:>11}{:>12.2}{:>12.2}",
                format!("{:?}", row.scenario),
                format!("{:?}", row.method),
                format!("{:.1} ({})", row.seconds, or_dash(row.published_seconds, 2)),
                row.slowest_seconds,
                row.times_rvo,
                format!("{:.4} ({})", row.colliding, or_dash(row.published_colliding, 4)),
                format!("{}/{}", row.deadlocks, row.seeds),
                row.foot_skate_cm_s,
                row.standing_turn_deg_s,
            )?;
        }
        writeln!(
            f,
            "the overlay's feet slide {:.1} times as fast as Cell Marking's, at least {:.1} times in every scenario",
            self.skate_ratio, self.least_skate_ratio
        )
    }
}
