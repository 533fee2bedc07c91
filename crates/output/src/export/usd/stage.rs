//! A USD stage as a tree of prims, however it is written down.

use glam::{Quat, Vec3};
use std::rc::Rc;

/// A value of an attribute.
#[derive(Clone, Debug)]
pub enum Value {
    Token(String),
    Tokens(Vec<String>),
    Flag(bool),
    Float(f32),
    Pair([f32; 2]),
    Vector(Vec3),
    Integers(Vec<i32>),
    Floats(Vec<f32>),
    Vectors(Vec<Vec3>),
    Rotations(Vec<Quat>),
    /// Half-precision scales, all of them 1, one for each joint.
    UnitScales(usize),
    /// Matrices that stretch by the first vector of each, then move by the second.
    Matrices(Vec<(Vec3, Vec3)>),
}

/// What an attribute is.
#[derive(Clone, Debug)]
pub enum Content {
    /// The same always.
    Fixed(Value),
    /// Other values at other times; what is shared is written once. Times count recorded frames.
    Sampled(Rc<Vec<f64>>, Vec<Rc<Value>>),
    /// A relationship to a prim, by its path.
    To(String),
}

/// An attribute or a relationship.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: &'static str,
    /// The type's name in USD, such as `point3f[]`; nothing for relationships.
    pub kind: &'static str,
    pub uniform: bool,
    /// How the values of a primvar are spread over the mesh, and how many belong together.
    pub interpolation: Option<(&'static str, i32)>,
    pub content: Content,
}

impl Property {
    /// An attribute that never changes.
    pub fn fixed(name: &'static str, kind: &'static str, value: Value) -> Self {
        Self { name, kind, uniform: false, interpolation: None, content: Content::Fixed(value) }
    }

    /// An attribute that cannot change.
    pub fn uniform(name: &'static str, kind: &'static str, value: Value) -> Self {
        Self { uniform: true, ..Self::fixed(name, kind, value) }
    }

    /// An attribute of a mesh's points or faces.
    pub fn primvar(
        name: &'static str,
        kind: &'static str,
        value: Value,
        interpolation: (&'static str, i32),
    ) -> Self {
        Self { interpolation: Some(interpolation), ..Self::fixed(name, kind, value) }
    }

    /// An attribute that changes.
    pub fn sampled(
        name: &'static str,
        kind: &'static str,
        times: &Rc<Vec<f64>>,
        values: Vec<Rc<Value>>,
    ) -> Self {
        let content = Content::Sampled(Rc::clone(times), values);
        Self { name, kind, uniform: false, interpolation: None, content }
    }

    /// A relationship.
    pub fn to(name: &'static str, path: String) -> Self {
        Self { name, kind: "", uniform: false, interpolation: None, content: Content::To(path) }
    }
}

/// A prim with all below it.
#[derive(Clone, Debug, Default)]
pub struct Prim {
    pub name: String,
    /// The schema, such as `Mesh`.
    pub kind: &'static str,
    /// Whether it is only there to be referred to.
    pub is_class: bool,
    /// Whether `SkelBindingAPI` applies.
    pub binds: bool,
    /// The prim of the same stage that it is an instance of.
    pub instance_of: Option<String>,
    pub properties: Vec<Property>,
    pub children: Vec<Prim>,
}

impl Prim {
    /// A prim of a schema.
    pub fn new(kind: &'static str, name: impl Into<String>) -> Self {
        Self { name: name.into(), kind, ..Self::default() }
    }
}

/// All there is in a file.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    pub documentation: String,
    /// Recorded frames in a second, and the last one.
    pub rate: f64,
    pub last: f64,
    /// The first of them is what the file shows.
    pub prims: Vec<Prim>,
}
