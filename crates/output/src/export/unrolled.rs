//! Where points of clothes and things are on a picture: trunk, limbs and head unrolled like the tubes that they are, each in a
//! place of its own, all at one scale.

use crate::body::Mesh;
use glam::{Vec2, Vec3};
use std::collections::BTreeMap;
use std::f32::consts::{PI, TAU};

/// Metres of cloth that a picture shows from edge to edge.
const SIDE: f32 = 2.6;
/// Metres around the belt and along the height that a thing gets at most.
const THING: f32 = 0.55;

/// A part that is unrolled by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Trunk,
    LeftArm,
    RightArm,
    LeftLeg,
    RightLeg,
    Head,
    Thing,
}

impl Part {
    /// The middle of its lower edge on the picture, the radius that it is unrolled with and where its height begins, in metres.
    fn sheet(self) -> (Vec2, f32, f32) {
        match self {
            Self::Trunk => (Vec2::new(0.65, 0.0), 0.17, 0.0),
            Self::LeftLeg => (Vec2::new(1.55, 0.0), 0.09, -0.15),
            Self::RightLeg => (Vec2::new(2.2, 0.0), 0.09, -0.15),
            Self::LeftArm => (Vec2::new(1.55, 1.2), 0.07, 0.15),
            Self::RightArm => (Vec2::new(2.2, 1.2), 0.07, 0.15),
            Self::Head => (Vec2::new(0.65, 1.95), 0.12, 1.40),
            Self::Thing => (Vec2::new(1.85, 2.0), 0.2, 0.0),
        }
    }

    /// A place of the neutral body as seen along the part: across it, the front of trunk, legs and head and the upper side of arms
    /// first, and how far along it is.
    fn along(self, place: Vec3) -> (Vec2, f32) {
        match self {
            Self::LeftArm | Self::RightArm => (Vec2::new(place.z, place.x), place.y.abs()),
            _ => (place.truncate(), place.z),
        }
    }
}

/// The part that a triangle is of, by its middle on the neutral body; `apart` where legs are clothed one by one.
fn part_of(middle: Vec3, apart: bool) -> Part {
    match middle {
        p if p.z > 1.15 && p.y > 0.19 => Part::LeftArm,
        p if p.z > 1.15 && p.y < -0.19 => Part::RightArm,
        p if apart && p.z < 0.86 => {
            if p.y > 0.0 {
                Part::LeftLeg
            } else {
                Part::RightLeg
            }
        }
        p if p.z > 1.5 => Part::Head,
        _ => Part::Trunk,
    }
}

/// A mesh whose points each have one place on a picture, and these places, from 0 to 1: points on a seam are there twice.
///
/// `is_worn` tells clothes, hats and hair from things that are carried.
pub(super) fn unrolled(mesh: &Mesh, is_worn: bool) -> (Mesh, Vec<Vec2>) {
    let place = |index: u32| mesh.vertices[index as usize].paint;
    // Where cloth spans the gap between the legs, it is a skirt.
    let spans = |triangle: &[u32; 3]| {
        let at = triangle.map(place);
        at.iter().all(|p| p.z < 0.74) && at.iter().any(|p| p.y > 0.01) && at.iter().any(|p| p.y < -0.01)
    };
    let apart = !mesh.triangles.iter().any(spans);
    let parts: Vec<Part> = mesh
        .triangles
        .iter()
        .map(|triangle| match is_worn {
            true => part_of(triangle.map(place).into_iter().sum::<Vec3>() / 3.0, apart),
            false => Part::Thing,
        })
        .collect();
    let mut reaches: BTreeMap<Part, (Vec3, Vec3)> = BTreeMap::new();
    for (triangle, part) in mesh.triangles.iter().zip(&parts) {
        let reach = reaches.entry(*part).or_insert((Vec3::INFINITY, Vec3::NEG_INFINITY));
        for point in triangle.map(place) {
            *reach = (reach.0.min(point), reach.1.max(point));
        }
    }
    let (mut sheet, mut places) = (Mesh::default(), Vec::new());
    let mut known: BTreeMap<(u32, Part, bool), u32> = BTreeMap::new();
    for (triangle, part) in mesh.triangles.iter().zip(parts) {
        let (low, high) = reaches[&part];
        let (middle, _) = part.along((low + high) * 0.5);
        let (corner, radius, begins) = part.sheet();
        // A thing is as high as it is; what does not fit is drawn smaller.
        let (begins, scale) = match part {
            Part::Thing => (low.z, (THING / (high.z - low.z).max(THING)).min(1.0)),
            _ => (begins, 1.0),
        };
        let angles = triangle.map(|index| {
            let across = part.along(place(index)).0 - middle;
            libm::atan2f(across.y, across.x)
        });
        let crosses = angles.iter().fold(0.0f32, |most, a| most.max(angles[0] - a).max(a - angles[0])) > PI
            || (angles[1] - angles[2]).abs() > PI;
        let new = [0, 1, 2].map(|corner_of| {
            let index = triangle[corner_of];
            let over = crosses && angles[corner_of] < 0.0;
            *known.entry((index, part, over)).or_insert_with(|| {
                let (across, along) = part.along(place(index));
                // What lies flat across the tube, such as the top of a hat or a sole, is unrolled towards its axis.
                let inwards = radius - (across - middle).length();
                let angle = angles[corner_of] + if over { TAU } else { 0.0 };
                let up = (along - begins + inwards.max(-0.15)).max(0.0);
                places.push((corner + Vec2::new(radius * angle, up) * scale) / SIDE);
                sheet.vertices.push(mesh.vertices[index as usize]);
                sheet.vertices.len() as u32 - 1
            })
        });
        sheet.triangles.push(new);
    }
    // Pictures begin at their upper edge.
    let flipped = places.iter().map(|place| Vec2::new(place.x, 1.0 - place.y).clamp(Vec2::ZERO, Vec2::ONE));
    let places = flipped.collect();
    (sheet, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Detail, Fitting};
    use crowdloom_bodies::{Slot, piece_named, pieces};
    use crowdloom_motion::builtin;

    /// Whether a piece is worn close to the body.
    fn is_worn(piece: u8) -> bool {
        pieces()[usize::from(piece)].slot < Slot::Back as u8
    }

    #[test]
    fn cloth_lies_on_its_picture_without_tears_or_folds() {
        let fitting = Fitting::new(&builtin::standing().skeleton);
        for name in
            ["t-shirt", "sweater", "dress", "trousers", "long skirt", "coat", "shoes", "cap", "backpack"]
        {
            let piece = piece_named(name).unwrap();
            let mesh = fitting.piece(piece, 0, 0, Detail::Near);
            let (sheet, places) = unrolled(&mesh, is_worn(piece));
            assert_eq!(sheet.triangles.len(), mesh.triangles.len(), "{name}");
            assert_eq!(sheet.vertices.len(), places.len(), "{name}");
            let all = sheet.triangles.len() as f32;
            let (mut flat, mut long) = (0, 0);
            for (own, old) in sheet.triangles.iter().zip(&mesh.triangles) {
                let at = own.map(|index| sheet.vertices[index as usize].position);
                assert_eq!(at, old.map(|index| mesh.vertices[index as usize].position), "{name}");
                let [a, b, c] = own.map(|index| places[index as usize] * SIDE);
                flat += i32::from((b - a).perp_dot(c - a).abs() < 1e-8);
                let longest = |p: [f32; 3]| p.into_iter().fold(0.0, f32::max);
                let drawn = longest([a.distance(b), b.distance(c), c.distance(a)]);
                let sewn = longest([at[0].distance(at[1]), at[1].distance(at[2]), at[2].distance(at[0])]);
                long += i32::from(drawn > 4.0 * sewn + 0.05);
            }
            assert!((flat as f32) < 0.02 * all, "{name}: {flat} of {all} triangles have no room");
            // About the middle of a crown angles change quickly.
            assert!((long as f32) < 0.04 * all, "{name}: {long} of {all} triangles are torn");
            // Seams are not everywhere.
            assert!(sheet.vertices.len() < mesh.vertices.len() * 13 / 10 + 20, "{name}");
        }
    }
}
