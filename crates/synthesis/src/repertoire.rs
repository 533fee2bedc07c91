//! What a motion graph offers, laid out for search: displacements, ways into and out of locomotion, replacements.

use crate::fan::Fan;
use crate::options::{Locomotion, Weights};
use crate::outline::Outlines;
use crate::spot::Spot;
use crowdloom_motion::graph::{ActionId, MotionGraph, NodeId};
use crowdloom_motion::wrap_angle;
use glam::Vec2;
use std::sync::Arc;
use thiserror::Error;

/// Why a graph cannot be used for synthesis.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RepertoireError {
    /// No clip leads from a gait back to itself.
    #[error("the motion graph has no clips to get about with; label some of them `walk`")]
    NoLocomotion,
}

/// What search needs of a clip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipEntry {
    pub from: NodeId,
    pub to: NodeId,
    /// Frames that it lasts.
    pub frames: u32,
    pub displacement: Spot,
    pub inverse: Spot,
    /// Metres walked.
    pub length: f32,
    /// Where its frames are among all positions and headings.
    first: u32,
    /// Where its replacements are.
    replacements: (u32, u32),
}

/// Clips one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub actions: Vec<ActionId>,
    /// The node at the end that belongs to locomotion.
    pub core: NodeId,
    pub displacement: Spot,
    pub inverse: Spot,
    pub frames: u32,
}

/// What can come next at a node, and where each of it leads.
#[derive(Clone, Debug)]
pub(crate) struct Continuations<T> {
    pub items: Vec<T>,
    pub fan: Fan,
}

impl<T> Continuations<T> {
    fn new(items: Vec<T>, step: impl Fn(&T) -> (Spot, u32, f32)) -> Self {
        let mut fan = Fan::default();
        for (step, frames, speed) in items.iter().map(step) {
            fan.push(step, frames, speed);
        }
        Self { items, fan }
    }
}

/// A sub-graph in which one gets about.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    /// Clips from each node of the core to another, and to it, as seen from its end.
    pub outgoing: Vec<Continuations<ActionId>>,
    pub incoming: Vec<Continuations<ActionId>>,
    /// Ways from each node to the core, of the fewest clips, with turns on the spot put in.
    pub launches: Vec<Continuations<Path>>,
    /// Ways from the core to each node, as seen from their end.
    pub landings: Vec<Continuations<Path>>,
    /// Clips from each node to the core.
    distance: Vec<u32>,
    /// How fast one goes at each node of the core, in metres a second.
    pub speeds: Vec<f32>,
    /// The node of the core that is gone through where no pose is asked for.
    pub main: NodeId,
}

impl Mode {
    /// A node of the core, one after the other by `number`, beginning with the main one.
    pub fn gait(&self, number: usize) -> NodeId {
        let nodes = self.outgoing.len();
        let others = (0..nodes).map(|step| (self.main.index() + step) % nodes);
        let core = others.filter(|&node| !self.outgoing[node].items.is_empty());
        let count = core.clone().count().max(1);
        core.clone().nth(number % count).map_or(self.main, |node| NodeId(node as u16))
    }

    /// Clips from a node to the core.
    pub fn distance_from(&self, node: NodeId) -> u32 {
        self.distance[node.index()]
    }
}

/// A motion graph, ready for search.
#[derive(Debug)]
pub struct Repertoire {
    graph: Arc<MotionGraph>,
    clips: Vec<ClipEntry>,
    positions: Vec<Vec2>,
    headings: Vec<f32>,
    replacements: Vec<ActionId>,
    /// For each replacement the sum of probabilities up to it.
    cumulative: Vec<f32>,
    pub(crate) modes: Vec<Mode>,
    pub(crate) outlines: Outlines,
    /// For each node clips of waiting there, on the spot.
    idles: Vec<Vec<ActionId>>,
    /// For each node the clips that leave it, and that lead to it, with which one gets about in small steps.
    pub(crate) steps_from: Vec<Vec<ActionId>>,
    pub(crate) steps_to: Vec<Vec<ActionId>>,
}

/// No more ways than this from one node into locomotion.
const MOST_PATHS: usize = 96;
/// A clip that goes less far than this and turns more than the other is a turn on the spot (metres, radians).
const ON_THE_SPOT: (f32, f32) = (0.2, 0.5);
/// A clip that never goes farther nor turns more than this stays on the spot (metres, radians).
const STILL: (f32, f32) = (0.02, 0.02);
/// A clip that takes longer than this, in frames, is no small step.
const LONGEST_STEP: u32 = 75;
/// Two clips count as at least this far apart, in metres: probability is inverse to distance.
const LEAST_DISTANCE: f32 = 0.01;

impl Repertoire {
    /// Prepares a graph.
    pub fn new(
        graph: Arc<MotionGraph>,
        locomotion: &[Locomotion],
        weights: Weights,
    ) -> Result<Self, RepertoireError> {
        let mut this = Self {
            clips: Vec::new(),
            positions: Vec::new(),
            headings: Vec::new(),
            replacements: Vec::new(),
            cumulative: Vec::new(),
            modes: Vec::new(),
            outlines: Outlines::new(&graph),
            idles: vec![Vec::new(); graph.nodes().len()],
            steps_from: vec![Vec::new(); graph.nodes().len()],
            steps_to: vec![Vec::new(); graph.nodes().len()],
            graph: Arc::clone(&graph),
        };
        for action in graph.actions() {
            let track = &action.clip.track;
            let first = this.positions.len() as u32;
            this.positions.extend(track.iter().map(|placement| placement.position));
            // Headings go on smoothly, so that in between is in between.
            let mut heading = 0.0;
            for placement in track {
                heading += wrap_angle(placement.heading - heading);
                this.headings.push(heading);
            }
            let displacement = Spot { heading, ..action.clip.displacement().into() };
            this.clips.push(ClipEntry {
                from: action.from,
                to: action.to,
                frames: (track.len() - 1) as u32,
                displacement,
                inverse: displacement.inverse(),
                length: track.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum(),
                first,
                replacements: (0, 0),
            });
        }
        let turns: Vec<ActionId> = this.actions().filter(|&action| this.turns_on_the_spot(action)).collect();
        let steps: Vec<ActionId> = this.actions().filter(|&action| this.steps_aside(action)).collect();
        let masks: Vec<Vec<bool>> = locomotion.iter().map(|each| this.mask(each)).collect();
        for mask in &masks {
            this.modes.extend(this.mode(mask, &turns, &steps));
        }
        if this.modes.is_empty() {
            return Err(RepertoireError::NoLocomotion);
        }
        let idles: Vec<ActionId> = this.actions().filter(|&action| this.idles_on_the_spot(action)).collect();
        for action in idles {
            this.idles[this.clips[action.index()].from.index()].push(action);
        }
        let steps: Vec<ActionId> = this.actions().filter(|&action| this.is_small_step(action)).collect();
        for action in steps {
            let ClipEntry { from, to, .. } = this.clips[action.index()];
            this.steps_from[from.index()].push(action);
            this.steps_to[to.index()].push(action);
        }
        this.find_replacements(&masks, &turns, weights);
        Ok(this)
    }

    /// The graph.
    pub fn graph(&self) -> &Arc<MotionGraph> {
        &self.graph
    }

    fn actions(&self) -> impl Iterator<Item = ActionId> + use<> {
        (0..self.clips.len()).map(|index| ActionId(index as u16))
    }

    #[inline]
    pub(crate) fn clip(&self, action: ActionId) -> &ClipEntry {
        &self.clips[action.index()]
    }

    /// Positions of a clip's frames, the last one too, from its first.
    #[inline]
    pub(crate) fn positions(&self, clip: &ClipEntry) -> &[Vec2] {
        &self.positions[clip.first as usize..(clip.first + clip.frames + 1) as usize]
    }

    #[inline]
    pub(crate) fn headings(&self, clip: &ClipEntry) -> &[f32] {
        &self.headings[clip.first as usize..(clip.first + clip.frames + 1) as usize]
    }

    /// All clips that can take the place of one.
    #[inline]
    pub(crate) fn replacements(&self, action: ActionId) -> &[ActionId] {
        let (from, to) = self.clip(action).replacements;
        &self.replacements[from as usize..to as usize]
    }

    /// Whether a clip has any replacement.
    pub(crate) fn is_replaceable(&self, action: ActionId) -> bool {
        let (from, to) = self.clip(action).replacements;
        from < to
    }

    /// Another clip between the same nodes, the likelier the more alike it is; `draw` is in [0, 1).
    pub(crate) fn replacement(&self, action: ActionId, draw: f32) -> Option<ActionId> {
        let (from, to) = self.clip(action).replacements;
        let (from, to) = (from as usize, to as usize);
        let sums = &self.cumulative[from..to];
        let wanted = draw * sums.last()?;
        let index = sums.partition_point(|&sum| sum <= wanted).min(sums.len() - 1);
        Some(self.replacements[from + index])
    }

    /// The sub-graph nearest to a node, and how many clips away it is.
    pub(crate) fn mode_of(&self, node: NodeId) -> Option<usize> {
        let reached = |mode: &&Mode| mode.distance[node.index()] < u32::MAX;
        let modes = self.modes.iter().enumerate().filter(|(_, mode)| reached(mode));
        modes.min_by_key(|(_, mode)| mode.distance[node.index()]).map(|(index, _)| index)
    }

    /// Clips in which one waits in the pose of a node without leaving the spot.
    pub(crate) fn idles(&self, node: NodeId) -> &[ActionId] {
        self.idles.get(node.index()).map_or(&[], Vec::as_slice)
    }

    fn idles_on_the_spot(&self, action: ActionId) -> bool {
        let clip = self.clip(action);
        clip.from == clip.to
            && clip.frames > 0
            && self.graph.node(clip.from).rest
            && self.graph.action(action).clip.has_label("wait")
            && self.positions(clip).iter().all(|position| position.length() < STILL.0)
            && self.headings(clip).iter().all(|heading| heading.abs() < STILL.1)
    }

    /// Whether a clip gets somebody somewhere, at a walk and not for long, in no style.
    fn is_small_step(&self, action: ActionId) -> bool {
        let clip = self.clip(action);
        let Spot { position, heading, .. } = clip.displacement;
        let stays = clip.from == clip.to && position.length() < STILL.0 && heading.abs() < STILL.1;
        let has = |label| self.graph.action(action).clip.has_label(label);
        !stays && clip.frames <= LONGEST_STEP && !["style", "run", "fall"].into_iter().any(has)
    }

    fn turns_on_the_spot(&self, action: ActionId) -> bool {
        let clip = self.clip(action);
        clip.from == clip.to
            && self.graph.node(clip.from).rest
            && clip.length < ON_THE_SPOT.0 * 4.0
            && clip.displacement.position.length() < ON_THE_SPOT.0
            && clip.displacement.heading.abs() > ON_THE_SPOT.1
    }

    fn steps_aside(&self, action: ActionId) -> bool {
        let clip = self.clip(action);
        let way = clip.displacement.position.length();
        clip.from == clip.to
            && self.graph.node(clip.from).rest
            && clip.displacement.heading.abs() < 0.1
            && (ON_THE_SPOT.0..ON_THE_SPOT.0 * 4.0).contains(&way)
    }

    fn mask(&self, locomotion: &Locomotion) -> Vec<bool> {
        let fits = |action: &crowdloom_motion::graph::Action| {
            locomotion.with.iter().all(|label| action.clip.has_label(label))
                && !locomotion.without.iter().any(|label| action.clip.has_label(label))
        };
        self.graph.actions().iter().map(fits).collect()
    }

    fn mode(&self, mask: &[bool], turns: &[ActionId], steps: &[ActionId]) -> Option<Mode> {
        let nodes = self.graph.nodes().len();
        let mut core: Vec<bool> = self.graph.nodes().iter().map(|node| !node.rest).collect();
        let inside = |core: &[bool], action: ActionId| {
            let clip = self.clip(action);
            mask[action.index()] && core[clip.from.index()] && core[clip.to.index()]
        };
        loop {
            // Who cannot be left or reached within the core is not of it.
            let (mut leaves, mut enters) = (vec![false; nodes], vec![false; nodes]);
            for action in self.actions().filter(|&action| inside(&core, action)) {
                leaves[self.clip(action).from.index()] = true;
                enters[self.clip(action).to.index()] = true;
            }
            let kept: Vec<bool> = (0..nodes).map(|node| core[node] && leaves[node] && enters[node]).collect();
            if kept == core {
                break;
            }
            core = kept;
        }
        let mut outgoing: Vec<Vec<ActionId>> = vec![Vec::new(); nodes];
        let mut incoming: Vec<Vec<ActionId>> = vec![Vec::new(); nodes];
        for action in self.actions().filter(|&action| inside(&core, action)) {
            outgoing[self.clip(action).from.index()].push(action);
            incoming[self.clip(action).to.index()].push(action);
        }
        let main = (0..nodes).rev().max_by_key(|&node| outgoing[node].len() + incoming[node].len())?;
        if !core[main] {
            return None;
        }
        let speed = |node: usize| {
            let clips = outgoing[node].iter().map(|&action| self.clip(action));
            let stays = clips.clone().any(|clip| clip.to.index() == node);
            let speeds = clips.filter(|clip| !stays || clip.to.index() == node).map(|clip| {
                clip.displacement.position.length() / (clip.frames as f32 * crowdloom_motion::FRAME_TIME)
            });
            speeds.fold(0.0, f32::max)
        };
        let speeds: Vec<f32> = (0..nodes).map(speed).collect();
        let out = self.distances(&core, Direction::Forward);
        let back = self.distances(&core, Direction::Backward);
        let clips = |actions: Vec<ActionId>, direction: Direction| {
            Continuations::new(actions, |&action| {
                let clip = self.clip(action);
                let step = if direction == Direction::Forward { clip.displacement } else { clip.inverse };
                (step, clip.frames, speeds[direction.ends(clip).1])
            })
        };
        let paths = |node: usize, distance: &[u32], direction: Direction| {
            Continuations::new(self.paths(node, distance, turns, steps, direction), |path| {
                let step = if direction == Direction::Forward { path.displacement } else { path.inverse };
                (step, path.frames, speeds[path.core.index()])
            })
        };
        Some(Mode {
            launches: (0..nodes).map(|node| paths(node, &out, Direction::Forward)).collect(),
            landings: (0..nodes).map(|node| paths(node, &back, Direction::Backward)).collect(),
            outgoing: outgoing.into_iter().map(|actions| clips(actions, Direction::Forward)).collect(),
            incoming: incoming.into_iter().map(|actions| clips(actions, Direction::Backward)).collect(),
            distance: out,
            speeds,
            main: NodeId(main as u16),
        })
    }

    /// Clips between each node and the core, at least.
    fn distances(&self, core: &[bool], direction: Direction) -> Vec<u32> {
        let mut distance: Vec<u32> = core.iter().map(|&core| if core { 0 } else { u32::MAX }).collect();
        for round in 0..self.graph.nodes().len() as u32 {
            for clip in &self.clips {
                let (near, far) = direction.ends(clip);
                if distance[far] == round && distance[near] == u32::MAX {
                    distance[near] = round + 1;
                }
            }
        }
        distance
    }

    /// All ways of the fewest clips between a node and the core, and the same with a turn on the spot.
    fn paths(
        &self,
        node: usize,
        distance: &[u32],
        turns: &[ActionId],
        steps: &[ActionId],
        direction: Direction,
    ) -> Vec<Path> {
        if distance[node] == u32::MAX {
            return Vec::new();
        }
        let mut open: Vec<(usize, Vec<ActionId>)> = vec![(node, Vec::new())];
        for _ in 0..distance[node] {
            let mut next = Vec::new();
            for (at, path) in &open {
                for action in self.actions() {
                    let (near, far) = direction.ends(self.clip(action));
                    if near == *at
                        && distance[far].checked_add(1) == Some(distance[*at])
                        && next.len() < MOST_PATHS
                    {
                        next.push((far, [path.as_slice(), &[action]].concat()));
                    }
                }
            }
            open = next;
        }
        let mut paths = Vec::new();
        for (end, actions) in &open {
            let core = NodeId(*end as u16);
            paths.push(self.path(actions, core, direction));
            let mut at = node;
            for place in 0..actions.len() {
                let here = |action: &&ActionId| self.clip(**action).from.index() == at;
                for &turn in turns.iter().filter(here) {
                    let mut turned = actions.clone();
                    turned.insert(place, turn);
                    paths.push(self.path(&turned, core, direction));
                    // A step to the side or back after the turn, to get at a seat between others.
                    for &step in steps.iter().filter(here).filter(|_| direction == Direction::Backward) {
                        let mut stepped = turned.clone();
                        stepped.insert(place, step);
                        paths.push(self.path(&stepped, core, direction));
                    }
                }
                at = direction.ends(self.clip(actions[place])).1;
            }
        }
        paths.truncate(8 * MOST_PATHS);
        paths
    }

    fn path(&self, actions: &[ActionId], core: NodeId, direction: Direction) -> Path {
        let mut actions = actions.to_vec();
        if direction == Direction::Backward {
            actions.reverse();
        }
        let displacement =
            actions.iter().fold(Spot::default(), |spot, &action| spot.then(self.clip(action).displacement));
        let frames = actions.iter().map(|&action| self.clip(action).frames).sum();
        Path { inverse: displacement.inverse(), displacement, frames, core, actions }
    }

    /// Lists for each clip those that can take its place: of the same sub-graph, between the same nodes.
    fn find_replacements(&mut self, masks: &[Vec<bool>], turns: &[ActionId], weights: Weights) {
        let kind = |action: ActionId| {
            let mode = masks.iter().position(|mask| mask[action.index()]);
            mode.map_or(turns.contains(&action).then_some(usize::MAX), Some)
        };
        for action in self.actions() {
            let first = self.replacements.len() as u32;
            let own = *self.clip(action);
            let mut sum = 0.0;
            for other in self.actions().filter(|&other| other != action) {
                let entry = self.clip(other);
                if (entry.from, entry.to) != (own.from, own.to)
                    || kind(other) != kind(action)
                    || kind(other).is_none()
                {
                    continue;
                }
                let (a, b) = (own.displacement, entry.displacement);
                let distance = a.position.distance(b.position)
                    + weights.metres_per_radian * (a.heading - b.heading).abs()
                    + weights.metres_per_second
                        * own.frames.abs_diff(entry.frames) as f32
                        * crowdloom_motion::FRAME_TIME;
                sum += 1.0 / distance.max(LEAST_DISTANCE);
                self.replacements.push(other);
                self.cumulative.push(sum);
            }
            self.clips[action.index()].replacements = (first, self.replacements.len() as u32);
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Forward,
    Backward,
}

impl Direction {
    /// The node that a clip comes from and the one that it leads to, as seen in this direction.
    fn ends(self, clip: &ClipEntry) -> (usize, usize) {
        match self {
            Self::Forward => (clip.from.index(), clip.to.index()),
            Self::Backward => (clip.to.index(), clip.from.index()),
        }
    }
}
