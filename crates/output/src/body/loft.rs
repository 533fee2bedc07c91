//! Smooth skins over rings.

use super::Part;
use glam::Vec3;
use std::f32::consts::TAU;

/// A point of a mesh, in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Where it is, in metres.
    pub position: Vec3,
    /// The direction that the skin faces.
    pub normal: Vec3,
    /// The joints that move it.
    pub joints: [u16; 4],
    /// How much each of them does; the sum is 1.
    pub weights: [f32; 4],
    /// The part that it belongs to.
    pub part: Part,
}

/// A rigged mesh of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// All points.
    pub vertices: Vec<Vertex>,
    /// Three points each, counter-clockwise seen from outside; those of one part are together, in the parts' order.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The range of triangles that belong to a part.
    pub fn part(&self, part: Part) -> std::ops::Range<usize> {
        let of = |triangle: &[u32; 3]| self.vertices[triangle[0] as usize].part;
        let start = self.triangles.partition_point(|triangle| of(triangle) < part);
        let end = self.triangles.partition_point(|triangle| of(triangle) <= part);
        start..end
    }

    pub(super) fn sort_parts(&mut self) {
        let vertices = &self.vertices;
        self.triangles.sort_by_key(|triangle| vertices[triangle[0] as usize].part);
    }
}

/// Joints and how much each moves a ring.
pub type Weights = Vec<(usize, f32)>;

/// A cross-section: half of an oval before the axis `side`, another half behind it.
#[derive(Clone, Debug)]
pub struct Ring {
    /// The middle.
    pub centre: Vec3,
    /// Half-axis to the front.
    pub front: Vec3,
    /// Half-axis to the back, pointing back.
    pub back: Vec3,
    /// Half-axis to the side.
    pub side: Vec3,
    /// 2 for ovals, more for boxes.
    pub square: f32,
    /// What moves it.
    pub weights: Weights,
}

impl Ring {
    fn point(&self, angle: f32) -> Vec3 {
        let (sin, cos) = libm::sincosf(angle);
        let bend = |value: f32| value.signum() * libm::powf(value.abs(), 2.0 / self.square);
        let along = bend(cos);
        let depth = if along >= 0.0 { self.front * along } else { self.back * -along };
        self.centre + depth + self.side * bend(sin)
    }
}

/// Four-point interpolation through the middle two (Catmull and Rom 1974).
fn curve(p: [f32; 4], t: f32) -> f32 {
    let [a, b, c, d] = p;
    let (t2, t3) = (t * t, t * t * t);
    0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2 + (3.0 * b - a - 3.0 * c + d) * t3)
}

fn between(rings: &[Ring], at: f32) -> Ring {
    let last = rings.len() - 1;
    let index = (at as usize).min(last.saturating_sub(1));
    let t = at - index as f32;
    let near = [index.saturating_sub(1), index, (index + 1).min(last), (index + 2).min(last)];
    let vector = |get: &dyn Fn(&Ring) -> Vec3| {
        let p = near.map(|ring| get(&rings[ring]));
        Vec3::from_array(std::array::from_fn(|axis| curve(p.map(|v| v[axis]), t)))
    };
    let (a, b) = (&rings[near[1]], &rings[near[2]]);
    let mut weights: Weights = a.weights.iter().map(|&(joint, weight)| (joint, weight * (1.0 - t))).collect();
    weights.extend(b.weights.iter().map(|&(joint, weight)| (joint, weight * t)));
    Ring {
        centre: vector(&|ring| ring.centre),
        front: vector(&|ring| ring.front),
        back: vector(&|ring| ring.back),
        side: vector(&|ring| ring.side),
        square: a.square + (b.square - a.square) * t,
        weights,
    }
}

/// The four strongest joints, their weights summing to 1.
fn strongest(weights: &Weights) -> ([u16; 4], [f32; 4]) {
    let mut merged: Weights = Vec::new();
    for &(joint, weight) in weights {
        match merged.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((joint, weight)),
        }
    }
    merged.sort_by(|a, b| b.1.total_cmp(&a.1));
    merged.truncate(4);
    let sum: f32 = merged.iter().map(|(_, weight)| weight).sum();
    let (mut joints, mut shares) = ([0; 4], [0.0; 4]);
    for (index, &(joint, weight)) in merged.iter().enumerate() {
        // A joint that moves nothing is left at 0: so do formats want it.
        if weight > 0.0 {
            joints[index] = joint as u16;
            shares[index] = weight / sum;
        }
    }
    (joints, shares)
}

/// How a loft is cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Corners of a ring.
    pub corners: usize,
    /// Rings.
    pub rings: usize,
}

impl Mesh {
    /// Adds a closed skin over `rings`, in this order along the limb; `weigh` may change what moves a point.
    pub(super) fn loft(&mut self, part: Part, rings: &[Ring], cut: Cut, weigh: &dyn Fn(Vec3, &mut Weights)) {
        let first = self.vertices.len() as u32;
        let (corners, count) = (cut.corners as u32, cut.rings.max(2) as u32);
        let mut push = |position: Vec3, mut weights: Weights| {
            weigh(position, &mut weights);
            let (joints, weights) = strongest(&weights);
            self.vertices.push(Vertex { position, normal: Vec3::ZERO, joints, weights, part });
        };
        for step in 0..count {
            let ring = between(rings, step as f32 * (rings.len() - 1) as f32 / (count - 1) as f32);
            for corner in 0..corners {
                push(ring.point(TAU * corner as f32 / corners as f32), ring.weights.clone());
            }
        }
        for end in [&rings[0], &rings[rings.len() - 1]] {
            push(end.centre, end.weights.clone());
        }
        // Seen along the limb the corners run from front to side: which way round that is decides what is outside.
        let along = rings[rings.len() - 1].centre - rings[0].centre;
        let middle = &rings[rings.len() / 2];
        let outside = middle.front.cross(middle.side).dot(along) > 0.0;
        let mut triangle = |a: u32, b: u32, c: u32| {
            self.triangles.push(if outside {
                [first + a, first + b, first + c]
            } else {
                [first + a, first + c, first + b]
            });
        };
        for corner in 0..corners {
            let next = (corner + 1) % corners;
            for step in 0..count - 1 {
                let (low, high) = (step * corners, (step + 1) * corners);
                triangle(low + corner, low + next, high + next);
                triangle(low + corner, high + next, high + corner);
            }
            triangle(count * corners, next, corner);
            let top = (count - 1) * corners;
            triangle(count * corners + 1, top + corner, top + next);
        }
    }

    /// Computes smooth normals; points that fold onto each other get one that is a direction all the same.
    pub(super) fn smooth(&mut self) {
        let mut normals = vec![Vec3::ZERO; self.vertices.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|index| self.vertices[index as usize].position);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&index| normals[index as usize] += normal);
        }
        for (vertex, normal) in self.vertices.iter_mut().zip(normals) {
            vertex.normal = normal.normalize_or(Vec3::Z);
        }
    }
}
