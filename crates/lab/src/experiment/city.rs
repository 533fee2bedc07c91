//! The virtual city (thesis chapter 6): memory, time, and what collision tests cost in it.

use super::situations::{Case, measure, table};
use crate::bench::city::{blocks_for, city};
use crowdloom_crowd::Crowd;
use crowdloom_crowd::situation::SituationId;
use crowdloom_motion::mobb::{Method, Placed};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// Blocks a side of the thesis' city: 25 blocks, 150 situations.
const BLOCKS: usize = 5;
/// People of the memory experiment and of table 6.1.
const PEOPLE: usize = 1000;
/// Situations of the memory experiment (figure 6.4).
const SITUATIONS: [usize; 5] = [1, 25, 50, 100, 150];
/// People in a city of fixed size (figure 6.5).
const CROWDS: [usize; 6] = [500, 1000, 2000, 3000, 4000, 5000];
/// People at fixed density (figure 6.6); the thesis goes up to 5,000.
const GROWING: [usize; 5] = [500, 1000, 2000, 5000, 10_000];
/// Seconds that the thesis needs for a collision test: MOBB tree, and frame by frame (table 6.1).
const THESIS_SECONDS: [f64; 2] = [1.706_95e-5, 3.743_44e-5];

/// Seconds that the thesis needs for a constrained motion, and its frames (table 6.1).
const THESIS_SYNTHESIS: (f64, f64) = (0.106, 580.0);

/// What a collision test between two promised motions costs.
#[derive(Debug, Serialize)]
pub struct Collision {
    /// Pairs of motions that were tested.
    pub queries: usize,
    /// Pairs of which the ways of testing did not say the same.
    pub disagreements: usize,
    /// Seconds for a test with MOBB trees.
    pub mobb_seconds: f64,
    /// Seconds for a test with the quickest method, which decisions use.
    pub best_seconds: f64,
    /// Seconds for a test frame by frame.
    pub frame_by_frame_seconds: f64,
    /// The thesis' seconds with MOBB trees.
    pub thesis_mobb_seconds: f64,
    /// The thesis' seconds frame by frame.
    pub thesis_frame_by_frame_seconds: f64,
}

/// What it costs to bring people onto the city's benches by constrained motion synthesis.
#[derive(Debug, Serialize)]
pub struct Synthesis {
    /// Motions that end exactly on a seat.
    pub motions: u64,
    /// Times that no motion was found.
    pub missed: u64,
    /// Seconds of work for each motion, those for motions that were not found included.
    pub seconds: f64,
    /// Frames of a motion on average.
    pub frames: f64,
    /// The thesis' seconds for a motion.
    pub thesis_seconds: f64,
    /// Frames of the thesis' motion.
    pub thesis_frames: f64,
}

/// What the experiment measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Frames of each case.
    pub steps: u32,
    /// Threads that decide.
    pub threads: usize,
    /// Table 6.1, first line.
    pub collision: Collision,
    /// Table 6.1, second line.
    pub synthesis: Synthesis,
    /// Figure 6.4: 1,000 people among more and more situations.
    pub by_situations: Vec<Case>,
    /// Growth of memory per agent from the fewest to the most situations, as a share.
    pub memory_growth: f32,
    /// Figure 6.5: more and more people in 25 blocks.
    pub fixed_size: Vec<Case>,
    /// Figure 6.6: more and more people at the same density.
    pub fixed_density: Vec<Case>,
    /// Overlaps of all cases together.
    pub overlaps: usize,
}

/// Runs all cases for `steps` frames.
pub fn run(steps: u32) -> Report {
    // What all scenes share is made with the first.
    drop(city(1, 1, 1));
    let by_situations: Vec<Case> = SITUATIONS
        .iter()
        .map(|&count| {
            let make = || {
                let mut crowd = city(BLOCKS, PEOPLE, 1);
                let all = crowd.shared().situations.len();
                // Those that stay are spread over all kinds and blocks.
                for id in (0..all).filter(|id| id * count % all >= count) {
                    crowd.delete_situation(SituationId(id as u16));
                }
                crowd
            };
            Case { situations: count, ..measure(make, steps) }
        })
        .collect();
    let fixed_size: Vec<Case> =
        CROWDS.iter().map(|&people| measure(|| city(BLOCKS, people, 1), steps)).collect();
    let fixed_density: Vec<Case> =
        GROWING.iter().map(|&people| measure(|| city(blocks_for(people), people, 1), steps)).collect();
    let bytes = |case: Option<&Case>| case.map_or(1.0, |case| case.bytes_per_agent);
    Report {
        steps,
        threads: rayon::current_num_threads(),
        collision: collision_tests(steps.min(600)),
        synthesis: synthesised(steps),
        memory_growth: bytes(by_situations.last()) / bytes(by_situations.first()) - 1.0,
        overlaps: by_situations
            .iter()
            .chain(&fixed_size)
            .chain(&fixed_density)
            .map(|case| case.overlaps)
            .sum(),
        by_situations,
        fixed_size,
        fixed_density,
    }
}

/// Times tests of the motions that neighbours in the city have promised.
fn collision_tests(steps: u32) -> Collision {
    let mut crowd = city(BLOCKS, PEOPLE, 1);
    let (mut queries, mut seconds, mut disagreements) = (0, [0.0; 3], 0);
    for frame in 0..steps {
        crowd.step();
        if frame % 30 != 29 {
            continue;
        }
        let pairs = neighbours(&crowd);
        queries += pairs.len();
        let differ = |(a, b): &&(Placed<'_>, Placed<'_>)| {
            let exact = a.meets(b, Method::FrameByFrame);
            a.meets(b, Method::Mobb) != exact || a.meets(b, Method::Best) != exact
        };
        disagreements += pairs.iter().filter(differ).count();
        for (method, spent) in
            [Method::Mobb, Method::Best, Method::FrameByFrame].into_iter().zip(&mut seconds)
        {
            // The best of three rounds: others use the machine, too.
            let round = || {
                let started = Instant::now();
                black_box(pairs.iter().filter(|(a, b)| a.meets(b, method)).count());
                started.elapsed().as_secs_f64()
            };
            *spent += (0..3).map(|_| round()).fold(f64::INFINITY, f64::min);
        }
    }
    let each = seconds.map(|spent| spent / queries.max(1) as f64);
    Collision {
        queries,
        disagreements,
        mobb_seconds: each[0],
        best_seconds: each[1],
        frame_by_frame_seconds: each[2],
        thesis_mobb_seconds: THESIS_SECONDS[0],
        thesis_frame_by_frame_seconds: THESIS_SECONDS[1],
    }
}

/// Counts and times the motions onto benches.
fn synthesised(steps: u32) -> Synthesis {
    let mut crowd = city(BLOCKS, PEOPLE, 1);
    (0..steps).for_each(|_| crowd.step());
    let brought = crowd.arrival_tally();
    let motions = brought.met.max(1) as f64;
    Synthesis {
        motions: brought.met,
        missed: brought.missed,
        seconds: brought.nanoseconds as f64 * 1e-9 / motions,
        frames: brought.frames as f64 / motions,
        thesis_seconds: THESIS_SYNTHESIS.0,
        thesis_frames: THESIS_SYNTHESIS.1,
    }
}

/// Pairs of promised motions whose surroundings meet: what a decision has to test.
fn neighbours(crowd: &Crowd) -> Vec<(Placed<'_>, Placed<'_>)> {
    let book = &crowd.setting().book;
    let mut pairs = Vec::new();
    for a in 0..crowd.len() {
        for b in 0..a {
            let (own, other) = (crowd.commitment(a), crowd.commitment(b));
            if own.bounds(book).meets(other.bounds(book))
                && let (Some(own), Some(other)) = (own.placed(book), other.placed(book))
            {
                pairs.push((own, other));
            }
        }
    }
    pairs
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Collision { queries, mobb_seconds, best_seconds, frame_by_frame_seconds, .. } = self.collision;
        writeln!(f, "Table 6.1: seconds for a collision test, over {queries} pairs of neighbours")?;
        writeln!(f, "  MOBB            {mobb_seconds:.3e}   (thesis {:.3e})", THESIS_SECONDS[0])?;
        writeln!(f, "  frame by frame  {frame_by_frame_seconds:.3e}   (thesis {:.3e})", THESIS_SECONDS[1])?;
        writeln!(f, "  as decisions do {best_seconds:.3e}")?;
        let Synthesis { motions, missed, seconds, frames, .. } = self.synthesis;
        writeln!(
            f,
            "Table 6.1: seconds for a motion that ends exactly on a seat, over {motions} ({missed} missed)"
        )?;
        writeln!(
            f,
            "  synthesis       {seconds:.3e} for {frames:.0} frames   (thesis {:.3e} for {:.0} frames)",
            THESIS_SYNTHESIS.0, THESIS_SYNTHESIS.1
        )?;
        table(f, "Figure 6.4: 1,000 people, more situations", &self.by_situations)?;
        writeln!(f, "  memory per agent grows by {:.1} %", 100.0 * self.memory_growth)?;
        table(f, "Figure 6.5: 25 blocks, more people", &self.fixed_size)?;
        table(f, "Figure 6.6: the same density, more people", &self.fixed_density)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collision_tests_agree_and_are_counted() {
        let collision = collision_tests(60);
        assert!(collision.queries > 50, "{} pairs", collision.queries);
        assert_eq!(collision.disagreements, 0);
    }

    #[test]
    fn people_are_brought_onto_benches() {
        let Synthesis { motions, seconds, frames, .. } = synthesised(400);
        assert!(motions > 0 && seconds > 0.0 && frames > 10.0, "{motions} motions of {frames} frames");
    }

    #[test]
    fn a_city_has_six_situations_a_block() {
        assert_eq!(city(2, 40, 1).shared().situations.len(), 24);
        assert_eq!(city(BLOCKS, 10, 1).shared().situations.len(), 150);
    }
}
