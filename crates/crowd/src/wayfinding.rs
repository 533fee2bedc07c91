//! Where an agent goes: the stops of the scenario, or anywhere, and the way there.

use crate::choosing::THINKS_AGAIN;
use crate::crowd::Setting;
use crate::mind::Mind;
use crate::person::Errand;
use crate::random::Random;
use crate::shared::Shared;
use crate::situation::Influence;
use crowdloom_world::{Ground, MeshRouter, Router, Stream};
use glam::Vec2;

/// What settling on a goal looks at.
pub(crate) struct Wayfinding<'a> {
    pub(crate) setting: &'a Setting,
    pub(crate) shared: &'a Shared,
    pub(crate) frame: u32,
    /// The number of the agent.
    pub(crate) id: u32,
    /// Which way one faces.
    pub(crate) facing: Vec2,
    /// Whether one is on one's feet: who sits steps back for nobody.
    pub(crate) afoot: bool,
    /// Whether one is in a hurry: one's ways lead over roads, too.
    pub(crate) hurries: bool,
}

/// Bodies keep this much more than their radius off walls on their way, in metres …
const ROOM_ON_THE_WAY: f32 = 0.1;

/// … or less by this much where there is no other way, …
const TIGHT: f32 = 0.07;

/// … and a way point is in sight of whoever could walk straight to it with this much more room than moves need.
const ROOM_IN_SIGHT: f32 = 0.02;

/// An agent this near to a way point, in metres, goes on once it sees so far beyond it.
const AROUND_THE_CORNER: f32 = 1.2;

/// Way points that are farther away than this, in metres, are not passed.
const LOOKS_AHEAD: f32 = 10.0;

/// People go around a corner up to this much farther out than they must, in metres, each in a way of its own …
const BERTH: f32 = 1.5;

/// … but at doors and other narrow places only so much, in metres.
const BERTH_AT_DOORS: f32 = 0.2;

/// … and never so far that their way gets longer by more than this, in metres.
const DETOUR: f32 = 0.25;

/// The share of that room which they keep before they have passed the corner.
const BERTH_KEPT: f32 = 0.85;

/// Who is so near to a way point, in metres, has been there: its way goes on from there.
const AT_THE_CORNER: f32 = 0.2;

/// People look whether they still see where they are going once in so many frames, when blocked three times as often …
const LOOKS_AGAIN: u32 = 60;

/// … and at every step within this distance of a corner, in metres.
const LOOKS_CLOSELY: f32 = 2.0;

/// An agent is at its goal when it is this near, in metres.
const GOAL_REACHED: f32 = 0.8;

/// Who has been blocked so often in the region where it stays makes do with where it is.
const GIVES_UP_ITS_PLACE: u16 = 2;

/// How far wanderers go, in metres: least and most.
const WANDERS: (f32, f32) = (10.0, 80.0);

/// So many places come to the mind of who goes about; it goes to the one that it has to turn least for: people seldom turn on
/// their heels.
const PLACES_IN_MIND: usize = 3;

/// Who goes round a point heads for this far ahead on the circle, in radians.
const ARC: f32 = 0.6;

/// Who goes straight on heads for a point this far ahead, in metres.
const FAR_AHEAD: f32 = 20.0;

/// An agent gets on when its way has become shorter by this much, in metres.
const GETS_ON: f32 = 0.4;

/// An agent that does not get on for this many frames has been blocked once.
const BLOCKED_FRAMES: u32 = 20;

/// An agent that does not get on for this many frames is stuck.
const STUCK_FRAMES: u32 = 150;

/// The share of those who are stuck that step back for a while.
const SHARE_THAT_RETREATS: f32 = 0.6;

impl Wayfinding<'_> {
    /// Settles where the agent goes and finds the way there; returns whether it leaves the scene.
    pub(crate) fn plan(
        &self,
        position: Vec2,
        mind: &mut Mind,
        influence: &Influence,
        random: &mut Random,
    ) -> bool {
        let (ground, router) = (self.ground(), self.router());
        let clearance = self.clearance();
        if mind.diverted && influence.target.is_none() && !influence.stand {
            // Back to where it was going.
            mind.diverted = false;
            match mind.own_goal.take() {
                Some(own) => mind.head_for(own),
                None => mind.goal = None,
            }
        }
        if let Some(target) = influence.target {
            if !mind.diverted {
                mind.own_goal = mind.wish();
                mind.diverted = true;
            }
            if mind.goal != Some(target) {
                mind.head_for(target);
            }
        } else if mind.diverted {
            // It stands where it was sent.
        } else if self.is_at_goal(position, mind) || self.is_at_stop(position, mind) {
            mind.arrivals += 1;
            mind.goal = None;
            if let Some(stop) = mind.stop.and_then(|stop| self.shared.scenario.stops.get(usize::from(stop))) {
                if stop.exit {
                    return true;
                }
                mind.stays_until = self.frame + stop.stay.draw_frames(random);
            }
        }
        if !mind.diverted && self.follow_errand(position, mind, random) {
            return false;
        }
        self.try_again(mind);
        // A stay of a frame is none: who goes on does not stop first.
        if mind.goal.is_none() && self.frame + 1 >= mind.stays_until {
            let scenario = &self.shared.scenario;
            let first = mind.bound_for.take_if(|stop| scenario.is_open(*stop));
            let next = first.or_else(|| mind.stop.and_then(|stop| scenario.after(stop, random)));
            if next.is_some() {
                mind.stop = next;
            }
            let stop = next.map(|stop| &scenario.stops[usize::from(stop)]);
            match stop.and_then(|stop| self.choose_region(position, mind, stop, random)) {
                Some(region) => self.head_into(region, position, mind, random),
                None => {
                    mind.region = None;
                    let wanders = stop.is_some() || mind.wanders;
                    let mut somewhere = || self.somewhere_near(position, clearance + 0.05, random);
                    let goal = wanders.then(|| self.ahead(position, &mut somewhere));
                    if let Some(goal) = goal.flatten() {
                        mind.head_for(goal);
                    }
                }
            }
        }
        self.think_again(position, mind, random);
        let Some(goal) = mind.goal else { return false };
        self.mind_progress(position, mind, random);
        let hurry = if mind.blocked > 0 { 3 } else { 1 };
        let looks = self.frame >= mind.looked_in + LOOKS_AGAIN / hurry;
        if mind.way_points.is_empty() || looks && self.is_lost(position, mind) {
            let way = |clearance: f32| {
                let from = ground.nearest_free(position, clearance).unwrap_or(position);
                let to = ground.nearest_free(goal, clearance).unwrap_or(goal);
                router.route(from, to, clearance)
            };
            // Where the usual room is not to be had, a body that just fits must do.
            match way(clearance).or_else(|_| way(clearance - TIGHT)) {
                Ok(route) => {
                    mind.way_points = route.way_points;
                    mind.way_points.shrink_to_fit();
                    // Who has got onto a road goes back to where the way begins.
                    mind.next = u16::from(!self.setting.ground.is_road(position));
                    self.give_corners_a_berth(&mut mind.way_points, clearance, random);
                }
                // Nobody can get there. Who knows a way keeps to it.
                Err(_) if mind.way_points.is_empty() => self.wait_for_a_way(mind, random),
                Err(_) => {}
            }
        }
        let near = |corner: Vec2| corner.distance_squared(position) < LOOKS_CLOSELY * LOOKS_CLOSELY;
        if looks || mind.target().is_some_and(near) {
            while self.is_past_way_point(position, mind) {
                mind.next += 1;
                mind.least_left = f32::INFINITY;
            }
        }
        if looks {
            mind.looked_in = self.frame;
        }
        false
    }

    /// The ground that its ways lead over.
    pub(crate) fn ground(&self) -> &Ground {
        self.setting.ground_of_ways(self.hurries)
    }

    /// Its ways.
    pub(crate) fn router(&self) -> &MeshRouter {
        self.setting.router_of_ways(self.hurries)
    }

    /// How far in metres ways keep off walls.
    pub(crate) fn clearance(&self) -> f32 {
        self.setting.book.options().radius + ROOM_ON_THE_WAY
    }

    /// Heads for a place in a region, by its index.
    pub(crate) fn head_into(&self, region: usize, position: Vec2, mind: &mut Mind, random: &mut Random) {
        let (ground, regions) = (self.ground(), self.setting.ground.regions());
        let mut stream = Stream::new(random.bits(), 0);
        let clearance = self.clearance();
        // Where a region is narrow, a body that just fits must do.
        let rooms = [clearance + 0.05, clearance, clearance - ROOM_ON_THE_WAY];
        let mut somewhere = |room| ground.random_point(regions.get(region), room, &mut stream);
        let stop = mind.stop.and_then(|stop| self.shared.scenario.stops.get(usize::from(stop)));
        let leaves = stop.is_some_and(|stop| stop.exit);
        let place = rooms.into_iter().find_map(|room| match leaves {
            true => somewhere(room),
            false => self.ahead(position, || somewhere(room)),
        });
        let middle = || {
            let bounds = regions.get(region)?.bounds();
            ground.nearest_free(((bounds.min + bounds.max) * 0.5).as_vec2(), clearance)
        };
        if let Some(goal) = place.or_else(middle) {
            mind.head_for(goal);
            mind.region = Some(region as u16);
            // Not everybody thinks again at the same time.
            mind.chose_in = self.frame.saturating_sub(self.id * 37 % THINKS_AGAIN);
        }
    }

    /// Goes on with an errand; returns whether it needs no way over the ground.
    fn follow_errand(&self, position: Vec2, mind: &mut Mind, random: &mut Random) -> bool {
        let (ground, regions) = (self.ground(), self.setting.ground.regions());
        let stays = mind.goal.is_none() && self.frame < mind.stays_until;
        match &mut mind.errand {
            Errand::None | Errand::Stay(_) | Errand::Onward => false,
            _ if stays => true,
            Errand::Tour { tour, next } => {
                let Some(places) = self.shared.scenario.tours.get(usize::from(*tour)) else { return false };
                let region = |next: u16| &regions[places[usize::from(next) % places.len()]];
                if mind.goal.is_some() && region(*next).contains(position) {
                    *next = (*next + 1) % places.len() as u16;
                    mind.arrivals += 1;
                    mind.goal = None;
                }
                if mind.goal.is_none() {
                    let room = self.setting.book.options().radius + 0.15;
                    let mut stream = Stream::new(random.bits(), 0);
                    if let Some(goal) = ground.random_point(Some(region(*next)), room, &mut stream) {
                        mind.head_for(goal);
                    }
                }
                false
            }
            &mut Errand::Around { centre, between: [least, most] } => {
                let out = (position - centre).normalize_or(Vec2::X);
                let (sine, cosine) = libm::sincosf(ARC);
                mind.go_straight(
                    position,
                    centre + Vec2::new(cosine, sine).rotate(out) * (least + most) * 0.5,
                );
                true
            }
            &mut Errand::Straight(direction) => {
                mind.go_straight(position, position + direction * FAR_AHEAD);
                true
            }
        }
    }

    /// Whether somebody at `position` could walk straight to a place near by.
    fn sees(&self, position: Vec2, place: Vec2) -> bool {
        // Ways keep off walls by the clearance and no more: who follows one sees what is next on it.
        let radius = (self.setting.book.path_radius() + ROOM_IN_SIGHT).min(self.clearance() - ROOM_IN_SIGHT);
        self.sees_within(position, place, radius)
    }

    /// The same with this much room to either side, in metres.
    fn sees_within(&self, position: Vec2, place: Vec2, radius: f32) -> bool {
        let ground = self.ground();
        // Who stands nearer to a wall than that sees along it.
        let room = ground.nearest_wall(position).map_or(radius, |wall| wall.distance - 0.01);
        ground.straight_is_free(position, place, radius.min(room).max(0.05))
    }

    /// Whether the agent is through with its next way point: the one after it is in sight, or the way around the corner.
    fn is_past_way_point(&self, position: Vec2, mind: &Mind) -> bool {
        let next = usize::from(mind.next);
        let (Some(&corner), Some(&after)) = (mind.way_points.get(next), mind.way_points.get(next + 1)) else {
            return false;
        };
        let distance = corner.distance(position);
        let far = position + (after - position).clamp_length_max(distance + LOOKS_AHEAD);
        let beyond = || corner + (after - corner).clamp_length_max(AROUND_THE_CORNER);
        // Who goes round in a wide curve does not cut it short.
        let ground = self.ground();
        let kept = || ground.nearest_wall(corner).map_or(0.0, |wall| BERTH_KEPT * wall.distance);
        let kept = || if self.is_narrow(position, corner, after) { 0.0 } else { kept() };
        let room = || kept().max(self.setting.book.path_radius() + ROOM_IN_SIGHT);
        distance < LOOKS_AHEAD && self.sees_within(position, far, room())
            || distance < AROUND_THE_CORNER && self.sees(position, beyond())
            || distance < AT_THE_CORNER && self.ground().straight_is_free(position, beyond(), 0.05)
    }

    /// Whether the agent does not see any more where it is heading.
    fn is_lost(&self, position: Vec2, mind: &Mind) -> bool {
        let Some(target) = mind.target() else { return false };
        !self.sees(position, position + (target - position).clamp_length_max(LOOKS_AHEAD))
    }

    /// Whether the way around a corner leads through a narrow place.
    fn is_narrow(&self, before: Vec2, corner: Vec2, after: Vec2) -> bool {
        let ground = self.ground();
        // Corners are in the middle of gates as often as not.
        let a_little = |way: Vec2| way.normalize_or_zero() * 0.3;
        let there = ground.gate_between(before, corner + a_little(corner - before));
        there.or_else(|| ground.gate_between(corner - a_little(after - corner), after)).is_some()
    }

    /// Moves the corners of a way out into the open, as far as there is room: not everybody cuts them alike.
    fn give_corners_a_berth(&self, way: &mut [Vec2], clearance: f32, random: &mut Random) {
        let ground = self.ground();
        // The same at all corners: a curve of many corners is gone round in a curve.
        let share = random.unit();
        for index in 1..way.len().saturating_sub(1) {
            let corner = way[index];
            let Some(wall) = ground.nearest_wall(corner) else { continue };
            let out = (corner - wall.point).normalize_or_zero();
            let berth =
                if self.is_narrow(way[index - 1], corner, way[index + 1]) { BERTH_AT_DOORS } else { BERTH };
            let room = ground.cast_ray(corner, out, berth + 2.0 * clearance) - clearance;
            let (before, after) = (way[index - 1], way[index + 1]);
            let round = |by: Vec2| before.distance(by) + by.distance(after);
            let free = |from, to| ground.straight_is_free(from, to, clearance - 0.01);
            // Not so far that one has to come back from there.
            let outs = [1.0, 0.5, 0.25].map(|part| corner + out * (room.min(berth) * share * part));
            let fits = |moved: &Vec2| {
                round(*moved) < round(corner) + DETOUR && free(before, *moved) && free(*moved, after)
            };
            if room > 0.0
                && let Some(moved) = outs.into_iter().find(fits)
            {
                way[index] = moved;
            }
        }
    }

    /// Whether the agent has reached its goal.
    fn is_at_goal(&self, position: Vec2, mind: &Mind) -> bool {
        let straight = |goal| self.ground().straight_is_free(position, goal, 0.05);
        mind.errand != Errand::Onward
            && mind.is_near_goal(position, GOAL_REACHED)
            && mind.goal.is_some_and(straight)
    }

    /// Of some places the one that is ahead rather than behind.
    fn ahead(&self, position: Vec2, mut place: impl FnMut() -> Option<Vec2>) -> Option<Vec2> {
        let ahead = |place: Vec2| self.facing.dot((place - position).normalize_or_zero());
        let places = (0..PLACES_IN_MIND).map_while(|_| place());
        places.max_by(|&a, &b| ahead(a).total_cmp(&ahead(b)))
    }

    /// A free place at a walk's distance: nobody wanders from one end of a city to the other.
    fn somewhere_near(&self, position: Vec2, clearance: f32, random: &mut Random) -> Option<Vec2> {
        let ground = self.ground();
        let bounds = ground.bounds();
        let (low, high) = (bounds.min.as_vec2(), bounds.max.as_vec2());
        if (high - low).max_element() < 2.0 * WANDERS.1 {
            return ground.random_point(None, clearance, &mut Stream::new(random.bits(), 0));
        }
        let distance = random.between(WANDERS.0, WANDERS.1);
        let (sine, cosine) = libm::sincosf(random.between(0.0, std::f32::consts::TAU));
        let point = (position + Vec2::new(cosine, sine) * distance).clamp(low, high);
        ground.nearest_free(point, clearance)
    }

    /// Whether the agent is in a region of the stop that it goes to. Who stays there goes on to a place of its own, as long as it
    /// gets on: all would stand where they come in.
    fn is_at_stop(&self, position: Vec2, mind: &Mind) -> bool {
        let stop = mind.stop.filter(|_| mind.goal.is_some());
        let stop = stop.and_then(|stop| self.shared.scenario.stops.get(usize::from(stop)));
        let is_in = |&region: &usize| self.setting.ground.regions()[region].contains(position);
        stop.is_some_and(|stop| {
            let goes_on = !stop.exit && !stop.stay.is_nothing() && mind.blocked < GIVES_UP_ITS_PLACE;
            !goes_on && stop.regions.iter().any(is_in)
        })
    }

    /// Notices whether the agent gets on; who does not grows impatient, and some of those who are stuck step back for a
    /// while so that others can pass.
    fn mind_progress(&self, position: Vec2, mind: &mut Mind, random: &mut Random) {
        let Some(target) = mind.target() else { return };
        let left = target.distance(position);
        if left < mind.least_left - GETS_ON {
            mind.least_left = left;
            mind.gained = self.frame;
        }
        let stuck = self.frame.saturating_sub(mind.gained);
        mind.blocked = (stuck / BLOCKED_FRAMES).min(u32::from(u16::MAX)) as u16;
        if self.afoot && stuck > STUCK_FRAMES && self.frame >= mind.retreats_until {
            mind.gained = self.frame;
            if random.unit() < SHARE_THAT_RETREATS {
                mind.retreats_until = self.frame + 60 + random.below(120);
            }
        }
    }
}
