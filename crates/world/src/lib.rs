//! The ground of a crowd: where people can be, and how they get from one place to another.
//!
//! Metres, a flat x-y plane; this layer knows nothing of motion or of crowds.
//!
//! * [`Ground`]: walkable polygons with named regions, read from files ([`read_ground`]), made from parts
//!   ([`Ground::builder`]) or by a program ([`Rooms`], [`City`]). Its queries are exact and allocate nothing.
//! * [`Router`]: ways for a disc of a given radius, exact on a navigation mesh ([`MeshRouter`]) or along a
//!   probabilistic roadmap ([`Roadmap`]).
//! * [`DistanceField`]: distance and direction to a goal that many share; [`nearest_exit`]: the nearest of several.
//!
//! ```
//! use crowdloom_world::{DistanceField, MeshRouter, Rooms, Router, Stream};
//! use glam::Vec2;
//! use std::sync::Arc;
//!
//! let ground = Arc::new(Rooms { columns: 3, rows: 2, ..Rooms::default() }.build()?);
//! assert!(ground.is_free(Vec2::new(2.0, 2.0), 0.3));
//! let wall = ground.nearest_wall(Vec2::new(2.0, 0.5)).unwrap();
//! assert_eq!((wall.distance, wall.point), (0.5, Vec2::new(2.0, 0.0)));
//!
//! // A walk of two steps, placed at (2, 2) and facing +y.
//! let path = [Vec2::ZERO, Vec2::new(0.7, 0.0), Vec2::new(1.4, 0.1)];
//! assert!(ground.sweep_is_free(&path, &[0.3, 0.35, 0.3], Vec2::new(2.0, 2.0), Vec2::Y));
//!
//! // Somebody in room 6 goes to room 1.
//! let room = ground.region("room 6").unwrap();
//! let start = ground.random_point(Some(room), 0.3, &mut Stream::new(1, 0)).unwrap();
//! let router = MeshRouter::new(Arc::clone(&ground));
//! let route = router.route(start, Vec2::new(1.0, 1.0), 0.3)?;
//! assert!(route.length > 17.0 && route.way_points.len() > 2);
//!
//! // Many who share the goal ask a field instead.
//! let field = DistanceField::new(&router, &[Vec2::new(1.0, 1.0)], 0.3, 0.5)?;
//! let sample = field.sample(&ground, start).unwrap();
//! assert!((f64::from(sample.distance) - route.length).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod area;
mod box_tree;
mod change;
mod error;
mod gates;
mod ground;
mod layer;
mod nearest_free;
mod random;
mod read;
mod region;
mod region_index;
mod repair;
mod route;
mod shapes;
mod sweep;
mod triangles;
mod walls;

pub use area::{Area, Bounds, Ring};
pub use change::Obstacle;
pub use error::{Fault, WorldError};
pub use gates::Gate;
pub use ground::{Ground, GroundBuilder};
pub use layer::Layer;
pub use random::Stream;
pub use read::*;
pub use region::Region;
pub use repair::{MAX_VERTICES, Outline, Repair};
pub use route::*;
pub use shapes::{City, Rooms, rectangle, regular_polygon};
pub use triangles::Triangles;
pub use walls::{NearestWall, Wall, Walls};
