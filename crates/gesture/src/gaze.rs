//! Heads that look at something: a point, a person, where somebody goes.

use crate::description::GestureError;
use crowdloom_motion::body::Body;
use crowdloom_motion::{Clip, JointFrames, Skeleton};
use glam::{Quat, Vec3};

/// Shares of a turn of the head that chest, neck and head take over.
const SHARES: [f32; 3] = [0.15, 0.35, 0.5];
/// The farthest that a head looks aside and up or down, in radians from where the trunk faces.
const ASIDE: f32 = 1.3;
const UP: f32 = 0.8;
/// Rounds until the face points there.
const ROUNDS: usize = 6;

/// A clip whose head looks at `at`, a place in the clip's own frame in metres, in each frame where there is one, as much as
/// `share` says, from 0 to 1; and the farthest off that a face is in any frame in which it looks with all its might, in radians.
///
/// What lies too far aside or behind is looked at as far as necks turn.
pub fn look(
    skeleton: &Skeleton,
    clip: &Clip,
    at: impl Fn(usize) -> Option<Vec3>,
    share: impl Fn(usize) -> f32,
) -> Result<(Clip, f32), GestureError> {
    let body = Body::guess(skeleton);
    let (Some(head), Some(&chest)) = (body.head, body.spine.last()) else {
        return Err(GestureError::NoArms);
    };
    let neck = body.neck.filter(|&neck| neck != head);
    let mut chain = vec![(chest, SHARES[0]), (head, SHARES[2])];
    match neck {
        Some(neck) => chain.insert(1, (neck, SHARES[1])),
        None => chain[1].1 += SHARES[1],
    }
    let (mut moved, mut joints, mut worst) = (clip.clone(), JointFrames::default(), 0.0f32);
    let count = skeleton.len();
    for frame in 0..clip.frames() {
        let (Some(at), share) = (at(frame), share(frame).clamp(0.0, 1.0)) else { continue };
        let place = clip.track[frame];
        // As the body sees it, its heading left out.
        let flat = place.inverse().transform_point(at.truncate());
        let seen = flat.extend(at.z);
        let mut own = clip.frame_rotations(frame).to_vec();
        let root = Vec3::Z * clip.root_heights[frame];
        let mut off = 0.0;
        for _ in 0..ROUNDS {
            joints.compute(skeleton, root, &own);
            let wanted = within_reach(seen - joints.positions[head]);
            let now = joints.orientations[head] * Vec3::X;
            off = now.angle_between(wanted);
            let turn = Quat::from_rotation_arc(now.normalize_or(Vec3::X), wanted);
            for &(joint, part) in &chain {
                let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |above| joints.orientations[above]);
                let turn = Quat::IDENTITY.slerp(turn, part);
                own[joint] = (above.inverse() * turn * above * own[joint]).normalize();
            }
        }
        for &(joint, _) in &chain {
            let kept = &mut moved.rotations[frame * count + joint];
            *kept = kept.slerp(own[joint], share);
        }
        if share >= 1.0 {
            worst = worst.max(off);
        }
    }
    Ok((moved, worst))
}

/// The direction nearest to `way` that a head can look in, the body facing along x.
fn within_reach(way: Vec3) -> Vec3 {
    let aside = libm::atan2f(way.y, way.x).clamp(-ASIDE, ASIDE);
    let up = libm::atan2f(way.z, way.truncate().length()).clamp(-UP, UP);
    let (sine, cosine) = libm::sincosf(aside);
    Vec3::new(cosine * libm::cosf(up), sine * libm::cosf(up), libm::sinf(up))
}
