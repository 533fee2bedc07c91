//! Cutting clips where they pass nodes, and keeping only what can be reached, left and brought to rest.

use super::cutting_places::CuttingPlaces;
use super::distance::PoseClouds;
use super::find_nodes::NodeFrame;
use super::prune::{Connection, connections};
use crate::FRAME_RATE;

/// How alike a clip and a node must be for the clip to be cut there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutRule {
    /// Distance in metres up to which a cut is welcome.
    pub threshold: f32,
    /// Distance in metres up to which a cut is accepted where it keeps a good deal of motion connected.
    pub bridge: f32,
    /// The fewest frames between two cuts.
    pub least_frames: usize,
    /// The most frames between two cuts.
    pub most_frames: usize,
}

/// A welcome cut is worth this many frames of kept motion at distance zero, and nothing at the threshold.
const CUT_VALUE: f32 = 8.0;

/// A bridging cut must pay with this many frames of motion that would be lost without it.
const BRIDGE_PRICE: f32 = 10.0;

impl CutRule {
    fn worth(&self, distance: f32) -> f32 {
        if distance <= self.threshold { CUT_VALUE * (1.0 - distance / self.threshold) } else { -BRIDGE_PRICE }
    }
}

/// A moment at which a clip passes a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// The frame in the clip.
    pub frame: usize,
    /// The node.
    pub node: usize,
    /// How far the clip's pose is from the node's, in metres.
    pub distance: f32,
}

/// A node with its distance to every frame of every clip.
#[derive(Clone, Debug)]
pub struct MeasuredNode {
    /// Where the node's pose comes from.
    pub node: NodeFrame,
    /// Distance in metres to each frame, by running index.
    pub distances: Vec<f32>,
}

impl MeasuredNode {
    /// Measures a node against all frames.
    pub fn new(clouds: &PoseClouds, node: NodeFrame) -> Self {
        let index = clouds.index(node.clip, node.frame);
        let distances = (0..clouds.len()).map(|other| clouds.distance(index, other)).collect();
        Self { node, distances }
    }
}

/// The frames at which distances have a local minimum under `threshold`.
pub fn minima(distances: &[f32], threshold: f32) -> impl DoubleEndedIterator<Item = usize> + '_ {
    (0..distances.len()).filter(move |&frame| {
        let here = distances[frame];
        let before = frame.checked_sub(1).map_or(f32::INFINITY, |before| distances[before]);
        let after = distances.get(frame + 1).copied().unwrap_or(f32::INFINITY);
        here < threshold && here <= before && here < after
    })
}

/// Chooses the passes at which to cut a clip: as much kept as possible, as many welcome cuts as fit.
///
/// `passes` are in order of their frames.
pub fn choose_cuts(passes: &[Pass], rule: CutRule) -> Vec<Pass> {
    let mut best: Vec<f32> = Vec::with_capacity(passes.len());
    let mut before: Vec<Option<usize>> = Vec::with_capacity(passes.len());
    for (index, pass) in passes.iter().enumerate() {
        let between = rule.least_frames..=rule.most_frames;
        let reachable = (0..index).filter(|&other| between.contains(&(pass.frame - passes[other].frame)));
        let score = |other: usize| best[other] + (pass.frame - passes[other].frame) as f32;
        let previous = reachable.rev().max_by(|&a, &b| score(a).total_cmp(&score(b)));
        // Starting here may be better than any way that leads here.
        let previous = previous.filter(|&other| score(other) > 0.0);
        best.push(previous.map_or(0.0, score) + rule.worth(pass.distance));
        before.push(previous);
    }
    let last = (0..passes.len()).rev().max_by(|&a, &b| best[a].total_cmp(&best[b]));
    let mut cuts: Vec<Pass> =
        std::iter::successors(last, |&index| before[index]).map(|index| passes[index]).collect();
    cuts.reverse();
    cuts
}

/// The cuts of every clip and which nodes are of use.
#[derive(Clone, Debug)]
pub struct CutPlan {
    /// For each clip its cuts in order; a clip of which nothing is kept has none.
    pub cuts: Vec<Vec<Pass>>,
    /// Which nodes can be reached, left and brought to rest.
    pub survives: Vec<bool>,
    /// Frames of motion between the cuts.
    pub kept_frames: usize,
    /// Frames of motion that is not kept because it connects one way only.
    pub one_way_frames: usize,
}

/// Cuts all clips at the nodes; cuts again without the nodes that turn out useless, until all are of use.
pub fn plan_cuts(
    clouds: &PoseClouds,
    nodes: &[&MeasuredNode],
    places: &CuttingPlaces,
    rule: CutRule,
) -> CutPlan {
    let mut survives = vec![true; nodes.len()];
    let mut one_way_frames = None;
    loop {
        let cuts: Vec<Vec<Pass>> = (0..places.clips())
            .map(|clip| {
                let range = clouds.clip_range(clip);
                let mut passes: Vec<Pass> = Vec::new();
                for (node, measured) in nodes.iter().enumerate().filter(|(node, _)| survives[*node]) {
                    let distances = &measured.distances[range.clone()];
                    // Where the user names a pose, clips are cut there, steps or not.
                    let anywhere = measured.node.name.is_some();
                    let found = minima(distances, rule.bridge)
                        .filter(|frame| anywhere || places.allow(range.start + frame));
                    passes.extend(found.map(|frame| Pass { frame, node, distance: distances[frame] }));
                }
                passes.sort_by_key(|pass| (pass.frame, pass.node));
                choose_cuts(&passes, rule)
            })
            .collect();
        let links: Vec<(usize, usize, f32)> = cuts
            .iter()
            .flat_map(|cuts| cuts.windows(2))
            .map(|pair| (pair[0].node, pair[1].node, (pair[1].frame - pair[0].frame) as f32 / FRAME_RATE))
            .collect();
        let rest: Vec<bool> = nodes.iter().map(|node| node.node.rest).collect();
        let connections = connections(&rest, &links);
        let frames = |links: &mut dyn Iterator<Item = &(usize, usize, f32)>| {
            (links.map(|link| link.2).sum::<f32>() * FRAME_RATE).round() as usize
        };
        let one_way = one_way_frames.get_or_insert_with(|| {
            let dangling = |link: &&(usize, usize, f32)| {
                let ends = [connections[link.0], connections[link.1]];
                ends.contains(&Connection::OneWay) && !ends.contains(&Connection::None)
            };
            frames(&mut links.iter().filter(dangling))
        });
        let now: Vec<bool> = survives
            .iter()
            .zip(&connections)
            .map(|(&before, &now)| before && now == Connection::Both)
            .collect();
        if now == survives {
            let one_way_frames = *one_way;
            return CutPlan { kept_frames: frames(&mut links.iter()), one_way_frames, cuts, survives };
        }
        survives = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: CutRule = CutRule { threshold: 0.1, bridge: 0.2, least_frames: 15, most_frames: usize::MAX };

    #[test]
    fn no_piece_is_longer_than_allowed() {
        let passes = [0, 20, 90, 110].map(|frame| Pass { frame, node: 0, distance: 0.0 });
        let cuts = choose_cuts(&passes, CutRule { most_frames: 50, ..RULE });
        assert_eq!(cuts.len(), 2);
        assert!(cuts[1].frame - cuts[0].frame <= 50);
        assert_eq!(choose_cuts(&passes, RULE).len(), 4);
    }

    fn pass(frame: usize, node: usize, distance: f32) -> Pass {
        Pass { frame, node, distance }
    }

    #[test]
    fn keeps_the_most_and_cuts_where_it_can() {
        let passes =
            [pass(2, 0, 0.05), pass(8, 1, 0.01), pass(20, 1, 0.02), pass(40, 0, 0.01), pass(59, 0, 0.09)];
        let frames: Vec<usize> = choose_cuts(&passes, RULE).iter().map(|cut| cut.frame).collect();
        assert_eq!(frames, [2, 20, 40, 59]);
        assert!(choose_cuts(&[], RULE).is_empty());
    }

    #[test]
    fn a_bridge_must_pay() {
        let near = [pass(20, 0, 0.01), pass(40, 0, 0.01)];
        let with_bridge = |frame| {
            let passes: Vec<Pass> = std::iter::once(pass(frame, 1, 0.15)).chain(near).collect();
            choose_cuts(&passes, RULE).len()
        };
        assert_eq!(with_bridge(5), 3, "15 frames are worth a bridge");
        let small = CutRule { least_frames: 5, ..RULE };
        let passes: Vec<Pass> = std::iter::once(pass(14, 1, 0.15)).chain(near).collect();
        assert_eq!(choose_cuts(&passes, small).len(), 2, "6 frames are not");
    }
}
