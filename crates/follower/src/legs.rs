//! The legs of a body: feet that stand until they step, and hips that sink where legs are too short for where the feet are.

use crate::foot::{Aim, Foot, Patience};
use crowdloom_diversity::FootMoment;
use crowdloom_motion::stance::Stance;
use crowdloom_motion::{FRAME_RATE, FRAME_TIME, Placement};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Both feet and the height of the hips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Legs {
    pub(crate) feet: [Foot; 2],
    /// Height of the root in metres, how fast it rises in metres a second, and what its clip had it at.
    height: f32,
    rises: f32,
    clip_height: f32,
}

/// The body above the legs at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Above {
    pub(crate) root: Placement,
    /// What the clip has the root at, in metres.
    pub(crate) height: f32,
    /// Length of a leg in metres.
    pub(crate) leg: f32,
    pub(crate) runs: bool,
    /// The change of the root's velocity over the ground in this frame, in metres a second.
    pub(crate) jerk: f32,
}

/// The most that hips sink so that feet reach the ground, in metres.
const MOST_DROP: f32 = 0.11;
/// A foot for which hips would have to sink farther than this, in metres, steps.
const MOST_STRAIN: f32 = 0.05;
/// Metres that hips may be too high for a foot before it leaves the ground, of who walks and of who runs.
const MOST_LEFT: [f32; 2] = [0.02, 0.06];
/// The most that the hips' upright velocity changes in a frame, in metres a second.
const MOST_BOUNCE: f32 = 0.36;
/// The same in all directions together.
const MOST_JOLT: f32 = 0.63;

impl Legs {
    /// Legs whose hips are at a height in metres.
    pub(crate) fn new(feet: [Foot; 2], height: f32) -> Self {
        Self { feet, height, rises: 0.0, clip_height: height }
    }

    /// Where feet and head are; the head is turned by `look` radians.
    pub(crate) fn stance(&self, look: f32) -> Stance {
        Stance { feet: self.feet.map(|foot| foot.sole), drop: self.clip_height - self.height, look }
    }

    /// Whether all of it is a number.
    pub(crate) fn is_finite(&self) -> bool {
        [self.height, self.rises, self.clip_height].iter().all(|number| number.is_finite())
            && self.feet.iter().all(Foot::is_finite)
    }

    /// Moves the feet on by a frame.
    pub(crate) fn step(&mut self, aims: &[(Aim, FootMoment); 2], patience: &Patience, runs: bool) {
        // A foot in the air goes first, so that the other may leave when it lands; else the one that is farther off.
        let off = [0, 1].map(|side| self.feet[side].sole.ball.distance_squared(aims[side].0.ball));
        let order = match self.feet.map(|foot| foot.sole.planted) {
            [true, false] => [1, 0],
            [false, true] => [0, 1],
            _ if off[1] > off[0] => [1, 0],
            _ => [0, 1],
        };
        for side in order {
            if self.feet[side].sole.planted && self.feet[side].strained {
                self.feet[1 - side].hurry();
            }
            let carried = runs || self.feet[1 - side].carries();
            self.feet[side].step(&aims[side].0, patience, carried);
        }
    }

    /// Lowers the hips as far as the legs are too short for where the feet are.
    pub(crate) fn sink(&mut self, above: Above, aims: &[(Aim, FootMoment); 2]) {
        let Above { root, height: clip, leg, runs, jerk } = above;
        let (sin, cos) = libm::sincosf(root.heading);
        let facing = Vec2::new(cos, sin);
        let mut needed = [0.0f32; 2];
        for ((foot, (_, own)), needed) in self.feet.iter_mut().zip(aims).zip(&mut needed) {
            let hip = root.position + facing.rotate(own.hip.truncate());
            let ankle = foot.sole.ball + facing.rotate(own.ankle.truncate());
            let height = own.ankle.z + foot.sole.lift;
            let reach = 0.982 * leg;
            let up = (reach * reach - hip.distance_squared(ankle)).max(0.05).sqrt();
            let short = own.hip.z - height - up;
            foot.strained = short > MOST_STRAIN && !runs;
            foot.lost = short > MOST_DROP && !runs;
            *needed = short;
        }
        let [left, right] = needed;
        let most_needed = left.max(right).clamp(0.0, MOST_DROP);
        let drop = clip - self.height;
        let off = (if most_needed > drop { 0.5 } else { 0.1 }) * (drop - most_needed);
        let wish = (clip - self.clip_height + off) * FRAME_RATE;
        let most = (MOST_JOLT * MOST_JOLT - jerk * jerk).max(0.0).sqrt().min(MOST_BOUNCE);
        self.rises += (wish - self.rises).clamp(-most, most);
        self.height += self.rises * FRAME_TIME;
        self.clip_height = clip;
        // Hips sink no faster than this: a foot that is left behind meanwhile leaves the ground at once instead of sliding over it.
        let drop = clip - self.height;
        for ((foot, (aim, _)), short) in self.feet.iter_mut().zip(aims).zip(needed) {
            if foot.sole.planted && short - drop > MOST_LEFT[usize::from(runs)] {
                foot.leave(aim);
            }
        }
        for (foot, (_, own)) in self.feet.iter_mut().zip(aims) {
            let hip = root.position + facing.rotate(own.hip.truncate());
            let flat = hip.distance(foot.sole.ball + facing.rotate(own.ankle.truncate()));
            foot.bend_no_faster(flat, own.hip.z - drop, own.ankle.z, own.above, leg);
        }
    }
}
