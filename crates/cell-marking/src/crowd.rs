//! Agents that plan captured motion a second at a time, none of them ever in another's way.

use super::book::{SegmentBook, StateId};
use super::cells::{CellGrid, Footprint};
use super::choice::{Ranked, Wish};
use super::discs::DiscTracks;
use super::marking::Marking;
use super::plan::{Plan, Promises, SEGMENT_FRAMES};
use super::playing::{Playing, Shown};
use super::wish::{DETOUR, LOSES_DIRECTION, Seen};
use crowdloom_base::grid::{Nearest, NeighbourGrid};
use crowdloom_base::random::{Purpose, Random};
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_velocity::{Neighbour, Role};
use crowdloom_world::Ground;
use glam::Vec2;
use rayon::prelude::*;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// How agents decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Radius of every agent's disc in metres.
    pub radius: f32,
    /// How promises are kept apart.
    pub promises: Promises,
    /// How everybody chooses.
    pub marking: Marking,
    /// One who has arrived makes room for those who wait nearer than this, in metres (ours; 0 for nobody).
    pub make_room: f32,
    /// How near in metres to its goal an agent has arrived.
    pub tolerance: f32,
    /// Frames after which one who stands decides again.
    pub standing_frames: u32,
}

impl Options {
    /// As published: the choice function, RVO's wish and the grid, without what we add to them.
    pub fn published() -> Self {
        Self { marking: Marking::published(), make_room: 0.0, ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            radius: 0.25,
            promises: Promises::Discs,
            marking: Marking::default(),
            make_room: 1.2,
            tolerance: 0.75,
            standing_frames: 4,
        }
    }
}

/// An agent that joins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joiner {
    /// Where it stands at first.
    pub placement: Placement,
    /// Where it goes, in metres.
    pub goal: Vec2,
    /// How fast it likes to walk, in metres a second.
    pub speed: f32,
}

/// Agents and the clock.
pub struct CellCrowd {
    book: Arc<SegmentBook>,
    ground: Option<Arc<Ground>>,
    options: Options,
    seed: u64,
    frame: u32,
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
    plans: Vec<Plan>,
    due: Vec<u32>,
    playing: Vec<Playing>,
    goals: Vec<Vec2>,
    speeds: Vec<f32>,
    arrived: Vec<bool>,
    /// Where each agent was when it last got on, and in which frame.
    gained: Vec<(Vec2, u32)>,
    occupied: Occupied,
    grid: NeighbourGrid,
    slots: Vec<u32>,
    deciding: Vec<u32>,
}

/// Who is where. The discs around everybody's whole way are kept beside cells: they tell who could be near at all.
struct Occupied {
    discs: DiscTracks,
    cells: Option<CellGrid>,
    /// Discs farther apart than this, in metres, touch no cell in common.
    margin: f32,
}

/// What deciding needs besides the crowd; one for each thread.
#[derive(Default)]
struct Workspace {
    nearest: Nearest,
    neighbours: Vec<Neighbour>,
    near: Vec<u32>,
    ranked: BinaryHeap<Ranked>,
}

/// What an agent decides to do.
struct Decision {
    playing: Playing,
    /// The new promise and the cells that it needs; `None` keeps the old one.
    promise: Option<(Plan, Footprint)>,
    due: u32,
}

/// Discs are this much larger in tests than what is promised, in metres: rounding must not break the promise.
const SKIN: f32 = 5e-4;
/// Frames within which everybody decides for the first time.
const FIRST_DECISION: u32 = 10;
/// What places may be off by rounding, in metres.
const ROUNDING: f32 = 1e-3;
/// Frames over which the velocity of others is taken, which evens out the sway of their steps.
const AHEAD: u32 = 15;
/// Who has come this far, in metres, has got on.
const GETS_ON: f32 = 0.4;

impl CellCrowd {
    /// A crowd without anybody; `ground` is where its walls are, an endless plain without.
    pub fn new(book: Arc<SegmentBook>, ground: Option<Arc<Ground>>, options: Options, seed: u64) -> Self {
        let radius = options.radius + SKIN;
        let side = match options.promises {
            Promises::Cells(side) => Some(side.max(0.02)),
            Promises::Discs => None,
        };
        let occupied = Occupied {
            discs: DiscTracks::new(radius),
            cells: side.map(|side| CellGrid::new(side, radius)),
            // The diagonal of a cell.
            margin: side.map_or(0.0, |side| 1.4143 * side),
        };
        Self {
            book,
            ground,
            options,
            seed,
            frame: 0,
            positions: Vec::new(),
            velocities: Vec::new(),
            plans: Vec::new(),
            due: Vec::new(),
            playing: Vec::new(),
            goals: Vec::new(),
            speeds: Vec::new(),
            arrived: Vec::new(),
            gained: Vec::new(),
            occupied,
            grid: NeighbourGrid::default(),
            slots: Vec::new(),
            deciding: Vec::new(),
        }
    }

    /// Adds an agent that stands, if its place is free; returns its number.
    pub fn add(&mut self, walker: Joiner) -> Option<usize> {
        let Joiner { placement, goal, speed } = walker;
        let agent = self.len() as u32;
        let plan = Plan::standing(placement.position, self.frame);
        let off_walls = |ground: &Arc<Ground>| ground.is_free(placement.position, self.options.radius + SKIN);
        if !self.ground.as_ref().is_none_or(off_walls) {
            return None;
        }
        let footprint = self.occupied.footprint(&plan);
        let free = match &self.occupied.cells {
            Some(cells) => cells.is_free(agent, &footprint),
            None => {
                let mut all: Vec<u32> = (0..agent).collect();
                self.occupied.discs.is_free(agent, &plan, &mut all, &self.plans)
            }
        };
        if !free {
            return None;
        }
        self.occupied.replace(agent, &plan, &footprint);
        self.positions.push(placement.position);
        self.velocities.push(Vec2::ZERO);
        self.plans.push(plan);
        // Not everybody decides in the same frame.
        let mut random = Random::new(self.seed, agent, self.frame, Purpose::FIRST_DECISION);
        self.due.push(self.frame + 1 + random.below(FIRST_DECISION));
        let state = self.book.standing();
        self.playing.push(Playing { state, place: placement, segment: None, start_frame: self.frame });
        self.goals.push(goal);
        self.speeds.push(speed);
        self.arrived.push(false);
        self.gained.push((placement.position, self.frame));
        Some(agent as usize)
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The frame that the crowd is in.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// Where everybody is, in metres.
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// Who has come within the tolerance of its goal since it got it.
    pub fn arrived(&self) -> &[bool] {
        &self.arrived
    }

    /// Gives an agent another goal, in metres.
    pub fn send(&mut self, agent: usize, goal: Vec2) {
        self.goals[agent] = goal;
        self.arrived[agent] = false;
    }

    /// The placement of an agent.
    pub fn placement(&self, agent: usize) -> Placement {
        self.playing[agent].placement(&self.book, self.frame)
    }

    /// The body of an agent, posed.
    pub fn show(&self, agent: usize) -> Shown {
        self.playing[agent].show(&self.book, self.frame)
    }

    /// The segments that agents choose from.
    pub fn book(&self) -> &SegmentBook {
        &self.book
    }

    /// Advances the clock by one frame.
    pub fn step(&mut self) {
        self.frame += 1;
        let (frame, tolerance) = (self.frame, self.options.tolerance);
        let places = self.positions.par_iter_mut().zip(&mut self.velocities).zip(&mut self.arrived);
        places.zip(&mut self.gained).zip(&self.plans).zip(&self.goals).with_min_len(1024).for_each(
            |(((((place, velocity), arrived), gained), plan), goal)| {
                *place = plan.position(frame);
                *velocity = (plan.position(frame + AHEAD) - *place) * (FRAME_RATE / AHEAD as f32);
                *arrived |= place.distance_squared(*goal) <= tolerance * tolerance;
                if place.distance_squared(gained.0) > GETS_ON * GETS_ON {
                    *gained = (*place, frame);
                }
            },
        );
        self.deciding.clear();
        self.deciding.extend((0..self.due.len() as u32).filter(|agent| self.due[*agent as usize] <= frame));
        self.grid.rebuild(&self.positions, 1.5);
        self.slots.resize(self.positions.len(), 0);
        for (slot, &agent) in self.grid.agents().iter().enumerate() {
            self.slots[agent as usize] = slot as u32;
        }
        self.decide_all();
    }

    /// All who are due choose against what everybody had promised before, in parallel. Then they commit themselves one
    /// after the other; who finds that somebody else of the same frame came first chooses again.
    fn decide_all(&mut self) {
        let deciding = std::mem::take(&mut self.deciding);
        let crowd = &*self;
        let decisions: Vec<Decision> = deciding
            .par_iter()
            .with_min_len(8)
            .map_init(Workspace::default, |workspace, &agent| crowd.decide(agent, workspace))
            .collect();
        let mut workspace = Workspace::default();
        for (&agent, mut decision) in deciding.iter().zip(decisions) {
            if let Some((plan, footprint)) = &decision.promise
                && !self.still_free(agent, plan, footprint, &mut workspace)
            {
                decision = self.decide(agent, &mut workspace);
            }
            self.commit(agent, decision);
        }
        self.deciding = deciding;
    }

    fn commit(&mut self, agent: u32, decision: Decision) {
        let index = agent as usize;
        if let Some((plan, footprint)) = &decision.promise {
            self.occupied.replace(agent, plan, footprint);
            self.plans[index] = *plan;
        }
        self.playing[index] = decision.playing;
        self.due[index] = decision.due;
    }

    fn still_free(&self, agent: u32, plan: &Plan, footprint: &Footprint, workspace: &mut Workspace) -> bool {
        match &self.occupied.cells {
            Some(cells) => cells.is_free_since(self.frame, agent, footprint),
            None => {
                self.look_around(agent, workspace);
                self.occupied.discs.is_free(agent, plan, &mut workspace.near, &self.plans)
            }
        }
    }

    /// Finds all whose plans could come near.
    fn look_around(&self, agent: u32, workspace: &mut Workspace) {
        let position = self.positions[agent as usize];
        let gap = 2.0 * (self.options.radius + SKIN) + self.occupied.margin + ROUNDING;
        let reach = self.book.reach() + gap;
        workspace.near.clear();
        let near = &mut workspace.near;
        // Wherever somebody is on its way, all of the way is within twice the reach.
        self.grid.for_each_within(position, reach + 2.0 * self.book.reach(), |other, _, _| {
            let (centre, radius) = self.occupied.discs.bounds(other);
            if centre.distance_squared(position) <= (reach + radius) * (reach + radius) {
                near.push(other);
            }
        });
    }

    fn decide(&self, agent: u32, workspace: &mut Workspace) -> Decision {
        let index = agent as usize;
        let before = self.playing[index];
        let Some((state, place)) = before.state_at(&self.book, self.frame) else {
            return Decision { playing: before, promise: None, due: self.frame + 1 };
        };
        let stands = state.0 >= self.book.standing().0;
        let restless = stands
            && self.seconds_in_one_place(index) > self.options.marking.patience
            && (!self.arrived[index] || self.is_in_the_way(index));
        let wish = self.wish(index, place, restless, workspace).seen_from(place.heading);
        let marking = &self.options.marking;
        let going_on = match stands {
            true => marking.score(&wish, 0.0, Placement::IDENTITY, 1.0),
            false => {
                let (seconds, end) = before.remaining(&self.book, self.frame);
                marking.score(&wish, 0.0, end.relative_to(place), seconds)
            }
        };
        let enough = if restless { f32::INFINITY } else { going_on + marking.reluctance };
        let transitions = self.book.transitions(state);
        let mut ranked = std::mem::take(&mut workspace.ranked);
        marking.rank(&wish, transitions, enough, &mut ranked);
        self.look_around(agent, workspace);
        let roomy = self.is_roomy(place.position);
        let tried = std::iter::from_fn(|| ranked.pop()).take(marking.tests.into());
        let found = tried.enumerate().find_map(|(refused, ranked)| {
            let transition = &transitions[ranked.transition as usize];
            let positions = self.book.plan_positions(state, transition, place);
            let plan = Plan { start_frame: self.frame, positions };
            let footprint = self.footprint_if_free(agent, &plan, &mut workspace.near)?;
            (roomy || self.is_off_walls(&plan)).then_some((refused, transition, (plan, footprint)))
        });
        workspace.ranked = ranked;
        match found {
            Some((refused, transition, promise)) => Decision {
                playing: Playing {
                    state,
                    place,
                    segment: Some((transition.to, transition.start)),
                    start_frame: self.frame,
                },
                promise: Some(promise),
                due: match refused == 0 && marking.has_elbow_room(place, &workspace.neighbours) {
                    true => self.frame + SEGMENT_FRAMES as u32,
                    false => self.frame + marking.decision_frames(),
                },
            },
            None if stands => self.stand(before, state, place),
            None => Decision { playing: before, promise: None, due: self.frame + 1 },
        }
    }

    /// How long an agent has not got on.
    fn seconds_in_one_place(&self, agent: usize) -> f32 {
        (self.frame - self.gained[agent].1) as f32 / FRAME_RATE
    }

    /// Whether somebody waits beside an agent and has not arrived.
    fn is_in_the_way(&self, agent: usize) -> bool {
        let mut waiting = false;
        self.grid.for_each_within(self.positions[agent], self.options.make_room, |other, _, _| {
            let other = other as usize;
            waiting |= !self.arrived[other] && self.velocities[other] == Vec2::ZERO;
        });
        waiting
    }

    fn stand(&self, before: Playing, state: StateId, place: Placement) -> Decision {
        let due = self.frame + self.options.standing_frames;
        if before.segment.is_none() {
            return Decision { playing: before, promise: None, due };
        }
        let playing = Playing { state, place, segment: None, start_frame: self.frame };
        let plan = Plan::standing(place.position, self.frame);
        let footprint = self.occupied.footprint(&plan);
        Decision { playing, promise: Some((plan, footprint)), due }
    }

    /// The cells that a plan needs, if it comes into the way of nobody of those `near`.
    fn footprint_if_free(&self, agent: u32, plan: &Plan, near: &mut [u32]) -> Option<Footprint> {
        let Occupied { discs, cells, margin } = &self.occupied;
        let Some(cells) = cells else {
            return discs.is_free(agent, plan, near, &self.plans).then(Footprint::default);
        };
        let footprint = cells.trace(plan);
        let is_free = !discs.is_anybody_near(agent, plan, *margin, near) || cells.is_free(agent, &footprint);
        is_free.then_some(footprint)
    }

    fn is_roomy(&self, position: Vec2) -> bool {
        let reach = self.book.reach() + self.options.radius + SKIN;
        self.ground.as_ref().is_none_or(|ground| ground.is_free(position, reach))
    }

    fn is_off_walls(&self, plan: &Plan) -> bool {
        let radius = self.options.radius + SKIN;
        let off = |ground: &Arc<Ground>| plan.positions.iter().all(|point| ground.is_free(*point, radius));
        self.ground.as_ref().is_none_or(off)
    }

    /// Finds the others that an agent heeds.
    fn look_at_neighbours(&self, agent: usize, workspace: &mut Workspace) {
        let slot = self.slots[agent];
        let Workspace { nearest, neighbours, .. } = workspace;
        let Marking { neighbour_distance, neighbours: most, personal_radius, .. } = self.options.marking;
        self.grid.nearest(self.positions[agent], neighbour_distance, most.into(), slot, nearest);
        neighbours.clear();
        neighbours.extend(nearest.iter().map(|(slot, distance_squared)| {
            let other = self.grid.agents()[slot] as usize;
            let stands = self.velocities[other] == Vec2::ZERO;
            Neighbour {
                offset: self.positions[other] - self.positions[agent],
                velocity: self.velocities[other],
                radius: personal_radius,
                distance_squared,
                // Who has arrived wants nowhere.
                intent: if self.arrived[other] {
                    Vec2::ZERO
                } else {
                    self.goals[other] - self.positions[other]
                },
                // Who stands does nothing to avoid anybody.
                role: if stands { Role::Foreign } else { Role::Peer },
                ..Neighbour::default()
            }
        }));
    }

    /// What an agent wants of its next second.
    fn wish(&self, agent: usize, place: Placement, restless: bool, workspace: &mut Workspace) -> Wish {
        self.look_at_neighbours(agent, workspace);
        let lost = self.seconds_in_one_place(agent) > self.options.marking.patience * LOSES_DIRECTION;
        let detour = if self.arrived[agent] { std::f32::consts::PI } else { DETOUR };
        let seen = Seen {
            place,
            velocity: self.velocities[agent],
            to_goal: self.goals[agent] - place.position,
            tolerance: Some(self.options.tolerance),
            speed: self.speeds[agent],
            radius: self.options.radius,
            restless,
            detour: (self.arrived[agent] || lost).then_some(detour),
            neighbours: &workspace.neighbours,
            ground: self.ground.as_deref(),
            random: Random::new(self.seed, agent as u32, self.frame, Purpose::STEERING),
        };
        self.options.marking.wish(seen)
    }
}

impl Occupied {
    /// The cells that a plan needs; none where discs are exact.
    fn footprint(&self, plan: &Plan) -> Footprint {
        self.cells.as_ref().map_or_else(Footprint::default, |cells| cells.trace(plan))
    }

    fn replace(&mut self, agent: u32, plan: &Plan, footprint: &Footprint) {
        self.discs.replace(agent, plan);
        if let Some(cells) = &mut self.cells {
            cells.replace(agent, footprint);
        }
    }
}
