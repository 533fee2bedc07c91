//! The whole body.

use super::loft::{Mesh, Ring, Weights};
use super::{Detail, Proportions, fit, head, limbs, rest_positions, trunk};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{Joint, Skeleton};
use glam::Vec3;

/// A body and the skeleton that it is rigged to.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The joints, in the proportions of the body.
    pub skeleton: Skeleton,
    /// The skin.
    pub mesh: Mesh,
}

/// What the parts of the body are built from: joints at rest and proportions.
pub(super) struct Plan<'a> {
    pub body: Body,
    pub joints: &'a [Joint],
    pub rest: Vec<Vec3>,
    pub proportions: Proportions,
    pub detail: Detail,
    /// The body's size relative to one of 1.75 m.
    pub size: f32,
}

impl Plan<'_> {
    /// The joint of a limb, or the joint that carries the body where there is none.
    pub fn limb(&self, side: Side, part: LimbPart) -> usize {
        self.body.limb(side, part).unwrap_or(self.body.hips)
    }

    /// Where a joint is at rest.
    pub fn at(&self, joint: usize) -> Vec3 {
        self.rest[joint]
    }

    /// A level ring at height `z`: half-axes to the front, back and side, in metres.
    pub fn level(&self, centre: Vec3, (front, back, side): (f32, f32, f32), weights: Weights) -> Ring {
        Ring {
            centre,
            front: Vec3::X * front,
            back: Vec3::NEG_X * back,
            side: Vec3::Y * side,
            square: 2.0,
            weights,
        }
    }
}

/// A body around the joints of `skeleton`.
pub fn figure(skeleton: &Skeleton, proportions: &Proportions, detail: Detail) -> Figure {
    let skeleton = fit(skeleton, proportions);
    let size = fit::stature(&skeleton) / 1.75;
    let plan = Plan {
        body: Body::guess(&skeleton),
        joints: skeleton.joints(),
        rest: rest_positions(&skeleton),
        proportions: *proportions,
        detail,
        size,
    };
    let mut mesh = Mesh::default();
    trunk::add(&plan, &mut mesh);
    head::add(&plan, &mut mesh);
    for side in Side::BOTH {
        limbs::add_leg(&plan, side, &mut mesh);
        limbs::add_arm(&plan, side, &mut mesh);
    }
    mesh.smooth();
    mesh.sort_parts();
    Figure { skeleton, mesh }
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;
    use crowdloom_motion::builtin;

    fn body(detail: Detail, proportions: Proportions) -> Figure {
        figure(&builtin::library().skeleton, &proportions, detail)
    }

    #[test]
    fn bodies_have_about_the_triangles_that_they_should() {
        for (detail, triangles) in [(Detail::Near, 5000), (Detail::Middle, 1200), (Detail::Far, 300)] {
            let mesh = body(detail, Proportions::default()).mesh;
            let count = mesh.triangles.len();
            assert!((triangles * 8 / 10..=triangles * 12 / 10).contains(&count), "{detail:?}: {count}");
            assert!(Part::ALL.iter().all(|&part| !mesh.part(part).is_empty()));
            assert_eq!(Part::ALL.iter().map(|&part| mesh.part(part).len()).sum::<usize>(), count);
        }
    }

    #[test]
    fn every_point_is_moved_wholly_and_the_body_faces_outward() {
        for detail in Detail::ALL {
            let Figure { mesh, skeleton } = body(detail, Proportions { sex: 0.0, ..Proportions::default() });
            for vertex in &mesh.vertices {
                assert!((vertex.weights.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                assert!(vertex.joints.iter().all(|&joint| usize::from(joint) < skeleton.len()));
                assert!(vertex.position.is_finite() && vertex.normal.is_normalized());
            }
            // The volume inside, by the divergence theorem: a person has some 60 to 90 litres.
            let volume: f32 = mesh
                .triangles
                .iter()
                .map(|triangle| {
                    let [a, b, c] = triangle.map(|index| mesh.vertices[index as usize].position);
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            assert!((0.045..0.12).contains(&volume), "{detail:?}: {volume} cubic metres");
        }
    }

    #[test]
    fn proportions_show() {
        let tall = body(Detail::Middle, Proportions { height: Some(1.95), ..Proportions::default() });
        let top = |figure: &Figure| figure.mesh.vertices.iter().map(|v| v.position.z).fold(0.0, f32::max);
        assert!((top(&tall) - 1.95).abs() < 0.05, "{}", top(&tall));
        let low = tall.mesh.vertices.iter().map(|v| v.position.z).fold(f32::INFINITY, f32::min);
        assert!(low.abs() < 0.02, "feet at {low}");
        let legs = body(Detail::Middle, Proportions { legs: 1.1, ..Proportions::default() });
        let usual = body(Detail::Middle, Proportions::default());
        assert!((top(&legs) - top(&usual)).abs() < 0.02, "longer legs, shorter trunk");
        let width = |figure: &Figure| {
            let belt = figure.mesh.vertices.iter().filter(|v| v.part == Part::Shirt && v.position.z < 1.1);
            belt.map(|v| v.position.x).fold(0.0, f32::max)
        };
        let heavy = body(Detail::Middle, Proportions { weight: 34.0, ..Proportions::default() });
        assert!(width(&heavy) > width(&usual) + 0.04);
    }
}
