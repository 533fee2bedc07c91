//! The virtual city (thesis chapter 6): memory, time, and what collision tests cost in it.

use super::density::SIZE_IN_CHAPTER_6;
use super::situations::{Case, curves, measure, table};
use crowdloom_crowd::Crowd;
use crowdloom_crowd::situation::SituationId;
use crowdloom_motion::mobb::{Method, Placed};
use crowdloom_output::curves::plot_curves;
use crowdloom_scene::{Overrides, embedded, parse};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Blocks a side of the thesis' city: 25 blocks, 150 situations.
const BLOCKS: usize = 5;
/// People of the memory experiment and of table 6.1.
const PEOPLE: usize = 1000;
/// Situations of the memory experiment (figure 6.4).
const SITUATIONS: [usize; 5] = [1, 25, 50, 100, 150];
/// People in a city of fixed size (figure 6.5): the thesis' go up to 5,000, but ours are smaller, and the city fills later.
const CROWDS: [usize; 9] = [500, 1000, 2000, 3500, 5000, 7500, 10_000, 15_000, 20_000];
/// Blocks a side of the cities of fixed density (figure 6.6); the thesis goes up to about 5,000 people.
const GROWING: [usize; 6] = [2, 3, 4, 5, 7, 9];
/// Their density in per cent.
const FIXED_DENSITY: f64 = 15.0;
/// Alleys so wide, in metres, make the complexity of 25 blocks the thesis' 30.3.
const ALLEY: f64 = 8.75;
/// The slope of figure 6.5 gets steep where another person costs this many times what one did in the first half of the thesis' range.
const STEEP: f64 = 1.5;
/// The people of the thesis where it did, and their density.
const THESIS_KNEE: (usize, f64) = (3500, 17.0);
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
    /// Seconds for a test with MOBB trees, many boxes at once.
    pub mobb_seconds: f64,
    /// Seconds for a test with the quickest method, which decisions use.
    pub best_seconds: f64,
    /// Seconds for a test frame by frame.
    pub frame_by_frame_seconds: f64,
    /// The same, many frames at once.
    pub many_frames_seconds: f64,
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

/// Where time begins to grow faster with the number of people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Knee {
    /// People in the city.
    pub people: usize,
    /// Their density, people counting as much ground as the thesis' own.
    pub density: f64,
    /// The same by the discs that they have here.
    pub density_of_discs: f64,
}

/// The last case before the slope gets steep.
fn knee(cases: &[Case]) -> Option<Knee> {
    let slope = |pair: &[Case]| {
        let people = pair[1].agents.saturating_sub(pair[0].agents).max(1);
        (pair[1].median_ms_per_frame - pair[0].median_ms_per_frame) / people as f64
    };
    let (first, usual) = (cases.first()?, cases.iter().rfind(|case| case.agents <= THESIS_KNEE.0 / 2 + 250)?);
    let usual = slope(&[*first, *usual]);
    let steep = cases.windows(2).find(|pair| pair[0].agents > first.agents && slope(pair) > STEEP * usual)?;
    let crowding = steep[0].crowding;
    Some(Knee {
        people: steep[0].agents,
        density: crowding.density,
        density_of_discs: crowding.density_of_discs,
    })
}

/// The embedded city with alleys that make its complexity that of the thesis.
fn city(blocks: usize, people: usize, seed: u64) -> Crowd {
    let plain = format!("city = {{ blocks = {blocks} }}");
    let text = embedded::city(blocks, people)
        .replace(&plain, &format!("city = {{ blocks = {blocks}, alley = {ALLEY} }}"));
    let overrides = Overrides { seed: Some(seed), people: None };
    let (simulation, _) = parse(Path::new("city"), &text, overrides).expect("the embedded city can run");
    simulation.into_crowd()
}

/// A city of the fixed density.
fn full_city(blocks: usize) -> Crowd {
    let walkable = city(blocks, 1, 1).setting().ground.size();
    city(blocks, (FIXED_DENSITY / 100.0 * walkable / SIZE_IN_CHAPTER_6).round() as usize, 1)
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
    /// Where its slope gets steep.
    pub knee: Option<Knee>,
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
            Case { situations: count, ..measure(make, steps, SIZE_IN_CHAPTER_6) }
        })
        .collect();
    let fixed_size: Vec<Case> =
        CROWDS.iter().map(|&people| measure(|| city(BLOCKS, people, 1), steps, SIZE_IN_CHAPTER_6)).collect();
    let fixed_density: Vec<Case> =
        GROWING.iter().map(|&blocks| measure(|| full_city(blocks), steps, SIZE_IN_CHAPTER_6)).collect();
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
        knee: knee(&fixed_size),
        fixed_size,
        fixed_density,
    }
}

impl Report {
    /// Figures 6.4 to 6.6.
    pub fn plot(&self) -> String {
        let time = |case: &Case| (case.agents as f32, case.median_ms_per_frame as f32);
        plot_curves(&[
            curves("figure 6.4: 1,000 people", "situations", "bytes for each", &self.by_situations, |case| {
                (case.situations as f32, case.bytes_per_agent)
            }),
            curves("figure 6.5: 25 blocks", "people", "ms a frame", &self.fixed_size, time),
            curves("figure 6.6: constant density", "people", "ms a frame", &self.fixed_density, time),
        ])
    }
}

/// Times tests of the motions that neighbours in the city have promised.
fn collision_tests(steps: u32) -> Collision {
    let mut crowd = city(BLOCKS, PEOPLE, 1);
    let (mut queries, mut seconds, mut disagreements) = (0, [0.0; 4], 0);
    for frame in 0..steps {
        crowd.step();
        if frame % 30 != 29 {
            continue;
        }
        let pairs = neighbours(&crowd);
        queries += pairs.len();
        let differ = |(a, b): &&(Placed<'_>, Placed<'_>)| {
            let exact = a.meets(b, Method::FrameByFrame);
            [Method::Mobb, Method::Best, Method::WideSweep].iter().any(|&way| a.meets(b, way) != exact)
        };
        disagreements += pairs.iter().filter(differ).count();
        for (method, spent) in [Method::Mobb, Method::Best, Method::FrameByFrame, Method::WideSweep]
            .into_iter()
            .zip(&mut seconds)
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
        many_frames_seconds: each[3],
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
        let Collision {
            queries,
            mobb_seconds,
            best_seconds,
            frame_by_frame_seconds,
            many_frames_seconds,
            ..
        } = self.collision;
        writeln!(f, "Table 6.1: seconds for a collision test, over {queries} pairs of neighbours")?;
        writeln!(f, "  MOBB            {mobb_seconds:.3e}   (thesis {:.3e})", THESIS_SECONDS[0])?;
        writeln!(f, "  frame by frame  {frame_by_frame_seconds:.3e}   (thesis {:.3e})", THESIS_SECONDS[1])?;
        writeln!(
            f,
            "  many at once    {many_frames_seconds:.3e}   (frames; the MOBB trees above test many boxes at once, too)"
        )?;
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
        let (people, density) = THESIS_KNEE;
        match self.knee {
            Some(knee) => writeln!(
                f,
                "  the slope gets steep at {} people, a density of {:.1} (of our discs {:.2}); thesis {people}, {density}",
                knee.people, knee.density, knee.density_of_discs
            )?,
            None => writeln!(
                f,
                "  the slope does not get steep; thesis at {people} people, a density of {density}"
            )?,
        }
        table(f, "Figure 6.6: the density of 15.0, more people", &self.fixed_density)
    }
}

#[cfg(test)]
mod tests {
    use super::super::density::{Crowding, complexity};
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
    fn densities_and_complexities_are_the_thesis_ones() {
        let ground = city(BLOCKS, 1, 1).setting().ground.clone();
        assert!((complexity(&ground) - 30.3).abs() < 1.5, "{}", complexity(&ground));
        let crowding = Crowding::of(&full_city(2), SIZE_IN_CHAPTER_6);
        assert!((crowding.density - FIXED_DENSITY).abs() < 0.2, "{crowding:?}");
        assert!((SIZE_IN_CHAPTER_6 * 3500.0 / (62_500.0 * 0.697) - 0.17).abs() < 2e-3);
    }

    #[test]
    fn the_knee_is_where_the_slope_gets_steep() {
        let case = |agents: usize, ms: f64| Case { agents, median_ms_per_frame: ms, ..Case::default() };
        let straight: Vec<Case> = (1..8).map(|n| case(n * 500, n as f64)).collect();
        assert_eq!(knee(&straight), None);
        let mut bent = straight.clone();
        bent.extend([case(4000, 12.0), case(5000, 18.0)]);
        assert_eq!(knee(&bent).map(|knee| knee.people), Some(3500));
    }

    #[test]
    fn a_city_has_six_situations_a_block() {
        assert_eq!(city(2, 40, 1).shared().situations.len(), 24);
        assert_eq!(city(BLOCKS, 10, 1).shared().situations.len(), 150);
    }
}
