//! A cycle of two steps as a vector: what people's gaits are compared by (section 4.3 of the source).

use crowdloom_motion::body::Body;
use crowdloom_motion::{Clip, Contacts, Placement, Skeleton, wrap_angle};
use glam::{Quat, Vec3};

/// Frames of every cycle.
pub const FRAMES: usize = 100;
/// Numbers of a frame besides three for each joint: the root ahead and aside of somebody who moves evenly, and its height, by
/// leg length.
pub const ROOT: usize = 3;

/// Walking or running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// Walking, and standing as its slowest.
    Walk,
    /// Running.
    Run,
}

/// One cycle of somebody.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// Whose it is, by number.
    pub subject: usize,
    /// Walking or running.
    pub gait: Gait,
    /// Speed by leg length, in 1/s; 0 is standing.
    pub speed: f32,
    /// [`FRAMES`] frames of the same numbers each: root, then exponential maps of all joints.
    pub values: Vec<f32>,
    /// For the left and the right foot, the phases from 0 to 1 in which it is set down and leaves the ground.
    pub stances: [[f32; 2]; 2],
}

/// The exponential map of a rotation: its axis times its angle in radians.
pub fn exponential(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let sine = rotation.xyz().length();
    if sine < 1e-6 {
        rotation.xyz() * 2.0
    } else {
        rotation.xyz() * (2.0 * libm::atan2f(sine, rotation.w) / sine)
    }
}

/// The rotation of an exponential map.
#[inline]
pub fn rotation(map: Vec3) -> Quat {
    let angle = map.length();
    if angle < 1e-5 {
        return Quat::from_xyzw(map.x * 0.5, map.y * 0.5, map.z * 0.5, 1.0).normalize();
    }
    let (sin, cos) = libm::sincosf(angle * 0.5);
    let axis = map * (sin / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// The first frame from `from` on, going round, in which a foot bears weight again after it did not.
fn strike(contacts: &[Contacts], foot: Contacts) -> Option<usize> {
    let frames = contacts.len() - 1;
    (0..frames).find(|&frame| {
        contacts[frame].touches(foot) && !contacts[(frame + frames - 1) % frames].touches(foot)
    })
}

impl Cycle {
    /// A clip that is one cycle, whose last frame has the pose of its first, turned to begin where the right foot is set down.
    pub fn of_clip(skeleton: &Skeleton, clip: &Clip, subject: usize, gait: Gait) -> Option<Self> {
        let leg = Body::guess(skeleton).leg_length(skeleton)?;
        let last = clip.frames().checked_sub(1).filter(|last| *last > 3)?;
        let begin = strike(&clip.contacts, Contacts::RIGHT)? as f32;
        let whole = clip.displacement();
        let way = whole.position.length();
        let direction = whole.position.try_normalize()?;
        let mut values = Vec::with_capacity(FRAMES * (ROOT + 3 * skeleton.len()));
        let mut maps: Vec<Vec3> = vec![Vec3::ZERO; skeleton.len()];
        let mut sway = [0.0f32; 2];
        let places =
            (0..FRAMES).map(|frame| (begin + frame as f32 * last as f32 / FRAMES as f32) % last as f32);
        for (number, moment) in places.enumerate() {
            let place = clip.placement_at(moment);
            let ahead = direction.dot(place.position) - way * moment / last as f32;
            let aside = direction.perp_dot(place.position);
            sway = [sway[0] + ahead, sway[1] + aside];
            let pose = clip.sample(moment);
            values.extend([ahead / leg, aside / leg, pose.root_height / leg]);
            let turned = wrap_angle(place.heading - direction.to_angle());
            let heading = Placement { heading: turned, ..Placement::IDENTITY }.rotation();
            for (joint, &turn) in pose.rotations.iter().enumerate() {
                let map = exponential(if joint == 0 { heading * turn } else { turn });
                // The same rotation the nearer way round.
                let angle = map.length();
                let other = if angle > 1e-4 { map * (1.0 - std::f32::consts::TAU / angle) } else { map };
                let near = |map: Vec3| map.distance_squared(maps[joint]);
                maps[joint] = if number > 0 && near(other) < near(map) { other } else { map };
                values.extend(maps[joint].to_array());
            }
        }
        // The middle of the sway is where somebody is who moves evenly.
        let each = ROOT + 3 * skeleton.len();
        for frame in 0..FRAMES {
            values[frame * each] -= sway[0] / FRAMES as f32 / leg;
            values[frame * each + 1] -= sway[1] / FRAMES as f32 / leg;
        }
        let phase = |frame: usize| ((frame as f32 - begin) / last as f32).rem_euclid(1.0);
        let stance = |foot: Contacts| {
            let down = strike(&clip.contacts, foot)?;
            let lasts =
                (0..last).take_while(|more| clip.contacts[(down + more) % last].touches(foot)).count();
            let down = phase(down);
            Some([down, down + lasts as f32 / last as f32])
        };
        let stances = [stance(Contacts::LEFT)?, stance(Contacts::RIGHT)?];
        let speed = way / clip.seconds() / leg;
        Some(Self { subject, gait, speed, values, stances })
    }

    /// Somebody who stands: one pose all the time.
    pub fn standing(skeleton: &Skeleton, clip: &Clip, frame: usize, subject: usize) -> Option<Self> {
        let leg = Body::guess(skeleton).leg_length(skeleton)?;
        let pose = clip.pose(frame);
        let mut one = vec![0.0, 0.0, pose.root_height / leg];
        one.extend(pose.rotations.iter().flat_map(|&turn| exponential(turn).to_array()));
        let values = one.iter().copied().cycle().take(FRAMES * one.len()).collect();
        Some(Self { subject, gait: Gait::Walk, speed: 0.0, values, stances: [[0.0, 1.0]; 2] })
    }
}
