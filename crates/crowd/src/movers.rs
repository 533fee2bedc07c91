//! Velocity agents among clip agents, none of them ever in another kind's way.
//!
//! Clip agents promise where they will be; velocity agents promise only that they can stand. At every moment no clip
//! agent has promised to come, from now on, to a place where a velocity agent is. Clip agents promise nothing that leads
//! there; a velocity agent makes no step to where somebody has promised to come. Keeping the old promise and keeping the
//! place are always allowed, so the two kinds never overlap, whatever the model and however dense the crowd.

use crate::crowd::Crowd;
use crate::grid::NeighbourGrid;
use crate::mind::Mind;
use crate::random::{Purpose, Random};
use crate::save::ResumeError;
use crate::situation::Influence;
use crate::velocity::{Model, MovingDisc, Surroundings, VelocityCrowd, Walker};
use crate::wayfinding::Wayfinding;
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_TIME, Placement};
use crowdloom_world::{Ground, Stream};
use glam::Vec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Velocity agents that share the ground, the scenario and the clock of a crowd of clip agents.
#[derive(Default)]
pub struct Movers {
    crowd: VelocityCrowd,
    ids: Vec<u32>,
    minds: Vec<Mind>,
    headings: Vec<f32>,
    walked: Vec<f32>,
    before: Vec<Vec2>,
    discs: Vec<MovingDisc>,
    grid: NeighbourGrid,
}

/// All of movers that changes while they run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedMovers {
    crowd: VelocityCrowd,
    ids: Vec<u32>,
    minds: Vec<Mind>,
    headings: Vec<f32>,
    walked: Vec<f32>,
}

/// Frames after which everybody thinks anew about where it goes.
const THINKS: u32 = 10;
/// Slower than this, in metres a second, a body keeps the way it faces.
const STANDS: f32 = 0.15;
/// The share of a new direction that a body turns to in a frame.
const TURNS: f32 = 0.2;
/// Who must not step where its model sends it tries these turns of the step, in radians, before it stands.
const DETOURS: [f32; 4] = [0.8, -0.8, 1.6, -1.6];
/// Tries for each who looks for a place to appear.
const TRIES: usize = 30;
/// The side of a cell of the grid of promises, in metres.
const CELL: f32 = 3.0;

/// What clip agents, planned people and vehicles have promised.
struct Promises<'a> {
    clips: &'a Crowd,
    grid: &'a NeighbourGrid,
    widest: f32,
}

impl<'a> Promises<'a> {
    fn new(clips: &'a Crowd, grid: &'a mut NeighbourGrid) -> Self {
        let centres: Vec<Vec2> = clips.bounds.iter().map(|bounds| bounds.centre).collect();
        grid.rebuild(&centres, CELL);
        Self { clips, grid, widest: clips.bounds.iter().map(|bounds| bounds.radius).fold(0.0, f32::max) }
    }

    /// Whether nobody has promised to come to `disc`.
    fn spare(&self, disc: Disc) -> bool {
        let Self { clips, grid, widest } = self;
        let (frame, book) = (clips.frame, &*clips.setting.book);
        let mut spared = !clips.directed().iter().any(|(_, motion)| motion.comes_to(disc, frame))
            && !clips.shared.vehicles.iter().any(|vehicle| vehicle.state.under_way && vehicle.claims(disc));
        grid.for_each_within(disc.centre, widest + disc.radius, |agent, _, _| {
            spared = spared && !clips.commitments[agent as usize].comes_to(disc, frame, book);
        });
        spared
    }
}

impl Movers {
    /// Nobody yet; everything random follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { crowd: VelocityCrowd::new(seed), ..Self::default() }
    }

    /// The velocity agents.
    pub fn crowd(&self) -> &VelocityCrowd {
        &self.crowd
    }

    /// The number of an agent, which no agent of the clip crowd has.
    pub fn id(&self, agent: usize) -> u32 {
        self.ids[agent]
    }

    /// What an agent remembers.
    pub fn mind(&self, agent: usize) -> &Mind {
        &self.minds[agent]
    }

    /// Where an agent is and which way it faces.
    pub fn placement(&self, agent: usize) -> Placement {
        Placement { position: self.crowd.positions()[agent], heading: self.headings[agent] }
    }

    /// How far an agent has walked altogether, in metres.
    pub fn walked(&self, agent: usize) -> f32 {
        self.walked[agent]
    }

    /// Everything that is needed to go on from this frame.
    pub fn save(&self) -> SavedMovers {
        let Self { crowd, ids, minds, headings, walked, .. } = self;
        SavedMovers {
            crowd: crowd.clone(),
            ids: ids.clone(),
            minds: minds.clone(),
            headings: headings.clone(),
            walked: walked.clone(),
        }
    }

    /// Goes back, or ahead, to a saved frame; the clip agents must have done so before.
    pub fn resume(&mut self, saved: SavedMovers, clips: &mut Crowd) -> Result<(), ResumeError> {
        let SavedMovers { crowd, ids, minds, headings, walked } = saved;
        let counts = [ids.len(), minds.len(), headings.len(), walked.len()];
        // Who is moved by a velocity is a member of nothing and rides in nothing.
        let stops = clips.shared.scenario.stops.len();
        let fits = |mind: &Mind| mind.visits.is_empty() && mind.ride.is_none() && mind.knows_its_stops(stops);
        if counts.iter().any(|count| *count != crowd.len())
            || !crowd.is_whole()
            || !headings.iter().chain(&walked).all(|number| number.is_finite())
            || !minds.iter().all(fits)
        {
            return Err(ResumeError::OtherScene { what: "its people with a mover" });
        }
        *self = Self { crowd, ids, minds, headings, walked, ..Self::default() };
        self.tell(clips);
        Ok(())
    }

    /// Pairs of a clip agent and a velocity agent that overlap now. Always zero: this is what tests check.
    pub fn overlaps(&self, clips: &Crowd) -> usize {
        let radius = clips.setting.book.options().radius;
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&clips.positions, 2.0 * radius);
        let mut pairs = 0;
        for (&place, own) in self.crowd.positions().iter().zip(self.crowd.radii()) {
            let sum = own + radius;
            grid.for_each_within(place, sum, |_, _, squared| pairs += usize::from(squared < sum * sum));
        }
        pairs
    }

    /// Adds an agent if its place is free and nobody has promised to come there; returns its number in this crowd.
    pub fn add(&mut self, clips: &mut Crowd, walker: Walker, mind: Mind, heading: f32) -> Option<usize> {
        let Walker { position, radius, .. } = walker;
        let places = self.crowd.positions().iter().zip(self.crowd.radii());
        let mut apart = places.map(|(other, other_radius)| (other.distance(position), radius + other_radius));
        let free = clips.setting.ground.is_free(position, radius) && apart.all(|(far, near)| far >= near);
        if !free || !Promises::new(clips, &mut self.grid).spare(Disc::new(position, radius)) {
            return None;
        }
        self.ids.push(clips.next_id);
        clips.next_id += 1;
        self.minds.push(mind);
        self.headings.push(heading);
        self.walked.push(0.0);
        let agent = self.crowd.add(walker);
        self.tell(clips);
        Some(agent)
    }

    /// Adds up to `count` agents of a model at random free places of the ground (or of a region, by its index); returns
    /// how many found a place.
    pub fn scatter(
        &mut self,
        clips: &mut Crowd,
        (count, region): (usize, Option<usize>),
        model: Model,
        mut mind: impl FnMut(&mut Random) -> Mind,
    ) -> usize {
        let ground = clips.setting.ground.clone();
        let region = region.and_then(|index| ground.regions().get(index));
        let seed = clips.setting.seed;
        let mut stream = Stream::new(seed, 0x30fe_0000 + u64::from(clips.next_id));
        let mut placed = 0;
        for _ in 0..count {
            let mut random = Random::new(seed, clips.next_id, clips.frame, Purpose::BIRTH);
            let heading = random.between(-std::f32::consts::PI, std::f32::consts::PI);
            let mind = mind(&mut random);
            let clearance = Walker::new(Vec2::ZERO, model).radius + 0.08;
            for _ in 0..TRIES {
                let Some(point) = ground.random_point(region, clearance, &mut stream) else { break };
                if self.add(clips, Walker::new(point, model), mind.clone(), heading).is_some() {
                    placed += 1;
                    break;
                }
            }
        }
        placed
    }

    /// Advances both kinds by one frame.
    pub fn step(&mut self, clips: &mut Crowd) {
        clips.step();
        if self.crowd.is_empty() {
            return;
        }
        self.think(clips);
        self.before.clear();
        self.before.extend_from_slice(self.crowd.positions());
        let minds = &self.minds;
        self.crowd.prefer(|agent, position| {
            let mind = &minds[agent];
            mind.target().map_or(Vec2::ZERO, |to| (to - position).clamp_length_max(1.0) * mind.speed)
        });
        self.discs.clear();
        let (frame, book) = (clips.frame, &*clips.setting.book);
        self.discs.extend(clips.commitments.iter().map(|own| MovingDisc::of_commitment(own, book, frame)));
        let ground = clips.setting.ground.clone();
        self.crowd.step(Surroundings { ground: Some(&ground), discs: &self.discs }, FRAME_TIME);
        self.keep_promises(clips, &ground);
        let bodies = self.headings.iter_mut().zip(&mut self.walked);
        for ((heading, walked), velocity) in bodies.zip(self.crowd.velocities()) {
            *walked += velocity.length() * FRAME_TIME;
            if velocity.length() > STANDS {
                let turn = libm::atan2f(velocity.y, velocity.x) - *heading;
                *heading =
                    crowdloom_motion::wrap_angle(*heading + TURNS * crowdloom_motion::wrap_angle(turn));
            }
        }
        self.tell(clips);
    }

    /// Lets those whose time has come settle where they go; who leaves is gone.
    fn think(&mut self, clips: &Crowd) {
        let wayfinding = Wayfinding { setting: &clips.setting, shared: &clips.shared, frame: clips.frame };
        let agents = self.minds.par_iter_mut().zip(&self.ids).zip(self.crowd.positions());
        let leaves = |((mind, &id), &position): ((&mut Mind, &u32), &Vec2)| {
            let mut random = Random::new(clips.setting.seed, id, clips.frame, Purpose::DECISION);
            (clips.frame + id).is_multiple_of(THINKS)
                && wayfinding.plan(position, mind, &Influence::default(), &mut random)
        };
        let leaves: Vec<bool> = agents.map(leaves).collect();
        for agent in (0..leaves.len()).rev().filter(|agent| leaves[*agent]) {
            self.crowd.swap_remove(agent);
            self.ids.swap_remove(agent);
            self.minds.swap_remove(agent);
            self.headings.swap_remove(agent);
            self.walked.swap_remove(agent);
        }
    }

    /// Takes back steps to where somebody has promised to come.
    fn keep_promises(&mut self, clips: &Crowd, ground: &Ground) {
        let promises = Promises::new(clips, &mut self.grid);
        let (positions, radii, before) = (self.crowd.positions(), self.crowd.radii(), &self.before);
        let settle = |agent: usize| {
            let (from, to, radius) = (before[agent], positions[agent], radii[agent]);
            if promises.spare(Disc::new(to, radius)) {
                return None;
            }
            let detours = DETOURS.iter().map(|turn| from + rotated(to - from, *turn));
            let may =
                |place: &Vec2| ground.is_free(*place, radius) && promises.spare(Disc::new(*place, radius));
            Some(detours.into_iter().find(may).unwrap_or(from))
        };
        let settled: Vec<Option<Vec2>> = (0..positions.len()).into_par_iter().map(settle).collect();
        for (agent, place) in settled.into_iter().enumerate() {
            if let Some(place) = place {
                self.crowd.divert(agent, before[agent], place, FRAME_TIME);
            }
        }
    }

    /// Tells the clip agents where everybody is.
    fn tell(&self, clips: &mut Crowd) {
        let discs = self.crowd.positions().iter().zip(self.crowd.radii());
        clips.bystanders.replace(discs.map(|(&centre, &radius)| Disc::new(centre, radius)));
    }
}

fn rotated(step: Vec2, angle: f32) -> Vec2 {
    let (sine, cosine) = libm::sincosf(angle);
    Vec2::new(cosine, sine).rotate(step)
}
