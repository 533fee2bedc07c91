//! Figure 5.13 of the thesis: what finding collisions of whole ways costs, with trees and frame by frame.

use crowdloom_motion::Placement;
use crowdloom_motion::mobb::{Anchor, DiscTrack, Method, MotionTree, Placed};
use crowdloom_synthesis::{Goal, Options, Planner, Repertoire, Task};
use crowdloom_world::{Ground, Outline, Stream, rectangle};
use glam::{DVec2, Vec2};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;

/// So many people on a field.
#[derive(Clone, Debug, Serialize)]
pub struct PathPoint {
    /// How many there are.
    pub agents: usize,
    /// Pairs of them whose ways meet.
    pub meeting: usize,
    /// Microseconds of comparing one with all others, frame by frame …
    pub frame_by_frame_us: f64,
    /// … with MOBB trees, as published …
    pub mobb_us: f64,
    /// … and with what is fastest here.
    pub best_us: f64,
}

/// The field of the thesis, in metres.
const FIELD: DVec2 = DVec2::new(30.0, 40.0);
/// Numbers of people.
const AGENTS: [usize; 6] = [10, 20, 40, 60, 80, 100];
/// How often all pairs are compared; the quickest counts.
const REPEATS: usize = 5;

/// Compares all ways of more and more people, each from a random place to another.
pub fn run(repertoire: &Arc<Repertoire>) -> Vec<PathPoint> {
    let trees = ways(repertoire, AGENTS[AGENTS.len() - 1]);
    AGENTS.into_iter().map(|agents| compare(&trees[..agents.min(trees.len())])).collect()
}

/// Ways of people who are each planned alone, so that some of them meet.
fn ways(repertoire: &Arc<Repertoire>, agents: usize) -> Vec<MotionTree> {
    let options = Options::default();
    let floor = Outline::solid("field", rectangle(DVec2::ZERO, FIELD));
    let ground = Arc::new(Ground::builder().floor(floor).build().expect("a field"));
    let pose = repertoire.graph().nodes().iter().position(|node| node.rest).unwrap_or(0);
    let mut random = Stream::new(513, 0);
    let mut place = || {
        let share = Vec2::new(random.unit() as f32, random.unit() as f32);
        Vec2::ONE + share * (FIELD.as_vec2() - 2.0)
    };
    let mut trees = Vec::new();
    for number in 0..agents {
        let (start, goal) = (place(), place());
        let way = goal - start;
        let task = Task {
            name: format!("walker {number}"),
            start: Placement { position: start, heading: libm::atan2f(way.y, way.x) },
            pose: crowdloom_motion::graph::NodeId(pose as u16),
            goals: vec![Goal { at: Some(goal), ..Goal::default() }],
        };
        let mut planner = Planner::new(Arc::clone(&ground), Arc::clone(repertoire), options.clone(), &[]);
        let planned = planner.plan(&[task]).expect("nobody waits for anybody").remove(0);
        let positions: Vec<Vec2> = (0..=planned.motion.last_frame())
            .map(|frame| planned.motion.at(repertoire, frame).0.position)
            .collect();
        trees.extend(DiscTrack::with_radius(&positions, options.radius).map(MotionTree::new).ok());
    }
    trees
}

fn compare(trees: &[MotionTree]) -> PathPoint {
    let here = Anchor::from(Placement::IDENTITY);
    let placed: Vec<Placed<'_>> =
        trees.iter().map(|tree| Placed { tree, anchor: here, start_frame: 0 }).collect();
    let mut meeting = 0;
    let mut each_us = |method: Method| {
        let mut best = f64::INFINITY;
        for _ in 0..REPEATS {
            let started = Instant::now();
            let pairs =
                placed.iter().enumerate().flat_map(|(i, one)| placed[..i].iter().map(move |two| (one, two)));
            meeting = pairs.filter(|(one, two)| one.meets(two, method)).count();
            best = best.min(started.elapsed().as_secs_f64());
        }
        best * 1e6 / placed.len().max(1) as f64
    };
    let frame_by_frame_us = each_us(Method::FrameByFrame);
    let (mobb_us, best_us) = (each_us(Method::Mobb), each_us(Method::Best));
    PathPoint { agents: placed.len(), meeting, frame_by_frame_us, mobb_us, best_us }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::builtin;
    use crowdloom_motion::graph::{BuildOptions, build_graph};

    #[test]
    fn trees_find_what_frames_find() {
        let options = Options::default();
        let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).expect("clips connect");
        let repertoire =
            Repertoire::new(Arc::new(graph), &options.locomotion, options.weights).expect("it walks");
        let trees = ways(&Arc::new(repertoire), 60);
        let point = compare(&trees);
        let at = |tree: &MotionTree, frame: usize| tree.track().disc(frame.min(tree.duration())).centre;
        let mut meeting = 0;
        for (i, one) in trees.iter().enumerate() {
            for two in &trees[..i] {
                let both = one.duration().min(two.duration());
                let meets =
                    (0..both).any(|frame| at(one, frame).distance(at(two, frame)) < 2.0 * options.radius);
                meeting += usize::from(meets);
            }
        }
        assert!(point.agents == 60 && meeting > 0 && point.meeting == meeting, "{point:?}, not {meeting}");
    }
}
