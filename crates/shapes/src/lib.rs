//! Shapes of people, clothes and things: smooth solids, made into closed surfaces of few triangles when the program is
//! built. No file of anybody else is in it.

mod accessories;
pub mod bake;
pub mod bytes;
pub mod carried;
mod clothes;
pub mod field;
mod hair;
pub mod human;
pub mod polygonise;
pub mod rig;
pub mod simplify;
pub mod wardrobe;
