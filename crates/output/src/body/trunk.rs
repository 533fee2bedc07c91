//! Shirt and the upper part of the trousers.

use super::Part;
use super::figure::Plan;
use super::loft::{Cut, Mesh, Ring, Weights};
use crowdloom_motion::body::{LimbPart, Side};
use glam::Vec3;

/// A height between the hips (0) and the neck (1) with half-axes in metres: front, back, side; for a woman and a man.
struct Section {
    height: f32,
    woman: (f32, f32, f32),
    man: (f32, f32, f32),
    /// How much a belly shows here.
    belly: f32,
}

const fn section(height: f32, woman: (f32, f32, f32), man: (f32, f32, f32), belly: f32) -> Section {
    Section { height, woman, man, belly }
}

/// From the hem of the shirt to the collar.
const SHIRT: [Section; 12] = [
    section(-0.12, (0.112, 0.128, 0.178), (0.108, 0.120, 0.170), 0.3),
    section(-0.04, (0.112, 0.126, 0.180), (0.110, 0.120, 0.170), 0.6),
    section(0.10, (0.106, 0.104, 0.160), (0.110, 0.104, 0.160), 1.0),
    section(0.26, (0.098, 0.086, 0.130), (0.108, 0.092, 0.146), 1.0),
    section(0.42, (0.106, 0.090, 0.132), (0.112, 0.098, 0.152), 0.6),
    section(0.56, (0.128, 0.096, 0.140), (0.120, 0.106, 0.164), 0.2),
    section(0.68, (0.136, 0.100, 0.146), (0.124, 0.112, 0.172), 0.0),
    section(0.80, (0.110, 0.100, 0.164), (0.112, 0.112, 0.190), 0.0),
    section(0.90, (0.084, 0.090, 0.182), (0.090, 0.100, 0.205), 0.0),
    section(0.98, (0.062, 0.074, 0.152), (0.068, 0.084, 0.172), 0.0),
    section(1.045, (0.052, 0.060, 0.078), (0.058, 0.068, 0.090), 0.0),
    section(1.085, (0.046, 0.052, 0.050), (0.052, 0.058, 0.058), 0.0),
];

/// From between the legs to the belt.
const TROUSERS: [Section; 6] = [
    section(-0.285, (0.018, 0.030, 0.020), (0.020, 0.030, 0.020), 0.0),
    section(-0.25, (0.062, 0.085, 0.110), (0.066, 0.080, 0.100), 0.0),
    section(-0.17, (0.092, 0.120, 0.166), (0.092, 0.112, 0.154), 0.0),
    section(-0.08, (0.100, 0.120, 0.172), (0.100, 0.112, 0.162), 0.2),
    section(0.04, (0.094, 0.104, 0.152), (0.098, 0.100, 0.152), 0.6),
    section(0.12, (0.080, 0.080, 0.120), (0.084, 0.080, 0.126), 0.6),
];

pub(super) fn add(plan: &Plan, mesh: &mut Mesh) {
    let shirt = plan.detail.pick(
        Cut { corners: 20, rings: 17 },
        Cut { corners: 10, rings: 9 },
        Cut { corners: 6, rings: 4 },
    );
    let trousers = plan.detail.pick(
        Cut { corners: 18, rings: 6 },
        Cut { corners: 10, rings: 4 },
        Cut { corners: 5, rings: 2 },
    );
    let shoulders = |point: Vec3, weights: &mut Weights| follow_shoulders(plan, point, weights);
    mesh.loft(Part::Shirt, &rings(plan, &SHIRT), shirt, &shoulders);
    mesh.loft(Part::Trousers, &rings(plan, &TROUSERS), trousers, &|_, _| {});
}

fn rings(plan: &Plan, sections: &[Section]) -> Vec<Ring> {
    let hips = plan.at(plan.body.hips);
    let neck = plan.body.neck.map_or(hips + Vec3::Z * 0.5, |joint| plan.at(joint));
    let man = plan.proportions.sex.clamp(0.0, 1.0);
    let girth = plan.proportions.girth();
    let rings = sections.iter().map(|section| {
        let mix = |woman: f32, man_size: f32| (woman + (man_size - woman) * man) * plan.size;
        // Bones do not grow with weight: shoulders widen less than the waist.
        let soft = (1.0 - section.height.clamp(0.0, 1.0) * 0.7) * (girth - 1.0) + 1.0;
        let front = mix(section.woman.0, section.man.0) * soft + plan.proportions.belly() * section.belly;
        let back = mix(section.woman.1, section.man.1) * soft;
        let side = mix(section.woman.2, section.man.2) * soft;
        let height = hips.z + (neck.z - hips.z) * section.height;
        let along = section.height.clamp(0.0, 1.0);
        let centre = Vec3::new(hips.x + (neck.x - hips.x) * along, hips.y, height);
        let mut ring = plan.level(centre, (front, back, side), spine_weights(plan, height));
        ring.square = 2.3;
        ring
    });
    rings.collect()
}

/// The two joints of the spine next to a height.
fn spine_weights(plan: &Plan, height: f32) -> Weights {
    let mut chain = vec![plan.body.hips];
    chain.extend(&plan.body.spine);
    chain.extend(plan.body.neck);
    // A joint moves what is above it: it takes over fully half-way to the next.
    let above = chain.iter().rposition(|&joint| plan.at(joint).z <= height);
    let Some(index) = above else { return vec![(plan.body.hips, 1.0)] };
    let joint = chain[index];
    if index == 0 {
        return vec![(joint, 1.0)];
    }
    let next = chain.get(index + 1).map_or(plan.at(joint).z + 0.1, |&next| plan.at(next).z);
    let along = ((height - plan.at(joint).z) / (next - plan.at(joint).z).max(0.01)).clamp(0.0, 1.0);
    let own = 0.5 + 0.5 * along;
    vec![(chain[index - 1], 1.0 - own), (joint, own)]
}

/// Near the shoulders, the shirt goes with the collar bones.
fn follow_shoulders(plan: &Plan, point: Vec3, weights: &mut Weights) {
    for side in Side::BOTH {
        let (collar, arm) = (plan.limb(side, LimbPart::Shoulder), plan.limb(side, LimbPart::Arm));
        let (from, to) = (plan.at(collar), plan.at(arm));
        let outward = ((point.y - from.y) / (to.y - from.y)).clamp(0.0, 1.0);
        if (to.y > 0.0) != (point.y > 0.0) {
            continue;
        }
        let high = ((point.z - (to.z - 0.16 * plan.size)) / (0.14 * plan.size)).clamp(0.0, 1.0);
        let share = 0.85 * outward * outward * high;
        if share > 0.02 {
            weights.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - share);
            weights.push((collar, share * 0.8));
            weights.push((arm, share * 0.2));
        }
    }
}
