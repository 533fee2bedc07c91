//! Bodies of many people from one template: the deformation of the book's section 3.5.6.

use crate::Person;
use crate::figure::growth_of;
use crate::wardrobe::{pieces, set};
use crowdloom_shapes::rig::RIG;
use glam::Vec3;
use std::collections::BTreeMap;

/// The points of a template's skin, with what moves each.
#[derive(Clone, Debug, Default)]
pub struct FineTemplate {
    points: Vec<Vec3>,
    joints: Vec<[u8; 4]>,
    weights: Vec<[f32; 4]>,
}

impl FineTemplate {
    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

/// The skins of all templates, their triangles parted until each has at least so many points.
pub fn fine_templates(least: usize) -> Vec<FineTemplate> {
    let Some(skin) = pieces().first() else { return Vec::new() };
    let level = &skin.levels[0];
    (0..set().templates.len())
        .map(|body| {
            let mut fine = FineTemplate {
                points: level.points[body].clone(),
                joints: level.joints.clone(),
                weights: level
                    .weights
                    .iter()
                    .map(|weights| weights.map(|weight| f32::from(weight) / 255.0))
                    .collect(),
            };
            let mut triangles: Vec<[u32; 3]> =
                level.triangles.iter().map(|each| each.map(u32::from)).collect();
            while fine.points.len() < least {
                triangles = part(&mut fine, &triangles);
            }
            fine
        })
        .collect()
}

/// Four triangles for each one.
fn part(fine: &mut FineTemplate, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut between: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut finer = Vec::with_capacity(triangles.len() * 4);
    for &[a, b, c] in triangles {
        let mut middle = |from: u32, to: u32| {
            *between.entry((from.min(to), from.max(to))).or_insert_with(|| {
                let (f, t) = (from as usize, to as usize);
                fine.points.push((fine.points[f] + fine.points[t]) * 0.5);
                // What moves the nearer end moves the middle, too.
                fine.joints.push(fine.joints[f]);
                fine.weights.push(fine.weights[f]);
                fine.points.len() as u32 - 1
            })
        };
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    finer
}

/// The points of a person's skin in metres (eq. 3.6 and 3.7): the template's, scaled to the person's height, each part about its bones.
pub fn shape_points(template: &FineTemplate, person: &Person, out: &mut Vec<Vec3>) {
    let growth: [Vec3; RIG.len()] =
        std::array::from_fn(|joint| growth_of(joint, &person.scales) * person.scale);
    let pivots: [Vec3; RIG.len()] =
        std::array::from_fn(|joint| RIG[joint].at * (Vec3::splat(person.scale) - growth[joint]));
    out.clear();
    out.extend(template.points.iter().zip(&template.joints).zip(&template.weights).map(
        |((p, joints), weights)| {
            let mut point = Vec3::ZERO;
            for (joint, weight) in joints.iter().zip(weights) {
                let joint = usize::from(*joint);
                point += (*p * growth[joint] + pivots[joint]) * *weight;
            }
            point
        },
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Told, outfits};

    #[test]
    fn everybody_is_as_tall_as_told_with_both_feet_on_the_ground() {
        let templates = fine_templates(8_672);
        let mut points = Vec::new();
        for number in 0..60 {
            for (height, age) in [(1.0, 5.0), (1.55, 40.0), (1.75, 30.0), (2.0, 25.0)] {
                let told = Told { height: Some(height), age: Some(age), ..Told::default() };
                let person = Person::draw(&told, number, &outfits());
                shape_points(&templates[person.template], &person, &mut points);
                assert!(points.len() >= 8_672);
                let (low, high) =
                    points.iter().fold((f32::MAX, 0.0f32), |(low, high), p| (low.min(p.z), high.max(p.z)));
                assert!(low.abs() < 0.02, "{low}");
                // Heads vary by a few hundredths, which shows in the height.
                assert!((high - height).abs() < 0.02 * height, "{high} for {height}");
            }
        }
    }
}
