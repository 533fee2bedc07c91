//! The layer itself: who plays what, and what comes next.

use super::book::StyleBook;
use super::camera::{Camera, CameraPath};
use super::choice::{Choices, Circumstances, FEW, MANY, Nearby, Scores};
use super::population::{Population, Priorities};
use super::weights::{StyleAdditions, StyleWeights};
use crowdloom_base::grid::NeighbourGrid;
use crowdloom_base::random::{Purpose, Random};
use crowdloom_motion::styles::{BLEND_FRAMES, MotionType, Start};
use crowdloom_motion::{FRAME_RATE, FRAME_TIME};
use glam::Vec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How styles are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// By lot at every end of a primitive, in proportion to the priorities: what crowds did before.
    Random,
    /// By lot once, and kept for ever.
    Fixed,
    /// Dealt out evenly once, and kept for ever.
    Dealt,
    /// By equations 2 to 8 to the letter.
    Text,
    /// By equation 2 with our additions.
    Diverse,
}

impl Scheme {
    /// All of them, from the plainest on.
    pub const ALL: [Self; 5] = [Self::Random, Self::Fixed, Self::Dealt, Self::Text, Self::Diverse];

    /// Its name in scenes and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "by-lot",
            Self::Fixed => "fixed",
            Self::Dealt => "dealt",
            Self::Text => "text",
            Self::Diverse => "diverse",
        }
    }
}

/// What the layer needs to know besides styles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleOptions {
    /// How styles are chosen.
    pub scheme: Scheme,
    /// The weights of equation 2.
    pub weights: StyleWeights,
    /// How far neighbours are heeded, in metres: those in the agent's cell of the grid and the eight around it.
    pub reach: f32,
    /// What is weighed besides, but for [`Scheme::Text`], which has none of it.
    pub additions: StyleAdditions,
    /// Who looks on; `None` is seen from everywhere alike.
    pub camera: Option<Camera>,
}

impl Default for StyleOptions {
    fn default() -> Self {
        Self {
            scheme: Scheme::Diverse,
            weights: StyleWeights::default(),
            reach: 6.0,
            additions: StyleAdditions::default(),
            camera: None,
        }
    }
}

/// What a mover tells of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// What it does.
    pub kind: MotionType,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// How fast a cycle is played, in parts of its own pace, where the body itself says; else speed tells.
    pub rate: Option<f32>,
}

/// Metres a second at which people start to run, go on running, start to walk and go on walking.
const GAITS: [f32; 4] = [2.2, 1.9, 0.3, 0.12];

/// The motion type for a speed in metres a second, where nothing but the speed tells: who is in between goes on.
pub fn gait(speed: f32, current: MotionType) -> MotionType {
    let [runs, runs_on, walks, walks_on] = GAITS;
    match current {
        MotionType::Running if speed > runs_on => MotionType::Running,
        _ if speed > runs => MotionType::Running,
        MotionType::Walking | MotionType::Running if speed > walks_on => MotionType::Walking,
        _ if speed > walks => MotionType::Walking,
        _ => MotionType::Waiting,
    }
}

/// What an agent's body shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Playing {
    /// The style it comes from.
    pub from: u16,
    /// The style it has.
    pub style: u16,
    /// Where the style before was left.
    pub start: Start,
    /// The frame of the loop, with its fraction.
    pub frame: f32,
}

/// Styles that have changed, for statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Switches {
    /// Choices among styles of the same type.
    pub choices: u64,
    /// Those that chose another style than before.
    pub switches: u64,
    /// The differences of the styles switched between, added up.
    pub change: f64,
}

/// Nobody has a style of this type yet, or nobody is told where to go.
pub(super) const NONE: u16 = u16::MAX;
/// Agents that one job looks after.
const JOB: usize = 4096;
/// Choices that one job weighs.
const CHOICES: usize = 64;
/// Whoever keeps a way of walking or running gives it up for one that scores better by this, in parts of the greatest weight.
const KEEPING: f32 = 1.5;
/// How fast the speed that choices look at follows the body's: share of the difference taken over in a frame (ours).
const FOLLOWING: f32 = 0.2;
/// Slowest and fastest that a cycle is played.
const RATES: [f32; 2] = [0.35, 2.5];
/// The least rate at which a cycle is finished that leads to another type, and the rate of anything else that does.
const LEAVING: [f32; 2] = [0.8, 2.0];

/// The motion styles of a crowd.
#[derive(Clone, Debug)]
pub struct StyleControl {
    book: Arc<StyleBook>,
    options: StyleOptions,
    /// Where the camera goes; without keys it is where the options have it.
    path: CameraPath,
    seed: u64,
    pub(super) frame: u32,
    pub(super) playing: Vec<Playing>,
    /// The style of each agent again, packed for those who look at their neighbours.
    pub(super) styles: Vec<u8>,
    /// Smoothed: what choices look at.
    pub(super) speeds: Vec<f32>,
    /// How fast each body plays, in parts of its motion's own pace.
    pub(super) rates: Vec<f32>,
    pub(super) wanted: Vec<MotionType>,
    pub(super) groups: Vec<u8>,
    pub(super) memories: Vec<Memory>,
    pub(super) populations: Vec<Population>,
    /// What choices of each type look up.
    choices: [Choices; 4],
    pub(super) switches: Switches,
    // Working memory.
    due: Vec<Vec<u32>>,
    choosing: Vec<u32>,
    weighed: Vec<Weighed>,
}

/// What is only looked up when an agent chooses.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Memory {
    /// The last style of each type that it had.
    pub(super) habits: [u16; 4],
    /// Where it is told to get to, step by step.
    pub(super) told: u16,
    /// The frame until which it keeps its way of walking or running, unless a change gains much.
    pub(super) keeps_until: u32,
}

/// What an agent's choice depends on besides how often styles are used.
#[derive(Clone, Copy, Debug, Default)]
struct Weighed {
    /// The style within its type that candidates are near to.
    centre: u16,
    scores: Scores,
}

impl StyleControl {
    /// For a crowd without anybody yet; everything random follows from `seed`.
    ///
    /// Each entry of `groups` is a group of agents with priorities of its own.
    pub fn new(book: Arc<StyleBook>, options: StyleOptions, groups: Vec<Priorities>, seed: u64) -> Self {
        let groups = if groups.is_empty() { vec![Priorities::even(&book)] } else { groups };
        let additions = if options.scheme == Scheme::Text { StyleAdditions::NONE } else { options.additions };
        let options = StyleOptions { additions, ..options };
        Self {
            choices: MotionType::ALL.map(|kind| Choices::new(&book, kind, &options.weights, &additions)),
            book,
            options,
            path: CameraPath::default(),
            seed,
            frame: 0,
            playing: Vec::new(),
            styles: Vec::new(),
            speeds: Vec::new(),
            rates: Vec::new(),
            wanted: Vec::new(),
            groups: Vec::new(),
            memories: Vec::new(),
            populations: groups.into_iter().map(Population::new).collect(),
            switches: Switches::default(),
            due: Vec::new(),
            choosing: Vec::new(),
            weighed: Vec::new(),
        }
    }

    /// Adds an agent of a group that does `demand`, with a random style and phase. A type without styles is replaced by
    /// one that has some.
    pub fn add(&mut self, group: usize, demand: Demand) {
        let agent = self.playing.len() as u32;
        let mut random = Random::new(self.seed, agent, 0, Purpose::STYLE);
        let kind = self.known(demand.kind);
        let group = group.min(self.populations.len() - 1);
        let style = self.first_style(group, kind, random.unit());
        let frames = self.book.pace(style, style, Start::RIGHT).frames;
        self.playing.push(Playing { from: style, style, start: Start::RIGHT, frame: random.unit() * frames });
        self.styles.push(style as u8);
        self.speeds.push(demand.speed);
        self.rates.push(0.0);
        self.wanted.push(kind);
        self.groups.push(group as u8);
        let mut habits = [NONE; 4];
        habits[kind as usize] = style;
        self.memories.push(Memory { habits, told: NONE, keeps_until: 0 });
        self.populations[group].add(style, kind, 1);
    }

    /// Adds an agent as the one of number `agent`; those from there on move up. See [`Self::add`].
    pub fn insert(&mut self, agent: usize, group: usize, demand: Demand) {
        self.add(group, demand);
        self.playing[agent..].rotate_right(1);
        self.styles[agent..].rotate_right(1);
        self.speeds[agent..].rotate_right(1);
        self.rates[agent..].rotate_right(1);
        self.wanted[agent..].rotate_right(1);
        self.groups[agent..].rotate_right(1);
        self.memories[agent..].rotate_right(1);
    }

    /// Takes an agent out; those behind it move up.
    pub fn remove(&mut self, agent: usize) {
        let style = self.playing.remove(agent).style;
        let group = self.groups.remove(agent);
        self.populations[usize::from(group)].add(style, self.book.kind(style), -1);
        self.styles.remove(agent);
        self.speeds.remove(agent);
        self.rates.remove(agent);
        self.wanted.remove(agent);
        self.memories.remove(agent);
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.playing.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.playing.is_empty()
    }

    /// The styles to choose from.
    pub fn book(&self) -> &Arc<StyleBook> {
        &self.book
    }

    /// How styles are chosen.
    pub fn options(&self) -> &StyleOptions {
        &self.options
    }

    /// The number of groups with priorities of their own.
    pub fn group_count(&self) -> usize {
        self.populations.len()
    }

    /// What everybody shows.
    pub fn playing(&self) -> &[Playing] {
        &self.playing
    }

    /// How fast an agent plays, in parts of its motion's own pace.
    pub fn rate(&self, agent: usize) -> f32 {
        self.rates[agent]
    }

    /// How often and how far styles have changed.
    pub fn switches(&self) -> Switches {
        self.switches
    }

    /// How many agents of a group have a style, and how many should.
    pub fn use_of(&self, group: usize, style: u16) -> (i32, f32) {
        self.populations[group].use_of(style, self.book.kind(style))
    }

    /// The share of a style among those agents of a group that do the same.
    pub fn share(&self, group: usize, style: u16) -> f32 {
        self.populations[group].priorities.share(style)
    }

    /// Whether a group is to have a style more often than the others of its type.
    pub fn favours(&self, group: usize, style: u16) -> bool {
        let kind = self.book.kind(style);
        self.populations[group].priorities.favoured(kind)[usize::from(style - self.book.first(kind))]
    }

    /// The share of those of a group who do one thing that should have a favoured style; `None` where it favours none.
    pub fn favoured_share(&self, group: usize, kind: MotionType) -> Option<f32> {
        let styles = self.book.library().styles(kind).map(|style| style as u16);
        let shares = styles.filter(|&style| self.favours(group, style)).map(|style| self.share(group, style));
        Some(shares.sum()).filter(|&share| share > 0.0)
    }

    /// The groups of all agents.
    pub fn groups(&self) -> &[u8] {
        &self.groups
    }

    /// Moves the camera.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        self.options.camera = camera;
    }

    /// Lets the camera go along a path from the first frame on.
    pub fn set_camera_path(&mut self, path: CameraPath) {
        self.options.camera = path.at(self.frame as f32 * FRAME_TIME).or(self.options.camera);
        self.path = path;
    }

    /// Tells an agent to take up a style, by way of similar ones where it is too different for one change; `None` lets
    /// it choose again.
    pub fn tell(&mut self, agent: usize, style: Option<u16>) {
        self.memories[agent].told =
            style.filter(|&style| usize::from(style) < self.book.len()).unwrap_or(NONE);
    }

    /// Begins an agent's primitive anew, so that it does not end yet, unless the agent is to do something else.
    pub fn hold(&mut self, agent: usize) {
        let playing = &mut self.playing[agent];
        if self.wanted[agent] == self.book.kind(playing.style) {
            playing.frame = 0.0;
        }
    }

    /// Advances all bodies by a frame and chooses styles for those whose primitive has ended.
    ///
    /// `grid` holds the agents by their numbers, as the mover sorted them for its own step; others in it are ignored.
    /// `demand` tells what an agent does, given its number and what it has done so far.
    pub fn step(
        &mut self,
        grid: &NeighbourGrid,
        positions: &[Vec2],
        demand: impl Fn(usize, MotionType) -> Demand + Sync,
    ) {
        self.frame += 1;
        if let Some(camera) = self.path.at(self.frame as f32 * FRAME_TIME) {
            self.options.camera = Some(camera);
        }
        self.advance(demand);
        self.choosing.clear();
        for due in &self.due {
            self.choosing.extend_from_slice(due);
        }
        match self.options.scheme {
            Scheme::Random | Scheme::Fixed | Scheme::Dealt => self.give(),
            Scheme::Text | Scheme::Diverse => {
                self.weigh(grid, positions);
                self.decide();
            }
        }
    }

    /// Plays on; notes whose primitive has ended.
    fn advance(&mut self, demand: impl Fn(usize, MotionType) -> Demand + Sync) {
        let jobs = self.playing.len().div_ceil(JOB);
        self.due.resize_with(jobs, Vec::new);
        let (book, known) = (&*self.book, MotionType::ALL.map(|kind| self.known(kind)));
        let work = |job: usize,
                    playing: &mut [Playing],
                    (speeds, rates): (&mut [f32], &mut [f32]),
                    wanted: &mut [MotionType],
                    due: &mut Vec<u32>| {
            due.clear();
            let bodies = playing.iter_mut().zip(speeds).zip(rates).zip(wanted);
            for (index, (((playing, speed), rate), wanted)) in bodies.enumerate() {
                let agent = job * JOB + index;
                let demand = demand(agent, *wanted);
                *wanted = known[demand.kind as usize];
                *speed += (demand.speed - *speed) * FOLLOWING;
                let ended;
                (ended, *rate) = play_on(book, playing, &demand, *wanted);
                if ended {
                    due.push(agent as u32);
                }
            }
        };
        // One job needs no other thread, and waking one costs more than a small crowd.
        if jobs == 1 {
            let ways = (&mut self.speeds[..], &mut self.rates[..]);
            work(0, &mut self.playing, ways, &mut self.wanted, &mut self.due[0]);
            return;
        }
        let ways = self.speeds.par_chunks_mut(JOB).zip(self.rates.par_chunks_mut(JOB));
        let chunks = self.playing.par_chunks_mut(JOB).zip(ways).zip(self.wanted.par_chunks_mut(JOB));
        chunks
            .zip(self.due.par_iter_mut())
            .enumerate()
            .for_each(|(job, (((playing, ways), wanted), due))| work(job, playing, ways, wanted, due));
    }

    /// The type itself, or the nearest one that has styles.
    fn known(&self, kind: MotionType) -> MotionType {
        let has = |kind: &MotionType| !self.book.table(*kind).is_empty();
        let others = match kind {
            MotionType::Running => [MotionType::Walking, MotionType::Waiting, MotionType::Fighting],
            MotionType::Walking => [MotionType::Running, MotionType::Waiting, MotionType::Fighting],
            MotionType::Waiting => [MotionType::Fighting, MotionType::Walking, MotionType::Running],
            MotionType::Fighting => [MotionType::Waiting, MotionType::Walking, MotionType::Running],
        };
        std::iter::once(kind).chain(others).find(has).unwrap_or(kind)
    }

    /// The style of somebody who has had none of a type yet, from a number in [0, 1).
    fn first_style(&self, group: usize, kind: MotionType, unit: f32) -> u16 {
        let population = &self.populations[group];
        match self.options.scheme {
            Scheme::Dealt => population.most_missing(self.book.library().styles(kind), kind, unit),
            _ => population.priorities.draw(&self.book, kind, unit),
        }
    }

    /// Gives everybody whose primitive has ended a style without looking at anybody.
    fn give(&mut self) {
        for index in 0..self.choosing.len() {
            let agent = self.choosing[index];
            let group = usize::from(self.groups[agent as usize]);
            let kind = self.wanted[agent as usize];
            self.leave(agent as usize);
            let habit = self.memories[agent as usize].habits[kind as usize];
            let style = match self.options.scheme {
                Scheme::Fixed | Scheme::Dealt if habit != NONE => habit,
                _ => {
                    let unit = Random::new(self.seed, agent, self.frame, Purpose::STYLE).unit();
                    self.first_style(group, kind, unit)
                }
            };
            self.take(agent as usize, style);
        }
    }

    /// Takes an agent's style out of the counters.
    fn leave(&mut self, agent: usize) {
        let style = self.playing[agent].style;
        self.populations[usize::from(self.groups[agent])].add(style, self.book.kind(style), -1);
    }

    /// The style within its type whose neighbours in the table an agent chooses from that did something else before.
    #[cold]
    fn centre(&self, agent: usize) -> u16 {
        let kind = self.wanted[agent];
        let habit = self.memories[agent].habits[kind as usize];
        let style = match habit {
            // Nobody knows yet how this one walks: by lot.
            NONE => {
                let unit = Random::new(self.seed, agent as u32, self.frame, Purpose::STYLE).unit();
                self.populations[usize::from(self.groups[agent])].priorities.draw(&self.book, kind, unit)
            }
            habit => habit,
        };
        style - self.book.first(kind)
    }

    /// Scores all candidates of those who have to choose, by what does not change while they do.
    fn weigh(&mut self, grid: &NeighbourGrid, positions: &[Vec2]) {
        let mut weighed = std::mem::take(&mut self.weighed);
        weighed.resize(self.choosing.len(), Weighed::default());
        let this = &*self;
        let work = |weighed: &mut [Weighed], agents: &[u32]| {
            for (weighed, &agent) in weighed.iter_mut().zip(agents) {
                let (agent, place) = (agent as usize, positions[agent as usize]);
                *weighed = match this.choices[this.wanted[agent] as usize].styles() {
                    ..=FEW => this.score::<FEW>(agent, grid, place),
                    _ => this.score::<MANY>(agent, grid, place),
                };
            }
        };
        if weighed.len() <= CHOICES {
            work(&mut weighed, &self.choosing);
        } else {
            let jobs = weighed.par_chunks_mut(CHOICES).zip(self.choosing.par_chunks(CHOICES));
            jobs.for_each(|(weighed, agents)| work(weighed, agents));
        }
        self.weighed = weighed;
    }

    /// Scores the candidates of an agent that chooses among up to `STYLES` styles; by itself, because two sizes in one piece
    /// of code would only be in each other's way in the cache.
    #[inline(never)]
    fn score<const STYLES: usize>(&self, agent: usize, grid: &NeighbourGrid, place: Vec2) -> Weighed {
        let StyleOptions { reach, camera, .. } = &self.options;
        let kind = self.wanted[agent];
        let choices = &self.choices[kind as usize];
        let (first, styles) = (choices.first() as u8, choices.styles() as u8);
        let mut nearby = Nearby::<STYLES>::nobody();
        for slots in grid.nine_cells(place) {
            let others = grid.agents()[slots.clone()].iter().zip(&grid.sorted_positions()[slots]);
            for (&other, position) in others {
                let (other, squared) = (other as usize, position.distance_squared(place));
                let style = self.styles.get(other).map_or(u8::MAX, |style| style.wrapping_sub(first));
                // Styles of another type are too different to be compared.
                let counts = (other != agent) & (squared <= reach * reach) & (style < styles);
                nearby.meet(style, squared, counts);
            }
        }
        let own = self.playing[agent].style;
        let same_type = self.book.kind(own) == kind;
        let alpha = if same_type { camera.map_or(1.0, |camera| camera.alpha(place)) } else { 0.0 };
        let centre = if same_type { own - choices.first() } else { self.centre(agent) };
        let at = Circumstances { style: usize::from(centre), alpha, speed: self.speeds[agent] };
        let favoured = self.populations[usize::from(self.groups[agent])].priorities.favoured(kind);
        Weighed { centre, scores: choices.scores(&at, &nearby, favoured) }
    }

    /// One after the other takes its best style, as the counters stand then: threads change nothing.
    fn decide(&mut self) {
        for index in 0..self.choosing.len() {
            let agent = self.choosing[index] as usize;
            self.leave(agent);
            let style = self.best(agent, &self.weighed[index]);
            self.take(agent, style);
        }
    }

    /// Equation 2, or the next style on the way to what the agent is told.
    fn best(&self, agent: usize, Weighed { centre, scores }: &Weighed) -> u16 {
        let kind = self.wanted[agent];
        let choices = &self.choices[kind as usize];
        let (first, told) = (choices.first(), self.memories[agent].told);
        if told != NONE && self.book.kind(told) == kind {
            let table = self.book.table(kind);
            return first + table.step_towards(usize::from(*centre), usize::from(told - first)) as u16;
        }
        let population = &self.populations[usize::from(self.groups[agent])];
        let missing = population.missing(kind, self.options.additions.relative);
        let mut best = (f32::NEG_INFINITY, *centre);
        let mut own = f32::NEG_INFINITY;
        for (candidate, local) in choices.candidates(usize::from(*centre)).zip(scores) {
            let score = local + self.options.weights.utilisation * missing(first + candidate);
            if candidate == *centre {
                own = score;
            }
            if score > best.0 {
                best = (score, candidate);
            }
        }
        // Who came back to a gait, or changed it a while ago, goes on in it unless much is gained.
        let keeps = kind.is_cyclic() && self.frame < self.memories[agent].keeps_until;
        if keeps && best.0 < own + KEEPING * self.options.weights.most() {
            return first + *centre;
        }
        first + best.1
    }

    /// Starts the next loop.
    fn take(&mut self, agent: usize, style: u16) {
        let kind = self.book.kind(style);
        self.populations[usize::from(self.groups[agent])].add(style, kind, 1);
        let playing = &mut self.playing[agent];
        if self.book.kind(playing.style) == kind {
            self.switches.choices += 1;
            if playing.style != style {
                let keeps = self.options.additions.keep * FRAME_RATE;
                self.memories[agent].keeps_until = self.frame.saturating_add(keeps as u32);
                self.switches.switches += 1;
                self.switches.change += f64::from(self.book.variation(playing.style, style));
            }
        }
        *playing = Playing { from: playing.style, style, ..*playing };
        self.styles[agent] = style as u8;
        self.memories[agent].habits[kind as usize] = style;
    }
}

/// Advances a body by a frame; tells whether it has to choose what comes next, which then starts at its frame and
/// start, and how fast it plays.
fn play_on(book: &StyleBook, playing: &mut Playing, demand: &Demand, wanted: MotionType) -> (bool, f32) {
    let Playing { from, style, start, frame } = *playing;
    let kind = book.kind(style);
    let pace = book.pace(from, style, start);
    let leaves = wanted != kind;
    let rate = match demand.rate {
        Some(rate) if kind.is_cyclic() && leaves => rate.max(LEAVING[0]),
        Some(rate) if kind.is_cyclic() => rate,
        None if kind.is_cyclic() => {
            let step = pace.way.max(0.05) / pace.frames;
            let rate = demand.speed * FRAME_TIME / step;
            rate.clamp(if leaves { LEAVING[0] } else { RATES[0] }, RATES[1])
        }
        // Who is still getting into it does not hurry out of it: limbs would fly.
        _ if leaves && frame >= BLEND_FRAMES as f32 => LEAVING[1],
        _ => 1.0,
    };
    let next = frame + rate;
    let in_step = book.kind(from).is_cyclic() && kind.is_cyclic();
    let end = if in_step { start } else { Start::RIGHT };
    if next >= pace.frames {
        (playing.frame, playing.start) = ((next - pace.frames).min(1.0), end);
        return (true, rate);
    }
    playing.frame = next;
    // Another type need not wait for the end: cycles are left in the middle, everything else after every quarter.
    if !leaves || next < BLEND_FRAMES as f32 {
        return (false, rate);
    }
    let entered = match kind.is_cyclic() {
        true => {
            let half = book.half(style, end, pace.frames);
            let other = if end == Start::RIGHT { Start::LEFT } else { Start::RIGHT };
            (frame < half && next >= half).then_some((other, next - half))
        }
        false => {
            let quarter = |frame: f32| (frame * Start::COUNT as f32 / pace.frames) as u8;
            (quarter(frame) < quarter(next)).then(|| (Start(quarter(next)), 0.0))
        }
    };
    if let Some((start, frame)) = entered {
        (playing.start, playing.frame) = (start, frame);
    }
    (entered.is_some(), rate)
}
