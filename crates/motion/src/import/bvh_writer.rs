//! Writer of Biovision hierarchy files.

use super::capture::Capture;
use crate::{Clip, FRAME_TIME, Placement, Skeleton};
use glam::{DQuat, DVec3, EulerRot};
use std::fmt::Write;

/// A capture as BVH text: six channels on the root, three (Z Y X) on every other joint.
pub fn write_bvh(capture: &Capture) -> String {
    let mut text = String::from("HIERARCHY\n");
    let mut children = vec![Vec::new(); capture.joints.len()];
    for (index, joint) in capture.joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            children[parent].push(index);
        }
    }
    // The text is depth first, while the joints need not be: remember the column order.
    let mut order = Vec::with_capacity(capture.joints.len());
    let mut stack = vec![(0, 0, false)];
    while let Some((joint, depth, closing)) = stack.pop() {
        let indent = "  ".repeat(depth);
        if closing {
            let _ = writeln!(text, "{indent}}}");
            continue;
        }
        order.push(joint);
        write_joint(&mut text, capture, joint, &indent, children[joint].is_empty());
        stack.push((joint, depth, true));
        stack.extend(children[joint].iter().rev().map(|&child| (child, depth + 1, false)));
    }
    let frame_time = capture.frame_time.unwrap_or(f64::from(FRAME_TIME));
    let _ = writeln!(text, "MOTION\nFrames: {}\nFrame Time: {frame_time:.8}", capture.frames());
    for frame in 0..capture.frames() {
        let DVec3 { x, y, z } = capture.root_positions[frame];
        let _ = write!(text, "{x:.6} {y:.6} {z:.6}");
        let rotations = capture.frame_rotations(frame);
        for &joint in &order {
            let (z, y, x) = rotations[joint].to_euler(EulerRot::ZYX);
            let _ = write!(text, " {:.6} {:.6} {:.6}", z.to_degrees(), y.to_degrees(), x.to_degrees());
        }
        text.push('\n');
    }
    text
}

fn write_joint(text: &mut String, capture: &Capture, index: usize, indent: &str, leaf: bool) {
    let joint = &capture.joints[index];
    let vector = |v: DVec3| format!("{:.6} {:.6} {:.6}", v.x, v.y, v.z);
    let (kind, channels) = match index {
        0 => ("ROOT", "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"),
        _ => ("JOINT", "3 Zrotation Yrotation Xrotation"),
    };
    let _ = writeln!(text, "{indent}{kind} {}\n{indent}{{", joint.name);
    let _ = writeln!(text, "{indent}  OFFSET {}\n{indent}  CHANNELS {channels}", vector(joint.offset));
    if leaf || joint.tip.is_some() {
        let tip = joint.tip.unwrap_or(DVec3::ZERO);
        let _ = writeln!(
            text,
            "{indent}  End Site\n{indent}  {{\n{indent}    OFFSET {}\n{indent}  }}",
            vector(tip)
        );
    }
}

impl Capture {
    /// A clip that starts at `start`, as a capture in metres with y up and the rest pose facing +z.
    pub fn from_clip(skeleton: &Skeleton, clip: &Clip, start: Placement) -> Self {
        // (forward, left, up) = (x, y, z) becomes (z, x, y).
        let position = |v: glam::Vec3| DVec3::new(v.y.into(), v.z.into(), v.x.into());
        let rotation = |q: glam::Quat| DQuat::from_xyzw(q.y.into(), q.z.into(), q.x.into(), q.w.into());
        let joints = skeleton.joints().iter().map(|joint| super::CaptureJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(usize::from),
            offset: position(joint.offset),
            tip: joint.tip.map(position),
        });
        let mut capture = Self {
            joints: joints.collect(),
            frame_time: Some(FRAME_TIME.into()),
            root_positions: Vec::with_capacity(clip.frames()),
            rotations: Vec::with_capacity(clip.rotations.len()),
            notes: Vec::new(),
        };
        for frame in 0..clip.frames() {
            let placement = start.then(clip.track[frame]);
            capture.root_positions.push(position(placement.position.extend(clip.root_heights[frame])));
            for (joint, &local) in clip.frame_rotations(frame).iter().enumerate() {
                let whole = if joint == 0 { placement.rotation() * local } else { local };
                capture.rotations.push(rotation(whole).normalize());
            }
        }
        capture
    }
}
