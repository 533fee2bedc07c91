//! Plans a scene, takes the time, and measures what came of it.

use super::super::density::{SIZE_IN_CHAPTER_4, complexity};
use super::scenes::{Paper, Scene};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_motion::{FRAME_TIME, wrap_angle};
use crowdloom_synthesis::{Options, Planned, Repertoire, Showing, Task, When};
use glam::{Vec2, Vec3};
use serde::Serialize;
use std::collections::BTreeMap;
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
    /// Seconds of getting ready: the ground's meshes, or its roadmap.
    pub setup_s: f64,
    /// Frames in which bones of two people come within 8 cm of each other, of those looked at (every third).
    pub limbs_touch: usize,
    /// The least distance between bones of two people, in metres; infinite where nobody comes near.
    pub least_limb_distance_m: f64,
    /// Density of the crowd in per cent, people counting as much as in the thesis (section 1.4).
    pub density: f64,
    /// Physical complexity of the ground in per cent.
    pub complexity: f64,
    /// What the paper and the thesis print.
    pub paper: Option<Paper>,
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
    let (mut best, mut setup) = (f64::INFINITY, f64::INFINITY);
    let mut planned = Vec::new();
    for _ in 0..repeats.max(1) {
        let started = Instant::now();
        let mut planner = scene.stage.planner(repertoire, options.clone());
        setup = setup.min(started.elapsed().as_secs_f64());
        let started = Instant::now();
        planned = planner.plan(&scene.stage.tasks).expect("nobody waits in a ring");
        best = best.min(started.elapsed().as_secs_f64());
    }
    (measure(scene, repertoire, options, &planned, [setup, best]), planned)
}

fn measure(
    scene: &Scene,
    repertoire: &Repertoire,
    options: &Options,
    planned: &[Planned],
    [setup_s, total]: [f64; 2],
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
    let limbs = limbs(repertoire, planned);
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
        setup_s,
        limbs_touch: limbs.0,
        least_limb_distance_m: f64::from(limbs.1),
        density: 100.0 * planned.len() as f64 * SIZE_IN_CHAPTER_4 / scene.stage.ground.size(),
        complexity: complexity(&scene.stage.ground),
        paper: scene.paper,
    }
}

/// Bones nearer than this touch: about what two arms are thick, in metres.
const LIMB: f32 = 0.08;
/// Bodies whose roots are farther apart than this are not looked at, in metres.
const ARMS_REACH: f32 = 1.3;
/// Frames from one look to the next.
const LOOKS: usize = 3;

/// Frames in which bones of two people touch, and how near they come at most: discs are narrower than bodies are.
fn limbs(repertoire: &Repertoire, planned: &[Planned]) -> (usize, f32) {
    let graph = repertoire.graph();
    let skeleton = graph.skeleton();
    let last = planned.iter().map(|planned| planned.motion.last_frame()).max().unwrap_or(0);
    let mut grid = NeighbourGrid::default();
    let (mut touching, mut least) = (0, f32::INFINITY);
    for frame in (0..=last).step_by(LOOKS) {
        let there: Vec<&Planned> = planned.iter().filter(|planned| planned.motion.is_there(frame)).collect();
        let at: Vec<_> = there.iter().map(|planned| planned.motion.at(repertoire, frame)).collect();
        let roots: Vec<Vec2> = at.iter().map(|(placement, _)| placement.position).collect();
        grid.rebuild(&roots, ARMS_REACH);
        let mut bones: BTreeMap<usize, Vec<[Vec3; 2]>> = BTreeMap::new();
        let mut touches = false;
        for (one, &root) in roots.iter().enumerate() {
            grid.for_each_within(root, ARMS_REACH, |other, _, _| {
                let other = other as usize;
                if other >= one {
                    return;
                }
                for index in [one, other] {
                    bones.entry(index).or_insert_with(|| {
                        let (placement, showing) = at[index];
                        let pose = match showing {
                            Showing::Still(node) => graph.node(node).state.pose.clone(),
                            Showing::Clip(action, moment) => graph.action(action).clip.sample(moment),
                        };
                        let joints = pose.joints(skeleton, placement);
                        let bone = |joint: usize| {
                            skeleton
                                .parent(joint)
                                .map(|parent| [joints.positions[parent], joints.positions[joint]])
                        };
                        (0..skeleton.len()).filter_map(bone).collect()
                    });
                }
                let pairs = bones[&one].iter().flat_map(|a| bones[&other].iter().map(move |b| (a, b)));
                let near = pairs.map(|(a, b)| between(*a, *b)).fold(f32::INFINITY, f32::min);
                least = least.min(near);
                touches |= near < LIMB;
            });
        }
        touching += usize::from(touches);
    }
    (touching, least)
}

/// The distance of two segments in metres.
fn between([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f32 {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let whole = uu * vv - uv * uv;
    let mut s = if whole > 1e-9 { ((uv * vw - vv * uw) / whole).clamp(0.0, 1.0) } else { 0.0 };
    let t = if vv > 1e-9 { ((uv * s + vw) / vv).clamp(0.0, 1.0) } else { 0.0 };
    if uu > 1e-9 {
        s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    }
    (w + u * s - v * t).length()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_bones_are_those_of_segments() {
        let bone = |from: [f32; 3], to: [f32; 3]| [Vec3::from(from), Vec3::from(to)];
        let across = between(bone([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), bone([0.5, -1.0, 0.3], [0.5, 1.0, 0.3]));
        assert!((across - 0.3).abs() < 1e-6, "{across}");
        let beside = between(bone([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), bone([0.0, 0.2, 0.0], [1.0, 0.2, 0.0]));
        assert!((beside - 0.2).abs() < 1e-6, "{beside}");
        let ends = between(bone([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), bone([2.0, 0.0, 0.0], [3.0, 0.0, 0.0]));
        assert!((ends - 1.0).abs() < 1e-6, "{ends}");
    }
}
