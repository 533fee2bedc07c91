//! The meshes of a character: whether its joints can move them.

use glam::Vec3;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Accessor, Index, Root};

type Reason<T> = Result<T, String>;

/// Checks all meshes that wear a skin. Returns what is unusual and still can be worn, to be told.
pub(super) fn check(root: &Root, bytes: &[u8]) -> Reason<Vec<String>> {
    let mut remarks = Vec::new();
    for node in &root.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        let (mesh, joints) = (&root.meshes[mesh.value()], root.skins[skin.value()].joints.len());
        let name = mesh.name.as_deref().or(node.name.as_deref()).unwrap_or("without a name");
        for primitive in &mesh.primitives {
            let own = check_primitive(root, bytes, primitive, joints)
                .map_err(|reason| format!("its mesh `{name}`: {reason}"))?;
            remarks.extend(own.into_iter().map(|remark| format!("its mesh `{name}` {remark}")));
        }
    }
    Ok(remarks)
}

fn check_primitive(root: &Root, bytes: &[u8], primitive: &Primitive, joints: usize) -> Reason<Vec<String>> {
    let mut remarks = Vec::new();
    let attribute = |semantic: Semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
    let read = |index: Option<Index<Accessor>>, of: Type| match index {
        Some(index) => numbers(root, bytes, &root.accessors[index.value()], of),
        None => Ok(None),
    };
    let positions = read(attribute(Semantic::Positions), Type::Vec3)?;
    let (bound, weighed) = (attribute(Semantic::Joints(0)), attribute(Semantic::Weights(0)));
    if bound.is_none() || weighed.is_none() {
        return Err("its points are bound to no joints (JOINTS_0 and WEIGHTS_0 are missing)".into());
    }
    if let Some(positions) = &positions {
        let bad = positions.chunks(3).filter(|point| point.iter().any(|value| !value.is_finite())).count();
        if bad > 0 {
            return Err(format!("{bad} of its points are nowhere (places that are no numbers)"));
        }
    }
    if let Some(weights) = read(weighed, Type::Vec4)? {
        let bad =
            weights.chunks(4).filter(|own| !own.iter().all(|weight| *weight >= 0.0 && weight.is_finite()));
        let bad = bad.count();
        if bad > 0 {
            return Err(format!(
                "{bad} of its points have weights that are no numbers from 0 on; weigh it anew"
            ));
        }
        let loose = weights.chunks(4).filter(|own| own.iter().sum::<f32>() < 1e-3).count();
        if loose > 0 {
            remarks.push(format!("has {loose} points that no joint moves"));
        }
    }
    if let Some(bound) = read(bound, Type::Vec4)?
        && let Some(beyond) = bound.iter().find(|joint| **joint as usize >= joints)
    {
        return Err(format!("it is bound to joint {beyond}, but its skin has {joints}"));
    }
    if attribute(Semantic::Normals).is_none() {
        remarks.push("has no normals: most programs will show it with flat facets".into());
    }
    if let (Some(positions), Checked::Valid(Mode::Triangles)) = (positions, primitive.mode) {
        let count = positions.len() / 3;
        let corners = match read(primitive.indices, Type::Scalar)? {
            Some(indices) => indices.into_iter().map(|index| index as usize).collect(),
            None if primitive.indices.is_none() => (0..count).collect(),
            None => Vec::new(),
        };
        if let Some(beyond) = corners.iter().find(|index| **index >= count) {
            return Err(format!("a triangle has the corner {beyond}, but there are {count} points"));
        }
        let point = |index: usize| Vec3::from_slice(&positions[index * 3..index * 3 + 3]);
        let flat = |corners: &[usize]| {
            let [a, b, c] = [0, 1, 2].map(|corner| point(corners[corner]));
            (b - a).cross(c - a).length_squared() <= 1e-18
        };
        let (flat, all) = (corners.chunks_exact(3).filter(|own| flat(own)).count(), corners.len() / 3);
        if flat > 0 {
            remarks.push(format!("has {flat} triangles of {all} without area, which nobody sees"));
        }
    }
    Ok(remarks)
}

/// The numbers of an accessor; nothing where they are packed in a way of some extension.
fn numbers(root: &Root, bytes: &[u8], accessor: &Accessor, of: Type) -> Reason<Option<Vec<f32>>> {
    let cut_short = || "an accessor reaches past its data".to_owned();
    let (Some(view), None) = (accessor.buffer_view, &accessor.sparse) else { return Ok(None) };
    let (Checked::Valid(kind), Checked::Valid(own)) = (&accessor.component_type, accessor.type_) else {
        return Err("an accessor has a type that glTF does not know".into());
    };
    if own != of {
        return Err(format!("an accessor holds {own:?} where {of:?} belongs"));
    }
    let (kind, view) = (kind.0, &root.buffer_views[view.value()]);
    if view.extensions.is_some() && root.extensions_required.iter().any(|name| name.contains("compression")) {
        return Ok(None);
    }
    let (size, width) = (kind.size(), own.multiplicity());
    let stride = view.byte_stride.map_or(size * width, |stride| stride.0);
    let begin = view.byte_offset.unwrap_or_default().0 as usize;
    let data = bytes.get(begin..begin.saturating_add(view.byte_length.0 as usize)).ok_or_else(cut_short)?;
    let from = accessor.byte_offset.unwrap_or_default().0 as usize;
    let count = accessor.count.0 as usize;
    let last =
        count.saturating_sub(1).checked_mul(stride).and_then(|last| last.checked_add(from + size * width));
    if count > 0 && last.is_none_or(|last| last > data.len()) {
        return Err(cut_short());
    }
    let most = if accessor.normalized { (1u64 << (8 * size.min(2))) as f32 - 1.0 } else { 1.0 };
    let number = |at: usize| -> f32 {
        let own = &data[at..at + size];
        match kind {
            ComponentType::I8 => f32::from(own[0] as i8) / most,
            ComponentType::U8 => f32::from(own[0]) / most,
            ComponentType::I16 => f32::from(i16::from_le_bytes([own[0], own[1]])) / most,
            ComponentType::U16 => f32::from(u16::from_le_bytes([own[0], own[1]])) / most,
            ComponentType::U32 => u32::from_le_bytes([own[0], own[1], own[2], own[3]]) as f32,
            ComponentType::F32 => f32::from_le_bytes([own[0], own[1], own[2], own[3]]),
        }
    };
    let places = (0..count).flat_map(|row| (0..width).map(move |column| from + row * stride + column * size));
    Ok(Some(places.map(number).collect()))
}
