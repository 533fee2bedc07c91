//! Everybody in one city: people of all movers, a bus, planned people and recorded ones, and not one broken promise.

use super::city::blocks_for;
use crowdloom_crowd::{Mover, Steps};
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use serde::Serialize;
use std::fmt::{self, Write};
use std::path::Path;
use std::time::Instant;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// People in the city at the end.
    pub people: usize,
    /// How many of them each mover moves.
    pub by_mover: Vec<(String, usize)>,
    /// Simulated seconds.
    pub seconds: u32,
    /// Promises that were not kept apart, over all frames that were checked.
    pub promise_overlaps: usize,
    /// Pairs of people that overlapped in frames that were checked, but for pairs of steered people.
    pub overlaps: usize,
    /// Pairs of steered people that overlapped in frames that were checked: their models may let them.
    pub steered_overlaps: usize,
    /// The deepest of these, in metres.
    pub deepest_steered_overlap: f32,
    /// Simulated time over computing time.
    pub realtime_factor: f64,
    /// Milliseconds that a frame takes.
    pub ms_per_frame: f64,
}

/// The movers besides the motion graph that move people who come and go by themselves.
const OTHERS: [&str; 6] = ["rvo", "orca", "social-force", "boids", "hidac", "cell-marking"];
/// The promises of everybody are compared every so many frames.
const CHECKED: u32 = 30;
/// Metres from one street to the next in the embedded city.
const STREETS: f32 = 52.0;

/// Runs a city of `people` for so many simulated seconds.
pub fn run(people: usize, seconds: u32) -> std::io::Result<Report> {
    let folder = tempfile::tempdir()?;
    let blocks = blocks_for(people);
    let recording = folder.path().join("recorded.csv");
    std::fs::write(&recording, recorded(blocks))?;
    let text = city(blocks, people, &recording);
    let (mut simulation, _) = parse(Path::new("mixed"), &text, Overrides::default())
        .unwrap_or_else(|error| panic!("the city can run: {error}"));
    let (mut spent, mut deepest) = (0.0, 0.0f32);
    let (mut promise_overlaps, mut overlaps, mut steered_overlaps) = (0, 0, 0);
    for frame in 0..seconds * 30 {
        let started = Instant::now();
        simulation.step();
        spent += started.elapsed().as_secs_f64();
        if frame % CHECKED == 0 {
            let crowd = simulation.crowd();
            promise_overlaps += crowd.promise_overlaps();
            overlaps += crowd.overlaps().0;
            let (pairs, depth) = crowd.steered_overlaps(0.0);
            (steered_overlaps, deepest) = (steered_overlaps + pairs, deepest.max(depth));
        }
    }
    Ok(Report {
        people: simulation.crowd().len(),
        by_mover: by_mover(&simulation),
        seconds,
        promise_overlaps,
        overlaps,
        steered_overlaps,
        deepest_steered_overlap: deepest,
        realtime_factor: f64::from(seconds) / spent,
        ms_per_frame: 1e3 * spent / f64::from(seconds * 30),
    })
}

/// The embedded city with people of all movers, a bus, planned people and a recording.
fn city(blocks: usize, people: usize, recording: &Path) -> String {
    let share = people / (OTHERS.len() + 1);
    let mut text = embedded::city(blocks, people - share * OTHERS.len());
    for mover in OTHERS {
        let _ = write!(text, "\n[[people]]\ncount = {share}\nmover = \"{mover}\"\n");
    }
    let _ = write!(
        text,
        "\n[[people]]\nmover = \"recorded\"\nrecording = {:?}\nradius = 0.2\n",
        recording.display().to_string()
    );
    for street in 0..blocks.min(4) {
        let x = street as f32 * STREETS;
        let _ = write!(
            text,
            "\n[[people]]\nmover = \"planned\"\nname = \"walker {street}\"\nat = [{}, 20]\nfacing = 90\n\
             [[constraint]]\nperson = \"walker {street}\"\nat = [{}, 44]\nfacing = 90\n",
            x + 4.0,
            x + 5.0,
        );
    }
    let along = blocks as f32 * STREETS;
    let _ = write!(
        text,
        "\n[[vehicle]]\nname = \"bus\"\nway = [[1, {y}], [{end}, {y}]]\nlength = 8\nwidth = 2.4\nspeed = 6\nevery = 60\n",
        y = along + 6.0,
        end = along,
    );
    text
}

/// People who walk down the middle of a street, one after the other, as a table.
fn recorded(blocks: usize) -> String {
    let mut table = String::from("id,frame,time,x,y\n");
    let x = (blocks / 2) as f32 * STREETS + 6.0;
    for person in 0..6u32 {
        for frame in 0..600u32 {
            let time = f64::from(person * 90 + frame) / 30.0;
            let y = 14.0 + 1.2 * frame as f32 / 30.0;
            let _ = writeln!(table, "{person},{},{time:.4},{x},{y:.4}", person * 90 + frame);
        }
    }
    table
}

fn by_mover(simulation: &Simulation) -> Vec<(String, usize)> {
    let crowd = simulation.crowd();
    let name = |index: usize| match crowd.mover(index) {
        Mover::Graph => "graph".to_owned(),
        Mover::Planned => "planned".to_owned(),
        Mover::Recorded => "recorded".to_owned(),
        Mover::CellMarking(_) => "cell-marking".to_owned(),
        Mover::Steered(number) => crowd.steering_name(number).unwrap_or_default().to_owned(),
    };
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    (0..crowd.len()).for_each(|index| *counts.entry(name(index)).or_default() += 1);
    counts.into_iter().collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let movers: Vec<String> =
            self.by_mover.iter().map(|(name, count)| format!("{count} {name}")).collect();
        writeln!(f, "{} people ({}) for {} s", self.people, movers.join(", "), self.seconds)?;
        writeln!(f, "{} promises overlap, {} pairs of people", self.promise_overlaps, self.overlaps)?;
        writeln!(
            f,
            "{} pairs of steered people, up to {:.3} m deep",
            self.steered_overlaps, self.deepest_steered_overlap
        )?;
        writeln!(f, "{:.2} ms a frame, {:.2} times real time", self.ms_per_frame, self.realtime_factor)
    }
}

#[cfg(test)]
mod tests {
    use super::OTHERS;

    #[test]
    fn a_small_city_breaks_no_promise() {
        let report = super::run(240, 12).unwrap();
        assert_eq!((report.promise_overlaps, report.overlaps), (0, 0), "{report}");
        for mover in OTHERS.into_iter().chain(["graph", "recorded"]) {
            assert!(report.by_mover.iter().any(|(name, _)| name == mover), "{mover}: {report}");
        }
        assert!(report.people > 200, "{report}");
    }
}
