//! The moves that agents choose from: every action of a motion graph, at a few speeds, followed by its way to rest.

use crate::commitment::SKIN;
use crate::lanes::Lanes;
use crate::one_move::STRAY;
use crate::segment_moves::SegmentMoves;
use crowdloom_base::labels::{LabelSet, Labels};
use crowdloom_cell_marking::SegmentBook;
use crowdloom_motion::graph::{Action, ActionId, MotionGraph, NodeId};
use crowdloom_motion::{Clip, Placement};
use crowdloom_situations::behaviour::{Behaviour, Candidate, Here};
use crowdloom_situations::scheme::Alphas;
use glam::Vec2;
use std::sync::Arc;
use thiserror::Error;

pub use crate::one_move::{Move, MoveId, Part};

/// Why a graph cannot be used for a crowd.
#[derive(Debug, Error, PartialEq)]
pub enum BookError {
    /// A node has no way to rest.
    #[error("node `{0}` has no way to rest; a crowd needs one from every node")]
    Restless(String),
    /// The body's radius makes no sense.
    #[error("a body radius of {0} m is not possible")]
    BadRadius(f32),
    /// The stretch of speed makes no sense.
    #[error("speed can be stretched by less than half, not by {0}")]
    BadStretch(f32),
    /// A clip is not usable.
    #[error("clip `{0}` is not usable for a crowd")]
    BadClip(String),
}

/// How a graph becomes moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookOptions {
    /// Radius of the disc that nobody else enters, in metres.
    pub radius: f32,
    /// How much faster or slower than captured a travelling clip may be played (0.15 means ±15 %).
    pub stretch: f32,
    /// Slope of the don't turn behaviour, which is weighed beforehand.
    pub dont_turn: f32,
}

impl Default for BookOptions {
    fn default() -> Self {
        Self { radius: 0.22, stretch: 0.15, dont_turn: Alphas::default().dont_turn }
    }
}

/// The same action at different speeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The action at its own speed.
    pub normal: MoveId,
    /// The same at other speeds, the slowest first, with their playback speeds relative to the clip's.
    pub others: Vec<(MoveId, f32)>,
    /// The node in which the action ends.
    pub to: NodeId,
    /// Whether an agent can stand there for ever.
    pub rests: bool,
    /// Where the action ends, seen from its start.
    pub displacement: Placement,
    /// Which way it faces in the end, seen from its start.
    pub facing: Vec2,
    /// The speed in metres a second at which one goes on from there.
    pub cruise: f32,
    /// Seconds that the action lasts at its own speed.
    pub seconds: f32,
    /// What the action shows.
    pub labels: LabelSet,
    /// The logarithm of the weight that [`Behaviour::DontTurn`] gives it.
    pub straight: f32,
}

impl Choice {
    /// What it comes to for somebody who is `here`.
    #[inline]
    pub fn candidate(&self, here: Here) -> Candidate {
        Candidate {
            position: here.position + self.displacement.position.rotate(here.facing),
            facing: self.facing.rotate(here.facing),
            turn: self.displacement.heading,
            distance: self.displacement.position.length(),
            speed: self.cruise,
            seconds: self.seconds,
            labels: self.labels,
        }
    }

    /// The pace in metres a second that is enough of it: nobody is fast who turns.
    pub fn enough_pace(&self) -> f32 {
        PACE_OF_TURNING / self.displacement.heading.abs().max(0.1)
    }

    /// The move whose playback speed, relative to the clip's, is the nearest to `rate`.
    pub fn at_rate(&self, rate: f32) -> MoveId {
        let moves = std::iter::once((self.normal, 1.0)).chain(self.others.iter().copied());
        let offs = moves.map(|(id, own)| (id, (own - rate).abs()));
        offs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(self.normal, |(id, _)| id)
    }
}

/// The room that moves leave to walls, in metres: who stands there can still turn on the spot, swaying.
const WALL_MARGIN: f32 = 0.03;

/// A clip that goes less far than this, in metres, and is no single step, is not stretched.
const TRAVELS: f32 = 0.3;

/// Who turns by a radian with a step is fast enough at this speed, in metres a second.
const PACE_OF_TURNING: f32 = 0.35;

/// The label of single steps. Where a node has any, whole strides are left to those who plan ahead.
const SINGLE: &str = "single";

/// Steps whose speeds differ by less than this, in metres a second, go on at the same speed.
const SAME_SPEED: f32 = 0.1;

/// Faster than this, in metres a second, playback speeds differ half as much: a change of speed would show.
const FAST: f32 = 2.1;

/// All moves of a graph, ready to be tested.
#[derive(Clone, Debug)]
pub struct MoveBook {
    graph: Arc<MotionGraph>,
    labels: Labels,
    options: BookOptions,
    /// Shared by all copies of the book, which differ in planned moves alone.
    moves: Arc<Vec<Move>>,
    /// Moves planned for one occasion, numbered on from the others; none where a number is free.
    planned: Vec<Option<Move>>,
    /// Places in that list that can be used again, the last first.
    free: Vec<usize>,
    /// Choices at each node.
    choices: Arc<Vec<Vec<Choice>>>,
    /// The same side by side.
    lanes: Arc<Vec<Lanes>>,
    /// The speed in metres a second at which one goes on at each node.
    cruises: Vec<f32>,
    /// The farthest that any choice at each node gets from its start, its disc included, in metres.
    reaches: Vec<f32>,
    reach: f32,
    longest_path: usize,
    /// For each node the number of its island.
    islands: Vec<u16>,
    /// The node of each island where people stand.
    homes: Vec<NodeId>,
    /// For each node the first action of its shortest way to the node where people stand.
    homeward: Vec<Option<ActionId>>,
    /// The segments that people plan with, numbered apart from all other moves.
    segments: Option<Arc<SegmentMoves>>,
    /// The largest radius in metres of anybody's disc who plans with segments.
    widest: f32,
}

impl MoveBook {
    /// Prepares the moves of `graph`.
    pub fn new(graph: Arc<MotionGraph>, options: BookOptions) -> Result<Self, BookError> {
        if !(options.radius.is_finite() && options.radius > 0.0) {
            return Err(BookError::BadRadius(options.radius));
        }
        if !(0.0..0.5).contains(&options.stretch) {
            return Err(BookError::BadStretch(options.stretch));
        }
        let labels = Labels::of_graph(&graph);
        let islands = graph.islands();
        let homes = homes(&graph, &islands)?;
        let mut book = Self {
            choices: Arc::default(),
            lanes: Arc::default(),
            cruises: cruises(&graph),
            reaches: Vec::new(),
            moves: Arc::default(),
            planned: Vec::new(),
            free: Vec::new(),
            reach: 0.0,
            longest_path: 0,
            homeward: homeward(&graph, &homes),
            islands,
            homes,
            segments: None,
            widest: options.radius,
            labels,
            options,
            graph: graph.clone(),
        };
        for node in 0..graph.nodes().len() {
            let id = NodeId(node as u16);
            if !graph.node(id).rest && graph.toward_rest(id).is_none() {
                return Err(BookError::Restless(graph.node(id).name.clone()));
            }
        }
        for node in 0..graph.nodes().len() {
            let outgoing = graph.outgoing(NodeId(node as u16));
            let steps = outgoing.clone().any(|action| graph.action(action).clip.has_label(SINGLE));
            let first = book.moves.len();
            let offered = outgoing.filter(|&action| !steps || !is_whole_stride(&graph.action(action).clip));
            let choices: Result<Vec<Choice>, BookError> =
                offered.map(|action| book.add_choice(action)).collect();
            Arc::make_mut(&mut book.choices).push(choices?);
            let tracks = book.moves[first..].iter().flat_map(|entry| &entry.track);
            let far = tracks.map(|placement| placement.position.length()).fold(0.0, f32::max);
            book.reaches.push(far + options.radius + SKIN);
        }
        book.lanes = Arc::new(book.choices.iter().map(|choices| Lanes::new(choices)).collect());
        book.reach = book.reaches.iter().copied().fold(0.0, f32::max);
        book.longest_path = book.moves.iter().map(|entry| entry.fine_path.len()).max().unwrap_or(0);
        Ok(book)
    }

    /// The same moves with another slope of the don't turn behaviour.
    #[must_use]
    pub fn with_dont_turn(&self, alpha: f32) -> Self {
        let mut book = self.clone();
        book.options.dont_turn = alpha;
        let choices = Arc::make_mut(&mut book.choices);
        for choice in choices.iter_mut().flatten() {
            choice.straight = Behaviour::straight(choice.displacement.heading, alpha);
        }
        book.lanes = Arc::new(book.choices.iter().map(|choices| Lanes::new(choices)).collect());
        book
    }

    fn add_choice(&mut self, action: ActionId) -> Result<Choice, BookError> {
        let stretch = self.options.stretch;
        let normal = self.add_move(&[action], 1.0)?;
        let graph = self.graph.clone();
        let Action { from, to, clip } = graph.action(action);
        let (entry, single) = (&self.moves[normal.index()], clip.has_label(SINGLE));
        let (displacement, labels) = (entry.displacement, entry.labels);
        let rests = self.graph.node(*to).rest;
        let stretch = if entry.speed > FAST { 0.5 * stretch } else { stretch };
        // Who starts or stops keeps to the clip: its ends stand still.
        let goes = !rests && !self.graph.node(*from).rest;
        let travels = displacement.position.length() > TRAVELS || single && goes;
        let rates: &[f32] = match travels && stretch > 0.0 {
            true if single => &[-1.0, -0.5, 0.5, 1.0],
            true => &[-1.0, 1.0],
            false => &[],
        };
        let mut others = Vec::new();
        for rate in rates.iter().map(|&share| 1.0 + share * stretch) {
            others.push((self.add_move(&[action], rate)?, rate));
        }
        if let Some(onward) = steady_step(&graph, *to).filter(|_| single && goes && is_straight(displacement))
        {
            for (id, rate) in std::iter::once((normal, 1.0)).chain(others.iter().copied()) {
                let farther = self.add_move(&[action, onward], rate)?;
                Arc::make_mut(&mut self.moves)[id.index()].farther = Some(farther);
            }
        }
        Ok(Choice {
            normal,
            others,
            to: *to,
            rests,
            displacement,
            facing: displacement.facing(),
            cruise: self.cruises[to.index()],
            seconds: clip.seconds(),
            labels,
            straight: Behaviour::straight(displacement.heading, self.options.dont_turn),
        })
    }

    /// Adds the move that plays some actions at a rate, then the way to rest.
    fn add_move(&mut self, actions: &[ActionId], rate: f32) -> Result<MoveId, BookError> {
        let graph = self.graph.clone();
        let mut track = vec![Placement::IDENTITY];
        let mut parts = Vec::new();
        let mut chosen = actions.iter();
        let mut next = chosen.next().map(|&action| (action, rate));
        while let Some((action, rate)) = next {
            let start = track.last().copied().unwrap_or_default();
            let clip = &graph.action(action).clip;
            if clip.frames() < 2 {
                return Err(BookError::BadClip(clip.name.clone()));
            }
            let frames = (((clip.frames() - 1) as f32 / rate).round() as u32).max(1);
            let to = graph.action(action).to;
            parts.push(Part { action: Some(action), first: track.len() as u32 - 1, frames, to });
            track.extend((1..=frames).map(|frame| start.then(placement_at(clip, frame, frames))));
            let chosen = chosen.next().map(|&action| (action, rate));
            next = chosen.or_else(|| graph.toward_rest(to).map(|action| (action, 1.0)));
        }
        let name = || actions.first().map(|&action| graph.action(action).clip.name.clone());
        let made = self.make(parts, actions.len(), track, rate, self.options.radius);
        let made = made.ok_or_else(|| BookError::BadClip(name().unwrap_or_default()))?;
        Arc::make_mut(&mut self.moves).push(made);
        Ok(MoveId((self.moves.len() - 1) as u32))
    }

    /// A move of these parts, the first few of them chosen, on this track; `None` where a placement is no number.
    fn make(
        &self,
        parts: Vec<Part>,
        chosen: usize,
        track: Vec<Placement>,
        rate: f32,
        radius: f32,
    ) -> Option<Move> {
        let labels = parts.first()?.action.map_or(&[][..], |action| &self.graph.action(action).clip.labels);
        let labels = self.labels.set(labels.iter().map(String::as_str));
        Move::new(parts, chosen, track, rate, radius, labels)
    }

    /// The segments that people plan with, if any do.
    pub fn segments(&self) -> Option<&SegmentMoves> {
        self.segments.as_deref()
    }

    /// Lets people plan with segments, if they did not before.
    pub fn learn_segments(&mut self, segments: &Arc<SegmentBook>) {
        if self.segments.is_none() {
            let home = self.home_on(0);
            let pose = &self.graph.node(home).state.pose;
            let moves = SegmentMoves::new(Arc::clone(segments), home, pose, self.options.radius);
            self.reach = self.reach.max(moves.reach(self.widest));
            self.longest_path = self.longest_path.max(SegmentMoves::POSITIONS);
            self.segments = Some(Arc::new(moves));
        }
    }

    /// Lets people who plan with segments have discs of up to this radius in metres.
    pub fn make_room_for(&mut self, radius: f32) {
        self.widest = self.widest.max(radius);
        self.reach = self.reach.max(self.reach_of_segments());
    }

    /// The farthest in metres that anybody's segment with its stop gets from its start, the disc included; 0 without any.
    pub fn reach_of_segments(&self) -> f32 {
        self.segments.as_ref().map_or(0.0, |segments| segments.reach(self.widest))
    }

    /// Adds a move that was planned for one occasion and that nobody chooses: what it shows from frame to frame, where
    /// the body is in each frame, seen from the first, and its disc's radius in metres; `stays` where it ends, or is gone.
    ///
    /// `None` where the parts do not cover the track, or a placement is no number.
    pub fn add_planned(
        &mut self,
        parts: Vec<Part>,
        track: Vec<Placement>,
        radius: f32,
        stays: bool,
    ) -> Option<MoveId> {
        let slot = self.free.pop().unwrap_or(self.planned.len());
        let id = MoveId((self.moves.len() + slot) as u32);
        if self.put_planned(id, parts, track, radius, stays) {
            return Some(id);
        }
        self.free.push(slot);
        None
    }

    /// The same with a number of its own, such as it had when it was saved; returns whether it could be added.
    pub fn put_planned(
        &mut self,
        id: MoveId,
        parts: Vec<Part>,
        track: Vec<Placement>,
        radius: f32,
        stays: bool,
    ) -> bool {
        let Some(slot) = id.index().checked_sub(self.moves.len()) else { return false };
        let mut frame = 0;
        for part in &parts {
            let known = part.action.is_none_or(|action| action.index() < self.graph.actions().len());
            if part.first != frame
                || part.frames == 0
                || !known
                || part.to.index() >= self.graph.nodes().len()
            {
                return false;
            }
            frame += part.frames;
        }
        if frame == 0 || frame as usize + 1 != track.len() {
            return false;
        }
        let Some(made) = self.make(parts, 1, track, 1.0, radius) else { return false };
        if self.planned.len() <= slot {
            self.planned.resize(slot + 1, None);
        }
        self.planned[slot] = Some(Move { bent: true, stays, ..made });
        true
    }

    /// Forgets a planned move that nobody follows any more.
    pub fn forget_planned(&mut self, id: MoveId) {
        if let Some(slot) = id.index().checked_sub(self.moves.len())
            && self.planned.get_mut(slot).is_some_and(|planned| planned.take().is_some())
        {
            self.free.push(slot);
        }
    }

    /// Forgets all planned moves.
    pub fn forget_all_planned(&mut self) {
        self.planned.clear();
        self.free.clear();
    }

    /// Says which numbers of planned moves are free, once all that are in use were put back.
    pub fn find_free_planned(&mut self) {
        let slots = 0..self.planned.len();
        self.free = slots.rev().filter(|&slot| self.planned[slot].is_none()).collect();
    }

    /// The graph that the moves come from.
    pub fn graph(&self) -> &Arc<MotionGraph> {
        &self.graph
    }

    /// The labels of the graph.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The options that the moves were prepared with.
    pub fn options(&self) -> BookOptions {
        self.options
    }

    /// One move.
    pub fn get(&self, id: MoveId) -> &Move {
        match self.moves.get(id.index()) {
            Some(chosen) => chosen,
            None => match (SegmentMoves::transition(id), &self.segments) {
                (Some(_), Some(segments)) => segments.get(id),
                _ => self.planned[id.index() - self.moves.len()]
                    .as_ref()
                    .expect("a planned move in use is kept"),
            },
        }
    }

    /// Whether there is a move of that number.
    pub fn knows(&self, id: MoveId) -> bool {
        if let Some(transition) = SegmentMoves::transition(id) {
            return self.segments().is_some_and(|segments| segments.knows(transition));
        }
        let planned = |slot| self.planned.get(slot).is_some_and(Option::is_some);
        id.index().checked_sub(self.moves.len()).is_none_or(planned)
    }

    /// Whether a move was planned for one occasion.
    pub fn is_planned(&self, id: MoveId) -> bool {
        id.index() >= self.moves.len() && SegmentMoves::transition(id).is_none()
    }

    /// The pose at rest that actions which show all of `labels` lead to, other than plain standing.
    pub fn pose_showing(&self, labels: LabelSet) -> Option<NodeId> {
        let shows = |to: NodeId| {
            let leads = |entry: &&Move| entry.parts[0].to == to && entry.labels.meets(labels);
            to != self.home(to) && self.moves.iter().any(|entry| leads(&entry))
        };
        self.rest_nodes().find(|&node| shows(node))
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// What can be chosen at a node.
    pub fn choices(&self, node: NodeId) -> &[Choice] {
        &self.choices[node.index()]
    }

    /// The same side by side.
    pub fn lanes(&self, node: NodeId) -> &Lanes {
        &self.lanes[node.index()]
    }

    /// The farthest in metres that any move gets from its start, its disc included.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// The same for what can be chosen at a node.
    pub fn reach_from(&self, node: NodeId) -> f32 {
        self.reaches[node.index()]
    }

    /// The speed in metres a second at which one goes on at a node.
    pub fn cruise(&self, node: NodeId) -> f32 {
        self.cruises[node.index()]
    }

    /// How many islands there are: parts of the graph that do not lead to each other.
    pub fn islands(&self) -> u16 {
        self.homes.len() as u16
    }

    /// The number of a node's island: people only ever get to nodes of their own.
    pub fn island(&self, node: NodeId) -> u16 {
        self.islands[node.index()]
    }

    /// The node where people on an island stand; of the first one where there is no such island.
    pub fn home_on(&self, island: u16) -> NodeId {
        self.homes[if usize::from(island) < self.homes.len() { usize::from(island) } else { 0 }]
    }

    /// The node where people stand who can be in `node`.
    pub fn home(&self, node: NodeId) -> NodeId {
        self.home_on(self.island(node))
    }

    /// The pose that is called as `pose` is and that people can get to from `node`, if there is one.
    pub fn pose_from(&self, node: NodeId, pose: NodeId) -> Option<NodeId> {
        let island = self.island(node);
        if self.island(pose) == island {
            return Some(pose);
        }
        let name = &self.graph.node(pose).name;
        let all = (0..self.islands.len()).map(|index| NodeId(index as u16));
        all.into_iter().find(|&other| self.island(other) == island && self.graph.node(other).name == *name)
    }

    /// Whether people on an island have a clip with this label.
    pub fn can_show(&self, island: u16, label: &str) -> bool {
        let on_it = |action: &&Action| self.island(action.from) == island;
        self.graph.actions().iter().filter(on_it).any(|action| action.clip.has_label(label))
    }

    /// The first action of the shortest way from a node to the node where people stand; `None` there.
    pub fn homeward(&self, node: NodeId) -> Option<ActionId> {
        self.homeward[node.index()]
    }

    /// The radius in metres with which a move's path must be clear of walls, so that the move itself is, with a margin.
    pub fn path_radius(&self) -> f32 {
        self.options.radius + STRAY + WALL_MARGIN
    }

    /// Points of the longest fine path.
    pub fn longest_path(&self) -> usize {
        self.longest_path
    }

    /// Nodes in which an agent can stand for ever.
    pub fn rest_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.graph.nodes().iter().enumerate();
        nodes.filter(|(_, node)| node.rest).map(|(index, _)| NodeId(index as u16))
    }
}

/// Whether a clip is a plain walk or run of more than one step.
fn is_whole_stride(clip: &Clip) -> bool {
    let has = |labels: &[&str]| labels.iter().any(|label| clip.has_label(label));
    has(&["walk", "run"]) && !has(&[SINGLE, "style", "carry"])
}

/// The single step that goes straight on from a node to walk on at the same speed.
fn steady_step(graph: &MotionGraph, node: NodeId) -> Option<ActionId> {
    let speed = |node: NodeId| graph.node(node).state.velocity.ground.length();
    let change = |id: ActionId| (speed(graph.action(id).to) - speed(node)).abs();
    let straight = graph.outgoing(node).filter(|&id| {
        let action = graph.action(id);
        let plain = action.clip.has_label(SINGLE) && !action.clip.has_label("style");
        plain && is_straight(action.clip.displacement()) && !graph.node(action.to).rest
    });
    let steady = straight.min_by(|&a, &b| change(a).total_cmp(&change(b)));
    steady.filter(|&id| change(id) < SAME_SPEED)
}

/// Whether a step goes straight on.
fn is_straight(displacement: Placement) -> bool {
    displacement.heading.abs() < 0.05 && displacement.position.x > 0.02
}

/// For each node the speed at which the straight action that changes speed the least goes on; zero at rest.
fn cruises(graph: &MotionGraph) -> Vec<f32> {
    let speed = |node: NodeId| graph.node(node).state.velocity.ground.length();
    let cruise = |node: usize| {
        let node = NodeId(node as u16);
        let straight = graph
            .outgoing(node)
            .map(|action| graph.action(action))
            .filter(|action| is_straight(action.clip.displacement()) && !graph.node(action.to).rest);
        let change = |action: &Action| (speed(action.to) - speed(node)).abs();
        let steady = straight.min_by(|a, b| change(a).total_cmp(&change(b)));
        steady.map_or_else(
            || speed(node),
            |action| action.clip.displacement().position.x / action.clip.seconds(),
        )
    };
    (0..graph.nodes().len()).map(|node| if graph.nodes()[node].rest { 0.0 } else { cruise(node) }).collect()
}

/// The clip's placement a fraction `frame / frames` of the way through it.
fn placement_at(clip: &Clip, frame: u32, frames: u32) -> Placement {
    let last = clip.frames() - 1;
    if frame >= frames {
        return clip.displacement();
    }
    let source = frame as f32 * last as f32 / frames as f32;
    let before = (source.floor() as usize).min(last - 1);
    clip.track[before].lerp(clip.track[before + 1], source - before as f32)
}

/// The first node at rest of each island.
fn homes(graph: &MotionGraph, islands: &[u16]) -> Result<Vec<NodeId>, BookError> {
    let count = islands.iter().map(|&island| island + 1).max().unwrap_or(0);
    let home = |island: u16| {
        let on_it = |&node: &usize| islands[node] == island;
        let mut nodes = (0..islands.len()).filter(on_it);
        let first = nodes.clone().next().map_or_else(String::new, |node| graph.nodes()[node].name.clone());
        let home = nodes.find(|&node| graph.nodes()[node].rest);
        home.map(|node| NodeId(node as u16)).ok_or(BookError::Restless(first))
    };
    // A graph without any node has nobody to stand in it.
    if count == 0 { Err(BookError::Restless(String::new())) } else { (0..count).map(home).collect() }
}

/// For each node the first action of its way, of the fewest actions, to the node where people stand.
fn homeward(graph: &MotionGraph, homes: &[NodeId]) -> Vec<Option<ActionId>> {
    let mut first = vec![None; graph.nodes().len()];
    let mut known: Vec<bool> = (0..first.len()).map(|node| homes.contains(&NodeId(node as u16))).collect();
    loop {
        let mut found = Vec::new();
        for (index, action) in graph.actions().iter().enumerate() {
            let from = action.from.index();
            if !known[from] && known[action.to.index()] && first[from].is_none() {
                first[from] = Some(ActionId(index as u16));
                found.push(from);
            }
        }
        if found.is_empty() {
            return first;
        }
        for node in found {
            known[node] = true;
        }
    }
}
