//! Other glTF files in one: their lists after those that are there, with all references moved along.

use super::glb::Document;
use serde_json::{Map, Value};

/// By how much references into each list move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shift {
    pub views: usize,
    pub accessors: usize,
    pub meshes: usize,
    pub materials: usize,
    pub textures: usize,
    pub images: usize,
    pub samplers: usize,
}

/// Moves a reference, where there is one.
pub(super) fn moved(value: Option<&mut Value>, by: usize) {
    if let Some(value) = value
        && let Some(number) = value.as_u64()
    {
        *value = (number + by as u64).into();
    }
}

/// Moves every `index` of a texture below a material.
fn move_textures(value: &mut Value, by: usize) {
    match value {
        Value::Object(object) => {
            for (name, inner) in object {
                if name == "index" {
                    moved(Some(inner), by);
                } else {
                    move_textures(inner, by);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| move_textures(inner, by)),
        _ => {}
    }
}

fn move_primitive(primitive: &mut Value, by: &Shift) {
    moved(primitive.get_mut("indices"), by.accessors);
    moved(primitive.get_mut("material"), by.materials);
    for target in primitive.get_mut("targets").and_then(Value::as_array_mut).into_iter().flatten() {
        let accessors = target.as_object_mut().into_iter().flat_map(|target| target.values_mut());
        accessors.for_each(|accessor| moved(Some(accessor), by.accessors));
    }
    if let Some(attributes) = primitive.get_mut("attributes").and_then(Value::as_object_mut) {
        attributes.values_mut().for_each(|accessor| moved(Some(accessor), by.accessors));
    }
    if let Some(packed) = primitive.pointer_mut("/extensions/KHR_draco_mesh_compression/bufferView") {
        moved(Some(packed), by.views);
    }
}

impl Document {
    /// Takes in all that bodies and sets are made of but nodes and skins, and tells how far references to it move.
    pub(super) fn take_in(&mut self, mut properties: Map<String, Value>, bytes: &[u8]) -> Shift {
        let mut list = |name: &str| match properties.remove(name) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        };
        let (views, accessors, meshes) = (list("bufferViews"), list("accessors"), list("meshes"));
        let (materials, textures) = (list("materials"), list("textures"));
        let (images, samplers) = (list("images"), list("samplers"));
        let there = |name: &str| self.others.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        let by = Shift {
            views: self.buffer.views.len(),
            accessors: self.buffer.accessors.len(),
            meshes: self.meshes.len(),
            materials: self.materials.len(),
            textures: there("textures"),
            images: there("images"),
            samplers: there("samplers"),
        };
        self.buffer.bytes.resize(self.buffer.bytes.len().next_multiple_of(4), 0);
        let start = self.buffer.bytes.len() as u64;
        self.buffer.bytes.extend_from_slice(bytes);
        self.buffer.views.extend(views.into_iter().map(|mut view| {
            let offset = view["byteOffset"].as_u64().unwrap_or(0);
            view["byteOffset"] = (offset + start).into();
            view
        }));
        self.buffer.accessors.extend(accessors.into_iter().map(|mut accessor| {
            moved(accessor.get_mut("bufferView"), by.views);
            moved(accessor.pointer_mut("/sparse/indices/bufferView"), by.views);
            moved(accessor.pointer_mut("/sparse/values/bufferView"), by.views);
            accessor
        }));
        self.meshes.extend(meshes.into_iter().map(|mut mesh| {
            let primitives = mesh.get_mut("primitives").and_then(Value::as_array_mut).into_iter().flatten();
            primitives.for_each(|primitive| move_primitive(primitive, &by));
            mesh
        }));
        self.materials.extend(materials.into_iter().map(|mut material| {
            move_textures(&mut material, by.textures);
            material
        }));
        let textures = textures.into_iter().map(|mut texture| {
            moved(texture.get_mut("source"), by.images);
            moved(texture.get_mut("sampler"), by.samplers);
            for inner in texture.get_mut("extensions").and_then(Value::as_object_mut).into_iter().flatten() {
                moved(inner.1.get_mut("source"), by.images);
            }
            texture
        });
        let textures: Vec<Value> = textures.collect();
        let images = images.into_iter().map(|mut image| {
            moved(image.get_mut("bufferView"), by.views);
            image
        });
        let images: Vec<Value> = images.collect();
        for (name, more) in [("textures", textures), ("images", images), ("samplers", samplers)] {
            if !more.is_empty() {
                let own = self.others.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                own.as_array_mut().into_iter().for_each(|own| own.extend(more.iter().cloned()));
            }
        }
        for name in ["extensionsUsed", "extensionsRequired"] {
            for each in list(name) {
                let own = self.others.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Some(own) = own.as_array_mut().filter(|own| !own.contains(&each)) {
                    own.push(each);
                }
            }
        }
        if let Some(asset) = properties.remove("asset").filter(|_| !self.others.contains_key("asset")) {
            self.others.insert("asset".into(), asset);
        }
        by
    }
}
