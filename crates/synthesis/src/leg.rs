//! A stretch of motion between two goals: two motions joined, displaced and retimed so that both ends are exact.

use crate::join::{Join, Terms, near_angle};
use crate::outline::Stance;
use crate::repertoire::Repertoire;
use crate::spot::Spot;
use crate::walk::{Held, Walk};
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{FRAME_TIME, Placement};
use glam::Vec2;

/// A clip of a leg.
#[derive(Clone, Copy, Debug)]
struct Piece {
    action: ActionId,
    start: Spot,
    /// Frames of clips before it.
    first: u32,
}

/// What a body shows at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Showing {
    /// A clip, at a frame with its fraction.
    Clip(ActionId, f32),
    /// The pose of a node.
    Still(NodeId),
}

/// How much a leg was adjusted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjustment {
    /// Metres of displacement.
    pub position: f32,
    /// Radians of turning.
    pub heading: f32,
    /// Seconds of retiming.
    pub time: f32,
    /// All together, in metres.
    pub total: f32,
    /// The same for each second of motion (equation 1).
    pub per_second: f32,
}

/// A stretch of motion from one goal to the next.
#[derive(Clone, Debug)]
pub struct Leg {
    pieces: Vec<Piece>,
    /// Frames of the clips of the forward motion, and of all.
    forward: u32,
    source: u32,
    /// What is left to the goal once the path is bent, and by how much it is bent.
    gap: Vec2,
    turn: f32,
    /// Whether it may end in any place.
    loose: bool,
    /// Where the body is in each frame of motion, the last one too.
    track: Vec<Placement>,
    from: Placement,
    to: Placement,
    node: NodeId,
    end_node: NodeId,
    /// The frame in which it starts.
    pub(crate) first_frame: u32,
    /// Frames of waiting before the first clip, of motion after, and of rest in the pose of the goal.
    wait: u32,
    frames: u32,
    rest: u32,
    adjustment: Adjustment,
}

impl Leg {
    /// Nothing but waiting, for `wait` frames.
    pub(crate) fn waiting(at: Placement, node: NodeId, first_frame: u32, wait: u32) -> Self {
        Self {
            pieces: Vec::new(),
            forward: 0,
            source: 0,
            gap: Vec2::ZERO,
            turn: 0.0,
            loose: false,
            track: vec![at],
            from: at,
            to: at,
            node,
            end_node: node,
            first_frame,
            wait,
            frames: 0,
            rest: 0,
            adjustment: Adjustment::default(),
        }
    }

    /// Clips as they are.
    pub(crate) fn plain(
        repertoire: &Repertoire,
        from: Placement,
        node: NodeId,
        actions: &[ActionId],
        first_frame: u32,
    ) -> Self {
        let mut walk = Walk::new(Held::Start, from.into(), node);
        for &action in actions {
            walk.push(repertoire, action);
        }
        let pieces = actions.iter().zip(&walk.spots).zip(&walk.frames);
        let pieces = pieces.map(|((&action, &start), &first)| Piece { action, start, first }).collect();
        let last = actions.len();
        let mut leg = Self {
            pieces,
            forward: walk.frames[last],
            source: walk.frames[last],
            to: walk.spots[last].placement(),
            end_node: walk.nodes[last],
            frames: walk.frames[last],
            ..Self::waiting(from, node, first_frame, 0)
        };
        leg.lay(repertoire);
        leg
    }

    /// Joins two motions (section 3.3, steps 1 to 4).
    ///
    /// The published adjustment turns bodies without turning their path, and feet slide. Here the path is bent with the
    /// heading, and only what is then left to the goal is made up for by displacement.
    pub(crate) fn join(
        repertoire: &Repertoire,
        (forward, backward): (&Walk, &Walk),
        join: &Join,
        terms: &Terms,
        first_frame: u32,
        delay: u32,
    ) -> Self {
        let (here, there) = (forward.spots[join.forward], backward.spots[join.backward]);
        let goal = backward.spots[backward.actions.len()];
        // What is free of the goal follows the forward motion.
        let turned = if terms.free.heading { here.heading - there.heading } else { 0.0 };
        let turn_by = Spot::from(Placement::new(0.0, 0.0, turned));
        let pivot = if terms.free.position { there.position } else { goal.position };
        let shift = if terms.free.position { here.position - there.position } else { Vec2::ZERO };
        let moved = |spot: Spot| Spot {
            position: if terms.free.heading {
                pivot + turn_by.facing.rotate(spot.position - pivot) + shift
            } else {
                spot.position + shift
            },
            facing: turn_by.facing.rotate(spot.facing),
            heading: spot.heading + turned,
        };
        let start = moved(there);
        let forward_frames = forward.frames[join.forward];
        let source = join.frames;
        let mut pieces = Vec::with_capacity(join.forward + backward.actions.len() - join.backward);
        for index in 0..join.forward {
            let (action, start) = (forward.actions[index], forward.spots[index]);
            pieces.push(Piece { action, start, first: forward.frames[index] });
        }
        for index in join.backward..backward.actions.len() {
            let first = source - backward.frames[index];
            pieces.push(Piece {
                action: backward.actions[index],
                start: moved(backward.spots[index]),
                first,
            });
        }
        debug_assert!(pieces.iter().all(|piece| piece.first <= source));
        let (mut frames, mut wait, mut rest) = (terms.hurried(source), delay.min(terms.most_wait), 0);
        if let Some((least, most)) = terms.window {
            // Too long is played faster; too short waits first, rests at the goal where waiting is not enough, and is played
            // slower where neither is.
            frames = source.min(most.max(1)).max(least.saturating_sub(terms.most_idle()));
            let early = least.saturating_sub(frames);
            wait = wait.max(early.min(terms.most_wait)).min(most.saturating_sub(frames));
            rest = early.saturating_sub(wait);
        }
        let turn = near_angle(start.heading - here.heading);
        let end = moved(goal);
        let mut leg = Self {
            pieces,
            forward: forward_frames,
            source,
            gap: Vec2::ZERO,
            turn,
            loose: false,
            track: Vec::new(),
            from: forward.spots[0].placement(),
            to: end.placement(),
            node: forward.nodes[0],
            end_node: backward.nodes[backward.actions.len()],
            first_frame,
            wait,
            frames,
            rest,
            adjustment: Adjustment::default(),
        };
        leg.loose = terms.free.position;
        leg.lay(repertoire);
        let error = leg.gap.length()
            + terms.metres_per_radian * turn.abs()
            + terms.metres_per_frame * terms.missed_frames(source) as f32;
        leg.adjustment = Adjustment {
            position: leg.gap.length(),
            heading: turn.abs(),
            time: source.abs_diff(frames) as f32 * FRAME_TIME,
            total: error,
            per_second: error / (source.max(1) as f32 * FRAME_TIME),
        };
        leg
    }

    /// Works out where the body is in each frame.
    fn lay(&mut self, repertoire: &Repertoire) {
        self.track.clear();
        self.track.reserve(self.frames as usize + 1);
        self.track.push(self.from);
        if self.pieces.is_empty() {
            return;
        }
        let whole = self.source.max(1) as f32;
        let joined = self.joined_pieces();
        // Steps of the clips, bent, are added up from the start.
        let (mut at, mut source, mut frame) = (self.from.position, 0.0f32, 1);
        let mut before = at;
        for (index, piece) in self.pieces.iter().enumerate() {
            let clip = repertoire.clip(piece.action);
            let (positions, headings) = (repertoire.positions(clip), repertoire.headings(clip));
            let end = self.pieces.get(index + 1).map_or(whole, |next| next.first as f32);
            let is_last = index + 1 == self.pieces.len();
            if index == joined {
                // The backward motion goes on from where the forward one has come to.
                before += piece.start.position - self.end_of_piece(repertoire, joined);
            }
            let bent_from = if index < joined { 0.0 } else { whole };
            while frame <= self.frames {
                let next = self.source_at(frame).min(whole);
                if next >= end && !is_last {
                    break;
                }
                let local = next - piece.first as f32;
                let whole_frame = (local.max(0.0) as usize).min(positions.len() - 2);
                let part = local - whole_frame as f32;
                let (point, heading) = if part == 0.0 {
                    (positions[whole_frame], headings[whole_frame])
                } else {
                    let mix = |a: f32, b: f32| a + (b - a) * part;
                    (
                        positions[whole_frame].lerp(positions[whole_frame + 1], part),
                        mix(headings[whole_frame], headings[whole_frame + 1]),
                    )
                };
                let after = piece.start.point(point);
                let bend = |source: f32| self.turn * (source - bent_from) / whole;
                at += if self.turn == 0.0 {
                    after - before
                } else {
                    turned_by(bend(0.5 * (source + next))).rotate(after - before)
                };
                (before, source) = (after, next);
                let heading = piece.start.heading + heading + bend(next);
                self.track.push(Placement { position: at, heading });
                frame += 1;
            }
        }
        if self.loose {
            self.to.position = at;
        }
        self.gap = self.to.position - at;
        let step = self.gap / self.frames.max(1) as f32;
        for (frame, placement) in self.track.iter_mut().enumerate() {
            placement.position += step * frame as f32;
            placement.heading = crowdloom_motion::wrap_angle(placement.heading);
        }
        if let Some(last) = self.track.last_mut() {
            *last = self.to;
        }
    }

    /// Where the clips before a piece come to, as they are.
    fn end_of_piece(&self, repertoire: &Repertoire, count: usize) -> Vec2 {
        let Some(piece) = count.checked_sub(1).map(|last| &self.pieces[last]) else {
            return self.from.position;
        };
        piece.start.point(repertoire.clip(piece.action).displacement.position)
    }

    /// The frame in which it ends, and the next begins.
    pub fn last_frame(&self) -> u32 {
        self.first_frame + self.wait + self.frames + self.rest
    }

    /// The frame in which it starts.
    pub fn first_frame(&self) -> u32 {
        self.first_frame
    }

    /// Frames spent waiting before the first clip.
    pub fn waited_frames(&self) -> u32 {
        self.wait
    }

    /// Frames spent in the goal's pose until it is time.
    pub fn rested_frames(&self) -> u32 {
        self.rest
    }

    /// How much it was adjusted.
    pub fn adjustment(&self) -> Adjustment {
        self.adjustment
    }

    /// Where it ends.
    pub fn end(&self) -> Placement {
        self.to
    }

    /// The node in which it ends.
    pub fn end_node(&self) -> NodeId {
        self.end_node
    }

    /// The actions it is made of, in order.
    pub fn actions(&self) -> impl Iterator<Item = ActionId> + '_ {
        self.pieces.iter().map(|piece| piece.action)
    }

    /// The clips it is made of: each action and the frame in which it begins, to the nearest whole one.
    pub fn clips(&self) -> impl Iterator<Item = (ActionId, u32)> + '_ {
        let rate = self.frames as f32 / self.source.max(1) as f32;
        let begins =
            move |piece: &Piece| self.first_frame + self.wait + (piece.first as f32 * rate).round() as u32;
        self.pieces.iter().map(move |piece| (piece.action, begins(piece)))
    }

    /// Frames of clips played so far at `frame` of the motion proper.
    #[inline]
    fn source_at(&self, frame: u32) -> f32 {
        if self.frames == self.source {
            frame as f32
        } else {
            frame as f32 * (self.source as f32 / self.frames as f32)
        }
    }

    /// How far displacement moves the body from the frame before to this one: metres and radians.
    pub(crate) fn drift(&self, frame: u32) -> (Vec2, f32) {
        let since = frame.saturating_sub(self.first_frame + self.wait);
        if since == 0 || since > self.frames || self.source == 0 {
            return (Vec2::ZERO, 0.0);
        }
        let share = 1.0 / self.frames as f32;
        (self.gap * share, self.turn * share)
    }

    /// Positions in all frames from its first to its last, both included, in metres; pushed to `positions`.
    pub(crate) fn trace(&self, positions: &mut Vec<Vec2>) {
        positions.extend(std::iter::repeat_n(self.from.position, self.wait as usize));
        positions.extend(self.track.iter().map(|placement| placement.position));
        positions.extend(std::iter::repeat_n(self.to.position, self.rest as usize));
    }

    /// What the body looks like in the same frames; pushed to `stances`.
    pub(crate) fn stances(&self, repertoire: &Repertoire, stances: &mut Vec<Stance>) {
        let outlines = &repertoire.outlines;
        let still = |frame: u32| Stance::of(repertoire, self.at(repertoire, frame));
        stances.extend((self.first_frame..).take(self.wait as usize).map(still));
        let mut pieces = self.pieces.iter().peekable();
        let mut piece = None;
        for (frame, at) in self.track.iter().enumerate() {
            let source = self.source_at(frame as u32);
            while let Some(next) = pieces.next_if(|next| next.first as f32 <= source) {
                piece = Some((next, repertoire.clip(next.action).frames as f32));
            }
            stances.push(match piece {
                Some((piece, frames)) => {
                    outlines.of_clip(piece.action, (source - piece.first as f32).min(frames), at.heading)
                }
                None => outlines.of_node(self.end_node, at.heading),
            });
        }
        let rest = self.first_frame + self.wait + self.frames + 1;
        stances.extend((rest..).take(self.rest as usize).map(still));
    }

    #[inline]
    fn joined_pieces(&self) -> usize {
        self.pieces.partition_point(|piece| piece.first < self.forward)
    }

    /// What the body shows in a frame, and where it is.
    pub fn at(&self, repertoire: &Repertoire, frame: u32) -> (Placement, Showing) {
        let since = frame.saturating_sub(self.first_frame);
        if since < self.wait {
            return (self.from, waiting_pose(repertoire, self.node, self.from, (since, self.wait)));
        }
        if let Some(since) = since.checked_sub(self.wait + self.frames).filter(|_| self.rest > 0) {
            return (self.to, waiting_pose(repertoire, self.end_node, self.to, (since, self.rest)));
        }
        let source = self.source_at(since - self.wait);
        let index = self.pieces.partition_point(|piece| piece.first as f32 <= source);
        let Some(piece) = index.checked_sub(1).and_then(|index| self.pieces.get(index)) else {
            return (self.to, Showing::Still(self.end_node));
        };
        let clip = repertoire.clip(piece.action);
        let local = (source - piece.first as f32).min(clip.frames as f32);
        let placement = self.track.get((since - self.wait) as usize).copied().unwrap_or(self.to);
        (placement, Showing::Clip(piece.action, local))
    }
}

/// What a body shows that waits somewhere in the pose of a node, `since` frames of `wait`: clips of waiting, as many as there is
/// time for, then the pose alone.
fn waiting_pose(repertoire: &Repertoire, node: NodeId, at: Placement, (since, wait): (u32, u32)) -> Showing {
    let idles = repertoire.idles(node);
    // People in different places begin with different clips.
    let place = at.position.x.to_bits() ^ at.position.y.to_bits().rotate_left(16);
    let first = (place.wrapping_mul(0x9e37_79b9) >> 16) as usize;
    let mut begin = 0;
    for index in 0.. {
        let Some(&action) = idles.get((first + index) % idles.len().max(1)) else { break };
        let end = begin + repertoire.clip(action).frames;
        if end > wait {
            break;
        }
        if since < end {
            return Showing::Clip(action, (since - begin) as f32);
        }
        begin = end;
    }
    Showing::Still(node)
}

/// The direction of an angle; those of a radian or less, as most are, by their series.
#[inline]
fn turned_by(angle: f32) -> Vec2 {
    if angle.abs() > 1.0 {
        let (sine, cosine) = libm::sincosf(angle);
        return Vec2::new(cosine, sine);
    }
    let s = angle * angle;
    let cosine = 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)));
    let sine = angle * (1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))));
    Vec2::new(cosine, sine)
}
