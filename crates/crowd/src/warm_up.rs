//! A crowd that starts as if it had been going on: who wanders, goes from stop to stop or comes later is in the midst of a step,
//! who sets out faces its way, and who stands does so in a pose of its own.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::leaving::until_out;
use crate::ledger::Asker;
use crate::mind::Mind;
use crate::moves::{Choice, MoveId};
use crate::person::{Errand, Mover};
use crate::population::FIRST_DECISION;
use crate::random::{Purpose, Random};
use crate::situation::Influence;
use crate::wayfinding::Wayfinding;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use glam::Vec2;

/// Who wants to go soon idles no longer than this, in seconds.
const SHORT: f32 = 1.6;

/// A point nearer than this, in metres, tells no direction.
const HERE: f32 = 0.05;

/// A step straight on turns by less than this, in radians.
const STRAIGHT: f32 = 0.05;

impl Crowd {
    /// Lets those who wander or go from stop to stop be in the midst of a step on their way, and everybody else who stands
    /// and follows clips in the midst of idling, where promises allow it: as if they had been there for a while.
    pub fn warm_up(&mut self) {
        self.ledger.open();
        for index in 0..self.len() {
            if !self.just_stands(index) {
                continue;
            }
            let mut random = self.random_of(index);
            let walks = self.roams(index).then(|| self.stroll(index, &mut random)).flatten();
            let chosen = walks
                .filter(|(promise, _)| self.is_open_to(index, promise))
                .or_else(|| self.idleness(index, &mut random))
                .filter(|(promise, _)| self.is_open_to(index, promise));
            self.begin_midway(index, chosen);
        }
    }

    /// Lets somebody who has just come in face its way, if it sets out at once; when a run has begun, in the midst of a step,
    /// where promises allow that.
    pub(crate) fn set_out(&mut self, index: usize) {
        if !self.just_stands(index) || !self.sets_out(index) {
            return;
        }
        let mut random = self.random_of(index);
        let Some(heading) = self.heading_of_way(index, &mut random) else { return };
        let mut standing = self.ledger.promises[index];
        standing.start.heading = heading;
        self.ledger.replace(index, standing, &self.setting.book);
        if self.frame > 0 {
            self.ledger.open();
            let step = self.stroll(index, &mut random);
            self.begin_midway(index, step.filter(|(promise, _)| self.is_open_to(index, promise)));
        }
    }

    fn random_of(&self, index: usize) -> Random {
        Random::new(self.setting.seed, self.ids[index], self.frame, Purpose::WARM_UP)
    }

    /// Whether somebody follows clips and has done nothing yet but stand.
    fn just_stands(&self, index: usize) -> bool {
        let own = &self.ledger.promises[index];
        let home = self.setting.book.home(own.node);
        self.movers[index] == Mover::Graph && own.doing.is_none() && own.node == home
    }

    /// Lets somebody do what was begun a while ago, until it is due to decide.
    fn begin_midway(&mut self, index: usize, chosen: Option<(Commitment, u32)>) {
        if let Some((promise, due)) = chosen {
            self.ledger.replace(index, promise, &self.setting.book);
            self.due[index] = due;
        }
    }

    /// Whether somebody goes somewhere as soon as it is there, and nothing of where it stands is asked first.
    fn sets_out(&self, index: usize) -> bool {
        let mind = &self.minds[index];
        let goes = mind.wanders || mind.bound_for.is_some() || mind.goal.is_some();
        // What situations ask is heard with the first decision.
        let asks = |region: usize| !self.shared.in_region(region).is_empty();
        let asked = || self.setting.ground.regions_at(self.positions[index]).any(asks);
        goes && mind.errand == Errand::None
            && self.frame >= mind.stays_until
            && mind.visits.is_empty()
            && !asked()
    }

    /// Whether somebody has been on its way before: who goes to an exit when a run starts has not set out yet.
    fn roams(&self, index: usize) -> bool {
        let mind = &self.minds[index];
        let stop =
            mind.bound_for.or(mind.stop).and_then(|stop| self.shared.scenario.stops.get(usize::from(stop)));
        self.sets_out(index) && (mind.wanders || stop.is_some_and(|stop| !stop.exit))
    }

    /// The direction in radians in which somebody's way begins.
    fn heading_of_way(&mut self, index: usize, random: &mut Random) -> Option<f32> {
        let mut mind = std::mem::take(&mut self.minds[index]);
        let at = self.positions[index];
        // Who knows where to go finds out with its first decision if it is there already.
        if mind.goal.is_none() {
            self.wayfinding_of(index, &mind).plan(at, &mut mind, &Influence::default(), random);
        }
        let way = mind.target().map(|target| target - at).filter(|way| way.length() > HERE);
        self.minds[index] = mind;
        way.map(|way| libm::atan2f(way.y, way.x))
    }

    /// A step of somebody's way, begun a while ago, and when it ends or leads out of the scene.
    fn stroll(&mut self, index: usize, random: &mut Random) -> Option<(Commitment, u32)> {
        let heading = self.heading_of_way(index, random)?;
        let (node, step) = self.steady_step(index, &self.minds[index], random)?;
        let book = &self.setting.book;
        let frames = book.get(step).chosen_frames;
        let head_start = random.below(frames.max(1));
        let placement = Placement { position: self.positions[index], heading };
        let promise = Commitment::under_way(book, placement, self.frame, head_start, step, node);
        let due = self.frame + frames - head_start;
        let all = (&self.setting, &self.shared);
        let promise = until_out(all, promise, &self.minds[index], self.frame + 1..=due);
        Some((promise, promise.leaves_in().unwrap_or(due)))
    }

    /// What finds somebody's way who is afoot.
    fn wayfinding_of(&self, index: usize, mind: &Mind) -> Wayfinding<'_> {
        let Self { setting, shared, frame, .. } = self;
        let (id, facing) = (self.ids[index], Vec2::ZERO);
        Wayfinding { setting, shared, frame: *frame, id, facing, afoot: true, hurries: mind.hurries }
    }

    /// A straight step at somebody's own speed, and the node that it starts from.
    fn steady_step(&self, index: usize, mind: &Mind, random: &mut Random) -> Option<(NodeId, MoveId)> {
        let book = &*self.setting.book;
        let island = book.island(self.ledger.promises[index].node);
        let labels = self.shared.labels;
        let nodes = (0..book.graph().nodes().len()).map(|node| NodeId(node as u16));
        let plain = |choice: &&Choice| {
            let special = choice.labels.meets(labels.special);
            !choice.rests && !special && choice.displacement.heading.abs() < STRAIGHT
        };
        let off = |choice: &Choice| (choice.cruise - mind.speed).abs();
        let goes = |node: &NodeId| book.island(*node) == island && !book.graph().node(*node).rest;
        let best = |node: NodeId| {
            let steps = book.choices(node).iter().filter(plain);
            let step = steps.min_by(|a, b| off(a).total_cmp(&off(b)))?;
            Some((node, step, off(step) + (book.cruise(node) - mind.speed).abs()))
        };
        let steps: Vec<_> = nodes.filter(goes).filter_map(best).collect();
        let least = steps.iter().map(|(.., off)| *off).fold(f32::INFINITY, f32::min);
        let good: Vec<_> = steps.iter().filter(|(.., off)| *off < least + 0.02).collect();
        let (node, step, _) = good.get(random.below(good.len().max(1) as u32) as usize)?;
        Some((*node, step.at_rate(mind.speed / step.cruise.max(0.1))))
    }

    /// An idle motion of somebody who stands, begun a while ago, and when it ends.
    fn idleness(&self, index: usize, random: &mut Random) -> Option<(Commitment, u32)> {
        let book = &*self.setting.book;
        let own = self.ledger.promises[index];
        let mind = &self.minds[index];
        let stays = mind.goal.is_none() && mind.bound_for.is_none() && !mind.wanders;
        let soon = self.sets_out(index);
        let labels = self.shared.labels;
        let idles = |choice: &&Choice| {
            choice.labels.meets(labels.waiting)
                && !choice.labels.meets(labels.special)
                && choice.to == own.node
                && (stays || choice.seconds < SHORT)
        };
        let all: Vec<&Choice> = book.choices(own.node).iter().filter(idles).collect();
        let choice = all.get(random.below(all.len().max(1) as u32) as usize)?;
        let frames = book.get(choice.normal).chosen_frames.max(1);
        let left = 1 + random.below(if soon { frames.min(FIRST_DECISION) } else { frames });
        let promise =
            Commitment::under_way(book, own.start, self.frame, frames - left, choice.normal, own.node);
        Some((promise, self.frame + left))
    }

    /// Whether a promise of somebody meets neither walls nor any other promise.
    fn is_open_to(&self, index: usize, promise: &Commitment) -> bool {
        let book = &*self.setting.book;
        let bounds = promise.bounds(book);
        let ground = self.ground_to_be();
        let count = book.longest_path();
        let (radii, wide) = (vec![book.options().radius; count], vec![book.path_radius(); count]);
        let asker = Asker { index: Some(index as u32), ..Asker::default() };
        (ground.is_free(bounds.centre, bounds.radius) || promise.is_clear_of(ground, book, &radii, &wide))
            && !self.ledger.forbids(asker, promise, &self.now())
    }
}
