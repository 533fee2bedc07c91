//! The ground of a crowd: where people can be, and how they get from one place to another.
//!
//! Metres, a flat x-y plane; this layer knows nothing of motion or of crowds.

mod area;
mod box_tree;
mod error;
mod ground;
mod layer;
mod nearest_free;
mod random;
mod read;
mod region;
mod repair;
mod route;
mod shapes;
mod sweep;
mod triangles;
mod walls;

pub use area::{Area, Bounds, Ring};
pub use error::{Fault, WorldError};
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
