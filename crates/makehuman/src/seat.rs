//! Hair, hats and things of the built-in set, moved to where they sit on other bodies.

use crate::fine::normals;
use crowdloom_shapes::bake::{BUILT_IN, Piece};
use crowdloom_shapes::field::Solid;
use crowdloom_shapes::human::{self, HEAD};
use crowdloom_shapes::wardrobe::Slot;
use glam::Vec3;
use rayon::prelude::*;

/// Steps about and up of the tables.
const ROUND: usize = 48;
const UP: usize = 28;

/// How much farther out one body is than another, by direction.
struct Table(Vec<[f32; ROUND]>);

impl Table {
    fn at(&self, round: f32, up: f32) -> f32 {
        let (x, y) = (round.rem_euclid(1.0) * ROUND as f32, up.clamp(0.0, 1.0) * (UP - 1) as f32);
        let (x0, y0) = (x as usize % ROUND, (y as usize).min(UP - 2));
        let (tx, ty) = (x.fract(), y - y0 as f32);
        let row = |y: usize| self.0[y][x0] * (1.0 - tx) + self.0[y][(x0 + 1) % ROUND] * tx;
        row(y0) * (1.0 - ty) + row(y0 + 1) * ty
    }

    /// Single spikes, as ears are, do not count: each entry is the median of those about it, then the mean.
    fn smoothed(self) -> Self {
        let around = |all: &[[f32; ROUND]], y: usize, x: usize| -> [f32; 9] {
            std::array::from_fn(|n| {
                let y = (y + n / 3).saturating_sub(1).min(UP - 1);
                all[y][(x + n % 3 + ROUND - 1) % ROUND]
            })
        };
        let mut all = self.0;
        for pass in 0..4 {
            let before = all.clone();
            for (y, row) in all.iter_mut().enumerate() {
                for (x, value) in row.iter_mut().enumerate() {
                    let mut near = around(&before, y, x);
                    near.sort_by(f32::total_cmp);
                    *value = if pass < 2 { near[4] } else { near.iter().sum::<f32>() / 9.0 };
                }
            }
        }
        Self(all)
    }
}

/// The middle of the skull, from which heads are measured.
fn middle_of_head() -> Vec3 {
    HEAD + Vec3::new(0.0, 0.0, 0.075)
}

/// Heights between which trunks are measured.
const TRUNK: [f32; 2] = [0.86, 1.50];

fn head_direction(round: f32, up: f32) -> Vec3 {
    let (a, b) = (round * std::f32::consts::TAU, (up - 0.5) * std::f32::consts::PI);
    Vec3::new(libm::cosf(a) * libm::cosf(b), libm::sinf(a) * libm::cosf(b), libm::sinf(b))
}

/// Where a ray from inside leaves a surface for the last time.
fn leaves(from: Vec3, direction: Vec3, points: &[Vec3], triangles: &[[u32; 3]], most: f32) -> Option<f32> {
    let mut last: Option<f32> = None;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| points[index as usize]);
        let (ab, ac) = (b - a, c - a);
        let h = direction.cross(ac);
        let det = ab.dot(h);
        if det.abs() < 1e-12 {
            continue;
        }
        let s = from - a;
        let u = s.dot(h) / det;
        let q = s.cross(ab);
        let v = direction.dot(q) / det;
        let t = ac.dot(q) / det;
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0 && t < most {
            last = Some(last.map_or(t, |known: f32| known.max(t)));
        }
    }
    last
}

/// The same of a solid.
fn leaves_solid(from: Vec3, direction: Vec3, solid: &Solid, most: f32) -> Option<f32> {
    let mut t = most;
    // From outside inwards: the first surface met is the last one left.
    for _ in 0..160 {
        let d = solid.value(from + direction * t);
        if d < 3e-4 {
            return Some(t);
        }
        t -= d.clamp(3e-4, 0.02) * 0.8;
        if t <= 0.0 {
            break;
        }
    }
    None
}

/// How a body differs from the built-in one that pieces were made on.
pub struct Seats {
    like: usize,
    /// How far the head lies from where the built-in one does.
    shift: Vec3,
    head: Table,
    trunk: Table,
}

impl Seats {
    /// Compares a body's skin with the built-in body of number `like`; `shift` is how far the head lies from where that
    /// one's does, in metres.
    pub fn of(points: &[Vec3], triangles: &[[u32; 3]], like: usize, shift: Vec3) -> Self {
        let solid = human::body(&BUILT_IN[like].1, false);
        let some = |wanted: &dyn Fn(Vec3) -> bool| -> Vec<[u32; 3]> {
            triangles.iter().filter(|t| wanted(points[t[0] as usize])).copied().collect()
        };
        let head_triangles = some(&|p| p.z > 1.46 && p.y.abs() < 0.2);
        let trunk_triangles = some(&|p| p.z > 0.75 && p.z < 1.56 && p.y.abs() < 0.24);
        let table = |rays: &(dyn Fn(f32, f32) -> (Vec3, Vec3) + Sync),
                     triangles: &[[u32; 3]],
                     most: f32,
                     shift: Vec3| {
            let rows = (0..UP).into_par_iter().map(|y| {
                std::array::from_fn(|x| {
                    let (from, direction) = rays(x as f32 / ROUND as f32, y as f32 / (UP - 1) as f32);
                    let own = leaves(from + shift, direction, points, triangles, most);
                    let built_in = leaves_solid(from, direction, &solid, most);
                    own.zip(built_in).map_or(0.0, |(own, built_in)| (own - built_in).clamp(-0.08, 0.14))
                })
            });
            Table(rows.collect()).smoothed()
        };
        Self {
            like,
            shift,
            head: table(
                &|round, up| (middle_of_head(), head_direction(round, up)),
                &head_triangles,
                0.26,
                shift,
            ),
            trunk: table(&trunk_ray, &trunk_triangles, 0.30, Vec3::ZERO),
        }
    }

    fn moved(&self, p: Vec3, slot: u8) -> Vec3 {
        let on_head =
            matches!(slot, s if s <= Slot::Beard as u8 || s == Slot::Hat as u8 || s == Slot::Eyes as u8);
        let from = if on_head { middle_of_head() } else { trunk_ray(0.0, 0.0).0.with_z(p.z) };
        let out = p - from;
        let round = libm::atan2f(out.y, out.x) / std::f32::consts::TAU;
        if on_head {
            let direction = out.normalize_or(Vec3::Z);
            let up = libm::asinf(direction.z.clamp(-1.0, 1.0)) / std::f32::consts::PI + 0.5;
            // What hangs below the head moves as the nape and the shoulders do.
            let below = ((p.z - 1.40) / 0.12).clamp(0.0, 1.0);
            return p + self.shift * below + direction * self.head.at(round, up.max(0.22));
        }
        let up = (p.z - TRUNK[0]) / (TRUNK[1] - TRUNK[0]);
        p + out.with_z(0.0).normalize_or(Vec3::X) * self.trunk.at(round, up)
    }
}

fn trunk_ray(round: f32, up: f32) -> (Vec3, Vec3) {
    let z = TRUNK[0] + (TRUNK[1] - TRUNK[0]) * up;
    let a = round * std::f32::consts::TAU;
    (Vec3::new(-0.012, 0.0, z), Vec3::new(libm::cosf(a), libm::sinf(a), 0.0))
}

/// A piece of the built-in set on other bodies.
pub fn seat(piece: &Piece, bodies: &[Seats]) -> Piece {
    let mut seated = piece.clone();
    let in_hand = piece.slot >= Slot::LeftHand as u8;
    for (level, source) in seated.levels.iter_mut().zip(&piece.levels) {
        let triangles: Vec<[u32; 3]> = source.triangles.iter().map(|each| each.map(u32::from)).collect();
        level.points.clear();
        level.normals.clear();
        for seats in bodies {
            let own = &source.points[seats.like];
            // One thing moves as one: glasses do not bend with a nose.
            let stiff = piece.slot == Slot::Eyes as u8 || piece.slot == Slot::Back as u8;
            let points: Vec<Vec3> = if in_hand {
                own.clone()
            } else if stiff {
                let lean = own.iter().map(|&p| seats.moved(p, piece.slot) - p).sum::<Vec3>()
                    / own.len().max(1) as f32;
                own.iter().map(|&p| p + lean).collect()
            } else {
                own.iter().map(|&p| seats.moved(p, piece.slot)).collect()
            };
            level.normals.push(normals(&points, &triangles));
            level.points.push(points);
        }
    }
    seated
}
