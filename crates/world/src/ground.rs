//! The ground: where people can be, and the questions a crowd asks about it.

use crate::area::{Area, Bounds, Ring, sides};
use crate::error::{Fault, WorldError};
use crate::gates::Gate;
use crate::layer::Layer;
use crate::random::Stream;
use crate::region::{AreaSampler, Region};
use crate::region_index::RegionIndex;
use crate::repair::{self, Outline, Repair};
use crate::walls::{NearestWall, Walls};
use glam::{DVec2, Vec2};
use std::sync::Arc;

/// How often a random point is drawn before the answer is that there is no room.
const MAX_DRAWS: usize = 2000;

/// Walkable ground with named regions, ready to be asked.
///
/// Positions are metres in a local frame whose origin is [`Ground::origin`] in the map's own coordinates. Every
/// answer is exact for the polygons, whose vertices are rounded once to single precision; it allocates nothing.
#[derive(Clone, Debug)]
pub struct Ground {
    origin: DVec2,
    bounds: Bounds,
    pub(crate) areas: Vec<Area>,
    pub(crate) walls: Walls,
    pub(crate) sampler: AreaSampler,
    pub(crate) regions: Vec<Region>,
    pub(crate) region_index: RegionIndex,
    likelihood: Option<Layer>,
    repairs: Vec<Repair>,
    /// What is for vehicles, in metres of the local frame.
    roads: Vec<Ring>,
    /// The ground without the roads, but for its regions; `None` where there are none.
    walkways: Option<Arc<Ground>>,
}

/// The parts of a map, before it is checked, mended and indexed.
#[derive(Clone, Debug, Default)]
pub struct GroundBuilder {
    floors: Vec<Outline>,
    obstacles: Vec<Outline>,
    roads: Vec<Outline>,
    regions: Vec<(String, Vec<Outline>)>,
    painted: Vec<(String, Layer)>,
    likelihood: Option<Layer>,
    /// Areas that need no mending, such as those traced from a grid.
    finished: Vec<Area>,
}

impl GroundBuilder {
    /// Adds walkable floor; its holes are obstacles. Floors that overlap or touch are joined.
    pub fn floor(mut self, outline: Outline) -> Self {
        self.floors.push(outline);
        self
    }

    /// Cuts an obstacle out of all floors.
    pub fn obstacle(mut self, outline: Outline) -> Self {
        self.obstacles.push(outline);
        self
    }

    /// Says that a part of the floor is for vehicles: one can be there, but ways of people who keep off roads lead around it.
    pub fn road(mut self, outline: Outline) -> Self {
        self.roads.push(outline);
        self
    }

    /// Names a part of the plane; polygons of one name make one region.
    pub fn region(mut self, name: impl Into<String>, outline: Outline) -> Self {
        let name = name.into();
        match self.regions.iter_mut().find(|(known, _)| *known == name) {
            Some((_, outlines)) => outlines.push(outline),
            None => self.regions.push((name, vec![outline])),
        }
        self
    }

    /// Names the cells of a layer that are not 0; the layer is in the map's coordinates.
    pub fn painted_region(mut self, name: impl Into<String>, layer: Layer) -> Self {
        self.painted.push((name.into(), layer));
        self
    }

    /// Lays a likelihood of being in each place over the ground, in the map's coordinates.
    pub fn likelihood(mut self, layer: Layer) -> Self {
        self.likelihood = Some(layer);
        self
    }

    /// Adds walkable areas that are known to be proper, with the area on the left of every side.
    pub(crate) fn finished(mut self, areas: Vec<Area>) -> Self {
        self.finished = areas;
        self
    }

    /// Checks, mends and indexes the map.
    pub fn build(mut self) -> Result<Ground, WorldError> {
        let region_outlines = || self.regions.iter().flat_map(|(_, outlines)| outlines);
        repair::check_coordinates(
            self.floors.iter().chain(&self.obstacles).chain(&self.roads).chain(region_outlines()),
        )?;
        let vertices: usize = self.finished.iter().flat_map(Area::rings).map(Vec::len).sum();
        if vertices > repair::MAX_VERTICES {
            return Err(Fault::TooManyVertices { count: vertices, limit: repair::MAX_VERTICES }.into());
        }
        let floor_vertices = self.floors.iter().flat_map(|outline| &outline.rings).flatten().copied();
        let finished_vertices = self.finished.iter().flat_map(Area::rings).flatten().copied();
        let given_bounds = Bounds::of(floor_vertices.chain(finished_vertices)).ok_or(Fault::EmptyFloor)?;

        let mut repairs = Vec::new();
        let origin = repair::local_origin(given_bounds, &mut repairs)?;
        let mut floors = Vec::with_capacity(self.floors.len());
        for outline in &self.floors {
            floors.push(repair::tidy(outline, origin, &mut repairs)?);
        }
        let obstacles = tidy_all(&self.obstacles, origin, &mut repairs)?;
        let mut areas = std::mem::take(&mut self.finished);
        for p in areas.iter_mut().flat_map(|a| std::iter::once(&mut a.outline).chain(&mut a.holes)).flatten()
        {
            *p -= origin;
        }
        if !areas.is_empty() && (!floors.is_empty() || !obstacles.is_empty()) {
            floors.extend(areas.drain(..).map(|area| area.rings().cloned().collect()));
        }
        if areas.is_empty() {
            areas = repair::combine(floors, obstacles, &mut repairs);
        }
        let bounds = Bounds::of_areas(&areas).ok_or(Fault::EmptyFloor)?;

        let mut regions = Vec::new();
        for (name, outlines) in std::mem::take(&mut self.regions) {
            let mut parts = Vec::new();
            for outline in &outlines {
                parts.push(repair::tidy(outline, origin, &mut repairs)?);
            }
            // Parts of a region may overlap or touch; joining them is no repair worth telling.
            let areas = repair::combine(parts, Vec::new(), &mut Vec::new());
            regions.extend(Region::drawn(name, areas));
        }
        let localise = |mut layer: Layer| {
            layer.corner = (layer.corner.as_dvec2() - origin).as_vec2();
            layer
        };
        regions.extend(self.painted.into_iter().map(|(name, layer)| Region::painted(name, localise(layer))));
        let roads = tidy_all(&self.roads, origin, &mut repairs)?;
        let mut ground = Ground {
            origin,
            bounds,
            walls: Walls::new(sides(&areas)),
            sampler: AreaSampler::new(&areas),
            areas,
            region_index: RegionIndex::new(&regions),
            regions,
            likelihood: self.likelihood.map(localise),
            repairs,
            roads,
            walkways: None,
        };
        ground.lay_roads()?;
        Ok(ground)
    }
}

/// The tidy solid rings of obstacles; an obstacle's own holes are enclosed and so not walkable.
fn tidy_all(outlines: &[Outline], origin: DVec2, repairs: &mut Vec<Repair>) -> Result<Vec<Ring>, Fault> {
    let mut rings = Vec::with_capacity(outlines.len());
    for outline in outlines {
        rings.extend(repair::tidy(outline, origin, repairs)?.into_iter().next());
    }
    Ok(rings)
}

impl Ground {
    /// Starts a map from parts.
    pub fn builder() -> GroundBuilder {
        GroundBuilder::default()
    }

    /// The parts of this map, so that more can be added to it; painted layers are kept.
    pub fn to_builder(&self) -> GroundBuilder {
        let given = |ring: &Ring| -> Ring { ring.iter().map(|&corner| corner + self.origin).collect() };
        let outline = |name: &str, area: &Area| Outline {
            name: name.to_owned(),
            rings: area.rings().map(given).collect(),
            closed: false,
        };
        let globalise = |layer: &Layer| {
            let mut layer = layer.clone();
            layer.corner = (layer.corner.as_dvec2() + self.origin).as_vec2();
            layer
        };
        let mut builder = GroundBuilder {
            floors: self.areas.iter().map(|area| outline("floor", area)).collect(),
            likelihood: self.likelihood.as_ref().map(globalise),
            roads: self.roads.iter().map(|ring| Outline::solid("road", given(ring))).collect(),
            ..GroundBuilder::default()
        };
        for region in &self.regions {
            match region.layer() {
                Some(layer) => builder.painted.push((region.name.clone(), globalise(layer))),
                None => {
                    let outlines = region.areas().iter().map(|area| outline(&region.name, area)).collect();
                    builder.regions.push((region.name.clone(), outlines));
                }
            }
        }
        builder
    }

    /// The local frame's origin in the map's own coordinates (0, 0 unless the map was far away).
    pub fn origin(&self) -> DVec2 {
        self.origin
    }

    /// Takes a point of the map's own coordinates into the local frame.
    pub fn to_local(&self, point: DVec2) -> Vec2 {
        (point - self.origin).as_vec2()
    }

    /// The box around the ground, in the local frame.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The walkable areas; each is connected, and no two are.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The walls around the walkable areas.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The named regions, in the order of the map.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region of that name.
    pub fn region(&self, name: &str) -> Option<&Region> {
        self.regions.iter().find(|region| region.name == name)
    }

    /// The ground for people who keep off roads: without the roads, and without regions; the ground itself where there are none.
    pub fn walkways(&self) -> &Ground {
        self.walkways.as_deref().unwrap_or(self)
    }

    /// The same as something to share, where there are roads.
    pub(crate) fn shared_walkways(&self) -> Option<Arc<Ground>> {
        self.walkways.clone()
    }

    /// Whether a point of the ground is on a road.
    pub fn is_road(&self, point: Vec2) -> bool {
        self.walkways
            .as_ref()
            .is_some_and(|walkways| self.is_free(point, 0.0) && !walkways.is_free(point, 0.0))
    }

    /// Cuts the roads out of what people walk on who keep off them.
    pub(crate) fn lay_roads(&mut self) -> Result<(), WorldError> {
        self.walkways = None;
        if self.roads.is_empty() {
            return Ok(());
        }
        let floors = self.areas.iter().map(|area| area.rings().cloned().collect()).collect();
        let areas = repair::combine(floors, self.roads.clone(), &mut Vec::new());
        if areas.is_empty() {
            return Err(Fault::NoWalkways.into());
        }
        self.walkways = Some(Arc::new(Ground {
            origin: self.origin,
            bounds: self.bounds,
            walls: Walls::new(sides(&areas)),
            sampler: AreaSampler::new(&areas),
            areas,
            regions: Vec::new(),
            region_index: RegionIndex::new(&[]),
            likelihood: None,
            repairs: Vec::new(),
            roads: Vec::new(),
            walkways: None,
        }));
        Ok(())
    }

    /// What was mended when the map was read.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// The walkable size in square metres.
    pub fn size(&self) -> f64 {
        self.areas.iter().map(Area::size).sum()
    }

    /// Whether a disc of `radius` metres around `point` is clear of walls. Touching a wall is free.
    #[inline]
    pub fn is_free(&self, point: Vec2, radius: f32) -> bool {
        self.walls.holds_disc(point, radius)
    }

    /// Whether a disc of `radius` metres can go straight from `from` to `to`.
    pub fn straight_is_free(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        self.walls.hold_straight_sweep(from, to, radius, radius)
    }

    /// Whether a disc can follow `path`, with radius `radii[i]` metres at `path[i]` and in between in proportion,
    /// after the path is turned by the unit vector `facing` (the image of +x) and moved to `position`.
    pub fn sweep_is_free(&self, path: &[Vec2], radii: &[f32], position: Vec2, facing: Vec2) -> bool {
        self.walls.hold_sweep(path, radii, position, facing)
    }

    /// The nearest point of a wall, and its distance in metres: negative for a point that is not walkable. None only
    /// when `point` is not a number.
    #[inline]
    pub fn nearest_wall(&self, point: Vec2) -> Option<NearestWall> {
        self.walls.nearest(point)
    }

    /// The first narrow place on the straight way from `from` to `to`, such as a door, and the share of the way that it
    /// is at.
    pub fn gate_between(&self, from: Vec2, to: Vec2) -> Option<(Gate, f32)> {
        self.walls.gates().first_between(from, to)
    }

    /// How far one sees from `from` in the unit direction `direction`, at most `limit` metres.
    pub fn cast_ray(&self, from: Vec2, direction: Vec2, limit: f32) -> f32 {
        self.walls.cast(from, direction, limit)
    }

    /// The indices of the regions that hold the point.
    pub fn regions_at(&self, point: Vec2) -> impl Iterator<Item = usize> + '_ {
        let near = self.region_index.near(point).iter().map(|&index| index as usize);
        near.filter(move |&index| self.regions[index].contains(point))
    }

    /// How likely one is at `point`, from 0 to 1: the painted likelihood, or without one 1 where it is walkable.
    #[inline]
    pub fn likelihood(&self, point: Vec2) -> f32 {
        match &self.likelihood {
            Some(layer) => layer.likelihood(point),
            None => f32::from(u8::from(self.is_free(point, 0.0))),
        }
    }

    /// The painted likelihood, when the map has one.
    pub fn likelihood_layer(&self) -> Option<&Layer> {
        self.likelihood.as_ref()
    }

    /// A point drawn evenly from where a disc of `clearance` metres is free, in `region` or anywhere; none when
    /// thousands of tries found no room.
    pub fn random_point(&self, region: Option<&Region>, clearance: f32, random: &mut Stream) -> Option<Vec2> {
        (0..MAX_DRAWS).find_map(|_| {
            let point = match region {
                Some(region) => region.draw(random)?,
                None => self.sampler.draw(random)?,
            };
            self.is_free(point, clearance).then_some(point)
        })
    }
}
