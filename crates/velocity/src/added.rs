//! Velocity models that a program adds: each is asked once a step, for all of its people at once.

use super::crowd::{VelocityCrowd, neighbours_of, walls_around};
use super::manners::Among;
use super::orca::MAX_WALLS;
use super::{Decided, Manners, Memory, Model, Neighbour, Role, Surroundings, clamp_speed};
use crowdloom_base::grid::Nearest;
use crowdloom_base::random::{Purpose, Random};
use glam::Vec2;
use rayon::prelude::*;

/// A velocity model of one's own.
///
/// It answers for all of its people at once from a frozen state. Bodies stay solid, walls stay closed and promises of
/// others are kept whatever it answers. It keeps nothing between two steps but each person's [`Memory`], which is saved
/// with the crowd: then a run that is put away and gone on with is the same as one that never stopped.
pub trait VelocityModel: Send + Sync {
    /// Gives everybody in the batch the next velocity, in metres a second; at first each has the one that it prefers. What
    /// is faster than a person can be is slowed down, and what is no number stands.
    fn choose(&self, batch: &Batch<'_>, velocities: &mut [Vec2], memories: &mut [Memory]);

    /// How far its people see others, in metres.
    fn neighbour_distance(&self) -> f32 {
        5.0
    }

    /// How many others its people heed, the nearest first; at most 32.
    fn max_neighbours(&self) -> u8 {
        10
    }

    /// How far walls matter to its people, in metres from their edge.
    fn wall_reach(&self) -> f32 {
        1.0
    }

    /// How its people treat others before the model is asked, where their scene does not say.
    fn manners(&self) -> Manners {
        Manners::solid()
    }
}

/// The people of one model in one step; the same place in every list is the same person.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// The length of the step in seconds.
    pub seconds: f32,
    /// Where they are, in metres.
    pub positions: &'a [Vec2],
    /// How they move, in metres a second.
    pub velocities: &'a [Vec2],
    /// How they would like to move, in metres a second.
    pub preferred: &'a [Vec2],
    /// The radii of their discs in metres.
    pub radii: &'a [f32],
    /// The highest speeds that they ever take, in metres a second.
    pub max_speeds: &'a [f32],
    /// Where the neighbours of each begin in [`Self::neighbours`], and in the end how many there are.
    pub neighbour_offsets: &'a [u32],
    /// Everybody's neighbours one after the other, each person's nearest first, by their places in [`Self::others`].
    pub neighbours: &'a [u32],
    /// Everybody who can be a neighbour, whatever moves them.
    pub others: Others<'a>,
    /// Where the walls of each begin in [`Self::walls`], and in the end how many there are.
    pub wall_offsets: &'a [u32],
    /// From each person to the nearest point of every wall in reach, in metres.
    pub walls: &'a [Vec2],
    numbers: &'a [u32],
    seed: u64,
    frame: u32,
}

/// Everybody on the ground, in no order that means anything; the same place in every list is the same person.
#[derive(Clone, Copy)]
pub struct Others<'a> {
    /// Where they are, in metres.
    pub positions: &'a [Vec2],
    /// How they move, in metres a second.
    pub velocities: &'a [Vec2],
    /// How they would like to move, in metres a second.
    pub intents: &'a [Vec2],
    /// The radii of their discs in metres.
    pub radii: &'a [f32],
    /// How they take part in avoidance.
    pub roles: &'a [Role],
}

impl<'a> Batch<'a> {
    /// How many people there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// A person's neighbours, nearest first, by their places in [`Self::others`].
    pub fn neighbours_of(&self, person: usize) -> &'a [u32] {
        &self.neighbours[self.neighbour_offsets[person] as usize..self.neighbour_offsets[person + 1] as usize]
    }

    /// From a person to the nearest point of every wall in reach, in metres.
    pub fn walls_of(&self, person: usize) -> &'a [Vec2] {
        &self.walls[self.wall_offsets[person] as usize..self.wall_offsets[person + 1] as usize]
    }

    /// A person's random numbers in this step, the same on any number of threads.
    pub fn random(&self, person: usize) -> Random {
        Random::new(self.seed, self.numbers[person], self.frame, Purpose::STEERING)
    }
}

/// Lists that every step needs, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Asking {
    /// The people of a model: their numbers, and their slots in the grid.
    numbers: Vec<u32>,
    slots: Vec<u32>,
    seen: Vec<Seen>,
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
    preferred: Vec<Vec2>,
    radii: Vec<f32>,
    max_speeds: Vec<f32>,
    neighbour_offsets: Vec<u32>,
    neighbours: Vec<u32>,
    wall_offsets: Vec<u32>,
    walls: Vec<Vec2>,
    /// Everybody, by slot.
    other_velocities: Vec<Vec2>,
    other_intents: Vec<Vec2>,
    other_radii: Vec<f32>,
    other_roles: Vec<Role>,
    answers: Vec<Vec2>,
    memories: Vec<Memory>,
}

/// What somebody sees.
#[derive(Clone, Copy, Debug)]
struct Seen {
    preferred: Vec2,
    neighbours: [u32; Nearest::CAPACITY],
    neighbour_count: u8,
    walls: [Vec2; MAX_WALLS],
    wall_count: u8,
}

impl VelocityCrowd {
    /// Asks the models that a program has added, each for all of its people.
    pub(super) fn ask_added(&mut self, surroundings: &Surroundings<'_>, seconds: f32) {
        if !self.manners.iter().any(|manner| matches!(manner.model, Model::Added(_))) {
            return;
        }
        let mut asking = self.asking.take().unwrap_or_default();
        asking.take_in_others(self);
        for (number, model) in surroundings.models.iter().enumerate() {
            asking.take_in_people(self, number as u16);
            if !asking.numbers.is_empty() {
                asking.look(self, surroundings, model.wall_reach());
                asking.ask(self, &**model, seconds);
            }
        }
        self.asking = Some(asking);
    }
}

impl Asking {
    fn take_in_others(&mut self, crowd: &VelocityCrowd) {
        let bodies = &crowd.bodies;
        refill(&mut self.other_velocities, bodies.iter().map(|body| body.velocity));
        refill(&mut self.other_intents, bodies.iter().map(|body| body.intent));
        refill(&mut self.other_radii, bodies.iter().map(|body| body.radius));
        refill(&mut self.other_roles, bodies.iter().map(|body| body.role));
    }

    /// Lists the people of a model by their numbers.
    fn take_in_people(&mut self, crowd: &VelocityCrowd, model: u16) {
        let count = crowd.positions.len();
        let is_theirs = |agent: u32| {
            (agent as usize) < count && {
                let manner = crowd.manner_of[agent as usize] as usize;
                crowd.manners[manner].model == Model::Added(model)
            }
        };
        let agents = crowd.grid.agents();
        refill(&mut self.slots, (0..agents.len() as u32).filter(|slot| is_theirs(agents[*slot as usize])));
        self.slots.sort_unstable_by_key(|slot| agents[*slot as usize]);
        refill(&mut self.numbers, self.slots.iter().map(|slot| agents[*slot as usize]));
        let numbers = &self.numbers;
        refill(&mut self.positions, numbers.iter().map(|agent| crowd.positions[*agent as usize]));
        refill(&mut self.velocities, numbers.iter().map(|agent| crowd.velocities[*agent as usize]));
        refill(&mut self.radii, numbers.iter().map(|agent| crowd.radii[*agent as usize]));
        refill(&mut self.max_speeds, numbers.iter().map(|agent| crowd.max_speeds[*agent as usize]));
        refill(&mut self.memories, numbers.iter().map(|agent| crowd.memories[*agent as usize]));
    }

    /// Finds everybody's neighbours and walls.
    fn look(&mut self, crowd: &VelocityCrowd, surroundings: &Surroundings<'_>, wall_reach: f32) {
        let look = |slot: &u32| {
            let slot = *slot as usize;
            let agent = crowd.grid.agents()[slot] as usize;
            let manner = &crowd.manners[crowd.manner_of[agent] as usize];
            let (mut nearest, mut near) = (Nearest::default(), [Neighbour::default(); Nearest::CAPACITY]);
            let count = neighbours_of(
                &crowd.grid,
                &crowd.bodies,
                manner,
                slot,
                f32::INFINITY,
                &mut nearest,
                &mut near,
            );
            let radius = crowd.radii[agent];
            let mut seen = Seen {
                preferred: crowd.preferred[agent],
                neighbours: [0; Nearest::CAPACITY],
                neighbour_count: count as u8,
                walls: [Vec2::ZERO; MAX_WALLS],
                wall_count: 0,
            };
            for (place, (other, _)) in seen.neighbours.iter_mut().zip(nearest.iter()) {
                *place = other as u32;
            }
            if let Some(ground) = surroundings.ground {
                let reach = radius + wall_reach;
                seen.wall_count = walls_around(ground, crowd.positions[agent], reach, &mut seen.walls) as u8;
            }
            let among = Among {
                velocity: crowd.velocities[agent],
                radius,
                neighbours: &near[..count],
                walls: &seen.walls[..usize::from(seen.wall_count)],
            };
            seen.preferred = manner.manners.temper(seen.preferred, &among);
            seen
        };
        self.slots.par_iter().with_min_len(64).map(look).collect_into_vec(&mut self.seen);
        refill(&mut self.preferred, self.seen.iter().map(|seen| seen.preferred));
        let seen = &self.seen;
        run_together(
            seen.iter().map(|seen| &seen.neighbours[..usize::from(seen.neighbour_count)]),
            &mut self.neighbour_offsets,
            &mut self.neighbours,
        );
        run_together(
            seen.iter().map(|seen| &seen.walls[..usize::from(seen.wall_count)]),
            &mut self.wall_offsets,
            &mut self.walls,
        );
    }

    /// Asks a model and writes down what it answers.
    fn ask(&mut self, crowd: &mut VelocityCrowd, model: &dyn VelocityModel, seconds: f32) {
        refill(&mut self.answers, self.preferred.iter().copied());
        let batch = Batch {
            seconds,
            positions: &self.positions,
            velocities: &self.velocities,
            preferred: &self.preferred,
            radii: &self.radii,
            max_speeds: &self.max_speeds,
            neighbour_offsets: &self.neighbour_offsets,
            neighbours: &self.neighbours,
            others: Others {
                positions: crowd.grid.sorted_positions(),
                velocities: &self.other_velocities,
                intents: &self.other_intents,
                radii: &self.other_radii,
                roles: &self.other_roles,
            },
            wall_offsets: &self.wall_offsets,
            walls: &self.walls,
            numbers: &self.numbers,
            seed: crowd.seed,
            frame: crowd.frame,
        };
        model.choose(&batch, &mut self.answers, &mut self.memories);
        for (person, slot) in self.slots.iter().enumerate() {
            let answer = self.answers[person];
            let velocity = if answer.is_finite() { answer } else { Vec2::ZERO };
            let velocity = clamp_speed(velocity, self.max_speeds[person]);
            crowd.choices[*slot as usize] = Decided { velocity, memory: self.memories[person] };
        }
    }
}

fn refill<T>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    list.clear();
    list.extend(items);
}

/// Writes lists one after the other, and where each begins.
fn run_together<'a, T: Copy + 'a>(
    lists: impl Iterator<Item = &'a [T]>,
    offsets: &mut Vec<u32>,
    together: &mut Vec<T>,
) {
    offsets.clear();
    together.clear();
    offsets.push(0);
    for list in lists {
        together.extend_from_slice(list);
        offsets.push(together.len() as u32);
    }
}
