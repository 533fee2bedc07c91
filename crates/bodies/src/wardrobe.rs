//! The bodies and pieces that people are put together from: installed ones where the program has asked for them, else
//! those that were made when it was built.

use crate::installed::InstalledError;
use crowdloom_shapes::bake::{Piece, Set};
use crowdloom_shapes::bytes;
use std::path::Path;
use std::sync::OnceLock;

static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pieces.bin"));

static IN_USE: OnceLock<Set> = OnceLock::new();

/// Takes the bodies of an installed file for everybody, from now on and as long as the program runs. It is to be called before
/// anybody is drawn: later it changes nothing and says so.
pub fn wear(path: &Path) -> Result<bool, InstalledError> {
    let set = crate::installed::read(path)?;
    Ok(IN_USE.set(set).is_ok())
}

/// The bodies and pieces that come with the program.
pub fn built_in() -> &'static Set {
    static MADE: OnceLock<Set> = OnceLock::new();
    MADE.get_or_init(|| bytes::read(BUILT_IN).unwrap_or_default())
}

/// All bodies and pieces in use.
pub fn set() -> &'static Set {
    IN_USE.get().unwrap_or_else(|| built_in())
}

/// All pieces in use, the skin first.
pub fn pieces() -> &'static [Piece] {
    &set().pieces
}

/// The number of a piece.
pub fn piece_named(name: &str) -> Option<u8> {
    pieces().iter().position(|piece| piece.name == name).map(|index| index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_shapes::bake::Level;
    use crowdloom_shapes::wardrobe::Slot;
    use std::collections::BTreeMap;

    /// How many hems and openings a piece has, each a ring of edges that have one side only.
    fn rims(level: &Level) -> usize {
        let mut edges: BTreeMap<(u16, u16), u32> = BTreeMap::new();
        for triangle in &level.triangles {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((triangle[a], triangle[b])).or_default() += 1;
            }
        }
        // Each edge is passed once this way, and but for rims once the other way.
        assert!(edges.values().all(|&count| count == 1));
        let open = edges.keys().filter(|(a, b)| !edges.contains_key(&(*b, *a)));
        let mut next: BTreeMap<u16, u16> = BTreeMap::new();
        for &(a, b) in open {
            assert_eq!(next.insert(a, b), None, "two rims meet in a point");
        }
        let mut rings = 0;
        while let Some((first, mut at)) = next.pop_first() {
            while at != first {
                at = next.remove(&at).expect("a rim that does not end");
            }
            rings += 1;
        }
        rings
    }

    #[test]
    fn skin_and_things_are_closed_and_clothes_open_where_people_come_out() {
        for piece in pieces() {
            let open = match &*piece.name {
                "skirt" | "long skirt" => 1,
                "trousers" | "slim trousers" | "shorts" => 2,
                _ if piece.slot == Slot::Top as u8 => 4,
                _ => 0,
            };
            for level in piece.levels.iter().filter(|level| !level.triangles.is_empty()) {
                assert_eq!(rims(level), open, "{} of {} triangles", piece.name, level.triangles.len());
            }
        }
    }

    #[test]
    fn bodies_have_the_triangles_that_they_should() {
        let skin = &pieces()[0];
        assert_eq!(skin.slot, Slot::Skin as u8);
        assert_eq!(skin.levels.each_ref().map(|level| level.triangles.len()), [3000, 600, 150]);
        for (body, template) in set().templates.iter().enumerate() {
            let top = skin.levels[0].points[body].iter().map(|p| p.z).fold(0.0, f32::max);
            assert!((top - template.height).abs() < 0.001, "{}: {top}", template.name);
            assert!((1.7..1.85).contains(&top), "{}: {top}", template.name);
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
                for (body, template) in set().templates.iter().enumerate() {
                    let flat = level.triangles.iter().filter(|triangle| {
                        let [a, b, c] = triangle.map(|index| level.points[body][usize::from(index)]);
                        (b - a).cross(c - a).length() < 1e-9
                    });
                    let (flat, all) = (flat.count(), level.triangles.len());
                    assert_eq!(flat, 0, "{} of {all} of {} on {}", flat, piece.name, template.name);
                }
            }
        }
    }
}
