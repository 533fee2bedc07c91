//! Seek and funnel: Thalmann and Musse 2007, "Crowd Simulation", section 4.9, after Boulic 2005, "Reaching oriented targets with
//! funnelling trajectories".
//!
//! Who seeks turns towards its goal and goes where it faces, within bounds. Who funnels also arrives in a direction: a table tells
//! in which direction η seeking would arrive, and what is missing, Δη, turns the heading to the other side, so that the way
//! swings out before it comes in. The source leaves that function open: μ = clamp(gain · Δη). With a gain of 1 ways far from the
//! goal are arcs of circles through it; with more they come in straighter. Others and walls, which the source leaves out, are avoided as ORCA does.

mod controller;
mod table;

pub use controller::Going;
pub use table::{ENTRIES, Outlook, TABLE, Table};

use super::orca::Orca;
use super::{Decided, Memory, View};
use controller::MOST_SPIN;
use crowdloom_motion::wrap_angle;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::f32::consts::{FRAC_PI_2, PI};

/// Parameters of seek and funnel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Funnel {
    /// Which way people face when they arrive, in degrees, where nothing else says it; without it they only seek.
    pub facing: Option<f32>,
    /// How far from its goal, in metres, somebody has arrived.
    pub tolerance: f32,
    /// How far off its direction, in degrees, somebody may arrive.
    pub angle_tolerance: f32,
    /// How much of what the direction lacks turns the heading; 0 only seeks.
    pub gain: f32,
    /// How long ahead others are avoided, in seconds; 0 is the source, which avoids nobody.
    pub horizon: f32,
}

impl Default for Funnel {
    fn default() -> Self {
        Self { facing: None, tolerance: 0.2, angle_tolerance: 10.0, gain: 1.5, horizon: 2.0 }
    }
}

/// Where somebody who funnels is going.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    /// The place, in metres.
    pub at: Vec2,
    /// The direction in which to arrive, as a unit vector; zero where the mover's own holds.
    pub towards: Vec2,
    /// Whether it stays there.
    pub stays: bool,
}

/// The most that the heading is turned off a distant goal, in radians, …
const MOST_FAR: f32 = 1.25;
/// … and off one that is too near to be reached otherwise.
const MOST_NEAR: f32 = 2.2;
/// Goals nearer than this many metres are near.
const NEAR: f32 = 1.5;
/// Who passes its goal within this part of the tolerance on a straight way in the right direction takes that way.
const STRAIGHT: f32 = 0.8;
/// The least speed that somebody slows down to for a direction, in metres a second.
const LEAST: f32 = 0.25;
/// Slower than this, in metres a second, velocities tell nothing of where somebody faces.
const FACES: f32 = 0.1;
/// Others turn somebody off its way who is turned by more than this, in radians.
const TURNED: f32 = 0.02;

impl Funnel {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let Memory { mut heading, spin, .. } = view.memory;
        // Who has not faced any way yet faces where it goes.
        if heading == 0.0 && spin == 0.0 && view.velocity.length() > FACES {
            heading = angle_of(view.velocity);
        }
        let (sine, cosine) = libm::sincosf(heading);
        // Steps aside for others are no way of its own.
        let speed = view.velocity.dot(Vec2::new(cosine, sine)).max(0.0);
        let mut going = Going { heading, speed, spin };
        self.advance(&mut going, view);
        let (sine, cosine) = libm::sincosf(going.heading);
        let own = Vec2::new(cosine, sine) * going.speed.min(view.max_speed);
        let memory = Memory { heading: going.heading, spin: going.spin, ..view.memory };
        let alone = view.walls.is_empty() && view.neighbours.is_empty();
        if alone || self.horizon <= 0.0 {
            return Decided { velocity: own, memory };
        }
        let orca = Orca { horizon: self.horizon, noise: 0.0, ..Orca::default() };
        let velocity = orca.choose(&View { preferred: own, ..view.clone() }).velocity;
        Decided { velocity, memory }
    }

    /// Turns and speeds up for a step.
    fn advance(&self, going: &mut Going, view: &View) {
        let wanted = view.preferred.length();
        let wish = if wanted > 1e-3 { angle_of(view.preferred) } else { going.heading };
        let Some(aim) = view.aim else { return going.steer(wish, wanted, view.seconds) };
        let towards = match (aim.towards == Vec2::ZERO, self.facing) {
            (false, _) => Some(angle_of(aim.towards)),
            (true, Some(facing)) if aim.stays => Some(facing.to_radians()),
            _ => None,
        };
        if aim.stays && aim.at.length() < self.tolerance {
            return going.steer(towards.unwrap_or(going.heading), 0.0, view.seconds);
        }
        let bent = wanted > 1e-3 && wrap_angle(wish - angle_of(aim.at)).abs() > TURNED;
        match towards.filter(|_| !bent && wanted > 1e-3) {
            Some(towards) => self.funnel(going, aim.at, towards, wanted, view.seconds),
            None => going.steer(wish, wanted, view.seconds),
        }
    }

    /// One control update: heads for a goal at `offset` metres so as to arrive in the direction `towards`, in radians.
    pub fn funnel(&self, going: &mut Going, offset: Vec2, towards: f32, wanted: f32, seconds: f32) {
        let (radial, distance) = (angle_of(offset), offset.length());
        let ahead = wrap_angle(towards - radial);
        if libm::cosf(ahead) > 0.0 && distance * libm::sinf(ahead).abs() < STRAIGHT * self.tolerance {
            return going.steer(towards, wanted, seconds);
        }
        let Going { heading, speed, spin } = *going;
        let seen =
            |wanted: f32| Outlook { distance, angle: wrap_angle(radial - heading), spin, speed, wanted };
        let (mut eta, reached) = TABLE.look_up(&seen(wanted));
        let mut pace = wanted;
        if !reached {
            // Who would go round and round its goal gets slower first.
            pace = LEAST.max(0.5 * speed).min(wanted);
            eta = TABLE.look_up(&seen(pace)).0;
        }
        let lacks = wrap_angle(ahead - eta);
        let near = (1.0 - distance / NEAR).clamp(0.0, 1.0);
        let most = MOST_FAR + (MOST_NEAR - MOST_FAR) * near;
        let within = 0.5 * self.angle_tolerance.to_radians();
        let turn = if lacks.abs() < within { 0.0 } else { (self.gain * lacks).clamp(-most, most) };
        if turn != 0.0 {
            // An arc of a circle to the goal asks for a turn of 2 v sin μ / D.
            let bend = 2.0 * libm::sinf(turn.abs().min(FRAC_PI_2));
            pace = pace.min((0.6 * MOST_SPIN * distance / bend).max(LEAST));
        }
        going.steer(wrap_angle(radial - turn), pace, seconds);
    }
}

/// The direction of a vector in radians.
#[inline]
fn angle_of(vector: Vec2) -> f32 {
    libm::atan2f(vector.y, vector.x)
}

/// How far apart two directions are, in radians from 0 to π.
pub fn between(one: f32, other: f32) -> f32 {
    wrap_angle(one - other).abs().min(PI)
}
