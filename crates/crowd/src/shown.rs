//! What a person's body shows, whatever moves it; recorders, pictures and viewers look at nothing else.

use crate::bodies::Bodies;
use crate::cell_marking::{SegmentBook, Shown};
use crate::crowd::Crowd;
use crate::person::Mover;
use crowdloom_motion::body::Body as JointsOfBody;
use crowdloom_motion::breath::{breath_at, breathe};
use crowdloom_motion::feet::FeetBetween;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::stance::{Sole, Stance};
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, JointFrames, Placement, Pose, wrap_angle};
use crowdloom_promises::SegmentMoves;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A pose out of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shows {
    /// A clip of the motion graph, at a frame with its fraction.
    Action(ActionId, f32),
    /// Resting in the pose of a node of the motion graph, at a frame of its breathing (`crowdloom_motion::breath`).
    Still(NodeId, f32),
    /// A loop of the styles, by its number in their book, at a frame with its fraction.
    Loop(u32, f32),
    /// A performance, by its number among the crowd's, at a frame.
    Performance(u32, f32),
    /// A clip that segments are cut from, by its number in their book, at a frame.
    Captured(u32, f32),
}

/// What a person's body shows at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where the root of the body is.
    pub placement: Placement,
    /// What it shows.
    pub shows: Shows,
    /// What it showed before, as long as it goes over to what it shows now, and how much of that is left, from 0 to 1.
    pub fades: Option<(Shows, f32)>,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// The style that it shows, by its number in the book of styles.
    pub style: Option<u16>,
    /// Whether it is on its way, not only standing or coming to rest.
    pub is_under_way: bool,
    /// Whether it comes to rest because nothing better was possible.
    pub comes_to_rest: bool,
    /// Where its feet are and where it looks, if otherwise than its clip has it.
    pub stance: Option<Stance>,
}

/// A pose that goes over into another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fade {
    pub(crate) id: u32,
    pub(crate) since: u32,
    pub(crate) from: Shows,
    /// Where the root was then, seen from where it would have been.
    pub(crate) offset: Placement,
    /// Where its feet were and where it looked then, if otherwise than its clip had it.
    pub(crate) stance: Option<Stance>,
}

/// The pose of a clip at a frame with its fraction, and what of its feet is on the ground then.
fn sampled(clip: &Clip, frame: f32, feet: &FeetBetween) -> (Pose, Contacts) {
    let last = clip.frames() - 1;
    let [before, after] = [frame.floor(), frame.ceil()].map(|frame| (frame.max(0.0) as usize).min(last));
    let mut pose = clip.sample(frame);
    feet.hold(clip, frame, pose.root_height, &mut pose.rotations);
    (pose, Contacts(clip.contacts[before].0 & clip.contacts[after].0))
}

/// Frames over which a body goes over from what it showed to what it shows when something else moves it.
pub(crate) const FADE_FRAMES: u32 = 12;

impl Crowd {
    /// What a person's body shows now.
    pub fn body(&self, index: usize) -> Body {
        let body = self.body_itself(index);
        let Some((fade, left)) = self.fade_of(self.ids[index]) else { return body };
        let Fade { from, offset, stance: old, .. } = *fade;
        let offset = Placement { position: offset.position * left, heading: offset.heading * left };
        let mut body = Body { placement: body.placement.then(offset), fades: Some((from, left)), ..body };
        // Feet go over to where they stand from where the poses have them, or back.
        body.stance = match (body.stance, old) {
            (Some(own), None) => self.partly(&body, own, 1.0 - left),
            (Some(own), Some(old)) => {
                let feet = [0, 1].map(|side| old.feet[side].lerp(own.feet[side], 1.0 - left));
                let part = |old: f32, own: f32| own + (old - own) * left;
                Some(Stance { feet, drop: part(old.drop, own.drop), look: part(old.look, own.look) })
            }
            (None, Some(old)) => self.partly(&body, old, left),
            (None, None) => None,
        };
        body
    }

    /// A stance of which so much counts, from 0 to 1; the rest is as the poses of a body have it.
    fn partly(&self, body: &Body, stance: Stance, share: f32) -> Option<Stance> {
        let solver = self.bodies.as_ref().and_then(Bodies::solver)?;
        let joints = self.clip_pose(body).0.joints(self.setting.book.graph().skeleton(), body.placement);
        let feet = [0, 1].map(|side| {
            let ball = joints.positions[solver.legs()[side].ball].truncate();
            let own = Sole { ball, heading: body.placement.heading, ..Sole::default() };
            own.lerp(stance.feet[side], share)
        });
        Some(Stance { feet, drop: stance.drop * share, look: stance.look * share })
    }

    pub(crate) fn body_itself(&self, index: usize) -> Body {
        let (book, frame) = (&self.setting.book, self.frame);
        let promise = &self.ledger.promises[index];
        let id = self.ids[index];
        if let Some(bodies) = &self.bodies
            && let Some((playing, follower)) = bodies.follower_of(id)
        {
            let style_book = bodies.control().book();
            let number = style_book.number(playing.from, playing.style, playing.start);
            return Body {
                placement: follower.root(),
                shows: Shows::Loop(number as u32, playing.frame),
                fades: None,
                speed: follower.disc_speed(),
                style: Some(playing.style),
                is_under_way: style_book.kind(playing.style).is_cyclic(),
                comes_to_rest: false,
                stance: Some(follower.stance()),
            };
        }
        let still = self.standing_body(index);
        let placement = still.placement;
        let at = promise.elapsed(frame);
        let entry = promise.doing.map(|doing| book.get(doing)).filter(|entry| at < entry.total_frames());
        if self.movers[index] == Mover::Planned
            && let Some(number) = self.performances.iter().position(|(own, ..)| *own == id)
        {
            let (_, first, clip) = &self.performances[number];
            let at = frame.saturating_sub(*first).min(clip.frames() as u32 - 1);
            let next = promise.position(book, frame + 1);
            return Body {
                shows: Shows::Performance(number as u32, at as f32),
                speed: next.distance(placement.position) * FRAME_RATE,
                is_under_way: entry.is_some_and(|entry| entry.part_at(at).action.is_some()),
                ..still
            };
        }
        if let Some(body) = self.captured_body(index) {
            return match self.bodies.as_ref().and_then(|bodies| bodies.planned_of(id)) {
                Some(own) => Body { placement: own.root(), stance: Some(own.stance()), ..body },
                None => body,
            };
        }
        let Some(entry) = entry else { return still };
        let part = entry.part_at(at);
        let Some(action) = part.action else {
            return Body { shows: Shows::Still(part.to, breath_at(at - part.first)), ..still };
        };
        let clip = &book.graph().action(action).clip;
        let frames = part.frames.max(1) as f32;
        let elapsed = (at - part.first).min(part.frames) as f32;
        Body {
            shows: Shows::Action(action, elapsed * (clip.frames() - 1) as f32 / frames),
            speed: clip.displacement().position.length() * FRAME_RATE / frames,
            style: self.bodies.as_ref().filter(|own| own.styles_graph()).and_then(|own| own.shown_by(action)),
            is_under_way: true,
            comes_to_rest: part.first > 0 && !entry.bent,
            ..still
        }
    }

    /// The body of somebody who stands in the pose of its node.
    fn standing_body(&self, index: usize) -> Body {
        let (book, frame, promise) = (&self.setting.book, self.frame, &self.ledger.promises[index]);
        let node = crate::decision::node_at(book, promise, frame);
        Body {
            placement: promise.placement(book, frame),
            shows: Shows::Still(node, breath_at(frame.saturating_sub(promise.rest_frame(book)))),
            fades: None,
            speed: 0.0,
            style: None,
            is_under_way: false,
            comes_to_rest: false,
            stance: None,
        }
    }

    /// The body of somebody who plans captured motion, as its plan has it.
    pub(crate) fn captured_body(&self, index: usize) -> Option<Body> {
        let (book, frame, promise) = (&self.setting.book, self.frame, &self.ledger.promises[index]);
        let segments = book.segments().filter(|_| matches!(self.movers[index], Mover::CellMarking(_)))?;
        let still = self.standing_body(index);
        // Who stands breathes.
        if promise.rest_frame(book) <= frame && segments.stands_as_in_node(promise, frame) {
            return Some(still);
        }
        let at = promise.elapsed(frame);
        let entry = promise.doing.map(|doing| book.get(doing)).filter(|entry| at < entry.total_frames());
        let ((clip, clip_frame), (other, share)) = segments.layers(promise, frame).greater();
        let next = promise.position(book, frame + 1);
        Some(Body {
            shows: Shows::Captured(clip, clip_frame),
            fades: (share > 0.0).then_some((Shows::Captured(other.0, other.1), share)),
            speed: next.distance(still.placement.position) * FRAME_RATE,
            is_under_way: entry.is_some(),
            comes_to_rest: entry.is_some_and(|entry| at >= entry.chosen_frames),
            ..still
        })
    }

    /// A person's body now, posed.
    pub fn posed(&self, index: usize) -> Shown {
        let body = self.body(index);
        let (mut pose, contacts) = self.clip_pose(&body);
        let solver = self.bodies.as_ref().and_then(Bodies::solver);
        if let (Some(solver), Some(stance)) = (solver, &body.stance) {
            let skeleton = self.setting.book.graph().skeleton();
            let (height, frames) = (&mut pose.root_height, &mut JointFrames::default());
            solver.solve(skeleton, body.placement, stance, height, &mut pose.rotations, frames);
        }
        Shown { placement: body.placement, pose, contacts }
    }

    /// A body's pose as its clips have it, and what of its feet is on the ground.
    pub(crate) fn clip_pose(&self, body: &Body) -> (Pose, Contacts) {
        let (mut pose, contacts) = self.pose_of(body.shows);
        if let Some((under, share)) = body.fades {
            let (under, _) = self.pose_of(under);
            pose.root_height += (under.root_height - pose.root_height) * share;
            for (own, under) in pose.rotations.iter_mut().zip(under.rotations) {
                *own = own.slerp(under, share);
            }
        }
        (pose, contacts)
    }

    fn pose_of(&self, shows: Shows) -> (Pose, Contacts) {
        let graph = self.setting.book.graph();
        let still = |node: NodeId, frame: f32| {
            let mut pose = graph.node(node).state.pose.clone();
            breathe(&mut pose, &JointsOfBody::guess(graph.skeleton()), frame);
            (pose, Contacts::LEFT.with(Contacts::RIGHT))
        };
        match shows {
            Shows::Action(action, frame) => sampled(&graph.action(action).clip, frame, &self.feet),
            Shows::Still(node, frame) => still(node, frame),
            Shows::Loop(number, frame) => match &self.bodies {
                Some(bodies) => {
                    sampled(&bodies.control().book().played(number as usize).clip, frame, &self.feet)
                }
                None => still(self.setting.book.home_on(0), 0.0),
            },
            Shows::Performance(number, frame) => {
                sampled(&self.performances[number as usize].2, frame, &self.feet)
            }
            Shows::Captured(number, frame) => {
                let clip = self.segments().and_then(|segments| {
                    (number < segments.clips().len() as u32).then(|| segments.stretch(number))
                });
                clip.map_or_else(
                    || still(self.setting.book.home_on(0), 0.0),
                    |clip| sampled(clip, frame, &self.feet),
                )
            }
        }
    }

    /// The segments of those who plan captured motion, if anybody may.
    pub fn segments(&self) -> Option<&Arc<SegmentBook>> {
        self.setting.book.segments().map(SegmentMoves::book)
    }

    fn fade_of(&self, id: u32) -> Option<(&Fade, f32)> {
        let place = self.fades.binary_search_by_key(&id, |fade| fade.id).ok()?;
        let fade = &self.fades[place];
        let left = 1.0 - (self.frame - fade.since) as f32 / FADE_FRAMES as f32;
        // Slow at both ends.
        (left > 0.0).then_some((fade, left * left * (3.0 - 2.0 * left)))
    }

    /// Goes over from what a person showed, and where its root was, to what it shows from now on.
    pub(crate) fn fade_from(&mut self, index: usize, shown: Body) {
        let (id, since) = (self.ids[index], self.frame);
        let now = self.body_itself(index);
        // Who goes on following a disc goes on as it is.
        if now.stance.is_some() && now.stance == shown.stance {
            return;
        }
        let offset = shown.placement.relative_to(now.placement);
        let offset = Placement { heading: wrap_angle(offset.heading), ..offset };
        // Of two poses that one shows at once the nearer.
        let under = shown.fades.filter(|(_, share)| *share > 0.5).map(|(under, _)| under);
        let fade = Fade { id, since, from: under.unwrap_or(shown.shows), offset, stance: shown.stance };
        match self.fades.binary_search_by_key(&id, |fade| fade.id) {
            Ok(place) => self.fades[place] = fade,
            Err(place) => self.fades.insert(place, fade),
        }
    }

    /// Forgets what nobody shows any more.
    pub(crate) fn end_fades(&mut self) {
        let frame = self.frame;
        self.fades.retain(|fade| fade.since + FADE_FRAMES > frame);
    }
}
