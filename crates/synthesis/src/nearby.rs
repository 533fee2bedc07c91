//! Goals near by: chains of single steps, turns on the spot and steps aside, the quickest first.
//!
//! Seeds that follow a way (section 3.2) need one to follow; over a metre or two there is none, and what they find goes a
//! long way round. Here chains grow from the start and from the goal, clip by clip, and are joined where they nearly meet,
//! which is measured, and made exact, as every join is (equations 1 and 2).

use crate::failure::Miss;
use crate::join::{Join, Terms, near_angle};
use crate::repertoire::Repertoire;
use crate::search::Pair;
use crate::spot::Spot;
use crate::walk::{Held, Walk};
use crowdloom_motion::FRAME_TIME;
use crowdloom_motion::graph::{ActionId, NodeId};
use glam::{IVec2, Vec2};

/// Goals within this distance, in metres, are near by.
pub(crate) const NEAR: f32 = 3.0;
/// Chains do not stray farther than this from the straight line's middle, in metres.
const STRAYS: f32 = 2.6;
/// No chain from either end takes longer, in frames.
const LONGEST: u32 = 135;
/// Clips in the longest chain from either end.
const DEPTH: usize = 4;
/// The side of a cell of the grid in which ends of chains are found, in metres, and so the farthest join.
const CELL: f32 = 0.12;
/// Metres that facing away from the other end is worth.
const TURN_WORTH: f32 = 0.8;
/// Metres that a second is worth when chains are compared.
const PACE: f32 = 0.8;
/// Joins that are handed on of each depth: the quickest, and where those do not do as many spread over all the others.
const MOST_JOINS: usize = 24;
/// A step of its own is worth so many seconds of a longer way: people take few.
const SECONDS_A_CLIP: f32 = 0.15;
/// What a metre a second of adjustment is worth, in seconds.
const SECONDS_OF_ADJUSTMENT: f32 = 10.0;

/// Goals near by are reached in so many frames, 4 s …
pub(crate) const SOON: u32 = 120;
/// … where playing clips so many times as fast is enough for that, which is not noticed.
pub(crate) const QUICKEST: f32 = 1.25;
/// Layers, of both ends together, that are looked at where fewer lead there, but not so soon.
const DEEPER: usize = 8;
/// Nobody takes fewer frames for a metre.
const LEAST_FRAMES_A_METRE: f32 = 16.0;

/// The last clip of a chain that is held at one end.
#[derive(Clone, Copy, Debug)]
struct Chain {
    node: NodeId,
    spot: Spot,
    frames: u32,
    moment: Vec2,
    /// The chain before this clip, and the clip; the first chain has neither.
    before: u32,
    action: ActionId,
}

/// Chains from one end, layer by layer.
#[derive(Clone, Debug, Default)]
struct Tree {
    chains: Vec<Chain>,
    /// Where the last layer begins.
    last: usize,
    /// The newest chain of all that share a place in this table, by node and cell …
    newest: Vec<u32>,
    /// … and for each chain the next older one.
    older: Vec<u32>,
}

/// Memory that searches use again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearby {
    forward: Tree,
    backward: Tree,
    joins: Vec<(f32, u32, u32)>,
    scores: Vec<(f32, u32)>,
    points: Vec<Vec2>,
    /// Chains that go on to the next clip.
    beam: usize,
}

/// From where to where.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    pub start: Spot,
    pub node: NodeId,
    pub goal: Spot,
    pub goal_node: NodeId,
    /// A point to pass by on the way, in metres: the straight way is somebody else's.
    pub via: Option<Vec2>,
}

impl Ends {
    fn middle(&self) -> Vec2 {
        (self.start.position + self.goal.position) * 0.5
    }

    /// Where a chain that is held at one end and has come to `at` goes next, and how many metres are left from there on.
    fn toward(&self, held: Held, at: Vec2) -> (Vec2, f32) {
        let (from, to) = match held {
            Held::Start => (self.start.position, self.goal.position),
            Held::End => (self.goal.position, self.start.position),
        };
        let has_passed = (at - self.middle()).dot(to - from) >= 0.0;
        match self.via.filter(|_| !has_passed) {
            Some(via) => (via, via.distance(to)),
            None => (to, 0.0),
        }
    }
}

/// Where chains may go.
pub(crate) trait Open {
    /// Whether nothing is in the way of one who sets out from the start: positions of a clip in all of its frames, the first of
    /// them so many frames after setting out.
    fn to_set_out(&self, positions: &[Vec2], frames: u32) -> bool;

    /// Whether no wall is in the way of one who comes to the goal, whenever that is.
    fn to_arrive(&self, positions: &[Vec2]) -> bool;
}

/// Places in the table of a tree: a power of two.
const TABLE: usize = 1 << 14;

/// No chain.
const NONE: u32 = u32::MAX;

/// The place of a node and cell in the table.
fn place_of(node: NodeId, cell: IVec2) -> usize {
    // Odd numbers without a pattern spread neighbours over the table; it does not matter which.
    let mixed = (cell.x as u32).wrapping_mul(0x9e37_79b1)
        ^ (cell.y as u32).wrapping_mul(0x85eb_ca77)
        ^ (node.index() as u32).wrapping_mul(0xc2b2_ae3d);
    (mixed >> 16) as usize % TABLE
}

impl Chain {
    fn cell(&self) -> IVec2 {
        (self.spot.position / CELL).floor().as_ivec2()
    }
}

impl Tree {
    fn begin(&mut self, spot: Spot, node: NodeId) {
        self.chains.clear();
        let root = Chain { node, spot, frames: 0, moment: Vec2::ZERO, before: NONE, action: ActionId(0) };
        self.newest.clear();
        self.newest.resize(TABLE, NONE);
        self.older.clear();
        self.add(root);
        self.last = 0;
    }

    fn add(&mut self, chain: Chain) {
        let place = place_of(chain.node, chain.cell());
        let older = std::mem::replace(&mut self.newest[place], self.chains.len() as u32);
        self.older.push(older);
        self.chains.push(chain);
    }

    /// Calls `meet` with the number of every chain at `node` that ends within a cell of `spot`.
    fn for_each_near(&self, node: NodeId, spot: IVec2, mut meet: impl FnMut(u32)) {
        for around in [-1, 0, 1].into_iter().flat_map(|x| [-1, 0, 1].map(|y| IVec2::new(x, y))) {
            let cell = spot + around;
            let mut number = self.newest[place_of(node, cell)];
            while number != NONE {
                let chain = &self.chains[number as usize];
                if chain.node == node && chain.cell() == cell {
                    meet(number);
                }
                number = self.older[number as usize];
            }
        }
    }

    /// Adds a clip to the best chains of the last layer that meet nothing and can be there in `longest` frames; returns whether
    /// there is any new chain.
    fn grow(
        &mut self,
        repertoire: &Repertoire,
        (held, ends): (Held, &Ends),
        open: &impl Open,
        (beam, longest): (usize, u32),
        (scores, points): (&mut Vec<(f32, u32)>, &mut Vec<Vec2>),
    ) -> bool {
        scores.clear();
        for index in self.last..self.chains.len() {
            let chain = &self.chains[index];
            let (toward, beyond) = ends.toward(held, chain.spot.position);
            let way = toward - chain.spot.position;
            let left = way.length();
            let facing = if held == Held::Start { chain.spot.facing } else { -chain.spot.facing };
            let turned = 1.0 - facing.dot(way) / left.max(1e-6);
            let pace = PACE * chain.frames as f32 * FRAME_TIME;
            scores.push((left + beyond + TURN_WORTH * turned * left.min(1.0) + pace, index as u32));
        }
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        // Twice as many as go on: some of them meet something.
        if scores.len() > 2 * beam {
            scores.select_nth_unstable_by(2 * beam, order);
            scores.truncate(2 * beam);
        }
        scores.sort_unstable_by(order);
        let mut is_open = |&(_, index): &(f32, u32)| self.is_open(repertoire, held, open, index, points);
        let mut going_on = 0;
        scores.retain(|score| {
            let goes_on = going_on < beam && is_open(score);
            going_on += usize::from(goes_on);
            goes_on
        });
        self.last = self.chains.len();
        let clips = if held == Held::Start { &repertoire.steps_from } else { &repertoire.steps_to };
        for &(_, index) in scores.iter() {
            let Chain { node, spot, frames, moment, .. } = self.chains[index as usize];
            for &action in &clips[node.index()] {
                let clip = repertoire.clip(action);
                let (node, step) = match held {
                    Held::Start => (clip.to, clip.displacement),
                    Held::End => (clip.from, clip.inverse),
                };
                let (spot_after, frames_after) = (spot.then(step), frames + clip.frames);
                let strays = spot_after.position.distance_squared(ends.middle()) > STRAYS * STRAYS;
                let (toward, beyond) = ends.toward(held, spot_after.position);
                let left = (toward.distance(spot_after.position) + beyond) * LEAST_FRAMES_A_METRE;
                if frames_after + left as u32 > longest.min(LONGEST + left as u32) || strays {
                    continue;
                }
                let way = spot_after.position - spot.position;
                let way = if held == Held::Start { way } else { -way };
                let moment = moment + way.perp() * (0.5 * (frames + frames_after) as f32);
                let after =
                    Chain { node, spot: spot_after, frames: frames_after, moment, before: index, action };
                self.add(after);
            }
        }
        self.last < self.chains.len()
    }

    /// Whether nothing is in the way of the last clip of a chain; those before were looked at when they were added to.
    fn is_open(
        &self,
        repertoire: &Repertoire,
        held: Held,
        open: &impl Open,
        index: u32,
        points: &mut Vec<Vec2>,
    ) -> bool {
        let chain = &self.chains[index as usize];
        let Some(before) = self.chains.get(chain.before as usize) else { return true };
        let clip = repertoire.clip(chain.action);
        let start = if held == Held::Start { before.spot } else { chain.spot };
        points.clear();
        points.extend(repertoire.positions(clip).iter().map(|&position| start.point(position)));
        match held {
            Held::Start => open.to_set_out(points, before.frames),
            Held::End => open.to_arrive(points),
        }
    }

    /// Clips of a chain, from the held end on.
    fn clips(&self, mut index: u32) -> Vec<ActionId> {
        let mut clips = Vec::new();
        while let Some(chain) = self.chains.get(index as usize).filter(|chain| chain.before != NONE) {
            clips.push(chain.action);
            index = chain.before;
        }
        clips.reverse();
        clips
    }
}

impl Nearby {
    /// Lets so many chains go on to the next clip.
    pub fn keep_best(&mut self, beam: usize) -> &mut Self {
        self.beam = beam;
        self
    }

    /// Chains that the last search has made.
    pub fn chains(&self) -> usize {
        self.forward.chains.len() + self.backward.chains.len()
    }

    /// Calls `take` with joins that are within tolerance, quicker ones first; returns what it takes of the quickest.
    ///
    /// Few clips are tried first; more of them where those take longer than anybody hurries to be there [`SOON`].
    pub fn search<T>(
        &mut self,
        repertoire: &Repertoire,
        ends: Ends,
        terms: &Terms,
        tolerance: f32,
        open: &impl Open,
        mut take: impl FnMut(&Pair) -> Option<T>,
    ) -> Option<T> {
        self.forward.begin(ends.start, ends.node);
        self.backward.begin(ends.goal, ends.goal_node);
        let enough = (SOON as f32 * QUICKEST) as u32;
        let mut found: Option<(u32, T)> = None;
        for depth in 0..2 * DEPTH {
            let longest = found.as_ref().map_or(u32::MAX, |(frames, _)| frames - 1);
            if longest < enough || longest < u32::MAX && depth >= DEEPER {
                break;
            }
            // A clip from the start, then one from the goal.
            let Self { forward, backward, scores, points, beam, .. } = self;
            let (tree, held) = if depth % 2 == 0 { (forward, Held::Start) } else { (backward, Held::End) };
            let grew = tree.grow(repertoire, (held, &ends), open, (*beam, longest), (scores, points));
            if !grew {
                continue;
            }
            self.find_joins(terms, tolerance, (depth % 2 == 0, longest));
            let quickest = self.joins.len().min(MOST_JOINS);
            let stride = (self.joins.len() - quickest).div_ceil(MOST_JOINS).max(1);
            for index in (0..quickest).chain((quickest..self.joins.len()).step_by(stride)) {
                let (_, forward, backward) = self.joins[index];
                let pair = self.pair(repertoire, ends, (forward, backward), terms);
                if let Some(taken) = take(&pair) {
                    found = Some((pair.join.frames, taken));
                    break;
                }
            }
        }
        found.map(|(_, taken)| taken)
    }

    /// Lists joins within tolerance of which at least one side is new, quicker ones first and none of more than `longest` frames.
    fn find_joins(&mut self, terms: &Terms, tolerance: f32, (forward_is_new, longest): (bool, u32)) {
        let Self { forward, backward, joins, .. } = self;
        joins.clear();
        let mut meet = |index: u32, other: u32| {
            let (here, there) = (&forward.chains[index as usize], &backward.chains[other as usize]);
            let frames = here.frames + there.frames;
            let seconds = frames as f32 * FRAME_TIME;
            let error = adjustment(here, there, terms);
            if frames > 0 && frames <= longest && error <= (tolerance * seconds).min(terms.most) {
                joins.push((seconds + SECONDS_OF_ADJUSTMENT * error / seconds, index, other));
            }
        };
        let (new, old) = if forward_is_new { (&*forward, &*backward) } else { (&*backward, &*forward) };
        for (number, chain) in new.chains.iter().enumerate().skip(new.last) {
            old.for_each_near(chain.node, chain.cell(), |other| match forward_is_new {
                true => meet(number as u32, other),
                false => meet(other, number as u32),
            });
        }
        for (cost, index, other) in joins.iter_mut() {
            let clips = forward.clips(*index).len() + backward.clips(*other).len();
            *cost += SECONDS_A_CLIP * clips as f32;
        }
        joins.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    }

    /// The two motions of a join.
    fn pair(
        &self,
        repertoire: &Repertoire,
        ends: Ends,
        (forward, backward): (u32, u32),
        terms: &Terms,
    ) -> Pair {
        let mut walk = Walk::new(Held::Start, ends.start, ends.node);
        for action in self.forward.clips(forward) {
            walk.push(repertoire, action);
        }
        let mut clips = self.backward.clips(backward);
        clips.reverse();
        let back = Walk::ending(repertoire, ends.goal, ends.goal_node, &clips);
        let (here, there) =
            (&self.forward.chains[forward as usize], &self.backward.chains[backward as usize]);
        let error = adjustment(here, there, terms);
        let frames = here.frames + there.frames;
        let join = Join {
            forward: walk.actions.len(),
            backward: 0,
            cost: error / (frames as f32 * FRAME_TIME),
            error,
            miss: Miss { metres: error, ..Miss::default() },
            frames,
        };
        Pair { forward: walk, backward: back, join }
    }
}

/// Metres by which two chains have to be adjusted to meet (equation 1).
fn adjustment(here: &Chain, there: &Chain, terms: &Terms) -> f32 {
    let frames = here.frames + there.frames;
    let turn = near_angle(there.spot.heading - here.spot.heading);
    let bend = (there.moment - here.moment) * (turn / frames.max(1) as f32);
    let gap = (there.spot.position - here.spot.position + bend).length();
    gap + terms.metres_per_radian * turn.abs() + terms.metres_per_frame * terms.missed_frames(frames) as f32
}
