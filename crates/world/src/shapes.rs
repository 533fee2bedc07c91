//! Plain maps made by a program: a rectangle, rooms with doors, a city of streets.

use crate::error::{Fault, WorldError};
use crate::ground::{Ground, GroundBuilder};
use crate::repair::Outline;
use glam::DVec2;

/// The corners of a rectangle, counter-clockwise.
pub fn rectangle(min: DVec2, max: DVec2) -> Vec<DVec2> {
    vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
}

/// A regular polygon whose corners lie on a circle, counter-clockwise from +x.
pub fn regular_polygon(centre: DVec2, radius: f64, corners: usize) -> Vec<DVec2> {
    (0..corners)
        .map(|i| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / corners as f64);
            centre + DVec2::new(cos, sin) * radius
        })
        .collect()
}

/// Rows of equal rooms with a door in the middle of every inner wall; the regions are called "room 1", "room 2" …
#[derive(Clone, Copy, Debug)]
pub struct Rooms {
    /// Rooms from west to east.
    pub columns: usize,
    /// Rooms from south to north.
    pub rows: usize,
    /// Inner width of a room in metres.
    pub width: f64,
    /// Inner depth of a room in metres.
    pub depth: f64,
    /// Width of a door in metres.
    pub door: f64,
    /// Thickness of the walls between rooms in metres.
    pub wall: f64,
}

impl Default for Rooms {
    fn default() -> Self {
        Self { columns: 2, rows: 1, width: 8.0, depth: 6.0, door: 1.0, wall: 0.2 }
    }
}

impl Rooms {
    /// Builds the ground.
    pub fn build(&self) -> Result<Ground, WorldError> {
        let sizes = [self.width, self.depth, self.door, self.wall];
        if sizes.iter().any(|s| !(s.is_finite() && *s > 0.0)) || self.door >= self.width.min(self.depth) {
            return Err(Fault::BadShape(
                "rooms need positive sizes and doors narrower than the walls".into(),
            )
            .into());
        }
        if self.columns == 0 || self.rows == 0 || self.columns.saturating_mul(self.rows) > 10_000 {
            return Err(Fault::BadShape("there must be between 1 and 10,000 rooms".into()).into());
        }
        let pitch = DVec2::new(self.width + self.wall, self.depth + self.wall);
        let mut builder = Ground::builder();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let low = pitch * DVec2::new(column as f64, row as f64);
                let high = low + DVec2::new(self.width, self.depth);
                let name = format!("room {}", row * self.columns + column + 1);
                let room = Outline::solid(&name, rectangle(low, high));
                builder = builder.floor(room.clone()).region(name, room);
                let middle = (low + high) / 2.0;
                let half = DVec2::splat(self.door / 2.0);
                if column + 1 < self.columns {
                    let from = DVec2::new(high.x, middle.y - half.y);
                    let to = DVec2::new(high.x + self.wall, middle.y + half.y);
                    builder = builder.floor(Outline::solid("door", rectangle(from, to)));
                }
                if row + 1 < self.rows {
                    let from = DVec2::new(middle.x - half.x, high.y);
                    let to = DVec2::new(middle.x + half.x, high.y + self.wall);
                    builder = builder.floor(Outline::solid("door", rectangle(from, to)));
                }
            }
        }
        builder.build()
    }
}

/// A city of square blocks between streets. Alleys cut each block into four buildings with cut corners; the block in
/// the middle is a square with a fountain, and the region "square". In the middle of streets there are roads between
/// sidewalks; at street corners crosswalks go on from one sidewalk to the next.
#[derive(Clone, Copy, Debug)]
pub struct City {
    /// Blocks from west to east, and from south to north.
    pub blocks: usize,
    /// The side of a block in metres.
    pub block: f64,
    /// The width of a street in metres.
    pub street: f64,
    /// The width of an alley in metres.
    pub alley: f64,
    /// The width of a sidewalk in metres; streets that two of them fill have no road.
    pub sidewalk: f64,
}

impl Default for City {
    /// The 25-block city of the benchmarks.
    fn default() -> Self {
        Self { blocks: 5, block: 40.0, street: 12.0, alley: 3.0, sidewalk: 3.5 }
    }
}

impl City {
    /// Builds the ground.
    pub fn build(&self) -> Result<Ground, WorldError> {
        let sizes = [self.block, self.street, self.alley, self.sidewalk];
        if sizes.iter().any(|s| !(s.is_finite() && *s > 0.0)) || self.alley * 2.0 >= self.block {
            return Err(Fault::BadShape(
                "a city needs positive sizes and alleys narrower than half a block".into(),
            )
            .into());
        }
        if self.blocks == 0 || self.blocks > 100 {
            return Err(Fault::BadShape("a city has between 1 and 100 blocks a side".into()).into());
        }
        let pitch = self.block + self.street;
        let extent = DVec2::splat(self.blocks as f64 * pitch + self.street);
        let mut builder = Ground::builder().floor(Outline::solid("city", rectangle(DVec2::ZERO, extent)));
        for row in 0..self.blocks {
            for column in 0..self.blocks {
                let low = DVec2::splat(self.street) + DVec2::new(column as f64, row as f64) * pitch;
                let is_square = self.blocks > 1 && row == self.blocks / 2 && column == self.blocks / 2;
                builder = if is_square { self.square(builder, low) } else { self.buildings(builder, low) };
            }
        }
        if 2.0 * self.sidewalk < self.street {
            builder = self.roads(builder);
        }
        builder.build()
    }

    /// Roads along all blocks and in the middle of all crossings; what is between them at the corners is crosswalks.
    fn roads(&self, mut builder: GroundBuilder) -> GroundBuilder {
        let width = self.street - 2.0 * self.sidewalk;
        let (across, along) = (DVec2::new(width, self.block), DVec2::new(self.block, width));
        let mut road = |low: DVec2, size: DVec2| {
            let with_road =
                std::mem::take(&mut builder).road(Outline::solid("road", rectangle(low, low + size)));
            builder = with_road;
        };
        for row in 0..=self.blocks {
            for column in 0..=self.blocks {
                let corner = DVec2::new(column as f64, row as f64) * (self.block + self.street);
                road(corner + self.sidewalk, DVec2::splat(width));
                if row < self.blocks {
                    road(corner + DVec2::new(self.sidewalk, self.street), across);
                }
                if column < self.blocks {
                    road(corner + DVec2::new(self.street, self.sidewalk), along);
                }
            }
        }
        builder
    }

    fn square(&self, builder: GroundBuilder, low: DVec2) -> GroundBuilder {
        let block = DVec2::splat(self.block);
        let fountain = regular_polygon(low + block / 2.0, self.block * 0.12, 12);
        builder
            .obstacle(Outline::solid("fountain", fountain))
            .region("square", Outline::solid("square", rectangle(low, low + block)))
    }

    fn buildings(&self, mut builder: GroundBuilder, low: DVec2) -> GroundBuilder {
        let side = (self.block - self.alley) / 2.0;
        let cut = side * 0.15;
        for (i, j) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let a = low + DVec2::new(i, j) * (side + self.alley);
            let b = a + DVec2::splat(side);
            let corners = vec![
                DVec2::new(a.x + cut, a.y),
                DVec2::new(b.x - cut, a.y),
                DVec2::new(b.x, a.y + cut),
                DVec2::new(b.x, b.y - cut),
                DVec2::new(b.x - cut, b.y),
                DVec2::new(a.x + cut, b.y),
                DVec2::new(a.x, b.y - cut),
                DVec2::new(a.x, a.y + cut),
            ];
            builder = builder.obstacle(Outline::solid("building", corners));
        }
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeshRouter, Router};
    use glam::Vec2;

    #[test]
    fn rooms_are_joined_by_doors() {
        let ground = Rooms { columns: 3, rows: 2, ..Rooms::default() }.build().unwrap();
        assert_eq!(ground.areas().len(), 1);
        assert_eq!(ground.regions().len(), 6);
        let size = 6.0 * 48.0 + 7.0 * 0.2;
        assert!((ground.size() - size).abs() < 1e-3, "{}", ground.size());
        assert!(ground.is_free(Vec2::new(8.1, 3.0), 0.49));
        assert!(!ground.is_free(Vec2::new(8.1, 3.0), 0.51));
        assert!(!ground.is_free(Vec2::new(8.1, 1.0), 0.0));
        assert_eq!(ground.regions_at(Vec2::new(9.0, 1.0)).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn the_city_has_25_blocks() {
        let ground = City::default().build().unwrap();
        assert_eq!(ground.areas().len(), 1);
        assert_eq!(ground.areas()[0].holes.len(), 24 * 4 + 1);
        assert!(ground.is_free(Vec2::new(6.0, 130.0), 5.9));
    }

    #[test]
    fn roads_of_the_city_are_crossed_at_corners() {
        let ground = City::default().build().unwrap();
        let walkways = ground.walkways();
        assert_eq!(walkways.areas().len(), 1, "all sidewalks are linked by crosswalks");
        let (road, crosswalk) = (Vec2::new(6.0, 30.0), Vec2::new(6.0, 10.25));
        assert!(ground.is_road(road) && ground.is_road(Vec2::new(6.0, 6.0)) && !ground.is_road(crosswalk));
        assert!(ground.is_free(road, 1.0) && walkways.is_free(crosswalk, 1.7));
        // Across the road in the middle of a block: straight over, or round by the corner.
        let router = MeshRouter::new(ground.clone().into());
        let (west, east) = (Vec2::new(2.0, 32.0), Vec2::new(10.0, 32.0));
        let over = router.route(west, east, 0.3).unwrap();
        let around = router.off_roads().route(west, east, 0.3).unwrap();
        assert!(over.length < 8.1 && around.length > 40.0, "{} and {} m", over.length, around.length);
        let narrow = City { street: 6.0, ..City::default() }.build().unwrap();
        assert!(!narrow.is_road(Vec2::new(3.0, 30.0)) && std::ptr::eq(narrow.walkways(), &narrow));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Rooms { door: 9.0, ..Rooms::default() }.build().is_err());
        assert!(Rooms { width: f64::NAN, ..Rooms::default() }.build().is_err());
        assert!(City { blocks: 0, ..City::default() }.build().is_err());
    }
}
