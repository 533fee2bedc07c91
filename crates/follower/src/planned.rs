//! A body whose whole motion is planned: it shows the plan, but on feet that stay where they stand, with hips that go over
//! from one motion to the next without a jerk.

use crate::MOST_JERK;
use crate::foot::{Aim, Foot, Patience};
use crate::legs::{Above, Legs};
use crowdloom_diversity::FootMoment;
use crowdloom_motion::stance::Stance;
use crowdloom_motion::{Contacts, FRAME_RATE, FRAME_TIME, Placement, wrap_angle};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Where a body is that shows a plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedBody {
    root: Placement,
    /// How the root moves, in metres a second.
    velocity: Vec2,
    /// Where the plan had the root, in metres.
    planned: Vec2,
    legs: Legs,
}

/// What a plan has a body do at a moment.
#[derive(Clone, Copy, Debug)]
pub struct PlannedMoment {
    /// The root.
    pub root: Placement,
    /// Height of the root in metres.
    pub height: f32,
    /// Left and right foot as seen from the root.
    pub feet: [FootMoment; 2],
    /// Length of a leg in metres.
    pub leg: f32,
    /// Whether it runs: feet may be in the air both.
    pub runs: bool,
}

/// Slower than this, in metres a second, one stands.
const STANDS: f32 = 0.1;
/// How far feet may be from where the plan has them: of who stands, walks and runs.
const STANDING: Patience = Patience { distance: 0.08, angle: 0.4, farthest: 0.45 };
const WALKING: Patience = Patience { distance: 0.24, angle: 0.9, farthest: 0.5 };
const RUNNING: Patience = Patience { distance: 0.5, angle: 1.2, farthest: 0.9 };

impl PlannedBody {
    /// A body that is where its plan has it, and moves at `velocity` metres a second.
    pub fn new(moment: &PlannedMoment, velocity: Vec2) -> Self {
        let (root, planned) = (moment.root, moment.root.position);
        let mut body = Self { root, velocity, planned, legs: Legs::default() };
        let feet = moment.feet.map(|foot| Foot::at(&body.aim(&foot)));
        body.legs = Legs::new(feet, moment.height);
        body
    }

    /// Where the root is.
    pub fn root(&self) -> Placement {
        self.root
    }

    /// Where the feet are.
    pub fn stance(&self) -> Stance {
        self.legs.stance(0.0)
    }

    /// Whether all of it is a number.
    pub fn is_finite(&self) -> bool {
        let vectors = [self.root.position, self.velocity, self.planned];
        vectors.iter().all(|vector| vector.is_finite())
            && self.root.heading.is_finite()
            && self.legs.is_finite()
    }

    /// Moves on by a frame, to what the plan has now.
    pub fn go(&mut self, moment: &PlannedMoment) {
        let PlannedMoment { root, height, leg, runs, .. } = *moment;
        let ahead = (root.position - self.planned) * FRAME_RATE;
        // As near as it gets without a jerk, and no faster than what can be braked again.
        let off = root.position - (self.root.position + ahead * FRAME_TIME);
        let fastest = (1.6 * MOST_JERK * FRAME_RATE * off.length()).sqrt();
        let wish = ahead + (off * FRAME_RATE).clamp_length_max(fastest);
        let jerk = (wish - self.velocity).clamp_length_max(MOST_JERK);
        self.velocity += jerk;
        self.root =
            Placement { position: self.root.position + self.velocity * FRAME_TIME, heading: root.heading };
        self.planned = root.position;
        let aims = moment.feet.map(|foot| (self.aim(&foot), foot));
        let patience = match runs {
            true => RUNNING,
            false if ahead.length() < STANDS => STANDING,
            false => WALKING,
        };
        self.legs.step(&aims, &patience, runs);
        self.legs.sink(Above { root: self.root, height, leg, runs, jerk: jerk.length() }, &aims);
    }

    /// Where the plan has a foot as its root is now. A foot that stands keeps its own direction, whatever the root's is
    /// meanwhile; so that is what it is seen by.
    fn aim(&self, foot: &FootMoment) -> Aim {
        let points = libm::atan2f(foot.arch.y, foot.arch.x);
        Aim {
            ball: self.root.transform_point(foot.ball),
            heading: wrap_angle(self.root.heading + points),
            sway: -points,
            arch: Vec2::new(foot.arch.length(), 0.0),
            on_heel: foot.contacts == Contacts::LEFT_HEEL,
            above: foot.above,
            bears: foot.contacts != Contacts::default(),
            lands_in: foot.lands_in * FRAME_TIME,
            velocity: self.velocity,
        }
    }
}
