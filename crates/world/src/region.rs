//! Named parts of the ground: where situations hold, where people start, where they leave.

use crate::area::{Area, Bounds, sides};
use crate::change::NOWHERE;
use crate::layer::Layer;
use crate::random::Stream;
use crate::triangles::Triangles;
use crate::walls::Walls;
use glam::{DVec2, Vec2};

/// A named part of the ground, drawn as polygons or painted.
#[derive(Clone, Debug)]
pub struct Region {
    /// What the scene calls it.
    pub name: String,
    shape: Shape,
    sampler: Sampler,
}

#[derive(Clone, Debug)]
enum Shape {
    Drawn { areas: Vec<Area>, bounds: Bounds, walls: Walls },
    Painted(Layer),
}

/// Draws points evenly from a set of triangles or cells.
#[derive(Clone, Debug)]
enum Sampler {
    Triangles { triangles: Triangles, sizes_so_far: Vec<f64> },
    Cells(Vec<u32>),
}

impl Region {
    /// A region drawn as polygons, which must not overlap; none without polygons.
    pub(crate) fn drawn(name: String, areas: Vec<Area>) -> Option<Self> {
        let bounds = Bounds::of_areas(&areas)?;
        let sampler = Sampler::over(&areas);
        let walls = Walls::around_region(sides(&areas));
        Some(Self { name, shape: Shape::Drawn { areas, bounds, walls }, sampler })
    }

    /// A region that holds no point.
    pub(crate) fn nowhere(name: String) -> Self {
        let shape = Shape::Drawn { areas: Vec::new(), bounds: NOWHERE, walls: Walls::around_region([]) };
        Self { name, shape, sampler: Sampler::over(&[]) }
    }

    /// A region painted as the cells of a layer that are not 0.
    pub(crate) fn painted(name: String, layer: Layer) -> Self {
        let cells = layer.values.iter().enumerate().filter(|(_, v)| **v > 0).map(|(i, _)| i as u32).collect();
        Self { name, shape: Shape::Painted(layer), sampler: Sampler::Cells(cells) }
    }

    /// Whether the region holds the point, borders included.
    #[inline]
    pub fn contains(&self, point: Vec2) -> bool {
        match &self.shape {
            Shape::Drawn { bounds, walls, .. } => bounds.contains(point) && walls.holds_disc(point, 0.0),
            Shape::Painted(layer) => layer.value(point).is_some_and(|value| value > 0),
        }
    }

    /// The polygons of a drawn region; none for a painted one.
    pub fn areas(&self) -> &[Area] {
        match &self.shape {
            Shape::Drawn { areas, .. } => areas,
            Shape::Painted(_) => &[],
        }
    }

    /// The layer of a painted region.
    pub fn layer(&self) -> Option<&Layer> {
        match &self.shape {
            Shape::Drawn { .. } => None,
            Shape::Painted(layer) => Some(layer),
        }
    }

    /// The smallest upright box around the region, in metres; all of a painted layer.
    pub fn bounds(&self) -> Bounds {
        match &self.shape {
            Shape::Drawn { bounds, .. } => *bounds,
            Shape::Painted(layer) => {
                let size = Vec2::new(layer.width as f32, layer.height as f32) * layer.cell_size;
                Bounds { min: layer.corner.as_dvec2(), max: (layer.corner + size).as_dvec2() }
            }
        }
    }

    /// The size in square metres.
    pub fn size(&self) -> f64 {
        match (&self.shape, &self.sampler) {
            (Shape::Painted(layer), Sampler::Cells(cells)) => {
                cells.len() as f64 * f64::from(layer.cell_size).powi(2)
            }
            _ => self.areas().iter().map(Area::size).sum(),
        }
    }

    /// A point drawn evenly from the region; none when it is empty.
    pub(crate) fn draw(&self, random: &mut Stream) -> Option<Vec2> {
        let layer = self.layer();
        self.sampler.draw(layer, random)
    }
}

/// Draws points evenly from polygons.
#[derive(Clone, Debug)]
pub(crate) struct AreaSampler(Sampler);

impl AreaSampler {
    pub(crate) fn new(areas: &[Area]) -> Self {
        Self(Sampler::over(areas))
    }

    pub(crate) fn draw(&self, random: &mut Stream) -> Option<Vec2> {
        self.0.draw(None, random)
    }
}

impl Sampler {
    fn over(areas: &[Area]) -> Self {
        let triangles = Triangles::new(areas);
        let mut total = 0.0;
        let sizes_so_far = (0..triangles.triangles.len())
            .map(|i| {
                total += triangles.size(i);
                total
            })
            .collect();
        Self::Triangles { triangles, sizes_so_far }
    }

    fn draw(&self, layer: Option<&Layer>, random: &mut Stream) -> Option<Vec2> {
        let (u, v) = (random.unit(), random.unit());
        match self {
            Self::Triangles { triangles, sizes_so_far } => {
                let wanted = random.unit() * sizes_so_far.last()?;
                let index = sizes_so_far.partition_point(|size| *size <= wanted).min(sizes_so_far.len() - 1);
                let [a, b, c] = triangles.triangle(index);
                // A point of the parallelogram beyond the diagonal is folded back into the triangle.
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                Some((a + (b - a) * u + (c - a) * v).as_vec2())
            }
            Self::Cells(cells) => {
                let layer = layer?;
                let cell = *cells.get(random.below(cells.len()))?;
                let corner = layer.cell_corner(cell % layer.width, cell / layer.width).as_dvec2();
                Some((corner + DVec2::new(u, v) * f64::from(layer.cell_size)).as_vec2())
            }
        }
    }
}
