//! Walking at four speeds and running at two: cycles, turns, starts, stops and changes between them.

use super::Maker;
use super::gait::{Gait, Manner};
use super::stand;
use super::travel::{End, Travel};
use std::sync::Arc;

/// A gait with a node of its own.
pub struct Node {
    pub node: String,
    pub name: String,
    pub label: &'static str,
    pub gait: Gait,
}

/// Angles of turning clips in degrees.
pub const TURNS: [i32; 5] = [15, 30, 45, 60, 90];

/// The six plain gaits, slow to fast.
pub fn plain() -> Vec<Arc<Node>> {
    let node = |node: &str, name: &str, label, manner| {
        Arc::new(Node { node: node.into(), name: name.into(), label, gait: Gait::new(manner) })
    };
    vec![
        node("walk-slow", "walk-slow", "walk", Manner::walk(0.8)),
        node("walk-easy", "walk-easy", "walk", Manner::walk(1.1)),
        node("walk", "walk-normal", "walk", Manner::walk(1.35)),
        node("walk-brisk", "walk-brisk", "walk", Manner::walk(1.7)),
        node("run", "run", "run", Manner::running(2.6)),
        node("sprint", "sprint", "run", Manner::running(3.6)),
    ]
}

/// A clip from a gait's node back to it, turning left by `degrees`.
pub fn cycle(node: &Node, degrees: i32, extra: &[&str]) -> super::Piece {
    let gait = &node.gait;
    // Sharp turns take two cycles and some speed.
    let sharp = degrees.unsigned_abs() as f32 / 90.0;
    let cycles = if degrees.unsigned_abs() > 60 || gait.cycle_frames < 26 && degrees.unsigned_abs() > 30 {
        2
    } else {
        1
    };
    let dip = (if node.label == "run" { 0.45 } else { 0.35 }) * sharp * if cycles == 1 { 1.1 } else { 1.0 };
    let name = match degrees {
        0 => format!("{}-straight", node.name),
        d => format!("{}-turn-{}-{}", node.name, if d > 0 { "left" } else { "right" }, d.abs()),
    };
    let mut labels = vec![node.label];
    if degrees != 0 {
        labels.push("turn");
    }
    labels.extend(extra);
    let travel = Travel {
        from: End::Going(gait),
        to: End::Going(gait),
        frames: gait.cycle_frames * cycles,
        cycles: cycles as f32,
        turn: (degrees as f32).to_radians(),
        dip,
    };
    travel.piece(name, &labels, (&node.node, &node.node))
}

/// From standing to a gait.
pub fn start(node: &Node, still: (&str, &super::body::Channels), extra: &[&str]) -> super::Piece {
    let gait = &node.gait;
    let cycles = if node.label == "run" { 2.0 } else { 1.0 };
    let mut labels = vec![node.label, "start"];
    labels.extend(extra);
    let travel = Travel {
        from: End::Still(still.1),
        to: End::Going(gait),
        frames: (gait.cycle_frames as f32 * cycles).clamp(28.0, 42.0) as usize,
        cycles,
        turn: 0.0,
        dip: 0.0,
    };
    travel.piece(format!("{}-start", node.name), &labels, (still.0, &node.node))
}

/// From a gait to standing.
pub fn stop(node: &Node, still: (&str, &super::body::Channels), extra: &[&str]) -> super::Piece {
    let gait = &node.gait;
    let (cycles, frames) = match node.label {
        "run" => (2.2 - gait.node_phase(), 36 + (6.0 * (gait.speed - 2.6)).max(0.0) as usize),
        _ => (1.2 - gait.node_phase(), (gait.cycle_frames as f32 * 0.9).clamp(26.0, 30.0) as usize),
    };
    let mut labels = vec![node.label, "stop"];
    labels.extend(extra);
    let travel =
        Travel { from: End::Going(gait), to: End::Still(still.1), frames, cycles, turn: 0.0, dip: 0.0 };
    travel.piece(format!("{}-stop", node.name), &labels, (&node.node, still.0))
}

/// From one gait to another in a cycle.
pub fn change(from: &Node, to: &Node, extra: &[&str]) -> super::Piece {
    let mut labels = vec![from.label];
    if to.label != from.label {
        labels.push(to.label);
    }
    labels.push("change");
    labels.extend(extra);
    let travel = Travel {
        from: End::Going(&from.gait),
        to: End::Going(&to.gait),
        frames: (from.gait.cycle_frames + to.gait.cycle_frames).div_ceil(2),
        cycles: 1.0,
        turn: 0.0,
        dip: 0.0,
    };
    travel.piece(format!("{}-to-{}", from.name, to.name), &labels, (&from.node, &to.node))
}

/// All clips of the plain gaits.
pub fn add(makers: &mut Vec<Maker>) {
    let nodes = plain();
    for node in &nodes {
        let turns = TURNS.iter().flat_map(|&angle| [angle, -angle]);
        for degrees in [0].into_iter().chain(turns) {
            let node = Arc::clone(node);
            makers.push(Box::new(move || cycle(&node, degrees, &[])));
        }
        let node = Arc::clone(node);
        makers.push(Box::new({
            let node = Arc::clone(&node);
            move || start(&node, ("stand", &stand::pose()), &[])
        }));
        makers.push(Box::new(move || stop(&node, ("stand", &stand::pose()), &[])));
    }
    for pair in nodes.windows(2) {
        for (from, to) in [(0, 1), (1, 0)] {
            let (from, to) = (Arc::clone(&pair[from]), Arc::clone(&pair[to]));
            makers.push(Box::new(move || change(&from, &to, &[])));
        }
    }
}
