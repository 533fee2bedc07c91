//! Displacing a clip at both ends so that it starts and ends in its nodes' states exactly.

use super::state::{BodyState, rotation_between};
use crate::feet::{KeepEnds, clean_captured_feet_keeping, clean_feet_keeping};
use crate::measure_radii;
use crate::{Clip, FRAME_TIME, Placement, Skeleton};
use glam::{Quat, Vec2, Vec3};

/// Frames over which a displacement fades.
const FADE_FRAMES: usize = 20;

/// How far a clip is from where it should be at one of its ends.
struct Displacement {
    rotations: Vec<Vec3>,
    rotation_rates: Vec<Vec3>,
    height: f32,
    height_rate: f32,
    ground_rate: Vec2,
    turn_rate: f32,
}

impl Displacement {
    /// From the state that a clip has to the state that it should have.
    fn between(has: &BodyState, wanted: &BodyState) -> Self {
        let rotations: Vec<Vec3> = has
            .pose
            .rotations
            .iter()
            .zip(&wanted.pose.rotations)
            .map(|(&has, &wanted)| rotation_between(has, wanted))
            .collect();
        let rates = has.velocity.joints.iter().zip(&wanted.velocity.joints);
        let rotation_rates = rotations
            .iter()
            .zip(rates)
            .map(|(&offset, (&has, &wanted))| {
                // d/dt of exp(D)·q has angular velocity J(D)·D' + exp(D)·ω, with J the left Jacobian of SO(3):
                // D' = J⁻¹(D)·(ω_wanted - exp(D)·ω), J⁻¹ to second order.
                let lack = wanted - Quat::from_scaled_axis(offset) * has;
                lack - 0.5 * offset.cross(lack) + offset.cross(offset.cross(lack)) / 12.0
            })
            .collect();
        Self {
            rotations,
            rotation_rates,
            height: wanted.pose.root_height - has.pose.root_height,
            height_rate: wanted.velocity.rise - has.velocity.rise,
            ground_rate: wanted.velocity.ground - has.velocity.ground,
            turn_rate: wanted.velocity.turn - has.velocity.turn,
        }
    }
}

/// Cubic Hermite weights of value and slope at the start of a fade, a fraction `u` of it later.
fn fade(u: f32) -> (f32, f32) {
    let u = u.clamp(0.0, 1.0);
    let rest = 1.0 - u;
    ((1.0 + 2.0 * u) * rest * rest, u * rest * rest)
}

/// Makes `piece` start in state `from` and end in state `to`, exactly; `begins` and `ends` are the states it has.
///
/// Contacts are held still afterwards without touching the end frames.
pub fn snap(
    skeleton: &Skeleton,
    piece: &mut Clip,
    begin: (&BodyState, &BodyState),
    end: (&BodyState, &BodyState),
) {
    displace(piece, begin, end);
    clean_feet_keeping(skeleton, piece, KeepEnds::Yes);
    piece.radii = measure_radii(skeleton, &piece.rotations);
}

/// The same of captured motion, whose legs stay as straight as they were.
pub fn snap_captured(
    skeleton: &Skeleton,
    piece: &mut Clip,
    begin: (&BodyState, &BodyState),
    end: (&BodyState, &BodyState),
) {
    displace(piece, begin, end);
    clean_captured_feet_keeping(skeleton, piece, KeepEnds::Yes);
    piece.radii = measure_radii(skeleton, &piece.rotations);
}

fn displace(
    piece: &mut Clip,
    (begins, from): (&BodyState, &BodyState),
    (ends, to): (&BodyState, &BodyState),
) {
    let last = piece.frames() - 1;
    let length = FADE_FRAMES.min(last);
    let seconds = length as f32 * FRAME_TIME;
    let start = Displacement::between(begins, from);
    let end = Displacement::between(ends, to);
    let end_facing = piece.displacement().facing();
    let joints = piece.joint_count();
    for frame in 0..=last {
        // Near the end time runs backwards, so slopes change their sign.
        let (start_value, start_slope) = fade(frame as f32 / length as f32);
        let (end_value, end_slope) = fade((last - frame) as f32 / length as f32);
        let (start_slope, end_slope) = (start_slope * seconds, -end_slope * seconds);
        for joint in 0..joints {
            let offset = start.rotations[joint] * start_value
                + start.rotation_rates[joint] * start_slope
                + end.rotations[joint] * end_value
                + end.rotation_rates[joint] * end_slope;
            let rotation = &mut piece.rotations[frame * joints + joint];
            *rotation = (Quat::from_scaled_axis(offset) * *rotation).normalize();
        }
        piece.root_heights[frame] += start.height * start_value
            + start.height_rate * start_slope
            + end.height * end_value
            + end.height_rate * end_slope;
        let placement = &mut piece.track[frame];
        placement.position +=
            start.ground_rate * start_slope + end_facing.rotate(end.ground_rate) * end_slope;
        placement.heading += start.turn_rate * start_slope + end.turn_rate * end_slope;
    }
    piece.track[0] = Placement::IDENTITY;
    // Rounding must not separate the ends: they are the nodes' poses, bit for bit.
    for (frame, state) in [(0, from), (last, to)] {
        piece.rotations[frame * joints..(frame + 1) * joints].copy_from_slice(&state.pose.rotations);
        piece.root_heights[frame] = state.pose.root_height;
    }
}
