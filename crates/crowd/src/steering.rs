//! People who are steered by velocity models, in one crowd with everybody else.
//!
//! Those who follow clips promise where they will be; who is steered promises only that it can stand where it is. At every
//! moment nobody else has promised to come, from now on, to where a steered person is: clips promise nothing that leads
//! there, and a steered person makes no step to where somebody has promised to come. Keeping the old promise and keeping
//! the place are always allowed, so the two kinds never overlap, whatever the model and however dense the crowd.

use crate::commitment::{Commitment, SKIN};
use crate::crowd::Crowd;
use crate::ledger::{Binding, Now};
use crate::mind::Mind;
use crate::person::{Errand, Profile};
use crate::situation::RegionSet;
use crate::velocity::{Aim, Memory, Model, MovingDisc, Surroundings, VelocityCrowd, Walker};
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_TIME, Placement, wrap_angle};
use crowdloom_world::Ground;
use glam::Vec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How people are steered: a velocity model and its manners, shared by all who have them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// The model, its manners and what it heeds; position, radius and greatest speed are each person's own.
    pub walker: Walker,
    /// Panic at first, from 0 to 1.
    pub panic: f32,
}

impl Steering {
    /// A model with its usual manners.
    pub fn new(model: Model) -> Self {
        Self { walker: Walker::new(Vec2::ZERO, model), panic: 0.0 }
    }

    /// The same for a person.
    pub(crate) fn walker_of(&self, profile: &Profile) -> Walker {
        Walker { radius: profile.radius, max_speed: profile.top_speed, ..self.walker }
    }
}

/// What somebody who is steered wants until it thinks again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Course {
    /// Metres a second; zero stays.
    pub(crate) speed: f32,
    /// Where to go instead of along the way to the goal, in metres.
    pub(crate) towards: Option<Vec2>,
    /// Regions that must not be left.
    pub(crate) stay_in: RegionSet,
    /// Regions that must not be entered.
    pub(crate) keep_out: RegionSet,
}

/// The steered people of a crowd.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Steered {
    pub(crate) crowd: VelocityCrowd,
    /// Numbers of the people, ascending.
    pub(crate) ids: Vec<u32>,
    pub(crate) headings: Vec<f32>,
    pub(crate) courses: Vec<Course>,
    #[serde(skip)]
    before: Vec<Vec2>,
    #[serde(skip)]
    discs: Vec<MovingDisc>,
    /// The index of each in the crowd.
    #[serde(skip)]
    pub(crate) people: Vec<u32>,
}

/// Frames after which somebody who is steered thinks anew about where it goes.
pub(crate) const THINKS: u32 = 10;
/// Slower than this, in metres a second, a body keeps the way it faces.
const STANDS: f32 = 0.15;
/// The share of a new direction that a body turns to in a frame.
const TURNS: f32 = 0.2;
/// Who must not step where its model sends it tries these turns of the step, in radians, before it stands.
const DETOURS: [f32; 4] = [0.8, -0.8, 1.6, -1.6];
/// Who walks within this distance of where it is heading, in metres, thinks at once: it would be past it otherwise.
const THINKS_NEAR: f32 = 0.6;
/// How strongly somebody is drawn back to between the distances at which it goes round, for each metre off.
const PULL: f32 = 0.3;
/// Nearer to its goal than this, in metres, one slows down …
const ARRIVING: f32 = 1.0;
/// … and so near to a place on the way through a region, where one has arrived at its border, or to one that one goes past.
const PASSING: f32 = 0.2;

impl Steered {
    pub(crate) fn new(seed: u64) -> Self {
        Self { crowd: VelocityCrowd::new(seed), ..Self::default() }
    }

    /// Where somebody is among the steered, by its number.
    pub(crate) fn slot(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Takes somebody in who moves at `velocity` metres a second.
    pub(crate) fn insert(
        &mut self,
        id: u32,
        walker: Walker,
        panic: f32,
        at: Placement,
        velocity: Vec2,
        speed: f32,
    ) {
        let Err(slot) = self.ids.binary_search(&id) else { return };
        self.ids.insert(slot, id);
        self.headings.insert(slot, at.heading);
        self.courses.insert(slot, Course { speed, ..Course::default() });
        self.crowd.insert(slot, Walker { position: at.position, ..walker }, velocity);
        self.crowd.memories_mut()[slot] = Memory { panic, heading: at.heading, ..Memory::default() };
    }

    /// Lets somebody go.
    pub(crate) fn remove(&mut self, id: u32) {
        let Ok(slot) = self.ids.binary_search(&id) else { return };
        self.ids.remove(slot);
        self.headings.remove(slot);
        self.courses.remove(slot);
        self.crowd.remove(slot);
    }

    /// Whether what was read is whole.
    pub(crate) fn is_whole(&self) -> bool {
        let count = self.crowd.len();
        [self.ids.len(), self.headings.len(), self.courses.len()].iter().all(|own| *own == count)
            && self.crowd.is_whole()
            && self.ids.is_sorted_by(|a, b| a < b)
            && self.headings.iter().all(|heading| heading.is_finite())
            && self.courses.iter().all(|course| course.speed.is_finite())
    }
}

impl Crowd {
    /// Moves all who are steered by a frame.
    pub(crate) fn steer(&mut self) {
        if self.steered.ids.is_empty() {
            return;
        }
        let mut steered = std::mem::take(&mut self.steered);
        steered.people.clear();
        let mut index = 0;
        for id in &steered.ids {
            index += self.ids[index..].partition_point(|own| own < id);
            steered.people.push(index as u32);
        }
        self.let_choose(&mut steered);
        self.take_back_steps(&mut steered);
        self.follow(&mut steered);
        self.steered = steered;
    }

    /// Lets the models move everybody.
    fn let_choose(&self, steered: &mut Steered) {
        let reactions = self.reactions(steered);
        let Steered { crowd, before, people, courses, discs, ids, .. } = steered;
        let at_ease = |slot: usize| self.bodies.as_ref()?.at_ease(ids[slot], courses[slot].speed);
        // Those of a flock go as fast as the others do, whatever they would like.
        crowd.limit_speeds(|slot, model| {
            let top_speed = self.profiles[people[slot] as usize].top_speed;
            matches!(model, Model::Boids(_))
                .then(|| at_ease(slot).map_or(top_speed, |fastest| fastest.min(top_speed)))
        });
        before.clear();
        before.extend_from_slice(crowd.positions());
        let minds = &self.minds;
        crowd.prefer(|slot, position| match reactions.get(slot) {
            Some(Some(velocity)) => *velocity,
            _ => {
                let (mind, course) = (&minds[people[slot] as usize], &courses[slot]);
                let fastest = at_ease(slot).unwrap_or(f32::INFINITY);
                preferred(mind, course, course.speed.min(fastest), position)
            }
        });
        crowd.aim(|slot, position| aim(&minds[people[slot] as usize], &courses[slot], position));
        let (frame, book, ledger) = (self.frame, &*self.setting.book, &self.ledger);
        discs.clear();
        let others = ledger.promises.iter().zip(&ledger.bindings);
        let others = others.filter(|(_, binding)| **binding != Binding::Steered);
        discs.extend(others.map(|(promise, _)| promise.moving_disc(book, frame)));
        let models = self.shared.additions.models.values();
        crowd.step(
            Surroundings { ground: Some(&self.setting.ground), discs, models, touching: false },
            FRAME_TIME,
        );
    }

    /// Takes back steps to where somebody has promised to come, and into or out of regions.
    fn take_back_steps(&mut self, steered: &mut Steered) {
        self.ledger.open();
        let ground = &*self.setting.ground;
        let now = Now { book: &self.setting.book, vehicles: &self.shared.vehicles, frame: self.frame };
        let (ledger, closing) = (&self.ledger, self.terrain.closing());
        let Steered { crowd, before, courses, people, .. } = steered;
        let (positions, radii, minds) = (crowd.positions(), crowd.radii(), &self.minds);
        let settle = |slot: usize| {
            let (from, to, radius) = (before[slot], positions[slot], radii[slot]);
            if let Errand::Stay(_) = minds[people[slot] as usize].errand {
                return Some(from);
            }
            let stays = |place: Vec2| {
                keeps_to_regions(&courses[slot], ground, from, place)
                    && closing.is_none_or(|closing| closing.lets_step(from, place, radius))
            };
            if ledger.spares(Disc::new(to, radius + SKIN), &now) && stays(to) {
                return None;
            }
            let detours = DETOURS.iter().map(|turn| from + rotated(to - from, *turn));
            let may = |place: &Vec2| {
                ground.is_free(*place, radius)
                    && ledger.spares(Disc::new(*place, radius + SKIN), &now)
                    && stays(*place)
            };
            Some(detours.into_iter().find(may).unwrap_or(from))
        };
        let settled: Vec<Option<Vec2>> = (0..positions.len()).into_par_iter().map(settle).collect();
        for (slot, place) in settled.into_iter().enumerate() {
            if let Some(place) = place {
                crowd.divert(slot, before[slot], place, FRAME_TIME);
            }
        }
    }

    /// Turns everybody to where they go and writes down where they are.
    fn follow(&mut self, steered: &mut Steered) {
        let (frame, book) = (self.frame, &self.setting.book);
        let Steered { crowd, headings, people, .. } = steered;
        for (slot, heading) in headings.iter_mut().enumerate() {
            let velocity = crowd.velocities()[slot];
            if let Model::Funnel(_) = crowd.model(slot) {
                *heading = crowd.memories()[slot].heading;
            } else if velocity.length() > STANDS {
                let turn = libm::atan2f(velocity.y, velocity.x) - *heading;
                *heading = wrap_angle(*heading + TURNS * wrap_angle(turn));
            }
            let (index, position) = (people[slot] as usize, crowd.positions()[slot]);
            let node = self.ledger.promises[index].node;
            let placement = Placement { position, heading: *heading };
            let standing = Commitment::standing(placement, frame, node, crowd.radii()[slot]);
            self.ledger.replace(index, standing, book);
            self.positions[index] = position;
            let near = |target: Vec2| target.distance_squared(position) < THINKS_NEAR * THINKS_NEAR;
            let held = self.due[index] == u32::MAX;
            if !held && velocity.length() > STANDS && self.minds[index].target().is_some_and(near) {
                self.due[index] = self.due[index].min(frame + 1);
            }
        }
    }

    /// Pairs of steered people whose discs overlap now by more than `share` of the sum of their radii, and the depth of
    /// the deepest overlap in metres: their models may let them.
    pub fn steered_overlaps(&self, share: f32) -> (usize, f32) {
        self.steered.crowd.overlaps(share)
    }

    /// How a steered person moves now, in metres a second; `None` of one who is not steered.
    pub fn steered_velocity(&self, index: usize) -> Option<Vec2> {
        self.steered.slot(self.ids[index]).map(|slot| self.steered.crowd.velocities()[slot])
    }

    /// Lets a steered person move otherwise from now on, in metres a second; returns how it moved.
    pub(crate) fn set_steered_velocity(&mut self, index: usize, velocity: Vec2) -> Option<Vec2> {
        let slot = self.steered.slot(self.ids[index])?;
        Some(self.steered.crowd.set_velocity(slot, velocity))
    }

    /// Gives a steered person another radius, in metres; returns whether walls and firm promises allow it, `None` of one who
    /// is not steered. Others who are steered may overlap with it until they part.
    pub(crate) fn set_steered_radius(&mut self, index: usize, radius: f32) -> Option<bool> {
        let slot = self.steered.slot(self.ids[index])?;
        let here = self.placement(index);
        let grows = radius > self.profiles[index].radius;
        if grows
            && !(self.ground_to_be().is_free(here.position, radius)
                && self.may_be_steered(index, Disc::new(here.position, radius + SKIN)))
        {
            return Some(false);
        }
        self.profiles[index].radius = radius;
        self.steered.crowd.set_radius(slot, radius);
        let node = self.ledger.promises[index].node;
        self.commit(index, Commitment::standing(here, self.frame, node, radius));
        Some(true)
    }

    /// What lasts of a steered person besides place and velocity, to be changed between two steps: somebody panics.
    pub fn steered_memory_mut(&mut self, index: usize) -> Option<&mut Memory> {
        let slot = self.steered.slot(self.ids[index])?;
        self.steered.crowd.memories_mut().get_mut(slot)
    }
}

/// The velocity that somebody at `position` who goes at `speed` would like to have, in metres a second.
fn preferred(mind: &Mind, course: &Course, speed: f32, position: Vec2) -> Vec2 {
    let target = match mind.errand {
        Errand::Straight(direction) => return direction * speed,
        Errand::Around { centre, between: [least, most] } => {
            let offset = position - centre;
            let distance = offset.length().max(0.1);
            let out = offset / distance;
            let pull = (least - distance).max(0.0) - (distance - most).max(0.0);
            return (out.perp() + out * pull * PULL).normalize_or_zero() * speed;
        }
        _ => course.towards.or(mind.target()),
    };
    let Some(target) = target else { return Vec2::ZERO };
    let arrives = course.towards.is_some() || mind.heads_straight_for_goal();
    let on_the_way = mind.region.is_some() || matches!(mind.errand, Errand::Tour { .. } | Errand::Onward);
    let passes = !mind.diverted && on_the_way;
    let slows = match (arrives, passes && course.towards.is_none()) {
        (true, false) => ARRIVING,
        (true, true) => PASSING,
        (false, _) => 0.01,
    };
    ((target - position) / slows).clamp_length_max(1.0) * speed
}

/// Where somebody who funnels is going: through a way point it goes halfway to where the way leads on.
fn aim(mind: &Mind, course: &Course, position: Vec2) -> Option<Aim> {
    if let Errand::Straight(_) | Errand::Around { .. } = mind.errand {
        return None;
    }
    let at = course.towards.or(mind.target())?;
    let arrives = course.towards.is_some() || mind.heads_straight_for_goal();
    let after = mind.way_points.get(usize::from(mind.next) + 1).filter(|_| !arrives);
    let towards = after.map_or(Vec2::ZERO, |after| {
        let (to, on) = ((at - position).normalize_or_zero(), (*after - at).normalize_or_zero());
        (to + on).normalize_or_zero()
    });
    Some(Aim { at, towards, stays: arrives })
}

/// Whether a step leaves no region that must not be left and enters none that must not be entered; who is outside
/// already may come in any way.
fn keeps_to_regions(course: &Course, ground: &Ground, from: Vec2, to: Vec2) -> bool {
    let is_in = |region: u32, place: Vec2| {
        ground.regions().get(region as usize).is_some_and(|region| region.contains(place))
    };
    course.stay_in.iter().all(|&region| !is_in(region, from) || is_in(region, to))
        && course.keep_out.iter().all(|&region| is_in(region, from) || !is_in(region, to))
}

fn rotated(step: Vec2, angle: f32) -> Vec2 {
    let (sine, cosine) = libm::sincosf(angle);
    Vec2::new(cosine, sine).rotate(step)
}
