//! From a capture to a clip: metres, z up, 30 frames a second, root split, contacts, radii.

use super::capture::{Axis, Capture};
use super::floor;
use super::glitch::{self, Frames, Glitch};
use super::options::{CMU_METRES_PER_UNIT, ImportOptions};
use crate::body::{Body, LimbPart, Side};
use crate::contacts::{ContactRule, find_contacts, low_level};
use crate::feet::clean_captured_feet;
use crate::measure_radii;
use crate::{Clip, Contacts, FRAME_RATE, Joint, Placement, Skeleton, heading_of};
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use thiserror::Error;

/// A capture turned into a clip, with what happened on the way.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The skeleton of the clip.
    pub skeleton: Skeleton,
    /// The clip.
    pub clip: Clip,
    /// Glitches found and what was done about them.
    pub glitches: Vec<Glitch>,
    /// Other things that were settled or guessed, one sentence each.
    pub notes: Vec<String>,
}

/// Why a capture cannot become a clip.
#[derive(Debug, Error, PartialEq)]
pub enum ImportError {
    /// Fewer than two frames are left.
    #[error("only {0} usable frame(s) are left; a clip needs at least 2")]
    TooShort(usize),
    /// An option makes no sense.
    #[error("{0}")]
    BadOption(String),
    /// The joints do not form a skeleton.
    #[error(transparent)]
    Skeleton(#[from] crate::SkeletonError),
}

/// Turns a capture into a clip called `name`.
pub fn import_capture(
    name: &str,
    capture: &Capture,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let mut notes = capture.notes.clone();
    let axes = body_axes(capture, options.up);
    let scale = match options.metres_per_unit {
        Some(scale) if scale.is_finite() && scale > 0.0 => scale,
        Some(scale) => {
            return Err(ImportError::BadOption(format!(
                "a scale of {scale} metres per unit is not possible"
            )));
        }
        None => guess_scale(capture, axes, &mut notes),
    };
    let frame_time = frame_time(capture, options, &mut notes)?;
    let skeleton = build_skeleton(capture, axes, scale)?;

    let first = usize::from(drops_first_frame(capture, options, &mut notes));
    let turn = DQuat::from_mat3(&axes);
    let mut frames = Frames {
        roots: capture.root_positions[first..].iter().map(|&root| axes * root * scale).collect(),
        rotations: capture.rotations[first * capture.joints.len()..]
            .iter()
            .map(|&rotation| turn * rotation * turn.inverse())
            .collect(),
        joints: capture.joints.len(),
        frame_time,
    };
    let glitches = glitch::repair(&mut frames);
    if frames.roots.len() < 2 {
        return Err(ImportError::TooShort(frames.roots.len()));
    }
    if let Some(degrees) = floor::level(&skeleton, &mut frames) {
        notes.push(format!("the floor slopes by {degrees:.1} degrees and was levelled"));
    }
    let mut clip = resample(name, &frames);
    settle_on_ground(&skeleton, &mut clip);
    clip.contacts = find_contacts(&skeleton, &clip, ContactRule::default());
    if options.clean_feet {
        clean_captured_feet(&skeleton, &mut clip);
    }
    clip.radii = measure_radii(&skeleton, &clip.rotations);
    Ok(Imported { skeleton, clip, glitches, notes })
}

/// Whether the first frame goes: because the options say so, or because it is the bare rest pose before real motion.
fn drops_first_frame(capture: &Capture, options: &ImportOptions, notes: &mut Vec<String>) -> bool {
    let resting = |frame: usize| {
        let still = |rotation: &DQuat| rotation.angle_between(DQuat::IDENTITY) < 1e-9;
        frame < capture.frames() && capture.frame_rotations(frame).iter().all(still)
    };
    if options.drop_first_frame {
        return capture.frames() > 0;
    }
    let added = resting(0) && capture.frames() > 2 && !resting(1);
    if added {
        notes.push("the first frame is the bare rest pose and was dropped".into());
    }
    added
}

/// The rotation from the file's axes to ours (x forward, y left, z up), judged by where the left hip is at rest.
fn body_axes(capture: &Capture, up: Axis) -> DMat3 {
    let up = match up {
        Axis::X => DVec3::X,
        Axis::Y => DVec3::Y,
        Axis::Z => DVec3::Z,
    };
    // By default a body with y up faces +z, and one with z up faces -y.
    let usual_forward = if up == DVec3::Y { DVec3::Z } else { DVec3::NEG_Y };
    let left = left_at_rest(capture).reject_from_normalized(up).normalize_or_zero();
    let forward = left.cross(up);
    // A rest pose that faces exactly along an axis is the rule; small asymmetries are the skeleton's own.
    let forward = [usual_forward, DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z]
        .into_iter()
        .find(|axis| axis.dot(forward) > 0.9)
        .unwrap_or(usual_forward);
    DMat3::from_cols(forward, up.cross(forward), up).transpose()
}

/// The way from the right hip to the left at rest, in file axes; zero where the hips are not known.
fn left_at_rest(capture: &Capture) -> DVec3 {
    let Ok(skeleton) = build_skeleton(capture, DMat3::IDENTITY, 1.0) else { return DVec3::ZERO };
    let body = Body::guess(&skeleton);
    let rest = rest_positions(capture);
    match Side::BOTH.map(|side| body.limb(side, LimbPart::UpLeg)) {
        [Some(left), Some(right)] => rest[left] - rest[right],
        _ => DVec3::ZERO,
    }
}

fn rest_positions(capture: &Capture) -> Vec<DVec3> {
    let mut positions: Vec<DVec3> = Vec::with_capacity(capture.joints.len());
    for joint in &capture.joints {
        let parent = joint.parent.map(|parent| positions[parent]).unwrap_or_default();
        positions.push(parent + joint.offset);
    }
    positions
}

/// Picks the unit that gives the body the most human height.
fn guess_scale(capture: &Capture, axes: DMat3, notes: &mut Vec<String>) -> f64 {
    const UNITS: [(f64, &str); 5] = [
        (1.0, "metres"),
        (0.01, "centimetres"),
        (0.0254, "inches"),
        (CMU_METRES_PER_UNIT, "CMU units (1/0.45 inch)"),
        (0.001, "millimetres"),
    ];
    const USUAL_HEIGHT: f64 = 1.65;
    let rest = rest_positions(capture);
    let heights = rest.iter().map(|&position| (axes * position).z);
    let height = heights.clone().fold(f64::NEG_INFINITY, f64::max) - heights.fold(f64::INFINITY, f64::min);
    if !(height.is_finite() && height > 1e-9) {
        notes.push("the unit could not be guessed; metres are assumed".into());
        return 1.0;
    }
    let misfit = |scale: f64| libm::log(height * scale / USUAL_HEIGHT).abs();
    let best = UNITS.into_iter().min_by(|a, b| misfit(a.0).total_cmp(&misfit(b.0))).unwrap_or(UNITS[0]);
    notes.push(format!("the unit was guessed to be {} (body of {:.2} m)", best.1, height * best.0));
    best.0
}

/// Frame rates that a capture may have, in frames a second.
const FRAME_RATES: std::ops::RangeInclusive<f64> = 1.0..=10_000.0;

fn frame_time(
    capture: &Capture,
    options: &ImportOptions,
    notes: &mut Vec<String>,
) -> Result<f64, ImportError> {
    let frame_rate = match (options.frame_rate, capture.frame_time) {
        (Some(rate), _) => rate,
        (None, Some(time)) => 1.0 / time,
        (None, None) => {
            notes.push("the file gives no frame time; 30 frames/s are assumed".into());
            f64::from(FRAME_RATE)
        }
    };
    if !FRAME_RATES.contains(&frame_rate) {
        return Err(ImportError::BadOption(format!(
            "{frame_rate} frames/s is not a usable frame rate; give one from 1 to 10000"
        )));
    }
    Ok(1.0 / frame_rate)
}

fn build_skeleton(capture: &Capture, axes: DMat3, scale: f64) -> Result<Skeleton, ImportError> {
    let vector = |v: DVec3| (axes * v * scale).as_vec3();
    let joints = capture.joints.iter().map(|joint| Joint {
        name: joint.name.clone(),
        parent: joint.parent.map(|parent| parent as u16),
        offset: if joint.parent.is_some() { vector(joint.offset) } else { Vec3::ZERO },
        tip: joint.tip.map(vector),
    });
    Ok(Skeleton::new(joints.collect())?)
}

/// Samples the frames at 30 frames/s and splits the root into ground placement and the rest.
fn resample(name: &str, frames: &Frames) -> Clip {
    let last = frames.roots.len() - 1;
    let duration = last as f64 * frames.frame_time;
    // A hair of slack, so that 4 source frames of 1/120 s make a whole frame whatever the rounding.
    let count = (duration * f64::from(FRAME_RATE) + 1e-3).floor() as usize + 1;
    let joints = frames.joints;
    let mut clip = Clip {
        name: name.to_owned(),
        labels: Vec::new(),
        ends: None,
        track: Vec::with_capacity(count),
        root_heights: Vec::with_capacity(count),
        rotations: Vec::with_capacity(count * joints),
        contacts: vec![Contacts::default(); count],
        radii: vec![0.0; count],
    };
    let mut start = Placement::IDENTITY;
    let origin = frames.roots[0].truncate();
    for frame in 0..count {
        let source = frame as f64 / f64::from(FRAME_RATE) / frames.frame_time;
        // Near a source frame, take it as it is: interpolation would only add rounding.
        let nearest = source.round();
        let source = if (source - nearest).abs() < 1e-2 { nearest } else { source };
        let before = (source.floor() as usize).min(last);
        let after = (before + 1).min(last);
        let t = source - before as f64;
        let root = frames.roots[before].lerp(frames.roots[after], t);
        let rotation = |joint: usize| {
            frames.rotations[before * joints + joint]
                .slerp(frames.rotations[after * joints + joint], t)
                .as_quat()
        };
        let whole = rotation(0);
        let heading = heading_of(whole);
        let placement = Placement { position: (root.truncate() - origin).as_vec2(), heading };
        if frame == 0 {
            start = placement;
        }
        clip.track.push(placement.relative_to(start));
        clip.root_heights.push(root.z as f32);
        clip.rotations.push((Quat::from_rotation_z(-heading) * whole).normalize());
        clip.rotations.extend((1..joints).map(rotation));
    }
    if let Some(first) = clip.track.first_mut() {
        *first = Placement::IDENTITY;
    }
    clip
}

/// Moves the clip up or down so that the soles' usual lowest level is the ground.
fn settle_on_ground(skeleton: &Skeleton, clip: &mut Clip) {
    let body = Body::guess(skeleton);
    let legs: Vec<_> = Side::BOTH.iter().filter_map(|&side| body.leg(side)).collect();
    if legs.is_empty() {
        return;
    }
    let lowest = (0..clip.frames()).map(|frame| {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let feet =
            legs.iter().flat_map(|leg| [joints.positions[leg.ball].z, joints.tip(skeleton, leg.ball).z]);
        feet.fold(f32::INFINITY, f32::min)
    });
    let ground = low_level(lowest);
    for height in &mut clip.root_heights {
        *height -= ground;
    }
}
