//! How much a body weighs, by the volume of its closed skin, and the girth that makes it weigh what is told.

use crate::figure::growth_of;
use crate::somatotype::{BODY_PARTS, Scales, is_end};
use crate::wardrobe::pieces;
use crowdloom_shapes::rig::RIG;
use glam::Vec3;

/// Kilograms in a cubic metre of a person who breathes normally (Durnin and Womersley 1974 have 1020 to 1070 without the lungs' air).
pub const DENSITY: f32 = 1010.0;
/// Girths differ by no more than this from what the tables say: who is told to weigh what nobody of that height does stays a person.
const GIRTHS: [f32; 2] = [0.75, 1.35];
/// Dimensions stay within this of the template's.
const DIMENSIONS: [f32; 2] = [0.6, 1.9];
/// Rounds until the weight is as told.
const ROUNDS: usize = 4;

/// Kilograms of a body of a template that is `scale` times as tall, with parts of these dimensions.
pub fn weight(template: usize, scale: f32, scales: &Scales) -> f32 {
    let Some(skin) = pieces().first() else { return 0.0 };
    // The middle level: a tenth of the triangles, the same volume to a few hundredths.
    let level = &skin.levels[1];
    let growth: [Vec3; RIG.len()] = std::array::from_fn(|joint| growth_of(joint, scales));
    let Some(points) = level.points.get(template) else { return 0.0 };
    let grown: Vec<Vec3> = points
        .iter()
        .zip(level.joints.iter().zip(&level.weights))
        .map(|(p, (joints, weights))| {
            let parts = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0);
            parts.fold(Vec3::ZERO, |sum, (joint, weight)| {
                let pivot = RIG[usize::from(*joint)].at;
                sum + (pivot + (*p - pivot) * growth[usize::from(*joint)]) * (f32::from(*weight) / 255.0)
            })
        })
        .collect();
    let volume: f32 = level
        .triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|corner| grown[usize::from(corner)]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    volume.abs() * scale * scale * scale * DENSITY
}

/// The same dimensions with the girth that makes the body weigh `told` kilograms; heads, hands and feet stay as they are.
pub(crate) fn weighing(template: usize, scale: f32, scales: &Scales, told: f32) -> Scales {
    let mut girth = 1.0_f32;
    let with = |girth: f32| {
        let mut own = *scales;
        for (part, dimensions) in BODY_PARTS.iter().zip(&mut own).filter(|(part, _)| !is_end(part)) {
            // Necks go half of the way.
            let own = if part.name == "neck" { libm::sqrtf(girth) } else { girth };
            *dimensions = dimensions.map(|side| (side * own).clamp(DIMENSIONS[0], DIMENSIONS[1]));
        }
        own
    };
    for _ in 0..ROUNDS {
        let now = weight(template, scale, &with(girth));
        if now <= 0.0 || (now - told).abs() < 0.005 * told {
            break;
        }
        girth = (girth * libm::sqrtf(told / now)).clamp(GIRTHS[0], GIRTHS[1]);
    }
    with(girth)
}

#[cfg(test)]
mod tests {
    use crate::{Person, Rating, Told, ectomorphy, outfits};

    /// The book's persons again, from the other end: what their skins hold has the ectomorphy that the book rates.
    #[test]
    fn the_bodies_of_the_book_s_persons_weigh_what_they_should() {
        let six = [
            (false, 1.715, 100.5, [4.0, 8.0, 0.5]),
            (false, 1.715, 63.8, [4.0, 4.0, 3.0]),
            (true, 1.682, 56.5, [4.5, 2.5, 3.5]),
            (true, 1.682, 79.0, [8.5, 2.0, 0.5]),
            (true, 1.761, 55.4, [1.5, 3.5, 5.5]),
        ];
        for (woman, height, weight, [endo, meso, ecto]) in six {
            for number in 0..8 {
                let told = Told {
                    woman: Some(woman),
                    age: Some(30.0),
                    height: Some(height),
                    weight: Some(weight),
                    endo: Some(Rating::Exact(endo)),
                    meso: Some(Rating::Exact(meso)),
                    ..Told::default()
                };
                let person = Person::draw(&told, number, &outfits());
                let weighs = super::weight(person.template, person.scale, &person.scales);
                assert!((weighs / weight - 1.0).abs() < 0.03, "{weighs} kg instead of {weight}");
                let rated = ectomorphy(height, weighs);
                assert!((rated - ecto).abs() <= 0.5, "{height} m: {rated} instead of {ecto}");
            }
        }
    }

    #[test]
    fn people_weigh_what_is_told() {
        for number in 0..200 {
            let person = Person::draw(&Told::default(), number, &outfits());
            let weighs = super::weight(person.template, person.scale, &person.scales);
            assert!((weighs / person.weight - 1.0).abs() < 0.1, "{number}: {weighs} of {}", person.weight);
        }
    }
}
