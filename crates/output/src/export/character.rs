//! A rigged character of the user's own: glTF 2.0 as other programs write it, understood as far as wearing it needs.

use super::flesh;
use super::gltf_file::{GltfFile, object};
use super::merge::{Shift, moved};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{Joint, Skeleton};
use glam::{Mat4, Quat, Vec3};
use gltf::json::Root;
use gltf::scene::Transform;
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
    remarks: Vec<String>,
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

    /// What is unusual about it and may be seen, in plain words.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
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
    let GltfFile { mut root, bytes } = GltfFile::read(path)?;
    let (nodes, skins) = scene(&root)?;
    let remarks = flesh::check(&root, &bytes)?;
    root.nodes.clear();
    root.scenes.clear();
    root.scene = None;
    root.skins.clear();
    root.animations.clear();
    root.buffers.clear();
    root.cameras.clear();
    let properties = object(&root)?;
    let (skeleton, joints, facing) = skeleton(&nodes, &skins)?;
    Ok(Character {
        path: path.to_owned(),
        properties,
        bytes,
        nodes,
        skins,
        skeleton,
        joints,
        facing,
        remarks,
    })
}

/// From a node's own space to that of the node above it.
fn local(node: &gltf::Node<'_>) -> Reason<Mat4> {
    let local = match node.transform() {
        Transform::Matrix { matrix } => Mat4::from_cols_array_2d(&matrix),
        Transform::Decomposed { translation, rotation, scale } => {
            let rotation = Quat::from_array(rotation);
            let is_turn = rotation.length_squared() > 1e-12;
            let rotation = if is_turn { rotation.normalize() } else { Quat::IDENTITY };
            Mat4::from_scale_rotation_translation(scale.into(), rotation, translation.into())
        }
    };
    if local.is_finite() { Ok(local) } else { Err("the place of a node is no place".into()) }
}

/// The nodes of the scene, parents first, and the skins that they wear with joints among these nodes.
fn scene(root: &Root) -> Reason<(Vec<Node>, Vec<Value>)> {
    let document = gltf::Document::from_json_without_validation(root.clone());
    let shown = document.default_scene().or_else(|| document.scenes().next());
    let shown = shown.ok_or("it refers to a scene that is not there")?;
    let mut place: Vec<Option<usize>> = vec![None; root.nodes.len()];
    let (mut nodes, mut worn): (Vec<Node>, Vec<usize>) = (Vec::new(), Vec::new());
    let roots: Vec<_> = shown.nodes().collect();
    // A stack gives parents before children; each entry is a node and the place of its parent.
    let mut waiting: Vec<(gltf::Node<'_>, Option<usize>)> =
        roots.into_iter().rev().map(|root| (root, None)).collect();
    while let Some((node, parent)) = waiting.pop() {
        if place[node.index()].replace(nodes.len()).is_some() {
            return Err("a node has two parents".into());
        }
        let mut json = object(&root.nodes[node.index()])?;
        let above = parent.map_or(Mat4::IDENTITY, |parent: usize| nodes[parent].rest);
        let rest = above * local(&node)?;
        for gone in ["camera", "extensions", "skin", "children"] {
            json.remove(gone);
        }
        let skinned = node.skin().and_then(|skin| {
            let skin = worn.iter().position(|&known| known == skin.index()).unwrap_or_else(|| {
                worn.push(skin.index());
                worn.len() - 1
            });
            json.remove("mesh").map(|mesh| (mesh, json.remove("weights"), skin))
        });
        let children: Vec<_> = node.children().collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, Some(nodes.len()))));
        nodes.push(Node { json, parent, rest, skinned });
    }
    let mut skins = Vec::new();
    for skin in worn.into_iter().map(|skin| &root.skins[skin]) {
        let joints: Option<Vec<usize>> = skin.joints.iter().map(|joint| place[joint.value()]).collect();
        let mut copy = object(skin)?;
        copy.remove("skeleton");
        copy.insert("joints".into(), json!(joints.ok_or("a joint is outside the scene")?));
        skins.push(Value::Object(copy));
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
        assert!(broken(&|d| d["nodes"][8]["skin"] = 3.into()).contains("not there (nodes[8].skin)"));
        assert!(broken(&|d| d["nodes"][4]["children"] = json!([1])).contains("two parents"));
        assert!(broken(&|d| d["nodes"][8] = json!({})).contains("no skin"));
        assert!(broken(&|d| d["nodes"][2]["name"] = "bone".into()).contains("legs are not recognised"));
        assert!(broken(&|d| d["nodes"][2]["translation"] = json!([1, "a", 2])).contains("no glTF"));
        assert!(broken(&|d| d["nodes"][2]["translation"] = json!([1e30, 1e39, 2])).contains("no "));
        assert!(broken(&|d| d["scenes"] = json!([])).contains("scene that is not there"));
        assert!(reason(&json!("text")).contains("no glTF"));
        for head in [&b"glTF\x02\0\0\0\xff\xff"[..], b"glTF\x02\0\0\0\x03\0\0\0", b"glTF\x02\0\0\0\xff\0\0\0"]
        {
            assert!(read_text(head).unwrap_err().to_string().contains("cut off"));
        }
    }

    #[test]
    fn what_is_unknown_is_passed_on() {
        let mut document = rig(0.0);
        let own = json!({ "ACME_glow": { "strength": 3 } });
        document["extensionsUsed"] = json!(["ACME_glow"]);
        document["extensionsRequired"] = json!(["ACME_glow"]);
        document["materials"] = json!([{ "extensions": own, "extras": { "by": "hand" } }]);
        let character = read_text(document.to_string().as_bytes()).unwrap();
        assert_eq!(character.properties["materials"][0]["extensions"], own);
        assert_eq!(character.properties["materials"][0]["extras"]["by"], "hand");
        assert_eq!(character.properties["extensionsRequired"], json!(["ACME_glow"]));
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
