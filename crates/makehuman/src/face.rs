//! Where the face is: what of head and eyes is seen, and which place of the painted face each point has.

use crate::mesh::Base;
use crowdloom_shapes::human::HEAD;
use glam::Vec3;
use std::collections::BTreeMap;

/// Places of the painted face, from the head's joint: the middle of an eye, the tip of the nose, a corner of the mouth.
const EYE: Vec3 = Vec3::new(0.079, 0.0315, 0.0712);
const NOSE: f32 = 0.0385;
const MOUTH: Vec3 = Vec3::new(0.084, 0.0235, 0.0022);

/// Places of a face, from the head's joint.
pub struct Face {
    eye: Vec3,
    nose: f32,
    mouth: Vec3,
}

fn middle(base: &Base, group: &str, points: &[Vec3]) -> Option<Vec3> {
    let own = base.points_of(group);
    let sum = own.iter().map(|&point| points[point as usize]).sum::<Vec3>();
    (!own.is_empty()).then(|| sum / own.len() as f32)
}

/// The front of the left eye.
fn eye_of(base: &Base, points: &[Vec3]) -> Vec3 {
    let own = base.points_of("helper-l-eye");
    let front = own.iter().map(|&point| points[point as usize].x).fold(f32::MIN, f32::max);
    middle(base, "helper-l-eye", points).unwrap_or(EYE + HEAD).with_x(front) - HEAD
}

impl Face {
    /// Finds the places on the neutral body.
    pub fn of(base: &Base, points: &[Vec3]) -> Self {
        let eye = eye_of(base, points);
        let body = base.points_of("body");
        let on_face = |p: &Vec3| p.y.abs() < 0.012 && p.z > HEAD.z + eye.z - 0.07 && p.z < HEAD.z + eye.z;
        let ridge = body.iter().map(|&point| points[point as usize]).filter(on_face);
        let nose = ridge.max_by(|a, b| a.x.total_cmp(&b.x)).map_or(eye.z - 0.033, |p| p.z - HEAD.z);
        let mut face = Self { eye, nose, mouth: Vec3::new(eye.x, MOUTH.y, eye.z - 0.069) };
        if let Some(lips) = face.lips(base, points) {
            face.mouth = lips;
        }
        face
    }

    /// Where the inside of the mouth begins: the line between the lips, and how far to the side it goes.
    fn lips(&self, base: &Base, points: &[Vec3]) -> Option<Vec3> {
        let seen = self.seen_of(base, "body", points);
        let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for triangle in &seen {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (triangle[a], triangle[b]);
                *edges.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
        let rim: Vec<Vec3> = edges
            .into_iter()
            .filter(|(_, count)| *count == 1)
            .map(|((a, _), _)| points[a as usize] - HEAD)
            .filter(|p| p.z < self.nose - 0.01)
            .collect();
        let sum = rim.iter().copied().sum::<Vec3>();
        let wide = rim.iter().map(|p| p.y).fold(0.0, f32::max);
        (rim.len() >= 8).then(|| (sum / rim.len() as f32).with_y(wide))
    }

    /// How far a head lies from where a built-in one of `size` times the neutral one's size does.
    pub fn shift_of(base: &Base, points: &[Vec3], size: f32) -> Vec3 {
        (eye_of(base, points) - EYE * size).with_y(0.0)
    }

    /// The place by which a point is painted.
    pub fn paint(&self, p: Vec3) -> Vec3 {
        let share = ((p.z - 1.46) / 0.05).clamp(0.0, 1.0) * f32::from(p.y.abs() < 0.2);
        if share == 0.0 {
            return p;
        }
        let h = p - HEAD;
        // Up: mouth, nose and eyes are where they are painted; beyond, distances stay.
        let rows = [(self.mouth.z, MOUTH.z), (self.nose, NOSE), (self.eye.z, EYE.z)];
        let z = if h.z <= rows[0].0 {
            h.z - rows[0].0 + rows[0].1
        } else if h.z >= rows[2].0 {
            h.z - rows[2].0 + rows[2].1
        } else {
            let [(from, a), (to, b)] = if h.z < rows[1].0 { [rows[0], rows[1]] } else { [rows[1], rows[2]] };
            a + (b - a) * (h.z - from) / (to - from).max(1e-4)
        };
        let t = ((h.z - self.mouth.z) / (self.nose - self.mouth.z).max(1e-4)).clamp(0.0, 1.0);
        let (at_mouth, at_eye) = (MOUTH.y / self.mouth.y.max(0.01), EYE.y / self.eye.y.max(0.01));
        let wide = at_mouth + (at_eye - at_mouth) * t;
        let painted = HEAD + Vec3::new(h.x - self.eye.x + EYE.x, h.y * wide, z);
        p.lerp(painted, share)
    }

    /// The triangles of a group, without those inside of the mouth, behind the eyes and on the far side of eyeballs.
    pub fn seen_of(&self, base: &Base, group: &str, points: &[Vec3]) -> Vec<[u32; 3]> {
        let all = &base.groups[group];
        let about = |p: Vec3| {
            let h = p - HEAD;
            let eye = h.with_y(h.y.abs()).distance(self.eye - Vec3::X * 0.012) < 0.026;
            let mouth = h.y.abs() < 0.034
                && h.x > self.eye.x - 0.085
                && (self.mouth.z - 0.035..self.mouth.z + 0.030).contains(&h.z);
            eye || mouth
        };
        let near = |t: &&[u32; 3]| {
            let p = points[t[0] as usize] - HEAD;
            p.y.abs() < 0.07 && p.x > -0.02 && (self.mouth.z - 0.06..self.eye.z + 0.05).contains(&p.z)
        };
        let mut wall: Vec<[Vec3; 3]> = Vec::new();
        for name in ["body", "helper-l-eye", "helper-r-eye"] {
            wall.extend(base.groups[name].iter().filter(near).map(|t| t.map(|index| points[index as usize])));
        }
        let hidden = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|index| points[index as usize]);
            let (p, n) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize_or(Vec3::X));
            about(p)
                && !DIRECTIONS.iter().any(|way| {
                    let way = way.normalize();
                    way.dot(n) > 0.05 && !wall.iter().any(|corners| is_hit(p + n * 4e-4, way, corners))
                })
        };
        all.iter().filter(|triangle| !hidden(triangle)).copied().collect()
    }
}

/// Ways out of a face: to the front and aside.
const DIRECTIONS: [Vec3; 15] = [
    Vec3::new(1.0, 0.0, 0.0),
    Vec3::new(1.0, 0.4, 0.0),
    Vec3::new(1.0, -0.4, 0.0),
    Vec3::new(1.0, 0.0, 0.4),
    Vec3::new(1.0, 0.0, -0.4),
    Vec3::new(1.0, 0.9, 0.1),
    Vec3::new(1.0, -0.9, 0.1),
    Vec3::new(1.0, 0.1, 0.9),
    Vec3::new(1.0, 0.1, -0.9),
    Vec3::new(1.0, 0.7, 0.7),
    Vec3::new(1.0, -0.7, 0.7),
    Vec3::new(1.0, 0.7, -0.7),
    Vec3::new(1.0, -0.7, -0.7),
    Vec3::new(0.3, 1.0, 0.1),
    Vec3::new(0.3, -1.0, 0.1),
];

fn is_hit(from: Vec3, way: Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let (ab, ac) = (*b - *a, *c - *a);
    let h = way.cross(ac);
    let det = ab.dot(h);
    if det.abs() < 1e-14 {
        return false;
    }
    let s = from - *a;
    let u = s.dot(h) / det;
    let q = s.cross(ab);
    let v = way.dot(q) / det;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && ac.dot(q) / det > 1e-5
}
