//! Clothes cut from the helper surfaces: what is kept of them, how far off the body, and how they fall.

use crate::fine::{Fine, normals};
use crowdloom_shapes::rig::{Hang, RIG, weigh};
use glam::Vec3;
use std::collections::BTreeMap;

/// All points of the base mesh on one body on our rig.
pub struct Body {
    /// The points.
    pub points: Vec<Vec3>,
}

/// A part of the base mesh whose points may lie between its own.
#[derive(Clone, Default)]
pub struct Cloth {
    /// Each point as shares of points of the base mesh.
    mixes: Vec<Vec<(u32, f32)>>,
    triangles: Vec<[u32; 3]>,
}

impl Cloth {
    /// Whole triangles of the base mesh.
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        let mut cloth = Self::default();
        let mut names = BTreeMap::new();
        for triangle in triangles {
            let renamed = triangle.map(|index| {
                *names.entry(index).or_insert_with(|| {
                    cloth.mixes.push(vec![(index, 1.0)]);
                    cloth.mixes.len() as u32 - 1
                })
            });
            cloth.triangles.push(renamed);
        }
        cloth
    }

    fn at(&self, point: usize, all: &[Vec3]) -> Vec3 {
        self.mixes[point].iter().map(|&(index, share)| all[index as usize] * share).sum()
    }

    /// Its points on a body.
    pub fn on(&self, all: &[Vec3]) -> Vec<Vec3> {
        (0..self.mixes.len()).map(|point| self.at(point, all)).collect()
    }

    /// What lies where `inside` is above 0 on a body, cut cleanly.
    pub fn keep(&self, all: &[Vec3], inside: impl Fn(Vec3) -> f32) -> Self {
        let values: Vec<f32> = self.on(all).into_iter().map(inside).collect();
        let mut kept = Self { mixes: self.mixes.clone(), triangles: Vec::new() };
        let mut cuts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for triangle in &self.triangles {
            let mut corners = Vec::with_capacity(4);
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (triangle[from], triangle[to]);
                let (va, vb) = (values[a as usize], values[b as usize]);
                if va > 0.0 {
                    corners.push(a);
                }
                if (va > 0.0) != (vb > 0.0) {
                    corners.push(*cuts.entry((a.min(b), a.max(b))).or_insert_with(|| {
                        let t = (va / (va - vb)).clamp(0.02, 0.98);
                        let mut mix: BTreeMap<u32, f32> = BTreeMap::new();
                        for (&(index, share), part) in self.mixes[a as usize]
                            .iter()
                            .map(|own| (own, 1.0 - t))
                            .chain(self.mixes[b as usize].iter().map(|own| (own, t)))
                        {
                            *mix.entry(index).or_default() += share * part;
                        }
                        kept.mixes.push(mix.into_iter().collect());
                        kept.mixes.len() as u32 - 1
                    }));
                }
            }
            kept.triangles.extend((2..corners.len()).map(|at| [corners[0], corners[at - 1], corners[at]]));
        }
        kept.without_unused()
    }

    fn without_unused(self) -> Self {
        let mut names = vec![u32::MAX; self.mixes.len()];
        let mut kept = Self::default();
        for triangle in &self.triangles {
            let renamed = triangle.map(|index| {
                let name = &mut names[index as usize];
                if *name == u32::MAX {
                    *name = kept.mixes.len() as u32;
                    kept.mixes.push(self.mixes[index as usize].clone());
                }
                *name
            });
            kept.triangles.push(renamed);
        }
        kept
    }

    /// Edges with a triangle on one side alone, in its direction.
    fn rims(&self) -> Vec<(u32, u32)> {
        let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for triangle in &self.triangles {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((triangle[a], triangle[b])).or_default() += 1;
            }
        }
        edges.keys().filter(|(a, b)| !edges.contains_key(&(*b, *a))).copied().collect()
    }
}

/// How a piece of cloth is worn.
pub struct Worn<'a> {
    /// Metres off the surface that it was cut from, at a place.
    pub off: &'a (dyn Fn(Vec3) -> f32 + Sync),
    /// How it falls: where a point goes.
    pub fall: &'a (dyn Fn(Vec3) -> Vec3 + Sync),
    /// How often it is smoothed: stiff cloth lies in no hollow.
    pub smooth: usize,
    /// Below this height in metres it hangs free, and is smoothed [`FREE`] times as often: hems do not follow the folds of a groin.
    pub free: f32,
    /// How deep its rims are turned in, in metres.
    pub hem: f32,
    /// What moves it; none for what moves the body below.
    pub hang: Option<Hang>,
}

/// How many times as often cloth is smoothed that hangs free.
const FREE: usize = 5;

/// Cloth on the neutral body and on all others.
pub fn wear(
    cloth: &Cloth,
    worn: &Worn<'_>,
    neutral: &Body,
    bodies: &[Body],
    shares: &[[f32; RIG.len()]],
) -> Fine {
    let rims = cloth.rims();
    let count = cloth.mixes.len();
    // A rim's points come once more, turned in.
    let mut inner = BTreeMap::new();
    for &(a, b) in &rims {
        for end in [a, b] {
            let next = (count + inner.len()) as u32;
            inner.entry(end).or_insert(next);
        }
    }
    let mut triangles = cloth.triangles.clone();
    for &(a, b) in &rims {
        triangles.extend([[b, a, inner[&a]], [b, inner[&a], inner[&b]]]);
    }
    let mut turned: Vec<(u32, u32)> = inner.iter().map(|(&outer, &own)| (own, outer)).collect();
    turned.sort_unstable();
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); count];
    for triangle in &cloth.triangles {
        for (a, b) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
            if !around[triangle[a] as usize].contains(&triangle[b]) {
                around[triangle[a] as usize].push(triangle[b]);
            }
        }
    }
    // Rims are smoothed along themselves: they stay where they were cut.
    let mut along: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &(a, b) in &rims {
        along.entry(a).or_default().push(b);
        along.entry(b).or_default().push(a);
    }
    for (&point, beside) in &along {
        around[point as usize].clone_from(beside);
    }
    let hangs_free: Vec<bool> = cloth.on(&neutral.points).iter().map(|p| p.z < worn.free).collect();
    let place = |body: &Body| -> Vec<Vec3> {
        let mut points = cloth.on(&body.points);
        let (close, outwards) = (points.clone(), normals(&points, &cloth.triangles));
        for round in 0..worn.smooth * FREE {
            let before = points.clone();
            let moves = |point: usize| {
                let close = round < worn.smooth && !along.contains_key(&(point as u32));
                close || hangs_free[point]
            };
            for (point, near) in around.iter().enumerate().filter(|(point, _)| moves(*point)) {
                let middle =
                    near.iter().map(|&other| before[other as usize]).sum::<Vec3>() / near.len().max(1) as f32;
                points[point] = before[point].lerp(middle, 0.5);
                // What hangs free bridges hollows, but never lies deeper than the body below.
                if hangs_free[point] {
                    let deeper = (points[point] - close[point]).dot(outwards[point]).min(0.0);
                    points[point] -= outwards[point] * deeper;
                }
            }
        }
        let facing = normals(&points, &cloth.triangles);
        let mut placed: Vec<Vec3> =
            points.iter().zip(&facing).map(|(&p, &n)| (worn.fall)(p + n * (worn.off)(p))).collect();
        for &(_, outer) in &turned {
            let outer = outer as usize;
            placed.push((worn.fall)(points[outer] + facing[outer] * ((worn.off)(points[outer]) - worn.hem)));
        }
        placed
    };
    let on_neutral = place(neutral);
    let of_point = |point: usize| -> [f32; RIG.len()] {
        let source = if point < count { point } else { turned[point - count].1 as usize };
        let mut sum = [0.0; RIG.len()];
        if let Some(hang) = worn.hang {
            let (joints, weights) = weigh(on_neutral[source], hang);
            for (joint, weight) in joints.into_iter().zip(weights) {
                sum[usize::from(joint)] += f32::from(weight) / 255.0;
            }
            return sum;
        }
        for &(index, share) in &cloth.mixes[source] {
            sum.iter_mut().zip(&shares[index as usize]).for_each(|(sum, own)| *sum += own * share);
        }
        sum
    };
    Fine {
        shares: (0..on_neutral.len()).map(of_point).collect(),
        paint: on_neutral.clone(),
        bodies: bodies.iter().map(place).collect(),
        neutral: on_neutral,
        triangles,
    }
}

/// Two surfaces as one.
pub fn both(mut one: Fine, other: Fine) -> Fine {
    let first = one.neutral.len() as u32;
    one.triangles.extend(other.triangles.iter().map(|each| each.map(|index| index + first)));
    one.neutral.extend(other.neutral);
    one.shares.extend(other.shares);
    one.paint.extend(other.paint);
    one.bodies.iter_mut().zip(other.bodies).for_each(|(mine, theirs)| mine.extend(theirs));
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hem_that_hangs_free_is_smooth_and_stays_at_its_height() {
        // A pipe with a deep fold in front and behind, as a groin has, from 0.9 to 1.3 m.
        const AROUND: u32 = 40;
        const ROWS: u32 = 20;
        let radius = |angle: f32| 0.15 - 0.05 * libm::powf(libm::cosf(angle).abs(), 12.0);
        let points: Vec<Vec3> = (0..ROWS * AROUND)
            .map(|at| {
                let angle = (at % AROUND) as f32 / AROUND as f32 * std::f32::consts::TAU;
                let out = radius(angle);
                let z = 0.9 + 0.4 * (at / AROUND) as f32 / (ROWS - 1) as f32;
                Vec3::new(out * libm::cosf(angle), out * libm::sinf(angle), z)
            })
            .collect();
        let mut triangles = Vec::new();
        for row in 0..ROWS - 1 {
            for at in 0..AROUND {
                let next = (at + 1) % AROUND;
                let [a, b] = [at, next].map(|at| row * AROUND + at);
                triangles.extend([[a, b, b + AROUND], [a, b + AROUND, a + AROUND]]);
            }
        }
        let cloth = Cloth::of(&triangles);
        let body = || Body { points: points.clone() };
        let shares = vec![[1.0 / RIG.len() as f32; RIG.len()]; points.len()];
        let fold = |free: f32| {
            let worn = Worn { off: &|_| 0.0, fall: &|p| p, smooth: 5, free, hem: 0.0, hang: None };
            let fine = wear(&cloth, &worn, &body(), &[body()], &shares);
            let hem: Vec<Vec3> =
                fine.bodies[0].iter().copied().filter(|p| (p.z - 0.9).abs() < 1e-3).collect();
            assert!(hem.len() >= AROUND as usize, "the hem stays at its height");
            let outs = hem.iter().map(|p| p.truncate().length());
            assert!(outs.clone().all(|out| out > 0.098), "it is nowhere deeper than the body");
            outs.clone().fold(0.0, f32::max) - outs.fold(f32::MAX, f32::min)
        };
        let (close, free) = (fold(0.0), fold(1.0));
        assert!(close > 0.045 && free < 0.7 * close, "{close} {free}");
    }

    #[test]
    fn a_cut_is_clean() {
        let all = [Vec3::ZERO, Vec3::X * 2.0, Vec3::new(2.0, 2.0, 0.0), Vec3::Y * 2.0];
        let kept = Cloth::of(&[[0, 1, 2], [0, 2, 3]]).keep(&all, |p| 0.5 - p.x);
        let points = kept.on(&all);
        assert!(points.iter().all(|p| p.x <= 0.5 + 1e-5));
        let area: f32 = kept
            .triangles
            .iter()
            .map(|each| {
                let [a, b, c] = each.map(|index| points[index as usize]);
                (b - a).cross(c - a).z * 0.5
            })
            .sum();
        assert!((area - 1.0).abs() < 1e-4, "{area}");
    }
}
