//! HiDAC: Pelechano, Allbeck, Badler 2007, "Controlling individual agents in high-density crowd simulation".
//!
//! Direction comes from attraction, walls, the tangential avoidance of those ahead in a rectangle of influence, and the
//! direction one had before (inertia); speed from the density ahead; bodies repel when personal space is entered, walls having priority. Agents who are calm stop when
//! they are pushed back, or wait behind those ahead who go the same way; agents in panic do neither, need less space,
//! push, and infect others. Who is pushed too hard falls and becomes an obstacle.
//! Where the paper gives no number, the field says so (ours); its own numbers could not be checked against its text again
//! and are marked as such (unverified). The law of speed by density is Weidmann's 1993, for which the paper gives none.

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
    /// D: the length of the rectangle of influence ahead, in metres (paper: shorter in a dense crowd; number ours).
    pub influence: f32,
    /// Weight of others who come against one (paper: 2.4, unverified).
    pub oncoming_weight: f32,
    /// Weight of others who go the same way (paper: 1.2, unverified).
    pub following_weight: f32,
    /// λ: how much of the others' repulsion is left when a wall repels too (paper: 0.3, unverified).
    pub wall_priority: f32,
    /// How much of the direction one had a step before is added to the new one; 0 is none (paper: all of it, unverified).
    pub inertia: f32,
    /// γ, in people per square metre: speed falls with the density ahead as 1 − exp(−γ (1/ρ − 1/ρ_most)) (Weidmann: 1.913;
    /// the number is ours, as headway slows people too); 0 leaves speed to the gap ahead alone.
    pub slowing: f32,
    /// ρ_most: the density ahead at which nobody moves, in people per square metre (Weidmann: 5.4; ours).
    pub most_density: f32,
    /// The longest time a calm person stands after a stop, in seconds (ours).
    pub patience: f32,
    /// Panic taken over from panicking neighbours, per second (ours).
    pub contagion: f32,
    /// Panic lost when nobody near panics, per second (ours).
    pub calming: f32,
    /// The push, as overlap in metres of bodies with a rim of 6 cm, beyond which a person falls (ours).
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
            personal_space: 0.22,
            panic_space: 0.0,
            influence: 1.5,
            oncoming_weight: 2.4,
            following_weight: 1.2,
            wall_priority: 0.3,
            inertia: 1.0,
            slowing: 4.5,
            most_density: 5.4,
            patience: 0.5,
            contagion: 0.5,
            calming: 0.05,
            falling_push: 0.6,
            lying: 10.0,
            gap_time: 0.28,
            wall_reach: 0.5,
            reaction_time: 0.25,
        }
    }
}

/// Panic above this lets a person push instead of wait.
pub const PUSHING: f32 = 0.5;
/// However dense it is ahead, this share of the speed is left (ours): who waits presses on a little.
const LEAST_SHARE: f32 = 0.1;
/// Bodies nearer than this, in metres from edge to edge, push (ours).
const CLOSE: f32 = 0.06;
/// Fewer than so many ahead are no crowd.
const A_CROWD: usize = 3;

/// People per square metre ahead: those in the half disc that reaches as far as the farthest of the nearest (ours).
fn density_ahead(view: &View, forward: Vec2) -> f32 {
    let Some(farthest) = view.neighbours.last() else { return 0.0 };
    let ahead = view.neighbours.iter().filter(|neighbour| neighbour.offset.dot(forward) > 0.0).count();
    let area = 0.5 * std::f32::consts::PI * farthest.distance_squared;
    if ahead < A_CROWD { 0.0 } else { ahead as f32 / area.max(0.1) }
}

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

        let mut direction = forward + memory.direction * self.inertia;
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
        let (mut push, mut crush, mut pressure) = (Vec2::ZERO, Vec2::ZERO, 0.0);
        for neighbour in view.neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen) {
            let distance = neighbour.distance_squared.sqrt();
            // Who panics comes closer than one likes.
            let depth = view.radius + space + neighbour.radius - distance;
            if depth > 0.0 && distance > 1e-6 {
                push -= neighbour.offset * (depth / distance);
                // Personal space throws nobody over: bodies do.
                let close = (depth - space + CLOSE).max(0.0);
                crush -= neighbour.offset * (close / distance);
                pressure += close;
            }
        }
        if wall_push != Vec2::ZERO {
            push *= self.wall_priority;
        }
        memory.lain = 0.0;
        memory.fallen = pressure > self.falling_push && crush.length() > 0.5 * self.falling_push;

        // Stopping: pushed back against one's own way, a calm person stands for a while.
        memory.waiting = (memory.waiting - view.seconds).max(0.0);
        let held_back = push.dot(forward) < -0.5 * push.length() && push.length() > 0.5 * space;
        if !pushing && held_back && memory.waiting == 0.0 && ahead < 0.05 {
            let mut random = view.random.clone();
            memory.waiting = self.patience * random.unit();
        }
        // Waiting: behind others who go the same way one walks as fast as the gap allows.
        let waits = if memory.waiting > 0.0 { 0.0 } else { (ahead / self.gap_time).max(0.15 * speed) };
        let waits = waits.min(speed * self.share_of_speed(density_ahead(view, forward)));
        let pace = if pushing { waits.max(0.8 * speed) } else { waits };
        memory.direction = direction.normalize_or(forward);
        let wanted = memory.direction * pace.min(speed);
        let blend = (view.seconds / self.reaction_time).min(1.0);
        let walking = view.velocity + (wanted - view.velocity) * blend;
        // Repulsion moves the body in this step, as in the paper; each of two does half.
        let repulsion = (push * 0.5 + wall_push) / view.seconds.max(self.reaction_time);
        Decided { velocity: clamp_speed(walking + repulsion, view.max_speed), memory }
    }

    /// The share of its speed that somebody has left at a density ahead in people per square metre; never nothing.
    fn share_of_speed(&self, density: f32) -> f32 {
        if self.slowing <= 0.0 || density <= 0.0 {
            return 1.0;
        }
        let room = 1.0 / density - 1.0 / self.most_density;
        (1.0 - libm::expf(-self.slowing * room)).clamp(LEAST_SHARE, 1.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn view<'a>(velocity: Vec2, memory: Memory, neighbours: &'a [Neighbour]) -> View<'a> {
        View { velocity, memory, neighbours, seconds: 1.0 / 30.0, ..View::alone() }
    }

    /// People on a grid of so many per square metre who go the same way, nearest first.
    fn grid(density: f32) -> Vec<Neighbour> {
        let apart = 1.0 / density.sqrt();
        let places = (-3..=3).flat_map(|x| (-3..=3).map(move |y| Vec2::new(x as f32, y as f32) * apart));
        let mut all: Vec<Neighbour> = places
            .filter(|offset| *offset != Vec2::ZERO)
            .map(|offset| Neighbour {
                offset,
                velocity: Vec2::X,
                intent: Vec2::X,
                radius: 0.2,
                distance_squared: offset.length_squared(),
                ..Neighbour::default()
            })
            .collect();
        all.sort_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared));
        all.truncate(12);
        all
    }

    #[test]
    fn speed_falls_with_the_density_ahead() {
        // The gap to the one ahead is no reason to slow down here.
        let hidac = Hidac { gap_time: 1e-3, personal_space: 0.0, ..Hidac::default() };
        let walks = |hidac: &Hidac, density: f32| {
            let neighbours = grid(density);
            let (mut velocity, mut memory) = (Vec2::X, Memory::default());
            for _ in 0..60 {
                let decided = hidac.choose(&view(velocity, memory, &neighbours));
                (velocity, memory) = (decided.velocity, decided.memory);
            }
            velocity.length()
        };
        let speeds = [0.3, 2.0, 3.0, 4.0].map(|density| walks(&hidac, density));
        assert!(speeds.windows(2).all(|two| two[1] < two[0] - 0.02), "{speeds:?}");
        assert!(speeds[0] > 1.2 && speeds[3] < 0.9, "{speeds:?}");
        let bare = Hidac { slowing: 0.0, ..hidac };
        assert!(walks(&bare, 4.0) > 1.2);
    }

    #[test]
    fn nobody_changes_its_direction_at_once() {
        let had = Memory { direction: Vec2::Y, ..Memory::default() };
        let turned = |inertia: f32| {
            let hidac = Hidac { inertia, ..Hidac::default() };
            hidac.choose(&view(Vec2::Y, had, &[])).memory.direction
        };
        assert_eq!(turned(0.0), Vec2::X);
        let slowly = turned(1.0);
        assert!(slowly.y > 0.5 && slowly.x > 0.5, "{slowly}");
    }

    #[test]
    fn the_fallen_get_up() {
        let hidac = Hidac { lying: 0.5, ..Hidac::default() };
        let mut memory = Memory { fallen: true, ..Memory::default() };
        let mut velocity = Vec2::ZERO;
        for frame in 0..30 {
            let decided = hidac.choose(&view(velocity, memory, &[]));
            (velocity, memory) = (decided.velocity, decided.memory);
            assert_eq!(memory.fallen, frame < 15, "frame {frame}");
        }
        assert!(velocity.x > 0.5, "{velocity}");
    }
}
