//! Neck, head, face and hair.

use super::Part;
use super::figure::Plan;
use super::loft::{Cut, Mesh, Ring};
use glam::Vec3;

/// Height above the head's joint, place of the middle before it, half-axes to the front, back and side: metres.
type Slice = (f32, f32, f32, f32, f32);

const HEAD: [Slice; 12] = [
    (-0.054, 0.058, 0.012, 0.012, 0.010),
    (-0.050, 0.050, 0.034, 0.034, 0.028),
    (-0.030, 0.034, 0.058, 0.062, 0.047),
    (-0.005, 0.020, 0.074, 0.078, 0.058),
    (0.025, 0.012, 0.082, 0.086, 0.064),
    (0.050, 0.008, 0.083, 0.092, 0.069),
    (0.072, 0.004, 0.081, 0.096, 0.071),
    (0.095, 0.000, 0.089, 0.098, 0.073),
    (0.125, -0.002, 0.086, 0.096, 0.071),
    (0.152, -0.004, 0.070, 0.082, 0.059),
    (0.171, -0.006, 0.044, 0.054, 0.038),
    (0.180, -0.008, 0.010, 0.012, 0.010),
];

const SHORT_HAIR: [Slice; 8] = [
    (-0.022, -0.046, 0.012, 0.034, 0.046),
    (0.015, -0.030, 0.020, 0.064, 0.066),
    (0.060, -0.022, 0.030, 0.084, 0.077),
    (0.100, -0.014, 0.064, 0.094, 0.080),
    (0.130, -0.006, 0.088, 0.102, 0.078),
    (0.160, -0.004, 0.080, 0.090, 0.066),
    (0.184, -0.006, 0.054, 0.062, 0.044),
    (0.194, -0.008, 0.012, 0.014, 0.012),
];

const LONG_HAIR: [Slice; 8] = [
    (-0.130, -0.066, 0.014, 0.026, 0.058),
    (-0.090, -0.058, 0.024, 0.042, 0.074),
    (-0.020, -0.040, 0.030, 0.060, 0.078),
    (0.050, -0.024, 0.036, 0.086, 0.082),
    (0.105, -0.012, 0.072, 0.100, 0.084),
    (0.145, -0.004, 0.088, 0.102, 0.078),
    (0.182, -0.006, 0.060, 0.070, 0.052),
    (0.198, -0.008, 0.014, 0.016, 0.014),
];

pub(super) fn add(plan: &Plan, mesh: &mut Mesh) {
    let (Some(neck), Some(head)) = (plan.body.neck, plan.body.head) else { return };
    let base = plan.at(head);
    // Children have large heads; what a skeleton says about its own wins.
    let young = 1.0 + ((16.0 - plan.proportions.age) / 12.0).clamp(0.0, 1.0) * 0.08;
    let size = plan.joints[head].tip.map_or(plan.size, |tip| tip.length() / 0.18) * young;
    let slice = |&(height, before, front, back, side): &Slice| {
        let centre = base + Vec3::new(before, 0.0, height) * size;
        plan.level(centre, (front * size, back * size, side * size), vec![(head, 1.0)])
    };
    let keep = |_: Vec3, _: &mut Vec<(usize, f32)>| {};

    let thick = plan.size * plan.proportions.girth().sqrt() * (0.9 + 0.1 * plan.proportions.sex);
    let neck_ring = |at: Vec3, width: f32, weights| {
        plan.level(at, (width * thick, width * 1.05 * thick, width * thick), weights)
    };
    let low = plan.at(neck) - Vec3::Z * 0.05 * plan.size;
    let rings = [
        neck_ring(low, 0.074, vec![(neck, 0.5), (plan.body.spine.last().copied().unwrap_or(neck), 0.5)]),
        neck_ring(plan.at(neck), 0.062, vec![(neck, 1.0)]),
        neck_ring(plan.at(neck).lerp(base, 0.6), 0.054, vec![(neck, 0.4), (head, 0.6)]),
        neck_ring(base + Vec3::new(0.0, 0.0, 0.02) * size, 0.052, vec![(head, 1.0)]),
    ];
    let cut = plan.detail.pick(
        Cut { corners: 12, rings: 5 },
        Cut { corners: 7, rings: 3 },
        Cut { corners: 3, rings: 2 },
    );
    mesh.loft(Part::Skin, &rings, cut, &keep);

    let rings: Vec<Ring> = HEAD.iter().map(slice).collect();
    let cut = plan.detail.pick(
        Cut { corners: 18, rings: 17 },
        Cut { corners: 10, rings: 8 },
        Cut { corners: 5, rings: 4 },
    );
    mesh.loft(Part::Skin, &rings, cut, &keep);

    let hair = if plan.proportions.sex < 0.5 { &LONG_HAIR } else { &SHORT_HAIR };
    let rings: Vec<Ring> = hair.iter().map(slice).collect();
    let cut = plan.detail.pick(
        Cut { corners: 16, rings: 10 },
        Cut { corners: 9, rings: 6 },
        Cut { corners: 4, rings: 3 },
    );
    mesh.loft(Part::Hair, &rings, cut, &keep);
    let detail = plan.detail;
    if detail == super::Detail::Far {
        return;
    }

    // A nose, ears, eyes and brows: ovals that stand a little out of the face.
    let mut bump = |part, at: Vec3, half: Vec3, cut: Cut| {
        let around = |height: f32, width: f32| {
            let centre = base + (at + Vec3::Z * half.z * height) * size;
            let (x, y) = (half.x * width * size, half.y * width * size);
            plan.level(centre, (x, x, y), vec![(head, 1.0)])
        };
        let rings =
            [around(-1.0, 0.25), around(-0.6, 0.8), around(0.0, 1.0), around(0.6, 0.8), around(1.0, 0.25)];
        mesh.loft(part, &rings, cut, &keep);
    };
    let nose =
        detail.pick(Cut { corners: 8, rings: 5 }, Cut { corners: 4, rings: 3 }, Cut { corners: 3, rings: 2 });
    bump(Part::Skin, Vec3::new(0.086, 0.0, 0.042), Vec3::new(0.017, 0.011, 0.028), nose);
    if detail == super::Detail::Near {
        let fine = Cut { corners: 6, rings: 4 };
        for side in [1.0, -1.0] {
            bump(Part::Skin, Vec3::new(-0.006, side * 0.072, 0.048), Vec3::new(0.017, 0.008, 0.029), fine);
            bump(Part::Hair, Vec3::new(0.0765, side * 0.029, 0.067), Vec3::new(0.007, 0.011, 0.0055), fine);
            bump(Part::Hair, Vec3::new(0.0805, side * 0.031, 0.086), Vec3::new(0.006, 0.016, 0.0032), fine);
        }
        bump(Part::Hair, Vec3::new(0.0870, 0.0, 0.002), Vec3::new(0.002, 0.020, 0.0022), fine);
    }
}
