//! A line-up of people, drawn without a window.

use crate::body::{Detail, Person, dress, rest_positions, stature};
use crowdloom_motion::{JointFrames, Skeleton};
use glam::{Quat, Vec2, Vec3};
use rayon::prelude::*;
use tiny_skia::Pixmap;

/// Where the head's own coordinates begin, in metres: there faces are painted from.
const HEAD: Vec3 = Vec3::new(-0.009, 0.0, 1.570);

/// Pixels of one person: across and up.
const CELL: (u32, u32) = (150, 330);
/// Each pixel is the mean of so many by so many.
const FINE: u32 = 2;
/// Metres that a cell is high.
const TALL: f32 = 2.15;

/// Draws people side by side in rows of `across`, all in the same pose, as a PNG file.
pub fn lineup(skeleton: &Skeleton, root: f32, pose: &[Quat], people: &[Person], across: usize) -> Vec<u8> {
    let mut frames = JointFrames::default();
    frames.compute(skeleton, Vec3::new(0.0, 0.0, root), pose);
    let rest = rest_positions(skeleton);
    let cells: Vec<Vec<[f32; 3]>> = people
        .par_iter()
        .enumerate()
        .map(|(number, person)| {
            // Each turned a little otherwise: faces and backs are both seen.
            let yaw = 0.45 * libm::sinf(number as f32 * 1.7) + if number % 7 == 6 { 2.8 } else { 0.0 };
            draw(skeleton, &frames, &rest, person, yaw)
        })
        .collect();
    let across = across.max(1);
    let rows = people.len().div_ceil(across).max(1);
    let (width, height) = (CELL.0 * across as u32, CELL.1 * rows as u32);
    let Some(mut pixmap) = Pixmap::new(width, height) else { return Vec::new() };
    let stride = (CELL.0 * FINE) as usize;
    let pixels = pixmap.pixels_mut();
    for y in 0..height {
        for x in 0..width {
            let cell = (y / CELL.1) as usize * across + (x / CELL.0) as usize;
            let mut sum = [0.0; 3];
            for fine in 0..FINE * FINE {
                let (fx, fy) = ((x % CELL.0) * FINE + fine % FINE, (y % CELL.1) * FINE + fine / FINE);
                let background =
                    BACKGROUND.map(|value| value * (1.0 - 0.10 * fy as f32 / (CELL.1 * FINE) as f32));
                let colour =
                    cells.get(cell).map_or(background, |cell| cell[fy as usize * stride + fx as usize]);
                let colour = if colour[0] < 0.0 { background } else { colour };
                (0..3).for_each(|part| sum[part] += colour[part]);
            }
            let byte = |value: f32| {
                (libm::powf((value / (FINE * FINE) as f32).clamp(0.0, 1.0), 1.0 / 2.2) * 255.0) as u8
            };
            let [r, g, b] = sum.map(byte);
            if let Some(colour) = tiny_skia::PremultipliedColorU8::from_rgba(r, g, b, 255) {
                pixels[(y * width + x) as usize] = colour;
            }
        }
    }
    pixmap.encode_png().unwrap_or_default()
}

const BACKGROUND: [f32; 3] = [0.82, 0.85, 0.88];

/// One person as linear colours; below 0 where nothing is.
fn draw(
    skeleton: &Skeleton,
    frames: &JointFrames,
    rest: &[Vec3],
    person: &Person,
    yaw: f32,
) -> Vec<[f32; 3]> {
    let body = dress(skeleton, person, Detail::Near);
    let scale = person.scale * 1.75 / stature(skeleton);
    let (width, height) = ((CELL.0 * FINE) as usize, (CELL.1 * FINE) as usize);
    let turn = Quat::from_rotation_z(yaw);
    let pixels_a_metre = height as f32 / TALL;
    let posed: Vec<(Vec3, Vec3, Vec3)> = body
        .mesh
        .vertices
        .iter()
        .map(|vertex| {
            let (mut p, mut n) = (Vec3::ZERO, Vec3::ZERO);
            for (joint, weight) in
                vertex.joints.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0.0)
            {
                let joint = usize::from(*joint);
                let turn = frames.orientations[joint];
                p += (frames.positions[joint] + turn * (vertex.position - rest[joint])) * weight;
                n += turn * vertex.normal * weight;
            }
            let on_head =
                if vertex.part == crate::body::Part::Skin { vertex.paint - HEAD } else { Vec3::NEG_X };
            (turn * p * scale, (turn * n).normalize_or(Vec3::Z), on_head)
        })
        .collect();
    let mut depth = vec![f32::NEG_INFINITY; width * height];
    let mut image = vec![[-1.0; 3]; width * height];
    // Seen from the front, the light from above and beside.
    let light = Vec3::new(0.6, 0.45, 0.66).normalize();
    let paper = |p: Vec3| {
        Vec2::new(width as f32 * 0.5 + p.y * pixels_a_metre, height as f32 - 14.0 - p.z * pixels_a_metre)
    };
    for triangle in &body.mesh.triangles {
        let corners = triangle.map(|index| posed[index as usize]);
        let [a, b, c] = corners.map(|corner| paper(corner.0));
        let area = (b - a).perp_dot(c - a);
        if area.abs() < 1e-6 {
            continue;
        }
        let low = a.min(b).min(c).max(Vec2::ZERO);
        let high = a.max(b).max(c).min(Vec2::new(width as f32 - 1.0, height as f32 - 1.0));
        let colour =
            body.colours[triangle[0] as usize].map(|value| libm::powf(f32::from(value) / 255.0, 2.2));
        for y in low.y as usize..=high.y.max(0.0) as usize {
            for x in low.x as usize..=high.x.max(0.0) as usize {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let (v, w) = ((p - a).perp_dot(c - a) / area, (b - a).perp_dot(p - a) / area);
                let u = 1.0 - v - w;
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let mix = |get: fn(&(Vec3, Vec3, Vec3)) -> Vec3| {
                    get(&corners[0]) * u + get(&corners[1]) * v + get(&corners[2]) * w
                };
                let place = mix(|corner| corner.0);
                let at = y * width + x;
                if place.x <= depth[at] {
                    continue;
                }
                depth[at] = place.x;
                let normal = mix(|corner| corner.1).normalize_or(Vec3::Z);
                let lit = 0.34 + 0.14 * normal.z + 0.72 * normal.dot(light).max(0.0);
                let own = face(colour, mix(|corner| corner.2), person);
                image[at] = own.map(|value| value * lit);
            }
        }
    }
    image
}

/// Eyes, brows and mouth by the place on the head, as the page paints them.
fn face(skin: [f32; 3], h: Vec3, person: &Person) -> [f32; 3] {
    if h.x < 0.045 || h.z > 0.13 || h.z < -0.06 {
        return skin;
    }
    let linear = |colour: [u8; 3]| colour.map(|value| libm::powf(f32::from(value) / 255.0, 2.2));
    let side = h.y.abs();
    let oval = |y: f32, z: f32, a: f32, b: f32| {
        let (u, v) = ((side - y) / a, (h.z - z) / b);
        u * u + v * v < 1.0
    };
    let colours = &person.look.colours;
    if oval(0.0315, 0.0712, 0.0030, 0.0030) {
        [0.01; 3]
    } else if oval(0.0315, 0.0712, 0.0062, 0.0062) && oval(0.0315, 0.0712, 0.0132, 0.0060) {
        linear(colours.eyes)
    } else if oval(0.0315, 0.0712, 0.0132, 0.0060) {
        [0.72, 0.70, 0.68]
    } else if oval(0.0310, 0.0925, 0.0185, 0.0032) {
        linear(colours.hair).map(|value| value * 0.75)
    } else if oval(0.0, 0.0015, 0.0225, 0.0085) {
        linear(colours.lips)
    } else {
        skin
    }
}
