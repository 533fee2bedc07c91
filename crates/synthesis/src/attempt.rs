//! Planning one agent, goal after goal, in steps of bounded work.

use crate::failure::{Failure, Reason};
use crate::fan::remaining;
use crate::goal::{Goal, Task, When};
use crate::join::{Free, Join, Terms};
use crate::leg::Leg;
use crate::motion::Motion;
use crate::planner::Planner;
use crate::polish::Polish;
use crate::search::{Effort, Found, Pair, Search};
use crate::seed::{Errand, Scratch};
use crate::spot::Spot;
use crate::surroundings::{Obstacle, Surroundings};
use crate::traffic::{Heed, Owner};
use crate::walk::{Held, Walk};
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{FRAME_RATE, FRAME_TIME, Placement};
use crowdloom_world::{Ground, Stream};
use glam::Vec2;

/// Ways of doing it that are tried for each goal: when to leave, how fast, on which side.
const ROUNDS: u32 = 48;
/// How many of them before an earlier leg is made anew.
const SOME_ROUNDS: u32 = 16;
/// How often an earlier leg is made anew because the next one fails.
const MOST_RETRIES: u32 = 6;
/// Joined motions that may turn out to collide in one round.
const MOST_COLLISIONS: usize = 10;
/// From this round on chance decides a little between clips, by this much in metres: the same ways would fail again.
const FIRST_WHIM: u32 = 10;
const WHIM: f32 = 0.6;
/// From this round on seeds retreat from dead ends, so often, and chance decides how to set out and to arrive, by so many
/// metres.
const FIRST_RETREAT: u32 = 16;
const MOST_RETREATS: usize = 12;
const PATH_WHIM: f32 = 2.4;
/// Speeds differ by at most these factors from the wanted one, in later rounds.
const PACES: [f32; 5] = [1.0, 0.82, 1.22, 0.66, 1.4];

/// The longest that anybody waits, and that a leg takes, in frames.
const LONGEST_WAIT: u32 = 3000;
const LONGEST_LEG: u32 = 1 << 20;
/// Those who wait without need wait no longer than this, in frames; four times as long where nothing else helped.
const USUAL_WAIT: u32 = 240;

/// Seeds keep this much more off walls and people, in metres, because they are displaced later.
const SEED_MARGIN: f32 = 0.1;
/// Setting out within this many frames of what was thought meets the same people.
const SAME_TIME: u32 = 5;

/// Ways shorter than this, in metres, leave little room to turn.
const SHORT_WAY: f32 = 4.0;

/// Lists that planning needs, kept from agent to agent.
#[derive(Default)]
pub(crate) struct Workspace {
    seed: Scratch,
    pool: Vec<Pair>,
    polish: Polish,
    trace: Vec<Vec2>,
    way: Vec<Vec2>,
}

/// One agent on its way through its goals.
#[derive(Clone, Debug)]
pub struct Attempt {
    agent: usize,
    first_frame: u32,
    legs: Vec<Leg>,
    /// Positions from the first frame on.
    trace: Vec<Vec2>,
    /// The round that each leg was found in.
    rounds: Vec<u32>,
    round: u32,
    /// Ways of doing it that failed for the goal at hand.
    tried: Vec<Variant>,
    retries: u32,
    ways: Vec<Vec<Vec2>>,
    effort: Effort,
    best: Option<Join>,
    obstacle: Option<Obstacle>,
    /// Who was in the way, and how often.
    met: Vec<(Owner, u32)>,
    failure: Option<Failure>,
}

/// How far an attempt is.
#[derive(Clone, Debug)]
pub enum Status {
    /// There is more to do.
    Working,
    /// All goals are met, or as many as could be.
    Done,
}

/// What one goal asks, worked out.
struct Aim {
    start: Placement,
    node: NodeId,
    first_frame: u32,
    goal: Placement,
    goal_node: NodeId,
    free: Free,
    /// Least and most frames from the first.
    window: Option<(u32, u32)>,
    last: bool,
}

impl Attempt {
    /// Starts planning an agent that is at its start in `first_frame`.
    pub fn new(agent: usize, first_frame: u32) -> Self {
        Self {
            agent,
            first_frame,
            legs: Vec::new(),
            trace: Vec::new(),
            rounds: Vec::new(),
            round: 0,
            tried: Vec::new(),
            retries: 0,
            ways: Vec::new(),
            effort: Effort::default(),
            best: None,
            obstacle: None,
            met: Vec::new(),
            failure: None,
        }
    }

    /// Those in the way of an attempt that failed, the most often met first.
    pub(crate) fn blockers(&mut self) -> impl Iterator<Item = Owner> + '_ {
        self.met.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        self.met.iter().filter(|_| self.failure.is_some()).map(|&(owner, _)| owner)
    }

    /// Notes who was in the way.
    fn meet(&mut self, owner: Option<Owner>) {
        let Some(owner) = owner else { return };
        match self.met.iter_mut().find(|(own, _)| *own == owner) {
            Some((_, count)) => *count += 1,
            None => self.met.push((owner, 1)),
        }
    }

    /// How much was tried so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Tries one way of meeting the next goal.
    pub(crate) fn step(
        &mut self,
        planner: &Planner,
        task: &Task,
        arrivals: &[Option<u32>],
        work: &mut Workspace,
    ) -> Status {
        let index = self.legs.len();
        if self.failure.is_some() || index >= task.goals.len() {
            return Status::Done;
        }
        let aim = match self.aim(planner, task, index, arrivals) {
            Ok(aim) => aim,
            Err(reason) => return self.fail(task, reason),
        };
        if let Err(reason) = self.find_way(planner, &aim, index) {
            return self.fail(task, reason);
        }
        if self.round == 0
            && let Err(reason) = self.check(planner, &aim, index)
        {
            return self.fail(task, reason);
        }
        work.seed.met = None;
        let found = self.try_round(planner, &aim, index, work);
        if let Some(leg) = found {
            self.legs.push(leg);
            self.trace.truncate((aim.first_frame - self.first_frame) as usize);
            self.trace.extend_from_slice(&work.trace);
            self.rounds.push(self.round);
            self.round = 0;
            self.tried.clear();
            self.best = None;
            self.obstacle = None;
            self.met.clear();
            return if self.legs.len() == task.goals.len() { Status::Done } else { Status::Working };
        }
        self.meet(work.seed.met);
        self.round += 1;
        // Rather meet the goal before in another way than try for long.
        let goes_back = index > 0 && self.retries < MOST_RETRIES;
        if self.round < if goes_back { SOME_ROUNDS } else { ROUNDS } {
            return Status::Working;
        }
        if goes_back {
            self.tried.clear();
            self.retries += 1;
            let leg = self.legs.pop();
            let first = leg.map_or(self.first_frame, |leg| leg.first_frame());
            self.trace.truncate((first - self.first_frame) as usize + usize::from(index > 1));
            self.ways.truncate(index - 1);
            self.round = self.rounds.pop().unwrap_or(0) + 1;
            if self.round < ROUNDS {
                return Status::Working;
            }
        }
        let reason = self.reason(planner, &aim, index);
        self.fail(task, reason)
    }

    fn fail(&mut self, task: &Task, reason: Reason) -> Status {
        self.failure = Some(Failure {
            agent: self.agent,
            name: task.name.clone(),
            goal: self.legs.len(),
            distance: self.best.map(|join| join.error),
            reason,
            effort: self.effort,
        });
        Status::Done
    }

    fn aim(
        &self,
        planner: &Planner,
        task: &Task,
        index: usize,
        arrivals: &[Option<u32>],
    ) -> Result<Aim, Reason> {
        let (start, node, first_frame) = match self.legs.last() {
            None => (task.start, task.pose, self.first_frame),
            Some(leg) => (leg.end(), leg.end_node(), leg.last_frame()),
        };
        let Goal { at, facing, pose, time } = task.goals[index];
        let graph = planner.repertoire.graph();
        if at.is_some_and(|at| !at.is_finite())
            || facing.is_some_and(|facing| !facing.is_finite() || facing.abs() > 1e4)
        {
            return Err(Reason::Senseless("its place or facing is not a number"));
        }
        if !(start.position.is_finite() && start.heading.is_finite() && start.heading.abs() < 1e4) {
            return Err(Reason::Senseless("the start is not a number"));
        }
        if node.index() >= graph.nodes().len() || pose.is_some_and(|pose| pose.index() >= graph.nodes().len())
        {
            return Err(Reason::Senseless("there is no such pose"));
        }
        let last = index + 1 == task.goals.len();
        let mode = planner.repertoire.mode_of(node);
        let through = || mode.map_or(node, |mode| planner.repertoire.modes[mode].main);
        let goal_node = pose.unwrap_or_else(|| if last { planner.standing } else { through() });
        let window = match time {
            None => None,
            Some(time) if !time.is_sound() => return Err(Reason::Senseless("its times are no interval")),
            Some(When::Between { from, to }) => Some(self.frames_from(0.0, from, to, first_frame)),
            Some(When::AfterArrival { of, from, to }) => match arrivals.get(of).copied().flatten() {
                Some(arrival) => Some(self.frames_from(arrival as f32, from, to, first_frame)),
                None => return Err(Reason::AwaitedFails(planner.name(of as u32))),
            },
        };
        let goal =
            Placement { position: at.unwrap_or(start.position), heading: facing.unwrap_or(start.heading) };
        let free = Free { position: at.is_none(), heading: facing.is_none() };
        Ok(Aim { start, node, first_frame, goal, goal_node, free, window, last })
    }

    /// An interval in seconds as frames from `first_frame`: whole frames inside it, or the nearest one.
    fn frames_from(&self, base: f32, from: f32, to: f32, first_frame: u32) -> (u32, u32) {
        let (from, to) = (base + from * FRAME_RATE, base + to * FRAME_RATE);
        let (mut least, mut most) = ((from - 1e-3).ceil(), (to + 1e-3).floor());
        if least > most {
            let middle = ((from + to) * 0.5).round();
            (least, most) = (middle, middle);
        }
        let since = |frame: f32| (frame as i64 - i64::from(first_frame)).max(0) as u32;
        (since(least), since(most))
    }

    fn find_way(&mut self, planner: &Planner, aim: &Aim, index: usize) -> Result<(), Reason> {
        if self.ways.len() > index {
            return Ok(());
        }
        let (from, to) = (aim.start.position, aim.goal.position);
        let way = if aim.free.position {
            vec![from, to]
        } else {
            planner.ways.way(from, to, planner.options.radius).map_err(Reason::NoWay)?
        };
        self.ways.push(way);
        Ok(())
    }

    /// Whether the goal can be met at all.
    fn check(&self, planner: &Planner, aim: &Aim, index: usize) -> Result<(), Reason> {
        let Planner { room, options, repertoire, .. } = planner;
        if !aim.free.position && !room.ground().is_free(aim.goal.position, options.radius) {
            let nearest = room.ground().nearest_free(aim.goal.position, options.radius);
            return Err(Reason::InWall { nearest });
        }
        if index == 0 && !room.ground().is_free(aim.start.position, options.radius) {
            return Err(Reason::StartBlocked("a wall".into()));
        }
        let graph = repertoire.graph();
        let reachable = repertoire.mode_of(aim.node).is_some_and(|mode| {
            let mode = &repertoire.modes[mode];
            !mode.launches[aim.node.index()].items.is_empty()
                && !mode.landings[aim.goal_node.index()].items.is_empty()
        });
        if !reachable {
            let name = |node: NodeId| graph.node(node).name.clone();
            return Err(Reason::NoClips { from: name(aim.node), to: name(aim.goal_node) });
        }
        Ok(())
    }

    /// The reason of a failure that only the search could tell.
    fn reason(&self, planner: &Planner, aim: &Aim, index: usize) -> Reason {
        let length = length(&self.ways[index]);
        if let Some((_, most)) = aim.window {
            let needed = length / (planner.fastest() * 1.07);
            let given = most as f32 * FRAME_TIME;
            if given < needed {
                return Reason::TooLittleTime { given, needed, length };
            }
        }
        let heed = Heed { own: self.agent as u32, claims: false };
        let around = self.surroundings(planner, heed);
        let last = i32::MAX - 16;
        if !aim.free.position
            && let Some(Obstacle::Somebody(owner)) =
                around.standing_obstacle(aim.goal.position, last.min(planner.traffic.latest()))
        {
            return Reason::Occupied(planner.name(owner));
        }
        match self.obstacle {
            Some(Obstacle::Somebody(owner)) => Reason::Blocked(planner.name(owner)),
            Some(Obstacle::Wall) => Reason::Blocked("a wall".into()),
            None => Reason::TooFar,
        }
    }

    fn surroundings<'p>(&self, planner: &'p Planner, heed: Heed) -> Surroundings<'p> {
        Surroundings { room: &planner.room, traffic: &planner.traffic, body: planner.options.radius, heed }
    }

    fn try_round(&mut self, planner: &Planner, aim: &Aim, index: usize, work: &mut Workspace) -> Option<Leg> {
        let Planner { options, repertoire, room, .. } = planner;
        let round = self.round;
        let heed = Heed { own: self.agent as u32, claims: round < ROUNDS / 2 };
        let surroundings = self.surroundings(planner, heed);
        let way = &self.ways[index];
        let length = length(way) + turning(way, aim);
        if let Some(leg) = self.already_there(planner, aim, &surroundings, &mut work.trace) {
            return Some(leg);
        }
        // Wait no longer than the place is free, and end where nobody passes later.
        let rests = repertoire.graph().node(aim.node).rest;
        let now = aim.first_frame as i32;
        let most_wait = if options.waiting && rests {
            let until = planner.traffic.free_until(aim.start.position, now, options.radius, heed);
            until.map_or(LONGEST_WAIT, |until| (until - now - 1).max(0) as u32)
        } else {
            0
        };
        let waiting = most_wait > 0;
        let mut window = aim.window;
        if aim.last && !aim.free.position {
            let clear = planner.traffic.clear_from(aim.goal.position, options.radius, heed);
            let Some(clear) = clear else {
                let owner = planner.traffic.meets_standing(aim.goal.position, now, options.radius, heed);
                self.obstacle = owner.map(Obstacle::Somebody);
                self.meet(owner);
                return None;
            };
            let clear = (clear - now).max(0) as u32;
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
            let slowest = needed(least.max(1)) * 1.04 * variant.pace.max(1.0 / variant.pace);
            pace = if aim.window.is_none() {
                // Nothing but others ask for time: wait, and go slower where waiting is not enough.
                let moving = least.saturating_sub(most_wait).max(1);
                pace.min((needed(moving) * 1.04).max(options.pace * 0.6))
            } else if waiting {
                slowest.max(options.pace * 0.6)
            } else {
                slowest
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
        work.way.clear();
        work.way.extend_from_slice(way);
        let is_bent = variant.bend(&mut work.way, room.ground(), options.radius + SEED_MARGIN);
        let same = Variant { delay: departs, side: if is_bent { variant.side } else { 0.0 }, ..variant };
        if round < FIRST_WHIM {
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
            way: &work.way,
            pace,
            whim: if round < FIRST_WHIM { 0.0 } else { WHIM },
            path_whim: if round < FIRST_RETREAT { 0.0 } else { PATH_WHIM },
            retreats: if round < FIRST_RETREAT { 0 } else { MOST_RETREATS },
        };
        if work.pool.is_empty() {
            let empty = |held| Walk::new(held, goal, aim.node);
            let join = Join { forward: 0, backward: 0, cost: f32::INFINITY, error: f32::INFINITY, frames: 1 };
            work.pool.push(Pair { forward: empty(Held::Start), backward: empty(Held::End), join });
        }
        work.pool.truncate(1);
        let Pair { forward, backward, .. } = &mut work.pool[0];
        let purpose = (self.agent as u64) << 24
            | (index as u64) << 16
            | u64::from(round) << 8
            | u64::from(self.retries);
        let mut random = Stream::new(options.seed, purpose);
        work.seed.random = Some(random.clone());
        let terms = Terms::new(options, aim.free, window, most_wait);
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
        let delay = errand.first_frame - aim.first_frame;
        let tail = if aim.last { way_to_rest(planner, aim.goal_node) } else { Vec::new() };
        let search = Search {
            repertoire,
            surroundings,
            terms,
            tolerance: options.tolerance,
            pairs: options.pairs,
            kept: options.kept,
            iterations: (options.iterations / 100 / 4).max(1) << (4 * round / ROUNDS).min(6),
            polishing: options.polishing,
            hasty: round < ROUNDS / 2,
            random: round >= FIRST_WHIM,
            most_collisions: MOST_COLLISIONS,
            first_frame: aim.first_frame,
            delay,
            stands: aim.last,
            tail: &tail,
        };
        match search.run(&mut work.pool, &mut random, &mut work.polish, &mut work.trace, &mut self.effort) {
            Found::Leg(leg) => Some(leg),
            Found::Nothing { best, obstacle } => {
                let better = |best: Join| self.best.is_none_or(|old| best.error < old.error);
                if let Some(best) = best.filter(|&best| better(best)) {
                    self.best = Some(best);
                }
                self.obstacle = obstacle.or(self.obstacle);
                self.meet(obstacle.and_then(Obstacle::owner));
                None
            }
        }
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
        let stays = planner.repertoire.graph().node(aim.node).rest && aim.node == aim.goal_node;
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

    /// The motion so far, and what went wrong; stands where it ends, or leaves where it cannot.
    pub(crate) fn finish(mut self, planner: &Planner, task: &Task) -> (Motion, Option<Failure>, Vec<Vec2>) {
        let goals = self.legs.len();
        if self.failure.is_none()
            && let Some(last) = self.legs.last()
        {
            let tail = way_to_rest(planner, last.end_node());
            if !tail.is_empty() {
                self.legs.push(Leg::plain(
                    &planner.repertoire,
                    last.end(),
                    last.end_node(),
                    &tail,
                    last.last_frame(),
                ));
            }
        }
        if self.trace.is_empty() {
            self.trace.push(task.start.position);
        }
        let end = self.trace[self.trace.len() - 1];
        let last_frame = self.legs.last().map_or(self.first_frame, Leg::last_frame);
        let leaves = self.failure.is_some() && {
            let heed = Heed { own: self.agent as u32, claims: false };
            self.surroundings(planner, heed).standing_obstacle(end, last_frame as i32).is_some()
        };
        let motion = Motion::new(task.start, task.pose, self.first_frame, self.legs, goals, leaves);
        (motion, self.failure, self.trace)
    }
}

/// Metres that turning into a way and out of it adds to its length, about.
fn turning(way: &[Vec2], aim: &Aim) -> f32 {
    let (first, last) = (way[1], way[way.len() - 2]);
    let (start, goal) = (Spot::from(aim.start), Spot::from(aim.goal));
    let begin = remaining(&start, first, Held::Start) - start.position.distance(first);
    let end = remaining(&goal, last, Held::End) - goal.position.distance(last);
    if aim.free.position { 0.0 } else { begin + if aim.free.heading { 0.0 } else { end } }
}

/// Length of a way in metres.
fn length(way: &[Vec2]) -> f32 {
    way.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The clips from a node to rest.
fn way_to_rest(planner: &Planner, mut node: NodeId) -> Vec<ActionId> {
    let graph = planner.repertoire.graph();
    let mut actions = Vec::new();
    while let Some(action) = graph.toward_rest(node) {
        actions.push(action);
        node = graph.action(action).to;
        if actions.len() > graph.nodes().len() {
            break;
        }
    }
    actions
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

/// One way of doing it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Variant {
    /// Frames to wait first.
    delay: u32,
    /// Factor of the wanted speed.
    pace: f32,
    /// Metres to pass to the left of the straight way.
    side: f32,
}

impl Variant {
    /// The ways in the order in which they are tried: plain first.
    fn of(round: u32, most_wait: u32) -> Self {
        let half = round % (ROUNDS / 2);
        // Steps that share no factor with the lengths of the lists go through all combinations.
        let side = [0.0, 0.0, 1.2, -1.2, 2.4, -2.4][(half * 5 / 4 % 6) as usize];
        let share = [0.0, 0.12, 0.3, 0.06, 0.5, 0.2, 0.75, 1.0][(half % 8) as usize];
        let pace = PACES[(half / 2 % 5) as usize];
        let usual = if half < FIRST_WHIM { USUAL_WAIT } else { 4 * USUAL_WAIT };
        Self { delay: (share * most_wait.min(usual) as f32) as u32, pace, side }
    }

    /// Bends the longest stretch of a way to the side, where a body has room there; returns whether it did.
    fn bend(self, way: &mut Vec<Vec2>, ground: &Ground, body: f32) -> bool {
        if self.side == 0.0 {
            return false;
        }
        let stretch = |i: &usize| way[*i].distance_squared(way[*i + 1]);
        let Some(longest) = (0..way.len() - 1).max_by(|a, b| stretch(a).total_cmp(&stretch(b))) else {
            return false;
        };
        let (a, b) = (way[longest], way[longest + 1]);
        // A short way is lengthened a lot: room to turn, and motion enough to be adjusted.
        let side = if a.distance(b) > SHORT_WAY { self.side } else { 2.0 * self.side };
        let aside = (b - a).perp().normalize_or(Vec2::Y) * side;
        let middle = (a + b) * 0.5 + aside;
        if !ground.is_free(middle, body) {
            return false;
        }
        way.insert(longest + 1, middle);
        true
    }
}
