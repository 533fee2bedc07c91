//! The agents of all velocity movers, and the step that moves them.

use super::added::{Asking, VelocityModel};
use super::contact::{self, Body};
use super::funnel::Aim;
use super::manners::Among;
use super::orca::MAX_WALLS;
use super::{Decided, Manners, Memory, Model, MovingDisc, Neighbour, Role, View};
use crowdloom_base::grid::{Nearest, NeighbourGrid};
use crowdloom_base::random::{Purpose, Random};
use crowdloom_world::Ground;
use glam::Vec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an agent is like when it joins a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Where it starts, in metres.
    pub position: Vec2,
    /// The radius of its disc in metres.
    pub radius: f32,
    /// The highest speed it ever takes, in metres per second.
    pub max_speed: f32,
    /// How far it sees others, in metres.
    pub neighbour_distance: f32,
    /// How many others it heeds, the nearest first.
    pub max_neighbours: u8,
    /// How it treats others.
    pub manners: Manners,
    /// What moves it.
    pub model: Model,
}

impl Walker {
    /// A pedestrian with the usual manners who starts at `position`.
    pub fn new(position: Vec2, model: Model) -> Self {
        Self {
            position,
            radius: 0.25,
            max_speed: 1.8,
            neighbour_distance: 5.0,
            max_neighbours: 10,
            manners: Manners::of(&model),
            model,
        }
    }
}

/// What a crowd moves among.
#[derive(Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// Walls; `None` is an endless plain.
    pub ground: Option<&'a Ground>,
    /// Everybody who is moved by something else, such as clip agents.
    pub discs: &'a [MovingDisc],
    /// Whether all who touch are left as they are, whatever their manners say.
    pub touching: bool,
    /// Models that the program has added, by number.
    pub models: &'a [Arc<dyn VelocityModel>],
}

/// What agents may have in common; kept once for all that do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manner {
    pub(super) model: Model,
    neighbour_distance: f32,
    max_neighbours: u8,
    pub(super) manners: Manners,
}

/// Agents that are moved by velocities; saved and read again it goes on to the same bits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct VelocityCrowd {
    pub(super) seed: u64,
    pub(super) frame: u32,
    pub(super) positions: Vec<Vec2>,
    pub(super) velocities: Vec<Vec2>,
    pub(super) preferred: Vec<Vec2>,
    /// Where those are going who funnel; all or nobody.
    aims: Vec<Option<Aim>>,
    pub(super) radii: Vec<f32>,
    pub(super) max_speeds: Vec<f32>,
    pub(super) memories: Vec<Memory>,
    pub(super) manner_of: Vec<u32>,
    pub(super) manners: Vec<Manner>,
    // Working memory, in the order of the grid's slots.
    #[serde(skip)]
    everybody: Vec<Vec2>,
    #[serde(skip)]
    pub(super) grid: NeighbourGrid,
    #[serde(skip)]
    pub(super) bodies: Vec<Body>,
    #[serde(skip)]
    pub(super) choices: Vec<Decided>,
    #[serde(skip)]
    moved: Vec<Vec2>,
    #[serde(skip)]
    settled: Vec<Vec2>,
    #[serde(skip)]
    pub(super) asking: Option<Box<Asking>>,
}

/// Agents that one job decides for.
const JOB: usize = 256;
/// How many manners a new agent's is compared with.
const RECENT_MANNERS: usize = 8;

impl VelocityCrowd {
    /// A crowd without anybody; everything random follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Adds an agent and returns its number.
    pub fn add(&mut self, walker: Walker) -> usize {
        let Walker { position, radius, max_speed, neighbour_distance, max_neighbours, manners, model } =
            walker;
        let manner = Manner { model, neighbour_distance, max_neighbours, manners };
        let first = self.manners.len().saturating_sub(RECENT_MANNERS);
        let known = self.manners[first..].iter().position(|other| *other == manner);
        let number = known.map_or(self.manners.len(), |known| first + known);
        if known.is_none() {
            self.manners.push(manner);
        }
        self.positions.push(position);
        self.velocities.push(Vec2::ZERO);
        self.preferred.push(Vec2::ZERO);
        self.radii.push(radius);
        self.max_speeds.push(max_speed);
        self.memories.push(Memory::default());
        self.manner_of.push(number as u32);
        if !self.aims.is_empty() {
            self.aims.push(None);
        }
        self.positions.len() - 1
    }

    /// Adds an agent that moves at `velocity` metres a second as the `slot`th; those from there on move up.
    pub fn insert(&mut self, slot: usize, walker: Walker, velocity: Vec2) {
        let last = self.add(walker);
        self.positions[slot..].rotate_right(1);
        self.velocities[last] = velocity;
        self.velocities[slot..].rotate_right(1);
        self.preferred[slot..].rotate_right(1);
        self.radii[slot..].rotate_right(1);
        self.max_speeds[slot..].rotate_right(1);
        self.memories[slot..].rotate_right(1);
        self.manner_of[slot..].rotate_right(1);
        if !self.aims.is_empty() {
            self.aims[slot..].rotate_right(1);
        }
    }

    /// Takes an agent out; those behind it move down.
    pub fn remove(&mut self, slot: usize) {
        self.positions.remove(slot);
        self.velocities.remove(slot);
        self.preferred.remove(slot);
        self.radii.remove(slot);
        self.max_speeds.remove(slot);
        self.memories.remove(slot);
        self.manner_of.remove(slot);
        if !self.aims.is_empty() {
            self.aims.remove(slot);
        }
    }

    /// Whether a crowd that was read is whole: as many of everything, all of it numbers, every manner known.
    pub fn is_whole(&self) -> bool {
        let count = self.positions.len();
        let counts = [
            self.velocities.len(),
            self.preferred.len(),
            self.radii.len(),
            self.max_speeds.len(),
            self.memories.len(),
            self.manner_of.len(),
        ];
        let mut vectors = self.positions.iter().chain(&self.velocities).chain(&self.preferred);
        counts.iter().all(|other| *other == count)
            && (self.aims.is_empty() || self.aims.len() == count)
            && vectors.all(|vector| vector.is_finite())
            && self.radii.iter().chain(&self.max_speeds).all(|number| number.is_finite() && *number >= 0.0)
            && self.manner_of.iter().all(|manner| (*manner as usize) < self.manners.len())
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Where everybody is, in metres.
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// Puts an agent somewhere else, for instance from one end of a ring to the other.
    pub fn place(&mut self, agent: usize, position: Vec2) {
        self.positions[agent] = position;
    }

    /// Puts an agent elsewhere than its model did in the last step of `seconds`, `from` where it had been.
    pub fn divert(&mut self, agent: usize, from: Vec2, to: Vec2, seconds: f32) {
        self.positions[agent] = to;
        self.velocities[agent] = (to - from) / seconds;
    }

    /// Lets an agent move otherwise from now on, in metres a second; returns how it moved.
    pub fn set_velocity(&mut self, agent: usize, velocity: Vec2) -> Vec2 {
        std::mem::replace(&mut self.velocities[agent], velocity)
    }

    /// Gives an agent's disc another radius, in metres.
    pub fn set_radius(&mut self, agent: usize, radius: f32) {
        self.radii[agent] = radius;
    }

    /// How everybody moves, in metres per second.
    pub fn velocities(&self) -> &[Vec2] {
        &self.velocities
    }

    /// The radii of all discs in metres.
    pub fn radii(&self) -> &[f32] {
        &self.radii
    }

    /// What lasts of each agent besides position and velocity.
    pub fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// The same, to be changed between two steps: somebody panics, somebody falls.
    pub fn memories_mut(&mut self) -> &mut [Memory] {
        &mut self.memories
    }

    /// The model of an agent.
    pub fn model(&self, agent: usize) -> &Model {
        &self.manners[self.manner_of[agent] as usize].model
    }

    /// Everybody sorted by place as it was before the last step, agents by their numbers, then the foreign discs: for
    /// layers that look for neighbours too. Holds until an agent is added or taken out.
    pub fn neighbour_grid(&self) -> &NeighbourGrid {
        &self.grid
    }

    /// Gives every agent the velocity it would like to have, from its number and position.
    pub fn prefer(&mut self, wish: impl Fn(usize, Vec2) -> Vec2 + Sync) {
        let positions = &self.positions;
        self.preferred
            .par_iter_mut()
            .enumerate()
            .with_min_len(1024)
            .for_each(|(agent, preferred)| *preferred = wish(agent, positions[agent]));
    }

    /// Gives agents another greatest speed in metres a second, by their number, where there is one to be given.
    pub fn limit_speeds(&mut self, limit: impl Fn(usize, &Model) -> Option<f32>) {
        let Self { max_speeds, manners, manner_of, .. } = self;
        for (agent, fastest) in max_speeds.iter_mut().enumerate() {
            *fastest = limit(agent, &manners[manner_of[agent] as usize].model).unwrap_or(*fastest);
        }
    }

    /// Tells those who funnel where they are going, by their number and position.
    pub fn aim(&mut self, aim: impl Fn(usize, Vec2) -> Option<Aim> + Sync) {
        let Self { aims, positions, manners, manner_of, .. } = self;
        let funnels = |agent: usize| matches!(manners[manner_of[agent] as usize].model, Model::Funnel(_));
        aims.clear();
        if manners.iter().any(|manner| matches!(manner.model, Model::Funnel(_))) {
            let agents = positions.par_iter().enumerate().with_min_len(1024);
            agents.map(|(agent, &at)| aim(agent, at).filter(|_| funnels(agent))).collect_into_vec(aims);
        }
    }

    /// Where each agent is going if nothing changes: what clip agents avoid.
    pub fn moving_discs(&self) -> impl Iterator<Item = MovingDisc> + '_ {
        let parts = self.positions.iter().zip(&self.velocities).zip(&self.radii);
        parts.map(|((&centre, &velocity), &radius)| MovingDisc { centre, velocity, radius })
    }

    /// Moves everybody on by `seconds`.
    pub fn step(&mut self, surroundings: Surroundings, seconds: f32) {
        if self.is_empty() {
            return;
        }
        self.frame += 1;
        self.sort(surroundings.discs);
        self.choose(surroundings.ground, seconds);
        self.ask_added(&surroundings, seconds);
        self.advance(surroundings, seconds);
    }

    /// Sorts everybody into cells, so that neighbours are near in memory.
    fn sort(&mut self, discs: &[MovingDisc]) {
        self.everybody.clear();
        self.everybody.extend_from_slice(&self.positions);
        self.everybody.extend(discs.iter().map(|disc| disc.centre));
        self.grid.rebuild(&self.everybody, self.cell_size());
        let count = self.positions.len();
        let agents = self.grid.agents();
        let mut bodies = std::mem::take(&mut self.bodies);
        bodies.resize(agents.len(), Body::default());
        let Self { velocities, preferred, radii, memories, manners, manner_of, .. } = &*self;
        bodies.par_iter_mut().zip(agents).with_min_len(4096).for_each(|(body, &agent)| {
            let agent = agent as usize;
            *body = if agent < count {
                let Memory { panic, fallen, squeezed, .. } = memories[agent];
                let manners = &manners[manner_of[agent] as usize].manners;
                let narrower = manners.squeeze * squeezed;
                let role = if fallen { Role::Fallen } else { Role::Peer };
                Body {
                    velocity: velocities[agent],
                    intent: preferred[agent],
                    radius: radii[agent] * (1.0 - narrower),
                    panic,
                    role,
                    touching: manners.touching,
                }
            } else {
                let disc = &discs[agent - count];
                Body {
                    velocity: disc.velocity,
                    intent: disc.velocity,
                    radius: disc.radius,
                    panic: 0.0,
                    role: Role::Foreign,
                    touching: 0.0,
                }
            };
        });
        self.bodies = bodies;
    }

    /// One agent a cell, more or less: then the search for the nearest sees few others.
    fn cell_size(&self) -> f32 {
        let (low, high) = self
            .everybody
            .iter()
            .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        let extent = (high - low).max(Vec2::splat(0.1));
        let farthest = self.manners.iter().map(|manner| manner.neighbour_distance).fold(0.5, f32::max);
        (1.2 * extent.x * extent.y / self.everybody.len() as f32).sqrt().clamp(0.45, farthest)
    }

    /// Asks every agent's model for its next velocity.
    fn choose(&mut self, ground: Option<&Ground>, seconds: f32) {
        let count = self.positions.len();
        let (seed, frame) = (self.seed, self.frame);
        let mut choices = std::mem::take(&mut self.choices);
        choices.resize(self.bodies.len(), Decided::default());
        let Self { grid, bodies, manners, manner_of, preferred, aims, max_speeds, memories, .. } = &*self;
        let (agents, places) = (grid.agents(), grid.sorted_positions());
        let widest = bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
        let decide = |slot: usize, nearest: &mut Nearest, neighbours: &mut [Neighbour]| {
            let agent = agents[slot] as usize;
            let manner = &manners[manner_of[agent] as usize];
            let (point, body) = (places[slot], bodies[slot]);
            if let Model::Added(_) = manner.model {
                return Decided { velocity: Vec2::ZERO, memory: memories[agent] };
            }
            let heeds = if manner.manners.any() {
                f32::INFINITY
            } else {
                body.radius + widest + manner.model.heeds(max_speeds[agent])
            };
            let mut near = neighbours_of(grid, bodies, manner, slot, heeds, nearest, neighbours);
            if let Some(ground) = ground.filter(|_| manner.model.looks()) {
                near = keep_seen(ground, point, &mut neighbours[..near]);
            }
            let mut walls = [Vec2::ZERO; MAX_WALLS];
            let reach =
                manner.model.wall_reach(max_speeds[agent], body.radius).max(manner.manners.wall_reach());
            let reach = body.radius + reach;
            let wall_count = ground.map_or(0, |ground| walls_around(ground, point, reach, &mut walls));
            let mut wall_ends = [[Vec2::ZERO; 2]; MAX_WALLS];
            let whole = match ground {
                Some(ground) if wall_count > 0 && manner.model.sees_whole_walls() => {
                    wall_ends_around(ground, point, reach, &mut wall_ends)
                }
                _ => 0,
            };
            let (neighbours, walls) = (&neighbours[..near], &walls[..wall_count]);
            let among = Among { velocity: body.velocity, radius: body.radius, neighbours, walls };
            let (wish, memory) = (preferred[agent], memories[agent]);
            let preferred = manner.manners.temper(wish, &among);
            let squeezed = manner.manners.squeezed(memory.squeezed, preferred, wish, &among, seconds);
            manner.model.choose(&View {
                velocity: body.velocity,
                preferred,
                aim: aims.get(agent).copied().flatten().map(|aim| Aim { at: aim.at - point, ..aim }),
                radius: body.radius,
                max_speed: max_speeds[agent],
                memory: Memory { squeezed, ..memory },
                neighbours,
                walls,
                wall_ends: &wall_ends[..whole],
                seconds,
                random: Random::new(seed, agent as u32, frame, Purpose::STEERING),
            })
        };
        choices.par_chunks_mut(JOB).enumerate().for_each(|(job, choices)| {
            let mut nearest = Nearest::default();
            let mut neighbours = [Neighbour::default(); Nearest::CAPACITY];
            for (index, choice) in choices.iter_mut().enumerate() {
                let slot = job * JOB + index;
                if (agents[slot] as usize) < count {
                    *choice = decide(slot, &mut nearest, &mut neighbours);
                }
            }
        });
        self.choices = choices;
    }

    /// Moves everybody, parts those who touch, and keeps all off the walls.
    fn advance(&mut self, surroundings: Surroundings, seconds: f32) {
        let count = self.positions.len();
        let agents = self.grid.agents();
        let places = self.grid.sorted_positions();
        self.moved.resize(agents.len(), Vec2::ZERO);
        self.settled.resize(agents.len(), Vec2::ZERO);
        let (choices, bodies) = (&self.choices, &self.bodies);
        self.moved.par_iter_mut().enumerate().with_min_len(4096).for_each(|(slot, moved)| {
            let own = (agents[slot] as usize) < count;
            let velocity = if own { choices[slot].velocity } else { bodies[slot].velocity };
            *moved = places[slot] + velocity * seconds;
        });
        let fastest = self.max_speeds.iter().copied().fold(0.0, f32::max);
        let widest = bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
        let reach = 2.0 * (widest + fastest * seconds);
        let (moved, radii) = (&self.moved, &self.radii);
        self.settled.par_iter_mut().enumerate().with_min_len(JOB).for_each(|(slot, settled)| {
            *settled = moved[slot];
            let agent = agents[slot] as usize;
            if agent < count {
                let parted = match surroundings.touching {
                    true => moved[slot],
                    false => moved[slot] + contact::parting(&self.grid, bodies, moved, slot, reach),
                };
                *settled = match surroundings.ground {
                    Some(ground) => contact::keep_off_walls(ground, places[slot], parted, radii[agent]),
                    None => parted,
                };
            }
        });
        for (slot, &agent) in agents.iter().enumerate().filter(|(_, agent)| (**agent as usize) < count) {
            let agent = agent as usize;
            self.positions[agent] = self.settled[slot];
            self.velocities[agent] = self.choices[slot].velocity;
            self.memories[agent] = self.choices[slot].memory;
        }
    }

    /// Pairs of agents whose discs overlap by more than `share` of the sum of their radii, and the depth of the
    /// deepest overlap in metres.
    pub fn overlaps(&self, share: f32) -> (usize, f32) {
        let (mut pairs, mut deepest) = (0, 0.0f32);
        self.for_each_overlap(|depth, sum| {
            if depth > share * sum {
                pairs += 1;
                deepest = deepest.max(depth);
            }
        });
        (pairs, deepest)
    }

    /// The depth of every overlap of two agents' discs now, in metres, from the shallowest to the deepest.
    pub fn overlap_depths(&self) -> Vec<f32> {
        let mut depths = Vec::new();
        self.for_each_overlap(|depth, _| depths.push(depth));
        depths.sort_by(f32::total_cmp);
        depths
    }

    /// Tells depth and sum of radii of every pair that overlaps, in metres.
    fn for_each_overlap(&self, mut tell: impl FnMut(f32, f32)) {
        let widest = self.radii.iter().copied().fold(0.0, f32::max);
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&self.positions, (2.0 * widest).max(0.1));
        for (agent, &position) in self.positions.iter().enumerate() {
            grid.for_each_within(position, self.radii[agent] + widest, |other, _, squared| {
                let sum = self.radii[agent] + self.radii[other as usize];
                let depth = sum - squared.sqrt();
                if (other as usize) < agent && depth > 0.0 {
                    tell(depth, sum);
                }
            });
        }
    }
}

/// Finds the others that the one in a slot of the grid heeds, nearest first and none farther than `heeds` metres, and returns
/// how many.
#[inline]
pub(super) fn neighbours_of(
    grid: &NeighbourGrid,
    bodies: &[Body],
    manner: &Manner,
    slot: usize,
    heeds: f32,
    nearest: &mut Nearest,
    neighbours: &mut [Neighbour],
) -> usize {
    let places = grid.sorted_positions();
    let (point, most) = (places[slot], usize::from(manner.max_neighbours));
    grid.nearest(point, manner.neighbour_distance.min(heeds), most, slot as u32, nearest);
    let mut near = 0;
    for (other, distance_squared) in nearest.iter() {
        let Body { velocity, intent, radius, panic, role, .. } = bodies[other];
        let offset = places[other] - point;
        neighbours[near] = Neighbour { offset, velocity, intent, radius, distance_squared, panic, role };
        near += 1;
    }
    near
}

/// Moves the neighbours whom no wall hides to the front, in their order, and returns how many they are.
fn keep_seen(ground: &Ground, point: Vec2, neighbours: &mut [Neighbour]) -> usize {
    let Some(farthest) = neighbours.last() else { return 0 };
    // No wall is nearer than the farthest: nothing hides anybody.
    if ground.is_free(point, farthest.distance_squared.sqrt()) {
        return neighbours.len();
    }
    let mut seen = 0;
    for place in 0..neighbours.len() {
        if ground.straight_is_free(point, point + neighbours[place].offset, 0.0) {
            neighbours[seen] = neighbours[place];
            seen += 1;
        }
    }
    seen
}

/// Writes the offsets of the nearest points of the walls within `reach` metres, and returns how many.
pub(super) fn walls_around(ground: &Ground, point: Vec2, reach: f32, walls: &mut [Vec2; MAX_WALLS]) -> usize {
    if ground.is_free(point, reach) {
        return 0;
    }
    let mut count = 0;
    ground.walls().for_each_within(point, reach, |_, nearest| {
        let offset = nearest - point;
        // Two walls that meet at a corner agree in it to the bit.
        if count < MAX_WALLS && !walls[..count].contains(&offset) {
            walls[count] = offset;
            count += 1;
        }
    });
    count
}

/// Writes the offsets of both ends of the walls within `reach` metres, and returns how many.
pub fn wall_ends_around(
    ground: &Ground,
    point: Vec2,
    reach: f32,
    ends: &mut [[Vec2; 2]; MAX_WALLS],
) -> usize {
    let mut count = 0;
    ground.walls().for_each_within(point, reach, |wall, _| {
        if count < MAX_WALLS {
            let wall = &ground.walls().all()[wall as usize];
            ends[count] = [wall.start - point, wall.end - point];
            count += 1;
        }
    });
    count
}
