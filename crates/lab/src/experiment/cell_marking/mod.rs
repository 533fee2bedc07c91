//! Cell Marking beside RVO (Brunner 2014, tables 5.1 and 5.2), and what the source shows in pictures only: feet.

mod feet;
pub mod film_study;
mod looks;
mod scenario;
mod sweep;

pub use feet::FeetMeter;
use looks::LooksMeter;
pub use scenario::{AGENTS, Scenario};
pub use sweep::{SWEEP_SEEDS, Sweep, Without, sweep, without};

use crowdloom_crowd::cell_marking::{
    CellCrowd, CutShort, Joiner, Options, Overlay, Promises, SegmentBook, SegmentOptions, Shown,
};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_crowd::velocity::{Manners, Model, Surroundings, VelocityCrowd, Walker};
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
    /// Cell Marking as published.
    Published,
    /// Cell Marking with our additions: keeping right, ways around, detours, making room.
    CellMarking,
    /// The same with discs in place of cells.
    ExactDiscs,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rvo, Self::Published, Self::CellMarking, Self::ExactDiscs];

    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rvo => "RVO",
            Self::Published => "published",
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
    /// Mean seconds until all have arrived; a seed in which somebody never does counts with the time limit.
    pub seconds: f64,
    /// The same of the slowest seed.
    pub slowest_seconds: f64,
    /// Seconds over RVO's.
    pub times_rvo: f64,
    /// The same of table 5.1, where it has the method.
    pub published_times_rvo: Option<f64>,
    /// Seconds that the one with the longest way would take alone.
    pub free_walk_seconds: f64,
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
    /// Mean speed of feet on the ground in centimetres a second as clips have them, in the first seed.
    pub foot_skate_cm_s: f64,
    /// The same with feet held by inverse kinematics afterwards.
    pub held_foot_skate_cm_s: f64,
    /// Figure 5.2: the mean share by which walked ways are longer than straight ones, in the first seed.
    pub detour: f64,
    /// Figure 5.3: how much bodies turn in a second of walking, on average over the first seed, in degrees.
    pub walking_turn_deg_s: f64,
    /// Figure 5.4: how alike neighbours face and step, from 0 (by chance) to 1 (in step), in the first seed.
    pub uniformity: f64,
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
    /// The overlay's foot-skate over Cell Marking's, all scenarios together, feet held on neither: what planning does.
    pub skate_ratio: f64,
    /// The same in the scenario in which it is least.
    pub least_skate_ratio: f64,
    /// The overlay's foot-skate over Cell Marking's, all scenarios together, feet held on both.
    pub held_skate_ratio: f64,
    /// Sides of cells, δ and w_θ varied one at a time in the line swap.
    pub sweeps: Vec<Sweep>,
    /// Our additions taken away one at a time.
    pub without: Vec<Without>,
    /// Where fewer transitions were kept than δ allows, if anywhere.
    pub cut_short: Option<CutShort>,
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
    bodies: Option<Bodies>,
    ways: Vec<Vec<Vec2>>,
}

/// Bodies looked at closely: as clips have them, and with feet held afterwards.
struct Bodies {
    plain: FeetMeter,
    held: FeetMeter,
    holding: HeldFeet,
    looks: LooksMeter,
}

/// What everybody uses.
pub struct Setup {
    library: Library,
    /// The segments of the built-in library.
    pub book: Arc<SegmentBook>,
    /// How clip agents decide.
    pub options: Options,
    /// The side of a cell in metres.
    pub cell_side: f32,
}

/// The side of a cell in metres (section 4.1 gives none).
const CELL_SIDE: f32 = 0.1;

impl Setup {
    /// Prepares the built-in library.
    pub fn new(options: &SegmentOptions) -> Self {
        let library = builtin::library();
        let book = SegmentBook::new(&library, options).expect("the built-in library has segments and stops");
        Self { library, book: Arc::new(book), options: Options::default(), cell_side: CELL_SIDE }
    }

    /// Runs a scenario until all have arrived or time is up.
    fn run(&self, method: Method, scenario: Scenario, seed: u64, closely: bool) -> Run {
        let skeleton = &self.library.skeleton;
        let mut bodies = closely.then(|| Bodies {
            plain: FeetMeter::new(skeleton, AGENTS),
            held: FeetMeter::new(skeleton, AGENTS),
            holding: HeldFeet::new(skeleton, AGENTS),
            looks: LooksMeter::new(AGENTS),
        });
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
            if let Some(bodies) = &mut bodies {
                let shown: Vec<Shown> = (0..AGENTS).map(|agent| crowd.show(agent)).collect();
                bodies.looks.see(&shown);
                for (agent, mut shown) in shown.into_iter().enumerate() {
                    bodies.plain.see(agent, shown.clone());
                    bodies.holding.hold(agent, shown.placement, &mut shown.pose, shown.contacts);
                    bodies.held.see(agent, shown);
                }
            }
        }
        Run {
            seconds: crowd.all_arrived().then_some(f64::from(frames) * f64::from(FRAME_TIME)),
            colliding: colliding as f64 / f64::from(frames.max(1)) / AGENTS as f64,
            bodies,
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
    Clips(CellCrowd),
}

impl Crowd {
    fn new(setup: &Setup, method: Method, scenario: Scenario, seed: u64) -> Self {
        let agents = scenario.agents(seed);
        let promises = match method {
            Method::Rvo => {
                let options = SegmentOptions::default();
                // The very RVO that proposes velocities to those who plan captured motion.
                let marking = &setup.options.marking;
                let mut crowd = VelocityCrowd::new(seed);
                let mut overlay =
                    Overlay::new(&setup.library, &options.labels, &options.without, agents.len())
                        .expect("the built-in library has straight walks");
                for (agent, (place, _)) in agents.iter().enumerate() {
                    crowd.add(Walker {
                        position: place.position,
                        radius: marking.personal_radius,
                        max_speed: marking.top_speed,
                        neighbour_distance: marking.neighbour_distance,
                        max_neighbours: marking.neighbours as u8,
                        manners: Manners::none(),
                        model: Model::Rvo(marking.rvo()),
                    });
                    overlay.set(agent, (agent as f32 * 0.618).fract(), place.heading);
                }
                let goals = agents.iter().map(|agent| agent.1).collect();
                let before = crowd.positions().to_vec();
                return Self::Velocity { crowd, overlay, goals, arrived: vec![false; agents.len()], before };
            }
            Method::Published | Method::CellMarking => Promises::Cells(setup.cell_side),
            Method::ExactDiscs => Promises::Discs,
        };
        let ours = if method == Method::Published { Options::published() } else { setup.options };
        let options = Options { promises, radius: RADIUS, tolerance: TOLERANCE, ..ours };
        let mut crowd = CellCrowd::new(Arc::clone(&setup.book), None, options, seed);
        for (placement, goal) in agents {
            crowd.add(Joiner { placement, goal, speed: SPEED }).expect("agents start apart");
        }
        Self::Clips(crowd)
    }

    fn step(&mut self) {
        match self {
            Self::Clips(crowd) => crowd.step(),
            Self::Velocity { crowd, goals, arrived, before, .. } => {
                before.copy_from_slice(crowd.positions());
                crowd.prefer(|agent, position| {
                    let way = goals[agent] - position;
                    way.clamp_length_max(SPEED)
                });
                crowd.step(Surroundings { touching: true, ..Surroundings::default() }, FRAME_TIME);
                for (agent, position) in crowd.positions().iter().enumerate() {
                    arrived[agent] |= position.distance(goals[agent]) <= TOLERANCE;
                }
            }
        }
    }

    fn all_arrived(&self) -> bool {
        match self {
            Self::Clips(crowd) => crowd.arrived().iter().all(|arrived| *arrived),
            Self::Velocity { arrived, .. } => arrived.iter().all(|arrived| *arrived),
        }
    }

    fn positions(&self) -> &[Vec2] {
        match self {
            Self::Clips(crowd) => crowd.positions(),
            Self::Velocity { crowd, .. } => crowd.positions(),
        }
    }

    fn show(&mut self, agent: usize) -> Shown {
        match self {
            Self::Clips(crowd) => crowd.show(agent),
            Self::Velocity { crowd, overlay, before, .. } => {
                let position = crowd.positions()[agent];
                overlay.show(agent, position, (position - before[agent]) * FRAME_RATE)
            }
        }
    }
}

/// Table 5.1 (seconds) and 5.2 (share of colliding agents).
fn published(scenario: Scenario, method: Method) -> Option<(f64, f64)> {
    let index = Scenario::ALL[..4].iter().position(|other| *other == scenario)?;
    match method {
        Method::Rvo => Some(([50.5, 96.62, 88.12, 16.97][index], [0.0048, 0.0184, 0.0335, 0.0020][index])),
        Method::Published | Method::CellMarking => Some(([50.8, 121.94, 94.12, 22.29][index], 0.0)),
        Method::ExactDiscs => None,
    }
}

/// Repeats the experiment with `seeds` seeds; `sweeps` varies its parameters besides.
pub fn run(seeds: usize, sweeps: bool) -> Report {
    let report = run_with(&Setup::new(&SegmentOptions::default()), seeds);
    match sweeps {
        true => Report { sweeps: sweep(), without: without(), ..report },
        false => report,
    }
}

/// The same with segments prepared before.
pub fn run_with(setup: &Setup, seeds: usize) -> Report {
    let mut rows: Vec<Row> = Vec::new();
    for scenario in Scenario::ALL {
        for method in Method::ALL {
            let rvo = rows.iter().rfind(|row| row.scenario == scenario && row.method == Method::Rvo);
            let row = measure(setup, scenario, method, seeds.max(1), rvo.map(|row| row.seconds));
            rows.push(row);
        }
    }
    let sum = |method: Method, skate: fn(&Row) -> f64| -> f64 {
        rows.iter().filter(|row| row.method == method).map(skate).sum()
    };
    let ratio = |skate: fn(&Row) -> f64| sum(Method::Rvo, skate) / sum(Method::CellMarking, skate);
    let skate = |scenario: Scenario, method: Method| {
        let of = |row: &&Row| row.scenario == scenario && row.method == method;
        rows.iter().find(of).map_or(f64::NAN, |row| row.foot_skate_cm_s)
    };
    let ratios = Scenario::ALL.map(|s| skate(s, Method::Rvo) / skate(s, Method::CellMarking));
    Report {
        least_skate_ratio: ratios.into_iter().fold(f64::INFINITY, f64::min),
        skate_ratio: ratio(|row| row.foot_skate_cm_s),
        held_skate_ratio: ratio(|row| row.held_foot_skate_cm_s),
        segments: setup.book.len(),
        transitions: setup.book.transition_count(),
        rows,
        sweeps: Vec::new(),
        without: Vec::new(),
        cut_short: setup.book.cut_short(),
    }
}

/// One method in one scenario, `rvo` being the seconds that RVO took.
fn measure(setup: &Setup, scenario: Scenario, method: Method, seeds: usize, rvo: Option<f64>) -> Row {
    let mut runs: Vec<Run> = (0..seeds)
        .into_par_iter()
        .map(|seed| setup.run(method, scenario, seed as u64 + 1, seed == 0))
        .collect();
    let times: Vec<f64> = runs.iter().map(|run| run.seconds.unwrap_or(TIME_LIMIT)).collect();
    let seconds = times.iter().sum::<f64>() / times.len() as f64;
    let ways = std::mem::take(&mut runs[0].ways);
    let first = runs[0].bodies.as_ref();
    let of = |look: fn(&Bodies) -> f64| first.map_or(0.0, look);
    let table = published(scenario, method);
    let rvo_table = published(scenario, Method::Rvo);
    let longest =
        scenario.agents(1).iter().map(|(place, goal)| place.position.distance(*goal)).fold(0.0, f32::max);
    Row {
        scenario,
        method,
        agents: AGENTS,
        seconds,
        slowest_seconds: times.iter().copied().fold(0.0, f64::max),
        times_rvo: seconds / rvo.unwrap_or(seconds),
        published_times_rvo: table.zip(rvo_table).map(|(own, rvo)| own.0 / rvo.0),
        free_walk_seconds: f64::from((longest - TOLERANCE) / SPEED),
        published_seconds: table.map(|row| row.0),
        colliding: runs.iter().map(|run| run.colliding).sum::<f64>() / runs.len() as f64,
        published_colliding: table.map(|row| row.1),
        seeds,
        deadlocks: runs.iter().filter(|run| run.seconds.is_none()).count(),
        foot_skate_cm_s: of(|bodies| bodies.plain.skate()),
        held_foot_skate_cm_s: of(|bodies| bodies.held.skate()),
        detour: of(|bodies| bodies.looks.detour()),
        walking_turn_deg_s: of(|bodies| bodies.looks.walking_turn()),
        uniformity: of(|bodies| bodies.looks.uniformity()),
        standing_turn_deg_s: of(|bodies| bodies.plain.standing_turn()),
        ways,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} segments, {} transitions; (published); a seed that never ends counts with {TIME_LIMIT:.0} s",
            self.segments, self.transitions
        )?;
        writeln!(
            f,
            "{:<15}{:<13}{:>15}{:>6}{:>8}{:>13}{:>17}{:>10}{:>13}{:>7}{:>7}{:>8}",
            "scenario",
            "method",
            "seconds",
            "free",
            "slowest",
            "x RVO",
            "colliding",
            "deadlocks",
            "skate (held)",
            "detour",
            "turn",
            "uniform"
        )?;
        let or_dash =
            |value: Option<f64>, digits: usize| value.map_or("-".into(), |v| format!("{v:.digits$}"));
        for row in &self.rows {
            writeln!(
                f,
                "{:<15}{:<13}{:>15}{:>6.1}{:>8.1}{:>13}{:>17}{:>10}{:>13}{:>7.3}{:>7.1}{:>8.2}",
                row.scenario.name(),
                row.method.name(),
                format!("{:.1} ({})", row.seconds, or_dash(row.published_seconds, 1)),
                row.free_walk_seconds,
                row.slowest_seconds,
                format!("{:.2} ({})", row.times_rvo, or_dash(row.published_times_rvo, 2)),
                format!("{:.4} ({})", row.colliding, or_dash(row.published_colliding, 4)),
                format!("{}/{}", row.deadlocks, row.seeds),
                format!("{:.2} ({:.2})", row.foot_skate_cm_s, row.held_foot_skate_cm_s),
                row.detour,
                row.walking_turn_deg_s,
                row.uniformity,
            )?;
        }
        writeln!(
            f,
            "the overlay's feet slide {:.1} times as fast as Cell Marking's, at least {:.1} times in every scenario; \
             with feet held on both, {:.1} times",
            self.skate_ratio, self.least_skate_ratio, self.held_skate_ratio
        )?;
        if let Some(CutShort { states, of, from }) = self.cut_short {
            writeln!(
                f,
                "of {states} of {of} states not all transitions within delta are kept, in the worst from {from:.1} m on"
            )?;
        }
        for Without { addition, scenario, seconds, deadlocks } in &self.without {
            writeln!(
                f,
                "{} without {addition}: {seconds:.1} s, {deadlocks} of {SWEEP_SEEDS} deadlock",
                scenario.name()
            )?;
        }
        for sweep in &self.sweeps {
            writeln!(
                f,
                "line swap, {} {}: {:.1} s, {} of {SWEEP_SEEDS} deadlock, {} segments, {:.2} ms a frame",
                sweep.parameter,
                sweep.value,
                sweep.seconds,
                sweep.deadlocks,
                sweep.segments,
                sweep.ms_per_frame
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_crowd::cell_marking::Marking;

    /// Fewer segments than usual, which is quicker.
    fn setup() -> Setup {
        Setup::new(&SegmentOptions { stride: 6, ..SegmentOptions::default() })
    }

    #[test]
    fn planning_with_captured_motion_keeps_people_apart_and_feet_on_the_ground() {
        let setup = setup();
        let rvo = measure(&setup, Scenario::LineSwap, Method::Rvo, 1, None);
        for method in [Method::CellMarking, Method::ExactDiscs] {
            let own = measure(&setup, Scenario::LineSwap, method, 1, Some(rvo.seconds));
            assert_eq!((own.deadlocks, own.colliding), (0, 0.0), "{}", method.name());
            // Neither's feet are held: that is what planning does.
            assert!(
                1.3 * own.foot_skate_cm_s < rvo.foot_skate_cm_s,
                "{} {}",
                own.foot_skate_cm_s,
                rvo.foot_skate_cm_s
            );
            assert!(
                own.held_foot_skate_cm_s < own.foot_skate_cm_s
                    && rvo.held_foot_skate_cm_s < rvo.foot_skate_cm_s
            );
            assert!(own.seconds > own.free_walk_seconds && own.times_rvo < 3.0, "{own:?}");
        }
        assert_eq!(rvo.published_times_rvo, Some(1.0));
    }

    #[test]
    fn who_never_arrives_counts_with_the_time_limit() {
        let mut setup = setup();
        // Nobody moves who minds a collision more than anything.
        setup.options.marking = Marking { difference: 1e3, ..setup.options.marking };
        setup.options.marking.patience = 1e3;
        let row = measure(&setup, Scenario::LineSwap, Method::CellMarking, 1, None);
        assert_eq!((row.deadlocks, row.seconds, row.slowest_seconds), (1, TIME_LIMIT, TIME_LIMIT));
    }
}
