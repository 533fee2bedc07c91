//! The bodies of those who plan captured motion: they show their plans on feet that stay where they stand.

use crate::bodies::Bodies;
use crate::crowd::Crowd;
use crate::person::Mover;
use crate::shown::Shows;
use crowdloom_diversity::FootMoment;
use crowdloom_follower::{PlannedBody, PlannedMoment};
use crowdloom_motion::{Contacts, FRAME_RATE, JointFrames, Placement, heel_offset};
use glam::Vec2;
use rayon::prelude::*;

/// The farthest that feet look ahead for where they land, in frames.
const LOOKS_AHEAD: u32 = 24;

impl Bodies {
    /// The body of somebody who shows a plan, by its number.
    pub(crate) fn planned_of(&self, id: u32) -> Option<&PlannedBody> {
        let place = self.planned.binary_search_by_key(&id, |(own, _)| *own).ok()?;
        Some(&self.planned[place].1)
    }
}

impl Crowd {
    /// Moves the bodies of those who plan captured motion on by a frame.
    pub(crate) fn move_planned(&self, bodies: &mut Bodies) {
        let plans = |index: &usize| matches!(self.movers[*index], Mover::CellMarking(_));
        let indices: Vec<usize> = (0..self.len()).filter(plans).collect();
        let old = &*bodies;
        let moved = indices.into_par_iter().with_min_len(64).filter_map(|index| {
            let id = self.ids[index];
            let moment = self.planned_moment(old, index)?;
            let body = match old.planned_of(id) {
                Some(body) => {
                    let mut body = *body;
                    body.go(&moment);
                    body
                }
                None => PlannedBody::new(&moment, self.planned_velocity(index)),
            };
            Some((id, body))
        });
        bodies.planned = moved.collect();
    }

    /// How somebody moves who keeps its promise, in metres a second.
    fn planned_velocity(&self, index: usize) -> Vec2 {
        let (book, promise) = (&self.setting.book, &self.ledger.promises[index]);
        let before = promise.position(book, self.frame.saturating_sub(1));
        (promise.position(book, self.frame) - before) * FRAME_RATE
    }

    /// What the plan of somebody has its body do now.
    fn planned_moment(&self, bodies: &Bodies, index: usize) -> Option<PlannedMoment> {
        let solver = bodies.solver()?;
        let skeleton = self.setting.book.graph().skeleton();
        let body = self.captured_body(index)?;
        let (pose, contacts) = self.clip_pose(&body);
        let joints = pose.joints(skeleton, Placement::IDENTITY);
        let foot = |side: usize| {
            let leg = solver.legs()[side];
            let own = |contacts: Contacts| match side {
                0 => contacts.of_left(),
                _ => contacts.mirrored().of_left(),
            };
            let (ball, heel, ankle) =
                (joints.positions[leg.ball], heel(&joints, skeleton, leg.ankle), joints.positions[leg.ankle]);
            let [ball_level, heel_level] = bodies.levels[side];
            let lands_in = match own(contacts) == Contacts::default() {
                true => (1..LOOKS_AHEAD)
                    .find(|ahead| {
                        own(self.planned_contacts(index, self.frame + ahead)) != Contacts::default()
                    })
                    .unwrap_or(LOOKS_AHEAD),
                false => 0,
            };
            FootMoment {
                ball: ball.truncate(),
                arch: (ball - heel).truncate(),
                above: (ball.z - ball_level).min(heel.z - heel_level).max(0.0),
                hip: joints.positions[leg.hip],
                ankle: (ankle - ball).with_z(ankle.z),
                lands_in: lands_in as f32,
                contacts: own(contacts),
            }
        };
        let runs = matches!(body.shows, Shows::Captured(number, _)
            if self.segments().is_some_and(|segments| segments.stretch(number).has_label("run")));
        let feet = [foot(0), foot(1)];
        Some(PlannedMoment { root: body.placement, height: pose.root_height, feet, leg: bodies.leg, runs })
    }

    /// What of somebody's feet its plan has on the ground in a frame.
    fn planned_contacts(&self, index: usize, frame: u32) -> Contacts {
        let all = Contacts::LEFT.with(Contacts::RIGHT);
        let Some(segments) = self.setting.book.segments() else { return all };
        let layers = segments.layers(&self.ledger.promises[index], frame);
        let (number, at) = layers.greater().0;
        let contacts = &segments.book().stretch(number).contacts;
        contacts[(at as usize).min(contacts.len() - 1)]
    }
}

/// The heel of a foot, in metres.
pub(crate) fn heel(joints: &JointFrames, skeleton: &crowdloom_motion::Skeleton, ankle: usize) -> glam::Vec3 {
    joints.positions[ankle] + joints.orientations[ankle] * heel_offset(skeleton, ankle)
}
