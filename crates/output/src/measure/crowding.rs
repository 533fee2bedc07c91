//! Speed and flow against density.
//!
//! Density is Voronoi's: one over the part of the floor that is nearer to a person than to anybody else (Steffen and
//! Seyfried 2010, "Methods for measuring pedestrian density"), cut off at 1.5 m. It is found on a raster of points
//! 0.1 m apart (more on floors above 40,000 m²), twice a second.

use super::conduct::velocity;
use super::tracks::Tracks;
use crate::run::GroundShape;
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;

/// Nobody's part of the floor reaches farther than this, in metres.
const REACH: f32 = 1.5;
/// Points of the raster are so far apart, in metres, on floors that are not too large.
const SPACING: f32 = 0.1;
const MOST_POINTS: f32 = 4e6;
/// Seconds from one look to the next, and over how many speeds are taken to each side.
const LOOKS: f32 = 0.5;
const AROUND: f32 = 0.25;
/// Width of a class of densities, in people per square metre, and how many there are.
const CLASS: f32 = 0.25;
const CLASSES: usize = 32;

/// All who were somewhere at one class of densities.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DensityClass {
    /// Mean density in people per square metre.
    pub density_per_m2: f32,
    /// Mean speed in metres a second.
    pub speed_m_s: f32,
    /// Density times speed, in people per metre and second.
    pub flow_per_m_s: f32,
    /// Seconds that all people were at it, added up.
    pub person_seconds: f32,
}

/// Points of the floor.
struct Raster {
    low: Vec2,
    spacing: f32,
    columns: usize,
    rows: usize,
    floor: Vec<bool>,
}

/// Speeds by classes of densities; classes in which nobody was are left out.
pub(super) fn by_density(tracks: &Tracks) -> Vec<DensityClass> {
    let Some(raster) = Raster::of(tracks) else { return Vec::new() };
    let every = tracks.span(LOOKS) as u32;
    let around = tracks.span(AROUND);
    let moments = tracks.moments(every);
    let zero = || vec![(0.0f64, 0.0f64, 0u64); CLASSES];
    let sums = moments
        .par_chunks(8)
        .map(|moments| {
            let mut sums = zero();
            let mut owners = vec![(f32::INFINITY, u32::MAX); raster.floor.len()];
            for (_, there) in moments {
                let places: Vec<Vec2> = there
                    .iter()
                    .map(|&(piece, at)| tracks.pieces[piece as usize].positions[at as usize])
                    .collect();
                let areas = raster.areas(&places, &mut owners);
                for (&(piece, at), area) in there.iter().zip(areas) {
                    if area <= 0.0 {
                        continue;
                    }
                    let speed =
                        velocity(&tracks.pieces[piece as usize], at as usize, around, tracks.step).length();
                    let density = 1.0 / area;
                    let sum = &mut sums[((density / CLASS) as usize).min(CLASSES - 1)];
                    *sum = (sum.0 + f64::from(density), sum.1 + f64::from(speed), sum.2 + 1);
                }
            }
            sums
        })
        .collect::<Vec<_>>();
    // Added in order, so that the sums do not depend on the threads.
    let mut total = zero();
    for sums in sums {
        for (total, sum) in total.iter_mut().zip(sums) {
            *total = (total.0 + sum.0, total.1 + sum.1, total.2 + sum.2);
        }
    }
    let class = |(density, speed, count): (f64, f64, u64)| {
        let (density, speed) = ((density / count as f64) as f32, (speed / count as f64) as f32);
        DensityClass {
            density_per_m2: density,
            speed_m_s: speed,
            flow_per_m_s: density * speed,
            person_seconds: count as f32 * every as f32 * tracks.step,
        }
    };
    total.into_iter().filter(|sum| sum.2 > 0).map(class).collect()
}

impl Raster {
    fn of(tracks: &Tracks) -> Option<Self> {
        let places = tracks.pieces.iter().flat_map(|piece| &piece.positions);
        let (mut low, mut high) = places.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), place| {
            (low.min(*place), high.max(*place))
        });
        if !low.is_finite() {
            return None;
        }
        low -= REACH;
        high += REACH;
        let extent = high - low;
        let spacing = (extent.x * extent.y / MOST_POINTS).sqrt().max(SPACING);
        let (columns, rows) = ((extent.x / spacing) as usize + 1, (extent.y / spacing) as usize + 1);
        let mut raster = Self { low, spacing, columns, rows, floor: vec![true; columns * rows] };
        if !tracks.ground.areas.is_empty() {
            raster.keep(&tracks.ground);
        }
        Some(raster)
    }

    /// Leaves out all points that are off the ground: along each row, sides of rings are crossed into and out of it.
    fn keep(&mut self, ground: &GroundShape) {
        self.floor.fill(false);
        let mut crossings = vec![Vec::new(); self.rows];
        for ring in ground.areas.iter().flatten() {
            for (from, to) in ring.iter().zip(ring.iter().skip(1).chain(ring.first())) {
                let ([x0, y0], [x1, y1]) = if from[1] <= to[1] { (from, to) } else { (to, from) };
                let row_of = |y: f64| ((y - f64::from(self.low.y)) / f64::from(self.spacing)).ceil().max(0.0);
                let (first, end) = (row_of(*y0) as usize, row_of(*y1) as usize);
                for (row, crossings) in crossings.iter_mut().enumerate().take(end).skip(first) {
                    let y = f64::from(self.low.y) + row as f64 * f64::from(self.spacing);
                    crossings.push(x0 + (x1 - x0) * (y - y0) / (y1 - y0));
                }
            }
        }
        for (row, mut crossings) in crossings.into_iter().enumerate() {
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column =
                    |x: f64| ((x - f64::from(self.low.x)) / f64::from(self.spacing)).ceil().max(0.0) as usize;
                let (from, to) = (column(pair[0]).min(self.columns), column(pair[1]).min(self.columns));
                self.floor[row * self.columns + from..row * self.columns + to.max(from)].fill(true);
            }
        }
    }

    /// The part of the floor that is nearest to each of some places, in square metres.
    fn areas(&self, places: &[Vec2], owners: &mut [(f32, u32)]) -> Vec<f32> {
        let around = |place: Vec2| {
            let at = (place - self.low) / self.spacing;
            let reach = REACH / self.spacing;
            let (from, to) = ((at - reach).ceil().max(Vec2::ZERO), (at + reach).floor());
            let (columns, rows) = (
                from.x as usize..(to.x as usize + 1).min(self.columns),
                from.y as usize..(to.y as usize + 1).min(self.rows),
            );
            (columns, rows, at)
        };
        let most = (REACH / self.spacing) * (REACH / self.spacing);
        let each = |place: Vec2, visit: &mut dyn FnMut(usize, f32)| {
            let (columns, rows, at) = around(place);
            for row in rows {
                let dy = row as f32 - at.y;
                for column in columns.clone() {
                    let dx = column as f32 - at.x;
                    let squared = dx * dx + dy * dy;
                    let point = row * self.columns + column;
                    if squared <= most && self.floor[point] {
                        visit(point, squared);
                    }
                }
            }
        };
        for (number, &place) in places.iter().enumerate() {
            each(place, &mut |point, squared| {
                if squared < owners[point].0 {
                    owners[point] = (squared, number as u32);
                }
            });
        }
        let mut counts = vec![0u32; places.len()];
        for &place in places {
            each(place, &mut |point, _| {
                let owner = std::mem::replace(&mut owners[point], (f32::INFINITY, u32::MAX)).1;
                if let Some(count) = counts.get_mut(owner as usize) {
                    *count += 1;
                }
            });
        }
        counts.iter().map(|&count| count as f32 * self.spacing * self.spacing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tracks::Piece;
    use super::*;

    #[test]
    fn a_lattice_of_people_has_its_density() {
        // 10 × 10 people 0.8 m apart on a floor of 8 m × 8 m, all walking at 1 m/s for a second.
        let ring = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 8.0], [0.0, 8.0]];
        let ground = GroundShape { areas: vec![vec![ring]], ..GroundShape::default() };
        let piece = |number: usize| {
            let start = (Vec2::new((number % 10) as f32, (number / 10) as f32) + 0.5) * 0.8;
            let positions = (0..31).map(|at| start + Vec2::X * (at as f32 / 30.0)).collect();
            Piece { id: number as u32, positions, ..Piece::default() }
        };
        let pieces = (0..100).map(piece).collect();
        let tracks = Tracks { step: 1.0 / 30.0, records: 31, pieces, ground, ..Tracks::default() };
        let classes = by_density(&tracks);
        let most = classes.iter().max_by(|a, b| a.person_seconds.total_cmp(&b.person_seconds)).unwrap();
        assert!((most.density_per_m2 - 1.5625).abs() < 0.1, "{classes:?}");
        assert!((most.speed_m_s - 1.0).abs() < 0.01, "{classes:?}");
    }
}
