//! The set, things and vehicles in a glTF file, and the user's own set.

use super::ExportError;
use super::animation::Motion;
use super::boxes::placed_boxes;
use super::glb::{Agents, Document, Film, turned};
use super::gltf_buffer::{FLOAT, Layout, floats};
use super::gltf_file::{GltfFile, object};
use super::merge::moved;
use crate::run::{Prop, SetModel, VehicleMoment};
use crate::scenery::{self, Block};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

impl Document {
    /// Floors, walls, things, boxes that people carry, and vehicles of the run.
    pub(super) fn add_set(&mut self, film: &Film<'_>, agents: &Agents) -> Result<(), ExportError> {
        let header = film.run.header();
        let mut blocks: BTreeMap<(String, [u8; 3]), Vec<[Vec3; 3]>> = BTreeMap::new();
        let ground = if header.staging.bare { Vec::new() } else { scenery::ground(header) };
        for block in ground.into_iter().chain(header.props.iter().flat_map(scenery::thing)) {
            blocks.entry((block.name, block.colour)).or_default().extend(block.corners);
        }
        for ((name, colour), corners) in blocks {
            let node = self.add_solid(&name, &[Block { name: name.clone(), colour, corners }]);
            self.roots.push(node);
        }
        if let Some(model) = &header.staging.model {
            self.add_own_set(model)?;
        }
        self.add_parcels(film, agents);
        self.add_vehicles(film)
    }

    /// Boxes are on the ground, or in the hands of who has them.
    fn add_parcels(&mut self, film: &Film<'_>, agents: &Agents) {
        let records: Vec<u32> = film.records().step_by(film.every() as usize).collect();
        for (number, (parcel, placed)) in placed_boxes(film.run, agents, &records).into_iter().enumerate() {
            let prop = Prop { kind: "box".into(), at: [0.0; 2], heading: 0.0, size: parcel.size };
            let node = self.add_solid(&format!("box {}", number + 1), &scenery::thing(&prop));
            self.roots.push(node);
            let mut motion = Motion::at(records.iter().map(|&record| film.seconds_of(record)).collect());
            motion.places(node, placed.iter().map(|(at, _)| turned(*at)).collect());
            let turns = placed.iter().map(|(_, heading)| Quat::from_rotation_y(*heading));
            motion.turns(node, parcel.size[0], turns.collect());
            self.add_animation(&format!("box {}", number + 1), motion);
        }
    }

    /// Vehicles go where the run has them, and are seen only then.
    fn add_vehicles(&mut self, film: &Film<'_>) -> Result<(), ExportError> {
        let run = film.run;
        let mut ways: BTreeMap<usize, Vec<(f32, VehicleMoment)>> = BTreeMap::new();
        for (time, moment) in film.vehicles()? {
            ways.entry(usize::from(moment.vehicle)).or_default().push((time, moment));
        }
        for (number, way) in ways {
            let Some(shape) = run.header().vehicles.get(number) else { continue };
            let node = self.add_solid(&shape.name, &scenery::vehicle(shape));
            self.roots.push(node);
            let mut motion = Motion::at(way.iter().map(|(time, _)| *time).collect());
            let place = |moment: &VehicleMoment| turned(moment.placement.position.extend(0.0));
            motion.places(node, way.iter().map(|(_, moment)| place(moment)).collect());
            let turn = |moment: &VehicleMoment| Quat::from_rotation_y(moment.placement.heading);
            motion.turns(node, shape.length, way.iter().map(|(_, moment)| turn(moment)).collect());
            film.seen_only_meanwhile(&mut motion, node, 1.0, None);
            self.add_animation(&format!("vehicle {}", shape.name), motion);
        }
        Ok(())
    }

    /// A node with a mesh of solids, shaded flat.
    fn add_solid(&mut self, name: &str, blocks: &[Block]) -> usize {
        let mut primitives = Vec::new();
        for block in blocks {
            let points: Vec<Vec3> = block.corners.iter().flatten().map(|&p| turned(p)).collect();
            let normals = block.corners.iter().flat_map(|&[a, b, c]| {
                let normal = turned((b - a).cross(c - a)).normalize_or(Vec3::Y);
                [normal; 3]
            });
            let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min).to_array();
            let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max).to_array();
            let layout = || Layout { component: FLOAT, kind: "VEC3", count: points.len(), normalized: false };
            let position = floats(points.iter().flat_map(|p| p.to_array()));
            let range = Some((json!(low), json!(high)));
            let position = self.buffer.single(Some(34962), &position, layout(), range);
            let normal = floats(normals.flat_map(|n| n.to_array()));
            let normal = self.buffer.single(Some(34962), &normal, layout(), None);
            let [r, g, b] = block.colour.map(|value| libm::powf(f32::from(value) / 255.0, 2.2));
            self.materials.push(json!({ "name": block.name, "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9,
            }}));
            primitives.push(json!({
                "attributes": { "POSITION": position, "NORMAL": normal }, "material": self.materials.len() - 1,
            }));
        }
        self.meshes.push(json!({ "name": name, "primitives": primitives }));
        self.nodes.push(json!({ "name": name, "mesh": self.meshes.len() - 1 }));
        self.nodes.len() - 1
    }
}

impl Document {
    /// The user's own set, where the run has it.
    fn add_own_set(&mut self, model: &SetModel) -> Result<(), ExportError> {
        let wrong = |reason: String| ExportError::Set(reason);
        let file = STANDARD.decode(&model.data).map_err(|error| wrong(error.to_string()))?;
        let GltfFile { root, bytes } = GltfFile::of(&file, Path::new("")).map_err(wrong)?;
        let mut properties = object(&root).map_err(wrong)?;
        let mut list = |name: &str| match properties.remove(name) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        };
        let (nodes, skins, scenes) = (list("nodes"), list("skins"), list("scenes"));
        let chosen = properties.remove("scene").and_then(|scene| scene.as_u64()).unwrap_or(0);
        for gone in ["animations", "buffers", "cameras"] {
            properties.remove(gone);
        }
        let by = self.take_in(properties, &bytes);
        // The node that places it, then its own.
        let (placed, first) = (self.nodes.len(), self.nodes.len() + 1);
        let numbers = |list: Option<&Value>| -> Vec<u64> {
            let all = list.and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_u64).filter(|&node| node < nodes.len() as u64).collect()
        };
        let after = |list: Vec<u64>| list.into_iter().map(|node| node + first as u64).collect::<Vec<u64>>();
        let roots = scenes.get(chosen as usize).map(|scene| numbers(scene.get("nodes"))).unwrap_or_default();
        let turn = Quat::from_rotation_y(model.heading).to_array();
        let [x, y] = model.at;
        self.nodes.push(json!({
            "name": "set", "children": after(roots), "translation": turned(Vec3::new(x, y, 0.0)).to_array(),
            "rotation": turn, "scale": [model.scale, model.scale, model.scale],
        }));
        for mut node in nodes.clone() {
            let children = numbers(node.get("children"));
            if let Some(node) = node.as_object_mut() {
                node.remove("camera");
                node.remove("children");
                node.remove("extensions");
            }
            if !children.is_empty() {
                node["children"] = json!(after(children));
            }
            moved(node.get_mut("mesh"), by.meshes);
            moved(node.get_mut("skin"), self.skins.len());
            self.nodes.push(node);
        }
        self.skins.extend(skins.into_iter().map(|mut skin| {
            moved(skin.get_mut("inverseBindMatrices"), by.accessors);
            moved(skin.get_mut("skeleton"), first);
            let joints = skin.get_mut("joints").and_then(Value::as_array_mut).into_iter().flatten();
            joints.for_each(|joint| moved(Some(joint), first));
            skin
        }));
        self.roots.push(placed);
        Ok(())
    }
}
