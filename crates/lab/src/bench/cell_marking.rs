//! Many agents that plan captured motion: a square with random goals, replaced on arrival.

use crowdloom_crowd::cell_marking::{CellCrowd, Joiner, Options, Promises, SegmentBook, SegmentOptions};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_motion::{Placement, builtin};
use glam::Vec2;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Ground for each agent, in square metres.
const ROOM: f32 = 4.0;

/// What the benchmark measured: exact discs, as scenes have them, and the grid of cells beside them.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Agents in the square.
    pub agents: usize,
    /// Threads that decide.
    pub threads: usize,
    /// Ground for each agent in square metres.
    pub square_metres_per_agent: f32,
    /// Seconds that preparing the segments took.
    pub preparing_seconds: f64,
    /// With exact discs.
    #[serde(flatten)]
    pub discs: Timing,
    /// With the grid of cells.
    pub cells: Timing,
}

/// What one way of keeping promises apart takes.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// Milliseconds that a frame takes.
    pub ms_per_frame: f64,
    /// Simulated time over computing time.
    pub realtime_factor: f64,
    /// Overlapping pairs, over all frames.
    pub collisions: usize,
    /// Mean speed in metres a second.
    pub mean_speed: f32,
    /// Goals reached.
    pub arrivals: usize,
}

fn random_point(side: f32, agent: usize, frame: u32) -> Vec2 {
    let mut random = Random::new(1, agent as u32, frame, Purpose::BIRTH);
    Vec2::new(random.unit(), random.unit()) * side
}

/// A square with room for `agents`, and that many in it.
fn square(book: Arc<SegmentBook>, agents: usize, promises: Promises) -> (CellCrowd, f32) {
    let columns = (agents as f32).sqrt().ceil();
    let (side, gap) = (columns * ROOM.sqrt(), ROOM.sqrt());
    let mut crowd = CellCrowd::new(book, None, Options { promises, ..Options::default() }, 1);
    for agent in 0..agents {
        let (column, row) = (agent as f32 % columns, (agent as f32 / columns).floor());
        let mut random = Random::new(1, agent as u32, 0, Purpose::FIRST_DECISION);
        let heading = random.between(-std::f32::consts::PI, std::f32::consts::PI);
        let placement = Placement::new((column + 0.5) * gap, (row + 0.5) * gap, heading);
        let goal = random_point(side, agent, 0);
        let speed = (1.34 + 0.2 * random.normal()).clamp(0.8, 1.7);
        crowd.add(Joiner { placement, goal, speed }).expect("agents start two metres apart");
    }
    (crowd, side)
}

/// Times `agents` for `seconds` simulated seconds after a warm-up of two.
pub fn run(agents: usize, seconds: u32) -> Report {
    let preparing = Instant::now();
    let book = SegmentBook::new(&builtin::library(), &SegmentOptions::default())
        .expect("the built-in library has segments and stops");
    let (preparing_seconds, book) = (preparing.elapsed().as_secs_f64(), Arc::new(book));
    Report {
        agents,
        threads: rayon::current_num_threads(),
        square_metres_per_agent: ROOM,
        preparing_seconds,
        discs: time(&book, agents, seconds, Promises::Discs),
        cells: time(&book, agents, seconds, Promises::Cells(CELL_SIDE)),
    }
}

/// The side of a cell in metres.
const CELL_SIDE: f32 = 0.1;

fn time(book: &Arc<SegmentBook>, agents: usize, seconds: u32, promises: Promises) -> Timing {
    let (mut crowd, side) = square(Arc::clone(book), agents, promises);
    let (mut spent, mut walked, mut collisions, mut arrivals) = (0.0, 0.0f64, 0, 0);
    let mut grid = NeighbourGrid::default();
    let diameter = 2.0 * Options::default().radius;
    for frame in 0..(seconds + 2) * 30 {
        let before = crowd.positions().to_vec();
        let started = Instant::now();
        crowd.step();
        let elapsed = started.elapsed().as_secs_f64();
        let warm = frame >= 60;
        if warm {
            spent += elapsed;
            let steps = before.iter().zip(crowd.positions()).map(|(a, b)| f64::from(a.distance(*b)));
            walked += steps.sum::<f64>();
        }
        grid.rebuild(crowd.positions(), 1.0);
        for position in crowd.positions() {
            grid.for_each_within(*position, diameter, |_, _, squared| {
                collisions += usize::from(squared < diameter * diameter);
            });
        }
        collisions -= crowd.len();
        for agent in 0..crowd.len() {
            if crowd.arrived()[agent] {
                arrivals += 1;
                crowd.send(agent, random_point(side, agent, crowd.frame()));
            }
        }
    }
    let frames = f64::from(seconds * 30);
    Timing {
        ms_per_frame: 1e3 * spent / frames,
        realtime_factor: f64::from(seconds) / spent,
        collisions: collisions / 2,
        mean_speed: (walked / f64::from(seconds) / crowd.len().max(1) as f64) as f32,
        arrivals,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} people on {} m² each, {} threads; segments prepared in {:.1} s",
            self.agents, self.square_metres_per_agent, self.threads, self.preparing_seconds
        )?;
        for (name, timing) in [("exact discs", &self.discs), ("cells", &self.cells)] {
            writeln!(
                f,
                "{name}: {:.2} ms a frame, {:.2} times real time; {} collisions; {:.2} m/s on average; {} goals reached",
                timing.ms_per_frame,
                timing.realtime_factor,
                timing.collisions,
                timing.mean_speed,
                timing.arrivals
            )?;
        }
        Ok(())
    }
}
