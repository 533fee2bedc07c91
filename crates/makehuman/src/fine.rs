//! Fine surfaces that lie on every body alike, and coarser ones of them.

use crowdloom_shapes::bake::Level;
use crowdloom_shapes::polygonise::Surface;
use crowdloom_shapes::rig::{RIG, quantise};
use crowdloom_shapes::simplify::Simplifier;
use glam::Vec3;
use rayon::prelude::*;

/// A surface on all bodies: the same triangles, points in the same order.
pub struct Fine {
    /// Three points each, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Points on the neutral body.
    pub neutral: Vec<Vec3>,
    /// Points on each body.
    pub bodies: Vec<Vec<Vec3>>,
    /// How much each joint moves each point.
    pub shares: Vec<[f32; RIG.len()]>,
    /// The place by which each point is painted.
    pub paint: Vec<Vec3>,
}

/// Outward directions at points: means of the triangles about them, the larger the more.
pub fn normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut all = vec![Vec3::ZERO; points.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| points[index as usize]);
        let own = (b - a).cross(c - a);
        triangle.iter().for_each(|&index| all[index as usize] += own);
    }
    all.into_iter().map(|normal| normal.normalize_or(Vec3::Z)).collect()
}

/// The point of a triangle that is nearest to `p`, as shares of its corners (Ericson 2005, section 5.1.5).
fn nearest(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = (va + vb + vc).max(1e-30);
    [va / sum, vb / sum, vc / sum]
}

impl Fine {
    /// The surface with at most so many triangles in each detail; `importance` says how much a deviation counts at a place.
    pub fn levels(
        &self,
        most: [usize; 3],
        importance: &dyn Fn(Vec3) -> f32,
        region: &dyn Fn(Vec3) -> u8,
    ) -> [Level; 3] {
        let own = Surface { points: self.neutral.clone(), triangles: self.triangles.clone() };
        let mut simplifier = Simplifier::new(&own, 0.004, importance);
        let facing = normals(&self.neutral, &self.triangles);
        let on_bodies: Vec<Vec<Vec3>> =
            self.bodies.par_iter().map(|points| normals(points, &self.triangles)).collect();
        most.map(|most| {
            if most == 0 {
                return Level::default();
            }
            simplifier.reduce(most);
            self.level(&simplifier.surface(), &facing, &on_bodies, region)
        })
    }

    fn level(
        &self,
        coarse: &Surface,
        facing: &[Vec3],
        on_bodies: &[Vec<Vec3>],
        region: &dyn Fn(Vec3) -> u8,
    ) -> Level {
        let coarse_facing = normals(&coarse.points, &coarse.triangles);
        // Where each point lies on the fine surface.
        let places: Vec<([u32; 3], [f32; 3])> = coarse
            .points
            .par_iter()
            .zip(&coarse_facing)
            .map(|(&p, &n)| {
                let mut best = (f32::MAX, [0; 3], [1.0, 0.0, 0.0]);
                for triangle in &self.triangles {
                    let corners = triangle.map(|index| self.neutral[index as usize]);
                    let reach = corners[0].distance(corners[1]).max(corners[0].distance(corners[2]));
                    if corners[0].distance(p) - reach > best.0 {
                        continue;
                    }
                    let shares = nearest(p, corners);
                    let at = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
                    // What faces the other way, as the other lip does, is not meant.
                    let against = facing[triangle[0] as usize].dot(n) < -0.2;
                    let away = at.distance(p) + if against { 0.02 } else { 0.0 };
                    if away < best.0 {
                        best = (away, *triangle, shares);
                    }
                }
                (best.1, best.2)
            })
            .collect();
        let mix = |all: &[Vec3], (triangle, shares): &([u32; 3], [f32; 3])| -> Vec3 {
            triangle.iter().zip(shares).map(|(&index, &share)| all[index as usize] * share).sum()
        };
        let mut level = Level {
            triangles: coarse.triangles.iter().map(|each| each.map(|index| index as u16)).collect(),
            ..Level::default()
        };
        for place in &places {
            let mut shares = [0.0; RIG.len()];
            for (&index, &share) in place.0.iter().zip(&place.1) {
                let own = &self.shares[index as usize];
                shares.iter_mut().zip(own).for_each(|(sum, own)| *sum += own * share);
            }
            let (joints, weights) = quantise(&shares);
            level.joints.push(joints);
            level.weights.push(weights);
            let paint = mix(&self.paint, place);
            level.regions.push(region(paint));
            level.paint.push(paint);
        }
        for (points, normals) in self.bodies.iter().zip(on_bodies) {
            level.points.push(places.iter().map(|place| mix(points, place)).collect());
            level
                .normals
                .push(places.iter().map(|place| mix(normals, place).normalize_or(Vec3::Z)).collect());
        }
        level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_a_triangle_is_found() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let at = |p: Vec3| {
            let shares = nearest(p, corners);
            corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2]
        };
        for (p, expected) in [
            (Vec3::new(0.2, 0.3, 0.7), Vec3::new(0.2, 0.3, 0.0)),
            (Vec3::new(-1.0, -1.0, 0.2), Vec3::ZERO),
            (Vec3::new(2.0, -0.5, 0.0), Vec3::X),
            (Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.5, 0.5, 0.0)),
            (Vec3::new(-0.3, 0.4, 0.0), Vec3::new(0.0, 0.4, 0.0)),
        ] {
            assert!(at(p).distance(expected) < 1e-5, "{p}: {}", at(p));
        }
    }
}
