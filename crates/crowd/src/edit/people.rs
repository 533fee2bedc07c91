//! Changes of people: who is there, what they want and what moves them.

use super::{Edit, Refusal};
use crate::crowd::Crowd;
use crate::person::Mover;
use crate::population::Newcomer;
use crate::situation::{Place, SituationId};

/// The fastest that anybody may be asked to go, in metres a second.
const FASTEST: f32 = 12.0;

/// The least and the most radius of anybody, in metres.
const LEAST_RADIUS: f32 = 0.05;
const MOST_RADIUS: f32 = 1.0;

/// How many times as large anybody may be drawn.
const SIZES: std::ops::RangeInclusive<f32> = 0.3..=3.0;

impl Crowd {
    /// Makes a change of one person; returns the change that takes it back.
    pub(super) fn edit_people(&mut self, edit: Edit) -> Result<Edit, Refusal> {
        match edit {
            Edit::Add(placement, newcomer) => {
                let sound = placement.position.is_finite() && placement.heading.is_finite();
                if !sound || !(0.0..=FASTEST).contains(&newcomer.mind.speed) {
                    return Err(Refusal::Senseless("that place or speed"));
                }
                let Newcomer { mover, profile, mind, .. } = &*newcomer;
                if !(LEAST_RADIUS..=MOST_RADIUS).contains(&profile.radius) || !profile.top_speed.is_finite() {
                    return Err(Refusal::Senseless("that radius or greatest speed"));
                }
                if !mind.visits.is_empty() || mind.ride.is_some() {
                    return Err(Refusal::Senseless("coming in from somewhere in the scene"));
                }
                if !mind.knows_its_stops(self.shared.scenario.stops.len()) {
                    return Err(Refusal::Unknown("stop"));
                }
                self.check_mover(*mover)?;
                let index = self.add(placement, *newcomer).ok_or(Refusal::NoRoom)?;
                self.let_follow();
                Ok(Edit::Remove(self.id(index)))
            }
            Edit::Remove(id) => {
                let index = self.find(id)?;
                let placement = self.placement(index);
                let mover = match self.usual_movers[index] {
                    Mover::Planned | Mover::Recorded => Mover::Graph,
                    usual => usual,
                };
                let (profile, mut mind) = (self.profiles[index], self.minds[index].clone());
                mind.visits.clear();
                mind.ride = None;
                self.remove(index);
                Ok(Edit::Add(placement, Box::new(Newcomer { mover, profile, mind, sets_out: false })))
            }
            Edit::Move(id, to) => {
                let index = self.find(id)?;
                if !(to.position.is_finite() && to.heading.is_finite()) {
                    return Err(Refusal::Senseless("that place"));
                }
                let before = self.placement(index);
                if !self.put(index, to) {
                    return Err(Refusal::NoRoom);
                }
                Ok(Edit::Move(id, before))
            }
            Edit::Goal(id, goal) => {
                let index = self.find(id)?;
                if goal.is_some_and(|goal| !goal.is_finite()) {
                    return Err(Refusal::Senseless("that goal"));
                }
                let mind = self.mind_mut(index);
                let before = mind.wish();
                mind.wanders &= goal.is_none();
                match goal {
                    Some(goal) => mind.head_for(goal),
                    None => mind.goal = None,
                }
                if !mind.diverted {
                    mind.own_goal = None;
                }
                Ok(Edit::Goal(id, before))
            }
            Edit::Stop(id, stop) => {
                let index = self.find(id)?;
                if stop.is_some_and(|stop| usize::from(stop) >= self.shared.scenario.stops.len()) {
                    return Err(Refusal::Unknown("stop"));
                }
                let mind = self.mind_mut(index);
                let before = mind.bound_for.or(mind.stop);
                (mind.bound_for, mind.stop, mind.goal, mind.stays_until) = (stop, None, None, 0);
                Ok(Edit::Stop(id, before))
            }
            Edit::Speed(id, speed) => {
                let index = self.find(id)?;
                if !(0.0..=FASTEST).contains(&speed) {
                    return Err(Refusal::Senseless("that speed"));
                }
                let before = std::mem::replace(&mut self.mind_mut(index).speed, speed);
                Ok(Edit::Speed(id, before))
            }
            Edit::Mover(id, mover) => {
                let index = self.find(id)?;
                self.check_mover(mover)?;
                let before = self.usual_movers[index];
                if !self.set_mover(index, mover) {
                    return Err(Refusal::NoRoom);
                }
                Ok(Edit::Mover(id, before))
            }
            Edit::Style(id, style) => {
                let index = self.find(id)?;
                let nodes = self.setting.book.graph().nodes().len();
                if style.is_some_and(|style| usize::from(style) >= nodes) {
                    return Err(Refusal::Unknown("style"));
                }
                if self.bodies.as_ref().is_some_and(|bodies| bodies.styles_graph()) {
                    return Err(Refusal::Senseless("another style where the scene chooses styles"));
                }
                Ok(Edit::Style(id, std::mem::replace(&mut self.mind_mut(index).style, style)))
            }
            Edit::Favours(id, group) => {
                let index = self.find(id)?;
                let groups = self.bodies.as_ref().map_or(1, |bodies| bodies.control().group_count());
                if usize::from(group) >= groups {
                    return Err(Refusal::Unknown("group of favourite styles"));
                }
                let shown = self.body(index);
                let before = std::mem::replace(&mut self.profiles[index].favours, group);
                if let Some(bodies) = &mut self.bodies {
                    // It chooses as one of the other group from now on.
                    bodies.let_go(id);
                    self.let_follow();
                    self.fade_from(index, shown);
                }
                Ok(Edit::Favours(id, before))
            }
            Edit::Looks(id, looks) => {
                let index = self.find(id)?;
                self.settled_in[index] = self.frame + 1;
                Ok(Edit::Looks(id, std::mem::replace(&mut self.profiles[index].looks, looks)))
            }
            Edit::Dress(id, dress) => {
                let index = self.find(id)?;
                let slimmer = self.make_room_for(index, dress.as_ref().map_or(0.0, |dress| dress.room))?;
                self.settled_in[index] = self.frame + 1;
                let before = match dress {
                    Some(dress) => self.dresses.insert(id, dress),
                    None => self.dresses.remove(&id),
                };
                Ok(match slimmer {
                    None => Edit::Dress(id, before),
                    Some(radius) => Edit::Several(vec![Edit::Dress(id, before), Edit::Radius(id, radius)]),
                })
            }
            Edit::Size(id, size) => {
                let index = self.find(id)?;
                if !SIZES.contains(&size) {
                    return Err(Refusal::Senseless("that size"));
                }
                Ok(Edit::Size(id, std::mem::replace(&mut self.profiles[index].size, size)))
            }
            Edit::Direct(id, direction) => {
                let index = self.find(id)?;
                self.direct(index, &direction)?;
                Ok(Edit::LetGo(id, direction))
            }
            Edit::LetGo(id, direction) => {
                let index = self.find(id)?;
                if !self.let_go(index) {
                    return Err(Refusal::NoRoom);
                }
                Ok(Edit::Direct(id, direction))
            }
            Edit::Join(id, situation) => {
                let index = self.find_member(id, situation)?;
                if self.is_member(index, situation) {
                    return Err(Refusal::Senseless("joining twice"));
                }
                self.join(index, situation);
                // Where there is no room, perhaps there is later.
                if !self.is_member(index, situation) {
                    return Err(Refusal::NoRoom);
                }
                Ok(Edit::Part(id, situation))
            }
            Edit::Part(id, situation) => {
                let index = self.find_member(id, situation)?;
                if !self.is_member(index, situation) {
                    return Err(Refusal::Senseless("parting from where one is not"));
                }
                self.part(index, situation);
                Ok(Edit::Join(id, situation))
            }
            Edit::Radius(id, radius) => {
                let index = self.find(id)?;
                if !(LEAST_RADIUS..=MOST_RADIUS).contains(&radius) {
                    return Err(Refusal::Senseless("that radius"));
                }
                let before = self.profiles[index].radius;
                match self.set_steered_radius(index, radius) {
                    None => Err(Refusal::Senseless("another radius of somebody who has no velocity mover")),
                    Some(false) => Err(Refusal::NoRoom),
                    Some(true) => Ok(Edit::Radius(id, before)),
                }
            }
            Edit::Velocity(id, velocity) => {
                let index = self.find(id)?;
                if !(velocity.is_finite() && velocity.length() <= FASTEST) {
                    return Err(Refusal::Senseless("that velocity"));
                }
                let before = self.set_steered_velocity(index, velocity);
                let before = before.ok_or(Refusal::Senseless("a velocity of who has no velocity mover"))?;
                Ok(Edit::Velocity(id, before))
            }
            _ => Err(Refusal::Senseless("that change of people")),
        }
    }

    /// Gives somebody a disc of at least so many metres for what it has; returns the radius of the smaller one that it had.
    fn make_room_for(&mut self, index: usize, radius: f32) -> Result<Option<f32>, Refusal> {
        let before = self.disc_radius(index);
        if radius <= before {
            return Ok(None);
        }
        match self.set_steered_radius(index, radius) {
            None => {
                Err(Refusal::Senseless("a thing that is wider than the disc of who has no velocity mover"))
            }
            Some(false) => Err(Refusal::NoRoom),
            Some(true) => Ok(Some(before)),
        }
    }

    fn find(&self, id: u32) -> Result<usize, Refusal> {
        self.index_of(id).ok_or(Refusal::Nobody(id))
    }

    /// The index of somebody who may be a member of a situation.
    fn find_member(&self, id: u32, situation: SituationId) -> Result<usize, Refusal> {
        let index = self.find(id)?;
        let own = self.shared.situations.get(situation.index()).ok_or(Refusal::Unknown("situation"))?;
        if own.place != Place::Members {
            return Err(Refusal::Senseless("being a member of a place"));
        }
        Ok(index)
    }

    fn is_member(&self, index: usize, situation: SituationId) -> bool {
        self.minds[index].visits.iter().any(|visit| visit.situation == situation)
    }

    fn check_mover(&self, mover: Mover) -> Result<(), Refusal> {
        match mover {
            Mover::Steered(number) if usize::from(number) >= self.steerings.len() => {
                Err(Refusal::Unknown("way of being steered"))
            }
            Mover::CellMarking(number) if usize::from(number) >= self.markings.len() => {
                Err(Refusal::Unknown("way of planning captured motion"))
            }
            // These need a way to follow.
            Mover::Planned | Mover::Recorded => Err(Refusal::Unknown("mover of edits")),
            Mover::Graph | Mover::Steered(_) | Mover::CellMarking(_) => Ok(()),
        }
    }
}
