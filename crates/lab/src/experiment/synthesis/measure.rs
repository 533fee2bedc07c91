//! Plans a scene, takes the time, and measures what came of it.

use super::scenes::Scene;
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_motion::{FRAME_TIME, wrap_angle};
use crowdloom_synthesis::{Options, Planned, Repertoire, Task, When};
use glam::Vec2;
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;

/// One row of table 1.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Number of the experiment.
    pub name: String,
    /// People planned.
    pub agents: usize,
    /// Mean seconds of their motions.
    pub mean_duration_s: f64,
    /// Seconds of planning for each of them.
    pub average_s: f64,
    /// Seconds of planning altogether.
    pub total_s: f64,
    /// Those whose goals are all met.
    pub solved: usize,
    /// The largest distance from a goal, in metres.
    pub max_position_error_m: f64,
    /// The largest angle to the wanted facing, in degrees.
    pub max_heading_error_deg: f64,
    /// The largest distance from the wanted time, in seconds.
    pub max_time_error_s: f64,
    /// Pairs that overlap, summed over all frames.
    pub overlaps: usize,
    /// Mean adjustment, in centimetres (or degrees, or fortieths of a second) a second.
    pub mean_adjustment: f64,
    /// Table 1: seconds for each agent.
    pub paper_average_s: Option<f64>,
}

/// Seconds of a number of frames.
pub fn seconds(frames: u32) -> f64 {
    f64::from(frames) * f64::from(FRAME_TIME)
}

/// Plans a scene on one thread; the best of a few times counts, as all give the same motions.
pub fn run_scene(
    scene: &Scene,
    repertoire: &Arc<Repertoire>,
    options: &Options,
    repeats: usize,
) -> (Row, Vec<Planned>) {
    let mut best = f64::INFINITY;
    let mut planned = Vec::new();
    for _ in 0..repeats.max(1) {
        let mut planner = scene.stage.planner(repertoire, options.clone());
        let started = Instant::now();
        planned = planner.plan(&scene.stage.tasks).expect("nobody waits in a ring");
        best = best.min(started.elapsed().as_secs_f64());
    }
    (measure(scene, repertoire, options, &planned, best), planned)
}

fn measure(
    scene: &Scene,
    repertoire: &Repertoire,
    options: &Options,
    planned: &[Planned],
    total: f64,
) -> Row {
    // Those who only stay where they are do not count.
    let goers = scene.stage.tasks.iter().zip(planned).filter(|(task, _)| !task.goals.is_empty());
    let goers: Vec<(&Task, &Planned)> = goers.collect();
    let agents = goers.len();
    let (mut position, mut heading, mut time) = (0.0f64, 0.0f64, 0.0f64);
    let (mut adjustment, mut legs, mut duration) = (0.0f64, 0usize, 0.0f64);
    for (task, Planned { motion, .. }) in &goers {
        duration += seconds(motion.arrival().unwrap_or(0));
        for (goal, leg) in task.goals.iter().zip(motion.legs()) {
            let (placement, _) = motion.at(repertoire, leg.last_frame());
            if let Some(at) = goal.at {
                position = position.max(f64::from(at.distance(placement.position)));
            }
            if let Some(facing) = goal.facing {
                heading = heading.max(f64::from(wrap_angle(facing - placement.heading).abs().to_degrees()));
            }
            if let Some(When::Between { from, to }) = goal.time {
                let now = seconds(leg.last_frame());
                time = time.max((f64::from(from) - now).max(now - f64::from(to)).max(0.0));
            }
            adjustment += f64::from(leg.adjustment().per_second) * 100.0;
            legs += 1;
        }
    }
    Row {
        name: scene.name.clone(),
        agents,
        mean_duration_s: duration / agents.max(1) as f64,
        average_s: total / agents.max(1) as f64,
        total_s: total,
        solved: goers.iter().filter(|(_, planned)| planned.failure.is_none()).count(),
        max_position_error_m: position,
        max_heading_error_deg: heading,
        max_time_error_s: time,
        overlaps: overlaps(scene, repertoire, options.radius, planned),
        mean_adjustment: adjustment / legs.max(1) as f64,
        paper_average_s: scene.paper,
    }
}

/// Pairs of overlapping discs, and discs in walls, in all frames until everybody has long arrived.
fn overlaps(scene: &Scene, repertoire: &Repertoire, radius: f32, planned: &[Planned]) -> usize {
    let last = planned.iter().map(|planned| planned.motion.last_frame()).max().unwrap_or(0);
    let mut grid = NeighbourGrid::default();
    let mut count = 0;
    for frame in 0..=last + 30 {
        let there = planned.iter().filter(|planned| planned.motion.is_there(frame));
        let positions: Vec<Vec2> =
            there.map(|planned| planned.motion.at(repertoire, frame).0.position).collect();
        count += positions.iter().filter(|&&at| !scene.stage.ground.is_free(at, radius)).count();
        grid.rebuild(&positions, 2.0 * radius);
        for (one, &at) in positions.iter().enumerate() {
            grid.for_each_within(at, 2.0 * radius, |other, _, squared| {
                count += usize::from((other as usize) < one && squared < 4.0 * radius * radius);
            });
        }
    }
    count
}
