//! People in a city of blocks: the thesis' virtual city (section 6.1), as large as is asked for.

use crate::memory;
use crowdloom_crowd::Crowd;
use crowdloom_scene::{Overrides, embedded, parse};
use serde::Serialize;
use std::fmt;
use std::path::Path;
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
    /// Bytes of memory that each agent adds: what is in use in the end, less what the same city needs for one.
    pub bytes_per_agent: f32,
    /// Mean speed in metres a second.
    pub mean_speed: f32,
    /// Agents that take part in a situation at the end.
    pub busy: usize,
    /// Motions that were planned to end exactly on a seat.
    pub planned: u64,
    /// Times that none was found.
    pub missed: u64,
}

/// Agents that take part in a situation.
pub fn busy(crowd: &Crowd) -> usize {
    let takes_part = |agent: usize| crowd.mind(agent).visits.iter().any(|v| v.takes_part && !v.done);
    (0..crowd.len()).filter(|&agent| takes_part(agent)).count()
}

/// Blocks a side of a city with room for `agents` at the thesis' density.
pub fn blocks_for(agents: usize) -> usize {
    (1..=100).find(|side| side * side * PEOPLE_PER_BLOCK >= agents).unwrap_or(100)
}

/// The embedded city with so many blocks a side and people: crosswalks, benches and get-togethers on every block.
pub fn city(blocks: usize, agents: usize, seed: u64) -> Crowd {
    let overrides = Overrides { seed: Some(seed), people: None };
    let text = embedded::city(blocks, agents);
    let (simulation, _) = parse(Path::new("city"), &text, overrides).expect("the embedded city can run");
    simulation.into_crowd()
}

/// A city in which people have been about for two seconds.
fn settled(blocks: usize, agents: usize) -> Crowd {
    let mut crowd = city(blocks, agents, 1);
    for _ in 0..60 {
        crowd.step();
    }
    crowd
}

/// Times a city of `agents` for `seconds` simulated seconds after a warm-up.
pub fn run(agents: usize, seconds: u32) -> Report {
    let blocks = blocks_for(agents);
    let nearly_empty = settled(blocks, 1);
    let without_people = memory::in_use();
    drop(nearly_empty);
    let mut crowd = settled(blocks, agents);
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
        blocks: blocks * blocks,
        busy: busy(&crowd),
        planned: crowd.arrival_tally().met,
        missed: crowd.arrival_tally().missed,
        threads: rayon::current_num_threads(),
        ms_per_frame: 1e3 * spent / f64::from(frames),
        realtime_factor: simulated / spent,
        overlaps,
        bytes_per_agent: memory::in_use().saturating_sub(without_people) as f32 / crowd.len().max(1) as f32,
        mean_speed: (walked / simulated / crowd.len().max(1) as f64) as f32,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} people, {} of them busy in {} situations, {} threads",
            self.agents, self.busy, self.situations, self.threads
        )?;
        writeln!(
            f,
            "{} motions planned to end exactly on a seat; {} times none was found",
            self.planned, self.missed
        )?;
        writeln!(f, "{:.2} ms a frame, {:.1} times real time", self.ms_per_frame, self.realtime_factor)?;
        writeln!(
            f,
            "{} overlaps; {:.0} bytes for each agent; {:.2} m/s on average",
            self.overlaps, self.bytes_per_agent, self.mean_speed
        )
    }
}
