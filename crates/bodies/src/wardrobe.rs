//! The pieces that people are put together from, as they were made when the program was built.

use crowdloom_shapes::bake::{Piece, TEMPLATES};
use crowdloom_shapes::bytes;
use std::sync::OnceLock;

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pieces.bin"));

/// Heights in metres of the bodies of [`TEMPLATES`], from the sole to the crown.
pub const TEMPLATE_HEIGHTS: [f32; TEMPLATES.len()] = [1.752, 1.757, 1.812, 1.752, 1.757];

/// The names of the bodies.
pub fn template_names() -> [&'static str; TEMPLATES.len()] {
    TEMPLATES.map(|(name, _)| name)
}

/// All pieces, the skin first.
pub fn pieces() -> &'static [Piece] {
    static PIECES: OnceLock<Vec<Piece>> = OnceLock::new();
    PIECES.get_or_init(|| bytes::read(BYTES).unwrap_or_default())
}

/// The number of a piece.
pub fn piece_named(name: &str) -> Option<u8> {
    pieces().iter().position(|piece| piece.name == name).map(|index| index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_shapes::wardrobe::Slot;
    use std::collections::BTreeMap;

    #[test]
    fn every_piece_is_closed_on_every_body() {
        for piece in pieces() {
            for level in &piece.levels {
                let mut edges: BTreeMap<(u16, u16), u32> = BTreeMap::new();
                for triangle in &level.triangles {
                    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                        *edges.entry((triangle[a], triangle[b])).or_default() += 1;
                    }
                }
                // Each edge is passed once this way and once the other way.
                let open =
                    edges.iter().filter(|((a, b), count)| **count != 1 || !edges.contains_key(&(*b, *a)));
                assert_eq!(open.count(), 0, "{}", piece.name);
            }
        }
    }

    #[test]
    fn bodies_have_the_triangles_that_they_should() {
        let skin = &pieces()[0];
        assert_eq!(skin.slot, Slot::Skin as u8);
        assert_eq!(skin.levels.each_ref().map(|level| level.triangles.len()), [3000, 600, 150]);
        for (body, height) in TEMPLATE_HEIGHTS.iter().enumerate() {
            let top = skin.levels[0].points[body].iter().map(|p| p.z).fold(0.0, f32::max);
            assert!((top - height).abs() < 0.008, "{}: {top}", TEMPLATES[body].0);
        }
    }

    #[test]
    fn no_triangle_is_without_area_and_weights_sum_to_one() {
        for piece in pieces() {
            for level in &piece.levels {
                for weights in &level.weights {
                    assert_eq!(
                        weights.iter().map(|&weight| u32::from(weight)).sum::<u32>(),
                        255,
                        "{}",
                        piece.name
                    );
                }
                for (body, template) in TEMPLATES.iter().enumerate() {
                    let flat = level.triangles.iter().filter(|triangle| {
                        let [a, b, c] = triangle.map(|index| level.points[body][usize::from(index)]);
                        (b - a).cross(c - a).length() < 1e-9
                    });
                    let (flat, all) = (flat.count(), level.triangles.len());
                    assert_eq!(flat, 0, "{} of {all} of {} on {}", flat, piece.name, template.0);
                }
            }
        }
    }
}
