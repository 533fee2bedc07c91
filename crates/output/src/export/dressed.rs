//! glTF bodies as the page shows them: pieces that all who wear them share, and bones that make each body its own.
//!
//! A body's parts grow about its bones (eq. 3.7 of Thalmann and Musse 2013), which is what skinning does anyway: the growth is
//! in the matrices that bind a person's skin, so that nobody needs points of its own.

use super::glb::{Document, turned};
use super::gltf_buffer::{FLOAT, Layout, UNSIGNED_BYTE, UNSIGNED_SHORT, floats};
use super::unrolled::unrolled;
use crate::body::{Detail, Fitting, Mesh, Person, piece_colour, rest_positions, stature};
use crowdloom_bodies::{Slot, pieces};
use crowdloom_motion::Skeleton;
use glam::Vec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tiny_skia::{Pixmap, PremultipliedColorU8};

/// Colours are told apart in steps of so many 255ths: nobody sees less, and materials can be shared.
const SHADE: u8 = 8;

/// Where the head's own coordinates begin, in metres.
const HEAD: Vec3 = Vec3::new(-0.009, 0.0, 1.570);

/// The part of a head that the picture of a face shows: half its width, its lower and its upper edge, in metres.
const FACE: (f32, f32, f32) = (0.075, -0.055, 0.130);

/// What everybody wears, as far as it is in the file already.
pub(super) struct Wardrobe {
    fitting: Fitting,
    rest: Vec<Vec3>,
    detail: Detail,
    /// The skeleton's height in metres.
    stature: f32,
    /// Attributes and indices of a piece on a template, with what is hidden of it.
    known: BTreeMap<(u8, usize, u8), Value>,
    materials: BTreeMap<([u8; 3], bool), usize>,
}

impl Wardrobe {
    pub(super) fn new(skeleton: &Skeleton, detail: Detail) -> Self {
        Self {
            fitting: Fitting::new(skeleton),
            rest: rest_positions(skeleton),
            detail,
            stature: stature(skeleton),
            known: BTreeMap::new(),
            materials: BTreeMap::new(),
        }
    }

    /// How much larger than the skeleton somebody is.
    pub(super) fn scale(&self, person: &Person) -> f32 {
        person.scale * 1.75 / self.stature
    }
}

impl Document {
    /// A mesh of all that somebody wears.
    pub(super) fn add_dressed(&mut self, wardrobe: &mut Wardrobe, name: &str, person: &Person) -> usize {
        let (worn, covers) = person.look.seen();
        let mut primitives = Vec::new();
        for piece in worn {
            let slot = pieces()[usize::from(piece)].slot;
            let is_skin = slot == Slot::Skin as u8;
            let key = (piece, person.template, if is_skin { covers } else { 0 });
            if !wardrobe.known.contains_key(&key) {
                let mesh = wardrobe.fitting.piece(piece, person.template, key.2, wardrobe.detail);
                let stored = self.add_piece(&mesh, slot);
                wardrobe.known.insert(key, stored);
            }
            let mut primitive = wardrobe.known[&key].clone();
            // All of it may be hidden.
            if primitive.is_null() {
                continue;
            }
            primitive["material"] = self.material(wardrobe, piece_colour(person, piece), is_skin).into();
            primitives.push(primitive);
        }
        self.meshes.push(json!({ "name": name, "primitives": primitives }));
        self.meshes.len() - 1
    }

    fn material(&mut self, wardrobe: &mut Wardrobe, colour: [u8; 3], is_skin: bool) -> usize {
        let near = colour.map(|value| (value.saturating_add(SHADE / 2) / SHADE).saturating_mul(SHADE));
        *wardrobe.materials.entry((near, is_skin)).or_insert_with(|| {
            let [r, g, b] = near.map(|value| libm::powf(f32::from(value) / 255.0, 2.2));
            let mut look =
                json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.85 });
            if is_skin {
                if self.others.get("textures").is_none() {
                    self.add_face();
                }
                look["baseColorTexture"] = json!({ "index": 0 });
            }
            let kind = if is_skin { "skin" } else { "cloth" };
            let [r, g, b] = near;
            let name = format!("{kind} {r:02x}{g:02x}{b:02x}");
            // Clothes are open where people come out of them.
            self.materials
                .push(json!({ "name": name, "pbrMetallicRoughness": look, "doubleSided": !is_skin }));
            self.materials.len() - 1
        })
    }

    /// A picture of eyes, brows and mouth that darkens the skin's own colour.
    fn add_face(&mut self) {
        let view = self.buffer.file(&face());
        let image = json!([{ "name": "face", "mimeType": "image/png", "bufferView": view }]);
        self.others.insert("images".into(), image);
        self.others.insert("samplers".into(), json!([{ "wrapS": 33071, "wrapT": 33071 }]));
        self.others.insert("textures".into(), json!([{ "source": 0, "sampler": 0 }]));
    }

    /// What binds a person's body to its joints: parts are as wide as the person's.
    pub(super) fn add_bindings(&mut self, wardrobe: &Wardrobe, person: &Person) -> usize {
        let growth = wardrobe.fitting.growth(&person.scales);
        let matrices = wardrobe.rest.iter().zip(growth).flat_map(|(&rest, by)| {
            // Axes of glTF: x stays, z is up, and -y becomes z.
            let by = Vec3::new(by.x, by.z, by.y);
            let at = turned(-rest) * by;
            [by.x, 0.0, 0.0, 0.0, 0.0, by.y, 0.0, 0.0, 0.0, 0.0, by.z, 0.0, at.x, at.y, at.z, 1.0]
        });
        let layout = Layout { component: FLOAT, kind: "MAT4", count: wardrobe.rest.len(), normalized: false };
        self.buffer.single(None, &floats(matrices), layout, None)
    }

    fn add_piece(&mut self, mesh: &Mesh, slot: u8) -> Value {
        if mesh.triangles.is_empty() {
            return Value::Null;
        }
        // Skin has the picture of a face, all else its own cloth unrolled.
        let sheet = (slot != Slot::Skin as u8).then(|| unrolled(mesh, slot < Slot::Back as u8));
        let mesh = sheet.as_ref().map_or(mesh, |(mesh, _)| mesh);
        let count = mesh.vertices.len();
        let layout = |component, kind, normalized| Layout { component, kind, count, normalized };
        let points: Vec<Vec3> = mesh.vertices.iter().map(|vertex| turned(vertex.position)).collect();
        let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min).to_array();
        let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max).to_array();
        let target = Some(34962);
        let buffer = &mut self.buffer;
        let position = floats(points.iter().flat_map(|p| p.to_array()));
        let range = Some((json!(low), json!(high)));
        let position = buffer.single(target, &position, layout(FLOAT, "VEC3", false), range);
        let normals =
            floats(mesh.vertices.iter().flat_map(|vertex| turned(vertex.normal).normalize().to_array()));
        let normal = buffer.single(target, &normals, layout(FLOAT, "VEC3", false), None);
        let joints: Vec<u8> =
            mesh.vertices.iter().flat_map(|v| v.joints.map(|joint| joint.min(255) as u8)).collect();
        let joints = buffer.single(target, &joints, layout(UNSIGNED_BYTE, "VEC4", false), None);
        let weights: Vec<u8> = mesh
            .vertices
            .iter()
            .flat_map(|v| v.weights.map(|weight| (weight * 255.0).round() as u8))
            .collect();
        let weights = buffer.single(target, &weights, layout(UNSIGNED_BYTE, "VEC4", true), None);
        let mut attributes =
            json!({ "POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights });
        let places = match &sheet {
            None => {
                let places = floats(mesh.vertices.iter().flat_map(|vertex| on_face(vertex.paint)));
                buffer.single(target, &places, layout(FLOAT, "VEC2", false), None)
            }
            Some((_, places)) => {
                let fine = |value: f32| ((value * 65_535.0).round() as u16).to_le_bytes();
                let places: Vec<u8> =
                    places.iter().flat_map(|place| place.to_array()).flat_map(fine).collect();
                buffer.single(target, &places, layout(UNSIGNED_SHORT, "VEC2", true), None)
            }
        };
        attributes["TEXCOORD_0"] = places.into();
        let bytes: Vec<u8> =
            mesh.triangles.iter().flatten().flat_map(|&index| (index as u16).to_le_bytes()).collect();
        let layout = Layout {
            component: UNSIGNED_SHORT,
            kind: "SCALAR",
            count: mesh.triangles.len() * 3,
            normalized: false,
        };
        json!({ "attributes": attributes, "indices": buffer.single(Some(34963), &bytes, layout, None) })
    }
}

/// The place of a point in the picture of a face; behind the ears it is beyond its upper edge, where it is plain.
fn on_face(paint: Vec3) -> [f32; 2] {
    let h = paint - HEAD;
    let (half, low, high) = FACE;
    let down = if h.x > 0.0 { (high - h.z) / (high - low) } else { -1.0 };
    [(h.y / half * 0.5 + 0.5).clamp(-1.0, 2.0), down.clamp(-1.0, 2.0)]
}

/// The picture of a face: white where skin is plain.
fn face() -> Vec<u8> {
    const SIZE: u32 = 160;
    let Some(mut picture) = Pixmap::new(SIZE, SIZE) else { return Vec::new() };
    let (half, low, high) = FACE;
    let pixels = picture.pixels_mut();
    for row in 0..SIZE {
        for column in 0..SIZE {
            let mut sum = [0.0; 3];
            // Four samples a pixel for smooth edges.
            for part in 0..4 {
                let at = |pixel: u32, part: u32| (pixel as f32 + 0.25 + 0.5 * part as f32) / SIZE as f32;
                let y = (at(column, part % 2) * 2.0 - 1.0) * half;
                let z = high - at(row, part / 2) * (high - low);
                let own = shade(y.abs(), z);
                (0..3).for_each(|each| sum[each] += own[each] / 4.0);
            }
            let [r, g, b] = sum.map(|value| (value * 255.0) as u8);
            if let Some(colour) = PremultipliedColorU8::from_rgba(r, g, b, 255) {
                pixels[(row * SIZE + column) as usize] = colour;
            }
        }
    }
    picture.encode_png().unwrap_or_default()
}

/// How much of the skin's colour is left at a place of the face, as the page paints it.
fn shade(side: f32, z: f32) -> [f32; 3] {
    let oval = |y: f32, at: f32, a: f32, b: f32| {
        let (u, v) = ((side - y) / a, (z - at) / b);
        u * u + v * v < 1.0
    };
    let open = oval(0.0315, 0.0712, 0.0132, 0.0058);
    if open && oval(0.0309, 0.0715, 0.0060, 0.0060) {
        [0.16, 0.12, 0.11]
    } else if open {
        [1.0, 1.0, 1.0]
    } else if oval(0.0315, 0.0722, 0.0144, 0.0072) && z > 0.0712 {
        [0.22, 0.18, 0.17]
    } else if oval(0.0310, 0.0935, 0.0190, 0.0034) {
        [0.36, 0.30, 0.27]
    } else if side < 0.0222 && (z - 0.0022).abs() < 0.0009 {
        [0.38, 0.22, 0.22]
    } else if oval(0.0, 0.0012, 0.0225, 0.0085) {
        [0.84, 0.56, 0.55]
    } else if oval(0.0070, 0.0300, 0.0036, 0.0022) {
        [0.48, 0.38, 0.36]
    } else {
        [1.0, 1.0, 1.0]
    }
}
