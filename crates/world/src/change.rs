//! Grounds that change: obstacles that come and go, regions that are added and drawn anew.

use crate::area::{Area, Bounds, Ring, sides};
use crate::error::{Fault, WorldError};
use crate::ground::Ground;
use crate::region::{AreaSampler, Region};
use crate::region_index::RegionIndex;
use crate::repair::{self, Outline};
use crate::walls::Walls;
use glam::{DVec2, Vec2};

/// Something that one cannot walk through and that may come and go, ready to be asked.
#[derive(Clone, Debug)]
pub struct Obstacle {
    outlines: Vec<Ring>,
    solid: Vec<Ring>,
    walls: Walls,
}

impl Obstacle {
    /// An obstacle of solid polygons, in metres of the ground's local frame.
    pub fn new(outlines: Vec<Ring>) -> Result<Self, WorldError> {
        let polygons = outlines.iter().map(std::slice::from_ref);
        let solid: Vec<Ring> = tidy_all(polygons)?.into_iter().filter_map(|mut rings| rings.pop()).collect();
        let parts = solid.iter().map(|ring| vec![ring.clone()]).collect();
        let areas = repair::combine(parts, Vec::new(), &mut Vec::new());
        if areas.is_empty() {
            return Err(Fault::BadShape("an obstacle without any extent".into()).into());
        }
        Ok(Self { outlines, solid, walls: Walls::new(sides(&areas)) })
    }

    /// Its polygons as they were given.
    pub fn outlines(&self) -> &[Ring] {
        &self.outlines
    }

    /// Whether a disc of `radius` metres around `point` reaches into the obstacle.
    pub fn touches(&self, point: Vec2, radius: f32) -> bool {
        let (low, high) = self.walls.bounds();
        let near = point.cmpge(low - radius).all() && point.cmple(high + radius).all();
        near && self.walls.nearest(point).is_some_and(|wall| wall.distance > -radius)
    }

    /// Points around it, in metres, no farther apart than `step`.
    pub fn rim(&self, step: f32) -> impl Iterator<Item = Vec2> + '_ {
        self.walls.all().iter().flat_map(move |wall| {
            let parts = (wall.start.distance(wall.end) / step).ceil().max(1.0);
            (0..parts as u32).map(move |part| wall.start.lerp(wall.end, part as f32 / parts))
        })
    }

    /// Its middle, in metres.
    pub fn centre(&self) -> Vec2 {
        let (low, high) = self.walls.bounds();
        (low + high) * 0.5
    }
}

/// The tidy rings of polygons in the local frame, each an outline and its holes.
fn tidy_all<'a>(polygons: impl Iterator<Item = &'a [Ring]>) -> Result<Vec<Vec<Ring>>, WorldError> {
    let outline =
        |rings: &[Ring]| Outline { name: "the outline".into(), rings: rings.to_vec(), closed: false };
    let outlines: Vec<Outline> = polygons.map(outline).collect();
    repair::check_coordinates(outlines.iter())?;
    let tidy = |outline: &Outline| repair::tidy(outline, DVec2::ZERO, &mut Vec::new());
    Ok(outlines.iter().map(tidy).collect::<Result<_, Fault>>()?)
}

impl Ground {
    /// The same ground with obstacles cut out of it; regions keep their places and numbers.
    pub fn without<'a>(&self, obstacles: impl Iterator<Item = &'a Obstacle>) -> Result<Self, WorldError> {
        let cut: Vec<Ring> = obstacles.flat_map(|obstacle| obstacle.solid.iter().cloned()).collect();
        if cut.is_empty() {
            return Ok(self.clone());
        }
        let floors = self.areas.iter().map(|area| area.rings().cloned().collect()).collect();
        let areas = repair::combine(floors, cut, &mut Vec::new());
        if areas.is_empty() {
            return Err(Fault::EmptyFloor.into());
        }
        let mut ground = self.clone();
        ground.walls = Walls::new(sides(&areas));
        ground.sampler = AreaSampler::new(&areas);
        ground.areas = areas;
        ground.lay_roads()?;
        Ok(ground)
    }

    /// The same ground with a region drawn as polygons, each an outline and its holes, in metres of the local frame: one
    /// more, or that of a number drawn anew. Without polygons it is nowhere.
    pub fn with_region(
        &self,
        number: Option<usize>,
        name: &str,
        polygons: &[Vec<Ring>],
    ) -> Result<Self, WorldError> {
        let areas =
            repair::combine(tidy_all(polygons.iter().map(Vec::as_slice))?, Vec::new(), &mut Vec::new());
        let region = Region::drawn_anew(name.to_owned(), areas);
        let mut ground = self.clone();
        match number {
            None => ground.regions.push(region),
            Some(number) => {
                let no_such = || Fault::BadShape(format!("there is no region {number}"));
                *ground.regions.get_mut(number).ok_or_else(no_such)? = region;
            }
        }
        ground.region_index = RegionIndex::new(&ground.regions);
        Ok(ground)
    }
}

impl Region {
    /// A region of these areas, or one that is nowhere.
    fn drawn_anew(name: String, areas: Vec<Area>) -> Self {
        Self::drawn(name.clone(), areas).unwrap_or_else(|| Self::nowhere(name))
    }
}

/// A box that holds nothing.
pub(crate) const NOWHERE: Bounds =
    Bounds { min: DVec2::splat(f64::INFINITY), max: DVec2::splat(f64::NEG_INFINITY) };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeshRouter, Router, Stream, rectangle};

    fn square(low: [f64; 2], high: [f64; 2]) -> Ring {
        rectangle(DVec2::from(low), DVec2::from(high))
    }

    fn hall() -> Ground {
        let floor = Outline::solid("floor", square([0.0, 0.0], [20.0, 10.0]));
        let region = Outline::solid("east", square([15.0, 0.0], [20.0, 10.0]));
        Ground::builder().floor(floor).region("east", region).build().unwrap()
    }

    #[test]
    fn an_obstacle_comes_and_goes() {
        let ground = hall();
        let wall = Obstacle::new(vec![square([9.9, 0.0], [10.1, 10.0])]).unwrap();
        let parted = ground.without([&wall].into_iter()).unwrap();
        let (west, east) = (Vec2::new(3.0, 5.0), Vec2::new(17.0, 5.0));
        assert!(MeshRouter::new(ground.clone().into()).route(west, east, 0.3).is_ok());
        assert!(MeshRouter::new(parted.clone().into()).route(west, east, 0.3).is_err());
        assert_eq!((parted.areas().len(), parted.regions().len()), (2, 1));
        assert!((parted.size() - 198.0).abs() < 1e-3 && parted.bounds() == ground.bounds());
        let none = parted.without(std::iter::empty()).unwrap();
        assert_eq!(none.areas(), parted.areas());
    }

    #[test]
    fn obstacles_know_what_touches_them() {
        let wall = Obstacle::new(vec![square([4.0, 4.0], [6.0, 5.0])]).unwrap();
        assert!(wall.touches(Vec2::new(5.0, 4.5), 0.1) && wall.touches(Vec2::new(3.8, 4.5), 0.25));
        assert!(!wall.touches(Vec2::new(3.7, 4.5), 0.25) && !wall.touches(Vec2::new(50.0, 4.5), 0.25));
        assert!(wall.rim(0.25).all(|point| wall.touches(point, 1e-3)) && wall.rim(0.25).count() == 24);
        assert!(Obstacle::new(vec![square([4.0, 4.0], [4.0, 5.0])]).is_err());
        assert!(Obstacle::new(vec![vec![DVec2::NAN; 3]]).is_err());
    }

    #[test]
    fn regions_are_drawn_anew_and_nowhere() {
        let ground = hall().with_region(None, "west", &[vec![square([0.0, 0.0], [5.0, 10.0])]]).unwrap();
        let at = |ground: &Ground, x: f32| ground.regions_at(Vec2::new(x, 5.0)).collect::<Vec<_>>();
        assert_eq!((at(&ground, 3.0), at(&ground, 17.0), at(&ground, 10.0)), (vec![1], vec![0], vec![]));
        let ground = ground.with_region(Some(0), "east", &[]).unwrap();
        assert_eq!((at(&ground, 3.0), at(&ground, 17.0)), (vec![1], vec![]));
        let nowhere = ground.region("east").unwrap();
        assert!(ground.random_point(Some(nowhere), 0.2, &mut Stream::new(1, 1)).is_none());
        assert!(ground.with_region(Some(7), "east", &[]).is_err());
    }
}
