//! Legs with shoes, arms with hands.

use super::figure::Plan;
use super::loft::{Cut, Mesh, Ring, Weights};
use super::{Detail, Part};
use crowdloom_motion::body::{LimbPart, Side};
use glam::Vec3;

/// A place along a two-boned limb (0 to 1 the first bone, 1 to 2 the second) and half-axes: front, back, side.
type Girth = (f32, f32, f32, f32);

const LEG: [Girth; 13] = [
    (-0.20, 0.030, 0.034, 0.030),
    (-0.16, 0.062, 0.074, 0.062),
    (-0.05, 0.082, 0.100, 0.082),
    (0.12, 0.088, 0.100, 0.088),
    (0.40, 0.082, 0.084, 0.079),
    (0.70, 0.068, 0.066, 0.066),
    (0.92, 0.062, 0.056, 0.059),
    (1.05, 0.060, 0.056, 0.058),
    (1.25, 0.055, 0.068, 0.058),
    (1.50, 0.050, 0.064, 0.054),
    (1.75, 0.046, 0.054, 0.048),
    (1.93, 0.050, 0.054, 0.048),
    (1.97, 0.046, 0.050, 0.044),
];

const ARM: [Girth; 11] = [
    (-0.12, 0.014, 0.014, 0.014),
    (-0.09, 0.036, 0.038, 0.036),
    (0.0, 0.053, 0.056, 0.054),
    (0.20, 0.054, 0.056, 0.056),
    (0.50, 0.047, 0.050, 0.049),
    (0.85, 0.041, 0.042, 0.041),
    (1.00, 0.041, 0.042, 0.040),
    (1.25, 0.043, 0.042, 0.039),
    (1.60, 0.037, 0.037, 0.033),
    (1.92, 0.033, 0.033, 0.028),
    (2.0, 0.029, 0.029, 0.024),
];

/// Rings along two bones, weights going over from one joint to the next about the joint between them.
fn limb(
    points: [Vec3; 3],
    joints: [usize; 2],
    girths: &[Girth],
    axes: (Vec3, Vec3),
    scale: f32,
) -> Vec<Ring> {
    let ring = |&(at, front, back, side): &Girth| {
        let centre = if at < 1.0 {
            points[0] + (points[1] - points[0]) * at
        } else {
            points[1] + (points[2] - points[1]) * (at - 1.0)
        };
        let second = ((at - 0.85) / 0.3).clamp(0.0, 1.0);
        Ring {
            centre,
            front: axes.0 * front * scale,
            back: -axes.0 * back * scale,
            side: axes.1 * side * scale,
            square: 2.0,
            weights: vec![(joints[0], 1.0 - second), (joints[1], second)],
        }
    };
    girths.iter().map(ring).collect()
}

const KEEP: fn(Vec3, &mut Weights) = |_, _| {};

pub(super) fn add_leg(plan: &Plan, side: Side, mesh: &mut Mesh) {
    let [up, knee, foot] = [LimbPart::UpLeg, LimbPart::Leg, LimbPart::Foot].map(|part| plan.limb(side, part));
    let scale = plan.size * (0.35 + 0.65 * plan.proportions.girth());
    let points = [up, knee, foot].map(|joint| plan.at(joint));
    let rings = limb(points, [up, knee], &LEG, (Vec3::X, Vec3::Y), scale);
    let cut = plan.detail.pick(
        Cut { corners: 12, rings: 18 },
        Cut { corners: 7, rings: 9 },
        Cut { corners: 4, rings: 4 },
    );
    mesh.loft(Part::Trousers, &rings, cut, &KEEP);
    add_shoe(plan, side, mesh);
}

/// Place along the foot (0 the heel, 1 the tip), height of the top of the shoe and half of its width, in metres.
const SHOE: [(f32, f32, f32); 10] = [
    (0.00, 0.040, 0.014),
    (0.03, 0.062, 0.026),
    (0.14, 0.092, 0.033),
    (0.30, 0.100, 0.036),
    (0.45, 0.084, 0.038),
    (0.60, 0.066, 0.042),
    (0.74, 0.054, 0.046),
    (0.88, 0.044, 0.042),
    (0.97, 0.034, 0.030),
    (1.00, 0.022, 0.012),
];

fn add_shoe(plan: &Plan, side: Side, mesh: &mut Mesh) {
    let foot = plan.limb(side, LimbPart::Foot);
    let ankle = plan.at(foot);
    let toe = plan.body.limb(side, LimbPart::Toe);
    let ball = toe.map_or(ankle + Vec3::new(0.13, 0.0, 0.0), |toe| plan.at(toe));
    let tip = toe.and_then(|toe| plan.joints[toe].tip).map_or(0.06 * plan.size, |tip| tip.length());
    let (heel, end) = (ankle.x - 0.062 * plan.size, ball.x + tip + 0.012 * plan.size);
    let rings: Vec<Ring> = SHOE
        .iter()
        .map(|&(along, top, width)| {
            let x = heel + (end - heel) * along;
            let (low, high) = (0.0, top * plan.size);
            let middle = low + (high - low) * 0.34;
            let bend = ((x - ball.x) / (0.05 * plan.size) + 0.5).clamp(0.0, 1.0);
            Ring {
                centre: Vec3::new(x, ankle.y, middle),
                front: Vec3::Z * (high - middle),
                back: Vec3::NEG_Z * (middle - low),
                side: Vec3::Y * width * plan.size,
                square: 2.7,
                weights: vec![(foot, 1.0 - bend), (toe.unwrap_or(foot), bend)],
            }
        })
        .collect();
    let cut = plan.detail.pick(
        Cut { corners: 12, rings: 10 },
        Cut { corners: 6, rings: 6 },
        Cut { corners: 3, rings: 3 },
    );
    mesh.loft(Part::Shoes, &rings, cut, &KEEP);
}

pub(super) fn add_arm(plan: &Plan, side: Side, mesh: &mut Mesh) {
    let [arm, elbow, hand] =
        [LimbPart::Arm, LimbPart::ForeArm, LimbPart::Hand].map(|part| plan.limb(side, part));
    let man = 0.86 + 0.14 * plan.proportions.sex.clamp(0.0, 1.0);
    let scale = plan.size * man * (0.4 + 0.6 * plan.proportions.girth());
    let points = [arm, elbow, hand].map(|joint| plan.at(joint));
    let along = (points[2] - points[1]).normalize_or(Vec3::Y);
    let forward = Vec3::X.reject_from_normalized(along).normalize_or(Vec3::X);
    let across = along.cross(forward);
    let rings = limb(points, [arm, elbow], &ARM, (forward, across), scale);
    let cut = plan.detail.pick(
        Cut { corners: 11, rings: 15 },
        Cut { corners: 6, rings: 8 },
        Cut { corners: 3, rings: 4 },
    );
    mesh.loft(Part::Shirt, &rings, cut, &KEEP);

    let length = plan.joints[hand].tip.map_or(0.18 * plan.size, |tip| tip.length()) / 0.18;
    let wrist = points[2];
    let tube = |stretch: &[(Vec3, f32, f32)]| -> Vec<Ring> {
        // Each: place (along, forward, across), half of the width, half of the thickness, for a hand of 18 cm.
        let ring = |&(at, wide, thick): &(Vec3, f32, f32)| Ring {
            centre: wrist + (along * at.x + forward * at.y + across * at.z) * length,
            front: forward * wide * length,
            back: -forward * wide * length,
            side: across * thick * length,
            square: 2.3,
            weights: vec![(hand, 1.0)],
        };
        stretch.iter().map(ring).collect()
    };
    let at = Vec3::new;
    let skin = |mesh: &mut Mesh, rings: &[Ring], cut| mesh.loft(Part::Skin, rings, cut, &KEEP);
    let thumb = tube(&[
        (at(0.018, 0.016, 0.0), 0.014, 0.011),
        (at(0.045, 0.040, 0.0), 0.013, 0.011),
        (at(0.078, 0.056, 0.0), 0.010, 0.009),
        (at(0.096, 0.060, 0.0), 0.004, 0.004),
    ]);
    match plan.detail {
        Detail::Near => {
            let palm = tube(&[
                (at(-0.02, 0.0, 0.0), 0.025, 0.018),
                (at(0.005, 0.002, 0.0), 0.027, 0.018),
                (at(0.04, 0.003, 0.0), 0.038, 0.016),
                (at(0.085, 0.0, 0.0), 0.041, 0.012),
                (at(0.096, 0.0, 0.0), 0.036, 0.008),
            ]);
            skin(mesh, &palm, Cut { corners: 10, rings: 7 });
            skin(mesh, &thumb, Cut { corners: 6, rings: 4 });
            for (place, reach) in [(0.029, 0.160), (0.010, 0.178), (-0.010, 0.170), (-0.029, 0.148)] {
                let finger = tube(&[
                    (at(0.08, place, 0.0), 0.010, 0.009),
                    (at(0.12, place * 1.04, -0.002), 0.0092, 0.0085),
                    (at(reach - 0.008, place * 1.06, -0.006), 0.0075, 0.007),
                    (at(reach, place * 1.06, -0.008), 0.003, 0.003),
                ]);
                skin(mesh, &finger, Cut { corners: 5, rings: 4 });
            }
        }
        Detail::Middle | Detail::Far => {
            let mitten = tube(&[
                (at(-0.02, 0.0, 0.0), 0.026, 0.018),
                (at(0.03, 0.004, 0.0), 0.036, 0.016),
                (at(0.085, 0.0, 0.0), 0.042, 0.013),
                (at(0.14, 0.0, -0.004), 0.034, 0.010),
                (at(0.178, 0.0, -0.008), 0.012, 0.004),
            ]);
            let middle = plan.detail == Detail::Middle;
            skin(
                mesh,
                &mitten,
                if middle { Cut { corners: 6, rings: 5 } } else { Cut { corners: 3, rings: 2 } },
            );
            if middle {
                skin(mesh, &thumb, Cut { corners: 3, rings: 3 });
            }
        }
    }
}
