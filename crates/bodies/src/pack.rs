//! Pieces and people as pages read them: whole numbers, little endian.

use crate::figure::PART_OF;
use crate::fit::OnSkeleton;
use crate::somatotype::BODY_PARTS;
use crate::wardrobe::{pieces, set};
use crate::{Carriage, Person, rest_positions};
use crowdloom_motion::Skeleton;
use crowdloom_shapes::bytes::STEP;
use crowdloom_shapes::rig::RIG;

/// Bytes of one person in [`pack_people`]: template; twelve pieces (255 for none); scale in 20,000ths (two bytes, then the pattern);
/// widths and depths of parts in 128ths; ten colours; a salt; sex and age; what the left and the right arm hold (0 for nothing, else one more
/// than the number in the carriage), and whether it sits in what it has.
pub const PERSON_BYTES: usize = 76;

/// All pieces on all templates on `skeleton`.
///
/// A head: number of templates, joints of the skeleton (u8 each), for each joint its part with 16 for bones along y and
/// 32 for collar bones (u8) and its place (3 × f32), then joints of the left and right ankle, left hip and head (u8), zero or more padding to four bytes; then
/// for each piece the length of its name and the name, slot, covers, and for each of three levels: points, triangles
/// (u16 each), and points' joints (4 × u8), weights (4 × u8), region (u8), place for painting (3 × i16), for each template places (3 × i16, tenths of a
/// millimetre) and directions (3 × i8), and triangles (3 × u16).
pub fn pack_pieces(skeleton: &Skeleton) -> Vec<u8> {
    let on = OnSkeleton::new(skeleton);
    let rest = rest_positions(skeleton);
    let mut out = vec![set().templates.len() as u8, skeleton.len() as u8];
    for (joint, at) in rest.iter().enumerate() {
        let rig = on.joint.iter().rposition(|&own| own == joint);
        let along = match rig {
            Some(14 | 18) => 32,
            Some(15..=17 | 19..=21) => 16,
            _ => 0,
        };
        out.push(rig.map_or(4, |rig| PART_OF[rig] as u8) + along);
        at.to_array().iter().for_each(|value| out.extend(value.to_le_bytes()));
    }
    out.extend([8, 12, 6, 5].map(|rig| on.joint[rig] as u8));
    out.extend((pieces().len() as u16).to_le_bytes());
    for piece in pieces() {
        out.push(piece.name.len() as u8);
        out.extend(piece.name.as_bytes());
        out.extend([piece.slot, piece.covers]);
        for level in &piece.levels {
            out.extend((level.joints.len() as u16).to_le_bytes());
            out.extend((level.triangles.len() as u16).to_le_bytes());
            for joints in &level.joints {
                out.extend(joints.map(|joint| on.joint[usize::from(joint)] as u8));
            }
            level.weights.iter().for_each(|weights| out.extend(weights));
            out.extend(&level.regions);
            for p in &level.paint {
                out.extend(p.to_array().map(|value| ((value / STEP).round() as i16).to_le_bytes()).concat());
            }
            for body in 0..set().templates.len() {
                let placed: Vec<_> = (0..level.joints.len())
                    .map(|at| {
                        on.place(
                            level.points[body][at],
                            level.normals[body][at],
                            level.joints[at],
                            level.weights[at],
                        )
                    })
                    .collect();
                for (p, _) in &placed {
                    let parts = p
                        .to_array()
                        .map(|value| ((value / STEP).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes());
                    out.extend(parts.concat());
                }
                for (_, n) in &placed {
                    out.extend(n.to_array().map(|value| (value * 127.0).round() as i8 as u8));
                }
            }
            level.triangles.iter().flatten().for_each(|index| out.extend(index.to_le_bytes()));
        }
    }
    debug_assert!(RIG.len() == PART_OF.len());
    out
}

/// People one after the other, [`PERSON_BYTES`] each. `stature` is the skeleton's height in metres.
pub fn pack_people(
    people: impl IntoIterator<Item = Person>,
    stature: f32,
    carriage: Option<&Carriage>,
) -> Vec<u8> {
    let mut out = Vec::new();
    // Pieces were made on a skeleton of 1.75 m and have grown with this one.
    let grown = stature / 1.75;
    for person in people {
        let start = out.len();
        out.push(person.template as u8);
        out.extend(person.look.worn.map(|piece| piece.unwrap_or(255)));
        out.extend((((person.scale / grown) * 20_000.0).round().clamp(0.0, 65535.0) as u16).to_le_bytes());
        out.push(person.look.pattern);
        for scale in &person.scales {
            out.extend(scale.map(|value| (value * 128.0).round().clamp(0.0, 255.0) as u8));
        }
        out.resize(start + 16 + BODY_PARTS.len() * 2 + 2, 0);
        person.look.colours.all().iter().for_each(|colour| out.extend(colour));
        out.push(person.look.salt);
        out.push(u8::from(person.woman));
        out.push(person.age.min(255.0) as u8);
        let (sides, seated) = carriage.map_or(([None; 2], false), |carriage| carriage.holds_of(&person));
        out.extend(sides.map(|hold| hold.map_or(0, |number| (number + 1).min(255) as u8)));
        out.push(u8::from(seated));
        out.resize(start + PERSON_BYTES, 0);
    }
    out
}
