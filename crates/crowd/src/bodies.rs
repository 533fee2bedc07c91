//! What bodies show: the style layer over everybody, and bodies that follow discs.
//!
//! Who follows clips of the motion graph shows them; the layer only says in which style to walk, and the person's own
//! decisions take it there. Whoever is moved as a disc (steered or recorded) plays loops of the styles on its own feet; so does
//! who follows clips with legs that are much shorter or longer than the clips', as long as it is on foot.

use crate::crowd::Crowd;
use crate::diversity::{Demand, Playing, Scheme, StyleControl, gait};
use crate::grid::NeighbourGrid;
use crate::person::{Errand, Mover, Profile};
use crate::planned_bodies::heel;
use crate::shown::Body;
use crowdloom_follower::{Follower, Moment, PlannedBody, View, Wall};
use crowdloom_motion::graph::{Action, ActionId, MotionGraph, NodeId};
use crowdloom_motion::stance::StanceSolver;
use crowdloom_motion::styles::MotionType;
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, JointFrames, Placement, Skeleton, body};
use glam::{Quat, Vec2};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The bodies of those who follow discs, and the styles of all who have some.
pub struct Bodies {
    pub(crate) control: StyleControl,
    /// Whether those on the motion graph have styles, too.
    styles_graph: bool,
    /// The node of the graph in which each style is at home, if the graph has it.
    nodes: Vec<Option<NodeId>>,
    /// The style that each action of the graph shows.
    shown: Vec<Option<u16>>,
    /// Whether feet are all that each action of the graph is about.
    on_foot: Vec<bool>,
    /// Whether those on the motion graph take strides of their own where their legs are much shorter or longer than its.
    stride_alone: bool,
    pub(crate) members: Vec<Member>,
    /// The bodies of those who plan captured motion, by ascending number.
    pub(crate) planned: Vec<(u32, PlannedBody)>,
    grid: NeighbourGrid,
    positions: Vec<Vec2>,
    /// What puts bodies into stances, where legs are known, and their length in metres.
    solver: Option<StanceSolver>,
    pub(crate) leg: f32,
    /// Height of the skeleton in metres.
    stature: f32,
    /// How high balls and heels of the left and the right foot are of who stands, in metres.
    pub(crate) levels: [[f32; 2]; 2],
}

/// Somebody in the layer; members are in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) id: u32,
    /// Where it was before this step.
    pub(crate) before: Vec2,
    /// The style that it showed before this step.
    pub(crate) style: u16,
    /// The body of one who follows a disc.
    pub(crate) follower: Option<Follower>,
    /// How large it is beside the skeleton.
    pub(crate) size: f32,
}

/// Who plays a style faster than this, in parts of its own pace, hurries; a little less, as bodies catch up with their discs.
const BRISK: f32 = 1.2;

/// Cells of the grid in metres.
const CELL: f32 = 2.0;

impl Bodies {
    /// A layer whose styles are at home in the nodes that clips of the same name leave; `styles_graph` gives those who
    /// follow clips of the graph styles, too.
    pub fn new(control: StyleControl, graph: &MotionGraph, styles_graph: bool) -> Self {
        let primitives = control.book().library().primitives();
        let home = |name: &str| graph.find_action(name).map(|action| graph.action(action).from);
        let nodes: Vec<Option<NodeId>> =
            primitives.iter().map(|primitive| home(&primitive.clip.name)).collect();
        let at_home = |node: NodeId| {
            let mut homes = nodes.iter().zip(primitives);
            homes.position(|(home, style)| *home == Some(node) && style.kind.is_cyclic())
        };
        let show = |action: &Action| {
            let named = primitives.iter().position(|style| style.clip.name == action.clip.name);
            // Between a plain gait and one in a style, clips are labelled as the style's.
            let ends = [action.to, action.from].map(at_home);
            let styled = |style: &usize| primitives[*style].clip.has_label("style");
            let between = || ends.into_iter().flatten().find(styled).or(ends[0]).or(ends[1]);
            named.or_else(between).map(|style| style as u16)
        };
        Self {
            shown: graph.actions().iter().map(show).collect(),
            on_foot: graph.actions().iter().map(|action| is_on_foot(&action.clip)).collect(),
            stride_alone: false,
            nodes,
            control,
            styles_graph,
            members: Vec::new(),
            planned: Vec::new(),
            grid: NeighbourGrid::default(),
            positions: Vec::new(),
            solver: StanceSolver::of(graph.skeleton()),
            leg: body::Body::guess(graph.skeleton()).leg_length(graph.skeleton()).unwrap_or(0.85),
            stature: stature(graph.skeleton()),
            levels: levels(graph),
        }
    }

    /// The layer; its agents are the members, by ascending number.
    pub fn control(&self) -> &StyleControl {
        &self.control
    }

    /// The same, to be changed between two steps.
    pub fn control_mut(&mut self) -> &mut StyleControl {
        &mut self.control
    }

    /// Whether those who follow clips of the graph have styles.
    pub fn styles_graph(&self) -> bool {
        self.styles_graph
    }

    /// Lets those who follow clips of the graph take strides of their own where their legs are much shorter or longer than its.
    pub fn let_stride_alone(&mut self, alone: bool) {
        self.stride_alone = alone;
    }

    /// Whether what those show who follow clips of the graph is these clips, in all that is known of them.
    pub fn shows_clips(&self) -> bool {
        self.styles_graph && !self.stride_alone
    }

    /// The style that an action of the graph shows: its own, or that of the gait which it leads to or comes from.
    pub fn shown_by(&self, action: ActionId) -> Option<u16> {
        self.shown.get(action.index()).copied().flatten()
    }

    /// The styles that all actions of the graph show, by number.
    pub fn shown(&self) -> &[Option<u16>] {
        &self.shown
    }

    /// Where all members are, in the order of the layer.
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// Whether the graph has any way of walking that is among the styles.
    pub fn has_walks(&self) -> bool {
        let kinds = self.control.book().library().primitives().iter().map(|style| style.kind);
        self.nodes.iter().zip(kinds).any(|(node, kind)| node.is_some() && kind == MotionType::Walking)
    }

    /// Lets somebody's body begin anew where its disc is.
    pub(crate) fn forget(&mut self, id: u32) {
        if let Some(place) = self.place_of(id) {
            self.members[place].follower = None;
        }
        self.planned.retain(|(own, _)| *own != id);
    }

    /// Lets somebody's body choose its style anew.
    pub(crate) fn let_go(&mut self, id: u32) {
        if let Some(place) = self.place_of(id) {
            self.members.remove(place);
            self.control.remove(place);
        }
    }

    fn place_of(&self, id: u32) -> Option<usize> {
        self.members.binary_search_by_key(&id, |member| member.id).ok()
    }

    /// The loop that somebody who follows a disc plays, and its body; `None` of all others.
    pub(crate) fn follower_of(&self, id: u32) -> Option<(&Playing, &Follower)> {
        let place = self.place_of(id)?;
        let follower = self.members[place].follower.as_ref()?;
        Some((&self.control.playing()[place], follower))
    }

    /// Whether somebody follows a disc.
    pub fn follows(&self, id: u32) -> bool {
        self.follower_of(id).is_some()
    }

    /// The fastest in metres a second at which somebody who follows a disc and would like to go at `wish` plays its style without
    /// hurrying; `None` where nothing is said of that.
    pub(crate) fn at_ease(&self, id: u32, wish: f32) -> Option<f32> {
        let options = self.control.options();
        if !(options.scheme == Scheme::Diverse && options.additions.gives_way) {
            return None;
        }
        let place = self.place_of(id).filter(|&place| self.members[place].follower.is_some())?;
        let (book, style) = (self.control.book(), self.control.playing()[place].style);
        let kind = book.kind(style);
        // Who is about to run, or to stand, is not held up by how it walks.
        let goes_on = kind.is_cyclic() && gait(wish, kind) == kind;
        goes_on.then(|| Follower::fastest(book.speed(style) * self.members[place].size, BRISK))
    }

    /// Whether a member of the layer, by its number there, follows a disc and so plays the layer's loops.
    pub fn plays(&self, member: usize) -> bool {
        self.members[member].follower.is_some()
    }

    /// What puts bodies into stances.
    pub(crate) fn solver(&self) -> Option<&StanceSolver> {
        self.solver.as_ref()
    }

    /// What a member plays now.
    fn moment(&self, place: usize) -> Moment<'_> {
        moment(&self.control, self.leg, self.members[place].size, place)
    }

    /// The style that everybody in the layer shows; who turns or stands plainly shows none.
    pub fn showing(&self, crowd: &Crowd) -> Vec<Option<u16>> {
        let show = |(place, member): (usize, &Member)| match member.follower {
            Some(_) => Some(self.control.playing()[place].style),
            None => self.shown_by(crowd.showing(crowd.index_of(member.id)?)?.0),
        };
        self.members.iter().enumerate().map(show).collect()
    }
}

/// Height of a skeleton at rest in metres.
fn stature(skeleton: &Skeleton) -> f32 {
    let mut frames = JointFrames::default();
    frames.compute(skeleton, skeleton.joints()[0].offset, &vec![Quat::IDENTITY; skeleton.len()]);
    let tips = skeleton.joints().iter().map(|joint| joint.tip.map_or(0.0, |tip| tip.z.max(0.0)));
    let top = frames.positions.iter().zip(tips).map(|(at, tip)| at.z + tip).fold(0.0, f32::max);
    top.max(0.5)
}

/// How high balls and heels of both feet are of who stands in the first node of a graph, in metres.
fn levels(graph: &MotionGraph) -> [[f32; 2]; 2] {
    let skeleton = graph.skeleton();
    let Some(solver) = StanceSolver::of(skeleton) else { return Default::default() };
    let joints = graph.node(NodeId(0)).state.pose.joints(skeleton, Placement::IDENTITY);
    solver.legs().map(|leg| [joints.positions[leg.ball].z, heel(&joints, skeleton, leg.ankle).z])
}

/// What the member of number `place` plays now, `size` times as large as one whose legs are `leg` metres long.
fn moment(control: &StyleControl, leg: f32, size: f32, place: usize) -> Moment<'_> {
    let (book, playing) = (control.book(), &control.playing()[place]);
    let number = book.number(playing.from, playing.style, playing.start);
    let kind = book.kind(playing.style);
    let (played, frame, rate) = (book.played(number), playing.frame, control.rate(place));
    Moment { played, number: number as u32, frame, rate, kind, leg: leg * size, size }
}

/// Frames from one glance at somebody to the next at the least, frames more by lot, and frames that a glance lasts.
const GLANCES: [u32; 3] = [120, 240, 42];
/// How far those are away at whom people glance, in metres.
const GLANCE_REACH: f32 = 4.0;

/// Bodies so many times as large as the clips' walk as the clips do; shorter and longer legs take strides of their own.
const USUAL_SIZES: [f32; 2] = [0.88, 1.12];

/// Whether somebody so many metres tall takes other strides than the clips of a skeleton.
pub fn needs_own_strides(skeleton: &Skeleton, height: f32) -> bool {
    strides_alone(height / stature(skeleton))
}

/// Whether somebody of this size takes other strides than the clips'.
fn strides_alone(size: f32) -> bool {
    !(USUAL_SIZES[0]..=USUAL_SIZES[1]).contains(&size)
}

/// Whether a clip shows somebody who goes, turns or waits on its feet, its hands empty.
fn is_on_foot(clip: &Clip) -> bool {
    let has = |labels: &[&str]| labels.iter().any(|label| clip.has_label(label));
    has(&["walk", "run", "turn", "step", "wait"]) && !has(&["carry", "sit", "lie", "fall", "fight"])
}

/// Whether somebody is moved as a disc that a body has to follow.
fn is_disc(mover: Mover) -> bool {
    matches!(mover, Mover::Steered(_) | Mover::Recorded)
}

/// Where somebody is at whom a body glances just now: now and then at the nearest whom it sees.
fn glance(
    id: u32,
    frame: u32,
    follower: &Follower,
    place: usize,
    grid: &NeighbourGrid,
    positions: &[Vec2],
) -> Option<Vec2> {
    let [least, more, lasts] = GLANCES;
    let mixed = id.wrapping_mul(0x9e37_79b1);
    let period = least + (mixed >> 16) % more;
    if (frame.wrapping_add(mixed & 0xffff)) % period >= lasts {
        return None;
    }
    let own = positions[place];
    let mut nearest: Option<(f32, u32)> = None;
    grid.for_each_within(own, GLANCE_REACH, |other, position, _| {
        let squared = position.distance_squared(own);
        let nearer = nearest.is_none_or(|(best, last)| (squared, other) < (best, last));
        if other as usize != place && nearer && follower.sees(position) {
            nearest = Some((squared, other));
        }
    });
    nearest.map(|(_, other)| positions[other as usize])
}

impl Crowd {
    /// Gives people bodies and styles.
    pub fn set_bodies(&mut self, bodies: Bodies) {
        self.bodies = Some(bodies);
        if let Some(mut bodies) = self.bodies.take() {
            self.meet(&mut bodies);
            self.bodies = Some(bodies);
        }
    }

    /// Takes bodies and styles away: people are discs.
    pub fn forget_bodies(&mut self) {
        self.bodies = None;
    }

    /// Gives bodies and styles to those who have come, or whose mover has changed, since the last step.
    pub fn let_follow(&mut self) {
        if let Some(mut bodies) = self.bodies.take() {
            self.meet(&mut bodies);
            self.bodies = Some(bodies);
        }
    }

    /// Moves all bodies of the layer on by a frame, and tells those on the graph which style to walk in.
    pub(crate) fn move_bodies(&mut self) {
        let changing = self.changing_feet();
        let Some(mut bodies) = self.bodies.take() else { return };
        let places = self.meet(&mut bodies);
        let Bodies { control, members, grid, positions, leg, .. } = &mut bodies;
        grid.rebuild(positions, CELL);
        for (member, &index) in members.iter_mut().zip(&places) {
            if let Some(follower) = &mut member.follower {
                follower.watch(self.seen_at(index));
            }
        }
        let minds = &self.minds;
        let book = control.book().clone();
        control.step(grid, positions, |place, current| {
            let (member, mind) = (&members[place], &minds[places[place]]);
            let Some(follower) = &member.follower else {
                let speed = positions[place].distance(member.before) * FRAME_RATE;
                let kind = gait(speed, current);
                // Who follows clips is as fast as its style is: what fits it is the speed that it likes.
                let walks = kind == MotionType::Walking;
                return Demand { kind, speed: if walks { mind.speed } else { speed }, rate: None };
            };
            let kind = match mind.errand {
                Errand::Stay(kind) => kind,
                _ => follower.wants(current),
            };
            Demand {
                kind,
                speed: follower.speed(),
                rate: Some(follower.cadence(book.speed(member.style) * member.size)),
            }
        });
        let (control, grid, positions, leg, frame) = (&*control, &*grid, &*positions, *leg, self.frame);
        let (book, movers, promises) = (&self.setting.book, &self.movers, &self.ledger.promises);
        members.par_iter_mut().enumerate().with_min_len(256).for_each(|(place, member)| {
            member.before = positions[place];
            member.style = control.playing()[place].style;
            let Some(follower) = &mut member.follower else { return };
            let glance = glance(member.id, frame, follower, place, grid, positions);
            let index = places[place];
            let facing = (!is_disc(movers[index])).then(|| promises[index].placement(book, frame).heading);
            let wall = self.wall_beside(index, positions[place]);
            let view = View { glance, facing, wall };
            follower.go(positions[place], &moment(control, leg, member.size, place), view);
        });
        for (place, &index) in places.iter().enumerate() {
            if bodies.styles_graph && bodies.members[place].follower.is_none() {
                self.lead(&mut bodies, place, index);
            }
        }
        self.move_planned(&mut bodies);
        self.bodies = Some(bodies);
        for (index, shown) in changing {
            self.fade_from(index, shown);
        }
    }

    /// The wall beside the disc of somebody who is steered; promises and recordings know where they stop.
    fn wall_beside(&self, index: usize, at: Vec2) -> Option<Wall> {
        if !matches!(self.movers[index], Mover::Steered(_)) {
            return None;
        }
        let wall = self.setting.ground.nearest_wall(at)?;
        let away = (at - wall.point).try_normalize()?;
        let radius = self.ledger.promises[index].radius(&self.setting.book);
        Some(Wall { away, gap: wall.distance - radius })
    }

    /// Where a body sees its disc. Of a recorded way it knows what comes, so that it rounds corners before they are there: the mean
    /// of five frames, the nearer ones counting more.
    fn seen_at(&self, index: usize) -> Vec2 {
        let (book, promise, frame) = (&self.setting.book, &self.ledger.promises[index], self.frame);
        if self.movers[index] != Mover::Recorded || frame < promise.start_frame + 2 {
            return self.positions[index];
        }
        let weighed = [1.0, 2.0, 3.0, 2.0, 1.0];
        let places = (frame - 2..).zip(weighed).map(|(frame, weight)| promise.position(book, frame) * weight);
        places.sum::<Vec2>() / weighed.iter().sum::<f32>()
    }

    /// Those who follow clips and begin to stride alone, or cease to, and what they showed until now.
    fn changing_feet(&self) -> Vec<(usize, Body)> {
        let Some(bodies) = &self.bodies else { return Vec::new() };
        if !bodies.stride_alone {
            return Vec::new();
        }
        let alone = bodies.members.iter().filter(|member| strides_alone(member.size));
        let indices = alone.filter_map(|member| Some((self.index_of(member.id)?, member)));
        let clips = indices.filter(|(index, _)| self.movers[*index] == Mover::Graph);
        let changing =
            clips.filter(|(index, member)| self.is_on_foot(bodies, *index) != member.follower.is_some());
        changing.map(|(index, _)| (index, self.body(index))).collect()
    }

    /// Whether somebody who follows clips of the graph does nothing but go, turn, stand and wait.
    fn is_on_foot(&self, bodies: &Bodies, index: usize) -> bool {
        match self.showing(index) {
            Some((action, _)) => bodies.on_foot.get(action.index()).copied().unwrap_or(false),
            None => self.node(index) == self.setting.book.home(self.node(index)),
        }
    }

    /// Whether somebody who follows clips needs strides of its own, and may take them.
    fn may_stride_alone(&self, bodies: &Bodies, index: usize) -> bool {
        bodies.stride_alone && strides_alone(self.size_beside(index, bodies.stature))
    }

    /// How large somebody is beside a skeleton of so many metres.
    fn size_beside(&self, index: usize, stature: f32) -> f32 {
        let Profile { height, size, .. } = self.profiles[index];
        (height.map_or(1.0, |height| height / stature) * size).clamp(0.4, 1.4)
    }

    /// The body of somebody who begins to follow its own way, on the feet that it has.
    fn begin_to_follow(&self, bodies: &Bodies, place: usize, index: usize) -> Follower {
        let (at, moment) = (self.placement(index), bodies.moment(place));
        let Some(solver) = bodies.solver().filter(|_| !is_disc(self.movers[index])) else {
            let velocity = self.steered_velocity(index).unwrap_or(Vec2::ZERO);
            return Follower::new(at, velocity, &moment);
        };
        let (book, promise) = (&self.setting.book, &self.ledger.promises[index]);
        let ahead = promise.position(book, self.frame + 1) - self.positions[index];
        let mut follower = Follower::new(at, ahead * FRAME_RATE, &moment);
        let (pose, contacts) = self.clip_pose(&self.body_itself(index));
        let joints = pose.joints(book.graph().skeleton(), at);
        let stands = [Contacts::LEFT, Contacts::RIGHT].map(|side| contacts.0 & side.0 != 0);
        let balls = [0, 1].map(|side| joints.positions[solver.legs()[side].ball].truncate());
        follower.stand_on(balls, stands, &moment);
        follower
    }

    /// Leads somebody on the graph to its style; until it is there, the style does not end.
    fn lead(&mut self, bodies: &mut Bodies, place: usize, index: usize) {
        let style = bodies.control.playing()[place].style;
        if self.movers[index] != Mover::Graph || bodies.control.book().kind(style) != MotionType::Walking {
            return;
        }
        let node = bodies.nodes[usize::from(style)];
        if self.minds[index].style.map(NodeId) != node {
            self.mind_mut(index).style = node.map(|node| node.0);
        }
        let shown = self.showing(index).and_then(|(action, _)| bodies.shown_by(action));
        if node.is_some() && shown != Some(style) {
            bodies.control.hold(place);
        }
    }

    /// Lets go of who has left the layer and takes in who has come; returns the index of each member in the crowd.
    fn meet(&self, bodies: &mut Bodies) -> Vec<usize> {
        let belongs = |index: &usize| {
            let on_graph = self.movers[*index] == Mover::Graph;
            is_disc(self.movers[*index])
                || on_graph && (bodies.styles_graph || self.may_stride_alone(bodies, *index))
        };
        let places: Vec<usize> = (0..self.len()).filter(belongs).collect();
        bodies.positions.clear();
        bodies.positions.extend(places.iter().map(|&index| self.positions[index]));
        for (place, &index) in places.iter().enumerate() {
            let id = self.ids[index];
            while bodies.members.get(place).is_some_and(|member| member.id < id) {
                bodies.members.remove(place);
                bodies.control.remove(place);
            }
            if bodies.members.get(place).is_none_or(|member| member.id != id) {
                let likes = self.minds[index].speed;
                let kind = match self.minds[index].errand {
                    Errand::Stay(kind) => kind,
                    _ => gait(likes, MotionType::Walking),
                };
                let group = usize::from(self.profiles[index].favours);
                bodies.control.insert(place, group, Demand { kind, speed: likes, rate: None });
                let style = bodies.control.playing()[place].style;
                let before = self.positions[index];
                let size = self.size_beside(index, bodies.stature);
                bodies.members.insert(place, Member { id, before, style, follower: None, size });
            }
            let follows = is_disc(self.movers[index])
                || self.may_stride_alone(bodies, index) && self.is_on_foot(bodies, index);
            if follows && bodies.members[place].follower.is_none() {
                let follower = self.begin_to_follow(bodies, place, index);
                bodies.members[place].follower = Some(follower);
            } else if !follows {
                bodies.members[place].follower = None;
            }
        }
        while bodies.members.len() > places.len() {
            bodies.members.pop();
            bodies.control.remove(places.len());
        }
        places
    }
}
