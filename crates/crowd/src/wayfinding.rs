//! Where an agent goes: the stops of the scenario, or anywhere, and the way there.

use crate::crowd::Setting;
use crate::mind::Mind;
use crate::person::Errand;
use crate::random::Random;
use crate::shared::Shared;
use crate::situation::Influence;
use crowdloom_world::{Router, Stream};
use glam::Vec2;

/// What settling on a goal looks at.
pub(crate) struct Wayfinding<'a> {
    pub(crate) setting: &'a Setting,
    pub(crate) shared: &'a Shared,
    pub(crate) frame: u32,
}

/// An agent is at a way point when it is this near, in metres.
const WAY_POINT_REACHED: f32 = 1.0;

/// An agent is at its goal when it is this near, in metres.
const GOAL_REACHED: f32 = 0.8;

/// How far wanderers go, in metres: least and most.
const WANDERS: (f32, f32) = (10.0, 80.0);

/// Who goes round a point heads for this far ahead on the circle, in radians.
const ARC: f32 = 0.6;

/// Who goes straight on heads for a point this far ahead, in metres.
const FAR_AHEAD: f32 = 20.0;

/// An agent gets on when its way has become shorter by this much, in metres.
const GETS_ON: f32 = 0.4;

/// An agent that does not get on for this many frames has been blocked once.
const BLOCKED_FRAMES: u32 = 20;

/// An agent that does not get on for this many frames is stuck.
const STUCK_FRAMES: u32 = 180;

/// The share of those who are stuck that step back for a while.
const SHARE_THAT_RETREATS: f32 = 0.3;

impl Wayfinding<'_> {
    /// Settles where the agent goes and finds the way there; returns whether it leaves the scene.
    pub(crate) fn plan(
        &self,
        position: Vec2,
        mind: &mut Mind,
        influence: &Influence,
        random: &mut Random,
    ) -> bool {
        let Setting { book, ground, router, .. } = self.setting;
        let clearance = book.options().radius + 0.1;
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
                mind.diverted = true;
                mind.own_goal = mind.goal;
            }
            if mind.goal != Some(target) {
                mind.head_for(target);
            }
        } else if mind.diverted {
            // It stands where it was sent.
        } else if mind.is_near_goal(position, GOAL_REACHED) || self.is_at_stop(position, mind) {
            mind.arrivals += 1;
            mind.goal = None;
            if let Some(stop) = mind.stop.and_then(|stop| self.shared.scenario.stops.get(usize::from(stop))) {
                if stop.exit {
                    return true;
                }
                mind.stays_until = self.frame + stop.stay.draw(random);
            }
        }
        if !mind.diverted && self.follow_errand(position, mind, random) {
            return false;
        }
        if mind.goal.is_none() && self.frame >= mind.stays_until {
            let scenario = &self.shared.scenario;
            let first = mind.bound_for.take();
            let next = first.or_else(|| mind.stop.and_then(|stop| scenario.after(stop, random)));
            if next.is_some() {
                mind.stop = next;
            }
            let regions = next.map_or(&[][..], |stop| &scenario.stops[usize::from(stop)].regions);
            let region = match regions {
                [] => None,
                [only] => Some(*only),
                several => Some(several[random.below(several.len() as u32) as usize]),
            };
            let region = region.map(|region| &ground.regions()[region]);
            let goal = match (region, next.is_some() || mind.wanders) {
                (Some(region), _) => {
                    ground.random_point(Some(region), clearance + 0.05, &mut Stream::new(random.bits(), 0))
                }
                (None, true) => self.somewhere_near(position, clearance + 0.05, random),
                (None, false) => None,
            };
            if let Some(goal) = goal {
                mind.head_for(goal);
            }
        }
        let Some(goal) = mind.goal else { return false };
        self.mind_progress(position, mind, random);
        if mind.way_points.is_empty() {
            let from = ground.nearest_free(position, clearance).unwrap_or(position);
            let to = ground.nearest_free(goal, clearance).unwrap_or(goal);
            match router.route(from, to, clearance) {
                Ok(route) => {
                    mind.way_points = route.way_points;
                    mind.way_points.shrink_to_fit();
                    mind.next = 1;
                }
                // Nobody can get there: the wish is given up.
                Err(_) => mind.goal = None,
            }
        }
        while let Some(&way_point) = mind.way_points.get(usize::from(mind.next)) {
            let last = usize::from(mind.next) + 1 == mind.way_points.len();
            if last || way_point.distance(position) >= WAY_POINT_REACHED {
                break;
            }
            mind.next += 1;
            mind.least_left = f32::INFINITY;
        }
        false
    }

    /// Goes on with an errand; returns whether it needs no way over the ground.
    fn follow_errand(&self, position: Vec2, mind: &mut Mind, random: &mut Random) -> bool {
        let ground = &self.setting.ground;
        match &mut mind.errand {
            Errand::None | Errand::Stay(_) => false,
            Errand::Tour { tour, next } => {
                let Some(places) = self.shared.scenario.tours.get(usize::from(*tour)) else { return false };
                let region = |next: u16| &ground.regions()[places[usize::from(next) % places.len()]];
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
                mind.go_straight(position, centre + Vec2::new(cosine, sine).rotate(out) * (least + most) * 0.5);
                true
            }
            &mut Errand::Straight(direction) => {
                mind.go_straight(position, position + direction * FAR_AHEAD);
                true
            }
        }
    }

    /// A free place at a walk's distance: nobody wanders from one end of a city to the other.
    fn somewhere_near(&self, position: Vec2, clearance: f32, random: &mut Random) -> Option<Vec2> {
        let ground = &self.setting.ground;
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

    /// Whether the agent is in a region of the stop that it goes to.
    fn is_at_stop(&self, position: Vec2, mind: &Mind) -> bool {
        let stop = mind.stop.filter(|_| mind.goal.is_some());
        let stop = stop.and_then(|stop| self.shared.scenario.stops.get(usize::from(stop)));
        let is_in = |&region: &usize| self.setting.ground.regions()[region].contains(position);
        stop.is_some_and(|stop| stop.regions.iter().any(is_in))
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
        if stuck > STUCK_FRAMES && self.frame >= mind.retreats_until {
            mind.gained = self.frame;
            if random.unit() < SHARE_THAT_RETREATS {
                mind.retreats_until = self.frame + 60 + random.below(120);
            }
        }
    }
}
