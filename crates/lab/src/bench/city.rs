//! People in a city of blocks: the thesis' virtual city (section 6.1), as large as is asked for.

use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::{Crowd, Mind, Setting};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_world::{City, MeshRouter};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// People on a block of the thesis' city: 2,000 on 25.
const PEOPLE_PER_BLOCK: usize = 80;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Agents in the city.
    pub agents: usize,
    /// Situations in the city.
    pub situations: usize,
    /// Blocks of the city.
    pub blocks: usize,
    /// Threads that decide.
    pub threads: usize,
    /// Milliseconds that a frame takes.
    pub ms_per_frame: f64,
    /// Simulated time over computing time.
    pub realtime_factor: f64,
    /// Overlapping pairs, over all frames that were checked.
    pub overlaps: usize,
    /// Bytes of memory for each agent.
    pub bytes_per_agent: f32,
    /// Mean speed in metres a second.
    pub mean_speed: f32,
}

/// A city with room for `agents` at the thesis' density, and that many wanderers in it.
pub fn city(agents: usize, seed: u64) -> Crowd {
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default())
        .expect("the built-in library makes a graph");
    let book =
        MoveBook::new(Arc::new(graph), BookOptions::default()).expect("the built-in graph makes moves");
    let blocks = (1..=100).find(|side| side * side * PEOPLE_PER_BLOCK >= agents).unwrap_or(100);
    let ground = City { blocks, ..City::default() }.build().expect("a city of plain blocks can be built");
    let ground = Arc::new(ground);
    let router = Arc::new(MeshRouter::new(ground.clone()));
    let mut crowd = Crowd::new(Setting { book: Arc::new(book), ground, router, seed });
    crowd.scatter(agents, None, |random| Mind {
        speed: (1.34 + 0.2 * random.normal()).clamp(0.8, 1.9),
        wanders: true,
        ..Mind::default()
    });
    crowd
}

/// Times a city of `agents` for `seconds` simulated seconds after a warm-up.
pub fn run(agents: usize, seconds: u32) -> Report {
    let mut crowd = city(agents, 1);
    for _ in 0..60 {
        crowd.step();
    }
    let frames = seconds * 30;
    let (mut spent, mut overlaps, mut walked) = (0.0, 0, 0.0f64);
    for frame in 0..frames {
        let before = crowd.positions().to_vec();
        let started = Instant::now();
        crowd.step();
        spent += started.elapsed().as_secs_f64();
        walked += before.iter().zip(crowd.positions()).map(|(a, b)| f64::from(a.distance(*b))).sum::<f64>();
        if frame % 10 == 0 {
            overlaps += crowd.overlaps().0;
        }
    }
    let simulated = f64::from(frames) / 30.0;
    Report {
        agents: crowd.len(),
        situations: crowd.shared().situations.len(),
        blocks: agents.div_ceil(PEOPLE_PER_BLOCK),
        threads: rayon::current_num_threads(),
        ms_per_frame: 1e3 * spent / f64::from(frames),
        realtime_factor: simulated / spent,
        overlaps,
        bytes_per_agent: crowd.bytes_per_agent(),
        mean_speed: (walked / simulated / crowd.len().max(1) as f64) as f32,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} people, {} situations, {} threads", self.agents, self.situations, self.threads)?;
        writeln!(f, "{:.2} ms a frame, {:.1} times real time", self.ms_per_frame, self.realtime_factor)?;
        writeln!(
            f,
            "{} overlaps; {:.0} bytes for each agent; {:.2} m/s on average",
            self.overlaps, self.bytes_per_agent, self.mean_speed
        )
    }
}
