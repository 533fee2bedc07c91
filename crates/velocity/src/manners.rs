//! Manners that any mover may have: room to step behind others, a turn aside where one gets on sooner, and giving way to
//! the right.
//!
//! People slow down behind each other long before they touch. Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model
//! for pedestrian dynamics": V(s) = min(v0, (s − ℓ) / T), with s the distance to the nearest person ahead. It makes any
//! mover follow the fundamental diagram. Who is held back looks a little to both sides and goes where it gets on best, as in
//! Moussaïd, Helbing, Theraulaz 2011, "How simple rules determine pedestrian behavior and crowd disasters": so a crowd fills
//! its gaps, and slows down less where it is wide than in single file. Two things keep it from freezing: nobody wishes to
//! stand still entirely, and who comes towards one is left to the mover to avoid.

use super::{Model, Neighbour, Role};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// How somebody treats others, whatever moves it. The default is like people; [`Manners::none`] is the bare model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manners {
    /// T: the time that it keeps to those who walk ahead, in seconds; 0 leaves its preferred speed alone.
    pub headway: f32,
    /// ℓ: the distance from middle to middle, in metres, at which it would stand behind somebody.
    pub spacing: f32,
    /// How far aside of its way, in metres from middle to middle, somebody is still ahead of it.
    pub breadth: f32,
    /// The part of its preferred speed that is left when somebody is right ahead: who waits still presses on a little.
    pub creep: f32,
    /// How far ahead, in seconds, it counts on those who walk on ahead of it: who walks away makes room.
    pub anticipation: f32,
    /// The part of its radius by which it makes itself narrower where only shoulders hold it up.
    pub squeeze: f32,
    /// How far it turns off its way at most, in radians, where it gets on sooner there.
    pub overtake: f32,
    /// How much it gives way to the right to those who come towards it; 0 not at all, 1 by up to 45°.
    pub keep_right: f32,
    /// How far ahead somebody who comes towards it matters, in metres.
    pub oncoming_reach: f32,
    /// How deep it and another may be in each other, as a part of the sum of their radii, before they are parted; 1 parts
    /// nobody, as published models do.
    pub touching: f32,
}

/// What somebody with manners looks at.
pub(super) struct Among<'a> {
    /// How it moves, in metres per second.
    pub(super) velocity: Vec2,
    /// Its radius in metres.
    pub(super) radius: f32,
    /// Who is near.
    pub(super) neighbours: &'a [Neighbour],
    /// From it to the nearest point of each wall, in metres.
    pub(super) walls: &'a [Vec2],
}

impl Default for Manners {
    /// As people are. T and ℓ are read from speeds in single file (RiMEA 4.1.1, test 16: 0.75, 0.52, 0.27 m/s at 0.9, 1.1,
    /// 1.5 /m); the breadth is such that speeds fall with density as in the HERMES corridor experiments
    /// (Jülich 2009).
    fn default() -> Self {
        Self {
            headway: 0.93,
            spacing: 0.41,
            breadth: 0.3,
            creep: 0.05,
            anticipation: 0.4,
            squeeze: 0.3,
            overtake: 0.7,
            keep_right: 1.0,
            oncoming_reach: 3.0,
            touching: 0.0,
        }
    }
}

/// The way is free where manners leave more than this part of the preferred speed, …
const FREE: f32 = 0.3;
/// … and who moves at less than this part of what they leave is held up.
const HELD: f32 = 0.3;
/// Seconds in which somebody makes itself as narrow as can be.
const SQUEEZES: f32 = 1.0;
/// Nobody looks whether it may turn towards a wall that is farther off than this, in metres.
const WALL_REACH: f32 = 0.8;
/// The part of the greatest turn that each way which somebody looks at is off its own.
const TURNS: [f32; 5] = [0.0, 0.5, -0.5, 1.0, -1.0];
/// Who does not go to that side already turns only where it gets on so many times as fast …
const WORTH_A_TURN: f32 = 1.15;
/// … and who does goes on where it is not slower than this.
const WORTH_GOING_ON: f32 = 1.0;

impl Manners {
    /// The bare published model.
    pub fn none() -> Self {
        Self {
            headway: 0.0,
            keep_right: 0.0,
            spacing: 0.0,
            breadth: 0.0,
            creep: 0.0,
            anticipation: 0.0,
            squeeze: 0.0,
            overtake: 0.0,
            oncoming_reach: 0.0,
            touching: 1.0,
        }
    }

    /// No manners but that bodies are solid.
    pub fn solid() -> Self {
        Self { touching: 0.0, ..Self::none() }
    }

    /// The usual manners of those whom a model moves: what makes the model's speeds fall with density as people's do. Flocks
    /// are no people and have none, and a program says itself what the people of its models have.
    pub fn of(model: &Model) -> Self {
        let like_people = Self::default();
        match model {
            Model::Boids(_) | Model::Added(_) => Self::solid(),
            // These keep off those ahead by themselves.
            Model::CollisionFreeSpeed(_) | Model::Anticipation(_) | Model::CentrifugalForce(_) => {
                Self::solid()
            }
            Model::RotationalSteering(_) | Model::WarpDriver(_) => Self::solid(),
            Model::Rvo(_) => like_people,
            // Bodies push each other by forces of their own, which nobody would feel who is parted first.
            // Their repulsion slows them down as well, and holds them up in narrow doors.
            Model::SocialForce(_) => {
                Self { headway: 0.8, breadth: 0.28, squeeze: 0.45, touching: 0.2, ..like_people }
            }
            // Nothing pushes ORCA's agents apart before they would touch: they keep off more.
            Model::Orca(_) | Model::Funnel(_) => Self { breadth: 0.295, ..like_people },
            // HiDAC waits behind others by itself.
            Model::Hidac(_) => Self { breadth: 0.17, ..like_people },
        }
    }

    /// Whether all numbers can be used.
    pub fn is_sound(&self) -> bool {
        let Self { headway, spacing, breadth, creep, .. } = *self;
        let Self { anticipation, squeeze, overtake, keep_right, oncoming_reach, touching, .. } = *self;
        let following = [headway, spacing, breadth, creep, anticipation];
        let others = [squeeze, overtake, keep_right, oncoming_reach, touching];
        let mut numbers = following.into_iter().chain(others);
        numbers.all(|number| number.is_finite() && number >= 0.0) && squeeze < 1.0 && touching <= 1.0
    }

    /// How far walls matter to them, in metres from the body's edge.
    pub(super) fn wall_reach(&self) -> f32 {
        if self.overtake > 0.0 { WALL_REACH } else { 0.0 }
    }

    /// Whether there are any.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.keep_right > 0.0 || self.headway > 0.0
    }

    /// How narrow somebody makes itself after `seconds`, from 0 to 1: more and more while its way is free and yet it hardly
    /// moves `tempered` as it would, because its shoulders are between others'. Such arches hold discs for ever, and people
    /// only until they turn sideways.
    pub(super) fn squeezed(
        &self,
        so_far: f32,
        tempered: Vec2,
        wish: Vec2,
        among: &Among,
        seconds: f32,
    ) -> f32 {
        let way_is_free = tempered.length_squared() > FREE * FREE * wish.length_squared();
        let stands = among.velocity.dot(tempered) < HELD * tempered.length_squared();
        // Only among others who give way as well: nobody makes itself narrow for who keeps its way.
        let peers = |neighbour: &Neighbour| neighbour.role != Role::Foreign;
        let among_peers = !among.neighbours.is_empty() && among.neighbours.iter().all(peers);
        let change = if way_is_free && stands && among_peers { seconds } else { -seconds };
        (so_far + change / SQUEEZES).clamp(0.0, 1.0)
    }

    /// The preferred velocity that is left of `preferred` among others.
    pub(super) fn temper(&self, mut preferred: Vec2, among: &Among) -> Vec2 {
        if self.keep_right > 0.0 {
            preferred = self.give_way(preferred, among);
        }
        if self.headway > 0.0 {
            preferred = self.hold_back(preferred, among);
        }
        preferred
    }

    /// The preferred velocity of somebody who gives way to the right to those who want to come towards it, by up to 45°:
    /// so lanes form before anybody has to stop.
    fn give_way(&self, preferred: Vec2, among: &Among) -> Vec2 {
        let speed = preferred.length();
        if speed < 1e-6 {
            return preferred;
        }
        let forward = preferred / speed;
        let mut urge = 0.0f32;
        for neighbour in among.neighbours.iter().filter(|neighbour| neighbour.intent.dot(forward) < 0.0) {
            let along = neighbour.offset.dot(forward);
            let to_the_left = forward.perp_dot(neighbour.offset);
            if along > 0.0 && along < self.oncoming_reach && to_the_left < among.radius + neighbour.radius {
                urge = urge.max(1.0 - along / self.oncoming_reach);
            }
        }
        let right = Vec2::new(forward.y, -forward.x);
        (forward + right * (self.keep_right * urge)).normalize_or(forward) * speed
    }

    /// The preferred velocity of somebody who keeps its headway to those ahead, on the best of the ways that it looks at.
    fn hold_back(&self, preferred: Vec2, among: &Among) -> Vec2 {
        let speed = preferred.length();
        if speed < 1e-6 {
            return preferred;
        }
        let forward = preferred / speed;
        let ways = TURNS.map(|part| {
            let (sine, cosine) = libm::sincosf(part * self.overtake);
            Vec2::new(cosine, sine).rotate(forward)
        });
        let mut allowed = [speed; TURNS.len()];
        for neighbour in among.neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen) {
            // The same speed for both as V(s) has, but sooner where the one ahead sets out.
            let makes_room = self.anticipation * neighbour.velocity.dot(forward).max(0.0);
            let gap = neighbour.distance_squared.sqrt() - self.spacing + makes_room;
            let behind = gap / (self.headway + self.anticipation);
            if behind >= speed {
                continue;
            }
            let oncoming = neighbour.intent.dot(forward) < 0.0;
            for (turn, (way, allowed)) in ways.iter().zip(&mut allowed).enumerate() {
                // Who comes towards one is left to the mover, but nobody turns into its way.
                let is_ahead = neighbour.offset.dot(*way) > 0.0
                    && way.perp_dot(neighbour.offset).abs() < self.breadth
                    && (turn > 0 || !oncoming);
                if is_ahead {
                    *allowed = allowed.min(behind);
                }
            }
        }
        if allowed[0] >= speed || self.overtake == 0.0 {
            return forward * allowed[0].max(self.creep * speed);
        }
        for wall in among.walls {
            let distance = wall.length().max(1e-6);
            let room = (distance - among.radius).max(0.0) / self.headway;
            for (way, allowed) in ways.iter().zip(&mut allowed).skip(1) {
                let approach = way.dot(*wall) / distance;
                if approach > 0.0 {
                    *allowed = allowed.min(room / approach);
                }
            }
        }
        let mut best = (0, allowed[0]);
        for (turn, way) in ways.iter().enumerate().skip(1) {
            let gained = allowed[turn] * way.dot(forward);
            let drifts = forward.perp_dot(among.velocity) * TURNS[turn];
            let worth = if drifts > 0.0 { WORTH_GOING_ON } else { WORTH_A_TURN };
            if gained > best.1 * if best.0 == 0 { worth } else { 1.0 } {
                best = (turn, gained);
            }
        }
        ways[best.0] * allowed[best.0].max(self.creep * speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: Vec2) -> Neighbour {
        Neighbour { offset, radius: 0.2, distance_squared: offset.length_squared(), ..Neighbour::default() }
    }

    fn among<'a>(neighbours: &'a [Neighbour], walls: &'a [Vec2]) -> Among<'a> {
        Among { velocity: Vec2::X, radius: 0.2, neighbours, walls }
    }

    #[test]
    fn the_gap_sets_the_speed() {
        let manners = Manners { headway: 0.5, spacing: 0.4, breadth: 0.4, creep: 0.1, ..Manners::none() };
        let speed = |distance| manners.temper(Vec2::X * 1.3, &among(&[at(Vec2::X * distance)], &[])).x;
        assert!((speed(5.0) - 1.3).abs() < 1e-6);
        assert!((speed(0.7) - 0.6).abs() < 1e-5);
        assert!((speed(0.4) - 0.13).abs() < 1e-5);
        assert!((speed(-0.5) - 1.3).abs() < 1e-6);
        let bare = Manners::none().temper(Vec2::X * 1.3, &among(&[at(Vec2::X * 0.4)], &[]));
        assert!((bare.x - 1.3).abs() < 1e-6);
    }

    #[test]
    fn who_is_held_back_goes_where_there_is_room() {
        let manners = Manners::default();
        let ahead = at(Vec2::X * 0.7);
        let free = manners.temper(Vec2::X * 1.3, &among(&[ahead, at(Vec2::new(0.6, 0.6))], &[]));
        assert!(free.y < -0.2 && free.x > 0.6, "{free}");
        // Not into a wall, however much room there is before it, and not without need.
        let walls = [Vec2::new(0.0, -0.25)];
        let between = manners.temper(Vec2::X * 1.3, &among(&[ahead, at(Vec2::new(0.6, 0.6))], &walls));
        assert!(between.y > -0.1 && between.x < 0.6, "{between}");
        let alone = manners.temper(Vec2::X * 1.3, &among(&[], &walls));
        assert_eq!(alone, Vec2::X * 1.3);
    }
}
