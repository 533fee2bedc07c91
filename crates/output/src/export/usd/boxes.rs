//! Boxes that people carry, in USD.

use super::stage::{Prim, Property, Value};
use crate::export::boxes::placed_boxes;
use crate::export::glb::Agents;
use crate::run::{Prop, Run};
use crate::scenery::{self, Block};
use glam::Vec3;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// A mesh for each box, which is where the run has it, every `every` of the recorded frames.
pub(super) fn boxes(run: &Run, agents: &Agents, records: RangeInclusive<u32>, every: u32) -> Vec<Prim> {
    let start = *records.start();
    let shown: Vec<u32> = records.step_by(every as usize).collect();
    let times: Rc<Vec<f64>> = Rc::new(shown.iter().map(|record| f64::from(record - start)).collect());
    let ways = placed_boxes(run, agents, &shown).into_iter().enumerate();
    ways.map(|(number, (parcel, placed))| {
        let mut before = 0.0;
        let headings = placed.iter().map(|(_, heading)| {
            // Headings go on smoothly, so that in between is in between.
            before += crowdloom_motion::wrap_angle(heading - before);
            Rc::new(Value::Float(before.to_degrees()))
        });
        let headings = headings.collect();
        let places = placed.iter().map(|(at, _)| Rc::new(Value::Vector(*at))).collect();
        let order = ["xformOp:translate", "xformOp:rotateZ"].map(str::to_owned).to_vec();
        let prop = Prop { kind: "box".into(), at: [0.0; 2], heading: 0.0, size: parcel.size };
        let mut properties = vec![
            Property::sampled("xformOp:translate", "float3", &times, places),
            Property::sampled("xformOp:rotateZ", "float", &times, headings),
            Property::uniform("xformOpOrder", "token[]", Value::Tokens(order)),
        ];
        properties.extend(solid(&scenery::thing(&prop)));
        Prim { properties, ..Prim::new("Mesh", format!("Box_{}", number + 1)) }
    })
    .collect()
}

/// What a mesh of solids in the colour of the first is made of.
fn solid(blocks: &[Block]) -> Vec<Property> {
    let points: Vec<Vec3> = blocks.iter().flat_map(|block| block.corners.iter().flatten().copied()).collect();
    let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let colour = blocks.first().map_or([0x80; 3], |block| block.colour);
    let colour = Vec3::from(colour.map(|value| libm::powf(f32::from(value) / 255.0, 2.2)));
    let count = points.len() as i32;
    vec![
        Property::uniform("subdivisionScheme", "token", Value::Token("none".into())),
        Property::fixed("extent", "float3[]", Value::Vectors(vec![low, high])),
        Property::fixed("faceVertexCounts", "int[]", Value::Integers(vec![3; points.len() / 3])),
        Property::fixed("faceVertexIndices", "int[]", Value::Integers((0..count).collect())),
        Property::fixed("points", "point3f[]", Value::Vectors(points)),
        Property::primvar(
            "primvars:displayColor",
            "color3f[]",
            Value::Vectors(vec![colour]),
            ("constant", 1),
        ),
    ]
}
