//! A crowd that starts as if it had been going on: who wanders or goes from stop to stop is in the midst of a step, and who
//! stands does so in a pose of its own.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::ledger::Asker;
use crate::mind::Mind;
use crate::moves::{Choice, MoveId};
use crate::person::{Errand, Mover};
use crate::random::{Purpose, Random};
use crate::situation::Influence;
use crate::wayfinding::Wayfinding;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use glam::Vec2;

/// Who wants to go soon idles no longer than this, in seconds.
const SHORT: f32 = 1.6;

/// A step straight on turns by less than this, in radians.
const STRAIGHT: f32 = 0.05;

impl Crowd {
    /// Lets those who wander or go from stop to stop be in the midst of a step on their way, and everybody else who stands
    /// and follows clips in the midst of idling, where promises allow it: as if they had been there for a while.
    pub fn warm_up(&mut self) {
        self.ledger.open();
        for index in 0..self.len() {
            let own = self.ledger.promises[index];
            let home = self.setting.book.home(own.node);
            if self.movers[index] != Mover::Graph || own.doing.is_some() || own.node != home {
                continue;
            }
            let id = self.ids[index];
            let mut random = Random::new(self.setting.seed, id, self.frame, Purpose::WARM_UP);
            let walks = self.stroll(index, &mut random);
            let chosen = walks
                .filter(|(promise, _)| self.is_open_to(index, promise))
                .or_else(|| self.idleness(index, &mut random))
                .filter(|(promise, _)| self.is_open_to(index, promise));
            if let Some((promise, due)) = chosen {
                self.ledger.replace(index, promise, &self.setting.book);
                self.due[index] = due;
            }
        }
    }

    /// A step of the way of who wanders or goes from stop to stop, begun a while ago, and when it ends.
    fn stroll(&mut self, index: usize, random: &mut Random) -> Option<(Commitment, u32)> {
        let mut mind = std::mem::take(&mut self.minds[index]);
        let Self { setting, shared, frame, .. } = &*self;
        let at = self.positions[index];
        let (id, facing) = (self.ids[index], Vec2::ZERO);
        let wayfinding =
            Wayfinding { setting, shared, frame: *frame, id, facing, afoot: true, hurries: mind.hurries };
        // Who goes to an exit has not set out yet; who goes from stop to stop has been doing so.
        let stops = &shared.scenario.stops;
        let stop = mind.bound_for.and_then(|stop| stops.get(usize::from(stop)));
        let roams = mind.wanders || stop.is_some_and(|stop| !stop.exit) && *frame >= mind.stays_until;
        // What situations ask is heard with the first decision.
        let asks = |region: usize| !shared.in_region(region).is_empty();
        let asked = !mind.visits.is_empty() || setting.ground.regions_at(at).any(asks);
        let roams = roams && mind.errand == Errand::None && !asked;
        let target = roams.then(|| {
            wayfinding.plan(at, &mut mind, &Influence::default(), random);
            mind.target()
        });
        let step = target.flatten().and_then(|target| {
            let (node, step) = self.steady_step(index, &mind, random)?;
            let (frames, way) = (setting.book.get(step).chosen_frames, target - at);
            let head_start = random.below(frames.max(1));
            let placement = Placement { position: at, heading: libm::atan2f(way.y, way.x) };
            let promise = Commitment::under_way(&setting.book, placement, *frame, head_start, step, node);
            Some((promise, frame + frames - head_start))
        });
        self.minds[index] = mind;
        step
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
        let labels = self.shared.labels;
        let idles = |choice: &&Choice| {
            choice.labels.meets(labels.waiting)
                && !choice.labels.meets(labels.special)
                && choice.to == own.node
                && (stays || choice.seconds < SHORT)
        };
        let all: Vec<&Choice> = book.choices(own.node).iter().filter(idles).collect();
        let choice = all.get(random.below(all.len().max(1) as u32) as usize)?;
        let frames = book.get(choice.normal).chosen_frames;
        let head_start = random.below(frames.max(1));
        let promise = Commitment::under_way(book, own.start, self.frame, head_start, choice.normal, own.node);
        Some((promise, self.frame + frames - head_start))
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
