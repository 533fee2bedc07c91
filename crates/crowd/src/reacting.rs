//! People who react to others and to walls by the steering set of Reynolds 1999, whatever velocity model moves them.
//!
//! A reaction is local: it holds while there is somebody to react to who is in sight; else people go about their errands.

use crate::consult::names_of;
use crate::crowd::Crowd;
use crate::mind::Mind;
use crate::person::Errand;
use crate::steering::{Course, Steered};
use crate::velocity::{Model, steering_set};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// What somebody does about others who are called by a name, or about walls; names by the number of
/// [`Mind::called`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reaction {
    /// Goes to where the nearest of them is.
    Seek(u16),
    /// Goes to where the nearest of them will be.
    Pursue(u16),
    /// Goes away from where the nearest of them is.
    Flee {
        /// From whom.
        whom: u16,
        /// Only from those nearer than this, in metres.
        within: f32,
    },
    /// Goes away from where the nearest of them will be.
    Evade {
        /// Whom.
        whom: u16,
        /// Only those nearer than this, in metres.
        within: f32,
    },
    /// Follows the nearest of them, and keeps out of the way of who leads.
    Follow {
        /// Whom.
        whom: u16,
        /// How far behind, in metres.
        behind: f32,
    },
    /// Goes along the nearest wall, at this distance from it in metres.
    AlongWall(f32),
}

/// Somebody who has a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    called: u16,
    id: u32,
    place: Vec2,
    velocity: Vec2,
}

/// How far ahead people look along paths and walls, in seconds.
const LOOKS: f32 = 0.5;

impl Crowd {
    /// The velocity that each steered person would like to have because of others, walls or the path it keeps to; nothing
    /// where nobody does.
    pub(crate) fn reactions(&self, steered: &Steered) -> Vec<Option<Vec2>> {
        let minds = || steered.people.iter().map(|person| &self.minds[*person as usize]);
        let keeps_to_paths = |slot: usize| match steered.crowd.model(slot) {
            Model::Boids(boids) if boids.path_radius > 0.0 => Some(boids.path_radius),
            _ => None,
        };
        let slots = 0..steered.people.len();
        let reacts = minds().any(|mind| mind.reaction.is_some());
        if !reacts && slots.clone().all(|slot| keeps_to_paths(slot).is_none()) {
            return Vec::new();
        }
        let named = if reacts { self.named(steered) } else { Vec::new() };
        let one = |slot: usize| {
            let (mind, course) = (&self.minds[steered.people[slot] as usize], &steered.courses[slot]);
            if course.speed <= 0.0 || matches!(mind.errand, Errand::Stay(_)) {
                return None;
            }
            let place = steered.crowd.positions()[slot];
            let velocity = steered.crowd.velocities()[slot];
            let top_speed = self.profiles[steered.people[slot] as usize].top_speed;
            let own = Own { id: steered.ids[slot], place, velocity, top_speed };
            let reaction = mind.reaction.and_then(|reaction| self.react(reaction, &own, course, &named));
            reaction.or_else(|| keep_to_path(mind, course, place, velocity, keeps_to_paths(slot)?))
        };
        slots.map(one).collect()
    }

    /// Everybody who has a name, whatever moves them.
    fn named(&self, steered: &Steered) -> Vec<Named> {
        let mut named = Vec::new();
        for (called, index) in names_of(&self.minds) {
            let index = index as usize;
            let id = self.ids[index];
            let velocity = match steered.slot(id) {
                Some(slot) => steered.crowd.velocities()[slot],
                None => self.ledger.promises[index].moving_disc(&self.setting.book, self.frame).velocity,
            };
            named.push(Named { called, id, place: self.positions[index], velocity });
        }
        named
    }

    fn react(&self, reaction: Reaction, own: &Own, course: &Course, named: &[Named]) -> Option<Vec2> {
        let ground = &self.setting.ground;
        let nearest = |whom: u16, within: f32| {
            let (mut least, mut seen) = (within * within, None);
            for other in named.iter().filter(|other| other.called == whom && other.id != own.id) {
                let squared = other.place.distance_squared(own.place);
                // Looking costs more than measuring: only who would be the nearest is looked for.
                if squared < least && ground.straight_is_free(own.place, other.place, 0.0) {
                    (least, seen) = (squared, Some((other.place - own.place, other.velocity)));
                }
            }
            seen
        };
        let speed = own.top_speed;
        Some(match reaction {
            Reaction::Seek(whom) => steering_set::seek(nearest(whom, f32::INFINITY)?.0, speed),
            Reaction::Pursue(whom) => {
                let (other, velocity) = nearest(whom, f32::INFINITY)?;
                steering_set::pursue(other, velocity, speed)
            }
            Reaction::Flee { whom, within } => steering_set::flee(nearest(whom, within)?.0, speed),
            Reaction::Evade { whom, within } => {
                let (other, velocity) = nearest(whom, within)?;
                steering_set::evade(other, velocity, speed)
            }
            Reaction::Follow { whom, behind } => {
                let (leader, velocity) = nearest(whom, f32::INFINITY)?;
                steering_set::follow_leader(leader, velocity, behind, speed)
            }
            Reaction::AlongWall(distance) => {
                let later = own.velocity * LOOKS;
                let wall = ground.nearest_wall(own.place + later)?.point - (own.place + later);
                steering_set::follow_wall(later, wall, own.velocity, distance, course.speed)
            }
        })
    }
}

/// One who reacts.
struct Own {
    id: u32,
    place: Vec2,
    velocity: Vec2,
    top_speed: f32,
}

/// The velocity of somebody for whom its way is a path `half_width` metres wide to either side; the end is for arriving.
fn keep_to_path(mind: &Mind, course: &Course, place: Vec2, velocity: Vec2, half_width: f32) -> Option<Vec2> {
    if course.towards.is_some() || mind.goal.is_none() || mind.heads_straight_for_goal() {
        return None;
    }
    let from = usize::from(mind.next).saturating_sub(1);
    let corners = mind.way_points.get(from..)?.iter().map(|corner| *corner - place);
    steering_set::follow_path(corners, velocity, half_width, LOOKS, course.speed)
}
