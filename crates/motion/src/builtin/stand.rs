//! Standing at ease: the pose that everything starts from and returns to.

use super::body::{Channels, SIDES, channel::*, size};
use crate::Placement;

/// Ankles behind the root and from the middle, in metres: the body's weight is over the middle of the feet.
pub const PRINT: (f32, f32) = (-0.035, 0.1);
/// Feet turned out, in radians.
pub const TOE_OUT: f32 = 0.14;
/// Bend of the knees in radians.
const KNEE_BEND: f32 = 0.125;

/// Where the feet stand when the body stands at `placement`.
pub fn print(placement: Placement, side: usize) -> Placement {
    let sign = if side == 0 { 1.0 } else { -1.0 };
    placement.then(Placement::new(PRINT.0, sign * PRINT.1, sign * TOE_OUT))
}

/// Standing upright at the origin, arms hanging.
pub fn pose() -> Channels {
    let mut c = Channels([0.0; COUNT]);
    let (a, b) = (size::THIGH, size::SHANK);
    let length = (a * a + b * b + 2.0 * a * b * libm::cosf(KNEE_BEND)).sqrt();
    let across = PRINT.1 - size::HIP_HALF;
    let up = (length * length - PRINT.0 * PRINT.0 - across * across).sqrt();
    c[Z] = size::ANKLE + up + size::HIP_DROP;
    c[PITCH] = 0.03;
    c[SPINE_PITCH] = 0.01;
    c[NECK_PITCH] = 0.02;
    for side in SIDES {
        c[arm(side, FLEX)] = -0.03;
        c[arm(side, ABDUCT)] = 0.13;
        c[arm(side, TWIST)] = -0.15;
        c[arm(side, ELBOW)] = 0.28;
        c[arm(side, PRONATE)] = 0.35;
        let thigh = libm::asinf(PRINT.0 / length) + KNEE_BEND * 0.5;
        c[leg(side, HIP)] = thigh + c[PITCH];
        c[leg(side, HIP_ABDUCT)] = libm::asinf(across / length);
        c[leg(side, HIP_TWIST)] = TOE_OUT;
        c[leg(side, KNEE)] = KNEE_BEND;
        c[leg(side, ANKLE)] = KNEE_BEND - thigh;
        // Where a hand rests when nothing else is asked; only `GRASP` makes it count.
        c[arm(side, HAND_X)] = 0.2;
        c[arm(side, HAND_Y)] = if side == 0 { 0.15 } else { -0.15 };
        c[arm(side, HAND_Z)] = 0.0;
    }
    c
}
