//! A generated human body to skin: lofted, rigged, in three resolutions, with parts to colour.
//!
//! The body is built around the joints of a skeleton in its rest pose, arms out to the sides. Its shapes are our own,
//! in the proportions of a grown person of 1.75 m; proportions are parameters.

mod figure;
mod fit;
mod head;
mod limbs;
mod loft;
mod trunk;

pub use figure::{Figure, figure};
pub use fit::{fit, rest_positions, stature};
pub use loft::{Mesh, Vertex};

/// How finely a body is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// About 5,000 triangles, with fingers and a face.
    Near,
    /// About 1,200 triangles.
    Middle,
    /// About 300 triangles.
    Far,
}

impl Detail {
    /// All of them, the finest first.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// One of three numbers.
    fn pick<T>(self, near: T, middle: T, far: T) -> T {
        match self {
            Self::Near => near,
            Self::Middle => middle,
            Self::Far => far,
        }
    }
}

/// A part of the body that has a colour of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Face, neck and hands.
    Skin,
    /// Hair, and what is dark about the eyes.
    Hair,
    /// From the neck to the hips, with long sleeves.
    Shirt,
    /// From the waist to the ankles.
    Trousers,
    /// Both shoes.
    Shoes,
}

impl Part {
    /// All parts in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Skin, Self::Hair, Self::Shirt, Self::Trousers, Self::Shoes];

    /// The part's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skin => "skin",
            Self::Hair => "hair",
            Self::Shirt => "shirt",
            Self::Trousers => "trousers",
            Self::Shoes => "shoes",
        }
    }
}

/// What makes one body different from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// Stature in metres; none keeps the skeleton's.
    pub height: Option<f32>,
    /// Length of the legs relative to a skeleton's own, 1 for unchanged.
    pub legs: f32,
    /// Body mass in kilograms for each square metre of stature (the body mass index); 22 is usual.
    pub weight: f32,
    /// From 0, a woman's shape, to 1, a man's.
    pub sex: f32,
    /// Age in years.
    pub age: f32,
}

impl Default for Proportions {
    fn default() -> Self {
        Self { height: None, legs: 1.0, weight: 22.0, sex: 1.0, age: 30.0 }
    }
}

impl Proportions {
    /// Widths of limbs relative to those of a usual body: mass grows with the square of width.
    fn girth(&self) -> f32 {
        (self.weight.clamp(14.0, 45.0) / 22.0).sqrt()
    }

    /// How far the belly is out, in metres: weight and years.
    fn belly(&self) -> f32 {
        let weight = (self.weight.clamp(14.0, 45.0) - 23.0).max(0.0) * 0.006;
        let years = ((self.age - 35.0) / 40.0).clamp(0.0, 1.0) * 0.025;
        weight + years
    }
}
