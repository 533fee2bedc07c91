//! USD as text: a skeleton with its animation for every agent (UsdSkel).

use super::pose::Poser;
use super::{Draft, ExportError, Selection};
use crate::body::{Detail, Figure, Proportions, figure, rest_positions};
use crate::run::{Run, Sample};
use glam::{Quat, Vec3};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

/// Writes the run as `.usda`: z up, metres, one `SkelRoot` an agent that refers to one of two bodies.
pub fn write_usda(run: &Run, selection: &Selection, every: u32, path: &Path) -> Result<(), ExportError> {
    let agents = selection.by_agent(run)?;
    if agents.is_empty() {
        return Err(ExportError::Nobody);
    }
    let header = run.header();
    let last =
        agents.values().filter_map(|samples| samples.last()).map(|(frame, _)| *frame).max().unwrap_or(0);
    let rate = header.frame_rate / header.stride as f32;
    let draft = Draft::new(path)?;
    let write = || -> std::io::Result<()> {
        let mut out = std::io::BufWriter::new(std::fs::File::create(draft.partial())?);
        write!(
            out,
            "#usda 1.0\n(\n    defaultPrim = \"Crowd\"\n    doc = \"Crowdloom {}\"\n    upAxis = \"Z\"\n    metersPerUnit = 1\n    \
             timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n    startTimeCode = 0\n    endTimeCode = {last}\n)\n\n",
            header.program
        )?;
        writeln!(out, "def Xform \"Crowd\"\n{{")?;
        for (id, samples) in &agents {
            let sex = if id % 2 == 0 { 0.0 } else { 1.0 };
            let body =
                figure(&header.skeleton, &Proportions { sex, ..Proportions::default() }, Detail::Middle);
            write_agent(&mut out, run, *id, samples, every.max(1), &body)?;
        }
        writeln!(out, "}}")?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    };
    write().map_err(|error| draft.fail(error))?;
    Ok(draft.finish()?)
}

fn list<T>(values: impl IntoIterator<Item = T>, each: impl Fn(&mut String, T)) -> String {
    let mut text = String::from("[");
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        each(&mut text, value);
    }
    text.push(']');
    text
}

fn vector(text: &mut String, v: Vec3) {
    let _ = write!(text, "({:.4}, {:.4}, {:.4})", v.x, v.y, v.z);
}

/// USD has the real part first.
fn rotation(text: &mut String, q: Quat) {
    let _ = write!(text, "({:.5}, {:.5}, {:.5}, {:.5})", q.w, q.x, q.y, q.z);
}

fn matrix(text: &mut String, v: Vec3) {
    let _ =
        write!(text, "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), ({:.5}, {:.5}, {:.5}, 1))", v.x, v.y, v.z);
}

fn write_agent(
    out: &mut impl Write,
    run: &Run,
    id: u32,
    samples: &[(u32, Sample)],
    every: u32,
    body: &Figure,
) -> std::io::Result<()> {
    let skeleton = &run.header().skeleton;
    // A joint is named by its path from the root.
    let mut paths: Vec<String> = Vec::new();
    for joint in skeleton.joints() {
        let name: String = joint
            .name
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        paths.push(
            joint.parent.map_or(name.clone(), |parent| format!("{}/{name}", paths[usize::from(parent)])),
        );
    }
    let joints = list(&paths, |text, path| {
        let _ = write!(text, "\"{path}\"");
    });
    let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.offset).collect();
    let scales = list(&paths, |text, _| text.push_str("(1, 1, 1)"));
    writeln!(
        out,
        "    def SkelRoot \"Agent_{id}\" (\n        prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {{"
    )?;
    writeln!(
        out,
        "        def Skeleton \"Skeleton\" (\n            prepend apiSchemas = [\"SkelBindingAPI\"]\n        )\n        {{\n            \
         uniform token[] joints = {joints}\n            uniform matrix4d[] bindTransforms = {}\n            \
         uniform matrix4d[] restTransforms = {}\n            rel skel:animationSource = </Crowd/Agent_{id}/Motion>\n        }}",
        list(rest_positions(skeleton), matrix),
        list(offsets.iter().copied(), matrix)
    )?;
    writeln!(
        out,
        "        def SkelAnimation \"Motion\"\n        {{\n            uniform token[] joints = {joints}\n            half3[] scales = {scales}"
    )?;
    let (mut turns, mut places) = (String::new(), String::new());
    let mut rotations = Vec::new();
    let poser = Poser::new(skeleton);
    for (_, (frame, sample)) in
        samples.iter().enumerate().filter(|(index, _)| index.is_multiple_of(every as usize))
    {
        let height = poser.pose_of(run, sample, &mut rotations);
        let placement = sample.placement();
        rotations[0] = placement.rotation() * rotations[0];
        let _ = writeln!(turns, "                {frame}: {},", list(rotations.iter().copied(), rotation));
        let moved = std::iter::once(placement.position.extend(height)).chain(offsets.iter().skip(1).copied());
        let _ = writeln!(places, "                {frame}: {},", list(moved, vector));
    }
    write!(
        out,
        "            quatf[] rotations.timeSamples = {{\n{turns}            }}\n            float3[] translations.timeSamples = {{\n{places}            }}\n        }}\n"
    )?;
    write_mesh(out, id, body)?;
    writeln!(out, "    }}")
}

fn write_mesh(out: &mut impl Write, id: u32, body: &Figure) -> std::io::Result<()> {
    let mesh = &body.mesh;
    let number = |text: &mut String, value: u32| {
        let _ = write!(text, "{value}");
    };
    let low = mesh.vertices.iter().map(|vertex| vertex.position).fold(Vec3::INFINITY, Vec3::min);
    let high = mesh.vertices.iter().map(|vertex| vertex.position).fold(Vec3::NEG_INFINITY, Vec3::max);
    writeln!(
        out,
        "        def Mesh \"Body\" (\n            prepend apiSchemas = [\"SkelBindingAPI\"]\n        )\n        {{\n            \
         uniform token subdivisionScheme = \"none\"\n            float3[] extent = {}\n            \
         int[] faceVertexCounts = {}\n            int[] faceVertexIndices = {}\n            point3f[] points = {}\n            \
         normal3f[] normals = {} (\n                interpolation = \"vertex\"\n            )\n            \
         int[] primvars:skel:jointIndices = {} (\n                elementSize = 4\n                interpolation = \"vertex\"\n            )\n            \
         float[] primvars:skel:jointWeights = {} (\n                elementSize = 4\n                interpolation = \"vertex\"\n            )\n            \
         rel skel:skeleton = </Crowd/Agent_{id}/Skeleton>\n        }}",
        list([low, high], vector),
        list(mesh.triangles.iter().map(|_| 3), number),
        list(mesh.triangles.iter().flatten().copied(), number),
        list(mesh.vertices.iter().map(|vertex| vertex.position), vector),
        list(mesh.vertices.iter().map(|vertex| vertex.normal), vector),
        list(mesh.vertices.iter().flat_map(|vertex| vertex.joints.map(u32::from)), number),
        list(mesh.vertices.iter().flat_map(|vertex| vertex.weights), |text, value: f32| {
            let _ = write!(text, "{value:.5}");
        }),
    )
}
