//! The motions that the experiments test.

use super::random::Draws;
use crowdloom_motion::graph::{ActionId, BuildOptions, MotionGraph, build_graph};
use crowdloom_motion::mobb::{DiscTrack, MotionTree};
use crowdloom_motion::{Placement, builtin};

/// A motion as the ground placements of its frames, relative to the first.
pub type Track = Vec<Placement>;

/// The motions of both experiments.
pub struct Motions {
    /// About 2.1 s each (thesis section 4.4: 51 motions).
    pub short: Vec<Track>,
    /// About 42 s each (thesis section 4.4: 14 motions).
    pub long: Vec<Track>,
}

/// How many short motions there are, and their average number of frames.
const SHORT: (usize, usize) = (51, 63);

/// How many long motions there are, and their average number of frames.
const LONG: (usize, usize) = (14, 1260);

/// The motions of a walker on the built-in motion graph.
pub fn motions() -> Motions {
    let graph = build_graph(&builtin::library(), &BuildOptions::default()).map(|(graph, _)| graph);
    let graph = graph.expect("the built-in library makes a graph");
    let tracks = |(count, frames): (usize, usize), key: u64| {
        let spread = frames / 4;
        let walk = |i: usize| wander(&graph, frames - spread + 2 * spread * i / (count - 1), key + i as u64);
        (0..count).map(walk).collect()
    };
    Motions { short: tracks(SHORT, 1_000), long: tracks(LONG, 2_000) }
}

/// A walk of about `frames` frames through the actions that plainly walk, turn, start and stop.
fn wander(graph: &MotionGraph, frames: usize, key: u64) -> Track {
    let mut draws = Draws::new(key);
    let plain = |action: &ActionId| {
        let clip = &graph.action(*action).clip;
        clip.has_label("walk") && !["style", "carry", "single"].iter().any(|label| clip.has_label(label))
    };
    let mut node = graph.main_node("walk").expect("the graph has walks");
    let mut track = vec![Placement::IDENTITY];
    // Clips last about 40 frames: stopping half a clip early comes nearest to the length on average.
    while track.len() + 20 < frames {
        let choices: Vec<ActionId> = graph.outgoing(node).filter(plain).collect();
        let action = graph.action(choices[draws.below(choices.len())]);
        let start = track.last().copied().unwrap_or_default();
        track.extend(action.clip.track[1..].iter().map(|placement| start.then(*placement)));
        node = action.to;
    }
    track
}

/// The collision trees of motions whose discs all have one radius, in metres.
pub fn trees(tracks: &[Track], radius: f32) -> Vec<MotionTree> {
    tracks
        .iter()
        .filter_map(|track| {
            let positions: Vec<_> = track.iter().map(|placement| placement.position).collect();
            DiscTrack::with_radius(&positions, radius).ok()
        })
        .map(MotionTree::new)
        .collect()
}
