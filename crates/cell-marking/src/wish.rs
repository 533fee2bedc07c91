//! What somebody wants of its next second: the velocity that RVO proposes, and what follows from it.

use super::choice::Wish;
use super::marking::Marking;
use crowdloom_base::random::Random;
use crowdloom_motion::{Placement, wrap_angle};
use crowdloom_velocity::{MAX_WALLS, Memory, Neighbour, View, wall_ends_around};
use crowdloom_world::Ground;
use glam::Vec2;

/// What somebody sees who decides.
pub struct Seen<'a> {
    /// Where it is.
    pub place: Placement,
    /// How it moves, in metres a second.
    pub velocity: Vec2,
    /// From there to where it goes, in metres.
    pub to_goal: Vec2,
    /// How near to the goal, in metres, it has arrived; `None` for one who does not stop there.
    pub tolerance: Option<f32>,
    /// The speed that it likes, in metres a second.
    pub speed: f32,
    /// The radius of its disc in metres.
    pub radius: f32,
    /// Whether it has stood for so long that it goes by its own will.
    pub restless: bool,
    /// Who has lost its way turns from it by up to this angle, in radians.
    pub detour: Option<f32>,
    /// The others that it heeds.
    pub neighbours: &'a [Neighbour],
    /// Where walls are, if anywhere.
    pub ground: Option<&'a Ground>,
    /// Its random numbers.
    pub random: Random,
}

/// Nearer to its goal than this, in metres, one goes straight for it.
const IN_FRONT: f32 = 3.0;
/// Who stands farther off than this, in metres, is not gone around yet.
const LOOKS_AHEAD: f32 = 3.0;
/// Nobody bears farther from its way than this, in radians.
const MOST_GIVEN: f32 = 0.9;
/// Nearer to its goal than this, in metres, one who faces away from it by more than [`TURNS_FIRST`] stops first.
const TURNING_ROOM: f32 = 2.5;
/// See [`TURNING_ROOM`]; in radians.
const TURNS_FIRST: f32 = 0.7;
/// Who has not got on for this many times its patience goes anywhere.
pub const LOSES_DIRECTION: f32 = 4.0;
/// Largest angle in radians by which one who has lost patience turns from its way.
pub const DETOUR: f32 = 2.0;

impl Marking {
    /// The desired velocity, from RVO, and what follows from it.
    pub fn wish(&self, seen: Seen<'_>) -> Wish {
        let Seen { place, neighbours, restless, .. } = seen;
        let mut random = seen.random.clone();
        let distance = seen.to_goal.length();
        let straight = if distance > 1e-3 { seen.to_goal / distance } else { place.facing() };
        let around = self.way_around(&seen, straight, distance);
        let ahead = around.unwrap_or(straight);
        let arrived = seen.tolerance.is_some_and(|tolerance| distance <= tolerance);
        let slowed = if seen.tolerance.is_some() { seen.speed.min(distance) } else { seen.speed };
        let mut preferred = if arrived { Vec2::ZERO } else { ahead * slowed };
        if let Some(most) = seen.detour.filter(|_| restless) {
            let turn = Placement::new(0.0, 0.0, random.between(-most, most));
            preferred = turn.transform_point(ahead * seen.speed);
        }
        if !restless && (distance > IN_FRONT || seen.tolerance.is_none()) {
            let against = |other: &&Neighbour| {
                let along = other.offset.dot(ahead);
                other.intent != Vec2::ZERO
                    && other.velocity.dot(ahead) < 0.3
                    && along > 0.0
                    && other.offset.perp_dot(ahead).abs() < along
            };
            let nearness = |other: &Neighbour| 1.0 - other.distance_squared.sqrt() / self.neighbour_distance;
            let pressure: f32 = neighbours.iter().filter(against).map(nearness).sum();
            let turn = -(self.give_way * pressure).min(MOST_GIVEN);
            preferred = Placement::new(0.0, 0.0, turn).transform_point(preferred);
        }
        // Who has stood for long goes by its own will: promises keep it off others, RVO would have it stand.
        let velocity = if restless { preferred } else { self.proposed(&seen, preferred, random) };
        // Near the goal a walk bends too little to hit it: one stops, turns and goes straight.
        let turns_to = libm::atan2f(ahead.y, ahead.x);
        let off = wrap_angle(turns_to - place.heading).abs();
        let near = seen.tolerance.is_some() && !arrived && distance < TURNING_ROOM;
        if near && off > TURNS_FIRST && !restless {
            return Wish { velocity: Vec2::ZERO, location: Vec2::ZERO, heading: turns_to };
        }
        let arriving = seen.tolerance.is_some() && distance <= seen.speed && !restless && around.is_none();
        let facing = if velocity.length_squared() > 0.01 { velocity } else { ahead };
        let heading = if arrived { place.heading } else { libm::atan2f(facing.y, facing.x) };
        // RVO tells how fast and where to go (vel_opt), one's own will where that should end (loc_opt).
        Wish { velocity, location: if arriving { seen.to_goal } else { preferred }, heading }
    }

    /// The velocity that RVO proposes to one who would prefer another, in metres a second.
    fn proposed(&self, seen: &Seen<'_>, preferred: Vec2, random: Random) -> Vec2 {
        let mut walls = [[Vec2::ZERO; 2]; MAX_WALLS];
        let reach = self.personal_radius + self.horizon * self.top_speed;
        let near_walls = |ground: &Ground| wall_ends_around(ground, seen.place.position, reach, &mut walls);
        let wall_count = seen.ground.map_or(0, near_walls);
        let view = View {
            velocity: seen.velocity,
            preferred,
            aim: None,
            radius: self.personal_radius,
            max_speed: self.top_speed,
            memory: Memory::default(),
            neighbours: seen.neighbours,
            walls: &[],
            wall_ends: &walls[..wall_count],
            seconds: 1.0,
            random,
        };
        self.rvo().choose(&view).velocity
    }

    /// The direction past the nearest who stands in the way to a goal `distance` metres `ahead`, if anybody does.
    fn way_around(&self, seen: &Seen<'_>, ahead: Vec2, distance: f32) -> Option<Vec2> {
        if !self.goes_around {
            return None;
        }
        let clear = 2.0 * seen.radius + self.way_around;
        let blocks = |other: &&Neighbour| {
            let along = other.offset.dot(ahead);
            other.velocity == Vec2::ZERO
                && (0.0..distance.min(LOOKS_AHEAD)).contains(&along)
                && ahead.perp_dot(other.offset).abs() < clear
        };
        let nearest = |a: &&Neighbour, b: &&Neighbour| a.distance_squared.total_cmp(&b.distance_squared);
        let blocker = seen.neighbours.iter().filter(blocks).min_by(nearest)?;
        // On the side on which it is less in the way, and which one faces already; on the right where it is right ahead.
        let faced = ahead + seen.place.facing();
        let side = if faced.perp_dot(blocker.offset) > -0.02 { -1.0 } else { 1.0 };
        let beside = blocker.offset.normalize_or(ahead).perp() * (side * (clear + 0.05));
        (blocker.offset + beside).try_normalize()
    }

    /// Whether nobody is near ahead of one at `place`, and nobody stands near.
    pub fn has_elbow_room(&self, place: Placement, neighbours: &[Neighbour]) -> bool {
        let facing = place.facing();
        let near = self.elbow_room * self.elbow_room;
        let hinders = |other: &Neighbour| other.velocity == Vec2::ZERO || other.offset.dot(facing) > 0.0;
        !neighbours.iter().any(|other| other.distance_squared < near && hinders(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_base::random::Purpose;
    use crowdloom_velocity::Role;

    /// Somebody stands right ahead: RVO would go past, one's own will leads on. The weights say which counts more.
    #[test]
    fn what_rvo_proposes_and_where_one_wants_to_be_are_weighed_apart() {
        let in_the_way = Neighbour {
            offset: Vec2::X * 1.2,
            radius: 0.3,
            distance_squared: 1.44,
            role: Role::Foreign,
            ..Neighbour::default()
        };
        let neighbours = [in_the_way];
        let marking = Marking { safety: 3.0, give_way: 0.0, goes_around: false, ..Marking::default() };
        let wish = marking.wish(Seen {
            place: Placement::IDENTITY,
            velocity: Vec2::X,
            to_goal: Vec2::X * 10.0,
            tolerance: Some(0.4),
            speed: 1.3,
            radius: 0.25,
            restless: false,
            detour: None,
            neighbours: &neighbours,
            ground: None,
            random: Random::new(1, 0, 0, Purpose::STEERING),
        });
        assert!((wish.location - Vec2::X * 1.3).length() < 1e-5, "{wish:?}");
        assert!(wish.velocity.distance(wish.location) > 0.2, "{wish:?}");
        let end = |position: Vec2| Placement { position, heading: wish.heading };
        let prefers_own_way = |velocity: f32, location: f32| {
            let weighed = Marking { velocity, location, ..marking };
            let score = |place: Vec2| weighed.score(&wish, 0.0, end(place), 1.0);
            score(wish.location) < score(wish.velocity)
        };
        assert!(prefers_own_way(0.5, 1.0) && !prefers_own_way(1.0, 0.5));
    }
}
