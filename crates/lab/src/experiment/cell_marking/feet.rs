//! What bodies do on the ground: feet that slide, and turning while both feet stand.

use crowdloom_crowd::cell_marking::Shown;
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::{Contacts, FRAME_RATE, Skeleton, heel_offset, wrap_angle};
use glam::{Vec2, Vec3};

/// Measures the bodies of some agents, frame after frame.
pub struct FeetMeter {
    skeleton: Skeleton,
    /// Joint, point in its frame, and the contact that pins it.
    points: Vec<(usize, Vec3, Contacts)>,
    before: Vec<Option<(Shown, Vec<Vec2>)>>,
    slid: f64,
    contacts: u64,
    turned: f64,
    standing: u64,
}

/// A root slower than this, in metres a second, stands if both feet do.
const STANDS: f32 = 0.3;

impl FeetMeter {
    /// For `agents` bodies with one skeleton.
    pub fn new(skeleton: &Skeleton, agents: usize) -> Self {
        let body = Body::guess(skeleton);
        let legs = Side::BOTH.into_iter().filter_map(|side| Some((side, body.leg(side)?)));
        let points = legs.flat_map(|(side, leg)| {
            let (heel, toe) = match side {
                Side::Left => (Contacts::LEFT_HEEL, Contacts::LEFT_TOE),
                Side::Right => (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE),
            };
            [(leg.ankle, heel_offset(skeleton, leg.ankle), heel), (leg.ball, Vec3::ZERO, toe)]
        });
        Self {
            points: points.collect(),
            skeleton: skeleton.clone(),
            before: vec![None; agents],
            slid: 0.0,
            contacts: 0,
            turned: 0.0,
            standing: 0,
        }
    }

    /// Takes the next frame of an agent.
    pub fn see(&mut self, agent: usize, shown: Shown) {
        let joints = shown.pose.joints(&self.skeleton, shown.placement);
        let place = |(joint, offset, _): &(usize, Vec3, Contacts)| {
            (joints.positions[*joint] + joints.orientations[*joint] * *offset).truncate()
        };
        let places: Vec<Vec2> = self.points.iter().map(place).collect();
        if let Some((before, old)) = &self.before[agent] {
            for ((point, a), b) in self.points.iter().zip(old).zip(&places) {
                if before.contacts.touches(point.2) && shown.contacts.touches(point.2) {
                    self.slid += f64::from(a.distance(*b));
                    self.contacts += 1;
                }
            }
            let both = [before.contacts, shown.contacts]
                .iter()
                .all(|contacts| contacts.touches(Contacts::LEFT) && contacts.touches(Contacts::RIGHT));
            let speed = before.placement.position.distance(shown.placement.position) * FRAME_RATE;
            if both && speed < STANDS {
                let turn = wrap_angle(shown.placement.heading - before.placement.heading);
                self.turned += f64::from(turn.abs());
                self.standing += 1;
            }
        }
        self.before[agent] = Some((shown, places));
    }

    /// Mean speed of feet on the ground in centimetres a second.
    pub fn skate(&self) -> f64 {
        100.0 * self.slid * f64::from(FRAME_RATE) / self.contacts.max(1) as f64
    }

    /// Mean turning of standing bodies in degrees a second.
    pub fn standing_turn(&self) -> f64 {
        (self.turned * f64::from(FRAME_RATE) / self.standing.max(1) as f64).to_degrees()
    }
}
