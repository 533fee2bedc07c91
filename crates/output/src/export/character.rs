//! A rigged character of the user's own: glTF 2.0 as other programs write it, understood as far as wearing it needs.

use super::merge::{Shift, moved};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{Joint, Skeleton};
use glam::{Mat4, Quat, Vec3};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Why a character cannot be worn.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the character {}: {reason}", path.display())]
pub struct CharacterError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// A character: its document, and where its joints are at rest.
#[derive(Clone, Debug)]
pub struct Character {
    path: PathBuf,
    /// Everything but nodes, scenes, skins, animations and buffers: what bodies are made of.
    pub(super) properties: Map<String, Value>,
    /// All buffers, one after the other.
    pub(super) bytes: Vec<u8>,
    /// The nodes of its scene, parents first.
    pub(super) nodes: Vec<Node>,
    /// Skins that its nodes wear.
    pub(super) skins: Vec<Value>,
    /// Hips and all below, in the character's own size; x forward, y left, z up.
    pub(super) skeleton: Skeleton,
    /// The node of each joint of the skeleton.
    pub(super) joints: Vec<usize>,
    /// The turn about the vertical that makes it face +z.
    pub(super) facing: Quat,
}

/// A node of the character's scene.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// As the file has it, without children, skin and skinned mesh.
    pub json: Map<String, Value>,
    /// Its parent among the nodes.
    pub parent: Option<usize>,
    /// From its own space to the scene's, at rest.
    pub rest: Mat4,
    /// The mesh that it wears over a skin: mesh, morph weights and number of the skin.
    pub skinned: Option<(Value, Option<Value>, usize)>,
}

type Reason<T> = Result<T, String>;

impl Character {
    /// Reads a `.glb` or `.gltf` file.
    pub fn read(path: &Path) -> Result<Self, CharacterError> {
        read(path).map_err(|reason| CharacterError { path: path.to_owned(), reason })
    }

    /// The character as it is when what it is made of lies behind other things.
    pub(super) fn moved(&self, by: &Shift) -> Self {
        let mut character = self.clone();
        for node in &mut character.nodes {
            moved(node.json.get_mut("mesh"), by.meshes);
            if let Some((mesh, ..)) = &mut node.skinned {
                moved(Some(mesh), by.meshes);
            }
        }
        for skin in &mut character.skins {
            moved(skin.get_mut("inverseBindMatrices"), by.accessors);
        }
        character
    }

    /// That the character cannot be used, and why.
    pub(super) fn fails(&self, reason: String) -> CharacterError {
        CharacterError { path: self.path.clone(), reason }
    }
}

/// Axes of glTF (x left, y up, z forward) to ours.
fn ours(v: Vec3) -> Vec3 {
    Vec3::new(v.z, v.x, v.y)
}

fn read(path: &Path) -> Reason<Character> {
    let file = std::fs::read(path).map_err(|error| error.to_string())?;
    let (json, binary) = split_glb(&file)?;
    let mut properties: Map<String, Value> =
        serde_json::from_slice(json).map_err(|error| format!("it is no glTF: {error}"))?;
    if properties.get("asset").and_then(|asset| asset["version"].as_str()) != Some("2.0") {
        return Err("it is no glTF 2.0".into());
    }
    if list(&properties, "extensionsRequired").iter().any(|name| name == "EXT_meshopt_compression") {
        return Err("its buffers are compressed with EXT_meshopt_compression; save it without".into());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let bytes = join_buffers(&mut properties, binary, folder)?;
    let (nodes, skins) = scene(&properties)?;
    for gone in ["nodes", "scenes", "scene", "skins", "animations", "buffers", "cameras"] {
        properties.remove(gone);
    }
    let (skeleton, joints, facing) = skeleton(&nodes, &skins)?;
    let bytes_limit = u32::MAX as usize / 2;
    if bytes.len() > bytes_limit {
        return Err("it is larger than 2 GB".into());
    }
    Ok(Character { path: path.to_owned(), properties, bytes, nodes, skins, skeleton, joints, facing })
}

/// The text and the binary part of a `.glb`; a `.gltf` is all text.
pub(super) fn split_glb(file: &[u8]) -> Reason<(&[u8], Option<&[u8]>)> {
    let Some(rest) = file.strip_prefix(b"glTF") else { return Ok((file, None)) };
    let mut chunks = rest.get(8..).ok_or("the file is cut off")?;
    let mut next = || -> Option<(&[u8], &[u8])> {
        let (head, rest) = chunks.split_first_chunk::<8>()?;
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let (contents, rest) = rest.split_at_checked(length)?;
        chunks = rest;
        Some((&head[4..], contents))
    };
    match next() {
        Some((b"JSON", json)) => {
            Ok((json, next().filter(|(kind, _)| *kind == b"BIN\0").map(|(_, bytes)| bytes)))
        }
        _ => Err("the file is cut off or no glTF 2.0".into()),
    }
}

fn list<'a>(object: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn index(value: &Value, below: usize, what: &str) -> Reason<usize> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.filter(|&number| number < below).ok_or_else(|| format!("it refers to a {what} that is not there"))
}

/// The bytes that a reference leads to.
fn resource(uri: &str, folder: &Path) -> Reason<Vec<u8>> {
    use base64::Engine;
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("it has data in an encoding other than base64")?;
        let decoded = base64::engine::general_purpose::STANDARD.decode(text);
        return decoded.map_err(|error| format!("its data is damaged: {error}"));
    }
    let path = beside(uri, folder)?;
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The file in the character's folder that a reference names; nothing outside it is ever read.
fn beside(uri: &str, folder: &Path) -> Reason<PathBuf> {
    let outside = || format!("it refers to `{uri}`, which is not in its folder");
    let name = percent_decoded(uri).ok_or_else(outside)?;
    let is_plain = |part: std::path::Component<'_>| {
        matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir)
    };
    // A colon is part of an address (`file:`, `http:`) or of a drive.
    if name.contains([':', '\\', '\0']) || !Path::new(&name).components().all(is_plain) {
        return Err(outside());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name);
    let unreadable = |error: std::io::Error| format!("{}: {error}", path.display());
    // Links may lead elsewhere.
    let real = std::fs::canonicalize(&path).map_err(unreadable)?;
    let home = std::fs::canonicalize(folder).map_err(unreadable)?;
    if real.starts_with(home) && real.is_file() { Ok(real) } else { Err(outside()) }
}

/// A reference with its escapes, such as `%20`, resolved; `None` where they make no text.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (*first == b'%').then(|| std::str::from_utf8(after.get(..2)?).ok()).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Makes one buffer of all, and takes in images that are files of their own.
pub(super) fn join_buffers(
    properties: &mut Map<String, Value>,
    binary: Option<&[u8]>,
    folder: &Path,
) -> Reason<Vec<u8>> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut starts = Vec::new();
    for buffer in list(properties, "buffers") {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        starts.push(bytes.len());
        match buffer["uri"].as_str() {
            Some(uri) => bytes.extend(resource(uri, folder)?),
            None => bytes.extend(binary.ok_or("its binary part is missing")?),
        }
    }
    let mut views = list(properties, "bufferViews").to_vec();
    for view in &mut views {
        let start = starts[index(&view["buffer"], starts.len(), "buffer")?];
        let offset =
            view.get("byteOffset").map_or(Some(0), Value::as_u64).ok_or("a buffer view is damaged")?;
        let length = view["byteLength"].as_u64().ok_or("a buffer view is damaged")?;
        let begin = (start as u64).saturating_add(offset);
        if begin.saturating_add(length) > bytes.len() as u64 {
            return Err("a buffer view reaches past its buffer".into());
        }
        view["buffer"] = 0.into();
        view["byteOffset"] = begin.into();
    }
    let mut images = list(properties, "images").to_vec();
    for image in &mut images {
        let Some(uri) = image["uri"].as_str().filter(|uri| !uri.starts_with("data:")).map(str::to_owned)
        else {
            continue;
        };
        let picture = resource(&uri, folder)?;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": picture.len() }));
        let kind = if picture.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
        let mut taken_in = json!({ "bufferView": views.len() - 1, "mimeType": kind });
        if let Some(name) = image.get("name") {
            taken_in["name"] = name.clone();
        }
        *image = taken_in;
        bytes.extend(picture);
    }
    properties.insert("bufferViews".into(), views.into());
    if !images.is_empty() {
        properties.insert("images".into(), images.into());
    }
    Ok(bytes)
}

fn numbers<const N: usize>(value: Option<&Value>, default: [f32; N]) -> Reason<[f32; N]> {
    let Some(value) = value else { return Ok(default) };
    let read: Option<Vec<f32>> =
        value.as_array().and_then(|all| all.iter().map(|v| v.as_f64().map(|v| v as f32)).collect());
    let read = read.filter(|all| all.iter().all(|number| number.is_finite()));
    read.and_then(|all| all.try_into().ok()).ok_or_else(|| "the place of a node is no place".to_owned())
}

fn local(node: &Map<String, Value>) -> Reason<Mat4> {
    if let Some(matrix) = node.get("matrix") {
        return Ok(Mat4::from_cols_array(&numbers(Some(matrix), [0.0; 16])?));
    }
    let rotation = Quat::from_array(numbers(node.get("rotation"), [0.0, 0.0, 0.0, 1.0])?);
    let rotation = if rotation.length_squared() > 1e-12 { rotation.normalize() } else { Quat::IDENTITY };
    let translation = numbers(node.get("translation"), [0.0; 3])?.into();
    Ok(Mat4::from_scale_rotation_translation(
        numbers(node.get("scale"), [1.0; 3])?.into(),
        rotation,
        translation,
    ))
}

/// The nodes of the scene, parents first, and the skins that they wear with joints among these nodes.
fn scene(properties: &Map<String, Value>) -> Reason<(Vec<Node>, Vec<Value>)> {
    let (all, all_skins) = (list(properties, "nodes"), list(properties, "skins"));
    let scenes = list(properties, "scenes");
    let chosen = index(properties.get("scene").unwrap_or(&json!(0)), scenes.len(), "scene")?;
    let mut place: Vec<Option<usize>> = vec![None; all.len()];
    let (mut nodes, mut worn): (Vec<Node>, Vec<usize>) = (Vec::new(), Vec::new());
    let roots = scenes[chosen]["nodes"].as_array().cloned().unwrap_or_default();
    // A stack gives parents before children; each entry is a node and the place of its parent.
    let mut waiting: Vec<(Value, Option<usize>)> = roots.into_iter().rev().map(|root| (root, None)).collect();
    while let Some((which, parent)) = waiting.pop() {
        let number = index(&which, all.len(), "node")?;
        if place[number].is_some() {
            return Err("a node has two parents".into());
        }
        place[number] = Some(nodes.len());
        let mut json = all[number].as_object().cloned().ok_or("a node is damaged")?;
        let above = parent.map_or(Mat4::IDENTITY, |parent: usize| nodes[parent].rest);
        let rest = above * local(&json)?;
        json.remove("camera");
        json.remove("extensions");
        let skinned = match json.remove("skin") {
            Some(skin) => {
                let skin = index(&skin, all_skins.len(), "skin")?;
                let skin = worn.iter().position(|&known| known == skin).unwrap_or_else(|| {
                    worn.push(skin);
                    worn.len() - 1
                });
                json.remove("mesh").map(|mesh| (mesh, json.remove("weights"), skin))
            }
            None => None,
        };
        let children = json.remove("children").and_then(|list| list.as_array().cloned()).unwrap_or_default();
        waiting.extend(children.into_iter().rev().map(|child| (child, Some(nodes.len()))));
        nodes.push(Node { json, parent, rest, skinned });
    }
    let mut skins = Vec::new();
    for skin in worn {
        let mut skin = all_skins[skin].clone();
        let joints = skin["joints"].as_array().cloned().unwrap_or_default();
        let joints: Vec<usize> = joints
            .iter()
            .map(|joint| {
                place[index(joint, all.len(), "joint")?]
                    .ok_or_else(|| "a joint is outside the scene".to_owned())
            })
            .collect::<Reason<_>>()?;
        skin["joints"] = json!(joints);
        if let Some(skin) = skin.as_object_mut() {
            skin.remove("skeleton");
        }
        skins.push(skin);
    }
    if skins.iter().all(|skin| skin["joints"].as_array().is_none_or(Vec::is_empty)) {
        return Err("nothing in it is bound to joints (it has no skin)".into());
    }
    Ok((nodes, skins))
}

/// Hips and all joints below, their nodes, and the turn that makes the character face +z.
fn skeleton(nodes: &[Node], skins: &[Value]) -> Reason<(Skeleton, Vec<usize>, Quat)> {
    let named = skins.iter().flat_map(|skin| skin["joints"].as_array().into_iter().flatten());
    let mut bones: BTreeSet<usize> = named.filter_map(Value::as_u64).map(|joint| joint as usize).collect();
    for joint in bones.clone() {
        bones.extend(line(nodes, joint));
    }
    let bones: Vec<usize> = bones.into_iter().collect();
    // All bones under one root, for the names.
    let mut joints = vec![Joint { name: "(scene)".into(), parent: None, offset: Vec3::ZERO, tip: None }];
    for &bone in &bones {
        let parent = nodes[bone].parent.and_then(|parent| bones.binary_search(&parent).ok());
        let name = nodes[bone].json.get("name").and_then(Value::as_str).unwrap_or("joint");
        let taken = |name: &str| joints.iter().any(|joint| joint.name == name);
        let name = if taken(name) { format!("{name} #{bone}") } else { name.to_owned() };
        let parent = Some(parent.map_or(0, |parent| parent as u16 + 1));
        joints.push(Joint { name, parent, offset: Vec3::ZERO, tip: None });
    }
    let whole = Skeleton::new(joints).map_err(|error| error.to_string())?;
    let body = Body::guess(&whole);
    let part = |side, part| body.limb(side, part).map(|joint| bones[joint - 1]);
    let (Some(left), Some(right)) = (part(Side::Left, LimbPart::UpLeg), part(Side::Right, LimbPart::UpLeg))
    else {
        let names: Vec<&str> = whole.joints()[1..].iter().take(12).map(|joint| joint.name.as_str()).collect();
        return Err(format!(
            "its legs are not recognised by the names of their joints, which start with {}; names like \
             LeftUpLeg, LeftLeg, LeftFoot (or thigh, shin, foot with _L and _R) are",
            names.join(", ")
        ));
    };
    // The lowest node that carries both legs.
    let over_left: Vec<usize> = line(nodes, left).collect();
    let hips =
        line(nodes, right).find(|node| over_left.contains(node)).ok_or("its legs have no common hips")?;
    let position = |node: usize| nodes[node].rest.transform_point3(Vec3::ZERO);
    let forward = (position(left) - position(right)).cross(Vec3::Y);
    let quarters = (libm::atan2f(forward.x, forward.z) / std::f32::consts::FRAC_PI_2).round();
    let facing = Quat::from_rotation_y(-quarters * std::f32::consts::FRAC_PI_2);
    let below: Vec<usize> =
        bones.iter().copied().filter(|&bone| line(nodes, bone).any(|node| node == hips)).collect();
    let joints = below.iter().map(|&bone| {
        let name = whole.joints()[bones.binary_search(&bone).unwrap_or(0) + 1].name.clone();
        let parent = nodes[bone].parent.and_then(|parent| below.binary_search(&parent).ok());
        let place = ours(facing * position(bone));
        let offset = match parent {
            Some(parent) => place - ours(facing * position(below[parent])),
            None => Vec3::new(0.0, 0.0, place.z),
        };
        Joint { name, parent: parent.map(|parent| parent as u16), offset, tip: None }
    });
    let skeleton = Skeleton::new(joints.collect()).map_err(|error| error.to_string())?;
    Ok((skeleton, below, facing))
}

/// A node and all above it.
fn line(nodes: &[Node], node: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(node), |&node| nodes[node].parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Hips at 90 cm with two legs, in centimetres under an armature, turned about the vertical.
    fn rig(turn: f32) -> Value {
        let (sin, cos) = libm::sincosf(turn * 0.5);
        let joint = |name: &str, place: [f32; 3], children: Vec<usize>| {
            let mut node = json!({ "name": name, "translation": place });
            if !children.is_empty() {
                node["children"] = children.into();
            }
            node
        };
        json!({
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0, 8] }],
            "nodes": [
                { "name": "Armature", "scale": [0.01, 0.01, 0.01], "rotation": [0.0, sin, 0.0, cos], "children": [1] },
                joint("Hips", [0.0, 90.0, 0.0], vec![2, 5]),
                joint("thigh_L", [10.0, -5.0, 0.0], vec![3]),
                joint("shin_L", [0.0, -40.0, 0.0], vec![4]),
                joint("foot_L", [0.0, -40.0, 0.0], vec![]),
                joint("thigh_R", [-10.0, -5.0, 0.0], vec![6]),
                joint("shin_R", [0.0, -40.0, 0.0], vec![7]),
                joint("foot_R", [0.0, -40.0, 0.0], vec![]),
                { "name": "Body", "mesh": 0, "skin": 0 },
            ],
            "meshes": [{ "primitives": [] }],
            "skins": [{ "joints": [1, 2, 3, 4, 5, 6, 7] }],
        })
    }

    fn read_text(text: &[u8]) -> Result<Character, CharacterError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("character.gltf");
        std::fs::write(&path, text).unwrap();
        Character::read(&path)
    }

    fn reason(document: &Value) -> String {
        read_text(document.to_string().as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_rig_is_understood_whichever_way_it_faces() {
        for turn in [0.0, 90.0f32, 180.0, -90.0] {
            let character = read_text(rig(turn.to_radians()).to_string().as_bytes()).unwrap();
            let joints = character.skeleton.joints();
            let thigh = character.skeleton.find("thigh_L").unwrap();
            assert_eq!(joints[0].name, "Hips");
            assert!((joints[0].offset - Vec3::new(0.0, 0.0, 0.9)).length() < 1e-5);
            assert!((joints[thigh].offset - Vec3::new(0.0, 0.1, -0.05)).length() < 1e-5, "turned by {turn}");
            assert_eq!((character.joints[0], character.skins.len()), (1, 1));
        }
    }

    #[test]
    fn what_cannot_be_worn_is_said() {
        let broken = |change: &dyn Fn(&mut Value)| {
            let mut document = rig(0.0);
            change(&mut document);
            reason(&document)
        };
        assert!(broken(&|d| d["asset"]["version"] = "1.0".into()).contains("no glTF 2.0"));
        assert!(broken(&|d| d["nodes"][8]["skin"] = 3.into()).contains("skin that is not there"));
        assert!(broken(&|d| d["nodes"][4]["children"] = json!([1])).contains("two parents"));
        assert!(broken(&|d| d["nodes"][8] = json!({})).contains("no skin"));
        assert!(broken(&|d| d["nodes"][2]["name"] = "bone".into()).contains("legs are not recognised"));
        assert!(broken(&|d| d["nodes"][2]["translation"] = json!([1, "a", 2])).contains("no place"));
        assert!(broken(&|d| d["scenes"] = json!([])).contains("scene that is not there"));
        assert!(reason(&json!("text")).contains("no glTF"));
        assert!(read_text(b"glTF\x02\0\0\0\xff\xff").unwrap_err().to_string().contains("cut off"));
    }

    #[test]
    fn nothing_outside_its_folder_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        std::fs::create_dir_all(own.join("parts")).unwrap();
        for file in ["secret.bin", "own/a b.bin", "own/parts/c.bin"] {
            std::fs::write(folder.path().join(file), [0; 64]).unwrap();
        }
        let read_with = |uri: &str| {
            let mut document = rig(0.0);
            document["buffers"] = json!([{ "byteLength": 64, "uri": uri }]);
            let path = own.join("character.gltf");
            std::fs::write(&path, document.to_string()).unwrap();
            Character::read(&path).map_err(|error| error.to_string())
        };
        for uri in ["a b.bin", "a%20b.bin", "parts/c.bin", "./parts/c.bin"] {
            assert!(read_with(uri).is_ok(), "{uri}: {:?}", read_with(uri).err());
        }
        let secret = folder.path().join("secret.bin").to_string_lossy().into_owned();
        let (file, escaped) = (format!("file://{secret}"), "%2e%2e/secret.bin");
        let mut outside =
            vec![secret.as_str(), &file, escaped, "../secret.bin", "parts/../../secret.bin", "parts"];
        outside.extend(["..\\secret.bin", "/dev/zero", "http://example.org/a.bin"]);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.bin", own.join("link.bin")).unwrap();
            outside.push("link.bin");
        }
        for uri in outside {
            let refused = read_with(uri).err().unwrap_or_else(|| panic!("{uri} was read"));
            assert!(refused.contains("not in its folder"), "{uri}: {refused}");
        }
    }

    proptest! {
        #[test]
        fn damage_is_no_disaster(place in any::<prop::sample::Index>(), byte in any::<u8>(), turn in -4.0f32..4.0) {
            let mut text = rig(turn).to_string().into_bytes();
            let place = place.index(text.len());
            text[place] = byte;
            let _ = read_text(&text);
        }
    }
}
