//! Clips without a crowd, to look at them in other programs: one figure, and an animation for each clip.

use super::ExportError;
use super::animation::reaches;
use super::dressed::Wardrobe;
use super::glb::{BODY_REACH, Document, clip_motion, turned, turned_rotation};
use crate::body::{Detail, Person, Told, outfits};
use crowdloom_motion::{Clip, FRAME_RATE, Skeleton};
use glam::Vec3;
use std::path::Path;

/// Writes clips of a skeleton as a binary glTF file: metres, y up; each begins at the origin and walks along +x.
pub fn write_clips(skeleton: &Skeleton, clips: &[&Clip], name: &str, path: &Path) -> Result<(), ExportError> {
    let mut document = Document::default();
    let mut wardrobe = Wardrobe::new(skeleton, Detail::Middle);
    let person = Person::draw(&Told::default(), 1, &outfits());
    let placed = document.add_character(skeleton, &mut wardrobe, "figure", &person);
    // As large as the clips are: whoever looks at them measures them.
    document.nodes[placed]["scale"] = serde_json::json!([1.0, 1.0, 1.0]);
    let reaches = reaches(skeleton);
    for clip in clips {
        let mut motion = clip_motion(clip, placed + 1, &reaches, FRAME_RATE);
        let track = clip.track.iter();
        motion.places(placed, track.clone().map(|at| turned(at.position.extend(0.0))).collect::<Vec<Vec3>>());
        motion.turns(placed, BODY_REACH, track.map(|at| turned_rotation(at.rotation())).collect());
        document.add_animation(&clip.name, motion);
    }
    document.write(name, env!("CARGO_PKG_VERSION"), path)
}
