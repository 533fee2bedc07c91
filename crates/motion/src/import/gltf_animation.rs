//! Reader of animations in glTF 2.0 files (`.glb`, `.gltf`), of the bodies that have a skin.
//!
//! Joints of glTF are turned as they please at rest. A capture's joints are not: what is kept of a joint is how far it is turned
//! from its bind pose in space.

use super::capture::{Capture, CaptureJoint, MAX_JOINTS};
use super::text::{FileError, MAX_FILE_BYTES};
use crate::gltf_parts::{has_sound_head, resource};
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use gltf::accessor::{DataType, Dimensions};
use gltf::animation::{Interpolation, Property};
use std::collections::BTreeSet;
use std::path::Path;

/// Frames in a second between which those of a file may have its keys, …
const RATES: [f64; 2] = [10.0, 240.0];
/// … and where it has too few.
const USUAL_RATE: f64 = 30.0;
/// The longest animation that is read, in seconds.
const LONGEST: f64 = 7200.0;
/// No more turns of joints than this are read, over all frames, …
const MOST_TURNS: usize = 10_000_000;
/// … and no more nodes.
const MOST_NODES: usize = 10_000;

/// A motion of a file that holds several.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// What tells it from the others of its file: the names of body and animation, or their numbers; nothing where it is the only one.
    pub name: String,
    /// The motion.
    pub capture: Capture,
}

/// Reads every animation of every body of a file.
pub fn read_gltf(path: &Path) -> Result<Vec<Take>, FileError> {
    let whole = |problem: String| FileError::whole(path, problem);
    let length = std::fs::metadata(path).map_err(|error| whole(format!("cannot be opened: {error}")))?.len();
    if length > MAX_FILE_BYTES {
        return Err(whole(format!(
            "holds {} MiB; {} MiB are read at most",
            length >> 20,
            MAX_FILE_BYTES >> 20
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| whole(format!("cannot be read: {error}")))?;
    parse_gltf(&bytes, path.parent().unwrap_or(Path::new("."))).map_err(whole)
}

/// Reads the contents of a file whose buffers may be files of `folder`.
pub fn parse_gltf(bytes: &[u8], folder: &Path) -> Result<Vec<Take>, String> {
    if !has_sound_head(bytes) {
        return Err("is cut off or no glTF 2.0".into());
    }
    let read = gltf::Gltf::from_slice(bytes).map_err(|error| format!("is no glTF 2.0: {error}"))?;
    let document = read.document;
    let buffers = document
        .buffers()
        .map(|buffer| match buffer.source() {
            gltf::buffer::Source::Bin => read.blob.clone().ok_or("its binary part is missing".to_owned()),
            gltf::buffer::Source::Uri(uri) => resource(uri, folder),
        })
        .collect::<Result<Vec<_>, _>>()?;
    if document.nodes().len() > MOST_NODES {
        return Err(format!("has more than {MOST_NODES} nodes"));
    }
    let file = File { document: &document, buffers };
    let bodies = bodies(&document);
    if bodies.is_empty() {
        return Err("has no body with a skin".into());
    }
    if document.animations().len() == 0 {
        return Err("has no animation".into());
    }
    let (many_bodies, many_animations) = (bodies.len() > 1, document.animations().len() > 1);
    let (mut takes, mut turns) = (Vec::new(), 0);
    for (number, skin) in bodies.iter().enumerate() {
        let joints: BTreeSet<usize> = skin.joints().map(|joint| joint.index()).collect();
        let moves = |animation: &gltf::Animation<'_>| {
            animation.channels().any(|channel| joints.contains(&channel.target().node().index()))
        };
        for animation in document.animations().filter(moves) {
            let named =
                |own: Option<&str>, number: usize| own.map_or((number + 1).to_string(), str::to_owned);
            let body = many_bodies.then(|| named(skin.name(), number));
            let own = many_animations.then(|| named(animation.name(), animation.index()));
            let name = [body, own].into_iter().flatten().collect::<Vec<_>>().join(" ");
            let capture = file.capture(skin, &animation)?;
            turns += capture.rotations.len();
            if turns > MOST_TURNS {
                return Err(format!("has more than {MOST_TURNS} turns of joints in all its motions"));
            }
            takes.push(Take { name, capture });
        }
    }
    if takes.is_empty() { Err("has no animation that moves a body with a skin".into()) } else { Ok(takes) }
}

/// The skins of a file that are bodies of their own: of those that share joints, as body and hair do, the one with the most.
fn bodies(document: &gltf::Document) -> Vec<gltf::Skin<'_>> {
    let mut skins: Vec<gltf::Skin<'_>> = document.skins().collect();
    skins.sort_by_key(|skin| (usize::MAX - skin.joints().count(), skin.index()));
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut apart = |skin: &gltf::Skin<'_>| {
        let own: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        let free = own.iter().all(|joint| !taken.contains(joint));
        taken.extend(own);
        free
    };
    let mut bodies: Vec<gltf::Skin<'_>> = skins.into_iter().filter(|skin| apart(skin)).collect();
    bodies.sort_by_key(|skin| skin.index());
    bodies
}

/// What is known of an animated node: its own numbers, and what changes over time.
struct Node {
    parent: Option<usize>,
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
    moves: Option<Keys>,
    turns: Option<Keys>,
}

/// Values at moments.
struct Keys {
    times: Vec<f64>,
    values: Vec<[f64; 4]>,
    steps: bool,
}

impl Keys {
    /// The values on both sides of a moment, and how far it is between them.
    fn around(&self, time: f64) -> ([f64; 4], [f64; 4], f64) {
        let after = self.times.partition_point(|own| *own <= time);
        let last = self.times.len() - 1;
        let (a, b) = (after.saturating_sub(1).min(last), after.min(last));
        let span = self.times[b] - self.times[a];
        let part = if span > 0.0 && !self.steps { (time - self.times[a]) / span } else { 0.0 };
        (self.values[a], self.values[b], part)
    }
}

struct File<'a> {
    document: &'a gltf::Document,
    buffers: Vec<Vec<u8>>,
}

impl File<'_> {
    fn capture(&self, skin: &gltf::Skin<'_>, animation: &gltf::Animation<'_>) -> Result<Capture, String> {
        let mut nodes: Vec<Node> = self.document.nodes().map(|node| still(&node)).collect();
        for node in self.document.nodes() {
            for child in node.children() {
                nodes[child.index()].parent = Some(node.index());
            }
        }
        let order = parents_first(&nodes)?;
        let mut seconds = 0.0f64;
        for channel in animation.channels() {
            let times = self.numbers(&channel.sampler().input())?;
            seconds = times.iter().map(|time| time[0]).fold(seconds, f64::max);
        }
        if !(seconds > 0.0 && seconds <= LONGEST) {
            return Err(format!("has an animation of {seconds} seconds; from 0 to {LONGEST} are read"));
        }
        let mut spacing = Vec::new();
        for channel in animation.channels() {
            let (sampler, target) = (channel.sampler(), channel.target());
            let property = target.property();
            if !matches!(property, Property::Translation | Property::Rotation) {
                continue;
            }
            let times: Vec<f64> = self.numbers(&sampler.input())?.iter().map(|time| time[0]).collect();
            let mut values = self.numbers(&sampler.output())?;
            if sampler.interpolation() == Interpolation::CubicSpline {
                // Of tangent, value and tangent the value is taken: keys are close to each other.
                values = values.into_iter().skip(1).step_by(3).collect();
            }
            if times.is_empty() || values.len() != times.len() || !times.is_sorted() {
                return Err("has an animation whose keys do not fit together".into());
            }
            spacing.extend(times.windows(2).map(|pair| pair[1] - pair[0]).filter(|span| *span > 1e-6));
            let keys = Some(Keys { times, values, steps: sampler.interpolation() == Interpolation::Step });
            let node = &mut nodes[target.node().index()];
            match property {
                Property::Translation => node.moves = keys,
                _ => node.turns = keys,
            }
        }
        spacing.sort_by(f64::total_cmp);
        let usual = spacing.get(spacing.len() / 2).map_or(USUAL_RATE, |span| 1.0 / span);
        let rate = if (RATES[0]..=RATES[1]).contains(&usual) { usual.round() } else { USUAL_RATE };
        let chain = self.joints(skin, &nodes, &order)?;
        let frames = (seconds * rate).round() as usize + 1;
        if frames * chain.nodes.len() > MOST_TURNS {
            let (joints, most) = (chain.nodes.len(), MOST_TURNS / chain.nodes.len());
            return Err(format!("has {frames} frames of {joints} joints; {most} of that many are read"));
        }
        let mut capture = Capture {
            joints: chain.joints,
            frame_time: Some(1.0 / rate),
            root_positions: Vec::with_capacity(frames),
            rotations: Vec::with_capacity(frames * chain.nodes.len()),
            notes: Vec::new(),
        };
        // Other bodies of the file are of no interest.
        let order = with_all_above(&chain.nodes, &nodes, &order);
        let mut turned = vec![DQuat::IDENTITY; chain.nodes.len()];
        for frame in 0..frames {
            let posed = pose(&nodes, &order, Some(frame as f64 / rate));
            for (joint, &node) in chain.nodes.iter().enumerate() {
                turned[joint] = (orientation(&posed[node]) * chain.rest[joint].inverse()).normalize();
                let above = capture.joints[joint].parent.map_or(DQuat::IDENTITY, |above| turned[above]);
                capture.rotations.push((above.inverse() * turned[joint]).normalize());
            }
            capture.root_positions.push(posed[chain.nodes[0]].translation);
        }
        let finite = capture.root_positions.iter().all(|place| place.is_finite())
            && capture.rotations.iter().all(|turn| turn.is_finite());
        if finite { Ok(capture) } else { Err("has an animation that leaves the numbers".into()) }
    }

    /// The joints of a skin, parents first, as they are when it is bound.
    fn joints(&self, skin: &gltf::Skin<'_>, nodes: &[Node], order: &[usize]) -> Result<Chain, String> {
        let own: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        let still = pose(nodes, order, None);
        let mut bound: Vec<Option<DAffine3>> = vec![None; nodes.len()];
        let matrices = skin.inverse_bind_matrices();
        let matrices = matrices.map(|accessor| self.matrices(&accessor)).transpose()?.unwrap_or_default();
        for (number, &joint) in own.iter().enumerate() {
            let inverse = matrices.get(number).map(|matrix| matrix.inverse());
            let fits = |matrix: &DMat4| matrix.is_finite();
            bound[joint] = inverse.filter(fits).map(DAffine3::from_mat4).or(Some(still[joint]));
        }
        let mut chain = Chain { joints: Vec::new(), nodes: Vec::new(), rest: Vec::new() };
        let mut number_of = vec![None; nodes.len()];
        for &node in order.iter().filter(|node| bound[**node].is_some()) {
            let place = bound[node].unwrap_or(still[node]);
            // The nearest joint above, whatever lies between.
            let mut above = nodes[node].parent;
            while let Some(next) = above.filter(|next| number_of[*next].is_none()) {
                above = nodes[next].parent;
            }
            let parent: Option<usize> = above.and_then(|above| number_of[above]);
            if parent.is_none() && !chain.joints.is_empty() {
                continue;
            }
            let from =
                above.and_then(|above| bound[above]).map_or(place.translation, |above| above.translation);
            let named = self.document.nodes().nth(node).and_then(|node| node.name().map(str::to_owned));
            let mut name = named.unwrap_or_else(|| format!("joint {node}"));
            // Names of some programs carry that of the body before a colon.
            name = name.rsplit(':').next().unwrap_or_default().to_owned();
            if chain.joints.iter().any(|joint: &CaptureJoint| joint.name == name) {
                name = format!("{name} {node}");
            }
            number_of[node] = Some(chain.joints.len());
            chain.joints.push(CaptureJoint { name, parent, offset: place.translation - from, tip: None });
            chain.nodes.push(node);
            chain.rest.push(orientation(&place));
        }
        if chain.joints.is_empty() || chain.joints.len() > MAX_JOINTS {
            return Err(format!(
                "has a body of {} joints; from 1 to {MAX_JOINTS} are read",
                chain.joints.len()
            ));
        }
        Ok(chain)
    }

    /// The numbers of an accessor, up to four at a time.
    fn numbers(&self, accessor: &gltf::Accessor<'_>) -> Result<Vec<[f64; 4]>, String> {
        let wide = match accessor.dimensions() {
            Dimensions::Scalar => 1,
            Dimensions::Vec2 => 2,
            Dimensions::Vec3 => 3,
            Dimensions::Vec4 => 4,
            _ => return Err("has an animation of matrices".into()),
        };
        let all = self.flat(accessor, wide)?;
        Ok(all
            .chunks_exact(wide)
            .map(|own| std::array::from_fn(|part| own.get(part).copied().unwrap_or(0.0)))
            .collect())
    }

    fn matrices(&self, accessor: &gltf::Accessor<'_>) -> Result<Vec<DMat4>, String> {
        let all = self.flat(accessor, 16)?;
        Ok(all.chunks_exact(16).map(DMat4::from_cols_slice).collect())
    }

    fn flat(&self, accessor: &gltf::Accessor<'_>, wide: usize) -> Result<Vec<f64>, String> {
        let damaged = || "has an accessor that reaches past its buffer".to_owned();
        let view = accessor.view().ok_or("has sparse accessors; save it without")?;
        let buffer = self.buffers.get(view.buffer().index()).ok_or_else(damaged)?;
        let size = accessor.data_type().size();
        let stride = view.stride().unwrap_or(size * wide);
        let bytes = buffer
            .get(view.offset()..view.offset().saturating_add(view.length()).min(buffer.len()))
            .ok_or_else(damaged)?;
        let mut numbers = Vec::new();
        for element in 0..accessor.count() {
            let begin = accessor.offset().saturating_add(element.saturating_mul(stride));
            let own = bytes.get(begin..begin.saturating_add(size * wide)).ok_or_else(damaged)?;
            numbers.extend(own.chunks_exact(size).map(|part| number(part, accessor.data_type())));
        }
        Ok(numbers)
    }
}

/// The joints of a body, their nodes and how these are turned at rest.
struct Chain {
    joints: Vec<CaptureJoint>,
    nodes: Vec<usize>,
    rest: Vec<DQuat>,
}

/// A number of a file; whole ones stand for parts of one.
fn number(bytes: &[u8], kind: DataType) -> f64 {
    match (kind, bytes) {
        (DataType::F32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (DataType::I8, &[a]) => (f64::from(a as i8) / 127.0).max(-1.0),
        (DataType::U8, &[a]) => f64::from(a) / 255.0,
        (DataType::I16, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])) / 32767.0).max(-1.0),
        (DataType::U16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])) / 65535.0,
        (DataType::U32, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
        _ => f64::NAN,
    }
}

fn still(node: &gltf::Node<'_>) -> Node {
    let (translation, rotation, scale) = node.transform().decomposed();
    Node {
        parent: None,
        translation: DVec3::from_array(translation.map(f64::from)),
        rotation: DQuat::from_array(rotation.map(f64::from)),
        scale: DVec3::from_array(scale.map(f64::from)),
        moves: None,
        turns: None,
    }
}

/// Nodes in an order in which parents come before their children.
fn parents_first(nodes: &[Node]) -> Result<Vec<usize>, String> {
    let depth = |node: usize| {
        let (mut depth, mut above) = (0, nodes[node].parent);
        while let Some(next) = above {
            depth += 1;
            if depth > nodes.len() {
                return Err("has nodes that are their own parents".to_owned());
            }
            above = nodes[next].parent;
        }
        Ok(depth)
    };
    let mut order =
        (0..nodes.len()).map(|node| Ok((depth(node)?, node))).collect::<Result<Vec<_>, String>>()?;
    order.sort();
    Ok(order.into_iter().map(|(_, node)| node).collect())
}

/// Those of `order` that are among `wanted` or above one of them.
fn with_all_above(wanted: &[usize], nodes: &[Node], order: &[usize]) -> Vec<usize> {
    let mut needed = vec![false; nodes.len()];
    for &node in wanted {
        let mut above = Some(node);
        while let Some(next) = above.filter(|next| !needed[*next]) {
            needed[next] = true;
            above = nodes[next].parent;
        }
    }
    order.iter().copied().filter(|node| needed[*node]).collect()
}

/// Where all nodes of `order` are in space at a moment, or as they stand in the file.
fn pose(nodes: &[Node], order: &[usize], time: Option<f64>) -> Vec<DAffine3> {
    let mut placed = vec![DAffine3::IDENTITY; nodes.len()];
    for &number in order {
        let node = &nodes[number];
        let (mut translation, mut rotation) = (node.translation, node.rotation);
        if let (Some(time), Some(keys)) = (time, &node.moves) {
            let (a, b, part) = keys.around(time);
            let vector = |own: [f64; 4]| DVec3::new(own[0], own[1], own[2]);
            translation = vector(a).lerp(vector(b), part);
        }
        if let (Some(time), Some(keys)) = (time, &node.turns) {
            let (a, b, part) = keys.around(time);
            rotation = DQuat::from_array(a).normalize().slerp(DQuat::from_array(b).normalize(), part);
        }
        let own = DAffine3::from_scale_rotation_translation(node.scale, rotation, translation);
        placed[number] = node.parent.map_or(own, |parent| placed[parent] * own);
    }
    placed
}

/// How something is turned, whatever its scale.
fn orientation(place: &DAffine3) -> DQuat {
    let DMat3 { x_axis, y_axis, z_axis } = place.matrix3;
    let x = x_axis.normalize_or(DVec3::X);
    let y = y_axis
        .reject_from_normalized(x)
        .normalize_or(z_axis.cross(x).normalize_or(x.any_orthonormal_vector()));
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    /// A body of three joints that are turned at rest, whose knee bends by a right angle in a second while it moves on.
    fn text() -> String {
        let mut bytes: Vec<u8> = Vec::new();
        let put = |bytes: &mut Vec<u8>, numbers: &[f32]| {
            let begin = bytes.len();
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            (begin, bytes.len() - begin)
        };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let times = put(&mut bytes, &[0.0, 0.5, 1.0]);
        let moves = put(&mut bytes, &[0.0, 2.0, 0.0, 0.5, 2.0, 0.0, 1.0, 2.0, 0.0]);
        // About the joint's own x, which is turned by a right angle about y: about z of the body.
        let (sine, cosine) = (std::f32::consts::FRAC_PI_8.sin(), std::f32::consts::FRAC_PI_8.cos());
        let turns = put(&mut bytes, &[0.0, 0.0, 0.0, 1.0, sine, 0.0, 0.0, cosine, half, 0.0, 0.0, half]);
        let data = STANDARD.encode(&bytes);
        let view = |(begin, length): (usize, usize)| {
            format!("{{\"buffer\":0,\"byteOffset\":{begin},\"byteLength\":{length}}}")
        };
        format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"scene\":0,\
             \"nodes\":[{{\"name\":\"a:Hips\",\"children\":[1],\"translation\":[0,2,0]}},\
             {{\"name\":\"Knee\",\"children\":[2],\"translation\":[0,-1,0],\"rotation\":[0,{half},0,{half}]}},\
             {{\"name\":\"Ankle\",\"translation\":[0,-1,0]}}],\"skins\":[{{\"joints\":[0,1,2]}}],\
             \"animations\":[{{\"channels\":[{{\"sampler\":0,\"target\":{{\"node\":0,\"path\":\"translation\"}}}},\
             {{\"sampler\":1,\"target\":{{\"node\":1,\"path\":\"rotation\"}}}}],\
             \"samplers\":[{{\"input\":0,\"output\":1}},{{\"input\":0,\"output\":2}}]}}],\
             \"buffers\":[{{\"byteLength\":{},\"uri\":\"data:application/octet-stream;base64,{data}\"}}],\
             \"bufferViews\":[{},{},{}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]}},\
             {{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}},\
             {{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}}]}}",
            bytes.len(),
            view(times),
            view(moves),
            view(turns)
        )
    }

    #[test]
    fn joints_are_where_the_file_has_them() {
        let takes = parse_gltf(text().as_bytes(), Path::new(".")).unwrap();
        let [Take { name, capture }] = &takes[..] else { panic!("one motion, not {}", takes.len()) };
        assert_eq!(name, "");
        let names: Vec<&str> = capture.joints.iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(names, ["Hips", "Knee", "Ankle"]);
        assert_eq!(capture.frame_time, Some(1.0 / 30.0));
        assert_eq!(capture.frames(), 31);
        // The knee's keys are turns from no turn at all: in space it is turned back by a right angle about y.
        let first = capture.joint_positions(0);
        assert!(first[2].distance(DVec3::new(0.0, 0.0, 0.0)) < 1e-6, "{}", first[2]);
        let last = capture.joint_positions(30);
        assert!(last[0].distance(DVec3::new(1.0, 2.0, 0.0)) < 1e-6, "{}", last[0]);
        // Turned about x by a right angle, the shank that hung down points back along z.
        assert!(last[2].distance(DVec3::new(1.0, 1.0, -1.0)) < 1e-5, "{}", last[2]);
    }

    #[test]
    fn several_bodies_and_animations_come_in() {
        // A second body that stands aside and bends its knee by the same keys, and hair on the joints of the first.
        let two = text()
            .replace("\"nodes\":[0]", "\"nodes\":[0,3]")
            .replace(
                "],\"skins\":[{\"joints\":[0,1,2]}]",
                ",{\"name\":\"b:Hips\",\"children\":[4],\"translation\":[5,2,0]},{\"name\":\"Knee\",\"translation\":[0,-1,0]}],\
                 \"skins\":[{\"name\":\"Ann\",\"joints\":[0,1,2]},{\"joints\":[1,2]},{\"name\":\"Ben\",\"joints\":[3,4]}]",
            )
            .replace(
                "\"path\":\"rotation\"}}]",
                "\"path\":\"rotation\"}},{\"sampler\":1,\"target\":{\"node\":4,\"path\":\"rotation\"}}]",
            );
        let takes = parse_gltf(two.as_bytes(), Path::new(".")).unwrap();
        let names: Vec<&str> = takes.iter().map(|take| take.name.as_str()).collect();
        assert_eq!(names, ["Ann", "Ben"]);
        assert_eq!(takes[0].capture, parse_gltf(text().as_bytes(), Path::new(".")).unwrap()[0].capture);
        let ben = &takes[1].capture;
        assert_eq!((ben.joints.len(), ben.frames()), (2, 31));
        assert!(ben.joint_positions(30)[0].distance(DVec3::new(5.0, 2.0, 0.0)) < 1e-6);
    }

    #[test]
    fn what_is_damaged_is_told() {
        let refused = |text: &str| parse_gltf(text.as_bytes(), Path::new(".")).unwrap_err();
        assert!(refused("{}").contains("no glTF"));
        assert!(refused("glTF").contains("cut off"));
        assert!(refused(&text().replace("\"skins\":[{\"joints\":[0,1,2]}],", "")).contains("skin"));
        let outside = text().replace("data:application/octet-stream;base64,", "../");
        assert!(refused(&outside).contains("not in its folder"));
        let longer = text().replace("\"count\":3,\"type\":\"VEC4\"", "\"count\":9,\"type\":\"VEC4\"");
        assert!(!refused(&longer).is_empty());
    }
}
