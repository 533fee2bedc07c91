//! HiDAC: Pelechano, Allbeck, Badler 2007, "Controlling individual agents in high-density crowd simulation".
//!
//! Direction comes from attraction, walls and the tangential avoidance of those ahead in a rectangle of influence;
//! speed from density; bodies repel when personal space is entered, walls having priority. Agents who are calm stop when
//! they are pushed back, or wait behind those ahead who go the same way; agents in panic do neither, need less space,
//! push, and infect others. Who is pushed too hard falls and becomes an obstacle.
//! Where the paper gives no number, the field says so.

use super::{Decided, Memory, Neighbour, Role, View, clamp_speed};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of HiDAC.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hidac {
    /// ε: personal space of a calm person beyond the body's edge, in metres (ours).
    pub personal_space: f32,
    /// Personal space in full panic, in metres (ours).
    pub panic_space: f32,
    /// D: the length of the rectangle of influence ahead, in metres (paper: shorter in a dense crowd).
    pub influence: f32,
    /// Weight of others who come against one (paper: 2.4).
    pub oncoming_weight: f32,
    /// Weight of others who go the same way (paper: 1.2).
    pub following_weight: f32,
    /// λ: how much of the others' repulsion is left when a wall repels too (paper: 0.3).
    pub wall_priority: f32,
    /// The longest time a calm person stands after a stop, in seconds (ours).
    pub patience: f32,
    /// Panic taken over from panicking neighbours, per second (ours).
    pub contagion: f32,
    /// Panic lost when nobody near panics, per second (ours).
    pub calming: f32,
    /// The push, as overlap of personal spaces in metres, beyond which a person falls (ours).
    pub falling_push: f32,
    /// How long the fallen lie before they get up, in seconds (ours).
    pub lying: f32,
    /// Seconds in which somebody who waits behind others would have walked the gap to them (ours).
    pub gap_time: f32,
    /// Walls farther than this from the body's edge, in metres, do not matter.
    pub wall_reach: f32,
    /// The time in which a person takes up a new velocity, in seconds (ours).
    pub reaction_time: f32,
}

impl Default for Hidac {
    fn default() -> Self {
        Self {
            personal_space: 0.06,
            panic_space: 0.0,
            influence: 1.5,
            oncoming_weight: 2.4,
            following_weight: 1.2,
            wall_priority: 0.3,
            patience: 0.5,
            contagion: 0.5,
            calming: 0.05,
            falling_push: 0.6,
            lying: 10.0,
            gap_time: 0.37,
            wall_reach: 0.5,
            reaction_time: 0.25,
        }
    }
}

/// Panic above this lets a person push instead of wait.
pub const PUSHING: f32 = 0.5;

impl Hidac {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let mut memory = self.feel(view);
        if memory.fallen && memory.lain < self.lying {
            memory.lain += view.seconds;
            return Decided { velocity: Vec2::ZERO, memory };
        }
        let pushing = memory.panic > PUSHING;
        let space = self.personal_space + (self.panic_space - self.personal_space) * memory.panic;
        let speed = view.preferred.length();
        let forward = view.preferred.normalize_or_zero();

        let mut direction = forward;
        let mut ahead = f32::INFINITY;
        for neighbour in view.neighbours {
            let (turn, gap) = self.avoid(view, forward, neighbour);
            direction += turn;
            ahead = ahead.min(gap);
        }
        let mut wall_push = Vec2::ZERO;
        for &wall in view.walls {
            let distance = wall.length();
            let gap = distance - view.radius;
            let away = if distance > 1e-6 { -wall / distance } else { Vec2::X };
            // Walls turn the direction along themselves, and repel at arm's length.
            if gap < self.wall_reach && direction.dot(away) < 0.0 {
                let weight = 1.0 - (gap / self.wall_reach).max(0.0);
                direction -= away * (direction.dot(away) * weight);
            }
            wall_push += away * (space * 0.5 - gap).max(0.0);
        }
        let (mut push, mut pressure) = (Vec2::ZERO, 0.0);
        for neighbour in view.neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen) {
            let distance = neighbour.distance_squared.sqrt();
            // Who panics comes closer than one likes.
            let depth = view.radius + space + neighbour.radius - distance;
            if depth > 0.0 && distance > 1e-6 {
                push -= neighbour.offset * (depth / distance);
                pressure += depth;
            }
        }
        if wall_push != Vec2::ZERO {
            push *= self.wall_priority;
        }
        memory.lain = 0.0;
        memory.fallen = pressure > self.falling_push && push.length() > 0.5 * self.falling_push;

        // Stopping: pushed back against one's own way, a calm person stands for a while.
        memory.waiting = (memory.waiting - view.seconds).max(0.0);
        let held_back = push.dot(forward) < -0.5 * push.length() && push.length() > 0.5 * space;
        if !pushing && held_back && memory.waiting == 0.0 && ahead < 0.05 {
            let mut random = view.random.clone();
            memory.waiting = self.patience * random.unit();
        }
        // Waiting: behind others who go the same way one walks as fast as the gap allows.
        let waits = if memory.waiting > 0.0 { 0.0 } else { (ahead / self.gap_time).max(0.15 * speed) };
        let pace = if pushing { waits.max(0.8 * speed) } else { waits };
        let wanted = direction.normalize_or(forward) * pace.min(speed);
        let blend = (view.seconds / self.reaction_time).min(1.0);
        let walking = view.velocity + (wanted - view.velocity) * blend;
        // Repulsion moves the body in this step, as in the paper; each of two does half.
        let repulsion = (push * 0.5 + wall_push) / view.seconds.max(self.reaction_time);
        Decided { velocity: clamp_speed(walking + repulsion, view.max_speed), memory }
    }

    /// Panic spreads from those near, and fades.
    fn feel(&self, view: &View) -> Memory {
        let mut memory = view.memory;
        let worst = view.neighbours.iter().map(|neighbour| neighbour.panic).fold(0.0, f32::max);
        if worst > memory.panic {
            memory.panic += (worst - memory.panic) * (self.contagion * view.seconds).min(1.0);
        } else if worst < PUSHING {
            memory.panic = (memory.panic - self.calming * view.seconds).max(0.0);
        }
        memory
    }

    /// The tangential force around somebody in the rectangle of influence, and the gap to the body of somebody
    /// straight ahead, in metres.
    fn avoid(&self, view: &View, forward: Vec2, neighbour: &Neighbour) -> (Vec2, f32) {
        let along = neighbour.offset.dot(forward);
        let across = forward.perp_dot(neighbour.offset);
        let sum = view.radius + neighbour.radius;
        if along <= 0.0 || along > self.influence + sum || across.abs() > sum {
            return (Vec2::ZERO, f32::INFINITY);
        }
        let distance = neighbour.distance_squared.sqrt();
        let gap = (distance - sum).max(0.0);
        // Who stands in a queue goes the same way nonetheless.
        let same_way = neighbour.intent.dot(forward) >= 0.0;
        let weight = if same_way { self.following_weight } else { self.oncoming_weight };
        let near = (1.0 - gap / self.influence).max(0.0);
        // t = (d × v) × d: across the line to the other, on the side one already passes.
        let side = if across > 0.0 { -1.0 } else { 1.0 };
        let tangent = Vec2::new(-neighbour.offset.y, neighbour.offset.x) * (side / distance.max(1e-6));
        let blocked = if across.abs() < 0.7 * sum { gap } else { f32::INFINITY };
        (tangent * (weight * near * near), blocked)
    }
}
