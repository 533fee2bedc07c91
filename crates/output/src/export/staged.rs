//! The set, things and vehicles in a glTF file, and the user's own set.

use super::ExportError;
use super::animation::Motion;
use super::glb::{Document, Film, turned};
use super::gltf_buffer::{FLOAT, Layout, floats};
use crate::run::VehicleMoment;
use crate::scenery::{self, Block};
use glam::{Quat, Vec3};
use serde_json::json;
use std::collections::BTreeMap;

impl Document {
    /// Floors, walls, things and vehicles of the run.
    pub(super) fn add_set(&mut self, film: &Film<'_>) -> Result<(), ExportError> {
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
        self.add_vehicles(film)
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
            film.seen_only_meanwhile(&mut motion, node, 1.0);
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
            let layout =
                || Layout { component: FLOAT, kind: "VEC3", count: points.len(), normalized: false };
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
