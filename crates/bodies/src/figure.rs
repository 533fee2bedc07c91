//! Whole bodies as rigged meshes: skin, hair, clothes and accessories of one person on a skeleton.

use crate::fit::{OnSkeleton, fit, rest_positions};
use crate::looks::Colour;
use crate::person::template_for;
use crate::somatotype::{Fat, Ratings, Scales, Somatotype, TEMPLATE};
use crate::wardrobe::pieces;
use crate::{Chance, Person, piece_named};
use crowdloom_motion::Skeleton;
use crowdloom_shapes::bake::{Level, Piece};
use crowdloom_shapes::rig::RIG;
use crowdloom_shapes::wardrobe::{Slot, cover};
use glam::Vec3;

/// How finely a body is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// About 3,000 triangles of skin, with fingers and a face, and as many of clothes and hair.
    Near,
    /// About 600 triangles of skin.
    Middle,
    /// About 150 triangles of skin.
    Far,
}

impl Detail {
    /// All of them, the finest first.
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];
}

/// A part of the body that has a colour of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Face, neck, hands, and what else is bare.
    Skin,
    /// Hair and beard.
    Hair,
    /// From the neck to the hips or below.
    Shirt,
    /// From the waist down.
    Trousers,
    /// Both shoes.
    Shoes,
}

impl Part {
    /// All parts in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Skin, Self::Hair, Self::Shirt, Self::Trousers, Self::Shoes];

    /// The part's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skin => "skin",
            Self::Hair => "hair",
            Self::Shirt => "shirt",
            Self::Trousers => "trousers",
            Self::Shoes => "shoes",
        }
    }

    fn of(slot: u8) -> Self {
        match slot {
            slot if slot == Slot::Skin as u8 => Self::Skin,
            slot if slot == Slot::Hair as u8 || slot == Slot::Beard as u8 => Self::Hair,
            slot if slot == Slot::Bottom as u8 => Self::Trousers,
            slot if slot == Slot::Shoes as u8 => Self::Shoes,
            _ => Self::Shirt,
        }
    }
}

/// A point of a mesh, in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Where it is, in metres.
    pub position: Vec3,
    /// The direction that the skin faces.
    pub normal: Vec3,
    /// The joints that move it.
    pub joints: [u16; 4],
    /// How much each of them does; the sum is 1.
    pub weights: [f32; 4],
    /// The part that it belongs to.
    pub part: Part,
    /// The place on the neutral body by which it is painted, in metres.
    pub paint: Vec3,
}

/// A rigged mesh of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// All points.
    pub vertices: Vec<Vertex>,
    /// Three points each, counter-clockwise seen from outside; those of one part are together, in the parts' order.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The range of triangles that belong to a part.
    pub fn part(&self, part: Part) -> std::ops::Range<usize> {
        let of = |triangle: &[u32; 3]| self.vertices[triangle[0] as usize].part;
        let start = self.triangles.partition_point(|triangle| of(triangle) < part);
        let end = self.triangles.partition_point(|triangle| of(triangle) <= part);
        start..end
    }
}

/// A body and the skeleton that it is rigged to.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The joints, in the proportions of the body.
    pub skeleton: Skeleton,
    /// The skin.
    pub mesh: Mesh,
}

/// What makes one body different from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// Stature in metres; none keeps the skeleton's.
    pub height: Option<f32>,
    /// Length of the legs relative to a skeleton's own, 1 for unchanged.
    pub legs: f32,
    /// Body mass in kilograms for each square metre of stature (the body mass index); 22 is usual.
    pub weight: f32,
    /// From 0, a woman's shape, to 1, a man's.
    pub sex: f32,
    /// Age in years.
    pub age: f32,
}

impl Default for Proportions {
    fn default() -> Self {
        Self { height: None, legs: 1.0, weight: 22.0, sex: 1.0, age: 30.0 }
    }
}

/// The part of [`crate::BODY_PARTS`] that each joint of the rig moves.
pub(crate) const PART_OF: [usize; RIG.len()] =
    [4, 3, 3, 2, 1, 0, 8, 9, 10, 10, 8, 9, 10, 10, 2, 5, 6, 7, 2, 5, 6, 7];

/// How a joint's part grows along x, y and z: bones keep their lengths.
pub(crate) fn growth_of(joint: usize, scales: &Scales) -> Vec3 {
    let [width, depth] = scales[PART_OF[joint]];
    match joint {
        5 => Vec3::new(depth, width, (width + depth) * 0.5),
        // Arms lie along y, collar bones too.
        14 | 18 => Vec3::new(depth, 1.0, 1.0),
        15..=17 | 19..=21 => Vec3::new(depth, 1.0, width),
        _ => Vec3::new(depth, width, 1.0),
    }
}

/// A point with its parts grown, by eq. 3.7: about the bones, by what moves it.
fn grown(p: Vec3, joints: [u8; 4], weights: [u8; 4], growth: &[Vec3; RIG.len()]) -> Vec3 {
    let mut point = Vec3::ZERO;
    for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0) {
        let pivot = RIG[usize::from(joint)].at;
        point += (pivot + (p - pivot) * growth[usize::from(joint)]) * (f32::from(weight) / 255.0);
    }
    point
}

/// A level of a piece that is not empty: as fine as asked for, or finer.
fn level(piece: &Piece, detail: Detail) -> &Level {
    let wanted = detail as usize;
    (0..=wanted)
        .rev()
        .map(|index| &piece.levels[index])
        .find(|level| !level.triangles.is_empty())
        .unwrap_or(&piece.levels[0])
}

/// How deep skin lies below the clothes that hide it, in metres, so that it cannot be seen through them.
fn depth(hidden: u8) -> f32 {
    match hidden {
        0 => 0.0,
        hidden if hidden & cover::ARMS != 0 => 0.021,
        hidden if hidden & cover::SCALP != 0 => 0.0,
        _ => 0.028,
    }
}

/// Pieces on one skeleton.
pub struct Fitting {
    on: OnSkeleton,
    rest: Vec<Vec3>,
}

impl Fitting {
    /// For a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self { on: OnSkeleton::new(skeleton), rest: rest_positions(skeleton) }
    }

    /// A piece on a template, without what `covers` hides of it and with nothing grown.
    pub fn piece(&self, number: u8, template: usize, covers: u8, detail: Detail) -> Mesh {
        let mut mesh = Mesh::default();
        self.add(number, template, covers, detail, &mut mesh, |p, _, _| p);
        mesh
    }

    /// How much each joint's part of somebody is wider than the template's, along x, y and z at rest.
    pub fn growth(&self, scales: &Scales) -> Vec<Vec3> {
        let rig = |joint: usize| self.on.joint.iter().rposition(|&own| own == joint);
        (0..self.rest.len()).map(|joint| growth_of(rig(joint).unwrap_or(0), scales)).collect()
    }

    fn add(
        &self,
        number: u8,
        template: usize,
        covers: u8,
        detail: Detail,
        mesh: &mut Mesh,
        grown: impl Fn(Vec3, [u8; 4], [u8; 4]) -> Vec3,
    ) {
        let piece = &pieces()[usize::from(number)];
        let level = level(piece, detail);
        // Hidden points are not kept, whole triangles of them neither.
        let hidden = |index: u16| level.regions[usize::from(index)] & covers;
        let mut renamed = vec![u32::MAX; level.joints.len()];
        let seen = level.triangles.iter().filter(|triangle| triangle.iter().any(|&index| hidden(index) == 0));
        for triangle in seen {
            let new = triangle.map(|index| {
                let slot = &mut renamed[usize::from(index)];
                if *slot == u32::MAX {
                    *slot = mesh.vertices.len() as u32;
                    let at = usize::from(index);
                    let (joints, weights) = (level.joints[at], level.weights[at]);
                    let inside = level.normals[template][at] * depth(hidden(index));
                    let p = grown(level.points[template][at], joints, weights) - inside;
                    let (position, normal) = self.on.place(p, level.normals[template][at], joints, weights);
                    let mut own = Vertex {
                        position,
                        normal,
                        joints: [0; 4],
                        weights: [0.0; 4],
                        part: Part::of(piece.slot),
                        paint: level.paint[at],
                    };
                    for each in 0..4 {
                        if weights[each] > 0 {
                            own.joints[each] = self.on.joint[usize::from(joints[each])] as u16;
                            own.weights[each] = f32::from(weights[each]) / 255.0;
                        }
                    }
                    mesh.vertices.push(own);
                }
                *slot
            });
            mesh.triangles.push(new);
        }
    }
}

/// Puts pieces together, those of one part after the other; tells the piece of each point.
fn assemble(
    mut worn: Vec<u8>,
    covers: u8,
    template: usize,
    scales: &Scales,
    fitting: &Fitting,
    detail: Detail,
) -> (Mesh, Vec<u8>) {
    worn.sort_by_key(|&piece| Part::of(pieces()[usize::from(piece)].slot));
    let growth: [Vec3; RIG.len()] = std::array::from_fn(|joint| growth_of(joint, scales));
    let (mut mesh, mut of_piece) = (Mesh::default(), Vec::new());
    for number in worn {
        fitting.add(number, template, covers, detail, &mut mesh, |p, joints, weights| {
            grown(p, joints, weights, &growth)
        });
        of_piece.resize(mesh.vertices.len(), number);
    }
    (mesh, of_piece)
}

/// A dressed body around the joints of `skeleton`.
pub fn figure(skeleton: &Skeleton, proportions: &Proportions, detail: Detail) -> Figure {
    let skeleton = fit(skeleton, proportions);
    let woman = proportions.sex < 0.5;
    let height = 1.75f32;
    let weight = proportions.weight.clamp(14.0, 45.0) * height * height;
    let rating = Somatotype::of(height, weight, Ratings::default(), || 0.5);
    let scales = rating.scales(&TEMPLATE, Fat::default(), || 0.5);
    let names: [&str; 4] = match woman {
        true => ["bob", "sweater", "slim trousers", "shoes"],
        false => ["short hair", "shirt", "trousers", "trainers"],
    };
    let worn: Vec<u8> = std::iter::once(0).chain(names.into_iter().filter_map(piece_named)).collect();
    let covers = worn.iter().fold(0, |bits, &piece| bits | pieces()[usize::from(piece)].covers);
    let template = template_for(woman, proportions.age, &TEMPLATE, 200, &Chance::of(0));
    let (mesh, _) = assemble(worn, covers, template, &scales, &Fitting::new(&skeleton), detail);
    Figure { skeleton, mesh }
}

/// One person's body with everything on, and the colour of each point.
#[derive(Clone, Debug)]
pub struct Dressed {
    /// The mesh in the size of `skeleton`: it is still to be scaled by the person's own scale.
    pub mesh: Mesh,
    /// For each point the number of its piece.
    pub pieces: Vec<u8>,
    /// For each point its colour.
    pub colours: Vec<Colour>,
}

/// A person on a skeleton.
pub fn dress(skeleton: &Skeleton, person: &Person, detail: Detail) -> Dressed {
    let (worn, covers) = person.look.seen();
    let fitting = Fitting::new(skeleton);
    let (mesh, of_piece) = assemble(worn, covers, person.template, &person.scales, &fitting, detail);
    let all = person.look.colours.all();
    let colours = of_piece.iter().map(|&piece| all[colour_of(pieces()[usize::from(piece)].slot)]).collect();
    Dressed { mesh, pieces: of_piece, colours }
}

/// The colour of a piece that somebody wears.
pub fn piece_colour(person: &Person, piece: u8) -> Colour {
    person.look.colours.all()[colour_of(pieces()[usize::from(piece)].slot)]
}

/// The place in [`crate::Colours::all`] of a slot's colour.
pub(crate) fn colour_of(slot: u8) -> usize {
    match slot {
        0 => 0,
        1 | 2 => 1,
        3 => 4,
        4 => 6,
        5 => 7,
        6..=8 => 8,
        _ => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Told, outfits};
    use crowdloom_motion::builtin;

    fn body(detail: Detail, proportions: Proportions) -> Figure {
        figure(&builtin::library().skeleton, &proportions, detail)
    }

    #[test]
    fn every_point_is_moved_wholly_and_all_parts_are_there() {
        for detail in Detail::ALL {
            for sex in [0.0, 1.0] {
                let Figure { mesh, skeleton } = body(detail, Proportions { sex, ..Proportions::default() });
                for vertex in &mesh.vertices {
                    assert!((vertex.weights.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                    assert!(vertex.joints.iter().all(|&joint| usize::from(joint) < skeleton.len()));
                    assert!(vertex.position.is_finite() && vertex.normal.is_normalized());
                }
                assert!(Part::ALL.iter().all(|&part| !mesh.part(part).is_empty()));
                let parts: usize = Part::ALL.iter().map(|&part| mesh.part(part).len()).sum();
                assert_eq!(parts, mesh.triangles.len());
            }
        }
    }

    #[test]
    fn proportions_show() {
        let tall = body(Detail::Middle, Proportions { height: Some(1.95), ..Proportions::default() });
        let top = |figure: &Figure| figure.mesh.vertices.iter().map(|v| v.position.z).fold(0.0, f32::max);
        assert!((top(&tall) - 1.95).abs() < 0.05, "{}", top(&tall));
        let low = tall.mesh.vertices.iter().map(|v| v.position.z).fold(f32::INFINITY, f32::min);
        assert!(low.abs() < 0.02, "feet at {low}");
        let width = |figure: &Figure| {
            let belt = figure.mesh.vertices.iter().filter(|v| v.part == Part::Shirt && v.position.z < 1.1);
            belt.map(|v| v.position.x).fold(0.0, f32::max)
        };
        let usual = body(Detail::Middle, Proportions::default());
        let heavy = body(Detail::Middle, Proportions { weight: 34.0, ..Proportions::default() });
        assert!(width(&heavy) > width(&usual) + 0.02, "{} {}", width(&heavy), width(&usual));
    }

    #[test]
    fn somebody_is_dressed_the_same_every_time() {
        let skeleton = builtin::library().skeleton;
        let draw = || dress(&skeleton, &Person::draw(&Told::default(), 17, &outfits()), Detail::Near);
        let (one, other) = (draw(), draw());
        assert_eq!((one.mesh, one.colours), (other.mesh, other.colours));
    }
}
