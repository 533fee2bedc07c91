//! Makes all shapes once, so that programs that draw people start at once.

use crowdloom_shapes::{bake, bytes};
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = std::env::var("OUT_DIR").unwrap_or_else(|_| panic!("cargo sets OUT_DIR"));
    let written = std::fs::write(Path::new(&folder).join("pieces.bin"), bytes::write(&bake::make_all()));
    written.unwrap_or_else(|error| panic!("the shapes of bodies cannot be kept: {error}"));
}
