//! Fewer triangles for the same shape: edges collapse, those first that matter least (Garland and Heckbert 1997).

use crate::polygonise::Surface;
use glam::{DMat3, DVec3, Vec3};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Squared distances from planes: v·A·v + 2 b·v + c.
#[derive(Clone, Copy, Default)]
struct Quadric {
    a: [f64; 6],
    b: DVec3,
    c: f64,
}

impl Quadric {
    fn plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let d = -normal.dot(point);
        let n = normal;
        Self {
            a: [n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z].map(|value| value * weight),
            b: n * d * weight,
            c: d * d * weight,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        for (mine, theirs) in sum.a.iter_mut().zip(other.a) {
            *mine += theirs;
        }
        sum.b += other.b;
        sum.c += other.c;
        sum
    }

    fn matrix(&self) -> DMat3 {
        let [xx, xy, xz, yy, yz, zz] = self.a;
        DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
    }

    fn error(&self, v: DVec3) -> f64 {
        (v.dot(self.matrix() * v) + 2.0 * self.b.dot(v) + self.c).max(0.0)
    }

    /// The best point, near `guess` where the planes leave it open.
    fn best(&self, guess: DVec3, spread: f64) -> DVec3 {
        // A little pull towards the guess keeps flat places well spaced.
        let pull = 1e-3 * (self.a[0] + self.a[3] + self.a[5]);
        let matrix = self.matrix() + DMat3::from_diagonal(DVec3::splat(pull));
        if matrix.determinant().abs() < 1e-30 {
            return guess;
        }
        let best = matrix.inverse() * (guess * pull - self.b);
        if best.distance(guess) > spread { guess } else { best }
    }
}

/// An edge that may collapse, with the versions of its ends when it was weighed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: u64,
    ends: (u32, u32),
    versions: (u32, u32),
}

/// A mesh that loses triangles.
pub struct Simplifier {
    points: Vec<DVec3>,
    quadrics: Vec<Quadric>,
    versions: Vec<u32>,
    /// Triangles about each point.
    around: Vec<Vec<u32>>,
    triangles: Vec<[u32; 3]>,
    alive: Vec<bool>,
    left: usize,
    /// Points on the rim of an open surface: it stays where it is.
    rim: Vec<bool>,
    heap: BinaryHeap<Reverse<Candidate>>,
    /// Triangles that are less high than so many metres are splinters of the grid.
    grain: f64,
}

/// Finds the points on the rims of a surface, and keeps rims in place by planes that stand on them.
fn hold_rims(surface: &Surface, points: &[DVec3], quadrics: &mut [Quadric]) -> Vec<bool> {
    let mut sides: BTreeMap<(u32, u32), (u32, [u32; 3])> = BTreeMap::new();
    for &triangle in &surface.triangles {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (triangle[a], triangle[b]);
            sides.entry((a.min(b), a.max(b))).or_insert((0, triangle)).0 += 1;
        }
    }
    let mut rim = vec![false; points.len()];
    for ((a, b), (_, triangle)) in sides.into_iter().filter(|(_, (count, _))| *count == 1) {
        let [p, q, r] = triangle.map(|index| points[index as usize]);
        let (from, to) = (points[a as usize], points[b as usize]);
        if let Some(normal) = (to - from).cross((q - p).cross(r - p)).try_normalize() {
            let plane = Quadric::plane(normal, from, from.distance_squared(to) * 4.0);
            for end in [a, b] {
                quadrics[end as usize] = quadrics[end as usize].plus(&plane);
            }
        }
        rim[a as usize] = true;
        rim[b as usize] = true;
    }
    rim
}

impl Simplifier {
    /// Starts with `surface`, cut on a grid of `step` metres; `importance` says how much a deviation counts at a place.
    pub fn new(surface: &Surface, step: f32, importance: &dyn Fn(Vec3) -> f32) -> Self {
        let points: Vec<DVec3> = surface.points.iter().map(|p| p.as_dvec3()).collect();
        let mut quadrics = vec![Quadric::default(); points.len()];
        let mut around = vec![Vec::new(); points.len()];
        for (number, triangle) in surface.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|index| points[index as usize]);
            let cross = (b - a).cross(c - a);
            let area = cross.length() * 0.5;
            if area > 0.0 {
                let weight = area * f64::from(importance(surface.points[triangle[0] as usize]));
                let plane = Quadric::plane(cross.normalize(), a, weight);
                for &index in triangle {
                    quadrics[index as usize] = quadrics[index as usize].plus(&plane);
                }
            }
            triangle.iter().for_each(|&index| around[index as usize].push(number as u32));
        }
        let rim = hold_rims(surface, &points, &mut quadrics);
        let mut simplifier = Self {
            rim,
            versions: vec![0; points.len()],
            points,
            quadrics,
            around,
            alive: vec![true; surface.triangles.len()],
            left: surface.triangles.len(),
            triangles: surface.triangles.clone(),
            heap: BinaryHeap::new(),
            grain: f64::from(step) * 0.2,
        };
        for triangle in surface.triangles.iter() {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                if triangle[a] < triangle[b] {
                    simplifier.weigh(triangle[a], triangle[b]);
                }
            }
        }
        simplifier
    }

    fn target(&self, a: u32, b: u32) -> (DVec3, f64) {
        let (p, q) = (self.points[a as usize], self.points[b as usize]);
        let sum = self.quadrics[a as usize].plus(&self.quadrics[b as usize]);
        let best = sum.best((p + q) * 0.5, p.distance(q) * 1.2);
        (best, sum.error(best))
    }

    fn weigh(&mut self, a: u32, b: u32) {
        let (_, error) = self.target(a, b);
        let length = self.points[a as usize].distance_squared(self.points[b as usize]);
        // Of edges that cost as little, the short ones first.
        let cost = error + 1e-9 * length;
        let versions = (self.versions[a as usize], self.versions[b as usize]);
        self.heap.push(Reverse(Candidate { cost: cost.to_bits(), ends: (a, b), versions }));
    }

    fn neighbours(&self, of: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.around[of as usize]
            .iter()
            .flat_map(|&triangle| self.triangles[triangle as usize])
            .filter(|&other| other != of)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether moving a point keeps the triangles about it facing as they do, but for those at `gone`.
    fn keeps_facing(&self, point: u32, to: DVec3, gone: u32, slack: f64) -> bool {
        self.around[point as usize].iter().all(|&number| {
            let triangle = self.triangles[number as usize];
            if triangle.contains(&gone) {
                return true;
            }
            let before = triangle.map(|index| self.points[index as usize]);
            let after = triangle.map(|index| if index == point { to } else { self.points[index as usize] });
            let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
            let longest = |p: [DVec3; 3]| {
                [(0, 1), (1, 2), (2, 0)]
                    .map(|(i, j)| p[i].distance_squared(p[j]))
                    .into_iter()
                    .fold(0.0, f64::max)
            };
            let (old, new) = (normal(before), normal(after));
            let (wide, now) = (longest(before).sqrt(), longest(after).sqrt());
            // Splinters tell nothing about the way that the surface faces.
            if old.length() < self.grain * wide {
                return true;
            }
            let (was, is) = (old.length() / (wide * wide), new.length() / (now * now).max(1e-30));
            let turned = old.dot(new) <= (0.4 - 0.3 * slack) * old.length() * new.length();
            !turned && is > (0.08 - 0.06 * slack).min(was)
        })
    }

    /// Collapses edges until at most `triangles` are left, or no edge can go.
    pub fn reduce(&mut self, triangles: usize) {
        let mut deferred = Vec::new();
        // Less and less is asked of triangles as long as there are too many.
        let mut slack = 0.0;
        while self.left > triangles {
            let Some(Reverse(candidate)) = self.heap.pop() else {
                if deferred.is_empty() || slack > 1.0 {
                    break;
                }
                slack += 0.1;
                self.heap.extend(deferred.drain(..).map(Reverse));
                continue;
            };
            let (a, b) = candidate.ends;
            if candidate.versions != (self.versions[a as usize], self.versions[b as usize]) {
                continue;
            }
            // One surface it stays: the ends share the two points across the edge and no other.
            let (mine, theirs) = (self.neighbours(a), self.neighbours(b));
            let shared = mine.iter().filter(|point| theirs.binary_search(point).is_ok()).count();
            let (on_a, on_b) = (self.rim[a as usize], self.rim[b as usize]);
            // Along a rim there is one; two points of rims never meet across the surface.
            let beside = self.around[a as usize].iter().filter(|&&t| self.triangles[t as usize].contains(&b));
            let is_sound = match beside.count() {
                1 => shared == 1,
                _ => shared == 2 && !(on_a && on_b),
            };
            let (p, q) = (self.points[a as usize], self.points[b as usize]);
            let fits =
                |to: &DVec3| self.keeps_facing(a, *to, b, slack) && self.keeps_facing(b, *to, a, slack);
            let places = match (on_a, on_b) {
                (true, false) => [p; 4],
                (false, true) => [q; 4],
                _ => [self.target(a, b).0, (p + q) * 0.5, p, q],
            };
            match places.into_iter().find(fits) {
                Some(to) if is_sound => self.collapse(a, b, to),
                _ => deferred.push(candidate),
            }
        }
        self.heap.extend(deferred.into_iter().map(Reverse));
    }

    fn collapse(&mut self, a: u32, b: u32, to: DVec3) {
        self.points[a as usize] = to;
        self.quadrics[a as usize] = self.quadrics[a as usize].plus(&self.quadrics[b as usize]);
        self.rim[a as usize] |= self.rim[b as usize];
        self.versions[a as usize] += 1;
        self.versions[b as usize] = u32::MAX;
        for number in std::mem::take(&mut self.around[b as usize]) {
            let triangle = self.triangles[number as usize];
            if triangle.contains(&a) {
                self.alive[number as usize] = false;
                self.left -= 1;
                for &index in &triangle {
                    self.around[index as usize].retain(|&other| other != number);
                }
            } else {
                self.triangles[number as usize] = triangle.map(|index| if index == b { a } else { index });
                self.around[a as usize].push(number);
            }
        }
        for other in self.neighbours(a) {
            self.weigh(a.min(other), a.max(other));
        }
    }

    /// What is left, without the points that nothing uses.
    pub fn surface(&self) -> Surface {
        let mut number = vec![u32::MAX; self.points.len()];
        let mut surface = Surface::default();
        for (triangle, _) in self.triangles.iter().zip(&self.alive).filter(|(_, alive)| **alive) {
            let renamed = triangle.map(|index| {
                let slot = &mut number[index as usize];
                if *slot == u32::MAX {
                    *slot = surface.points.len() as u32;
                    surface.points.push(self.points[index as usize].as_vec3());
                }
                *slot
            });
            surface.triangles.push(renamed);
        }
        surface
    }
}
