//! USD: everybody's own body of pieces that are stored once, moved by a skeleton's animation of its own (UsdSkel).
//!
//! People play clips from one library, so many are in the same pose at one time or another: in the binary form each pose
//! is stored once, to half a frame, and everybody's animation only says which it shows when.

mod boxes;
mod crate_file;
mod packing;
mod stage;
mod text;

use super::acts::{acts, name_of_act};
use super::animation::thinned;
use super::cameras::{Moment, NEAREST, Shot, shots};
use super::pose::Poser;
use super::{Draft, ExportError, Selection, keys};
use crate::body::{Carriage, Detail, Fitting, Mesh, Person, piece_colour, pieces, rest_positions, stature};
use crate::run::{Run, Sample};
use glam::Vec3;
use stage::{Prim, Property, Stage, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// How USD is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsdForm {
    /// As text (`.usda`), to be read and changed by hand.
    Text,
    /// In binary (`.usdc`), for many people.
    Binary,
}

/// Poses and blends are told apart to this part of a frame, and of the whole.
const STEPS_A_FRAME: f32 = 2.0;
const STEPS_OF_A_BLEND: f32 = 16.0;

/// Writes the run as USD: z up, metres, a body for each agent, every `every` recorded frames.
pub fn write_usd(
    run: &Run,
    selection: &Selection,
    every: u32,
    form: UsdForm,
    path: &Path,
) -> Result<(), ExportError> {
    let agents = selection.by_agent(run)?;
    if agents.is_empty() {
        return Err(ExportError::Nobody);
    }
    let header = run.header();
    let frames = agents.values().flatten().map(|(frame, _)| *frame);
    let (first, last) = (frames.clone().min().unwrap_or(0), frames.max().unwrap_or(0));
    let skeleton = Joints::of(run);
    let (fitting, outfits) = (Fitting::new(&header.skeleton), run.outfits());
    let mut bodies = Vec::new();
    let mut poses =
        Poses { known: BTreeMap::new(), poser: Poser::new(&header.skeleton), carriage: run.carriage() };
    let mut times = Times::default();
    let mut crowd = Prim::new("Xform", "Crowd");
    let mut motions = Prim::new("Scope", "Motions");
    for (id, all) in &agents {
        for (number, act) in acts(run, *id, all, &outfits).into_iter().enumerate() {
            let (name, looks) = (name_of_act(&id.to_string(), number, '_'), act.person);
            bodies.push(body(&looks, &fitting, &skeleton, &format!("Person_{name}")));
            let samples = keys(&all[act.samples], every.max(1));
            let shown = times.shared(samples.iter().map(|(frame, _)| f64::from(*frame - first)).collect());
            let samples: Vec<&Sample> = samples.into_iter().map(|(_, sample)| sample).collect();
            let scale = looks.scale * 1.75 / stature(&header.skeleton);
            let (agent, motion) =
                person(run, (&name, scale, &looks), &samples, &shown, &skeleton, &mut poses);
            let mut agent = Prim { instance_of: Some(format!("/Bodies/Person_{name}")), ..agent };
            let (from, to) = (shown[0], shown[shown.len() - 1]);
            agent.properties.extend(presence(from, to, f64::from(last - first)));
            crowd.children.push(agent);
            motions.children.push(motion);
        }
    }
    crowd.children.push(motions);
    let cameras: Vec<Prim> =
        shots(run, first..=last, every.max(1))?.iter().map(|shot| camera(shot, first)).collect();
    if !cameras.is_empty() {
        crowd.children.push(Prim { children: cameras, ..Prim::new("Scope", "Cameras") });
    }
    let boxes = boxes::boxes(run, &agents, first..=last, every.max(1));
    if !boxes.is_empty() {
        crowd.children.push(Prim { children: boxes, ..Prim::new("Scope", "Boxes") });
    }
    let bodies = Prim { is_class: true, children: bodies, ..Prim::new("Scope", "Bodies") };
    let stage = Stage {
        documentation: format!("Crowdloom {}", header.program),
        rate: f64::from(header.frame_rate / header.stride as f32),
        last: f64::from(last - first),
        prims: vec![crowd, bodies],
    };
    let draft = Draft::new(path)?;
    let write = || -> std::io::Result<()> {
        let mut out = std::io::BufWriter::new(std::fs::File::create(draft.partial())?);
        match form {
            UsdForm::Text => text::write(&stage, &mut out)?,
            UsdForm::Binary => crate_file::write(&stage, &mut out)?,
        }
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    };
    write().map_err(|error| draft.fail(error))?;
    Ok(draft.finish()?)
}

/// The joints of the run's skeleton as USD names them.
struct Joints {
    /// From the root.
    paths: Vec<String>,
    offsets: Vec<Vec3>,
    rest: Vec<Vec3>,
}

impl Joints {
    fn of(run: &Run) -> Self {
        let skeleton = &run.header().skeleton;
        let mut paths: Vec<String> = Vec::new();
        for joint in skeleton.joints() {
            let name = identifier(&joint.name);
            let path = match joint.parent {
                Some(parent) => format!("{}/{name}", paths[usize::from(parent)]),
                None => name,
            };
            paths.push(path);
        }
        let offsets = skeleton.joints().iter().map(|joint| joint.offset).collect();
        Self { paths, offsets, rest: rest_positions(skeleton) }
    }

    fn names(&self) -> Property {
        Property::uniform("joints", "token[]", Value::Tokens(self.paths.clone()))
    }
}

/// Poses that were shown before.
struct Poses {
    known: BTreeMap<[u32; 7], (Rc<Value>, f32)>,
    poser: Poser,
    carriage: Option<Carriage>,
}

impl Poses {
    /// Rotations of the joints and height of the root, for somebody's sample as it is to half a frame, `seconds` after the start.
    fn of(&mut self, run: &Run, sample: &Sample, looks: &Person, seconds: f32) -> (Rc<Value>, f32) {
        let steps = |value: f32, steps: f32| (value * steps).round();
        let mut key = [u32::from(sample.clip), 0, u32::MAX, 0, 0, 0, 0];
        let (sides, _) = self.carriage.as_ref().map_or(Default::default(), |own| own.holds_of(looks));
        key[5..].copy_from_slice(&sides.map(|hold| hold.map_or(0, |number| number as u32 + 1)));
        key[1] = steps(sample.clip_frame(), STEPS_A_FRAME) as u32;
        if let Some((clip, at, share)) = sample.under() {
            let share = steps(share, STEPS_OF_A_BLEND) as u32;
            if share > 0 {
                key[2..5].copy_from_slice(&[u32::from(clip), steps(at, STEPS_A_FRAME) as u32, share]);
            }
        }
        let (poser, carriage) = (&self.poser, &self.carriage);
        let make = || {
            let mut rotations = Vec::new();
            let mut height = poser.pose_of(run, sample, &mut rotations);
            if let Some(carriage) = carriage {
                carriage.carry(&run.header().skeleton, looks, seconds, &mut height, &mut rotations);
            }
            (Rc::new(Value::Rotations(rotations)), height)
        };
        // Who stands on its own feet stands so only once, and who waves waves on.
        let swings = carriage.as_ref().is_some_and(|carriage| carriage.swings(sides));
        if sample.stance().is_some() || swings {
            return make();
        }
        // A bag changes no pose in which its hand hangs anyway: that is everybody's.
        let hangs = |hold: &usize| carriage.as_ref().is_some_and(|own| own.holds()[*hold].above > 0.0);
        if sides.iter().flatten().any(hangs) {
            let (pose, mut plain) = (make(), Vec::new());
            poser.pose_of(run, sample, &mut plain);
            if matches!(&*pose.0, Value::Rotations(own) if *own == plain) {
                key[5..].fill(0);
            }
            let pose = self.known.entry(key).or_insert(pose);
            return (Rc::clone(&pose.0), pose.1);
        }
        let pose = self.known.entry(key).or_insert_with(make);
        (Rc::clone(&pose.0), pose.1)
    }
}

/// Lists of times that were needed before.
#[derive(Default)]
struct Times(BTreeMap<Vec<u64>, Rc<Vec<f64>>>);

impl Times {
    fn shared(&mut self, times: Vec<f64>) -> Rc<Vec<f64>> {
        let bits = times.iter().map(|time| time.to_bits()).collect();
        Rc::clone(self.0.entry(bits).or_insert_with(|| Rc::new(times)))
    }
}

/// One agent, with its name, its size and its looks: where it is, and what its body does.
fn person(
    run: &Run,
    (name, scale, looks): (&str, f32, &Person),
    samples: &[&Sample],
    times: &Rc<Vec<f64>>,
    joints: &Joints,
    poses: &mut Poses,
) -> (Prim, Prim) {
    let (mut turns, mut places, mut headings) = (Vec::new(), Vec::new(), Vec::new());
    let mut heading = 0.0;
    for (sample, &time) in samples.iter().zip(times.iter()) {
        let seconds = time as f32 * run.header().record_time();
        let (pose, height) = poses.of(run, sample, looks, seconds);
        let placement = sample.placement();
        turns.push(pose);
        places.push(placement.position.extend((height - joints.offsets[0].z) * scale));
        // Headings go on smoothly, so that in between is in between.
        heading += crowdloom_motion::wrap_angle(placement.heading - heading);
        headings.push(heading.to_degrees());
    }
    let share =
        |from: usize, to: usize, at: usize| ((times[at] - times[from]) / (times[to] - times[from])) as f32;
    let straight = |from: usize, to: usize, at: usize| {
        places[from].lerp(places[to], share(from, to, at)).distance(places[at]) < PLACE_TOLERANCE
    };
    let steady = |from: usize, to: usize, at: usize| {
        let between = headings[from] + (headings[to] - headings[from]) * share(from, to, at);
        (between - headings[at]).abs() < HEADING_TOLERANCE
    };
    // A sample takes eight bytes, and what does not fit in there takes more.
    let place = moving("xformOp:translate", "float3", times, thinned(places.len(), 20, straight), &|at| {
        Value::Vector(places[at])
    });
    let turn = moving("xformOp:rotateZ", "float", times, thinned(headings.len(), 8, steady), &|at| {
        Value::Float(headings[at])
    });
    let mut agent = Prim { binds: true, ..Prim::new("SkelRoot", format!("Agent_{name}")) };
    let order = ["xformOp:translate", "xformOp:rotateZ", "xformOp:scale"].map(str::to_owned).to_vec();
    agent.properties = vec![
        place,
        turn,
        Property::fixed("xformOp:scale", "float3", Value::Vector(Vec3::splat(scale))),
        Property::uniform("xformOpOrder", "token[]", Value::Tokens(order)),
        Property::to("skel:animationSource", format!("/Crowd/Motions/Agent_{name}")),
    ];
    let mut motion = Prim::new("SkelAnimation", format!("Agent_{name}"));
    motion.properties = vec![
        joints.names(),
        Property::fixed("translations", "float3[]", Value::Vectors(joints.offsets.clone())),
        Property::fixed("scales", "half3[]", Value::UnitScales(joints.paths.len())),
        Property::sampled("rotations", "quatf[]", times, turns),
    ];
    (agent, motion)
}

/// How far in metres and degrees people may be shown from where they are, where that saves samples.
const PLACE_TOLERANCE: f32 = 0.002;
const HEADING_TOLERANCE: f32 = 0.25;

/// An attribute with the samples that are kept of all, or all of them.
fn moving(
    name: &'static str,
    kind: &'static str,
    times: &Rc<Vec<f64>>,
    kept: Option<Vec<u32>>,
    value: &dyn Fn(usize) -> Value,
) -> Property {
    match kept {
        None => Property::sampled(name, kind, times, (0..times.len()).map(|at| Rc::new(value(at))).collect()),
        Some(kept) => {
            let own = Rc::new(kept.iter().map(|&at| times[at as usize]).collect());
            let values = kept.iter().map(|&at| Rc::new(value(at as usize))).collect();
            Property::sampled(name, kind, &own, values)
        }
    }
}

/// A camera: it stands, or goes where its moments say.
fn camera(shot: &Shot, start: u32) -> Prim {
    let times =
        Rc::new(shot.moments.iter().map(|moment| f64::from(moment.record - start)).collect::<Vec<_>>());
    let changing = |name: &'static str, kind: &'static str, of: &dyn Fn(&Moment) -> Value| match &shot.moments
        [..]
    {
        [one] => Property::fixed(name, kind, of(one)),
        all => Property::sampled(name, kind, &times, all.iter().map(|moment| Rc::new(of(moment))).collect()),
    };
    let order = ["xformOp:translate", "xformOp:rotateZ", "xformOp:rotateX"].map(str::to_owned).to_vec();
    Prim {
        properties: vec![
            changing("xformOp:translate", "float3", &|moment| Value::Vector(moment.at)),
            changing("xformOp:rotateZ", "float", &|moment| Value::Float(moment.pan.to_degrees())),
            changing("xformOp:rotateX", "float", &|moment| Value::Float(moment.tilt.to_degrees())),
            Property::uniform("xformOpOrder", "token[]", Value::Tokens(order)),
            Property::fixed("projection", "token", Value::Token("perspective".into())),
            // As film is measured: the picture is 24 mm high and 16 to 9 wide.
            Property::fixed("verticalAperture", "float", Value::Float(FILM_HEIGHT)),
            Property::fixed("horizontalAperture", "float", Value::Float(FILM_HEIGHT * 16.0 / 9.0)),
            Property::fixed(
                "focalLength",
                "float",
                Value::Float(0.5 * FILM_HEIGHT / libm::tanf(0.5 * shot.field_of_view)),
            ),
            Property::fixed("clippingRange", "float2", Value::Pair([NEAREST, 1.0e4])),
        ],
        ..Prim::new("Camera", format!("Camera_{}", identifier(&shot.name)))
    }
}

/// The height of a camera's picture on its film, in millimetres.
const FILM_HEIGHT: f32 = 24.0;

/// A name with nothing in it that USD does not allow.
fn identifier(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// Who comes later or goes earlier is not to be seen otherwise.
fn presence(from: f64, to: f64, last: f64) -> Option<Property> {
    let seen = |seen: bool| Rc::new(Value::Token(if seen { "inherited" } else { "invisible" }.to_owned()));
    let (mut times, mut values) = (Vec::new(), Vec::new());
    if from > 0.0 {
        times.push(0.0);
        values.push(seen(false));
    }
    times.push(from);
    values.push(seen(true));
    if to < last {
        times.push(to + 1.0);
        values.push(seen(false));
    }
    (times.len() > 1).then(|| Property::sampled("visibility", "token", &Rc::new(times), values))
}

/// Somebody's body with all that is worn: pieces that are bound as wide as this person is.
fn body(person: &Person, fitting: &Fitting, joints: &Joints, name: &str) -> Prim {
    let (worn, covers) = person.look.seen();
    let growth = fitting.growth(&person.scales);
    let bound = joints.rest.iter().zip(growth).map(|(&rest, by)| (by.recip(), rest)).collect();
    let resting = joints.offsets.iter().map(|&offset| (Vec3::ONE, offset)).collect();
    let skeleton = Prim {
        binds: true,
        properties: vec![
            joints.names(),
            Property::uniform("bindTransforms", "matrix4d[]", Value::Matrices(bound)),
            Property::uniform("restTransforms", "matrix4d[]", Value::Matrices(resting)),
        ],
        ..Prim::new("Skeleton", "Skeleton")
    };
    let mut children = vec![skeleton];
    for piece in worn {
        let mesh = fitting.piece(piece, person.template, if piece == 0 { covers } else { 0 }, Detail::Middle);
        if !mesh.triangles.is_empty() {
            let colour = piece_colour(person, piece).map(|value| libm::powf(f32::from(value) / 255.0, 2.2));
            children.push(garment(&mesh, &pieces()[usize::from(piece)].name, Vec3::from(colour), name));
        }
    }
    Prim { binds: true, children, ..Prim::new("SkelRoot", name) }
}

/// One piece of a body.
fn garment(mesh: &Mesh, piece: &str, colour: Vec3, body: &str) -> Prim {
    let positions: Vec<Vec3> = mesh.vertices.iter().map(|vertex| vertex.position).collect();
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let integers = |numbers: &mut dyn Iterator<Item = u32>| {
        Value::Integers(numbers.map(|number| number as i32).collect())
    };
    let name = identifier(piece);
    Prim {
        binds: true,
        properties: vec![
            Property::uniform("subdivisionScheme", "token", Value::Token("none".into())),
            // Clothes are open where people come out of them.
            Property::uniform("doubleSided", "bool", Value::Flag(true)),
            Property::fixed("extent", "float3[]", Value::Vectors(vec![low, high])),
            Property::fixed("faceVertexCounts", "int[]", Value::Integers(vec![3; mesh.triangles.len()])),
            Property::fixed(
                "faceVertexIndices",
                "int[]",
                integers(&mut mesh.triangles.iter().flatten().copied()),
            ),
            Property::fixed("points", "point3f[]", Value::Vectors(positions)),
            Property::primvar(
                "normals",
                "normal3f[]",
                Value::Vectors(mesh.vertices.iter().map(|vertex| vertex.normal).collect()),
                ("vertex", 1),
            ),
            Property::primvar(
                "primvars:displayColor",
                "color3f[]",
                Value::Vectors(vec![colour]),
                ("constant", 1),
            ),
            Property::primvar(
                "primvars:skel:jointIndices",
                "int[]",
                integers(&mut mesh.vertices.iter().flat_map(|vertex| vertex.joints.map(u32::from))),
                ("vertex", 4),
            ),
            Property::primvar(
                "primvars:skel:jointWeights",
                "float[]",
                Value::Floats(mesh.vertices.iter().flat_map(|vertex| vertex.weights).collect()),
                ("vertex", 4),
            ),
            Property::to("skel:skeleton", format!("/Bodies/{body}/Skeleton")),
        ],
        ..Prim::new("Mesh", format!("Piece_{name}"))
    }
}
