//! Bodies of a population: somatotypes, clothes, colours, accessories, and meshes of them on any human skeleton.
//!
//! All that a person looks like follows from what is told about it (sex, age, height, weight, outfit) and from one
//! number, by default its own: the same person looks the same in every run, page and export.

mod build;
mod carriage;
mod chance;
mod figure;
mod fit;
mod girth;
pub mod installed;
mod looks;
mod outfits;
mod pack;
mod person;
mod shaping;
mod somatotype;
mod wardrobe;

pub use build::{Build, room_in, room_with};
pub use carriage::Carriage;
pub use chance::Chance;
pub use crowdloom_shapes::wardrobe::Slot;
pub use figure::{
    Detail, Dressed, Figure, Fitting, Mesh, Part, Proportions, Vertex, dress, figure, piece_colour,
};
pub use fit::{fit, rest_positions, stature};
pub use girth::{DENSITY, weight};
pub use looks::{Colour, Colours, Look, Worn};
pub use outfits::{Garb, HsbRange, Outfit, OutfitError, PATTERNS, outfits};
pub use pack::{PERSON_BYTES, pack_people, pack_pieces};
pub use person::{Person, Told};
pub use shaping::{FineTemplate, fine_templates, shape_points};
pub use somatotype::{BODY_PARTS, BodyPart, Fat, Rating, Ratings, Scales, Somatotype, ectomorphy};
pub use wardrobe::{built_in, piece_named, pieces, set, wear};
