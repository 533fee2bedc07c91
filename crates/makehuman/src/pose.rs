//! Bodies from the pose that they come in to the skeleton of our rig.

use crate::mesh::Base;
use crowdloom_shapes::rig::{RIG, at};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// The height of our rig in metres.
const RIG_HEIGHT: f32 = 1.75;

/// Where the rig's joints are on a body.
pub fn joints_of(base: &Base, points: &[Vec3]) -> [Vec3; RIG.len()] {
    std::array::from_fn(|joint| mean(&base.joints[joint], points))
}

fn mean(which: &[u32], points: &[Vec3]) -> Vec3 {
    which.iter().map(|&point| points[point as usize]).sum::<Vec3>() / which.len().max(1) as f32
}

/// The joint at the far end of each bone.
fn end_of(joint: usize) -> Option<usize> {
    match joint {
        1..=4 | 6..=8 | 10..=12 | 14..=16 | 18..=20 => Some(joint + 1),
        _ => None,
    }
}

/// Moves all points of a body to where they are when its joints are the rig's: what the rig's own motion from there to the pose that the
/// body comes in would undo exactly.
pub fn onto_rig(base: &Base, points: &[Vec3]) -> Vec<Vec3> {
    let joints = joints_of(base, points);
    let body = base.points_of("body");
    let (low, high) = body.iter().fold((f32::MAX, f32::MIN), |(low, high), &point| {
        let z = points[point as usize].z;
        (low.min(z), high.max(z))
    });
    let across = RIG_HEIGHT / (high - low).max(0.1);
    // The rig's shoulders are higher than people's: arms that hang begin so much lower, which is farther out while they are stretched out.
    let lower = |arm: usize| (RIG[arm].at.z - (joints[arm].z - low) * across).clamp(0.0, 0.06) + SLOPE;
    let mut bones: [Affine3A; RIG.len()] = std::array::from_fn(|joint| {
        let (from, to) = (joints[joint], RIG[joint].at);
        let linear = match (joint, end_of(joint)) {
            // Feet stand on the ground: they turn to the front, and the sole is at height 0.
            (8 | 12, Some(end)) => {
                foot(joints[end] - from, RIG[end].at - to, to.z / (from.z - low).max(0.01), across)
            }
            // A spine keeps its own bends.
            (1..=4, Some(end)) => {
                let along = (RIG[end].at - to).length() / (joints[end] - from).length().max(0.01);
                Mat3A::from_diagonal(Vec3::new(across, across, along))
            }
            // So do collar bones: shoulders slope.
            (14 | 18, Some(end)) => {
                let along = (RIG[end].at.y - to.y) / (joints[end].y - from.y);
                let along = if along.is_finite() { along.clamp(across * 0.6, across * 1.6) } else { across };
                Mat3A::from_diagonal(Vec3::new(across, along, across))
            }
            (15 | 19, Some(end)) => {
                let way = RIG[end].at - to;
                along_bone(joints[end] - from, way * (1.0 - lower(joint) / way.length()), across)
            }
            (_, Some(end)) => along_bone(joints[end] - from, RIG[end].at - to, across),
            _ => Mat3A::from_diagonal(Vec3::splat(across)),
        };
        match (joint, end_of(joint)) {
            (14 | 18, Some(end)) => placed(linear, joints[end], RIG[end].at - Vec3::Z * lower(end)),
            // What is below a stretched arm is nearer to the trunk when it hangs.
            (15 | 19, _) => placed(linear, from, to + Vec3::new(0.0, to.y.signum() * lower(joint), -NEARER)),
            _ => placed(linear, from, to),
        }
    });
    for side in 0..2 {
        let (ankle, wrist) = (at::leg(side) + 2, at::arm(side) + 3);
        // Toes go on as the foot does, and stand on the same ground.
        let mut toes = placed(bones[ankle].matrix3, joints[ankle + 1], RIG[ankle + 1].at);
        let height = (joints[ankle + 1].z - low) * bones[ankle].matrix3.z_axis.z;
        toes.translation.z += height - RIG[ankle + 1].at.z;
        bones[ankle + 1] = toes;
        let (hand, twist) = hand_of(base, points, side, &joints, across);
        bones[wrist] = placed(hand, joints[wrist], RIG[wrist].at);
        // The forearm takes half of the hand's turn about itself.
        let half = Mat3A::from_quat(Quat::from_axis_angle(Vec3::Y, twist * 0.5));
        bones[wrist - 1] = placed(half * bones[wrist - 1].matrix3, joints[wrist - 1], RIG[wrist - 1].at);
    }
    let hanging = Hanging::of(&joints);
    let mut back = bones.map(|bone| bone.inverse());
    for (side, turn) in hanging.iter().enumerate() {
        for bone in &mut back[at::arm(side) + 1..at::arm(side) + 4] {
            *bone = turn.whole() * *bone;
        }
    }
    points
        .iter()
        .zip(&base.shares)
        .map(|(&point, shares)| {
            let point = hanging.iter().enumerate().fold(point, |point, (side, turn)| {
                let arm = at::arm(side) + 1;
                turn.part(point, shares[arm..arm + 3].iter().sum())
            });
            let (mut matrix, mut shift) = (Mat3A::ZERO, Vec3A::ZERO);
            for (bone, &share) in back.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
                matrix += bone.matrix3 * share;
                shift += bone.translation * share;
            }
            let own = Affine3A { matrix3: matrix, translation: shift };
            match matrix.determinant().abs() > 1e-4 {
                true => own.inverse().transform_point3(point),
                false => bones[0].transform_point3(point),
            }
        })
        .collect()
}

/// Muscles over the shoulder turn with the arm less than a skin that follows it does: arms that hang begin so many metres lower and nearer to
/// the trunk, or shoulders were as square as in a padded jacket.
const SLOPE: f32 = 0.018;
const NEARER: f32 = 0.010;

/// How far arms hang below the horizontal, in radians, when shoulders are to look as they do in a street.
const HANGING: f32 = 1.36;

/// An arm let down about its shoulder. Skins that follow two bones in part lose their roundness where these turn against each other, so
/// bodies are shaped with arms that hang, as most do: each point turns by its share of the way, and keeps its distance from the shoulder.
struct Hanging {
    shoulder: Vec3,
    axis: Vec3,
    angle: f32,
}

impl Hanging {
    fn of(joints: &[Vec3; RIG.len()]) -> [Self; 2] {
        std::array::from_fn(|side| {
            let [shoulder, wrist] = [at::arm(side) + 1, at::arm(side) + 3].map(|joint| joints[joint]);
            let out = wrist - shoulder;
            let below = libm::atan2f(-out.z, out.truncate().length());
            let axis = out.with_z(0.0).cross(Vec3::NEG_Z).normalize_or(Vec3::X);
            Self { shoulder, axis, angle: (HANGING - below).clamp(0.0, HANGING) }
        })
    }

    fn part(&self, point: Vec3, share: f32) -> Vec3 {
        let turn = Quat::from_axis_angle(self.axis, self.angle * share.clamp(0.0, 1.0));
        self.shoulder + turn * (point - self.shoulder)
    }

    fn whole(&self) -> Affine3A {
        let turn = Mat3A::from_quat(Quat::from_axis_angle(self.axis, self.angle));
        placed(turn, self.shoulder, self.shoulder)
    }
}

fn placed(linear: Mat3A, from: Vec3, to: Vec3) -> Affine3A {
    Affine3A { matrix3: linear, translation: Vec3A::from(to) - linear * Vec3A::from(from) }
}

/// A bone turned from one direction to another, as long as it is to be, and `across` times as thick.
fn along_bone(from: Vec3, to: Vec3, across: f32) -> Mat3A {
    let (Some(own), Some(new)) = (from.try_normalize(), to.try_normalize()) else {
        return Mat3A::from_diagonal(Vec3::splat(across));
    };
    let stretch = to.length() / from.length() - across;
    // across · I + stretch · d dᵀ
    let outer = Mat3A::from_cols((own * own.x).into(), (own * own.y).into(), (own * own.z).into());
    Mat3A::from_quat(Quat::from_rotation_arc(own, new))
        * (Mat3A::from_diagonal(Vec3::splat(across)) + outer * stretch)
}

/// A foot: turned about the vertical alone, as long and as high as the rig's.
fn foot(from: Vec3, to: Vec3, up: f32, across: f32) -> Mat3A {
    let (from, to) = (from.with_z(0.0), to.with_z(0.0));
    let turn = Quat::from_rotation_arc(from.normalize_or(Vec3::X), to.normalize_or(Vec3::X));
    let long = (to.length() / from.length().max(0.01)).clamp(across * 0.6, across * 1.6);
    Mat3A::from_diagonal(Vec3::new(long, across, up)) * Mat3A::from_quat(turn)
}

/// A hand stretched out to the side with its palm down, and how far about the arm it turns in radians.
fn hand_of(
    base: &Base,
    points: &[Vec3],
    side: usize,
    joints: &[Vec3; RIG.len()],
    across: f32,
) -> (Mat3A, f32) {
    let letter = ["l", "r"][side];
    let finger = |number: u32| mean(&base.points_of(&format!("joint-{letter}-finger-{number}-1")), points);
    let (wrist, s) = (joints[at::arm(side) + 3], 1.0 - 2.0 * side as f32);
    let out = (finger(3) - wrist).normalize_or(Vec3::Y * s);
    let ahead = (finger(2) - finger(5)).reject_from_normalized(out).normalize_or(Vec3::X);
    // Columns of what it is now, and of what it is to be.
    let own = Mat3A::from_cols(ahead.into(), out.into(), ahead.cross(out).into());
    let aim = Mat3A::from_cols(Vec3A::X, Vec3A::Y * s, Vec3A::Z * s);
    let turn = aim * own.transpose();
    // What the arm's own turn leaves to be done about its axis.
    let elbow = joints[at::arm(side) + 2];
    let arc = Quat::from_rotation_arc((wrist - elbow).normalize_or(Vec3::Y * s), Vec3::Y * s);
    let seen = arc * ahead;
    let twist = libm::atan2f(seen.z, seen.x);
    (turn * across, twist)
}

/// Volume of a closed surface in cubic metres.
pub fn volume(points: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
    let six = triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|index| points[index as usize]);
        f64::from(a.dot(b.cross(c)))
    });
    (six.sum::<f64>() / 6.0).abs() as f32
}
