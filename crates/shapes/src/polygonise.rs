//! Triangles of a solid: marching tetrahedra, which leave no gap and no edge with more than two sides.

use crate::field::Solid;
use glam::Vec3;
use std::collections::HashMap;

/// A bare closed surface.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Points in metres.
    pub points: Vec<Vec3>,
    /// Three points each, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Places along one axis.
pub type Ticks = Vec<f32>;

/// Places from `low` to `high` about `step` apart, finer where `fine` says how much.
pub fn ticks(low: f32, high: f32, step: f32, fine: &dyn Fn(f32) -> f32) -> Ticks {
    let mut all = vec![low];
    let mut at = low;
    while at < high {
        at += step * fine(at);
        all.push(at);
    }
    all
}

/// Blocks of so many ticks a side are passed over when the surface is far.
const BLOCK: usize = 8;

/// The six tetrahedra of a cube around its diagonal, by corner bits (x, y, z).
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// The surface of `solid` inside of a grid that holds it all.
pub fn polygonise(solid: &Solid, grid: &[Ticks; 3]) -> Surface {
    let size = [grid[0].len(), grid[1].len(), grid[2].len()];
    let index = |i: usize, j: usize, k: usize| (k * size[1] + j) * size[0] + i;
    let at = |i: usize, j: usize, k: usize| Vec3::new(grid[0][i], grid[1][j], grid[2][k]);
    let mut values = vec![f32::NAN; size[0] * size[1] * size[2]];
    let mut near = Vec::new();
    let blocks = size.map(|n| (n - 1).div_ceil(BLOCK));
    for block in 0..blocks[0] * blocks[1] * blocks[2] {
        let corner = [
            block % blocks[0] * BLOCK,
            block / blocks[0] % blocks[1] * BLOCK,
            block / blocks[0] / blocks[1] * BLOCK,
        ];
        let end = [0, 1, 2].map(|axis| (corner[axis] + BLOCK).min(size[axis] - 1));
        let (low, high) = (at(corner[0], corner[1], corner[2]), at(end[0], end[1], end[2]));
        let radius = (high - low).length() * 0.5;
        // Fields are only about distances: be generous.
        if solid.value((low + high) * 0.5).abs() > radius * 1.7 + 0.01 {
            continue;
        }
        near.push((corner, end));
        for k in corner[2]..=end[2] {
            for j in corner[1]..=end[1] {
                for i in corner[0]..=end[0] {
                    let value = &mut values[index(i, j, k)];
                    if value.is_nan() {
                        let found = solid.value(at(i, j, k));
                        // No point right on the grid: that would make triangles without area.
                        *value = if found.abs() < 1e-5 { 1e-5 } else { found };
                    }
                }
            }
        }
    }
    let mut surface = Surface::default();
    let mut made: HashMap<(u32, u32), u32> = HashMap::new();
    for (corner, end) in near {
        for k in corner[2]..end[2] {
            for j in corner[1]..end[1] {
                for i in corner[0]..end[0] {
                    let corners: [(usize, Vec3); 8] = std::array::from_fn(|bits| {
                        let (i, j, k) = (i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2));
                        (index(i, j, k), at(i, j, k))
                    });
                    let inside = corners.iter().filter(|(index, _)| values[*index] < 0.0).count();
                    if inside == 0 || inside == 8 {
                        continue;
                    }
                    for tetrahedron in TETRAHEDRA {
                        let points = tetrahedron.map(|corner| corners[corner]);
                        cut(&points, &values, &mut surface, &mut made);
                    }
                }
            }
        }
    }
    surface
}

fn cut(
    points: &[(usize, Vec3); 4],
    values: &[f32],
    surface: &mut Surface,
    made: &mut HashMap<(u32, u32), u32>,
) {
    let (inside, outside): (Vec<_>, Vec<_>) = points.iter().partition(|(index, _)| values[*index] < 0.0);
    let mut between = |a: &(usize, Vec3), b: &(usize, Vec3)| {
        let key = (a.0.min(b.0) as u32, a.0.max(b.0) as u32);
        *made.entry(key).or_insert_with(|| {
            let (from, to) = (values[a.0], values[b.0]);
            let t = (from / (from - to)).clamp(0.001, 0.999);
            surface.points.push(a.1.lerp(b.1, t));
            surface.points.len() as u32 - 1
        })
    };
    let (corners, order): (Vec<u32>, Vec<Vec3>) = match (&inside[..], &outside[..]) {
        ([a], [b, c, d]) => (vec![between(a, b), between(a, c), between(a, d)], vec![a.1, b.1, c.1, d.1]),
        ([a, b, c], [d]) => (vec![between(a, d), between(c, d), between(b, d)], vec![d.1, a.1, b.1, c.1]),
        ([p, q], [r, s]) => {
            (vec![between(p, r), between(p, s), between(q, s), between(q, r)], vec![p.1, q.1, r.1, s.1])
        }
        _ => return,
    };
    // Which way round the tetrahedron is decides what is outside.
    let right = (order[1] - order[0]).cross(order[2] - order[0]).dot(order[3] - order[0]) > 0.0;
    for fan in 1..corners.len() - 1 {
        let [a, b, c] = [corners[0], corners[fan], corners[fan + 1]];
        surface.triangles.push(if right { [a, b, c] } else { [a, c, b] });
    }
}

/// The part of a surface where `cut` is not above 0, with a clean rim: points that are within `snap` metres of it are
/// moved there by `onto` (Sutherland and Hodgman 1974, triangle by triangle).
pub fn clip(surface: &Surface, cut: &dyn Fn(Vec3) -> f32, onto: &dyn Fn(Vec3) -> Vec3, snap: f32) -> Surface {
    let mut points = surface.points.clone();
    let mut values: Vec<f32> = points.iter().map(|&p| cut(p)).collect();
    for (p, value) in points.iter_mut().zip(&mut values).filter(|(_, value)| value.abs() < snap) {
        *p = onto(*p);
        *value = 0.0;
    }
    let mut made: HashMap<(u32, u32), u32> = HashMap::new();
    let mut kept: Vec<[u32; 3]> = Vec::new();
    for triangle in &surface.triangles {
        let mut ring: Vec<u32> = Vec::with_capacity(4);
        for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (triangle[i], triangle[j])) {
            let (f, g) = (values[a as usize], values[b as usize]);
            if f <= 0.0 {
                ring.push(a);
            }
            if f * g < 0.0 {
                ring.push(*made.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    points.push(onto(points[a as usize].lerp(points[b as usize], f / (f - g))));
                    points.len() as u32 - 1
                }));
            }
        }
        // What was moved onto the rim with all its corners is kept where it lay inside.
        let all_moved = triangle.iter().all(|&index| values[index as usize] == 0.0);
        let middle = triangle.iter().map(|&index| surface.points[index as usize]).sum::<Vec3>() / 3.0;
        if ring.len() >= 3 && !(all_moved && cut(middle) > 0.0) {
            kept.extend((1..ring.len() - 1).map(|fan| [ring[0], ring[fan], ring[fan + 1]]));
        }
    }
    let mut number = vec![u32::MAX; points.len()];
    let mut clipped = Surface::default();
    for triangle in kept {
        let renamed = triangle.map(|index| {
            let slot = &mut number[index as usize];
            if *slot == u32::MAX {
                *slot = clipped.points.len() as u32;
                clipped.points.push(points[index as usize]);
            }
            *slot
        });
        clipped.triangles.push(renamed);
    }
    clipped
}
