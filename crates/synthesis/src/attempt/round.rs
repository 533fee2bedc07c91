//! One way of meeting a goal, tried: seeds along the way, then the search.

use super::aim::Aim;
use super::variant::Variant;
use super::{Attempt, ROUNDS, Workspace, length, way_to_rest};
use crate::join::{Join, Terms};
use crate::leg::Leg;
use crate::nearby::{Ends, NEAR, Nearby, Open, QUICKEST, SOON};
use crate::options::Options;
use crate::planner::Planner;
use crate::search::{Effort, Found, Pair, Search};
use crate::seed::Errand;
use crate::spot::Spot;
use crate::surroundings::{Obstacle, Surroundings};
use crate::traffic::{Heed, Owner};
use crate::walk::{Held, Walk};
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{FRAME_RATE, FRAME_TIME, Placement};
use crowdloom_world::Stream;
use glam::Vec2;

/// Joined motions that may turn out to collide in one round.
const MOST_COLLISIONS: usize = 10;
/// From this round on chance decides a little between clips, by this much in metres: the same ways would fail again.
pub(super) const FIRST_WHIM: u32 = 10;
const WHIM: f32 = 0.6;
/// From this round on seeds retreat from dead ends, so often, and chance decides how to set out and to arrive, by so many
/// metres.
const FIRST_RETREAT: u32 = 16;
const MOST_RETREATS: usize = 12;
const PATH_WHIM: f32 = 2.4;
/// The longest that anybody waits, and that a leg takes, in frames.
const LONGEST_WAIT: u32 = LONGEST_LEG;
const LONGEST_LEG: u32 = 1 << 20;
/// The best motion to a goal that cannot be met is adjusted by so many times ε at most.
const BEST_EFFORT: f32 = 4.0;
/// A frame in which nobody moves any more.
const FOR_EVER: i32 = i32::MAX - 64;
/// Seeds keep this much more off walls and people, in metres, because they are displaced later.
const SEED_MARGIN: f32 = 0.1;
/// Steps to a goal near by pass aside by this share of what longer ways do …
const STEP_ASIDE: f32 = 0.6;
/// … and go at about this speed, in metres a second.
const STEPPING_PACE: f32 = 0.8;
/// Frames before somebody else comes in which one who need not wait there gets away.
const GETS_AWAY: i32 = 75;
/// Setting out within this many frames of what was thought meets the same people.
const SAME_TIME: u32 = 5;

impl Attempt {
    /// Tries the way of the round at hand.
    pub(super) fn try_round(
        &mut self,
        planner: &Planner,
        aim: &Aim,
        index: usize,
        work: &mut Workspace,
    ) -> Option<Leg> {
        let Planner { options, repertoire, room, .. } = planner;
        let round = self.round;
        let heed = Heed { own: self.agent as u32, claims: round < ROUNDS / 2 };
        let surroundings = self.surroundings(planner, heed);
        let way = &self.ways[index];
        let length = length(way) + aim.turning(way);
        if let Some(leg) = self.already_there(planner, aim, &surroundings, &mut work.trace) {
            return Some(leg);
        }
        // Wait no longer than the place is free, and end where nobody passes later.
        let rests = repertoire.graph().node(aim.node).rest;
        let now = aim.first_frame as i32;
        let asked = aim.window.map_or(0, |(least, _)| least);
        let may_rest = options.waiting && repertoire.graph().node(aim.goal_node).rest;
        let most_wait = if options.waiting && rests {
            let until = planner.traffic.free_until(aim.start.position, now, options.radius, heed);
            // Who can rest at the goal leaves before the other comes.
            let early = if may_rest && asked > 0 { GETS_AWAY } else { 1 };
            until.map_or(LONGEST_WAIT, |until| (until - now - early).max(0) as u32)
        } else {
            0
        };
        let waiting = most_wait > 0;
        let mut window = aim.window;
        // Who is early rests in the pose of the goal, once nobody passes there any more.
        let mut most_rest = if may_rest { asked } else { 0 };
        if aim.last && !aim.free.position {
            let clear = planner.traffic.clear_from(aim.goal.position, options.radius, heed);
            let Some(clear) = clear else {
                let owner = planner.traffic.meets_standing(aim.goal.position, now, options.radius, heed);
                self.meet(owner.map(Obstacle::Somebody));
                return None;
            };
            let clear = (clear - now).max(0) as u32;
            most_rest = most_rest.min(asked.saturating_sub(clear));
            let (least, most) = window.unwrap_or((0, LONGEST_LEG));
            if clear > least && clear <= most {
                window = Some((clear, most));
            }
        }
        let variant = Variant::of(round, most_wait);

        // Be in time: as fast as it takes, but no faster than that where time is long.
        let mut pace = options.pace * variant.pace;
        let nearest = repertoire.mode_of(aim.node)?;
        let mut mode = &repertoire.modes[nearest];
        if let Some((least, most)) = window {
            let landing = mode.landings[aim.goal_node.index()].items.first().map_or(0, |path| path.frames);
            let launch = mode.launches[aim.node.index()].items.first().map_or(0, |path| path.frames);
            let overhead = (landing + launch) as f32 * 0.5;
            let needed = |frames: u32| length / ((frames as f32 - overhead).max(15.0) * FRAME_TIME);
            let variety = 1.04 * variant.pace.max(1.0 / variant.pace);
            pace = if aim.window.is_none() {
                // Nothing but others ask for time: wait, and go slower where waiting is not enough.
                let moving = least.saturating_sub(most_wait).max(1);
                pace.min((needed(moving) * 1.04).max(options.pace * 0.6))
            } else {
                // At ease, unless that is too early; who can wait does not dawdle. Nobody comes too late, below.
                let quickest = needed(least.max(1)) * variety;
                let quickest =
                    if waiting || most_rest > 0 { quickest.max(options.pace * 0.6) } else { quickest };
                let in_time = needed(most.max(1)) * variety;
                pace.max(in_time).min(quickest)
            };
            pace = pace.min(planner.fastest()).max(needed(most.max(1)) * 1.02);
            mode = planner.mode_for(aim.node, aim.goal_node, pace).unwrap_or(mode);
        }
        let delay = if waiting { variant.delay } else { 0 };
        let mut goal = Spot::from(aim.goal);
        if aim.free.heading && !aim.free.position {
            let end = way[way.len() - 1] - way[way.len() - 2];
            if end.length_squared() > 1e-6 {
                let heading = libm::atan2f(end.y, end.x);
                goal = Spot::from(Placement { heading, ..aim.goal });
            }
        }
        let first_frame = aim.first_frame + delay;
        let expected = Errand::expected_frames(length, pace);
        let (least, most) = window.unwrap_or((0, LONGEST_LEG));
        let last_frame = aim.first_frame + (delay + expected).clamp(least, most);
        let departs =
            first_frame.max(last_frame.saturating_sub(expected)).min(aim.first_frame + most_wait.max(delay));
        let last_frame = if most_rest > 0 { last_frame.min(departs + expected) } else { last_frame };
        work.way.clear();
        work.way.extend_from_slice(way);
        let is_bent = variant.bend(&mut work.way, room.ground(), options.radius + SEED_MARGIN);
        let same = Variant { delay: departs, side: if is_bent { variant.side } else { 0.0 }, ..variant };
        if round < FIRST_WHIM {
            let same = (same, aim.goal_node);
            if self.tried.contains(&same) {
                return None;
            }
            self.tried.push(same);
        }
        let margin = if round < ROUNDS / 2 { SEED_MARGIN } else { 0.5 * SEED_MARGIN };
        let mut errand = Errand {
            repertoire,
            mode,
            surroundings: Surroundings { body: options.radius + margin, ..surroundings },
            start: aim.start.into(),
            start_node: aim.node,
            first_frame: departs,
            last_frame,
            latest_frame: aim.first_frame + most,
            goal,
            goal_node: aim.goal_node,
            metres_per_radian: if aim.free.heading { 0.0 } else { options.weights.metres_per_radian },
            way: &work.way,
            pace,
            whim: if round < FIRST_WHIM { 0.0 } else { WHIM },
            path_whim: if round < FIRST_RETREAT { 0.0 } else { PATH_WHIM },
            retreats: if round < FIRST_RETREAT && way.len() == 2 { 0 } else { MOST_RETREATS },
        };
        if work.pool.is_empty() {
            let empty = |held| Walk::new(held, goal, aim.node);
            work.pool.push(Pair {
                forward: empty(Held::Start),
                backward: empty(Held::End),
                join: Join::NONE,
            });
        }
        work.pool.truncate(1);
        let Pair { forward, backward, .. } = &mut work.pool[0];
        let purpose = (self.agent as u64) << 24
            | (index as u64) << 16
            | u64::from(round) << 8
            | u64::from(self.retries);
        let mut random = Stream::new(options.seed, purpose);
        work.seed.random = Some(random.clone());
        let terms = Terms::new(options, aim.free, window, [most_wait, most_rest]);
        let keeps_off_limbs = options.limbs && !self.touches && self.given_up.is_none();
        if keeps_off_limbs {
            touchable_of(planner, aim, &mut work.touchable);
        }
        let tail = if aim.last { way_to_rest(planner, aim.goal_node) } else { Vec::new() };
        let mut search = Search {
            repertoire,
            surroundings,
            terms,
            tolerance: options.tolerance * if self.given_up.is_some() { BEST_EFFORT } else { 1.0 },
            pairs: options.pairs,
            kept: options.kept,
            iterations: self.iterations(options),
            polishing: options.polishing,
            hasty: round < ROUNDS / 2,
            random: round >= FIRST_WHIM || options.polishing == 0,
            most_collisions: MOST_COLLISIONS,
            first_frame: aim.first_frame,
            delay,
            stands: aim.last,
            tail: &tail,
            touchable: keeps_off_limbs.then_some(&work.touchable),
        };
        if round % (ROUNDS / 2) < FIRST_WHIM
            && let Some(leg) = {
                let nearby = work.nearby.keep_best(options.beam);
                let side = if is_bent { variant.side } else { 0.0 };
                step_there(&search, aim, goal, (way, side), nearby, &mut work.trace, &mut self.effort)
            }
        {
            return Some(leg);
        }
        if aim.free.position {
            turn_seeds(planner, mode, aim, forward, backward)?;
        } else {
            errand.seeds(forward, backward, &mut work.seed)?;
            // Who has to wait sets out later than thought, and meets others elsewhere.
            let frames = forward.frames[forward.actions.len()];
            let departs = aim.first_frame + least.saturating_sub(frames).clamp(delay, most_wait.max(delay));
            if departs.abs_diff(errand.first_frame) > SAME_TIME {
                errand.first_frame = departs;
                errand.last_frame = departs + frames;
                errand.seeds(forward, backward, &mut work.seed)?;
            }
        }
        search.delay = errand.first_frame - aim.first_frame;
        match search.run(&mut work.pool, &mut random, &mut work.polish, &mut work.trace, &mut self.effort) {
            Found::Leg(leg) => Some(leg),
            Found::Nothing { best, obstacle } => {
                let better = |best: Join| self.best.is_none_or(|old| best.error < old.error);
                if let Some(best) = best.filter(|&best| better(best)) {
                    self.best = Some(best);
                }
                self.meet(obstacle);
                None
            }
        }
    }

    /// Iterations that the random search of the round at hand may take: more in later rounds, and all rounds of a goal together
    /// no more than N_max. As published, without polishing, one search takes them all.
    fn iterations(&self, options: &Options) -> usize {
        let spent = (self.effort.iterations - self.spent_before) as usize;
        let left = options.iterations.saturating_sub(spent);
        if options.polishing == 0 {
            return left;
        }
        left.min((options.iterations / 100 / 4).max(1) << (4 * self.round / ROUNDS).min(6))
    }

    /// Waiting, where the goal is met by staying.
    fn already_there(
        &self,
        planner: &Planner,
        aim: &Aim,
        surroundings: &Surroundings<'_>,
        trace: &mut Vec<Vec2>,
    ) -> Option<Leg> {
        let there = aim.free.position || aim.start.position.distance(aim.goal.position) < 1e-5;
        let turn = crate::join::near_angle(aim.start.heading - aim.goal.heading).abs();
        let stays =
            planner.repertoire.graph().node(aim.node).rest && (aim.any_pose || aim.node == aim.goal_node);
        let wait = aim.window.map_or(0, |(least, _)| least);
        if !there || !stays || !(aim.free.heading || turn < 1e-5) || wait > LONGEST_WAIT {
            return None;
        }
        let leg = Leg::waiting(
            Placement { heading: aim.goal.heading, ..aim.goal },
            aim.node,
            aim.first_frame,
            wait,
        );
        trace.clear();
        leg.trace(trace);
        let end = leg.last_frame() as i32;
        let free = surroundings.obstacle(trace, aim.first_frame as i32).is_none()
            && (!aim.last || surroundings.standing_obstacle(aim.goal.position, end).is_none());
        free.then_some(leg)
    }
}

/// Those whose limbs one touches as one starts, and who stand for ever where one is asked to end: no way changes that.
fn touchable_of(planner: &Planner, aim: &Aim, touchable: &mut Vec<Owner>) {
    let Planner { traffic, repertoire, .. } = planner;
    let outlines = &repertoire.outlines;
    touchable.clear();
    let mut note = |at: Placement, node: NodeId, frame: i32| {
        let stance = outlines.of_node(node, at.heading);
        let here = (&[at.position][..], frame);
        while let Some(owner) = traffic.touches(outlines, here, |_| stance, touchable) {
            touchable.push(owner);
        }
    };
    note(aim.start, aim.node, aim.first_frame as i32);
    if aim.last && !aim.free.position {
        note(aim.goal, aim.goal_node, FOR_EVER);
    }
}

/// A few small steps, where the goal is near by and in sight: straight, or passing by on one side.
fn step_there(
    search: &Search<'_>,
    aim: &Aim,
    goal: Spot,
    (way, side): (&[Vec2], f32),
    nearby: &mut Nearby,
    trace: &mut Vec<Vec2>,
    effort: &mut Effort,
) -> Option<Leg> {
    let (from, to) = (aim.start.position, aim.goal.position);
    if aim.free.position || from.distance_squared(to) > NEAR * NEAR || way.len() > 2 {
        return None;
    }
    let aside = (to - from).perp().normalize_or(Vec2::Y) * (side * STEP_ASIDE);
    let via = (side != 0.0).then(|| (from + to) * 0.5 + aside);
    let ends = Ends { start: aim.start.into(), node: aim.node, goal, goal_node: aim.goal_node, via };
    // Who comes too early waits first, about as long as straight steps would be too short.
    let steps = (from.distance(to) / STEPPING_PACE * FRAME_RATE) as u32;
    let least = search.terms.window.map_or(0, |(least, _)| least);
    let wait = search.delay.max(least.saturating_sub(steps)).min(search.terms.most_wait);
    let open = Around { surroundings: search.surroundings, departs: (search.first_frame + wait) as i32 };
    let hurried = Search { terms: Terms { hurry: Some((SOON, QUICKEST)), ..search.terms }, ..*search };
    let mut tried = Vec::new();
    let found = nearby.search(search.repertoire, ends, &search.terms, search.tolerance, &open, |pair| {
        effort.pairs += 1;
        let leg = hurried.attempt(pair, &mut tried, effort).ok()?;
        // What is tried later and does not do leaves the positions of what was found.
        std::mem::swap(trace, &mut tried);
        Some(leg)
    });
    effort.chains += nearby.chains() as u64;
    found
}

/// What chains of steps keep off.
struct Around<'a> {
    surroundings: Surroundings<'a>,
    departs: i32,
}

impl Open for Around<'_> {
    fn to_set_out(&self, positions: &[Vec2], frames: u32) -> bool {
        self.surroundings.obstacle(positions, self.departs + frames as i32).is_none()
    }

    fn to_arrive(&self, positions: &[Vec2]) -> bool {
        self.surroundings.room.is_free(positions, self.surroundings.body)
    }
}

/// Seeds where the place is free: the way in and out of locomotion that turns nearest to the wanted facing.
fn turn_seeds(
    planner: &Planner,
    mode: &crate::repertoire::Mode,
    aim: &Aim,
    forward: &mut Walk,
    backward: &mut Walk,
) -> Option<()> {
    let repertoire = &planner.repertoire;
    let landing = mode.landings[aim.goal_node.index()].items.iter().min_by_key(|path| path.frames)?;
    let start = Spot::from(aim.start);
    let miss = |path: &&crate::repertoire::Path| {
        let turned = start.heading + path.displacement.heading + landing.displacement.heading;
        let turn =
            if aim.free.heading { 0.0 } else { crate::join::near_angle(aim.goal.heading - turned).abs() };
        turn + path.frames as f32 * 1e-3
    };
    let launches = mode.launches[aim.node.index()].items.iter().filter(|path| path.core == landing.core);
    let launch = launches.min_by(|a, b| miss(a).total_cmp(&miss(b)))?;
    forward.reset(Held::Start, start, aim.node);
    for &action in &launch.actions {
        forward.push(repertoire, action);
    }
    for _ in 0..2 {
        let straight = mode.outgoing[landing.core.index()]
            .items
            .iter()
            .filter(|&&action| repertoire.clip(action).to == landing.core);
        if let Some(&action) = straight.min_by(|&&a, &&b| {
            let turn = |action: ActionId| repertoire.clip(action).displacement.heading.abs();
            turn(a).total_cmp(&turn(b))
        }) {
            forward.push(repertoire, action);
        }
    }
    let goal = Spot::from(aim.goal);
    *backward = Walk::ending(repertoire, goal, aim.goal_node, &landing.actions);
    Some(())
}
