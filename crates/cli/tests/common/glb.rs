//! Reading glTF files back.

use serde_json::Value;
use std::path::Path;

/// A binary glTF file.
pub struct Glb {
    /// Its text.
    pub document: Value,
    bytes: Vec<u8>,
}

impl Glb {
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let document = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        Self { document, bytes: bytes[28 + length..].to_vec() }
    }

    /// A node by its name.
    pub fn node(&self, name: &str) -> Option<&Value> {
        Some(&self.document["nodes"][self.number(name)?])
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.document["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name)
    }

    fn floats(&self, accessor: &Value) -> Vec<f32> {
        let accessor = &self.document["accessors"][accessor.as_u64().unwrap() as usize];
        assert_eq!(accessor["componentType"], 5126);
        let view = &self.document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let place = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let start = place(&view["byteOffset"]) + place(&accessor["byteOffset"]);
        let each = if accessor["type"] == "VEC3" { 3 } else { 1 };
        let all = &self.bytes[start..start + 4 * each * place(&accessor["count"])];
        all.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
    }

    /// Times and values of what moves a node that way, and whether values hold until the next.
    fn channel(&self, name: &str, way: &str) -> Option<(Vec<f32>, Vec<f32>, bool)> {
        let node = self.number(name).unwrap_or_else(|| panic!("no node {name}"));
        self.document["animations"].as_array().unwrap().iter().find_map(|animation| {
            let own =
                |channel: &&Value| channel["target"]["node"] == node && channel["target"]["path"] == way;
            let channel = animation["channels"].as_array().unwrap().iter().find(own)?;
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let [times, values] = ["input", "output"].map(|which| self.floats(&sampler[which]));
            Some((times, values, sampler["interpolation"] == "STEP"))
        })
    }

    /// How large a node is at a time in seconds: next to nothing while it is not to be seen.
    pub fn size_at(&self, name: &str, time: f32) -> f32 {
        let Some((times, sizes, holds)) = self.channel(name, "scale") else {
            return self.node(name).unwrap()["scale"][0].as_f64().map_or(1.0, |size| size as f32);
        };
        assert!(holds, "bodies do not shrink away");
        sizes[3 * times.iter().rposition(|&key| key <= time).unwrap_or(0)]
    }

    /// Where a node is at a time in seconds: at the nearest key.
    pub fn place_at(&self, name: &str, time: f32) -> [f32; 3] {
        let (times, places, _) = self.channel(name, "translation").unwrap();
        let off = |key: &usize| (times[*key] - time).abs();
        let key = (0..times.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap();
        [places[3 * key], places[3 * key + 1], places[3 * key + 2]]
    }
}
