//! What an agent remembers between decisions: cold data, touched only when it decides.

use crate::PastState;
use crate::cell_marking::Marking;
use crate::person::Errand;
use crate::reacting::Reaction;
use crate::situation::Visit;
use crate::vehicle::Ride;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Visits that need no memory besides the mind's own: few are in more situations at once.
const FEW_VISITS: usize = 3;

/// What is no farther along one's way than this, in metres, one is just going round.
const JUST_ROUND_THE_CORNER: f32 = 1.5;

/// What an agent is like, where it wants to go, and the situations that it is in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mind {
    /// The speed that the agent likes to walk at, in metres a second.
    pub speed: f32,
    /// Where it wants to be, in metres.
    pub goal: Option<Vec2>,
    /// Where it wants to be once no situation sends it elsewhere, or once there is a way, in metres.
    pub own_goal: Option<Vec2>,
    /// Whether a situation sends it elsewhere.
    pub diverted: bool,
    /// The way to the goal, in metres; empty until it is asked for.
    pub way_points: Vec<Vec2>,
    /// The next way point.
    pub next: u16,
    /// The frame in which it last looked whether it sees where it is going.
    pub looked_in: u32,
    /// How impatient it is: how often in a row it did not get on.
    pub blocked: u16,
    /// The least distance to its way point so far, in metres.
    pub least_left: f32,
    /// The frame in which it last got on.
    pub gained: u32,
    /// The frame until which it steps back to let others pass.
    pub retreats_until: u32,
    /// Whether it picks a new goal anywhere on the ground whenever it has none.
    pub wanders: bool,
    /// Whether it is in a hurry: it crosses roads anywhere and waits for no light.
    pub hurries: bool,
    /// What it is up to besides.
    pub errand: Errand,
    /// What it is called, by the number of the name; 0 where it has none.
    pub called: u16,
    /// What it does about others while they are in sight, if it is steered.
    pub reaction: Option<Reaction>,
    /// The first stop of the scenario that it goes to; `None` once it has set out.
    pub bound_for: Option<u16>,
    /// The stop of the scenario that it is going to, or at.
    pub stop: Option<u16>,
    /// The region of that stop that it chose, by its index.
    pub region: Option<u16>,
    /// The frame in which it last chose that.
    pub chose_in: u32,
    /// The frame until which it stays at its stop.
    pub stays_until: u32,
    /// The situations that it is in.
    pub visits: SmallVec<[Visit; FEW_VISITS]>,
    /// The node of the motion graph, by its number, in whose style it walks; `None` walks plainly.
    pub style: Option<u16>,
    /// Goals reached so far.
    pub arrivals: u32,
    /// What it did before, the last one last; kept only where a behaviour function may look at it.
    pub past: Vec<PastState>,
    /// The vehicle that it boards, is in, or gets off.
    pub ride: Option<Box<Ride>>,
    /// Whether a situation has it stand where it is, as it last heard.
    #[serde(skip)]
    pub stands: bool,
    /// What the way in which it plans captured motion, by its number, comes to for this person: drawn once.
    #[serde(skip)]
    pub marking: Option<(u16, Box<Marking>)>,
}

/// Whoever comes to a corner goes on for this far, in metres, where it tells where people head.
const ON_ROUND_THE_CORNER: f32 = 1.0;

/// The point of a way a little behind its first corner.
fn round_the_corner(way: &[Vec2]) -> Vec2 {
    let mut left = ON_ROUND_THE_CORNER;
    for pair in way.windows(2) {
        let length = pair[0].distance(pair[1]);
        if length > left {
            return pair[0] + (pair[1] - pair[0]) * (left / length);
        }
        left -= length;
    }
    way[way.len() - 1]
}

impl Mind {
    /// The point that the agent is heading for.
    pub fn target(&self) -> Option<Vec2> {
        self.goal.map(|goal| self.way_points.get(usize::from(self.next)).copied().unwrap_or(goal))
    }

    /// The point of its way for which somebody at `from` plainly heads, in metres: not a corner that it is just going round, and
    /// a little round the next one.
    pub(crate) fn heading_from(&self, from: Vec2) -> Option<Vec2> {
        let goal = self.goal.filter(|_| !self.stands)?;
        let corners = self.way_points.get(usize::from(self.next)..).unwrap_or_default();
        let (mut at, mut left) = (from, JUST_ROUND_THE_CORNER);
        for (number, &corner) in corners.iter().enumerate() {
            let length = at.distance(corner);
            if length > left {
                // Where the way turns there, it turns to where it goes.
                return Some(round_the_corner(&corners[number..]));
            }
            left -= length;
            at = corner;
        }
        Some(corners.last().copied().unwrap_or(goal))
    }

    /// Whether nothing but its goal is left of its way.
    pub fn heads_straight_for_goal(&self) -> bool {
        usize::from(self.next) + 1 >= self.way_points.len()
    }

    /// Where the agent itself wants to be, in metres, wherever situations send it.
    pub fn wish(&self) -> Option<Vec2> {
        if self.diverted { self.own_goal } else { self.goal.or(self.own_goal) }
    }

    /// Whether it waits for room to get on.
    pub fn waits(&self) -> bool {
        self.blocked > 0
    }

    /// Whether the stops that it goes to are among the `count` of a scenario.
    pub(crate) fn knows_its_stops(&self, count: usize) -> bool {
        [self.stop, self.bound_for].into_iter().flatten().all(|stop| usize::from(stop) < count)
    }

    /// Remembers what it begins to do, and of what it did before so much that there are `most` states.
    pub(crate) fn remember(&mut self, state: PastState, most: usize) {
        let forgotten = (self.past.len() + 1).saturating_sub(most);
        self.past.drain(..forgotten);
        self.past.push(state);
    }

    /// Sets a new goal; the way to it is found when it is needed.
    pub fn head_for(&mut self, goal: Vec2) {
        self.goal = Some(goal);
        self.way_points.clear();
        self.next = 0;
        self.blocked = 0;
        self.least_left = f32::INFINITY;
    }

    /// Goes to a stop of the scenario, by its number, instead of where it wanted to be.
    pub(crate) fn go_to_stop(&mut self, stop: u16) {
        (self.bound_for, self.stop, self.goal, self.own_goal, self.stays_until) =
            (Some(stop), None, None, None, 0);
    }

    /// Forgets the way to the goal: the ground has changed.
    pub(crate) fn plan_anew(&mut self) {
        self.way_points.clear();
        self.next = 0;
        self.least_left = f32::INFINITY;
    }

    /// Sets a goal that is gone to straight, without a way over the ground.
    pub(crate) fn go_straight(&mut self, from: Vec2, to: Vec2) {
        self.head_for(to);
        self.way_points = vec![from, to];
        self.next = 1;
    }

    /// Whether `position` is within `distance` metres of the goal.
    pub fn is_near_goal(&self, position: Vec2, distance: f32) -> bool {
        self.goal.is_some_and(|goal| goal.distance(position) < distance)
    }
}
